"""Holdings: how many of one token id one wallet has, at one block.

`Holdings` is what the verifier asks; `MemoryHoldings` answers from a table (tests, previews, evidence files) and
`verifier.chain.ChainHoldings` from nodes. One contract test, `tests/verifier/test_holdings.py`, holds for both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NewType, Protocol, TypeAlias

from verifier.errors import BlockUnavailable

Address = NewType("Address", str)
"""`0x` and 40 hex digits in EIP-55 mixed case; `verifier.addresses.parse_address` makes one."""

TokenId = NewType("TokenId", int)
"""0 to 2**256 - 1."""

BlockHash = NewType("BlockHash", str)
"""`0x` and 64 lower-case hex digits."""

Tag: TypeAlias = Literal["latest", "safe", "finalized"]
BlockTag: TypeAlias = int | BlockHash | Tag
"""How a person names a block: its number, its hash, or a tag."""


@dataclass(frozen=True, slots=True)
class Block:
    """Number *and* hash: a number alone names another block after a reorganisation."""

    number: int
    hash: BlockHash
    timestamp: int
    """Seconds since 1970, UTC."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One wallet, and the token ids it is asked about."""

    wallet: Address
    token_ids: tuple[TokenId, ...]


@dataclass(frozen=True, slots=True)
class Holding:
    """Units of one token id in one wallet."""

    wallet: Address
    token_id: TokenId
    units: int


class Holdings(Protocol):
    """Where balances come from."""

    def pin(self, tag: BlockTag, /) -> Block:
        """Find the block that is asked about, and make sure that the collection stands there.

        Raises:
            ChainError: nothing may be concluded; its leaf says why.
        """
        ...

    def read(self, asks: Sequence[Ask], block: Block, /) -> list[tuple[int, ...]]:
        """Units for each ask, in the order of its token ids; all of them at this one block.

        Raises:
            ChainError: nothing may be concluded; its leaf says why.
        """
        ...


def holdings_of(asks: Sequence[Ask], answers: Sequence[tuple[int, ...]]) -> list[Holding]:
    """Asks and their answers, which run in parallel, as holdings; zeros are left out."""
    return [
        Holding(ask.wallet, token_id, units)
        for ask, answer in zip(asks, answers, strict=True)
        for token_id, units in zip(ask.token_ids, answer, strict=True)
        if units
    ]


class MemoryHoldings:
    """Holdings from a table: for each block, oldest first, what each wallet has of each token id."""

    def __init__(self, history: Mapping[Block, Mapping[tuple[Address, TokenId], int]]) -> None:
        self._history = dict(history)
        self._blocks = sorted(self._history, key=lambda block: block.number)

    def pin(self, tag: BlockTag, /) -> Block:
        """The block with that number or hash; any tag means the newest one."""
        if isinstance(tag, int):
            found = [block for block in self._blocks if block.number == tag]
        elif tag.startswith("0x"):
            found = [block for block in self._blocks if block.hash == tag]
        else:
            found = self._blocks[-1:]
        if not found:
            raise BlockUnavailable("the table", str(tag), "it holds no such block")
        return found[0]

    def read(self, asks: Sequence[Ask], block: Block, /) -> list[tuple[int, ...]]:
        """What the table says at the block; what it does not mention is zero."""
        if block not in self._history:
            raise BlockUnavailable("the table", str(block.number), "it holds no such block")
        units = self._history[block]
        return [tuple(units.get((ask.wallet, token_id), 0) for token_id in ask.token_ids) for ask in asks]
