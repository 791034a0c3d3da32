"""The exact part: which players meet outside their score group where counting alone cannot settle it.

A *cell* runs from one large group to the next, or ends sooner at a line with an even number of members above it, or at
the end of the ladder. All players of its small groups take part in a matching, and of a large group as many first or
last members as can possibly float. The cheapest perfect matching says who floats; who stays is paired by `inside`.

A cell that ends at an even line has two *exits* there: what it would cost its players, at least, to be paired beyond
it. A table that crosses the line from score s to score t costs at least (s - end)^2 + step^2 + (start beyond - t)^2;
the cell pays the first term and half of the second. The best matching without exits is the best of all if none with one
or two tables over each end is as cheap: any more of them fall apart into such pieces (the symmetric difference of two
matchings is made of paths, and every path from exit to exit can be exchanged on its own). Tables may also pass over the
whole cell; the two ends are then each crossed by an odd number of its own. That is the price between opposite exits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from tournament.domain.ladder import Ladder, is_large
from tournament.domain.matching import Edge
from tournament.domain.model import PlayerId
from tournament.domain.objective import MODULUS, Pair, as_number, number_of

_TIE = 8
"""More than the exits that can be used at once; each is favoured by one part in so many, so that on equal cost the
cell grows."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Groups solved together, the first and the last included."""

    first: int
    last: int
    open_above: bool
    """Whether it ends at an even line with groups beyond, rather than at a large group or the end of the ladder."""
    open_below: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """Who meets outside the own group, best for the cell; final if no exit is used."""

    floats: list[Pair]
    leaves_above: bool
    leaves_below: bool


def cells_between(ladder: Ladder, first: int, last: int) -> list[Cell]:
    """The cells of some neighbouring parts, from group to group."""
    walls = [k for k in range(first, last + 1) if is_large(ladder, k)]
    ends = sorted({first, last, *walls})
    spans = list(pairwise(ends)) or [(first, last)]
    return [
        Cell(
            start,
            end,
            open_above=start == first > 0 and start not in walls,
            open_below=end == last < len(ladder.groups) - 1 and end not in walls,
        )
        for start, end in spans
    ]


def nearest_across(ladder: Ladder, line: int) -> Pair | None:
    """Of all who may meet over the line the two with the fewest places between, then the smallest number (6 and 7)."""
    upper, lower = ladder.groups[line - 1], ladder.groups[line]
    barred, lots = ladder.barred, ladder.lots
    for away in range(len(upper) + len(lower) - 1):
        found = [
            (down, up)
            for i in range(max(0, away - len(lower) + 1), min(away, len(upper) - 1) + 1)
            if (up := lower[away - i]) not in barred[down := upper[-1 - i]]
        ]
        if found:
            return min(found, key=lambda pair: number_of(lots[pair[0]], lots[pair[1]]))
    return None


def settle(ladder: Ladder, cell: Cell) -> Settled | None:
    """Find the floats of least cost; None: the players cannot be paired, not even over the exits."""
    if cell.last == cell.first + 1 and is_large(ladder, cell.first) and is_large(ladder, cell.last):
        pair = nearest_across(ladder, cell.last) if ladder.odd[cell.last] else None
        return Settled([] if pair is None else [pair], leaves_above=False, leaves_below=False)
    members = list(members_of(ladder, cell))
    exits = exits_of(cell)
    edges = [*_tables(ladder, cell, members, exits), *_exit_edges(ladder, cell, members, exits)]
    matched = ladder.matcher(len(members) + len(exits), edges)
    if matched is None:
        return None
    floats: list[Pair] = []
    used: set[str] = set()
    for one, other in matched:
        if other < len(members):
            (player, group), (opponent, its_group) = members[one], members[other]
            if group != its_group and player is not None and opponent is not None:
                floats.append((player, opponent))
        elif one < len(members):
            used.add(exits[other - len(members)])
    return Settled(floats, leaves_above="above" in used, leaves_below="below" in used)


Member: TypeAlias = tuple[PlayerId | None, int]
"""A player, or None for the bye, and the group."""


def members_of(ladder: Ladder, cell: Cell) -> Iterator[Member]:
    """Who takes part in the matching, in order; None stands for the bye."""
    for group in range(cell.first, cell.last + 1):
        members = ladder.groups[group]
        if not is_large(ladder, group):
            yield from ((player, group) for player in members)
            if group == ladder.host:
                yield None, group
        elif group == cell.first:
            yield from ((player, group) for player in members[len(members) - lent(ladder, cell, group) :])
        else:
            yield from ((player, group) for player in members[: lent(ladder, cell, group)])


def lent(ladder: Ladder, cell: Cell, group: int) -> int:
    """How many members of a large group take part: so many that whoever else floats could stay instead of them.

    Its parity is that of the tables which cross the line, so that those who are left stay in pairs.
    """
    ends = {cell.first, cell.last} - {group}
    others = [
        player for k in range(cell.first, cell.last + 1) if not is_large(ladder, k) for player in ladder.groups[k]
    ]
    floats, avoided = ladder.most + 2, ladder.most
    if not any(is_large(ladder, end) for end in ends):
        members, score = ladder.points, ladder.scores[group]
        avoided = max(
            (sum(members.get(other) == score for other in ladder.barred[player]) for player in others), default=0
        )
        floats = min(floats, len(others) + 1)
    count = floats + avoided
    crossed = ladder.odd[group + 1 if group == cell.first else group]
    return count + (count % 2 != crossed)


def exits_of(cell: Cell) -> list[str]:
    """Two exits at each open end."""
    return ["above"] * (2 * cell.open_above) + ["below"] * (2 * cell.open_below)


def _scales(ladder: Ladder, size: int) -> tuple[int, int]:
    """What a point of gaps and a place between weigh, so that a lower level never outweighs a higher one."""
    place = MODULUS * size
    return place * (len(ladder.points) * size + 1), place


def _tables(ladder: Ladder, cell: Cell, members: list[Member], exits: list[str]) -> Iterator[Edge]:
    gap_weight, place_weight = _scales(ladder, len(members) + len(exits))
    gap_weight *= 2 * _TIE
    scores, place = ladder.scores, ladder.place
    large = {k for k in (cell.first, cell.last) if is_large(ladder, k)}
    facts = [
        (j, player, group, scores[group], place[player], as_number(ladder.lots[player]))
        for j, (player, group) in enumerate(members)
        if player is not None
    ]
    for at, (i, player, group, score, mine, number) in enumerate(facts):
        avoided = ladder.barred[player]
        for j, other, its_group, its_score, its_place, its_number in facts[at + 1 :]:
            if group == its_group:
                if group in large or other not in avoided:
                    yield i, j, 0
            elif other not in avoided:
                gap = (score - its_score) ** 2
                yield i, j, gap * gap_weight + (its_place - mine) * place_weight + number * its_number % MODULUS
    for j, (bye, group) in enumerate(members):
        if bye is None:
            yield from (
                (i, j, 0) for i, player, its_group, *_ in facts if its_group == group and player in ladder.mates
            )


def _exit_edges(ladder: Ladder, cell: Cell, members: list[Member], exits: list[str]) -> Iterator[Edge]:
    gap_weight, _ = _scales(ladder, len(members) + len(exits))
    scores, size = ladder.scores, len(members)
    top, bottom = scores[cell.first], scores[cell.last]
    above = ladder.step(cell.first) ** 2 if cell.open_above else 0
    below = ladder.step(cell.last + 1) ** 2 if cell.open_below else 0
    for at, end in enumerate(exits):
        for i, (player, group) in enumerate(members):
            if player is None:
                continue
            apart = (
                2 * (top - scores[group]) ** 2 + above if end == "above" else 2 * (scores[group] - bottom) ** 2 + below
            )
            yield i, size + at, (apart * _TIE - 1) * gap_weight
        for later in range(at + 1, len(exits)):
            passing = 0 if exits[later] == end else 2 * (top - bottom) ** 2 + above + below
            yield size + at, size + later, passing * _TIE * gap_weight
