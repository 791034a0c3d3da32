"""A receiver of webhooks, who checks signatures as the specification says and answers what it is told to."""

import base64
import hashlib
import hmac
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Headers = dict[str, str]


@dataclass(frozen=True)
class Message:
    id: str
    headers: Headers
    raw: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.raw)

    @property
    def told(self) -> Any:
        return self.body["data"]

    def is_signed_with(self, secret: str) -> bool:
        """Source: Standard Webhooks, "Verifying signatures"."""
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        content = b".".join([self.id.encode(), self.headers["webhook-timestamp"].encode(), self.raw])
        expected = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
        return f"v1,{expected}" in self.headers["webhook-signature"].split(" ")


@dataclass
class Receiver:
    url: str
    messages: list[Message] = field(default_factory=list)
    answers: list[bytes] = field(default_factory=list)
    """Whole answers, to be given in turn; then everything is fine."""
    came: threading.Condition = field(default_factory=threading.Condition)

    def says(self, *statuses: int, **headers: str) -> None:
        extra = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        self.answers += [f"HTTP/1.1 {status} x\r\n{extra}Content-Length: 0\r\n\r\n".encode() for status in statuses]

    def until(self, many: int, within: float = 20) -> list[Message]:
        with self.came:
            assert self.came.wait_for(lambda: len(self.messages) >= many, within), self.ids
        return self.messages

    @property
    def ids(self) -> list[str]:
        return [message.id for message in self.messages]

    @property
    def versions(self) -> list[int]:
        return [message.told["version"] for message in self.messages]


@contextmanager
def receiving(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    receiver = Receiver("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            with receiver.came:
                receiver.messages.append(Message(headers.get("webhook-id", ""), {**headers, "path": self.path}, raw))
                receiver.came.notify_all()
                answer = receiver.answers.pop(0) if receiver.answers else b"HTTP/1.1 204 fine\r\n\r\n"
            self.wfile.write(answer)
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    receiver.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}/hook?x=secret"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
