"""What the event service refuses: the leaves of `TournamentError` that hang on accounts, rows and the log.

TournamentError
├── (the rules' own: tournament.domain.errors)
├── SignInNeeded            nobody, or nobody we know, asks
├── SignInWrong             a name and a password that do not belong together
├── NotYours                the asker's roles do not allow it
├── AccountTaken            somebody has that name already
├── AccountNotFound         nobody has that name
├── LastOrganizer           an event without an organizer is nobody's
├── NotStaff                an account that does not have the role
├── EventNotFound           no such event, or none that the asker may see
├── EntryNotFound           no such entry
├── RoundNotFound           no such round
├── TableNotFound           no such table in the round
├── CommandNotFound         no command of that id in the event's log
├── StaleEvent              others changed the event meanwhile; what they did is in it
├── CommandIdReused         one command id for two different commands
├── RequestUnreadable       a request that is not as the API describes it; every fault
├── ResultRefused           a result that cannot be so; every reason
├── TableReported           the table has another result
├── NotReported             a table without a result cannot be corrected
├── DraftMissing            there is no draft to publish
├── TooFewPlayers           a round needs two players
├── EventFull               the capacity is reached
├── NotPlaying              the player left already
├── StillPlaying            the player never left
├── LogBroken               the log does not hold, so nothing is derived from it
├── SchemaMismatch          the database has another shape than this program
├── DriverMissing           the database that is named needs a package that is not installed
├── SecretMissing           the default secret outside development
├── StreamsUnavailable      as many live streams are open as may be
├── WebhookNotFound         no such webhook in the event
├── DeliveryNotFound        nothing of that id was sent or is to be sent
├── WebhookUrlUnreadable    not a URL that webhooks may go to; every reason
├── TooManyWebhooks         an event has only so many
└── DatabaseUnavailable     gone, full or locked; try again
"""

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
        return "this needs an account; send its token as `Authorization: Bearer …`"


@dataclass(eq=False)
class SignInWrong(TournamentError):
    """The name and the password do not belong together."""

    def __str__(self) -> str:
        return "no account has that name and that password"


@dataclass(eq=False)
class NotYours(TournamentError):
    """The asker's roles do not allow it."""

    command: str
    needs: Sequence[str]

    def __str__(self) -> str:
        return f"{self.command} is for {' or '.join(self.needs)}; ask an organizer for the role"


@dataclass(eq=False)
class AccountTaken(TournamentError):
    """Somebody has that name already."""

    account: str

    def __str__(self) -> str:
        return f"there is an account {self.account!r} already; choose another name"


@dataclass(eq=False)
class AccountNotFound(TournamentError):
    """No account has that name."""

    account: str

    def __str__(self) -> str:
        return f"there is no account {self.account!r}"


@dataclass(eq=False)
class LastOrganizer(TournamentError):
    """An event keeps one organizer at least."""

    account: str

    def __str__(self) -> str:
        return f"{self.account} is the only organizer; make somebody else one first"


@dataclass(eq=False)
class NotStaff(TournamentError):
    """The account does not have that role."""

    account: str
    role: str

    def __str__(self) -> str:
        return f"{self.account} is no {self.role} of the event"


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


@dataclass(frozen=True, slots=True)
class RequestFault:
    """Something wrong in a request, and where."""

    at: str
    """`body/games/first`, `header/if-match`."""
    problem: str


@dataclass(eq=False)
class RequestUnreadable(TournamentError):
    """The request is not as the API describes it."""

    faults: Sequence[RequestFault]

    def __str__(self) -> str:
        return "; ".join(f"{fault.at}: {fault.problem}" for fault in self.faults)


@dataclass(eq=False)
class ResultRefused(TournamentError):
    """The result cannot be so."""

    faults: Sequence[str]
    """Every rule it breaks."""

    def __str__(self) -> str:
        return "; ".join(self.faults)


@dataclass(eq=False)
class TableReported(TournamentError):
    """The table has another result."""

    round: int
    table: int
    known: str

    def __str__(self) -> str:
        return f"round {self.round}, table {self.table} is reported as {self.known}; correct it instead"


@dataclass(eq=False)
class NotReported(TournamentError):
    """The table has no result yet."""

    round: int
    table: int

    def __str__(self) -> str:
        return f"round {self.round}, table {self.table} has no result to correct; report one"


@dataclass(eq=False)
class DraftMissing(TournamentError):
    """There is no draft of that round."""

    round: int

    def __str__(self) -> str:
        return f"there is no draft of round {self.round}; pair it (an entry, a drop or a correction discards a draft)"


@dataclass(eq=False)
class TooFewPlayers(TournamentError):
    """A round needs two players."""

    players: int

    def __str__(self) -> str:
        return f"a round needs 2 players, and {self.players} would play"


@dataclass(eq=False)
class EventFull(TournamentError):
    """The capacity of the event is reached."""

    capacity: int

    def __str__(self) -> str:
        return f"all {self.capacity} places are taken"


@dataclass(eq=False)
class NotPlaying(TournamentError):
    """The player left already."""

    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} left already"


@dataclass(eq=False)
class StillPlaying(TournamentError):
    """The player cannot come back."""

    entry: int
    why: str

    def __str__(self) -> str:
        return f"number {self.entry} cannot come back: {self.why}"


@dataclass(eq=False)
class LogBroken(TournamentError):
    """The log does not hold."""

    event: str
    breaks: Sequence[str]

    def __str__(self) -> str:
        return f"the log of {self.event} does not hold: {'; '.join(self.breaks)}"


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


# --- live streams and webhooks ----------------------------------------------------------------------------------------


@dataclass(eq=False)
class StreamsUnavailable(TournamentError):
    """No further live stream can be opened."""

    limit: int
    of: str
    """Whose limit it is."""
    retry_after: int = 30
    """Seconds."""

    def __str__(self) -> str:
        return f"{self.limit} live streams are open, the most that {self.of} may have; ask with If-None-Match instead"


@dataclass(eq=False)
class WebhookNotFound(TournamentError):
    """The event has no such webhook."""

    webhook: int

    def __str__(self) -> str:
        return f"there is no webhook {self.webhook}"


@dataclass(eq=False)
class DeliveryNotFound(TournamentError):
    """The webhook has no such delivery."""

    delivery: str

    def __str__(self) -> str:
        return f"there is no delivery {self.delivery!r}; those long delivered are forgotten"


@dataclass(eq=False)
class WebhookUrlUnreadable(TournamentError):
    """Webhooks do not go to that URL."""

    faults: Sequence[str]
    """Every reason."""

    def __str__(self) -> str:
        return "; ".join(self.faults)


@dataclass(eq=False)
class TooManyWebhooks(TournamentError):
    """The event has as many webhooks as it may have."""

    limit: int

    def __str__(self) -> str:
        return f"an event has {self.limit} webhooks at most; remove one first"
