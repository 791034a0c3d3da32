"""Time that a judge took from players, given back to their table or match in the same command that says so.

The command that says so is for staff, and its row is sealed; the time is for everybody. So it is a command of its own
that follows (`Kind.follows`).
"""

from typing import Any, Final

from pydantic import Field

from tournament import store
from tournament.domain.errors import MatchUnknown
from tournament.domain.lifecycle import Phase
from tournament.errors import CutNotFound, MatchClockRefused
from tournament.service import clock, match_clocks
from tournament.service.commands import Arguments, Fact, Kind, Scene
from tournament.service.rounds import MOST_MINUTES

WHY: Final = "a judge held them up"
"""For everybody to read; what the judge did is not."""
Minutes = Field(
    default=None,
    ge=0,
    le=MOST_MINUTES,
    description="time extension that the table gets at once; what it is due when null, 0 for none",
)


class GivenBack(Fact):
    """What time a table, or a match of the cut, gets."""

    round: int | None = None
    table: int | None = Field(default=None, description="null for a match of the cut")
    match: str | None = Field(default=None, description="of the cut")
    extra_minutes: int | None = Field(
        default=None,
        description="all the extra minutes that it has from now on; null: it gets nothing, or plays no more",
    )


def due(scene: Scene, number: int, table: int, match: str | None, minutes: int) -> dict[str, Any]:
    """The fields of `GivenBack` for so many minutes; none if they are none, or the match is over or another one.

    Args:
        scene: as it is.
        number: of the round.
        table: in it; not looked at for a match of the cut.
        match: of the cut; None: a table of a round.
        minutes: that it is due.
    """
    if not minutes:
        return {}
    before = _at_table(scene, number, table) if match is None else _in_match(scene, match)
    if before is None:
        return {}
    extra = min(before + minutes, MOST_MINUTES)
    place = {"table": table} if match is None else {"match": match}
    return {"round": number, **place, "extra_minutes": extra} if extra > before else {}


def follows(scene: Scene, fact: GivenBack) -> tuple[Kind[Any, Any], Arguments] | None:
    """The command that gives the time."""
    if fact.extra_minutes is None or fact.round is None:
        return None
    if fact.match is not None:
        more = fact.extra_minutes - (_in_match(scene, fact.match) or 0)
        return match_clocks.EXTEND, match_clocks.ExtendMatch(match=fact.match, minutes=more, reason=WHY)
    more = fact.extra_minutes - (_at_table(scene, fact.round, fact.table or 0) or 0)
    return clock.EXTEND, clock.Extend(table=fact.table or 0, minutes=more, reason=WHY)


def _at_table(scene: Scene, number: int, table: int) -> int | None:
    """The extra minutes of a table that is being played."""
    if scene.event.phase != Phase.ROUND or number != store.last_published(scene.session, scene.event.id):
        return None
    seat = store.find_table(scene.session, scene.event.id, number, table)
    return None if seat is None or seat.ending is not None else seat.extra_minutes


def _in_match(scene: Scene, match: str) -> int | None:
    """The extra minutes of a match that is being played."""
    if scene.event.phase != Phase.CUT:
        return None
    try:
        return match_clocks.extended(scene, match, 0).extra_minutes
    except (CutNotFound, MatchUnknown, MatchClockRefused):
        return None
