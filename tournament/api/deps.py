"""What routes are given: the database, a session to read, who asks.

Nothing here touches the database on the event loop. A session begins with its first question, which the route asks in a
thread of its own, and `answers.fresh` ends it there; what is done here after `yield` is for a route that failed
before. It ends before the answer is sent (`scope="function"`), and needs no thread to do so: a plain generator would
wait for one while it holds a connection, and threads that wait for that connection would never let it have one.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Final
from uuid import uuid4

from fastapi import Depends, Header, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlmodel import Session

from tournament.database import Database
from tournament.errors import RequestFault, RequestUnreadable
from tournament.service import accounts
from tournament.service.codes import Codes
from tournament.service.commands import NO_NUL, Ask

LONGEST_ID: Final = 100
_BEARER: Final = HTTPBearer(auto_error=False, description="A token from `POST /tokens` or `deckproof admin create`.")


async def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


Db = Annotated[Database, Depends(_database)]


async def _reading(database: Db) -> AsyncIterator[Session]:
    with database.reading() as session:
        yield session


async def _codes(request: Request) -> Codes:
    codes: Codes = request.app.state.codes
    return codes


ServerCodes = Annotated[Codes, Depends(_codes)]


Reading = Annotated[Session, Depends(_reading, scope="function")]


async def _token(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]) -> str | None:
    return credentials.credentials if credentials else None


Token = Annotated[str | None, Depends(_token)]


EventId = Annotated[str, Path(description="The event's id.", pattern=NO_NUL, examples=["k3v7qzj2m5xa"])]


@dataclass(frozen=True)
class Look:
    """Somebody wants to read something of an event."""

    request: Request
    session: Session
    event: str
    token: str | None
    codes: Codes


async def _look(request: Request, session: Reading, event: EventId, token: Token, codes: ServerCodes) -> Look:
    return Look(request, session, event, token, codes)


Looking = Annotated[Look, Depends(_look)]


async def _ask(
    token: Token,
    codes: ServerCodes,
    idempotency_key: Annotated[
        str | None,
        Header(
            min_length=1,
            max_length=LONGEST_ID,
            description="Your id of this command. Sent again, it gets its first answer and has no second effect.",
            examples=["0b5c9a52-6f3e-4c1a-9b1f-2f1f6f1f9d11"],
        ),
    ] = None,
    if_match: Annotated[
        str | None,
        Header(
            description="The ETag that you looked at. If the event changed since, nothing is done.", examples=['"7"']
        ),
    ] = None,
) -> Ask:
    return Ask(
        event="",
        who=accounts.bearer(token, codes),
        codes=codes,
        command=(idempotency_key or "").strip('" ') or str(uuid4()),
        now=datetime.now(UTC),
        expected=version_in(if_match),
    )


NewEvent = Annotated[Ask, Depends(_ask)]
"""A command that makes its event."""


async def _ask_of_event(ask: NewEvent, token: Token, event: EventId) -> Ask:
    return replace(ask, event=event, who=accounts.bearer(token, ask.codes, event))


Asking = Annotated[Ask, Depends(_ask_of_event)]
"""A command of somebody with an account or an entry."""


async def _ask_as_anybody(ask: NewEvent, token: Token, event: EventId) -> Ask:
    return replace(ask, event=event, who=accounts.anybody(token, ask.codes, event))


AskingAsAnybody = Annotated[Ask, Depends(_ask_as_anybody)]
"""A command that needs neither."""


def version_in(etag: str | None) -> int | None:
    """The version that an ETag names; None for none, or for any.

    Raises:
        RequestUnreadable: not an ETag of ours.
    """
    if etag is None or etag.strip() == "*":
        return None
    digits = etag.strip().removeprefix("W/").strip('"')
    if not (digits.isascii() and digits.isdigit()):
        raise RequestUnreadable([RequestFault("header/if-match", 'an ETag of the event is like "7"')])
    return int(digits)
