"""The log of an event, and whether it holds."""

from typing import Annotated, Final

from fastapi import Query, Response

from tournament import store
from tournament.api.answers import Viewer, fresh
from tournament.api.deps import Looking
from tournament.api.schemas import Checked, LogPage
from tournament.api.shelf import Shelf
from tournament.service import audit
from tournament.service.chain import receipt_of

PAGE: Final = 500
MOST: Final = 1 << 40
router = Shelf(prefix="/events/{event}/log", tags=["log"])


@router.get("", response_model=LogPage)
def show_log(
    look: Looking,
    after: Annotated[int, Query(ge=0, le=MOST, description="`next` of the page before")] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> Response:
    """The receipts of all commands, in order. For staff: the draw is in it."""

    def page(viewer: Viewer) -> bytes:
        rows = store.log_page(viewer.session, viewer.event.id, after=after, limit=limit)
        following = rows[-1].sequence if rows and rows[-1].sequence < viewer.event.version else None
        receipts = b",".join(map(receipt_of, rows))
        return b'{"receipts":[%s],"next":%s}' % (receipts, b"null" if following is None else b"%d" % following)

    return fresh(look, page, staff_only=True)


@router.get("/check", response_model=Checked)
def check_log(look: Looking) -> Response:
    """Does the log hold, and do the tables say what the log says?"""

    def checked(viewer: Viewer) -> Checked:
        breaks = audit.verify_log(viewer.session, viewer.event.id)
        wrong = [] if breaks else audit.differences(viewer.session, viewer.event.id)
        return Checked(
            holds=not (breaks or wrong),
            version=viewer.event.version,
            breaks=list(map(str, breaks)),
            differences=list(map(str, wrong)),
        )

    return fresh(look, checked, staff_only=True)
