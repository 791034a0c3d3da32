"""Backups: of one moment while people work, and put back whole or not at all, into either database."""

import shutil
import sqlite3
import stat
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text

from tests.tournament.people import account
from tournament import store
from tournament.database import Database, newest, open_file, open_url
from tournament.errors import BackupBroken, BackupUnreadable, DatabaseNotEmpty, DatabaseUnavailable, SchemaMismatch
from tournament.service import audit, backups, entries, events, series
from tournament.service.commands import Ask, Nothing, run
from tournament.tables import Table

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def ask(event: str, command: str) -> Ask:
    return Ask(event=event, who=lambda _: "ann", command=command, now=NOON)


@pytest.fixture
def event(database: Database) -> str:
    """An event with four players, and an account."""
    account("ann", database)
    event = events.create(database, ask("", "c0"), events.Create(name="Spring Open")).event
    run(database, events.OPEN, ask(event, "c1"), Nothing())
    for name in "abcd":
        run(database, entries.ADD, ask(event, f"enter {name}"), entries.Add(name=name))
    return event


@pytest.fixture
def other(sqlite: Path, tmp_path: Path) -> Database:
    """An empty SQLite elsewhere."""
    (tmp_path / "other").mkdir()
    return open_file(Path(shutil.copy(sqlite, tmp_path / "other" / "deckproof.db")))


def everything(database: Database) -> dict[str, list[Any]]:
    """Every row of every table."""
    with database.reading() as session:
        connection = session.connection()
        return {
            table.name: sorted(map(tuple, connection.execute(table.select())), key=repr)
            for table in Table.metadata.sorted_tables
        }


def test_a_backup_put_back_is_the_same_to_the_last_row(
    database: Database, event: str, other: Database, tmp_path: Path
) -> None:
    made = backups.backup(database, tmp_path / "one.db")
    assert (made.holds, made.shape, made.accounts, [found.event for found in made.events]) == (
        True,
        newest(),
        1,
        [event],
    )
    assert stat.S_IMODE((tmp_path / "one.db").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.glob("one*")] == ["one.db"]
    before = everything(database)
    assert backups.restore(other, tmp_path / "one.db", force=False).holds
    assert everything(other) == before
    # and back into the database that it is of, which has gone on meanwhile
    run(database, entries.ADD, ask(event, "late"), entries.Add(name="late"))
    database.close()
    assert backups.restore(database, tmp_path / "one.db", force=True).holds
    assert everything(database) == before
    run(other, entries.ADD, ask(event, "late"), entries.Add(name="late"))
    with other.reading() as session:
        assert audit.verify_log(session, event) == []


def test_no_table_counts_its_rows_by_itself() -> None:
    """A copy would not carry the counter along."""
    assert [table.name for table in Table.metadata.sorted_tables if table.autoincrement_column is not None] == []


def test_the_log_of_a_series_is_looked_at_like_those_of_events(
    database: Database, event: str, other: Database, tmp_path: Path
) -> None:
    league = series.create(database, ask("", "league"), series.NewSeries(name="Spring League")).event
    made = backups.backup(database, tmp_path / "whole.db")
    assert made.holds
    assert [(one.event, one.name, one.version) for one in made.series] == [(league, "Spring League", 1)]
    with database.writing() as session:
        session.execute(text("UPDATE series SET name = 'Eve''s' WHERE id = :id"), {"id": league})
    assert not backups.check(database).holds
    backups.backup(database, tmp_path / "altered.db")
    with pytest.raises(BackupBroken, match=league):
        backups.restore(other, tmp_path / "altered.db", force=True)
    with database.writing() as session:
        session.execute(text("UPDATE log SET reason = 'forged' WHERE event_id = :id"), {"id": league})
    assert not backups.backup(database, tmp_path / "forged.db").holds


def test_a_backup_while_people_write_is_of_one_moment(database: Database, event: str, tmp_path: Path) -> None:
    stopped = threading.Event()

    def write() -> None:
        number = 0
        while not stopped.is_set():
            number += 1
            run(database, entries.ADD, ask(event, f"w{number}"), entries.Add(name=f"w{number}"))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        made = [backups.backup(database, tmp_path / f"{number}.db") for number in range(3)]
    finally:
        stopped.set()
        writer.join()
    assert all(one.holds for one in made)
    versions = [one.events[0].version for one in made]
    assert versions == sorted(versions)
    for number, one in enumerate(made):
        with closing(sqlite3.connect(tmp_path / f"{number}.db")) as copy:
            rows = [copy.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("log", "entry")]
            assert rows == [one.events[0].version, one.events[0].version - 2]


def test_a_database_that_is_not_empty_is_not_overwritten(
    database: Database, event: str, other: Database, tmp_path: Path
) -> None:
    backups.backup(other, tmp_path / "empty.db")
    before = everything(database)
    with pytest.raises(DatabaseNotEmpty, match="1 account and 1 event"):
        backups.restore(database, tmp_path / "empty.db", force=False)
    assert everything(database) == before


def test_a_backup_whose_log_does_not_hold_changes_nothing(
    database: Database, event: str, other: Database, tmp_path: Path
) -> None:
    with database.writing() as session:
        session.connection().execute(text("UPDATE log SET actor = 'eve' WHERE sequence = 3"))
    made = backups.backup(database, tmp_path / "broken.db")
    assert not made.holds
    assert made.events[0].breaks == ["row 3 altered: its hash is of other words"]
    account("bob", other)
    before = everything(other)
    with pytest.raises(BackupBroken, match="row 3 altered"):
        backups.restore(other, tmp_path / "broken.db", force=True)
    with pytest.raises(BackupBroken, match="row 3 altered"):
        backups.restore(database, tmp_path / "broken.db", force=True)
    assert everything(other) == before
    with database.reading() as session:
        assert len(store.all_events(session)) == 1


def test_rows_that_the_log_does_not_make_change_nothing(database: Database, event: str, tmp_path: Path) -> None:
    with database.writing() as session:
        session.connection().execute(text("UPDATE entry SET name = 'eve' WHERE number = 3"))
    backups.backup(database, tmp_path / "broken.db")
    with pytest.raises(BackupBroken, match=r'entry 3: {"name": "eve"}, by the log {"name": "c"}'):
        backups.restore(database, tmp_path / "broken.db", force=True)
    found = backups.check(database)
    assert (found.holds, found.integrity) == (False, [])
    assert found.events[0].differences == ['entry 3: {"name": "eve"}, by the log {"name": "c"}']


def test_a_backup_of_a_newer_program_is_refused(database: Database, event: str, tmp_path: Path) -> None:
    backups.backup(database, tmp_path / "new.db")
    with closing(sqlite3.connect(tmp_path / "new.db")) as copy, copy:
        copy.execute("UPDATE alembic_version SET version_num = '9999'")
    before = everything(database)
    with pytest.raises(SchemaMismatch, match="9999"):
        backups.restore(database, tmp_path / "new.db", force=True)
    assert everything(database) == before


def aged(database: Database) -> str:
    """Make it one of the first program's, with an account; its shape."""
    first = ScriptDirectory("tournament/migrations").get_base()
    assert first is not None
    with database.writing() as session:
        connection = session.connection()
        for table in (*reversed(Table.metadata.sorted_tables), "alembic_version"):
            connection.execute(text(f"DROP TABLE {table}"))
    database.upgrade(first)
    with database.writing() as session:
        session.connection().execute(text("INSERT INTO account (name, password, created_at) VALUES ('ann', '-', '')"))
    return first


def test_a_backup_of_an_older_program_is_brought_up_to_date(
    database: Database, event: str, other: Database, tmp_path: Path
) -> None:
    """It is made before the upgrade."""
    first = aged(database)
    made = backups.backup(database, tmp_path / "backup.db")
    assert (made.shape, made.accounts) == (first, 1)
    for target in (other, database):
        assert backups.restore(target, tmp_path / "backup.db", force=target is database).shape == first
        assert target.shape() == newest()
        with target.reading() as session:
            assert store.counts(session) == (1, 0)


def test_a_database_that_somebody_has_open_is_not_replaced(
    other: Database, database: Database, event: str, tmp_path: Path
) -> None:
    backups.backup(database, tmp_path / "one.db")
    account("bob", other)  # its pool keeps a connection, as a server's does
    again = open_url(str(other.engine.url))
    with pytest.raises(DatabaseUnavailable, match="stop the server first"):
        backups.restore(again, tmp_path / "one.db", force=True)
    with other.reading() as session:
        assert store.find_account(session, "bob") is not None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no backup"),
        (b"deck\n", "no backup"),
        (b"SQLite format 3\x00" + b"\xff" * 5000, "file is not a database|malformed|damaged"),
    ],
)
def test_what_is_no_backup_is_unreadable(database: Database, content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(BackupUnreadable, match=said):
        backups.restore(database, path, force=False)


def test_a_database_of_another_program_is_no_backup(database: Database, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "cards.db")) as cards, cards:
        cards.execute("CREATE TABLE card (name TEXT)")
    with pytest.raises(BackupUnreadable, match="not one of Deckproof"):
        backups.restore(database, tmp_path / "cards.db", force=False)


def test_a_damaged_backup_is_unreadable(database: Database, event: str, tmp_path: Path) -> None:
    path = tmp_path / "one.db"
    backups.backup(database, path)
    content = bytearray(path.read_bytes())
    content[4096 * 3 : 4096 * 3 + 200] = b"\xff" * 200
    path.write_bytes(content)
    before = everything(database)
    with pytest.raises((BackupUnreadable, BackupBroken)):
        backups.restore(database, path, force=True)
    assert everything(database) == before


def test_a_backup_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    empty = open_file(tmp_path / "data.db")
    empty.upgrade()
    empty.close()
    (tmp_path / "data.db").write_bytes(b"SQLite format 3\x00" + b"\xff" * 5000)
    with pytest.raises(DatabaseUnavailable):
        backups.backup(empty, tmp_path / "one.db")
    assert [
        path.name for path in tmp_path.iterdir() if path.name not in {"data.db", "data.db-wal", "data.db-shm"}
    ] == []
