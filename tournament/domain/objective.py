"""What a round minimises, level by level, and the rule that picks one among equally good rounds.

A round is better than another if it is better on the first level on which they differ:

1. players left without a table or the bye
2. rematches: how often the two at each table have met before, most first (a third meeting is worse than any number of
   second ones); then tables of two whom the organizer keeps apart
3. byes that the bye's holder has had before
4. match points of the bye's holder
5. the sum over tables of (difference of match points) squared

Of the rounds that are equal so far, one is picked by the public draw (`draw`). The *order* is match points, then lot.

6. places between: the sum, over tables that join two score groups, of how many places the second stands below the first
7. for those same tables, the smallest sum of (x times y modulo 2^40 - 87), where x and y are the first eight bytes of
   the two lots, read as numbers
8. read from the top of the order, everybody meets the nearest possible opponent; the bye comes after the last player of
   its holder's score group

No two rounds are equal on all eight levels, so there is one best round, and every correct method finds it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournament.domain.model import PlayerId
from tournament.domain.pool import Pool

Pair = tuple[PlayerId, PlayerId]

MODULUS = 2**40 - 87
"""A prime: two different sets of tables then share a sum on level 7 with a chance below 2 in 2^40."""


@dataclass(frozen=True, slots=True, order=True)
class Cost:
    """Levels 1 to 5 of a round; the smaller one is the better round."""

    left_out: int = 0
    """Players without a table or the bye, and byes that the number of players does not ask for."""
    rematches: tuple[int, ...] = ()
    """Former meetings of the two at each rematch, most first: (2, 1) is one third and one second meeting."""
    apart: int = 0
    """Tables of two players who are to be kept apart."""
    byes_before: int = 0
    bye_points: int = 0
    gaps: int = 0
    """Sum of squared differences of match points."""


@dataclass(frozen=True, slots=True, order=True)
class Pick:
    """Levels 6 to 8 of a round."""

    places: int
    number: int
    partners: tuple[int, ...]
    """Read from the top, twice the partner's place; the bye stands half a place below its holder's score group."""


def cost_of(pool: Pool, pairs: Iterable[Pair], byes: Sequence[PlayerId]) -> Cost:
    """Levels 1 to 5 of a round of the pool."""
    points, pairs = pool.points, list(pairs)
    seated = {player for pair in pairs for player in pair}.union(byes)
    unseated = sum(player not in seated for player in points)
    again = [pool.met.get(one, {}).get(other, 0) for one, other in pairs]
    return Cost(
        left_out=unseated + max(0, len(byes) - len(points) % 2),
        rematches=tuple(sorted(filter(None, again), reverse=True)),
        apart=sum(other in pool.apart.get(one, ()) for one, other in pairs),
        byes_before=sum(pool.byes.get(player, 0) for player in byes),
        bye_points=sum(points.get(player, 0) for player in byes),
        gaps=sum((points[one] - points[other]) ** 2 for one, other in pairs),
    )


@dataclass(frozen=True, slots=True)
class Price:
    """Levels 2 to 5 as one number: a unit of a level is worth more than all that the levels below can add up to."""

    lowest: int
    bye_point: int
    former_bye: int
    kept_apart: int
    meetings: Mapping[int, int]
    """What a table costs whose players have met so many times."""

    @classmethod
    def of(cls, pool: Pool) -> "Price":
        """The units for these players: one more table than there are is the most of anything."""
        tables = len(pool.points) // 2 + 1
        lowest, highest = min(pool.points.values(), default=0), max(pool.points.values(), default=0)
        bye_point = tables * (highest - lowest) ** 2 + 1
        former_bye = bye_point * (highest - lowest + 1)
        kept_apart = former_bye * (max(pool.byes.values(), default=0) + 1)
        times = sorted({often for player in pool.points for often in pool.met.get(player, {}).values()} - {0})
        meetings = {often: kept_apart * (tables + 1) ** at for at, often in enumerate(times, start=1)}
        return cls(lowest, bye_point, former_bye, kept_apart, {0: 0, **meetings})

    def table(self, pool: Pool, one: PlayerId, other: PlayerId) -> int:
        """Levels 2 and 5 of a table."""
        return self.barred_table(pool, one, other) + (pool.points[one] - pool.points[other]) ** 2

    def barred_table(self, pool: Pool, one: PlayerId, other: PlayerId) -> int:
        """Level 2 of a table."""
        often = pool.met.get(one, {}).get(other, 0)
        return self.meetings[often] + (self.kept_apart if other in pool.apart.get(one, ()) else 0)

    def bye(self, pool: Pool, player: PlayerId) -> int:
        """Levels 3 and 4 of the bye."""
        return self.repeated_bye(pool, player) + self.bye_point * (pool.points[player] - self.lowest)

    def repeated_bye(self, pool: Pool, player: PlayerId) -> int:
        """Level 3 of the bye."""
        return self.former_bye * pool.byes.get(player, 0)


def in_order(points: Mapping[PlayerId, int], lots: Mapping[PlayerId, bytes]) -> list[list[PlayerId]]:
    """The score groups, most points first, each in the order of the draw."""
    groups: dict[int, list[tuple[bytes, PlayerId]]] = {}
    for player, score in points.items():
        groups.setdefault(score, []).append((lots[player], player))
    return [[player for _, player in sorted(groups[score])] for score in sorted(groups, reverse=True)]


def number_of(lot: bytes, other: bytes) -> int:
    """What a table of two score groups adds on level 7."""
    return as_number(lot) * as_number(other) % MODULUS


def as_number(lot: bytes) -> int:
    """The first eight bytes, the first one counting most."""
    return int.from_bytes(lot[:8])


def pick_of(
    points: Mapping[PlayerId, int], lots: Mapping[PlayerId, bytes], pairs: Iterable[Pair], bye: PlayerId | None
) -> Pick:
    """Levels 6 to 8 of a complete round."""
    order = [player for group in in_order(points, lots) for player in group]
    place = {player: at for at, player in enumerate(order)}
    across = [(one, other) for one, other in pairs if points[one] != points[other]]
    partner: dict[PlayerId, int] = {}
    for one, other in pairs:
        upper, lower = sorted((one, other), key=place.__getitem__)
        partner[upper] = 2 * place[lower]
    if bye is not None:
        partner[bye] = 2 * max(place[player] for player in order if points[player] == points[bye]) + 1
    return Pick(
        places=sum(abs(place[one] - place[other]) for one, other in across),
        number=sum(number_of(lots[one], lots[other]) for one, other in across),
        partners=tuple(partner[player] for player in order if player in partner),
    )
