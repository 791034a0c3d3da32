"""Decklists: hand in, read, lock, unlock, and play without one."""

from fastapi import Response

from tournament.api import documents
from tournament.api.answers import Viewer, fresh, obeyed, with_receipt
from tournament.api.deps import Asking, Db, Looking
from tournament.api.routes.entries import Number
from tournament.api.schemas import (
    DeckViolation,
    EntryDeck,
    Handed,
    HandedBeside,
    MissingLists,
    Receipt,
    Unlisted,
)
from tournament.api.shelf import Shelf
from tournament.domain.roles import AT_THE_DESK
from tournament.service import decklists
from tournament.service.commands import Kind, WithReason

router = Shelf(prefix="/events/{event}", tags=["decks"])


@router.put("/entries/{number}/deck", response_model=Handed)
def hand_in_deck(body: decklists.Written, ask: Asking, database: Db, number: Number) -> Response:
    """Hand in a list, and learn every rule that it breaks.

    A list that is not legal is kept as a draft: it does not count, and a legal one that is there stays. What is on the
    list is not in the log.
    """
    answer = decklists.hand_in(database, ask, decklists.HandIn(entry=number, **body.model_dump()))
    beside = HandedBeside(
        commitment=answer.fact.commitment,
        hash=answer.hash,
        is_legal=answer.fact.is_legal,
        violations=[DeckViolation.of(violation) for violation in answer.violations],
    )
    return with_receipt(answer.receipt, beside)


@router.get("/entries/{number}/deck", response_model=EntryDeck)
def show_deck(look: Looking, number: Number) -> Response:
    """A player's list: for the player, judges and organizers; for everybody once the event opens lists."""
    return fresh(look, lambda viewer: documents.deck_of(viewer, number))


@router.get("/decks/missing", response_model=MissingLists)
def list_missing(look: Looking) -> Response:
    """Who has a place, no legal list, and no leave to play without one; for the desk."""

    def missing(viewer: Viewer) -> MissingLists:
        found = decklists.unlisted(viewer.session, viewer.event.id) if viewer.event.decklist != "none" else []
        return MissingLists(missing=[Unlisted.of(one) for one in found])

    return fresh(look, missing, roles=AT_THE_DESK)


@router.post("/entries/{number}/deck/unlock", response_model=Receipt[decklists.Excepted])
def unlock_deck(body: WithReason, ask: Asking, database: Db, number: Number) -> Response:
    """Let a player change the list after the lock, until a legal one is handed in."""
    return _obeyed(database, decklists.UNLOCK, ask, number, body)


@router.post("/entries/{number}/deck/lock", response_model=Receipt[decklists.Excepted])
def lock_deck(body: WithReason, ask: Asking, database: Db, number: Number) -> Response:
    """Lock a list again that was unlocked."""
    return _obeyed(database, decklists.LOCK, ask, number, body)


@router.post("/entries/{number}/deck/waive", response_model=Receipt[decklists.Excepted])
def waive_deck(body: WithReason, ask: Asking, database: Db, number: Number) -> Response:
    """Let a player play without a legal list, although the event requires one."""
    return _obeyed(database, decklists.WAIVE, ask, number, body)


@router.post("/entries/{number}/deck/require", response_model=Receipt[decklists.Excepted])
def require_deck(body: WithReason, ask: Asking, database: Db, number: Number) -> Response:
    """Take that back."""
    return _obeyed(database, decklists.REQUIRE, ask, number, body)


def _obeyed(
    database: Db, kind: Kind[decklists.About, decklists.Excepted], ask: Asking, number: int, body: WithReason
) -> Response:
    return obeyed(database, kind, ask, decklists.About(entry=number, reason=body.reason))
