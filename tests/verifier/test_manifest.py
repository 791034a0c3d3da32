"""The manifest: one canonical document, its hash, and a reader that says everything that is wrong."""

import json
from dataclasses import replace
from typing import Any

import pytest
from eth_hash.auto import keccak
from hypothesis import given
from hypothesis import strategies as st

from verifier.addresses import to_checksum
from verifier.errors import ManifestUnreadable
from verifier.manifest import (
    BlockRule,
    CardContract,
    DeckFormat,
    Manifest,
    Policy,
    Quorum,
    Window,
    check_manifest,
    parse_manifest,
    write_manifest,
)

CARDS, KEY, OTHER = (to_checksum(keccak(name)[:20]) for name in (b"cards", b"key", b"other"))


def digest(text: bytes) -> str:
    return "0x" + keccak(text).hex()


MANIFEST = Manifest(
    event="Fête de printemps",
    salt=digest(b"chance"),
    chain_id=31337,
    collections=(CardContract(CARDS, digest(b"code")),),
    catalogue=digest(b"catalogue"),
    deck_format=DeckFormat("cps", "standard", 1),
    block_rule=BlockRule(opening=1_700_000_000, depth=None),
    policy=Policy.WARN,
    quorum=Quorum(2, 3),
    keys=(KEY,),
    check_in=Window(1_699_990_000, 1_700_000_000),
)

WRITTEN = (
    '{"block_rule":{"depth":null,"opening":1700000000},'
    f'"catalogue":"{digest(b"catalogue")}","chain_id":31337,'
    '"check_in":{"closes":1700000000,"opens":1699990000},'
    f'"collections":[{{"address":"{CARDS}","code_hash":"{digest(b"code")}"}}],'
    '"deck_format":{"game":"cps","name":"standard","version":1},'
    '"event":"Fête de printemps","format":"deckproof-manifest",'
    f'"keys":["{KEY}"],"policy":"warn","quorum":{{"agree":2,"of":3}},"salt":"{digest(b"chance")}","version":1}}'
)
"""By hand, as RFC 8785 has it: keys in order, no blanks, letters beyond ASCII as they are."""


def faults(**changes: object) -> list[str]:
    return [str(fault) for fault in check_manifest({**json.loads(WRITTEN), **changes})]


def test_a_manifest_is_written_in_one_way_and_its_id_is_the_hash_of_that() -> None:
    assert write_manifest(MANIFEST) == WRITTEN.encode()
    assert MANIFEST.event_id == digest(WRITTEN.encode())


def test_what_is_written_reads_back() -> None:
    assert parse_manifest(WRITTEN) == parse_manifest(WRITTEN.encode()) == MANIFEST


def test_blanks_and_the_order_of_keys_do_not_change_the_id() -> None:
    pretty = json.dumps(dict(reversed(json.loads(WRITTEN).items())), indent=2)
    assert parse_manifest(pretty).event_id == MANIFEST.event_id


@pytest.mark.parametrize(
    "other",
    [
        replace(MANIFEST, event="Fête"),
        replace(MANIFEST, salt=digest(b"other chance")),
        replace(MANIFEST, chain_id=1),
        replace(MANIFEST, collections=(CardContract(OTHER, digest(b"code")),)),
        replace(MANIFEST, collections=(CardContract(CARDS, digest(b"other code")),)),
        replace(MANIFEST, catalogue=digest(b"other")),
        replace(MANIFEST, deck_format=DeckFormat("cps", "standard", 2)),
        replace(MANIFEST, block_rule=BlockRule(1_700_000_001, None)),
        replace(MANIFEST, block_rule=BlockRule(1_700_000_000, 12)),
        replace(MANIFEST, policy=Policy.DROP),
        replace(MANIFEST, quorum=Quorum(3, 3)),
        replace(MANIFEST, keys=(KEY, OTHER)),
        replace(MANIFEST, keys=()),
        replace(MANIFEST, check_in=Window(1_699_990_000, 1_700_000_001)),
    ],
)
def test_another_promise_is_another_event(other: Manifest) -> None:
    assert other.event_id != MANIFEST.event_id
    assert parse_manifest(write_manifest(other)) == other


def test_everything_that_is_wrong_is_said_at_once() -> None:
    document = json.loads(WRITTEN)
    del document["salt"]
    document |= {
        "Policy": "warn",
        "policy": "shout",
        "chain_id": True,
        "collections": [{"address": CARDS.lower(), "code_hash": "0x12"}],
        "keys": "none",
        "block_rule": {"opening": 1.5, "depth": -1},
        "event": " Fe\u0302te ",
    }
    with pytest.raises(ManifestUnreadable) as refused:
        parse_manifest(json.dumps(document))
    known = "format, version, event, salt, chain_id, collections, catalogue, deck_format, block_rule, policy, quorum, "
    known += "keys, check_in"
    name = "1 to 200 printable characters in normal form C, no blank at either end"
    assert str(refused.value).splitlines() == [
        f'event: " Fe\\u0302te ", where {name} is right',
        "salt: it is missing",
        "chain_id: true, where a whole number from 1 to 9007199254740991 is right",
        f'collections[0].address: "{CARDS.lower()}", where an address with its checksum, like {CARDS} is right',
        'collections[0].code_hash: "0x12", where 0x and 64 hex digits, small letters is right',
        "block_rule.opening: 1.5, where a whole number from 0 to 253402300799 is right",
        "block_rule.depth: -1, where null, or a whole number from 0 to 10000 is right",
        'policy: "shout", where one of flag, warn, drop is right',
        'keys: "none", where an array of 0 to 16 is right',
        f'an unknown key, "Policy"; those known are {known}',
    ]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"quorum": {"agree": 3, "of": 2}}, "quorum.agree: more than the 2 endpoints that are asked"),
        ({"check_in": {"opens": 9, "closes": 9}}, "check_in.closes: not after it opens"),
        ({"keys": [KEY, KEY]}, f"keys: {KEY} stands there 2 times, and once is right"),
        ({"collections": []}, "collections: 0 of them, where an array of 1 to 16 is right"),
        ({"deck_format": 1}, "deck_format: 1, where an object with game, name, version is right"),
        ({"version": 2}, "version: 2, and 1 is read here"),
        ({"version": True}, "version: true, and 1 is read here"),
    ],
)
def test_a_wrong_value_is_named_with_what_would_be_right(changes: dict[str, Any], fault: str) -> None:
    assert faults(**changes) == [fault]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "it is not JSON in UTF-8"),
        ("[]", "it is not a manifest"),
        ('{"format": "other"}', "it is not a manifest"),
        (WRITTEN.replace("31337", "NaN"), "NaN is no number"),
        (WRITTEN.replace('"version":1}', '"version":1,"version":1}'), 'the key "version" stands twice in one object'),
        (WRITTEN.encode("utf-16"), "it is not JSON in UTF-8"),
        ("[" * 1000, "nested over 100 deep"),
        (WRITTEN + " " * 70_000, "and a manifest has at most 65,536"),
        ('"\ud800"', "it is not JSON in UTF-8"),
    ],
)
def test_what_is_no_manifest_says_why(text: str | bytes, fault: str) -> None:
    with pytest.raises(ManifestUnreadable, match=fault):
        parse_manifest(text)


def test_an_unsound_manifest_has_no_id() -> None:
    with pytest.raises(ManifestUnreadable, match=r"quorum\.agree"):
        _ = replace(MANIFEST, quorum=Quorum(4, 3)).event_id


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda each: st.lists(each) | st.dictionaries(st.sampled_from(sorted(json.loads(WRITTEN))), each),
    ),
    st.sampled_from(sorted(json.loads(WRITTEN))),
)
def test_any_json_in_any_place_is_read_as_it_is_or_refused(value: object, key: str) -> None:
    text = json.dumps({**json.loads(WRITTEN), key: value})
    try:
        manifest = parse_manifest(text)
    except ManifestUnreadable:
        return
    assert json.loads(write_manifest(manifest)) == json.loads(text)
