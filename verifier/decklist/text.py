"""Plain text in the shape of Magic Arena: the default, and the only syntax people write by hand.

    # a comment, as is a line that begins with //
    About
    Name Frump and friends

    Media Tyrant
    1 Ronald Frump (STR) 4

    Influencers (2)
    1 Kanye East
    1x 9 Lives Lola

A card line is a count, white space and a name, then perhaps a set in parentheses and a collector number. The count
comes first and is always there, so whatever has none is a comment, a header or a fault; nothing is guessed. What
follows the name is a printing only if it is a set *and* a number, for names may end in parentheses: `(STR) 4`, or
`(STR) *` for any of the set; `()` says that there is none, after a name that looks as if there were.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from verifier.decklist.draft import MOST_LINES, Draft
from verifier.decklist.fields import Wrong, read_section, read_set_code, refused_character, shown
from verifier.decklist.fold import fold
from verifier.decklist.model import Decklist, Line
from verifier.decklist.sections import MAIN_WORDS, SIDEBOARD, header_words

_COMMENTS = ("#", "//")
_TIMES = ("x", "X", "\u00d7")
_SIGNS = "+-\u2212.,"
_NO_PRINTING = "()"
_ANY_NUMBER = "*"
_ABOUT = "about"
_NEITHER = "neither a card with its count nor the header of a section"


@dataclass(frozen=True, slots=True)
class _Row:
    at: int
    text: str
    opens: bool
    """The line before is blank, a comment, or not there."""


def parse(text: str, draft: Draft) -> None:
    """Read a list that a person or Arena wrote."""
    rows = list(_rows(text, draft))
    section, titling = None, False
    for row, following in zip(rows, [*rows[1:], None], strict=False):
        first, *rest = row.text.split(maxsplit=1)
        if titling and not row.opens and fold(first) == "name":
            draft.title(row.at, "".join(rest))
            titling = False
            continue
        titling = fold(header_words(row.text)) == _ABOUT
        if _is_card(row.text):
            _read_card(row, section, draft)
        elif _is_header(row, following, draft):
            section = draft.section(row.at, row.text)
        elif not titling:
            draft.fault(row.at, row.text, Wrong(_NEITHER, draft.sections.suggestion(row.text)))


def write(decklist: Decklist) -> str:
    """A list as Arena exports it: a header wherever the section changes."""
    rows = ["About", f"Name {decklist.title}"] if decklist.title else []
    main = _main_word(decklist)
    section, under_header = None, not rows
    for line in decklist.lines:
        if line.section != section or not under_header:
            rows += [*([""] if rows else []), line.section or main]
            section, under_header = line.section, True
        rows.append(f"{line.count} {_printed(line)}")
    return "\n".join([*rows, ""])


def lines_of(text: str) -> list[str]:
    """The lines that are not blank, which are those that count against the limit."""
    return [line for line in text.split("\n") if line.strip()]


def _rows(text: str, draft: Draft) -> Iterator[_Row]:
    opens, held = True, 0
    for at, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        held += bool(stripped)
        if held > MOST_LINES:
            raise draft.stop(
                at, line, Wrong(f"the list goes on after {MOST_LINES} lines", f"at most {MOST_LINES} lines")
            )
        if not stripped or stripped.startswith(_COMMENTS):
            opens = True
            continue
        if refused := refused_character(line):
            draft.fault(at, line, refused)
        else:
            yield _Row(at, stripped, opens=opens)
        opens = False


def _is_card(text: str) -> bool:
    return _after_sideboard_mark(text) is not None or _is_counted(text)


def _is_counted(text: str) -> bool:
    """Does it begin with something that can only be meant as a count?"""
    first = text.split(maxsplit=1)[0]
    return first.lstrip(_SIGNS)[:1].isdigit() or _count_after_x(first)


def _count_after_x(token: str) -> bool:
    return token.startswith(_TIMES) and token[1:].isdigit()


def _after_sideboard_mark(text: str) -> str | None:
    """What follows `SB:`, if there is both."""
    mark, _, rest = text.partition(":")
    return rest.strip() or None if mark.strip().casefold() == "sb" else None


def _is_header(row: _Row, following: _Row | None, draft: Draft) -> bool:
    """Does the line, which is no card, name a section?

    A known word does, anywhere. Other words do where the game's sections are not known, if a colon or a number in
    parentheses ends them, or if they open a block (after a blank line, a comment, or at the start) and a card follows.
    """
    if draft.sections.knows(row.text):
        return True
    if not draft.sections.takes_any_words:
        return False
    if header_words(row.text) != row.text:
        return True
    opens_cards = row.opens and following is not None and _is_card(following.text)
    return opens_cards and not isinstance(read_section(row.text), Wrong)


def _read_card(row: _Row, section: str | None, draft: Draft) -> None:
    text = _after_sideboard_mark(row.text)
    if text is None:
        text = row.text
    else:
        section = draft.section(row.at, SIDEBOARD)
    count, name = "", text
    if _is_counted(text):
        count, *rest = text.split(maxsplit=1)
        name = "".join(rest)
    if _count_after_x(count):
        draft.fault(row.at, row.text, Wrong("the x stands before the count", f"{shown(count[1:])}x {shown(name)}"))
        return
    count = count[:-1] if len(count) > 1 and count.endswith(_TIMES) else count
    if any(char.isalpha() for char in count):
        right = f"1 {shown(text)} if that is the whole name, or a count and a space before the name"
        draft.fault(row.at, row.text, Wrong(f"'{shown(count)}' is not a count", right))
        return
    name, set_code, number = _split_printing(" ".join(name.split()))
    draft.card(row.at, row.text, count=count, name=name, section=section, set_code=set_code, number=number)


def _split_printing(text: str) -> tuple[str, str, str]:
    """Name, set and collector number; the last two empty where the text ends in no printing."""
    head, _, last = text.rpartition(" ")
    if head and last == _NO_PRINTING:
        return head, "", ""
    name, _, bracket = head.rpartition(" ")
    set_code = bracket[1:-1] if bracket.startswith("(") and bracket.endswith(")") else ""
    numbered = last == _ANY_NUMBER or any(char.isdigit() for char in last)
    if name and numbered and isinstance(read_set_code(set_code), str):
        return name, set_code, last.removeprefix(_ANY_NUMBER)
    return text, "", ""


def _printed(line: Line) -> str:
    if line.set_code is not None:
        return f"{line.name} ({line.set_code}) {_ANY_NUMBER if line.number is None else line.number}"
    looks_printed = _split_printing(line.name)[0] != line.name
    return f"{line.name} {_NO_PRINTING}" if looks_printed else line.name


def _main_word(decklist: Decklist) -> str:
    """The header for cards without section, unless a section of the list is called so."""
    taken = {fold(line.section) for line in decklist.lines if line.section}
    return next((word for word in MAIN_WORDS if fold(word) not in taken), MAIN_WORDS[0])
