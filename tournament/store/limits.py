"""How often somebody may: one row a bucket."""

from typing import Final

from sqlalchemy import delete, or_, text, update
from sqlmodel import Session, col, select

from tournament.tables import BucketRow

_TAKE: Final = text(
    "INSERT INTO bucket (key, full_at) VALUES (:key, :first) ON CONFLICT (key) DO UPDATE SET full_at = :cost + "
    "CASE WHEN bucket.full_at > :now THEN bucket.full_at ELSE :now END WHERE bucket.full_at <= :latest RETURNING 1"
)


def take(session: Session, key: str, *, now: int, cost: int, burst: int) -> int:
    """Take one from a bucket, in one statement, so that of two at once each counts.

    Args:
        session: to write.
        key: the bucket.
        now: microseconds.
        cost: microseconds until the one is back.
        burst: microseconds until an empty bucket is full.

    Returns:
        Microseconds until there is one, if the bucket is empty; 0 if one was taken.
    """
    latest = now + burst - cost
    values = {"key": key, "first": now + cost, "now": now, "cost": cost, "latest": latest}
    if session.connection().execute(_TAKE, values).first() is not None:
        return 0
    found = session.exec(select(BucketRow.full_at).where(BucketRow.key == key)).first()
    return max(1, (found or now) - latest)


def give_back(session: Session, key: str, cost: int) -> None:
    """Put one back into a bucket."""
    table = BucketRow.__table__  # type: ignore[attr-defined]
    session.connection().execute(update(table).where(table.c.key == key).values(full_at=table.c.full_at - cost))


def delete_full_buckets(session: Session, now: int, *, ahead: int) -> None:
    """Forget the buckets that are full again, which is as if they had never been there.

    Also those that are full after `ahead` only: a clock that was wrong for a while would keep them empty.
    """
    session.execute(delete(BucketRow).where(or_(col(BucketRow.full_at) <= now, col(BucketRow.full_at) > ahead)))
