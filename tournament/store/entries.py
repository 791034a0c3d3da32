"""Entries, and the waiting list."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Integer, bindparam, func, insert, or_, tuple_
from sqlalchemy import select as columns
from sqlmodel import Session, col, select

from tournament.domain.model import Player, PlayerId
from tournament.store.asking import EVENT, OF_ROUND, add_all, row_from, rows_from
from tournament.store.group import Known, know, known, unknown
from tournament.tables import EntryRow, RoundRow, SeatRow, SeedRow

HAD_A_PLACE: Final = (col(EntryRow.waiting).is_(None), col(EntryRow.merged_into).is_(None))
"""Of an entry that plays or has played: it does not wait, and is part of no other."""
IS_IN: Final = (col(EntryRow.dropped_after).is_(None), *HAD_A_PLACE)
"""Of an entry that has a place and did not leave."""
_CODES: Final = columns(EntryRow.number, EntryRow.code).where(col(EntryRow.event_id) == EVENT)  # type: ignore[call-overload]
_CODE: Final = _CODES.where(col(EntryRow.number) == bindparam("entry", type_=Integer))
_SOME_CODES: Final = _CODES.where(col(EntryRow.number).in_(bindparam("entries", expanding=True)))


def find_entry(session: Session, event: str, number: int) -> EntryRow | None:
    """The entry of that number."""
    return session.get(EntryRow, (event, number))


def code_of(session: Session, event: str, number: int) -> int | None:
    """Which code of an entry is good; None if there is no such entry."""

    def ask() -> int | None:
        found = row_from(session, _CODE, event=event, entry=number)
        return None if found is None else int(found.code)

    code: int | None = known(session, Known.CODES, (event, number), ask)
    return code


def foresee_codes(session: Session, entries: Iterable[tuple[str, int]]) -> None:
    """Look up the codes of a whole group, by event and number."""
    asked = unknown(session, Known.CODES, entries)
    for event, of_event in groupby(asked, itemgetter(0)):
        rows = rows_from(session, _SOME_CODES, event=event, entries=[number for _, number in of_event])
        know(session, Known.CODES, {(event, row.number): row.code for row in rows})
    know(session, Known.CODES, dict.fromkeys(unknown(session, Known.CODES, asked)))


def entries_of(session: Session, event: str, *, after: int = 0, limit: int | None = None) -> Sequence[EntryRow]:
    """Entries by number, all of them or a page."""
    query = select(EntryRow).where(EntryRow.event_id == event, EntryRow.number > after).order_by(col(EntryRow.number))
    return session.exec(query if limit is None else query.limit(limit)).all()


def last_entry(session: Session, event: str) -> int:
    """The highest number given out; 0 before the first."""
    return session.exec(select(func.max(EntryRow.number)).where(EntryRow.event_id == event)).one() or 0


def entries_in(session: Session, event: str) -> int:
    """How many have a place and did not leave."""
    return session.exec(select(func.count()).select_from(EntryRow).where(EntryRow.event_id == event, *IS_IN)).one()


def here_of(session: Session, event: str) -> Sequence[EntryRow]:
    """Everybody who has a place and did not leave, by number."""
    return session.exec(select(EntryRow).where(EntryRow.event_id == event, *IS_IN).order_by(col(EntryRow.number))).all()


def waiting_of(session: Session, event: str, *, limit: int | None = None) -> Sequence[int]:
    """Numbers of those who wait for a place, who waits longest first; all of them or the first few."""
    return [row.number for row in waiting_rows(session, event, limit=limit)]


def waiting_rows(session: Session, event: str, *, limit: int | None = None) -> Sequence[EntryRow]:
    """The same as rows."""
    query = select(EntryRow).where(
        EntryRow.event_id == event,
        col(EntryRow.waiting).is_not(None),
        col(EntryRow.dropped_after).is_(None),
        col(EntryRow.merged_into).is_(None),
    )
    return session.exec(query.order_by(col(EntryRow.waiting), col(EntryRow.number)).limit(limit)).all()


def waiting_before(session: Session, event: str, row: EntryRow) -> int:
    """How many wait longer than this entry, which waits."""
    query = select(func.count()).select_from(EntryRow)
    return session.exec(
        query.where(
            EntryRow.event_id == event,
            col(EntryRow.dropped_after).is_(None),
            col(EntryRow.merged_into).is_(None),
            tuple_(col(EntryRow.waiting), col(EntryRow.number)) < (row.waiting, row.number),
        )
    ).one()


def entries_numbered(session: Session, event: str, numbers: Collection[int]) -> Sequence[EntryRow]:
    """The entries of these numbers, by number."""
    if not numbers:
        return []
    span = col(EntryRow.number).between(min(numbers), max(numbers))
    rows = session.exec(select(EntryRow).where(EntryRow.event_id == event, span).order_by(col(EntryRow.number))).all()
    wanted = frozenset(numbers)
    return [row for row in rows if row.number in wanted]


def seated_before(session: Session, event: str, numbers: Collection[int]) -> frozenset[int]:
    """Those of these entries that have a place in a published round, or in the cut, which may come without."""
    if not numbers:
        return frozenset()
    span = min(numbers), max(numbers)
    chairs = [getattr(SeatRow, chair) for chair in SeatRow.CHAIRS]
    seats = (
        columns(*chairs)
        .join(
            RoundRow,
            OF_ROUND,
        )
        .where(
            col(SeatRow.event_id) == event,
            col(RoundRow.published_at).is_not(None),
            or_(*(col(chair).between(*span) for chair in chairs)),
        )
    )
    seeds = select(SeedRow.entry).where(SeedRow.event_id == event, col(SeedRow.entry).between(*span))
    seated = {number for seat in session.execute(seats) for number in seat} | set(session.exec(seeds))
    return frozenset(number for number in numbers if number in seated)


def add_entries(session: Session, rows: Iterable[EntryRow]) -> None:
    """Add entries, however many, in one go."""
    add_all(session, EntryRow, rows)


def add_entries_like(session: Session, usual: EntryRow, rows: Iterable[Mapping[str, Any]]) -> None:
    """Add entries that are as `usual` but for some columns each: a thousand rows for the price of one object."""
    common = usual.model_dump()
    if values := [common | dict(row) for row in rows]:
        session.execute(insert(EntryRow), values)


def players_of(session: Session, event: str) -> tuple[Player, ...]:
    """Everybody who entered and had a place, as the rules know them."""
    return tuple(player_from(row) for row in entries_of(session, event) if row.waiting is None and not row.merged_into)


def player_from(row: EntryRow) -> Player:
    """An entry as the rules know it."""
    return Player(
        id=PlayerId(str(row.number)),
        name=row.name,
        entered_in=row.entered_in,
        dropped_after=row.dropped_after,
        table=row.fixed_table,
        awarded_byes=row.awarded_byes,
        disqualified=row.disqualified,
    )


def entries_named(session: Session, keys: Sequence[tuple[str, int]]) -> Sequence[EntryRow]:
    """The entries of those events and numbers, as far as they are there."""
    return session.exec(select(EntryRow).where(tuple_(col(EntryRow.event_id), col(EntryRow.number)).in_(keys))).all()


def names_of(session: Session, event: str, entries: Iterable[int | None]) -> dict[int, str]:
    """The names of players by their numbers."""
    numbers = {entry for entry in entries if entry is not None}
    query = select(EntryRow.number, EntryRow.name).where(EntryRow.event_id == event, col(EntryRow.number).in_(numbers))
    return dict(session.exec(query).all()) if numbers else {}
