"""Merging: two entries of one person become one; the other is void, and the log says into which it went."""

from typing import Final

from pydantic import Field
from sqlmodel import Session

from tournament import store
from tournament.domain.roles import SCOREKEEPERS
from tournament.errors import MergeRefused
from tournament.service import places
from tournament.service.commands import Arguments, Fact, Kind, Scene
from tournament.service.entries import MOST_NUMBER, load, load_own
from tournament.tables import EntryRow, EventRow, LogRow


class Merge(Arguments):
    """Two entries of one person."""

    entry: int = Field(ge=1, le=MOST_NUMBER, description="the one that stays", examples=[17])
    void: int = Field(
        ge=1, le=MOST_NUMBER, description="the one that becomes part of it; it has not played, and is not in the cut"
    )


class Merged(Fact):
    """One entry, with what it takes from the other: whatever it had not itself."""

    entry: int
    void: int
    fixed_table: int | None
    awarded_byes: int
    entered_in: int
    dropped_after: int | None
    waiting: int | None
    checked_in: int | None
    takes_deck: bool
    promoted: list[int]


def _decide(scene: Scene, asked: Merge) -> Merged:
    kept, void = load_own(scene, asked.entry), load_own(scene, asked.void)
    if why := _against(scene, kept, void):
        raise MergeRefused(kept.number, void.number, why)
    with_place = [row for row in (kept, void) if row.dropped_after is None and row.waiting is None]
    in_line = [row.waiting for row in (kept, void) if row.dropped_after is None and row.waiting is not None]
    is_in = bool(with_place or in_line)
    has_played = bool(store.seated_before(scene.session, scene.event.id, [kept.number]))
    checked = [row.checked_in for row in (kept, void) if row.checked_in is not None]
    return Merged(
        entry=kept.number,
        void=void.number,
        fixed_table=kept.fixed_table or void.fixed_table,
        awarded_byes=kept.awarded_byes if has_played else max(kept.awarded_byes, void.awarded_byes),
        entered_in=kept.entered_in if has_played else min(kept.entered_in, void.entered_in),
        dropped_after=None if is_in else kept.dropped_after,
        waiting=None if with_place else min(in_line, default=kept.waiting),
        checked_in=min(checked, default=None),
        takes_deck=_counts(scene, void) and not _counts(scene, kept),
        promoted=_freed(scene, with_place),
    )


def _freed(scene: Scene, with_place: list[EntryRow]) -> list[int]:
    """Two places become one."""
    if len(with_place) <= 1:
        return []
    return places.gained(scene, left=len(with_place) - 1, capacity=scene.event.capacity)


def _against(scene: Scene, kept: EntryRow, void: EntryRow) -> str | None:
    if kept.number == void.number:
        return "they are the same"
    if out := [row.number for row in (kept, void) if row.disqualified]:
        return f"number {out[0]} is disqualified"
    if store.seated_before(scene.session, scene.event.id, [void.number]):
        said = f"number {void.number} has played or is in the cut"
        return f"{said}; if number {kept.number} has not, merge it the other way round"
    return None


def _counts(scene: Scene, row: EntryRow) -> bool:
    deck = store.find_deck(scene.session, scene.event.id, row.number)
    return deck is not None and (deck.commitment is not None or deck.waived is not None)


def _apply(session: Session, event: EventRow, row: LogRow, fact: Merged) -> None:
    kept, void = load(session, event.id, fact.entry), load(session, event.id, fact.void)
    for column in ("fixed_table", "awarded_byes", "entered_in", "dropped_after", "waiting", "checked_in"):
        setattr(kept, column, getattr(fact, column))
    void.merged_into = kept.number
    if fact.takes_deck:
        store.move_deck(session, event.id, void.number, to=kept.number)
    store.move_wallets(session, event.id, void.number, to=kept.number)
    store.move_judging(session, event.id, void.number, to=kept.number)
    store.move_scans(session, event.id, void.number, to=kept.number)
    _move_apart(session, event, row, fact)
    places.give(session, event, fact.promoted)
    store.delete_drafts(session, event.id)


def _move_apart(session: Session, event: EventRow, row: LogRow, fact: Merged) -> None:
    """Whoever is kept apart from the one is kept apart from the other."""
    pairs = {(pair.one, pair.other) for pair in store.apart_rows(session, event.id)}
    of_void = {pair for pair in pairs if fact.void in pair}
    others = {one + other - fact.void for one, other in of_void} - {fact.entry}
    moved = {(min(fact.entry, other), max(fact.entry, other)) for other in others}
    was_paired = store.last_published(session, event.id) > 0
    store.delete_apart(session, event.id, of_void, until=row.sequence if was_paired else None)
    store.add_apart(session, event.id, sorted(moved - pairs), row.sequence)


MERGE: Final = Kind(
    name="entry.merge",
    arguments=Merge,
    fact=Merged,
    roles=SCOREKEEPERS,
    decide=_decide,
    apply=_apply,
)
KINDS: Final = (MERGE,)
