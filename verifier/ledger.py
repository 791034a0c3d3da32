"""Who may play which unit: so many of a wallet's units are countable, and each of them counts for one entry.

A unit is *countable* if its wallet had it at the first epoch and at every epoch since, up to the newest: the number of
countable units is the minimum of what was read. That is what makes it impossible to show the same units twice: whoever
counts a unit had it at the first epoch, and at one block a unit is in one wallet.

A wallet serves one entry, or several by a *split* that the wallet signed. A split says how many units of each token id
are whose, so every unit belongs to at most one entry before anything is allocated, and allocating is separable: entry
by entry, need by need, with no search, and it finds coverage whenever there is one. (A wallet that served two entries
without saying how would need a maximum flow, and a unit could pass from one entry to the other between two rounds; it
is refused.) Units that another event has set aside are not countable here.

What is not here: who commands a wallet, who may use a vault (its units are those of the vault's own row), and which
token ids stand for a card (a need says that).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import ge
from typing import Final, TypeAlias

from verifier.coverage import Need, Outcome, sum_needs
from verifier.errors import LedgerUnsound
from verifier.holdings import Address, TokenId

EntryId: TypeAlias = int | str
"""An entry of an event, by whatever name the event gives it; the ledger only compares them."""

Balances: TypeAlias = Mapping[Address, Mapping[TokenId, int]]
"""Units by wallet and token id. What is missing was not read; a wallet that has none has a 0 here."""

Place: TypeAlias = tuple[Address, TokenId]

_NOTHING: Final[Mapping[TokenId, int]] = {}


class Reading(Mapping[TokenId, int]):
    """What one wallet holds, as it was answered: token ids and units that run in parallel.

    A mapping like any other. It stays two tuples, since most of a large event is only compared with what is needed,
    and twenty thousand dictionaries take longer to make than to judge.
    """

    __slots__ = ("_found", "token_ids", "units")

    def __init__(self, token_ids: tuple[TokenId, ...], units: tuple[int, ...]) -> None:
        self.token_ids, self.units = token_ids, units
        self._found: dict[TokenId, int] | None = None

    def __getitem__(self, token_id: TokenId) -> int:
        return self.as_dict()[token_id]

    def __iter__(self) -> Iterator[TokenId]:
        return iter(self.token_ids)

    def __len__(self) -> int:
        return len(self.token_ids)

    def __repr__(self) -> str:
        return f"Reading({self.as_dict()})"

    def as_dict(self) -> Mapping[TokenId, int]:
        """The same as a dictionary, which is made once."""
        if self._found is None:
            self._found = dict(zip(self.token_ids, self.units, strict=True))
        return self._found


@dataclass(frozen=True, slots=True)
class Stake:
    """An entry, the wallets that serve it, and what its deck needs of them together.

    Wallets are those whose units are charged: of a delegation that is the vault, not the wallet that plays. A wallet
    that is named twice is one; needs of the same token ids are summed.

    Raises:
        NeedsOverlap: two different cards share a token id.
    """

    entry: EntryId
    wallets: tuple[Address, ...]
    needs: tuple[Need, ...]
    token_ids: tuple[TokenId, ...] = field(init=False, repr=False, compare=False)
    """Of all needs, in their order."""
    _wanted: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _width: int = field(init=False, repr=False, compare=False)
    """How many token ids each need has; 0 where they have not the same number."""

    def __post_init__(self) -> None:
        needs = sum_needs(self.needs)
        widths = {len(need.token_ids) for need in needs}
        for name, value in (
            ("wallets", tuple(dict.fromkeys(self.wallets))),
            ("needs", needs),
            ("token_ids", tuple(chain.from_iterable(need.token_ids for need in needs))),
            ("_wanted", tuple(need.units for need in needs)),
            ("_width", widths.pop() if len(widths) == 1 else 0),
        ):
            object.__setattr__(self, name, value)

    def covered_by(self, reading: Mapping[TokenId, int]) -> bool:
        """Whether a single wallet has it all, seen at a glance. False says nothing."""
        if not isinstance(reading, Reading) or not self._width or reading.token_ids != self.token_ids:
            return False
        if self._width == 1:
            return all(map(ge, reading.units, self._wanted))
        return all(map(ge, map(sum, zip(*[iter(reading.units)] * self._width, strict=True)), self._wanted))


@dataclass(frozen=True, slots=True)
class Share:
    """What of a wallet is one entry's."""

    entry: EntryId
    units: Mapping[TokenId, int]
    """At most so many; a token id that is missing is none."""


@dataclass(frozen=True, slots=True)
class Split:
    """A wallet that serves several entries, as it signed it itself.

    The shares are in the order in which they are served: where the wallet has fewer units than it promised, those
    named last go short first. It must not change while the event goes on, or a unit could pass from one entry to
    another.
    """

    wallet: Address
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Reservation:
    """Units that another event has set aside in a wallet."""

    wallet: Address
    token_id: TokenId
    units: int
    holder: str
    """Who has them, in words: "Sarah in Spring Open"."""
    since: int
    """Seconds since 1970, UTC."""
    younger: bool = False
    """It was made after this event had set units of the same wallet and token id aside. Then what this event `held`
    before goes before it, and only what this event wants beyond that comes after."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """Units of a wallet that are set aside for an entry. Never 0."""

    entry: EntryId
    wallet: Address
    token_id: TokenId
    units: int


@dataclass(frozen=True, slots=True)
class Trail:
    """What became of one token id in one wallet of an entry that is short."""

    wallet: Address
    token_id: TokenId
    units: tuple[int | None, ...]
    """At each epoch, from the first; None: not read there."""
    share: int | None
    """What of it a split makes this entry's; None: there is no split, so all of it."""
    reservations: tuple[Reservation, ...]
    """Of other events."""
    counted: int
    """What is left of it for this entry, after all of these."""


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A need of an entry that is not met, or of which it is not known."""

    entry: EntryId
    need: Need
    missing: int
    """Units, at least 1. Where something was not read: if that were zeros."""
    since: int
    """The first epoch, counted from 1, after which it could not be met."""
    trails: tuple[Trail, ...]
    """By token id in the order of the need, then by wallet in the order of the stake."""

    @property
    def unread(self) -> bool:
        """A wallet was not read at the first or the newest epoch, so nobody knows whether units are missing."""
        return any(None in (trail.units[0], trail.units[-1]) for trail in self.trails)


class Allotment:
    """Who has which units, and who is short of what, at the newest epoch. `allocate` makes one.

    Attributes:
        stakes: of every entry that plays, in the order in which they were given.
        shortfalls: by entry, in that order; of each in the order of the needs. Entries that have all are not in it.
    """

    def __init__(
        self,
        stakes: Mapping[EntryId, Stake],
        shortfalls: Mapping[EntryId, tuple[Shortfall, ...]],
        rows: "Callable[[Stake], _Rows]",
    ) -> None:
        self.stakes, self.shortfalls, self._rows = stakes, shortfalls, rows

    def outcome(self, entry: EntryId) -> Outcome:
        """Covered, short, or undetermined: nothing is known to be missing, and not all was read.

        Raises:
            KeyError: there is no such entry.
        """
        missing = self.shortfalls.get(self.stakes[entry].entry)
        if missing is None:
            return Outcome.COVERED
        return Outcome.UNDETERMINED if all(shortfall.unread for shortfall in missing) else Outcome.SHORT

    def allocations(self, entry: EntryId) -> tuple[Allocation, ...]:
        """Of one entry, by need, token id, wallet. An entry that is short has what there is.

        Raises:
            KeyError: there is no such entry.
        """
        stake = self.stakes[entry]
        return tuple(_taken(stake, self._rows(stake)))

    def all_allocations(self) -> Iterator[Allocation]:
        """Of all entries, made one by one: a large event has a million."""
        return chain.from_iterable(map(self.allocations, self.stakes))


def countable(epochs: Sequence[Balances]) -> Balances:
    """The least that was read at any epoch, of what was read at the first *and* at the newest one.

    A late entry's wallets are read at the first epoch too, late; those between may be missing.

    Args:
        epochs: what was read at each, from the first.

    Raises:
        ValueError: no epoch.
    """
    if not epochs:
        raise ValueError("nothing is countable before the first epoch")
    if len(epochs) == 1:
        return epochs[0]
    newest = epochs[-1]
    return {
        wallet: _least([reading, *(epoch[wallet] for epoch in epochs[1:] if wallet in epoch)])
        for wallet, reading in epochs[0].items()
        if wallet in newest
    }


def _least(readings: list[Mapping[TokenId, int]]) -> Mapping[TokenId, int]:
    """Of one wallet, at the first epoch, those between at which it was read, and the newest."""
    first = readings[0]
    if not isinstance(first, Reading):
        return first if all(reading == first for reading in readings) else _least_of_each(readings)
    units = first.units
    for reading in readings[1:]:
        if not isinstance(reading, Reading) or reading.token_ids != first.token_ids:
            return _least_of_each(readings)
        if reading.units != units:
            units = tuple(map(min, units, reading.units))
    return first if units is first.units else Reading(first.token_ids, units)


def _least_of_each(readings: list[Mapping[TokenId, int]]) -> Mapping[TokenId, int]:
    first, newest = readings[0], readings[-1]
    return {
        token_id: min(reading[token_id] for reading in readings if token_id in reading)
        for token_id in first
        if token_id in newest
    }


def allocate(  # noqa: PLR0913 - all that an event may say, by keyword
    stakes: Iterable[Stake],
    epochs: Sequence[Balances],
    *,
    left: Iterable[Stake] = (),
    splits: Iterable[Split] = (),
    reserved: Iterable[Reservation] = (),
    held: Iterable[Allocation] = (),
) -> Allotment:
    """Set units aside for every entry, so that no unit is set aside twice. The same answer to the same question.

    Units are taken in the order of a need's token ids, then of the stake's wallets.

    Args:
        stakes: of every entry that plays.
        epochs: what was read at each, from the first.
        left: of every entry that played and does not any more. Its wallets are still its own: units that were counted
            for one player of an event never count for another.
        splits: of the wallets that serve several entries.
        reserved: what other events have set aside.
        held: what this event had set aside before; it only matters beside reservations that are `younger`.

    Raises:
        LedgerUnsound: a wallet serves two entries without a split, or one that its split does not name; two splits of
            one wallet; an entry twice; a share below zero. All of them at once.
        ValueError: no epoch.
    """
    playing, splits = tuple(stakes), tuple(splits)
    if found := [*_stake_faults([*playing, *left], splits), *_split_faults(splits)]:
        raise LedgerUnsound(tuple(found))
    rooms = _Rooms(epochs, splits, reserved, held)
    shortfalls = {}
    for stake in playing:
        if len(stake.wallets) == 1 and rooms.covers_alone(stake):
            continue
        short = tuple(rooms.shortfalls(stake))
        if short:
            shortfalls[stake.entry] = short
    return Allotment({stake.entry: stake for stake in playing}, shortfalls, rooms.rows)


_Rows: TypeAlias = list[tuple[Address, Mapping[TokenId, int]]]
"""The wallets of a stake, and what of each is there for its entry."""


class _Rooms:
    """How many units of a place there are for an entry."""

    def __init__(
        self,
        epochs: Sequence[Balances],
        splits: Iterable[Split],
        reserved: Iterable[Reservation],
        held: Iterable[Allocation],
    ) -> None:
        self._epochs, self._countable = epochs, countable(epochs)
        self._splits = {split.wallet: split for split in splits}
        self._reserved: dict[Place, list[Reservation]] = {}
        for reservation in reserved:
            self._reserved.setdefault((reservation.wallet, reservation.token_id), []).append(reservation)
        self._held: Counter[Place] = Counter()
        if self._reserved:
            for allocation in held:
                self._held[allocation.wallet, allocation.token_id] += allocation.units
        self._claimed = self._splits.keys() | {wallet for wallet, _ in self._reserved}
        """Wallets that somebody else has a part of."""

    def covers_alone(self, stake: Stake) -> bool:
        """Whether the one wallet of a stake has it all, seen at a glance. False says nothing."""
        [wallet] = stake.wallets
        reading = self._countable.get(wallet)
        return reading is not None and wallet not in self._claimed and stake.covered_by(reading)

    def rows(self, stake: Stake) -> _Rows:
        return [(wallet, self._row(stake, wallet)) for wallet in stake.wallets]

    def shortfalls(self, stake: Stake) -> Iterator[Shortfall]:
        rows = [row for _, row in self.rows(stake)]
        for need in stake.needs:
            missing = need.units
            for token_id in need.token_ids:
                for row in rows:
                    missing -= row.get(token_id, 0)
            if missing > 0:
                trails = tuple(self._trail(stake, wallet, i) for i in need.token_ids for wallet in stake.wallets)
                yield Shortfall(stake.entry, need, missing, self._since(stake.entry, need, trails), trails)

    def _row(self, stake: Stake, wallet: Address) -> Mapping[TokenId, int]:
        reading = self._countable.get(wallet, _NOTHING)
        units = reading.as_dict() if isinstance(reading, Reading) else reading
        if wallet not in self._claimed:
            return units
        return {i: self._part(stake.entry, (wallet, i), units.get(i, 0)) for i in stake.token_ids}

    def _part(self, entry: EntryId, place: Place, units: int) -> int:
        """What of so many countable units is the entry's."""
        left = self._free(place, units)
        split = self._splits.get(place[0])
        if split is None:
            return left
        for share in split.shares:
            part = min(left, share.units.get(place[1], 0))
            if share.entry == entry:
                return part
            left -= part
        return 0

    def _free(self, place: Place, units: int) -> int:
        """What other events leave of so many countable units."""
        older = younger = 0
        for reservation in self._reserved.get(place, ()):
            if reservation.younger:
                younger += reservation.units
            else:
                older += reservation.units
        return max(0, units - older - younger, min(units - older, self._held[place]))

    def _trail(self, stake: Stake, wallet: Address, token_id: TokenId) -> Trail:
        place = wallet, token_id
        units = tuple(epoch.get(wallet, _NOTHING).get(token_id) for epoch in self._epochs)
        split = self._splits.get(wallet)
        shares = {share.entry: share.units.get(token_id, 0) for share in split.shares} if split else {}
        return Trail(
            wallet=wallet,
            token_id=token_id,
            units=units,
            share=shares[stake.entry] if split else None,
            reservations=tuple(self._reserved.get(place, ())),
            counted=self._part(stake.entry, place, _least_until(units, len(units))),
        )

    def _since(self, entry: EntryId, need: Need, trails: tuple[Trail, ...]) -> int:
        """The first epoch after which the trails no longer met the need."""
        for epoch in range(1, len(self._epochs)):
            parts = (self._part(entry, (one.wallet, one.token_id), _least_until(one.units, epoch)) for one in trails)
            if sum(parts) < need.units:
                return epoch
        return len(self._epochs)


def _least_until(units: tuple[int | None, ...], epoch: int) -> int:
    """Countable units after so many epochs; 0 where the first or the newest of all was not read."""
    if None in (units[0], units[-1]):
        return 0
    return min(each for each in units[:epoch] if each is not None)


def _taken(stake: Stake, rows: _Rows) -> Iterator[Allocation]:
    for need in stake.needs:
        left = need.units
        for token_id in need.token_ids:
            for wallet, row in rows:
                taken = min(left, row.get(token_id, 0))
                if taken:
                    yield Allocation(stake.entry, wallet, token_id, taken)
                    left -= taken


# --- what is not sound


def _stake_faults(stakes: Sequence[Stake], splits: Sequence[Split]) -> Iterator[str]:
    entries: set[EntryId] = set()
    served: dict[Address, list[EntryId]] = {}
    for stake in stakes:
        if stake.entry in entries:
            yield f"entry {stake.entry} has two stakes; give it one, with all its wallets"
        entries.add(stake.entry)
        for wallet in stake.wallets:
            served.setdefault(wallet, []).append(stake.entry)
    named = {split.wallet: [share.entry for share in split.shares] for split in splits}
    for wallet, those in served.items():
        if wallet in named:
            for entry in those:
                if entry not in named[wallet]:
                    yield f"{wallet} serves entry {entry}, which its split does not name"
        elif len(set(those)) > 1:
            yield f"{wallet} serves entries {', '.join(map(str, those))}; one wallet serves one, or signs a split"


def _split_faults(splits: Sequence[Split]) -> Iterator[str]:
    for wallet, many in Counter(split.wallet for split in splits).items():
        if many > 1:
            yield f"{wallet} has {many} splits; the one that counts has to be chosen"
    for split in splits:
        for entry, many in Counter(share.entry for share in split.shares).items():
            if many > 1:
                yield f"the split of {split.wallet} names entry {entry} {many} times"
        for share in split.shares:
            for token_id, units in share.units.items():
                if units < 0:
                    yield f"the split of {split.wallet} gives entry {share.entry} {units} units of token id {token_id}"


@dataclass(frozen=True, slots=True)
class AllocationFault:
    """One way in which allocations break the ledger: a finding."""

    wallet: Address
    token_id: TokenId | None
    """None: it is about the wallet."""
    entries: tuple[EntryId, ...]
    """Whose allocations they are."""
    problem: str


def check_allocations(
    allocations: Iterable[Allocation],
    epochs: Sequence[Balances],
    *,
    splits: Iterable[Split] = (),
    reserved: Iterable[Reservation] = (),
    held: Iterable[Allocation] = (),
) -> list[AllocationFault]:
    """Every way in which allocations count a unit twice, or one that is not countable.

    It shares no code with `allocate`, which it judges in tests; and whoever has an event's evidence judges the event.
    """
    allocated: _Allocated = {}
    for one in allocations:
        at_place = allocated.setdefault((one.wallet, one.token_id), {})
        at_place[one.entry] = at_place.get(one.entry, 0) + one.units
    shares = {split.wallet: {share.entry: share.units for share in split.shares} for split in splits}
    return [
        *_not_there(allocated, _allowed(epochs, reserved, held)),
        *_beyond_a_share(allocated, shares),
        *_without_a_split(allocated, shares),
    ]


_Allocated: TypeAlias = dict[Place, dict[EntryId, int]]


def _allowed(
    epochs: Sequence[Balances], reserved: Iterable[Reservation], held: Iterable[Allocation]
) -> Callable[[Place], int]:
    older: Counter[Place] = Counter()
    younger: Counter[Place] = Counter()
    ours: Counter[Place] = Counter()
    for reservation in reserved:
        (younger if reservation.younger else older)[reservation.wallet, reservation.token_id] += reservation.units
    for one in held:
        ours[one.wallet, one.token_id] += one.units

    def allowed(place: Place) -> int:
        wallet, token_id = place
        units = [epoch[wallet].get(token_id) if wallet in epoch else None for epoch in epochs]
        known = [each for each in units if each is not None]
        there = 0 if units[0] is None or units[-1] is None else min(known)
        beside_older = there - older[place]
        return max(0, beside_older - younger[place], min(beside_older, ours[place]))

    return allowed


def _not_there(allocated: _Allocated, allowed: Callable[[Place], int]) -> Iterator[AllocationFault]:
    for (wallet, token_id), by_entry in allocated.items():
        total, most = sum(by_entry.values()), allowed((wallet, token_id))
        if total > most:
            problem = f"{total} units are set aside, and {most} may be"
            yield AllocationFault(wallet, token_id, tuple(by_entry), problem)
        for entry, units in by_entry.items():
            if units < 1:
                yield AllocationFault(wallet, token_id, (entry,), f"{units} units are no allocation")


def _beyond_a_share(
    allocated: _Allocated, shares: Mapping[Address, Mapping[EntryId, Mapping[TokenId, int]]]
) -> Iterator[AllocationFault]:
    for (wallet, token_id), by_entry in allocated.items():
        for entry, units in by_entry.items() if wallet in shares else ():
            most = shares[wallet].get(entry, {}).get(token_id, 0)
            if units > most:
                problem = f"{units} units are set aside, and the split gives {most}"
                yield AllocationFault(wallet, token_id, (entry,), problem)


def _without_a_split(allocated: _Allocated, shares: Mapping[Address, object]) -> Iterator[AllocationFault]:
    served: dict[Address, dict[EntryId, None]] = {}
    for (wallet, _), by_entry in allocated.items():
        served.setdefault(wallet, {}).update(dict.fromkeys(by_entry))
    for wallet, entries in served.items():
        if len(entries) > 1 and wallet not in shares:
            yield AllocationFault(wallet, None, tuple(entries), "it serves several entries without a split")
