"""What the API says: documents with their examples. What it is told are the arguments of the services' commands."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from games.formats import Violation
from tournament import errors
from tournament.domain.announcement import CutBy, Decklist, DrawRule, ListsOpen, Registration, changeable
from tournament.domain.bracket_plan import Form
from tournament.domain.lifecycle import Action, Phase, allowed
from tournament.domain.model import Bye, Result, Round
from tournament.domain.model import Seat as SomeSeat
from tournament.domain.roles import Role
from tournament.domain.series import Ambiguity, SeriesLine
from tournament.domain.standings import Standing
from tournament.service.accounts import AccountName
from tournament.service.decklists import HandedIn, Kept
from tournament.service.decks import hash_of
from tournament.service.entries import Added
from tournament.service.events import Changed, planned
from tournament.service.results import Games
from tournament.service.series import EventOfSeries, OneEntry, Points, SeriesStandings, points_in
from tournament.store import Entered
from tournament.tables import DeckRow, EntryRow, EventRow, RoundRow, SeriesEventRow, SeriesRow
from verifier.decklist import write_decklist

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


class SignIn(Document):
    """A name and a password."""

    account: AccountName = Field(examples=["ann"])
    password: str = Field(min_length=1, max_length=200, examples=["correct horse battery staple"])
    label: str = Field(default="", max_length=100, examples=["the laptop at the desk"])


class Token(Document):
    """A token, told this once."""

    token: str = Field(examples=["dp_5Pq…"])


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
    waiting: bool = Field(description="for a place")
    checked_in: bool
    merged_into: int | None = Field(description="the entry of the same person that this one became part of")
    deck: str | None = Field(
        description="the commitment to the legal list that was handed in: Keccak-256 of a salt and its canonical form; "
        "list and salt are told when lists are opened"
    )

    @classmethod
    def of(cls, row: EntryRow, deck: DeckRow | None) -> "Entry":
        """An entry as everybody may see it."""
        told = row.model_dump(exclude={"event_id", "code", "waiting", "checked_in"})
        return cls(
            waiting=row.waiting is not None,
            checked_in=row.checked_in is not None,
            deck=None if deck is None else deck.commitment,
            **told,
        )


class Named(Document):
    """An entry and whose it is."""

    number: int = Field(examples=[17])
    name: str = Field(examples=["Ann Example"])

    @classmethod
    def of(cls, row: EntryRow) -> "Named":
        """An entry in short."""
        return cls(number=row.number, name=row.name)


class Entries(Document):
    """A page of entries."""

    entries: list[Entry]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


# --- entries and their decks ------------------------------------------------------------------------------------------


class Mine(Document):
    """What a player sees of the own entry."""

    entry: Entry
    place_in_line: int | None = Field(description="from 1, for who waits; null for who does not")
    has_draft: bool = Field(description="a list was handed in that is not legal, and does not count")
    is_unlocked: bool = Field(description="a judge lets you change your list after the lock")
    is_waived: bool = Field(description="you may play without a legal list")
    decklist: Decklist = Field(description="whether the event asks for a list")
    decks_until: str | None = Field(description="when lists are locked; null: when registration closes")


class RegisteredBeside(Document):
    """What the answer to a registration tells beside the receipt."""

    entry: int = Field(examples=[17])
    waiting: bool = Field(description="for a place")
    code: str = Field(description="what stands on paper", examples=["7KQ2-M4XA-09ZT"])
    token: str = Field(description="to be sent as `Authorization: Bearer …`", examples=["dpe_k3v7qzj2m5xa_17_7KQ2-…"])


class Registered(RegisteredBeside):
    """You are in, or wait for a place. Keep the code: whoever has it acts for you."""

    receipt: Receipt[Added]


class EntryCode(Document):
    """What a player acts with."""

    entry: int = Field(examples=[17])
    name: str = Field(examples=["Ann Example"])
    code: str = Field(examples=["7KQ2-M4XA-09ZT"])
    token: str = Field(examples=["dpe_k3v7qzj2m5xa_17_7KQ2-…"])


class EntryCodes(Document):
    """A page of codes, to be printed."""

    codes: list[EntryCode]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class Alike(Document):
    """Entries that may be of one person: their names are the same but for case, spaces and the like."""

    groups: list[list[Named]]


class CheckIn(Document):
    """Who is here, and what `seat-all` would do now."""

    entered: int = Field(description="players with a place")
    checked_in: int = Field(description="of them")
    waiting: int = Field(description="players who wait for a place")
    waiting_here: int = Field(description="of them, who are checked in")
    absent: list[Named] = Field(description="who would be dropped")
    promoted: list[Named] = Field(description="who would get a place")
    without_list: list[Named] = Field(
        description="who has no legal list, if the event requires one, and would be dropped with `without_list`"
    )


class ApartPair(Document):
    """Two players who are kept apart."""

    one: int
    other: int


class ApartPairs(Document):
    """Everybody who is kept apart from somebody."""

    pairs: list[ApartPair]


class DeckLine(Document):
    """Copies of a card."""

    count: int
    name: str = Field(examples=["Dolores Encore, Label Boss"])
    section: str | None
    set_code: str | None
    number: int | None


class DeckViolation(Document):
    """A rule of the format that a list breaks."""

    code: str = Field(examples=["too-many-copies"])
    message: str
    section: str | None
    card: str | None
    lines: list[int] = Field(description="of the text that was handed in; none when it is read again later")
    have: str | int | None
    want: str | int | None

    @classmethod
    def of(cls, violation: Violation) -> "DeckViolation":
        """A violation as JSON has it."""
        return cls(**asdict(violation))


class HandedBeside(Document):
    """What the answer to a list tells beside the receipt."""

    commitment: str = Field(description="what everybody sees of it")
    hash: str = Field(description="Keccak-256 of the canonical form: the same for the same deck; not for everybody")
    is_legal: bool = Field(description="a list that is not is a draft, and does not count")
    violations: list[DeckViolation]


class Handed(HandedBeside):
    """A list was handed in, and judged."""

    receipt: Receipt[HandedIn]


class KeptDeck(Document):
    """A list that was handed in."""

    at: str
    commitment: str
    salt: str = Field(description="the commitment is Keccak-256 of these 32 bytes and the list's canonical form")
    hash: str = Field(description="Keccak-256 of the canonical form alone: the same for the same deck")
    format: str
    version: int
    title: str | None
    lines: list[DeckLine]
    text: str = Field(description="the list as it may be pasted elsewhere")
    violations: list[DeckViolation]

    @classmethod
    def of(cls, kept: Kept) -> "KeptDeck":
        """A list for whoever may read it."""
        return cls(
            at=kept.at,
            commitment=kept.fact.commitment,
            salt=kept.salt,
            hash=hash_of(kept.decklist),
            format=kept.fact.format,
            version=kept.fact.version,
            title=kept.decklist.title,
            lines=[DeckLine(**_without(asdict(line), "line")) for line in kept.decklist.lines],
            text=write_decklist(kept.decklist, "text"),
            violations=[DeckViolation.of(violation) for violation in kept.violations],
        )


class EntryDeck(Document):
    """What an entry handed in."""

    entry: int
    legal: KeptDeck | None = Field(description="the list that counts")
    draft: KeptDeck | None = Field(description="a later one that is not legal; for the player, judges and organizers")


class Unlisted(Document):
    """A player without a legal list."""

    entry: int
    name: str
    has_draft: bool = Field(description="a list is there, and it is not legal")

    @classmethod
    def of(cls, one: errors.Unlisted) -> "Unlisted":
        """The same, of a refusal."""
        return cls(**asdict(one))


class MissingLists(Document):
    """Who has a place, no legal list, and no leave to play without one."""

    missing: list[Unlisted]


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


def _without(fields: dict[str, Any], name: str) -> dict[str, Any]:
    return {field: value for field, value in fields.items() if field != name}


def _seat(seat: SomeSeat) -> Seat:
    if isinstance(seat, Bye):
        return Seat(table=None, first=int(seat.player), second=None, bye=seat.kind.value, result=None)
    games = None if seat.result is None else _games(seat.result)
    return Seat(table=seat.table, first=int(seat.first), second=int(seat.second), bye=None, result=games)


def _games(result: Result) -> Games:
    return Games(first=result.first, second=result.second, drawn=result.drawn, ending=result.ending)
