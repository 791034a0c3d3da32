"""A real Chromium at the pages: what it takes to open them as somebody, and what is wrong with one."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn
from argon2 import PasswordHasher
from playwright.sync_api import Browser, BrowserContext, Page

from tests.docs.pages import ROOT
from tests.tournament.postgres import free_port
from tournament.database import Database
from tournament.settings import Settings
from tournament.web.site import create_site

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORD = "correct horse battery staple"
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
def served(database: Database, settings: Settings | None = None, **given: Any) -> Iterator[Server]:
    """The site in a thread, which may be stopped and started again on its port; given: what `create_site` takes."""
    port = free_port()
    running: list[tuple[uvicorn.Server, threading.Thread]] = []

    def start() -> None:
        app = create_site(settings or Settings(), database=database, hasher=QUICK, **given)
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


def unusable(page: Page, address: str) -> list[str]:
    """Opens a page as it is on a phone, and says all that is wrong with it: axe in light and dark, width, weight."""
    page.emulate_media(color_scheme="light")
    taken: list[int] = []

    def took(answer: Any) -> None:
        taken.append(weight(answer))

    page.on("response", took)
    page.goto(address)
    page.remove_listener("response", took)
    found = violations(page)
    page.emulate_media(color_scheme="dark")
    found += violations(page, COLOURS)
    beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if beyond > 0:
        found.append(f"{beyond} pixels wider than a phone")
    if sum(taken) > MOST_BYTES:
        found.append(f"{sum(taken)} bytes on the first load")
    return found


def signed_in(page: Page, address: str, *, account: str = "", event: str = "", entry: int = 0, code: str = "") -> None:
    """Signs a browser in: as an account whose password is `PASSWORD`, or as a player by the code of an entry."""
    proof = {"account": account, "password": PASSWORD} if account else {"event": event, "number": entry, "code": code}
    answer = page.request.post(f"{address}/session{'' if account else '/entry'}", data=proof)
    assert answer.status == 201, answer.text()


def weight(answer: Any) -> int:
    """Bytes of an answer over the line; a stream has no end and is none."""
    headers = sum(len(name) + len(value) for name, value in answer.headers.items())
    return int(answer.headers.get("content-length", 0)) + headers
