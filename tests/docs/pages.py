"""The Markdown pages of the repository, taken apart."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GUIDE = DOCS / "guide"

_FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#{1,6}) +(.+?) *$", re.MULTILINE)
_LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)|^\[[^\]\n]+\]: *(\S+)", re.MULTILINE)
_CODE = re.compile(r"`([^`\n]+)`")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@dataclass(frozen=True)
class Fence:
    """A fenced block."""

    language: str
    text: str


@dataclass(frozen=True)
class Page:
    """One Markdown file."""

    path: Path

    @property
    def name(self) -> str:
        """Its path from the root of the repository."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def prose(self) -> str:
        """The page without its fenced blocks."""
        return _COMMENT.sub("", _FENCE.sub("", self.text))

    @property
    def fences(self) -> list[Fence]:
        return [
            Fence(language, re.sub(f"^{indent}", "", text, flags=re.MULTILINE))
            for indent, language, text in _FENCE.findall(self.text)
        ]

    @property
    def links(self) -> list[str]:
        return [one or other for one, other in _LINK.findall(_CODE.sub("", self.prose))]

    @property
    def code(self) -> list[str]:
        """What stands in backticks."""
        return _CODE.findall(self.prose)

    @property
    def anchors(self) -> set[str]:
        """What a link may name behind #, as the usual viewers make them."""
        seen: dict[str, int] = {}
        anchors = set()
        for _, title in _HEADING.findall(self.prose):
            anchor = anchor_of(title)
            count = seen.get(anchor, 0)
            seen[anchor] = count + 1
            anchors.add(f"{anchor}-{count}" if count else anchor)
        return anchors

    def section(self, title: str) -> str:
        """All below a heading, up to the next of the same or a higher level; fenced blocks included."""
        fenced = [found.span() for found in _FENCE.finditer(self.text)]
        headings = [
            found
            for found in _HEADING.finditer(self.text)
            if not any(start <= found.start() < end for start, end in fenced)
        ]
        for index, found in enumerate(headings):
            if found[2] == title:
                level = len(found[1])
                ends = (later.start() for later in headings[index + 1 :] if len(later[1]) <= level)
                return self.text[found.end() : next(ends, len(self.text))]
        raise LookupError(f"{self.name} has no heading {title!r}")

    def titles(self, level: int) -> list[str]:
        return [title for marks, title in _HEADING.findall(self.prose) if len(marks) == level]


def anchor_of(title: str) -> str:
    """Lower case, without punctuation, blanks as hyphens."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).strip().lower()
    kept = "".join(c for c in plain if c in "-_ " or unicodedata.category(c)[0] in "LN")
    return kept.replace(" ", "-")


def pages() -> list[Page]:
    """Every page that we wrote, in order of name."""
    found = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
    return [Page(path) for path in sorted(found)]


def guide() -> list[Page]:
    """The pages of the guide."""
    return [page for page in pages() if page.path.parent == GUIDE]


def rows(section: str) -> Iterator[list[str]]:
    """The cells of each row of the tables in a section, without heads and rules."""
    lines = section.splitlines()
    for index, line in enumerate(lines):
        if not line.startswith("|") or set(line) <= set("|-: "):
            continue
        if index + 1 < len(lines) and lines[index + 1].startswith("|") and set(lines[index + 1]) <= set("|-: "):
            continue
        cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
        yield [cell.strip().replace("\\|", "|") for cell in cells]
