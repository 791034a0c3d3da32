"""Refusals of a series."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.errors import TournamentError


@dataclass(eq=False)
class SeriesNotFound(TournamentError):
    """There is no such series."""

    series: str

    def __str__(self) -> str:
        return f"there is no series {self.series!r}, or it is not published yet"


@dataclass(eq=False)
class EventNotPublished(TournamentError):
    """The event is not published yet."""

    event: str

    def __str__(self) -> str:
        return f"{self.event} is not published; everybody sees what is in a series, so publish it first"


@dataclass(eq=False)
class GameOfSeriesDiffers(TournamentError):
    """The series is of another game."""

    game: str
    """Of the series."""
    others: Sequence[str]

    def __str__(self) -> str:
        return f"the series is for {self.game}, the event for {', '.join(self.others)}; a series of any game has none"


@dataclass(eq=False)
class SeriesFull(TournamentError):
    """The series has as many events as one may have."""

    most: int

    def __str__(self) -> str:
        return f"a series has {self.most} events at most; begin a new one"


@dataclass(eq=False)
class NotInSeries(TournamentError):
    """The series has no such event."""

    event: str

    def __str__(self) -> str:
        return f"event {self.event!r} is not in the series"


@dataclass(eq=False)
class SeriesEntryNotFound(TournamentError):
    """The event has no such entry."""

    event: str
    entry: int

    def __str__(self) -> str:
        return f"nobody entered event {self.event} as number {self.entry}"


@dataclass(eq=False)
class PeopleContradict(TournamentError):
    """The entries cannot be one person."""

    pairs: Sequence[Sequence[str]]
    """Every two that are said to be one person, directly or by way of others, and cannot be: `event/entry`."""

    def __str__(self) -> str:
        named = "; ".join(" and ".join(pair) for pair in self.pairs)
        return (
            f"these would be one person and are in one event, or are said to be two: {named}; "
            "forget with `by name` what was said wrongly"
        )
