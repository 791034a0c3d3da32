"""Webhooks, postboxes and deliveries."""

from collections.abc import Collection, Sequence

from sqlalchemy import delete, func, or_, update
from sqlmodel import Session, col, select

from tournament.tables import DeliveryRow, EventRow, PostboxRow, WebhookRow


def webhooks_of(session: Session, event: str) -> Sequence[WebhookRow]:
    """Every webhook that an event ever had, by number."""
    return session.exec(select(WebhookRow).where(WebhookRow.event_id == event).order_by(col(WebhookRow.number))).all()


def find_webhook(session: Session, event: str, number: int) -> WebhookRow | None:
    """The webhook of that number, removed or not."""
    return session.get(WebhookRow, (event, number))


def add_webhook(session: Session, row: WebhookRow) -> None:
    """Add a webhook."""
    session.add(row)


def postboxes_of(session: Session, event: str) -> dict[int, PostboxRow]:
    """Where the webhooks of an event go, by number."""
    return {row.webhook: row for row in session.exec(select(PostboxRow).where(PostboxRow.event_id == event))}


def lock_postbox(session: Session, event: str, webhook: int) -> PostboxRow | None:
    """Where a webhook goes; nobody else may change it until this transaction ends."""
    query = select(PostboxRow).where(PostboxRow.event_id == event, PostboxRow.webhook == webhook).with_for_update()
    return session.exec(query).first()


def add_postbox(session: Session, row: PostboxRow) -> None:
    """Add where a webhook goes."""
    session.add(row)


def delete_postbox(session: Session, event: str, webhook: int) -> None:
    """Forget where a webhook went, and what."""
    for table in (DeliveryRow, PostboxRow):
        session.execute(delete(table).where(col(table.event_id) == event, col(table.webhook) == webhook))


def due_postboxes(session: Session, *, now: str, limit: int) -> Sequence[tuple[str, int]]:
    """Webhooks that have something to be sent, and that no courier is at; as event and number."""
    query = (
        select(PostboxRow.event_id, PostboxRow.webhook)
        .join(EventRow, col(EventRow.id) == col(PostboxRow.event_id))
        .where(
            col(PostboxRow.disabled_at).is_(None),
            or_(col(PostboxRow.leased_by).is_(None), col(PostboxRow.leased_until) < now),
            or_(
                col(PostboxRow.next_at) <= now,
                col(PostboxRow.turn).is_(None) & (col(EventRow.version) > col(PostboxRow.version)),
            ),
        )
        .order_by(col(PostboxRow.next_at))
        .limit(limit)
    )
    return session.exec(query).all()


def free_postboxes(session: Session, *, now: str, leased: str, waits: str) -> None:
    """Give back postboxes that are leased beyond that time, and let none wait beyond the other."""
    late = update(PostboxRow).where(col(PostboxRow.leased_until) > leased, col(PostboxRow.leased_by).is_not(None))
    session.execute(late.values(leased_by=None, leased_until=""))
    for table in (PostboxRow, DeliveryRow):
        session.execute(update(table).where(col(table.next_at) > waits).values(next_at=now))


def find_delivery(session: Session, event: str, webhook: int, delivery: str) -> DeliveryRow | None:
    """The delivery of that id."""
    return session.get(DeliveryRow, (event, webhook, delivery))


def deliveries_of(
    session: Session, event: str, webhook: int, *, state: str | None = None, limit: int
) -> Sequence[DeliveryRow]:
    """The deliveries of a webhook, the latest first."""
    query = select(DeliveryRow).where(DeliveryRow.event_id == event, DeliveryRow.webhook == webhook)
    if state is not None:
        query = query.where(DeliveryRow.state == state)
    return session.exec(
        query.order_by(col(DeliveryRow.queued_at).desc(), col(DeliveryRow.id).desc()).limit(limit)
    ).all()


def next_delivery(session: Session, event: str, webhook: int) -> DeliveryRow | None:
    """The delivery that is due first."""
    return session.exec(
        select(DeliveryRow)
        .where(DeliveryRow.event_id == event, DeliveryRow.webhook == webhook, col(DeliveryRow.next_at).is_not(None))
        .order_by(col(DeliveryRow.next_at), col(DeliveryRow.queued_at), col(DeliveryRow.id))
        .limit(1)
    ).first()


def save_delivery(session: Session, row: DeliveryRow) -> None:
    """Queue something."""
    session.add(row)
    session.flush()


def retry_deliveries(session: Session, event: str, webhook: int, *, states: Collection[str], now: str) -> None:
    """Make those that wait, or gave up, due now."""
    session.execute(
        update(DeliveryRow)
        .where(
            col(DeliveryRow.event_id) == event,
            col(DeliveryRow.webhook) == webhook,
            col(DeliveryRow.state).in_(states),
        )
        .values(state="waiting", next_at=now, attempts=0)
    )


def forget_deliveries(session: Session, event: str, webhook: int, *, keep: int) -> None:
    """Forget what was delivered, but the latest."""
    of_it = (
        col(DeliveryRow.event_id) == event,
        col(DeliveryRow.webhook) == webhook,
        col(DeliveryRow.state) == "delivered",
    )
    latest = select(DeliveryRow.queued_at).where(*of_it).order_by(col(DeliveryRow.queued_at).desc())
    last = session.exec(latest.offset(keep).limit(1)).first()
    if last is not None:
        session.execute(delete(DeliveryRow).where(*of_it, col(DeliveryRow.queued_at) <= last))


def backlog_of(session: Session) -> tuple[dict[str, int], str | None]:
    """How many deliveries are in which state, of all events, delivered ones aside; and since when the oldest waits."""
    query = select(DeliveryRow.state, func.count(), func.min(DeliveryRow.queued_at))
    rows = session.execute(query.where(DeliveryRow.state != "delivered").group_by(DeliveryRow.state)).all()
    return {state: many for state, many, _ in rows}, next(
        (oldest for state, _, oldest in rows if state == "waiting"), None
    )
