"""Decklists of an event: handed in, checked at once, locked, unlocked, and shown to whom they may be shown.

The log is published and never erased, so the list is not in it: the fact has a commitment, and the list with the salt
of the commitment is kept beside the log (`tables.SealedRow`). Nothing in the log tells which cards were played before
the list is shown, or after it is erased.

A list that is not legal is kept as a draft. It never takes the place of a legal one: the last legal list counts.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field, StringConstraints
from sqlmodel import Session

from games import library
from games.errors import GameError
from games.formats import Format, Violation
from tournament import store
from tournament.database import Database
from tournament.domain.errors import ActionNotAllowed
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import READERS, Role
from tournament.errors import (
    DeckLocked,
    DeckNotFound,
    DecksNotAsked,
    LeaveMissing,
    ListsMissing,
    NotPlaying,
    Unlisted,
)
from tournament.service import decks
from tournament.service.commands import (
    Already,
    Arguments,
    Ask,
    Fact,
    Keeping,
    Kind,
    Receipt,
    Scene,
    Seals,
    WithReason,
    is_erased,
    run,
)
from tournament.service.entries import MOST_NUMBER, load_own
from tournament.tables import DeckRow, EntryRow, EventRow, LogRow, SealedRow
from verifier.decklist import MOST_MARKUP_BYTES, Decklist
from verifier.errors import VerifierError

LONGEST_WORD: Final = 255
_DAY: Final = len("2026-01-31")
_STAFF: Final = frozenset({Role.ORGANIZER, Role.SCOREKEEPER, Role.JUDGE, Role.DESK})


class Written(Arguments):
    """A list as a player has it."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"decklist", "syntax", "filename"})

    decklist: Annotated[str, StringConstraints(strip_whitespace=False, min_length=1, max_length=MOST_MARKUP_BYTES)] = (
        Field(description="the whole text, in any of the six syntaxes", examples=["Media Tyrant\n1 Dolores Encore\n…"])
    )
    syntax: str | None = Field(
        default=None, max_length=LONGEST_WORD, description="text, cod, o8d, dek, csv or json; found out when null"
    )
    filename: str | None = Field(default=None, max_length=LONGEST_WORD, description="helps to find the syntax out")


class HandIn(Written):
    """Hand in a list for an entry."""

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])


class HandedIn(Fact):
    """A list was handed in; what is on it is not told here."""

    entry: int
    commitment: str = Field(description="Keccak-256 of a salt and the list's canonical form")
    is_legal: bool = Field(description="a list that is not is a draft, and does not count")
    game: str
    format: str
    version: int = Field(description="of the format")
    max_rating: str | None
    on: date = Field(description="the day by which it was judged: that of the event, else that of the command")


class About(WithReason):
    """The entry whose list it is about, and why."""

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])


class Excepted(Fact):
    """The entry for which something is otherwise now."""

    entry: int


# --- handing in -------------------------------------------------------------------------------------------------------


def _decide_hand_in(scene: Scene, asked: HandIn) -> Keeping[HandedIn] | Already:
    event = scene.event
    entry = load_own(scene, asked.entry)
    row = store.find_deck(scene.session, event.id, entry.number)
    _check_may_hand_in(scene, entry, row)
    rules = rules_of_event(event)
    deck = decks.read_deck(asked.decklist, rules, syntax=asked.syntax, filename=asked.filename)
    day = date.fromisoformat((event.starts_at or scene.at)[:_DAY])
    is_legal = not deck.violations(on=day, max_rating=event.max_rating)
    text = decks.packed(deck.decklist)
    if (already := _handed_in_before(scene, row, text, is_legal=is_legal)) is not None:
        return Already(already)
    salt = scene.chance()
    fact = HandedIn(
        entry=entry.number,
        commitment=decks.commitment_of(deck.decklist, salt),
        is_legal=is_legal,
        game=rules.game,
        format=rules.name,
        version=rules.version,
        max_rating=event.max_rating,
        on=day,
    )
    kept = SealedRow(event_id=event.id, digest=fact.commitment, salt=salt, text=text)
    return Keeping(fact, lambda session: store.save_sealed(session, kept))


def _check_may_hand_in(scene: Scene, entry: EntryRow, row: DeckRow | None) -> None:
    event = scene.event
    if event.decklist == "none":
        raise DecksNotAsked(event.id)
    if event.phase in {Phase.FINISHED, Phase.VOID}:
        raise ActionNotAllowed(event.phase, "hand in a list")
    if entry.dropped_after is not None:
        raise NotPlaying(entry.number)
    why = why_locked(scene.session, event, scene.at)
    is_unlocked = row is not None and row.unlocked is not None
    is_first_by_staff = scene.player is None and (row is None or row.commitment is None)
    if why and not is_unlocked and not is_first_by_staff:
        raise DeckLocked(entry.number, why)


def why_locked(session: Session, event: EventRow, at: str) -> str | None:
    """Why lists are locked at a moment, in UTC; None while they are not."""
    if store.last_published(session, event.id):
        return "round 1 has begun"
    if event.decks_until is not None:
        return f"lists were due at {event.decks_until}" if at >= event.decks_until else None
    return None if event.phase in {Phase.DRAFT, Phase.REGISTRATION} else "registration is closed"


def _handed_in_before(scene: Scene, row: DeckRow | None, text: str, *, is_legal: bool) -> int | None:
    """The command that handed in the same list, if it is the present one."""
    if row is None or (is_legal and row.draft is not None):
        return None
    digest, since = (row.commitment, row.listed) if is_legal else (row.draft, row.drafted)
    kept = None if digest is None else store.find_sealed(scene.session, scene.event.id, digest)
    return since if kept is not None and kept.text == text else None


def _apply_hand_in(session: Session, event: EventRow, row: LogRow, fact: HandedIn) -> None:
    deck = _row(session, event, fact.entry)
    if fact.is_legal:
        deck.commitment, deck.listed = fact.commitment, row.sequence
        deck.draft = deck.drafted = deck.unlocked = None
    else:
        deck.draft, deck.drafted = fact.commitment, row.sequence


def _holds(kept: SealedRow) -> bool:
    try:
        return decks.commitment_of(decks.unpacked(kept.text), kept.salt) == kept.digest
    except (ValueError, TypeError, KeyError):
        return False


def _is_same(kept: SealedRow, fact: HandedIn, asked: HandIn) -> bool:
    try:
        return kept.text == decks.packed(read_again(asked, fact).decklist)
    except (VerifierError, GameError):
        return False


# --- exceptions -------------------------------------------------------------------------------------------------------


def _exception(
    column: Literal["unlocked", "waived"],
    give: str,
    take: str,
    what: str,
    *,
    taken: Callable[[Session, str], None] = lambda _, __: None,
) -> tuple[Kind[About, Excepted], Kind[About, Excepted]]:
    """The commands that make an exception for a player and take it back.

    Args:
        column: of the deck's row: the sequence of the command that made the exception.
        give: the command that makes it.
        take: the one that takes it back.
        what: the player may do then.
        taken: what else happens of the event when it is taken back.
    """

    def decide_give(scene: Scene, asked: About) -> Excepted | Already:
        row = _looked_at(scene, asked)
        since = None if row is None else getattr(row, column)
        return Excepted(entry=asked.entry) if since is None else Already(since)

    def apply_give(session: Session, event: EventRow, row: LogRow, fact: Excepted) -> None:
        setattr(_row(session, event, fact.entry), column, row.sequence)

    def decide_take(scene: Scene, asked: About) -> Excepted:
        row = _looked_at(scene, asked)
        if row is None or getattr(row, column) is None:
            raise LeaveMissing(asked.entry, what)
        return Excepted(entry=asked.entry)

    def apply_take(session: Session, event: EventRow, _: LogRow, fact: Excepted) -> None:
        setattr(_row(session, event, fact.entry), column, None)
        taken(session, event.id)

    kinds = ((give, decide_give, apply_give), (take, decide_take, apply_take))
    given, back = (
        Kind(name=name, arguments=About, fact=Excepted, roles=READERS, decide=decide, apply=apply)
        for name, decide, apply in kinds
    )
    return given, back


HAND_IN: Final = Kind(
    name="deck.hand-in",
    arguments=HandIn,
    fact=HandedIn,
    roles=_STAFF | {Role.PLAYER},
    decide=_decide_hand_in,
    apply=_apply_hand_in,
    seals=Seals(digest=lambda fact: fact.commitment, holds=_holds, same=_is_same),
)
UNLOCK, LOCK = _exception("unlocked", "deck.unlock", "deck.lock", "change the list after the lock")
WAIVE, REQUIRE = _exception(
    "waived", "deck.waive", "deck.require", "play without a legal list", taken=store.delete_drafts
)
KINDS: Final = (HAND_IN, UNLOCK, LOCK, WAIVE, REQUIRE)


# --- reading ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answer:
    """A receipt, and what was found in the list."""

    receipt: Receipt
    fact: HandedIn
    hash: str
    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A list that was handed in."""

    fact: HandedIn
    at: str
    decklist: Decklist
    salt: str
    violations: tuple[Violation, ...]
    """Of a draft; with no lines, since the list is no longer as it was written."""


def load(session: Session, event: str, entry: int) -> tuple[Kept | None, Kept | None]:
    """The list that counts, and the draft that was handed in after it.

    Raises:
        DeckNotFound: neither is there, or they were erased.
    """
    row = store.find_deck(session, event, entry)
    listed, draft = (
        (None, None)
        if row is None
        else (_kept(session, event, row.listed, row.commitment), _kept(session, event, row.drafted, row.draft))
    )
    if listed is None and draft is None:
        raise DeckNotFound(entry, is_erased=row is not None and row.erased is not None)
    return listed, draft


def check_listed(session: Session, event: EventRow, number: int) -> None:
    """Refuse a round while the event requires lists and somebody who would play has none.

    Raises:
        ListsMissing: with everybody who has none.
    """
    if event.decklist == "required" and (missing := unlisted(session, event.id)):
        raise ListsMissing(number, missing)


def unlisted(session: Session, event: str) -> list[Unlisted]:
    """Who has a place, no legal list, and no leave to play without one."""
    return [
        Unlisted(entry.number, entry.name, deck is not None and deck.draft is not None)
        for entry, deck in store.without_list(session, event)
    ]


def hand_in(database: Database, ask: Ask, asked: HandIn) -> Answer:
    """Hand in a list, and learn every rule that it breaks; the same again if it is asked again.

    Raises:
        DecklistUnreadable: nothing was handed in; every line that cannot be read or names no card.
        DeckLocked: the list can no longer be changed.
    """
    receipt = run(database, HAND_IN, ask, asked)
    fact = HandedIn.model_validate(json.loads(receipt.body)["fact"])
    deck = read_again(asked, fact)
    violations = deck.violations(on=fact.on, max_rating=fact.max_rating)
    return Answer(receipt, fact, decks.hash_of(deck.decklist), tuple(violations))


def read_again(asked: Written, fact: HandedIn) -> decks.Deck:
    """The deck of a command that was accepted, under the rules that it was judged by.

    Raises:
        GameError: the rules or the cards are not there any more.
        DecklistUnreadable: it is another list.
    """
    rules = library.format_named(fact.game, fact.format, fact.version)
    return decks.read_deck(asked.decklist, rules, syntax=asked.syntax, filename=asked.filename)


def rules_of_event(event: EventRow) -> Format:
    """The format by which lists of an event are judged."""
    if event.format and event.format_version is not None:
        return library.format_named(event.game, event.format, event.format_version)
    return decks.rules_of(event.game, event.format or None)


def _kept(session: Session, event: str, sequence: int | None, digest: str | None) -> Kept | None:
    if sequence is None or digest is None:
        return None
    kept, row = store.find_sealed(session, event, digest), store.log_row(session, event, sequence)
    if kept is None or is_erased(kept):
        return None
    fact, decklist = HandedIn.model_validate_json(row.fact), decks.unpacked(kept.text)
    return Kept(fact, row.at, decklist, kept.salt, _violations(fact, decklist))


def _violations(fact: HandedIn, decklist: Decklist) -> tuple[Violation, ...]:
    if fact.is_legal:
        return ()
    rules = library.format_named(fact.game, fact.format, fact.version)
    return tuple(decks.find_cards(decklist, rules).violations(on=fact.on, max_rating=fact.max_rating))


def _looked_at(scene: Scene, asked: About) -> DeckRow | None:
    if scene.event.decklist == "none":
        raise DecksNotAsked(scene.event.id)
    return store.find_deck(scene.session, scene.event.id, load_own(scene, asked.entry).number)


def _row(session: Session, event: EventRow, entry: int) -> DeckRow:
    row = store.find_deck(session, event.id, entry)
    if row is None:
        row = DeckRow(event_id=event.id, entry=entry)
        store.add_deck(session, row)
    return row
