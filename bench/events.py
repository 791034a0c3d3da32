"""Events that nobody plays: everybody's past as it grows, results that only the field and the round decide.

The result of a match follows from the seed, the round and the two players. So the very same field can be paired by
several engines, each of which then meets the history that its own pairings made.
"""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

from tournament.domain.model import Bye, Pairing, Player, PlayerId, Result, Round
from tournament.domain.objective import cost_of
from tournament.domain.pairing import pair_round
from tournament.domain.pool import Pool

DRAW: Final = "benchmark"
"""The public draw of all these events."""
DRAWN: Final = 0.05
"""Share of the matches without a winner."""
SWEPT: Final = 0.6
"""Share of the won matches without a game for the loser."""
WIN, TIE = 3, 1

Pairs = list[tuple[int, int]]
"""Who meets whom; players are numbers from 0."""


@dataclass
class Event:
    """A field of players and what they have behind them."""

    players: int
    seed: int
    points: list[int] = field(init=False)
    met: list[dict[int, int]] = field(init=False)
    """How often each has met whom."""
    byes: list[int] = field(init=False)
    played: list[tuple[Pairs, list[int]]] = field(default_factory=list)
    """Each round's pairs and byes."""
    ids: list[PlayerId] = field(init=False)
    strength: list[float] = field(init=False)
    _pool_met: dict[PlayerId, dict[PlayerId, int]] = field(init=False)

    def __post_init__(self) -> None:
        rng = random.Random(self.seed)  # noqa: S311 - no secret
        self.points = [0] * self.players
        self.met = [{} for _ in range(self.players)]
        self.byes = [0] * self.players
        self.ids = [PlayerId(f"p{number:05}") for number in range(self.players)]
        self.strength = [rng.gauss(0, 1) for _ in range(self.players)]
        self._pool_met = {player: {} for player in self.ids}

    @property
    def number(self) -> int:
        """The round to be paired."""
        return len(self.played) + 1

    def pool(self) -> Pool:
        """What our engine is told. It shares the growing past: to be used before the next round is played."""
        return Pool(
            number=self.number,
            points=dict(zip(self.ids, self.points, strict=True)),
            met=self._pool_met,
            byes={self.ids[player]: byes for player, byes in enumerate(self.byes) if byes},
        )

    def kept_pool(self) -> Pool:
        """The same, to be used at any time."""
        return Pool(
            number=self.number,
            points=dict(zip(self.ids, self.points, strict=True)),
            met={player: dict(others) for player, others in self._pool_met.items()},
            byes={self.ids[player]: byes for player, byes in enumerate(self.byes) if byes},
        )

    def winner(self, one: int, other: int, number: int) -> int | None:
        """Who wins; None: a draw."""
        one, other = min(one, other), max(one, other)
        chance = crc32(b"%d/%d/%d/%d" % (self.seed, number, one, other)) / 2**32
        if chance < DRAWN:
            return None
        ahead = self.strength[one] - self.strength[other]
        return one if (chance - DRAWN) / (1 - DRAWN) < 1 / (1 + math.exp(-ahead)) else other

    def play(self, pairs: Pairs, byes: Sequence[int]) -> None:
        """Give every match its result."""
        number, points, met = self.number, self.points, self.met
        for one, other in pairs:
            won = self.winner(one, other, number)
            if won is None:
                points[one] += TIE
                points[other] += TIE
            else:
                points[won] += WIN
            for player, opponent in ((one, other), (other, one)):
                times = met[player].get(opponent, 0) + 1
                met[player][opponent] = times
                self._pool_met[self.ids[player]][self.ids[opponent]] = times
        for player in byes:
            points[player] += WIN
            self.byes[player] += 1
        self.played.append((pairs, list(byes)))

    def numbers(self, paired: Round) -> tuple[Pairs, list[int]]:
        """A round of ours, in numbers."""
        pairs = [(_number(s.first), _number(s.second)) for s in paired.seats if isinstance(s, Pairing)]
        return pairs, [_number(s.player) for s in paired.seats if isinstance(s, Bye)]

    def play_by_ours(self, rounds: int) -> "Event":
        """Play so many rounds, paired by our engine."""
        for _ in range(rounds):
            self.play(*self.numbers(pair_round(self.pool(), DRAW)))
        return self

    def entered(self) -> list[Player]:
        """The players, in words of the tournament."""
        return [Player(id=player, name=player) for player in self.ids]

    def history(self) -> list[Round]:
        """The rounds played, with games."""
        return [self._round(number, pairs, byes) for number, (pairs, byes) in enumerate(self.played, start=1)]

    def _round(self, number: int, pairs: Pairs, byes: Iterable[int]) -> Round:
        tables = (
            Pairing(table, self.ids[one], self.ids[other], self._result(one, other, number))
            for table, (one, other) in enumerate(pairs, start=1)
        )
        return Round(number, (*tables, *(Bye(self.ids[player]) for player in byes)))

    def _result(self, one: int, other: int, number: int) -> Result:
        won = self.winner(one, other, number)
        if won is None:
            return Result(1, 1, 1)
        lost = int(crc32(b"%d-%d-%d" % (number, one, other)) / 2**32 > SWEPT)
        return Result(2, lost) if won == one else Result(lost, 2)


def _number(player: PlayerId) -> int:
    return int(player[1:])


@dataclass(slots=True)
class Quality:
    """How far the rounds of an event are from the best round for the same players with the same past."""

    rematches: int = 0
    excess: int = 0
    """Level 5 of the objective, the sum of squared differences of points, above the best round's."""
    left_out: int = 0
    """Players without a table, and byes that the number of players does not ask for."""

    def add(self, event: Event, pairs: Pairs, byes: Sequence[int]) -> None:
        """Judge a round of the event that has not been played yet."""
        pool = event.pool()
        cost = cost_of(pool, [(event.ids[a], event.ids[b]) for a, b in pairs], [event.ids[player] for player in byes])
        best_pairs, best_byes = event.numbers(pair_round(pool, DRAW))
        best = cost_of(
            pool, [(event.ids[a], event.ids[b]) for a, b in best_pairs], [event.ids[player] for player in best_byes]
        )
        self.rematches += len(cost.rematches)
        self.excess += cost.gaps - best.gaps
        self.left_out += cost.left_out
