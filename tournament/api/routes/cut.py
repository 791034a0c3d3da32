"""The cut: seed it, play it, correct it; and where everybody ends."""

from typing import Annotated

from fastapi import Path, Response
from pydantic import Field

from tournament.api import documents
from tournament.api.answers import fresh, obeyed, receipt, shown
from tournament.api.deps import Asking, Db, Looking, TheNodes
from tournament.api.schemas import CutDocument, Places, Receipt, Seeds
from tournament.api.shelf import Shelf
from tournament.service import cut, cut_rounds, match_clocks, openings
from tournament.service.commands import Arguments, Nothing, WithReason
from tournament.service.entries import MOST_NUMBER
from tournament.service.results import Games
from tournament.service.rounds import MOST_MINUTES

router = Shelf(prefix="/events/{event}", tags=["cut"])
MatchName = Annotated[str, Path(min_length=1, max_length=20, description="The match.", examples=["M1.2"])]
Line = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The line.", examples=[3])]


class MatchSaid(Arguments):
    """What a match came to; `first` and `second` as the bracket has them."""

    games: Games


class MatchRight(MatchSaid):
    """The right result of a match."""

    seen: str = Field(
        default="", max_length=64, description="from the preview; needed if the correction changes other matches"
    )


class MoreTime(WithReason):
    """Give a match more time, or take it away again."""

    minutes: int = Field(ge=-MOST_MINUTES, le=MOST_MINUTES, description="more; less when below 0", examples=[5])


class Back(Arguments):
    """Take a line back."""

    seen: str = Field(
        default="", max_length=64, description="from the preview; needed if taking it back changes other matches"
    )


@router.post("/cut/preview", response_model=Seeds)
def preview_cut(look: Looking, body: cut.Choice | None = None) -> Response:
    """Who would be in the cut, and what the draw would decide. Nothing is changed."""
    asked = body or cut.Choice()
    return shown(look, lambda viewer: Seeds.of(cut.seeds_of(viewer.session, viewer.event, asked)))


@router.post("/cut", status_code=201, response_model=Receipt[cut.CutStarted])
def start_cut(ask: Asking, database: Db, nodes: TheNodes, body: cut.StartCut | None = None) -> Response:
    """Seed the cut from the standings and lay out its bracket.

    Where players prove their cards, the chain is asked first what they hold.
    """
    return receipt(openings.start_cut(database, ask, body or cut.StartCut(), nodes), status=201)


@router.post("/cut/rounds", status_code=201, response_model=Receipt[cut_rounds.CutRoundBegun])
def begin_cut_round(
    ask: Asking, database: Db, nodes: TheNodes, body: cut_rounds.BeginCutRound | None = None
) -> Response:
    """Begin the next round of the cut, where players prove their cards: the chain is asked first what they hold.

    Who is short is flagged, shown, or leaves the cut, as announced. Elsewhere matches begin when their players are
    known, and this is refused.
    """
    asked = body or cut_rounds.BeginCutRound()
    return receipt(openings.begin_cut_round(database, ask, asked, nodes), status=201)


@router.get("/cut", response_model=CutDocument)
def show_cut(look: Looking) -> Response:
    """The cut: its matches, what happened in it, and the places that are certain."""
    return fresh(look, documents.cut_of, for_crowds=True)


@router.post("/cut/matches/{match}/result", status_code=201, response_model=Receipt[cut.Played])
def report_match(body: MatchSaid, ask: Asking, database: Db, match: MatchName) -> Response:
    """Report a match of the cut. The same result again is no second report."""
    asked = cut.Report(match=match, games=body.games, reason=body.reason)
    return obeyed(database, cut.REPORT, ask, asked, status=201)


@router.post("/cut/matches/{match}/correction", response_model=cut.Seen)
def preview_match_correction(body: MatchSaid, look: Looking, match: MatchName) -> Response:
    """What correcting that match would do to others. Nothing is changed."""
    asked = cut.Report(match=match, games=body.games)
    return shown(look, lambda viewer: cut.seen_of(cut.correction_of(viewer.session, viewer.event, asked)))


@router.put("/cut/matches/{match}/result", response_model=Receipt[cut.MatchCorrected])
def correct_match(body: MatchRight, ask: Asking, database: Db, match: MatchName) -> Response:
    """Put another result in place of a wrong one; matches that do not fit any more are to be played again."""
    return obeyed(database, cut.CORRECT, ask, cut.Correct(match=match, **body.model_dump()))


@router.post("/cut/clock/start", response_model=Receipt[match_clocks.MatchesStarted])
def start_match_clocks(ask: Asking, database: Db, body: match_clocks.StartMatches | None = None) -> Response:
    """Start the clocks of matches: those that are named, or all that can be played and have none."""
    return obeyed(database, match_clocks.START, ask, body or match_clocks.StartMatches())


@router.post("/cut/clock/pause", response_model=Receipt[match_clocks.MatchesPaused])
def pause_match_clocks(ask: Asking, database: Db, body: match_clocks.OfMatches | None = None) -> Response:
    """Stop the clocks of matches, of all if none is named."""
    return obeyed(database, match_clocks.PAUSE, ask, body or match_clocks.OfMatches())


@router.post("/cut/clock/resume", response_model=Receipt[match_clocks.MatchesResumed])
def resume_match_clocks(ask: Asking, database: Db, body: match_clocks.OfMatches | None = None) -> Response:
    """Let the clocks of matches go on, of all that stand still if none is named."""
    return obeyed(database, match_clocks.RESUME, ask, body or match_clocks.OfMatches())


@router.post("/cut/clock/adjust", response_model=Receipt[match_clocks.MatchesAdjusted])
def adjust_match_clocks(body: match_clocks.AdjustMatches, ask: Asking, database: Db) -> Response:
    """Give matches more time, or less; all that have a clock if none is named."""
    return obeyed(database, match_clocks.ADJUST, ask, body)


@router.post("/cut/matches/{match}/extend", response_model=Receipt[match_clocks.MatchExtended])
def extend_match(body: MoreTime, ask: Asking, database: Db, match: MatchName) -> Response:
    """Give one match more time, with the reason. The document of the cut shows the minutes, not the reason."""
    return obeyed(database, match_clocks.EXTEND, ask, match_clocks.ExtendMatch(match=match, **body.model_dump()))


@router.post("/cut/leave", response_model=Receipt[cut.Gone])
def leave_cut(body: cut.Leave, ask: Asking, database: Db) -> Response:
    """Players drop, or are disqualified: their opponents advance, and nobody is promoted into the cut."""
    return obeyed(database, cut.LEAVE, ask, body)


@router.post("/cut/redraw", response_model=Receipt[cut.Redrawn])
def redraw_round(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Draw the round that comes next anew among those who remain, so that the highest seeds have the byes."""
    return obeyed(database, cut.REDRAW, ask, body or Nothing())


@router.post("/cut/lines/{line}/preview", response_model=cut.Seen)
def preview_take_back(look: Looking, line: Line) -> Response:
    """What taking that line back would do to other matches. Nothing is changed."""
    return shown(look, lambda viewer: cut.seen_of(cut.without_line(viewer.session, viewer.event, line)))


@router.post("/cut/lines/{line}/take-back", response_model=Receipt[cut.TakenBack])
def take_back(ask: Asking, database: Db, line: Line, body: Back | None = None) -> Response:
    """Take a line of the bracket back: a drop by mistake, a drawing anew, a result of a match that was not played."""
    asked = body or Back()
    return obeyed(database, cut.TAKE_BACK, ask, cut.TakeBack(line=line, seen=asked.seen, reason=asked.reason))


@router.get("/places", response_model=Places)
def show_places(look: Looking) -> Response:
    """Where everybody ends: by the cut, and by the standings below it, as far as it is certain."""
    return fresh(look, documents.places_of, for_crowds=True)
