"""The line of the control room: a table, a digit, Enter; and a few words of one letter."""

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Response

from tournament.api import scorekeeping
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Looking
from tournament.api.scorekeeping import Slip, Typed
from tournament.domain.roles import INSIDERS, by_rank
from tournament.errors import NotYours, RequestFault, RequestUnreadable
from tournament.service import claims, clock, cut, match_clocks, results
from tournament.service.commands import NO_NUL, Ask, Receipt, run
from tournament.web import answers
from tournament.web.forms import Form
from tournament.web.pages.control import room, steps
from tournament.web.pages.control.frame import Acting, Hand, Problem, number_in, obeyed, show

router = APIRouter(prefix="/e/{event}/control")
Line = Annotated[str, Query(max_length=60, pattern=NO_NUL)]
LONGEST = 60
_LEADS_TO = {"d": "/draft", "t": "/tables", "p": "/players", "c": "/cut", "u": "/undo", "l": "/log", "?": "?keys=1"}


@router.get("/line")
def show_meaning(look: Looking, line: Line = "") -> Response:
    """What a line means, before it is sent: who sits there, and what would be reported."""

    def shown(viewer: Viewer) -> dict[str, Any]:
        slip = scorekeeping.read_slip(viewer, line)
        is_step = slip.typed is Typed.COMMAND and slip.word == "n"
        return {"slip": slip, "next": scorekeeping.room_of(viewer).next if is_step else None}

    return show(look, "control_line.html", shown)


@router.get("/enter")
def show_line(look: Looking) -> Response:
    """Whoever loads the page of a refusal again is in the room."""
    return answers.moved(look.request, f"/e/{look.event}/control")


@router.post("/enter")
def enter(hand: Acting) -> Response:
    """Do what a line says: report a result, give time, go somewhere. What is reported already is asked about."""
    line = hand.typed.get("line", "")[:LONGEST].strip()

    def meant(viewer: Viewer) -> Slip:
        if not viewer.is_staff:
            raise NotYours("the control room", by_rank(INSIDERS))
        return scorekeeping.read_slip(viewer, line)

    slip = seen(hand.look, meant)
    if slip.typed is Typed.COMMAND and slip.word == "n":
        return steps.next_step(hand)
    if slip.fault is not None:
        return room.page(hand.look, form=Form({"line": line}), slip=slip, status=422)
    if slip.typed is Typed.RESULT and not slip.is_other:
        return obeyed(hand, lambda ask: _report(hand, ask, slip), hand.address, _again(hand, line))
    if slip.typed is Typed.TIME and slip.table is None:
        return obeyed(hand, lambda ask: _adjust(hand, ask, slip.minutes), hand.address, _again(hand, line))
    return answers.moved(hand.look.request, hand.address + _place_of(slip))


@router.post("/claims")
def accept_claims(hand: Acting) -> Response:
    """Make what one side says results, of the tables that were shown."""

    def again(problem: Problem, status: int) -> Response:
        return room.page(hand.look, form=hand.form, problem=problem, status=status)

    def accept(ask: Ask) -> Receipt:
        number = number_in(hand.typed.get("round", "")) or 0
        seen = [claim for word in hand.typed.get("claims", "").split() if (claim := number_in(word))]
        if not (number and seen):
            raise RequestUnreadable([RequestFault("claims", "names no report")])
        return run(hand.database, claims.ACCEPT, ask, claims.AcceptClaims(round=number, claims=seen))

    return obeyed(hand, accept, hand.address, again)


@router.get("/claims")
def show_claims(look: Looking) -> Response:
    """Whoever loads the page of a refusal again is in the room."""
    return answers.moved(look.request, f"/e/{look.event}/control")


def _place_of(slip: Slip) -> str:
    """Where to look at what the line names."""
    if slip.typed is Typed.COMMAND:
        return _LEADS_TO[slip.word]
    query = {"to": slip.word} if slip.typed is Typed.RESULT else {}
    if slip.typed is Typed.TIME:
        query = {"minutes": str(slip.minutes)}
    words = f"?{urlencode(query)}" if query else ""
    if slip.table is not None:
        return f"/mend/{slip.table.round}/{slip.table.number}{words}"
    return "" if slip.match is None else f"/cut/{slip.match.match}{words}"


def _again(hand: Hand, line: str) -> Any:  # noqa: ANN401 - as `obeyed` takes it
    def again(problem: Problem, status: int) -> Response:
        return room.page(hand.look, form=Form({"line": line}), problem=problem, status=status)

    return again


def _report(hand: Hand, ask: Ask, slip: Slip) -> Receipt:
    assert slip.said is not None  # noqa: S101 - a line without fault
    if slip.table is not None:
        asked = results.Report(round=slip.table.round, table=slip.table.number, games=slip.said)
        return run(hand.database, results.REPORT, ask, asked)
    assert slip.match is not None  # noqa: S101
    assert isinstance(slip.said, results.Games)  # noqa: S101 - what a match comes to
    return run(hand.database, cut.REPORT, ask, cut.Report(match=slip.match.match, games=slip.said))


def _adjust(hand: Hand, ask: Ask, minutes: int) -> Receipt:
    if steps.is_in_cut(hand):
        return run(hand.database, match_clocks.ADJUST, ask, match_clocks.AdjustMatches(seconds=60 * minutes))
    return run(hand.database, clock.ADJUST, ask, clock.Adjust(seconds=60 * minutes))
