"""OCTGN's `.o8d`: sections of cards, each card an element with its name as text.

OCTGN finds a card by the ids of its own game definition, which nobody but the definition's author knows; they are
written as zeros, for the player to fill in. It has no place for a title or a printing. Ids, sleeves, notes and whether
a section is shared are passed over; whatever OCTGN does not write is a fault.

Source: OCTGN, DeckExtensionMethods.cs, `Save` and `Load`.
"""

from verifier.decklist.draft import Draft
from verifier.decklist.markup import DECLARATION, TEXT, Element, Shape, filled, read_root, start
from verifier.decklist.model import Decklist, by_section

_MAIN = "Main"
_NO_ID = "00000000-0000-0000-0000-000000000000"

_CARD = Shape(attributes=("qty", "id"), has_text=True)
_SECTION = Shape(needed=("name",), attributes=("shared",), children={"card": _CARD})
_DECK = Shape(attributes=("game", "sleeveid", "shared"), children={"section": _SECTION, "notes": TEXT})


def parse(text: str, draft: Draft) -> None:
    """Read a deck that OCTGN wrote."""
    for child in read_root(text, draft, "deck", _DECK).children:
        if child.tag == "section":
            _read_section(child, draft)


def write(decklist: Decklist) -> str:
    """A deck for OCTGN; a section's cards stand together."""
    rows = [DECLARATION, start("deck", {"game": _NO_ID})]
    for section, lines in by_section(decklist).items():
        rows.append("  " + start("section", {"name": section or _MAIN, "shared": "False"}))
        rows += ["    " + filled("card", {"qty": line.count, "id": _NO_ID}, line.name) for line in lines]
        rows.append("  </section>")
    return "\n".join([*rows, "  " + filled("notes", {}, ""), "</deck>", ""])


def _read_section(section: Element, draft: Draft) -> None:
    name = draft.section(section.line, section.attributes.get("name", ""))
    for card in section.children:
        if card.tag in _SECTION.children:
            draft.card(card.line, str(card), count=card.attributes.get("qty", ""), name=card.text, section=name)
