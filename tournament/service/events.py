"""Events: announced, edited, announced again, opened for registration, closed, finished, put away."""

import json
from base64 import b32encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.announcement import (
    CHECK_IN_MINUTES,
    CutBy,
    Decklist,
    DrawRule,
    Fault,
    IfShort,
    ListsOpen,
    Ownership,
    Plan,
    Registration,
    plan_of,
    why_fixed,
)
from tournament.domain.bracket import ready
from tournament.domain.bracket_plan import Form
from tournament.domain.draw import commitment
from tournament.domain.errors import TournamentError
from tournament.domain.forecast import robin_rounds
from tournament.domain.lifecycle import Action, Phase
from tournament.domain.model import Mode
from tournament.domain.presets import Preset
from tournament.domain.presets import preset_of as preset_named
from tournament.domain.results import MatchFormat
from tournament.domain.roles import ORGANIZERS, Role
from tournament.errors import (
    AnnouncementContradicts,
    CutUnfinished,
    EditRefused,
    EndpointsMissing,
    EventInSeries,
    EventNotFound,
    NotYours,
    PlayersEntered,
    RegistrationByStaff,
    RegistrationClosed,
    RegistrationCodeWrong,
    RegistrationNotYetOpen,
    RegistrationOver,
)
from tournament.service import places
from tournament.service.announcing import (
    Announcement,
    Moment,
    announced,
    kept,
    moved,
    searched,
    start_from,
    template_known,
    without_defaults,
)
from tournament.service.codes import Codes, Purpose
from tournament.service.commands import (
    Arguments,
    Ask,
    Done,
    Fact,
    Kind,
    Nothing,
    Receipt,
    Scene,
    WithReason,
    run,
)
from tournament.service.names import seen
from tournament.tables import EpochRow, EventRow, LogRow, ManifestRow, PassBookRow, StaffRow

Name = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$"), AfterValidator(seen)
]
_ID_LETTERS: Final = 12
"""60 bits of a hash."""
_OPEN_LISTS: Final[Mapping[ListsOpen, frozenset[Phase]]] = {
    ListsOpen.NEVER: frozenset(),
    ListsOpen.AT_THE_CUT: frozenset({Phase.CUT, Phase.FINISHED}),
    ListsOpen.AT_THE_END: frozenset({Phase.FINISHED}),
}
"""Phases in which decklists are public."""
_PAIRED_BY: Final = frozenset({"preset", "pod_size"})
"""Fields that a draft of a round hangs on."""


class Create(Announcement):
    """Announce an event: with a template, what it announces, and of that what you name otherwise."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"name": "Friday night", "template": "cps-evening"},
                {
                    "name": "Spring Open",
                    "template": "cps-official",
                    "venue": "Town hall, Example Street 1",
                    "time_zone": "Europe/Berlin",
                    "starts_at": "2026-03-07T10:00",
                    "closes_at": "2026-03-07T09:30",
                    "decks_until": "2026-03-06T20:00",
                    "capacity": 128,
                },
            ]
        }
    )

    name: Name = Field(examples=["Spring Open"])
    template: Annotated[str, AfterValidator(template_known)] | None = Field(
        default=None, description="a name of `GET /templates`", examples=["cps-official"]
    )
    mode: Mode = Field(default=Mode.SWISS, description="how rounds are paired")


class Announced(Fact):
    """What an event announces. Without a value in the log of an older program, what held then."""

    name: str
    game: str
    preset: str
    best_of: MatchFormat
    rounds: int | None
    capacity: int | None
    template: str = ""
    description: str = ""
    venue: str = ""
    time_zone: str = "UTC"
    starts_at: str | None = None
    starts_local: str | None = None
    format: str = ""
    format_version: int | None = None
    max_rating: str | None = None
    pod_size: int | None = None
    cut: str = CutBy.NONE.value
    cut_size: int | None = None
    cut_points: int | None = None
    cut_form: str = Form.SINGLE.value
    round_minutes: int | None = None
    cut_minutes: int | None = None
    draw_rule: str = DrawRule.ANY.value
    decklist: str = Decklist.NONE.value
    lists_open: str = ListsOpen.NEVER.value
    decks_until: str | None = None
    waitlist: bool = False
    entry_fee: str = ""
    registration: str = Registration.STAFF.value
    opens_at: str | None = None
    closes_at: str | None = None
    ownership: str = Ownership.NONE.value
    collection: str | None = None
    chain_id: int | None = None
    code_hash: str | None = None
    if_short: str = IfShort.FLAG.value
    ownership_at: str | None = None
    check_in_minutes: int = CHECK_IN_MINUTES
    block_depth: int | None = None
    quorum: int | None = None


class Created(Announced):
    """An event, and its draw, which stays with the staff until the event is over."""

    draw: str
    commitment: str
    mode: Mode = Mode.SWISS
    player_reports: bool = True
    penalties_public: bool = False


class Edit(Announcement):
    """Change what was announced; what is not named stays."""

    model_config = ConfigDict(json_schema_extra=without_defaults)

    name: Name = ""


class Changed(BaseModel):
    """A field before and after; moments in UTC."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    before: str | int | bool | None
    after: str | int | bool | None


class Edited(Fact):
    """What is announced now, and every field that changed."""

    name: str
    rounds: int | None
    capacity: int | None
    changes: dict[str, Changed] = Field(
        default={}, examples=[{"venue": {"before": "Town hall", "after": "Library"}}], description="by field"
    )
    promoted: list[int] = Field(default=[], description="who waited for a place and has one now")


class Anew(Arguments):
    """Announce the same again."""

    name: Name | None = Field(default=None, description="the same as before when null")
    starts_at: Moment | None = Field(
        default=None, description="every other time moves with it; all stay as they are when null"
    )


class Clone(Anew):
    """Announce an event as another one was announced."""

    source: str = Field(description="the event that is announced again")


class Void(WithReason):
    """Call an event off; why, everybody may read in the end."""


class Opened(Fact):
    """Registration is open. What was promised about ownership is fixed from now on."""

    manifest: str = Field(default="", description="canonical JSON; empty where no ownership is required")
    event_id: str = Field(default="", description="keccak-256 of the manifest, which every signature names")


class CodeRaised(Fact):
    """Every registration code of an older generation is worthless."""

    generation: int


def _decide_create(scene: Scene, asked: Create) -> Created:
    return _created(scene, start_from(asked.template), asked.named, asked.template or "", mode=asked.mode)


def _created(
    scene: Scene, before: Mapping[str, Any], named: Mapping[str, Any], template: str, *, mode: Mode
) -> Created:
    said, faults = announced(before, named)
    if faults := [*faults, *_of_mode(mode, said)]:
        raise AnnouncementContradicts(faults)
    draw = scene.chance()
    return Created(**said, template=template, mode=mode, draw=draw, commitment=commitment(draw))


def _of_mode(mode: Mode, said: Mapping[str, Any]) -> Iterator[Fault]:
    if mode is Mode.ROUND_ROBIN and said["pod_size"] is not None:
        yield Fault("pod_size", "a round robin is played in matches of two")


def _apply_create(session: Session, event: EventRow, row: LogRow, fact: Created) -> None:
    for name, value in fact.model_dump(mode="json").items():
        setattr(event, name, value)
    event.created_at, event.words = row.at, searched(fact.name, fact.venue)
    store.add_event(session, event)
    store.add_staff(
        session,
        StaffRow(event_id=event.id, account=row.actor, role=Role.ORGANIZER.value, granted=row.sequence),
    )


def _decide_clone(scene: Scene, asked: Clone) -> Created:
    source = store.find_event(scene.session, asked.source)
    roles = store.roles_of(scene.session, asked.source, scene.actor)
    if source is None or not (source.published or roles):
        raise EventNotFound(asked.source)
    if Role.ORGANIZER not in roles:
        raise NotYours(CLONE.name, [Role.ORGANIZER])
    before = kept(source)
    try:
        times = moved(before, asked.starts_at)
    except ValueError as error:
        raise AnnouncementContradicts([Fault("starts_at", str(error))]) from error
    made = _created(
        scene, before, {"name": asked.name or source.name, **times}, source.template, mode=Mode(source.mode)
    )
    return made.model_copy(
        update={"player_reports": source.player_reports, "penalties_public": source.penalties_public}
    )


def _decide_edit(scene: Scene, asked: Edit) -> Edited:
    event, before = scene.event, kept(scene.event)
    said, faults = announced(before, asked.named)
    fixed = ((field, why_fixed(field, Phase(event.phase))) for field in asked.named if said[field] != before[field])
    faults = [
        *(Fault(field, why) for field, why in fixed if why),
        *(fault for fault in faults if fault not in _as_it_came(before)),
        *_of_mode(Mode(event.mode), said),
        *_below(scene, before, said),
    ]
    if faults:
        raise EditRefused(faults)
    after = Announced(**said).model_dump(mode="json")
    return Edited(
        **{field: after[field] for field in ("name", "rounds", "capacity")},
        changes={
            field: Changed(before=before[field], after=after[field]) for field in said if before[field] != after[field]
        },
        promoted=places.gained(scene, capacity=said["capacity"]),
    )


def _as_it_came(before: Mapping[str, Any]) -> list[Fault]:
    """What contradicts itself already, as in an event that came by a file; it keeps nobody from editing the rest."""
    return announced(before, {})[1]


def _below(scene: Scene, before: Mapping[str, Any], said: Mapping[str, Any]) -> list[Fault]:
    """Numbers that would be lower than what is already so."""
    session, event, faults = scene.session, scene.event, []
    if said["capacity"] not in {None, before["capacity"]}:
        entered = store.entries_in(session, event.id)
        if said["capacity"] < entered:
            faults.append(Fault("capacity", f"{entered} players have entered"))
    if said["rounds"] != before["rounds"]:
        published = store.last_published(session, event.id)
        rounds = _announced(said, event.mode, store.fields_of(session, [event.id])[event.id]).rounds
        if rounds < published:
            by_table = " and the table gives fewer" if said["rounds"] is None else ""
            faults.append(Fault("rounds", f"{published} rounds are published{by_table}"))
    return faults


def _apply_edit(session: Session, event: EventRow, _: LogRow, fact: Edited) -> None:
    event.name, event.rounds, event.capacity = fact.name, fact.rounds, fact.capacity
    for field, change in fact.changes.items():
        setattr(event, field, change.after)
    places.give(session, event, fact.promoted)
    event.words = searched(event.name, event.venue)
    if _PAIRED_BY & fact.changes.keys():
        store.delete_drafts(session, event.id)


def _apply_publish(_: Session, event: EventRow, __: LogRow, ___: Done) -> None:
    event.published = True


def _decide_unpublish(scene: Scene, _: Nothing) -> Done:
    if entered := store.last_entry(scene.session, scene.event.id):
        raise PlayersEntered(entered)
    if series := store.series_with(scene.session, scene.event.id):
        raise EventInSeries(series)
    return Done()


def _apply_unpublish(_: Session, event: EventRow, __: LogRow, ___: Done) -> None:
    event.published = False


def _apply_archive(_: Session, event: EventRow, __: LogRow, ___: Done) -> None:
    event.archived = True


def _apply_unarchive(_: Session, event: EventRow, __: LogRow, ___: Done) -> None:
    event.archived = False


def _decide_code(scene: Scene, _: Nothing) -> CodeRaised:
    return CodeRaised(generation=scene.event.registration_code + 1)


def _apply_code(_: Session, event: EventRow, __: LogRow, fact: CodeRaised) -> None:
    event.registration_code = fact.generation


def _decide_void(_: Scene, __: Void) -> Done:
    return Done()


def _decide_step(_: Scene, __: Nothing) -> Done:
    return Done()


def _apply_step(_: Session, __: EventRow, ___: LogRow, ____: Done) -> None:
    """The phase is all that changes, and the row of the log says it."""


def _decide_finish(scene: Scene, asked: Nothing) -> Done:
    bracket = store.bracket_of(scene.session, scene.event.id)
    if bracket is not None and not asked.reason and (playing := ready(bracket)):
        raise CutUnfinished([match.id for match in playing])
    return Done()


def _decide_open(scene: Scene, _: Nothing) -> Opened:
    """Where ownership is required, `manifests.open_registration` decides instead: it has asked the chain before."""
    if scene.event.ownership == Ownership.REQUIRED:
        raise EndpointsMissing(1, 0)
    return Opened()


def _apply_open(session: Session, event: EventRow, row: LogRow, fact: Opened) -> None:
    if fact.manifest:
        promised = json.loads(fact.manifest)
        opening = int(promised["block_rule"]["opening"])
        store.add_manifest(session, ManifestRow(event_id=event.id, fixed=row.sequence, text=fact.manifest))
        first = EpochRow(event_id=event.id, number=1, round=0, opens_at=opening, opened=row.sequence)
        store.add_epoch(session, first)
        event.manifest_id = fact.event_id
        if promised["keys"]:
            store.add_pass_book(session, PassBookRow(event_id=event.id, opened=row.sequence, terms=fact.manifest))


def _apply_reopen(session: Session, event: EventRow, _: LogRow, __: Done) -> None:
    store.delete_drafts(session, event.id)


CREATE: Final = Kind(
    name="event.create",
    arguments=Create,
    fact=Created,
    roles=ORGANIZERS,
    creates=True,
    decide=_decide_create,
    apply=_apply_create,
)
CLONE: Final = Kind(
    name="event.clone",
    arguments=Clone,
    fact=Created,
    roles=ORGANIZERS,
    creates=True,
    decide=_decide_clone,
    apply=_apply_create,
)
EDIT: Final = Kind(
    name="event.edit",
    arguments=Edit,
    fact=Edited,
    roles=ORGANIZERS,
    actions=(Action.EDIT,),
    decide=_decide_edit,
    apply=_apply_edit,
)
PUBLISH: Final = Kind(
    name="event.publish",
    arguments=Nothing,
    fact=Done,
    roles=ORGANIZERS,
    actions=(Action.EDIT,),
    decide=_decide_step,
    apply=_apply_publish,
)


UNPUBLISH: Final = Kind(
    name="event.unpublish",
    arguments=Nothing,
    fact=Done,
    roles=ORGANIZERS,
    actions=(Action.EDIT,),
    decide=_decide_unpublish,
    apply=_apply_unpublish,
)
CODE: Final = Kind(
    name="registration.code",
    lasting=True,
    arguments=Nothing,
    fact=CodeRaised,
    roles=ORGANIZERS,
    actions=(Action.EDIT,),
    decide=_decide_code,
    apply=_apply_code,
)


def _step(name: str, action: Action) -> Kind[Nothing, Done]:
    return Kind(
        name=name,
        arguments=Nothing,
        fact=Done,
        roles=ORGANIZERS,
        actions=(action,),
        decide=_decide_finish if action is Action.FINISH else _decide_step,
        apply=_apply_reopen if action is Action.REOPEN_REGISTRATION else _apply_step,
    )


OPEN: Final = Kind(
    name="registration.open",
    arguments=Nothing,
    fact=Opened,
    roles=ORGANIZERS,
    actions=(Action.OPEN_REGISTRATION,),
    decide=_decide_open,
    apply=_apply_open,
)
CLOSE: Final = _step("registration.close", Action.OPEN_CHECK_IN)
REOPEN: Final = _step("registration.reopen", Action.REOPEN_REGISTRATION)
FINISH: Final = _step("event.finish", Action.FINISH)
VOID: Final = Kind(
    name="event.void",
    arguments=Void,
    fact=Done,
    roles=ORGANIZERS,
    actions=(Action.VOID,),
    decide=_decide_void,
    apply=_apply_step,
)
ARCHIVE: Final = Kind(
    name="event.archive",
    arguments=Nothing,
    fact=Done,
    roles=ORGANIZERS,
    actions=(Action.ARCHIVE,),
    decide=_decide_step,
    apply=_apply_archive,
)
UNARCHIVE: Final = Kind(
    name="event.unarchive",
    arguments=Nothing,
    fact=Done,
    roles=ORGANIZERS,
    actions=(Action.ARCHIVE,),
    decide=_decide_step,
    apply=_apply_unarchive,
)

KINDS: Final = (
    CREATE, CLONE, EDIT, PUBLISH, UNPUBLISH, OPEN, CODE, CLOSE, REOPEN, FINISH, VOID, ARCHIVE, UNARCHIVE,
)  # fmt: skip


# --- registration without staff --------------------------------------------------------------------------------------


def registration_is_open(event: EventRow, at: str) -> bool:
    """Whether somebody may enter without staff at that moment (`scene.at`), capacity and code left aside."""
    try:
        require_registration(event, at)
    except TournamentError:
        return False
    return True


def require_registration(event: EventRow, at: str) -> None:
    """Refuse whoever may not enter without staff at that moment; it opens at `opens_at`, and is over at `closes_at`.

    Raises:
        RegistrationByStaff: nobody may, ever.
        RegistrationClosed: the phase is another one than registration.
        RegistrationNotYetOpen: it opens later.
        RegistrationOver: it closed.
    """
    if event.registration == Registration.STAFF:
        raise RegistrationByStaff
    if event.phase != Phase.REGISTRATION:
        raise RegistrationClosed(event.phase)
    if event.opens_at is not None and at < event.opens_at:
        raise RegistrationNotYetOpen(event.opens_at)
    if event.closes_at is not None and at >= event.closes_at:
        raise RegistrationOver(event.closes_at)


def registration_code(event: EventRow, codes: Codes) -> str:
    """The code that lets players in where the event asks for one."""
    return codes.code(Purpose.REGISTRATION, event.id, event.registration_code)


def require_registration_code(event: EventRow, codes: Codes, shown: str | None) -> None:
    """Refuse a wrong code where the event asks for one. Raises: RegistrationCodeWrong."""
    if event.registration == Registration.CODE and not codes.matches(
        shown or "", Purpose.REGISTRATION, event.id, event.registration_code
    ):
        raise RegistrationCodeWrong


def lists_are_open(event: EventRow) -> bool:
    """Whether everybody may see every decklist by now."""
    return event.phase in _OPEN_LISTS[ListsOpen(event.lists_open)]


def id_of(actor: str, command: str) -> str:
    """The id of the event that this command of this account makes: sent again, it makes the same one."""
    digest = sha256(f"{actor}\n{command}".encode()).digest()
    return b32encode(digest).decode().lower()[:_ID_LETTERS]


def create(database: Database, ask: Ask, asked: Create) -> Receipt:
    """Announce an event; `ask.event` is not looked at."""
    return run(database, CREATE, _of_new(database, ask), asked)


def clone(database: Database, ask: Ask, asked: Anew) -> Receipt:
    """Announce the event of `ask.event` again, as a draft with a draw of its own.

    Raises:
        EventNotFound: no such event, or not to be seen.
        NotYours: the asker is no organizer of it.
        AnnouncementContradicts: it cannot start then.
    """
    clone = Clone(source=ask.event, **asked.model_dump())
    return run(database, CLONE, _of_new(database, ask), clone)


def _of_new(database: Database, ask: Ask) -> Ask:
    with database.reading() as session:
        actor = ask.who(session)
    return replace(ask, event=id_of(actor, ask.command))


# --- what is announced, to be played by -------------------------------------------------------------------------------


def preset_of(event: EventRow) -> Preset:
    """How the event's standings are computed."""
    return preset_named(event.preset, event.pod_size)


def plan(session: Session, event: EventRow) -> Plan:
    """Rounds and cut as they are announced, for the players who are in it now or have played in it."""
    return planned(event, store.fields_of(session, [event.id])[event.id])


def plan_announced(session: Session, event: EventRow) -> Plan:
    """The same without what was played beyond it."""
    return _announced(kept(event), event.mode, store.fields_of(session, [event.id])[event.id])


def planned(event: EventRow, field: store.Entered) -> Plan:
    """The same of an event whose players were counted already. Rounds that were played beyond it are in it."""
    said = kept(event)
    announced = _announced(said, event.mode, field)
    if field.published <= announced.rounds:
        return announced
    return _announced({**said, "rounds": field.published}, Mode.SWISS, field)


def _announced(said: Mapping[str, Any], mode: str, field: store.Entered) -> Plan:
    """By the announcement alone; a round robin has no more rounds than it needs."""
    cut, rounds = CutBy(said["cut"]), said["rounds"]
    if mode == Mode.ROUND_ROBIN and field.counted:
        robin = robin_rounds(field.counted)
        rounds = robin if rounds is None else min(rounds, robin)
    return plan_of(field.counted, field.byes, rounds=rounds, cut=cut, cut_size=said["cut_size"])
