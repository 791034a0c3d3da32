"""The pytest plugin as other projects meet it: pytest in a process and a project of its own."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from collection.anvil import Anvil

pytestmark = [pytest.mark.chain, pytest.mark.usefixtures("anvil_process")]

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guide" / "testing-your-collection.md"
FINISHED = 60.0
"""Seconds that a pytest of a few tests may take on a busy machine."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty one."""
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def write(project: Path, test: str, conftest: str = "") -> None:
    (project / "test_it.py").write_text(test)
    (project / "conftest.py").write_text(conftest)


def environment(**changes: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "CI", "DECKPROOF"))}
    return kept | changes


def start(project: Path, *arguments: str, **changes: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-rA", *arguments],
        cwd=project,
        env=environment(**changes),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run(project: Path, *arguments: str, **changes: str) -> tuple[int, str]:
    """Exit code and output of a pytest that ends by itself."""
    with start(project, *arguments, **changes) as process:
        output, _ = process.communicate(timeout=FINISHED)
    return process.returncode, output


def summary(output: str) -> str:
    return re.sub(r" in [\d.]+s.*", "", output.strip().splitlines()[-1]).strip("= ")


# --- for whoever follows the guide


def files_in(page: Path) -> dict[str, str]:
    """The Python files that a page shows, by the name in their first line."""
    shown = re.findall(r"```python\n(# (\w+\.py)\n.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    return {name: code for code, name in shown}


def test_the_guides_own_example_passes_with_somebody_elses_contract(project: Path) -> None:
    for name, code in files_in(GUIDE).items():
        (project / name).write_text(code)
    built = project / "out" / "MyCards.sol"
    built.mkdir(parents=True)
    shutil.copy(Path(__file__).parent / "mycards" / "MyCards.json", built)
    code, output = run(project)
    assert (code, summary(output)) == (0, "5 passed"), output


def test_the_guide_names_every_fixture_and_no_other() -> None:
    listed = set(re.findall(r"^\| `(\w+)` \| (?:test|session) \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE))
    defined = re.findall(r"@pytest.fixture.*\ndef (\w+)", (ROOT / "collection" / "fixtures.py").read_text())
    assert listed == set(defined)


def test_the_guide_names_every_lie_and_no_other() -> None:
    listed = set(re.findall(r"^\| `(\w+)` \| [^|]+ \|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE))
    defined = re.findall(r"^def ([a-z]\w+)", (ROOT / "verifier" / "testkit" / "lies.py").read_text(), re.MULTILINE)
    assert listed == set(defined) - {"only"}


def test_another_kind_of_chain_is_had_by_overriding_the_settings(project: Path) -> None:
    write(
        project,
        "def test_it(anvil): assert anvil.ask('eth_chainId') == '0x89'",
        """
import pytest
from collection.anvil import AnvilSettings
@pytest.fixture(scope="session")
def anvil_settings():
    return AnvilSettings(chain_id=137)
""",
    )
    code, output = run(project)
    assert code == 0, output


# --- each test finds the same chain

BEFORE: list[object] = []


@pytest.mark.parametrize("time", ["first", "second"])
def test_every_test_starts_from_the_same_chain(anvil: Anvil, time: str) -> None:
    assert time
    BEFORE.append(anvil.ask("eth_getBlockByNumber", "latest", False))  # noqa: FBT003
    anvil.mine(3)
    assert BEFORE[0] == BEFORE[-1]


def test_a_collection_asked_for_too_late_is_missed_by_name(project: Path) -> None:
    write(
        project,
        """
def test_first(anvil, request): assert request.getfixturevalue("collection").need(1)
def test_second(collection): pass
""",
    )
    code, output = run(project)
    assert code == 1
    assert "name `collection` in a test's arguments" in output
    assert summary(output) == "1 passed, 1 error"


# --- for whoever does not use it


LOADED = """
import pytest, sys
before = set(sys.modules)
import collection.fixtures
print(*sorted(set(sys.modules) - before))
"""


def test_the_plugin_imports_nothing_until_it_is_used() -> None:
    loaded = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout
    assert loaded.split() == ["collection", "collection.fixtures"]


def test_tests_that_do_not_use_it_run_without_xprocess(project: Path) -> None:
    write(project, "def test_mine(): pass\ndef test_chain(anvil): pass\n")
    code, output = run(project, "-p", "no:xprocess")
    assert code == 1
    assert summary(output) == "1 passed, 1 error"
    assert "pip install 'deckproof[pytest]'" in output


def test_without_pytests_cache_the_fixtures_say_what_is_wrong(project: Path) -> None:
    write(project, "def test_chain(anvil): pass\n")
    code, output = run(project, "-p", "no:cacheprovider")
    assert code == 1
    assert "run without `-p no:cacheprovider`" in output


# --- where there is no Anvil


@pytest.fixture
def elsewhere(project: Path) -> dict[str, str]:
    """The environment of a machine where the package is installed and Anvil is not."""
    for package in ("collection", "verifier", "games"):
        shutil.copytree(ROOT / package, project / "site" / package, ignore=shutil.ignore_patterns("__pycache__"))
    write(project, "def test_mine(): pass\ndef test_chain(anvil): pass\n")
    return {"PYTHONPATH": str(project / "site"), "PATH": "/nowhere"}


def test_without_anvil_tests_are_skipped_and_say_why(project: Path, elsewhere: dict[str, str]) -> None:
    code, output = run(project, "test_it.py", **elsewhere)
    assert (code, summary(output)) == (0, "1 passed, 1 skipped"), output
    assert "npm install @foundry-rs/anvil" in output


def test_without_anvil_tests_fail_in_ci(project: Path, elsewhere: dict[str, str]) -> None:
    code, output = run(project, "test_it.py", CI="true", **elsewhere)
    assert (code, summary(output)) == (1, "1 passed, 1 error"), output
    assert "npm install @foundry-rs/anvil" in output


def test_a_setting_that_names_no_program_fails_everywhere(project: Path) -> None:
    write(project, "def test_chain(anvil): pass")
    code, output = run(project, DECKPROOF_ANVIL="/nowhere/anvil")
    assert code == 1
    assert "/nowhere/anvil cannot be started as Anvil: there is no such file" in output


def test_a_program_that_does_not_become_a_chain_fails_with_what_it_printed(project: Path) -> None:
    program = project / "anvil"
    program.write_text("#!/bin/sh\necho no room at the inn\nexit 1\n")
    program.chmod(0o755)
    write(project, "def test_chain(anvil): pass")
    code, output = run(project, DECKPROOF_ANVIL=str(program))
    assert code == 1
    assert "it ended at once; it printed:" in output
    assert "no room at the inn" in output


# --- nothing is left behind

WRITE_PIDS = """
import os, pathlib, psutil, signal, time, pytest

def children():
    return [child.pid for child in psutil.Process().children(recursive=True)]

@pytest.fixture
def noted(anvil):
    pathlib.Path("pids").write_text(" ".join(map(str, children())))
"""
ENDINGS = {
    "passing": "def test_it(noted): pass",
    "failing": "def test_it(noted): assert False\ndef test_other(anvil): pass",
    "crash in a fixture": """
@pytest.fixture
def broken(noted): raise ZeroDivisionError
def test_it(broken): pass
""",
    "crash in a fixture's end": """
@pytest.fixture
def broken(noted):
    yield
    raise ZeroDivisionError
def test_it(broken): pass
""",
    "exit": "def test_it(noted): pytest.exit('enough')",
    "hard exit": "def test_it(noted): os._exit(3)",
    "a chain that died": """
def test_it(noted, anvil):
    for pid in children():
        os.kill(pid, signal.SIGKILL)
""",
}


def pids_of(project: Path) -> list[int]:
    return [int(pid) for pid in (project / "pids").read_text().split()]


def alive(pids: Iterable[int]) -> list[int]:
    """Those that still run; a zombie does not."""
    found = []
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                found.append(pid)
    return found


def gone(pids: Iterable[int]) -> bool:
    end = time.monotonic() + 10
    while alive(pids) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pids)


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_process_outlives_a_run(project: Path, ending: str) -> None:
    write(project, WRITE_PIDS + ENDINGS[ending])
    run(project, "-x")
    pids = pids_of(project)
    assert len(pids) == 2  # the leash and Anvil
    assert gone(pids)


@contextmanager
def paused(project: Path) -> "Iterator[subprocess.Popen[str]]":
    """A pytest in the middle of a test that uses the chain."""
    write(project, WRITE_PIDS + "def test_it(noted): time.sleep(600)")
    with start(project) as process:
        try:
            wait_for(lambda: (project / "pids").exists() and bool((project / "pids").read_text()))
            yield process
        finally:
            process.kill()


def wait_for(done: Callable[[], bool]) -> None:
    end = time.monotonic() + FINISHED
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_no_process_outlives_a_run_that_is_interrupted(project: Path, number: signal.Signals) -> None:
    with paused(project) as process:
        process.send_signal(number)
        process.wait(FINISHED)
        assert gone(pids_of(project))


def test_two_runs_of_a_project_at_once_have_a_chain_each(project: Path) -> None:
    with paused(project):
        first = pids_of(project)
        write(project, WRITE_PIDS + "def test_it(noted, anvil): assert anvil.ask('eth_blockNumber') == '0x0'")
        code, output = run(project)
        second = pids_of(project)
        assert code == 0, output
        assert not set(first) & set(second)
        assert gone(second)
        assert alive(first) == first
    assert gone(first)


def test_the_logs_of_runs_that_were_killed_are_cleared_away(project: Path) -> None:
    with paused(project) as process:
        process.kill()
        process.wait(FINISHED)
    logs = project / ".pytest_cache" / "d" / ".xprocess"
    assert len(list(logs.iterdir())) == 1
    write(project, "def test_it(anvil): pass")
    run(project)
    assert list(logs.iterdir()) == []


@pytest.mark.parametrize("name", ["deckproof-anvil-x", "deckproof-anvil", "deckproof-anvil-99999999999-0badcafe"])
def test_a_folder_that_is_somebody_elses_is_let_be(project: Path, name: str) -> None:
    foreign = project / ".pytest_cache" / "d" / ".xprocess" / name
    foreign.mkdir(parents=True)
    write(project, "def test_it(anvil): pass")
    code, output = run(project)
    assert code == 0, output
    assert foreign.is_dir()


def test_an_interrupted_run_puts_the_chain_back_and_ends_quietly(project: Path) -> None:
    with paused(project) as process:
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=FINISHED)
        pids = pids_of(project)
    assert process.returncode == pytest.ExitCode.INTERRUPTED
    assert "KeyboardInterrupt" in output
    assert "Traceback" not in output
    assert "ChainUnreachable" not in output
    assert len(output.splitlines()) < 20, output
    assert gone(pids)
