"""Players whom the organizer keeps apart: a family, a club. A round seats them together only if it must."""

from typing import Final

from pydantic import Field, model_validator
from sqlmodel import Session

from tournament import store
from tournament.domain.roles import SCOREKEEPERS
from tournament.errors import ApartNotFound, TooManyApart
from tournament.service.commands import Already, Arguments, Fact, Kind, Scene
from tournament.service.entries import MOST_NUMBER, load_own
from tournament.tables import EventRow, LogRow

MOST_APART: Final = 10_000
"""Pairs: a club of 140 that keeps all its members apart."""


class PairApart(Arguments):
    """Two players."""

    one: int = Field(ge=1, le=MOST_NUMBER, examples=[17])
    other: int = Field(ge=1, le=MOST_NUMBER, examples=[23])

    @model_validator(mode="after")
    def _two(self) -> "PairApart":
        if self.one == self.other:
            raise ValueError("a player is not kept apart from oneself")
        return self


class Parted(Fact):
    """The pair, the smaller number first."""

    one: int
    other: int


def _decide_add(scene: Scene, asked: PairApart) -> Parted | Already:
    one, other = sorted(load_own(scene, number).number for number in (asked.one, asked.other))
    if (known := store.find_apart(scene.session, scene.event.id, one, other)) is not None:
        return Already(known.since)
    if store.apart_in(scene.session, scene.event.id) >= MOST_APART:
        raise TooManyApart(MOST_APART)
    return Parted(one=one, other=other)


def _apply_add(session: Session, event: EventRow, row: LogRow, fact: Parted) -> None:
    store.add_apart(session, event.id, [(fact.one, fact.other)], row.sequence)
    store.delete_drafts(session, event.id)


def _decide_remove(scene: Scene, asked: PairApart) -> Parted:
    if store.find_apart(scene.session, scene.event.id, asked.one, asked.other) is None:
        raise ApartNotFound(asked.one, asked.other)
    return Parted(one=min(asked.one, asked.other), other=max(asked.one, asked.other))


def _apply_remove(session: Session, event: EventRow, row: LogRow, fact: Parted) -> None:
    was_paired = store.last_published(session, event.id) > 0
    store.delete_apart(session, event.id, [(fact.one, fact.other)], until=row.sequence if was_paired else None)
    store.delete_drafts(session, event.id)


ADD: Final = Kind(
    name="apart.add", arguments=PairApart, fact=Parted, roles=SCOREKEEPERS, decide=_decide_add, apply=_apply_add
)
REMOVE: Final = Kind(
    name="apart.remove",
    arguments=PairApart,
    fact=Parted,
    roles=SCOREKEEPERS,
    decide=_decide_remove,
    apply=_apply_remove,
)
KINDS: Final = (ADD, REMOVE)
