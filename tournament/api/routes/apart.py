"""Players who are kept apart: a family, a club."""

from fastapi import Response

from tournament import store
from tournament.api.answers import Viewer, fresh, obeyed
from tournament.api.deps import Asking, Db, Looking
from tournament.api.schemas import ApartPair, ApartPairs, Receipt
from tournament.api.shelf import Shelf
from tournament.service import apart

router = Shelf(prefix="/events/{event}/apart", tags=["entries"])


@router.get("", response_model=ApartPairs)
def list_apart(look: Looking) -> Response:
    """Everybody who is kept apart from somebody; for staff."""

    def pairs(viewer: Viewer) -> ApartPairs:
        rows = store.apart_rows(viewer.session, viewer.event.id)
        return ApartPairs(pairs=[ApartPair(one=row.one, other=row.other) for row in rows])

    return fresh(look, pairs, staff_only=True)


@router.post("", status_code=201, response_model=Receipt[apart.Parted])
def keep_apart(body: apart.PairApart, ask: Asking, database: Db) -> Response:
    """Seat two players together only if no round can do without it."""
    return obeyed(database, apart.ADD, ask, body, status=201)


@router.post("/remove", response_model=Receipt[apart.Parted])
def no_longer_apart(body: apart.PairApart, ask: Asking, database: Db) -> Response:
    """Let two players meet again."""
    return obeyed(database, apart.REMOVE, ask, body)
