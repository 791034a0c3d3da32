"""Answers: receipts of commands, and documents that stay true as long as the event's version does.

Everything that can be read of an event changes only by commands, and each command raises the version. So the version is
the ETag of everything, and the bytes of a document are made once for each version and audience.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final, TypeAlias

from fastapi import Request, Response
from pydantic import BaseModel
from sqlmodel import Session

from tournament import store
from tournament.api.deps import Look
from tournament.database import Database
from tournament.errors import EventNotFound, NotYours
from tournament.service import accounts
from tournament.service.commands import A, Ask, F, Kind, Receipt, player_in, run
from tournament.tables import EventRow

JSON: Final = "application/json"
MOST_KEPT: Final = 256
"""Documents."""
LARGEST_KEPT: Final = 1 << 20
"""Bytes; a larger document is made anew each time."""


Key: TypeAlias = tuple[str, int, str, bool, int | None]
"""Event, version, path, whether staff, and which player reads."""


@dataclass
class Kept:
    """The documents that were asked for last."""

    _documents: OrderedDict[Key, bytes] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def get(self, key: Key) -> bytes | None:
        """The document, if it is still there."""
        with self._lock:
            if key in self._documents:
                self._documents.move_to_end(key)
            return self._documents.get(key)

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
    is_staff: bool
    player: int | None = None
    """The entry that reads; None for staff and visitors."""


def obeyed(database: Database, kind: Kind[A, F], ask: Ask, arguments: A, *, status: int = 200) -> Response:
    """Run a command and answer with its receipt."""
    return receipt(run(database, kind, ask, arguments), status=status)


def receipt(given: Receipt, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A receipt as an answer."""
    tags = {"ETag": f'"{given.version}"', "Cache-Control": "no-store"}
    return Response(given.body, status, tags | (headers or {}), JSON)


def fresh(look: Look, make: Callable[[Viewer], BaseModel | bytes], *, staff_only: bool = False) -> Response:
    """A document of the event in the path, or 304 if the reader has it. Ends the session's transaction.

    Raises:
        EventNotFound: no such event, or not to be seen.
        NotYours: the document is for staff.
    """
    try:
        viewer = _viewer(look)
        if staff_only and not viewer.is_staff:
            raise NotYours("reading this", ["staff"])
        return _answered(look.request, viewer, make)
    finally:
        look.session.close()


def shown(look: Look, make: Callable[[Viewer], BaseModel]) -> Response:
    """What a command would do, for staff: a look that changes nothing, so nobody keeps it. Ends the transaction.

    Raises:
        EventNotFound: no such event, or not to be seen.
        NotYours: the asker is none of its staff.
    """
    try:
        viewer = _viewer(look)
        if not viewer.is_staff:
            raise NotYours("looking at this", ["staff"])
        tags = {"ETag": f'"{viewer.event.version}"', "Cache-Control": "no-store"}
        return Response(make(viewer).model_dump_json(), 200, tags, JSON)
    finally:
        look.session.close()


def _viewer(look: Look) -> Viewer:
    actor = accounts.find(look.session, look.token, look.codes, look.event)
    player = player_in(actor) if actor is not None else None
    event = store.find_event(look.session, look.event)
    is_staff = event is not None and actor is not None and bool(store.roles_of(look.session, event.id, actor))
    if event is None or not (event.published or is_staff or player is not None):
        raise EventNotFound(look.event)
    return Viewer(look.session, event, is_staff, player)


def _answered(request: Request, viewer: Viewer, make: Callable[[Viewer], BaseModel | bytes]) -> Response:
    event = viewer.event
    headers = {"ETag": f'"{event.version}"', "Cache-Control": "no-cache", "Vary": "Authorization"}
    if has_tag(request.headers.get("if-none-match"), headers["ETag"]):
        return Response(None, 304, headers)
    kept: Kept = request.app.state.kept
    key = (event.id, event.version, f"{request.url.path}?{request.url.query}", viewer.is_staff, viewer.player)
    body = kept.get(key)
    if body is None:
        made: Any = make(viewer)
        body = made if isinstance(made, bytes) else made.model_dump_json().encode()
        kept.put(key, body)
    return Response(body, 200, headers, JSON)


def has_tag(tags: str | None, tag: str) -> bool:
    """Whether an `If-None-Match` names the tag."""
    return tags is not None and tag in {one.strip().removeprefix("W/") for one in tags.split(",")}
