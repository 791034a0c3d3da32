import json
import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from collection.deployment import (
    MOST_BYTES,
    Deployment,
    fault_of_place,
    load_deployment,
    parse_deployment,
    save_deployment,
)
from collection.errors import DeploymentNotSaved, DeploymentUnreadable
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
        ("[" * 50_000, "not JSON"),
        ('{"a":' * 50_000, "not JSON"),
        (json.dumps({**FIELDS, "chain_id": True}), "'chain_id' is missing or is not a whole number"),
        (json.dumps({**FIELDS, "chain_id": 1.0}), "'chain_id' is missing or is not a whole number"),
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


def test_a_file_that_is_too_long_or_has_no_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "long.json").write_text(json.dumps(FIELDS) + " " * MOST_BYTES)
    for path in (tmp_path / "long.json", Path("/dev/zero")):
        with pytest.raises(DeploymentUnreadable, match="longer than 65536 bytes"):
            load_deployment(path)


def missing_folder(folder: Path) -> Path:
    return folder / "missing" / "cards.json"


def a_folder(folder: Path) -> Path:
    (folder / "cards").mkdir()
    return folder / "cards"


def below_a_file(folder: Path) -> Path:
    (folder / "file").write_text("")
    return folder / "file" / "cards.json"


def a_pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def a_device(_folder: Path) -> Path:
    return Path("/dev/null")


def a_long_name(folder: Path) -> Path:
    return folder / ("x" * 300)


def a_circle(folder: Path) -> Path:
    (folder / "circle").symlink_to(folder / "circle")
    return folder / "circle"


def a_link_to_a_folder(folder: Path) -> Path:
    (folder / "link").symlink_to(a_folder(folder))
    return folder / "link"


@pytest.mark.parametrize(
    "place",
    [missing_folder, a_folder, below_a_file, a_pipe, a_device, a_long_name, a_circle, a_link_to_a_folder],
)
def test_where_no_file_can_be_is_known_before_and_refused_with_the_address(
    tmp_path: Path, place: Callable[[Path], Path]
) -> None:
    path = place(tmp_path)
    before = os.lstat(path).st_mode if place not in (missing_folder, below_a_file, a_long_name) else None
    assert fault_of_place(path)
    with pytest.raises(DeploymentNotSaved, match=HERE.address):
        save_deployment(HERE, path)
    assert before is None or stat.S_IFMT(os.lstat(path).st_mode) == stat.S_IFMT(before)
    assert not list(tmp_path.rglob("*.part"))


def test_looking_whether_a_file_can_be_written_leaves_nothing(tmp_path: Path) -> None:
    assert fault_of_place(tmp_path / "cards.json") is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_followed_and_stays_a_link(tmp_path: Path, there: bool) -> None:  # noqa: FBT001 - a case
    target, link = tmp_path / "deep" / "cards.json", tmp_path / "link.json"
    target.parent.mkdir()
    if there:
        target.write_text("old")
    link.symlink_to(target)
    save_deployment(HERE, link)
    assert link.is_symlink()
    assert load_deployment(target) == HERE


def test_many_that_save_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "cards.json"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: save_deployment(HERE, path), range(200)))
    assert load_deployment(path) == HERE
    assert list(tmp_path.iterdir()) == [path]
