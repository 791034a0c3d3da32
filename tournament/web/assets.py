"""Files that pages load: each under a name with its hash, so that a browser may keep it for ever.

A new version has a new name, and pages name what they were made with. Style sheets are joined into one file in the
order of their names. Files of another folder name each other, so it is the folder whose name has the hash, of all of
them. All are packed once.
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
_SHEETS: Final = "css"
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
    files[STYLES] = b"\n".join(path.read_bytes() for path in sorted((FOLDER / _SHEETS).iterdir()))
    made = {name: _asset(name, body) for name, body in files.items()}
    for folder in sorted(path for path in FOLDER.iterdir() if path.is_dir() and path.name != _SHEETS):
        made |= _together(folder)
    return made


@cache
def by_address() -> Mapping[str, Asset]:
    """The same by the names that have the hash."""
    return {asset.name: asset for asset in assets().values()}


def address(name: str) -> str:
    """Where a file is, for a page."""
    return PREFIX + assets()[name].name


def _asset(name: str, body: bytes) -> Asset:
    path = Path(name)
    return _named(f"{path.stem}.{_digest(body)}{path.suffix}", body)


def _together(folder: Path) -> Mapping[str, Asset]:
    """The files of a folder, which keep their own names below one that has the hash."""
    bodies = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    digest = _digest(b"".join(bodies.values()))
    return {f"{folder.name}/{name}": _named(f"{folder.name}.{digest}/{name}", body) for name, body in bodies.items()}


def _named(name: str, body: bytes) -> Asset:
    return Asset(name, _TYPES[Path(name).suffix], body, gzip.compress(body, 9, mtime=0))


def _digest(body: bytes) -> str:
    return sha256(body).hexdigest()[:_DIGITS]
