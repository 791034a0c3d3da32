"""The life of an event: one table for "may I?", "do it" and the drawings."""

from itertools import product

import pytest

from tournament.domain.errors import ActionNotAllowed, TournamentError
from tournament.domain.lifecycle import Action, Phase, advance, allowed, as_diagram, as_table, phases_for


def test_an_event_goes_from_draft_to_its_winner() -> None:
    phase = Phase.DRAFT
    for action in (
        Action.OPEN_REGISTRATION,
        Action.ENTER,
        Action.OPEN_CHECK_IN,
        Action.CHECK_IN,
        Action.PAIR,
        Action.START_ROUND,
        Action.REPORT,
        Action.CLOSE_ROUND,
        Action.PAIR,
        Action.START_ROUND,
        Action.REPORT,
        Action.CLOSE_ROUND,
        Action.START_CUT,
        Action.REPORT,
        Action.FINISH,
    ):
        phase = advance(phase, action)
    assert phase is Phase.FINISHED


def test_an_event_may_end_without_a_cut() -> None:
    assert advance(Phase.BETWEEN_ROUNDS, Action.FINISH) is Phase.FINISHED


def test_a_round_can_be_opened_again() -> None:
    assert advance(Phase.BETWEEN_ROUNDS, Action.REOPEN_ROUND) is Phase.ROUND


def test_a_result_is_reported_where_matches_are_played() -> None:
    assert phases_for(Action.REPORT) == (Phase.ROUND, Phase.CUT)


def test_a_result_is_corrected_even_after_the_end() -> None:
    assert phases_for(Action.CORRECT) == (Phase.ROUND, Phase.BETWEEN_ROUNDS, Phase.CUT, Phase.FINISHED)
    assert advance(Phase.FINISHED, Action.CORRECT) is Phase.FINISHED


def test_a_finished_event_is_corrected_edited_and_put_away_and_a_void_one_put_away() -> None:
    assert allowed(Phase.FINISHED) == {Action.CORRECT, Action.EDIT, Action.ARCHIVE}
    assert allowed(Phase.VOID) == {Action.ARCHIVE}


def test_nobody_comes_back_into_a_cut() -> None:
    assert Action.RETURN not in allowed(Phase.CUT)
    assert Action.ENTER_LATE not in allowed(Phase.CUT)


def test_every_phase_is_reached_from_draft() -> None:
    reached = {Phase.DRAFT}
    while more := {advance(phase, action) for phase in reached for action in allowed(phase)} - reached:
        reached |= more
    assert reached == set(Phase)


def test_every_unfinished_event_can_still_end() -> None:
    ends = {Phase.FINISHED, Phase.VOID}
    for phase in set(Phase) - ends:
        assert advance(phase, Action.VOID) is Phase.VOID
    assert {phase for phase in Phase if not {advance(phase, action) for action in allowed(phase)} - {phase}} == ends


def test_every_action_is_allowed_somewhere() -> None:
    assert all(phases_for(action) for action in Action)


@pytest.mark.parametrize(("phase", "action"), list(product(Phase, Action)))
def test_what_may_be_done_can_be_done_and_nothing_else(phase: Phase, action: Action) -> None:
    if action in allowed(phase):
        assert advance(phase, action) in Phase
    else:
        with pytest.raises(ActionNotAllowed) as refused:
            advance(phase, action)
        assert (refused.value.phase, refused.value.action) == (phase, action)
    assert (phase in phases_for(action)) is (action in allowed(phase))


def test_a_refusal_says_what_and_when() -> None:
    with pytest.raises(TournamentError, match=r"^cannot start a round after the tournament has ended$"):
        advance(Phase.FINISHED, Action.START_ROUND)


SAID = {
    Phase.DRAFT: "cannot report a result while the tournament is a draft",
    Phase.REGISTRATION: "cannot report a result during registration",
    Phase.CHECK_IN: "cannot report a result during check-in",
    Phase.ROUND: "cannot finish the event while a round is being played",
    Phase.BETWEEN_ROUNDS: "cannot report a result between rounds",
    Phase.CUT: "cannot start a round while the cut is being played",
    Phase.FINISHED: "cannot report a result after the tournament has ended",
    Phase.VOID: "cannot report a result in a tournament that is void",
}


@pytest.mark.parametrize("phase", Phase)
def test_a_refusal_is_a_sentence_in_every_phase(phase: Phase) -> None:
    action = next(action for action in Action if f"cannot {action} " in SAID[phase])
    with pytest.raises(ActionNotAllowed) as refused:
        advance(phase, action)
    assert str(refused.value) == SAID[phase]


def test_the_table_has_a_row_for_each_action_and_a_column_for_each_phase() -> None:
    head, _, *rows = as_table().splitlines()
    assert head.count("|") == len(Phase) + 2
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows] == list(Action)
    assert rows[list(Action).index(Action.CLOSE_ROUND)] == "| close the round |  |  |  | between rounds |  |  |  |  |"


def test_the_diagram_draws_every_move_between_phases() -> None:
    arrows = {line.strip() for line in as_diagram().splitlines() if "-->" in line}
    assert "between_rounds --> cut: start the cut" in arrows
    assert "[*] --> draft" in arrows
    moves = [(p, a) for p in Phase for a in allowed(p) if advance(p, a) is not p]
    assert len(arrows) == len(moves) + 3  # where it begins, and where it ends
