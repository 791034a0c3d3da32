"""What may stand in each field of a decklist, whatever syntax carries it.

Each reader answers with the value or with what is `Wrong`; none raises, so that all of a list's faults are found at
once.
"""

import unicodedata
from dataclasses import dataclass

from verifier.decklist.fold import fold

FEWEST_COPIES, MOST_COPIES = 1, 99
"""Copies on one line, and of one card in the whole list: two digits, or a repeated line would dodge the limit."""

LONGEST_NAME = 150
"""Characters. The longest name printed on a trading card so far has 141."""

LONGEST_TITLE = 100
LONGEST_SECTION = 40
LONGEST_NUMBER = 6
SHORTEST_SET_CODE, LONGEST_SET_CODE = 2, 8

_LONGEST_SHOWN = 60

_REFUSED_CATEGORIES = frozenset({"Cc", "Cs", "Cn", "Co", "Zl", "Zp"})
"""Control, surrogate, unassigned, private, line and paragraph separator.

An unassigned character is refused because Unicode promises only for assigned ones that folding never changes, and a
deck's hash has to be the same in ten years.
"""

_DIRECTION_CHANGES = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""They make a name look like another one."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong with a field, and what would be right."""

    wrong: str
    right: str


def shown(text: str) -> str:
    """Text as it may stand in a message: cut short, and whatever cannot be seen written as an escape."""
    cut = text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "\u2026"
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in cut)


def refused_character(text: str) -> Wrong | None:
    """The first character that no decklist holds, if there is one; a tabulator is white space."""
    for char in text:
        if (unicodedata.category(char) in _REFUSED_CATEGORIES and char != "\t") or char in _DIRECTION_CHANGES:
            called = " ".join(filter(None, (f"U+{ord(char):04X}", unicodedata.name(char, ""))))
            return Wrong(f"the character {called} may not stand in a decklist", "the same text without it")
    return None


def read_count(text: str) -> int | Wrong:
    """A whole number from 1 to 99 in the ASCII digits, without sign or leading zero."""
    if len(text) <= len(str(MOST_COPIES)) and text.isascii() and text.isdigit() and not text.startswith("0"):
        return int(text)
    if not text:
        wrong = "the count is missing"
    elif any(char.isdigit() and not char.isascii() for char in text):
        wrong = f"the count '{shown(text)}' is not written in the digits 0 to 9"
    else:
        wrong = f"'{shown(text)}' is not a count from {FEWEST_COPIES} to {MOST_COPIES}"
    right = f"a whole number from {FEWEST_COPIES} to {MOST_COPIES}, without sign or zero before it, such as 4"
    return Wrong(wrong, right)


def read_name(text: str) -> str | Wrong:
    """The name as written, its white space tidied."""
    return _read_line(text, "name", LONGEST_NAME)


def read_title(text: str) -> str | Wrong:
    """The deck's title as written, its white space tidied."""
    return _read_line(text, "title", LONGEST_TITLE)


def read_section(text: str) -> str | Wrong:
    """The words of a section header, for a game whose sections are not known."""
    words = " ".join(text.split())
    if (
        refused_character(text)
        or len(words) > LONGEST_SECTION
        or not words[:1].isalpha()
        or any(char.isdigit() or char == ":" for char in words)
        or fold(words) == "about"  # the heading under which Arena puts the title
    ):
        return Wrong(
            f"'{shown(text)}' is not the header of a section",
            f"at most {LONGEST_SECTION} characters, a letter first, no digit, no colon, such as Influencers",
        )
    return words


def read_set_code(text: str) -> str | Wrong | None:
    """2 to 8 ASCII letters and digits, in capitals; None for an empty text."""
    if not text:
        return None
    if SHORTEST_SET_CODE <= len(text) <= LONGEST_SET_CODE and text.isascii() and text.isalnum():
        return text.upper()
    return Wrong(
        f"'{shown(text)}' is not the code of a set",
        f"{SHORTEST_SET_CODE} to {LONGEST_SET_CODE} letters and digits such as STR, or no set at all",
    )


def read_number(text: str) -> int | Wrong | None:
    """A collector number in at most six ASCII digits, 004 being 4; None for an empty text."""
    if not text:
        return None
    if len(text) <= LONGEST_NUMBER and text.isascii() and text.isdigit():
        return int(text)
    return Wrong(
        f"the collector number '{shown(text)}' is not a whole number",
        f"at most {LONGEST_NUMBER} digits such as 4, or neither set nor number",
    )


def _read_line(text: str, what: str, longest: int) -> str | Wrong:
    refused = refused_character(text)
    if refused:
        return refused
    tidy = " ".join(text.split())
    if len(tidy) > longest:
        return Wrong(f"the {what} has {len(tidy)} characters", f"at most {longest} characters")
    if not fold(tidy):
        return Wrong(f"the {what} is missing", f"a {what} that can be seen")
    return tidy
