"""Pages of the guide that people are sent to from the site: problems and rulings, from the same Markdown files."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

_HERE: Final = Path(__file__).parent
FOLDERS: Final = (_HERE / "guide_pages", _HERE.parents[1] / "docs" / "guide")
"""Where they are when installed, and in a checkout."""
_ON_THE_SITE: Final = {"problems.md": "/problems", "rulings.md": "/rulings"}
_SECTION: Final = re.compile(r"^## +(.+?) *$", re.MULTILINE)
_TESTS: Final = re.compile(r"\s*`test_\w+`(?:,\s*`test_\w+`)*")
_ABOUT_TESTS: Final = re.compile(r"^Each ruling is kept by a test.*?\n\n", re.MULTILINE | re.DOTALL)
_SLUG: Final = re.compile(r"[a-z0-9-]+")


@dataclass(frozen=True)
class Problem:
    """A kind of refusal, as the guide explains it."""

    slug: str
    title: str
    body: Markup


@cache
def problems() -> Mapping[str, Problem]:
    """Every problem by its slug, in the order of the page."""
    found = {}
    for slug, text in _sections("problems.md"):
        if _SLUG.fullmatch(slug):
            title = re.search(r"^\*(.+?)\*", text, re.MULTILINE)
            body = re.sub(r"^\*.+?\*.*\n", "", text.lstrip(), count=1)
            found[slug] = Problem(slug, title[1].rstrip(".") if title else slug, as_html(body))
    return found


@cache
def page(name: str) -> Markup:
    """A whole page without its title, and without the tests that keep it true."""
    body = _text(name).partition("\n")[2]
    return as_html(_TESTS.sub("", _ABOUT_TESTS.sub("", body)))


def as_html(text: str) -> Markup:
    """Markdown as HTML. Links to pages that are not on the site become their words; raw HTML is shown as it is."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = _relinked(token.children)
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1]))}"
    return Markup(markdown.renderer.render(tokens, markdown.options, {}))  # noqa: S704 - our own guide, raw HTML off


def _relinked(children: list[Token]) -> list[Token]:
    kept: list[Token] = []
    is_left_out = False
    for token in children:
        if token.type == "link_open":
            to = _address(str(token.attrs.get("href", "")))
            is_left_out = to is None
            if to is not None:
                token.attrs["href"] = to
        if not (is_left_out and token.type in {"link_open", "link_close"}):
            kept.append(token)
    return kept


def _address(href: str) -> str | None:
    """Where a link of the guide leads on the site; None for nowhere."""
    if href.startswith("https://"):
        return href
    name, _, anchor = href.partition("#")
    if name == "problems.md" and anchor in {slug for slug, _ in _sections(name)}:
        return f"/problems/{anchor}"
    return _ON_THE_SITE.get(name)


def _sections(name: str) -> list[tuple[str, str]]:
    """Each heading of the second level with what is below it."""
    _, *parts = _SECTION.split(_text(name))
    return list(zip(parts[::2], parts[1::2], strict=True))


@cache
def _text(name: str) -> str:
    return next(folder / name for folder in FOLDERS if (folder / name).exists()).read_text(encoding="utf-8")
