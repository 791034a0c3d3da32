"""XML read strictly: no document type, so no entities of the file's own; each element knows its line.

The document type is refused while it is read, before anything in it could be expanded. Size, depth and the number of
elements are bounded, so that a small file cannot become a large tree.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from xml.parsers import expat

from tournament.domain.errors import FaultAt, FileUnreadable

MOST_DEPTH = 32
MOST_ELEMENTS = 4_000_000


@dataclass(slots=True)
class Element:
    """An element of a document, its text without that of its children."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list["Element"] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> Iterator["Element"]:
        """Children of that name, in order."""
        return (child for child in self.children if child.name == name)

    def first(self, *path: str) -> "Element | None":
        """The first child of the first name, its first child of the next, and so on."""
        found: Element | None = self
        for name in path:
            found = next(found.all(name), None) if found else None
        return found

    def text_of(self, *path: str) -> str:
        """The text down that path; empty if there is none."""
        found = self.first(*path)
        return found.text if found else ""


class _Refused(Exception):
    """Stops the parser."""


class _Tree:
    def __init__(self, parser: expat.XMLParserType) -> None:
        self.root: Element | None = None
        self._parser, self._open, self._count = parser, list[Element](), 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if len(self._open) >= MOST_DEPTH or self._count > MOST_ELEMENTS:
            raise _Refused(f"elements are nested deeper than {MOST_DEPTH}, or more than {MOST_ELEMENTS}")
        element = Element(name, attributes, self._parser.CurrentLineNumber)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def end(self, _: str) -> None:
        self._open.pop()

    def text(self, text: str) -> None:
        self._open[-1].text += text

    def doctype(self, *_: object) -> None:
        raise _Refused("has a document type (DOCTYPE), which is not read: it can declare entities")


def parse_xml(text: str, file_format: str) -> Element:
    """The root element of a document.

    Raises:
        FileUnreadable: not well-formed, too deep, or with a document type.
    """
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    tree = _Tree(parser)
    parser.StartElementHandler, parser.EndElementHandler = tree.start, tree.end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = tree.text, tree.doctype
    try:
        parser.Parse(text.encode(), True)  # noqa: FBT003 - expat's own signature: nothing follows
    except (expat.ExpatError, _Refused) as error:
        line = parser.CurrentLineNumber
        raise FileUnreadable(file_format, [FaultAt(f"line {line}", _reason(error))]) from error
    except UnicodeEncodeError as error:
        raise FileUnreadable(file_format, [FaultAt(f"letter {error.start}", "is half a letter")]) from error
    if tree.root is None:
        raise FileUnreadable(file_format, [FaultAt("line 1", "has no element")])
    return tree.root


def _reason(error: Exception) -> str:
    return f"is not XML: {expat.ErrorString(error.code)}" if isinstance(error, expat.ExpatError) else str(error)


def escaped(text: str) -> str:
    """Text as the content of an element."""
    return escape(text, quote=False)


def quoted(text: str) -> str:
    """Text as the value of an attribute, in its quotation marks."""
    return f'"{escape(text)}"'
