"""The tables that say how standings are computed: what counts first, what breaks a tie, and who says so.

A preset is data: its points and its tiebreaks are functions of `tiebreaks`, in the order in which they are looked at.
A house rule is one more `Preset`; a house tiebreak is any function of a player and a `Field`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from tournament.domain.errors import PresetUnknown
from tournament.domain.model import PlayerId
from tournament.domain.tiebreaks import (
    PLACES_ONLINE,
    Field,
    OpponentsMean,
    OpponentsMedian,
    OpponentsOpponentsMean,
    OpponentsSum,
    OwnRate,
    Points,
    Rounded,
    SonnebornBerger,
    Tiebreak,
    Weight,
    alike,
    game_win_rate,
    game_win_rate_online,
    head_to_head,
    match_points,
    match_win_rate,
    match_win_rate_online,
    match_win_rate_without_byes,
    on_time,
    pod_win_rate,
    points_by_game,
    points_in_pods,
    points_per_match,
    win_rate,
)

BetweenTwo: TypeAlias = Callable[[PlayerId, PlayerId, Field], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """How an event is ranked."""

    name: str
    title: str
    """What a reader of the standings is told."""
    source: str
    points: Points
    tiebreaks: Mapping[str, Tiebreak]
    """Looked at in this order, the higher the better."""
    if_two_tied: BetweenTwo | None = None
    """Looked at last, and only where exactly two players are tied and have met."""
    weight: Weight = alike
    """Weight of a round by its number."""


MTR_2026 = Preset(
    name="mtr-2026",
    title="Magic Tournament Rules",
    source="Magic Tournament Rules 3.1 and appendix C",
    points=match_points,
    tiebreaks={
        "omw": OpponentsMean(match_win_rate),
        "gw": OwnRate(game_win_rate),
        "ogw": OpponentsMean(game_win_rate),
    },
)

WER = Preset(
    name="wer",
    title="Magic Tournament Rules as Wizards Event Reporter computed them",
    source='Playerlink SK211, "Deep Dive into Tiebreaker Math", 2017',
    points=match_points,
    tiebreaks={
        "omw": OpponentsMean(match_win_rate_without_byes),
        "gw": OwnRate(game_win_rate),
        "ogw": OpponentsMean(game_win_rate),
    },
)

MTGO = Preset(
    name="mtgo",
    title="Magic Online",
    source='observed on its challenges: themanadrain.com topic 1904, "Tie Break algorithms"',
    points=match_points,
    tiebreaks={
        "omw": Rounded(OpponentsMean(match_win_rate_online), PLACES_ONLINE),
        "gw": OwnRate(game_win_rate_online),
        "ogw": Rounded(OpponentsMean(game_win_rate_online), PLACES_ONLINE),
    },
)


def pokemon(*, tie: Fraction = Fraction(1, 2)) -> Preset:
    """Play! Pokémon standings; `tie` is what a tied match is worth in the win rate, one half or nothing."""
    return Preset(
        name="pokemon",
        title="Play! Pokémon",
        source="Play! Pokémon Tournament Rules Handbook, match records and ranking",
        points=match_points,
        tiebreaks={
            "on_time": OwnRate(on_time),
            "owp": OpponentsMean(win_rate(tie)),
            "oowp": OpponentsOpponentsMean(win_rate(tie)),
        },
        if_two_tied=head_to_head,
    )


def netrunner(*, games: int = 2, other_rounds: Mapping[int, int] | None = None) -> Preset:
    """Netrunner standings: strength of schedule, then the opponents'.

    Args:
        games: games in a match, 2 where both sides are played, 1 where one is.
        other_rounds: rounds, by number, whose matches have another number of games; they weigh accordingly.
    """
    others = dict(other_rounds or {})
    return Preset(
        name="netrunner",
        title="Netrunner",
        source="Null Signal Games organized play; the worked numbers of Cobra, its tournament software",
        points=points_by_game,
        tiebreaks={
            "sos": OpponentsMean(points_per_match(games)),
            "esos": OpponentsOpponentsMean(points_per_match(games)),
        },
        weight=lambda number: others.get(number, games),
    )


def pods(size: int = 4) -> Preset:
    """Tables of several players, `size` the usual number at one of them."""
    return Preset(
        name="pods",
        title=f"Pods of {size}",
        source="multiplayer addenda to the Magic Tournament Rules; TopDeck.gg: 5 for a win, 1 for a draw, at least 0.2",
        points=points_in_pods(size),
        tiebreaks={
            "omw": OpponentsMean(pod_win_rate(size)),
            "oomw": OpponentsOpponentsMean(pod_win_rate(size)),
        },
    )


BUCHHOLZ = Preset(
    name="buchholz",
    title="Median-Buchholz, Buchholz, Sonneborn-Berger",
    source="FIDE Tie-Break Regulations 2024, articles 8.1, 9.1 and 14.3",
    points=match_points,
    tiebreaks={
        "median": OpponentsMedian(match_points),
        "buchholz": OpponentsSum(match_points),
        "sb": SonnebornBerger(match_points),
    },
)

PRESETS: Mapping[str, Preset] = {
    preset.name: preset for preset in (MTR_2026, WER, MTGO, pokemon(), netrunner(), pods(), BUCHHOLZ)
}


def preset_of(name: str, pod_size: int | None) -> Preset:
    """The preset of that name; of tables of several, with their usual size.

    Raises:
        PresetUnknown: no preset has it.
    """
    return preset_named(name) if pod_size is None else pods(pod_size)


def preset_named(name: str) -> Preset:
    """The preset of that name, with its settings as they usually are.

    Raises:
        PresetUnknown: no preset has it.
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise PresetUnknown(name, tuple(PRESETS)) from None
