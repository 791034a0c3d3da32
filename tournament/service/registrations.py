"""Registration: anybody enters an event, and gets the code that acts for the entry.

The code is in no log and in no table: it is made from the server's secret, for a generation of the entry. A log names
the ids of commands and is published one day, so the id under which a visitor's client may ask again is in it only as a
mark that nobody else can make: whoever read the log cannot ask for the code.
"""

import json
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from pydantic import Field
from sqlmodel import Session

from tournament.database import Database
from tournament.domain.lifecycle import Action
from tournament.domain.roles import Role
from tournament.errors import RequestFault, RequestUnreadable
from tournament.service import places
from tournament.service.accounts import entry_token
from tournament.service.codes import Purpose
from tournament.service.commands import Arguments, Ask, Fact, Kind, Receipt, Scene, run
from tournament.service.entries import DESK, Added, Leave, apply_add, load, load_own, next_number
from tournament.service.events import require_registration, require_registration_code
from tournament.service.names import PlayerName
from tournament.tables import EventRow, LogRow

LONGEST_CODE: Final = 40
SHORTEST_KEY: Final = 16
"""Characters of a visitor's command id: whoever knows it gets the entry's code."""
FIRST: Final = 1
"""Generation of a code."""


class Register(Arguments):
    """Enter an event by oneself."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"name", "code"})

    name: PlayerName = Field(examples=["Ann Example"])
    code: str | None = Field(
        default=None,
        max_length=LONGEST_CODE,
        description="of the event, if it asks for one",
        examples=["7KQ2-M4XA-09ZT"],
    )


class Recoded(Fact):
    """The entry's older codes are worth nothing."""

    entry: int
    generation: int


@dataclass(frozen=True, slots=True)
class Registered:
    """A receipt, and what acts for the entry from now on."""

    receipt: Receipt
    entry: int
    waiting: bool
    code: str
    token: str


def register(database: Database, ask: Ask, asked: Register) -> Registered:
    """Enter; asked again under the same id, everything is the same again.

    Raises:
        RequestUnreadable: the id could be guessed.
        TournamentError: the refusal.
    """
    if len(ask.command) < SHORTEST_KEY:
        problem = f"must have {SHORTEST_KEY} characters at least here, because whoever knows it gets the entry's code"
        raise RequestUnreadable([RequestFault("header/idempotency-key", problem)])
    marked = replace(ask, command=ask.codes.mark("registration", ask.event, ask.command))
    receipt = run(database, REGISTER, marked, asked)
    fact = json.loads(receipt.body)["fact"]
    entry = fact["entry"]
    return Registered(
        receipt,
        entry,
        fact["waiting"],
        code=ask.codes.code(Purpose.ENTRY, ask.event, entry, FIRST),
        token=entry_token(ask.codes, ask.event, entry, FIRST),
    )


def _decide_register(scene: Scene, asked: Register) -> Added:
    require_registration(scene.event, scene.at)
    require_registration_code(scene.event, scene.codes, asked.code)
    return Added(
        entry=next_number(scene.session, scene.event.id),
        name=asked.name,
        entered_in=1,
        fixed_table=None,
        awarded_byes=0,
        waiting=places.must_wait(scene),
    )


def _decide_recode(scene: Scene, asked: Leave) -> Recoded:
    entry = load_own(scene, asked.entry)
    return Recoded(entry=entry.number, generation=entry.code + 1)


def _apply_recode(session: Session, event: EventRow, _: LogRow, fact: Recoded) -> None:
    load(session, event.id, fact.entry).code = fact.generation


REGISTER: Final = Kind(
    name="entry.register",
    arguments=Register,
    fact=Added,
    roles=frozenset({Role.VISITOR}),
    actions=(Action.ENTER,),
    decide=_decide_register,
    apply=apply_add,
)
RECODE: Final = Kind(
    name="entry.recode",
    arguments=Leave,
    fact=Recoded,
    roles=DESK,
    lasting=True,
    decide=_decide_recode,
    apply=_apply_recode,
)
KINDS: Final = (REGISTER, RECODE)
