"""Starting and ending a local chain, with the real Anvil and with programs that misbehave in its place."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from collection import leash
from collection.anvil import SETTING, Anvil, AnvilSettings, find_anvil, started_anvil
from collection.errors import AnvilNotFound, AnvilNotStartable, AnvilNotStarted, PortTaken, SnapshotGone
from collection.wallets import development_wallets
from verifier.errors import ChainUnreachable

pytestmark = pytest.mark.chain

Script = Callable[[str], Path]
FINISHED = 10.0
"""Seconds for what takes a moment."""


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """A program to start as Anvil."""

    def write(body: str) -> Path:
        path = tmp_path / "anvil"
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path

    return write


@pytest.fixture
def program(anvil_process: Anvil) -> Path:
    """The real Anvil; where there is none, the fixture asked for skips or fails."""
    assert anvil_process
    return find_anvil(environ=os.environ, start=Path.cwd())


def started() -> set[int]:
    """The processes of this one and its children."""
    return {child.pid for child in psutil.Process().children(recursive=True)}


@pytest.fixture(autouse=True)
def before(anvil_process: Anvil) -> Iterator[set[int]]:
    """What ran before the test; it must be all that runs after it."""
    assert anvil_process
    pids = started()
    yield pids
    assert started() <= pids


def alive(pids: Iterable[int]) -> list[int]:
    """Those that still run; a zombie does not."""
    found = []
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                found.append(pid)
    return found


def gone(pids: Iterable[int]) -> bool:
    """Whether all have ended, within the time that it may take."""
    end = time.monotonic() + FINISHED
    while alive(pids) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pids)


# --- finding it


def an_executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_the_program_named_goes_before_all_others(tmp_path: Path) -> None:
    named, other = an_executable(tmp_path / "named"), an_executable(tmp_path / "bin" / "anvil")
    environ = {SETTING: str(other), "PATH": str(other.parent)}
    assert find_anvil(named, environ=environ, start=tmp_path) == named


def test_the_setting_goes_before_the_path(tmp_path: Path) -> None:
    named, other = an_executable(tmp_path / "named"), an_executable(tmp_path / "bin" / "anvil")
    assert find_anvil(environ={SETTING: str(named), "PATH": str(other.parent)}, start=tmp_path) == named


def test_the_path_goes_before_node_modules(tmp_path: Path) -> None:
    on_path = an_executable(tmp_path / "bin" / "anvil")
    an_executable(tmp_path / "node_modules" / "@foundry-rs" / "anvil-linux-amd64" / "bin" / "anvil")
    assert find_anvil(environ={"PATH": str(on_path.parent)}, start=tmp_path) == on_path


@pytest.mark.parametrize(
    ("system", "machine", "package"),
    [
        ("linux", "x86_64", "anvil-linux-amd64"),
        ("linux", "aarch64", "anvil-linux-arm64"),
        ("darwin", "arm64", "anvil-darwin-arm64"),
        ("darwin", "x86_64", "anvil-darwin-amd64"),
    ],
)
def test_node_modules_of_a_folder_above_has_it_for_each_platform(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, machine: str, package: str
) -> None:
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setattr("platform.machine", lambda: machine)
    installed = an_executable(tmp_path / "node_modules" / "@foundry-rs" / package / "bin" / "anvil")
    assert find_anvil(environ={}, start=tmp_path / "deep" / "down") == installed


def test_the_program_is_found_behind_the_wrapper_of_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    packages = tmp_path / "node_modules" / "@foundry-rs"
    wrapper = an_executable(packages / "anvil" / "bin.mjs")
    program = an_executable(packages / "anvil-linux-amd64" / "bin" / "anvil")
    link = tmp_path / "node_modules" / ".bin" / "anvil"
    link.parent.mkdir()
    link.symlink_to(wrapper)
    assert find_anvil(environ={"PATH": str(link.parent)}, start=Path("/")) == program
    assert find_anvil(wrapper, environ={}, start=Path("/")) == program


def test_where_there_is_none_the_error_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "abacus")
    with pytest.raises(AnvilNotFound, match=r"npm install @foundry-rs/anvil.*DECKPROOF_ANVIL"):
        find_anvil(environ={}, start=tmp_path)


def test_a_named_file_that_is_not_a_program_is_refused_and_nothing_else_is_tried(tmp_path: Path) -> None:
    not_executable = tmp_path / "text"
    not_executable.write_text("words")
    named = [(tmp_path / "missing", "no such file"), (tmp_path, "not a file"), (not_executable, "not executable")]
    for path, problem in named:
        with pytest.raises(AnvilNotStartable, match=problem):
            find_anvil(path, environ=dict(os.environ), start=Path.cwd())


# --- the real one


def test_a_chain_answers_and_is_gone_afterwards(program: Path, before: set[int]) -> None:
    with started_anvil(program) as anvil:
        assert anvil.ask("eth_chainId") == "0x7a69"
        running = started() - before
    assert len(running) == 2  # the leash and Anvil
    assert gone(running)
    with pytest.raises(ChainUnreachable):
        anvil.ask("eth_chainId")


def test_two_chains_at_once_have_different_ports(program: Path) -> None:
    with started_anvil(program) as one, started_anvil(program) as other:
        assert one.url != other.url


def test_the_settings_are_those_of_the_chain(program: Path) -> None:
    settings = AnvilSettings(chain_id=777, accounts=3, block_gas_limit=99_000_000, more=("--base-fee", "7"))
    with started_anvil(program, settings) as anvil:
        block = anvil.ask("eth_getBlockByNumber", "latest", False)  # noqa: FBT003
        assert isinstance(block, dict)
        assert (anvil.ask("eth_chainId"), block["gasLimit"], block["baseFeePerGas"]) == (
            hex(777),
            hex(99_000_000),
            "0x7",
        )
        assert anvil.ask("eth_accounts") == [wallet.address.lower() for wallet in development_wallets(3)]


def test_a_transaction_may_use_no_more_gas_than_on_a_public_chain(anvil: Anvil) -> None:
    ann, bob, *_ = development_wallets(2)
    with pytest.raises(Exception, match="intrinsic gas too high"):
        anvil.ask("eth_sendTransaction", {"from": ann.address, "to": bob.address, "gas": hex(16_777_217)})


def test_with_a_block_time_a_transaction_waits_for_its_block(program: Path) -> None:
    ann, bob, *_ = development_wallets(2)
    with started_anvil(program, AnvilSettings(block_time=60)) as anvil:
        anvil.ask("eth_sendTransaction", {"from": ann.address, "to": bob.address, "value": "0x1"})
        assert anvil.ask("eth_blockNumber") == "0x0"


def test_a_state_file_carries_the_chain_over(program: Path, tmp_path: Path) -> None:
    settings = AnvilSettings(state=tmp_path / "state.json")
    with started_anvil(program, settings) as anvil:
        anvil.mine(5)
    with started_anvil(program, settings) as anvil:
        assert anvil.ask("eth_blockNumber") == "0x5"


def test_a_port_in_use_is_named(program: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortTaken, match=f"port {port} is in use"), started_anvil(program, AnvilSettings(port=port)):
            pass


def test_an_argument_that_anvil_does_not_know_is_told_in_its_words(program: Path) -> None:
    with (
        pytest.raises(AnvilNotStarted, match=r"(?s)it ended at once.*unexpected argument '--wrong'"),
        started_anvil(program, AnvilSettings(more=("--wrong",))),
    ):
        pass


def test_it_is_ended_when_what_happens_inside_fails(program: Path, before: set[int]) -> None:
    running: set[int] = set()

    def fail() -> None:
        with started_anvil(program):
            running.update(started() - before)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert len(running) == 2
    assert gone(running)


def test_it_outlives_the_thread_that_started_it(program: Path) -> None:
    opening = started_anvil(program)
    with ThreadPoolExecutor(1) as pool:
        anvil = pool.submit(opening.__enter__).result()
    time.sleep(0.1)
    assert anvil.ask("eth_chainId") == "0x7a69"
    opening.__exit__(None, None, None)


AT_A_TERMINAL = """
import os, pathlib, time
from collection.anvil import find_anvil, started_anvil
with started_anvil(find_anvil(environ=os.environ, start=pathlib.Path.cwd())) as anvil:
    try:
        print("up", flush=True)
        time.sleep(600)
    except KeyboardInterrupt:
        time.sleep(0.2)
        print(anvil.ask("eth_chainId"))
"""


def test_ctrl_c_reaches_whoever_started_it_and_not_the_chain() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", AT_A_TERMINAL], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as program:
        assert program.stdout
        assert program.stdout.readline() == "up\n"
        running = [child.pid for child in psutil.Process(program.pid).children(recursive=True)]
        os.killpg(program.pid, signal.SIGINT)
        assert program.stdout.read() == "0x7a69\n"
    assert gone(running)


# --- programs that misbehave


def test_a_program_that_ends_at_once_is_quoted(script: Script) -> None:
    with (
        pytest.raises(AnvilNotStarted, match=r"(?s)it ended at once.*error: the stars are not aligned") as refused,
        started_anvil(script("echo 'error: the stars are not aligned' >&2; exit 1")),
    ):
        pass
    assert refused.value.output == "error: the stars are not aligned\n"


def test_a_program_that_says_nothing_is_given_up_at_the_deadline(script: Script) -> None:
    with (
        pytest.raises(AnvilNotStarted, match=r"not listening after 0.3 s; it printed nothing"),
        started_anvil(script("exec sleep 60"), deadline=0.3),
    ):
        pass


def test_a_program_that_claims_to_listen_must_answer(script: Script) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        body = f"echo Listening on 127.0.0.1:{silent.getsockname()[1]}; exec sleep 60"
        with (
            pytest.raises(AnvilNotStarted, match="it says that it listens, and does not answer"),
            started_anvil(script(body), deadline=2.0),
        ):
            pass


def test_a_chain_that_is_not_the_one_asked_for_is_refused(script: Script, anvil: Anvil) -> None:
    body = f"echo Listening on {anvil.url.removeprefix('http://')}; exec sleep 60"
    with (
        pytest.raises(AnvilNotStarted, match="serves chain 0x7a69 instead of 0x1"),
        started_anvil(script(body), AnvilSettings(chain_id=1)),
    ):
        pass


def test_of_endless_output_the_end_is_kept(script: Script) -> None:
    body = (
        "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; head -c 100000 /dev/zero | tr '\\0' x; exit 1"
    )
    with pytest.raises(AnvilNotStarted) as refused, started_anvil(script(body)):
        pass
    assert len(refused.value.output) <= 100 * 500
    assert "line 0\n" not in refused.value.output


def test_a_file_that_the_system_cannot_run_is_quoted(tmp_path: Path) -> None:
    path = tmp_path / "anvil"
    path.write_bytes(b"\x7fELF and then nothing")
    path.chmod(0o755)
    with pytest.raises(AnvilNotStarted, match="Exec format error"), started_anvil(path):
        pass


def test_a_program_that_vanished_since_it_was_found_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(AnvilNotStarted, match="No such file or directory"), started_anvil(tmp_path / "anvil"):
        pass


def test_a_program_that_ignores_being_asked_to_end_is_killed_with_all_that_it_started(
    script: Script, tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    body = f"trap '' TERM; sleep 600 & echo $$ $! > {pids}; while :; do sleep 600; done"
    with pytest.raises(AnvilNotStarted), started_anvil(script(body), deadline=0.5, grace=0.3):
        pass
    assert gone([int(pid) for pid in pids.read_text().split()])


# --- the leash

HOLDER = """
import subprocess, sys, time
held = subprocess.Popen([sys.executable, "-I", "-S", {leash!r}, "5", "/bin/sleep", "600"],
                        stdin=subprocess.PIPE, start_new_session=True)
print(held.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def held() -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A program that holds another on a leash; and the processes of the leash and the held."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER.format(leash=leash.__file__)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout
    supervisor = psutil.Process(int(holder.stdout.readline()))
    end = time.monotonic() + FINISHED
    while not supervisor.children() or supervisor.children()[0].name() != "sleep":
        assert time.monotonic() < end
        time.sleep(0.01)
    yield holder, [supervisor.pid, supervisor.children()[0].pid]
    holder.stdout.close()
    holder.kill()
    holder.wait()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_what_is_held_ends_however_its_holder_does(
    held: tuple[subprocess.Popen[str], list[int]], number: signal.Signals
) -> None:
    holder, pids = held
    holder.send_signal(number)
    holder.wait(FINISHED)
    assert gone(pids)


@pytest.mark.skipif(sys.platform != "linux", reason="no other system tells a process that its parent died")
def test_what_is_held_ends_when_the_leash_itself_is_killed(
    held: tuple[subprocess.Popen[str], list[int]],
) -> None:
    _, pids = held
    os.kill(pids[0], signal.SIGKILL)
    assert gone(pids[1:])


def test_the_leash_can_be_asked_to_end_what_it_holds(held: tuple[subprocess.Popen[str], list[int]]) -> None:
    _, pids = held
    os.kill(pids[0], signal.SIGTERM)
    assert gone(pids)


def test_a_held_program_may_pause(held: tuple[subprocess.Popen[str], list[int]]) -> None:
    _, (supervisor, sleeping) = held
    os.kill(sleeping, signal.SIGSTOP)
    time.sleep(0.1)
    os.kill(sleeping, signal.SIGCONT)
    time.sleep(0.1)
    assert alive([supervisor, sleeping]) == [supervisor, sleeping]


@pytest.mark.parametrize(("body", "code"), [("exit 3", 3), ("kill -KILL $$", 137), ("true", 0)])
def test_the_leash_ends_as_its_program_did(script: Script, body: str, code: int) -> None:
    command = [sys.executable, "-I", "-S", leash.__file__, "1", str(script(body))]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as held:
        assert held.wait(FINISHED) == code


AT_ONCE = """
import os, runpy, signal, sys
def fork(real=os.fork):
    child = real()
    if child:
        os.setpgid(child, child)
        os.killpg(child, signal.{signal})
    return child
os.fork = fork
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_program_that_is_asked_to_end_before_it_runs_ends(number: signal.Signals) -> None:
    # The signal comes between fork and exec; lost, it would leave `sleep` to be killed after the grace: exit code 137.
    command = [sys.executable, "-c", AT_ONCE.format(signal=number.name), leash.__file__, "5", "/bin/sleep", "600"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as held:
        assert held.wait(FINISHED) == 128 + number


def test_a_leash_that_is_let_go_at_once_ends_its_program_by_asking() -> None:
    command = [sys.executable, "-I", "-S", leash.__file__, "5", "/bin/sleep", "600"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as held:
        assert held.wait(FINISHED) == 128 + signal.SIGTERM


def test_what_a_program_inherits_of_signals_is_the_usual(script: Script) -> None:
    # A mask or an ignored signal left over would pass to the program. Source: proc(5), "status".
    body = "grep -E '^Sig(Blk|Ign)' /proc/self/status; exit 1"
    with pytest.raises(AnvilNotStarted) as refused, started_anvil(script(body)):
        pass
    words = dict(line.split(":\t") for line in refused.value.output.splitlines())
    heeded = sum(1 << number - 1 for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE))
    assert [int(words[name], 16) & heeded for name in ("SigBlk", "SigIgn")] == [0, 0]


# --- what can be done to a chain


def height(anvil: Anvil) -> int:
    return int(str(anvil.ask("eth_blockNumber")), 16)


def test_a_chain_goes_back_to_its_snapshot(anvil: Anvil) -> None:
    before, snapshot = height(anvil), anvil.snapshot()
    anvil.mine(7)
    assert height(anvil) == before + 7
    anvil.revert(snapshot)
    assert height(anvil) == before


def test_a_snapshot_serves_once(anvil: Anvil) -> None:
    snapshot = anvil.snapshot()
    anvil.revert(snapshot)
    with pytest.raises(SnapshotGone, match=f"snapshot {snapshot}"):
        anvil.revert(snapshot)


def test_what_is_rolled_back_leaves_nothing_behind(anvil: Anvil) -> None:
    ann, bob, *_ = development_wallets(2)
    before = height(anvil), anvil.ask("eth_getBalance", bob.address, "latest")
    with anvil.rolled_back():
        anvil.ask("evm_setAutomine", False)  # noqa: FBT003
        anvil.ask("anvil_setBlockTimestampInterval", 1000)
        anvil.mine()
        anvil.ask("eth_sendTransaction", {"from": ann.address, "to": bob.address, "value": "0x1"})
    assert (height(anvil), anvil.ask("eth_getBalance", bob.address, "latest")) == before
    assert anvil.ask("txpool_status") == {"pending": "0x0", "queued": "0x0"}
    anvil.ask("eth_sendTransaction", {"from": ann.address, "to": bob.address, "value": "0x1"})
    end = time.monotonic() + FINISHED
    while height(anvil) == before[0] and time.monotonic() < end:  # Anvil answers a moment before it mines
        time.sleep(0.01)
    assert height(anvil) == before[0] + 1  # blocks are made on demand again


def test_transactions_in_one_block_share_its_number(anvil: Anvil) -> None:
    ann, bob, *_ = development_wallets(2)
    before = height(anvil)
    with anvil.one_block():
        for sender in (ann, bob, ann):
            anvil.ask("eth_sendTransaction", {"from": sender.address, "to": bob.address, "value": "0x1"})
        assert height(anvil) == before
    assert height(anvil) == before + 1
    assert anvil.ask("eth_getBlockTransactionCountByNumber", "latest") == "0x3"
    assert anvil.ask("anvil_getAutomine") is True
