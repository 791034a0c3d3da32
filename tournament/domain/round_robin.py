"""Everybody meets everybody once: the fair form where a Swiss event would run out of opponents.

The public draw numbers the players; the tables are those of Johann Berger, which give each number its opponents and its
side in every round. In an odd field the highest number is nobody, and meeting it is a bye.

Source: FIDE Handbook C.05, annex 1 (Berger tables).
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from tournament.domain.draw import draw_lots
from tournament.domain.model import Bye, Pairing, PlayerId, Round, Seat
from tournament.domain.pairing import number_tables


def round_robin(players: Iterable[PlayerId], draw: str) -> tuple[Round, ...]:
    """All rounds: one fewer than players, or as many as players if they are an odd number.

    The lots are those of round 0, so that they are not those of any Swiss round.
    """
    lots = draw_lots(draw, 0, players)
    order = sorted(lots, key=lambda player: (lots[player], player))
    return tuple(Round(number, tuple(_seats(order, pairs))) for number, pairs in enumerate(berger(len(order)), start=1))


def scheduled(
    started: Iterable[PlayerId],
    gone: AbstractSet[PlayerId],
    number: int,
    draw: str,
    *,
    tables: Mapping[PlayerId, int] | None = None,
) -> Round:
    """A round of the schedule as it is played: whoever would meet a player who has left has a bye.

    Args:
        started: everybody for whom the schedule was made; each is in it to the end, or other tables would change.
        gone: who has left.
        number: the round, from 1 to `len(round_robin(…))`.
        draw: the event's public draw.
        tables: fixed ones.
    """
    planned = round_robin(started, draw)[number - 1].seats
    meets = [(seat.first, seat.second) for seat in planned if isinstance(seat, Pairing)]
    pairs = [pair for pair in meets if not gone & set(pair)]
    idle = [player for pair in meets if len(gone & set(pair)) == 1 for player in pair if player not in gone]
    idle += [seat.player for seat in planned if isinstance(seat, Bye) and seat.player not in gone]
    numbers = number_tables(pairs, tables or {})
    seats = [Pairing(table, *pair) for table, pair in zip(numbers, pairs, strict=True)]
    return Round(number, (*sorted(seats, key=lambda seat: seat.table), *map(Bye, idle)))


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
