"""Whom a browser is signed in as, as far as its pages say so."""

from dataclasses import dataclass

from fastapi import Request
from sqlmodel import Session

from tournament import store
from tournament.api import cookies
from tournament.database import UNAVAILABLE, Database
from tournament.domain.errors import TournamentError
from tournament.service import accounts
from tournament.service.accounts import Shown
from tournament.service.codes import Codes
from tournament.service.commands import player_in


@dataclass(frozen=True)
class Someone:
    """An account, or a player of an event."""

    name: str
    """Of the account, or as the player stands in the pairings."""
    account: str | None = None
    event: str | None = None
    """Of a player."""
    entry: int | None = None


def someone(session: Session, request: Request) -> Someone | None:
    """Who a browser is signed in as, wherever it looks; None for nobody, or if the cookie is worth nothing any more."""
    codes: Codes = request.app.state.codes
    token = accounts.shown(cookies.kept(request))
    if token is None:
        return None
    try:
        return _named(session, token, codes)
    except TournamentError:
        return None


def someone_by(request: Request) -> Someone | None:
    """The same with a transaction of its own, for whoever holds none."""
    if cookies.kept(request) is None:
        return None
    database: Database = request.app.state.database
    try:
        with database.reading() as session:
            return someone(session, request)
    except UNAVAILABLE:  # a page that says so is better than none
        return None


def _named(session: Session, token: Shown, codes: Codes) -> Someone | None:
    event = accounts.event_of(token)
    actor = accounts.find(session, token, codes, event)
    number = player_in(actor) if actor is not None else None
    if number is None or event is None:
        return None if actor is None else Someone(actor, account=actor)
    entry = store.find_entry(session, event, number)
    return None if entry is None else Someone(entry.name, event=event, entry=number)
