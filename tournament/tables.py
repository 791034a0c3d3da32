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
    mode: str = "swiss"
    """How rounds are paired: `swiss`, or `round-robin`."""
    # What else is announced. Without an own default in the log of an old event, what stands here is what held then.
    template: str = ""
    """What it was announced from; empty for nothing."""
    description: str = Field(default="", sa_type=Text)
    venue: str = ""
    time_zone: str = "UTC"
    """IANA name, such as `Europe/Berlin`."""
    starts_at: str | None = Field(default=None, index=True)
    starts_local: str | None = None
    """The same moment by the clock of the venue, with its offset: `2026-03-07T10:00:00+01:00`."""
    format: str = ""
    """Of decks, by its short name; empty where the event asks for none."""
    format_version: int | None = None
    max_rating: str | None = None
    """Strongest rating of cards that may be played; None: any."""
    pod_size: int | None = None
    """Usual players at a table; None: two, and matches."""
    cut: str = "none"
    """A `CutBy`."""
    cut_size: int | None = None
    cut_points: int | None = None
    cut_form: str = "single elimination"
    """A `bracket_plan.Form`."""
    round_minutes: int | None = None
    """Of a Swiss round; None: no clock."""
    cut_minutes: int | None = None
    """Of a round of the cut."""
    draw_rule: str = "any"
    decklist: str = "none"
    lists_open: str = "never"
    decks_until: str | None = None
    """The last moment for a decklist; None: until the first round is published."""
    waitlist: bool = False
    """Whoever comes after the capacity is reached may wait for a place."""
    entry_fee: str = ""
    """A note for players; no payment."""
    registration: str = "staff"
    """Who enters without staff: a `Registration`."""
    opens_at: str | None = None
    """Before it nobody enters without staff; None: as soon as registration is open."""
    closes_at: str | None = None
    """From it on nobody enters without staff; None: until registration is closed."""
    registration_code: int = 1
    """The generation of the registration code; raised to make an old one worthless."""
    archived: bool = False
    """Listed only on request."""
    words: str = Field(default="", sa_type=Text)
    """Name and venue, folded, to be searched."""


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
    pairing: str = "swiss"
    """How it was paired: `swiss`, `fold` (by seeds), `round-robin`."""
    certificate: str | None = Field(default=None, sa_type=Text)
    """Why the round is as it was paired, without the draw; JSON. None where nothing is minimised."""
    length_s: int | None = None
    """Of the round's clock, with everything added and taken away; None: no clock."""
    started_at: str | None = None
    paused_at: str | None = None
    """None while the clock runs, or has not begun."""
    paused_s: int = 0
    """How long the clock stood still in all the pauses that are over."""


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
    extra_minutes: int = 0
    """Of this table, after the end of the round's clock."""
    stood: bool = False
    """Was played, or being played, when other tables of the round were changed."""


class TableChangeRow(Table, table=True):
    """Tables of a round that were changed after it was paired: by hand, or to mend a mistake."""

    __tablename__ = "table_change"
    __table_args__ = (
        ForeignKeyConstraint(["event_id", "round"], ["round.event_id", "round.number"]),
        Index("ix_table_change_round", "event_id", "round"),
    )

    event_id: str = Field(primary_key=True)
    sequence: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Of the command."""
    round: int
    at: str
    how: str
    """`by hand`, or the way that a repair took."""
    because: str = Field(sa_type=Text)
    """For everybody to read."""
    change: str = Field(sa_type=Text)
    """Tables `removed` and `added`, what is `worse` than drawn, and the `others` that could have been taken; JSON."""


class BracketRow(Table, table=True):
    """The cut of an event: how it is played."""

    __tablename__ = "bracket"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    form: str
    draws: str
    double_losses: str
    best_of: int
    started_at: str
    ties: str = Field(sa_type=Text)
    """Places that the draw decided; JSON."""


class SeedRow(Table, table=True):
    """A place of the cut."""

    __tablename__ = "seed"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["bracket.event_id"]),)

    event_id: str = Field(primary_key=True)
    seed: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """1 is the best."""
    entry: int


class BracketLineRow(Table, table=True):
    """Something that happened in the cut; who meets whom and who is out follows from the lines in their order."""

    __tablename__ = "bracket_line"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["bracket.event_id"]),)

    event_id: str = Field(primary_key=True)
    line: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """From 1; a corrected result keeps its line."""
    sequence: int
    """Of the command that it is from, or was last corrected by."""
    at: str
    match_id: str | None = None
    """A result: of this match, with the two players and the games."""
    first: int | None = None
    second: int | None = None
    games_first: int | None = None
    games_second: int | None = None
    drawn: int | None = None
    ending: str | None = None
    gone: str | None = Field(default=None, sa_type=Text)
    """Players who left together, their numbers in a JSON list."""
    why: str | None = None
    """`dropped` or `disqualified`."""
    redrawn: int | None = None
    """A main round that was drawn anew."""


PROJECTION: Final[tuple[type[Table], ...]] = (
    EventRow,
    StaffRow,
    EntryRow,
    RoundRow,
    SeatRow,
    TableChangeRow,
    BracketRow,
    SeedRow,
    BracketLineRow,
)
"""What the log gives again, parents first."""
