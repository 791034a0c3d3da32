"""What an event promised of its passes before anybody got one: its id, its chain, its keys in the order of their use.

An event whose players prove their cards says it in its manifest. Another one has a key list, which names nothing but
keys and belongs to no chain:

    {"event":"Friday night","format":"deckproof-keys","keys":["0x…"],"salt":"0x…","version":1}

Either way the id is keccak-256 of the document, so a pass names all of it, and nobody exchanges a key unseen.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Final, cast

from eth_hash.auto import keccak

from verifier.addresses import is_checksummed
from verifier.errors import TermsUnreadable
from verifier.holdings import Address
from verifier.manifest import LONGEST_NAME, MOST_BYTES, MOST_KEYS, parse_manifest
from verifier.nesting import check_nesting
from verifier.shapes import canonical

FORMAT: Final = "deckproof-keys"
VERSION: Final = 1
NO_CHAIN: Final = 0
"""The chain of a pass for whose event no chain was asked."""
_SALT = re.compile(r"0x[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Terms:
    """What a desk has to know of an event, whoever says it: the hash binds it."""

    event: str
    """What it is called."""
    event_id: bytes
    """32 bytes."""
    chain_id: int
    """`NO_CHAIN` where none is asked."""
    keys: tuple[Address, ...]
    """In the order of their use."""


@dataclass(frozen=True, slots=True)
class KeyList:
    """The keys of an event that promises nothing else.

    Raises:
        TermsUnreadable: with everything that is wrong.
    """

    event: str
    salt: str
    """`0x` and 64 hex digits of chance, so that two events of one name and one key have different ids."""
    keys: tuple[Address, ...]

    def __post_init__(self) -> None:
        if faults := [*_faults(self.event, self.salt, self.keys)]:
            raise TermsUnreadable(faults)

    @property
    def event_id(self) -> bytes:
        """32 bytes: keccak-256 of what `write_key_list` writes."""
        return keccak(write_key_list(self).encode())


def write_key_list(said: KeyList) -> str:
    """The one way to write it."""
    document = {"format": FORMAT, "version": VERSION, **asdict(said)}
    return canonical(document)


def parse_terms(text: str) -> Terms:
    """Read a manifest, or a key list.

    Raises:
        TermsUnreadable: neither, or a key list that is not written in the one way.
        ManifestUnreadable: a manifest, and not a sound one.
    """
    document = _document(text)
    if document.get("format") != FORMAT:
        manifest = parse_manifest(text)
        return Terms(manifest.event, bytes.fromhex(manifest.event_id[2:]), manifest.chain_id, manifest.keys)
    if document.get("version") != VERSION:
        raise TermsUnreadable([f"its version is {document.get('version')!a:.40}, and {VERSION} is read here"])
    names = ("event", "salt", "keys")
    if missing := [name for name in names if name not in document]:
        raise TermsUnreadable([f"{name} is missing" for name in missing])
    event, salt, keys = (document[name] for name in names)
    if faults := [*_faults(event, salt, tuple(keys) if isinstance(keys, list) else None)]:
        raise TermsUnreadable(faults)
    said = KeyList(str(event), str(salt), tuple(cast("list[Address]", keys)))
    if write_key_list(said) != text:
        raise TermsUnreadable(["it is not written in its one way: keys sorted, no spaces, nothing more"])
    return Terms(said.event, said.event_id, NO_CHAIN, said.keys)


def _document(text: str) -> dict[str, object]:
    try:
        raw = text.encode()
        if len(raw) > MOST_BYTES:
            raise TermsUnreadable([f"{len(raw):,} bytes are more than any has"])
        check_nesting(raw)
        document: object = json.loads(text)
    except ValueError as error:
        raise TermsUnreadable([f"it is not JSON: {error}"]) from error
    if not isinstance(document, dict):
        raise TermsUnreadable(["it is no object with members"])
    return document


def _faults(event: object, salt: object, keys: object) -> Iterator[str]:
    if not (isinstance(event, str) and 0 < len(event) <= LONGEST_NAME and event.isprintable()):
        yield f"event is a name of 1 to {LONGEST_NAME} printable characters"
    if not (isinstance(salt, str) and _SALT.fullmatch(salt)):
        yield "salt is 0x and 64 hex digits, in small letters"
    if not isinstance(keys, tuple) or not 1 <= len(keys) <= MOST_KEYS:
        yield f"keys are 1 to {MOST_KEYS} addresses"
    elif not all(map(is_checksummed, keys)):
        yield "each of keys is an address with its checksum"
    elif len(set(keys)) < len(keys):
        yield "each of keys stands there once"
