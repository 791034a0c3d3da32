"""Events: announce, publish, open, close, finish; list and show."""

from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from tournament import store
from tournament.api.answers import fresh, obeyed, receipt
from tournament.api.deps import Asking, Db, Looking, NewEvent, Reading, ServerCodes, Token
from tournament.api.schemas import Event, Events, Receipt
from tournament.errors import RequestFault, RequestUnreadable
from tournament.service import accounts, events
from tournament.service.commands import Done, Nothing

PAGE: Final = 50
router = APIRouter(prefix="/events", tags=["events"])


@router.post("", status_code=201, response_model=Receipt[events.Created])
def create_event(body: events.Create, ask: NewEvent, database: Db) -> Response:
    """Announce an event; you become its organizer."""
    given = events.create(database, ask, body)
    return receipt(given, status=201, headers={"Location": f"/events/{given.event}"})


@router.get("")
def list_events(
    session: Reading,
    token: Token,
    codes: ServerCodes,
    before: Annotated[str | None, Query(max_length=100, description="`next` of the page before")] = None,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> Events:
    """Published events, and those where you are staff; the newest first."""
    with session:
        account = accounts.find(session, token, codes)
        rows = store.list_events(session, account, before=_place(before), limit=limit + 1)
    page = rows[:limit]
    following = f"{page[-1].created_at}~{page[-1].id}" if len(rows) > limit else None
    return Events(events=[Event.of(row) for row in page], next=following)


@router.get("/{event}", response_model=Event)
def show_event(look: Looking) -> Response:
    """An event."""
    return fresh(look, lambda viewer: Event.of(viewer.event))


@router.patch("/{event}", response_model=Receipt[events.Edited])
def edit_event(body: events.Edit, ask: Asking, database: Db) -> Response:
    """Change what was announced; what you do not name stays."""
    return obeyed(database, events.EDIT, ask, body)


@router.post("/{event}/publish", response_model=Receipt[Done])
def publish_event(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Let everybody see the event."""
    return obeyed(database, events.PUBLISH, ask, body or Nothing())


@router.post("/{event}/registration/open", response_model=Receipt[Done])
def open_registration(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Players may enter."""
    return obeyed(database, events.OPEN, ask, body or Nothing())


@router.post("/{event}/registration/close", response_model=Receipt[Done])
def close_registration(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Registration is over, check-in begins; the desk may still enter players."""
    return obeyed(database, events.CLOSE, ask, body or Nothing())


@router.post("/{event}/registration/reopen", response_model=Receipt[Done])
def reopen_registration(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Back to registration; a draft of the first round is discarded."""
    return obeyed(database, events.REOPEN, ask, body or Nothing())


@router.post("/{event}/finish", response_model=Receipt[Done])
def finish_event(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """The standings are final, and the draw is published."""
    return obeyed(database, events.FINISH, ask, body or Nothing())


@router.post("/{event}/void", response_model=Receipt[Done])
def void_event(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """The event does not count; nothing more can be done to it."""
    return obeyed(database, events.VOID, ask, body or Nothing())


def _place(before: str | None) -> tuple[str, str] | None:
    if before is None:
        return None
    at, mark, event = before.partition("~")
    if not mark or "\x00" in before:
        raise RequestUnreadable([RequestFault("query/before", "not the `next` of a page")])
    return at, event
