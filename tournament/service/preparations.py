"""What is still to be done before an event is published, opens, starts, and after it is over.

Nothing here forbids anything: what does is decided by the commands. It is the list that an organizer would write.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from sqlmodel import Session

from tournament import store
from tournament.domain.announcement import Decklist, Ownership, Registration
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role
from tournament.service import decklists, manifests
from tournament.service.names import alike
from tournament.service.nodes import Nodes
from tournament.tables import EventRow

LEAST_PLAYERS = 2
"""A round needs as many."""


class Stage(StrEnum):
    """Before what it is to be done."""

    PUBLISH = "publish"
    OPEN = "open"
    START = "start"
    END = "end"


class Need(StrEnum):
    """What is to be done."""

    DATE = "date"
    PLACE = "place"
    WORDS = "words"
    PUBLISHED = "published"
    CHAIN = "chain"
    PROMISE = "promise"
    HELPERS = "helpers"
    OPENED = "opened"
    PLAYERS = "players"
    LISTS = "lists"
    ALIKE = "alike"
    WAITING = "waiting"
    CHECKED_IN = "checked in"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the list."""

    stage: Stage
    need: Need
    is_done: bool
    must: bool
    """Without it the stage is refused, or has no players; otherwise it is advice."""
    count: int = 0
    """How many it is about."""
    words: str = ""
    """Why not, where the service knows more."""


_BEFORE_PLAY = (Phase.DRAFT, Phase.REGISTRATION, Phase.CHECK_IN)


def list_of(session: Session, event: EventRow, nodes: Nodes, now: str) -> list[Item]:
    """The list for an event as it stands; stages that are over are left out.

    Args:
        session: to ask.
        event: which.
        nodes: the chain, as this server sees it.
        now: the time, as the tables have it.
    """
    if event.phase in {Phase.VOID, Phase.FINISHED}:
        return []
    if event.phase not in _BEFORE_PLAY:
        return [Item(Stage.END, Need.FINISHED, is_done=False, must=True)]
    found = [*_to_publish(event)]
    if event.phase == Phase.DRAFT:
        found += _to_open(session, event, nodes, now)
    return [*found, *_to_start(session, event)]


def _to_publish(event: EventRow) -> Iterator[Item]:
    yield Item(Stage.PUBLISH, Need.DATE, event.starts_at is not None, must=False)
    yield Item(Stage.PUBLISH, Need.PLACE, bool(event.venue), must=False)
    yield Item(Stage.PUBLISH, Need.WORDS, bool(event.description), must=False)


def _to_open(session: Session, event: EventRow, nodes: Nodes, now: str) -> Iterator[Item]:
    yield Item(Stage.OPEN, Need.PUBLISHED, event.published, must=event.registration != Registration.STAFF)
    if event.ownership == Ownership.REQUIRED:
        needed = nodes.agree(event.quorum)
        yield Item(Stage.OPEN, Need.CHAIN, 1 <= needed <= nodes.count, must=True, count=needed)
        faults = manifests.unsaid(event, nodes, now)
        yield Item(Stage.OPEN, Need.PROMISE, not faults, must=True, words="; ".join(map(str, faults)))
    helpers = {row.account for row in store.staff_of(session, event.id) if row.role != Role.DISPLAY}
    yield Item(Stage.OPEN, Need.HELPERS, len(helpers) > 1, must=False)


def _to_start(session: Session, event: EventRow) -> Iterator[Item]:
    if event.phase == Phase.DRAFT:
        yield Item(Stage.START, Need.OPENED, is_done=False, must=True)
        return
    here = store.here_of(session, event.id)
    yield Item(Stage.START, Need.PLAYERS, len(here) >= LEAST_PLAYERS, must=True, count=len(here))
    if event.decklist == Decklist.REQUIRED:
        lacking = len(decklists.unlisted(session, event.id))
        yield Item(Stage.START, Need.LISTS, not lacking, must=True, count=lacking)
    if waiting := len(store.waiting_of(session, event.id)):
        yield Item(Stage.START, Need.WAITING, is_done=False, must=False, count=waiting)
    rows = [row for row in store.entries_of(session, event.id) if row.merged_into is None]
    if groups := len(list(alike((row.number, row.name) for row in rows))):
        yield Item(Stage.START, Need.ALIKE, is_done=False, must=False, count=groups)
    if event.phase == Phase.CHECK_IN:
        missing = sum(row.checked_in is None for row in here)
        yield Item(Stage.START, Need.CHECKED_IN, not missing, must=False, count=missing)
