"""The tables of the database: rows, not objects with behaviour.

Two kinds. What happened: `log`, one row for each accepted command, append-only. What is so: everything in `PROJECTION`,
which the log alone gives again, and only the effect of a command writes. Accounts and tokens belong to no event, so
they are in no event's log.

Every key of an event's table starts with the event's id, so an event is the unit in which data can be spread over
machines. Enums and times are texts (`2026-01-31T09:30:00.000000Z`, always UTC), so both databases sort them alike.
"""

from typing import ClassVar, Final

from sqlalchemy import ForeignKeyConstraint, Index, MetaData, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

NAMES: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""Every constraint has a name, so that a later migration can drop it."""


class Table(SQLModel):
    """A table of ours."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=NAMES)


# --- who signs in -----------------------------------------------------------------------------------------------------


class AccountRow(Table, table=True):
    """Somebody who can sign in."""

    __tablename__ = "account"

    name: str = Field(primary_key=True)
    """Small letters; what the log calls the actor."""
    password: str
    """Argon2id, with its parameters."""
    created_at: str


class TokenRow(Table, table=True):
    """What a program sends instead of a password."""

    __tablename__ = "token"

    digest: str = Field(primary_key=True)
    """SHA-256 of the token, which itself is nowhere."""
    account: str = Field(foreign_key="account.name", index=True)
    label: str
    created_at: str


# --- what happened ----------------------------------------------------------------------------------------------------


class LogRow(Table, table=True):
    """An accepted command. A row is never changed and never deleted."""

    __tablename__ = "log"
    __table_args__ = (UniqueConstraint("event_id", "command"),)

    event_id: str = Field(primary_key=True)
    sequence: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """From 1; also the version of the event after it."""
    command: str
    """The id that the client gave the command."""
    name: str
    arguments: str = Field(sa_type=Text)
    """What was asked, as canonical JSON."""
    fact: str = Field(sa_type=Text)
    """What came of it, as canonical JSON: all that the effect needs."""
    actor: str
    role: str
    at: str
    reason: str = Field(sa_type=Text)
    phase: str
    """The phase after the command."""
    previous: str
    """Hash of the row before; 64 zeros before the first."""
    hash: str


# --- what is so -------------------------------------------------------------------------------------------------------


class EventRow(Table, table=True):
    """An event."""

    __tablename__ = "event"

    id: str = Field(primary_key=True)
    version: int
    """The sequence of the last row of its log."""
    head: str
    """The hash of that row; a log that was cut short does not end with it."""
    phase: str = Field(index=True)
    published: bool = False
    name: str
    game: str
    preset: str
    best_of: int
    rounds: int | None = None
    """Swiss rounds to be played; None: by the number of players."""
    capacity: int | None = None
    draw: str
    commitment: str
    """Published at once; the draw itself when the event is over."""
    created_at: str


class StaffRow(Table, table=True):
    """A role that an account has in an event."""

    __tablename__ = "staff"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]), Index("ix_staff_account", "account"))

    event_id: str = Field(primary_key=True)
    account: str = Field(primary_key=True)
    """Not a foreign key: an event that was imported names accounts of elsewhere."""
    role: str = Field(primary_key=True)
    granted: int
    """The sequence of the command that gave the role."""


class EntryRow(Table, table=True):
    """A player's place in an event."""

    __tablename__ = "entry"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """From 1, in the order of entering; the `PlayerId` of the pairings is this number as a text."""
    name: str
    entered_at: str
    entered_in: int = 1
    dropped_after: int | None = None
    fixed_table: int | None = None
    awarded_byes: int = 0
    disqualified: bool = False
    code: int = 1
    """The generation of the entry's code; raised to make a lost one worthless."""


class RoundRow(Table, table=True):
    """A round: paired, then published, then closed."""

    __tablename__ = "round"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    paired_at: str
    published_at: str | None = None
    """None: a draft, which only staff may see."""
    closed_at: str | None = None


class SeatRow(Table, table=True):
    """A table of a round with its two players and its result, or a bye."""

    __tablename__ = "seat"
    __table_args__ = (
        ForeignKeyConstraint(["event_id", "round"], ["round.event_id", "round.number"]),
        UniqueConstraint("event_id", "round", "table_number"),
    )

    event_id: str = Field(primary_key=True)
    round: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    place: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """From 1, in the order in which the round was paired."""
    first: int
    """The number of the first player, or of the bye's holder."""
    second: int | None = None
    table_number: int | None = None
    """None for a bye."""
    bye: str | None = None
    """The kind of bye; None for a table."""
    games_first: int | None = None
    games_second: int | None = None
    drawn: int | None = None
    ending: str | None = None
    """None while the table has no result."""
    reported: int | None = None
    """The sequence of the command that the result is from."""


class WebhookRow(Table, table=True):
    """A receiver that an organizer wants to be told. Where exactly it is, only its `PostboxRow` knows."""

    __tablename__ = "webhook"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    place: str
    """As much of the URL as anybody may know: scheme, host and a fingerprint of the rest."""
    topics: str
    """What it is told, separated by spaces."""
    generation: int = 1
    """Of its secret."""
    rotated_at: str | None = None
    """When the secret of the generation before began to expire."""
    added_at: str
    is_removed: bool = False
    """The row stays, so that no number is given out twice."""


PROJECTION: Final[tuple[type[Table], ...]] = (EventRow, StaffRow, EntryRow, RoundRow, SeatRow, WebhookRow)
"""What the log gives again, parents first."""


# --- what goes out ----------------------------------------------------------------------------------------------------
#
# In no log, because it changes nothing of an event; and so an event that is read elsewhere tells nobody.


class PostboxRow(Table, table=True):
    """Where a webhook's news go, and how far they got: the log is the queue, and this is the place in it."""

    __tablename__ = "postbox"

    event_id: str = Field(primary_key=True)
    webhook: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    url: str = Field(sa_type=Text)
    """Whole; part of it may be a secret, so it is in no log."""
    place: str
    """Of the webhook that the URL was given for."""
    version: int
    """Up to which the log was looked through."""
    turn: str | None = None
    """The delivery that all later news wait for."""
    next_at: str | None = None
    """When the next delivery is due; None: none waits."""
    leased_by: str | None = None
    """The courier that is at it now; no other touches it."""
    leased_until: str = ""
    failing_since: str | None = None
    disabled_at: str | None = None
    disabled_why: str | None = None


class DeliveryRow(Table, table=True):
    """Something to be sent to a webhook, or sent."""

    __tablename__ = "delivery"
    __table_args__ = (Index("ix_delivery_state", "event_id", "webhook", "state", "next_at"),)

    event_id: str = Field(primary_key=True)
    webhook: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    id: str = Field(primary_key=True)
    """The same at every attempt, and the same if it is queued again."""
    version: int | None = None
    """Of the event after what is told; None for a ping."""
    topic: str
    body: str = Field(sa_type=Text)
    """The same bytes at every attempt."""
    state: str
    attempts: int = 0
    queued_at: str
    next_at: str | None = None
    tried_at: str | None = None
    status: int | None = None
    """Of the receiver's last answer."""
    problem: str | None = None
    """Why the last attempt failed."""
