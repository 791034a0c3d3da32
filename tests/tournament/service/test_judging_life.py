"""A random life with claims, calls, penalties, deck checks and notes in it gives the same tables from its log."""

import random
from collections import Counter

from tests.tournament.floor import Floor, playing
from tournament import store
from tournament.database import Database
from tournament.domain.infractions import PenaltyLevel
from tournament.domain.lifecycle import Phase
from tournament.domain.model import Ending
from tournament.errors import TournamentError
from tournament.service import calls, claims, deck_checks, entries, judging, notes, penalties, results, rounds
from tournament.service.commands import Arguments, Kind, Nothing
from tournament.service.derivation import name_of
from tournament.service.kinds import KINDS
from tournament.service.results import Games
from tournament.tables import (
    CallRow,
    ClaimRow,
    DeckCheckRow,
    DeckDrawRow,
    NoteRow,
    NoteTextRow,
    PenaltyRow,
)

MOST_STEPS = 3_000
"""Commands, of which about half are refused; every kind of ours was accepted long before."""
PLAYERS = 8
OURS = [kind.name for noun in (claims, calls, penalties, deck_checks, notes, judging) for kind in noun.KINDS]
OUR_TABLES = (ClaimRow, CallRow, PenaltyRow, DeckDrawRow, DeckCheckRow, NoteRow, NoteTextRow)
FOR_STAFF = (CallRow, PenaltyRow, DeckCheckRow, NoteRow, NoteTextRow)
"""What sealed rows make, and nobody else learns of."""
SEED = 27


class Life:
    def __init__(self, floor: Floor, seed: int) -> None:
        self.floor, self.rng, self.done, self.steps = floor, random.Random(seed), Counter[str](), 0

    def step(self) -> None:
        self.steps += 1
        self.floor.wait(seconds=self.rng.randint(0, 200))
        kind, arguments, who = self.something()
        try:
            self.floor.does(kind, arguments, who)
        except TournamentError:
            return
        self.done[kind.name] += 1

    def something(self) -> "tuple[Kind, Arguments, str | int]":  # type: ignore[type-arg]
        rng, floor = self.rng, self.floor
        event = floor.row()
        with floor.database.reading() as session:
            number = store.last_published(session, floor.event)
            playing = store.tables_playing(session, floor.event, number)
        if event.phase == Phase.BETWEEN_ROUNDS and rng.random() < 0.6:
            return *rng.choice([(rounds.PAIR, rounds.Pair(even_so=True)), (rounds.PUBLISH, rounds.Publish())]), "ann"
        if not playing and rng.random() < 0.1:
            return rounds.CLOSE, Nothing(), "ann"
        table = rng.choice(playing) if playing and rng.random() < 0.8 else rng.randint(1, 3)
        with floor.database.reading() as session:
            seat = store.find_table(session, floor.event, number, table)
            said = store.claims_by(session, floor.event, seat) if seat else {}
            call, penalty, deck_check, note = (
                max(1, store.last_number(session, table, floor.event) - rng.randint(0, 2))
                for table in (CallRow, PenaltyRow, DeckCheckRow, NoteRow)
            )
        player = rng.choice([seat.first, seat.second]) if seat and rng.random() < 0.9 else rng.randint(1, PLAYERS)
        won, lost = rng.choice([(2, 0), (2, 1)])
        with floor.database.reading() as session:
            known = store.find_call(session, floor.event, call)
        caller = known.entry if known and known.entry else player
        claimed = [one.claimed for one in said.values()] or [1]
        text = rng.choice(["", "so it was"])
        games = Games(first=won, second=lost)
        round_and_table = {"round": number, "table": table}
        judge = rng.choice(["ann", "bea"])
        ending = rng.choice(list(Ending)[:3])
        conceded = {"conceded_by": rng.choice(["me", "opponent"])} if ending is Ending.CONCESSION else {}
        won_by_me = {"mine": won, "theirs": lost} if ending is Ending.PLAYED else {}
        claim = claims.MakeClaim(**round_and_table, **won_by_me, ending=ending, **conceded)  # type: ignore[arg-type]
        level = rng.choice([*[PenaltyLevel.GAME_LOSS, PenaltyLevel.MATCH_LOSS] * 5, *PenaltyLevel])
        infraction = rng.choice(["slow-play", "tardiness", "a hat"])
        check = deck_checks.DeckCheckNumber(deck_check=deck_check)
        options: list[tuple[Kind, Arguments, str | int]] = [  # type: ignore[type-arg]
            *[(claims.MAKE, claim, player)] * 4,
            (claims.CONFIRM, claims.ConfirmClaim(**round_and_table, claim=rng.choice(claimed)), player),
            (claims.WITHDRAW, claims.WithdrawClaim(**round_and_table), player),
            *[(claims.SETTLE, claims.SettleClaims(**round_and_table, games=games, reason="asked both"), judge)] * 2,
            *[(claims.ACCEPT, claims.AcceptClaims(round=number, claims=claimed), judge)] * 2,
            (results.REPORT, results.Report(**round_and_table, games=games), judge),
            (results.CORRECT, results.Report(**round_and_table, games=games, reason="wrong slip"), judge),
            *[(calls.MAKE, calls.JudgeCall(topic=text), player)] * 2,
            (calls.MAKE, calls.JudgeCall(topic=text, table=table), judge),
            (calls.TAKE, calls.CallNumber(call=call), judge),
            *[(calls.RELEASE, calls.CallNumber(call=call), judge)] * 2,
            (calls.CLOSE, calls.CloseCall(call=call, ruling=text), judge),
            (calls.WITHDRAW, calls.CallNumber(call=call), caller),
            (penalties.GIVE, penalties.GivePenalty(entry=player, infraction=infraction, level=level, text=text), judge),
            *[(penalties.APPLY, penalties.PenaltyNumber(penalty=penalty), judge)] * 3,
            *[(penalties.TAKE_BACK, penalties.PenaltyNumber(penalty=penalty), judge)] * 2,
            (penalties.CORRECT, penalties.CorrectPenalty(penalty=penalty, level=level, text=text, reason="y"), judge),
            (penalties.WITHDRAW, penalties.WithdrawPenalty(penalty=penalty, reason="not so"), judge),
            (deck_checks.DRAW, deck_checks.DrawTables(tables=1, again=rng.random() < 0.8), judge),
            (deck_checks.CHOOSE, deck_checks.ChooseTable(table=table, reason="a look"), judge),
            (deck_checks.START, check, judge),
            (
                deck_checks.FINISH,
                deck_checks.FinishDeckCheck(deck_check=deck_check, problem=bool(text), text=text),
                judge,
            ),
            (deck_checks.FINISH, deck_checks.FinishDeckCheck(deck_check=deck_check, penalties=[penalty]), judge),
            *[(deck_checks.AMEND, deck_checks.AmendDeckCheck(deck_check=deck_check, text=text, reason="n"), judge)] * 3,
            (deck_checks.CALL_OFF, deck_checks.CallOffDeckCheck(deck_check=deck_check, reason="no time"), judge),
            (
                notes.WRITE,
                notes.WriteNote(text="n", entry=rng.choice([None, player]), table=rng.choice([None, 1])),
                judge,
            ),
            (notes.AMEND, notes.AmendNote(note=note, text="m", revision=rng.randint(1, 2)), judge),
            (judging.SET, judging.SetJudging(player_reports=event.player_reports is False), "ann"),
            *[(judging.SET, judging.SetJudging(player_reports=True), "ann")] * 2,
            (entries.DROP, entries.Leave(entry=player), judge),
            (entries.RETURN, entries.Return(entry=rng.randint(1, PLAYERS)), judge),
            (entries.RETURN, entries.Return(entry=player), judge),
        ]
        return rng.choice(options)


def test_a_random_life_with_judges_gives_the_same_tables_from_its_log(common: Database) -> None:
    floor = playing(common, players=PLAYERS)
    floor.judge("bea")
    life = Life(floor, SEED)
    while set(OURS) - life.done.keys() and life.steps < MOST_STEPS:
        life.step()
    assert set(OURS) - life.done.keys() == set()
    assert floor.holds()
    assert floor.missing_in_public() == {name_of(table) for table in FOR_STAFF}
    with common.reading() as session:
        empty = {table.__name__ for table in OUR_TABLES if not store.rows_of(session, table, floor.event)}
    assert empty == set()


def test_what_staff_alone_may_read_is_sealed_and_what_gives_results_is_not() -> None:
    sealed = {name for name, kind in KINDS.items() if kind.sealed}
    assert sealed == {
        *("call.make", "call.close", "note.write", "note.amend"),
        *("penalty.give", "penalty.correct", "penalty.withdraw"),
        *("deck-check.choose", "deck-check.finish", "deck-check.amend", "deck-check.call-off"),
        *("pass.issue", "pass.issue-all", "pass.revoke", "pass.scan", "pass.sync", "pass.settle", "epoch.alert"),
    }
