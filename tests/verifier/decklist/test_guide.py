"""docs/guide/decklists.md says what is so. Its examples are typed by tests/docs/test_examples.py."""

from pathlib import Path

import pytest

from verifier import decklist as decklists

GUIDE = (Path(__file__).parents[3] / "docs" / "guide" / "decklists.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "limit",
    [
        f"{decklists.MOST_TEXT_BYTES:,} bytes",
        f"{decklists.MOST_MARKUP_BYTES:,} bytes",
        f"{decklists.MOST_LINES}, blank ones not counted",
        f"1 to {decklists.MOST_COPIES} on a line",
        f"| a name | {decklists.LONGEST_NAME} characters |",
        f"| a title | {decklists.LONGEST_TITLE} characters |",
        f"| a header | {decklists.LONGEST_SECTION} characters |",
    ],
)
def test_each_limit_is_the_one_in_force(limit: str) -> None:
    assert limit in GUIDE
