"""Delegation: a vault that vouches for the player's wallet in the delegate.xyz registry, at a block.

It *authorises*, and that is all: the registry never looks at holdings, so units are charged to the vault, and a vault
serves one entry as any wallet does. Otherwise two delegates of one vault would count its cards twice.

Source: delegate.xyz, IDelegateRegistry (version 2).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from eth_hash.auto import keccak

from verifier.contracts import WORD, Answer, Call, Contracts, encode
from verifier.errors import AnswerSuspicious, CodeChanged, NoContract
from verifier.holdings import Address, Block, TokenId

REGISTRY: Final = Address("0x00000000000000447e69651d841bD8D104Bed493")
"""Where version 2 stands on every chain that has it."""
RIGHTS: Final = b"deckproof".ljust(WORD, b"\0")
"""What a vault may limit its delegation to; one without limits counts too."""
_RIGHTS: Final = int.from_bytes(RIGHTS, "big")

CHECK_ALL: Final = bytes.fromhex("e839bd53")
"""First four bytes of keccak("checkDelegateForAll(address,address,bytes32)")."""
CHECK_CONTRACT: Final = bytes.fromhex("8988eea9")
"""First four bytes of keccak("checkDelegateForContract(address,address,address,bytes32)")."""
CHECK_ERC1155: Final = bytes.fromhex("b8705875")
"""First four bytes of keccak("checkDelegateForERC1155(address,address,address,uint256,bytes32)")."""


@dataclass(frozen=True, slots=True)
class Registry:
    """The registry that is asked."""

    address: Address = REGISTRY
    code_hash: str | None = None
    """What keccak-256 of its code must be, `0x` and 64 hex digits; None: not compared."""


class Level(StrEnum):
    """How much a vault vouches for."""

    VAULT = "vault"
    """Everything that the vault has, anywhere."""
    COLLECTION = "collection"
    """Everything that it has of this collection."""
    TOKENS = "tokens"
    """So many units of single token ids."""


@dataclass(frozen=True, slots=True)
class Delegation:
    """What is asked: whether a vault vouches for a wallet."""

    vault: Address
    wallet: Address
    """Which the player controls; that is proven elsewhere."""
    token_ids: tuple[TokenId, ...] = ()
    """Asked for one by one where neither vault nor collection is delegated."""


@dataclass(frozen=True, slots=True)
class Authority:
    """What a delegation allows, at a block."""

    delegation: Delegation
    block: Block
    level: Level | None
    """The widest that there is; None: the vault does not vouch for the wallet, not yet or no longer."""
    units: Mapping[TokenId, int]
    """At the level of tokens, how many units of each token id may be counted at most, zeros left out; else empty."""

    def most(self, token_id: TokenId) -> int | None:
        """How many units of a token id may be counted at most; None: as many as the vault has."""
        if self.level in (Level.VAULT, Level.COLLECTION):
            return None
        return self.units.get(token_id, 0)


def read_authorities(
    delegations: Sequence[Delegation],
    contracts: Contracts,
    block: Block,
    *,
    collection: Address,
    registry: Registry | None = None,
) -> list[Authority]:
    """What each delegation allows at that one block, in their order.

    Two questions a delegation; then, of those that are neither of the vault nor of the collection, one for each token
    id.

    Raises:
        ChainError: nothing may be concluded; its leaf says why. `NoContract` and `CodeChanged` are about the registry.
    """
    if not delegations:
        return []
    asked = _Asked(registry or Registry(), collection, contracts, block)
    asked.refuse_other_code()
    levels = asked.levels(delegations)
    narrow = [delegation for delegation, level in zip(delegations, levels, strict=True) if level is None]
    units = iter(asked.units(narrow))
    return [
        Authority(delegation, block, level, {}) if level else _narrow(delegation, block, next(units))
        for delegation, level in zip(delegations, levels, strict=True)
    ]


def _narrow(delegation: Delegation, block: Block, units: Mapping[TokenId, int]) -> Authority:
    return Authority(delegation, block, Level.TOKENS if units else None, units)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A registry, asked about a collection at a block."""

    registry: Registry
    collection: Address
    contracts: Contracts
    block: Block

    def refuse_other_code(self) -> None:
        address, expected = self.registry.address, self.registry.code_hash
        code = self.contracts.code(address, self.block)
        if not code:
            raise NoContract("the chain", address, self.block.number)
        found = "0x" + keccak(code).hex()
        if expected not in (None, found):
            raise CodeChanged(address, str(expected), found)

    def levels(self, delegations: Sequence[Delegation]) -> list[Level | None]:
        """The widest level of each, of those that need no token id."""
        all_ = self._truths(CHECK_ALL + _parties(each) + encode(_RIGHTS) for each in delegations)
        contract = self._truths(
            CHECK_CONTRACT + _parties(each) + encode(self.collection, _RIGHTS) for each in delegations
        )
        return [_level(*found) for found in zip(all_, contract, strict=True)]

    def units(self, delegations: Sequence[Delegation]) -> list[Mapping[TokenId, int]]:
        """Units of each token id that is asked about, zeros left out."""
        numbers = iter(
            self._numbers(
                CHECK_ERC1155 + _parties(each) + encode(self.collection, token_id, _RIGHTS)
                for each in delegations
                for token_id in each.token_ids
            )
        )
        return [{token_id: number for token_id in each.token_ids if (number := next(numbers))} for each in delegations]

    def _truths(self, questions: Iterable[bytes]) -> list[bool]:
        numbers = self._numbers(questions)
        if any(number > 1 for number in numbers):
            raise self._suspicious(f"it says {max(numbers)}, where true or false is asked for")
        return [number == 1 for number in numbers]

    def _numbers(self, questions: Iterable[bytes]) -> list[int]:
        calls = [Call(self.registry.address, question) for question in questions]
        answers = self.contracts.calls(calls, self.block) if calls else []
        return [self._number(answer) for answer in answers]

    def _number(self, answer: Answer) -> int:
        if not isinstance(answer, bytes):
            raise self._suspicious("it refuses a question that every registry answers")
        if len(answer) != WORD:
            raise self._suspicious(f"it answers {len(answer)} bytes, where one word is asked for")
        return int.from_bytes(answer, "big")

    def _suspicious(self, problem: str) -> AnswerSuspicious:
        return AnswerSuspicious(f"the registry at {self.registry.address}", "a delegation", problem)


def _parties(delegation: Delegation) -> bytes:
    """The wallet that is vouched for, and the vault that vouches."""
    return encode(delegation.wallet, delegation.vault)


def _level(all_: bool, contract: bool) -> Level | None:  # noqa: FBT001 - two answers side by side
    if all_:
        return Level.VAULT
    return Level.COLLECTION if contract else None
