"""Which syntax is a source in?"""

import pytest

from verifier.decklist import SYNTAXES, Decklist, Line, SyntaxNotKnown, parse_decklist, write_decklist

DECKLIST = Decklist((Line(4, "Kanye East"), Line(2, "Elon Tusk", "Sideboard")))


def test_the_syntaxes_are_six() -> None:
    assert list(SYNTAXES) == ["text", "cod", "o8d", "dek", "csv", "json"]


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_the_content_tells_the_syntax(syntax: str) -> None:
    assert parse_decklist(write_decklist(DECKLIST, syntax)) == DECKLIST


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("filename", ["list.txt", "list", "", "list.html", "cod"])
def test_an_extension_that_tells_nothing_leaves_it_to_the_content(syntax: str, filename: str) -> None:
    assert parse_decklist(write_decklist(DECKLIST, syntax), filename=filename) == DECKLIST


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_the_extension_of_the_file_tells_the_syntax(syntax: str) -> None:
    filename = f"My deck{SYNTAXES[syntax].extension.upper()}"
    assert parse_decklist(write_decklist(DECKLIST, syntax), filename=filename) == DECKLIST


# source                                      content alone says    extension says
# <!-- was <deck> --><cockatrice_deck>…       OCTGN                 Cockatrice
def test_the_extension_goes_before_the_content() -> None:
    source = write_decklist(DECKLIST, "cod").replace("<cockatrice_deck", "<!-- was <deck> --><cockatrice_deck")
    assert parse_decklist(source, filename="list.cod") == DECKLIST


def test_the_named_syntax_goes_before_the_extension() -> None:
    assert parse_decklist("4 Kanye East", syntax="text", filename="list.cod").lines == (Line(4, "Kanye East"),)


@pytest.mark.parametrize("opening", ["", "\n\n ", "<?xml version='1.0'?>", "\n<?xml version='1.0'?>", "<!-- mine -->"])
@pytest.mark.parametrize("syntax", ["cod", "o8d", "dek"])
def test_what_may_stand_before_the_first_element_does_not_hide_it(syntax: str, opening: str) -> None:
    written = write_decklist(DECKLIST, syntax)
    decklist = parse_decklist(opening + written.partition("?>")[2])
    assert decklist == DECKLIST
    assert decklist.lines[0].line == parse_decklist(written).lines[0].line + opening.count("\n")


def test_a_name_in_angle_brackets_is_no_xml() -> None:
    assert parse_decklist("1 <deck>").lines == (Line(1, "<deck>"),)


def test_a_syntax_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(SyntaxNotKnown) as refusal:
        write_decklist(DECKLIST, "xlsx")
    assert str(refusal.value) == "'xlsx' is not a decklist syntax; the syntaxes are text, cod, o8d, dek, csv, json"


def test_the_sections_of_a_game_hold_in_every_syntax() -> None:
    decklist = Decklist((Line(1, "Ronald Frump", "Media Tyrant"), Line(2, "Kanye East", "Influencers")))
    sections = {"Media Tyrant": ["Tyrant"], "Influencers": ["main"]}
    for syntax in ("text", "cod", "o8d", "csv", "json"):
        written = write_decklist(decklist, syntax).replace("Media Tyrant", "tyrant").replace("Influencers", "Main")
        assert parse_decklist(written, sections=sections) == decklist


def test_a_section_that_no_header_could_name_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="not the name of a section: 'Act 2'"):
        parse_decklist("1 Kanye East", sections=["Act 2"])
