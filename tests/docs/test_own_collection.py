"""docs/guide/testing-your-collection.md shows a contract that its own lines compile."""

import json
import subprocess
from pathlib import Path

from tests.docs.pages import GUIDE, ROOT, Page

PAGE = Page(GUIDE / "testing-your-collection.md")
OURS = ROOT / "tests" / "collection" / "mycards"
COPY = "../deckproof"
"""How the page names the copy of this repository, beside the reader's project."""


def shown(language: str) -> str:
    (text,) = [fence.text for fence in PAGE.fences if fence.language == language]
    return text


def functions_of(abi: list[dict[str, object]]) -> list[str]:
    """What can be called, in an order of its own. Forge sorts otherwise than the compiler and adds errors."""
    return sorted(json.dumps(entry, sort_keys=True) for entry in abi if entry["type"] == "function")


def test_the_contract_of_the_page_is_the_one_that_our_tests_deploy() -> None:
    ours = (OURS / "MyCards.sol").read_text(encoding="utf-8")
    assert shown("solidity") == "".join(line for line in ours.splitlines(keepends=True) if "@dev" not in line)


def test_the_contract_of_the_page_is_compiled_as_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "MyCards.sol").write_text(shown("solidity"))
    (tmp_path / "foundry.toml").write_text(shown("toml").replace(COPY, str(ROOT)))
    typed = "~/deckproof/tools/forge build --root ~/my-collection"
    assert f"{typed}\n" in [fence.text for fence in PAGE.fences]
    command = typed.replace("~/deckproof", str(ROOT)).replace("~/my-collection", str(tmp_path)).split()
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    made, ours = (
        json.loads((folder / "MyCards.json").read_text(encoding="utf-8"))
        for folder in (tmp_path / "out" / "MyCards.sol", OURS)
    )
    assert functions_of(made["abi"]) == functions_of(ours["abi"])
    assert made["bytecode"]["object"].startswith("0x60")
