"""Rounds and their results: pair, look, publish, report, correct, close."""

from typing import Annotated

from fastapi import Path, Response
from pydantic import Field

from tournament import store
from tournament.api import documents
from tournament.api.answers import Viewer, fresh, obeyed, obeyed_soon, receipt, shown
from tournament.api.deps import Asking, Db, Looking, TheNodes
from tournament.api.schemas import Certificate, MissingResults, PlayedRound, Receipt, Rounds, TableChanges, WaysOn
from tournament.api.shelf import Shelf
from tournament.service import openings, repairs, results, rounds, swaps
from tournament.service.commands import Arguments, Nothing, Words
from tournament.service.entries import MOST_NUMBER
from tournament.service.swaps import MOST_SWAPS, Move, Two

router = Shelf(prefix="/events/{event}/rounds", tags=["rounds"])
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The round.", examples=[3])]
Table = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The table.", examples=[12])]


class Said(Arguments):
    """A table's result."""

    games: results.TableResult


class Right(Said):
    """The right result of a table, and what becomes of the tables of the round that is played."""

    option: str | None = Field(
        default=None,
        min_length=1,
        max_length=64,
        description="a way to mend the round, as previewed; null: leave it",
    )
    playing: list[int] = Field(
        default_factory=list, max_length=MOST_NUMBER, description="tables without a result that must stand"
    )


class Wrong(Arguments):
    """What the result should have been, to see what it comes to."""

    games: results.TableResult
    playing: list[int] = Field(
        default_factory=list, max_length=MOST_NUMBER, description="tables without a result that must stand"
    )


class Swap(Arguments):
    """Tables made by hand."""

    swaps: list[Two] = Field(default_factory=list, max_length=MOST_SWAPS, description="one after the other")
    moves: list[Move] = Field(default_factory=list, max_length=MOST_SWAPS, description="after the swaps")
    even_so: bool = Field(default=False, description="also if the round is worse than without the change")
    reason: Words = Field(min_length=1, examples=["brothers"], description="everybody reads it")


@router.post("", status_code=201, response_model=Receipt[rounds.Paired])
def pair_round(ask: Asking, database: Db, body: rounds.Pair | None = None) -> Response:
    """Pair the next round as a draft, which only staff see. Paired again, it is made anew from what is known now.

    While a round is played this closes it, if every table has its result. Where players prove their cards, it opens the
    epoch of the round.
    """
    return receipt(openings.pair(database, ask, body or rounds.Pair()), status=201)


@router.post("/publish", response_model=Receipt[rounds.Published])
def publish_round(ask: Asking, database: Db, nodes: TheNodes, body: rounds.Publish | None = None) -> Response:
    """Publish the draft: the round begins, and so does its clock, unless it is to be started by hand.

    Where players prove their cards, the chain is asked first what they hold.
    """
    return receipt(openings.publish(database, ask, body or rounds.Publish(), nodes))


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
    return fresh(look, documents.rounds_of, for_crowds=True)


@router.get("/{number}", response_model=PlayedRound)
def show_round(look: Looking, number: Number) -> Response:
    """A round with its tables."""
    return fresh(look, lambda viewer: documents.round_of(viewer, number), for_crowds=True)


@router.get("/{number}/certificate", response_model=Certificate)
def show_certificate(look: Looking, number: Number) -> Response:
    """Why the round is paired as it is, and the proof that none is better. For everybody once it is published."""
    return fresh(look, lambda viewer: documents.certificate_of(viewer, number))


@router.get("/{number}/changes", response_model=TableChanges)
def show_changes(look: Looking, number: Number) -> Response:
    """What was changed after the round was paired, by hand or to mend a mistake, and why."""
    return fresh(look, lambda viewer: documents.changes_of(viewer, number))


@router.get("/{number}/missing", response_model=MissingResults)
def show_missing(look: Looking, number: Number) -> Response:
    """The tables that have no result yet, with their extra time."""

    def missing(viewer: Viewer) -> MissingResults:
        row = rounds.seen(viewer.session, viewer.event.id, number, staff=viewer.is_staff)
        return MissingResults.of(row, store.seats_of(viewer.session, viewer.event.id, number))

    return fresh(look, missing)


@router.post("/{number}/swap", response_model=Receipt[swaps.Swapped])
def swap_players(body: Swap, ask: Asking, database: Db, number: Number) -> Response:
    """Change tables by hand: of a draft, or of the round that is played where nobody has reported.

    What breaks a rule is refused. What is only worse than before needs `even_so`. The change and its reason are public
    once the round is.
    """
    return obeyed(database, swaps.SWAP, ask, swaps.Swap(round=number, **body.model_dump()))


@router.post("/repair/preview", response_model=WaysOn)
def preview_repair(body: repairs.Mistake, look: Looking) -> Response:
    """The ways to go on after a mistake, each with what it costs. Nothing is changed."""
    return shown(look, lambda viewer: WaysOn.of(repairs.situation(viewer.session, viewer.event, body)))


@router.post("/repair", response_model=Receipt[repairs.Repaired])
def repair_round(body: repairs.Repair, ask: Asking, database: Db) -> Response:
    """Mend the round that is played, in one of the ways that the preview showed."""
    return obeyed(database, repairs.REPAIR, ask, body)


@router.post("/{number}/tables/{table}/result", status_code=201, response_model=Receipt[results.Reported])
async def report_result(body: Said, ask: Asking, database: Db, number: Number, table: Table) -> Response:
    """Report a table. The same result again is no second report, whoever sends it."""
    return await obeyed_soon(database, results.REPORT, ask, _report(body, number, table), status=201)


@router.post("/{number}/tables/{table}/repair", response_model=WaysOn)
def preview_correction(body: Wrong, look: Looking, number: Number, table: Table) -> Response:
    """What correcting that result would come to: the ways to go on with the present round. Nothing is changed."""
    wrong = repairs.Correction(round=number, table=table, games=body.games)
    mistake = repairs.Mistake(correct=wrong, playing=body.playing)
    return shown(look, lambda viewer: WaysOn.of(repairs.situation(viewer.session, viewer.event, mistake)))


@router.put("/{number}/tables/{table}/result", response_model=Receipt[results.Reported] | Receipt[repairs.Repaired])
def correct_result(body: Right, ask: Asking, database: Db, number: Number, table: Table) -> Response:
    """Put another result in place of a wrong one, also of an earlier round.

    With an `option` of the preview it changes the tables of the round that is played as well, in the same step.
    """
    if body.option is None:
        return obeyed(database, results.CORRECT, ask, _report(body, number, table))
    mistake = repairs.Repair(
        correct=repairs.Correction(round=number, table=table, games=body.games),
        playing=body.playing,
        option=body.option,
        reason=body.reason,
    )
    return obeyed(database, repairs.REPAIR, ask, mistake)


def _report(body: Said, number: int, table: int) -> results.Report:
    return results.Report(round=number, table=table, games=body.games, reason=body.reason)
