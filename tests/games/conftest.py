"""The shipped decks as slots, read by ten lines of our own: reading decklists is another package's work."""

import re
from collections.abc import Callable

import pytest
from hypothesis import settings

from games import library
from games.formats import Slot

settings.register_profile("untimed", deadline=None)  # a busy machine is no finding
settings.load_profile("untimed")

_LINE = re.compile(r"(\d+) (.+) \((\w+)\) (\d+)")


def _read_deck(game: str, name: str) -> list[Slot]:
    catalogue = library.catalogue(game)
    slots: list[Slot] = []
    section: str | None = None
    for number, text in enumerate(library.decks(game)[name].splitlines(), start=1):
        if card := _LINE.fullmatch(text):
            found = catalogue.find(card[2], card[3], int(card[4]))
            slots.append(Slot(section, found, int(card[1]), number))
        elif text and not text.startswith("#"):
            section = text
    return slots


@pytest.fixture(scope="session")
def read_deck() -> Callable[[str, str], list[Slot]]:
    """Read a shipped deck by game and name."""
    return _read_deck
