"""Passes and desks from the terminal, with a real server and without one: `deckproof pass`, `deckproof desk`."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.flaky import LATER, LOST, line_to
from tests.cli.world import Deckproof
from tests.tournament.people import account
from tests.tournament.server import Server, served
from tournament.database import open_file
from verifier.passes import open_desk

DECKPROOF = Path(sys.executable).with_name("deckproof")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("server")
    database = open_file(home / "deckproof.db")
    database.upgrade()
    for name in ("ann", "bea"):
        account(name, database)
    database.close()
    with served(f"sqlite:///{home}/deckproof.db", home) as server:
        yield server


@pytest.fixture
def ann(deckproof: Deckproof, server: Server, monkeypatch: pytest.MonkeyPatch) -> Deckproof:
    monkeypatch.setenv("DECKPROOF_SERVER", f"http://127.0.0.1:{server.port}")
    monkeypatch.setenv("DECKPROOF_TOKEN", "dp_ann")
    monkeypatch.setenv("DECKPROOF_DEADLINE", "2")
    monkeypatch.setenv("DECKPROOF_TIMEOUT", "1")
    return deckproof


@pytest.fixture
def event(ann: Deckproof) -> str:
    """Four players with passes 1 to 4, in check-in."""
    event = ann("event", "create", "Spring Open", "--use", "--json").document["event"]
    for words in (
        ("event", "publish"),
        ("event", "open"),
        ("entry", "add", "Ann", "Bob", "Çağ", "Dan"),
        ("pass", "open"),
        ("pass", "issue-all"),
        ("event", "close"),
    ):
        done = ann(*words)
        assert done.code == 0, done.err
    return str(event)


def text(ann: Deckproof, number: int) -> str:
    return str(ann("pass", "show", number, "--json").document["text"])


def fetched(ann: Deckproof, name: str) -> Path:
    """A desk in a folder of its own."""
    done = ann("desk", "fetch", "--name", name, "--folder", name)
    assert (done.code, done.out.split(", revocations")[0]) == (0, f"{name}: 4 players"), done.err
    return Path(name)


def bare(table: str) -> list[list[str]]:
    """The words of each line, at most four."""
    return [line.split()[:4] for line in table.splitlines() if line.strip(" ─")]


# --- passes


def test_a_pass_is_made_shown_and_drawn(ann: Deckproof, event: str, tmp_path: Path) -> None:
    shown = ann("pass", "issue", 1)  # the one that there is
    assert (shown.code, shown.out.splitlines()[-2]) == (0, "Ann (1), pass 1: bound to no device")
    assert shown.out.splitlines()[-1].startswith("ownership not looked at; good until ")
    assert "▄" in shown.out
    anew = ann("pass", "issue", 1, "--anew", "--png", "ann.png", "--svg", "ann.svg")
    assert anew.out.startswith("Ann (1), pass 5: ")
    assert (tmp_path / "ann.png").read_bytes()[:4] == b"\x89PNG"
    assert (tmp_path / "ann.svg").read_bytes().startswith(b"<?xml")
    assert bare(ann("pass", "list").out)[1:] == [
        ["2", "2", "Bob", "counts"],
        ["3", "3", "Çağ", "counts"],
        ["4", "4", "Dan", "counts"],
        ["5", "1", "Ann", "counts"],
        ["4", "passes"],
    ]


def test_keys_are_shown_and_exchanged_with_a_reason(ann: Deckproof, event: str) -> None:
    assert ann("pass", "rotate").code == 2
    assert ann("pass", "rotate", "--reason", "stolen").out.startswith("key 2 signs from now on")
    marks = [line[2:] for line in bare(ann("pass", "keys").out)[1:5]]
    assert (marks[0][0], marks[1:]) == ("until", [["in", "use"], [], []])


def test_a_pass_is_looked_at_without_a_server_and_nobody_comes_in(
    ann: Deckproof, event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, folder = text(ann, 2), fetched(ann, "north")
    ann("pass", "revoke", 3, "--reason", "lost")
    lost = ann("pass", "show", 3)
    assert lost.code == 6
    monkeypatch.setenv("DECKPROOF_SERVER", "http://127.0.0.1:1")
    for _ in range(2):
        looked = ann("pass", "check", good, "--folder", folder)
        assert looked.code == 0
        assert looked.out.splitlines()[-1] == (
            "OK    Bob (2), pass 2, ownership not looked at; compare the name with a document"
        )
    wrong = ann("pass", "check", "-", "--folder", folder, "--json", stdin=good[:-3] + "\n")
    assert (wrong.code, wrong.document["good"]) == (3, False)
    assert [one["mark"] for one in wrong.document["findings"]] == ["bad"] + ["skipped"] * 6


# --- a desk without a network


def test_a_day_without_a_network_and_the_server_hears_of_it_at_night(
    ann: Deckproof, event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [text(ann, number) for number in (1, 2, 3)]
    folder = fetched(ann, "north")
    with monkeypatch.context() as cut:
        cut.setenv("DECKPROOF_SERVER", "http://127.0.0.1:1")
        day = ann("desk", "--offline", "--folder", folder, stdin=f"{texts[0]}\r\n{texts[1]}\n\n{texts[0]}\nhello\n")
        assert day.code == 0, day.err
        lines = [line.strip() for line in day.out.splitlines()]
        assert [line.split("  ")[0] for line in lines[::2]] == ["OK", "OK", "NO", "NO", lines[-1]]
        assert lines[1].endswith("· 1 scan not yet synced")
        assert lines[4].startswith("NO    Ann (1): pass 1 came in here already, at ")
        assert lines[-1].startswith("2 came in, 2 refused; revocations as of ")
        assert ann("desk", "status", "--folder", folder, "--json").document["unsynced"] == 2
        assert ann("desk", "sync", "--folder", folder).code == 5
    told = ann("desk", "sync", "--folder", folder)
    assert told.out.startswith("2 scans told; revocations as of ")
    assert told.out.rstrip().endswith("0 scans not yet synced")
    assert ann("entry", "present").out.startswith("here: 2 of 4 players")
    assert ann("desk", "sync", "--folder", folder).out.startswith("0 scans told")
    assert [line[:2] for line in bare(ann("desk", "list").out)[1:]] == [["north", "2"]]


def test_two_desks_without_a_network_admit_one_pass_and_round_1_waits(ann: Deckproof, event: str) -> None:
    same, north, south = text(ann, 2), fetched(ann, "north"), fetched(ann, "south")
    for folder in (north, south):
        assert ann("desk", "--offline", "--folder", folder, stdin=f"{same}\n").out.startswith("OK")
    assert ann("desk", "sync", "--folder", north).out.count("\n") == 1
    later = ann("desk", "sync", "--folder", south).out.splitlines()
    assert later[1] == "came in more than once: Bob (2)"
    assert [line.split(" at ")[0].strip() for line in later[2:]] == ["north", "south"]
    refused = ann("event", "pair")
    assert refused.code == 6
    assert all(word in refused.err for word in ("Bob (2)", "north at ", "south at "))
    assert "1 player to settle" in ann("pass", "unsettled").out
    assert ann("pass", "settle", 2, "--reason", "the second was a copy").code == 0
    assert ann("event", "pair").code == 0
    again = ann("desk", "--offline", "--folder", north, stdin=f"{text(ann, 2)}\n")
    assert "came in here already" in again.out


def typed(*words: str, stdin: str = "", **settings: str) -> str:
    """What a process of its own prints, on both streams."""
    done = subprocess.run(
        [DECKPROOF, *words], env=os.environ | settings, input=stdin, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout + done.stderr


def test_two_desks_in_processes_of_their_own_admit_one_pass_twice_and_round_1_is_refused_until_it_is_settled(
    ann: Deckproof, event: str
) -> None:
    away, same = {"DECKPROOF_SERVER": "http://127.0.0.1:1", "DECKPROOF_TOKEN": ""}, text(ann, 2)
    for name in ("north", "south"):
        typed("desk", "fetch", "--event", event, "--name", name, "--folder", name)
        said = typed("desk", "--offline", "--event", event, "--folder", name, stdin=f"{same}\n{same}\n", **away)
        first, second = [line for line in said.splitlines() if line[:2] in {"OK", "NO"}]
        assert first.startswith("OK    Bob (2), pass 2")
        assert "came in here already" in second
    typed("desk", "sync", "--event", event, "--folder", "north")
    assert "came in more than once: Bob (2)" in typed("desk", "sync", "--event", event, "--folder", "south")
    refused = ann("event", "pair")
    assert refused.code == 6
    assert all(word in refused.err for word in ("Bob (2)", "north at ", "south at "))
    assert ann("pass", "settle", 2).code == 2
    assert ann("pass", "settle", 2, "--reason", "the second was a photograph").code == 0
    typed("desk", "sync", "--event", event, "--folder", "north")  # told again, it is the same
    assert "round 1 is paired" in ann("event", "pair").out


def test_whoever_was_let_in_is_known_after_the_desk_was_killed(ann: Deckproof, event: str, tmp_path: Path) -> None:
    texts, folder = [text(ann, number) for number in (1, 2)], fetched(ann, "north")
    process = subprocess.Popen(
        [DECKPROOF, "desk", "--offline", "--event", event, "--folder", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(texts[0] + "\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith("OK    Ann (1)")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with (folder / "scans.jsonl").open("ab") as file:
        file.write(b'{"eventId":"0x')  # as if it had been killed a little later, in the middle of the next one
    after = ann("desk", "--offline", "--folder", folder, stdin=f"{texts[0]}\n{texts[1]}\n")
    assert after.err.startswith("the last scan was not written to its end")
    assert "pass 1 came in here already" in after.out.splitlines()[0]
    assert after.out.splitlines()[2].startswith("OK    Bob (2)")
    assert ann("desk", "sync", "--folder", folder).out.startswith("2 scans told")


def test_two_processes_do_not_work_in_one_folder(ann: Deckproof, event: str) -> None:
    folder = fetched(ann, "north")
    with open_desk(folder):
        assert ann("desk", "--offline", "--folder", folder).code == 4


def test_a_folder_belongs_to_one_event(ann: Deckproof, event: str) -> None:
    folder = fetched(ann, "north")
    other = ann("event", "create", "Another", "--json").document["event"]
    for words in (("event", "publish"), ("event", "open"), ("pass", "open")):
        assert ann(*words, "--event", other).code == 0
    refused = ann("desk", "fetch", "--event", other, "--folder", folder)
    assert (refused.code, "name another folder" in refused.err) == (4, True)
    assert ann("desk", "--offline", "--folder", "nowhere").code == 4


# --- a desk with a network


def test_with_a_network_the_server_decides_and_no_pass_comes_in_at_two_desks(ann: Deckproof, event: str) -> None:
    same, north, south = text(ann, 2), fetched(ann, "north"), fetched(ann, "south")
    assert ann("desk", "scan", "--folder", north, stdin=f"{same}\n").out.startswith("OK    Bob (2), pass 2")
    second = ann("desk", "scan", "--folder", south, stdin=f"{same}\n")
    assert second.out.startswith("NO    pass 2 came in at north already")
    assert ann("entry", "present").out.startswith("here: 1 of 4 players")
    assert ann("pass", "unsettled").out == "0 players to settle\n"


def test_where_the_server_gives_no_answer_the_desk_goes_on_by_itself(
    ann: Deckproof, event: str, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, folder = [text(ann, number) for number in (1, 2)], fetched(ann, "north")
    with line_to(f"http://127.0.0.1:{server.port}") as line, monkeypatch.context() as through:
        through.setenv("DECKPROOF_SERVER", line.url)
        through.setenv("DECKPROOF_EVENT", event)
        line.happens = [LATER]
        done = ann("desk", "scan", "--folder", folder, "--json", stdin=f"{texts[0]}\n{texts[1]}\n")
        assert "going on without the server" in done.err
        said = [json.loads(part) for part in done.out.replace("}\n{", "}\0{").split("\0")]
        assert [(one["good"], one["online"], one["unsynced"]) for one in said] == [(True, False, 1), (True, False, 2)]
        assert len(line.passed) == 1
    assert ann("desk", "sync", "--folder", folder).out.startswith("2 scans told")


def test_an_answer_that_was_lost_makes_nobody_come_in_twice(
    ann: Deckproof, event: str, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    same, folder = text(ann, 2), fetched(ann, "north")
    with line_to(f"http://127.0.0.1:{server.port}") as line, monkeypatch.context() as through:
        through.setenv("DECKPROOF_SERVER", line.url)
        through.setenv("DECKPROOF_EVENT", event)
        line.happens = [LOST] * 20
        done = ann("desk", "scan", "--folder", folder, stdin=f"{same}\n")
        assert (done.out.split()[0], "going on without the server" in done.err) == ("OK", True)
    assert ann("desk", "sync", "--folder", folder).out.startswith("1 scan told")
    assert len(ann("pass", "scans", "--json").document["scans"]) == 2
    assert ann("pass", "unsettled").out == "0 players to settle\n"
    assert ann("event", "pair").code == 0
