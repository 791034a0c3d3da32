"""Cockatrice's `.cod`: zones of cards.

Written as Cockatrice does: `main` for the main deck, `side` for the sideboard, any other section under its own name,
the printing as `setShortName` and `collectorNumber`. Comments, tags, banner, playmat and sideboard plans are passed
over; whatever Cockatrice does not write is a fault.

Source: Cockatrice, libcockatrice_deck_list: deck_list.cpp, sideboard_plan.cpp, abstract_deck_list_card_node.cpp.
"""

from verifier.decklist.draft import Draft
from verifier.decklist.markup import DECLARATION, TEXT, Element, Shape, empty, filled, read_root, start
from verifier.decklist.model import Decklist, Line, by_section
from verifier.decklist.sections import SIDEBOARD

_ZONES = {None: "main", SIDEBOARD: "side"}

_CARD = Shape(attributes=("number", "name", "setShortName", "collectorNumber", "uuid", "price"))
"""The price is of old versions."""

_ZONE = Shape(needed=("name",), children={"card": _CARD})
_MOVE = Shape(children={"card_name": TEXT, "start_zone": TEXT, "target_zone": TEXT})
_PLAYMAT = Shape(
    attributes=("providerId", "marginPctL", "marginPctR", "verticalOffset", "zoom"),
    has_text=True,
)
_DECK = Shape(
    attributes=("version",),
    children={
        "zone": _ZONE,
        "deckname": TEXT,
        "comments": TEXT,
        "format": TEXT,
        "lastLoadedTimestamp": TEXT,
        "bannerCard": Shape(attributes=("providerId",), has_text=True),
        "playmatCard": _PLAYMAT,
        "tags": Shape(children={"tag": TEXT}),
        "sideboard_plan": Shape(children={"name": TEXT, "move_card_to_zone": _MOVE}),
    },
)


def parse(text: str, draft: Draft) -> None:
    """Read a deck that Cockatrice wrote."""
    for child in read_root(text, draft, "cockatrice_deck", _DECK).children:
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
        if card.tag in _ZONE.children:
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
