"""An event that nobody plays: seeded players and results, to try things on.

Everybody has a strength; of two, the stronger is the likelier winner of each game. A few matches end in a draw, a few
players come late, and some go home after a loss. The rounds are paired as in any event.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import exp
from random import Random
from typing import Final

from tournament.domain.model import Pairing, Player, PlayerId, Result, Round
from tournament.domain.results import MatchFormat, Outcome, intentional_draw, outcome, second_absent
from tournament.event_file.answers import paired_round, with_round
from tournament.event_file.model import Event

LATE: Final = 0.03
"""Share of the players who come for the second round."""
ABSENT: Final = 0.01
"""Share of the matches to which the second player does not come."""
AGREED: Final = 0.02
TIMED_OUT: Final = 0.05
"""Share of the third games that the clock ends."""
LEAVING: Final = 0.1
"""Share of those who lost a match and go home."""
FEWEST: Final = 2
"""Players who begin, and who stay to the end."""


def simulate(players: int, rounds: int, rng: Random, *, draw: str) -> Event:
    """Play an event to its end. The same `rng` and draw give the same event.

    Args:
        players: how many enter, at least one.
        rounds: how many are played.
        rng: decides strengths and results, and who comes late or leaves.
        draw: the public draw.
    """
    entered = tuple(_enter(players, rounds, rng))
    strength = {player.id: rng.gauss(0, 1) for player in entered}
    event = Event(name="Simulated event", game="any", draw=draw, players=entered)
    for number in range(1, rounds + 1):
        event = with_round(event, _play(paired_round(event), strength, rng))
        if number < rounds:
            event = replace(event, players=tuple(_stay(event, rng)))
    return event


def _enter(players: int, rounds: int, rng: Random) -> Iterator[Player]:
    width = len(str(players))
    for number in range(1, players + 1):
        late = rounds > 1 and number > FEWEST and rng.random() < LATE
        yield Player(id=PlayerId(f"p{number:0{width}}"), name=f"Player {number}", entered_in=2 if late else 1)


def _play(paired: Round, strength: Mapping[PlayerId, float], rng: Random) -> Round:
    return replace(
        paired,
        seats=tuple(
            replace(seat, result=_result(strength[seat.first] - strength[seat.second], rng))
            if isinstance(seat, Pairing)
            else seat
            for seat in paired.seats
        ),
    )


def _result(ahead: float, rng: Random) -> Result:
    """A best of three between players whose strengths differ by so much."""
    special = rng.random()
    if special < ABSENT:
        return second_absent(MatchFormat.BEST_OF_3)
    if special < ABSENT + AGREED:
        return intentional_draw(MatchFormat.BEST_OF_3)
    first, second, third = (rng.random() < 1 / (1 + exp(-ahead)) for _ in range(3))
    if first == second:
        return Result(2, 0) if first else Result(0, 2)
    if rng.random() < TIMED_OUT:
        return Result(1, 1, 1)
    return Result(2, 1) if third else Result(1, 2)


def _stay(event: Event, rng: Random) -> Iterator[Player]:
    """The players, with those who have had enough gone after the last round."""
    played = event.rounds[-1]
    lost = set(_losers(played))
    there = sum(player.dropped_after is None for player in event.players)
    for player in event.players:
        leaves = player.id in lost and rng.random() < LEAVING and there > FEWEST
        there -= leaves
        yield replace(player, dropped_after=played.number) if leaves else player


def _losers(played: Round) -> Iterator[PlayerId]:
    for seat in played.seats:
        if isinstance(seat, Pairing) and seat.result:
            match outcome(seat.result):
                case Outcome.FIRST:
                    yield seat.second
                case Outcome.SECOND:
                    yield seat.first
                case Outcome.DRAW | Outcome.NOBODY:
                    pass
