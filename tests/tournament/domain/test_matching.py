"""Cheapest matchings and the numbers that prove them, against networkx and against every matching there is."""

from itertools import combinations

import pytest

from tests.tournament.domain.swiss import by_networkx, every_round, seeded
from tournament.domain.matching import Edge, cheapest
from tournament.domain.matching_proof import SCALE, Bound, cheapest_with_proof, check_proof


def graph(seed: int, most: int) -> tuple[int, list[Edge]]:
    rng = seeded(seed)
    vertices = 2 * rng.randint(1, most // 2)
    highest = rng.choice([1, 2, 5, 30, 10**6, 2**126 - 1, 10**40])
    scores = [rng.randrange(6) for _ in range(vertices)]
    dense = rng.choice([0.3, 0.5, 0.8, 1])
    return vertices, [
        (i, j, rng.randint(0, highest) if seed % 2 else (scores[i] - scores[j]) ** 2)
        for i, j in combinations(range(vertices), 2)
        if rng.random() < dense
    ]


def total(edges: list[Edge], pairs: list[tuple[int, int]]) -> int:
    costs = {(i, j): cost for i, j, cost in edges}
    return sum(costs[pair] for pair in pairs)


def covers(vertices: int, pairs: list[tuple[int, int]]) -> bool:
    return sorted(vertex for pair in pairs for vertex in pair) == list(range(vertices))


@pytest.mark.parametrize("block", range(20))
def test_three_solvers_agree_on_the_price_and_one_proves_it(block: int) -> None:
    for seed in range(50 * block, 50 * block + 50):
        assert_solved(seed)


def assert_solved(seed: int) -> None:
    vertices, edges = graph(seed, 24)
    ours, proven, theirs = cheapest(vertices, edges), cheapest_with_proof(vertices, edges), by_networkx(vertices, edges)
    assert (ours is None) == (proven is None) == (theirs is None)
    if ours is None or proven is None or theirs is None:
        return
    assert covers(vertices, ours)
    assert covers(vertices, proven.pairs)
    assert total(edges, ours) == total(edges, proven.pairs) == total(edges, theirs)
    assert check_proof(edges, proven.bound) == []
    assert proven.bound.total == SCALE * total(edges, ours)


# an exit is an edge to a second copy of the graph, at twice the price
@pytest.mark.parametrize("seed", range(250))
def test_exits_are_used_where_they_are_cheaper(seed: int) -> None:
    vertices, edges = graph(seed, 14)
    rng = seeded(seed)
    highest = max((cost for _, _, cost in edges), default=9)
    exits = {vertex: rng.randint(0, highest) for vertex in range(vertices) if rng.random() < 0.6}
    copies = [(vertices + i, vertices + j, cost) for i, j, cost in edges]
    doubled = [*edges, *copies, *((vertex, vertices + vertex, 2 * price) for vertex, price in exits.items())]
    theirs, proven = by_networkx(2 * vertices, doubled), cheapest_with_proof(vertices, edges, exits)
    assert (theirs is None) == (proven is None)
    if theirs is None or proven is None:
        return
    paid = total(edges, proven.pairs) + sum(exits[vertex] for vertex in proven.leaving)
    assert 2 * paid == total(doubled, theirs)
    assert check_proof(edges, proven.bound, exits) == []
    assert proven.bound.total == SCALE * paid


@pytest.mark.parametrize("seed", range(40))
def test_no_matching_of_eight_is_cheaper(seed: int) -> None:
    rng = seeded(seed)
    edges = [(i, j, rng.randint(0, 9)) for i, j in combinations(range(8), 2)]
    costs = {frozenset((i, j)): cost for i, j, cost in edges}
    least = min(sum(costs[pair] for pair in pairs) for pairs, _ in every_round(range(8)))
    assert total(edges, cheapest(8, edges)) == least


def test_an_isolated_vertex_cannot_be_matched() -> None:
    assert cheapest(4, [(0, 1, 0)]) is None
    assert cheapest_with_proof(4, [(0, 1, 0)]) is None


def test_nobody_needs_no_partner() -> None:
    assert cheapest(0, []) == []


# 128 bits would wrap: the edges 0-1 and 2-3 look cheap then
def test_numbers_beyond_128_bits_are_counted_right() -> None:
    huge = 2**127
    edges = [(0, 1, huge), (2, 3, huge), (0, 2, 1), (1, 3, 1), (0, 3, huge + 1), (1, 2, huge + 1)]
    assert cheapest(4, edges) == [(0, 2), (1, 3)]


# edge 0-1 costs 3, so potentials 2 and 2 (in units of a fourth: 8 and 8) promise too much
def test_a_wrong_proof_is_named() -> None:
    edges = [(0, 1, 3)]
    assert check_proof(edges, Bound((6, 6), ())) == []
    assert check_proof(edges, Bound((8, 8), ())) == ["the edge 0-1 costs less than its ends are worth"]
    assert check_proof(edges, Bound((0, 0), ((frozenset({0, 1}), 4),))) == ["the set [0, 1] is not odd"]
    assert check_proof(edges, Bound((0, 0), ((frozenset({0}), -4),))) == ["the set [0] has a charge below 0"]
    assert check_proof([], Bound((8,), ()), {0: 1}) == ["the exit of 0 costs less than the vertex is worth"]
