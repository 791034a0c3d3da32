"""The values of an event file, each read by itself: a value that does not fit is noted, and None stands for it."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Final, TypeAlias

from tournament.domain.letters import UNSEEN
from tournament.event_file.model import LONGEST_ID, LONGEST_NOTE, LONGEST_TEXT, MOST_NUMBER, VERSION, FileRule
from tournament.event_file.strict_json import Doubled, NotANumber, Path

MOST_FAULTS: Final = 1_000
"""That are told of a file; whoever wrote more of them did not write an event file."""


class Enough(Exception):
    """So much is wrong that nothing more is looked for; never leaves the package."""


@dataclass(slots=True)
class Found:
    """What is wrong so far."""

    faults: list[tuple[Path, FileRule, str]] = field(default_factory=list)
    guesses: int = 20
    """Slips that still get the nearest right word; among thousands of players it takes a while to find."""

    def note(self, path: Path, rule: FileRule, message: str) -> None:
        """Note a fault, with the place and a sentence that begins where the place ends.

        Raises:
            Enough: it was one more than are told.
        """
        if len(self.faults) >= MOST_FAULTS:
            raise Enough
        self.faults.append((path, rule, message))

    def nearest(self, word: str, known: Iterable[str], otherwise: str = "") -> str:
        """The end of a sentence that says that a word is unknown."""
        if self.guesses:
            self.guesses -= 1
            for near in get_close_matches(word, list(known), n=1):
                return f"; did you mean {near!r}?"
        return otherwise


Read: TypeAlias = Callable[[object, Path, Found], Any]


# --- texts ------------------------------------------------------------------------------------------------------------

_UNFIT = re.compile(f"[\t\n{UNSEEN}]")
_UNFIT_IN_NOTES = re.compile(f"[{UNSEEN}]")


def text_up_to(longest: int, unfit: re.Pattern[str] = _UNFIT) -> Read:
    """A text of one line, unless `unfit` lets lines end in it."""

    def read(value: object, path: Path, found: Found) -> str | None:
        if not isinstance(value, str):
            found.note(path, FileRule.TYPE, f"is {_kind(value)}; it must be a text")
        elif not 1 <= len(value) <= longest:
            found.note(path, FileRule.RANGE, f"has {len(value):,} characters; it must have 1 to {longest:,}")
        elif wrong := unfit.search(value):
            found.note(path, FileRule.TEXT, f"has the character U+{ord(wrong[0]):04X}, which no reader would see")
        else:
            return value
        return None

    return read


text = text_up_to(LONGEST_TEXT)
note = text_up_to(LONGEST_NOTE, _UNFIT_IN_NOTES)
_short = text_up_to(LONGEST_ID)


def player_id(value: object, path: Path, found: Found) -> str | None:
    """An id; spaces around one are never meant."""
    read: str | None = _short(value, path, found)
    if read is not None and read != read.strip():
        found.note(path, FileRule.TEXT, f"{read!r} has spaces around it; take them away")
        return None
    return read


def one_of(choices: Iterable[str]) -> Read:
    """One of these words."""
    known = tuple(map(str, choices))

    def read(value: object, path: Path, found: Found) -> str | None:
        if not isinstance(value, str):
            found.note(path, FileRule.TYPE, f"is {_kind(value)}; it must be a text")
        elif value not in known:
            near = found.nearest(value, known, f"; it may be {', '.join(known)}")
            found.note(path, FileRule.CHOICE, f"{_shown(value)} is not known here{near}")
        else:
            return value
        return None

    return read


# --- numbers ----------------------------------------------------------------------------------------------------------


def whole_from(least: int) -> Read:
    """A whole number from `least`."""

    def read(value: object, path: Path, found: Found) -> int | None:
        if type(value) is not int:
            found.note(path, FileRule.TYPE, f"is {_kind(value)}; it must be a whole number")
        elif not least <= value <= MOST_NUMBER:
            found.note(path, FileRule.RANGE, f"is {_shown(value)}; it must be {least} to {MOST_NUMBER:,}")
        else:
            return value
        return None

    return read


def flag(value: object, path: Path, found: Found) -> bool | None:
    """True or false."""
    if isinstance(value, bool):
        return value
    found.note(path, FileRule.TYPE, f"is {_kind(value)}; it must be true or false")
    return None


def number_of(choices: Iterable[int]) -> Read:
    """One of these numbers."""
    known = tuple(map(int, choices))

    def read(value: object, path: Path, found: Found) -> int | None:
        if type(value) is not int:
            found.note(path, FileRule.TYPE, f"is {_kind(value)}; it must be a whole number")
        elif value not in known:
            found.note(path, FileRule.CHOICE, f"is {_shown(value)}; it may be {', '.join(map(str, known))}")
        else:
            return value
        return None

    return read


_version = whole_from(1)


def version(value: object, path: Path, found: Found) -> int | None:
    """A version of the format that is read here."""
    read: int | None = _version(value, path, found)
    if read is not None and read != VERSION:
        found.note(path, FileRule.VERSION, f"is {read}; this program reads version {VERSION}")
    return read


# --- lists ------------------------------------------------------------------------------------------------------------


def list_of(read: Read) -> Read:
    """Whatever can be read of a list, each item with its path."""

    def read_all(value: object, path: Path, found: Found) -> list[tuple[Path, Any]] | None:
        if not isinstance(value, list):
            found.note(path, FileRule.TYPE, f"is {_kind(value)}; it must be a list")
            return None
        places = [(*path, at) for at in range(len(value))]
        items = [read(item, place, found) for place, item in zip(places, value, strict=True)]
        return [(place, item) for place, item in zip(places, items, strict=True) if item is not None]

    return read_all


def exactly(count: int, read: Read, what: str) -> Read:
    """A list of so many, all of them readable."""
    return from_to(count, count, read, what)


def from_to(least: int, most: int, read: Read, what: str) -> Read:
    """A list of at least and at most so many, all of them readable."""
    wanted = str(least) if least == most else f"{least} to {most}"

    def read_all(value: object, path: Path, found: Found) -> tuple[Any, ...] | None:
        if not isinstance(value, list):
            found.note(path, FileRule.TYPE, f"is {_kind(value)}; it must be a list")
            return None
        if not (is_so := least <= len(value) <= most):
            found.note(path, FileRule.RANGE, f"has {len(value)} in it; it must have {wanted}: {what}")
        items = [read(item, (*path, at), found) for at, item in enumerate(value)]
        return tuple(items) if is_so and None not in items else None

    return read_all


# --- objects ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shape:
    """The members of an object, and how each is read."""

    readers: Mapping[str, Read]
    optional: Collection[str] = ()
    elsewhere: Collection[str] = ()
    """Members that have no place here, and about which somebody else complains."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """What would be right where a member is missing."""


def members_of(value: object, path: Path, found: Found, shape: Shape) -> dict[str, Any]:
    """The members that could be read, without notes; what is missing, unknown or there twice is noted."""
    if not isinstance(value, dict):
        found.note(path, FileRule.TYPE, f"is {_kind(value)}; it must be an object")
        return {}
    if isinstance(value, Doubled):
        for key in value.twice:
            found.note((*path, key), FileRule.KEY_TWICE, "is there twice, and only one of the two can count")
    members = {}
    for key, member in value.items():
        if key in shape.readers:
            read = shape.readers[key](member, (*path, key), found)
            if read is not None:
                members[key] = read
        elif key not in shape.elsewhere:
            near = found.nearest(key, shape.readers, f"; the fields here are {', '.join(shape.readers)}")
            found.note((*path, key), FileRule.FIELD_UNKNOWN, f"{_shown(key)} is not a field{near}")
    for key in shape.readers:
        if key not in value and key not in shape.optional:
            found.note(path, FileRule.FIELD_MISSING, f"{key!r} is missing{shape.instead.get(key, '')}")
    members.pop("note", None)
    return members


def anything(value: object, path: Path, found: Found) -> dict[str, Any] | None:
    """An object with whatever in it, as long as every program reads the same in it."""
    if not isinstance(value, dict):
        found.note(path, FileRule.TYPE, f"is {_kind(value)}; it must be an object")
        return None
    before = len(found.faults)
    _read_alike(value, path, found)
    return value if len(found.faults) == before else None


def _read_alike(value: object, path: Path, found: Found) -> None:
    if isinstance(value, NotANumber):
        found.note(path, FileRule.TYPE, f"is {_kind(value)}")
    if isinstance(value, Doubled):
        for key in value.twice:
            found.note((*path, key), FileRule.KEY_TWICE, "is there twice, and only one of the two can count")
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(inner, dict | list | NotANumber):
                _read_alike(inner, (*path, step), found)


# --- words for what is there ------------------------------------------------------------------------------------------

_KINDS: Final = {
    type(None): "null",
    bool: "true or false",
    str: "a text",
    int: "a number",
    float: "a number with a point",
    list: "a list",
}


def _kind(value: object) -> str:
    if isinstance(value, NotANumber):
        return f"{value.word}, which JSON does not have"
    return _KINDS.get(type(value), "an object")


_LONGEST_SHOWN: Final = 60


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…"
