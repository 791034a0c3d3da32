"""The guide's example is what the program does."""

from pathlib import Path

from tests.tournament.domain.swiss import History, entered, played, said
from tournament.domain.certificate import Bound, Charge
from tournament.domain.certify import certify
from tournament.domain.draw import draw_lots
from tournament.domain.objective import in_order, number_of

GUIDE = (Path(__file__).parents[3] / "docs" / "guide" / "pairing.md").read_text(encoding="utf-8")
EXAMPLE = History(
    entered("ann", "bob", "cat", "dan", "eve", "fay"), [played(1, "ann-bob", "cat-dan", "eve-fay")], draw="lanterns"
)


def test_the_order_of_the_example_is_the_one_printed() -> None:
    points, lots = EXAMPLE.pool.points, draw_lots("lanterns", 2, EXAMPLE.pool.points)
    order = [player for group in in_order(points, lots) for player in group]
    rows = [f"| {at} | {who} | {points[who]} | `{lots[who].hex()[:12]}` |" for at, who in enumerate(order, start=1)]
    assert "\n".join(rows) in GUIDE


def test_the_numbers_of_level_7_are_the_ones_printed() -> None:
    lots = draw_lots("lanterns", 2, EXAMPLE.pool.points)
    first, second = number_of(lots["cat"], lots["fay"]), number_of(lots["eve"], lots["bob"])
    assert f"{first} for cat and fay, {second} for eve and bob" in GUIDE


def test_the_round_and_its_proof_are_the_ones_printed() -> None:
    paired, told = certify(EXAMPLE.pool, EXAMPLE.draw)
    assert said(paired) == {"ann-eve", "cat-fay", "bob-dan"}
    assert (told.cost.gaps, told.places) == (9, 2)
    assert told.bound == Bound((Charge(8 * 9, down_to=3),))


def test_the_line_for_the_shell_is_the_one_that_is_tested() -> None:
    assert "printf '19:deckproof pairing 1,4:seed,1:3,3:ann,' | sha256sum" in GUIDE
