"""A player with one hand free, in a real Chromium: from the link to register to the pass that the desk scans."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
import zxingcpp
from playwright.sync_api import Browser, Page

from tests.tournament import owning
from tests.tournament.owning import FOO, LIST, World, cards
from tests.tournament.people import account
from tests.tournament.web.browsing import PHONE, Server, reading, served, unusable
from tests.verifier.signing import key_of, sign
from tournament.database import Database
from verifier.control import parse_challenge
from verifier.passes import parse_payload

WALLET = """
(() => {
  const heard = {};
  const provider = {
    on: (name, listen) => { heard[name] = listen; },
    removeListener: (name) => { delete heard[name]; },
    request: ({ method, params }) => window.fakeWallet(method, params ?? []).then((said) => {
      if (said.tells) heard.accountsChanged?.(said.tells);
      if (said.error) throw Object.assign(new Error(said.error.message ?? ""), { code: said.error.code });
      return said.result;
    }),
  };
  const icon = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><rect width='8' height='8' fill='teal'/></svg>";
  const info = { uuid: "1", name: "Pocket <b>Wallet</b>", icon, rdns: "example.pocket" };
  const tell = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
  addEventListener("eip6963:requestProvider", tell);
  tell();
})();
"""
"""Announces itself as EIP-6963 says, and asks Python."""


@dataclass
class FakeWallet:
    """A wallet of a browser, whose key is here. What it shall refuse, it refuses once."""

    name: str
    signatures: int = 0
    refusals: dict[str, dict[str, object]] = field(default_factory=dict)
    """By method: what it says instead."""
    chain: int = 31337

    def put_into(self, page: Page) -> "FakeWallet":
        page.context.expose_binding("fakeWallet", lambda _, method, params: self.said(method, params))
        page.context.add_init_script(WALLET)
        return self

    def said(self, method: str, params: list[str]) -> dict[str, object]:
        if method in self.refusals:
            return self.refusals.pop(method)
        key = key_of(self.name)
        if method == "eth_requestAccounts":
            return {"result": [key.address.lower()]}
        if method == "eth_chainId":
            return {"result": hex(self.chain)}
        assert method == "personal_sign"
        text = bytes.fromhex(params[0].removeprefix("0x")).decode()
        assert params[1] == key.address.lower()
        self.signatures += 1
        return {"result": "0x" + sign(key, parse_challenge(text).digest).hex()}


@dataclass
class Shop:
    world: World
    server: Server

    @property
    def event(self) -> str:
        return f"{self.server.address}/e/{self.world.event}"


@pytest.fixture(scope="module")
def shop(one: Database) -> Iterator[Shop]:
    account("ann", one)
    with owning.started(one) as world:
        world.announce(registration="open")
        with served(one, nodes=world.nodes) as server:
            yield Shop(world, server)


def scanned(page: Page) -> str:
    """What a scanner reads from the screen."""
    from PIL import Image

    shot = Image.open(io.BytesIO(page.screenshot()))
    (found,) = zxingcpp.read_barcodes(shot)
    return found.text


def test_journey(chromium: Browser, shop: Shop) -> None:
    with reading(chromium, viewport=PHONE, locale="en") as page:
        wallet = FakeWallet("pam").put_into(page)
        shop.world.chain.mine(cards(key_of("pam").address, but={FOO.card: 1}), seconds=60)
        page.goto(f"{shop.event}/register")
        page.get_by_label("Your name").fill("Pam Phone")
        page.get_by_role("button", name="Register").click()
        page.screenshot(path="/tmp/player/registered.png", full_page=True)
        page.get_by_role("button", name="Pocket <b>Wallet</b>").click()
        page.wait_for_url("**/me/deck")
        page.get_by_label("Decklist").fill(LIST)
        page.get_by_text(f"have {FOO.units-1} of {FOO.units}").wait_for()
        page.screenshot(path="/tmp/player/short.png", full_page=True)
        shop.world.chain.mine(cards(key_of("pam").address), seconds=60)
        page.get_by_role("button", name="Check", exact=True).click()
        page.get_by_text("Your wallets have every copy.").wait_for()
        page.get_by_role("button", name="Hand in").click()
        page.wait_for_url("**/me")
        page.screenshot(path="/tmp/player/waits.png", full_page=True)
        shop.world.wait(90)
        shop.world.read()
        page.get_by_role("button", name="Make my pass").click()
        page.wait_for_url("**/me/pass")
        page.screenshot(path="/tmp/player/pass.png", full_page=True)
        print(scanned(page))
