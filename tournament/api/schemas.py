"""What the API says: documents with their examples. What it is told are the arguments of the services' commands."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from tournament import store
from tournament.domain.announcement import CutBy, Decklist, DrawRule, ListsOpen, Registration, changeable
from tournament.domain.bracket import (
    Bracket,
    Empty,
    Match,
    Occupant,
    Outcome,
    Place,
    Reported,
    finished,
    is_ready,
    matches,
    places,
    winner,
)
from tournament.domain.bracket_plan import Form, LoserOf, Source, WinnerOf, feeds
from tournament.domain.bracket_text import round_name
from tournament.domain.cut import Cut
from tournament.domain.infractions import InfractionClass, PenaltyLevel
from tournament.domain.lifecycle import Action, Phase, allowed
from tournament.domain.model import Ending, Mode, PlayerId
from tournament.domain.roles import Role
from tournament.domain.series import Ambiguity, SeriesLine
from tournament.domain.standings import Standing
from tournament.service import claims, clock, cut, judging, penalties, reasons, repairs, reseating, results
from tournament.service.accounts import AccountName
from tournament.service.claims import ClaimState, TableClaims, games_in
from tournament.service.deck_checks import CheckResult
from tournament.service.events import Changed, planned
from tournament.service.results import Games, games_of
from tournament.service.rounds import Way, seated
from tournament.service.series import EventOfSeries, OneEntry, Points, SeriesStandings, points_in
from tournament.store import Entered
from tournament.tables import (
    BracketLineRow,
    BracketRow,
    CallRow,
    ClaimRow,
    DeckCheckRow,
    DeckDrawRow,
    EntryRow,
    EventRow,
    NoteRow,
    NoteTextRow,
    PenaltyRow,
    RoundRow,
    SeatRow,
    SeriesEventRow,
    SeriesRow,
    TableChangeRow,
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
    mode: Mode
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
    player_reports: bool = Field(description="whether players report their own results")
    penalties_public: bool = Field(description="whether everybody sees who got which penalty for what")

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
    extra_minutes: int = Field(description="of this table, after the end of the round's clock")


class Clock(Document):
    """A round's clock. It is instants, so it does not change while time passes."""

    length_s: int = Field(description="seconds that it runs, with what was added and taken away", examples=[3000])
    started_at: str | None = Field(description="null before it begins")
    paused_at: str | None = Field(description="null while it runs")
    paused_s: int = Field(description="how long it stood still in all pauses that are over")
    ends_at: str | None = Field(description="when time is called; null before it begins and while it stands still")
    left_s: int | None = Field(description="seconds left, while it stands still; below 0 if time was called before")

    @classmethod
    def of(cls, row: RoundRow) -> "Clock | None":
        """The clock of a round, if it has one."""
        if row.length_s is None:
            return None
        return cls(
            length_s=row.length_s,
            started_at=row.started_at,
            paused_at=row.paused_at,
            paused_s=row.paused_s,
            ends_at=clock.ends_at(row),
            left_s=clock.left_s(row),
        )


class PlayedRound(Document):
    """A round with its tables."""

    number: int
    paired_at: str
    published_at: str | None = Field(description="null for a draft")
    closed_at: str | None
    pairing: Way
    clock: Clock | None = Field(description="null for a round without one")
    changed: int = Field(description="how often tables were changed after it was paired; `changes` tells how")
    seats: list[Seat]

    @classmethod
    def of(cls, row: RoundRow, seats: Sequence[SeatRow], changed: int) -> "PlayedRound":
        """A round; players by their numbers."""
        return cls(
            seats=list(map(_seat, seats)),
            clock=Clock.of(row),
            changed=changed,
            **row.model_dump(include={"number", "paired_at", "published_at", "closed_at", "pairing"}),
        )


class RoundLine(Document):
    """A round without its tables."""

    number: int
    paired_at: str
    published_at: str | None
    closed_at: str | None
    pairing: Way


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


class StaffLine(Document):
    """A role that an account has."""

    account: str = Field(examples=["bea"])
    role: Role
    granted: int = Field(description="the sequence of the command that gave it")


class Staff(Document):
    """Who has which role."""

    staff: list[StaffLine]


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


# --- players' reports, and what judges do -----------------------------------------------------------------------------


class MyGames(Document):
    """Games as the player who asks counts them."""

    mine: int = Field(description="won by you", examples=[2])
    theirs: int = Field(description="won by your opponent", examples=[1])
    drawn: int
    ending: Ending

    @classmethod
    def of(cls, games: Games, *, is_first: bool) -> "MyGames":
        """A table's games from one side."""
        mine, theirs = (games.first, games.second) if is_first else (games.second, games.first)
        return cls(mine=mine, theirs=theirs, drawn=games.drawn, ending=games.ending)


class MyClaim(Document):
    """A claim as the player who asks counts it."""

    claim: int = Field(description="its number, for confirming it", examples=[41])
    at: str
    games: MyGames


class Somebody(Document):
    """A player by number and name."""

    number: int = Field(examples=[17])
    name: str = Field(examples=["Ann Example"])


class MyCall(Document):
    """A call for a judge of the player who asks."""

    call: int
    topic: str
    called_at: str
    taken_at: str | None = Field(description="null while no judge is on the way")


class MyTable(Document):
    """Where the player who asks sits in the latest round, and what is said of the table."""

    round: int | None = Field(description="null before the first")
    published_at: str | None
    closed_at: str | None = Field(description="null while the round is played")
    table: int | None = Field(description="null for a bye, and for who is not in the round")
    bye: str | None
    opponent: Somebody | None
    best_of: int
    state: ClaimState
    my_claim: MyClaim | None
    opponents_claim: MyClaim | None
    result: MyGames | None
    clock: "Clock | None"
    extra_minutes: int = Field(description="of the table, after the end of the round's clock")
    call: MyCall | None = Field(description="your call for a judge, while it is open")

    @classmethod
    def of(cls, found: claims.MyTable | None, event: EventRow, player: int) -> "MyTable":
        """Everything from the player's side."""
        seat = found.seat if found else None
        is_first = seat is not None and seat.first == player
        other = None if seat is None else seat.second if is_first else seat.first
        said = {} if found is None else found.claims
        result = results.games_at(seat) if seat else None
        return cls(
            round=found.round.number if found else None,
            published_at=found.round.published_at if found else None,
            closed_at=found.round.closed_at if found else None,
            table=seat.table_number if seat else None,
            bye=seat.bye if seat else None,
            opponent=Somebody(number=other, name=found.names.get(other, "")) if found and other else None,
            best_of=event.best_of,
            state=TableClaims(seat, said).state if seat else ClaimState.OPEN,
            my_claim=_my_claim(said.get(player), is_first=is_first),
            opponents_claim=_my_claim(said.get(other or 0), is_first=is_first),
            result=MyGames.of(result, is_first=is_first) if result else None,
            clock=Clock.of(found.round) if found else None,
            extra_minutes=seat.extra_minutes if seat else 0,
            call=_my_call(found.call) if found and found.call else None,
        )


class ClaimLine(Document):
    """What a player claims."""

    claim: int = Field(description="its number, for accepting it", examples=[41])
    player: int
    at: str
    games: Games


class ClaimedTable(Document):
    """A table with claims and no result."""

    table: int
    first: int
    second: int
    state: ClaimState
    claims: list[ClaimLine]

    @classmethod
    def of(cls, table: TableClaims) -> "ClaimedTable":
        """A table as staff see it."""
        seat = table.seat
        lines = [
            ClaimLine(claim=one.claimed, player=one.entry, at=one.at, games=games_in(one))
            for one in table.claims.values()
        ]
        return cls(
            table=seat.table_number or 0, first=seat.first, second=seat.second or 0, state=table.state, claims=lines
        )


class ClaimsOfRound(Document):
    """Tables of a round that have claims and no result."""

    round: int
    tables: list[ClaimedTable]


class CallLine(Document):
    """A call for a judge."""

    number: int
    round: int
    table: int
    entry: int | None = Field(description="the player who called; null for staff")
    name: str | None = None
    topic: str
    called_at: str
    taken_by: str | None
    taken_at: str | None
    closed_by: str | None
    closed_at: str | None
    ruling: str
    minutes: int | None = Field(description="time extension that the table is due")

    @classmethod
    def of(cls, row: CallRow, names: Mapping[int, str]) -> "CallLine":
        """A call with the name of who called."""
        kept = row.model_dump(exclude={"event_id", "table_number", "called", "taken"})
        return cls(table=row.table_number, name=names.get(row.entry or 0), **kept)


class Calls(Document):
    """Calls for a judge."""

    calls: list[CallLine]
    next: int | None = Field(default=None, description="for `after`, to get the next page; null on the last")


class InfractionLine(Document):
    """Something that a player can do wrong."""

    code: str = Field(examples=["slow-play"])
    name: str = Field(examples=["Slow play"])
    kind: InfractionClass
    level: PenaltyLevel | None = Field(description="the usual penalty; null: the judge decides")
    repeated: int | None = Field(description="the so-manyth warning is a game loss; null: it stays what it is")
    source: str
    meaning: str


class Infractions(Document):
    """What is named for the event's game; a judge may use words of their own."""

    infractions: list[InfractionLine]


class PenaltyLine(Document):
    """A penalty. What is not for the reader is null."""

    number: int
    entry: int
    name: str | None
    round: int
    table: int | None
    code: str = Field(description="of the infraction; empty if a judge named it in words of their own")
    infraction: str = Field(examples=["Slow play"])
    level: PenaltyLevel
    text: str | None = Field(description="what happened; for the player and staff")
    given_at: str
    given_by: str | None = Field(description="for staff")
    applied: bool = Field(description="whether it changed a result, or put the player out")
    withdrawn: bool
    why_withdrawn: str | None = Field(description="for staff")
    deck_check: int | None = Field(description="for staff")

    @classmethod
    def of(cls, row: PenaltyRow, names: Mapping[int, str], *, own: bool, staff: bool) -> "PenaltyLine":
        """A penalty as staff, the player or anybody may see it."""
        return cls(
            number=row.number,
            entry=row.entry,
            name=names.get(row.entry),
            round=row.round,
            table=row.table_number,
            code=row.code,
            infraction=row.infraction if row.code or own or staff else "",
            level=PenaltyLevel(row.level),
            text=row.text if own or staff else None,
            given_at=row.given_at,
            given_by=row.given_by if staff else None,
            applied=row.applied is not None,
            withdrawn=row.withdrawn is not None,
            why_withdrawn=row.why_withdrawn if staff else None,
            deck_check=row.deck_check if staff else None,
        )


class Penalties(Document):
    """A page of penalties."""

    penalties: list[PenaltyLine]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class PenaltyAdvice(Document):
    """What a judge wants to know before giving a penalty."""

    code: str = Field(description="empty: the infraction is in no table")
    infraction: str
    nth: int = Field(description="so manyth of the player for this infraction it would be", examples=[2])
    usual: PenaltyLevel | None = Field(description="null: the judge decides")
    sentence: str
    before: list[PenaltyLine] = Field(description="what the player got for it, withdrawn ones left out")
    history: list[PenaltyLine] = Field(description="everything that the player got, withdrawn ones too")


class PenaltyEffect(Document):
    """What a penalty would change now."""

    penalty: int
    why_not: str = Field(description="why it changes nothing; empty if it does")
    table: penalties.ChangedTable | None
    out: penalties.PlayerOut | None = Field(description="the player is out of the event")


class DeckCheckLine(Document):
    """A table whose decks are checked."""

    number: int
    round: int
    table: int
    first: int
    second: int
    drawn: int | None = Field(description="the version of the event at which it was drawn; null: a judge chose it")
    why: str
    started_by: str | None
    started_at: str | None
    finished_by: str | None
    finished_at: str | None
    result: CheckResult | None
    text: str
    minutes: int | None = Field(description="time extension that the table is due")

    @classmethod
    def of(cls, row: DeckCheckRow) -> "DeckCheckLine":
        """A deck check as staff see it."""
        return cls(table=row.table_number, **row.model_dump(exclude={"event_id", "table_number", "started"}))


class DeckDrawLine(Document):
    """A draw, with all that is needed to do it again."""

    sequence: int
    round: int
    asked: int
    top: int | None
    among: list[int] | None = Field(description="with `top`, the tables that were in; null: all but `without`")
    without: list[int]
    tables: list[int] = Field(description="in the order of their lots")

    @classmethod
    def of(cls, row: DeckDrawRow) -> "DeckDrawLine":
        """A draw as everybody may see it once the event is over."""
        lists = {name: json.loads(getattr(row, name) or "null") for name in ("among", "without", "tables")}
        return cls(**row.model_dump(exclude={"event_id", *lists}), **lists)


class DeckChecks(Document):
    """Deck checks, and how their tables were drawn."""

    draws: list[DeckDrawLine]
    checks: list[DeckCheckLine] = Field(description="for staff")


class NoteRevision(Document):
    """What a note said from then on."""

    revision: int
    text: str
    by: str
    at: str
    reason: str


class NoteLine(Document):
    """A judge's note."""

    number: int
    entry: int | None
    round: int | None
    table: int | None
    text: str
    history: list[NoteRevision] = Field(description="everything it said, the first first")

    @classmethod
    def of(cls, row: NoteRow, texts: Sequence[NoteTextRow]) -> "NoteLine":
        """A note as it is, and as it was."""
        return cls(
            number=row.number,
            entry=row.entry,
            round=row.round,
            table=row.table_number,
            text=texts[-1].text,
            history=[NoteRevision(**one.model_dump(exclude={"event_id", "note"})) for one in texts],
        )


class Notes(Document):
    """A page of notes."""

    notes: list[NoteLine]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class Overview(Document):
    """Everything that waits for a judge."""

    round: int = Field(description="the latest published one; 0 before the first")
    disagreements: list[ClaimedTable]
    one_sided: int = Field(description="tables where one player's claim waits for the other's")
    calls: list[CallLine] = Field(description="those that nobody took first")
    deck_checks: list[DeckCheckLine] = Field(description="not finished, of whatever round")
    penalties: list[PenaltyLine] = Field(description="of this round")
    names: dict[int, str] = Field(description="of everybody who is named above, by number")

    @classmethod
    def of(cls, seen: judging.Overview) -> "Overview":
        """The judges' view."""
        return cls(
            round=seen.round,
            disagreements=[ClaimedTable.of(table) for table in seen.disagreements],
            one_sided=seen.one_sided,
            calls=[CallLine.of(row, seen.names) for row in seen.calls],
            deck_checks=[DeckCheckLine.of(row) for row in seen.deck_checks],
            penalties=[PenaltyLine.of(row, seen.names, own=False, staff=True) for row in seen.penalties],
            names=dict(seen.names),
        )


def _my_claim(row: ClaimRow | None, *, is_first: bool) -> MyClaim | None:
    if row is None:
        return None
    return MyClaim(claim=row.claimed, at=row.at, games=MyGames.of(games_in(row), is_first=is_first))


def _my_call(row: CallRow) -> MyCall:
    return MyCall(call=row.number, topic=row.topic, called_at=row.called_at, taken_at=row.taken_at)


def _seat(row: SeatRow) -> Seat:
    result = store.result_from(row)
    return Seat(
        table=row.table_number,
        first=row.first,
        second=row.second,
        bye=row.bye,
        result=None if result is None else games_of(result),
        extra_minutes=row.extra_minutes,
    )


# --- rounds: why, what changed, what is missing, ways to go on --------------------------------------------------------


class Certificate(Document):
    """Why a round is paired as it is."""

    round: int
    pairing: Way
    words: list[str] = Field(
        description="the reasons, one sentence each, the players by their numbers",
        examples=[["everybody has a table or the bye", "nobody meets again"]],
    )
    proof: dict[str, Any] | None = Field(
        description="the numbers that prove it (docs/guide/pairing.md); null where nothing is minimised"
    )
    draw: str | None = Field(description="for staff, and for everybody when the event is over")
    as_paired: bool = Field(description="false: tables were changed since")


class SomeSeat(Document):
    """A table, or a bye."""

    table: int | None
    first: int
    second: int | None
    bye: str | None


class OtherWay(Document):
    """A way to mend the round that was not taken."""

    way: str
    changes: int


class TableChange(Document):
    """Tables that were changed after the round was paired."""

    sequence: int = Field(description="of the command, in the event's log")
    at: str
    how: str = Field(examples=["by hand"])
    because: str
    sentence: str
    removed: list[SomeSeat]
    added: list[SomeSeat]
    worse: list[str] = Field(description="on what the round is worse than before, which was accepted")
    others: list[OtherWay] = Field(description="other ways that there were")

    @classmethod
    def of(cls, row: TableChangeRow) -> "TableChange":
        """A change as everybody may read it."""
        said = row.model_dump(include={"sequence", "at", "how", "because"})
        return cls(**said, **json.loads(row.change), sentence=reasons.sentence_of(row))


class TableChanges(Document):
    """How a round differs from what was paired."""

    round: int
    changes: list[TableChange] = Field(description="in order")
    gone: list[SomeSeat] = Field(description="all together: tables that were paired and are no more")
    come: list[SomeSeat] = Field(description="all together: tables that were not paired so")

    @classmethod
    def of(cls, number: int, rows: Sequence[TableChangeRow]) -> "TableChanges":
        """The changes of a round."""
        gone, come = (list(map(_some_seat, seats)) for seats in reseating.net(rows))
        return cls(round=number, changes=list(map(TableChange.of, rows)), gone=gone, come=come)


class MissingResult(Document):
    """A table without a result."""

    table: int
    first: int
    second: int
    extra_minutes: int
    ends_at: str | None = Field(description="when time is called for it; null while no clock runs")


class MissingResults(Document):
    """The tables of a round that have no result yet."""

    round: int
    tables: int = Field(description="of the round, byes aside")
    clock: Clock | None
    missing: list[MissingResult]

    @classmethod
    def of(cls, row: RoundRow, seats: Sequence[SeatRow]) -> "MissingResults":
        """What the scorekeeper waits for, in the order of the tables."""
        tables = [seat for seat in seats if seat.table_number is not None]
        return cls(
            round=row.number,
            tables=len(tables),
            clock=Clock.of(row),
            missing=[
                MissingResult(
                    table=seat.table_number or 0,
                    first=seat.first,
                    second=seat.second or 0,
                    extra_minutes=seat.extra_minutes,
                    ends_at=clock.ends_at(row, seat.extra_minutes),
                )
                for seat in sorted(tables, key=lambda seat: seat.table_number or 0)
                if seat.ending is None
            ],
        )


class WayOn(Document):
    """A way to go on after a mistake."""

    option: str = Field(description="to be sent with the command that takes it", examples=["3f2a9c0d51b86e47"])
    way: str = Field(examples=["leave it"])
    changes: int = Field(description="new tables and byes")
    cost: dict[str, Any] = Field(description="levels 1 to 5 of the tables that may change, less is better")
    removed: list[SomeSeat]
    added: list[SomeSeat]


class WaysOn(Document):
    """What a mistake comes to, and the ways to go on; nothing is changed yet."""

    round: int | None = Field(description="the round whose tables could change; null: no round is being played")
    because: str
    options: list[WayOn] = Field(description="the gentlest first")

    @classmethod
    def of(cls, found: repairs.Situation) -> "WaysOn":
        """The ways, each with its digest."""
        ways = [
            WayOn(
                **offered.model_dump(mode="json"),
                removed=[_some_seat(seated(seat).model_dump()) for seat in option.removed],
                added=[_some_seat(seated(seat).model_dump()) for seat in option.added],
            )
            for offered, option in zip(found.offered, found.options, strict=True)
        ]
        number = None if found.current is None else found.current.number
        return cls(round=number, because=found.because, options=ways)


def _some_seat(seat: Mapping[str, Any]) -> SomeSeat:
    return SomeSeat(**seat)


# --- the cut ----------------------------------------------------------------------------------------------------------


class SeedLine(Document):
    """A place of the cut."""

    seed: int
    player: int


class Seeds(Document):
    """Who would be in the cut."""

    seeds: list[SeedLine]
    ties: list[cut.Tied] = Field(description="what the draw decided; read it aloud")

    @classmethod
    def of(cls, made: Cut) -> "Seeds":
        """The seeds, best first."""
        return cls(seeds=_seeds(made.seeds), ties=cut.ties_of(made))


class CutSeat(Document):
    """A side of a match: a player, or where one comes from, or nobody ever."""

    player: int | None = None
    seed: int | None = None
    winner_of: str | None = None
    loser_of: str | None = None


class CutOutcome(Document):
    """How a match of the cut ended."""

    how: str = Field(examples=["played", "walkover", "bye"])
    winner: int | None
    out: list[int] = Field(description="players who play no more in the cut")
    result: Games | None


class CutMatch(Document):
    """A match of the cut."""

    match: str = Field(examples=["M1.2"])
    part: str = Field(examples=["main bracket"])
    round: str = Field(description="what people call it", examples=["quarterfinals"])
    first: CutSeat
    second: CutSeat
    ready: bool = Field(description="both players are known, and it has no result")
    outcome: CutOutcome | None
    winner_to: str | None = Field(description="the match that the winner goes to, as laid out at the start")
    loser_to: str | None


class CutLine(Document):
    """Something that happened in the cut."""

    line: int
    sequence: int
    at: str
    match: str | None
    games: Games | None
    players: list[int]
    why: str | None = Field(description="dropped or disqualified")
    redrawn: int | None = Field(description="a main round that was drawn anew")


class PlaceLine(Document):
    """A final place, or a range that several share."""

    first: int
    last: int
    players: list[int]


class CutDocument(Document):
    """The cut as it stands."""

    form: str
    draws: str
    double_losses: str
    best_of: int
    started_at: str
    finished: bool
    winner: int | None
    seeds: list[SeedLine]
    ties: list[cut.Tied]
    matches: list[CutMatch]
    lines: list[CutLine]
    places: list[PlaceLine] = Field(description="those that are certain")

    @classmethod
    def of(cls, row: BracketRow, bracket: Bracket, lines: Sequence[BracketLineRow]) -> "CutDocument":
        """The cut; players by their numbers."""
        champion = winner(bracket)
        seed_of = {player: seed for seed, player in enumerate(bracket.seeds, start=1)}
        return cls(
            finished=finished(bracket),
            winner=None if champion is None else int(champion),
            seeds=_seeds(bracket.seeds),
            ties=[cut.Tied(**tie) for tie in json.loads(row.ties)],
            matches=[_cut_match(bracket, seed_of, match) for match in matches(bracket)],
            lines=list(map(_cut_line, lines)),
            places=_places(places(bracket)),
            **row.model_dump(exclude={"event_id", "ties"}),
        )


class Places(Document):
    """Where everybody ends."""

    complete: bool = Field(description="false: matches of the cut are to come, or the event has not ended")
    places: list[PlaceLine] = Field(description="those that are certain")

    @classmethod
    def of(cls, found: Sequence[Place], *, complete: bool) -> "Places":
        """The places; players by their numbers."""
        return cls(complete=complete, places=_places(found))


def _seeds(players: Sequence[PlayerId]) -> list[SeedLine]:
    return [SeedLine(seed=seed, player=int(player)) for seed, player in enumerate(players, start=1)]


def _places(found: Sequence[Place]) -> list[PlaceLine]:
    return [PlaceLine(first=place.first, last=place.last, players=list(map(int, place.players))) for place in found]


def _cut_match(bracket: Bracket, seed_of: Mapping[PlayerId, int], match: Match) -> CutMatch:
    first, second = (
        _cut_seat(seed_of, seat, source)
        for seat, source in zip(match.seats, (match.plan.first, match.plan.second), strict=True)
    )
    ended = match.outcome
    goes = feeds(bracket.form, len(bracket.seeds))
    return CutMatch(
        match=match.id,
        part=match.plan.part,
        round=round_name(bracket, match.plan),
        first=first,
        second=second,
        ready=is_ready(match),
        outcome=None if ended is None else _cut_outcome(ended),
        winner_to=goes.get(WinnerOf(match.id)),
        loser_to=goes.get(LoserOf(match.id)),
    )


def _cut_outcome(ended: Outcome) -> CutOutcome:
    return CutOutcome(
        how=ended.how,
        winner=None if ended.winner is None else int(ended.winner),
        out=list(map(int, ended.out)),
        result=None if ended.result is None else games_of(ended.result),
    )


def _cut_seat(seed_of: Mapping[PlayerId, int], seat: Occupant, source: Source) -> CutSeat:
    if not isinstance(seat, Empty):
        return CutSeat(player=int(seat), seed=seed_of[seat])
    if seat is Empty.OPEN and isinstance(source, WinnerOf):
        return CutSeat(winner_of=source.match)
    if seat is Empty.OPEN and isinstance(source, LoserOf):
        return CutSeat(loser_of=source.match)
    return CutSeat()


def _cut_line(row: BracketLineRow) -> CutLine:
    said = store.line_from(row)
    is_result = isinstance(said, Reported)
    players = [row.first or 0, row.second or 0] if is_result else json.loads(row.gone or "[]")
    return CutLine(
        line=row.line,
        sequence=row.sequence,
        at=row.at,
        match=row.match_id,
        games=games_of(said.result) if isinstance(said, Reported) else None,
        players=players,
        why=row.why,
        redrawn=row.redrawn,
    )
