"""Who plays, and lists that are open."""

from typing import Annotated, Final

from fastapi import APIRouter, Path, Response

from tournament.api import documents
from tournament.api.answers import Viewer
from tournament.api.deps import Looking
from tournament.service.entries import MOST_NUMBER
from tournament.service.events import lists_are_open
from tournament.web import answers
from tournament.web.paging import Named, PageNumber, page_of
from verifier.decklist.fold import fold

router = APIRouter(prefix="/e/{event}/players")
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]
MOST: Final = 200


@router.get("")
def show_players(look: Looking, name: Named = "", page: PageNumber = 1) -> Response:
    """Everybody by name."""

    def shown(viewer: Viewer) -> dict[str, object]:
        players = [one for one in documents.players_of(viewer).values() if one.merged_into is None]
        in_order = sorted(players, key=lambda one: (fold(one.name), one.number))
        listed = page_of(in_order, name, page, of=lambda one: one.name)
        return {"listed": listed, "name": name, "are_open": lists_are_open(viewer.event)}

    return answers.event_page(look, "players.html", shown)


@router.get("/{number}/deck")
def show_deck(look: Looking, number: Number) -> Response:
    """A player's list, once the event opens lists."""

    def shown(viewer: Viewer) -> dict[str, object]:
        deck = documents.deck_of(viewer, number)
        return {"deck": deck.legal or deck.draft, "is_draft": deck.legal is None, "player": _player(viewer, number)}

    return answers.event_page(look, "deck.html", shown)


def _player(viewer: Viewer, number: int) -> object:
    return documents.players_of(viewer)[number]
