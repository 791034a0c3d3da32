"""The page on which the staff asks the chain again, and lets players play of whom nobody knows."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.tournament import owning
from tests.tournament.owning import FOO, World, cards, wallet
from tests.tournament.people import account
from tests.tournament.web.browsing import PASSWORD, PHONE, QUICK, Server, reading, served, signed_in, unusable
from tests.tournament.web.world import HOSTILE
from tournament.database import Database
from tournament.domain.announcement import IfShort
from verifier.testkit import lies


@pytest.fixture(scope="module")
def world(one: Database) -> Iterator[World]:
    """Check-in: Ann and two others have their cards, Bob lacks one; nobody has looked yet."""
    account("ann", one, hashed=QUICK.hash(PASSWORD))
    account("desk", one, hashed=QUICK.hash(PASSWORD))
    with owning.started(one) as made:
        made.announce(if_short=IfShort.WARN)
        for name in ("Ann", "Bob", HOSTILE[0], "Dan"):
            made.enter(name, wallet(name[:3]))
        full = cards(wallet("Ann")) | cards(wallet(HOSTILE[0][:3])) | cards(wallet("Dan"))
        made.chain.mine(full | cards(wallet("Bob"), but={FOO.card: 1}), seconds=60)
        made.wait(90)
        made.close()
        yield made


@pytest.fixture(scope="module")
def server(one: Database, world: World) -> Iterator[Server]:
    with served(one, nodes=world.nodes) as running:
        yield running


@pytest.fixture
def ann(chromium: Browser, server: Server, world: World) -> Iterator[Page]:
    with reading(chromium, locale="en", viewport=PHONE) as page:
        signed_in(page, server.address, account="ann")
        page.goto(f"{server.address}/e/{world.event}/control")
        yield page


def facts(page: Page) -> str:
    return re.sub(r"\s+", " ", page.locator("main dl.facts").inner_text())


def test_a_chain_that_gave_no_answer_is_asked_again(ann: Page, server: Server, world: World) -> None:
    ann.get_by_role("link", name="Cards").click()
    assert "Has every card 0" in facts(ann)
    world.node.tell(lies.shows_a_page(503))
    try:
        ann.get_by_role("button", name="Ask the chain").click()
        ann.get_by_text("The chain gave no answer to believe.").wait_for()
    finally:
        world.node.be_honest()
    assert "no endpoint answered in time" in facts(ann)
    assert unusable(ann, f"{server.address}/e/{world.event}/cards") == []
    ann.get_by_role("button", name="Ask the chain").click()
    ann.get_by_text("The chain was asked").wait_for()
    assert "Has every card 3" in facts(ann)
    assert "Cards missing 1" in facts(ann)
    assert FOO.card in ann.locator("tr", has_text="Bob").inner_text()


def test_who_is_short_plays_by_a_word_with_a_reason(ann: Page, server: Server, world: World) -> None:
    world.read()
    ann.goto(f"{server.address}/e/{world.event}/cards")
    ann.get_by_label("Why they may play").fill("the card is in the post")
    ann.get_by_role("button", name="Let the chosen ones play").click()
    ann.get_by_role("alert").wait_for()
    assert ann.get_by_label("Why they may play").input_value() == "the card is in the post"
    ann.get_by_label("Let Bob play").check()
    ann.get_by_role("button", name="Let the chosen ones play").click()
    ann.get_by_text("They may play.").wait_for()
    assert "a judge lets the player play" in ann.locator("tr", has_text="Bob").inner_text()
    assert unusable(ann, f"{server.address}/e/{world.event}/cards") == []
