"""Rounds, seats and results."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, Final, TypeAlias

from sqlalchemy import Integer, bindparam, delete, func, union_all, update
from sqlalchemy.orm import class_mapper
from sqlalchemy.orm.attributes import set_committed_value
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
from tournament.store.asking import EVENT, OF_ROUND, ROUND, add_all, row_from, rows_from
from tournament.store.group import Known, is_known, know, known, unknown, write
from tournament.tables import ClaimRow, FormerResultRow, OfSeveral, RoundRow, SeatRow, TableChangeRow


@dataclass(frozen=True, slots=True)
class SeenSeat(OfSeveral):
    """A seat that is looked at and not changed; the fields are those of `SeatRow`."""

    event_id: str
    round: int
    place: int
    first: int
    second: int | None
    third: int | None
    fourth: int | None
    fifth: int | None
    sixth: int | None
    table_number: int | None
    bye: str | None
    games_first: int | None
    games_second: int | None
    drawn: int | None
    placing: str | None
    ending: str | None
    reported: int | None
    extra_minutes: int
    stood: bool
    last: int | None
    """The latest published round of the event; None before the first."""


AnySeat: TypeAlias = SeatRow | SeenSeat

_LAST_PUBLISHED: Final = select(func.max(RoundRow.number)).where(
    col(RoundRow.event_id) == EVENT, col(RoundRow.published_at).is_not(None)
)
_TABLE: Final = select(SeatRow).where(
    col(SeatRow.event_id) == EVENT,
    col(SeatRow.round) == bindparam("round", type_=Integer),
    col(SeatRow.table_number) == bindparam("table", type_=Integer),
)
_MAPPER: Final = class_mapper(SeatRow)
_SEATS: Final = SeatRow.__table__  # type: ignore[attr-defined]
_LAST: Final = _LAST_PUBLISHED.scalar_subquery().label("last")
_SEEN: Final[list[Any]] = [_LAST if one.name == "last" else _SEATS.c[one.name] for one in fields(SeenSeat)]
_LOOK: Final = select(*_SEEN).where(_SEATS.c.event_id == EVENT, _SEATS.c.round == ROUND).order_by(_SEATS.c.place)
_LOOK_AT_ONE: Final = _LOOK.where(_SEATS.c.table_number == bindparam("table", type_=Integer))
_LOOK_AT_SOME: Final = _LOOK.where(_SEATS.c.table_number.in_(bindparam("tables", expanding=True)))
_RESULT: Final = ("games_first", "games_second", "drawn", "placing", "ending", "reported")
_PUT_AT: Final = ("at_event", "at_round", "at_place")
_PUT: Final = (
    update(_SEATS)
    .where(*(column == bindparam(name) for column, name in zip(_MAPPER.primary_key, _PUT_AT, strict=True)))
    .values({name: bindparam(f"is_{name}") for name in _RESULT})
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
    found = row_from(session, _LAST_PUBLISHED, event=event)
    return (found[0] if found else 0) or 0


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


def look_at_tables(session: Session, event: str, number: int, tables: Collection[int]) -> Sequence[SeenSeat]:
    """These tables of a round, to be looked at."""
    if len(tables) == 1:
        (only,) = tables

        def ask() -> SeenSeat | None:
            found = row_from(session, _LOOK_AT_ONE, event=event, round=number, table=only)
            return None if found is None else SeenSeat(*tuple(found))

        seat = known(session, Known.SEATS, (event, number, only), ask)
        return [] if seat is None else [seat]
    found = [seat for seat in rows_from(session, _LOOK, event=event, round=number) if seat.table_number in tables]
    return [SeenSeat(*tuple(seat)) for seat in found]


def foresee_tables(session: Session, event: str, tables: Iterable[tuple[int, int]]) -> None:
    """Look, for a whole group, at tables that are named by round and number."""
    keys = unknown(session, Known.SEATS, ((event, *table) for table in tables))
    for number, of_round in groupby(keys, itemgetter(1)):
        asked = list(of_round)
        rows = rows_from(session, _LOOK_AT_SOME, event=event, round=number, tables=[table for *_, table in asked])
        seats = [SeenSeat(*tuple(row)) for row in rows]
        know(session, Known.SEATS, dict.fromkeys(asked) | {_key_of(seat): seat for seat in seats})


def _key_of(seat: SeenSeat) -> tuple[str, int, int | None]:
    return (seat.event_id, seat.round, seat.table_number)


def put_results(session: Session, results: Iterable[tuple[SeenSeat, Mapping[str, Any]]]) -> None:
    """Put results into tables, or open tables again, with those of the group.

    Args:
        session: to write.
        results: each table with its columns of a result, and the sequence of the command that it is from.
    """
    changes = {}
    for seat, values in results:
        at = (seat.event_id, seat.round, seat.place)
        changes[at] = dict(zip(_PUT_AT, at, strict=True)) | {f"is_{name}": values[name] for name in _RESULT}
        read = session.identity_map.get(_MAPPER.identity_key_from_primary_key(at))
        for name in _RESULT if read is not None else ():
            set_committed_value(read, name, values[name])
        if is_known(session, Known.SEATS, _key_of(seat)):
            know(session, Known.SEATS, {_key_of(seat): replace(seat, **{name: values[name] for name in _RESULT})})
    write(session, _PUT, changes)


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


def add_former_result(session: Session, seat: AnySeat, until: int) -> None:
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


def seat_from(row: AnySeat) -> Seat:
    """A table of two, or a bye, as the rules know it."""
    assert row.third is None, f"{row.players} sit at a table of several"  # noqa: S101 - see `pod_from`
    if row.table_number is None or row.second is None:
        return Bye(PlayerId(str(row.first)), ByeKind(row.bye or ByeKind.ODD))
    return Pairing(row.table_number, PlayerId(str(row.first)), PlayerId(str(row.second)), result_from(row))


def pod_from(row: AnySeat) -> PodSeat:
    """A table of several, or a bye, as the rules know it."""
    if row.table_number is None:
        return Bye(PlayerId(str(row.first)), ByeKind(row.bye or ByeKind.ODD))
    ending = Ending.PLAYED if row.ending is None else Ending(row.ending)
    return Pod(row.table_number, tuple(PlayerId(str(player)) for player in row.players), placing_from(row), ending)


def placing_from(row: AnySeat | FormerResultRow | ClaimRow) -> tuple[tuple[PlayerId, ...], ...] | None:
    """The placing of a table of several; None while it plays."""
    if row.placing is None:
        return None
    return tuple(tuple(PlayerId(str(player)) for player in place) for place in json.loads(row.placing))


def result_from(row: AnySeat) -> Result | None:
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
