"""What can happen to a cut: a result, a drop, a disqualification, a round drawn anew, a correction.

Every move takes a bracket and gives another one, or refuses. Nobody is promoted into a bracket that has begun.

Source: Magic Tournament Rules 2.10 (nobody replaces a player who drops after the cut; in single elimination the
highest-ranked remaining player has the bye instead: `redraw`; in the rule book of 2015 the opponent had it, which is
what `drop` alone does); Infraction Procedure Guide 1.1 (a disqualified player loses the current match).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournament.domain.bracket import (
    Bracket,
    DoubleLosses,
    Draws,
    Empty,
    Entry,
    Leaving,
    Left,
    Match,
    Occupant,
    Redrawn,
    Reported,
    Seats,
    is_ready,
    left,
    matches,
    reports,
    verdict,
)
from tournament.domain.bracket_plan import Form, MatchId, Part
from tournament.domain.cut import SMALLEST_CUT
from tournament.domain.errors import (
    AlreadyLeft,
    AlreadyReported,
    CutImpossible,
    DoubleLossNotSettled,
    DrawNotSettled,
    MatchNotReady,
    MatchUnknown,
    NothingToUndo,
    NotInBracket,
    RedrawRefused,
    ResultImpossible,
    SeededTwice,
)
from tournament.domain.model import PlayerId, Result
from tournament.domain.results import Outcome as Verdict
from tournament.domain.tiebreaks import MOST_GAMES


@dataclass(frozen=True, slots=True)
class Change:
    """A match whose players a correction changes."""

    match: MatchId
    before: Seats
    now: Seats

    def __str__(self) -> str:
        return f"{self.match}: was {_versus(self.before)}, is now {_versus(self.now)}"


@dataclass(frozen=True, slots=True)
class Correction:
    """What a correction does, to be shown before its bracket is kept."""

    bracket: Bracket
    replay: tuple[Change, ...]
    """Matches that had a result which no longer counts, because other players belong there."""
    moved: tuple[Change, ...]
    """Matches without a result that could be played, by others than now; somebody may be sitting there."""


def start(
    seeds: Sequence[PlayerId],
    *,
    form: Form = Form.SINGLE,
    draws: Draws = Draws.SUDDEN_DEATH,
    double_losses: DoubleLosses = DoubleLosses.BOTH_OUT,
) -> Bracket:
    """Lay out a bracket for the seeds, best first; where they are no power of two, the highest seeds have byes.

    Raises:
        CutImpossible: fewer than two seeds.
        SeededTwice: a player stands in more than one place.
    """
    if len(seeds) < SMALLEST_CUT:
        raise CutImpossible(len(seeds), len(seeds))
    if twice := tuple(player for player, times in Counter(seeds).items() if times > 1):
        raise SeededTwice(twice)
    return Bracket(tuple(seeds), form, draws, double_losses)


def report(bracket: Bracket, match: MatchId, result: Result) -> Bracket:
    """Accept a result, games as won by the match's first and second player. The same report twice changes nothing.

    Raises:
        MatchUnknown: the bracket has no such match.
        MatchNotReady: a player is not known yet, or there is nothing to play.
        AlreadyReported: the match has another result; `correct` it.
        ResultImpossible: games below 0, or more than can be counted.
        DrawNotSettled: nobody won, and the bracket's rule wants a winner.
        DoubleLossNotSettled: both lost, and the bracket's rule wants the match played again.
    """
    found = _find(bracket, match)
    known = reports(bracket).get(match)
    if known is not None and known.result == result:
        return bracket
    if known is not None:
        raise AlreadyReported(match, f"{known.first} {known.result.first}-{known.result.second} {known.second}")
    first, second = _players(found)
    _check(result, match, bracket)
    return _with(bracket, Reported(match, first, second, result))


def correct(bracket: Bracket, match: MatchId, result: Result) -> Correction:
    """Put another result in the place of a wrong one, and say which later matches that changes.

    Raises:
        MatchUnknown: the bracket has no such match.
        MatchNotReady: the match has no result to correct.
        ResultImpossible: games below 0, or more than can be counted.
        DrawNotSettled: nobody won, and the bracket's rule wants a winner.
        DoubleLossNotSettled: both lost, and the bracket's rule wants the match played again.
    """
    _find(bracket, match)
    wrong = reports(bracket).get(match)
    if wrong is None:
        raise MatchNotReady(match, "it has no result to correct")
    _check(result, match, bracket)
    right = replace(wrong, result=result)
    return _corrected(bracket, tuple(right if entry == wrong else entry for entry in bracket.log))


def undo(bracket: Bracket, entry: Entry) -> Correction:
    """Take a line of the log back (a report, a drop by mistake, a redraw), and say which matches that changes.

    Raises:
        NothingToUndo: the log has no such line.
    """
    if entry not in bracket.log:
        raise NothingToUndo(str(entry))
    return undo_line(bracket, bracket.log.index(entry))


def undo_line(bracket: Bracket, at: int) -> Correction:
    """The same for the line at that index, where two lines may read alike (a round drawn anew twice).

    Raises:
        NothingToUndo: the log has no such line.
    """
    if not 0 <= at < len(bracket.log):
        raise NothingToUndo(f"line {at + 1}")
    return _corrected(bracket, bracket.log[:at] + bracket.log[at + 1 :])


def drop(bracket: Bracket, *players: PlayerId) -> Bracket:
    """Let players go: their opponents advance. Of two opponents who leave together none advances: a bye follows.

    Raises:
        NotInBracket: a player is not among the seeds.
        AlreadyLeft: a player is gone already.
    """
    return _leave(bracket, players, Leaving.DROPPED)


def disqualify(bracket: Bracket, *players: PlayerId) -> Bracket:
    """Remove players, out already or not: their opponents advance, and everybody below moves up.

    Raises:
        NotInBracket: a player is not among the seeds.
        AlreadyLeft: a player is disqualified already.
    """
    return _leave(bracket, players, Leaving.DISQUALIFIED)


def redraw(bracket: Bracket) -> Bracket:
    """Draw the round that comes next anew, among those who remain: the highest-ranked of them have the byes.

    Without it the opponent of a player who left has the bye. The remaining players take the places of a bracket of
    the round's size in order of seed, as if the cut had been made with them.

    Raises:
        RedrawRefused: not single elimination, the round has begun, or nobody has left before it.
    """
    if bracket.form is Form.DOUBLE:
        raise RedrawRefused("in double elimination the losers have their places already")
    main = [match for match in matches(bracket) if match.plan.part is Part.MAIN]
    round_ = min((match.plan.round for match in main if match.outcome is None), default=None)
    if round_ is None:
        raise RedrawRefused("no round is to come")
    if any(match.plan.round >= round_ and match.id in reports(bracket) for match in main):
        raise RedrawRefused(f"round {round_} has begun: one of its matches, or a later one, has a result")
    if not left(bracket).keys() & {seat for match in main if match.plan.round == round_ for seat in match.seats}:
        raise RedrawRefused(f"nobody who belongs to round {round_} has left")
    return _with(bracket, Redrawn(round_))


def _with(bracket: Bracket, entry: Entry) -> Bracket:
    return replace(bracket, log=(*bracket.log, entry))


def _find(bracket: Bracket, wanted: MatchId) -> Match:
    for match in matches(bracket):
        if match.id == wanted:
            return match
    raise MatchUnknown(wanted, bracket.form, len(bracket.seeds))


def _players(match: Match) -> tuple[PlayerId, PlayerId]:
    first, second = match.seats
    if not is_ready(match) or isinstance(first, Empty) or isinstance(second, Empty):
        raise MatchNotReady(match.id, _why_not(match))
    return first, second


def _why_not(match: Match) -> str:
    if match.outcome:
        return f"it is decided: {match.outcome.how}"
    sources = zip(match.seats, (match.plan.first, match.plan.second), strict=True)
    return "it waits for the " + " and the ".join(str(source) for seat, source in sources if seat is Empty.OPEN)


def _check(result: Result, match: MatchId, bracket: Bracket) -> None:
    if not all(0 <= games <= MOST_GAMES for games in (result.first, result.second, result.drawn)):
        raise ResultImpossible(result.first, result.second, result.drawn, MOST_GAMES)
    found = verdict(result, bracket)
    if found is Verdict.DRAW and bracket.draws in {Draws.SUDDEN_DEATH, Draws.EXTRA_GAME}:
        raise DrawNotSettled(match, bracket.draws)
    if found is Verdict.NOBODY and bracket.double_losses is DoubleLosses.REPLAY:
        raise DoubleLossNotSettled(match)


def _leave(bracket: Bracket, players: tuple[PlayerId, ...], why: Leaving) -> Bracket:
    gone = left(bracket)
    if strangers := tuple(player for player in players if player not in bracket.seeds):
        raise NotInBracket(strangers)
    if already := tuple(player for player in players if gone.get(player) in {why, Leaving.DISQUALIFIED}):
        raise AlreadyLeft(already)
    return _with(bracket, Left(tuple(dict.fromkeys(players)), why)) if players else bracket


def _corrected(bracket: Bracket, log: tuple[Entry, ...]) -> Correction:
    """Keep of the log what still fits: a result counts only for the two who are in that match now."""
    before = {match.id: match for match in matches(bracket)}
    now = {match.id: match for match in matches(replace(bracket, log=log))}
    stale = [entry for entry in log if isinstance(entry, Reported) and now[entry.match].seats != _pair(entry)]
    return Correction(
        replace(bracket, log=tuple(entry for entry in log if entry not in stale)),
        tuple(Change(entry.match, _pair(entry), now[entry.match].seats) for entry in stale),
        tuple(
            Change(match.id, match.seats, now[match.id].seats)
            for match in before.values()
            if is_ready(match) and now[match.id].seats != match.seats
        ),
    )


def _pair(entry: Reported) -> Seats:
    return entry.first, entry.second


def _versus(seats: Seats) -> str:
    return " - ".join(_name(seat) for seat in seats)


def _name(seat: Occupant) -> str:
    return seat.value if isinstance(seat, Empty) else seat
