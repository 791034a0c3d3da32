"""Entries: enter, list, show, drop, return."""

from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Response

from tournament import store
from tournament.api.answers import Viewer, fresh, obeyed
from tournament.api.deps import Asking, Db, Looking
from tournament.api.schemas import Entries, Entry, Receipt
from tournament.service import entries
from tournament.service.commands import Nothing
from tournament.service.entries import MOST_NUMBER

PAGE: Final = 1000
router = APIRouter(prefix="/events/{event}/entries", tags=["entries"])
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The player's number in the event.", examples=[17])]


@router.post("", status_code=201, response_model=Receipt[entries.Added])
def add_entry(body: entries.Add, ask: Asking, database: Db) -> Response:
    """Enter a player; once rounds are played, from the next one on."""
    return obeyed(database, entries.ADD, ask, body, status=201)


@router.get("", response_model=Entries)
def list_entries(
    look: Looking,
    after: Annotated[int, Query(ge=0, le=MOST_NUMBER, description="`next` of the page before")] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> Response:
    """The players by number."""

    def page(viewer: Viewer) -> Entries:
        rows = store.entries_of(viewer.session, viewer.event.id, after=after, limit=limit + 1)
        following = rows[limit - 1].number if len(rows) > limit else None
        return Entries(entries=[Entry.of(row) for row in rows[:limit]], next=following)

    return fresh(look, page)


@router.get("/{number}", response_model=Entry)
def show_entry(look: Looking, number: Number) -> Response:
    """A player."""
    return fresh(look, lambda viewer: Entry.of(entries.load(viewer.session, viewer.event.id, number)))


@router.post("/{number}/drop", response_model=Receipt[entries.Left])
def drop_entry(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """The player leaves: is not paired again, and keeps the results."""
    return obeyed(database, entries.DROP, ask, _leave(number, body))


@router.post("/{number}/return", response_model=Receipt[entries.Returned])
def return_entry(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """The player is back, from the next round on."""
    return obeyed(database, entries.RETURN, ask, _leave(number, body))


def _leave(number: int, body: Nothing | None) -> entries.Leave:
    return entries.Leave(entry=number, reason=body.reason if body else "")
