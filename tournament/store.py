"""Rows to domain values and back: the one module that asks the database.

No function here asks once a player or once a table; what is needed of an event comes in a fixed number of questions.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import Integer, String, bindparam, case, delete, func, insert, or_, tuple_, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from tournament.domain.model import Bye, ByeKind, Ending, Pairing, Player, PlayerId, Result, Round, Seat
from tournament.domain.roles import Role
from tournament.errors import AccountTaken, Change
from tournament.tables import (
    AccountRow,
    DeliveryRow,
    EntryRow,
    EventRow,
    LogRow,
    PostboxRow,
    RoundRow,
    SeatRow,
    StaffRow,
    Table,
    TokenRow,
    WebhookRow,
)

MOST_CHANGES: Final = 20
"""Changes that a refusal tells; more is a reason to look again anyway."""
LOG_PAGE: Final = 500
"""Rows of a log that are in memory at a time."""


# What every command asks is built once; building it anew costs more than the database does.
_EVENT: Final = bindparam("event", type_=String)
_ACCOUNT_OF_TOKEN: Final = select(TokenRow.account).where(col(TokenRow.digest) == bindparam("digest", type_=String))
_COMMAND: Final = select(LogRow).where(
    col(LogRow.event_id) == _EVENT, col(LogRow.command) == bindparam("command", type_=String)
)
_LOCK: Final = select(EventRow).where(col(EventRow.id) == _EVENT).with_for_update()
_ROLES: Final = select(StaffRow.role).where(
    col(StaffRow.event_id) == _EVENT, col(StaffRow.account) == bindparam("account", type_=String)
)
_LAST_PUBLISHED: Final = select(func.max(RoundRow.number)).where(
    col(RoundRow.event_id) == _EVENT, col(RoundRow.published_at).is_not(None)
)
_TABLE: Final = select(SeatRow).where(
    col(SeatRow.event_id) == _EVENT,
    col(SeatRow.round) == bindparam("round", type_=Integer),
    col(SeatRow.table_number) == bindparam("table", type_=Integer),
)


class EventExists(Exception):
    """Another transaction made the event in the meantime."""


# --- accounts ---------------------------------------------------------------------------------------------------------


def find_account(session: Session, name: str) -> AccountRow | None:
    """The account of that name."""
    return session.get(AccountRow, name)


def save_account(session: Session, row: AccountRow) -> None:
    """Add an account. Raises: AccountTaken."""
    session.add(row)
    try:
        session.flush()
    except IntegrityError as error:
        raise AccountTaken(row.name) from error


def save_token(session: Session, row: TokenRow) -> None:
    """Add a token."""
    session.add(row)


def account_of_token(session: Session, digest: str) -> str | None:
    """Whose token it is."""
    return session.exec(_ACCOUNT_OF_TOKEN, params={"digest": digest}).first()


def delete_token(session: Session, digest: str) -> None:
    """Make a token worthless."""
    session.execute(delete(TokenRow).where(col(TokenRow.digest) == digest))


# --- the log ----------------------------------------------------------------------------------------------------------


def find_command(session: Session, event: str, command: str) -> LogRow | None:
    """The accepted command of that id."""
    return session.exec(_COMMAND, params={"event": event, "command": command}).first()


def log_row(session: Session, event: str, sequence: int) -> LogRow:
    """The accepted command of that number; there is one."""
    return session.exec(select(LogRow).where(LogRow.event_id == event, LogRow.sequence == sequence)).one()


def read_log(session: Session, event: str, *, after: int = 0) -> Iterator[LogRow]:
    """The log in order, a page at a time."""
    while page := log_page(session, event, after=after, limit=LOG_PAGE):
        yield from page
        after = page[-1].sequence
        for row in page:
            session.expunge(row)


def log_page(session: Session, event: str, *, after: int, limit: int) -> Sequence[LogRow]:
    """So many rows of the log, from the one after `after`."""
    return session.exec(
        select(LogRow)
        .where(LogRow.event_id == event, LogRow.sequence > after)
        .order_by(col(LogRow.sequence))
        .limit(limit)
    ).all()


def changes_since(session: Session, event: str, version: int) -> list[Change]:
    """What was done after that version, the latest first; the first few of them."""
    rows = session.exec(
        select(LogRow.sequence, LogRow.name, LogRow.actor, LogRow.at)
        .where(LogRow.event_id == event, LogRow.sequence > version)
        .order_by(col(LogRow.sequence).desc())
        .limit(MOST_CHANGES)
    ).all()
    return [Change(*row) for row in rows]


class LogLine(NamedTuple):
    """What of a row of the log is needed to tell it."""

    sequence: int
    name: str
    actor: str
    at: str
    phase: str
    hash: str
    fact: str
    """As in the log, or an empty object if it was not asked for."""


def log_lines(session: Session, event: str, *, after: int, limit: int, with_facts_of: Collection[str]) -> list[LogLine]:
    """So many lines of the log, from the one after `after`; facts, which may be long, of the named kinds only."""
    fact = case((col(LogRow.name).in_(with_facts_of), col(LogRow.fact)), else_="{}")
    rows = session.execute(
        select(LogRow.sequence, LogRow.name, LogRow.actor, LogRow.at, LogRow.phase, LogRow.hash, fact)  # type: ignore[call-overload]
        .where(LogRow.event_id == event, LogRow.sequence > after)
        .order_by(col(LogRow.sequence))
        .limit(limit)
    )
    return [LogLine(*row) for row in rows]


def log_hash(session: Session, event: str, sequence: int) -> str | None:
    """The hash of a row of the log, if there is one."""
    query = select(LogRow.hash).where(LogRow.event_id == event, LogRow.sequence == sequence)
    return session.exec(query).first()


# --- events -----------------------------------------------------------------------------------------------------------


def versions_of(session: Session, events: Collection[str]) -> dict[str, int]:
    """The versions of those of the events that there are."""
    query = select(EventRow.id, EventRow.version).where(col(EventRow.id).in_(events))
    return dict(session.exec(query).all())


def find_event(session: Session, event: str) -> EventRow | None:
    """The event of that id."""
    return session.get(EventRow, event)


def lock_event(session: Session, event: str) -> EventRow | None:
    """The same, and nobody else may change the event until this transaction ends."""
    return session.exec(_LOCK, params={"event": event}).first()


def add_event(session: Session, row: EventRow) -> None:
    """Add an event. Raises: EventExists."""
    session.add(row)
    try:
        session.flush()
    except IntegrityError as error:
        raise EventExists from error


def list_events(
    session: Session, account: str | None, *, before: tuple[str, str] | None, limit: int
) -> Sequence[EventRow]:
    """Events that anybody may see, and those where the account is staff; the newest first.

    Args:
        session: to ask.
        account: who looks; None for anybody.
        before: time of creation and id of the last event already seen.
        limit: how many.
    """
    own = select(StaffRow.event_id).where(StaffRow.account == account)
    query = select(EventRow).where(or_(col(EventRow.published).is_(True), col(EventRow.id).in_(own)))
    if before is not None:
        query = query.where(tuple_(col(EventRow.created_at), col(EventRow.id)) < before)
    return session.exec(query.order_by(col(EventRow.created_at).desc(), col(EventRow.id).desc()).limit(limit)).all()


# --- staff ------------------------------------------------------------------------------------------------------------


def roles_of(session: Session, event: str, account: str) -> frozenset[Role]:
    """The roles of an account in an event."""
    return frozenset(map(Role, session.exec(_ROLES, params={"event": event, "account": account}).all()))


def staff_of(session: Session, event: str) -> Sequence[StaffRow]:
    """Everybody with a role, by name."""
    return session.exec(
        select(StaffRow).where(StaffRow.event_id == event).order_by(col(StaffRow.account), col(StaffRow.role))
    ).all()


def find_staff(session: Session, event: str, account: str, role: Role) -> StaffRow | None:
    """The role that an account holds, if it does."""
    return session.get(StaffRow, (event, account, role.value))


def add_staff(session: Session, row: StaffRow) -> None:
    """Give a role."""
    session.add(row)
    session.flush()


def delete_staff(session: Session, event: str, account: str, role: Role) -> None:
    """Take a role away."""
    session.execute(
        delete(StaffRow).where(
            col(StaffRow.event_id) == event, col(StaffRow.account) == account, col(StaffRow.role) == role.value
        )
    )


# --- entries ----------------------------------------------------------------------------------------------------------


def find_entry(session: Session, event: str, number: int) -> EntryRow | None:
    """The entry of that number."""
    return session.get(EntryRow, (event, number))


def entries_of(session: Session, event: str, *, after: int = 0, limit: int | None = None) -> Sequence[EntryRow]:
    """Entries by number, all of them or a page."""
    query = select(EntryRow).where(EntryRow.event_id == event, EntryRow.number > after).order_by(col(EntryRow.number))
    return session.exec(query if limit is None else query.limit(limit)).all()


def last_entry(session: Session, event: str) -> int:
    """The highest number given out; 0 before the first."""
    return session.exec(select(func.max(EntryRow.number)).where(EntryRow.event_id == event)).one() or 0


def entries_in(session: Session, event: str) -> int:
    """How many entered and did not leave."""
    query = select(func.count()).select_from(EntryRow)
    return session.exec(query.where(EntryRow.event_id == event, col(EntryRow.dropped_after).is_(None))).one()


def add_entries(session: Session, rows: Iterable[EntryRow]) -> None:
    """Add entries, however many, in one go."""
    _add_all(session, EntryRow, rows)


def players_of(session: Session, event: str) -> tuple[Player, ...]:
    """Everybody who entered, as the rules know them."""
    return tuple(map(player_from, entries_of(session, event)))


def player_from(row: EntryRow) -> Player:
    """An entry as the rules know it."""
    return Player(
        id=PlayerId(str(row.number)),
        name=row.name,
        entered_in=row.entered_in,
        dropped_after=row.dropped_after,
        table=row.fixed_table,
        awarded_byes=row.awarded_byes,
        disqualified=row.disqualified,
    )


# --- rounds and seats -------------------------------------------------------------------------------------------------


def find_round(session: Session, event: str, number: int) -> RoundRow | None:
    """The round of that number, draft or not."""
    return session.get(RoundRow, (event, number))


def round_rows(session: Session, event: str) -> Sequence[RoundRow]:
    """Every round, draft or not, in order."""
    return session.exec(select(RoundRow).where(RoundRow.event_id == event).order_by(col(RoundRow.number))).all()


def last_published(session: Session, event: str) -> int:
    """The number of the latest published round; 0 before the first."""
    return session.exec(_LAST_PUBLISHED, params={"event": event}).one() or 0


def rounds_of(session: Session, event: str, *, only: int | None = None) -> tuple[Round, ...]:
    """Every round that is published, or the one of that number, published or draft."""
    query = select(SeatRow).where(SeatRow.event_id == event)
    if only is None:
        query = query.join(
            RoundRow,
            (col(RoundRow.event_id) == col(SeatRow.event_id)) & (col(RoundRow.number) == col(SeatRow.round)),
        ).where(col(RoundRow.published_at).is_not(None))
    else:
        query = query.where(SeatRow.round == only)
    rows = session.exec(query.order_by(col(SeatRow.round), col(SeatRow.place))).all()
    return tuple(Round(number, tuple(map(seat_from, seats))) for number, seats in groupby(rows, attrgetter("round")))


def save_round(session: Session, row: RoundRow, seats: Iterable[SeatRow]) -> None:
    """Add a round with all its seats, in one go."""
    session.add(row)
    session.flush()
    _add_all(session, SeatRow, seats)


def delete_drafts(session: Session, event: str) -> None:
    """Forget a round that is paired and not published."""
    drafts = session.exec(
        select(RoundRow).where(RoundRow.event_id == event, col(RoundRow.published_at).is_(None))
    ).all()
    for draft in drafts:
        session.execute(delete(SeatRow).where(col(SeatRow.event_id) == event, col(SeatRow.round) == draft.number))
        session.delete(draft)
    session.flush()


def find_table(session: Session, event: str, number: int, table: int) -> SeatRow | None:
    """A table of a round."""
    return session.exec(_TABLE, params={"event": event, "round": number, "table": table}).first()


def tables_playing(session: Session, event: str, number: int) -> Sequence[int]:
    """Tables of a round that have no result yet, in order."""
    numbers = session.exec(
        select(SeatRow.table_number)
        .where(
            SeatRow.event_id == event,
            SeatRow.round == number,
            col(SeatRow.table_number).is_not(None),
            col(SeatRow.ending).is_(None),
        )
        .order_by(col(SeatRow.table_number))
    ).all()
    return [number for number in numbers if number is not None]


def seat_from(row: SeatRow) -> Seat:
    """A seat as the rules know it."""
    if row.table_number is None or row.second is None:
        return Bye(PlayerId(str(row.first)), ByeKind(row.bye or ByeKind.ODD))
    return Pairing(row.table_number, PlayerId(str(row.first)), PlayerId(str(row.second)), result_from(row))


def result_from(row: SeatRow) -> Result | None:
    """The result of a table; None while it plays."""
    if row.ending is None:
        return None
    return Result(row.games_first or 0, row.games_second or 0, row.drawn or 0, Ending(row.ending))


# --- webhooks ---------------------------------------------------------------------------------------------------------


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


# --- whole tables -----------------------------------------------------------------------------------------------------


def rows_of(session: Session, table: type[Table], event: str) -> list[dict[str, Any]]:
    """Every row that an event has in a table, by key."""
    key = [column.name for column in table.__table__.primary_key]  # type: ignore[attr-defined]
    at = table.__table__.c.id if table is EventRow else table.__table__.c.event_id  # type: ignore[attr-defined]
    rows = session.execute(select(table.__table__).where(at == event)).mappings()  # type: ignore[attr-defined]
    return sorted(map(dict, rows), key=lambda row: [row[name] for name in key])


def replace_rows(
    session: Session, tables: Sequence[type[Table]], event: str, rows: dict[str, list[dict[str, Any]]]
) -> None:
    """Put these rows in place of what an event has in the tables.

    Args:
        session: to write.
        tables: parents first.
        event: whose rows.
        rows: by the name of the table.
    """
    for table in reversed(tables):
        at = table.__table__.c.id if table is EventRow else table.__table__.c.event_id  # type: ignore[attr-defined]
        session.execute(delete(table).where(at == event))
    for table in tables:
        if rows[table.__table__.name]:  # type: ignore[attr-defined]
            session.execute(insert(table), rows[table.__table__.name])  # type: ignore[attr-defined]


def _add_all(session: Session, table: type[Table], rows: Iterable[Table]) -> None:
    values = [row.model_dump() for row in rows]
    if values:
        session.execute(insert(table), values)
