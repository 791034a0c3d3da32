"""Calls: somebody calls a judge to a table; judges take calls from the queue and close them."""

import math
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, ClassVar, Final, NamedTuple

from pydantic import Field, StringConstraints
from sqlmodel import Session

from tournament import store
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import JUDGES, Role
from tournament.errors import CallNotFound, CallRefused, NoTable
from tournament.service import extensions, match_clocks, results, rounds
from tournament.service.beside import Kept, Place, numbered
from tournament.service.commands import Already, Arguments, Fact, Kind, Scene, Words, nothing
from tournament.service.entries import MOST_NUMBER
from tournament.service.match_clocks import LONGEST_MATCH
from tournament.store import AnySeat
from tournament.tables import CallRow, EventRow, LogRow, chairs

Topic = Annotated[str, StringConstraints(max_length=100, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
PAUSE_WITHOUT_EXTENSION: Final = 60
"""Seconds. Source: Magic Tournament Rules 2.6: who is paused by a judge for more than one minute gets the time back."""


class JudgeCall(Arguments):
    """Call a judge. A player's call is for the own table, or the own match of the cut."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"topic"})

    topic: Topic = Field(default="", description="what about, if you like", examples=["a rules question"])
    table: int | None = Field(
        default=None, ge=1, le=MOST_NUMBER, description="of the latest round; staff have to name it"
    )
    match: str | None = Field(
        default=None, max_length=LONGEST_MATCH, description="of the cut, which has no tables; staff have to name it"
    )


class JudgeCalled(Fact):
    """A call waits in the queue, or says more than before."""

    beside: ClassVar[tuple[Place, ...]] = (Place(path=("topic",), of=numbered("call")),)

    call: int
    round: int
    table: int = Field(description="0 for a match of the cut")
    entry: int | None
    topic: Kept
    match: str | None = Field(default=None, description="of the cut")
    first: int | None = None
    second: int | None = None
    others: list[int] = rounds.Others


class CallNumber(Arguments):
    """A call."""

    call: int = Field(ge=1, le=MOST_NUMBER)


class CallMarked(Fact):
    """What happened to the call; its name says it."""

    call: int
    entry: int | None = Field(default=None, description="the player who called; null for staff")


class CallClosing(Arguments):
    """The judge is done at the table."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"ruling"})

    ruling: Words = Field(default="", description="what was decided, for staff", examples=["the attack is legal"])
    minutes: int | None = extensions.Minutes


class CloseCall(CallClosing):
    """The same, and which call it is."""

    call: int = Field(ge=1, le=MOST_NUMBER)


class CallClosed(extensions.GivenBack):
    """The call is over."""

    beside: ClassVar[tuple[Place, ...]] = (Place(path=("ruling",), of=numbered("call")),)

    call: int
    entry: int | None = Field(default=None, description="the player who called; null for staff")
    ruling: Kept
    minutes: int = Field(description="time extension that the table is due, in whole minutes; 0 for a short pause")


def _decide_make(scene: Scene, asked: JudgeCall) -> JudgeCalled | Already:
    place = _place(scene, asked)
    waiting = [
        call
        for call in store.open_calls(scene.session, scene.event.id)
        if (call.entry, call.round, call.table_number, call.match_id)
        == (scene.player, place.round, place.table, place.match)
    ]
    if not waiting:
        made = store.last_number(scene.session, CallRow, scene.event.id) + 1
    elif asked.topic in {"", waiting[0].topic}:
        return Already(waiting[0].called)
    else:
        made = waiting[0].number
    return JudgeCalled(call=made, entry=scene.player, topic=asked.topic, **place._asdict())


def _apply_make(session: Session, event: EventRow, row: LogRow, fact: JudgeCalled) -> None:
    call = store.find_call(session, event.id, fact.call)
    if call is not None:
        call.topic, call.called = fact.topic, row.sequence
        return
    call = CallRow(
        event_id=event.id,
        number=fact.call,
        round=fact.round,
        table_number=fact.table,
        match_id=fact.match,
        first=fact.first,
        second=fact.second,
        **chairs(fact.others),
        entry=fact.entry,
        topic=fact.topic,
        called=row.sequence,
        called_at=row.at,
    )
    store.save(session, call)


def _decide_take(scene: Scene, asked: CallNumber) -> CallMarked | Already:
    call = _open(scene, asked.call)
    if call.taken_by == scene.actor and call.taken is not None:
        return Already(call.taken)
    if call.taken_by is not None:
        raise CallRefused(call.number, f"{call.taken_by} is on the way already")
    return CallMarked(call=call.number, entry=call.entry)


def _apply_take(session: Session, event: EventRow, row: LogRow, fact: CallMarked) -> None:
    call = load(session, event.id, fact.call)
    call.taken_by, call.taken_at, call.taken = row.actor, row.at, row.sequence


def _decide_release(scene: Scene, asked: CallNumber) -> CallMarked:
    call = _open(scene, asked.call)
    if call.taken_by is None:
        raise CallRefused(call.number, "nobody has taken it; it waits in the queue")
    return CallMarked(call=call.number, entry=call.entry)


def _apply_release(session: Session, event: EventRow, _: LogRow, fact: CallMarked) -> None:
    call = load(session, event.id, fact.call)
    call.taken_by = call.taken_at = call.taken = None


def _decide_close(scene: Scene, asked: CloseCall) -> CallClosed:
    call = _open(scene, asked.call)
    paused = _seconds(call.taken_at, scene.at) if call.taken_at else 0
    minutes = math.ceil(paused / 60) if paused > PAUSE_WITHOUT_EXTENSION else 0
    minutes = minutes if asked.minutes is None else asked.minutes
    given = extensions.due(scene, call.round, call.table_number, call.match_id, minutes)
    return CallClosed(call=call.number, entry=call.entry, ruling=asked.ruling, minutes=minutes, **given)


def _apply_close(session: Session, event: EventRow, row: LogRow, fact: CallClosed) -> None:
    call = load(session, event.id, fact.call)
    call.closed_by, call.closed_at, call.ruling, call.minutes = row.actor, row.at, fact.ruling, fact.minutes


def _decide_withdraw(scene: Scene, asked: CallNumber) -> CallMarked:
    call = load(scene.session, scene.event.id, asked.call)
    if call.entry != scene.player:
        raise CallNotFound(asked.call)
    return CallMarked(call=_open(scene, asked.call).number, entry=call.entry)


def _apply_withdraw(session: Session, event: EventRow, row: LogRow, fact: CallMarked) -> None:
    call = load(session, event.id, fact.call)
    call.closed_by, call.closed_at = row.actor, row.at


MAKE: Final = Kind(
    name="call.make",
    arguments=JudgeCall,
    fact=JudgeCalled,
    roles=JUDGES | {Role.DESK, Role.PLAYER},
    sealed=True,
    decide=_decide_make,
    apply=_apply_make,
)
TAKE: Final = Kind(
    name="call.take",
    arguments=CallNumber,
    fact=CallMarked,
    roles=JUDGES,
    decide=_decide_take,
    apply=_apply_take,
    in_public=nothing,
)
RELEASE: Final = Kind(
    name="call.release",
    arguments=CallNumber,
    fact=CallMarked,
    roles=JUDGES,
    decide=_decide_release,
    apply=_apply_release,
    in_public=nothing,
)
CLOSE: Final = Kind(
    name="call.close",
    arguments=CloseCall,
    fact=CallClosed,
    roles=JUDGES,
    sealed=True,
    decide=_decide_close,
    apply=_apply_close,
    follows=extensions.follows,
)
WITHDRAW: Final = Kind(
    name="call.withdraw",
    arguments=CallNumber,
    fact=CallMarked,
    roles=frozenset({Role.PLAYER}),
    decide=_decide_withdraw,
    apply=_apply_withdraw,
    in_public=nothing,
)
KINDS: Final = (MAKE, TAKE, RELEASE, CLOSE, WITHDRAW)


def load(session: Session, event: str, number: int) -> CallRow:
    """A call. Raises: CallNotFound."""
    row = store.find_call(session, event, number)
    if row is None:
        raise CallNotFound(number)
    return row


def _open(scene: Scene, number: int) -> CallRow:
    call = load(scene.session, scene.event.id, number)
    if call.closed_at is not None:
        raise CallRefused(number, f"{call.closed_by} closed it")
    return call


class _Where(NamedTuple):
    """Where a judge is called to, and who plays there."""

    round: int
    table: int
    match: str | None
    first: int | None
    second: int | None
    others: Sequence[int] = ()


def _place(scene: Scene, asked: JudgeCall) -> _Where:
    """Where the judge is called to.

    Raises:
        NoTable: no table of the player's own in the latest round, nor match of the cut, or staff named none.
        TableNotFound: the latest round has no such table.
        CutNotFound, MatchUnknown, MatchClockRefused: there is no such match of a cut, or it cannot be played.
    """
    if asked.match is not None or (scene.event.phase == Phase.CUT and asked.table is None):
        return _match(scene, asked)
    seat = _seat(scene, asked)
    return _Where(seat.round, seat.table_number or 0, None, seat.first, seat.second, seat.others)


def _match(scene: Scene, asked: JudgeCall) -> _Where:
    playing = {one.match: one for one in match_clocks.ready(scene)}
    own = [one.match for one in playing.values() if scene.player in {one.first, one.second}]
    name = asked.match if scene.player is None else next((one for one in own if asked.match in {None, one}), None)
    if name is None:
        raise NoTable(scene.player)
    one = match_clocks.extended(scene, name, 0)
    return _Where(store.last_published(scene.session, scene.event.id), 0, name, one.first, one.second)


def _seat(scene: Scene, asked: JudgeCall) -> AnySeat:
    current = store.current_round(scene.session, scene.event.id)
    if current is None or (scene.player is None and asked.table is None):
        raise NoTable(scene.player)
    if scene.player is None:
        return results.table_at(scene, current.number, asked.table or 0)
    seat = store.seat_of(scene.session, scene.event.id, current.number, scene.player)
    if seat is None or seat.table_number is None or asked.table not in {None, seat.table_number}:
        raise NoTable(scene.player)
    return seat


def _seconds(since: str, until: str) -> float:
    return (datetime.fromisoformat(until) - datetime.fromisoformat(since)).total_seconds()
