"""RLP, held to the package of the same name, which is written by others."""

import pytest
import rlp as oracle
from hypothesis import given
from hypothesis import strategies as st

from verifier import rlp

items = st.recursive(
    st.one_of(st.binary(max_size=70), st.integers(0, 300).map(bytes)),
    lambda inner: st.lists(inner, max_size=6),
    max_leaves=20,
)


@given(items)
def test_an_item_is_encoded_as_the_other_package_does(item: rlp.Item) -> None:
    assert rlp.encode(item) == oracle.encode(item)


@given(items)
def test_an_encoding_reads_back(item: rlp.Item) -> None:
    assert rlp.decode(rlp.encode(item)) == item


@given(st.one_of(st.binary(max_size=80), items.map(rlp.encode)), st.data())
def test_what_is_read_is_the_only_encoding_of_it(encoded: bytes, data: st.DataObject) -> None:
    # Of any bytes, also of an honest encoding with one byte changed: refused, or they are what their item encodes to.
    if encoded and data.draw(st.booleans()):
        place = data.draw(st.integers(0, len(encoded) - 1))
        encoded = encoded[:place] + bytes([data.draw(st.integers(0, 255))]) + encoded[place + 1 :]
    try:
        item = rlp.decode(encoded)
    except rlp.UnsoundRlp:
        with pytest.raises(oracle.DecodingError):
            oracle.decode(encoded)
    else:
        assert rlp.encode(item) == encoded
        assert oracle.decode(encoded) == item


@pytest.mark.parametrize(
    ("encoded", "problem"),
    [
        ("", "it ends where an item should start"),
        ("8180" + "00", "1 bytes follow the item"),
        ("8105", "one byte is written longer than need be"),
        ("b80101", "a length is written longer than need be"),
        ("b90038" + "01" * 56, "a length is written longer than need be"),
        ("83aabb", "it is cut off: an item of 3 bytes has 2"),
        ("b9ff", "it is cut off in the middle of a length"),
        ("c382aabb" + "cc", "1 bytes follow the item"),
        ("c283aabb", "it is cut off: an item of 3 bytes has 1"),
        ("d0cfcecdcccbcac9c8c7c6c5c4c3c2c1c0", "lists are nested over 16 deep"),
    ],
)
def test_what_is_not_the_one_encoding_is_refused_with_its_reason(encoded: str, problem: str) -> None:
    with pytest.raises(rlp.UnsoundRlp) as refused:
        rlp.decode(bytes.fromhex(encoded))
    assert str(refused.value) == problem


@given(st.integers(0, 2**260))
def test_numbers_read_back(number: int) -> None:
    assert rlp.decode_number(rlp.encode_number(number)) == number


@pytest.mark.parametrize("item", [b"\0", b"\0\x01", [b"\x01"]])
def test_a_number_has_one_form(item: rlp.Item) -> None:
    with pytest.raises(rlp.UnsoundRlp):
        rlp.decode_number(item)
