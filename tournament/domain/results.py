"""What a match came to: whether its result is possible, who won, and what a judge changes in it.

Games are counted as won by the first player, won by the second, and drawn; a game that time cut short is drawn, a game
that was not begun is not counted. A match has as many drawn games as the players manage.

Source: Magic Tournament Rules 2.1 (a match), 2.4 (concession and intentional draw), appendix C (unfinished games);
Infraction Procedure Guide 1.1 (game loss, match loss).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import TypeAlias

from tournament.domain.model import Ending, Pairing, PlayerId, Result


class MatchFormat(IntEnum):
    """How many games decide a match, drawn ones left aside."""

    BEST_OF_1 = 1
    BEST_OF_3 = 3
    BEST_OF_5 = 5

    @property
    def wins_needed(self) -> int:
        """Games that win the match."""
        return self // 2 + 1


# --- who won --------------------------------------------------------------------------------------------------------


class Outcome(StrEnum):
    """How a match counts for the standings."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    NOBODY = "nobody"
    """A double loss."""


def outcome(result: Result) -> Outcome:
    """Who won: the player with more games, unless the ending says otherwise."""
    if result.ending is Ending.DOUBLE_LOSS:
        return Outcome.NOBODY
    if result.ending is Ending.INTENTIONAL_DRAW or result.first == result.second:
        return Outcome.DRAW
    return Outcome.FIRST if result.first > result.second else Outcome.SECOND


def winner(pairing: Pairing) -> PlayerId | None:
    """Who won the match; None while it is open, drawn or lost by both."""
    if pairing.result is None:
        return None
    return {Outcome.FIRST: pairing.first, Outcome.SECOND: pairing.second}.get(outcome(pairing.result))


# --- what a match usually comes to ------------------------------------------------------------------------------------


def decided_scores(match_format: MatchFormat) -> tuple[tuple[int, int], ...]:
    """Games of a match that was played until somebody won: the first player's best result first."""
    needed = match_format.wins_needed
    wins = [(needed, lost) for lost in range(needed)]
    losses = [(won, needed) for won in reversed(range(needed))]
    return (*wins, *losses)


def drawn_scores(match_format: MatchFormat) -> tuple[tuple[int, int, int], ...]:
    """Games of a match that time left level, the last ones drawn: with the game drawn that was begun, or without.

    Source: Magic Tournament Rules, appendix C: a game that time cut short is drawn, one that was not begun is none.
    """
    level = [(won, won, drawn) for won in range(1, match_format.wins_needed) for drawn in (0, 1)]
    return tuple(level) or ((0, 0, 1),)


# --- results that are not played out --------------------------------------------------------------------------------


def intentional_draw(match_format: MatchFormat) -> Result:
    """The players agree before the first game.

    Source: Magic Tournament Rules 2.4: reported as 0-0-3 in a best of three, all games drawn.
    """
    return Result(0, 0, match_format, Ending.INTENTIONAL_DRAW)


def second_concedes(played: Result, match_format: MatchFormat) -> Result:
    """The second player gives up; games already won stay won.

    Source: Magic Tournament Rules 2.4: who concedes with a game won has lost 2-1.
    """
    kept = min(played.second, match_format.wins_needed - 1)
    return Result(match_format.wins_needed, kept, played.drawn, Ending.CONCESSION)


def first_concedes(played: Result, match_format: MatchFormat) -> Result:
    """The first player gives up; games already won stay won."""
    return _swapped(second_concedes(_swapped(played), match_format))


def second_absent(match_format: MatchFormat) -> Result:
    """The second player does not come: a match without a game lost."""
    return Result(match_format.wins_needed, 0, 0, Ending.NO_SHOW)


def first_absent(match_format: MatchFormat) -> Result:
    """The first player does not come."""
    return _swapped(second_absent(match_format))


def double_loss() -> Result:
    """Neither comes, or both are punished: nobody gets a point."""
    return Result(0, 0, 0, Ending.DOUBLE_LOSS)


def _swapped(result: Result) -> Result:
    return replace(result, first=result.second, second=result.first)


# --- is it possible? ------------------------------------------------------------------------------------------------


class ResultRule(StrEnum):
    """What a result has to obey; the name of each rule is the function that judges it."""

    GAMES_ARE_COUNTED = "games are counted"
    NOBODY_WINS_TOO_OFTEN = "nobody wins too often"
    ONE_PLAYER_FINISHES = "one player finishes"
    SOMETHING_WAS_PLAYED = "something was played"
    A_DRAW_IS_LEVEL = "a draw is level"
    A_DRAW_HAS_DRAWN_GAMES = "a draw has drawn games"
    A_DECIDED_MATCH_IS_WON = "a decided match is won"
    THE_ABSENT_WIN_NOTHING = "the absent win nothing"


@dataclass(frozen=True, slots=True)
class ResultFault:
    """A rule that a result breaks, and a sentence for whoever reported it."""

    rule: ResultRule
    sentence: str


def check_result(result: Result, match_format: MatchFormat) -> list[ResultFault]:
    """List everything that cannot be so; an empty list is a possible result."""
    return [
        ResultFault(rule, sentence)
        for rule, judge in _JUDGES.items()
        if (sentence := judge(result, match_format)) is not None
    ]


def contradictions(result: Result) -> list[ResultFault]:
    """List what cannot be so whatever the format, because the games say something else than the ending."""
    return [
        ResultFault(rule, sentence)
        for rule, judge in _CONTRADICTIONS.items()
        if (sentence := judge(result, MatchFormat.BEST_OF_1)) is not None
    ]


def result_faults(result: Result, match_format: MatchFormat | None) -> list[ResultFault]:
    """List what cannot be so; where nobody said how many games a match has, what cannot be so in any."""
    return contradictions(result) if match_format is None else check_result(result, match_format)


def _games_are_counted(result: Result, _: MatchFormat) -> str | None:
    below = [count for count in (result.first, result.second, result.drawn) if count < 0]
    return f"{', '.join(map(str, below))}: games are counted from 0" if below else None


def _nobody_wins_too_often(result: Result, match_format: MatchFormat) -> str | None:
    most = match_format.wins_needed
    if max(result.first, result.second) > most:
        return f"{_games(result)}: a best of {match_format:d} ends with the game won as number {most}"
    return None


def _one_player_finishes(result: Result, match_format: MatchFormat) -> str | None:
    if min(result.first, result.second) >= match_format.wins_needed:
        return f"{_games(result)}: both players cannot have won a best of {match_format:d}"
    return None


def _something_was_played(result: Result, _: MatchFormat) -> str | None:
    if result.ending is Ending.PLAYED and not any((result.first, result.second, result.drawn)):
        return "0-0: no game is recorded; an unfinished game is a drawn one, and an unplayed match needs its ending"
    return None


def _a_draw_is_level(result: Result, _: MatchFormat) -> str | None:
    if result.ending is Ending.INTENTIONAL_DRAW and result.first != result.second:
        return f"{_games(result)}: an intentional draw is level in games"
    return None


def _a_draw_has_drawn_games(result: Result, match_format: MatchFormat) -> str | None:
    if result.ending is Ending.INTENTIONAL_DRAW and not any((result.first, result.second, result.drawn)):
        return f"0-0: an intentional draw before the first game is recorded as 0-0-{match_format:d}"
    return None


_DECIDED = (Ending.CONCESSION, Ending.NO_SHOW, Ending.PENALTY)


def _a_decided_match_is_won(result: Result, match_format: MatchFormat) -> str | None:
    if result.ending in _DECIDED and max(result.first, result.second) < match_format.wins_needed:
        most = match_format.wins_needed
        return f"{_games(result)}: a match decided by {result.ending} is recorded with {most} won for the other player"
    return None


def _a_decided_match_has_a_winner(result: Result, _: MatchFormat) -> str | None:
    if result.ending in _DECIDED and result.first == result.second:
        return (
            f"{_games(result)}: a match decided by {result.ending} has a winner, with more games than the other player"
        )
    return None


def _the_absent_win_nothing(result: Result, _: MatchFormat) -> str | None:
    if result.ending is Ending.NO_SHOW and (min(result.first, result.second) > 0 or result.drawn > 0):
        return f"{_games(result)}: nobody plays a game against a player who did not come"
    return None


_Judge: TypeAlias = Callable[[Result, MatchFormat], str | None]
_JUDGES: dict[ResultRule, _Judge] = {
    ResultRule.GAMES_ARE_COUNTED: _games_are_counted,
    ResultRule.NOBODY_WINS_TOO_OFTEN: _nobody_wins_too_often,
    ResultRule.ONE_PLAYER_FINISHES: _one_player_finishes,
    ResultRule.SOMETHING_WAS_PLAYED: _something_was_played,
    ResultRule.A_DRAW_IS_LEVEL: _a_draw_is_level,
    ResultRule.A_DRAW_HAS_DRAWN_GAMES: _a_draw_has_drawn_games,
    ResultRule.A_DECIDED_MATCH_IS_WON: _a_decided_match_is_won,
    ResultRule.THE_ABSENT_WIN_NOTHING: _the_absent_win_nothing,
}


_CONTRADICTIONS: dict[ResultRule, _Judge] = {
    ResultRule.A_DRAW_IS_LEVEL: _a_draw_is_level,
    ResultRule.A_DECIDED_MATCH_IS_WON: _a_decided_match_has_a_winner,
    ResultRule.THE_ABSENT_WIN_NOTHING: _the_absent_win_nothing,
}


def _games(result: Result) -> str:
    drawn = f"-{result.drawn}" if result.drawn else ""
    return f"{result.first}-{result.second}{drawn}"


# --- penalties ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLoss:
    """A judge gives one game of a match to the opponent."""

    player: PlayerId
    round: int
    infraction: str
    """The rule that was broken, as the rule book calls it."""
    reason: str
    """What happened, in the judge's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLoss:
    """A judge gives a whole match to the opponent."""

    player: PlayerId
    round: int
    infraction: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsTaken:
    """An organizer takes match points away; no match changes, so no opponent's tiebreaks do."""

    player: PlayerId
    round: int
    """It counts from the standings of this round on; those of earlier rounds stay as they were published. 0: always."""
    infraction: str
    reason: str
    points: int
    """Match points, as a positive number."""


Penalty: TypeAlias = GameLoss | MatchLoss | PointsTaken


def penalised(pairing: Pairing, penalties: Iterable[Penalty], *, number: int, match_format: MatchFormat) -> Pairing:
    """The match of round `number` with its game losses and match losses in the result.

    A game loss is added to the games that the players report, so an open match stays open and loses the game when it
    is reported; a match loss ends the match at once. Penalties of other players and rounds change nothing.
    """
    given = [penalty for penalty in penalties if penalty.round == number]
    lost = {penalty.player for penalty in given if isinstance(penalty, MatchLoss)} & {pairing.first, pairing.second}
    result = pairing.result
    if result is not None:
        games = [penalty.player for penalty in given if isinstance(penalty, GameLoss)]
        result = replace(
            result,
            first=result.first + games.count(pairing.second),
            second=result.second + games.count(pairing.first),
        )
    if lost:
        result = _match_lost(result or Result(0, 0), lost, pairing, match_format.wins_needed)
    return replace(pairing, result=result)


def _match_lost(result: Result, lost: set[PlayerId], pairing: Pairing, most: int) -> Result:
    if lost == {pairing.first, pairing.second}:
        return replace(result, ending=Ending.DOUBLE_LOSS)
    if pairing.second in lost:
        return replace(result, first=most, second=min(result.second, most - 1), ending=Ending.PENALTY)
    return replace(result, first=min(result.first, most - 1), second=most, ending=Ending.PENALTY)
