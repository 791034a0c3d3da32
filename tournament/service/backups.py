"""Backups: made while people work, checked before they are believed, put back whole or not at all."""

import json
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlmodel import Session

from tournament import copies, store
from tournament.database import Database, newest
from tournament.errors import BackupBroken, DatabaseNotEmpty
from tournament.service import audit
from tournament.service.commands import EVENTS, Stream
from tournament.service.series import STREAM as SERIES

NOTE: Final = "last-backup.json"
"""Where in the data folder it is written down that a backup was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a look at the log of an event, or of a series, found."""

    event: str
    """The id; of a series it begins with `s-`."""
    name: str
    version: int
    breaks: Sequence[str]
    """Places where the log does not hold."""
    differences: Sequence[str]
    """Rows that are not what the log makes them; looked for only where the log holds."""

    @property
    def holds(self) -> bool:
        """Nothing was found."""
        return not (self.breaks or self.differences)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What is in a database, or in a backup, and whether it holds."""

    shape: str
    accounts: int
    events: Sequence[Found]
    series: Sequence[Found]
    integrity: Sequence[str]
    """What the database finds wrong with itself."""

    @property
    def holds(self) -> bool:
        """Nothing was found."""
        return not self.integrity and all(found.holds for found in (*self.events, *self.series))


def check(database: Database) -> Checked:
    """Look at everything: what SQLite says of its file, every log, every row against its log.

    Raises:
        SchemaMismatch: the database has another shape.
        DatabaseUnavailable: it does not answer.
    """
    database.check_shape()
    with database.reading() as session:
        return _checked(session, newest(), copies.integrity_of(database), rows=True)


def backup(database: Database, path: Path) -> Checked:
    """Write a backup, and say what is in it. The file is there whole or not at all, for its owner alone.

    Nobody is held up meanwhile. A log that does not hold is in the backup as it is, and told.

    Raises:
        SchemaMismatch: a PostgreSQL of another program's shape.
        DatabaseUnavailable: it does not answer, or does not hold.
        OSError: the file cannot be written.
    """
    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".deckproof-")  # its mode is 0600
    os.close(handle)
    part = Path(name)
    try:
        copies.copy_out(database, part)
        found = look_into(part)
        copies.synced(part)
        part.replace(target)
        copies.synced(target.parent)
    finally:
        part.unlink(missing_ok=True)
    return found


@dataclass(frozen=True, slots=True)
class Noted:
    """That a backup was made."""

    at: datetime
    """UTC."""
    holds: bool


def note(folder: Path, found: Checked, now: datetime) -> None:
    """Write down that a backup was made, where `last_noted` finds it. A folder that cannot be written is let be."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / NOTE).write_text(json.dumps({"at": now.isoformat(), "holds": found.holds}), encoding="utf-8")


def last_noted(folder: Path) -> Noted | None:
    """The last backup that was noted; None if none was, or nobody can read it."""
    try:
        said = json.loads((folder / NOTE).read_text(encoding="utf-8"))
        return Noted(datetime.fromisoformat(said["at"]), bool(said["holds"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def look_into(path: Path) -> Checked:
    """What is in a backup.

    Raises:
        BackupUnreadable, SchemaMismatch: no backup, or one of a newer program.
    """
    with copies.opened(path, path.resolve().parent) as copy, copy.reading() as session:
        return _checked(session, copies.shape_of(path), [], rows=False)


def restore(database: Database, path: Path, *, force: bool) -> Checked:
    """Put a backup in place of everything in the database.

    Raises:
        BackupUnreadable, SchemaMismatch: no backup, or one of a newer program.
        BackupBroken: a log in it does not hold.
        DatabaseNotEmpty: something would be lost, and `force` is not said.
        DatabaseUnavailable: gone, full, or in use; nothing was done.
    """
    if not force:
        _refuse_to_lose(database)
    with copies.opened(path, copies.room_for(database)) as copy:
        found: list[Checked] = []

        def check_result(session: Session) -> None:
            found.append(_checked(session, copies.shape_of(path), [], rows=True))
            if wrong := [
                f"{one.event}: {fault}"
                for one in (*found[0].events, *found[0].series)
                for fault in (*one.breaks, *one.differences)
            ]:
                raise BackupBroken(wrong)

        copies.copy_in(copy, database, check_result)
    return found[0]


def _refuse_to_lose(database: Database) -> None:
    if not copies.is_there(database) or database.shape() is None:
        return
    with database.reading() as session:
        accounts, events = store.counts(session)
    if accounts or events:
        raise DatabaseNotEmpty(accounts, events)


def _checked(session: Session, shape: str, integrity: Sequence[str], *, rows: bool) -> Checked:
    accounts, _ = store.counts(session)
    events = [_found(session, EVENTS, *event, rows=rows) for event in store.all_events(session)]
    series = [_found(session, SERIES, *one, rows=rows) for one in store.all_series(session)]
    return Checked(shape=shape, accounts=accounts, events=events, series=series, integrity=integrity)


def _found(session: Session, stream: Stream, event: str, name: str, version: int, *, rows: bool) -> Found:  # noqa: PLR0913 - by keyword
    breaks = audit.verify_log(session, event, stream=stream)
    differences = audit.differences(session, event, stream=stream) if rows and not breaks else []
    session.expunge_all()
    return Found(
        event=event,
        name=name,
        version=version,
        breaks=[str(one) for one in breaks],
        differences=[str(one) for one in differences],
    )
