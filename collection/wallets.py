"""Wallets whose keys we hold: those that every development chain gives ether to, and those read from a key.

The development keys are public: they come from a phrase that is printed in Anvil's manual. On a public chain whatever
they are sent is gone within a block.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, NewType

from collection.errors import KeyUnreadable
from verifier.addresses import to_checksum
from verifier.holdings import Address

if TYPE_CHECKING:
    from eth_account.signers.base import BaseAccount

PrivateKey = NewType("PrivateKey", bytes)
"""32 bytes: a number from 1 to below the order of secp256k1."""

PHRASE: Final = "test test test test test test test test test test test junk"
"""The mnemonic of Anvil and Hardhat."""

_ORDER: Final = 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFE_BAAEDCE6_AF48A03B_BFD25E8C_D0364141
"""Of secp256k1. Source: SEC 2, 2.4.1."""
_HARDENED: Final = 1 << 31
_ETHEREUM: Final = (_HARDENED | 44, _HARDENED | 60, _HARDENED | 0, 0)
"""m/44'/60'/0'/0, below which the wallets are numbered. Source: BIP-44, SLIP-44."""
_KEY = re.compile(r"(?:0[xX])?([0-9a-fA-F]{64})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Wallet:
    """An address together with its key."""

    address: Address
    key: PrivateKey = field(repr=False)

    def signer(self) -> "BaseAccount":
        """What signs this wallet's transactions."""
        from eth_account import Account  # noqa: PLC0415 - takes half a second

        signer: BaseAccount = Account.from_key(self.key)
        return signer


def parse_key(text: str) -> PrivateKey:
    """A private key as 64 hex digits, with or without 0x.

    Raises:
        KeyUnreadable: it is something else; what, is not repeated.
    """
    digits = _KEY.fullmatch(text.strip())
    if digits is None:
        raise KeyUnreadable("it has another shape")
    key = bytes.fromhex(digits[1])
    if not 0 < int.from_bytes(key, "big") < _ORDER:
        raise KeyUnreadable("its number is zero or too large")
    return PrivateKey(key)


def wallet_of(key: PrivateKey) -> Wallet:
    """The wallet that a key commands."""
    from eth_keys.datatypes import PrivateKey as CurveKey  # noqa: PLC0415 - takes a fifth of a second

    return Wallet(to_checksum(CurveKey(key).public_key.to_canonical_address()), key)


def development_wallets(count: int) -> tuple[Wallet, ...]:
    """The first wallets of `PHRASE`, in order; Anvil gives 10,000 ether to as many as it is told.

    Derived here, not by `eth_account`, which walks the whole path again for each: ten times as long.
    """
    node = _root(PHRASE)
    for number in _ETHEREUM:
        node = node.child(number)
    return tuple(wallet_of(PrivateKey(node.child(number).key)) for number in range(count))


@dataclass(frozen=True)
class _Node:
    """A key of the tree and what its children are derived with. Source: BIP-32."""

    key: bytes
    chain_code: bytes

    def child(self, number: int) -> "_Node":
        parent = b"\0" + self.key if number & _HARDENED else self.point
        digest = hmac.digest(self.chain_code, parent + number.to_bytes(4, "big"), "sha512")
        tweak = int.from_bytes(digest[:32], "big") + int.from_bytes(self.key, "big")
        return _Node((tweak % _ORDER).to_bytes(32, "big"), digest[32:])

    @cached_property
    def point(self) -> bytes:
        """The public key, compressed."""
        from eth_keys.datatypes import PrivateKey as CurveKey  # noqa: PLC0415 - takes a fifth of a second

        return CurveKey(self.key).public_key.to_compressed_bytes()


def _root(phrase: str) -> _Node:
    """Source: BIP-39 ("From mnemonic to seed"), BIP-32 ("Master key generation")."""
    seed = hashlib.pbkdf2_hmac("sha512", phrase.encode(), b"mnemonic", 2048)
    digest = hmac.digest(b"Bitcoin seed", seed, "sha512")
    return _Node(digest[:32], digest[32:])
