"""Tables that change after a round was paired: what goes, what comes, and what everybody may read about it."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from tournament import store
from tournament.domain.model import AnyRound, Bye, Pairing, Pod, Seat
from tournament.domain.objective import Cost
from tournament.service.chain import canonical
from tournament.service.commands import Fact
from tournament.service.rounds import Seated, seated
from tournament.tables import EventRow, LogRow, SeatRow, TableChangeRow, chairs


class Placed(Seated):
    """A seat with its place in the order in which the round was paired."""

    place: int


class Reseated(Fact):
    """Seats of a round that are gone, and those that came for them."""

    round: int
    removed: list[Placed]
    added: list[Placed]
    stood: list[int]
    """Tables of a published round that had a result or were being played, so that they could not change."""


def placed(row: SeatRow) -> Placed:
    """A seat as a fact has it."""
    return Placed(
        place=row.place, first=row.first, second=row.second, others=row.others, table=row.table_number, bye=row.bye
    )


def refilled(rows: Sequence[SeatRow], removed: Collection[Seat], added: Iterable[Seat]) -> tuple[list[Placed], ...]:
    """The seats that go and those that come, which take their places; more than these get the places after the last."""
    going = [placed(row) for row in rows if _key(store.seat_from(row)) in set(map(_key, removed))]
    free = [seat.place for seat in going]
    last = max((row.place for row in rows), default=0)
    coming = [
        Placed(place=free[at] if at < len(free) else last + 1 + at - len(free), **seated(seat).model_dump())
        for at, seat in enumerate(added)
    ]
    return going, coming


def reseat(session: Session, event: EventRow, fact: Reseated) -> None:
    """Put the new seats in the places of the old ones."""
    rows = [
        SeatRow(
            event_id=event.id,
            round=fact.round,
            place=seat.place,
            first=seat.first,
            second=seat.second,
            table_number=seat.table,
            bye=seat.bye,
            **chairs(seat.others),
        )
        for seat in fact.added
    ]
    store.replace_seats(session, event.id, fact.round, removed=[seat.place for seat in fact.removed], added=rows)
    store.mark_stood(session, event.id, fact.round, fact.stood)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What everybody may read of a change, once the round is published."""

    how: str
    because: str
    worse: Sequence[str] = ()
    others: Sequence[Mapping[str, Any]] = ()


def note(session: Session, event: EventRow, row: LogRow, fact: Reseated, said: Said) -> None:
    """Write a change down."""
    change = {
        "removed": [seat.model_dump(exclude={"place"}) for seat in fact.removed],
        "added": [seat.model_dump(exclude={"place"}) for seat in fact.added],
        "worse": said.worse,
        "others": said.others,
    }
    store.add_table_change(
        session,
        TableChangeRow(
            event_id=event.id,
            sequence=row.sequence,
            round=fact.round,
            at=row.at,
            how=said.how,
            because=said.because,
            change=canonical(change),
        ),
    )


def net(changes: Iterable[TableChangeRow]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """All changes of a round together: tables of the draw that are gone, and tables that the draw did not make."""
    gone: dict[str, dict[str, Any]] = {}
    come: dict[str, dict[str, Any]] = {}
    for row in changes:
        change = json.loads(row.change)
        for seats, here, there in ((change["removed"], come, gone), (change["added"], gone, come)):
            for seat in seats:
                key = canonical(seat)
                if here.pop(key, None) is None:
                    there[key] = seat
    return list(gone.values()), list(come.values())


def worse(before: Cost, after: Cost) -> list[str]:
    """On which levels of the objective tables are worse than others."""
    levels = (
        ("players or byes too many or too few", before.left_out, after.left_out),
        ("rematches", len(before.rematches), len(after.rematches)),
        ("tables of two who are to be kept apart", before.apart, after.apart),
        ("byes that the bye's holder had before", before.byes_before, after.byes_before),
        ("points of the bye's holder", before.bye_points, after.bye_points),
        ("squared differences of points, in sum", before.gaps, after.gaps),
    )
    return [f"{what}: {now} instead of {was}" for what, was, now in levels if now > was]


def standing(played: AnyRound, playing: Collection[int] = ()) -> set[int]:
    """The tables of a round that have a result, or are being played."""
    tables = (seat for seat in played.seats if not isinstance(seat, Bye))
    return {seat.table for seat in tables if _is_over(seat) or seat.table in playing}


def _is_over(seat: Pairing | Pod) -> bool:
    return (seat.result if isinstance(seat, Pairing) else seat.placing) is not None


def _key(seat: Seat) -> tuple[str, ...]:
    return ("bye", seat.player, seat.kind) if isinstance(seat, Bye) else ("table", str(seat.table))
