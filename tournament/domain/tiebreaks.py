"""What breaks a tie: the rule books' sentences, each as a small function in exact arithmetic.

A rate is computed from one player's `Record`, which counts and does not judge. A tiebreak is computed for a player of a
`Field`: from the own record, or from the opponents'. An opponent met twice counts twice, a bye is nobody, and whoever
drops or is disqualified goes on counting for those who met them.

These functions are the definition. They walk through all rounds for each player, so `standings` computes the same
numbers from one pass; a test holds the two together.

Source: Magic Tournament Rules, appendix C (match points, match-win and game-win percentage, opponents'); the other
sources stand beside what they are the source of.

Not implemented: FIDE's substitute opponents for unplayed rounds (Tie-Break Regulations 2024, article 16). They credit a
bye with the player's own score as an opponent; here no bye ever adds an opponent, in any preset.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple, TypeAlias

from tournament.domain.errors import PlayerUnknown, ResultImpossible
from tournament.domain.model import AnyRound, Bye, Pairing, Player, PlayerId, Pod, Result
from tournament.domain.results import Outcome, outcome

WIN = 3
DRAW = 1
"""Points for a match and for a game; a loss is worth nothing."""

LEAST_RATE = Fraction(33, 100)
"""The appendix says 0.33, not one third. It keeps one hopeless opponent from ruining the tiebreaks of the others."""

LEAST_RATE_ONLINE = Fraction(3333, 10_000)
PLACES_ONLINE = 4
"""Source: observed on Magic Online's challenges, themanadrain.com topic 1904: 0.3333, four decimals, a bye one game."""

GAMES_OF_A_BYE = 2
"""A bye is a match won 2-0."""

GAMES_OF_A_BYE_ONLINE = 1

LEAST_WIN_RATE = Fraction(1, 4)
MOST_WIN_RATE = Fraction(1)
MOST_WIN_RATE_DROPPED = Fraction(3, 4)
"""Source: Play! Pokémon Tournament Rules Handbook, tiebreakers: between 25 % and 100 %, 75 % for one who dropped."""

MOST_GAMES = 1_000_000
"""Of one kind in one match; far above any evening, and small enough for `standings` to count in fixed columns."""


class Record(NamedTuple):
    """What a player's finished rounds came to, in counts. A double loss is a loss of each."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    byes: int = 0
    games_won: int = 0
    games_drawn: int = 0
    games_lost: int = 0
    """Games against opponents; what games a bye is worth is for the rate to say."""
    weight: int = 0
    """The rounds played, byes included, each with its weight: 1 unless a preset says otherwise."""
    bye_weight: int = 0
    met: int = 0
    """Opponents met, each as often as the round weighs."""
    missed: int = 0
    """Rounds before a late entry."""
    dropped: int = 0
    """1 for a player who left before the last of these rounds."""

    @property
    def rounds(self) -> int:
        """Rounds in which the player was seated or had the bye."""
        return self.wins + self.draws + self.losses + self.byes


Rate: TypeAlias = Callable[[Record], Fraction]
Points: TypeAlias = Callable[[Record], int]
Weight: TypeAlias = Callable[[int], int]


def alike(_: int) -> int:
    """Every round weighs the same."""
    return 1


@dataclass(frozen=True, slots=True)
class Field:
    """Everybody in the event, and its rounds in the order played. Open tables in them are not looked at."""

    players: Mapping[PlayerId, Player]
    rounds: Sequence[AnyRound]
    weight: Weight = alike
    """Weight of a round by its number."""


Tiebreak: TypeAlias = Callable[[PlayerId, Field], Fraction]


# --- from rounds to records -----------------------------------------------------------------------------------------


def records_of(result: Result) -> tuple[Record, Record]:
    """One match in the records of its two players, first and second.

    Raises:
        ResultImpossible: games below 0 or above `MOST_GAMES`.
    """
    if not all(0 <= games <= MOST_GAMES for games in (result.first, result.second, result.drawn)):
        raise ResultImpossible(result.first, result.second, result.drawn, MOST_GAMES)
    if outcome(result) is Outcome.NOBODY:
        return (Record(losses=1, weight=1, met=1),) * 2
    won, drawn, lost = result.first, result.drawn, result.second
    first = Record(games_won=won, games_drawn=drawn, games_lost=lost, weight=1, met=1)
    second = Record(games_won=lost, games_drawn=drawn, games_lost=won, weight=1, met=1)
    match outcome(result):
        case Outcome.FIRST:
            return first._replace(wins=1), second._replace(losses=1)
        case Outcome.SECOND:
            return first._replace(losses=1), second._replace(wins=1)
        case _:
            return first._replace(draws=1), second._replace(draws=1)


def pod_record(player: PlayerId, pod: Pod) -> Record:
    """One finished pod in the record of one who sat there: alone in front wins, together in front draws."""
    front = pod.placing[0] if pod.placing else ()
    seated = Record(weight=1, met=len(pod.players) - 1)
    if player not in front:
        return seated._replace(losses=1)
    return seated._replace(wins=1) if len(front) == 1 else seated._replace(draws=1)


BYE_RECORD = Record(byes=1, weight=1, bye_weight=1)


def record(player: PlayerId, field: Field) -> Record:
    """Everything the player finished, summed; a late entry's missed rounds and a drop are noted beside it."""
    parts = [weighed(part, weight) for part, _, weight in _finished(player, field)]
    summed = Record._make(map(sum, zip(Record(), *parts, strict=True)))
    who = known(player, field.players)
    return summed._replace(missed=missed(who, field.rounds), dropped=int(dropped(who, field.rounds)))


def weighed(part: Record, weight: int) -> Record:
    """A round's record with the round's weight."""
    return part._replace(weight=part.weight * weight, bye_weight=part.bye_weight * weight, met=part.met * weight)


def opponents(player: PlayerId, field: Field) -> list[PlayerId]:
    """Whom the player met, in the order met: twice if twice, and as often as the round weighs."""
    return [opponent for _, met, weight in _finished(player, field) for opponent in met for _ in range(weight)]


def missed(player: Player, rounds: Sequence[AnyRound]) -> int:
    """Rounds played before the player entered."""
    return sum(played.number < player.entered_in for played in rounds)


def dropped(player: Player, rounds: Sequence[AnyRound]) -> bool:
    """Whether the player left before the last of these rounds; so leaving changes no standings already published."""
    return player.dropped_after is not None and bool(rounds) and player.dropped_after < rounds[-1].number


def known(player: PlayerId, players: Mapping[PlayerId, Player]) -> Player:
    """The player of that id.

    Raises:
        PlayerUnknown: nobody has it.
    """
    try:
        return players[player]
    except KeyError:
        raise PlayerUnknown(player) from None


def _finished(player: PlayerId, field: Field) -> Iterator[tuple[Record, list[PlayerId], int]]:
    """Of each round the player finished: its record, whom the player met, and the round's weight."""
    for played in field.rounds:
        for seat in played.seats:
            match seat:
                case Bye() if seat.player == player:
                    yield BYE_RECORD, [], field.weight(played.number)
                case Pairing() if seat.result and player in (seat.first, seat.second):
                    first, second = records_of(seat.result)
                    mine, other = (first, seat.second) if player == seat.first else (second, seat.first)
                    yield mine, [other], field.weight(played.number)
                case Pod() if seat.placing is not None and player in seat.players:
                    others = [other for other in seat.players if other != player]
                    yield pod_record(player, seat), others, field.weight(played.number)
                case _:
                    pass


# --- points of a record ---------------------------------------------------------------------------------------------


def match_points(record: Record) -> int:
    """3 for a match won, 1 for a match drawn; a bye is a match won."""
    return WIN * (record.wins + record.byes) + DRAW * record.draws


def game_points(record: Record) -> int:
    """3 for a game won, 1 for a game drawn; a bye is two games won."""
    return WIN * (record.games_won + GAMES_OF_A_BYE * record.byes) + DRAW * record.games_drawn


def points_by_game(record: Record) -> int:
    """3 for each game won and 1 for each drawn, no matter who won the match; a bye wins all games of its round.

    Source: Netrunner organized play: a match of two games is scored 6-0, 3-3 or 0-6.
    """
    return WIN * (record.games_won + record.bye_weight) + DRAW * record.games_drawn


@cache
def points_in_pods(size: int) -> Points:
    """2n-1 for a win at tables of n, 1 for a draw; two players make it 3 and 1."""
    win = 2 * size - 1

    def points(record: Record) -> int:
        return win * (record.wins + record.byes) + DRAW * record.draws

    return points


# --- rates of a record ----------------------------------------------------------------------------------------------


def match_win_rate(record: Record) -> Fraction:
    """Share of the match points a player could have won, at least 0.33."""
    return _at_least(LEAST_RATE, match_points(record), WIN * record.rounds)


def game_win_rate(record: Record) -> Fraction:
    """Share of the game points a player could have won, at least 0.33."""
    games = record.games_won + record.games_drawn + record.games_lost + GAMES_OF_A_BYE * record.byes
    return _at_least(LEAST_RATE, game_points(record), WIN * games)


def match_win_rate_without_byes(record: Record) -> Fraction:
    """Share of the match points a player could have won from opponents, at least 0.33.

    Source: Wizards Event Reporter, as described by scorekeepers (Playerlink SK211, "Deep Dive into Tiebreaker Math"):
    rounds with a bye are left out of it, and stay in the game-win percentage.
    """
    return match_win_rate(record._replace(byes=0))


def match_win_rate_online(record: Record) -> Fraction:
    """The match-win rate to four decimals, at least 0.3333."""
    return rounded(_at_least(LEAST_RATE_ONLINE, match_points(record), WIN * record.rounds), PLACES_ONLINE)


def game_win_rate_online(record: Record) -> Fraction:
    """The game-win rate to four decimals, at least 0.3333; a bye is one game won."""
    byes = GAMES_OF_A_BYE_ONLINE * record.byes
    games = record.games_won + record.games_drawn + record.games_lost + byes
    points = WIN * (record.games_won + byes) + DRAW * record.games_drawn
    return rounded(_at_least(LEAST_RATE_ONLINE, points, WIN * games), PLACES_ONLINE)


@cache
def win_rate(tie: Fraction) -> Rate:
    """Share of matches won, a tie counting `tie`; byes left out, missed rounds lost, kept between 1/4 and 1 (or 3/4).

    Source: Play! Pokémon Tournament Rules Handbook, tiebreakers. Whether a tie counts one half or nothing is told both
    ways (rk9.gg, "All about tiebreakers in the Pokémon TCG", says one half), so it is asked for.
    """

    def rate(record: Record) -> Fraction:
        most = MOST_WIN_RATE_DROPPED if record.dropped else MOST_WIN_RATE
        played = record.wins + record.draws + record.losses + record.missed
        if not played:
            return LEAST_WIN_RATE
        return min(most, max(LEAST_WIN_RATE, (record.wins + tie * record.draws) / played))

    return rate


def on_time(record: Record) -> Fraction:
    """1, or 0 for a late entry: it stands below everybody with as many points.

    Source: rk9.gg, "All about tiebreakers in the Pokémon TCG": the late penalty comes before every other tiebreak.
    """
    return Fraction(not record.missed)


@cache
def points_per_match(games: int) -> Rate:
    """Points by game for each match of `games` games; 0 before the first."""

    def rate(record: Record) -> Fraction:
        return Fraction(games * points_by_game(record), record.weight) if record.weight else Fraction(0)

    return rate


@cache
def pod_win_rate(size: int) -> Rate:
    """Share of the points a player could have won at tables of n, at least what a draw is worth: 1/(2n-1)."""
    win = 2 * size - 1
    points = points_in_pods(size)

    def rate(record: Record) -> Fraction:
        return _at_least(Fraction(DRAW, win), points(record), win * record.rounds)

    return rate


def _at_least(least: Fraction, points: int, possible: int) -> Fraction:
    return max(least, Fraction(points, possible)) if possible else least


def rounded(value: Fraction, places: int) -> Fraction:
    """The nearest decimal with so many places; a half goes up."""
    unit = 10**places
    return Fraction((2 * value.numerator * unit + value.denominator) // (2 * value.denominator), unit)


# --- tiebreaks ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OwnRate:
    """A rate of the player's own record."""

    rate: Rate

    def __call__(self, player: PlayerId, field: Field) -> Fraction:
        """The rate, of the player."""
        return self.rate(record(player, field))


@dataclass(frozen=True, slots=True)
class OpponentsMean:
    """Mean of a rate over the opponents met; 0 for a player who met nobody.

    Source: Magic Tournament Rules, appendix C (opponents' match-win percentage).
    """

    rate: Rate

    def __call__(self, player: PlayerId, field: Field) -> Fraction:
        """The mean, over those the player met."""
        return _mean([self.rate(record(opponent, field)) for opponent in opponents(player, field)])


@dataclass(frozen=True, slots=True)
class OpponentsOpponentsMean:
    """Mean over the opponents of what their opponents' mean is."""

    rate: Rate

    def __call__(self, player: PlayerId, field: Field) -> Fraction:
        """The mean of the means, over those the player met."""
        of_opponents = OpponentsMean(self.rate)
        return _mean([of_opponents(opponent, field) for opponent in opponents(player, field)])


@dataclass(frozen=True, slots=True)
class Rounded:
    """Another tiebreak to so many decimals, a half upwards."""

    tiebreak: Tiebreak
    places: int

    def __call__(self, player: PlayerId, field: Field) -> Fraction:
        """The other tiebreak's value, rounded."""
        return rounded(self.tiebreak(player, field), self.places)


@dataclass(frozen=True, slots=True)
class OpponentsSum:
    """Buchholz: the points of all opponents together.

    Source: FIDE Tie-Break Regulations 2024, article 8.1.
    """

    points: Points

    def __call__(self, player: PlayerId, field: Field) -> Fraction:
        """The sum, over those the player met."""
        return Fraction(sum(_opponents_points(self.points, player, field)))


@dataclass(frozen=True, slots=True)
class OpponentsMedian:
    """Median-Buchholz: the points of all opponents but the best and the worst.

    Source: FIDE Tie-Break Regulations 2024, article 14 (Median-1).
    """

    points: Points

    def __call__(self, player: PlayerId, field: Field) -> Fraction:
        """The sum without its highest and its lowest part; 0 with two opponents or fewer."""
        return Fraction(sum(sorted(_opponents_points(self.points, player, field))[1:-1]))


@dataclass(frozen=True, slots=True)
class SonnebornBerger:
    """The points of the opponents beaten, and half the points of those drawn with.

    Source: FIDE Tie-Break Regulations 2024, article 9.1.
    """

    points: Points

    def __call__(self, player: PlayerId, field: Field) -> Fraction:
        """The sum, over those the player beat or drew with."""
        halves = sum(
            (2 * part.wins + part.draws) * weight * self.points(record(opponent, field))
            for part, met, weight in _finished(player, field)
            for opponent in met
        )
        return Fraction(halves, 2)


def head_to_head(player: PlayerId, rival: PlayerId, field: Field) -> int:
    """Matches the player won against the one rival.

    Source: Play! Pokémon Tournament Rules Handbook: the last tiebreak, and only where exactly two are tied.
    """
    return sum(part.wins for part, met, _ in _finished(player, field) if rival in met)


def _opponents_points(points: Points, player: PlayerId, field: Field) -> list[int]:
    return [points(record(opponent, field)) for opponent in opponents(player, field)]


def _mean(values: Iterable[Fraction]) -> Fraction:
    values = list(values)
    return sum(values, Fraction(0)) / len(values) if values else Fraction(0)
