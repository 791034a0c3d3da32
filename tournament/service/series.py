"""Series: points over several events, with organizers and a log of their own.

A series is a stream like an event (docs/decisions/0022): its commands run through the same door, and its log is
chained, verified and replayed alike. What it says of events it computes from their rows whenever somebody asks.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, field_validator
from sqlmodel import Session

from games import library
from tournament import store
from tournament.database import Database
from tournament.domain import series as rules
from tournament.domain.bracket import Bracket
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import ORGANIZERS, Role
from tournament.domain.series import Ambiguity, Appearance, Finish, Scheme, SeriesLine, SharedPlace
from tournament.errors import (
    AccountNotFound,
    EventNotFound,
    EventNotPublished,
    GameOfSeriesDiffers,
    LastOrganizer,
    NotInSeries,
    NotStaff,
    NotYours,
    PeopleContradict,
    SeriesEntryNotFound,
    SeriesFull,
    SeriesNotFound,
)
from tournament.service import standings
from tournament.service.accounts import AccountName
from tournament.service.announcing import Prose, known, without_defaults
from tournament.service.chain import START, canonical
from tournament.service.commands import (
    NO_NUL,
    Already,
    Arguments,
    Ask,
    Done,
    Fact,
    Kind,
    Nothing,
    Receipt,
    Scene,
    Stream,
    run,
)
from tournament.service.events import Name, id_of
from tournament.tables import (
    SERIES_PROJECTION,
    EventRow,
    LogRow,
    SeriesEventRow,
    SeriesPersonRow,
    SeriesRow,
    SeriesStaffRow,
)
from verifier.decklist.fold import fold

MARK: Final = "s-"
"""What the id of a series begins with; no event's does."""
MOST_EVENTS: Final = 200
MOST_PLACES: Final = 1_000
MOST_POINTS: Final = 1_000_000
MOST_AT_ONCE: Final = 50
"""Entries that one command joins."""
LARGEST_MULTIPLIER: Final = 100
MOST_NUMBER: Final = 1_000_000


# --- what is asked ----------------------------------------------------------------------------------------------------


_WRITTEN: Final = r"[0-9]{1,9}(\.[0-9]{1,6}|/[1-9][0-9]{0,8})?"


def _exact(said: object) -> str:
    """A number as people write it, as the text of an exact fraction; what is not exact is refused."""
    text = str(said) if isinstance(said, int) and not isinstance(said, bool) else said
    if not (isinstance(text, str) and re.fullmatch(_WRITTEN, text)):
        raise ValueError('write it as 2, "1.5" or "3/2"; a number with a point would not be exact without the quotes')
    if (value := Fraction(text)) > LARGEST_MULTIPLIER:
        raise ValueError(f"it is {LARGEST_MULTIPLIER} at most")
    return str(value)


def _above_nothing(said: str) -> str:
    if said == "0":
        raise ValueError("an event that is worth nothing is taken out instead")
    return said


Exact = Annotated[
    str,
    BeforeValidator(_exact),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": f"^{_WRITTEN}$"},
                {"type": "integer", "minimum": 0, "maximum": LARGEST_MULTIPLIER},
            ],
            "examples": ["3/2", "1.5", 2],
        }
    ),
]
"""A number from 0 to 100, exactly: an integer, `"1.5"` or `"3/2"`."""


class Points(BaseModel):
    """How an event gives points."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    by_place: list[Annotated[int, Field(ge=0, le=MOST_POINTS)]] = Field(
        default=[], max_length=MOST_PLACES, description="for place 1, 2, …", examples=[[10, 7, 5, 5, 3, 3, 3, 3]]
    )
    below: int = Field(default=0, ge=0, le=MOST_POINTS, description="for every place below those")
    per_match_point: Exact = Field(default="0", description="for each match point of the event's standings")
    participation: int = Field(default=0, ge=0, le=MOST_POINTS, description="for being in the standings")
    shared_place: SharedPlace = Field(default=SharedPlace.FULL, description="what players get who share a place")
    best: int | None = Field(default=None, ge=1, le=MOST_EVENTS, description="how many events count; null for all")

    @property
    def scheme(self) -> Scheme:
        """The same, as the rules know it."""
        return Scheme(
            by_place=tuple(self.by_place),
            below=self.below,
            per_match_point=Fraction(self.per_match_point),
            participation=self.participation,
            shared_place=self.shared_place,
            best=self.best,
        )


def _a_game(name: str) -> str:
    return known("game", name, library.games())


SomeId = Annotated[str, Field(min_length=1, max_length=100, pattern=NO_NUL)]
GameName = Annotated[str, Field(max_length=40), AfterValidator(_a_game)]


class NewSeries(Arguments):
    """Announce a series."""

    name: Name = Field(examples=["Spring League"])
    description: Prose = ""
    game: GameName | None = Field(default=None, description="of all its events; null for any", examples=["cps"])
    points: Points = Points()


class SeriesEdit(Arguments):
    """Change a series; what is not named stays."""

    model_config = ConfigDict(json_schema_extra=without_defaults)

    name: Name = ""
    description: Prose = ""
    game: GameName | None = None
    points: Points = Field(default=Points(), description="the whole scheme")

    def said(self) -> dict[str, Any]:
        """What was named."""
        return self.model_dump(mode="json", exclude={"reason"}, exclude_unset=True)


class Put(Arguments):
    """Put an event into a series, or weigh it anew."""

    event: SomeId = Field(examples=["k3v7qzj2m5xa"])
    multiplier: Annotated[Exact, AfterValidator(_above_nothing)] = Field(
        default="1", description="what its points are times"
    )


class Take(Arguments):
    """Take an event out of a series."""

    event: str


class Organize(Arguments):
    """Make somebody an organizer of a series, or no longer."""

    account: AccountName = Field(examples=["bea"])


class OneEntry(BaseModel):
    """An entry of an event."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    event: SomeId = Field(examples=["k3v7qzj2m5xa"])
    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])


Verdict = Literal["one person", "not the same", "by name"]


class Say(Arguments):
    """Say whether entries of several events are one person."""

    entries: list[OneEntry] = Field(min_length=2, max_length=MOST_AT_ONCE)
    verdict: Verdict = Field(
        description="`by name` forgets what was said of them, and the names decide again", examples=["one person"]
    )

    @field_validator("entries")
    @classmethod
    def _different(cls, entries: list[OneEntry]) -> list[OneEntry]:
        if len(set(entries)) < len(entries):
            raise ValueError("an entry stands in it twice")
        return entries


# --- what comes of it -------------------------------------------------------------------------------------------------


class SeriesCreated(Fact):
    """A series."""

    name: str
    description: str
    game: str | None
    points: Points


class SeriesChange(BaseModel):
    """A field before and after."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    before: str | Points | None
    after: str | Points | None


class SeriesEdited(Fact):
    """Every field that changed."""

    changes: dict[str, SeriesChange]


class PutIn(Fact):
    """An event of the series, and what its points are times."""

    event: str
    multiplier: str


class TakenOut(Fact):
    """An event that is in the series no more."""

    event: str


class Organizer(Fact):
    """The account."""

    account: str


class Said(Fact):
    """What holds of each two of the entries; null: nothing but their names."""

    pairs: list[tuple[OneEntry, OneEntry]]
    same: bool | None


def _decide_create(_: Scene, asked: NewSeries) -> SeriesCreated:
    return SeriesCreated(name=asked.name, description=asked.description, game=asked.game, points=asked.points)


def _apply_create(session: Session, series: SeriesRow, row: LogRow, fact: SeriesCreated) -> None:
    series.name, series.description, series.game = fact.name, fact.description, fact.game
    series.scheme, series.created_at, series.words = _written(fact.points), row.at, fold(fact.name)
    store.add_series(session, series)
    store.save_row(session, SeriesStaffRow(series_id=series.id, account=row.actor, granted=row.sequence))


def _decide_edit(scene: Scene, asked: SeriesEdit) -> SeriesEdited:
    row = _row(scene)
    before = {"name": row.name, "description": row.description, "game": row.game, "points": points_in(row)}
    named = {field: getattr(asked, field) for field in asked.model_fields_set & before.keys()}
    changes = {
        field: SeriesChange(before=before[field], after=named[field])
        for field in before
        if field in named and named[field] != before[field]
    }
    if "game" in changes and asked.game is not None:
        events = [one.event_id for one in store.series_events(scene.session, [row.id])]
        others = sorted({one.game for one in store.events_named(scene.session, events)} - {asked.game})
        if others:
            raise GameOfSeriesDiffers(asked.game, others)
    return SeriesEdited(changes=changes)


def _apply_edit(_: Session, series: SeriesRow, __: LogRow, fact: SeriesEdited) -> None:
    for field, change in fact.changes.items():
        if isinstance(change.after, Points):
            series.scheme = _written(change.after)
        else:
            setattr(series, field, change.after)
    series.words = fold(series.name)


def _decide_done(_: Scene, __: Nothing) -> Done:
    return Done()


def _apply_publish(_: Session, series: SeriesRow, __: LogRow, ___: Done) -> None:
    series.published = True


def _apply_archive(_: Session, series: SeriesRow, __: LogRow, ___: Done) -> None:
    series.archived = True


def _apply_unarchive(_: Session, series: SeriesRow, __: LogRow, ___: Done) -> None:
    series.archived = False


def _decide_put(scene: Scene, asked: Put) -> PutIn | Already:
    series, event = _row(scene), _own_event(scene, asked.event, PUT.name)
    if not event.published:
        raise EventNotPublished(event.id)
    if series.game not in {None, event.game}:
        raise GameOfSeriesDiffers(str(series.game), [event.game])
    inside = {row.event_id: row for row in store.series_events(scene.session, [series.id])}
    if event.id in inside and inside[event.id].multiplier == asked.multiplier:
        return Already(inside[event.id].put)
    if len(inside.keys() | {event.id}) > MOST_EVENTS:
        raise SeriesFull(MOST_EVENTS)
    return PutIn(event=event.id, multiplier=asked.multiplier)


def _apply_put(session: Session, series: SeriesRow, row: LogRow, fact: PutIn) -> None:
    one = SeriesEventRow(series_id=series.id, event_id=fact.event, multiplier=fact.multiplier, put=row.sequence)
    store.save_row(session, one)


def _decide_take(scene: Scene, asked: Take) -> TakenOut:
    event = _own_event(scene, asked.event, TAKE.name)
    if event.id not in {row.event_id for row in store.series_events(scene.session, [scene.event.id])}:
        raise NotInSeries(event.id)
    return TakenOut(event=event.id)


def _apply_take(session: Session, series: SeriesRow, _: LogRow, fact: TakenOut) -> None:
    for row in store.series_events(session, [series.id]):
        if row.event_id == fact.event:
            store.delete_row(session, row)


def _decide_grant(scene: Scene, asked: Organize) -> Organizer | Already:
    if store.find_account(scene.session, asked.account) is None:
        raise AccountNotFound(asked.account)
    for row in store.organizers_of(scene.session, scene.event.id):
        if row.account == asked.account:
            return Already(row.granted)
    return Organizer(account=asked.account)


def _apply_grant(session: Session, series: SeriesRow, row: LogRow, fact: Organizer) -> None:
    store.save_row(session, SeriesStaffRow(series_id=series.id, account=fact.account, granted=row.sequence))


def _decide_revoke(scene: Scene, asked: Organize) -> Organizer:
    organizers = [row.account for row in store.organizers_of(scene.session, scene.event.id)]
    if asked.account not in organizers:
        raise NotStaff(asked.account, Role.ORGANIZER)
    if organizers == [asked.account]:
        raise LastOrganizer(asked.account)
    return Organizer(account=asked.account)


def _apply_revoke(session: Session, series: SeriesRow, _: LogRow, fact: Organizer) -> None:
    for row in store.organizers_of(session, series.id):
        if row.account == fact.account:
            store.delete_row(session, row)


def _decide_say(scene: Scene, asked: Say) -> Said:
    session, series = scene.session, scene.event.id
    keys = sorted((one.event, one.entry) for one in asked.entries)
    inside = {row.event_id for row in store.series_events(session, [series])}
    there = {(row.event_id, row.number) for row in store.entries_named(session, keys)}
    for event, entry in keys:
        if event not in inside:
            raise NotInSeries(event)
        if (event, entry) not in there:
            raise SeriesEntryNotFound(event, entry)
    same = {"one person": True, "not the same": False}.get(asked.verdict)
    pairs = list(combinations((Appearance(*key) for key in keys), 2))
    said = {frozenset(_pair(row)): row.same for row in store.said_of_people(session, series)}
    said |= {frozenset(pair): same for pair in pairs if same is not None}
    if same is not None and (wrong := rules.contradictions(*_sorted_out(said))):
        raise PeopleContradict([[f"{one.event}/{one.entry}" for one in sorted(pair)] for pair in wrong])
    return Said(pairs=[(_entry(one), _entry(other)) for one, other in pairs], same=same)


def _apply_say(session: Session, series: SeriesRow, row: LogRow, fact: Said) -> None:
    said = {_pair(one): one for one in store.said_of_people(session, series.id)}
    for one, other in fact.pairs:
        known = said.get((Appearance(one.event, one.entry), Appearance(other.event, other.entry)))
        if fact.same is not None:
            store.save_row(
                session,
                SeriesPersonRow(
                    series_id=series.id,
                    first_event=one.event,
                    first_entry=one.entry,
                    second_event=other.event,
                    second_entry=other.entry,
                    same=fact.same,
                    said=row.sequence,
                ),
            )
        elif known is not None:
            store.delete_row(session, known)


# --- the kinds --------------------------------------------------------------------------------------------------------


def blank(series: str) -> SeriesRow:
    """A series before its first command."""
    return SeriesRow(id=series, version=0, head=START, name="", scheme=_written(Points()), created_at="")


STREAM: Final = Stream(
    find=store.find_series,
    lock=store.lock_series,
    blank=blank,
    roles=store.roles_in_series,
    missing=SeriesNotFound,
    projection=SERIES_PROJECTION,
)
CREATE: Final = Kind(
    name="series.create",
    arguments=NewSeries,
    fact=SeriesCreated,
    roles=ORGANIZERS,
    creates=True,
    decide=_decide_create,
    apply=_apply_create,
    stream=STREAM,
)
EDIT: Final = Kind(
    name="series.edit",
    arguments=SeriesEdit,
    fact=SeriesEdited,
    roles=ORGANIZERS,
    decide=_decide_edit,
    apply=_apply_edit,
    stream=STREAM,
)
PUBLISH: Final = Kind(
    name="series.publish",
    arguments=Nothing,
    fact=Done,
    roles=ORGANIZERS,
    decide=_decide_done,
    apply=_apply_publish,
    stream=STREAM,
)
ARCHIVE: Final = Kind(
    name="series.archive",
    arguments=Nothing,
    fact=Done,
    roles=ORGANIZERS,
    decide=_decide_done,
    apply=_apply_archive,
    stream=STREAM,
)
UNARCHIVE: Final = Kind(
    name="series.unarchive",
    arguments=Nothing,
    fact=Done,
    roles=ORGANIZERS,
    decide=_decide_done,
    apply=_apply_unarchive,
    stream=STREAM,
)
PUT: Final = Kind(
    name="series.put",
    arguments=Put,
    fact=PutIn,
    roles=ORGANIZERS,
    decide=_decide_put,
    apply=_apply_put,
    stream=STREAM,
)
TAKE: Final = Kind(
    name="series.take",
    arguments=Take,
    fact=TakenOut,
    roles=ORGANIZERS,
    decide=_decide_take,
    apply=_apply_take,
    stream=STREAM,
)
GRANT: Final = Kind(
    name="series.grant",
    arguments=Organize,
    fact=Organizer,
    roles=ORGANIZERS,
    decide=_decide_grant,
    apply=_apply_grant,
    stream=STREAM,
)
REVOKE: Final = Kind(
    name="series.revoke",
    arguments=Organize,
    fact=Organizer,
    roles=ORGANIZERS,
    decide=_decide_revoke,
    apply=_apply_revoke,
    stream=STREAM,
)
SAY: Final = Kind(
    name="series.say",
    arguments=Say,
    fact=Said,
    roles=ORGANIZERS,
    decide=_decide_say,
    apply=_apply_say,
    stream=STREAM,
)
KINDS: Final = (CREATE, EDIT, PUBLISH, ARCHIVE, UNARCHIVE, PUT, TAKE, GRANT, REVOKE, SAY)


def create(database: Database, ask: Ask, asked: NewSeries) -> Receipt:
    """Announce a series; `ask.event` is not looked at."""
    with database.reading() as session:
        actor = ask.who(session)
    return run(database, CREATE, replace(ask, event=f"{MARK}{id_of(actor, ask.command)}"), asked)


# --- the standings of a series ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EventOfSeries:
    """An event of a series, and whether its finishes count by now."""

    row: EventRow
    multiplier: Fraction

    @property
    def counts(self) -> bool:
        """Only what is finished does."""
        return self.row.phase == Phase.FINISHED


@dataclass(frozen=True)
class SeriesStandings:
    """The table of a series, who is who in it where that is open, and what it is made of."""

    lines: tuple[SeriesLine, ...]
    ambiguous: tuple[Ambiguity, ...]
    names: Mapping[Appearance, str]


def events_in(session: Session, series: str) -> list[EventOfSeries]:
    """The events of a series, by when they start."""
    multipliers = {row.event_id: Fraction(row.multiplier) for row in store.series_events(session, [series])}
    return [EventOfSeries(row, multipliers[row.id]) for row in store.events_named(session, list(multipliers))]


def tag_of(series: SeriesRow, events: Sequence[EventOfSeries]) -> str:
    """What changes whenever the standings of a series may: its own version, and those of its events."""
    versions = canonical([[one.row.id, one.row.version] for one in events])
    return f"{series.version}-{sha256(versions.encode()).hexdigest()[:16]}"


def standings_of(session: Session, series: SeriesRow, events: Sequence[EventOfSeries]) -> SeriesStandings:
    """The table over the finished events, in a number of questions that does not grow with them."""
    finished = [one for one in events if one.counts]
    ids = [one.row.id for one in finished]
    played, cuts = store.played_in(session, ids), store.brackets_of(session, ids)
    finishes = [(one.multiplier, _finishes(one.row, *played[one.row.id], cuts.get(one.row.id))) for one in finished]
    names = {finish.appearance: finish.name for _, some in finishes for finish in some}
    people = _people(session, series.id, names)
    lines = rules.table(finishes, people.persons, points_in(series).scheme)
    return SeriesStandings(lines, people.ambiguous, names)


def parted_without_names(session: Session, series: str, event: str, entries: Collection[int]) -> set[int]:
    """Entries of an event that a series joins with others by their names alone."""
    row = store.find_series(session, series)
    if row is None:
        return set()
    names = standings_of(session, row, events_in(session, series)).names
    gone = {at for at in names if at.event == event and at.entry in entries}
    if not gone:
        return set()
    joined, without = (
        {at: person for person in people.persons for at in person}
        for people in (_people(session, series, names), _people(session, series, names, gone=gone))
    )
    return {at.entry for at in gone if joined[at] != without[at]}


def _people(
    session: Session, series: str, names: Mapping[Appearance, str], *, gone: Collection[Appearance] = frozenset()
) -> rules.People:
    """Who is who. An erased name is nobody's; neither is one of `gone`."""
    erased = store.erased_in(session, {at.event for at in names}) | set(gone)
    said = {frozenset(_pair(row)): row.same for row in store.said_of_people(session, series)}
    known = {at: f"\0{at.event} {at.entry}" if at in erased else fold(name) for at, name in names.items()}
    return rules.who_is_who(known, *_sorted_out(said))


def _finishes(event: EventRow, players: Sequence[Any], rounds: Sequence[Any], bracket: Bracket | None) -> list[Finish]:
    names = {player.id: player.name for player in players}
    return [
        Finish(Appearance(event.id, int(player)), names[player], place, match_points)
        for player, place, match_points in standings.final(event, players, rounds, bracket)
    ]


def points_in(series: SeriesRow) -> Points:
    """The scheme of a series."""
    return Points.model_validate_json(series.scheme)


def _written(points: Points) -> str:
    return canonical(points.model_dump(mode="json"))


def _row(scene: Scene) -> SeriesRow:
    """The series that the scene is of."""
    row: Any = scene.event
    return row  # type: ignore[no-any-return]


def _own_event(scene: Scene, event: str, command: str) -> EventRow:
    """An event that the asker organizes, held as it is until the end of the transaction.

    Raises:
        EventNotFound: no such event, or not to be seen.
        NotYours: the asker is no organizer of it.
    """
    row = store.lock_event(scene.session, event)
    roles = store.roles_of(scene.session, event, scene.actor)
    if row is None or not (row.published or roles):
        raise EventNotFound(event)
    if Role.ORGANIZER not in roles:
        raise NotYours(f"{command} of event {event}", [Role.ORGANIZER])
    return row


def _pair(row: SeriesPersonRow) -> tuple[Appearance, Appearance]:
    return Appearance(row.first_event, row.first_entry), Appearance(row.second_event, row.second_entry)


def _entry(appearance: Appearance) -> OneEntry:
    return OneEntry(event=appearance.event, entry=appearance.entry)


def _sorted_out(said: Mapping[rules.Pair, bool | None]) -> tuple[list[rules.Pair], list[rules.Pair]]:
    return [pair for pair, same in said.items() if same], [pair for pair, same in said.items() if same is False]
