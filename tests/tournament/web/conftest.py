"""A database with events at every stage, and the site over it; once for each process that runs tests."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, sync_playwright

from tests.tournament.people import account
from tests.tournament.web.browsing import CHROMIUM, FLAGS, PASSWORD, QUICK, Server, served
from tests.tournament.web.world import World, build
from tournament.database import Database, open_file
from tournament.settings import Settings
from tournament.web.site import create_site


@pytest.fixture(scope="session")
def seeded(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = tmp_path_factory.mktemp("pages") / "deckproof.db"
    shutil.copy(sqlite, path)
    database = open_file(path)
    account("ann", database, hashed=QUICK.hash(PASSWORD))
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


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for the module: while its driver runs, nothing else in this process may run an event loop."""
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("there is no Chromium here, and in CI there has to be")
        pytest.skip("there is no Chromium here")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(seeded: Database, world: World) -> Iterator[Server]:
    with served(seeded) as one:
        yield one
