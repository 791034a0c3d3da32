"""The projector: one slide after another, each with its own address, so that it is read without scripts too.

A slide has as many lines as a screen at the far end of a room can be read with. `screen.js` asks for the next one, and
keeps those that it has for when the server is away.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Response

from tournament.api import documents
from tournament.api.answers import Viewer
from tournament.api.deps import Looking
from tournament.api.schemas import PlayedRound
from tournament.domain.lifecycle import Phase
from tournament.web import answers
from tournament.web.pages.rounds import by_name

router = APIRouter(prefix="/e/{event}/screen")
PARTS: Final = ("welcome", "pairings", "clock", "standings", "bracket")
"""What may be shown, in this order."""
GRIDS: Final = ((1, 12), (2, 12), (2, 16), (2, 20), (3, 20), (3, 30), (4, 30))
"""Columns and rows of names on a screen; the last one has 120 of them. Few names are written larger."""
STANDING_GRIDS: Final = ((1, 12), (1, 16), (2, 16), (2, 20), (3, 20))
BRACKET: Final = 16
"""Matches on a slide."""
LEAST_S: Final = 8
LINES_A_SECOND: Final = 10
"""Somebody looks for one name in order, and does not read them all."""
MOST_S: Final = 120
MOST_SLIDES: Final = 10_000
_PLAYING: Final = frozenset({Phase.ROUND, Phase.CUT})


@dataclass(frozen=True)
class Slide:
    """What is on the wall at one time."""

    part: str
    lines: Sequence[Any] = ()
    page: int = 1
    pages: int = 1
    columns: int = 1
    rows: int = 1
    seconds: int = LEAST_S


@dataclass(frozen=True)
class Wall:
    """Everything that may be shown of an event now."""

    played: PlayedRound | None
    slides: Sequence[Slide]
    ticker: Mapping[str, Any]
    """What happened, for the line at the foot."""


@router.get("")
def show_screen(
    look: Looking,
    *,
    show: Annotated[str, Query(max_length=100)] = "",
    slide: Annotated[int, Query(ge=1, le=MOST_SLIDES)] = 1,
    seconds: Annotated[int | None, Query(ge=3, le=MOST_S)] = None,
) -> Response:
    """A slide; `show` picks parts (`pairings,clock`), `seconds` says how long each stays."""

    def shown(viewer: Viewer) -> dict[str, Any]:
        wall = wall_of(viewer, [part for part in show.split(",") if part in PARTS])
        number = slide if slide <= len(wall.slides) else 1
        now = wall.slides[number - 1]
        return {
            "wall": wall,
            "now": now if seconds is None else replace(now, seconds=seconds),
            "number": number,
            "at": partial(_address, look.event, show, seconds),
            "names": {one.number: one.name for one in documents.players_of(viewer).values()},
        }

    return answers.event_page(look, "screen.html", shown)


def _address(event: str, show: str, seconds: int | None, slide: int | str) -> str:
    """Of another slide; `N` stands for its number where the script puts it in."""
    said = {"show": show, "slide": slide, "seconds": seconds}
    return f"/e/{event}/screen?{urlencode({key: value for key, value in said.items() if value})}"


def wall_of(viewer: Viewer, wanted: Sequence[str]) -> Wall:
    """Every slide of an event as it stands.

    Args:
        viewer: who looks.
        wanted: parts of `PARTS`; none: whatever there is.
    """
    published = [one.number for one in documents.rounds_of(viewer).rounds if one.published_at]
    played = documents.round_of(viewer, published[-1]) if published else None
    makers = {
        "welcome": lambda: _welcome(viewer, is_asked="welcome" in wanted),
        "pairings": lambda: _pairings(viewer, played),
        "clock": lambda: _clock(viewer, played),
        "standings": lambda: _standings(viewer),
        "bracket": lambda: _bracket(viewer),
    }
    slides = [slide for part in PARTS if not wanted or part in wanted for slide in makers[part]()]
    return Wall(played, slides or [Slide("welcome")], _ticker(viewer, played))


def _welcome(viewer: Viewer, *, is_asked: bool) -> Iterator[Slide]:
    is_before = viewer.event.phase in {Phase.DRAFT, Phase.REGISTRATION, Phase.CHECK_IN}
    if is_asked or is_before or viewer.event.phase in {Phase.FINISHED, Phase.VOID}:
        yield Slide("welcome")


def _pairings(viewer: Viewer, played: PlayedRound | None) -> Iterator[Slide]:
    if played is not None and played.closed_at is None and viewer.event.phase == Phase.ROUND:
        names = {one.number: one.name for one in documents.players_of(viewer).values()}
        yield from _pages("pairings", by_name(played, names), GRIDS)


def _clock(viewer: Viewer, played: PlayedRound | None) -> Iterator[Slide]:
    is_played = played is not None and played.closed_at is None and played.clock is not None
    if is_played and viewer.event.phase == Phase.ROUND:
        yield Slide("clock")


def _standings(viewer: Viewer) -> Iterator[Slide]:
    table = documents.standings_of(viewer)
    if table.after and viewer.event.phase != Phase.CUT:
        yield from _pages("standings", table.standings, STANDING_GRIDS)


def _bracket(viewer: Viewer) -> Iterator[Slide]:
    if documents.has_cut(viewer):
        playing = [one for one in documents.cut_of(viewer).matches if one.first.player and one.second.player]
        newest = playing[-BRACKET:][::-1]
        if newest:
            yield Slide("bracket", newest, columns=2, rows=-(-len(newest) // 2), seconds=LEAST_S + len(newest) // 2)


def _pages(part: str, lines: Sequence[Any], grids: Sequence[tuple[int, int]]) -> Iterator[Slide]:
    """Slides of a list: in the largest letters with which it is on one, else in the smallest."""
    columns, rows = next((grid for grid in grids if len(lines) <= grid[0] * grid[1]), grids[-1])
    most = columns * rows
    pages = -(-len(lines) // most)
    for page in range(pages):
        some = lines[page * most : (page + 1) * most]
        yield Slide(part, some, page + 1, pages, columns, rows, LEAST_S + len(some) // LINES_A_SECOND)


def _ticker(viewer: Viewer, played: PlayedRound | None) -> Mapping[str, Any]:
    if played is None:
        return {"published": None, "missing": 0, "changes": [], "standings": None}
    missing = sum(seat.table is not None and seat.result is None for seat in played.seats)
    return {
        "published": played.published_at,
        "missing": missing if played.closed_at is None and viewer.event.phase in _PLAYING else 0,
        "changes": [one.sentence for one in documents.changes_of(viewer, played.number).changes],
        "standings": documents.standings_of(viewer).after or None,
    }
