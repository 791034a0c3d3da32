"""Which section does a header name?"""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import TypeAlias

from verifier.decklist.fields import LONGEST_SECTION, Wrong, read_section, shown
from verifier.decklist.fold import fold

Sections: TypeAlias = Collection[str] | Mapping[str, Collection[str]]
"""The section names of a game's format; in a mapping, each with its aliases."""

MAIN_WORDS = ("Deck", "Main", "Mainboard", "Maindeck", "Main deck")
"""Headers of other programs for the cards of no section of their own."""

SIDEBOARD = "Sideboard"

_ALIASES: dict[str, tuple[str, ...]] = {
    SIDEBOARD: ("side", "side board", "sb"),
    "Commander": ("commanders",),
    "Companion": ("companions",),
}


class SectionNames:
    """The headers that name a section, and what they name.

    Without the sections of a game, any words that `read_section` takes are a section. With them, only those sections,
    their aliases and the main words, which name none (unless the game has a section called so).
    """

    def __init__(self, sections: Sections | None) -> None:
        aliases = sections if isinstance(sections, Mapping) else dict.fromkeys(sections or (), ())
        if unfit := [name for name in aliases if read_section(name) != name]:
            raise ValueError(f"not the name of a section: {unfit[0]!r}")
        self._of_game = None if sections is None else tuple(aliases)
        self._meant: dict[str, str | None] = dict.fromkeys(map(fold, MAIN_WORDS))
        for name, words in _ALIASES.items():
            if self._of_game is None or name in self._of_game:
                self._meant |= dict.fromkeys(map(fold, (name, *words)), name)
        for name, others in aliases.items():
            self._meant |= dict.fromkeys(map(fold, (name, *others)), name)

    @property
    def takes_any_words(self) -> bool:
        """The game's sections are not known."""
        return self._of_game is None

    def knows(self, text: str) -> bool:
        """Is it the name of a section by itself, wherever it stands?"""
        return fold(header_words(text)) in self._meant

    def read(self, text: str) -> str | Wrong | None:
        """The section's right name; None for a main word and for no text at all."""
        words = " ".join(header_words(text).split())
        key = fold(words)
        if not words or key in self._meant:
            return self._meant.get(key)
        if self._of_game is None:
            return read_section(words)
        return Wrong(f"'{shown(text)}' is not a section of this game", self._right(key))

    def suggestion(self, text: str) -> str:
        """What would be right instead of a line that is neither a card nor a section."""
        if self._of_game is None:
            return f"1 {shown(text)} if it is a card, {shown(text)}: if it is a section"
        return f"1 {shown(text)} if it is a card; if it is a section, {self._right(fold(header_words(text)))}"

    def _right(self, key: str) -> str:
        named = {word: name for word, name in self._meant.items() if name}
        near = get_close_matches(key, named, n=1) if len(key) <= 2 * LONGEST_SECTION else []
        return named[near[0]] if near else "one of " + ", ".join(self._of_game or MAIN_WORDS[:1])


def header_words(text: str) -> str:
    """A header without what may follow its words: a colon, the number of its cards in parentheses."""
    words = text.strip().removesuffix(":").rstrip()
    head, bracket, number = words.removesuffix(")").rpartition("(")
    if words.endswith(")") and bracket and head.strip() and number.strip().isdigit():
        words = head.rstrip().removesuffix(":").rstrip()
    return words
