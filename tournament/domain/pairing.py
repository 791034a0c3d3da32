"""Pair a round: the one best round under `objective`, found by counting where counting proves it, exactly elsewhere.

The way of working:

1. The players stand in order (`objective.in_order`); an odd field gets the bye as one more member of the lowest group
   whose players had the fewest byes (`ladder`).
2. Part by part, one table crosses each odd line, between the nearest two who may meet, and everybody else is paired
   inside the group (`inside`). If that works out, it is the best, since it costs what parity asks for anyway.
3. A part where it does not is settled by an exact matching of few players (`cells`), which takes in the next part as
   long as its players would gain by leaving it.
4. If there is no such round without a rematch or a pair to be kept apart, all players are matched at once, with a price
   on each of these and on the bye. That happens in small fields only: with r rounds played, 2r + 2
   players can always be paired without a rematch.

Every step is exact; `certificate` writes down why, and `faults` judges the result by other means.

Not implemented, on purpose: no pairing by rank or tiebreak (players would play for them), no regard to earlier floats.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from tournament.domain.cells import Cell, cells_between, nearest_across, settle
from tournament.domain.draw import draw_lots
from tournament.domain.inside import first_cheapest, nearest, nearest_with_bye
from tournament.domain.ladder import Ladder
from tournament.domain.matching import Matcher, cheapest
from tournament.domain.model import Bye, ByeKind, Pairing, PlayerId, Round
from tournament.domain.objective import MODULUS, Pair, Price, cost_of, in_order, number_of, pick_of
from tournament.domain.pool import Pool, barred


@dataclass(frozen=True, slots=True)
class Plan:
    """Who meets whom, and how it was found."""

    ladder: Ladder
    pairs: list[Pair]
    bye: PlayerId | None
    spans: tuple[tuple[int, int], ...]
    """Groups that are paired among themselves: the first and the last of each."""
    cells: tuple[Cell, ...]
    """What was settled exactly; counting proves the rest."""
    whole: bool = False
    """All players were matched at once, with prices."""


def pair_round(pool: Pool, draw: str, *, matcher: Matcher = cheapest) -> Round:
    """The best round for these players. The same pool and draw always give the same round.

    There is one for any number of players; a single player gets the bye.

    Args:
        pool: who is to be paired, and their past.
        draw: the event's public draw.
        matcher: the matching solver; any correct one gives the same round.
    """
    return pair_by_lots(pool, draw_lots(draw, pool.number, pool.points), matcher=matcher)


def pair_by_lots(pool: Pool, lots: Mapping[PlayerId, bytes], *, matcher: Matcher = cheapest) -> Round:
    """The same with the lots already drawn, at least 8 bytes for each player, no two alike."""
    plan = plan_round(pool, lots, matcher=matcher)
    return seat(pool, plan.ladder.place, plan.pairs, () if plan.bye is None else (plan.bye,))


def plan_round(pool: Pool, lots: Mapping[PlayerId, bytes], *, matcher: Matcher = cheapest) -> Plan:
    """Who meets whom, without tables."""
    host, mates = _bye_mates(pool)
    groups = in_order(pool.points, lots)
    ladder = Ladder(
        groups=groups,
        points=pool.points,
        lots=lots,
        barred=barred(pool),
        host=next((k for k, group in enumerate(groups) if host is not None and pool.points[group[0]] == host), None),
        mates=mates,
        matcher=matcher,
    )
    plan = _plan_by_holder(pool, ladder) if _few_mates(ladder) else _plan_by_parts(ladder)
    return _plan_whole(pool, ladder) if plan is None else plan


def seat(pool: Pool, place: Mapping[PlayerId, int], pairs: Iterable[Pair], byes: Iterable[PlayerId]) -> Round:
    """Give out the tables: from 1, in the order of the higher player at each, around the fixed ones.

    A player with a fixed table keeps it. If both have one, it is the one with the smaller number; if two tables ask for
    the same one, the higher table gets it and the other is numbered like any.
    """
    ordered = sorted(
        [pair if place[pair[0]] < place[pair[1]] else pair[::-1] for pair in pairs], key=lambda p: place[p[0]]
    )
    tables = number_tables(ordered, pool.tables)
    return Round(
        pool.number,
        (
            *(Pairing(table, first, second) for table, (first, second) in zip(tables, ordered, strict=True)),
            *(Bye(player) for player in byes),
            *(Bye(player, ByeKind.AWARDED) for player in pool.awarded),
        ),
    )


def number_tables(
    pairs: Sequence[Sequence[PlayerId]],
    fixed: Mapping[PlayerId, int],
    taken: Collection[int] = (),
    held: Sequence[int | None] = (),
) -> list[int]:
    """Table numbers for pairs in order.

    Args:
        pairs: in the order in which they are numbered; or the players of tables of several.
        fixed: whose table is fixed, and which it is.
        taken: numbers of tables that stand; nobody else gets them, whatever is fixed.
        held: the table that each pair has already, None if it has none. It stays, unless a fixed table is wanted.
    """
    if not fixed and not taken and not held:
        return list(range(1, len(pairs) + 1))
    held = held or [None] * len(pairs)
    wanted = [min((fixed[player] for player in pair if player in fixed), default=None) for pair in pairs]
    there_first = sorted(range(len(pairs)), key=lambda at: wanted[at] is None or wanted[at] != held[at])
    used = set(taken)
    kept: dict[int, int] = {}
    for claims, order in ((wanted, there_first), (held, range(len(pairs)))):
        for at in order:
            table = claims[at]
            if at not in kept and table is not None and table not in used:
                used.add(table)
                kept[at] = table
    free = (number for number in range(1, len(pairs) + len(used) + 1) if number not in used)
    return [kept[at] if at in kept else next(free) for at in range(len(pairs))]


# --- the bye --------------------------------------------------------------------------------------------------------


def _bye_mates(pool: Pool) -> tuple[int | None, frozenset[PlayerId]]:
    """In an odd field: the score of the bye's holder, and who of that score may be it (levels 3 and 4)."""
    if len(pool.points) % 2 == 0:
        return None, frozenset()
    fewest = min(pool.byes.get(player, 0) for player in pool.points)
    fresh = [player for player in pool.points if pool.byes.get(player, 0) == fewest]
    score = min(pool.points[player] for player in fresh)
    return score, frozenset(player for player in fresh if pool.points[player] == score)


def _few_mates(ladder: Ladder) -> bool:
    """Whether hardly anybody in a crowded group may have the bye, so that each of them is better tried in turn."""
    if ladder.host is None:
        return False
    floats = ladder.most + 3
    return len(ladder.mates) < 2 * floats <= 4 * (floats + ladder.most) <= len(ladder.groups[ladder.host])


def _plan_by_holder(pool: Pool, ladder: Ladder) -> Plan | None:
    """Try the bye for everybody who may have it; what remains is an even field."""
    found: list[tuple[PlayerId, Plan]] = []
    for holder in ladder.mates:
        points = {player: score for player, score in ladder.points.items() if player != holder}
        groups = in_order(points, ladder.lots)
        plan = _plan_by_parts(replace(ladder, groups=groups, points=points, host=None, mates=frozenset()))
        if plan is not None:
            found.append((holder, plan))
    if not found:
        return None
    holder, best = min(
        found,
        key=lambda way: (
            cost_of(pool, way[1].pairs, [way[0]]),
            pick_of(ladder.points, ladder.lots, way[1].pairs, way[0]),
        ),
    )
    return replace(best, ladder=ladder, bye=holder)


# --- part by part ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    """Neighbouring groups that are paired among themselves."""

    first: int
    last: int
    pairs: list[Pair]
    bye: PlayerId | None
    cells: tuple[Cell, ...] = ()


def _plan_by_parts(ladder: Ladder) -> Plan | None:
    """The best round without a barred pair; None if there is none."""
    counted = {first: _by_counting(ladder, first, last) for first, last in ladder.parts}
    done: list[_Part] = []
    parts = ladder.parts
    at = 0
    while at < len(parts):
        first, last = parts[at]
        part = counted[first]
        if part is None:
            part = _exactly(ladder, first, last, [earlier.first for earlier in done])
            if part is None:
                return None
            while done and done[-1].last >= part.first:
                done.pop()
        done.append(part)
        while at < len(parts) and parts[at][1] <= part.last:
            at += 1
    return Plan(
        ladder,
        [pair for part in done for pair in part.pairs],
        next((part.bye for part in done if part.bye is not None), None),
        tuple((part.first, part.last) for part in done),
        tuple(cell for part in done for cell in part.cells),
    )


def _by_counting(ladder: Ladder, first: int, last: int) -> _Part | None:
    """One table over each inner line, everybody else inside the group; None if that does not work out."""
    floats: list[Pair] = []
    for line in range(first + 1, last + 1):
        pair = nearest_across(ladder, line)
        if pair is None or (floats and floats[-1][1] == pair[0]):
            return None
        floats.append(pair)
    return _inside(ladder, _Part(first, last, floats, None))


def _inside(ladder: Ladder, part: _Part) -> _Part | None:
    """Add the tables inside each group for all who do not float."""
    floating = {player for pair in part.pairs for player in pair}
    pairs, bye = list(part.pairs), part.bye
    for group in range(part.first, part.last + 1):
        members: Sequence[PlayerId] = ladder.groups[group]
        if floating:
            members = [player for player in members if player not in floating]
        if group == ladder.host:
            found = nearest_with_bye(members, ladder.barred, ladder.mates, ladder.most, ladder.matcher)
            if found is None:
                return None
            stay, bye = found
        else:
            at_home = nearest(members, ladder.barred, ladder.most, ladder.matcher)
            if at_home is None:
                return None
            stay = at_home
        pairs += stay
    return _Part(part.first, part.last, pairs, bye, part.cells)


def _exactly(ladder: Ladder, first: int, last: int, starts: Sequence[int]) -> _Part | None:
    """The best pairing of a part and as many of its neighbours as it takes until nobody gains by leaving.

    Args:
        ladder: all groups.
        first: the part's first group.
        last: its last group.
        starts: where the parts above begin, as far as they are paired already.
    """
    while True:
        cells = cells_between(ladder, first, last)
        settled = [settle(ladder, cell) for cell in cells]
        above = any(cell.open_above and (s is None or s.leaves_above) for cell, s in zip(cells, settled, strict=True))
        below = any(cell.open_below and (s is None or s.leaves_below) for cell, s in zip(cells, settled, strict=True))
        if not (above or below):
            break
        first = max(start for start in starts if start < first) if above else first
        last = min(end for _, end in ladder.parts if end > last) if below else last
    floats: list[Pair] = []
    for done in settled:
        if done is None:
            return None
        floats += done.floats
    return _inside(ladder, _Part(first, last, floats, None, tuple(cells)))


# --- all at once ----------------------------------------------------------------------------------------------------


def _plan_whole(pool: Pool, ladder: Ladder) -> Plan:
    """The best round where barred pairs or second byes cannot be avoided."""
    players = [player for group in ladder.groups for player in group]
    prices = whole_prices(pool, ladder)
    matched = ladder.matcher(len(players) + len(players) % 2, [(i, j, price) for (i, j), price in prices.items()])
    assert matched is not None  # noqa: S101 (everybody may meet everybody, at a price)
    partner = dict(matched) | {other: one for one, other in matched}
    score = [pool.points[player] for player in players]
    pairs: list[Pair] = []
    bye: PlayerId | None = None
    for group in ladder.groups:
        start = ladder.place[group[0]]
        stay = [i for i in range(start, start + len(group)) if _stays(i, partner[i], score)]
        if any(partner[i] == len(players) for i in stay):
            stay.append(len(players))
        for one, other in _first_of_equals(stay, prices, ladder.matcher):
            if other == len(players):
                bye = players[one]
            else:
                pairs.append((players[one], players[other]))
    pairs += [(players[one], players[other]) for one, other in matched if not _stays(one, other, score)]
    return Plan(ladder, pairs, bye, ((0, len(ladder.groups) - 1),), (), whole=True)


def _stays(one: int, other: int, score: Sequence[int]) -> bool:
    """Whether the player meets somebody of the own group, or has the bye, which is no float."""
    return other == len(score) or score[one] == score[other]


def _first_of_equals(
    stay: Sequence[int], prices: Mapping[tuple[int, int], int], matcher: Matcher
) -> list[tuple[int, int]]:
    """Of all ways to pair those who stay that cost as little, the first in order (level 8)."""
    among = {(i, j): prices[one, stay[j]] for i, one in enumerate(stay) for j in range(i + 1, len(stay))}
    found = first_cheapest(len(stay), among, matcher)
    assert found is not None  # noqa: S101 (they were paired a moment ago)
    return [(stay[i], stay[j]) for i, j in found]


def whole_prices(pool: Pool, ladder: Ladder) -> dict[tuple[int, int], int]:
    """What each table, or the bye, costs on levels 2 to 7, as one number: players by place, the bye after the last.

    A unit of a level is worth more than all that the levels below can add up to.
    """
    players, points = [player for group in ladder.groups for player in group], pool.points
    price, tables = Price.of(pool), len(players) // 2 + 1
    place = tables * MODULUS
    level_5 = place * (tables * len(players) + 1)
    prices = {}
    for (i, one), (j, other) in combinations(enumerate(players), 2):
        prices[i, j] = level_5 * price.table(pool, one, other)
        if points[one] != points[other]:
            prices[i, j] += place * (j - i) + number_of(ladder.lots[one], ladder.lots[other])
    if len(players) % 2:
        prices |= {(i, len(players)): level_5 * price.bye(pool, player) for i, player in enumerate(players)}
    return prices
