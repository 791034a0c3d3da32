"""Results as scorekeepers type them: `12 2-1`, `12 2-1-1`, `12 draw`, `12 2-0 no-show`, `M1.2 2-0`; words or lines.

At a table of several the players by their places: `12 17,4=9,3` (17 has won, 4 and 9 share the second place), or the
winner alone, `12 17,rest`.
"""

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import typer

from cli.desk import lines_of_input

ENDINGS: Final = {"no-show": "no-show", "concession": "concession", "penalty": "penalty"}
"""What may stand behind games; a draw and a double loss say it alone."""
_PLACE: Final = re.compile(r"\d{1,7}|[ML]\d{1,2}\.\d{1,5}|GF2?|3RD", re.ASCII)
"""A table of a round, or a match of the cut as its bracket names it."""
_GAMES: Final = re.compile(r"(\d{1,2})[-:](\d{1,2})(?:[-:](\d{1,2}))?", re.ASCII)
_PLACES: Final = re.compile(r"\d{1,7}(?:=\d{1,7})*(?:,\d{1,7}(?:=\d{1,7})*)*(?:,rest)?", re.ASCII)
REST: Final = "rest"
"""Everybody who is not named shares the last place."""
_DRAW: Final = "draw"
_DOUBLE_LOSS: Final = "double-loss"
_USAGE: Final = (
    "write a table and its result: 12 2-1, 12 2-1-1, 12 draw, 12 double-loss, 12 2-0 no-show; "
    "at a table of several the places: 12 17,4=9,3 or 12 17,rest"
)


@dataclass(frozen=True, slots=True)
class Report:
    """A table or a match, and what it came to."""

    place: str
    first: int
    second: int
    drawn: int
    ending: str
    places: tuple[tuple[int, ...], ...] = ()
    """At a table of several, the best first."""
    has_rest: bool = False
    """Everybody else there shares the last place."""

    def __str__(self) -> str:
        return f"{'match' if self.is_match else 'table'} {self.place}"

    @property
    def is_match(self) -> bool:
        """It is a match of the cut."""
        return not self.place.isdigit()

    @property
    def is_agreed(self) -> bool:
        """A draw before the first game, whose games hang on the match format."""
        return self.ending == "intentional draw"

    @property
    def needs_seat(self) -> bool:
        """What it says hangs on who sits there."""
        return self.has_rest or self.ending in {"intentional draw", "double loss"}

    @property
    def is_of_two(self) -> bool:
        """Whether it says games won, which no table of several has; the server says so."""
        return not self.places and not self.has_rest and self.ending == "played"

    def games(self, best_of: int, seat: Mapping[str, Any] | None = None) -> Mapping[str, object]:
        """As the API has them; the places where the report has any, or the seat is one of several.

        Source: Magic Tournament Rules 2.4: an intentional draw is reported as 0-0-3 in a best of three.
        """
        if self.places or (seat is not None and seat.get("others") and not self.is_of_two):
            named = {player for place in self.places for player in place}
            rest = [player for player in players_of(seat or {}) if player not in named] if self.has_rest else []
            return {"places": [*map(list, self.places), *([rest] if rest else [])], "ending": self.ending}
        drawn = best_of if self.is_agreed else self.drawn
        return {"first": self.first, "second": self.second, "drawn": drawn, "ending": self.ending}


def reports_from(words: Sequence[str] | None, spelled: Callable[[Sequence[str]], Sequence[str]] = list) -> list[Report]:
    """The reports of a command line, or of the lines of standard input.

    Args:
        words: of the command line; none: standard input is read.
        spelled: writes out what is short in a line, where one line is one slip.

    Raises:
        BadParameter: every word that is none, and every table or match that is there with two results.
    """
    if words:
        reports, faults = _read(" ".join(words).split())
    else:
        if sys.stdin is None or sys.stdin.isatty():
            raise typer.BadParameter(_USAGE)
        reports, faults = [], []
        for number, line in enumerate(lines_of_input(), start=1):
            found, wrong = _read(spelled(line.split()))
            reports += found
            faults += [f"line {number}: {fault}" for fault in wrong]
    faults += _twice(reports)
    if faults:
        raise typer.BadParameter("\n".join([*faults, _USAGE]))
    if not reports:
        raise typer.BadParameter(_USAGE)
    return list(dict.fromkeys(reports))


def read_one(words: Sequence[str]) -> Report | None:
    """What the words of one report say; None if they are none."""
    reports, faults = _read(words)
    return reports[0] if len(reports) == 1 and not faults else None


def _read(words: Sequence[str]) -> tuple[list[Report], list[str]]:
    reports: list[Report] = []
    faults: list[str] = []
    at = 0
    while at < len(words):
        place, result = words[at].upper(), words[at + 1] if at + 1 < len(words) else ""
        ending = ENDINGS.get(words[at + 2], "") if at + 2 < len(words) else ""
        read = _one(place, result, ending)
        if read is None:
            faults.append(f"{' '.join(words[at : at + 2])!r} is no report")
        else:
            reports.append(read)
        at += 3 if ending else 2
    return reports, faults


def _one(place: str, result: str, ending: str) -> Report | None:
    if not _PLACE.fullmatch(place):
        return None
    place = str(int(place)) if place.isdigit() else place
    if result in {_DRAW, _DOUBLE_LOSS} and not ending:
        return Report(place, 0, 0, 0, "intentional draw" if result == _DRAW else "double loss")
    if (games := _GAMES.fullmatch(result)) is None:
        return None if ending else _placed(place, result)
    first, second, drawn = (int(count or 0) for count in games.groups())
    return Report(place, first, second, drawn, ending or "played")


def _placed(place: str, result: str) -> Report | None:
    """Places of several: at least two numbers, or a word for the others."""
    if not place.isdigit() or not _PLACES.fullmatch(result) or not {",", "="} & set(result):
        return None
    groups = [group for group in result.split(",") if group != REST]
    places = tuple(tuple(map(int, group.split("="))) for group in groups)
    return Report(place, 0, 0, 0, "played", places, result.endswith(REST))


def players_of(seat: Mapping[str, Any]) -> list[int]:
    """Everybody at a table, or the holder of a bye."""
    there = (seat.get("first"), seat.get("second"), *seat.get("others", ()))
    return [player for player in there if player is not None]


def named(players: Iterable[int], names: Mapping[int, str], between: str = " - ") -> str:
    """Players with their numbers."""
    return between.join(f"{names.get(player, '?')} ({player})" for player in players)


def _twice(reports: Iterable[Report]) -> list[str]:
    first: dict[str, Report] = {}
    return [f"{one} has two results" for one in reports if first.setdefault(one.place, one) != one]


def score_of(games: Mapping[str, Any]) -> str:
    """A result as people say it: `2-1`, `1-1-1`, `2-0 no-show`; of several `17,4=9,3`."""
    if "places" in games:
        places = ",".join("=".join(map(str, place)) for place in games["places"])
        return " ".join(filter(None, (places, "" if games["ending"] == "played" else str(games["ending"]))))
    drawn = f"-{games['drawn']}" if games["drawn"] else ""
    ending = "" if games["ending"] == "played" else f" {games['ending']}"
    return f"{games['first']}-{games['second']}{drawn}{ending}"


def said_of(report: Report, best_of: int, seat: Mapping[str, Any] | None, names: Mapping[int, str]) -> str:
    """What was reported, with the names of those who sit there."""
    came = report.games(best_of, seat)
    score = score_of(came)
    if seat is None:
        return f"{report}: {score}"
    if "places" in came:
        return f"{report}: {placed_of(came, names) or came['ending']}"
    first, second = (names.get(seat[side], "?") for side in ("first", "second"))
    games, _, ending = score.partition(" ")
    return f"{report}: {first} {games} {second}{f' ({ending})' if ending else ''}"


def placed_of(came: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """The places of several, with names."""
    said = ", ".join(" = ".join(names.get(player, "?") for player in place) for place in came["places"])
    return said if came["ending"] == "played" or not said else f"{said} ({came['ending']})"
