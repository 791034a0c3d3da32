"""News: what a command did to an event, in words that its reader may have.

They are made of the row of the log and nothing else, so they can be told again at any time: to somebody who was away,
or to a webhook whose receiver was. A command that `TOLD` does not name is told to staff only, as `other`, with none of
its fact: so a new command gives nothing away before somebody says here what the public may learn of it.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field
from sqlmodel import Session

from tournament import store
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import INSIDERS, Role
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
    DECKS = "decks"
    """A list was handed in, locked or opened again; who may see what is not told."""
    CLAIMS = "claims"
    """What players say their table came to, while it is no result. For staff and the two of the table."""
    JUDGES = "judges"
    """Calls, penalties, deck checks, notes. For staff, and the player who is meant."""
    PASSES = "passes"
    """Passes, keys, desks, and who came in by what. For the desk, and the player who is meant."""
    OWNERSHIP = "ownership"
    """An epoch was opened or read; who has which cards is not told."""
    ALERTS = "alerts"
    """Cards left a wallet in which they are set aside, or are missing. For staff, and the player who is meant."""
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
    tables: list[dict[str, Any]] | None = Field(default=None, description="several tables at once, each with its games")
    match: str | None = Field(default=None, examples=["W1.1"], description="of the cut's bracket")
    first: int | None = Field(default=None, description="the number of its first player")
    second: int | None = Field(default=None, description="the number of its second player")
    entry: int | None = Field(default=None, examples=[17], description="the number of the player it is about")
    players: int | None = Field(default=None, examples=[64], description="how many are in, at the time of telling")
    command: str | None = Field(default=None, examples=["round.pair"], description="for staff")
    actor: str | None = Field(default=None, examples=["ann"], description="for staff")


VISITOR: Final = "visitor"
DISPLAY: Final = "display"
"""Is told what visitors are, also of an event that is not published."""
DESK: Final = "desk"
"""The same, and what a desk has to look at again."""
STAFF: Final = "staff"
"""Who reads everything. These are readers; a player is one by the number of the entry, as a text."""
WITH_ROLES: Final = (STAFF, DESK, DISPLAY)
"""Readers by a role in the event, which may be taken from them."""


@dataclass(frozen=True, slots=True)
class Telling:
    """What is told of a command."""

    topics: tuple[Topic, ...]
    fields: tuple[str, ...] = ()
    """Of its fact; the others are not told."""
    public: bool = True
    """False: to staff only, and to `also`."""
    also: tuple[str, ...] = ()
    """Fields of the fact with the numbers of players who are told what the public is not."""
    readers: tuple[str, ...] = ()
    """Other readers who are."""
    ends: tuple[str, ...] = ()
    """Readers who may not go on reading before it is found out anew what they may; fields of the fact for players."""
    staff_topics: tuple[Topic, ...] = ()
    """What staff have to look at besides."""
    private_topics: tuple[Topic, ...] = ()
    """What the readers `also` have to look at besides."""


@dataclass(frozen=True, slots=True)
class Told:
    """The news of a line, for each kind of reader."""

    public: News | None
    """None: it is none of their business."""
    private: News
    """For the readers `also`."""
    staff: News
    also: frozenset[str]
    ends: frozenset[str]


_Fact: TypeAlias = Mapping[str, Any]
_EVENT: Final = Telling((Topic.EVENT,))
_ENTRY: Final = Telling((Topic.ENTRIES,), ("entry",))
_ENTRIES: Final = Telling((Topic.ENTRIES,))
_ROUND: Final = Telling((Topic.ROUND, Topic.STANDINGS), ("round",))
_CLOCK: Final = Telling((Topic.CLOCK,), ("round", "table"))
_MATCHES: Final = Telling((Topic.CLOCK, Topic.CUT))
_CORRECTION: Final = Telling((Topic.CORRECTION, Topic.STANDINGS), ("round", "table", "games"))
_RESULT: Final = Telling((Topic.RESULT,), ("round", "table", "games"))
_STAFF: Final = Telling((Topic.STAFF,), public=False)
_NO_LONGER_STAFF: Final = Telling((Topic.STAFF,), public=False, ends=WITH_ROLES)
_DECK: Final = Telling((Topic.DECKS,), ("entry",), public=False, also=("entry",), readers=(DESK,))
_WALLET: Final = Telling((Topic.OWNERSHIP,), ("entry",), public=False, also=("entry",))
_CLAIM: Final = Telling((Topic.CLAIMS,), ("round", "table"), public=False, also=("first", "second", "others", "entry"))
_PASS: Final = Telling((Topic.PASSES,), ("entry",), public=False, also=("entry",), readers=(DESK,))
_PASSES: Final = Telling((Topic.PASSES,))
_CAME_IN: Final = Telling((Topic.ENTRIES, Topic.PASSES), ("entry",))
_DESKS: Final = Telling((Topic.PASSES,), public=False, readers=(DESK,))
_JUDGES: Final = Telling((Topic.JUDGES,), public=False)
_OF_PLAYER: Final = Telling((Topic.JUDGES,), ("entry",), public=False, also=("entry",))
_OTHER: Final = Telling((Topic.OTHER,), public=False)


def _seats(_: _Fact, phase: str) -> Telling:
    """Of a draft, unless the round is being played."""
    if phase == Phase.ROUND:
        return Telling((Topic.ROUND, Topic.CORRECTION, Topic.STANDINGS), ("round",))
    return Telling((Topic.DRAFT,), ("round",), public=False)


def _claimed(fact: _Fact, _: str) -> Telling:
    """A claim that agrees with the opponent's is the table's result."""
    return _RESULT if fact.get("confirms") is not None else _CLAIM


def _penalised(fact: _Fact, _: str) -> Telling:
    """Why a table or a player changed is not told to everybody; that it did, is."""
    if any(fact.get(name) for name in ("table", "out", "back")):
        return Telling((Topic.CORRECTION, Topic.STANDINGS, Topic.ENTRIES), staff_topics=(Topic.JUDGES,))
    return _OF_PLAYER


def _looked(fact: _Fact, _: str) -> Telling:
    """An epoch may drop players. Who is short is told so, and nobody else but staff."""
    topics = (Topic.OWNERSHIP, Topic.ENTRIES) if fact.get("dropped") else (Topic.OWNERSHIP,)
    meant = (Topic.ALERTS,) if fact.get("short") else ()
    return Telling(topics, also=("short",), staff_topics=meant, private_topics=meant)


def _undone(fact: _Fact, phase: str) -> Telling:
    """As what is undone was told, but nothing is published by taking it back."""
    inner = TOLD.get(str(fact.get("name")), _OTHER)
    telling = inner if isinstance(inner, Telling) else inner({}, phase)
    topics = telling.topics if fact.get("again") else tuple(_TAKEN_BACK.get(topic, topic) for topic in telling.topics)
    unique = tuple(dict.fromkeys(topics))
    return Telling(unique, public=telling.public, readers=telling.readers, ends=WITH_ROLES)


_TAKEN_BACK: Final[Mapping[Topic, Topic]] = {
    Topic.ROUND_PUBLISHED: Topic.ROUND,
    Topic.RESULT: Topic.CORRECTION,
    Topic.FINISHED: Topic.EVENT,
}
TOLD: Final[Mapping[str, Telling | Callable[[_Fact, str], Telling]]] = {
    "event.create": _EVENT,
    "event.clone": _EVENT,
    "event.import": _EVENT,
    "event.adopt": _EVENT,
    "event.edit": _EVENT,
    "event.publish": _EVENT,
    "event.unpublish": Telling((Topic.EVENT,), public=False, readers=(DESK, DISPLAY), ends=(VISITOR,)),
    "event.archive": _EVENT,
    "event.unarchive": _EVENT,
    "event.finish": Telling((Topic.FINISHED, Topic.EVENT)),
    "event.void": _EVENT,
    "registration.open": _EVENT,
    "registration.close": _EVENT,
    "registration.reopen": _EVENT,
    "registration.code": Telling((Topic.STAFF,), public=False, readers=(DESK,)),
    "command.undo": _undone,
    "staff.grant": _STAFF,
    "staff.revoke": _NO_LONGER_STAFF,
    "staff.invite": _STAFF,
    "staff.accept": _STAFF,
    "staff.withdraw": _STAFF,
    "staff.leave": _NO_LONGER_STAFF,
    "entry.add": _ENTRY,
    "entry.register": _ENTRY,
    "entry.import": _ENTRIES,
    "entry.edit": _ENTRY,
    "entry.drop": _ENTRY,
    "entry.return": _ENTRY,
    "entry.promote": _ENTRY,
    "entry.merge": _ENTRY,
    "entry.check-in": _ENTRY,
    "entry.check-out": _ENTRY,
    "entry.seat-all": _ENTRIES,
    "entry.disqualify": Telling((Topic.ENTRIES, Topic.CORRECTION, Topic.STANDINGS), ("entry",)),
    "entry.reinstate": Telling((Topic.ENTRIES, Topic.STANDINGS), ("entry",)),
    "entry.recode": Telling((Topic.STAFF,), ("entry",), public=False, readers=(DESK,), ends=("entry",)),
    "entry.erase": Telling((Topic.ENTRIES, Topic.STANDINGS), ends=("entries",), staff_topics=(Topic.JUDGES,)),
    "deck.erase": Telling((Topic.DECKS,), public=False, also=("entries",), readers=(DESK,)),
    "apart.add": _OTHER,
    "apart.remove": _OTHER,
    "deck.hand-in": _DECK,
    "deck.unlock": _DECK,
    "deck.waive": _DECK,
    "deck.require": _DECK,
    "deck.lock": Telling((Topic.DECKS,)),
    "round.pair": Telling((Topic.DRAFT,), ("round",), public=False),
    "round.swap": _seats,
    "round.repair": _seats,
    "round.publish": Telling((Topic.ROUND_PUBLISHED, Topic.EVENT), ("round",)),
    "round.close": _ROUND,
    "round.reopen": _ROUND,
    "clock.start": _CLOCK,
    "clock.pause": _CLOCK,
    "clock.resume": _CLOCK,
    "clock.adjust": _CLOCK,
    "clock.extend": _CLOCK,
    "result.report": _RESULT,
    "result.correct": _CORRECTION,
    "claim.make": _claimed,
    "claim.confirm": _claimed,
    "claim.withdraw": Telling((Topic.CLAIMS,), ("round",), public=False, also=("entry",)),
    "claim.settle": _RESULT,
    "claim.accept": Telling((Topic.RESULT,), ("round", "tables")),
    "call.make": _OF_PLAYER,
    "call.take": _OF_PLAYER,
    "call.release": _OF_PLAYER,
    "call.withdraw": _OF_PLAYER,
    "call.close": _OF_PLAYER,
    "penalty.give": _OF_PLAYER,
    "penalty.apply": _penalised,
    "penalty.take-back": _penalised,
    "penalty.correct": _JUDGES,
    "penalty.withdraw": _JUDGES,
    "deck-check.draw": _JUDGES,
    "deck-check.choose": _JUDGES,
    "deck-check.start": _JUDGES,
    "deck-check.finish": _JUDGES,
    "deck-check.amend": _JUDGES,
    "deck-check.call-off": _JUDGES,
    "note.write": _JUDGES,
    "note.amend": _JUDGES,
    "judging.set": _EVENT,
    "cut.start": Telling((Topic.CUT, Topic.EVENT)),
    "cut.begin-round": Telling((Topic.CUT,)),
    "cut.report": Telling((Topic.CUT, Topic.RESULT), ("match", "first", "second", "games")),
    "cut.correct": Telling((Topic.CUT, Topic.CORRECTION), ("match", "games")),
    "cut.leave": Telling((Topic.CUT, Topic.ENTRIES)),
    "cut.redraw": Telling((Topic.CUT,)),
    "cut.take_back": Telling((Topic.CUT, Topic.CORRECTION)),
    "pass.open": _PASSES,
    "pass.rotate": _PASSES,
    "pass.issue": _PASS,
    "pass.issue-all": _PASSES,
    "pass.revoke": _PASS,
    "pass.enrol": _DESKS,
    "pass.scan": _CAME_IN,
    "pass.sync": Telling((Topic.ENTRIES, Topic.PASSES)),
    "pass.settle": _DESKS,
    "match-clock.start": _MATCHES,
    "match-clock.pause": _MATCHES,
    "match-clock.resume": _MATCHES,
    "match-clock.adjust": _MATCHES,
    "match-clock.extend": Telling((Topic.CLOCK, Topic.CUT), ("match", "first", "second")),
    "epoch.open": Telling((Topic.OWNERSHIP,), ("round",)),
    "epoch.read": _looked,
    "epoch.alert": Telling((Topic.ALERTS,), public=False, also=("entries",)),
    "wallet.link": _WALLET,
    "wallet.split": _WALLET,
    "wallet.unlink": _WALLET,
    "wallet.delegate": _WALLET,
    "epoch.override": Telling((Topic.OWNERSHIP,)),
    "webhook.add": _STAFF,
    "webhook.remove": _STAFF,
    "webhook.rotate": _STAFF,
}
"""By the name of the command, or from its fact and the phase after it. It lasts as long as the name does."""
_WITH_FACTS: Final = tuple(
    name
    for name, telling in TOLD.items()
    if not isinstance(telling, Telling) or telling.fields or telling.also or set(telling.ends) - {*WITH_ROLES, VISITOR}
)


def reader_of(roles: Collection[Role], player: int | None = None) -> str:
    """Which reader somebody is who has these roles in the event, or plays in it."""
    if INSIDERS & frozenset(roles):
        return STAFF
    if Role.DESK in roles:
        return DESK
    if Role.DISPLAY in roles:
        return DISPLAY
    return VISITOR if player is None else str(player)


def read_since(session: Session, event: str, version: int, *, limit: int) -> list[LogLine]:
    """So many lines of the log after that version, with the facts that are told."""
    return store.log_lines(session, event, after=version, limit=limit, with_facts_of=_WITH_FACTS)


def told(event: str, line: LogLine, *, players: int | None = None) -> Told:
    """The news of a line.

    Args:
        event: its id.
        line: of its log.
        players: how many are in; told where it may have changed.
    """
    fact: dict[str, Any] = json.loads(line.fact)
    telling = _telling(line, fact)
    private = News(
        event=event,
        version=line.sequence,
        topics=list(telling.topics),
        at=line.at,
        phase=Phase(line.phase),
        players=players if Topic.ENTRIES in telling.topics else None,
        **{name: fact.get(name) for name in telling.fields},
    )
    return Told(
        public=private if telling.public else None,
        private=private.model_copy(update={"topics": [*telling.topics, *telling.private_topics]}),
        staff=private.model_copy(
            update={
                "topics": [*telling.topics, *telling.staff_topics],
                "command": line.name,
                "actor": line.actor,
            }
        ),
        also=frozenset(telling.readers).union(one for name in telling.also for one in _readers(fact.get(name, []))),
        ends=frozenset(one for name in telling.ends for one in _readers(fact.get(name, name))),
    )


def _readers(said: object) -> list[str]:
    """One reader or several, as a fact has them."""
    return [] if said is None else [str(one) for one in said] if isinstance(said, list) else [str(said)]


def _telling(line: LogLine, fact: _Fact) -> Telling:
    found = TOLD.get(line.name, _OTHER)
    return found if isinstance(found, Telling) else found(fact, line.phase)


def counts(lines: list[LogLine]) -> bool:
    """Whether any of them may have changed who is in."""
    return any(
        not isinstance(found := TOLD.get(line.name, _OTHER), Telling) or Topic.ENTRIES in found.topics for line in lines
    )


def id_of(version: int, head: str) -> str:
    """What a reader says to be told the rest: the version, and the beginning of its row's hash.

    Versions come from the log and outlive the server; the hash tells another history of the same length, as after a
    restored backup.
    """
    return f"{version}-{head[:ID_DIGITS]}"


ID_DIGITS: Final = 8
