"""A player before the event, as pages are sent: the own page, wallets, the deck and its lights, the pass."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr

from collection.wallets import Wallet
from tests.tournament import owning
from tests.tournament.owning import DECK, LIST, World, cards
from tests.tournament.people import account
from tests.tournament.web.browsing import QUICK
from tests.verifier.signing import key_of, sign
from tournament.database import Database
from tournament.service import passes
from tournament.service.drafting import Purses
from tournament.settings import Settings
from tournament.web.answers import CAREFUL
from tournament.web.site import create_site
from verifier.control import parse_challenge
from verifier.testkit import lies

MANY = next(need for need in DECK.needs if need.units == 3)
"""A card of which the list has three."""


@dataclass
class Shop:
    """An event with open registration whose players prove their cards, its chain, and a browser."""

    world: World
    site: TestClient

    @property
    def event(self) -> str:
        return f"/e/{self.world.event}"

    @property
    def me(self) -> str:
        """The page of the own entry."""
        return f"{self.event}/me"

    def enter(self, name: str) -> int:
        """Registers somebody; the browser is signed in as that player."""
        self.site.cookies.clear()
        key = hidden(self.site.get(f"{self.event}/register").text, "key")
        done = self.send("", self.event + "/register", key=key, name=name)
        assert done.status_code == 201, done.text
        number: int = self.site.get(f"/events/{self.world.event}/entries/me").json()["entry"]["number"]
        return number

    def send(self, below: str, at: str = "", **typed: str) -> Any:
        return self.site.post(at or self.me + below, data=typed)

    def read(self, below: str = "") -> str:
        """A page of the player without its tags."""
        return plain(self.site.get(self.me + below).text)

    def paste(self, key: Wallet, ask: str, to: str, **said: str) -> Any:
        """Signs elsewhere, and pastes what came of it."""
        text = self.send("", ask, address=key.address)
        assert text.status_code == 200, plain(text.text)
        signed = sign(key, parse_challenge(shown(text.text)).digest).hex()
        kept = {name: hidden(text.text, name) for name in ("key", "nonce", "text", "address")}
        return self.send("", to, **kept, **{"answer": f"\n 0x{signed} ", **said})

    def link(self, name: str) -> Any:
        return self.paste(key_of(name), f"{self.me}/wallet/text", f"{self.me}/wallet/link")


def hidden(page: str, name: str) -> str:
    return unescape(re.findall(rf'name="{name}" value="([^"]*)"', page)[0])


def shown(page: str) -> str:
    """The text to sign."""
    return unescape(re.findall(r'<textarea id="to-sign"[^>]*>(.*?)</textarea>', page, re.DOTALL)[0])


def plain(page: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)))


@pytest.fixture(scope="module")
def shop(one: Database) -> Iterator[Shop]:
    account("ann", one)
    settings = Settings(secret=SecretStr("a secret of thirty-two characters"))
    with owning.started(one) as world:
        world.announce(registration="open")
        app = create_site(settings, database=one, hasher=QUICK, nodes=world.nodes)
        headers = {"Accept": "text/html", "Accept-Language": "en", "Sec-Fetch-Site": "same-origin"}
        with TestClient(app, headers=headers, raise_server_exceptions=False, follow_redirects=False) as site:
            yield Shop(world, site)


def test_who_is_no_player_here_is_told_the_ways_in_and_led_there_from_every_page(shop: Shop) -> None:
    shop.site.cookies.clear()
    page = shop.site.get(shop.me).text
    for way in ("/code", "/register", "/by-wallet"):
        assert f'href="{shop.event}{way}"' in page
    for below in ("/wallet", "/deck", "/pass", "/pass/code.svg", "/pass/pass.png"):
        answer = shop.site.get(shop.me + below)
        assert (answer.status_code, answer.headers["location"]) == (303, shop.me)
    shop.site.headers["Authorization"] = "Bearer dp_ann"  # an organizer is no player
    try:
        assert "Who are you here?" in shop.read()
        assert shop.send("/deck", decklist=LIST).headers["location"] == shop.me
    finally:
        del shop.site.headers["Authorization"]


def test_a_wallet_is_linked_by_a_signature_that_is_pasted_and_the_cookie_is_another_one(shop: Shop) -> None:
    number = shop.enter("Ann Paste")
    before = shop.site.cookies["deckproof"]
    assert shop.read().count("Next: connect your wallet") == 1
    done = shop.link("ann")
    assert (done.status_code, done.headers["location"]) == (303, shop.me)
    assert shop.site.cookies["deckproof"] != before
    page = shop.read()
    assert "The wallet is linked." in page
    assert "Next: hand in your deck" in page
    assert key_of("ann").address in shop.read("/wallet")
    stranger = shop.paste(key_of("ann"), f"{shop.event}/by-wallet/text", f"{shop.event}/by-wallet")
    assert stranger.headers["location"] == shop.me
    assert shop.site.get(f"/events/{shop.world.event}/entries/me").json()["entry"]["number"] == number


def test_a_wrong_answer_is_refused_above_the_form_and_the_text_stays(shop: Shop) -> None:
    shop.enter("Bob Wrong")
    addresses = (f"{shop.me}/wallet/text", f"{shop.me}/wallet/link")
    for said, words in (
        ("0x" + sign(key_of("x"), b"\7" * 32).hex(), "The answer does not prove that the wallet is yours"),
        ("0x" + "0" * 63 + "g", "HASH"),
        ("", "This is neither a signature nor the hash of a transaction."),
    ):
        refused = shop.paste(key_of("bob"), *addresses, answer=said)
        assert refused.status_code in {422, 409}, refused.status_code
        assert 'id="to-sign"' in refused.text
        assert f'name="address" value="{key_of("bob").address}"' in refused.text
        if words != "HASH":
            assert words in plain(refused.text)
    unread = shop.send("/wallet/text", address="vitalik.eth")
    assert unread.status_code == 422
    assert 'value="vitalik.eth"' in unread.text
    taken = shop.link("ann")
    assert taken.status_code == 409
    assert "linked" not in shop.site.cookies.get("said", "")


def test_a_wallet_is_unlinked_until_cards_are_looked_at_and_a_silent_vault_is_not_named(shop: Shop) -> None:
    shop.enter("Cleo Back")
    shop.link("cleo")
    page = shop.site.get(f"{shop.me}/wallet").text
    vault = shop.send("/wallet/vault", key="v" * 24, vault=key_of("vault").address)
    assert vault.status_code in {409, 422, 503}
    assert f'value="{key_of("vault").address}"' in vault.text
    assert shop.send("/wallet/vault", vault="").status_code == 422
    done = shop.send("/wallet/unlink", key="u" * 24, commitment=hidden(page, "commitment"))
    assert done.status_code == 303
    assert key_of("cleo").address not in shop.read("/wallet")


def test_only_pages_with_wallets_take_pictures_in_addresses(shop: Shop) -> None:
    shop.enter("Dan Policy")
    loose = "img-src 'self' data:"
    for below in ("/wallet", "", "/deck", "/pass"):
        answer = shop.site.get(shop.me + below)
        assert (loose in answer.headers["content-security-policy"]) == (below == "/wallet")
        rest = answer.headers["content-security-policy"].replace(loose, "img-src 'self'")
        assert rest == CAREFUL["Content-Security-Policy"]
        assert answer.headers["cache-control"] == "no-store"
        assert not re.search(r"<script(?! src=)|<style|\sstyle=|\son\w+=", answer.text)


def test_each_card_has_a_light_with_its_reason_and_nothing_is_handed_in(shop: Shop) -> None:
    shop.enter("Eve Lights")
    shop.link("eve")
    shop.world.chain.mine(cards(key_of("eve").address, but={MANY.card: 1}), seconds=60)
    source = f"{LIST}\n1 Nobody At All\n9 Dolores Encore, Label Boss\n"
    answer = shop.send("/deck/check", decklist=source, again="yes")
    page = plain(answer.text)
    assert answer.status_code == 200
    assert "1 Nobody At All" in unescape(answer.text)  # what was typed stays
    assert f"have {MANY.units - 1} of {MANY.units}" in page
    assert "have 0 of 9" in page
    assert "2 cards have too few copies." in page
    assert "Line 37 Nobody At All no card is called that" in page
    assert page.count("Media Tyrant has 10 cards") == 1
    assert len(re.findall(r'<li class="red">', answer.text)) == 2
    assert "None yet." in shop.read()


def test_what_nobody_knows_is_amber_and_is_no_yes(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.enter("Fay Unknown")
    unlinked = plain(shop.send("/deck/check", decklist=LIST).text)
    assert "No wallet is linked, so your cards are not seen." in unlinked
    shop.link("fay")
    shop.world.node.tell(lies.shortens())
    try:
        page = shop.send("/deck/check", decklist=LIST, again="yes").text
    finally:
        shop.world.node.be_honest()
    assert "Whether you have the cards, nobody knows right now" in page
    assert '<li class="red">' not in page
    assert '<li class="green">' not in page
    assert shop.world.node.url not in page
    monkeypatch.setattr(Purses.read, "__kwdefaults__", {"patience": 0.2})
    shop.world.node.tell(lies.hangs(3))
    begun = time.monotonic()
    try:
        page = shop.send("/deck/check", decklist=LIST, again="yes").text
    finally:
        shop.world.node.be_honest()
    assert time.monotonic() - begun < 2.5  # nobody waits for a node that hangs
    assert "no endpoint has answered within 0.2 s" in page
    assert '<li class="green">' not in page


def test_the_chain_is_asked_once_while_somebody_types_and_not_more_often_than_is_polite(shop: Shop) -> None:
    shop.enter("Gus Quick")
    shop.link("gus")
    shop.world.chain.mine(cards(key_of("gus").address), seconds=60)
    first = plain(shop.send("/deck/check", decklist=LIST).text)
    assert "Your wallets have every copy." in first
    shop.world.chain.mine(cards(key_of("gus").address, but={MANY.card: 1}), seconds=60)
    assert "Your wallets have every copy." in plain(shop.send("/deck/check", decklist=LIST).text)
    assert "1 card has too few copies." in plain(shop.send("/deck/check", decklist=LIST, again="yes").text)
    for _ in range(20):
        last = plain(shop.send("/deck/check", decklist=LIST, again="yes").text)
    assert "1 card has too few copies." in last  # what was known before


def test_cards_are_picked_without_javascript(shop: Shop) -> None:
    shop.enter("Hal Picks")
    found = shop.send("/deck/check", decklist="", find="dolores encore").text
    assert 'value="Dolores Encore, Label Boss"' in found
    written = ""
    for button in ("more", "more", "fewer", "more"):
        page = shop.send("/deck/check", decklist=written, find="dolores", **{button: "Dolores Encore, Label Boss"}).text
        written = unescape(re.findall(r'<textarea id="f-decklist".*?>(.*?)</textarea>', page, re.DOTALL)[0])
    assert written == "Media Tyrant\n2 Dolores Encore, Label Boss"
    assert shop.send("/deck/check", decklist=written, more="No Such Card").status_code == 200


def test_a_draft_is_kept_a_legal_list_counts_and_is_replaced_until_the_lock(shop: Shop) -> None:
    number = shop.enter("Ida Lists")
    short = "\n".join(line for line in LIST.split("\n") if MANY.card not in line)
    drafted = shop.send("/deck", key="d" * 24, decklist=short)
    assert drafted.headers["location"] == f"{shop.me}/deck"
    page = shop.read("/deck")
    assert "A draft, which does not count" in page
    assert "The deck is not legal" in page
    refused = shop.send("/deck", key="e" * 24, decklist=f"{LIST}\n3 Nobody At All")
    assert refused.status_code == 422
    assert "3 Nobody At All" in refused.text
    assert "Line 36" in plain(refused.text) or "Nobody At All no card is called that" in plain(refused.text)
    done = shop.send("/deck", key="f" * 24, decklist=LIST)
    assert done.headers["location"] == shop.me
    assert "Your list is handed in, and it counts." in shop.read()
    kept = shop.site.get(f"/events/{shop.world.event}/entries/{number}/deck").json()["legal"]
    page = shop.read("/deck")
    for said in (kept["hash"], kept["commitment"], kept["salt"], "Handed in, and it counts", "Replace the list"):
        assert said in page
    assert shop.send("/deck", decklist=" ").status_code == 422


def test_a_name_is_corrected_and_a_blank_one_is_not(shop: Shop) -> None:
    shop.enter("Jo Mispelt")
    assert shop.send("/name", key="n" * 24, name=" ").status_code == 422
    assert shop.send("/name", key="n" * 24, name="Jo Right").status_code == 303
    assert "Your name is now Jo Right." in shop.read()


def test_who_leaves_is_told_how_to_come_back_and_twice_is_once(shop: Shop) -> None:
    shop.enter("Kay Leaves")
    assert shop.send("/leave", key="k" * 24).status_code == 303
    assert shop.send("/leave", key="k" * 24).status_code == 303
    page = shop.read()
    assert "You have left" in page
    assert "To come back, ask the desk." in page
    assert shop.send("/leave", key="l" * 24).status_code == 409


def test_a_form_of_another_site_does_nothing(shop: Shop) -> None:
    shop.enter("Lea Careful")
    for below in (
        "/leave",
        "/name",
        "/deck",
        "/deck/check",
        "/pass",
        "/wallet/link",
        "/wallet/unlink",
        "/wallet/vault",
    ):
        refused = shop.site.post(shop.me + below, data={"name": "x"}, headers={"Sec-Fetch-Site": "cross-site"})
        assert refused.status_code == 403, below
    assert "Next: connect your wallet" in shop.read()


def test_a_pass_says_what_it_waits_for_is_made_once_and_anew_if_lost(shop: Shop) -> None:
    """The last test: the cards are looked at."""
    number = shop.enter("Zoe Passes")
    shop.link("zoe")
    shop.world.chain.mine(cards(key_of("zoe").address), seconds=60)
    page = shop.read("/pass")
    assert "no legal list is handed in" in page
    assert "nobody has looked at the cards yet" in page
    early = shop.send("/pass", key="p" * 24)
    assert early.status_code == 409
    assert 'role="alert"' in early.text
    shop.send("/deck", key="q" * 24, decklist=LIST)
    shop.world.wait(90)
    shop.world.read()
    assert "Next: your pass" in shop.read()
    for _ in range(2):
        assert shop.send("/pass", key="r" * 24).headers["location"] == f"{shop.me}/pass"
    pass_ = f"/events/{shop.world.event}/entries/{number}/pass"
    first = shop.site.get(pass_).json()
    page = shop.read("/pass")
    for said in ("Spring Open", "Zoe Passes", f"No. {number}", "Good until", "every copy covered"):
        assert said in page
    assert key_of("zoe").address not in shop.site.get(f"{shop.me}/pass").text
    assert "Show your pass at the desk." in shop.read()
    drawn, picture = shop.site.get(f"{shop.me}/pass/code.svg"), shop.site.get(f"{shop.me}/pass/pass.png")
    assert drawn.content == shop.site.get(pass_ + "/picture").content
    assert picture.content.startswith(b"\x89PNG")
    assert {drawn.headers["cache-control"], picture.headers["cache-control"]} == {"no-store"}
    assert shop.send("/pass", key="s" * 24).status_code == 409  # one that counts is there
    shop.send("/pass", key="t" * 24, anew="yes")
    assert shop.site.get(pass_).json()["serial"] > first["serial"]
    locked = plain(shop.site.get(f"{shop.me}/wallet").text)
    assert "Nothing is unlinked any more: the wallets were looked at for epoch 1" in locked
    shop.world.do(passes.REVOKE, passes.About(entry=number, reason="seen with somebody else"))
    assert "There is no pass yet" in shop.read("/pass") or "Your pass counts no more" in shop.read("/pass")


def test_where_nothing_is_asked_nothing_is_asked_for(one: Database, shop: Shop) -> None:
    first = shop.world.event
    shop.world.create(ownership="none", collection=None, decklist="none", registration="open")
    shop.world.open()
    try:
        shop.enter("Moe Plain")
        page = shop.read()
        assert "Nothing to do now" in page
        assert "This event asks for no cards." in shop.read("/wallet")
        assert "This event asks for no list." in shop.read("/deck")
        assert "This event gives no passes." in shop.read("/pass")
    finally:
        shop.world.event = first


def test_a_locked_list_is_shown_with_who_may_unlock_it(shop: Shop) -> None:
    first = shop.world.event
    shop.world.create(ownership="none", collection=None, registration="open")
    shop.world.open()
    try:
        shop.enter("Noa Late")
        shop.send("/deck", key="w" * 24, decklist=LIST)
        shop.world.close()
        page = shop.read("/deck")
        assert "Lists are locked: registration is closed . A judge or an organizer can unlock yours." in page
        assert MANY.card in page
        assert shop.send("/deck", key="x" * 24, decklist=LIST.replace("1 ", "2 ", 1)).status_code == 409
    finally:
        shop.world.event = first
