"""What anybody may have of an event that is over: its file, with the log in which the rows for staff are sealed.

Whoever has it can verify the chain, carry the log out, and compare what comes of it with the file: every round, every
result, who was in, and the cut (`transfers.faults_of`). The words of penalties, notes, calls and deck checks are in the
sealed rows, and nothing that a result hangs on is (docs/decisions/0048).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from sqlmodel import Session

from tournament import event_file, store
from tournament.domain.model import Player
from tournament.service import exports
from tournament.service.beside import ENTRY, Subject
from tournament.service.chain import Line, document_of, seal_of
from tournament.service.kinds import KINDS
from tournament.tables import EventRow, LogRow, SealedRow


def published(log: Iterable[LogRow], *, besides: Collection[str] = ()) -> list[Line]:
    """A whole log, with seals where rows are for staff; rows of the kinds `besides` stay open."""
    return [seal_of(row) if is_sealed(row.name) and row.name not in besides else row for row in log]


def is_sealed(kind: str) -> bool:
    """Whether rows of that kind are for staff. The undoing of such a row is for everybody, with the reason for it."""
    return kind in KINDS and KINDS[kind].sealed


def export(session: Session, event: EventRow) -> str:
    """The event file for everybody, with the published log.

    The caller makes sure that the event is over, or that staff ask: the draw is in it, and drafts.
    """
    told = exports.exported(session, event, with_penalties=False)
    lines = published(store.read_log(session, event.id))
    kept = tuple(map(exports.opened, names_of(session, event.id, lines, told.players)))
    return event_file.write_event_file(replace(told, log=tuple(map(document_of, lines)), kept=kept))


def names_of(session: Session, event: str, lines: Iterable[Line], players: Sequence[Player]) -> list[SealedRow]:
    """What is kept beside the log and is in the file anyway: what players are called, bound to the log by it.

    What somebody was called before is not among them, nor lists, nor what judges wrote.
    """
    names = {Subject(ENTRY, int(player.id)): player.name for player in players}
    told = {
        one.digest: names.get(one.subject)
        for line in lines
        if isinstance(line, LogRow) and line.name in KINDS and KINDS[line.name].fact.beside
        for one in KINDS[line.name].named(line.fact)
    }
    return [row for row in store.read_sealed(session, event) if row.text and told.get(row.digest) == row.text]
