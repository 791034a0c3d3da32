"""Players' reports: claim, confirm, withdraw; disagreements and one-sided claims for staff."""

from typing import Annotated

from fastapi import Path, Response

from tournament.api import playing
from tournament.api.answers import Viewer, fresh, obeyed
from tournament.api.deps import Asking, Db, Looking
from tournament.api.schemas import ClaimedTable, ClaimsOfRound, MyTable, Receipt
from tournament.api.shelf import Shelf
from tournament.service import claims, rounds
from tournament.service.commands import Nothing
from tournament.service.entries import MOST_NUMBER

router = Shelf(prefix="/events/{event}/rounds", tags=["players' reports"])
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The round.", examples=[3])]
Table = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The table.", examples=[12])]


@router.get("/current/me", response_model=MyTable)
def show_my_table(look: Looking) -> Response:
    """Your table in the latest round, what you and your opponent claim of it, and its result. For players."""
    return fresh(look, playing.table_of)


@router.post("/{number}/tables/{table}/claim", status_code=201, response_model=Receipt[claims.Claimed])
def claim_result(body: claims.Claim, ask: Asking, database: Db, number: Number, table: Table) -> Response:
    """Say what your table came to: `mine` are the games that you won, `theirs` those that your opponent won.

    If your opponent claims the same, it is the table's result. Until then you may claim something else instead.
    At a table of several say everybody's `places`; it is the result once all have said the same who are still in.
    """
    return obeyed(
        database, claims.MAKE, ask, claims.MakeClaim(round=number, table=table, **body.model_dump()), status=201
    )


@router.post("/{number}/tables/{table}/claim/confirm", response_model=Receipt[claims.Claimed])
def confirm_claim(body: claims.SeenClaim, ask: Asking, database: Db, number: Number, table: Table) -> Response:
    """Your opponent's claim is right: it is the table's result. Refused if it is not the claim that you saw.

    At a table of several it is the result once everybody has confirmed who is still in.
    """
    return obeyed(database, claims.CONFIRM, ask, claims.ConfirmClaim(round=number, table=table, **body.model_dump()))


@router.post("/{number}/tables/{table}/claim/withdraw", response_model=Receipt[claims.ClaimWithdrawn])
def withdraw_claim(ask: Asking, database: Db, number: Number, table: Table, body: Nothing | None = None) -> Response:
    """Take your claim back, as long as the table has no result."""
    asked = claims.WithdrawClaim(round=number, table=table, reason=body.reason if body else "")
    return obeyed(database, claims.WITHDRAW, ask, asked)


@router.post("/{number}/tables/{table}/claim/settle", response_model=Receipt[claims.ClaimsSettled])
def settle_claims(body: claims.Decision, ask: Asking, database: Db, number: Number, table: Table) -> Response:
    """Decide a table whose players disagree, and say why."""
    return obeyed(database, claims.SETTLE, ask, claims.SettleClaims(round=number, table=table, **body.model_dump()))


@router.get("/{number}/claims", response_model=ClaimsOfRound)
def list_claims(look: Looking, number: Number) -> Response:
    """Tables of the round with claims and no result: one-sided ones, and disagreements. For staff."""

    def listed(viewer: Viewer) -> ClaimsOfRound:
        rounds.load(viewer.session, viewer.event.id, number)
        found = claims.open_in(viewer.session, viewer.event.id, number)
        return ClaimsOfRound(round=number, tables=[ClaimedTable.of(table) for table in found])

    return fresh(look, listed, staff_only=True)


@router.post("/{number}/claims/accept", response_model=Receipt[claims.ClaimsAccepted])
def accept_claims(body: claims.ClaimList, ask: Asking, database: Db, number: Number) -> Response:
    """Make these claims results without the opponents' word.

    Look at `claims` of the round first and name those that you saw. What was withdrawn, contradicted or settled
    since is left alone, and the receipt says so.
    """
    return obeyed(database, claims.ACCEPT, ask, claims.AcceptClaims(round=number, **body.model_dump()))
