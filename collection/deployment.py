"""Where a collection stands: the few facts that everybody who verifies or issues has to agree on."""

import json
import os
import re
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from collection.errors import DeploymentNotSaved, DeploymentUnreadable
from verifier.addresses import parse_address
from verifier.errors import AddressUnreadable
from verifier.holdings import Address
from verifier.nesting import check_nesting

MOST_BYTES: Final = 1 << 16
"""No description is longer; a wrong file, or a device without end, is not read to its end."""

_HASH = re.compile(r"0x[0-9a-f]{64}", re.ASCII)
_KINDS = {"chain_id": int, "address": str, "code_hash": str, "block": int}


@dataclass(frozen=True, slots=True)
class Deployment:
    """A contract on a chain."""

    chain_id: int
    address: Address
    code_hash: str
    """keccak-256 of the code that runs there, `0x` and 64 lower-case hex digits."""
    block: int
    """Number of the block that it was deployed in; before it there is nothing to read."""


def save_deployment(deployment: Deployment, path: Path) -> None:
    """Write the description to a file, whole or not at all, in place of what was there.

    Only a file is replaced, never a folder or a device; of a symbolic link, the file that it leads to.

    Raises:
        DeploymentNotSaved: it cannot be written.
    """
    problem = fault_of_place(path)
    if problem is None:
        try:
            _replace(_target(path), json.dumps(asdict(deployment), indent=2) + "\n")
        except OSError as error:
            problem = error.strerror or str(error)
    if problem is not None:
        raise DeploymentNotSaved(str(path), problem, **asdict(deployment))


def fault_of_place(path: Path) -> str | None:
    """Why no description can be saved there, found out by trying in the same folder; None when it can."""
    try:
        if path.exists() and not path.is_file():
            return "it is there and is not a file"
        return fault_of_folder(_target(path).parent)
    except OSError as error:
        return error.strerror or str(error)


def fault_of_folder(folder: Path) -> str | None:
    """Why no file can be written in a folder, found out by trying; None when one can."""
    try:
        part = _part(folder, "")
        part.unlink()
    except OSError as error:
        return f"{folder}: {error.strerror or error}"
    return None


def _target(path: Path) -> Path:
    """The file that a path leads to; it need not be there. Raises: OSError."""
    with suppress(FileNotFoundError):
        path.stat()  # a name too long, links in a circle
    return Path(os.path.realpath(path))


def _replace(target: Path, text: str) -> None:
    part = _part(target.parent, text)
    try:
        part.replace(target)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _part(folder: Path, text: str) -> Path:
    """A new file whose name no other run has; none when it cannot be written whole. Raises: OSError."""
    part = folder / f".deckproof-{secrets.token_hex(8)}.part"
    with part.open("x", encoding="utf-8") as file:
        try:
            file.write(text)
            file.flush()
        except OSError:
            part.unlink(missing_ok=True)
            raise
    return part


def load_deployment(path: Path) -> Deployment:
    """Read the description from a file.

    Raises:
        DeploymentUnreadable: there is no such file, or it says something else.
    """
    try:
        with path.open("rb") as file:
            found = file.read(MOST_BYTES + 1)
        text = found[:MOST_BYTES].decode()
    except (OSError, UnicodeDecodeError) as error:
        raise DeploymentUnreadable(str(path), f"it cannot be read ({error})") from error
    if len(found) > MOST_BYTES:
        raise DeploymentUnreadable(str(path), f"it is longer than {MOST_BYTES} bytes")
    return parse_deployment(text, source=str(path))


def parse_deployment(text: str, *, source: str) -> Deployment:
    """The description that a JSON text holds.

    Args:
        text: an object with `chain_id`, `address`, `code_hash` and `block`.
        source: what to call the text in an error.

    Raises:
        DeploymentUnreadable: it is no such object.
    """
    try:
        check_nesting(text)
        fields = json.loads(text)
    except ValueError as error:
        raise DeploymentUnreadable(source, "it is not JSON") from error
    if not isinstance(fields, dict):
        raise DeploymentUnreadable(source, "it is not a JSON object")
    for key, kind in _KINDS.items():
        if type(fields.get(key)) is not kind:
            raise DeploymentUnreadable(source, f"{key!r} is missing or is not {_WORDS[kind]}")
    if fields["chain_id"] < 1 or fields["block"] < 0:
        raise DeploymentUnreadable(source, "a chain id is at least 1, and a block number at least 0")
    if not _HASH.fullmatch(fields["code_hash"]):
        raise DeploymentUnreadable(source, "'code_hash' is not 0x and 64 lower-case hex digits")
    try:
        address = parse_address(fields["address"])
    except AddressUnreadable as error:
        raise DeploymentUnreadable(source, str(error)) from error
    return Deployment(fields["chain_id"], address, fields["code_hash"], fields["block"])


_WORDS = {int: "a whole number", str: "text"}
