"""Results in short, as scorekeepers type them."""

import pytest

from tournament.domain.model import Ending, Result
from tournament.domain.results import MatchFormat, check_result
from tournament.domain.slips import digits, read_places, read_result


@pytest.mark.parametrize(
    ("best_of", "scores"),
    [(1, ["1-0", "0-1"]), (3, ["2-0", "2-1", "1-2", "0-2"]), (5, ["3-0", "3-1", "3-2", "2-3", "1-3", "0-3"])],
)
def test_digits_go_from_the_first_players_best_result_to_the_worst(best_of: int, scores: list[str]) -> None:
    said = digits(best_of)
    assert [f"{said[digit].first}-{said[digit].second}" for digit in said if digit != "0"] == scores
    assert list(said) == [*map(str, range(1, len(scores) + 1)), "0"]
    assert said["0"].ending is Ending.INTENTIONAL_DRAW


@pytest.mark.parametrize("best_of", [1, 3, 5])
def test_every_digit_is_a_result_that_can_be(best_of: int) -> None:
    assert [check_result(result, MatchFormat(best_of)) for result in digits(best_of).values()] == [[]] * (best_of + 2)


@pytest.mark.parametrize(
    ("words", "result"),
    [
        ("2", Result(2, 1)),
        ("21", Result(2, 1)),
        ("1-1-1", Result(1, 1, 1)),
        ("1:2", Result(1, 2)),
        ("draw", Result(0, 0, 3, Ending.INTENTIONAL_DRAW)),
        ("X", Result(0, 0, 0, Ending.DOUBLE_LOSS)),
        ("2-0 No-Show", Result(2, 0, 0, Ending.NO_SHOW)),
        ("1 concession", Result(2, 0, 0, Ending.CONCESSION)),
        ("9", None),
        ("2-0 rain", None),
        ("x no-show", None),
        ("2 1 0", None),
        ("", None),
        ("\u0662", None),
    ],
)
def test_a_result_of_two_in_short(words: str, result: Result | None) -> None:
    assert read_result(words.split(), 3) == result


@pytest.mark.parametrize(
    ("word", "places"),
    [
        ("2431", ((("b",), ("d",), ("c",), ("a",)), Ending.PLAYED)),
        ("2=431", ((("b", "d"), ("c",), ("a",)), Ending.PLAYED)),
        ("3", ((("c",), ("a", "b", "d")), Ending.PLAYED)),
        ("1=2=3=4", ((("a", "b", "c", "d"),), Ending.PLAYED)),
        ("0", ((("a", "b", "c", "d"),), Ending.INTENTIONAL_DRAW)),
        ("x", ((), Ending.DOUBLE_LOSS)),
        ("22", None),
        ("24", None),
        ("25", None),
        ("2=", None),
        ("2-1", None),
        ("9", None),
    ],
)
def test_places_of_several_are_seats_in_their_order(word: str, places: object) -> None:
    assert read_places([word], "abcd") == places


def test_places_are_one_word() -> None:
    assert read_places(["2", "1"], "abc") is None
