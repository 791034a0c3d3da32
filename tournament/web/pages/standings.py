"""Who stands where, and why."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from tournament.api import documents
from tournament.api.answers import Viewer
from tournament.api.deps import Looking
from tournament.service.entries import MOST_NUMBER
from tournament.web import answers
from tournament.web.paging import Named, PageNumber, page_of

router = APIRouter(prefix="/e/{event}/standings")


@router.get("")
def show_standings(
    look: Looking,
    *,
    after: Annotated[int | None, Query(ge=1, le=MOST_NUMBER)] = None,
    name: Named = "",
    page: PageNumber = 1,
    player: Annotated[int | None, Query(ge=1, le=MOST_NUMBER)] = None,
) -> Response:
    """The standings after a round, the last one that is closed; of one player also whom they met."""

    def shown(viewer: Viewer) -> dict[str, object]:
        table = documents.standings_of(viewer, after)
        players = documents.players_of(viewer)
        listed = page_of(table.standings, name, page, of=lambda line: players[line.player].name)
        met = [] if player is None else documents.played_by(viewer, player, upto=table.after)
        return {
            "table": table,
            "listed": listed,
            "players": players,
            "columns": list(table.standings[0].tiebreaks) if table.standings else [],
            "name": name,
            "unfolded": player,
            "met": met,
            "line_of": {line.player: line for line in table.standings} if met else {},
            "places": documents.places_of(viewer) if documents.has_cut(viewer) else None,
        }

    return answers.event_page(look, "standings.html", shown)
