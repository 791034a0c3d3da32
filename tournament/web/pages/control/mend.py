"""A table of a round: a wrong result put right with what that comes to, and more time for it."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from tournament.api import documents, scorekeeping
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Look, Looking
from tournament.domain.errors import TournamentError
from tournament.domain.lifecycle import Phase
from tournament.errors import RequestFault, RequestUnreadable
from tournament.service import claims, clock, repairs, results
from tournament.service.commands import NO_NUL, Ask, Receipt, WithReason, run
from tournament.service.entries import MOST_NUMBER
from tournament.service.results import Games, TablePlaces
from tournament.web import answers
from tournament.web.forms import Form
from tournament.web.pages.control.frame import Acting, Hand, Problem, asked, number_in, obeyed, show

router = APIRouter(prefix="/e/{event}/control/mend/{number}/{table}")
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]
TableNumber = Annotated[int, Path(ge=1, le=MOST_NUMBER)]
Words = Annotated[str, Query(max_length=60, pattern=NO_NUL)]
Tables = Annotated[str, Query(max_length=1000, pattern=NO_NUL)]


@router.get("")
def show_table(
    look: Looking, number: Number, table: TableNumber, to: Words = "", playing: Tables = "", minutes: Words = ""
) -> Response:
    """The table; with `to` what it should have been, the ways to go on."""
    return _page(look, number, table, Form({"to": to, "playing": playing, "minutes": minutes}))


@router.post("")
def put_right(hand: Acting, number: Number, table: TableNumber) -> Response:
    """Report the table, or put its result right, with or without other tables that change."""
    to = f"{hand.address}/mend/{number}/{table}" if hand.typed.get("stay") else hand.address
    return obeyed(hand, lambda ask: _put(hand, ask, number, table), to, _again(hand, number, table))


@router.post("/time")
def give_time(hand: Acting, number: Number, table: TableNumber) -> Response:
    """More time for the table, or less."""

    def extend(ask: Ask) -> Receipt:
        return run(hand.database, clock.EXTEND, ask, asked(clock.Extend, {**hand.typed, "table": str(table)}))

    return obeyed(hand, extend, hand.address, _again(hand, number, table))


@router.get("/time")
def show_again(look: Looking, number: Number, table: TableNumber) -> Response:
    """Whoever loads the page of a refusal again is at the table."""
    return answers.moved(look.request, f"/e/{look.event}/control/mend/{number}/{table}")


def _put(hand: Hand, ask: Ask, number: int, table: int) -> Receipt:
    shown = seen(hand.look, lambda viewer: scorekeeping.table_of(viewer, number, table))
    games = seen(hand.look, lambda viewer: scorekeeping.result_said(viewer, shown, hand.typed.get("to", "")))
    if games is None:
        raise RequestUnreadable([RequestFault("to", "is no result of this event")])
    reason = hand.typed.get("reason", "")
    report = results.Report(round=number, table=table, games=games, reason=reason)
    if shown.result is None and shown.is_disputed:
        settled = asked(_Why, {"reason": reason})
        decision = claims.SettleClaims(round=number, table=table, games=games, reason=settled.reason)
        return run(hand.database, claims.SETTLE, ask, decision)
    if shown.result is None:
        return run(hand.database, results.REPORT, ask, report)
    if not hand.typed.get("option"):
        return run(hand.database, results.CORRECT, ask, report)
    wrong = repairs.Correction(round=number, table=table, games=games)
    mistake = repairs.Repair(
        correct=wrong, playing=_tables(hand.typed.get("playing", "")), option=hand.typed["option"][:64], reason=reason
    )
    return run(hand.database, repairs.REPAIR, ask, mistake)


class _Why(WithReason):
    """Why a disagreement is decided so."""


def _again(hand: Hand, number: int, table: int) -> Any:  # noqa: ANN401 - as `obeyed` takes it
    def again(problem: Problem, status: int) -> Response:
        return _page(hand.look, number, table, hand.form, problem, status)

    return again


def _page(
    look: Look, number: int, table: int, form: Form, problem: Problem | None = None, status: int = 200
) -> Response:
    def shown(viewer: Viewer) -> dict[str, Any]:
        found = scorekeeping.table_of(viewer, number, table)
        said = scorekeeping.result_said(viewer, found, form.value("to")) if form.value("to") else None
        ways, wrong = _ways(viewer, found, said, form.value("playing"))
        rounds = documents.rounds_of(viewer).rounds
        return {
            "table": found,
            "right": said,
            "ways": ways,
            "wrong": wrong,
            "legend": scorekeeping.legend_of(viewer),
            "is_running": viewer.event.phase == Phase.ROUND,
            "draft": next((line.number for line in rounds if line.published_at is None), None),
        }

    return show(look, "control_mend.html", shown, form=form, problem=problem, status=status)


def _ways(
    viewer: Viewer, table: scorekeeping.Table, said: Games | TablePlaces | None, playing: str
) -> tuple[scorekeeping.Ways | None, Problem | None]:
    """Ways to go on, if it is to be corrected; or why there are none."""
    if said is None or table.result is None or said == table.result:
        return None, None
    wrong = repairs.Correction(round=table.round, table=table.number, games=said)
    try:
        return scorekeeping.ways_of(viewer, repairs.Mistake(correct=wrong, playing=_tables(playing))), None
    except TournamentError as error:
        return None, answers.problem_in(error)[0]


def _tables(said: str) -> list[int]:
    """Numbers of tables as somebody typed them; what is none is left out."""
    return [number for word in said.replace(",", " ").split() if (number := number_in(word))]
