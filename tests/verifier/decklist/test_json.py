"""JSON: our own syntax."""

import pytest

from verifier.decklist import Decklist, DecklistUnreadable, Line, LineFault, parse_decklist, write_decklist

WRITTEN = """{
  "format": "deckproof-decklist",
  "version": 1,
  "title": "Frump & friends",
  "lines": [
    {"count": 1, "name": "Ronald Frump", "section": "Media Tyrant", "set": "STR", "number": 4},
    {"count": 3, "name": "Beyonc\u00e9 \\"B\\""}
  ]
}
"""
DECKLIST = Decklist(
    (Line(1, "Ronald Frump", "Media Tyrant", "STR", 4), Line(3, 'Beyonc\u00e9 "B"')),
    "Frump & friends",
)


def listed(lines: str, head: str = '"format": "deckproof-decklist", "version": 1') -> str:
    return f'{{{head}, "lines": [{lines}]}}'


def faults(source: str) -> tuple[LineFault, ...]:
    with pytest.raises(DecklistUnreadable) as refusal:
        parse_decklist(source, syntax="json")
    return refusal.value.faults


def test_a_list_is_read_and_written_without_loss() -> None:
    assert parse_decklist(WRITTEN) == DECKLIST
    assert write_decklist(DECKLIST, "json") == WRITTEN


def test_a_line_remembers_where_its_entry_stands() -> None:
    assert [line.line for line in parse_decklist(WRITTEN).lines] == [6, 7]


def test_null_says_as_much_as_nothing() -> None:
    entry = '{"count": 1, "name": "A", "section": null, "set": null, "number": null}'
    assert parse_decklist(listed(entry)) == Decklist((Line(1, "A"),))


@pytest.mark.parametrize("count", ["true", "false", '"4"', "1.0", "1e1", "-0", "null", "[1]", "{}", "100"])
def test_a_count_is_a_whole_number_and_neither_text_nor_truth(count: str) -> None:
    assert len(faults(listed(f'{{"count": {count}, "name": "A"}}'))) == 1


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_what_json_does_not_have_is_no_number(constant: str) -> None:
    (fault,) = faults(listed(f'{{"count": {constant}, "name": "A"}}'))
    assert (fault.text, fault.wrong) == (constant, "this is not a number in JSON")


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    (fault,) = faults(listed(f'{{"count": {"9" * 5000}, "name": "A"}}'))
    assert fault.wrong.startswith("not JSON that can be read")


@pytest.mark.parametrize(
    "source",
    [
        listed('{"count": 1, "count": 99, "name": "A"}'),
        listed('{"count": 1, "name": "A"}', '"format": "deckproof-decklist", "version": 1, "lines": []'),
    ],
)
def test_a_key_that_stands_twice_is_refused(source: str) -> None:
    assert [fault.wrong for fault in faults(source)] == ["this key stands twice in one object"]


@pytest.mark.parametrize(
    ("head", "wrong"),
    [
        ('"version": 1', "it is not a Deckproof list"),
        ('"format": "other", "version": 1', "it is not a Deckproof list"),
        ('"format": "deckproof-decklist"', "its version is not known"),
        ('"format": "deckproof-decklist", "version": 2', "its version is not known"),
        ('"format": "deckproof-decklist", "version": true', "its version is not known"),
        ('"format": "deckproof-decklist", "version": 1.0', "its version is not known"),
    ],
)
def test_another_format_or_version_is_refused(head: str, wrong: str) -> None:
    assert [fault.wrong for fault in faults(listed('{"count": 1, "name": "A"}', head))] == [wrong]


@pytest.mark.parametrize("lines", ["", ', "lines": null', ', "lines": {"count": 1}', ', "lines": "1 A"'])
def test_a_list_without_lines_is_refused(lines: str) -> None:
    assert [fault.wrong for fault in faults(f'{{"format": "deckproof-decklist", "version": 1{lines}}}')] == [
        "it has no lines"
    ]


# line  source
# 1     {"format": …, "lines": [{"count": 0, "name": "A"},
# 2     {"count": 1, "nmae": "B"},
# 3     {"count": 1, "name": 5},
# 4     "1 C"]}
def test_every_fault_is_told_at_once_with_its_line() -> None:
    found = faults(listed('{"count": 0, "name": "A"},\n{"count": 1, "nmae": "B"},\n{"count": 1, "name": 5},\n"1 C"'))
    assert [(fault.line, fault.wrong) for fault in found] == [
        (1, "'0' is not a count from 1 to 99"),
        (2, "this key is not known"),
        (2, "the name is missing"),
        (3, '"name" is not a text'),
        (3, "the name is missing"),
        (3, "a line is not an object"),
    ]
    assert found[1].right == "one of name"


@pytest.mark.parametrize("source", ["{", "{]", '{"format"', "{\"format\": 'x'}", "{} {}", "nothing", ""])
def test_broken_json_is_refused_with_line_and_column(source: str) -> None:
    (fault,) = faults(source)
    assert fault.line == 1
    assert fault.wrong.startswith(("not JSON at column", "it is not a Deckproof list"))
