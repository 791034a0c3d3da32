"""Scans: who came in by a pass, at the server or at a desk that had no network and tells of it later.

Desks without a network can let one pass in twice, and nobody can prevent it. So what they tell is taken in as a set, as
often as they tell it; and a player who came in more than once is *unsettled* until staff have said why. Round 1 is not
paired before. Player tags are in no log: a scan of a pass that was made here names the entry instead.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from hashlib import sha256
from typing import Annotated, Any, ClassVar, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from sqlmodel import Session

from tournament import store
from tournament.domain.lifecycle import Action, Phase, allowed
from tournament.domain.roles import AT_THE_DESK, JUDGES
from tournament.errors import (
    NothingToSettle,
    PassNotGood,
    ScansUnsettled,
    ScansUnsound,
    Unsettled,
)
from tournament.service import passes
from tournament.service.chain import canonical
from tournament.service.commands import Already, Arguments, Fact, Kind, Scene, WithReason
from tournament.service.entries import MOST_NUMBER, load, load_own
from tournament.service.pass_books import Book, book_of, seconds
from tournament.service.pass_desks import as_address, desk_names, use_of, venue_clock, where_of
from tournament.service.pass_keys import Tags
from tournament.service.passes import Standing, standing
from tournament.tables import EntryRow, EventRow, LogRow, PassRow, ScanRow
from verifier.errors import PassUnreadable, PassVersionNotKnown, StatementUnreadable
from verifier.passes import (
    Checked,
    Shown,
    SignedScan,
    check_pass,
    parse_payload,
    read_scan,
)
from verifier.passes.check import SLACK_S

MOST_SCANS: Final = 300
"""That are told at once: so many fit into a body."""
ECHO_S: Final = 150
"""Between a scan of the server and its repetition by the desk that got no answer: patience, and clocks that differ."""
LONGEST_PASS: Final = 4_096
"""Letters."""


class Doubt(StrEnum):
    """Why staff have to look at a scan though its player came in once."""

    NONE = ""
    REVOKED = "the pass had been revoked before"
    """A desk that had not heard of it let it in."""
    FOREIGN = "this server has made no such pass"


# --- at the server ----------------------------------------------------------------------------------------------------


class Show(Arguments):
    """A pass is shown at a desk that has a network."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"text"})

    text: Annotated[str, StringConstraints(strip_whitespace=False, min_length=1, max_length=LONGEST_PASS)] = Field(
        description="what the scanner read, blanks and all", examples=["V50X507H0QS00+0J61%H1CT1V+…"]
    )
    desk: Annotated[str, StringConstraints(max_length=100), AfterValidator(as_address)] | None = Field(
        default=None, description="the address of the desk, if it has enrolled"
    )

    def said(self) -> dict[str, Any]:
        """What the log has of it: that it is the same text, if it is sent again."""
        return super().said() | {"digest": sha256(self.text.encode(errors="surrogatepass")).hexdigest()}


class Scanned(Fact):
    """A player came in."""

    entry: int
    serial: int
    deck_pass: str = Field(description="the digest of the pass")
    desk: str | None = Field(default=None, description="the address of the desk")
    scanned_at: int
    checked_in: bool


def _decide_scan(scene: Scene, asked: Show) -> Scanned:
    session, event, now = scene.session, scene.event, seconds(scene.at)
    book = book_of(session, event.id)
    if asked.desk is not None and asked.desk not in desk_names(session, event.id):
        raise ScansUnsound([f"no desk {asked.desk} was enrolled"])
    row, entry, checked = _checked(session, event, book, asked.text, now)
    if not checked.good or row is None or entry is None:
        reasons = checked.problems or (str(Doubt.FOREIGN),)
        raise PassNotGood(
            reasons, [asdict(one) for one in checked.findings], row.entry if checked.genuine and row else None
        )
    return Scanned(
        entry=entry.number,
        serial=row.serial,
        deck_pass=row.digest,
        desk=asked.desk,
        scanned_at=now,
        checked_in=entry.checked_in is None and _checks_in(event),
    )


def _checked(
    session: Session, event: EventRow, book: Book, text: str, now: int
) -> tuple[PassRow | None, EntryRow | None, Checked]:
    """A pass as everything is known here: its row, whose it is, and what a desk would say."""
    shown = _shown(text)
    row = None if shown is None else store.find_pass(session, event.id, shown.signed.deck_pass.serial)
    if row is None or shown is None or shown.signed.deck_pass.digest(book.terms.chain_id).hex() != row.digest:
        return None, None, check_pass(text, passes.briefing(book, (), now), used={}, at=now, say=venue_clock(event))
    entry = load(session, event.id, row.entry)
    one = store.PassOf(row, entry, store.find_deck(session, event.id, row.entry))
    revoked = () if standing(one) is Standing.COUNTS else (row.serial,)
    scans = store.scans_of(session, event.id, entries=[row.entry])
    tag = shown.signed.deck_pass.player_tag
    used = {tag: use_of(scans[0], desk_names(session, event.id))} if scans else {}
    return row, entry, check_pass(text, passes.briefing(book, revoked, now), used=used, at=now, say=venue_clock(event))


def _shown(text: str) -> Shown | None:
    try:
        return parse_payload(text)
    except (PassUnreadable, PassVersionNotKnown):
        return None


def _checks_in(event: EventRow) -> bool:
    return Action.CHECK_IN in allowed(Phase(event.phase))


def _apply_scan(session: Session, event: EventRow, row: LogRow, fact: Scanned) -> None:
    scan = ScanRow(
        event_id=event.id,
        number=store.last_scan(session, event.id) + 1,
        entry=fact.entry,
        serial=fact.serial,
        deck_pass=fact.deck_pass,
        scanned_at=fact.scanned_at,
        desk=fact.desk,
        by=row.actor,
        heard=row.sequence,
    )
    store.add_scans(session, [scan])
    if fact.checked_in:
        load(session, event.id, fact.entry).checked_in = row.sequence


# --- from desks without a network -------------------------------------------------------------------------------------


class Sync(Arguments):
    """A desk tells whom it let in. Told again, it is the same."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"scans"})

    scans: list[dict[str, Any]] = Field(
        min_length=1,
        max_length=MOST_SCANS,
        description="signed scans, of this desk or of others, in any order, new and old (docs/guide/passes.md)",
    )

    def said(self) -> dict[str, Any]:
        """What the log has of it: that they are the same scans, if they are sent again."""
        return super().said() | {"digest": sha256(canonical(self.scans).encode(errors="surrogatepass")).hexdigest()}


class Heard(BaseModel):
    """A scan that was not known before."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entry: int | None = Field(description="whose pass it was; null: this server has made no such pass")
    serial: int
    deck_pass: str
    tag: str | None = Field(default=None, description="of a pass that this server has not made")
    scanned_at: int
    desk: str
    counter: int
    previous: str
    digest: str
    signature: str
    doubt: Doubt = Doubt.NONE
    echo: int | None = Field(
        default=None,
        description="the scan of the server that this one repeats: the desk got no answer and decided itself",
    )


class Synced(Fact):
    """The scans that are new, and who is checked in by them."""

    scans: list[Heard]
    checked_in: list[int]


def _decide_sync(scene: Scene, asked: Sync) -> Synced | Already:
    session, event = scene.session, scene.event
    book = book_of(session, event.id)
    told = _read(session, event, book, asked.scans)
    known = store.scans_known(session, event.id, list(told))
    if not told.keys() - known.keys():
        return Already(max(known.values()))
    of_passes = store.passes_numbered(session, event.id, {one.scan.serial for one in told.values()})
    persons = persons_of(session, event, {row.entry for row in of_passes.values()})
    tags = Tags(session, scene.codes, event.id)
    fresh = {digest: one for digest, one in told.items() if digest not in known}
    faults, heard = [], []
    for digest, one in sorted(fresh.items(), key=lambda pair: pair[1].scan):
        row = of_passes.get(one.scan.serial)
        if row is not None and row.digest == one.scan.deck_pass.hex():
            if tags.of(row.entry) != one.scan.player_tag:
                faults.append(f"{_called(one)}: it names another player than its pass")
            heard.append(_heard(one, digest, row, persons[row.entry]))
        else:
            heard.append(_heard(one, digest, None, None))
    if faults:
        raise ScansUnsound(faults)
    repeated = echoes(session, event, heard)
    heard = [one.model_copy(update={"echo": repeated.get(one.digest)}) for one in heard]
    return Synced(scans=heard, checked_in=now_here(session, event, heard))


def echoes(session: Session, event: EventRow, heard: Sequence[Heard]) -> dict[str, int]:
    """Scans of a desk, by their digests, that repeat what the server did for the same desk a moment before.

    The server may have let a player in and its answer been lost; then the desk, which waited for it, decides itself. It
    does so once: whatever else a copy of the desk says of that pass is a second coming in.
    """
    entries = {one.entry for one in heard if one.entry is not None}
    scans = store.scans_of(session, event.id, entries=entries)
    told = Counter((row.desk, row.deck_pass) for row in scans if row.counter is not None)
    told.update((one.desk, one.deck_pass) for one in heard)
    at_server = {(row.desk, row.deck_pass): row for row in scans if row.counter is None and row.settled is None}
    return {
        one.digest: row.number
        for one in heard
        if told[one.desk, one.deck_pass] == 1
        and (row := at_server.get((one.desk, one.deck_pass))) is not None
        and abs(row.scanned_at - one.scanned_at) <= ECHO_S
    }


def _read(
    session: Session, event: EventRow, book: Book, documents: Iterable[Mapping[str, Any]]
) -> dict[str, SignedScan]:
    """The scans by their digests. Raises: ScansUnsound."""
    desks = {desk.address for desk in store.pass_desks_of(session, event.id)}
    found, faults = {}, []
    for place, document in enumerate(documents, start=1):
        try:
            one = read_scan(document)
        except StatementUnreadable as error:
            faults.append(f"scan {place} of those sent: {error}")
            continue
        fault = _fault(one, book, desks)
        if fault is not None:
            faults.append(f"{_called(one)}: {fault}")
        found[one.scan.digest(book.terms.chain_id).hex()] = one
    if faults:
        raise ScansUnsound(faults)
    return found


def _fault(one: SignedScan, book: Book, desks: Collection[str]) -> str | None:
    if one.scan.event_id != book.terms.event_id:
        return "it is of another event"
    if one.scan.desk not in desks:
        return "no such desk was enrolled"
    return None if one.is_desks(book.terms.chain_id) else "its desk has not signed it"


def _called(one: SignedScan) -> str:
    return f"scan {one.scan.counter} of desk {one.scan.desk}"


def _heard(one: SignedScan, digest: str, row: PassRow | None, entry: int | None) -> Heard:
    scan = one.scan
    doubt = Doubt.NONE
    if row is None:
        doubt = Doubt.FOREIGN
    elif was_revoked(row, scan.scanned_at):
        doubt = Doubt.REVOKED
    return Heard(
        entry=entry,
        serial=scan.serial,
        deck_pass=scan.deck_pass.hex(),
        tag=scan.player_tag.hex() if row is None else None,
        scanned_at=scan.scanned_at,
        desk=scan.desk,
        counter=scan.counter,
        previous=scan.previous.hex(),
        digest=digest,
        signature=one.signature.hex(),
        doubt=doubt,
    )


def was_revoked(row: PassRow, at: int) -> bool:
    """Whether a pass had been taken from somebody; that its block left the chain says nothing of who has it."""
    is_taken = row.revoked_at is not None and row.why_revoked != passes.Why.BLOCK_GONE
    return is_taken and at > (row.revoked_at or 0) + SLACK_S


def persons_of(session: Session, event: EventRow, entries: Collection[int]) -> dict[int, int]:
    """The entry that each of these became part of, or is still."""
    persons = {entry: entry for entry in entries}
    while into := {
        row.number: row.merged_into
        for row in store.entries_numbered(session, event.id, frozenset(persons.values()))
        if row.merged_into is not None
    }:
        persons = {entry: into.get(person, person) for entry, person in persons.items()}
    return persons


def now_here(session: Session, event: EventRow, heard: Iterable[Heard]) -> list[int]:
    """Who is checked in by these scans: everybody with a place who was not."""
    if not _checks_in(event):
        return []
    numbers = {one.entry for one in heard if one.entry is not None}
    rows = store.entries_numbered(session, event.id, numbers)
    return [
        row.number
        for row in rows
        if row.checked_in is None and row.dropped_after is None and row.waiting is None and row.merged_into is None
    ]


def _apply_sync(session: Session, event: EventRow, row: LogRow, fact: Synced) -> None:
    first = store.last_scan(session, event.id) + 1
    store.add_scans(
        session,
        [
            ScanRow(
                event_id=event.id,
                number=number,
                by=row.actor,
                heard=row.sequence,
                settled=None if one.echo is None else row.sequence,
                **one.model_dump(mode="json", exclude={"echo"}),
            )
            for number, one in enumerate(fact.scans, start=first)
        ],
    )
    if repeated := [one.echo for one in fact.scans if one.echo is not None]:
        store.settle_scans(session, event.id, repeated, row.sequence)
    for entry in store.entries_numbered(session, event.id, fact.checked_in):
        entry.checked_in = row.sequence


# --- settling ---------------------------------------------------------------------------------------------------------


class Settle(WithReason):
    """Say why a player came in more than once, or by a pass that did not count."""

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])


class Settled(Fact):
    """The player, and the scans that are explained."""

    entry: int
    scans: list[int]


def _decide_settle(scene: Scene, asked: Settle) -> Settled:
    entry = load_own(scene, asked.entry).number
    if entry not in {row.number for row in store.unsettled_of(scene.session, scene.event.id)}:
        raise NothingToSettle(entry)
    scans = store.scans_of(scene.session, scene.event.id, entries=[entry])
    return Settled(entry=entry, scans=[scan.number for scan in scans if scan.settled is None])


def _apply_settle(session: Session, event: EventRow, row: LogRow, fact: Settled) -> None:
    store.settle_scans(session, event.id, fact.scans, row.sequence)


def check_settled(session: Session, event: EventRow, number: int) -> None:
    """Refuse to begin while somebody who would play came in twice, or strangely, and nobody has said why.

    Args:
        session: to ask.
        event: whose.
        number: of the round that begins, the cut counted as one; only the first is refused.


    Raises:
        ScansUnsettled: with every player, and the scans.
    """
    if number == 1 and (found := unsettled(session, event, playing=True)):
        raise ScansUnsettled([Unsettled(entry.number, entry.name, words) for entry, words in found])


def unsettled(session: Session, event: EventRow, *, playing: bool = False) -> Sequence[tuple[EntryRow, Sequence[str]]]:
    """Who came in more than once or strangely, and nobody has said why; with the scans in words."""
    rows = store.unsettled_of(session, event.id, playing=playing)
    scans = store.scans_of(session, event.id, entries=[row.number for row in rows]) if rows else []
    names = desk_names(session, event.id) if rows else {}
    return [(row, [words_of(scan, event, names) for scan in scans if scan.entry == row.number]) for row in rows]


def words_of(scan: ScanRow, event: EventRow, desks: Mapping[str, str]) -> str:
    """Where, when and by which pass a player came in."""
    doubt = f" ({scan.doubt})" if scan.doubt else ""
    return f"{where_of(scan, desks)} at {venue_clock(event)(scan.scanned_at)} with pass {scan.serial}{doubt}"


SCAN: Final = Kind(
    name="pass.scan",
    arguments=Show,
    fact=Scanned,
    roles=AT_THE_DESK,
    lasting=True,
    sealed=True,
    decide=_decide_scan,
    apply=_apply_scan,
)
SYNC: Final = Kind(
    name="pass.sync",
    arguments=Sync,
    fact=Synced,
    roles=AT_THE_DESK,
    lasting=True,
    sealed=True,
    decide=_decide_sync,
    apply=_apply_sync,
)
SETTLE: Final = Kind(
    name="pass.settle",
    arguments=Settle,
    fact=Settled,
    roles=JUDGES,
    sealed=True,
    decide=_decide_settle,
    apply=_apply_settle,
)
KINDS: Final = (SCAN, SYNC, SETTLE)
