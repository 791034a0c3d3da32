"""The syntaxes by name, which of them a source is in, and reading and writing in any of them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType

from verifier.decklist import cod, csv, dek, json, o8d, text
from verifier.decklist.draft import MOST_LINES, Draft
from verifier.decklist.fields import Wrong
from verifier.decklist.model import Decklist, SyntaxNotKnown, unreadable
from verifier.decklist.sections import Sections
from verifier.decklist.source import MOST_MARKUP_BYTES, MOST_TEXT_BYTES, check_size, text_of


@dataclass(frozen=True, slots=True)
class Syntax:
    """One way to write a decklist."""

    name: str
    """As `parse_decklist` and `write_decklist` take it."""
    title: str
    """As people call it."""
    extension: str
    """Of a file in this syntax, with its dot."""
    media_type: str
    most_bytes: int
    """Longest source that is read, in UTF-8."""
    parse: Callable[[str, Draft], None]
    write: Callable[[Decklist], str]


_ALL = (
    Syntax("text", "Text (Arena)", ".txt", "text/plain", MOST_TEXT_BYTES, text.parse, text.write),
    Syntax("cod", "Cockatrice", ".cod", "application/xml", MOST_MARKUP_BYTES, cod.parse, cod.write),
    Syntax("o8d", "OCTGN", ".o8d", "application/xml", MOST_MARKUP_BYTES, o8d.parse, o8d.write),
    Syntax("dek", "Magic Online", ".dek", "application/xml", MOST_MARKUP_BYTES, dek.parse, dek.write),
    Syntax("csv", "CSV", ".csv", "text/csv", MOST_MARKUP_BYTES, csv.parse, csv.write),
    Syntax("json", "JSON (Deckproof)", ".json", "application/json", MOST_MARKUP_BYTES, json.parse, json.write),
)

SYNTAXES: Mapping[str, Syntax] = MappingProxyType({syntax.name: syntax for syntax in _ALL})

_BY_EXTENSION = {syntax.extension: syntax.name for syntax in _ALL if syntax.name != "text"}
"""`.txt` tells nothing: people paste anything into a text file."""

_BY_ROOT = {"cockatrice_deck": "cod", "deck": "o8d", "Deck": "dek"}
_ROOT = re.compile(r"<(cockatrice_deck|deck|Deck)[\s/>]")
_XML_OPENINGS = ("<?xml", "<!--", "<!doctype")


def parse_decklist(
    source: str | bytes,
    *,
    syntax: str | None = None,
    filename: str | None = None,
    sections: Sections | None = None,
) -> Decklist:
    """Read a decklist.

    Args:
        source: What was pasted or uploaded; bytes in UTF-8, or in UTF-16 or UTF-32 with a byte order mark.
        syntax: A name in `SYNTAXES`. Without it the file's extension tells, then the content.
        filename: Name of the uploaded file; only its extension is looked at.
        sections: The section names of the game's format, as a mapping each with its aliases. Any other header is then
            a fault. Without them any words that are plainly a header name a section.

    Raises:
        DecklistUnreadable: with every fault of the source.
        SyntaxNotKnown: there is no syntax of that name.
    """
    content = text_of(source)
    chosen = _syntax(syntax or _syntax_of(content, filename))
    check_size(content, chosen.most_bytes)
    draft = Draft(sections)
    chosen.parse(content, draft)
    decklist = draft.finish()
    _check_fits_text(decklist)
    return decklist


def write_decklist(decklist: Decklist, syntax: str = "text") -> str:
    """Write a decklist; docs/guide/decklists.md says what each syntax cannot hold.

    Raises:
        SyntaxNotKnown: there is no syntax of that name.
    """
    return _syntax(syntax).write(decklist)


def _syntax(name: str) -> Syntax:
    if name not in SYNTAXES:
        raise SyntaxNotKnown(name, tuple(SYNTAXES))
    return SYNTAXES[name]


def _syntax_of(content: str, filename: str | None) -> str:
    extension = PurePath(filename or "").suffix.lower()
    return _BY_EXTENSION.get(extension) or _syntax_by_content(content)


def _syntax_by_content(content: str) -> str:
    start = content.lstrip()
    if start.startswith("{"):
        return "json"
    root = _ROOT.search(start)
    if root and (root.start() == 0 or start.lower().startswith(_XML_OPENINGS)):
        return _BY_ROOT[root[1]]
    if csv.is_table(content):
        return "csv"
    return "text"


def _check_fits_text(decklist: Decklist) -> None:
    """A list from any syntax can be written as text and read again, because it keeps the limits of text."""
    written = text.write(decklist)
    check_size(written, MOST_TEXT_BYTES)
    rows = len(text.lines_of(written))
    if rows > MOST_LINES:
        wrong = f"with a header wherever the section changes it has {rows} lines"
        raise unreadable(0, "", Wrong(wrong, f"at most {MOST_LINES} lines, the cards of a section together"))
