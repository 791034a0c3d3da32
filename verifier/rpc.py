"""One JSON-RPC endpoint: a question in, an answer or a named error out, within a deadline, whatever the network does.

`http.client` reads the answers, rather than a client library: one connection is kept alive at 170 µs a request
(urllib3: 250 µs), and its socket can be given what none of them has, a deadline for the *whole* answer, so a node that
sends one byte a second cannot hold a check-in desk (docs/decisions/0006). A question's headers are always the same, so
they are written once, here, and sent in one piece with the body.

What is tried again, and what is not:

| seen | then |
| --- | --- |
| refused connection | three attempts |
| broken or timed-out connection, truncated answer, no JSON, HTTP 429 and 5xx, a JSON-RPC rate limit | all attempts |
| `Retry-After` | waits so long, or gives up at once when that is past the deadline |
| a kept connection that the server closed meanwhile | at once, on a new one; costs no attempt |
| any other JSON-RPC error | not again: `EndpointRefused` |
| another HTTP status, a redirect | not again: `ChainUnreachable` |
| an answer to another question, or larger than any honest one | not again: `AnswerSuspicious` |
| a JSON-RPC "rate limit" that speaks of the number of results | not again: `EndpointRefused`, so that less is asked |
"""

import http.client
import io
import itertools
import json
import math
import os
import random
import re
import socket
import ssl
import string
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from queue import Empty, LifoQueue
from typing import Final, NoReturn, Protocol, Self, cast
from urllib.parse import SplitResult, quote, urlsplit

from verifier.errors import AnswerSuspicious, ChainUnreachable, EndpointRefused, EndpointUnreadable, counted
from verifier.nesting import check_nesting

ANSWER_CAP: Final = 4 * 1024 * 1024
"""Bytes of an answer when the question sets no cap of its own."""
TOO_LARGE: Final = 413
"""HTTP status, and our code in `EndpointRefused`, for a question larger than the endpoint takes."""

_TOO_MANY: Final = 429
_OK: Final = 200
_SERVER_ERRORS: Final = range(500, 600)
_REDIRECTS: Final = range(300, 400)
_LIMIT_EXCEEDED: Final = -32005
"""JSON-RPC code for a rate limit. Source: EIP-1474."""
_LIMITED = re.compile(r"rate.?limit|too many requests|capacity|throttl|quota|try again", re.IGNORECASE)
_RESULTS = re.compile(r"\bresults?\b|block range|range .*(large|wide|limit)", re.IGNORECASE)
"""How some say, with the code of a rate limit, that a question about logs has too long an answer."""
_REFUSED_ATTEMPTS: Final = 3
_SHORT: Final = 66
"""Characters of a word; what is not longer is kept as it is written."""
_REFUSAL: Final = 100
"""Characters that are kept of what an endpoint says when it refuses."""
_URL_START = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*://)?([^/?#]*)(.*)", re.DOTALL)
_HEADERS: Final = {
    "Content-Type": "application/json",
    "Accept": "application/json",
    "Accept-Encoding": "identity",
    "User-Agent": "deckproof",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long and how often one question is tried. Times in seconds."""

    deadline: float = 30.0
    """For the question with all its attempts."""
    timeout: float = 10.0
    """For one attempt, from the first byte sent to the last byte received."""
    attempts: int = 6
    first_pause: float = 0.1
    """Doubles with each attempt; a random half of it is dropped, so that many clients do not return as one."""
    longest_pause: float = 4.0


class Endpoint:
    """A JSON-RPC endpoint over HTTP, safe for use by many threads.

    Args:
        url: `http` or `https`; what stands behind the host (often a key) is sent and never shown.
        patience: deadlines and attempts.
        connections: kept alive and used at the same time, at most; further callers wait.
        clock: seconds, monotonic.
        sleep: waits for seconds.
        rng: source of the jitter, 0 to 1.

    Raises:
        EndpointUnreadable: not an `http` or `https` URL with a host.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in, by keyword
        self,
        url: str,
        *,
        patience: Patience | None = None,
        connections: int = 8,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        rng: Callable[[], float] = random.random,
    ) -> None:
        self._begin()
        self._url = _split(url)
        self._head = _head(self._url)
        self.name = _public_name(self._url)
        self.identity = _identity(self._url)
        self.connections = connections
        self._patience = patience or Patience()
        self._clock, self._sleep, self._rng = clock, sleep, rng
        self._places = threading.BoundedSemaphore(connections)
        self._tls = ssl.create_default_context() if self._url.scheme == "https" else None

    def __repr__(self) -> str:
        return f"Endpoint({self.name})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def ask(self, method: str, params: Sequence[object], *, cap: int = ANSWER_CAP) -> object:
        """Send one question and return its `result`.

        Args:
            method: such as `eth_call`.
            params: JSON values; bytes are sent as data: 0x and hex digits.
            cap: bytes that an honest answer never exceeds.

        Raises:
            ChainUnreachable: no answer within the deadline, or not one of a JSON-RPC endpoint.
            EndpointRefused: the endpoint answered with an error.
            AnswerSuspicious: an answer to another question, or larger than the cap.
        """
        if self._process != os.getpid():
            self._begin()
            self._places = threading.BoundedSemaphore(self.connections)
        number = next(self._ids)
        body = _json({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
        give_up = self._clock() + self._patience.deadline
        attempt = 1
        while True:
            try:
                status, answer = self._post(body, method, cap, give_up)
                return self._result(status, answer, method, number)
            except _LineClosed:
                continue
            except _TryAgain as trouble:
                pause = self._pause(attempt, trouble)
                if attempt >= min(self._patience.attempts, trouble.attempts) or self._clock() + pause >= give_up:
                    raise ChainUnreachable(self.name, trouble.problem, attempt, trouble.retry_after) from trouble
                self._sleep(pause)
                attempt += 1

    def _begin(self) -> None:
        """Have own connections and question numbers.

        A process made by a fork must not go on with its parent's: they would read each other's answers.
        """
        self._process = os.getpid()
        self._idle: LifoQueue[_Connection] = LifoQueue()
        self._ids = itertools.count(random.getrandbits(48))

    def close(self) -> None:
        """Drop the idle connections; the endpoint can still be used."""
        while True:
            try:
                self._idle.get_nowait().close()
            except Empty:
                return

    def _pause(self, attempt: int, trouble: "_TryAgain") -> float:
        if trouble.retry_after is not None:
            return trouble.retry_after
        longest: float = min(self._patience.longest_pause, self._patience.first_pause * 2 ** (attempt - 1))
        return longest * (0.5 + self._rng() / 2)

    def _post(self, body: bytes, method: str, cap: int, give_up: float) -> tuple[int, bytes]:
        """One attempt: the HTTP status and the body of the answer."""
        with self._places:
            end = min(give_up, self._clock() + self._patience.timeout)
            connection = self._take(end)
            try:
                with self._returned(connection):
                    response = connection.post(body)
                    answer = response.read(cap + 1)
                    if response.will_close:
                        connection.close()
                    if len(answer) > cap:
                        connection.close()
                        raise AnswerSuspicious(self.name, method, f"it is longer than {cap} bytes", longer_than=cap)
                    if response.length:
                        connection.close()
                        problem = f"the answer was cut off {counted(response.length, 'byte')} early"
                        raise _TryAgain(problem)
                    return self._accepted(response, answer), answer
            except ConnectionRefusedError as error:
                problem = "the connection is refused; is the node running and its URL right?"
                raise _TryAgain(problem, attempts=_REFUSED_ATTEMPTS) from error
            except TimeoutError as error:
                problem = f"no whole answer within {self._patience.timeout:g} s"
                raise _TryAgain(problem) from error
            except ssl.SSLCertVerificationError as error:
                raise ChainUnreachable(
                    self.name, f"its certificate is not valid ({error.verify_message})", 1
                ) from error
            except socket.gaierror as error:
                raise _TryAgain("its host name is not known; is its URL right?", attempts=_REFUSED_ATTEMPTS) from error
            except (http.client.HTTPException, OSError, UnicodeError) as error:
                if connection.used:  # kept for later, and the server closed it meanwhile: the others are no better
                    self.close()
                    raise _LineClosed from error
                raise _TryAgain(f"the connection broke ({type(error).__name__})") from error

    def _accepted(self, response: http.client.HTTPResponse, answer: bytes) -> int:
        """The status, if its body is to be read."""
        status = response.status
        if status == _TOO_MANY:
            problem = "it is limiting requests (HTTP 429)"
            raise _TryAgain(problem, retry_after=_retry_after(response.getheader("Retry-After")))
        if status == TOO_LARGE:
            raise EndpointRefused(self.name, "the request", TOO_LARGE, "request entity too large")
        if status in _REDIRECTS:
            problem = f"it redirects elsewhere (HTTP {status}); give the URL it redirects to"
            raise ChainUnreachable(self.name, problem, 1)
        if status == _OK or answer.lstrip()[:1] in (b"{", b"["):
            return status
        problem = f"it answers HTTP {status} {_printable(response.reason)}".rstrip()
        if status in _SERVER_ERRORS:
            raise _TryAgain(problem, retry_after=_retry_after(response.getheader("Retry-After")))
        raise ChainUnreachable(self.name, problem, 1)

    def _result(self, status: int, answer: bytes, method: str, number: int) -> object:
        try:
            check_nesting(answer)
            document = json.loads(answer, parse_constant=_no_constant)
        except ValueError as error:
            problem = "what it answers is not JSON (a sign-in page of the network, or not a JSON-RPC endpoint)"
            raise _TryAgain(problem) from error
        refusal = document.get("error") if isinstance(document, dict) else None
        if refusal is not None:
            self._refused(refusal, method)
        if status != _OK:
            problem = f"it answers HTTP {status}"
            raise _TryAgain(problem)
        if not isinstance(document, dict) or "result" not in document:
            raise AnswerSuspicious(self.name, method, "it has neither a result nor an error")
        if document.get("id") != number or isinstance(document["id"], bool):
            raise AnswerSuspicious(self.name, method, "it answers another question (wrong id)")
        result: object = document["result"]
        return result

    def _refused(self, error: object, method: str) -> NoReturn:
        fields = error if isinstance(error, dict) else {}
        code = fields.get("code")
        code = code if isinstance(code, int) else 0
        message = _printable(str(fields.get("message", error)))
        limited = code in (_LIMIT_EXCEEDED, _TOO_MANY) and not _RESULTS.search(message)
        if limited or (_LIMITED.search(message) and "gas" not in message.lower()):
            problem = f"it is limiting requests ({message})"
            raise _TryAgain(problem)
        raise EndpointRefused(self.name, method, code, message, fields.get("data"))

    def _take(self, end: float) -> "_Connection":
        try:
            connection = self._idle.get_nowait()
            connection.used = True
        except Empty:
            connection = _Connection(self._url, self._head, self._tls, self._clock)
        connection.end = end
        return connection

    @contextmanager
    def _returned(self, connection: "_Connection") -> Iterator[None]:
        """Keep the connection for the next question, unless this one failed on it."""
        try:
            yield
        except BaseException:
            connection.close()
            raise
        self._idle.put(connection)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question to an endpoint, and what it answered."""

    endpoint: str
    """Its name."""
    method: str
    params: tuple[object, ...]
    """JSON values; bytes stand for data: 0x and hex digits."""
    result: object
    """A JSON value, as it was answered; data as bytes here too. A header is without its lists (of transactions and
    withdrawals), which are in it as roots."""
    refused: str = ""
    """Instead of a result: as what the endpoint refused; empty if it did not."""


class Asked(Protocol):
    """What answers questions like an `Endpoint`."""

    @property
    def name(self) -> str:
        """Its URL without what may be a key."""
        ...

    @property
    def identity(self) -> object:
        """Equal for two spellings of one endpoint."""
        ...

    @property
    def connections(self) -> int:
        """How many questions it may be asked at the same time."""
        ...

    def ask(self, method: str, params: Sequence[object], *, cap: int = ANSWER_CAP) -> object:
        """The `result` of a question, as `Endpoint.ask` gives it."""
        ...


class Recorded:
    """An endpoint of which every answer is also given to somebody who keeps it.

    Args:
        endpoint: the one that is asked.
        record: called after each answer, from whichever thread asked.
        refusals: whether they are given too: a contract that refuses to answer has answered.
    """

    def __init__(self, endpoint: Asked, record: Callable[[Exchange], None], *, refusals: bool = False) -> None:
        self._endpoint, self._record, self._refusals = endpoint, record, refusals
        self.name, self.identity, self.connections = endpoint.name, endpoint.identity, endpoint.connections

    def ask(self, method: str, params: Sequence[object], *, cap: int = ANSWER_CAP) -> object:
        """The `result` of a question, as `Endpoint.ask` gives it."""
        try:
            result = self._endpoint.ask(method, params, cap=cap)
        except EndpointRefused as error:
            if self._refusals:
                refused = f"{error.code} {error.message}"[:_REFUSAL]
                self._record(Exchange(self.name, method, tuple(params), None, refused))
            raise
        self._record(Exchange(self.name, method, tuple(params), _kept(result)))
        return result


def _kept(result: object) -> object:
    """An answer in the least room: data as bytes, if it is written as data always is, and no lists in a header."""
    if isinstance(result, str) and len(result) > _SHORT:
        try:
            data = bytes.fromhex(result.removeprefix("0x"))
        except ValueError:
            return result
        return data if result == f"0x{data.hex()}" else result
    if isinstance(result, dict) and "parentHash" in result:
        return {key: value for key, value in result.items() if not isinstance(value, list)}
    return result


class _TryAgain(Exception):
    """This attempt failed in a way that another may not."""

    def __init__(self, problem: str, *, retry_after: float | None = None, attempts: int = 1_000) -> None:
        super().__init__(problem)
        self.problem, self.retry_after, self.attempts = problem, retry_after, attempts


class _LineClosed(Exception):
    """A kept connection was closed by the server while it was idle; a new one costs no attempt."""


class _Connection:
    """A kept-alive connection on which everything, headers included, must be done by `end`."""

    end: float
    used: bool = False
    """It carried an answer before."""

    def __init__(self, url: SplitResult, head: bytes, tls: ssl.SSLContext | None, clock: Callable[[], float]) -> None:
        self._url, self._head, self._tls, self._clock = url, head, tls, clock
        self._line: socket.socket | None = None

    def post(self, body: bytes) -> http.client.HTTPResponse:
        """Send a question in one piece, and read the headers of the answer."""
        line = self._line = self._line or self._open()
        line.settimeout(self._left())
        try:
            line.sendall(b"%b%d\r\n\r\n%b" % (self._head, len(body), body))
        except (BrokenPipeError, ConnectionResetError) as broken:
            try:  # a server that takes no more may have said why before it hung up
                return self._answer()
            except (OSError, http.client.HTTPException):
                raise broken from None
        return self._answer()

    def _answer(self) -> http.client.HTTPResponse:
        response = http.client.HTTPResponse(cast("socket.socket", self), method="POST")
        response.begin()
        return response

    def makefile(self, _mode: str) -> io.BufferedReader:
        """What `http.client` reads an answer from; all that it uses of a socket."""
        return io.BufferedReader(_Incoming(cast("socket.socket", self._line), self._left))

    def close(self) -> None:
        """Hang up; the next question opens another line."""
        if self._line:
            self._line.close()
        self._line = None

    def _open(self) -> socket.socket:
        """A socket, with TLS where the URL says so."""
        host = self._url.hostname or ""
        line = socket.create_connection((host, self._url.port or (443 if self._tls else 80)), self._left())
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls:
            line.settimeout(self._left())
            line = self._tls.wrap_socket(line, server_hostname=host)
        return line

    def _left(self) -> float:
        left = self.end - self._clock()
        if left <= 0:
            raise TimeoutError
        return left


class _Incoming(io.RawIOBase):
    """The receiving side of a socket: each wait is as long as the deadline leaves, and no longer."""

    def __init__(self, line: socket.socket, left: Callable[[], float]) -> None:
        self._line, self._left = line, left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        self._line.settimeout(self._left())
        return self._line.recv_into(buffer)


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise EndpointUnreadable(_without_secrets(url), "its host or port is none") from error
    if parts.scheme not in ("http", "https"):
        problem = (
            f"its scheme is {parts.scheme!r}, and http and https are spoken" if parts.scheme else "it has no scheme"
        )
        raise EndpointUnreadable(_without_secrets(url), problem)
    if not parts.hostname or port == 0:
        raise EndpointUnreadable(_without_secrets(url), "it names no host")
    if parts.username or parts.password:
        raise EndpointUnreadable(_without_secrets(url), "it holds a user name or password")
    return parts


def _without_secrets(url: str) -> str:
    """As much of what may be a URL as can hold no key and no password."""
    found = _URL_START.match(url.strip())
    scheme, host, rest = found.groups() if found else ("", "", "")
    return _printable(f"{scheme or ''}{host.rpartition('@')[2]}{'/…' if rest else ''}")


def _head(url: SplitResult) -> bytes:
    """The headers of every question, up to the number of bytes in its body."""
    target = quote((url.path or "/") + (f"?{url.query}" if url.query else ""), safe=string.punctuation)
    try:
        host = (url.hostname or "").encode("idna").decode()
    except UnicodeError as error:
        raise EndpointUnreadable(_without_secrets(url.geturl()), "its host is no host's name") from error
    host = f"[{host}]" if ":" in host else host
    headers = {"Host": f"{host}:{url.port}" if url.port else host, **_HEADERS}
    lines = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "Content-Length: "]
    return "\r\n".join(lines).encode()


def _identity(url: SplitResult) -> tuple[str, str, int, str]:
    """Equal for two spellings of one endpoint: of the loopback address, of the scheme's own port, of an empty path."""
    host = (url.hostname or "").rstrip(".")
    with suppress(OSError):
        host = socket.inet_ntoa(socket.inet_aton(host))
    with suppress(ValueError):
        host = "localhost" if ip_address(host).is_loopback else ip_address(host).compressed
    port = url.port or (443 if url.scheme == "https" else 80)
    return url.scheme, host, port, f"{url.path.rstrip('/')}?{url.query}"


def _public_name(url: SplitResult) -> str:
    """The URL without what may be a key."""
    path = "/…" if url.path.strip("/") or url.query else ""
    return f"{url.scheme}://{url.netloc}{path}"


def _retry_after(header: str | None) -> float | None:
    """Seconds from a `Retry-After` header in either of its forms; None where there is none that can be read."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _json(value: object) -> str:
    """JSON text. Long data is put into it as it is, not searched for characters to escape."""
    if isinstance(value, bytes):
        return f'"0x{value.hex()}"'
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{_json(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_json, value)) + "]"
    return json.dumps(value)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _printable(text: str, longest: int = 200) -> str:
    """Foreign text, safe to show on a terminal."""
    safe = "".join(c if c.isprintable() else "?" for c in text)
    return safe if len(safe) <= longest else safe[: longest - 1] + "…"
