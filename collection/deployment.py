"""Where a collection stands: the few facts that everybody who verifies or issues has to agree on."""

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from collection.errors import DeploymentUnreadable
from verifier.addresses import parse_address
from verifier.errors import AddressUnreadable
from verifier.holdings import Address

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
    """Write the description to a file, whole or not at all, in place of what was there."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(json.dumps(asdict(deployment), indent=2) + "\n", encoding="utf-8")
    part.replace(path)


def load_deployment(path: Path) -> Deployment:
    """Read the description from a file.

    Raises:
        DeploymentUnreadable: there is no such file, or it says something else.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DeploymentUnreadable(str(path), f"it cannot be read ({error})") from error
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
