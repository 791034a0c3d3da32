"""Which passes count no more, and which keys: one signed list, with the time that it is of.

    Revocations(bytes32 eventId,uint64 asOf,uint64[] formerUntil,uint32[] serials)

The manifest names several keys, in the order in which they will be used. A list that the third of them signed says in
`formerUntil` until when passes of the first and of the second count. So a key is exchanged without a new manifest; and
whoever steals an old one can neither sign passes nor take the list back, since no list by an earlier key replaces one
by a later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Self, cast

from verifier.curve import Digest, SignatureUnsound, SigningKey, signer_of
from verifier.errors import RevocationsUntrusted
from verifier.holdings import Address
from verifier.passes.deckpass import HASH, LATEST, MOST_SERIALS, statement_digest
from verifier.passes.documents import read_statement, write_statement
from verifier.passes.typed import Value, struct

REVOCATIONS: Final = struct("Revocations(bytes32 eventId,uint64 asOf,uint64[] formerUntil,uint32[] serials)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Revocations:
    """What counts no more in an event. Times are seconds since 1970, UTC.

    Raises:
        ValueError: a field of another type or range, all of them at once; serials that do not ascend.
    """

    event_id: bytes
    """32 bytes."""
    as_of: int
    former_until: tuple[int, ...]
    """For each key of the manifest before the one that signs: the last second in which its passes count."""
    serials: tuple[int, ...]
    """Of passes, ascending."""

    def __post_init__(self) -> None:
        faults = []
        if type(self.event_id) is not bytes or len(self.event_id) != HASH:
            faults.append(f"event_id is exactly {HASH} bytes, and not {self.event_id!r}")
        if not all(type(time) is int and 0 <= time <= LATEST for time in (self.as_of, *self.former_until)):
            faults.append(f"as_of and former_until are whole seconds from 0 to {LATEST}")
        if not all(type(serial) is int and 1 <= serial <= MOST_SERIALS for serial in self.serials):
            faults.append(f"serials are whole numbers from 1 to {MOST_SERIALS}")
        elif any(one >= other for one, other in pairwise(self.serials)):
            faults.append("serials ascend, each once")
        if faults:
            raise ValueError("; ".join(faults))

    def values(self) -> dict[str, Value]:
        """Its members, as the type names them."""
        return {
            "eventId": self.event_id,
            "asOf": self.as_of,
            "formerUntil": self.former_until,
            "serials": self.serials,
        }

    def digest(self, chain_id: int) -> Digest:
        """What is signed, on that chain."""
        return statement_digest(chain_id, REVOCATIONS, self.values())


@dataclass(frozen=True, slots=True)
class SignedRevocations:
    """A list with its signature of 65 bytes."""

    revocations: Revocations
    signature: bytes

    @classmethod
    def by(cls, key: SigningKey, revocations: Revocations, chain_id: int) -> Self:
        """Signed by that key."""
        return cls(revocations, key.sign(revocations.digest(chain_id)))


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A key that signs passes of an event."""

    address: Address
    until: int | None = None
    """The last second in which its passes count; None: no end is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """What a desk knows of an event, so that it can check passes and ask nobody."""

    event_id: bytes
    chain_id: int
    keys: tuple[VerifierKey, ...]
    """In the order of the manifest."""
    signed_by: int
    """Which of the keys signed the list of revocations; from 0."""
    as_of: int
    """The time of the list; seconds since 1970, UTC."""
    revoked: frozenset[int]
    """Serials."""

    def is_newer_than(self, other: Self) -> bool:
        """Whether its list replaces the other one's: by a later key, or by the same key later."""
        return (self.signed_by, self.as_of) > (other.signed_by, other.as_of)


def brief(
    signed: SignedRevocations,
    *,
    event_id: bytes,
    chain_id: int,
    keys: Sequence[Address],
    before: Briefing | None = None,
) -> Briefing:
    """What a desk may believe, from the list and the keys of the manifest.

    Args:
        signed: the list.
        event_id: of the event that the desk is for.
        chain_id: of its manifest.
        keys: of its manifest, in order.
        before: what the desk knew until now.

    Raises:
        RevocationsUntrusted: of another event, signed by nobody who may, or older than what the desk knew.
    """
    said = signed.revocations
    if said.event_id != event_id:
        raise RevocationsUntrusted(f"it is of the event 0x{said.event_id.hex()}, and this is 0x{event_id.hex()}")
    try:
        signer = signer_of(said.digest(chain_id), signed.signature)
    except SignatureUnsound as error:
        raise RevocationsUntrusted(f"its signature is none: {error}") from error
    if signer not in keys:
        raise RevocationsUntrusted(f"{signer} signed it, which is no key of the event on chain {chain_id}")
    place = list(keys).index(signer)
    if len(said.former_until) != place:
        raise RevocationsUntrusted(f"key {place + 1} signed it, and it speaks of {len(said.former_until)} earlier ones")
    until = (*said.former_until, *[None] * (len(keys) - place))
    found = Briefing(
        event_id=event_id,
        chain_id=chain_id,
        keys=tuple(VerifierKey(key, end) for key, end in zip(keys, until, strict=True)),
        signed_by=place,
        as_of=said.as_of,
        revoked=frozenset(said.serials),
    )
    if before is not None and before.is_newer_than(found):
        raise RevocationsUntrusted("the desk has a newer one, or one by a later key")
    return found


def write_revocations(signed: SignedRevocations) -> dict[str, object]:
    """As a document of JSON."""
    return write_statement(signed.revocations.values(), signed.signature)


def read_revocations(document: object) -> SignedRevocations:
    """From a document of JSON. Raises: StatementUnreadable."""
    return read_statement(REVOCATIONS, document, _made)


def _made(values: Mapping[str, Value], signature: bytes) -> SignedRevocations:
    said = Revocations(
        event_id=cast("bytes", values["eventId"]),
        as_of=cast("int", values["asOf"]),
        former_until=cast("tuple[int, ...]", values["formerUntil"]),
        serials=cast("tuple[int, ...]", values["serials"]),
    )
    return SignedRevocations(said, signature)
