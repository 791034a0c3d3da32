"""Wallets of entries, with their addresses from beside the log."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from tournament.tables import SealedRow, WalletRow


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
        )
        for row, address in rows
    ]


def _texts(session: Session, event: str, digests: Sequence[str]) -> dict[str, str]:
    if not digests:
        return {}
    query = select(SealedRow.digest, SealedRow.text)
    return dict(session.exec(query.where(SealedRow.event_id == event, col(SealedRow.digest).in_(digests))).all())
