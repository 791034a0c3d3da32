"""Decklists: text to value and back, in six syntaxes.

    parse_decklist(source) -> Decklist          whatever was pasted or uploaded, or every fault in it
    write_decklist(decklist, syntax) -> str     as text in the shape of Arena, or for another program
    summed(decklist) -> Decklist                one line for each card of a section
    canonical(decklist) -> bytes                what is hashed into a deck's hash
    fold(name) -> str                           by which names are compared

Pure: nothing is opened, no game and no collection is known here. A name is any text, markup included; whoever shows it
escapes it. docs/guide/decklists.md tells players the same.

    syntaxes ──► one module a syntax ──► markup ──► draft ──► sections ──► source ──► model ──► fields ──► fold
"""

from verifier.decklist.draft import MOST_LINES
from verifier.decklist.fields import LONGEST_NAME, LONGEST_SECTION, LONGEST_TITLE, MOST_COPIES
from verifier.decklist.fold import fold
from verifier.decklist.model import (
    Decklist,
    DecklistUnreadable,
    Line,
    LineFault,
    SyntaxNotKnown,
    by_section,
    canonical,
    summed,
)
from verifier.decklist.sections import Sections
from verifier.decklist.source import MOST_MARKUP_BYTES, MOST_TEXT_BYTES
from verifier.decklist.syntaxes import SYNTAXES, Syntax, parse_decklist, write_decklist

__all__ = [
    "LONGEST_NAME",
    "LONGEST_SECTION",
    "LONGEST_TITLE",
    "MOST_COPIES",
    "MOST_LINES",
    "MOST_MARKUP_BYTES",
    "MOST_TEXT_BYTES",
    "SYNTAXES",
    "Decklist",
    "DecklistUnreadable",
    "Line",
    "LineFault",
    "Sections",
    "Syntax",
    "SyntaxNotKnown",
    "by_section",
    "canonical",
    "fold",
    "parse_decklist",
    "summed",
    "write_decklist",
]
