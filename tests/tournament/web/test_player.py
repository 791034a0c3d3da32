"""A player before the event, as pages are sent: the entry's home, wallets, the deck and its lights, the pass."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

import pytest
from fastapi.testclient import TestClient

from collection.wallets import Wallet
from tests.tournament import owning
from tests.tournament.owning import FOO, LIST, World, cards
from tests.tournament.people import account
from tests.tournament.web.browsing import QUICK
from tests.verifier.signing import key_of, sign
from tournament.database import Database
from tournament.service import decklists, entries, passes
from tournament.settings import Settings
from tournament.web.site import create_site
from verifier.control import parse_challenge


@dataclass
class Shop:
    """An event with open registration whose players prove their cards, its chain, and a browser."""

    world: World
    site: TestClient

    @property
    def me(self) -> str:
        """The page of the own entry."""
        return f"/e/{self.world.event}/me"

    def enter(self, name: str) -> int:
        """Registers somebody; the browser is signed in as that player."""
        self.site.cookies.clear()
        page = self.site.get(f"/e/{self.world.event}/register").text
        done = self.send(f"/e/{self.world.event}/register", key=hidden(page, "key"), name=name)
        assert done.status_code == 201
        number: int = self.site.get(f"/events/{self.world.event}/entries/me").json()["entry"]["number"]
        return number

    def send(self, address: str, **typed: str) -> "object":
        return self.site.post(address, data=typed)

    def read(self, below: str = "", **words: str) -> str:
        """A page of the player without its tags."""
        return plain(self.site.get(self.me + below, params=words).text)


def hidden(page: str, name: str) -> str:
    return unescape(re.findall(rf'name="{name}" value="([^"]*)"', page)[0])


def plain(page: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)))


@pytest.fixture(scope="module")
def shop(one: Database) -> Iterator[Shop]:
    account("ann", one)
    with owning.started(one) as world:
        world.announce(registration="open", lists_open="at the end")
        app = create_site(Settings(rate_limits=False), database=one, hasher=QUICK, nodes=world.nodes)
        headers = {"Accept": "text/html", "Accept-Language": "en", "Sec-Fetch-Site": "same-origin"}
        with TestClient(app, headers=headers, raise_server_exceptions=False, follow_redirects=False) as site:
            yield Shop(world, site)


def test_x(shop):
    shop.enter("Zed")
    print(shop.read())
    print(shop.read("/wallet"))
    print(shop.read("/deck"))
    print(shop.read("/pass"))
    a = shop.send(shop.me+"/deck/check", decklist=LIST+"\n1 Nobody\n", find="dolores")
    print(plain(a.text)[:6000])
