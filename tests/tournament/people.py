"""People at an event, as the API sees them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from fastapi.testclient import TestClient
from httpx2 import Response

from tournament.database import Database
from tournament.service import accounts
from tournament.tables import AccountRow, TokenRow


@dataclass
class Desk:
    """Somebody with a token."""

    client: TestClient
    token: str

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        key: str | None = None,
        version: int | None = None,
    ) -> Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        if key is not None:
            headers["Idempotency-Key"] = key
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return self.client.request(method, path, json=body, headers=headers)

    def get(self, path: str) -> Any:
        answer = self.ask("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: object = None) -> Any:
        answer = self.ask("POST", path, body)
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()

    def event(self, name: str = "Spring Open", **announced: object) -> str:
        """A published event with open registration; its path."""
        path = f"/events/{self.post('/events', {'name': name, **announced})['event']}"
        self.post(f"{path}/publish")
        self.post(f"{path}/registration/open")
        return path

    def enter(self, path: str, *names: str) -> list[int]:
        return [self.post(f"{path}/entries", {"name": name})["fact"]["entry"] for name in names]

    def start(self, path: str) -> list[dict[str, Any]]:
        """Close registration if it is open, pair and publish, more than was announced if need be; the seats."""
        if self.get(path)["phase"] == "registration":
            self.post(f"{path}/registration/close")
        paired = self.post(f"{path}/rounds", {"even_so": True})["fact"]
        self.post(f"{path}/rounds/publish")
        return list(self.get(f"{path}/rounds/{paired['round']}")["seats"])

    def report(self, path: str, number: int, table: int, first: int = 2, second: int = 0) -> Any:
        return self.post(f"{path}/rounds/{number}/tables/{table}/result", games(first, second))

    def play(self, path: str, number: int) -> None:
        """The first player wins every table."""
        for seat in self.start(path):
            if seat["table"] is not None:
                self.report(path, number, seat["table"])
        self.post(f"{path}/rounds/close")


def games(first: int, second: int, drawn: int = 0) -> dict[str, object]:
    return {"games": {"first": first, "second": second, "drawn": drawn}}


def account(name: str, database: Database, *, hashed: str = "-") -> str:
    """An account without the half second that a password takes; its token. hashed: its password."""
    token, now = f"dp_{name}", datetime.now(UTC).isoformat()
    with database.writing() as session:
        session.add(AccountRow(name=name, password=hashed, created_at=now))
        session.flush()
        session.add(TokenRow(digest=accounts.digest_of(token), account=name, label="test", created_at=now))
    return token
