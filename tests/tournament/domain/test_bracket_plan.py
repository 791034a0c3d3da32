"""The shape of brackets, against published ones and against every other way to cross."""

from collections.abc import Iterator, Sequence
from itertools import permutations, product

import pytest

from tournament.domain.bracket_plan import (
    THIRD_PLACE,
    Form,
    LoserOf,
    MatchId,
    Part,
    PlannedMatch,
    Seed,
    WinnerOf,
    crossing,
    cut_rounds,
    lower_rounds,
    main_rounds,
    plan,
    seed_order,
)


def round_sizes(planned: Sequence[PlannedMatch], part: Part) -> list[int]:
    """Matches in each round of a part."""
    rounds = [match.round for match in planned if match.part is part]
    return [rounds.count(number) for number in sorted(set(rounds))]


def test_eight_players_meet_as_the_rule_book_draws_it() -> None:
    # Magic Tournament Rules 10.4: 1-8 and 4-5 meet next, 2-7 and 3-6 meet next
    first_round = [(match.first, match.second) for match in plan(Form.SINGLE, 8)[:4]]
    assert first_round == [(Seed(1), Seed(8)), (Seed(4), Seed(5)), (Seed(2), Seed(7)), (Seed(3), Seed(6))]


def test_sixteen_players_stand_in_the_published_order() -> None:
    # brackets-manager, test/helpers.spec.js: "should place 16 participants with inner-outer method" names these pairs
    published = {(1, 16), (8, 9), (4, 13), (5, 12), (2, 15), (7, 10), (3, 14), (6, 11)}
    order = seed_order(16)
    assert set(zip(order[::2], order[1::2], strict=True)) == published


@pytest.mark.parametrize("rounds", range(1, 8))
def test_the_best_seeds_can_meet_only_when_as_many_are_left(rounds: int) -> None:
    order = seed_order(1 << rounds)
    for left in range(rounds):
        part = (1 << rounds) >> left
        halves = [order[at : at + part] for at in range(0, 1 << rounds, part)]
        assert all(sum(seed <= 1 << left for seed in half) == 1 for half in halves)


# brackets-manager (github.com/Drarig29/brackets-manager.js): `getUpperBracketRoundCount` is log2 of the players,
# `getLowerBracketRoundCount` twice one less, a pair of lower rounds has 2^(pairs - index - 1) matches each; its
# test/double-elimination.spec.js counts 4 + 6 + 1 rounds and 30 matches for 16 players, and 3 + 4 + 2 rounds and 15
# matches for 8 with a double grand final.
PUBLISHED_DOUBLE = {
    4: ([2, 1], [1, 1]),
    8: ([4, 2, 1], [2, 2, 1, 1]),
    16: ([8, 4, 2, 1], [4, 4, 2, 2, 1, 1]),
    32: ([16, 8, 4, 2, 1], [8, 8, 4, 4, 2, 2, 1, 1]),
}


@pytest.mark.parametrize("players", PUBLISHED_DOUBLE)
def test_double_elimination_has_the_published_shape(players: int) -> None:
    planned = plan(Form.DOUBLE, players)
    assert (round_sizes(planned, Part.MAIN), round_sizes(planned, Part.LOWER)) == PUBLISHED_DOUBLE[players]
    assert [match.id for match in planned[-2:]] == ["GF", "GF2"]


def test_published_counts_of_matches() -> None:
    assert len(plan(Form.DOUBLE, 16)) - len(["GF2"]) == 30
    assert len(plan(Form.DOUBLE, 8)) == 15
    assert (main_rounds(16), lower_rounds(16)) == (4, 6)
    assert (main_rounds(8), lower_rounds(8)) == (3, 4)


def test_losers_of_eight_cross_as_published() -> None:
    # brackets-manager, src/ordering.ts: for 8 players the losers enter natural, then reversed, then natural
    entering = {match.id: match.first for match in plan(Form.DOUBLE, 8) if match.part is Part.LOWER}
    assert entering == {
        "L1.1": LoserOf(MatchId("M1.1")),
        "L1.2": LoserOf(MatchId("M1.3")),
        "L2.1": LoserOf(MatchId("M2.2")),
        "L2.2": LoserOf(MatchId("M2.1")),
        "L3.1": WinnerOf(MatchId("L2.1")),
        "L4.1": LoserOf(MatchId("M3.1")),
    }


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("players", [2, 3, 5, 8, 13, 16, 40])
def test_every_winner_and_loser_goes_one_way_and_forward(form: Form, players: int) -> None:
    planned = plan(form, players)
    place = {match.id: at for at, match in enumerate(planned)}
    sources = [source for match in planned for source in (match.first, match.second)]
    assert len(sources) == len(set(sources))
    assert len(place) == len(planned)
    for match in planned:
        for source in (match.first, match.second):
            assert isinstance(source, Seed) or place[source.match] < place[match.id]


# --- rematches as late as possible ----------------------------------------------------------------------------------
#
# Whoever loses main match m and whoever loses a later main match m' can have met only if m feeds m'. So the first round
# in which a rematch is possible can be read off the tree: the first lower match that joins two such losers.

Crossing = Sequence[Sequence[int]]
"""For main rounds 2, 3, …: at which place of the lower bracket the loser of each match enters."""

MainMatch = tuple[int, int]


def feeds(early: MainMatch, late: MainMatch) -> bool:
    return early[0] < late[0] and early[1] >> (late[0] - early[0]) == late[1]


def first_rematch(rounds: int, enters: Crossing) -> int:
    """Round of the lower bracket."""
    waiting = [{(1, 2 * place), (1, 2 * place + 1)} for place in range((1 << rounds) // 4)]
    for main_round, places in enumerate(enters, start=2):
        falling = {place: (main_round, match) for match, place in enumerate(places)}
        if any(feeds(early, falling[place]) for place, those in enumerate(waiting) for early in those):
            return 2 * main_round - 2
        joined = [those | {falling[place]} for place, those in enumerate(waiting)]
        for one, other in zip(joined[::2], joined[1::2], strict=False):
            if any(feeds(a, b) or feeds(b, a) for a in one for b in other):
                return 2 * main_round - 1
        waiting = [one | other for one, other in zip(joined[::2], joined[1::2], strict=False)]
    raise AssertionError


def ours(rounds: int) -> Crossing:
    """Read from the plan itself."""
    enters = []
    for main_round in range(2, rounds + 1):
        lower = [match for match in plan(Form.DOUBLE, 1 << rounds) if match.id.startswith(f"L{2 * main_round - 2}.")]
        numbers = [int(match.first.match.split(".")[1]) for match in lower if isinstance(match.first, LoserOf)]
        enters.append([numbers.index(number) for number in range(1, len(numbers) + 1)])
    return enters


def by_halves(rounds: int) -> Iterator[Crossing]:
    """Every crossing that swaps halves, quarters, … of the bracket."""
    for masks in product(*(range(1 << (rounds - main_round)) for main_round in range(2, rounds + 1))):
        yield [[at ^ mask for at in range(1 << (rounds - row))] for row, mask in enumerate(masks, start=2)]


@pytest.mark.parametrize("rounds", [3, 4])
def test_no_crossing_at_all_has_its_first_rematch_later(rounds: int) -> None:
    every = product(*(permutations(range(1 << (rounds - main_round))) for main_round in range(2, rounds + 1)))
    assert first_rematch(rounds, ours(rounds)) == max(first_rematch(rounds, list(enters)) for enters in every)


@pytest.mark.parametrize("rounds", [3, 4, 5, 6])
def test_no_crossing_by_halves_has_its_first_rematch_later(rounds: int) -> None:
    assert first_rematch(rounds, ours(rounds)) == max(first_rematch(rounds, enters) for enters in by_halves(rounds))


def test_the_first_rematch_is_never_earlier_than_in_the_published_order() -> None:
    # brackets-manager, src/ordering.ts, `defaultMinorOrdering` for 16, 32 and 64 players, the orders as in its
    # test/helpers.spec.js: which match's loser stands at each place
    def reverse(places: int) -> list[int]:
        return list(reversed(range(places)))

    def half_shift(places: int) -> list[int]:
        return [*range(places // 2, places), *range(places // 2)]

    def reverse_half_shift(places: int) -> list[int]:
        return [*reversed(range(places // 2)), *reversed(range(places // 2, places))]

    natural = list[int]
    published = {
        4: [reverse_half_shift(4), reverse(2), natural(range(1))],
        5: [reverse(8), half_shift(4), natural(range(2)), natural(range(1))],
        6: [reverse(16), half_shift(8), reverse(4), natural(range(2)), natural(range(1))],
    }
    for rounds, standing in published.items():
        enters = [[places.index(match) for match in range(len(places))] for places in standing]
        assert first_rematch(rounds, ours(rounds)) >= first_rematch(rounds, enters)
    assert first_rematch(4, ours(4)) > first_rematch(4, [[1, 0, 3, 2], [1, 0], [0]])


def test_the_count_is_written_backwards() -> None:
    # 64 places for the losers of round 2: 0, 1/2, 1/4, 3/4 of the bracket for rounds 1, 2, 3, 4, of what is left then
    assert [crossing(main_round, 8) for main_round in (2, 3, 4, 5)] == [32, 8, 12, 1]


# --- what can be played at the same time ------------------------------------------------------------------------------


def test_the_rounds_of_a_double_elimination_of_eight_as_written_down_by_hand() -> None:
    found: dict[int, list[str]] = {}
    for match, number in cut_rounds(Form.DOUBLE, 8).items():
        found.setdefault(number, []).append(match)
    assert {number: sorted(those) for number, those in found.items()} == {
        1: ["M1.1", "M1.2", "M1.3", "M1.4"],
        2: ["L1.1", "L1.2", "M2.1", "M2.2"],
        3: ["L2.1", "L2.2", "M3.1"],
        4: ["L3.1"],
        5: ["L4.1"],
        6: ["GF"],
        7: ["GF2"],
    }


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("players", [2, 3, 4, 7, 8, 16, 33])
def test_whoever_may_play_a_match_was_in_no_other_one_of_its_round(form: Form, players: int) -> None:
    """Everybody who may sit in it, from its seeds on."""
    sitting: dict[MatchId, set[int]] = {}
    rounds = cut_rounds(form, players)
    for match in plan(form, players):
        sources = (match.first, match.second)
        before = {source.match for source in sources if not isinstance(source, Seed)}
        assert all(rounds[each] < rounds[match.id] for each in before)
        sitting[match.id] = {source.rank for source in sources if isinstance(source, Seed)}.union(
            *(sitting[each] for each in before)
        )
    main = [match.id for match in plan(form, players) if match.part is Part.MAIN]
    for one, other in product(main, main):
        if one < other and rounds[one] == rounds[other]:
            assert not sitting[one] & sitting[other]
    assert rounds[THIRD_PLACE] == main_rounds(players) if THIRD_PLACE in rounds else True
