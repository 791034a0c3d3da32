"""What pages say of cards: the wallet page over a chain in memory, an event whose players prove theirs, open lists."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from fastapi.testclient import TestClient

from tests.tournament import owning
from tests.tournament.owning import FOO, LIST, World, cards, wallet
from tests.tournament.people import account
from tests.tournament.web.browsing import QUICK
from tournament.database import Database
from tournament.domain.announcement import IfShort, ListsOpen
from tournament.service import events
from tournament.service.nodes import Nodes
from tournament.settings import Settings
from tournament.web.site import create_site
from verifier.testkit import lies


@dataclass
class Shop:
    """An event that was played, its chain, and a browser."""

    world: World
    site: TestClient


@pytest.fixture(scope="module")
def shop(one: Database) -> Iterator[Shop]:
    account("ann", one)
    with owning.started(one) as world:
        world.announce(if_short=IfShort.WARN, lists_open=ListsOpen.AT_THE_END)
        for name in ("Ann", "Bob", "Cat", "Dan"):
            world.enter(name)
        balances = cards(wallet("Ann")) | cards(wallet("Bob")) | cards(wallet("Cat"))
        world.chain.mine(balances | cards(wallet("Dan"), but={FOO.card: 1}), seconds=60)
        world.begin()
        world.play()
        world.do(events.FINISH)
        app = create_site(Settings(), database=one, hasher=QUICK, nodes=world.nodes)
        headers = {"Accept": "text/html", "Accept-Language": "en", "Sec-Fetch-Site": "same-origin"}
        with TestClient(app, headers=headers, raise_server_exceptions=False) as site:
            yield Shop(world, site)


def asked(shop: Shop, name: str, **typed: str) -> str:
    """The page that answers, without its tags."""
    sent = {"game": "cps", "wallets": wallet(name), "decklist": LIST, **typed}
    page = shop.site.post("/check", data=sent).text
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def test_a_wallet_with_every_card_is_covered(shop: Shop) -> None:
    page = asked(shop, "Ann")
    assert "Covered Every copy of every card is there." in page
    assert "at block" in page


def test_a_wallet_that_lacks_a_card_is_told_which(shop: Shop) -> None:
    page = asked(shop, "Dan")
    assert "Cards missing 1 card has too few copies." in page
    assert f"{FOO.card} {FOO.units} {FOO.units - 1} 1 missing" in page


def test_two_wallets_count_together(shop: Shop) -> None:
    assert "Every copy of every card is there." in asked(shop, "", wallets=f"{wallet('Dan')},\n{wallet('Ann')}")


def test_what_nobody_knows_is_neither_yes_nor_no(shop: Shop) -> None:
    shop.world.node.tell(lies.shortens())
    try:
        page = asked(shop, "Ann")
    finally:
        shop.world.node.tell()
    assert "Undetermined Nobody knows right now" in page
    assert "an endpoint gave an answer that no honest node and contract give" in page
    assert "Every copy of every card is there." not in page
    assert shop.world.node.url not in page


def test_a_list_that_cannot_be_read_is_told_line_by_line(shop: Shop) -> None:
    answer = shop.site.post("/check", data={"game": "cps", "wallets": "0x12", "decklist": "1 Nobody At All"})
    assert answer.status_code == 422
    assert "0x12" in answer.text
    page = asked(shop, "Ann", decklist="1 Nobody At All\n2 <script>")
    assert "line 1" in page
    assert "line 2" in page


def test_a_server_that_asks_no_chain_says_so(shop: Shop, one: Database) -> None:
    with TestClient(create_site(Settings(), database=one, hasher=QUICK, nodes=Nodes())) as site:
        page = site.get("/check").text
    assert "This server asks no chain." in page
    assert "<textarea" not in page


def test_an_event_says_whether_it_is_sanctioned_and_why(shop: Shop) -> None:
    page = shop.site.get(f"/e/{shop.world.event}").text
    assert "Cards looked at before each round" in page
    assert "promised before registration" not in page
    evidence = shop.site.get(f"/e/{shop.world.event}/evidence").text
    assert "not read yet" not in evidence
    assert f"/events/{shop.world.event}/evidence" in evidence
    assert shop.site.get(f"/events/{shop.world.event}/evidence").status_code == 200


def test_who_is_short_is_public_where_that_was_announced_and_nobody_else_is(shop: Shop) -> None:
    page = shop.site.get(f"/e/{shop.world.event}").text
    section = page.split("Whose cards are missing", 1)[1]
    assert re.findall(r'<bdi class="name">(.*?)</bdi>', section.split("</section>", 1)[0]) == ["Dan"]


def test_a_list_is_open_when_the_event_says_so_and_not_before(shop: Shop) -> None:
    page = shop.site.get(f"/e/{shop.world.event}/players/1/deck").text
    assert f'<bdi class="name">{FOO.card}</bdi>' in page
    assert shop.site.get(f"/e/{shop.world.event}/players").text.count("/deck") == 4
    first = shop.world.event
    shop.world.announce(lists_open=ListsOpen.NEVER, starts_at="2026-02-28T14:00Z")
    try:
        shop.world.enter("Eve")
        address = f"/e/{shop.world.event}/players/1/deck"
        refused = shop.site.get(address)
        assert refused.url.path == "/sign-in"  # the player may see it
        assert shop.site.get(address, headers={"Accept": "*/*"}).status_code == 403
        assert FOO.card not in refused.text
    finally:
        shop.world.event = first
