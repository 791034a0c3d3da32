"""Files that pages load: each under a name with its hash, so that a browser may keep it for ever.

A new version has a new name, and pages name what they were made with. Style sheets are joined into one file in the
order of their names. All are packed once.
"""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "static"
PREFIX: Final = "/static/"
STYLES: Final = "app.css"
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_DIGITS: Final = 10


@dataclass(frozen=True)
class Asset:
    """A file as it is sent."""

    name: str
    """With its hash."""
    media_type: str
    body: bytes
    packed: bytes


@cache
def assets() -> Mapping[str, Asset]:
    """Every file by its own name, without the hash."""
    files = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir()) if path.is_file()}
    files[STYLES] = b"\n".join(path.read_bytes() for path in sorted((FOLDER / "css").iterdir()))
    return {name: _asset(name, body) for name, body in files.items()}


@cache
def by_address() -> Mapping[str, Asset]:
    """The same by the names that have the hash."""
    return {asset.name: asset for asset in assets().values()}


def address(name: str) -> str:
    """Where a file is, for a page."""
    return PREFIX + assets()[name].name


def _asset(name: str, body: bytes) -> Asset:
    path = Path(name)
    digest = sha256(body).hexdigest()[:_DIGITS]
    return Asset(f"{path.stem}.{digest}{path.suffix}", _TYPES[path.suffix], body, gzip.compress(body, 9, mtime=0))
