"""Where the matches of a bracket stand in a drawing: a column a round, each match between those that lead to it.

Numbers are the units of the picture; what is written in a box, and how it looks, is the template's.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from tournament.api.schemas import CutDocument, CutMatch

BOX_WIDTH: Final = 200
BOX_HEIGHT: Final = 46
GAP: Final = 44
"""Between columns."""
ROW: Final = 62
"""From one match of the first round to the next."""
HEAD: Final = 30
"""Above a part, for the names of its rounds."""
NOBODY: Final = frozenset({"bye", "nobody came so far", "not needed"})
LATE: Final = frozenset({"grand final", "grand final, second match"})


@dataclass(frozen=True, slots=True)
class Box:
    """A match, by its upper left corner."""

    match: CutMatch
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of a round above its column."""

    words: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing."""

    boxes: Sequence[Box]
    headings: Sequence[Heading]
    lines: Sequence[str]
    """Paths, from a match to the one that its winner plays next."""
    width: int
    height: int


def draw(cut: CutDocument) -> Picture:
    """Lay a bracket out: the main bracket above, the lower one under it, the grand final behind both."""
    boxes: list[Box] = []
    headings: list[Heading] = []
    top = 0
    shown = [match for match in cut.matches if not _is_idle(match)]
    for part in ("main bracket", "lower bracket"):
        columns = [list(some) for _, some in groupby((m for m in shown if m.part == part), lambda match: match.round)]
        if columns:
            headings += [Heading(some[0].round, _x(column), top + HEAD - 12) for column, some in enumerate(columns)]
            boxes += _part(columns, top + HEAD)
            top = max(box.y for box in boxes) + ROW
    last = max((box.x for box in boxes), default=0)
    for match in shown:
        if match.part in LATE:
            last += BOX_WIDTH + GAP
            headings.append(Heading(match.round, last, HEAD - 12))
            boxes.append(Box(match, last, HEAD + ROW // 2))
        elif match.part == "third-place match":
            headings.append(Heading(match.round, last, top + HEAD - 12))
            boxes.append(Box(match, last, top + HEAD))
            top += HEAD + ROW
    places = {box.match.match: box for box in boxes}
    return Picture(
        boxes=boxes,
        headings=headings,
        lines=list(_lines(places)),
        width=max((box.x for box in boxes), default=0) + BOX_WIDTH + 2,
        height=max((box.y for box in boxes), default=0) + BOX_HEIGHT + 2,
    )


def _part(columns: Sequence[Sequence[CutMatch]], top: int) -> list[Box]:
    """The first column evenly, every other match in the middle of those whose winners it gets."""
    boxes: list[Box] = []
    for column, matches in enumerate(columns):
        before = [box for box in boxes if box.x == _x(column - 1)]
        for place, match in enumerate(matches):
            feeding = [box.y for box in before if box.match.winner_to == match.match]
            evenly = top + place * ROW * 2 ** max(0, column if len(matches) < len(columns[0]) else 0)
            boxes.append(Box(match, _x(column), sum(feeding) // len(feeding) if feeding else evenly))
    return boxes


def _x(column: int) -> int:
    return column * (BOX_WIDTH + GAP) + 1


def _lines(places: Mapping[str, Box]) -> Iterator[str]:
    for box in places.values():
        to = places.get(box.match.winner_to or "")
        if to is not None and to.x > box.x:
            begin, end = box.x + BOX_WIDTH, to.x
            yield f"M{begin} {box.y + BOX_HEIGHT // 2}H{end - GAP // 2}V{to.y + BOX_HEIGHT // 2}H{end}"


def _is_idle(match: CutMatch) -> bool:
    """Nobody plays it, and nobody waits in it."""
    nobody = match.first.player is None and match.second.player is None
    return match.outcome is not None and match.outcome.how in NOBODY and nobody
