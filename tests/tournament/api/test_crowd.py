"""What many visitors ask for at once is answered without a route, and is never what it was before."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import pytest
from fastapi.testclient import TestClient

from tests.tournament.people import Desk
from tournament.api.shelf import Finder
from tournament.database import Database
from tournament.errors import DatabaseUnavailable


class Routed(Exception):
    """A route was asked."""


@pytest.fixture
def path(ann: Desk, client: TestClient) -> str:
    """An event after a round, whose standings somebody has looked at."""
    path = ann.event()
    ann.enter(path, *"abcd")
    ann.play(path, 1)
    for place in ("standings", "rounds", "rounds/1", "standings?after=1"):
        assert client.get(f"{path}/{place}").status_code == 200
    return path


@contextmanager
def no_routes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def handle(*_: object) -> NoReturn:
        raise Routed

    with monkeypatch.context() as patched:
        patched.setattr(Finder, "handle", handle)
        yield


@pytest.mark.parametrize("place", ["standings", "rounds", "rounds/1", "standings?after=1"])
def test_what_a_visitor_was_answered_the_next_one_gets_without_a_route(
    client: TestClient, path: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get(f"{path}/{place}")
    with no_routes(monkeypatch):
        again = client.get(f"{path}/{place}")
        known = client.get(f"{path}/{place}", headers={"If-None-Match": first.headers["etag"]})
        plain = client.get(f"{path}/{place}", headers={"Accept-Encoding": "identity"})
        head = client.head(f"{path}/{place}")
    same = {"etag", "cache-control", "vary", "content-type", "content-length", "content-encoding"}
    assert (again.status_code, again.content) == (200, first.content)
    assert {name: again.headers.get(name) for name in same} == {name: first.headers.get(name) for name in same}
    assert (known.status_code, known.content) == (304, b"")
    assert plain.content == first.content
    assert (head.status_code, head.content) == (200, b"")


def test_whoever_shows_something_is_answered_by_the_route(
    ann: Desk, client: TestClient, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with no_routes(monkeypatch):
        for headers in ({"Authorization": f"Bearer {ann.token}"}, {"Cookie": "deckproof=x"}):
            assert client.get(f"{path}/standings", headers=headers).status_code == 500
        assert client.get(f"{path}/standings?unknown=1").status_code == 500
        assert client.get(f"{path}/entries").status_code == 500


def test_after_a_command_everybody_sees_what_is_so_now(ann: Desk, client: TestClient, path: str) -> None:
    before = client.get(f"{path}/rounds")
    ann.post(f"{path}/rounds")
    ann.post(f"{path}/rounds/publish")
    after = client.get(f"{path}/rounds")
    assert [len(answer.json()["rounds"]) for answer in (before, after)] == [1, 2]
    assert before.headers["etag"] != after.headers["etag"]
    assert client.get(f"{path}/rounds", headers={"If-None-Match": before.headers["etag"]}).status_code == 200


def test_what_visitors_may_see_no_more_is_not_there(ann: Desk, client: TestClient) -> None:
    path = ann.event()
    assert [client.get(path).status_code for _ in range(2)] == [200, 200]
    ann.post(f"{path}/unpublish")
    assert client.get(path).json()["type"] == "/problems/event-not-found"


def test_a_database_that_is_gone_is_told_as_everywhere(
    client: TestClient, path: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> NoReturn:
        raise DatabaseUnavailable("gone")

    monkeypatch.setattr(Database, "looking", gone)
    assert client.get(f"{path}/standings").status_code == 200  # by the route
    monkeypatch.setattr(Database, "reading", gone)
    assert client.get(f"{path}/standings").status_code == 503
