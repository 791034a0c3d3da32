"""The best round: against every round there is, and against matchings of the whole field."""

from collections.abc import Iterator, Mapping

import networkx as nx
import pytest

from tests.tournament.domain.swiss import (
    History,
    Scale,
    acquainted_pool,
    best_of_all,
    by_networkx,
    crowded_pool,
    entered,
    event,
    names,
    played,
    said,
    seeded,
    tables_of,
    tangled_history,
)
from tournament.domain.certificate import digest_of
from tournament.domain.draw import draw_lots
from tournament.domain.errors import PlayerTwice
from tournament.domain.faults import faults
from tournament.domain.matching import cheapest
from tournament.domain.model import Bye, ByeKind, Pairing, Player, PlayerId, Round
from tournament.domain.objective import cost_of
from tournament.domain.pairing import pair_by_lots, pair_round, plan_round
from tournament.domain.pool import Pool, gather

ANN, BOB, CAT, DAN, EVE = (PlayerId(name) for name in ("ann", "bob", "cat", "dan", "eve"))


def next_round(history: History) -> Round:
    return pair_round(history.pool, history.draw)


# --- worked examples


# round 1   ann-bob   cat-dan
# round 2   ann-cat   bob-dan
# round 3   only ann-dan and bob-cat are left
def test_the_only_round_without_a_rematch_is_found() -> None:
    history = History(
        entered("ann", "bob", "cat", "dan"), [played(1, "ann-bob", "cat-dan"), played(2, "ann-cat", "bob-dan")]
    )
    assert said(next_round(history)) == {"ann-dan", "bob-cat"}


def test_nobody_makes_a_round_without_tables() -> None:
    assert next_round(History([])).seats == ()


def test_a_single_player_has_the_bye() -> None:
    assert said(next_round(History(entered("ann")))) == {"ann"}


# points   ann 3  bob 3  cat 0  dan 0
def test_players_meet_their_equals() -> None:
    history = History(entered("ann", "bob", "cat", "dan"), [played(1, "ann-cat", "bob-dan")])
    assert said(next_round(history)) == {"ann-bob", "cat-dan"}


# points   ann 3 (bye)  bob 3  cat 0
def test_the_bye_goes_to_the_fewest_points() -> None:
    history = History(entered("ann", "bob", "cat"), [played(1, "bob-cat", "ann")])
    assert said(next_round(history)) == {"ann-bob", "cat"}


# cat has 0 points and had the bye; bob has 3 and had none; ann has 9
def test_a_second_bye_is_worse_than_a_bye_for_more_points() -> None:
    pool = Pool(number=3, points={ANN: 9, BOB: 3, CAT: 0}, byes={CAT: 1, ANN: 1})
    assert said(pair_round(pool, "draw")) == {"ann-cat", "bob"}


# everybody has met everybody; only with the bye for bob nobody meets again: cat-ann have not met
def test_a_rematch_is_worse_than_a_second_bye() -> None:
    met = {ANN: {BOB: 1}, BOB: {ANN: 1, CAT: 1}, CAT: {BOB: 1}}
    pool = Pool(number=4, points={ANN: 0, BOB: 9, CAT: 0}, met=met, byes={BOB: 2})
    assert said(pair_round(pool, "draw")) == {"ann-cat", "bob"}


# ann-bob have met twice, all others once
def test_a_third_meeting_is_worse_than_two_second_ones() -> None:
    others = {ANN: {BOB: 2, CAT: 1, DAN: 1}, BOB: {ANN: 2, CAT: 1, DAN: 1}}
    met = {**others, CAT: {ANN: 1, BOB: 1}, DAN: {ANN: 1, BOB: 1}}
    pool = Pool(number=4, points={ANN: 9, BOB: 9, CAT: 0, DAN: 0}, met=met)
    assert "ann-bob" not in said(pair_round(pool, "draw"))


def test_those_kept_apart_do_not_meet() -> None:
    history = History(entered("ann", "bob", "cat", "dan"), apart=[(ANN, BOB), (ANN, CAT)])
    assert said(next_round(history)) == {"ann-dan", "bob-cat"}


def test_those_kept_apart_meet_rather_than_somebody_again() -> None:
    history = History(entered("ann", "bob", "cat", "dan"), [played(1, "ann-bob", "cat-dan")])
    history.apart = [(ANN, CAT), (ANN, DAN), (BOB, CAT), (BOB, DAN)]
    assert said(next_round(history)) in ({"ann-cat", "bob-dan"}, {"ann-dan", "bob-cat"})


def test_a_late_entry_is_paired_from_its_round_on() -> None:
    history = History([*entered("ann", "bob"), *entered("cat", "dan", entered_in=2)])
    assert said(next_round(history)) == {"ann-bob"}
    history.rounds = [played(1, "ann-bob")]
    assert said(next_round(history)) in ({"ann-cat", "bob-dan"}, {"ann-dan", "bob-cat"})


def test_who_dropped_is_not_paired() -> None:
    history = History([*entered("ann", "bob"), *entered("cat", dropped_after=1)], [played(1, "ann-cat", "bob")])
    assert said(next_round(history)) == {"ann-bob"}


def test_a_bye_brought_along_is_given_and_not_counted_as_the_odd_one() -> None:
    paired = next_round(History([*entered("ann", "bob"), *entered("cat", awarded_byes=2)]))
    assert paired.seats[1:] == (Bye(CAT, ByeKind.AWARDED),)
    assert said(paired) == {"ann-bob"}


def test_a_player_has_one_place_in_the_event() -> None:
    with pytest.raises(PlayerTwice, match="'ann' is the id of two players"):
        gather(entered("ann", "ann"), [], {}, number=1)


def test_a_first_round_pairs_neighbours_in_the_order_of_the_lots() -> None:
    history = History(entered("ann", "bob", "cat", "dan", "eve"))
    order = sorted(history.pool.points, key=draw_lots("draw", 1, history.pool.points).__getitem__)
    pairs = {"-".join(sorted(order[:2])), "-".join(sorted(order[2:4])), order[4]}
    assert said(next_round(history)) == pairs


# --- tables


def tables(paired: Round) -> dict[int, set[str]]:
    return {seat.table: {seat.first, seat.second} for seat in paired.seats if isinstance(seat, Pairing)}


# points   ann 9  bob 9  cat 3  dan 3
def test_tables_are_numbered_from_the_top() -> None:
    pool = Pool(number=3, points={CAT: 3, ANN: 9, DAN: 3, BOB: 9})
    assert tables(pair_round(pool, "draw")) == {1: {ANN, BOB}, 2: {CAT, DAN}}


def test_a_fixed_table_is_kept_and_the_others_are_numbered_around_it() -> None:
    points = {ANN: 9, BOB: 9, CAT: 6, DAN: 6, EVE: 3, PlayerId("fay"): 3}
    pool = Pool(number=3, points=points, tables={EVE: 1, CAT: 7})
    assert tables(pair_round(pool, "draw")) == {1: {EVE, "fay"}, 2: {ANN, BOB}, 7: {CAT, DAN}}


def test_two_with_fixed_tables_play_at_the_smaller_number() -> None:
    pool = Pool(number=3, points={ANN: 9, BOB: 9}, tables={ANN: 5, BOB: 3})
    assert tables(pair_round(pool, "draw")) == {3: {ANN, BOB}}


def test_of_two_tables_that_want_one_number_the_higher_gets_it() -> None:
    pool = Pool(number=3, points={ANN: 9, BOB: 9, CAT: 0, DAN: 0}, tables={BOB: 4, CAT: 4})
    assert tables(pair_round(pool, "draw")) == {1: {CAT, DAN}, 4: {ANN, BOB}}


# --- the same, always


def test_the_same_log_and_draw_give_the_same_round() -> None:
    history = tangled_history(11)
    again = History(history.players[::-1], history.rounds, history.apart[::-1], history.draw, history.given)
    assert next_round(history) == next_round(again)


def test_another_draw_gives_another_first_round() -> None:
    pool = History(entered(*names(30))).pool
    assert digest_of(pair_round(pool, "one")) != digest_of(pair_round(pool, "two"))


@pytest.mark.parametrize("seed", range(40))
def test_other_ids_with_the_same_lots_sit_at_the_same_tables(seed: int) -> None:
    history = tangled_history(seed, most=40)
    pool = history.pool
    ids = list(pool.points)
    new = dict(zip(ids, seeded(seed).sample(names(999), len(ids)), strict=True))

    def renamed(player: PlayerId) -> PlayerId:
        return new.get(player, player)

    moved = Pool(
        number=pool.number,
        points={renamed(player): score for player, score in reversed(pool.points.items())},
        met={renamed(a): {renamed(b): times for b, times in others.items()} for a, others in pool.met.items()},
        byes={renamed(player): byes for player, byes in pool.byes.items()},
        apart={renamed(a): frozenset(map(renamed, others)) for a, others in pool.apart.items()},
        awarded=pool.awarded,
    )
    lots = draw_lots(history.draw, pool.number, pool.points)
    pairs, bye = tables_of(pair_by_lots(pool, lots))
    there = tables_of(pair_by_lots(moved, {renamed(player): lot for player, lot in lots.items()}))
    assert there == (frozenset(frozenset(map(renamed, pair)) for pair in pairs), bye and renamed(bye))


# --- against every round there is


@pytest.mark.parametrize("block", range(40))
def test_no_round_is_better(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        history = tangled_history(seed)
        assert tables_of(next_round(history)) == best_of_all(history), f"history {seed}"


# every 4 to 12 players through more rounds than they have opponents; networkx says how many tables could be new
@pytest.mark.parametrize("players", range(4, 13))
def test_a_round_without_a_rematch_is_found_exactly_when_there_is_one(players: int) -> None:
    for seed in range(3):
        for history, paired in event(players, players + 1, seed, next_round):
            ids = history.active()
            new = nx.Graph()
            new.add_nodes_from(ids)
            new.add_edges_from((a, b) for a in ids for b in ids if a < b and not history.meetings(a, b))
            possible = len(nx.max_weight_matching(new, maxcardinality=True)) == players // 2
            assert (not cost_of(history.pool, *lists(paired)).rematches) == possible


def lists(paired: Round) -> tuple[list[tuple[PlayerId, PlayerId]], list[PlayerId]]:
    pairs, bye = tables_of(paired)
    return [tuple(pair) for pair in pairs], [] if bye is None else [bye]


# --- against a matching of the whole field


def whole_field(seed: int, most: int) -> Iterator[tuple[History, Round]]:
    rng = seeded(seed)
    players = rng.randint(12, most)
    yield from event(players, rng.randint(3, 8), seed, next_round, apart=rng.choice([0, players // 5]), drops=0.03)


@pytest.mark.parametrize("seed", range(24))
def test_networkx_over_the_whole_field_finds_the_same_round(seed: int) -> None:
    for history, paired in whole_field(seed, 26):
        scale = Scale.of(history)
        matched = by_networkx(len(scale.order) + len(scale.order) % 2, scale.edges(with_order=True))
        order = [*scale.order, PlayerId("bye")]
        pairs, bye = tables_of(paired)
        assert {frozenset((order[i], order[j])) for i, j in matched} == pairs | (
            {frozenset((bye, "bye"))} if bye else set()
        )


@pytest.mark.parametrize("seed", range(100, 112))
def test_rustworkx_over_the_whole_field_finds_nothing_better(seed: int) -> None:
    for history, paired in whole_field(seed, 70):
        assert_nothing_is_better(Scale.of(history), paired)


def assert_nothing_is_better(scale: Scale, paired: Round) -> None:
    size, mine = len(scale.order), tables_of(paired)
    matched = cheapest(size + size % 2, scale.edges(with_order=False))
    pairs = [frozenset((scale.order[i], scale.order[j])) for i, j in matched if j < size]
    bye = next((scale.order[i] for i, j in matched if j == size), None)
    assert (scale.worth(*mine), scale.tie(*mine)[:2]) == (scale.worth(pairs, bye), scale.tie(pairs, bye)[:2])


@pytest.mark.parametrize("players", [9, 24, 33, 64])
def test_rustworkx_and_networkx_give_the_same_digest(players: int) -> None:
    for history, paired in event(players, 6, players, next_round, apart=3):
        other = pair_round(history.pool, history.draw, matcher=by_networkx)
        assert digest_of(paired) == digest_of(other)


# most equals have met, so that hardly any part is settled by counting: cells, exits and growing
@pytest.mark.parametrize("block", range(15))
def test_fields_where_most_equals_have_met(block: int) -> None:
    for seed in range(200 * block, 200 * block + 200):
        pool = acquainted_pool(seed)
        assert_parts_are_enough(pool, draw_lots(f"draw {seed}", pool.number, pool.points))


# a few players around crowded groups, with former opponents where it hurts: large groups part the ladder
@pytest.mark.parametrize("block", range(12))
def test_large_groups_part_the_field_without_harm(block: int) -> None:
    for seed in range(50 * block, 50 * block + 50):
        assert_parts_are_enough(*crowded_pool(seed))


def assert_parts_are_enough(pool: Pool, lots: Mapping[PlayerId, bytes]) -> None:
    """The round is the best one, and everybody was matched at once only where a price had to be paid."""
    assert_nothing_is_better(Scale.of_pool(pool, lots), pair_by_lots(pool, lots))
    plan = plan_round(pool, lots)
    cost = cost_of(pool, plan.pairs, [] if plan.bye is None else [plan.bye])
    fewest = min(((pool.byes.get(player, 0), score) for player, score in pool.points.items()), default=(0, 0))
    dear = cost.rematches or cost.apart or (plan.bye and (cost.byes_before, cost.bye_points) > fewest)
    assert plan.whole == bool(dear)


# --- any field


@pytest.mark.parametrize("players", [*range(2, 25), 31, 40, 57, 75, 99, 128, 161, 200])
def test_every_field_gets_legal_rounds_for_any_number_of_rounds(players: int) -> None:
    rounds = players + 1 if players < 16 else 8
    for history, paired in event(players, rounds, players, next_round):
        assert faults(paired, history.players, history.rounds) == []
        if history.number <= (players + 1) // 2:
            assert cost_of(history.pool, *lists(paired)).rematches == ()


def test_points_may_be_larger_than_any_machine_number() -> None:
    history = tangled_history(5)
    history.given = {player.id: 10**40 * at**3 for at, player in enumerate(history.players)}
    assert tables_of(next_round(history)) == best_of_all(history)


# everybody is of one club: all tables have their price, and the round is still there
def test_a_field_of_one_club_is_paired_all_the_same() -> None:
    ids = names(9)
    history = History(entered(*ids), apart=[(a, b) for a in ids for b in ids if a < b])
    plan = plan_round(history.pool, draw_lots("draw", 1, ids))
    assert plan.whole
    assert tables_of(next_round(history)) == best_of_all(history)


# only two of the crowded lowest group had no bye yet, and they stand in the middle of it
def test_a_bye_for_one_of_few_in_a_crowd() -> None:
    ids = names(81)
    lots = {player: bytes([at]) * 32 for at, player in enumerate(ids)}
    pool = Pool(number=3, points=dict.fromkeys(ids, 3), byes={p: 1 for p in ids if p not in {ids[40], ids[43]}})
    paired = pair_by_lots(pool, lots)
    assert tables_of(paired)[1] == ids[43]


def test_a_player_who_met_all_equals_floats() -> None:
    players = [Player(id=name, name=name) for name in names(8)]
    points = dict(zip(names(8), [9, 9, 9, 9, 6, 6, 6, 6], strict=True))
    first = players[0].id
    met = {first: dict.fromkeys(list(points)[1:4], 1)} | {player: {first: 1} for player in list(points)[1:4]}
    paired = pair_round(Pool(number=4, points=points, met=met), "draw")
    assert [points[a] - points[b] for a, b in lists(paired)[0] if first in {a, b}] != [0]
