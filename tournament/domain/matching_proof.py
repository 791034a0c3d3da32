"""A cheapest perfect matching together with numbers that prove it cheapest, in whole numbers of any size.

A vertex may have an *exit*: for its price the vertex stays without partner, as if it met somebody outside the graph.

The proof is a solution of the dual linear program (Edmonds 1965): a potential for each vertex and a charge, not below
0, for some sets of an odd number of vertices. If for every edge

    potential of one end + potential of the other + charges of the sets that hold just one of its ends <= cost

and for every exit

    potential + charges of the sets that hold the vertex <= price

then no perfect matching costs less than all potentials and charges together, because every odd set is left by at least
one of its edges or exits. `check_proof` needs nothing but that sentence.

The method is Edmonds' own: trees of tight edges grow from the unmatched vertices, odd circles shrink to blossoms, and
the potentials move until an edge becomes tight. It is slower than a compiled solver and is asked for proofs, not for
speed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from tournament.domain.matching import Edge

_NO_EXITS: Mapping[int, int] = {}

SCALE = 4
"""Potentials and charges are in quarters of the costs' unit, so that they are whole numbers."""


@dataclass(frozen=True, slots=True)
class Bound:
    """Why no perfect matching costs less; all numbers in quarters."""

    potentials: tuple[int, ...]
    charges: tuple[tuple[frozenset[int], int], ...]

    @property
    def total(self) -> int:
        """What every perfect matching costs at least, in quarters."""
        return sum(self.potentials) + sum(charge for _, charge in self.charges)


@dataclass(frozen=True, slots=True)
class Proven:
    """A cheapest perfect matching and why it is one."""

    pairs: list[tuple[int, int]]
    leaving: list[int]
    """Vertices that use their exit."""
    bound: Bound


def cheapest_with_proof(vertices: int, edges: Sequence[Edge], exits: Mapping[int, int] = _NO_EXITS) -> Proven | None:
    """A cheapest perfect matching; None: there is none.

    Args:
        vertices: numbered from 0.
        edges: none of them twice.
        exits: vertices that may stay without partner, with the price, from 0.
    """
    forest = _Forest(vertices, edges, exits)
    if not forest.match_all():
        return None
    pairs = sorted((v, w) for v, w in enumerate(forest.mate) if v < w)
    return Proven(pairs, [v for v, w in enumerate(forest.mate) if w == _OUTSIDE], forest.bound())


def check_proof(edges: Sequence[Edge], bound: Bound, exits: Mapping[int, int] = _NO_EXITS) -> list[str]:
    """Everything that keeps the numbers from being a proof; an empty list is a proof."""
    wrong = [f"the set {sorted(group)} is not odd" for group, _ in bound.charges if len(group) % 2 == 0]
    wrong += [f"the set {sorted(group)} has a charge below 0" for group, charge in bound.charges if charge < 0]
    for one, other, cost in edges:
        charged = sum(charge for group, charge in bound.charges if (one in group) != (other in group))
        if bound.potentials[one] + bound.potentials[other] + charged > SCALE * cost:
            wrong.append(f"the edge {one}-{other} costs less than its ends are worth")
    for vertex, price in exits.items():
        charged = sum(charge for group, charge in bound.charges if vertex in group)
        if bound.potentials[vertex] + charged > SCALE * price:
            wrong.append(f"the exit of {vertex} costs less than the vertex is worth")
    return wrong


_OUTER, _INNER = "outer", "inner"
"""Nodes of a tree at even and at odd distance from its root."""

_NOWHERE = -1
"""The parent of an outermost node, the mate of an unmatched vertex."""

_OUTSIDE = -2
"""The mate of a vertex that uses its exit."""

_Link = tuple[int, int]


@dataclass
class _Blossom:
    """An odd circle of nodes, shrunk to one; all but the first child are matched in pairs.

    children[k] and children[k + 1] are joined by links[k], the last child and the first by the last link.
    """

    children: list[int]
    links: list[_Link]
    charge: int = 0


@dataclass
class _Tree:
    """What is forgotten when an unmatched vertex has been matched."""

    label: dict[int, str] = field(default_factory=dict)
    entry: dict[int, _Link | None] = field(default_factory=dict)
    """The edge through which a node was reached: from outside, to inside."""
    queue: list[int] = field(default_factory=list)
    """Outer vertices whose edges are not looked at yet."""
    to_free: list[tuple[int, int, int]] = field(default_factory=list)
    to_outer: list[tuple[int, int, int]] = field(default_factory=list)
    """Edges from outer vertices, by the move of the potentials at which they become tight."""
    moved: int = 0


class _Forest:
    """Nodes are vertices, numbered from 0, and blossoms, numbered on from there."""

    def __init__(self, vertices: int, edges: Sequence[Edge], exits: Mapping[int, int]) -> None:
        self.near: list[dict[int, int]] = [{} for _ in range(vertices)]
        for one, other, cost in edges:
            self.near[one][other] = self.near[other][one] = SCALE * cost
        self.exits = {vertex: SCALE * price for vertex, price in exits.items()}
        self.potential = [self._worth_at_first(vertex) for vertex in range(vertices)]
        self.mate: list[int] = [_NOWHERE] * vertices
        self.top = list(range(vertices))
        """The outermost node that a vertex is in."""
        self.base = dict(enumerate(range(vertices)))
        """The vertex of a node that is matched outside it."""
        self.blossoms: dict[int, _Blossom] = {}
        self.parent = [_NOWHERE] * vertices
        self.tree = _Tree()
        for vertex in range(vertices):
            self._match_if_easy(vertex)

    def match_all(self) -> bool:
        """Match one or two more vertices again and again; False: that is impossible."""
        while _NOWHERE in self.mate:
            if not self._match_more():
                return False
        return True

    def bound(self) -> Bound:
        """The proof. A blossom's charge on edges inside it becomes half of it on edges that leave it."""
        potentials = list(self.potential)
        charges = []
        for node, blossom in self.blossoms.items():
            if blossom.charge:
                inside = frozenset(self._leaves(node))
                charges.append((inside, blossom.charge // 2))
                for vertex in inside:
                    potentials[vertex] -= blossom.charge // 2
        return Bound(tuple(potentials), tuple(charges))

    def _worth_at_first(self, vertex: int) -> int:
        """A potential that no edge and no exit forbids, and an even number: so all potential moves are whole ones."""
        half = min(self.near[vertex].values(), default=0) // 2
        return min(half, self.exits.get(vertex, half))

    def _match_if_easy(self, vertex: int) -> None:
        if self.mate[vertex] == _NOWHERE:
            for other in self.near[vertex]:
                if self.mate[other] == _NOWHERE and self._slack(vertex, other) == 0:
                    self.mate[vertex], self.mate[other] = other, vertex
                    return

    def _slack(self, vertex: int, other: int) -> int:
        """How much an edge between two nodes could still be charged."""
        return self.near[vertex][other] - self.potential[vertex] - self.potential[other]

    def _leaves(self, node: int) -> Iterator[int]:
        if node in self.blossoms:
            for child in self.blossoms[node].children:
                yield from self._leaves(child)
        else:
            yield node

    # --- one more pair, or one more exit ----------------------------------------------------------------------------

    def _match_more(self) -> bool:
        self.tree = _Tree()
        for vertex, mate in enumerate(self.mate):
            if mate == _NOWHERE:
                self._make_outer(self.top[vertex], None)
        while True:
            while self.tree.queue:
                vertex = self.tree.queue.pop()
                if self._may_leave(vertex) or any(self._look_at(vertex, other) for other in self.near[vertex]):
                    self._dissolve_idle()
                    return True
            if not self._move_potentials():
                return False

    def _make_outer(self, node: int, entry: _Link | None) -> None:
        self.tree.label[node] = _OUTER
        self.tree.entry[node] = entry
        self.tree.queue.extend(self._leaves(node))

    def _make_inner(self, node: int, entry: _Link) -> None:
        self.tree.label[node] = _INNER
        self.tree.entry[node] = entry
        base = self.base[node]
        self._make_outer(self.top[self.mate[base]], (base, self.mate[base]))

    def _look_at(self, vertex: int, other: int) -> bool:
        """Use an edge of an outer vertex if it is tight, remember it otherwise; True: there is a new matching."""
        node, its_node = self.top[vertex], self.top[other]
        label = self.tree.label.get(its_node)
        if node == its_node or label == _INNER:
            return False
        slack = self._slack(vertex, other)
        if label is None:
            if slack:
                heappush(self.tree.to_free, (slack + self.tree.moved, vertex, other))
            elif self.mate[self.base[its_node]] == _OUTSIDE:
                self._exchange(vertex, other)
                self._rebase(its_node, other)
                self.mate[other] = vertex
                return True
            else:
                self._make_inner(its_node, (vertex, other))
            return False
        if slack:
            heappush(self.tree.to_outer, (slack + 2 * self.tree.moved, vertex, other))
            return False
        common = self._common_root(node, its_node)
        if common is None:
            self._exchange(vertex, other)
            self._exchange(other, vertex)
            return True
        self._shrink(common, vertex, other)
        return False

    def _outer_nodes_up(self, node: int) -> Iterator[int]:
        while True:
            yield node
            entry = self.tree.entry[node]
            if entry is None:
                return
            inner = self.tree.entry[self.top[entry[0]]]
            assert inner is not None  # noqa: S101 (an inner node is never a root)
            node = self.top[inner[0]]

    def _common_root(self, node: int, other: int) -> int | None:
        above = set(self._outer_nodes_up(node))
        return next((found for found in self._outer_nodes_up(other) if found in above), None)

    # --- blossoms ---------------------------------------------------------------------------------------------------

    def _way_up(self, vertex: int, common: int) -> tuple[list[int], list[_Link]]:
        """The nodes from a vertex to the common one, without that, and the links from each to the next."""
        nodes, links = [], []
        node = self.top[vertex]
        while node != common:
            entry = self.tree.entry[node]
            assert entry is not None  # noqa: S101 (the common node is above)
            nodes.append(node)
            links.append((entry[1], entry[0]))
            node = self.top[entry[0]]
        return nodes, links

    def _shrink(self, common: int, vertex: int, other: int) -> None:
        left, left_links = self._way_up(vertex, common)
        right, right_links = self._way_up(other, common)
        down = [(upper, lower) for lower, upper in reversed(left_links)]
        blossom = _Blossom([common, *reversed(left), *right], [*down, (vertex, other), *right_links])
        node = len(self.parent)
        self.parent.append(_NOWHERE)
        self.blossoms[node] = blossom
        self.base[node] = self.base[common]
        for child in blossom.children:
            self.parent[child] = node
            if self.tree.label[child] == _INNER:
                self.tree.queue.extend(self._leaves(child))
            for leaf in self._leaves(child):
                self.top[leaf] = node
        self.tree.label[node] = _OUTER
        self.tree.entry[node] = self.tree.entry[common]

    def _open(self, node: int) -> _Blossom:
        """Make the children of an outermost blossom outermost nodes."""
        blossom = self.blossoms.pop(node)
        del self.base[node]
        for child in blossom.children:
            self.parent[child] = _NOWHERE
            for leaf in self._leaves(child):
                self.top[leaf] = child
        return blossom

    def _open_inner(self, node: int) -> None:
        """Open an inner blossom without charge: the tree runs on through the even side of its circle."""
        entry = self.tree.entry[node]
        assert entry is not None  # noqa: S101 (an inner node is never a root)
        blossom = self._open(node)
        entered = blossom.children.index(self.top[entry[1]])
        along = _even_side(blossom, entered)
        self.tree.label[blossom.children[entered]] = _INNER
        self.tree.entry[blossom.children[entered]] = entry
        for (_, outer, to_outer), (_, inner, to_inner) in zip(along[::2], along[1::2], strict=True):
            self._make_outer(outer, to_outer)
            self.tree.label[inner] = _INNER
            self.tree.entry[inner] = to_inner
        for child in blossom.children:
            if child not in self.tree.label:
                self._remember_edges_to(child)

    def _remember_edges_to(self, node: int) -> None:
        """A node is free again: collect the edges by which outer vertices may reach it."""
        for leaf in self._leaves(node):
            for vertex in self.near[leaf]:
                if self.tree.label.get(self.top[vertex]) == _OUTER:
                    heappush(self.tree.to_free, (self._slack(vertex, leaf) + self.tree.moved, vertex, leaf))

    def _dissolve_idle(self) -> None:
        """Open outermost blossoms that charge nothing."""
        while idle := [node for node, b in self.blossoms.items() if self._is_outermost(node) and not b.charge]:
            for node in idle:
                self._open(node)

    # --- exchanging -------------------------------------------------------------------------------------------------

    def _may_leave(self, vertex: int) -> bool:
        """Let an outer vertex use its exit if that is tight."""
        if self.exits.get(vertex) != self.potential[vertex]:
            return False
        self._exchange(vertex, _OUTSIDE)
        return True

    def _exchange(self, vertex: int, mate: int) -> None:
        """Give an outer vertex a mate, and exchange the pairs on its way up to the root."""
        while True:
            node = self.top[vertex]
            entry = self.tree.entry[node]
            self._rebase(node, vertex)
            self.mate[vertex] = mate
            if entry is None:
                return
            inner = self.top[entry[0]]
            reached = self.tree.entry[inner]
            assert reached is not None  # noqa: S101 (an inner node is never a root)
            self._rebase(inner, reached[1])
            self.mate[reached[1]] = reached[0]
            vertex, mate = reached

    def _rebase(self, node: int, vertex: int) -> None:
        """Make a vertex of a node the one that is matched outside it."""
        if node not in self.blossoms:
            return
        child = vertex
        while self.parent[child] != node:
            child = self.parent[child]
        self._rebase(child, vertex)
        blossom = self.blossoms[node]
        at = blossom.children.index(child)
        for near, far, (start, end) in _even_side(blossom, at)[1::2]:
            self._rebase(near, start)
            self._rebase(far, end)
            self.mate[start], self.mate[end] = end, start
        blossom.children = blossom.children[at:] + blossom.children[:at]
        blossom.links = blossom.links[at:] + blossom.links[:at]
        self.base[node] = vertex

    # --- moving the potentials --------------------------------------------------------------------------------------

    def _move_potentials(self) -> bool:
        """Raise the outer and lower the inner nodes until an edge is tight or a blossom is idle; False: never."""
        tree = self.tree
        while tree.to_free and self._is_stale(*tree.to_free[0]):
            heappop(tree.to_free)
        while tree.to_outer and self.top[tree.to_outer[0][1]] == self.top[tree.to_outer[0][2]]:
            heappop(tree.to_outer)
        inner = [node for node in self.blossoms if self._is_outermost(node) and tree.label.get(node) == _INNER]
        steps = [self.blossoms[node].charge // 2 for node in inner]
        steps += [tree.to_free[0][0] - tree.moved] if tree.to_free else []
        steps += [(tree.to_outer[0][0] - 2 * tree.moved) // 2] if tree.to_outer else []
        outer = [v for v in self.exits if tree.label.get(self.top[v]) == _OUTER]
        steps += [self.exits[vertex] - self.potential[vertex] for vertex in outer]
        if not steps:
            return False
        self._move(min(steps))
        for node in inner:
            if not self.blossoms[node].charge:
                self._open_inner(node)
        if tree.to_free and tree.to_free[0][0] == tree.moved:
            tree.queue.append(tree.to_free[0][1])
        if tree.to_outer and tree.to_outer[0][0] == 2 * tree.moved:
            tree.queue.append(tree.to_outer[0][1])
        tree.queue += [vertex for vertex in outer if self.exits[vertex] == self.potential[vertex]]
        return True

    def _is_stale(self, due: int, vertex: int, other: int) -> bool:
        """Whether an edge no longer leads to a free node, or did not move while its node was an inner one."""
        return self.top[other] in self.tree.label or self._slack(vertex, other) + self.tree.moved != due

    def _move(self, step: int) -> None:
        sign = {_OUTER: step, _INNER: -step}
        for vertex, node in enumerate(self.top):
            self.potential[vertex] += sign.get(self.tree.label.get(node, ""), 0)
        for node, blossom in self.blossoms.items():
            if self._is_outermost(node):
                blossom.charge += 2 * sign.get(self.tree.label.get(node, ""), 0)
        self.tree.moved += step

    def _is_outermost(self, node: int) -> bool:
        return self.parent[node] == _NOWHERE


def _even_side(blossom: _Blossom, at: int) -> list[tuple[int, int, _Link]]:
    """The steps from a child around the circle to the first child, on the side with an even number of them."""
    children, links = blossom.children, blossom.links
    if at % 2:
        ahead = [*children[at:], children[0]]
        return list(zip(ahead, ahead[1:], links[at:], strict=False))
    return [(children[k], children[k - 1], links[k - 1][::-1]) for k in range(at, 0, -1)]
