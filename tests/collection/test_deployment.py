import json
from pathlib import Path

import pytest

from collection.deployment import Deployment, load_deployment, parse_deployment, save_deployment
from collection.errors import DeploymentUnreadable
from verifier.holdings import Address

HERE = Deployment(31337, Address("0x5FbDB2315678afecb367f032d93F642f64180aa3"), "0x" + "ab" * 32, 7)
FIELDS = {"chain_id": 31337, "address": HERE.address, "code_hash": HERE.code_hash, "block": 7}


def test_what_is_saved_is_loaded_again(tmp_path: Path) -> None:
    save_deployment(HERE, tmp_path / "cards.json")
    assert load_deployment(tmp_path / "cards.json") == HERE


def test_the_file_is_plain_json_with_four_fields(tmp_path: Path) -> None:
    save_deployment(HERE, tmp_path / "cards.json")
    assert json.loads((tmp_path / "cards.json").read_text()) == FIELDS


def test_fields_of_a_newer_version_are_let_be() -> None:
    assert parse_deployment(json.dumps(FIELDS | {"admin": "0x0"}), source="cards.json") == HERE


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not JSON"),
        ("[]", "not a JSON object"),
        (json.dumps({**FIELDS, "chain_id": "31337"}), "'chain_id' is missing or is not a whole number"),
        (json.dumps({**FIELDS, "block": True}), "'block' is missing"),
        (json.dumps({**FIELDS, "block": -1}), "at least 0"),
        (json.dumps({**FIELDS, "chain_id": 0}), "at least 1"),
        (json.dumps({**FIELDS, "code_hash": "0xAB"}), "'code_hash' is not 0x and 64"),
        (json.dumps({**FIELDS, "address": HERE.address.replace("a3", "A3")}), "checksum"),
        (json.dumps({**FIELDS, "address": None}), "'address' is missing or is not text"),
    ],
)
def test_anything_else_is_not_a_deployment(text: str, problem: str) -> None:
    with pytest.raises(DeploymentUnreadable, match=problem):
        parse_deployment(text, source="cards.json")


def test_a_missing_file_and_one_of_bytes_are_named(tmp_path: Path) -> None:
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    for name in ("missing.json", "bytes.json"):
        with pytest.raises(DeploymentUnreadable, match=f"{name} does not describe a deployment: it cannot be read"):
            load_deployment(tmp_path / name)
