"""A round's certificate: it proves the round, and it shows whatever is wrong with it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.tournament.domain.swiss import (
    History,
    acquainted_pool,
    crowded_pool,
    entered,
    event,
    played,
    tangled_history,
)
from tournament.domain.certificate import Bound, Certificate, Charge, Reason, check_certificate, digest_of
from tournament.domain.certify import audit, certify
from tournament.domain.model import Bye, Pairing, PlayerId, Round
from tournament.domain.pairing import pair_round
from tournament.domain.pool import Pool

ANN, BOB, CAT, DAN, EVE, ZOE = (PlayerId(name) for name in ("ann", "bob", "cat", "dan", "eve", "zoe"))


def certified(history: History) -> tuple[Round, Certificate]:
    return certify(history.pool, history.draw)


# --- what it says


# points   ann 6  bob 3  cat 3  dan 0
def test_a_float_is_explained_by_an_odd_number() -> None:
    pool = Pool(number=3, points={ANN: 6, BOB: 3, CAT: 3, DAN: 0})
    _, told = certify(pool, "draw")
    assert told.cost.gaps == 18
    nearest = "an odd number, so a table must cross; of those who may meet, the draw puts these two nearest"
    (_, down), (up, _) = (reason.players for reason in told.floats)
    assert [reason.sentence for reason in told.floats] == [
        f"ann (6 points) meets {down} (3): 1 player has 6 points or more, {nearest}",
        f"{up} (3 points) meets dan (0): 3 players have 3 points or more, {nearest}",
    ]
    assert told.bound == Bound((Charge(72, down_to=6), Charge(72, down_to=3)))


# points   ann 3  bob 3  cat 0  dan 0; ann has met bob
def test_a_float_is_explained_by_former_opponents() -> None:
    pool = Pool(number=2, points={ANN: 3, BOB: 3, CAT: 0, DAN: 0}, met={ANN: {BOB: 1}, BOB: {ANN: 1}})
    _, told = certify(pool, "draw")
    assert {reason.sentence.partition(": ")[2] for reason in told.floats} == {
        f"{player} may meet nobody else with 3 points" for player in ("ann", "bob")
    }


# points   ann 1  bob 1  cat 0  dan 0; ann has met bob
def test_one_point_is_one_point() -> None:
    pool = Pool(number=2, points={ANN: 1, BOB: 1, CAT: 0, DAN: 0}, met={ANN: {BOB: 1}, BOB: {ANN: 1}})
    _, told = certify(pool, "draw")
    assert all("(1 point) meets" in reason.sentence for reason in told.floats)
    assert all(reason.sentence.endswith("may meet nobody else with 1 point") for reason in told.floats)


# points   ann, bob, cat, dan 3  eve, fay 0; cat and dan met; so did eve and fay, and cat and dan may meet ann and bob
def test_a_float_is_explained_by_what_the_best_round_without_it_would_cost() -> None:
    fay = PlayerId("fay")
    met = {EVE: {fay: 1}, fay: {EVE: 1}}
    pool = Pool(number=2, points={ANN: 3, BOB: 3, CAT: 3, DAN: 3, EVE: 0, fay: 0}, met=met)
    _, told = certify(pool, "draw")
    assert told.cost.gaps == 18
    assert all("may meet nobody else with 0 points" in reason.sentence for reason in told.floats)


def test_the_bye_is_explained() -> None:
    _, told = certified(History(entered("ann", "bob", "cat"), [played(1, "ann-bob", "cat")]))
    why = "3 players are an odd number; bob has had 0 byes and, of those with as few, the fewest points (0)"
    assert [reason.sentence for reason in told.byes] == [f"bob has the bye: {why}"]


# everybody has met everybody
def test_a_rematch_is_explained_by_what_it_costs_to_avoid_it() -> None:
    past = [played(1, "ann-bob", "cat-dan"), played(2, "ann-cat", "bob-dan"), played(3, "ann-dan", "bob-cat")]
    paired, told = certified(History(entered("ann", "bob", "cat", "dan"), past))
    assert len(told.rematches) == 2
    assert all("have met once: without this table the" in reason.sentence for reason in told.rematches)
    assert check_certificate(told, History(entered("ann", "bob", "cat", "dan"), past).pool, paired) == []


def test_two_who_are_alone_must_meet() -> None:
    _, told = certified(History(entered("ann", "bob"), [played(1, "ann-bob")], apart=[(ANN, BOB)]))
    assert told.rematches[0].sentence == "ann and bob have met once: there is no round without this table"
    assert told.apart[0].sentence == "ann and bob should be kept apart: there is no round without this table"


# bob had a bye and 9 points, but the bye for anybody else is a rematch
def test_a_bye_that_is_not_for_the_last_is_explained_by_the_rematch_it_avoids() -> None:
    met = {ANN: {BOB: 1}, BOB: {ANN: 1, CAT: 1}, CAT: {BOB: 1}}
    pool = Pool(number=4, points={ANN: 0, BOB: 9, CAT: 0}, met=met, byes={BOB: 2})
    _, told = certify(pool, "draw")
    why = told.byes[0].sentence
    assert "with the bye for ann the best round has 1 pair that met 1 time before instead of no rematch" in why


# --- that it is a proof


@pytest.mark.parametrize("block", range(6))
def test_any_small_field_is_proven(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        history = tangled_history(seed, most=12)
        paired, told = certified(history)
        assert check_certificate(told, history.pool, paired) == []
        assert told.unproven == ""


@pytest.mark.parametrize("players", [31, 64, 150, 256])
def test_an_event_is_proven_round_by_round(players: int) -> None:
    for history, paired in event(players, 8, players, lambda h: pair_round(h.pool, h.draw), apart=5, drops=0.02):
        again, told = certified(history)
        assert again == paired
        assert audit(told, history.pool, paired) == []
        assert told.unproven == ""


@pytest.mark.parametrize("block", range(10))
def test_cells_and_large_groups_are_proven(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        for pool in (crowded_pool(seed)[0], acquainted_pool(seed)):
            paired, told = certify(pool, f"draw {seed}")
            assert told.unproven == ""
            assert check_certificate(told, pool, paired) == []


# --- that it shows what is wrong


# points   ann 6  bob 3  cat 3  dan 0  eve 0: ann meets one of the two below, the other one of the two at the end
def sample() -> tuple[History, Round, Certificate]:
    history = History(entered("ann", "bob", "cat", "dan", "eve"), given={ANN: 6, BOB: 3, CAT: 3, DAN: 0, EVE: 0})
    return history, *certified(history)


def exchanged(paired: Round) -> Round:
    """The second players of tables 1 and 2 change places."""
    one, two, bye = paired.seats
    return Round(paired.number, (replace(one, second=two.second), replace(two, second=one.second), bye))


def test_other_tables_are_not_certified() -> None:
    history, paired, told = sample()
    assert "the certificate is for other tables" in check_certificate(told, history.pool, exchanged(paired))


def test_a_worse_round_has_no_certificate() -> None:
    history, paired, told = sample()
    worse = exchanged(paired)
    forged = replace(told, digest=digest_of(worse))
    found = " | ".join(check_certificate(forged, history.pool, worse))
    assert "the round costs Cost(" in found
    assert "the bound adds up to" in found


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda told: replace(told, number=9), "the certificate is for round 9, the round is 1"),
        (lambda told: replace(told, draw="mine"), "by the draw 'mine' levels 6 and 7 are"),
        (lambda told: replace(told, cost=replace(told.cost, gaps=0)), "the round costs Cost("),
        (lambda told: replace(told, byes=()), "no reason is given for the bye of"),
        (lambda told: replace(told, floats=told.floats[1:]), "no reason is given for the float of"),
        (lambda told: replace(told, floats=(*told.floats, Reason((ANN, EVE), "made up"))), "is given for the float of"),
        (lambda told: replace(told, rematches=(Reason((ANN, EVE), ""),)), "is given for the rematch of ann and eve,"),
        (lambda told: replace(told, apart=(Reason((ANN, EVE), ""),)), "is given for the pair kept apart of ann and"),
        (lambda told: replace(told, byes=(*told.byes, Reason((ANN,), ""))), "a reason is given for the bye of ann,"),
        (lambda told: replace(told, bound=replace(told.bound, potentials={ZOE: 8})), "not in the round: zoe"),
        (lambda told: replace(told, bound=with_stranger(told.bound)), "not in the round: zoe"),
        (lambda told: replace(told, bound=Bound(())), "the bound adds up to 0 eighths, the round costs"),
        (lambda told: replace(told, bound=Bound((Charge(-8, down_to=0),))), "a set is charged below 0"),
        (lambda told: replace(told, bound=Bound((Charge(8, down_to=0),))), "an even number of members"),
        (lambda told: replace(told, bound=doubled(told.bound)), "could meet for less than they are charged"),
        (lambda told: replace(told, bound=replace(told.bound, whole=True)), "of all levels charges sets by points"),
    ],
)
def test_a_forged_certificate_is_found_out(change: Callable[[Certificate], Certificate], found: str) -> None:
    history, paired, told = sample()
    assert any(found in sentence for sentence in check_certificate(change(told), history.pool, paired))


# an even field has no bye that anything could be counted on
@pytest.mark.parametrize("change", [{"of_bye": 8}, {"charges": (Charge(0, with_bye=True),)}])
def test_a_bound_counts_on_no_bye_in_an_even_field(change: dict[str, Any]) -> None:
    history = History(entered("ann", "bob"), given={ANN: 0, BOB: 0})
    paired, told = certified(history)
    forged = replace(told, bound=replace(told.bound, **change))
    assert "the bound counts on a bye, and there is none" in check_certificate(forged, history.pool, paired)


def with_stranger(bound: Bound) -> Bound:
    first, *others = bound.charges
    return replace(bound, charges=(replace(first, players=first.players | {ZOE}), *others))


def doubled(bound: Bound) -> Bound:
    return replace(bound, charges=tuple(replace(charge, eighths=2 * charge.eighths) for charge in bound.charges))


# the bye for ann, who has 3 points, and a proof that says so; cat has 0
def test_a_bye_for_the_wrong_player_is_found_out() -> None:
    history = History(entered("ann", "bob", "cat"), [Round(1, (Pairing(1, ANN, BOB), Bye(CAT)))])
    history.given = {ANN: 3, BOB: 3, CAT: 0}
    history.rounds = []
    paired, told = certified(history)
    wrong = Round(1, (Pairing(1, BOB, CAT), Bye(ANN)))
    forged = replace(told, digest=digest_of(wrong), byes=(Reason((ANN,), "because"),))
    found = check_certificate(forged, history.pool, wrong)
    assert "the bye belongs to somebody with 0 byes and 0 points" in found
    assert check_certificate(told, history.pool, paired) == []


# everybody meets their first opponent again, at no gap
def test_a_rematch_that_could_be_avoided_is_found_out() -> None:
    history = History(entered("ann", "bob", "cat", "dan"), [played(1, "ann-bob", "cat-dan")])
    history.given = dict.fromkeys((ANN, BOB, CAT, DAN), 3)
    again = played(2, "ann-bob", "cat-dan")
    reasons = (Reason((ANN, BOB), "because"), Reason((CAT, DAN), "because"))
    _, told = certified(history)
    cost, bound = replace(told.cost, rematches=(1, 1), gaps=0), Bound(())
    forged = replace(told, digest=digest_of(again), cost=cost, rematches=reasons, bound=bound, places=0, lots=0)
    found = check_certificate(forged, history.pool, again)
    assert found == ["a rematch or a pair kept apart is not proven to be needed"]


def test_somebody_who_is_not_in_the_round_is_found_out() -> None:
    history, paired, told = sample()
    strange = Round(paired.number, (*paired.seats, Bye(PlayerId("zoe"))))
    assert any("not to be paired in this round: zoe" in s for s in check_certificate(told, history.pool, strange))


# the same levels 1 to 5, but not the tables of the draw
def test_an_audit_pairs_again() -> None:
    history = History(entered("ann", "bob", "cat", "dan"))
    paired, told = certified(history)
    other = next(
        round_
        for text in (("ann-bob", "cat-dan"), ("ann-cat", "bob-dan"), ("ann-dan", "bob-cat"))
        if digest_of(round_ := played(1, *text)) != told.digest
    )
    assert audit(told, history.pool, paired) == []
    assert sum("the draw gives" in sentence for sentence in audit(told, history.pool, other)) == 4
