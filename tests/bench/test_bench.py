"""The benchmark runs, and its JSON says what bench/README.md says. How fast anything is, is not tested."""

import importlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import pytest

BENCH = Path(__file__).parents[2] / "bench"

ROW = {"name", "what", "size", "ours", "reference", "ratio", "targets", "met", "unit", "flaws", "problem"}
Module: TypeAlias = Callable[[str], ModuleType]
"""Imports a module of the benchmark."""

TIMES = {"median", "low", "high", "cpu", "rounds", "scale"}


def run(*arguments: str, json_to: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, BENCH / "run.py", "--quick", "--json", json_to, *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )


@pytest.fixture(scope="module")
def whole(anvil_process: object, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("bench") / "results.json"
    done = run(json_to=path)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {**document, "table": done.stdout, "progress": done.stderr}


@pytest.mark.chain
def test_every_row_is_measured(whole: dict[str, Any]) -> None:
    problems = [(row["name"], row["problem"]) for row in whole["rows"] if row["problem"]]
    assert [each for each in problems if not each[1].startswith("not installed: ")] == []
    assert {row["name"] for row in whole["rows"]} == set(re.findall(r"^### `(\S+)`", readme(), re.MULTILINE))


@pytest.mark.chain
def test_the_json_has_the_documented_fields(whole: dict[str, Any]) -> None:
    assert (whole["format"], whole["quick"]) == (1, True)
    assert set(whole["machine"]) == set(re.findall(r"^- `machine\.(\w+)`", readme(), re.MULTILINE))
    assert {frozenset(row) for row in whole["rows"]} == {frozenset(ROW)}
    measured = [row for row in whole["rows"] if not row["problem"]]
    assert {frozenset(row["ours"]) for row in measured} == {frozenset(TIMES)}
    compared = [row["reference"] for row in measured if row["reference"]]
    assert {frozenset(reference) for reference in compared} == {frozenset(TIMES | {"what"})}


@pytest.mark.chain
def test_a_ratio_is_that_of_the_medians_beside_it(whole: dict[str, Any]) -> None:
    compared = [row for row in whole["rows"] if row["ratio"]]
    assert compared
    for row in compared:
        assert row["ratio"]["median"] == pytest.approx(row["ours"]["median"] / row["reference"]["median"])
        assert row["ratio"]["low"] <= row["ratio"]["median"] <= row["ratio"]["high"]


@pytest.mark.chain
def test_a_row_is_met_when_all_its_targets_are(whole: dict[str, Any]) -> None:
    judged = [(row["met"], [target["met"] for target in row["targets"]]) for row in whole["rows"]]
    assert all(met is (all(each) if each else None) for met, each in judged)
    assert any(each for _, each in judged)


@pytest.mark.chain
def test_the_table_is_printed_and_progress_is_told_elsewhere(whole: dict[str, Any]) -> None:
    assert (
        whole["table"].splitlines()[0].replace(" ", "")
        == "|what|size|ours|thereference|ratio|target|met|thereference'srounds|"
    )
    assert "one-deck" in whole["progress"]
    assert "one-deck" not in whole["table"]


def test_what_cannot_be_measured_is_told_and_fails_nothing(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    done = run("--only", "one-deck", json_to=path, DECKPROOF_ANVIL="no-such-program")
    [row] = json.loads(path.read_text(encoding="utf-8"))["rows"]
    assert done.returncode == 0
    assert "no-such-program" in row["problem"]
    assert "not measured" in done.stdout


@pytest.fixture(scope="module")
def pairing(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("bench") / "pairing.json"
    done = run("--only", "pairing", "--only", "standings", json_to=path)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {**document, "table": done.stdout}


def test_a_module_stands_for_all_of_its_rows(pairing: dict[str, Any]) -> None:
    names = list(dict.fromkeys(row["name"] for row in pairing["rows"]))
    assert names == ["one-round", "many-seeds", "whole-events", "smallest-repair", "standings"]


def test_peers_are_judged_by_what_our_rounds_cost(pairing: dict[str, Any]) -> None:
    beside = [row for row in pairing["rows"] if row["name"] == "whole-events" and not row["problem"]]
    assert {row["flaws"]["ours"]["excess"] for row in beside} == {0}
    whole = [row for row in beside if row["reference"]["what"].startswith("whole-field")]
    assert whole
    assert {row["flaws"]["reference"]["excess"] for row in whole} == {0}


def test_a_peer_that_is_missing_or_crashes_is_told(pairing: dict[str, Any]) -> None:
    problems = [row["problem"] for row in pairing["rows"] if row["problem"]]
    assert [problem for problem in problems if not problem.startswith("not installed: ")] == []
    assert pairing["table"].count("not measured") == len(problems)


def test_an_engine_that_crashes_does_not_take_the_run_with_it(bench_module: Module) -> None:
    seen = bench_module("engines").play_apart("no such engine", (16, 1, 2), 1, judge=True)
    assert seen.problem == "crashed: KeyError: 'no such engine'"


def test_an_engine_that_seats_somebody_twice_is_none(bench_module: Module, monkeypatch: pytest.MonkeyPatch) -> None:
    engines = bench_module("engines")

    def twice(_: int) -> object:
        return lambda _: (lambda: None, lambda _: ([(0, 1), (1, 2)], []))

    monkeypatch.setitem(engines.ENGINES, "twice", engines.Engine("twice", "", twice))
    with pytest.raises(engines.Unpaired):
        engines.play("twice", (16, 1, 2), 1, judge=True)


def test_a_peer_that_cannot_be_installed_is_told_and_fails_nothing(
    bench_module: Module, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    peers = bench_module("peers")
    asked: list[list[str]] = []
    monkeypatch.setattr(peers, "_pip", asked.append)
    lock = tmp_path / "lock.txt"
    lock.write_text("pytest==1 \\\n    --hash=sha256:00\nno-such==1 \\\n    --hash=sha256:11\nnor-this==2\n")
    said: list[str] = []
    peers.install(said.append, lock)
    no_such, nor_this = "no-such==1 \\\n    --hash=sha256:11", "nor-this==2"
    assert asked == [[no_such, nor_this], [no_such], [nor_this]]
    assert said[1:] == ["could not install no-such", "could not install nor-this"]


@pytest.fixture
def bench_module(monkeypatch: pytest.MonkeyPatch) -> Module:
    monkeypatch.syspath_prepend(BENCH)
    return importlib.import_module


def test_an_unknown_name_is_a_usage_error(tmp_path: Path) -> None:
    done = run("--only", "everything", json_to=tmp_path / "results.json")
    assert done.returncode == 2
    assert "one-deck" in done.stderr


def test_the_relay_changes_nothing_but_the_time() -> None:
    question = os.urandom(3_000_000)
    with echo() as port, relay(port) as near, socket.create_connection(("127.0.0.1", near)) as line:
        sending = threading.Thread(target=line.sendall, args=(question,))
        sending.start()
        answer = receive(line, len(question))
        sending.join()
    assert answer == question


def receive(line: socket.socket, size: int) -> bytes:
    answer = bytearray()
    while len(answer) < size and (piece := line.recv(1 << 16)):
        answer += piece
    return bytes(answer)


@contextmanager
def echo() -> Iterator[int]:
    """A port that sends back what it gets, once."""

    def serve() -> None:
        line, _ = listener.accept()
        with line:
            while piece := line.recv(1 << 16):
                line.sendall(piece)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = threading.Thread(target=serve, daemon=True)
        server.start()
        yield listener.getsockname()[1]
        server.join(5)


@contextmanager
def relay(port: int) -> Iterator[int]:
    """The near end of a relay to the port."""
    command = [sys.executable, BENCH / "relay.py", str(port), "0.002"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        yield int(process.stdout.readline())
        process.stdin.close()


def readme() -> str:
    return (BENCH / "README.md").read_text(encoding="utf-8")
