"""What is wrong with a round: every rule has its fault, and an engine's round has none."""

from itertools import combinations

import pytest

from tests.tournament.domain.swiss import History, entered, event, every_round, names, played, tangled_history
from tournament.domain.faults import Fault, Rule, faults, notes
from tournament.domain.judgement import judge
from tournament.domain.model import Bye, ByeKind, Pairing, Player, PlayerId, Round
from tournament.domain.pairing import pair_round

ANN, BOB, CAT, DAN = (PlayerId(name) for name in ("ann", "bob", "cat", "dan"))
FOUR = entered("ann", "bob", "cat", "dan")


def rules(found: list[Fault]) -> set[Rule]:
    return {fault.rule for fault in found}


def sentences(found: list[Fault]) -> list[str]:
    return [fault.sentence for fault in found]


# --- each rule


def test_a_whole_round_has_no_fault() -> None:
    assert faults(played(1, "ann-bob", "cat-dan"), FOUR, []) == []


def test_nobody_sits_at_two_tables() -> None:
    found = faults(played(1, "ann-bob", "ann-cat", "dan"), FOUR, [])
    assert sentences(found)[0] == "ann is seated 2 times"


def test_nobody_is_left_out() -> None:
    found = faults(played(1, "ann-bob"), FOUR, [])
    assert sentences(found) == ["cat has neither a table nor a bye", "dan has neither a table nor a bye"]


@pytest.mark.parametrize(
    ("dan", "why"),
    [
        (Player(id=DAN, name="Dan", entered_in=3), "dan enters in round 3"),
        (Player(id=DAN, name="Dan", dropped_after=1), "dan dropped after round 1"),
        (Player(id=PlayerId("eve"), name="Eve", dropped_after=0), "dan never entered"),
    ],
)
def test_only_those_who_play_are_seated(dan: Player, why: str) -> None:
    found = faults(played(2, "ann-bob", "cat-dan"), [*FOUR[:3], dan], [])
    assert [(fault.rule, fault.sentence, fault.table) for fault in found] == [(Rule.ONLY_WHO_PLAYS, why, 2)]


def test_nobody_meets_themself() -> None:
    found = faults(played(1, "ann-ann", "bob-cat", "dan"), FOUR, [])
    assert rules(found) == {Rule.TWO_AT_A_TABLE, Rule.ONE_BYE_IF_ODD}


def test_two_tables_have_two_numbers_from_1() -> None:
    found = faults(Round(1, (Pairing(0, ANN, BOB), Pairing(0, CAT, DAN))), FOUR, [])
    assert sentences(found) == ["table 0 is given to ann, bob, cat, dan", "there is no table 0; tables count from 1"]


def test_a_fixed_table_is_kept() -> None:
    players = [*entered("ann", table=5), *FOUR[1:]]
    found = faults(played(1, "ann-bob", "cat-dan"), players, [])
    assert sentences(found) == ["ann should play at table 5, not 1"]
    assert faults(Round(1, (Pairing(5, ANN, BOB), Pairing(1, CAT, DAN))), players, []) == []


# ann and cat both have table 5: one of them has it
def test_one_of_two_who_want_the_same_table_may_do_without() -> None:
    players = [*entered("ann", table=5), FOUR[1], *entered("cat", table=5), FOUR[3]]
    assert faults(Round(1, (Pairing(5, ANN, BOB), Pairing(1, CAT, DAN))), players, []) == []
    assert rules(faults(Round(1, (Pairing(2, ANN, BOB), Pairing(1, CAT, DAN))), players, [])) == {Rule.FIXED_TABLES}


def test_an_even_field_has_no_bye() -> None:
    found = faults(played(1, "ann-bob", "cat", "dan"), FOUR, [])
    assert sentences(found) == ["cat, dan would have byes; no bye is due"]


def test_a_bye_brought_along_is_given_and_to_nobody_else() -> None:
    players = [*FOUR[:3], *entered("dan", awarded_byes=2)]
    right = Round(2, (Pairing(1, ANN, BOB), Bye(CAT), Bye(DAN, ByeKind.AWARDED)))
    wrong = Round(2, (Pairing(1, ANN, BOB), Bye(CAT, ByeKind.AWARDED), Bye(DAN)))
    assert faults(right, players, []) == []
    assert sentences(faults(wrong, players, [])) == [
        "cat brought no bye along for round 2",
        "dan brought a bye along for round 2",
    ]


# --- what could have been avoided


# round 1   ann-bob  cat-dan
def test_a_rematch_that_could_be_avoided_is_a_fault() -> None:
    past = [played(1, "ann-bob", "cat-dan")]
    found = faults(played(2, "ann-bob", "cat-dan"), FOUR, past)
    assert sentences(found) == ["ann and bob have met before", "cat and dan have met before"]
    assert notes(played(2, "ann-bob", "cat-dan"), FOUR, past) == []


# three rounds: everybody has met everybody
def test_a_rematch_that_could_not_be_avoided_is_a_note() -> None:
    past = [played(1, "ann-bob", "cat-dan"), played(2, "ann-cat", "bob-dan"), played(3, "ann-dan", "bob-cat")]
    again = played(4, "ann-bob", "cat-dan")
    assert faults(again, FOUR, past) == []
    assert rules(notes(again, FOUR, past)) == {Rule.NO_REMATCH}


def test_those_kept_apart_meet_only_if_they_must() -> None:
    apart = [(ANN, BOB)]
    found = faults(played(1, "ann-bob", "cat-dan"), FOUR, [], apart=apart)
    assert sentences(found) == ["ann and bob are to be kept apart"]
    alone = played(1, "ann-bob")
    assert faults(alone, FOUR[:2], [], apart=apart) == []
    assert rules(notes(alone, FOUR[:2], [], apart=apart)) == {Rule.KEPT_APART}


# round 1   ann-bob  cat      round 2   cat again?
def test_a_second_bye_that_could_be_avoided_is_a_fault() -> None:
    past = [played(1, "ann-bob", "cat")]
    found = faults(played(2, "ann-bob", "cat"), FOUR[:3], past)
    assert sentences(found) == ["ann and bob have met before", "cat has had a bye before"]
    assert faults(played(2, "ann-cat", "bob"), FOUR[:3], past) == []


# only cat and dan are left to be paired, and they have met
def test_what_stands_is_not_judged_and_not_reckoned_with() -> None:
    past = [played(1, "ann-bob", "cat-dan")]
    again = played(2, "ann-bob", "cat-dan")
    assert faults(again, FOUR, past, standing=[1]) == []
    assert sentences(notes(again, FOUR, past, standing=[1])) == ["cat and dan have met before"]


# the fewest of everything, by looking at every round
@pytest.mark.parametrize("seed", range(60))
def test_avoidable_is_what_some_round_avoids(seed: int) -> None:
    history = tangled_history(seed, most=7)
    least = min(
        (
            rematches(history, pairs),
            sum(tuple(sorted(pair)) in both_ways(history) for pair in pairs),
            byes(history, bye),
        )
        for pairs, bye in every_round(history.active())
    )
    for pairs, bye in every_round(history.active()):
        seats = [Pairing(table, *pair) for table, pair in enumerate(map(tuple, pairs), start=1)]
        awarded = [Bye(p.id, ByeKind.AWARDED) for p in history.players if is_awarded(p, history.number)]
        proposal = Round(history.number, (*seats, *([] if bye is None else [Bye(bye)]), *awarded))
        found = rules(faults(proposal, history.players, history.rounds, apart=history.apart))
        here = (
            rematches(history, pairs),
            sum(tuple(sorted(p)) in both_ways(history) for p in pairs),
            byes(history, bye),
        )
        wrong = {Rule.NO_REMATCH, Rule.KEPT_APART, Rule.NO_SECOND_BYE}
        expected = {
            rule
            for rule, mine, fewest in zip(sorted(wrong, key=list(Rule).index), here, least, strict=True)
            if mine > fewest
        }
        assert found == expected


# 60 players, all to be kept apart, and 25 tables, each with another number of former meetings: 61^27 has over 128 bits
def test_any_number_of_former_meetings_is_weighed() -> None:
    ids = names(60)
    players = [Player(id=name, name=name) for name in ids]
    pairs = list(zip(ids[::2], ids[1::2], strict=True))
    past = [
        Round(number, tuple(Pairing(at, *pair) for at, pair in enumerate(pairs, start=1) if number <= at <= 25))
        for number in range(1, 26)
    ]
    proposal = Round(26, tuple(Pairing(at, *pair) for at, pair in enumerate(pairs, start=1)))
    apart = list(combinations(ids, 2))
    assert rules(faults(proposal, players, past, apart=apart)) == {Rule.NO_REMATCH}
    assert rules(notes(proposal, players, past, apart=apart)) == {Rule.KEPT_APART}


def rematches(history: History, pairs: frozenset[frozenset[PlayerId]]) -> list[int]:
    return sorted(filter(None, (history.meetings(*pair) for pair in pairs)), reverse=True)


def both_ways(history: History) -> set[tuple[PlayerId, PlayerId]]:
    return {tuple(sorted(pair)) for pair in history.apart}


def byes(history: History, bye: PlayerId | None) -> int:
    return 0 if bye is None else history.byes(bye)


def is_awarded(player: Player, number: int) -> bool:
    late = player.dropped_after is not None and player.dropped_after < number
    return player.awarded_byes >= number >= player.entered_in and not late


@pytest.mark.parametrize("seed", range(300))
def test_the_pairing_has_no_fault(seed: int) -> None:
    history = tangled_history(seed, most=16)
    paired = pair_round(history.pool, history.draw)
    assert faults(paired, history.players, history.rounds, apart=history.apart) == []


# --- judging an organizer


# round 1   ann-bob  cat-dan: ann and cat won; the organizer lets winners meet losers
def test_an_organizers_tables_are_shown_beside_the_engines() -> None:
    past = [played(1, "ann-bob", "cat-dan")]
    history = History(FOUR, past)
    told = judge(played(2, "ann-dan", "bob-cat"), FOUR, past, history.pool, draw="draw")
    assert (told.faults, told.notes) == ([], [])
    assert (told.cost.gaps, told.best.gaps) == (18, 0)
    assert told.only_here == ((ANN, DAN), (BOB, CAT))
    assert told.only_engine == ((ANN, CAT), (BOB, DAN))
    assert not told.is_best


def test_a_round_with_a_stranger_has_no_price() -> None:
    told = judge(played(1, "ann-zoe", "bob-cat"), FOUR, [], History(FOUR).pool, draw="draw")
    assert told.cost is None
    assert rules(told.faults) == {Rule.ONLY_WHO_PLAYS, Rule.NOBODY_LEFT_OUT}


@pytest.mark.parametrize("players", [6, 13])
def test_the_engines_own_tables_are_best(players: int) -> None:
    for history, paired in event(players, 5, players, lambda h: pair_round(h.pool, h.draw)):
        told = judge(paired, history.players, history.rounds, history.pool, draw=history.draw)
        assert told.is_best
        assert (told.only_here, told.only_engine) == ((), ())
