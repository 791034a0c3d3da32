"""Commands that share a transaction ask their questions together, and write together.

Each of them still decides on what those before it left, and to each it is as if it were alone:

- *Known ahead.* What many commands look at (who shows a token, roles, ids of commands, tables) is asked for all of them
  in one question each, and kept in mind until somebody writes to one of the tables that the answer is from.
- *Written behind.* Rows of the log, where an event stands and results of tables are kept in mind as well, and written
  in one go each: at the end, or as soon as anything else is asked of the database, which so sees them.

A statement is a round trip, and on PostgreSQL whoever makes it holds the event that others wait for.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, Executable
from sqlmodel import Session

from tournament.together import FIRST, Traces, at_last, traces

_GROUP: Final = "group"


class Known(StrEnum):
    """What is asked ahead."""

    TOKENS = "tokens"
    """By digest."""
    BROWSERS = "browsers"
    """By digest."""
    CODES = "codes"
    """By event and number of the entry."""
    PLAYERS = "players"
    """By digest and moment."""
    ROLES = "roles"
    """By event and account."""
    COMMANDS = "commands"
    """Sequences, by event and id."""
    SEATS = "seats"
    """By event, round and table."""


_TOLD_BY: Final = {
    "account": {Known.TOKENS, Known.BROWSERS},
    "token": {Known.TOKENS},
    "browser": {Known.BROWSERS},
    "entry": {Known.CODES},
    "player_browser": {Known.PLAYERS},
    "wallet": {Known.PLAYERS},
    "staff": {Known.ROLES},
    "log": {Known.COMMANDS},
    "seat": {Known.SEATS},
    "round": {Known.SEATS},
}
"""The tables that each answer is from."""
_UNKNOWN: Final = object()
Values = Mapping[str, Any]


@dataclass(eq=False)
class Group:
    """What a transaction has in mind."""

    known: dict[Known, dict[Hashable, Any]] = field(default_factory=dict)
    behind: dict[Executable, dict[Hashable, Values]] = field(default_factory=dict)
    """For each statement the values of its rows, by key. Rows of the same key are changed by the last of them alone."""
    traces: Traces = field(default_factory=Traces)
    _is_writing: bool = False

    def before(self, connection: Connection, statement: object) -> None:
        """Something else is asked or written: see that it finds everything, and that nothing old is kept in mind."""
        if self._is_writing:
            return
        if self.behind:
            self.write(connection)
        if not getattr(statement, "is_select", False):
            self.traces.has_written = True
            written = getattr(getattr(statement, "table", None), "name", None)
            for known in Known if written is None else _TOLD_BY.get(written, ()):
                self.known.pop(known, None)

    def write(self, connection: Connection) -> None:
        """Write what was kept back."""
        kept, self.behind = self.behind, {}
        self._is_writing = True
        try:
            for statement, rows in kept.items():
                values = list(rows.values())
                connection.execute(statement, values[0] if len(values) == 1 else values)
        finally:
            self._is_writing = False


def share(session: Session) -> None:
    """Let a transaction have a group, if it has none; to be called before anything is asked in it."""
    if _GROUP not in session.info:
        group = session.info[_GROUP] = Group(traces=traces(session))
        session.connection(execution_options={FIRST: group.before})
        at_last(session, _write)


def is_known(session: Session, what: Known, key: Hashable) -> bool:
    """Whether it has to be asked no more."""
    group: Group | None = session.info.get(_GROUP)
    return group is not None and key in group.known.get(what, ())


def known(session: Session, what: Known, key: Hashable, ask: Callable[[], Any]) -> Any:  # noqa: ANN401 - of any kind
    """What is known, or what the database says to it."""
    group: Group | None = session.info.get(_GROUP)
    if group is None:
        return ask()
    found = group.known.get(what, {}).get(key, _UNKNOWN)
    if found is _UNKNOWN:
        found = ask()
        group.known.setdefault(what, {})[key] = found
    return found


def know(session: Session, what: Known, answers: Mapping[Any, Any]) -> None:
    """Keep answers in mind, in a transaction that has a group."""
    group: Group | None = session.info.get(_GROUP)
    if group is not None:
        group.known.setdefault(what, {}).update(answers)


def unknown(session: Session, what: Known, keys: Iterable[Any]) -> list[Any]:
    """Those that have to be asked, each once, in order."""
    return sorted({key for key in keys if not is_known(session, what, key)})


def write(session: Session, statement: Executable, rows: Mapping[Any, Values]) -> None:
    """Write rows by a statement of the kind that says all of a row: now, or with those of the whole group.

    Args:
        session: to write.
        statement: an insertion, or an update that finds its row by the key and sets the same columns each time.
        rows: what the statement is to be carried out with, by key.
    """
    group: Group | None = session.info.get(_GROUP)
    if group is None:
        values = list(rows.values())
        session.connection().execute(statement, values[0] if len(values) == 1 else values)
        return
    group.behind.setdefault(statement, {}).update(rows)


def _write(session: Session) -> None:
    group: Group = session.info[_GROUP]
    if group.behind:
        group.write(session.connection())
