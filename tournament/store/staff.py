"""Roles of an event, and invitations to them."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from sqlalchemy import String, bindparam, delete, func
from sqlmodel import Session, col, select

from tournament.domain.roles import Role
from tournament.store.asking import EVENT, rows_from
from tournament.store.group import Known, know, known, unknown
from tournament.tables import AcceptanceRow, InvitationRow, StaffRow

_ROLES: Final = select(StaffRow.role).where(
    col(StaffRow.event_id) == EVENT, col(StaffRow.account) == bindparam("account", type_=String)
)


def roles_of(session: Session, event: str, account: str) -> frozenset[Role]:
    """The roles of an account in an event."""

    def ask() -> frozenset[Role]:
        return frozenset(Role(role) for (role,) in rows_from(session, _ROLES, event=event, account=account))

    found: frozenset[Role] = known(session, Known.ROLES, (event, account), ask)
    return found


def foresee_roles(session: Session, event: str, accounts: Iterable[str]) -> None:
    """Find out the roles of a whole group in an event."""
    keys = unknown(session, Known.ROLES, ((event, account) for account in accounts))
    if keys:
        found = all_roles_of(session, [account for _, account in keys], [event])
        answers = {(event, account): frozenset(found.get((account, event), ())) for _, account in keys}
        know(session, Known.ROLES, answers)


def all_roles_of(
    session: Session, accounts: Collection[str], events: Collection[str]
) -> dict[tuple[str, str], set[Role]]:
    """The roles of accounts in events, by account and event."""
    query = select(StaffRow.account, StaffRow.event_id, StaffRow.role)
    found: dict[tuple[str, str], set[Role]] = {}
    for account, event, role in session.exec(
        query.where(col(StaffRow.account).in_(accounts), col(StaffRow.event_id).in_(events))
    ):
        found.setdefault((account, event), set()).add(Role(role))
    return found


def staff_of(session: Session, event: str) -> Sequence[StaffRow]:
    """Everybody with a role, by name."""
    return session.exec(
        select(StaffRow).where(StaffRow.event_id == event).order_by(col(StaffRow.account), col(StaffRow.role))
    ).all()


def find_staff(session: Session, event: str, account: str, role: Role) -> StaffRow | None:
    """The role that an account holds, if it does."""
    return session.get(StaffRow, (event, account, role.value))


def add_staff(session: Session, row: StaffRow) -> None:
    """Give a role."""
    session.add(row)
    session.flush()


def last_invitation(session: Session, event: str) -> int:
    """The highest number of an invitation; 0 before the first."""
    return session.exec(select(func.max(InvitationRow.number)).where(InvitationRow.event_id == event)).one() or 0


def find_invitation(session: Session, event: str, number: int) -> InvitationRow | None:
    """The invitation of that number."""
    return session.get(InvitationRow, (event, number))


def invitations_of(session: Session, event: str) -> Sequence[InvitationRow]:
    """Every invitation in order."""
    rows = select(InvitationRow).where(InvitationRow.event_id == event)
    return session.exec(rows.order_by(col(InvitationRow.number))).all()


def add_invitation(session: Session, row: InvitationRow) -> None:
    """Add an invitation."""
    session.add(row)
    session.flush()


def acceptances_of(session: Session, event: str) -> Sequence[AcceptanceRow]:
    """Who accepted which invitation, in the order in which they did."""
    rows = select(AcceptanceRow).where(AcceptanceRow.event_id == event)
    return session.exec(rows.order_by(col(AcceptanceRow.accepted))).all()


def add_acceptance(session: Session, row: AcceptanceRow) -> None:
    """Note who accepted an invitation."""
    session.add(row)
    session.flush()


def delete_staff(session: Session, event: str, account: str, role: Role) -> None:
    """Take a role away."""
    session.execute(
        delete(StaffRow).where(
            col(StaffRow.event_id) == event, col(StaffRow.account) == account, col(StaffRow.role) == role.value
        )
    )
