"""Entries: who plays. Entered by staff, gone, and back."""

from typing import Final

from pydantic import Field
from sqlmodel import Session

from tournament import store
from tournament.domain.bracket import Leaving
from tournament.domain.lifecycle import Action
from tournament.domain.roles import Role
from tournament.errors import EntryNotFound, EventFull, NotPlaying, StillPlaying
from tournament.service import brackets
from tournament.service.commands import Arguments, Fact, Kind, Scene
from tournament.service.events import Name
from tournament.tables import EntryRow, EventRow, LogRow

MOST_NUMBER: Final = 1_000_000
"""Of entries, tables and rounds: far above any event, and what a database's integer holds."""
MOST_BYES: Final = 3
"""Source: Magic Tournament Rules, appendix E counts players with up to three awarded byes."""
_DESK: Final = frozenset({Role.ORGANIZER, Role.SCOREKEEPER, Role.DESK})


class Add(Arguments):
    """Enter a player. After the start of a round the player is late and plays from the next one on."""

    name: Name = Field(examples=["Ann Example"])
    fixed_table: int | None = Field(default=None, ge=1, le=MOST_NUMBER, description="for a player who needs one")
    awarded_byes: int = Field(default=0, ge=0, le=MOST_BYES, description="byes brought along, from round 1")


class Added(Fact):
    """A player is in."""

    entry: int
    name: str
    entered_in: int
    fixed_table: int | None
    awarded_byes: int


class Leave(Arguments):
    """A player leaves, or comes back."""

    entry: int = Field(ge=1, examples=[17])


class Left(Fact):
    """A player left after that round; 0 before the first."""

    entry: int
    dropped_after: int


class Returned(Fact):
    """A player is back."""

    entry: int


def _decide_add(scene: Scene, asked: Add) -> Added:
    event = scene.event
    if event.capacity is not None and store.entries_in(scene.session, event.id) >= event.capacity:
        raise EventFull(event.capacity)
    return Added(
        entry=store.last_entry(scene.session, event.id) + 1,
        name=asked.name,
        entered_in=store.last_published(scene.session, event.id) + 1,
        fixed_table=asked.fixed_table,
        awarded_byes=asked.awarded_byes,
    )


def _apply_add(session: Session, event: EventRow, row: LogRow, fact: Added) -> None:
    entry = EntryRow(
        event_id=event.id,
        number=fact.entry,
        name=fact.name,
        entered_at=row.at,
        entered_in=fact.entered_in,
        fixed_table=fact.fixed_table,
        awarded_byes=fact.awarded_byes,
    )
    store.add_entries(session, [entry])
    store.delete_drafts(session, event.id)


def _decide_drop(scene: Scene, asked: Leave) -> Left:
    entry = load(scene.session, scene.event.id, asked.entry)
    if entry.dropped_after is not None:
        raise NotPlaying(entry.number)
    return Left(entry=entry.number, dropped_after=store.last_published(scene.session, scene.event.id))


def _apply_drop(session: Session, event: EventRow, row: LogRow, fact: Left) -> None:
    load(session, event.id, fact.entry).dropped_after = fact.dropped_after
    store.delete_drafts(session, event.id)
    brackets.leave(session, event, row, fact.entry, Leaving.DROPPED)


def _decide_return(scene: Scene, asked: Leave) -> Returned:
    entry = load(scene.session, scene.event.id, asked.entry)
    if entry.disqualified:
        raise StillPlaying(entry.number, "who is disqualified stays out")
    if entry.dropped_after is None:
        raise StillPlaying(entry.number, "the player never left")
    return Returned(entry=entry.number)


def _apply_return(session: Session, event: EventRow, _: LogRow, fact: Returned) -> None:
    load(session, event.id, fact.entry).dropped_after = None
    store.delete_drafts(session, event.id)


ADD: Final = Kind(
    name="entry.add",
    arguments=Add,
    fact=Added,
    roles=_DESK,
    actions=(Action.ENTER, Action.ENTER_LATE),
    decide=_decide_add,
    apply=_apply_add,
)
DROP: Final = Kind(
    name="entry.drop",
    arguments=Leave,
    fact=Left,
    roles=_DESK | {Role.JUDGE},
    actions=(Action.DROP, Action.WITHDRAW),
    decide=_decide_drop,
    apply=_apply_drop,
)
RETURN: Final = Kind(
    name="entry.return",
    arguments=Leave,
    fact=Returned,
    roles=_DESK | {Role.JUDGE},
    actions=(Action.RETURN,),
    decide=_decide_return,
    apply=_apply_return,
)
KINDS: Final = (ADD, DROP, RETURN)


def load(session: Session, event: str, number: int) -> EntryRow:
    """An entry. Raises: EntryNotFound."""
    row = store.find_entry(session, event, number)
    if row is None:
        raise EntryNotFound(number)
    return row
