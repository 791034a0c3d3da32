"""The cut in an event: seeded with the ties told, played, corrected after a look, left; and where everybody ends."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tournament.service.stage import Prepared, Stage
from tournament import event_file, store
from tournament.database import Database
from tournament.domain import errors as rules
from tournament.domain.bracket import DoubleLosses, Draws, Leaving, left, matches, winner
from tournament.domain.bracket_plan import Form
from tournament.domain.lifecycle import Phase
from tournament.domain.model import Ending
from tournament.errors import (
    CorrectionUnseen,
    CutNotFound,
    CutReopened,
    CutUnfinished,
    ErasureTooEarly,
    MergeRefused,
    NotPlaying,
    ResultRefused,
)
from tournament.event_file import answers
from tournament.service import brackets, cut, entries, events, exports, merging, privacy, results
from tournament.service.commands import Nothing


@pytest.fixture(scope="module")
def prepared(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """Eight players, three rounds; the smaller number won every match."""
    return Prepared.of(sqlite, tmp_path_factory.mktemp("prepared"), lambda stage: stage.announce(8).play(3))


@pytest.fixture
def stage(prepared: Prepared, tmp_path: Path) -> Iterator[Stage]:
    with prepared.copied(tmp_path) as stage:
        yield stage


def seeds(stage: Stage) -> list[int]:
    return [int(seed) for seed in bracket(stage).seeds]


def bracket(stage: Stage) -> Any:
    return stage.look(lambda session, event: store.bracket_of(session, event.id))


def places(stage: Stage) -> list[tuple[int, int, tuple[int, ...]]]:
    _, found = stage.look(cut.places_of)
    return [(place.first, place.last, tuple(map(int, place.players))) for place in found]


def from_export(stage: Stage) -> list[tuple[int, int, tuple[int, ...]]]:
    event = event_file.parse_event_file(stage.look(exports.export))
    return [(one.first, one.last, tuple(map(int, one.players))) for one in answers.places_of(event)]


def correct(match: str, first: int, second: int, seen: str = "") -> cut.Correct:
    return cut.Correct(match=match, games=results.Games(first=first, second=second), seen=seen)


# --- seeds


def test_the_seeds_are_the_standings_and_every_tie_is_told(stage: Stage) -> None:
    event = event_file.parse_event_file(stage.look(exports.export))
    expected = answers.cut_of(event, 4)
    fact = stage.do(cut.START, cut.StartCut(top=4))
    assert fact.seeds == list(map(int, expected.seeds))
    assert [tie.sentence for tie in fact.ties] == list(map(str, expected.ties))
    assert stage.row.phase == Phase.CUT
    stage.assert_whole()


def test_a_preview_is_what_the_start_would_do(stage: Stage) -> None:
    seen = stage.look(lambda session, event: cut.seeds_of(session, event, cut.Choice(points=6)))
    fact = stage.do(cut.START, cut.StartCut(points=6))
    assert fact.seeds == list(map(int, seen.seeds))
    assert len(fact.seeds) == sum(
        line.match_points >= 6 for line in stage.look(lambda s, e: cut.standings.after(s, e)[1])
    )


def test_who_left_is_skipped_and_the_next_one_moves_up(stage: Stage) -> None:
    best = stage.look(lambda session, event: cut.seeds_of(session, event, cut.Choice(top=4)).seeds)
    stage.do(entries.DROP, entries.Leave(entry=int(best[0])))
    stage.do(cut.START, cut.StartCut(top=4))
    assert seeds(stage)[:3] == list(map(int, best[1:]))


def test_without_a_size_the_cut_is_that_of_appendix_e(embedded: Database) -> None:
    # Magic Tournament Rules, appendix E: 9 to 16 players, a cut to 4
    stage = Stage(embedded).announce(9).play(1)
    assert len(stage.do(cut.START).seeds) == 4


def test_a_small_event_may_be_its_cut_alone(embedded: Database) -> None:
    # appendix E: 5 to 8 players play single elimination and no Swiss rounds
    stage = Stage(embedded).announce(5)
    fact = stage.do(cut.START)
    assert sorted(fact.seeds) == [1, 2, 3, 4, 5]
    assert "the draw decides their seeds" in fact.ties[0].sentence


def test_a_cut_by_points_has_no_size(stage: Stage) -> None:
    with pytest.raises(ValueError, match="name one of the two"):
        cut.StartCut(top=4, points=6)
    with pytest.raises(rules.CutImpossible):
        stage.do(cut.START, cut.StartCut(top=9))
    with pytest.raises(CutNotFound):
        stage.look(lambda session, event: brackets.load(session, event.id))


# --- played


def test_a_cut_is_played_to_its_winner_and_the_export_gives_the_same_places(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=4, form=Form.SINGLE_WITH_THIRD_PLACE))
    one, two, three, four = seeds(stage)
    stage.in_cut("M1.1", 0, 2)
    stage.in_cut("M1.2", 2, 1)
    with pytest.raises(CutUnfinished) as refused:
        stage.do(events.FINISH)
    assert list(refused.value.matches) == ["M2.1", "3RD"]
    stage.in_cut("M2.1")
    stage.in_cut("3RD", 1, 2)
    stage.do(events.FINISH)
    assert places(stage)[:4] == [(1, 1, (four,)), (2, 2, (two,)), (3, 3, (three,)), (4, 4, (one,))]
    assert places(stage) == from_export(stage)
    assert sorted(player for _, _, players in places(stage) for player in players) == list(range(1, 9))
    stage.assert_whole()


def test_double_elimination_is_played_again_when_the_lower_bracket_wins(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=2, form=Form.DOUBLE))
    first, second = seeds(stage)
    stage.in_cut("M1.1")
    stage.in_cut("GF", 0, 2)
    assert winner(bracket(stage)) is None
    stage.in_cut("GF2", 0, 2)
    assert places(stage)[:2] == [(1, 1, (second,)), (2, 2, (first,))]


def test_the_same_report_again_is_the_first_one_and_another_is_refused(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=4))
    stage.in_cut("M1.1")
    version = stage.version
    stage.in_cut("M1.1")
    assert stage.version == version
    with pytest.raises(rules.AlreadyReported):
        stage.in_cut("M1.1", 0, 2)
    with pytest.raises(rules.MatchNotReady):
        stage.in_cut("M2.1")
    with pytest.raises(rules.MatchUnknown):
        stage.in_cut("M9.9")
    with pytest.raises(ResultRefused):
        stage.in_cut("M1.2", 3, 0)


def test_draws_and_double_losses_are_settled_by_the_rule_that_was_chosen(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=4, draws=Draws.HIGHER_SEED, double_losses=DoubleLosses.REPLAY))
    one, *_ = seeds(stage)
    stage.in_cut("M1.1", 1, 1)
    with pytest.raises(rules.DoubleLossNotSettled):
        stage.in_cut("M1.2", 0, 0, Ending.DOUBLE_LOSS)
    stage.in_cut("M1.2", 0, 2)
    assert str(one) in next(match for match in _matches(stage) if match.id == "M2.1").seats


def test_usually_no_draw_is_accepted_and_a_double_loss_puts_both_out(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=4))
    with pytest.raises(rules.DrawNotSettled):
        stage.in_cut("M1.1", 1, 1)
    stage.in_cut("M1.1", 0, 0, Ending.DOUBLE_LOSS)
    stage.in_cut("M1.2")
    assert winner(bracket(stage)) == str(seeds(stage)[1])


def _matches(stage: Stage) -> Any:
    return matches(bracket(stage))


def test_a_match_of_the_cut_may_be_longer(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=2, best_of=5))
    stage.in_cut("M1.1", 3, 2)
    assert winner(bracket(stage)) == bracket(stage).seeds[0]


# --- corrected


def test_a_correction_that_changes_another_match_has_to_be_looked_at(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=4))
    one, two, _, four = seeds(stage)
    for match in ("M1.1", "M1.2", "M2.1"):
        stage.in_cut(match)
    with pytest.raises(CorrectionUnseen) as refused:
        stage.do(cut.CORRECT, correct("M1.1", 0, 2))
    assert list(refused.value.replay) == [f"M2.1: was {one} - {two}, is now {four} - {two}"]
    seen = stage.look(lambda s, e: cut.seen_of(cut.correction_of(s, e, correct("M1.1", 0, 2))))
    fact = stage.do(cut.CORRECT, correct("M1.1", 0, 2, seen.seen))
    assert (fact.lines_gone, fact.before.first) == ([3], 2)
    stage.in_cut("M2.1")
    assert winner(bracket(stage)) == str(four)
    stage.assert_whole()


def test_a_correction_of_the_games_alone_needs_no_look_and_the_same_again_is_none(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=4))
    stage.in_cut("M1.1")
    stage.do(cut.CORRECT, correct("M1.1", 2, 1))
    version = stage.version
    stage.do(cut.CORRECT, correct("M1.1", 2, 1))
    assert stage.version == version


def test_after_the_end_nothing_is_played_again(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=4))
    for match in ("M1.1", "M1.2", "M2.1"):
        stage.in_cut(match)
    stage.do(events.FINISH)
    seen = stage.look(lambda s, e: cut.seen_of(cut.correction_of(s, e, correct("M1.1", 0, 2))))
    with pytest.raises(CutReopened):
        stage.do(cut.CORRECT, correct("M1.1", 0, 2, seen.seen))
    stage.do(cut.CORRECT, correct("M2.1", 0, 2))
    assert places(stage)[0][2] == (seeds(stage)[1],)


# --- left


def test_a_drop_in_the_cut_gives_the_opponent_the_walkover(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=4))
    one, _, _, four = seeds(stage)
    stage.do(entries.DROP, entries.Leave(entry=one))
    assert next(match for match in _matches(stage) if match.id == "M1.1").outcome.winner == str(four)
    outside = next(n for n in range(1, 9) if n not in seeds(stage))
    stage.do(entries.DROP, entries.Leave(entry=outside))
    assert len(bracket(stage).log) == 1
    with pytest.raises(NotPlaying):
        stage.do(entries.DROP, entries.Leave(entry=one))
    stage.assert_whole()


def test_a_disqualification_moves_everybody_below_up_one(stage: Stage) -> None:
    # Infraction Procedure Guide 1.1: nobody is promoted into the cut, but the fifth becomes fourth
    stage.do(cut.START, cut.StartCut(top=4))
    one, two, *_ = seeds(stage)
    best_outside = places(stage)[-4:][0][2]
    stage.do(cut.LEAVE, cut.Leave(players=[one], why=Leaving.DISQUALIFIED))
    assert stage.look(lambda s, e: store.find_entry(s, e.id, one)).disqualified
    stage.in_cut("M1.2")
    stage.in_cut("M2.1", 0, 2)
    assert winner(bracket(stage)) == str(two)
    assert best_outside[0] in next(players for first, _, players in places(stage) if first == 4)
    assert one not in {player for _, _, players in places(stage) for player in players}
    assert places(stage) == from_export(stage)
    stage.assert_whole()


def test_of_two_who_leave_together_none_advances(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=4))
    one, _, _, four = seeds(stage)
    stage.do(cut.LEAVE, cut.Leave(players=[one, four]))
    assert next(match for match in _matches(stage) if match.id == "M1.1").outcome.winner is None
    with pytest.raises(rules.AlreadyLeft):
        stage.do(cut.LEAVE, cut.Leave(players=[one]))
    with pytest.raises(rules.NotInBracket):
        stage.do(cut.LEAVE, cut.Leave(players=[next(n for n in range(1, 9) if n not in seeds(stage))]))


def test_a_disqualification_that_is_taken_back_leaves_a_drop(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=4))
    one, two, _, four = seeds(stage)
    stage.do(cut.LEAVE, cut.Leave(players=[one, two], why=Leaving.DISQUALIFIED))
    with stage.database.writing() as session:
        event, row = store.find_event(session, stage.event), store.log_row(session, stage.event, stage.version)
        assert event is not None
        brackets.reinstate(session, event, row, one)
        session.flush()
    assert left(bracket(stage)) == {str(one): Leaving.DROPPED, str(two): Leaving.DISQUALIFIED}
    assert next(match for match in _matches(stage) if match.id == "M1.1").outcome.winner == str(four)


def test_a_round_is_drawn_anew_among_those_who_remain(stage: Stage) -> None:
    # 4 leaves: without drawing anew 1 has a bye anyway; 2 leaves too, and the highest seed keeps the bye
    stage.do(cut.START, cut.StartCut(top=4))
    one, two, three, four = seeds(stage)
    stage.do(entries.DROP, entries.Leave(entry=two))
    stage.do(cut.REDRAW)
    assert next(match for match in _matches(stage) if match.id == "M1.2").seats == (str(three), str(four))
    assert next(match for match in _matches(stage) if match.id == "M1.1").outcome.winner == str(one)
    stage.in_cut("M1.2")
    with pytest.raises(rules.RedrawRefused):
        stage.do(cut.REDRAW)
    stage.assert_whole()


def test_a_drop_by_mistake_is_taken_back_with_what_hung_on_it(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=4))
    one, *_ = seeds(stage)
    stage.do(cut.LEAVE, cut.Leave(players=[one], why=Leaving.DISQUALIFIED))
    stage.in_cut("M1.2")
    stage.in_cut("M2.1")
    with pytest.raises(CorrectionUnseen):
        stage.do(cut.TAKE_BACK, cut.TakeBack(line=1))
    seen = stage.look(lambda s, e: cut.seen_of(cut.without_line(s, e, 1)))
    fact = stage.do(cut.TAKE_BACK, cut.TakeBack(line=1, seen=seen.seen))
    entry = stage.look(lambda s, e: store.find_entry(s, e.id, one))
    assert (entry.dropped_after, entry.disqualified, fact.lines_gone) == (None, False, [3])
    assert [line.match for line in bracket(stage).log] == ["M1.2"]
    with pytest.raises(rules.NothingToUndo):
        stage.do(cut.TAKE_BACK, cut.TakeBack(line=1))
    stage.assert_whole()


def test_a_result_of_a_match_that_was_not_played_is_taken_back(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=4))
    stage.in_cut("M1.1")
    stage.in_cut("M1.2")
    seen = stage.look(lambda s, e: cut.seen_of(cut.without_line(s, e, 1)))
    stage.do(cut.TAKE_BACK, cut.TakeBack(line=1, seen=seen.seen))
    assert [line.match for line in bracket(stage).log] == ["M1.2"]
    stage.in_cut("M1.1", 0, 2)
    assert json.loads(stage.look(exports.export))["cut"]["log"][-1]["games"] == [0, 2, 0]


def test_an_event_ends_before_its_cut_only_with_a_reason(stage: Stage) -> None:
    stage.do(cut.START, cut.StartCut(top=4))
    stage.do(events.FINISH, Nothing(reason="the hall closes"))
    assert stage.row.phase == Phase.FINISHED
    assert places(stage) == from_export(stage)


def test_nobody_acts_on_a_cut_that_is_not_there(stage: Stage) -> None:
    for kind, arguments in (
        (cut.REPORT, cut.Report(match="M1.1", games=results.Games(first=2, second=0))),
        (cut.CORRECT, correct("M1.1", 2, 0)),
        (cut.LEAVE, cut.Leave(players=[1])),
    ):
        with pytest.raises((CutNotFound, rules.ActionNotAllowed)):
            stage.do(kind, arguments)  # type: ignore[arg-type]


def test_who_is_in_a_cut_without_rounds_has_played_and_is_neither_merged_away_nor_erased(embedded: Database) -> None:
    stage = Stage(embedded).announce(5)
    seeds = stage.do(cut.START, cut.StartCut(top=4)).seeds
    [out] = {1, 2, 3, 4, 5} - set(seeds)
    with pytest.raises(MergeRefused, match="the other way round"):
        stage.do(merging.MERGE, merging.Merge(entry=out, void=seeds[0]))
    stage.do(cut.LEAVE, cut.Leave(players=[seeds[0]]))
    with pytest.raises(ErasureTooEarly):
        stage.do(privacy.ERASE, privacy.Erase(entry=seeds[0], reason="asked by letter"))
    stage.do(merging.MERGE, merging.Merge(entry=seeds[1], void=out))
