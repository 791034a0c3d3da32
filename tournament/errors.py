"""What the event service refuses: the leaves of `TournamentError` that hang on accounts, rows and the log.

TournamentError
├── (the rules' own: tournament.domain.errors)
├── SignInNeeded            nobody, or nobody we know, asks
├── SignInWrong             a name and a password that do not belong together
├── NotYours                the asker's roles do not allow it
├── AccountTaken            somebody has that name already
├── AccountNotFound         nobody has that name
├── EntryCodeWrong          a number and a code that do not belong together
├── AccountDisabled         the account may not act
├── PasswordUnfit           a password that would be guessed; every reason
├── SecondFactorNeeded      the password is right, and a code of the device is needed too
├── SecondFactorWrong       not the code of this minute, or one that was used
├── SecondFactorOn          there is a second factor already
├── SecondFactorOff         there is none
├── SecondFactorSealed      it was sealed with another secret than the server has now
├── TokenNotFound           no such token, or browser, of the account
├── TokensFull              too many tokens of one account
├── ScopeMissing            the token is not for that
├── InvitationNotFound      no such invitation, or another code
├── InvitationOver          expired, withdrawn or used up
├── TooManyRequests         too often in too short a time
├── CrossSite               a browser asks at the wish of another site
├── HostUnknown             a request to a host that this server is not
├── PathNotFound            the API has no such path
├── MethodNotAllowed        the path does something else
├── BodyTooLarge            a body that is longer than its path takes
├── BodyTooSlow             a body that does not come
├── MediaTypeUnknown        a body that is not JSON
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
├── AnnouncementContradicts an announcement that cannot be so; every field
├── EditRefused             fields that cannot be changed, or not so; every one
├── PlayersEntered          an event with players stays published
├── EventInSeries           an event of a series stays published
├── SeriesNotFound          no such series, or none that the asker may see
├── EventNotPublished       an event that is put into a series is one that everybody sees
├── GameOfSeriesDiffers     a series of one game, an event of another
├── SeriesFull              more events than a series may have
├── NotInSeries             the series has no such event
├── SeriesEntryNotFound     no such entry in that event
├── PeopleContradict        entries that cannot be one person are said to be; every two
├── RegistrationByStaff     only staff enter players
├── RegistrationClosed      the event's phase takes nobody who enters without staff
├── RegistrationNotYetOpen  registration opens later
├── RegistrationOver        registration has ended
├── RegistrationCodeWrong   the event asks for its registration code
├── LogBroken               the log does not hold, so nothing is derived from it
├── SchemaMismatch          the database has another shape than this program
├── DriverMissing           the database that is named needs a package that is not installed
├── SecretMissing           the default secret outside development
└── DatabaseUnavailable     gone, full or locked; try again
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.announcement import Fault
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
class EntryCodeWrong(TournamentError):
    """The number and the code do not belong together."""

    event: str
    number: int

    def __str__(self) -> str:
        return f"number {self.number} of event {self.event} has another code; the desk can print it again"


@dataclass(eq=False)
class AccountDisabled(TournamentError):
    """The account may not act."""

    account: str

    def __str__(self) -> str:
        return f"the account {self.account!r} is disabled; ask whoever runs the server"


@dataclass(eq=False)
class PasswordUnfit(TournamentError):
    """The password would be guessed, or cannot be typed."""

    faults: Sequence[str]
    """Every reason."""

    def __str__(self) -> str:
        return "; ".join(self.faults)


@dataclass(eq=False)
class SecondFactorNeeded(TournamentError):
    """The account has a second factor, and no code was sent."""

    def __str__(self) -> str:
        return "the password is right; send the `code` that the device shows now, or a recovery code, with it"


@dataclass(eq=False)
class SecondFactorWrong(TournamentError):
    """The code is not good, or not good any more."""

    def __str__(self) -> str:
        return "that is not the code of now, or it was used; wait for the next one, and set the device's clock"


@dataclass(eq=False)
class SecondFactorOn(TournamentError):
    """The account has a second factor already."""

    account: str

    def __str__(self) -> str:
        return f"{self.account} has a second factor; switch it off before another device takes its place"


@dataclass(eq=False)
class SecondFactorOff(TournamentError):
    """The account has no second factor."""

    account: str

    def __str__(self) -> str:
        return f"{self.account} has no second factor that this could be done with; begin with `POST /account/totp`"


@dataclass(eq=False)
class SecondFactorSealed(TournamentError):
    """The second factor was sealed with another secret."""

    account: str

    def __str__(self) -> str:
        return (
            f"the second factor of {self.account} was sealed with another secret than this server has; sign in with a "
            "recovery code, or let whoever runs the server say `deckproof admin reset-totp`"
        )


@dataclass(eq=False)
class TokenNotFound(TournamentError):
    """The account has no such token or browser."""

    id: str

    def __str__(self) -> str:
        return f"no token or browser {self.id!r} of this account is in force"


@dataclass(eq=False)
class TokensFull(TournamentError):
    """The account has as many tokens as it may have."""

    most: int

    def __str__(self) -> str:
        return f"the account has {self.most} tokens; revoke those that are not used"


@dataclass(eq=False)
class ScopeMissing(TournamentError):
    """The token is not for that."""

    needs: str
    scopes: Sequence[str]
    event: str | None
    """The only event that the token is for."""

    def __str__(self) -> str:
        only = f" in event {self.event} only" if self.event else ""
        return f"this needs a token for {self.needs!r}, and yours is for {', '.join(self.scopes)}{only}"


@dataclass(eq=False)
class InvitationNotFound(TournamentError):
    """There is no such invitation, or its code is another."""

    invitation: int

    def __str__(self) -> str:
        return f"there is no invitation {self.invitation} with that code; look at the link again"


@dataclass(eq=False)
class InvitationOver(TournamentError):
    """The invitation cannot be accepted any more."""

    invitation: int
    why: str

    def __str__(self) -> str:
        return f"invitation {self.invitation} {self.why}; ask an organizer for a new one"


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
        return f"only {self.received:,} bytes of the body came, too slowly; send it again"


@dataclass(eq=False)
class MediaTypeUnknown(TournamentError):
    """The body is of a kind that this path does not take."""

    found: str
    takes: Sequence[str]

    def __str__(self) -> str:
        found = f"is {self.found!r}" if self.found else "has no Content-Type"
        return f"the body {found}; this path takes {' or '.join(self.takes)}"


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


# --- announcements


@dataclass(eq=False)
class AnnouncementContradicts(TournamentError):
    """The announcement cannot be so."""

    faults: Sequence[Fault]
    """Every field that cannot be so."""

    def __str__(self) -> str:
        return "; ".join(map(str, self.faults))


@dataclass(eq=False)
class EditRefused(TournamentError):
    """The event cannot be changed so."""

    faults: Sequence[Fault]
    """Every field that cannot be changed, or not to this."""

    def __str__(self) -> str:
        return "; ".join(map(str, self.faults))


@dataclass(eq=False)
class PlayersEntered(TournamentError):
    """An event with players stays published."""

    entered: int

    def __str__(self) -> str:
        return f"{self.entered} players entered already, and have to see the event; void it, if it is called off"


@dataclass(eq=False)
class EventInSeries(TournamentError):
    """An event of a series stays published."""

    series: Sequence[str]

    def __str__(self) -> str:
        return f"the event is in the series {', '.join(self.series)}; take it out first"


# --- series


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


# --- registration without staff


@dataclass(eq=False)
class RegistrationByStaff(TournamentError):
    """Only staff enter players."""

    def __str__(self) -> str:
        return "only staff enter players into this event; ask at the desk"


@dataclass(eq=False)
class RegistrationClosed(TournamentError):
    """Registration is not open."""

    phase: str

    def __str__(self) -> str:
        return f"registration is not open, the event is in {self.phase}; ask at the desk"


@dataclass(eq=False)
class RegistrationNotYetOpen(TournamentError):
    """Registration is not open yet."""

    opens_at: str

    def __str__(self) -> str:
        return f"registration opens at {self.opens_at}"


@dataclass(eq=False)
class RegistrationOver(TournamentError):
    """Registration has ended."""

    closed_at: str

    def __str__(self) -> str:
        return f"registration closed at {self.closed_at}; ask at the desk"


@dataclass(eq=False)
class RegistrationCodeWrong(TournamentError):
    """The event asks for its registration code."""

    def __str__(self) -> str:
        return (
            "entering needs the event's registration code, and this is not it; ask whoever invited you for the new one"
        )


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
