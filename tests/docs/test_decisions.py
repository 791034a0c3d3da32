"""The decisions are numbered without a gap, look alike, and are all in the index."""

import re
import tomllib

import pytest

from tests.docs.pages import DOCS, ROOT, Page, rows

FOLDER = DOCS / "decisions"
DECISIONS = [Page(path) for path in sorted(FOLDER.glob("[0-9]*.md"))]
INDEX = Page(FOLDER / "README.md")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_numbers_have_no_gap() -> None:
    assert [page.path.name[:4] for page in DECISIONS] == [f"{number:04}" for number in range(1, len(DECISIONS) + 1)]


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.path.stem)
def test_a_decision_has_its_four_headings(page: Page) -> None:
    assert page.titles(2) == ["Context", "Decision", "Consequences", "Alternatives"]


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.path.stem)
def test_a_decisions_file_is_named_as_its_title(page: Page) -> None:
    (title,) = page.titles(1)
    number, _, words = title.partition(": ")
    plain = re.sub(r"[^a-z0-9 -]", "", words.lower().replace(".py", "").replace("http.client", "http client"))
    assert page.path.stem == f"{number}-{plain.replace(' ', '-')}"


def test_the_index_has_each_decision_with_its_title() -> None:
    listed = [(number, *re.findall(r"\[(.*)\]\((.*)\)", link)[0]) for number, link in rows(INDEX.text)]
    assert listed == [(*page.titles(1)[0].split(": ", 1), page.path.name) for page in DECISIONS]


def test_a_link_to_a_decision_has_its_number() -> None:
    pages = [*DOCS.rglob("*.md"), *ROOT.glob("*.md")]
    links = [(path.name, *re.findall(r"\[(\d{4})\]\([^)\s]*?(\d{4})-", path.read_text("utf-8"))) for path in pages]
    assert len(links) > len(DECISIONS)
    assert [(name, link) for name, *found in links for link in found if link[0] != link[1]] == []


def test_each_dependency_has_its_reason_and_each_reason_its_dependency() -> None:
    needed = {re.split(r"[\[>=<]", line)[0] for line in PYPROJECT["project"]["dependencies"]}
    (page,) = [page for page in DECISIONS if page.path.name.startswith("0015")]
    assert {first.strip("`") for first, *_ in rows(page.section("Decision"))} == needed


@pytest.mark.parametrize("folder", ["cli", "collection", "games", "tournament", "verifier", "contracts"])
def test_a_page_that_the_code_names_is_there(folder: str) -> None:
    sources = [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.sol"), *(ROOT / folder).rglob("*.toml")]
    named = {
        name for path in sources for name in re.findall(r"docs/[\w/-]+(?:\.md)?", path.read_text(encoding="utf-8"))
    }
    missing = [name for name in named if not (ROOT / name).exists() and not [*ROOT.glob(f"{name}-*.md")]]
    assert missing == []
