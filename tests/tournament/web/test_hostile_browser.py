"""Browsers that are not as they should be: a clock that is hours wrong, no room for anything, an answer read again."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.tournament.web.at_the_desk import Hall
from tests.tournament.web.browsing import Server, reading, served, signed_in
from tournament import store
from tournament.database import open_file
from tournament.service import calls, rounds

NOTHING_KEPT = """
Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });
Object.defineProperty(window, "indexedDB", { value: { open() { throw new DOMException("no", "SecurityError"); } } });
"""
THREE_HOURS_SLOW = """{
  const Real = Date, by = -3 * 3600 * 1000;
  window.Date = class extends Real {
    constructor(...given) { given.length ? super(...given) : super(Real.now() + by); }
    static now() { return Real.now() + by; }
  };
}"""


@pytest.fixture(scope="module")
def halls(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Hall, Hall]]:
    """A server of our own: an event with a queue, and one in its first round, with a clock."""
    path = tmp_path_factory.mktemp("halls") / "deckproof.db"
    shutil.copy(sqlite, path)
    database = open_file(path)
    queue, playing = Hall(database), Hall(database)
    queue.account("ann")
    queue.announce(guests=("Ann Example", "Bob Builder", "Cleo Marín"))
    playing.announce(guests=("Dan Dear", "Eve Even", "Finn Far", "Gus Gone"), gives=False, round_minutes=50)
    playing.does(rounds.PAIR, rounds.Pair(even_so=True))
    playing.does(rounds.PUBLISH, rounds.Publish(start_clock=True))
    with served(database) as server:
        yield server, queue, playing
    database.close()


@pytest.mark.timeout(120)
def test_a_phone_whose_clock_is_hours_slow_tells_the_time_that_is_left(
    chromium: Browser, halls: tuple[Server, Hall, Hall]
) -> None:
    server, _, playing = halls
    with reading(chromium, locale="en") as page:
        page.add_init_script(THREE_HOURS_SLOW)
        page.goto(f"{server.address}/e/{playing.event}/pairings")
        page.wait_for_function("/^(49|50):/.test(document.querySelector('[data-ends] output')?.textContent)")


@pytest.mark.timeout(120)
def test_a_desk_whose_clock_is_hours_slow_lets_players_in_without_the_server(
    chromium: Browser, halls: tuple[Server, Hall, Hall]
) -> None:
    server, queue, _ = halls
    with reading(chromium, locale="en") as page:
        page.add_init_script(THREE_HOURS_SLOW)
        signed_in(page, server.address, account="ann")
        page.goto(f"{server.address}/e/{queue.event}/desk")
        page.locator("#desk-state[data-ready=yes]").wait_for()
        page.context.set_offline(True)
        page.keyboard.type(queue.text(1))
        page.keyboard.press("Enter")
        page.locator('.came[data-case="kept"]', has_text="Ann Example").wait_for()
        page.context.set_offline(False)
        page.locator("#desk-state[data-unsent='0']").wait_for()
    with queue.database.reading() as session:
        (row,) = store.scans_of(session, queue.event, entries=[1])
        assert abs(datetime.fromtimestamp(row.scanned_at, UTC) - datetime.now(UTC)) < timedelta(minutes=2)


@pytest.mark.timeout(120)
def test_a_desk_whose_browser_keeps_nothing_lets_players_in(
    chromium: Browser, halls: tuple[Server, Hall, Hall]
) -> None:
    server, queue, _ = halls
    with reading(chromium, locale="en") as page:
        page.add_init_script(NOTHING_KEPT)
        signed_in(page, server.address, account="ann")
        page.goto(f"{server.address}/e/{queue.event}/desk")
        page.locator("#sound-switch").click()
        page.keyboard.type(queue.text(2))
        page.keyboard.press("Enter")
        page.locator('.came[data-case="in"]', has_text="Bob Builder").wait_for()
    assert queue.is_here(2)


@pytest.mark.timeout(120)
def test_a_refusal_stays_while_news_come_and_can_be_read_in_another_language(
    chromium: Browser, halls: tuple[Server, Hall, Hall]
) -> None:
    server, _, playing = halls
    with reading(chromium, locale="en") as page:
        signed_in(page, server.address, account="ann")
        page.goto(f"{server.address}/e/{playing.event}/judge")
        playing.does(calls.MAKE, calls.JudgeCall(topic="first", table=1))
        page.get_by_role("button", name="I am going").click()
        page.get_by_text("is on the way").wait_for()
        page.evaluate(
            """place => { const form = document.createElement("form"); form.method = "post";
            form.action = place; document.body.append(form); form.submit(); }""",
            f"/e/{playing.event}/judge/do/take-call",
        )
        page.wait_for_url("**/judge/do/take-call")
        playing.does(calls.MAKE, calls.JudgeCall(topic="second", table=2))
        page.wait_for_timeout(1500)  # longer than news and the page after them take
        assert page.locator("#live h2").first.inner_text() == "Judge"
        page.get_by_role("button", name="Español").click()
        page.wait_for_url("**/judge")
        page.get_by_text("second").wait_for()
