"""What goes where on paper: slips that stay in order when a stack of them is cut, names that fit."""

import unicodedata
from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")
SLIPS: Final = 8
"""On a sheet: two beside each other, four below each other."""
_STEPS: Final = ((24, "short"), (48, "long"), (80, "longer"))
"""Up to so many letters a name is set in letters of that size; above, in the smallest."""
_WIDE: Final = frozenset("WF")


def stacked(items: Sequence[T], on_a_sheet: int = SLIPS) -> list[list[T | None]]:
    """Sheets whose stack, cut and laid on each other from the first place to the last, is in order.

    So a place has consecutive items from sheet to sheet, and the next place goes on where the last sheet ends.

    Args:
        items: in the order of the finished stack.
        on_a_sheet: places of a sheet.

    Returns:
        The sheets, each with all its places; None for a place that stays empty.
    """
    sheets = -(-len(items) // on_a_sheet)
    return [
        [items[at] if (at := place * sheets + sheet) < len(items) else None for place in range(on_a_sheet)]
        for sheet in range(sheets)
    ]


def size_of(name: str) -> str:
    """The step of size in which a name fits, by its letters; those of East Asia are twice as wide."""
    letters = sum(2 if unicodedata.east_asian_width(letter) in _WIDE else 1 for letter in name)
    return next((step for most, step in _STEPS if letters <= most), "longest")
