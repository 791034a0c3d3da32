"""Answers: receipts of commands, and documents that stay true as long as the event's version does.

Everything that can be read of an event changes only by commands, and each command raises the version. So the bytes of a
document are made once for each version and audience. The version is the ETag of what everybody sees; where staff and
players see something else, the audience follows it (`"7-3f9a2c1b"`), so that nobody who signs in or out is told that
the document of before is still the right one.
"""

import gzip
import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Lock
from typing import Any, Final, TypeAlias, TypeVar

from fastapi import Request, Response
from pydantic import BaseModel
from sqlmodel import Session
from starlette.types import Scope

from tournament import store
from tournament.api.deps import Look
from tournament.database import Database
from tournament.domain.roles import INSIDERS, Role, by_rank
from tournament.errors import EventNotFound, NotYours
from tournament.service import accounts
from tournament.service.codes import Codes
from tournament.service.commands import A, Ask, F, Kind, Receipt, player_in, run, run_soon
from tournament.tables import EventRow

JSON: Final = "application/json"
MOST_KEPT: Final = 256
"""Documents."""
LARGEST_KEPT: Final = 1 << 20
"""Bytes; a larger document is made anew each time."""
LEAST_PACKED: Final = 1 << 10
"""Bytes; a smaller document is not worth packing."""
_LEVEL: Final = 5
_AUDIENCE: Final = 8
"""Digits."""


T = TypeVar("T")
Key: TypeAlias = tuple[str, int, str, frozenset[Role], int | None]
"""Event, version, path, the reader's roles, and which player reads."""


@dataclass
class Kept:
    """The documents that were asked for last."""

    crowded: dict[str, str] = field(default_factory=dict)
    """Places that all visitors are answered alike, and the event of each (`crowd`)."""
    _documents: OrderedDict[Key, bytes] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def get(self, key: Key) -> bytes | None:
        """The document, if it is still there."""
        with self._lock:
            if key in self._documents:
                self._documents.move_to_end(key)
            return self._documents.get(key)

    def crowd(self, place: str, event: str) -> None:
        """All visitors are answered alike there."""
        with self._lock:
            if len(self.crowded) >= MOST_KEPT:
                self.crowded.clear()
            self.crowded[place] = event

    def put(self, key: Key, document: bytes) -> None:
        """Keep a document instead of the one that nobody asked for the longest."""
        if len(document) > LARGEST_KEPT:
            return
        with self._lock:
            self._documents[key] = document
            while len(self._documents) > MOST_KEPT:
                self._documents.popitem(last=False)


@dataclass(frozen=True)
class Viewer:
    """Who reads, and what."""

    session: Session
    event: EventRow
    roles: frozenset[Role] = frozenset()
    """Of staff, without `display`, whose documents are those of visitors; none for players and visitors."""
    player: int | None = None
    """The entry that reads; None for staff and visitors."""
    codes: Codes = field(default_factory=Codes.of_nobody)
    """Of this server."""
    is_display: bool = False
    """Whether a display reads, which sees an event before it is published."""

    @property
    def is_staff(self) -> bool:
        """Whether somebody reads who reads drafts, the draw, the log and what judges write; the desk does not."""
        return bool(self.roles & INSIDERS)


def obeyed(database: Database, kind: Kind[A, F], ask: Ask, arguments: A, *, status: int = 200) -> Response:
    """Run a command and answer with its receipt."""
    return receipt(run(database, kind, ask, arguments), status=status)


async def obeyed_soon(database: Database, kind: Kind[A, F], ask: Ask, arguments: A, *, status: int = 200) -> Response:
    """The same for a route that is `async`: for what many give at the same time."""
    return receipt(await run_soon(database, kind, ask, arguments), status=status)


def receipt(given: Receipt, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A receipt as an answer."""
    tags = {"ETag": f'"{given.tag}"', "Cache-Control": "no-store"}
    return Response(given.body, status, tags | (headers or {}), JSON)


def fresh(  # noqa: PLR0913 - what, for whom, and what it hangs on
    look: Look,
    make: Callable[[Viewer], BaseModel | bytes],
    *,
    staff_only: bool = False,
    roles: frozenset[Role] | None = None,
    media_type: str = JSON,
    variant: str = "",
    for_crowds: bool = False,
) -> Response:
    """A document of the event in the path, or 304 if the reader has it. Ends the session's transaction.

    Args:
        look: whose, and at what.
        make: makes the document.
        staff_only: it is for those who read everything, `roles.INSIDERS`.
        roles: or for these; None: for everybody who sees the event.
        media_type: of the document.
        variant: what else the bytes hang on, such as the language of a page; `make` may know it.
        for_crowds: many ask for it at once, and it is JSON: it is answered by `crowd` from the second time on.

    Raises:
        EventNotFound: no such event, or not to be seen.
        NotYours: the document is for other roles.
    """
    only = INSIDERS if staff_only else roles
    try:
        if look.token is None and only is None:
            version = store.published_version(look.session, look.event)
            if version is not None:  # the most usual reader; what is kept needs nothing else of the event
                place = place_of(look.request.scope)
                key = key_of_visitors(look.event, version, place + variant)
                tag = f"{version}{_audience(variant=variant)}"
                answer = answered(look.request, tag, key, lambda: make(viewer_of(look)), media_type)
                if for_crowds:
                    look.request.app.state.kept.crowd(place, look.event)
                return answer
        viewer = viewer_of(look)
        if only is not None and not viewer.roles & only:
            raise NotYours("reading this", by_rank(only))
        return _answered(look.request, viewer, make, media_type, variant)
    finally:
        look.session.close()


def seen(look: Look, make: Callable[[Viewer], T]) -> T:
    """What is made of the event in the path for whoever looks, where there is no ETag. Ends the session's transaction.

    Raises:
        EventNotFound: no such event, or not to be seen.
    """
    try:
        return make(viewer_of(look))
    finally:
        look.session.close()


def shown(look: Look, make: Callable[[Viewer], BaseModel]) -> Response:
    """What a command would do, for staff: a look that changes nothing, so nobody keeps it. Ends the transaction.

    Raises:
        EventNotFound: no such event, or not to be seen.
        NotYours: the asker is none of those who read everything.
    """
    try:
        viewer = viewer_of(look)
        if not viewer.is_staff:
            raise NotYours("looking at this", by_rank(INSIDERS))
        tags = {"ETag": f'"{viewer.event.version}"', "Cache-Control": "no-store"}
        return Response(make(viewer).model_dump_json(), 200, tags, JSON)
    finally:
        look.session.close()


def private(look: Look, make: Callable[[Viewer], BaseModel], *, roles: frozenset[Role]) -> Response:
    """A document that is made anew for each reader and kept nowhere: it has codes. Ends the session's transaction.

    Raises:
        EventNotFound: no such event, or not to be seen.
        NotYours: the document is for other roles.
    """
    try:
        viewer = viewer_of(look)
        if not viewer.roles & roles:
            raise NotYours("reading this", by_rank(roles))
        return Response(make(viewer).model_dump_json(), 200, {"Cache-Control": "no-store"}, JSON)
    finally:
        look.session.close()


def with_receipt(given: Receipt, document: BaseModel, *, status: int = 200) -> Response:
    """A receipt with what is told beside it; the document has no field `receipt`."""
    beside = document.model_dump_json().encode()
    tags = {"ETag": f'"{given.tag}"', "Cache-Control": "no-store"}
    return Response(b'{"receipt":%b,%b' % (given.body, beside[1:]), status, tags, JSON)


def viewer_of(look: Look) -> Viewer:
    """Who looks, and what they may see. Raises: EventNotFound: no such event, or not to be seen."""
    actor = accounts.find(look.session, look.token, look.codes, look.event)
    player = player_in(actor) if actor is not None else None
    event = store.find_event(look.session, look.event)
    no_roles: frozenset[Role] = frozenset()
    roles = no_roles if event is None or actor is None else store.roles_of(look.session, event.id, actor)
    if event is None or not (event.published or roles or player is not None):
        raise EventNotFound(look.event)
    return Viewer(look.session, event, roles - {Role.DISPLAY}, player, look.codes, is_display=Role.DISPLAY in roles)


def key_of_visitors(event: str, version: int, place: str) -> Key:
    """What a document hangs on that every visitor sees alike."""
    return (event, version, place, frozenset(), None)


def answered(
    request: Request, tag: str, key: Key, make: Callable[[], BaseModel | bytes], media_type: str = JSON
) -> Response:
    """A document that is kept, or 304 if the reader has it; packed if the reader takes that.

    Args:
        request: whose answer it is.
        tag: what is in the ETag.
        key: what the document hangs on.
        make: makes it, if it is not kept.
        media_type: of the document.
    """
    etag = f'"{tag}"'
    headers = {"ETag": etag, "Cache-Control": _keeping(key), "Vary": "Authorization, Cookie, Accept-Encoding"}
    if has_tag(request.headers.get("if-none-match"), etag):
        return Response(None, 304, headers)
    kept: Kept = request.app.state.kept
    body = kept.get(key)
    if body is None:
        made: Any = make()
        body = made if isinstance(made, bytes) else made.model_dump_json().encode()
        kept.put(key, body)
    is_staff = key[3]
    if len(body) < LEAST_PACKED or is_staff or not takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(body, 200, headers, media_type)
    id_, version, path, *who = key
    as_packed: Any = (id_, version, f"{path} packed", *who)
    packed = kept.get(as_packed)
    if packed is None:
        packed = gzip.compress(body, _LEVEL, mtime=0)
        kept.put(as_packed, packed)
    return Response(packed, 200, headers | {"ETag": f"W/{etag}", "Content-Encoding": "gzip"}, media_type)


def _answered(
    request: Request, viewer: Viewer, make: Callable[[Viewer], BaseModel | bytes], media_type: str, variant: str
) -> Response:
    event = viewer.event
    key = (event.id, event.version, place_of(request.scope) + variant, viewer.roles, viewer.player)
    tag = f"{event.version}{_audience(viewer, variant=variant)}"
    return answered(request, tag, key, lambda: make(viewer), media_type)


def _audience(viewer: Viewer | None = None, *, variant: str) -> str:
    """What the ETag has after the version; nothing for what every visitor sees alike."""
    is_visitor = viewer is None or (not viewer.roles and viewer.player is None)
    if is_visitor and not variant:
        return ""
    who = "" if viewer is None else f"{sorted(viewer.roles)} {viewer.player}"
    who += variant
    return f"-{sha256(who.encode()).hexdigest()[:_AUDIENCE]}"


def place_of(scope: Scope) -> str:
    """The path that is asked for, and what stands behind it."""
    return f"{scope['path']}?{scope['query_string'].decode('latin-1')}"


def _keeping(key: Key) -> str:
    """Who may keep an answer, and whether it may be packed.

    What staff see has secrets beside names that strangers chose; packed, its length would tell who watches the line
    whether a guessed name has something in common with a secret.
    """
    *_, is_staff, player = key
    if is_staff:
        return "private, no-cache, no-transform"
    return "no-cache" if player is None else "private, no-cache"


def takes_gzip(accepts: str) -> bool:
    """Whether an Accept-Encoding has gzip, and not only to say that it is not wanted."""
    for one in accepts.lower().split(","):
        name, _, weight = one.partition(";")
        if name.strip() in {"gzip", "*"}:
            return re.fullmatch(r"q=0(\.0*)?", weight.strip()) is None
    return False


def has_tag(tags: str | None, tag: str) -> bool:
    """Whether an `If-None-Match` names the tag."""
    return tags is not None and tag in {one.strip().removeprefix("W/") for one in tags.split(",")}
