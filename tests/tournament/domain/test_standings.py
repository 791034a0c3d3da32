"""Standings: places, what moves them and what may not, and the fast way against the definition."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.domain.draw import draw_lots
from tournament.domain.errors import PlayerTwice, PlayerUnknown, PresetUnknown, ResultImpossible
from tournament.domain.model import Bye, ByeKind, Ending, Pairing, Player, PlayerId, Pod, PodRound, Result, Round
from tournament.domain.presets import (
    BUCHHOLZ,
    MTGO,
    MTR_2026,
    PRESETS,
    WER,
    Preset,
    netrunner,
    pods,
    pokemon,
    preset_named,
)
from tournament.domain.results import GameLoss, PointsTaken
from tournament.domain.standings import Standing, definition, match_points_of, rank, settle, still_in
from tournament.domain.tiebreaks import (
    AnyRound,
    Field,
    OpponentsMean,
    head_to_head,
    match_points,
    match_win_rate,
    opponents,
    record,
)

ANN, BOB, CAT, DAN, EVE, FAY = (PlayerId(name) for name in ("ann", "bob", "cat", "dan", "eve", "fay"))


def beats(first: PlayerId, second: PlayerId) -> Pairing:
    return Pairing(1, first, second, Result(2, 0))


def draws(first: PlayerId, second: PlayerId) -> Pairing:
    return Pairing(1, first, second, Result(1, 1, 1))


def entered(*ids: PlayerId) -> list[Player]:
    return [Player(id=player, name=player) for player in ids]


def swiss(*rounds: Sequence[Pairing | Bye]) -> list[Round]:
    return [Round(number, tuple(seats)) for number, seats in enumerate(rounds, start=1)]


def places(standings: Sequence[Standing]) -> list[tuple[int, str]]:
    return [(line.place, line.player) for line in standings]


# --- places ---------------------------------------------------------------------------------------------------------

#  round | ann beats bob, cat beats dan | ann beats cat, bob beats dan
#  after | ann 6, bob 3, cat 3, dan 0: bob and cat met ann and dan alike and have the same games
FOUR = entered(ANN, BOB, CAT, DAN)
TWO_ROUNDS = swiss([beats(ANN, BOB), beats(CAT, DAN)], [beats(ANN, CAT), beats(BOB, DAN)])


def test_the_tied_share_a_place_and_the_next_is_left_out() -> None:
    assert places(rank(FOUR, TWO_ROUNDS)) == [(1, ANN), (2, BOB), (2, CAT), (4, DAN)]


def test_a_line_has_its_match_points_and_its_tiebreaks_by_name() -> None:
    ann = rank(FOUR, TWO_ROUNDS)[0]
    assert ann.match_points == 6
    assert ann.tiebreaks == {"omw": Fraction(1, 2), "gw": Fraction(1), "ogw": Fraction(1, 2)}


def test_without_a_round_everybody_is_first() -> None:
    assert places(rank(FOUR, [])) == [(1, ANN), (1, BOB), (1, CAT), (1, DAN)]


def test_nobody_is_ranked_where_nobody_entered() -> None:
    assert rank([], []) == ()


def test_match_points_count_before_every_tiebreak() -> None:
    # ann has two draws against the best, bob one win against the worst
    rounds = swiss([draws(ANN, CAT), beats(BOB, DAN)], [draws(ANN, EVE), beats(CAT, BOB)], [beats(CAT, EVE)])
    order = [line.player for line in rank(entered(ANN, BOB, CAT, DAN, EVE), rounds)]
    assert order.index(BOB) < order.index(ANN)


def test_the_public_draw_decides_shared_places_only_when_asked() -> None:
    shared = rank(FOUR, TWO_ROUNDS)
    decided = settle(shared, "block 17")
    assert [line.place for line in decided] == [1, 2, 3, 4]
    assert [decided[0].player, decided[3].player] == [ANN, DAN]


@given(st.text())
def test_the_draw_orders_the_tied_by_their_lots(draw: str) -> None:
    lots = draw_lots(draw, 0, [BOB, CAT])
    tied = [line.player for line in settle(rank(FOUR, TWO_ROUNDS), draw)[1:3]]
    assert tied == sorted([BOB, CAT], key=lambda player: lots[player])


# --- who is in them -------------------------------------------------------------------------------------------------


def test_who_dropped_keeps_the_place() -> None:
    players = [replace(player, dropped_after=1) if player.id == BOB else player for player in FOUR]
    assert places(rank(players, TWO_ROUNDS)) == places(rank(FOUR, TWO_ROUNDS))


def test_a_disqualification_moves_everybody_below_up_and_leaves_the_opponents_their_match() -> None:
    players = [replace(player, dropped_after=2, disqualified=True) if player.id == ANN else player for player in FOUR]
    before, after = rank(FOUR, TWO_ROUNDS), rank(players, TWO_ROUNDS)
    assert places(after) == [(1, BOB), (1, CAT), (3, DAN)]
    assert [line.tiebreaks for line in after] == [line.tiebreaks for line in before[1:]]


def test_who_left_before_the_first_round_never_took_part() -> None:
    gone = Player(id=EVE, name="eve", dropped_after=0)
    assert rank([*FOUR, gone], TWO_ROUNDS) == rank(FOUR, TWO_ROUNDS)


# two rounds are played: EVE enters for round 3
@pytest.mark.parametrize("left", [None, 2])
def test_who_has_not_come_yet_is_in_no_standings(left: int | None) -> None:
    late = Player(id=EVE, name="eve", entered_in=3, dropped_after=left)
    assert rank([*FOUR, late], TWO_ROUNDS) == rank(FOUR, TWO_ROUNDS)
    third = [*TWO_ROUNDS, Round(3, ())]
    assert (EVE in {line.player for line in rank([*FOUR, late], third)}) is (left is None)


def test_who_dropped_or_was_disqualified_takes_no_place_of_the_cut() -> None:
    assert still_in(FOUR[0])
    assert not still_in(replace(FOUR[0], dropped_after=2))
    assert not still_in(replace(FOUR[0], disqualified=True))


def test_a_stranger_in_a_round_is_refused() -> None:
    with pytest.raises(PlayerUnknown, match="'eve' is in a round"):
        rank(FOUR, swiss([beats(ANN, EVE)]))


def test_an_id_stands_for_one_player() -> None:
    with pytest.raises(PlayerTwice, match="'ann' is the id of two players"):
        rank([*FOUR, FOUR[0]], [])


def test_games_below_zero_are_refused() -> None:
    with pytest.raises(ResultImpossible, match="-1-2-0 is no result"):
        rank(FOUR, swiss([Pairing(1, ANN, BOB, Result(-1, 2))]))


# --- penalties ------------------------------------------------------------------------------------------------------


def taken(player: PlayerId, points: int, number: int) -> PointsTaken:
    return PointsTaken(player=player, round=number, infraction="late list", reason="sent after round 1", points=points)


def test_points_taken_cost_a_place_and_no_opponent_a_tiebreak() -> None:
    before, after = rank(FOUR, TWO_ROUNDS), rank(FOUR, TWO_ROUNDS, penalties=[taken(ANN, 4, 2)])
    assert places(after) == [(1, BOB), (1, CAT), (3, ANN), (4, DAN)]
    assert {line.player: line.tiebreaks for line in after} == {line.player: line.tiebreaks for line in before}
    assert match_points_of(FOUR, TWO_ROUNDS, penalties=[taken(ANN, 4, 2)])[ANN] == 2


def test_points_may_fall_below_zero() -> None:
    assert rank(FOUR, TWO_ROUNDS, penalties=[taken(DAN, 2, 1), taken(DAN, 1, 2)])[-1].match_points == -3


def test_points_taken_later_leave_published_standings() -> None:
    assert rank(FOUR, TWO_ROUNDS[:1], penalties=[taken(ANN, 4, 2)]) == rank(FOUR, TWO_ROUNDS[:1])


def test_a_game_loss_is_in_the_result_and_not_taken_twice() -> None:
    loss = GameLoss(player=ANN, round=1, infraction="tardiness", reason="late")
    assert rank(FOUR, TWO_ROUNDS, penalties=[loss]) == rank(FOUR, TWO_ROUNDS)


# --- presets --------------------------------------------------------------------------------------------------------


def test_a_bye_counts_in_the_win_rate_of_the_rules_and_not_of_the_event_reporter() -> None:
    # ann beats bob, who has had a bye: 1-1 is 1/2 to the rules, 0-1 is 0.33 to the event reporter
    rounds = swiss([Bye(BOB), beats(CAT, ANN)], [beats(ANN, BOB), Bye(CAT)])
    values = [rank(entered(ANN, BOB, CAT), rounds, preset)[1].tiebreaks["omw"] for preset in (MTR_2026, WER)]
    assert values == [(Fraction(1, 2) + 1) / 2, (Fraction(33, 100) + 1) / 2]


def test_the_rules_and_magic_online_have_another_floor() -> None:
    values = [rank(FOUR, TWO_ROUNDS[:1], preset)[0].tiebreaks["omw"] for preset in (MTR_2026, MTGO)]
    assert values == [Fraction(33, 100), Fraction(3333, 10_000)]


def test_a_late_entry_is_below_everybody_with_as_many_points_in_pokemon() -> None:
    # ann came for round 2 and beats cat, the better opponent; bob beats dan
    late = Player(id=ANN, name="ann", entered_in=2)
    rounds = swiss([beats(CAT, DAN)], [beats(ANN, CAT), beats(BOB, DAN)])
    assert places(rank([late, *entered(BOB, CAT, DAN)], rounds, pokemon()))[:3] == [(1, CAT), (2, BOB), (3, ANN)]
    assert places(rank([late, *entered(BOB, CAT, DAN)], rounds))[:3] == [(1, CAT), (2, ANN), (3, BOB)]


#  round | 1                            2                            3
#        | ann beats bob, cat beats dan | cat beats ann, bob beats dan | dan beats ann, cat beats bob
#  after | cat 3-0; ann, bob and dan 1-2, and everybody has met everybody
ROUND_ROBIN = swiss(
    [beats(ANN, BOB), beats(CAT, DAN)], [beats(CAT, ANN), beats(BOB, DAN)], [beats(DAN, ANN), beats(CAT, BOB)]
)


def test_head_to_head_never_parts_three() -> None:
    assert places(rank(FOUR, ROUND_ROBIN, pokemon())) == [(1, CAT), (2, ANN), (2, BOB), (2, DAN)]


def test_head_to_head_parts_exactly_two_and_says_so() -> None:
    without_dan = [replace(player, disqualified=player.id == DAN) for player in FOUR]
    standings = rank(without_dan, ROUND_ROBIN, pokemon())
    assert places(standings) == [(1, CAT), (2, ANN), (3, BOB)]
    assert [int(line.tiebreaks["head_to_head"]) for line in standings] == [0, 1, 0]


def test_head_to_head_leaves_two_who_won_once_each() -> None:
    standings = rank(entered(ANN, BOB), swiss([beats(ANN, BOB)], [beats(BOB, ANN)]), pokemon())
    assert places(standings) == [(1, ANN), (1, BOB)]


def test_netrunner_counts_games_where_others_count_matches() -> None:
    rounds = swiss([Pairing(1, ANN, BOB, Result(1, 1)), Pairing(2, CAT, DAN, Result(2, 0))])
    assert [line.match_points for line in rank(FOUR, rounds, netrunner())] == [6, 3, 3, 0]


def test_a_single_sided_round_weighs_half_of_a_double_sided_one() -> None:
    preset = netrunner(other_rounds={2: 1})
    assert [preset.weight(number) for number in (1, 2, 3)] == [2, 1, 2]


def test_pods_are_ranked_by_wins_at_the_table() -> None:
    pod = Pod(1, (ANN, BOB, CAT, DAN), ((CAT,), (ANN, BOB), (DAN,)))
    assert [line.match_points for line in rank(FOUR, [PodRound(1, (pod,))], pods())] == [7, 0, 0, 0]


def test_a_house_tiebreak_is_any_function() -> None:
    def alphabetical(player: PlayerId, _: Field) -> Fraction:
        return Fraction(1, 1 + "abcd".index(player[0]))

    house = Preset(name="house", title="House", source="ours", points=match_points, tiebreaks={"abc": alphabetical})
    assert places(rank(FOUR, TWO_ROUNDS, house)) == [(1, ANN), (2, BOB), (3, CAT), (4, DAN)]


@pytest.mark.parametrize("name", ["mtr-2026", "wer", "mtgo", "pokemon", "netrunner", "pods", "buchholz"])
def test_every_preset_has_its_name_and_says_where_it_comes_from(name: str) -> None:
    preset = preset_named(name)
    assert preset.name == name
    assert preset.source
    assert preset.title


def test_an_unknown_preset_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(PresetUnknown, match="'elo'; there are mtr-2026, wer, mtgo"):
        preset_named("elo")


# --- every event ----------------------------------------------------------------------------------------------------

RESULTS = [
    Result(2, 0),
    Result(2, 1),
    Result(0, 2),
    Result(1, 2),
    Result(1, 0, 2),
    Result(1, 1, 1),
    Result(0, 0, 3, Ending.INTENTIONAL_DRAW),
    Result(0, 2, 0, Ending.NO_SHOW),
    Result(2, 1, 0, Ending.CONCESSION),
    Result(1, 1, 0, Ending.DOUBLE_LOSS),
]

VARIANTS = [
    *PRESETS.values(),
    pokemon(tie=Fraction(0)),
    netrunner(games=1),
    netrunner(other_rounds={2: 1, 3: 1}),
    pods(3),
    replace(BUCHHOLZ, weight=lambda number: number % 3),
]
PRESET = st.sampled_from(VARIANTS)


@st.composite
def events(draw: st.DrawFn, least: int = 1) -> tuple[list[Player], list[Round]]:
    """Anybody against anybody: repeats, byes for several, open tables, drops, late entries, disqualifications."""
    ids = [PlayerId(letter) for letter in "abcdefgh"[: draw(st.integers(2, 8))]]
    rounds = []
    for number in range(1, draw(st.integers(least, 5)) + 1):
        order = draw(st.permutations(ids))
        pairs = draw(st.integers(0, len(order) // 2))
        results = draw(st.lists(st.none() | st.sampled_from(RESULTS), min_size=pairs, max_size=pairs))
        seats: list[Pairing | Bye] = [
            Pairing(table, order[2 * table], order[2 * table + 1], result) for table, result in enumerate(results)
        ]
        byes = draw(st.integers(0, len(order) - 2 * pairs))
        seats += [Bye(player, draw(st.sampled_from(ByeKind))) for player in order[2 * pairs : 2 * pairs + byes]]
        rounds.append(Round(number, tuple(seats)))
    players = [
        Player(
            id=player,
            name=player,
            entered_in=draw(st.sampled_from([1, 1, 1, 2, 3])),
            dropped_after=draw(st.none() | st.integers(0, 5)),
            disqualified=draw(st.sampled_from([False, False, False, True])),
        )
        for player in ids
    ]
    return players, rounds


def by_definition(players: Sequence[Player], rounds: Sequence[AnyRound], preset: Preset) -> list[Standing]:
    """`rank`, as the rule books say it: sort by everything, share places, look head to head where exactly two tie."""
    ranked = {line.player for line in rank(players, rounds, preset)}
    lines = [definition(player.id, players, rounds, preset) for player in players if player.id in ranked]
    lines.sort(key=lambda line: line.player)
    lines.sort(key=_worth, reverse=True)
    ordered: list[Standing] = []
    for _, group in groupby(lines, key=_worth):
        tied = list(group)
        place = len(ordered) + 1
        if preset.if_two_tied is None:
            ordered += [replace(line, place=place) for line in tied]
        else:
            ordered += _parted(tied, place, Field({p.id: p for p in players}, rounds, preset.weight), preset)
    return ordered


def _parted(tied: list[Standing], place: int, field: Field, preset: Preset) -> list[Standing]:
    assert preset.if_two_tied is not None
    ahead = {line.player: 0 for line in tied}
    if len(tied) == 2:
        one, other = (line.player for line in tied)
        won, lost = preset.if_two_tied(one, other, field), preset.if_two_tied(other, one, field)
        ahead = {one: int(won > lost), other: int(lost > won)}
    tied = sorted(tied, key=lambda line: -ahead[line.player])
    return [
        replace(
            line,
            place=place + (1 if index and any(ahead.values()) else 0),
            tiebreaks={**line.tiebreaks, "head_to_head": Fraction(ahead[line.player])},
        )
        for index, line in enumerate(tied)
    ]


def _worth(line: Standing) -> tuple[int, tuple[Fraction, ...]]:
    return line.match_points, tuple(line.tiebreaks.values())


@settings(max_examples=250, deadline=None)
@given(events(), PRESET)
def test_the_fast_way_is_the_definition(event: tuple[list[Player], list[Round]], preset: Preset) -> None:
    assert list(rank(*event, preset)) == by_definition(*event, preset)


@st.composite
def pod_events(draw: st.DrawFn) -> tuple[list[Player], list[PodRound]]:
    ids = [PlayerId(letter) for letter in "abcdefghijk"[: draw(st.integers(3, 11))]]
    rounds = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        order = draw(st.permutations(ids))
        seats: list[Pod | Bye] = []
        while order:
            size = draw(st.integers(1, min(5, len(order))))
            seated, order = order[:size], order[size:]
            front = draw(st.integers(1, size))
            placing = draw(st.sampled_from([None, (), (tuple(seated[:front]), tuple(seated[front:]))]))
            seats.append(Bye(seated[0]) if size == 1 else Pod(len(seats), tuple(seated), placing))
        rounds.append(PodRound(number, tuple(seats)))
    return entered(*ids), rounds


@settings(max_examples=100, deadline=None)
@given(pod_events(), st.sampled_from([pods(), pods(3), BUCHHOLZ, pokemon()]))
def test_the_fast_way_is_the_definition_in_pods(event: tuple[list[Player], list[PodRound]], preset: Preset) -> None:
    assert list(rank(*event, preset)) == by_definition(*event, preset)


@settings(max_examples=50, deadline=None)
@given(events(), PRESET)
def test_a_player_seated_twice_in_a_round_counts_twice(event: tuple[list[Player], list[Round]], preset: Preset) -> None:
    players, rounds = event
    doubled = [replace(played, seats=played.seats + played.seats) for played in rounds]
    assert list(rank(players, doubled, preset)) == by_definition(players, doubled, preset)


@settings(max_examples=60, deadline=None)
@given(events(), PRESET, st.permutations("abcdefgh"), st.randoms(use_true_random=False))
def test_other_names_and_another_order_of_seats_change_nothing(
    event: tuple[list[Player], list[Round]], preset: Preset, letters: list[str], rng: object
) -> None:
    players, rounds = event
    other = {player.id: PlayerId(letters["abcdefgh".index(player.id)]) for player in players}
    renamed = [replace(player, id=other[player.id]) for player in reversed(players)]
    replayed = [
        replace(played, seats=tuple(_renamed(seat, other) for seat in reversed(played.seats))) for played in rounds
    ]
    assert {other[line.player]: (line.place, line.tiebreaks) for line in rank(players, rounds, preset)} == {
        line.player: (line.place, line.tiebreaks) for line in rank(renamed, replayed, preset)
    }


def _renamed(seat: Pairing | Bye, other: Mapping[PlayerId, PlayerId]) -> Pairing | Bye:
    if isinstance(seat, Bye):
        return replace(seat, player=other[seat.player])
    result = seat.result and replace(seat.result, first=seat.result.second, second=seat.result.first)
    return replace(seat, first=other[seat.second], second=other[seat.first], result=result)


@settings(max_examples=60, deadline=None)
@given(events(), PRESET, st.data())
def test_leaving_after_a_round_leaves_its_standings(
    event: tuple[list[Player], list[Round]], preset: Preset, data: st.DataObject
) -> None:
    players, rounds = event
    leaving = data.draw(st.sampled_from(players))
    before = [replace(player, dropped_after=None) if player is leaving else player for player in players]
    after = [
        replace(player, dropped_after=max(len(rounds), player.entered_in)) if player is leaving else player
        for player in players
    ]
    assert rank(before, rounds, preset) == rank(after, rounds, preset)


@settings(max_examples=60, deadline=None)
@given(events(), PRESET, st.sampled_from([0, 1, None]))
def test_coming_late_and_going_again_leaves_the_standings_of_the_rounds_before(
    event: tuple[list[Player], list[Round]], preset: Preset, stays: int | None
) -> None:
    players, rounds = event
    entered = len(rounds) + 1
    late = Player(
        id=PlayerId("late"),
        name="late",
        entered_in=max(2, entered),
        dropped_after=None if stays is None else max(2, entered) - 1 + stays,
    )
    assert rank([*players, late], rounds, preset) == rank(players, rounds, preset)


@settings(max_examples=60, deadline=None)
@given(events(), PRESET, st.sampled_from(RESULTS))
def test_a_correction_and_its_correction_back_are_the_identity(
    event: tuple[list[Player], list[Round]], preset: Preset, wrong: Result
) -> None:
    players, rounds = event
    published = rank(players, rounds, preset)
    corrected = [replace(played, seats=tuple(_with_result(seat, wrong) for seat in played.seats)) for played in rounds]
    rank(players, corrected, preset)
    back = [
        replace(played, seats=tuple(map(_as_it_was, played.seats, original.seats)))
        for played, original in zip(corrected, rounds, strict=True)
    ]
    assert rank(players, back, preset) == published


def _with_result(seat: Pairing | Bye, result: Result) -> Pairing | Bye:
    return replace(seat, result=result) if isinstance(seat, Pairing) else seat


def _as_it_was(seat: Pairing | Bye, original: Pairing | Bye) -> Pairing | Bye:
    return (
        replace(seat, result=original.result) if isinstance(seat, Pairing) and isinstance(original, Pairing) else seat
    )


@settings(max_examples=60, deadline=None)
@given(events())
def test_a_bye_never_adds_an_opponent(event: tuple[list[Player], list[Round]]) -> None:
    players, rounds = event
    everybody = {player.id: player for player in players}
    with_byes = [*rounds, Round(len(rounds) + 1, tuple(Bye(player) for player in everybody))]
    assert [opponents(player, Field(everybody, with_byes)) for player in everybody] == [
        opponents(player, Field(everybody, rounds)) for player in everybody
    ]


@settings(max_examples=60, deadline=None)
@given(events(), PRESET)
def test_a_double_loss_gives_nobody_points(event: tuple[list[Player], list[Round]], preset: Preset) -> None:
    players, rounds = event
    one, other = players[0].id, players[1].id
    lost = Round(len(rounds) + 1, (Pairing(1, one, other, Result(1, 2, 1, Ending.DOUBLE_LOSS)),))
    assert match_points_of(players, [*rounds, lost], preset) == match_points_of(players, rounds, preset)


@settings(max_examples=60, deadline=None)
@given(events(), PRESET)
def test_every_rate_stays_between_its_floor_and_one(event: tuple[list[Player], list[Round]], preset: Preset) -> None:
    rates = {name for name in preset.tiebreaks if name in {"omw", "gw", "ogw", "owp", "oowp", "oomw", "on_time"}}
    for line in rank(*event, preset):
        assert all(0 <= line.tiebreaks[name] <= 1 for name in rates)


def test_equal_standings_are_equal_whatever_they_were_computed_from() -> None:
    # the same lines from a field with another common denominator: eve and fay play on their own
    more = [*FOUR, *entered(EVE, FAY)]
    rounds = [replace(played, seats=(*played.seats, draws(EVE, FAY))) for played in TWO_ROUNDS]
    mine = [line for line in rank(more, rounds) if line.player == ANN]
    assert mine == [rank(FOUR, TWO_ROUNDS)[0]]
    assert hash(mine[0]) == hash(rank(FOUR, TWO_ROUNDS)[0])
    assert repr(mine[0].tiebreaks) == "{'omw': '1/2', 'gw': '1', 'ogw': '1/2'}"
    with pytest.raises(KeyError):
        mine[0].tiebreaks["elo"]


def test_the_definition_reads_like_the_rule_book() -> None:
    field = Field({player.id: player for player in FOUR}, TWO_ROUNDS)
    assert (
        OpponentsMean(match_win_rate)(DAN, field)
        == (match_win_rate(record(CAT, field)) + match_win_rate(record(BOB, field))) / 2
    )
    assert head_to_head(ANN, BOB, field) == 1
