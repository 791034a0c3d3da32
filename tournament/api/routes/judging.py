"""Judging: the judges' overview, and how the event is judged."""

from fastapi import Response

from tournament.api import judged
from tournament.api.answers import fresh, obeyed
from tournament.api.deps import Asking, Db, Looking
from tournament.api.schemas import Overview, Receipt
from tournament.api.shelf import Shelf
from tournament.service import judging

router = Shelf(prefix="/events/{event}/judging", tags=["judging"])


@router.get("", response_model=Overview)
def show_overview(look: Looking) -> Response:
    """Disagreements, calls, deck checks and penalties of the round, in one look. For staff."""
    return fresh(look, judged.overview_of, staff_only=True)


@router.patch("", response_model=Receipt[judging.JudgingSet])
def set_judging(body: judging.SetJudging, ask: Asking, database: Db) -> Response:
    """Say whether players report their own results, and whether penalties are public; what you do not name stays."""
    return obeyed(database, judging.SET, ask, body)
