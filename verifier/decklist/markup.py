"""XML as other deck programs write it, read without ever trusting it.

No document type and no entity gets as far as the parser, the text is decoded before (so no declared encoding can
smuggle one in), and depth is bounded. What is left is elements, attributes and text. A format's `Shape` names all that
its programs write; whatever else a file holds is a fault, because it may be a card that nobody would see.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from xml.parsers import expat

from verifier.decklist.draft import Draft
from verifier.decklist.fields import Wrong, shown

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

_DEEPEST = 8
"""Elements inside elements; Cockatrice goes to 4."""

_WHITE_SPACE = " \t\n\r"
"""Of XML."""

_FORBIDDEN = ("<!doctype", "<!entity")


@dataclass(frozen=True, slots=True)
class Shape:
    """What an element holds where its program wrote it, whether it is read or deliberately ignored."""

    attributes: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    """Attributes without which a card would stand somewhere else; count and name are missed by the draft itself."""
    children: Mapping[str, "Shape"] = field(default_factory=dict)
    has_text: bool = False


TEXT = Shape(has_text=True)


@dataclass(frozen=True, slots=True)
class Element:
    """An element, with the line on which it starts."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    children: list["Element"] = field(default_factory=list)
    texts: list[tuple[int, str]] = field(default_factory=list)
    """Pieces of its own text, each with its line."""

    @property
    def text(self) -> str:
        """Its own text, without the white space around it."""
        return "".join(text for _, text in self.texts).strip(_WHITE_SPACE)

    @property
    def text_line(self) -> int:
        """The line on which its text starts."""
        return next((line for line, text in self.texts if text.strip(_WHITE_SPACE)), self.line)

    def __str__(self) -> str:
        return start(self.tag, self.attributes) + self.text


def read_root(text: str, draft: Draft, tag: str, shape: Shape) -> Element:
    """The document's first element, which has that tag; all that is not in its shape is a fault of the draft.

    Raises:
        DecklistUnreadable: not XML, or XML that declares a document type, is too deep or is something else.
    """
    _refuse_document_type(text, draft)
    root = _Builder(draft).build(text)
    if root.tag != tag:
        raise draft.stop(
            root.line,
            str(root),
            Wrong(f"the first element is <{root.tag}>", f"<{tag}>, as the program itself writes it"),
        )
    _check(root, shape, draft)
    return root


def start(tag: str, attributes: Mapping[str, object]) -> str:
    """A start tag; attributes that are None are left out."""
    said = {name: value for name, value in attributes.items() if value is not None}
    return f"<{tag}" + "".join(f' {name}="{escape(str(value))}"' for name, value in said.items()) + ">"


def empty(tag: str, attributes: Mapping[str, object]) -> str:
    """An element without content."""
    return start(tag, attributes).removesuffix(">") + "/>"


def filled(tag: str, attributes: Mapping[str, object], text: str) -> str:
    """An element with text."""
    return f"{start(tag, attributes)}{escape(text)}</{tag}>"


def _check(element: Element, shape: Shape, draft: Draft) -> None:
    here = f"<{element.tag}>"
    for name in shape.needed:
        if not element.attributes.get(name, "").strip():
            draft.fault(element.line, str(element), Wrong(f"{here} has no {name}", f'{name}="\u2026"'))
    known = (*shape.needed, *shape.attributes)
    for name, value in element.attributes.items():
        if name not in known:
            wrong = f"the attribute {shown(name)} is not known in {here}"
            draft.fault(element.line, f'{name}="{value}"', Wrong(wrong, _only(known)))
    elements = _only([f"<{tag}>" for tag in shape.children])
    if element.text and not shape.has_text:
        draft.fault(element.text_line, element.text, Wrong(f"text stands in {here}", elements))
    for child in element.children:
        if child.tag in shape.children:
            _check(child, shape.children[child.tag], draft)
        else:
            draft.fault(child.line, str(child), Wrong(f"<{shown(child.tag)}> is not known in {here}", elements))


def _only(known: Sequence[str]) -> str:
    return f"only {', '.join(known)}" if known else "none at all"


def _refuse_document_type(text: str, draft: Draft) -> None:
    lowered = text.lower()
    for forbidden in _FORBIDDEN:
        at = lowered.find(forbidden)
        if at >= 0:
            raise draft.stop(
                lowered.count("\n", 0, at) + 1,
                forbidden.upper(),
                Wrong("it declares a document type or an entity, which may read other files", "a file without them"),
            )


class _Builder:
    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._skipped = 0
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text  # piece by piece, or a text's line would not be known
        self._parser.ProcessingInstructionHandler = self._instruct
        self._open: list[Element] = []
        self._roots: list[Element] = []

    def build(self, text: str) -> Element:
        document = text.lstrip(" \t\n")  # as pasted; XML itself allows nothing before its declaration
        self._skipped = text.count("\n", 0, len(text) - len(document))
        try:
            self._parser.Parse(document, True)  # noqa: FBT003 - "this is all", positional by its definition
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            raise self._draft.stop(
                self._skipped + error.lineno,
                "".join(document.split("\n")[error.lineno - 1 : error.lineno]),
                Wrong(
                    f"not well-formed XML at column {error.offset + 1}: {what}", "the list saved again by its program"
                ),
            ) from error
        return self._roots[0]

    @property
    def _line(self) -> int:
        return self._skipped + self._parser.CurrentLineNumber

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._open) == _DEEPEST:
            raise self._draft.stop(
                self._line,
                tag,
                Wrong(f"more than {_DEEPEST} elements inside each other", "a deck as its program writes it"),
            )
        child = Element(tag, attributes, self._line)
        (self._open[-1].children if self._open else self._roots).append(child)
        self._open.append(child)

    def _end(self, _tag: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        self._open[-1].texts.append((self._line, text))

    def _instruct(self, target: str, data: str) -> None:
        wrong = Wrong("an instruction for another program, which no deck program writes", "the same file without it")
        self._draft.fault(self._line, f"<?{target} {data}?>", wrong)
