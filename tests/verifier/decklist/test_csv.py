"""CSV: spreadsheets and collection sites."""

import pytest

from verifier.decklist import Decklist, DecklistUnreadable, Line, LineFault, parse_decklist, write_decklist

# As a collection site exports it: many columns, names with commas in quotes.
EXPORTED = """\
Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Collector Number,Board
2,0,"Frump, Ronald",str,Near Mint,English,,4,mainboard
1,1,"The ""Hair"" Frump",,Played,English,foil,,sideboard
"""

# As a spreadsheet saves it where the comma is the decimal sign: mark, separator, semicolons, Windows line ends.
GERMAN_EXCEL = "\ufeffsep=;\r\nQuantity;Name;Section\r\n3;Kanye East;Influencers\r\n;;\r\n1;Elon Tusk;Influencers\r\n"


def faults(source: str) -> tuple[LineFault, ...]:
    with pytest.raises(DecklistUnreadable) as refusal:
        parse_decklist(source, syntax="csv")
    return refusal.value.faults


def test_an_export_of_a_collection_site_is_read_and_its_other_columns_passed_over() -> None:
    assert parse_decklist(EXPORTED) == Decklist(
        (Line(2, "Frump, Ronald", None, "STR", 4), Line(1, 'The "Hair" Frump', "Sideboard"))
    )


def test_a_spreadsheet_with_semicolons_is_read_and_its_blank_rows_passed_over() -> None:
    decklist = parse_decklist(GERMAN_EXCEL)
    assert decklist == Decklist((Line(3, "Kanye East", "Influencers"), Line(1, "Elon Tusk", "Influencers")))
    assert [line.line for line in decklist.lines] == [3, 5]


def test_cells_may_be_parted_by_tabulators_as_when_they_are_pasted() -> None:
    assert parse_decklist("name\tqty\nKanye East\t3\n") == Decklist((Line(3, "Kanye East"),))


def test_columns_may_stand_in_any_order_and_be_called_by_any_usual_name() -> None:
    source = "Card Number,Set_Code,Card Name,QTY\n4,STR,Ronald Frump,1\n"
    assert parse_decklist(source) == Decklist((Line(1, "Ronald Frump", None, "STR", 4),))


def test_a_list_is_written_with_a_header_row() -> None:
    decklist = Decklist((Line(1, "Frump, Ronald", "Media Tyrant", "STR", 4), Line(3, 'The "Hair"')), "lost")
    assert write_decklist(decklist, "csv") == (
        'count,name,section,set,number\n1,"Frump, Ronald",Media Tyrant,STR,4\n3,"The ""Hair""",,,\n'
    )


@pytest.mark.parametrize("source", ["", "1,Kanye East\n", "Kanye East\n", "count\n1\n", "name,section\nKanye East,\n"])
def test_a_table_without_a_header_for_count_and_name_is_refused(source: str) -> None:
    (fault,) = faults(source)
    assert (fault.line, fault.wrong) == (1, "the first row does not name the columns")
    assert fault.right == "a first row such as count,name,section,set,number"


def test_two_columns_for_one_field_are_refused() -> None:
    assert [fault.wrong for fault in faults("count,qty,name\n1,1,Kanye East\n")] == ["two columns for the count"]


# line  source
# 1     count,name,set
# 2     1,Frump, Ronald,STR      a comma too many: nothing is guessed
# 3     0,Kanye East             count
# 4     1,Elon Tusk,Star Wars    the name of a set, not its code
def test_every_fault_is_told_at_once_with_its_line() -> None:
    found = faults("count,name,set\n1,Frump, Ronald,STR\n0,Kanye East\n1,Elon Tusk,Star Wars\n")
    assert [(fault.line, fault.wrong) for fault in found] == [
        (2, "4 cells under 3 columns"),
        (3, "'0' is not a count from 1 to 99"),
        (4, "'Star Wars' is not the code of a set"),
    ]


@pytest.mark.parametrize("row", ['1,"Kanye East\n', '1,"Kanye" East\n'])
def test_quotes_that_do_not_close_are_a_fault(row: str) -> None:
    (fault,) = faults(f"count,name\n{row}")
    assert fault.line == 2
    assert fault.wrong.startswith("not a row of a table")


def test_a_name_over_two_lines_is_a_fault_of_the_line_it_starts_on() -> None:
    found = faults('count,name\n1,"Kanye\nEast"\n0,Elon Tusk\n')
    assert [fault.line for fault in found] == [2, 4]
