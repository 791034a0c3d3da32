"""A player with one hand free, in a real Chromium: from the link to register to the pass that the desk scans."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
import zxingcpp
from playwright.sync_api import Browser, Page
from pydantic import SecretStr

from tests.tournament import owning
from tests.tournament.owning import LIST, World, cards
from tests.tournament.people import account
from tests.tournament.web.browsing import PHONE, Server, reading, served, unusable, violations
from tests.tournament.web.test_player import MANY
from tests.verifier.signing import key_of, sign
from tournament.database import Database
from tournament.settings import Settings
from verifier.control import parse_challenge

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
  const drawn = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><circle r='8' fill='teal'/></svg>";
  const icon = `data:image/svg+xml,${drawn}`;
  const info = { uuid: "1", name: "Pocket <b>Wallet</b>", icon, rdns: "example.pocket" };
  const detail = Object.freeze({ info, provider });
  const tell = () => {
    if (document.body) document.body.dataset.wallet = "no place of ours";
    dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  };
  addEventListener("eip6963:requestProvider", tell);
  tell();
})();
"""
"""Announces itself as EIP-6963 says, and asks Python."""


SETTINGS = Settings(secret=SecretStr("a secret of thirty-two characters"))
DOTS = """async (shot) => {
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${shot}`)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
  let grey = "";
  for (let at = 0; at < data.length; at += 4) grey += String.fromCharCode(data[at]);
  return [picture.width, btoa(grey)];
}"""


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
        world.announce(registration="open", decks_until="2099-01-01T10:00")
        with served(one, SETTINGS, nodes=world.nodes) as server:
            yield Shop(world, server)


def scanned(page: Page) -> str:
    """What a scanner reads from the screen: of dots as another page sees them in a picture of this one."""
    shot = base64.b64encode(page.screenshot()).decode()
    with reading(page.context.browser) as other:  # type: ignore[arg-type]
        width, grey = other.evaluate(DOTS, shot)
    dots = base64.b64decode(grey)
    image = memoryview(dots).cast("B", shape=[len(dots) // width, width])
    (found,) = zxingcpp.read_barcodes(image, try_invert=False)
    return str(found.text)


def enter(page: Page, shop: Shop, name: str) -> None:
    """Registers; the browser is signed in."""
    page.goto(f"{shop.event}/register")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Register").click()


@pytest.mark.timeout(300)
def test_four_taps_and_a_signature_from_the_link_to_the_pass(chromium: Browser, shop: Shop) -> None:
    faults: dict[str, list[str]] = {}
    with reading(chromium, viewport=PHONE, locale="en") as page:
        wallet, taps = FakeWallet("pam").put_into(page), 0
        shop.world.chain.mine(cards(key_of("pam").address, but={MANY.card: 1}), seconds=60)

        def tap(name: str) -> None:
            nonlocal taps
            taps += 1
            page.get_by_role("button", name=name, exact=True).click()

        page.goto(f"{shop.event}/register")
        page.get_by_label("Your name").fill("Pam Phone")
        tap("Register")
        tap("Pocket <b>Wallet</b>")
        page.wait_for_url("**/me/deck")
        page.get_by_label("Decklist").fill(LIST)
        page.locator(".lights li.red", has_text=MANY.card).get_by_text("have 2 of 3").wait_for()
        assert page.locator(".lights li.red").count() == 1
        shop.world.chain.mine(cards(key_of("pam").address), seconds=60)
        page.get_by_role("button", name="Check", exact=True).click()  # the detour of who was short
        page.get_by_text("Your wallets have every copy.").wait_for()
        assert page.locator(".lights li.red").count() == 0
        tap("Hand in")
        page.get_by_text("Your list is handed in, and it counts.").wait_for()
        for below in ("", "/wallet", "/deck", "/pass"):
            faults["before" + below] = unusable(page, f"{shop.event}/me{below}")
        page.goto(f"{shop.event}/me")
        shop.world.wait(90)
        shop.world.read()  # and the page hears of it
        tap("Make my pass")
        page.locator(".pass .scan").wait_for()
        faults["pass"] = unusable(page, f"{shop.event}/me/pass")  # leaves it dark
        page.locator(".pass .scan").scroll_into_view_if_needed()
        text = page.request.get(f"{shop.server.address}/events/{shop.world.event}/entries/1/pass").json()["text"]
        assert scanned(page) == text
        page.emulate_media(media="print")
        assert page.locator(".pass .scan").is_visible()
        assert not page.get_by_role("link", name="Save as a picture").is_visible()
    print(f"from the link to register to the pass: {taps} taps and {wallet.signatures} signature")  # noqa: T201 - to be read
    assert (taps, wallet.signatures) == (4, 1)
    assert {name: found for name, found in faults.items() if found} == {}


def test_what_a_wallet_says_is_said_in_words_and_nothing_is_linked(chromium: Browser, shop: Shop) -> None:
    with reading(chromium, locale="en") as page:
        wallet = FakeWallet("wes").put_into(page)
        enter(page, shop, "Wes Wallet")
        page.goto(f"{shop.event}/me/wallet")
        said = page.locator(".wallet-said > :visible")
        button = page.get_by_role("button", name="Pocket <b>Wallet</b>")
        button.wait_for()
        assert button.locator("img").evaluate("icon => icon.decode().then(() => icon.naturalWidth)") > 0
        for method, answer, words in (
            ("eth_requestAccounts", {"error": {"code": 4001}}, "You said no in your wallet"),
            ("eth_requestAccounts", {"error": {"code": -32002}}, "Your wallet waits for you already"),
            ("eth_requestAccounts", {"result": []}, "Your wallet showed no account"),
            ("personal_sign", {"error": {"code": 4200}}, "This wallet cannot sign texts here"),
            ("personal_sign", {"error": {"code": 4001}}, "You said no in your wallet"),
            ("personal_sign", {"result": "0x" + "11" * 65, "tells": ["0x" + "2" * 40]}, "You changed the account"),
            ("personal_sign", {"result": "0x" + "11" * 65}, "does not prove"),
        ):
            wallet.refusals[method] = answer
            button.click()
            said.filter(has_text=words).wait_for()
            assert said.count() == 1
        assert violations(page) == []
        number = page.locator("[data-wallet-event]").get_attribute("data-wallet-entry")
        linked = f"{shop.server.address}/events/{shop.world.event}/entries/{number}/wallets"
        assert page.request.get(linked).json()["wallets"] == []
        wallet.chain = 1  # an ordinary account signs all the same
        button.click()
        page.wait_for_url("**/me/deck")
        page.goto(f"{shop.event}/me/wallet")
        button.click()
        said.filter(has_text="This account is linked already").wait_for()
        page.context.clear_cookies()
        page.goto(f"{shop.event}/me")
        button.click()  # and by the wallet one comes back
        page.get_by_text("Wes Wallet").first.wait_for()


def test_without_a_wallet_the_page_says_what_to_do(chromium: Browser, shop: Shop) -> None:
    with reading(chromium, viewport=PHONE, locale="en") as page:
        assert unusable(page, f"{shop.event}/by-wallet") == []
        page.get_by_text("This browser has no wallet.").wait_for()
        assert unusable(page, f"{shop.event}/me") == []


def test_a_deck_is_picked_by_keyboard_alone_and_read_from_a_file(chromium: Browser, shop: Shop) -> None:
    with reading(chromium, viewport=PHONE, locale="en") as page:
        enter(page, shop, "Kim Keyboard")
        page.goto(f"{shop.event}/me/deck")
        page.get_by_label("Find a card").focus()
        page.keyboard.type("dolores")
        page.get_by_role("button", name="One Dolores Encore, Label Boss more").wait_for()
        page.keyboard.press("Tab")  # past the button to find
        page.keyboard.press("Tab")
        for count in ("1", "2"):
            page.keyboard.press("Enter")
            page.locator("#found output", has_text=count).wait_for()
        written = page.get_by_label("Decklist")
        assert written.input_value() == "Media Tyrant\n2 Dolores Encore, Label Boss"
        page.get_by_text("No wallet is linked, so your cards are not seen.").wait_for()
        page.locator(".faults", has_text="Influencers").wait_for()
        page.get_by_role("button", name="One Dolores Encore, Label Boss fewer").click()
        page.locator("#found output", has_text="1").wait_for()
        assert written.input_value() == "Media Tyrant\n1 Dolores Encore, Label Boss"
        file = {
            "name": "my deck.csv",
            "mimeType": "text/csv",
            "buffer": b"count,name\n2,Dolores Encore\n3,Nobody At All\n",
        }
        page.get_by_label("Or take a file").set_input_files(file)
        page.locator(".faults", has_text="Line 3").wait_for()
        assert written.input_value().startswith("count,name")
        page.evaluate("document.querySelector('form[data-deck]').scrollIntoView()")
        assert violations(page) == []


def test_hostile_lists_are_only_text_and_no_wider_than_a_phone(chromium: Browser, shop: Shop) -> None:
    with reading(chromium, viewport=PHONE, locale="en") as page:
        enter(page, shop, "<svg onload=alert(1)>" + "W" * 60)
        page.goto(f"{shop.event}/me/deck")
        page.get_by_label("Decklist").fill("1 <svg onload=alert(1)>\n9 " + "W" * 60 + "\n" + LIST)
        page.locator(".faults li").nth(1).wait_for()
        assert page.locator(".lights .points").count() > 20
        for _ in range(2):
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            page.goto(f"{shop.event}/me")
