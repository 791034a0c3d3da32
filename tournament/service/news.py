"""News: what a command did to an event, in words that its reader may have.

They are made of the row of the log and nothing else, so they can be told again at any time: to somebody who was away,
or to a webhook whose receiver was. A command that `TOLD` does not name is told to staff only, as `other`, with none of
its fact: so a new command gives nothing away before somebody says here what the public may learn of it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field
from sqlmodel import Session

from tournament import store
from tournament.domain.lifecycle import Phase
from tournament.store import LogLine


class Topic(StrEnum):
    """What the news are about, so that a reader knows what to look at again."""

    EVENT = "event"
    """What is announced, or the phase."""
    ENTRIES = "entries"
    """Who is in, and how many."""
    ROUND_PUBLISHED = "round.published"
    """A new round: everybody has a table or a bye."""
    ROUND = "round"
    """Something else about a published round: closed, opened again, other tables."""
    RESULT = "result"
    """A table has a result."""
    CORRECTION = "correction"
    """A table has another result than before."""
    STANDINGS = "standings"
    """The published standings may have changed."""
    CLOCK = "clock"
    """The clock of the round, or the time of a table."""
    CUT = "cut"
    """The cut: its seeds, its bracket."""
    FINISHED = "finished"
    """The event is over; the standings are final."""
    DRAFT = "draft"
    """A round that is not published. For staff."""
    STAFF = "staff"
    """Who may do what. For staff."""
    OTHER = "other"
    """Something else. For staff."""
    RELOAD = "reload"
    """Whatever you know is too old to be told what changed; look at everything again."""


class News(BaseModel):
    """What happened to an event. Fields that do not apply are left out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    event: str = Field(examples=["k3v7qzj2m5xa"])
    version: int = Field(examples=[17], description="of the event after it; the ETag of all that you may look at")
    topics: list[Topic] = Field(examples=[["result"]], description="what to look at again")
    at: str | None = Field(default=None, examples=["2026-01-31T09:30:00.000000Z"])
    phase: Phase | None = Field(default=None, description="of the event after it")
    round: int | None = Field(default=None, examples=[3])
    table: int | None = Field(default=None, examples=[12])
    games: dict[str, Any] | None = Field(default=None, description="the result that counts from now on")
    entry: int | None = Field(default=None, examples=[17], description="the number of the player it is about")
    players: int | None = Field(default=None, examples=[64], description="how many are in, at the time of telling")
    command: str | None = Field(default=None, examples=["round.pair"], description="for staff")
    actor: str | None = Field(default=None, examples=["ann"], description="for staff")


@dataclass(frozen=True, slots=True)
class Telling:
    """What is told of a kind of command."""

    topics: tuple[Topic, ...]
    fields: tuple[str, ...] = ()
    """Of its fact; the others are not told."""
    public: bool = True
    """False: to staff only."""


_EVENT: Final = Telling((Topic.EVENT,))
_ENTRY: Final = Telling((Topic.ENTRIES,), ("entry",))
_ROUND: Final = Telling((Topic.ROUND, Topic.STANDINGS), ("round",))
_STAFF: Final = Telling((Topic.STAFF,), public=False)
_OTHER: Final = Telling((Topic.OTHER,), public=False)
TOLD: Final[Mapping[str, Telling]] = {
    "event.create": _EVENT,
    "event.edit": _EVENT,
    "event.publish": _EVENT,
    "registration.open": _EVENT,
    "registration.close": _EVENT,
    "registration.reopen": _EVENT,
    "event.finish": Telling((Topic.FINISHED, Topic.EVENT)),
    "event.void": _EVENT,
    "staff.grant": _STAFF,
    "staff.revoke": _STAFF,
    "entry.add": _ENTRY,
    "entry.drop": _ENTRY,
    "entry.return": _ENTRY,
    "round.pair": Telling((Topic.DRAFT,), ("round",), public=False),
    "round.publish": Telling((Topic.ROUND_PUBLISHED, Topic.EVENT), ("round",)),
    "round.close": _ROUND,
    "round.reopen": _ROUND,
    "result.report": Telling((Topic.RESULT,), ("round", "table", "games")),
    "result.correct": Telling((Topic.CORRECTION, Topic.STANDINGS), ("round", "table", "games")),
    "webhook.add": _STAFF,
    "webhook.remove": _STAFF,
    "webhook.rotate": _STAFF,
}
"""By the name of the command. A row is as lasting as the command: what was told once is told like that again."""
ENDS_STAFF: Final = frozenset({"staff.revoke"})
"""After these, what a reader may see is to be found out anew."""
_WITH_FACTS: Final = tuple(name for name, telling in TOLD.items() if telling.fields)


def read_since(session: Session, event: str, version: int, *, limit: int) -> list[LogLine]:
    """So many lines of the log after that version, with the facts that are told."""
    return store.log_lines(session, event, after=version, limit=limit, with_facts_of=_WITH_FACTS)


def told(event: str, line: LogLine, *, is_staff: bool, players: int | None = None) -> News | None:
    """The news of a line for staff, or for everybody else; None: it is none of their business.

    Args:
        event: its id.
        line: of its log.
        is_staff: who reads.
        players: how many are in; told where it may have changed.
    """
    telling = TOLD.get(line.name, _OTHER)
    if not (telling.public or is_staff):
        return None
    fact: dict[str, Any] = json.loads(line.fact) if telling.fields else {}
    return News(
        event=event,
        version=line.sequence,
        topics=list(telling.topics),
        at=line.at,
        phase=Phase(line.phase),
        players=players if Topic.ENTRIES in telling.topics else None,
        command=line.name if is_staff else None,
        actor=line.actor if is_staff else None,
        **{name: fact.get(name) for name in telling.fields},
    )


def counts(lines: list[LogLine]) -> bool:
    """Whether any of them changed who is in."""
    return any(Topic.ENTRIES in TOLD.get(line.name, _OTHER).topics for line in lines)


def id_of(version: int, head: str) -> str:
    """What a reader says to be told the rest: the version, and the beginning of its row's hash.

    Versions come from the log and outlive the server; the hash tells another history of the same length, as after a
    restored backup.
    """
    return f"{version}-{head[:ID_DIGITS]}"


ID_DIGITS: Final = 8
