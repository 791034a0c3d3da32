"""Pages in a real Chromium: nothing of ours is refused by our own policy, everybody can read them, they stay true."""

import pytest
from playwright.sync_api import Browser

from tests.tournament.floor import Floor
from tests.tournament.web.browsing import (
    MOST_BYTES,
    PHONE,
    SLOW,
    Server,
    reading,
    signed_in,
    unusable,
    violations,
    weight,
)
from tests.tournament.web.test_pages import NAMES, addresses
from tests.tournament.web.world import NOON, World, large
from tournament.database import Database


@pytest.mark.timeout(300)
def test_everybody_can_use_every_page_and_it_is_no_wider_than_a_phone(
    chromium: Browser, server: Server, world: World
) -> None:
    faults = {}
    with reading(chromium, viewport=PHONE, color_scheme="light", locale="en") as page:
        for name in (*NAMES, "hostile"):
            found = unusable(page, server.address + addresses(world).get(name, f"/e/{world.hostile}/pairings"))
            if found:
                faults[name] = found
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


def test_staff_see_what_is_not_published(chromium: Browser, server: Server, world: World) -> None:
    with reading(chromium, locale="en") as page:
        signed_in(page, server.address, account="ann")
        page.goto(f"{server.address}/e/{world.draft}")
        page.get_by_text("not published").wait_for()
