"""The contract as Python knows it: its ABI, the code that creates it and the code it runs.

The file is made from the contract's source by `tools/artefacts.py`, and shipped, so no Solidity compiler is needed.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from eth_hash.auto import keccak

Abi: TypeAlias = Sequence[Mapping[str, Any]]
"""Source: Solidity's contract ABI specification, "JSON"."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """A compiled contract."""

    name: str
    abi: Abi
    creation: bytes
    """Code that makes the contract; constructor arguments go behind it."""
    runtime: bytes
    """Code of the contract once it stands; it has no immutables, so every deployment has this very code."""

    @property
    def code_hash(self) -> str:
        """keccak-256 of the runtime code, `0x` and 64 hex digits: by this a verifier knows the contract."""
        return "0x" + keccak(self.runtime).hex()


@cache
def showdown_cards() -> Artefact:
    """The card collection, `contracts/ShowdownCards.sol`."""
    return parse_artefact((files("collection") / "artefacts" / "ShowdownCards.json").read_text(encoding="utf-8"))


def parse_artefact(text: str) -> Artefact:
    """An artefact from the JSON that `tools/artefacts.py` writes."""
    fields = json.loads(text)
    return Artefact(
        name=fields["contractName"],
        abi=tuple(fields["abi"]),
        creation=bytes.fromhex(fields["bytecode"].removeprefix("0x")),
        runtime=bytes.fromhex(fields["deployedBytecode"].removeprefix("0x")),
    )
