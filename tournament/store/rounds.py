"""Rounds, seats and results."""

import json
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Final

from sqlalchemy import Integer, bindparam, delete, func, union_all, update
from sqlmodel import Session, col, select

from tournament.domain.model import (
    AnyRound,
    Bye,
    ByeKind,
    Ending,
    Pairing,
    PlayerId,
    Pod,
    PodRound,
    PodSeat,
    Result,
    Round,
    Seat,
)
from tournament.store.asking import EVENT, OF_ROUND, ROUND, add_all
from tournament.tables import ClaimRow, FormerResultRow, RoundRow, SeatRow, TableChangeRow

_LAST_PUBLISHED: Final = select(func.max(RoundRow.number)).where(
    col(RoundRow.event_id) == EVENT, col(RoundRow.published_at).is_not(None)
)
_TABLE: Final = select(SeatRow).where(
    col(SeatRow.event_id) == EVENT,
    col(SeatRow.round) == bindparam("round", type_=Integer),
    col(SeatRow.table_number) == bindparam("table", type_=Integer),
)
_ENTRY: Final = bindparam("entry", type_=Integer)
_PLACES_OF: Final = (
    select(SeatRow.place).where(col(SeatRow.event_id) == EVENT, col(SeatRow.round) == ROUND, col(of) == _ENTRY)
    for of in map(partial(getattr, SeatRow), SeatRow.CHAIRS)
)
_SEAT_OF: Final = select(SeatRow).where(  # a lookup for each chair, because SQLite reads the whole round for an OR
    col(SeatRow.event_id) == EVENT, col(SeatRow.round) == ROUND, col(SeatRow.place).in_(union_all(*_PLACES_OF))
)


def find_round(session: Session, event: str, number: int) -> RoundRow | None:
    """The round of that number, draft or not."""
    return session.get(RoundRow, (event, number))


def round_rows(session: Session, event: str) -> Sequence[RoundRow]:
    """Every round, draft or not, in order."""
    return session.exec(select(RoundRow).where(RoundRow.event_id == event).order_by(col(RoundRow.number))).all()


def last_published(session: Session, event: str) -> int:
    """The number of the latest published round; 0 before the first."""
    return session.exec(_LAST_PUBLISHED, params={"event": event}).one() or 0


def rounds_of(session: Session, event: str, *, only: int | None = None) -> tuple[AnyRound, ...]:
    """Every round that is published, or the one of that number, published or draft.

    A round has tables of two, or it has tables of several.
    """
    query = select(SeatRow).where(SeatRow.event_id == event)
    if only is None:
        query = query.join(
            RoundRow,
            OF_ROUND,
        ).where(col(RoundRow.published_at).is_not(None))
    else:
        query = query.where(SeatRow.round == only)
    rows = session.exec(query.order_by(col(SeatRow.round), col(SeatRow.place))).all()
    return tuple(round_from(number, list(seats)) for number, seats in groupby(rows, attrgetter("round")))


def round_from(number: int, rows: Sequence[SeatRow]) -> AnyRound:
    """A round as the rules know it."""
    if any(row.third is not None for row in rows):
        return PodRound(number, tuple(map(pod_from, rows)))
    return Round(number, tuple(map(seat_from, rows)))


def save_round(session: Session, row: RoundRow, seats: Iterable[SeatRow]) -> None:
    """Add a round with all its seats, in one go."""
    session.add(row)
    session.flush()
    add_all(session, SeatRow, seats)


def delete_drafts(session: Session, event: str) -> None:
    """Forget a round that is paired and not published."""
    drafts = session.exec(
        select(RoundRow).where(RoundRow.event_id == event, col(RoundRow.published_at).is_(None))
    ).all()
    for draft in drafts:
        session.execute(
            delete(TableChangeRow).where(
                col(TableChangeRow.event_id) == event, col(TableChangeRow.round) == draft.number
            )
        )
        session.execute(delete(SeatRow).where(col(SeatRow.event_id) == event, col(SeatRow.round) == draft.number))
        session.delete(draft)
    session.flush()


def find_table(session: Session, event: str, number: int, table: int) -> SeatRow | None:
    """A table of a round."""
    return session.exec(_TABLE, params={"event": event, "round": number, "table": table}).first()


def seats_of(session: Session, event: str, number: int) -> Sequence[SeatRow]:
    """Every table and bye of a round, in the order in which it was paired."""
    query = select(SeatRow).where(SeatRow.event_id == event, SeatRow.round == number)
    return session.exec(query.order_by(col(SeatRow.place))).all()


def tables_at(session: Session, event: str, number: int, tables: Collection[int]) -> Sequence[SeatRow]:
    """These tables of a round."""
    if len(tables) == 1:
        only = find_table(session, event, number, *tables)
        return [] if only is None else [only]
    return [seat for seat in seats_of(session, event, number) if seat.table_number in tables]


def tables_playing(session: Session, event: str, number: int) -> Sequence[int]:
    """Tables of a round that have no result yet, in order."""
    numbers = session.exec(
        select(SeatRow.table_number)
        .where(
            SeatRow.event_id == event,
            SeatRow.round == number,
            col(SeatRow.table_number).is_not(None),
            col(SeatRow.ending).is_(None),
        )
        .order_by(col(SeatRow.table_number))
    ).all()
    return [number for number in numbers if number is not None]


def add_former_result(session: Session, seat: SeatRow, until: int) -> None:
    """Keep the result of a table in mind that is about to be corrected."""
    if seat.ending is not None and seat.table_number is not None:
        former = FormerResultRow(
            event_id=seat.event_id,
            round=seat.round,
            table_number=seat.table_number,
            until=until,
            games_first=seat.games_first,
            games_second=seat.games_second,
            drawn=seat.drawn,
            placing=seat.placing,
            ending=seat.ending,
        )
        session.add(former)


def former_results(session: Session, event: str) -> Sequence[FormerResultRow]:
    """Results that were corrected after later rounds were paired, those that were corrected first first."""
    query = select(FormerResultRow).where(FormerResultRow.event_id == event)
    return session.exec(query.order_by(col(FormerResultRow.until))).all()


def all_table_changes(session: Session, event: str) -> Sequence[TableChangeRow]:
    """What was changed of rounds after they were paired, in order."""
    query = select(TableChangeRow).where(TableChangeRow.event_id == event)
    return session.exec(query.order_by(col(TableChangeRow.sequence))).all()


def seat_from(row: SeatRow) -> Seat:
    """A table of two, or a bye, as the rules know it."""
    assert row.third is None, f"{row.players} sit at a table of several"  # noqa: S101 - see `pod_from`
    if row.table_number is None or row.second is None:
        return Bye(PlayerId(str(row.first)), ByeKind(row.bye or ByeKind.ODD))
    return Pairing(row.table_number, PlayerId(str(row.first)), PlayerId(str(row.second)), result_from(row))


def pod_from(row: SeatRow) -> PodSeat:
    """A table of several, or a bye, as the rules know it."""
    if row.table_number is None:
        return Bye(PlayerId(str(row.first)), ByeKind(row.bye or ByeKind.ODD))
    ending = Ending.PLAYED if row.ending is None else Ending(row.ending)
    return Pod(row.table_number, tuple(PlayerId(str(player)) for player in row.players), placing_from(row), ending)


def placing_from(row: SeatRow | FormerResultRow | ClaimRow) -> tuple[tuple[PlayerId, ...], ...] | None:
    """The placing of a table of several; None while it plays."""
    if row.placing is None:
        return None
    return tuple(tuple(PlayerId(str(player)) for player in place) for place in json.loads(row.placing))


def result_from(row: SeatRow) -> Result | None:
    """The games of a table of two; None while it plays."""
    if row.ending is None:
        return None
    return Result(row.games_first or 0, row.games_second or 0, row.drawn or 0, Ending(row.ending))


def current_round(session: Session, event: str) -> RoundRow | None:
    """The latest published round, closed or not."""
    query = select(RoundRow).where(RoundRow.event_id == event, col(RoundRow.published_at).is_not(None))
    return session.exec(query.order_by(col(RoundRow.number).desc()).limit(1)).first()


def seat_of(session: Session, event: str, number: int, entry: int) -> SeatRow | None:
    """Where a player sits in a round, or the player's bye."""
    return session.exec(_SEAT_OF, params={"event": event, "round": number, "entry": entry}).first()


def replace_seats(
    session: Session, event: str, number: int, *, removed: Collection[int], added: Iterable[SeatRow]
) -> None:
    """Put other seats in the places of a round that these had."""
    session.execute(
        delete(SeatRow).where(
            col(SeatRow.event_id) == event, col(SeatRow.round) == number, col(SeatRow.place).in_(removed)
        )
    )
    add_all(session, SeatRow, added)


def mark_stood(session: Session, event: str, number: int, tables: Collection[int]) -> None:
    """Note that these tables stood while others changed."""
    session.execute(
        update(SeatRow)
        .where(col(SeatRow.event_id) == event, col(SeatRow.round) == number, col(SeatRow.table_number).in_(tables))
        .values(stood=True)
    )


def stood_of(session: Session, event: str) -> dict[int, tuple[int, ...]]:
    """The tables that stood while others changed, by round."""
    rows = session.exec(
        select(SeatRow.round, SeatRow.table_number)
        .where(SeatRow.event_id == event, col(SeatRow.stood).is_(True), col(SeatRow.table_number).is_not(None))
        .order_by(col(SeatRow.round), col(SeatRow.table_number))
    ).all()
    tables = ((number, table) for number, table in rows if table is not None)
    return {number: tuple(table for _, table in some) for number, some in groupby(tables, itemgetter(0))}


def add_table_change(session: Session, row: TableChangeRow) -> None:
    """Note a change of tables."""
    session.add(row)
    session.flush()


def table_changes(session: Session, event: str, number: int) -> Sequence[TableChangeRow]:
    """What was changed of a round after it was paired, in order."""
    return session.exec(
        select(TableChangeRow)
        .where(TableChangeRow.event_id == event, TableChangeRow.round == number)
        .order_by(col(TableChangeRow.sequence))
    ).all()
