"""What a desk finds, step by step, and what it says."""

from typing import Any

import pytest

from tests.verifier.passes.making import (
    ADDRESSES,
    CHAIN,
    DEVICE,
    EVENT,
    KEYS,
    NOW,
    at_desk,
    bound,
    briefing,
    payload,
    signed,
    tag,
)
from verifier.passes import HolderKey, Mark, Shown, Step, Use, check_pass, prove, write_payload
from verifier.passes.base45 import decode, encode

DAY = 86_400


def test_a_good_pass_is_good_at_every_step() -> None:
    found = at_desk(payload())
    assert found.good
    assert found.genuine
    assert found.problems == ()
    assert [(finding.step, finding.reason) for finding in found.findings] == [
        (Step.VERSION, "a DeckPass of version 1"),
        (Step.EVENT, "of this event"),
        (Step.SIGNATURE, f"signed by the event's key {ADDRESSES[0]}"),
        (Step.TIME, "good until 09:42"),
        (Step.REVOKED, "not revoked as of 09:42"),
        (Step.USED, "not used, as far as this desk knows"),
        (Step.HOLDER, "bound to no device, so compare the name with a document"),
    ]


def test_each_step_is_found_once_in_the_desks_order_whatever_fails() -> None:
    raw = decode(payload())
    for text in ("", payload(event_id=bytes(32)), encode(raw[:-1] + b"\0"), payload(not_after=NOW - 1), payload()):
        assert [finding.step for finding in at_desk(text).findings] == list(Step)


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("", Step.VERSION),
        (encode(b"\2" + decode(payload())[1:]), Step.VERSION),
        (payload(event_id=bytes(32)), Step.EVENT),
        (encode(decode(payload())[:-65] + bytes(65)), Step.SIGNATURE),
    ],
    ids=["no-pass", "version-2", "other-event", "unsigned"],
)
def test_behind_a_step_that_shows_a_forgery_nothing_is_believed(text: str, step: Step) -> None:
    found = at_desk(text)
    marks = [finding.mark for finding in found.findings]
    place = list(Step).index(step)
    assert marks == [Mark.GOOD] * place + [Mark.BAD] + [Mark.SKIPPED] * (6 - place)
    assert not found.genuine
    assert not found.good
    assert {finding.reason for finding in found.findings[place + 1 :]} == {f"not looked at, since the {step} is wrong"}


def test_everything_else_that_is_wrong_with_a_genuine_pass_is_told_at_once() -> None:
    text = write_payload(Shown(bound(issued_at=NOW - 240, not_after=NOW - 120)))
    found = at_desk(text, briefing(17), {tag("ann"): Use(17, NOW - 600)})
    assert found.genuine
    assert [finding.step for finding in found.findings if finding.mark is Mark.BAD] == [
        Step.TIME,
        Step.REVOKED,
        Step.USED,
        Step.HOLDER,
    ]
    assert len(found.problems) == 4


def step(text: str, which: Step, *more: Any, **how: Any) -> tuple[Mark, str]:
    (finding,) = [each for each in at_desk(text, *more, **how).findings if each.step is which]
    return finding.mark, finding.reason


@pytest.mark.parametrize(
    ("at", "mark"),
    [
        (NOW - 60 - 121, Mark.BAD),
        (NOW - 60 - 120, Mark.GOOD),
        (NOW, Mark.GOOD),
        (NOW + DAY, Mark.GOOD),
        (NOW + DAY + 1, Mark.BAD),
    ],
)
def test_a_pass_is_good_from_two_minutes_before_it_was_issued_to_its_last_second(at: int, mark: Mark) -> None:
    assert step(payload(), Step.TIME, at=at)[0] is mark


def test_a_pass_that_has_ended_says_when() -> None:
    assert step(payload(), Step.TIME, at=NOW + DAY + 7200) == (
        Mark.BAD,
        "it was good until 09:42, 2 hours ago by this desk's clock",
    )


def test_a_revoked_pass_says_what_to_do() -> None:
    assert step(payload(), Step.REVOKED, briefing(3, 17)) == (
        Mark.BAD,
        "pass 17 was revoked; the player has a newer one, or asks the organizer",
    )
    assert step(payload(serial=18), Step.REVOKED, briefing(3, 17))[0] is Mark.GOOD


def test_a_pass_that_came_in_here_says_when() -> None:
    used = {tag("ann"): Use(17, NOW - 660)}
    assert step(payload(), Step.USED, None, used) == (Mark.BAD, "pass 17 came in here already, at 09:31")
    assert step(payload(player_tag=tag("bob")), Step.USED, None, used)[0] is Mark.GOOD


def test_a_new_pass_of_a_player_who_came_in_here_is_refused() -> None:
    used = {tag("ann"): Use(3, NOW - 660)}
    assert step(payload(), Step.USED, None, used) == (
        Mark.BAD,
        "its player came in here already, at 09:31, with pass 3",
    )


@pytest.mark.parametrize(
    ("age", "mark"), [(-31, Mark.BAD), (-30, Mark.GOOD), (0, Mark.GOOD), (30, Mark.GOOD), (31, Mark.BAD)]
)
def test_a_devices_signature_is_good_for_thirty_seconds(age: int, mark: Mark) -> None:
    text = write_payload(prove(bound(), DEVICE, NOW - age))
    assert step(text, Step.HOLDER)[0] is mark
    assert at_desk(text).good is (mark is Mark.GOOD)


def test_a_signature_of_another_device_is_a_copys() -> None:
    text = write_payload(prove(bound(), HolderKey(b"\2" * 32), NOW))
    assert step(text, Step.HOLDER) == (Mark.BAD, "another device signed it, so it is a copy")


def test_a_bound_pass_that_no_device_signed_may_be_a_copy() -> None:
    mark, reason = step(write_payload(Shown(bound())), Step.HOLDER)
    assert mark is Mark.BAD
    assert "it may be a copy; let the player show it on the device" in reason


def test_a_later_key_of_the_manifest_is_believed_before_the_desk_hears_of_it() -> None:
    assert at_desk(payload(KEYS[1])).good


def test_a_time_is_told_in_utc_unless_the_desk_has_a_place() -> None:
    found = check_pass(payload(), briefing(), used={}, at=NOW)
    assert "good until 2026-05-29 20:26 UTC" in [finding.reason for finding in found.findings]


def test_the_last_time_there_is_can_be_told() -> None:
    found = check_pass(payload(not_after=253_402_300_799), briefing(), used={}, at=NOW)
    assert "good until 9999-12-31 23:59 UTC" in [finding.reason for finding in found.findings]


def test_a_pass_of_the_right_event_signed_for_another_chain_is_not_genuine() -> None:
    other = signed()
    assert other.signer(CHAIN) == ADDRESSES[0]
    known = briefing()
    elsewhere = type(known)(event_id=EVENT, chain_id=1, keys=known.keys, signed_by=0, as_of=NOW, revoked=frozenset())
    assert not at_desk(payload(), elsewhere).genuine
