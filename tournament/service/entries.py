"""Entries: who plays. Entered by staff, corrected, gone, back, and given a place that somebody left."""

import json
from typing import ClassVar, Final

from pydantic import Field
from sqlmodel import Session

from tournament import store
from tournament.domain.bracket import Leaving
from tournament.domain.lifecycle import Action
from tournament.domain.roles import Role
from tournament.errors import (
    EntryErased,
    EntryNotFound,
    EntryVoid,
    EventFull,
    NotPlaying,
    NotWaiting,
    NotYourEntry,
    NotYours,
    RoundsBegun,
    StillPlaying,
)
from tournament.service import brackets, places
from tournament.service.beside import ENTRY, Kept, Place, nameless, numbered
from tournament.service.commands import Arguments, Fact, Kind, Scene
from tournament.service.names import PlayerName
from tournament.tables import EntryRow, EventRow, LogRow

MOST_NUMBER: Final = 1_000_000
"""Of entries, tables and rounds: far above any event, and what a database's integer holds."""
MOST_BYES: Final = 3
"""Source: Magic Tournament Rules, appendix E counts players with up to three awarded byes."""
ENTERING: Final = ("entry.add", "entry.register", "entry.import")
"""Kinds of commands that give numbers; their facts have `entry`, or `first` and `players`."""
DESK: Final = frozenset({Role.ORGANIZER, Role.SCOREKEEPER, Role.DESK})
"""Who enters players, and may know their codes."""
ITS_NAME: Final = Place(path=("name",), of=numbered(ENTRY), gone=nameless)
"""Where the fact of an entry has the name."""


class Add(Arguments):
    """Enter a player. After the start of a round the player is late and plays from the next one on."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"name"})

    name: PlayerName = Field(examples=["Ann Example"])
    fixed_table: int | None = Field(default=None, ge=1, le=MOST_NUMBER, description="for a player who needs one")
    awarded_byes: int = Field(default=0, ge=0, le=MOST_BYES, description="byes brought along, from round 1")


class Added(Fact):
    """A player is in, or waits for a place."""

    beside: ClassVar[tuple[Place, ...]] = (ITS_NAME,)

    entry: int
    name: Kept
    entered_in: int
    fixed_table: int | None
    awarded_byes: int
    waiting: bool = False


class Corrections(Arguments):
    """What of an entry changes; what is not named stays."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"name"})

    name: PlayerName | None = Field(default=None, examples=["Ann Example"])
    fixed_table: int | None = Field(default=None, ge=1, le=MOST_NUMBER, description="null takes it away")
    awarded_byes: int | None = Field(default=None, ge=0, le=MOST_BYES, description="before round 1 only")


class Edit(Corrections):
    """Correct an entry."""

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])


class EntryEdited(Fact):
    """What the entry says now."""

    beside: ClassVar[tuple[Place, ...]] = (ITS_NAME,)

    entry: int
    name: Kept
    fixed_table: int | None
    awarded_byes: int


class Leave(Arguments):
    """The entry that it is about."""

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])


class Return(Leave):
    """Take a player back."""

    even_so: bool = Field(
        default=False,
        exclude_if=lambda said: said is False,
        description="also beyond the capacity, by the word of an organizer",
    )


class Left(Fact):
    """A player left after that round; 0 before the first."""

    entry: int
    dropped_after: int
    promoted: list[int] = Field(default=[], description="who got the place")


class Returned(Fact):
    """A player is back, or waits for a place again."""

    entry: int
    waiting: bool = False
    beyond: int | None = Field(default=None, description="the capacity that is exceeded by it, on purpose")


class Promoted(Fact):
    """A player who waited has a place, from that round on."""

    entry: int
    entered_in: int


def _decide_add(scene: Scene, asked: Add) -> Added:
    return Added(
        entry=next_number(scene.session, scene.event.id),
        name=asked.name,
        entered_in=store.last_published(scene.session, scene.event.id) + 1,
        fixed_table=asked.fixed_table,
        awarded_byes=asked.awarded_byes,
        waiting=places.must_wait(scene),
    )


def apply_add(session: Session, event: EventRow, row: LogRow, fact: Added) -> None:
    """Put the entry into the tables."""
    entry = EntryRow(
        event_id=event.id,
        number=fact.entry,
        name=fact.name,
        entered_at=row.at,
        entered_in=fact.entered_in,
        fixed_table=fact.fixed_table,
        awarded_byes=fact.awarded_byes,
        waiting=row.sequence if fact.waiting else None,
    )
    store.add_entries(session, [entry])
    store.delete_drafts(session, event.id)


def _decide_edit(scene: Scene, asked: Edit) -> EntryEdited:
    entry = load_own(scene, asked.entry)
    named = asked.model_dump(exclude={"reason", "entry"}, exclude_unset=True)
    for column in ("name", "awarded_byes"):
        if named.get(column, 0) is None:
            del named[column]
    has_begun = store.last_published(scene.session, scene.event.id) > 0
    if scene.player is not None and named.keys() - {"name"}:
        raise NotYours("changing a fixed table or awarded byes", sorted(DESK))
    if scene.player is not None and has_begun:
        raise RoundsBegun("a player no longer corrects the own name")
    if has_begun and named.get("awarded_byes", entry.awarded_byes) != entry.awarded_byes:
        raise RoundsBegun("awarded byes no longer change")
    known = {name: getattr(entry, name) for name in ("name", "fixed_table", "awarded_byes")}
    return EntryEdited(entry=entry.number, **known | named)


def _apply_edit(session: Session, event: EventRow, _: LogRow, fact: EntryEdited) -> None:
    entry = load(session, event.id, fact.entry)
    seats_change = (entry.fixed_table, entry.awarded_byes) != (fact.fixed_table, fact.awarded_byes)
    entry.name, entry.fixed_table, entry.awarded_byes = fact.name, fact.fixed_table, fact.awarded_byes
    if seats_change:
        store.delete_drafts(session, event.id)


def _decide_drop(scene: Scene, asked: Leave) -> Left:
    entry = load_own(scene, asked.entry)
    if entry.dropped_after is not None:
        raise NotPlaying(entry.number)
    return Left(
        entry=entry.number,
        dropped_after=store.last_published(scene.session, scene.event.id),
        promoted=freed_by(scene, entry),
    )


def _apply_drop(session: Session, event: EventRow, row: LogRow, fact: Left) -> None:
    load(session, event.id, fact.entry).dropped_after = fact.dropped_after
    places.give(session, event, fact.promoted)
    store.delete_drafts(session, event.id)
    brackets.leave(session, event, row, fact.entry, Leaving.DROPPED)


def _decide_return(scene: Scene, asked: Return) -> Returned:
    """Before the start whoever finds no place waits for one, last in line; after it nobody is put in line any more."""
    entry = load_own(scene, asked.entry)
    if entry.disqualified:
        raise StillPlaying(entry.number, "who is disqualified stays out")
    if entry.dropped_after is None:
        raise StillPlaying(entry.number, "the player never left")
    has_begun = store.last_published(scene.session, scene.event.id) > 0
    if has_begun and entry.waiting is not None:
        return Returned(entry=entry.number, waiting=True)
    if places.free(scene.session, scene.event):
        return Returned(entry=entry.number)
    if asked.even_so:
        if Role.ORGANIZER not in store.roles_of(scene.session, scene.event.id, scene.actor):
            raise NotYours("taking a player back beyond the capacity", [Role.ORGANIZER])
        return Returned(entry=entry.number, beyond=scene.event.capacity)
    if has_begun:
        raise EventFull(scene.event.capacity or 0, "an organizer may take the player back `even_so`")
    return Returned(entry=entry.number, waiting=places.must_wait(scene))


def _apply_return(session: Session, event: EventRow, row: LogRow, fact: Returned) -> None:
    entry = load(session, event.id, fact.entry)
    entry.dropped_after, entry.waiting = None, row.sequence if fact.waiting else None
    store.delete_drafts(session, event.id)


def _decide_promote(scene: Scene, asked: Leave) -> Promoted:
    entry = load_own(scene, asked.entry)
    if entry.waiting is None or entry.dropped_after is not None:
        raise NotWaiting(entry.number)
    if not places.free(scene.session, scene.event):
        raise EventFull(scene.event.capacity or 0)
    return Promoted(entry=entry.number, entered_in=store.last_published(scene.session, scene.event.id) + 1)


def _apply_promote(session: Session, event: EventRow, _: LogRow, fact: Promoted) -> None:
    entry = load(session, event.id, fact.entry)
    entry.waiting, entry.entered_in = None, fact.entered_in
    store.delete_drafts(session, event.id)


ADD: Final = Kind(
    name="entry.add",
    arguments=Add,
    fact=Added,
    roles=DESK,
    actions=(Action.ENTER, Action.ENTER_LATE),
    decide=_decide_add,
    apply=apply_add,
)
EDIT: Final = Kind(
    name="entry.edit",
    arguments=Edit,
    fact=EntryEdited,
    roles=DESK | {Role.PLAYER},
    decide=_decide_edit,
    apply=_apply_edit,
)
DROP: Final = Kind(
    name="entry.drop",
    arguments=Leave,
    fact=Left,
    roles=DESK | {Role.JUDGE, Role.PLAYER},
    actions=(Action.DROP, Action.WITHDRAW),
    decide=_decide_drop,
    apply=_apply_drop,
)
RETURN: Final = Kind(
    name="entry.return",
    arguments=Return,
    fact=Returned,
    roles=DESK | {Role.JUDGE},
    actions=(Action.RETURN,),
    decide=_decide_return,
    apply=_apply_return,
)
PROMOTE: Final = Kind(
    name="entry.promote",
    arguments=Leave,
    fact=Promoted,
    roles=DESK,
    actions=(Action.ENTER, Action.ENTER_LATE),
    decide=_decide_promote,
    apply=_apply_promote,
)
KINDS: Final = (ADD, EDIT, DROP, RETURN, PROMOTE)


def load(session: Session, event: str, number: int) -> EntryRow:
    """An entry. Raises: EntryNotFound."""
    row = store.find_entry(session, event, number)
    if row is None:
        raise EntryNotFound(number)
    return row


def load_own(scene: Scene, number: int) -> EntryRow:
    """An entry that the actor may change: any for staff, the own one for a player.

    Raises:
        NotYourEntry: a player asks about another one.
        EntryNotFound: no such entry.
        EntryVoid: it became part of another one.
        EntryErased: nothing is left of it that could change.
    """
    if scene.player not in {None, number}:
        raise NotYourEntry(number, scene.player or 0)
    row = load(scene.session, scene.event.id, number)
    if row.merged_into is not None:
        raise EntryVoid(number, row.merged_into)
    require_kept(row)
    return row


def require_kept(row: EntryRow) -> None:
    """Refuse to add to what was erased. Raises: EntryErased."""
    if row.erased is not None:
        raise EntryErased(row.number)


def next_number(session: Session, event: str) -> int:
    """The number of the next entry.

    A number is given once, even if the command that gave it has no effect any more: whoever has the code of the first
    entry must not act for the second.
    """
    latest = store.latest_of(session, event, ENTERING)
    said = {} if latest is None else json.loads(latest.fact)
    given: int = said["first"] + len(said["players"]) - 1 if "players" in said else said.get("entry", 0)
    return max(given, store.last_entry(session, event)) + 1


def freed_by(scene: Scene, leaver: EntryRow) -> list[int]:
    """Who gets the place of somebody who leaves."""
    if leaver.waiting is not None or leaver.dropped_after is not None:
        return []
    return places.gained(scene, left=1, capacity=scene.event.capacity)
