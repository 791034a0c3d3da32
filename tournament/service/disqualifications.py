"""Disqualification: out of the event and of its standings; and what of it can be taken back.

Who is disqualified during a match has lost it; a match that is over keeps its result.
Source: Infraction Procedure Guide 1.1 (disqualification), Magic Tournament Rules 2.4 (a match that a judge ends).
"""

from typing import Final

from pydantic import BaseModel, ConfigDict, Field
from sqlmodel import Session

from tournament import store
from tournament.domain.bracket import Leaving
from tournament.domain.lifecycle import Action
from tournament.domain.model import Ending
from tournament.domain.roles import ORGANIZERS, Role
from tournament.errors import AlreadyDisqualified, NotDisqualified
from tournament.service import brackets, places, results
from tournament.service.commands import Fact, Kind, Scene, WithReason
from tournament.service.entries import MOST_NUMBER, freed_by, load, load_own
from tournament.tables import EventRow, LogRow

_JUDGES: Final = frozenset({Role.ORGANIZER, Role.JUDGE})


class Disqualify(WithReason):
    """The entry, and why."""

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])


class Lost(BaseModel):
    """The match that was running, as the opponent won it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    round: int
    table: int
    first: int
    second: int
    drawn: int
    ending: Ending


class Disqualified(Fact):
    """The player is out after that round."""

    entry: int
    dropped_after: int
    lost: Lost | None
    promoted: list[int]


class Reinstated(Fact):
    """The disqualification is taken back; the player has dropped, and may return."""

    entry: int


def _decide(scene: Scene, asked: Disqualify) -> Disqualified:
    entry = load_own(scene, asked.entry)
    if entry.disqualified:
        raise AlreadyDisqualified(entry.number)
    last = store.last_published(scene.session, scene.event.id)
    return Disqualified(
        entry=entry.number,
        dropped_after=last if entry.dropped_after is None else entry.dropped_after,
        lost=_lost(scene, entry.number),
        promoted=freed_by(scene, entry),
    )


def _lost(scene: Scene, entry: int) -> Lost | None:
    """The player's match of the running round, if it has no result."""
    if (lost := results.lost_by(scene.session, scene.event, entry)) is None:
        return None
    seat, games = lost
    return Lost(round=seat.round, table=seat.table_number or 0, **games.model_dump())


def _apply(session: Session, event: EventRow, row: LogRow, fact: Disqualified) -> None:
    entry = load(session, event.id, fact.entry)
    entry.disqualified, entry.dropped_after = True, fact.dropped_after
    if fact.lost is not None:
        lost = fact.lost
        games = results.Games(first=lost.first, second=lost.second, drawn=lost.drawn, ending=lost.ending)
        results.put(session, event.id, lost.round, {lost.table: games}, row.sequence)
    places.give(session, event, fact.promoted)
    store.delete_drafts(session, event.id)
    brackets.leave(session, event, row, fact.entry, Leaving.DISQUALIFIED)


def _decide_reinstate(scene: Scene, asked: Disqualify) -> Reinstated:
    entry = load_own(scene, asked.entry)
    if not entry.disqualified:
        raise NotDisqualified(entry.number)
    return Reinstated(entry=entry.number)


def _apply_reinstate(session: Session, event: EventRow, row: LogRow, fact: Reinstated) -> None:
    load(session, event.id, fact.entry).disqualified = False
    brackets.reinstate(session, event, row, fact.entry)


DISQUALIFY: Final = Kind(
    name="entry.disqualify",
    arguments=Disqualify,
    fact=Disqualified,
    roles=_JUDGES,
    actions=(Action.PENALISE, Action.WITHDRAW),
    decide=_decide,
    apply=_apply,
)
REINSTATE: Final = Kind(
    name="entry.reinstate",
    arguments=Disqualify,
    fact=Reinstated,
    roles=ORGANIZERS,
    decide=_decide_reinstate,
    apply=_apply_reinstate,
)
KINDS: Final = (DISQUALIFY, REINSTATE)
