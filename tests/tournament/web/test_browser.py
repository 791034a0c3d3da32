"""Pages in a real Chromium: nothing of ours is refused by our own policy, everybody can read them, they stay true."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.docs.pages import ROOT
from tests.tournament.floor import Floor
from tests.tournament.postgres import free_port
from tests.tournament.web.conftest import QUICK
from tests.tournament.web.test_pages import NAMES, addresses
from tests.tournament.web.world import NOON, World, large
from tournament.database import Database
from tournament.settings import Settings
from tournament.web.site import create_site

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
PHONE = {"width": 360, "height": 740}
MOST_BYTES = 60_000
"""Of a first load, as it comes over the line."""
SLOW = 30_000
"""Milliseconds until something that has to happen has not."""
AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""All that another look changes."""


@dataclass
class Server:
    """The site, on a port of its own."""

    address: str
    start: Callable[[], None]
    stop: Callable[[], None]


@contextmanager
def served(database: Database) -> Iterator[Server]:
    """The site in a thread, which may be stopped and started again on its port."""
    port = free_port()
    running: list[tuple[uvicorn.Server, threading.Thread]] = []

    def start() -> None:
        app = create_site(Settings(), database=database, hasher=QUICK)
        server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        deadline = time.monotonic() + 60
        while not server.started and time.monotonic() < deadline:
            time.sleep(0.02)
        assert server.started
        running.append((server, thread))

    def stop() -> None:
        server, thread = running.pop()
        server.should_exit = True
        thread.join(timeout=30)

    start()
    yield Server(f"http://127.0.0.1:{port}", start, stop)
    if running:
        stop()


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


@contextmanager
def reading(browser: Browser, **options: Any) -> Iterator[Page]:
    """A page of somebody's browser; whatever our policy refuses, or a script stumbles over, fails the test."""
    context: BrowserContext = browser.new_context(**options)
    context.set_default_timeout(SLOW)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(f"{page.url}: {error}"))
    page.on(
        "console", lambda said: wrong.append(f"{page.url}: {said.text}") if "Content Security" in said.text else None
    )
    page.on("dialog", lambda dialog: wrong.append(f"{page.url}: {dialog.message}"))
    try:
        yield page
    finally:
        context.close()
    assert wrong == []


def violations(page: Page, rules: Any = RULES) -> list[str]:
    """What axe finds."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE + "; undefined")
    found = page.evaluate("rules => axe.run(document, rules)", rules)["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


@pytest.mark.timeout(300)
def test_everybody_can_use_every_page_and_it_is_no_wider_than_a_phone(
    chromium: Browser, server: Server, world: World
) -> None:
    faults = {}
    with reading(chromium, viewport=PHONE, color_scheme="light", locale="en") as page:
        for name in (*NAMES, "hostile"):
            page.emulate_media(color_scheme="light")
            page.goto(server.address + addresses(world).get(name, f"/e/{world.hostile}/pairings"))
            found = violations(page)
            page.emulate_media(color_scheme="dark")
            found += violations(page, COLOURS)
            beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if found or beyond > 0:
                faults[name] = (found, beyond)
    assert faults == {}


def test_high_contrast_is_that(chromium: Browser, server: Server, world: World) -> None:
    with reading(chromium, locale="es") as page:
        page.goto(f"{server.address}/e/{world.running}/pairings")
        page.get_by_role("button", name="Alto contraste").click()
        assert page.locator("html").get_attribute("data-look") == "contrast"
        assert page.url == f"{server.address}/e/{world.running}/pairings"
        assert page.evaluate("getComputedStyle(document.documentElement).color") == "rgb(0, 0, 0)"
        assert violations(page) == []


def test_everything_is_read_without_javascript(chromium: Browser, server: Server, world: World) -> None:
    with reading(chromium, java_script_enabled=False, locale="en") as page:
        page.goto(f"{server.address}/e/{world.running}/pairings")
        page.get_by_label("Find a name").fill("großmann")
        page.get_by_role("button", name="Find").click()
        assert page.locator(".answers .name").first.inner_text() == "Lea Großmann"
        page.get_by_role("link", name="Standings").click()
        page.get_by_role("button", name="Lea Großmann").click()
        assert page.locator(".inner tbody tr").count() == 3


def test_somebody_is_found_while_typing_and_keeps_the_focus(chromium: Browser, server: Server, world: World) -> None:
    with reading(chromium, locale="en") as page:
        page.goto(f"{server.address}/e/{world.running}/pairings")
        page.get_by_label("Find a name").press_sequentially("wojcik")
        page.locator(".answers .name", has_text="Pia").first.wait_for()
        assert page.evaluate("document.activeElement.name") == "name"
        assert page.get_by_label("Find a name").input_value() == "wojcik"
        page.goto(f"{server.address}/e/{world.running}/standings")
        page.get_by_role("button", name="Jo Li").click()
        page.locator(".inner tbody tr").first.wait_for()


def test_a_page_follows_the_event_also_over_a_restart(
    chromium: Browser, server: Server, seeded: Database, world: World
) -> None:
    floor = Floor(seeded, world.running, now=NOON)
    floor.ids = iter(range(10**9, 2 * 10**9))
    with reading(chromium, locale="en") as page:
        page.goto(f"{server.address}/e/{world.running}/pairings?by=table")
        row = page.locator("tbody tr", has=page.locator("th", has_text="2")).first
        assert row.locator(".result").inner_text() == "plays"
        page.get_by_label("Find a name").fill("half typed")
        page.wait_for_timeout(600)
        floor.report(2, 2, 0, number=4)
        page.locator("tbody tr th:text-is('2') ~ .result", has_text="2\u20130").wait_for()
        assert page.get_by_label("Find a name").input_value() == "half typed"
        server.stop()
        floor.report(5, 2, 1, number=4)
        page.locator("#away").wait_for()
        server.start()
        page.locator("tbody tr th:text-is('5') ~ .result", has_text="2\u20131").wait_for(timeout=2 * SLOW)
        page.locator("#away").wait_for(state="hidden")


@pytest.mark.timeout(300)
def test_a_first_load_is_light_even_of_two_thousand_players(
    chromium: Browser, server: Server, seeded: Database, world: World
) -> None:
    event = large(seeded)
    heavy = {}
    pages = {**addresses(world), "large": f"/e/{event}/pairings", "large players": f"/e/{event}/players"}
    for name, address in pages.items():
        with reading(chromium, viewport=PHONE, locale="en") as page:
            taken: list[int] = []
            page.on("response", lambda answer, taken=taken: taken.append(weight(answer)))  # type: ignore[misc]
            page.goto(server.address + address, wait_until="load")
            page.wait_for_timeout(50)
            if sum(taken) > MOST_BYTES:
                heavy[name] = sum(taken)
            if name == "large":
                page.get_by_label("Find a name").fill("1999")
                page.locator(".answers .name", has_text="1999").first.wait_for()
                assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert heavy == {}


def weight(answer: Any) -> int:
    """Bytes of an answer over the line; a stream has no end and is none."""
    headers = sum(len(name) + len(value) for name, value in answer.headers.items())
    return int(answer.headers.get("content-length", 0)) + headers


def test_print_shows_the_list_and_not_the_site(chromium: Browser, server: Server, world: World) -> None:
    with reading(chromium, locale="en") as page:
        page.goto(f"{server.address}/e/{world.running}/pairings?page=0")
        page.emulate_media(media="print")
        assert page.locator("table.list").is_visible()
        for away in (".top", ".bottom", ".tabs", ".finder"):
            assert not page.locator(away).first.is_visible(), away


def test_a_player_registers_with_a_keyboard_alone(chromium: Browser, server: Server, world: World) -> None:
    with reading(chromium, locale="en") as page:
        page.goto(f"{server.address}/e/{world.upcoming}/register")
        page.get_by_label("Your name").focus()
        page.keyboard.type("Keyboard Kim")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="You are in, Keyboard Kim").wait_for()
