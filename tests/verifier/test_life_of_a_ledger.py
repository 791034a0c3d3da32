"""Random lives of two events on one chain, against a model in which every NFT unit is an object.

In the model a unit is handed to an entry, once and for the whole event: one that was in the wallet at the event's first
epoch, and that nobody was handed before. If the ledger sets more units aside than the model can hand out, a unit was
counted for two.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

from eth_hash.auto import keccak
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from verifier.addresses import to_checksum
from verifier.coverage import Need, Outcome
from verifier.holdings import Address, TokenId
from verifier.ledger import (
    Allocation,
    Allotment,
    Place,
    Reservation,
    Share,
    Split,
    Stake,
    allocate,
    check_allocations,
)

WALLETS = tuple(to_checksum(keccak(b"wallet %d" % number)[:20]) for number in range(4))
FOO, FOO_BOUND, BAR = IDS = TokenId(1), TokenId(2), TokenId(3)

wallets = st.sampled_from(WALLETS)
token_ids = st.sampled_from(IDS)
amounts = st.integers(1, 3)
events = st.integers(0, 1)
linked = st.lists(wallets, max_size=2, unique=True)
needs = st.tuples(st.integers(0, 4), st.integers(0, 2))
"""Of Foo and of Bar."""


@dataclass(eq=False)
class Unit:
    """One copy of a card."""

    token_id: TokenId
    wallet: Address


Entry: TypeAlias = tuple[int, int]
"""Event and entry."""


@dataclass
class Event:
    """What an installation keeps of an event."""

    stakes: dict[int, Stake] = field(default_factory=dict)
    left: dict[int, Stake] = field(default_factory=dict)
    splits: dict[Address, Split] = field(default_factory=dict)
    epochs: list[dict[Address, dict[TokenId, int]]] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    """At which the epochs are."""
    at_first: dict[Place, list[Unit]] = field(default_factory=dict)
    """Which units were where at the first epoch."""
    handed: dict[Unit, int] = field(default_factory=dict)
    """The model: to which entry, for the whole event."""
    allotment: Allotment | None = None
    since: dict[Place, int] = field(default_factory=dict)
    """When units of a place were first set aside, as the number of a block."""

    @property
    def allocations(self) -> list[Allocation]:
        """Of the newest epoch; of entries that have left since, too."""
        return list(self.allotment.all_allocations()) if self.allotment else []

    def served(self, wallet: Address) -> list[int]:
        """Entries that the wallet was ever linked to."""
        return [number for number, stake in {**self.left, **self.stakes}.items() if wallet in stake.wallets]


class Life(RuleBasedStateMachine):
    """Issues, sales, links, splits, late entries, drops and epochs, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.units: list[Unit] = []
        self.blocks: list[Counter[Place]] = []
        self.events = (Event(), Event())
        self.entries = 0

    @initialize(issued=st.lists(st.integers(0, 3), min_size=12, max_size=12), data=st.data())
    def begin(self, issued: list[int], data: st.DataObject) -> None:
        """Units in all wallets; in each event three entries, of which some share a wallet by a split."""
        for (wallet, token_id), many in zip(product(WALLETS, IDS), issued, strict=True):
            self.units += [Unit(token_id, wallet) for _ in range(many)]
        self.mine()
        for number in (0, 1):
            self._split(number, data.draw(wallets), data)
            self.enter(number, data.draw(linked), data.draw(needs))

    def mine(self) -> None:
        self.blocks.append(Counter((unit.wallet, unit.token_id) for unit in self.units))

    # --- on the chain

    @rule(sender=wallets, recipient=wallets, token_id=token_ids, many=amounts)
    def transfer(self, sender: Address, recipient: Address, token_id: TokenId, many: int) -> None:
        there = [unit for unit in self.units if (unit.wallet, unit.token_id) == (sender, token_id)]
        for unit in there[:many]:
            unit.wallet = recipient
        self.mine()

    @rule(wallet=wallets, token_id=token_ids, many=amounts)
    def issue(self, wallet: Address, token_id: TokenId, many: int) -> None:
        self.units += [Unit(token_id, wallet) for _ in range(many)]
        self.mine()

    # --- in an event

    @rule(number=events, linked=linked, wanted=needs)
    def enter(self, number: int, linked: list[Address], wanted: tuple[int, int]) -> None:
        """With wallets that serve nobody; a vault that delegates is one of them, and serves one entry as any other."""
        event = self.events[number]
        mine = [wallet for wallet in linked if not event.served(wallet)]
        self.entries += 1
        event.stakes[self.entries] = Stake(self.entries, tuple(mine), tuple(self._needs(wanted)))

    def _split(self, number: int, wallet: Address, data: st.DataObject) -> None:
        """Two entries that a wallet signed a split for; they may get other wallets too."""
        event, shares = self.events[number], []
        for _ in range(2):
            self.enter(number, data.draw(linked), data.draw(needs))
            known = event.stakes.pop(self.entries)
            own = [each for each in known.wallets if each != wallet]
            event.stakes[self.entries] = Stake(self.entries, (*own, wallet), known.needs)
            shares.append(Share(self.entries, dict.fromkeys(IDS, data.draw(st.integers(0, 3)))))
        event.splits[wallet] = Split(wallet, tuple(data.draw(st.permutations(shares))))

    @precondition(lambda self: any(event.stakes for event in self.events))
    @rule(data=st.data())
    def drop(self, data: st.DataObject) -> None:
        event = data.draw(st.sampled_from([event for event in self.events if event.stakes]))
        entry = data.draw(st.sampled_from(sorted(event.stakes)))
        event.left[entry] = event.stakes.pop(entry)

    @rule(number=events)
    def epoch(self, number: int) -> None:
        """Everybody who plays is read at the newest block; late entries at the first epoch's too."""
        event, other = self.events[number], self.events[1 - number]
        event.blocks.append(len(self.blocks) - 1)
        if not event.at_first:
            for unit in self.units:
                event.at_first.setdefault((unit.wallet, unit.token_id), []).append(unit)
        playing = {wallet for stake in event.stakes.values() for wallet in stake.wallets}
        event.epochs.append({wallet: self._read(wallet, event.blocks[-1]) for wallet in playing})
        for wallet in playing - event.epochs[0].keys():
            event.epochs[0][wallet] = self._read(wallet, event.blocks[0])
        before = event.allocations
        reserved = list(self._reserved(event, other))
        event.allotment = allocate(
            event.stakes.values(),
            event.epochs,
            left=event.left.values(),
            splits=event.splits.values(),
            reserved=reserved,
            held=before,
        )
        for one in event.allocations:
            event.since.setdefault((one.wallet, one.token_id), event.blocks[-1])
        assert (
            check_allocations(
                event.allocations, event.epochs, splits=event.splits.values(), reserved=reserved, held=before
            )
            == []
        )
        self._hand_out(event)
        self._beside(event, other, before)

    # --- what is always true

    @invariant()
    def nobody_has_more_than_everybody_issued(self) -> None:
        for event in self.events:
            allocated = Counter(dict.fromkeys(IDS, 0))
            for one in event.allocations:
                allocated[one.token_id] += one.units
            supply = Counter(unit.token_id for unit in self.units)
            assert all(allocated[token_id] <= supply[token_id] for token_id in IDS)

    @invariant()
    def whoever_is_covered_has_all_that_is_needed(self) -> None:
        for event in self.events:
            for entry, stake in (event.allotment.stakes if event.allotment else {}).items():
                assert event.allotment is not None
                given: Counter[str] = Counter()
                for one in event.allotment.allocations(entry):
                    given["Bar" if one.token_id == BAR else "Foo"] += one.units
                all_there = all(given[need.card] == need.units for need in stake.needs)
                assert all_there is (event.allotment.outcome(entry) is Outcome.COVERED)

    # --- the model

    def _hand_out(self, event: Event) -> None:
        """Hand every unit that is set aside to its entry: for good, and only what nobody else was handed."""
        together: Counter[Place] = Counter()
        for one in event.allocations:
            place = one.wallet, one.token_id
            together[place] += one.units
            there = event.at_first.get(place, [])
            mine = [unit for unit in there if event.handed.get(unit) == one.entry]
            free = [unit for unit in there if unit not in event.handed]
            assert len(mine) + len(free) >= one.units, f"a unit of {one} counted for somebody else before"
            for unit in free[: max(0, one.units - len(mine))]:
                event.handed[unit] = one.entry
        for place, units in together.items():
            looked = [block for block, read in zip(event.blocks, event.epochs, strict=True) if place[0] in read]
            assert {event.blocks[0], event.blocks[-1]} <= set(looked)
            assert all(self.blocks[block][place] >= units for block in looked), f"{place} was not there at an epoch"

    def _beside(self, event: Event, other: Event, before: list[Allocation]) -> None:
        """What this event took more than before was nobody's in the other one."""
        here = self.blocks[event.blocks[-1]]
        ours, had, theirs = (
            self._by_place(allocations) for allocations in (event.allocations, before, other.allocations)
        )
        for place, units in ours.items():
            if units > had[place]:
                assert units + theirs[place] <= here[place], f"{place} counted in both events"

    def _by_place(self, allocations: list[Allocation]) -> Counter[Place]:
        counted: Counter[Place] = Counter()
        for one in allocations:
            counted[one.wallet, one.token_id] += one.units
        return counted

    def _reserved(self, event: Event, other: Event) -> Iterator[Reservation]:
        for place, units in self._by_place(other.allocations).items():
            younger = event.since.get(place, 10**9) < other.since[place]
            yield Reservation(*place, units, "the other event", other.since[place], younger=younger)

    def _read(self, wallet: Address, block: int) -> dict[TokenId, int]:
        return {token_id: self.blocks[block][wallet, token_id] for token_id in IDS}

    def _needs(self, wanted: tuple[int, int]) -> Iterator[Need]:
        for card, of, units in (("Foo", (FOO, FOO_BOUND), wanted[0]), ("Bar", (BAR,), wanted[1])):
            if units:
                yield Need(card, of, units)


Life.TestCase.settings = settings(max_examples=100, stateful_step_count=15, deadline=None)
TestLifeOfALedger = Life.TestCase
