"""Browsers that are signed in by a cookie, and what other sites' pages cannot make them do."""

import pytest
from argon2 import PasswordHasher
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.tournament.people import Desk, account
from tournament import store
from tournament.api.app import create_app
from tournament.database import Database
from tournament.service import accounts
from tournament.service.codes import Codes, Purpose
from tournament.settings import Environment, Settings
from tournament.tables import AccountRow

PASSWORD = "correct horse battery staple"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
WEAK = QUICK.hash(PASSWORD)
ANN = {"account": "ann", "password": PASSWORD}
OURS = {"Origin": "http://testserver"}
CODES = Codes(Settings().secret.get_secret_value())


@pytest.fixture(autouse=True)
def people(embedded: Database) -> None:
    with embedded.writing() as session:
        store.save_account(session, AccountRow(name="ann", password=WEAK, created_at=""))
    account("bea", embedded)


def signed_in(client: TestClient) -> str:
    answer = client.post("/session", json=ANN)
    assert (answer.status_code, answer.json()["account"]) == (201, "ann")
    return str(client.cookies["deckproof"])


def slug(answer: Response) -> str:
    return str(answer.json()["type"]).removeprefix("/problems/")


def test_a_browser_signs_in_and_out(visitor: TestClient) -> None:
    assert visitor.get("/session").json() == {"account": None, "event": None, "entry": None}
    held = signed_in(visitor)
    assert visitor.get("/session").json()["account"] == "ann"
    assert visitor.get("/account").status_code == 200
    assert visitor.delete("/session", headers=OURS).status_code == 204
    assert "deckproof" not in visitor.cookies
    visitor.cookies["deckproof"] = held
    assert visitor.get("/account").status_code == 401


def test_the_cookie_is_for_the_browser_alone(visitor: TestClient) -> None:
    said = visitor.post("/session", json=ANN).headers["set-cookie"]
    assert said.startswith("deckproof=dpb_")
    words = {word.strip().lower() for word in said.split(";")[1:]}
    assert words == {"httponly", "max-age=1209600", "path=/", "samesite=strict"}


@pytest.mark.parametrize(
    ("environment", "scheme"),
    [(Environment.PRODUCTION, "http"), (Environment.PRODUCTION, "https"), (Environment.DEVELOPMENT, "https")],
)
def test_with_https_and_outside_development_the_cookie_is_of_the_host_alone(
    embedded: Database, environment: Environment, scheme: str
) -> None:
    settings = Settings.model_validate({"environment": environment, "secret": "s" * 32})
    app = create_app(settings, database=embedded, hasher=QUICK)
    with TestClient(app, base_url=f"{scheme}://deckproof.example") as client:
        said = client.post("/session", json=ANN).headers["set-cookie"]
        assert said.startswith("__Host-deckproof=dpb_")
        words = {word.strip().lower() for word in said.split(";")[1:]}
        assert {"secure", "path=/"} <= words
        assert not any(word.startswith("domain") for word in words)  # Source: RFC 6265bis, "__Host-"
        client.cookies.clear()
        client.cookies["deckproof"] = said.partition("=")[2].partition(";")[0]
        assert client.get("/session").json()["account"] is None, "a cookie of any other kind is not looked at"


@pytest.mark.parametrize(
    ("headers", "is_let"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"}, True),
        ({"Origin": "http://testserver"}, True),
        ({}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "none"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"}, False),
        ({"Origin": "http://evil.example"}, False),
        ({"Origin": "http://testserver.evil.example"}, False),
        ({"Origin": "http://testserver:8001"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": ""}, False),
        ({"Referer": "http://testserver/"}, False),
    ],
)
def test_a_command_by_cookie_comes_from_our_own_pages(
    visitor: TestClient,
    headers: dict[str, str],
    is_let: bool,  # noqa: FBT001 - a table
) -> None:
    signed_in(visitor)
    answer = visitor.post("/events", json={"name": "Spring Open"}, headers=headers)
    assert answer.status_code == (201 if is_let else 403)
    assert is_let or slug(answer) == "cross-site"
    assert visitor.get("/account", headers=headers).status_code == 200, "looking changes nothing"
    ended = visitor.request("DELETE", "/session", headers=headers)
    assert ended.status_code == (204 if is_let else 403)


def test_no_other_site_signs_a_browser_in(visitor: TestClient) -> None:
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = visitor.post("/session", json=ANN, headers=headers)
        assert (answer.status_code, slug(answer)) == (403, "cross-site")
    assert visitor.post("/session", json=ANN, headers=OURS).status_code == 201
    form = visitor.post("/session", data=ANN, headers=OURS)
    assert (form.status_code, slug(form)) == (415, "media-type-unknown")


def test_a_command_with_a_token_needs_no_origin_even_beside_a_cookie(visitor: TestClient) -> None:
    signed_in(visitor)
    assert Desk(visitor, "dp_bea").post("/events", {"name": "Bea's"})["actor"] == "bea"


def test_what_the_cookie_holds_is_no_token(visitor: TestClient) -> None:
    held = signed_in(visitor)
    visitor.cookies.clear()
    assert Desk(visitor, held).ask("GET", "/account").status_code == 401


def test_a_browser_is_another_after_each_signing_in(visitor: TestClient) -> None:
    before = signed_in(visitor)
    after = signed_in(visitor)
    assert before != after
    assert len(visitor.get("/account/browsers").json()["browsers"]) == 1


def test_where_one_is_signed_in_is_listed_and_ended(visitor: TestClient) -> None:
    phone = TestClient(visitor.app, headers={"User-Agent": "phone"})
    signed_in(phone)
    signed_in(visitor)
    lines = visitor.get("/account/browsers").json()["browsers"]
    assert [(line["about"], line["current"]) for line in lines] == [("phone", False), ("testclient", True)]
    assert visitor.delete(f"/account/browsers/{lines[0]['id']}", headers=OURS).status_code == 204
    dropped = phone.get("/account")
    assert dropped.status_code == 401
    assert 'deckproof=""' in dropped.headers["set-cookie"], "or the phone would show what is worth nothing for ever"
    assert visitor.get("/account").status_code == 200
    used = [digest for digest, _ in visitor.app.state.uses.taken()]  # type: ignore[attr-defined]
    assert accounts.digest_of(visitor.cookies["deckproof"]) in used


@pytest.mark.parametrize("tokens", [False, True])
def test_signing_out_everywhere(visitor: TestClient, tokens: bool) -> None:  # noqa: FBT001 - a table
    phone = TestClient(visitor.app)
    for client in (phone, visitor):
        signed_in(client)
    token = visitor.post("/tokens", json=ANN).json()["token"]
    assert visitor.post("/account/sign-out", json={"tokens": tokens}, headers=OURS).status_code == 204
    assert "deckproof" not in visitor.cookies
    assert phone.get("/account").status_code == 401
    phone.cookies.clear()
    assert Desk(phone, token).ask("GET", "/account").status_code == (401 if tokens else 200)


def test_a_player_signs_a_phone_in_by_the_code_on_paper(visitor: TestClient) -> None:
    bea = Desk(visitor, "dp_bea")
    path = f"/events/{bea.post('/events', {'name': 'Secret'})['event']}"
    bea.post(f"{path}/registration/open")
    bea.enter(path, "Cat")
    event = path.removeprefix("/events/")
    typed = {"event": event, "number": 1, "code": CODES.code(Purpose.ENTRY, event, 1, 1).lower()}
    assert visitor.get(path).status_code == 404
    signed = visitor.post("/session/entry", json=typed)
    assert (signed.status_code, signed.json()) == (201, {"account": None, "event": event, "entry": 1})
    assert visitor.get("/session").json() == signed.json()
    assert visitor.get(path).json()["name"] == "Secret"
    other = bea.event()
    assert visitor.get(other).status_code == visitor.get("/events").status_code == 200, "a visitor elsewhere"
    assert visitor.get("/account").status_code == 401
    assert visitor.get(path).status_code == 200
    assert visitor.delete("/session", headers=OURS).status_code == 204
    assert visitor.get(path).status_code == 404


def test_who_may_keep_an_answer(visitor: TestClient) -> None:
    bea = Desk(visitor, "dp_bea")
    path = bea.event()
    assert visitor.get(path).headers["Cache-Control"] == "no-cache"
    assert bea.ask("GET", path).headers["Cache-Control"] == "private, no-cache, no-transform"
    assert {"Authorization", "Cookie"} <= set(visitor.get(path).headers["Vary"].split(", "))


def test_a_browser_that_nobody_uses_any_more_is_a_stranger(visitor: TestClient, embedded: Database) -> None:
    signed_in(visitor)
    with embedded.writing() as session:
        [row] = store.browsers_of(session, "ann")
        row.seen_at = "2026-01-01T00:00:00.000000Z"
    assert visitor.get("/account").status_code == 401
