"""Keep the contracts' artefacts, which Python reads, equal to what forge built.

An artefact is a contract's ABI, its creation code and its runtime code. Forge writes it to `out/`, together with
much that changes from build to build; the few fields that others rely on are committed, so that they are there
without a Solidity compiler.

    python tools/artefacts.py            write the committed artefacts anew from `out/`
    python tools/artefacts.py --check    change nothing; exit 1 and say what differs
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).resolve().parent.parent

DIFFERS = 1
"""Exit code: a committed artefact is not what forge built, or is missing."""

NOT_BUILT = 2
"""Exit code: forge has not built the contract, or not in a way that can be published."""


@dataclass(frozen=True)
class Artefact:
    """A contract whose build is committed."""

    source: str
    """File name of the Solidity source, which forge names its folder after."""

    contract: str

    path: str
    """Where the committed copy is, from the root of the repository."""

    @property
    def built(self) -> Path:
        """What forge wrote."""
        return ROOT / "out" / self.source / f"{self.contract}.json"

    @property
    def committed(self) -> Path:
        """What the repository holds."""
        return ROOT / self.path


ARTEFACTS = (
    Artefact("ShowdownCards.sol", "ShowdownCards", "collection/artefacts/ShowdownCards.json"),
    Artefact("WalletProbe.sol", "WalletProbe", "verifier/artefacts/WalletProbe.json"),
    Artefact("HostileCollection.sol", "HostileCollection", "tests/artefacts/HostileCollection.json"),
    Artefact("HostileWallet.sol", "HostileWallet", "tests/artefacts/HostileWallet.json"),
    Artefact("KeyDelegate.sol", "KeyDelegate", "tests/artefacts/KeyDelegate.json"),
    Artefact("Multisig.sol", "Multisig", "tests/artefacts/Multisig.json"),
    Artefact("MultisigFactory.sol", "MultisigFactory", "tests/artefacts/MultisigFactory.json"),
    Artefact("PracticeRegistry.sol", "PracticeRegistry", "tests/artefacts/PracticeRegistry.json"),
    Artefact("FlashLoan.sol", "FlashLoan", "tests/artefacts/FlashLoan.json"),
)


class NotPublishable(Exception):
    """Forge's output cannot become an artefact."""


def artefact_of(build: Mapping[str, Any], contract: str) -> dict[str, Any]:
    """The fields of forge's output that are the same for every build of the same source.

    Raises:
        NotPublishable: a library is not linked yet, or the runtime code has immutables, so that its hash would
            differ between deployments and a verifier could not know the contract by it.
    """
    runtime = build["deployedBytecode"]
    if build["bytecode"]["linkReferences"] or runtime["linkReferences"]:
        raise NotPublishable(f"{contract} has unlinked libraries")
    if runtime.get("immutableReferences"):
        raise NotPublishable(f"{contract} has immutables: its runtime code differs between deployments")
    return {
        "contractName": contract,
        "abi": sorted(build["abi"], key=_abi_order),
        "bytecode": build["bytecode"]["object"],
        "deployedBytecode": runtime["object"],
    }


def _abi_order(entry: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    inputs = [parameter["type"] for parameter in entry.get("inputs", [])]
    return entry["type"], entry.get("name", ""), inputs


def text_of(artefact: Mapping[str, Any]) -> str:
    """An artefact as the bytes that are committed: keys in order, two spaces, a newline at the end."""
    return json.dumps(artefact, indent=2, sort_keys=True) + "\n"


def differences(committed: Mapping[str, Any], built: Mapping[str, Any]) -> Iterator[str]:
    """Name each field that differs, and each ABI entry that only one side has."""
    for field in sorted(committed.keys() | built.keys()):
        if committed.get(field) == built.get(field):
            continue
        yield field
        if field == "abi":
            yield from _abi_differences(committed.get(field, []), built[field])


def _abi_differences(committed: list[Any], built: list[Any]) -> Iterator[str]:
    yield from (f"  only committed: {_signature(entry)}" for entry in committed if entry not in built)
    yield from (f"  only built: {_signature(entry)}" for entry in built if entry not in committed)


def _signature(entry: Mapping[str, Any]) -> str:
    _, name, inputs = _abi_order(entry)
    return f"{entry['type']} {name}({', '.join(inputs)})"


def write(wanted: Artefact) -> None:
    """Make the committed artefact what forge built."""
    wanted.committed.parent.mkdir(parents=True, exist_ok=True)
    wanted.committed.write_text(_built_text(wanted), encoding="utf-8")


def faults(wanted: Artefact) -> list[str]:
    """List how the committed artefact differs from what forge built; an empty list is none."""
    if not wanted.committed.is_file():
        return ["is missing"]
    built = _built_text(wanted)
    committed = wanted.committed.read_text(encoding="utf-8")
    if committed == built:
        return []
    try:
        return list(differences(json.loads(committed), json.loads(built))) or ["layout of the file"]
    except ValueError:
        return ["is not JSON"]


def _built_text(wanted: Artefact) -> str:
    if not wanted.built.is_file():
        raise NotPublishable(f"{wanted.contract} is not built: run 'tools/forge build' first")
    build = json.loads(wanted.built.read_text(encoding="utf-8"))
    return text_of(artefact_of(build, wanted.contract))


def main(arguments: list[str]) -> int:
    """Write or check every artefact and return the exit code."""
    parser = argparse.ArgumentParser(description="Keep committed contract artefacts equal to what forge built.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if an artefact differs")
    check = parser.parse_args(arguments).check
    try:
        return _check_all() if check else _write_all()
    except NotPublishable as error:
        sys.stderr.write(f"{error}\n")
        return NOT_BUILT


def _write_all() -> int:
    for wanted in ARTEFACTS:
        write(wanted)
        sys.stdout.write(f"wrote {wanted.path}\n")
    return 0


def _check_all() -> int:
    stale = {wanted.path: found for wanted in ARTEFACTS if (found := faults(wanted))}
    for path, found in stale.items():
        sys.stderr.write(f"{path} is not what forge builds:\n")
        sys.stderr.writelines(f"  {line}\n" for line in found)
    if stale:
        sys.stderr.write("run 'python tools/artefacts.py' and review the difference\n")
    return DIFFERS if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
