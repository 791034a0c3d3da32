"""The ledger in every small world there is, against a maximum flow that knows nothing of how it decides.

Balances are given as endpoints' answers are (`Reading`), so that the ways which are seen at a glance are taken too: a
single wallet that has all, in the order of what is needed. Every one of them may be wrong only where it is slow.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, permutations, product

from eth_hash.auto import keccak

from verifier.addresses import to_checksum
from verifier.coverage import Need, Outcome
from verifier.holdings import TokenId
from verifier.ledger import (
    Balances,
    Reading,
    Reservation,
    Share,
    Split,
    Stake,
    allocate,
    check_allocations,
)

ANN, BOB = (to_checksum(keccak(name)[:20]) for name in (b"ann", b"bob"))
A, B, C, D = map(TokenId, (1, 2, 3, 4))
LISTS = [
    (("Foo", (A,)),),
    (("Foo", (A,)), ("Bar", (B,))),
    (("Foo", (A, B)),),
    (("Foo", (A, B)), ("Bar", (C,))),
    (("Foo", (A,)), ("Bar", (B, C))),
    (("Foo", (A, B)), ("Bar", (C, D))),
]
"""What a list may ask for: cards with one printing, with two, and both."""
World = tuple[list[Stake], list[Balances], list[Split], list[Reservation]]


def flow(supply: Mapping[object, int], edges: Mapping[tuple[object, object], int], demand: Mapping[object, int]) -> int:
    """A maximum flow, one augmenting path after the other. Source: Ford and Fulkerson, 1956."""
    left: defaultdict[object, dict[object, int]] = defaultdict(dict)
    for one, other, units in [
        *(("from", name, units) for name, units in supply.items()),
        *((*ends, units) for ends, units in edges.items()),
        *((name, "to", units) for name, units in demand.items()),
    ]:
        left[one][other] = left[one].get(other, 0) + units
        left[other].setdefault(one, 0)
    total = 0
    while path := _path(left):
        for one, other in path:
            left[one][other] -= 1
            left[other][one] += 1
        total += 1
    return total


def _path(left: Mapping[object, Mapping[object, int]]) -> list[tuple[object, object]]:
    came: dict[object, object] = {"from": None}
    waiting = ["from"]
    while waiting:
        one = waiting.pop()
        for other, units in left[one].items():
            if units > 0 and other not in came:
                came[other] = one
                waiting.append(other)  # type: ignore[arg-type]
    found = []
    node: object = "to"
    while node in came and node != "from":
        found.append((came[node], node))
        node = came[node]
    return found


def most(world: World, entry: str) -> int:
    """How many units one entry can have of what it needs. Shares never promise more than there is here."""
    stakes, epochs, splits, reserved = world
    [stake] = [one for one in stakes if one.entry == entry]
    shares = {split.wallet: {share.entry: share.units for share in split.shares} for split in splits}
    there: dict[object, int] = {}
    edges: dict[tuple[object, object], int] = {}
    for number, need in enumerate(stake.needs):
        for wallet, token in product(stake.wallets, need.token_ids):
            held = [epoch[wallet].get(token) if wallet in epoch else None for epoch in epochs]
            known = [units for units in held if units is not None]
            units = 0 if None in (held[0], held[-1]) else min(known)
            units -= sum(one.units for one in reserved if (one.wallet, one.token_id) == (wallet, token))
            if wallet in shares:
                units = min(units, shares[wallet].get(entry, {}).get(token, 0))
            there[wallet, token] = max(0, units)
            edges[(wallet, token), number] = 99
    return flow(there, edges, {number: need.units for number, need in enumerate(stake.needs)})


def needs_of(cards: Sequence[tuple[str, tuple[TokenId, ...]]], counts: Sequence[int]) -> tuple[Need, ...]:
    return tuple(Need(card, ids, count) for (card, ids), count in zip(cards, counts, strict=True))


def readings(ids: Sequence[TokenId], units: Sequence[int]) -> Iterator[Reading]:
    """The same answer in every order in which it may be kept, with more and with fewer token ids than are needed."""
    orders = permutations(range(len(ids))) if len(ids) < 4 else [range(4), (1, 0, 2, 3), (2, 3, 0, 1), (3, 2, 1, 0)]
    for order in orders:
        yield Reading(tuple(ids[at] for at in order), tuple(units[at] for at in order))
    yield Reading((*ids, TokenId(9)), (*units, 9))
    yield Reading((TokenId(9), *ids), (9, *units))
    yield Reading(tuple(ids[1:]), tuple(units[1:]))


def claims(ids: Sequence[TokenId], units: Sequence[int]) -> Iterator[tuple[list[Split], list[Reservation]]]:
    """Whom else the wallet's units may belong to."""
    there = dict(zip(ids, units, strict=True))
    yield [], []
    fewer = {token: count - 1 for token, count in there.items() if count}
    yield [Split(ANN, (Share("kim", fewer),))], []
    yield [Split(ANN, (Share("kim", there),))], []
    for token in [token for token, count in there.items() if count][:2]:
        yield [], [Reservation(ANN, token, 1, "Sarah", 0)]
        yield [Split(ANN, (Share("kim", fewer),))], [Reservation(ANN, token, 1, "Sarah", 0)]


def alone() -> Iterator[World]:
    """One entry with one wallet."""
    for cards in LISTS:
        ids = tuple(chain.from_iterable(tokens for _, tokens in cards))
        for counts in product((1, 2), repeat=len(cards)):
            stake = Stake("kim", (ANN,), needs_of(cards, counts))
            for units in product((0, 1, 2), repeat=len(ids)):
                claimed = list(claims(ids, units))
                for reading in readings(ids, units):
                    for splits, reserved in claimed:
                        yield [stake], [{ANN: reading}], splits, reserved


def later() -> Iterator[World]:
    """Two and three epochs, at some of which the wallet was not read, or other token ids of it were."""
    cards = LISTS[2]
    whole, none = Reading((A, B), (2, 1)), Reading((A, B), (0, 0))
    kinds = [whole, none, Reading((A, B), (1, 1)), Reading((B, A), (1, 2)), Reading((A,), (2,)), {A: 2, B: 1}]
    for count in (1, 2, 3):
        stake = Stake("kim", (ANN,), needs_of(cards, [count]))
        for many in (2, 3):
            for those in product([*kinds, None], repeat=many):
                epochs: list[Balances] = [{} if one is None else {ANN: one} for one in those]
                yield [stake], epochs, [], []


def several() -> Iterator[World]:
    """Two wallets of one entry; two entries with a wallet each; and two entries that share one by a split."""
    cards, amounts = LISTS[1], list(product((0, 1, 2), repeat=2))
    for counts in product((1, 2), repeat=2):
        needs = needs_of(cards, counts)
        for one, other in product(amounts, repeat=2):
            held: Balances = {ANN: Reading((A, B), one), BOB: Reading((A, B), other)}
            yield [Stake("kim", (ANN, BOB), needs)], [held], [], []
            yield [Stake("kim", (ANN,), needs), Stake("lee", (BOB,), needs)], [held], [], []
            if all(map(int.__le__, other, one)):
                rest = tuple(mine - theirs for mine, theirs in zip(one, other, strict=True))
                shares = tuple(
                    Share(entry, dict(zip((A, B), units, strict=True)))
                    for entry, units in (("lee", other), ("kim", rest))
                )
                stakes = [Stake("kim", (ANN,), needs), Stake("lee", (ANN,), needs)]
                yield stakes, [{ANN: held[ANN]}], [Split(ANN, shares)], []


def test_in_every_small_world_the_ledger_gives_what_a_maximum_flow_gives() -> None:
    worlds = 0
    for world in chain(alone(), later(), several()):
        stakes, epochs, splits, reserved = world
        allotment = allocate(stakes, epochs, splits=splits, reserved=reserved)
        allocations = list(allotment.all_allocations())
        assert check_allocations(allocations, epochs, splits=splits, reserved=reserved) == [], world
        for stake in stakes:
            wanted, can = sum(need.units for need in stake.needs), most(world, str(stake.entry))
            given = sum(one.units for one in allocations if one.entry == stake.entry)
            missing = sum(one.missing for one in allotment.shortfalls.get(stake.entry, ()))
            assert (given, missing) == (can, wanted - can), world
            assert (allotment.outcome(stake.entry) is Outcome.COVERED) == (can == wanted), world
        worlds += 1
    assert worlds > 10_000
