"""Multi-player tables: their number, who sits there, what a placing is worth."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.domain.errors import PlacingUnreadable, PlayersUnseatable
from tournament.domain.model import Bye, PlayerId, Pod, PodRound
from tournament.domain.pods import (
    FOURS,
    Layout,
    PodFault,
    PodRule,
    Proof,
    Repeat,
    Scale,
    bye_points,
    placing_points,
    pod_faults,
    repeats,
    seat_round,
    table_sizes,
    total_points,
)
from tournament.domain.tiebreaks import Record, pod_record, points_in_pods

ANN, BOB, CAT, DAN, EVE = (PlayerId(name) for name in ("ann", "bob", "cat", "dan", "eve"))


def seeded(seed: int) -> Random:
    return Random(seed)


def players(count: int) -> list[PlayerId]:
    return [PlayerId(f"p{number:02}") for number in range(count)]


def finished(played: PodRound, rng: Random) -> PodRound:
    """The same round with placings, now and then a drawn table."""

    def placed(pod: Pod) -> Pod:
        order = rng.sample(pod.players, len(pod.players))
        return Pod(pod.table, pod.players, (tuple(order),) if rng.random() < 0.1 else tuple((p,) for p in order))

    return PodRound(played.number, tuple(placed(seat) if isinstance(seat, Pod) else seat for seat in played.seats))


def event(count: int, rounds: int, seed: int, layout: Layout = FOURS) -> tuple[list[PodRound], list[int]]:
    """Rounds of an event, and the repeats in each."""
    done: list[PodRound] = []
    met_again = []
    for _ in range(rounds):
        points = total_points(done, Scale.WIN_OR_DRAW, layout.usual)
        seating = seat_round(players(count), done, points, draw=f"event {seed}", layout=layout)
        assert not pod_faults(seating.round, players(count), done, layout)
        met_again.append(len(seating.repeats))
        done.append(finished(seating.round, seeded(seed * 100 + len(done))))
    return done, met_again


# --- how many tables ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "usual", "sizes"),
    [
        (16, 4, (4, 4, 4, 4)),
        (15, 4, (4, 4, 4, 3)),
        (14, 4, (4, 4, 3, 3)),
        (13, 4, (4, 3, 3, 3)),
        (9, 4, (3, 3, 3)),
        (6, 4, (3, 3)),
        (5, 4, (5,)),  # a table of five before a bye
        (3, 4, (3,)),
        (7, 3, (3, 4)),
        (5, 3, (5,)),
        (11, 5, (5, 6)),
        (7, 5, (4, 3)),
        (8, 6, (4, 4)),
        (13, 6, (6, 4, 3)),
    ],
)
def test_uneven_tables_are_few_and_one_seat_short(count: int, usual: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(count, Layout(usual)) == sizes


@pytest.mark.parametrize("usual", [3, 4, 5, 6])
@pytest.mark.parametrize("count", [*range(3, 41), 999, 20_000])
def test_nobody_has_a_bye_where_any_size_will_do(count: int, usual: int) -> None:
    assert sum(table_sizes(count, Layout(usual))) == count


def test_an_organizer_who_wants_only_fours_gets_byes() -> None:
    assert table_sizes(11, Layout(4, frozenset({4}))) == (4, 4)


@pytest.mark.parametrize(
    ("count", "layout"),
    [
        (2, FOURS),
        (0, FOURS),
        (3, Layout(4, frozenset({4}))),
        (8, Layout(2)),
        (14, Layout(7)),
        (9, Layout(4, frozenset({9}))),
    ],
)
def test_who_fills_no_table_is_refused(count: int, layout: Layout) -> None:
    with pytest.raises(PlayersUnseatable):
        table_sizes(count, layout)


# --- who sits together: against every seating there is --------------------------------------------------------------


def every_seating(those: Sequence[PlayerId], sizes: Sequence[int]) -> Iterator[list[tuple[PlayerId, ...]]]:
    """The first player's table in every way, then the rest."""
    if not those:
        yield []
        return
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for others in combinations(those[1:], size - 1):
            table = (those[0], *others)
            rest = [player for player in those if player not in table]
            yield from ([table, *tables] for tables in every_seating(rest, left))


def judged(
    tables: Collection[Sequence[PlayerId]], rounds: Sequence[PodRound], points: Mapping[PlayerId, int], usual: int
) -> tuple[int, int, int, int]:
    """The levels of the documentation, counted the slow way."""
    before = [seat for played in rounds for seat in played.seats if isinstance(seat, Pod)]
    met = sum(
        sum(one in pod.players and other in pod.players for pod in before) ** 2
        for table in tables
        for one, other in combinations(table, 2)
    )
    uneven = [player for table in tables if len(table) != usual for player in table]
    again = sum(sum(player in pod.players for pod in before if len(pod.players) != usual) ** 2 for player in uneven)
    spread = sum((points[one] - points[other]) ** 2 for table in tables for one, other in combinations(table, 2))
    return met, again, spread, sum(points[player] for player in uneven)


def random_past(count: int, rng: Random) -> tuple[list[PodRound], dict[PlayerId, int]]:
    """Some rounds seated without any care, and any points."""
    rounds = []
    for number in range(1, rng.randint(1, 4) + 1):
        order, at, pods = rng.sample(players(count), count), 0, []
        for table, size in enumerate(table_sizes(count), start=1):
            pods.append(Pod(table, tuple(order[at : at + size])))
            at += size
        rounds.append(PodRound(number, tuple(pods)))
    return rounds, {player: rng.randint(0, 3) * 7 + rng.randint(0, 2) for player in players(count)}


@pytest.mark.parametrize("count", range(3, 11))
def test_up_to_ten_players_no_seating_is_better(count: int) -> None:
    for seed in range(12):
        rounds, points = random_past(count, seeded(seed))
        seating = seat_round(players(count), rounds, points, draw=f"{seed}")
        tables = [seat.players for seat in seating.round.seats if isinstance(seat, Pod)]
        best = min(judged(any_, rounds, points, 4) for any_ in every_seating(players(count), table_sizes(count)))
        assert judged(tables, rounds, points, 4) == best
        assert seating.proof is Proof.EXACT


@pytest.mark.parametrize("seed", range(4))
def test_of_twelve_players_no_seating_is_better(seed: int) -> None:
    rounds, points = random_past(12, seeded(seed))
    seating = seat_round(players(12), rounds, points, draw=f"{seed}")
    tables = [seat.players for seat in seating.round.seats if isinstance(seat, Pod)]
    assert judged(tables, rounds, points, 4) == min(
        judged(any_, rounds, points, 4) for any_ in every_seating(players(12), (4, 4, 4))
    )


@pytest.mark.parametrize("usual", [3, 5, 6])
def test_other_sizes_are_exact_too(usual: int) -> None:
    rounds, points = random_past(9, seeded(usual))
    seating = seat_round(players(9), rounds, points, draw="x", layout=Layout(usual))
    tables = [seat.players for seat in seating.round.seats if isinstance(seat, Pod)]
    sizes = table_sizes(9, Layout(usual))
    assert judged(tables, rounds, points, usual) == min(
        judged(any_, rounds, points, usual) for any_ in every_seating(players(9), sizes)
    )


def test_sixteen_players_can_sit_five_rounds_without_a_repeat() -> None:
    # the affine plane of order 4 has five such rounds: lines of each slope; after four of them the fifth must be found
    point = {(x, y): PlayerId(f"p{4 * x + y:02}") for x in range(4) for y in range(4)}
    product = [[0, 0, 0, 0], [0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2]]  # the field of four elements
    slopes = [[[(x, product[m][x] ^ b) for x in range(4)] for b in range(4)] for m in range(4)]
    rounds = [
        PodRound(
            number, tuple(Pod(table, tuple(point[at] for at in line)) for table, line in enumerate(lines, start=1))
        )
        for number, lines in enumerate(slopes, start=1)
    ]
    seating = seat_round(players(16), rounds, {}, draw="plane")
    assert seating.repeats == ()
    assert {frozenset(seat.players) for seat in seating.round.seats if isinstance(seat, Pod)} == {
        frozenset(point[x, y] for y in range(4)) for x in range(4)
    }


@pytest.mark.parametrize("count", [32, 33, 48, 65, 100, 256, 1000])
def test_nobody_meets_again_in_six_rounds(count: int) -> None:
    _, met_again = event(count, 6, seed=count)
    assert met_again == [0] * 6


def test_a_seating_says_how_far_it_is_proven() -> None:
    # 17 players at four to a table cannot go on for ever without meeting again
    assert seat_round(players(16), [], {}, draw="x").proof is Proof.EXACT
    assert seat_round(players(17), [], {}, draw="x").proof is Proof.NO_REPEATS
    rounds, _ = event(17, 8, seed=1)
    last = seat_round(players(17), rounds, total_points(rounds, Scale.WIN_OR_DRAW), draw="x")
    assert last.proof is Proof.BEST_FOUND
    assert str(last) == (
        f"round 9: tables: 2 of 4 and 3 of 3; byes: 0; repeats: {len(last.repeats)} (the best of those tried)"
    )


def test_points_are_close_at_a_table() -> None:
    # eight players with 7, eight with 0: nobody with 7 sits with somebody with 0
    points = dict.fromkeys(players(16)[::2], 7)
    seating = seat_round(players(16), [], points, draw="x")
    together = [
        {points.get(player, 0) for player in seat.players} for seat in seating.round.seats if isinstance(seat, Pod)
    ]
    assert together == [{7}, {7}, {0}, {0}]


def test_the_short_table_goes_round() -> None:
    # seven players, two tables: whoever sat at the short one before sits at it again only if that cannot be helped
    rounds, _ = event(7, 1, seed=1)
    (short,) = (seat for seat in rounds[0].seats if isinstance(seat, Pod) and len(seat.players) == 3)
    seating = seat_round(players(7), rounds, {}, draw="x")
    assert len(seating.again_uneven) <= 1
    assert set(seating.again_uneven) <= set(short.players)


def test_byes_go_to_those_with_the_fewest_byes_then_the_fewest_points() -> None:
    only_fours = Layout(4, frozenset({4}))
    rounds = [PodRound(1, (Pod(1, tuple(players(5)[1:])), Bye(players(5)[0])))]
    points = dict.fromkeys(players(5)[:4], 7)
    seating = seat_round(players(5), rounds, points, draw="x", layout=only_fours)
    assert seating.round.seats[-1] == Bye(players(5)[4])


@given(st.randoms(use_true_random=False), st.integers(3, 30))
@settings(max_examples=25, deadline=None)
def test_the_order_in_which_players_are_given_does_not_matter(rng: Random, count: int) -> None:
    rounds, points = random_past(count, rng)
    seating = seat_round(players(count), rounds, points, draw="x")
    shuffled = rng.sample(players(count), count)
    assert seat_round(shuffled, rounds, dict(sorted(points.items(), reverse=True)), draw="x") == seating


def test_another_draw_seats_another_round() -> None:
    one, other = (seat_round(players(40), [], {}, draw=draw).round for draw in ("one", "other"))
    assert one != other


@given(st.integers(3, 40), st.integers(3, 6), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_no_seating_has_a_fault(count: int, usual: int, rng: Random) -> None:
    rounds, points = random_past(count, rng)
    seating = seat_round(players(count), rounds, points, draw="x", layout=Layout(usual))
    assert pod_faults(seating.round, players(count), rounds, Layout(usual)) == []
    assert seating.repeats == repeats(seating.round.seats, rounds)


def test_a_repeat_is_counted_with_its_times() -> None:
    rounds = [PodRound(1, (Pod(1, (ANN, BOB, CAT)),)), PodRound(2, (Pod(1, (BOB, ANN, DAN)),))]
    assert repeats([Pod(1, (BOB, EVE, ANN, DAN))], rounds) == (
        Repeat(ANN, BOB, 2),
        Repeat(ANN, DAN, 1),
        Repeat(BOB, DAN, 1),
    )


# --- faults ---------------------------------------------------------------------------------------------------------


def rules(proposed: PodRound, active: Collection[PlayerId], rounds: Sequence[PodRound] = ()) -> list[PodRule]:
    return [fault.rule for fault in pod_faults(proposed, active, rounds)]


def test_everything_that_is_wrong_is_said_at_once() -> None:
    # bob sits twice, eve nowhere, zoe does not play; table 1 twice, one of two seats; a bye that nobody needs
    zoe = PlayerId("zoe")
    proposed = PodRound(2, (Pod(1, (ANN, BOB)), Pod(1, (BOB, CAT, zoe)), Bye(DAN)))
    assert rules(proposed, [ANN, BOB, CAT, DAN, EVE], [PodRound(1, (Bye(DAN),))]) == [
        PodRule.SEATED_ONCE,
        PodRule.SEATED_ONCE,
        PodRule.ONLY_THOSE_WHO_PLAY,
        PodRule.TABLES_DIFFER,
        PodRule.SIZES_ARE_ALLOWED,
        PodRule.NO_BYE_TOO_MANY,
        PodRule.BYES_GO_ROUND,
    ]


def test_faults_have_sentences() -> None:
    faults = pod_faults(PodRound(1, (Pod(7, (ANN, BOB)),)), [ANN, BOB, CAT], ())
    assert [fault.sentence for fault in faults] == [
        "cat has no seat",
        "table 7 has 2 players; a table has 3, 4, 5, 6",
    ]


def test_a_placing_names_everybody_at_the_table_once() -> None:
    pod = Pod(3, (ANN, BOB, CAT), ((ANN,), (ANN, EVE), ()))
    assert pod_faults(PodRound(1, (pod,)), [ANN, BOB, CAT], ()) == [
        PodFault(PodRule.PLACING_IS_COMPLETE, f"table 3: {problem}")
        for problem in (
            "ann is placed more than once",
            "bob is not placed",
            "cat is not placed",
            "eve is placed and does not sit there",
            "a place that nobody has",
        )
    ]


def test_a_bye_in_a_field_that_fills_no_table_is_no_reason_to_crash() -> None:
    assert rules(PodRound(1, (Bye(ANN), Bye(BOB))), [ANN, BOB]) == []


# --- what a placing is worth ----------------------------------------------------------------------------------------


def worth(placing: Sequence[tuple[PlayerId, ...]], scale: Scale, usual: int = 4) -> dict[PlayerId, Fraction]:
    seated = tuple(player for shared in placing for player in shared)
    return placing_points(Pod(1, seated, tuple(placing)), scale, usual)


def test_a_win_at_a_table_of_four_is_seven() -> None:
    assert worth([(ANN,), (BOB, CAT, DAN)], Scale.WIN_OR_DRAW) == {ANN: 7, BOB: 0, CAT: 0, DAN: 0}


def test_a_draw_in_front_is_one_each() -> None:
    assert worth([(ANN, BOB), (CAT,), (DAN,)], Scale.WIN_OR_DRAW) == {ANN: 1, BOB: 1, CAT: 0, DAN: 0}


def test_a_win_is_worth_the_same_at_a_short_table() -> None:
    assert worth([(ANN,), (BOB,), (CAT,)], Scale.WIN_OR_DRAW)[ANN] == bye_points(4) == 7


@pytest.mark.parametrize("usual", [3, 4, 5, 6])
@pytest.mark.parametrize("in_front", [1, 2, 3])
def test_win_or_draw_agrees_with_the_standings(usual: int, in_front: int) -> None:
    pod = Pod(1, (ANN, BOB, CAT), ((ANN, BOB, CAT)[:in_front], *((player,) for player in (ANN, BOB, CAT)[in_front:])))
    counted = points_in_pods(usual)
    assert placing_points(pod, Scale.WIN_OR_DRAW, usual) == {
        player: counted(pod_record(player, pod)) for player in pod.players
    }
    assert bye_points(usual) == counted(Record(byes=1))


def test_the_ladder_of_a_full_table_is_seven_five_three_one() -> None:
    # in use: 7 for the first, 5, 3 and 1 for the others of four
    assert worth([(ANN,), (BOB,), (CAT,), (DAN,)], Scale.LADDER) == {ANN: 7, BOB: 5, CAT: 3, DAN: 1}


def test_tied_players_share_the_mean_of_their_places_exactly() -> None:
    assert worth([(ANN,), (BOB, CAT), (DAN,)], Scale.LADDER) == {ANN: 7, BOB: 4, CAT: 4, DAN: 1}
    assert worth([(ANN, BOB, CAT), (DAN,)], Scale.LADDER) == {ANN: 5, BOB: 5, CAT: 5, DAN: 1}
    assert worth([(ANN, BOB), (CAT,)], Scale.LADDER) == {ANN: 5, BOB: 5, CAT: 2}
    assert worth([(ANN,), (BOB, CAT, DAN, EVE)], Scale.LADDER)[EVE] == 3


@given(st.integers(3, 6), st.integers(3, 6), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_every_table_has_the_same_mean_on_the_ladder(usual: int, seats: int, rng: Random) -> None:
    order, placing = players(seats), []
    while order:
        together = rng.randint(1, len(order))
        placing.append(tuple(order[:together]))
        order = order[together:]
    assert sum(worth(placing, Scale.LADDER, usual).values()) == usual * seats


def test_a_table_that_everybody_lost_is_worth_nothing() -> None:
    for scale in Scale:
        assert set(placing_points(Pod(1, (ANN, BOB, CAT), ()), scale).values()) == {0}


def test_an_open_table_has_no_points_yet() -> None:
    with pytest.raises(PlacingUnreadable, match="table 1: it has no placing"):
        placing_points(Pod(1, (ANN, BOB, CAT)), Scale.LADDER)
    assert total_points([PodRound(1, (Pod(1, (ANN, BOB, CAT)), Bye(DAN)))], Scale.LADDER) == {
        ANN: 0,
        BOB: 0,
        CAT: 0,
        DAN: 7,
    }


def test_a_placing_that_forgets_somebody_is_refused() -> None:
    with pytest.raises(PlacingUnreadable, match="cat is not placed"):
        placing_points(Pod(1, (ANN, BOB, CAT), ((ANN,), (BOB,))), Scale.WIN_OR_DRAW)


def test_points_add_up_over_the_rounds() -> None:
    rounds = [
        PodRound(1, (Pod(1, (ANN, BOB, CAT), ((ANN,), (BOB, CAT))),)),
        PodRound(2, (Pod(1, (ANN, BOB, CAT), ((CAT,), (BOB,), (ANN,))),)),
    ]
    assert total_points(rounds, Scale.LADDER) == {ANN: 8, BOB: 7, CAT: 9}
