"""The people of an event, who ask its server over HTTP and nothing else."""

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.tournament.people import account
from tests.tournament.server import Server, served
from tournament.database import Database


@dataclass
class Person:
    """Somebody with a connection that is kept alive, and a token or none."""

    connection: http.client.HTTPConnection
    token: str = ""
    path: str = ""

    def ask(self, method: str, place: str, body: object = None, *, key: str | None = None) -> tuple[int, Any]:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key or str(uuid4())}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        said = None if body is None else json.dumps(body)
        for attempt in range(2):
            try:
                self.connection.request(method, f"{self.path}{place}", said, headers)
                answer = self.connection.getresponse()
                content = answer.read()
            except (OSError, http.client.HTTPException):  # kept alive for too long; the key makes it the same command
                self.connection.close()
                if attempt:
                    raise
            else:
                return answer.status, json.loads(content) if content else None
        raise AssertionError

    def get(self, place: str) -> Any:
        status, document = self.ask("GET", place)
        assert status == 200, document
        return document

    def do(self, place: str, body: object = None, *, method: str = "POST", key: str | None = None) -> Any:
        status, document = self.ask(method, place, body, key=key)
        assert status in {200, 201}, (place, body, document)
        return document


@dataclass
class Day:
    """The people of the event."""

    server: Server
    codes: dict[int, str] = field(default_factory=dict)
    """Tokens of the players, by number."""
    path: str = ""
    people: list[Person] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ann, self.bob, self.cat = (self.person(f"dp_{name}") for name in ("ann", "bob", "cat"))
        self.anybody = self.person()

    def person(self, token: str = "", *, place: int = 1) -> Person:
        """Somebody who asks from one of many addresses."""
        source = (f"127.0.0.{place}", 0)
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60, source_address=source)
        self.people.append(Person(connection, token, self.path))
        return self.people[-1]

    def player(self, number: int, *, place: int = 1) -> Person:
        return self.person(self.codes[number], place=place)


@contextmanager
def opened(url: str, database: Database, folder: Path, **settings: str) -> Iterator[Day]:
    for name in ("ann", "bob", "cat"):
        account(name, database)
    database.close()
    with served(url, folder, **settings) as server:
        day = Day(server)
        try:
            yield day
        finally:
            for person in day.people:
                person.connection.close()


def games(first: int, second: int, drawn: int = 0, ending: str = "played") -> dict[str, object]:
    return {"games": {"first": first, "second": second, "drawn": drawn, "ending": ending}}
