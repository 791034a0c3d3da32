"""Who is to be paired in a round, and what of their past counts.

How many points a match is worth is said in `standings`; here they are whole numbers, whatever they stand for.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

from tournament.domain.errors import PlayerTwice
from tournament.domain.model import AnyRound, Bye, Player, PlayerId, PodRound


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The players of one round before it is paired."""

    number: int
    """The round, from 1."""
    points: Mapping[PlayerId, int]
    """Match points of everybody who is to be paired, and of nobody else."""
    met: Mapping[PlayerId, Mapping[PlayerId, int]] = field(default_factory=dict)
    """How often each of them has met whom; players of whom nothing is said have met nobody."""
    byes: Mapping[PlayerId, int] = field(default_factory=dict)
    """Byes so far, odd ones and awarded ones alike."""
    apart: Mapping[PlayerId, frozenset[PlayerId]] = field(default_factory=dict)
    """Whom the organizer keeps each of them from, both ways (family, club)."""
    awarded: tuple[PlayerId, ...] = ()
    """Who brings a bye along for this round; they are not paired."""
    tables: Mapping[PlayerId, int] = field(default_factory=dict)
    """Fixed tables."""


def gather(
    players: Iterable[Player],
    rounds: Iterable[AnyRound],
    points: Mapping[PlayerId, int],
    *,
    number: int,
    apart: Iterable[tuple[PlayerId, PlayerId]] = (),
) -> Pool:
    """The pool of the round of that number.

    A pairing of a former round is a meeting whatever came of it, also a no-show.

    Args:
        players: everybody who entered, in any order; those dropped or not yet in are left out here.
        rounds: the event's rounds; those from `number` on are not looked at.
        points: match points before the round; who is not named has 0.
        number: the round to be paired, from 1.
        apart: pairs of players whom the organizer keeps apart.

    Raises:
        PlayerTwice: two players have one id.
    """
    here = [player for player in players if _plays(player, number)]
    paired = [player for player in here if player.awarded_byes < number]
    for player, entries in Counter(player.id for player in here).items():
        if entries > 1:
            raise PlayerTwice(player)
    met, byes = _past([former for former in rounds if former.number < number], [player.id for player in paired])
    return Pool(
        number=number,
        points={player.id: points.get(player.id, 0) for player in paired},
        met=met,
        byes=byes,
        apart=_both_ways(apart),
        awarded=tuple(player.id for player in here if player.awarded_byes >= number),
        tables={player.id: player.table for player in paired if player.table is not None},
    )


def only(pool: Pool, players: Collection[PlayerId]) -> Pool:
    """The same pool with nobody but these to be paired."""
    return replace(pool, points={player: points for player, points in pool.points.items() if player in players})


def barred(pool: Pool) -> Mapping[PlayerId, Collection[PlayerId]]:
    """Whom each player of the pool should not meet: former opponents, and those kept apart."""
    nobody: Mapping[PlayerId, int] = {}
    found: dict[PlayerId, Collection[PlayerId]] = {player: pool.met.get(player, nobody) for player in pool.points}
    for player, others in pool.apart.items():
        if player in found:
            found[player] = {*found[player], *others}
    return found


def _plays(player: Player, number: int) -> bool:
    return player.entered_in <= number and (player.dropped_after is None or player.dropped_after >= number)


def _past(
    rounds: Sequence[AnyRound], players: Iterable[PlayerId]
) -> tuple[dict[PlayerId, dict[PlayerId, int]], Counter[PlayerId]]:
    met: dict[PlayerId, dict[PlayerId, int]] = {player: {} for player in players}
    byes: Counter[PlayerId] = Counter()
    for former in rounds:
        if isinstance(former, PodRound):
            _past_of_pods(former, met, byes)
            continue
        for seat in former.seats:
            if isinstance(seat, Bye):
                byes[seat.player] += 1
                continue
            first, second = seat.first, seat.second
            if first in met:
                met[first][second] = met[first].get(second, 0) + 1
            if second in met:
                met[second][first] = met[second].get(first, 0) + 1
    return met, byes


def _past_of_pods(former: PodRound, met: dict[PlayerId, dict[PlayerId, int]], byes: Counter[PlayerId]) -> None:
    for seat in former.seats:
        if isinstance(seat, Bye):
            byes[seat.player] += 1
            continue
        for one, other in permutations(seat.players, 2):
            if one in met:
                met[one][other] = met[one].get(other, 0) + 1


def _both_ways(pairs: Iterable[tuple[PlayerId, PlayerId]]) -> dict[PlayerId, frozenset[PlayerId]]:
    sides: dict[PlayerId, set[PlayerId]] = {}
    for one, other in pairs:
        if one != other:
            sides.setdefault(one, set()).add(other)
            sides.setdefault(other, set()).add(one)
    return {player: frozenset(others) for player, others in sides.items()}
