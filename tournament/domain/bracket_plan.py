"""Which match feeds which, in an elimination bracket of any size.

A plan knows seeds, not players, and it never changes while the bracket is played. The players of a match come from a
seed or from an earlier match; a seed that nobody has (a cut that is no power of two) leaves its opponent with a bye,
and since the missing seeds are the lowest ones, byes go to the highest.

Source: Magic Tournament Rules 10.4, for the order of an eight-player bracket (1st-8th and 4th-5th meet next, 2nd-7th
and 3rd-6th meet next); larger and smaller brackets continue it. The rule book has no double elimination: how losers
cross into the lower bracket is ours (`crossing`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import NewType, TypeAlias

MatchId = NewType("MatchId", str)
"""`M2.1`: main bracket, round 2, first match. `L3.2`: lower bracket. `GF`, `GF2`, `3RD`."""

GRAND_FINAL = MatchId("GF")
RESET = MatchId("GF2")
THIRD_PLACE = MatchId("3RD")


class Form(StrEnum):
    """How a cut is played."""

    SINGLE = "single elimination"
    SINGLE_WITH_THIRD_PLACE = "single elimination with third-place match"
    DOUBLE = "double elimination"
    """Out with the second loss; the grand final is played again if the lower bracket wins it (reset)."""


class Part(StrEnum):
    """The part of the bracket that a match belongs to."""

    MAIN = "main bracket"
    LOWER = "lower bracket"
    THIRD_PLACE = "third-place match"
    GRAND_FINAL = "grand final"
    RESET = "grand final, second match"


@dataclass(frozen=True, slots=True)
class Seed:
    """A place of the cut; 1 is the best."""

    rank: int

    def __str__(self) -> str:
        return f"seed {self.rank}"


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """Whoever wins that match."""

    match: MatchId

    def __str__(self) -> str:
        return f"winner of {self.match}"


@dataclass(frozen=True, slots=True)
class LoserOf:
    """Whoever loses that match and is not out."""

    match: MatchId

    def __str__(self) -> str:
        return f"loser of {self.match}"


Source: TypeAlias = Seed | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match before anybody is known: where its two players come from. Rounds and numbers count from 1."""

    id: MatchId
    part: Part
    round: int
    number: int
    first: Source
    second: Source


@cache
def plan(form: Form, players: int) -> tuple[PlannedMatch, ...]:
    """Every match of a bracket for 2 players or more, each after the matches that feed it."""
    rounds = main_rounds(players)
    main = tuple(_main(rounds))
    match form:
        case Form.SINGLE:
            return main
        case Form.SINGLE_WITH_THIRD_PLACE:
            return (*main, *_third_place(rounds))
        case Form.DOUBLE:
            return (*main, *_lower(rounds), *_grand_final(rounds))


@cache
def feeds(form: Form, players: int) -> Mapping[Source, MatchId]:
    """Where each source leads: the match that the winner, or the loser, of another one plays next.

    The grand final leads to its second match, which is played only if the lower bracket wins it.
    """
    return {source: match.id for match in plan(form, players) for source in (match.first, match.second)}


@cache
def cut_rounds(form: Form, players: int) -> Mapping[MatchId, int]:
    """In which round of the cut each match is played, from 1: one later than the last of the matches that feed it.

    Matches of one round can be played at the same time, in both parts of a double elimination.
    """
    found: dict[MatchId, int] = {}
    for match in plan(form, players):
        before = (source.match for source in (match.first, match.second) if not isinstance(source, Seed))
        found[match.id] = 1 + max((found[each] for each in before), default=0)
    return found


def main_rounds(players: int) -> int:
    """Rounds until one player is left without a loss."""
    return (players - 1).bit_length()


def lower_rounds(players: int) -> int:
    """Rounds of the lower bracket: each main round but the first brings one for its losers, and one lies between."""
    return 2 * (main_rounds(players) - 1)


@cache
def seed_order(size: int) -> tuple[int, ...]:
    """Seeds from top to bottom of the first round of a bracket of `size`, a power of two: 1 8 | 4 5 | 2 7 | 3 6."""
    if size == 1:
        return (1,)
    return tuple(rank for seed in seed_order(size // 2) for rank in (seed, size + 1 - seed))


def crossing(main_round: int, rounds: int) -> int:
    """How the losers of a main round cross into the lower bracket: the loser of match m enters at place m XOR this.

    Every player's losses to one opponent sit in one branch of the lower bracket, and the opponent must enter far from
    all of them. Counting the main rounds 0, 1, 2, 3, … and writing the count backwards in binary (0, 1/2, 1/4, 3/4, …
    of the bracket) keeps each round's losers as far as possible from those of every round before. No crossing of this
    kind has its first possible rematch later (the tests try them all up to 64 players).
    """
    bits = rounds - main_round
    return sum(1 << (bits - 1 - bit) for bit in range(bits) if (main_round - 1) >> bit & 1)


def _main(rounds: int) -> Iterator[PlannedMatch]:
    order = seed_order(1 << rounds)
    for number in range(1, len(order) // 2 + 1):
        yield _match(Part.MAIN, 1, number, Seed(order[2 * number - 2]), Seed(order[2 * number - 1]))
    for played in range(2, rounds + 1):
        yield from _winners_meet(Part.MAIN, played, (1 << rounds) >> played)


def _third_place(rounds: int) -> Iterator[PlannedMatch]:
    if rounds > 1:
        first, second = LoserOf(_id(Part.MAIN, rounds - 1, 1)), LoserOf(_id(Part.MAIN, rounds - 1, 2))
        yield PlannedMatch(THIRD_PLACE, Part.THIRD_PLACE, 1, 1, first, second)


def _lower(rounds: int) -> Iterator[PlannedMatch]:
    for number in range(1, (1 << rounds) // 4 + 1):
        losers = (LoserOf(_id(Part.MAIN, 1, 2 * number - 1)), LoserOf(_id(Part.MAIN, 1, 2 * number)))
        yield _match(Part.LOWER, 1, number, *losers)
    for main_round in range(2, rounds + 1):
        matches, cross = (1 << rounds) >> main_round, crossing(main_round, rounds)
        for place in range(matches):
            falling = LoserOf(_id(Part.MAIN, main_round, (place ^ cross) + 1))
            waiting = WinnerOf(_id(Part.LOWER, 2 * main_round - 3, place + 1))
            yield _match(Part.LOWER, 2 * main_round - 2, place + 1, falling, waiting)
        if main_round < rounds:
            yield from _winners_meet(Part.LOWER, 2 * main_round - 1, matches // 2)


def _grand_final(rounds: int) -> Iterator[PlannedMatch]:
    unbeaten = WinnerOf(_id(Part.MAIN, rounds, 1))
    beaten = WinnerOf(_id(Part.LOWER, 2 * rounds - 2, 1)) if rounds > 1 else LoserOf(_id(Part.MAIN, 1, 1))
    yield PlannedMatch(GRAND_FINAL, Part.GRAND_FINAL, 1, 1, unbeaten, beaten)
    yield PlannedMatch(RESET, Part.RESET, 1, 1, LoserOf(GRAND_FINAL), WinnerOf(GRAND_FINAL))


def _winners_meet(part: Part, round_: int, matches: int) -> Iterator[PlannedMatch]:
    for number in range(1, matches + 1):
        feeders = (_id(part, round_ - 1, 2 * number - 1), _id(part, round_ - 1, 2 * number))
        yield _match(part, round_, number, WinnerOf(feeders[0]), WinnerOf(feeders[1]))


def _match(part: Part, round_: int, number: int, first: Source, second: Source) -> PlannedMatch:
    return PlannedMatch(_id(part, round_, number), part, round_, number, first, second)


def _id(part: Part, round_: int, number: int) -> MatchId:
    return MatchId(f"{'M' if part is Part.MAIN else 'L'}{round_}.{number}")
