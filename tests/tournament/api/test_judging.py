"""Players' reports and judges through HTTP: who sees what, how often is asked, and fifty phones at once."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.tournament.people import Desk, account, games
from tests.tournament.test_crowd import counted
from tournament.api.app import create_app
from tournament.database import Database
from tournament.service import accounts
from tournament.service.codes import Codes
from tournament.settings import Settings

CODES = Codes(Settings().secret.get_secret_value())
AT_ONCE = 50
SECRET = "words that nobody but staff may read"

Phone = Callable[[int], Desk]


@pytest.fixture(scope="module")
def client(common: Database) -> Iterator[TestClient]:
    """One for the module; each test has an event of its own."""
    with TestClient(create_app(Settings(), database=common), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="module")
def ann(common: Database, client: TestClient) -> Desk:
    return Desk(client, account("ann", common))


@pytest.fixture(scope="module")
def bea(common: Database, client: TestClient) -> Desk:
    return Desk(client, account("bea", common))


@pytest.fixture
def path(ann: Desk) -> str:
    """Round 1 of four players is played."""
    path = ann.event(game="cps")
    ann.enter(path, *"abcd")
    ann.start(path)
    return path


@pytest.fixture
def phone(client: TestClient, path: str) -> Phone:
    """The phone of a player."""
    event = path.removeprefix("/events/")
    return lambda number: Desk(client, accounts.entry_token(CODES, event, number, 1))


def seats(desk: Desk, path: str, number: int = 1) -> list[tuple[int, int]]:
    """The two players of each table."""
    return [(seat["first"], seat["second"]) for seat in desk.get(f"{path}/rounds/{number}")["seats"]]


def test_two_phones_report_a_table(ann: Desk, path: str, phone: Phone) -> None:
    first, second = seats(ann, path)[0]
    me = f"{path}/rounds/current/me"
    assert phone(first).get(me)["state"] == "open"
    phone(first).post(f"{path}/rounds/1/tables/1/claim", {"mine": 2, "theirs": 1})
    theirs = phone(second).get(me)
    assert theirs["opponent"] == {"number": first, "name": "abcd"[first - 1]}
    assert theirs["opponents_claim"]["games"] == {"mine": 1, "theirs": 2, "drawn": 0, "ending": "played"}
    assert (theirs["state"], theirs["my_claim"], theirs["result"]) == ("one-sided", None, None)
    claim = {"claim": theirs["opponents_claim"]["claim"]}
    confirmed = phone(second).post(f"{path}/rounds/1/tables/1/claim/confirm", claim)
    for player, mine in ((first, 2), (second, 1)):
        found = phone(player).get(me)
        assert (found["state"], found["result"]["mine"], found["my_claim"]["games"]["mine"]) == ("settled", mine, mine)
    assert (confirmed["actor"], confirmed["role"]) == (f"entry:{second}", "player")
    assert ann.get(f"{path}/rounds/1")["seats"][0]["result"]["first"] == 2
    ann.report(path, 1, 2)
    ann.post(f"{path}/rounds/close")
    assert ann.get(f"{path}/log/check")["holds"]


def test_a_disagreement_is_seen_by_both_and_by_judges_and_settled_with_a_reason(
    ann: Desk, path: str, phone: Phone
) -> None:
    first, second = seats(ann, path)[0]
    for player in (first, second):
        phone(player).post(f"{path}/rounds/1/tables/1/claim", {"mine": 2})
        phone(player).post(f"{path}/calls", {"topic": SECRET})
    seen = [phone(player).get(f"{path}/rounds/current/me") for player in (first, second)]
    assert [one["state"] for one in seen] == ["disagreement"] * 2
    [table] = ann.get(f"{path}/judging")["disagreements"]
    assert [claim["games"]["first"] for claim in table["claims"]] == [2, 0]
    assert ann.get(f"{path}/rounds/1/claims")["tables"] == [table]
    settle = f"{path}/rounds/1/tables/1/claim/settle"
    assert ann.ask("POST", settle, games(2, 1)).status_code == 422
    ann.post(settle, {**games(2, 1), "reason": "asked a neighbour"})
    assert phone(second).get(f"{path}/rounds/current/me")["result"]["mine"] == 1
    assert ann.get(f"{path}/judging")["disagreements"] == []


def test_one_sided_claims_are_looked_at_and_accepted(ann: Desk, path: str, phone: Phone) -> None:
    for table, (first, _) in enumerate(seats(ann, path), start=1):
        phone(first).post(f"{path}/rounds/1/tables/{table}/claim", {"mine": 2})
    preview = ann.get(f"{path}/rounds/1/claims")["tables"]
    assert {table["state"] for table in preview} == {"one-sided"}
    claims = [table["claims"][0]["claim"] for table in preview]
    accepted = ann.post(f"{path}/rounds/1/claims/accept", {"claims": claims, "reason": "time was up"})["fact"]
    assert [table["games"]["first"] for table in accepted["tables"]] == [2, 2]
    assert ann.get(f"{path}/rounds/1/claims")["tables"] == []
    ann.post(f"{path}/rounds/close")


@pytest.mark.parametrize("both", [False, True])
def test_fifty_phones_claim_one_table_at_once_and_it_happens_once(
    ann: Desk, path: str, phone: Phone, *, both: bool
) -> None:
    first, second = seats(ann, path)[0]
    before = ann.get(path)["version"]

    def claim(number: int) -> Any:
        mine, player = ((2, first), (1, second))[number % 2 if both else 0]
        return phone(player).post(f"{path}/rounds/1/tables/1/claim", {"mine": mine, "theirs": 3 - mine})

    with ThreadPoolExecutor(AT_ONCE) as pool:
        receipts = Counter(receipt["sequence"] for receipt in pool.map(claim, range(AT_ONCE)))
    assert receipts.keys() == {before + 1, before + 2} if both else receipts == {before + 1: AT_ONCE}
    assert ann.get(path)["version"] == max(receipts)
    state = phone(second).get(f"{path}/rounds/current/me")["state"]
    assert state == ("settled" if both else "one-sided")


# --- who sees what


def test_strangers_claim_nothing(ann: Desk, bea: Desk, client: TestClient, path: str, phone: Phone) -> None:
    stranger = phone(seats(ann, path)[1][0])
    claim = f"{path}/rounds/1/tables/1/claim"
    refused = stranger.ask("POST", claim, {"mine": 2})
    assert (refused.status_code, refused.json()["type"]) == (403, "/problems/not-your-table")
    assert ann.ask("POST", claim, {"mine": 2}).status_code == 403
    assert bea.ask("POST", claim, {"mine": 2}).status_code == 403
    assert client.post(claim, json={"mine": 2}).status_code == 401
    assert ann.ask("GET", f"{path}/rounds/current/me").status_code == 403


def test_what_is_for_staff_is_for_nobody_else(ann: Desk, client: TestClient, path: str, phone: Phone) -> None:
    ann.post(f"{path}/notes", {"text": SECRET, "entry": 1})
    ann.post(f"{path}/calls", {"topic": SECRET, "table": 1})
    player = phone(1)
    for place in ("judging", "notes", "calls", "calls/all", "rounds/1/claims", "deck-checks", "penalties/1/effect"):
        assert player.ask("GET", f"{path}/{place}").status_code == 403, place
        assert client.get(f"{path}/{place}").status_code == 403, place
    assert player.ask("GET", f"{path}/entries/1/penalties/advice?infraction=x").status_code == 403


def test_a_player_sees_the_own_penalties_and_others_see_what_the_event_says(
    ann: Desk, client: TestClient, path: str, phone: Phone
) -> None:
    ann.post(f"{path}/penalties", {"entry": 1, "infraction": "slow-play", "level": "warning", "text": SECRET})
    ann.post(f"{path}/penalties", {"entry": 2, "infraction": SECRET, "level": "warning", "text": SECRET})
    ann.post(f"{path}/penalties", {"entry": 2, "infraction": "minor", "level": "warning"})
    ann.post(f"{path}/penalties/3/withdraw", {"reason": SECRET})
    place = f"{path}/penalties"
    [own] = phone(1).get(place)["penalties"]
    assert (own["text"], own["given_by"], own["why_withdrawn"]) == (SECRET, None, None)
    assert [one["withdrawn"] for one in phone(2).get(place)["penalties"]] == [False, True]
    assert phone(1).ask("GET", f"{place}?entry=2").status_code == 403
    assert (phone(3).get(place)["penalties"], client.get(place).status_code) == ([], 403)
    assert len(ann.get(place)["penalties"]) == 3
    ann.ask("PATCH", f"{path}/judging", {"penalties_public": True})
    public = client.get(place)
    lines = [(one["entry"], one["infraction"], one["level"]) for one in public.json()["penalties"]]
    assert lines == [(1, "Slow play", "warning"), (2, "", "warning")]
    assert SECRET not in public.text
    assert SECRET not in str([one for one in phone(1).get(place)["penalties"] if one["entry"] != 1])


def test_penalties_come_in_pages(ann: Desk, path: str) -> None:
    for _ in range(3):
        ann.post(f"{path}/penalties", {"entry": 1, "infraction": "minor", "level": "warning"})
    first = ann.get(f"{path}/penalties?limit=2")
    rest = ann.get(f"{path}/penalties?limit=2&after={first['next']}")
    assert [one["number"] for one in first["penalties"] + rest["penalties"]] == [1, 2, 3]
    assert rest["next"] is None


def test_the_event_file_names_penalties_for_staff_and_counts_them_for_others(
    ann: Desk, client: TestClient, path: str
) -> None:
    first, second = seats(ann, path)[0]
    for entry, level in ((first, "match loss"), (second, "warning")):
        body = {"entry": entry, "infraction": "bribery", "level": level, "text": SECRET}
        ann.post(f"{path}/penalties", body)
    ann.post(f"{path}/penalties/1/apply")
    ann.report(path, 1, 2)
    ann.post(f"{path}/rounds/close")
    ann.post(f"{path}/finish")
    of_staff, public = ann.get(f"{path}/export"), client.get(f"{path}/export")
    assert [one["kind"] for one in of_staff["penalties"]] == ["match loss"]
    assert of_staff["penalties"][0]["reason"] == SECRET
    assert "penalties" not in public.json()
    assert public.json()["event"]["note"] == "penalties: 1 warning, 1 match loss"
    assert SECRET not in public.text


def test_draws_of_deck_checks_are_public_once_the_event_is_over(ann: Desk, client: TestClient, path: str) -> None:
    drawn = ann.post(f"{path}/deck-checks/draw", {"tables": 1})["fact"]
    ann.post(f"{path}/deck-checks/1/start")
    ann.post(f"{path}/deck-checks/1/finish", {"problem": True, "text": SECRET})
    for table in (1, 2):
        ann.report(path, 1, table)
    ann.post(f"{path}/rounds/close")
    assert client.get(f"{path}/deck-checks").status_code == 403
    ann.post(f"{path}/finish")
    public = client.get(f"{path}/deck-checks")
    [draw] = public.json()["draws"]
    assert (draw["tables"], draw["without"]) == ([drawn["checks"][0]["table"]], [])
    assert SECRET not in public.text
    assert ann.get(f"{path}/deck-checks?round=1")["checks"][0]["text"] == SECRET


# --- the rest of the calls, once each


def test_a_judges_evening(ann: Desk, bea: Desk, path: str, phone: Phone) -> None:
    ann.post(f"{path}/staff", {"account": "bea", "role": "judge"})
    first, second = seats(ann, path)[0]
    call = phone(first).post(f"{path}/calls")["fact"]["call"]
    assert phone(first).get(f"{path}/rounds/current/me")["call"]["call"] == call
    assert phone(second).get(f"{path}/rounds/current/me")["call"] is None
    bea.post(f"{path}/calls/{call}/take")
    assert bea.get(f"{path}/calls")["calls"][0]["taken_by"] == "bea"
    bea.post(f"{path}/calls/{call}/release")
    bea.post(f"{path}/calls/{call}/close", {"ruling": "legal"})
    assert [one["ruling"] for one in bea.get(f"{path}/calls/all")["calls"]] == ["legal"]
    phone(second).post(f"{path}/calls")
    phone(second).post(f"{path}/calls/2/withdraw")
    advice = bea.get(f"{path}/entries/{first}/penalties/advice?infraction=Slow%20Play")
    assert (advice["nth"], advice["usual"]) == (1, "warning")
    bea.post(f"{path}/penalties", {"entry": first, "infraction": "tardiness", "level": "game loss"})
    assert bea.get(f"{path}/penalties/1/effect")["table"] is None
    answer = bea.ask("PATCH", f"{path}/penalties/1", {"level": "match loss", "reason": "ten minutes"})
    assert (answer.status_code, answer.json()["fact"]["level"]) == (200, "match loss")
    assert bea.get(f"{path}/penalties/1/effect")["table"]["after"]["second"] == 2
    bea.post(f"{path}/deck-checks", {"table": 2, "reason": "a look"})
    bea.post(f"{path}/deck-checks/1/call-off", {"reason": "no time"})
    note = bea.post(f"{path}/notes", {"text": "one"})["fact"]["note"]
    bea.ask("PUT", f"{path}/notes/{note}", {"text": "two", "revision": 1})
    [line] = bea.get(f"{path}/notes")["notes"]
    assert (line["text"], [one["text"] for one in line["history"]]) == ("two", ["one", "two"])
    named = {one["code"]: one["repeated"] for one in bea.get(f"{path}/infractions")["infractions"]}
    assert (named["slow-play"], named["game-rule"], named["cps-illegible"]) == (2, 3, None)
    claim = phone(first).post(f"{path}/rounds/1/tables/1/claim", {"ending": "concession", "conceded_by": "me"})
    assert phone(first).post(f"{path}/rounds/1/tables/1/claim/withdraw")["fact"]["claim"] == claim["sequence"]
    assert bea.ask("PATCH", f"{path}/judging", {"player_reports": False}).status_code == 403
    assert ann.get(path)["player_reports"] is True


@pytest.mark.parametrize(
    ("place", "body"),
    [
        ("rounds/1/tables/1/claim", {"ending": "concession"}),
        ("rounds/1/tables/1/claim", {"mine": 2, "first": 2}),
        ("rounds/1/claims/accept", {"claims": []}),
        ("penalties", {"entry": 1, "infraction": " ", "level": "warning"}),
        ("penalties", {"entry": 1, "infraction": "x", "level": "warning", "text": "a\u0000b"}),
        ("deck-checks/draw", {"tables": 0}),
        ("notes", {"text": "x", "reason": "\u0000"}),
    ],
)
def test_what_is_unreadable_is_422(ann: Desk, path: str, place: str, body: dict[str, Any]) -> None:
    assert ann.ask("POST", f"{path}/{place}", body).json()["type"] == "/problems/request-unreadable"


def test_every_document_of_the_api_has_a_name_of_its_own(client: TestClient) -> None:
    names = client.get("/openapi.json").json()["components"]["schemas"]
    assert [name for name in names if "__" in name.strip("_")] == []


# --- how often is asked


def questions(ann: Desk, client: TestClient, database: Database, players: int) -> dict[str, int]:
    """How many statements each request takes where every table disagrees, calls, is checked and is punished."""
    path = ann.event()
    event = path.removeprefix("/events/")
    ann.enter(path, *(f"p{n}" for n in range(players)))
    ann.start(path)
    for table, pair in enumerate(seats(ann, path), start=1):
        for player in pair:
            desk = Desk(client, accounts.entry_token(CODES, event, player, 1))
            desk.post(f"{path}/rounds/1/tables/{table}/claim", {"mine": 2})
            desk.post(f"{path}/calls")
        ann.post(f"{path}/deck-checks", {"table": table, "reason": "x"})
        ann.post(f"{path}/penalties", {"entry": pair[0], "infraction": "minor", "level": "warning"})
        ann.post(f"{path}/notes", {"text": "x", "entry": pair[0]})
    counts = {}
    for place in ("judging", "rounds/1/claims", "calls", "calls/all", "penalties", "notes", "deck-checks"):
        with counted(database) as asked:
            ann.get(f"{path}/{place}")
        counts[place] = len(asked)
    with counted(database) as asked:
        Desk(client, accounts.entry_token(CODES, event, 1, 1)).get(f"{path}/rounds/current/me")
    counts["me"] = len(asked)
    for table, (first, second) in enumerate(seats(ann, path), start=1):
        me = Desk(client, accounts.entry_token(CODES, event, second, 1))
        me.post(f"{path}/rounds/1/tables/{table}/claim/withdraw")
        claims = ann.get(f"{path}/rounds/1/claims")["tables"]
        assert first in {claim["player"] for one in claims for claim in one["claims"]}
    numbers = [one["claims"][0]["claim"] for one in claims]
    with counted(database) as asked:
        ann.post(f"{path}/rounds/1/claims/accept", {"claims": numbers})
    counts["accept"] = len([statement for statement in asked if statement.startswith("SELECT")])
    return counts


def test_no_question_is_asked_once_a_table(ann: Desk, client: TestClient, common: Database) -> None:
    few = questions(ann, client, common, 4)
    assert few == questions(ann, client, common, 12)
    assert few["judging"] <= 12
