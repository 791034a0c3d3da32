"""Undo."""

from fastapi import Response

from tournament.api.answers import receipt
from tournament.api.deps import Asking, Db
from tournament.api.schemas import Receipt
from tournament.api.shelf import Shelf
from tournament.service import undo

router = Shelf(prefix="/events/{event}/undo", tags=["undo"])


@router.post("", response_model=Receipt[undo.Undone])
def undo_command(body: undo.Undo, ask: Asking, database: Db) -> Response:
    """Take the last command back; or, if that was an undoing, have again what it took back.

    Whoever may give a command may undo it, and an organizer may undo any.
    """
    return receipt(undo.undo(database, ask, body))
