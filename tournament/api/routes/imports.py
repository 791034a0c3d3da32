"""An event out of a file."""

from typing import Annotated, Any, Final

from fastapi import Depends, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from tournament.api.answers import receipt
from tournament.api.deps import Db, NewEvent
from tournament.api.schemas import AnyFact, Receipt
from tournament.api.shelf import Shelf
from tournament.domain.errors import EventFileUnreadable, FileFault
from tournament.event_file import MOST_BYTES, FileRule
from tournament.service import transfers
from tournament.service.commands import Ask, Words
from tournament.service.imports import LONGEST_NAME

router = Shelf(prefix="/events", tags=["export"])
_FILE: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "description": "An event file: what `/events/{event}/export` gives, with its log or without.",
        "content": {
            "application/json": {
                "schema": {"type": "object"},
                "example": {
                    "version": 1,
                    "event": {"name": "Friday night", "game": "cps", "draw": "dice 6 2 5 5 1"},
                    "players": [{"id": "1", "name": "Ann"}, {"id": "2", "name": "Bob"}],
                    "rounds": [],
                },
            }
        },
    }
}


async def _body(request: Request, ask: NewEvent, database: Db) -> bytes:
    """The file, read for somebody whom we know. Raises: SignInNeeded, EventFileUnreadable."""
    await run_in_threadpool(_known, ask, database)
    read = bytearray()
    async for part in request.stream():
        read += part
        if len(read) > MOST_BYTES:
            wrong = f"has more than {MOST_BYTES:,} bytes, and no event file does"
            raise EventFileUnreadable((FileFault("", None, FileRule.SIZE, wrong),))
    return bytes(read)


def _known(ask: Ask, database: Db) -> None:
    with database.reading() as session:
        ask.who(session)


@router.post("/import", status_code=201, response_model=Receipt[AnyFact], openapi_extra=_FILE)
def import_event(
    ask: NewEvent,
    database: Db,
    file: Annotated[bytes, Depends(_body)],
    origin: Annotated[Words, Query(max_length=LONGEST_NAME, description="where it comes from, for the log")] = "",
    reason: Annotated[Words, Query(description="why, for the log")] = "",
) -> Response:
    """Make an event of a file; you become its organizer.

    A file with a log is the same event here: it keeps its id, and its log goes on with your command. Brought along
    again, it is there already. A file without one makes a new event with the players and the rounds of the file.
    """
    given = transfers.bring(database, ask, file, transfers.Bring(origin=origin, reason=reason))
    return receipt(given, status=201, headers={"Location": f"/events/{given.event}"})
