"""Magic Online's `.dek`: a flat list, in which a card is in the sideboard or it is not.

Magic Online finds a card by its own catalogue number, which is written as 0. Every section but the sideboard becomes
the main deck; there is no place for a title or a printing. Ids and annotations are passed over; whatever Magic Online
does not write is a fault.
"""

from verifier.decklist.draft import Draft
from verifier.decklist.fields import Wrong
from verifier.decklist.markup import DECLARATION, TEXT, Element, Shape, empty, filled, read_root, start
from verifier.decklist.model import Decklist, Line
from verifier.decklist.sections import SIDEBOARD

_NAMESPACES = {
    "xmlns:xsd": "http://www.w3.org/2001/XMLSchema",
    "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
}
_BOOLEANS = {"": False, "false": False, "true": True}
"""A Sideboard that says nothing is a fault of the shape already."""

_CARDS = Shape(needed=("Sideboard",), attributes=("Quantity", "Name", "CatID", "Annotation"))
_DECK = Shape(
    attributes=tuple(_NAMESPACES),
    children={"Cards": _CARDS, "NetDeckID": TEXT, "PreconstructedDeckID": TEXT},
)


def parse(text: str, draft: Draft) -> None:
    """Read a deck that Magic Online wrote."""
    for child in read_root(text, draft, "Deck", _DECK).children:
        if child.tag == "Cards":
            _read_cards(child, draft)


def write(decklist: Decklist) -> str:
    """A deck in Magic Online's form."""
    return "\n".join(
        [
            DECLARATION,
            start("Deck", _NAMESPACES),
            "  " + filled("NetDeckID", {}, "0"),
            "  " + filled("PreconstructedDeckID", {}, "0"),
            *("  " + _cards(line) for line in decklist.lines),
            "</Deck>",
            "",
        ]
    )


def _read_cards(cards: Element, draft: Draft) -> None:
    sideboard = _BOOLEANS.get(cards.attributes.get("Sideboard", "").lower())
    if sideboard is None:
        draft.fault(cards.line, str(cards), Wrong("Sideboard is neither true nor false", 'Sideboard="false"'))
    draft.card(
        cards.line,
        str(cards),
        count=cards.attributes.get("Quantity", ""),
        name=cards.attributes.get("Name", ""),
        section=draft.section(cards.line, SIDEBOARD) if sideboard else None,
    )


def _cards(line: Line) -> str:
    sideboard = "true" if line.section == SIDEBOARD else "false"
    return empty("Cards", {"CatID": 0, "Quantity": line.count, "Sideboard": sideboard, "Name": line.name})
