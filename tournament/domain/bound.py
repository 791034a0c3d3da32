"""Numbers that prove a round best on levels 1 to 5, from what the pairing did.

Where counting was enough they are the odd lines of the ladder. Where a cell was settled exactly, its small groups are
matched again with a proof (`matching_proof`). Who is beyond is not named there: a nameless member or two stand for
"everybody from there up", two more for everybody below, as many as keep the parity of the line; and meeting a member of
a large group below is an exit at the price of the gap.

`certificate` says what the numbers mean and checks them, and it takes nothing from here.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations
from typing import TypeVar

from tournament.domain.cells import Cell
from tournament.domain.certificate import EIGHTHS, Bound, Charge
from tournament.domain.ladder import Ladder, is_large
from tournament.domain.matching import Edge
from tournament.domain.matching_proof import Proven, cheapest_with_proof
from tournament.domain.model import PlayerId
from tournament.domain.objective import Pair, Price, cost_of
from tournament.domain.pairing import Plan
from tournament.domain.pool import Pool

T = TypeVar("T")

MOST_NAMED = 600
"""Players that are matched with a proof at once, at most; that takes a second or two."""


class _Stand(Enum):
    """Who takes part in a matching besides players."""

    BYE = "the bye"
    ABOVE = "somebody above the small groups"
    BELOW = "somebody below the cell"


_Member = tuple[PlayerId | _Stand, int, int]
"""Who, with how many points, and what it costs to come so far, in halves of a gap."""


@dataclass
class _Piece:
    """The numbers of one cell."""

    charges: list[Charge] = field(default_factory=list)
    potentials: dict[PlayerId, int] = field(default_factory=dict)
    of_bye: int = 0

    @property
    def total(self) -> int:
        """What the tables of the cell cost at least, in eighths."""
        return sum(self.potentials.values()) + self.of_bye + sum(charge.eighths for charge in self.charges)


def bound_of(pool: Pool, plan: Plan) -> tuple[Bound, str]:
    """The bound of a planned round, and what it leaves open."""
    if plan.whole:
        return _bound_with_prices(pool, plan), ""
    ladder = plan.ladder
    spans = [(cell.first, cell.last) for cell in plan.cells if not _is_of_large(ladder, cell)]
    pieces = [_piece(ladder, span, {k for k in span if is_large(ladder, k)}, plan.pairs) for span in spans]
    while None in pieces:
        first, last = _widened(ladder, spans[pieces.index(None)], spans)
        inside = [k for k, (start, end) in enumerate(spans) if first <= start and end <= last]
        if sum(map(len, ladder.groups[first : last + 1])) > MOST_NAMED:
            spans, pieces = _without(spans, inside), _without(pieces, inside)
        else:
            spans = [*_without(spans, inside), (first, last)]
            pieces = [*_without(pieces, inside), _piece(ladder, (first, last), set(), plan.pairs)]
    settled = {line for first, last in spans for line in range(first + 1, last + 1)}
    lines = [k for k in range(1, len(ladder.groups)) if ladder.odd[k] and k not in settled]
    bound = _joined(ladder, [piece for piece in pieces if piece is not None], lines)
    short = EIGHTHS * cost_of(pool, plan.pairs, [] if plan.bye is None else [plan.bye]).gaps - _total(bound)
    return bound, f"gaps of {short}/{EIGHTHS} are not proven by numbers" if short else ""


def _is_of_large(ladder: Ladder, cell: Cell) -> bool:
    return all(is_large(ladder, k) for k in range(cell.first, cell.last + 1))


def _widened(ladder: Ladder, span: tuple[int, int], spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The parts that a span touches, or one more on either side if it is made of whole parts already."""
    first, last = _parts_of(ladder, span)
    if first == span[0] and last == span[1]:
        first, last = _parts_of(ladder, (max(0, first - 1), min(len(ladder.groups) - 1, last + 1)))
    for start, end in spans:
        if start < first <= end or start <= last < end:
            return _widened(ladder, (min(first, start), max(last, end)), spans)
    return first, last


def _parts_of(ladder: Ladder, span: tuple[int, int]) -> tuple[int, int]:
    touched = [(start, end) for start, end in ladder.parts if start <= span[1] and span[0] <= end]
    return touched[0][0], touched[-1][1]


def _without(items: Sequence[T], places: Collection[int]) -> list[T]:
    return [item for at, item in enumerate(items) if at not in places]


def _joined(ladder: Ladder, pieces: Sequence[_Piece], lines: Sequence[int]) -> Bound:
    counted = [Charge(EIGHTHS * ladder.step(k) ** 2, down_to=ladder.scores[k - 1]) for k in lines]
    return Bound(
        (*counted, *(charge for piece in pieces for charge in piece.charges)),
        {player: eighths for piece in pieces for player, eighths in piece.potentials.items()},
        sum(piece.of_bye for piece in pieces),
    )


def _total(bound: Bound) -> int:
    return sum(bound.potentials.values()) + bound.of_bye + sum(charge.eighths for charge in bound.charges)


# --- one cell -------------------------------------------------------------------------------------------------------


def _piece(ladder: Ladder, span: tuple[int, int], walls: set[int], pairs: Sequence[Pair]) -> _Piece | None:
    """The numbers of some groups; None: those found do not reach what the tables of these groups cost."""
    first, last = span
    members = _members(ladder, first, last, walls)
    wall = ladder.scores[last]
    exits = {
        at: 2 * (score - wall) ** 2 + extra
        for at, (who, score, extra) in enumerate(members)
        if last in walls and who is not _Stand.BYE
    }
    proven = cheapest_with_proof(len(members), list(_tables(ladder, members)), exits)
    above = ladder.scores[first if first in walls else max(0, first - 1)]
    piece = None if proven is None else _read(members, proven, above)
    within = range(wall, ladder.scores[first] + 1)
    scores = [(ladder.points[one], ladder.points[other]) for one, other in pairs]
    paid = sum((one - other) ** 2 for one, other in scores if one in within and other in within)
    return piece if piece is not None and piece.total == EIGHTHS * paid else None


def _members(ladder: Ladder, first: int, last: int, walls: set[int]) -> list[_Member]:
    """Of those beyond an end as many as parity asks for: one or two of a large group above, two beyond an even line.

    They come at the price of half the step at an even line; the other half is paid beyond it.
    """
    members: list[_Member] = []
    for k in range(first, last + 1):
        if k not in walls:
            members += [(player, ladder.scores[k], 0) for player in ladder.groups[k]]
            if k == ladder.host:
                members.append((_Stand.BYE, ladder.scores[k], 0))
    if first in walls:
        members += [(_Stand.ABOVE, ladder.scores[first], 0)] * (1 if ladder.odd[first + 1] else 2)
    elif first:
        members += [(_Stand.ABOVE, ladder.scores[first], ladder.step(first) ** 2)] * 2
    if last not in walls and last < len(ladder.groups) - 1:
        members += [(_Stand.BELOW, ladder.scores[last], ladder.step(last + 1) ** 2)] * 2
    return members


def _tables(ladder: Ladder, members: Sequence[_Member]) -> Iterator[Edge]:
    """Twice the gap of each two who may meet; the bye stands behind the last player of its group."""
    for (i, (one, score, extra)), (j, (other, its_score, its_extra)) in combinations(enumerate(members), 2):
        if one is _Stand.BYE or other is _Stand.BYE:
            if one in ladder.mates or other in ladder.mates:
                yield i, j, 0
        elif one is other:
            yield i, j, 0
        elif isinstance(one, _Stand) or isinstance(other, _Stand) or other not in ladder.barred[one]:
            yield i, j, 2 * (score - its_score) ** 2 + extra + its_extra


def _read(members: Sequence[_Member], proven: Proven, above: int) -> _Piece | None:
    """The solver's numbers in the words of a bound: quarters of twice a gap are eighths of a gap.

    A set with those below is charged as the set of all others. None: the numbers tell apart the two who stand for
    everybody above, or below.
    """
    piece = _Piece()
    everybody = {who for who, _, _ in members} | {_Stand.BELOW}
    for inside, eighths in proven.bound.charges:
        names = {members[at][0] for at in inside}
        if names & {members[at][0] for at in range(len(members)) if at not in inside}:
            return None
        if _Stand.BELOW in names:
            names = everybody - names
        piece.charges.append(_charge(names, eighths, above))
    worth = {_Stand.ABOVE: 0, _Stand.BELOW: 0}
    for (who, _, _), eighths in zip(members, proven.bound.potentials, strict=True):
        if who is _Stand.BYE:
            piece.of_bye = eighths
        elif isinstance(who, _Stand):
            worth[who] += eighths
        else:
            piece.potentials[who] = eighths
    alone = sum(who is _Stand.ABOVE for who, _, _ in members) == 1
    if worth[_Stand.BELOW] or worth[_Stand.ABOVE] < 0 or (worth[_Stand.ABOVE] and not alone):
        return None
    if worth[_Stand.ABOVE]:
        piece.charges.append(_charge({_Stand.ABOVE}, worth[_Stand.ABOVE], above))
    return piece


def _charge(names: Collection[PlayerId | _Stand], eighths: int, above: int) -> Charge:
    players = frozenset(who for who in names if not isinstance(who, _Stand))
    return Charge(eighths, players, _Stand.BYE in names, above if _Stand.ABOVE in names else None)


# --- all at once ----------------------------------------------------------------------------------------------------


def _bound_with_prices(pool: Pool, plan: Plan) -> Bound:
    """The numbers of a round in which a barred pair or a second bye could not be avoided."""
    players = [player for group in plan.ladder.groups for player in group]
    price = Price.of(pool)
    edges = [(i, j, 2 * price.table(pool, one, other)) for (i, one), (j, other) in combinations(enumerate(players), 2)]
    names: list[PlayerId | _Stand] = [*players]
    if len(players) % 2:
        edges += [(i, len(players), 2 * price.bye(pool, player)) for i, player in enumerate(players)]
        names.append(_Stand.BYE)
    proven = cheapest_with_proof(len(names), edges)
    assert proven is not None  # noqa: S101 (everybody may meet everybody, at a price)
    piece = _read([(who, 0, 0) for who in names], proven, 0)
    assert piece is not None  # noqa: S101 (nobody stands for a large group)
    return Bound(tuple(piece.charges), piece.potentials, piece.of_bye, whole=True)
