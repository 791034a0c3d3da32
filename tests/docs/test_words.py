"""What the pages never say, and which words are not ours."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT, Page, pages, rows

PAGES = pages()
ROOMS = ("cli", "collection", "games", "tournament", "verifier")

REGISTRIES = tuple(
    ".".join(parts) for parts in (("npmjs", "org"), ("npmjs", "com"), ("pypi", "org"), ("pythonhosted", "org"))
)
"""Locks and pages name packages, never the host that they come from."""
MACHINES = tuple(f"/{folder}/" for folder in ("work", "root", "tmp", "home", "Users"))
"""Folders of one machine."""
_NOT_OF_THE_PRODUCT = ("pro" + "mpts?", "ses" + "sions?", "A" + "I", "L" + "LMs?", "chat" + "bots?", "assis" + "tants?")
ELSEWHERE = re.compile(rf"\b({'|'.join(_NOT_OF_THE_PRODUCT)})\b")
"""The pages speak of the product, not of how its text came about."""
OF_PYTEST = {page: {"ses" + "sion"} for page in ("testing-your-collection.md", "security.md", "api.md", "control.md")}
"""A word that is the name of something in pytest, on the page that explains its fixtures; and of a path of the API."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_no_registry_and_no_folder_of_one_machine(page: Page) -> None:
    assert [word for word in (*REGISTRIES, *MACHINES) if word in page.text] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_speaks_of_the_product(page: Page) -> None:
    assert set(ELSEWHERE.findall(page.text)) - OF_PYTEST.get(page.path.name, set()) == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_begins_with_its_one_title(page: Page) -> None:
    assert page.text.startswith("# ")
    assert len(page.titles(1)) == 1


# --- the glossary

GLOSSARY = list(rows(Page(DOCS / "glossary.md").text))
NOT_OURS = {word for *_, other in GLOSSARY for word in re.findall(r"`([a-z]+)`", other)}


def test_the_glossary_has_each_word_once() -> None:
    words = [word for first, *_ in GLOSSARY for word in re.findall(r"\*\*(.+?)\*\*", first)]
    assert len(set(words)) == len(words)


def test_no_identifier_is_called_what_the_glossary_says_is_not_ours() -> None:
    assert NOT_OURS
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for name in _named_in(path)
        if NOT_OURS & set(_words_of(name))
    }
    assert found == set()


def test_no_module_is_a_drawer() -> None:
    drawers = {"utils", "helpers", "data", "info", "common", "misc"}
    assert [path for room in ROOMS for path in (ROOT / room).rglob("*.py") if path.stem in drawers] == []


def _named_in(path: Path) -> Iterator[str]:
    """Everything that a module gives a name to."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _words_of(name: str) -> list[str]:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")
