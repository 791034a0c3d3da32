"""Events: announced, opened for registration, closed, finished."""

from base64 import b32encode
from dataclasses import replace
from hashlib import sha256
from typing import Annotated, Final

from pydantic import Field, StringConstraints, field_validator
from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.draw import commitment
from tournament.domain.errors import PresetUnknown
from tournament.domain.lifecycle import Action
from tournament.domain.presets import MTR_2026, preset_named
from tournament.domain.results import MatchFormat
from tournament.domain.roles import Role
from tournament.service.commands import Arguments, Ask, Done, Fact, Kind, Nothing, Receipt, Scene, run
from tournament.tables import EventRow, LogRow, StaffRow

Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
MOST_ROUNDS: Final = 200
MOST_PLAYERS: Final = 100_000
_ID_LETTERS: Final = 12
"""60 bits of a hash."""
_ORGANIZERS: Final = frozenset({Role.ORGANIZER})


class Create(Arguments):
    """Announce an event."""

    name: Name = Field(examples=["Spring Open"])
    game: str = Field(default="cps", min_length=1, max_length=40, examples=["cps"])
    preset: str = Field(default=MTR_2026.name, description="how standings are computed", examples=["mtr-2026"])
    best_of: MatchFormat = Field(default=MatchFormat.BEST_OF_3, description="games that a match is the best of")
    rounds: int | None = Field(default=None, ge=1, le=MOST_ROUNDS, description="Swiss rounds; by the table when null")
    capacity: int | None = Field(default=None, ge=2, le=MOST_PLAYERS, description="most players; null for any number")

    @field_validator("preset")
    @classmethod
    def _known(cls, name: str) -> str:
        try:
            return preset_named(name).name
        except PresetUnknown as error:
            raise ValueError(str(error)) from error


class Created(Fact):
    """An event, and its draw, which stays with the staff until the event is over."""

    name: str
    game: str
    preset: str
    best_of: MatchFormat
    rounds: int | None
    capacity: int | None
    draw: str
    commitment: str


class Edit(Arguments):
    """Change what was announced; what is not named stays."""

    name: Name = Field(default_factory=str, description="it stays if it is not named; an event is never without one")
    rounds: int | None = Field(default=None, ge=1, le=MOST_ROUNDS)
    capacity: int | None = Field(default=None, ge=2, le=MOST_PLAYERS)


class Edited(Fact):
    """What is announced now."""

    name: str
    rounds: int | None
    capacity: int | None


def _decide_create(scene: Scene, asked: Create) -> Created:
    draw = scene.chance()
    announced = asked.model_dump(exclude={"reason"})
    return Created(**announced, draw=draw, commitment=commitment(draw))


def _apply_create(session: Session, event: EventRow, row: LogRow, fact: Created) -> None:
    for name, value in fact.model_dump(mode="json").items():
        setattr(event, name, value)
    event.created_at = row.at
    store.add_event(session, event)
    store.add_staff(
        session,
        StaffRow(event_id=event.id, account=row.actor, role=Role.ORGANIZER.value, granted=row.sequence),
    )


def _decide_edit(scene: Scene, asked: Edit) -> Edited:
    named = asked.model_dump(exclude={"reason"}, exclude_unset=True)
    known = {name: getattr(scene.event, name) for name in Edited.model_fields}
    return Edited(**known | named)


def _apply_edit(_: Session, event: EventRow, __: LogRow, fact: Edited) -> None:
    event.name, event.rounds, event.capacity = fact.name, fact.rounds, fact.capacity


def _apply_publish(_: Session, event: EventRow, __: LogRow, ___: Done) -> None:
    event.published = True


def _decide_step(_: Scene, __: Nothing) -> Done:
    return Done()


def _apply_step(_: Session, __: EventRow, ___: LogRow, ____: Done) -> None:
    """The phase is all that changes, and the row of the log says it."""


def _apply_reopen(session: Session, event: EventRow, _: LogRow, __: Done) -> None:
    store.delete_drafts(session, event.id)


CREATE: Final = Kind(
    name="event.create",
    arguments=Create,
    fact=Created,
    roles=_ORGANIZERS,
    creates=True,
    decide=_decide_create,
    apply=_apply_create,
)
EDIT: Final = Kind(
    name="event.edit",
    arguments=Edit,
    fact=Edited,
    roles=_ORGANIZERS,
    actions=(Action.EDIT,),
    decide=_decide_edit,
    apply=_apply_edit,
)
PUBLISH: Final = Kind(
    name="event.publish",
    arguments=Nothing,
    fact=Done,
    roles=_ORGANIZERS,
    actions=(Action.EDIT,),
    decide=_decide_step,
    apply=_apply_publish,
)


def _step(name: str, action: Action) -> Kind[Nothing, Done]:
    return Kind(
        name=name,
        arguments=Nothing,
        fact=Done,
        roles=_ORGANIZERS,
        actions=(action,),
        decide=_decide_step,
        apply=_apply_reopen if action is Action.REOPEN_REGISTRATION else _apply_step,
    )


OPEN: Final = _step("registration.open", Action.OPEN_REGISTRATION)
CLOSE: Final = _step("registration.close", Action.OPEN_CHECK_IN)
REOPEN: Final = _step("registration.reopen", Action.REOPEN_REGISTRATION)
FINISH: Final = _step("event.finish", Action.FINISH)
VOID: Final = _step("event.void", Action.VOID)

KINDS: Final = (CREATE, EDIT, PUBLISH, OPEN, CLOSE, REOPEN, FINISH, VOID)


def id_of(actor: str, command: str) -> str:
    """The id of the event that this command of this account makes: sent again, it makes the same one."""
    digest = sha256(f"{actor}\n{command}".encode()).digest()
    return b32encode(digest).decode().lower()[:_ID_LETTERS]


def create(database: Database, ask: Ask, asked: Create) -> Receipt:
    """Announce an event; `ask.event` is not looked at."""
    with database.reading() as session:
        actor = ask.who(session)
    return run(database, CREATE, replace(ask, event=id_of(actor, ask.command)), asked)
