"""Names of players: any script, and nothing that makes one name look like another."""

import pytest
from pydantic import ValidationError

from tournament.service.entries import Add
from tournament.service.names import LONGEST, alike


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("  Ann   Example ", "Ann Example"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 ", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("山田 太郎", "山田 太郎"),
        ("O'Brien-Łukasiewicz", "O'Brien-Łukasiewicz"),
    ],
)
def test_a_name_is_kept_as_people_write_it(written: str, kept: str) -> None:
    assert Add(name=written).name == kept


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("Ann\tExample", "U\\+0009"),
        ("Ann\x00", "U\\+0000"),
        ("Ann \u202eelpmaxE", "U\\+202E"),
        ("\u2066Ann\u2069", "U\\+2066"),
        ("Ann\ud800", "unicode|U\\+D800"),
        ("Ann\ue000", "U\\+E000"),
        ("\u200c\u200d", "can be seen"),
        ("\u2800 \u2800", "can be seen"),
        ("   ", "at least 1"),
        ("x" * (LONGEST + 1), "100 at most"),
    ],
)
def test_a_name_that_is_none_is_refused(written: str, why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        Add(name=written)


def test_a_name_may_be_as_long_as_a_line() -> None:
    assert len(Add(name="x" * LONGEST).name) == LONGEST


def test_names_are_alike_that_fold_to_one() -> None:
    people = {1: "Ann Example", 2: "bob", 3: "ANN  EXAMPLE", 4: "Ann\u00a0Example", 5: "Anna Example", 6: "Bob"}
    assert alike(people.items()) == [[1, 3, 4], [2, 6]]
