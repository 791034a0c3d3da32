"""The pages of a demo: be anybody, sign with keys that everybody knows; and nothing of it on any other server."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page

from collection.wallets import development_wallets
from stage.acting import signature_of
from tests.tournament.web.browsing import PASSWORD, PHONE, QUICK, reading, served, unusable
from tests.tournament.web.world import World
from tournament.database import Database
from tournament.service.codes import Codes, Purpose
from tournament.settings import Environment, Settings
from tournament.web.demo import Demo, Person, Place, Worker
from tournament.web.site import create_site
from verifier.control import digest_of
from verifier.curve import Digest, signer_of

WALLETS = development_wallets(6)[3:]
OURS = {"Accept": "text/html", "Accept-Language": "en", "Sec-Fetch-Site": "same-origin"}
HELLO = "hello, I am Añn\nand this is a second line"


@pytest.fixture(scope="module")
def demo(world: World) -> Demo:
    """One over the events of all pages: account ann, a player who has entered, two who have not."""
    keys = {wallet.address: wallet for wallet in WALLETS}
    code = Codes(Settings().secret.get_secret_value()).code(Purpose.ENTRY, world.running, 3, 1)
    in_it = Person(
        "Cleo Marín", "is in it", (WALLETS[0].address,), "1 A\n", f"/e/{world.running}", world.running, 3, code
    )
    shopper = Person(
        "<svg onload=alert(1)>", "is short", (WALLETS[1].address, WALLETS[2].address), "1 B\n", "/", shops=True
    )
    return Demo(
        scene="check-in",
        password=PASSWORD,
        workers=(Worker("ann", f"/e/{world.running}/players"),),
        people=(shopper, in_it),
        places=(Place("Events", "/"),),
        hints=("Do this.",),
        sign=lambda address, text: signature_of(keys[address], text),
        buy=len,
        chain_id=31337,
    )


@pytest.fixture(scope="module")
def shown(seeded: Database, demo: Demo) -> Iterator[TestClient]:
    app = create_site(Settings(), database=seeded, hasher=QUICK, demo=demo)
    with TestClient(app, headers=OURS, follow_redirects=False) as client:
        yield client


def signer(text: str, signature: str) -> str:
    return signer_of(Digest(digest_of(text.encode())), bytes.fromhex(signature.removeprefix("0x")))


@pytest.mark.parametrize("path", ["/demo", "/demo/wallet.js", "/demo/wallets", "/demo/lists/0"])
def test_no_other_server_has_the_pages_of_a_demo(path: str, site: TestClient) -> None:
    assert site.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/demo/be", "/demo/sign", "/demo/buy"])
def test_no_other_server_signs_or_signs_in(path: str, site: TestClient) -> None:
    typed = {"wallet": WALLETS[0].address, "text": HELLO, "account": "ann", "person": "1"}
    assert site.post(path, data=typed).status_code == 404
    assert "deckproof" not in site.cookies


def test_no_page_of_another_server_names_the_demo(site: TestClient) -> None:
    assert "demo" not in site.get("/").text.lower()
    assert "demo" not in site.get("/check").text.lower()


def test_a_demo_is_refused_in_production(demo: Demo) -> None:
    settings = Settings.model_validate({"environment": Environment.PRODUCTION, "secret": "s" * 40})
    with pytest.raises(ValueError, match="development only"):
        create_site(settings, demo=demo)


@pytest.mark.parametrize("path", ["/", "/check", "/rulings", "/problems", "/nothing-here"])
def test_every_page_of_a_demo_says_that_nothing_is_real(path: str, shown: TestClient) -> None:
    page = shown.get(path).text
    assert "Demo: nothing here is real." in page
    assert "/demo/wallet.js" in page


def test_a_wallet_of_the_demo_signs_and_no_other(shown: TestClient) -> None:
    answer = shown.post("/demo/sign", data={"wallet": WALLETS[0].address, "text": HELLO})
    assert signer(HELLO, answer.json()["signature"]) == WALLETS[0].address
    assert shown.post("/demo/sign", data={"wallet": "0x" + "1" * 40, "text": HELLO}).status_code == 422
    assert shown.post("/demo/sign", data={"wallet": WALLETS[0].address, "text": ""}).status_code == 422


def test_another_sites_page_has_nothing_signed(shown: TestClient) -> None:
    typed = {"wallet": WALLETS[0].address, "text": HELLO}
    assert shown.post("/demo/sign", data=typed, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_one_is_a_worker_a_player_and_nobody(shown: TestClient, world: World) -> None:
    assert shown.post("/demo/be", data={"account": "ann"}).headers["location"] == f"/e/{world.running}/players"
    assert shown.get("/session").json()["account"] == "ann"
    assert shown.post("/demo/be", data={"person": "1"}).headers["location"] == f"/e/{world.running}"
    assert shown.get("/session").json()["entry"] == 3
    shown.post("/demo/be", data={"person": "0"})
    assert shown.get("/session").json() == {"account": None, "event": None, "entry": None}
    assert shown.post("/demo/be", data={"account": "bob"}).status_code == 404
    assert shown.post("/demo/be", data={"person": "99"}).status_code == 404


def test_cards_are_bought_for_whoever_is_short(shown: TestClient) -> None:
    assert shown.post("/demo/buy", data={"person": "0"}).headers["location"] == "/demo"
    assert "cards were bought for &lt;svg onload=alert(1)&gt;" in shown.get("/demo").text
    assert shown.post("/demo/buy", data={"person": "1"}).status_code == 404


def test_a_list_is_there_as_text(shown: TestClient) -> None:
    answer = shown.get("/demo/lists/1")
    assert (answer.text, answer.headers["content-type"]) == ("1 A\n", "text/plain; charset=utf-8")


# --- in a browser


CONNECT = """async () => {
  let found;
  addEventListener("eip6963:announceProvider", (event) => { found = event.detail; });
  dispatchEvent(new Event("eip6963:requestProvider"));
  window.provider = found.provider;
  const heard = [];
  found.provider.on("accountsChanged", (said) => heard.push(said));
  window.heard = heard;
  return [found.info.name, found.info.rdns, await found.provider.request({ method: "eth_chainId" })];
}"""
ASK = """([method, params]) => {
  window.answer = window.provider.request({ method, params }).then((said) => ["said", said], (error) => ["refused", error.code]);
  return 0;
}"""  # noqa: E501


def asked(page: Page, method: str, *params: object) -> None:
    """Asks the wallet something that it shows a dialog for."""
    page.evaluate(ASK, [method, params])


def answer(page: Page) -> Any:
    return page.evaluate("window.answer")


def test_the_demo_wallet_is_chosen_signs_what_it_shows_and_may_refuse(
    chromium: Browser, seeded: Database, demo: Demo
) -> None:
    people = tuple(replace(one, name=f"{one.name} {number}") for one in demo.people for number in range(5))
    with served(seeded, demo=replace(demo, people=people)) as server, reading(chromium, viewport=PHONE) as page:
        assert unusable(page, f"{server.address}/demo") == []
        assert page.evaluate(CONNECT) == ["Demo wallet (not real)", "example.deckproof.demo", "0x7a69"]
        asked(page, "eth_requestAccounts")
        page.get_by_role("button", name="Nobody").click()
        assert answer(page) == ["refused", 4001]
        asked(page, "eth_requestAccounts")
        page.locator("#demo-chooser").get_by_role("button", name="Cleo Marín 0").click()
        assert answer(page) == ["said", [WALLETS[0].address]]
        assert page.evaluate("window.heard") == [[WALLETS[0].address]]
        assert page.get_by_text("The demo wallet is that of Cleo Marín").is_visible()
        asked(page, "personal_sign", "0x" + HELLO.encode().hex(), WALLETS[0].address)
        assert page.locator("#demo-signing pre").inner_text() == HELLO
        page.get_by_role("button", name="Sign", exact=True).click()
        kind, signature = answer(page)
        assert (kind, signer(HELLO, signature)) == ("said", WALLETS[0].address)
        asked(page, "personal_sign", HELLO, WALLETS[0].address)
        page.get_by_role("button", name="Do not sign").click()
        assert answer(page) == ["refused", 4001]
        asked(page, "eth_sendTransaction", {})
        assert answer(page) == ["refused", 4200]
        page.locator(f"[data-demo-wallet='{WALLETS[1].address}'] .button").first.click()
        page.goto(f"{server.address}/check")
        page.get_by_text("The demo wallet is that of <svg onload=alert(1)> 0").wait_for()
