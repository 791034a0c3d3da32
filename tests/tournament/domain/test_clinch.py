"""Can I draw in? Exact in the last round, estimated before it."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.domain.chances import Chance, simulate
from tournament.domain.clinch import Needs, Outlook, OwnMatch, needs_in_last_round
from tournament.domain.errors import PlayerUnknown, RoundMissing
from tournament.domain.model import Bye, Pairing, Player, PlayerId, Result, Round
from tournament.domain.presets import MTR_2026, Preset, netrunner
from tournament.domain.results import PointsTaken
from tournament.domain.standings import match_points_of, rank, still_in

NAMES = [PlayerId(letter) for letter in "abcdefghij"]
A, B, C, D, E, F, G, H = NAMES[:8]


def entered(count: int) -> list[Player]:
    return [Player(id=player, name=player) for player in NAMES[:count]]


def beats(first: PlayerId, second: PlayerId) -> Pairing:
    return Pairing(1, first, second, Result(2, 0))


def draws(first: PlayerId, second: PlayerId) -> Pairing:
    return Pairing(1, first, second, Result(1, 1, 1))


def seeded(seed: int) -> Random:
    return Random(seed)


def plays(first: PlayerId, second: PlayerId) -> Pairing:
    return Pairing(1, first, second)


def swiss(*rounds: Sequence[Pairing | Bye]) -> list[Round]:
    return [Round(number, tuple(seats)) for number, seats in enumerate(rounds, start=1)]


# --- the last round, exactly ----------------------------------------------------------------------------------------

#  points | a 6  b 6  c 3  d 3  e 3  f 3  g 0  h 0      to be played: a-b  c-d  e-f  g-h      cut to 4
EIGHT = swiss(
    [beats(A, E), beats(B, F), beats(C, G), beats(D, H)],
    [beats(A, C), beats(B, D), beats(E, G), beats(F, H)],
    [plays(A, B), plays(C, D), plays(E, F), plays(G, H)],
)
NEEDS = needs_in_last_round(entered(8), EIGHT, 4)


def test_a_leader_is_in_with_a_draw() -> None:
    # with a draw 7: only b gets as far
    assert NEEDS[A].can_draw_in
    assert NEEDS[A].sentences[:2] == ("a win is enough whatever others do", "a draw is enough whatever others do")


def test_a_loss_may_be_enough_too() -> None:
    # with a loss 6: b has 9, and of c-d and e-f one each may get to 6
    loss = NEEDS[A].outlooks[2]
    assert (loss.match_points, loss.best_place, loss.worst_place) == (6, 2, 4)
    assert loss.sentence == "a loss is enough whatever others do"


def test_a_win_of_the_second_group_is_enough_for_four() -> None:
    # c wins, 6: a and b have 9 and 6, or 7 and 7; one of e and f may have 6. Nine cases, and at most three level
    assert NEEDS[C].outlooks[0] == Outlook(OwnMatch.WIN, 6, 2, 4, 9, 9, 0)


def test_a_draw_there_hangs_on_the_other_table() -> None:
    # c draws with d, 4: a and b are ahead; e-f: a winner has 6 and takes third place, a draw makes four with 4
    draw = NEEDS[C].outlooks[1]
    assert draw == Outlook(OwnMatch.DRAW, 4, 3, 6, 3, 0, 0)
    assert draw.sentence == "a draw leaves it to tiebreaks whatever others do"
    assert not NEEDS[C].can_draw_in


def test_who_is_too_far_behind_is_told() -> None:
    # g wins, 3: a and b are ahead, and of c and d the winner; of e and f too: that is four, or with draws c, d, e, f
    assert NEEDS[G].sentences == (
        "a win is not enough whatever others do",
        "a draw is not enough whatever others do",
        "a loss is not enough whatever others do",
    )


def test_reported_tables_sharpen_the_answer() -> None:
    # e-f has reported a draw, 4 each: now c is third with a win
    e_f_drawn = replace(EIGHT[2], seats=(plays(A, B), plays(C, D), draws(E, F), plays(G, H)))
    needs = needs_in_last_round(entered(8), [*EIGHT[:2], e_f_drawn], 4)
    assert needs[C].outlooks[0].worst_place == 3
    # and e: a and b are ahead, f is level, and of c-d one is ahead or both are level
    assert needs[E].outlooks == (Outlook(OwnMatch.OVER, 4, 3, 6, 3, 0, 0),)
    assert needs[E].sentences == ("what is played leaves it to tiebreaks whatever others do",)


def test_cases_are_counted_at_the_tables_that_matter() -> None:
    # cut to 3, a and b are done with 6; c wins, 6: enough if e-f is drawn, level with a third player if not
    a_b_done = replace(EIGHT[2], seats=(plays(C, D), plays(E, F), plays(G, H)))
    win = needs_in_last_round(entered(8), [*EIGHT[:2], a_b_done], 3)[C].outlooks[0]
    assert (win.cases, win.enough, win.too_little, win.up_to_tiebreaks) == (3, 1, 0, 2)
    assert win.sentence == "a win is enough in 33.3 % of the cases, up to tiebreaks in 66.7 %"


def test_a_bye_is_already_won() -> None:
    rounds = swiss([beats(A, B), Bye(C)], [plays(B, A), Bye(C)])
    (outlook,) = needs_in_last_round(entered(3), rounds, 1)[C].outlooks
    assert (outlook.own, outlook.match_points, outlook.best_place, outlook.worst_place) == (OwnMatch.OVER, 6, 1, 2)


def test_who_dropped_takes_no_place_of_the_cut() -> None:
    # a is ahead and has dropped after this round: b, level with c, needs to fear c alone
    players = [replace(player, dropped_after=2 if player.id == A else None) for player in entered(4)]
    rounds = swiss([beats(A, D), beats(B, C)], [plays(A, B), plays(C, D)])
    needs = needs_in_last_round(players, rounds, 1)
    assert set(needs) == {B, C, D}
    assert needs[B].can_draw_in
    # with a loss b has 3, as much as a winner of c-d; a draw there leaves both behind
    assert needs[B].outlooks[2].sentence == "a loss is enough in 33.3 % of the cases, up to tiebreaks in 66.7 %"


def test_points_taken_count() -> None:
    penalty = PointsTaken(player=A, round=3, infraction="late list", reason="sent late", points=5)
    needs = needs_in_last_round(entered(8), EIGHT, 4, penalties=[penalty])
    assert needs[A].outlooks[0].match_points == 4


def test_before_a_round_is_paired_there_is_no_answer() -> None:
    with pytest.raises(RoundMissing, match="before a round is paired"):
        needs_in_last_round(entered(4), [], 2)


@pytest.mark.parametrize(
    ("enough", "too_little", "cases", "sentence"),
    [
        (81, 0, 81, "a draw is enough whatever others do"),
        (78, 3, 81, "a draw is enough in every case but 3 of 81"),
        (78, 1, 81, "a draw is enough in every case but 3 of 81, and tiebreaks decide 2 of those"),
        (78, 0, 81, "a draw is enough in every case but 3 of 81, and there tiebreaks decide"),
        (27, 54, 81, "a draw is enough in 33.3 % of the cases, not enough in 66.7 %"),
        (1, 3**9 - 1, 3**9, "a draw is enough in under 0.1 % of the cases, not enough in over 99.9 %"),
        (0, 27, 81, "a draw is up to tiebreaks in 66.7 % of the cases, not enough in 33.3 %"),
        (0, 0, 81, "a draw leaves it to tiebreaks whatever others do"),
        (0, 81, 81, "a draw is not enough whatever others do"),
    ],
)
def test_an_outlook_is_said_plainly(enough: int, too_little: int, cases: int, sentence: str) -> None:
    assert Outlook(OwnMatch.DRAW, 7, 1, 9, cases, enough, too_little).sentence == sentence


# --- against every case, played out ---------------------------------------------------------------------------------

DONE = [Result(2, 0), Result(0, 2), Result(1, 1, 1)]


@st.composite
def last_rounds(draw: st.DrawFn) -> tuple[list[Player], list[Round], int]:
    """Up to ten players of any points, the last round open, but for some tables."""
    count = draw(st.integers(3, 10))
    ids = NAMES[:count]
    rounds = []
    for _ in range(draw(st.integers(1, 3))):
        order = draw(st.permutations(ids))
        results = [draw(st.sampled_from(DONE)) for _ in range(count // 2)]
        rounds.append([Pairing(1, order[2 * i], order[2 * i + 1], result) for i, result in enumerate(results)])
    order = draw(st.permutations(ids))
    last: list[Pairing | Bye] = [
        Pairing(1, order[2 * i], order[2 * i + 1], draw(st.sampled_from([None, None, None, DONE[0]])))
        for i in range(count // 2)
    ]
    byes = [Bye(player) for player in order[count - count % 2 :] if draw(st.booleans())]
    players = [replace(player, dropped_after=draw(st.sampled_from([None, None, None, 1]))) for player in entered(count)]
    return players, swiss(*rounds, [*last, *byes]), draw(st.integers(1, count))


def played_out(
    player: PlayerId, own: OwnMatch, players: list[Player], rounds: list[Round], preset: Preset
) -> list[tuple[int, int]]:
    """In every case: how many of those still in are ahead of the player, and how many are at least level."""
    open_seats = [i for i, seat in enumerate(rounds[-1].seats) if isinstance(seat, Pairing) and seat.result is None]
    contenders = {who.id for who in players if still_in(who)} - {player}
    cases = []
    for results in product([Result(2, 0), Result(1, 1), Result(0, 2)], repeat=len(open_seats)):
        seats = list(rounds[-1].seats)
        ends = OwnMatch.OVER
        for i, result in zip(open_seats, results, strict=True):
            seat = seats[i]
            assert isinstance(seat, Pairing)
            seats[i] = replace(seat, result=result)
            if player in (seat.first, seat.second):
                mine, theirs = (result.first, result.second) if player == seat.first else (result.second, result.first)
                ends = OwnMatch.WIN if mine > theirs else OwnMatch.LOSS if mine < theirs else OwnMatch.DRAW
        if ends is own:
            points = match_points_of(players, [*rounds[:-1], replace(rounds[-1], seats=tuple(seats))], preset)
            others = [points[other] for other in contenders]
            cases.append((sum(p > points[player] for p in others), sum(p >= points[player] for p in others)))
    return cases


@settings(max_examples=150, deadline=None)
@given(last_rounds(), st.sampled_from([MTR_2026, netrunner()]), st.randoms(use_true_random=False))
def test_every_outlook_is_what_playing_out_every_case_gives(
    event: tuple[list[Player], list[Round], int], preset: Preset, rng: Random
) -> None:
    players, rounds, cut = event
    needs = needs_in_last_round(players, rounds, cut, preset)
    assert set(needs) == {player.id for player in players if still_in(player)}
    for player in rng.sample(sorted(needs), min(2, len(needs))):
        for outlook in needs[player].outlooks:
            cases = played_out(player, outlook.own, players, rounds, preset)
            assert outlook.best_place == 1 + min(ahead for ahead, _ in cases)
            assert outlook.worst_place == 1 + max(level for _, level in cases)
            assert Fraction(outlook.enough, outlook.cases) == share(level < cut for _, level in cases)
            assert Fraction(outlook.too_little, outlook.cases) == share(ahead >= cut for ahead, _ in cases)


def share(holds: object) -> Fraction:
    values = list(holds)  # type: ignore[call-overload]
    return Fraction(sum(values), len(values))


# --- before the last round ------------------------------------------------------------------------------------------


def by_points(players: Sequence[Player], rounds: Sequence[Round], _: Random) -> Round:
    """Neighbours in the standings meet; enough of a pairing for a test."""
    order = [line.player for line in rank(players, rounds)]
    return Round(len(rounds) + 1, tuple(plays(*pair) for pair in zip(order[::2], order[1::2], strict=True)))


def chances(
    player: PlayerId, rounds: list[Round], *, planned: int, cut: int, seed: int = 1, events: int = 60
) -> tuple[Chance, ...]:
    return simulate(
        player, entered(8), rounds, planned=planned, cut=cut, pair=by_points, rng=seeded(seed), events=events
    )


def test_the_same_random_source_gives_the_same_chances() -> None:
    assert chances(C, EIGHT, planned=4, cut=4) == chances(C, EIGHT, planned=4, cut=4)
    assert [chance.own for chance in chances(C, EIGHT, planned=4, cut=4)] == [
        OwnMatch.WIN,
        OwnMatch.DRAW,
        OwnMatch.LOSS,
    ]


def test_what_is_proven_in_the_last_round_happens_in_every_event() -> None:
    for player in (A, C, G):
        for outlook, chance in zip(NEEDS[player].outlooks, chances(player, EIGHT, planned=3, cut=4), strict=True):
            assert chance.made == chance.events or not outlook.is_enough
            assert chance.made == 0 or not outlook.is_too_little


def test_a_win_helps() -> None:
    win, draw, loss = (chance.share for chance in chances(E, EIGHT[:2], planned=4, cut=2, events=150))
    assert win > draw >= loss


def test_who_is_done_gets_one_answer() -> None:
    done = [*EIGHT[:2], replace(EIGHT[2], seats=(beats(A, B), *EIGHT[2].seats[1:]))]
    (chance,) = chances(A, done, planned=3, cut=4)
    assert (chance.own, chance.made) == (OwnMatch.OVER, chance.events)


def test_an_event_that_has_not_begun_is_played_from_the_start() -> None:
    assert len(chances(A, [], planned=2, cut=4, events=5)) == 3


# four players level, one match each, no draws: who wins is in for certain, who loses is out of a cut to two
def test_a_known_chance_is_found() -> None:
    rounds = swiss([plays(A, B), plays(C, D)])
    found = simulate(
        A, entered(4), rounds, planned=1, cut=2, pair=by_points, rng=seeded(3), events=40, drawn=Fraction(0)
    )  # fmt: skip
    assert [chance.share for chance in (found[0], found[2])] == [1, 0]


def test_a_win_is_the_askers_at_either_side_of_the_table() -> None:
    rounds = swiss([plays(A, B), plays(C, D)])
    found = simulate(
        B, entered(4), rounds, planned=1, cut=2, pair=by_points, rng=seeded(3), events=40, drawn=Fraction(0)
    )  # fmt: skip
    assert [chance.share for chance in (found[0], found[2])] == [1, 0]


# cut to one: two winners share the place, and a lot decides, so a win is worth one half
def test_a_shared_place_on_the_line_goes_by_lot() -> None:
    rounds = swiss([plays(A, B), plays(C, D)])
    win, *_ = simulate(
        A, entered(4), rounds, planned=1, cut=1, pair=by_points, rng=seeded(5), events=400, drawn=Fraction(0)
    )  # fmt: skip
    assert abs(win.share - Fraction(1, 2)) < 4 * Fraction(win.standard_error)


def test_a_chance_is_said_with_its_error() -> None:
    assert Chance(OwnMatch.DRAW, 150, 200).standard_error == pytest.approx((0.75 * 0.25 / 200) ** 0.5, rel=0.01)
    assert Chance(OwnMatch.DRAW, 150, 200).sentence == "with a draw 75.0 % ± 3.1 %, of 200 events played to the end"
    assert Chance(OwnMatch.LOSS, 0, 200).standard_error > 0


def test_a_stranger_has_no_chances() -> None:
    with pytest.raises(PlayerUnknown):
        chances(PlayerId("zoe"), EIGHT, planned=4, cut=4)


def test_needs_are_told_best_ending_first() -> None:
    assert [outlook.own for outlook in NEEDS[A].outlooks] == [OwnMatch.WIN, OwnMatch.DRAW, OwnMatch.LOSS]
    assert NEEDS[A] == Needs(A, 4, NEEDS[A].outlooks)
