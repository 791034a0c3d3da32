"""Many at once, and many players: nobody waits for ever, and no question is asked once a player."""

import http.client
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from tests.tournament.people import Desk, account
from tests.tournament.server import served
from tournament.database import Database

CONNECTIONS = 200


def test_two_hundred_connections_that_read_and_write_are_all_answered(
    url: str, database: Database, tmp_path: Path
) -> None:
    account("ann", database)
    database.close()
    with served(url, tmp_path) as server:
        path = f"/events/{json.loads(server.ask('POST', '/events', {'name': 'x'}, token='dp_ann')[1])['event']}"
        server.ask("POST", f"{path}/registration/open", token="dp_ann")
        open_at_once = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=60) for _ in range(CONNECTIONS)]

        def visit(number: int) -> list[int]:
            connection = open_at_once[number]
            headers = {"Authorization": "Bearer dp_ann", "Content-Type": "application/json"}
            said = []
            for method, place, body in (
                ("GET", path, None),
                ("POST", f"{path}/entries", json.dumps({"name": str(number)})),
                ("GET", f"{path}/nowhere", None),
                ("GET", f"{path}/entries", None),
            ):
                connection.request(method, place, body, headers)
                answer = connection.getresponse()
                answer.read()
                said.append(answer.status)
            connection.close()
            return said

        with ThreadPoolExecutor(CONNECTIONS) as pool:
            visits = list(pool.map(visit, range(CONNECTIONS)))
        assert visits == [[200, 201, 404, 200]] * CONNECTIONS
        assert server.json(path, "dp_ann")["version"] == CONNECTIONS + 2


@contextmanager
def counted(database: Database) -> Iterator[list[str]]:
    asked: list[str] = []

    def note(_: Any, __: Any, statement: str, *___: Any) -> None:
        asked.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


def questions(ann: Desk, database: Database, players: int) -> dict[str, int]:
    """How many statements each request takes in an event of that size."""
    path = ann.event()
    ann.enter(path, *(f"p{n}" for n in range(players)))
    ann.play(path, 1)
    counts = {}
    for method, place in (
        ("GET", "entries"),
        ("GET", "rounds/1"),
        ("GET", "standings"),
        ("GET", "export"),
        ("POST", "rounds"),
        ("POST", "rounds/publish"),
        ("GET", "log/check"),
    ):
        with counted(database) as asked:
            assert ann.ask(method, f"{path}/{place}").is_success
        counts[place] = len(asked)
    return counts


@pytest.mark.parametrize(("few", "many"), [(4, 16)])
def test_no_question_is_asked_once_a_player(ann: Desk, database: Database, few: int, many: int) -> None:
    assert questions(ann, database, few) == questions(ann, database, many)
