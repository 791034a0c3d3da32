"""What an event promised of its passes: a manifest, or a list of keys."""

import json

import pytest
from eth_hash.auto import keccak

from tests.verifier.passes.making import ADDRESSES
from verifier.errors import ManifestUnreadable, TermsUnreadable
from verifier.manifest import BlockRule, CardContract, DeckFormat, Manifest, Policy, Quorum, Window, write_manifest
from verifier.passes import NO_CHAIN, KeyList, Terms, parse_terms, write_key_list

SALT = "0x" + "5a" * 32
LIST = KeyList("Friday night", SALT, ADDRESSES)
TEXT = write_key_list(LIST)


def manifest() -> Manifest:
    return Manifest(
        event="Spring Open",
        salt=SALT,
        chain_id=137,
        collections=(CardContract(ADDRESSES[2], "0x" + "cc" * 32),),
        catalogue="0x" + "ca" * 32,
        deck_format=DeckFormat("cps", "standard", 1),
        block_rule=BlockRule(1_780_000_000, None),
        policy=Policy.FLAG,
        quorum=Quorum(2, 3),
        keys=ADDRESSES[:2],
        check_in=Window(1_780_000_000, 1_780_003_600),
    )


def test_a_key_list_names_the_event_by_the_hash_of_its_bytes() -> None:
    assert parse_terms(TEXT) == Terms("Friday night", keccak(TEXT.encode()), NO_CHAIN, ADDRESSES)
    assert json.loads(TEXT) == {
        "format": "deckproof-keys",
        "version": 1,
        "event": "Friday night",
        "salt": SALT,
        "keys": list(ADDRESSES),
    }


def test_a_manifest_does_so_by_its_own_id() -> None:
    text = write_manifest(manifest()).decode()
    assert parse_terms(text) == Terms("Spring Open", keccak(text.encode()), 137, ADDRESSES[:2])


def test_another_salt_name_key_or_order_is_another_event() -> None:
    others = [
        KeyList("Friday night", "0x" + "5b" * 32, ADDRESSES),
        KeyList("Friday nigh", SALT, ADDRESSES),
        KeyList("Friday night", SALT, ADDRESSES[:2]),
        KeyList("Friday night", SALT, ADDRESSES[::-1]),
    ]
    assert len({LIST.event_id, *(other.event_id for other in others)}) == 5


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (" " + TEXT, "one way"),
        (TEXT.replace('"version":1', '"version":1,"more":2'), "one way"),
        (TEXT.replace('"version":1', '"version":1,"version":1'), "one way"),
        (TEXT.replace('"version":1', '"version":2'), "its version is 2"),
        (TEXT.replace('"event":"Friday night",', ""), "event is missing"),
        (TEXT.replace("Friday night", ""), "event is a name"),
        (TEXT.replace("Friday night", "a\\u0007b"), "event is a name"),
        (TEXT.replace(SALT, SALT.upper()), "salt is"),
        (TEXT.replace(ADDRESSES[0], ADDRESSES[0].lower()), "with its checksum"),
        (TEXT.replace(ADDRESSES[0], ADDRESSES[1]), "stands there once"),
        (write_key_list(LIST).replace(json.dumps(list(ADDRESSES), separators=(",", ":")), "[]"), "keys are 1 to 16"),
        (TEXT.replace(json.dumps(list(ADDRESSES), separators=(",", ":")), "7"), "keys are 1 to 16"),
        ("[]", "no object"),
        ("{", "not JSON"),
        ("[" * 5000, "not JSON"),
        ('{"a":"' + "a" * 70_000 + '"}', "more than any has"),
    ],
)
def test_what_is_no_key_list_is_refused_with_what_is_wrong(text: str, problem: str) -> None:
    with pytest.raises(TermsUnreadable) as refused:
        parse_terms(text)
    assert problem in str(refused.value)


def test_a_key_list_with_faults_cannot_be_made_and_all_of_them_are_told() -> None:
    with pytest.raises(TermsUnreadable) as refused:
        KeyList("", "salt", ())
    assert len(refused.value.faults) == 3


def test_what_is_no_key_list_is_read_as_a_manifest() -> None:
    with pytest.raises(ManifestUnreadable):
        parse_terms('{"format":"deckproof-manifest","version":1}')
