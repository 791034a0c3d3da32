"""What every answer has: a number, careful headers, a line in the log. HEAD is answered as GET, without the body."""

import json
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from secrets import token_hex
from threading import Lock
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG: Final = logging.getLogger("tournament.access")
REQUEST_ID: Final = "X-Request-Id"
CAREFUL: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with no-referrer, a browser would send `Origin: null` with our own commands
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""For every answer that does not say something else itself."""
MOST_USES: Final = 10_000
"""Tokens whose last use is remembered."""
_FAILED: Final = 400
_DIGITS: Final = 16
"""Of the number of a request."""
_DRAWN: Final = 256
"""Numbers at a time."""
LONGEST_SHOWN: Final = 40
"""Characters of an event's id; what is longer is none."""


@dataclass
class Uses:
    """Which tokens and browsers were used, to be written down now and then, and not with each request."""

    _at: dict[str, str] = field(default_factory=dict)
    _known: OrderedDict[str, str] = field(default_factory=OrderedDict)
    """What was noted before, so that nothing is written twice for one use."""
    _lock: Lock = field(default_factory=Lock)

    def note(self, digest: str, now: datetime) -> None:
        """A token was used, and was good."""
        at = now.astimezone(UTC).isoformat(timespec="minutes")[:-7]  # ten minutes are near enough
        with self._lock:
            if self._known.get(digest) == at or len(self._at) >= MOST_USES:
                return
            self._known[digest] = at
            self._known.move_to_end(digest)
            if len(self._known) > MOST_USES:
                self._known.popitem(last=False)
            self._at[digest] = now.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

    def taken(self) -> list[tuple[str, str]]:
        """What is to be written down, in one order for all processes; it is forgotten here."""
        with self._lock:
            uses, self._at = sorted(self._at.items()), {}
        return uses


class Heads:
    """Numbers requests, adds headers, writes the log."""

    def __init__(self, app: ASGIApp, uses: Uses) -> None:
        self._app = app
        self._uses = uses
        self._ids = _Ids()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(scope, send, self._ids.draw())
        inner = {**scope, "method": "GET"} if answer.is_head else dict(scope)
        inner["state"] = {**scope.get("state", {}), "request_id": answer.id}
        try:
            await self._app(inner, receive, answer.send)
        finally:
            digest = inner["state"].get("shown")
            if digest is not None and answer.status < _FAILED:
                self._uses.note(digest, datetime.now(UTC))
            if LOG.isEnabledFor(logging.INFO):
                LOG.info("%s", answer.line(inner))


class _Ids:
    """Random numbers of requests, drawn many at a time: whoever asks for chance lets another thread go first."""

    def __init__(self) -> None:
        self._drawn: list[str] = []

    def draw(self) -> str:
        """16 hex digits."""
        try:
            return self._drawn.pop()
        except IndexError:
            digits = token_hex(_DIGITS // 2 * _DRAWN)
            first, *self._drawn = (digits[at : at + _DIGITS] for at in range(0, len(digits), _DIGITS))
            return first


class _Answer:
    """An answer on its way out."""

    def __init__(self, scope: Scope, send: Send, number: str) -> None:
        self.id = number
        self.is_head = scope["method"] == "HEAD"
        self.status = 500
        self._method = scope["method"]
        self._send = send
        self._size = 0
        self._begun = time.perf_counter()
        self._is_over = False

    async def send(self, message: Message) -> None:
        """Pass a part of it on."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(raw=list(message.get("headers", [])))
            for name, value in CAREFUL.items():
                headers.setdefault(name, value)
            headers[REQUEST_ID] = self.id
            message = {**message, "headers": headers.raw}
        elif self.is_head:
            if self._is_over:
                return
            self._is_over = True
            message = {"type": "http.response.body", "body": b"", "more_body": False}
        self._size += len(message.get("body", b""))
        await self._send(message)

    def line(self, scope: Scope) -> str:
        """What the log has: the route and not the path, because a path may hold a code; no query, and no body."""
        route, client = scope.get("route"), scope.get("client")
        values = {
            "at": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "id": self.id,
            "method": self._method,
            "route": getattr(route, "path_format", None) or getattr(route, "path", None),
            "event": str(scope.get("path_params", {}).get("event") or "")[:LONGEST_SHOWN] or None,
            "status": self.status,
            "ms": round((time.perf_counter() - self._begun) * 1000, 1),
            "bytes": self._size,
            "client": client[0] if client else None,
        }
        return json.dumps(values)
