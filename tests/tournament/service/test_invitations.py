"""Invitations: who has the link becomes staff, so often and so long, and the code is in no log."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.tournament.people import account
from tournament import store
from tournament.database import Database
from tournament.domain.roles import Role
from tournament.errors import (
    EventNotFound,
    InvitationNotFound,
    InvitationOver,
    LastOrganizer,
    NotStaff,
    NotYours,
    SignInNeeded,
    TournamentError,
)
from tournament.service import audit, events, invitations, staff
from tournament.service.codes import Codes
from tournament.service.commands import VISITOR, Ask, Kind, Nothing, Receipt, run
from tournament.service.invitations import ACCEPT, INVITE, LEAVE, WITHDRAW, Accept, Invite, LeaveStaff, Withdraw

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
CODES = Codes("a secret of thirty-two characters")


class Life:
    """An event, and people who do something to it."""

    def __init__(self, database: Database) -> None:
        self.database, self.now, self.number = database, NOON, 0
        self.event = ""
        self.event = events.create(database, self.ask("ann"), events.Create(name="Spring Open")).event

    def ask(self, who: str) -> Ask:
        self.number += 1
        return Ask(
            event=self.event,
            who=lambda _: who,
            command=f"c{self.number}",
            now=self.now,
            codes=CODES,
            chance=lambda: "d" * 64,
        )

    def do(self, who: str, kind: Kind[Any, Any], arguments: Any) -> Receipt:
        return run(self.database, kind, self.ask(who), arguments)

    def accept(self, who: str, number: int = 1, code: str | None = None) -> Receipt:
        code = invitations.code_of(CODES, self.event, number) if code is None else code
        return self.do(who, ACCEPT, Accept(invitation=number, code=code))

    def roles(self, who: str) -> set[Role]:
        with self.database.reading() as session:
            return set(store.roles_of(session, self.event, who))


@pytest.fixture
def life(embedded: Database) -> Life:
    return Life(embedded)


def test_whoever_has_the_code_becomes_staff_once(life: Life) -> None:
    life.do("ann", INVITE, Invite(role=Role.JUDGE))
    first = life.accept("bea")
    assert life.roles("bea") == {Role.JUDGE}
    assert life.accept("bea").body == first.body, "who has the role gets the receipt of when it was given"
    with pytest.raises(InvitationOver, match="used up"):
        life.accept("cat")


def test_an_invitation_for_several_is_not_for_one_several_times(life: Life) -> None:
    life.do("ann", INVITE, Invite(role=Role.DESK, uses=2))
    life.accept("bea")
    life.do("ann", staff.REVOKE, staff.Grant(account="bea", role=Role.DESK))
    with pytest.raises(InvitationOver, match="before"):
        life.accept("bea")
    life.accept("cat")
    with pytest.raises(InvitationOver, match="used up"):
        life.accept("dan")


def test_an_invitation_expires_by_the_time_of_the_command(life: Life) -> None:
    life.do("ann", INVITE, Invite(role=Role.DESK, uses=2, hours=2))
    life.now = NOON + timedelta(hours=2) - timedelta(microseconds=1)
    life.accept("bea")
    life.now = NOON + timedelta(hours=2)
    with pytest.raises(InvitationOver, match="expired at 2026-01-31T14:00:00"):
        life.accept("cat")


def test_an_invitation_that_is_withdrawn_is_worthless_and_who_accepted_stays(life: Life) -> None:
    life.do("ann", INVITE, Invite(role=Role.DESK, uses=9))
    life.accept("bea")
    life.do("ann", WITHDRAW, Withdraw(invitation=1))
    with pytest.raises(InvitationOver, match="withdrawn"):
        life.accept("cat")
    with pytest.raises(InvitationOver):
        life.do("ann", WITHDRAW, Withdraw(invitation=1))
    with pytest.raises(InvitationNotFound):
        life.do("ann", WITHDRAW, Withdraw(invitation=2))
    assert life.roles("bea") == {Role.DESK}


def test_with_another_code_nobody_learns_whether_there_is_a_draft(life: Life) -> None:
    life.do("ann", INVITE, Invite(role=Role.JUDGE))
    other = invitations.code_of(CODES, life.event, 2)
    for number, code in ((1, other), (1, ""), (2, other), (7, "0000-0000-0000")):
        with pytest.raises(EventNotFound):
            life.accept("bea", number, code)
    life.do("ann", events.PUBLISH, Nothing())
    for number, code in ((1, other), (2, other)):
        with pytest.raises(InvitationNotFound):
            life.accept("bea", number, code)


def test_visitors_and_players_cannot_be_staff(life: Life) -> None:
    life.do("ann", INVITE, Invite(role=Role.JUDGE))
    for nobody in (VISITOR, "entry:1"):
        with pytest.raises(SignInNeeded):
            life.accept(nobody)


def test_only_organizers_invite(life: Life) -> None:
    life.do("ann", INVITE, Invite(role=Role.SCOREKEEPER))
    life.accept("bea")
    for kind, arguments in ((INVITE, Invite(role=Role.ORGANIZER)), (WITHDRAW, Withdraw(invitation=1))):
        with pytest.raises(NotYours):
            life.do("bea", kind, arguments)


def test_staff_leave_by_themselves_but_for_the_last_organizer(life: Life) -> None:
    life.do("ann", INVITE, Invite(role=Role.DISPLAY))
    life.accept("bea")
    with pytest.raises(NotStaff):
        life.do("bea", LEAVE, LeaveStaff(role=Role.JUDGE))
    life.do("bea", LEAVE, LeaveStaff(role=Role.DISPLAY))
    assert life.roles("bea") == set()
    with pytest.raises(LastOrganizer):
        life.do("ann", LEAVE, LeaveStaff(role=Role.ORGANIZER))


def test_no_code_is_in_the_log(life: Life) -> None:
    life.do("ann", INVITE, Invite(role=Role.JUDGE))
    life.accept("bea")
    code = invitations.code_of(CODES, life.event, 1)
    with life.database.reading() as session:
        rows = [row.model_dump_json() for row in store.read_log(session, life.event)]
    assert len(rows) == 3
    assert not any(code in row or code.replace("-", "") in row for row in rows)


def test_an_acceptance_sent_again_is_the_first_and_another_command_is_not(life: Life) -> None:
    life.do("ann", INVITE, Invite(role=Role.JUDGE, uses=2))
    code = invitations.code_of(CODES, life.event, 1)
    ask = life.ask("bea")
    first = run(life.database, ACCEPT, ask, Accept(invitation=1, code=code))
    assert run(life.database, ACCEPT, ask, Accept(invitation=1, code=code)).body == first.body
    with pytest.raises(EventNotFound):  # nobody who guesses an id learns that there is such an event
        run(life.database, ACCEPT, replace(ask, who=lambda _: "cat"), Accept(invitation=1, code=code))


@pytest.mark.parametrize("seed", range(3))
def test_whatever_staff_do_the_log_gives_the_same_tables_again(database: Database, seed: int) -> None:
    life, rng = Life(database), random.Random(seed)
    people = ["ann", "bea", "cat", "dan"]
    for name in people:
        account(name, database)
    done = 0
    for _ in range(80):
        life.now += timedelta(minutes=rng.randint(1, 40))
        who, role, number = rng.choice(people), rng.choice(sorted(invitations.STAFF)), rng.randint(1, 4)
        step: Any = rng.choice(
            [
                (INVITE, Invite(role=role, uses=rng.randint(1, 3), hours=rng.randint(1, 6))),
                (WITHDRAW, Withdraw(invitation=number)),
                (ACCEPT, Accept(invitation=number, code=invitations.code_of(CODES, life.event, number))),
                (ACCEPT, Accept(invitation=number, code=invitations.code_of(CODES, life.event, number))),
                (LEAVE, LeaveStaff(role=role)),
                (staff.GRANT, staff.Grant(account=who, role=role)),
                (staff.REVOKE, staff.Grant(account=rng.choice(people), role=role)),
            ]
        )
        try:
            life.do("ann" if rng.random() < 1 / 2 else who, *step)
            done += 1
        except TournamentError:
            pass
    assert done > 10
    with database.reading() as session:
        assert audit.verify_log(session, life.event) == []
        assert store.acceptances_of(session, life.event)
        assert audit.differences(session, life.event) == []
    with database.writing() as session:
        for row in store.invitations_of(session, life.event):
            row.withdrawn = not row.withdrawn
    assert audit.rebuild(database, life.event)
    assert audit.rebuild(database, life.event) == []
