"""Penalties: give, look at the effect, apply, correct, withdraw; lists, history, infractions."""

from typing import Annotated

from fastapi import Path, Query, Response

from tournament.api import judged
from tournament.api.answers import fresh, obeyed
from tournament.api.deps import Asking, Db, Looking
from tournament.api.judged import PAGE
from tournament.api.schemas import Infractions, Penalties, PenaltyAdvice, PenaltyEffect, Receipt
from tournament.api.shelf import Shelf
from tournament.service import penalties
from tournament.service.commands import Nothing, WithReason
from tournament.service.entries import MOST_NUMBER

router = Shelf(prefix="/events/{event}", tags=["penalties"])
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The penalty.", examples=[4])]
Entry = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The player's number in the event.", examples=[17])]


@router.get("/infractions", response_model=Infractions)
def list_infractions(look: Looking) -> Response:
    """What is named for the event's game, with the usual penalty and where it stands."""
    return fresh(look, judged.infractions_at)


@router.get("/entries/{entry}/penalties/advice", response_model=PenaltyAdvice)
def advise_penalty(
    look: Looking,
    entry: Entry,
    infraction: Annotated[str, Query(min_length=1, max_length=100, examples=["slow-play"])],
) -> Response:
    """What the player got for this infraction before, and what is usual now. For staff."""
    return fresh(look, lambda viewer: judged.advice_of(viewer, entry, infraction), staff_only=True)


@router.post("/penalties", status_code=201, response_model=Receipt[penalties.PenaltyGiven])
def give_penalty(body: penalties.GivePenalty, ask: Asking, database: Db) -> Response:
    """Give a penalty. It changes no result; look at its `effect`, then `apply` it."""
    return obeyed(database, penalties.GIVE, ask, body, status=201)


@router.get("/penalties", response_model=Penalties)
def list_penalties(
    look: Looking,
    entry: Annotated[int | None, Query(ge=1, le=MOST_NUMBER, description="of this player only")] = None,
    after: Annotated[int, Query(ge=0, le=MOST_NUMBER, description="`next` of the page before")] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> Response:
    """Penalties in order. A player sees the own ones; others see something only if the event says so."""
    return fresh(look, lambda viewer: judged.penalties_of(viewer, entry, after=after, limit=limit))


@router.get("/penalties/{number}/effect", response_model=PenaltyEffect)
def show_effect(look: Looking, number: Number) -> Response:
    """What the penalty would change now, or why nothing. For staff."""
    return fresh(look, lambda viewer: judged.effect_of(viewer, number), staff_only=True)


@router.post("/penalties/{number}/apply", response_model=Receipt[penalties.PenaltyApplied])
def apply_penalty(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """Put the penalty into the result, or the player out."""
    asked = penalties.PenaltyNumber(penalty=number, reason=body.reason if body else "")
    return obeyed(database, penalties.APPLY, ask, asked)


@router.post("/penalties/{number}/take-back", response_model=Receipt[penalties.PenaltyTakenBack])
def take_penalty_back(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """Take back what the penalty did, so that it can be withdrawn, or get another level.

    A result that somebody changed since stays as it is, and the receipt says so (`stands`).
    """
    asked = penalties.PenaltyNumber(penalty=number, reason=body.reason if body else "")
    return obeyed(database, penalties.TAKE_BACK, ask, asked)


@router.patch("/penalties/{number}", response_model=Receipt[penalties.PenaltyCorrected])
def correct_penalty(body: penalties.PenaltyChange, ask: Asking, database: Db, number: Number) -> Response:
    """Change a penalty, and say why. For another level, take back first what it did; the new one is to be applied."""
    asked = penalties.CorrectPenalty(penalty=number, **body.model_dump(exclude_unset=True))
    return obeyed(database, penalties.CORRECT, ask, asked)


@router.post("/penalties/{number}/withdraw", response_model=Receipt[penalties.PenaltyWithdrawal])
def withdraw_penalty(body: WithReason, ask: Asking, database: Db, number: Number) -> Response:
    """The penalty should not have been: it stays in the list as withdrawn. Take back first what it did."""
    return obeyed(database, penalties.WITHDRAW, ask, penalties.WithdrawPenalty(penalty=number, reason=body.reason))
