"""Which places hang on the choice of tiebreaks."""

from collections.abc import Sequence
from dataclasses import replace

from tournament.domain.model import Bye, Pairing, Player, PlayerId, Result, Round
from tournament.domain.presets import BUCHHOLZ, MTGO, MTR_2026, WER, netrunner, pokemon
from tournament.domain.results import PointsTaken
from tournament.domain.sensitivity import Move, cut_sensitivity

ANN, BOB, CAT, DAN, EVE = (PlayerId(name) for name in ("ann", "bob", "cat", "dan", "eve"))
FIVE = [Player(id=player, name=player) for player in (ANN, BOB, CAT, DAN, EVE)]


def beats(first: PlayerId, second: PlayerId) -> Pairing:
    return Pairing(1, first, second, Result(2, 0))


def swiss(*rounds: Sequence[Pairing | Bye]) -> list[Round]:
    return [Round(number, tuple(seats)) for number, seats in enumerate(rounds, start=1)]


#  round | 1             2             3
#        | ann beats bob ann beats cat ann beats dan
#        | cat beats dan bob beats eve cat beats eve
#        | eve bye       dan bye       bob bye
#  after | ann 9, bob 6, cat 6, dan 3, eve 3
#  bob   | met ann 3-0 and eve 1-2, cat met the same and dan 1-2, so bob has the better mean and cat the greater sum
EVENT = swiss(
    [beats(ANN, BOB), beats(CAT, DAN), Bye(EVE)],
    [beats(ANN, CAT), beats(BOB, EVE), Bye(DAN)],
    [beats(ANN, DAN), beats(CAT, EVE), Bye(BOB)],
)


def test_a_preset_that_changes_nothing_says_so() -> None:
    report = cut_sensitivity(FIVE, EVENT, 2, MTR_2026, others=[WER])
    assert report.inside == (ANN, BOB)
    assert report.changes[0].moves == ()
    assert report.changes[0].sentences == ("under wer every place in the cut stays",)
    assert report.is_firm


def test_who_would_be_in_and_who_would_be_out_is_named() -> None:
    # Buchholz adds up opponents: cat met three (3 + 9 + 3), bob two and a bye (9 + 3)
    (change,) = cut_sensitivity(FIVE, EVENT, 2, MTR_2026, others=[BUCHHOLZ]).changes
    assert change.moves == (Move(BOB, 2, 3), Move(CAT, 3, 2))
    assert (change.enter, change.leave) == ((CAT,), (BOB,))
    assert change.sentences == (
        "under buchholz bob would be 3. instead of 2., and out",
        "under buchholz cat would be 2. instead of 3., and in",
    )


def test_the_sentences_call_players_as_they_are_told_to() -> None:
    (change,) = cut_sensitivity(FIVE, EVENT, 2, MTR_2026, others=[BUCHHOLZ]).changes
    assert change.told(str.capitalize) == (
        "under buchholz Bob would be 3. instead of 2., and out",
        "under buchholz Cat would be 2. instead of 3., and in",
    )


def test_a_seed_that_changes_inside_the_cut_is_named_too() -> None:
    report = cut_sensitivity(FIVE, EVENT, 3, MTR_2026, others=[BUCHHOLZ])
    (change,) = report.changes
    assert (change.enter, change.leave) == ((), ())
    assert change.moves == (Move(BOB, 2, 3), Move(CAT, 3, 2))
    assert report.is_firm


def test_the_preset_itself_is_not_asked_twice() -> None:
    names = [change.preset for change in cut_sensitivity(FIVE, EVENT, 2).changes]
    assert names == ["wer", "mtgo", "pokemon", "netrunner", "buchholz"]


#  ann beats bob, cat beats dan: ann and cat are level in everything
LEVEL = swiss([beats(ANN, BOB), beats(CAT, DAN)])
FOUR = FIVE[:4]


def test_a_line_through_a_shared_place_needs_a_draw() -> None:
    report = cut_sensitivity(FOUR, LEVEL, 1, MTR_2026, others=[MTGO])
    assert report.inside == ()
    assert report.at_the_line == (ANN, CAT)
    assert report.changes[0].sentences == ("under mtgo a draw would decide between ann, cat",)
    assert not report.is_firm


def test_a_shared_place_above_the_line_is_no_trouble() -> None:
    assert cut_sensitivity(FOUR, LEVEL, 2, MTR_2026, others=[MTGO]).is_firm


def test_who_dropped_leaves_the_place_of_the_cut_to_the_next() -> None:
    players = [replace(player, dropped_after=3 if player.id == ANN else None) for player in FIVE]
    assert cut_sensitivity(players, EVENT, 2, others=[]).inside == (BOB, CAT)


def test_points_taken_count_under_every_preset() -> None:
    penalty = PointsTaken(player=ANN, round=3, infraction="late list", reason="sent late", points=9)
    report = cut_sensitivity(FIVE, EVENT, 2, others=[WER, pokemon(), netrunner(), BUCHHOLZ], penalties=[penalty])
    assert set(report.inside) == {BOB, CAT}
    assert not any(ANN in (*change.enter, *change.at_the_line) for change in report.changes)


def test_a_cut_larger_than_the_field_is_everybody() -> None:
    assert len(cut_sensitivity(FIVE, EVENT, 9, others=[]).inside) == 5
