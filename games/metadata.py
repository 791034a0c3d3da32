"""The metadata documents that wallets and shops show for each token id, and the hash that a set is published under.

A document is data for display: nothing in it is markup, and no rule is ever read back from it.

Source: ERC-1155, "Metadata": the JSON schema (name, decimals, description, properties), and `{id}` as 64 lower-case hex
digits without 0x.
"""

import hashlib
import json
from collections.abc import Mapping

from games.cards import CardSet, Printing

HEX_DIGITS = 64
"""Source: ERC-1155: a token id is written "leading zero padded to 64 hex characters length"."""


def file_name(token_id: int) -> str:
    """The name under which the document of a token id is served."""
    return f"{token_id:0{HEX_DIGITS}x}.json"


def document(printing: Printing, card_set: CardSet, *, soulbound: bool) -> dict[str, object]:
    """The metadata document of a printing's ordinary or soulbound copies."""
    card = printing.card
    return {
        "name": card.name,
        "description": "\n".join(part for part in (card.text, printing.flavor) if part),
        "decimals": 0,
        "properties": {
            "game": card_set.game,
            "set": {"code": card_set.code, "name": card_set.name, "number": card_set.number},
            "number": printing.number,
            "type": card.type,
            "traits": {name: list(values) for name, values in card.traits.items()},
            "stats": dict(card.stats),
            "text": card.text,
            "limit": card.limit,
            "soulbound": soulbound,
        },
    }


def documents(card_set: CardSet) -> dict[str, dict[str, object]]:
    """Every document of a set by file name: two a printing, in order of number."""
    return {
        file_name(token): document(printing, card_set, soulbound=soulbound)
        for printing in card_set.printings
        for token, soulbound in zip(printing.token_ids, (False, True), strict=True)
    }


def canonical_json(value: Mapping[str, object]) -> bytes:
    """The one way to write a value as JSON: keys sorted, no spaces, UTF-8; whole numbers only, so no float differs."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()


def set_root(card_set: CardSet) -> bytes:
    """The 32 bytes under which a set is published.

    They are the SHA-256 of the canonical JSON of all the set's documents by file name. So they commit to every word
    and number that any holder of a card is shown, to the set's name, code and number, and to which token ids the set
    has; anybody who has the served files can check them without this program. They do not commit to print runs or art.
    """
    return hashlib.sha256(canonical_json(documents(card_set))).digest()
