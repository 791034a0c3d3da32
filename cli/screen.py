"""Text from elsewhere, made fit for a terminal."""

import unicodedata
from typing import Final

_UNSEEN: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Control characters, halves of characters, ends of lines and paragraphs."""
_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of what stands around them. Source: UAX #9."""


def plain_text(text: str) -> str:
    """The text on one line, with nothing in it that could steer a terminal or turn its neighbours around."""
    return "".join("\ufffd" if _is_unfit(letter) else letter for letter in text)


def _is_unfit(letter: str) -> bool:
    return letter in _TURNING or unicodedata.category(letter) in _UNSEEN
