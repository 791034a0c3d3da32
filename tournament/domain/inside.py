"""Pairing the players of one score group among themselves, nearest first.

Of all ways to pair them without a barred pair this is the first one: read from the top of the order, everybody gets the
nearest opponent with whom the others can still be paired (level 8 of `objective`).

Taking the nearest one in turn is all it needs, except near the end of a group, where somebody may be left without
opponent. Where each player is barred from at most m others, 2m + 2 players can always be paired (each of them may meet
at least half of them; Dirac 1952), so only the last 4(m + 1) need a search.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import gcd

from tournament.domain.matching import SAFE_BITS, Edge, Matcher
from tournament.domain.model import PlayerId
from tournament.domain.objective import Pair

Barred = Mapping[PlayerId, Collection[PlayerId]]

_PATIENCE = 400
"""Steps of plain search before a matching is asked whether there is anything to find."""

_AT_ONCE = 16
"""Players whose partners are read off one matching; more of them make its numbers, and the matching, slow."""


def nearest(members: Sequence[PlayerId], barred: Barred, most: int, matcher: Matcher) -> list[Pair] | None:
    """The first pairing of an even number of players; None: they cannot all be paired.

    Args:
        members: in order.
        barred: whom each of them must not meet.
        most: an upper bound for how many that are.
        matcher: asked only if the search takes long.
    """
    pairs, waiting = _in_turn(members, barred)
    if not waiting:
        return pairs
    safe = max(0, len(members) - 4 * (most + 1))
    pairs, waiting = _in_turn(members[:safe], barred)
    last = _first_complete([*waiting, *members[safe:]], barred, matcher)
    return None if last is None else pairs + last


def nearest_with_bye(
    members: Sequence[PlayerId], barred: Barred, mates: Collection[PlayerId], most: int, matcher: Matcher
) -> tuple[list[Pair], PlayerId] | None:
    """The first pairing of an odd number of players, one of whom, among `mates`, gets the bye.

    The bye counts as an opponent behind the last player, so the first players keep their nearest opponent.
    """
    pairs, waiting = _in_turn(members, barred)
    if len(waiting) == 1 and waiting[0] in mates:
        return pairs, waiting[0]
    safe = _before_the_last(members, mates, most)
    pairs, waiting = _in_turn(members[:safe], barred)
    rest = [*waiting, *members[safe:]]
    place = {player: at for at, player in enumerate(rest)}
    found: list[tuple[list[int], list[Pair], PlayerId]] = []
    for holder in filter(mates.__contains__, rest):
        last = nearest([player for player in rest if player != holder], barred, most, matcher)
        if last is not None:
            opponents = sorted([(place[one], place[other]) for one, other in last] + [(place[holder], len(rest))])
            found.append(([other for _, other in opponents], last, holder))
    if not found:
        return None
    _, last, holder = min(found, key=lambda way: way[0])
    return pairs + last, holder


def first_cheapest(count: int, price: Mapping[tuple[int, int], int], matcher: Matcher) -> list[tuple[int, int]] | None:
    """The first of the cheapest ways to pair the numbers from 0; only pairs with a price, smaller first, may meet.

    Several numbers at once get their first possible partner from one matching: below the prices, each of them has a
    digit that says how far away its partner is, the first one's digit the highest.
    """
    left = list(range(count))
    unit = gcd(*price.values()) or 1
    chosen: list[tuple[int, int]] = []
    while left:
        costs = {pair: cost // unit for pair, cost in _among(left, price).items()}
        digits = _digits(len(left), max(costs.values(), default=0))
        matched = matcher(len(left), _with_digits(len(left), costs, digits))
        if matched is None:
            return None
        settled = [pair for pair in sorted(matched) if pair[0] < digits]
        chosen += [(left[one], left[other]) for one, other in settled]
        gone = {at for pair in settled for at in pair}
        left = [number for at, number in enumerate(left) if at not in gone]
    return chosen


def _among(left: Sequence[int], price: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """The prices of those who are left, by their places among them."""
    return {
        (i, j): cost
        for i, one in enumerate(left)
        for j in range(i + 1, len(left))
        if (cost := price.get((one, left[j]))) is not None
    }


def _digits(count: int, most: int) -> int:
    """For how many of them the compiled solver has room below prices up to `most`; at least one."""
    room = SAFE_BITS - count.bit_length() - (most + 1).bit_length()
    return max(1, min(_AT_ONCE, room // count.bit_length()))


def _with_digits(count: int, costs: Mapping[tuple[int, int], int], digits: int) -> list[Edge]:
    base = 1 << count.bit_length()
    worth = [base**at for at in reversed(range(digits))] + [0] * count
    return [(i, j, cost * base**digits + j * worth[i]) for (i, j), cost in costs.items()]


def _in_turn(members: Sequence[PlayerId], barred: Barred) -> tuple[list[Pair], list[PlayerId]]:
    """Everybody meets the nearest one left; and who stays without opponent, in order."""
    pairs: list[Pair] = []
    waiting: list[PlayerId] = []
    for player in members:
        if waiting:
            avoided = barred[player]
            for other in waiting:
                if other not in avoided:
                    pairs.append((other, player))
                    waiting.remove(other)
                    break
            else:
                waiting.append(player)
        else:
            waiting.append(player)
    return pairs, waiting


def _before_the_last(members: Sequence[PlayerId], mates: Collection[PlayerId], most: int) -> int:
    """How many players come before those among whom the bye and the last opponents are looked for."""
    spare = 0
    for back, player in enumerate(reversed(members), start=1):
        spare += player in mates
        if back >= 4 * (most + 1) and spare >= 2 * most + 3:
            return len(members) - back
    return 0


class _TakesLong(Exception):
    """The plain search is given up."""


def _first_complete(rest: Sequence[PlayerId], barred: Barred, matcher: Matcher) -> list[Pair] | None:
    allowed = _allowed(rest, barred)
    if len(rest) % 2 or not all(allowed):
        return None
    try:
        found = _search(allowed, _PATIENCE)
    except _TakesLong:
        price = {(one, other): 0 for one, mask in enumerate(allowed) for other in _bits(mask) if one < other}
        found = first_cheapest(len(rest), price, matcher)
    return None if found is None else [(rest[one], rest[other]) for one, other in found]


def _allowed(rest: Sequence[PlayerId], barred: Barred) -> list[int]:
    """For each player the others whom they may meet, as a set of bits."""
    masks = [0] * len(rest)
    for one, player in enumerate(rest):
        avoided = barred[player]
        for other in range(one):
            if rest[other] not in avoided:
                masks[one] |= 1 << other
                masks[other] |= 1 << one
    return masks


def _search(allowed: Sequence[int], patience: int) -> list[tuple[int, int]] | None:
    """The first complete pairing, by trying every opponent of the first player left in turn."""
    hopeless: set[int] = set()
    steps = 0

    def pair(left: int) -> list[tuple[int, int]] | None:
        nonlocal steps
        if not left:
            return []
        steps += 1
        if steps > patience:
            raise _TakesLong
        one = (left & -left).bit_length() - 1
        for other in _bits(allowed[one] & left):
            others = left & ~(1 << one | 1 << other)
            if others in hopeless:
                continue
            found = pair(others)
            if found is not None:
                return [(one, other), *found]
        hopeless.add(left)
        return None

    return pair((1 << len(allowed)) - 1)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
