"""Notes of judges: write, amend, read. For staff."""

from typing import Annotated

from fastapi import Path, Query, Response

from tournament.api import judged
from tournament.api.answers import fresh, obeyed
from tournament.api.deps import Asking, Db, Looking
from tournament.api.judged import PAGE
from tournament.api.schemas import Notes, Receipt
from tournament.api.shelf import Shelf
from tournament.service import notes
from tournament.service.entries import MOST_NUMBER

router = Shelf(prefix="/events/{event}/notes", tags=["notes"])
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The note.", examples=[3])]


@router.post("", status_code=201, response_model=Receipt[notes.NoteWritten])
def write_note(body: notes.WriteNote, ask: Asking, database: Db) -> Response:
    """Write a note on a player, a table or the event."""
    return obeyed(database, notes.WRITE, ask, body, status=201)


@router.put("/{number}", response_model=Receipt[notes.NoteAmended])
def amend_note(body: notes.NoteText, ask: Asking, database: Db, number: Number) -> Response:
    """Let a note say something else; what it said is kept. Refused if somebody amended it since you read it."""
    return obeyed(database, notes.AMEND, ask, notes.AmendNote(note=number, **body.model_dump()))


@router.get("", response_model=Notes)
def list_notes(
    look: Looking,
    entry: Annotated[int | None, Query(ge=1, le=MOST_NUMBER, description="on this player only")] = None,
    after: Annotated[int, Query(ge=0, le=MOST_NUMBER, description="`next` of the page before")] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> Response:
    """Notes in order, each with everything it said."""
    return fresh(look, lambda viewer: judged.notes_of(viewer, entry, after=after, limit=limit), staff_only=True)
