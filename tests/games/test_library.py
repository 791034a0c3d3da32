"""The shipped games, and asking for one by name."""

import pytest

from games import library
from games.errors import UnknownFormat, UnknownGame


def test_the_first_game_is_celebrity_parody_showdown() -> None:
    assert library.games() == ("cps", "cgccg", "audition")
    assert library.schema("cps").title == "Celebrity Parody Showdown"


@pytest.mark.parametrize("name", ["", "chess", "../games/cps", "CPS"])
def test_a_game_that_is_not_shipped_is_refused_with_the_shipped_ones(name: str) -> None:
    for ask in (
        library.schema,
        library.card_sets,
        library.catalogue,
        library.formats,
        library.decks,
    ):
        with pytest.raises(UnknownGame) as refusal:
            ask(name)
        assert refusal.value.known == ("cps", "cgccg", "audition")


def test_each_file_is_read_once() -> None:
    assert library.catalogue("cps") is library.catalogue("cps")


def test_every_game_has_a_standard_format_first() -> None:
    assert [library.formats(game)[0].name for game in library.games()] == ["standard"] * 3


def test_a_format_is_found_by_name_and_version() -> None:
    assert library.format_named("cps", "standard", 1) == library.format_named("cps", "standard")


def test_the_newest_version_is_meant_when_none_is_given() -> None:
    newest = max(rules.version for rules in library.formats("cps") if rules.name == "standard")
    assert library.format_named("cps", "standard").version == newest


@pytest.mark.parametrize(("name", "version"), [("modern", None), ("standard", 99)])
def test_an_unknown_format_is_refused_with_the_known_ones(name: str, version: int | None) -> None:
    with pytest.raises(UnknownFormat) as refusal:
        library.format_named("cps", name, version)
    assert refusal.value.known == ("standard", "one-take")


def test_the_three_starter_sets_are_numbered_one_two_three_in_one_collection() -> None:
    assert [card_set.number for game in library.games() for card_set in library.card_sets(game)] == [1, 2, 3]


def test_an_audition_finds_the_cards_of_the_other_games_too() -> None:
    codes = [card_set.code for card_set in library.catalogue("audition").card_sets]
    assert codes == ["OPN", "INK", "CALL"]
