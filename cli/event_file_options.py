"""What several commands of an event file are given: the file, players, results."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from cli import asking
from tournament.domain.amounts import counted
from tournament.domain.errors import FileUnreadable, PlayersRefused, ResultsRefused
from tournament.domain.model import Ending, PlayerId, Result
from tournament.domain.results import MatchFormat, contradictions, result_faults
from tournament.event_file import MOST_BYTES, Event
from tournament.event_file.names import player_called
from tournament.interchange.building import decoded

File = Annotated[Path, typer.Argument(metavar="FILE", help="The event file; - reads standard input.")]
FileToChange = Annotated[Path, typer.Argument(metavar="FILE", help="The event file, which is changed.")]
Results = Annotated[
    list[str] | None,
    typer.Argument(metavar="RESULTS", help="Such as 12 2-1, or 12 2-0 concession; several, or - for lines."),
]
MOST_PLAYERS: Final = 20_000
FROM_STANDARD_INPUT: Final = "-"


def text_of(path: Path) -> str:
    """A text file, or standard input for `-`."""
    content = asking.source_of(path, MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise typer.BadParameter(f"{path}: has more than {MOST_BYTES:,} bytes")
    try:
        return decoded(content, "a list")
    except FileUnreadable as error:
        raise typer.BadParameter(f"{path}: {error.faults[0].problem}") from error


def in_file(event: Event, number: int) -> int:
    """The number, if the file has that round."""
    if number > len(event.played):
        raise typer.BadParameter(f"there is no round {number}; the file has {counted(len(event.played), 'round')}")
    return number


def players_called(event: Event, words: Sequence[str]) -> list[PlayerId]:
    """The players that words mean, each once, by id or by name.

    Raises:
        PlayersRefused: with every word that means nobody.
    """
    ids = {player.id for player in event.players}
    found = [player_called(event, word) for word in words]
    if strange := [one for one in found if one not in ids]:
        raise PlayersRefused(strange)
    return list(dict.fromkeys(PlayerId(one) for one in found))


# --- results ----------------------------------------------------------------------------------------------------------

_GAMES: Final = re.compile(r"(\d{1,6})-(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)
ENDINGS: Final[Mapping[str, Ending]] = {str(ending).replace(" ", "-"): ending for ending in Ending}
"""Endings as one word each."""


def result_of(games: str, ending: str | None, best_of: MatchFormat | None) -> Result:
    """The result that `--games` and `--ending` tell."""
    found = _GAMES.fullmatch(games)
    if found is None:
        raise typer.BadParameter(f"--games {games!r}: {_HOW}")
    known = ENDINGS.get((ending or Ending.PLAYED).replace(" ", "-"))
    if known is None:
        raise typer.BadParameter(f"--ending {ending!r}: it may be {', '.join(Ending)}")
    result = _result(found, known)
    if wrong := contradictions(result):
        raise typer.BadParameter(f"--ending {ending!r}: {wrong[0].sentence}")
    if wrong := result_faults(result, best_of):
        raise typer.BadParameter(f"--games {games!r}: {wrong[0].sentence}")
    return result


def results_in(words: Sequence[str], best_of: MatchFormat | None) -> list[tuple[str, Result]]:
    """Results as they are called out: where, games, and the ending if it is not the usual one.

    Args:
        words: one after the other; or just `-`, for lines of standard input, with commas or spaces between the words.
        best_of: how many games decide a match, if somebody said so.

    Raises:
        ResultsRefused: with everything that is none.
    """
    faults: list[str] = []
    if list(words) != [FROM_STANDARD_INPUT]:
        results = list(_results(words, best_of, "", faults))
    else:
        lines = enumerate(text_of(Path(FROM_STANDARD_INPUT)).splitlines(), start=1)
        told = ((at, re.split(r"[\s,;]+", line.strip(" \t,;"))) for at, line in lines if line.strip(" \t,;"))
        results = [one for at, line in told for one in _results(line, best_of, f"line {at}: ", faults)]
    if faults:
        raise ResultsRefused(faults)
    return results


def _results(
    words: Sequence[str], best_of: MatchFormat | None, place: str, faults: list[str]
) -> Iterator[tuple[str, Result]]:
    left = list(words)
    while left:
        where, games = left.pop(0), left.pop(0) if left else ""
        ending = ENDINGS[left.pop(0)] if left and left[0] in ENDINGS else Ending.PLAYED
        found = _GAMES.fullmatch(games)
        if found is None:
            faults.append(f"{place}{where} {games or 'without games'}: {_HOW}, then {', '.join(ENDINGS)} if need be")
            continue
        result = _result(found, ending)
        wrong = result_faults(result, best_of)
        faults += [f"{place}{where} {fault.sentence}" for fault in wrong]
        if not wrong:
            yield where, result


_HOW: Final = "write games won by the first and the second player, as in 2-0 or 1-1-1"


def _result(found: re.Match[str], ending: Ending) -> Result:
    first, second, drawn = (int(games or 0) for games in found.groups())
    return Result(first, second, drawn, ending)
