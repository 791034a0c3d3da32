"""Results as scorekeepers write them in short: `2` or `2-1` for a match, `2431` for a table of several.

A digit stands for a result of the event's format, the first player's best one first; `0` is a draw that was agreed.
Where several play at a table, digits are seats: `2431` places seat 2 first, and with `=` two share a place.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from tournament.domain.model import Ending, Result
from tournament.domain.results import MatchFormat, decided_scores, double_loss, intentional_draw

T = TypeVar("T")
DRAW: Final = "0"
NOBODY: Final = "x"
"""Both lose, or all do."""
_GAMES: Final = re.compile(r"(\d)[-:]?(\d)(?:[-:]?(\d))?", re.ASCII)
_WORDS: Final = {"draw": DRAW, "double-loss": NOBODY}
_ENDINGS: Final = {str(ending): ending for ending in (Ending.NO_SHOW, Ending.CONCESSION, Ending.PENALTY)}
_MOST_SEATS: Final = 9


def digits(best_of: int) -> Mapping[str, Result]:
    """What a digit means, in order."""
    match_format = MatchFormat(best_of)
    decided = (Result(*games) for games in decided_scores(match_format))
    return {str(digit): result for digit, result in enumerate(decided, start=1)} | {
        DRAW: intentional_draw(match_format)
    }


def read_result(words: Sequence[str], best_of: int) -> Result | None:
    """A result of two, as `2`, `21`, `2-1-1`, `draw`, `x`, or `2-0 no-show`; None if the words are none.

    Whether it can be so, the rules of results say.
    """
    if not words or len(words) > 2:  # noqa: PLR2004 - games and how it ended
        return None
    said = _WORDS.get(words[0].lower(), words[0].lower())
    if said == NOBODY and len(words) == 1:
        return double_loss()
    found = digits(best_of).get(said)
    if found is None and (games := _GAMES.fullmatch(said)):
        one, other, drawn = (int(count or 0) for count in games.groups())
        found = Result(one, other, drawn)
    if found is None or len(words) == 1:
        return found
    ending = _ENDINGS.get(words[1].lower())
    return None if ending is None else replace(found, ending=ending)


def read_places(words: Sequence[str], players: Sequence[T]) -> tuple[tuple[tuple[T, ...], ...], Ending] | None:
    """The places of several, as `2431`, `2=431`, `2` for a winner before all others, `0`, `x`; None if it is none.

    Args:
        words: one word.
        players: at the table, in the order of their seats.

    Returns:
        Who is placed, the best first, and how it ended.
    """
    if len(words) != 1 or not 1 < len(players) <= _MOST_SEATS:
        return None
    said = _WORDS.get(words[0].lower(), words[0].lower())
    if said == DRAW:
        return (tuple(players),), Ending.INTENTIONAL_DRAW
    if said == NOBODY:
        return (), Ending.DOUBLE_LOSS
    groups = re.findall(r"\d(?:=\d)*", said)
    seats = [[int(seat) for seat in group.split("=")] for group in groups]
    named = [seat for group in seats for seat in group]
    if "".join(groups) != said or len(set(named)) < len(named) or not set(named) <= set(range(1, len(players) + 1)):
        return None
    if len(named) == 1:
        seats.append([seat for seat in range(1, len(players) + 1) if seat not in named])
    elif len(named) < len(players):
        return None
    return tuple(tuple(players[seat - 1] for seat in sorted(group)) for group in seats), Ending.PLAYED
