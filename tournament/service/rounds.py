"""Rounds: paired as a draft, looked at, published, closed, and opened again."""

from typing import Final

from pydantic import BaseModel, ConfigDict, Field
from sqlmodel import Session

from tournament import store
from tournament.domain.errors import ResultsMissing
from tournament.domain.lifecycle import Action
from tournament.domain.model import Bye, Round, Seat
from tournament.domain.pairing import pair_round
from tournament.domain.pool import gather
from tournament.domain.presets import preset_named
from tournament.domain.roles import Role
from tournament.domain.standings import match_points_of
from tournament.errors import DraftMissing, RoundNotFound, TooFewPlayers
from tournament.service import decklists
from tournament.service.commands import Fact, Kind, Nothing, Scene
from tournament.tables import EventRow, LogRow, RoundRow, SeatRow

FEWEST: Final = 2
_SCOREKEEPERS: Final = frozenset({Role.ORGANIZER, Role.SCOREKEEPER})


class Seated(BaseModel):
    """A table with its two players, or a bye; players by their numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    first: int
    second: int | None = None
    table: int | None = None
    bye: str | None = None


class Paired(Fact):
    """The draft of a round, whole: it stays what it was when the pairing gets better one day."""

    round: int
    seats: list[Seated]


class Numbered(Fact):
    """The round that it happened to."""

    round: int = Field(ge=1)


def _decide_pair(scene: Scene, _: Nothing) -> Paired:
    session, event = scene.session, scene.event
    number = store.last_published(session, event.id) + 1
    players, rounds = store.players_of(session, event.id), store.rounds_of(session, event.id)
    points = match_points_of(players, rounds, preset_named(event.preset))
    decklists.check_listed(session, event, number)
    pool = gather(players, rounds, points, number=number, apart=store.apart_of(session, event.id))
    here = len(pool.points) + len(pool.awarded)
    if here < FEWEST:
        raise TooFewPlayers(here)
    return Paired(round=number, seats=[_seated(seat) for seat in pair_round(pool, event.draw).seats])


def _apply_pair(session: Session, event: EventRow, row: LogRow, fact: Paired) -> None:
    store.delete_drafts(session, event.id)
    seats = [
        SeatRow(
            event_id=event.id,
            round=fact.round,
            place=place,
            first=seat.first,
            second=seat.second,
            table_number=seat.table,
            bye=seat.bye,
        )
        for place, seat in enumerate(fact.seats, start=1)
    ]
    store.save_round(session, RoundRow(event_id=event.id, number=fact.round, paired_at=row.at), seats)


def _decide_publish(scene: Scene, _: Nothing) -> Numbered:
    number = store.last_published(scene.session, scene.event.id) + 1
    if store.find_round(scene.session, scene.event.id, number) is None:
        raise DraftMissing(number)
    return Numbered(round=number)


def _apply_publish(session: Session, event: EventRow, row: LogRow, fact: Numbered) -> None:
    load(session, event.id, fact.round).published_at = row.at


def _decide_close(scene: Scene, _: Nothing) -> Numbered:
    number = store.last_published(scene.session, scene.event.id)
    if playing := store.tables_playing(scene.session, scene.event.id, number):
        raise ResultsMissing(Action.CLOSE_ROUND, [(number, table) for table in playing])
    return Numbered(round=number)


def _apply_close(session: Session, event: EventRow, row: LogRow, fact: Numbered) -> None:
    load(session, event.id, fact.round).closed_at = row.at


def _decide_reopen(scene: Scene, _: Nothing) -> Numbered:
    return Numbered(round=store.last_published(scene.session, scene.event.id))


def _apply_reopen(session: Session, event: EventRow, _: LogRow, fact: Numbered) -> None:
    store.delete_drafts(session, event.id)
    load(session, event.id, fact.round).closed_at = None


PAIR: Final = Kind(
    name="round.pair",
    arguments=Nothing,
    fact=Paired,
    roles=_SCOREKEEPERS,
    actions=(Action.PAIR,),
    decide=_decide_pair,
    apply=_apply_pair,
)
PUBLISH: Final = Kind(
    name="round.publish",
    arguments=Nothing,
    fact=Numbered,
    roles=_SCOREKEEPERS,
    actions=(Action.START_ROUND,),
    decide=_decide_publish,
    apply=_apply_publish,
)
CLOSE: Final = Kind(
    name="round.close",
    arguments=Nothing,
    fact=Numbered,
    roles=_SCOREKEEPERS,
    actions=(Action.CLOSE_ROUND,),
    decide=_decide_close,
    apply=_apply_close,
)
REOPEN: Final = Kind(
    name="round.reopen",
    arguments=Nothing,
    fact=Numbered,
    roles=_SCOREKEEPERS,
    actions=(Action.REOPEN_ROUND,),
    decide=_decide_reopen,
    apply=_apply_reopen,
)
KINDS: Final = (PAIR, PUBLISH, CLOSE, REOPEN)


def load(session: Session, event: str, number: int) -> RoundRow:
    """A round, draft or not. Raises: RoundNotFound."""
    row = store.find_round(session, event, number)
    if row is None:
        raise RoundNotFound(number)
    return row


def with_seats(session: Session, event: str, number: int, *, staff: bool) -> tuple[RoundRow, Round]:
    """A round with its tables; a draft for staff only.

    Raises:
        RoundNotFound: no such round, or a draft.
    """
    row = load(session, event, number)
    if row.published_at is None and not staff:
        raise RoundNotFound(number)
    return row, store.rounds_of(session, event, only=number)[0]


def _seated(seat: Seat) -> Seated:
    if isinstance(seat, Bye):
        return Seated(first=int(seat.player), bye=seat.kind.value)
    return Seated(first=int(seat.first), second=int(seat.second), table=seat.table)
