"""Infractions: what they are called, and which penalty usually answers them."""

import re

import pytest

from tournament.domain.infractions import (
    OF_GAMES,
    Infraction,
    InfractionClass,
    PenaltyLevel,
    infraction_named,
    infractions_of,
    usual_penalty,
)

WARNING, GAME_LOSS, MATCH_LOSS, OUT = PenaltyLevel
APPENDIX_A = """
Looking at Extra Cards Warning
Game Rule Violation Warning
Failure to Maintain Game State Warning
Tardiness Game Loss
Outside Assistance Match Loss
Slow Play Warning
Decklist Problem Game Loss
Deck Problem Warning
Communication Policy Violation Warning
Marked Cards Warning
Insufficient Shuffling Warning
Unsporting Conduct, Minor Warning
Unsporting Conduct, Major Match Loss
Improperly Determining a Winner Match Loss
Bribery and Wagering Match Loss
Theft of Tournament Material Disqualification
Stalling Disqualification
Cheating Disqualification
"""
"""Infraction Procedure Guide, appendix A, as far as it fits any card game."""


def named(said: str, game: str = "audition") -> Infraction:
    found = infraction_named(game, said)
    assert found is not None
    return found


@pytest.mark.parametrize("line", APPENDIX_A.strip().splitlines())
def test_the_usual_penalty_is_that_of_the_guide(line: str) -> None:
    found = re.fullmatch(r"(.*) (Warning|Game Loss|Match Loss|Disqualification)", line)
    assert found is not None
    assert usual_penalty(named(found[1]), []) == found[2].lower()


def test_an_infraction_has_one_name_however_it_is_written() -> None:
    assert named("  SLOW   play ") == named("slow-play")
    assert infraction_named("cps", "wore a silly hat") is None


@pytest.mark.parametrize("game", [*OF_GAMES, "other"])
def test_no_two_infractions_of_a_game_have_one_code_or_name(game: str) -> None:
    known = infractions_of(game)
    assert [infraction_named(game, said) for one in known for said in (one.code, one.name)] == [
        one for one in known for _ in range(2)
    ]


# Infraction Procedure Guide 2: the third warning for a game play error; 3: the second one for a tournament error.
def test_a_repeated_warning_becomes_a_game_loss() -> None:
    play, event = named("game-rule"), named("slow-play")
    assert [usual_penalty(play, [WARNING] * before) for before in range(3)] == [WARNING, WARNING, GAME_LOSS]
    assert [usual_penalty(event, [WARNING] * before) for before in range(2)] == [WARNING, GAME_LOSS]
    assert usual_penalty(named("minor"), [WARNING]) == GAME_LOSS


def test_what_is_harder_than_a_warning_stays_what_it_is() -> None:
    assert usual_penalty(named("tardiness"), [GAME_LOSS, GAME_LOSS]) == GAME_LOSS
    assert usual_penalty(named("cheating"), [OUT]) == OUT


def test_what_no_book_names_is_left_to_the_judge() -> None:
    assert usual_penalty(None, [WARNING]) is None
    assert usual_penalty(named("cps-illegible", "cps"), []) is None


def test_the_games_own_infractions_are_the_games_alone() -> None:
    assert infraction_named("cps", "cps-not-owned") is not None
    assert infraction_named("cgccg", "cps-not-owned") is None
    assert {one.kind for one in infractions_of("cps")} == set(InfractionClass)
