"""Refusals of logs, files from elsewhere, backups and databases."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.amounts import counted
from tournament.domain.errors import TournamentError


@dataclass(eq=False)
class LogBroken(TournamentError):
    """The log does not hold."""

    event: str
    breaks: Sequence[str]

    def __str__(self) -> str:
        return f"the log of {self.event} does not hold: {'; '.join(self.breaks)}"


@dataclass(eq=False)
class LogUnreadable(TournamentError):
    """A row of the log cannot be read."""

    row: int
    """From 1, as it stands."""
    problem: str

    def __str__(self) -> str:
        return f"row {self.row} of the log cannot be read: {self.problem}"


@dataclass(eq=False)
class LogSealed(TournamentError):
    """A published log has sealed rows, and an event cannot go on from it."""

    sealed: int

    def __str__(self) -> str:
        return (
            f"{self.sealed} rows of the log are sealed, because it was published, so the event cannot go on from it; "
            "ask its staff for the export with the whole log, or import the file without its log as a new event"
        )


@dataclass(eq=False)
class FileBroken(TournamentError):
    """The event's file does not hold."""

    faults: Sequence[str]
    """Each with its row, or its round and table."""

    def __str__(self) -> str:
        return f"the file does not hold: {'; '.join(self.faults)}"


@dataclass(eq=False)
class EventPresent(TournamentError):
    """The event is here already, with other commands."""

    event: str

    def __str__(self) -> str:
        return f"event {self.event} is here already, and its log is not the one of the file; it cannot be here twice"


@dataclass(eq=False)
class NotCarried(TournamentError):
    """The file has what an event here cannot have."""

    what: Sequence[str]

    def __str__(self) -> str:
        return f"an event here cannot have: {'; '.join(self.what)}"


@dataclass(eq=False)
class BackupUnreadable(TournamentError):
    """The file is no backup."""

    path: str
    problem: str

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"


@dataclass(eq=False)
class BackupBroken(TournamentError):
    """The backup does not hold."""

    faults: Sequence[str]

    def __str__(self) -> str:
        return f"nothing was restored, because the backup does not hold: {'; '.join(self.faults)}"


@dataclass(eq=False)
class DatabaseNotEmpty(TournamentError):
    """Something is in the database that would be lost."""

    accounts: int
    events: int

    def __str__(self) -> str:
        found = f"{counted(self.accounts, 'account')} and {counted(self.events, 'event')}"
        return f"the database has {found}; --force replaces them"


@dataclass(eq=False)
class SchemaMismatch(TournamentError):
    """The database has another shape than this program."""

    found: str
    wanted: str

    def __str__(self) -> str:
        return f"the database is at {self.found}, this program at {self.wanted}; run `deckproof db upgrade`"


@dataclass(eq=False)
class DriverMissing(TournamentError):
    """The database needs a package that is not installed."""

    package: str

    def __str__(self) -> str:
        return f"{self.package} is not installed; for PostgreSQL, `pip install 'deckproof[postgresql]'`"


@dataclass(eq=False)
class SecretMissing(TournamentError):
    """The default secret is for development only."""

    environment: str

    def __str__(self) -> str:
        return (
            f"DECKPROOF_SECRET is not set, and the environment is {self.environment!r}; set it to 32 random characters "
            "or more, or say DECKPROOF_ENVIRONMENT=development"
        )


@dataclass(eq=False)
class DatabaseUnavailable(TournamentError):
    """The database gives no answer."""

    problem: str
    retry_after: int = 2
    """Seconds."""

    def __str__(self) -> str:
        return f"the database gives no answer ({self.problem}); nothing was changed, try again"
