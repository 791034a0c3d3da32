"""The smallest change of tables after a mistake: a corrected result, a drop, a return, a late entry.

A round is published and part of it is being played when the past turns out otherwise. The tables that are played or
being played stand; the others, and the bye, may change. There are up to four ways, each a whole legal round:

- leave it: every table stands that can; a single player left over has the bye
- change as few tables as possible: of all rounds without an avoidable rematch, pair kept apart or further bye, one that
  makes the fewest new tables, and of those the cheapest (levels 4 and 5 of `objective`)
- be as good as pairing again: of all rounds that are best on levels 1 to 5, one that makes the fewest new tables
- pair all open tables again

A table that stays may have to make room: whoever needs a fixed table gets it, unless it is one of those that stand; the
open table that has its number moves to a free one.

Where two rounds are still equal, the new one breaks up the tables with the largest numbers (the sum of their distances
to the largest number is smallest), and then has the smallest sum of `objective.number_of` over the new tables.

The changes are found in `changes`; here they become options with tables, costs and a preview.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from tournament.domain.changes import Held, Seated, Way, as_good, fewest
from tournament.domain.draw import draw_lots
from tournament.domain.matching import Matcher, cheapest
from tournament.domain.model import Bye, ByeKind, Pairing, PlayerId, Round, Seat
from tournament.domain.objective import Cost, cost_of
from tournament.domain.pairing import number_tables, plan_round
from tournament.domain.pool import Pool, only


class Mend(StrEnum):
    """Ways to go on after a mistake."""

    LEAVE = "leave it"
    FEWEST = "change as few tables as possible"
    AS_GOOD = "change as few tables as make it as good as pairing again"
    AGAIN = "pair all open tables again"


@dataclass(frozen=True, slots=True)
class Option:
    """One way to go on, to be looked at before it is taken."""

    mend: Mend
    after: Round
    """The whole round, the standing tables included."""
    cost: Cost
    """Of the tables that may change, and the bye."""
    removed: tuple[Seat, ...]
    """Open seats that are broken up, or move to another table; tables by number, then the bye."""
    added: tuple[Seat, ...]
    """Seats that are new, or at another table; tables by number, then the bye."""


def repair(
    pool: Pool, draw: str, current: Round, standing: Collection[int], *, matcher: Matcher = cheapest
) -> list[Option]:
    """The ways to go on, the gentlest first; ways that come to the same tables are named once.

    Args:
        pool: the players of this round as it would be paired now, after the correction: with the right points, without
            who dropped, with who returned or came late.
        draw: the event's public draw.
        current: the round as it was published.
        standing: tables that are played or being played.
        matcher: the matching solver.
    """
    case = _Case.of(pool, current, standing)
    lots = draw_lots(draw, pool.number, case.free.points)
    plan = plan_round(case.free, lots, matcher=matcher)
    held = _held(case)
    again = (plan.pairs, plan.bye)
    gentlest = _left(case, held, again)
    ways = [(Mend.LEAVE, gentlest)] if gentlest is not None else [(Mend.FEWEST, fewest(case.free, lots, held, plan))]
    ways += [(Mend.AS_GOOD, as_good(case.free, lots, held, plan)), (Mend.AGAIN, again)]
    options: list[Option] = []
    known: list[set[frozenset[PlayerId]]] = []
    for mend, way in ways:
        if (tables := _tables(way)) not in known:
            known.append(tables)
            options.append(_option(case, mend, way, plan.ladder.place))
    return options


@dataclass(frozen=True, slots=True)
class _Case:
    """A published round, and who of it may still be moved."""

    free: Pool
    current: Round
    at_standing: list[Pairing]
    open_seats: list[Seat]

    @classmethod
    def of(cls, pool: Pool, current: Round, standing: Collection[int]) -> "_Case":
        at_standing = [seat for seat in current.seats if isinstance(seat, Pairing) and seat.table in standing]
        seated = {player for seat in at_standing for player in (seat.first, seat.second)}
        open_seats = [seat for seat in current.seats if not (isinstance(seat, Pairing) and seat.table in standing)]
        return cls(only(pool, pool.points.keys() - seated), current, at_standing, open_seats)


def _held(case: _Case) -> Held:
    points = case.free.points
    tables: dict[Seated, int] = {
        (seat.first, seat.second): seat.table
        for seat in case.open_seats
        if isinstance(seat, Pairing) and {seat.first, seat.second} <= points.keys()
    }
    last = max(tables.values(), default=0)
    if len(points) % 2:
        byes = [seat for seat in case.open_seats if isinstance(seat, Bye) and seat.kind is ByeKind.ODD]
        tables |= {(seat.player, None): last for seat in byes if seat.player in points}
    return Held(tables)


def _left(case: _Case, held: Held, again: Way) -> Way | None:
    """Everything that can stay, if that is a legal round; no other makes fewer new tables then."""
    points = case.free.points
    seated = {player for seats in held.tables for player in seats}
    pairs = [(one, other) for one, other in held.tables if other is not None]
    byes = [one for one, other in held.tables if other is None] + [who for who in points if who not in seated]
    if len(byes) != len(points) % 2:
        return None
    way = pairs, byes[0] if byes else None
    return way if _priced(case, way) == _priced(case, again) else None


def mend_schedule(current: Round, here: Collection[PlayerId]) -> Option:
    """The one way to go on in a round robin: whoever was to meet a player who is gone has a bye."""
    removed = [seat for seat in current.seats if not set(_occupants(seat)) <= set(here)]
    added: list[Seat] = [Bye(player) for seat in removed for player in _occupants(seat) if player in here]
    staying = [seat for seat in current.seats if seat not in removed]
    return Option(Mend.LEAVE, Round(current.number, (*staying, *added)), Cost(), tuple(removed), tuple(added))


def _occupants(seat: Seat) -> tuple[PlayerId, ...]:
    return (seat.player,) if isinstance(seat, Bye) else (seat.first, seat.second)


def _priced(case: _Case, way: Way) -> Cost:
    """Levels 1 to 3, on which a legal round is as good as any."""
    return replace(cost_of(case.free, way[0], _byes(way[1])), bye_points=0, gaps=0)


def _byes(bye: PlayerId | None) -> list[PlayerId]:
    return [] if bye is None else [bye]


def _tables(way: Way) -> set[frozenset[PlayerId]]:
    pairs, bye = way
    return {frozenset(table) for table in [*pairs, _byes(bye)] if table}


def _option(case: _Case, mend: Mend, way: Way, place: Mapping[PlayerId, int]) -> Option:
    """Tables that stay keep their number; new ones get the free numbers, in the order of the higher player at each.

    A fixed table goes before: an open table makes room for whoever needs its number.
    """
    pairs, byes = way[0], _byes(way[1])
    open_tables = [seat for seat in case.open_seats if isinstance(seat, Pairing)]
    sitting = {frozenset((seat.first, seat.second)): seat for seat in open_tables}
    sorted_pairs = [sorted(pair, key=place.__getitem__) for pair in pairs]
    ordered = [(upper, lower) for upper, lower in sorted(sorted_pairs, key=lambda pair: place[pair[0]])]
    before = [sitting.get(frozenset(pair)) for pair in ordered]
    numbers = number_tables(
        ordered,
        case.free.tables,
        [seat.table for seat in case.at_standing],
        [None if seat is None else seat.table for seat in before],
    )
    tables = [_at(number, pair, seat) for number, pair, seat in zip(numbers, ordered, before, strict=True)]
    staying = {(table.first, table.second) for table, seat in zip(tables, before, strict=True) if table is seat}
    after_byes: list[Seat] = [*map(Bye, byes), *(Bye(player, ByeKind.AWARDED) for player in case.free.awarded)]
    after: tuple[Seat, ...] = (
        *sorted([*case.at_standing, *tables], key=lambda seat: seat.table),
        *after_byes,
    )
    had_bye = [seat for seat in case.open_seats if isinstance(seat, Bye)]
    by_number = sorted(tables, key=lambda seat: seat.table)
    return Option(
        mend,
        Round(case.current.number, after),
        cost_of(case.free, pairs, byes),
        removed=(
            *(
                seat
                for seat in sorted(open_tables, key=lambda seat: seat.table)
                if (seat.first, seat.second) not in staying
            ),
            *(seat for seat in had_bye if seat not in after_byes),
        ),
        added=(
            *(table for table in by_number if (table.first, table.second) not in staying),
            *(seat for seat in after_byes if seat not in had_bye),
        ),
    )


def _at(number: int, pair: tuple[PlayerId, PlayerId], seat: Pairing | None) -> Pairing:
    """The pair at a table: the very seat that they have, if it has that number."""
    if seat is None:
        return Pairing(number, *pair)
    return seat if seat.table == number else replace(seat, table=number)
