"""Events from elsewhere: a whole event out of a file, and one that goes on here after a log that was brought along."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict, Field
from sqlmodel import Session

from tournament import store
from tournament.domain.bracket import Bracket, DoubleLosses, Draws, Entry, Leaving, Left, Redrawn, Reported
from tournament.domain.bracket_plan import Form
from tournament.domain.draw import commitment
from tournament.domain.errors import ResultsMissing
from tournament.domain.infractions import PenaltyLevel
from tournament.domain.lifecycle import Phase
from tournament.domain.model import Bye, Pairing, Player, PlayerId, Result, Round, Seat
from tournament.domain.results import GameLoss, MatchFormat, MatchLoss, PointsTaken, check_result
from tournament.domain.roles import Role
from tournament.errors import NotCarried, ResultRefused
from tournament.event_file import Event
from tournament.service.announcing import searched
from tournament.service.commands import Arguments, Fact, Kind, Scene
from tournament.service.entries import MOST_NUMBER
from tournament.service.results import MOST_GAMES, Games, games_of
from tournament.service.rounds import Seated
from tournament.tables import (
    BracketLineRow,
    BracketRow,
    EntryRow,
    EventRow,
    LogRow,
    PenaltyRow,
    RoundRow,
    SeatRow,
    SeedRow,
    StaffRow,
)

LONGEST_NAME: Final = 200
LONGEST_GAME: Final = 40
_MOST_SHOWN: Final = 20


class Entrant(BaseModel):
    """A player as the file has one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entry: int
    name: str
    entered_in: int
    dropped_after: int | None
    fixed_table: int | None
    awarded_byes: int
    disqualified: bool


class Occupied(Seated):
    """A table with its result, or a bye."""

    games: Games | None = None
    stood: bool = False


class Played(BaseModel):
    """A round as the file has one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    round: int
    seats: list[Occupied]


class CutLine(BaseModel):
    """Something that happened in the cut: a result, players who left, or a round that was drawn anew."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    match: str | None = None
    first: int | None = None
    second: int | None = None
    games: Games | None = None
    gone: list[int] | None = None
    why: Leaving | None = None
    redrawn: int | None = None


class PlayedCut(BaseModel):
    """A cut as the file has one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    form: Form
    draws: Draws
    double_losses: DoubleLosses
    best_of: MatchFormat
    seeds: list[int]
    lines: list[CutLine]


class Sanction(BaseModel):
    """A game loss or a match loss that is in the results already."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entry: int
    round: int
    level: PenaltyLevel
    infraction: str
    text: str


class Imported(Fact):
    """A whole event, at once."""

    name: str
    game: str
    preset: str
    best_of: MatchFormat
    draw: str
    commitment: str
    players: list[Entrant]
    played: list[Played]
    cut: PlayedCut | None = None
    penalties: list[Sanction] = Field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Tables of the last round are still playing."""
        return any(seat.bye is None and seat.games is None for seat in (self.played[-1].seats if self.played else ()))


class Import(Arguments):
    """Make an event of a file."""

    digest: str = Field(description="SHA-256 of the file")
    content: Imported = Field(exclude=True)
    """What the file says; the log has it as the fact."""


class Adopt(Arguments):
    """Let an event go on here, after a log that was brought along."""

    origin: str = Field(default="", max_length=LONGEST_NAME, description="where it comes from, for the log")
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
        ResultsMissing: a round before the last, or before the cut, has open tables.
        ResultRefused: results that no match format allows; every one.
    """
    if what := _not_carried(event):
        raise NotCarried(what)
    may_be_open = 0 if event.cut else len(event.rounds)
    if missing := [(number, table) for number, table in event.open_tables if number != may_be_open]:
        raise ResultsMissing("import the event", missing)
    numbers = _numbers(event.players)
    return Imported(
        name=event.name,
        game=event.game,
        preset=event.preset,
        best_of=_best_of(_results(event.rounds)),
        draw=event.draw,
        commitment=commitment(event.draw),
        players=sorted((_entrant(player, numbers) for player in event.players), key=lambda player: player.entry),
        played=[
            Played(
                round=played.number,
                seats=[_occupied(seat, numbers, event.stood.get(played.number, ())) for seat in played.seats],
            )
            for played in event.rounds
        ],
        cut=None if event.cut is None else _played_cut(event.cut, numbers),
        penalties=[_sanction(given, numbers) for given in event.penalties if not isinstance(given, PointsTaken)],
    )


def _not_carried(event: Event) -> list[str]:
    long = [player.id for player in event.players if len(player.name) > LONGEST_NAME]
    return [
        *([f"a name of more than {LONGEST_NAME} characters"] if len(event.name) > LONGEST_NAME else ()),
        *([f"a game of more than {LONGEST_GAME} characters"] if len(event.game) > LONGEST_GAME else ()),
        *([f"players with names of more than {LONGEST_NAME} characters: {_some(long)}"] if long else ()),
        *(["players who are kept apart (`apart`)"] if event.apart else ()),
        *(["points taken (`penalties`)"] if any(isinstance(one, PointsTaken) for one in event.penalties) else ()),
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


def _results(rounds: Sequence[Round]) -> list[tuple[str, Result]]:
    return [
        (f"round {played.number}, table {seat.table}", seat.result)
        for played in rounds
        for seat in played.seats
        if isinstance(seat, Pairing) and seat.result
    ]


def _best_of(results: Sequence[tuple[str, Result]]) -> MatchFormat:
    """The usual match, best of three, or another that can have ended as all of these. Raises: ResultRefused."""
    if many := [where for where, said in results if max(said.first, said.second, said.drawn) > MOST_GAMES]:
        raise ResultRefused([f"{where}: more than {MOST_GAMES} games" for where in many])
    different = {result for _, result in results}
    for match_format in (MatchFormat.BEST_OF_3, MatchFormat.BEST_OF_1, MatchFormat.BEST_OF_5):
        if not any(check_result(result, match_format) for result in different):
            return match_format
    raise ResultRefused(
        [
            f"{where}: {fault.sentence}"
            for where, result in results
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


def _occupied(seat: Seat, numbers: Mapping[PlayerId, int], stood: Collection[int]) -> Occupied:
    if isinstance(seat, Bye):
        return Occupied(first=numbers[seat.player], bye=seat.kind.value)
    return Occupied(
        first=numbers[seat.first],
        second=numbers[seat.second],
        table=seat.table,
        games=None if seat.result is None else games_of(seat.result),
        stood=seat.table in stood,
    )


def _played_cut(cut: Bracket, numbers: Mapping[PlayerId, int]) -> PlayedCut:
    said = [(f"match {line.match}", line.result) for line in cut.log if isinstance(line, Reported)]
    return PlayedCut(
        form=cut.form,
        draws=cut.draws,
        double_losses=cut.double_losses,
        best_of=_best_of(said),
        seeds=[numbers[player] for player in cut.seeds],
        lines=[_cut_line(line, numbers) for line in cut.log],
    )


def _cut_line(line: Entry, numbers: Mapping[PlayerId, int]) -> CutLine:
    match line:
        case Reported(match, first, second, result):
            return CutLine(match=match, first=numbers[first], second=numbers[second], games=games_of(result))
        case Left(players, why):
            return CutLine(gone=[numbers[player] for player in players], why=why)
        case Redrawn(number):
            return CutLine(redrawn=number)


def _sanction(given: GameLoss | MatchLoss, numbers: Mapping[PlayerId, int]) -> Sanction:
    level = PenaltyLevel.GAME_LOSS if isinstance(given, GameLoss) else PenaltyLevel.MATCH_LOSS
    return Sanction(
        entry=numbers[given.player], round=given.round, level=level, infraction=given.infraction, text=given.reason
    )


# --- the commands -----------------------------------------------------------------------------------------------------


def _decide_import(_: Scene, asked: Import) -> Imported:
    return asked.content


def _leads(fact: Imported) -> Phase:
    if fact.cut is not None:
        return Phase.CUT
    if not fact.played:
        return Phase.REGISTRATION
    return Phase.ROUND if fact.is_open else Phase.BETWEEN_ROUNDS


def _apply_import(session: Session, event: EventRow, row: LogRow, fact: Imported) -> None:
    event.name, event.game, event.preset, event.best_of = fact.name, fact.game, fact.preset, int(fact.best_of)
    event.draw, event.commitment, event.created_at = fact.draw, fact.commitment, row.at
    event.words = searched(fact.name, event.venue)
    store.add_event(session, event)
    _make_organizer(session, event, row)
    entries = [
        EntryRow(event_id=event.id, number=player.entry, entered_at=row.at, **player.model_dump(exclude={"entry"}))
        for player in fact.players
    ]
    store.add_entries(session, entries)
    for played in fact.played:
        is_open = fact.is_open and played is fact.played[-1]
        made = RoundRow(
            event_id=event.id,
            number=played.round,
            paired_at=row.at,
            published_at=row.at,
            closed_at=None if is_open else row.at,
        )
        seats = [_seat(event.id, played.round, at, seat, row) for at, seat in enumerate(played.seats, start=1)]
        store.save_round(session, made, seats)
    if fact.cut is not None:
        _put_cut(session, event, row, fact.cut)
    for number, sanction in enumerate(fact.penalties, start=1):
        store.save(session, _penalty(event, row, number, sanction))


def _put_cut(session: Session, event: EventRow, row: LogRow, cut: PlayedCut) -> None:
    started = BracketRow(
        event_id=event.id,
        form=cut.form.value,
        draws=cut.draws.value,
        double_losses=cut.double_losses.value,
        best_of=cut.best_of.value,
        started_at=row.at,
        ties="[]",
    )
    seeds = [SeedRow(event_id=event.id, seed=seed, entry=entry) for seed, entry in enumerate(cut.seeds, start=1)]
    store.add_bracket(session, started, seeds)
    for number, said in enumerate(cut.lines, start=1):
        line = BracketLineRow(
            event_id=event.id,
            line=number,
            sequence=row.sequence,
            at=row.at,
            match_id=said.match,
            first=said.first,
            second=said.second,
            gone=None if said.gone is None else json.dumps(said.gone),
            why=said.why and said.why.value,
            redrawn=said.redrawn,
        )
        if said.games is not None:
            line.games_first, line.games_second, line.drawn = said.games.first, said.games.second, said.games.drawn
            line.ending = said.games.ending.value
        store.add_line(session, line)


def _penalty(event: EventRow, row: LogRow, number: int, given: Sanction) -> PenaltyRow:
    return PenaltyRow(
        event_id=event.id,
        number=number,
        code="",
        given=row.sequence,
        given_by=row.actor,
        given_at=row.at,
        applied=row.sequence,
        **given.model_dump(mode="json"),
    )


def _seat(event: str, number: int, place: int, seat: Occupied, row: LogRow) -> SeatRow:
    made = SeatRow(
        event_id=event,
        round=number,
        place=place,
        first=seat.first,
        second=seat.second,
        table_number=seat.table,
        bye=seat.bye,
        stood=seat.stood,
    )
    if seat.games is not None:
        made.games_first, made.games_second, made.drawn = seat.games.first, seat.games.second, seat.games.drawn
        made.ending, made.reported = seat.games.ending.value, row.sequence
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
    roles=frozenset({Role.ORGANIZER}),
    creates=True,
    leads_to=_leads,
    decide=_decide_import,
    apply=_apply_import,
)
ADOPT: Final = Kind(
    name="event.adopt",
    arguments=Adopt,
    fact=Adopted,
    roles=frozenset({Role.ORGANIZER}),
    creates=True,
    decide=_decide_adopt,
    apply=_apply_adopt,
)
KINDS: Final = (IMPORT, ADOPT)
