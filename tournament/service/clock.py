"""The clock of a round: begun, stopped, gone on, put right; and more time for a table.

A clock is instants, never a rest: what is stored and told is when it began, how long it stood still, and when it ends.
So it is the same for whoever asks, however late the answer arrives, and the time that passes changes no document.
"""

from datetime import datetime, timedelta
from typing import Final, Protocol

from pydantic import Field
from sqlmodel import Session

from tournament import store
from tournament.domain.lifecycle import Action
from tournament.domain.roles import JUDGES
from tournament.errors import ClockRefused, TableNotFound, TableReported
from tournament.service.commands import Arguments, Fact, Kind, Nothing, Scene, WithReason, text_of
from tournament.service.entries import MOST_NUMBER
from tournament.service.results import games_at, words_of
from tournament.service.rounds import MOST_MINUTES, load
from tournament.tables import EventRow, LogRow, RoundRow


class Start(Arguments):
    """Start the clock."""

    minutes: int | None = Field(
        default=None, ge=1, le=MOST_MINUTES, description="length of the round; as it was announced when null"
    )


class Started(Fact):
    """The clock runs from the instant of the command."""

    round: int
    length_s: int


class Paused(Fact):
    """The clock stands still from the instant of the command."""

    round: int


class Resumed(Fact):
    """The clock goes on."""

    round: int
    paused_s: int
    """In all pauses together."""


class Adjust(Arguments):
    """Give the round more time, or less."""

    seconds: int = Field(ge=-60 * MOST_MINUTES, le=60 * MOST_MINUTES, description="more; less when below 0")


class Adjusted(Fact):
    """The clock's length from now on."""

    round: int
    length_s: int


class Extend(WithReason):
    """Give a table more time, or take it away again."""

    table: int = Field(ge=1, le=MOST_NUMBER)
    minutes: int = Field(ge=-MOST_MINUTES, le=MOST_MINUTES, description="more; less when below 0", examples=[5])


class Extended(Fact):
    """All the extra minutes of a table."""

    round: int
    table: int
    extra_minutes: int


def _current(scene: Scene) -> RoundRow:
    return load(scene.session, scene.event.id, store.last_published(scene.session, scene.event.id))


def _running(scene: Scene) -> RoundRow:
    row = _current(scene)
    if row.started_at is None:
        raise ClockRefused(row.number, "has not begun")
    return row


def _decide_start(scene: Scene, asked: Start) -> Started:
    row = _current(scene)
    if row.started_at is not None:
        raise ClockRefused(row.number, f"began at {row.started_at}; to change how long it runs, adjust it")
    announced = scene.event.round_minutes
    length = row.length_s if row.length_s is not None else announced and 60 * announced
    length = 60 * asked.minutes if asked.minutes is not None else length
    if length is None:
        raise ClockRefused(row.number, "needs a length; name the minutes")
    return Started(round=row.number, length_s=length)


def _apply_start(session: Session, event: EventRow, row: LogRow, fact: Started) -> None:
    played = load(session, event.id, fact.round)
    played.length_s, played.started_at = fact.length_s, row.at


def _decide_pause(scene: Scene, _: Nothing) -> Paused:
    row = _running(scene)
    if row.paused_at is not None:
        raise ClockRefused(row.number, f"stands still since {row.paused_at}")
    return Paused(round=row.number)


def _apply_pause(session: Session, event: EventRow, row: LogRow, fact: Paused) -> None:
    load(session, event.id, fact.round).paused_at = row.at


def _decide_resume(scene: Scene, _: Nothing) -> Resumed:
    row = _running(scene)
    if row.paused_at is None:
        raise ClockRefused(row.number, "runs already")
    pause = _moment(scene.at) - _moment(row.paused_at)
    return Resumed(round=row.number, paused_s=row.paused_s + max(0, round(pause.total_seconds())))


def _apply_resume(session: Session, event: EventRow, _: LogRow, fact: Resumed) -> None:
    played = load(session, event.id, fact.round)
    played.paused_at, played.paused_s = None, fact.paused_s


def _decide_adjust(scene: Scene, asked: Adjust) -> Adjusted:
    row = _current(scene)
    if row.length_s is None:
        raise ClockRefused(row.number, "has no length; start it with its minutes")
    length = row.length_s + asked.seconds
    if not 0 <= length <= 60 * MOST_MINUTES:
        raise ClockRefused(row.number, f"would run {length} seconds; it may run 0 to {60 * MOST_MINUTES}")
    return Adjusted(round=row.number, length_s=length)


def _apply_adjust(session: Session, event: EventRow, _: LogRow, fact: Adjusted) -> None:
    load(session, event.id, fact.round).length_s = fact.length_s


def _decide_extend(scene: Scene, asked: Extend) -> Extended:
    number = store.last_published(scene.session, scene.event.id)
    seat = store.find_table(scene.session, scene.event.id, number, asked.table)
    if seat is None:
        raise TableNotFound(number, asked.table)
    if (known := games_at(seat)) is not None:
        raise TableReported(number, asked.table, words_of(known))
    minutes = seat.extra_minutes + asked.minutes
    if not 0 <= minutes <= MOST_MINUTES:
        raise ClockRefused(number, f"cannot give table {asked.table} {minutes} extra minutes; 0 to {MOST_MINUTES}")
    return Extended(round=number, table=asked.table, extra_minutes=minutes)


def _apply_extend(session: Session, event: EventRow, _: LogRow, fact: Extended) -> None:
    seat = store.find_table(session, event.id, fact.round, fact.table)
    if seat is None:
        raise TableNotFound(fact.round, fact.table)
    seat.extra_minutes = fact.extra_minutes


START: Final = Kind(
    name="clock.start",
    arguments=Start,
    fact=Started,
    roles=JUDGES,
    actions=(Action.RUN_CLOCK,),
    decide=_decide_start,
    apply=_apply_start,
)
PAUSE: Final = Kind(
    name="clock.pause",
    arguments=Nothing,
    fact=Paused,
    roles=JUDGES,
    actions=(Action.RUN_CLOCK,),
    decide=_decide_pause,
    apply=_apply_pause,
)
RESUME: Final = Kind(
    name="clock.resume",
    arguments=Nothing,
    fact=Resumed,
    roles=JUDGES,
    actions=(Action.RUN_CLOCK,),
    decide=_decide_resume,
    apply=_apply_resume,
)
ADJUST: Final = Kind(
    name="clock.adjust",
    arguments=Adjust,
    fact=Adjusted,
    roles=JUDGES,
    actions=(Action.RUN_CLOCK,),
    decide=_decide_adjust,
    apply=_apply_adjust,
)
EXTEND: Final = Kind(
    name="clock.extend",
    arguments=Extend,
    fact=Extended,
    roles=JUDGES,
    actions=(Action.RUN_CLOCK,),
    decide=_decide_extend,
    apply=_apply_extend,
)


KINDS: Final = (START, PAUSE, RESUME, ADJUST, EXTEND)


# --- when it ends -----------------------------------------------------------------------------------------------------


class Timed(Protocol):
    """What a clock is of: a round, or a match of the cut."""

    length_s: int | None
    started_at: str | None
    paused_at: str | None
    paused_s: int


def ends_at(row: Timed, extra_minutes: int = 0) -> str | None:
    """When time is called, for a table with so many extra minutes; None while no clock runs."""
    if row.started_at is None or row.length_s is None or row.paused_at is not None:
        return None
    runs = timedelta(seconds=row.length_s + row.paused_s, minutes=extra_minutes)
    return text_of(_moment(row.started_at) + runs)


def left_s(row: Timed) -> int | None:
    """Seconds that were left when the clock was stopped; None unless it stands still."""
    if row.started_at is None or row.length_s is None or row.paused_at is None:
        return None
    ran = _moment(row.paused_at) - _moment(row.started_at)
    return row.length_s + row.paused_s - int(ran.total_seconds())


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
