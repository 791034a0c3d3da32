"""What an event promises before anybody registers: chain, collections, catalogue, block rule, policy, quorum and keys.

The manifest is one canonical JSON document, and `event_id` is its hash, so whatever is signed for an event names all of
it. Anybody who has the document can recompute every block and every verdict of the event without asking the organizer.

    {"block_rule":{"depth":null,"opening":1700000000},"catalogue":"0x…","chain_id":1,
     "check_in":{"closes":1700000000,"opens":1699996400},"collections":[{"address":"0x…","code_hash":"0x…"}],
     "deck_format":{"game":"cps","name":"standard","version":1},"event":"Spring Open","format":"deckproof-manifest",
     "keys":["0x…"],"policy":"flag","quorum":{"agree":2,"of":3},"salt":"0x…","version":1}

A later version of the document has another number, and this reader refuses it; documents of this one are read for ever.

Source of the canonical form: RFC 8785, of which whole numbers, strings, arrays and objects are used.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias, cast

from eth_hash.auto import keccak

from verifier.errors import ManifestUnreadable
from verifier.holdings import Address
from verifier.nesting import check_nesting
from verifier.shapes import Many, Shape, ShapeFault, address, canonical, faults_of, like, one_of, or_null, shown, whole

FORMAT: Final = "deckproof-manifest"
VERSION: Final = 1

LATEST: Final = 253_402_300_799
"""The last second of the year 9999."""
LONGEST_NAME: Final = 200
"""Characters of the event's name."""
DEEPEST_RULE: Final = 10_000
"""Blocks: more than anybody waits for."""
MOST_COLLECTIONS: Final = 16
MOST_KEYS: Final = 16
MOST_ENDPOINTS: Final = 16
MOST_BYTES: Final = 64 * 1024
"""Of a document; one with everything that it may have takes a tenth of it."""


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
class CardContract:
    """A collection of the event."""

    address: Address
    code_hash: str
    """As `verifier.chain.Contract.code_hash`."""


@dataclass(frozen=True, slots=True)
class DeckFormat:
    """The rules that a deck is judged by."""

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
    """`0x` and 64 hex digits of chance, so that two events on the same terms have different ids."""
    chain_id: int
    collections: tuple[CardContract, ...]
    """At least one; all token ids of one card are in one of them."""
    catalogue: str
    """`0x` and 64 hex digits: the hash of which token ids stand for which card."""
    deck_format: DeckFormat
    block_rule: BlockRule
    policy: Policy
    quorum: Quorum
    keys: tuple[Address, ...]
    """Whose signatures make a DeckPass of this event, in the order in which they were made; may be empty."""
    check_in: Window

    @property
    def event_id(self) -> str:
        """keccak-256 of what `write_manifest` writes: `0x` and 64 hex digits."""
        return "0x" + keccak(write_manifest(self)).hex()


ManifestFault: TypeAlias = ShapeFault
"""One thing that is wrong with a manifest: a finding."""


def write_manifest(manifest: Manifest) -> bytes:
    """The one way to write it, as UTF-8.

    Raises:
        ManifestUnreadable: its values are not sound, so nobody could read it back.
    """
    document = {"format": FORMAT, "version": VERSION, **asdict(manifest)}
    text = canonical(document)
    _sound(json.loads(text))
    return text.encode()


def check_manifest(document: object) -> list[ManifestFault]:
    """Everything that is wrong with a JSON value as a manifest; an empty list is a sound one."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return [ManifestFault("", f'it is not a manifest, which is an object with "format": "{FORMAT}"')]
    if document.get("version") != VERSION or isinstance(document["version"], bool):
        return [ManifestFault("version", f"{shown(document.get('version'))}, and {VERSION} is read here")]
    return list(faults_of("", _MANIFEST, document)) or list(_faults_together(document))


def parse_manifest(text: str | bytes) -> Manifest:
    """Read one back. Spaces and the order of keys do not matter; unknown, missing and doubled keys do.

    Raises:
        ManifestUnreadable: with every fault.
    """
    read = _sound(_document(text))
    return Manifest(
        event=read["event"],
        salt=read["salt"],
        chain_id=read["chain_id"],
        collections=tuple(CardContract(**each) for each in read["collections"]),
        catalogue=read["catalogue"],
        deck_format=DeckFormat(**read["deck_format"]),
        block_rule=BlockRule(**read["block_rule"]),
        policy=Policy(read["policy"]),
        quorum=Quorum(**read["quorum"]),
        keys=tuple(read["keys"]),
        check_in=Window(**read["check_in"]),
    )


def _sound(document: object) -> dict[str, Any]:
    """The document, if there is nothing wrong with it."""
    if faults := check_manifest(document):
        raise ManifestUnreadable(tuple(map(str, faults)))
    return cast("dict[str, Any]", document)


def _document(text: str | bytes) -> object:
    raw = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    if len(raw) > MOST_BYTES:
        raise ManifestUnreadable((f"it has {len(raw):,} bytes, and a manifest has at most {MOST_BYTES:,}",))
    doubled: list[str] = []

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        times = Counter(key for key, _ in pairs)
        doubled.extend(key for key in times if times[key] > 1)
        return dict(pairs)

    try:
        check_nesting(raw)
        document: object = json.loads(raw.decode(), object_pairs_hook=once, parse_constant=_no_constant)
    except ValueError as error:
        raise ManifestUnreadable((f"it is not JSON in UTF-8: {error}",)) from error
    if doubled:
        raise ManifestUnreadable(tuple(f"the key {shown(key)} stands twice in one object" for key in doubled))
    return document


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


# --- what is right


def _name(value: object) -> str | None:
    if (
        isinstance(value, str)
        and 0 < len(value) <= LONGEST_NAME
        and value.isprintable()
        and value == unicodedata.normalize("NFC", value).strip()
    ):
        return None
    return f"1 to {LONGEST_NAME} printable characters in normal form C, no blank at either end"


_DIGEST = like(r"0x[0-9a-f]{64}", "0x and 64 hex digits, small letters")
_WORD = like(r"[a-z0-9][a-z0-9._-]{0,63}", "1 to 64 small letters, digits, dots and dashes")
_TIME = whole(0, LATEST)

_MANIFEST: Final[Shape] = {
    "format": one_of([FORMAT]),
    "version": whole(VERSION, VERSION),
    "event": _name,
    "salt": _DIGEST,
    "chain_id": whole(1),
    "collections": Many({"address": address, "code_hash": _DIGEST}, 1, MOST_COLLECTIONS),
    "catalogue": _DIGEST,
    "deck_format": {"game": _WORD, "name": _WORD, "version": whole(1)},
    "block_rule": {"opening": _TIME, "depth": or_null(whole(0, DEEPEST_RULE))},
    "policy": one_of(Policy),
    "quorum": {"agree": whole(1, MOST_ENDPOINTS), "of": whole(1, MOST_ENDPOINTS)},
    "keys": Many(address, 0, MOST_KEYS),
    "check_in": {"opens": _TIME, "closes": _TIME},
}


def _faults_together(read: dict[str, Any]) -> Iterator[ManifestFault]:
    """What is wrong though each value is right by itself."""
    if read["quorum"]["agree"] > read["quorum"]["of"]:
        yield ManifestFault("quorum.agree", f"more than the {read['quorum']['of']} endpoints that are asked")
    if read["check_in"]["closes"] <= read["check_in"]["opens"]:
        yield ManifestFault("check_in.closes", "not after it opens")
    for path, addresses in (("collections", [each["address"] for each in read["collections"]]), ("keys", read["keys"])):
        for one, many in Counter(addresses).items():
            if many > 1:
                yield ManifestFault(path, f"{one} stands there {many} times, and once is right")
