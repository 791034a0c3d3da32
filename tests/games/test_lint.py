"""The lint of card sets and formats: each rule fires on the card that breaks it, and on nothing else."""

from dataclasses import replace
from datetime import date

import pytest

from games.cards import Card, CardSet, Catalogue, Printing
from games.formats import Format, Section, SharedTrait
from games.lint import Schema, check_card_set, check_format, sentences
from games.reading import parse_schema

SCHEMA: Schema = parse_schema(
    """
    [game]
    name = "zoo"
    title = "Zoo"
    name_width = 12
    text_length = 60
    flavor_length = 20

    [spelling]
    "Zookeeper" = "keeper"

    [values]
    biome = ["Forest", "Sea"]

    [wording]
    meal = ["fish", "{n} apples", "{meals}"]
    meals = ["fish and fish"]

    [[type]]
    name = "Animal"
    text_optional = true
    stats = { weight = [1, 9], legs = [0, 8] }
    traits.biome = { most = 2 }
    budget = { weights = { weight = 2, legs = 1 }, least = 4, most = 12, plain = 10 }
    curve = [{ phrase = "eats {n} apples", stat = "weight", above = 1 }]
    sentences = ["eats {meal}.", "limit {n} per deck.", "Zookeeper sleeps.", "keeper sleeps."]

    [[type]]
    name = "Sign"
    must_say = ["do not"]
    line_starts = ["", "Fine: "]
    traits.kind = { values = ["Warning", "Map"] }
    first_line = { trait = "kind", lines = { Warning = "Beware" } }
    """,
    source="zoo.toml",
)

BEAR = Card("Bear", "Animal", {"biome": ("Forest",)}, {"weight": 3, "legs": 4})
SIGN = Card("Sign", "Sign", {"kind": ("Warning",)}, {}, "Beware\nFine: do not ask.")


def zoo(*cards: Card, flavor: str = "") -> CardSet:
    printings = tuple(Printing(card, 1, "ZOO", number, flavor) for number, card in enumerate(cards, start=1))
    return CardSet("zoo", 1, "ZOO", "Zoo", printings)


def codes(card_set: CardSet) -> list[str]:
    return [fault.code for fault in check_card_set(card_set, SCHEMA)]


def test_a_good_set_has_no_faults() -> None:
    assert codes(zoo(BEAR, SIGN)) == []


@pytest.mark.parametrize(
    ("card", "code"),
    [
        (replace(BEAR, type="Robot"), "type-unknown"),
        (replace(BEAR, name="Bear of the Far North"), "name-length"),
        (replace(BEAR, name="Be<b>ar"), "name-letters"),
        (replace(BEAR, name="Be\x07ar"), "name-letters"),
        (replace(BEAR, name="B\u00e4r"), "name-ascii"),
        (replace(BEAR, name=" Bear"), "name-spacing"),
        (replace(BEAR, name="Big  Bear"), "name-spacing"),
        (replace(BEAR, name=""), "name-spacing"),
        (replace(BEAR, stats={"weight": 5}), "stat-missing"),
        (replace(BEAR, stats={"weight": 0, "legs": 10}), "stat-range"),
        (replace(BEAR, stats={**BEAR.stats, "wings": 2}), "stat-unknown"),
        (replace(BEAR, traits={}), "trait-count"),
        (replace(BEAR, traits={"biome": ("Sea", "Sea")}), "trait-count"),
        (replace(BEAR, traits={"biome": ("Moon",)}), "trait-value"),
        (replace(BEAR, traits={**BEAR.traits, "mood": ("Grim",)}), "trait-unknown"),
        (replace(BEAR, stats={"weight": 1, "legs": 1}, text="Eats fish."), "budget"),
        (replace(BEAR, stats={"weight": 3, "legs": 2}), "budget-plain"),
        (replace(BEAR, text="Eats 5 apples."), "curve"),
        (replace(BEAR, text="Drinks tea."), "wording"),
        (replace(BEAR, text="Eats fish"), "wording"),  # no full stop
        (replace(BEAR, text="Eats fish. " * 6), "text-length"),
        (replace(BEAR, text="Eats <fish>."), "text-letters"),
        (replace(BEAR, text="Zookeeper sleeps."), "spelling"),
        (replace(BEAR, text="Eats fish. Limit 1 per deck."), "limit-unsaid"),
        (replace(BEAR, text="Eats fish.", limit=1), "limit-unsaid"),
        (replace(BEAR, text="Limit 0 per deck.", limit=0), "limit-range"),
        (replace(SIGN, text=""), "text-missing"),
        (replace(SIGN, text="Beware\nFine: run."), "text-must-say"),
        (replace(SIGN, text="Hello\nFine: do not ask."), "first-line"),
        (replace(SIGN, traits={"kind": ("Map",)}), "first-line"),
        (replace(SIGN, text="Beware"), "line-count"),
        (replace(SIGN, text="Beware\nDo not ask."), "line-start"),
    ],
)
def test_a_card_that_breaks_a_rule_is_told_by_its_code(card: Card, code: str) -> None:
    assert code in codes(zoo(card))


def test_a_broken_card_says_where_it_stands_and_what_would_be_right() -> None:
    (fault,) = check_card_set(zoo(SIGN, replace(BEAR, stats={"weight": 3, "legs": 2})), SCHEMA)
    assert str(fault) == "card 2 (Bear): is worth 8; without rules text it must be worth 10 [budget-plain]"


def test_a_name_beyond_ascii_is_fine_once_it_is_declared() -> None:
    named = zoo(replace(BEAR, name="B\u00e4r"))
    assert codes(replace(named, beyond_ascii=frozenset({"B\u00e4r"}))) == []


def test_flavor_has_limits_of_its_own() -> None:
    assert codes(zoo(BEAR, flavor="A very large bear, seen from afar.")) == ["flavor-length"]
    assert codes(zoo(BEAR, flavor="<svg onload=x>")) == ["flavor-letters"]


@pytest.mark.parametrize(
    ("card_set", "code"),
    [
        (replace(zoo(BEAR), game="cps"), "set-game"),
        (replace(zoo(BEAR), code="zoo"), "set-code"),
        (replace(zoo(BEAR), number=0), "set-number"),
        (replace(zoo(BEAR), number=65_536), "set-number"),
        (replace(zoo(BEAR), printings=(Printing(BEAR, 1, "ZOO", 2),)), "number-gap"),
        (zoo(BEAR, replace(BEAR, name="BEAR")), "name-twice"),
    ],
)
def test_a_set_that_breaks_a_rule_is_told_by_its_code(card_set: CardSet, code: str) -> None:
    assert code in codes(card_set)


@pytest.mark.parametrize("number", [1, 65_535])
def test_a_set_number_fills_sixteen_bits(number: int) -> None:
    assert codes(replace(zoo(BEAR), number=number)) == []


def test_every_fault_of_a_set_is_told_at_once() -> None:
    wreck = replace(BEAR, name="<B>", traits={"biome": ("Moon",)}, stats={"weight": 99}, text="Oh no")
    assert codes(zoo(replace(BEAR, type="Robot"), wreck)) == [
        "type-unknown",
        "name-letters",
        "stat-range",
        "stat-missing",
        "trait-value",
        "wording",
    ]


def test_fragments_of_the_wording_may_be_made_of_others() -> None:
    assert codes(zoo(replace(BEAR, text="Eats fish and fish."))) == []


def test_a_text_is_cut_into_sentences_at_its_full_stops() -> None:
    assert sentences("Draw a card. Gain 1 CRED.\nThen rest") == ["Draw a card.", "Gain 1 CRED.", "Then rest"]


# --- formats ------------------------------------------------------------------------------------------------------

ZOO = Catalogue([zoo(BEAR, SIGN)])
GOOD = Format("zoo", "tour", 1, "Tour", (Section("Cage", ("Animal",), 1, 4, at_least={"Animal": 1}),))


def test_a_good_format_has_no_faults() -> None:
    assert check_format(GOOD, ZOO) == []


def test_a_section_of_one_size_and_a_format_of_one_day_are_fine() -> None:
    day = date(2030, 1, 1)
    exact = (Section("Cage", ("Animal",), 0, 0), Section("Gate", ("Sign",), 5, 5))
    assert check_format(replace(GOOD, sections=exact, since=day, until=day), ZOO) == []


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        (replace(GOOD, sections=(Section("Cage", ("Animal",), 5, 4),)), "section-size"),
        (replace(GOOD, sections=(Section("Cage", ("Animal",), 1, 4, at_least={"Animal": 9}),)), "section-size"),
        (replace(GOOD, sections=(Section("Cage", ("Ghost",), 1, 4),)), "section-type"),
        (replace(GOOD, sections=(Section("Cage", ("Animal",), 1, 4, at_least={"Sign": 1}),)), "section-type"),
        (replace(GOOD, banned=frozenset({"Yeti"})), "format-card"),
        (replace(GOOD, restricted=frozenset({"Yeti"})), "format-card"),
        (replace(GOOD, sets=frozenset({"XXX"})), "format-set"),
        (replace(GOOD, shared_traits=(SharedTrait("biome", "Keeper", ("Cage",)),)), "format-section"),
        (replace(GOOD, since=date(2030, 2, 1), until=date(2030, 1, 1)), "format-dates"),
    ],
)
def test_a_format_of_things_that_do_not_exist_is_told_by_its_code(rules: Format, code: str) -> None:
    assert [fault.code for fault in check_format(rules, ZOO)] == [code]
