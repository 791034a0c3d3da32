"""Invitations: a link that makes whoever has it staff, and leaving the staff.

The log has who invited to what, and who accepted; the code of an invitation is made from the server's secret, and is
in no log. What expired is judged by the time of the command that would accept it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pydantic import Field
from sqlmodel import Session

from tournament import store
from tournament.domain.roles import ORGANIZERS, Role, StaffRole
from tournament.errors import (
    EventNotFound,
    InvitationNotFound,
    InvitationOver,
    SignInNeeded,
)
from tournament.service.codes import Codes, Purpose
from tournament.service.commands import VISITOR, Already, Arguments, Fact, Kind, Scene, text_of
from tournament.service.staff import check_may_go
from tournament.tables import AcceptanceRow, EventRow, InvitationRow, LogRow, StaffRow

MOST_NUMBER: Final = 1_000_000
MOST_USES: Final = 200
USUAL_HOURS: Final = 7 * 24
MOST_HOURS: Final = 366 * 24
LONGEST_CODE: Final = 40
STAFF: Final = frozenset({Role.ORGANIZER, Role.SCOREKEEPER, Role.JUDGE, Role.DESK, Role.DISPLAY})


class Invite(Arguments):
    """Make a link for a role."""

    role: StaffRole = Field(examples=[Role.JUDGE])
    uses: int = Field(default=1, ge=1, le=MOST_USES, description="how many accounts may accept it")
    hours: int = Field(default=USUAL_HOURS, ge=1, le=MOST_HOURS, description="how long it can be accepted")


class Invited(Fact):
    """The invitation."""

    invitation: int
    role: Role
    uses: int
    expires_at: str


class Withdraw(Arguments):
    """Make an invitation worthless; who accepted it before stays."""

    invitation: int = Field(ge=1, le=MOST_NUMBER, examples=[3])


class Withdrawn(Fact):
    """Which invitation."""

    invitation: int


class Accept(Arguments):
    """Become staff by an invitation."""

    invitation: int = Field(ge=1, le=MOST_NUMBER, examples=[3])
    code: str = Field(
        max_length=LONGEST_CODE, exclude=True, examples=["7KQ2-M4XA-09ZT"], description="it does not come into the log"
    )


class Accepted(Fact):
    """Who has which role now, by which invitation."""

    invitation: int
    account: str
    role: Role


class LeaveStaff(Arguments):
    """Give a role back."""

    role: StaffRole = Field(examples=[Role.JUDGE])


class StaffGone(Fact):
    """Who gave which role back."""

    account: str
    role: Role


def code_of(codes: Codes, event: str, number: int) -> str:
    """What stands in the link."""
    return codes.code(Purpose.INVITATION, event, number)


@dataclass(frozen=True)
class Offer:
    """What an invitation offers to whoever has its code."""

    event: str
    event_name: str
    role: Role
    expires_at: str
    is_held: bool
    """The account has the role already."""
    over: str | None
    """Why nobody, or not this account, can accept it any more."""


def offer(  # noqa: PLR0913 - which, and to whom
    session: Session, codes: Codes, event: str, number: int, code: str, *, account: str, at: str
) -> Offer:
    """What stands behind a link, before it is accepted.

    Args:
        session: to ask.
        codes: of this server.
        event: its id.
        number: of the invitation.
        code: in the link.
        account: who looks; empty for nobody.
        at: the time, as the tables have it.

    Raises:
        InvitationNotFound: no such invitation, or another code.
        EventNotFound: the same of an event that nobody sees.
    """
    row, found = store.find_event(session, event), store.find_invitation(session, event, number)
    if row is None:
        raise EventNotFound(event)
    if found is None or not codes.matches(code, Purpose.INVITATION, event, number):
        raise InvitationNotFound(number) if row.published else EventNotFound(event)
    accepted = [one.account for one in store.acceptances_of(session, event) if one.invitation == number]
    role = Role(found.role)
    return Offer(
        event=event,
        event_name=row.name,
        role=role,
        expires_at=found.expires_at,
        is_held=bool(account) and store.find_staff(session, event, account, role) is not None,
        over=_why_over(found, accepted, account, at),
    )


def _decide_invite(scene: Scene, asked: Invite) -> Invited:
    return Invited(
        invitation=store.last_invitation(scene.session, scene.event.id) + 1,
        role=asked.role,
        uses=asked.uses,
        expires_at=text_of(datetime.fromisoformat(scene.at) + timedelta(hours=asked.hours)),
    )


def _apply_invite(session: Session, event: EventRow, row: LogRow, fact: Invited) -> None:
    store.add_invitation(
        session,
        InvitationRow(
            event_id=event.id,
            number=fact.invitation,
            role=fact.role.value,
            uses=fact.uses,
            expires_at=fact.expires_at,
            invited_by=row.actor,
        ),
    )


def _decide_withdraw(scene: Scene, asked: Withdraw) -> Withdrawn:
    found = store.find_invitation(scene.session, scene.event.id, asked.invitation)
    if found is None:
        raise InvitationNotFound(asked.invitation)
    if found.withdrawn:
        raise InvitationOver(asked.invitation, "was withdrawn before")
    return Withdrawn(invitation=asked.invitation)


def _apply_withdraw(session: Session, event: EventRow, _: LogRow, fact: Withdrawn) -> None:
    found = store.find_invitation(session, event.id, fact.invitation)
    if found is not None:
        found.withdrawn = True


def _decide_accept(scene: Scene, asked: Accept) -> Accepted | Already:
    session, event, account = scene.session, scene.event.id, scene.actor
    found = store.find_invitation(session, event, asked.invitation)
    if found is None or not scene.codes.matches(asked.code, Purpose.INVITATION, event, asked.invitation):
        raise InvitationNotFound(asked.invitation) if scene.event.published else EventNotFound(event)
    if account == VISITOR or scene.player is not None:
        raise SignInNeeded
    held = store.find_staff(session, event, account, Role(found.role))
    if held is not None:
        return Already(held.granted)
    accepted = [row.account for row in store.acceptances_of(session, event) if row.invitation == found.number]
    if why := _why_over(found, accepted, account, scene.at):
        raise InvitationOver(found.number, why)
    return Accepted(invitation=found.number, account=account, role=Role(found.role))


def _why_over(found: InvitationRow, accepted: Sequence[str], account: str, at: str) -> str | None:
    if found.withdrawn:
        return "was withdrawn"
    if found.expires_at <= at:
        return f"expired at {found.expires_at}"
    if account in accepted:
        return "was accepted by this account before, and gives the role once"
    return "is used up" if len(accepted) >= found.uses else None


def _apply_accept(session: Session, event: EventRow, row: LogRow, fact: Accepted) -> None:
    staff = StaffRow(event_id=event.id, account=fact.account, role=fact.role.value, granted=row.sequence)
    store.add_staff(session, staff)
    store.add_acceptance(
        session,
        AcceptanceRow(event_id=event.id, invitation=fact.invitation, account=fact.account, accepted=row.sequence),
    )


def _decide_leave(scene: Scene, asked: LeaveStaff) -> StaffGone:
    check_may_go(scene, scene.actor, asked.role)
    return StaffGone(account=scene.actor, role=asked.role)


def _apply_leave(session: Session, event: EventRow, _: LogRow, fact: StaffGone) -> None:
    store.delete_staff(session, event.id, fact.account, fact.role)


INVITE: Final = Kind(
    name="staff.invite",
    lasting=True,
    arguments=Invite,
    fact=Invited,
    roles=ORGANIZERS,
    decide=_decide_invite,
    apply=_apply_invite,
)
WITHDRAW: Final = Kind(
    name="staff.withdraw",
    lasting=True,
    arguments=Withdraw,
    fact=Withdrawn,
    roles=ORGANIZERS,
    decide=_decide_withdraw,
    apply=_apply_withdraw,
)
ACCEPT: Final = Kind(
    name="staff.accept",
    lasting=True,
    arguments=Accept,
    fact=Accepted,
    roles=STAFF | {Role.VISITOR},
    unseen=True,
    decide=_decide_accept,
    apply=_apply_accept,
)
LEAVE: Final = Kind(
    name="staff.leave",
    arguments=LeaveStaff,
    fact=StaffGone,
    roles=STAFF,
    decide=_decide_leave,
    apply=_apply_leave,
)
KINDS: Final = (INVITE, WITHDRAW, ACCEPT, LEAVE)
