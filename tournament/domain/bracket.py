"""A cut being played: its seeds, what was reported, and all that follows from the two.

A bracket is its seeds and a log of what was accepted. Who sits where, who is out and who took which place is derived
from them each time, so a correction can leave no trace behind. What may be added to the log is said in
`bracket_moves`, which match feeds which in `bracket_plan`.

Sources: Magic Tournament Rules 2.4 (no draws in single elimination), Infraction Procedure Guide 1.1 (a disqualified
player loses the current match, takes no place, and everybody below moves up one). What those leave open is declared
here: `Draws` and `DoubleLosses` name how a match without a winner is settled.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from functools import cache
from itertools import groupby
from typing import TypeAlias

from tournament.domain.bracket_plan import (
    GRAND_FINAL,
    Form,
    LoserOf,
    MatchId,
    Part,
    PlannedMatch,
    Seed,
    Source,
    WinnerOf,
    main_rounds,
    plan,
    seed_order,
)
from tournament.domain.model import PlayerId, Result
from tournament.domain.results import Outcome as Verdict
from tournament.domain.results import outcome


class Draws(StrEnum):
    """What a drawn match of a cut means."""

    SUDDEN_DEATH = "sudden death"
    """No draw is accepted: after the extra turns the higher life total wins; if they are equal, the first change
    decides. Source: Magic Tournament Rules 2.4."""
    EXTRA_GAME = "extra game"
    """No draw is accepted: further games are played until one is won. Ours, for games without a life total."""
    HIGHER_SEED = "higher seed advances"
    """Ours: the better place in the standings decides."""
    BOTH_LOSE = "a draw is a double loss"
    """Ours: settled as `DoubleLosses` says."""


class DoubleLosses(StrEnum):
    """What a match that both players lose means. The rule books are silent; all three are ours."""

    BOTH_OUT = "both are out"
    """In whatever part of the bracket; whoever would meet the winner has a bye."""
    HIGHER_SEED = "higher seed advances"
    """The lower seed loses the match."""
    REPLAY = "the match is played again"
    """No double loss is accepted."""


class Leaving(StrEnum):
    """Why a player is not there any more."""

    DROPPED = "dropped"
    """Loses every match that has no result, and keeps the place that follows."""
    DISQUALIFIED = "disqualified"
    """Loses every match that has no result, and takes no place: everybody below moves up one."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A match ended: `first` and `second` as the bracket had them."""

    match: MatchId
    first: PlayerId
    second: PlayerId
    result: Result


@dataclass(frozen=True, slots=True)
class Left:
    """Players are gone, together; results already reported stand."""

    players: tuple[PlayerId, ...]
    why: Leaving


@dataclass(frozen=True, slots=True)
class Redrawn:
    """A main round that had not begun was drawn anew among those who had not left by then."""

    round: int


Entry: TypeAlias = Reported | Left | Redrawn


@dataclass(frozen=True, slots=True)
class Bracket:
    """A cut being played. Made by `bracket_moves.start`; every move gives another bracket."""

    seeds: tuple[PlayerId, ...]
    """Best first; at least two."""
    form: Form
    draws: Draws
    double_losses: DoubleLosses
    log: tuple[Entry, ...] = ()
    """In the order accepted; a corrected result stands where the wrong one stood."""


class Empty(Enum):
    """A seat of a match without a player."""

    OPEN = "not known yet"
    NOBODY = "nobody"


Occupant: TypeAlias = PlayerId | Empty
Seats: TypeAlias = tuple[Occupant, Occupant]


class How(StrEnum):
    """How a match was decided."""

    PLAYED = "played"
    BYE = "bye"
    WALKOVER = "walkover"
    """The opponent has left, or left first."""
    HIGHER_SEED = "higher seed"
    DOUBLE_LOSS = "double loss"
    BOTH_LEFT = "both left"
    NOBODY = "nobody came so far"
    NOT_NEEDED = "not needed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. A loser who is not `out` plays on (lower bracket, third-place match, second grand final)."""

    how: How
    winner: PlayerId | None = None
    losers: tuple[PlayerId, ...] = ()
    out: tuple[PlayerId, ...] = ()
    result: Result | None = None
    """Games as reported; None where nothing was played."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match of the bracket as it stands: its plan, who sits there, and how it ended (None: it has not)."""

    plan: PlannedMatch
    seats: Seats
    outcome: Outcome | None

    @property
    def id(self) -> MatchId:
        """The name used in reports: `M2.1`."""
        return self.plan.id


@dataclass(frozen=True, slots=True)
class Place:
    """A final place, or a range of places that the players share; inside it they stand in order of seed."""

    first: int
    last: int
    players: tuple[PlayerId, ...]


def matches(bracket: Bracket) -> tuple[Match, ...]:
    """Every match, each after the matches that feed it; those that nobody plays are in it, with their outcome."""
    return tuple(_derive(bracket).matches.values())


def ready(bracket: Bracket) -> tuple[Match, ...]:
    """The matches that can be played now: both players known, and no result."""
    return tuple(match for match in matches(bracket) if is_ready(match))


def is_ready(match: Match) -> bool:
    """Say whether a match can be played now."""
    return match.outcome is None and Empty.OPEN not in match.seats


def finished(bracket: Bracket) -> bool:
    """No match is left to play."""
    return all(match.outcome for match in matches(bracket))


def staying(bracket: Bracket) -> tuple[PlayerId, ...]:
    """Who may still play: not out, and not gone; best first."""
    gone = {player for match in matches(bracket) if match.outcome for player in match.outcome.out} | left(
        bracket
    ).keys()
    return tuple(player for player in bracket.seeds if player not in gone)


def winner(bracket: Bracket) -> PlayerId | None:
    """The winner of the cut; None before it is known, or if a double loss left the first place shared."""
    best = places(bracket)[:1]
    return best[0].players[0] if best and best[0].first == best[0].last == 1 else None


def places(bracket: Bracket) -> tuple[Place, ...]:
    """Final places as far as they are certain, best first; the losers of a round share their places.

    A place is certain when no match that is still to come can put anybody beside it. A disqualified player takes
    none, so everybody below moves up.
    """
    view = _derive(bracket)
    removed = {player for player, why in left(bracket).items() if why is Leaving.DISQUALIFIED}
    groups = [
        (depth, tuple(player for player in bracket.seeds if player in group - removed))
        for depth, group in sorted(_groups(bracket, view).items())
    ]
    to_come = [_depth(match.plan, bracket) for match in view.matches.values() if not match.outcome]
    lowest, highest = min(to_come, default=0), max(to_come, default=0)
    above = _counted_down(group for depth, group in reversed(groups) if depth > highest)
    below = _counted_up((group for depth, group in groups if depth < lowest), len(bracket.seeds) - len(removed))
    return (*above, *reversed(tuple(below)))


def losses(bracket: Bracket) -> Counter[PlayerId]:
    """Matches lost by each player, walkovers among them."""
    return Counter(loser for match in matches(bracket) if match.outcome for loser in match.outcome.losers)


def left(bracket: Bracket) -> dict[PlayerId, Leaving]:
    """Who is gone, and why; a disqualification outweighs a drop."""
    gone: dict[PlayerId, Leaving] = {}
    for entry in bracket.log:
        if isinstance(entry, Left):
            gone |= {p: entry.why for p in entry.players if gone.get(p) is not Leaving.DISQUALIFIED}
    return gone


def reports(bracket: Bracket) -> dict[MatchId, Reported]:
    """The results that were reported, by match."""
    return {entry.match: entry for entry in bracket.log if isinstance(entry, Reported)}


def verdict(result: Result, bracket: Bracket) -> Verdict:
    """Who won by the games and the ending, under the bracket's rule for draws."""
    found = outcome(result)
    return Verdict.NOBODY if found is Verdict.DRAW and bracket.draws is Draws.BOTH_LOSE else found


# --- who sits where -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _View:
    matches: dict[MatchId, Match] = field(default_factory=dict)
    stayed_away: dict[int, set[PlayerId]] = field(default_factory=dict)
    """Players who had left before a round was drawn anew without them, by round."""


def _derive(bracket: Bracket) -> _View:
    view, gone, reported, redrawn = _View(), _leaving_order(bracket), reports(bracket), _redraws(bracket)
    for (part, round_), group in groupby(
        plan(bracket.form, len(bracket.seeds)), lambda match: (match.part, match.round)
    ):
        planned = tuple(group)
        seats = [_seats(match, view.matches, bracket.seeds) for match in planned]
        if part is Part.MAIN and round_ in redrawn:
            view.stayed_away[round_] = redrawn[round_] & {seat for pair in seats for seat in pair}
            seats = _drawn_anew(seats, redrawn[round_], bracket.seeds)
        for match, pair in zip(planned, seats, strict=True):
            view.matches[match.id] = Match(match, pair, _outcome(bracket, match, pair, gone, reported.get(match.id)))
    return view


def _leaving_order(bracket: Bracket) -> dict[PlayerId, int]:
    """When each player left, as a line of the log; who left together has the same."""
    gone: dict[PlayerId, int] = {}
    for at, entry in enumerate(bracket.log):
        if isinstance(entry, Left):
            gone = dict.fromkeys(entry.players, at) | gone
    return gone


def _redraws(bracket: Bracket) -> dict[int, set[PlayerId]]:
    """The rounds that were drawn anew, each with those who had left by its last drawing."""
    gone: set[PlayerId] = set()
    rounds: dict[int, set[PlayerId]] = {}
    for entry in bracket.log:
        if isinstance(entry, Left):
            gone.update(entry.players)
        elif isinstance(entry, Redrawn):
            rounds[entry.round] = set(gone)
    return rounds


def _drawn_anew(seats: list[Seats], away: set[PlayerId], seeds: Sequence[PlayerId]) -> list[Seats]:
    sitting = {seat for pair in seats for seat in pair}
    if not sitting & away:
        return seats
    if Empty.OPEN in sitting:
        return [(Empty.OPEN, Empty.OPEN)] * len(seats)
    remaining = [player for player in seeds if player in sitting - away]
    order = [remaining[rank - 1] if rank <= len(remaining) else Empty.NOBODY for rank in seed_order(2 * len(seats))]
    return list(zip(order[::2], order[1::2], strict=True))


def _seats(planned: PlannedMatch, before: Mapping[MatchId, Match], seeds: Sequence[PlayerId]) -> Seats:
    if planned.part is Part.RESET:
        return _reset_seats(before[GRAND_FINAL])
    return _occupant(planned.first, before, seeds), _occupant(planned.second, before, seeds)


def _reset_seats(final: Match) -> Seats:
    """Seat both finalists again, if the grand final was the first loss of the one from the main bracket."""
    if final.outcome is None:
        return Empty.OPEN, Empty.OPEN
    return (Empty.NOBODY, Empty.NOBODY) if final.outcome.out or not final.outcome.losers else final.seats


def _occupant(source: Source, before: Mapping[MatchId, Match], seeds: Sequence[PlayerId]) -> Occupant:
    if isinstance(source, Seed):
        return seeds[source.rank - 1] if source.rank <= len(seeds) else Empty.NOBODY
    ended = before[source.match].outcome
    if ended is None:
        return Empty.OPEN
    if isinstance(source, WinnerOf):
        return ended.winner or Empty.NOBODY
    return next((loser for loser in ended.losers if loser not in ended.out), Empty.NOBODY)


# --- how a match ended ----------------------------------------------------------------------------------------------


def _outcome(
    bracket: Bracket, planned: PlannedMatch, seats: Seats, gone: Mapping[PlayerId, int], reported: Reported | None
) -> Outcome | None:
    players = tuple(seat for seat in seats if not isinstance(seat, Empty))
    if Empty.OPEN in seats:
        return None
    if not players:
        return Outcome(How.NOT_NEEDED if planned.part is Part.RESET else How.NOBODY)
    if len(players) == 1:
        return Outcome(How.BYE, players[0])
    if reported and players == (reported.first, reported.second):
        return _settled(bracket, planned, reported)
    return _walkover(bracket, planned, players, gone)


def _walkover(
    bracket: Bracket, planned: PlannedMatch, players: tuple[PlayerId, ...], gone: Mapping[PlayerId, int]
) -> Outcome | None:
    """Whoever left first loses: the other had the walkover before leaving, and keeps what it brought."""
    first_left, second_left = (gone.get(player, len(bracket.log)) for player in players)
    if first_left != second_left:
        return _won(bracket, planned, How.WALKOVER, players, first_wins=first_left > second_left)
    return Outcome(How.BOTH_LEFT, None, players, players) if players[0] in gone else None


def _won(
    bracket: Bracket, planned: PlannedMatch, how: How, players: tuple[PlayerId, ...], *, first_wins: bool
) -> Outcome:
    won, lost = players if first_wins else reversed(players)
    spared = planned.id in _second_chances(bracket.form, len(bracket.seeds)) and (
        planned.id != GRAND_FINAL or not first_wins
    )
    return Outcome(how, won, (lost,), () if spared else (lost,))


def _settled(bracket: Bracket, planned: PlannedMatch, reported: Reported) -> Outcome:
    first, second = players = (reported.first, reported.second)
    found = verdict(reported.result, bracket)
    if found is Verdict.NOBODY and bracket.double_losses is DoubleLosses.BOTH_OUT:
        return Outcome(How.DOUBLE_LOSS, None, players, players, reported.result)
    if found in {Verdict.DRAW, Verdict.NOBODY}:
        how, first_wins = How.HIGHER_SEED, bracket.seeds.index(first) < bracket.seeds.index(second)
    else:
        how, first_wins = How.PLAYED, found is Verdict.FIRST
    return replace(_won(bracket, planned, how, players, first_wins=first_wins), result=reported.result)


@cache
def _second_chances(form: Form, players: int) -> frozenset[MatchId]:
    """The matches whose loser plays on."""
    return frozenset(
        source.match
        for match in plan(form, players)
        for source in (match.first, match.second)
        if isinstance(source, LoserOf)
    )


# --- who took which place -------------------------------------------------------------------------------------------


def _groups(bracket: Bracket, view: _View) -> dict[int, set[PlayerId]]:
    """Players who are through, by how far they came; the same depth is the same place."""
    groups: defaultdict[int, set[PlayerId]] = defaultdict(set)
    for match in view.matches.values():
        if match.outcome:
            groups[_depth(match.plan, bracket)].update(match.outcome.out)
            if match.plan.part is Part.THIRD_PLACE and match.outcome.winner:
                groups[_depth(match.plan, bracket) + 1].add(match.outcome.winner)
    for round_, players in view.stayed_away.items():
        groups[3 * round_].update(players)
    if champion := _champion(view):
        groups[4 * len(bracket.seeds)].add(champion)
    return groups


def _champion(view: _View) -> PlayerId | None:
    """Winner of the last match that was needed, third place aside."""
    last = [match for match in view.matches.values() if match.plan.part is not Part.THIRD_PLACE]
    needed = [match.outcome for match in last if match.outcome is None or match.outcome.how is not How.NOT_NEEDED]
    return needed[-1].winner if needed[-1] else None


def _depth(planned: PlannedMatch, bracket: Bracket) -> int:
    """How far somebody came who is out in this match; more is better.

    Single elimination counts three a round, so that the third-place match fits between semifinal and final. Double
    elimination counts rounds of the lower bracket; who is put out of the main bracket by a double loss stands with
    those who lose the lower round that they would have fallen into.
    """
    rounds = main_rounds(len(bracket.seeds))
    match planned.part:
        case Part.THIRD_PLACE:
            return 3 * (rounds - 1) + 1
        case Part.LOWER:
            return planned.round
        case Part.GRAND_FINAL | Part.RESET:
            return 2 * rounds
        case Part.MAIN if bracket.form is Form.DOUBLE:
            return max(1, 2 * planned.round - 2)
        case _:
            return 3 * planned.round


def _counted_down(groups: Iterator[tuple[PlayerId, ...]]) -> Iterator[Place]:
    first = 1
    for players in groups:
        if players:
            yield Place(first, first + len(players) - 1, players)
            first += len(players)


def _counted_up(groups: Iterator[tuple[PlayerId, ...]], last: int) -> Iterator[Place]:
    for players in groups:
        if players:
            yield Place(last - len(players) + 1, last, players)
            last -= len(players)
