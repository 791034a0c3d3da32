"""How an event gives passes: the keys that it promised, and which of them signs.

Keys are named once, several at a time, and cannot change: where players prove their cards by the manifest, elsewhere by
a list of keys alone. To exchange one is to sign with the next; the list of revocations says until when others count.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from pydantic import Field
from sqlmodel import Session

from tournament import store
from tournament.domain.errors import ActionNotAllowed
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role
from tournament.errors import NoKeyLeft, PassesNotOpen, PassKeysMissing, PassTimeRefused
from tournament.service import pass_keys
from tournament.service.announcing import Moment
from tournament.service.codes import Codes
from tournament.service.commands import Already, Fact, Keeping, Kind, Nothing, Scene, WithReason
from tournament.tables import EventRow, LogRow, PassBookRow
from verifier.passes import KeyList, SigningKey, Terms, VerifierKey, parse_terms, write_key_list

LONGEST: Final = timedelta(days=31)
"""That a pass, or an old key, may be good for."""
CLOSED: Final = frozenset({Phase.DRAFT, Phase.FINISHED, Phase.VOID})
"""Phases in which nobody gets a pass."""
_ORGANIZERS: Final = frozenset({Role.ORGANIZER})
_NAME: Final = 200


class PassesOpened(Fact):
    """The event gives passes from now on."""

    terms: str = Field(description="its keys, as every desk reads them; their hash is in each pass")


class Rotate(WithReason):
    """Sign with the next key from now on."""

    until: Moment | None = Field(
        default=None,
        description="when passes that the present key signed count no more; at once when null",
        examples=["2026-03-07T12:00:00Z"],
    )


class KeysRotated(Fact):
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


def _decide_open(scene: Scene, _: Nothing) -> Keeping[PassesOpened] | Already:
    event, book = scene.event, store.find_pass_book(scene.session, scene.event.id)
    if book is not None:
        return Already(book.opened)
    if event.phase in CLOSED:
        raise ActionNotAllowed(event.phase, "give passes")
    if event.manifest_id:  # of an older program: what was promised named no key, and cannot change
        raise PassKeysMissing(event.id)
    keys, codes = pass_keys.fresh(), scene.codes
    said = KeyList(_printable(event.name), "0x" + scene.chance(), tuple(key.address for key in keys))
    return Keeping(
        PassesOpened(terms=write_key_list(said)), lambda session: pass_keys.keep(session, codes, event.id, keys)
    )


def _apply_open(session: Session, event: EventRow, row: LogRow, fact: PassesOpened) -> None:
    add_book(session, event, row, fact.terms)


def add_book(session: Session, event: EventRow, row: LogRow, terms: str) -> None:
    """The event gives passes from that row of its log on."""
    store.add_pass_book(session, PassBookRow(event_id=event.id, opened=row.sequence, terms=terms))


def _decide_rotate(scene: Scene, asked: Rotate) -> KeysRotated:
    book = book_of(scene.session, scene.event.id)
    if book.row.key == len(book.terms.keys):
        raise NoKeyLeft(len(book.terms.keys))
    now = seconds(scene.at)
    until = now if asked.until is None else int(asked.until.astimezone(UTC).timestamp())
    if until > now + LONGEST.total_seconds():
        raise PassTimeRefused(f"an old key counts for {LONGEST.days} days at most")
    return KeysRotated(key=book.row.key + 1, former_until=[*book.former_until, until])


def _apply_rotate(session: Session, event: EventRow, _: LogRow, fact: KeysRotated) -> None:
    book = book_of(session, event.id).row
    book.key, book.former_until = fact.key, json.dumps(fact.former_until)


OPEN: Final = Kind(
    name="pass.open",
    arguments=Nothing,
    fact=PassesOpened,
    roles=_ORGANIZERS,
    lasting=True,
    decide=_decide_open,
    apply=_apply_open,
)
ROTATE: Final = Kind(
    name="pass.rotate",
    arguments=Rotate,
    fact=KeysRotated,
    roles=_ORGANIZERS,
    lasting=True,
    decide=_decide_rotate,
    apply=_apply_rotate,
)
KINDS: Final = (OPEN, ROTATE)


def seconds(moment: str) -> int:
    """A moment of the tables in whole seconds since 1970."""
    return int(datetime.fromisoformat(moment).timestamp())


def _printable(name: str) -> str:
    """A name as a list of keys has it."""
    return "".join(letter if letter.isprintable() else " " for letter in name)[:_NAME]
