"""The bytes of a pass: one payload a pass, and nothing else is one."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.passes.making import DEVICE, EVENT, KEYS, NOW, bound, deck_pass, signed
from verifier.errors import PassUnreadable, PassVersionNotKnown
from verifier.passes import HolderProof, Ownership, Shown, SignedPass, parse_payload, prove, write_payload
from verifier.passes.base45 import decode, encode

words = st.binary(min_size=32, max_size=32)
times = st.tuples(st.integers(0, 2**34), st.integers(0, 2**34)).map(sorted)


@st.composite
def anyones(draw: st.DrawFn) -> Shown:
    """Any pass in any of the three forms; who signed it does not matter here."""
    issued_at, not_after = draw(times)
    made = deck_pass(
        event_id=draw(words),
        epoch_block_hash=draw(words.filter(any)),
        epoch_block=draw(st.integers(0, 2**64 - 1)),
        player_tag=draw(words)[:16],
        deck_commit=draw(words),
        holder_key=draw(words),
        policy=draw(st.sampled_from(Ownership)),
        serial=draw(st.integers(1, 2**32 - 1)),
        issued_at=issued_at,
        not_after=not_after,
    )
    of_anybody = SignedPass(made, draw(st.binary(min_size=65, max_size=65)))
    if not made.bound or draw(st.booleans()):
        return Shown(of_anybody)
    return Shown(of_anybody, HolderProof(draw(st.integers(0, 2**64 - 1)), draw(st.binary(min_size=64, max_size=64))))


@given(anyones())
def test_a_pass_reads_back(shown: Shown) -> None:
    assert parse_payload(write_payload(shown)) == shown


FORMS = {"unbound": Shown(signed()), "bound": Shown(bound()), "proven": prove(bound(), DEVICE, NOW)}


@pytest.mark.parametrize(
    ("form", "size", "letters"), [("unbound", 207, 311), ("bound", 239, 359), ("proven", 311, 467)]
)
def test_each_form_has_its_length(form: str, size: int, letters: int) -> None:
    text = write_payload(FORMS[form])
    assert (len(text), len(decode(text))) == (letters, size)


def test_the_bytes_stand_where_the_page_says() -> None:
    raw = decode(write_payload(FORMS["proven"]))
    assert raw[0] == 1
    assert raw[1:33] == EVENT
    assert raw[33:65] == b"\xb1" * 32
    assert int.from_bytes(raw[65:73], "big") == 21_000_000
    assert raw[73:89] == deck_pass().player_tag
    assert raw[89:121] == b"\xdc" * 32
    assert raw[121:153] == DEVICE.public[1:33]
    assert raw[153] == Ownership.COVERED
    assert int.from_bytes(raw[154:158], "big") == 17
    assert int.from_bytes(raw[158:166], "big") == NOW - 60
    assert int.from_bytes(raw[166:174], "big") == NOW + 86_400
    assert raw[174:239] == bound().signature
    assert int.from_bytes(raw[239:247], "big") == NOW


def test_an_unbound_pass_leaves_the_key_out() -> None:
    assert decode(write_payload(FORMS["unbound"]))[121] == Ownership.COVERED


@pytest.mark.parametrize("form", FORMS)
def test_a_cut_or_padded_payload_is_refused(form: str) -> None:
    raw = decode(write_payload(FORMS[form]))
    whole = {decode(write_payload(each)) for each in FORMS.values()}
    shorter = [raw[:size] for size in range(len(raw)) if raw[:size] not in whole]
    longer = [raw + bytes(more) for more in (1, 2, 31, 33, 73)]
    for other in (*shorter, *longer):
        try:
            parse_payload(encode(other))
        except PassUnreadable:
            continue
        assert len(other) in (207, 239)  # its length is another form's: the signature will not fit


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it is empty"),
        ("HELLO WORLD?", r"'\?' at letter 12"),
        ("A" * 5000, "5000 letters are more than any QR code has"),
        ("%%%", "stands for more than two bytes hold"),
        (encode(b"\1" + bytes(141)), "nobody has signed it"),
        (encode(b"\1" + bytes(173)), "nobody has signed it"),
        (encode(b"\1" + bytes(99)), "it has 100 bytes, and a pass has 207, 239 or 311"),
        (encode(b"\1" + bytes(206)), "serial is a whole number from 1"),
    ],
)
def test_what_is_no_pass_is_refused(text: str, problem: str) -> None:
    with pytest.raises(PassUnreadable, match=problem):
        parse_payload(text)


@pytest.mark.parametrize("version", [0, 2, 255])
def test_another_version_is_told_as_such(version: int) -> None:
    raw = decode(write_payload(FORMS["unbound"]))
    with pytest.raises(PassVersionNotKnown, match=f"version {version}, and this program reads version 1"):
        parse_payload(encode(bytes([version]) + raw[1:]))


def test_an_unknown_kind_of_ownership_is_refused() -> None:
    raw = bytearray(decode(write_payload(FORMS["unbound"])))
    raw[121] = 4
    with pytest.raises(PassUnreadable, match="4 is not a valid Ownership"):
        parse_payload(encode(bytes(raw)))


def test_room_for_a_key_has_a_key_in_it() -> None:
    raw = bytearray(decode(write_payload(FORMS["bound"])))
    raw[121:153] = bytes(32)
    with pytest.raises(PassUnreadable, match="room for a holder key and none in it"):
        parse_payload(encode(bytes(raw)))


def test_what_keyboard_scanners_spoil_is_told() -> None:
    text = write_payload(FORMS["unbound"])
    with pytest.raises(PassUnreadable, match="Caps Lock"):
        parse_payload(text.lower())
    with pytest.raises(PassUnreadable, match="nothing may cut it off"):
        parse_payload(text[1:])


def test_only_the_device_of_a_bound_pass_signs() -> None:
    with pytest.raises(ValueError, match="only the device"):
        write_payload(Shown(signed(), HolderProof(NOW, bytes(64))))
    with pytest.raises(ValueError, match="only the device"):
        write_payload(Shown(bound(), HolderProof(NOW, bytes(63))))
    assert not Shown(signed(), HolderProof(NOW, bytes(64))).is_holders()
    assert not FORMS["bound"].is_holders()
    assert FORMS["proven"].is_holders()


def test_a_signature_of_another_length_is_not_written() -> None:
    with pytest.raises(ValueError, match="a signature has 65 bytes"):
        write_payload(Shown(SignedPass(deck_pass(), bytes(64))))


@pytest.mark.parametrize("change", [{"serial": 18}, {"policy": Ownership.ALLOWED}], ids=str)
def test_what_the_device_signed_is_the_whole_pass(change: Any) -> None:
    proven = FORMS["proven"]
    other = SignedPass.by(KEYS[0], replace(proven.signed.deck_pass, **change), 137)
    assert not Shown(other, proven.proof).is_holders()
