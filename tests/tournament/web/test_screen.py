"""The projector: everybody is on a slide, slides turn by themselves, and outlive the server."""

import re

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page

from tests.tournament.floor import Floor
from tests.tournament.people import account
from tests.tournament.web.browsing import PASSWORD, PHONE, QUICK, SLOW, Server, reading, unusable
from tests.tournament.web.world import HOSTILE, PEOPLE, World, _announced, _enter, _play, asking
from tournament.database import Database
from tournament.domain.roles import Role
from tournament.service import staff
from tournament.service.commands import run
from tournament.web.pages.screen import GRIDS, _pages

WALLS = ((1920, 1080), (1280, 720), (1024, 768))


@pytest.fixture(scope="module")
def floor(seeded: Database, world: World) -> Floor:
    """Twenty-five players, some with hostile names, in their first round with a clock."""
    made = _announced(seeded, "Walled Open", rounds=4, round_minutes=50)
    _enter(made, [*HOSTILE, *PEOPLE])
    made.next_round()
    return made


def parts(site: TestClient, address: str) -> list[str]:
    """What each slide shows."""
    page = site.get(address).text
    found = []
    for number in range(1, int(re.findall(r'data-slides="(\d+)"', page)[0]) + 1):
        one = site.get(address, params={"slide": number}).text
        found += re.findall(r'<section class="slide (\w+)', one)
    return found


def test_a_slide_has_as_many_names_as_can_be_read_and_few_are_large() -> None:
    def shapes(names: int) -> list[tuple[int, int, int]]:
        return [(slide.columns, slide.rows, len(slide.lines)) for slide in _pages("pairings", range(names), GRIDS)]

    assert shapes(8) == [(1, 12, 8)]
    assert shapes(25) == [(2, 16, 25)]
    assert shapes(60) == [(3, 20, 60)]
    assert shapes(250) == [(4, 30, 120), (4, 30, 120), (4, 30, 10)]
    assert shapes(0) == []


def test_full_slides_stay_longer() -> None:
    full, last = _pages("pairings", range(130), GRIDS)
    assert (full.seconds, last.seconds) == (20, 9)


def test_what_is_shown_hangs_on_how_far_the_event_is(site: TestClient, world: World, floor: Floor) -> None:
    assert parts(site, f"/e/{world.upcoming}/screen") == ["welcome"]
    assert parts(site, f"/e/{floor.event}/screen") == ["pairings", "clock"]
    assert parts(site, f"/e/{world.running}/screen") == ["pairings", "clock", "standings"]
    assert parts(site, f"/e/{world.hostile}/screen") == ["standings"]
    assert parts(site, f"/e/{world.finished}/screen") == ["welcome", "standings", "bracket"]
    assert "pairings" in parts(site, f"/e/{world.pods}/screen")


def test_parts_are_picked_and_what_is_unknown_is_left_out(site: TestClient, world: World) -> None:
    address = f"/e/{world.running}/screen"
    page = site.get(address, params={"show": "clock,nonsense", "seconds": 30}).text
    assert 'data-slides="1"' in page
    assert 'class="slide clock' in page
    assert 'data-seconds="30"' in page
    assert 'class="slide pairings' in site.get(address, params={"slide": 99}).text


def test_everybody_is_on_the_wall_and_a_name_is_only_a_name(site: TestClient, floor: Floor) -> None:
    page = site.get(f"/e/{floor.event}/screen").text
    assert page.count('<bdi class="name">') == len(HOSTILE) + len(PEOPLE)
    assert "<svg onload" not in page
    assert "<script>" not in page


def test_a_display_shows_an_event_that_nobody_else_sees(site: TestClient, seeded: Database, world: World) -> None:
    account("wall", seeded, hashed=QUICK.hash(PASSWORD))
    run(seeded, staff.GRANT, asking(world.draft), staff.Grant(account="wall", role=Role.DISPLAY))
    assert site.get(f"/e/{world.draft}/screen").status_code == 404
    site.post("/sign-in", data={"account": "wall", "password": PASSWORD})
    assert "Secret Plans" in site.get(f"/e/{world.draft}/screen").text


def too_large(page: Page) -> list[str]:
    """What is cut off at the foot of the wall, or stands on something else."""
    found: list[str] = page.evaluate(
        """() => {
            const wall = innerHeight, faults = [];
            for (const one of document.querySelectorAll(".grid li, footer, .huge, .greeting p")) {
                const box = one.getBoundingClientRect();
                if (box.bottom > wall + 1 || box.right > innerWidth + 1) faults.push(one.textContent.slice(0, 40));
            }
            for (const one of document.querySelectorAll(".grid li")) {
                if (one.scrollHeight > one.clientHeight + 2) faults.push("tall: " + one.textContent.slice(0, 40));
            }
            return faults;
        }"""
    )
    return found


@pytest.mark.timeout(120)
def test_slides_fit_every_wall_and_everybody_can_use_them(
    chromium: Browser, server: Server, world: World, floor: Floor
) -> None:
    faults: dict[str, list[str]] = {}
    slides = [
        f"/e/{floor.event}/screen", f"/e/{floor.event}/screen?show=clock", f"/e/{world.running}/screen?show=standings",
        f"/e/{world.finished}/screen?show=bracket", f"/e/{world.upcoming}/screen",
    ]  # fmt: skip
    with reading(chromium, viewport={"width": 1920, "height": 1080}, locale="en") as page:
        for address in slides:
            page.goto(server.address + address)
            for width, height in WALLS:
                page.set_viewport_size({"width": width, "height": height})
                if found := too_large(page):
                    faults[f"{address} {width}"] = found
    with reading(chromium, viewport=PHONE, locale="es") as page:
        for address in slides:
            if found := unusable(page, server.address + address):
                faults[address] = found
    assert faults == {}


@pytest.mark.timeout(120)
def test_slides_turn_are_held_and_outlive_the_server(
    chromium: Browser, server: Server, seeded: Database, world: World
) -> None:
    made = _announced(seeded, "Turning Open", rounds=4, round_minutes=50)
    _enter(made, PEOPLE[:4])
    made.next_round()
    with reading(chromium, viewport={"width": 1280, "height": 720}, locale="en") as page:
        page.goto(f"{server.address}/e/{made.event}/screen?seconds=3")
        shows = page.locator("section.slide")
        page.locator("section.clock").wait_for()
        page.locator("section.pairings").wait_for()
        page.keyboard.press("Space")
        assert page.locator("[data-pause]").get_attribute("aria-pressed") == "true"
        page.keyboard.press("ArrowRight")
        page.locator("section.clock").wait_for()
        assert page.locator(".digits output").inner_text() == "time is up"  # it began in March
        page.keyboard.press("Space")
        server.stop()
        page.locator("#gone").wait_for()
        page.locator("section.pairings").wait_for()
        page.locator("section.clock").wait_for()
        server.start()
        page.locator("#gone").wait_for(state="hidden", timeout=2 * SLOW)
        _play(made, 1)
        made.next_round()
        page.get_by_text("Round 2 is published").wait_for()
        page.locator(".now", has_text="Round 2").wait_for()
        assert shows.count() == 1


def test_a_clock_that_is_long_over_shows_no_digits(chromium: Browser, server: Server, world: World) -> None:
    with reading(chromium, locale="en") as page:
        page.goto(f"{server.address}/rulings")
        told = page.evaluate(
            """() => [-700, -30, 61.4].map((left) => {
                const place = document.createElement("p");
                place.dataset.ends = new Date(Date.now() + left * 1000).toISOString();
                document.body.append(place);
                dispatchEvent(new Event("tick"));
                return [place.querySelector("output").textContent, place.className];
            })"""
        )
    assert told == [["time is up", "over long-over"], ["\u22120:30", "over"], ["1:01", ""]]


def test_slides_are_read_without_javascript(chromium: Browser, server: Server, floor: Floor) -> None:
    with reading(chromium, java_script_enabled=False, locale="en") as page:
        page.goto(f"{server.address}/e/{floor.event}/screen")
        page.get_by_role("link", name="Next").click()
        page.locator("section.clock").wait_for()
        assert page.get_by_role("button").count() == 0
