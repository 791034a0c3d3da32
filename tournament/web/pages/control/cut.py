"""The cut: looked at before it starts, played, corrected, left."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field

from tournament.api import documents, scorekeeping
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Look, Looking
from tournament.api.schemas import CutMatch
from tournament.domain.bracket import Leaving
from tournament.domain.errors import TournamentError
from tournament.domain.lifecycle import Phase
from tournament.domain.slips import read_result
from tournament.errors import RequestFault, RequestUnreadable
from tournament.service import cut, match_clocks, results
from tournament.service.commands import NO_NUL, Arguments, Ask, Receipt, run
from tournament.service.entries import MOST_NUMBER
from tournament.service.results import Games
from tournament.web import answers
from tournament.web.forms import Form
from tournament.web.pages.control.frame import Acting, Hand, Problem, asked, obeyed, show
from tournament.web.picture import draw

router = APIRouter(prefix="/e/{event}/control/cut")
MatchName = Annotated[str, Path(min_length=1, max_length=20)]
LineNumber = Annotated[int, Path(ge=1, le=MOST_NUMBER)]
Words = Annotated[str, Query(max_length=60, pattern=NO_NUL)]
LINES: Final = 40


@router.get("")
def show_cut(look: Looking, top: Words = "", points: Words = "", *, with_ties: bool = False) -> Response:
    """The cut; before it starts who would be in it."""
    typed = {"top": top, "points": points, "with_ties": "1" if with_ties else ""}
    return page(look, form=Form(typed))


@router.post("/leave")
def leave(hand: Acting) -> Response:
    """Somebody drops out of the cut, or is disqualified: the opponent advances."""

    def act(ask: Ask) -> Receipt:
        said = asked(_Leaves, hand.typed)
        gone = cut.Leave(players=[said.player], why=said.why, reason=said.reason)
        return run(hand.database, cut.LEAVE, ask, gone)

    return obeyed(hand, act, f"{hand.address}/cut", lambda problem, status: _refused(hand, problem, status))


@router.get("/leave")
def show_again(look: Looking) -> Response:
    """Whoever loads the page of a refusal again is at the cut."""
    return answers.moved(look.request, f"/e/{look.event}/control/cut")


@router.get("/lines/{line}")
def show_line(look: Looking, line: LineNumber) -> Response:
    """What taking a line of the bracket back would do."""

    def shown(viewer: Viewer) -> dict[str, Any]:
        found = documents.cut_of(viewer)
        return {
            "line": next((one for one in found.lines if one.line == line), None),
            "seen": scorekeeping.taking_back_of(viewer, line),
            **_names(viewer),
        }

    return show(look, "control_cut_line.html", shown)


@router.post("/lines/{line}")
def take_back(hand: Acting, line: LineNumber) -> Response:
    """Take a line of the bracket back."""

    def act(ask: Ask) -> Receipt:
        return run(hand.database, cut.TAKE_BACK, ask, asked(cut.TakeBack, {**hand.typed, "line": str(line)}))

    return obeyed(hand, act, f"{hand.address}/cut", lambda problem, status: _refused(hand, problem, status))


@router.get("/{match}")
def show_match(look: Looking, match: MatchName, to: Words = "", minutes: Words = "") -> Response:
    """A match; with `to` what a correction would do to others."""
    return _page_of_match(look, match, Form({"to": to, "minutes": minutes}))


@router.post("/{match}")
def put_result(hand: Acting, match: MatchName) -> Response:
    """Report a match, or put its result right."""

    def again(problem: Problem, status: int) -> Response:
        return _page_of_match(hand.look, match, hand.form, problem, status)

    return obeyed(hand, lambda ask: _put(hand, ask, match), f"{hand.address}/cut", again)


@router.post("/{match}/time")
def give_time(hand: Acting, match: MatchName) -> Response:
    """More time for a match, or less."""

    def again(problem: Problem, status: int) -> Response:
        return _page_of_match(hand.look, match, hand.form, problem, status)

    def act(ask: Ask) -> Receipt:
        said = {**hand.typed, "match": match}
        return run(hand.database, match_clocks.EXTEND, ask, asked(match_clocks.ExtendMatch, said))

    return obeyed(hand, act, f"{hand.address}/cut", again)


class _Leaves(Arguments):
    """Who leaves, and how."""

    player: int = Field(ge=1, le=MOST_NUMBER)
    why: Leaving = Leaving.DROPPED


def page(look: Look, *, form: Form, problem: Problem | None = None, status: int = 200) -> Response:
    """The cut, or who would be in it."""

    def shown(viewer: Viewer) -> dict[str, Any]:
        names = _names(viewer)
        room = scorekeeping.room_of(viewer)
        if room.cut is not None:
            return {
                "room": room,
                "cut": room.cut,
                "picture": draw(room.cut),
                "foreseen": None,
                "legend": scorekeeping.legend_of(viewer, room.cut.best_of),
                "lines": list(reversed(room.cut.lines))[:LINES],
                **names,
            }
        foreseen, wrong = _foreseen(viewer, form)
        return {"room": room, "cut": None, "foreseen": foreseen, "wrong": wrong, **names}

    return show(look, "control_cut.html", shown, form=form, problem=problem, status=status)


def _foreseen(viewer: Viewer, form: Form) -> tuple[Any, Problem | None]:
    """Who would be in, if it may start."""
    if viewer.event.phase not in {Phase.CHECK_IN, Phase.BETWEEN_ROUNDS}:
        return None, None
    try:
        return scorekeeping.seeds_of(viewer, asked(cut.Choice, _choice(form))), None
    except TournamentError as error:
        return None, answers.problem_in(error)[0]


def _choice(form: Form) -> dict[str, str]:
    return {name: form.value(name) for name in ("top", "points", "with_ties") if form.value(name)}


def _page_of_match(look: Look, name: str, form: Form, problem: Problem | None = None, status: int = 200) -> Response:
    def shown(viewer: Viewer) -> dict[str, Any]:
        match, best_of = _match(viewer, name)
        said = _said(form.value("to"), best_of)
        effects, wrong = _effects(viewer, match, said)
        return {
            "match": match,
            "right": said,
            "effects": effects,
            "wrong": wrong,
            "legend": scorekeeping.legend_of(viewer, best_of),
            **_names(viewer),
        }

    return show(look, "control_match.html", shown, form=form, problem=problem, status=status)


def _effects(viewer: Viewer, match: CutMatch, said: Games | None) -> tuple[cut.Seen | None, Problem | None]:
    if said is None or match.outcome is None or match.outcome.result in {None, said}:
        return None, None
    try:
        return scorekeeping.correction_of(viewer, cut.Report(match=match.match, games=said)), None
    except TournamentError as error:
        return None, answers.problem_in(error)[0]


def _match(viewer: Viewer, name: str) -> tuple[CutMatch, int]:
    found = documents.cut_of(viewer)
    match = next((one for one in found.matches if one.match == name), None)
    if match is None:
        raise RequestUnreadable([RequestFault("path/match", "is no match of this cut")])
    return match, found.best_of


def _said(words: str, best_of: int) -> Games | None:
    result = read_result(words.split(), best_of)
    return None if result is None else results.games_of(result)


def _put(hand: Hand, ask: Ask, name: str) -> Receipt:
    match, best_of = seen(hand.look, lambda viewer: _match(viewer, name))
    games = _said(hand.typed.get("to", ""), best_of)
    if games is None:
        raise RequestUnreadable([RequestFault("to", "is no result of this event")])
    report = cut.Report(match=name, games=games, reason=hand.typed.get("reason", ""))
    if match.outcome is None or match.outcome.result is None:
        return run(hand.database, cut.REPORT, ask, report)
    right = cut.Correct(**dict(report), seen=hand.typed.get("seen", "")[:64])
    return run(hand.database, cut.CORRECT, ask, right)


def _refused(hand: Hand, problem: Problem, status: int) -> Response:
    return page(hand.look, form=hand.form, problem=problem, status=status)


def _names(viewer: Viewer) -> dict[str, Any]:
    return {"names": {one.number: one.name for one in documents.players_of(viewer).values()}}
