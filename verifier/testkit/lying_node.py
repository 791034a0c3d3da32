"""A JSON-RPC endpoint on this machine that says what it is told to say."""

import json
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Protocol, Self, TypeAlias, cast

from verifier.errors import EndpointRefused
from verifier.rpc import Endpoint
from verifier.testkit.scripted_chain import Question, Refusal

Answerer: TypeAlias = Callable[[Question], object]
Lie: TypeAlias = Callable[[Question, Answerer], object]
"""A question and the honest answerer to a JSON result, or to a `Reply`; raises `Refusal` for a JSON-RPC error."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that says something at the level of HTTP."""

    status: int = 200
    reason: str = "Said"
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    """None: the JSON-RPC answer with `result`."""
    result: object = None
    number: object = None
    """Another id than the question's."""
    cut: int | None = None
    """Send so many bytes of the body and close the connection."""
    drip: float = 0.0
    """Seconds between bytes; headers too."""
    wait: float = 0.0
    """Seconds before anything is sent."""
    drop: bool = False
    """Close the connection without a word."""


class Node(Protocol):
    """What can stand behind a lying node."""

    def answer(self, question: Question) -> object:
        """The honest answer. Raises: Refusal."""
        ...


class Relay:
    """Another endpoint as the honest one behind a lying node, such as a real Anvil."""

    def __init__(self, url: str) -> None:
        self._endpoint = Endpoint(url)

    def answer(self, question: Question) -> object:
        """What that endpoint answers."""
        try:
            return self._endpoint.ask(question.method, question.params)
        except EndpointRefused as refused:
            raise Refusal(refused.code, refused.message, refused.data) from refused


class LyingNode:
    """Serves a chain over HTTP on a free port of this machine, honestly until told a lie.

    Args:
        behind: the honest one.
        tls: serve HTTPS, with this certificate.

    Attributes:
        url: where it listens.
        questions: every question so far, in order of arrival.
        connections: how many were opened so far.
    """

    def __init__(self, behind: Node, *, tls: ssl.SSLContext | None = None) -> None:
        self._behind = behind
        self._lies: list[Lie] = []
        self.questions: list[Question] = []
        self.connections = 0
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._server = _Server(self)
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def tell(self, *more: Lie) -> Self:
        """From now on, also lie in these ways; the last told is asked first."""
        self._lies += more
        return self

    def be_honest(self) -> Self:
        """Forget all lies."""
        self._lies.clear()
        return self

    def hang_up(self) -> Self:
        """Close every connection, as a server does with idle ones."""
        for line in tuple(self._server.lines):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        return self

    def count(self, method: str) -> int:
        """How often a method was asked."""
        return sum(question.method == method for question in self.questions)

    def answer(self, question: Question) -> object:
        """What the node says, lies included."""
        with self._lock:
            self.questions.append(question)
            lies = tuple(self._lies)
        answerer: Answerer = self._behind.answer
        for lie in lies:
            answerer = _told(lie, answerer)
        return answerer(question)

    def wait(self, seconds: float) -> None:
        """Sleep, or until the node stops."""
        self._stopping.wait(seconds)


def _told(lie: Lie, honest: Answerer) -> Answerer:
    return lambda question: lie(question, honest)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, node: LyingNode) -> None:
        self.node = node
        self.lines: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent: callers hang up, and refuse certificates."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def setup(self) -> None:
        self.server.node.connections += 1
        self.server.lines.add(self.request)
        super().setup()

    def finish(self) -> None:
        self.server.lines.discard(self.request)
        super().finish()

    def do_POST(self) -> None:
        with suppress(OSError, ValueError):  # the caller left in the middle of its question
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._send(self._reply_to(asked))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Stay silent."""

    def _reply_to(self, asked: dict[str, object]) -> Reply:
        try:
            answer = self.server.node.answer(
                Question(str(asked["method"]), tuple(cast("list[object]", asked["params"])))
            )
        except Refusal as refusal:
            error = {"code": refusal.code, "message": refusal.message, "data": refusal.data}
            return Reply(body=_document(asked["id"], "error", error))
        reply = answer if isinstance(answer, Reply) else Reply(result=answer)
        if reply.body is not None:
            return reply
        return replace(
            reply, body=_document(asked["id"] if reply.number is None else reply.number, "result", reply.result)
        )

    def _send(self, reply: Reply) -> None:
        self.server.node.wait(reply.wait)
        body = reply.body or b""
        headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **reply.headers}
        head = (
            f"HTTP/1.1 {reply.status} {reply.reason}\r\n"
            + "".join(f"{k}: {v}\r\n" for k, v in headers.items())
            + "\r\n"
        )
        self.close_connection = reply.drop or reply.cut is not None or reply.headers.get("Connection") == "close"
        if reply.drop:
            return
        if reply.drip:
            self._drip(head.encode("latin-1") + body, reply.drip)
        else:
            self.wfile.write(head.encode("latin-1") + body[: reply.cut])

    def _drip(self, data: bytes, pause: float) -> None:
        for byte in data:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            self.server.node.wait(pause)


def _document(number: object, key: str, value: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, key: value}).encode()
