"""Rooms of organizers in a real Chromium: from a template to an event that everybody sees, by clicking."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.tournament import owning
from tests.tournament.owning import World as Chain
from tests.tournament.people import account
from tests.tournament.web.browsing import PASSWORD, PHONE, QUICK, Server, reading, served, signed_in, unusable
from tournament.database import open_file
from verifier.testkit import lies


@pytest.fixture(scope="module")
def chain(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chain]:
    path = tmp_path_factory.mktemp("organizer") / "deckproof.db"
    shutil.copy(sqlite, path)
    database = open_file(path)
    for name in ("ann", "bea"):
        account(name, database, hashed=QUICK.hash(PASSWORD))
    with owning.started(database, nodes=2) as world:
        world.chain.mine({}, seconds=60)
        yield world
    database.close()


@pytest.fixture(scope="module")
def shop(chain: Chain) -> Iterator[Server]:
    """A site of its own, which asks a chain."""
    with served(chain.database, nodes=chain.nodes) as one:
        yield one


@pytest.fixture
def ann(chromium: Browser, shop: Server) -> Iterator[Page]:
    with reading(chromium, locale="en", timezone_id="Europe/Madrid", viewport={"width": 1100, "height": 800}) as page:
        signed_in(page, shop.address, account="ann")
        yield page


def test_from_a_template_to_a_published_event_with_a_judge(ann: Page, chromium: Browser, shop: Server) -> None:
    ann.goto(f"{shop.address}/organize")
    ann.get_by_role("link", name="New event").click()
    ann.get_by_role("link", name="An evening").click()
    assert ann.get_by_label("Clock of the venue").input_value() == "Europe/Madrid"
    assert not ann.get_by_label("So many", exact=True).is_visible()
    ann.get_by_label("Who plays on after the rounds").select_option("size")
    assert ann.get_by_label("So many", exact=True).is_visible()
    ann.get_by_label("Name", exact=True).fill("Friday Night")
    ann.get_by_role("button", name="Announce the event").click()
    ann.get_by_text("the cut is by size, so it needs a size").wait_for()
    ann.get_by_label("So many", exact=True).fill("4")
    ann.get_by_label("Starts").fill("2031-03-07T19:00")
    ann.get_by_role("button", name="Announce the event").click()
    ann.get_by_text("Friday Night is announced.").wait_for()
    assert ann.get_by_text("Fri 7 Mar 2031, 19:00 CET").is_visible()
    event = ann.url.split("/")[4]

    ann.get_by_role("link", name="Invite somebody").click()
    ann.get_by_role("button", name="Make an invitation").click()
    link = ann.get_by_label("Link of the invitation").input_value()
    ann.get_by_role("button", name="Copy").first.click()
    ann.get_by_role("button", name="Copied").wait_for()
    with reading(chromium, locale="en") as bea:
        signed_in(bea, shop.address, account="bea")
        bea.goto(link)
        bea.locator("main form[action^='/invitations'] button").first.click()
        bea.get_by_text("You belong to the staff of this event now.").wait_for()
    ann.reload()
    assert ann.get_by_role("row", name="bea").get_by_text("judge").is_visible()

    ann.goto(f"{shop.address}/e/{event}/organize")
    ann.get_by_role("button", name="Publish").click()
    ann.get_by_text("Everybody sees the event now.").wait_for()
    ann.get_by_role("button", name="Open registration").click()
    ann.get_by_text("Registration is open.").first.wait_for()
    with reading(chromium, locale="en") as visitor:
        visitor.goto(f"{shop.address}/e/{event}")
        assert visitor.get_by_role("link", name="Register").first.is_visible()


def test_a_file_is_read_into_the_field_and_looked_at(ann: Page, shop: Server, tmp_path: Path) -> None:
    ann.goto(f"{shop.address}/organize/new/blank")
    ann.get_by_label("Name", exact=True).fill("With a roster")
    ann.get_by_role("button", name="Announce the event").click()
    ann.get_by_role("button", name="Open registration").click()
    ann.get_by_role("link", name="Enter a list", exact=True).click()
    (tmp_path / "players.csv").write_text("name\nAda Ångström\nBen\n", encoding="utf-8")
    ann.get_by_label("From a file").set_input_files(tmp_path / "players.csv")
    ann.get_by_role("button", name="Look first").click()
    ann.get_by_text("2 players would be entered").wait_for()
    ann.get_by_role("button", name="Enter them").click()
    ann.get_by_text("2 players were entered.").wait_for()


def test_a_check_up_shows_a_node_that_is_down_and_one_that_is_up(ann: Page, shop: Server, chain: Chain) -> None:
    chain.node.tell(lies.shows_a_page(503))
    try:
        ann.goto(f"{shop.address}/check-up")
        ann.locator("[data-check=endpoint1].red").wait_for()
    finally:
        chain.node.be_honest()
    assert "503" in ann.locator("[data-check=endpoint1]").inner_text()
    assert ann.locator("[data-check=endpoint2].green").is_visible()
    assert ann.locator("[data-check=database].green").is_visible()
    assert "127.0.0.1:" not in ann.locator("#chain").inner_text()
    ann.get_by_role("link", name="Look again").click()
    ann.locator("[data-check=endpoint1].green").wait_for()
    assert "2 of 2 endpoints agree" in ann.locator("[data-check=agreement]").inner_text()


@pytest.mark.timeout(300)
def test_everybody_can_use_the_rooms_of_organizers(chromium: Browser, shop: Server, chain: Chain) -> None:
    faults = {}
    with reading(chromium, viewport=PHONE, color_scheme="light", locale="en") as page:
        signed_in(page, shop.address, account="ann")
        given = page.request.get(f"{shop.address}/events?text=roster").json()["events"]
        event = f"/e/{given[0]['id']}/organize"
        own = ("", "/settings", "/players", "/players/roster", "/players/1", "/staff", "/texts/invitation", "/files")
        others = ("/organize", "/organize/new", "/organize/new/cps-official", "/organize/import", "/s", "/s/new")
        for place in (*(event + one for one in own), f"{event}/webhooks", *others, "/check-up"):
            if found := unusable(page, shop.address + place):
                faults[place] = found
    assert faults == {}
