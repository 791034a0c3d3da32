"""Results: reported once, corrected with a reason. The same report again is the same report."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, field_validator
from sqlmodel import Session

from tournament import store
from tournament.domain.announcement import DrawRule, forbidden_draw
from tournament.domain.lifecycle import Action
from tournament.domain.model import Ending, Pairing, PlayerId, Pod, Result
from tournament.domain.pod_results import check_pod
from tournament.domain.results import MatchFormat, MatchLoss, check_result, penalised
from tournament.domain.roles import JUDGES
from tournament.errors import NotReported, ResultRefused, TableNotFound, TableReported
from tournament.service.chain import canonical
from tournament.service.commands import Already, Arguments, Fact, Kind, Scene
from tournament.service.entries import MOST_NUMBER
from tournament.service.rounds import load as load_round
from tournament.store import AnySeat, SeenSeat
from tournament.tables import ClaimRow, EventRow, LogRow, SeatRow

MOST_GAMES: Final = 99


class Games(BaseModel):
    """What a table of two came to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    first: int = Field(ge=0, le=MOST_GAMES, description="games won by the first player", examples=[2])
    second: int = Field(ge=0, le=MOST_GAMES, description="games won by the second player", examples=[1])
    drawn: int = Field(default=0, ge=0, le=MOST_GAMES, examples=[0])
    ending: Ending = Field(default=Ending.PLAYED)


class TablePlaces(BaseModel):
    """What a table of several came to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    places: tuple[tuple[int, ...], ...] = Field(
        max_length=len(SeatRow.CHAIRS),
        description="numbers of the players, the best first; who shares a place stands together. Empty where everybody "
        "lost, and in an intentional draw may be",
        examples=[[[17], [4, 9], [12]]],
    )
    ending: Ending = Field(
        default=Ending.PLAYED,
        description="`played`, also where somebody gave up or did not come: place them last. `intentional draw`: all "
        "share the first place. `double loss`: everybody lost",
    )

    @field_validator("places")
    @classmethod
    def _in_order(cls, said: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
        """Who shares a place has no order."""
        return tuple(tuple(sorted(place)) for place in said)


def _kind(said: object) -> str:
    return SEVERAL if isinstance(said, TablePlaces) or (isinstance(said, Mapping) and "places" in said) else TWO


TWO: Final = "(a table of two)"
SEVERAL: Final = "(a table of several)"
"""They stand in no place of a fault."""
TableResult: TypeAlias = Annotated[
    Annotated[Games, Tag(TWO)] | Annotated[TablePlaces, Tag(SEVERAL)], Discriminator(_kind)
]
"""What a table came to: games of two, places of several."""


class Report(Arguments):
    """A table's result."""

    round: int = Field(ge=1, le=MOST_NUMBER, examples=[3])
    table: int = Field(ge=1, le=MOST_NUMBER, examples=[12])
    games: TableResult


class Reported(Fact):
    """The result that counts from now on."""

    round: int
    table: int
    games: TableResult


def _decide_report(scene: Scene, asked: Report) -> Reported | Already:
    seat = _table(scene, asked)
    known, said = games_at(seat), completed(seat, asked.games)
    if known is not None:
        if known == said and seat.reported is not None:
            return Already(seat.reported)
        raise TableReported(asked.round, asked.table, words_of(known))
    return Reported(round=asked.round, table=asked.table, games=judged(scene, seat, said))


def _decide_correct(scene: Scene, asked: Report) -> Reported | Already:
    seat = _table(scene, asked)
    known, said = games_at(seat), completed(seat, asked.games)
    if known is None:
        raise NotReported(asked.round, asked.table)
    if known == said and seat.reported is not None:
        return Already(seat.reported)
    return Reported(round=asked.round, table=asked.table, games=judged(scene, seat, said))


def _apply(session: Session, event: EventRow, row: LogRow, fact: Reported) -> None:
    put(session, event.id, fact.round, {fact.table: fact.games}, row.sequence)


def _apply_correct(session: Session, event: EventRow, row: LogRow, fact: Reported) -> None:
    store.delete_drafts(session, event.id)
    _apply(session, event, row, fact)


REPORT: Final = Kind(
    name="result.report",
    arguments=Report,
    fact=Reported,
    roles=JUDGES,
    actions=(Action.REPORT,),
    looks_at=lambda asked: (asked.round, asked.table),
    decide=_decide_report,
    apply=_apply,
)
CORRECT: Final = Kind(
    name="result.correct",
    arguments=Report,
    fact=Reported,
    roles=JUDGES,
    actions=(Action.CORRECT,),
    decide=_decide_correct,
    apply=_apply_correct,
)
KINDS: Final = (REPORT, CORRECT)


def _table(scene: Scene, asked: Report) -> SeenSeat:
    return table_at(scene, asked.round, asked.table)


def table_at(scene: Scene, number: int, table: int) -> SeenSeat:
    """The table, if its round is published. Raises: RoundNotFound, TableNotFound."""
    for seat in store.look_at_tables(scene.session, scene.event.id, number, [table]):
        if number <= (seat.last or 0):
            return seat
    load_round(scene.session, scene.event.id, number)
    raise TableNotFound(number, table)


def judged(scene: Scene, seat: AnySeat, said: Games | TablePlaces) -> Games | TablePlaces:
    """A result of a table as it counts.

    Raises:
        ResultRefused: with every rule that it breaks; also if it is of two and the table has several, or otherwise.
    """
    rule = DrawRule(scene.event.draw_rule)
    if isinstance(said, TablePlaces):
        if seat.third is None:
            raise ResultRefused([OF_TWO])
        if faults := [*check_pod(pod_of(seat, said), rule), *_of_the_disqualified(scene, seat, said)]:
            raise ResultRefused([fault.removeprefix(f"table {seat.table_number}: ") for fault in faults])
        return said
    if seat.third is not None:
        raise ResultRefused([_OF_SEVERAL])
    checked(said, scene.event.best_of, rule)
    return said


def _of_the_disqualified(scene: Scene, seat: AnySeat, said: TablePlaces) -> Iterator[str]:
    """Who is disqualified while the table plays has lost; a table that is over keeps its result."""
    if seat.ending is not None:
        return
    rows = store.entries_numbered(scene.session, scene.event.id, seat.players)
    out = {row.number for row in rows if row.disqualified}
    if out and said.places and set(said.places[-1]) != out and len(out) < len(seat.players):
        numbers = " and ".join(map(str, sorted(out)))
        yield f"table {seat.table_number}: {numbers} disqualified, so the last place is theirs and nobody else's"


OF_TWO: Final = "two play at this table, so its result is the games that each won"
_OF_SEVERAL: Final = "several play at this table, so its result is their places, the best first"


def completed(seat: AnySeat, said: Games | TablePlaces) -> Games | TablePlaces:
    """With everybody in the first place, where all of several agreed on a draw and nobody is named."""
    if isinstance(said, TablePlaces) and said.ending is Ending.INTENTIONAL_DRAW and not said.places:
        return TablePlaces(places=(seat.players,), ending=said.ending)
    return said


def pod_of(seat: AnySeat, said: TablePlaces) -> Pod:
    """A table of several with that result, as the rules know it."""
    pod = store.pod_from(seat)
    assert isinstance(pod, Pod)  # noqa: S101 - who asks has a table of several
    placing = tuple(tuple(PlayerId(str(player)) for player in place) for place in said.places)
    return replace(pod, placing=placing, ending=said.ending)


def places_in(pod: Pod) -> TablePlaces | None:
    """The result of a table of several as people say it; None while it plays."""
    if pod.placing is None:
        return None
    return TablePlaces(places=tuple(tuple(map(int, place)) for place in pod.placing), ending=pod.ending)


def checked(games: Games, best_of: int, draws: DrawRule | None = None) -> Result:
    """The result, if it can be so. Raises: ResultRefused."""
    result = result_of(games)
    faults = [fault.sentence for fault in check_result(result, MatchFormat(best_of))]
    if draws is not None and (drawn := forbidden_draw(draws, result)):
        faults.append(drawn)
    if faults:
        raise ResultRefused(faults)
    return result


def games_of(result: Result) -> Games:
    """A result as people say it."""
    return Games(first=result.first, second=result.second, drawn=result.drawn, ending=result.ending)


def result_of(games: Games) -> Result:
    """The same as the rules know it."""
    return Result(games.first, games.second, games.drawn, games.ending)


def words(result: Result) -> str:
    """A result in short."""
    return f"{result.first}-{result.second}-{result.drawn} ({result.ending})"


def words_of(said: Games | TablePlaces) -> str:
    """A result of any table in short."""
    if isinstance(said, Games):
        return words(result_of(said))
    places = " > ".join(" = ".join(map(str, place)) for place in said.places) or "nobody is placed"
    return f"{places} ({said.ending})"


def games_at(seat: AnySeat) -> Games | TablePlaces | None:
    """What a table came to; None while it plays."""
    return None if seat.ending is None else said_in(seat)


def said_in(row: AnySeat | ClaimRow) -> Games | TablePlaces:
    """The result that a row has."""
    ending = Ending(row.ending or Ending.PLAYED)
    if row.placing is not None:
        return TablePlaces(places=json.loads(row.placing), ending=ending)
    return Games(first=row.games_first or 0, second=row.games_second or 0, drawn=row.drawn or 0, ending=ending)


def columns_of(said: Games | TablePlaces) -> dict[str, Any]:
    """The same for a row."""
    if isinstance(said, TablePlaces):
        return dict(zip(_RESULT, (None, None, None, canonical(said.places), said.ending.value), strict=True))
    return dict(zip(_RESULT, (said.first, said.second, said.drawn, None, said.ending.value), strict=True))


_RESULT: Final = ("games_first", "games_second", "drawn", "placing", "ending")


def lost_by(session: Session, event: EventRow, entry: int) -> tuple[SeatRow, Games] | None:
    """The table of the running round where a player who is disqualified now sits, and how the opponent wins it.

    None if the player has no table there, or its match is over: it keeps its result. None also at a table of several,
    where the others play on. Source: Infraction Procedure Guide 1.1 (disqualification), Magic Tournament Rules 2.4 (a
    match that a judge ends).
    """
    number = store.last_published(session, event.id)
    seat = store.seat_of(session, event.id, number, entry)
    if seat is None or seat.ending is not None or seat.third is not None:
        return None
    pairing = store.seat_from(seat)
    if not isinstance(pairing, Pairing):
        return None
    loss = MatchLoss(player=PlayerId(str(entry)), round=number, infraction="disqualification", reason="disqualified")
    after = penalised(pairing, [loss], number=number, match_format=MatchFormat(event.best_of)).result
    return None if after is None else (seat, games_of(after))


def put(  # noqa: PLR0913 - a result, where it stands, and whose doing it is
    session: Session,
    event: str,
    number: int,
    games: Mapping[int, Games | TablePlaces | None],
    reported: int | None,
    *,
    by: int | None = None,
) -> None:
    """Put results into tables of a round; None opens a table again.

    A result by which a later round was paired is kept in mind.

    Args:
        session: to write.
        event: whose.
        number: the round.
        games: by table.
        reported: the sequence of the command that the results are from.
        by: of the command that puts them there, if it is another one.

    Raises:
        TableNotFound: the round has no such table.
    """
    seats = {seat.table_number: seat for seat in store.look_at_tables(session, event, number, games)}
    for table in games:
        if table not in seats:
            raise TableNotFound(number, table)
        if seats[table].ending is not None and number < (seats[table].last or 0):
            store.add_former_result(session, seats[table], until=by or reported or 0)
    columns = {table: columns_of(said) if said else _OPEN for table, said in games.items()}
    store.put_results(session, [(seats[table], one | {"reported": reported}) for table, one in columns.items()])


_OPEN: Final = dict.fromkeys(_RESULT)
