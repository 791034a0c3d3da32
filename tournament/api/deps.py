"""What routes are given: the database, a session to read, who asks.

FastAPI takes longer to solve a dependency than most of these take to answer, so they do not hang on each other: each is
given the request, and what its route has to describe. Which of them find out who asks, `described` tells.

Nothing here touches the database on the event loop. A session begins with its first question, which the route asks in a
thread of its own, and `answers.fresh` ends it there; what is done here after `yield` is for a route that failed
before. It ends before the answer is sent (`scope="function"`), and needs no thread to do so: a plain generator would
wait for one while it holds a connection, and threads that wait for that connection would never let it have one.
"""

import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final, get_origin
from uuid import uuid4

from fastapi import Depends, Header, Path, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from fastapi.security.utils import get_authorization_scheme_param
from sqlmodel import Session
from starlette.datastructures import QueryParams

from tournament.api import cookies
from tournament.api.edge.origins import network_of
from tournament.database import Database
from tournament.errors import RequestFault, RequestUnreadable, SignInNeeded
from tournament.service import accounts
from tournament.service.accounts import Shown, Who
from tournament.service.codes import Codes
from tournament.service.commands import NO_NUL, Ask
from tournament.service.limits import Try
from tournament.service.nodes import Nodes
from tournament.service.sign_ins import Door

LONGEST_ID: Final = 100
_BEARER: Final = "bearer"


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


async def _token(request: Request) -> Shown | None:
    return _shown(request)


def _shown(request: Request) -> Shown | None:
    scheme, credentials = get_authorization_scheme_param(request.headers.get("authorization"))
    if credentials and scheme.lower() == _BEARER:
        sent = accounts.shown(credentials)
        if sent is not None and accounts.is_of_browser(sent):
            raise SignInNeeded  # a cookie is worth nothing elsewhere
        return _noted(request, sent)
    kept = accounts.shown(cookies.kept(request))
    if kept is None or accounts.event_of(kept) not in {None, request.path_params.get("event")}:
        return None  # a player is a visitor wherever else the browser looks
    cookies.check_same_site(request)
    request.state.by_cookie = True
    return _noted(request, kept)


def _noted(request: Request, token: Shown | None) -> Shown | None:
    """Let the edge write down that it was used, if the answer is no refusal."""
    if token is not None:
        request.state.shown = accounts.digest_of(token.text)
    return token


Token = Annotated[Shown | None, Depends(_token)]
"""What the asker shows: a token, or a browser's cookie."""


async def _nodes(request: Request) -> Nodes:
    nodes: Nodes = request.app.state.nodes
    return nodes


TheNodes = Annotated[Nodes, Depends(_nodes)]
"""The chain, as this server sees it."""


async def _network(request: Request) -> str:
    return network_of(request.client.host if request.client else None)


Network = Annotated[str, Depends(_network)]
"""From where somebody asks."""


async def _door(request: Request) -> Door:
    door: Door = request.app.state.door
    return door


TheDoor = Annotated[Door, Depends(_door)]


def limited(rule: str) -> Callable[..., None]:
    """A dependency that lets a network do something only so often: `dependencies=[Depends(limited("registration"))]`.

    Whoever shows the token of an account is not counted; that the token is good, the route finds out.

    Args:
        rule: one of `limits.RULES`.

    Raises:
        TooManyRequests: from the dependency.
    """

    def limit(door: TheDoor, network: Network, token: Token) -> None:
        if token is None or accounts.is_player(token):
            door.limits.take([Try(rule, network)], datetime.now(UTC))

    return limit


def check_queries(route: APIRoute, query: bytes) -> None:
    """Refuse what a route does not know behind the question mark, so that a mistyped word is not without effect.

    Raises:
        RequestUnreadable: each word that is not known, or that is there twice.
    """
    words = [word for word, _ in QueryParams(query).multi_items()]
    known = dict(_queries(route.dependant))
    faults = [
        RequestFault(f"query/{word}", "is not known here" + (f"; known are {', '.join(known)}" if known else ""))
        for word in dict.fromkeys(words)
        if word not in known
    ]
    faults += [
        RequestFault(f"query/{word}", "stands there more than once")
        for word, is_list in known.items()
        if words.count(word) > 1 and not is_list
    ]
    if faults:
        raise RequestUnreadable(faults)


def _queries(dependant: Dependant) -> Iterator[tuple[str, bool]]:
    """What a route reads behind the question mark, and whether it may be there several times."""
    for field in dependant.query_params:
        yield field.alias, get_origin(field.field_info.annotation) is list
    for inner in dependant.dependencies:
        yield from _queries(inner)


EventId = Annotated[str, Path(description="The event's id.", pattern=NO_NUL, examples=["k3v7qzj2m5xa"])]


@dataclass(frozen=True)
class Look:
    """Somebody wants to read something of an event."""

    request: Request
    session: Session
    event: str
    token: Shown | None
    codes: Codes


async def _look(request: Request, event: EventId) -> AsyncIterator[Look]:
    state = request.app.state
    with state.database.reading() as session:
        yield Look(request, session, event, _shown(request), state.codes)


Looking = Annotated[Look, Depends(_look, scope="function")]
CommandId = Annotated[
    str | None,
    Header(
        alias="idempotency-key",
        min_length=1,
        max_length=LONGEST_ID,
        description="Your id of this command. Sent again, it gets its first answer and has no second effect.",
        examples=["0b5c9a52-6f3e-4c1a-9b1f-2f1f6f1f9d11"],
    ),
]
LookedAt = Annotated[
    str | None,
    Header(
        alias="if-match",
        description="The ETag that you looked at. If the event changed since, nothing is done.",
        examples=['"7"'],
    ),
]


async def _ask(request: Request, command: CommandId = None, if_match: LookedAt = None) -> Ask:
    return _asked(request, accounts.bearer, None, command, if_match)


async def _ask_of_event(request: Request, event: EventId, command: CommandId = None, if_match: LookedAt = None) -> Ask:
    return _asked(request, accounts.bearer, event, command, if_match)


async def _ask_as_anybody(
    request: Request, event: EventId, command: CommandId = None, if_match: LookedAt = None
) -> Ask:
    return _asked(request, accounts.anybody, event, command, if_match)


def _asked(
    request: Request,
    known: Callable[[Shown | None, Codes, str | None], Who],
    event: str | None,
    command: str | None,
    if_match: str | None,
) -> Ask:
    codes: Codes = request.app.state.codes
    return Ask(
        event=event or "",
        who=known(_shown(request), codes, event),
        codes=codes,
        command=(command or "").strip('" ') or str(uuid4()),
        now=datetime.now(UTC),
        expected=version_in(if_match),
    )


NewEvent = Annotated[Ask, Depends(_ask)]
"""A command that makes its event."""


Asking = Annotated[Ask, Depends(_ask_of_event)]
"""A command of somebody with an account or an entry."""


AskingAsAnybody = Annotated[Ask, Depends(_ask_as_anybody)]
"""A command that needs neither."""
KNOWS_WHO: Final = frozenset({_token, _look, _ask, _ask_of_event, _ask_as_anybody})
"""The dependencies that find out who asks."""


def knows_who(dependant: Dependant) -> bool:
    """Whether a route finds out who asks."""
    return dependant.call in KNOWS_WHO or any(map(knows_who, dependant.dependencies))


_ETAG: Final = re.compile(r'(?:W/)?"?([0-9]{1,18})(?:-[0-9a-f]{8})?"?')
"""A version, and for whom it is."""


def version_in(etag: str | None) -> int | None:
    """The version that an ETag names; None for none, or for any.

    Raises:
        RequestUnreadable: not an ETag of ours.
    """
    if etag is None or etag.strip() == "*":
        return None
    found = _ETAG.fullmatch(etag.strip())
    if found is None:
        raise RequestUnreadable([RequestFault("header/if-match", 'an ETag of the event is like "7"')])
    return int(found[1])
