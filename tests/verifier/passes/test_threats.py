"""The threats that passes meet, each by its sentence. Source: docs/guide/passes.md, "What may go wrong"."""

import random
from dataclasses import replace

import pytest
from eth_account import Account

from tests.verifier.passes.making import (
    ADDRESSES,
    CHAIN,
    DESK,
    DEVICE,
    KEYS,
    NOW,
    OTHER_DESK,
    at_desk,
    bound,
    briefing,
    clock,
    deck_pass,
    payload,
    revocations,
    signed,
    tag,
)
from verifier.curve import ORDER
from verifier.errors import RevocationsUntrusted
from verifier.passes import (
    Mark,
    Shown,
    SignedPass,
    SigningKey,
    Step,
    Use,
    brief,
    check_pass,
    doubled,
    parse_payload,
    prove,
    write_payload,
)
from verifier.passes.base45 import decode, encode

MINUTE = 60


def test_a_copied_qr_is_refused_at_the_desk_that_saw_it_before() -> None:
    text = payload()
    shown = at_desk(text).shown
    assert shown is not None
    scan = DESK.scan(shown.signed, NOW, None).scan
    used = {scan.player_tag: Use(scan.serial, scan.scanned_at)}
    assert at_desk(text, used=used, at=NOW + 5 * MINUTE).problems == ("pass 17 came in here already, at 09:42",)


def test_a_copied_qr_of_a_bound_pass_is_worth_nothing_half_a_minute_later() -> None:
    photographed = write_payload(prove(bound(), DEVICE, NOW))
    assert at_desk(photographed, at=NOW).good
    (problem,) = at_desk(photographed, at=NOW + 31).problems
    assert problem.startswith("its device signed 31 s ago, and that is good for 30 s; let the player show it anew")


def test_an_unsigned_qr_is_refused() -> None:
    raw = decode(payload())
    assert at_desk(encode(raw[:-65])).problems == ("this is no DeckPass: nobody has signed it",)
    (problem,) = at_desk(encode(raw[:-65] + bytes(65))).problems
    assert problem == "it is not signed by the event's verifier: nothing but zeros"


def test_a_qr_that_somebody_else_signed_is_refused() -> None:
    (problem,) = at_desk(payload(SigningKey(b"\x09" * 32))).problems
    assert problem.startswith("none of the event's keys signed it, so it is made up")


def test_a_pass_of_another_event_is_refused_although_one_key_signed_both() -> None:
    (problem,) = at_desk(payload(event_id=b"\xee" * 32)).problems
    assert problem == "it is a pass for another event: 0xeeeeeeee…, and this is 0x00010203…"


def test_a_pass_of_another_chain_is_refused() -> None:
    other = SignedPass.by(KEYS[0], deck_pass(), CHAIN + 1)
    (problem,) = at_desk(write_payload(Shown(other))).problems
    assert problem == "none of the event's keys signed it, so it is made up, was changed, or is for another chain"


def test_a_truncated_or_padded_payload_is_refused() -> None:
    for whole in (payload(), write_payload(Shown(bound())), write_payload(prove(bound(), DEVICE, NOW))):
        raw = decode(whole)
        others = [raw[:size] for size in range(len(raw))] + [raw + bytes(more) for more in range(1, 80)]
        good = [len(other) for other in others if at_desk(encode(other)).good]
        assert good == []


def test_no_byte_of_a_payload_can_be_changed() -> None:
    rng = random.Random(0)
    raw = decode(write_payload(prove(bound(), DEVICE, NOW)))
    for place in range(len(raw)):
        changed = bytearray(raw)
        changed[place] ^= rng.randrange(1, 256)
        assert not at_desk(encode(bytes(changed))).good, place


def test_no_letter_of_a_payload_can_be_changed() -> None:
    text = payload()
    for place in range(len(text)):
        other = "0" if text[place] != "0" else "1"
        assert not at_desk(text[:place] + other + text[place + 1 :]).good, place


def test_a_signature_with_high_s_is_refused() -> None:
    genuine = signed()
    high = ORDER - int.from_bytes(genuine.signature[32:64], "big")
    turned = genuine.signature[:32] + high.to_bytes(32, "big") + bytes([27 + 28 - genuine.signature[64]])
    digest = genuine.deck_pass.digest(CHAIN)
    assert Account._recover_hash(digest, signature=turned) == ADDRESSES[0]  # noqa: SLF001 - others would believe it
    (problem,) = at_desk(write_payload(Shown(replace(genuine, signature=turned)))).problems
    assert problem.endswith("s is in the upper half, so somebody has changed the signature")


def test_a_pass_let_in_offline_at_two_desks_is_found_when_their_scans_come_together() -> None:
    text = write_payload(Shown(signed()))
    for desk in (DESK, OTHER_DESK):
        assert at_desk(text).good, desk  # each desk by itself cannot know
    shown = parse_payload(text).signed
    here, there = DESK.scan(shown, NOW, None), OTHER_DESK.scan(shown, NOW + MINUTE, None)
    (found,) = doubled([there, here])
    assert found.player_tag == tag("ann")
    assert [(each.scan.desk, clock(each.scan.scanned_at)) for each in found.scans] == [
        (DESK.key.address, "09:42"),
        (OTHER_DESK.key.address, "09:43"),
    ]


def test_an_old_verifier_key_counts_within_its_window_and_not_behind_it() -> None:
    known = briefing(by=KEYS[1], former=(NOW + 10 * MINUTE,))
    assert at_desk(payload(KEYS[0]), known, at=NOW + 10 * MINUTE).good
    (problem,) = at_desk(payload(KEYS[0]), known, at=NOW + 10 * MINUTE + 1).problems
    assert problem == "an old key of the event signed it, whose passes counted until 09:52; it needs a new pass"
    assert at_desk(payload(KEYS[1]), known, at=NOW + 10 * MINUTE + 1).good


def test_a_pass_that_an_old_verifier_key_dates_back_is_refused_as_well() -> None:
    known = briefing(by=KEYS[1], former=(NOW - 1,))
    stolen = payload(KEYS[0], issued_at=NOW - 5 * MINUTE)
    assert at_desk(stolen, known).findings[2].mark is Mark.BAD


def test_an_old_verifier_key_cannot_make_itself_current_again() -> None:
    known = briefing(by=KEYS[1], former=(NOW - 1,))
    by_thief = revocations(by=KEYS[0], as_of=NOW + 86_400)
    with pytest.raises(RevocationsUntrusted):
        brief(by_thief, event_id=known.event_id, chain_id=CHAIN, keys=ADDRESSES, before=known)


def test_a_desk_clock_ten_minutes_slow_is_told_by_the_first_fresh_pass() -> None:
    fresh = payload(issued_at=NOW)
    (problem,) = at_desk(fresh, at=NOW - 10 * MINUTE).problems
    assert problem == (
        "it was issued at 09:42, which is 10 minutes from now by this desk's clock; the clock is slow, so set it"
    )


def test_a_desk_clock_ten_minutes_fast_is_told_by_the_first_device() -> None:
    assert at_desk(payload(issued_at=NOW), at=NOW + 10 * MINUTE).good  # a pass lives for hours
    shown_now = write_payload(prove(bound(), DEVICE, NOW))
    (problem,) = at_desk(shown_now, at=NOW + 10 * MINUTE).problems
    assert problem.startswith("its device signed 10 minutes ago")
    assert problem.endswith("if that happens with everybody, this desk's clock is wrong")


def test_a_pass_whose_epoch_was_voided_is_revoked_and_the_new_one_is_good() -> None:
    before, after = payload(), payload(serial=18, epoch_block_hash=b"\xb2" * 32)
    known = briefing(17)
    assert at_desk(before, known).findings[list(Step).index(Step.REVOKED)].mark is Mark.BAD
    assert at_desk(after, known).good


def test_text_in_a_qr_reaches_no_screen_as_it_is() -> None:
    for text in ("<SVG ONLOAD=…>", "\x1b[2J", "\x00" * 300, "🂡" * 311, "9" * 4097):
        (problem,) = check_pass(text, briefing(), used={}, at=NOW).problems
        assert problem.isprintable()
        assert "<SVG" not in problem
