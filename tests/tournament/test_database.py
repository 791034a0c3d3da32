"""The database: its shape, what it promises, and how it says that it cannot."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text
from sqlmodel import Session

from tournament import store
from tournament.database import Database, open_file, open_url
from tournament.errors import DatabaseUnavailable, SchemaMismatch
from tournament.settings import SettingsUnreadable
from tournament.tables import PROJECTION, LogRow, Table


def test_the_migrations_make_the_tables_that_the_program_knows(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Table.metadata) == []


def test_every_key_of_an_events_table_starts_with_the_event() -> None:
    keys = [[column.name for column in table.__table__.primary_key] for table in (*PROJECTION, LogRow)]  # type: ignore[attr-defined]
    assert all(key[0] == "event_id" or key == ["id"] for key in keys)


def test_an_upgrade_done_twice_changes_nothing(database: Database) -> None:
    before = database.shape()
    database.upgrade()
    assert database.shape() == before


def test_a_database_of_a_newer_program_is_refused(database: Database) -> None:
    with database.writing() as session:
        session.connection().execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for attempt in (database.upgrade, database.check_shape):
        with pytest.raises(SchemaMismatch, match="9999"):
            attempt()


def test_an_empty_database_is_not_of_this_shape(tmp_path: Path) -> None:
    database = open_file(tmp_path / "empty.db")
    with pytest.raises(SchemaMismatch, match="nothing"):
        database.check_shape()
    database.close()


def test_the_embedded_database_syncs_every_commit_and_checks_its_keys(tmp_path: Path) -> None:
    database = open_file(tmp_path / "x.db")
    with database.engine.connect() as connection:
        said = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    database.close()
    assert said == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}


def test_a_reader_sees_one_moment_whatever_is_written_meanwhile(database: Database) -> None:
    def count(session):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        return session.connection().execute(text("SELECT count(*) FROM account")).scalar()

    with database.reading() as session:
        before = count(session)
        with database.writing() as other:
            other.connection().execute(text("INSERT INTO account (name, password, created_at) VALUES ('ann', '-', '')"))
        assert count(session) == before
    with database.reading() as session:
        assert count(session) == before + 1


def test_a_transaction_that_fails_writes_nothing(database: Database) -> None:
    def fail(session: Session) -> None:
        session.connection().execute(text("INSERT INTO account (name, password, created_at) VALUES ('ann', '-', '')"))
        _ = 1 / 0

    with pytest.raises(ZeroDivisionError), database.writing() as session:
        fail(session)
    with database.reading() as session:
        assert session.connection().execute(text("SELECT count(*) FROM account")).scalar() == 0


def test_a_database_that_is_not_there_is_unavailable() -> None:
    database = open_url("postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(DatabaseUnavailable), database.writing() as session:
        session.connection()
    database.close()


def test_a_full_disk_is_unavailable_and_leaves_everything_as_it_was(tmp_path: Path) -> None:
    database = open_file(tmp_path / "small.db")
    database.upgrade()
    with database.writing() as session:  # the pool's one connection, which the next transaction gets too
        session.connection().exec_driver_sql("PRAGMA max_page_count = 30")
    with pytest.raises(DatabaseUnavailable, match="full"), database.writing() as session:
        session.connection().execute(
            text("INSERT INTO account (name, password, created_at) VALUES ('ann', :long, '')"),
            {"long": "x" * 1_000_000},
        )
    with database.reading() as session:
        assert session.connection().execute(text("SELECT count(*) FROM account")).scalar() == 0
    database.close()


@pytest.mark.parametrize("url", ["", "no url", "mysterious://ann:secret@here/x", "sqlite://:x:y"])
def test_a_url_of_no_database_is_unreadable_and_its_password_is_not_told(url: str) -> None:
    with pytest.raises(SettingsUnreadable) as refused:
        open_url(url)
    assert "secret" not in str(refused.value)


def test_no_question_names_more_entries_than_a_database_takes(database: Database) -> None:
    """Of an event with 70,000 players, all of whom left."""
    everybody = range(1, 70_001)
    with database.writing() as session:
        assert store.seated_before(session, "large", everybody) == frozenset()
        assert store.scans_of(session, "large", entries=everybody) == []
        store.forget_sign_ins(session, "large", everybody)
        store.forget_moved(session, "large", everybody, [f"0x{number:040x}" for number in everybody])
        store.revoke_passes(session, "large", sequence=1, at=1, why="replaced", entries=everybody)
