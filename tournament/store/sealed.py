"""What is kept beside the log."""

from collections.abc import Collection, Iterable, Iterator

from sqlalchemy import insert, update
from sqlmodel import Session, col, select

from tournament.store.asking import add_all, pages
from tournament.store.log import LOG_PAGE
from tournament.tables import SealedRow


def find_sealed(session: Session, event: str, digest: str) -> SealedRow | None:
    """The text of that digest."""
    return session.get(SealedRow, (event, digest))


def save_sealed(session: Session, row: SealedRow) -> None:
    """Keep a text. The same text under the same salt has the same digest, and is kept once."""
    session.merge(row)


def add_sealed(session: Session, rows: Iterable[SealedRow]) -> None:
    """Keep texts that nobody kept before."""
    add_all(session, SealedRow, rows)


def keep_texts(session: Session, event: str, texts: Iterable[tuple[str, str, str]]) -> None:
    """The same for texts as digest, salt and text: twenty thousand without an object each."""
    if values := [{"event_id": event, "digest": digest, "salt": salt, "text": text} for digest, salt, text in texts]:
        session.execute(insert(SealedRow), values)


def sealed_rows(session: Session, event: str, digests: Collection[str]) -> dict[str, SealedRow]:
    """What is kept under these digests, erased or not, a page at a time."""
    found: dict[str, SealedRow] = {}
    for page in pages(digests):
        query = select(SealedRow).where(SealedRow.event_id == event, col(SealedRow.digest).in_(page))
        found |= {row.digest: row for row in session.exec(query).all()}
    return found


def sealed_texts(session: Session, event: str, digests: Collection[str]) -> dict[str, str]:
    """The texts of these digests, as far as they are here."""
    found: dict[str, str] = {}
    for page in pages(digests):
        query = select(SealedRow.digest, SealedRow.text).where(
            SealedRow.event_id == event, col(SealedRow.digest).in_(page), SealedRow.text != ""
        )
        found |= dict(session.exec(query).all())
    return found


def erase_sealed(session: Session, event: str, digests: Collection[str]) -> None:
    """Forget texts and their salts for good."""
    for page in pages(digests):
        query = update(SealedRow).where(col(SealedRow.event_id) == event, col(SealedRow.digest).in_(page))
        session.execute(query.values(text="", salt=""))


def read_sealed(session: Session, event: str) -> Iterator[SealedRow]:
    """Every text, by digest, a page at a time."""
    after = ""
    query = select(SealedRow).where(SealedRow.event_id == event).order_by(col(SealedRow.digest)).limit(LOG_PAGE)
    while page := session.exec(query.where(SealedRow.digest > after)).all():
        yield from page
        after = page[-1].digest
        for row in page:
            session.expunge(row)
