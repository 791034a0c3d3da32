"""The clock of the round that is played."""

from fastapi import Response

from tournament.api.answers import obeyed
from tournament.api.deps import Asking, Db
from tournament.api.schemas import Receipt
from tournament.api.shelf import Shelf
from tournament.service import clock
from tournament.service.commands import Nothing

router = Shelf(prefix="/events/{event}/clock", tags=["clock"])


@router.post("/start", response_model=Receipt[clock.Started])
def start_clock(ask: Asking, database: Db, body: clock.Start | None = None) -> Response:
    """Start the clock of a round that was published without, or with one that waits."""
    return obeyed(database, clock.START, ask, body or clock.Start())


@router.post("/pause", response_model=Receipt[clock.Paused])
def pause_clock(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Stop the clock; the end of the round moves by as long as it stands still."""
    return obeyed(database, clock.PAUSE, ask, body or Nothing())


@router.post("/resume", response_model=Receipt[clock.Resumed])
def resume_clock(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Let the clock go on."""
    return obeyed(database, clock.RESUME, ask, body or Nothing())


@router.post("/adjust", response_model=Receipt[clock.Adjusted])
def adjust_clock(body: clock.Adjust, ask: Asking, database: Db) -> Response:
    """Give the whole round more time, or less."""
    return obeyed(database, clock.ADJUST, ask, body)


@router.post("/extend", response_model=Receipt[clock.Extended])
def extend_table(body: clock.Extend, ask: Asking, database: Db) -> Response:
    """Give one table more time, with the reason. The document of the round shows the minutes, not the reason."""
    return obeyed(database, clock.EXTEND, ask, body)
