"""Series: announce, edit, put events in and out, say who is who; list, show, standings, log."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Annotated, Final

from fastapi import Depends, Path, Query, Request, Response
from pydantic import BaseModel
from sqlmodel import Session

from tournament import store
from tournament.api.answers import JSON, answered, obeyed, receipt
from tournament.api.deps import Db, EventId, NewEvent, Reading, ServerCodes, Token
from tournament.api.routes.events import MOST, PAGE, Before, Limit, Text, place
from tournament.api.schemas import Checked, Organizers, Series, SeriesLogPage, SeriesReceipt, SeriesTable, SomeSeries
from tournament.api.shelf import Shelf
from tournament.domain.roles import Role
from tournament.errors import NotYours, SeriesNotFound
from tournament.service import accounts, audit, series
from tournament.service.chain import receipt_of
from tournament.service.commands import NO_NUL, Ask, Done, Nothing
from tournament.tables import SeriesRow
from verifier.decklist.fold import fold

LOG_PAGE: Final = 500
router = Shelf(prefix="/series", tags=["series"])
SeriesId = Annotated[
    str,
    Path(alias="series", description="The series' id.", max_length=100, pattern=NO_NUL, examples=["s-k3v7qzj2m5xa"]),
]


async def _ask_of_series(ask: NewEvent, named: SeriesId) -> Ask:
    return replace(ask, event=named)


Asking = Annotated[Ask, Depends(_ask_of_series)]


@dataclass(frozen=True)
class Look:
    """Somebody wants to read something of a series."""

    request: Request
    session: Session
    series: str
    who: Callable[[Session], str | None] = field(repr=False)


async def _look(request: Request, session: Reading, named: SeriesId, token: Token, codes: ServerCodes) -> Look:
    return Look(request, session, named, lambda asked: accounts.find(asked, token, codes))


Looking = Annotated[Look, Depends(_look)]


@router.post("", status_code=201, response_model=SeriesReceipt[series.SeriesCreated])
def create_series(body: series.NewSeries, ask: NewEvent, database: Db) -> Response:
    """Announce a series; you become its organizer."""
    given = series.create(database, ask, body)
    return receipt(given, status=201, headers={"Location": f"/series/{given.event}"})


@router.get("")
def list_series(
    session: Reading,
    token: Token,
    codes: ServerCodes,
    *,
    before: Before = None,
    limit: Limit = PAGE,
    game: Annotated[str | None, Query(max_length=40, pattern=NO_NUL, examples=["cps"])] = None,
    archived: Annotated[bool, Query(description="those that were put away, and no others")] = False,
    text: Text = "",
) -> SomeSeries:
    """Published series, and those that you organize; the newest first."""
    wanted = store.Wanted(game=game, archived=archived, words=fold(text))
    with session:
        account = accounts.find(session, token, codes)
        rows = store.list_series(session, account, before=place(before), limit=limit + 1, wanted=wanted)
        page = rows[:limit]
        inside = store.series_events(session, [row.id for row in page])
    found = [Series.of(row, [one for one in inside if one.series_id == row.id]) for row in page]
    following = f"{page[-1].created_at}~{page[-1].id}" if len(rows) > limit else None
    return SomeSeries(series=found, next=following)


@router.get("/{series}", response_model=Series)
def show_series(look: Looking) -> Response:
    """A series: its events, and how they give points."""
    return _fresh(look, lambda session, row: Series.of(row, store.series_events(session, [row.id])))


@router.patch("/{series}", response_model=SeriesReceipt[series.SeriesEdited])
def edit_series(body: series.SeriesEdit, ask: Asking, database: Db) -> Response:
    """Change a series; what you do not name stays."""
    return obeyed(database, series.EDIT, ask, body)


@router.post("/{series}/publish", response_model=SeriesReceipt[Done])
def publish_series(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Let everybody see the series."""
    return obeyed(database, series.PUBLISH, ask, body or Nothing())


@router.post("/{series}/archive", response_model=SeriesReceipt[Done])
def archive_series(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Put the series away: it is listed only on request, and stays what it is."""
    return obeyed(database, series.ARCHIVE, ask, body or Nothing())


@router.post("/{series}/unarchive", response_model=SeriesReceipt[Done])
def unarchive_series(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """List the series again."""
    return obeyed(database, series.UNARCHIVE, ask, body or Nothing())


@router.post("/{series}/events", status_code=201, response_model=SeriesReceipt[series.PutIn])
def put_event(body: series.Put, ask: Asking, database: Db) -> Response:
    """Put an event in, or weigh it anew. You are an organizer of both."""
    return obeyed(database, series.PUT, ask, body, status=201)


@router.post("/{series}/events/{event}/take", response_model=SeriesReceipt[series.TakenOut])
def take_event(ask: Asking, database: Db, event: EventId, body: Nothing | None = None) -> Response:
    """Take an event out. You are an organizer of both."""
    return obeyed(database, series.TAKE, ask, series.Take(event=event, reason=body.reason if body else ""))


@router.get("/{series}/organizers", response_model=Organizers)
def list_organizers(look: Looking) -> Response:
    """Who organizes the series. For them."""

    def listed(session: Session, row: SeriesRow) -> Organizers:
        return Organizers(organizers=[one.account for one in store.organizers_of(session, row.id)])

    return _fresh(look, listed, organizers_only=True)


@router.post("/{series}/organizers", status_code=201, response_model=SeriesReceipt[series.Organizer])
def add_organizer(body: series.Organize, ask: Asking, database: Db) -> Response:
    """Make somebody an organizer of the series."""
    return obeyed(database, series.GRANT, ask, body, status=201)


@router.post("/{series}/organizers/revoke", response_model=SeriesReceipt[series.Organizer])
def remove_organizer(body: series.Organize, ask: Asking, database: Db) -> Response:
    """The account organizes the series no more."""
    return obeyed(database, series.REVOKE, ask, body)


@router.post("/{series}/people", response_model=SeriesReceipt[series.Said])
def say_who_is_who(body: series.Say, ask: Asking, database: Db) -> Response:
    """Say that entries of several events are one person, or that they are not, or leave it to their names again."""
    return obeyed(database, series.SAY, ask, body)


@router.get("/{series}/standings", response_model=SeriesTable)
def show_standings(look: Looking) -> Response:
    """The table over the finished events, with what each gave to whom, and the names that may be one person or several.

    Its ETag changes with the series and with each of its events.
    """
    return fresh_table(look, lambda _, table: table)


@router.get("/{series}/log", response_model=SeriesLogPage)
def show_log(
    look: Looking,
    after: Annotated[int, Query(ge=0, le=MOST, description="`next` of the page before")] = 0,
    limit: Annotated[int, Query(ge=1, le=LOG_PAGE)] = LOG_PAGE,
) -> Response:
    """The receipts of all commands, in order. For organizers."""

    def page(session: Session, row: SeriesRow) -> bytes:
        rows = store.log_page(session, row.id, after=after, limit=limit)
        following = rows[-1].sequence if rows and rows[-1].sequence < row.version else None
        receipts = b",".join(map(receipt_of, rows))
        return b'{"receipts":[%s],"next":%s}' % (receipts, b"null" if following is None else b"%d" % following)

    return _fresh(look, page, organizers_only=True)


@router.get("/{series}/log/check", response_model=Checked)
def check_log(look: Looking) -> Response:
    """Does the log hold, and do the tables say what the log says? For organizers."""

    def checked(session: Session, row: SeriesRow) -> Checked:
        breaks = audit.verify_log(session, row.id, stream=series.STREAM)
        wrong = [] if breaks else audit.differences(session, row.id, stream=series.STREAM)
        return Checked(
            holds=not (breaks or wrong),
            version=row.version,
            breaks=list(map(str, breaks)),
            differences=list(map(str, wrong)),
        )

    return _fresh(look, checked, organizers_only=True)


def fresh_table(
    look: Look, make: Callable[[Series, SeriesTable], BaseModel | bytes], *, media_type: str = JSON, variant: str = ""
) -> Response:
    """What is made of the standings of a series, or 304 if the reader has it. Ends the session's transaction.

    Raises:
        SeriesNotFound: no such series, or not to be seen.
    """
    events: list[series.EventOfSeries] = []

    def tag(session: Session, row: SeriesRow) -> str:
        events.extend(series.events_in(session, row.id))
        return series.tag_of(row, events) + variant

    def made(session: Session, row: SeriesRow) -> BaseModel | bytes:
        table = SeriesTable.of(row, events, series.standings_of(session, row, events))
        return make(Series.of(row, store.series_events(session, [row.id])), table)

    return _fresh(look, made, tag=tag, media_type=media_type)


def _fresh(
    look: Look,
    make: Callable[[Session, SeriesRow], BaseModel | bytes],
    *,
    organizers_only: bool = False,
    tag: Callable[[Session, SeriesRow], str] = lambda _, row: str(row.version),
    media_type: str = JSON,
) -> Response:
    """A document of the series in the path, or 304 if the reader has it. Ends the session's transaction.

    Raises:
        SeriesNotFound: no such series, or not to be seen.
        NotYours: the document is for organizers.
    """
    with look.session as session:
        row, is_organizer = _seen(look)
        if organizers_only and not is_organizer:
            raise NotYours("reading this", ["organizer"])
        said = tag(session, row)
        path = f"{look.request.url.path}?{look.request.url.query}#{said}"
        roles = frozenset({Role.ORGANIZER} if is_organizer else ())
        return answered(
            look.request, said, (row.id, row.version, path, roles, None), lambda: make(session, row), media_type
        )


def _seen(look: Look) -> tuple[SeriesRow, bool]:
    account = look.who(look.session)
    row = store.find_series(look.session, look.series)
    is_organizer = row is not None and account is not None and bool(
        store.roles_in_series(look.session, row.id, account)
    )  # fmt: skip
    if row is None or not (row.published or is_organizer):
        raise SeriesNotFound(look.series)
    return row, is_organizer
