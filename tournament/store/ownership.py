"""Manifests, epochs, verdicts; and beside the log what wallets held."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from sqlalchemy import delete, func, literal, or_, union_all, update
from sqlalchemy import select as columns
from sqlmodel import Session, col, select

from tournament.domain.lifecycle import Phase
from tournament.store.asking import add_all
from tournament.store.entries import IS_IN
from tournament.tables import (
    AllocationRow,
    BracketRow,
    CutRoundPlayerRow,
    CutRoundRow,
    DeckRow,
    EntryRow,
    EpochRow,
    EventRow,
    HoldingRow,
    ManifestRow,
    RoundRow,
    SealedRow,
    SeatRow,
    SeedRow,
    ShortfallRow,
    VerdictRow,
    WalletRow,
)


def find_manifest(session: Session, event: str) -> ManifestRow | None:
    """What the event promised."""
    return session.get(ManifestRow, event)


def add_manifest(session: Session, row: ManifestRow) -> None:
    """Add what an event promises."""
    session.add(row)


# --- epochs -----------------------------------------------------------------------------------------------------------


def add_epoch(session: Session, row: EpochRow) -> None:
    """Add an epoch."""
    session.add(row)


def find_epoch(session: Session, event: str, number: int) -> EpochRow | None:
    """The epoch of that number."""
    return session.get(EpochRow, (event, number))


def epochs_of(session: Session, event: str) -> Sequence[EpochRow]:
    """Every epoch, in order."""
    return session.exec(select(EpochRow).where(EpochRow.event_id == event).order_by(col(EpochRow.number))).all()


# --- verdicts ---------------------------------------------------------------------------------------------------------


def verdicts_at(session: Session, event: str, epoch: int) -> Mapping[int, VerdictRow]:
    """Every verdict of an epoch, by the number of the entry."""
    rows = session.exec(select(VerdictRow).where(VerdictRow.event_id == event, VerdictRow.epoch == epoch)).all()
    return {row.entry: row for row in rows}


def verdicts_of(session: Session, event: str, entry: int) -> Sequence[VerdictRow]:
    """What was found of an entry at each epoch, in order."""
    query = select(VerdictRow).where(VerdictRow.event_id == event, VerdictRow.entry == entry)
    return session.exec(query.order_by(col(VerdictRow.epoch))).all()


def tallies_of(session: Session, event: str) -> Mapping[int, Mapping[str, int]]:
    """How many of each outcome there are, by epoch."""
    query = select(VerdictRow.epoch, VerdictRow.outcome, func.count()).where(VerdictRow.event_id == event)
    found: dict[int, dict[str, int]] = {}
    for epoch, outcome, count in session.exec(query.group_by(col(VerdictRow.epoch), col(VerdictRow.outcome))):
        found.setdefault(epoch, {})[outcome] = count
    return found


def looked_at(session: Session, event: str, entries: Collection[int]) -> Sequence[int]:
    """Those of the entries of whom an epoch says something."""
    query = select(VerdictRow.entry).where(VerdictRow.event_id == event, col(VerdictRow.entry).in_(entries)).distinct()
    return session.exec(query.order_by(col(VerdictRow.entry))).all()


def add_verdicts(session: Session, event: str, epoch: int, rows: Iterable[VerdictRow]) -> None:
    """Add verdicts of an epoch, each instead of an older one of the same entry."""
    rows = list(rows)
    for part in _parts([row.entry for row in rows]):
        session.execute(
            delete(VerdictRow).where(
                col(VerdictRow.event_id) == event, col(VerdictRow.epoch) == epoch, col(VerdictRow.entry).in_(part)
            )
        )
    add_all(session, VerdictRow, rows)


def override_verdicts(session: Session, event: str, epoch: int, entries: Collection[int], sequence: int) -> None:
    """Let these entries play by the word of a judge."""
    for part in _parts(sorted(entries)):
        session.execute(
            update(VerdictRow)
            .where(col(VerdictRow.event_id) == event, col(VerdictRow.epoch) == epoch, col(VerdictRow.entry).in_(part))
            .values(overridden=sequence)
        )


def forget_verdicts(session: Session, event: str, *, since: int) -> None:
    """Forget what was found at an epoch and all later ones."""
    session.execute(delete(VerdictRow).where(col(VerdictRow.event_id) == event, col(VerdictRow.epoch) >= since))


def forget_outcome(session: Session, event: str, epoch: int, entries: Collection[int], outcome: str) -> None:
    """Forget what was found of those of these entries who have that outcome at an epoch."""
    for part in _parts(sorted(entries)):
        session.execute(
            delete(VerdictRow).where(
                col(VerdictRow.event_id) == event,
                col(VerdictRow.epoch) == epoch,
                col(VerdictRow.outcome) == outcome,
                col(VerdictRow.entry).in_(part),
            )
        )


T = TypeVar("T")
_PART: Final = 20_000
"""Numbers in one statement; every database takes so many."""


def _parts(items: Sequence[T]) -> Iterable[Sequence[T]]:
    return (items[at : at + _PART] for at in range(0, len(items), _PART))


# --- what wallets held ------------------------------------------------------------------------------------------------


MOST_EPOCHS: Final = 1 << 31
"""More than an event has."""


def least_before(session: Session, event: str, epoch: int, *, since: int = 0) -> Mapping[str, tuple[str, str]]:
    """The token ids of every wallet, and the least it held of them at any epoch before that one, by address.

    Of wallets that were read after epoch `since`.
    """
    newest = (
        select(HoldingRow.wallet, func.max(HoldingRow.epoch).label("epoch"))
        .where(HoldingRow.event_id == event, HoldingRow.epoch < epoch, HoldingRow.epoch > since)
        .group_by(col(HoldingRow.wallet))
        .subquery()
    )
    query = (
        select(HoldingRow.wallet, HoldingRow.token_ids, HoldingRow.least)
        .join(newest, (col(HoldingRow.wallet) == newest.c.wallet) & (col(HoldingRow.epoch) == newest.c.epoch))
        .where(HoldingRow.event_id == event)
    )
    return {wallet: (token_ids, least) for wallet, token_ids, least in session.exec(query)}


def holdings_of(session: Session, event: str, wallets: Collection[str]) -> Sequence[HoldingRow]:
    """What these wallets held at each epoch, in order."""
    query = select(HoldingRow).where(HoldingRow.event_id == event, col(HoldingRow.wallet).in_(wallets))
    return session.exec(query.order_by(col(HoldingRow.epoch), col(HoldingRow.wallet))).all()


def holdings_at(session: Session, event: str, epoch: int) -> Sequence[HoldingRow]:
    """What wallets held at one epoch."""
    return session.exec(select(HoldingRow).where(HoldingRow.event_id == event, HoldingRow.epoch == epoch)).all()


def replace_holdings(session: Session, event: str, epoch: int, rows: Sequence[HoldingRow]) -> None:
    """Keep what wallets held at an epoch, each instead of what was kept of it before."""
    _delete_wallets(session, event, epoch, [row.wallet for row in rows])
    add_all(session, HoldingRow, rows)


def newest_after(session: Session, event: str, epoch: int) -> Mapping[str, tuple[str, str]] | None:
    """The least of every wallet by the newest epoch after that one at which it was read; None: none was read."""
    later = select(EpochRow.number).where(
        EpochRow.event_id == event, EpochRow.number > epoch, col(EpochRow.read).is_not(None)
    )
    if session.exec(later.limit(1)).first() is None:
        return None
    return least_before(session, event, MOST_EPOCHS, since=epoch)


def lower_least(session: Session, event: str, epoch: int, least: Mapping[str, Mapping[int, int]]) -> None:
    """An epoch was read after later ones: what could not be counted there counts at none of them.

    Args:
        session: to write.
        event: whose.
        epoch: that was read.
        least: of its wallets, by token id.
    """
    query = select(HoldingRow).where(HoldingRow.event_id == event, HoldingRow.epoch > epoch)
    for row in session.exec(query):
        most = least.get(row.wallet)
        if most is not None:
            both = zip(map(int, row.token_ids.split()), map(int, row.least.split()), strict=True)
            row.least = " ".join(str(min(units, most.get(token, units))) for token, units in both)
            session.add(row)


def forget_holdings(session: Session, event: str, *, since: int) -> None:
    """Forget what wallets held at an epoch and all later ones, and what they lacked."""
    for table in (HoldingRow, ShortfallRow):
        session.execute(delete(table).where(col(table.event_id) == event, col(table.epoch) >= since))


def _delete_wallets(session: Session, event: str, epoch: int, wallets: Sequence[str]) -> None:
    for at in range(0, len(wallets), _PART):
        session.execute(
            delete(HoldingRow).where(
                col(HoldingRow.event_id) == event,
                col(HoldingRow.epoch) == epoch,
                col(HoldingRow.wallet).in_(wallets[at : at + _PART]),
            )
        )


def forget_held(session: Session, event: str, entries: Collection[int], wallets: Collection[str]) -> None:
    """Forget what these wallets held, and what of it was set aside for these entries, or lacked; for good."""
    for addresses in _parts(sorted(wallets)):
        for table in (HoldingRow, AllocationRow):
            session.execute(delete(table).where(col(table.event_id) == event, col(table.wallet).in_(addresses)))
    for part in _parts(sorted(entries)):
        for of_entry in (AllocationRow, ShortfallRow):
            session.execute(delete(of_entry).where(col(of_entry.event_id) == event, col(of_entry.entry).in_(part)))


# --- what is set aside ------------------------------------------------------------------------------------------------


def allocations_of(session: Session, event: str) -> Sequence[AllocationRow]:
    """What is set aside for every entry of an event."""
    query = select(AllocationRow).where(AllocationRow.event_id == event)
    return session.exec(query.order_by(col(AllocationRow.entry), col(AllocationRow.wallet))).all()


def replace_allocations(
    session: Session, event: str, entries: Collection[int] | None, rows: Iterable[AllocationRow]
) -> None:
    """Set units aside anew, for all entries of an event or for these."""
    mine = col(AllocationRow.event_id) == event
    if entries is None:
        session.execute(delete(AllocationRow).where(mine))
    else:
        for part in _parts(sorted(entries)):
            session.execute(delete(AllocationRow).where(mine, col(AllocationRow.entry).in_(part)))
    add_all(session, AllocationRow, rows)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Units that another event has set aside in a wallet which serves an entry of this one, too."""

    event: str
    entry: int
    wallet: str
    units: str
    since: int


def reserved_elsewhere(session: Session, event: str, collection: str) -> Sequence[Elsewhere]:
    """What of a collection other events have set aside in wallets of this one, while they go on, for who still plays.

    Nobody else sets anything aside until this transaction ends, so two events never count one unit.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock(_LOCK_OF_UNITS)))
    ours = (
        select(SealedRow.text)
        .join(
            WalletRow,
            (col(SealedRow.event_id) == col(WalletRow.event_id)) & (col(SealedRow.digest) == col(WalletRow.commitment)),
        )
        .where(WalletRow.event_id == event)
    )
    query = (
        select(AllocationRow)
        .join(EventRow, col(EventRow.id) == col(AllocationRow.event_id))
        .join(
            EntryRow,
            (col(EntryRow.event_id) == col(AllocationRow.event_id))
            & (col(EntryRow.number) == col(AllocationRow.entry)),
        )
        .where(
            AllocationRow.event_id != event,
            AllocationRow.collection == collection,
            col(EventRow.phase).not_in([Phase.FINISHED.value, Phase.VOID.value]),
            *IS_IN,
            col(AllocationRow.wallet).in_(ours),
        )
        .order_by(col(AllocationRow.since), col(AllocationRow.event_id), col(AllocationRow.entry))
    )
    return [Elsewhere(row.event_id, row.entry, row.wallet, row.units, row.since) for row in session.exec(query)]


def let_go(session: Session, event: str, collection: str, wallets: Collection[str], *, since: int) -> None:
    """Units of these wallets that other events had set aside for who left, or that are over, count as set aside later.

    They are this event's now; if the player comes back, or the event goes on, they are not theirs first.

    Args:
        session: to write.
        event: that sets them aside now.
        collection: of which collection.
        wallets: in which.
        since: seconds since 1970.
    """
    playing = (
        select(EntryRow.number)
        .join(EventRow, col(EventRow.id) == col(EntryRow.event_id))
        .where(
            EntryRow.event_id == AllocationRow.event_id,
            EntryRow.number == AllocationRow.entry,
            col(EventRow.phase).not_in([Phase.FINISHED.value, Phase.VOID.value]),
            *IS_IN,
        )
    )
    for part in _parts(sorted(wallets)):
        session.execute(
            update(AllocationRow)
            .where(
                col(AllocationRow.event_id) != event,
                col(AllocationRow.collection) == collection,
                col(AllocationRow.wallet).in_(part),
                col(AllocationRow.since) < since,
                ~playing.exists(),
            )
            .values(since=since)
            .execution_options(synchronize_session=False)
        )


_LOCK_OF_UNITS: Final = 0x6465636B
"""A number that no other lock of this program has."""


# --- what was lacking -------------------------------------------------------------------------------------------------


def shortfalls_of(session: Session, event: str, entry: int) -> Mapping[int, str]:
    """What an entry lacked, by epoch."""
    query = select(ShortfallRow.epoch, ShortfallRow.text)
    return dict(session.exec(query.where(ShortfallRow.event_id == event, ShortfallRow.entry == entry)).all())


def all_shortfalls(session: Session, event: str) -> Sequence[ShortfallRow]:
    """What every entry lacked, by epoch and entry."""
    query = select(ShortfallRow).where(ShortfallRow.event_id == event)
    return session.exec(query.order_by(col(ShortfallRow.epoch), col(ShortfallRow.entry))).all()


def replace_shortfalls(
    session: Session, event: str, epoch: int, entries: Collection[int], rows: Iterable[ShortfallRow]
) -> None:
    """Keep what these entries lacked at an epoch; those without a row lacked nothing."""
    for part in _parts(sorted(entries)):
        session.execute(
            delete(ShortfallRow).where(
                col(ShortfallRow.event_id) == event,
                col(ShortfallRow.epoch) == epoch,
                col(ShortfallRow.entry).in_(part),
            )
        )
    add_all(session, ShortfallRow, rows)


# --- who is looked at -------------------------------------------------------------------------------------------------


def listed_of(session: Session, event: str) -> Mapping[int, str]:
    """The commitment of the list that counts, by entry."""
    query = select(DeckRow.entry, DeckRow.commitment).where(DeckRow.event_id == event)
    return {entry: commitment for entry, commitment in session.exec(query) if commitment is not None}


def serving_of(session: Session, event: str) -> Mapping[int, Sequence[tuple[str, str | None, str | None]]]:
    """Commitments of wallets, whom they vouch for, and digests of their shares, by entry."""
    query = select(WalletRow.entry, WalletRow.commitment, WalletRow.vouches_for, WalletRow.share)
    found: dict[int, list[tuple[str, str | None, str | None]]] = {}
    for entry, commitment, vouches_for, share in session.exec(query.where(WalletRow.event_id == event)):
        found.setdefault(entry, []).append((commitment, vouches_for, share))
    return {entry: sorted(those, key=lambda one: one[0]) for entry, those in found.items()}


def lists_of(session: Session, event: str) -> Mapping[str, str]:
    """The texts of the lists that count, by commitment; an erased one is empty."""
    query = (
        select(SealedRow.digest, SealedRow.text)
        .join(
            DeckRow,
            (col(SealedRow.event_id) == col(DeckRow.event_id)) & (col(SealedRow.digest) == col(DeckRow.commitment)),
        )
        .where(DeckRow.event_id == event)
    )
    return dict(session.exec(query).all())


def numbers_in(session: Session, event: str) -> Sequence[int]:
    """The numbers of everybody who has a place and did not leave."""
    query = select(EntryRow.number).where(EntryRow.event_id == event, *IS_IN)
    return session.exec(query.order_by(col(EntryRow.number))).all()


def seated_in(session: Session, event: str, number: int) -> frozenset[int]:
    """The numbers of everybody with a table or a bye in a round, published or not."""
    chairs = columns(*(getattr(SeatRow, chair) for chair in SeatRow.CHAIRS))
    query = chairs.where(col(SeatRow.event_id) == event, col(SeatRow.round) == number)
    return frozenset(player for seat in session.execute(query) for player in seat if player is not None)


# --- what was proven --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Proof:
    """A round that was begun, or the cut, and how many of its players were proven how."""

    round: int | None
    """None: the cut."""
    epoch: int | None
    """That opened it."""
    is_read: bool = False
    covered: int = 0
    short: int = 0
    judged: int = 0
    """A judge let them play, since it could not be found out."""
    undecided: int = 0
    cut_round: int = 0
    """Of the cut, from 1; 0: it is none."""


def proofs_of(session: Session, events: Sequence[str]) -> Mapping[str, Sequence[Proof]]:
    """The rounds that were begun, in order, the cut last, by event."""
    if not events:
        return {}
    both = union_all(
        *(
            columns(col(SeatRow.event_id), col(SeatRow.round), entry.label("entry")).where(
                col(SeatRow.event_id).in_(events), entry.is_not(None)
            )
            for entry in (col(getattr(SeatRow, chair)) for chair in SeatRow.CHAIRS)
        )
    ).subquery()
    rounds = (
        columns(
            col(RoundRow.event_id),
            col(RoundRow.number).label("round"),
            literal(0).label("cut_round"),
            col(RoundRow.epoch),
            both.c.entry,
        )
        .join(both, (both.c.event_id == col(RoundRow.event_id)) & (both.c.round == col(RoundRow.number)))
        .where(col(RoundRow.published_at).is_not(None))
    )
    cuts = columns(
        col(SeedRow.event_id),
        literal(None).label("round"),
        literal(1).label("cut_round"),
        col(BracketRow.epoch),
        col(SeedRow.entry),
    ).join(BracketRow, col(BracketRow.event_id) == col(SeedRow.event_id))
    later: Any = columns(
        col(CutRoundRow.event_id),
        literal(None).label("round"),
        col(CutRoundRow.round).label("cut_round"),
        col(CutRoundRow.epoch),
        col(CutRoundPlayerRow.entry),
    ).join(
        CutRoundPlayerRow,
        (col(CutRoundPlayerRow.event_id) == col(CutRoundRow.event_id))
        & (col(CutRoundPlayerRow.round) == col(CutRoundRow.round)),
    )
    found: dict[str, list[Proof]] = {}
    for played in (
        rounds,
        cuts.where(col(SeedRow.event_id).in_(events)),
        later.where(col(CutRoundRow.event_id).in_(events)),
    ):
        for row in session.execute(_counted(played.subquery())):
            _add(found.setdefault(row.event_id, []), row)
    return found


def _counted(played: Any) -> Any:  # noqa: ANN401 - SQLAlchemy's
    """Of each round: how many players, by what was found of them."""
    groups: tuple[Any, ...] = (
        played.c.event_id,
        played.c.round,
        played.c.cut_round,
        played.c.epoch,
        col(EpochRow.read).is_not(None).label("is_read"),
        or_(col(EpochRow.overridden).is_not(None), col(VerdictRow.overridden).is_not(None)).label("judged"),
        col(VerdictRow.outcome).label("outcome"),
    )
    return (
        columns(*groups, func.count().label("players"))
        .select_from(played)
        .outerjoin(EpochRow, (col(EpochRow.event_id) == played.c.event_id) & (col(EpochRow.number) == played.c.epoch))
        .outerjoin(
            VerdictRow,
            (col(VerdictRow.event_id) == played.c.event_id)
            & (col(VerdictRow.epoch) == played.c.epoch)
            & (col(VerdictRow.entry) == played.c.entry),
        )
        .group_by(*groups)
        .order_by(played.c.event_id, played.c.round, played.c.cut_round)
    )


def _add(rounds: list[Proof], row: Any) -> None:  # noqa: ANN401 - SQLAlchemy's
    if not rounds or (rounds[-1].round, rounds[-1].cut_round) != (row.round, row.cut_round):
        rounds.append(Proof(row.round, row.epoch, bool(row.is_read), cut_round=row.cut_round))
    proof = rounds[-1]
    if row.outcome == "covered":
        proof.covered += row.players
    elif row.outcome == "short":
        proof.short += row.players
    elif row.judged:
        proof.judged += row.players
    else:
        proof.undecided += row.players
