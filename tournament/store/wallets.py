"""Wallets of entries, with their addresses from beside the log; texts that they sign, and who is signed in by one."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import String, bindparam, delete, func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from tournament.store.asking import add_all, deleted, pages
from tournament.store.entries import IS_IN
from tournament.store.group import Known, known
from tournament.tables import ChallengeRow, EntryRow, KnownWalletRow, PlayerBrowserRow, SealedRow, WalletRow

_IS_LENT: Final = ~col(WalletRow.signs_in) & col(WalletRow.vouches_for).is_(None)
"""A share that another entry lets this one have."""


@dataclass(frozen=True, slots=True)
class LinkedWallet:
    """A wallet of an entry."""

    entry: int
    commitment: str
    address: str
    """In EIP-55 form; empty once it is erased, or where it stayed with another server."""
    linked: int
    vouches_for: str | None
    share: str | None
    """The text of the share, or None: there is none. Empty once it is erased."""
    signs_in: bool = True
    level: str | None = None
    place: int = 0
    """Of a share: when it is served."""


def wallets_of(session: Session, event: str, entry: int | None = None) -> Sequence[LinkedWallet]:
    """Wallets of all entries, or of one: by entry, in the order in which they were linked."""
    query = (
        select(WalletRow, SealedRow.text)
        .join(
            SealedRow,
            (col(SealedRow.event_id) == col(WalletRow.event_id)) & (col(SealedRow.digest) == col(WalletRow.commitment)),
            isouter=True,
        )
        .where(WalletRow.event_id == event)
        .order_by(col(WalletRow.entry), col(WalletRow.linked), col(WalletRow.commitment))
    )
    if entry is not None:
        query = query.where(WalletRow.entry == entry)
    rows = session.exec(query).all()
    shares = _texts(session, event, [row.share for row, _ in rows if row.share is not None])
    return [
        LinkedWallet(
            row.entry,
            row.commitment,
            address or "",
            row.linked,
            row.vouches_for,
            None if row.share is None else shares.get(row.share, ""),
            row.signs_in,
            row.level,
            row.place,
        )
        for row, address in rows
    ]


def _texts(session: Session, event: str, digests: Sequence[str]) -> dict[str, str]:
    if not digests:
        return {}
    query = select(SealedRow.digest, SealedRow.text)
    return dict(session.exec(query.where(SealedRow.event_id == event, col(SealedRow.digest).in_(digests))).all())


def find_wallet(session: Session, event: str, entry: int, commitment: str) -> WalletRow | None:
    """A wallet of an entry."""
    return session.get(WalletRow, (event, entry, commitment))


def wallet_rows(session: Session, event: str, *, commitment: str) -> Sequence[WalletRow]:
    """Whom a wallet serves, by entry."""
    query = select(WalletRow).where(WalletRow.event_id == event, WalletRow.commitment == commitment)
    return session.exec(query.order_by(col(WalletRow.entry))).all()


def rows_of_entry(session: Session, event: str, entry: int) -> Sequence[WalletRow]:
    """An entry's wallets, in the order in which they were linked."""
    query = select(WalletRow).where(WalletRow.event_id == event, WalletRow.entry == entry)
    return session.exec(query.order_by(col(WalletRow.linked), col(WalletRow.commitment))).all()


def wallets_in(session: Session, event: str, entry: int) -> int:
    """How many wallets and vaults an entry has itself."""
    query = select(func.count()).select_from(WalletRow).where(WalletRow.event_id == event, WalletRow.entry == entry)
    return session.exec(query.where(~_IS_LENT)).one()


def lent_to(session: Session, event: str, entries: Collection[int]) -> Mapping[int, int]:
    """How many shares others let these entries have; without those that have none."""
    query = select(WalletRow.entry, func.count()).where(
        WalletRow.event_id == event, col(WalletRow.entry).in_(entries), _IS_LENT
    )
    return dict(session.exec(query.group_by(col(WalletRow.entry))).all())


def lending(session: Session, event: str, entries: Collection[int]) -> frozenset[int]:
    """Those of the entries whose wallets serve somebody else, too, who still plays."""
    lent = aliased(WalletRow)
    query = (
        select(WalletRow.entry)
        .join(
            lent, (col(lent.event_id) == col(WalletRow.event_id)) & (col(lent.commitment) == col(WalletRow.commitment))
        )
        .join(EntryRow, (col(EntryRow.event_id) == col(lent.event_id)) & (col(EntryRow.number) == col(lent.entry)))
        .where(WalletRow.event_id == event, col(WalletRow.entry).in_(entries), ~_IS_LENT, *IS_IN)
        .where(col(lent.entry) != col(WalletRow.entry))
    )
    return frozenset(session.exec(query))


def add_wallets(session: Session, rows: Iterable[WalletRow]) -> None:
    """Let wallets serve."""
    add_all(session, WalletRow, rows)


def delete_wallets(session: Session, event: str, commitments: Collection[str], *, entry: int | None = None) -> None:
    """Let wallets serve an entry no longer, or nobody."""
    gone = delete(WalletRow).where(col(WalletRow.event_id) == event, col(WalletRow.commitment).in_(commitments))
    session.execute(gone if entry is None else gone.where(col(WalletRow.entry) == entry))


def move_wallets(session: Session, event: str, entry: int, *, to: int) -> None:
    """Let an entry's wallets serve another one, which keeps what it has of those that it has itself, and signs in."""
    there = {row.commitment: row for row in rows_of_entry(session, event, to)}
    moved = []
    for row in rows_of_entry(session, event, entry):
        session.delete(row)
        if row.commitment not in there:
            moved.append(WalletRow(**row.model_dump() | {"entry": to}))
        elif row.signs_in:
            there[row.commitment].signs_in = True
    session.flush()
    add_all(session, WalletRow, moved)


def known_wallet(session: Session, event: str, address: str) -> KnownWalletRow | None:
    """The commitment by which an event knows a wallet."""
    return session.get(KnownWalletRow, (event, address))


def save_known_wallet(session: Session, row: KnownWalletRow) -> None:
    """Know a wallet."""
    session.merge(row)


def know_wallets(session: Session, event: str) -> None:
    """Know the wallets of an event that was brought along, as far as their addresses came with it."""
    there = {
        address: commitment for commitment, address in session.exec(_ADDRESSES, params={"event": event}) if address
    }
    rows = [KnownWalletRow(event_id=event, address=address, commitment=known) for address, known in there.items()]
    add_all(session, KnownWalletRow, rows)


_ADDRESSES: Final = (
    select(WalletRow.commitment, SealedRow.text)
    .join(
        SealedRow,
        (col(SealedRow.event_id) == col(WalletRow.event_id)) & (col(SealedRow.digest) == col(WalletRow.commitment)),
    )
    .where(col(WalletRow.event_id) == bindparam("event", type_=String))
)


def forget_wallets(session: Session, event: str, commitments: Collection[str]) -> None:
    """Know the wallets of those commitments no more, and sign out who signed in by one."""
    session.execute(
        delete(PlayerBrowserRow).where(
            col(PlayerBrowserRow.event_id) == event, col(PlayerBrowserRow.commitment).in_(commitments)
        )
    )
    session.execute(
        delete(KnownWalletRow).where(
            col(KnownWalletRow.event_id) == event, col(KnownWalletRow.commitment).in_(commitments)
        )
    )


def forget_known(session: Session, event: str, commitments: Collection[str]) -> list[str]:
    """Know the wallets of these commitments no more, however many; the addresses that they had."""
    rows = session.exec(select(KnownWalletRow).where(KnownWalletRow.event_id == event)).all()
    gone = [row for row in rows if row.commitment in commitments]
    for row in gone:
        session.delete(row)
    session.flush()
    return [row.address for row in gone]


def forget_sign_ins(session: Session, event: str, entries: Collection[int]) -> None:
    """Sign out whoever is signed in by a wallet of these entries, and forget texts that wait for their wallets."""
    for page in pages(entries):
        for table in (PlayerBrowserRow, ChallengeRow):
            session.execute(delete(table).where(col(table.event_id) == event, col(table.entry).in_(page)))


def signs_in_as(session: Session, event: str, address: str) -> WalletRow | None:
    """The wallet by which somebody who controls that address signs in to an event."""
    query = (
        select(WalletRow)
        .join(
            KnownWalletRow,
            (col(KnownWalletRow.event_id) == col(WalletRow.event_id))
            & (col(KnownWalletRow.commitment) == col(WalletRow.commitment)),
        )
        .where(KnownWalletRow.event_id == event, KnownWalletRow.address == address, col(WalletRow.signs_in))
    )
    return session.exec(query.order_by(col(WalletRow.entry))).first()


# --- texts to sign ----------------------------------------------------------------------------------------------------


def add_challenge(session: Session, row: ChallengeRow) -> None:
    """Keep a text until it is answered."""
    session.add(row)


def find_challenge(session: Session, nonce: str) -> ChallengeRow | None:
    """The text of that nonce."""
    return session.get(ChallengeRow, nonce)


def take_challenge(session: Session, nonce: str) -> bool:
    """Use a text up; whether nobody else did."""
    return bool(deleted(session, delete(ChallengeRow).where(col(ChallengeRow.nonce) == nonce)))


# --- who is signed in by a wallet -------------------------------------------------------------------------------------


def save_player_browser(session: Session, row: PlayerBrowserRow) -> None:
    """Add a browser that is signed in."""
    session.add(row)


def players_shown(session: Session, digests: Collection[str], *, now: str) -> dict[str, tuple[str, int]]:
    """The event and entry of those browsers that are signed in by a wallet which is still linked, by digest."""
    query = (
        select(PlayerBrowserRow.digest, PlayerBrowserRow.event_id, PlayerBrowserRow.entry)
        .join(
            WalletRow,
            (col(WalletRow.event_id) == col(PlayerBrowserRow.event_id))
            & (col(WalletRow.entry) == col(PlayerBrowserRow.entry))
            & (col(WalletRow.commitment) == col(PlayerBrowserRow.commitment)),
        )
        .where(col(PlayerBrowserRow.digest).in_(digests), PlayerBrowserRow.expires_at > now, col(WalletRow.signs_in))
    )
    return {digest: (event, entry) for digest, event, entry in session.exec(query)}


def player_shown(session: Session, digest: str, *, now: str) -> tuple[str, int] | None:
    """The same for one browser; asked once in a group for the same moment."""
    found: tuple[str, int] | None = known(
        session, Known.PLAYERS, (digest, now), lambda: players_shown(session, [digest], now=now).get(digest)
    )
    return found


def delete_player_browser(session: Session, digest: str) -> None:
    """Sign a browser out."""
    session.execute(delete(PlayerBrowserRow).where(col(PlayerBrowserRow.digest) == digest))


def delete_old_challenges(session: Session, now: str) -> None:
    """Forget texts that nobody can answer any more, and browsers whose time is over."""
    session.execute(delete(ChallengeRow).where(col(ChallengeRow.forgotten_at) <= now))
    session.execute(delete(PlayerBrowserRow).where(col(PlayerBrowserRow.expires_at) <= now))
