"""The API does what its description says, whatever is asked: no fault of ours, and no answer that is not described.

Schemathesis makes up the requests, from the description and against it, the same in every run.
"""

import shutil
from collections import Counter
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.tournament.people import account
from tests.tournament.server import served
from tournament.database import open_file

CASES = 200
"""Requests as they should be, some 15 seconds; divided among the operations, however many they are."""
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
OF_ACCOUNTS = ("/tokens", "/account", "/session")
"""What is asked there may make the asker's token worthless, so each is asked by somebody else."""
ENDS = ("/finish", "/void")
"""What ends an event comes last."""
SMALL = ("number", "table")


@dataclass
class Asker:
    """Asks a server, and remembers what it answered."""

    base: str
    session: requests.Session = field(default_factory=requests.Session)
    events: list[str] = field(default_factory=list)
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)

    def post(self, path: str, body: object = None) -> Any:
        answer = self.session.post(self.base + path, json=body, headers={"Authorization": "Bearer dp_ann"}, timeout=30)
        assert answer.ok, answer.text
        return answer.json()

    def event(self, *, steps: int) -> None:
        """An event that is so far: announced, open, in its first round."""
        event = self.post("/events", {"name": "Spring Open"})["event"]
        self.events.append(event)
        for path in (["publish", "registration/open"], [], ["registration/close", "rounds", "rounds/publish"])[:steps]:
            for step in path:
                self.post(f"/events/{event}/{step}")
            for name in () if path else "abcd":
                self.post(f"/events/{event}/entries", {"name": name})


@pytest.mark.timeout(300)
def test_every_operation_answers_as_it_is_described(tmp_path: Path, sqlite: Path) -> None:
    shutil.copy(sqlite, tmp_path / "deckproof.db")
    database = open_file(tmp_path / "deckproof.db")
    for name in ("ann", *(f"other{number}" for number in range(100))):
        account(name, database)
    database.close()
    with served(f"sqlite:///{tmp_path}/deckproof.db", tmp_path, DECKPROOF_RATE_LIMITS="false") as server:
        asker = Asker(f"http://127.0.0.1:{server.port}")
        for steps in range(4):
            asker.event(steps=steps)
        described = requests.get(f"{asker.base}/openapi.json", timeout=30).json()
        operations = [one.ok() for one in schemathesis.openapi.from_dict(described).get_all_operations()]
        operations.sort(key=lambda operation: operation.path.endswith(ENDS))
        each = max(2, CASES // len(operations))
        for number, operation in enumerate(operations):
            token = f"dp_other{number}" if operation.path.startswith(OF_ACCOUNTS) else "dp_ann"
            ask(asker, operation, GenerationMode.POSITIVE, each, token)
            ask(asker, operation, GenerationMode.NEGATIVE, each // 2, token)
        assert "Traceback" not in (tmp_path / "server.log").read_text()
    obeyed = {label for label, status in asker.answers if status < 300}
    assert len(obeyed) > len(operations) / 3, "most were never obeyed, so their answers were not looked at"


def ask(asker: Asker, operation: Any, mode: GenerationMode, times: int, token: str) -> None:
    """Ask for an operation so many times; as it should be asked, by turns of events that are so and so far."""
    strategy = operation.as_strategy(generation_mode=mode)
    turns = cycle(asker.events)

    @settings(
        max_examples=times,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(strategy)
    def once(case: Any) -> None:
        if mode is GenerationMode.POSITIVE:
            known = {"event": next(turns)} | dict.fromkeys(SMALL, 1)
            case.path_parameters = {name: known.get(name, value) for name, value in case.path_parameters.items()}
            case.headers.pop("If-Match", None)  # any text, and ours are numbers
        case.cookies = {}
        answer = case.call(base_url=asker.base, session=asker.session, headers={"Authorization": f"Bearer {token}"})
        asker.answers[operation.label, answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)

    try:
        once()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE  # an operation without parameters cannot be asked wrongly
