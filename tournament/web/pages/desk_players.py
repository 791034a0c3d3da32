"""A player at the desk: who it is, what is missing, and what the desk does about it."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Response

from tournament.api import desk_documents
from tournament.api.answers import Viewer
from tournament.api.deps import Asking, Db, Looking
from tournament.domain.errors import TournamentError
from tournament.service import checkin, decklists, entries, passes, registrations, scans
from tournament.service.commands import Ask, Kind, run
from tournament.service.entries import MOST_NUMBER, Leave
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed
from tournament.web.pages.desk import desk_of, shown
from tournament.web.texts import mark
from verifier.decklist import DecklistUnreadable

router = APIRouter(prefix="/e/{event}/desk")
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]
_STEPS: Final[Mapping[str, tuple[Kind[Any, Any], str]]] = {
    "check-in": (checkin.CHECK_IN, "desk-checked-in"),
    "check-out": (checkin.CHECK_OUT, "desk-checked-out"),
    "drop": (entries.DROP, "desk-dropped"),
    "return": (entries.RETURN, "desk-returned"),
    "promote": (entries.PROMOTE, "desk-promoted"),
    "recode": (registrations.RECODE, "desk-recoded"),
}
"""What is done to a player by one click, and what is said then."""


# --- entering ---------------------------------------------------------------------------------------------------------


@router.get("/new")
def show_new(look: Looking) -> Response:
    """The form by which a player is entered on the spot."""
    return shown(look, "desk_new.html", lambda _: {"form": Form({"here": "yes"}), "namesakes": []})


@router.post("/new")
def enter(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Enter a player, and check the player in if that is wanted; asks again if somebody has that name."""
    asked = forms.read(entries.Add, typed)
    if isinstance(asked, Form):
        return _new(look, asked)
    if not typed.get("even_so"):
        found: list[int] = []

        def same(viewer: Viewer) -> Mapping[str, object]:
            namesakes = desk_documents.namesakes_of(viewer, asked.name)
            found.extend(row.number for row in namesakes)
            return {"form": Form(typed), "namesakes": namesakes}

        page = shown(look, "desk_new.html", same, status=409)
        if found:
            return page
    try:
        added = json.loads(run(database, entries.ADD, forms.under(ask, typed), asked).body)["fact"]
        number = int(added["entry"])
        if typed.get("here"):
            _check_in_if_possible(ask, database, typed, number)
    except TournamentError as error:
        return _new(look, Form(typed), error)
    said = "desk-entered-waiting" if added["waiting"] else "desk-entered"
    return answers.moved(look.request, _address(look, number), said, name=asked.name, number=number)


def _check_in_if_possible(ask: Ask, database: Db, typed: Mapping[str, str], number: int) -> None:
    if desk_documents.checks_in(database, ask.event):
        run(database, checkin.CHECK_IN, forms.under(ask, typed, "/here"), Leave(entry=number))


def _new(look: Looking, form: Form, error: TournamentError | None = None) -> Response:
    problem, status = answers.problem_in(error) if error else (None, 422)
    values = {"form": form, "namesakes": [], "problem": problem}
    return shown(look, "desk_new.html", lambda _: values, status=status)


# --- one player -------------------------------------------------------------------------------------------------------


@router.get("/players/{number}")
def show_player(look: Looking, number: Number) -> Response:
    """All that the desk knows of a player, and what it may do."""
    return _player(look, number)


@router.get("/players/{number}/pass")
def show_pass(look: Looking, number: Number) -> Response:
    """A pass, to be printed or shown."""
    return shown(look, "desk_pass.html", lambda viewer: {"line": desk_documents.pass_of(viewer, number)})


@router.get("/players/{number}/code")
def show_code(look: Looking, number: Number) -> Response:
    """The code that a player lost, to be printed or read aloud."""
    return shown(look, "desk_code.html", lambda viewer: {"given": desk_documents.code_of(viewer, number)})


@router.get("/players/{number}/deck")
def show_deck_form(look: Looking, number: Number) -> Response:
    """The form by which the desk hands in a list."""
    return _deck(look, number, Form())


@router.post("/players/{number}/deck")
def hand_in(look: Looking, ask: Asking, database: Db, typed: Typed, number: Number) -> Response:
    """Hand in a player's list; what is wrong with it is told line by line."""
    asked = forms.read(decklists.HandIn, {"decklist": typed.get("decklist", ""), "entry": str(number)})
    if isinstance(asked, Form):
        return _deck(look, number, asked, status=422)
    try:
        found = decklists.hand_in(database, forms.under(ask, typed), asked)
    except DecklistUnreadable as error:
        return _deck(look, number, Form(typed, {"decklist": "\n".join(map(str, error.faults))}), status=422)
    except TournamentError as error:
        return _deck(look, number, Form(typed), error)
    if found.violations:
        faults = {"decklist": "\n".join(one.message for one in found.violations)}
        return _deck(look, number, Form(typed, faults), status=422, is_draft=True)
    return answers.moved(look.request, _address(look, number), "desk-listed")


@router.post("/players/{number}/edit")
def edit(look: Looking, ask: Asking, database: Db, typed: Typed, number: Number) -> Response:
    """Correct a name, give a fixed table or take it away."""
    read = forms.read(entries.Corrections, typed)
    if isinstance(read, Form):
        return _player(look, number, read, status=422)
    said = {"entry": number, "fixed_table": read.fixed_table} | ({"name": read.name} if read.name else {})
    try:
        run(database, entries.EDIT, forms.under(ask, typed), entries.Edit.model_validate(said))
    except TournamentError as error:
        return _player(look, number, Form(typed), error)
    return answers.moved(look.request, _address(look, number), "desk-corrected")


@router.post("/players/{number}/give-pass")
def give_pass(look: Looking, ask: Asking, database: Db, typed: Typed, number: Number) -> Response:
    """Make a pass, or another one for a player who lost it, and show it."""
    asked = passes.Issue(entry=number, anew=bool(typed.get("anew")))
    try:
        run(database, passes.ISSUE, forms.under(ask, typed), asked)
    except TournamentError as error:
        return _player(look, number, error=error)
    return answers.moved(look.request, f"{_address(look, number)}/pass")


@router.post("/players/{number}/revoke-pass")
def revoke_pass(look: Looking, ask: Asking, database: Db, typed: Typed, number: Number) -> Response:
    """Make a player's pass worthless, and say why."""
    asked = forms.read(passes.About, {**typed, "entry": str(number)})
    if isinstance(asked, Form):
        return _player(look, number, Form(typed, {"reason": mark("Say why.")}), status=422)
    try:
        run(database, passes.REVOKE, forms.under(ask, typed), asked)
    except TournamentError as error:
        return _player(look, number, Form(typed), error)
    return answers.moved(look.request, _address(look, number), "desk-revoked")


@router.post("/players/{number}/settle")
def settle(look: Looking, ask: Asking, database: Db, typed: Typed, number: Number) -> Response:
    """Say why a player came in more than once, and go back to the desk."""
    asked = forms.read(scans.Settle, {**typed, "entry": str(number)})
    if isinstance(asked, Form):
        values = {"settling": number, "form": Form(typed, {"reason": mark("Say why.")})}
        return shown(look, "desk.html", lambda viewer: desk_of(viewer, "") | values, status=422)
    try:
        run(database, scans.SETTLE, forms.under(ask, typed), asked)
    except TournamentError as error:
        return _player(look, number, Form(typed), error)
    return answers.moved(look.request, f"/e/{look.event}/desk", "desk-settled")


@router.post("/missing")
def check_in_missing(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Check in whoever's button of the list was clicked."""
    asked = forms.read(Leave, typed)
    if isinstance(asked, Form):
        return answers.moved(look.request, f"/e/{look.event}/desk/missing")
    return take_step(look, ask, database, {**typed, "back": "missing"}, asked.entry, "check-in")


@router.post("/players/{number}/{step}")
def take_step(look: Looking, ask: Asking, database: Db, typed: Typed, number: Number, step: str) -> Response:
    """What one click does to a player. Then the page is shown from which it was clicked."""
    if step not in _STEPS:
        return answers.moved(look.request, _address(look, number))
    kind, said = _STEPS[step]
    try:
        run(database, kind, forms.under(ask, typed, f"/{step}/{number}"), kind.arguments(entry=number))
    except TournamentError as error:
        return _player(look, number, error=error)
    back = {"desk": f"/e/{look.event}/desk", "missing": f"/e/{look.event}/desk/missing"}
    to = back.get(typed.get("back", ""), _address(look, number))
    return answers.moved(look.request, to, said, name=typed.get("name", "")[:100], number=number)


def _player(
    look: Looking, number: int, form: Form | None = None, error: TournamentError | None = None, *, status: int = 200
) -> Response:
    problem, status = answers.problem_in(error) if error else (None, status)

    def made(viewer: Viewer) -> dict[str, object]:
        guest = desk_documents.guest_of(viewer, number)
        fields = {"name": guest.entry.name, "fixed_table": str(guest.entry.fixed_table or "")}
        return {
            "guest": guest,
            "form": form if form is not None and form.typed.get("name") else Form(fields, form.faults if form else {}),
            "problem": problem,
            "gives_passes": desk_documents.gives_passes(viewer),
        }

    return shown(look, "desk_player.html", made, status=status)


def _deck(
    look: Looking,
    number: int,
    form: Form,
    error: TournamentError | None = None,
    *,
    status: int = 200,
    is_draft: bool = False,
) -> Response:
    problem, status = answers.problem_in(error) if error else (None, status)

    def made(viewer: Viewer) -> dict[str, object]:
        guest = desk_documents.guest_of(viewer, number)
        return {"guest": guest, "form": form, "problem": problem, "is_draft": is_draft}

    return shown(look, "desk_deck.html", made, status=status)


def _address(look: Looking, number: int) -> str:
    return f"/e/{look.event}/desk/players/{number}"
