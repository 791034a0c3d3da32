"""Check-in: who is here, and going on with them."""

from fastapi import Response

from tournament import store
from tournament.api.answers import Viewer, fresh, obeyed
from tournament.api.deps import Asking, Db, Looking
from tournament.api.routes.entries import Number
from tournament.api.schemas import CheckIn, Named, Receipt
from tournament.api.shelf import Shelf
from tournament.domain.roles import AT_THE_DESK
from tournament.service import checkin
from tournament.service.commands import Nothing
from tournament.service.entries import Leave

router = Shelf(prefix="/events/{event}", tags=["check-in"])


@router.get("/check-in", response_model=CheckIn)
def show_check_in(look: Looking) -> Response:
    """How many are here, and what `seat-all` would do now; for the desk."""

    def shown(viewer: Viewer) -> CheckIn:
        session, event = viewer.session, viewer.event
        here, waiting = store.here_of(session, event.id), store.waiting_rows(session, event.id)
        rows = {row.number: row for row in [*here, *waiting]}
        plan = checkin.planned(session, event, checkin.SeatAll())
        missing = store.without_list(session, event.id) if event.decklist == "required" else ()
        return CheckIn(
            entered=len(here),
            checked_in=sum(row.checked_in is not None for row in here),
            waiting=len(waiting),
            waiting_here=sum(row.checked_in is not None for row in waiting),
            absent=[Named.of(rows[number]) for number in plan.dropped],
            promoted=[Named.of(rows[number]) for number in plan.promoted],
            without_list=[Named.of(row) for row, _ in missing],
        )

    return fresh(look, shown, roles=AT_THE_DESK)


@router.post("/check-in/seat-all", response_model=Receipt[checkin.SeatedAll])
def seat_all(ask: Asking, database: Db, body: checkin.SeatAll | None = None) -> Response:
    """Go on with whoever is here: everybody else is dropped, and who waits and is here gets a place."""
    return obeyed(database, checkin.SEAT_ALL, ask, body or checkin.SeatAll())


@router.post("/entries/{number}/check-in", response_model=Receipt[checkin.CheckMarked])
def check_in(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """The player is here. Said again, it is the same."""
    return obeyed(database, checkin.CHECK_IN, ask, _of(number, body))


@router.post("/entries/{number}/check-out", response_model=Receipt[checkin.CheckMarked])
def check_out(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """The player is not here after all."""
    return obeyed(database, checkin.CHECK_OUT, ask, _of(number, body))


def _of(number: int, body: Nothing | None) -> Leave:
    return Leave(entry=number, reason=body.reason if body else "")
