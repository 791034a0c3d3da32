"""Addresses and blocks as people write them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.addresses import parse_address, parse_block_tag, to_checksum
from verifier.errors import AddressUnreadable, BlockTagUnreadable

# Test vectors of EIP-55: all caps, all lower, mixed.
VECTORS = [
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
    "0xde709f2102306220921060314715629080e2fb77",
    "0x27b1fdb04752bbc536007a920d24acb045561c26",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
]


@pytest.mark.parametrize("vector", VECTORS)
def test_a_checksummed_address_is_itself(vector: str) -> None:
    assert parse_address(vector) == vector


@pytest.mark.parametrize("vector", VECTORS)
def test_case_tells_no_two_addresses_apart(vector: str) -> None:
    digits = vector[2:]
    assert {parse_address(f" 0x{digits.lower()}\n"), parse_address("0X" + digits.upper())} == {vector}


@pytest.mark.parametrize("place", range(2, 42))
def test_one_letter_in_the_wrong_case_is_a_typing_error(place: int) -> None:
    vector = VECTORS[4]
    if vector[place].isdigit():
        return
    with pytest.raises(AddressUnreadable, match="the checksum is wrong"):
        parse_address(vector[:place] + vector[place].swapcase() + vector[place + 1 :])


@pytest.mark.parametrize("name", ["vitalik.eth", "shop.example.com", "ann.lens"])
def test_a_name_is_not_looked_up_and_says_so(name: str) -> None:
    with pytest.raises(AddressUnreadable, match="names are not supported yet; give the address"):
        parse_address(name)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "another shape"),
        ("0x", "0 characters after 0x, not 40"),
        ("0x1234", "4 characters after 0x, not 40"),
        (VECTORS[0] + "0", "41 characters"),
        (VECTORS[0][2:], "another shape"),
        ("0x5290840009852788" + "\u0415" + "6E0F7030069857D2E4169EE", "only looks like a hex digit"),
        ("0x" + "\uff11" * 40, "only looks like a hex digit"),
        ("x" * 5000, "another shape"),
    ],
)
def test_what_is_no_address_says_why(text: str, problem: str) -> None:
    with pytest.raises(AddressUnreadable, match=problem) as refusal:
        parse_address(text)
    assert str(refusal.value).isascii()
    assert len(str(refusal.value)) < 600


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    with suppress(AddressUnreadable):
        assert parse_address(text).lower() == text.strip().lower()


@given(st.binary(min_size=20, max_size=20))
def test_a_written_address_reads_back(address: bytes) -> None:
    assert bytes.fromhex(parse_address(to_checksum(address))[2:]) == address


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("0", 0),
        ("1234", 1234),
        ("0x4d2", 1234),
        (" latest ", "latest"),
        ("safe", "safe"),
        ("finalized", "finalized"),
        ("0x" + "AB" * 32, "0x" + "ab" * 32),
    ],
)
def test_a_block_is_a_number_a_hash_or_a_tag(text: str, tag: object) -> None:
    assert parse_block_tag(text) == tag


@pytest.mark.parametrize("text", ["", "newest", "pending", "-1", "1.5", "0x", "0xzz", "0x" + "ab" * 31, "٣", "9" * 30])
def test_anything_else_is_no_block(text: str) -> None:
    with pytest.raises(BlockTagUnreadable, match="write a number"):
        parse_block_tag(text)
