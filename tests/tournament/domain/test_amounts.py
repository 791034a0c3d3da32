"""Numbers of things in words."""

import pytest

from tournament.domain.amounts import counted


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 copies"), (1, "1 copy"), (2, "2 copies"), (20_000, "20,000 copies")]
)
def test_one_is_singular_and_everything_else_is_not(number: int, said: str) -> None:
    assert counted(number, "copy", "copies") == said


def test_most_words_have_an_s_for_several() -> None:
    assert [counted(number, "event") for number in (1, 2)] == ["1 event", "2 events"]
