"""The text syntax: what people paste, and what Arena exports."""

import pytest

from verifier.decklist import Decklist, DecklistUnreadable, Line, LineFault, parse_decklist, write_decklist

CPS = {"Media Tyrant": ["Tyrant"], "Influencers": ["Influencer"], "Player cards": ["Player"]}


def lines(source: str, sections: dict[str, list[str]] | None = None) -> list[Line]:
    return list(parse_decklist(source, syntax="text", sections=sections).lines)


def faults(source: str, sections: dict[str, list[str]] | None = None) -> tuple[LineFault, ...]:
    with pytest.raises(DecklistUnreadable) as refusal:
        parse_decklist(source, syntax="text", sections=sections)
    return refusal.value.faults


# --- card lines ---------------------------------------------------------------------------------------------------


def test_a_card_line_is_a_count_and_a_name() -> None:
    assert lines("4 Kanye East") == [Line(4, "Kanye East")]


def test_a_set_in_parentheses_and_a_number_name_the_printing() -> None:
    assert lines("1 Ronald Frump (STR) 4") == [Line(1, "Ronald Frump", None, "STR", 4)]


def test_a_line_remembers_where_it_stands_in_the_source() -> None:
    assert [line.line for line in lines("# mine\n\n1 Kanye East\r\n\r2 Elon Tusk")] == [3, 5]


@pytest.mark.parametrize("line", ["4x Kanye East", "4X Kanye East", "4\u00d7 Kanye East", "  4\t Kanye   East "])
def test_an_x_behind_the_count_and_white_space_change_nothing(line: str) -> None:
    assert lines(line) == [Line(4, "Kanye East")]


def test_an_x_before_the_count_is_refused_with_the_right_order() -> None:
    (fault,) = faults("x4 Kanye East")
    assert fault == LineFault(1, "x4 Kanye East", "the x stands before the count", "4x Kanye East")


def test_an_x_that_stands_alone_belongs_to_the_name() -> None:
    assert lines("2 X Marks the Spot") == [Line(2, "X Marks the Spot")]


def test_a_name_may_begin_with_a_number_once_the_count_is_there() -> None:
    assert lines("1 9 Lives Lola") == [Line(1, "9 Lives Lola")]


def test_a_number_at_the_start_of_a_line_is_always_the_count() -> None:
    assert lines("9 Lives Lola") == [Line(9, "Lives Lola")]


def test_a_name_that_begins_with_digits_and_has_no_count_is_told_how_to_get_one() -> None:
    (fault,) = faults("4Ever Young")
    assert fault.wrong == "'4Ever' is not a count"
    assert fault.right.startswith("1 4Ever Young")


def test_comments_are_lines_that_begin_with_a_hash_or_two_slashes() -> None:
    assert lines("# 1 Elon Tusk\n// 1 Elon Tusk\n1 Fire // Ice\n1 #Blessed") == [
        Line(1, "Fire // Ice"),
        Line(1, "#Blessed"),
    ]


# name in the list          | why it could be misread
# --------------------------+-------------------------------
# Take 2                    | ends in a number
# Act (II)                  | ends in what could be a set
# Sequel (STR) 4            | ends like a printing
# Sequel (STR) *            | ends like a set without number
# Foo ()                    | ends like no printing
# (STR) 4                   | is nothing but a printing
# Influencers               | is a section header
# SB: Deck                  | begins like a sideboard line
# x4 Deck                   | begins like a count
@pytest.mark.parametrize(
    "name",
    [
        "Take 2",
        "Act (II)",
        "Sequel (STR) 4",
        "Sequel (STR) *",
        "Foo ()",
        "(STR) 4",
        "()",
        "Influencers",
        "Deck",
        "SB: Deck",
        "x4 Deck",
        "9 Lives Lola",
        "About",
        "# hash",
        "// slashes",
    ],
)
def test_an_awkward_name_survives_writing_and_reading(name: str) -> None:
    decklist = Decklist((Line(2, name), Line(3, "Elon Tusk"), Line(1, name, "Influencers")))
    assert parse_decklist(write_decklist(decklist), syntax="text") == decklist


@pytest.mark.parametrize("line", ["1 Act (II)", "1 Take 2", "1 Act (II) and (III)"])
def test_parentheses_without_a_number_and_a_number_without_parentheses_belong_to_the_name(line: str) -> None:
    assert lines(line) == [Line(1, line.removeprefix("1 "))]


def test_empty_parentheses_say_that_the_rest_is_all_name() -> None:
    assert lines("1 Sequel (STR) 4 ()") == [Line(1, "Sequel (STR) 4")]


def test_a_star_stands_for_any_printing_of_the_set() -> None:
    assert lines("1 Ronald Frump (STR) *") == [Line(1, "Ronald Frump", None, "STR")]


def test_leading_zeros_of_a_collector_number_are_as_printed() -> None:
    assert lines("1 Ronald Frump (STR) 004") == [Line(1, "Ronald Frump", None, "STR", 4)]


@pytest.mark.parametrize("number", ["123a", "S12", "\u0664", "1234567"])
def test_a_collector_number_that_is_not_a_whole_number_is_a_fault(number: str) -> None:
    (fault,) = faults(f"1 Ronald Frump (STR) {number}")
    assert fault.wrong == f"the collector number '{number}' is not a whole number"


def test_a_set_in_small_letters_is_the_set_in_capitals() -> None:
    assert lines("1 Ronald Frump (str) 4") == [Line(1, "Ronald Frump", None, "STR", 4)]


@pytest.mark.parametrize("line", ["4", "4x", "1 \u200b"])
def test_a_count_without_a_name_is_a_fault(line: str) -> None:
    assert [fault.wrong for fault in faults(line)] == ["the name is missing"]


# --- sections -----------------------------------------------------------------------------------------------------


def test_a_header_names_the_section_of_the_lines_below() -> None:
    assert lines("1 Elon Tusk\n\nInfluencers\n1 Kanye East") == [
        Line(1, "Elon Tusk"),
        Line(1, "Kanye East", "Influencers"),
    ]


@pytest.mark.parametrize(
    "header", ["Influencers", "Influencers:", "Influencers (10)", "Influencers (10):", "INFLUENCERS"]
)
def test_a_header_may_end_in_a_colon_or_a_number_in_parentheses(header: str) -> None:
    assert lines(f"{header}\n1 Kanye East", CPS) == [Line(1, "Kanye East", "Influencers")]


@pytest.mark.parametrize("header", ["Deck", "Main", "Mainboard", "maindeck:", "Main Deck (60)"])
def test_the_main_deck_is_no_section(header: str) -> None:
    assert lines(f"Sideboard\n1 Elon Tusk\n{header}\n1 Kanye East") == [
        Line(1, "Elon Tusk", "Sideboard"),
        Line(1, "Kanye East"),
    ]


@pytest.mark.parametrize("header", ["Sideboard", "SIDEBOARD", "Side board", "Side", "SB", "SB:"])
def test_every_word_for_the_sideboard_names_the_sideboard(header: str) -> None:
    assert lines(f"1 Elon Tusk\n{header}\n1 Kanye East")[1].section == "Sideboard"


def test_sb_before_a_line_puts_that_line_alone_into_the_sideboard() -> None:
    assert lines("SB: 2 Kanye East\nsb:1 Elon Tusk\n1 Ronald Frump") == [
        Line(2, "Kanye East", "Sideboard"),
        Line(1, "Elon Tusk", "Sideboard"),
        Line(1, "Ronald Frump"),
    ]


def test_an_arena_export_keeps_title_commander_companion_deck_and_sideboard() -> None:
    source = (
        "About\nName Frump and friends\n\nCommander\n1 Ronald Frump (STR) 4\n\nCompanion\n1 Lola (STR) 5\n\n"
        "Deck\n10 Burner (STR) 101\n\nSideboard\n2 Swag Bag (STR) 102\n"
    )
    decklist = parse_decklist(source)
    assert decklist == Decklist(
        (
            Line(1, "Ronald Frump", "Commander", "STR", 4),
            Line(1, "Lola", "Companion", "STR", 5),
            Line(10, "Burner", None, "STR", 101),
            Line(2, "Swag Bag", "Sideboard", "STR", 102),
        ),
        "Frump and friends",
    )
    assert write_decklist(decklist) == source


def test_only_a_name_line_below_about_is_the_title() -> None:
    assert lines("About\n\nName Calling\n1 Kanye East") == [Line(1, "Kanye East", "Name Calling")]


def test_a_card_may_be_called_like_a_section() -> None:
    assert lines("Influencers\n1 Influencers", CPS) == [Line(1, "Influencers", "Influencers")]


def test_an_alias_becomes_the_section_it_stands_for() -> None:
    assert lines("tyrant\n1 Ronald Frump", CPS) == [Line(1, "Ronald Frump", "Media Tyrant")]


def test_a_header_that_the_game_does_not_know_is_told_the_nearest_one() -> None:
    (fault,) = faults("Influensers\n1 Kanye East", CPS)
    assert fault.right == "1 Influensers if it is a card; if it is a section, Influencers"


def test_a_header_near_to_none_is_told_all_of_them() -> None:
    (fault,) = faults("Zzz:\n1 Kanye East", CPS)
    assert fault.right.endswith("one of Media Tyrant, Influencers, Player cards")


def test_a_game_without_sideboard_refuses_a_sideboard_line() -> None:
    assert [fault.wrong for fault in faults("SB: 1 Kanye East", CPS)] == ["'Sideboard' is not a section of this game"]


# line  source             without the game's sections
# 1     1 Elon Tusk
# 2     Kanye East         no blank line before it: a forgotten count, not a header
# 3     1 Ronald Frump
def test_a_name_without_count_among_cards_is_a_fault_and_not_a_header() -> None:
    (fault,) = faults("1 Elon Tusk\nKanye East\n1 Ronald Frump")
    assert (fault.line, fault.text) == (2, "Kanye East")
    assert fault.right == "1 Kanye East if it is a card, Kanye East: if it is a section"


def test_words_that_open_no_block_of_cards_are_a_fault_unless_a_colon_makes_them_a_header() -> None:
    assert [fault.line for fault in faults("1 Elon Tusk\n\nKanye East")] == [3]
    assert lines("1 Elon Tusk\nPlayer cards:\n1 Kanye East")[1].section == "Player cards"


def test_a_list_that_counts_behind_the_name_is_a_fault_on_every_line() -> None:
    assert [fault.line for fault in faults("Kanye East x4\nElon Tusk x2")] == [1, 2]


@pytest.mark.parametrize("header", ["2nd deck:", "Act 2:", "One: two:", "L" + "o" * 40 + ":", "?!:"])
def test_a_header_is_at_most_40_characters_with_a_letter_first_and_neither_digit_nor_colon(header: str) -> None:
    assert faults(f"1 Elon Tusk\n{header}\n1 Kanye East")[0].line == 2


# --- all at once, and the blank list --------------------------------------------------------------------------------


# line  source            fault
# 1     0 Kanye East      count
# 2     1 Elon Tusk
# 3     Ronald Frump      no count
# 4     2 Foo (STR) 12a   collector number
def test_every_fault_is_told_at_once_with_its_line() -> None:
    found = faults("0 Kanye East\n1 Elon Tusk\nRonald Frump\n2 Foo (STR) 12a")
    assert [fault.line for fault in found] == [1, 3, 4]
    assert all(fault.text and fault.wrong and fault.right for fault in found)


def test_two_faults_of_one_line_are_both_told() -> None:
    assert len(faults("100 Foo (STR) 12a")) == 2


def test_the_refusal_says_line_text_fault_and_remedy() -> None:
    with pytest.raises(DecklistUnreadable) as refusal:
        parse_decklist("1 Elon Tusk\n0 Kanye East")
    assert str(refusal.value) == (
        "line 2 (0 Kanye East): '0' is not a count from 1 to 99; right would be: "
        "a whole number from 1 to 99, without sign or zero before it, such as 4"
    )


@pytest.mark.parametrize("source", ["", "\n \n", "# nothing yet", "Deck\n\nSideboard"])
def test_a_list_without_cards_is_refused(source: str) -> None:
    assert [fault.wrong for fault in faults(source)] == ["there is no card in it"]


# --- writing ------------------------------------------------------------------------------------------------------


def test_a_header_is_written_wherever_the_section_changes() -> None:
    decklist = Decklist((Line(1, "A"), Line(2, "B", "Sideboard"), Line(3, "C")))
    assert write_decklist(decklist) == "1 A\n\nSideboard\n2 B\n\nDeck\n3 C\n"


def test_another_word_for_the_main_deck_is_written_when_the_game_has_a_section_called_deck() -> None:
    decklist = Decklist((Line(1, "A", "Deck"), Line(2, "B")))
    assert write_decklist(decklist) == "Deck\n1 A\n\nMain\n2 B\n"
    assert parse_decklist(write_decklist(decklist), sections=["Deck"]) == decklist
