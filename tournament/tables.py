"""The tables of the database: rows, not objects with behaviour.

Two kinds. What happened: `log`, one row for each accepted command, append-only. What is so: everything in `PROJECTION`,
which the log alone gives again, and only the effect of a command writes. Beside them `sealed` has what the log names
only the digest of. Accounts, tokens and the like belong to no event, so they are in no event's log.

Every key of an event's table starts with the event's id, so an event is the unit in which data can be spread over
machines. Enums and times are texts (`2026-01-31T09:30:00.000000Z`, always UTC), so both databases sort them alike.
"""

from typing import ClassVar, Final

from sqlalchemy import BigInteger, ForeignKeyConstraint, Index, MetaData, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

NAMES: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""Every constraint has a name, so that a later migration can drop it."""


ALL_SCOPES: Final = "read staff account"
"""Of a token that is good for everything."""


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
    disabled_at: str | None = None
    """None: it may act."""


class SecondFactorRow(Table, table=True):
    """A device that shows one-time codes."""

    __tablename__ = "second_factor"

    account: str = Field(primary_key=True, foreign_key="account.name")
    encrypted: str
    """The secret that the device has too, encrypted with a key from the server's secret."""
    confirmed_at: str | None = None
    """None: nobody showed a code of it yet, so none is asked for."""
    last_step: int = 0
    """The half minute, counted from 1970, of the last code that was good; it and all before it are good no more."""


class RecoveryCodeRow(Table, table=True):
    """A code on paper that is good once instead of one of the device."""

    __tablename__ = "recovery_code"

    account: str = Field(primary_key=True, foreign_key="account.name")
    digest: str = Field(primary_key=True)
    """SHA-256 of its 80 random bits."""


class TokenRow(Table, table=True):
    """What a program sends instead of a password."""

    __tablename__ = "token"

    digest: str = Field(primary_key=True)
    """SHA-256 of the token, which itself is nowhere."""
    account: str = Field(foreign_key="account.name", index=True)
    label: str
    created_at: str
    scopes: str = Field(default=ALL_SCOPES, sa_column_kwargs={"server_default": ALL_SCOPES})
    """What it is good for, words with blanks between."""
    event: str | None = None
    """The only event that it is good for; None: for every one."""
    expires_at: str | None = None
    """None: never."""
    last_used: str | None = None
    """The day, `2026-01-31`; None: not yet."""


class BrowserRow(Table, table=True):
    """A browser that is signed in."""

    __tablename__ = "browser"

    digest: str = Field(primary_key=True)
    """SHA-256 of what the browser's cookie holds."""
    account: str = Field(foreign_key="account.name", index=True)
    about: str
    """What the browser says that it is."""
    created_at: str
    seen_at: str
    """Not older than a few minutes; too long ago, and it is signed out."""
    expires_at: str


class KnownNetworkRow(Table, table=True):
    """From where an account has signed in before."""

    __tablename__ = "known_network"

    account: str = Field(primary_key=True, foreign_key="account.name")
    network: str = Field(primary_key=True)
    """A keyed hash of the address."""
    last_at: str


class BucketRow(Table, table=True):
    """How often somebody tried something. Not there: not lately."""

    __tablename__ = "bucket"

    key: str = Field(primary_key=True)
    full_at: int = Field(sa_type=BigInteger, index=True)
    """When all is forgotten, in microseconds since 1970."""


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
    salt: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Of a kind that is sealed, 64 random hex digits, so that its words are not found by trying; else nothing."""
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
    starts_at: str | None = None
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
    """From then on lists are locked; None: when registration closes."""
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
    player_reports: bool = True
    """Whether players report their own results."""
    penalties_public: bool = False
    """Whether everybody sees who got which penalty for what; the judge's words are never public."""


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


class InvitationRow(Table, table=True):
    """A link that makes whoever has it staff."""

    __tablename__ = "invitation"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    role: str
    uses: int
    """How many accounts may accept it."""
    expires_at: str
    invited_by: str
    withdrawn: bool = False


class AcceptanceRow(Table, table=True):
    """An account that accepted an invitation; it cannot accept it again."""

    __tablename__ = "acceptance"
    __table_args__ = (ForeignKeyConstraint(["event_id", "invitation"], ["invitation.event_id", "invitation.number"]),)

    event_id: str = Field(primary_key=True)
    invitation: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    account: str = Field(primary_key=True)
    accepted: int
    """The sequence of the command."""


class EntryRow(Table, table=True):
    """A player's place in an event."""

    __tablename__ = "entry"
    __table_args__ = (
        ForeignKeyConstraint(["event_id"], ["event.id"]),
        Index("ix_entry_place", "event_id", "waiting", "dropped_after", "merged_into"),  # who has one is counted often
    )

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
    waiting: int | None = None
    """The sequence of the command since which the player waits for a place; None: has one."""
    checked_in: int | None = None
    """The sequence of the command that checked the player in."""
    merged_into: int | None = None
    """The entry of the same person that this one became part of."""
    erased: int | None = None
    """The sequence of the command that erased what the entry said of the player."""


class DeckRow(Table, table=True):
    """What an entry handed in. The lists themselves are in `sealed`; what is here may be published."""

    __tablename__ = "deck"
    __table_args__ = (ForeignKeyConstraint(["event_id", "entry"], ["entry.event_id", "entry.number"]),)

    event_id: str = Field(primary_key=True)
    entry: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    commitment: str | None = None
    """Of the legal list, which counts."""
    listed: int | None = None
    """The sequence of the command that handed it in."""
    draft: str | None = None
    """The commitment of a later list that is not legal and does not count."""
    drafted: int | None = None
    """The sequence of the command that handed that in."""
    unlocked: int | None = None
    """The sequence of the command that lets the player change the list after the lock."""
    waived: int | None = None
    """The sequence of the command that lets the player play without a legal list."""
    erased: int | None = None
    """The sequence of the command that erased the lists."""


class ApartRow(Table, table=True):
    """Two players whom the organizer keeps apart."""

    __tablename__ = "apart"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    one: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """The smaller number."""
    other: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    since: int
    """The sequence of the command."""


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
        Index("ix_seat_first", "event_id", "round", "first"),
        Index("ix_seat_second", "event_id", "round", "second"),
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


# --- series: streams of their own, each with its log ------------------------------------------------------------------


class SeriesRow(Table, table=True):
    """Points over several events."""

    __tablename__ = "series"

    id: str = Field(primary_key=True)
    """`s-` and letters; no event has such an id, so both may be keys of one log."""
    version: int
    head: str
    phase: str = ""
    """A series has none."""
    published: bool = False
    name: str
    description: str = Field(default="", sa_type=Text)
    game: str | None = None
    """Of all its events; None: of any."""
    scheme: str = Field(sa_type=Text)
    """How points are given: canonical JSON of `service.series.Points`."""
    archived: bool = False
    words: str = Field(default="", sa_type=Text)
    """The name, folded, to be searched."""
    created_at: str


class SeriesStaffRow(Table, table=True):
    """Somebody who organizes a series."""

    __tablename__ = "series_staff"
    __table_args__ = (ForeignKeyConstraint(["series_id"], ["series.id"]), Index("ix_series_staff_account", "account"))

    series_id: str = Field(primary_key=True)
    account: str = Field(primary_key=True)
    granted: int
    """The sequence of the command that made it so."""


class SeriesEventRow(Table, table=True):
    """An event of a series."""

    __tablename__ = "series_event"
    __table_args__ = (ForeignKeyConstraint(["series_id"], ["series.id"]), Index("ix_series_event_event_id", "event_id"))

    series_id: str = Field(primary_key=True)
    event_id: str = Field(primary_key=True)
    """Not a foreign key: the event has a log of its own, and its rows may be derived again at any time."""
    multiplier: str
    """An exact fraction, such as `3/2`."""
    put: int
    """The sequence of the command that put it in."""


class SeriesPersonRow(Table, table=True):
    """What an organizer said of two entries: that they are one person, or that they are not."""

    __tablename__ = "series_person"
    __table_args__ = (ForeignKeyConstraint(["series_id"], ["series.id"]),)

    series_id: str = Field(primary_key=True)
    first_event: str = Field(primary_key=True)
    first_entry: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    second_event: str = Field(primary_key=True)
    """The first and the second are in order."""
    second_entry: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    same: bool
    said: int
    """The sequence of the command that said it."""


SERIES_PROJECTION: Final[tuple[type[Table], ...]] = (SeriesRow, SeriesStaffRow, SeriesEventRow, SeriesPersonRow)
"""What the log of a series gives again, parents first."""


# --- what players say of their tables, and what judges do -------------------------------------------------------------


class ClaimRow(Table, table=True):
    """What a player says a table came to. It is open while the same two sit there and the table has no result."""

    __tablename__ = "claim"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    round: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    entry: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Whose claim it is; a player has one a round."""
    table_number: int
    first: int
    second: int
    """The two at the table when it was made: no claim counts for a table that was paired anew."""
    games_first: int
    games_second: int
    drawn: int
    ending: str
    claimed: int
    """The sequence of the command that it is from; the claim's number."""
    at: str


class CallRow(Table, table=True):
    """Somebody calls a judge to a table."""

    __tablename__ = "judge_call"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    round: int
    table_number: int
    entry: int | None = None
    """None: staff called."""
    topic: str
    called: int
    """The sequence of the command that said so; `taken` likewise."""
    called_at: str
    taken: int | None = None
    taken_by: str | None = None
    taken_at: str | None = None
    closed_by: str | None = None
    closed_at: str | None = None
    ruling: str = Field(default="", sa_type=Text)
    minutes: int | None = None
    """Of time extension that the table is due; None while it is not closed, or if it was withdrawn."""


class PenaltyRow(Table, table=True):
    """A penalty. It is corrected or withdrawn, never deleted."""

    __tablename__ = "penalty"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]), Index("ix_penalty_entry", "event_id", "entry"))

    event_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    entry: int
    round: int
    table_number: int | None = None
    code: str
    """Of the infraction; empty if a judge named it in words of their own."""
    infraction: str
    level: str
    text: str = Field(sa_type=Text)
    deck_check: int | None = None
    """The deck check that it came out of."""
    given: int
    given_by: str
    given_at: str
    applied: int | None = None
    """The sequence of the command that put it into a result, or the player out; None: it changed nothing (yet)."""
    corrected: int | None = None
    """The sequence of the last correction."""
    withdrawn: int | None = None
    """The sequence of the withdrawal."""
    why_withdrawn: str = Field(default="", sa_type=Text)


class DeckDrawRow(Table, table=True):
    """Tables of a round were drawn for deck checks, so that anybody can draw them again."""

    __tablename__ = "deck_draw"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    sequence: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Of the command."""
    round: int
    asked: int
    """How many tables."""
    top: int | None = None
    among: str | None = Field(default=None, sa_type=Text)
    """A JSON list of the tables that were in; None: all of the round but `without`."""
    without: str = Field(sa_type=Text)
    """A JSON list of the tables that were passed over."""
    tables: str = Field(sa_type=Text)
    """A JSON list of the tables drawn, in the order of their lots."""


class DeckCheckRow(Table, table=True):
    """A table whose decks are checked."""

    __tablename__ = "deck_check"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    round: int
    table_number: int
    first: int
    second: int
    drawn: int | None = None
    """The sequence of the draw; None: a judge chose the table."""
    why: str = Field(default="", sa_type=Text)
    """Why a judge chose it, or why it was called off."""
    started: int | None = None
    """The sequence of the command."""
    started_by: str | None = None
    started_at: str | None = None
    finished_by: str | None = None
    finished_at: str | None = None
    result: str | None = None
    """None while it is not finished."""
    text: str = Field(default="", sa_type=Text)
    minutes: int | None = None
    """Of time extension that the table is due."""


class NoteRow(Table, table=True):
    """What a judge's note is about: a player, a table, or the event."""

    __tablename__ = "note"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]), Index("ix_note_entry", "event_id", "entry"))

    event_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    entry: int | None = None
    round: int | None = None
    table_number: int | None = None


class NoteTextRow(Table, table=True):
    """What a note says, or said before it was amended."""

    __tablename__ = "note_text"
    __table_args__ = (ForeignKeyConstraint(["event_id", "note"], ["note.event_id", "note.number"]),)

    event_id: str = Field(primary_key=True)
    note: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    revision: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """From 1."""
    text: str = Field(sa_type=Text)
    by: str
    at: str
    reason: str = Field(default="", sa_type=Text)


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


PROJECTION: Final[tuple[type[Table], ...]] = (
    EventRow,
    StaffRow,
    InvitationRow,
    AcceptanceRow,
    EntryRow,
    DeckRow,
    ApartRow,
    RoundRow,
    SeatRow,
    TableChangeRow,
    BracketRow,
    SeedRow,
    BracketLineRow,
    ClaimRow,
    CallRow,
    PenaltyRow,
    DeckDrawRow,
    DeckCheckRow,
    NoteRow,
    NoteTextRow,
    WebhookRow,
)
"""What the log gives again, parents first."""


# --- what is kept beside the log --------------------------------------------------------------------------------------


class SealedRow(Table, table=True):
    """A text that the log must not have, because a log is published and never erased. A fact names its digest."""

    __tablename__ = "sealed"

    event_id: str = Field(primary_key=True)
    digest: str = Field(primary_key=True)
    salt: str = Field(sa_type=Text)
    """So that nobody finds the text by guessing. Empty, like the text, once it is erased: the digest tells nothing."""
    text: str = Field(sa_type=Text)


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
