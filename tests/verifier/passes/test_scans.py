"""What desks write down, and what comes of several of them."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.passes.making import CHAIN, DESK, EVENT, NOW, OTHER_DESK, signed, tag
from verifier.errors import StatementUnreadable
from verifier.passes import DeskKey, SignedScan, chain_faults, doubled, read_scan, union, write_scan

PLAYERS = ("ann", "bob", "cat", "dan", "eve")


def night(desk: DeskKey, *players: str) -> list[SignedScan]:
    """The scans of a desk, a minute apart."""
    scans: list[SignedScan] = []
    for minute, player in enumerate(players):
        shown = signed(player_tag=tag(player), serial=1 + PLAYERS.index(player))
        scans.append(desk.scan(shown, NOW + 60 * minute, scans[-1] if scans else None))
    return scans


def faults(scans: list[SignedScan]) -> list[str]:
    return [f"{fault.counter}: {fault.problem}" for fault in chain_faults(scans, event_id=EVENT, chain_id=CHAIN)]


HERE = night(DESK, "ann", "bob", "cat")
THERE = night(OTHER_DESK, "dan", "bob")


def test_each_scan_names_the_one_before() -> None:
    first, second, third = (each.scan for each in HERE)
    assert [first.counter, second.counter, third.counter] == [1, 2, 3]
    assert first.previous == bytes(32)
    assert second.previous == first.digest(CHAIN)
    assert third.previous == second.digest(CHAIN)
    assert first.deck_pass == signed(player_tag=tag("ann"), serial=1).deck_pass.digest(CHAIN)
    assert faults([*HERE, *THERE]) == []


def test_the_order_of_what_arrives_does_not_matter() -> None:
    assert faults([THERE[1], HERE[2], HERE[0], THERE[0], HERE[1], HERE[1]]) == []


def test_a_scan_that_is_missing_is_seen() -> None:
    assert faults(HERE[1:]) == ["2: scan 1 is missing before it"]
    assert faults([HERE[2]]) == ["3: scans 1 to 2 are missing before it"]


def test_a_scan_that_was_changed_is_seen() -> None:
    changed = SignedScan(replace(HERE[1].scan, serial=99), HERE[1].signature)
    assert faults([HERE[0], changed, HERE[2]]) == [
        "2: the desk has not signed it",
        "3: it does not name the scan before it, so the desk's ledger was rewritten",
    ]


def test_a_scan_that_the_desk_itself_rewrote_is_seen() -> None:
    other = night(DESK, "ann", "dan")[1]
    assert faults([HERE[0], other, HERE[2]]) == [
        "3: it does not name the scan before it, so the desk's ledger was rewritten"
    ]


def test_a_ledger_that_was_copied_is_seen() -> None:
    (_, other) = night(DESK, "ann", "dan")
    found = faults([*HERE, other])
    assert "2: there is another one with its number, so the desk's ledger was copied or rewritten" in found


def test_a_scan_signed_by_another_desk_is_seen() -> None:
    lie = SignedScan(replace(HERE[0].scan, desk=OTHER_DESK.key.address), HERE[0].signature)
    assert faults([lie]) == ["1: the desk has not signed it"]


def test_a_scan_with_a_signature_that_is_none_is_seen() -> None:
    assert faults([SignedScan(HERE[0].scan, bytes(65))]) == ["1: the desk has not signed it"]


def test_a_scan_of_another_event_or_chain_is_seen() -> None:
    assert [fault.problem for fault in chain_faults(HERE[:1], event_id=bytes(32), chain_id=CHAIN)] == [
        f"it is of the event 0x{EVENT.hex()}"
    ]
    assert [fault.problem for fault in chain_faults(HERE[:1], event_id=EVENT, chain_id=1)] == [
        "the desk has not signed it"
    ]
    (fault,) = chain_faults(HERE[:1], event_id=EVENT, chain_id=1)
    assert str(fault) == f"scan 1 of desk {DESK.key.address}: the desk has not signed it"


def test_a_player_whom_two_desks_let_in_is_found_with_both_scans() -> None:
    (found,) = doubled([*HERE, *THERE])
    assert found.player_tag == tag("bob")
    assert {each.scan.desk for each in found.scans} == {DESK.key.address, OTHER_DESK.key.address}
    assert len(found.scans) == 2


def test_a_player_with_two_passes_is_found_too() -> None:
    old, new = (signed(player_tag=tag("ann"), serial=serial) for serial in (1, 40))
    scans = [DESK.scan(old, NOW + 5, None), OTHER_DESK.scan(new, NOW, None)]
    (found,) = doubled(scans)
    assert [each.scan.serial for each in found.scans] == [40, 1]  # the earlier one first


def test_a_scan_that_comes_twice_is_no_double() -> None:
    assert doubled([*HERE, *HERE]) == ()
    again = SignedScan(HERE[0].scan, b"\1" * 65)  # whatever signature stands beside it
    assert doubled([HERE[0], again]) == ()


ledgers = st.lists(st.sampled_from([*HERE, *THERE, *night(DESK, "eve")]), max_size=8)


@given(ledgers, ledgers, ledgers)
def test_ledgers_come_together_as_sets(one: Any, two: Any, three: Any) -> None:
    assert union(one, two) == union(two, one)
    assert union(one, union(two, three)) == union(union(one, two), three) == union(one, two, three)
    assert union(one, one) == union(one)
    assert set(union(one, two)) == {*one, *two}
    assert doubled(union(one, two)) == doubled([*two, *one, *one])


def test_it_reads_back_from_json() -> None:
    for each in (*HERE, *THERE):
        assert read_scan(write_scan(each)) == each


DOCUMENT = write_scan(HERE[0])


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"counter": 0}, "counter is a whole number from 1"),
        ({"serial": -1}, "serial has to be uint32"),
        ({"scannedAt": 2**50}, "scanned_at is a whole number"),
        ({"desk": "0x00"}, "desk has to be address"),
        ({"playerTag": None}, "playerTag has to be bytes16"),
        ({"name": "Ann"}, "'name' is no member of it"),
    ],
)
def test_what_is_no_scan_is_refused(changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(StatementUnreadable, match=problem):
        read_scan(DOCUMENT | changed)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"event_id": b""}, "event_id is exactly 32 bytes"),
        ({"desk": DESK.key.address.lower()}, "desk is an address"),
        ({"desk": "somebody"}, "desk is an address"),
        ({"desk": None}, "desk is an address"),
        ({"counter": True}, "counter is a whole number"),
    ],
)
def test_a_scan_with_a_wrong_field_cannot_be_made(changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        replace(HERE[0].scan, **changed)
