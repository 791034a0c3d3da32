"""The search for good pods: tables of players such that as few as possible have met, and close in points.

Splitting players into tables without repeats is hard in general (it is the social golfer problem), so there are two
ways. Up to 16 players every seating is weighed, by sets already seated (subset dynamic programming): nothing better
exists. Beyond, the sorted field is cut into tables and players are swapped while that helps, with a few random swaps
("kicks") to leave a dead end; there, only a seating without any repeat proves itself.

Players are numbers here, best first: 0 is the first of the sorted field.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import lcm
from typing import TypeAlias

Tables = list[list[int]]

EXACT_UP_TO = 16
"""Players up to whom every seating is weighed; 2^16 sets of them are seated in a fraction of a second."""

KICKS = 120
"""How often a seating with repeats is shaken before the best one found is taken."""

NEAR = 8
"""Tables to either side that are looked at before a swap that costs points is accepted."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What a seating costs, as one number: the levels are so far apart that a lower one never outweighs a higher.

    Levels, most important first: earlier meetings at the tables, squared (so that a third meeting weighs as much as
    four second ones); pairs who are to be kept apart; earlier seats at an uneven table of those who sit at one now,
    squared; squared differences of points inside the tables; points at uneven tables.
    """

    points: Sequence[int]
    met: Sequence[Mapping[int, int]]
    """For each player, how often each other one was met; who was never met may be missing."""
    uneven: Sequence[int]
    """Earlier seats at tables of another than the usual size."""
    usual: int
    """Seats of a usual table."""
    level: tuple[int, int, int, int]
    """Worth of one unit of the first four levels."""
    apart: Sequence[frozenset[int]] = ()
    """For each player, from whom to be kept apart; empty if that holds of nobody."""

    def beside(self, player: int, others: Sequence[int]) -> list[int]:
        """Cost of a player at a table with each of the others; beside oneself it is 0."""
        repeats, apart, _, spread = self.level
        points, met, own = self.points, self.met[player], self.points[player]
        costs = [
            spread * (own - points[other]) ** 2 + (repeats * met[other] ** 2 if other in met else 0) for other in others
        ]
        if self.apart and (kept := self.apart[player]):
            return [cost + (apart if other in kept else 0) for cost, other in zip(costs, others, strict=True)]
        return costs

    def seat(self, player: int, size: int) -> int:
        """Cost of one player at a table of `size`."""
        if size == self.usual:
            return 0
        return self.level[2] * self.uneven[player] ** 2 + self.points[player]

    def trade(self, one: int, size: int, other: int, other_size: int) -> int:
        """What it changes for the seats alone that two players trade tables."""
        after = self.seat(one, other_size) + self.seat(other, size)
        return after - self.seat(one, size) - self.seat(other, other_size)

    def table(self, table: Sequence[int]) -> int:
        """Cost of a whole table."""
        pairs = sum(sum(self.beside(player, table)) for player in table) // 2
        return pairs + sum(self.seat(player, len(table)) for player in table)

    def total(self, tables: Tables) -> int:
        """Cost of a seating."""
        return sum(map(self.table, tables))

    def repeats(self, cost: int) -> int:
        """The first level of a cost, or of a difference of costs; the lower levels are less than half of a unit."""
        return (2 * cost + self.level[0]) // (2 * self.level[0])

    def troubles(self, cost: int) -> int:
        """The first two levels of a cost, or of a difference of costs: 0 if it has neither."""
        return (2 * cost + self.level[1]) // (2 * self.level[1])

    def is_trouble(self, player: int, table: Sequence[int]) -> bool:
        """Whether a player sits with somebody met before, or with somebody to be kept apart from."""
        met = self.met[player]
        if any(other in met for other in table):
            return True
        return bool(self.apart) and any(other in self.apart[player] for other in table)


def weigh(
    points: Sequence[int],
    met: Sequence[Mapping[int, int]],
    uneven: Sequence[int],
    usual: int,
    apart: Sequence[frozenset[int]] = (),
) -> Weights:
    """Set the levels of cost so far apart that their order cannot be turned over. Points are at least 0."""
    highest = max(points, default=0)
    spread = sum(points) + 1
    again = spread * (len(points) * 5 * highest**2 + 1)
    beside = 2 * again * (sum(times**2 for times in uneven) + 1)
    pairs = sum(map(len, apart)) // 2
    repeats = 2 * beside * (pairs + 1) if pairs else beside
    return Weights(points, met, uneven, usual, (repeats, beside, again, spread), apart if pairs else ())


def exact(weights: Weights, sizes: Sequence[int], known: Tables) -> Tables:
    """The cheapest seating of all; `known` is one that bounds the search. Players must be few."""
    if not (bound := weights.total(known)):
        return known
    tables = _possible_tables(weights, sorted(set(sizes)), bound)
    still = _cheapest_shares(tables, len(weights.points), lcm(*sizes))
    level: dict[_Seated, tuple[int, Tables]] = {(0, tuple(sorted(sizes))): (0, [])}
    for _ in sizes:
        level = _one_table_more(level, tables, lambda mask, cost: cost + still(mask) <= bound)
    return next(iter(level.values()))[1]


_Seated: TypeAlias = tuple[int, tuple[int, ...]]
"""Players who have a table, as bits, and the sizes of the tables that are left."""


@dataclass(frozen=True, slots=True)
class _Table:
    cost: int
    players: list[int]
    mask: int


def _possible_tables(weights: Weights, sizes: Sequence[int], bound: int) -> list[list[_Table]]:
    """Every table that a best seating could have, by its first player, the cheapest first."""
    players = range(len(weights.points))
    found: list[list[_Table]] = [[] for _ in players]
    for table in (table for size in sizes for table in combinations(players, size)):
        if (cost := weights.table(table)) <= bound:
            found[table[0]].append(_Table(cost, list(table), sum(1 << player for player in table)))
    return [sorted(tables, key=lambda table: (table.cost, table.players)) for tables in found]


def _cheapest_shares(tables: list[list[_Table]], players: int, parts: int) -> Callable[[int], int]:
    """What those who are not seated yet will cost at least: each a fair share of the cheapest table with them."""
    shares = [min(_shares(tables, player, parts), default=0) for player in range(players)]

    @cache
    def still(mask: int) -> int:
        return -(-sum(share for player, share in enumerate(shares) if not mask >> player & 1) // parts)

    return still


def _shares(tables: list[list[_Table]], player: int, parts: int) -> Iterator[int]:
    for table in (table for same_first in tables[: player + 1] for table in same_first):
        if table.mask >> player & 1:
            yield table.cost * parts // len(table.players)


def _one_table_more(
    level: Mapping[_Seated, tuple[int, Tables]], tables: list[list[_Table]], hopeful: Callable[[int, int], bool]
) -> dict[_Seated, tuple[int, Tables]]:
    """Seat the first player who has no table in every way that can still be best; keep the cheapest for each set."""
    found: dict[_Seated, tuple[int, Tables]] = {}
    for (mask, left), (cost, seated) in level.items():
        for table in tables[(~mask & (mask + 1)).bit_length() - 1]:
            if mask & table.mask or len(table.players) not in left or not hopeful(mask | table.mask, cost + table.cost):
                continue
            key = (mask | table.mask, _without(left, len(table.players)))
            if key not in found or cost + table.cost < found[key][0]:
                found[key] = (cost + table.cost, [*seated, table.players])
    return found


def _without(sizes: tuple[int, ...], size: int) -> tuple[int, ...]:
    at = sizes.index(size)
    return sizes[:at] + sizes[at + 1 :]


def improve(weights: Weights, sizes: Sequence[int], below: Callable[[int], int]) -> Tables:
    """A good seating: cut the sorted field, swap, and kick while repeats are left.

    Args:
        weights: what a seating costs.
        sizes: of the tables, those of the best players first.
        below: a repeatable source of numbers from 0 to below its argument.
    """
    tables = _cut(sizes)
    _descend(weights, tables, {at for at, table in enumerate(tables) if _hot(weights, table) or _again(weights, table)})
    best, best_cost = [table[:] for table in tables], weights.total(tables)
    for _ in range(KICKS if len(tables) > 1 else 0):
        if not weights.troubles(best_cost):
            break
        tables = [table[:] for table in best]
        _descend(weights, tables, _kick(weights, tables, below))
        cost = weights.total(tables)
        if cost <= best_cost:
            best, best_cost = tables, cost
    return best


def _cut(sizes: Sequence[int]) -> Tables:
    ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
    return [list(range(end - size, end)) for end, size in zip(ends, sizes, strict=True)]


def _kick(weights: Weights, tables: Tables, below: Callable[[int], int]) -> set[int]:
    """Swap a few players at random between tables close by, one of them with repeats; tell which tables changed."""
    changed = {at for at, table in enumerate(tables) if _hot(weights, table)}
    troubled = sorted(changed)
    for _ in range(2 + below(3)):
        here = troubled[below(len(troubled))]
        there = (here + 1 + below(min(2 * NEAR, len(tables) - 1))) % len(tables)
        one, other = below(len(tables[here])), below(len(tables[there]))
        tables[here][one], tables[there][other] = tables[there][other], tables[here][one]
        changed |= {here, there}
    return changed


def _descend(weights: Weights, tables: Tables, waiting: set[int]) -> None:
    """Swap players of the waiting tables while that makes the seating cheaper."""
    while waiting:
        here = min(waiting)
        waiting.discard(here)
        if swap := _best_swap(weights, tables, here):
            one, there, other = swap
            tables[here][one], tables[there][other] = tables[there][other], tables[here][one]
            waiting |= {here, there}


def _best_swap(weights: Weights, tables: Tables, here: int) -> tuple[int, int, int] | None:
    """The swap that saves most among the tables near by; farther ones are asked only to be rid of a repeat."""
    hot = _hot(weights, tables[here])
    movable = hot or range(len(tables[here]))
    saved, best = 0, None
    for distance, there in _outwards(here, len(tables)):
        if distance > NEAR and (not hot or weights.troubles(saved) < 0):
            break
        for change, one, other in _swaps(weights, tables[here], movable, tables[there]):
            if change < saved:
                saved, best = change, (one, there, other)
    return best


def _swaps(
    weights: Weights, here: Sequence[int], movable: Sequence[int], there: Sequence[int]
) -> Iterator[tuple[int, int, int]]:
    """What every swap of a movable seat here with a seat there would change."""
    between = [weights.beside(one, there) for one in here]
    going = [
        sum(column) - sum(weights.beside(other, there))
        for other, column in zip(there, zip(*between, strict=True), strict=True)
    ]
    for one in movable:
        coming = sum(between[one]) - sum(weights.beside(here[one], here))
        for other, gone in enumerate(going):
            change = coming + gone - 2 * between[one][other]
            if len(here) != len(there):
                change += weights.trade(here[one], len(here), there[other], len(there))
            yield change, one, other


def _hot(weights: Weights, table: Sequence[int]) -> list[int]:
    """Seats of those who sit with somebody they have met, or are to be kept apart from."""
    return [seat for seat, player in enumerate(table) if weights.is_trouble(player, table)]


def _again(weights: Weights, table: Sequence[int]) -> bool:
    """Somebody at this uneven table has been at one before."""
    return len(table) != weights.usual and any(weights.uneven[player] for player in table)


def _outwards(here: int, tables: int) -> Iterator[tuple[int, int]]:
    for distance in range(1, tables):
        for there in (here + distance, here - distance):
            if 0 <= there < tables:
                yield distance, there
