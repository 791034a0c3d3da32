"""Wallets over HTTP: cookies, other sites, other hosts, and who may see whose."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from collection.wallets import Wallet
from tests.tournament.owning import HASTY
from tests.tournament.people import Desk, account
from tests.verifier.signing import key_of, sign
from tournament.api.app import create_app
from tournament.database import Database
from tournament.service import limits
from tournament.service.accounts import entry_token
from tournament.service.codes import Codes
from tournament.service.limits import Rule
from tournament.service.nodes import Nodes
from tournament.settings import Environment, Settings
from verifier.chain import Collection
from verifier.control import digest_of
from verifier.rpc import Endpoint
from verifier.testkit import LyingNode, ScriptedChain

ANN, BOB = key_of("ann"), key_of("bob")
OURS = {"Sec-Fetch-Site": "same-origin"}
CODES = Codes(Settings().secret.get_secret_value())


@dataclass
class Evening:
    """An event with two players, and a browser."""

    client: TestClient
    ann: Desk
    path: str

    @property
    def event(self) -> str:
        return self.path.removeprefix("/events/")

    def token(self, number: int) -> str:
        return entry_token(CODES, self.event, number, 1)

    def player(self, number: int) -> Desk:
        return Desk(self.client, self.token(number))

    def cookie(self, value: str | None) -> None:
        self.client.cookies.clear()
        if value is not None:
            self.client.cookies["deckproof"] = value

    @property
    def held(self) -> str | None:
        """What the server had the browser keep."""
        values = [one.value for one in self.client.cookies.jar if one.name == "deckproof" and one.domain]
        return values[-1] if values else None

    def link(self, number: int, key: Wallet) -> dict[str, Any]:
        """By a program, with the code of the entry."""
        player = self.player(number)
        text = player.post(f"{self.path}/wallets/text", {"address": key.address})
        answer = player.ask("POST", f"{self.path}/entries/{number}/wallets", signed(key, text))
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def text(self, key: Wallet) -> dict[str, Any]:
        body = {"event": self.event, "address": key.address}
        answer = self.client.post("/session/wallet/text", json=body, headers=OURS)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def sign_in(self, key: Wallet, **headers: str) -> Response:
        return self.client.post("/session/wallet", json=signed(key, self.text(key)), headers={**OURS, **headers})


def signed(key: Wallet, text: dict[str, Any]) -> dict[str, str]:
    """As a wallet does: it signs the text that it is shown."""
    digest = digest_of(text["text"].encode())
    assert "0x" + digest.hex() == text["digest"]
    return {"nonce": text["nonce"], "signature": "0x" + sign(key, digest).hex()}


def slug(answer: Response) -> str:
    return str(answer.json()["type"]).removeprefix("/problems/")


@pytest.fixture
def evening(embedded: Database) -> Iterator[Evening]:
    chain = ScriptedChain(started=round(time.time()) - 600)
    with LyingNode(chain) as node, Endpoint(node.url, patience=HASTY) as endpoint:
        nodes = Nodes([endpoint], Collection(None, chain.collection), stale_after=None)
        app = create_app(Settings(), database=embedded, nodes=nodes)
        with TestClient(app, raise_server_exceptions=False) as client:
            ann = Desk(client, account("ann", embedded))
            start = datetime.now(UTC) + timedelta(hours=2)
            path = ann.event(ownership="required", decklist="required", starts_at=start.isoformat())
            ann.enter(path, "Bob", "Cat")
            yield Evening(client, ann, path)


def test_a_player_links_a_wallet_signs_in_by_it_and_out(evening: Evening) -> None:
    receipt = evening.link(1, ANN)
    assert evening.held is None, "a program gets no cookie"
    answer = evening.sign_in(ANN)
    assert (answer.status_code, answer.json()) == (201, {"account": None, "event": evening.event, "entry": 1})
    said = answer.headers["set-cookie"]
    assert said.startswith(f"deckproof=dpp_{evening.event}_")
    words = {word.strip().lower() for word in said.split(";")[1:]}
    assert words == {"httponly", "max-age=259200", "path=/", "samesite=strict"}
    assert evening.client.get("/session").json()["entry"] == 1
    mine = evening.client.get(f"{evening.path}/entries/1/wallets").json()
    [line] = mine["wallets"]
    assert (line["address"], line["commitment"]) == (ANN.address, receipt["fact"]["commitment"])
    assert (line["signs_in"], line["vouches_for"], line["level"], line["share"]) == (True, None, None, None)
    assert mine["locked"] == ""
    held = evening.held
    assert evening.client.delete("/session", headers=OURS).status_code == 204
    evening.cookie(held)
    assert evening.client.get(f"{evening.path}/entries/me").status_code == 401


def test_a_link_gives_a_signed_in_browser_another_cookie_and_the_one_before_is_worth_nothing(evening: Evening) -> None:
    evening.link(1, ANN)
    evening.sign_in(ANN)
    before = evening.held
    text = evening.client.post(f"{evening.path}/wallets/text", json={"address": BOB.address}, headers=OURS).json()
    answer = evening.client.post(f"{evening.path}/entries/1/wallets", json=signed(BOB, text), headers=OURS)
    assert answer.status_code == 201
    after = evening.held
    assert after != before
    assert after is not None
    assert after.startswith(f"dpp_{evening.event}_")
    assert evening.client.get("/session").json()["entry"] == 1
    evening.cookie(before)
    assert evening.client.get(f"{evening.path}/entries/me").status_code == 401


def test_a_browser_that_came_by_the_code_on_paper_has_a_cookie_of_chance_after_a_link(evening: Evening) -> None:
    evening.cookie(evening.token(1))
    text = evening.client.post(f"{evening.path}/wallets/text", json={"address": ANN.address}, headers=OURS).json()
    evening.client.post(f"{evening.path}/entries/1/wallets", json=signed(ANN, text), headers=OURS)
    held = evening.held
    assert held is not None
    assert held.startswith("dpp_")


def test_session_fixation_what_a_browser_held_before_it_signed_in_is_worth_nothing_after(evening: Evening) -> None:
    evening.link(1, ANN)
    evening.sign_in(ANN)
    planted = evening.held
    evening.sign_in(ANN)
    assert evening.held != planted
    evening.cookie(planted)
    assert evening.client.get(f"{evening.path}/entries/me").status_code == 401
    evening.cookie(f"dpp_{evening.event}_made-up")
    assert evening.client.get("/session").status_code == 401
    assert evening.sign_in(ANN).status_code == 201


def test_a_players_cookie_is_worth_nothing_elsewhere(evening: Evening) -> None:
    evening.link(1, ANN)
    evening.sign_in(ANN)
    held = evening.held
    assert held is not None
    answer = evening.client.get(f"{evening.path}/entries/me", headers={"Authorization": f"Bearer {held}"})
    assert answer.status_code == 401
    evening.cookie(held)
    other = evening.ann.event()
    assert evening.client.get(f"{other}/entries/me").status_code in {401, 403}


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
)
def test_a_cross_site_post_asks_for_no_text_signs_nobody_in_and_links_nothing(
    evening: Evening, headers: dict[str, str]
) -> None:
    evening.link(1, ANN)
    evening.sign_in(ANN)
    text = evening.client.post(f"{evening.path}/wallets/text", json={"address": BOB.address}, headers=OURS).json()
    for path, body in (
        ("/session/wallet/text", {"event": evening.event, "address": ANN.address}),
        ("/session/wallet", signed(ANN, evening.text(ANN))),
        (f"{evening.path}/wallets/text", {"address": BOB.address}),
        (f"{evening.path}/entries/1/wallets", signed(BOB, text)),
        (f"{evening.path}/entries/1/wallets/split", signed(BOB, text)),
        (f"{evening.path}/entries/1/vaults", {"vault": BOB.address}),
    ):
        answer = evening.client.post(path, json=body, headers=headers)
        assert (answer.status_code, slug(answer)) == (403, "cross-site"), path
        assert "set-cookie" not in answer.headers
    assert len(evening.client.get(f"{evening.path}/entries/1/wallets").json()["wallets"]) == 1


def test_a_signature_is_not_replayed_after_logout_or_at_another_host(evening: Evening) -> None:
    evening.link(1, ANN)
    answer = signed(ANN, evening.text(ANN))
    elsewhere = {**OURS, "Host": "evil.example"}
    refused = evening.client.post("/session/wallet", json=answer, headers=elsewhere)
    assert (refused.status_code, slug(refused)) == (409, "challenge-unknown")
    assert evening.client.post("/session/wallet", json=answer, headers=OURS).status_code == 201
    assert evening.client.delete("/session", headers=OURS).status_code == 204
    refused = evening.client.post("/session/wallet", json=answer, headers=OURS)
    assert (refused.status_code, slug(refused)) == (409, "challenge-unknown")
    assert evening.held is None


def test_the_text_names_the_host_that_was_asked_and_one_of_more_than_1_kb_is_refused(evening: Evening) -> None:
    body = {"event": evening.event, "address": ANN.address}
    text = evening.client.post("/session/wallet/text", json=body, headers={**OURS, "Host": "Play.Example:8000"}).json()
    assert text["text"].startswith("play.example:8000 wants you to sign in with your Ethereum account:\n")
    assert f"URI: http://play.example:8000/events/{evening.event}\n" in text["text"]
    for host in ("a" * 253 + ".example", "play.example/@evil", "play.example\\n"):
        answer = evening.client.post("/session/wallet/text", json=body, headers={**OURS, "Host": host})
        assert (answer.status_code, slug(answer)) == (422, "challenge-unfit")


def test_a_server_that_takes_any_name_for_its_own_has_nothing_signed_outside_development(embedded: Database) -> None:
    body = {"event": "k3v7qzj2m5xa", "address": ANN.address}
    for hosts, found in (((), (503, "hosts-unnamed")), (("testserver",), (404, "event-not-found"))):
        settings = Settings(environment=Environment.PRODUCTION, secret="s" * 32, trusted_hosts=hosts)  # type: ignore[arg-type]
        with TestClient(create_app(settings, database=embedded), raise_server_exceptions=False) as client:
            answer = client.post("/session/wallet/text", json=body)
            assert (answer.status_code, slug(answer)) == found


def test_wallets_are_seen_by_the_player_judges_and_organizers_alone(evening: Evening, embedded: Database) -> None:
    evening.link(1, ANN)
    document = f"{evening.path}/entries/1/wallets"
    assert evening.player(1).get(document)["wallets"][0]["address"] == ANN.address
    assert evening.ann.get(document)["wallets"][0]["address"] == ANN.address
    for role, status in (("judge", 200), ("desk", 403), ("scorekeeper", 403), ("display", 403)):
        somebody = Desk(evening.client, account(f"a-{role}", embedded))
        evening.ann.post(f"{evening.path}/staff", {"account": f"a-{role}", "role": role})
        assert somebody.ask("GET", document).status_code == status, role
    assert evening.player(2).ask("GET", document).status_code == 403
    assert evening.client.get(document).status_code == 403
    logged = evening.ann.ask("GET", f"{evening.path}/log").text
    exported = evening.ann.ask("GET", f"{evening.path}/export").text
    assert ANN.address.lower() not in (logged + evening.client.get(f"{evening.path}/entries").text).lower()
    assert "dpp_" not in exported


def test_a_split_and_an_unlink_over_http(evening: Evening) -> None:
    mother = evening.player(1)
    shares = [{"entry": 1, "units": {"65537": 2}}, {"entry": 2, "units": {"65537": 1}}]
    text = mother.post(f"{evening.path}/wallets/text", {"address": ANN.address, "shares": shares})
    receipt = mother.post(f"{evening.path}/entries/1/wallets/split", signed(ANN, text))
    lines = [evening.player(n).get(f"{evening.path}/entries/{n}/wallets")["wallets"] for n in (1, 2)]
    assert [line[0]["share"] for line in lines] == [{"65537": 2}, {"65537": 1}]
    assert [line[0]["signs_in"] for line in lines] == [True, False]
    path = f"{evening.path}/entries/1/wallets/{receipt['fact']['commitment']}/unlink"
    assert evening.ann.post(path, {"reason": "she asked"})["reason"] == "she asked"
    answer = mother.ask("POST", path)
    assert (answer.status_code, slug(answer)) == (404, "wallet-not-found")


def test_a_contract_wallet_that_is_none_is_refused_and_answers_that_prove_nothing_are_slowed_down(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.link(1, ANN)
    monkeypatch.setitem(limits.RULES, "wallet-from", Rule("answers of wallets from here that proved nothing", 3, 60))  # type: ignore[arg-type]
    for _ in range(5):
        assert evening.sign_in(ANN).status_code == 201  # what proves something costs nothing
    wrong = {"nonce": evening.text(ANN)["nonce"], "signature": "0x" + "11" * 65}
    found = [evening.client.post("/session/wallet", json=wrong, headers=OURS) for _ in range(4)]
    assert [slug(one) for one in found] == ["control-unproven"] * 3 + ["too-many-requests"]


def test_a_text_does_not_tell_whether_an_address_serves_somebody(evening: Evening) -> None:
    evening.link(1, ANN)
    texts = [evening.text(key)["text"] for key in (ANN, BOB)]
    plain = [text.replace(key.address, "").split("Nonce")[0] for text, key in zip(texts, (ANN, BOB), strict=True)]
    assert plain[0] == plain[1]
    answer = evening.client.post("/session/wallet", json=signed(BOB, evening.text(BOB)), headers=OURS)
    assert (answer.status_code, slug(answer)) == (404, "wallet-unknown")
