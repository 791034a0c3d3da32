"""Reading card sets, schemas and formats from text, and saying everything that is wrong with it."""

from datetime import date

import pytest

from games.cards import Card, Printing
from games.errors import CardSetUnreadable, Fault, FormatUnreadable, SchemaUnreadable, Unreadable
from games.reading import parse_card_set, parse_formats, parse_schema

GOOD_SET = """
[set]
game = "zoo"
number = 7
code = "ZOO"
name = "Zoo"

[[card]]
number = 1
name = "Bear"
type = "Animal"
biome = ["Forest", "Sea"]
mood = "Grim"
weight = 5
text = "Eats fish."
limit = 2
flavor = "Hungry."
"""


def places(refusal: Unreadable) -> list[tuple[str, str]]:
    return [(fault.place, fault.code) for fault in refusal.faults]


def test_whole_numbers_are_stats_and_words_are_traits() -> None:
    card_set = parse_card_set(GOOD_SET, source="zoo.toml")
    bear = Card("Bear", "Animal", {"mood": ("Grim",), "biome": ("Forest", "Sea")}, {"weight": 5}, "Eats fish.", 2)
    assert card_set.printings == (Printing(bear, 7, "ZOO", 1, "Hungry."),)
    assert (card_set.game, card_set.number, card_set.code, card_set.name) == ("zoo", 7, "ZOO", "Zoo")


def test_every_fault_of_a_card_set_is_told_at_once_with_its_place() -> None:
    text = """
    oops = 1
    [set]
    game = "zoo"
    number = "seven"
    code = "ZOO"
    [[card]]
    number = 1
    type = "Animal"
    weight = 5.5
    limit = "two"
    [[card]]
    name = "Owl"
    type = 3
    biome = [1, 2]
    """
    with pytest.raises(CardSetUnreadable) as refusal:
        parse_card_set(text, source="zoo.toml")
    assert sorted(places(refusal.value)) == [
        ("card 1 (?)", "key-kind"),  # limit
        ("card 1 (?)", "key-missing"),  # name
        ("card 1 (?)", "key-unknown"),  # weight is no whole number
        ("card ? (Owl)", "key-kind"),  # type
        ("card ? (Owl)", "key-kind"),  # biome
        ("card ? (Owl)", "key-missing"),  # number
        ("file", "key-unknown"),  # oops
        ("set", "key-kind"),  # number
        ("set", "key-missing"),  # name
    ]
    assert str(refusal.value).startswith("zoo.toml: ")


def test_a_fault_says_what_would_be_right() -> None:
    with pytest.raises(CardSetUnreadable) as refusal:
        parse_card_set(GOOD_SET.replace("limit = 2", "limit = true"), source="zoo.toml")
    assert refusal.value.faults == (Fault("card 1 (Bear)", "key-kind", "limit is True; it must be a whole number"),)


@pytest.mark.parametrize("text", ["", "[set]", "set = 3\ncard = 4", "card = [1]"])
def test_a_text_without_cards_is_no_card_set(text: str) -> None:
    with pytest.raises(CardSetUnreadable):
        parse_card_set(text, source="zoo.toml")


def test_a_text_that_is_not_toml_has_that_one_fault() -> None:
    with pytest.raises(CardSetUnreadable) as refusal:
        parse_card_set("<html>", source="zoo.toml")
    assert places(refusal.value) == [("file", "not-toml")]


# --- schemas ------------------------------------------------------------------------------------------------------

GOOD_SCHEMA = """
[game]
name = "zoo"
title = "Zoo"
name_width = 12
text_length = 60
flavor_length = 20

[values]
biome = ["Forest", "Sea"]

[wording]
meal = ["fish"]

[[type]]
name = "Animal"
stats = { weight = [1, 9] }
traits = { biome = {}, mood = { values = ["Grim"], least = 0 } }
sentences = ["eats {meal}."]
"""


def test_a_trait_without_values_of_its_own_takes_the_common_ones() -> None:
    animal = parse_schema(GOOD_SCHEMA, source="game.toml").types["Animal"]
    assert animal.traits["biome"].values == ("Forest", "Sea")
    assert animal.traits["mood"].values == ("Grim",)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("{meal}", "{drink}"), ("wording", "fragment-missing")),
        (("[1, 9]", "[1]"), ("type Animal stats", "key-kind")),
        (("[1, 9]", "3"), ("type Animal stats", "key-kind")),
        (("biome = {}", "biome = 3"), ("type Animal traits", "key-kind")),
        (("biome = {}", "fur = {}"), ("type Animal traits fur", "key-missing")),
        (('name = "Animal"', 'name = "Animal"\ntext_optional = 1'), ("type Animal", "key-kind")),
        (('name = "Animal"', 'name = "Animal"\n[[type]]\nname = "Animal"'), ("type Animal", "name-twice")),
        (("name_width = 12", ""), ("game", "key-missing")),
    ],
)
def test_a_broken_schema_is_told_where(change: tuple[str, str], fault: tuple[str, str]) -> None:
    with pytest.raises(SchemaUnreadable) as refusal:
        parse_schema(GOOD_SCHEMA.replace(*change), source="game.toml")
    assert fault in places(refusal.value)


# --- formats ------------------------------------------------------------------------------------------------------

GOOD_FORMATS = """
game = "zoo"

[[format]]
name = "tour"
version = 1
title = "Tour"
copy_limit = 4
banned = ["Yeti"]
since = 2030-01-01
[[format.section]]
name = "Cage"
types = ["Animal"]
minimum = 1

[[format]]
name = "night-tour"
version = 1
title = "Night Tour"
based_on = "tour"
copy_limit = 2
"""


def test_a_format_based_on_another_takes_what_it_does_not_set_itself() -> None:
    tour, night = parse_formats(GOOD_FORMATS, source="format.toml")
    assert (night.sections, night.banned) == (tour.sections, tour.banned)
    assert (tour.copy_limit, night.copy_limit) == (4, 2)


def test_a_format_based_on_another_has_its_own_days() -> None:
    tour, night = parse_formats(GOOD_FORMATS, source="format.toml")
    assert (tour.since, night.since) == (date(2030, 1, 1), None)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (('based_on = "tour"', 'based_on = "tuor"'), ("format night-tour", "base-missing")),
        (('name = "night-tour"', 'name = "tour"'), ("format tour version 1", "name-twice")),
        (("since = 2030-01-01", 'since = "soon"'), ("format tour", "key-kind")),
        (("since = 2030-01-01", "since = 2030-01-01T10:00:00"), ("format tour", "key-kind")),
        (("minimum = 1", ""), ("format tour section 1", "key-missing")),
        (("banned =", "bannned ="), ("format tour", "key-unknown")),
        (('game = "zoo"', ""), ("file", "key-missing")),
    ],
)
def test_a_broken_format_is_told_where(change: tuple[str, str], fault: tuple[str, str]) -> None:
    with pytest.raises(FormatUnreadable) as refusal:
        parse_formats(GOOD_FORMATS.replace(*change), source="format.toml")
    assert fault in places(refusal.value)
