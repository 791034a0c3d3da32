"""Whatever happens to a bracket: every seat comes from where the bracket says, and everybody is out once."""

from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tournament.domain.bracket import (
    Bracket,
    DoubleLosses,
    Draws,
    Empty,
    How,
    Leaving,
    Left,
    Match,
    Occupant,
    Redrawn,
    Reported,
    finished,
    left,
    losses,
    matches,
    places,
    ready,
    winner,
)
from tournament.domain.bracket_moves import correct, disqualify, drop, redraw, report, start, undo
from tournament.domain.bracket_plan import Form, LoserOf, Part, Seed, Source
from tournament.domain.bracket_text import text
from tournament.domain.errors import TournamentError
from tournament.domain.model import Ending, PlayerId, Result

RESULTS = st.sampled_from(
    [Result(2, 0), Result(2, 1), Result(0, 2), Result(1, 2), Result(1, 1, 1), Result(0, 0, 0, Ending.DOUBLE_LOSS)]
)
NOBODY_WINS = {How.DOUBLE_LOSS, How.BOTH_LEFT}


def came_from(source: Source, before: dict[str, Match], seeds: tuple[PlayerId, ...]) -> Occupant:
    """Who should sit there, read off the outcome of the match before and nothing else."""
    if isinstance(source, Seed):
        return dict(enumerate(seeds, start=1)).get(source.rank, Empty.NOBODY)
    ended = before[source.match].outcome
    if ended is None:
        return Empty.OPEN
    if isinstance(source, LoserOf):
        falling = ended.losers if ended.how not in NOBODY_WINS else ()
        return falling[0] if falling else Empty.NOBODY
    return ended.winner or Empty.NOBODY


class LifeOfABracket(RuleBasedStateMachine):
    bracket: Bracket
    changed_afterwards = False

    @initialize(
        players=st.integers(2, 11),
        form=st.sampled_from(Form),
        draws=st.sampled_from(Draws),
        double_losses=st.sampled_from(DoubleLosses),
    )
    def lay_out(self, players: int, form: Form, draws: Draws, double_losses: DoubleLosses) -> None:
        seeds = [PlayerId(f"p{number}") for number in range(1, players + 1)]
        self.bracket = start(seeds, form=form, draws=draws, double_losses=double_losses)

    @precondition(lambda self: bool(ready(self.bracket)))
    @rule(data=st.data(), result=RESULTS)
    def report_a_match(self, data: st.DataObject, result: Result) -> None:
        match = data.draw(st.sampled_from(ready(self.bracket)))
        try:
            reported = report(self.bracket, match.id, result)
        except TournamentError:
            assert self.bracket.draws in {Draws.SUDDEN_DEATH, Draws.EXTRA_GAME, Draws.BOTH_LOSE} or result.first == 0
            return
        assert report(reported, match.id, result) == reported
        self.bracket = reported

    @precondition(lambda self: any(isinstance(entry, Reported) for entry in self.bracket.log))
    @rule(data=st.data(), result=RESULTS)
    def correct_a_match(self, data: st.DataObject, result: Result) -> None:
        reported = [entry for entry in self.bracket.log if isinstance(entry, Reported)]
        entry = data.draw(st.sampled_from(reported))
        try:
            correction = correct(self.bracket, entry.match, result)
        except TournamentError:
            return
        now = {match.id: match.seats for match in matches(correction.bracket)}
        kept = {entry.match for entry in correction.bracket.log if isinstance(entry, Reported)}
        assert {change.match for change in correction.replay} == {entry.match for entry in reported} - kept
        assert all(change.now == now[change.match] != change.before for change in correction.replay + correction.moved)
        self.bracket = correction.bracket
        self.changed_afterwards = True

    @rule(data=st.data(), why=st.sampled_from(Leaving), many=st.integers(1, 2))
    def leave(self, data: st.DataObject, why: Leaving, many: int) -> None:
        there = [player for player in self.bracket.seeds if player not in left(self.bracket)]
        if len(there) > many:
            players = data.draw(st.permutations(there))[:many]
            move = drop if why is Leaving.DROPPED else disqualify
            self.bracket = move(self.bracket, *players)

    @rule()
    def draw_the_round_anew(self) -> None:
        try:
            self.bracket = redraw(self.bracket)
        except TournamentError:
            return
        assert isinstance(self.bracket.log[-1], Redrawn)

    @precondition(lambda self: bool(self.bracket.log))
    @rule(data=st.data())
    def take_a_line_back(self, data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(self.bracket.log))
        self.bracket = undo(self.bracket, entry).bracket
        self.changed_afterwards = True
        assert entry not in self.bracket.log or isinstance(entry, Redrawn)

    @invariant()
    def seats_come_from_where_the_bracket_says(self) -> None:
        before: dict[str, Match] = {}
        redrawn = {entry.round for entry in self.bracket.log if isinstance(entry, Redrawn)}
        for match in matches(self.bracket):
            before[match.id] = match
            if match.plan.part is Part.RESET:
                final = before["GF"].outcome
                needed = before["GF"].seats if final and final.losers and not final.out else (Empty.NOBODY,) * 2
                assert match.seats == (needed if final else (Empty.OPEN,) * 2)
            elif match.plan.part is not Part.MAIN or match.plan.round not in redrawn:
                sources = (match.plan.first, match.plan.second)
                assert match.seats == tuple(came_from(source, before, self.bracket.seeds) for source in sources)

    @invariant()
    def every_result_is_of_the_two_who_sit_there(self) -> None:
        now = {match.id: match for match in matches(self.bracket)}
        for entry in self.bracket.log:
            if isinstance(entry, Reported):
                ended = now[entry.match].outcome
                assert now[entry.match].seats == (entry.first, entry.second)
                assert ended
                assert ended.result == entry.result

    @invariant()
    def nobody_plays_two_matches_at_once_or_after_being_out(self) -> None:
        playing = Counter(seat for match in ready(self.bracket) for seat in match.seats)
        out = {player for match in matches(self.bracket) if match.outcome for player in match.outcome.out}
        assert all(times == 1 for times in playing.values())
        assert not out & playing.keys()

    @invariant()
    def everybody_is_out_with_one_loss_or_with_two(self) -> None:
        limit = 2 if self.bracket.form is Form.DOUBLE else 1
        lost = losses(self.bracket)
        for match in matches(self.bracket):
            if match.outcome and match.outcome.how not in NOBODY_WINS:
                extra = match.plan.part is Part.THIRD_PLACE
                assert all(lost[player] == limit + extra for player in match.outcome.out)

    @invariant()
    def places_are_shared_without_holes(self) -> None:
        removed = [player for player, why in left(self.bracket).items() if why is Leaving.DISQUALIFIED]
        placed = len(self.bracket.seeds) - len(removed)
        numbers = [number for place in places(self.bracket) for number in range(place.first, place.last + 1)]
        players = [player for place in places(self.bracket) for player in place.players]
        assert len(players) == len(set(players)) == len(numbers) == len(set(numbers))
        assert not set(players) & set(removed)
        assert all(1 <= number <= placed for number in numbers)
        if finished(self.bracket):
            assert numbers == list(range(1, placed + 1))

    @invariant()
    def the_winner_is_never_out(self) -> None:
        champion = winner(self.bracket)
        if champion and Leaving.DISQUALIFIED not in left(self.bracket).values():
            assert all(champion not in match.outcome.out for match in matches(self.bracket) if match.outcome)

    @precondition(lambda self: not self.changed_afterwards)
    @invariant()
    def the_log_played_again_gives_the_same_bracket(self) -> None:
        again = start(
            self.bracket.seeds,
            form=self.bracket.form,
            draws=self.bracket.draws,
            double_losses=self.bracket.double_losses,
        )
        for entry in self.bracket.log:
            if isinstance(entry, Reported):
                again = report(again, entry.match, entry.result)
            elif isinstance(entry, Left):
                move = drop if entry.why is Leaving.DROPPED else disqualify
                again = move(again, *entry.players)
            else:
                again = redraw(again)
        assert again == self.bracket

    @invariant()
    def it_prints(self) -> None:
        assert text(self.bracket).startswith(self.bracket.form.capitalize())

    def teardown(self) -> None:
        """Play it to the end: it ends, and everybody has a place."""
        if not hasattr(self, "bracket"):
            return
        while to_play := ready(self.bracket):
            self.bracket = report(self.bracket, to_play[0].id, Result(2, 0))
            self.places_are_shared_without_holes()
        assert finished(self.bracket)
        self.places_are_shared_without_holes()
        self.everybody_is_out_with_one_loss_or_with_two()


TestLifeOfABracket = pytest.mark.filterwarnings("error")(LifeOfABracket.TestCase)
TestLifeOfABracket.settings = settings(max_examples=120, stateful_step_count=25, deadline=None)
