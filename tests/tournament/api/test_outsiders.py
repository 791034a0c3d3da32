"""What strangers and players are not told, whichever way they ask."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.tournament.people import Desk


@pytest.fixture
def url(sqlite: Path, tmp_path: Path) -> str:
    """What is asked here does not hang on the kind of database."""
    path = tmp_path / "deckproof.db"
    shutil.copy(sqlite, path)
    return f"sqlite:///{path}"


def player(ann: Desk, path: str, number: int) -> Desk:
    return Desk(ann.client, ann.get(f"{path}/entries/{number}/code")["token"])


def test_whoever_acts_on_an_old_version_is_told_what_others_did_if_it_is_staff(ann: Desk) -> None:
    path = ann.event()
    ann.enter(path, "a", "b")
    ann.post(f"{path}/notes", {"entry": 1, "text": "watch the shuffling"})

    def changes(who: Desk, way: str, body: Any) -> list[str]:
        answer = who.ask("POST", f"{path}/{way}", body, version=1, key="a key that nobody guesses")
        assert (answer.status_code, answer.json()["type"]) == (409, "/problems/stale-event")
        assert ("ann" in answer.text) == bool(answer.json()["changes"])
        return [change["name"] for change in answer.json()["changes"]]

    assert changes(ann, "entries", {"name": "c"})[0] == "note.write"
    assert changes(player(ann, path, 1), "entries/1/drop", {}) == []
    assert changes(Desk(ann.client, ""), "registrations", {"name": "c"}) == []


def test_a_command_id_that_was_guessed_does_not_tell_that_there_is_a_hidden_event(ann: Desk, bea: Desk) -> None:
    hidden = f"/events/{ann.post('/events', {'name': 'Hidden'})['event']}"
    assert ann.ask("PATCH", hidden, {"venue": "Library"}, key="1").status_code == 200
    told = [bea.ask("PATCH", path, {"venue": "Library"}, key="1") for path in (hidden, "/events/aaaaaaaaaaaa")]
    assert [answer.json()["type"] for answer in told] == ["/problems/event-not-found"] * 2


def test_an_etag_of_what_staff_or_a_player_saw_is_none_of_what_others_see(ann: Desk, client: TestClient) -> None:
    path = ann.event()
    ann.enter(path, "a", "b")
    ann.post(f"{path}/registration/close")
    ann.post(f"{path}/rounds")
    readers = [ann.token, player(ann, path, 1).token, player(ann, path, 2).token, None]
    signs = [{} if token is None else {"Authorization": f"Bearer {token}"} for token in readers]
    tags = [client.get(f"{path}/rounds", headers=sign).headers["etag"] for sign in signs]
    again = [
        [client.get(f"{path}/rounds", headers={**sign, "If-None-Match": tag}).status_code for tag in tags]
        for sign in signs
    ]
    assert again == [[304 if one == other else 200 for other in range(4)] for one in range(4)]
    headers = {**signs[0], "If-Match": tags[0]}
    assert client.post(f"{path}/rounds/publish", headers=headers).status_code == 200
    assert client.post(f"{path}/rounds/close", headers=headers).json()["type"] == "/problems/stale-event"
