"""Everything that is not an answer is a problem document. Source: RFC 9457."""

import pytest
from fastapi.testclient import TestClient

from games.errors import GameError
from tests.tournament.people import Desk
from tournament.api import problems
from tournament.database import Database
from tournament.domain.errors import TournamentError
from verifier.errors import ChainError, VerifierError

FIELDS = {"type", "title", "detail", "status"}


def leaves(root: type[Exception]) -> list[type[Exception]]:
    below = root.__subclasses__()
    return [root] if not below else [leaf for kind in below for leaf in leaves(kind)]


LEAVES = [leaf for root in (TournamentError, GameError, VerifierError) for leaf in leaves(root)]


def expected_status(leaf: type[Exception]) -> set[int]:
    """By hand, from the names: what is not found, not readable, not reachable."""
    name = leaf.__name__
    by_name = {
        503: issubclass(leaf, ChainError)
        or name.endswith("Unavailable")
        or name
        in {"SchemaMismatch", "EndpointsMissing", "ControlUndetermined", "HostsUnnamed", "ChainBusy", "ClockBehind"},
        404: name.endswith(("NotFound", "NotStaff")) or name in {"MatchUnknown", "RoundMissing", "WalletUnknown"},
        401: name.startswith("SignIn") or name in {"SecondFactorNeeded", "SecondFactorWrong", "EntryCodeWrong"},
        403: name.startswith("NotYour") or name in {"AccountDisabled", "ScopeMissing", "CrossSite"},
        405: name == "MethodNotAllowed",
        408: name == "BodyTooSlow",
        413: name == "BodyTooLarge",
        415: name == "MediaTypeUnknown",
        421: name == "HostUnknown",
        429: name == "TooManyRequests",
        500: name in {"LogBroken", "SecretMissing", "SettingsUnreadable", "DriverMissing"},
        422: issubclass(leaf, VerifierError | GameError) or name.endswith("Unreadable"),
    }
    return {next((status for status, fits in by_name.items() if fits), 409)} | (
        set() if any(by_name.values()) else {422}
    )


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.__name__)
def test_every_refusal_has_the_status_of_its_kind(leaf: type[Exception]) -> None:
    assert problems.status_of(leaf.__new__(leaf)) in expected_status(leaf)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/events/nowhere", 404),
        ("DELETE", "/events", 405),
        ("POST", "/events", 422),
        ("GET", "/events?limit=none", 422),
        ("GET", "/events?before=x", 422),
        ("DELETE", "/tokens/current", 401),
        ("POST", "/events/nowhere/publish", 401),
    ],
)
def test_whatever_goes_wrong_is_a_problem_document(client: TestClient, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json().keys() >= FIELDS
    assert answer.json()["status"] == status


def test_every_fault_of_a_request_is_named_with_its_place(ann: Desk) -> None:
    refused = ann.ask("POST", "/events", {"name": "", "rounds": 0, "colour": "red", "preset": "none"})
    places = {fault["at"] for fault in refused.json()["faults"]}
    assert places == {"body/name", "body/rounds", "body/colour", "body/preset"}


def test_a_body_that_is_no_json_is_unreadable(ann: Desk) -> None:
    headers = {"Authorization": f"Bearer {ann.token}", "Content-Type": "application/json"}
    for body in (b"{", b"\xff", b'{"name": "\\ud800"}', b'{"name": "a\\u0000"}'):
        assert ann.client.post("/events", content=body, headers=headers).status_code == 422


def test_numbers_that_no_database_holds_are_unreadable(ann: Desk) -> None:
    path = ann.event()
    for place in ("entries/99999999999999999999", "rounds/99999999999", "entries?after=99999999999"):
        assert ann.ask("GET", f"{path}/{place}").status_code == 422


def test_a_bug_is_500_and_says_nothing_of_itself(client: TestClient, database: Database) -> None:
    client.app.state.database = None  # type: ignore[attr-defined]
    answer = client.get("/health")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert "NoneType" not in answer.text


def test_the_api_describes_itself_with_examples_and_every_refusal(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            assert {"401", "404", "409", "422", "503"} <= operation["responses"].keys(), (path, method)
            assert operation["description"]
    assert described["components"]["schemas"]["Create"]["properties"]["name"]["examples"] == ["Spring Open"]
