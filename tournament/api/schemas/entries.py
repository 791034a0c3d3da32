"""Documents of entries, their codes and check-in."""

from dataclasses import asdict
from typing import Any

from pydantic import Field

from tournament.api.schemas.document import Document, Receipt
from tournament.domain.announcement import Decklist
from tournament.service.entries import Added
from tournament.service.rosters import Foreseen, Player
from tournament.tables import DeckRow, EntryRow


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
    waiting: bool = Field(description="for a place")
    checked_in: bool
    merged_into: int | None = Field(description="the entry of the same person that this one became part of")
    erased: bool = Field(description="what the entry said of the player was erased on request")
    deck: str | None = Field(
        description="the commitment to the legal list that was handed in: Keccak-256 of a salt and its canonical form; "
        "list and salt are told when lists are opened"
    )

    @classmethod
    def of(cls, row: EntryRow, deck: DeckRow | None) -> "Entry":
        """An entry as everybody may see it."""
        told = row.model_dump(exclude={"event_id", "code", "waiting", "checked_in", "erased"})
        return cls(
            waiting=row.waiting is not None,
            checked_in=row.checked_in is not None,
            erased=row.erased is not None,
            deck=None if deck is None else deck.commitment,
            **told,
        )


class Named(Document):
    """An entry and whose it is."""

    number: int = Field(examples=[17])
    name: str = Field(examples=["Ann Example"])

    @classmethod
    def of(cls, row: EntryRow) -> "Named":
        """An entry in short."""
        return cls(number=row.number, name=row.name)


class Entries(Document):
    """A page of entries."""

    entries: list[Entry]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class Mine(Document):
    """What a player sees of the own entry."""

    entry: Entry
    place_in_line: int | None = Field(description="from 1, for who waits; null for who does not")
    has_draft: bool = Field(description="a list was handed in that is not legal, and does not count")
    is_unlocked: bool = Field(description="a judge lets you change your list after the lock")
    is_waived: bool = Field(description="you may play without a legal list")
    decklist: Decklist = Field(description="whether the event asks for a list")
    decks_until: str | None = Field(description="when lists are locked; null: when registration closes")


class RegisteredBeside(Document):
    """What the answer to a registration tells beside the receipt."""

    entry: int = Field(examples=[17])
    waiting: bool = Field(description="for a place")
    code: str = Field(description="what stands on paper", examples=["7KQ2-M4XA-09ZT"])
    token: str = Field(description="to be sent as `Authorization: Bearer …`", examples=["dpe_k3v7qzj2m5xa_17_7KQ2-…"])


class Registered(RegisteredBeside):
    """You are in, or wait for a place. Keep the code: whoever has it acts for you."""

    receipt: Receipt[Added]


class EntryCode(Document):
    """What a player acts with."""

    entry: int = Field(examples=[17])
    name: str = Field(examples=["Ann Example"])
    code: str = Field(examples=["7KQ2-M4XA-09ZT"])
    token: str = Field(examples=["dpe_k3v7qzj2m5xa_17_7KQ2-…"])


class EntryCodes(Document):
    """A page of codes, to be printed."""

    codes: list[EntryCode]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class Alike(Document):
    """Entries that may be of one person: their names are the same but for case, spaces and the like."""

    groups: list[list[Named]]


class CheckIn(Document):
    """Who is here, and what `seat-all` would do now."""

    entered: int = Field(description="players with a place")
    checked_in: int = Field(description="of them")
    waiting: int = Field(description="players who wait for a place")
    waiting_here: int = Field(description="of them, who are checked in")
    absent: list[Named] = Field(description="who would be dropped")
    promoted: list[Named] = Field(description="who would get a place")
    without_list: list[Named] = Field(
        description="who has no legal list, if the event requires one, and would be dropped with `without_list`"
    )


class ForeseenPlayer(Document):
    """A player of a roster who would be entered."""

    number: int = Field(examples=[17])
    name: str = Field(examples=["Ann Example"])
    fixed_table: int | None
    awarded_byes: int
    waiting: bool = Field(description="for a place")
    alike: int | None = Field(description="another number with the same name but for case, spaces and the like")


class RosterFault(Document):
    """Something wrong in a roster."""

    line: int = Field(description="from 1, the header; 0: the whole table")
    column: str = Field(description="empty where the fault is the whole line's")
    problem: str


class RosterPreview(Document):
    """What entering a roster would come to."""

    players: list[ForeseenPlayer] = Field(description="whose lines can be read; with faults nobody is entered")
    apart: int = Field(description="pairs that would be kept apart")
    faults: list[RosterFault]

    @classmethod
    def of(cls, foreseen: Foreseen) -> "RosterPreview":
        """What the service foresees."""
        said = foreseen.imported
        alike = dict(said.alike)
        return cls(
            players=[
                ForeseenPlayer(number=number, waiting=at >= said.places, alike=alike.get(number), **_all_fields(player))
                for at, (number, player) in enumerate(enumerate(said.players, start=said.first))
            ],
            apart=len(said.apart),
            faults=[RosterFault(**asdict(fault)) for fault in foreseen.faults],
        )


def _all_fields(player: Player) -> dict[str, Any]:
    return {name: getattr(player, name) for name in ("name", "fixed_table", "awarded_byes")}


class ApartPair(Document):
    """Two players who are kept apart."""

    one: int
    other: int


class ApartPairs(Document):
    """Everybody who is kept apart from somebody."""

    pairs: list[ApartPair]


class Somebody(Document):
    """A player by number and name."""

    number: int = Field(examples=[17])
    name: str = Field(examples=["Ann Example"])
