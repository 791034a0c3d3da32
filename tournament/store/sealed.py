"""What is kept beside the log."""

from collections.abc import Iterator

from sqlmodel import Session, col, select

from tournament.store.log import LOG_PAGE
from tournament.tables import SealedRow


def find_sealed(session: Session, event: str, digest: str) -> SealedRow | None:
    """The text of that digest."""
    return session.get(SealedRow, (event, digest))


def save_sealed(session: Session, row: SealedRow) -> None:
    """Keep a text. The same text under the same salt has the same digest, and is kept once."""
    session.merge(row)


def read_sealed(session: Session, event: str) -> Iterator[SealedRow]:
    """Every text, by digest, a page at a time."""
    after = ""
    query = select(SealedRow).where(SealedRow.event_id == event).order_by(col(SealedRow.digest)).limit(LOG_PAGE)
    while page := session.exec(query.where(SealedRow.digest > after)).all():
        yield from page
        after = page[-1].digest
        for row in page:
            session.expunge(row)
