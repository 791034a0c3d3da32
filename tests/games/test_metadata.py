"""Metadata documents and the hash of a set."""

import hashlib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import library
from games.cards import SOULBOUND, Card, CardSet, Printing, token_id
from games.metadata import canonical_json, document, documents, file_name, set_root

OPENING_NIGHT = library.card_sets("cps")[0]


def test_a_file_name_is_the_token_id_as_erc_1155_writes_it() -> None:
    # ERC-1155, "Metadata": token id 314592 (0x4CCE0) is this string
    assert file_name(314592) == "000000000000000000000000000000000000000000000000000000000004cce0.json"


@given(st.integers(0, 2**256 - 1))
def test_a_file_name_is_sixty_four_lower_case_hex_digits_without_prefix(token: int) -> None:
    digits, ending = file_name(token).split(".")
    assert (len(digits), digits.lower(), ending) == (64, digits, "json")
    assert int(digits, 16) == token


def test_a_document_tells_the_card() -> None:
    frump = next(printing for printing in OPENING_NIGHT.printings if printing.card.name == "RONALD FRUMP")
    assert document(frump, OPENING_NIGHT, soulbound=False) == {
        "name": "RONALD FRUMP",
        "description": "When this Influencer cancels an opposing Influencer, gain 2 Body Counts instead of 1. "
        "Limit 1 per deck.\nHe asked for bigger letters.",
        "decimals": 0,
        "properties": {
            "game": "cps",
            "set": {"code": "OPN", "name": "Opening Night", "number": 1},
            "number": 74,
            "type": "Influencer",
            "traits": {"domain": ["Reality", "Power"]},
            "stats": {"life": 7, "damage": 2, "cred": 1},
            "text": "When this Influencer cancels an opposing Influencer, gain 2 Body Counts instead of 1. "
            "Limit 1 per deck.",
            "limit": 1,
            "soulbound": False,
        },
    }


def test_every_printing_has_an_ordinary_and_a_soulbound_document() -> None:
    files = documents(OPENING_NIGHT)
    assert len(files) == 2 * len(OPENING_NIGHT.printings)
    ordinary, soulbound = file_name(token_id(1, 74)), file_name(token_id(1, 74) | SOULBOUND)
    assert files[soulbound]["name"] == files[ordinary]["name"] == "RONALD FRUMP"
    assert [b'"soulbound":true' in canonical_json(files[name]) for name in (ordinary, soulbound)] == [False, True]


def test_a_name_that_looks_like_markup_stays_plain_text() -> None:
    name = "<svg onload=alert(1)>"
    card_set = CardSet("cps", 9, "BAD", "Bad", (Printing(Card(name, "Swag"), 9, "BAD", 1),))
    for text in documents(card_set).values():
        assert json.loads(canonical_json(text))["name"] == name


def test_canonical_json_is_sorted_dense_and_utf_8() -> None:
    assert canonical_json({"b": [1, True, None], "a": {"d": "\u00e9", "c": 0}}) == (
        b'{"a":{"c":0,"d":"\xc3\xa9"},"b":[1,true,null]}'
    )


def test_the_root_can_be_checked_from_the_served_files_alone() -> None:
    served = {name: json.loads(json.dumps(body, indent=4)) for name, body in documents(OPENING_NIGHT).items()}
    text = json.dumps(served, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert set_root(OPENING_NIGHT) == hashlib.sha256(text.encode("utf-8")).digest()


def test_the_root_has_32_bytes_and_does_not_depend_on_the_order_of_the_printings() -> None:
    backwards = replace(OPENING_NIGHT, printings=OPENING_NIGHT.printings[::-1])
    assert len(set_root(OPENING_NIGHT)) == 32
    assert set_root(backwards) == set_root(OPENING_NIGHT)


FIRST = OPENING_NIGHT.printings[0]


def _with_first(printing: Printing) -> CardSet:
    return replace(OPENING_NIGHT, printings=(printing, *OPENING_NIGHT.printings[1:]))


def _with_first_card(card: Card) -> CardSet:
    return _with_first(replace(FIRST, card=card))


@pytest.mark.parametrize(
    "other",
    [
        replace(OPENING_NIGHT, name="Closing Night"),
        replace(OPENING_NIGHT, code="CLO"),
        replace(OPENING_NIGHT, printings=OPENING_NIGHT.printings[1:]),
        _with_first(replace(FIRST, flavor="Other.")),
        _with_first_card(replace(FIRST.card, name="Magnus Reel")),
        _with_first_card(replace(FIRST.card, type="Influencer")),
        _with_first_card(replace(FIRST.card, traits={"domain": ("Cinema",)})),
        _with_first_card(replace(FIRST.card, stats={"life": 99})),
        _with_first_card(replace(FIRST.card, text="When the game begins, gain 2 CRED.")),
        _with_first_card(replace(FIRST.card, limit=1)),
    ],
)
def test_the_root_commits_to_every_word_and_number_shown(other: CardSet) -> None:
    assert set_root(other) != set_root(OPENING_NIGHT)
