"""What contracts answer at a block: what control and delegation ask, and the few words of the ABI that they speak.

`verifier.chain.ChainHoldings` asks nodes, `MemoryContracts` answers from a table (tests, evidence).

Source: the Solidity contract ABI specification.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from verifier.addresses import to_checksum
from verifier.errors import BlockUnavailable
from verifier.holdings import Address, Block, BlockTag

WORD: Final = 32
"""Bytes of a word."""
FIRST_WALLET: Final = 0x10000
"""Below it are precompiled contracts, and what chains keep for themselves: nobody's wallet."""

_ADDRESS: Final = 20


@dataclass(frozen=True, slots=True)
class Call:
    """A question to a contract."""

    to: Address | None
    """None: `data` is creation code, which is run and thrown away; what it returns is the answer."""
    data: bytes


@dataclass(frozen=True, slots=True)
class Reverted:
    """The contract refused to answer, or used up the gas that it was given: an answer too, and never a yes."""


Answer: TypeAlias = bytes | Reverted


@dataclass(frozen=True, slots=True)
class Transaction:
    """A transaction that was mined."""

    hash: str
    """`0x` and 64 lower-case hex digits."""
    kind: int
    """Its type. Source: EIP-2718; 0 is one from before."""
    sender: Address
    to: Address | None
    """None: it made a contract."""
    wei: int
    data: bytes
    block: Block
    """In which it was mined."""


class Contracts(Protocol):
    """Where the answers of contracts come from. Each function raises a `ChainError` where nothing may be concluded."""

    def chain_id(self) -> int:
        """The chain that is asked."""
        ...

    def find(self, tag: BlockTag, /) -> Block:
        """Find the block that is asked about."""
        ...

    def code(self, address: Address, block: Block) -> bytes:
        """What runs at an address; empty where nothing does."""
        ...

    def calls(self, calls: Sequence[Call], block: Block) -> list[Answer]:
        """The answer to each call, in their order; all of them at this one block."""
        ...

    def transaction(self, transaction_hash: str) -> Transaction | None:
        """A mined transaction; None: no endpoint knows it, or it waits to be mined."""
        ...


class MemoryContracts:
    """Contracts from a table, at one block; what it does not mention has no code and answers nothing.

    Args:
        chain: its id.
        block: the only one; any tag means it.
        codes: what runs at an address.
        answers: what is said to a call.
        transactions: by hash.
    """

    def __init__(
        self,
        chain: int,
        block: Block,
        *,
        codes: Mapping[Address, bytes] | None = None,
        answers: Mapping[Call, Answer] | None = None,
        transactions: Mapping[str, Transaction] | None = None,
    ) -> None:
        self._chain, self._block = chain, block
        self._codes, self._answers, self._transactions = codes or {}, answers or {}, transactions or {}

    def chain_id(self) -> int:
        """The chain that the table is of."""
        return self._chain

    def find(self, tag: BlockTag, /) -> Block:
        """The table's block, if that is meant."""
        if tag in (self._block.number, self._block.hash) or (isinstance(tag, str) and not tag.startswith("0x")):
            return self._block
        raise BlockUnavailable("the table", str(tag), "it holds no such block")

    def code(self, address: Address, block: Block) -> bytes:
        """What the table has at the address."""
        self._same(block)
        return self._codes.get(address, b"")

    def calls(self, calls: Sequence[Call], block: Block) -> list[Answer]:
        """What the table has of each call."""
        self._same(block)
        return [self._answers.get(call, b"") for call in calls]

    def transaction(self, transaction_hash: str) -> Transaction | None:
        """What the table has under the hash."""
        return self._transactions.get(transaction_hash)

    def _same(self, block: Block) -> None:
        if block != self._block:
            raise BlockUnavailable("the table", str(block.number), "it holds no such block")


def encode(*arguments: int | Address | bytes) -> bytes:
    """Arguments as contracts take them: numbers, addresses, and `bytes` of any length. A `bytes32` is a number."""
    heads: list[bytes] = []
    tails: list[bytes] = []
    end = len(arguments) * WORD
    for argument in arguments:
        if isinstance(argument, bytes):
            heads.append(_word(end))
            tails.append(_word(len(argument)) + argument.ljust(_padded(len(argument)), b"\0"))
            end += len(tails[-1])
        else:
            heads.append(_word(argument if isinstance(argument, int) else int(argument, 16)))
    return b"".join(heads + tails)


def decode_wrapped(data: bytes) -> tuple[Address, bytes, bytes]:
    """An address and two `bytes`, in the one encoding that compilers and libraries write.

    Raises:
        ValueError: anything else.
    """
    head = 3 * WORD
    first, second = (int.from_bytes(data[at : at + WORD], "big") for at in (WORD, 2 * WORD))
    length = int.from_bytes(data[head : head + WORD], "big")
    address = to_checksum(data[WORD - _ADDRESS : WORD])
    contents = data[head + WORD : head + WORD + length]
    last = data[second + WORD : second + WORD + int.from_bytes(data[second : second + WORD], "big")]
    if first != head or encode(address, contents, last) != data:
        raise ValueError("it is not an address and two texts of bytes, encoded as usual")
    return address, contents, last


def _padded(length: int) -> int:
    return -(-length // WORD) * WORD


def _word(number: int) -> bytes:
    return number.to_bytes(WORD, "big")
