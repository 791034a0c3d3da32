"""A step from one shape to the next, as `tools/migration.py` writes it, on a database that people work with."""

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

import tournament.migrations
from tests.tournament.floor import playing
from tournament.database import Database
from tournament.tables import NAMES, Table

ROOT = Path(__file__).parents[2]
PRESENT = Path(tournament.migrations.__file__).parent


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("migration", ROOT / "tools" / "migration.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """The steps so far, in a folder of their own."""
    return Path(shutil.copytree(PRESENT, tmp_path / "migrations"))


def tables(**added: sa.Column[Any]) -> sa.MetaData:
    """The tables, with more columns of entries."""
    metadata = sa.MetaData(naming_convention=NAMES)
    for table in Table.metadata.tables.values():
        table.to_metadata(metadata)
    for name, column in added.items():
        column.name = name
        metadata.tables["entry"].append_column(column)
    return metadata


def rows(database: Database, *columns: str) -> list[tuple[Any, ...]]:
    with database.reading() as session:
        found = session.connection().execute(sa.text(f"SELECT {', '.join(columns)} FROM entry ORDER BY number"))
        return [tuple(row) for row in found]


def test_rows_that_are_there_get_what_a_new_column_usually_holds(
    database: Database, tool: ModuleType, scripts: Path
) -> None:
    floor = playing(database, 4)
    metadata = tables(
        stars=sa.Column(sa.Integer(), nullable=False, default=3),
        team=sa.Column(sa.String(), nullable=False, default="nobody's"),
        is_guest=sa.Column(sa.Boolean(), nullable=False, default=False),
        club=sa.Column(sa.String(), nullable=True),
    )
    before = rows(database, "number", "name")
    tool.write("stars", scripts=scripts, metadata=metadata)
    database.upgrade(scripts=str(scripts))
    assert rows(database, "stars", "team", "is_guest", "club") == [(3, "nobody's", False, None)] * 4
    assert rows(database, "number", "name") == before
    with database.engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": tournament.migrations.is_other_default}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []
    floor.report(1)  # what hangs on entries hangs on them still
    database.upgrade("0001", scripts=str(scripts))
    assert rows(database, "number", "name") == before


def test_a_column_that_may_be_empty_no_longer_gets_its_default_where_it_was(
    database: Database, tool: ModuleType, scripts: Path
) -> None:
    playing(database, 2)
    metadata = tables(team=sa.Column(sa.String(), nullable=True))
    tool.write("teams", scripts=scripts, metadata=metadata)
    database.upgrade(scripts=str(scripts))
    with database.writing() as session:
        session.connection().execute(sa.text("UPDATE entry SET team = 'red' WHERE number = 2"))
    metadata = tables(team=sa.Column(sa.String(), nullable=False, default="nobody's"))
    tool.write("everybody has a team", scripts=scripts, metadata=metadata)
    database.upgrade(scripts=str(scripts))
    assert rows(database, "team") == [("nobody's",), ("red",)]


def test_a_column_that_nobody_could_fill_is_refused(tool: ModuleType, scripts: Path) -> None:
    with pytest.raises(ValueError, match=r"entry\.team is never empty and has no default"):
        tool.write("teams", scripts=scripts, metadata=tables(team=sa.Column(sa.String(), nullable=False)))


def test_a_step_that_leaves_rows_hanging_on_nothing_is_not_made(
    embedded: Database, tool: ModuleType, scripts: Path
) -> None:
    playing(embedded, 2)
    script = tool.write("nothing", scripts=scripts)
    source = script.read_text(encoding="utf-8").replace("    pass", '    op.execute("DELETE FROM event")', 1)
    script.write_text(source, encoding="utf-8")
    with pytest.raises(AssertionError):
        embedded.upgrade(scripts=str(scripts))
    assert len(rows(embedded, "number")) == 2
    with embedded.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM event").scalar() == 1
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
