"""A longer way to a port of this machine: whatever is sent arrives half a round trip later, and as fast as before.

    with far_away(port, round_trip=0.030) as far:
        ...  # talk to far.port; far.round_trip is what a ping was seen to take

A process of its own, so that its work is not done in ours. Each piece of data is kept for its time and passed on; there
is no bound on how much is under way, so a long answer is late and not slow. What it does not do: connecting is not
delayed (the system answers for it), nothing is lost, and TCP does not have to find out how fast it may send. What is
measured on kept-alive connections needs none of these.

    python bench/relay.py PORT SECONDS     relays from a port that it prints, until its standard input ends
"""

import os
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

_PIECE = 1 << 18
"""Bytes read at once."""
_HERE = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class FarAway:
    """The near end of a long way."""

    port: int
    round_trip: float
    """Seconds, as measured by sending a byte to and fro."""


@contextmanager
def far_away(port: int, round_trip: float) -> Iterator[FarAway]:
    """A way to the port that takes so many seconds to and fro."""
    with _echo() as echo, _relayed(echo, round_trip / 2) as near:
        seen = _ping(near)
    with _relayed(port, round_trip / 2) as near:
        yield FarAway(near, seen)


@contextmanager
def _relayed(port: int, delay: float) -> Iterator[int]:
    process = subprocess.Popen(  # noqa: S603 - ourselves
        [sys.executable, str(Path(__file__)), str(port), str(delay)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        assert process.stdin
        assert process.stdout
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()


@contextmanager
def _echo() -> Iterator[int]:
    """A port that sends back what it gets, to the first who comes."""

    def serve() -> None:
        line, _ = listener.accept()
        with line:
            while piece := line.recv(_PIECE):
                line.sendall(piece)

    with socket.create_server((_HERE, 0)) as listener:
        server = threading.Thread(target=serve, daemon=True)
        server.start()
        yield listener.getsockname()[1]
        server.join(1)


def _ping(port: int, times: int = 15) -> float:
    seen = []
    with socket.create_connection((_HERE, port)) as line:
        for _ in range(times):
            start = time.perf_counter()
            line.sendall(b"?")
            line.recv(1)
            seen.append(time.perf_counter() - start)
    return statistics.median(seen)


# --- in the relay's own process -----------------------------------------------------------------------------------


def relay(port: int, delay: float) -> None:
    """Print the near port, and relay until standard input ends."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    with socket.create_server((_HERE, 0), backlog=128) as listener:
        print(listener.getsockname()[1], flush=True)
        while True:
            near, _ = listener.accept()
            far = socket.create_connection((_HERE, port))
            for here, there in ((near, far), (far, near)):
                there.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                pieces: SimpleQueue[tuple[float, bytes]] = SimpleQueue()
                threading.Thread(target=_receive, args=(here, pieces, delay), daemon=True).start()
                threading.Thread(target=_pass_on, args=(there, pieces), daemon=True).start()


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


def _receive(line: socket.socket, pieces: "SimpleQueue[tuple[float, bytes]]", delay: float) -> None:
    piece = b"?"
    while piece:
        try:
            piece = line.recv(_PIECE)
        except OSError:
            piece = b""  # it broke off, and that is passed on as an end
        pieces.put((time.perf_counter() + delay, piece))


def _pass_on(line: socket.socket, pieces: "SimpleQueue[tuple[float, bytes]]") -> None:
    while True:
        due, piece = pieces.get()
        time.sleep(max(0.0, due - time.perf_counter()))
        with suppress(OSError):  # nobody is there any more
            if piece:
                line.sendall(piece)
                continue
            line.shutdown(socket.SHUT_WR)
        return


if __name__ == "__main__":
    relay(int(sys.argv[1]), float(sys.argv[2]))
