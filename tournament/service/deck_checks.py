"""Deck checks: tables by the public draw or by a judge's choice, started, finished, and the time they are due.

Which tables are drawn hangs on the event's draw, the round and the table's number alone (`domain.draw`). The fact of a
draw has what it was drawn from, so that anybody who knows the draw, once the event is over, can do it again.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, Final, Self

from pydantic import Field, model_validator
from sqlmodel import Session

from tournament import store
from tournament.domain.draw import draw_tables
from tournament.domain.lifecycle import Action
from tournament.domain.roles import JUDGES
from tournament.errors import DeckCheckNotFound, DeckCheckRefused, NothingToCheck, PenaltyNotFound
from tournament.service import extensions, match_clocks, results, rounds, standings
from tournament.service.beside import Kept, Place, numbered
from tournament.service.commands import Already, Arguments, Fact, Kind, Scene, WithReason, Words, nothing
from tournament.service.entries import MOST_NUMBER
from tournament.service.match_clocks import LONGEST_MATCH
from tournament.store import AnySeat
from tournament.tables import DeckCheckRow, DeckDrawRow, EventRow, LogRow, SeatRow, chairs

MOST_DRAWN: Final = 1_000
MOST_LINKED: Final = 20
EXTENSION: Final = 3
"""Minutes that a checked table gets beside the time of the check, to shuffle. Source: Magic Tournament Rules 2.6."""


class CheckResult(StrEnum):
    """What a deck check found."""

    FINE = "fine"
    PROBLEM = "problem"
    CALLED_OFF = "called off"


class DrawTables(Arguments):
    """DrawTables tables of the round that is played."""

    tables: int = Field(ge=1, le=MOST_DRAWN, description="how many", examples=[2])
    top: int | None = Field(
        default=None, ge=1, le=MOST_NUMBER, description="only tables where one of the best so many plays", examples=[16]
    )
    again: bool = Field(default=False, description="also tables with a player whose deck was checked before")


class DrawnCheck(Fact):
    """A deck check that is to be made."""

    deck_check: int
    table: int
    first: int
    second: int
    others: list[int] = rounds.Others


class TablesDrawn(Fact):
    """The tables, and all that is needed to draw them again."""

    round: int
    asked: int
    top: int | None
    among: list[int] | None = Field(description="with `top`, the tables that were in; null: all but `without`")
    without: list[int] = Field(
        description="passed over: drawn before, finished playing, or with a player checked before"
    )
    checks: list[DrawnCheck] = Field(description="in the order of their lots; fewer than asked if no more were left")


class ChooseTable(WithReason):
    """A table, or a match of the cut, that a judge chooses, and why."""

    table: int | None = Field(
        default=None, ge=1, le=MOST_NUMBER, description="of the round that is played", examples=[12]
    )
    match: str | None = Field(default=None, max_length=LONGEST_MATCH, description="of the cut")

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if (self.table is None) == (self.match is None):
            raise ValueError("name a table, or a match of the cut")
        return self


class TableChosen(Fact):
    """A deck check that is to be made."""

    deck_check: int
    round: int
    table: int = Field(description="0 for a match of the cut")
    first: int
    second: int
    others: list[int] = rounds.Others
    why: str
    match: str | None = Field(default=None, description="of the cut")


class DeckCheckNumber(Arguments):
    """A deck check."""

    deck_check: int = Field(ge=1, le=MOST_NUMBER)


class DeckCheckStarted(Fact):
    """The decks are being checked."""

    deck_check: int


class DeckCheckFindings(Arguments):
    """What came out of a deck check."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"text"})

    problem: bool = Field(default=False, description="whether anything was wrong")
    text: Words = Field(default="", description="what, for staff")
    penalties: list[int] = Field(
        default_factory=list, max_length=MOST_LINKED, description="the numbers of the penalties that came out of it"
    )


class DeckCheckOutcome(DeckCheckFindings):
    """What came out of it, now that it is over."""

    minutes: int | None = extensions.Minutes


class FinishDeckCheck(DeckCheckOutcome):
    """The same, and of which deck check."""

    deck_check: int = Field(ge=1, le=MOST_NUMBER)


class DeckCheckFinished(extensions.GivenBack):
    """The check is over; its table is due some minutes."""

    beside: ClassVar[tuple[Place, ...]] = (Place(path=("text",), of=numbered("deck_check")),)

    deck_check: int
    result: CheckResult
    text: Kept
    penalties: list[int] = Field(description="those that this command links to it")
    minutes: int = Field(
        description="time extension: how long the check took, in whole minutes begun, and 3; or what the judge said"
    )


class AmendedFindings(DeckCheckFindings, WithReason):
    """What should have been said of a finished deck check."""


class AmendDeckCheck(AmendedFindings):
    """The same, and of which deck check."""

    deck_check: int = Field(ge=1, le=MOST_NUMBER)


class CallOffDeckCheck(WithReason):
    """A deck check that is not made, or not to its end."""

    deck_check: int = Field(ge=1, le=MOST_NUMBER)


class DeckCheckCalledOff(Fact):
    """The deck check is not made."""

    deck_check: int
    why: str


def _decide_draw(scene: Scene, asked: DrawTables) -> TablesDrawn:
    session, event = scene.session, scene.event
    number = store.last_published(session, event.id)
    seats = {seat.table_number: seat for seat in store.seats_of(session, event.id, number) if seat.table_number}
    without = _passed_over(number, seats.values(), store.deck_checks_of(session, event.id), again=asked.again)
    among = None if asked.top is None else _of_the_best(scene, seats.values(), asked.top)
    candidates = (set(seats) if among is None else set(among)) - set(without)
    drawn = draw_tables(event.draw, number, candidates, asked.tables)
    if not drawn:
        raise NothingToCheck("every table that is in was drawn before, has finished, or has a player checked before")
    following = store.last_number(session, DeckCheckRow, event.id) + 1
    checks = [
        DrawnCheck(deck_check=check, table=table, **_players(seats[table]))
        for check, table in enumerate(drawn, start=following)
    ]
    return TablesDrawn(round=number, asked=asked.tables, top=asked.top, among=among, without=without, checks=checks)


def _players(seat: AnySeat) -> dict[str, Any]:
    return {"first": seat.first, "second": seat.second or 0, "others": seat.others}


def _passed_over(number: int, seats: Iterable[SeatRow], checks: Sequence[DeckCheckRow], *, again: bool) -> list[int]:
    """Tables that are not drawn, in order. A check that was called off before it began has checked nobody."""
    here = {check.table_number for check in checks if check.round == number}
    made = [check for check in checks if check.result != CheckResult.CALLED_OFF or check.started_at is not None]
    known = set() if again else {player for check in made for player in check.players}
    return sorted(
        seat.table_number or 0
        for seat in seats
        if seat.table_number in here or seat.ending is not None or known & set(seat.players)
    )


def _of_the_best(scene: Scene, seats: Iterable[SeatRow], top: int) -> list[int]:
    """Tables where one of the best plays, by the standings after the last closed round, in order."""
    after, lines = standings.after(scene.session, scene.event)
    if not after:
        raise NothingToCheck("there are no standings before the first round is closed; draw from all tables")
    best = {int(line.player) for line in lines if line.place <= top}
    return sorted(seat.table_number or 0 for seat in seats if best & set(seat.players))


def _apply_draw(session: Session, event: EventRow, row: LogRow, fact: TablesDrawn) -> None:
    draw = DeckDrawRow(
        event_id=event.id,
        sequence=row.sequence,
        round=fact.round,
        asked=fact.asked,
        top=fact.top,
        among=None if fact.among is None else json.dumps(fact.among),
        without=json.dumps(fact.without),
        tables=json.dumps([check.table for check in fact.checks]),
    )
    store.save(session, draw)
    for drawn in fact.checks:
        check = _row(event.id, drawn, fact.round)
        check.drawn = row.sequence
        store.save(session, check)


def _decide_choose(scene: Scene, asked: ChooseTable) -> TableChosen:
    session, event = scene.session, scene.event
    number = store.last_published(session, event.id)
    if asked.match is not None:
        playing = match_clocks.extended(scene, asked.match, 0)
        place = {"table": 0, "match": asked.match, "first": playing.first, "second": playing.second}
    else:
        seat = results.table_at(scene, number, asked.table or 0)
        place = {"table": seat.table_number or 0, **_players(seat)}
    following = store.last_number(session, DeckCheckRow, event.id) + 1
    return TableChosen.model_validate({"deck_check": following, "round": number, "why": asked.reason, **place})


def _apply_choose(session: Session, event: EventRow, _: LogRow, fact: TableChosen) -> None:
    check = _row(event.id, fact, fact.round)
    check.why, check.match_id = fact.why, fact.match
    store.save(session, check)


def _row(event: str, check: DrawnCheck | TableChosen, number: int) -> DeckCheckRow:
    return DeckCheckRow(
        event_id=event,
        number=check.deck_check,
        round=number,
        table_number=check.table,
        first=check.first,
        second=check.second,
        **chairs(check.others),
    )


def _decide_start(scene: Scene, asked: DeckCheckNumber) -> DeckCheckStarted | Already:
    check = _unfinished(scene, asked.deck_check)
    if check.started is not None:
        if check.started_by == scene.actor:
            return Already(check.started)
        raise DeckCheckRefused(check.number, f"{check.started_by} started it")
    return DeckCheckStarted(deck_check=check.number)


def _apply_start(session: Session, event: EventRow, row: LogRow, fact: DeckCheckStarted) -> None:
    check = load(session, event.id, fact.deck_check)
    check.started, check.started_by, check.started_at = row.sequence, row.actor, row.at


def _decide_finish(scene: Scene, asked: FinishDeckCheck) -> DeckCheckFinished:
    check = _unfinished(scene, asked.deck_check)
    if check.started_at is None:
        raise DeckCheckRefused(check.number, "nobody has started it")
    took = datetime.fromisoformat(scene.at) - datetime.fromisoformat(check.started_at)
    minutes = math.ceil(max(took.total_seconds(), 0) / 60) + EXTENSION
    minutes = minutes if asked.minutes is None else asked.minutes
    given = extensions.due(scene, check.round, check.table_number, check.match_id, minutes)
    return _found(scene, asked, check.number, minutes, given)


def _decide_amend(scene: Scene, asked: AmendDeckCheck) -> DeckCheckFinished:
    check = load(scene.session, scene.event.id, asked.deck_check)
    if check.minutes is None:
        raise DeckCheckRefused(check.number, "it is not finished")
    return _found(scene, asked, check.number, check.minutes)


def _found(
    scene: Scene, asked: DeckCheckFindings, number: int, minutes: int, given: Mapping[str, Any] | None = None
) -> DeckCheckFinished:
    for penalty in asked.penalties:
        if store.find_penalty(scene.session, scene.event.id, penalty) is None:
            raise PenaltyNotFound(penalty)
    return DeckCheckFinished(
        deck_check=number,
        result=CheckResult.PROBLEM if asked.problem else CheckResult.FINE,
        text=asked.text,
        penalties=sorted(set(asked.penalties)),
        minutes=minutes,
        **(given or {}),
    )


def _apply_finish(session: Session, event: EventRow, row: LogRow, fact: DeckCheckFinished) -> None:
    check = load(session, event.id, fact.deck_check)
    check.result, check.text, check.minutes = fact.result.value, fact.text, fact.minutes
    if check.finished_at is None:
        check.finished_by, check.finished_at = row.actor, row.at
    if fact.penalties:
        store.link_penalties(session, event.id, fact.deck_check, fact.penalties)


def _decide_call_off(scene: Scene, asked: CallOffDeckCheck) -> DeckCheckCalledOff:
    return DeckCheckCalledOff(deck_check=_unfinished(scene, asked.deck_check).number, why=asked.reason)


def _apply_call_off(session: Session, event: EventRow, row: LogRow, fact: DeckCheckCalledOff) -> None:
    check = load(session, event.id, fact.deck_check)
    check.result, check.why = CheckResult.CALLED_OFF.value, fact.why
    check.finished_by, check.finished_at = row.actor, row.at


DRAW: Final = Kind(
    name="deck-check.draw",
    arguments=DrawTables,
    fact=TablesDrawn,
    roles=JUDGES,
    actions=(Action.REPORT,),
    decide=_decide_draw,
    apply=_apply_draw,
)
CHOOSE: Final = Kind(
    name="deck-check.choose",
    arguments=ChooseTable,
    fact=TableChosen,
    roles=JUDGES,
    actions=(Action.REPORT,),
    sealed=True,
    decide=_decide_choose,
    apply=_apply_choose,
)
START: Final = Kind(
    name="deck-check.start",
    arguments=DeckCheckNumber,
    fact=DeckCheckStarted,
    roles=JUDGES,
    decide=_decide_start,
    apply=_apply_start,
    in_public=nothing,
)
FINISH: Final = Kind(
    name="deck-check.finish",
    arguments=FinishDeckCheck,
    fact=DeckCheckFinished,
    roles=JUDGES,
    sealed=True,
    decide=_decide_finish,
    apply=_apply_finish,
    follows=extensions.follows,
)
AMEND: Final = Kind(
    name="deck-check.amend",
    arguments=AmendDeckCheck,
    fact=DeckCheckFinished,
    roles=JUDGES,
    sealed=True,
    decide=_decide_amend,
    apply=_apply_finish,
)
CALL_OFF: Final = Kind(
    name="deck-check.call-off",
    arguments=CallOffDeckCheck,
    fact=DeckCheckCalledOff,
    roles=JUDGES,
    sealed=True,
    decide=_decide_call_off,
    apply=_apply_call_off,
)
KINDS: Final = (DRAW, CHOOSE, START, FINISH, AMEND, CALL_OFF)


def load(session: Session, event: str, number: int) -> DeckCheckRow:
    """A deck check. Raises: DeckCheckNotFound."""
    row = store.find_deck_check(session, event, number)
    if row is None:
        raise DeckCheckNotFound(number)
    return row


def _unfinished(scene: Scene, number: int) -> DeckCheckRow:
    check = load(scene.session, scene.event.id, number)
    if check.finished_at is not None:
        raise DeckCheckRefused(number, f"{check.finished_by} finished it; amend it")
    return check
