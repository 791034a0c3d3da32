"""Live streams as a reader has them, and a server in this process for as many as are wanted."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from fastapi import FastAPI

WITHIN = 20.0


@dataclass
class Reader:
    """Reads a stream as browsers do. Source: WHATWG HTML, "Interpreting an event stream"."""

    port: int
    path: str
    token: str = ""
    last: str = ""
    """The id of the last thing that was told."""
    news: list[dict[str, Any]] = field(default_factory=list)
    comments: int = 0
    retry: int = 0
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    problem: dict[str, Any] = field(default_factory=dict)
    has_ended: bool = False
    """The server ended the stream in good order."""
    _answer: http.client.HTTPResponse | None = None

    def __post_init__(self) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WITHIN)
        self.open()

    def open(self) -> "Reader":
        """Begin to read, or come back."""
        self.close()
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if self.last:
            headers["Last-Event-ID"] = self.last
        self._line.request("GET", self.path, headers=headers)
        self._answer = self._line.getresponse()
        self.status, self.headers = self._answer.status, {k.lower(): v for k, v in self._answer.getheaders()}
        self.has_ended = False
        if self.status != 200:
            self.problem = json.loads(self._answer.read())
        return self

    def until(self, is_enough: Callable[["Reader"], object]) -> "Reader":
        """Read on."""
        data = ""
        end = time.monotonic() + WITHIN
        is_between = True
        while not (is_between and is_enough(self)) and not self.has_ended:
            assert time.monotonic() < end, f"still waiting, with {self.news[-3:]}"
            assert self._answer is not None
            line = self._answer.readline().decode()
            name, _, value = line.rstrip("\n").partition(": ")
            is_between = line == "\n"
            if not line:
                self.has_ended = True
            elif name == "data":
                data = value
            elif name == "id":
                self.last = value
            elif name == "retry":
                self.retry = int(value)
            elif name == ":":
                self.comments += 1
            elif not name and data:
                self.news.append(json.loads(data))
                data = ""
        return self

    def until_version(self, version: int) -> list[int]:
        """Read up to that version; the versions that were told."""
        self.until(lambda reader: reader.last and int(reader.last.partition("-")[0]) >= version)
        return self.versions

    @property
    def versions(self) -> list[int]:
        return [one["version"] for one in self.news]

    @property
    def topics(self) -> list[list[str]]:
        return [one["topics"] for one in self.news]

    def back(self, port: int) -> "Reader":
        """Come back, to a server that may have been started again."""
        self.close()
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=WITHIN)
        return self.open()

    def close(self) -> None:
        if self._answer is not None:
            self._answer.close()
        self._line.close()


@contextmanager
def running(app: FastAPI) -> Iterator[int]:
    """Serve an application in a thread; gives its port."""
    config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.005)
        try:
            yield listener.getsockname()[1]
        finally:
            app.state.hub._loop.call_soon_threadsafe(app.state.hub.end)  # noqa: SLF001 - what a signal does
            server.should_exit = True
            thread.join(10)
    assert not thread.is_alive()
