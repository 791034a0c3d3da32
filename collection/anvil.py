"""A local chain: finding Anvil, starting it, and ending it whatever happens.

It listens on a port that the system chose and bound for it (`--port 0`), so there is no moment in which another program
could take a port that was found free. It counts as started when it answers a question, and within a deadline. It is
kept on a leash (`collection.leash`): it ends with the program that started it, even when that one is killed.

Source: Foundry's book, "anvil"; facts that it does not tell stand where they matter.
"""

import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from collection import leash
from collection.errors import AnvilNotFound, AnvilNotStartable, AnvilNotStarted, PortTaken, SnapshotGone
from verifier.errors import ChainError
from verifier.rpc import Endpoint, Patience

SETTING: Final = "DECKPROOF_ANVIL"
"""The environment variable that names the program."""
START_DEADLINE: Final = 30.0
"""Seconds in which Anvil must answer. It takes a tenth of one; a busy machine takes longer."""
GRACE: Final = 5.0
"""Seconds that Anvil has to end by itself (it may have a state file to write) before it is killed."""
CHAIN_ID: Final = 31_337
"""Anvil's own."""

_LISTENING = re.compile(r"Listening on \S+:(\d+)")
_IN_USE = re.compile(r"address already in use", re.IGNORECASE)
_PACKAGES: Final = {
    ("linux", "x86_64"): "anvil-linux-amd64",
    ("linux", "aarch64"): "anvil-linux-arm64",
    ("darwin", "x86_64"): "anvil-darwin-amd64",
    ("darwin", "arm64"): "anvil-darwin-arm64",
}
"""npm package under `@foundry-rs/` that holds the program itself, by system and machine."""
_KEPT_LINES: Final = 100
_KEPT_WIDTH: Final = 500
"""How much of what Anvil prints is kept for an error message; its banner has over 50 lines."""
_POLL: Final = 0.01
_MOMENT: Final = 2.0
"""Seconds for what takes none, unless the machine is busy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnvilSettings:
    """What kind of chain Anvil makes."""

    chain_id: int = CHAIN_ID
    accounts: int = 20
    """How many of the development wallets have ether (`collection.wallets.development_wallets`)."""
    port: int = 0
    """0: whichever is free."""
    block_time: float | None = None
    """Seconds between blocks; None: a block as soon as there is a transaction."""
    state: Path | None = None
    """File from which the chain goes on, if it is there, and in which it is kept when Anvil ends."""
    block_gas_limit: int | None = None
    more: tuple[str, ...] = ()
    """Further arguments of Anvil, such as `("--fork-url", url)`."""

    def arguments(self) -> list[str]:
        """What Anvil is started with.

        Never with `--quiet`, which hides the port. EIP-7825 bounds the gas of a transaction, as on a public chain.
        """
        given = {
            "--block-time": self.block_time,
            "--state": self.state,
            "--gas-limit": self.block_gas_limit,
        }
        return [
            *("--host", "127.0.0.1", "--port", str(self.port), "--chain-id", str(self.chain_id)),
            *("--accounts", str(self.accounts), "--enable-tx-gas-limit"),
            *(word for name, value in given.items() if value is not None for word in (name, str(value))),
            *self.more,
        ]


@dataclass(frozen=True, slots=True)
class Anvil:
    """A chain that runs."""

    url: str
    chain_id: int
    endpoint: Endpoint

    def ask(self, method: str, *params: object) -> object:
        """Ask the chain one question.

        Raises:
            ChainError: it gave no answer, or refused.
        """
        return self.endpoint.ask(method, params)

    def mine(self, blocks: int = 1) -> None:
        """Add blocks, each with what is waiting to be mined."""
        self.ask("anvil_mine", hex(blocks))

    def mine_every(self, seconds: int) -> None:
        """From now on a block every so many seconds, with what is waiting or without."""
        self.ask("evm_setIntervalMining", seconds)

    def snapshot(self) -> str:
        """Remember the chain as it is, and return the name to `revert` to."""
        return str(self.ask("evm_snapshot"))

    def revert(self, snapshot: str) -> None:
        """Make the chain what it was. The snapshot, and every later one, is used up.

        Raises:
            SnapshotGone: it was used up before.
        """
        if self.ask("evm_revert", snapshot) is not True:
            raise SnapshotGone(snapshot)

    @contextmanager
    def rolled_back(self) -> Iterator[None]:
        """Whatever happens to the chain inside has not happened afterwards.

        Anvil's own revert leaves behind when blocks are mined, how far apart in time, and what waits to be mined; that
        is put back too. Which addresses are impersonated, and what the coinbase is, are not.
        """
        snapshot, mining = self.snapshot(), self._mining()
        try:
            yield
        finally:
            self.revert(snapshot)
            self.ask("anvil_dropAllTransactions")
            self.ask("anvil_removeBlockTimestampInterval")
            if self._mining() != mining:
                self._set_mining(*mining)

    @contextmanager
    def one_block(self) -> Iterator[None]:
        """Transactions sent inside are mined together at the end; nothing inside may wait for a receipt."""
        mining = self._mining()
        self.ask("evm_setAutomine", False)  # noqa: FBT003 - JSON-RPC knows no names
        try:
            yield
            self.mine()
        finally:
            self._set_mining(*mining)

    def _mining(self) -> tuple[object, object]:
        """Whether a transaction makes a block, and the seconds between blocks, if any."""
        return self.ask("anvil_getAutomine"), self.ask("anvil_getIntervalMining")

    def _set_mining(self, automine: object, interval: object) -> None:
        self.ask("evm_setAutomine", automine)
        if interval is not None:
            self.ask("evm_setIntervalMining", interval)


# --- finding the program ------------------------------------------------------------------------------------------


def find_anvil(named: Path | None = None, *, environ: Mapping[str, str], start: Path) -> Path:
    """The program itself, never npm's wrapper around it: killing that one leaves Anvil running.

    Args:
        named: by the caller; nothing else is tried.
        environ: `DECKPROOF_ANVIL` names it, else `PATH` may lead to it.
        start: a folder; it and those above may have a `node_modules`.

    Raises:
        AnvilNotStartable: the file named is not a program.
        AnvilNotFound: none was named, and none is anywhere.
    """
    named = named or (Path(environ[SETTING]) if environ.get(SETTING) else None)
    if named is not None:
        return _startable(named)
    on_path = shutil.which("anvil", path=environ.get("PATH", ""))
    folders = dict.fromkeys([start, *start.absolute().parents, Path(__file__).parent.parent])
    installed = [folder / "node_modules" / "@foundry-rs" / _package() / "bin" / "anvil" for folder in folders]
    for candidate in (*([Path(on_path)] if on_path else []), *installed):
        program = _unwrapped(candidate)
        if _fault(program) is None:
            return program
    raise AnvilNotFound((f"${SETTING}", "$PATH", f"node_modules of {start} and of the folders above it"))


def _package() -> str:
    machine = (sys.platform, platform.machine().lower())
    return _PACKAGES.get(machine, "-".join(("anvil", *machine)))


def _startable(named: Path) -> Path:
    program = _unwrapped(named.expanduser().absolute())
    if problem := _fault(program):
        raise AnvilNotStartable(str(program), problem)
    return program


def _unwrapped(candidate: Path) -> Path:
    """The program that npm's wrapper, a script beside the program's own package, would start."""
    script = candidate.resolve()
    if script.suffix != ".mjs":
        return candidate
    return script.parent.parent / _package() / "bin" / "anvil"


def _fault(program: Path) -> str | None:
    if not program.exists():
        return "there is no such file"
    if not program.is_file():
        return "it is not a file"
    if not os.access(program, os.X_OK):
        return "it is not executable"
    return None


# --- starting and ending it ---------------------------------------------------------------------------------------


class Running(Protocol):
    """A program that was started, whoever holds it."""

    def printed(self) -> str:
        """What it printed, or the end of it."""
        ...

    def ended(self) -> bool:
        """Whether it is gone, and has printed all that it will."""
        ...


@contextmanager
def started_anvil(
    program: Path, settings: AnvilSettings | None = None, *, deadline: float = START_DEADLINE, grace: float = GRACE
) -> Iterator[Anvil]:
    """Start Anvil, and end it at the end.

    Args:
        program: what `find_anvil` found.
        settings: what kind of chain.
        deadline: seconds in which it must answer.
        grace: seconds that it has to end by itself.

    Raises:
        AnvilNotStarted: it ended, or did not answer within the deadline; carries what it printed.
        PortTaken: the port asked for is in use.
    """
    settings = settings or AnvilSettings()
    with _running(leashed(program, settings, grace), grace) as running:
        anvil = await_anvil(running, program, settings, deadline)
        try:
            yield anvil
        finally:
            anvil.endpoint.close()


def leashed(program: Path, settings: AnvilSettings, grace: float = GRACE) -> list[str]:
    """The command that runs Anvil until its standard input ends; see `collection.leash`."""
    return [sys.executable, "-I", "-S", leash.__file__, str(grace), str(program), *settings.arguments()]


def await_anvil(running: Running, program: Path, settings: AnvilSettings, deadline: float = START_DEADLINE) -> Anvil:
    """The chain, as soon as it answers.

    Raises:
        AnvilNotStarted: it ended, or did not answer within the deadline.
        PortTaken: the port asked for is in use.
    """
    give_up = time.monotonic() + deadline
    while (listening := _LISTENING.search(running.printed())) is None:
        if running.ended():
            raise _why_ended(running.printed(), program, settings)
        if time.monotonic() > give_up:
            problem = f"it was not listening after {deadline:g} s"
            raise AnvilNotStarted(str(program), problem, running.printed())
        time.sleep(_POLL)
    url = f"http://127.0.0.1:{listening[1]}"
    if trouble := _unanswered(url, settings.chain_id, give_up - time.monotonic()):
        raise AnvilNotStarted(str(program), trouble, running.printed())
    return Anvil(url, settings.chain_id, Endpoint(url))


def _unanswered(url: str, chain_id: int, seconds: float) -> str | None:
    """What is wrong with the answer to the first question; None when nothing is."""
    endpoint = Endpoint(url, patience=Patience(deadline=max(_MOMENT, seconds)))
    try:
        answer = endpoint.ask("eth_chainId", [])
    except ChainError as error:
        return f"it says that it listens, and does not answer ({error})"
    finally:
        endpoint.close()
    return None if answer == hex(chain_id) else f"it serves chain {answer} instead of {hex(chain_id)}"


def _why_ended(printed: str, program: Path, settings: AnvilSettings) -> AnvilNotStarted | PortTaken:
    if settings.port and _IN_USE.search(printed):
        return PortTaken(settings.port)
    return AnvilNotStarted(str(program), "it ended at once", printed)


@contextmanager
def _running(command: Sequence[str], grace: float) -> Iterator["_Process"]:
    process = _Process(command)
    try:
        yield process
    finally:
        process.stop(grace)


class _Process:
    """A leashed program, and the end of what it prints."""

    def __init__(self, command: Sequence[str]) -> None:
        self._popen = subprocess.Popen(  # noqa: S603 - the program is the caller's choice; no shell
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._reading = threading.Thread(target=self._read, name="anvil-output", daemon=True)
        self._reading.start()

    def printed(self) -> str:
        return "".join(tuple(self._lines))

    def ended(self) -> bool:
        if self._popen.poll() is None:
            return False
        self._reading.join(_MOMENT)
        return True

    def stop(self, grace: float) -> None:
        """Let go of the leash, and wait until the program is gone."""
        popen = self._popen
        try:
            if popen.stdin:
                popen.stdin.close()
            popen.wait(grace + _MOMENT)
        except subprocess.TimeoutExpired:
            os.killpg(popen.pid, signal.SIGKILL)
            popen.wait()
        finally:
            self._reading.join(_MOMENT)

    def _read(self) -> None:
        if self._popen.stdout is None:
            return
        with self._popen.stdout as stream:
            while line := stream.readline(_KEPT_WIDTH):
                self._lines.append(line.decode(errors="replace"))
