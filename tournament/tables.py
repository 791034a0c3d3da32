"""The tables of the database: rows, not objects with behaviour.

Two kinds. What happened: `log`, one row for each accepted command, append-only. What is so: everything in `PROJECTION`,
which the log alone gives again, and only the effect of a command writes. Beside them `sealed` has what the log names
only the digest of. Accounts, tokens and the like belong to no event, so they are in no event's log.

Every key of an event's table starts with the event's id, so an event is the unit in which data can be spread over
machines. Enums and times are texts (`2026-01-31T09:30:00.000000Z`, always UTC), so both databases sort them alike.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from sqlalchemy import BigInteger, ForeignKeyConstraint, Index, MetaData, Text, UniqueConstraint, text
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


class OfSeveral:
    """A row about those who sit at one table: two of them, or at a table of several up to six."""

    CHAIRS: ClassVar[tuple[str, ...]] = ("first", "second", "third", "fourth", "fifth", "sixth")
    """Columns with the numbers of the players."""

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of everybody there."""
        there = (getattr(self, chair) for chair in self.CHAIRS)
        return tuple(player for player in there if player is not None)

    @property
    def others(self) -> list[int]:
        """Everybody after the second; nobody at a table of two."""
        return list(self.players[2:])


def chairs(others: Sequence[int]) -> dict[str, Any]:
    """The columns of everybody after the second."""
    return dict(zip(OfSeveral.CHAIRS[2:], others, strict=False))


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


class ChallengeRow(Table, table=True):
    """A text that a wallet is asked to sign. It is gone once it is answered, or too old to be."""

    __tablename__ = "challenge"

    nonce: str = Field(primary_key=True)
    event_id: str
    purpose: str
    """A `challenges.Purpose`."""
    entry: int | None = None
    """Who asked for it; None: somebody who signs in."""
    text: str = Field(sa_type=Text)
    """As the wallet shows it, byte for byte."""
    shares: str = Field(default="", sa_type=Text)
    """What a split says; JSON."""
    forgotten_at: str = Field(index=True)


class PlayerBrowserRow(Table, table=True):
    """A browser that is signed in as an entry by one of its wallets; it is not any more once the wallet is unlinked."""

    __tablename__ = "player_browser"

    digest: str = Field(primary_key=True)
    """SHA-256 of what the browser's cookie holds."""
    event_id: str
    entry: int
    commitment: str
    """Of the wallet."""
    expires_at: str


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
    # Ownership of cards.
    ownership: str = "none"
    """Whether players prove that they own their cards: an `Ownership`."""
    collection: str | None = None
    """Address of the card contract; None: the server's usual one."""
    chain_id: int | None = Field(default=None, sa_type=BigInteger)
    code_hash: str | None = None
    if_short: str = "flag"
    """What becomes of who is short: an `IfShort`."""
    ownership_at: str | None = None
    """Epoch 1 is in the first block from then on; None: `check_in_minutes` before the start."""
    check_in_minutes: int = 60
    block_depth: int | None = None
    """Blocks on top of one that is read; None: it is finalized."""
    quorum: int | None = None
    """Endpoints that must agree; None: more than half."""
    manifest_id: str = ""
    """`event_id` of the manifest, which is fixed when registration opens; empty before, and where none is required."""


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


class WalletRow(Table, table=True):
    """A wallet that serves an entry, or a vault that vouches for one of them. Addresses are kept in `sealed`."""

    __tablename__ = "wallet"
    __table_args__ = (
        ForeignKeyConstraint(["event_id", "entry"], ["entry.event_id", "entry.number"]),
        Index(
            "uq_wallet_whole",
            "event_id",
            "commitment",
            unique=True,
            sqlite_where=text("share IS NULL"),
            postgresql_where=text("share IS NULL"),
        ),
    )

    event_id: str = Field(primary_key=True)
    entry: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    commitment: str = Field(primary_key=True)
    """Of the address: Keccak-256 of a salt and its EIP-55 form; the digest under which `sealed` has it."""
    linked: int
    """The sequence of the command."""
    vouches_for: str | None = None
    """Of a vault: the commitment of the entry's wallet to which it delegates. None: the player controls this one."""
    share: str | None = None
    """Of a wallet that serves several entries: the digest under which `sealed` has what of it is this entry's, as JSON
    from token id to units. None: all of it."""
    proof: str | None = None
    """The digest under which `sealed` has the text that the wallet answered, and its answer. None: a vault answers
    none."""
    signs_in: bool = True
    """Whether who controls it signs in as the entry: not by a vault, nor by what another entry shares."""
    level: str | None = None
    """Of a vault: how much it vouched for when it was named, a `verifier.delegation.Level`."""
    place: int = 0
    """Of a share: when it is served, as the wallet signed it."""


class ManifestRow(Table, table=True):
    """What an event promised about ownership when registration opened."""

    __tablename__ = "manifest"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    fixed: int
    """The sequence of the command."""
    text: str = Field(sa_type=Text)
    """Canonical JSON (`verifier.manifest`); the event's `manifest_id` is its hash."""


class EpochRow(Table, table=True):
    """A block at which the cards of all players are looked at together."""

    __tablename__ = "epoch"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """From 1."""
    round: int
    """The round that it opens; 0 for epoch 1, which opens the event. The cut is the round after the last one."""
    opens_at: int = Field(sa_type=BigInteger)
    """Seconds since 1970: it is about the first block from then on."""
    opened: int
    """The sequence of the command that said so."""
    read: int | None = None
    """The sequence of the command that read it first; None: not yet."""
    block_number: int | None = Field(default=None, sa_type=BigInteger)
    block_hash: str | None = None
    block_time: int | None = Field(default=None, sa_type=BigInteger)
    """Seconds since 1970."""
    trouble: str = Field(default="", sa_type=Text)
    """Why the last attempt came to nothing; empty after one that did not."""
    overridden: int | None = None
    """The sequence of the command by which a judge lets everybody play who is undetermined in it."""
    voided: int = 0
    """How often its block left the chain, so that it had to be read anew."""
    cut_round: int | None = None
    """Of the cut, from 2, if it opens a later round of it than the first; None: it opens `round`."""


class VerdictRow(Table, table=True):
    """Whether a player's wallets hold what the list needs, at an epoch. Not there: nobody has looked yet."""

    __tablename__ = "verdict"
    __table_args__ = (
        ForeignKeyConstraint(["event_id", "epoch"], ["epoch.event_id", "epoch.number"]),
        Index("ix_verdict_entry", "event_id", "entry"),
    )

    event_id: str = Field(primary_key=True)
    epoch: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    entry: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    outcome: str
    """`covered`, `short` or `undetermined`."""
    cause: str = ""
    """Why it is undetermined."""
    judged: int
    """The sequence of the command."""
    basis: str = ""
    """Digest of what it rests on: the list and the wallets. With others the player was not looked at."""
    overridden: int | None = None
    """The sequence of the command by which a judge lets the player play all the same."""


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
    """How it was paired: `swiss`, `fold` (by seeds), `round-robin`, `pods` (tables of several)."""
    certificate: str | None = Field(default=None, sa_type=Text)
    """Why the round is as it was paired, without the draw; JSON. None where nothing is minimised."""
    paired: int | None = None
    """The sequence of the command that paired it; None for a round of elsewhere."""
    seeds: str | None = Field(default=None, sa_type=Text)
    """By which it was folded; JSON."""
    length_s: int | None = None
    """Of the round's clock, with everything added and taken away; None: no clock."""
    started_at: str | None = None
    paused_at: str | None = None
    """None while the clock runs, or has not begun."""
    paused_s: int = 0
    """How long the clock stood still in all the pauses that are over."""
    epoch: int | None = None
    """The epoch that opened it, if it was published after one."""


class SeatRow(OfSeveral, Table, table=True):
    """A table of a round with its players and its result, or a bye."""

    __tablename__ = "seat"
    __table_args__ = (
        ForeignKeyConstraint(["event_id", "round"], ["round.event_id", "round.number"]),
        UniqueConstraint("event_id", "round", "table_number"),
        Index("ix_seat_first", "event_id", "round", "first"),
        Index("ix_seat_second", "event_id", "round", "second"),
        *(
            Index(f"ix_seat_{chair}", "event_id", "round", chair, sqlite_where=there, postgresql_where=there)
            for chair in OfSeveral.CHAIRS[2:]
            for there in (text(f"{chair} IS NOT NULL"),)
        ),
    )

    event_id: str = Field(primary_key=True)
    round: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    place: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """From 1, in the order in which the round was paired."""
    first: int
    """The number of the first player, or of the bye's holder."""
    second: int | None = None
    third: int | None = None
    """Of a table of several, which has at least three; None for a table of two."""
    fourth: int | None = None
    fifth: int | None = None
    sixth: int | None = None
    table_number: int | None = None
    """None for a bye."""
    bye: str | None = None
    """The kind of bye; None for a table."""
    games_first: int | None = None
    games_second: int | None = None
    drawn: int | None = None
    placing: str | None = None
    """Of a table of several, in the place of games: the players by their places, JSON; `[]` where everybody lost."""
    ending: str | None = None
    """None while the table has no result."""
    reported: int | None = None
    """The sequence of the command that the result is from."""
    extra_minutes: int = 0
    """Of this table, after the end of the round's clock."""
    stood: bool = False
    """Was played, or being played, when other tables of the round were changed."""


class FormerResultRow(Table, table=True):
    """A result that was corrected after a later round was paired by it."""

    __tablename__ = "former_result"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    round: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    table_number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    until: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """The sequence of the command that put another in its place."""
    games_first: int | None = None
    games_second: int | None = None
    drawn: int | None = None
    placing: str | None = None
    """As of a seat."""
    ending: str


class FormerApartRow(Table, table=True):
    """Two players who were kept apart while a round was paired, and are no longer."""

    __tablename__ = "former_apart"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    one: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """The smaller number."""
    other: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    until: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """The sequence of the command that parted them no more."""
    since: int


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
    """The first two at the table when it was made: no claim counts for a table that was paired anew."""
    games_first: int | None = None
    games_second: int | None = None
    drawn: int | None = None
    placing: str | None = None
    """As of a seat. It names everybody, so it counts only while they all sit there."""
    ending: str
    claimed: int
    """The sequence of the command that it is from; the claim's number."""
    at: str


class CallRow(OfSeveral, Table, table=True):
    """Somebody calls a judge to a table."""

    __tablename__ = "judge_call"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    round: int
    table_number: int
    match_id: str | None = None
    """Of the cut; None: a table of a round."""
    first: int | None = None
    """Who plays there; None in the log of an older program. Likewise `second`."""
    second: int | None = None
    third: int | None = None
    """Of a table of several; likewise those below."""
    fourth: int | None = None
    fifth: int | None = None
    sixth: int | None = None
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


class DeckCheckRow(OfSeveral, Table, table=True):
    """A table whose decks are checked."""

    __tablename__ = "deck_check"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    round: int
    table_number: int
    first: int
    second: int
    third: int | None = None
    """Of a table of several; likewise those below."""
    fourth: int | None = None
    fifth: int | None = None
    sixth: int | None = None
    match_id: str | None = None
    """Of the cut; None: a table of a round."""
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
    epoch: int | None = None
    """The epoch that opened it, if it was started after one."""


class SeedRow(Table, table=True):
    """A place of the cut."""

    __tablename__ = "seed"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["bracket.event_id"]),)

    event_id: str = Field(primary_key=True)
    seed: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """1 is the best."""
    entry: int


class CutRoundRow(Table, table=True):
    """A round of the cut that was begun after an epoch; the first one begins with the cut, and has no row."""

    __tablename__ = "cut_round"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["bracket.event_id"]),)

    event_id: str = Field(primary_key=True)
    round: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """From 2; as `bracket_plan.cut_rounds` counts."""
    epoch: int | None = None
    """That opened it; None: it was begun without one."""


class CutRoundPlayerRow(Table, table=True):
    """A player with whom a round of the cut was begun."""

    __tablename__ = "cut_round_player"
    __table_args__ = (ForeignKeyConstraint(["event_id", "round"], ["cut_round.event_id", "cut_round.round"]),)

    event_id: str = Field(primary_key=True)
    round: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    entry: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})


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


class MatchClockRow(Table, table=True):
    """The clock of a match of the cut, or more time for one without."""

    __tablename__ = "match_clock"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["bracket.event_id"]),)

    event_id: str = Field(primary_key=True)
    match_id: str = Field(primary_key=True)
    first: int
    second: int
    """The two whom it is for: after a correction others may play the match."""
    length_s: int | None = None
    """Of the clock, with everything added and taken away; None: no clock."""
    started_at: str | None = None
    paused_at: str | None = None
    """None while the clock runs, or has not begun."""
    paused_s: int = 0
    """How long the clock stood still in all the pauses that are over."""
    extra_minutes: int = 0
    """After the end of the clock."""


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


# --- passes, and who came in by them ----------------------------------------------------------------------------------


class PassBookRow(Table, table=True):
    """That an event gives passes: what it promised of them, and which of its keys signs."""

    __tablename__ = "pass_book"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    opened: int
    """The sequence of the command."""
    terms: str = Field(sa_type=Text)
    """As `verifier.passes.parse_terms` reads them: the manifest, or the keys alone."""
    key: int = 1
    """Which of its keys signs now; from 1."""
    former_until: str = Field(default="[]", sa_type=Text)
    """For each key before it the last second in which its passes count; a JSON list."""


class PassRow(Table, table=True):
    """A pass that was made. Its signature is made again whenever somebody looks; it is the same each time."""

    __tablename__ = "deck_pass"
    __table_args__ = (
        ForeignKeyConstraint(["event_id", "entry"], ["entry.event_id", "entry.number"]),
        Index("ix_deck_pass_entry", "event_id", "entry"),
    )

    event_id: str = Field(primary_key=True)
    serial: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    """From 1; no number is given twice."""
    entry: int
    policy: int
    """What was found of the deck's ownership: a `verifier.passes.Ownership`."""
    epoch: int | None = None
    """The epoch by which that was found; None where nothing was looked at."""
    block: int = Field(default=0, sa_type=BigInteger)
    block_hash: str = ""
    """64 hex digits; empty where nothing was looked at."""
    deck: str | None = None
    """The commitment of the list; None where the player plays without one."""
    holder_key: str | None = None
    """64 hex digits: x of the key of the player's device; None: bound to none."""
    key: int
    """Which of the event's keys signed it; from 1."""
    issued: int
    """The sequence of the command."""
    issued_at: int = Field(sa_type=BigInteger)
    """Seconds since 1970; `not_after` likewise."""
    not_after: int = Field(sa_type=BigInteger)
    digest: str
    """64 hex digits: what was signed."""
    revoked: int | None = None
    """The sequence of the command that made it worthless."""
    revoked_at: int | None = Field(default=None, sa_type=BigInteger)
    """Seconds since 1970."""
    why_revoked: str = Field(default="", sa_type=Text)


class PassDeskRow(Table, table=True):
    """A desk that lets players in without a network."""

    __tablename__ = "pass_desk"
    __table_args__ = (ForeignKeyConstraint(["event_id"], ["event.id"]),)

    event_id: str = Field(primary_key=True)
    address: str = Field(primary_key=True)
    """Of its key, with its checksum."""
    name: str
    enrolled: int
    """The sequence of the command."""
    enrolled_by: str
    enrolled_at: str


class ScanRow(Table, table=True):
    """A player was let in by a pass: by the server, or by a desk without a network that told it later."""

    __tablename__ = "scan"
    __table_args__ = (
        ForeignKeyConstraint(["event_id"], ["event.id"]),
        Index("ix_scan_entry", "event_id", "entry"),
        Index("ix_scan_desk", "event_id", "desk"),
    )

    event_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """From 1, in the order in which the server heard of them."""
    entry: int | None = None
    """Whose pass it was; None: this server has made no such pass."""
    serial: int = Field(sa_type=BigInteger)
    deck_pass: str
    """64 hex digits: the digest of the pass."""
    tag: str | None = None
    """32 hex digits, where the pass is none of this server's; else it follows from the entry."""
    scanned_at: int = Field(sa_type=BigInteger)
    """Seconds since 1970, by the clock of the desk."""
    desk: str | None = None
    """The address of the desk; None: nobody has said."""
    by: str
    """Who scanned it, or told of the scan."""
    counter: int | None = Field(default=None, sa_type=BigInteger)
    """Of the desk's own ledger; None: the server let the player in. Likewise `previous`, `digest` and `signature`."""
    previous: str | None = None
    digest: str | None = None
    signature: str | None = None
    heard: int
    """The sequence of the command."""
    doubt: str = ""
    """Why staff have to look at it though it is the only one: a `Doubt`; empty where nothing is strange."""
    settled: int | None = None
    """The sequence of the command by which staff said what it was about."""


PROJECTION: Final[tuple[type[Table], ...]] = (
    EventRow,
    StaffRow,
    InvitationRow,
    AcceptanceRow,
    EntryRow,
    DeckRow,
    WalletRow,
    ManifestRow,
    EpochRow,
    VerdictRow,
    ApartRow,
    RoundRow,
    SeatRow,
    FormerResultRow,
    FormerApartRow,
    TableChangeRow,
    BracketRow,
    SeedRow,
    CutRoundRow,
    CutRoundPlayerRow,
    BracketLineRow,
    MatchClockRow,
    ClaimRow,
    CallRow,
    PenaltyRow,
    DeckDrawRow,
    DeckCheckRow,
    NoteRow,
    NoteTextRow,
    WebhookRow,
    PassBookRow,
    PassRow,
    PassDeskRow,
    ScanRow,
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


class PassSecretRow(Table, table=True):
    """A secret of an event's passes: one of its keys, or what player tags are made with."""

    __tablename__ = "pass_secret"

    event_id: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    """The address of the key, or `tags`."""
    encrypted: str
    """32 bytes in hex digits, encrypted with a key from the server's secret."""


# What wallets hold is in no log either: it says a lot about a person, and has to be erasable. What an epoch's fact says
# of it is a digest of the answers, which `sealed` has; the rows here are worked out from those and the lists.


class KnownWalletRow(Table, table=True):
    """The commitment by which an event knows a wallet: one for each wallet, so none can serve two entries unseen."""

    __tablename__ = "known_wallet"

    event_id: str = Field(primary_key=True)
    address: str = Field(primary_key=True)
    """In EIP-55 form."""
    commitment: str


class HoldingRow(Table, table=True):
    """What a wallet held at an epoch, of the token ids that somebody needs of it."""

    __tablename__ = "holding"

    event_id: str = Field(primary_key=True)
    wallet: str = Field(primary_key=True)
    epoch: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    token_ids: str = Field(sa_type=Text)
    """With blanks between, like what runs parallel to them:"""
    units: str = Field(sa_type=Text)
    least: str = Field(sa_type=Text)
    """The least of all epochs until this one: what can be counted."""


class AllocationRow(Table, table=True):
    """Units of a wallet that are set aside for an entry, since the newest epoch; no other event may count them."""

    __tablename__ = "allocation"
    __table_args__ = (Index("ix_allocation_wallet", "wallet"),)

    event_id: str = Field(primary_key=True)
    entry: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    wallet: str = Field(primary_key=True)
    collection: str
    """Chain id and address, with a blank between."""
    units: str = Field(sa_type=Text)
    """`65610:2 65611:1`, by token id."""
    since: int = Field(sa_type=BigInteger)
    """Seconds since 1970: when the event first set units of this wallet aside."""


class ShortfallRow(Table, table=True):
    """What an entry lacked at an epoch."""

    __tablename__ = "shortfall"

    event_id: str = Field(primary_key=True)
    epoch: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    entry: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    text: str = Field(sa_type=Text)
    """Needs with what is missing and where it was; JSON."""


class DepartureRow(Table, table=True):
    """Units that left a wallet in which they are set aside, as the collection's logs say: a hint, and no verdict."""

    __tablename__ = "departure"
    __table_args__ = (Index("ix_departure_entry", "event_id", "entry"),)

    event_id: str = Field(primary_key=True)
    block: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    log: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Its place in the block."""
    wallet: str = Field(primary_key=True)
    token_id: str = Field(primary_key=True)
    entry: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """For whom units were set aside there."""
    units: str
    """That left; more than were set aside, perhaps."""
    transaction: str
    seen_at: str


class DiscrepancyRow(Table, table=True):
    """A wallet of which balances and logs do not agree between the epoch before and this one: a finding."""

    __tablename__ = "discrepancy"

    event_id: str = Field(primary_key=True)
    epoch: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    wallet: str = Field(primary_key=True)
    token_id: str = Field(primary_key=True)
    words: str = Field(sa_type=Text)


class LookoutRow(Table, table=True):
    """How far the collection's logs were looked through for an event while it goes on."""

    __tablename__ = "lookout"

    event_id: str = Field(primary_key=True)
    block_number: int | None = Field(default=None, sa_type=BigInteger)
    """None: from the newest epoch's block on."""
    block_hash: str | None = None
    block_time: int | None = Field(default=None, sa_type=BigInteger)
    looked_at: str = ""
    trouble: str = Field(default="", sa_type=Text)
    """Why the last look came to nothing; empty after one that did not."""
    leased_by: str | None = None
    """The lookout that is at it now."""
    leased_until: str = ""


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
