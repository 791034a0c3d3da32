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
├── NotYourEntry            a player acts for nobody else
├── EntryVoid               an entry that became part of another one
├── RoundsBegun             what only changes before the first round
├── NotWaiting              the player has a place already
├── NotCheckedIn            a player who is not checked in cannot be checked out
├── NobodyCheckedIn         seating nobody would drop everybody
├── AlreadyDisqualified     the player is disqualified already
├── NotDisqualified         the player is not disqualified
├── MergeRefused            two entries that cannot become one
├── ApartNotFound           a pair that is not kept apart
├── TooManyApart            more pairs kept apart than an event may have
├── EntriesUnreadable       a table of players that cannot be read or entered; every fault with its line
├── DecksNotAsked           the event wants no decklists
├── DeckNotFound            the entry handed in no list
├── DeckLocked              the list can no longer be changed
├── LeaveMissing            an exception that was never made cannot be taken back
├── ListsMissing            players without a legal list, where the event requires one
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


# --- entries and their decks ------------------------------------------------------------------------------------------


@dataclass(eq=False)
class NotYourEntry(TournamentError):
    """A player acts for nobody else."""

    entry: int
    yours: int

    def __str__(self) -> str:
        return f"you act as number {self.yours}, and this is number {self.entry}; ask the desk"


@dataclass(eq=False)
class EntryVoid(TournamentError):
    """The entry became part of another one."""

    entry: int
    into: int

    def __str__(self) -> str:
        return f"number {self.entry} was merged into number {self.into}; use that number and its code"


@dataclass(eq=False)
class RoundsBegun(TournamentError):
    """It changes only before the first round."""

    what: str

    def __str__(self) -> str:
        return f"{self.what} once round 1 has begun; ask the desk"


@dataclass(eq=False)
class NotWaiting(TournamentError):
    """The player does not wait for a place."""

    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} does not wait for a place"


@dataclass(eq=False)
class NotCheckedIn(TournamentError):
    """The player is not checked in."""

    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} is not checked in"


@dataclass(eq=False)
class NobodyCheckedIn(TournamentError):
    """Nobody is checked in."""

    entries: int

    def __str__(self) -> str:
        return f"nobody is checked in, so all {self.entries} would be dropped; check players in, or pair without this"


@dataclass(eq=False)
class AlreadyDisqualified(TournamentError):
    """The player is disqualified already."""

    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} is disqualified already"


@dataclass(eq=False)
class NotDisqualified(TournamentError):
    """The player is not disqualified."""

    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} is not disqualified"


@dataclass(eq=False)
class MergeRefused(TournamentError):
    """The two entries cannot become one."""

    entry: int
    void: int
    why: str

    def __str__(self) -> str:
        return f"number {self.void} cannot become part of number {self.entry}: {self.why}"


@dataclass(eq=False)
class ApartNotFound(TournamentError):
    """The two players are not kept apart."""

    one: int
    other: int

    def __str__(self) -> str:
        return f"numbers {self.one} and {self.other} are not kept apart"


@dataclass(eq=False)
class TooManyApart(TournamentError):
    """Too many pairs are kept apart."""

    most: int

    def __str__(self) -> str:
        return f"an event keeps at most {self.most:,} pairs of players apart; take some back, or split large groups"


@dataclass(frozen=True, slots=True)
class EntriesFault:
    """Something wrong in a table of players, and where."""

    line: int
    """From 1, the header; 0: the whole table."""
    column: str
    """Empty where the fault is the whole line's."""
    problem: str

    def __str__(self) -> str:
        where = f"line {self.line}" if self.line else "the table"
        return f"{where}{', ' if self.column else ''}{self.column}: {self.problem}"


@dataclass(eq=False)
class EntriesUnreadable(TournamentError):
    """The table of players cannot be entered."""

    faults: Sequence[EntriesFault]
    """Every one, in the order of the lines; nobody was entered."""

    def __str__(self) -> str:
        shown = [str(fault) for fault in self.faults[:_MOST_FAULTS_SHOWN]]
        more = [f"and {len(self.faults) - _MOST_FAULTS_SHOWN:,} more"] if len(self.faults) > _MOST_FAULTS_SHOWN else []
        return "nobody was entered; " + "; ".join([*shown, *more])


_MOST_FAULTS_SHOWN = 20


@dataclass(eq=False)
class DecksNotAsked(TournamentError):
    """The event asks for no decklists."""

    event: str

    def __str__(self) -> str:
        return f"{self.event} asks for no decklists; an organizer can change that"


@dataclass(eq=False)
class DeckNotFound(TournamentError):
    """The entry handed in no list."""

    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} has no list that can be shown"


@dataclass(eq=False)
class DeckLocked(TournamentError):
    """The list can no longer be changed."""

    entry: int
    why: str

    def __str__(self) -> str:
        return f"the list of number {self.entry} is locked: {self.why}; a judge can unlock it"


@dataclass(eq=False)
class LeaveMissing(TournamentError):
    """No such exception was made for the player."""

    entry: int
    leave: str

    def __str__(self) -> str:
        return f"number {self.entry} has no leave to {self.leave}"


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A player without a legal list."""

    entry: int
    name: str
    has_draft: bool
    """A list is there, and it is not legal."""


@dataclass(eq=False)
class ListsMissing(TournamentError):
    """Players have no legal decklist."""

    round: int
    entries: Sequence[Unlisted]

    def __str__(self) -> str:
        shown = [f"{one.entry} ({one.name})" for one in self.entries[:_MOST_FAULTS_SHOWN]]
        more = [f"{len(self.entries) - _MOST_FAULTS_SHOWN:,} more"] if len(self.entries) > _MOST_FAULTS_SHOWN else []
        return (
            f"round {self.round} cannot be paired: no legal list of {', '.join([*shown, *more])}; "
            "hand it in, let them play without one, or drop them"
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
