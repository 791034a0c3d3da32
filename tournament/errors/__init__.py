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
├── SecondFactorLocked      it was encrypted with another secret than the server has now
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
├── EffectInForce           a penalty that is applied is not withdrawn; its effect is taken back first
├── EffectStands            what a penalty did cannot be taken back by itself; why
├── DeckCheckNotFound       no such deck check
├── DeckCheckRefused        the deck check is not to be started, finished or called off; why
├── NothingToCheck          no table is left to draw from; why
├── NoteNotFound            no such note
├── NoteChanged             somebody amended the note meanwhile
├── RoundUnannounced        a round that nobody announced
├── ScheduleOver            everybody has met everybody
├── ScheduleClosed          a round robin takes nobody late
├── FoldRefused             only a first round is folded by seeds
├── CertificateNotFound     a round that is paired by a plain rule, or elsewhere
├── TablesRefused           tables made by hand that break a rule; every fault
├── TablesWorse             tables made by hand that could be better, and nobody said "even so"
├── OptionStale             a way to mend the round that is none any more
├── PodsNotMended           a way to mend a round at tables of several
├── PodsWithoutCut          a cut of an event with tables of several
├── ClockRefused            the clock cannot do that now
├── MatchClockRefused       the clock of a match of the cut cannot do that now
├── CutNotFound             the event has no cut
├── CutUnfinished           matches of the cut are still to be played
├── CorrectionUnseen        a correction of the cut that changes other matches, which nobody looked at
├── CutReopened             a correction after the end that would have matches played again
├── UndoRefused             something depends on the command, or nothing of it is left to take back
├── NotYourEntry            a player acts for nobody else
├── EntryVoid               an entry that became part of another one
├── EntryErased             an entry of which nothing is left that could change
├── ErasureTooEarly         what an event still needs of its players
├── NothingToErase          there is nothing that could be erased, or nothing any more
├── SeriesWouldPart         a series that would no longer know who is one person
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
├── EndpointsMissing        the server has too few endpoints to ask the chain
├── ManifestImpossible      what the event announces of ownership cannot be promised; every field
├── ManifestNotFound        the event has no manifest
├── OwnershipNotAsked       the event requires no ownership
├── ClockBehind             the server's clock is behind what the log has
├── ChainBusy               as many wait for the chain as may
├── EpochNotFound           no such epoch
├── NothingToOverride       no decision of a judge is called for
├── CutRoundRefused         no round of the cut can begin now; why
├── CutRoundNotBegun        a match whose round of the cut was not begun with both players
├── PlayersDropped          who was short was dropped, so the round has to be paired again
├── OwnershipUnproven       a round that would begin with players who have not proven their cards; every one
├── HostsUnnamed            a server that takes any name for its own cannot have texts signed
├── ChallengeUnknown        no text waits for that answer
├── ControlUnproven         an answer that does not prove control of the wallet
├── ControlUndetermined     a wallet that could not be asked
├── WalletTaken             a wallet serves one entry of an event
├── WalletsFull             more wallets than an entry may have
├── WalletLocked            what serves whom is settled since the event began
├── WalletNotFound          no such wallet of the entry
├── WalletUnknown           a wallet that no entry is signed in to by
├── SplitRefused            a split that cannot be so; every fault
├── VaultSilent             a vault that does not vouch for the wallet
├── RegistryMissing         a chain without a registry in which a vault could vouch
├── LogBroken               the log does not hold, so nothing is derived from it
├── LogUnreadable           a log from elsewhere that is none, or that cannot be carried out
├── LogSealed               a published log, from which an event cannot go on
├── FileBroken              an event's file whose log does not hold, or says something else
├── EventPresent            the event that is brought along is here already, with other commands
├── NotCarried              what an event here cannot have
├── BackupUnreadable        a file that is no backup
├── BackupBroken            a backup that does not hold
├── DatabaseNotEmpty        something is in the database that would be lost
├── SchemaMismatch          the database has another shape than this program
├── DriverMissing           the database that is named needs a package that is not installed
├── SecretMissing           the default secret outside development
├── StreamsUnavailable      as many live streams are open as may be
├── WebhookNotFound         no such webhook in the event
├── DeliveryNotFound        nothing of that id was sent or is to be sent
├── WebhookUrlUnreadable    not a URL that webhooks may go to; every reason
├── TooManyWebhooks         an event has only so many
├── PassesNotOpen           the event gives no passes
├── PassKeysMissing         the keys of its passes are not here, or cannot be read
├── NoKeyLeft               every key that it named has been used
├── PassNotDue              an entry that gets no pass now; every reason
├── PassPresent             the entry has a pass that says the same
├── PassTimeRefused         a time that a pass, or a key, cannot have
├── PassNotFound            an entry without a pass that counts
├── PassNotGood             nobody comes in with this; every reason
├── DeskNameTaken           another desk is called that
├── ScansUnsound            scans that no desk of the event made; every one
├── ScansUnsettled          players who came in more than once; every one with the scans
├── NothingToSettle         a player who came in once at most
└── DatabaseUnavailable     gone, full or locked; try again
"""

from tournament.domain.errors import TournamentError
from tournament.errors.accounts import (
    AccountDisabled,
    AccountNotFound,
    AccountTaken,
    EntryCodeWrong,
    InvitationNotFound,
    InvitationOver,
    LastOrganizer,
    NotStaff,
    PasswordUnfit,
    ScopeMissing,
    SecondFactorLocked,
    SecondFactorNeeded,
    SecondFactorOff,
    SecondFactorOn,
    SecondFactorWrong,
    SignInWrong,
    TokenNotFound,
    TokensFull,
)
from tournament.errors.asking import (
    Change,
    CommandIdReused,
    CommandNotFound,
    EntryNotFound,
    EventNotFound,
    NotYours,
    RoundNotFound,
    SignInNeeded,
    StaleEvent,
    TableNotFound,
)
from tournament.errors.databases import (
    BackupBroken,
    BackupUnreadable,
    DatabaseNotEmpty,
    DatabaseUnavailable,
    DriverMissing,
    EventPresent,
    FileBroken,
    LogBroken,
    LogSealed,
    LogUnreadable,
    NotCarried,
    SchemaMismatch,
    SecretMissing,
)
from tournament.errors.entries import (
    AlreadyDisqualified,
    ApartNotFound,
    DeckLocked,
    DeckNotFound,
    DecksNotAsked,
    EntriesFault,
    EntriesUnreadable,
    EntryErased,
    EntryVoid,
    ErasureTooEarly,
    EventFull,
    LeaveMissing,
    ListsMissing,
    MergeRefused,
    NobodyCheckedIn,
    NotCheckedIn,
    NotDisqualified,
    NothingToErase,
    NotPlaying,
    NotWaiting,
    NotYourEntry,
    RoundsBegun,
    SeriesWouldPart,
    StillPlaying,
    TooManyApart,
    Unlisted,
)
from tournament.errors.events import (
    AnnouncementContradicts,
    EditRefused,
    EventInSeries,
    PlayersEntered,
    RegistrationByStaff,
    RegistrationClosed,
    RegistrationCodeWrong,
    RegistrationNotYetOpen,
    RegistrationOver,
)
from tournament.errors.judging import (
    CallNotFound,
    CallRefused,
    DeckCheckNotFound,
    DeckCheckRefused,
    EffectInForce,
    EffectRefused,
    EffectStands,
    NoTable,
    NoteChanged,
    NoteNotFound,
    NothingToCheck,
    PenaltyNotFound,
    PenaltyWithdrawn,
)
from tournament.errors.live import (
    DeliveryNotFound,
    StreamsUnavailable,
    TooManyWebhooks,
    WebhookNotFound,
    WebhookUrlUnreadable,
)
from tournament.errors.ownership import (
    ChainBusy,
    ClockBehind,
    CutRoundNotBegun,
    CutRoundRefused,
    EndpointsMissing,
    EpochNotFound,
    ManifestImpossible,
    ManifestNotFound,
    NothingToOverride,
    OwnershipNotAsked,
    OwnershipUnproven,
    PlayersDropped,
    Unproven,
)
from tournament.errors.passes import (
    DeskNameTaken,
    NoKeyLeft,
    NothingToSettle,
    PassesNotOpen,
    PassKeysMissing,
    PassNotDue,
    PassNotFound,
    PassNotGood,
    PassPresent,
    PassTimeRefused,
    ScansUnsettled,
    ScansUnsound,
    Unsettled,
)
from tournament.errors.requests import (
    BodyTooLarge,
    BodyTooSlow,
    CrossSite,
    HostUnknown,
    MediaTypeUnknown,
    MethodNotAllowed,
    PathNotFound,
    RequestFault,
    RequestUnreadable,
    TooManyRequests,
)
from tournament.errors.results import (
    ClaimChanged,
    ClaimNotFound,
    NoDisagreement,
    NothingToAccept,
    NotReported,
    NotYourTable,
    PlayerReportsOff,
    ResultRefused,
    TableReported,
    TableSettled,
)
from tournament.errors.rounds import (
    CertificateNotFound,
    ClockRefused,
    CorrectionUnseen,
    CutNotFound,
    CutReopened,
    CutUnfinished,
    DraftMissing,
    FoldRefused,
    MatchClockRefused,
    OptionStale,
    PodsNotMended,
    PodsWithoutCut,
    RoundUnannounced,
    ScheduleClosed,
    ScheduleOver,
    TablesRefused,
    TablesWorse,
    TooFewPlayers,
    UndoRefused,
)
from tournament.errors.series import (
    EventNotPublished,
    GameOfSeriesDiffers,
    NotInSeries,
    PeopleContradict,
    SeriesEntryNotFound,
    SeriesFull,
    SeriesNotFound,
)
from tournament.errors.wallets import (
    ChallengeUnknown,
    ControlUndetermined,
    ControlUnproven,
    HostsUnnamed,
    RegistryMissing,
    SplitRefused,
    VaultSilent,
    WalletLocked,
    WalletNotFound,
    WalletsFull,
    WalletTaken,
    WalletUnknown,
)

__all__ = [
    "AccountDisabled",
    "AccountNotFound",
    "AccountTaken",
    "AlreadyDisqualified",
    "AnnouncementContradicts",
    "ApartNotFound",
    "BackupBroken",
    "BackupUnreadable",
    "BodyTooLarge",
    "BodyTooSlow",
    "CallNotFound",
    "CallRefused",
    "CertificateNotFound",
    "ChainBusy",
    "ChallengeUnknown",
    "Change",
    "ClaimChanged",
    "ClaimNotFound",
    "ClockBehind",
    "ClockRefused",
    "CommandIdReused",
    "CommandNotFound",
    "ControlUndetermined",
    "ControlUnproven",
    "CorrectionUnseen",
    "CrossSite",
    "CutNotFound",
    "CutReopened",
    "CutRoundNotBegun",
    "CutRoundRefused",
    "CutUnfinished",
    "DatabaseNotEmpty",
    "DatabaseUnavailable",
    "DeckCheckNotFound",
    "DeckCheckRefused",
    "DeckLocked",
    "DeckNotFound",
    "DecksNotAsked",
    "DeliveryNotFound",
    "DeskNameTaken",
    "DraftMissing",
    "DriverMissing",
    "EditRefused",
    "EffectInForce",
    "EffectRefused",
    "EffectStands",
    "EndpointsMissing",
    "EntriesFault",
    "EntriesUnreadable",
    "EntryCodeWrong",
    "EntryErased",
    "EntryNotFound",
    "EntryVoid",
    "EpochNotFound",
    "ErasureTooEarly",
    "EventFull",
    "EventInSeries",
    "EventNotFound",
    "EventNotPublished",
    "EventPresent",
    "FileBroken",
    "FoldRefused",
    "GameOfSeriesDiffers",
    "HostUnknown",
    "HostsUnnamed",
    "InvitationNotFound",
    "InvitationOver",
    "LastOrganizer",
    "LeaveMissing",
    "ListsMissing",
    "LogBroken",
    "LogSealed",
    "LogUnreadable",
    "ManifestImpossible",
    "ManifestNotFound",
    "MatchClockRefused",
    "MediaTypeUnknown",
    "MergeRefused",
    "MethodNotAllowed",
    "NoDisagreement",
    "NoKeyLeft",
    "NoTable",
    "NobodyCheckedIn",
    "NotCarried",
    "NotCheckedIn",
    "NotDisqualified",
    "NotInSeries",
    "NotPlaying",
    "NotReported",
    "NotStaff",
    "NotWaiting",
    "NotYourEntry",
    "NotYourTable",
    "NotYours",
    "NoteChanged",
    "NoteNotFound",
    "NothingToAccept",
    "NothingToCheck",
    "NothingToErase",
    "NothingToOverride",
    "NothingToSettle",
    "OptionStale",
    "OwnershipNotAsked",
    "OwnershipUnproven",
    "PassKeysMissing",
    "PassNotDue",
    "PassNotFound",
    "PassNotGood",
    "PassPresent",
    "PassTimeRefused",
    "PassesNotOpen",
    "PasswordUnfit",
    "PathNotFound",
    "PenaltyNotFound",
    "PenaltyWithdrawn",
    "PeopleContradict",
    "PlayerReportsOff",
    "PlayersDropped",
    "PlayersEntered",
    "PodsNotMended",
    "PodsWithoutCut",
    "RegistrationByStaff",
    "RegistrationClosed",
    "RegistrationCodeWrong",
    "RegistrationNotYetOpen",
    "RegistrationOver",
    "RegistryMissing",
    "RequestFault",
    "RequestUnreadable",
    "ResultRefused",
    "RoundNotFound",
    "RoundUnannounced",
    "RoundsBegun",
    "ScansUnsettled",
    "ScansUnsound",
    "ScheduleClosed",
    "ScheduleOver",
    "SchemaMismatch",
    "ScopeMissing",
    "SecondFactorLocked",
    "SecondFactorNeeded",
    "SecondFactorOff",
    "SecondFactorOn",
    "SecondFactorWrong",
    "SecretMissing",
    "SeriesEntryNotFound",
    "SeriesFull",
    "SeriesNotFound",
    "SeriesWouldPart",
    "SignInNeeded",
    "SignInWrong",
    "SplitRefused",
    "StaleEvent",
    "StillPlaying",
    "StreamsUnavailable",
    "TableNotFound",
    "TableReported",
    "TableSettled",
    "TablesRefused",
    "TablesWorse",
    "TokenNotFound",
    "TokensFull",
    "TooFewPlayers",
    "TooManyApart",
    "TooManyRequests",
    "TooManyWebhooks",
    "TournamentError",
    "UndoRefused",
    "Unlisted",
    "Unproven",
    "Unsettled",
    "VaultSilent",
    "WalletLocked",
    "WalletNotFound",
    "WalletTaken",
    "WalletUnknown",
    "WalletsFull",
    "WebhookNotFound",
    "WebhookUrlUnreadable",
]
