"""A decklist while it is read: the lines so far, and every fault on the way."""

from verifier.decklist.fields import (
    MOST_COPIES,
    Wrong,
    read_count,
    read_name,
    read_number,
    read_set_code,
    read_title,
    shown,
)
from verifier.decklist.model import Decklist, DecklistUnreadable, Line, LineFault, overfull
from verifier.decklist.sections import SectionNames, Sections

MOST_LINES = 200
"""Entries of a list in any syntax, and lines of a text that are not blank."""

_MOST_FAULTS = 5 * MOST_LINES
"""Each field of each line; only markup that is no deck at all has more."""


class Draft:
    """What a syntax writes down while it reads; the rules of the fields are applied here, the same for all syntaxes.

    Every method takes where the text stands: the line, from 1, and what stands there.
    """

    def __init__(self, sections: Sections | None) -> None:
        self.sections = SectionNames(sections)
        self._lines: list[Line] = []
        self._faults: list[LineFault] = []
        self._entries = 0
        self._title: str | None = None

    def fault(self, at: int, text: str, wrong: Wrong) -> None:
        """Write down a fault and read on.

        Raises:
            DecklistUnreadable: there are so many faults by now that this is no decklist.
        """
        if len(self._faults) == _MOST_FAULTS:
            raise self._refusal()
        self._faults.append(LineFault(at, shown(text), wrong.wrong, wrong.right))

    def stop(self, at: int, text: str, wrong: Wrong) -> DecklistUnreadable:
        """The refusal for a source that cannot be read on, with the faults found before."""
        self.fault(at, text, wrong)
        return self._refusal()

    def section(self, at: int, text: str) -> str | None:
        """The section that a header names; after a fault the main deck, which then does not matter."""
        section = self.sections.read(text)
        if isinstance(section, Wrong):
            self.fault(at, text, section)
            return None
        return section

    def title(self, at: int, text: str) -> None:
        """The deck's title; a blank one is none."""
        if not text.strip():
            return
        title = read_title(text)
        if isinstance(title, Wrong):
            self.fault(at, text, title)
        else:
            self._title = title

    def card(  # noqa: PLR0913 - a line of a decklist has this many fields
        self,
        at: int,
        text: str,
        *,
        count: str,
        name: str,
        section: str | None,
        set_code: str = "",
        number: str = "",
    ) -> None:
        """A line of the list, its fields as written; a collector number without a set names nothing and is dropped."""
        self._entries += 1
        if self._entries > MOST_LINES:
            raise self.stop(
                at, text, Wrong(f"the list goes on after {MOST_LINES} lines", f"at most {MOST_LINES} lines")
            )
        copies, called, of_set = read_count(count), read_name(name), read_set_code(set_code)
        numbered = read_number(number) if set_code else None
        for field in (copies, called, of_set, numbered):
            if isinstance(field, Wrong):
                self.fault(at, text, field)
        if not (
            isinstance(copies, Wrong)
            or isinstance(called, Wrong)
            or isinstance(of_set, Wrong)
            or isinstance(numbered, Wrong)
        ):
            self._lines.append(Line(copies, called, section, of_set, numbered, line=at))

    def finish(self) -> Decklist:
        """The list.

        Raises:
            DecklistUnreadable: there was a fault, or there is no card, or too many copies of one.
        """
        for line, copies in overfull(self._lines):
            self.fault(
                line.line,
                line.name,
                Wrong(f"this makes {copies} copies of the card in the whole list", f"at most {MOST_COPIES} copies"),
            )
        if not self._lines and not self._faults:
            self.fault(
                0, "", Wrong("there is no card in it", "a count and a name on each line, such as 1 Ronald Frump")
            )
        if self._faults:
            raise self._refusal()
        return Decklist(tuple(self._lines), self._title)

    def _refusal(self) -> DecklistUnreadable:
        return DecklistUnreadable(tuple(sorted(self._faults, key=lambda fault: fault.line)))
