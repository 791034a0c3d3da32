"""Staff: who has which role in an event."""

from fastapi import APIRouter, Response

from tournament.api.answers import obeyed
from tournament.api.deps import Asking, Db
from tournament.api.schemas import Receipt
from tournament.service import staff

router = APIRouter(prefix="/events/{event}/staff", tags=["staff"])


@router.post("", status_code=201, response_model=Receipt[staff.Granted])
def grant_role(body: staff.Grant, ask: Asking, database: Db) -> Response:
    """Give an account a role in the event."""
    return obeyed(database, staff.GRANT, ask, body, status=201)


@router.post("/revoke", response_model=Receipt[staff.Granted])
def revoke_role(body: staff.Grant, ask: Asking, database: Db) -> Response:
    """Take a role away."""
    return obeyed(database, staff.REVOKE, ask, body)
