"""What breaks a tie, against the worked examples of the rule books and of those who run events by them."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count

import pytest

from tournament.domain.errors import PlayerUnknown, ResultImpossible
from tournament.domain.model import Bye, Ending, Pairing, Player, PlayerId, Pod, PodRound, Result, Round
from tournament.domain.tiebreaks import (
    AnyRound,
    Field,
    OpponentsMean,
    OpponentsMedian,
    OpponentsOpponentsMean,
    OpponentsSum,
    OwnRate,
    Record,
    Rounded,
    SonnebornBerger,
    game_points,
    game_win_rate,
    game_win_rate_online,
    head_to_head,
    match_points,
    match_win_rate,
    match_win_rate_online,
    match_win_rate_without_byes,
    on_time,
    opponents,
    pod_win_rate,
    points_by_game,
    points_in_pods,
    points_per_match,
    record,
    records_of,
    rounded,
    win_rate,
)

ANN, BOB, CAT, DAN = (PlayerId(name) for name in ("ann", "bob", "cat", "dan"))
LEAST = Fraction(33, 100)


def beats(first: PlayerId, second: PlayerId, games: str = "2-0") -> Pairing:
    return Pairing(1, first, second, Result(int(games[0]), int(games[-1])))


def draws(first: PlayerId, second: PlayerId) -> Pairing:
    return Pairing(1, first, second, Result(1, 1, 1))


def a_field(*rounds: Sequence[Pairing | Bye], weights: dict[int, int] | None = None, **players: Player) -> Field:
    """Everybody named in the rounds, which are numbered from 1."""
    played = [Round(number, tuple(seats)) for number, seats in enumerate(rounds, start=1)]
    names = {name for played_round in played for seat in played_round.seats for name in _names(seat)}
    everybody = {name: Player(id=name, name=name) for name in sorted(names)}
    weigh = weights or {}
    return Field(everybody | {PlayerId(k): v for k, v in players.items()}, played, lambda number: weigh.get(number, 1))


def _names(seat: Pairing | Bye) -> tuple[PlayerId, ...]:
    return (seat.player,) if isinstance(seat, Bye) else (seat.first, seat.second)


# --- match points, game points --------------------------------------------------------------------------------------
# Magic Tournament Rules, appendix C. record | match points      games | game points
#                                       6-2-0 | 18               2-0   | 6, 0
#                                       4-2-2 | 14               2-1   | 6, 3
#                                                                2-0-1 | 7, 1


def test_a_win_is_three_match_points_and_a_draw_one() -> None:
    assert match_points(Record(wins=6, losses=2)) == 18
    assert match_points(Record(wins=4, losses=2, draws=2)) == 14


@pytest.mark.parametrize(
    ("games", "points"), [(Result(2, 0), (6, 0)), (Result(2, 1), (6, 3)), (Result(2, 0, 1), (7, 1))]
)
def test_a_game_won_is_three_game_points_and_one_drawn_is_one(games: Result, points: tuple[int, int]) -> None:
    assert tuple(game_points(part) for part in records_of(games)) == points


def test_a_bye_is_a_match_won_two_to_nothing() -> None:
    assert match_points(Record(byes=1)) == 3
    assert game_points(Record(byes=1)) == 6


def test_a_double_loss_gives_nobody_points() -> None:
    parts = records_of(Result(2, 1, 1, Ending.DOUBLE_LOSS))
    assert [(match_points(part), game_points(part), part.losses) for part in parts] == [(0, 0, 1), (0, 0, 1)]


def test_an_intentional_draw_is_a_draw() -> None:
    parts = records_of(Result(0, 0, 3, Ending.INTENTIONAL_DRAW))
    assert [(match_points(part), game_points(part)) for part in parts] == [(1, 3), (1, 3)]


@pytest.mark.parametrize("games", [Result(-1, 2), Result(2, -1), Result(0, 0, -1), Result(10**9, 0)])
def test_a_result_that_cannot_be_counted_is_refused(games: Result) -> None:
    with pytest.raises(ResultImpossible, match="from 0 to"):
        records_of(games)


# --- rates ----------------------------------------------------------------------------------------------------------
# Magic Tournament Rules, appendix C.
#   5-2-1 in 8 rounds                  | 16/24
#   1-3-0, withdrew                    |  3/12, so 0.33
#   3-2-0 with a first-round bye       |  9/15
#   games 2-0, 2-1, 1-2, 2-0           | 21/30
#   games 1-2, 1-2, 0-2, 1-2           |  9/33, so 0.33


def test_the_match_win_rate_is_the_share_of_match_points_won() -> None:
    assert match_win_rate(Record(wins=5, losses=2, draws=1)) == Fraction(16, 24)
    assert match_win_rate(Record(wins=2, byes=1, losses=2)) == Fraction(9, 15)


def test_no_rate_is_below_thirty_three_hundredths() -> None:
    assert match_win_rate(Record(wins=1, losses=3)) == Fraction(33, 100)
    assert match_win_rate(Record()) == Fraction(33, 100)
    assert game_win_rate(Record()) == Fraction(33, 100)


def test_the_game_win_rate_is_the_share_of_game_points_won() -> None:
    assert game_win_rate(Record(games_won=7, games_lost=3)) == Fraction(21, 30)
    assert game_win_rate(Record(games_won=3, games_lost=8)) == Fraction(33, 100)


# Playerlink SK211: 6-2-1 is 19/27; with two byes among the wins 13/21; 1-4 is 3/15, so 0.33.
# tournament page: 3-2 with a bye is 0.50.
def test_the_event_reporter_leaves_byes_out_of_the_match_win_rate() -> None:
    assert match_win_rate_without_byes(Record(wins=6, losses=2, draws=1)) == Fraction(19, 27)
    assert match_win_rate_without_byes(Record(wins=4, byes=2, losses=2, draws=1)) == Fraction(13, 21)
    assert match_win_rate_without_byes(Record(wins=1, losses=4)) == Fraction(33, 100)
    assert match_win_rate_without_byes(Record(wins=2, byes=1, losses=2)) == Fraction(1, 2)


# themanadrain.com, topic 1904: at least 0.3333, four decimals, a bye is one game.
def test_magic_online_rounds_to_four_decimals() -> None:
    assert match_win_rate_online(Record(wins=2, losses=1)) == Fraction(6667, 10_000)
    assert match_win_rate_online(Record(losses=3)) == Fraction(3333, 10_000)


def test_a_bye_is_one_game_on_magic_online() -> None:
    assert game_win_rate_online(Record(byes=1, games_lost=2)) == Fraction(3333, 10_000)
    assert game_win_rate_online(Record(byes=1, games_lost=1)) == Fraction(1, 2)
    assert game_win_rate(Record(byes=1, games_lost=2)) == Fraction(1, 2)


def test_a_half_is_rounded_up() -> None:
    assert rounded(Fraction(1, 8), 2) == Fraction(13, 100)
    assert rounded(Fraction(1249, 10_000), 2) == Fraction(12, 100)


# rk9.gg: 3-1-1 is (1 + 1 + 1 + 0.5 + 0)/5 = 70 %; 2-1 with a bye is 1-1, 50 %; at least 25 %.
def test_pokemon_counts_a_tie_one_half_and_leaves_byes_out() -> None:
    rate = win_rate(Fraction(1, 2))
    assert rate(Record(wins=3, losses=1, draws=1)) == Fraction(70, 100)
    assert rate(Record(wins=1, byes=1, losses=1)) == Fraction(1, 2)
    assert rate(Record(wins=0, losses=3)) == Fraction(1, 4)
    assert rate(Record(byes=2)) == Fraction(1, 4)


def test_whether_a_tie_counts_is_a_setting() -> None:
    assert win_rate(Fraction(0))(Record(wins=3, losses=1, draws=1)) == Fraction(3, 5)


def test_who_dropped_counts_three_quarters_at_most() -> None:
    rate = win_rate(Fraction(1, 2))
    assert rate(Record(wins=3)) == 1
    assert rate(Record(wins=3, dropped=1)) == Fraction(3, 4)
    assert rate(Record(wins=1, losses=1, dropped=1)) == Fraction(1, 2)


def test_rounds_before_a_late_entry_are_losses_to_pokemon() -> None:
    assert win_rate(Fraction(1, 2))(Record(wins=2, missed=2)) == Fraction(1, 2)
    assert on_time(Record(wins=2, missed=2)) == 0
    assert on_time(Record(wins=2)) == 1


# a table of four: 7 for a win, 1 for a draw, rates from 1/7; of two: 3, 1 and 1/3
def test_a_pod_is_won_for_one_point_less_than_twice_its_seats() -> None:
    assert [points_in_pods(size)(Record(wins=1, draws=1)) for size in (2, 3, 4)] == [4, 6, 8]
    assert pod_win_rate(4)(Record(wins=1, draws=1, losses=1)) == Fraction(8, 21)
    assert pod_win_rate(4)(Record(losses=3)) == Fraction(1, 7)
    assert pod_win_rate(2)(Record(losses=3)) == Fraction(1, 3)


# --- a player's record ----------------------------------------------------------------------------------------------

#  round | ann        bob        cat
#  ------+------------------------------
#  1     | beats bob             bye
#  2     | 1-1-1 cat  bye
#  3     | open cat   bye
ROUNDS = a_field([beats(ANN, BOB), Bye(CAT)], [draws(ANN, CAT), Bye(BOB)], [Pairing(1, ANN, CAT), Bye(BOB)])


def test_a_record_counts_what_was_finished() -> None:
    assert record(ANN, ROUNDS) == Record(wins=1, draws=1, games_won=3, games_drawn=1, games_lost=1, weight=2, met=2)
    assert record(BOB, ROUNDS) == Record(losses=1, byes=2, games_lost=2, weight=3, bye_weight=2, met=1)


def test_a_bye_adds_no_opponent() -> None:
    assert opponents(BOB, ROUNDS) == [ANN]
    assert opponents(CAT, ROUNDS) == [ANN]
    assert OpponentsMean(match_win_rate)(CAT, ROUNDS) == match_win_rate(record(ANN, ROUNDS))


def test_an_open_table_is_not_looked_at() -> None:
    assert opponents(ANN, ROUNDS) == [BOB, CAT]


def test_an_opponent_met_twice_counts_twice() -> None:
    # ann beats bob twice and cat once: bob 0-2, so 0.33; cat 0-1, so 0.33; then cat beats bob: cat 1-1, bob 0-3
    field = a_field([beats(ANN, BOB)], [beats(ANN, BOB)], [beats(ANN, CAT)], [beats(CAT, BOB)])
    assert opponents(ANN, field) == [BOB, BOB, CAT]
    assert OpponentsMean(match_win_rate)(ANN, field) == (LEAST + LEAST + Fraction(1, 2)) / 3


def test_a_late_entry_missed_rounds_and_a_drop_is_noted_after_it() -> None:
    late = Player(id=DAN, name="dan", entered_in=3, dropped_after=3)
    field = a_field([beats(ANN, BOB)], [draws(ANN, CAT)], [beats(DAN, BOB)], dan=late)
    assert record(DAN, field) == Record(wins=1, games_won=2, weight=1, met=1, missed=2)
    later = Field(field.players, [*field.rounds, Round(4, (Bye(ANN),))])
    assert record(DAN, later).dropped == 1


def test_a_round_seats_only_players_of_the_event() -> None:
    with pytest.raises(PlayerUnknown, match="'dan' is in a round"):
        OpponentsMean(match_win_rate)(ANN, Field({ANN: Player(id=ANN, name="Ann")}, [Round(1, (beats(ANN, DAN),))]))


# --- opponents' rates -----------------------------------------------------------------------------------------------

_NUMBER = count()


def a_record(player: PlayerId, wins: int, losses: int, drawn: int = 0) -> Iterator[Pairing]:
    """Matches against strangers that give the player that record."""
    for result in [Result(2, 0)] * wins + [Result(0, 2)] * losses + [Result(1, 1, 1)] * drawn:
        yield Pairing(1, player, PlayerId(f"stranger {next(_NUMBER)}"), result)


# Magic Tournament Rules, appendix C: ann's opponents finished 4-4, 7-1, 1-3-1, 3-3-1, 6-2, 5-2-1, 4-3-1 and 6-1-1.
# Each beat ann, so that is one of their wins.
OPPONENTS = [(4, 4, 0), (7, 1, 0), (1, 3, 1), (3, 3, 1), (6, 2, 0), (5, 2, 1), (4, 3, 1), (6, 1, 1)]
THEIR_RATES = [
    Fraction(12, 24),
    Fraction(21, 24),
    Fraction(33, 100),  # 4/15 is less
    Fraction(10, 21),
    Fraction(18, 24),
    Fraction(16, 24),
    Fraction(13, 24),
    Fraction(19, 24),
]


def against(*records: tuple[int, int, int]) -> list[list[Pairing]]:
    """Rounds in which ann meets opponents who finish like that."""
    rounds: list[list[Pairing]] = []
    for number, (wins, losses, drawn) in enumerate(records):
        opponent = PlayerId(f"opponent {number}")
        rounds.append([beats(opponent, ANN)])
        rounds.extend([match] for match in a_record(opponent, wins - 1, losses, drawn))
    return rounds


def test_the_opponents_match_win_rate_of_appendix_c() -> None:
    value = OpponentsMean(match_win_rate)(ANN, a_field(*against(*OPPONENTS)))
    assert value == sum(THEIR_RATES) / 8
    assert rounded(value, 5) == Fraction(61640, 100_000)


def test_the_opponents_match_win_rate_of_appendix_c_with_a_bye() -> None:
    value = OpponentsMean(match_win_rate)(ANN, a_field([Bye(ANN)], *against(*OPPONENTS[1:])))
    assert value == sum(THEIR_RATES[1:]) / 7
    assert rounded(value, 5) == Fraction(63303, 100_000)


def test_who_met_nobody_has_no_strength_of_opposition() -> None:
    assert OpponentsMean(match_win_rate)(CAT, a_field([Bye(CAT)])) == 0


def test_the_opponents_opponents_are_a_mean_of_means() -> None:
    # ann beats bob, cat beats dan; ann beats cat, bob beats dan     ann 2-0, bob 1-1, cat 1-1, dan 0-2
    field = a_field([beats(ANN, BOB), beats(CAT, DAN)], [beats(ANN, CAT), beats(BOB, DAN)])
    of_bob = of_cat = (1 + LEAST) / 2
    assert OpponentsOpponentsMean(match_win_rate)(ANN, field) == (of_bob + of_cat) / 2


def test_magic_online_rounds_the_mean_too() -> None:
    # ann met bob 2-1 (0.6667), cat 1-2 (0.3333), and dan 1-2
    field = a_field(
        [beats(BOB, ANN)], *([m] for m in a_record(BOB, 1, 1)),
        [beats(CAT, ANN)], *([m] for m in a_record(CAT, 0, 2)),
        [beats(DAN, ANN)], *([m] for m in a_record(DAN, 0, 2)),
    )  # fmt: skip
    assert Rounded(OpponentsMean(match_win_rate_online), 4)(ANN, field) == Fraction(4444, 10_000)


# --- Netrunner ------------------------------------------------------------------------------------------------------
# The numbers are those of Cobra, the tournament software of Null Signal Games: spec/services/sos_calculator_spec.rb in
# github.com/Project-NISEI/cobra. Matches of two games, 3 points a game.


def strengths(field: Field, games: int = 2) -> dict[str, tuple[int, Fraction, Fraction]]:
    rate = points_per_match(games)
    return {
        player: (
            points_by_game(record(player, field)),
            OpponentsMean(rate)(player, field),
            OpponentsOpponentsMean(rate)(player, field),
        )
        for player in field.players
    }


def test_strength_of_schedule_of_four() -> None:
    # snap 6-0 crackle, pop 6-0 other; snap 6-0 pop, crackle 3-3 other
    snap, crackle, pop, other = (PlayerId(name) for name in ("snap", "crackle", "pop", "other"))
    field = a_field(
        [beats(snap, crackle), beats(pop, other)],
        [beats(snap, pop), Pairing(2, crackle, other, Result(1, 1))],
        weights={1: 2, 2: 2},
    )
    assert strengths(field)["snap"] == (12, Fraction("2.25"), Fraction("3.75"))


def test_strength_of_schedule_of_three_with_byes() -> None:
    # dan 3-3 johno, laurie bye; laurie 6-0 johno, dan bye
    laurie, johno = PlayerId("laurie"), PlayerId("johno")
    field = a_field(
        [Pairing(1, DAN, johno, Result(1, 1)), Bye(laurie)], [beats(laurie, johno), Bye(DAN)], weights={1: 2, 2: 2}
    )
    assert strengths(field) == {
        "laurie": (12, Fraction("1.5"), Fraction("5.25")),
        "dan": (9, Fraction("1.5"), Fraction("5.25")),
        "johno": (3, Fraction("5.25"), Fraction("1.5")),
    }


def test_a_round_of_one_game_weighs_half() -> None:
    # alpha 6-0 beta, gamma 3-3 delta; one game each: alpha 3-0 gamma, delta 3-0 beta
    alpha, beta, gamma, delta = (PlayerId(name) for name in ("alpha", "beta", "gamma", "delta"))
    field = a_field(
        [beats(alpha, beta), Pairing(2, gamma, delta, Result(1, 1))],
        [beats(alpha, gamma, "1-0"), Pairing(2, beta, delta, Result(0, 1))],
        weights={1: 2, 2: 1},
    )
    printed = {
        name: (points, *(rounded(value, 4) for value in more)) for name, (points, *more) in strengths(field).items()
    }
    assert printed == {
        "alpha": (9, Fraction("0.6667"), Fraction("5.1111")),
        "delta": (6, Fraction("1.3333"), Fraction("4.8889")),
        "gamma": (3, Fraction("4.6667"), Fraction("1.1111")),
        "beta": (0, Fraction("5.3333"), Fraction("0.8889")),
    }


def test_who_had_only_byes_has_points_and_no_strength() -> None:
    assert strengths(a_field([Bye(ANN)], weights={1: 2})) == {"ann": (6, Fraction(0), Fraction(0))}


# --- Buchholz and its kin -------------------------------------------------------------------------------------------


def wins(record: Record) -> int:
    return record.wins + record.byes


# gist.github.com/Rapptz/197c80162358d1196145, in wins:
#   opponents with 4, 2, 3, 4, 5 and 6 wins: without the 6 and the 2 that is 4 + 3 + 4 + 5 = 16
#   opponents with 5, 4, 2, 6, 4 and 5 wins: by hand 5 + 4 + 4 + 5 = 18
@pytest.mark.parametrize(("finals", "median"), [((4, 2, 3, 4, 5, 6), 16), ((5, 4, 2, 6, 4, 5), 18)])
def test_the_median_leaves_out_the_best_and_the_worst_opponent(finals: tuple[int, ...], median: int) -> None:
    field = a_field(*against(*((final, 6 - final, 0) for final in finals)))
    assert OpponentsMedian(wins)(ANN, field) == median
    assert OpponentsSum(wins)(ANN, field) == sum(finals)


def test_a_median_of_two_opponents_is_nothing() -> None:
    assert OpponentsMedian(match_points)(ANN, a_field([beats(ANN, BOB)], [beats(CAT, ANN)])) == 0


def test_sonneborn_berger_takes_the_beaten_whole_and_the_drawn_half() -> None:
    # ann beats bob (bob beats cat: 3), draws with cat (cat beats dan: 1 + 3), loses to dan (3)
    field = a_field([beats(ANN, BOB)], [draws(ANN, CAT)], [beats(DAN, ANN)], [beats(BOB, CAT)], [beats(CAT, DAN)])
    assert SonnebornBerger(match_points)(ANN, field) == 3 + Fraction(4, 2)


# --- head to head ---------------------------------------------------------------------------------------------------


def test_head_to_head_counts_matches_won_against_the_rival() -> None:
    field = a_field([beats(ANN, BOB)], [beats(BOB, ANN)], [beats(ANN, BOB)], [beats(ANN, CAT)])
    assert (head_to_head(ANN, BOB, field), head_to_head(BOB, ANN, field)) == (2, 1)


# --- pods -----------------------------------------------------------------------------------------------------------


def a_pod(*placing: str) -> Pod:
    """Places parted by commas; those who share one in one word."""
    shared = tuple(tuple(PlayerId(letter) for letter in place) for place in placing)
    return Pod(1, tuple(sorted(player for place in shared for player in place)), shared)


def pod_field(*rounds: Sequence[Pod | Bye]) -> Field:
    played: list[AnyRound] = [PodRound(number, tuple(seats)) for number, seats in enumerate(rounds, start=1)]
    return Field({PlayerId(name): Player(id=PlayerId(name), name=name) for name in "abcdef"}, played)


def test_everybody_at_a_pod_is_an_opponent() -> None:
    field = pod_field([a_pod("a", "bcd")], [a_pod("a", "be"), Bye(PlayerId("f"))])
    assert opponents(PlayerId("a"), field) == ["b", "c", "d", "b", "e"]


def test_alone_in_front_wins_together_in_front_draws_and_the_rest_loses() -> None:
    field = pod_field([a_pod("a", "bcd")], [a_pod("ab", "c", "d")], [Pod(1, (PlayerId("a"), PlayerId("b")), ())])
    counts = {name: record(PlayerId(name), field) for name in "abc"}
    assert [(r.wins, r.draws, r.losses) for r in counts.values()] == [(1, 1, 1), (0, 1, 2), (0, 0, 2)]


def test_the_opponents_rate_in_pods_is_a_mean_over_all_seats() -> None:
    # abcd: a wins; bcd: drawn by all      b, c and d have 0 + 1 of 14 points, so 1/7
    field = pod_field([a_pod("a", "bcd")], [a_pod("bcd")])
    assert OpponentsMean(pod_win_rate(4))(PlayerId("a"), field) == Fraction(1, 7)
    assert OpponentsMean(pod_win_rate(4))(PlayerId("b"), field) == (1 + 4 * Fraction(1, 7)) / 5
    assert OwnRate(pod_win_rate(4))(PlayerId("a"), field) == 1
