"""Staff: who has which role in an event."""

from typing import Final

from pydantic import Field
from sqlmodel import Session

from tournament import store
from tournament.domain.roles import ORGANIZERS, Role, StaffRole
from tournament.errors import AccountNotFound, LastOrganizer, NotStaff
from tournament.service.accounts import AccountName
from tournament.service.commands import Already, Arguments, Fact, Kind, Scene
from tournament.tables import EventRow, LogRow, StaffRow


class Grant(Arguments):
    """Give an account a role, or take it away."""

    account: AccountName = Field(examples=["bea"])
    role: StaffRole = Field(examples=[Role.SCOREKEEPER])


class Granted(Fact):
    """The account and the role."""

    account: str
    role: Role


def _decide_grant(scene: Scene, asked: Grant) -> Granted | Already:
    if store.find_account(scene.session, asked.account) is None:
        raise AccountNotFound(asked.account)
    held = store.find_staff(scene.session, scene.event.id, asked.account, asked.role)
    if held is not None:
        return Already(held.granted)
    return Granted(account=asked.account, role=asked.role)


def _apply_grant(session: Session, event: EventRow, row: LogRow, fact: Granted) -> None:
    store.add_staff(
        session, StaffRow(event_id=event.id, account=fact.account, role=fact.role.value, granted=row.sequence)
    )


def check_may_go(scene: Scene, account: str, role: Role) -> None:
    """Refuse to take a role from somebody who does not have it, or from the last organizer.

    Raises:
        NotStaff: the account does not have the role.
        LastOrganizer: nobody else would be an organizer.
    """
    staff = store.staff_of(scene.session, scene.event.id)
    if (account, role) not in {(row.account, row.role) for row in staff}:
        raise NotStaff(account, role)
    if role is Role.ORGANIZER and sum(row.role == Role.ORGANIZER for row in staff) == 1:
        raise LastOrganizer(account)


def _decide_revoke(scene: Scene, asked: Grant) -> Granted:
    check_may_go(scene, asked.account, asked.role)
    return Granted(account=asked.account, role=asked.role)


def _apply_revoke(session: Session, event: EventRow, _: LogRow, fact: Granted) -> None:
    store.delete_staff(session, event.id, fact.account, fact.role)


GRANT: Final = Kind(
    name="staff.grant",
    arguments=Grant,
    fact=Granted,
    roles=ORGANIZERS,
    decide=_decide_grant,
    apply=_apply_grant,
)
REVOKE: Final = Kind(
    name="staff.revoke",
    arguments=Grant,
    fact=Granted,
    roles=ORGANIZERS,
    decide=_decide_revoke,
    apply=_apply_revoke,
)
KINDS: Final = (GRANT, REVOKE)
