"""Results: reported once, corrected with a reason. The same report again is the same report."""

from typing import Final

from pydantic import BaseModel, ConfigDict, Field
from sqlmodel import Session

from tournament import store
from tournament.domain.announcement import DrawRule, forbidden_draw
from tournament.domain.lifecycle import Action
from tournament.domain.model import Ending, Result
from tournament.domain.results import MatchFormat, check_result
from tournament.domain.roles import Role
from tournament.errors import NotReported, ResultRefused, TableNotFound, TableReported
from tournament.service.commands import Already, Arguments, Fact, Kind, Scene
from tournament.service.entries import MOST_NUMBER
from tournament.service.rounds import load as load_round
from tournament.tables import EventRow, LogRow, SeatRow

MOST_GAMES: Final = 99
_SCOREKEEPERS: Final = frozenset({Role.ORGANIZER, Role.SCOREKEEPER, Role.JUDGE})


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
        if known == _result(asked.games) and seat.reported is not None:
            return Already(seat.reported)
        raise TableReported(asked.round, asked.table, _words(known))
    return _judged(scene, asked)


def _decide_correct(scene: Scene, asked: Report) -> Reported | Already:
    seat = _table(scene, asked)
    known = store.result_from(seat)
    if known is None:
        raise NotReported(asked.round, asked.table)
    if known == _result(asked.games) and seat.reported is not None:
        return Already(seat.reported)
    return _judged(scene, asked)


def _apply(session: Session, event: EventRow, row: LogRow, fact: Reported) -> None:
    seat = store.find_table(session, event.id, fact.round, fact.table)
    if seat is None:
        raise TableNotFound(fact.round, fact.table)
    seat.games_first, seat.games_second, seat.drawn = fact.games.first, fact.games.second, fact.games.drawn
    seat.ending, seat.reported = fact.games.ending.value, row.sequence


def _apply_correct(session: Session, event: EventRow, row: LogRow, fact: Reported) -> None:
    store.delete_drafts(session, event.id)
    _apply(session, event, row, fact)


REPORT: Final = Kind(
    name="result.report",
    arguments=Report,
    fact=Reported,
    roles=_SCOREKEEPERS,
    actions=(Action.REPORT,),
    decide=_decide_report,
    apply=_apply,
)
CORRECT: Final = Kind(
    name="result.correct",
    arguments=Report,
    fact=Reported,
    roles=_SCOREKEEPERS,
    actions=(Action.CORRECT,),
    decide=_decide_correct,
    apply=_apply_correct,
)
KINDS: Final = (REPORT, CORRECT)


def _table(scene: Scene, asked: Report) -> SeatRow:
    """The table, if its round is published. Raises: RoundNotFound, TableNotFound."""
    seat = store.find_table(scene.session, scene.event.id, asked.round, asked.table)
    if seat is None or asked.round > store.last_published(scene.session, scene.event.id):
        load_round(scene.session, scene.event.id, asked.round)
        raise TableNotFound(asked.round, asked.table)
    return seat


def _judged(scene: Scene, asked: Report) -> Reported:
    result = _result(asked.games)
    faults = [fault.sentence for fault in check_result(result, MatchFormat(scene.event.best_of))]
    if drawn := forbidden_draw(DrawRule(scene.event.draw_rule), result):
        faults.append(drawn)
    if faults:
        raise ResultRefused(faults)
    return Reported(round=asked.round, table=asked.table, games=asked.games)


def _result(games: Games) -> Result:
    return Result(games.first, games.second, games.drawn, games.ending)


def _words(result: Result) -> str:
    return f"{result.first}-{result.second}-{result.drawn} ({result.ending})"
