"""The tables of an event, derived from its log in an empty database in memory.

A command that was undone is in the log and has no effect; neither has the undoing. What is left (*live* rows) is
carried out in order, so the tables are what they would be if the undone command had never been given.

Of a published log the rows that are not sealed are carried out. Everything that results hang on is in them
(docs/decisions/0048), so the rounds, results, standings and the cut are those of the whole log; what only staff see is
missing.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from sqlmodel import Session

from tournament import store
from tournament.database import open_memory
from tournament.service.beside import Texts
from tournament.service.chain import Line
from tournament.service.commands import EVENTS, Stream
from tournament.service.kinds import KINDS
from tournament.tables import LogRow, Table

Rows = dict[str, list[dict[str, Any]]]
"""By the name of the table, in the order of the keys."""
UNDO: Final = "command.undo"
"""The one kind that is no noun's: it says which rows have an effect."""


def dead(undoings: Mapping[int, int]) -> frozenset[int]:
    """The rows that have no effect: each that was undone by a row which itself was not.

    Args:
        undoings: the sequence of each undoing, with that of the row that it undoes.
    """
    gone: set[int] = set()
    for undoing in sorted(undoings, reverse=True):
        if undoing not in gone:
            gone.add(undoings[undoing])
    return frozenset(gone)


class History(NamedTuple):
    """What the tables of an event are derived from."""

    log: Iterable[Line]
    """In order; with seals, if it was published."""
    texts: Texts
    """Finds the words that are kept beside it."""


def history_of(session: Session, event: str) -> History:
    """The log of an event, or of another stream, and what is kept beside it."""
    return History(store.read_log(session, event), lambda digests: store.sealed_texts(session, event, digests))


def derive(event: str, history: History, *, without: int | None = None, stream: Stream = EVENTS) -> Rows:
    """The rows that a log makes; the arguments are those of `replayed`."""
    with replayed(event, history, without=without, stream=stream) as session:
        return stored(session, event, stream=stream)


@contextmanager
def replayed(  # noqa: PLR0913 - by keyword
    event: str,
    history: History,
    *,
    without: int | None = None,
    stream: Stream = EVENTS,
    tell: Callable[[int], None] | None = None,
    watch: Callable[[Session, Any, LogRow], None] | None = None,
) -> Iterator[Session]:
    """An empty database in memory, in which everything was done that a log says.

    Args:
        event: whose log.
        history: its log, with what is kept beside it.
        without: a row that is left out as well; one that was undone is then carried out again, if it is an undoing.
        stream: what has the log.
        tell: is given the sequence of each row before it is carried out.
        watch: looks at the tables as they were when the command of a row was decided, with the stream's row and that
            row; what it writes beside the log is there for the rows after.
    """
    lines = list(history.log)
    rows = [line for line in lines if isinstance(line, LogRow)]
    is_public = len(rows) < len(lines)
    undoings = {row.sequence: json.loads(row.fact)["sequence"] for row in rows if row.name == UNDO}
    if without is not None:
        undoings[lines[-1].sequence + 1] = without
    gone = dead(undoings)
    words = history.texts(_kept_beside(rows))
    scratch = open_memory()
    Table.metadata.create_all(scratch.engine)
    try:
        with scratch.writing() as session:
            made = stream.blank(event)
            for row in rows:
                if row.name != UNDO and row.sequence not in gone:
                    if tell is not None:
                        tell(row.sequence)
                    if watch is not None:
                        watch(session, made, row)
                    _carry_out(session, made, row, words, is_public=is_public)
            if rows:
                made.version, made.head = lines[-1].sequence, lines[-1].hash
                made.phase = rows[-1].phase if without is None else made.phase
                session.flush()
            yield session
    finally:
        scratch.close()


def _kept_beside(log: Iterable[LogRow]) -> Collection[str]:
    """The commitments of words that carrying the log out needs."""
    keeping = {name for name, kind in KINDS.items() if kind.fact.beside}
    return [one.digest for row in log if row.name in keeping for one in KINDS[row.name].named(row.fact)]


def _carry_out(session: Session, made: Any, row: LogRow, texts: Mapping[str, str], *, is_public: bool) -> None:  # noqa: ANN401 - of an event or a series
    """As `commands.carry_out`, without an update of the event's row for each row of the log; the last one counts."""
    kind = KINDS[row.name]
    if made.phase != row.phase:
        made.phase = row.phase
    effect = kind.in_public if is_public and kind.in_public is not None else kind.apply
    effect(session, made, row, kind.read(row.fact, texts))
    session.flush()


def stored(session: Session, event: str, *, stream: Stream = EVENTS) -> Rows:
    """The rows as they are."""
    return {name_of(table): store.rows_of(session, table, event) for table in stream.projection}


def name_of(table: type[Table]) -> str:
    """A table's name in the database."""
    return str(table.__tablename__)
