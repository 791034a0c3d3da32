"""What a desk writes down: each pass that it let in, signed by the desk and chained to the one before.

    Scan(bytes32 eventId,address desk,uint32 counter,uint32 serial,bytes16 playerTag,bytes32 deckPass,uint64 scannedAt,
         bytes32 previous)

Two desks without a network can let one pass in twice. Nobody can prevent that; it is found when their scans come
together. Scans of any desks, in any order and however often, come together as a set: what was said twice is there once.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from verifier.addresses import is_checksummed, to_checksum
from verifier.curve import Digest, SignatureUnsound, SigningKey, signer_of
from verifier.holdings import Address
from verifier.passes.deckpass import HASH, LATEST, MOST_SERIALS, TAG, SignedPass, statement_digest
from verifier.passes.documents import read_statement, write_statement
from verifier.passes.typed import ADDRESS, Value, struct

SCAN: Final = struct(
    "Scan(bytes32 eventId,address desk,uint32 counter,uint32 serial,bytes16 playerTag,bytes32 deckPass,"
    "uint64 scannedAt,bytes32 previous)"
)
FIRST: Final = bytes(HASH)
"""What the first scan of a desk has for the one before."""
_MOST_SCANS: Final = 2**32 - 1
"""Source: the type, `uint32 counter`."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Scan:
    """A desk let a pass in.

    Raises:
        ValueError: a field of another type, length or range, all of them at once.
    """

    event_id: bytes
    """32 bytes."""
    desk: Address
    """Of the key that the desk signs with."""
    counter: int
    """1 for the first scan of the desk, and one more each time."""
    serial: int
    player_tag: bytes
    """16 bytes, as the pass has it."""
    deck_pass: bytes
    """32 bytes: the digest of the pass that was shown."""
    scanned_at: int
    """Seconds since 1970, UTC, by the desk's clock."""
    previous: bytes
    """32 bytes: the digest of the desk's scan before; `FIRST` if there is none."""

    def __post_init__(self) -> None:
        if faults := [*_faults(self)]:
            raise ValueError("; ".join(faults))

    def values(self) -> dict[str, Value]:
        """Its members, as the type names them."""
        return {
            "eventId": self.event_id,
            "desk": bytes.fromhex(self.desk[2:]),
            "counter": self.counter,
            "serial": self.serial,
            "playerTag": self.player_tag,
            "deckPass": self.deck_pass,
            "scannedAt": self.scanned_at,
            "previous": self.previous,
        }

    def digest(self, chain_id: int) -> Digest:
        """What the desk signs, on that chain; the next scan names it."""
        return statement_digest(chain_id, SCAN, self.values())


@dataclass(frozen=True, slots=True)
class SignedScan:
    """A scan with the desk's signature of 65 bytes."""

    scan: Scan
    signature: bytes

    def is_desks(self, chain_id: int) -> bool:
        """Whether the desk that it names signed it."""
        try:
            return signer_of(self.scan.digest(chain_id), self.signature) == self.scan.desk
        except SignatureUnsound:
            return False


@dataclass(frozen=True, slots=True)
class DeskKey:
    """A desk's own key, and the chain that its event is on."""

    key: SigningKey
    chain_id: int

    def scan(self, signed: SignedPass, at: int, last: SignedScan | None) -> SignedScan:
        """The next scan of the desk.

        Args:
            signed: the pass that is let in.
            at: seconds since 1970, UTC.
            last: the desk's scan before; None if this is its first.
        """
        deck_pass = signed.deck_pass
        made = Scan(
            event_id=deck_pass.event_id,
            desk=self.key.address,
            counter=last.scan.counter + 1 if last else 1,
            serial=deck_pass.serial,
            player_tag=deck_pass.player_tag,
            deck_pass=deck_pass.digest(self.chain_id),
            scanned_at=at,
            previous=last.scan.digest(self.chain_id) if last else FIRST,
        )
        return SignedScan(made, self.key.sign(made.digest(self.chain_id)))


@dataclass(frozen=True, slots=True)
class ChainFault:
    """Something that an honest desk's scans do not have: a finding."""

    desk: Address
    counter: int
    problem: str

    def __str__(self) -> str:
        return f"scan {self.counter} of desk {self.desk}: {self.problem}"


def chain_faults(
    scans: Iterable[SignedScan], *, event_id: bytes, chain_id: int, signed: bool = False
) -> list[ChainFault]:
    """Everything that is wrong with the scans of desks, in any order; none for whole chains, each from its first scan.

    A scan that stands twice is there once.

    Args:
        scans: of any desks.
        event_id: that they have to be of.
        chain_id: that they have to be signed for.
        signed: that their desks signed them was found out before.
    """
    faults = []
    for desk, own in _by_desk(scans).items():
        faults += [ChainFault(desk, *each) for each in _faults_of(own, event_id, chain_id, signed=signed)]
    return faults


@dataclass(frozen=True, slots=True)
class Doubled:
    """A player who was let in more than once, by one pass or by several: a finding."""

    player_tag: bytes
    scans: tuple[SignedScan, ...]
    """At least two, the earliest first."""


def union(*ledgers: Iterable[SignedScan]) -> tuple[SignedScan, ...]:
    """All that any of them has, once each, by desk and counter.

    Signatures are not looked at, nor compared: of a scan with two of them, the one that sorts first is kept.
    """
    every: dict[Scan, SignedScan] = {}
    for each in (scan for ledger in ledgers for scan in ledger):
        every[each.scan] = min(each, every.get(each.scan, each), key=lambda one: one.signature)
    return tuple(every[scan] for scan in sorted(every))


def doubled(scans: Iterable[SignedScan]) -> tuple[Doubled, ...]:
    """Who was let in more than once."""
    by_player: defaultdict[bytes, list[SignedScan]] = defaultdict(list)
    for each in union(scans):
        by_player[each.scan.player_tag].append(each)
    return tuple(
        Doubled(player, tuple(sorted(own, key=lambda each: (each.scan.scanned_at, each.scan))))
        for player, own in sorted(by_player.items())
        if len(own) > 1
    )


def write_scan(signed: SignedScan) -> dict[str, object]:
    """As a document of JSON."""
    return write_statement(signed.scan.values(), signed.signature)


def read_scan(document: object) -> SignedScan:
    """From a document of JSON. Raises: StatementUnreadable."""
    return read_statement(SCAN, document, _made)


def _made(values: Mapping[str, Value], signature: bytes) -> SignedScan:
    said = Scan(
        event_id=cast("bytes", values["eventId"]),
        desk=to_checksum(cast("bytes", values["desk"])),
        counter=cast("int", values["counter"]),
        serial=cast("int", values["serial"]),
        player_tag=cast("bytes", values["playerTag"]),
        deck_pass=cast("bytes", values["deckPass"]),
        scanned_at=cast("int", values["scannedAt"]),
        previous=cast("bytes", values["previous"]),
    )
    return SignedScan(said, signature)


def _by_desk(scans: Iterable[SignedScan]) -> dict[Address, list[SignedScan]]:
    found: defaultdict[Address, list[SignedScan]] = defaultdict(list)
    for each in union(scans):
        found[each.scan.desk].append(each)
    return found


def _faults_of(own: Sequence[SignedScan], event_id: bytes, chain_id: int, *, signed: bool) -> Iterator[tuple[int, str]]:
    """Of one desk, in the order of its counters."""
    before: SignedScan | None = None
    for each in own:
        scan, counter = each.scan, each.scan.counter
        expected = before.scan.counter + 1 if before else 1
        if scan.event_id != event_id:
            yield counter, f"it is of the event 0x{scan.event_id.hex()}"
        if not (signed or each.is_desks(chain_id)):
            yield counter, "the desk has not signed it"
        if counter < expected:
            yield counter, "there is another one with its number, so the desk's ledger was copied or rewritten"
        elif counter > expected:
            missing = f"scan {expected} is" if counter == expected + 1 else f"scans {expected} to {counter - 1} are"
            yield counter, f"{missing} missing before it"
        elif scan.previous != (before.scan.digest(chain_id) if before else FIRST):
            yield counter, "it does not name the scan before it, so the desk's ledger was rewritten"
        before = each


def _faults(scan: Scan) -> Iterator[str]:
    lengths = {"event_id": HASH, "player_tag": TAG, "deck_pass": HASH, "previous": HASH}
    for name, length in lengths.items():
        value = getattr(scan, name)
        if type(value) is not bytes or len(value) != length:
            yield f"{name} is exactly {length} bytes, and not {value!r}"
    ranges = {"counter": (1, _MOST_SCANS), "serial": (1, MOST_SERIALS), "scanned_at": (0, LATEST)}
    for name, (least, most) in ranges.items():
        value = getattr(scan, name)
        if type(value) is not int or not least <= value <= most:
            yield f"{name} is a whole number from {least} to {most}, and not {value!r}"
    if not is_checksummed(scan.desk):
        yield f"desk is an address of {ADDRESS} bytes in mixed case, and not {scan.desk!r}"
