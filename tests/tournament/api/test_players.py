"""A player with the code of an entry acts as that entry, and nowhere else."""

import pytest
from fastapi.testclient import TestClient

from tests.tournament.people import Desk
from tournament.service import accounts
from tournament.service.codes import Codes
from tournament.settings import Settings

CODES = Codes(Settings().secret.get_secret_value())


def test_a_player_sees_an_event_that_is_not_published(client: TestClient, ann: Desk) -> None:
    path = f"/events/{ann.post('/events', {'name': 'Secret'})['event']}"
    ann.post(f"{path}/registration/open")
    [number] = ann.enter(path, "Cat")
    cat = Desk(client, accounts.entry_token(CODES, path.removeprefix("/events/"), number, 1))
    assert cat.get(path)["name"] == "Secret"
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("wrong", ["event", "number", "code", "generation", "digits", "nothing"])
def test_a_wrong_code_is_worth_nothing(client: TestClient, ann: Desk, wrong: str) -> None:
    path, other = ann.event(), ann.event("Other").removeprefix("/events/")
    ann.enter(path, "Cat", "Dan")
    event = path.removeprefix("/events/")
    token = {
        "event": accounts.entry_token(CODES, other, 1, 1),
        "number": accounts.entry_token(CODES, event, 1, 1).replace("_1_", "_2_"),
        "code": accounts.entry_token(CODES, event, 1, 1)[:-1],
        "generation": accounts.entry_token(CODES, event, 1, 2),
        "digits": accounts.entry_token(CODES, event, 1, 1).replace("_1_", f"_{'1' * 30}_"),
        "nothing": "dpe_",
    }[wrong]
    answer = Desk(client, token).ask("GET", path)
    assert (answer.status_code, answer.json()["type"]) == (401, "/problems/sign-in-needed")


def test_a_player_may_not_do_what_staff_do(client: TestClient, ann: Desk) -> None:
    path = ann.event()
    ann.enter(path, "Cat")
    cat = Desk(client, accounts.entry_token(CODES, path.removeprefix("/events/"), 1, 1))
    assert cat.ask("POST", f"{path}/entries", {"name": "Dan"}).status_code == 403
    assert cat.ask("GET", f"{path}/log").status_code == 403
    assert cat.ask("POST", "/events", {"name": "Mine"}).status_code == 401
    assert ann.ask("POST", f"{path}/staff", {"account": "ann", "role": "player"}).status_code == 422
