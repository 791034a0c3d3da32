"""How to get from published tables to better ones by the fewest new tables.

Exact in every case; three methods, the quickest first:

1. Where nothing has to change, nothing does. In a span that counting proves (`ladder`), the tables that stay within a
   group or cross an odd line once are as good as any; all others there must go. If those whose tables are gone can be
   paired among themselves at the best price, fewer new tables are impossible.
2. If not, one more table is broken up: each in turn, the largest number first.
3. If that does not do either, a matching with a price on every new table. In a large span it looks at the open tables
   with the largest numbers of each kind (the points of the two) only, but at so many that one of them can always take
   the place of any other: of n + 2c + 1 tables of one kind, where at most n are broken up and nobody of the span is
   barred from members of more than c, one is left that suits both new opponents.

`repair` says what is minimised.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeAlias

from tournament.domain.ladder import Ladder
from tournament.domain.matching import Matcher
from tournament.domain.model import PlayerId
from tournament.domain.objective import MODULUS, Pair, Price, number_of
from tournament.domain.pairing import Plan
from tournament.domain.pool import Pool

Way: TypeAlias = tuple[list[Pair], PlayerId | None]
"""Who meets whom, and who has the bye."""

Seated: TypeAlias = tuple[PlayerId, PlayerId | None]
"""Two who meet, or one who has the bye."""

AT_ONCE = 48
"""Players up to whom one matching of all is quicker than looking closer."""


@dataclass(frozen=True, slots=True)
class Held:
    """What of the published round could stay: open tables whose players are all still to be paired."""

    tables: Mapping[Seated, int]
    """With their numbers; the bye counts as the largest one."""

    @property
    def last(self) -> int:
        """The largest number."""
        return max(self.tables.values(), default=0)


def as_good(pool: Pool, lots: Mapping[PlayerId, bytes], held: Held, plan: Plan) -> Way:
    """The fewest new tables that make the round as good as pairing again, on levels 1 to 5."""
    ladder = plan.ladder
    if plan.whole or len(pool.points) <= AT_ONCE:
        price = Price.of(pool)
        return _way(_all_at_once(pool, lots, held, ladder.matcher, lambda seated: (_price(pool, price, seated), 0)))
    task = _Task(pool, lots, held, ladder, frozenset(ladder.mates))
    return _way([seated for span in _spans(task, plan) for seated in _settled(task, span)])


def fewest(pool: Pool, lots: Mapping[PlayerId, bytes], held: Held, plan: Plan) -> Way:
    """The fewest new tables without a barred pair or a further bye that can be avoided, and the cheapest of them."""
    price, ladder = Price.of(pool), plan.ladder
    if not plan.whole and len(pool.points) > AT_ONCE:
        least = min(pool.byes.get(player, 0) for player in pool.points)
        task = _Task(pool, lots, held, ladder, {p for p in pool.points if pool.byes.get(p, 0) == least})
        staying = {seated: table for seated, table in held.tables.items() if _is_allowed(task, seated)}
        homeless = _homeless(pool.points, staying, with_bye=ladder.host is not None)
        found = _among(task, homeless)
        if found is not None:
            return _way([*staying, *found.seats])
        broken = _by_breaking_one(task, staying, homeless)
        if broken is not None:
            return _way(broken)

    def split(seated: Seated) -> tuple[int, int]:
        barred = _barred_price(pool, price, seated)
        return barred, _price(pool, price, seated) - barred

    return _way(_all_at_once(pool, lots, held, ladder.matcher, split))


def _way(seats: Iterable[Seated]) -> Way:
    pairs: list[Pair] = []
    bye: PlayerId | None = None
    for one, other in seats:
        if other is None:
            bye = one
        else:
            pairs.append((one, other))
    return pairs, bye


def _price(pool: Pool, price: Price, seated: Seated) -> int:
    one, other = seated
    return price.bye(pool, one) if other is None else price.table(pool, one, other)


def _barred_price(pool: Pool, price: Price, seated: Seated) -> int:
    one, other = seated
    return price.repeated_bye(pool, one) if other is None else price.barred_table(pool, one, other)


# --- with as few tables as can be seen at once ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Task:
    pool: Pool
    lots: Mapping[PlayerId, bytes]
    held: Held
    ladder: Ladder
    mates: Collection[PlayerId]
    """Who may have the bye."""


@dataclass(frozen=True, slots=True, order=True)
class _Worth:
    """What tables cost: the points of the bye, the gaps, and for new ones the number that settles ties."""

    bye_points: int = 0
    gaps: int = 0
    number: int = 0

    def __add__(self, other: "_Worth") -> "_Worth":
        return _Worth(self.bye_points + other.bye_points, self.gaps + other.gaps, self.number + other.number)


@dataclass(frozen=True, slots=True)
class _Found:
    """New tables."""

    worth: _Worth
    seats: list[Seated]


def _worth(task: _Task, seated: Seated) -> _Worth | None:
    """What a table costs that is new; None: these two should not meet, or this one not have the bye."""
    one, other = seated
    points = task.pool.points
    if other is None:
        return _Worth(bye_points=points[one]) if one in task.mates else None
    if other in task.ladder.barred[one]:
        return None
    return _Worth(0, (points[one] - points[other]) ** 2, number_of(task.lots[one], task.lots[other]))


def _homeless(players: Iterable[PlayerId], staying: Iterable[Seated], *, with_bye: bool) -> list[PlayerId | None]:
    """Who has no seat among those that stay; None stands for the bye."""
    seated = {player for seats in staying for player in seats}
    everybody: list[PlayerId | None] = [*players, None] if with_bye else [*players]
    return [player for player in everybody if player not in seated]


def _is_allowed(task: _Task, seated: Seated) -> bool:
    one, other = seated
    return one in task.mates if other is None else other not in task.ladder.barred[one]


@dataclass(slots=True)
class _Span:
    """Groups that are paired among themselves (`pairing.Plan`)."""

    players: Collection[PlayerId]
    has_bye: bool
    counted: bool
    """Whether counting proves it."""
    paid: int = 0
    """The least gaps."""
    staying: dict[Seated, int] = field(default_factory=dict)
    """Published tables that are as good as any."""


def _spans(task: _Task, plan: Plan) -> list[_Span]:
    ladder, points = task.ladder, task.pool.points
    spans: list[_Span] = []
    at: dict[int, _Span] = {}
    for first, last in plan.spans:
        exact = any(first <= cell.first and cell.last <= last for cell in plan.cells)
        players = dict.fromkeys(player for group in ladder.groups[first : last + 1] for player in group)
        span = _Span(players, ladder.host is not None and first <= ladder.host <= last, counted=not exact)
        spans.append(span)
        at.update(dict.fromkeys(ladder.scores[first : last + 1], span))
    for upper, lower in plan.pairs:
        at[points[upper]].paid += (points[upper] - points[lower]) ** 2
    for seated, table in task.held.tables.items():
        one, other = seated
        span = at[points[one]]
        together = other is None or at[points[other]] is span
        if together and _is_allowed(task, seated) and (not span.counted or _is_as_counted(ladder, seated)):
            span.staying[seated] = table
    return spans


def _settled(task: _Task, span: _Span) -> list[Seated]:
    """The best seats of a span with the fewest new ones."""
    homeless = _homeless(span.players, span.staying, with_bye=span.has_bye)
    found = _among(task, homeless)
    if found is not None and found.worth.gaps + _gaps(task, span.staying) == span.paid:
        return [*span.staying, *found.seats]
    broken = _by_breaking_one(task, span.staying, homeless, span.paid)
    if broken is not None:
        return broken
    return _by_matching(task, span, homeless)


def _is_as_counted(ladder: Ladder, seated: Seated) -> bool:
    """Whether a table stays inside a group or crosses one odd line, so that counting has nothing against it."""
    one, other = seated
    if other is None or ladder.points[one] == ladder.points[other]:
        return True
    upper, lower = sorted((ladder.points[one], ladder.points[other]), reverse=True)
    line = ladder.scores.index(upper) + 1
    return ladder.odd[line] and ladder.scores[line] == lower


def _gaps(task: _Task, seats: Iterable[Seated]) -> int:
    points = task.pool.points
    return sum((points[one] - points[other]) ** 2 for one, other in seats if other is not None)


def _among(task: _Task, people: Sequence[PlayerId | None]) -> _Found | None:
    """The cheapest way to seat some people with one another; None: there is none."""
    worths: dict[tuple[int, int], tuple[_Worth, Seated]] = {}
    for (i, one), (j, other) in combinations(enumerate(people), 2):
        seated = _seated(one, other)
        worth = None if seated is None else _worth(task, seated)
        if seated is not None and worth is not None:
            worths[i, j] = worth, seated
    number = MODULUS * (len(people) + 1)
    bye_points = number * (sum(worth.gaps for worth, _ in worths.values()) + 1)
    lowest = min((worth.bye_points for worth, _ in worths.values()), default=0)
    edges = [
        (i, j, worth.number + number * worth.gaps + bye_points * (worth.bye_points - min(lowest, 0)))
        for (i, j), (worth, _) in worths.items()
    ]
    matched = task.ladder.matcher(len(people), edges)
    if matched is None:
        return None
    return _Found(sum((worths[pair][0] for pair in matched), _Worth()), [worths[pair][1] for pair in matched])


def _seated(one: PlayerId | None, other: PlayerId | None) -> Seated | None:
    """A seat for two, of whom one may be the bye."""
    if one is None:
        one, other = other, one
    return None if one is None else (one, other)


def _by_breaking_one(
    task: _Task, staying: Mapping[Seated, int], homeless: Sequence[PlayerId | None], paid: int | None = None
) -> list[Seated] | None:
    """Seat the homeless by breaking up one table, the cheapest way; the seats of all.

    Args:
        task: the field.
        staying: tables of which one may go.
        homeless: who has none; None stands for the bye.
        paid: the least gaps of all; None is returned if they are not reached.
    """
    spare = None if paid is None else paid - _gaps(task, staying)
    moves = [
        (one, other, found)
        for pair in combinations(homeless, 2)
        if (found := _among(task, [who for who in homeless if who not in pair])) is not None
        for one, other in (pair, pair[::-1])
    ]
    best: tuple[tuple[tuple[int, int], int, int], Seated, list[Seated]] | None = None
    for broken, table in sorted(staying.items(), key=lambda item: -item[1]):
        for one, other, found in moves:
            change = _change(task, broken, one, other, found)
            if (spare is not None and change[1] != spare) or (best is not None and (change, -table) > best[0][:2]):
                continue
            new = [seated for seated in (_seated(broken[0], one), _seated(broken[1], other)) if seated is not None]
            if len(new) == _ENDS and all(_is_allowed(task, seated) for seated in new):
                key = change, -table, found.worth.number + sum(_tie(task.lots, seated) for seated in new)
                if best is None or key < best[0]:
                    best = key, broken, [*new, *found.seats]
        if best is not None and spare is not None:
            break
    return None if best is None else [*(seated for seated in staying if seated != best[1]), *best[2]]


_ENDS = 2


def _change(
    task: _Task, broken: Seated, one: PlayerId | None, other: PlayerId | None, found: _Found
) -> tuple[int, int]:
    """By how much the points of the bye and the gaps grow if a table's players meet these two instead."""
    points = task.pool.points
    bye_points, gaps = found.worth.bye_points, found.worth.gaps
    for who, whom, sign in ((broken[0], one, 1), (broken[1], other, 1), (*broken, -1)):
        if who is not None and whom is not None:
            gaps += sign * (points[who] - points[whom]) ** 2
        else:
            holder = whom if who is None else who
            bye_points += sign * (0 if holder is None else points[holder])
    return bye_points, gaps


# --- by a matching --------------------------------------------------------------------------------------------------


_Possible: TypeAlias = dict[tuple[int, int], tuple[Seated, int, int]]
"""Seats by the places of the two in a list, with two prices: what counts before the number of new tables, and after."""


def _all_at_once(
    pool: Pool,
    lots: Mapping[PlayerId, bytes],
    held: Held,
    matcher: Matcher,
    split: Callable[[Seated], tuple[int, int]],
) -> list[Seated]:
    """The best seats: what `split` names first, then the fewest new tables, then what it names second."""
    people: list[PlayerId | None] = [*pool.points, *[None] * (len(pool.points) % 2)]
    possible: _Possible = {}
    for (i, one), (j, other) in combinations(enumerate(people), 2):
        if one is not None:
            possible[i, j] = (one, other), *split((one, other))
    found = _matched(people, possible, held.tables, lots, matcher)
    assert found is not None  # noqa: S101 (everybody may meet everybody, at a price)
    return found


def _matched(
    people: Sequence[PlayerId | None],
    possible: _Possible,
    stay: Mapping[Seated, int],
    lots: Mapping[PlayerId, bytes],
    matcher: Matcher,
) -> list[Seated] | None:
    number = MODULUS * len(people)
    low = number * (len(people) * max(stay.values(), default=0) + 1)
    new = low * (len(people) * max((price for _, _, price in possible.values()), default=0) + 1)
    high = new * (len(people) + 1)
    tables = {frozenset(seated): table for seated, table in stay.items()}
    edges = []
    for (i, j), (seated, worse, less) in possible.items():
        table = tables.get(frozenset(seated))
        last = new + _tie(lots, seated) if table is None else number * table
        edges.append((i, j, high * worse + low * less + last))
    matched = matcher(len(people), edges)
    return None if matched is None else [possible[pair][0] for pair in matched]


def _tie(lots: Mapping[PlayerId, bytes], seated: Seated) -> int:
    one, other = seated
    return 0 if other is None else number_of(lots[one], lots[other])


def _by_matching(task: _Task, span: _Span, homeless: Sequence[PlayerId | None]) -> list[Seated]:
    """The best seats of a span by a matching of the homeless and of enough tables of each kind."""
    kinds = _kinds(task, span.staying)
    barred = [_most_barred(task, kind, span.players) for kind in kinds]
    broken = 2
    while True:
        taken = {
            seated: span.staying[seated]
            for kind, most in zip(kinds, barred, strict=True)
            for seated in kind[: broken + 2 * most + 1]
        }
        people = [*homeless, *(who for seated in taken for who in seated)]
        found = _matched(people, _possible(task, span, people), taken, task.lots, task.ladder.matcher)
        assert found is not None  # noqa: S101 (they are paired in the plan)
        gone = taken.keys() - {*found, *((other, one) for one, other in found if other is not None)}
        if all(len(gone.intersection(kind)) <= broken for kind in kinds):
            return [*found, *(seated for seated in span.staying if seated not in taken)]
        broken *= 2


def _possible(task: _Task, span: _Span, people: Sequence[PlayerId | None]) -> _Possible:
    """Who may meet whom; in a span that counting proves, only as it is counted."""
    ladder, points, possible = task.ladder, task.pool.points, _Possible()
    scores = ladder.scores
    steps = {(scores[k - 1], scores[k]) for k in range(1, len(scores)) if ladder.odd[k]}
    near = {(score, score) for score in scores} | steps | {step[::-1] for step in steps}
    for i, one in enumerate(people):
        for j in range(i):
            other = people[j]
            if one is None or other is None:
                seated = _seated(one, other)
                if seated is not None and _is_allowed(task, seated):
                    possible[j, i] = seated, 0, 0
                continue
            pair = points[one], points[other]
            if (not span.counted or pair in near) and other not in ladder.barred[one]:
                possible[j, i] = (one, other), (pair[0] - pair[1]) ** 2, 0
    return possible


def _kinds(task: _Task, staying: Mapping[Seated, int]) -> list[list[Seated]]:
    """The tables by the points of the two, the largest numbers first."""
    kinds: dict[frozenset[int | None], list[Seated]] = {}
    for seated in sorted(staying, key=staying.__getitem__, reverse=True):
        kind = frozenset(None if who is None else task.pool.points[who] for who in seated)
        kinds.setdefault(kind, []).append(seated)
    return list(kinds.values())


def _most_barred(task: _Task, kind: Sequence[Seated], players: Collection[PlayerId]) -> int:
    """Of how many who sit at these tables one player of the span is barred from, at most."""
    counts = Counter(other for seated in kind for who in seated if who is not None for other in task.ladder.barred[who])
    return max((count for player, count in counts.items() if player in players), default=0)
