"""The words of ERC-1155, held to an independent encoder."""

import pytest
from eth_abi import encode
from hypothesis import given
from hypothesis import strategies as st

from verifier import erc1155
from verifier.addresses import to_checksum
from verifier.holdings import Ask, TokenId

addresses = st.binary(min_size=20, max_size=20).map(to_checksum)
token_ids = st.integers(0, 2**256 - 1).map(TokenId)
asks = st.lists(st.builds(Ask, addresses, st.lists(token_ids, max_size=6).map(tuple)), max_size=6)
units = st.lists(st.integers(0, erc1155.MAX_UNITS), max_size=60)


@given(asks)
def test_calldata_is_what_eth_abi_encodes(asks: list[Ask]) -> None:
    pairs = [(ask.wallet, token_id) for ask in asks for token_id in ask.token_ids]
    expected = encode(
        ["address[]", "uint256[]"], [[wallet for wallet, _ in pairs], [token_id for _, token_id in pairs]]
    )
    assert erc1155.balance_of_batch(asks) == bytes.fromhex("4e1273f4") + expected


def test_the_interface_question_is_what_eth_abi_encodes() -> None:
    expected = bytes.fromhex("01ffc9a7") + encode(["bytes4"], [bytes.fromhex("d9b67a26")])
    assert erc1155.supports_interface(erc1155.ERC1155_ID) == expected


@given(units)
def test_an_honest_answer_reads_back(units: list[int]) -> None:
    assert erc1155.decode_balances(encode(["uint256[]"], [units]), len(units)) == tuple(units)


@given(units, st.data())
def test_an_answer_changed_in_its_frame_or_length_is_never_believed(units: list[int], data: st.DataObject) -> None:
    honest = encode(["uint256[]"], [units])
    cut = data.draw(st.integers(0, len(honest) - 1))
    extra = data.draw(st.binary(min_size=1, max_size=40))
    place = data.draw(st.integers(0, 63))
    flipped = bytearray(honest)
    flipped[place] ^= data.draw(st.integers(1, 255))
    for answer in (honest[:cut], honest + extra, bytes(flipped)):
        with pytest.raises(erc1155.UnsoundAnswer):
            erc1155.decode_balances(answer, len(units))


@given(units, st.integers(-3, 3).filter(bool))
def test_another_number_of_balances_is_never_believed(units: list[int], more: int) -> None:
    with pytest.raises(erc1155.UnsoundAnswer):
        erc1155.decode_balances(encode(["uint256[]"], [units]), len(units) + more)


@pytest.mark.parametrize("huge", [2**64, 2**128, 2**192, 2**256 - 1])
def test_more_units_than_any_card_was_printed_are_never_believed(huge: int) -> None:
    with pytest.raises(erc1155.UnsoundAnswer, match="more than any card was printed"):
        erc1155.decode_balances(encode(["uint256[]"], [[0, huge, 0]]), 3)


@pytest.mark.parametrize(("answer", "value"), [(1, True), (0, False)])
def test_a_boolean_is_one_word(answer: int, value: bool) -> None:  # noqa: FBT001
    assert erc1155.decode_bool(answer.to_bytes(32, "big")) is value


@pytest.mark.parametrize("answer", [b"", b"\1", bytes(31) + b"\2", b"\1" + bytes(31), bytes(33), bytes(64)])
def test_anything_else_is_no_boolean(answer: bytes) -> None:
    with pytest.raises(erc1155.UnsoundAnswer):
        erc1155.decode_bool(answer)
