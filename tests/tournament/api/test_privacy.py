"""What is held about a player over HTTP: who gets the file, who erases, and what everybody sees afterwards."""

import pytest
from fastapi.testclient import TestClient

from tests.tournament.people import Desk
from tournament.event_file import parse_event_file
from tournament.service import transfers

WORDS = "asked the same thing three times"


@pytest.fixture
def path(ann: Desk, bea: Desk) -> str:
    """Two players who played, a note on the first, and bea who judges."""
    path = ann.event()
    ann.enter(path, "Ann Example", "Bob Example")
    ann.post(f"{path}/staff", {"account": "bea", "role": "judge"})
    ann.play(path, 1)
    bea.post(f"{path}/notes", {"text": WORDS, "entry": 1})
    return path


def player(ann: Desk, client: TestClient, path: str, number: int) -> Desk:
    return Desk(client, ann.get(f"{path}/entries/{number}/code")["token"])


def test_the_player_gets_all_but_what_is_for_staff_and_the_organizer_gets_all(
    ann: Desk, bea: Desk, client: TestClient, path: str
) -> None:
    own, other = (player(ann, client, path, number) for number in (1, 2))
    answer = own.ask("GET", f"{path}/entries/1/held")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert (answer.json()["withheld"], WORDS in answer.text) == (1, False)
    whole = ann.get(f"{path}/entries/1/held")
    assert (whole["withheld"], [words["text"] for words in whole["words"]]) == (0, ["Ann Example", WORDS])
    assert [seat["round"] for seat in whole["rounds"]] == [1]
    for somebody in (other, bea):
        assert somebody.ask("GET", f"{path}/entries/1/held").status_code == 403
    assert client.get(f"{path}/entries/1/held").status_code == 403


def test_only_an_organizer_looks_and_erases_and_only_when_it_is_over(
    ann: Desk, bea: Desk, client: TestClient, path: str
) -> None:
    own, why = player(ann, client, path, 1), {"reason": "asked for it"}
    for somebody in (own, bea):
        assert somebody.ask("GET", f"{path}/entries/1/erasure").status_code == 403
        assert somebody.ask("POST", f"{path}/entries/1/erase", why).status_code == 403
        assert somebody.ask("POST", f"{path}/erase", why).status_code == 403
    assert ann.get(f"{path}/entries/1/erasure")["too_early"] == [1]
    answer = ann.ask("POST", f"{path}/entries/1/erase", why)
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/erasure-too-early")


def test_an_erased_player_is_a_number_for_everybody_and_the_exported_file_holds(
    ann: Desk, client: TestClient, path: str
) -> None:
    own = player(ann, client, path, 1)
    ann.post(f"{path}/finish")
    before = client.get(f"{path}/standings")
    looked = ann.get(f"{path}/erasure")
    assert (looked["entries"], looked["words"], looked["notes"]) == ([1, 2], 3, [1])
    ann.post(f"{path}/entries/1/erase", {"reason": "asked for it"})
    entry = client.get(f"{path}/entries/1").json()
    assert (entry["name"], entry["erased"]) == ("player 1", True)
    assert client.get(f"{path}/standings").json() == before.json()
    assert ann.get(f"{path}/notes")["notes"][0]["text"] == "(erased)"
    assert own.ask("GET", f"{path}/entries/me").status_code == 401
    assert ann.get(f"{path}/log/check")["holds"]
    for query in ("?log=true", "?log=true&sealed=true", ""):
        file = ann.ask("GET", f"{path}/export{query}").content
        assert b"Ann Example" not in file
        assert b"Bob Example" in file
        assert not parse_event_file(file).log or transfers.faults_of(parse_event_file(file)) == []
    again = ann.ask("POST", f"{path}/entries/1/erase", {"reason": "once more"})
    assert (again.status_code, again.json()["name"]) == (200, "entry.erase")
