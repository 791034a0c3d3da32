"""Everybody meets everybody once: the fair form where a Swiss event would run out of opponents.

The public draw numbers the players; the tables are those of Johann Berger, which give each number its opponents and its
side in every round. In an odd field the highest number is nobody, and meeting it is a bye.

Source: FIDE Handbook C.05, annex 1 (Berger tables).
"""

from collections.abc import Iterable

from tournament.domain.draw import draw_lots
from tournament.domain.model import Bye, Pairing, PlayerId, Round, Seat


def round_robin(players: Iterable[PlayerId], draw: str) -> tuple[Round, ...]:
    """All rounds: one fewer than players, or as many as players if they are an odd number.

    The lots are those of round 0, so that they are not those of any Swiss round.
    """
    lots = draw_lots(draw, 0, players)
    order = sorted(lots, key=lambda player: (lots[player], player))
    return tuple(Round(number, tuple(_seats(order, pairs))) for number, pairs in enumerate(berger(len(order)), start=1))


def berger(players: int) -> list[list[tuple[int, int]]]:
    """For each round the numbers that meet, from 1; the first of each two has the first side.

    In an odd field the number after the last stands for the bye.
    """
    even = players + players % 2
    return [_berger_round(even, number) for number in range(1, even)]


def _berger_round(even: int, number: int) -> list[tuple[int, int]]:
    """The highest number meets the head of the circle, by turns on either side; the others fold around it."""
    around = even - 1
    head = ((number - 1) * (even // 2)) % around
    fixed = (head + 1, even) if number % 2 else (even, head + 1)
    return [fixed, *(((head + k) % around + 1, (head - k) % around + 1) for k in range(1, even // 2))]


def _seats(order: list[PlayerId], pairs: list[tuple[int, int]]) -> Iterable[Seat]:
    nobody = len(order) + 1
    tables = [pair for pair in pairs if nobody not in pair]
    for table, (first, second) in enumerate(tables, start=1):
        yield Pairing(table, order[first - 1], order[second - 1])
    for pair in pairs:
        if nobody in pair:
            yield Bye(order[min(pair) - 1])
