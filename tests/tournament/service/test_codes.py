"""Codes on paper: only the server that made one knows it, and only for what it was made for."""

import hmac
from hashlib import sha256

import pytest

from tournament.service.codes import Codes, Purpose

CODES = Codes("a secret of thirty-two characters")


def test_a_code_is_what_the_page_says_it_is() -> None:
    digest = hmac.new(b"a secret of thirty-two characters", b'["entry","k3v7",17,1]', sha256).hexdigest()
    bits = f"{int(digest, 16):0256b}"
    letters = [("0123456789ABCDEFGHJKMNPQRSTVWXYZ")[int(bits[at : at + 5], 2)] for at in range(0, 60, 5)]
    expected = "".join(letters)
    assert CODES.code(Purpose.ENTRY, "k3v7", 17, 1) == f"{expected[:4]}-{expected[4:8]}-{expected[8:]}"


@pytest.mark.parametrize(
    "change", [str.lower, lambda code: code.replace("-", " "), lambda code: code.replace("0", "o")]
)
def test_a_code_may_be_typed_as_people_type(change: object) -> None:
    for number in range(50):
        code = CODES.code(Purpose.ENTRY, "k3v7", number, 1)
        assert CODES.matches(change(code), Purpose.ENTRY, "k3v7", number, 1)  # type: ignore[operator]


def test_a_code_opens_nothing_else() -> None:
    code = CODES.code(Purpose.ENTRY, "k3v7", 17, 1)
    assert not CODES.matches(code, Purpose.ENTRY, "k3v7", 17, 2)
    assert not CODES.matches(code, Purpose.ENTRY, "k3v7", 171)
    assert not CODES.matches(code, Purpose.ENTRY, "k3v8", 17, 1)
    assert not CODES.matches(code, Purpose.INVITATION, "k3v7", 17, 1)
    assert not Codes("another secret of thirty-two char").matches(code, Purpose.ENTRY, "k3v7", 17, 1)
    assert not CODES.matches("", Purpose.ENTRY, "k3v7", 17, 1)
    assert not CODES.matches("\ud800", Purpose.ENTRY, "k3v7", 17, 1)


def test_the_secret_is_not_shown() -> None:
    assert "thirty" not in repr(CODES)
