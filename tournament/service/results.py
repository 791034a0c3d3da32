"""Results: reported once, corrected with a reason. The same report again is the same report."""

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel, ConfigDict, Field
from sqlmodel import Session

from tournament import store
from tournament.domain.announcement import DrawRule, forbidden_draw
from tournament.domain.lifecycle import Action
from tournament.domain.model import Ending, Pairing, PlayerId, Result
from tournament.domain.results import MatchFormat, MatchLoss, check_result, penalised
from tournament.domain.roles import JUDGES
from tournament.errors import NotReported, ResultRefused, TableNotFound, TableReported
from tournament.service.commands import Already, Arguments, Fact, Kind, Scene
from tournament.service.entries import MOST_NUMBER
from tournament.service.rounds import load as load_round
from tournament.store import AnySeat, SeenSeat
from tournament.tables import EventRow, LogRow, SeatRow

MOST_GAMES: Final = 99


class Games(BaseModel):
    """What a table came to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    first: int = Field(ge=0, le=MOST_GAMES, description="games won by the first player", examples=[2])
    second: int = Field(ge=0, le=MOST_GAMES, description="games won by the second player", examples=[1])
    drawn: int = Field(default=0, ge=0, le=MOST_GAMES, examples=[0])
    ending: Ending = Field(default=Ending.PLAYED)


class Report(Arguments):
    """A table's result."""

    round: int = Field(ge=1, le=MOST_NUMBER, examples=[3])
    table: int = Field(ge=1, le=MOST_NUMBER, examples=[12])
    games: Games


class Reported(Fact):
    """The result that counts from now on."""

    round: int
    table: int
    games: Games


def _decide_report(scene: Scene, asked: Report) -> Reported | Already:
    seat = _table(scene, asked)
    known = store.result_from(seat)
    if known is not None:
        if known == result_of(asked.games) and seat.reported is not None:
            return Already(seat.reported)
        raise TableReported(asked.round, asked.table, words(known))
    return _judged(scene, asked)


def _decide_correct(scene: Scene, asked: Report) -> Reported | Already:
    seat = _table(scene, asked)
    known = store.result_from(seat)
    if known is None:
        raise NotReported(asked.round, asked.table)
    if known == result_of(asked.games) and seat.reported is not None:
        return Already(seat.reported)
    return _judged(scene, asked)


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


def _judged(scene: Scene, asked: Report) -> Reported:
    checked(asked.games, scene.event.best_of, DrawRule(scene.event.draw_rule))
    return Reported(round=asked.round, table=asked.table, games=asked.games)


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


def games_at(seat: AnySeat) -> Games | None:
    """What a table came to; None while it plays."""
    result = store.result_from(seat)
    return None if result is None else games_of(result)


def lost_by(session: Session, event: EventRow, entry: int) -> tuple[SeatRow, Games] | None:
    """The table of the running round where a player who is disqualified now sits, and how the opponent wins it.

    None if the player has no table there, or its match is over: it keeps its result. Source: Infraction Procedure Guide
    1.1 (disqualification), Magic Tournament Rules 2.4 (a match that a judge ends).
    """
    number = store.last_published(session, event.id)
    seat = store.seat_of(session, event.id, number, entry)
    pairing = None if seat is None or seat.ending is not None else store.seat_from(seat)
    if seat is None or not isinstance(pairing, Pairing):
        return None
    loss = MatchLoss(player=PlayerId(str(entry)), round=number, infraction="disqualification", reason="disqualified")
    after = penalised(pairing, [loss], number=number, match_format=MatchFormat(event.best_of)).result
    return None if after is None else (seat, games_of(after))


def put(  # noqa: PLR0913 - a result, where it stands, and whose doing it is
    session: Session,
    event: str,
    number: int,
    games: Mapping[int, Games | None],
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
    said = {table: None if said is None else result_of(said) for table, said in games.items()}
    store.put_results(session, [(seats[table], result, reported) for table, result in said.items()])
