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
├── PlayerReportsOff        players do not report in this event
├── NotYourTable            a player and a table where others sit
├── TableSettled            the table has a result, so nothing can be claimed of it
├── ClaimNotFound           the player claims nothing there
├── ClaimChanged            the claim that was to be confirmed is not the one that stands
├── NoDisagreement          a table whose players do not contradict each other
├── NothingToAccept         none of the claims can be made a result
├── NoTable                 a judge is called to no table
├── CallNotFound            no such call for a judge
├── CallRefused             the call is not to be taken, given back or closed; why
├── PenaltyNotFound         no such penalty
├── PenaltyWithdrawn        a withdrawn penalty stays withdrawn
├── EffectRefused           a penalty that changes no result now; why
├── EffectStands            what a penalty did cannot be taken back by itself; why
├── DeckCheckNotFound       no such deck check
├── DeckCheckRefused        the deck check is not to be started, finished or called off; why
├── NothingToCheck          no table is left to draw from; why
├── NoteNotFound            no such note
├── NoteChanged             somebody amended the note meanwhile
├── ScheduleOver            everybody has met everybody
├── ScheduleClosed          a round robin takes nobody late
├── FoldRefused             only a first round is folded by seeds
├── CertificateNotFound     a round that is paired by a plain rule, or elsewhere
├── TablesRefused           tables made by hand that break a rule; every fault
├── TablesWorse             tables made by hand that could be better, and nobody said "even so"
├── OptionStale             a way to mend the round that is none any more
├── ClockRefused            the clock cannot do that now
├── CutNotFound             the event has no cut
├── CutUnfinished           matches of the cut are still to be played
├── CorrectionUnseen        a correction of the cut that changes other matches, which nobody looked at
├── CutReopened             a correction after the end that would have matches played again
├── UndoRefused             something depends on the command, or nothing of it is left to take back
├── LogBroken               the log does not hold, so nothing is derived from it
├── LogUnreadable           a log from elsewhere that is none, or that cannot be carried out
├── FileBroken              an event's file whose log does not hold, or says something else
├── EventPresent            the event that is brought along is here already, with other commands
├── NotCarried              what an event here cannot have
├── BackupUnreadable        a file that is no backup
├── BackupBroken            a backup that does not hold
├── DatabaseNotEmpty        something is in the database that would be lost
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


# --- rounds, repairs, the cut, undo -----------------------------------------------------------------------------------


@dataclass(eq=False)
class ScheduleOver(TournamentError):
    """All rounds of the round robin are paired."""

    rounds: int

    def __str__(self) -> str:
        return f"everybody meets everybody in {self.rounds} rounds, and they are paired; finish the event"


@dataclass(eq=False)
class ScheduleClosed(TournamentError):
    """A round robin takes nobody late."""

    players: Sequence[int]

    def __str__(self) -> str:
        late = ", ".join(map(str, self.players))
        return f"the schedule was made in round 1, without number {late}; drop who came late"


@dataclass(eq=False)
class FoldRefused(TournamentError):
    """Only the first round is paired by seeds."""

    round: int
    why: str

    def __str__(self) -> str:
        return f"round {self.round} cannot be paired by seeds: {self.why}"


@dataclass(eq=False)
class CertificateNotFound(TournamentError):
    """The round has no certificate."""

    round: int

    def __str__(self) -> str:
        return f"round {self.round} has no certificate; only a round that was paired here as Swiss has one"


@dataclass(eq=False)
class TablesRefused(TournamentError):
    """The tables break a rule of the round."""

    round: int
    faults: Sequence[str]

    def __str__(self) -> str:
        return f"round {self.round} cannot be so: {'; '.join(self.faults)}"


@dataclass(eq=False)
class TablesWorse(TournamentError):
    """The tables are worse than the drawn ones."""

    round: int
    faults: Sequence[str]

    def __str__(self) -> str:
        return f"round {self.round} would be worse: {'; '.join(self.faults)}; say `even_so` if it has to be"


@dataclass(eq=False)
class OptionStale(TournamentError):
    """The way to go on is not as it was shown."""

    option: str
    options: Sequence[str]
    """Those that there are now."""

    def __str__(self) -> str:
        return f"no way to go on is {self.option!r} any more; look at the {len(self.options)} that there are now"


@dataclass(eq=False)
class ClockRefused(TournamentError):
    """The clock cannot do that."""

    round: int
    why: str

    def __str__(self) -> str:
        return f"the clock of round {self.round} {self.why}"


@dataclass(eq=False)
class CutNotFound(TournamentError):
    """The event has no cut."""

    def __str__(self) -> str:
        return "the event has no cut, or it has not begun"


@dataclass(eq=False)
class CutUnfinished(TournamentError):
    """Matches of the cut are still to be played."""

    matches: Sequence[str]

    def __str__(self) -> str:
        return f"the cut is not over: {', '.join(self.matches)} can be played; finish it anyway by giving a reason"


@dataclass(eq=False)
class CorrectionUnseen(TournamentError):
    """The correction changes other matches of the cut."""

    replay: Sequence[str]
    """Matches whose result would no longer count."""
    moved: Sequence[str]
    """Matches that other players would play."""
    seen: str
    """To be sent with the correction by whoever has looked."""

    def __str__(self) -> str:
        changes = "; ".join([*self.replay, *self.moved])
        return f"the correction changes other matches: {changes}; send it again with `seen`"


@dataclass(eq=False)
class CutReopened(TournamentError):
    """The event is over, and matches would have to be played again."""

    matches: Sequence[str]

    def __str__(self) -> str:
        return (
            f"the event is finished, and {', '.join(self.matches)} would have to be played again; undo the finish first"
        )


@dataclass(eq=False)
class UndoRefused(TournamentError):
    """The command cannot be undone."""

    sequence: int
    why: str
    changes: Sequence[Change] = ()
    """What was done since and would have to be undone first, the latest first."""

    def __str__(self) -> str:
        return f"command {self.sequence} cannot be undone: {self.why}"


@dataclass(eq=False)
class PlayerReportsOff(TournamentError):
    """Players do not report in this event."""

    def __str__(self) -> str:
        return "players do not report results here; bring the slip to the scorekeeper"


@dataclass(eq=False)
class NotYourTable(TournamentError):
    """Others sit at the table."""

    round: int
    table: int
    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} does not sit at table {self.table} in round {self.round}; look up your table"


@dataclass(eq=False)
class TableSettled(TournamentError):
    """The table has a result, so nothing can be claimed of it."""

    round: int
    table: int
    known: str

    def __str__(self) -> str:
        return f"round {self.round}, table {self.table} is settled as {self.known}; if that is wrong, call a judge"


@dataclass(eq=False)
class ClaimNotFound(TournamentError):
    """The player claims nothing there."""

    round: int
    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} has no open claim in round {self.round}"


@dataclass(eq=False)
class ClaimChanged(TournamentError):
    """The claim is not the one that stands."""

    claim: int
    stands: int | None
    """The opponent's claim now; None for none."""

    def __str__(self) -> str:
        now = "claims nothing now" if self.stands is None else f"claims something else now (claim {self.stands})"
        return f"claim {self.claim} does not stand: your opponent {now}; look again"


@dataclass(eq=False)
class NoDisagreement(TournamentError):
    """The players do not contradict each other."""

    round: int
    table: int

    def __str__(self) -> str:
        return f"the players at round {self.round}, table {self.table} do not contradict each other; report the result"


@dataclass(eq=False)
class NothingToAccept(TournamentError):
    """None of the claims can be made a result."""

    why: Sequence[str]
    """For each claim."""

    def __str__(self) -> str:
        return f"no claim was made a result: {'; '.join(self.why)}"


@dataclass(eq=False)
class NoTable(TournamentError):
    """There is no table to call a judge to."""

    entry: int | None
    """None: staff call, who have to name the table."""

    def __str__(self) -> str:
        if self.entry is None:
            return "name the table, of a round that is published"
        return f"number {self.entry} does not sit at that table in the latest round; go to the judges' station"


@dataclass(eq=False)
class CallNotFound(TournamentError):
    """The event has no such call for a judge."""

    call: int

    def __str__(self) -> str:
        return f"there is no call {self.call}"


@dataclass(eq=False)
class CallRefused(TournamentError):
    """The call does not allow it."""

    call: int
    why: str

    def __str__(self) -> str:
        return f"call {self.call}: {self.why}"


@dataclass(eq=False)
class PenaltyNotFound(TournamentError):
    """The event has no such penalty."""

    penalty: int

    def __str__(self) -> str:
        return f"there is no penalty {self.penalty}"


@dataclass(eq=False)
class PenaltyWithdrawn(TournamentError):
    """The penalty was withdrawn."""

    penalty: int

    def __str__(self) -> str:
        return f"penalty {self.penalty} was withdrawn and stays so; give a new one"


@dataclass(eq=False)
class EffectRefused(TournamentError):
    """The penalty changes nothing now."""

    penalty: int
    why: str

    def __str__(self) -> str:
        return f"penalty {self.penalty} changes nothing now: {self.why}"


@dataclass(eq=False)
class EffectStands(TournamentError):
    """What the penalty did cannot be taken back by itself."""

    penalty: int
    why: str

    def __str__(self) -> str:
        return f"what penalty {self.penalty} did cannot be taken back: {self.why}"


@dataclass(eq=False)
class DeckCheckNotFound(TournamentError):
    """The event has no such deck check."""

    deck_check: int

    def __str__(self) -> str:
        return f"there is no deck check {self.deck_check}"


@dataclass(eq=False)
class DeckCheckRefused(TournamentError):
    """The deck check does not allow it."""

    deck_check: int
    why: str

    def __str__(self) -> str:
        return f"deck check {self.deck_check}: {self.why}"


@dataclass(eq=False)
class NothingToCheck(TournamentError):
    """There is no table whose decks could be checked."""

    why: str

    def __str__(self) -> str:
        return f"no table can be drawn: {self.why}"


@dataclass(eq=False)
class NoteNotFound(TournamentError):
    """The event has no such note."""

    note: int

    def __str__(self) -> str:
        return f"there is no note {self.note}"


@dataclass(eq=False)
class NoteChanged(TournamentError):
    """Somebody amended the note meanwhile."""

    note: int
    revision: int

    def __str__(self) -> str:
        return f"note {self.note} is at revision {self.revision}; read it again, and amend that"


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
        return f"the database has {self.accounts} accounts and {self.events} events; --force replaces them"


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
