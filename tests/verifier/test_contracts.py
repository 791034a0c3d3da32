"""What contracts are asked in, against eth-abi as the oracle."""

import pytest
from eth_abi.abi import encode as abi_encode
from hypothesis import given
from hypothesis import strategies as st

from verifier.addresses import to_checksum
from verifier.contracts import Call, MemoryContracts, Reverted, decode_wrapped, encode
from verifier.errors import BlockUnavailable
from verifier.holdings import Block, BlockHash

addresses = st.binary(min_size=20, max_size=20).map(to_checksum)
texts = st.binary(max_size=100)


@given(st.integers(0, 2**256 - 1), addresses, texts, texts)
def test_arguments_are_encoded_as_eth_abi_does(number: int, address: str, first: bytes, second: bytes) -> None:
    expected = abi_encode(["uint256", "bytes", "address", "bytes"], [number, first, address, second])
    assert encode(number, first, to_checksum(bytes.fromhex(address[2:])), second) == expected


@given(addresses, texts, texts)
def test_a_wrapping_is_read_back(address: str, first: bytes, second: bytes) -> None:
    data = abi_encode(["address", "bytes", "bytes"], [address, first, second])
    assert decode_wrapped(data) == (address, first, second)


@given(addresses, texts, texts, st.data())
def test_a_wrapping_that_is_changed_anywhere_is_another_one_or_none(
    address: str, first: bytes, second: bytes, drawn: st.DataObject
) -> None:
    data = bytearray(abi_encode(["address", "bytes", "bytes"], [address, first, second]))
    at = drawn.draw(st.integers(0, len(data) - 1))
    data[at] ^= drawn.draw(st.integers(1, 255))
    try:
        found = decode_wrapped(bytes(data))
    except ValueError:
        return
    assert found != (address, first, second)
    assert abi_encode(["address", "bytes", "bytes"], list(found)) == bytes(data)


@pytest.mark.parametrize("data", [b"", b"\0" * 31, b"\xff" * 96, b"\0" * 1000])
def test_what_is_no_wrapping_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not an address and two texts"):
        decode_wrapped(data)


def test_a_table_answers_at_its_block_only() -> None:
    block, other = (Block(number, BlockHash("0x" + f"{number:064x}"), 12 * number) for number in (1, 2))
    somebody = to_checksum(b"\1" * 20)
    table = MemoryContracts(5, block, codes={somebody: b"\1"}, answers={Call(somebody, b"?"): Reverted()})
    assert (table.chain_id(), table.find("latest"), table.find(1), table.find(block.hash)) == (5, block, block, block)
    assert table.code(somebody, block) == b"\1"
    assert table.calls([Call(somebody, b"?"), Call(somebody, b"!")], block) == [Reverted(), b""]
    assert table.transaction("0x" + "0" * 64) is None
    for ask in (lambda: table.find(2), lambda: table.code(somebody, other), lambda: table.calls([], other)):
        with pytest.raises(BlockUnavailable):
            ask()
