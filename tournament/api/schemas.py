"""What the API says: documents with their examples. What it is told are the arguments of the services' commands."""

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from tournament.domain.lifecycle import Action, Phase, allowed
from tournament.domain.model import Bye, Result, Round
from tournament.domain.model import Seat as SomeSeat
from tournament.domain.roles import Role
from tournament.domain.standings import Standing
from tournament.service.accounts import AccountName
from tournament.service.deliveries import State
from tournament.service.news import Topic
from tournament.service.results import Games
from tournament.tables import DeliveryRow, EntryRow, EventRow, PostboxRow, RoundRow, WebhookRow

F = TypeVar("F", bound=BaseModel)


class Document(BaseModel):
    """Something the API says."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Problem(BaseModel):
    """Why something was not done. Source: RFC 9457. A type has fields of its own beside these."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(examples=["/problems/stale-event"])
    title: str = Field(examples=["Others changed the event meanwhile"])
    detail: str = Field(examples=["you acted on version 6, and the event is at 7; look again"])
    status: int = Field(examples=[409])


class Receipt(Document, Generic[F]):
    """A command that was accepted: its row of the event's log. Keep the hash, and nobody can deny it."""

    event: str = Field(examples=["k3v7qzj2m5xa"])
    sequence: int = Field(ge=1, examples=[7], description="also the version of the event after the command")
    command: str = Field(description="your id of it, or ours if you gave none")
    name: str = Field(examples=["entry.add"])
    arguments: dict[str, Any]
    fact: F
    actor: str = Field(examples=["ann"])
    role: Role
    at: str = Field(examples=["2026-01-31T09:30:00.000000Z"])
    reason: str = Field(examples=[""])
    phase: Phase
    previous: str
    hash: str


class AnyFact(BaseModel):
    """What came of a command; its fields are those of the command's own answer."""

    model_config = ConfigDict(extra="allow")


class Alive(Document):
    """The process runs."""

    status: str = Field(examples=["ok"])
    version: str = Field(examples=["0.1.0"])


class Backlog(Document):
    """What is to be sent to webhooks, of all events."""

    waiting: int
    dead: int = Field(description="given up; an organizer may have them sent again")
    oldest: str | None = Field(description="since when the oldest of those that wait does")


class Health(Document):
    """Whether the server can work."""

    status: str = Field(examples=["ok"])
    version: str = Field(examples=["0.1.0"])
    database: str = Field(examples=["sqlite"])
    shape: str = Field(examples=["0003"], description="the last step that brought the database up to date")
    streams: int = Field(examples=[600], description="live streams open in the process that answers")
    webhooks: Backlog


class SignIn(Document):
    """A name and a password."""

    account: AccountName = Field(examples=["ann"])
    password: str = Field(min_length=1, max_length=200, examples=["correct horse battery staple"])
    label: str = Field(default="", max_length=100, examples=["the laptop at the desk"])


class Token(Document):
    """A token, told this once."""

    token: str = Field(examples=["dp_5Pq…"])


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
    commitment: str = Field(description="hash of the public draw, given before the event")
    draw: str | None = Field(description="the draw, once the event is over")
    created_at: str

    @classmethod
    def of(cls, row: EventRow) -> "Event":
        """An event as everybody may see it."""
        phase = Phase(row.phase)
        is_over = phase in {Phase.FINISHED, Phase.VOID}
        return cls(
            actions=[action for action in Action if action in allowed(phase)],
            draw=row.draw if is_over else None,
            **row.model_dump(exclude={"head", "draw"}),
        )


class Events(Document):
    """A page of events."""

    events: list[Event]
    next: str | None = Field(description="for `before`, to get the next page; null on the last")


class Entry(Document):
    """A player's place in an event."""

    number: int = Field(examples=[17])
    name: str = Field(examples=["Ann Example"])
    entered_at: str
    entered_in: int = Field(description="the first round that the player may be paired in")
    dropped_after: int | None = Field(description="the last round played; null while the player is in")
    fixed_table: int | None
    awarded_byes: int
    disqualified: bool

    @classmethod
    def of(cls, row: EntryRow) -> "Entry":
        """An entry as everybody may see it."""
        return cls(**row.model_dump(exclude={"event_id", "code"}))


class Entries(Document):
    """A page of entries."""

    entries: list[Entry]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class Seat(Document):
    """A table with its two players, or a bye."""

    table: int | None = Field(description="null for a bye")
    first: int = Field(description="number of the first player, or of the bye's holder")
    second: int | None
    bye: str | None
    result: Games | None = Field(description="null for a bye, and while the table plays")


class PlayedRound(Document):
    """A round with its tables."""

    number: int
    paired_at: str
    published_at: str | None = Field(description="null for a draft")
    closed_at: str | None
    seats: list[Seat]

    @classmethod
    def of(cls, row: RoundRow, played: Round) -> "PlayedRound":
        """A round; players by their numbers."""
        return cls(seats=[_seat(seat) for seat in played.seats], **row.model_dump(exclude={"event_id"}))


class RoundLine(Document):
    """A round without its tables."""

    number: int
    paired_at: str
    published_at: str | None
    closed_at: str | None


class Rounds(Document):
    """The rounds of an event."""

    rounds: list[RoundLine]


class StandingLine(Document):
    """A place in the standings."""

    place: int
    player: int = Field(examples=[17])
    match_points: int
    tiebreaks: dict[str, str] = Field(
        description="exact fractions, in the order in which they count", examples=[{"omw": "2/3", "gw": "7/12"}]
    )

    @classmethod
    def of(cls, line: Standing) -> "StandingLine":
        """A line; fractions as texts, because a float would not be exact."""
        return cls(
            place=line.place,
            player=int(line.player),
            match_points=line.match_points,
            tiebreaks={name: str(value) for name, value in line.tiebreaks.items()},
        )


class Standings(Document):
    """The standings after a closed round."""

    after: int = Field(description="the round; 0 before the first is closed")
    preset: str
    standings: list[StandingLine]


class LogPage(Document):
    """A page of an event's log."""

    receipts: list[Receipt[AnyFact]]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class Checked(Document):
    """What an audit found."""

    holds: bool
    version: int
    breaks: list[str] = Field(description="places where the log does not hold")
    differences: list[str] = Field(description="rows that are not what the log makes them")


# --- webhooks ---------------------------------------------------------------------------------------------------------


class Webhook(Document):
    """A receiver that is told what happens. For organizers."""

    number: int = Field(examples=[1])
    url: str | None = Field(
        description="null if the event came from another server, whose webhooks are told nothing by this one",
        examples=["https://example.org/deckproof"],
    )
    topics: list[Topic] = Field(examples=[["round.published", "result"]])
    added_at: str
    rotated_at: str | None = Field(description="when its secret was replaced; the one before counts for a day more")
    version: int | None = Field(description="of the event, up to which its news are queued")
    next_at: str | None = Field(description="when the next delivery is due; null if none waits")
    failing_since: str | None = Field(description="null while deliveries succeed")
    disabled_at: str | None = Field(description="since when nothing is sent any more; `resume` goes on")
    disabled_why: str | None

    @classmethod
    def of(cls, row: WebhookRow, postbox: PostboxRow | None) -> "Webhook":
        """A webhook as its organizers may see it."""
        fields = ("url", "version", "next_at", "failing_since", "disabled_at", "disabled_why")
        return cls(
            number=row.number,
            topics=[Topic(topic) for topic in row.topics.split()],
            added_at=row.added_at,
            rotated_at=row.rotated_at,
            **{name: getattr(postbox, name, None) for name in fields},
        )


class Webhooks(Document):
    """The webhooks of an event."""

    webhooks: list[Webhook]


class SecretReceipt(Document, Generic[F]):
    """A receipt, and a secret that is shown with it and never again."""

    secret: str = Field(
        description="what messages are signed with, as the libraries of Standard Webhooks take it",
        examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    )
    receipt: Receipt[F]


class Delivery(Document):
    """Something sent, or to be sent."""

    id: str = Field(examples=["msg_k3v7qzj2m5xa_1_17"], description="the header `webhook-id`, at every attempt")
    topic: str = Field(examples=["round.published"], description="or `ping`")
    version: int | None = Field(description="of the event after what is told; null for a ping")
    state: State
    attempts: int = Field(description="since it was queued, or queued again")
    queued_at: str
    next_at: str | None = Field(description="when it is tried next; null if it is not")
    tried_at: str | None
    status: int | None = Field(description="HTTP status of the last answer", examples=[200])
    problem: str | None = Field(description="why the last attempt failed", examples=["it answered 500"])

    @classmethod
    def of(cls, row: DeliveryRow) -> "Delivery":
        """A delivery without its body."""
        return cls(**row.model_dump(exclude={"event_id", "webhook", "body"}))


class Deliveries(Document):
    """The latest deliveries of a webhook."""

    deliveries: list[Delivery]


def _seat(seat: SomeSeat) -> Seat:
    if isinstance(seat, Bye):
        return Seat(table=None, first=int(seat.player), second=None, bye=seat.kind.value, result=None)
    games = None if seat.result is None else _games(seat.result)
    return Seat(table=seat.table, first=int(seat.first), second=int(seat.second), bye=None, result=games)


def _games(result: Result) -> Games:
    return Games(first=result.first, second=result.second, drawn=result.drawn, ending=result.ending)
