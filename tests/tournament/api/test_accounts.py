"""Accounts over HTTP: tokens, the own account, players' codes, invitations."""

from datetime import UTC, datetime

import pyotp
import pytest
from argon2 import PasswordHasher
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import text

from tests.tournament.people import Desk, account
from tournament import store
from tournament.api.app import create_app
from tournament.api.housekeeping import forget, note
from tournament.database import Database
from tournament.service import accounts
from tournament.service.codes import Codes, Purpose
from tournament.service.limits import RULES
from tournament.settings import Settings
from tournament.tables import AccountRow

PASSWORD = "correct horse battery staple"
CODES = Codes(Settings().secret.get_secret_value())
WEAK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)


@pytest.fixture(autouse=True)
def people(embedded: Database) -> None:
    """Ann with a password; Bea with a token alone."""
    with embedded.writing() as session:
        store.save_account(session, AccountRow(name="ann", password=WEAK, created_at="2026-01-31T12:00:00.000000Z"))
    account("bea", embedded)


def sign_in(client: TestClient, **more: object) -> Response:
    return client.post("/tokens", json={"account": "ann", "password": PASSWORD} | more)


def desk(client: TestClient, **more: object) -> Desk:
    answer = sign_in(client, **more)
    assert answer.status_code == 201, answer.text
    return Desk(client, answer.json()["token"])


def problem(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].removeprefix("/problems/")


# --- tokens


def test_capitals_in_a_name_do_not_matter(visitor: TestClient) -> None:
    assert sign_in(visitor, account=" ANN ").status_code == 201
    assert problem(sign_in(visitor, account="ann example")) == (422, "request-unreadable")


def test_a_token_is_listed_with_what_it_is_for_and_without_itself(visitor: TestClient) -> None:
    ann = desk(visitor)
    made = sign_in(visitor, label="bot", scopes=["read"], event="K3V7", days=2).json()
    listed = {line["id"]: line for line in ann.get("/tokens")["tokens"]}
    line = listed[made["id"]]
    assert (line["label"], line["scopes"], line["event"]) == ("bot", ["read"], "k3v7")
    assert (line["expires_at"], line["current"], line["last_used"]) == (made["expires_at"], False, None)
    assert [line["current"] for line in listed.values()].count(True) == 1
    assert made["token"] not in str(listed)
    assert ann.ask("DELETE", f"/tokens/{made['id']}").status_code == 204
    assert problem(Desk(visitor, made["token"]).ask("GET", "/events/k3v7")) == (401, "sign-in-needed")
    assert problem(ann.ask("DELETE", f"/tokens/{made['id']}")) == (404, "token-not-found")


def test_a_token_to_read_reads_and_does_nothing(visitor: TestClient) -> None:
    ann, reader = desk(visitor), desk(visitor, scopes=["read"])
    path = ann.event()
    assert reader.ask("GET", f"{path}/log").status_code == 200
    for method, place, body in (
        ("POST", f"{path}/entries", {"name": "Cat"}),
        ("GET", "/tokens", None),
        ("POST", "/account/password", {"old": PASSWORD, "new": "another horse, another staple"}),
    ):
        assert problem(reader.ask(method, place, body)) == (403, "scope-missing")


def test_a_token_of_one_event_makes_no_other(visitor: TestClient) -> None:
    ann = desk(visitor)
    path = ann.event()
    own = desk(visitor, event=path.removeprefix("/events/"))
    assert own.ask("POST", f"{path}/entries", {"name": "Cat"}).status_code == 201
    assert problem(own.ask("POST", "/events", {"name": "Another"})) == (403, "scope-missing")
    assert problem(own.ask("GET", f"{ann.event()}/log")) == (403, "scope-missing")


def test_the_last_use_is_noted_to_the_day_and_only_if_the_token_was_good(
    visitor: TestClient, embedded: Database
) -> None:
    ann, worthless = desk(visitor), "dp_worthless"
    ann.get("/events")
    visitor.get("/events", headers={"Authorization": f"Bearer {worthless}"})
    uses = visitor.app.state.uses  # type: ignore[attr-defined]
    assert [digest for digest, _ in uses.taken()] == [accounts.digest_of(ann.token)]
    ann.get("/events")
    assert uses.taken() == [], "once in ten minutes is enough"
    uses.note(accounts.digest_of(ann.token), datetime(2026, 2, 1, 9, 30, tzinfo=UTC))
    note(embedded, uses)
    [line] = ann.get("/tokens")["tokens"]
    assert line["last_used"] == "2026-02-01"


def test_a_server_that_stops_notes_what_was_used(embedded: Database) -> None:
    with TestClient(create_app(Settings(), database=embedded)) as client:
        Desk(client, "dp_bea").get("/events")
    with embedded.reading() as session:
        [row] = store.tokens_of(session, "bea")
    assert row.last_used == datetime.now(UTC).date().isoformat()


def test_what_expired_is_forgotten(visitor: TestClient, embedded: Database) -> None:
    desk(visitor, days=1)
    lasting = desk(visitor)
    forget(embedded, datetime(2100, 1, 1, tzinfo=UTC))
    assert len(lasting.get("/tokens")["tokens"]) == 1


def test_a_token_of_before_there_were_scopes_is_good_for_everything(visitor: TestClient, embedded: Database) -> None:
    row = {"digest": accounts.digest_of("dp_old")}
    with embedded.writing() as session:
        written = "INSERT INTO token (digest, account, label, created_at) VALUES (:digest, 'bea', '', '')"
        session.connection().execute(text(written), row)
    old = Desk(visitor, "dp_old")
    assert old.ask("GET", f"{old.event()}/log").status_code == 200
    assert old.get("/account")["account"] == "bea"


# --- the own account


def test_a_password_is_changed_by_its_owner(visitor: TestClient) -> None:
    ann, other = desk(visitor), desk(visitor)
    new = {"old": PASSWORD, "new": "another horse, another staple", "revoke_tokens": True}
    assert problem(ann.ask("POST", "/account/password", new | {"old": "wrong"})) == (401, "sign-in-wrong")
    unfit = ann.ask("POST", "/account/password", new | {"new": "ann"})
    assert (unfit.status_code, len(unfit.json()["faults"])) == (422, 3)
    assert ann.ask("POST", "/account/password", new).status_code == 204
    assert ann.ask("GET", "/account").status_code == 200
    assert problem(other.ask("GET", "/account")) == (401, "sign-in-needed")
    assert problem(sign_in(visitor)) == (401, "sign-in-wrong")
    assert sign_in(visitor, password=new["new"]).status_code == 201


def test_a_second_factor_from_the_picture_to_the_end(visitor: TestClient) -> None:
    ann = desk(visitor)
    assert problem(ann.ask("POST", "/account/totp", {"password": "wrong"})) == (401, "sign-in-wrong")
    begun = ann.post("/account/totp", {"password": PASSWORD})
    device = pyotp.parse_uri(begun["uri"])
    assert isinstance(device, pyotp.TOTP)
    assert device.secret == begun["secret"]
    assert problem(ann.ask("POST", "/account/totp/confirm", {"code": "1"})) == (401, "second-factor-wrong")
    codes = ann.post("/account/totp/confirm", {"code": device.now()})["codes"]
    assert ann.get("/account") == {
        "account": "ann",
        "created_at": "2026-01-31T12:00:00.000000Z",
        "second_factor": True,
        "recovery_codes": 10,
    }
    assert problem(sign_in(visitor)) == (401, "second-factor-needed")
    assert problem(sign_in(visitor, code="123")) == (401, "second-factor-wrong")
    assert sign_in(visitor, code=codes[0]).status_code == 201
    both = {"password": PASSWORD, "code": codes[1]}
    renewed = ann.post("/account/totp/recovery", both)["codes"]
    assert problem(sign_in(visitor, code=codes[2])) == (401, "second-factor-wrong")
    off = {"password": PASSWORD, "code": renewed[0]}
    assert problem(ann.ask("POST", "/account/totp/off", off | {"password": "no"})) == (401, "sign-in-wrong")
    assert problem(ann.ask("POST", "/account/totp/off", off | {"code": ""})) == (401, "second-factor-needed")
    assert ann.ask("POST", "/account/totp/off", off).status_code == 204
    assert sign_in(visitor).status_code == 201
    assert problem(ann.ask("POST", "/account/totp/off", off)) == (409, "second-factor-off")


# --- players


def test_a_code_is_typed_as_people_type(visitor: TestClient) -> None:
    path = Desk(visitor, "dp_bea").event()
    Desk(visitor, "dp_bea").enter(path, "Cat", "Dan")
    event = path.removeprefix("/events/")
    code = CODES.code(Purpose.ENTRY, event, 2, 1)
    typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    answer = visitor.post("/tokens/entry", json={"event": event.upper(), "number": 2, "code": f" {typed} "})
    assert answer.status_code == 201
    assert answer.json()["token"] == accounts.entry_token(CODES, event, 2, 1)
    for wrong in ({"number": 1}, {"event": "nowhere"}, {"code": code[:-1]}, {"number": 9}):
        asked = {"event": event, "number": 2, "code": code} | wrong
        assert problem(visitor.post("/tokens/entry", json=asked)) == (401, "entry-code-wrong")


def test_wrong_codes_are_slowed_down_and_right_ones_are_not(visitor: TestClient) -> None:
    path = Desk(visitor, "dp_bea").event()
    Desk(visitor, "dp_bea").enter(path, "Cat", "Dan")
    asked = {"event": path.removeprefix("/events/"), "number": 1, "code": "0000-0000-0000"}
    right = asked | {"code": CODES.code(Purpose.ENTRY, asked["event"], 1, 1)}
    for _ in range(RULES["entry"].burst + 5):
        assert visitor.post("/tokens/entry", json=right).status_code == 201
    for _ in range(RULES["entry"].burst):
        assert visitor.post("/tokens/entry", json=asked).status_code == 401
    refused = visitor.post("/tokens/entry", json=right)
    assert problem(refused) == (429, "too-many-requests")
    assert 0 < int(refused.headers["Retry-After"]) == refused.json()["retry_after"] <= RULES["entry"].every
    other = right | {"number": 2, "code": CODES.code(Purpose.ENTRY, asked["event"], 2, 1)}
    assert visitor.post("/tokens/entry", json=other).status_code == 201


# --- invitations


def test_an_invitation_from_the_link_to_the_role(visitor: TestClient) -> None:
    ann, bea = desk(visitor), Desk(visitor, "dp_bea")
    path = f"/events/{ann.post('/events', {'name': 'Secret'})['event']}"
    made = ann.ask("POST", f"{path}/staff/invitations", {"role": "judge"})
    assert made.json()["fact"]["invitation"] == 1
    [shown] = ann.get(f"{path}/staff/invitations")["invitations"]
    assert ann.get(f"{path}/staff/invitations/1") == shown
    assert shown["code"] not in made.text
    accept = {"invitation": 1, "code": shown["code"].lower()}
    assert problem(bea.ask("POST", f"{path}/staff/accept", accept | {"code": "x"})) == (404, "event-not-found")
    assert problem(visitor.post(f"{path}/staff/accept", json=accept)) == (401, "sign-in-needed")
    accepted = bea.ask("POST", f"{path}/staff/accept", accept)
    assert (accepted.status_code, accepted.json()["arguments"]) == (201, {"invitation": 1})
    assert bea.get(f"{path}/staff")["staff"] == [
        {"account": "ann", "role": "organizer", "granted": 1},
        {"account": "bea", "role": "judge", "granted": 3},
    ]
    assert ann.get(f"{path}/staff/invitations/1")["accepted_by"] == ["bea"]
    assert problem(bea.ask("GET", f"{path}/staff/invitations")) == (403, "not-yours")
    assert problem(bea.ask("GET", f"{path}/staff/invitations/1")) == (403, "not-yours")
    assert ann.ask("GET", f"{path}/staff/invitations").headers["Cache-Control"] == "no-store"
    assert shown["code"] not in ann.ask("GET", f"{path}/log").text
    assert bea.ask("POST", f"{path}/staff/leave", {"role": "judge"}).status_code == 200
    assert problem(bea.ask("GET", path)) == (404, "event-not-found")


def test_somebody_without_an_account_joins_with_one_or_not_at_all(visitor: TestClient) -> None:
    ann = desk(visitor)
    path = ann.event()
    ann.post(f"{path}/staff/invitations", {"role": "desk"})
    code = ann.get(f"{path}/staff/invitations/1")["code"]
    join = {"account": "Cat", "password": PASSWORD, "invitation": 1, "invitation_code": code}
    assert problem(visitor.post(f"{path}/staff/join", json=join | {"invitation_code": "x"})) == (
        404,
        "invitation-not-found",
    )
    assert problem(sign_in(visitor, account="cat")) == (401, "sign-in-wrong")
    joined = visitor.post(f"{path}/staff/join", json=join, headers={"Idempotency-Key": "k1"})
    assert (joined.status_code, joined.json()["fact"]["account"]) == (201, "cat")
    assert PASSWORD not in joined.text
    again = visitor.post(f"{path}/staff/join", json=join, headers={"Idempotency-Key": "k1"})
    assert again.content == joined.content
    cat = desk(visitor, account="cat")
    assert cat.ask("POST", f"{path}/entries", {"name": "Eve"}).status_code == 201
    assert problem(visitor.post(f"{path}/staff/join", json=join | {"password": "another horse, a staple"})) == (
        409,
        "account-taken",
    )


def test_public_writes_are_limited_by_address_and_staff_are_not(visitor: TestClient) -> None:
    bea = Desk(visitor, "dp_bea")
    path = bea.event()
    accept = {"invitation": 1, "code": "x"}
    for _ in range(RULES["invitation"].burst):
        assert visitor.post(f"{path}/staff/accept", json=accept).status_code == 404
    assert problem(visitor.post(f"{path}/staff/accept", json=accept)) == (429, "too-many-requests")
    assert problem(bea.ask("POST", f"{path}/staff/accept", accept)) == (404, "invitation-not-found")
