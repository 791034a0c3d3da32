"""The live stream of an event."""

import re
from dataclasses import replace
from typing import Annotated, Any, Final

from fastapi import Depends, Header, Query, Request, Response
from sqlmodel import Session

from tournament import store
from tournament.api import live
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Looking
from tournament.api.live import Hub, Opening, Stream
from tournament.api.shelf import Shelf
from tournament.domain.roles import Role
from tournament.errors import RequestFault, RequestUnreadable
from tournament.service import accounts, news
from tournament.service.news import News
from tournament.tables import EventRow

router = Shelf(prefix="/events/{event}/stream", tags=["live"])
MOST: Final = 1 << 40
_ID: Final = re.compile(r"([0-9]{1,12})-([0-9a-f]{8})", re.ASCII)
_STREAM: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "model": News,
        "description": "Server-sent events. The data of each is one JSON object like this; `Last-Event-ID` goes on.",
    },
    503: {"description": "As many streams are open as may be, or the database gives no answer"},
}


async def _hub(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


Streams = Annotated[Hub, Depends(_hub)]


@router.get("", status_code=200, response_class=Stream, responses=_STREAM)
def follow_event(
    request: Request,
    look: Looking,
    hub: Streams,
    last_event_id: Annotated[
        str | None,
        Header(description="The id of the last thing you were told; a browser sends it.", examples=["17-3f9a2c1b"]),
    ] = None,
    after: Annotated[
        int | None, Query(ge=0, le=MOST, description="The version that you know, if you were told nothing yet.")
    ] = None,
) -> Response:
    """What happens to the event, as it happens; staff are told more.

    Nothing is missed between a document and its stream: give the number of the document's ETag as `after`. When
    `topics` is `["reload"]`, look at everything again.
    """
    known = _known(last_event_id, after)
    site = hub.admit(request.client.host if request.client else None)
    try:
        opening = seen(look, lambda viewer: opened(viewer, known))
        if look.token is not None and (opening.reader in news.WITH_ROLES or accounts.is_of_browser(look.token)):
            opening = replace(opening, digest=accounts.digest_of(look.token.text))
    except BaseException:
        hub.leave(site)
        raise
    return Stream(hub, site, opening)


def opened(viewer: Viewer, known: tuple[int, str] | None) -> Opening:
    """Where somebody's stream begins who knows so much: what happened since, or that it is too much."""
    event = viewer.event
    here = f"id: {news.id_of(event.version, event.head)}\n\n".encode()
    first = here if known is None else _missed(viewer, known) or here
    return Opening(event.id, event.version, first, reader_of(viewer))


def reader_of(viewer: Viewer) -> str:
    """Whom a stream is for."""
    roles = viewer.roles | {Role.DISPLAY} if viewer.is_display else viewer.roles
    return news.reader_of(roles, viewer.player)


def _missed(viewer: Viewer, known: tuple[int, str]) -> bytes:
    event, session = viewer.event, viewer.session
    version, head = known
    if event.version - version > live.MOST_MISSED or not _is_ours(session, event, version, head):
        return live.reload(event.id, event.version, event.head)
    lines = news.read_since(session, event.id, version, limit=live.MOST_MISSED)
    players = store.entries_in(session, event.id) if news.counts(lines) else None
    told = [live.told(event.id, line, players) for line in lines]
    return b"".join(one.said_to(reader_of(viewer)) for one in told)


def _is_ours(session: Session, event: EventRow, version: int, head: str) -> bool:
    """Whether the event ever was at that version, with that history."""
    if version > event.version:
        return False
    return not head or (store.log_hash(session, event.id, version) or "").startswith(head)


def _known(last: str | None, after: int | None) -> tuple[int, str] | None:
    if not last:
        return None if after is None else (after, "")
    found = _ID.fullmatch(last)
    if found is None:
        raise RequestUnreadable([RequestFault("header/last-event-id", 'an id of a stream is like "17-3f9a2c1b"')])
    return int(found[1]), found[2]
