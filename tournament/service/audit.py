"""Audit: does the log hold, and do the tables say what the log says?"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from sqlmodel import Session

from tournament import store
from tournament.database import Database, open_memory
from tournament.errors import EventNotFound, LogBroken
from tournament.service.chain import Break, verify_chain
from tournament.service.commands import blank, carry_out
from tournament.service.kinds import KINDS
from tournament.tables import PROJECTION, LogRow, Table

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

    def __str__(self) -> str:
        said, should = (json.dumps(columns) if columns else "not there" for columns in (self.stored, self.derived))
        return f"{self.table} {' '.join(map(str, self.key[1:]))}: {said}, by the log {should}".replace(" :", ":")


def verify_log(session: Session, event: str, *, receipts: Mapping[int, str] | None = None) -> list[Break]:
    """Every place where an event's log does not hold.

    Raises:
        EventNotFound: no such event.
    """
    row = store.find_event(session, event)
    if row is None:
        raise EventNotFound(event)
    return verify_chain(store.read_log(session, event), version=row.version, head=row.head, receipts=receipts)


def differences(session: Session, event: str) -> list[Difference]:
    """Every row of an event that is not what its log makes it; an empty list is as it should be."""
    derived = derive(event, store.read_log(session, event))
    stored = stored_rows(session, event)
    return [difference for table in PROJECTION for difference in _compared(table, stored, derived)]


def rebuild(database: Database, event: str) -> list[Difference]:
    """Put the tables of an event right by its log; tells what was wrong.

    Raises:
        EventNotFound: no such event.
        LogBroken: nothing is derived from a log that does not hold.
    """
    with database.writing() as session:
        if store.lock_event(session, event) is None:
            raise EventNotFound(event)
        if breaks := verify_log(session, event):
            raise LogBroken(event, list(map(str, breaks)))
        wrong = differences(session, event)
        if wrong:
            session.expunge_all()
            store.replace_rows(session, PROJECTION, event, derive(event, store.read_log(session, event)))
        return wrong


def derive(event: str, log: Iterable[LogRow]) -> Rows:
    """The rows that a log makes, derived in an empty database in memory."""
    with replayed(event, log) as session:
        return stored_rows(session, event)


@contextmanager
def replayed(event: str, log: Iterable[LogRow]) -> Iterator[Session]:
    """An empty database in memory, in which everything was done that a log says."""
    scratch = open_memory()
    Table.metadata.create_all(scratch.engine)
    try:
        with scratch.writing() as session:
            row = blank(event)
            for record in log:
                kind = KINDS[record.name]
                carry_out(session, kind, row, record, kind.fact.model_validate_json(record.fact))
            yield session
    finally:
        scratch.close()


def stored_rows(session: Session, event: str) -> Rows:
    """Every row that an event has in the tables that its log gives again."""
    return {_name(table): store.rows_of(session, table, event) for table in PROJECTION}


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
