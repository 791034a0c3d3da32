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
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias, cast

from eth_hash.auto import keccak

from verifier.addresses import parse_address
from verifier.errors import AddressUnreadable, ManifestUnreadable
from verifier.holdings import Address
from verifier.nesting import check_nesting

FORMAT: Final = "deckproof-manifest"
VERSION: Final = 1

LARGEST: Final = 2**53 - 1
"""Of whole numbers: what every JSON parser reads exactly."""
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

_EXAMPLE: Final = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
_SHOWN: Final = 80
"""Characters of a wrong value that a fault repeats."""


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


@dataclass(frozen=True, slots=True)
class ManifestFault:
    """One thing that is wrong with a manifest: a finding."""

    path: str
    """Where: `collections[0].code_hash`; empty for the whole document."""
    problem: str
    """What is there, and what would be right."""

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}" if self.path else self.problem


def write_manifest(manifest: Manifest) -> bytes:
    """The one way to write it, as UTF-8.

    Raises:
        ManifestUnreadable: its values are not sound, so nobody could read it back.
    """
    document = {"format": FORMAT, "version": VERSION, **asdict(manifest)}
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    _sound(json.loads(text))
    return text.encode()


def check_manifest(document: object) -> list[ManifestFault]:
    """Everything that is wrong with a JSON value as a manifest; an empty list is a sound one."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return [ManifestFault("", f'it is not a manifest, which is an object with "format": "{FORMAT}"')]
    if document.get("version") != VERSION or isinstance(document["version"], bool):
        return [ManifestFault("version", f"{_shown(document.get('version'))}, and {VERSION} is read here")]
    return list(_shape_faults("", _MANIFEST, document)) or list(_faults_together(document))


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
        raise ManifestUnreadable(tuple(f"the key {_shown(key)} stands twice in one object" for key in doubled))
    return document


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


# --- what is right

_Check: TypeAlias = Callable[[Any], str | None]
"""A JSON value to what would be right; None where it is."""
_Shape: TypeAlias = "Mapping[str, _Shape] | _Many | _Check"


@dataclass(frozen=True, slots=True)
class _Many:
    """An array."""

    each: "_Shape"
    least: int
    most: int


def _whole(least: int, most: int = LARGEST) -> _Check:
    def right(value: object) -> str | None:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return None
        return f"a whole number from {least} to {most}"

    return right


def _or_null(check: _Check) -> _Check:
    return lambda value: None if value is None else f"null, or {check(value)}" if check(value) else None


def _like(pattern: "re.Pattern[str]", right: str) -> _Check:
    return lambda value: None if isinstance(value, str) and pattern.fullmatch(value) else right


def _one_of(words: Iterable[str]) -> _Check:
    words = tuple(words)
    return lambda value: None if value in words else f"one of {', '.join(words)}"


def _address(value: object) -> str | None:
    try:
        address = parse_address(value) if isinstance(value, str) else None
    except AddressUnreadable as error:
        return error.right
    return None if address == value else f"an address with its checksum, like {address or _EXAMPLE}"


def _name(value: object) -> str | None:
    if (
        isinstance(value, str)
        and 0 < len(value) <= LONGEST_NAME
        and value.isprintable()
        and value == unicodedata.normalize("NFC", value).strip()
    ):
        return None
    return f"1 to {LONGEST_NAME} printable characters in normal form C, no blank at either end"


_DIGEST = _like(re.compile(r"0x[0-9a-f]{64}", re.ASCII), "0x and 64 hex digits, small letters")
_WORD = _like(re.compile(r"[a-z0-9][a-z0-9._-]{0,63}", re.ASCII), "1 to 64 small letters, digits, dots and dashes")
_TIME = _whole(0, LATEST)

_MANIFEST: Final[_Shape] = {
    "format": _one_of([FORMAT]),
    "version": _whole(VERSION, VERSION),
    "event": _name,
    "salt": _DIGEST,
    "chain_id": _whole(1),
    "collections": _Many({"address": _address, "code_hash": _DIGEST}, 1, MOST_COLLECTIONS),
    "catalogue": _DIGEST,
    "deck_format": {"game": _WORD, "name": _WORD, "version": _whole(1)},
    "block_rule": {"opening": _TIME, "depth": _or_null(_whole(0, DEEPEST_RULE))},
    "policy": _one_of(Policy),
    "quorum": {"agree": _whole(1, MOST_ENDPOINTS), "of": _whole(1, MOST_ENDPOINTS)},
    "keys": _Many(_address, 0, MOST_KEYS),
    "check_in": {"opens": _TIME, "closes": _TIME},
}


def _shape_faults(path: str, shape: _Shape, value: object) -> Iterator[ManifestFault]:
    if isinstance(shape, _Many):
        if not isinstance(value, list) or not shape.least <= len(value) <= shape.most:
            found = f"{len(value)} of them" if isinstance(value, list) else _shown(value)
            yield ManifestFault(path, f"{found}, where an array of {shape.least} to {shape.most} is right")
        for place, each in enumerate(value[: shape.most] if isinstance(value, list) else ()):
            yield from _shape_faults(f"{path}[{place}]", shape.each, each)
    elif isinstance(shape, Mapping):
        if not isinstance(value, dict):
            yield ManifestFault(path, f"{_shown(value)}, where an object with {', '.join(shape)} is right")
            return
        for key in dict.fromkeys([*shape, *value]):
            inside = f"{path}.{key}".lstrip(".") if key in shape else path
            if key not in shape:
                yield ManifestFault(path, f"an unknown key, {_shown(key)}; those known are {', '.join(shape)}")
            elif key not in value:
                yield ManifestFault(inside, "it is missing")
            else:
                yield from _shape_faults(inside, shape[key], value[key])
    elif (right := shape(value)) is not None:
        yield ManifestFault(path, f"{_shown(value)}, where {right} is right")


def _faults_together(read: dict[str, Any]) -> Iterator[ManifestFault]:
    """What is wrong though each value is right by itself."""
    if read["quorum"]["agree"] > read["quorum"]["of"]:
        yield ManifestFault("quorum.agree", f"more than the {read['quorum']['of']} endpoints that are asked")
    if read["check_in"]["closes"] <= read["check_in"]["opens"]:
        yield ManifestFault("check_in.closes", "not after it opens")
    for path, addresses in (("collections", [each["address"] for each in read["collections"]]), ("keys", read["keys"])):
        for address, many in Counter(addresses).items():
            if many > 1:
                yield ManifestFault(path, f"{address} stands there {many} times, and once is right")


def _shown(value: object) -> str:
    """Foreign JSON, safe to print and short."""
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
