"""Desks that let players in: enrolled by the address of their own key, given what they need, and what they told.

A desk has names by player tags, so that it compares them with documents; it sees neither wallets nor lists.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, StringConstraints
from sqlmodel import Session

from tournament import store
from tournament.domain.roles import AT_THE_DESK
from tournament.errors import DeskNameTaken, PassKeysMissing
from tournament.service import passes
from tournament.service.codes import Codes
from tournament.service.commands import Already, Arguments, Fact, Kind, Scene
from tournament.service.names import seen
from tournament.service.pass_books import Book, book_of
from tournament.service.pass_keys import Tags
from tournament.tables import EventRow, LogRow, PassDeskRow, ScanRow
from verifier.addresses import parse_address
from verifier.errors import AddressUnreadable
from verifier.holdings import Address
from verifier.passes import ChainFault, Guest, Scan, Sheet, SignedScan, Use, chain_faults


def as_address(text: str) -> str:
    """The address of a desk, as the tables have it. Raises: ValueError."""
    try:
        return parse_address(text)
    except AddressUnreadable as error:
        raise ValueError(str(error)) from error


class Enrol(Arguments):
    """Make a desk known, whose scans count from now on."""

    address: Annotated[str, StringConstraints(max_length=100), AfterValidator(as_address)] = Field(
        description="of the desk's own key", examples=["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"]
    )
    name: Annotated[
        str, StringConstraints(min_length=1, max_length=40, pattern=r"^[^\x00-\x1f\x7f]+$"), AfterValidator(seen)
    ] = Field(description="where it stands", examples=["north door"])


class Enrolled(Fact):
    """The desk."""

    address: str
    name: str


def _decide_enrol(scene: Scene, asked: Enrol) -> Enrolled | Already:
    book_of(scene.session, scene.event.id)
    desks = store.pass_desks_of(scene.session, scene.event.id)
    known = next((desk for desk in desks if desk.address == asked.address), None)
    if known is not None:
        return Already(known.enrolled)
    if any(desk.name == asked.name for desk in desks):
        raise DeskNameTaken(asked.name)
    return Enrolled(address=asked.address, name=asked.name)


def _apply_enrol(session: Session, event: EventRow, row: LogRow, fact: Enrolled) -> None:
    desk = PassDeskRow(
        event_id=event.id,
        address=fact.address,
        name=fact.name,
        enrolled=row.sequence,
        enrolled_by=row.actor,
        enrolled_at=row.at,
    )
    store.add_pass_desk(session, desk)


ENROL: Final = Kind(
    name="pass.enrol",
    arguments=Enrol,
    fact=Enrolled,
    roles=AT_THE_DESK,
    lasting=True,
    decide=_decide_enrol,
    apply=_apply_enrol,
)
KINDS: Final = (ENROL,)


# --- reading ----------------------------------------------------------------------------------------------------------


def sheet(session: Session, event: EventRow, codes: Codes, at: datetime) -> Sheet:
    """What a desk gets, as of that moment.

    Raises:
        PassesNotOpen, PassKeysMissing
    """
    book, tags = book_of(session, event.id), Tags(session, codes, event.id)
    rows = [row for row in store.entries_of(session, event.id) if row.merged_into is None]
    tag = {row.number: tags.of(row.number) for row in rows}
    names = desk_names(session, event.id)
    used: dict[bytes, Use] = {}
    for scan in store.scans_of(session, event.id):
        if scan.entry in tag:
            used.setdefault(tag[scan.entry], use_of(scan, names))
    return Sheet(
        event=event.id,
        terms=book.row.terms,
        revocations=passes.revocations(session, event.id, codes, at),
        guests={tag[row.number]: Guest(row.number, row.name) for row in rows},
        used=used,
    )


@dataclass(frozen=True, slots=True)
class DeskSeen:
    """A desk, and what was heard of it."""

    row: PassDeskRow
    tally: store.DeskTally | None
    faults: Sequence[ChainFault]
    """What an honest desk's scans do not have."""


def desks_seen(session: Session, event: str, codes: Codes) -> Sequence[DeskSeen]:
    """Every desk with what was heard of it; without faults where the event's secrets are not here.

    Raises:
        PassesNotOpen
    """
    book = book_of(session, event)
    rows, tallies = store.pass_desks_of(session, event), store.desk_tallies(session, event)
    faults: list[ChainFault] = []
    with suppress(PassKeysMissing):
        told = scans_as_told(session, event, codes)
        faults = chain_faults(told, event_id=book.terms.event_id, chain_id=book.terms.chain_id, signed=True)
    return [
        DeskSeen(row, tallies.get(row.address), [fault for fault in faults if fault.desk == row.address])
        for row in rows
    ]


def scans_as_told(session: Session, event: str, codes: Codes) -> Iterator[SignedScan]:
    """The scans of desks as they signed them: whoever has them can check them.

    Raises:
        PassesNotOpen, PassKeysMissing
    """
    book, tags = book_of(session, event), Tags(session, codes, event)
    rows = [row for row in store.scans_of(session, event) if row.counter is not None]
    of_passes = store.passes_numbered(session, event, {row.serial for row in rows if row.tag is None})
    for row in rows:
        tag = tags.of(of_passes[row.serial].entry) if row.tag is None else bytes.fromhex(row.tag)
        yield _signed_scan(row, book, tag)


def _signed_scan(row: ScanRow, book: Book, tag: bytes) -> SignedScan:
    said = Scan(
        event_id=book.terms.event_id,
        desk=Address(row.desk or ""),
        counter=row.counter or 0,
        serial=row.serial,
        player_tag=tag,
        deck_pass=bytes.fromhex(row.deck_pass),
        scanned_at=row.scanned_at,
        previous=bytes.fromhex(row.previous or ""),
    )
    return SignedScan(said, bytes.fromhex(row.signature or ""))


def desk_names(session: Session, event: str) -> dict[str, str]:
    """What desks are called, by their addresses."""
    return {desk.address: desk.name for desk in store.pass_desks_of(session, event)}


def use_of(scan: ScanRow, desks: Mapping[str, str]) -> Use:
    """A scan as a desk knows it."""
    return Use(scan.serial, scan.scanned_at, where_of(scan, desks))


def where_of(scan: ScanRow, desks: Mapping[str, str]) -> str:
    """Where a player came in."""
    return f"a desk of {scan.by}" if scan.desk is None else desks.get(scan.desk, scan.desk)


def venue_clock(event: EventRow) -> Callable[[int], str]:
    """Times by the clock of the venue."""
    zone = ZoneInfo(event.time_zone)
    return lambda at: datetime.fromtimestamp(at, UTC).astimezone(zone).strftime("%Y-%m-%d %H:%M %Z")
