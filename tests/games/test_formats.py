"""The deck checker on a format made up for these tests, small enough to draw."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cards import Card, CardSet, Catalogue, Printing
from games.errors import UnknownCard, UnknownRating
from games.formats import Format, Rule, Section, SharedTrait, Slot, Violation, check_deck, place, rated_within


def card(name: str, kind: str, color: str = "red", rating: str = "G", limit: int | None = None) -> Card:
    return Card(name, kind, {"color": (color,), "rating": (rating,)}, limit=limit)


# A captain allows a color. Crew: 2 or 3 sailors or cooks, at least one of them a cook. Hold: at most 2 goods.
CAPTAIN = card("Captain Red", "Captain")
SAILOR = card("Sailor", "Sailor")
COOK = card("Cook", "Cook")
BLUE_SAILOR = card("Blue Sailor", "Sailor", color="blue")
RUM = card("Rum", "Goods", rating="M")
PEARL = card("Pearl", "Goods", limit=1)
ROPE = card("Rope", "Goods", limit=9)
WHALE = card("Whale", "Whale")

RULES = Format(
    game="ships",
    name="voyage",
    version=2,
    title="Voyage",
    sections=(
        Section("Captain", ("Captain",), 1, 1),
        Section("Crew", ("Sailor", "Cook"), 2, 3, aliases=("Sailors",), at_least={"Cook": 1}),
        Section("Hold", ("Goods",), 0, 2),
    ),
    any_section=("Deck",),
    shared_traits=(SharedTrait("color", "Captain", ("Crew",)),),
    ratings=("G", "PG", "M"),
)
OLD = CardSet("ships", 1, "OLD", "Old", (Printing(RUM, 1, "OLD", 1), Printing(ROPE, 1, "OLD", 2)))
NEW = CardSet(
    "ships",
    2,
    "NEW",
    "New",
    tuple(
        Printing(each, 2, "NEW", number)
        for number, each in enumerate((CAPTAIN, SAILOR, COOK, BLUE_SAILOR, PEARL, ROPE, WHALE), start=1)
    ),
)
CATALOGUE = Catalogue([OLD, NEW])

LEGAL = (Slot("Captain", CAPTAIN, 1, 1), Slot("Crew", SAILOR, 1, 2), Slot("Crew", COOK, 1, 3))


def check(slots: Sequence[Slot], rules: Format = RULES) -> list[Violation]:
    return check_deck(slots, rules, catalogue=CATALOGUE)


def codes(violations: Sequence[Violation]) -> list[Rule]:
    return [violation.code for violation in violations]


def test_a_legal_deck_has_no_violations() -> None:
    assert check(LEGAL) == []


# --- sections -----------------------------------------------------------------------------------------------------


def test_a_section_with_too_few_cards_says_how_many_are_missing() -> None:
    (violation,) = check([LEGAL[0], LEGAL[2]])
    assert violation == Violation(
        Rule.SECTION_TOO_SMALL,
        "Crew has 1 card and needs 2 to 3; add 1",
        section="Crew",
        lines=(3,),
        have=1,
        want=2,
    )


def test_a_section_with_too_many_cards_says_how_many_to_take_out() -> None:
    (violation,) = check([*LEGAL, Slot("Crew", SAILOR, 2, 4)])
    assert violation == Violation(
        Rule.SECTION_TOO_LARGE,
        "Crew has 4 cards and needs 2 to 3; take out 1",
        section="Crew",
        lines=(2, 3, 4),
        have=4,
        want=3,
    )


def test_no_deck_at_all_lacks_every_section_that_needs_cards() -> None:
    violations = check([])
    assert [(each.code, each.section, each.have, each.want) for each in violations] == [
        (Rule.SECTION_TOO_SMALL, "Captain", 0, 1),
        (Rule.SECTION_TOO_SMALL, "Crew", 0, 2),
        (Rule.TOO_FEW_OF_TYPE, "Crew", 0, 1),
    ]


def test_a_section_may_need_cards_of_one_type() -> None:
    (violation,) = check([LEGAL[0], Slot("Crew", SAILOR, 2, 2)])
    assert violation == Violation(
        Rule.TOO_FEW_OF_TYPE,
        "Crew has 0 of type Cook and needs at least 1; add 1",
        section="Crew",
        have=0,
        want=1,
    )


def test_some_cards_of_a_type_may_still_be_too_few() -> None:
    rules = replace(RULES, sections=(RULES.sections[0], replace(RULES.sections[1], at_least={"Cook": 3})))
    (violation,) = check([LEGAL[0], LEGAL[1], Slot("Crew", COOK, 2, 3)], rules)
    assert (violation.message, violation.lines) == ("Crew has 2 of type Cook and needs at least 3; add 1", (3,))


def test_without_a_header_every_card_goes_where_its_type_belongs() -> None:
    bare = [replace(slot, section=None) for slot in LEGAL]
    assert [slot.section for slot in place(bare, RULES)] == ["Captain", "Crew", "Crew"]
    assert check(bare) == []


def test_a_header_that_stands_for_the_whole_deck_places_by_type() -> None:
    assert check([replace(slot, section="deck") for slot in LEGAL]) == []


@pytest.mark.parametrize("header", ["crew", "CREW", " Crew ", "sailors"])
def test_a_header_may_be_written_in_any_case_or_by_its_other_name(header: str) -> None:
    assert place([Slot(header, COOK, 1)], RULES) == [Slot("Crew", COOK, 1)]


def test_a_card_of_a_type_that_belongs_nowhere_keeps_no_section_and_is_a_violation() -> None:
    (violation,) = check([*LEGAL, Slot(None, WHALE, 1, 4)])
    assert violation == Violation(
        Rule.TYPE_NOT_ALLOWED,
        "Whale is of type Whale; a deck of Voyage holds Captain, Sailor, Cook, Goods",
        card="Whale",
        lines=(4,),
        have="Whale",
        want="Captain, Sailor, Cook, Goods",
    )


def test_a_card_in_the_wrong_section_is_told_the_right_one_and_counted_there() -> None:
    (violation,) = check([LEGAL[0], LEGAL[1], Slot("Hold", COOK, 1, 9)])
    assert violation == Violation(
        Rule.WRONG_SECTION,
        "Cook stands under Hold; as Cook it belongs under Crew",
        section="Hold",
        card="Cook",
        lines=(9,),
        have="Hold",
        want="Crew",
    )


def test_an_unknown_section_is_one_violation_however_many_cards_are_in_it() -> None:
    slots = [LEGAL[0], Slot("Sideboard", SAILOR, 1, 5), Slot("Sideboard", COOK, 1, 6)]
    (violation,) = check(slots)
    assert violation == Violation(
        Rule.UNKNOWN_SECTION,
        "Voyage has no section 'Sideboard'; its sections are Captain, Crew, Hold",
        section="Sideboard",
        lines=(5, 6),
        have="Sideboard",
        want="Captain, Crew, Hold",
    )


def test_a_type_that_two_sections_take_stays_where_it_stands_and_goes_to_the_first_by_itself() -> None:
    spare = Section("Spare", ("Sailor",), 0, 1)
    rules = replace(RULES, sections=(*RULES.sections, spare))
    assert [slot.section for slot in place([Slot(None, SAILOR, 1)], rules)] == ["Crew"]
    assert check([*LEGAL, Slot("Spare", SAILOR, 1, 4)], rules) == []


@pytest.mark.parametrize("count", [0, -3])
def test_a_count_below_one_is_a_violation_and_takes_nothing_away(count: int) -> None:
    (violation,) = check([*LEGAL, Slot("Crew", SAILOR, count, 4)])
    assert violation == Violation(
        Rule.COUNT_NOT_POSITIVE,
        f"{count} copies of Sailor are no copies; give 1 or more, or leave the line out",
        section="Crew",
        card="Sailor",
        lines=(4,),
        have=count,
        want=1,
    )


@given(st.permutations([Slot("Crew", SAILOR, 0, 8), Slot("Crew", SAILOR, 0, 7), Slot("Crew", COOK, -1, 9)]))
def test_counts_below_one_come_by_card_and_line(slots: list[Slot]) -> None:
    assert [violation.lines for violation in check([*LEGAL, *slots])] == [(9,), (7,), (8,)]


# --- shared traits ------------------------------------------------------------------------------------------------


def test_a_card_that_shares_no_value_of_the_trait_says_what_is_allowed() -> None:
    (violation,) = check([*LEGAL, Slot("Crew", BLUE_SAILOR, 1, 4)])
    assert violation == Violation(
        Rule.TRAIT_NOT_SHARED,
        "Blue Sailor has the color blue; allowed by Captain Red: red",
        section="Crew",
        card="Blue Sailor",
        lines=(4,),
        have="blue",
        want="red",
    )


def test_a_card_of_several_values_needs_only_one_of_them_to_be_allowed() -> None:
    purple = Card("Purple Cook", "Cook", {"color": ("blue", "red")})
    assert check([LEGAL[0], LEGAL[1], Slot("Crew", purple, 1)]) == []


def test_a_section_outside_the_rule_may_hold_any_value() -> None:
    assert check([*LEGAL, Slot("Hold", card("Blue Paint", "Goods", color="blue"), 1)]) == []


def test_without_the_allowing_card_only_its_absence_is_told() -> None:
    violations = check([*LEGAL[1:], Slot("Crew", BLUE_SAILOR, 1)])
    assert [(each.code, each.section) for each in violations] == [(Rule.SECTION_TOO_SMALL, "Captain")]


# --- copies -------------------------------------------------------------------------------------------------------

GOODS = replace(RULES, sections=(*RULES.sections[:2], Section("Hold", ("Goods",), 0)))


def test_without_a_copy_limit_a_deck_may_hold_any_number_of_a_card() -> None:
    assert check([*LEGAL, Slot("Hold", RUM, 30)], GOODS) == []


def test_a_format_may_limit_copies() -> None:
    (violation,) = check([*LEGAL, Slot("Hold", RUM, 5, 4)], replace(GOODS, copy_limit=4))
    assert violation == Violation(
        Rule.TOO_MANY_COPIES,
        "5 copies of Rum; Voyage allows 4; take out 1",
        card="Rum",
        lines=(4,),
        have=5,
        want=4,
    )


def test_copies_are_summed_over_lines_and_sections() -> None:
    slots = [*LEGAL, Slot("Hold", RUM, 3, 4), Slot("Crew", RUM, 1, 5), Slot(None, RUM, 1, 6)]
    violations = check(slots, replace(GOODS, copy_limit=4))
    assert codes(violations) == [Rule.WRONG_SECTION, Rule.TOO_MANY_COPIES]
    assert (violations[1].have, violations[1].lines) == (5, (4, 5, 6))


def test_the_cards_own_limit_wins_over_the_formats_when_it_is_lower() -> None:
    (violation,) = check([*LEGAL, Slot("Hold", PEARL, 2, 4)], replace(GOODS, copy_limit=4))
    assert (violation.code, violation.message) == (
        Rule.CARD_LIMIT,
        "2 copies of Pearl; the card itself allows 1; take out 1",
    )


def test_the_cards_own_limit_wins_over_the_formats_when_it_is_higher() -> None:
    assert check([*LEGAL, Slot("Hold", ROPE, 9)], replace(GOODS, copy_limit=4)) == []


def test_a_banned_card_may_not_be_in_the_deck_at_all() -> None:
    (violation,) = check(LEGAL, replace(RULES, banned=frozenset({"sailor"})))
    assert violation == Violation(
        Rule.BANNED,
        "1 copy of Sailor; it is banned in Voyage; take out 1",
        card="Sailor",
        lines=(2,),
        have=1,
        want=0,
    )


def test_a_restricted_card_may_be_in_the_deck_once_whatever_it_says_itself() -> None:
    rules = replace(GOODS, restricted=frozenset({"Rope"}))
    assert check([*LEGAL, Slot("Hold", ROPE, 1)], rules) == []
    (violation,) = check([*LEGAL, Slot("Hold", ROPE, 2, 4)], rules)
    assert (violation.code, violation.have, violation.want) == (Rule.RESTRICTED, 2, 1)


# --- sets, days, ratings ------------------------------------------------------------------------------------------


def test_a_card_must_be_printed_in_an_allowed_set() -> None:
    (violation,) = check([*LEGAL, Slot("Hold", RUM, 1, 4)], replace(RULES, sets=frozenset({"NEW"})))
    assert violation == Violation(
        Rule.SET_NOT_ALLOWED,
        "Rum is printed in OLD; Voyage allows the sets NEW",
        card="Rum",
        lines=(4,),
        have="OLD",
        want="NEW",
    )


def test_any_printing_in_an_allowed_set_makes_the_card_allowed() -> None:
    assert check([*LEGAL, Slot("Hold", ROPE, 1)], replace(RULES, sets=frozenset({"NEW"}))) == []


def test_a_card_from_outside_the_catalogue_cannot_be_judged_by_its_sets() -> None:
    rules = replace(RULES, sets=frozenset({"NEW"}))
    with pytest.raises(UnknownCard):
        check([*LEGAL, Slot("Hold", card("Ghost", "Goods"), 1)], rules)


@pytest.mark.parametrize(
    ("day", "holds"),
    [
        (date(2030, 1, 31), False),
        (date(2030, 2, 1), True),  # its first day
        (date(2030, 3, 31), True),  # its last day
        (date(2030, 4, 1), False),
    ],
)
def test_a_format_is_in_force_from_its_first_to_its_last_day(day: date, *, holds: bool) -> None:
    rules = replace(RULES, since=date(2030, 2, 1), until=date(2030, 3, 31))
    assert rules.in_force(day) == holds
    assert (check_deck(LEGAL, rules, catalogue=CATALOGUE, on=day) == []) == holds


def test_a_format_that_is_not_in_force_says_when_it_is() -> None:
    rules = replace(RULES, since=date(2030, 2, 1))
    (violation,) = check_deck(LEGAL, rules, catalogue=CATALOGUE, on=date(2030, 1, 1))
    assert violation == Violation(
        Rule.NOT_IN_FORCE,
        "Voyage version 2 is in force from 2030-02-01, not on 2030-01-01; choose a version for that day",
        have="2030-01-01",
        want="from 2030-02-01",
    )


def test_a_rating_above_the_events_ceiling_is_a_violation() -> None:
    slots = [*LEGAL, Slot("Hold", RUM, 1, 4)]
    assert check_deck(slots, RULES, catalogue=CATALOGUE, max_rating="M") == []
    (violation,) = check_deck(slots, RULES, catalogue=CATALOGUE, max_rating="PG")
    assert violation == Violation(
        Rule.RATING_TOO_HIGH,
        "Rum is rated M; this event allows at most PG",
        card="Rum",
        lines=(4,),
        have="M",
        want="PG",
    )


def test_a_card_without_a_rating_is_within_every_ceiling() -> None:
    assert rated_within(Card("Plain", "Goods"), RULES, "G")


def test_a_rating_that_the_format_does_not_know_is_above_every_ceiling() -> None:
    assert not rated_within(card("Odd", "Goods", rating="XYZ"), RULES, "M")


def test_an_unknown_ceiling_is_refused_with_the_known_ratings() -> None:
    with pytest.raises(UnknownRating) as refusal:
        check_deck(LEGAL, RULES, catalogue=CATALOGUE, max_rating="R")
    assert refusal.value.known == ("G", "PG", "M")
    with pytest.raises(UnknownRating):
        rated_within(RUM, RULES, "R")


# --- all at once --------------------------------------------------------------------------------------------------

# Nothing here is right: no captain of the color, three captains, an empty galley, and a hold full of trouble.
STRICT = replace(
    RULES,
    sections=(
        Section("Captain", ("Captain",), 1, 1),
        Section("Crew", ("Sailor", "Cook"), 9, 9, at_least={"Cook": 1}),
        Section("Hold", ("Goods",), 0, 2),
    ),
    copy_limit=2,
    banned=frozenset({"Sailor"}),
    restricted=frozenset({"Rope"}),
    sets=frozenset({"NEW"}),
    until=date(2029, 12, 31),
)
BROKEN = (
    Slot("Captain", CAPTAIN, 3, 1),
    Slot("Crew", SAILOR, 1, 2),
    Slot("Crew", BLUE_SAILOR, 1, 3),
    Slot("Sideboard", BLUE_SAILOR, 1, 4),
    Slot("Crew", RUM, 3, 5),
    Slot("Hold", PEARL, 2, 6),
    Slot("Hold", ROPE, 2, 7),
    Slot("Hold", WHALE, 1, 8),
    Slot("Hold", PEARL, 0, 9),
)


def test_a_deck_that_breaks_every_rule_is_told_of_every_rule_at_once() -> None:
    violations = check_deck(BROKEN, STRICT, catalogue=CATALOGUE, on=date(2030, 1, 1), max_rating="PG")
    assert set(codes(violations)) == set(Rule)


def test_violations_come_in_the_order_of_the_rules() -> None:
    violations = check_deck(BROKEN, STRICT, catalogue=CATALOGUE, on=date(2030, 1, 1), max_rating="PG")
    together = {
        Rule.SECTION_TOO_LARGE: Rule.SECTION_TOO_SMALL,  # by section
        **dict.fromkeys([Rule.RESTRICTED, Rule.CARD_LIMIT, Rule.TOO_MANY_COPIES], Rule.BANNED),  # by card
    }
    order = [together.get(code, code) for code in codes(violations)]
    assert order == sorted(order, key=list(Rule).index)


@given(st.permutations(BROKEN))
def test_the_order_of_the_decklist_changes_nothing(slots: list[Slot]) -> None:
    expected = check_deck(BROKEN, STRICT, catalogue=CATALOGUE, max_rating="PG")
    assert check_deck(slots, STRICT, catalogue=CATALOGUE, max_rating="PG") == expected


@given(st.lists(st.sampled_from(BROKEN), max_size=6), st.integers(0, 5))
def test_a_line_of_several_copies_is_as_good_as_several_lines(slots: list[Slot], split: int) -> None:
    apart = [
        part
        for index, slot in enumerate(slots)
        for part in ([replace(slot, count=1)] * slot.count if index == split and slot.count > 1 else [slot])
    ]
    assert check(apart, STRICT) == check(slots, STRICT)


@given(st.lists(st.sampled_from(BROKEN), max_size=6))
def test_placing_twice_changes_nothing_more(slots: list[Slot]) -> None:
    once = place(slots, RULES)
    assert place(once, RULES) == once


@given(st.lists(st.sampled_from(BROKEN), max_size=6))
def test_placing_loses_no_card(slots: list[Slot]) -> None:
    assert Counter((slot.card, slot.count) for slot in place(slots, RULES)) == Counter(
        (slot.card, slot.count) for slot in slots
    )
