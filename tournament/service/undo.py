"""Undo: the last command is taken back, and whoever undoes an undoing has it again.

Only the last command that still has an effect can be undone, so nothing can depend on it; what was done since has to be
undone first, or put right in another way. The tables are then what the log makes of them without the command. That is
worked out before the event is locked, from the version that the asker looked at, so nobody waits for it.
"""

import json
from dataclasses import dataclass, replace
from typing import Final

from pydantic import Field
from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.errors import TournamentError
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import INSIDERS, Role, by_rank
from tournament.errors import NotYours, StaleEvent, UndoRefused
from tournament.service.commands import Ask, Fact, Kind, Receipt, Scene, WithReason, nothing, run
from tournament.service.derivation import UNDO, Rows, dead, derive, history_of, name_of, stored
from tournament.service.kinds import KINDS
from tournament.tables import PROJECTION, EventRow, LogRow, Table

MOST_ROWS: Final = 20_000
"""Of a log that is derived anew while somebody waits: about 10 seconds."""
_IDLE: Final = (UNDO, *(kind.name for kind in KINDS.values() if kind.apply is nothing))
"""Kinds of commands on which nothing can hang."""
_STAFF: Final = frozenset({Role.ORGANIZER, Role.SCOREKEEPER, Role.JUDGE, Role.DESK})


class Undo(WithReason):
    """Take the last command back. Named is an undoing: have again what it took back."""

    sequence: int = Field(ge=1, le=1 << 40, description="of the command, as its receipt says", examples=[42])


class Undone(Fact):
    """The command that is as if it had never been given, or is again."""

    sequence: int
    """What was named."""
    command: int
    """The sequence of the command that it comes to, if an undoing was named."""
    name: str
    """Its kind."""
    again: bool
    """Whether it has its effect again."""
    phase: Phase


@dataclass(frozen=True, slots=True)
class Changed:
    """What the undoing changes of the tables, as they were at a version."""

    version: int
    before: Rows
    after: Rows


def undo(database: Database, ask: Ask, asked: Undo) -> Receipt:
    """Take a command back.

    Raises:
        UndoRefused: something was done since, or the command is none that can be undone.
        StaleEvent: others changed the event while the tables were worked out.
    """
    with database.reading() as session:
        changed = _changed(session, ask, asked)
    if changed is not None and ask.expected is None:
        ask = replace(ask, expected=changed.version)
    return run(database, _kind(changed), ask, asked)


def _changed(session: Session, ask: Ask, asked: Undo) -> Changed | None:
    """What the undoing changes; None where the command is refused, or was answered before: either needs no tables."""
    actor, event = ask.who(session), store.find_event(session, ask.event)
    if event is None or store.find_command(session, event.id, ask.command) is not None:
        return None
    try:
        _permitted(session, event, actor, _base(session, event, actor, asked.sequence)[0])
    except TournamentError:
        return None
    derived = derive(event.id, history_of(session, event.id), without=asked.sequence)
    return Changed(event.version, stored(session, event.id), derived)


@dataclass(frozen=True, slots=True)
class Undoable:
    """What may be undone now."""

    back: LogRow | None
    """The last command, to be taken back."""
    undoing: LogRow | None
    """The last undoing, to have again what it took back, and that command."""
    again: LogRow | None


def undoable(session: Session, event: EventRow, actor: str) -> Undoable:
    """What that account may take back now, or have again. Nothing is changed."""
    undoings = _undoings(session, event.id)
    gone = dead(undoings)
    last = store.last_live(session, event.id, gone=gone, besides=_IDLE, before=event.version + 1)
    newest = max((one for one in undoings if one not in gone), default=0)
    found = [_may_undo(session, event, actor, one) for one in (last, newest)]
    back, again = found[0], found[1]
    return Undoable(
        back=back[0] if back is not None and not back[1] else None,
        undoing=store.log_row(session, event.id, newest) if again is not None and again[1] else None,
        again=again[0] if again is not None and again[1] else None,
    )


def _may_undo(session: Session, event: EventRow, actor: str, sequence: int) -> tuple[LogRow, bool] | None:
    if not sequence:
        return None
    try:
        base = _base(session, event, actor, sequence)
        _permitted(session, event, actor, base[0])
    except TournamentError:
        return None
    return base


# --- the command ------------------------------------------------------------------------------------------------------


def _decide(scene: Scene, asked: Undo) -> Undone:
    base, again = _base(scene.session, scene.event, scene.actor, asked.sequence)
    _permitted(scene.session, scene.event, scene.actor, base)
    phase = base.phase if again else store.log_row(scene.session, scene.event.id, _before(scene, base)).phase
    return Undone(sequence=asked.sequence, command=base.sequence, name=base.name, again=again, phase=Phase(phase))


def _permitted(session: Session, event: EventRow, actor: str, base: LogRow) -> None:
    """Whoever may give the command may undo it, and an organizer may anyway. Raises: NotYours."""
    roles = (KINDS[base.name].roles & _STAFF) | {Role.ORGANIZER}
    if not store.roles_of(session, event.id, actor) & roles:
        raise NotYours(f"undoing {base.name}", by_rank(roles))


def _before(scene: Scene, base: LogRow) -> int:
    """The live row before, which there is, since the first one makes the event."""
    gone = dead(_undoings(scene.session, scene.event.id))
    return store.last_live(scene.session, scene.event.id, gone=gone, besides=_IDLE, before=base.sequence)


def _base(session: Session, event: EventRow, actor: str, sequence: int) -> tuple[LogRow, bool]:
    """The command that naming this row takes back or gives again, and which of the two. Raises: UndoRefused."""
    undoings = _undoings(session, event.id)
    if sequence > event.version:
        raise UndoRefused(sequence, f"the log ends with {event.version}")
    gone = dead(undoings)
    if sequence in gone:
        raise UndoRefused(sequence, "it is undone already; to have it again, undo the undoing")
    base = sequence
    while base in undoings:
        base = undoings[base]
    again = base in gone
    last = store.last_live(session, event.id, gone=gone, besides=_IDLE, before=event.version + 1)
    if (last > base) if again else (last != base):
        is_told = bool(store.roles_of(session, event.id, actor) & INSIDERS)
        changes = store.changes_since(session, event.id, base) if is_told else []
        others = [one for one in changes if one.name != UNDO and one.sequence not in gone]
        latest = f"; the latest: {others[0].name} by {others[0].actor}" if others else ""
        raise UndoRefused(sequence, f"it is not the last; what was done since may hang on it{latest}", others)
    row = store.log_row(session, event.id, base)
    kind = KINDS[row.name]
    if kind.creates or kind.lasting:
        raise UndoRefused(sequence, f"{row.name} is never undone")
    if event.version > MOST_ROWS:
        raise UndoRefused(sequence, f"the log has more than {MOST_ROWS:,} commands; put it right by another command")
    return row, again


def _undoings(session: Session, event: str) -> dict[int, int]:
    return {sequence: json.loads(fact)["sequence"] for sequence, fact in store.facts_named(session, event, UNDO)}


def _kind(changed: Changed | None) -> Kind[Undo, Undone]:
    def apply(session: Session, event: EventRow, row: LogRow, _: Undone) -> None:
        if changed is None or row.sequence != changed.version + 1:
            version = row.sequence - 1
            raise StaleEvent(changed.version if changed else version, version, [])
        _put(session, event, changed)

    return Kind(
        name=UNDO,
        arguments=Undo,
        fact=Undone,
        roles=_STAFF,
        leads_to=lambda fact: fact.phase,
        decide=_decide,
        apply=apply,
    )


def _put(session: Session, event: EventRow, changed: Changed) -> None:
    """Change what differs; the event's own version, head and phase are those of the undoing."""
    for row in changed.after[name_of(EventRow)]:
        for name, value in row.items():
            if name not in {"id", "version", "head", "phase"}:
                setattr(event, name, value)
    others: list[type[Table]] = [table for table in PROJECTION if table is not EventRow]
    store.change_rows(session, others, changed.before, changed.after)
