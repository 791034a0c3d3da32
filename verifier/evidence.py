"""The evidence bundle: one document from which anybody can check an event again, with nothing else in hand.

    {"catalogue": …, "conclusions": …, "format": "deckproof-evidence", "log": […], "opened": […], "passes": […],
     "reserved": […], "version": 1}

Everything in it but the conclusions is bound: the log by its hashes, what was opened by digests in the log, the passes
by theirs and by signatures, the catalogue by the manifest. The conclusions (who plays, the results, standings, who had
which cards) follow from the rest, and whoever audits computes them again and compares.

There is one way to write a bundle: JSON with keys in order, no spaces, one line feed at the end. Another spelling of
the same values is no bundle, so there is no byte that means nothing.

A later version has another number, and this reader refuses it; bundles of this one are read for ever.
"""

import gzip
import io
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from verifier.errors import EvidenceUnreadable
from verifier.nesting import check_nesting
from verifier.shapes import Keyed, Many, Shape, address, canonical, faults_of, like, one_of, shown, whole

FORMAT: Final = "deckproof-evidence"
VERSION: Final = 1
MOST_BYTES: Final = 512 * 1024 * 1024
"""Of a bundle, unpacked."""

_GZIP: Final = b"\x1f\x8b"
_MOST: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class Opened:
    """A text that the log has the digest of: a name, a list, a wallet, a proof of control, what endpoints said."""

    digest: str
    salt: str
    text: str


@dataclass(frozen=True, slots=True)
class PassSaid:
    """What of a pass is not in the log. 16 and 65 bytes in hex digits."""

    serial: int
    tag: str
    signature: str


@dataclass(frozen=True, slots=True)
class Reserved:
    """Units that another event had set aside; the organizer says so, and nothing here proves it."""

    epoch: int
    entry: int
    wallet: str
    token_id: str
    """Decimal."""
    units: int


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a bundle has."""

    log: Sequence[Mapping[str, Any]]
    opened: Sequence[Opened] = ()
    passes: Sequence[PassSaid] = ()
    reserved: Sequence[Reserved] = ()
    catalogue: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """From the name of each card to its token ids, in decimal digits; empty where no ownership is asked."""
    conclusions: Mapping[str, Any] = field(default_factory=dict)


def write_bundle(bundle: Bundle) -> bytes:
    """The one way to write it, as UTF-8."""
    return as_written({"format": FORMAT, "version": VERSION, **asdict(bundle)}).encode()


def as_written(document: object) -> str:
    """JSON as a bundle has it. Raises: ValueError: it cannot be written."""
    return canonical(document) + "\n"


def parse_bundle(source: bytes) -> Bundle:
    """Read one back, strictly. A bundle that was packed by gzip is unpacked.

    Raises:
        EvidenceUnreadable: with every fault, each with its path.
    """
    document = _document(unpacked(source))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise EvidenceUnreadable([f'it is no evidence of an event, which is an object with "format": "{FORMAT}"'])
    if document.get("version") != VERSION or isinstance(document["version"], bool):
        raise EvidenceUnreadable([f"version: {shown(document.get('version'))}, and {VERSION} is read here"])
    if faults := list(faults_of("", _BUNDLE, document)):
        raise EvidenceUnreadable(list(map(str, faults)))
    return Bundle(
        log=document["log"],
        opened=[Opened(**each) for each in document["opened"]],
        passes=[PassSaid(**each) for each in document["passes"]],
        reserved=[Reserved(**each) for each in document["reserved"]],
        catalogue=document["catalogue"],
        conclusions=document["conclusions"],
    )


def unpacked(source: bytes) -> bytes:
    """A bundle's own bytes. Raises: EvidenceUnreadable."""
    if not source.startswith(_GZIP):
        return source
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(source)) as packed:
            raw = packed.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise EvidenceUnreadable([f"it is packed by gzip and cannot be unpacked: {error}"]) from error
    return raw


def _document(raw: bytes) -> object:
    if len(raw) > MOST_BYTES:
        raise EvidenceUnreadable([f"it has more than {MOST_BYTES:,} bytes"])
    try:
        text = raw.decode()
        check_nesting(raw)
        document: object = json.loads(text)
        written = as_written(document)
        written.encode()
    except (ValueError, RecursionError) as error:
        raise EvidenceUnreadable([f"it is not JSON in UTF-8: {error}"]) from error
    if written != text:
        at = next(
            (at for at, (one, other) in enumerate(zip(text, written, strict=False)) if one != other), len(written)
        )
        problem = (
            f"character {at + 1} is not as the one form has it: keys in order and once, no spaces, a line feed last"
        )
        raise EvidenceUnreadable([problem])
    return document


def _object(value: object) -> str | None:
    return None if isinstance(value, dict) else "an object"


def _text(value: object) -> str | None:
    return None if isinstance(value, str) else "a text"


_HEX: Final = "64 hex digits, small letters"
_DIGITS = like(r"0|[1-9][0-9]{0,77}", "a whole number in decimal digits")
_BUNDLE: Final[Shape] = {
    "format": one_of([FORMAT]),
    "version": whole(VERSION, VERSION),
    "log": Many(_object, 1, _MOST),
    "opened": Many(
        {"digest": like(r"[0-9a-f]{64}", _HEX), "salt": like(r"[0-9a-f]{64}", _HEX), "text": _text}, 0, _MOST
    ),
    "passes": Many(
        {
            "serial": whole(1),
            "tag": like(r"[0-9a-f]{32}", "32 hex digits, small letters"),
            "signature": like(r"[0-9a-f]{130}", "130 hex digits, small letters"),
        },
        0,
        _MOST,
    ),
    "reserved": Many(
        {"epoch": whole(1), "entry": whole(1), "wallet": address, "token_id": _DIGITS, "units": whole(1)}, 0, _MOST
    ),
    "catalogue": Keyed(_text, Many(_DIGITS, 1, _MOST)),
    "conclusions": _object,
}
