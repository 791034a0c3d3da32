"""Documents of events, their announcement and templates."""

from typing import Any

from pydantic import Field

from tournament.api.schemas.document import Document
from tournament.api.schemas.ownership import Sanction
from tournament.domain.announcement import (
    CutBy,
    Decklist,
    DrawRule,
    IfShort,
    ListsOpen,
    Ownership,
    Registration,
    changeable,
)
from tournament.domain.bracket_plan import Form
from tournament.domain.lifecycle import Action, Phase, allowed
from tournament.domain.model import Mode
from tournament.service.events import Changed, planned
from tournament.service.ownership import Sanction as Sanctioned
from tournament.store import Entered
from tournament.tables import EventRow


class Event(Document):
    """An event."""

    id: str = Field(examples=["k3v7qzj2m5xa"])
    version: int
    phase: Phase
    actions: list[Action] = Field(description="what the phase allows now")
    published: bool
    name: str = Field(examples=["Spring Open"])
    game: str
    preset: str
    best_of: int
    rounds: int | None
    capacity: int | None
    mode: Mode
    commitment: str = Field(description="hash of the public draw, given before the event")
    draw: str | None = Field(description="the draw, once the event is over")
    created_at: str
    template: str = Field(description="what it was announced from; empty for nothing")
    description: str
    venue: str
    time_zone: str = Field(examples=["Europe/Berlin"])
    starts_at: str | None = Field(description="UTC", examples=["2026-03-07T09:00:00.000000Z"])
    starts_local: str | None = Field(
        description="the same by the venue's clock", examples=["2026-03-07T10:00:00+01:00"]
    )
    format: str = Field(description="of decks; empty where none are asked for", examples=["standard"])
    format_version: int | None
    max_rating: str | None = Field(description="strongest rating of cards that may be played")
    pod_size: int | None = Field(description="usual players at a table; null for two, who play matches")
    cut: CutBy
    cut_size: int | None
    cut_points: int | None
    cut_form: Form
    round_minutes: int | None = Field(description="null for no clock")
    cut_minutes: int | None
    draw_rule: DrawRule
    decklist: Decklist
    lists_open: ListsOpen = Field(description="when everybody may see every decklist")
    decks_until: str | None
    waitlist: bool
    entry_fee: str = Field(description="a note; nothing is paid here")
    registration: Registration = Field(description="who may enter without staff")
    opens_at: str | None
    closes_at: str | None
    ownership: Ownership = Field(description="whether players prove that they own every card of their lists")
    collection: str | None = Field(description="the card contract, as announced; `manifest` has the one that counts")
    chain_id: int | None
    code_hash: str | None
    if_short: IfShort = Field(description="what becomes of a player who holds less than the list needs")
    ownership_at: str | None = Field(description="of epoch 1, as announced; null: before the start")
    check_in_minutes: int
    block_depth: int | None = Field(description="null: blocks are read once they are finalized")
    quorum: int | None
    manifest_id: str = Field(
        description="keccak-256 of the manifest, once registration is open; empty where no ownership is required"
    )
    archived: bool

    may_change: list[str] = Field(
        description="what `PATCH` may change now", examples=[["name", "description", "venue"]]
    )
    entered: int = Field(description="players who entered and did not leave", examples=[42])
    planned_rounds: int = Field(description="rounds if nobody else enters; 0 where the cut is all that is played")
    planned_cut: int | None = Field(description="players in the cut, 0 for none; null where the results decide")
    player_reports: bool = Field(description="whether players report their own results")
    penalties_public: bool = Field(description="whether everybody sees who got which penalty for what")
    sanction: Sanction = Field(description="whether the event is sanctioned, and why")

    @classmethod
    def of(cls, row: EventRow, field: Entered, sanction: Sanctioned) -> "Event":
        """An event as everybody may see it."""
        phase, plan = Phase(row.phase), planned(row, field)
        is_over = phase in {Phase.FINISHED, Phase.VOID}
        return cls(
            actions=[action for action in Action if action in allowed(phase)],
            draw=row.draw if is_over else None,
            may_change=list(changeable(phase)),
            entered=field.here,
            planned_rounds=plan.rounds,
            planned_cut=plan.cut,
            sanction=Sanction.of(sanction),
            **row.model_dump(exclude={"head", "draw", "registration_code", "words"}),
        )


class Events(Document):
    """A page of events."""

    events: list[Event]
    next: str | None = Field(description="for `before`, to get the next page; null on the last")


class Template(Document):
    """What events of a game usually announce."""

    name: str = Field(examples=["cps-official"])
    title: str = Field(examples=["Celebrity Parody Showdown, official"])
    game: str = Field(examples=["cps"])
    words: str
    announced: dict[str, Any] = Field(
        description="fields of an announcement; every other one is as without a template",
        examples=[{"game": "cps", "format": "standard", "best_of": 3, "cut": "the table"}],
    )


class Templates(Document):
    """The templates, the first game's first."""

    templates: list[Template]


class RegistrationCode(Document):
    """What lets players in where `registration` is `code`. It is stored nowhere."""

    code: str = Field(examples=["7KQ2-M4XA-09ZT"])
    generation: int = Field(description="raised to make every older code worthless")


class EditLine(Document):
    """An edit: who changed what, before and after."""

    sequence: int
    actor: str = Field(examples=["ann"])
    at: str
    reason: str
    changes: dict[str, Changed] = Field(examples=[{"capacity": {"before": 64, "after": 96}}])


class Edits(Document):
    """A page of an event's edits."""

    edits: list[EditLine]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")
