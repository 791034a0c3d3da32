"""Whole tables, and events from elsewhere."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import bindparam, delete, insert, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from tournament.store.asking import add_all
from tournament.store.events import EventExists
from tournament.tables import LogRow, StaffRow, Table


def rows_of(session: Session, table: type[Table], event: str) -> list[dict[str, Any]]:
    """Every row that an event, or another stream, has in a table, by key."""
    key = key_of(table)
    at = table.__table__.c[key[0]]  # type: ignore[attr-defined]
    rows = session.execute(select(table.__table__).where(at == event)).mappings()  # type: ignore[attr-defined]
    return sorted(map(dict, rows), key=lambda row: [row[name] for name in key])


def key_of(table: type[Table]) -> list[str]:
    """The columns of a table's key."""
    return [column.name for column in table.__table__.primary_key]  # type: ignore[attr-defined]


def change_rows(
    session: Session,
    tables: Sequence[type[Table]],
    before: dict[str, list[dict[str, Any]]],
    after: dict[str, list[dict[str, Any]]],
) -> None:
    """Write what differs between the rows that an event has and those that it should have, and nothing else.

    A row that others hang on is updated where it stands; another one is written anew, so that two rows may exchange
    what only one of them may have.

    Args:
        session: to write.
        tables: parents first.
        before: rows by the name of the table, as they are.
        after: as they should be.
    """
    parents = {key.column.table for table in tables for key in table.__table__.foreign_keys}  # type: ignore[attr-defined]
    come: list[tuple[Any, list[dict[str, Any]]]] = []
    for kind in reversed(tables):
        table, key = kind.__table__, key_of(kind)  # type: ignore[attr-defined]
        is_so, should = ({tuple(row[k] for k in key): row for row in rows[table.name]} for rows in (before, after))
        other = {at for at in is_so.keys() & should.keys() if is_so[at] != should[at]}
        anew = set() if table in parents else other
        at = [table.c[name] == bindparam(f"key_{name}") for name in key]
        for rows, statement in (((is_so.keys() - should.keys()) | anew, delete(table)), (other - anew, update(table))):
            changes = [
                {f"key_{name}": value for name, value in zip(key, found, strict=True)}
                | (should[found] if statement.is_update else {})
                for found in sorted(rows)
            ]
            if changes:
                session.connection().execute(statement.where(*at), changes)
        come.append((table, [should[found] for found in sorted((should.keys() - is_so.keys()) | anew)]))
    for table, rows_to_come in reversed(come):
        if rows_to_come:
            session.connection().execute(insert(table), rows_to_come)


def replace_rows(
    session: Session, tables: Sequence[type[Table]], event: str, rows: dict[str, list[dict[str, Any]]]
) -> None:
    """Put these rows in place of what an event has in the tables.

    Args:
        session: to write.
        tables: parents first.
        event: whose rows.
        rows: by the name of the table.
    """
    for table in reversed(tables):
        at = next(iter(table.__table__.primary_key))  # type: ignore[attr-defined]
        session.execute(delete(table).where(at == event))
    for table in tables:
        if rows[table.__table__.name]:  # type: ignore[attr-defined]
            session.execute(insert(table), rows[table.__table__.name])  # type: ignore[attr-defined]


def add_settled(
    session: Session,
    tables: Sequence[type[Table]],
    event: str,
    rows: dict[str, list[dict[str, Any]]],
    log: Iterable[LogRow],
) -> None:
    """Add a whole event with its log. Raises: EventExists."""
    try:
        replace_rows(session, tables, event, rows)
        add_all(session, LogRow, log)
    except IntegrityError as error:
        raise EventExists from error


def delete_all_staff(session: Session, event: str) -> None:
    """Take every role of an event away."""
    session.execute(delete(StaffRow).where(col(StaffRow.event_id) == event))
