"""A player's deck: pasted, uploaded or picked card by card, with a light for each line while it is written."""

from datetime import UTC, datetime
from typing import Any, Final

from fastapi import APIRouter, Response

from games.errors import UnknownCard
from tournament.api import own
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Asking, Db, Look, Looking, TheDoor, TheNodes
from tournament.domain.errors import TournamentError
from tournament.errors import TooManyRequests
from tournament.service import decklists, drafting
from tournament.service.limits import Try
from tournament.service.nodes import Nodes
from tournament.service.sign_ins import Door
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed
from tournament.web.pages.me import home, number_of, own_page, shown_with
from tournament.web.texts import mark
from verifier.decklist import DecklistUnreadable

_UNREAD: Final = mark("Some lines cannot be read. Each is named below.")
router = APIRouter(prefix="/e/{event}/me/deck")
_LONGEST_NAME: Final = 255


@router.get("")
def show_deck(look: Looking, door: TheDoor, nodes: TheNodes) -> Response:
    """The list as it is, ready to be changed."""
    return _page(look, door, nodes, None)


@router.post("/check")
def check(look: Looking, door: TheDoor, nodes: TheNodes, typed: Typed) -> Response:
    """The lights of what is written now; also after a card was added or taken away. Nothing is handed in."""
    return _page(look, door, nodes, _picked(look, typed))


@router.post("")
def hand_in(look: Looking, ask: Asking, database: Db, door: TheDoor, nodes: TheNodes, typed: Typed) -> Response:
    """Hand the list in."""
    number = number_of(look)
    if number is None:
        return home(look)
    asked = forms.read(decklists.HandIn, {"entry": str(number), **_without_blank_name(typed)})
    if isinstance(asked, Form):
        return _page(look, door, nodes, Form(typed, asked.faults))
    try:
        given = decklists.hand_in(database, forms.under(ask, typed), asked)
    except DecklistUnreadable:
        return _page(look, door, nodes, Form(typed, {"decklist": _UNREAD}))
    except TournamentError as error:
        return _page(look, door, nodes, Form(typed), error)
    if not given.fact.is_legal:
        return answers.moved(look.request, f"/e/{look.event}/me/deck", "my draft")
    return answers.moved(look.request, f"/e/{look.event}/me", "my handed in")


def _without_blank_name(typed: Typed) -> dict[str, str]:
    return {name: value for name, value in typed.items() if name in {"decklist", "filename"} and value}


def _picked(look: Look, typed: Typed) -> Form:
    """The form, with a card more or fewer if a button said so."""
    card, by = (typed["more"], 1) if "more" in typed else (typed.get("fewer", ""), -1)
    if not card:
        return Form(typed)
    writing = seen(look, lambda viewer: None if viewer.player is None else own.writing_of(viewer))
    if writing is None:
        return Form(typed)
    try:
        changed = drafting.changed(typed.get("decklist", ""), writing.rules, card[:_LONGEST_NAME], by)
    except UnknownCard:
        return Form(typed)
    return Form({**typed, "decklist": changed, "filename": ""})


def _page(look: Look, door: Door, nodes: Nodes, form: Form | None, error: TournamentError | None = None) -> Response:
    writing = seen(look, lambda viewer: None if viewer.player is None else own.writing_of(viewer))
    if writing is None:
        return home(look)
    asked = form or Form({"decklist": writing.kept})
    said, status = shown_with(error, asked)
    purse = _purse(look, door, nodes, writing, is_new=asked.value("again") == "yes")
    source = asked.value("decklist")
    draft = drafting.read(source, writing.rules, filename=asked.value("filename") or None)
    values = {
        **said,
        "lists": writing.lists,
        "rules": writing.rules,
        "seen": drafting.look(draft, writing.event, purse, datetime.now(UTC).date()) if source.strip() else None,
        "found": drafting.find(asked.value("find"), writing.rules, draft, purse),
        "purse": purse,
        "asked": form is not None,
    }

    def made(_: Viewer, __: own.Readiness) -> dict[str, Any]:
        return values

    return own_page(look, "my_deck.html", made, status=status)


def _purse(look: Look, door: Door, nodes: Nodes, writing: own.Writing, *, is_new: bool) -> drafting.Purse | None:
    """What the player's wallets hold: as the chain said in the last half minute, else asked now."""
    purses: drafting.Purses = look.request.app.state.purses
    wanted = writing.wanted
    if wanted is None:
        return None
    kept = None if is_new else purses.kept(wanted)
    if kept is not None:
        return kept
    try:
        door.limits.take([Try("cards", f"{wanted.event} {wanted.entry}")], datetime.now(UTC))
    except TooManyRequests as error:
        return purses.kept(wanted) or drafting.Purse(None, None, str(error))
    return purses.read(wanted, nodes)
