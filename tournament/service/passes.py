"""Passes: given to entries that may play, revoked, and made anew.

The log says which pass an entry got and what it says, but neither the player's tag nor the signature: both are made
again, the same each time, from the event's secrets, which are in no log (`pass_keys`). So whoever reads a log can give
nobody a pass, and does not learn whose tag a scanner has seen.

A pass counts as long as it is not revoked, its entry has a place, and the list that it names is the one that counts.
The list of revocations is worked out from that whenever somebody asks for it.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Final, Protocol

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlmodel import Session

from tournament import store
from tournament.domain.errors import ActionNotAllowed
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import AT_THE_DESK, Role
from tournament.errors import NoKeyLeft, PassesNotOpen, PassNotDue, PassNotFound, PassPresent, PassTimeRefused
from tournament.service import pass_keys
from tournament.service.announcing import Moment
from tournament.service.codes import Codes
from tournament.service.commands import Already, Arguments, Fact, Keeping, Kind, Nothing, Scene, WithReason
from tournament.service.entries import DESK, MOST_NUMBER, load, load_own
from tournament.service.pass_keys import Tags
from tournament.tables import DeckRow, EntryRow, EventRow, LogRow, PassBookRow, PassRow
from verifier.passes import (
    NOBODY,
    Briefing,
    DeckPass,
    KeyList,
    Ownership,
    Revocations,
    SignedPass,
    SignedRevocations,
    SigningKey,
    Terms,
    VerifierKey,
    holder_key_of,
    parse_terms,
    write_key_list,
)

GOOD_FOR: Final = timedelta(hours=24)
"""After the start of the event, or after the pass was made if that is later."""
LONGEST: Final = timedelta(days=31)
"""That a pass may be good for."""
_HEX_OF_KEY: Final = r"^(0x)?(04[0-9a-fA-F]{128}|0[23][0-9a-fA-F]{64})$"
_ORGANIZERS: Final = frozenset({Role.ORGANIZER})
_OVER: Final = frozenset({Phase.FINISHED, Phase.VOID})
_NAME: Final = 200


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


# --- keys -------------------------------------------------------------------------------------------------------------


class Opened(Fact):
    """The event gives passes from now on."""

    terms: str = Field(description="its keys, as every desk reads them; their hash is in each pass")


class Rotate(WithReason):
    """Sign with the next key from now on."""

    until: Moment | None = Field(
        default=None,
        description="when passes that the present key signed count no more; at once when null",
        examples=["2026-03-07T12:00:00Z"],
    )


class Rotated(Fact):
    """The key that signs now, from 1, and the last second in which passes of each one before it count."""

    key: int
    former_until: list[int]


@dataclass(frozen=True, slots=True)
class Book:
    """How an event gives passes."""

    row: PassBookRow
    terms: Terms
    former_until: tuple[int, ...]

    @property
    def keys(self) -> tuple[VerifierKey, ...]:
        """All keys, in the order of their use."""
        until = (*self.former_until, *[None] * (len(self.terms.keys) - len(self.former_until)))
        return tuple(VerifierKey(key, end) for key, end in zip(self.terms.keys, until, strict=True))

    def signing_key(self, session: Session, codes: Codes, number: int | None = None) -> SigningKey:
        """The key that signs now, or the one of that number. Raises: PassKeysMissing."""
        address = self.terms.keys[(number or self.row.key) - 1]
        return pass_keys.signing_key(session, codes, self.row.event_id, address)


def book_of(session: Session, event: str) -> Book:
    """How the event gives passes. Raises: PassesNotOpen."""
    row = store.find_pass_book(session, event)
    if row is None:
        raise PassesNotOpen(event)
    return Book(row, parse_terms(row.terms), tuple(json.loads(row.former_until)))


def _decide_open(scene: Scene, _: Nothing) -> Keeping[Opened] | Already:
    event, book = scene.event, store.find_pass_book(scene.session, scene.event.id)
    if book is not None:
        return Already(book.opened)
    if event.phase in _OVER:
        raise ActionNotAllowed(event.phase, "give passes")
    keys, codes = pass_keys.fresh(), scene.codes
    said = KeyList(_printable(event.name), "0x" + scene.chance(), tuple(key.address for key in keys))
    return Keeping(Opened(terms=write_key_list(said)), lambda session: pass_keys.keep(session, codes, event.id, keys))


def _apply_open(session: Session, event: EventRow, row: LogRow, fact: Opened) -> None:
    add_book(session, event, row, fact.terms)


def add_book(session: Session, event: EventRow, row: LogRow, terms: str) -> None:
    """The event gives passes from that row of its log on."""
    store.add_pass_book(session, PassBookRow(event_id=event.id, opened=row.sequence, terms=terms))


def _decide_rotate(scene: Scene, asked: Rotate) -> Rotated:
    book = book_of(scene.session, scene.event.id)
    if book.row.key == len(book.terms.keys):
        raise NoKeyLeft(len(book.terms.keys))
    now = seconds(scene.at)
    until = now if asked.until is None else int(asked.until.astimezone(UTC).timestamp())
    if until > now + LONGEST.total_seconds():
        raise PassTimeRefused(f"an old key counts for {LONGEST.days} days at most")
    return Rotated(key=book.row.key + 1, former_until=[*book.former_until, until])


def _apply_rotate(session: Session, event: EventRow, _: LogRow, fact: Rotated) -> None:
    book = book_of(session, event.id).row
    book.key, book.former_until = fact.key, json.dumps(fact.former_until)


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


def due(event: EventRow, entry: EntryRow, deck: DeckRow | None) -> Due | list[str]:
    """What a pass would say of an entry now, or every reason why there is none."""
    reasons = [*_reasons(event, entry, deck)]
    return reasons or Due(Ownership.UNVERIFIED, None, 0, "", None if deck is None else deck.commitment)


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
        if event.phase in _OVER | {Phase.DRAFT}:
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
    giver = Giver(scene)
    holder_key = None if asked.holder_key is None else _holder_key(asked.holder_key)
    said = due(event, entry, store.find_deck(session, event.id, entry.number))
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
    session, event = scene.session, scene.event
    giver = Giver(scene)
    until = giver.until(asked.until)
    served = {one.row.entry for one in store.passes_of(session, event.id) if standing(one) is Standing.COUNTS}
    last, lists = store.last_passes(session, event.id), store.decks_of(session, event.id)
    given = []
    for entry in store.here_of(session, event.id):
        said = due(event, entry, lists.get(entry.number))
        if entry.number not in served and isinstance(said, Due):
            before = last.get(entry.number)
            given.append(giver.give(entry.number, said, holder_key=before.holder_key if before else None, until=until))
    return AllIssued(given=given)


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


OPEN: Final = Kind(
    name="pass.open",
    arguments=Nothing,
    fact=Opened,
    roles=_ORGANIZERS,
    lasting=True,
    decide=_decide_open,
    apply=_apply_open,
)
ROTATE: Final = Kind(
    name="pass.rotate",
    arguments=Rotate,
    fact=Rotated,
    roles=_ORGANIZERS,
    lasting=True,
    decide=_decide_rotate,
    apply=_apply_rotate,
)
ISSUE: Final = Kind(
    name="pass.issue",
    arguments=Issue,
    fact=Issued,
    roles=DESK | {Role.PLAYER},
    lasting=True,
    decide=_decide_issue,
    apply=_apply_issue,
)
ISSUE_ALL: Final = Kind(
    name="pass.issue-all",
    arguments=IssueAll,
    fact=AllIssued,
    roles=DESK,
    lasting=True,
    decide=_decide_all,
    apply=_apply_all,
)
REVOKE: Final = Kind(
    name="pass.revoke",
    arguments=About,
    fact=Revoked,
    roles=AT_THE_DESK,
    lasting=True,
    decide=_decide_revoke,
    apply=_apply_revoke,
)
KINDS: Final = (OPEN, ROTATE, ISSUE, ISSUE_ALL, REVOKE)


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


def seconds(moment: str) -> int:
    """A moment of the tables in whole seconds since 1970."""
    return int(datetime.fromisoformat(moment).timestamp())


def _holder_key(text: str) -> str:
    """A device's key as passes have it, x in hex digits. Raises: HolderKeyUnreadable."""
    return holder_key_of(bytes.fromhex(text.removeprefix("0x"))).hex()


def _printable(name: str) -> str:
    """A name as a list of keys has it."""
    return "".join(letter if letter.isprintable() else " " for letter in name)[:_NAME]
