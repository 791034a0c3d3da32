"""Notes of judges on a player, a table or the event. Staff read them, and everything they said before."""

from typing import Annotated, ClassVar, Final

from pydantic import Field, StringConstraints
from sqlmodel import Session

from tournament import store
from tournament.domain.roles import JUDGES
from tournament.errors import NoteChanged, NoteNotFound
from tournament.service import entries, results
from tournament.service.beside import Kept, Place, numbered
from tournament.service.commands import Arguments, Fact, Kind, Scene, Words
from tournament.service.entries import MOST_NUMBER
from tournament.tables import EventRow, LogRow, NoteRow, NoteTextRow

MOST_REVISIONS: Final = 1_000_000
Text = Annotated[Words, StringConstraints(min_length=1)]
_TEXT: Final = Place(path=("text",), of=numbered("note"))


class WriteNote(Arguments):
    """A note: on a player, on a table, or, if neither is named, on the event."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"text"})

    text: Text = Field(examples=["asked twice about the same card"])
    entry: int | None = Field(default=None, ge=1, le=MOST_NUMBER)
    table: int | None = Field(default=None, ge=1, le=MOST_NUMBER)
    round: int | None = Field(
        default=None, ge=1, le=MOST_NUMBER, description="the latest one, if a table is named alone"
    )


class NoteWritten(Fact):
    """A note."""

    beside: ClassVar[tuple[Place, ...]] = (_TEXT,)

    note: int
    text: Kept
    entry: int | None
    round: int | None
    table: int | None


class NoteText(Arguments):
    """What the note says from now on."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"text"})

    text: Text
    revision: int = Field(ge=1, le=MOST_REVISIONS, description="the revision that you read", examples=[1])


class AmendNote(NoteText):
    """The same, and which note it is."""

    note: int = Field(ge=1, le=MOST_NUMBER)


class NoteAmended(Fact):
    """The note says something else; what it said before is kept."""

    beside: ClassVar[tuple[Place, ...]] = (_TEXT,)

    note: int
    revision: int
    text: Kept
    why: str


def _decide_write(scene: Scene, asked: WriteNote) -> NoteWritten:
    session, event = scene.session, scene.event
    if asked.entry is not None:
        entries.require_kept(entries.load(session, event.id, asked.entry))
    number = asked.round
    if asked.table is not None:
        number = number or store.last_published(session, event.id)
        results.table_at(scene, number, asked.table)
    return NoteWritten(
        note=store.last_number(session, NoteRow, event.id) + 1,
        text=asked.text,
        entry=asked.entry,
        round=number,
        table=asked.table,
    )


def _apply_write(session: Session, event: EventRow, row: LogRow, fact: NoteWritten) -> None:
    note = NoteRow(event_id=event.id, number=fact.note, entry=fact.entry, round=fact.round, table_number=fact.table)
    store.save(session, note)
    session.flush()
    store.save(session, _said(row, NoteAmended(note=fact.note, revision=1, text=fact.text, why="")))


def _decide_amend(scene: Scene, asked: AmendNote) -> NoteAmended:
    said = store.note_texts(scene.session, scene.event.id, asked.note)
    if not said:
        raise NoteNotFound(asked.note)
    revision = said[-1].revision
    if revision != asked.revision:
        raise NoteChanged(asked.note, revision)
    return NoteAmended(note=asked.note, revision=revision + 1, text=asked.text, why=asked.reason)


def _apply_amend(session: Session, _: EventRow, row: LogRow, fact: NoteAmended) -> None:
    store.save(session, _said(row, fact))


def _said(row: LogRow, fact: NoteAmended) -> NoteTextRow:
    return NoteTextRow(
        event_id=row.event_id,
        note=fact.note,
        revision=fact.revision,
        text=fact.text,
        by=row.actor,
        at=row.at,
        reason=fact.why,
    )


WRITE: Final = Kind(
    name="note.write",
    arguments=WriteNote,
    fact=NoteWritten,
    roles=JUDGES,
    sealed=True,
    decide=_decide_write,
    apply=_apply_write,
)
AMEND: Final = Kind(
    name="note.amend",
    arguments=AmendNote,
    fact=NoteAmended,
    roles=JUDGES,
    sealed=True,
    decide=_decide_amend,
    apply=_apply_amend,
)
KINDS: Final = (WRITE, AMEND)
