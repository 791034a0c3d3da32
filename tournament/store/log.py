"""The log of a stream, in pages."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import String, bindparam, case, func, insert, inspect, update
from sqlalchemy.orm.attributes import manager_of_class, set_committed_value
from sqlmodel import Session, col, select

from tournament.errors import Change
from tournament.store.asking import EVENT, row_from, rows_from
from tournament.store.group import Known, know, known, unknown, write
from tournament.tables import EventRow, LogRow, SeriesRow

MOST_CHANGES: Final = 20
"""Changes that a refusal tells; more is a reason to look again anyway."""
LOG_PAGE: Final = 500
"""Rows of a log that are in memory at a time."""
_ADD: Final = insert(LogRow.__table__)  # type: ignore[attr-defined]
_NEW: Final = manager_of_class(LogRow).new_instance
_MOVE_ON: Final = {
    kind: update(kind)
    .where(col(kind.id) == bindparam("stream", type_=String))
    .values({name: bindparam(f"at_{name}") for name in ("version", "head", "phase")})
    for kind in (EventRow, SeriesRow)
}
_COMMAND: Final = select(LogRow.sequence).where(
    col(LogRow.event_id) == EVENT, col(LogRow.command) == bindparam("command", type_=String)
)
_COMMANDS: Final = select(LogRow.command, LogRow.sequence).where(
    col(LogRow.event_id) == EVENT, col(LogRow.command).in_(bindparam("commands", expanding=True))
)


def find_command(session: Session, event: str, command: str) -> LogRow | None:
    """The accepted command of that id."""

    def ask() -> int | None:
        found = row_from(session, _COMMAND, event=event, command=command)
        return None if found is None else int(found.sequence)

    sequence = known(session, Known.COMMANDS, (event, command), ask)
    return None if sequence is None else log_row(session, event, sequence)


def foresee_commands(session: Session, event: str, commands: Iterable[str]) -> None:
    """Find out, for a whole group, which of these ids were accepted."""
    keys = unknown(session, Known.COMMANDS, ((event, command) for command in commands))
    if keys:
        found = rows_from(session, _COMMANDS, event=event, commands=[command for _, command in keys])
        know(session, Known.COMMANDS, dict.fromkeys(keys) | {(event, row.command): row.sequence for row in found})


def new_row(**values: Any) -> LogRow:  # noqa: ANN401 - of columns
    """A row of the log with all its columns, to be written down; making it costs what reading it does."""
    row: LogRow = _NEW()
    row.__dict__.update(values)
    return row


def write_down(session: Session, stream: EventRow | SeriesRow, row: LogRow) -> None:
    """Add a row to the log of a stream, with those of its group, or with the stream, if that is new.

    So whoever makes what another transaction makes at the same time finds it out where the stream is added.
    """
    if not inspect(stream).persistent:
        session.add(row)
        return
    write(session, _ADD, {(row.event_id, row.sequence): {name: getattr(row, name) for name in LogRow.model_fields}})
    know(session, Known.COMMANDS, {(row.event_id, row.command): row.sequence})


def move_on(session: Session, stream: EventRow | SeriesRow, row: LogRow) -> None:
    """Let a stream stand where that row of its log ends, with its group, or when it is added, if it is new."""
    stands_at = {"version": row.sequence, "head": row.hash, "phase": row.phase}
    if not inspect(stream).persistent:
        for name, value in stands_at.items():
            setattr(stream, name, value)
        return
    values = {f"at_{name}": value for name, value in stands_at.items()}
    write(session, _MOVE_ON[type(stream)], {stream.id: {"stream": stream.id, **values}})
    for name, value in stands_at.items():
        set_committed_value(stream, name, value)


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


def log_page(session: Session, event: str, *, after: int, limit: int, name: str | None = None) -> Sequence[LogRow]:
    """So many rows of the log, from the one after `after`; only those of one kind of command, if it is named."""
    query = select(LogRow).where(LogRow.event_id == event, LogRow.sequence > after)
    if name is not None:
        query = query.where(LogRow.name == name)
    return session.exec(query.order_by(col(LogRow.sequence)).limit(limit)).all()


def log_backwards(  # noqa: PLR0913 - which rows of whose log
    session: Session,
    event: str,
    *,
    before: int,
    limit: int,
    names: Collection[str] = (),
    actor: str = "",
) -> Sequence[LogRow]:
    """So many rows of the log, the latest before that sequence first; of these kinds and by that actor, if named."""
    query = select(LogRow).where(LogRow.event_id == event, LogRow.sequence < before)
    if names:
        query = query.where(col(LogRow.name).in_(names))
    if actor:
        query = query.where(LogRow.actor == actor)
    return session.exec(query.order_by(col(LogRow.sequence).desc()).limit(limit)).all()


def changes_since(session: Session, event: str, version: int) -> list[Change]:
    """What was done after that version, the latest first; the first few of them."""
    rows = session.exec(
        select(LogRow.sequence, LogRow.name, LogRow.actor, LogRow.at)
        .where(LogRow.event_id == event, LogRow.sequence > version)
        .order_by(col(LogRow.sequence).desc())
        .limit(MOST_CHANGES)
    ).all()
    return [Change(*row) for row in rows]


def acted_since(session: Session, event: str, version: int, *, besides: str) -> bool:
    """Whether anybody but this actor did something after that version."""
    query = select(LogRow.sequence).where(LogRow.event_id == event, LogRow.sequence > version, LogRow.actor != besides)
    return session.exec(query.limit(1)).first() is not None


def facts_named(session: Session, event: str, name: str) -> Sequence[tuple[int, str]]:
    """Sequence and fact of every command of that kind, in order."""
    query = select(LogRow.sequence, LogRow.fact).where(LogRow.event_id == event, LogRow.name == name)
    return session.exec(query.order_by(col(LogRow.sequence))).all()


def last_live(session: Session, event: str, *, gone: Collection[int], besides: Collection[str], before: int) -> int:
    """The last command before that sequence which is not gone and of none of those kinds; there always is a first."""
    query = select(func.max(LogRow.sequence)).where(
        LogRow.event_id == event,
        LogRow.sequence < before,
        col(LogRow.name).not_in(besides),
        col(LogRow.sequence).not_in(gone),
    )
    return session.exec(query).one() or 0


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


def log_of(session: Session, event: str, names: Collection[str]) -> Iterator[LogRow]:
    """The accepted commands of these kinds, in order, a page at a time."""
    after = 0
    query = select(LogRow).where(LogRow.event_id == event, col(LogRow.name).in_(names)).limit(LOG_PAGE)
    while page := session.exec(query.where(LogRow.sequence > after).order_by(col(LogRow.sequence))).all():
        yield from page
        after = page[-1].sequence
        for row in page:
            session.expunge(row)


def latest_of(session: Session, event: str, names: Collection[str]) -> LogRow | None:
    """The last accepted command of these kinds."""
    query = select(LogRow).where(LogRow.event_id == event, col(LogRow.name).in_(names))
    return session.exec(query.order_by(col(LogRow.sequence).desc()).limit(1)).first()
