"""The one value that every format is read into and written from, and what is said about a conversion."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tournament.domain.model import Player, PlayerId, Round


@dataclass(frozen=True, slots=True)
class CutPlace:
    """A place of the cut, as a file states it."""

    player: PlayerId
    place: int
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """An event as the formats know it."""

    name: str
    players: tuple[Player, ...]
    rounds: tuple[Round, ...]
    """Swiss rounds, numbered from 1 without a hole."""
    cut: tuple[Round, ...] = ()
    """Elimination rounds; their numbers follow those of the Swiss rounds."""
    cut_places: tuple[CutPlace, ...] = ()
    """Places of the cut, if the file states them; nothing here is worked out from `cut`."""
    divisions: Mapping[PlayerId, str] = field(default_factory=dict)
    """Age divisions that were paired apart ("junior"), for those who have one."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file says."""

    event: Event
    lost: tuple[str, ...]
    """What the file says and an event cannot hold, each with its place; empty if nothing is lost."""


@dataclass(frozen=True, slots=True)
class Writing:
    """An event as a file."""

    text: str
    lost: tuple[str, ...]
    """What the event holds and the format cannot say; empty if reading it back gives the same event."""
