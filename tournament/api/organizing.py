"""What organizers read besides: their events, what is still to be done, what others changed, who is in and how.

As in `documents`, who may see what is decided here; what is about an event is for its organizers, and `viewer` is one.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlmodel import Session

from tournament import conversion, event_file, store
from tournament.api.answers import Viewer
from tournament.api.schemas import Event, Series, SeriesTable
from tournament.domain.roles import Role, by_rank
from tournament.errors import EntryNotFound, NotYours, SeriesNotFound, SignInNeeded
from tournament.interchange.formats import FORMATS
from tournament.service import (
    accounts,
    decklists,
    events,
    exports,
    invitations,
    ownership,
    preparations,
    rosters,
    series,
    webhooks,
)
from tournament.service.accounts import Shown
from tournament.service.codes import Codes
from tournament.service.commands import PLAYER, Receipt, text_of
from tournament.service.deliveries import State
from tournament.service.names import alike
from tournament.service.nodes import Nodes
from tournament.tables import EntryRow
from verifier.decklist.fold import fold

MOST_EVENTS: Final = 300
"""Of the list of somebody's own."""
LAST_DELIVERIES: Final = 20
SINCE: Final = 200
"""Edits that are looked at when somebody edits what others edited."""


def account_in(session: Session, token: Shown | None, codes: Codes) -> str:
    """The account that is signed in. Raises: SignInNeeded: nobody, or a player."""
    found = accounts.find(session, token, codes)
    if found is None or found.startswith(PLAYER):
        raise SignInNeeded
    return found


@dataclass(frozen=True)
class OwnEvent:
    """An event of somebody's, and what they are in it."""

    event: Event
    roles: Sequence[Role]


def own_events(session: Session, account: str, *, archived: bool = False) -> list[OwnEvent]:
    """Events where the account is staff, the latest first."""
    rows = store.events_of_staff(session, account, archived=archived, limit=MOST_EVENTS)
    ids = [row.id for row in rows]
    fields, sanctions = store.fields_of(session, ids), ownership.sanctions_of(session, rows)
    roles = store.all_roles_of(session, [account], ids)
    return [
        OwnEvent(Event.of(row, fields[row.id], sanctions[row.id]), by_rank(roles.get((account, row.id), set())))
        for row in rows
    ]


def still_to_do(viewer: Viewer, nodes: Nodes) -> list[preparations.Item]:
    """What is still to be done before the next steps of the event."""
    return preparations.list_of(viewer.session, viewer.event, nodes, text_of(datetime.now(UTC)))


@dataclass(frozen=True)
class SomebodysEdit:
    """A field that somebody changed after a version."""

    field: str
    actor: str
    before: str | int | bool | None
    after: str | int | bool | None


def edits_since(viewer: Viewer, version: int) -> list[SomebodysEdit]:
    """What was changed in the announcement after that version, in order."""
    rows = store.log_page(viewer.session, viewer.event.id, after=version, limit=SINCE, name=events.EDIT.name)
    return [
        SomebodysEdit(field, row.actor, change.before, change.after)
        for row in rows
        for field, change in events.Edited.model_validate_json(row.fact).changes.items()
    ]


# --- players ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Participant:
    """A player as an organizer sees one."""

    number: int
    name: str
    state: str
    """in, waiting, left, disqualified, or merged."""
    fixed_table: int | None
    awarded_byes: int
    checked_in: bool
    deck: str
    """legal, draft, waived, or empty for none; unlocked lists are those too."""
    is_unlocked: bool
    place_in_line: int | None
    """From 1, of who waits."""


def participants(viewer: Viewer) -> list[Participant]:
    """Everybody who entered, by number."""
    session, event = viewer.session, viewer.event
    decks = store.decks_of(session, event.id)
    line = {number: at for at, number in enumerate(store.waiting_of(session, event.id), start=1)}
    return [
        _participant(row, decks.get(row.number), line.get(row.number)) for row in store.entries_of(session, event.id)
    ]


def participant(viewer: Viewer, number: int) -> Participant:
    """One of them. Raises: EntryNotFound."""
    found = next((one for one in participants(viewer) if one.number == number), None)
    if found is None:
        raise EntryNotFound(number)
    return found


def _participant(row: EntryRow, deck: Any, place: int | None) -> Participant:  # noqa: ANN401 - a row, or None
    if row.merged_into is not None:
        state = "merged"
    elif row.disqualified:
        state = "disqualified"
    elif row.dropped_after is not None:
        state = "left"
    else:
        state = "waiting" if row.waiting is not None else "in"
    listed = ""
    if deck is not None:
        listed = "legal" if deck.commitment else "waived" if deck.waived is not None else "draft" if deck.draft else ""
    return Participant(
        number=row.number,
        name=row.name,
        state=state,
        fixed_table=row.fixed_table,
        awarded_byes=row.awarded_byes,
        checked_in=row.checked_in is not None,
        deck=listed,
        is_unlocked=deck is not None and deck.unlocked is not None,
        place_in_line=place,
    )


def kept_apart(viewer: Viewer) -> list[tuple[tuple[int, str], tuple[int, str]]]:
    """Pairs of players who are kept apart: number and name of each."""
    names = _names(viewer)
    rows = store.apart_rows(viewer.session, viewer.event.id)
    return [((row.one, names.get(row.one, "")), (row.other, names.get(row.other, ""))) for row in rows]


def alike_groups(viewer: Viewer) -> list[list[tuple[int, str]]]:
    """Entries that may be of one person."""
    rows = [row for row in store.entries_of(viewer.session, viewer.event.id) if row.merged_into is None]
    names = {row.number: row.name for row in rows}
    return [[(number, names[number]) for number in group] for group in alike(names.items())]


def _names(viewer: Viewer) -> Mapping[int, str]:
    return {row.number: row.name for row in store.entries_of(viewer.session, viewer.event.id)}


def foreseen(viewer: Viewer, content: bytes, duplicates: rosters.Duplicates) -> rosters.Foreseen:
    """What entering a roster would come to; nothing is changed."""
    return rosters.foresee(viewer.session, viewer.event, content, duplicates)


def unlisted(viewer: Viewer) -> int:
    """How many have a place, no legal list, and no leave to play without one."""
    return len(decklists.unlisted(viewer.session, viewer.event.id)) if viewer.event.decklist == "required" else 0


# --- staff ------------------------------------------------------------------------------------------------------------


def helpers(viewer: Viewer) -> list[tuple[str, list[Role]]]:
    """Who has which roles, by name."""
    roles: dict[str, set[Role]] = {}
    for row in store.staff_of(viewer.session, viewer.event.id):
        roles.setdefault(row.account, set()).add(Role(row.role))
    return [(account, by_rank(held)) for account, held in roles.items()]


@dataclass(frozen=True)
class Link:
    """An invitation that a link leads to."""

    number: int
    role: Role
    code: str
    uses: int
    accepted_by: Sequence[str]
    expires_at: str
    state: str
    """open, used, expired, or withdrawn."""


def links(viewer: Viewer) -> list[Link]:
    """The invitations with their codes, the latest first."""
    accepted = store.acceptances_of(viewer.session, viewer.event.id)
    now = text_of(datetime.now(UTC))
    found = []
    for row in store.invitations_of(viewer.session, viewer.event.id):
        by = [one.account for one in accepted if one.invitation == row.number]
        state = "open" if len(by) < row.uses else "used"
        state = "expired" if row.expires_at <= now and state == "open" else state
        code = invitations.code_of(viewer.codes, row.event_id, row.number)
        link = Link(
            row.number, Role(row.role), code, row.uses, by, row.expires_at, "withdrawn" if row.withdrawn else state
        )
        found.append(link)
    return found[::-1]


# --- webhooks and series ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Receiver:
    """A webhook, and how it fares."""

    number: int
    place: str
    url: str | None
    topics: Sequence[str]
    failing_since: str | None
    disabled_why: str | None
    deliveries: Sequence[Any]
    """Rows: id, topic, state, attempts, queued_at, status, problem; the latest first."""


def receivers(viewer: Viewer) -> list[Receiver]:
    """The webhooks of the event."""
    session, event = viewer.session, viewer.event.id
    boxes = store.postboxes_of(session, event)
    return [
        Receiver(
            number=row.number,
            place=row.place,
            url=getattr(boxes.get(row.number), "url", None),
            topics=row.topics.split(),
            failing_since=getattr(boxes.get(row.number), "failing_since", None),
            disabled_why=getattr(boxes.get(row.number), "disabled_why", None),
            deliveries=store.deliveries_of(session, event, row.number, state=None, limit=LAST_DELIVERIES),
        )
        for row in webhooks.present(session, event)
    ]


def is_waiting(receiver: Receiver) -> bool:
    """Whether something was not delivered yet."""
    return any(row.state in {State.WAITING, State.DEAD} for row in receiver.deliveries)


def series_of(viewer: Viewer) -> list[tuple[str, str]]:
    """The series that the event is in: id and name."""
    ids = store.series_with(viewer.session, viewer.event.id)
    rows = (store.find_series(viewer.session, one) for one in ids)
    return [(row.id, row.name) for row in rows if row is not None]


def registration_code(viewer: Viewer) -> str:
    """The code that players need; empty where the event asks for none."""
    return events.registration_code(viewer.event, viewer.codes) if viewer.event.registration == "code" else ""


# --- files ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FileFound:
    """What is in an event file."""

    name: str
    game: str
    players: int
    rounds: int
    has_cut: bool
    has_log: bool
    """With a log it is the same event, and goes on here; without one a new event is made of it."""


def look_into(source: bytes) -> FileFound:
    """What is in an event file; nothing is changed. Raises: EventFileUnreadable: every fault."""
    event = event_file.parse_event_file(source)
    return FileFound(
        event.name, event.game, len(event.players), len(event.played), event.cut is not None, bool(event.log)
    )


def for_program(viewer: Viewer, kind: str) -> bytes:
    """The event as another program's file, by one of `interchange.formats.FORMATS`.

    Raises:
        EventUnwritable: that format cannot hold it.
        TablesOfSeveral: nor tables of several.
    """
    converted = conversion.exported(exports.exported(viewer.session, viewer.event))
    written = FORMATS[kind].render(converted.event)
    return written.text.encode()


def fact_of(given: Receipt) -> dict[str, Any]:
    """The fact in a receipt."""
    fact: dict[str, Any] = json.loads(given.body)["fact"]
    return fact


# --- series -----------------------------------------------------------------------------------------------------------


def series_listed(session: Session, token: Shown | None, codes: Codes, words: str) -> tuple[list[Series], bool]:
    """Published series and one's own, the newest first; and whether an account looks."""
    found = accounts.find(session, token, codes)
    account = None if found is None or found.startswith(PLAYER) else found
    wanted = store.Wanted(words=fold(words))
    rows = store.list_series(session, account, before=None, limit=MOST_EVENTS, wanted=wanted)
    inside = store.series_events(session, [row.id for row in rows])
    return [Series.of(row, [one for one in inside if one.series_id == row.id]) for row in rows], account is not None


@dataclass(frozen=True)
class OwnSeries:
    """A series as its organizers see it."""

    series: Series
    table: SeriesTable
    organizers: Sequence[str]
    events: Sequence[Event]
    """Of the organizer's own, those that may be put in: published, of the game, and not in it yet."""


def own_series(session: Session, token: Shown | None, codes: Codes, id_: str) -> OwnSeries:
    """A series for whoever organizes it.

    Raises:
        SignInNeeded: nobody is signed in.
        SeriesNotFound: no such series, or not to be seen.
        NotYours: somebody else organizes it.
    """
    account = account_in(session, token, codes)
    row = store.find_series(session, id_)
    is_own = row is not None and bool(store.roles_in_series(session, row.id, account))
    if row is None or not (row.published or is_own):
        raise SeriesNotFound(id_)
    if not is_own:
        raise NotYours("organizing the series", [Role.ORGANIZER])
    inside = series.events_in(session, row.id)
    weighed = store.series_events(session, [row.id])
    there = {one.event_id for one in weighed}
    fitting = [
        one.event
        for one in own_events(session, account)
        if Role.ORGANIZER in one.roles
        and one.event.published
        and one.event.id not in there
        and row.game in {None, one.event.game}
    ]
    return OwnSeries(
        series=Series.of(row, weighed),
        table=SeriesTable.of(row, inside, series.standings_of(session, row, inside)),
        organizers=[one.account for one in store.organizers_of(session, row.id)],
        events=fitting,
    )
