"""What a desk reads of an event besides its documents: how many are here, who is sought, and what needs a person.

Only for whoever works at a desk. Neither wallets nor lists are in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from sqlmodel import Session

from tournament import store
from tournament.api import documents
from tournament.api.answers import Viewer
from tournament.api.schemas import Entry, EntryCode, LightLine, PassLine
from tournament.database import Database
from tournament.domain.lifecycle import Action, Phase, allowed
from tournament.domain.roles import AT_THE_DESK, INSIDERS, ORGANIZERS, READERS, by_rank
from tournament.errors import NotYours
from tournament.service import accounts, departures, ownership, pass_desks, passes, scans
from tournament.service.codes import Purpose
from tournament.service.entries import DESK, load
from tournament.service.shortfalls import Light
from tournament.tables import EntryRow
from verifier.decklist.fold import fold

OF_LAST: Final = 10
"""Arrivals by which the pace is measured."""
_FEWEST: Final = 3
TOO_OLD: Final = timedelta(minutes=15)
"""If the first of these was longer ago, nobody is coming just now."""
_LEAST: Final = timedelta(seconds=10)
_MINUTE: Final = timedelta(minutes=1)
_OVER: Final = frozenset({Phase.FINISHED, Phase.VOID})


class ListState(StrEnum):
    """How far a player's list is."""

    NOT_ASKED = "not asked"
    MISSING = "missing"
    DRAFT = "not legal"
    """One was handed in that breaks rules, and does not count."""
    WAIVED = "plays without one"
    THERE = "handed in"


class Presence(StrEnum):
    """What became of a player so far."""

    EXPECTED = "expected"
    HERE = "is here"
    WAITING = "waits for a place"
    LEFT = "left"
    DISQUALIFIED = "disqualified"
    MERGED = "became part of another entry"


@dataclass(frozen=True)
class Guest:
    """A player as a desk sees them."""

    entry: Entry
    presence: Presence
    deck: ListState
    is_unlocked: bool
    """A judge lets the player change the list after the lock."""
    needs_list: bool
    """The event requires one."""
    light: LightLine | None
    """Of the cards; None where nobody asks for them."""
    pass_line: PassLine | None
    """The pass that counts, or the last one that was not revoked."""

    @property
    def to_do(self) -> list[str]:
        """What has to be done before the player can play: words of `web/words.py`."""
        found = []
        if self.needs_list and self.deck in {ListState.MISSING, ListState.DRAFT}:
            found.append("list")
        if self.light is not None and self.light.light is Light.RED:
            found.append("cards")
        return found


class Kind(StrEnum):
    """Why somebody has to look at it."""

    TWICE = "twice"
    """A player came in more than once, or by a pass that did not count."""
    FOREIGN = "foreign"
    """A desk let in a pass that this server has not made."""
    LIST = "list"
    """A player who is here has no legal list, and the event requires one."""
    CARDS = "cards"
    """Cards of a player who is here are missing."""
    GONE = "gone"
    """Cards left a player's wallet since they were looked at."""


@dataclass(frozen=True)
class Trouble:
    """Something that a person has to settle."""

    kind: Kind
    entry: int | None
    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Counts:
    """How far check-in is."""

    expected: int
    """Players with a place."""
    here: int
    waiting: int
    """Who waits for a place."""
    waiting_here: int
    without_list: int
    per_minute: float | None
    """By the last few who came; None if nobody comes just now."""

    @property
    def missing(self) -> int:
        """Who has a place and is not here."""
        return self.expected - self.here

    @property
    def minutes_left(self) -> int | None:
        """Until all are here, if they go on coming like that."""
        if not self.per_minute or not self.missing:
            return None
        return max(1, round(self.missing / self.per_minute))


@dataclass(frozen=True)
class May:
    """What somebody at a desk may do, by role and by the phase of the event."""

    check_in: bool
    enter: bool
    give: bool
    """Enter players, know their codes, make their passes."""
    settle: bool
    open_passes: bool


def check_at_the_desk(viewer: Viewer) -> None:
    """Raises: NotYours: somebody else looks."""
    if not viewer.roles & AT_THE_DESK:
        raise NotYours("working at the desk", by_rank(AT_THE_DESK))


def may(viewer: Viewer) -> May:
    """What the viewer may do now."""
    now = allowed(Phase(viewer.event.phase))
    is_desk = bool(viewer.roles & DESK)
    return May(
        check_in=Action.CHECK_IN in now,
        enter=is_desk and bool(now & {Action.ENTER, Action.ENTER_LATE}),
        give=is_desk,
        settle=bool(viewer.roles & INSIDERS),
        open_passes=bool(viewer.roles & ORGANIZERS) and viewer.event.phase not in {*_OVER, Phase.DRAFT},
    )


def counts_of(viewer: Viewer, at: datetime) -> Counts:
    """How many are here, and how fast they come.

    Args:
        viewer: at a desk.
        at: now.
    """
    session, event = viewer.session, viewer.event
    in_place, waiting = store.here_of(session, event.id), store.waiting_rows(session, event.id)
    here = [row for row in in_place if row.checked_in is not None]
    lacking = store.without_list(session, event.id) if event.decklist == "required" else ()
    return Counts(
        expected=len(in_place),
        here=len(here),
        waiting=len(waiting),
        waiting_here=sum(row.checked_in is not None for row in waiting),
        without_list=len(lacking),
        per_minute=_pace(session, event.id, [row.checked_in for row in here if row.checked_in is not None], at),
    )


def _pace(session: Session, event: str, came: Sequence[int], at: datetime) -> float | None:
    """Players a minute.

    Args:
        session: to ask.
        event: whose.
        came: the sequences of the commands that checked them in.
        at: now.
    """
    last = sorted(came)[-OF_LAST:]
    if len(last) < _FEWEST:
        return None
    since = at - datetime.fromisoformat(store.log_row(session, event, last[0]).at).astimezone(UTC)
    return None if since > TOO_OLD else len(last) * (_MINUTE / max(since, _LEAST))


def guests_of(viewer: Viewer) -> list[EntryRow]:
    """Everybody by name, without entries that became part of another."""
    rows = store.entries_of(viewer.session, viewer.event.id)
    return sorted((row for row in rows if row.merged_into is None), key=lambda row: (fold(row.name), row.number))


def absent_of(viewer: Viewer) -> list[EntryRow]:
    """Who has a place and is not here, by name."""
    rows = [row for row in store.here_of(viewer.session, viewer.event.id) if row.checked_in is None]
    return sorted(rows, key=lambda row: (fold(row.name), row.number))


def guest_of(viewer: Viewer, number: int) -> Guest:
    """A player. Raises: EntryNotFound."""
    return guests_named(viewer, [load(viewer.session, viewer.event.id, number)])[0]


def guests_named(viewer: Viewer, rows: Sequence[EntryRow]) -> list[Guest]:
    """These players, a few of them, in their order."""
    lights = _lights(viewer) if rows and ownership.is_required(viewer.event) else None
    return [_guest(viewer, row, None if lights is None else lights.get(row.number)) for row in rows]


def _guest(viewer: Viewer, row: EntryRow, light: LightLine | None) -> Guest:
    session, event = viewer.session, viewer.event
    deck = store.find_deck(session, event.id, row.number)
    given = store.passes_of(session, event.id, entry=row.number)
    if event.decklist == "none":
        state = ListState.NOT_ASKED
    elif deck is None or (deck.commitment is None and deck.draft is None and deck.waived is None):
        state = ListState.MISSING
    elif deck.commitment is not None:
        state = ListState.THERE
    else:
        state = ListState.WAIVED if deck.waived is not None else ListState.DRAFT
    return Guest(
        Entry.of(row, deck),
        _presence(row),
        state,
        is_unlocked=deck is not None and deck.unlocked is not None,
        needs_list=event.decklist == "required",
        light=light,
        pass_line=PassLine.of(given[-1]) if given else None,
    )


def _presence(row: EntryRow) -> Presence:
    if row.merged_into is not None:
        return Presence.MERGED
    if row.disqualified:
        return Presence.DISQUALIFIED
    if row.dropped_after is not None:
        return Presence.LEFT
    if row.waiting is not None:
        return Presence.WAITING
    return Presence.HERE if row.checked_in is not None else Presence.EXPECTED


def _lights(viewer: Viewer) -> Mapping[int, LightLine]:
    return {line.entry: line for line in documents.lights_of(viewer).lights}


def namesakes_of(viewer: Viewer, name: str) -> list[EntryRow]:
    """Who is called the same but for case, spaces and the like."""
    typed = fold(name)
    return [row for row in guests_of(viewer) if fold(row.name) == typed]


def troubles_of(viewer: Viewer) -> list[Trouble]:
    """All that needs a person now, what holds round 1 up first."""
    return [*_twice(viewer), *_foreign(viewer), *_gone(viewer), *_lacking(viewer)]


def _twice(viewer: Viewer) -> Iterator[Trouble]:
    for row, words in scans.unsettled(viewer.session, viewer.event):
        yield Trouble(Kind.TWICE, row.number, row.name, tuple(words))


def _foreign(viewer: Viewer) -> Iterator[Trouble]:
    rows = store.foreign_scans(viewer.session, viewer.event.id)
    names = pass_desks.desk_names(viewer.session, viewer.event.id) if rows else {}
    for row in rows:
        yield Trouble(Kind.FOREIGN, None, "", (scans.words_of(row, viewer.event, names),))


def _gone(viewer: Viewer) -> Iterator[Trouble]:
    """For judges and organizers, who see what players hold: once for each player."""
    if not viewer.roles & READERS or not ownership.is_required(viewer.event) or viewer.event.phase in _OVER:
        return
    read = [row.block_number for row in store.epochs_of(viewer.session, viewer.event.id) if row.block_number]
    found: dict[int, Trouble] = {}
    for alert in departures.left_of(viewer.session, viewer.event):
        if read and alert.row.block > max(read):
            before = found.get(alert.row.entry)
            what = f"{alert.row.units} of {alert.card or f'token {alert.row.token_id}'}"
            words = (*(before.words if before else ()), what)
            found[alert.row.entry] = Trouble(Kind.GONE, alert.row.entry, alert.name, words)
    yield from found.values()


def _lacking(viewer: Viewer) -> Iterator[Trouble]:
    """Players who are here and cannot play yet, as far as the desk can do something about it."""
    session, event = viewer.session, viewer.event
    if event.phase in _OVER:
        return
    here = {row.number: row for row in store.here_of(session, event.id) if row.checked_in is not None}
    if event.decklist == "required":
        for row, _ in store.without_list(session, event.id):
            if row.number in here:
                yield Trouble(Kind.LIST, row.number, row.name, ())
    if ownership.is_required(event) and here:
        for line in _lights(viewer).values():
            if line.entry in here and line.light is Light.RED:
                yield Trouble(Kind.CARDS, line.entry, line.name, (line.words,))


def code_of(viewer: Viewer, number: int) -> EntryCode:
    """What a player acts with. Raises: NotYours, EntryNotFound."""
    if not viewer.roles & DESK:
        raise NotYours("reading codes", by_rank(DESK))
    row, codes, event = load(viewer.session, viewer.event.id, number), viewer.codes, viewer.event.id
    return EntryCode(
        entry=row.number,
        name=row.name,
        code=codes.code(Purpose.ENTRY, event, row.number, row.code),
        token=accounts.entry_token(codes, event, row.number, row.code),
    )


def pass_of(viewer: Viewer, number: int) -> PassLine:
    """A player's pass, for whoever prints it. Raises: NotYours, EntryNotFound, PassNotFound."""
    if not viewer.roles & DESK:
        raise NotYours("reading a pass", by_rank(DESK))
    entry = load(viewer.session, viewer.event.id, number).number
    return PassLine.of(passes.current(viewer.session, viewer.event, entry))


def gives_passes(viewer: Viewer) -> bool:
    """Whether the event gives passes."""
    return store.find_pass_book(viewer.session, viewer.event.id) is not None


def known_of(viewer: Viewer, at: datetime) -> dict[str, Any]:
    """What the desk's page needs to go on without the server, as of now: the sheet, already believed and made plain.

    Args:
        viewer: at a desk.
        at: now.

    Returns:
        JSON; bytes as hex digits, times in seconds since 1970, UTC.

    Raises:
        PassesNotOpen, PassKeysMissing
    """
    check_at_the_desk(viewer)
    sheet = pass_desks.sheet(viewer.session, viewer.event, viewer.codes, at)
    said = sheet.briefing
    return {
        "event": viewer.event.id,
        "eventId": said.event_id.hex(),
        "chainId": said.chain_id,
        "keys": [{"address": key.address, "until": key.until} for key in said.keys],
        "asOf": said.as_of,
        "revoked": sorted(said.revoked),
        "players": {tag.hex(): [guest.number, guest.name] for tag, guest in sheet.guests.items()},
        "used": {tag.hex(): [use.serial, use.at, use.where] for tag, use in sheet.used.items()},
    }


@dataclass(frozen=True)
class CameIn:
    """What a desk sees of a pass that is good."""

    guest: Guest
    serial: int
    ownership: str
    """As the pass says it."""
    is_bound: bool
    """To a device; else the desk compares the name."""
    at: int
    """Seconds since 1970, UTC."""
    is_checked_in: bool


def came_in(viewer: Viewer, fact: scans.Scanned) -> CameIn:
    """Who came in by a scan, as staff see it."""
    one = passes.numbered(viewer.session, viewer.event.id, fact.serial)
    guest = guest_of(viewer, fact.entry)
    line = PassLine.of(one)
    here = guest.entry.checked_in
    return CameIn(guest, fact.serial, line.ownership, line.bound, fact.scanned_at, is_checked_in=here)


def name_of(viewer: Viewer, number: int) -> str:
    """What a player is called. Raises: EntryNotFound."""
    return load(viewer.session, viewer.event.id, number).name


def checks_in(database: Database, event: str) -> bool:
    """Whether players are checked in now."""
    with database.reading() as session:
        row = store.find_event(session, event)
        return row is not None and Action.CHECK_IN in allowed(Phase(row.phase))
