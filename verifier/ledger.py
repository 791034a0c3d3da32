"""Who may play which unit: so many of a wallet's units are countable, and each of them counts for one entry.

A unit is *countable* if its wallet had it at the first epoch and at every epoch since, up to the newest: the number of
countable units is the minimum of what was read. That is what makes it impossible to show the same units twice: whoever
counts a unit had it at the first epoch, and at one block a unit is in one wallet.

A wallet serves one entry, or several by a *split* that the wallet signed. A split says how many units of each token id
are whose, so every unit belongs to at most one entry before anything is allocated, and allocating is separable: entry
by entry, need by need, with no search, and it finds coverage whenever there is one. (A wallet that served two entries
without saying how would need a maximum flow, and a unit could pass from one entry to the other between two rounds; it
is refused.) Units that another event has set aside are not countable here.

What is not here: who commands a wallet (`verifier.control`), who may use a vault (`verifier.delegation`; its units are
those of the vault's own row), and which token ids stand for a card (a need says that).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from verifier.coverage import Need, Outcome
from verifier.holdings import Address, TokenId

EntryId: TypeAlias = int | str
"""An entry of an event, by whatever name the event gives it; the ledger only compares them."""

Balances: TypeAlias = Mapping[Address, Mapping[TokenId, int]]
"""Units by wallet and token id. What is missing was not read; a wallet that has none has a 0 here."""


@dataclass(frozen=True, slots=True)
class Stake:
    """An entry, the wallets that serve it, and what its deck needs of them together.

    Wallets are those whose units are charged: of a delegation that is the vault, not the wallet that plays.
    """

    entry: EntryId
    wallets: tuple[Address, ...]
    needs: tuple[Need, ...]
    """As `verifier.coverage.sum_needs` gives them: no two share a token id."""


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
    named last go short first.
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
    """At each epoch; None: not read there."""
    share: int | None
    """What of it a split makes this entry's; None: there is no split, so all of it."""
    reservations: tuple[Reservation, ...]
    """Of other events, where they leave this one less than it has."""


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A need of an entry that is not met, or of which it is not known."""

    entry: EntryId
    need: Need
    missing: int
    """Units, at least 1. Where something was not read: if that were all zeros."""
    since: int
    """The first epoch, counted from 1, after which it could not be met."""
    trails: tuple[Trail, ...]
    """By token id in the order of the need, then by wallet in the order of the stake."""
    unread: bool
    """A wallet was not read at the first or the newest epoch, so that nobody knows whether units are missing."""


class Allotment:
    """Who has which units, and who is short of what, at the newest epoch. `allocate` makes one."""

    stakes: tuple[Stake, ...]
    shortfalls: tuple[Shortfall, ...]
    """Of all entries, in the order of the stakes, then of the needs."""

    def outcome(self, entry: EntryId) -> Outcome:
        """Covered, short, or undetermined where a wallet was not read. Raises: KeyError: there is no such entry."""
        raise NotImplementedError

    def allocations(self, entry: EntryId | None = None) -> tuple[Allocation, ...]:
        """Of one entry, or of all: by entry, need, token id, wallet. An entry that is short has what there is.

        They are made when they are asked for: a large event has a million.
        """
        raise NotImplementedError


def countable(epochs: Sequence[Balances]) -> Balances:
    """The least that was read at any epoch, of what was read at the first *and* at the newest one.

    A late entry's wallets are read at the first epoch too, late; those between may be missing.

    Args:
        epochs: what was read at each, from the first.

    Raises:
        ValueError: no epoch.
    """
    raise NotImplementedError


def allocate(
    stakes: Iterable[Stake],
    epochs: Sequence[Balances],
    *,
    splits: Iterable[Split] = (),
    reserved: Iterable[Reservation] = (),
    held: Iterable[Allocation] = (),
) -> Allotment:
    """Set units aside for every entry, so that no unit is set aside twice. The same answer for the same questions.

    Units are taken in the order of a need's token ids, then of the stake's wallets.

    Args:
        stakes: of every entry that plays, and of every one that left: its units are not free for others.
        epochs: what was read at each, from the first.
        splits: of the wallets that serve several entries.
        reserved: what other events have set aside.
        held: what this event had set aside before; it only matters beside reservations that are `younger`.

    Raises:
        LedgerUnsound: a wallet serves two entries without a split, or one that its split does not name; two splits of
            one wallet; an entry twice; a share below zero. All of them at once.
        NeedsOverlap: two needs of an entry share a token id.
        ValueError: no epoch.
    """
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class OverCount:
    """Allocations that break the ledger: a finding, for whoever checks somebody else's."""

    wallet: Address
    token_id: TokenId
    allocated: int
    allowed: int
    entries: tuple[EntryId, ...]
    """Whose allocations they are."""
    problem: str


def check_allocations(
    allocations: Iterable[Allocation],
    epochs: Sequence[Balances],
    *,
    splits: Iterable[Split] = (),
    reserved: Iterable[Reservation] = (),
) -> list[OverCount]:
    """Every way in which allocations break I1 (conservation) or I2 (exclusivity), from nothing but themselves.

    It shares no code with `allocate`, and judges it in tests and evidence.
    """
    raise NotImplementedError
