"""Events: announce, edit, announce again, publish, open, close, finish, put away; list and show."""

from datetime import date, timedelta
from typing import Annotated, Any, Final

from fastapi import Query, Response

from tournament import store
from tournament.api import documents
from tournament.api.answers import Viewer, fresh, obeyed, private, receipt
from tournament.api.deps import Asking, Db, Looking, NewEvent, Reading, ServerCodes, TheNodes, Token
from tournament.api.schemas import EditLine, Edits, Event, Events, Receipt, RegistrationCode
from tournament.api.shelf import Shelf
from tournament.domain.lifecycle import Phase
from tournament.errors import RequestFault, RequestUnreadable
from tournament.service import accounts, events, manifests, ownership
from tournament.service.commands import NO_NUL, Done, Nothing
from tournament.service.entries import DESK
from tournament.tables import LogRow
from verifier.decklist.fold import fold

PAGE: Final = 50
MOST: Final = 1 << 40
Before = Annotated[str | None, Query(max_length=100, description="`next` of the page before")]
Limit = Annotated[int, Query(ge=1, le=PAGE)]
Text = Annotated[
    str, Query(max_length=100, pattern=NO_NUL, description="part of the name or venue; case and blanks do not matter")
]
router = Shelf(prefix="/events", tags=["events"])


@router.post("", status_code=201, response_model=Receipt[events.Created])
def create_event(body: events.Create, ask: NewEvent, database: Db) -> Response:
    """Announce an event; you become its organizer."""
    given = events.create(database, ask, body)
    return receipt(given, status=201, headers={"Location": f"/events/{given.event}"})


@router.get("")
def list_events(
    session: Reading,
    token: Token,
    codes: ServerCodes,
    *,
    before: Before = None,
    limit: Limit = PAGE,
    phase: Annotated[Phase | None, Query(description="where the event stands")] = None,
    game: Annotated[str | None, Query(max_length=40, pattern=NO_NUL, examples=["cps"])] = None,
    archived: Annotated[bool, Query(description="those that were put away, and no others")] = False,
    series: Annotated[str | None, Query(max_length=40, pattern=NO_NUL, description="those of a series")] = None,
    text: Text = "",
    since: Annotated[date | None, Query(alias="from", description="first day, by the venue's clock")] = None,
    until: Annotated[date | None, Query(alias="to", description="last day, by the venue's clock")] = None,
) -> Events:
    """Published events, and those where you are staff; the newest first. Pages stay true while events are announced."""
    wanted = store.Wanted(
        phase=phase,
        game=game,
        archived=archived,
        series=series,
        words=fold(text),
        since=since.isoformat() if since else None,
        until=_day_after(until) if until else None,
    )
    with session:
        account = accounts.find(session, token, codes)
        rows = store.list_events(session, account, before=place(before), limit=limit + 1, wanted=wanted)
        page = rows[:limit]
        fields = store.fields_of(session, [row.id for row in page])
        sanctions = ownership.sanctions_of(session, page)
    following = f"{page[-1].created_at}~{page[-1].id}" if len(rows) > limit else None
    return Events(events=[Event.of(row, fields[row.id], sanctions[row.id]) for row in page], next=following)


@router.get("/{event}", response_model=Event)
def show_event(look: Looking) -> Response:
    """An event: all that it announces, what its phase allows, how many entered, and how much will be played."""
    return fresh(look, documents.event_of, for_crowds=True)


@router.get("/{event}/edits", response_model=Edits)
def list_edits(
    look: Looking,
    after: Annotated[int, Query(ge=0, le=MOST, description="`next` of the page before")] = 0,
    limit: Limit = PAGE,
) -> Response:
    """What was changed in the announcement, before and after, in order. For staff."""

    def page(viewer: Viewer) -> Edits:
        rows = store.log_page(viewer.session, viewer.event.id, after=after, limit=limit + 1, name=events.EDIT.name)
        lines = [EditLine(changes=events.Edited.model_validate_json(row.fact).changes, **_who(row)) for row in rows]
        return Edits(edits=lines[:limit], next=lines[limit - 1].sequence if len(lines) > limit else None)

    return fresh(look, page, staff_only=True)


@router.post("/{event}/clone", status_code=201, response_model=Receipt[events.Created])
def clone_event(ask: Asking, database: Db, body: events.Anew | None = None) -> Response:
    """Announce the same again, as a draft with a draw of its own; you become its organizer."""
    given = events.clone(database, ask, body or events.Anew())
    return receipt(given, status=201, headers={"Location": f"/events/{given.event}"})


@router.patch("/{event}", response_model=Receipt[events.Edited])
def edit_event(body: events.Edit, ask: Asking, database: Db) -> Response:
    """Change what was announced; what you do not name stays. `may_change` of the event lists what you may name now."""
    return obeyed(database, events.EDIT, ask, body)


@router.post("/{event}/publish", response_model=Receipt[Done])
def publish_event(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Let everybody see the event."""
    return obeyed(database, events.PUBLISH, ask, body or Nothing())


@router.post("/{event}/unpublish", response_model=Receipt[Done])
def unpublish_event(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Hide the event again, as long as nobody has entered."""
    return obeyed(database, events.UNPUBLISH, ask, body or Nothing())


@router.post("/{event}/archive", response_model=Receipt[Done])
def archive_event(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Put the event away: it is listed only on request, and stays what it is."""
    return obeyed(database, events.ARCHIVE, ask, body or Nothing())


@router.post("/{event}/unarchive", response_model=Receipt[Done])
def unarchive_event(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """List the event again."""
    return obeyed(database, events.UNARCHIVE, ask, body or Nothing())


@router.get("/{event}/registration/code", response_model=RegistrationCode)
def show_registration_code(look: Looking) -> Response:
    """The code that players need where `registration` is `code`. For the desk."""

    def shown(viewer: Viewer) -> RegistrationCode:
        code = events.registration_code(viewer.event, look.codes)
        return RegistrationCode(code=code, generation=viewer.event.registration_code)

    return private(look, shown, roles=DESK)


@router.post("/{event}/registration/code", response_model=Receipt[events.CodeRaised])
def raise_registration_code(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Make the registration code worthless; there is a new one."""
    return obeyed(database, events.CODE, ask, body or Nothing())


@router.post("/{event}/registration/open", response_model=Receipt[events.Opened])
def open_registration(ask: Asking, database: Db, nodes: TheNodes, body: Nothing | None = None) -> Response:
    """Players may enter. Where they prove that they own their cards, this fixes what is promised about it."""
    return receipt(manifests.open_registration(database, ask, body or Nothing(), nodes))


@router.post("/{event}/registration/close", response_model=Receipt[Done])
def close_registration(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Registration is over, check-in begins; the desk may still enter players."""
    return obeyed(database, events.CLOSE, ask, body or Nothing())


@router.post("/{event}/registration/reopen", response_model=Receipt[Done])
def reopen_registration(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Back to registration; a draft of the first round is discarded."""
    return obeyed(database, events.REOPEN, ask, body or Nothing())


@router.post("/{event}/finish", response_model=Receipt[Done])
def finish_event(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """The standings are final, and the draw is published."""
    return obeyed(database, events.FINISH, ask, body or Nothing())


@router.post("/{event}/void", response_model=Receipt[Done])
def void_event(body: events.Void, ask: Asking, database: Db) -> Response:
    """The event is called off, for a reason: it does not count, and nothing more can be done to it."""
    return obeyed(database, events.VOID, ask, body)


def place(before: str | None) -> tuple[str, str] | None:
    """Where a page ended. Raises: RequestUnreadable."""
    if before is None:
        return None
    at, mark, event = before.partition("~")
    if not mark or "\x00" in before:
        raise RequestUnreadable([RequestFault("query/before", "not the `next` of a page")])
    return at, event


def _day_after(day: date) -> str:
    try:
        return (day + timedelta(days=1)).isoformat()
    except OverflowError:
        return day.isoformat()


def _who(row: LogRow) -> dict[str, Any]:
    return {"sequence": row.sequence, "actor": row.actor, "at": row.at, "reason": row.reason}
