"""The edge: what is refused before a route sees it, and what every answer has."""

import asyncio
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from starlette.types import Message, Receive, Scope, Send

from tests.tournament.people import Desk, account
from tournament.api.app import create_app
from tournament.api.edge import bodies
from tournament.api.edge.bodies import Bodies
from tournament.api.edge.heads import CAREFUL
from tournament.api.edge.origins import Origins, name_of, network_of
from tournament.database import Database
from tournament.settings import Settings

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def ann(visitor: TestClient, embedded: Database) -> Desk:
    return Desk(visitor, account("ann", embedded))


def told(answer: Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["type"].removeprefix("/problems/")


# --- bodies: what they say

CRASH = """
import sys
from pathlib import Path
from fastapi.testclient import TestClient
from tournament.api.app import create_app
from tournament.database import open_file
from tournament.settings import Settings

sys.setrecursionlimit(100_000)  # as py_ecc does, which comes with web3.py
database = open_file(Path(sys.argv[1]))
with TestClient(create_app(Settings(), database=database)) as client:
    for body in (b"[" * 200_000, b'{"a":' * 40_000, b'{"password":"","x":' + b"[" * 90_000 + b"]" * 90_000 + b"}"):
        answer = client.post("/tokens", content=body, headers={"Content-Type": "application/json"})
        print(answer.status_code, answer.json()["detail"])
"""


def test_brackets_without_end_do_not_end_the_process(embedded: Database) -> None:
    command = [sys.executable, "-c", CRASH, str(embedded.engine.url.database)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "422 body: is nested over 100 deep\n" * 3


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"name": "a", "name": "b"}', "name"),
        (b'{"name": "a", "x": {"y": 1, "y": 2}}', "y"),
        (b'{"name": NaN}', "NaN"),
        (b'{"name": -Infinity}', "-Infinity"),
        (b'{"name": "a"', "line 1, column 13"),
        (b"", None),
        (b"\xef\xbb\xbf{}", "BOM"),
        ('{"name": "a"}'.encode("utf-16"), "UTF-8"),
        (b'{"name": "\xff"}', "UTF-8"),
        (b'{"name": "a\\u0000"}', "body/name: has U+0000"),
        (b'{"\\u0000": "a"}', "U+0000"),
        (b'{"name": "\\ud800"}', "half a character"),
        (b'{"capacity": ' + b"9" * 5000 + b"}", "digits"),
    ],
)
def test_json_that_is_read_in_two_ways_is_not_read(ann: Desk, body: bytes, said: str | None) -> None:
    headers = JSON | {"Authorization": f"Bearer {ann.token}"}
    answer = ann.client.post("/events", content=body, headers=headers)
    assert told(answer) == (422, "request-unreadable")
    assert said is None or said in answer.json()["detail"]


@pytest.mark.parametrize("body", [b'{"name": "\\ud83c\\udccf"}', b'{"name": "\\\\u0000"}', b'  {"name":\n"[[{{"} '])
def test_json_that_only_looks_so_is_read(ann: Desk, body: bytes) -> None:
    headers = JSON | {"Authorization": f"Bearer {ann.token}"}
    assert ann.client.post("/events", content=body, headers=headers).status_code == 201


@pytest.mark.parametrize(
    ("headers", "is_taken"),
    [
        ({"Content-Type": "application/json"}, True),
        ({"Content-Type": "Application/JSON; charset=UTF-8"}, True),
        ({"Content-Type": "application/json; charset=latin-1"}, False),
        ({"Content-Type": "text/plain"}, False),
        ({"Content-Type": "application/x-www-form-urlencoded"}, False),
        ({"Content-Type": "multipart/form-data; boundary=x"}, False),
        ({"Content-Type": "application/problem+json"}, False),
        ({}, False),
        ({"Content-Type": "application/json", "Content-Encoding": "gzip"}, False),
    ],
)
def test_a_body_is_json_and_says_so(ann: Desk, headers: dict[str, str], is_taken: bool) -> None:  # noqa: FBT001
    asked = headers | {"Authorization": f"Bearer {ann.token}"}
    answer = ann.client.post("/events", content=b'{"name": "a"}', headers=asked)
    if is_taken:
        assert answer.status_code == 201
    else:
        assert told(answer) == (415, "media-type-unknown")
        assert answer.json()["takes"] == ["application/json"]


def test_a_command_without_a_body_needs_no_type(ann: Desk) -> None:
    path = f"/events/{ann.post('/events', {'name': 'x'})['event']}"
    assert ann.ask("POST", f"{path}/publish").status_code == 200


# --- bodies: how long, how slow


def in_parts(size: int) -> Iterator[bytes]:
    yield b'{"name": "'
    for _ in range(size // 1000):
        yield b"a" * 1000
    yield b'"}'


def test_a_body_that_is_too_long_is_refused_whether_it_says_so_or_not(ann: Desk) -> None:
    headers = JSON | {"Authorization": f"Bearer {ann.token}"}
    for content in (b" " * (bodies.MOST + 1), in_parts(bodies.MOST + 2000)):
        answer = ann.client.post("/events", content=content, headers=headers)
        assert told(answer) == (413, "body-too-large")
        assert (answer.json()["most"], answer.headers["connection"]) == (bodies.MOST, "close")
    for most in (b" " * (bodies.MOST - 13) + b'{"name": "a"}', in_parts(bodies.MOST - 2000)):
        assert ann.client.post("/events", content=most, headers=headers).status_code in {201, 422}


def test_a_long_body_is_for_imports_and_for_somebody_we_may_know(ann: Desk) -> None:
    long = b" " * (bodies.MOST + 1) + b"{}"
    known = JSON | {"Authorization": f"Bearer {ann.token}"}
    for path in ("/events/import", "/events/k3v7/entries/import"):
        assert told(ann.client.post(path, content=long, headers=JSON)) == (413, "body-too-large")
        assert ann.client.post(path, content=long, headers=known).status_code != 413
    csv = known | {"Content-Type": "text/csv"}
    assert ann.client.post(path, content=b"name\nAnn", headers=csv).status_code != 415
    assert told(ann.client.post("/events/import", content=b"name\nAnn", headers=csv)) == (415, "media-type-unknown")


class Slow:
    """A body of which a part comes, and then no more."""

    def __init__(self, *parts: bytes, ends: bool = False) -> None:
        self.parts, self.ends = list(parts), ends
        self.sent: list[Message] = []
        self.reached = False

    async def receive(self) -> Message:
        if self.parts:
            return {"type": "http.request", "body": self.parts.pop(0), "more_body": True}
        if self.ends:
            return {"type": "http.disconnect"}
        await asyncio.sleep(3600)
        raise AssertionError

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    async def app(self, _: Scope, __: Receive, ___: Send) -> None:
        self.reached = True

    def ask(self, headers: dict[str, str] = JSON) -> None:
        raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": "POST", "path": "/events", "headers": raw}
        asyncio.run(Bodies(self.app, patience=0.05)(scope, self.receive, self.send))


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    slow = Slow(b'{"name":')
    slow.ask(JSON | {"Content-Length": "100"})
    start, body = slow.sent
    assert (start["status"], json.loads(body["body"])["received"], slow.reached) == (408, 8, False)


def test_whoever_hangs_up_is_not_answered() -> None:
    slow = Slow(b"{", ends=True)
    slow.ask(JSON | {"Content-Length": "100"})
    assert (slow.sent, slow.reached) == ([], False)


def test_all_bodies_together_are_bounded_and_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "MOST_HELD", 10)
    slow = Slow(b'{"a":', b'"0123456789"}')
    slow.ask()
    assert slow.sent[0]["status"] == 429


# --- paths, methods, queries


@pytest.mark.parametrize("path", ["/nowhere", "/events/", "/events/x/", "//events", "/tokens/current/"])
def test_a_path_that_is_not_there_is_a_problem_and_no_redirect(visitor: TestClient, path: str) -> None:
    answer = visitor.get(path, follow_redirects=False)
    assert told(answer) == (404, "path-not-found")
    assert ("no path ends with a slash" in answer.json()["detail"]) == path.endswith("/")


def test_u_0000_in_a_path_or_a_query_is_unreadable(visitor: TestClient) -> None:
    assert visitor.get("/events/a%00b").status_code == visitor.get("/%00").status_code == 422
    assert visitor.get("/events?before=a%00~b").status_code == 422


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/events", ["GET", "HEAD", "POST"]),
        ("GET", "/tokens/entry", ["DELETE", "POST"]),
        ("PUT", "/session", ["DELETE", "GET", "HEAD", "POST"]),
        ("OPTIONS", "/health", ["GET", "HEAD"]),
    ],
)
def test_a_method_that_a_path_does_not_have_is_told_which_it_has(
    visitor: TestClient, method: str, path: str, allowed: list[str]
) -> None:
    answer = visitor.request(method, path)
    assert told(answer) == (405, "method-not-allowed")
    assert answer.headers["allow"].split(", ") == answer.json()["allowed"] == allowed


def test_head_is_get_without_the_body(ann: Desk) -> None:
    path = ann.event()
    for place in ("/events", path, f"{path}/entries", "/health", "/openapi.json", "/docs", "/nowhere"):
        got, headed = ann.client.get(place), ann.client.head(place)
        assert (headed.status_code, headed.content) == (got.status_code, b"")
        assert headed.headers["content-length"] == got.headers["content-length"]
        assert headed.headers.get("etag") == got.headers.get("etag")


def test_a_word_in_a_query_that_is_not_known_is_refused(ann: Desk) -> None:
    path = ann.event()
    answer = ann.client.get(f"{path}/entries?limti=5&x=&after=1&after=2")
    assert told(answer) == (422, "request-unreadable")
    assert [fault["at"] for fault in answer.json()["faults"]] == ["query/limti", "query/x", "query/after"]
    assert "known are after, limit" in answer.json()["detail"]
    assert ann.client.get(f"{path}?v=1").status_code == 422
    assert ann.client.get(f"{path}/entries?limit=5&after=1").status_code == 200


# --- every answer


def test_every_answer_is_careful_and_has_a_number(visitor: TestClient) -> None:
    asked = [
        visitor.get("/health"),
        visitor.get("/nowhere"),
        visitor.delete("/events"),
        visitor.post("/events", content=b"{", headers=JSON),
        visitor.post("/events", content=b"{}", headers={"Content-Type": "text/plain"}),
    ]
    visitor.app.state.database = None  # type: ignore[attr-defined]
    asked.append(visitor.get("/health"))
    assert [answer.status_code for answer in asked] == [200, 404, 405, 422, 415, 500]
    for answer in asked:
        assert {name: answer.headers.get(name) for name in CAREFUL} == CAREFUL
    assert len({answer.headers["x-request-id"] for answer in asked}) == len(asked)


def test_a_bug_is_found_in_the_log_by_its_number(visitor: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    visitor.app.state.database = None  # type: ignore[attr-defined]
    answer = visitor.get("/health")
    assert f"request {answer.headers['x-request-id']}: GET /health" in caplog.text


def test_the_log_has_a_line_for_each_request_and_no_secret(
    ann: Desk, embedded: Database, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="tournament.access")
    answer = ann.ask("GET", "/events/k3v7?secret-query", None)
    ann.client.post("/tokens", json={"account": "ann", "password": "secret-password"})
    ann.client.get("/secret-path")
    lines: list[dict[str, Any]] = [
        json.loads(record.message) for record in caplog.records if record.name == "tournament.access"
    ]
    assert [(line["method"], line["route"], line["event"], line["status"]) for line in lines] == [
        ("GET", "/events/{event}", "k3v7", 422),
        ("POST", "/tokens", None, 401),
        ("GET", None, None, 404),
    ]
    assert lines[0]["id"] == answer.headers["x-request-id"]
    assert (lines[0]["client"], lines[0]["bytes"]) == ("testclient", len(answer.content))
    assert "secret" not in caplog.text
    assert ann.token not in caplog.text


def test_the_page_of_the_description_runs_nothing_that_is_not_pinned(visitor: TestClient) -> None:
    page = visitor.get("/docs")
    policy = dict(rule.split(" ", 1) for rule in page.headers["content-security-policy"].split("; "))
    assert "unsafe" not in policy["script-src"]
    assert policy["frame-ancestors"] == policy["default-src"] == "'none'"
    assert page.text.count("integrity=") == page.text.count("https://") == 2


def test_the_description_has_what_the_edge_answers_and_is_packed(visitor: TestClient) -> None:
    answer = visitor.get("/openapi.json")
    assert answer.headers["content-encoding"] == "gzip"
    assert visitor.get("/openapi.json", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
    for path, methods in answer.json()["paths"].items():
        for method, operation in methods.items():
            has = {"421", "429"} | ({"408", "413", "415"} if method != "get" else set())
            has |= {"304"} if method == "get" and "{event}" in path else set()
            assert has <= operation["responses"].keys(), (method, path)


# --- packed


def test_a_long_public_document_is_packed_once_and_says_so(ann: Desk) -> None:
    path = ann.event()
    ann.enter(path, *(f"Somebody with a long name {number}" for number in range(10)))
    plain = ann.client.get(f"{path}/entries", headers={"Accept-Encoding": "identity"})
    for accepts in ("gzip", "br, gzip;q=0.5", "*"):
        packed = ann.client.get(f"{path}/entries", headers={"Accept-Encoding": accepts})
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.content == plain.content
        assert packed.headers["etag"] == f"W/{plain.headers['etag']}"
        assert int(packed.headers["content-length"]) < len(plain.content) / 2
    for accepts in ("gzip;q=0", "br", "gzip;q=0.000"):
        assert "content-encoding" not in ann.client.get(f"{path}/entries", headers={"Accept-Encoding": accepts}).headers
    assert "Accept-Encoding" in plain.headers["vary"]
    again = ann.client.get(f"{path}/entries", headers={"If-None-Match": packed.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    headers = {"Authorization": f"Bearer {ann.token}", "If-Match": packed.headers["etag"]}
    assert ann.client.post(f"{path}/entries", json={"name": "x"}, headers=headers).status_code == 201


def test_what_staff_see_and_what_is_short_or_secret_is_not_packed(ann: Desk) -> None:
    path = ann.event()
    ann.enter(path, *(f"Somebody with a long name {number}" for number in range(10)))
    assert len(ann.ask("GET", f"{path}/log").content) > 1024
    for answer in (
        ann.ask("GET", f"{path}/entries"),
        ann.ask("GET", f"{path}/log"),
        ann.client.get(f"{path}/rounds"),
        ann.ask("POST", f"{path}/entries", {"name": "n" * 200, "reason": "r" * 1000}),
    ):
        assert "content-encoding" not in answer.headers


# --- who asks, of which host


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        (None, ""),
    ],
)
def test_a_household_counts_as_one(host: str | None, network: str) -> None:
    assert network_of(host) == network


def seen(settings: Settings, client: str, headers: list[tuple[str, str]]) -> tuple[str, str, int]:
    """Who asks, how, and with which answer."""
    found: list[Scope] = []
    status: list[int] = []

    async def app(scope: Scope, _: Receive, send: Send) -> None:
        found.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            status.append(message["status"])

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    raw = [(name.lower().encode(), value.encode()) for name, value in headers]
    scope = {"type": "http", "path": "/", "client": (client, 1), "scheme": "http", "headers": raw, "method": "GET"}
    asyncio.run(Origins(app, settings)(scope, receive, send))
    return scope["client"][0], str(scope["scheme"]), status[0]  # type: ignore[index]


PROXIES = Settings.model_validate({"trusted_proxies": "10.0.0.0/8 2001:db8::1"})


@pytest.mark.parametrize(
    ("peer", "said", "client", "scheme"),
    [
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9", "https"),
        ("10.0.0.1", ["6.6.6.6, 203.0.113.9"], "203.0.113.9", "https"),  # the first was written by the asker
        ("10.0.0.1", ["6.6.6.6", "203.0.113.9, 10.9.9.9"], "203.0.113.9", "https"),
        ("10.0.0.1", ["10.0.0.7"], "10.0.0.7", "https"),
        ("10.0.0.1", ["unknown"], "10.0.0.1", "https"),
        ("10.0.0.1", [], "10.0.0.1", "https"),
        ("::ffff:10.0.0.1", ["2001:db8:5::1"], "2001:db8:5::1", "https"),
        ("2001:db8::1", ["203.0.113.9"], "203.0.113.9", "https"),
        ("203.0.113.66", ["127.0.0.1"], "203.0.113.66", "http"),  # no proxy of ours
    ],
)
def test_a_proxy_of_ours_is_believed_and_nobody_else(peer: str, said: list[str], client: str, scheme: str) -> None:
    headers = [*(("X-Forwarded-For", one) for one in said), ("X-Forwarded-Proto", "https")]
    assert seen(PROXIES, peer, headers) == (client, scheme, 200)
    assert seen(Settings(), peer, headers) == (peer, "http", 200)


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("play.example", True),
        ("PLAY.example:8000", True),
        ("play.example.", True),
        ("a.shop.example", True),
        ("a.b.shop.example:80", True),
        ("shop.example", False),
        ("evilshop.example", False),
        ("play.example.evil.example", False),
        ("[::1]:8000", True),
        ("192.0.2.1", False),
        ("", False),
    ],
)
def test_a_request_is_for_a_host_that_we_are(host: str, is_ours: bool) -> None:  # noqa: FBT001 - a table
    settings = Settings.model_validate({"trusted_hosts": "play.example *.shop.example ::1"})
    assert seen(settings, "192.0.2.9", [("Host", host)])[2] == (200 if is_ours else 421)
    assert seen(Settings(), "192.0.2.9", [("Host", host)])[2] == 200


def test_a_balancer_may_ask_by_address(embedded: Database) -> None:
    app = create_app(Settings.model_validate({"trusted_hosts": ["play.example"]}), database=embedded)
    with TestClient(app, base_url="http://10.0.0.3:8000") as client:
        assert [client.get(f"/health{more}").status_code for more in ("", "/live", "/ready")] == [200] * 3
        assert told(client.get("/events")) == (421, "host-unknown")
        assert client.get("/events", headers={"Host": "play.example"}).status_code == 200


@pytest.mark.parametrize(
    ("host", "name"),
    [("a:80", "a"), ("[::1]:80", "::1"), ("[::1]", "::1"), ("::1", "::1"), ("A.", "a"), ("a:x", "a:x")],
)
def test_a_host_is_a_name_without_its_port(host: str, name: str) -> None:
    assert name_of(host) == name


def test_a_body_of_nothing_but_faults_has_a_short_answer(visitor: TestClient) -> None:
    """Anybody may send it; the answer once was seventy times as long."""
    names = dict.fromkeys((f"k{number}" for number in range(10_000)), 1)
    answer = visitor.post("/events", json=names)
    assert (answer.status_code, len(answer.json()["faults"])) == (422, 201)
    assert answer.json()["faults"][-1]["problem"].endswith("more faults")
    numbers = visitor.post("/events/x/rounds", json={"seeds": [""] * 50_000})
    assert (numbers.status_code, len(numbers.json()["faults"])) == (422, 1)
