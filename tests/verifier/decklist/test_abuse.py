"""Decklist abuse: what somebody may try with a list, each threat by its sentence."""

import pytest

from verifier.decklist import (
    LONGEST_NAME,
    MOST_LINES,
    MOST_MARKUP_BYTES,
    MOST_TEXT_BYTES,
    SYNTAXES,
    Decklist,
    DecklistUnreadable,
    Line,
    LineFault,
    canonical,
    parse_decklist,
    summed,
    write_decklist,
)

XML = ("cod", "o8d", "dek")


def faults(source: str | bytes, syntax: str | None = "text") -> tuple[LineFault, ...]:
    with pytest.raises(DecklistUnreadable) as refusal:
        parse_decklist(source, syntax=syntax)
    return refusal.value.faults


def wrongs(source: str | bytes, syntax: str | None = "text") -> list[str]:
    return [fault.wrong for fault in faults(source, syntax)]


def lists_of(count: str, name: str) -> dict[str, str]:
    """One card in every syntax, as it would be typed into a file."""
    return {
        "text": f"{count} {name}",
        "cod": f'<cockatrice_deck><zone name="main"><card number="{count}" name="{name}"/></zone></cockatrice_deck>',
        "o8d": f'<deck><section name="Main"><card qty="{count}">{name}</card></section></deck>',
        "dek": f'<Deck><Cards Quantity="{count}" Sideboard="false" Name="{name}" /></Deck>',
        "csv": f"count,name\n{count},{name}\n",
        "json": f'{{"format": "deckproof-decklist", "version": 1, "lines": [{{"count": {count}, "name": "{name}"}}]}}',
    }


# --- size ---------------------------------------------------------------------------------------------------------


def test_a_text_of_more_than_8_kb_is_refused() -> None:
    fits = "1 Kanye East\n" + "#" * (MOST_TEXT_BYTES - len("1 Kanye East\n"))
    assert parse_decklist(fits).lines == (Line(1, "Kanye East"),)
    assert wrongs(fits + "#") == ["it has 8,193 bytes"]


def test_the_limit_counts_bytes_and_not_characters() -> None:
    assert wrongs("# " + "\u00fc" * MOST_TEXT_BYTES) == ["it has 16,386 bytes"]


def test_a_text_of_more_than_200_lines_is_refused() -> None:
    fits = "\n\n".join(f"1 Card {number}" for number in range(MOST_LINES))
    assert len(parse_decklist(fits).lines) == MOST_LINES
    assert wrongs(fits + "\n1 Kanye East") == ["the list goes on after 200 lines"]


@pytest.mark.parametrize("syntax", [name for name in SYNTAXES if name != "text"])
def test_markup_may_be_longer_than_text_up_to_128_kb(syntax: str) -> None:
    source = lists_of("1", "Kanye East")[syntax]
    padded = source + " " * (MOST_MARKUP_BYTES - len(source))
    assert parse_decklist(padded, syntax=syntax).lines == (Line(1, "Kanye East"),)
    assert wrongs(padded + " ", syntax) == ["it has 131,073 bytes"]


@pytest.mark.parametrize("syntax", [name for name in SYNTAXES if name != "text"])
def test_markup_of_more_than_200_entries_is_refused(syntax: str) -> None:
    decklist = Decklist(tuple(Line(1, f"Card {number}") for number in range(MOST_LINES + 1)))
    assert "the list goes on after 200 lines" in wrongs(write_decklist(decklist, syntax), syntax)


def test_a_list_that_would_not_fit_as_text_is_refused_in_every_syntax() -> None:
    decklist = Decklist(tuple(Line(1, f"{number} " + "n" * 94) for number in range(10, 100)))
    assert wrongs(write_decklist(decklist, "json"), "json") == ["it has 9,000 bytes"]  # 90 lines of 2 + 3 + 94 + 1


def test_a_list_whose_sections_alternate_past_200_lines_is_refused() -> None:
    source = "\n".join(f"SB: 1 A{number}\n1 B{number}" for number in range(60))
    assert wrongs(source) == ["with a header wherever the section changes it has 240 lines"]


def test_a_huge_upload_is_refused_before_it_is_decoded() -> None:
    assert wrongs(b"\xff" * 10_000_000) == ["it has 10,000,000 bytes"]


def test_a_name_of_more_than_150_characters_is_refused() -> None:
    assert parse_decklist("1 " + "n" * LONGEST_NAME).lines[0].name == "n" * LONGEST_NAME
    assert wrongs("1 " + "n" * (LONGEST_NAME + 1)) == ["the name has 151 characters"]


# --- counts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("count", ["1", "99"])
def test_counts_go_from_1_to_99(syntax: str, count: str) -> None:
    assert parse_decklist(lists_of(count, "Kanye East")[syntax], syntax=syntax).lines == (
        Line(int(count), "Kanye East"),
    )


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize(
    "count", ["0", "00", "04", "100", "999999999", "1.5", "1,5", "-1", "+1", "1e2", "1_0", "0x4", "9" * 5000]
)
def test_no_other_number_is_a_count(syntax: str, count: str) -> None:
    faults(lists_of(count, "Kanye East")[syntax], syntax)


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("count", ["\u0663", "\uff14", "\u0967", "\u00b2", "\u2460", "1\u0660"])
def test_digits_of_other_scripts_are_not_folded_into_counts(syntax: str, count: str) -> None:
    faults(lists_of(count, "Kanye East")[syntax], syntax)


def test_a_count_in_other_digits_is_told_which_digits_are_right() -> None:
    assert wrongs("\u0663 Kanye East") == ["the count '\u0663' is not written in the digits 0 to 9"]


def test_duplicates_are_summed() -> None:
    decklist = parse_decklist("2 Kanye East\n1 Elon Tusk\n3 KANYE  EAST")
    assert summed(decklist) == Decklist((Line(5, "Kanye East"), Line(1, "Elon Tusk")))


def test_a_name_repeated_over_two_lines_does_not_dodge_the_limit_of_99() -> None:
    (fault,) = faults("50 Kanye East\n49 Elon Tusk\n50 kanye east")
    assert (fault.line, fault.wrong) == (3, "this makes 100 copies of the card in the whole list")


def test_a_name_repeated_in_another_section_does_not_dodge_the_limit_either() -> None:
    assert wrongs("50 Kanye East\nSB: 50 Kanye East") == ["this makes 100 copies of the card in the whole list"]


# --- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["<svg onload=alert(1)>", "{{7*7}}", "'; DROP TABLE cards; --", "../../x", "%s%n", "&amp;"]
)
def test_a_card_named_like_an_attack_is_plain_data(name: str) -> None:
    decklist = Decklist((Line(1, name),))
    for syntax in SYNTAXES:
        assert parse_decklist(write_decklist(decklist, syntax), syntax=syntax) == decklist


@pytest.mark.parametrize(
    "character",
    [
        "\x00",
        "\x07",
        "\x0b",
        "\x0c",
        "\x1b",
        "\x1c",
        "\x7f",
        "\x85",
        "\u2028",
        "\u2029",
        "\u202e",
        "\u2066",
        "\ue000",
        "\uffff",
    ],
)
def test_a_control_private_unassigned_or_direction_changing_character_is_refused(character: str) -> None:
    (fault,) = faults(f"1 Kanye{character}East")
    assert f"U+{ord(character):04X}" in fault.wrong
    assert character not in str(fault)


def test_an_invisible_character_does_not_make_another_card() -> None:
    assert canonical(parse_decklist("1 Kanye\u200b East")) == canonical(parse_decklist("1 Kanye East"))


def test_a_name_of_nothing_but_invisible_characters_is_no_name() -> None:
    assert wrongs("1 \u200b\u2060\ufe0f") == ["the name is missing"]


def test_the_offending_text_is_shown_cut_short_and_escaped() -> None:
    (fault,) = faults("Kanye\x1b[31m" + "t" * 500)
    assert fault.text.startswith("Kanye\\x1b[31m")
    assert len(fault.text) < 80


def test_an_unknown_line_is_named_with_its_number_and_what_would_be_right() -> None:
    (fault,) = faults("1 Elon Tusk\n1 Ronald Frump\nKanye East\n")
    assert (fault.line, fault.text) == (3, "Kanye East")
    assert fault.right.startswith("1 Kanye East")


# --- bytes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_utf_8_and_whatever_has_a_byte_order_mark_is_read(encoding: str) -> None:
    assert parse_decklist("1 Beyonc\u00e9".encode(encoding)).lines == (Line(1, "Beyonc\u00e9"),)


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_both_byte_orders_of_utf_16_are_read(mark: bytes) -> None:
    encoding = "utf-16-le" if mark == b"\xff\xfe" else "utf-16-be"
    assert parse_decklist(mark + "1 Kanye East".encode(encoding)).lines == (Line(1, "Kanye East"),)


def test_a_byte_order_mark_left_in_a_text_is_dropped() -> None:
    assert parse_decklist("\ufeff1 Kanye East").lines == (Line(1, "Kanye East"),)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_ends_a_line(end: str) -> None:
    decklist = parse_decklist(f"1 Kanye East{end}2 Elon Tusk{end}")
    assert [line.line for line in decklist.lines] == [1, 2]


def test_bytes_that_are_not_utf_8_are_refused_with_line_and_position() -> None:
    (fault,) = faults(b"1 Kanye East\n1 Beyonc\xe9\n")
    assert (fault.line, fault.text) == (2, "1 Beyonc")
    assert fault.wrong == "byte 0xE9 at position 22 is not UTF-8"


def test_utf_16_without_its_mark_is_told_what_is_wrong() -> None:
    assert wrongs("1 Kanye East".encode("utf-16-le")) == [
        "it holds zero bytes, as UTF-16 without its byte order mark does"
    ]


def test_half_a_utf_16_character_is_refused() -> None:
    assert wrongs(b"\xff\xfe1\x00 \x00\x00\xd8") == ["byte 0x00 at position 5 is not UTF-16-LE"]


def test_a_lone_surrogate_is_refused() -> None:
    assert wrongs("1 \ud800") == ["half a character at position 3 (U+D800)"]


# --- XML ----------------------------------------------------------------------------------------------------------

BILLION_LAUGHS = """<?xml version="1.0"?>
<!DOCTYPE deck [
  <!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<deck><section name="Main"><card qty="1">&c;</card></section></deck>
"""
EXTERNAL_ENTITY = """<?xml version="1.0"?>
<!DOCTYPE cockatrice_deck [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<cockatrice_deck><deckname>&secret;</deckname></cockatrice_deck>
"""
REMOTE_DTD = '<!doctype Deck SYSTEM "http://127.0.0.1/deck.dtd"><Deck><Cards Quantity="1" Name="A" /></Deck>'


@pytest.mark.parametrize("source", [BILLION_LAUGHS, EXTERNAL_ENTITY, REMOTE_DTD])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_document_type_or_entity_is_refused_before_anything_is_parsed(source: str, encoding: str) -> None:
    assert wrongs(source.encode(encoding), None) == [
        "it declares a document type or an entity, which may read other files"
    ]


def test_an_entity_that_nobody_declared_is_refused() -> None:
    (wrong,) = wrongs("<deck><section><card>&c;</card></section></deck>", "o8d")
    assert "undefined entity" in wrong


@pytest.mark.parametrize("encoding", ["utf-7", "utf-16", "iso-8859-1", "no-such-encoding"])
def test_the_declared_encoding_of_xml_changes_nothing(encoding: str) -> None:
    source = f'<?xml version="1.0" encoding="{encoding}"?>' + lists_of("1", "Beyonc\u00e9 +ADw-")["dek"]
    assert parse_decklist(source).lines == (Line(1, "Beyonc\u00e9 +ADw-"),)


@pytest.mark.parametrize("syntax", XML)
def test_elements_nested_too_deep_are_refused(syntax: str) -> None:
    assert wrongs("<a>" * 40_000, syntax) == ["more than 8 elements inside each other"]


@pytest.mark.parametrize("syntax", XML)
def test_broken_xml_is_refused_with_line_and_column(syntax: str) -> None:
    (fault,) = faults("<deck>\n  <section></deck>", syntax)
    assert fault.line == 2
    assert fault.wrong == "not well-formed XML at column 14: mismatched tag"


def test_markup_with_thousands_of_faults_is_refused_after_a_thousand() -> None:
    assert len(faults('<deck><section name="Main">' + "<a/>" * 30_000 + "</section></deck>", "o8d")) == 1000


# --- JSON ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bomb", ["[" * 100_000, '{"a":' * 20_000, '{"format":' + "[" * 60_000])
def test_brackets_nested_too_deep_are_refused_before_anything_is_parsed(bomb: str) -> None:
    assert wrongs(bomb, "json") == ["more than 8 brackets inside each other"]


def test_brackets_inside_a_text_are_no_nesting() -> None:
    source = lists_of("1", '[[[[[[[[[[ \\" {{{{{{{{{{')["json"]
    assert parse_decklist(source).lines[0].name == '[[[[[[[[[[ " {{{{{{{{{{'


# --- CSV ----------------------------------------------------------------------------------------------------------


# written to a spreadsheet              read back
# '=HYPERLINK("http://127.0.0.1")  -->  =HYPERLINK("http://127.0.0.1")
@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "'=", "''@", "\uff1d", "\uff0b"])
def test_no_cell_of_an_exported_table_begins_like_a_formula_and_nothing_is_lost(sign: str) -> None:
    decklist = Decklist((Line(1, f'{sign}HYPERLINK("http://127.0.0.1","win")'),))
    written = write_decklist(decklist, "csv")
    assert f"\n1,\"'{sign}HYPERLINK(" in written
    assert parse_decklist(written) == decklist
