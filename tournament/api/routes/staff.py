"""Staff: who has which role in an event."""

from fastapi import APIRouter, Response

from tournament import store
from tournament.api.answers import Viewer, fresh, obeyed
from tournament.api.deps import Asking, Db, Looking
from tournament.api.schemas import Receipt, Staff, StaffLine
from tournament.service import staff

router = APIRouter(prefix="/events/{event}/staff", tags=["staff"])


@router.post("", status_code=201, response_model=Receipt[staff.Granted])
def grant_role(body: staff.Grant, ask: Asking, database: Db) -> Response:
    """Give an account a role in the event."""
    return obeyed(database, staff.GRANT, ask, body, status=201)


@router.get("", response_model=Staff)
def list_staff(look: Looking) -> Response:
    """Everybody with a role, by name. For staff."""

    def lines(viewer: Viewer) -> Staff:
        rows = store.staff_of(viewer.session, viewer.event.id)
        return Staff(staff=[StaffLine(**row.model_dump(exclude={"event_id"})) for row in rows])

    return fresh(look, lines, staff_only=True)


@router.post("/revoke", response_model=Receipt[staff.Granted])
def revoke_role(body: staff.Grant, ask: Asking, database: Db) -> Response:
    """Take a role away."""
    return obeyed(database, staff.REVOKE, ask, body)
