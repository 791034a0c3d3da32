"""Every link leads somewhere, and every path that a page names is there."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.docs.pages import GUIDE, ROOT, Page, guide, pages, rows

PAGES = pages()
BY_PATH = {page.path: page for page in PAGES}
TOP = {path.name for path in ROOT.iterdir()} - {"node_modules", "out", "cache"}
"""Folders and files in which a path of ours begins."""

_PATH = re.compile(r"\.?[\w-]+(/[\w.-]*)+|[\w.-]+\.(py|sol|toml|md|json|cjs)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Page) -> None:
    broken = [link for link in page.links if not _leads_somewhere(page, link)]
    assert not broken


def _leads_somewhere(page: Page, link: str) -> bool:
    if re.match(r"https?://", link):
        return True
    name, _, anchor = link.partition("#")
    target = (page.path.parent / name).resolve() if name else page.path
    if not target.exists():
        return False
    return not anchor or (target in BY_PATH and anchor in BY_PATH[target].anchors)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_is_named_is_there(page: Page) -> None:
    named = [code for code in page.code if _PATH.fullmatch(code) and Path(code).parts[0] in TOP]
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_page_of_the_guide_is_in_its_index() -> None:
    index = Page(GUIDE / "index.md")
    linked = {link.partition("#")[0] for link in index.links}
    assert {page.path.name for page in guide()} - {"index.md"} <= linked


def test_every_folder_of_the_repository_is_in_the_readmes_map() -> None:
    section = Page(ROOT / "README.md").section("Where things are")
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert {
        name for name in packages | {"bench", "contracts", "docs", "tests", "tools"} if f"`{name}/`" not in section
    } == set()


FOLDERS = [first.strip("`") for first, *_ in rows(Page(ROOT / "README.md").section("Where things are"))]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_of_the_readmes_map_is_in_the_repository(folder: str) -> None:
    tracked = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert tracked, f"git has no file in {folder}"
