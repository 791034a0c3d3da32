"""What anything may be refused for: who asks, what others did meanwhile, what there is not."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.errors import TournamentError


@dataclass(frozen=True, slots=True)
class Change:
    """What somebody did to the event: a line of its log, in short."""

    sequence: int
    name: str
    actor: str
    at: str


@dataclass(eq=False)
class SignInNeeded(TournamentError):
    """Nobody we know asks."""

    def __str__(self) -> str:
        return "this needs an account; send its token as `Authorization: Bearer …`, or sign in"


@dataclass(eq=False)
class NotYours(TournamentError):
    """The asker's roles do not allow it."""

    command: str
    needs: Sequence[str]

    def __str__(self) -> str:
        return f"{self.command} is for {' or '.join(self.needs)}; ask an organizer for the role"


@dataclass(eq=False)
class EventNotFound(TournamentError):
    """There is no such event."""

    event: str

    def __str__(self) -> str:
        return f"there is no event {self.event!r}, or it is not published yet"


@dataclass(eq=False)
class EntryNotFound(TournamentError):
    """The event has no such entry."""

    entry: int

    def __str__(self) -> str:
        return f"nobody entered as number {self.entry}"


@dataclass(eq=False)
class RoundNotFound(TournamentError):
    """The event has no such round."""

    round: int

    def __str__(self) -> str:
        return f"there is no round {self.round}"


@dataclass(eq=False)
class TableNotFound(TournamentError):
    """The round has no such table."""

    round: int
    table: int

    def __str__(self) -> str:
        return f"round {self.round} has no table {self.table}"


@dataclass(eq=False)
class CommandNotFound(TournamentError):
    """The log has no such command."""

    command: str

    def __str__(self) -> str:
        return f"no command {self.command!r} was accepted in this event"


@dataclass(eq=False)
class StaleEvent(TournamentError):
    """Others changed the event meanwhile."""

    expected: int
    version: int
    changes: Sequence[Change]
    """The latest first; not all of them if they are many."""

    def __str__(self) -> str:
        latest = f"; the latest: {self.changes[0].name} by {self.changes[0].actor}" if self.changes else ""
        return f"you acted on version {self.expected}, and the event is at {self.version}{latest}; look again"


@dataclass(eq=False)
class CommandIdReused(TournamentError):
    """A command id stands for another command already."""

    command: str
    name: str

    def __str__(self) -> str:
        return f"{self.command!r} is the id of another command ({self.name}); a new command needs a new id"
