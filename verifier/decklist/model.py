"""The decklist as a value, what makes one unreadable, and the form of it that is hashed."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from verifier.decklist.fields import (
    MOST_COPIES,
    Wrong,
    read_count,
    read_name,
    read_number,
    read_section,
    read_set_code,
    read_title,
)
from verifier.decklist.fold import fold
from verifier.errors import VerifierError

CANONICAL_FORM = "deckproof decklist 1"
"""First line of the canonical bytes; another form would be another number, so no two forms can hash alike."""


@dataclass(frozen=True, slots=True)
class Line:
    """So many copies of a card in a section, and which printing if the player said so.

    Two lines that say the same are equal wherever they stand: `line` is not compared.
    """

    count: int
    """1 to 99."""
    name: str
    """As the player wrote it, its white space tidied; compare names by `fold`."""
    section: str | None = None
    """None: the main deck, or a list without sections."""
    set_code: str | None = None
    """2 to 8 capitals and digits. None: any printing."""
    number: int | None = None
    """Collector number, only ever beside a set code. None: any of the set."""
    line: int = field(default=0, compare=False)
    """Where it stands in the source, from 1; 0 for a line that was not read from one."""

    def __post_init__(self) -> None:
        unfit = (
            read_count(str(self.count)) != self.count
            or read_name(self.name) != self.name
            or (self.section is not None and read_section(self.section) != self.section)
            or (self.set_code is not None and read_set_code(self.set_code) != self.set_code)
            or (self.number is not None and (not self.set_code or read_number(str(self.number)) != self.number))
        )
        if unfit:
            raise ValueError(f"no decklist can hold {self!r}")


@dataclass(frozen=True, slots=True)
class Decklist:
    """What a player registers: lines in the player's order, and the deck's title if it has one."""

    lines: tuple[Line, ...]
    title: str | None = None

    def __post_init__(self) -> None:
        if self.title is not None and read_title(self.title) != self.title:
            raise ValueError(f"no decklist can hold the title {self.title!r}")
        if too_many := overfull(self.lines):
            raise ValueError(f"more than {MOST_COPIES} copies of {too_many[0][0].name!r}")


@dataclass(frozen=True, slots=True)
class LineFault:
    """One thing that is wrong in a source, and what would be right."""

    line: int
    """From 1; 0 where the fault is the whole list's."""
    text: str
    """The offending text, safe to print: cut short, invisible characters escaped. Still data: a page escapes it."""
    wrong: str
    right: str

    def __str__(self) -> str:
        where = f"line {self.line}" if self.line else "the list"
        said = f" ({self.text})" if self.text else ""
        return f"{where}{said}: {self.wrong}; right would be: {self.right}"


@dataclass(eq=False)
class DecklistUnreadable(VerifierError):
    """The decklist cannot be read."""

    faults: tuple[LineFault, ...]
    """Every fault that was found, in the order of the lines; never empty."""

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))


@dataclass(eq=False)
class SyntaxNotKnown(VerifierError):
    """No decklist syntax has this name."""

    name: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name!r} is not a decklist syntax; the syntaxes are {', '.join(self.known)}"


def unreadable(line: int, text: str, wrong: Wrong) -> DecklistUnreadable:
    """The refusal for a source that a single fault makes unreadable."""
    return DecklistUnreadable((LineFault(line, text, wrong.wrong, wrong.right),))


def overfull(lines: Iterable[Line]) -> list[tuple[Line, int]]:
    """The line at which a card goes over 99 copies in the whole list, with the copies so far; one a card."""
    copies: Counter[str] = Counter()
    found: dict[str, tuple[Line, int]] = {}
    for line in lines:
        name = fold(line.name)
        copies[name] += line.count
        if copies[name] > MOST_COPIES:
            found.setdefault(name, (line, copies[name]))
    return list(found.values())


def summed(decklist: Decklist) -> Decklist:
    """The same cards with one line for each name in each section.

    In order of first mention, which also gives the spelling, the printing and the line; the printing is dropped where
    the summed lines disagree about it.
    """
    lines: dict[tuple[str | None, str], Line] = {}
    for line in decklist.lines:
        key = (None if line.section is None else fold(line.section), fold(line.name))
        first = lines.get(key)
        lines[key] = line if first is None else _sum(first, line)
    return replace(decklist, lines=tuple(lines.values()))


def by_section(decklist: Decklist) -> dict[str | None, list[Line]]:
    """The lines of each section, sections and lines in order of first mention."""
    sections: dict[str | None, list[Line]] = {}
    for line in decklist.lines:
        sections.setdefault(line.section, []).append(line)
    return sections


def canonical(decklist: Decklist) -> bytes:
    """The bytes by which two decklists are the same deck; a deck's hash is the hash of these.

    UTF-8, each line ended by a line feed. First `deckproof decklist 1`; then for every card of every section the folded
    section (empty for none), the summed count in decimal and the folded name, between them one tabulator; sorted by
    section, then name, in code point order. Unambiguous, because nothing folded holds a tabulator or a line feed.

    Title, order, spelling and printing are left out: they do not make another deck. The list is to be read with the
    sections of its game, so that every alias of a section has become its one name.
    """
    rows = sorted((fold(line.section or ""), fold(line.name), line.count) for line in summed(decklist).lines)
    body = (f"{section}\t{count}\t{name}" for section, name, count in rows)
    return "".join(f"{row}\n" for row in (CANONICAL_FORM, *body)).encode()


def _sum(first: Line, again: Line) -> Line:
    count = first.count + again.count
    if (first.set_code, first.number) == (again.set_code, again.number):
        return replace(first, count=count)
    return replace(first, count=count, set_code=None, number=None)
