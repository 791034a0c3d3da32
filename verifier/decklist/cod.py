"""Cockatrice's `.cod`: zones of cards.

Written as Cockatrice does: `main` for the main deck, `side` for the sideboard, any other section under its own name,
the printing as `setShortName` and `collectorNumber`. Comments, tags, banner and sideboard plans are passed over.
"""

from verifier.decklist.draft import Draft
from verifier.decklist.fields import Wrong
from verifier.decklist.markup import DECLARATION, Element, empty, filled, read_root, start
from verifier.decklist.model import Decklist, Line, by_section
from verifier.decklist.sections import SIDEBOARD

_ZONES = {None: "main", SIDEBOARD: "side"}


def parse(text: str, draft: Draft) -> None:
    """Read a deck that Cockatrice wrote."""
    for child in read_root(text, draft, "cockatrice_deck").children:
        if child.tag == "deckname":
            draft.title(child.line, child.text)
        elif child.tag == "zone":
            _read_zone(child, draft)


def write(decklist: Decklist) -> str:
    """A deck for Cockatrice; a section's cards stand together."""
    rows = [
        DECLARATION,
        start("cockatrice_deck", {"version": 1}),
        "    " + filled("deckname", {}, decklist.title or ""),
        "    " + filled("comments", {}, ""),
    ]
    for section, lines in by_section(decklist).items():
        rows.append("    " + start("zone", {"name": _ZONES.get(section, section)}))
        rows += ["        " + _card(line) for line in lines]
        rows.append("    </zone>")
    return "\n".join([*rows, "</cockatrice_deck>", ""])


def _read_zone(zone: Element, draft: Draft) -> None:
    section = draft.section(zone.line, zone.attributes.get("name", ""))
    for card in zone.children:
        if card.tag != "card":
            draft.fault(
                card.line, str(card), Wrong("only cards stand in a zone", '<card number="1" name="Ronald Frump"/>')
            )
            continue
        draft.card(
            card.line,
            str(card),
            count=card.attributes.get("number", ""),
            name=card.attributes.get("name", ""),
            section=section,
            set_code=card.attributes.get("setShortName", ""),
            number=card.attributes.get("collectorNumber", ""),
        )


def _card(line: Line) -> str:
    return empty(
        "card",
        {
            "number": line.count,
            "name": line.name,
            "setShortName": line.set_code,
            "collectorNumber": line.number,
        },
    )
