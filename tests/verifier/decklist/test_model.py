"""The decklist as a value: what it can hold, duplicates, and the form that is hashed."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.decklist import Decklist, Line, by_section, canonical, fold, summed

# line  count  name          section
# 3     2      Kanye East    Influencers
# 4     1      Elon Tusk
# 7     3      KANYE EAST    influencers
# 8     1      Kanye East
DECKLIST = Decklist(
    (
        Line(2, "Kanye East", "Influencers", "STR", 7, line=3),
        Line(1, "Elon Tusk", line=4),
        Line(3, "KANYE EAST", "influencers", line=7),
        Line(1, "Kanye East", line=8),
    ),
    "Frump and friends",
)


@pytest.mark.parametrize(
    "fields",
    [
        {"count": 0},
        {"count": 100},
        {"name": ""},
        {"name": " Kanye"},
        {"name": "a\nb"},
        {"section": "9 lives"},
        {"section": "About"},
        {"section": "a:b"},
        {"set_code": "str"},
        {"set_code": "S"},
        {"number": 4},
        {"set_code": "STR", "number": -1},
    ],
)
def test_a_line_that_no_decklist_can_hold_cannot_be_made(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="no decklist can hold"):
        replace(Line(1, "Kanye East"), **fields)  # type: ignore[arg-type]


def test_a_list_with_more_than_99_copies_of_a_card_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="more than 99 copies of 'kanye east'"):
        Decklist((Line(99, "Kanye East"), Line(1, "kanye east", "Sideboard")))


def test_two_lines_that_say_the_same_are_equal_wherever_they_stand() -> None:
    assert Line(1, "Kanye East", line=3) == Line(1, "Kanye East", line=9)


def test_sums_keep_the_order_the_spelling_and_the_line_of_the_first_mention() -> None:
    assert summed(DECKLIST) == Decklist(
        (Line(5, "Kanye East", "Influencers"), Line(1, "Elon Tusk"), Line(1, "Kanye East")), "Frump and friends"
    )
    assert [line.line for line in summed(DECKLIST).lines] == [3, 4, 8]


def test_a_sum_keeps_the_printing_on_which_its_lines_agree() -> None:
    same = Decklist((Line(2, "Kanye East", None, "STR", 7), Line(1, "Kanye East", None, "STR", 7)))
    assert summed(same).lines == (Line(3, "Kanye East", None, "STR", 7),)


def test_sections_come_in_order_of_first_mention() -> None:
    assert list(by_section(DECKLIST)) == ["Influencers", None, "influencers"]


def test_the_canonical_form_is_sorted_summed_and_folded() -> None:
    assert canonical(DECKLIST) == (
        b"deckproof decklist 1\n\t1\telon tusk\n\t1\tkanye east\ninfluencers\t5\tkanye east\n"
    )


def test_the_canonical_form_of_other_letters_is_utf_8() -> None:
    assert canonical(Decklist((Line(1, "BEYONC\u00c9"),))) == b"deckproof decklist 1\n\t1\tbeyonc\xc3\xa9\n"


def test_title_order_spelling_and_printing_make_no_other_deck() -> None:
    shuffled = Decklist(
        (
            Line(1, "kanye east"),
            Line(1, "Kanye East", "Influencers", "ALT", 1),
            Line(1, "ELON TUSK"),
            Line(4, "Kanye East", "Influencers"),
        )
    )
    assert canonical(shuffled) == canonical(DECKLIST)


@pytest.mark.parametrize(
    "other",
    [
        Line(2, "Kanye East", "Sideboard"),
        Line(1, "Kanye East"),
        Line(1, "Kanye West", "Sideboard"),
        Line(1, "Sideboard", "Kanye East"),
    ],
)
def test_another_count_section_or_name_makes_another_deck(other: Line) -> None:
    assert canonical(Decklist((other,))) != canonical(Decklist((Line(1, "Kanye East", "Sideboard"),)))


NAMES = st.sampled_from(["Kanye East", "kanye  east".title(), "KANYE EAST", "Elon Tusk", "1\u00a01", "2", "Take 2"])
LINES = st.builds(
    Line,
    st.integers(1, 9),
    NAMES.map(lambda name: " ".join(name.split())),
    st.sampled_from([None, "Influencers", "influencers", "Sideboard"]),
)
DECKLISTS = st.lists(LINES, max_size=10).map(lambda lines: Decklist(tuple(lines)))


@given(DECKLISTS, DECKLISTS)
def test_two_lists_have_one_canonical_form_exactly_when_their_sums_agree(one: Decklist, other: Decklist) -> None:
    assert (canonical(one) == canonical(other)) == (cards(one) == cards(other))


@given(DECKLISTS)
def test_summing_twice_changes_nothing_more(decklist: Decklist) -> None:
    assert summed(summed(decklist)) == summed(decklist)


def cards(decklist: Decklist) -> dict[tuple[str, str], int]:
    """The same sums, counted one copy at a time."""
    counted: dict[tuple[str, str], int] = {}
    for line in decklist.lines:
        for _ in range(line.count):
            key = (fold(line.section or ""), fold(line.name))
            counted[key] = counted.get(key, 0) + 1
    return counted
