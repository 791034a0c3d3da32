"""Who asks, from where, and of which host.

Behind a proxy every request comes from the proxy. What it says of the one before is believed if it is one of the
setting `trusted_proxies`, and of a chain of them the last address that is none of ours counts: whatever stands before
that in `X-Forwarded-For` may have been written by anybody.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, TypeAlias

from starlette.types import ASGIApp, Receive, Scope, Send

from tournament.api import problems
from tournament.errors import HostUnknown, RequestFault, RequestUnreadable
from tournament.settings import Settings

Address: TypeAlias = IPv4Address | IPv6Address
_ASKED_BY_MACHINES: Final = frozenset({"/health", "/health/live", "/health/ready"})
"""A balancer, or a supervisor on the same machine, asks these by the server's address, not by its name."""
_SCHEMES: Final = frozenset({"http", "https"})
PREFIX: Final = 64
"""Bits of an IPv6 address that stand for one household."""


class Origins:
    """Puts the asker's own address and scheme into the request, and refuses requests to other hosts."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._proxies = [ip_network(network, strict=False) for network in settings.trusted_proxies]
        self._hosts = tuple(host.lower() for host in settings.trusted_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        if self._proxies and client and self._is_proxy(client[0]):
            self._believe(scope, client[0])
        host = header(scope, b"host")
        if self._hosts and scope["path"] not in _ASKED_BY_MACHINES and not _is_among(name_of(host), self._hosts):
            await problems.answer(HostUnknown(host))(scope, receive, send)
            return
        if "\x00" in scope["path"]:  # no database keeps it
            unreadable = RequestUnreadable([RequestFault("path", "has U+0000 in it")])
            await problems.answer(unreadable)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _believe(self, scope: Scope, peer: str) -> None:
        """Take a proxy at its word."""
        said = ",".join(headers(scope, b"x-forwarded-for"))
        before = [one.strip() for one in said.split(",") if one.strip()]
        address = next((one for one in reversed(before) if not self._is_proxy(one)), before[0] if before else peer)
        if _address(address) is not None:
            scope["client"] = (address, 0)
        scheme = header(scope, b"x-forwarded-proto").rpartition(",")[2].strip().lower()
        if scheme in _SCHEMES:
            scope["scheme"] = scheme

    def _is_proxy(self, text: str) -> bool:
        address = _address(text)
        return address is not None and any(address in network for network in self._proxies)


def network_of(host: str | None) -> str:
    """What counts as one asker: an IPv4 address, the half of an IPv6 address that a household shares, or a name."""
    address = _address(host or "")
    if address is None:
        return host or ""
    return str(ip_network((address, PREFIX), strict=False)) if address.version == IPV6 else str(address)


def header(scope: Scope, name: bytes) -> str:
    """A header's last value; empty if there is none."""
    return next(reversed(headers(scope, name)), "")


def headers(scope: Scope, name: bytes) -> list[str]:
    """Every value of a header."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def name_of(host: str) -> str:
    """A host without its port, in small letters."""
    name, colon, port = host.rpartition(":")
    is_port = colon and port.isdigit() and (name.endswith("]") or ":" not in name)
    return (name if is_port else host).strip("[]").rstrip(".").lower()


IPV6: Final = 6


def _address(text: str) -> Address | None:
    try:
        address = ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _is_among(host: str, names: Iterable[str]) -> bool:
    return any(host == name or (name.startswith("*.") and host.endswith(name[1:])) for name in names)
