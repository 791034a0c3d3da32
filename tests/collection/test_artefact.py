import os
import subprocess
import sys
from pathlib import Path

import pytest

from collection.anvil import Anvil
from collection.artefact import showdown_cards
from collection.practice import PracticeCollection
from verifier.chain import ChainHoldings, Collection

ROOT = Path(__file__).parents[2]


def test_the_artefact_is_what_forge_builds() -> None:
    built = ROOT / "out" / "ShowdownCards.sol" / "ShowdownCards.json"
    if not built.exists() and os.environ.get("CI") != "true":
        pytest.skip("forge has built nothing here: run `tools/forge build`")
    check = subprocess.run(
        [sys.executable, ROOT / "tools" / "artefacts.py", "--check"], capture_output=True, text=True, check=False
    )
    assert "ShowdownCards" not in check.stderr


def test_the_artefact_has_the_functions_that_issuing_calls() -> None:
    functions = {entry["name"] for entry in showdown_cards().abi if entry["type"] == "function"}
    assert {"publish", "allow", "issue", "published", "rootOf", "totals", "uri", "run", "grantRole"} <= functions


def test_a_verifier_knows_every_deployment_by_the_artefacts_code_hash(
    collection: PracticeCollection, anvil: Anvil
) -> None:
    found = ChainHoldings([anvil.endpoint], Collection(None, collection.deployment.address))
    assert found.inspect(found.pin("latest")).code_hash == showdown_cards().code_hash
