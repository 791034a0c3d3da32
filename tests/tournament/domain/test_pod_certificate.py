"""Pods as an event asks for them: pairs kept apart, byes brought along, fixed tables; certificates that are checked."""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from tests.tournament.domain.test_pods import every_seating, judged, players, random_past
from tournament.domain.announcement import DrawRule
from tournament.domain.certificate import Reason
from tournament.domain.model import Bye, ByeKind, Ending, Pod, PodRound
from tournament.domain.pod_certificate import PodCertificate, audit_pods, certify_pods, pod_cost, pods_worse
from tournament.domain.pod_results import check_pod, put_last
from tournament.domain.pods import FOURS, PodRule, Proof, pod_faults, seat_round, table_sizes, together
from tournament.domain.pool import Pool

DRAW = "block 71"


def pool_of(count: int, **more: object) -> Pool:
    return Pool(number=1, points=dict.fromkeys(players(count), 0), **more)  # type: ignore[arg-type]


# --- kept apart, brought along, fixed ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("count", [7, 8, 9])
def test_after_repeats_nothing_counts_more_than_pairs_kept_apart(count: int, seed: int) -> None:
    rng = Random(seed)
    rounds, points = random_past(count, rng)
    pairs = rng.sample(list(combinations(players(count), 2)), 4)
    apart = {one: {b if one == a else a for a, b in pairs if one in (a, b)} for one in players(count)}

    def levels(tables: object) -> tuple[int, ...]:
        met, *rest = judged(tables, rounds, points, 4)  # type: ignore[arg-type]
        beside = sum(set(pair) <= set(table) for pair in pairs for table in tables)  # type: ignore[attr-defined]
        return (met, beside, *rest)

    seating = seat_round(players(count), rounds, points, draw=DRAW, apart=apart)
    tables = [seat.players for seat in seating.round.seats if isinstance(seat, Pod)]
    assert levels(tables) == min(map(levels, every_seating(players(count), table_sizes(count))))
    assert len(seating.together) == levels(tables)[1]


def test_of_forty_players_families_are_parted_where_that_costs_no_repeat() -> None:
    those = players(40)
    families = [those[at : at + 3] for at in range(0, 30, 3)]
    apart = {one: set(family) - {one} for family in families for one in family}
    seating = seat_round(those, [], {}, draw=DRAW, apart=apart)
    assert together(seating.round.seats, apart) == seating.together == ()


def test_who_brings_a_bye_along_has_it_and_a_fixed_table_is_kept() -> None:
    *those, late = players(9)
    seating = seat_round(those, [], {}, draw=DRAW, awarded=[late], tables={those[3]: 11, those[4]: 11})
    assert Bye(late, ByeKind.AWARDED) in seating.round.seats
    tables = {seat.table: seat.players for seat in seating.round.seats if isinstance(seat, Pod)}
    assert {those[3], those[4]} & set(tables[11])
    assert pod_faults(seating.round, [*those, late], [], awarded=[late]) == []
    assert [fault.rule for fault in pod_faults(seating.round, [*those, late], [])] == [PodRule.AWARDED_BYES]


# --- certificates -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "proof"), [(14, Proof.EXACT), (40, Proof.NO_REPEATS)])
def test_a_certificate_holds_and_says_how_certain_it_is(count: int, proof: Proof) -> None:
    pool = pool_of(count)
    played, certificate = certify_pods(pool, [], DRAW, FOURS)
    assert certificate.proof is proof
    assert audit_pods(certificate, pool, [], FOURS, played) == []


def second(count: int = 12) -> tuple[Pool, list[PodRound], PodRound, PodCertificate]:
    """A second round, in which somebody meets again."""
    first, _ = certify_pods(pool_of(count), [], DRAW, FOURS)
    met: dict[str, dict[str, int]] = {}
    for seat in first.seats:
        if isinstance(seat, Pod):
            for one in seat.players:
                met[one] = {other: 1 for other in seat.players if other != one}
    pool = replace(pool_of(count), number=2, met=met)  # type: ignore[arg-type]
    return pool, [first], *certify_pods(pool, [first], DRAW, FOURS)


def test_a_made_up_certificate_is_found_by_counting() -> None:
    pool, rounds, played, certificate = second()
    assert audit_pods(certificate, pool, rounds, FOURS, played) == []
    assert certificate.repeats
    lies = [
        replace(certificate, number=3),
        replace(certificate, digest="0" * 64),
        replace(certificate, usual=5),
        replace(certificate, cost=replace(certificate.cost, repeats=())),
        replace(certificate, cost=replace(certificate.cost, spread=1)),
        replace(certificate, repeats=certificate.repeats[1:]),
        replace(certificate, byes=(Reason((players(1)[0],), "x"),)),
        replace(certificate, proof=Proof.NO_REPEATS),
    ]
    assert all(audit_pods(lie, pool, rounds, FOURS, played) for lie in lies)
    found, claimed = certify_pods(pool_of(40), [], DRAW, FOURS)
    assert audit_pods(replace(claimed, proof=Proof.EXACT), pool_of(40), [], FOURS, found)


def test_another_round_than_the_draw_gives_is_found_by_seating_again() -> None:
    pool, rounds, _, _ = second()
    other, certificate = certify_pods(pool, rounds, "another draw", FOURS)
    assert any(
        "the draw gives a table to" in fault
        for fault in audit_pods(replace(certificate, draw=DRAW), pool, rounds, FOURS, other)
    )


def test_what_is_worse_is_told_level_by_level() -> None:
    pool, rounds, played, _ = second()
    one, two, *rest = played.seats
    assert isinstance(one, Pod)
    assert isinstance(two, Pod)
    again = next(seat for seat in rounds[0].seats if isinstance(seat, Pod))
    worse = PodRound(2, (replace(one, players=again.players), two, *rest))
    said = pods_worse(pod_cost(played, pool, rounds, FOURS), pod_cost(worse, pool, rounds, FOURS))
    assert said[0].startswith("pairs who meet again: ")
    assert pods_worse(pod_cost(played, pool, rounds, FOURS), pod_cost(played, pool, rounds, FOURS)) == []


# --- results ----------------------------------------------------------------------------------------------------------

A, B, C, D = players(4)
TABLE = Pod(1, (A, B, C, D), ((A,), (B, C), (D,)))


@pytest.mark.parametrize(
    ("losers", "placing"),
    [
        ([A], ((B, C), (D,), (A,))),
        ([B], ((A,), (C,), (D,), (B,))),
        ([A, D], ((B, C), (A, D))),
        ([D], ((A,), (B, C), (D,))),
        ([A, B, C, D], ()),
        ([], TABLE.placing),
    ],
)
def test_who_loses_the_game_is_last_and_the_others_move_up(losers: list[str], placing: object) -> None:
    after = put_last(TABLE, losers)  # type: ignore[arg-type]
    assert after.placing == placing
    assert check_pod(after) == []


def test_an_open_table_stays_open() -> None:
    table = replace(TABLE, placing=None)
    assert put_last(table, [A]) == table


@pytest.mark.parametrize(
    ("pod", "rule", "wrong"),
    [
        (replace(TABLE, placing=((A, B, C, D),)), DrawRule.NONE, "no table of this event is drawn"),
        (replace(TABLE, placing=((A, B), (C, D))), DrawRule.NONE, "no table of this event is drawn"),
        (
            replace(TABLE, placing=((A, B, C, D),), ending=Ending.INTENTIONAL_DRAW),
            DrawRule.PLAYED,
            "nobody agrees on a draw",
        ),
        (replace(TABLE, ending=Ending.DOUBLE_LOSS), DrawRule.ANY, "nobody is placed where everybody lost"),
        (replace(TABLE, ending=Ending.NO_SHOW), DrawRule.ANY, "several players end in no no-show"),
    ],
)
def test_a_placing_that_cannot_be_so_is_told(pod: Pod, rule: DrawRule, wrong: str) -> None:
    assert [wrong in sentence for sentence in check_pod(pod, rule)] == [True]


def test_a_played_draw_is_one_where_only_agreed_ones_are_forbidden() -> None:
    assert check_pod(replace(TABLE, placing=((A, B, C, D),)), DrawRule.PLAYED) == []
