"""The words of ERC-1155 that the verifier speaks: calldata by hand, answers decoded strictly.

By hand because it is what the product exists for: web3.py's contract call sends three requests and takes 5 ms to encode
what takes 10 µs here, and its decoder accepts short, long and trailing-garbage arrays.

Source: ERC-1155 (`balanceOfBatch`), ERC-165 (`supportsInterface`), the Solidity contract ABI specification.
"""

import struct
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from verifier.errors import counted
from verifier.holdings import Address, Ask

BALANCE_OF_BATCH = bytes.fromhex("4e1273f4")
"""First four bytes of keccak("balanceOfBatch(address[],uint256[])")."""
TRANSFER_SINGLE = bytes.fromhex("c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62")
"""keccak("TransferSingle(address,address,address,uint256,uint256)")."""
TRANSFER_BATCH = bytes.fromhex("4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb")
"""keccak("TransferBatch(address,address,address,uint256[],uint256[])")."""
SUPPORTS_INTERFACE = bytes.fromhex("01ffc9a7")
"""First four bytes of keccak("supportsInterface(bytes4)")."""
ERC1155_ID = bytes.fromhex("d9b67a26")
"""ERC-165 identifier of ERC-1155."""
NO_INTERFACE_ID = bytes.fromhex("ffffffff")
"""What no contract that follows ERC-165 may claim to support."""

MAX_UNITS = 2**64 - 1
"""More units of one card than this are an invention."""

_WORD = 32
_ADDRESS = 20
_ZEROS = bytes(_WORD - _ADDRESS)
_KEPT_WORDS = 4096
"""How many encoded numbers are kept: a tournament asks for the same cards of a game again and again."""
_QUADS = 4
"""A 32-byte word is four big-endian 64-bit numbers; only the last may be set."""


class UnsoundAnswer(ValueError):
    """The bytes are not the one encoding of the expected answer; the sentence says in what."""


def balance_of_batch(asks: Sequence[Ask]) -> bytes:
    """Calldata for the balances of all asks, in their order, ids within an ask in theirs."""
    count = sum(len(ask.token_ids) for ask in asks)
    return b"".join(
        (
            BALANCE_OF_BATCH,
            _word(2 * _WORD),
            _word((3 + count) * _WORD),
            _word(count),
            *(_padded(ask.wallet) * len(ask.token_ids) for ask in asks),
            _word(count),
            *map(_word, chain.from_iterable(ask.token_ids for ask in asks)),
        )
    )


def _padded(wallet: Address) -> bytes:
    address = bytes.fromhex(wallet[2:])
    if len(address) != _ADDRESS:
        raise ValueError(f"{wallet!r} is not an address")
    return _ZEROS + address


@lru_cache(_KEPT_WORDS)
def _word(number: int) -> bytes:
    return number.to_bytes(_WORD, "big")


def decode_balances(answer: bytes, count: int) -> tuple[int, ...]:
    """The `count` balances of a `balanceOfBatch` answer.

    Raises:
        UnsoundAnswer: not exactly one array of exactly that many values, each at most `MAX_UNITS`.
    """
    if not answer:
        raise UnsoundAnswer("the answer is empty")
    if len(answer) < 2 * _WORD:
        raise UnsoundAnswer(f"the answer has {counted(len(answer), 'byte')}, too few for an array")
    if int.from_bytes(answer[:_WORD], "big") != _WORD:
        raise UnsoundAnswer("the array does not start where the encoding puts it")
    stated = int.from_bytes(answer[_WORD : 2 * _WORD], "big")
    if stated != count:
        raise UnsoundAnswer(f"the array has {stated} balances for {count} questions")
    if len(answer) != (2 + count) * _WORD:
        raise UnsoundAnswer(f"the answer has {len(answer)} bytes where {count} balances take {(2 + count) * _WORD}")
    quads = struct.unpack_from(f">{_QUADS * count}Q", answer, 2 * _WORD)
    if any(quads[0::_QUADS]) or any(quads[1::_QUADS]) or any(quads[2::_QUADS]):
        raise UnsoundAnswer(f"a balance is above {MAX_UNITS}, more than any card was printed")
    return quads[3::_QUADS]


def supports_interface(interface_id: bytes) -> bytes:
    """Calldata that asks whether the contract supports an interface."""
    return SUPPORTS_INTERFACE + interface_id.ljust(_WORD, b"\0")


def decode_bool(answer: bytes) -> bool:
    """A single boolean.

    Raises:
        UnsoundAnswer: not one word that is 0 or 1.
    """
    if len(answer) != _WORD or int.from_bytes(answer, "big") > 1:
        raise UnsoundAnswer(f"{len(answer)} bytes where true or false takes {_WORD}")
    return bool(answer[-1])
