"""Delegation: a vault that vouches for the player's wallet in the delegate.xyz registry, at a block.

It *authorises*, and that is all: the registry never looks at holdings, so units are charged to the vault, and a vault
serves one entry like any wallet; otherwise two delegates of one vault would count its cards twice.

Source: delegate.xyz, IDelegateRegistry (v2).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from verifier.contracts import Contracts
from verifier.holdings import Address, Block, TokenId

REGISTRY: Final = Address("0x00000000000000447e69651d841bD8D104Bed493")
"""Where version 2 stands on every chain that has it."""
RIGHTS: Final = b"deckproof".ljust(32, b"\0")
"""What a vault may limit its delegation to; one without limits counts too."""


@dataclass(frozen=True, slots=True)
class Registry:
    """The registry that is asked."""

    address: Address = REGISTRY
    code_hash: str | None = None
    """What keccak-256 of its code must be; None: not compared."""


class Level(StrEnum):
    """How much a vault vouches for."""

    VAULT = "vault"
    """Everything that the vault has, anywhere."""
    COLLECTION = "collection"
    """Everything of this collection."""
    TOKENS = "tokens"
    """So many units of single token ids."""


@dataclass(frozen=True, slots=True)
class Delegation:
    """What is asked: whether a vault vouches for a wallet, at any of the levels up to the one that was registered."""

    vault: Address
    wallet: Address
    """Which the player controls."""
    token_ids: tuple[TokenId, ...] = ()
    """Asked for one by one where neither vault nor collection is delegated."""


@dataclass(frozen=True, slots=True)
class Authority:
    """What a delegation allows, at a block."""

    delegation: Delegation
    block: Block
    level: Level | None
    """The widest that there is; None: the vault does not vouch for the wallet, or no longer does."""
    units: Mapping[TokenId, int]
    """At level TOKENS, how many units of each token id may be counted at most, zeros left out; else empty."""

    def most(self, token_id: TokenId) -> int | None:
        """How many units of a token id may be counted at most; None: as many as the vault has."""
        raise NotImplementedError


def read_authorities(
    delegations: Sequence[Delegation],
    collection: Address,
    contracts: Contracts,
    block: Block,
    *,
    registry: Registry | None = None,
    rights: bytes = RIGHTS,
) -> list[Authority]:
    """What each delegation allows at that one block, in their order.

    Raises:
        ChainError: nothing may be concluded, such as where there is no registry; its leaf says why.
    """
    raise NotImplementedError
