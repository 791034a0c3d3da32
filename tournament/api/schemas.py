"""What the API says: documents with their examples. What it is told are the arguments of the services' commands."""

from collections.abc import Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tournament.domain.announcement import CutBy, Decklist, DrawRule, ListsOpen, Registration, changeable
from tournament.domain.bracket_plan import Form
from tournament.domain.lifecycle import Action, Phase, allowed
from tournament.domain.model import Bye, Result, Round
from tournament.domain.model import Seat as SomeSeat
from tournament.domain.roles import Role
from tournament.domain.series import Ambiguity, SeriesLine
from tournament.domain.standings import Standing
from tournament.service.accounts import EVERYTHING, AccountName, Scope, Shown, digest_of, id_of, scopes_in
from tournament.service.commands import player_in
from tournament.service.entries import MOST_NUMBER
from tournament.service.events import Changed, planned
from tournament.service.invitations import MOST_NUMBER as MOST_INVITATION
from tournament.service.passwords import MOST
from tournament.service.results import Games
from tournament.service.series import EventOfSeries, OneEntry, Points, SeriesStandings, points_in
from tournament.store import Entered
from tournament.tables import (
    BrowserRow,
    EntryRow,
    EventRow,
    RoundRow,
    SeriesEventRow,
    SeriesRow,
    StaffRow,
    TokenRow,
)

F = TypeVar("F", bound=BaseModel)


class Document(BaseModel):
    """Something the API says."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Problem(BaseModel):
    """Why something was not done. Source: RFC 9457. A type has fields of its own beside these."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(examples=["/problems/stale-event"])
    title: str = Field(examples=["Others changed the event meanwhile"])
    detail: str = Field(examples=["you acted on version 6, and the event is at 7; look again"])
    status: int = Field(examples=[409])


class LogLine(Document, Generic[F]):
    """A row of a log."""

    event: str = Field(examples=["k3v7qzj2m5xa"])
    sequence: int = Field(ge=1, examples=[7], description="also the version of the event after the command")
    command: str = Field(description="your id of it, or ours if you gave none")
    name: str = Field(examples=["entry.add"])
    arguments: dict[str, Any]
    fact: F
    actor: str = Field(examples=["ann"])
    role: Role
    at: str = Field(examples=["2026-01-31T09:30:00.000000Z"])
    reason: str = Field(examples=[""])
    previous: str
    hash: str


class Receipt(LogLine[F]):
    """A command that was accepted: its row of the event's log. Keep the hash, and nobody can deny it."""

    phase: Phase


class SeriesReceipt(LogLine[F]):
    """The same of a series, whose id stands in place of the event's; a series has no phase."""

    phase: Literal[""]


class AnyFact(BaseModel):
    """What came of a command; its fields are those of the command's own answer."""

    model_config = ConfigDict(extra="allow")


class Health(Document):
    """Whether the server can work."""

    status: str = Field(examples=["ok"])
    version: str = Field(examples=["0.1.0"])
    database: str = Field(examples=["sqlite"])


# --- accounts, tokens, browsers ---------------------------------------------------------------------------------------

Password = Annotated[str, Field(min_length=1, max_length=MOST, examples=["correct horse battery staple"])]
Code = Annotated[
    str, Field(max_length=40, examples=["287082"], description="of the device, or a recovery code; if there is one")
]
EventName = Annotated[
    str, StringConstraints(pattern="^[A-Za-z0-9]{1,40}$", to_lower=True), Field(examples=["k3v7qzj2m5xa"])
]
Label = Annotated[str, Field(max_length=100, examples=["the laptop at the desk"])]


class Proof(Document):
    """Who somebody says to be, and with what."""

    account: AccountName = Field(examples=["ann"])
    password: Password
    code: Code = ""


class SignIn(Proof):
    """A name and a password, and which token is wanted for them."""

    label: Label = ""
    scopes: frozenset[Scope] = Field(
        default=EVERYTHING, min_length=1, description="what the token is good for", examples=[["read"]]
    )
    event: EventName | None = Field(default=None, description="the only event that it is good for")
    days: int | None = Field(default=None, ge=1, le=3650, description="how long it is good; null for ever")


class Token(Document):
    """A token, told this once."""

    token: str = Field(examples=["dp_5Pq…"])
    id: str = Field(examples=["9f86d081884c7d65"], description="by what it is listed and revoked")
    scopes: list[Scope]
    event: str | None
    expires_at: str | None


class TokenLine(Document):
    """A token, without itself."""

    id: str = Field(examples=["9f86d081884c7d65"])
    label: Label
    scopes: list[Scope]
    event: str | None
    created_at: str
    expires_at: str | None
    last_used: str | None = Field(examples=["2026-01-31"], description="the day; null if it never was")
    current: bool = Field(description="it is the one that asks")

    @classmethod
    def of(cls, row: TokenRow, token: Shown | None) -> "TokenLine":
        """A token as its account sees it."""
        return cls(
            id=id_of(row.digest),
            scopes=sorted(scopes_in(row.scopes)),
            current=token is not None and digest_of(token.text) == row.digest,
            **row.model_dump(exclude={"digest", "account", "scopes"}),
        )


class Tokens(Document):
    """The tokens of an account."""

    tokens: list[TokenLine]


class TypedCode(Document):
    """What stands on the paper of an entry."""

    event: EventName
    number: int = Field(ge=1, le=MOST_NUMBER, examples=[17], description="the player's number")
    code: str = Field(
        max_length=40, examples=["7kq2 m4xa o9zt"], description="capitals, blanks and dashes do not matter"
    )


class EntryToken(Document):
    """What a player sends as a bearer token."""

    token: str = Field(examples=["dpe_k3v7qzj2m5xa_17_7KQ2-M4XA-09ZT"])


class SignedIn(Document):
    """Who a browser is."""

    account: str | None = Field(examples=["ann"])
    event: str | None = Field(description="of a player: the event")
    entry: int | None = Field(description="of a player: the number")

    @classmethod
    def of(cls, actor: str | None, event: str | None) -> "SignedIn":
        """Somebody as the log calls them."""
        number = player_in(actor) if actor is not None else None
        return cls(account=actor if number is None else None, event=event, entry=number)


class BrowserLine(Document):
    """A browser that is signed in."""

    id: str = Field(examples=["9f86d081884c7d65"])
    about: str = Field(examples=["Mozilla/5.0 …"], description="what it says that it is")
    created_at: str
    seen_at: str = Field(description="to some minutes")
    expires_at: str
    current: bool = Field(description="it is the one that asks")

    @classmethod
    def of(cls, row: BrowserRow, token: Shown | None) -> "BrowserLine":
        """A browser as its account sees it."""
        is_current = token is not None and digest_of(token.text) == row.digest
        return cls(id=id_of(row.digest), current=is_current, **row.model_dump(exclude={"digest", "account"}))


class Browsers(Document):
    """Where an account is signed in."""

    browsers: list[BrowserLine]


class Account(Document):
    """An account, as its owner sees it."""

    account: str = Field(examples=["ann"])
    created_at: str
    second_factor: bool = Field(description="a code is needed to sign in")
    recovery_codes: int = Field(description="how many are left")


class NewPassword(Document):
    """The old password and a new one."""

    old: Password
    new: Password
    sign_out: bool = Field(default=False, description="sign out every other browser")
    revoke_tokens: bool = Field(default=False, description="make every other token worthless")


class PasswordOnly(Document):
    """The password once more."""

    password: Password


class PasswordAndCode(PasswordOnly):
    """The password and a code once more."""

    code: Code


class CodeOnly(Document):
    """A code of the device."""

    code: Code


class FactorBegun(Document):
    """What the device needs; it is told this once."""

    secret: str = Field(examples=["JBSWY3DPEHPK3PXP…"], description="base 32, to be typed")
    uri: str = Field(examples=["otpauth://totp/Deckproof:ann?secret=…&issuer=Deckproof"], description="to be scanned")


class RecoveryCodes(Document):
    """Codes for when the device is lost, each good once; they are told this once."""

    codes: list[str] = Field(examples=[["7KQ2-M4XA-09ZT-5BNE"]])


class SignOut(Document):
    """What else becomes worthless."""

    tokens: bool = Field(default=False, description="every token too")


class StaffLine(Document):
    """A role that somebody has."""

    account: str = Field(examples=["bea"])
    role: Role

    @classmethod
    def of(cls, row: StaffRow) -> "StaffLine":
        """A role as staff see it."""
        return cls(account=row.account, role=Role(row.role))


class Staff(Document):
    """The staff of an event, by name."""

    staff: list[StaffLine]


class Invitation(Document):
    """An invitation with its code."""

    invitation: int = Field(examples=[3])
    role: Role
    code: str = Field(examples=["7KQ2-M4XA-09ZT"])
    uses: int
    accepted_by: list[str]
    expires_at: str
    invited_by: str
    withdrawn: bool


class Invitations(Document):
    """The invitations of an event."""

    invitations: list[Invitation]


class Join(Document):
    """A new account, made for an invitation."""

    account: AccountName = Field(examples=["bea"])
    password: Password
    code: Code = ""
    invitation: int = Field(ge=1, le=MOST_INVITATION, examples=[3])
    invitation_code: str = Field(max_length=40, examples=["7KQ2-M4XA-09ZT"])


# --- events -----------------------------------------------------------------------------------------------------------


class Event(Document):
    """An event."""

    id: str = Field(examples=["k3v7qzj2m5xa"])
    version: int
    phase: Phase
    actions: list[Action] = Field(description="what the phase allows now")
    published: bool
    name: str = Field(examples=["Spring Open"])
    game: str
    preset: str
    best_of: int
    rounds: int | None
    capacity: int | None
    commitment: str = Field(description="hash of the public draw, given before the event")
    draw: str | None = Field(description="the draw, once the event is over")
    created_at: str
    template: str = Field(description="what it was announced from; empty for nothing")
    description: str
    venue: str
    time_zone: str = Field(examples=["Europe/Berlin"])
    starts_at: str | None = Field(description="UTC", examples=["2026-03-07T09:00:00.000000Z"])
    starts_local: str | None = Field(
        description="the same by the venue's clock", examples=["2026-03-07T10:00:00+01:00"]
    )
    format: str = Field(description="of decks; empty where none are asked for", examples=["standard"])
    format_version: int | None
    max_rating: str | None = Field(description="strongest rating of cards that may be played")
    pod_size: int | None = Field(description="usual players at a table; null for two, who play matches")
    cut: CutBy
    cut_size: int | None
    cut_points: int | None
    cut_form: Form
    round_minutes: int | None = Field(description="null for no clock")
    cut_minutes: int | None
    draw_rule: DrawRule
    decklist: Decklist
    lists_open: ListsOpen = Field(description="when everybody may see every decklist")
    decks_until: str | None
    waitlist: bool
    entry_fee: str = Field(description="a note; nothing is paid here")
    registration: Registration = Field(description="who may enter without staff")
    opens_at: str | None
    closes_at: str | None
    archived: bool

    may_change: list[str] = Field(
        description="what `PATCH` may change now", examples=[["name", "description", "venue"]]
    )
    entered: int = Field(description="players who entered and did not leave", examples=[42])
    planned_rounds: int = Field(description="rounds if nobody else enters; 0 where the cut is all that is played")
    planned_cut: int | None = Field(description="players in the cut, 0 for none; null where the results decide")

    @classmethod
    def of(cls, row: EventRow, field: Entered) -> "Event":
        """An event as everybody may see it."""
        phase, plan = Phase(row.phase), planned(row, field)
        is_over = phase in {Phase.FINISHED, Phase.VOID}
        return cls(
            actions=[action for action in Action if action in allowed(phase)],
            draw=row.draw if is_over else None,
            may_change=list(changeable(phase)),
            entered=field.here,
            planned_rounds=plan.rounds,
            planned_cut=plan.cut,
            **row.model_dump(exclude={"head", "draw", "registration_code", "words"}),
        )


class Events(Document):
    """A page of events."""

    events: list[Event]
    next: str | None = Field(description="for `before`, to get the next page; null on the last")


class Template(Document):
    """What events of a game usually announce."""

    name: str = Field(examples=["cps-official"])
    title: str = Field(examples=["Celebrity Parody Showdown, official"])
    game: str = Field(examples=["cps"])
    words: str
    announced: dict[str, Any] = Field(
        description="fields of an announcement; every other one is as without a template",
        examples=[{"game": "cps", "format": "standard", "best_of": 3, "cut": "the table"}],
    )


class Templates(Document):
    """The templates, the first game's first."""

    templates: list[Template]


class RegistrationCode(Document):
    """What lets players in where `registration` is `code`. It is stored nowhere."""

    code: str = Field(examples=["7KQ2-M4XA-09ZT"])
    generation: int = Field(description="raised to make every older code worthless")


class EditLine(Document):
    """An edit: who changed what, before and after."""

    sequence: int
    actor: str = Field(examples=["ann"])
    at: str
    reason: str
    changes: dict[str, Changed] = Field(examples=[{"capacity": {"before": 64, "after": 96}}])


class Edits(Document):
    """A page of an event's edits."""

    edits: list[EditLine]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class Entry(Document):
    """A player's place in an event."""

    number: int = Field(examples=[17])
    name: str = Field(examples=["Ann Example"])
    entered_at: str
    entered_in: int = Field(description="the first round that the player may be paired in")
    dropped_after: int | None = Field(description="the last round played; null while the player is in")
    fixed_table: int | None
    awarded_byes: int
    disqualified: bool

    @classmethod
    def of(cls, row: EntryRow) -> "Entry":
        """An entry as everybody may see it."""
        return cls(**row.model_dump(exclude={"event_id", "code"}))


class Entries(Document):
    """A page of entries."""

    entries: list[Entry]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class Seat(Document):
    """A table with its two players, or a bye."""

    table: int | None = Field(description="null for a bye")
    first: int = Field(description="number of the first player, or of the bye's holder")
    second: int | None
    bye: str | None
    result: Games | None = Field(description="null for a bye, and while the table plays")


class PlayedRound(Document):
    """A round with its tables."""

    number: int
    paired_at: str
    published_at: str | None = Field(description="null for a draft")
    closed_at: str | None
    seats: list[Seat]

    @classmethod
    def of(cls, row: RoundRow, played: Round) -> "PlayedRound":
        """A round; players by their numbers."""
        return cls(seats=[_seat(seat) for seat in played.seats], **row.model_dump(exclude={"event_id"}))


class RoundLine(Document):
    """A round without its tables."""

    number: int
    paired_at: str
    published_at: str | None
    closed_at: str | None


class Rounds(Document):
    """The rounds of an event."""

    rounds: list[RoundLine]


class StandingLine(Document):
    """A place in the standings."""

    place: int
    player: int = Field(examples=[17])
    match_points: int
    tiebreaks: dict[str, str] = Field(
        description="exact fractions, in the order in which they count", examples=[{"omw": "2/3", "gw": "7/12"}]
    )

    @classmethod
    def of(cls, line: Standing) -> "StandingLine":
        """A line; fractions as texts, because a float would not be exact."""
        return cls(
            place=line.place,
            player=int(line.player),
            match_points=line.match_points,
            tiebreaks={name: str(value) for name, value in line.tiebreaks.items()},
        )


class Standings(Document):
    """The standings after a closed round."""

    after: int = Field(description="the round; 0 before the first is closed")
    preset: str
    standings: list[StandingLine]


class LogPage(Document):
    """A page of an event's log."""

    receipts: list[Receipt[AnyFact]]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class Checked(Document):
    """What an audit found."""

    holds: bool
    version: int
    breaks: list[str] = Field(description="places where the log does not hold")
    differences: list[str] = Field(description="rows that are not what the log makes them")


# --- series ----------------------------------------------------------------------------------------------------------


class WeighedEvent(Document):
    """An event of a series."""

    event: str = Field(examples=["k3v7qzj2m5xa"])
    multiplier: str = Field(description="what its points are times, exactly", examples=["3/2"])


class Series(Document):
    """Points over several events."""

    id: str = Field(examples=["s-k3v7qzj2m5xa"])
    version: int
    published: bool
    archived: bool
    name: str = Field(examples=["Spring League"])
    description: str
    game: str | None
    points: Points
    events: list[WeighedEvent] = Field(description="in the order in which they were put in")
    created_at: str

    @classmethod
    def of(cls, row: SeriesRow, events: Sequence[SeriesEventRow]) -> "Series":
        """A series as everybody may see it."""
        return cls(
            points=points_in(row),
            events=[WeighedEvent(event=one.event_id, multiplier=one.multiplier) for one in events],
            **row.model_dump(exclude={"head", "phase", "scheme", "words"}),
        )


class SomeSeries(Document):
    """A page of series."""

    series: list[Series]
    next: str | None = Field(description="for `before`, to get the next page; null on the last")


class Organizers(Document):
    """Who organizes a series."""

    organizers: list[str] = Field(examples=[["ann", "bea"]])


class SeriesEvent(WeighedEvent):
    """An event that a series' standings are made of."""

    name: str = Field(examples=["League night 1"])
    phase: Phase
    starts_at: str | None
    counts: bool = Field(description="whether it is finished; nothing else counts")


class Contribution(Document):
    """What an event gave."""

    event: str = Field(examples=["k3v7qzj2m5xa"])
    entry: int = Field(examples=[17])
    place: int
    match_points: int
    points: str = Field(description="exactly, times the event's multiplier", examples=["21/2"])
    counted: bool = Field(description="false where better events fill the number that counts")


class SeriesStandingLine(Document):
    """A person's place in a series."""

    place: int
    name: str = Field(description="as in the last event", examples=["Ann Example"])
    points: str = Field(description="exactly", examples=["31/2"])
    contributions: list[Contribution]


class AmbiguousName(Document):
    """Entries that may be one person or several; each list is counted as one until an organizer says more."""

    names: list[str] = Field(examples=[["Ann Example", "ann example"]])
    persons: list[list[OneEntry]]


class SeriesTable(Document):
    """The standings of a series, from its finished events."""

    series: str
    version: int
    events: list[SeriesEvent] = Field(description="by when they start")
    standings: list[SeriesStandingLine]
    ambiguous: list[AmbiguousName]

    @classmethod
    def of(cls, row: SeriesRow, events: Sequence[EventOfSeries], found: SeriesStandings) -> "SeriesTable":
        """The table, fractions as texts."""
        return cls(
            series=row.id,
            version=row.version,
            events=[_series_event(one) for one in events],
            standings=[_series_line(line) for line in found.lines],
            ambiguous=[_ambiguous(one, found) for one in found.ambiguous],
        )


class SeriesLogPage(Document):
    """A page of a series' log."""

    receipts: list[SeriesReceipt[AnyFact]]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


def _series_event(one: EventOfSeries) -> SeriesEvent:
    row = one.row
    return SeriesEvent(
        event=row.id,
        multiplier=str(one.multiplier),
        name=row.name,
        phase=Phase(row.phase),
        starts_at=row.starts_at,
        counts=one.counts,
    )


def _series_line(line: SeriesLine) -> SeriesStandingLine:
    return SeriesStandingLine(
        place=line.place,
        name=line.name,
        points=str(line.points),
        contributions=[
            Contribution(
                event=one.finish.appearance.event,
                entry=one.finish.appearance.entry,
                place=one.finish.place,
                match_points=one.finish.match_points,
                points=str(one.points),
                counted=one.counted,
            )
            for one in line.contributions
        ],
    )


def _ambiguous(one: Ambiguity, found: SeriesStandings) -> AmbiguousName:
    persons = [[OneEntry(event=at.event, entry=at.entry) for at in person] for person in one.persons]
    names = dict.fromkeys(found.names[at] for person in one.persons for at in person)
    return AmbiguousName(names=list(names), persons=persons)


def _seat(seat: SomeSeat) -> Seat:
    if isinstance(seat, Bye):
        return Seat(table=None, first=int(seat.player), second=None, bye=seat.kind.value, result=None)
    games = None if seat.result is None else _games(seat.result)
    return Seat(table=seat.table, first=int(seat.first), second=int(seat.second), bye=None, result=games)


def _games(result: Result) -> Games:
    return Games(first=result.first, second=result.second, drawn=result.drawn, ending=result.ending)
