"""docs/guide/passes.md tells others how to write a scanner: what it says is so."""

import re

from tests.docs.pages import GUIDE, Page, rows
from tests.verifier.passes.making import CHAIN, DEVICE, KEYS, NOW, bound, deck_pass, payload
from verifier.passes import Mark, Ownership, Shown, Step, prove, write_payload
from verifier.passes.base45 import decode
from verifier.passes.check import SLACK_S
from verifier.passes.deckpass import DECK_PASS, NAME, SALT, VERSION, domain
from verifier.passes.holder import GOOD_FOR_S, PREFIX
from verifier.passes.picture import qr_version
from verifier.passes.revocations import REVOCATIONS
from verifier.passes.scans import SCAN

PAGE = Page(GUIDE / "passes.md")


def test_the_types_are_those_that_are_signed() -> None:
    assert re.findall(r"```text\n(\w+\(.*\))\n```", PAGE.text) == [str(DECK_PASS), str(REVOCATIONS), str(SCAN)]
    assert f'{{name: "{NAME}", version: "{VERSION}", chainId, salt}}' in PAGE.text
    assert SALT.hex() in PAGE.text


def test_the_bytes_stand_where_the_table_has_them() -> None:
    table = [(at, int(size), what) for at, size, what in [*rows(PAGE.section("The bytes"))][:14]]
    fields = [field.name for field in DECK_PASS.fields]
    assert [re.findall(r"`(\w+)`", what) for _, _, what in table if "`" in what] == [[name] for name in fields]
    at = 0
    for place, size, _ in table:
        assert int(place.removeprefix("+")) + (153 if place.startswith("+") else 0) == at
        at += size
    assert at == len(decode(write_payload(prove(bound(), DEVICE, NOW))))


def test_each_form_has_the_length_that_the_table_has() -> None:
    forms = (payload(), write_payload(Shown(bound())), write_payload(prove(bound(), DEVICE, NOW)))
    expected = [[str(len(decode(text))), str(len(text)), str(qr_version(text))] for text in forms]
    assert [list(row[:3]) for row in rows(PAGE.section("The bytes")) if row[0] in {"207", "239", "311"}] == expected


def test_the_kinds_of_ownership_are_in_the_table() -> None:
    table = [row for row in rows(PAGE.section("The bytes")) if len(row) == 2]
    assert [int(number) for number, _ in table] == list(Ownership)


def test_the_steps_are_the_desks() -> None:
    assert [step for step, *_ in rows(PAGE.section("What the desk looks at"))] == [step.value for step in Step]
    assert f"{SLACK_S // 60} minutes before" in PAGE.section("What the desk looks at")
    assert f"signed within {GOOD_FOR_S} s" in PAGE.section("What the desk looks at")
    assert {mark.value for mark in Mark} == {"good", "bad", "skipped"}


def test_the_device_signs_what_the_example_in_javascript_signs() -> None:
    assert repr(PREFIX.decode())[1:-1] in PAGE.section("What the device signs")


def test_the_example_is_right() -> None:
    signed = bound()
    values = {what: value.strip("`") for what, value in rows(PAGE.section("An example to test with"))}
    assert values == {
        "the verifier's address": KEYS[0].address,
        "`playerTag`": "0x" + deck_pass().player_tag.hex(),
        "`holderKey`": "0x" + DEVICE.public[1:33].hex(),
        "domain separator": "0x" + domain(CHAIN).separator.hex(),
        "digest": "0x" + signed.deck_pass.digest(CHAIN).hex(),
        "signature": "0x" + signed.signature.hex(),
    }
    assert f"```text\n{write_payload(Shown(signed))}\n```" in PAGE.text
    assert (KEYS[0].secret, DEVICE.secret) == (b"\1" * 32, b"\1" * 32)
    words = PAGE.section("An example to test with")
    for number in (CHAIN, 21000000, 17, NOW - 60, NOW + 86_400):
        assert str(number) in words
