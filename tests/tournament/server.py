"""A real server process, and a client that knows what it was told."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.tournament.postgres import free_port

START_WITHIN = 60.0


@dataclass
class Server:
    process: subprocess.Popen[bytes]
    port: int

    def ask(self, method: str, path: str, body: object = None, *, token: str = "", key: str = "") -> tuple[int, bytes]:
        """Raises: OSError, http.client.HTTPException if there is no whole answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if key:
            headers["Idempotency-Key"] = key
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def json(self, path: str, token: str = "") -> Any:
        status, body = self.ask("GET", path, token=token)
        assert status == 200, body
        return json.loads(body)

    def kill(self) -> None:
        """With the processes that it works in, which would go on without it."""
        with suppress(psutil.NoSuchProcess):
            below = psutil.Process(self.process.pid).children(recursive=True)
            self.process.send_signal(signal.SIGKILL)
            for one in below:
                with suppress(psutil.NoSuchProcess):
                    one.kill()
        self.process.wait()


def environment(url: str) -> dict[str, str]:
    """Settings for a server over that database."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("DECKPROOF_")}
    if url.startswith("sqlite"):
        return own | {"DECKPROOF_DATA": str(Path(url.removeprefix("sqlite:///")).parent)}
    return own | {"DECKPROOF_DATABASE_URL": url}


SERVE = (str(Path(sys.executable).with_name("deckproof")), "serve")


@contextmanager
def served(url: str, folder: Path, *words: str, command: Sequence[str] = SERVE, **settings: str) -> Iterator[Server]:
    """`deckproof serve`, or another command that takes a port, over a database; killed at the end if it still runs."""
    port = free_port()
    with (folder / "server.log").open("ab") as log:
        process = subprocess.Popen(
            [*command, "--port", str(port), *words],
            cwd=folder,
            env=environment(url) | settings,
            stdout=log,
            stderr=log,
        )
    server = Server(process, port)
    try:
        _await(server, folder)
        yield server
    finally:
        server.kill()


def _await(server: Server, folder: Path) -> None:
    deadline = time.monotonic() + START_WITHIN
    while time.monotonic() < deadline and server.process.poll() is None:
        try:
            if server.ask("GET", "/health")[0] == 200:
                return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"no server: {(folder / 'server.log').read_text()}")
