"""What an event announces: its words, what may still be changed in which phase, what does not fit together.

One table (`CHANGEABLE`) answers "may I?" for an edit and for the document that shows the event. What hangs on rows
besides (a capacity below the players who entered, rounds below those that are published) is where the rows are.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

from tournament.domain.bracket_plan import main_rounds
from tournament.domain.cut import recommended
from tournament.domain.lifecycle import Phase
from tournament.domain.model import Ending, Result
from tournament.domain.results import Outcome, outcome

PODS: Final = "pods"
"""The preset of events whose tables have several players."""


class Registration(StrEnum):
    """Who may enter without the help of staff, while registration is open."""

    OPEN = "open"
    """Anybody who has the link."""
    CODE = "code"
    """Whoever has the event's registration code."""
    STAFF = "staff"
    """Nobody; staff enter players."""


class Decklist(StrEnum):
    """Whether an entry has a decklist."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    NONE = "none"


class ListsOpen(StrEnum):
    """When everybody may see every decklist."""

    NEVER = "never"
    AT_THE_CUT = "at the cut"
    """When the cut begins, or the event ends without one."""
    AT_THE_END = "at the end"


class CutBy(StrEnum):
    """What decides who plays on after the Swiss rounds."""

    NONE = "none"
    """Nobody does; the Swiss rounds decide."""
    TABLE = "the table"
    """The best so many as the number of players calls for (`cut.recommended`)."""
    SIZE = "size"
    """The best `cut_size`."""
    SIZE_WITH_TIES = "size with ties"
    """The same, and everybody who is tied with the last of them."""
    POINTS = "points"
    """Everybody with `cut_points` match points or more."""


class DrawRule(StrEnum):
    """Which draws a match may end in."""

    ANY = "any"
    """Played or agreed. Source: Magic Tournament Rules 2.4."""
    PLAYED = "played"
    """Only played ones: nobody may agree on a draw."""
    NONE = "none"
    """None: whoever is level plays on until somebody has won."""


class Ownership(StrEnum):
    """Whether players prove that they own every card of their lists."""

    NONE = "none"
    REQUIRED = "required"


class IfShort(StrEnum):
    """What becomes of a player whose wallets hold less than the list needs, when everybody is looked at."""

    FLAG = "flag"
    """Plays on; staff see it."""
    WARN = "warn"
    """Plays on; staff, the player and the public page see it."""
    DROP = "drop"
    """Is dropped, and is not paired again unless a judge lets the player play."""


CHECK_IN_MINUTES: Final = 60
"""Between the first epoch and the start, where nothing else is announced."""


# --- what may still be changed --------------------------------------------------------------------------------------

_BEFORE_REGISTRATION: Final = frozenset({Phase.DRAFT})
_BEFORE_PLAY: Final = _BEFORE_REGISTRATION | {Phase.REGISTRATION, Phase.CHECK_IN}
_BEFORE_THE_CUT: Final = _BEFORE_PLAY | {Phase.ROUND, Phase.BETWEEN_ROUNDS}
_UNFINISHED: Final = _BEFORE_THE_CUT | {Phase.CUT}
_ALWAYS: Final = _UNFINISHED | {Phase.FINISHED}

CHANGEABLE: Final[Mapping[str, frozenset[Phase]]] = {
    "name": _ALWAYS,
    "description": _ALWAYS,
    "venue": _ALWAYS,
    "time_zone": _BEFORE_PLAY,
    "starts_at": _BEFORE_PLAY,
    "game": _BEFORE_REGISTRATION,
    "format": _BEFORE_REGISTRATION,
    "format_version": _BEFORE_REGISTRATION,
    "max_rating": _BEFORE_REGISTRATION,
    "preset": _BEFORE_PLAY,
    "best_of": _BEFORE_PLAY,
    "pod_size": _BEFORE_PLAY,
    "draw_rule": _BEFORE_PLAY,
    "rounds": _BEFORE_THE_CUT,
    "cut": _BEFORE_THE_CUT,
    "cut_size": _BEFORE_THE_CUT,
    "cut_points": _BEFORE_THE_CUT,
    "cut_form": _BEFORE_THE_CUT,
    "round_minutes": _BEFORE_THE_CUT,
    "cut_minutes": _UNFINISHED,
    "decklist": _BEFORE_PLAY,
    "lists_open": _BEFORE_PLAY,
    "decks_until": _BEFORE_PLAY,
    "capacity": _BEFORE_THE_CUT,
    "waitlist": _BEFORE_PLAY,
    "entry_fee": _BEFORE_PLAY,
    "registration": _BEFORE_PLAY,
    "opens_at": _BEFORE_PLAY,
    "closes_at": _BEFORE_PLAY,
    "ownership": _BEFORE_REGISTRATION,
    "collection": _BEFORE_REGISTRATION,
    "chain_id": _BEFORE_REGISTRATION,
    "code_hash": _BEFORE_REGISTRATION,
    "if_short": _BEFORE_REGISTRATION,
    "ownership_at": _BEFORE_REGISTRATION,
    "check_in_minutes": _BEFORE_REGISTRATION,
    "block_depth": _BEFORE_REGISTRATION,
    "quorum": _BEFORE_REGISTRATION,
}
"""Phases in which each announced field may be changed. What is not here is never changed: the draw, above all."""

_REASONS: Final[Mapping[frozenset[Phase], str]] = {
    _BEFORE_REGISTRATION: "it is fixed once registration is open, because players enter for it",
    _BEFORE_PLAY: "it is fixed once the first round is published, because players play by it",
    _BEFORE_THE_CUT: "it is fixed once the cut begins or the event is over",
    _UNFINISHED: "it is fixed once the event is over",
    _ALWAYS: "nothing of a void event is changed",
}


def changeable(phase: Phase) -> tuple[str, ...]:
    """Fields that may be changed now, in the order of the announcement."""
    return tuple(field for field, phases in CHANGEABLE.items() if phase in phases)


def why_fixed(field: str, phase: Phase) -> str | None:
    """Why a field may not be changed any more; None if it may."""
    phases = CHANGEABLE[field]
    return None if phase in phases else _REASONS[phases]


# --- what does not fit together -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fault:
    """A field that cannot be so, and why."""

    field: str
    problem: str

    def __str__(self) -> str:
        return f"{self.field}: {self.problem}"


def contradictions(said: Mapping[str, Any]) -> list[Fault]:
    """Every field of an announcement that contradicts another one; an empty list is an announcement that holds.

    Args:
        said: every field of `CHANGEABLE`; moments as texts that sort, or None.
    """
    return [Fault(field, problem) for rule in _RULES for field, problem in rule(said)]


Found: TypeAlias = Iterator[tuple[str, str]]


def _cut_size(said: Mapping[str, Any]) -> Found:
    is_asked = said["cut"] in {CutBy.SIZE, CutBy.SIZE_WITH_TIES}
    if is_asked and said["cut_size"] is None:
        yield "cut_size", f"the cut is by {said['cut']!s}, so it needs a size"
    if not is_asked and said["cut_size"] is not None:
        yield "cut_size", f"the cut is by {said['cut']!s}; only a cut by size or by size with ties has a size"
    if is_asked and None not in {said["cut_size"], said["capacity"]} and said["cut_size"] > said["capacity"]:
        yield "cut_size", f"{said['cut_size']} players cannot be in the cut of an event for {said['capacity']}"


def _cut_points(said: Mapping[str, Any]) -> Found:
    is_asked = said["cut"] == CutBy.POINTS
    if is_asked and said["cut_points"] is None:
        yield "cut_points", "the cut is by points, so it needs to know how many"
    if not is_asked and said["cut_points"] is not None:
        yield "cut_points", f"the cut is by {said['cut']!s}; only a cut by points has points"


def _pods(said: Mapping[str, Any]) -> Found:
    if (said["preset"] == PODS) is (said["pod_size"] is None):
        yield (
            "pod_size",
            f"tables of several players and the preset {PODS!r} go together; the preset is {said['preset']!r}",
        )
    elif said["pod_size"] is not None and said["cut"] != CutBy.NONE:
        yield "cut", "a cut is played in matches of two, so an event with tables of several has none"


def _lists(said: Mapping[str, Any]) -> Found:
    if said["decklist"] != Decklist.NONE:
        return
    if said["lists_open"] != ListsOpen.NEVER:
        yield "lists_open", "the event has no decklists that could be opened"
    if said["decks_until"] is not None:
        yield "decks_until", "the event has no decklists that could be late"


def _window(said: Mapping[str, Any]) -> Found:
    if None not in {said["opens_at"], said["closes_at"]} and said["closes_at"] <= said["opens_at"]:
        yield "closes_at", f"registration cannot close at {said['closes_at']}, before it opens at {said['opens_at']}"


def _ownership(said: Mapping[str, Any]) -> Found:
    if said["ownership"] == Ownership.REQUIRED:
        if said["decklist"] != Decklist.REQUIRED:
            yield "decklist", "players own the cards of a list, so everybody needs one; require decklists"
        if None not in {said["ownership_at"], said["starts_at"]} and said["ownership_at"] > said["starts_at"]:
            yield (
                "ownership_at",
                f"the event starts at {said['starts_at']}, before cards are looked at for the first time",
            )
        return
    for field in _OF_OWNERSHIP:
        if said[field] is not None:
            yield field, "the event requires no ownership, so it has none of this"


_OF_OWNERSHIP: Final = ("collection", "chain_id", "code_hash", "ownership_at", "block_depth", "quorum")
_RULES: Final = (_cut_size, _cut_points, _pods, _lists, _window, _ownership)


# --- how a match may end --------------------------------------------------------------------------------------------


def forbidden_draw(rule: DrawRule, result: Result) -> str | None:
    """Why a result is a draw that the event does not have; None if it is not."""
    if rule is DrawRule.PLAYED and result.ending is Ending.INTENTIONAL_DRAW:
        return "nobody agrees on a draw in this event; play on"
    if rule is DrawRule.NONE and outcome(result) is Outcome.DRAW:
        return "no match of this event is drawn; whoever is level plays on until somebody has won"
    return None


# --- how much is played ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played if nobody else enters."""

    rounds: int
    """Swiss rounds, or rounds of pods."""
    cut: int | None
    """Players in the cut; 0: none; None: the results decide."""


def plan_of(
    players: int, awarded_byes: Iterable[int] = (), *, rounds: int | None, cut: CutBy, cut_size: int | None
) -> Plan:
    """Rounds and cut as they are announced for so many players.

    What is not fixed is as `cut.recommended` says. Up to eight players play no Swiss rounds there; where they
    do all the same (rounds are fixed, or there is no cut), it is ours: as many rounds as an elimination would have, and
    a cut by the table to 4, or to 2 where there are no more than 4.

    Args:
        players: in the event.
        awarded_byes: for each player who brought any, how many.
        rounds: Swiss rounds; None: by the table.
        cut: what decides who is in the cut.
        cut_size: as announced.
    """
    by_table = recommended(players, awarded_byes)
    if cut is CutBy.TABLE and rounds is None:
        return Plan(by_table.swiss_rounds, by_table.cut)
    swiss = rounds if rounds is not None else by_table.swiss_rounds or main_rounds(max(players, 1))
    match cut:
        case CutBy.NONE:
            return Plan(swiss, 0)
        case CutBy.SIZE:
            return Plan(swiss, cut_size)
        case CutBy.TABLE if by_table.swiss_rounds:
            return Plan(swiss, by_table.cut)
        case CutBy.TABLE:
            return Plan(swiss, next((size for size in (4, 2) if size < players), 0))
        case _:
            return Plan(swiss, None)
