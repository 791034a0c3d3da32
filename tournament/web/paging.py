"""Long lists: a page of them, and where somebody is whose name was typed."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Generic, TypeVar

from fastapi import Query

from tournament.service.commands import NO_NUL
from verifier.decklist.fold import fold

T = TypeVar("T")
PAGE: Final = 400
"""Lines; more would not come to a phone in one go."""
MOST_FOUND: Final = 8
_LETTERS: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})
"""Letters that are no others with an accent, as people without them on their keyboard write them."""
MOST_PAGES: Final = 100_000
Named = Annotated[str, Query(max_length=100, pattern=NO_NUL)]
"""What somebody typed to find a name."""
PageNumber = Annotated[int, Query(ge=0, le=MOST_PAGES)]
"""From 1; 0 is the whole list, for printing."""


@dataclass(frozen=True)
class Listed(Generic[T]):
    """A page of a list."""

    lines: Sequence[T]
    page: int
    pages: int
    total: int
    found: Sequence[T]
    """Lines with the name that was typed, wherever they are; the first few."""
    sought: str
    """What was typed, made plain; empty for nothing."""

    def is_found(self, name: str) -> bool:
        """Whether a line has the name that was typed."""
        return bool(self.sought) and self.sought in plain(name)


def page_of(lines: Sequence[T], sought: str, page: int, *, of: Callable[[T], str], size: int = PAGE) -> Listed[T]:
    """A page of a list, and whoever is sought.

    Args:
        lines: all, in order.
        sought: a part of a name, as somebody typed it.
        page: from 1; 0 for all of it.
        of: the name in a line.
        size: lines of a page.
    """
    typed = plain(sought)
    found = [line for line in lines if typed in plain(of(line))] if typed else []
    pages = max(1, -(-len(lines) // size))
    shown = lines if page == 0 else lines[(page - 1) * size : page * size]
    return Listed(shown, page, pages, len(lines), found[:MOST_FOUND], typed)


def plain(name: str) -> str:
    """A name as it is found: in small letters and without accents, so that `wojcik` finds Wójcik."""
    apart = unicodedata.normalize("NFKD", fold(name).translate(_LETTERS))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
