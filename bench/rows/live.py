"""Phones that listen: how long after a command everybody has been told of it."""

import http.client
import json
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from measuring import Times
from reporting import Measure, Row, Target

from rows import Bench

LISTENERS: Final = 600
COMMANDS: Final = 40
"""A round."""
PAUSE_S: Final = 0.05
"""Between two commands; a full venue reports more slowly."""
WITHIN_S: Final = 60.0
PROGRAM: Final = str(Path(sys.executable).with_name("deckproof"))


def live_listeners(bench: Bench) -> Iterator[Row]:
    """The slowest hundredth of the phones, against the same with one phone."""
    many = 20 if bench.quick else LISTENERS
    commands = 4 if bench.quick else COMMANDS
    with _served() as server:
        event = server.event()
        slowest: dict[int, list[float]] = {many: [], 1: []}
        for _ in range(bench.rounds(7)):
            for listeners, seen in slowest.items():
                with Phones(server.port, event, listeners) as phones:
                    took = sorted(phones.hear(server, event, commands))
                assert len(took) == listeners * commands, "somebody was not told something, or twice"
                seen.append(took[int(len(took) * 0.99)])
    yield Row(
        what="from a command to the phones, slowest hundredth",
        size=f"{many:,} live listeners, {commands} commands",
        ours=Times(tuple(slowest[many])),
        reference="the same with one listener",
        against=Times(tuple(slowest[1])),
        targets=(Target(Measure.SECONDS, 0.2),),
    )


@dataclass
class Server:
    """A server of our own, on SQLite."""

    port: int
    token: str
    names: int = 0

    def ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
        """The answer to a request."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WITHIN_S)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        line.request(method, path, None if body is None else json.dumps(body), headers)
        answer = line.getresponse()
        said = answer.read()
        line.close()
        assert answer.status in {200, 201}, said
        return json.loads(said)

    def event(self) -> str:
        """A published event that players may enter; its path."""
        path = f"/events/{self.ask('POST', '/events', {'name': 'Spring Open'})['event']}"
        for step in ("publish", "registration/open"):
            self.ask("POST", f"{path}/{step}")
        return path

    def enters(self, path: str) -> int:
        """A command; the version of the event after it."""
        self.names += 1
        return int(self.ask("POST", f"{path}/entries", {"name": f"p{self.names}"})["sequence"])


@dataclass
class Phones:
    """Listeners, all read by one thread as fast as it can."""

    port: int
    path: str
    many: int
    _lines: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)

    def __enter__(self) -> Self:
        for _ in range(self.many):
            line = socket.create_connection(("127.0.0.1", self.port), WITHIN_S)
            line.sendall(f"GET {self.path}/stream HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
            said = b""
            while b"id: " not in said or not said.endswith(b"\n\n\r\n"):
                said += line.recv(65536)
            self._lines.register(line, selectors.EVENT_READ)
        return self

    def __exit__(self, *_: object) -> None:
        for key in list(self._lines.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._lines.close()

    def hear(self, server: Server, path: str, commands: int) -> list[float]:
        """Seconds from giving each command to each phone's hearing of it."""
        given: dict[int, float] = {}
        arrived: list[tuple[int, float]] = []

        def give() -> None:
            for _ in range(commands):
                begun = time.perf_counter()
                given[server.enters(path)] = begun
                time.sleep(PAUSE_S)

        giver = threading.Thread(target=give)
        giver.start()
        end = time.monotonic() + WITHIN_S
        while len(arrived) < commands * self.many and time.monotonic() < end:
            for key, _ in self._lines.select(0.5):
                said = key.fileobj.recv(65536)  # type: ignore[union-attr]
                now = time.perf_counter()
                arrived += [(int(part.partition(b"-")[0]), now) for part in said.split(b"id: ")[1:]]
        giver.join()
        return [now - given[version] for version, now in arrived]


@contextmanager
def _served() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="deckproof-bench-") as folder:
        words = (PROGRAM, "admin", "create", "ann", "--password-stdin")
        said = "correct horse battery staple\n"
        made = subprocess.run(words, cwd=folder, input=said, capture_output=True, text=True, check=True)  # noqa: S603
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        process = subprocess.Popen(  # noqa: S603 - ourselves
            (PROGRAM, "serve", "--port", str(port)), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            server = Server(port, made.stdout.strip())
            _await(server)
            yield server
        finally:
            process.terminate()
            process.wait()


def _await(server: Server) -> None:
    end = time.monotonic() + WITHIN_S
    while time.monotonic() < end:
        try:
            server.ask("GET", "/health")
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server did not start")


ROWS = (live_listeners,)
