"""`deckproof serve`, `admin` and `db`, as a person at a shell uses them."""

import http.client
import json
import signal
import socket
import time
from pathlib import Path

import pytest

from cli.serve import told_at_start
from tests.cli.world import Deckproof
from tests.tournament.server import served
from tournament.settings import Settings

PASSWORD = "correct horse battery staple"


def test_from_nothing_to_a_served_event(deckproof: Deckproof, tmp_path: Path) -> None:
    made = deckproof("admin", "create", "ann", "--password-stdin", "--json", stdin=f"{PASSWORD}\n")
    assert made.code == 0, made.err
    with served(f"sqlite:///{tmp_path}/.deckproof/deckproof.db", tmp_path) as server:
        status, body = server.ask("POST", "/tokens", {"account": "ann", "password": PASSWORD})
        assert status == 201
        for token in (made.document["token"], json.loads(body)["token"]):
            assert server.ask("POST", "/events", {"name": "x"}, token=token)[0] == 201
        assert server.ask("POST", "/tokens", {"account": "ann", "password": "wrong"})[0] == 401
        assert server.ask("POST", "/tokens", {"account": "nobody", "password": "wrong"})[0] == 401
        server.process.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        server.process.wait(10)
        assert time.monotonic() - begun < 5
    assert "events are kept in " in (tmp_path / "server.log").read_text()


@pytest.mark.parametrize(
    ("host", "secret", "warns"), [("127.0.0.1", "", 0), ("192.0.2.7", "", 1), ("192.0.2.7", "x" * 32, 0)]
)
def test_a_server_says_where_its_events_are_and_that_its_secret_is_known(host: str, secret: str, warns: int) -> None:
    settings = Settings.model_validate({"data": "/srv/events"} | ({"secret": secret} if secret else {}))
    where, *warned = told_at_start(settings, host)
    assert ("/srv/events" in where, len(warned)) == (True, warns)


def test_a_server_frames_its_answers_and_logs_no_secret(deckproof: Deckproof, tmp_path: Path) -> None:
    made = deckproof("admin", "create", "ann", "--password-stdin", "--json", stdin=f"{PASSWORD}\n")
    known = {"Authorization": f"Bearer {made.document['token']}"}
    with served(f"sqlite:///{tmp_path}/.deckproof/deckproof.db", tmp_path, "--access-log") as server:
        one = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        for method, size in (("HEAD", 0), ("GET", 25), ("HEAD", 0), ("GET", 25)):  # on one connection
            one.request(method, "/events", headers=known)
            answer = one.getresponse()
            assert (answer.status, len(answer.read()), answer.headers["Content-Length"]) == (200, size, "25")
        one.request("POST", "/tokens", headers={"Content-Length": "1000000", "Content-Type": "application/json"})
        answer = one.getresponse()  # before a byte of the body was sent
        assert (answer.status, answer.headers["Connection"]) == (413, "close")
        assert json.loads(answer.read())["type"] == "/problems/body-too-large"
        one.close()
        server.ask("GET", "/events?secret=1", token=made.document["token"])
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(10)
    log = (tmp_path / "server.log").read_text()
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert [line["status"] for line in lines if line["route"] != "/health"] == [200, 200, 200, 200, 413, 422]
    assert all(line["client"] == "127.0.0.1" and line["id"] for line in lines)
    assert made.document["token"] not in log
    assert "secret" not in log


def test_a_second_account_of_a_name_is_refused(deckproof: Deckproof) -> None:
    words = ("admin", "create", "ann", "--password-stdin")
    assert deckproof(*words, stdin=PASSWORD).code == 0
    again = deckproof(*words, stdin=PASSWORD)
    assert (again.code, again.err) == (6, "refused: there is an account 'ann' already; choose another name\n")


@pytest.mark.parametrize(("name", "password"), [("Ann Example", PASSWORD), ("", PASSWORD), ("ann", "short")])
def test_a_name_or_password_that_will_not_do_is_usage(deckproof: Deckproof, name: str, password: str) -> None:
    assert deckproof("admin", "create", name, "--password-stdin", stdin=password).code == 2


def test_a_database_is_brought_up_to_date_as_often_as_one_likes(deckproof: Deckproof) -> None:
    one, two = deckproof("db", "upgrade"), deckproof("db", "upgrade", "--json")
    assert (one.code, two.code) == (0, 0)
    assert one.out == f"sqlite is at {two.document['shape']}\n"


def test_the_default_secret_is_for_development_only(deckproof: Deckproof, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKPROOF_ENVIRONMENT", "production")
    refused = deckproof("serve", "--port", "1")
    assert refused.code == 6
    assert "DECKPROOF_SECRET is not set" in refused.err


def test_a_database_that_does_not_answer_is_5(deckproof: Deckproof, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKPROOF_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    assert deckproof("db", "upgrade").code == 5


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_port_that_is_taken_is_5_and_a_sentence(deckproof: Deckproof, workers: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused = deckproof("serve", "--port", str(port), "--workers", workers)
    assert (refused.code, refused.out) == (5, "")
    assert refused.err.startswith(f"refused: port {port} is in use by another program; ")
