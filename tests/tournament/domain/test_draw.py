"""The public draw, against a program that is not ours."""

from hashlib import sha256
from shutil import which
from subprocess import run

import pytest

from tournament.domain.draw import commitment, draw_lots, draw_tables


@pytest.mark.skipif(which("sha256sum") is None, reason="no sha256sum on this machine")
def test_a_lot_can_be_drawn_again_by_two_programs_that_every_machine_has() -> None:
    command = "printf '19:deckproof pairing 1,4:seed,1:3,3:ann,' | sha256sum"
    shown = run(command, shell=True, check=True, capture_output=True, text=True).stdout  # noqa: S602 (the guide's line)
    assert shown.split()[0] == draw_lots("seed", 3, ["ann"])["ann"].hex()


def test_the_length_of_each_part_is_that_of_its_bytes() -> None:
    told = "19:deckproof pairing 1,4:Würf,".encode()
    assert told[23:24] == b"4"
    right = b"19:deckproof pairing 1," + b"5:" + "Würf".encode() + b",2:10,5:" + "Zoë!".encode() + b","
    assert draw_lots("Würf", 10, ["Zoë!"])["Zoë!"] == sha256(right).digest()


# "a" in round 12 and "2:a..." in round 1 would look alike without the lengths
def test_round_and_player_cannot_be_mistaken_for_one_another() -> None:
    assert draw_lots("d", 1, ["2"])["2"] != draw_lots("d", 12, [""])[""]
    assert draw_lots("d1", 2, ["a"])["a"] != draw_lots("d", 12, ["a"])["a"]


def test_every_round_has_lots_of_its_own() -> None:
    assert draw_lots("d", 1, ["ann"]) != draw_lots("d", 2, ["ann"])


def test_a_commitment_fits_one_draw() -> None:
    assert commitment("one") == sha256(b"16:deckproof draw 1,3:one,").hexdigest()
    assert commitment("one") != commitment("two")


# --- tables for deck checks


@pytest.mark.skipif(which("sha256sum") is None, reason="no sha256sum on this machine")
def test_tables_are_drawn_again_by_two_programs_that_every_machine_has() -> None:
    command = (
        "for table in $(seq 1 20); do printf '22:deckproof deck check 1,4:seed,1:3,%s:%s,' ${#table} $table"
        ' | sha256sum | sed "s/-/$table/"; done | sort | head -5'
    )
    shown = run(command, shell=True, check=True, capture_output=True, text=True).stdout  # noqa: S602 (the guide's line)
    assert [int(line.split()[1]) for line in shown.splitlines()] == list(draw_tables("seed", 3, range(1, 21), 5))


def test_tables_that_are_passed_over_change_nothing_for_the_others() -> None:
    drawn = draw_tables("seed", 3, range(1, 21), 20)
    assert sorted(drawn) == list(range(1, 21))
    assert draw_tables("seed", 3, set(range(1, 21)) - set(drawn[:2]), 3) == drawn[2:5]
    assert draw_tables("seed", 4, range(1, 21), 20) != drawn


def test_every_table_is_drawn_as_often_as_any_other() -> None:
    counts = [0] * 10
    for event in range(2_000):
        counts[draw_tables(str(event), 1, range(10), 1)[0]] += 1
    assert sum((count - 200) ** 2 / 200 for count in counts) < 27.9  # chi-squared, 9 degrees: 1 in 1,000
