"""One webhook's message to one URL: signed, sent once, and only to where it may go.

Whoever adds a webhook chooses where this server connects to, so:

- outside development only `https`;
- the host's addresses are looked up here, and the connection is made to one that was looked at: a name that leads to
  the public network while it is checked and into ours when it is used gets nowhere;
- nothing of this machine, of private networks or of the like is connected to, unless a setting allows it;
- no redirect is followed, no proxy asked, and of the answer only the status and `Retry-After` are kept, so that nobody
  reads through us what a server of ours says;
- everything, headers included, has to be done within `WITHIN_S`.

Source: Standard Webhooks 1.0 (headers, signature, what a status means); OWASP, "SSRF Prevention Cheat Sheet".
"""

import base64
import hmac
import http.client
import io
import re
import socket
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import sha256
from importlib.metadata import version
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Lock
from typing import Final, cast
from urllib.parse import SplitResult, urlsplit

from tournament.errors import WebhookUrlUnreadable

WITHIN_S: Final = 15.0
"""For one attempt, from looking the host up to the answer's headers. Source: Standard Webhooks (15 to 30 s)."""
LONGEST_URL: Final = 2000
LONGEST_PAUSE_S: Final = 6 * 3600
"""What a receiver may ask for by `Retry-After`."""
SECRET_MARK: Final = "whsec_"  # noqa: S105 - a mark, not a secret
_FINGERPRINT: Final = 8
_TRANSLATED: Final = IPv6Network("64:ff9b::/96")
"""An IPv4 address inside an IPv6 one."""
_FINE: Final = range(200, 300)
_GONE: Final = 410
_VISIBLE: Final = re.compile(r"[!-~]+")

Lookup = Callable[[str, int], Sequence[str]]
"""The addresses of a host. Raises: OSError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Where webhooks may go."""

    plain: bool = False
    """Over `http` too, for development."""
    private: bool = False
    """To this machine and private networks too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of an attempt."""

    status: int | None = None
    problem: str = ""
    """Empty: the receiver has it."""
    retry_after: float | None = None
    """Seconds that the receiver asks for."""

    @property
    def is_gone(self) -> bool:
        """The receiver wants to be told nothing any more."""
        return self.status == _GONE


@dataclass
class Lines:
    """The connections that are open, so that a server that stops need not wait for them."""

    _open: set[socket.socket] = field(default_factory=set)
    _turn: Lock = field(default_factory=Lock)
    _is_cut: bool = False

    def add(self, line: socket.socket) -> None:
        """Raises: OSError: they were cut."""
        with self._turn:
            if self._is_cut:
                raise OSError("stopping")
            self._open.add(line)

    def drop(self, line: socket.socket) -> None:
        """It is closed."""
        with self._turn:
            self._open.discard(line)

    def cut(self) -> None:
        """End them all, and let none begin."""
        with self._turn:
            self._is_cut = True
            for line in self._open:
                with suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)


def check_url(url: str, rules: Rules) -> str:
    """The URL without its fragment, if webhooks may go there as far as it shows.

    Raises:
        WebhookUrlUnreadable: not a URL for it; every reason.
    """
    faults = []
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise WebhookUrlUnreadable(["not a URL; one is like https://example.org/deckproof"]) from None
    if len(url) > LONGEST_URL or not _VISIBLE.fullmatch(url):
        faults.append(f"longer than {LONGEST_URL} characters, or not ASCII without spaces")
    if parts.scheme != "https" and not (parts.scheme == "http" and rules.plain):
        faults.append("it has to begin with https://")
    if not parts.hostname:
        faults.append("it names no host")
    if parts.username is not None or parts.password is not None:
        faults.append("it holds a user name or a password, which would not be sent")
    if parts.port == 0:
        faults.append("there is no port 0")
    with suppress(ValueError):
        if not may_go_to(ip_address(parts.hostname or ""), rules):
            faults.append(f"{parts.hostname} is an address of this machine or of a private network")
    if faults:
        raise WebhookUrlUnreadable(faults)
    return parts._replace(fragment="").geturl()


def place_of(url: str) -> str:
    """As much of a URL as may stand in a log that is published: what follows the host is often a secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/…{sha256(url.encode()).hexdigest()[:_FINGERPRINT]}"


def may_go_to(address: IPv4Address | IPv6Address, rules: Rules) -> bool:
    """Whether an address is one of the public network, whatever it is wrapped in."""
    if inner := _inner(address):
        return all(may_go_to(one, rules) for one in inner)
    is_site_local = (
        isinstance(address, IPv6Address) and address.is_site_local
    )  # what private networks were before fc00::/7
    return rules.private or (address.is_global and not (address.is_multicast or address.is_reserved or is_site_local))


def sign(secret: bytes, message: str, at: int, body: bytes) -> str:
    """A signature as the header has it.

    Args:
        secret: 24 to 64 bytes.
        message: the delivery's id.
        at: the attempt's time, Unix seconds.
        body: as it is sent.
    """
    digest = hmac.digest(secret, f"{message}.{at}.".encode() + body, sha256)
    return f"v1,{base64.b64encode(digest).decode()}"


def shown(secret: bytes) -> str:
    """A secret as receivers' libraries take it."""
    return SECRET_MARK + base64.b64encode(secret).decode()


def post(  # noqa: PLR0913 - what varies is passed in, by keyword
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    rules: Rules,
    lines: Lines | None = None,
    lookup: Lookup | None = None,
    tls: ssl.SSLContext | None = None,
    within: float = WITHIN_S,
) -> Answer:
    """Send a message once, and say what came of it. Raises nothing that the network does."""
    parts = urlsplit(url)
    end = time.monotonic() + within
    try:
        check_url(url, rules)
        address = _address(parts, rules, lookup or _look_up)
        return _exchange(parts, address, headers, body, _Deadline(end, lines or Lines(), tls))
    except (http.client.HTTPException, OSError, ValueError, WebhookUrlUnreadable) as error:
        return Answer(problem=_why(error, within))


def _why(error: Exception, within: float) -> str:
    match error:
        case WebhookUrlUnreadable():
            return str(error)
        case TimeoutError():
            return f"no answer within {within:g} s"
        case ssl.SSLCertVerificationError():
            return f"its certificate is not valid ({error.verify_message})"
        case socket.gaierror():
            return "its host name is not known"
        case ConnectionRefusedError():
            return "the connection is refused"
    return f"the connection broke ({type(error).__name__})"


@dataclass(frozen=True)
class _Deadline:
    end: float
    lines: Lines
    tls: ssl.SSLContext | None

    def left(self) -> float:
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


def _address(parts: SplitResult, rules: Rules, lookup: Lookup) -> tuple[str, int]:
    """Where to connect to. Raises: OSError, WebhookUrlUnreadable."""
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    for found in lookup(host, port):
        if may_go_to(ip_address(found), rules):
            return found, port
    raise WebhookUrlUnreadable([f"{host} leads to this machine or into a private network"])


def _look_up(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]).partition("%")[0] for *_, address in found]


def _exchange(
    parts: SplitResult, address: tuple[str, int], headers: Mapping[str, str], body: bytes, deadline: _Deadline
) -> Answer:
    line = socket.create_connection(address, deadline.left())
    try:
        deadline.lines.add(line)
        if parts.scheme == "https":
            line.settimeout(deadline.left())
            plain, context = line, deadline.tls or ssl.create_default_context()
            line = context.wrap_socket(plain, server_hostname=parts.hostname)
            deadline.lines.drop(plain)
            deadline.lines.add(line)
        line.settimeout(deadline.left())
        line.sendall(_request(parts, headers, body))
        response = http.client.HTTPResponse(cast("socket.socket", _Reading(line, deadline)), method="POST")
        response.begin()
        return _judged(response.status, response.getheader("Retry-After"))
    finally:
        deadline.lines.drop(line)
        line.close()


def _request(parts: SplitResult, headers: Mapping[str, str], body: bytes) -> bytes:
    host = (
        (parts.hostname or "").encode("idna").decode() if ":" not in (parts.hostname or "") else f"[{parts.hostname}]"
    )
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    said = {
        "Host": f"{host}:{parts.port}" if parts.port else host,
        "User-Agent": f"deckproof/{version('deckproof')}",
        "Accept": "*/*",
        "Connection": "close",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in said.items())
    return f"POST {target} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body


def _judged(status: int, retry_after: str | None) -> Answer:
    if status in _FINE:
        return Answer(status=status)
    return Answer(status=status, problem=f"it answered {status}", retry_after=_seconds(retry_after))


def _seconds(retry_after: str | None) -> float | None:
    """What the header asks for, in seconds. Source: RFC 9110, section 10.2.3."""
    if not retry_after:
        return None
    if retry_after.strip().isdecimal() and retry_after.isascii():
        asked = float(retry_after.strip()[:9])
    else:
        try:
            asked = (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return None
    return min(max(asked, 0.0), LONGEST_PAUSE_S)


def _inner(address: IPv4Address | IPv6Address) -> list[IPv4Address]:
    """The IPv4 addresses that an IPv6 address leads to. Source: RFC 4291, 3056, 4380, 6052."""
    if isinstance(address, IPv4Address):
        return []
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _TRANSLATED:
        found.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return [one for one in found if one is not None]


class _Reading:
    """All that `http.client` uses of a socket; each wait is as long as the deadline leaves."""

    def __init__(self, line: socket.socket, deadline: _Deadline) -> None:
        self._line, self._deadline = line, deadline

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Incoming(self._line, self._deadline))


class _Incoming(io.RawIOBase):
    def __init__(self, line: socket.socket, deadline: _Deadline) -> None:
        self._line, self._deadline = line, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        self._line.settimeout(self._deadline.left())
        return self._line.recv_into(buffer)
