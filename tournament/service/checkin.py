"""Check-in: who is here. Whoever is not when the first round is seated has not come."""

from typing import Final

from pydantic import Field
from sqlmodel import Session

from tournament import store
from tournament.domain.lifecycle import Action
from tournament.domain.roles import SCOREKEEPERS, Role
from tournament.errors import NobodyCheckedIn, NotCheckedIn, NotPlaying
from tournament.service import places
from tournament.service.commands import Already, Arguments, Fact, Kind, Scene
from tournament.service.entries import DESK, Leave, load, load_own
from tournament.tables import EventRow, LogRow


class CheckMarked(Fact):
    """The entry that is here, or is not here after all."""

    entry: int


class SeatAll(Arguments):
    """Go on with whoever is here."""

    without_list: bool = Field(
        default=False, description="also drop who has no legal decklist, if the event requires one"
    )


class SeatedAll(Fact):
    """Who plays the first round: whoever is neither dropped here nor was before."""

    dropped: list[int] = Field(description="who had a place and is not here, or has no list")
    promoted: list[int] = Field(description="who waited, is here, and has a place now")
    playing: int = Field(description="how many play")


def planned(session: Session, event: EventRow, asked: SeatAll) -> SeatedAll:
    """What seating would do now."""
    here = store.here_of(session, event.id)
    absent = [row.number for row in here if row.checked_in is None]
    if asked.without_list and event.decklist == "required":
        absent = sorted({*absent, *(row.number for row, _ in store.without_list(session, event.id))})
    staying = len(here) - len(absent)
    waiting = [row.number for row in store.waiting_rows(session, event.id) if row.checked_in is not None]
    if event.capacity is not None:
        waiting = waiting[: max(0, event.capacity - staying)]
    return SeatedAll(dropped=absent, promoted=waiting, playing=staying + len(waiting))


def _decide_in(scene: Scene, asked: Leave) -> CheckMarked | Already:
    entry = load_own(scene, asked.entry)
    if entry.dropped_after is not None:
        raise NotPlaying(entry.number)
    if entry.checked_in is not None:
        return Already(entry.checked_in)
    return CheckMarked(entry=entry.number)


def _apply_in(session: Session, event: EventRow, row: LogRow, fact: CheckMarked) -> None:
    load(session, event.id, fact.entry).checked_in = row.sequence


def _decide_out(scene: Scene, asked: Leave) -> CheckMarked:
    entry = load_own(scene, asked.entry)
    if entry.checked_in is None:
        raise NotCheckedIn(entry.number)
    return CheckMarked(entry=entry.number)


def _apply_out(session: Session, event: EventRow, _: LogRow, fact: CheckMarked) -> None:
    load(session, event.id, fact.entry).checked_in = None


def _decide_seat(scene: Scene, asked: SeatAll) -> SeatedAll:
    plan = planned(scene.session, scene.event, asked)
    if not plan.playing:
        raise NobodyCheckedIn(len(plan.dropped))
    return plan


def _apply_seat(session: Session, event: EventRow, _: LogRow, fact: SeatedAll) -> None:
    for entry in store.entries_numbered(session, event.id, fact.dropped):
        entry.dropped_after = 0
    places.give(session, event, fact.promoted)
    store.delete_drafts(session, event.id)


CHECK_IN: Final = Kind(
    name="entry.check-in",
    arguments=Leave,
    fact=CheckMarked,
    roles=DESK | {Role.JUDGE},
    actions=(Action.CHECK_IN,),
    decide=_decide_in,
    apply=_apply_in,
)
CHECK_OUT: Final = Kind(
    name="entry.check-out",
    arguments=Leave,
    fact=CheckMarked,
    roles=DESK | {Role.JUDGE},
    actions=(Action.CHECK_IN,),
    decide=_decide_out,
    apply=_apply_out,
)
SEAT_ALL: Final = Kind(
    name="entry.seat-all",
    arguments=SeatAll,
    fact=SeatedAll,
    roles=SCOREKEEPERS,
    actions=(Action.CHECK_IN,),
    decide=_decide_seat,
    apply=_apply_seat,
)
KINDS: Final = (CHECK_IN, CHECK_OUT, SEAT_ALL)
