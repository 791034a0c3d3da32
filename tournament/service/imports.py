"""Events from elsewhere: a whole event out of a file, and one that goes on here after a log that was brought along."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from pydantic import BaseModel, ConfigDict, Field
from sqlmodel import Session

from tournament import store
from tournament.domain.draw import commitment
from tournament.domain.errors import ResultsMissing
from tournament.domain.lifecycle import Phase
from tournament.domain.model import Bye, Mode, Pairing, Player, PlayerId, Pod, Round, Seat, Way
from tournament.domain.results import MatchFormat, check_result
from tournament.domain.roles import ORGANIZERS, Role
from tournament.errors import NotCarried, ResultRefused
from tournament.event_file import Event
from tournament.service.apart import MOST_APART
from tournament.service.beside import ENTRY, Kept, Place, Subject, nameless
from tournament.service.commands import Arguments, Fact, Kind, Scene, Words
from tournament.service.entries import MOST_NUMBER
from tournament.service.results import MOST_GAMES, TablePlaces, TableResult, columns_of, games_of
from tournament.service.rounds import Seated
from tournament.tables import EntryRow, EventRow, LogRow, RoundRow, SeatRow, StaffRow, chairs

LONGEST_NAME: Final = 200
LONGEST_GAME: Final = 40
_MOST_SHOWN: Final = 20


class Entrant(BaseModel):
    """A player as the file has one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entry: int
    name: Kept
    entered_in: int
    dropped_after: int | None
    fixed_table: int | None
    awarded_byes: int
    disqualified: bool


class Occupied(Seated):
    """A table with its result, or a bye."""

    games: TableResult | None = None


class Played(BaseModel):
    """A round as the file has one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    round: int
    seats: list[Occupied]
    pairing: Way = Way.SWISS


class Imported(Fact):
    """A whole event, at once."""

    beside: ClassVar[tuple[Place, ...]] = (
        Place(
            path=("players", "*", "name"),
            of=lambda fact, at: Subject(ENTRY, fact["players"][at]["entry"]),
            gone=nameless,
        ),
    )

    name: str
    game: str
    preset: str
    best_of: MatchFormat
    draw: str
    commitment: str
    mode: Mode = Mode.SWISS
    pod_size: int | None = Field(default=None, exclude_if=lambda said: said is None)
    players: list[Entrant]
    played: list[Played]
    apart: list[tuple[int, int]] = Field(
        default=[], description="pairs of numbers that are kept apart, the smaller first"
    )

    @property
    def is_open(self) -> bool:
        """Tables of the last round are still playing."""
        return any(seat.bye is None and seat.games is None for seat in (self.played[-1].seats if self.played else ()))


class Import(Arguments):
    """Make an event of a file."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"content"})

    content: Imported
    """What the file says; the log has it as the fact."""


class Adopt(Arguments):
    """Let an event go on here, after a log that was brought along."""

    origin: Words = Field(default="", max_length=LONGEST_NAME, description="where it comes from, for the log")
    rows: int = Field(description="how many rows of the log come from there")
    head: str = Field(description="the hash of the last of them")


class Adopted(Fact):
    """The event goes on here. The roles that accounts of elsewhere had are over."""

    rows: int
    head: str
    organizer: str


def content_of(event: Event) -> Imported:
    """What a file says, as the tables here have it.

    Players whose ids are numbers keep them; otherwise they are numbered in the order of the file.

    Raises:
        NotCarried: the file has what an event here cannot have; everything.
        ResultsMissing: a round before the last has open tables.
        ResultRefused: results that no match format allows; every one.
    """
    if what := _not_carried(event):
        raise NotCarried(what)
    if missing := [(number, table) for number, table in event.open_tables if number < len(event.played)]:
        raise ResultsMissing("import the event", missing)
    numbers = _numbers(event.players)
    return Imported(
        name=event.name,
        game=event.game,
        preset=event.preset,
        best_of=_best_of(event.rounds, event.best_of),
        draw=event.draw,
        commitment=commitment(event.draw),
        mode=event.mode,
        pod_size=event.pod_size,
        players=sorted((_entrant(player, numbers) for player in event.players), key=lambda player: player.entry),
        played=[
            Played(
                round=played.number,
                seats=[_occupied(seat, numbers) for seat in played.seats],
                pairing=event.way_of(played.number),
            )
            for played in event.played
        ],
        apart=sorted({_in_order(numbers[one], numbers[other]) for one, other in event.apart}),
    )


def _in_order(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _not_carried(event: Event) -> list[str]:
    long = [player.id for player in event.players if len(player.name) > LONGEST_NAME]
    return [
        *([f"a name of more than {LONGEST_NAME} characters"] if len(event.name) > LONGEST_NAME else ()),
        *([f"a game of more than {LONGEST_GAME} characters"] if len(event.game) > LONGEST_GAME else ()),
        *([f"players with names of more than {LONGEST_NAME} characters: {_some(long)}"] if long else ()),
        *([f"more than {MOST_APART:,} pairs of players kept apart (`apart`)"] if len(event.apart) > MOST_APART else ()),
        *(["penalties (`penalties`)"] if event.penalties else ()),
    ]


def _some(words: Sequence[str]) -> str:
    more = len(words) - _MOST_SHOWN
    return ", ".join(words[:_MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _numbers(players: Sequence[Player]) -> Mapping[PlayerId, int]:
    ids = [player.id for player in players]
    if all(name.isascii() and name.isdigit() and str(int(name)) == name for name in ids):
        numbers = list(map(int, ids))
        if all(1 <= number <= MOST_NUMBER for number in numbers):
            return dict(zip(ids, numbers, strict=True))
    return {name: number for number, name in enumerate(ids, start=1)}


def _best_of(rounds: Sequence[Round], said: MatchFormat | None) -> MatchFormat:
    """What the file says, or the shortest match, best of three if it can be, that can have ended as all of these.

    Raises:
        ResultRefused: with every result that is too much.
    """
    results = [
        (played.number, seat.table, seat.result)
        for played in rounds
        for seat in played.seats
        if isinstance(seat, Pairing) and seat.result
    ]
    if many := [at for at in results if max(at[2].first, at[2].second, at[2].drawn) > MOST_GAMES]:
        raise ResultRefused(
            [f"round {number}, table {table}: more than {MOST_GAMES} games" for number, table, _ in many]
        )
    if said is not None:
        return said
    different = {result for _, _, result in results}
    for match_format in (MatchFormat.BEST_OF_3, MatchFormat.BEST_OF_1, MatchFormat.BEST_OF_5):
        if not any(check_result(result, match_format) for result in different):
            return match_format
    raise ResultRefused(
        [
            f"round {number}, table {table}: {fault.sentence}"
            for number, table, result in results
            for fault in check_result(result, MatchFormat.BEST_OF_5)
        ]
        or ["the results are not all of one match format"]
    )


def _entrant(player: Player, numbers: Mapping[PlayerId, int]) -> Entrant:
    return Entrant(
        entry=numbers[player.id],
        name=player.name,
        entered_in=player.entered_in,
        dropped_after=player.dropped_after,
        fixed_table=player.table,
        awarded_byes=player.awarded_byes,
        disqualified=player.disqualified,
    )


def _occupied(seat: Seat | Pod, numbers: Mapping[PlayerId, int]) -> Occupied:
    if isinstance(seat, Bye):
        return Occupied(first=numbers[seat.player], bye=seat.kind.value)
    if isinstance(seat, Pod):
        first, second, *others = (numbers[player] for player in seat.players)
        said = None
        if seat.placing is not None:
            places = tuple(tuple(numbers[player] for player in place) for place in seat.placing)
            said = TablePlaces(places=places, ending=seat.ending)
        return Occupied(first=first, second=second, others=others, table=seat.table, games=said)
    games = None if seat.result is None else games_of(seat.result)
    return Occupied(first=numbers[seat.first], second=numbers[seat.second], table=seat.table, games=games)


# --- the commands -----------------------------------------------------------------------------------------------------


def _decide_import(_: Scene, asked: Import) -> Imported:
    return asked.content


def _leads(fact: Imported) -> Phase:
    if not fact.played:
        return Phase.REGISTRATION
    return Phase.ROUND if fact.is_open else Phase.BETWEEN_ROUNDS


def _apply_import(session: Session, event: EventRow, row: LogRow, fact: Imported) -> None:
    event.name, event.game, event.preset, event.best_of = fact.name, fact.game, fact.preset, int(fact.best_of)
    event.draw, event.commitment, event.created_at = fact.draw, fact.commitment, row.at
    event.mode, event.pod_size = fact.mode.value, fact.pod_size
    store.add_event(session, event)
    _make_organizer(session, event, row)
    entries = [
        EntryRow(event_id=event.id, number=player.entry, entered_at=row.at, **player.model_dump(exclude={"entry"}))
        for player in fact.players
    ]
    store.add_entries(session, entries)
    store.add_apart(session, event.id, fact.apart, row.sequence)
    for played in fact.played:
        is_open = fact.is_open and played is fact.played[-1]
        made = RoundRow(
            event_id=event.id,
            number=played.round,
            paired_at=row.at,
            published_at=row.at,
            closed_at=None if is_open else row.at,
            pairing=played.pairing.value,
        )
        seats = [_seat(event.id, played.round, at, seat, row) for at, seat in enumerate(played.seats, start=1)]
        store.save_round(session, made, seats)


def _seat(event: str, number: int, place: int, seat: Occupied, row: LogRow) -> SeatRow:
    made = SeatRow(
        event_id=event,
        round=number,
        place=place,
        first=seat.first,
        second=seat.second,
        table_number=seat.table,
        bye=seat.bye,
        **chairs(seat.others),
    )
    if seat.games is not None:
        for column, value in columns_of(seat.games).items():
            setattr(made, column, value)
        made.reported = row.sequence
    return made


def _decide_adopt(scene: Scene, asked: Adopt) -> Adopted:
    return Adopted(rows=asked.rows, head=asked.head, organizer=scene.actor)


def _apply_adopt(session: Session, event: EventRow, row: LogRow, _: Adopted) -> None:
    store.delete_all_staff(session, event.id)
    _make_organizer(session, event, row)


def _make_organizer(session: Session, event: EventRow, row: LogRow) -> None:
    store.add_staff(
        session, StaffRow(event_id=event.id, account=row.actor, role=Role.ORGANIZER.value, granted=row.sequence)
    )


IMPORT: Final = Kind(
    name="event.import",
    arguments=Import,
    fact=Imported,
    roles=ORGANIZERS,
    creates=True,
    leads_to=_leads,
    decide=_decide_import,
    apply=_apply_import,
    same=lambda asked, fact: asked.content == fact,
)
ADOPT: Final = Kind(
    name="event.adopt",
    arguments=Adopt,
    fact=Adopted,
    roles=ORGANIZERS,
    creates=True,
    adopts=True,
    decide=_decide_adopt,
    apply=_apply_adopt,
)
KINDS: Final = (IMPORT, ADOPT)
