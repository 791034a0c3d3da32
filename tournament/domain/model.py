"""The words of an event: players, rounds, pairings, byes, results.

Values only; what they are worth is said in `standings`, who may meet whom in `pairing`.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NewType, TypeAlias, TypeVar

P = TypeVar("P")
PlayerId = NewType("PlayerId", str)

Names: TypeAlias = Callable[[PlayerId], str]
"""What to call a player in a sentence; `str` calls everybody by the id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A player's place in an event. Rounds are numbered from 1."""

    id: PlayerId
    name: str
    entered_in: int = 1
    """First round that the player may be paired in; a late entry misses the rounds before it."""
    dropped_after: int | None = None
    """Last round played; 0 never played; None: still in."""
    table: int | None = None
    """A fixed table, for a player who needs one."""
    awarded_byes: int = 0
    """Rounds 1 to this are byes that the player brought along."""
    disqualified: bool = False
    """Out of the standings, so that everybody below moves up; also dropped, so nobody meets the player any more."""


class Mode(StrEnum):
    """Who meets whom in an event."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    """Everybody meets everybody once."""


class Way(StrEnum):
    """How a round was paired."""

    SWISS = "swiss"
    """The best round, with a certificate."""
    FOLD = "fold"
    """The upper half of the seeds against the lower one."""
    ROUND_ROBIN = "round-robin"
    """By the schedule that was made in round 1."""
    PODS = "pods"
    """At tables of several, with a certificate of their own."""


class Ending(StrEnum):
    """How a match came to its result, where the games alone do not say."""

    PLAYED = "played"
    INTENTIONAL_DRAW = "intentional draw"
    CONCESSION = "concession"
    NO_SHOW = "no-show"
    """The player without a won game did not come."""
    DOUBLE_LOSS = "double loss"
    """Both lose, whatever the games were."""
    PENALTY = "penalty"
    """A match loss given by a judge decided it."""


@dataclass(frozen=True, slots=True)
class Result:
    """Games of a match: won by the first player, won by the second, drawn."""

    first: int
    second: int
    drawn: int = 0
    ending: Ending = Ending.PLAYED


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players sent to one table; a match once it has a result."""

    table: int
    first: PlayerId
    second: PlayerId
    result: Result | None = None


class ByeKind(StrEnum):
    """Why somebody wins a round without an opponent."""

    ODD = "odd"
    """The number of players was odd."""
    AWARDED = "awarded"
    """The player brought it along."""


@dataclass(frozen=True, slots=True)
class Bye:
    """A round won without opponent."""

    player: PlayerId
    kind: ByeKind = ByeKind.ODD


Seat: TypeAlias = Pairing | Bye


def opened(seat: Seat) -> Seat:
    """The same place before anything was reported of it."""
    return replace(seat, result=None) if isinstance(seat, Pairing) else seat


@dataclass(frozen=True, slots=True)
class Round:
    """One set of pairings played at the same time.

    Players in none of them were not in the round; a late entry's missed rounds are losses only where a preset says so.
    """

    number: int
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Pod:
    """Three to six players sent to one table; a match once it has a placing."""

    table: int
    players: tuple[PlayerId, ...]
    placing: tuple[tuple[PlayerId, ...], ...] | None = None
    """The best first; players who share a place stand together. Nobody is placed after a double loss: ()."""
    ending: Ending = Ending.PLAYED
    """Played, or an intentional draw of all; after a double loss everybody has lost."""


PodSeat: TypeAlias = Pod | Bye


@dataclass(frozen=True, slots=True)
class PodRound:
    """One set of pods played at the same time."""

    number: int
    seats: tuple[PodSeat, ...]


AnyRound: TypeAlias = Round | PodRound


def pod_opened(seat: PodSeat) -> PodSeat:
    """The same place before anything was reported of it."""
    return replace(seat, placing=None, ending=Ending.PLAYED) if isinstance(seat, Pod) else seat


def place_by_player(placing: Iterable[Collection[P]]) -> dict[P, int]:
    """The place of everybody who is placed, the best first; who shares one has the best of those it stands for."""
    found: dict[P, int] = {}
    for share in placing:
        found |= dict.fromkeys(share, len(found) + 1)
    return found


def players_at(seat: Seat | Pod) -> tuple[PlayerId, ...]:
    """Everybody at a place of a round: one has a bye, two or more a table."""
    match seat:
        case Pairing():
            return (seat.first, seat.second)
        case Bye():
            return (seat.player,)
        case _:
            return seat.players
