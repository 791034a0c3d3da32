"""What several nouns ask with."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import Executable, Integer, Row, String, bindparam, insert
from sqlmodel import Session, col

from tournament.tables import RoundRow, SeatRow, Table

PAGE: Final = 500
V = TypeVar("V", int, str)

# What every command asks is built once; building it anew costs more than the database does.
EVENT: Final = bindparam("event", type_=String)
ROUND: Final = bindparam("round", type_=Integer)


OF_ROUND: Final = (col(RoundRow.event_id) == col(SeatRow.event_id)) & (col(RoundRow.number) == col(SeatRow.round))
"""That a seat is of the round."""


def rows_from(session: Session, statement: Executable, **values: object) -> Sequence[Row[Any]]:
    """What a statement of columns gives, without the ORM, which takes longer than the database does."""
    return session.connection().execute(statement, values).all()


def row_from(session: Session, statement: Executable, **values: object) -> Row[Any] | None:
    """The first of it."""
    return session.connection().execute(statement, values).first()


def pages(values: Collection[V]) -> Iterator[list[V]]:
    """Values, each once, in parts that a statement can name one by one: either database takes only so many.

    Source: SQLITE_MAX_VARIABLE_NUMBER (32,766 as it comes); PostgreSQL's protocol (65,535 parameters).
    """
    several = sorted(set(values))
    for at in range(0, len(several), PAGE):
        yield several[at : at + PAGE]


def save_row(session: Session, row: Table) -> None:
    """Add a row, or change the one of the same key."""
    session.merge(row)
    session.flush()


def delete_row(session: Session, row: Table) -> None:
    """Remove a row that was read."""
    session.delete(row)
    session.flush()


def save(session: Session, row: Table) -> None:
    """Add a row that nothing hangs on yet."""
    session.add(row)


def deleted(session: Session, statement: Any) -> int:  # noqa: ANN401 - SQLAlchemy's, of several classes
    """Carry out a deletion; how many rows it was of."""
    return int(session.execute(statement).rowcount)  # type: ignore[attr-defined]


def add_all(session: Session, table: type[Table], rows: Iterable[Table]) -> None:
    """Add rows that nothing hangs on yet, in one statement."""
    values = [row.model_dump() for row in rows]
    if values:
        session.execute(insert(table), values)
