"""Passes: given to entries that may play, revoked, and made anew.

The log says which pass an entry got and what it says, but neither the player's tag nor the signature: both are made
again, the same each time, from the event's secrets, which are in no log (`pass_keys`). So whoever reads a log can give
nobody a pass, and does not learn whose tag a scanner has seen.

A pass counts as long as it is not revoked, its entry has a place, and the list that it names is the one that counts.
The list of revocations is worked out from that whenever somebody asks for it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Final, Protocol

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.announcement import IfShort
from tournament.domain.errors import ActionNotAllowed
from tournament.domain.roles import AT_THE_DESK, Role
from tournament.errors import (
    PassNotDue,
    PassNotFound,
    PassPresent,
    PassTimeRefused,
)
from tournament.service import ownership
from tournament.service.announcing import Moment
from tournament.service.codes import Codes
from tournament.service.commands import (
    Arguments,
    Ask,
    Fact,
    Kind,
    Receipt,
    Scene,
    WithReason,
    run,
)
from tournament.service.entries import DESK, MOST_NUMBER, load, load_own
from tournament.service.pass_books import CLOSED, LONGEST, Book, book_of, seconds
from tournament.service.pass_keys import Tags
from tournament.tables import DeckRow, EntryRow, EpochRow, EventRow, LogRow, PassRow, VerdictRow
from verifier.coverage import Outcome
from verifier.passes import (
    NOBODY,
    Briefing,
    DeckPass,
    Ownership,
    Revocations,
    SignedPass,
    SignedRevocations,
    holder_key_of,
)

MOST_OWN: Final = 30
"""That a player makes without the desk."""
GOOD_FOR: Final = timedelta(hours=24)
"""After the start of the event, or after the pass was made if that is later."""
_HEX_OF_KEY: Final = r"^(0x)?(04[0-9a-fA-F]{128}|0[23][0-9a-fA-F]{64})$"


class Why(StrEnum):
    """Why a pass was revoked."""

    REPLACED = "a newer one was made"
    STAFF = "staff revoked it"
    BLOCK_GONE = "the block at which copies were counted left the chain"


class Standing(StrEnum):
    """What a pass is worth, its time aside."""

    COUNTS = "counts"
    REVOKED = "revoked"
    NOT_PLAYING = "its entry has no place"
    OTHER_LIST = "another list counts now"


# --- giving -----------------------------------------------------------------------------------------------------------


class Wanted(Arguments):
    """A pass for an entry."""

    holder_key: Annotated[str, StringConstraints(pattern=_HEX_OF_KEY)] | None = Field(
        default=None,
        description="public key (P-256, y even) of the player's device, 65 or 33 bytes in hex digits; "
        "without one the pass is bound to no device, and the desk compares the name",
    )
    until: Moment | None = Field(
        default=None,
        description="for staff: until when it is good; a day after the start of the event when null",
        examples=["2026-03-08T20:00:00Z"],
    )
    anew: bool = Field(default=False, description="another one, although there is one that counts: it was lost")


class Issue(Wanted):
    """Give an entry a pass."""

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])


class IssueAll(Arguments):
    """Give everybody a pass who may have one and has none that counts."""

    until: Moment | None = Field(default=None, description="until when they are good")
    renewed: bool = Field(
        default=False, description="only to those whose pass was revoked because its block left the chain"
    )


class Given(BaseModel):
    """A pass, without the player's tag and the signature."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    serial: int
    entry: int
    policy: int = Field(description="of ownership: 0 not looked at, 1 covered, 2 flagged, 3 let in by a judge")
    epoch: int | None = None
    block: int = 0
    block_hash: str = ""
    deck: str | None = Field(default=None, description="the commitment of the list")
    holder_key: str | None = None
    key: int = Field(description="which of the event's keys signed it")
    issued_at: int
    not_after: int
    digest: str = Field(description="what was signed")


class Issued(Fact):
    """The pass; an earlier one of the entry counts no more."""

    entry: int
    given: Given


class AllIssued(Fact):
    """The passes; earlier ones of their entries count no more."""

    given: list[Given]


class About(WithReason):
    """The entry whose pass it is about."""

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])


class Revoked(Fact):
    """The entry that has no pass any more."""

    entry: int
    serials: list[int]


@dataclass(frozen=True, slots=True)
class Due:
    """What a pass says of an entry."""

    policy: Ownership
    epoch: int | None
    block: int
    block_hash: str
    deck: str | None


def due(
    event: EventRow, entry: EntryRow, deck: DeckRow | None, epoch: EpochRow | None, verdict: VerdictRow | None
) -> Due | list[str]:
    """What a pass would say of an entry now, or every reason why there is none.

    Args:
        event: whose.
        entry: who.
        deck: what the entry handed in.
        epoch: the newest one of which something is known; None where nothing is, or no ownership is required.
        verdict: of the entry, at that epoch, by the list and the wallets that it has now.
    """
    reasons = [*_reasons(event, entry, deck)]
    found = _ownership(event, epoch, verdict)
    if isinstance(found, str):
        return [*reasons, found]
    block = epoch if epoch is not None and epoch.block_hash else None
    return reasons or Due(
        found,
        None if epoch is None else epoch.number,
        (block and block.block_number) or 0,
        ((block and block.block_hash) or "").removeprefix("0x"),
        None if deck is None else deck.commitment,
    )


def _ownership(event: EventRow, epoch: EpochRow | None, verdict: VerdictRow | None) -> Ownership | str:
    """What was found of the deck's ownership, or why the player may not come in."""
    if not ownership.is_required(event):
        return Ownership.UNVERIFIED
    if epoch is None:
        return ownership.NOT_LOOKED_AT
    outcome = None if verdict is None else verdict.outcome
    if outcome == Outcome.COVERED:
        return Ownership.COVERED
    by_judge = outcome != Outcome.SHORT and epoch.overridden is not None
    if by_judge or (verdict is not None and verdict.overridden is not None):
        return Ownership.ALLOWED
    if outcome == Outcome.SHORT:
        return ownership.SHORT if event.if_short == IfShort.DROP else Ownership.FLAGGED
    return ownership.NOT_LOOKED_AT if verdict is None else verdict.cause


def newest_epoch(session: Session, event: EventRow) -> EpochRow | None:
    """The newest epoch of which something is known: it was read, or a judge decided without."""
    known = [row for row in store.epochs_of(session, event.id) if row.read is not None or row.overridden is not None]
    return known[-1] if known else None


def _reasons(event: EventRow, entry: EntryRow, deck: DeckRow | None) -> Iterator[str]:
    if entry.merged_into is not None:
        yield f"it was merged into number {entry.merged_into}"
    elif entry.dropped_after is not None:
        yield "the player left"
    elif entry.waiting is not None:
        yield "the player waits for a place"
    has_list = deck is not None and (deck.commitment is not None or deck.waived is not None)
    if event.decklist == "required" and not has_list:
        yield "no legal list is handed in"


class Giver:
    """Makes passes of an event: what is the same for all of them is looked up once.

    Raises:
        PassesNotOpen, PassKeysMissing
        ActionNotAllowed: the event is over, or not open yet.
    """

    def __init__(self, scene: Scene) -> None:
        session, event = scene.session, scene.event
        if event.phase in CLOSED:
            raise ActionNotAllowed(event.phase, "give passes")
        self._event, self._now = event, seconds(scene.at)
        self._book = book_of(session, event.id)
        self._key = self._book.signing_key(session, scene.codes)
        self._tags = Tags(session, scene.codes, event.id)
        self._serial = store.last_serial(session, event.id)

    def until(self, asked: Moment | None) -> int:
        """Until when a pass is good that is made now. Raises: PassTimeRefused."""
        if asked is None:
            start = self._now if self._event.starts_at is None else seconds(self._event.starts_at)
            return max(self._now, start) + int(GOOD_FOR.total_seconds())
        until = int(asked.astimezone(UTC).timestamp())
        if until <= self._now:
            raise PassTimeRefused("a pass is good until some time from now on")
        if until > self._now + LONGEST.total_seconds():
            raise PassTimeRefused(f"a pass is good for {LONGEST.days} days at most")
        return until

    def give(self, entry: int, said: Due, *, holder_key: str | None, until: int) -> Given:
        """The next pass."""
        self._serial += 1
        given = Given(
            serial=self._serial,
            entry=entry,
            policy=said.policy,
            epoch=said.epoch,
            block=said.block,
            block_hash=said.block_hash,
            deck=said.deck,
            holder_key=holder_key,
            key=self._book.row.key,
            issued_at=self._now,
            not_after=until,
            digest="",
        )
        made = deck_pass_of(self._book, self._tags, given)
        return given.model_copy(update={"digest": made.digest(self._book.terms.chain_id).hex()})


def _decide_issue(scene: Scene, asked: Issue) -> Issued:
    session, event = scene.session, scene.event
    entry = load_own(scene, asked.entry)
    if scene.player is not None and asked.until is not None:
        raise PassTimeRefused("how long a pass is good, staff say")
    if scene.player is not None and len(store.passes_ever(session, event.id, [entry.number])) >= MOST_OWN:
        raise PassNotDue(entry.number, [f"{MOST_OWN} were made; the desk makes more"])
    giver = Giver(scene)
    holder_key = None if asked.holder_key is None else _holder_key(asked.holder_key)
    epoch = newest_epoch(session, event)
    verdict = None if epoch is None else ownership.verdicts_now(session, event.id, epoch).get(entry.number)
    said = due(event, entry, store.find_deck(session, event.id, entry.number), epoch, verdict)
    if isinstance(said, list):
        raise PassNotDue(entry.number, said)
    if not asked.anew and asked.until is None:
        before = next(iter(_counting(session, event, entry.number)), None)
        if before is not None and _says(before, said, holder_key, seconds(scene.at)):
            raise PassPresent(entry.number, before.serial)
    given = giver.give(entry.number, said, holder_key=holder_key, until=giver.until(asked.until))
    return Issued(entry=entry.number, given=given)


def _counting(session: Session, event: EventRow, entry: int) -> list[PassRow]:
    """The passes of an entry that count; one at most."""
    return [one.row for one in store.passes_of(session, event.id, entry=entry) if standing(one) is Standing.COUNTS]


def _says(row: PassRow, said: Due, holder_key: str | None, now: int) -> bool:
    """Whether a pass says what a new one would, and is good for some time yet."""
    same = (row.policy, row.epoch, row.block_hash, row.deck) == (said.policy, said.epoch, said.block_hash, said.deck)
    return same and row.holder_key == holder_key and row.not_after > now


def _decide_all(scene: Scene, asked: IssueAll) -> AllIssued:
    giver = Giver(scene)
    until = giver.until(asked.until)
    return AllIssued(
        given=[
            giver.give(entry, said, holder_key=holder_key, until=until)
            for entry, said, holder_key in _lacking(scene.session, scene.event, renewed=asked.renewed)
        ]
    )


def _lacking(session: Session, event: EventRow, *, renewed: bool) -> Iterator[tuple[int, Due, str | None]]:
    """Who may have a pass and has none that counts: what it would say, and the device that the last one was bound to.

    Args:
        session: to ask.
        event: whose.
        renewed: only those whose pass was revoked because its block left the chain.
    """
    last, lists = store.last_passes(session, event.id), store.decks_of(session, event.id)
    served = {one.row.entry for one in store.passes_of(session, event.id) if standing(one) is Standing.COUNTS}
    epoch = newest_epoch(session, event)
    verdicts = {} if epoch is None else ownership.verdicts_now(session, event.id, epoch)
    for entry in store.here_of(session, event.id):
        before = last.get(entry.number)
        is_meant = not renewed or (before is not None and before.why_revoked == Why.BLOCK_GONE)
        said = due(event, entry, lists.get(entry.number), epoch, verdicts.get(entry.number))
        if is_meant and entry.number not in served and isinstance(said, Due):
            yield entry.number, said, None if before is None else before.holder_key


def _apply_issue(session: Session, event: EventRow, row: LogRow, fact: Issued) -> None:
    _add(session, event, row, [fact.given])


def _apply_all(session: Session, event: EventRow, row: LogRow, fact: AllIssued) -> None:
    _add(session, event, row, fact.given)


def _add(session: Session, event: EventRow, row: LogRow, given: Sequence[Given]) -> None:
    entries = [one.entry for one in given]
    store.revoke_passes(session, event.id, sequence=row.sequence, at=seconds(row.at), why=Why.REPLACED, entries=entries)
    store.add_passes(session, [PassRow(event_id=event.id, issued=row.sequence, **one.model_dump()) for one in given])


def _decide_revoke(scene: Scene, asked: About) -> Revoked:
    entry = load_own(scene, asked.entry).number
    rows = store.passes_of(scene.session, scene.event.id, entry=entry)
    if not rows:
        raise PassNotFound(entry)
    return Revoked(entry=entry, serials=[one.row.serial for one in rows])


def _apply_revoke(session: Session, event: EventRow, row: LogRow, fact: Revoked) -> None:
    store.revoke_passes(
        session, event.id, sequence=row.sequence, at=seconds(row.at), why=Why.STAFF, entries=[fact.entry]
    )


ISSUE: Final = Kind(
    name="pass.issue",
    arguments=Issue,
    fact=Issued,
    roles=DESK | {Role.PLAYER},
    lasting=True,
    sealed=True,
    decide=_decide_issue,
    apply=_apply_issue,
)
ISSUE_ALL: Final = Kind(
    name="pass.issue-all",
    arguments=IssueAll,
    fact=AllIssued,
    roles=DESK,
    lasting=True,
    sealed=True,
    decide=_decide_all,
    apply=_apply_all,
)
REVOKE: Final = Kind(
    name="pass.revoke",
    arguments=About,
    fact=Revoked,
    roles=AT_THE_DESK,
    lasting=True,
    sealed=True,
    decide=_decide_revoke,
    apply=_apply_revoke,
)
KINDS: Final = (ISSUE, ISSUE_ALL, REVOKE)


def revoke_since(session: Session, event: EventRow, row: LogRow, epoch: int) -> None:
    """Passes that rest on that epoch or a later one count no more: its block left the chain."""
    at = seconds(row.at)
    store.revoke_passes(session, event.id, sequence=row.sequence, at=at, why=Why.BLOCK_GONE, since_epoch=epoch)


def renew(database: Database, ask: Ask, roles: frozenset[Role]) -> Receipt | None:
    """Give new passes to those whose pass was revoked because its block left the chain, as far as they may have one.

    Args:
        database: of the event.
        ask: for which command of somebody this is done; it gets an id of its own.
        roles: who may.

    Returns:
        None if there is nobody.
    """
    with database.reading() as session:
        event = store.find_event(session, ask.event)
        is_open = event is not None and store.find_pass_book(session, event.id) is not None
        if event is None or not is_open or not any(_lacking(session, event, renewed=True)):
            return None
    mine = replace(ask, command=f"{ask.command}~passes", expected=None)
    return run(database, replace(ISSUE_ALL, roles=roles), mine, IssueAll(renewed=True))


# --- reading ----------------------------------------------------------------------------------------------------------


def standing(one: store.PassOf) -> Standing:
    """What a pass is worth, its time aside. `store.passes.COUNTS` says the same to the database."""
    row, entry, deck = one
    if row.revoked is not None:
        return Standing.REVOKED
    if entry.dropped_after is not None or entry.waiting is not None or entry.merged_into is not None:
        return Standing.NOT_PLAYING
    return Standing.COUNTS if row.deck == (None if deck is None else deck.commitment) else Standing.OTHER_LIST


class Tagging(Protocol):
    """Who knows the tags of players."""

    def of(self, entry: int, /) -> bytes:
        """16 bytes."""
        ...


def deck_pass_of(book: Book, tags: Tagging, said: Given | PassRow) -> DeckPass:
    """The statement that a pass is."""
    return DeckPass(
        event_id=book.terms.event_id,
        epoch_block_hash=bytes.fromhex(said.block_hash) if said.block_hash else NOBODY,
        epoch_block=said.block,
        player_tag=tags.of(said.entry),
        deck_commit=NOBODY if said.deck is None else bytes.fromhex(said.deck),
        holder_key=NOBODY if said.holder_key is None else bytes.fromhex(said.holder_key),
        policy=Ownership(said.policy),
        serial=said.serial,
        issued_at=said.issued_at,
        not_after=said.not_after,
    )


def numbered(session: Session, event: str, serial: int) -> store.PassOf:
    """The pass of that number, which there is, whatever it is worth."""
    row = store.passes_numbered(session, event, [serial])[serial]
    return store.PassOf(row, load(session, event, row.entry), store.find_deck(session, event, row.entry))


def current(session: Session, event: EventRow, entry: int) -> store.PassOf:
    """The pass of an entry that was not revoked. Raises: PassNotFound."""
    found = store.passes_of(session, event.id, entry=entry)
    if not found:
        raise PassNotFound(entry)
    return found[-1]


def signed(session: Session, codes: Codes, row: PassRow) -> SignedPass:
    """A pass with its signature, which is the same each time.

    Raises:
        PassesNotOpen, PassKeysMissing
    """
    book = book_of(session, row.event_id)
    made = deck_pass_of(book, Tags(session, codes, row.event_id), row)
    return SignedPass.by(book.signing_key(session, codes, row.key), made, book.terms.chain_id)


def revocations(session: Session, event: str, codes: Codes, at: datetime) -> SignedRevocations:
    """Which passes and keys count no more, signed, as of that moment.

    Raises:
        PassesNotOpen, PassKeysMissing
    """
    book = book_of(session, event)
    said = Revocations(
        event_id=book.terms.event_id,
        as_of=int(at.timestamp()),
        former_until=book.former_until,
        serials=tuple(store.worthless_serials(session, event)),
    )
    return SignedRevocations.by(book.signing_key(session, codes), said, book.terms.chain_id)


def briefing(book: Book, revoked: Iterable[int], at: int) -> Briefing:
    """What a desk would know that heard of everything."""
    return Briefing(
        event_id=book.terms.event_id,
        chain_id=book.terms.chain_id,
        keys=book.keys,
        signed_by=book.row.key - 1,
        as_of=at,
        revoked=frozenset(revoked),
    )


def _holder_key(text: str) -> str:
    """A device's key as passes have it, x in hex digits. Raises: HolderKeyUnreadable."""
    return holder_key_of(bytes.fromhex(text.removeprefix("0x"))).hex()
