"""Deck checks: draw or choose tables, start, finish, amend, call off; the list."""

from typing import Annotated

from fastapi import Path, Query, Response

from tournament.api import judged
from tournament.api.answers import fresh, obeyed
from tournament.api.deps import Asking, Db, Looking
from tournament.api.schemas import DeckChecks, Receipt
from tournament.api.shelf import Shelf
from tournament.service import deck_checks
from tournament.service.commands import Nothing, WithReason
from tournament.service.entries import MOST_NUMBER

router = Shelf(prefix="/events/{event}/deck-checks", tags=["deck checks"])
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The deck check.", examples=[2])]


@router.post("/draw", status_code=201, response_model=Receipt[deck_checks.TablesDrawn])
def draw_tables(body: deck_checks.DrawTables, ask: Asking, database: Db) -> Response:
    """Draw tables of the running round by the public draw, which anybody can do again once the event is over.

    Passed over are tables that were drawn in this round, have finished, or have a player whose deck was checked before.
    """
    return obeyed(database, deck_checks.DRAW, ask, body, status=201)


@router.post("", status_code=201, response_model=Receipt[deck_checks.TableChosen])
def choose_table(body: deck_checks.ChooseTable, ask: Asking, database: Db) -> Response:
    """Check a table that you choose, or a match of the cut, and say why."""
    return obeyed(database, deck_checks.CHOOSE, ask, body, status=201)


@router.get("", response_model=DeckChecks)
def list_deck_checks(
    look: Looking,
    number: Annotated[int | None, Query(alias="round", ge=1, le=MOST_NUMBER, description="of this round only")] = None,
) -> Response:
    """Deck checks and draws. For staff; once the event is finished, everybody sees the draws."""
    return fresh(look, lambda viewer: judged.deck_checks_of(viewer, number))


@router.post("/{number}/start", response_model=Receipt[deck_checks.DeckCheckStarted])
def start_deck_check(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """You have the decks; from now on the table's time runs."""
    asked = deck_checks.DeckCheckNumber(deck_check=number, reason=body.reason if body else "")
    return obeyed(database, deck_checks.START, ask, asked)


@router.post("/{number}/finish", response_model=Receipt[deck_checks.DeckCheckFinished])
def finish_deck_check(
    ask: Asking, database: Db, number: Number, body: deck_checks.DeckCheckOutcome | None = None
) -> Response:
    """The decks are back, and the table gets its time extension; the receipt says how many minutes."""
    said = (body or deck_checks.DeckCheckOutcome()).model_dump()
    return obeyed(database, deck_checks.FINISH, ask, deck_checks.FinishDeckCheck(deck_check=number, **said))


@router.put("/{number}/findings", response_model=Receipt[deck_checks.DeckCheckFinished])
def amend_deck_check(body: deck_checks.AmendedFindings, ask: Asking, database: Db, number: Number) -> Response:
    """Change what a finished deck check found, and say why. Penalties that are named are linked to it as well."""
    asked = deck_checks.AmendDeckCheck(deck_check=number, **body.model_dump())
    return obeyed(database, deck_checks.AMEND, ask, asked)


@router.post("/{number}/call-off", response_model=Receipt[deck_checks.DeckCheckCalledOff])
def call_off_deck_check(body: WithReason, ask: Asking, database: Db, number: Number) -> Response:
    """The check is not made, or not to its end."""
    asked = deck_checks.CallOffDeckCheck(deck_check=number, reason=body.reason)
    return obeyed(database, deck_checks.CALL_OFF, ask, asked)
