"""docs/architecture.md draws the import contracts that are in force, and names every module."""

import tomllib
from typing import Any

import pytest

from tests.docs.pages import DOCS, ROOT, Page

PAGE = Page(DOCS / "architecture.md")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS: list[dict[str, Any]] = PYPROJECT["tool"]["importlinter"]["contracts"]
ROOMS = ("games", "verifier", "collection", "stage")


def test_each_import_contract_is_drawn_and_no_other() -> None:
    assert PAGE.titles(3) == [contract["name"] for contract in CONTRACTS]


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract["name"])
def test_a_drawing_is_the_contract(contract: dict[str, Any]) -> None:
    section = PAGE.section(contract["name"])
    drawn = section.split("```text\n", 1)[1].split("\n```", 1)[0].splitlines()
    assert drawn == contract.get("layers", contract.get("source_modules"))


@pytest.mark.parametrize("room", ROOMS)
def test_every_module_is_in_the_drawing(room: str) -> None:
    drawing = PAGE.section("What is in them")
    modules = {path.name for path in (ROOT / room).glob("*.py")} - {"__init__.py", "errors.py"}
    assert {name for name in modules if name not in drawing} == set()
