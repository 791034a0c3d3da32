"""The DeckPass: the verifier's signed statement that an entry of an event may play.

    DeckPass(bytes32 eventId,bytes32 epochBlockHash,uint64 epochBlock,bytes16 playerTag,bytes32 deckCommit,
             bytes32 holderKey,uint8 policy,uint32 serial,uint64 issuedAt,uint64 notAfter)

It names no wallet and no list: the player is a tag that only the event's secret leads back to a person, and the deck a
commitment. Whoever has the event's public keys can check it, without a network and without asking anybody.
Source: EIP-712.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Self

from verifier.curve import Digest, SigningKey, signer_of
from verifier.holdings import Address
from verifier.passes.typed import Domain, Struct, Value, digest_of, struct

NAME: Final = "Deckproof DeckPass"
VERSION: Final = "1"
SALT: Final = bytes.fromhex("808189bd32d85b888f1576e9078c5f8e03d1d100782187ebeca02b62179c6e9e")
"""keccak-256 of the name: a domain that no other program has by chance."""

DECK_PASS: Final = struct(
    "DeckPass(bytes32 eventId,bytes32 epochBlockHash,uint64 epochBlock,bytes16 playerTag,bytes32 deckCommit,"
    "bytes32 holderKey,uint8 policy,uint32 serial,uint64 issuedAt,uint64 notAfter)"
)

TAG: Final = 16
HASH: Final = 32
NOBODY: Final = bytes(HASH)
"""Holder key of a pass that is bound to no device."""
LATEST: Final = 253_402_300_799
"""The last second of the year 9999, beyond which no calendar shows a time."""
MOST_SERIALS: Final = 2**32 - 1
"""Source: the type, `uint32 serial`."""
HIGHEST_BLOCK: Final = 2**64 - 1


class Ownership(IntEnum):
    """What was found of the deck's ownership when the pass was made, and so why the entry may play."""

    UNVERIFIED = 0
    """The event asks for no ownership, and nothing was looked at."""
    COVERED = 1
    """Every copy was held at the block of every epoch so far; the newest of them is the pass's."""
    FLAGGED = 2
    """Copies were missing at that block, and the event only flags that."""
    ALLOWED = 3
    """A judge let the entry play, with a reason in the log."""

    @property
    def words(self) -> str:
        """For the desk."""
        return _WORDS[self]


_WORDS: Final = {
    Ownership.UNVERIFIED: "ownership not looked at",
    Ownership.COVERED: "every copy covered",
    Ownership.FLAGGED: "copies missing, which this event only flags",
    Ownership.ALLOWED: "let in by a judge",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckPass:
    """What is said of one entry. Times are seconds since 1970, UTC.

    Raises:
        ValueError: a field of another type, length or range than EIP-712 gives it, all of them at once; a pass that
            ends before it begins; one that speaks of copies and names no block.
    """

    event_id: bytes
    """32 bytes: keccak-256 of the event's manifest."""
    epoch_block_hash: bytes
    """32 bytes: of the block at which the copies were counted; zeros where none were."""
    epoch_block: int
    player_tag: bytes
    """16 bytes: see `player_tag`."""
    deck_commit: bytes
    """32 bytes: of the deck, salted."""
    holder_key: bytes = NOBODY
    """32 bytes: x of the P-256 key of the player's device; `NOBODY`: the desk looks at a name instead."""
    policy: Ownership
    serial: int
    """From 1; no two passes of an event share one."""
    issued_at: int
    not_after: int
    """The last second in which it is good."""

    def __post_init__(self) -> None:
        if faults := [*_shape_faults(self), *_sense_faults(self)]:
            raise ValueError("; ".join(faults))

    @property
    def bound(self) -> bool:
        """Whether a device has to sign for it."""
        return self.holder_key != NOBODY

    def values(self) -> dict[str, Value]:
        """Its members, as the type names them."""
        return {
            "eventId": self.event_id,
            "epochBlockHash": self.epoch_block_hash,
            "epochBlock": self.epoch_block,
            "playerTag": self.player_tag,
            "deckCommit": self.deck_commit,
            "holderKey": self.holder_key,
            "policy": int(self.policy),
            "serial": self.serial,
            "issuedAt": self.issued_at,
            "notAfter": self.not_after,
        }

    def digest(self, chain_id: int) -> Digest:
        """What is signed, on that chain."""
        return statement_digest(chain_id, DECK_PASS, self.values())


@dataclass(frozen=True, slots=True)
class SignedPass:
    """A DeckPass with the verifier's signature: 65 bytes, as `verifier.curve` has them."""

    deck_pass: DeckPass
    signature: bytes

    @classmethod
    def by(cls, key: SigningKey, deck_pass: DeckPass, chain_id: int) -> Self:
        """Signed by that key."""
        return cls(deck_pass, key.sign(deck_pass.digest(chain_id)))

    def signer(self, chain_id: int) -> Address:
        """Whose key signed it, if it was signed for that chain; another address, if for another.

        Raises:
            SignatureUnsound: no signature in the one form.
        """
        return signer_of(self.deck_pass.digest(chain_id), self.signature)


def player_tag(event_secret: bytes, player: str) -> bytes:
    """16 bytes by which whoever has the event's secret knows a player again, and nobody else does.

    Source: RFC 2104 (HMAC), with SHA-256; its first 16 bytes.
    """
    return hmac.digest(event_secret, player.encode(), "sha256")[:TAG]


def domain(chain_id: int) -> Domain:
    """Where a pass, a list of revocations and a scan count: on one chain."""
    return Domain(NAME, VERSION, chain_id, None, SALT)


def statement_digest(chain_id: int, kind: Struct, values: dict[str, Value]) -> Digest:
    """What is signed of a statement about passes. Raises: ValueError, as `verifier.passes.typed.struct_hash`."""
    return digest_of(domain(chain_id), kind, values)


_LENGTHS: Final = {
    "event_id": HASH,
    "epoch_block_hash": HASH,
    "player_tag": TAG,
    "deck_commit": HASH,
    "holder_key": HASH,
}
_RANGES: Final = {
    "epoch_block": (0, HIGHEST_BLOCK),
    "serial": (1, MOST_SERIALS),
    "issued_at": (0, LATEST),
    "not_after": (0, LATEST),
}


def _shape_faults(deck_pass: DeckPass) -> Iterator[str]:
    for name, length in _LENGTHS.items():
        value = getattr(deck_pass, name)
        if type(value) is not bytes or len(value) != length:
            yield f"{name} is exactly {length} bytes, and not {value!r}"
    for name, (least, most) in _RANGES.items():
        value = getattr(deck_pass, name)
        if type(value) is not int or not least <= value <= most:
            yield f"{name} is a whole number from {least} to {most}, and not {value!r}"
    if type(deck_pass.policy) is not Ownership:
        yield f"policy is an Ownership, and not {deck_pass.policy!r}"


def _sense_faults(deck_pass: DeckPass) -> Iterator[str]:
    times = (deck_pass.issued_at, deck_pass.not_after)
    if all(type(time) is int for time in times) and times[0] > times[1]:
        yield f"not_after {times[1]} is before issued_at {times[0]}"
    if deck_pass.policy in (Ownership.COVERED, Ownership.FLAGGED) and deck_pass.epoch_block_hash == bytes(HASH):
        yield "copies were counted, so it names the block at which"
