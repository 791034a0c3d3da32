"""The guide's tables are what the standings are, and it names everything there is."""

from pathlib import Path

import pytest

from tournament.domain.model import Bye, Pairing, Player, PlayerId, Result, Round
from tournament.domain.presets import PRESETS
from tournament.domain.standings import Standing, rank

GUIDE = (Path(__file__).parents[3] / "docs" / "guide" / "standings.md").read_text(encoding="utf-8")

ANN, BOB, CAT, DAN, EVE = (PlayerId(name) for name in ("ann", "bob", "cat", "dan", "eve"))
FIVE = [Player(id=player, name=player) for player in (ANN, BOB, CAT, DAN, EVE)]
EXAMPLE = [
    Round(1, (Pairing(1, ANN, CAT, Result(2, 0)), Pairing(2, BOB, EVE, Result(2, 0)), Bye(DAN))),
    Round(2, (Pairing(1, ANN, BOB, Result(2, 1)), Pairing(2, CAT, DAN, Result(2, 1)), Bye(EVE))),
    Round(3, (Pairing(1, DAN, ANN, Result(2, 0)), Pairing(2, CAT, EVE, Result(1, 1, 1)), Bye(BOB))),
]


def chapter(name: str) -> str:
    return GUIDE.split(f"\n## `{name}`")[1].split("\n## ")[0]


def printed(line: Standing, tiebreaks: list[str]) -> str:
    values = [line.tiebreaks[name] for name in tiebreaks]
    shown = [f"{value} = {float(value):.4f}" if value.denominator > 1 else str(value) for value in values]
    return f"| {' | '.join([str(line.place), line.player, str(line.match_points), *shown])} |"


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "pods"])
def test_the_example_is_ranked_as_the_guide_prints_it(name: str) -> None:
    tiebreaks = list(PRESETS[name].tiebreaks)
    lines = [printed(line, tiebreaks) for line in rank(FIVE, EXAMPLE, PRESETS[name])]
    assert "\n".join(lines) in chapter(name)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_and_every_tiebreak_has_its_place_in_the_guide(name: str) -> None:
    assert all(f"`{tiebreak}`" in chapter(name) or name in {"wer", "mtgo"} for tiebreak in PRESETS[name].tiebreaks)


def test_the_presets_differ_at_the_first_place_as_the_guide_says() -> None:
    first = {name: rank(FIVE, EXAMPLE, PRESETS[name])[0].player for name in ("mtr-2026", "wer", "pokemon", "netrunner")}
    assert first == {"mtr-2026": ANN, "wer": DAN, "pokemon": DAN, "netrunner": BOB}
