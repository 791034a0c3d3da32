"""Audit: does the log hold, and do the tables say what the log says?"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.errors import LogBroken
from tournament.service.chain import Break, verify_chain
from tournament.service.commands import EVENTS, Stream
from tournament.service.derivation import Rows, derive, name_of, stored
from tournament.tables import Table

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
    is_so = stored(session, event, stream=stream)
    return [difference for table in stream.projection for difference in _compared(table, is_so, derived)]


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


def _compared(table: type[Table], is_so: Rows, derived: Rows) -> list[Difference]:
    name, key = name_of(table), store.key_of(table)
    one, other = ({tuple(row[k] for k in key): row for row in rows[name]} for rows in (is_so, derived))
    found = []
    for at in sorted(one.keys() | other.keys()):
        row, should = one.get(at, _MISSING), other.get(at, _MISSING)
        columns = [column for column in {**row, **should} if row.get(column) != should.get(column)]
        if columns or bool(row) != bool(should):
            found.append(Difference(name, at, *({c: of[c] for c in columns if c in of} for of in (row, should))))
    return found
