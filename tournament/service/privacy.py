"""What is held about a player, told as one file, and erased.

Nothing that a log has of a person is in the log itself: names, lists and what judges wrote are kept beside it under
commitments (`beside`, `decklists`). So erasing them changes no row of the log. It holds, every result, round and
certificate is derived from it as before, and whoever was once shown some words with their salt can still prove them.

Words about a table are about everybody who sits there, and go with the first of them.
"""

import json
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import Field
from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import ORGANIZERS
from tournament.errors import DatabaseUnavailable, EntryVoid, ErasureTooEarly, NothingToErase, SeriesWouldPart
from tournament.service import (
    beside,
    calls,
    deck_checks,
    decklists,
    entries,
    imports,
    notes,
    penalties,
    registrations,
    rosters,
    series,
    wallets,
)
from tournament.service.beside import ENTRY, GONE, Named, Subject, nameless
from tournament.service.chain import receipt_of
from tournament.service.commands import PLAYER, Already, Ask, Fact, Keeping, Kind, Receipt, Scene, WithReason, run
from tournament.service.entries import MOST_NUMBER
from tournament.tables import (
    AllocationRow,
    BracketLineRow,
    CallRow,
    ClaimRow,
    DeckCheckRow,
    DeckRow,
    DepartureRow,
    EntryRow,
    EventRow,
    HoldingRow,
    LogRow,
    NoteRow,
    PassRow,
    PenaltyRow,
    ScanRow,
    SealedRow,
    SeatRow,
    VerdictRow,
)

HOLDING: Final[Mapping[str, Kind[Any, Any]]] = {
    kind.name: kind
    for noun in (entries, registrations, rosters, imports, decklists, notes, penalties, calls, deck_checks, wallets)
    for kind in noun.KINDS
    if kind.keeps
}
"""The kinds of commands beside whose facts something of a person is kept."""
FOR_STAFF: Final = frozenset(
    kind.name for kind in (notes.WRITE, notes.AMEND, calls.CLOSE, deck_checks.FINISH, deck_checks.AMEND)
)
"""Those whose words are for staff; a player gets them from an organizer."""
_LOG: Final = logging.getLogger(__name__)
_OVER: Final = frozenset({Phase.FINISHED, Phase.VOID})


# --- whose ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class About:
    """What is about some players."""

    entries: tuple[int, ...]
    """Theirs, and those that became part of theirs; in order."""
    notes: tuple[int, ...]
    calls: tuple[int, ...]
    penalties: tuple[int, ...]
    deck_checks: tuple[int, ...]

    @property
    def subjects(self) -> frozenset[Subject]:
        """The same, as facts name them."""
        numbered = {
            ENTRY: self.entries,
            "note": self.notes,
            "call": self.calls,
            "penalty": self.penalties,
            "deck_check": self.deck_checks,
        }
        return frozenset(Subject(noun, number) for noun, numbers in numbered.items() for number in numbers)


def about(session: Session, event: str, wanted: Collection[int]) -> About:
    """What is about the players of these entries, in a number of questions that does not grow with them."""
    merged = store.merged_of(session, event)
    theirs = {*wanted, *(number for number in merged if _root(merged, number) in wanted)}
    noted, called = store.notes_of(session, event), store.calls_of(session, event)
    of_table: list[NoteRow | CallRow] = [row for row in noted if row.entry is None]
    of_table += [row for row in called if row.entry is None and row.first is None]
    sat = {
        (seat.round, seat.table_number)
        for seat in store.seats_in(session, event, (row.round for row in of_table if row.round))
        if theirs & set(seat.players)
    }

    def is_theirs(row: NoteRow | CallRow) -> bool:
        if isinstance(row, CallRow) and row.entry is None and row.first is not None:
            return bool(theirs & set(row.players))
        return row.entry in theirs or (row.entry is None and (row.round, row.table_number) in sat)

    return About(
        entries=tuple(sorted(theirs)),
        notes=tuple(row.number for row in noted if is_theirs(row)),
        calls=tuple(row.number for row in called if is_theirs(row)),
        penalties=tuple(row.number for row in store.penalties_of(session, event) if row.entry in theirs),
        deck_checks=tuple(row.number for row in store.deck_checks_of(session, event) if theirs & set(row.players)),
    )


def _root(merged: Mapping[int, int], number: int) -> int:
    while number in merged:
        number = merged[number]
    return number


@dataclass(frozen=True)
class KeptWords:
    """Something that is kept beside the log, or was, and the row that has its commitment."""

    row: LogRow
    subject: Subject
    kept: SealedRow
    """Without salt and text if it is erased, or stayed where the event came from."""


def _named(
    session: Session, event: str, subjects: Collection[Subject], kinds: Mapping[str, Kind[Any, Any]] = HOLDING
) -> Iterator[tuple[LogRow, Named]]:
    for row in store.log_of(session, event, list(kinds)):
        for named in kinds[row.name].named(row.fact):
            if named.subject in subjects:
                yield row, named


# --- erasing ----------------------------------------------------------------------------------------------------------


class Erasing(WithReason):
    """Erase, and why."""

    even_so: bool = Field(
        default=False, description="also if a series joins the entry with those of other events by the name alone"
    )


class Erase(Erasing):
    """Erase what is held about a player, or about everybody."""

    entry: int | None = Field(default=None, ge=1, le=MOST_NUMBER, description="everybody when null", examples=[17])


class Erased(Fact):
    """Names, lists, and what judges wrote of these players are erased; their codes are worth nothing."""

    entries: list[int] = Field(description="the players' entries, and those that became part of them")
    notes: list[int] = Field(description="whose words are erased")
    calls: list[int]
    penalties: list[int] = Field(description="whose words are erased; infraction and level stay")
    deck_checks: list[int]
    digests: list[str] = Field(description="the commitments in the log that nobody can open any more")


class EraseLists(WithReason):
    """The entry whose lists are erased, and why."""

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])


class ListsErased(Fact):
    """The lists of the player are erased."""

    entries: list[int] = Field(description="the player's, and those that became part of it")
    digests: list[str] = Field(description="the commitments in the log that nobody can open any more")


def why_not(session: Session, event: EventRow, wanted: Sequence[EntryRow], *, wallets_too: bool = True) -> list[int]:
    """Those of the entries that the event still needs, by number: they play or have, or others play with a share."""
    if event.phase in _OVER:
        return []
    left = [row.number for row in wanted if row.dropped_after is not None]
    needed = store.seated_before(session, event.id, left)
    if wallets_too:
        needed |= store.lending(session, event.id, left)
    return [row.number for row in wanted if row.dropped_after is None or row.number in needed]


def _decide_erase(scene: Scene, asked: Erase) -> Keeping[Erased] | Already:
    session, event = scene.session, scene.event
    wanted = _wanted(session, event.id, asked.entry)
    if early := why_not(session, event, wanted):
        raise ErasureTooEarly(early, event.phase)
    theirs = about(session, event.id, [row.number for row in wanted])
    digests = _still_kept(session, event.id, theirs.subjects)
    new = [row for row in wanted if row.erased is None]
    if not (new or digests):
        if asked.entry is not None and wanted[0].erased is not None:
            return Already(wanted[0].erased)
        raise NothingToErase("everybody")
    if not asked.even_so and (parted := _parted(session, event.id, {row.number for row in new})):
        raise SeriesWouldPart(*parted)
    fact = Erased(
        entries=list(theirs.entries),
        notes=list(theirs.notes),
        calls=list(theirs.calls),
        penalties=list(theirs.penalties),
        deck_checks=list(theirs.deck_checks),
        digests=digests,
    )
    return Keeping(fact, lambda session: _forget(session, event.id, fact))


def _forget(session: Session, event: str, fact: Erased) -> None:
    """Forget what is kept beside the log, and what was worked out from it."""
    store.erase_sealed(session, event, fact.digests)
    addresses = store.forget_known(session, event, frozenset(fact.digests))
    store.forget_sign_ins(session, event, fact.entries)
    store.forget_held(session, event, fact.entries, addresses)
    store.forget_moved(session, event, fact.entries, addresses)


def _wanted(session: Session, event: str, entry: int | None) -> list[EntryRow]:
    """Raises: EntryNotFound, EntryVoid, NothingToErase."""
    if entry is None:
        found = [row for row in store.entries_of(session, event) if row.merged_into is None]
        if not found:
            raise NothingToErase("nobody entered")
        return found
    row = entries.load(session, event, entry)
    if row.merged_into is not None:
        raise EntryVoid(entry, row.merged_into)
    return [row]


def _still_kept(
    session: Session, event: str, subjects: Collection[Subject], kinds: Mapping[str, Kind[Any, Any]] = HOLDING
) -> list[str]:
    """The commitments of what is about them and is not erased yet."""
    digests = [named.digest for _, named in _named(session, event, subjects, kinds)]
    texts = store.sealed_texts(session, event, digests)
    return [digest for digest in dict.fromkeys(digests) if digest in texts]


def _parted(session: Session, event: str, numbers: Collection[int]) -> tuple[list[str], list[int]] | None:
    """Series that would take one person for two, and the entries that only the name joins with others there."""
    found: set[int] = set()
    parting = []
    for named in store.series_with(session, event):
        if parted := series.parted_without_names(session, named, event, numbers):
            parting.append(named)
            found |= parted
    return (parting, sorted(found)) if parting else None


def _apply_erase(session: Session, event: EventRow, row: LogRow, fact: Erased) -> None:
    for entry in store.entries_numbered(session, event.id, fact.entries):
        entry.name, entry.erased, entry.code = nameless(Subject(ENTRY, entry.number)), row.sequence, entry.code + 1
    _forget_lists(session, event.id, row, fact.entries)
    for note in store.texts_of_notes(session, event.id, fact.notes):
        note.text = _gone(note.text)
    for call in (one for one in store.calls_of(session, event.id) if one.number in set(fact.calls)):
        call.topic, call.ruling = _gone(call.topic), _gone(call.ruling)
    for penalty in store.penalties_given(session, event.id, fact.penalties):
        penalty.text = _gone(penalty.text)
    for check in (one for one in store.deck_checks_of(session, event.id) if one.number in set(fact.deck_checks)):
        check.text = _gone(check.text)


def _gone(text: str) -> str:
    return text and GONE


def _forget_lists(session: Session, event: str, row: LogRow, numbers: Iterable[int]) -> None:
    for deck in store.decks_numbered(session, event, set(numbers)):
        deck.erased = row.sequence


def _decide_erase_lists(scene: Scene, asked: EraseLists) -> Keeping[ListsErased] | Already:
    session, event = scene.session, scene.event
    wanted = _wanted(session, event.id, asked.entry)
    if early := why_not(session, event, wanted, wallets_too=False):
        raise ErasureTooEarly(early, event.phase)
    theirs = about(session, event.id, [asked.entry])
    digests = _still_kept(session, event.id, theirs.subjects, {decklists.HAND_IN.name: decklists.HAND_IN})
    if not digests:
        deck = store.find_deck(session, event.id, asked.entry)
        if deck is not None and deck.erased is not None:
            return Already(deck.erased)
        raise NothingToErase(f"number {asked.entry} has no list")
    fact = ListsErased(entries=list(theirs.entries), digests=digests)
    return Keeping(fact, lambda session: store.erase_sealed(session, event.id, digests))


def _apply_erase_lists(session: Session, event: EventRow, row: LogRow, fact: ListsErased) -> None:
    _forget_lists(session, event.id, row, fact.entries)


def erase(database: Database, ask: Ask, asked: Erase) -> Receipt:
    """Erase what is held about a player, or about everybody, also from where the database wrote it down before.

    Raises:
        ErasureTooEarly: the event still needs it.
        SeriesWouldPart: a series would no longer know who is one person.
        NothingToErase: it is erased already.
    """
    return _scrubbed(database, run(database, ERASE, ask, asked))


def erase_lists(database: Database, ask: Ask, asked: EraseLists) -> Receipt:
    """Erase every list that a player handed in.

    Raises:
        ErasureTooEarly: the event still needs them.
        NothingToErase: there is none.
    """
    return _scrubbed(database, run(database, ERASE_LISTS, ask, asked))


def _scrubbed(database: Database, given: Receipt) -> Receipt:
    try:
        database.scrub()
    except DatabaseUnavailable:
        _LOG.warning(
            "what was erased of event %s is still in the write-ahead log, until that is written anew", given.event
        )
    return given


ERASE: Final = Kind(
    name="entry.erase",
    arguments=Erase,
    fact=Erased,
    roles=ORGANIZERS,
    lasting=True,
    decide=_decide_erase,
    apply=_apply_erase,
)
ERASE_LISTS: Final = Kind(
    name="deck.erase",
    arguments=EraseLists,
    fact=ListsErased,
    roles=ORGANIZERS,
    lasting=True,
    decide=_decide_erase_lists,
    apply=_apply_erase_lists,
)
KINDS: Final = (ERASE, ERASE_LISTS)


# --- telling ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Held:
    """Everything that is held about a player."""

    entry: EntryRow
    about: About
    words: Sequence[KeptWords]
    """In the order of the log."""
    seats: Sequence[SeatRow]
    """Of published rounds."""
    cut: Sequence[BracketLineRow]
    claims: Sequence[ClaimRow]
    calls: Sequence[CallRow]
    penalties: Sequence[PenaltyRow]
    deck_checks: Sequence[DeckCheckRow]
    deck: DeckRow | None
    wallets: Sequence[store.LinkedWallet]
    verdicts: Sequence[VerdictRow]
    """Of each epoch, in order."""
    holdings: Sequence[HoldingRow]
    set_aside: Sequence[AllocationRow]
    lacked: Mapping[int, str]
    """By epoch."""
    left: Sequence[DepartureRow]
    """What left the wallets while it was set aside."""
    passes: Sequence[PassRow]
    """All that were made, by number."""
    scans: Sequence[ScanRow]
    """When and where the player came in."""
    commands: Sequence[Mapping[str, Any]]
    """Receipts of what the player did, in order."""


def held(session: Session, event: EventRow, number: int) -> Held:
    """Everything that is held about the player of an entry.

    Raises:
        EntryNotFound: no such entry.
        EntryVoid: it became part of another one, which tells both.
    """
    (row,) = _wanted(session, event.id, number)
    theirs = about(session, event.id, [number])
    named = list(_named(session, event.id, theirs.subjects))
    kept = store.sealed_rows(session, event.id, [one.digest for _, one in named])
    actors = [f"{PLAYER}{entry}" for entry in theirs.entries]
    linked = store.wallets_of(session, event.id, number)
    return Held(
        entry=row,
        about=theirs,
        words=[
            KeptWords(logged, one.subject, kept.get(one.digest) or _elsewhere(event.id, one.digest))
            for logged, one in named
        ],
        seats=store.places_of(session, event.id, number),
        cut=store.cut_of(session, event.id, number),
        claims=store.claims_by_entry(session, event.id, number),
        calls=[call for call in store.calls_of(session, event.id) if call.number in theirs.calls],
        penalties=store.penalties_of(session, event.id, entry=number),
        deck_checks=store.deck_checks_with(session, event.id, number),
        deck=store.find_deck(session, event.id, number),
        wallets=linked,
        verdicts=store.verdicts_of(session, event.id, number),
        holdings=store.holdings_of(session, event.id, [one.address for one in linked if one.address]),
        set_aside=store.set_aside_for(session, event.id, number),
        lacked=store.shortfalls_of(session, event.id, number),
        left=store.departures_of(session, event.id, number),
        passes=store.passes_ever(session, event.id, theirs.entries),
        scans=store.scans_of(session, event.id, entries=theirs.entries),
        commands=[json.loads(receipt_of(done)) for done in store.commands_by(session, event.id, actors)],
    )


def _elsewhere(event: str, digest: str) -> SealedRow:
    return SealedRow(event_id=event, digest=digest, salt="", text="")


@dataclass(frozen=True)
class Staying:
    """Something that erasing leaves, and why."""

    what: str
    why: str


STAYS: Final = (
    Staying("the number of the entry, and when it was made", "results and pairings name players by it"),
    Staying("results, byes, places, drops and a disqualification", "the standings of everybody hang on them"),
    Staying("infraction and level of each penalty", "they explain results, and repeated ones weigh more"),
    Staying("numbers and times of passes, and when and where they let the player in", "desks' records are chains"),
    Staying("the commitments of names, lists and wallets", "the log is a chain; without salts they tell nothing"),
    Staying("what was found at each epoch: covered, short or undetermined", "an event is sanctioned by it"),
    Staying("what nodes said of all wallets together", "it proves the epochs; it names nobody"),
    Staying("the reasons that staff gave to commands", "they are public words, and are not to name anybody"),
    Staying("what was downloaded or backed up before", "it is not here; a backup that is put back has it again"),
)


@dataclass(frozen=True)
class Erasure:
    """What erasing would do now."""

    about: About
    early: Sequence[int]
    """Entries that the event still needs."""
    parted: tuple[list[str], list[int]] | None
    """Series that would take one person for two, and for which entries."""
    kept: int
    """How many names, lists and words would be erased."""
    in_log: Sequence[int]
    """Rows of the log that have such words themselves, from an older program; they stay."""


def looked_at(session: Session, event: EventRow, number: int | None) -> Erasure:
    """What erasing a player, or everybody, would do now.

    Raises:
        EntryNotFound, EntryVoid, NothingToErase
    """
    wanted = _wanted(session, event.id, number)
    theirs = about(session, event.id, [row.number for row in wanted])
    new = {row.number for row in wanted if row.erased is None}
    return Erasure(
        about=theirs,
        early=why_not(session, event, wanted),
        parted=_parted(session, event.id, new),
        kept=len(_still_kept(session, event.id, theirs.subjects)),
        in_log=[
            row.sequence
            for row in store.log_of(session, event.id, list(HOLDING))
            if any(
                subject in theirs.subjects
                for subject in beside.spoken(json.loads(row.fact), HOLDING[row.name].fact.beside)
            )
        ],
    )
