"""Staff: who has which role in an event, and invitations to one."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Path, Response

from tournament import store
from tournament.api.answers import Viewer, fresh, obeyed, private
from tournament.api.deps import Asking, AskingAsAnybody, Db, Looking, Network, TheDoor, limited
from tournament.api.schemas import Invitation, Invitations, Join, Receipt, Staff, StaffLine
from tournament.api.shelf import Shelf
from tournament.domain.roles import ORGANIZERS, Role
from tournament.errors import InvitationNotFound
from tournament.service import invitations, sign_ins, staff
from tournament.service.commands import Nothing
from tournament.service.invitations import MOST_NUMBER
from tournament.tables import InvitationRow

router = Shelf(prefix="/events/{event}/staff", tags=["staff"])
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The invitation.", examples=[3])]


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


@router.post("/leave", response_model=Receipt[invitations.StaffGone])
def leave_staff(body: invitations.LeaveStaff, ask: Asking, database: Db) -> Response:
    """Give a role of yours back."""
    return obeyed(database, invitations.LEAVE, ask, body)


@router.post("/invitations", status_code=201, response_model=Receipt[invitations.Invited])
def invite(body: invitations.Invite, ask: Asking, database: Db) -> Response:
    """Make an invitation to a role. Its code is not in the receipt, which is in the log; ask for the invitation."""
    return obeyed(database, invitations.INVITE, ask, body, status=201)


@router.get("/invitations", response_model=Invitations)
def list_invitations(look: Looking) -> Response:
    """Every invitation with its code; for organizers."""
    return private(look, lambda viewer: Invitations(invitations=_invitations(viewer)), roles=ORGANIZERS)


@router.get("/invitations/{number}", response_model=Invitation)
def show_invitation(look: Looking, number: Number) -> Response:
    """An invitation with its code; for organizers."""

    def one(viewer: Viewer) -> Invitation:
        found = [invitation for invitation in _invitations(viewer) if invitation.invitation == number]
        if not found:
            raise InvitationNotFound(number)
        return found[0]

    return private(look, one, roles=ORGANIZERS)


@router.post("/invitations/{number}/withdraw", response_model=Receipt[invitations.Withdrawn])
def withdraw_invitation(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """Make an invitation worthless; who accepted it stays."""
    withdraw = invitations.Withdraw(invitation=number, reason=body.reason if body else "")
    return obeyed(database, invitations.WITHDRAW, ask, withdraw)


@router.post(
    "/accept",
    status_code=201,
    response_model=Receipt[invitations.Accepted],
    dependencies=[Depends(limited("invitation"))],
)
def accept_invitation(body: invitations.Accept, ask: AskingAsAnybody, database: Db) -> Response:
    """Become staff by an invitation. The code does not come into the log."""
    return obeyed(database, invitations.ACCEPT, ask, body, status=201)


@router.post(
    "/join",
    status_code=201,
    response_model=Receipt[invitations.Accepted],
    dependencies=[Depends(limited("invitation"))],
)
def join_staff(body: Join, ask: AskingAsAnybody, door: TheDoor, network: Network) -> Response:
    """Make an account by an invitation, and accept it: both or neither. An account that is there signs in."""
    proof = sign_ins.Proof(
        account=body.account, password=body.password, code=body.code, network=network, now=datetime.now(UTC)
    )
    accept = invitations.Accept(invitation=body.invitation, code=body.invitation_code)
    asking = replace(ask, who=sign_ins.newcomer(door, proof))
    return obeyed(door.database, invitations.ACCEPT, asking, accept, status=201)


def _invitations(viewer: Viewer) -> list[Invitation]:
    accepted = store.acceptances_of(viewer.session, viewer.event.id)
    return [
        _invitation(viewer, row, [one.account for one in accepted if one.invitation == row.number])
        for row in store.invitations_of(viewer.session, viewer.event.id)
    ]


def _invitation(viewer: Viewer, row: InvitationRow, accepted_by: list[str]) -> Invitation:
    return Invitation(
        invitation=row.number,
        role=Role(row.role),
        code=invitations.code_of(viewer.codes, row.event_id, row.number),
        uses=row.uses,
        accepted_by=accepted_by,
        expires_at=row.expires_at,
        invited_by=row.invited_by,
        withdrawn=row.withdrawn,
    )
