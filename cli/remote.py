"""The event service over HTTP: a question or a command, sent again until there is an answer, within a deadline.

A command has one id however often it is sent (`Idempotency-Key`), so it happens once even where answers are lost.

| what happens | what is done |
|---|---|
| no connection, a broken one, no whole answer in time | tried again, with growing pauses |
| 502, 503, 504, 429 | tried again after `Retry-After`, up to the deadline; given up at once where that is past it |
| another answer of the service | it is the answer, or its refusal |
| a redirect | an error that names where it leads: the token is for one server |
| anything else | an error: something else answers there |

Written with `http.client` (docs/decisions/0029).
"""

import http.client
import json
import random
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import urlsplit

from cli.errors import Refused, ServerUnexpected, ServerUnreachable
from cli.screen import plain_text
from verifier.nesting import check_nesting
from verifier.rpc import Patience

LARGEST: Final = 256 << 20
"""Bytes of an answer: twice the largest event file."""
SLOW_S: Final = 600.0
"""For what may take the server a while: pairing thousands, an import."""
_WORTH_TELLING_S: Final = 1.0
"""Of a pause that the server names."""
_PART: Final = 1 << 16
_NO_DIFFERENCE_S: Final = 2.0
_BUSY: Final = frozenset({429, 502, 503, 504})
JSON: Final = "application/json"
_SHOWN: Final = 80


@dataclass(frozen=True)
class Answer:
    """What the service answered."""

    server: str
    status: int
    headers: Mapping[str, str]
    """By their names in small letters."""
    body: bytes

    @property
    def document(self) -> Any:  # noqa: ANN401 - any JSON
        """The body as JSON. Raises: ServerUnexpected."""
        try:
            check_nesting(self.body)
            return json.loads(self.body)
        except ValueError as error:
            raise ServerUnexpected(self.server, "its answer is not JSON") from error


@dataclass(frozen=True)
class _TryAgain(Exception):
    """An attempt that was in vain."""

    problem: str
    was_sent: bool
    after: float | None = None


class Server:
    """An event service, asked one thing after another over one connection.

    Args:
        url: `http` or `https`, perhaps with a path before the service's own.
        token: of whoever asks; None for anybody.
        patience: deadlines and attempts.
        clock: seconds, monotonic.
        sleep: waits for seconds.
        rng: source of the jitter, 0 to 1.
        tell: tells a person why there is nothing yet, once.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: Patience | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        rng: Callable[[], float] = random.random,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        parts = urlsplit(url)
        self.url = url.rstrip("/")
        self.has_token = token is not None
        self.ahead_s = 0.0
        """Seconds that the server's clock is ahead of ours, as far as its last answer tells."""
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._host, self._port, self._path = parts.hostname or "", parts.port, parts.path.rstrip("/")
        self._headers = {"User-Agent": "deckproof"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._patience = patience or Patience()
        self._clock, self._sleep, self._rng = clock, sleep, rng
        self._tell = tell
        self._connection: http.client.HTTPConnection | None = None

    def get(self, path: str, *, etag: str | None = None, kind: str = JSON, slow: bool = False) -> Answer:
        """Read; an answer with status 304 if what the ETag is of has not changed.

        Args:
            path: from the root of the service.
            etag: of what is known.
            kind: media type of the answer.
            slow: it may take minutes.

        Raises:
            Refused, ServerError
        """
        return self.send("GET", path, headers={"If-None-Match": etag} if etag else {}, kind=kind, slow=slow)

    def command(
        self,
        method: str,
        path: str,
        body: bytes | None,
        *,
        command: str,
        version: int | None = None,
        body_kind: str = JSON,
        slow: bool = False,
    ) -> Answer:
        """Give a command: it is done once, however often it has to be sent.

        Args:
            method: POST, PUT or PATCH.
            path: from the root of the service.
            body: of the media type `body_kind`.
            command: the id of the command.
            version: of the event, that the asker looked at; None: whatever it is.
            body_kind: the media type of the body.
            slow: it may take minutes.

        Raises:
            Refused, ServerError
        """
        headers = {"Idempotency-Key": command, "Content-Type": body_kind}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return self.send(method, path, body, headers=headers, slow=slow)

    def send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        kind: str = JSON,
        slow: bool = False,
    ) -> Answer:
        """Send, and send again, until there is an answer of that media type.

        Raises:
            Refused: the service said no.
            ServerUnreachable: no answer within the deadline.
            ServerUnexpected: an answer that is not of the event service.
        """
        all_headers = {**self._headers, "Accept": kind, "Content-Type": JSON, **(headers or {})}
        if body is None:
            del all_headers["Content-Type"]
        give_up = self._clock() + max(self._patience.deadline, SLOW_S if slow else 0)
        timeout = SLOW_S if slow else self._patience.timeout
        attempt, was_sent, told = 1, False, False
        while True:
            try:
                answer = self._once(method, path, body, all_headers, min(give_up, self._clock() + timeout))
                return self._judged(answer, kind)
            except _TryAgain as trouble:
                self.close()
                was_sent = was_sent or trouble.was_sent
                says_when = trouble.after is not None  # so it is there, and only the deadline ends that
                pause = max(trouble.after or 0.0, self._patience.first_pause) if says_when else self._pause(attempt)
                tried = attempt >= self._patience.attempts and not says_when
                if tried or self._clock() + pause >= give_up:
                    command = all_headers.get("Idempotency-Key") if was_sent else None
                    raise ServerUnreachable(self.url, trouble.problem, attempt, command) from trouble
                if says_when and pause > _WORTH_TELLING_S and self._tell and not told:
                    self._tell(f"{trouble.problem}; waiting, Ctrl-C ends it")
                    told = True
                self._sleep(pause)
                attempt += 1

    @property
    def now(self) -> datetime:
        """The time by the server's clock."""
        return datetime.now(UTC) + timedelta(seconds=self.ahead_s)

    def close(self) -> None:
        """Drop the connection; the next question makes another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _once(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], end: float) -> Answer:
        """One attempt. Raises: _TryAgain."""
        was_sent = False
        try:
            connection = self._connected(end)
            was_sent = True
            connection.request(method, self._path + path, body, dict(headers))
            response = connection.getresponse()
            headers = {name.lower(): value for name, value in response.getheaders()}
            answer = Answer(self.url, response.status, headers, self._read(response, end))
            self.ahead_s = _ahead(headers.get("date"), self.ahead_s)
        except TimeoutError as error:
            raise _TryAgain("no whole answer in time", was_sent) from error
        except ssl.SSLError as error:
            raise ServerUnexpected(self.url, f"no trusted connection ({error.reason or error})") from error
        except (OSError, http.client.HTTPException) as error:
            raise _TryAgain(_words(error), was_sent) from error
        if answer.status in _BUSY:
            raise _TryAgain(_detail(answer), was_sent=False, after=_retry_after(answer.headers.get("retry-after")))
        return answer

    def _connected(self, end: float) -> http.client.HTTPConnection:
        left = end - self._clock()
        if left <= 0:
            raise TimeoutError
        if self._connection is None:
            made = (
                http.client.HTTPConnection(self._host, self._port, timeout=left)
                if self._tls is None
                else http.client.HTTPSConnection(self._host, self._port, timeout=left, context=self._tls)
            )
            made.connect()
            self._connection = made
        self._connection.sock.settimeout(left)
        return self._connection

    def _read(self, response: http.client.HTTPResponse, end: float) -> bytes:
        read = bytearray()
        while part := response.read1(_PART):
            read += part
            if len(read) > LARGEST:
                raise ServerUnexpected(self.url, f"its answer has more than {LARGEST:,} bytes")
            if self._clock() > end:
                raise TimeoutError
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
        if response.will_close:
            self.close()
        return bytes(read)

    def _judged(self, answer: Answer, wanted: str) -> Answer:
        """The answer, if it is one of the service. Raises: Refused, ServerUnexpected."""
        kind = answer.headers.get("content-type", "").partition(";")[0].strip()
        if answer.status in {204, 304} or (answer.status < 300 and kind == wanted):  # noqa: PLR2004 - of HTTP
            return answer
        if kind == "application/problem+json":
            document = answer.document
            if isinstance(document, dict):
                raise Refused(answer.status, document)
        where = answer.headers.get("location")
        if where is not None:
            raise ServerUnexpected(self.url, f"it sends elsewhere, to {plain_text(where)}; name that as the server")
        raise ServerUnexpected(self.url, f"status {answer.status} with {plain_text(kind) or 'nothing'}")

    def _pause(self, attempt: int) -> float:
        longest: float = min(self._patience.longest_pause, self._patience.first_pause * 2 ** (attempt - 1))
        return longest * (0.5 + self._rng() / 2)


def _words(error: Exception) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "the connection is refused; is the server running?"
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
    return plain_text(said)


def _detail(answer: Answer) -> str:
    """Why a server is busy, in its own words if it has some."""
    try:
        said = answer.document["detail"]
    except (ServerUnexpected, LookupError, TypeError):
        said = f"status {answer.status}"
    return plain_text(str(said))[: 3 * _SHOWN]


def _ahead(date: str | None, known: float) -> float:
    """How far a server's clock is ahead: a `Date` tells it to the second, so less than two is no difference."""
    try:
        ahead = parsedate_to_datetime(date or "").timestamp() - time.time()
    except (ValueError, TypeError):
        return known
    return ahead if abs(ahead) >= _NO_DIFFERENCE_S else 0.0


def _retry_after(text: str | None) -> float | None:
    """Seconds to wait. Source: RFC 9110, section 10.2.3."""
    if text is None:
        return None
    if text.strip().isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
