"""Can this server run an event? For whoever has an account here."""

from collections.abc import Iterator
from datetime import UTC, datetime
from threading import BoundedSemaphore
from typing import Final

from fastapi import APIRouter, Depends, Request, Response

from tournament.api import organizing
from tournament.api.deps import Db, Reading, ServerCodes, TheNodes, Token
from tournament.api.routes.live import Streams
from tournament.errors import TooManyRequests
from tournament.service import checkups
from tournament.settings import Settings
from tournament.web import answers

router = APIRouter(prefix="/check-up")
MOST_AT_ONCE: Final = 2
"""Check-ups of the chain at the same time; each holds a thread for `checkups.PATIENCE_S` at most, three times over."""
_TURNS: Final = BoundedSemaphore(MOST_AT_ONCE)


@router.get("")
def show_check_up(
    request: Request, session: Reading, token: Token, codes: ServerCodes, database: Db, hub: Streams
) -> Response:
    """What is known at once; the page asks for the rest, or whoever reads it does."""
    with session:
        organizing.account_in(session, token, codes)
    settings = _settings(request)
    line = checkups.Line(is_secure=request.url.scheme == "https", host=request.url.hostname or "", streams=hub.streams)
    found = checkups.of_server(settings, database, datetime.now(UTC), line)
    return answers.page(request, "check_up.html", {"found": found, "chain": None})


def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


def _in_turn() -> Iterator[None]:
    """Raises: TooManyRequests: others look at the same time."""
    if not _TURNS.acquire(blocking=False):
        raise TooManyRequests("others look after the chain at the same time", int(checkups.PATIENCE_S))
    try:
        yield
    finally:
        _TURNS.release()


@router.get("/chain", dependencies=[Depends(_in_turn)])
def show_chain(request: Request, session: Reading, token: Token, codes: ServerCodes, nodes: TheNodes) -> Response:
    """What the endpoints say, in some seconds at most."""
    with session:
        organizing.account_in(session, token, codes)
    chain_id = nodes.usual.chain_id if nodes.usual else None
    found = checkups.of_chain(nodes, chain_id, datetime.now(UTC))
    return answers.page(request, "check_up.html", {"found": None, "chain": found})
