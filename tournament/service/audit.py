"""Audit: does the log hold, and do the tables say what the log says?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlmodel import Session

from tournament import store
from tournament.database import Database, open_memory
from tournament.errors import LogBroken
from tournament.service.chain import Break, verify_chain
from tournament.service.commands import EVENTS, Stream, carry_out
from tournament.service.kinds import KINDS
from tournament.tables import LogRow, Table

Rows = dict[str, list[dict[str, Any]]]
"""By the name of the table, in the order of the keys."""
_MISSING: Final[Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that is not what the log makes it."""

    table: str
    key: tuple[Any, ...]
    stored: Mapping[str, Any]
    """The columns that differ, as they are; empty if the row is not there."""
    derived: Mapping[str, Any]
    """The same columns by the log; empty if there should be no such row."""


def verify_log(
    session: Session, event: str, *, receipts: Mapping[int, str] | None = None, stream: Stream = EVENTS
) -> list[Break]:
    """Every place where the log of an event, or of another stream, does not hold.

    Raises:
        EventNotFound: no such event; of another stream, its own refusal.
    """
    row = stream.find(session, event)
    if row is None:
        raise stream.missing(event)
    return verify_chain(store.read_log(session, event), version=row.version, head=row.head, receipts=receipts)


def differences(session: Session, event: str, *, stream: Stream = EVENTS) -> list[Difference]:
    """Every row of an event that is not what its log makes it; an empty list is as it should be."""
    derived = derive(event, store.read_log(session, event), stream=stream)
    stored = _stored(session, event, stream)
    return [difference for table in stream.projection for difference in _compared(table, stored, derived)]


def rebuild(database: Database, event: str, *, stream: Stream = EVENTS) -> list[Difference]:
    """Put the tables of an event right by its log; tells what was wrong.

    Raises:
        EventNotFound: no such event.
        LogBroken: nothing is derived from a log that does not hold.
    """
    with database.writing() as session:
        if stream.lock(session, event) is None:
            raise stream.missing(event)
        if breaks := verify_log(session, event, stream=stream):
            raise LogBroken(event, list(map(str, breaks)))
        wrong = differences(session, event, stream=stream)
        if wrong:
            session.expunge_all()
            derived = derive(event, store.read_log(session, event), stream=stream)
            store.replace_rows(session, stream.projection, event, derived)
        return wrong


def derive(event: str, log: Iterable[LogRow], *, stream: Stream = EVENTS) -> Rows:
    """The rows that a log makes, derived in an empty database in memory."""
    scratch = open_memory()
    Table.metadata.create_all(scratch.engine)
    try:
        with scratch.writing() as session:
            row = stream.blank(event)
            for record in log:
                kind = KINDS[record.name]
                carry_out(session, kind, row, record, kind.fact.model_validate_json(record.fact))
            return _stored(session, event, stream)
    finally:
        scratch.close()


def _stored(session: Session, event: str, stream: Stream) -> Rows:
    return {_name(table): store.rows_of(session, table, event) for table in stream.projection}


def _compared(table: type[Table], stored: Rows, derived: Rows) -> list[Difference]:
    name = _name(table)
    key = [column.name for column in table.__table__.primary_key]  # type: ignore[attr-defined]
    one, other = ({tuple(row[k] for k in key): row for row in rows[name]} for rows in (stored, derived))
    found = []
    for at in sorted(one.keys() | other.keys()):
        is_so, should = one.get(at, _MISSING), other.get(at, _MISSING)
        columns = [column for column in {**is_so, **should} if is_so.get(column) != should.get(column)]
        if columns or bool(is_so) != bool(should):
            found.append(Difference(name, at, *({c: row[c] for c in columns if c in row} for row in (is_so, should))))
    return found


def _name(table: type[Table]) -> str:
    return str(table.__tablename__)
