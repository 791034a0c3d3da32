"""Clocks of matches of the cut: begun, stopped, gone on, put right; and more time for a single match.

In a bracket matches begin when their players are known, which is not for all at once, so each match has a clock of its
own. A command that names no match is for all that it can be for. Like the clock of a round it is instants, no rest.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field
from sqlmodel import Session

from tournament import store
from tournament.domain.bracket import Bracket, Empty, Match, is_ready, matches
from tournament.domain.errors import MatchUnknown
from tournament.domain.lifecycle import Action
from tournament.domain.roles import JUDGES
from tournament.errors import MatchClockRefused
from tournament.service import brackets, cut_rounds
from tournament.service.commands import Arguments, Fact, Kind, Scene, WithReason
from tournament.service.rounds import MOST_MINUTES
from tournament.tables import EventRow, LogRow, MatchClockRow

LONGEST_MATCH: Final = 20
MOST_MATCHES: Final = 1_000
MatchName = Field(min_length=1, max_length=LONGEST_MATCH, examples=["M1.2"])


# --- what is asked ----------------------------------------------------------------------------------------------------


class OfMatches(Arguments):
    """Matches of the cut."""

    matches: list[str] = Field(
        default_factory=list,
        max_length=MOST_MATCHES,
        description="which; all that it can be for when empty",
        examples=[["M1.1", "M1.2"]],
    )


class StartMatches(OfMatches):
    """Start the clocks of matches that can be played."""

    minutes: int | None = Field(
        default=None, ge=1, le=MOST_MINUTES, description="length of each; as it was announced when null", examples=[60]
    )


class AdjustMatches(OfMatches):
    """Give matches more time, or less."""

    seconds: int = Field(ge=-60 * MOST_MINUTES, le=60 * MOST_MINUTES, description="more; less when below 0")


class ExtendMatch(WithReason):
    """Give one match more time, or take it away again."""

    match: str = MatchName
    minutes: int = Field(ge=-MOST_MINUTES, le=MOST_MINUTES, description="more; less when below 0", examples=[5])


# --- what comes of it -------------------------------------------------------------------------------------------------


class Playing(BaseModel):
    """A match with its two players."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    match: str
    first: int
    second: int


class MatchesStarted(Fact):
    """The clocks run from the instant of the command."""

    matches: list[Playing]
    length_s: int


class MatchesPaused(Fact):
    """The clocks stand still from the instant of the command."""

    matches: list[str]


class MatchesResumed(Fact):
    """The clocks go on."""

    paused_s: dict[str, int] = Field(description="by match, seconds in all pauses together")


class MatchesAdjusted(Fact):
    """How long the clocks run from now on."""

    length_s: dict[str, int] = Field(description="by match, seconds")


class MatchExtended(Fact):
    """All the extra minutes of a match."""

    match: str
    first: int
    second: int
    extra_minutes: int


@dataclass(frozen=True)
class _Cut:
    """What of the cut can be played, and its clocks."""

    bracket: Bracket
    matches: Mapping[str, Match]
    ready: Mapping[str, Playing]
    clocks: Mapping[str, MatchClockRow]
    """Of matches that can be played by those two."""

    def named(self, names: Sequence[str], usual: Iterable[str], what: str) -> list[str]:
        """The matches that are meant, each once. Raises: MatchUnknown, MatchClockRefused."""
        for name in names:
            self.playing(name)
        found = list(dict.fromkeys(names)) or list(usual)
        if not found:
            raise MatchClockRefused("", what)
        return found

    def playing(self, name: str) -> Playing:
        """The two of a match that can be played. Raises: MatchUnknown, MatchClockRefused."""
        if name not in self.matches:
            raise MatchUnknown(name, self.bracket.form, len(self.bracket.seeds))
        if name not in self.ready:
            ended = self.matches[name].outcome is not None
            raise MatchClockRefused(name, "has ended" if ended else "cannot begin before its players are known")
        return self.ready[name]

    def running(self, name: str) -> MatchClockRow:
        """The clock of a match. Raises: MatchClockRefused."""
        row = self.clocks.get(name)
        if row is None or row.started_at is None:
            raise MatchClockRefused(name, "has not begun")
        return row


def _cut(scene: Scene) -> _Cut:
    bracket = brackets.load(scene.session, scene.event.id)
    found = {str(match.id): match for match in matches(bracket)}
    ready = {name: _playing(match) for name, match in found.items() if is_ready(match)}
    clocks = {
        row.match_id: row
        for row in store.match_clocks_of(scene.session, scene.event.id)
        if row.match_id in ready and is_of(row, ready[row.match_id].first, ready[row.match_id].second)
    }
    return _Cut(bracket, found, ready, clocks)


def _playing(match: Match) -> Playing:
    first, second = match.seats
    return Playing(match=match.id, first=int(str(first)), second=int(str(second)))


def ready(scene: Scene) -> list[Playing]:
    """The matches that can be played now. Raises: CutNotFound."""
    return list(_cut(scene).ready.values())


def is_of(row: MatchClockRow, first: int, second: int) -> bool:
    """Whether a clock is of these two; after a correction others may play the match."""
    return (row.first, row.second) == (first, second)


# --- the commands -----------------------------------------------------------------------------------------------------


def _decide_start(scene: Scene, asked: StartMatches) -> MatchesStarted:
    cut = _cut(scene)
    later = frozenset(map(str, cut_rounds.waiting(scene.session, scene.event, cut.bracket)))
    waiting = [name for name in cut.ready if name not in cut.clocks or cut.clocks[name].started_at is None]
    names = cut.named(asked.matches, [name for name in waiting if name not in later], "no match waits for its clock")
    if early := [name for name in names if name in later]:
        raise MatchClockRefused(early[0], "cannot begin before its round of the cut")
    if begun := [name for name in names if name not in waiting]:
        since = cut.clocks[begun[0]].started_at
        raise MatchClockRefused(begun[0], f"began at {since}; to change how long it runs, adjust it")
    minutes = scene.event.cut_minutes if asked.minutes is None else asked.minutes
    if minutes is None:
        raise MatchClockRefused(names[0], "needs a length; name the minutes")
    return MatchesStarted(matches=[cut.ready[name] for name in names], length_s=60 * minutes)


def _apply_start(session: Session, event: EventRow, row: LogRow, fact: MatchesStarted) -> None:
    for one in fact.matches:
        clock = _row(session, event, one)
        clock.length_s, clock.started_at = fact.length_s, row.at


def _decide_pause(scene: Scene, asked: OfMatches) -> MatchesPaused:
    cut = _cut(scene)
    running = [name for name, row in cut.clocks.items() if row.started_at is not None and row.paused_at is None]
    names = cut.named(asked.matches, running, "no match has a clock that runs")
    for name in names:
        if (since := cut.running(name).paused_at) is not None:
            raise MatchClockRefused(name, f"stands still since {since}")
    return MatchesPaused(matches=names)


def _apply_pause(session: Session, event: EventRow, row: LogRow, fact: MatchesPaused) -> None:
    for clock in _rows(session, event, fact.matches):
        clock.paused_at = row.at


def _decide_resume(scene: Scene, asked: OfMatches) -> MatchesResumed:
    cut = _cut(scene)
    names = cut.named(
        asked.matches,
        [name for name, row in cut.clocks.items() if row.paused_at],
        "no match has a clock that stands still",
    )
    paused = {}
    for name in names:
        row = cut.running(name)
        if row.paused_at is None:
            raise MatchClockRefused(name, "runs already")
        pause = datetime.fromisoformat(scene.at) - datetime.fromisoformat(row.paused_at)
        paused[name] = row.paused_s + max(0, round(pause.total_seconds()))
    return MatchesResumed(paused_s=paused)


def _apply_resume(session: Session, event: EventRow, _: LogRow, fact: MatchesResumed) -> None:
    for clock in _rows(session, event, fact.paused_s):
        clock.paused_at, clock.paused_s = None, fact.paused_s[clock.match_id]


def _decide_adjust(scene: Scene, asked: AdjustMatches) -> MatchesAdjusted:
    cut = _cut(scene)
    timed = [name for name, row in cut.clocks.items() if row.started_at is not None]
    lengths = {}
    for name in cut.named(asked.matches, timed, "no match has a clock"):
        lengths[name] = (cut.running(name).length_s or 0) + asked.seconds
        if not 0 <= lengths[name] <= 60 * MOST_MINUTES:
            raise MatchClockRefused(name, f"would run {lengths[name]} seconds; it may run 0 to {60 * MOST_MINUTES}")
    return MatchesAdjusted(length_s=lengths)


def _apply_adjust(session: Session, event: EventRow, _: LogRow, fact: MatchesAdjusted) -> None:
    for clock in _rows(session, event, fact.length_s):
        clock.length_s = fact.length_s[clock.match_id]


def _decide_extend(scene: Scene, asked: ExtendMatch) -> MatchExtended:
    return extended(scene, asked.match, asked.minutes)


def extended(scene: Scene, match: str, minutes: int) -> MatchExtended:
    """A match with so many more extra minutes, or less when below 0; whether it has a clock or none.

    Raises:
        CutNotFound, MatchUnknown: there is no such match.
        MatchClockRefused: it is not being played; or more than a day, or less than nothing.
    """
    cut = _cut(scene)
    playing, row = cut.playing(match), cut.clocks.get(match)
    extra = (0 if row is None else row.extra_minutes) + minutes
    if not 0 <= extra <= MOST_MINUTES:
        raise MatchClockRefused(match, f"cannot have {extra} extra minutes; 0 to {MOST_MINUTES}")
    return MatchExtended(extra_minutes=extra, **playing.model_dump())


def apply_extend(session: Session, event: EventRow, _: LogRow, fact: MatchExtended) -> None:
    """Put the extra minutes of a match into the tables."""
    playing = Playing(match=fact.match, first=fact.first, second=fact.second)
    _row(session, event, playing).extra_minutes = fact.extra_minutes


def _row(session: Session, event: EventRow, one: Playing) -> MatchClockRow:
    """The clock of a match, blank if it was none of these two."""
    row = store.find_match_clock(session, event.id, one.match)
    if row is None:
        row = MatchClockRow(event_id=event.id, match_id=one.match, first=one.first, second=one.second)
        store.save(session, row)
    elif not is_of(row, one.first, one.second):
        row.first, row.second, row.length_s, row.started_at = one.first, one.second, None, None
        row.paused_at, row.paused_s, row.extra_minutes = None, 0, 0
    return row


def _rows(session: Session, event: EventRow, names: Iterable[str]) -> list[MatchClockRow]:
    wanted = set(names)
    return [row for row in store.match_clocks_of(session, event.id) if row.match_id in wanted]


def _kind(name: str, arguments: Any, fact: Any, decide: Any, apply: Any) -> Kind[Any, Any]:  # noqa: ANN401 - of each kind's own
    return Kind(
        name=f"match-clock.{name}",
        arguments=arguments,
        fact=fact,
        roles=JUDGES,
        actions=(Action.TIME_MATCHES,),
        decide=decide,
        apply=apply,
    )


START: Final = _kind("start", StartMatches, MatchesStarted, _decide_start, _apply_start)
PAUSE: Final = _kind("pause", OfMatches, MatchesPaused, _decide_pause, _apply_pause)
RESUME: Final = _kind("resume", OfMatches, MatchesResumed, _decide_resume, _apply_resume)
ADJUST: Final = _kind("adjust", AdjustMatches, MatchesAdjusted, _decide_adjust, _apply_adjust)
EXTEND: Final = _kind("extend", ExtendMatch, MatchExtended, _decide_extend, apply_extend)
KINDS: Final = (START, PAUSE, RESUME, ADJUST, EXTEND)


# --- what is so -------------------------------------------------------------------------------------------------------


def clock_of(clocks: Mapping[str, MatchClockRow], match: Match) -> MatchClockRow | None:
    """The clock of those who play a match, or have played it."""
    row = clocks.get(match.id)
    if row is None or any(isinstance(seat, Empty) for seat in match.seats):
        return None
    first, second = (int(str(seat)) for seat in match.seats)
    return row if is_of(row, first, second) else None
