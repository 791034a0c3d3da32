"""Who plays: a roster read in, entries corrected, byes, kept-apart pairs, one person twice, the waiting list, lists."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Response

from tournament.api import organizing
from tournament.api.answers import Viewer
from tournament.api.deps import Asking, Db, Looking
from tournament.domain.errors import TournamentError
from tournament.errors import PathNotFound
from tournament.service import apart, decklists, entries, merging, privacy, rosters
from tournament.service.commands import Ask, Kind, run
from tournament.service.entries import MOST_NUMBER
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed
from tournament.web.pages.organizer.room import obeyed, page
from tournament.web.paging import Named, PageNumber, page_of
from verifier.decklist.fold import fold

router = APIRouter(prefix="/e/{event}/organize/players")
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]
STATES: Final = ("in", "waiting", "left", "no list")
Obey = Callable[[Db, Ask, Mapping[str, str]], object]


@router.get("")
def show_players(
    look: Looking,
    name: Named = "",
    page: PageNumber = 1,
    state: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Everybody by name, or those of one kind; who may be one person twice, and who is kept apart."""
    return _list(look, name=name, number=page, state=state)


@router.get("/apart")
def show_again(look: Looking) -> Response:
    """Whoever loads the page of a refusal again is at the list."""
    return answers.moved(look.request, f"/e/{look.event}/organize/players")


@router.post("/apart")
def keep_apart(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Keep two players apart, or let them meet again."""
    kind = apart.REMOVE if typed.get("do") == "remove" else apart.ADD
    asked = forms.read(apart.PairApart, typed)
    if isinstance(asked, Form):
        return _list(look, form=asked)
    try:
        run(database, kind, forms.under(ask, typed), asked)
    except TournamentError as error:
        return _list(look, form=Form(typed), error=error)
    return answers.moved(look.request, f"/e/{look.event}/organize/players#apart", "done")


def _list(
    look: Looking,
    *,
    name: str = "",
    number: int = 1,
    state: str = "",
    form: Form | None = None,
    error: TournamentError | None = None,
) -> Response:
    def shown(viewer: Viewer) -> dict[str, object]:
        everybody = organizing.participants(viewer)
        chosen = [one for one in everybody if _is_of(one, state)]
        in_order = (
            sorted(chosen, key=lambda one: one.place_in_line or 0)
            if state == "waiting"
            else sorted(chosen, key=lambda one: (fold(one.name), one.number))
        )
        return {
            "listed": page_of(in_order, name, number, of=lambda one: one.name),
            "counts": {kind: sum(_is_of(one, kind) for one in everybody) for kind in STATES},
            "state": state,
            "name": name,
            "alike": organizing.alike_groups(viewer),
            "pairs": organizing.kept_apart(viewer),
        }

    return page(look, "organize_players.html", shown, form=form, error=error)


def _is_of(one: organizing.Participant, state: str) -> bool:
    match state:
        case "no list":
            return one.state == "in" and one.deck not in {"legal", "waived"}
        case "":
            return one.state != "merged"
        case _:
            return one.state == state


# --- a roster ---------------------------------------------------------------------------------------------------------


@router.get("/roster")
def show_roster(look: Looking) -> Response:
    """The form for a table of players."""
    return _roster(look, Form({"key": forms.new_key()}))


@router.post("/roster")
def enter_roster(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Say what entering the table would come to, or enter everybody of it."""
    content = typed.get("table", "").encode()
    duplicates: rosters.Duplicates = "accept" if typed.get("duplicates") == "yes" else "refuse"
    form = Form(typed)
    if typed.get("do") != "enter":
        return _roster(look, form, content=content, duplicates=duplicates)
    try:
        given = rosters.enter(database, forms.under(ask, typed), content, duplicates, reason="")
    except TournamentError as error:
        return _roster(look, form, error, content=content, duplicates=duplicates)
    players = len(organizing.fact_of(given)["players"])
    return answers.moved(look.request, f"/e/{look.event}/organize/players", "rostered", players=players)


def _roster(
    look: Looking,
    form: Form,
    error: TournamentError | None = None,
    *,
    content: bytes | None = None,
    duplicates: rosters.Duplicates = "refuse",
) -> Response:
    def shown(viewer: Viewer) -> dict[str, object]:
        found = None if content is None else organizing.foreseen(viewer, content, duplicates)
        return {"found": found, "most_shown": _MOST_SHOWN}

    return page(look, "organize_roster.html", shown, form=form, error=error)


_MOST_SHOWN: Final = 50
"""Lines of a preview, and faults."""


# --- one player -------------------------------------------------------------------------------------------------------


def _about(kind: Kind[Any, Any]) -> Obey:
    return lambda database, ask, typed: obeyed(database, kind, ask, typed)


def _edit(database: Db, ask: Ask, typed: Mapping[str, str]) -> object:
    asked = forms.read(entries.Edit, typed)
    if isinstance(asked, Form):
        return asked
    said: dict[str, Any] = {"entry": asked.entry, "name": asked.name, "fixed_table": asked.fixed_table}
    if "awarded_byes" in typed:
        said["awarded_byes"] = asked.awarded_byes or 0
    return run(database, entries.EDIT, ask, entries.Edit(**said))


def _erase_lists(database: Db, ask: Ask, typed: Mapping[str, str]) -> object:
    asked = forms.read(privacy.EraseLists, typed)
    return asked if isinstance(asked, Form) else privacy.erase_lists(database, ask, asked)


def _erase(database: Db, ask: Ask, typed: Mapping[str, str]) -> object:
    asked = forms.read(privacy.Erase, typed)
    return asked if isinstance(asked, Form) else privacy.erase(database, ask, asked)


STEPS: Final[Mapping[str, Obey]] = {
    "edit": _edit,
    "promote": _about(entries.PROMOTE),
    "withdraw": _about(entries.DROP),
    "return": _about(entries.RETURN),
    "merge": _about(merging.MERGE),
    "unlock": _about(decklists.UNLOCK),
    "lock": _about(decklists.LOCK),
    "waive": _about(decklists.WAIVE),
    "require": _about(decklists.REQUIRE),
    "erase": _erase,
    "erase-lists": _erase_lists,
}
"""By the word in the address."""


@router.get("/{number}")
def show_player(look: Looking, number: Number) -> Response:
    """A player, and what may be done about the entry."""
    return _player(look, number)


@router.post("/{number}/do/{step}")
def make_step(look: Looking, ask: Asking, database: Db, typed: Typed, number: Number, step: str) -> Response:
    """Do something about an entry."""
    if step not in STEPS:
        raise PathNotFound(look.request.url.path)
    try:
        given = STEPS[step](database, forms.under(ask, typed), {**typed, "entry": str(number)})
    except TournamentError as error:
        return _player(look, number, Form(typed), error)
    if isinstance(given, Form):
        return _player(look, number, given)
    return answers.moved(look.request, f"/e/{look.event}/organize/players/{number}", "done")


def _player(look: Looking, number: int, form: Form | None = None, error: TournamentError | None = None) -> Response:
    def shown(viewer: Viewer) -> dict[str, object]:
        one = organizing.participant(viewer, number)
        now = {"name": one.name, "fixed_table": str(one.fixed_table or ""), "awarded_byes": str(one.awarded_byes)}
        return {"one": one, "form": Form({**now, **form.typed}, form.faults) if form else Form(now)}

    return page(look, "organize_player.html", shown, form=form, error=error)
