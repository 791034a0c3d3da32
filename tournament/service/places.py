"""Places of an event: how many there are, who has one, and who waits for one."""

from collections.abc import Collection
from typing import Final

from sqlmodel import Session

from tournament import store
from tournament.errors import EventFull
from tournament.service.commands import Scene
from tournament.tables import EventRow

_UNLIMITED: Final = 1 << 40


def free(session: Session, event: EventRow) -> int:
    """How many more may enter; none below zero, and very many where there is no capacity."""
    return _UNLIMITED if event.capacity is None else max(0, event.capacity - store.entries_in(session, event.id))


def must_wait(scene: Scene) -> bool:
    """Whether one more player has to wait.

    Raises:
        EventFull: no place is free, and nobody may wait.
    """
    if free(scene.session, scene.event):
        return False
    if not scene.event.waitlist:
        raise EventFull(scene.event.capacity or 0)
    return True


def gained(scene: Scene, *, left: int = 0, capacity: int | None = None) -> list[int]:
    """Who gets a place because so many leave, or because there are more places: those who wait longest.

    Nobody after the first round began: a place in a later round is worth less, and its holder has gone home.

    Args:
        scene: before the change.
        left: players with a place who leave.
        capacity: of the event after the change; None for any number.
    """
    event = scene.event
    if store.last_published(scene.session, event.id):
        return []
    if capacity is None:
        return list(store.waiting_of(scene.session, event.id))
    room = capacity - store.entries_in(scene.session, event.id) + left
    return list(store.waiting_of(scene.session, event.id, limit=room)) if room > 0 else []


def give(session: Session, event: EventRow, numbers: Collection[int]) -> None:
    """They have a place from now on."""
    for row in store.entries_numbered(session, event.id, numbers):
        row.waiting = None
