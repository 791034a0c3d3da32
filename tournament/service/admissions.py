"""Admissions: passes and scans in the evidence of an event, judged again as its log is carried out.

Before a row is carried out, the tables are as they were when it was decided. So each pass is held against what its
entry could show then, each scan against the passes, desks and scans of then, and the first round against what was
unsettled. What a desk did wrong (its clock, its chain) is no fault of the evidence: it is told, since whoever let
somebody in strangely is named by it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlmodel import Session

from tournament import store
from tournament.domain.errors import TournamentError
from tournament.service import cut, ownership, pass_books, pass_desks, passes, rounds, scans
from tournament.tables import EventRow, LogRow, PassRow
from verifier.errors import VerifierError
from verifier.evidence import PassSaid
from verifier.holdings import Address
from verifier.passes import Ownership, Scan, SignedScan, chain_faults
from verifier.passes.check import SLACK_S

_BEGIN: Final = frozenset({rounds.PUBLISH.name, cut.START.name})
Problems = Iterator[str]


@dataclass(slots=True)
class Judged:
    """What came of passes and scans."""

    done: int = 0
    closed: int = 0
    """Scans whose pass has no tag here, so that nobody can tell whether the desk signed just this."""
    faults: list[tuple[str, str]] = field(default_factory=list)
    """Each with its path."""
    notes: list[str] = field(default_factory=list)


class Door:
    """Judges rows about passes and scans before they are carried out.

    Args:
        said: what of passes is not in the log.
    """

    def __init__(self, said: Sequence[PassSaid]) -> None:
        self.passes, self.scans = Judged(), Judged()
        self._tags = {one.serial: bytes.fromhex(one.tag) for one in said}
        self._told: list[SignedScan] = []
        self._judges: Mapping[str, tuple[Judged, Callable[[Session, EventRow, LogRow], Problems]]] = {
            passes.ISSUE.name: (self.passes, _issued),
            passes.ISSUE_ALL.name: (self.passes, _issued_all),
            passes.REVOKE.name: (self.passes, _revoked),
            scans.SCAN.name: (self.scans, self._scanned),
            scans.SYNC.name: (self.scans, self._synced),
            scans.SETTLE.name: (self.scans, _settled),
        }

    def __call__(self, session: Session, event: EventRow, row: LogRow) -> None:
        """Look at a row before it is carried out."""
        if row.name in _BEGIN and store.last_published(session, event.id) == 0:
            for entry, words in scans.unsettled(session, event, playing=True):
                problem = f"round 1 began though entry {entry.number} was unsettled: {'; '.join(words)}"
                self.scans.faults.append((f"log[{row.sequence - 1}]", problem))
        if row.name in self._judges:
            judged, judge = self._judges[row.name]
            path = f"log[{row.sequence - 1}].fact"
            try:
                judged.faults += [(path, problem) for problem in judge(session, event, row)]
            except TournamentError as error:
                judged.faults.append((path, str(error)))
            judged.done += row.name in (scans.SCAN.name, scans.SETTLE.name)

    def finish(self, session: Session, event: EventRow) -> None:
        """Look at the scans of each desk together."""
        if self._told:
            terms = pass_books.book_of(session, event.id).terms
            found = chain_faults(self._told, event_id=terms.event_id, chain_id=terms.chain_id, signed=True)
            self.scans.notes += map(str, found)

    # --- scans

    def _scanned(self, session: Session, event: EventRow, row: LogRow) -> Problems:
        fact = scans.Scanned.model_validate_json(row.fact)
        one = store.find_pass(session, event.id, fact.serial)
        if one is None or (one.digest, one.entry) != (fact.deck_pass, fact.entry):
            yield f"there was no pass {fact.serial} of entry {fact.entry} with that digest"
            return
        full = passes.numbered(session, event.id, fact.serial)
        if passes.standing(full) is not passes.Standing.COUNTS:
            yield f"pass {fact.serial} did not count: {passes.standing(full)}"
        if not _in_time(session, one, fact.scanned_at):
            yield f"pass {fact.serial} was not good at that time"
        if fact.scanned_at != pass_books.seconds(row.at):
            yield f"it says that it was at {fact.scanned_at}, and its row is of {row.at}"
        if store.scans_of(session, event.id, entries=[fact.entry]):
            yield f"entry {fact.entry} was in already"
        yield from _desk_faults(session, event, fact.desk)

    def _synced(self, session: Session, event: EventRow, row: LogRow) -> Problems:
        fact = scans.Synced.model_validate_json(row.fact)
        numbers = {one.serial for one in fact.scans}
        rows = store.passes_numbered(session, event.id, numbers)
        persons = scans.persons_of(session, event, {one.entry for one in rows.values()})
        known = store.scans_known(session, event.id, [one.digest for one in fact.scans])
        if known or len({one.digest for one in fact.scans}) != len(fact.scans):
            yield "a scan is told as new that was known"
        for one in fact.scans:
            made = rows.get(one.serial)
            made = made if made is not None and made.digest == one.deck_pass else None
            yield from self._heard(session, event, one, made, persons)
        echoes = scans.echoes(session, event, fact.scans)
        if {one.digest: one.echo for one in fact.scans if one.echo is not None} != echoes:
            yield "other scans of the server are repeated by these than it says"
        if fact.checked_in != scans.now_here(session, event, fact.scans):
            yield "others are checked in by these scans than it says"

    def _heard(
        self, session: Session, event: EventRow, one: scans.Heard, made: PassRow | None, persons: Mapping[int, int]
    ) -> Problems:
        named = f"scan {one.counter} of desk {one.desk}"
        if one.entry != (None if made is None else persons[made.entry]):
            yield f"{named}: it is by a pass of another entry than {one.entry}"
        doubt = scans.Doubt.FOREIGN if made is None else scans.Doubt.NONE
        if made is not None and scans.was_revoked(made, one.scanned_at):
            doubt = scans.Doubt.REVOKED
        if one.doubt != doubt:
            yield f"{named}: it says {one.doubt.value!r}, and {doubt.value!r} follows"
        if made is not None and not _in_time(session, made, one.scanned_at):
            self.scans.notes.append(f"{named} let pass {one.serial} in at a time at which it was not good")
        yield from (f"{named}: {problem}" for problem in _desk_faults(session, event, one.desk))
        tag = bytes.fromhex(one.tag) if one.tag is not None else self._tags.get(one.serial)
        if tag is None:
            self.scans.closed += 1
            return
        self.scans.done += 1
        terms = pass_books.book_of(session, event.id).terms
        try:
            signed = _signed(one, tag, terms.event_id)
        except (ValueError, VerifierError) as error:
            yield f"{named}: {error}"
            return
        if signed.scan.digest(terms.chain_id).hex() != one.digest:
            yield f"{named}: it has another digest"
        elif not signed.is_desks(terms.chain_id):
            yield f"{named}: its desk has not signed it"
        self._told.append(signed)


def _signed(one: scans.Heard, tag: bytes, event_id: bytes) -> SignedScan:
    said = Scan(
        event_id=event_id,
        desk=Address(one.desk),
        counter=one.counter,
        serial=one.serial,
        player_tag=tag,
        deck_pass=bytes.fromhex(one.deck_pass),
        scanned_at=one.scanned_at,
        previous=bytes.fromhex(one.previous),
    )
    return SignedScan(said, bytes.fromhex(one.signature))


def _in_time(session: Session, one: PassRow, at: int) -> bool:
    """Whether a pass and the key that signed it counted at that time."""
    book = pass_books.book_of(session, one.event_id)
    until = book.keys[one.key - 1].until
    return one.issued_at - SLACK_S <= at <= one.not_after and (until is None or at <= until)


def _desk_faults(session: Session, event: EventRow, desk: str | None) -> Problems:
    if desk is not None and desk not in pass_desks.desk_names(session, event.id):
        yield f"no desk {desk} was enrolled"


def _settled(session: Session, event: EventRow, row: LogRow) -> Problems:
    fact = scans.Settled.model_validate_json(row.fact)
    open_ = [one.number for one in store.scans_of(session, event.id, entries=[fact.entry]) if one.settled is None]
    if fact.entry not in {one.number for one in store.unsettled_of(session, event.id)}:
        yield f"entry {fact.entry} was not unsettled"
    if fact.scans != open_:
        yield f"it settles scans {fact.scans}, and those of entry {fact.entry} that were open are {open_}"


# --- passes -----------------------------------------------------------------------------------------------------------


def _issued(session: Session, event: EventRow, row: LogRow) -> Problems:
    fact = passes.Issued.model_validate_json(row.fact)
    if fact.given.entry != fact.entry:
        yield f"a pass of entry {fact.given.entry} is given to entry {fact.entry}"
    yield from _given(session, event, row, [fact.given])


def _issued_all(session: Session, event: EventRow, row: LogRow) -> Problems:
    yield from _given(session, event, row, passes.AllIssued.model_validate_json(row.fact).given)


def _given(session: Session, event: EventRow, row: LogRow, given: Sequence[passes.Given]) -> Problems:
    """Whether each pass says what was known of its entry, is the next, and by the key that signed then."""
    book = pass_books.book_of(session, event.id)
    epoch = passes.newest_epoch(session, event)
    verdicts = {} if epoch is None else ownership.verdicts_now(session, event.id, epoch)
    entries = {one.number: one for one in store.entries_numbered(session, event.id, [one.entry for one in given])}
    lists, serial, at = (
        store.decks_of(session, event.id),
        store.last_serial(session, event.id),
        pass_books.seconds(row.at),
    )
    for number, one in enumerate(given, start=serial + 1):
        named = f"pass {one.serial}"
        if one.serial != number:
            yield f"{named} should have been {number}"
        if (one.key, one.issued_at) != (book.row.key, at):
            yield f"{named} is by key {one.key} at {one.issued_at}, and key {book.row.key} signed at {at}"
        if not one.issued_at <= one.not_after <= at + _longest(event, at):
            yield f"{named} is good until {one.not_after}, which no pass is"
        if one.entry not in entries:
            yield f"{named} is of entry {one.entry}, which there was not"
            continue
        due = passes.due(event, entries[one.entry], lists.get(one.entry), epoch, verdicts.get(one.entry))
        said = passes.Due(Ownership(one.policy), one.epoch, one.block, one.block_hash, one.deck)
        if isinstance(due, list):
            yield f"{named} was not due to entry {one.entry}: {'; '.join(due)}"
        elif said != due:
            yield f"{named} says {said}, and of entry {one.entry} {due} was known"


def _longest(event: EventRow, at: int) -> float:
    """Seconds that a pass may be good: by the word of staff, or until a day after the start of the event."""
    start = at if event.starts_at is None else pass_books.seconds(event.starts_at)
    return max(pass_books.LONGEST.total_seconds(), start - at + passes.GOOD_FOR.total_seconds())


def _revoked(session: Session, event: EventRow, row: LogRow) -> Problems:
    fact = passes.Revoked.model_validate_json(row.fact)
    there = [one.row.serial for one in store.passes_of(session, event.id, entry=fact.entry)]
    if fact.serials != there:
        yield f"it revokes passes {fact.serials}, and those of entry {fact.entry} are {there}"
