"""docs/guide/decklists.md says what is so."""

import re
from pathlib import Path

import pytest

from verifier import decklist as decklists
from verifier.decklist import Decklist, Line, parse_decklist, write_decklist

GUIDE = (Path(__file__).parents[3] / "docs" / "guide" / "decklists.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```(text|xml|csv|json)\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
CPS, *OTHERS = EXAMPLES
SYNTAXES = ("cod", "o8d", "dek", "csv", "json")

FRUMP = Decklist(
    (Line(4, "Burner Account", None, "STR", 101), Line(2, "Swag Bag", "Sideboard")),
    "Frump and friends",
)


def test_the_first_example_is_a_list_of_the_game() -> None:
    sections = ["Media Tyrant", "Influencers", "Player cards"]
    assert [(line.count, line.name) for line in parse_decklist(CPS[1], sections=sections).lines] == [
        (1, "Ronald Frump"),
        (1, "Kanye East"),
        (1, "9 Lives Lola"),
        (4, "Burner Account"),
        (2, "Swag Bag"),
    ]


@pytest.mark.parametrize(("syntax", "example"), list(zip(SYNTAXES, [example for _, example in OTHERS], strict=True)))
def test_each_example_of_another_program_is_what_is_written_for_it(syntax: str, example: str) -> None:
    assert write_decklist(FRUMP, syntax) == example


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
