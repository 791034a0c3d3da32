"""Passes: keys, passes of entries, what desks need and tell, and who came in."""

import json
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from fastapi import Query, Response
from pydantic import BaseModel

from tournament import store
from tournament.api import own
from tournament.api.answers import JSON, Viewer, fresh, obeyed, private, seen, with_receipt
from tournament.api.deps import Asking, Db, Looking
from tournament.api.routes.entries import Number
from tournament.api.schemas import (
    CameIn,
    DeskSheet,
    EntryPass,
    IssuedBeside,
    IssuedPass,
    PassDesk,
    PassDesks,
    PassKeys,
    PassLine,
    PassPage,
    Receipt,
    RevocationList,
    ScanLine,
    ScannedBeside,
    ScanPage,
    UnsettledPlayer,
    UnsettledPlayers,
)
from tournament.api.shelf import Shelf
from tournament.domain.roles import AT_THE_DESK
from tournament.service import pass_books, pass_desks, passes, scans
from tournament.service.commands import Nothing, WithReason, run
from tournament.service.entries import load
from verifier.passes import Ownership, write_revocations, write_sheet
from verifier.passes.picture import svg

PAGE: Final = 1000
MOST: Final = 2**32 - 1
_SVG: Final = "image/svg+xml"
_PICTURE: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {_SVG: {"schema": {"type": "string"}}}}}
router = Shelf(prefix="/events/{event}", tags=["passes"])


# --- keys -------------------------------------------------------------------------------------------------------------


@router.post("/passes/keys", status_code=201, response_model=Receipt[pass_books.PassesOpened])
def open_passes(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Let the event give passes: its keys are made and named, and stay the same from now on.

    Where players prove their cards, registration does so when it is opened, and the keys are in the manifest.
    """
    return obeyed(database, pass_books.OPEN, ask, body or Nothing(), status=201)


@router.get("/passes/keys", response_model=PassKeys)
def show_keys(look: Looking) -> Response:
    """What the event promised of its passes, and which key signs now."""
    return fresh(look, lambda viewer: PassKeys.of(pass_books.book_of(viewer.session, viewer.event.id)))


@router.post("/passes/keys/rotate", response_model=Receipt[pass_books.KeysRotated])
def rotate_key(body: pass_books.Rotate, ask: Asking, database: Db) -> Response:
    """Sign with the next key from now on. Passes of the present one count until the time that you name."""
    return obeyed(database, pass_books.ROTATE, ask, body)


@router.get("/passes/revocations", response_model=RevocationList)
def show_revocations(look: Looking) -> Response:
    """Which passes and keys count no more, signed, as of now."""

    def said(viewer: Viewer) -> Any:  # noqa: ANN401 - JSON
        return write_revocations(passes.revocations(viewer.session, viewer.event.id, look.codes, datetime.now(UTC)))

    return _uncached(seen(look, said))


# --- passes of entries ------------------------------------------------------------------------------------------------


@router.post("/entries/{number}/pass", status_code=201, response_model=IssuedPass)
def issue_pass(ask: Asking, database: Db, number: Number, body: passes.Wanted | None = None) -> Response:
    """Give an entry a pass; an earlier one counts no more.

    If there is one that counts and says the same, that is a refusal, unless you ask for another one (`anew`).
    """
    wanted = body or passes.Wanted()
    given = run(database, passes.ISSUE, ask, passes.Issue(entry=number, **wanted.model_dump()))
    fact = passes.Issued.model_validate(json.loads(given.body)["fact"])
    with database.reading() as session:
        made = passes.numbered(session, given.event, fact.given.serial)
        beside = EntryPass.with_text(made, passes.signed(session, ask.codes, made.row))
    return with_receipt(given, IssuedBeside(entry_pass=beside), status=201)


@router.get("/entries/{number}/pass", response_model=EntryPass)
def show_pass(look: Looking, number: Number) -> Response:
    """A player's pass, for the player and whoever prints it."""
    return _uncached(seen(look, lambda viewer: own.pass_of(viewer, number)))


@router.get("/entries/{number}/pass/picture", response_class=Response, responses=_PICTURE)
def draw_pass(look: Looking, number: Number) -> Response:
    """The same as a QR code, to be shown or printed. A pass that is bound has to be drawn by its device."""
    return Response(
        svg(seen(look, lambda viewer: own.pass_text_of(viewer, number))), 200, {"Cache-Control": "no-store"}, _SVG
    )


@router.post("/entries/{number}/pass/revoke", response_model=Receipt[passes.Revoked])
def revoke_pass(body: WithReason, ask: Asking, database: Db, number: Number) -> Response:
    """Make an entry's pass worthless."""
    return obeyed(database, passes.REVOKE, ask, passes.About(entry=number, reason=body.reason))


@router.post("/passes/issue-all", response_model=Receipt[passes.AllIssued])
def issue_all(ask: Asking, database: Db, body: passes.IssueAll | None = None) -> Response:
    """Give everybody a pass who may have one and has none that counts; bound to the same device as the last one."""
    return obeyed(database, passes.ISSUE_ALL, ask, body or passes.IssueAll())


@router.get("/passes", response_model=PassPage)
def list_passes(
    look: Looking,
    after: Annotated[int, Query(ge=0, le=MOST, description="`next` of the page before")] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> Response:
    """Passes that were not revoked, by serial, for the desk."""

    def page(viewer: Viewer) -> PassPage:
        rows = store.passes_of(viewer.session, viewer.event.id, after=after, limit=limit + 1)
        following = rows[limit - 1].row.serial if len(rows) > limit else None
        return PassPage(passes=[PassLine.of(one) for one in rows[:limit]], next=following)

    return fresh(look, page, roles=AT_THE_DESK)


# --- desks ------------------------------------------------------------------------------------------------------------


@router.post("/passes/desks", status_code=201, response_model=Receipt[pass_desks.Enrolled])
def enrol_desk(body: pass_desks.Enrol, ask: Asking, database: Db) -> Response:
    """Make a desk known by the address of its own key, so that its scans count."""
    return obeyed(database, pass_desks.ENROL, ask, body, status=201)


@router.get("/passes/desks", response_model=PassDesks)
def list_desks(look: Looking) -> Response:
    """The desks, what was heard of each, and what is strange about it."""

    def listed(viewer: Viewer) -> PassDesks:
        found = pass_desks.desks_seen(viewer.session, viewer.event.id, look.codes)
        return PassDesks(desks=[PassDesk.of(one) for one in found])

    return fresh(look, listed, roles=AT_THE_DESK)


@router.get("/passes/sheet", response_model=DeskSheet)
def show_sheet(look: Looking) -> Response:
    """What a desk needs to work without a network, as of now: keys, revocations, names by tags, who came in."""

    def made(viewer: Viewer) -> DeskSheet:
        sheet = pass_desks.sheet(viewer.session, viewer.event, look.codes, datetime.now(UTC))
        return DeskSheet.model_validate(write_sheet(sheet))

    return private(look, made, roles=AT_THE_DESK)


# --- scans ------------------------------------------------------------------------------------------------------------


@router.post("/passes/scans", status_code=201, response_model=CameIn)
def scan_pass(body: scans.Show, ask: Asking, database: Db) -> Response:
    """Let a player in by what a scanner read, and check the player in. Whoever came in before is refused."""
    given = run(database, scans.SCAN, ask, body)
    fact = scans.Scanned.model_validate(json.loads(given.body)["fact"])
    with database.reading() as session:
        row, entry = store.find_pass(session, given.event, fact.serial), load(session, given.event, fact.entry)
        assert row is not None  # noqa: S101 - it was scanned
        beside = ScannedBeside(name=entry.name, ownership=Ownership(row.policy).words, bound=row.holder_key is not None)
    return with_receipt(given, beside, status=201)


@router.post("/passes/scans/sync", response_model=Receipt[scans.Synced])
def sync_scans(body: scans.Sync, ask: Asking, database: Db) -> Response:
    """Tell whom a desk let in while it had no network, and check them in. Told again, it is the same.

    What is new comes in whole or not at all. Who came in more than once is unsettled, and round 1 waits for that.
    """
    return obeyed(database, scans.SYNC, ask, body)


@router.get("/passes/scans", response_model=ScanPage)
def list_scans(
    look: Looking,
    after: Annotated[int, Query(ge=0, le=MOST, description="`next` of the page before")] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> Response:
    """Who came in, in the order in which the server heard of it."""

    def page(viewer: Viewer) -> ScanPage:
        rows = store.scans_of(viewer.session, viewer.event.id, after=after, limit=limit + 1)
        names = pass_desks.desk_names(viewer.session, viewer.event.id)
        following = rows[limit - 1].number if len(rows) > limit else None
        return ScanPage(scans=[ScanLine.of(row, names) for row in rows[:limit]], next=following)

    return fresh(look, page, roles=AT_THE_DESK)


@router.get("/passes/unsettled", response_model=UnsettledPlayers)
def list_unsettled(look: Looking) -> Response:
    """Who came in more than once, or by a pass that did not count; for the desk, and staff to settle."""

    def found(viewer: Viewer) -> UnsettledPlayers:
        session, event = viewer.session, viewer.event
        names = pass_desks.desk_names(session, event.id)
        return UnsettledPlayers(
            players=[UnsettledPlayer.of(entry, list(words)) for entry, words in scans.unsettled(session, event)],
            foreign=[ScanLine.of(row, names) for row in store.foreign_scans(session, event.id)],
        )

    return fresh(look, found, roles=AT_THE_DESK)


@router.post("/entries/{number}/scans/settle", response_model=Receipt[scans.Settled])
def settle_scans(body: WithReason, ask: Asking, database: Db, number: Number) -> Response:
    """Say why a player came in more than once. Who should not play is dropped or disqualified besides."""
    return obeyed(database, scans.SETTLE, ask, scans.Settle(entry=number, reason=body.reason))


def _uncached(document: BaseModel | dict[str, object]) -> Response:
    """A document that is made anew for each reader."""
    body = document.model_dump_json() if isinstance(document, BaseModel) else json.dumps(document)
    return Response(body, 200, {"Cache-Control": "no-store"}, JSON)
