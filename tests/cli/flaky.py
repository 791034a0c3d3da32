"""Between a command and its server: a line on which answers get lost, and a server that is busy, or another one."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

LOST = "lost"
"""The server does what it is told, and its answer does not arrive."""
CUT = "cut"
"""Half of the answer arrives."""
BUSY = "busy"
"""The server is not asked; somebody says: in a moment."""
LATER = "later"
"""The same, and the moment is long."""
ELSEWHERE = "elsewhere"
"""A redirect."""
PAGE = "page"
"""The sign-in page of a hotel."""
NONSENSE = "nonsense"
"""Said to be JSON, and is none."""


@dataclass
class Line:
    """What happens to the next requests, one after the other; then nothing does."""

    server: str
    url: str = ""
    happens: list[str] = field(default_factory=list)
    passed: list[tuple[str, str, str | None, str | None]] = field(default_factory=list)
    """Method, path, idempotency key and token of what came through here."""


@contextmanager
def line_to(server: str) -> Iterator[Line]:  # noqa: C901 - all that can go wrong on a line
    line = Line(server)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def _pass(self) -> None:
            happens = line.happens.pop(0) if line.happens else ""
            line.passed.append(
                (self.command, self.path, self.headers["Idempotency-Key"], self.headers["Authorization"])
            )
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
            if happens in {BUSY, LATER}:
                self._say(503, b'{"detail": "in a moment"}', {"Retry-After": "0" if happens == BUSY else "3600"})
            elif happens == ELSEWHERE:
                self._say(307, b"", {"Location": "https://elsewhere.example/"})
            elif happens == PAGE:
                self._say(200, b"<h1>Welcome to our hotel</h1>", {"Content-Type": "text/html"})
            elif happens == NONSENSE:
                self._say(200, b"{", {"Content-Type": "application/json"})
            else:
                status, answer, headers = self._ask(body)
                if happens == LOST:
                    self.close_connection = True
                elif happens == CUT:
                    self._say(status, answer, headers, cut=True)
                else:
                    self._say(status, answer, headers)

        def _ask(self, body: bytes) -> tuple[int, bytes, dict[str, str]]:
            connection = http.client.HTTPConnection(urlsplit(line.server).netloc, timeout=30)
            connection.request(self.command, self.path, body, dict(self.headers))
            answer = connection.getresponse()
            read = answer.read()
            connection.close()
            kept = {name: answer.headers[name] for name in ("Content-Type", "ETag") if answer.headers[name]}
            return answer.status, read, kept

        def _say(self, status: int, body: bytes, headers: dict[str, str], *, cut: bool = False) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if cut else body)
            self.close_connection = self.close_connection or cut

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _pass  # noqa: N815 - as the standard library calls them

    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    proxy.daemon_threads = True
    thread = threading.Thread(target=proxy.serve_forever)
    thread.start()
    line.url = f"http://127.0.0.1:{proxy.server_port}"
    try:
        yield line
    finally:
        proxy.shutdown()
        thread.join()
        proxy.server_close()
