"""What an event promises before anybody registers: chain, collections, catalogue, block rule, policy, quorum and keys.

The manifest is one canonical JSON document, and `event_id` is its hash, so whatever is signed for an event names all of
it. Anybody who has the document can recompute every block and every verdict of the event without asking the organizer.

    {"block_rule":{"depth":null,"opening":1700000000},"catalogue":"0x…","chain_id":1,"check_in":{…},"collections":[…],
     "deck_format":{"game":"cps","name":"standard","version":1},"event":"Spring Open","format":"deckproof-manifest",
     "keys":["0x…"],"policy":"flag","quorum":{"agree":2,"of":3},"salt":"0x…","version":1}

Source of the canonical form: RFC 8785, of which whole numbers, strings, arrays and objects are used.
"""

from dataclasses import dataclass
from enum import StrEnum

from verifier.holdings import Address


class Policy(StrEnum):
    """What becomes of an entry that is short at an epoch."""

    FLAG = "flag"
    """It plays on; staff see it."""
    WARN = "warn"
    """It plays on; staff, the player and the public page see it."""
    DROP = "drop"
    """It is not paired again unless a judge overrides."""


@dataclass(frozen=True, slots=True)
class BlockRule:
    """Which block an epoch is about: the first one at or after a time, once nothing can replace it.

    Nobody can choose a convenient block, and anybody can find it again.
    """

    opening: int
    """Epoch 1 is at the first block with this timestamp or a later one. Seconds since 1970, UTC. The time of each
    further epoch is the one at which its round was opened, which the event's log has."""
    depth: int | None
    """None: the block is read once it is `finalized`. A number: once so many blocks are on top of it, for chains whose
    `finalized` tag is missing or says nothing."""


@dataclass(frozen=True, slots=True)
class Contract:
    """A card contract of the event."""

    address: Address
    code_hash: str
    """As `verifier.chain.Contract.code_hash`."""


@dataclass(frozen=True, slots=True)
class DeckFormat:
    """The rules a deck is judged by."""

    game: str
    name: str
    version: int


@dataclass(frozen=True, slots=True)
class Quorum:
    """How many endpoints must say the same, of how many that are asked."""

    agree: int
    of: int


@dataclass(frozen=True, slots=True)
class Window:
    """From when until when, both in seconds since 1970, UTC; the end is no longer in it."""

    opens: int
    closes: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an event promises."""

    event: str
    """What it is called."""
    salt: str
    """`0x` and 64 hex digits of chance, so that two events with the same terms have different ids."""
    chain_id: int
    collections: tuple[Contract, ...]
    """At least one; all token ids of one card are in one of them."""
    catalogue: str
    """`0x` and 64 hex digits: the hash of which token ids stand for which card."""
    deck_format: DeckFormat
    block_rule: BlockRule
    policy: Policy
    quorum: Quorum
    keys: tuple[Address, ...]
    """Whose signatures make a DeckPass of this event; may be empty."""
    check_in: Window

    @property
    def event_id(self) -> str:
        """keccak-256 of `canonical`: `0x` and 64 hex digits."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ManifestFault:
    """One thing that is wrong with a manifest: a finding."""

    path: str
    """Where: `collections[0].code_hash`."""
    problem: str
    """What is there, and what would be right."""


def faults(manifest: Manifest) -> list[ManifestFault]:
    """Everything that is wrong with the values of a manifest; an empty list is a sound one."""
    raise NotImplementedError


def write_manifest(manifest: Manifest) -> bytes:
    """The one way to write it (RFC 8785), as UTF-8. `event_id` is the hash of these bytes.

    Raises:
        ManifestUnreadable: its values are not sound.
    """
    raise NotImplementedError


def parse_manifest(text: str | bytes) -> Manifest:
    """Read one back. Spaces and the order of keys do not matter; unknown, missing and doubled keys do.

    Raises:
        ManifestUnreadable: with every fault.
    """
    raise NotImplementedError
