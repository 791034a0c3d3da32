"""Rounds and their results: pair, look, publish, report, correct, close."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from tournament import store
from tournament.api.answers import Viewer, fresh, obeyed
from tournament.api.deps import Asking, Db, Looking
from tournament.api.schemas import PlayedRound, Receipt, RoundLine, Rounds
from tournament.service import results, rounds
from tournament.service.commands import Arguments, Nothing
from tournament.service.entries import MOST_NUMBER

router = APIRouter(prefix="/events/{event}/rounds", tags=["rounds"])
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The round.", examples=[3])]
Table = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The table.", examples=[12])]


class Said(Arguments):
    """A table's result."""

    games: results.Games


@router.post("", status_code=201, response_model=Receipt[rounds.Paired])
def pair_round(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Pair the next round as a draft, which only staff see. Paired again, it is made anew from what is known now."""
    return obeyed(database, rounds.PAIR, ask, body or Nothing(), status=201)


@router.post("/publish", response_model=Receipt[rounds.Numbered])
def publish_round(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Publish the draft: the round begins."""
    return obeyed(database, rounds.PUBLISH, ask, body or Nothing())


@router.post("/close", response_model=Receipt[rounds.Numbered])
def close_round(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Close the round that is played; every table needs a result."""
    return obeyed(database, rounds.CLOSE, ask, body or Nothing())


@router.post("/reopen", response_model=Receipt[rounds.Numbered])
def reopen_round(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Open the last round again; a draft of the next one is discarded."""
    return obeyed(database, rounds.REOPEN, ask, body or Nothing())


@router.get("", response_model=Rounds)
def list_rounds(look: Looking) -> Response:
    """The rounds; a draft for staff only."""

    def lines(viewer: Viewer) -> Rounds:
        rows = store.round_rows(viewer.session, viewer.event.id)
        seen = [row for row in rows if row.published_at is not None or viewer.is_staff]
        return Rounds(rounds=[RoundLine(**row.model_dump(exclude={"event_id"})) for row in seen])

    return fresh(look, lines)


@router.get("/{number}", response_model=PlayedRound)
def show_round(look: Looking, number: Number) -> Response:
    """A round with its tables."""
    return fresh(
        look,
        lambda viewer: PlayedRound.of(
            *rounds.with_seats(viewer.session, viewer.event.id, number, staff=viewer.is_staff)
        ),
    )


@router.post("/{number}/tables/{table}/result", status_code=201, response_model=Receipt[results.Reported])
def report_result(body: Said, ask: Asking, database: Db, number: Number, table: Table) -> Response:
    """Report a table. The same result again is no second report, whoever sends it."""
    return obeyed(database, results.REPORT, ask, _report(body, number, table), status=201)


@router.put("/{number}/tables/{table}/result", response_model=Receipt[results.Reported])
def correct_result(body: Said, ask: Asking, database: Db, number: Number, table: Table) -> Response:
    """Put another result in place of a wrong one, also of an earlier round."""
    return obeyed(database, results.CORRECT, ask, _report(body, number, table))


def _report(body: Said, number: int, table: int) -> results.Report:
    return results.Report(round=number, table=table, games=body.games, reason=body.reason)
