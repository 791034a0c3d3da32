"""Documents of passes, desks and scans."""

from typing import Any

from pydantic import Field

from tournament import store
from tournament.api.schemas.document import Document, Receipt, clock
from tournament.service.pass_books import Book
from tournament.service.pass_desks import DeskSeen
from tournament.service.passes import Issued, Standing, standing
from tournament.service.scans import Doubt, Scanned
from tournament.tables import EntryRow, PassRow, ScanRow
from verifier.passes import Ownership, Shown, SignedPass, write_payload


class PassKey(Document):
    """A key that signs passes of an event."""

    number: int = Field(description="from 1, in the order of their use")
    address: str = Field(examples=["0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1"])
    until: str | None = Field(description="the last second in which its passes count; null: no end is set")
    in_use: bool


class PassKeys(Document):
    """What an event promised of its passes, and which key signs now."""

    event_id: str = Field(description="Keccak-256 of `terms`; it is in each pass")
    chain_id: int = Field(description="0 where no chain is asked")
    terms: str = Field(description="the manifest, or the keys alone, byte for byte")
    keys: list[PassKey]

    @classmethod
    def of(cls, book: Book) -> "PassKeys":
        """As everybody may see them."""
        keys = [
            PassKey(
                number=number,
                address=key.address,
                until=None if key.until is None else clock(key.until),
                in_use=number == book.row.key,
            )
            for number, key in enumerate(book.keys, start=1)
        ]
        return cls(
            event_id="0x" + book.terms.event_id.hex(), chain_id=book.terms.chain_id, terms=book.row.terms, keys=keys
        )


class RevocationList(Document):
    """Which passes and keys count no more, signed with the key that is in use (docs/guide/passes.md)."""

    eventId: str  # noqa: N815 - as it is signed
    asOf: int = Field(description="seconds since 1970: now")  # noqa: N815
    formerUntil: list[int]  # noqa: N815
    serials: list[int]
    signature: str


class PassLine(Document):
    """A pass, without what a scanner reads."""

    entry: int = Field(examples=[17])
    name: str = Field(examples=["Ann Example"])
    serial: int
    standing: Standing = Field(description="its time aside")
    ownership: str = Field(examples=["every copy covered"])
    epoch: int | None
    bound: bool = Field(description="to a device of the player")
    issued_at: str
    not_after: str

    @classmethod
    def of(cls, one: store.PassOf) -> "PassLine":
        """As the desk sees it."""
        return cls(entry=one.entry.number, name=one.entry.name, standing=standing(one), **_said(one.row))


class PassPage(Document):
    """A page of passes that were not revoked."""

    passes: list[PassLine]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class EntryPass(PassLine):
    """A pass with what a scanner reads. Whoever has an unbound one comes in under the player's name."""

    text: str = Field(
        description="of the QR code, in alphanumeric mode; blanks are letters", examples=["V50X507H0QS00+0J61%H1CT1V+…"]
    )

    @classmethod
    def with_text(cls, one: store.PassOf, signed: SignedPass) -> "EntryPass":
        """For the player, and who prints it."""
        return cls(text=write_payload(Shown(signed)), **PassLine.of(one).model_dump())


class IssuedBeside(Document):
    """What the answer to a pass that is made tells beside the receipt."""

    entry_pass: EntryPass


class IssuedPass(IssuedBeside):
    """A pass, and the receipt of the command that made it."""

    receipt: Receipt[Issued]


class ScannedBeside(Document):
    """What a desk sees of a pass that is good."""

    name: str = Field(examples=["Ann Example"])
    ownership: str = Field(examples=["every copy covered"])
    bound: bool = Field(description="false: compare the name with a document")


class CameIn(ScannedBeside):
    """A player came in."""

    receipt: Receipt[Scanned]


class ExpectedPlayer(Document):
    """A player whom a desk may see."""

    tag: str = Field(examples=["0x668d9ba9e6f01fd77576a6e96ca67b0c"])
    number: int
    name: str


class UsedPass(Document):
    """A player who came in."""

    tag: str
    serial: int
    at: int
    where: str


class DeskSheet(Document):
    """What a desk needs to work without a network. It has no wallets and no lists."""

    format: str
    version: int
    event: str
    terms: str
    revocations: RevocationList
    players: list[ExpectedPlayer]
    used: list[UsedPass]


class PassDesk(Document):
    """A desk that lets players in without a network."""

    address: str
    name: str = Field(examples=["north door"])
    enrolled_by: str
    enrolled_at: str
    scans: int = Field(description="that were heard of")
    highest: int = Field(description="counter of its last scan that was heard of")
    last_at: str | None = Field(description="when that was, by its own clock")
    faults: list[str] = Field(description="what an honest desk's scans do not have")

    @classmethod
    def of(cls, seen: DeskSeen) -> "PassDesk":
        """As the desk's people see it."""
        tally = seen.tally
        return cls(
            address=seen.row.address,
            name=seen.row.name,
            enrolled_by=seen.row.enrolled_by,
            enrolled_at=seen.row.enrolled_at,
            scans=tally.scans if tally else 0,
            highest=tally.highest if tally else 0,
            last_at=clock(tally.last_at) if tally else None,
            faults=list(map(str, seen.faults)),
        )


class PassDesks(Document):
    """The desks of an event."""

    desks: list[PassDesk]


class ScanLine(Document):
    """A player was let in by a pass."""

    number: int
    entry: int | None = Field(description="null: this server has made no such pass")
    serial: int
    scanned_at: str = Field(description="by the clock of the desk")
    desk: str | None = Field(description="what it is called; null: nobody has said")
    by: str = Field(description="who scanned it, or told of the scan")
    doubt: Doubt
    is_settled: bool

    @classmethod
    def of(cls, row: ScanRow, desks: dict[str, str]) -> "ScanLine":
        """As the desk's people see it."""
        return cls(
            number=row.number,
            entry=row.entry,
            serial=row.serial,
            scanned_at=clock(row.scanned_at),
            desk=None if row.desk is None else desks.get(row.desk, row.desk),
            by=row.by,
            doubt=Doubt(row.doubt),
            is_settled=row.settled is not None,
        )


class ScanPage(Document):
    """A page of scans, in the order in which the server heard of them."""

    scans: list[ScanLine]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class UnsettledPlayer(Document):
    """A player who came in more than once, or strangely, and nobody has said why."""

    entry: int
    name: str
    scans: list[str] = Field(examples=[["north door at 2026-03-07 09:42 CET with pass 17"]])

    @classmethod
    def of(cls, entry: EntryRow, scans: list[str]) -> "UnsettledPlayer":
        """With the scans in words."""
        return cls(entry=entry.number, name=entry.name, scans=scans)


class UnsettledPlayers(Document):
    """Everybody of whom staff have to say what happened at the desks; round 1 is not paired before."""

    players: list[UnsettledPlayer]
    foreign: list[ScanLine] = Field(description="scans of passes that this server has not made")


def _said(row: PassRow) -> dict[str, Any]:
    return {
        "serial": row.serial,
        "ownership": Ownership(row.policy).words,
        "epoch": row.epoch,
        "bound": row.holder_key is not None,
        "issued_at": clock(row.issued_at),
        "not_after": clock(row.not_after),
    }
