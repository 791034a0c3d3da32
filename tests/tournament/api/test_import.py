"""An event goes from one installation to another: the same standings, the same log, and nothing forged unseen."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.tournament.conftest import signed_in
from tests.tournament.people import Desk
from tournament import store
from tournament.api.app import create_app
from tournament.database import Database, open_file
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role
from tournament.event_file import parse_event_file
from tournament.event_file.answers import judge_rounds
from tournament.service import audit, transfers
from tournament.service.chain import START, hash_of, row_of
from tournament.service.limits import RULES
from tournament.settings import Settings


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Database]:
    """Another installation, on SQLite, with an ann of its own."""
    database = open_file(tmp_path / "elsewhere.db")
    database.upgrade()
    yield database
    database.close()


@pytest.fixture
def far_ann(elsewhere: Database) -> Iterator[Desk]:
    with TestClient(create_app(Settings(), database=elsewhere), raise_server_exceptions=False) as client:
        yield signed_in("ann", elsewhere, client)


def played(desk: Desk) -> str:
    """Two rounds of five; somebody leaves, somebody comes late, somebody comes back, a result is corrected."""
    path = desk.event("Spring Open")
    desk.enter(path, "Ann", "Bob", "Çağ", "Dan", "Eve")
    desk.post(f"{path}/entries/2/drop")
    desk.play(path, 1)
    desk.post(f"{path}/entries/2/return")
    desk.enter(path, "Late")
    seats = desk.start(path)
    for seat in seats:
        desk.report(path, 2, seat["table"])
    answer = desk.ask(
        "PUT", f"{path}/rounds/2/tables/1/result", {"games": {"first": 1, "second": 2}, "reason": "read wrongly"}
    )
    assert answer.status_code == 200
    desk.post(f"{path}/rounds/close")
    desk.post(f"{path}/rounds")  # a draft goes along, and stays with the staff
    return path


@pytest.fixture(scope="module")
def file(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """That event with its log."""
    database = open_file(Path(shutil.copy(sqlite, tmp_path_factory.mktemp("origin") / "deckproof.db")))
    with TestClient(create_app(Settings(), database=database)) as client:
        ann = signed_in("ann", database, client)
        written = carried(ann, played(ann))
    database.close()
    return written


def carried(desk: Desk, path: str) -> bytes:
    answer = desk.ask("GET", f"{path}/export?log=true")
    assert answer.status_code == 200
    return answer.content


def brought(desk: Desk, file: bytes, key: str = "k", **said: str) -> Any:
    headers = {"Authorization": f"Bearer {desk.token}", "Idempotency-Key": key, "Content-Type": "application/json"}
    return desk.client.post("/events/import", content=file, headers=headers, params=said)


def test_an_event_goes_on_elsewhere_with_its_log_and_the_same_standings(
    database: Database, bea: Desk, far_ann: Desk
) -> None:
    path = played(far_ann)
    file = carried(far_ann, path)
    answer = brought(bea, file, origin="the shop", reason="moved")
    assert (answer.status_code, answer.headers["location"]) == (201, path)
    for part in ("/standings", "/entries", "/rounds", "/rounds/1", "/rounds/2", "/rounds/3"):
        assert bea.get(path + part) == far_ann.get(path + part)
    there, here = (desk.get(f"{path}/log")["receipts"] for desk in (far_ann, bea))
    assert here[:-1] == there
    adopted = here[-1]
    assert (adopted["name"], adopted["actor"], adopted["previous"]) == ("event.adopt", "bea", there[-1]["hash"])
    assert adopted["arguments"]["origin"] == "the shop"
    assert bea.get(f"{path}/log/check")["holds"]
    event = path.rpartition("/")[2]
    with database.reading() as session:
        assert audit.differences(session, event) == []
    bea.post(f"{path}/rounds/publish")  # and it goes on
    assert bea.get(path)["phase"] == "round"


def test_an_event_with_an_undone_command_goes_on_elsewhere(database: Database, bea: Desk, far_ann: Desk) -> None:
    path = played(far_ann)
    dropped = far_ann.post(f"{path}/entries/3/drop")["sequence"]
    far_ann.post(f"{path}/undo", {"sequence": dropped, "reason": "the wrong one"})
    file = carried(far_ann, path)
    assert transfers.faults_of(parse_event_file(file)) == []
    assert brought(bea, file).status_code == 201
    assert bea.get(f"{path}/entries") == far_ann.get(f"{path}/entries")
    with database.reading() as session:
        assert audit.differences(session, path.rpartition("/")[2]) == []


def test_an_account_of_the_same_name_elsewhere_gets_no_role(ann: Desk, bea: Desk, file: bytes) -> None:
    path = brought(bea, file).headers["location"]
    assert ann.ask("POST", f"{path}/rounds/publish").status_code == 403
    assert ann.ask("GET", f"{path}/log").status_code == 403


def test_a_file_that_is_brought_again_is_there_already(bea: Desk, ann: Desk, file: bytes) -> None:
    first = brought(bea, file)
    path = first.headers["location"]
    assert [brought(bea, file).content, brought(bea, file, "another").content] == [first.content] * 2
    bea.post(f"{path}/rounds/publish")
    assert brought(ann, file, "of ann").content == first.content
    assert len(bea.get(f"{path}/log")["receipts"]) == first.json()["sequence"] + 1


def test_where_it_was_played_nobody_takes_it_over_with_its_file(far_ann: Desk, elsewhere: Database) -> None:
    path = played(far_ann)
    eve = signed_in("eve", elsewhere, far_ann.client)
    answer = brought(eve, carried(far_ann, path))
    assert answer.json() == far_ann.get(f"{path}/log")["receipts"][-1]
    assert eve.ask("POST", f"{path}/rounds/publish").status_code == 403


def test_an_event_that_went_on_in_two_places_is_refused(bea: Desk, far_ann: Desk) -> None:
    path = played(far_ann)
    assert brought(bea, carried(far_ann, path)).status_code == 201
    far_ann.post(f"{path}/rounds/publish")
    answer = brought(bea, carried(far_ann, path), "another")
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/event-present")


def test_an_event_moves_on_and_comes_to_a_third_place(bea: Desk, far_ann: Desk, tmp_path: Path) -> None:
    path = played(far_ann)
    brought(bea, carried(far_ann, path))
    third = open_file(tmp_path / "third.db")
    third.upgrade()
    with TestClient(create_app(Settings(), database=third)) as client:
        cem = signed_in("cem", third, client)
        assert brought(cem, carried(bea, path), "of cem").status_code == 201
        assert cem.get(f"{path}/standings") == far_ann.get(f"{path}/standings")
        assert [one["name"] for one in cem.get(f"{path}/log")["receipts"][-2:]] == ["event.adopt"] * 2
    third.close()


def test_a_log_is_for_staff_and_at_the_end_for_everybody_with_seals_on_what_stays_theirs(
    bea: Desk, far_ann: Desk
) -> None:
    path, public = played(far_ann), far_ann.client
    far_ann.post(f"{path}/penalties", {"entry": 1, "infraction": "x", "level": "warning", "text": "secret"})
    assert public.get(f"{path}/export?log=true").status_code == 403
    looked_at = far_ann.ask("GET", f"{path}/export?log=true&sealed=true").content
    far_ann.post(f"{path}/finish")
    whole, published = carried(far_ann, path), public.get(f"{path}/export?log=true").content
    assert (b"secret" in whole, b"secret" in published, b"secret" in looked_at) == (True, False, False)
    assert far_ann.ask("GET", f"{path}/export?log=true&sealed=true").content == published
    log = json.loads(whole)["log"]
    [seal] = [one for one in json.loads(published)["log"] if one not in log]
    given = next(one for one in log if one["name"] == "penalty.give")
    assert {name: given[name] for name in ("sequence", "name", "previous", "hash")}.items() <= seal.items()
    assert transfers.faults_of(parse_event_file(published)) == []
    headers = {"Content-Type": "application/json"}
    token = {"Authorization": f"Bearer {bea.token}"}
    refused = bea.client.post("/events/import", content=published, headers={**token, **headers})
    assert (refused.status_code, refused.json()["type"]) == (422, "/problems/log-sealed")
    assert bea.client.post("/events/import", content=whole, headers=headers).status_code == 401


def test_the_log_of_an_event_is_downloaded_only_so_often_by_whom_nobody_knows(far_ann: Desk) -> None:
    path = played(far_ann)
    far_ann.post(f"{path}/finish")
    asked = [far_ann.client.get(f"{path}/export?log=true").status_code for _ in range(RULES["log"].burst + 1)]
    assert set(asked[:-1]) == {200}
    assert asked[-1] == 429
    assert far_ann.client.get(f"{path}/export").status_code == 200
    assert far_ann.ask("GET", f"{path}/export?log=true").status_code == 200


def test_somebody_who_came_back_is_absent_in_the_file_and_no_fault(file: bytes) -> None:
    event = parse_event_file(file)
    assert event.absent == {"2": (1,)}
    assert [judgement.faults for _, judgement in judge_rounds(event)] == [[], []]


# --- what is refused

Change = Callable[[dict[str, Any]], None]


def again(receipts: list[dict[str, Any]]) -> None:
    """Hash a log anew, as a forger would."""
    before = START
    for receipt in receipts:
        receipt["previous"] = before
        row = row_of(receipt)
        receipt["hash"] = before = hash_of(row)


def of(name: str, log: list[dict[str, Any]]) -> dict[str, Any]:
    return next(receipt for receipt in log if receipt["name"] == name)


def forged(name: str, **fact: Any) -> Change:
    """The first command of that name with another fact, and every hash to match."""

    def change(file: dict[str, Any]) -> None:
        of(name, file["log"])["fact"].update(fact)
        again(file["log"])

    return change


def tampered(file: dict[str, Any]) -> None:
    file["log"][4]["actor"] = "eve"


def shortened(file: dict[str, Any]) -> None:
    del file["log"][4]


def of_tomorrow(file: dict[str, Any]) -> None:
    file["log"][4]["name"] = "event.teleport"
    again(file["log"])


def without_beginning(file: dict[str, Any]) -> None:
    del file["log"][0]
    for number, receipt in enumerate(file["log"], start=1):
        receipt["sequence"] = number
    again(file["log"])


def begun_twice(file: dict[str, Any]) -> None:
    file["log"][1] = file["log"][0] | {"sequence": 2, "command": "another"}
    again(file["log"])


def undoing(fact: str) -> Change:
    """The last row but one becomes an undoing that says this."""

    def change(file: dict[str, Any]) -> None:
        file["log"][-2] |= {"name": "command.undo", "fact": json.loads(fact)}
        again(file["log"])

    change.__name__ = f"undoing {fact}"
    return change


def with_another_result(file: dict[str, Any]) -> None:
    table = next(table for table in file["rounds"][0]["tables"] if "games" in table)
    table["games"] = [1, 2, 0]


def with_another_name(file: dict[str, Any]) -> None:
    file["players"][0]["name"] = "Eve"


def of_no_phase(file: dict[str, Any]) -> None:
    file["log"][4]["phase"] = "lunch"


@pytest.mark.parametrize(
    ("change", "problem", "said"),
    [
        (tampered, "file-broken", "row 5 altered"),
        (shortened, "file-broken", "row 5 missing"),
        (of_tomorrow, "log-unreadable", "row 5 of the log cannot be read: there is no command 'event.teleport'"),
        (of_no_phase, "log-unreadable", "row 5 of the log cannot be read: phase"),
        (without_beginning, "log-unreadable", "row 1 of the log cannot be read: an event begins"),
        (begun_twice, "log-unreadable", "row 2 of the log cannot be read: an event begins"),
        (forged("result.report", table=99), "log-unreadable", "round 1 has no table 99"),
        (forged("entry.drop", entry=99), "log-unreadable", "nobody entered as number 99"),
        (forged("entry.drop", entry="x"), "log-unreadable", "cannot be carried out"),
        (forged("event.create", preset="nonsense"), "log-unreadable", "nonsense"),
        (forged("entry.add", entry=1 << 70), "log-unreadable", "cannot be carried out"),
        (undoing('{"sequence": 1}'), "log-unreadable", "it undoes row 1, which cannot be undone there"),
        (undoing('{"sequence": 999}'), "log-unreadable", "it undoes row 999, which cannot be undone there"),
        (undoing('{"sequence": "4"}'), "log-unreadable", "it undoes row '4', which cannot be undone there"),
        (undoing("{}"), "log-unreadable", "it does not say which command it undoes"),
        (with_another_result, "file-broken", "round 1, table 1: the file says"),
        (with_another_name, "file-broken", "player 1: the file says 'Eve', its log 'Ann'"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_file_that_does_not_hold_is_refused_with_its_place(
    far_ann: Desk, file: bytes, change: Change, problem: str, said: str
) -> None:
    document = json.loads(file)
    change(document)
    answer = brought(far_ann, json.dumps(document).encode())
    assert (answer.status_code, answer.json()["type"]) == (422, f"/problems/{problem}")
    assert said in answer.json()["detail"]
    assert far_ann.get("/events")["events"] == []


def test_what_no_database_can_hold_is_refused(bea: Desk, file: bytes) -> None:
    document = json.loads(file)
    of("entry.add", document["log"])["reason"] = "\x00"
    again(document["log"])
    answer = brought(bea, json.dumps(document).encode())
    assert answer.status_code == 422, answer.text
    assert "U+0000" in answer.json()["detail"]


# --- a file without a log


PLAIN: dict[str, Any] = {
    "version": 1,
    "event": {"name": "Friday", "game": "cps", "draw": "dice 6 2 5", "preset": "wer"},
    "players": [
        {"id": "ann", "name": "Ann"},
        {"id": "bob", "name": "Bob", "table": 3},
        {"id": "cat", "name": "Cat", "dropped_after": 1},
        {"id": "dan", "name": "Dan", "entered_in": 2},
    ],
    "rounds": [
        {"number": 1, "tables": [{"table": 3, "players": ["ann", "bob"], "games": [2, 1, 0]}, {"bye": "cat"}]},
        {"number": 2, "tables": [{"table": 3, "players": ["bob", "dan"]}, {"bye": "ann"}]},
    ],
}


def test_a_file_without_a_log_makes_a_new_event_that_goes_on_where_it_stood(database: Database, bea: Desk) -> None:
    receipt = brought(bea, json.dumps(PLAIN).encode()).json()
    path = f"/events/{receipt['event']}"
    assert (receipt["name"], receipt["phase"]) == ("event.import", "round")
    assert "content" not in receipt["arguments"]
    assert [entry["name"] for entry in bea.get(f"{path}/entries")["entries"]] == ["Ann", "Bob", "Cat", "Dan"]
    bea.report(path, 2, 3)
    bea.post(f"{path}/rounds/close")
    found = parse_event_file(bea.ask("GET", f"{path}/export").content)
    assert (found.draw, found.preset, len(found.rounds)) == ("dice 6 2 5", "wer", 2)
    assert found.players[1].table == 3
    assert [line["player"] for line in bea.get(f"{path}/standings")["standings"]][:2] == [1, 2]
    assert bea.get(f"{path}/log/check")["holds"]
    with database.reading() as session:
        assert store.roles_of(session, receipt["event"], "bea") == {Role.ORGANIZER}


def test_who_is_kept_apart_in_a_file_is_kept_apart_here(bea: Desk) -> None:
    about = PLAIN["event"] | {"apart": [["dan", "ann"], ["bob", "cat"]]}
    path = f"/events/{brought(bea, json.dumps(PLAIN | {'event': about}).encode()).json()['event']}"
    pairs = bea.get(f"{path}/apart")["pairs"]
    assert [(pair["one"], pair["other"]) for pair in pairs] == [(1, 4), (2, 3)]
    assert bea.get(f"{path}/log/check")["holds"]
    again = parse_event_file(bea.ask("GET", f"{path}/export").content)
    assert again.apart == (("1", "4"), ("2", "3"))


def test_an_export_without_its_log_keeps_numbers_and_standings(bea: Desk, far_ann: Desk) -> None:
    path = played(far_ann)
    far_ann.post(f"{path}/finish")
    file = far_ann.client.get(f"{path}/export").content
    receipt = brought(bea, file).json()
    assert receipt["event"] != path.rpartition("/")[2]
    assert bea.get(f"/events/{receipt['event']}/standings") == far_ann.get(f"{path}/standings")
    assert receipt["phase"] == Phase.BETWEEN_ROUNDS
    assert brought(bea, file).json() == receipt


def changed(**about: Any) -> bytes:
    return json.dumps(PLAIN | about).encode()


@pytest.mark.parametrize(
    ("plain", "status", "problem", "said"),
    [
        (b"{}", 422, "event-file-unreadable", "missing"),
        (b"", 422, "event-file-unreadable", "not JSON"),
        (
            changed(
                penalties=[{"kind": "game loss", "player": "bob", "round": 1, "infraction": "x", "reason": "y"}],
                event=PLAIN["event"] | {"name": "n" * 201},
            ),
            422,
            "not-carried",
            "a name of more than 200 characters; penalties",
        ),
        (
            changed(rounds=[{"number": 1, "tables": [{"table": 1, "players": ["ann", "bob"], "games": [4, 1, 0]}]}]),
            422,
            "result-refused",
            "round 1, table 1",
        ),
        (
            changed(
                rounds=[
                    {"number": 1, "tables": [{"table": 1, "players": ["ann", "bob"]}]},
                    {"number": 2, "tables": []},
                ]
            ),
            409,
            "results-missing",
            "table 1 of round 1",
        ),
    ],
    ids=["empty", "nothing", "several", "results", "open"],
)
def test_a_file_that_cannot_be_an_event_here_is_refused(
    far_ann: Desk, plain: bytes, status: int, problem: str, said: str
) -> None:
    answer = brought(far_ann, plain)
    assert (answer.status_code, answer.json()["type"]) == (status, f"/problems/{problem}"), answer.text
    assert said in answer.json()["detail"]
    assert far_ann.get("/events")["events"] == []


def test_matches_of_a_file_are_as_long_as_they_must_have_been(bea: Desk) -> None:
    rounds = [{"number": 1, "tables": [{"table": 1, "players": ["ann", "bob"], "games": [3, 1, 0]}]}]
    assert brought(bea, changed(rounds=rounds)).json()["fact"]["best_of"] == 5


def test_matches_of_a_file_are_as_long_as_it_says(bea: Desk) -> None:
    rounds = [{"number": 1, "tables": [{"table": 1, "players": ["ann", "bob"], "games": [2, 1, 0]}]}]
    said = changed(rounds=rounds, event=PLAIN["event"] | {"best_of": 5})
    assert brought(bea, said).json()["fact"]["best_of"] == 5
