"""Pairing a group among itself, nearest first: against trying every opponent in turn."""

from collections.abc import Sequence
from itertools import combinations, pairwise
from random import Random

import pytest

from tests.tournament.domain.swiss import by_networkx, names, seeded
from tournament.domain.inside import first_cheapest, nearest, nearest_with_bye
from tournament.domain.matching import Edge, cheapest
from tournament.domain.model import PlayerId

Barred = dict[PlayerId, set[PlayerId]]


def barred_at_the_end(ids: list[PlayerId], most: int, rng: Random) -> Barred:
    """Nobody is barred from more than some others, and the last players are barred most."""
    barred: Barred = {player: set() for player in ids}
    pairs = list(combinations(ids, 2))
    last = set(ids[-3 * most :])
    for one, other in rng.sample(pairs, len(pairs)):
        chance = 0.8 if one in last and other in last else 0.1
        if len(barred[one]) < most > len(barred[other]) and rng.random() < chance:
            barred[one].add(other)
            barred[other].add(one)
    return barred


def complete(ids: list[PlayerId], barred: Barred) -> bool:
    """Whether they can all be paired."""
    edges = [(i, j, 0) for (i, a), (j, b) in combinations(enumerate(ids), 2) if b not in barred[a]]
    return by_networkx(len(ids), edges) is not None


def first(ids: list[PlayerId], barred: Barred) -> list[tuple[PlayerId, PlayerId]] | None:
    """The definition: the first player meets the nearest with whom the others can still be paired, and so on."""
    if not ids:
        return []
    for other in ids[1:]:
        rest = [player for player in ids[1:] if player != other]
        if other not in barred[ids[0]] and complete(rest, barred):
            return [(ids[0], other), *first(rest, barred)]
    return None


@pytest.mark.parametrize("seed", range(150))
def test_everybody_meets_the_nearest_with_whom_the_others_can_be_paired(seed: int) -> None:
    rng = seeded(seed)
    ids, most = names(2 * rng.randint(1, 16)), rng.randint(1, 4)
    barred = barred_at_the_end(ids, most, rng)
    ours = nearest(ids, barred, max(map(len, barred.values())), cheapest)
    theirs = first(ids, barred)
    assert (None if ours is None else sorted(ours)) == theirs


# the bye stands behind the last player and may be met by a few only
@pytest.mark.parametrize("seed", range(100))
def test_the_bye_is_met_last(seed: int) -> None:
    rng = seeded(seed)
    ids, most = names(2 * rng.randint(0, 13) + 1), rng.randint(1, 3)
    barred = barred_at_the_end(ids, most, rng)
    highest = max(map(len, barred.values()))
    mates = set(rng.sample(ids, rng.choice([1, min(2, len(ids)), len(ids)])))
    bye = PlayerId("bye")
    with_bye = {player: others | ({bye} - ({bye} if player in mates else set())) for player, others in barred.items()}
    theirs = first([*ids, bye], with_bye | {bye: set(ids) - mates})
    found = nearest_with_bye(ids, barred, mates, highest, cheapest)
    assert (None if found is None else sorted([*found[0], (found[1], bye)])) == theirs


# a ring of barred pairs at the end of a hundred players
def test_a_crowd_is_paired_without_looking_back_at_its_beginning() -> None:
    ids = names(100)
    barred: Barred = {player: set() for player in ids}
    for one, other in [*pairwise(ids[-5:]), (ids[-1], ids[-5]), (ids[-1], ids[-3]), (ids[-2], ids[-4])]:
        barred[one].add(other)
        barred[other].add(one)
    pairs = nearest(ids, barred, 4, cheapest)
    assert sorted(pairs)[:46] == [(ids[at], ids[at + 1]) for at in range(0, 92, 2)]
    assert sorted(pairs)[46:] == first(ids[92:], barred)


# 24 players of two clubs of 11 and 13: nobody can be paired, and plain search would try millions of ways
def test_a_hopeless_group_is_given_up_soon() -> None:
    ids = names(24)
    one, other = set(ids[::2][:11]), set(ids) - set(ids[::2][:11])
    barred = {player: (other if player in other else one) - {player} for player in ids}
    assert nearest(ids, barred, 12, cheapest) is None


@pytest.mark.parametrize("seed", range(60))
def test_of_equally_cheap_pairings_the_first_is_taken(seed: int) -> None:
    rng = seeded(seed)
    count = 2 * rng.randint(1, 4)
    price = {pair: rng.choice([0, 0, 1, 7]) for pair in combinations(range(count), 2) if rng.random() < 0.8}

    def ways(left: list[int]) -> list[list[tuple[int, int]]]:
        if not left:
            return [[]]
        return [
            [(left[0], other), *way]
            for other in left[1:]
            if (left[0], other) in price
            for way in ways([number for number in left[1:] if number != other])
        ]

    every = ways(list(range(count)))
    best = min(every, key=lambda way: (sum(map(price.__getitem__, way)), way), default=None)
    assert first_cheapest(count, price, cheapest) == best


# a club of 60 among 100: 40 meet somebody else, 20 one another
def test_a_club_of_more_than_half_the_field_is_settled_by_few_matchings() -> None:
    count, club = 100, set(seeded(1).sample(range(100), 60))
    price = {pair: int(club.issuperset(pair)) for pair in combinations(range(count), 2)}
    asked: list[int] = []

    def counting(vertices: int, edges: Sequence[Edge]) -> list[tuple[int, int]] | None:
        asked.append(vertices)
        return cheapest(vertices, edges)

    found = first_cheapest(count, price, counting)
    assert found is not None
    assert sum(map(price.__getitem__, found)) == 10
    assert len(asked) <= 12


# prices near the limit of the compiled solver leave room for a single digit, and beyond it our own solver takes over
@pytest.mark.parametrize("unit", [2**100, 2**119, 2**140])
def test_large_prices_leave_the_order_as_it_is(unit: int) -> None:
    small = {(0, 1): 3, (0, 2): 2, (0, 3): 2, (1, 2): 2, (1, 3): 2, (2, 3): 3}
    large = {pair: unit * cost + 1 for pair, cost in small.items()}
    assert first_cheapest(4, large, cheapest) == first_cheapest(4, small, cheapest) == [(0, 2), (1, 3)]
