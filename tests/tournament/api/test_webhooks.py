"""Webhooks over HTTP: for organizers only, and a secret that is told once."""

import json

import pytest
from fastapi.testclient import TestClient

from tests.tournament.people import Desk

ASKED = {"url": "https://hooks.example.org/very/secret", "topics": ["result", "round.published"]}


@pytest.fixture
def path(ann: Desk) -> str:
    return ann.event()


def test_the_secret_is_in_the_answer_and_in_no_other(ann: Desk, path: str) -> None:
    answer = ann.ask("POST", f"{path}/webhooks", ASKED, key="k1")
    made = answer.json()
    assert (answer.status_code, answer.headers["etag"]) == (201, f'"{made["receipt"]["sequence"]}"')
    assert made["receipt"]["fact"]["topics"] == ["round.published", "result"]
    assert ann.ask("POST", f"{path}/webhooks", ASKED, key="k1").content == answer.content
    rotated = ann.post(f"{path}/webhooks/1/rotate", {"reason": "it leaked"})
    assert rotated["secret"] != made["secret"]
    assert rotated["receipt"]["reason"] == "it leaked"
    said = json.dumps(
        [ann.get(f"{path}{place}") for place in ("/webhooks", "/webhooks/1/deliveries", "/log", "/export")]
    )
    assert "whsec_" not in said
    assert ann.get(f"{path}/log/check")["holds"]


def test_an_organizer_sees_how_a_webhook_fares(ann: Desk, path: str) -> None:
    ann.post(f"{path}/webhooks", ASKED)
    (webhook,) = ann.get(f"{path}/webhooks")["webhooks"]
    assert (webhook["number"], webhook["url"], webhook["disabled_at"]) == (1, ASKED["url"], None)
    ping = ann.ask("POST", f"{path}/webhooks/1/ping")
    assert (ping.status_code, ping.json()["topic"], ping.json()["state"]) == (202, "ping", "waiting")
    assert ann.get(f"{path}/webhooks/1/deliveries")["deliveries"] == [ping.json()]
    assert ann.get(f"{path}/webhooks/1/deliveries?state=dead")["deliveries"] == []
    again = ann.ask("POST", f"{path}/webhooks/1/deliveries/{ping.json()['id']}/redeliver")
    assert (again.status_code, again.json()["id"]) == (202, ping.json()["id"])
    assert ann.post(f"{path}/webhooks/1/resume")["next_at"] is not None
    ann.post(f"{path}/webhooks/1/remove")
    assert ann.get(f"{path}/webhooks") == {"webhooks": []}
    for method, place in (("GET", "deliveries"), ("POST", "ping"), ("POST", "rotate"), ("POST", "resume")):
        refused = ann.ask(method, f"{path}/webhooks/1/{place}")
        assert (refused.status_code, refused.json()["type"]) == (404, "/problems/webhook-not-found")


def test_nobody_but_an_organizer_has_anything_to_do_with_webhooks(
    ann: Desk, bea: Desk, client: TestClient, path: str
) -> None:
    ann.post(f"{path}/webhooks", ASKED)
    ann.post(f"{path}/staff", {"account": "bea", "role": "scorekeeper"})
    for method, place in (
        ("GET", ""), ("POST", ""), ("POST", "/1/ping"), ("POST", "/1/rotate"), ("POST", "/1/remove"),
        ("POST", "/1/resume"), ("GET", "/1/deliveries"), ("POST", "/1/deliveries/x/redeliver"),
    ):  # fmt: skip
        body = ASKED if (method, place) == ("POST", "") else None
        assert bea.ask(method, f"{path}/webhooks{place}", body).status_code == 403
        assert client.request(method, f"{path}/webhooks{place}", json=body).status_code == 401


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        (ASKED | {"url": "https://127.0.0.1/"}, "webhook-url-unreadable"),
        (ASKED | {"topics": []}, "request-unreadable"),
        (ASKED | {"topics": ["draft"]}, "request-unreadable"),
        (ASKED | {"place": "x"}, "request-unreadable"),
    ],
)
def test_what_webhooks_cannot_be_is_refused(ann: Desk, path: str, asked: dict[str, object], slug: str) -> None:
    refused = ann.ask("POST", f"{path}/webhooks", asked)
    assert (refused.status_code, refused.json()["type"]) == (422, f"/problems/{slug}")


def test_health_tells_what_waits(ann: Desk, client: TestClient, path: str) -> None:
    assert client.get("/health/live").json()["status"] == "ok"
    before = client.get("/health/ready").json()
    assert before["webhooks"] == {"waiting": 0, "dead": 0, "oldest": None}
    ann.post(f"{path}/webhooks", ASKED)
    assert ann.ask("POST", f"{path}/webhooks/1/ping").status_code == 202
    after = client.get("/health").json()
    assert (after["webhooks"]["waiting"], after["streams"]) == (1, 0)
    assert after["webhooks"]["oldest"]
    assert after["shape"] == before["shape"] != ""
