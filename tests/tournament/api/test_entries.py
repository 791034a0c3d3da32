"""Entries over HTTP: who may do and see what, and what is told beside the receipt."""

import csv
import io
import shutil
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from games import library
from tests.tournament.conftest import signed_in
from tests.tournament.people import Desk, account
from tournament.database import Database
from tournament.domain.roles import Role
from tournament.service import decks

LEGAL = next(iter(library.decks("cps").values()))
ILLEGAL = LEGAL.replace("1 ", "2 ", 1)
KEY = "a key that nobody guesses"


@pytest.fixture
def url(sqlite: Path, tmp_path: Path) -> str:
    """What is asked here does not hang on the kind of database."""
    path = tmp_path / "deckproof.db"
    shutil.copy(sqlite, path)
    return f"sqlite:///{path}"


@pytest.fixture
def path(ann: Desk) -> str:
    return ann.event()


def announce(database: Database, **columns: object) -> None:
    assigned = ", ".join(f"{name} = :{name}" for name in columns)
    with database.writing() as session:
        session.connection().execute(text(f"UPDATE event SET {assigned}, version = version"), columns)


def registered(client: TestClient, path: str, name: str = "Cat", **more: object) -> Desk:
    answer = client.post(f"{path}/registrations", json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    return Desk(client, answer.json()["token"])


def staff(ann: Desk, path: str, role: Role, database: Database) -> Desk:
    name = f"the-{role}"
    token = account(name, database)
    ann.post(f"{path}/staff", {"account": name, "role": role})
    return Desk(ann.client, token)


def refusal(who: Desk, method: str, path: str, body: object = None) -> tuple[int, str]:
    answer = who.ask(method, path, body)
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    return answer.status_code, answer.json()["type"].removeprefix("/problems/")


# --- registration


def test_anybody_registers_and_acts_by_the_code_that_is_told(
    client: TestClient, path: str, ann: Desk, database: Database
) -> None:
    announce(database, registration="code", decklist="optional", decks_until="2999-01-01T00:00:00.000000Z")
    code = ann.get(f"{path}/registration/code")["code"]
    headers = {"Idempotency-Key": KEY}
    first = client.post(f"{path}/registrations", json={"name": "Cat", "code": code}, headers=headers)
    again = client.post(f"{path}/registrations", json={"name": "Cat", "code": code}, headers=headers)
    assert (first.status_code, first.headers["cache-control"]) == (201, "no-store")
    assert (again.content, again.headers["etag"]) == (first.content, first.headers["etag"])
    told = first.json()
    assert (told["receipt"]["actor"], told["receipt"]["fact"]["entry"], told["waiting"]) == ("(visitor)", 1, False)
    mine = Desk(client, told["token"]).get(f"{path}/entries/me")
    assert (mine["entry"]["number"], mine["decklist"], mine["place_in_line"]) == (told["entry"], "optional", None)
    log = ann.ask("GET", f"{path}/log").text
    assert not [secret for secret in (told["code"], code, KEY) if secret in log]


def test_a_registration_is_refused_with_the_reason(client: TestClient, path: str, database: Database) -> None:

    def tried(**body: object) -> tuple[int, str]:
        answer = client.post(f"{path}/registrations", json={"name": "Cat", **body})
        return answer.status_code, answer.json()["type"]

    assert tried() == (409, "/problems/registration-by-staff")
    announce(database, registration="code")
    assert tried(code="wrong")[1] == "/problems/registration-code-wrong"
    assert tried(name="\u202eCat")[0] == 422
    short = client.post(f"{path}/registrations", json={"name": "Cat"}, headers={"Idempotency-Key": "1"})
    assert (short.status_code, short.json()["faults"][0]["at"]) == (422, "header/idempotency-key")


def test_who_waits_is_told_the_place_in_line(client: TestClient, path: str, ann: Desk, database: Database) -> None:
    announce(database, registration="open", capacity=2, waitlist=True)
    ann.enter(path, "a", "b")
    cat, dan = registered(client, path, "Cat"), registered(client, path, "Dan")
    assert [who.get(f"{path}/entries/me")["place_in_line"] for who in (cat, dan)] == [1, 2]
    assert cat.post(f"{path}/entries/3/drop")["fact"]["promoted"] == []
    assert dan.get(f"{path}/entries/me")["place_in_line"] == 1
    assert ann.post(f"{path}/entries/1/drop")["fact"]["promoted"] == [4]
    assert dan.get(f"{path}/entries/me")["place_in_line"] is None
    assert [one["waiting"] for one in client.get(f"{path}/entries").json()["entries"]] == [False, False, True, False]


def test_codes_are_for_the_desk_and_kept_nowhere(client: TestClient, path: str, ann: Desk, database: Database) -> None:
    announce(database, registration="open")
    cat = registered(client, path)
    allowed = [ann, *(staff(ann, path, role, database) for role in (Role.SCOREKEEPER, Role.DESK))]
    others = [cat, *(staff(ann, path, role, database) for role in (Role.JUDGE, Role.DISPLAY))]
    for place in ("entries/1/code", "entries/codes", "registration/code"):
        for who in allowed:
            answer = who.ask("GET", f"{path}/{place}")
            assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
            assert "etag" not in answer.headers
        assert {refusal(who, "GET", f"{path}/{place}") for who in others} == {(403, "not-yours")}
        assert client.get(f"{path}/{place}").status_code == 403
    shown = ann.get(f"{path}/entries/1/code")
    assert shown["token"] == cat.token
    assert ann.get(f"{path}/entries/codes?limit=1") == {"codes": [shown], "next": None}
    ann.post(f"{path}/entries/1/recode")
    assert refusal(cat, "GET", f"{path}/entries/me") == (401, "sign-in-needed")
    assert Desk(client, ann.get(f"{path}/entries/1/code")["token"]).get(f"{path}/entries/me")["entry"]["name"] == "Cat"


def test_staff_have_no_entry_of_their_own(ann: Desk, path: str, client: TestClient) -> None:
    assert refusal(ann, "GET", f"{path}/entries/me") == (403, "not-yours")
    assert client.get(f"{path}/entries/me").status_code == 403


# --- corrections, exceptions, mishaps


def test_what_needs_a_reason_is_refused_without_one(ann: Desk, path: str) -> None:
    ann.enter(path, "a", "b")
    for act in ("disqualify", "reinstate", "deck/unlock", "deck/lock", "deck/waive", "deck/require"):
        assert refusal(ann, "POST", f"{path}/entries/1/{act}", {"reason": " "}) == (422, "request-unreadable")
    assert ann.post(f"{path}/entries/1/disqualify", {"reason": "lied"})["reason"] == "lied"
    assert ann.get(f"{path}/entries/1")["disqualified"] is True


def test_an_entry_is_corrected_and_what_is_not_named_stays(ann: Desk, path: str) -> None:
    ann.post(f"{path}/entries", {"name": "An", "fixed_table": 3})
    answer = ann.ask("PATCH", f"{path}/entries/1", {"name": " Ann  Example", "awarded_byes": 1})
    fact = answer.json()["fact"]
    assert (fact["entry"], fact["name"].keys(), fact["fixed_table"], fact["awarded_byes"]) == (1, {"kept"}, 3, 1)
    assert ann.get(f"{path}/entries/1")["name"] == "Ann Example"
    assert ann.ask("PATCH", f"{path}/entries/1", {"fixed_table": None}).json()["fact"]["fixed_table"] is None


def test_names_that_are_alike_are_shown_to_staff_and_the_entries_merged(
    ann: Desk, path: str, client: TestClient
) -> None:
    ann.enter(path, "Ann Example", "Bob", "ann  example")
    assert ann.get(f"{path}/entries/alike") == {
        "groups": [[{"number": 1, "name": "Ann Example"}, {"number": 3, "name": "ann example"}]]
    }
    assert client.get(f"{path}/entries/alike").status_code == 403
    ann.post(f"{path}/entries/1/merge", {"void": 3, "reason": "both are hers"})
    assert ann.get(f"{path}/entries/alike") == {"groups": []}
    assert client.get(f"{path}/entries/3").json()["merged_into"] == 1
    assert refusal(ann, "POST", f"{path}/entries/3/drop") == (409, "entry-void")


def test_who_is_kept_apart_is_for_staff(ann: Desk, path: str, client: TestClient) -> None:
    ann.enter(path, "a", "b")
    assert ann.post(f"{path}/apart", {"one": 2, "other": 1})["fact"] == {"one": 1, "other": 2}
    assert refusal(ann, "POST", f"{path}/apart", {"one": 2, "other": 2}) == (422, "request-unreadable")
    assert ann.get(f"{path}/apart") == {"pairs": [{"one": 1, "other": 2}]}
    assert client.get(f"{path}/apart").status_code == 403
    ann.post(f"{path}/apart/remove", {"one": 2, "other": 1})
    assert refusal(ann, "POST", f"{path}/apart/remove", {"one": 2, "other": 1}) == (404, "apart-not-found")


# --- check-in


def test_seating_does_what_the_preview_said(ann: Desk, path: str, client: TestClient, database: Database) -> None:
    announce(database, capacity=3, waitlist=True)
    ann.enter(path, *"abcde")
    ann.post(f"{path}/registration/close")
    for number in (1, 3, 5):
        ann.post(f"{path}/entries/{number}/check-in")
    ann.post(f"{path}/entries/3/check-out")
    preview = ann.get(f"{path}/check-in")
    assert preview == {
        "entered": 3,
        "checked_in": 1,
        "waiting": 2,
        "waiting_here": 1,
        "absent": [{"number": 2, "name": "b"}, {"number": 3, "name": "c"}],
        "promoted": [{"number": 5, "name": "e"}],
        "without_list": [],
    }
    assert client.get(f"{path}/check-in").status_code == 403
    fact = ann.post(f"{path}/check-in/seat-all")["fact"]
    assert fact == {"dropped": [2, 3], "promoted": [5], "playing": 2}
    assert len(ann.start(path)) == 1


# --- lists


def test_a_list_is_read_by_nobody_but_the_player_judges_and_organizers(
    ann: Desk, path: str, client: TestClient, database: Database
) -> None:
    announce(database, registration="open", decklist="required")
    cat, dan = registered(client, path, "Cat"), registered(client, path, "Dan")
    deck = f"{path}/entries/1/deck"
    put = cat.ask("PUT", deck, {"decklist": LEGAL})
    assert (put.status_code, put.json()["is_legal"], put.json()["violations"]) == (200, True, [])
    readers = [cat, ann, staff(ann, path, Role.JUDGE, database)]
    others = [dan, *(staff(ann, path, role, database) for role in (Role.SCOREKEEPER, Role.DESK, Role.DISPLAY))]
    legal = readers[0].get(deck)["legal"]
    for who in readers:  # and after each of them, with the document kept, nobody else
        assert who.get(deck)["legal"] == legal
        assert {refusal(other, "GET", deck) for other in others} == {(403, "not-yours")}
        assert client.get(deck).status_code == 403
    assert (
        decks.commitment_of(decks.read_deck(legal["text"], decks.rules_of("cps")).decklist, legal["salt"])
        == (client.get(f"{path}/entries/1").json()["deck"])
    )
    assert client.get(f"{path}/entries").json()["entries"][0]["deck"] == legal["commitment"]
    for who in (*others, *readers[1:]):
        answer = who.ask("GET", f"{path}/log").text
        assert legal["salt"] not in answer
        assert legal["lines"][0]["name"] not in answer


def test_lists_are_open_to_everybody_when_the_event_says_so_and_drafts_never(
    ann: Desk, path: str, client: TestClient, database: Database
) -> None:
    announce(database, decklist="optional", lists_open="at the end")
    ann.enter(path, "a", "b", "c")
    for number, source in ((1, LEGAL), (1, ILLEGAL), (2, ILLEGAL)):
        ann.ask("PUT", f"{path}/entries/{number}/deck", {"decklist": source})
    ann.play(path, 1)
    assert client.get(f"{path}/entries/1/deck").status_code == 403
    ann.post(f"{path}/finish")
    shown = client.get(f"{path}/entries/1/deck").json()
    assert (shown["draft"], shown["legal"]["violations"], len(shown["legal"]["salt"])) == (None, [], 64)
    assert client.get(f"{path}/entries/2/deck").json()["type"] == "/problems/deck-not-found"
    assert ann.get(f"{path}/entries/2/deck")["draft"]["violations"] != []
    assert refusal(ann, "GET", f"{path}/entries/3/deck") == (404, "deck-not-found")


def test_every_fault_and_every_violation_is_in_the_answer(ann: Desk, path: str, database: Database) -> None:
    announce(database, decklist="required")
    ann.enter(path, "a")
    deck = f"{path}/entries/1/deck"
    unreadable = ann.ask("PUT", deck, {"decklist": "1 Nobody\n\n# a remark\n1 Nothing At All"})
    assert unreadable.status_code == 422
    assert [fault["line"] for fault in unreadable.json()["faults"]] == [1, 4]
    broken = ann.ask("PUT", deck, {"decklist": ILLEGAL}, key="k")
    told = broken.json()
    assert (broken.status_code, told["is_legal"]) == (200, False)
    expected = decks.read_deck(ILLEGAL, decks.rules_of("cps")).violations()
    assert [(one["code"], one["lines"]) for one in told["violations"]] == [
        (one.code.value, list(one.lines)) for one in expected
    ]
    assert ann.ask("PUT", deck, {"decklist": ILLEGAL}, key="k").content == broken.content
    assert refusal(ann, "PUT", deck, {"decklist": LEGAL, "syntax": "pdf"})[1] == "syntax-not-known"


def test_missing_lists_are_listed_for_the_desk(ann: Desk, path: str, client: TestClient, database: Database) -> None:
    announce(database, decklist="required")
    ann.enter(path, "a", "b", "c")
    ann.ask("PUT", f"{path}/entries/1/deck", {"decklist": LEGAL})
    ann.ask("PUT", f"{path}/entries/2/deck", {"decklist": ILLEGAL})
    desk = staff(ann, path, Role.DESK, database)
    assert desk.get(f"{path}/decks/missing") == {
        "missing": [{"entry": 2, "name": "b", "has_draft": True}, {"entry": 3, "name": "c", "has_draft": False}]
    }
    assert client.get(f"{path}/decks/missing").status_code == 403
    ann.post(f"{path}/registration/close")
    refused = ann.ask("POST", f"{path}/rounds").json()
    assert (refused["type"], [one["entry"] for one in refused["entries"]]) == ("/problems/lists-missing", [2, 3])
    assert ann.get(f"{path}/check-in")["without_list"] == [{"number": 2, "name": "b"}, {"number": 3, "name": "c"}]


# --- rosters


def send(who: Desk, path: str, content: str, to: str = "import", **query: str) -> tuple[int, dict[str, object]]:
    headers = {"Authorization": f"Bearer {who.token}", "Content-Type": "text/csv"}
    answer = who.client.post(f"{path}/entries/{to}", content=content.encode(), headers=headers, params=query)
    return answer.status_code, answer.json()


def test_a_table_is_sent_and_read(ann: Desk, bea: Desk, path: str, client: TestClient) -> None:
    assert send(bea, path, "name\nAnn\n")[0] == 403
    status, receipt = send(ann, path, "name,fixed_table\nAnn,2\n=Bob,\n", reason="from last week")
    assert (status, receipt["reason"]) == (201, "from last week")
    tables = [(player["name"].keys(), player.get("fixed_table")) for player in receipt["fact"]["players"]]  # type: ignore[index]
    assert tables == [({"kept"}, 2), ({"kept"}, None)]
    status, problem = send(ann, path, "name\nAnn\n\u202e\n")
    assert (status, problem["type"]) == (422, "/problems/entries-unreadable")
    assert [(fault["line"], fault["column"]) for fault in problem["faults"]] == [(2, "name"), (3, "name")]  # type: ignore[index, attr-defined]
    assert send(ann, path, "name\nAnn\n", duplicates="accept")[0] == 201
    written = ann.ask("GET", f"{path}/entries/export")
    assert written.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(written.content.decode("utf-8-sig"), newline="")))
    assert [(row["number"], row["name"]) for row in rows] == [("1", "Ann"), ("2", "'=Bob"), ("3", "Ann")]
    assert client.get(f"{path}/entries/export").status_code == 403


def test_a_table_is_looked_at_first_and_nobody_is_in(ann: Desk, bea: Desk, path: str) -> None:
    ann.enter(path, "Ann")
    version = ann.get(path)["version"]
    table = "name,awarded_byes,apart\nann,,x\nBob,2,x\nCat,9,\n"
    assert send(bea, path, table, "import/preview")[0] == 403
    status, seen = send(ann, path, table, "import/preview")
    assert (status, seen["apart"]) == (200, 1)
    assert [(one["number"], one["name"], one["awarded_byes"], one["alike"]) for one in seen["players"]] == [  # type: ignore[attr-defined]
        (2, "ann", 0, 1),
        (3, "Bob", 2, None),
    ]
    assert [(fault["line"], fault["column"]) for fault in seen["faults"]] == [(2, "name"), (4, "awarded_byes")]  # type: ignore[attr-defined]
    assert send(ann, path, "name\nann\n", "import/preview", duplicates="accept")[1]["faults"] == []
    assert ann.get(path)["version"] == version


def test_an_entry_code_is_no_code_of_another_event(ann: Desk, client: TestClient, database: Database) -> None:
    one, other = ann.event("One"), ann.event("Other")
    announce(database, registration="open")
    cat = registered(client, one)
    registered(client, other, "Dan")
    assert refusal(cat, "POST", f"{other}/entries/1/drop") == (401, "sign-in-needed")
    assert signed_in("bea", database, client).ask("POST", f"{one}/entries/1/drop").status_code == 403
