"""The draft of a round: looked at, changed by hand, paired again, published."""

from collections.abc import Mapping
from typing import Any, Final

from fastapi import APIRouter, Response
from pydantic import ValidationError

from tournament.api import documents, scorekeeping
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Look, Looking
from tournament.api.scorekeeping import Drafted, Foreseen
from tournament.domain.errors import TournamentError
from tournament.errors import RequestFault, RequestUnreadable
from tournament.service import swaps
from tournament.service.commands import run
from tournament.web import answers
from tournament.web.forms import Form
from tournament.web.pages.control.frame import Acting, Hand, Problem, number_in, player_said, show
from tournament.web.paging import Named, PageNumber, page_of

router = APIRouter(prefix="/e/{event}/control/draft")
PAGE: Final = 40


@router.get("")
def show_draft(look: Looking, name: Named = "", page: PageNumber = 1) -> Response:
    """The draft; of a round that is played its tables, which can be changed where nobody has reported."""
    return _page(look, name, page)


@router.get("/swap")
def show_change(look: Looking) -> Response:
    """Whoever loads the page of a change again is at the draft."""
    return answers.moved(look.request, f"/e/{look.event}/control/draft")


@router.post("/swap")
def change_tables(hand: Acting) -> Response:
    """Two players change places, or a pairing moves: looked at first, then done."""
    try:
        change = seen(hand.look, lambda viewer: _change(viewer, hand))
        foreseen = seen(hand.look, lambda viewer: scorekeeping.foreseen_of(viewer, change))
        if hand.typed.get("do") != "change":
            return _page(hand.look, form=hand.form, foreseen=foreseen)
        run(hand.database, swaps.SWAP, hand.ask, change)
    except TournamentError as error:
        problem, status = answers.problem_in(error)
        return _page(hand.look, form=hand.form, problem=problem, status=status)
    return answers.moved(hand.look.request, f"{hand.address}/draft")


def page(look: Look, *, form: Form, problem: Problem | None = None, status: int = 200) -> Response:
    """The draft, with why a step was refused."""
    return _page(look, form=form, problem=problem, status=status)


def _page(
    look: Look,
    name: str = "",
    page: int = 1,
    *,
    form: Form | None = None,
    problem: Problem | None = None,
    foreseen: Foreseen | None = None,
    status: int = 200,
) -> Response:
    def shown(viewer: Viewer) -> dict[str, Any]:
        room = scorekeeping.room_of(viewer)
        number = room.draft or (room.now.number if room.now is not None and room.tables else None)
        if number is None:
            return {"room": room, "number": None, "listed": None, "name": name, "foreseen": None}
        listed = page_of(scorekeeping.drafted_of(viewer, number), name, page, of=_names_at, size=PAGE)
        return {
            "room": room,
            "number": number,
            "listed": listed,
            "name": name,
            "foreseen": foreseen,
            "changes": documents.changes_of(viewer, number).changes,
            "pairing": next(line.pairing for line in documents.rounds_of(viewer).rounds if line.number == number),
        }

    return show(look, "control_draft.html", shown, form=form, problem=problem, status=status)


def _change(viewer: Viewer, hand: Hand) -> swaps.Swap:
    """The change that a form asks for; `even_so` as it says, and for a look a reason is not needed."""
    typed = hand.typed
    number = number_in(typed.get("round", "")) or 0
    said: dict[str, Any] = {"swaps": [], "moves": []}
    if typed.get("table", "").strip():
        said["moves"] = [{"table": number_in(typed["table"]) or 0, "to": number_in(typed.get("to", "")) or 0}]
    else:
        said["swaps"] = [{side: _number_of(viewer, side, typed) for side in ("one", "other")}]
    reason = typed.get("reason", "") if typed.get("do") == "change" else typed.get("reason") or "-"
    try:
        return swaps.Swap(round=number, even_so=bool(typed.get("even_so")), reason=reason, **said)
    except ValidationError as error:
        faults = [RequestFault("/".join(map(str, one["loc"])), one["msg"]) for one in error.errors()]
        raise RequestUnreadable(faults) from error


def _number_of(viewer: Viewer, side: str, typed: Mapping[str, str]) -> int:
    found = player_said(viewer, typed.get(side, ""))
    if found is None:
        raise RequestUnreadable([RequestFault(side, "names nobody, or more than one player; type the number")])
    return found.number


def _names_at(line: Drafted) -> str:
    return "\n".join((str(line.table or ""), *(chair.name for chair in line.chairs)))
