"""Places, winners and settlements of a cut."""

import pytest

from tournament.domain.bracket import (
    Bracket,
    DoubleLosses,
    Draws,
    Empty,
    How,
    Place,
    finished,
    losses,
    matches,
    places,
    ready,
    winner,
)
from tournament.domain.bracket_moves import disqualify, drop, report, start
from tournament.domain.bracket_plan import Form, MatchId
from tournament.domain.bracket_text import text
from tournament.domain.model import Ending, PlayerId, Result

EIGHT = tuple(PlayerId(name) for name in ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal"))
ANN, BOB, CAT, DAN, EVE, FAY, GUS, HAL = EIGHT
DOUBLE_LOSS = Result(0, 0, 0, Ending.DOUBLE_LOSS)


def won_by(bracket: Bracket, *winners: PlayerId) -> Bracket:
    """Each of them wins the match that is ready for them, in turn."""
    for player in winners:
        match = next(match for match in ready(bracket) if player in match.seats)
        bracket = report(bracket, match.id, Result(2, 0) if match.seats[0] == player else Result(0, 2))
    return bracket


def best_wins(bracket: Bracket) -> Bracket:
    """The higher seed wins every match that is left."""
    while to_play := ready(bracket):
        first, _ = to_play[0].seats
        better = min((seat for seat in to_play[0].seats if not isinstance(seat, Empty)), key=bracket.seeds.index)
        bracket = report(bracket, to_play[0].id, Result(2, 1) if better == first else Result(1, 2))
    return bracket


def how(bracket: Bracket, match: str) -> How | None:
    outcome = next(found.outcome for found in matches(bracket) if found.id == match)
    return outcome.how if outcome else None


def seats(bracket: Bracket, match: str) -> tuple[object, object]:
    return next(found.seats for found in matches(bracket) if found.id == match)


# --- places ---------------------------------------------------------------------------------------------------------


def test_losers_of_a_round_share_their_places() -> None:
    # quarterfinals  ann-hal dan-eve bob-gus cat-fay    semifinals  ann-dan bob-cat    final  ann-bob
    bracket = best_wins(start(EIGHT))
    assert places(bracket) == (
        Place(1, 1, (ANN,)),
        Place(2, 2, (BOB,)),
        Place(3, 4, (CAT, DAN)),
        Place(5, 8, (EVE, FAY, GUS, HAL)),
    )
    assert winner(bracket) == ANN


def test_a_third_place_match_parts_third_and_fourth() -> None:
    bracket = best_wins(start(EIGHT, form=Form.SINGLE_WITH_THIRD_PLACE))
    assert places(bracket)[2:4] == (Place(3, 3, (CAT,)), Place(4, 4, (DAN,)))


def test_double_elimination_shares_places_by_lower_round() -> None:
    # the usual places of an 8-player double elimination: 1, 2, 3, 4, 5-6, 7-8
    bracket = best_wins(start(EIGHT, form=Form.DOUBLE))
    assert [(place.first, place.last) for place in places(bracket)] == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (7, 8)]
    assert winner(bracket) == ANN


def test_places_are_told_as_soon_as_they_are_certain() -> None:
    # dan-eve is not played yet: nobody knows who shares 5-8, and nobody knows 1 to 4
    bracket = won_by(start(EIGHT), ANN, BOB, CAT)
    assert places(bracket) == ()
    assert places(won_by(bracket, DAN)) == (Place(5, 8, (EVE, FAY, GUS, HAL)),)


def test_the_winner_is_known_before_the_third_place_match() -> None:
    bracket = won_by(start(EIGHT[:4], form=Form.SINGLE_WITH_THIRD_PLACE), ANN, BOB, BOB)
    assert winner(bracket) == BOB
    assert not finished(bracket)
    assert places(bracket) == (Place(1, 1, (BOB,)), Place(2, 2, (ANN,)))


@pytest.mark.parametrize("players", range(2, 34))
def test_single_elimination_takes_one_match_fewer_than_players(players: int) -> None:
    bracket = best_wins(start([PlayerId(f"p{number}") for number in range(players)]))
    assert len(bracket.log) == players - 1
    assert losses(bracket) == dict.fromkeys(bracket.seeds[1:], 1)


@pytest.mark.parametrize("players", range(2, 34))
def test_double_elimination_takes_two_losses_a_player(players: int) -> None:
    bracket = best_wins(start([PlayerId(f"p{number}") for number in range(players)], form=Form.DOUBLE))
    assert len(bracket.log) == 2 * players - 2
    assert losses(bracket) == dict.fromkeys(bracket.seeds[1:], 2)


# --- byes, reset ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(3, 17))
def test_byes_go_to_the_highest_seeds(players: int) -> None:
    size = 1 << (players - 1).bit_length()
    bracket = start([PlayerId(f"p{seed}") for seed in range(1, players + 1)])
    byes = {match.outcome.winner for match in matches(bracket) if match.outcome and match.outcome.how is How.BYE}
    assert byes == {f"p{seed}" for seed in range(1, size - players + 1)}


def test_the_grand_final_is_played_again_if_the_lower_bracket_wins_it() -> None:
    # main  ann beats bob    grand final  bob beats ann    again  bob beats ann
    bracket = won_by(start(EIGHT[:2], form=Form.DOUBLE), ANN, BOB)
    assert [match.id for match in ready(bracket)] == ["GF2"]
    assert winner(bracket) is None
    bracket = won_by(bracket, BOB)
    assert (winner(bracket), losses(bracket)) == (BOB, {ANN: 2, BOB: 1})


def test_the_grand_final_is_not_played_again_if_the_main_bracket_wins_it() -> None:
    bracket = won_by(start(EIGHT[:2], form=Form.DOUBLE), ANN, ANN)
    assert how(bracket, "GF2") is How.NOT_NEEDED
    assert winner(bracket) == ANN


# --- leaving --------------------------------------------------------------------------------------------------------


def test_the_opponent_of_a_player_who_left_advances() -> None:
    bracket = drop(start(EIGHT), GUS)
    assert how(bracket, "M1.3") is How.WALKOVER
    assert seats(bracket, "M2.2")[0] == BOB


def test_where_two_opponents_leave_together_a_bye_follows() -> None:
    bracket = won_by(drop(start(EIGHT), BOB, GUS), CAT)
    assert how(bracket, "M1.3") is How.BOTH_LEFT
    assert (how(bracket, "M2.2"), seats(bracket, "M3.1")[1]) == (How.BYE, CAT)


def test_a_walkover_is_kept_by_somebody_who_leaves_later() -> None:
    # dan leaves before the final against ann, and ann is the winner; then ann goes home
    bracket = won_by(start(EIGHT[:4]), ANN, BOB)
    bracket = drop(drop(bracket, BOB), ANN)
    assert winner(bracket) == ANN


def test_a_result_stands_though_the_player_leaves() -> None:
    bracket = drop(won_by(start(EIGHT[:4]), ANN), ANN)
    assert places(won_by(bracket, BOB)) == (Place(1, 1, (BOB,)), Place(2, 2, (ANN,)), Place(3, 4, (CAT, DAN)))


def test_everybody_below_a_disqualified_player_moves_up_and_nobody_is_promoted() -> None:
    bracket = best_wins(disqualify(won_by(start(EIGHT), ANN, BOB, CAT, DAN), CAT))
    assert places(bracket) == (Place(1, 1, (ANN,)), Place(2, 2, (BOB,)), Place(3, 3, (DAN,)), Place(4, 7, EIGHT[4:]))


def test_a_disqualified_winner_leaves_the_first_place_to_the_second() -> None:
    bracket = disqualify(best_wins(start(EIGHT[:4])), ANN)
    assert (winner(bracket), places(bracket)[0]) == (BOB, Place(1, 1, (BOB,)))


def test_who_leaves_a_double_elimination_loses_twice() -> None:
    # ann drops at once: loses to dan in the main bracket, then to the loser of bob-cat
    bracket = best_wins(drop(start(EIGHT[:4], form=Form.DOUBLE), ANN))
    assert losses(bracket)[ANN] == 2
    assert places(bracket)[-1] == Place(4, 4, (ANN,))


# --- matches without a winner ---------------------------------------------------------------------------------------


def test_the_higher_seed_advances_from_a_draw_under_that_rule() -> None:
    bracket = report(start(EIGHT, draws=Draws.HIGHER_SEED), MatchId("M1.4"), Result(1, 1, 1))
    assert (how(bracket, "M1.4"), seats(bracket, "M2.2")[1]) == (How.HIGHER_SEED, CAT)


def test_an_intentional_draw_is_a_draw() -> None:
    agreed = Result(0, 0, 3, Ending.INTENTIONAL_DRAW)
    bracket = report(start(EIGHT, draws=Draws.HIGHER_SEED), MatchId("M1.2"), agreed)
    assert how(bracket, "M1.2") is How.HIGHER_SEED


def test_a_draw_puts_both_out_under_that_rule() -> None:
    bracket = report(start(EIGHT[:4], draws=Draws.BOTH_LOSE), MatchId("M1.1"), Result(1, 1))
    assert places(won_by(bracket, BOB)) == (Place(1, 1, (BOB,)), Place(2, 4, (ANN, CAT, DAN)))


@pytest.mark.parametrize("form", Form)
def test_a_double_loss_puts_both_out(form: Form) -> None:
    # ann and dan lose both: the winner of bob-cat has nobody left to meet in the main bracket
    bracket = best_wins(report(start(EIGHT[:4], form=form), MatchId("M1.1"), DOUBLE_LOSS))
    assert winner(bracket) == BOB
    assert places(bracket)[-1].players == (ANN, DAN) if form is not Form.SINGLE else (ANN, CAT, DAN)


def test_a_double_loss_in_the_final_leaves_the_first_place_shared() -> None:
    bracket = report(won_by(start(EIGHT[:4]), ANN, BOB), MatchId("M2.1"), DOUBLE_LOSS)
    assert winner(bracket) is None
    assert finished(bracket)
    assert places(bracket)[0] == Place(1, 2, (ANN, BOB))


def test_the_higher_seed_survives_a_double_loss_under_that_rule() -> None:
    bracket = start(EIGHT[:4], form=Form.DOUBLE, double_losses=DoubleLosses.HIGHER_SEED)
    bracket = report(bracket, MatchId("M1.1"), DOUBLE_LOSS)
    assert seats(bracket, "M2.1")[0] == ANN
    assert seats(bracket, "L1.1")[0] == DAN


def test_nobody_is_left_for_third_place_after_a_double_loss_in_a_semifinal() -> None:
    bracket = report(start(EIGHT[:4], form=Form.SINGLE_WITH_THIRD_PLACE), MatchId("M1.1"), DOUBLE_LOSS)
    bracket = won_by(bracket, BOB)
    assert (how(bracket, "3RD"), how(bracket, "M2.1")) == (How.BYE, How.BYE)
    assert places(bracket) == (Place(1, 1, (BOB,)), Place(2, 2, (CAT,)), Place(3, 4, (ANN, DAN)))


# --- as text --------------------------------------------------------------------------------------------------------


def test_a_bracket_prints_as_text() -> None:
    bracket = won_by(drop(start(EIGHT[:6]), EVE), CAT, CAT)
    printed = text(bracket, str.capitalize)
    assert printed == "\n".join(  # noqa: FLY002 - one line a line
        [
            "Single elimination, 6 players",
            "",
            "Quarterfinals",
            "  M1.1  1 Ann                       -    bye                      Ann (bye)",
            "  M1.2  4 Dan                       -    5 Eve                    Dan (walkover)",
            "  M1.3  2 Bob                       -    bye                      Bob (bye)",
            "  M1.4  3 Cat                      2-0   6 Fay                    Cat",
            "",
            "Semifinals",
            "  M2.1  1 Ann                       -    4 Dan",
            "  M2.2  2 Bob                      0-2   3 Cat                    Cat",
            "",
            "Final",
            "  M3.1  winner of M2.1              -    3 Cat",
            "",
            "Places",
            "  5-6 Eve, Fay",
        ]
    )


def test_rounds_of_a_double_elimination_are_named() -> None:
    printed = text(best_wins(start(EIGHT, form=Form.DOUBLE)))
    headings = [line for line in printed.splitlines()[1:] if line and not line.startswith(" ")]
    assert headings == [
        "Main quarterfinals",
        "Main semifinals",
        "Main final",
        "Lower round 1",
        "Lower round 2",
        "Lower round 3",
        "Lower round 4",
        "Grand final",
        "Places",
    ]
