"""Refusals of the HTTP edge: what a request may not be."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournament.domain.amounts import counted
from tournament.domain.errors import TournamentError


@dataclass(eq=False)
class TooManyRequests(TournamentError):
    """Too often in too short a time."""

    what: str
    retry_after: int
    """Seconds."""

    def __str__(self) -> str:
        return f"too often: {self.what}; try again in {self.retry_after} s"


@dataclass(eq=False)
class CrossSite(TournamentError):
    """A browser asks at the wish of another site."""

    def __str__(self) -> str:
        return "a browser that is signed in may only be sent here by our own pages; others use a token"


@dataclass(eq=False)
class HostUnknown(TournamentError):
    """The request is for another host."""

    host: str

    def __str__(self) -> str:
        return f"this server is not {self.host!r}; the setting `trusted_hosts` has its names"


@dataclass(eq=False)
class PathNotFound(TournamentError):
    """The API has no such path."""

    path: str

    def __str__(self) -> str:
        slash = "; no path ends with a slash" if self.path.endswith("/") and self.path != "/" else ""
        return f"there is nothing at {self.path}{slash}; /openapi.json has every path"


@dataclass(eq=False)
class MethodNotAllowed(TournamentError):
    """The path does not do that."""

    method: str
    allowed: Sequence[str]

    def __str__(self) -> str:
        return f"{self.method} is not for this path; {' and '.join(self.allowed)} are"


@dataclass(eq=False)
class BodyTooLarge(TournamentError):
    """The body is longer than this path takes."""

    most: int
    """Bytes."""

    def __str__(self) -> str:
        return f"a body has at most {self.most:,} bytes here"


@dataclass(eq=False)
class BodyTooSlow(TournamentError):
    """The body did not come in time."""

    received: int
    """Bytes."""

    def __str__(self) -> str:
        return f"of the body {counted(self.received, 'byte')} came, too slowly; send it again"


@dataclass(eq=False)
class MediaTypeUnknown(TournamentError):
    """The body is of a kind that this path does not take."""

    found: str
    takes: Sequence[str]

    def __str__(self) -> str:
        found = f"is {self.found!r}" if self.found else "has no Content-Type"
        return f"the body {found}; this path takes {' or '.join(self.takes)}"


@dataclass(frozen=True, slots=True)
class RequestFault:
    """Something wrong in a request, and where."""

    at: str
    """`body/games/first`, `header/if-match`."""
    problem: str


_MOST_FAULTS: Final = 200
"""That are told."""


@dataclass(eq=False)
class RequestUnreadable(TournamentError):
    """The request is not as the API describes it."""

    faults: Sequence[RequestFault]
    """Every one, or the first of very many: a stranger's small body may have as many as it has numbers."""

    def __post_init__(self) -> None:
        more = len(self.faults) - _MOST_FAULTS
        if more > 0:
            self.faults = [*self.faults[:_MOST_FAULTS], RequestFault("request", f"has {more:,} more faults")]

    def __str__(self) -> str:
        return "; ".join(f"{fault.at}: {fault.problem}" for fault in self.faults)
