"""Databases, the application over them, and people who use it. Every test here runs on SQLite and on PostgreSQL."""

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from fastapi.testclient import TestClient
from sqlalchemy import create_engine, make_url, text

from tests.tournament.people import Desk, account
from tests.tournament.postgres import programs_here, started_postgres
from tournament.api.app import create_app
from tournament.database import Database, open_file, open_url
from tournament.settings import Settings

TEMPLATE = "deckproof_template"
_NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A server, with one database that is migrated already, to be copied."""
    with started_postgres(programs_here()) as url:
        _administer(url, f"CREATE DATABASE {TEMPLATE}")
        database = open_url(_named(url, TEMPLATE))
        database.upgrade()
        database.close()
        yield url


@pytest.fixture(scope="session")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that is migrated already, to be copied."""
    path = tmp_path_factory.mktemp("sqlite") / "template.db"
    database = open_file(path)
    database.upgrade()
    with database.engine.connect() as connection:
        connection.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a fresh database of the present shape."""
    if request.param == "sqlite":
        path = tmp_path / "deckproof.db"
        shutil.copy(request.getfixturevalue("sqlite"), path)
        yield f"sqlite:///{path}"
        return
    server, name = request.getfixturevalue("postgres"), f"test_{next(_NUMBERS)}"
    _administer(server, f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    yield _named(server, name)
    _administer(server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = open_url(url)
    yield database
    database.close()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def common(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A database for all tests of a module, each with events of its own."""
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("common") / "deckproof.db"
        shutil.copy(request.getfixturevalue("sqlite"), path)
        database = open_file(path)
    else:
        server, name = request.getfixturevalue("postgres"), f"test_{next(_NUMBERS)}"
        _administer(server, f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
        database = open_url(_named(server, name))
    yield database
    database.close()


@pytest.fixture(scope="module")
def one(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The same, on SQLite alone."""
    path = tmp_path_factory.mktemp("one") / "deckproof.db"
    shutil.copy(sqlite, path)
    database = open_file(path)
    yield database
    database.close()


@pytest.fixture
def embedded(sqlite: Path, tmp_path: Path) -> Iterator[Database]:
    """A fresh SQLite database, for what has nothing to do with which database it is."""
    shutil.copy(sqlite, tmp_path / "embedded.db")
    database = open_file(tmp_path / "embedded.db")
    yield database
    database.close()


@pytest.fixture
def client(database: Database) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(), database=database), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def visitor(embedded: Database) -> Iterator[TestClient]:
    """Somebody without an account, where passwords are hashed quickly. SQLite alone."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    app = create_app(Settings(), database=embedded, hasher=quick)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def ann(database: Database, client: TestClient) -> Desk:
    """An organizer."""
    return signed_in("ann", database, client)


@pytest.fixture
def bea(database: Database, client: TestClient) -> Desk:
    """Somebody else with an account."""
    return signed_in("bea", database, client)


def signed_in(name: str, database: Database, client: TestClient) -> Desk:
    return Desk(client, account(name, database))


def _named(url: str, name: str) -> str:
    return make_url(url).set(database=name).render_as_string(hide_password=False)


def _administer(url: str, statement: str) -> None:
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(statement))
    engine.dispose()
