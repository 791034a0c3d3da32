"""The cut: seeded, played, corrected, left; and where everybody ends.

A command adds a line to the bracket, or changes one; who meets whom and who is out is worked out from the lines by
`tournament.domain.bracket` each time.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator
from sqlmodel import Session

from tournament import store
from tournament.domain import bracket_moves
from tournament.domain.announcement import CutBy
from tournament.domain.bracket import Bracket, DoubleLosses, Draws, Leaving, Place, Reported, left, reports
from tournament.domain.bracket import Redrawn as DrawnAnew
from tournament.domain.bracket_moves import Correction
from tournament.domain.bracket_plan import Form, MatchId
from tournament.domain.cut import (
    SMALLEST_CUT,
    Cut,
    cut_by_points,
    cut_to,
    cut_to_with_ties,
    final_places,
    places_without_cut,
    recommended,
)
from tournament.domain.errors import NothingToUndo
from tournament.domain.lifecycle import Action, Phase
from tournament.domain.model import PlayerId
from tournament.domain.results import MatchFormat
from tournament.domain.roles import SCOREKEEPERS, Role
from tournament.domain.standings import still_in
from tournament.errors import CorrectionUnseen, CutReopened, PodsWithoutCut
from tournament.event_file.model import MOST_SEEDS
from tournament.service import brackets, cut_rounds, events, ownership, scans, standings
from tournament.service.chain import canonical
from tournament.service.commands import Already, Arguments, Fact, Kind, Nothing, Scene
from tournament.service.entries import MOST_NUMBER
from tournament.service.entries import load as load_entry
from tournament.service.results import Games, checked, games_of, result_of
from tournament.tables import BracketLineRow, BracketRow, EventRow, LogRow, SeedRow

_JUDGES: Final = SCOREKEEPERS | {Role.JUDGE}
_DIGITS: Final = 16
"""Of a digest."""


# --- start ------------------------------------------------------------------------------------------------------------


class Choice(Arguments):
    """Who is in the cut: the best so many, or everybody with so many points; else as the event announced.

    If it announced nothing, or the table, they are as many as appendix E of the Magic Tournament Rules advises.
    """

    top: int | None = Field(default=None, ge=SMALLEST_CUT, le=MOST_SEEDS, description="the best so many", examples=[8])
    with_ties: bool = Field(default=False, description="and everybody tied with the last of them")
    points: int | None = Field(default=None, ge=0, le=MOST_NUMBER, description="or: everybody with so many points")

    @model_validator(mode="after")
    def _one_way(self) -> "Choice":
        if self.points is not None and (self.top is not None or self.with_ties):
            raise ValueError("a cut is to the best so many (top), or by points; name one of the two")
        return self


class StartCut(Choice):
    """Seed the cut."""

    form: Form | None = Field(default=None, description="as the event announced when null")
    draws: Draws = Field(default=Draws.SUDDEN_DEATH, description="what a drawn match means")
    double_losses: DoubleLosses = Field(default=DoubleLosses.BOTH_OUT, description="what a match means that both lose")
    best_of: MatchFormat | None = Field(default=None, description="games of a match; those of the event when null")
    unproven: bool = Field(
        default=False,
        description="begin although cards are not proven, for a reason; the event is never sanctioned then",
    )


class Tied(BaseModel):
    """Players with equal points and tiebreaks, whose seeds the public draw decided."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    place: int
    seeded: list[int]
    left_out: list[int]
    """Not empty: the line of the cut goes through the tie."""
    sentence: str


class CutStarted(Fact):
    """The seeds, best first, and what was chosen."""

    seeds: list[int]
    ties: list[Tied]
    form: Form
    draws: Draws
    double_losses: DoubleLosses
    best_of: MatchFormat
    epoch: int | None = Field(default=None, description="that opens it, where players prove their cards")
    unproven: list[int] = Field(default=[], description="players who begin although nobody knows of their cards")


def seeds_of(session: Session, event: EventRow, asked: Choice) -> Cut:
    """Who would be in, and what the draw decided. Raises: CutImpossible, PodsWithoutCut."""
    if event.pod_size is not None:
        raise PodsWithoutCut
    players = store.players_of(session, event.id)
    gone = {player.id for player in players if not still_in(player)}
    _, lines = standings.after(session, event)
    names_nothing = asked.points is None and asked.top is None and not asked.with_ties
    points, size, with_ties = _announced(event) if names_nothing else _named(asked)
    if points is not None:
        return cut_by_points(points, lines, draw=event.draw, gone=gone)
    if size is None:
        listed = {line.player for line in lines}
        byes = [player.awarded_byes for player in players if player.id in listed and player.awarded_byes]
        usual = recommended(len(lines), byes)
        is_small = event.cut == CutBy.TABLE and not usual.swiss_rounds
        size = min((events.plan(session, event).cut if is_small else None) or usual.cut, len(listed - gone))
    if with_ties:
        return cut_to_with_ties(size, lines, draw=event.draw, gone=gone)
    return cut_to(size, lines, draw=event.draw, gone=gone)


def _named(asked: Choice) -> tuple[int | None, int | None, bool]:
    """Points, size, and whether the tied come along, as the call says."""
    return asked.points, asked.top, asked.with_ties


def _announced(event: EventRow) -> tuple[int | None, int | None, bool]:
    """The same as the event announced."""
    match CutBy(event.cut):
        case CutBy.POINTS:
            return event.cut_points, None, False
        case CutBy.SIZE | CutBy.SIZE_WITH_TIES:
            return None, event.cut_size, event.cut == CutBy.SIZE_WITH_TIES
        case _:
            return None, None, False


def ties_of(cut: Cut) -> list[Tied]:
    """What the draw decided, to be said aloud."""
    return [
        Tied(
            place=tie.place,
            seeded=list(map(int, tie.seeded)),
            left_out=list(map(int, tie.left_out)),
            sentence=str(tie),
        )
        for tie in cut.ties
    ]


def _decide_start(scene: Scene, asked: StartCut) -> CutStarted:
    scans.check_settled(scene.session, scene.event, store.last_published(scene.session, scene.event.id) + 1)
    cut = seeds_of(scene.session, scene.event, asked)
    form = asked.form or Form(scene.event.cut_form)
    bracket_moves.start(cut.seeds, form=form)
    return CutStarted(
        seeds=list(map(int, cut.seeds)),
        ties=ties_of(cut),
        form=form,
        draws=asked.draws,
        double_losses=asked.double_losses,
        best_of=asked.best_of or MatchFormat(scene.event.best_of),
        **_opened(scene, asked, list(map(int, cut.seeds))),
    )


def _opened(scene: Scene, asked: StartCut, seeds: list[int]) -> dict[str, Any]:
    """The epoch that opens the cut, and who begins unproven."""
    if not ownership.is_required(scene.event):
        return {}
    number = store.last_published(scene.session, scene.event.id) + 1
    even_so = asked.unproven and bool(asked.reason)
    return ownership.opened(scene.session, scene.event, number, seeds, even_so=even_so, cut_round=1)


def _apply_start(session: Session, event: EventRow, row: LogRow, fact: CutStarted) -> None:
    store.delete_drafts(session, event.id)
    started = BracketRow(
        event_id=event.id,
        form=fact.form.value,
        draws=fact.draws.value,
        double_losses=fact.double_losses.value,
        best_of=fact.best_of.value,
        started_at=row.at,
        ties=canonical([tie.model_dump() for tie in fact.ties]),
        epoch=fact.epoch,
    )
    seeds = [SeedRow(event_id=event.id, seed=seed, entry=entry) for seed, entry in enumerate(fact.seeds, start=1)]
    store.add_bracket(session, started, seeds)
    ownership.begin_unproven(session, event.id, fact.epoch, fact.unproven)


# --- a match ----------------------------------------------------------------------------------------------------------


class Report(Arguments):
    """A match of the cut ended."""

    match: str = Field(min_length=1, max_length=20, examples=["M1.2"])
    games: Games


class Played(Fact):
    """The result that counts from now on; `first` and `second` as the bracket has them."""

    match: str
    first: int
    second: int
    games: Games


def _decide_report(scene: Scene, asked: Report) -> Played | Already:
    bracket, row = _bracket(scene)
    result = checked(asked.games, row.best_of) if _is_new(bracket, asked) else result_of(asked.games)
    after = bracket_moves.report(bracket, MatchId(asked.match), result)
    cut_rounds.check_begun(scene.session, scene.event, bracket, MatchId(asked.match))
    if after == bracket:
        lines = store.bracket_lines(scene.session, scene.event.id)
        return Already(next(line.sequence for line in lines if line.match_id == asked.match))
    said = reports(after)[MatchId(asked.match)]
    return Played(match=asked.match, first=int(said.first), second=int(said.second), games=asked.games)


def _is_new(bracket: Bracket, asked: Report) -> bool:
    known = reports(bracket).get(MatchId(asked.match))
    return known is None or known.result != result_of(asked.games)


def _apply_report(session: Session, event: EventRow, row: LogRow, fact: Played) -> None:
    line = brackets.next_line(session, event, row)
    line.match_id, line.first, line.second = fact.match, fact.first, fact.second
    _write(line, fact.games)
    store.add_line(session, line)


def _write(line: BracketLineRow, games: Games) -> None:
    line.games_first, line.games_second, line.drawn = games.first, games.second, games.drawn
    line.ending = games.ending.value


# --- corrections, shown before they are made --------------------------------------------------------------------------


class Seen(BaseModel):
    """What a correction does to other matches."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    replay: list[str]
    """Matches that have a result although other players belong there: to be played again."""
    moved: list[str]
    """Matches without a result whose players change; somebody may be playing there."""
    seen: str
    """To be sent with the correction by whoever has looked."""


class Correct(Report):
    """Another result in the place of a wrong one."""

    seen: str = Field(
        default="", max_length=64, description="from the preview; needed if the correction changes other matches"
    )


class TakeBack(Arguments):
    """Take a line of the bracket back: a drop by mistake, a drawing anew, a result of a match that was not played."""

    line: int = Field(ge=1, le=MOST_NUMBER, description="its number, as the bracket lists it")
    seen: str = Field(
        default="", max_length=64, description="from the preview; needed if taking it back changes other matches"
    )


class MatchCorrected(Fact):
    """The result that counts from now on, and the lines that count no more."""

    line: int
    match: str
    games: Games
    before: Games
    lines_gone: list[int]
    replay: list[str]
    moved: list[str]


class Stay(BaseModel):
    """A player as the correction leaves the entry."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entry: int
    dropped_after: int | None
    disqualified: bool


class TakenBack(Fact):
    """A line that counts no more, with those that hung on it."""

    line: int
    lines_gone: list[int]
    entries: list[Stay]
    replay: list[str]
    moved: list[str]


def seen_of(correction: Correction) -> Seen:
    """What there is to look at."""
    replay, moved = list(map(str, correction.replay)), list(map(str, correction.moved))
    return Seen(replay=replay, moved=moved, seen=sha256(canonical([replay, moved]).encode()).hexdigest()[:_DIGITS])


def correction_of(session: Session, event: EventRow, asked: Report) -> Correction:
    """What a correction would do; nothing is changed.

    Raises:
        CutNotFound, MatchUnknown, MatchNotReady: there is no such result.
        ResultRefused, ResultImpossible, DrawNotSettled, DoubleLossNotSettled: it cannot be so.
    """
    bracket, row = brackets.load(session, event.id), store.find_bracket(session, event.id)
    result = checked(asked.games, row.best_of if row is not None else event.best_of)
    return bracket_moves.correct(bracket, MatchId(asked.match), result)


def without_line(session: Session, event: EventRow, line: int) -> Correction:
    """What taking a line back would do; nothing is changed.

    Raises:
        CutNotFound: there is no cut.
        NothingToUndo: no such line.
    """
    bracket = brackets.load(session, event.id)
    lines = store.bracket_lines(session, event.id)
    at = next((at for at, row in enumerate(lines) if row.line == line), None)
    if at is None:
        raise NothingToUndo(f"line {line}")
    return bracket_moves.undo_line(bracket, at)


def _refuse_unseen(scene: Scene, correction: Correction, seen: str) -> Seen:
    found = seen_of(correction)
    if scene.event.phase == Phase.FINISHED and correction.replay:
        raise CutReopened([change.match for change in correction.replay])
    if (found.replay or found.moved) and seen != found.seen:
        raise CorrectionUnseen(found.replay, found.moved, found.seen)
    return found


def _decide_correct(scene: Scene, asked: Correct) -> MatchCorrected | Already:
    correction = correction_of(scene.session, scene.event, asked)
    found = _refuse_unseen(scene, correction, asked.seen)
    lines = store.bracket_lines(scene.session, scene.event.id)
    wrong = next(line for line in lines if line.match_id == asked.match)
    before = store.line_from(wrong)
    assert isinstance(before, Reported)  # noqa: S101 - it names a match
    if before.result == result_of(asked.games):
        return Already(wrong.sequence)
    return MatchCorrected(
        line=wrong.line,
        match=asked.match,
        games=asked.games,
        before=games_of(before.result),
        lines_gone=_gone(lines, correction),
        replay=found.replay,
        moved=found.moved,
    )


def _gone(lines: Sequence[BracketLineRow], correction: Correction) -> list[int]:
    """The results that no longer count."""
    kept = reports(correction.bracket)
    return [line.line for line in lines if line.match_id is not None and MatchId(line.match_id) not in kept]


def _apply_correct(session: Session, event: EventRow, row: LogRow, fact: MatchCorrected) -> None:
    store.delete_lines(session, event.id, fact.lines_gone)
    line = store.find_line(session, event.id, fact.line)
    if line is None:
        raise NothingToUndo(f"line {fact.line}")
    _write(line, fact.games)
    line.sequence = row.sequence


def _decide_take_back(scene: Scene, asked: TakeBack) -> TakenBack:
    correction = without_line(scene.session, scene.event, asked.line)
    found = _refuse_unseen(scene, correction, asked.seen)
    lines = store.bracket_lines(scene.session, scene.event.id)
    taken = next(line for line in lines if line.line == asked.line)
    back = json.loads(taken.gone) if taken.gone is not None else []
    return TakenBack(
        line=asked.line,
        lines_gone=[line for line in _gone(lines, correction) if line != asked.line],
        entries=[_stay(scene, correction.bracket, entry) for entry in back],
        replay=found.replay,
        moved=found.moved,
    )


def _stay(scene: Scene, bracket: Bracket, entry: int) -> Stay:
    """How the player stands by the lines that are left; nobody is seeded who had left before."""
    why = left(bracket).get(PlayerId(str(entry)))
    now = load_entry(scene.session, scene.event.id, entry)
    return Stay(
        entry=entry,
        dropped_after=None if why is None else now.dropped_after,
        disqualified=why is Leaving.DISQUALIFIED,
    )


def _apply_take_back(session: Session, event: EventRow, _: LogRow, fact: TakenBack) -> None:
    store.delete_lines(session, event.id, [fact.line, *fact.lines_gone])
    for stay in fact.entries:
        entry = load_entry(session, event.id, stay.entry)
        entry.dropped_after, entry.disqualified = stay.dropped_after, stay.disqualified


# --- somebody leaves, a round is drawn anew ---------------------------------------------------------------------------


class Leave(Arguments):
    """Players leave the cut together."""

    players: list[int] = Field(min_length=1, max_length=MOST_SEEDS, examples=[[17]])
    why: Leaving = Leaving.DROPPED


class Gone(Fact):
    """Players who left after that round."""

    players: list[int]
    why: Leaving
    dropped_after: int


class Redrawn(Fact):
    """The main round that was drawn anew."""

    round: int


def _decide_leave(scene: Scene, asked: Leave) -> Gone:
    bracket = brackets.load(scene.session, scene.event.id)
    players = tuple(PlayerId(str(player)) for player in asked.players)
    move = bracket_moves.drop if asked.why is Leaving.DROPPED else bracket_moves.disqualify
    move(bracket, *players)
    return Gone(
        players=list(dict.fromkeys(asked.players)),
        why=asked.why,
        dropped_after=store.last_published(scene.session, scene.event.id),
    )


def _apply_leave(session: Session, event: EventRow, row: LogRow, fact: Gone) -> None:
    line = brackets.next_line(session, event, row)
    line.gone, line.why = canonical(fact.players), fact.why.value
    store.add_line(session, line)
    for number in fact.players:
        entry = load_entry(session, event.id, number)
        entry.dropped_after = fact.dropped_after if entry.dropped_after is None else entry.dropped_after
        entry.disqualified = entry.disqualified or fact.why is Leaving.DISQUALIFIED


def _decide_redraw(scene: Scene, _: Nothing) -> Redrawn:
    after = bracket_moves.redraw(brackets.load(scene.session, scene.event.id))
    drawn = after.log[-1]
    assert isinstance(drawn, DrawnAnew)  # noqa: S101 - what `redraw` adds
    return Redrawn(round=drawn.round)


def _apply_redraw(session: Session, event: EventRow, row: LogRow, fact: Redrawn) -> None:
    line = brackets.next_line(session, event, row)
    line.redrawn = fact.round
    store.add_line(session, line)


START: Final = Kind(
    name="cut.start",
    arguments=StartCut,
    fact=CutStarted,
    roles=SCOREKEEPERS,
    actions=(Action.START_CUT,),
    decide=_decide_start,
    apply=_apply_start,
)
REPORT: Final = Kind(
    name="cut.report",
    arguments=Report,
    fact=Played,
    roles=_JUDGES,
    actions=(Action.REPORT,),
    decide=_decide_report,
    apply=_apply_report,
)
CORRECT: Final = Kind(
    name="cut.correct",
    arguments=Correct,
    fact=MatchCorrected,
    roles=_JUDGES,
    actions=(Action.CORRECT,),
    decide=_decide_correct,
    apply=_apply_correct,
)
LEAVE: Final = Kind(
    name="cut.leave",
    arguments=Leave,
    fact=Gone,
    roles=_JUDGES,
    actions=(Action.DROP,),
    decide=_decide_leave,
    apply=_apply_leave,
)
REDRAW: Final = Kind(
    name="cut.redraw",
    arguments=Nothing,
    fact=Redrawn,
    roles=SCOREKEEPERS,
    actions=(Action.REPAIR,),
    decide=_decide_redraw,
    apply=_apply_redraw,
)
TAKE_BACK: Final = Kind(
    name="cut.take_back",
    arguments=TakeBack,
    fact=TakenBack,
    roles=SCOREKEEPERS,
    actions=(Action.REPAIR,),
    decide=_decide_take_back,
    apply=_apply_take_back,
)
KINDS: Final = (START, REPORT, CORRECT, LEAVE, REDRAW, TAKE_BACK)


# --- what is so -------------------------------------------------------------------------------------------------------


def _bracket(scene: Scene) -> tuple[Bracket, BracketRow]:
    row = store.find_bracket(scene.session, scene.event.id)
    bracket = brackets.load(scene.session, scene.event.id)
    assert row is not None  # noqa: S101 - `load` refuses if it is
    return bracket, row


def places_of(session: Session, event: EventRow) -> tuple[Bracket | None, tuple[Place, ...]]:
    """The cut, if there is one, and where everybody ends as far as it is certain."""
    bracket = store.bracket_of(session, event.id)
    _, lines = standings.after(session, event)
    return bracket, places_without_cut(lines) if bracket is None else final_places(bracket, lines)
