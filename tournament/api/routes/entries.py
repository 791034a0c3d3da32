"""Entries: enter, list, show, correct, drop, return, promote, disqualify, merge."""

from typing import Annotated, Final

from fastapi import Path, Query, Response
from pydantic import Field

from tournament import store
from tournament.api import own
from tournament.api.answers import Viewer, fresh, obeyed
from tournament.api.deps import Asking, Db, Looking
from tournament.api.schemas import Alike, Entries, Entry, Mine, Named, Receipt
from tournament.api.shelf import Shelf
from tournament.domain.roles import AT_THE_DESK
from tournament.service import disqualifications, entries, merging
from tournament.service.commands import Arguments, Nothing, WithReason
from tournament.service.entries import MOST_NUMBER
from tournament.service.names import alike

PAGE: Final = 1000
router = Shelf(prefix="/events/{event}/entries", tags=["entries"])
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The player's number in the event.", examples=[17])]


class Other(Arguments):
    """The other entry of the same person, which has not played."""

    void: int = Field(ge=1, le=MOST_NUMBER, examples=[23])


class BackAgain(Arguments):
    """The player is back."""

    even_so: bool = Field(default=False, description="also beyond the capacity, by the word of an organizer")


@router.post("", status_code=201, response_model=Receipt[entries.Added])
def add_entry(body: entries.Add, ask: Asking, database: Db) -> Response:
    """Enter a player; once rounds are played, from the next one on. After the last place the player waits for one."""
    return obeyed(database, entries.ADD, ask, body, status=201)


@router.get("", response_model=Entries)
def list_entries(
    look: Looking,
    after: Annotated[int, Query(ge=0, le=MOST_NUMBER, description="`next` of the page before")] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> Response:
    """The players by number, with those who wait, left, or became part of another entry."""

    def page(viewer: Viewer) -> Entries:
        rows = store.entries_of(viewer.session, viewer.event.id, after=after, limit=limit + 1)
        following = rows[limit - 1].number if len(rows) > limit else None
        decks = store.decks_of(viewer.session, viewer.event.id, first=after + 1, last=following)
        return Entries(entries=[Entry.of(row, decks.get(row.number)) for row in rows[:limit]], next=following)

    return fresh(look, page)


@router.get("/me", response_model=Mine)
def show_mine(look: Looking) -> Response:
    """Your own entry, by the token of its code."""
    return fresh(look, own.mine_of)


@router.get("/alike", response_model=Alike)
def list_alike(look: Looking) -> Response:
    """Entries that may be of one person, for the desk: to be merged, or left as they are."""

    def found(viewer: Viewer) -> Alike:
        rows = [row for row in store.entries_of(viewer.session, viewer.event.id) if row.merged_into is None]
        names = {row.number: row.name for row in rows}
        return Alike(
            groups=[[Named(number=number, name=names[number]) for number in group] for group in alike(names.items())]
        )

    return fresh(look, found, roles=AT_THE_DESK)


@router.get("/{number}", response_model=Entry)
def show_entry(look: Looking, number: Number) -> Response:
    """A player."""

    def entry(viewer: Viewer) -> Entry:
        row = entries.load(viewer.session, viewer.event.id, number)
        return Entry.of(row, store.find_deck(viewer.session, viewer.event.id, number))

    return fresh(look, entry)


@router.patch("/{number}", response_model=Receipt[entries.EntryEdited])
def edit_entry(body: entries.Corrections, ask: Asking, database: Db, number: Number) -> Response:
    """Correct an entry; what you do not name stays. A player corrects the own name, before the first round."""
    return obeyed(database, entries.EDIT, ask, entries.Edit(entry=number, **body.model_dump(exclude_unset=True)))


@router.post("/{number}/drop", response_model=Receipt[entries.Left])
def drop_entry(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """The player leaves: is not paired again, and keeps the results. Before the start, who waits gets the place."""
    return obeyed(database, entries.DROP, ask, _leave(number, body))


@router.post("/{number}/return", response_model=Receipt[entries.Returned])
def return_entry(ask: Asking, database: Db, number: Number, body: BackAgain | None = None) -> Response:
    """The player is back, from the next round on, if there is a place; before the start the player may wait for one.

    An organizer takes somebody back beyond the capacity with `even_so`.
    """
    asked = body or BackAgain()
    return obeyed(
        database, entries.RETURN, ask, entries.Return(entry=number, even_so=asked.even_so, reason=asked.reason)
    )


@router.post("/{number}/promote", response_model=Receipt[entries.Promoted])
def promote_entry(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """Give a place that is free to a player who waits, whoever else waits longer."""
    return obeyed(database, entries.PROMOTE, ask, _leave(number, body))


@router.post("/{number}/disqualify", response_model=Receipt[disqualifications.Disqualified])
def disqualify_entry(body: WithReason, ask: Asking, database: Db, number: Number) -> Response:
    """The player is out, and out of the standings. A match that is running is lost."""
    asked = disqualifications.Disqualify(entry=number, reason=body.reason)
    return obeyed(database, disqualifications.DISQUALIFY, ask, asked)


@router.post("/{number}/reinstate", response_model=Receipt[disqualifications.Reinstated])
def reinstate_entry(body: WithReason, ask: Asking, database: Db, number: Number) -> Response:
    """Take a disqualification back: the player has dropped, and may return. Results stay; correct them if need be."""
    asked = disqualifications.Disqualify(entry=number, reason=body.reason)
    return obeyed(database, disqualifications.REINSTATE, ask, asked)


@router.post("/{number}/merge", response_model=Receipt[merging.Merged])
def merge_entry(body: Other, ask: Asking, database: Db, number: Number) -> Response:
    """Make another entry of the same person, which has not played, a part of this one."""
    return obeyed(database, merging.MERGE, ask, merging.Merge(entry=number, void=body.void, reason=body.reason))


def _leave(number: int, body: Nothing | None) -> entries.Leave:
    return entries.Leave(entry=number, reason=body.reason if body else "")
