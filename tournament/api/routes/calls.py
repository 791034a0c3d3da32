"""Calls for a judge: make, take, give back, close; the queue."""

from typing import Annotated, Final

from fastapi import Path, Query, Response

from tournament import store
from tournament.api.answers import Viewer, fresh, obeyed
from tournament.api.deps import Asking, Db, Looking
from tournament.api.schemas import CallLine, Calls, Receipt
from tournament.api.shelf import Shelf
from tournament.service import calls
from tournament.service.commands import Nothing
from tournament.service.entries import MOST_NUMBER

PAGE: Final = 500
router = Shelf(prefix="/events/{event}/calls", tags=["calls for a judge"])
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The call.", examples=[5])]


@router.post("", status_code=201, response_model=Receipt[calls.JudgeCalled])
def call_judge(ask: Asking, database: Db, body: calls.JudgeCall | None = None) -> Response:
    """Call a judge to your table; staff call one to any table.

    Called again, it is the same call, perhaps with another topic.
    """
    return obeyed(database, calls.MAKE, ask, body or calls.JudgeCall(), status=201)


@router.get("", response_model=Calls)
def show_queue(look: Looking) -> Response:
    """Open calls: those that nobody took first, the oldest first. For staff."""

    def queue(viewer: Viewer) -> Calls:
        rows = store.open_calls(viewer.session, viewer.event.id)
        names = store.names_of(viewer.session, viewer.event.id, (row.entry for row in rows))
        return Calls(calls=[CallLine.of(row, names) for row in rows])

    return fresh(look, queue, staff_only=True)


@router.get("/all", response_model=Calls)
def list_calls(
    look: Looking,
    after: Annotated[int, Query(ge=0, le=MOST_NUMBER, description="`next` of the page before")] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> Response:
    """Every call, open or closed, in order. For staff."""

    def page(viewer: Viewer) -> Calls:
        rows = store.call_page(viewer.session, viewer.event.id, after=after, limit=limit + 1)
        names = store.names_of(viewer.session, viewer.event.id, (row.entry for row in rows))
        following = rows[limit - 1].number if len(rows) > limit else None
        return Calls(calls=[CallLine.of(row, names) for row in rows[:limit]], next=following)

    return fresh(look, page, staff_only=True)


@router.post("/{number}/take", response_model=Receipt[calls.CallMarked])
def take_call(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """You are on the way."""
    return obeyed(database, calls.TAKE, ask, _numbered(number, body))


@router.post("/{number}/release", response_model=Receipt[calls.CallMarked])
def release_call(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """Give the call back to the queue."""
    return obeyed(database, calls.RELEASE, ask, _numbered(number, body))


@router.post("/{number}/close", response_model=Receipt[calls.CallClosed])
def close_call(ask: Asking, database: Db, number: Number, body: calls.CallClosing | None = None) -> Response:
    """You are done, and the table gets its time extension; the receipt says how many minutes."""
    said = (body or calls.CallClosing()).model_dump()
    return obeyed(database, calls.CLOSE, ask, calls.CloseCall(call=number, **said))


@router.post("/{number}/withdraw", response_model=Receipt[calls.CallMarked])
def withdraw_call(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """No judge is needed after all. For the player who called."""
    return obeyed(database, calls.WITHDRAW, ask, _numbered(number, body))


def _numbered(number: int, body: Nothing | None) -> calls.CallNumber:
    return calls.CallNumber(call=number, reason=body.reason if body else "")
