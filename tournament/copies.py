"""Whole databases: into one SQLite file, and out of it again.

A copy is an SQLite database of the same shape, whichever database it is of: so it can be looked into with any tool, be
checked by itself, and be put into either. Rows of a PostgreSQL are read as they were at one moment.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, MetaData, delete, insert, select
from sqlmodel import Session

from tournament.database import Database, bring_up, newest, open_copy, unavailable
from tournament.errors import BackupUnreadable, DatabaseUnavailable, SchemaMismatch
from tournament.tables import Table

ROWS: Final = 1_000
"""That are in memory at a time."""
_BUSY_S: Final = 2.0
"""How long whoever has the database open is waited for."""
_STEPS: Final = "alembic_version"
"""The table that knows the shape."""


def copy_out(database: Database, path: Path) -> None:
    """Write all that a database holds at one moment into an SQLite file that is empty or not there.

    Raises:
        SchemaMismatch: a PostgreSQL of a shape that this program does not know, or an empty one.
        DatabaseUnavailable: it does not answer, or does not hold.
    """
    if database.is_embedded:
        _copy_sqlite(_path_of(database), path)
    else:
        _copy_rows(database, path)
    if faults := integrity(path):
        raise DatabaseUnavailable(f"it does not hold: {'; '.join(faults)}")


@contextmanager
def opened(path: Path, folder: Path) -> Iterator[Database]:
    """A copy of a copy, in the shape of this program; the file itself is not touched.

    Args:
        path: what `copy_out` wrote, or a database that was copied by other means.
        folder: where there is room for it until this ends.

    Raises:
        BackupUnreadable: not an SQLite database, not one of ours, or damaged.
        SchemaMismatch: of a newer program.
    """
    _check_head(path)
    with tempfile.TemporaryDirectory(prefix=".deckproof-", dir=folder) as room:
        inner = Path(room) / "copy.db"
        try:
            _copy_sqlite(path, inner)
            faults = integrity(inner)
        except DatabaseUnavailable as error:
            raise BackupUnreadable(str(path), error.problem) from error
        if faults:
            raise BackupUnreadable(str(path), f"is damaged: {'; '.join(faults)}")
        database = open_copy(inner)
        try:
            if database.shape() is None:
                raise BackupUnreadable(str(path), "is an SQLite database, and not one of Deckproof")
            database.upgrade()
            yield database
        finally:
            database.close()


def copy_in(copy: Database, database: Database, check: Callable[[Session], None]) -> None:
    """Put what `opened` gave in place of everything in a database: all of it, or nothing.

    Args:
        copy: closed by this.
        database: of any shape; nobody else may have an SQLite file open.
        check: looks at the result before it counts; whatever it raises, nothing was done.

    Raises:
        DatabaseUnavailable: gone, full, or in use.
        SchemaMismatch: the database is of a newer program.
    """
    if database.is_embedded:
        with copy.reading() as session:
            check(session)
        copy.close()
        database.close()
        _replace(_path_of(database), _path_of(copy))
        return
    with database.writing() as session:
        connection = session.connection()
        bring_up(connection)
        for table in reversed(Table.metadata.sorted_tables):
            connection.execute(delete(table))
        with copy.engine.connect() as source:
            _pour(source, connection, Table.metadata)
        check(session)
    copy.close()


def integrity(path: Path) -> list[str]:
    """What SQLite finds wrong with a file; nothing is as it should be."""
    with _translated(), closing(_connected(path)) as connection:
        said = [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
        loose = [f"a row of {row[0]} belongs to nothing" for row in connection.execute("PRAGMA foreign_key_check")]
    return [*(line for line in said if line != "ok"), *loose]


def integrity_of(database: Database) -> list[str]:
    """The same of a database; a PostgreSQL looks after itself."""
    return integrity(_path_of(database)) if database.is_embedded else []


def shape_of(path: Path) -> str:
    """The last step that the file's database has made; empty if it is none of ours."""
    with _translated(), closing(_connected(path)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (_STEPS,)).fetchone():
            return ""
        return str((connection.execute(f"SELECT version_num FROM {_STEPS}").fetchone() or [""])[0])  # noqa: S608 - ours


def is_there(database: Database) -> bool:
    """Whether there is a file; whether a PostgreSQL is there, only asking it tells."""
    return not database.is_embedded or _path_of(database).exists()


def room_for(database: Database) -> Path:
    """Where a copy has to lie to be put in place of the database in one step."""
    return _path_of(database).resolve().parent if database.is_embedded else Path(tempfile.gettempdir())


# --- SQLite -----------------------------------------------------------------------------------------------------------


def _path_of(database: Database) -> Path:
    return Path(database.engine.url.database or "")


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise unavailable(error) from error


def _copy_sqlite(source: Path, target: Path) -> None:
    """One read transaction of SQLite's own; whoever writes meanwhile is not held up."""
    with _translated(), closing(_connected(source)) as reader, closing(_connected(target)) as writer:
        reader.backup(writer)
        writer.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it


def _replace(target: Path, copy: Path) -> None:
    """Put a file in place of a database that nobody has open."""
    if target.exists():
        with _translated(), closing(_connected(target)) as connection:
            (mode,) = connection.execute("PRAGMA journal_mode=DELETE").fetchone()  # needs it for itself alone
        if mode != "delete":
            raise DatabaseUnavailable("it is in use; stop the server first")
        shutil.copystat(target, copy)
        before = target.stat()
        if os.name == "posix" and os.geteuid() == 0:
            os.chown(copy, before.st_uid, before.st_gid)
    synced(copy)
    copy.replace(target)
    synced(target.parent)


def synced(path: Path) -> None:
    """What is written of a file, or in a folder, is on the disk when this returns."""
    if path.is_dir() and os.name != "posix":  # only there a folder can be opened
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


_HEAD: Final = b"SQLite format 3\x00"


def _check_head(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(len(_HEAD)) != _HEAD:
            raise BackupUnreadable(str(path), "is no backup; `deckproof db backup` writes an SQLite database")


# --- PostgreSQL -------------------------------------------------------------------------------------------------------


def _copy_rows(database: Database, path: Path) -> None:
    shape = database.shape()
    if shape is None:
        raise SchemaMismatch("nothing", newest())
    copy = open_copy(path)
    try:
        copy.upgrade(shape)  # the same steps have made the database; one that they do not lead to is refused
        tables = MetaData()
        tables.reflect(copy.engine)
        tables.remove(tables.tables[_STEPS])
        with database.reading() as session, copy.engine.execution_options(writes=True).begin() as target:
            _pour(session.connection(), target, tables)
    finally:
        copy.close()


def _pour(source: Connection, target: Connection, tables: MetaData) -> None:
    """Every row of every table, parents first, a thousand at a time. No table of ours counts its rows by itself."""
    for table in tables.sorted_tables:
        rows = source.execution_options(stream_results=True).execute(select(table)).mappings()
        for some in rows.partitions(ROWS):
            target.execute(insert(table), [dict(row) for row in some])
