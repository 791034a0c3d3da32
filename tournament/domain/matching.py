"""The cheapest way to match everybody with exactly one other, in whole numbers of any size.

Two solvers, one answer: `rustworkx`, whose numbers have 128 bits, wherever nothing can overflow there; otherwise our
own (`matching_proof`), which is slower and knows no limit.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

Edge: TypeAlias = tuple[int, int, int]
"""Two vertices, the smaller number first, and the cost of matching them, from 0."""

Matcher: TypeAlias = Callable[[int, Sequence[Edge]], list[tuple[int, int]] | None]
"""Vertices are the numbers from 0 below the first argument; at most one edge joins two of them. Returns the pairs of a
cheapest perfect matching, each with its smaller number first; None: there is no perfect matching."""

_LIMIT = 2**126
"""rustworkx counts in signed 128-bit numbers and wraps without a word; one more bit is left as a margin."""

SAFE_BITS = 120
"""Costs that have no more bits together with the number of vertices fit into the compiled solver."""


def cheapest(vertices: int, edges: Sequence[Edge]) -> list[tuple[int, int]] | None:
    """A cheapest perfect matching, by whichever solver can count that far."""
    if _fits(vertices, edges):
        return _by_rustworkx(vertices, edges)
    from tournament.domain.matching_proof import cheapest_with_proof  # noqa: PLC0415 (needed once in a thousand events)

    proven = cheapest_with_proof(vertices, edges)
    return None if proven is None else proven.pairs


def _fits(vertices: int, edges: Sequence[Edge]) -> bool:
    """Whether no number inside rustworkx can leave its range.

    Its algorithm keeps twice the weights, and a potential that changes by at most twice the largest weight for each of
    the steps along a path, of which there are at most as many as vertices.
    """
    largest = max((cost for _, _, cost in edges), default=0)
    return 8 * (vertices + 1) * (largest + 1) < _LIMIT


def _by_rustworkx(vertices: int, edges: Sequence[Edge]) -> list[tuple[int, int]] | None:
    import rustworkx  # noqa: PLC0415 (loads numpy; most rounds need neither)

    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from([(one, other, -cost) for one, other, cost in edges])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matched) < vertices:
        return None
    return sorted((one, other) if one < other else (other, one) for one, other in matched)
