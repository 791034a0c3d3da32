"""Who may say which passes and keys count no more."""

from typing import Any

import pytest

from tests.verifier.passes.making import ADDRESSES, CHAIN, EVENT, KEYS, NOW, briefing, revocations
from verifier.errors import RevocationsUntrusted, StatementUnreadable
from verifier.passes import (
    Briefing,
    SignedRevocations,
    SigningKey,
    VerifierKey,
    brief,
    read_revocations,
    write_revocations,
)


def trusted(signed: SignedRevocations, before: Briefing | None = None) -> Briefing:
    return brief(signed, event_id=EVENT, chain_id=CHAIN, keys=ADDRESSES, before=before)


def test_a_list_by_the_first_key_ends_no_other() -> None:
    known = trusted(revocations(3, 17))
    assert known.revoked == {3, 17}
    assert known.keys == tuple(map(VerifierKey, ADDRESSES))
    assert (known.signed_by, known.as_of) == (0, NOW)


def test_a_list_by_a_later_key_says_until_when_the_earlier_ones_count() -> None:
    known = trusted(revocations(by=KEYS[2], former=(NOW, NOW + 60)))
    assert [key.until for key in known.keys] == [NOW, NOW + 60, None]


@pytest.mark.parametrize(
    ("signed", "problem"),
    [
        (revocations(event_id=bytes(32)), "it is of the event 0x0000"),
        (revocations(by=SigningKey(b"\x09" * 32)), "which is no key of the event on chain 137"),
        (SignedRevocations(revocations().revocations, bytes(65)), "its signature is none: nothing but zeros"),
        (SignedRevocations(revocations(5).revocations, revocations(6).signature), "which is no key of the event"),
        (revocations(former=(NOW,)), "key 1 signed it, and it speaks of 1 earlier ones"),
        (revocations(by=KEYS[1]), "key 2 signed it, and it speaks of 0 earlier ones"),
    ],
    ids=["event", "key", "unsigned", "changed", "too-many", "too-few"],
)
def test_a_list_that_nobody_may_sign_is_not_believed(signed: SignedRevocations, problem: str) -> None:
    with pytest.raises(RevocationsUntrusted, match=problem):
        trusted(signed)


def test_a_list_for_another_chain_is_not_believed() -> None:
    with pytest.raises(RevocationsUntrusted, match=r"no key of the event on chain 1;"):
        brief(revocations(), event_id=EVENT, chain_id=1, keys=ADDRESSES)


# as of:           09:42        09:43
# first key:       kept ──────► newer
# second key:      ▲ replaces both, even if it is older
def test_a_newer_list_or_one_by_a_later_key_is_not_taken_back() -> None:
    older, newer = revocations(as_of=NOW), revocations(as_of=NOW + 60)
    later_key = revocations(by=KEYS[1], former=(NOW,), as_of=NOW - 60)
    assert trusted(newer, before=trusted(older)).as_of == NOW + 60
    assert trusted(later_key, before=trusted(newer)).signed_by == 1
    for known, offered in ((newer, older), (later_key, newer)):
        with pytest.raises(RevocationsUntrusted, match="a newer one, or one by a later key"):
            trusted(offered, before=trusted(known))


def test_the_same_list_may_come_again() -> None:
    assert trusted(revocations(3), before=briefing(3)) == briefing(3)


def test_it_reads_back_from_json() -> None:
    signed = revocations(3, 17, by=KEYS[1], former=(NOW,))
    assert read_revocations(write_revocations(signed)) == signed


DOCUMENT = write_revocations(revocations(3, 17))


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"serials": [17, 3]}, "serials ascend, each once"),
        ({"serials": [3, 3]}, "serials ascend, each once"),
        ({"serials": [0]}, "serials are whole numbers from 1"),
        ({"serials": 3}, r"serials has to be a list of uint32"),
        ({"serials": [2**32]}, r"serials has to be a list of uint32"),
        ({"serials": [True]}, r"serials has to be a list of uint32"),
        ({"asOf": "now"}, "asOf has to be uint64, and is 'now'"),
        ({"asOf": 2**60}, "as_of and former_until are whole seconds"),
        ({"eventId": "0x" + EVENT.hex().upper()}, "eventId has to be bytes32"),
        ({"eventId": EVENT.hex()}, "eventId has to be bytes32"),
        ({"signature": "0x00"}, "signature has to be bytes65"),
        ({"more": 1}, "'more' is no member of it"),
    ],
)
def test_what_is_no_list_is_refused(changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(StatementUnreadable, match=problem):
        read_revocations(DOCUMENT | changed)


def test_all_faults_of_a_document_are_told() -> None:
    with pytest.raises(StatementUnreadable, match="eventId is missing; asOf is missing; formerUntil is missing"):
        read_revocations({})
    with pytest.raises(StatementUnreadable, match="no object"):
        read_revocations([])
