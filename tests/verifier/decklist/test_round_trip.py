"""What is written is read back, up to what the syntax can hold; and no source is anything but a list or a refusal."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from verifier.decklist import (
    SYNTAXES,
    Decklist,
    DecklistUnreadable,
    Line,
    by_section,
    canonical,
    parse_decklist,
    write_decklist,
)

# --- lists ----------------------------------------------------------------------------------------------------------

AWKWARD = st.sampled_from(
    (  # noqa: SIM905 - a name a line would fill the page
        "9 Lives Lola|Take 2|Act (II)|Sequel (STR) 4|A (BC) *|()|A ()|x4|SB: 1 A|# A|// A|Deck|Influencers:|=1+1|'-A|"
        "''@A|\\|{|[|sep=;|count|\u0663|\uff14|Beyonc\u00e9|\U0001f600|\u200d\u00df|<deck>|&lt;|]]>|A,B;C D|"
        '"|""A|\\"'
    ).split("|")
)
CHARACTERS = st.characters(
    exclude_categories=["Cc", "Cs", "Cn", "Co", "Zl", "Zp"],
    exclude_characters="\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
)
NAMES = st.one_of(AWKWARD, st.text(CHARACTERS, min_size=1, max_size=12)).map(lambda name: " ".join(name.split()))
SECTIONS = st.sampled_from(
    [
        None,
        "Sideboard",
        "Commander",
        "Media Tyrant",
        "Influencers",
        "influencers",
        "R&D / Stack",
        "Spieler (neu)",
        "\u8056",
    ]
)
PRINTINGS = st.one_of(
    st.just((None, None)),
    st.tuples(st.sampled_from(["STR", "M10", "40K", "AB", "ABCDEFGH"]), st.none() | st.integers(0, 999_999)),
)


def line_of(count: int, name: str, section: str | None, printing: tuple[str | None, int | None]) -> Line | None:
    try:
        return Line(count, name, section, *printing)
    except ValueError:  # a name of invisible characters only
        return None


LINES = st.builds(line_of, st.integers(1, 8), NAMES, SECTIONS, PRINTINGS).filter(bool)
TITLES = st.none() | st.sampled_from(["Frump & friends", "4 Kanye East", "About", "<b>", "Deck:"])
DECKLISTS = st.builds(
    lambda lines, title: Decklist(tuple(lines), title), st.lists(LINES, min_size=1, max_size=12), TITLES
)


# --- what each syntax holds -----------------------------------------------------------------------------------------


def all_of_it(decklist: Decklist) -> Decklist:
    return decklist


def without_title(decklist: Decklist) -> Decklist:
    return replace(decklist, title=None)


def without_printings(decklist: Decklist) -> Decklist:
    return replace(decklist, lines=tuple(replace(line, set_code=None, number=None) for line in decklist.lines))


def sections_together(decklist: Decklist) -> Decklist:
    return replace(decklist, lines=tuple(line for lines in by_section(decklist).values() for line in lines))


def sideboard_or_not(decklist: Decklist) -> Decklist:
    lines = (line if line.section == "Sideboard" else replace(line, section=None) for line in decklist.lines)
    return replace(decklist, lines=tuple(lines))


# syntax | title  printing  sections  order
# -------+------------------------------------------------
# text   |   +       +         +       +
# cod    |   +       +         +       within a section
# o8d    |   -       -         +       within a section
# dek    |   -       -     sideboard   +
# csv    |   -       +         +       +
# json   |   +       +         +       +
HELD: dict[str, Callable[[Decklist], Decklist]] = {
    "text": all_of_it,
    "cod": sections_together,
    "o8d": lambda decklist: without_title(without_printings(sections_together(decklist))),
    "dek": lambda decklist: without_title(without_printings(sideboard_or_not(decklist))),
    "csv": without_title,
    "json": all_of_it,
}


@pytest.mark.parametrize("syntax", SYNTAXES)
@settings(deadline=None)
@given(DECKLISTS)
def test_a_written_list_is_read_back_as_far_as_the_syntax_holds_it(syntax: str, decklist: Decklist) -> None:
    assert parse_decklist(write_decklist(decklist, syntax), syntax=syntax) == HELD[syntax](decklist)


@pytest.mark.parametrize("syntax", ["text", "cod", "csv", "json", "o8d"])
@settings(deadline=None)
@given(DECKLISTS)
def test_every_syntax_with_sections_keeps_the_deck_that_is_hashed(syntax: str, decklist: Decklist) -> None:
    assert canonical(parse_decklist(write_decklist(decklist, syntax), syntax=syntax)) == canonical(decklist)


@settings(deadline=None)
@given(DECKLISTS)
def test_writing_what_was_read_changes_nothing_more(decklist: Decklist) -> None:
    for syntax in SYNTAXES:
        once = write_decklist(decklist, syntax)
        assert write_decklist(parse_decklist(once, syntax=syntax), syntax) == once


# 200 lines of 40 bytes, made of what grows most when it is escaped
@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("character", ['"', "&", "'", "\\", "\U00020000"])
def test_the_largest_list_that_fits_as_text_fits_in_every_syntax(syntax: str, character: str) -> None:
    name = character * (33 // len(character.encode()))
    decklist = Decklist(tuple(Line(1, f"{number:03} {name}") for number in range(200)))
    assert len(write_decklist(decklist).encode()) >= 200 * 39
    assert parse_decklist(write_decklist(decklist, syntax), syntax=syntax) == decklist


def test_the_longest_section_fits_on_every_line_of_a_table() -> None:
    decklist = Decklist(tuple(Line(1, str(number), "\U00020000" * 40, "ABCDEFGH", 999_999) for number in range(190)))
    for syntax in ("text", "csv", "json"):
        assert parse_decklist(write_decklist(decklist, syntax), syntax=syntax) == decklist


# --- never anything but a list or a refusal -------------------------------------------------------------------------

PIECES = st.sampled_from(
    (  # noqa: SIM905 - a piece a line would fill the page
        "1 A|4x B|SB: 2 C|Deck|Sideboard:|About|Name X|# c|100|x4|(AB) 4|(AB) 4a|()|\n|<deck>|</deck>|<Deck>|</Deck>|"
        '<cockatrice_deck>|<zone name="main">|<card number="1" name="A"/>|</zone>|<section name="9">|<Cards/>|'
        '<![CDATA[|<card qty="1">A</card>|]]>|<!--|-->|&amp;|&#0;|&x;|<!DOCTYPE a>|<?xml encoding="utf-16"?>|'
        '|count,name|sep=;|,|;|\t|"|{"format":"deckproof-decklist","version":1,"lines":[|{"count":1,"name":"A"}|]}|'
        "[|{|NaN|1e999|\r|\x00|\ufeff|\ud800|\u2028|\u0663|\uff14|\U000e0001|'="
    ).split("|")
)


def damaged(decklist: Decklist, syntax: str, at: float, cut: int, junk: str) -> str:
    written = write_decklist(decklist, syntax)
    start = int(at * len(written))
    return written[:start] + junk + written[start + cut :]


JUNK = st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=20).map("".join)
TEXTS = st.one_of(
    st.text(),
    JUNK,
    st.builds(damaged, DECKLISTS, st.sampled_from(list(SYNTAXES)), st.floats(0, 1), st.integers(0, 9), JUNK),
)
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
MARKS = st.sampled_from([b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"])
BYTES = st.one_of(
    st.binary(),
    st.builds(lambda text, encoding: text.encode(encoding, "surrogatepass"), TEXTS, ENCODINGS),
    st.builds(lambda mark, rest: mark + rest, MARKS, st.binary()),
)


def parsed_or_refused(source: str | bytes, **options: Any) -> Decklist | DecklistUnreadable:
    try:
        return parse_decklist(source, **options)
    except DecklistUnreadable as refusal:
        return refusal


@settings(deadline=None, max_examples=1000)
@given(
    TEXTS | BYTES,
    st.none() | st.sampled_from(list(SYNTAXES)),
    st.none() | st.sampled_from(["a.cod", "a.json", "a", "", "\x00", ".csv"]) | st.text(max_size=8),
    st.none() | st.just({"Media Tyrant": ["Tyrant"], "Influencers": []}),
)
@example(b"\xff\xfe\x00", None, None, None)
@example('{"format": {}}', None, None, None)
def test_any_source_is_a_list_or_refused_with_every_fault(
    source: str | bytes, syntax: str | None, filename: str | None, sections: dict[str, list[str]] | None
) -> None:
    answer = parsed_or_refused(source, syntax=syntax, filename=filename, sections=sections)
    if isinstance(answer, DecklistUnreadable):
        assert answer.faults
        assert all(str(fault).isprintable() for fault in answer.faults)
    else:
        for other in SYNTAXES:
            parse_decklist(write_decklist(answer, other), syntax=other)
