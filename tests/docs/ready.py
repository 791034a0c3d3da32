"""`deckproof`, imported once: a program of that name that starts in a moment, for whoever types many commands.

Most of the time of a short command is Python's, which reads the same modules each time. Here a process that has read
them forks for each command, which has standard streams, folder and environment of its own, and an exit code.

    with ready(folder) as bin: …      `bin` has the program; put it first in PATH
"""

import importlib
import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LISTENS_WITHIN = 60.0
_STREAMS = 3
_PART = 65_536
_CLIENT = """#!{python} -SI
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as there:
    there.connect({address!r})
    socket.send_fds(there, [b"-"], [0, 1, 2])
    there.sendall(json.dumps([sys.argv, os.getcwd(), dict(os.environ)]).encode())
    there.shutdown(socket.SHUT_WR)
    ended = there.recv(1)
os._exit(ended[0] if ended else 70)
"""


@contextmanager
def ready(folder: Path) -> Iterator[Path]:
    """A folder with a `deckproof` that starts at once, as long as the block lasts."""
    address = str(folder / "ready")
    program = folder / "bin" / "deckproof"
    program.parent.mkdir()
    program.write_text(_CLIENT.format(python=sys.executable, address=address), encoding="utf-8")
    program.chmod(0o755)
    here = [sys.executable, "-m", "tests.docs.ready", address]
    with subprocess.Popen(here, cwd=Path(__file__).parents[2], env=os.environ | {"PYTHONUNBUFFERED": "1"}) as process:
        try:
            _await(address, process)
            yield program.parent
        finally:
            process.kill()


def _await(address: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + LISTENS_WITHIN
    while not Path(address).exists():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("nobody listens")
        time.sleep(0.02)


def _listen(address: str) -> None:
    _read_all()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{address}.not-yet")
        listening.listen(64)
        os.rename(f"{address}.not-yet", address)  # noqa: PTH104 - a socket
        while True:
            there, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _wait_for(there)
            there.close()


def _read_all() -> None:
    """Everything that a command may need, so that nothing is read twice."""
    from cli import main  # noqa: PLC0415 - in the process that forks, and nowhere else

    for place in main._COMMANDS.values():  # noqa: SLF001 - the table is the one list of commands
        importlib.import_module(place.module)
    for name in (
        "rich.table",
        "rich.box",
        "rich.console",
        "tournament.problem",
        "verifier.check",
        "eth_account.messages",
    ):
        importlib.import_module(name)


def _wait_for(there: socket.socket) -> None:
    """Run one command, and tell how it ended."""
    _, streams, _, _ = socket.recv_fds(there, 1, _STREAMS)
    asked = bytearray()
    while part := there.recv(_PART):
        asked += part
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if child == 0:
        there.close()
        for stream, standard in zip(streams, range(_STREAMS), strict=True):
            os.dup2(stream, standard)
            os.close(stream)
        os._exit(_run(*json.loads(asked)))
    for stream in streams:
        os.close(stream)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    there.sendall(bytes([code if code >= 0 else 128 - code]))
    os._exit(0)


def _run(words: list[str], folder: str, environment: dict[str, str]) -> int:
    from cli import main  # noqa: PLC0415 - as above

    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["deckproof", *words[1:]]
    sys.stdin = io.TextIOWrapper(os.fdopen(0, "rb"), encoding="utf-8")
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(os.fdopen(stream, "wb", 0), encoding="utf-8", write_through=True) for stream in (1, 2)
    )
    sys.modules["__main__"].__package__ = None  # else its name is that of this module
    code: object = 0
    try:
        main.main()
    except SystemExit as ended:
        code = ended.code
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:
                code = code or 1
    if isinstance(code, str):
        print(code, file=sys.stderr)  # noqa: T201 - as Python does
        return 1
    return int(code or 0)  # type: ignore[call-overload,no-any-return]


if __name__ == "__main__":
    _listen(sys.argv[1])
