"""A database with events at every stage, and the site over it; once for each process that runs tests."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from fastapi.testclient import TestClient

from tests.tournament.people import account
from tests.tournament.web.world import World, build
from tournament.database import Database, open_file
from tournament.settings import Settings
from tournament.web.site import create_site

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture(scope="session")
def seeded(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = tmp_path_factory.mktemp("pages") / "deckproof.db"
    shutil.copy(sqlite, path)
    database = open_file(path)
    account("ann", database)
    yield database
    database.close()


@pytest.fixture(scope="session")
def world(seeded: Database) -> World:
    return build(seeded)


@pytest.fixture(scope="session")
def browser_like(seeded: Database, world: World) -> Iterator[TestClient]:
    app = create_site(Settings(), database=seeded, hasher=QUICK)
    headers = {"Accept": "text/html", "Accept-Language": "en", "Sec-Fetch-Site": "same-origin"}
    with TestClient(app, headers=headers, raise_server_exceptions=False, follow_redirects=False) as client:
        yield client


@pytest.fixture
def site(browser_like: TestClient) -> TestClient:
    """Somebody's browser, as far as it sends headers; signed in nowhere."""
    browser_like.cookies.clear()
    return browser_like
