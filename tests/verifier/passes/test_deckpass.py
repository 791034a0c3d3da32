"""The statement itself: made of exactly what its type has."""

from typing import Any

import pytest

from tests.verifier.passes.making import ADDRESSES, CHAIN, EVENT, KEYS, NOW, bound, deck_pass, signed
from verifier.passes import DeckPass, Ownership, SignedPass, player_tag


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"event_id": EVENT[:31]}, "event_id is exactly 32 bytes"),
        ({"event_id": "0x" + EVENT.hex()}, "event_id is exactly 32 bytes"),
        ({"epoch_block_hash": bytes(33)}, "epoch_block_hash is exactly 32 bytes"),
        ({"epoch_block_hash": bytearray(32)}, "epoch_block_hash is exactly 32 bytes"),
        ({"player_tag": bytes(32)}, "player_tag is exactly 16 bytes"),
        ({"deck_commit": b""}, "deck_commit is exactly 32 bytes"),
        ({"holder_key": None}, "holder_key is exactly 32 bytes"),
        ({"epoch_block": "1"}, "epoch_block is a whole number"),
        ({"epoch_block": 2**64}, "epoch_block is a whole number"),
        ({"serial": 0}, "serial is a whole number from 1"),
        ({"serial": 2**32}, "serial is a whole number from 1"),
        ({"serial": True}, "serial is a whole number from 1"),
        ({"policy": 1}, "policy is an Ownership"),
        ({"issued_at": 1.5}, "issued_at is a whole number"),
        ({"not_after": 2**63}, "not_after is a whole number"),
        ({"issued_at": NOW + 1, "not_after": NOW}, "is before issued_at"),
        ({"epoch_block_hash": bytes(32)}, "so it names the block at which"),
        ({"epoch_block_hash": bytes(32), "policy": Ownership.FLAGGED}, "so it names the block at which"),
    ],
)
def test_a_pass_with_a_wrong_field_cannot_be_made(changed: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        deck_pass(**changed)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(ValueError, match=r"event_id .*; serial .*; policy "):
        deck_pass(event_id=b"", serial=-1, policy="covered")


def test_a_field_that_the_type_does_not_have_cannot_be_given() -> None:
    with pytest.raises(TypeError):
        deck_pass(wallet="0x")


@pytest.mark.parametrize("policy", [Ownership.UNVERIFIED, Ownership.ALLOWED])
def test_where_no_copies_were_counted_no_block_is_named(policy: Ownership) -> None:
    assert deck_pass(policy=policy, epoch_block_hash=bytes(32), epoch_block=0).policy is policy


def test_each_field_changes_what_is_signed() -> None:
    changes: list[dict[str, Any]] = [
        {"event_id": bytes(32)},
        {"epoch_block_hash": b"\xb2" * 32},
        {"epoch_block": 21_000_001},
        {"player_tag": bytes(16)},
        {"deck_commit": bytes(32)},
        {"holder_key": b"\1" * 32},
        {"policy": Ownership.FLAGGED},
        {"serial": 18},
        {"issued_at": NOW - 59},
        {"not_after": NOW + 86_401},
    ]
    assert {name for change in changes for name in change} == set(DeckPass.__slots__)
    digests = {deck_pass(**change).digest(CHAIN) for change in changes} | {deck_pass().digest(CHAIN)}
    assert len(digests) == len(changes) + 1


def test_a_signature_counts_on_one_chain() -> None:
    assert signed().signer(CHAIN) == ADDRESSES[0]
    assert signed().signer(CHAIN + 1) not in ADDRESSES


def test_signing_again_gives_the_same_pass() -> None:
    assert SignedPass.by(KEYS[0], deck_pass(), CHAIN) == signed()


def test_a_pass_is_bound_if_it_names_a_key() -> None:
    assert bound().deck_pass.bound
    assert not signed().deck_pass.bound


def test_a_tag_is_the_beginning_of_the_hmac() -> None:
    # Source: RFC 4231, test case 2
    assert player_tag(b"Jefe", "what do ya want for nothing?").hex() == "5bdcc146bf60754e6a042426089575c7"


def test_what_was_found_of_the_ownership_has_words() -> None:
    assert [each.words for each in Ownership] == [
        "ownership not looked at",
        "every copy covered",
        "copies missing, which this event only flags",
        "let in by a judge",
    ]
