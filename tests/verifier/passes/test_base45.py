"""base45 as RFC 9285 has it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.passes.base45 import LETTERS, NotBase45, decode, encode


# Source: RFC 9285, 4.3 and 4.4
@pytest.mark.parametrize(
    ("raw", "text"),
    [(b"", ""), (b"AB", "BB8"), (b"Hello!!", "%69 VD92EX0"), (b"base-45", "UJCLQE7W581"), (b"ietf!", "QED8WEX0")],
)
def test_the_examples_of_the_rfc(raw: bytes, text: str) -> None:
    assert encode(raw) == text
    assert decode(text) == raw


@given(st.binary(max_size=80))
def test_what_was_encoded_decodes(raw: bytes) -> None:
    assert decode(encode(raw)) == raw


@given(st.text(LETTERS, max_size=30))
def test_bytes_have_one_text(text: str) -> None:
    try:
        raw = decode(text)
    except NotBase45:
        return
    assert encode(raw) == text


# Source: RFC 9285, 6: "FGW" is 65,535, and "GGW" is 65,536
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("GGW", "stands for more than two bytes hold"),
        (":::", "stands for more than two bytes hold"),
        ("BB8GGW", "from letter 4"),
        ("V5", "stands for more than a byte holds"),
        (":5", "stands for more than a byte holds"),
        ("A", "1 letters"),
        ("BB8A", "4 letters"),
        ("bb8", "'b' at letter 1"),
        ("BB8\n", r"'\\n' at letter 4"),
        ("BB_", "'_' at letter 3"),
        ("BB８", r"at letter 3"),  # noqa: RUF001 - only looks like an eight
    ],
)
def test_anything_else_is_refused(text: str, problem: str) -> None:
    with pytest.raises(NotBase45, match=problem):
        decode(text)


def test_the_largest_groups_are_read() -> None:
    assert decode("FGWU5") == b"\xff\xff\xff"
