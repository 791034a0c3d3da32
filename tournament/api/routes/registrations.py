"""Registration: players enter by themselves; the codes of entries; rosters in and out."""

from typing import Annotated, Any, Final

from fastapi import Body, Depends, Query, Response

from tournament import store
from tournament.api.answers import Viewer, fresh, obeyed, private, receipt, shown, with_receipt
from tournament.api.deps import Asking, AskingAsAnybody, Db, Looking, limited
from tournament.api.routes.entries import Number
from tournament.api.schemas import EntryCode, EntryCodes, Receipt, Registered, RegisteredBeside, RosterPreview
from tournament.api.shelf import Shelf
from tournament.domain.roles import AT_THE_DESK
from tournament.service import accounts, registrations, rosters
from tournament.service.codes import Codes, Purpose
from tournament.service.commands import Nothing, Words
from tournament.service.entries import DESK, MOST_NUMBER, Leave, load
from tournament.tables import EntryRow

PAGE: Final = 1000
CSV: Final = "text/csv"
_EXAMPLE: Final = "name,fixed_table,awarded_byes,apart\r\nAnn Example,3,,Example\r\nBob Example,,1,Example\r\n"
_TABLE: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {CSV: {"schema": {"type": "string"}, "example": _EXAMPLE}}}
}
router = Shelf(prefix="/events/{event}", tags=["registration"])


@router.post(
    "/registrations",
    status_code=201,
    response_model=Registered,
    dependencies=[Depends(limited("registration"))],
)
def register(body: registrations.Register, ask: AskingAsAnybody, database: Db) -> Response:
    """Enter an event yourself, without an account. After the last place you wait for one.

    Keep the code: whoever has it acts for the entry. It is told again to whoever sends the same under the same
    `Idempotency-Key`, so make one that nobody can guess, such as a UUID; it is not in the log.
    """
    given = registrations.register(database, ask, body)
    beside = RegisteredBeside(entry=given.entry, waiting=given.waiting, code=given.code, token=given.token)
    return with_receipt(given.receipt, beside, status=201)


@router.get("/entries/codes", response_model=EntryCodes)
def list_codes(
    look: Looking,
    after: Annotated[int, Query(ge=0, le=MOST_NUMBER, description="`next` of the page before")] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> Response:
    """Codes of all players, for the desk to print."""

    def page(viewer: Viewer) -> EntryCodes:
        rows = store.entries_of(viewer.session, viewer.event.id, after=after, limit=limit + 1)
        following = rows[limit - 1].number if len(rows) > limit else None
        codes = [_code(look.codes, row) for row in rows[:limit] if row.merged_into is None]
        return EntryCodes(codes=codes, next=following)

    return private(look, page, roles=DESK)


@router.get("/entries/{number}/code", response_model=EntryCode)
def show_code(look: Looking, number: Number) -> Response:
    """The code of a player who lost it, for the desk."""
    return private(look, lambda viewer: _code(look.codes, load(viewer.session, viewer.event.id, number)), roles=DESK)


@router.post("/entries/{number}/recode", response_model=Receipt[registrations.Recoded])
def replace_code(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """Make a player's code worthless, and let there be a new one."""
    return obeyed(database, registrations.RECODE, ask, Leave(entry=number, reason=body.reason if body else ""))


@router.post("/entries/import", status_code=201, response_model=Receipt[rosters.Imported])
def import_roster(
    content: Annotated[bytes, Body(media_type=CSV, openapi_examples={"players": {"value": _EXAMPLE}})],
    ask: Asking,
    database: Db,
    duplicates: Annotated[
        rosters.Duplicates, Query(description="whether somebody may have the name of somebody else, as `fold` sees it")
    ] = "refuse",
    reason: Annotated[Words, Query(description="why, for the log")] = "",
) -> Response:
    """Enter everybody of a table, or nobody: the first line names the columns, of which `name` has to be there."""
    return receipt(rosters.enter(database, ask, content, duplicates, reason=reason), status=201)


@router.post("/entries/import/preview", response_model=RosterPreview)
def preview_roster(
    content: Annotated[bytes, Body(media_type=CSV, openapi_examples={"players": {"value": _EXAMPLE}})],
    look: Looking,
    duplicates: Annotated[
        rosters.Duplicates, Query(description="whether somebody may have the name of somebody else, as `fold` sees it")
    ] = "refuse",
) -> Response:
    """What entering that table would come to, with every fault. Nothing is changed."""
    return shown(
        look, lambda viewer: RosterPreview.of(rosters.foresee(viewer.session, viewer.event, content, duplicates))
    )


@router.get("/entries/export", response_class=Response, responses=_TABLE)
def export_roster(look: Looking) -> Response:
    """Everybody as a table for spreadsheets, for the desk; an import reads it again."""
    return fresh(
        look,
        lambda viewer: rosters.write_roster(viewer.session, viewer.event.id),
        roles=AT_THE_DESK,
        media_type=f"{CSV}; charset=utf-8",
    )


def _code(codes: Codes, row: EntryRow) -> EntryCode:
    return EntryCode(
        entry=row.number,
        name=row.name,
        code=codes.code(Purpose.ENTRY, row.event_id, row.number, row.code),
        token=accounts.entry_token(codes, row.event_id, row.number, row.code),
    )
