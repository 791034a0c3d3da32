"""What contracts answer at a block: what control and delegation ask, and the few words of the ABI that they speak.

`verifier.chain.ChainHoldings` asks nodes; `MemoryContracts` answers from a table (tests, evidence files).

Source: the Solidity contract ABI specification.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from verifier.errors import BlockUnavailable
from verifier.holdings import Address, Block, BlockTag

WORD: Final = 32
"""Bytes of a word."""


@dataclass(frozen=True, slots=True)
class Call:
    """A question to a contract."""

    to: Address | None
    """None: `data` is creation code, which is run, thrown away, and what it returns is the answer."""
    data: bytes


@dataclass(frozen=True, slots=True)
class Reverted:
    """The contract refused to answer, or used up the gas that it was given: an answer too, and never a yes."""


@dataclass(frozen=True, slots=True)
class Transaction:
    """A transaction that was mined."""

    hash: str
    """`0x` and 64 lower-case hex digits."""
    sender: Address
    to: Address | None
    """None: it made a contract."""
    value: int
    """Wei."""
    data: bytes
    block: Block
    """In which it was mined."""


class Contracts(Protocol):
    """Where the answers of contracts come from."""

    def chain_id(self) -> int:
        """The chain that is asked."""
        ...

    def find(self, tag: BlockTag, /) -> Block:
        """Find the block that is asked about."""
        ...

    def code(self, address: Address, block: Block) -> bytes:
        """What runs at an address; empty where nothing does."""
        ...

    def calls(self, calls: Sequence[Call], block: Block) -> list[bytes | Reverted]:
        """The answer to each call, in their order; all of them at this one block."""
        ...

    def transaction(self, transaction_hash: str) -> Transaction | None:
        """A mined transaction; None: no endpoint knows one, or it waits to be mined."""
        ...
