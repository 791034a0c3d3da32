"""Names of players: any script, and nothing that makes one name look like another.

Source: UAX #9 (characters that change the direction of what stands around them); UAX #15 (NFC: an accent has one form).
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Annotated, Final

from pydantic import AfterValidator, StringConstraints

from tournament.domain.letters import UNSEEN
from verifier.decklist import fold

LONGEST: Final = 100
"""Characters."""
_REFUSED: Final = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control, half a character, private, unassigned, line and paragraph separator."""
_BLANK_BRAILLE: Final = "\u2800 "
"""A letter without a dot is one, and nobody sees it."""
_UNSEEN: Final = re.compile(f"[{UNSEEN}]")


def seen(text: str) -> str:
    """The text, if every letter of it can be seen, as an event file wants it. Raises: ValueError."""
    if found := _UNSEEN.search(text):
        raise ValueError(f"has the character U+{ord(found[0]):04X}, which no reader would see")
    return text


def _tidy(name: str) -> str:
    for letter in seen(name):
        if unicodedata.category(letter) in _REFUSED:
            raise ValueError(f"the character U+{ord(letter):04X} may not stand in a name")
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not fold(tidy).strip(_BLANK_BRAILLE):
        raise ValueError("nothing of the name can be seen")
    if len(tidy) > LONGEST:
        raise ValueError(f"the name has {len(tidy)} characters; {LONGEST} at most")
    return tidy


PlayerName = Annotated[str, StringConstraints(min_length=1, max_length=2 * LONGEST), AfterValidator(_tidy)]
"""A player's name, its white space tidied."""


def alike(named: Iterable[tuple[int, str]]) -> list[list[int]]:
    """Numbers whose names fold to the same text, in order; a name that nobody shares is left out."""
    by_name: dict[str, list[int]] = {}
    for number, name in named:
        by_name.setdefault(fold(name), []).append(number)
    return sorted(sorted(numbers) for numbers in by_name.values() if len(numbers) > 1)
