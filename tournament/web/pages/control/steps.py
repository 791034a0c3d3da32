"""Steps of an event: what leads from one phase to the next, and the clock."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from fastapi import APIRouter, Response
from pydantic import Field

from tournament.api import scorekeeping
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Looking
from tournament.api.scorekeeping import Step
from tournament.domain.errors import TournamentError
from tournament.domain.lifecycle import Phase
from tournament.errors import PathNotFound
from tournament.service import (
    announcing,
    checkin,
    clock,
    cut,
    cut_rounds,
    events,
    manifests,
    match_clocks,
    openings,
    rounds,
)
from tournament.service.commands import Arguments, Ask, Kind, Nothing, Receipt, run
from tournament.web import answers
from tournament.web.pages.control import cut as cut_page
from tournament.web.pages.control import draft, room
from tournament.web.pages.control.frame import Acting, Hand, Problem, asked, number_in, obeyed
from verifier.errors import BlockNotYet

router = APIRouter(prefix="/e/{event}/control")


MOST_WAITED: Final = 10.0
"""Seconds that a step waits by itself for a block to be settled: whoever pairs and publishes at once is no stranger."""


class _Minutes(Arguments):
    """More time, or less."""

    minutes: int = Field(ge=-rounds.MOST_MINUTES, le=rounds.MOST_MINUTES)


def _simply(kind: Kind[Any, Any]) -> Callable[[Hand, Ask], Receipt]:
    """A command that is asked with its arguments as they are typed."""
    return lambda hand, ask: run(hand.database, kind, ask, asked(kind.arguments, hand.typed))


def _open(hand: Hand, ask: Ask) -> Receipt:
    return manifests.open_registration(hand.database, ask, asked(Nothing, hand.typed), hand.nodes)


def _pair(hand: Hand, ask: Ask) -> Receipt:
    said = asked(rounds.Pair, {name: value for name, value in hand.typed.items() if name != "seeds"})
    seeds = [number_in(word) or 0 for word in hand.typed.get("seeds", "").replace(",", " ").split()]
    return openings.pair(hand.database, ask, said.model_copy(update={"seeds": seeds[: announcing.MOST_PLAYERS]}))


def _seat_and_pair(hand: Hand, ask: Ask) -> Receipt:
    run(hand.database, checkin.SEAT_ALL, replace(ask, command=f"{ask.command}~seated"), checkin.SeatAll())
    return _pair(hand, replace(ask, expected=None))


def patient(step: Callable[[Hand, Ask], Receipt]) -> Callable[[Hand, Ask], Receipt]:
    """A step that looks at cards, and waits for the block where they are looked at if that takes seconds only."""

    def stepped(hand: Hand, ask: Ask) -> Receipt:
        until = time.time() + MOST_WAITED
        while True:
            try:
                return step(hand, ask)
            except BlockNotYet as error:
                now = time.time()
                again = max(float(error.expected), now) + 1
                if again > until:
                    raise
                time.sleep(again - now)

    return stepped


def _publish(hand: Hand, ask: Ask) -> Receipt:
    said = {**hand.typed, "start_clock": "false" if hand.typed.get("hold") else "true"}
    return openings.publish(hand.database, ask, asked(rounds.Publish, said), hand.nodes)


def _start_cut(hand: Hand, ask: Ask) -> Receipt:
    return openings.start_cut(hand.database, ask, asked(cut.StartCut, hand.typed), hand.nodes)


def _begin_cut_round(hand: Hand, ask: Ask) -> Receipt:
    return openings.begin_cut_round(hand.database, ask, asked(cut_rounds.BeginCutRound, hand.typed), hand.nodes)


def _adjust(kind: Kind[Any, Any]) -> Callable[[Hand, Ask], Receipt]:
    def adjust(hand: Hand, ask: Ask) -> Receipt:
        said = asked(_Minutes, hand.typed)
        return run(hand.database, kind, ask, kind.arguments(seconds=60 * said.minutes, reason=said.reason))

    return adjust


_STEPS: Final[Mapping[str, Callable[[Hand, Ask], Receipt]]] = {
    "open-registration": _open,
    "close-registration": _simply(events.CLOSE),
    "reopen-registration": _simply(events.REOPEN),
    "seat-and-pair": _seat_and_pair,
    "pair": _pair,
    "close-and-pair": _pair,
    "publish": patient(_publish),
    "close-the-round": _simply(rounds.CLOSE),
    "reopen-round": _simply(rounds.REOPEN),
    "start-cut": patient(_start_cut),
    "begin-a-round-of-the-cut": patient(_begin_cut_round),
    "redraw": _simply(cut.REDRAW),
    "finish": _simply(events.FINISH),
    "void": _simply(events.VOID),
    "start-the-clock": _simply(clock.START),
    "clock-pause": _simply(clock.PAUSE),
    "clock-resume": _simply(clock.RESUME),
    "clock-adjust": _adjust(clock.ADJUST),
    "matches-start": _simply(match_clocks.START),
    "matches-pause": _simply(match_clocks.PAUSE),
    "matches-resume": _simply(match_clocks.RESUME),
    "matches-adjust": _adjust(match_clocks.ADJUST),
}
_LEADS_TO: Final = {
    "pair": "/draft",
    "close-and-pair": "/draft",
    "seat-and-pair": "/draft",
}
_TO_LOOK_AT: Final[Mapping[Step, str]] = {Step.PUBLISH: "/draft", Step.CUT: "/cut"}
"""What is not done without a look."""


@router.get("/step/{what}")
def show_step(look: Looking, what: str) -> Response:
    """Whoever loads the page of a refusal again is in the room."""
    return answers.moved(look.request, f"/e/{look.event}/control{_LEADS_TO.get(what, '')}")


@router.post("/step/{what}")
def take_step(hand: Acting, what: str) -> Response:
    """Give one of the commands that move an event on, or its clock."""
    if what not in _STEPS:
        raise PathNotFound(hand.look.request.url.path)
    return _take(hand, what)


def next_step(hand: Hand) -> Response:
    """What usually comes next: it is done, or shown where it is to be looked at first.

    If something else comes next than the page said, nothing is done, and the page says what.
    """
    following = seen(hand.look, lambda viewer: scorekeeping.room_of(viewer).next)
    if hand.typed.get("next", "") not in {"", f"{following.step} {following.round}"}:
        return answers.moved(hand.look.request, hand.address)
    if following.step in _TO_LOOK_AT:
        return answers.moved(hand.look.request, hand.address + _TO_LOOK_AT[following.step])
    what = following.step.replace(" ", "-")
    return _take(hand, what) if what in _STEPS else answers.moved(hand.look.request, hand.address)


def is_in_cut(hand: Hand) -> bool:
    """Whether the clocks are those of matches."""

    def found(viewer: Viewer) -> bool:
        return viewer.event.phase == Phase.CUT

    return seen(hand.look, found)


def _take(hand: Hand, what: str) -> Response:
    def again(problem: Problem, status: int) -> Response:
        shown = {"draft": draft.page, "cut": cut_page.page}.get(hand.typed.get("at", ""), room.page)
        try:
            return shown(hand.look, form=hand.form, problem={**problem, "step": what}, status=status)
        except TournamentError:  # what it stood on is not there any more
            return room.page(hand.look, form=hand.form, problem={**problem, "step": what}, status=status)

    is_clock = what.startswith("matches-") and hand.typed.get("at") == "cut"
    to = hand.address + ("/cut" if is_clock else _LEADS_TO.get(what, ""))
    return obeyed(hand, lambda ask: _STEPS[what](hand, ask), to, again)
