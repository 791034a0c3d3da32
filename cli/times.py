"""Times for the eye: what is left of a clock."""

from datetime import datetime, timedelta
from typing import Any, Final

from tournament.domain.amounts import counted

_MINUTE: Final = 60


def time_left(clock: Any, now: datetime, extra_minutes: int = 0) -> str:  # noqa: ANN401 - any JSON
    """What a clock says at a moment."""
    if clock is None:
        return "no clock"
    extra = extra_minutes * _MINUTE
    if clock["started_at"] is None:
        return f"the clock waits; it will run for {spelled(clock['length_s'] + extra)}"
    if clock["ends_at"] is None:
        return f"the clock stands still, {_left(clock['left_s'] + extra)}"
    end = datetime.fromisoformat(clock["ends_at"]) + timedelta(seconds=extra)
    return f"{_left(round((end - now).total_seconds()))}, until {end:%H:%M:%S} UTC"


def _left(seconds: int) -> str:
    return f"{spelled(seconds)} left" if seconds > 0 else f"time was called {spelled(-seconds)} ago"


def spelled(seconds: int) -> str:
    """Minutes and seconds: `49:05`."""
    minutes, rest = divmod(seconds, _MINUTE)
    return f"{minutes}:{rest:02}"


def given_time(fact: Any) -> str:  # noqa: ANN401 - any JSON
    """What a table got for the time that judges took."""
    if not fact["minutes"]:
        return "the table gets no more time"
    if fact["extra_minutes"] is None:
        return f"{counted(fact['minutes'], 'minute')} due, and the table plays no more"
    return f"the table gets {counted(fact['minutes'], 'minute')}, {fact['extra_minutes']} extra in all"


def minute_of(moment: str) -> str:
    """A moment of the API to the minute: `2026-01-31 09:30`."""
    return moment[:16].replace("T", " ")
