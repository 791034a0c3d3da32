"""Tables of several, played whole: seats, places, claims, corrections, penalties, and a log that gives all of it."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event as hooks

from tests.tournament.service.stage import Prepared, Stage
from tournament import event_file, store
from tournament.database import Database
from tournament.domain.announcement import CutBy, DrawRule
from tournament.domain.errors import PlayersUnseatable, TournamentError
from tournament.domain.infractions import PenaltyLevel
from tournament.domain.lifecycle import Phase
from tournament.domain.model import Ending, Mode, Way
from tournament.domain.presets import pods as pods_preset
from tournament.domain.standings import rank
from tournament.errors import (
    AnnouncementContradicts,
    ClaimChanged,
    EditRefused,
    FoldRefused,
    NoDisagreement,
    NotYourTable,
    PodsNotMended,
    PodsWithoutCut,
    ResultRefused,
    TableReported,
    TableSettled,
    TablesRefused,
    TablesWorse,
)
from tournament.event_file.answers import standings_of
from tournament.event_file.proving import proofs_of
from tournament.service import (
    apart,
    calls,
    claims,
    clock,
    cut,
    deck_checks,
    disqualifications,
    entries,
    events,
    evidence,
    exports,
    imports,
    judging,
    news,
    penalties,
    privacy,
    repairs,
    results,
    rounds,
    standings,
)
from tournament.service.claims import ClaimState
from tournament.service.codes import Codes
from tournament.service.pools import past_of
from tournament.service.results import TablePlaces
from tournament.service.swaps import SWAP, Move, Swap, Two
from tournament.tables import SeatRow

ANNOUNCED: dict[str, Any] = {"preset": "pods", "pod_size": 4, "rounds": 3}


def places(*ranks: int | tuple[int, ...], ending: Ending = Ending.PLAYED) -> TablePlaces:
    """`places(3, (1, 4), 2)`: 3 has won, 1 and 4 share the second place."""
    return TablePlaces(places=tuple(one if isinstance(one, tuple) else (one,) for one in ranks), ending=ending)


def report(stage: Stage, seat: SeatRow, *ranks: int | tuple[int, ...], kind: Any = results.REPORT) -> Any:
    said = places(*(ranks or seat.players))
    return stage.do(kind, results.Report(round=seat.round, table=seat.table_number or 0, games=said))


def play(stage: Stage, times: int = 1) -> Stage:
    """Rounds in which the smaller number comes before the larger one."""
    for _ in range(times):
        for seat in stage.start():
            if seat.table_number is not None:
                report(stage, seat, *sorted(seat.players))
        stage.do(rounds.CLOSE)
    return stage


@pytest.fixture(scope="module")
def prepared(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """Fourteen players at two tables of four and two of three; the round is played."""
    folder = tmp_path_factory.mktemp("pods")
    return Prepared.of(sqlite, folder, lambda stage: stage.announce(14, **ANNOUNCED).start())


@pytest.fixture
def stage(prepared: Prepared, tmp_path: Path) -> Iterator[Stage]:
    with prepared.copied(tmp_path) as copied:
        yield copied


_IDS = count(1)


def begin(database: Database) -> Stage:
    """A stage whose commands have ids of their own in a database that is shared."""
    return Stage(database, numbers=count(1_000_000 * next(_IDS)))


def fours(stage: Stage) -> list[SeatRow]:
    return [seat for seat in stage.seats(1) if len(seat.players) == 4]


# --- announcing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("announced", "field"),
    [
        ({"cut": CutBy.SIZE, "cut_size": 4}, "cut"),
        ({"cut": CutBy.TABLE}, "cut"),
        ({"mode": Mode.ROUND_ROBIN}, "pod_size"),
    ],
)
def test_what_is_played_in_matches_of_two_is_refused_at_the_announcement(
    one: Database, announced: dict[str, Any], field: str
) -> None:
    with pytest.raises(AnnouncementContradicts) as refused:
        begin(one).announce(0, **ANNOUNCED, **announced)
    assert [fault.field for fault in refused.value.faults] == [field]


# --- pairing ----------------------------------------------------------------------------------------------------------


def test_a_round_has_whole_tables_and_a_certificate(stage: Stage) -> None:
    seats = stage.seats(1)
    assert [len(seat.players) for seat in seats] == [4, 4, 3, 3]
    assert sorted(player for seat in seats for player in seat.players) == list(range(1, 15))
    row = stage.look(lambda session, event: store.find_round(session, event.id, 1))
    assert (row.pairing, json.loads(row.certificate)["certain"]) == (
        Way.PODS,
        "every seating was weighed, none is better",
    )


def test_seeds_and_two_players_alone_are_refused(one: Database) -> None:
    stage = begin(one).announce(2, **ANNOUNCED)
    with pytest.raises(PlayersUnseatable):
        stage.do(rounds.PAIR, rounds.Pair())
    stage.do(entries.ADD, entries.Add(name="p3"))
    with pytest.raises(FoldRefused):
        stage.do(rounds.PAIR, rounds.Pair(seeds=[1, 2, 3]))
    assert [seat.players for seat in stage.start()] == [(*stage.seats(1)[0].players,)]


def test_awarded_byes_fixed_tables_and_pairs_kept_apart_are_kept_to(one: Database) -> None:
    stage = begin(one).announce(9, **ANNOUNCED)
    stage.do(entries.EDIT, entries.Edit(entry=1, awarded_byes=1))
    stage.do(entries.EDIT, entries.Edit(entry=2, fixed_table=7))
    for other in range(3, 6):
        stage.do(apart.ADD, apart.PairApart(one=2, other=other))
    seats = stage.start()
    [bye] = [seat for seat in seats if seat.bye]
    assert (bye.players, bye.bye) == ((1,), "awarded")
    [table] = [seat for seat in seats if 2 in seat.players]
    assert (table.table_number, {3, 4, 5} & set(table.players)) == (7, set())


def test_a_late_player_a_drop_and_a_return_change_who_is_seated(stage: Stage) -> None:
    for seat in stage.seats(1):
        report(stage, seat)
    stage.do(entries.DROP, entries.Leave(entry=5))
    late = stage.do(entries.ADD, entries.Add(name="late")).entry
    stage.do(entries.DROP, entries.Leave(entry=6))
    stage.do(entries.RETURN, entries.Return(entry=6))
    seated = {player for seat in stage.start() for player in seat.players}
    assert seated == {*range(1, 15), late} - {5}
    stage.assert_whole()


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_a_draft_is_changed_by_hand_and_judged(stage: Stage) -> None:
    for seat in stage.seats(1):
        report(stage, seat, *sorted(seat.players))
    stage.do(rounds.PAIR)
    seats = stage.seats(2)
    one, other = seats[0].players[0], seats[1].players[0]
    met = next(
        (one, mate)
        for seat in stage.seats(1)
        for one in seat.players
        for mate in seat.players
        if mate != one and not any({one, mate} <= set(now.players) for now in seats)
    )
    with pytest.raises(TablesWorse, match=r"pairs who meet again|squared differences"):
        stage.do(SWAP, Swap(round=2, swaps=[Two(one=one, other=other)], reason="sisters"))
    stage.do(SWAP, Swap(round=2, swaps=[Two(one=one, other=other)], reason="sisters", even_so=True))
    assert one in stage.seats(2)[1].players
    with pytest.raises(TablesRefused, match="nothing changes"):
        stage.do(SWAP, Swap(round=2, reason="nothing"))
    stage.do(SWAP, Swap(round=2, moves=[Move(table=1, to=9)], reason="by the window"))
    assert stage.seats(2)[0].table_number == 9
    assert met
    stage.do(rounds.PUBLISH)
    event = event_file.parse_event_file(stage.look(exports.export))
    assert event.as_paired[2].pods is not None
    assert [proof.faults for proof in proofs_of(event)] == [(), ()]
    stage.assert_whole()


# --- results ----------------------------------------------------------------------------------------------------------


def test_a_result_is_the_places_of_everybody_and_counts_once(stage: Stage) -> None:
    seat = fours(stage)[0]
    a, b, c, d = seat.players
    fact = report(stage, seat, c, (a, d), b)
    assert fact.games == places(c, tuple(sorted((a, d))), b)
    version = stage.version
    report(stage, seat, c, (d, a), b)
    assert stage.version == version  # who shares a place has no order
    with pytest.raises(TableReported, match=f"{c} > "):
        report(stage, seat, a, b, c, d)


@pytest.mark.parametrize(
    ("said", "faults"),
    [
        (lambda p: places(p[0], p[1], p[2]), "is not placed"),
        (lambda p: places(p[0], p[1], p[2], p[3], p[0]), "is placed more than once"),
        (lambda p: places(p[0], p[1], p[2], 99), "is placed and does not sit there"),
        (lambda p: places(p[0], (), p[1], p[2], p[3]), "a place that nobody has"),
        (lambda p: places(p[0], p[1], p[2], p[3], ending=Ending.CONCESSION), "several players end in no concession"),
        (
            lambda p: places(p[0], (p[1], p[2], p[3]), ending=Ending.INTENTIONAL_DRAW),
            "everybody shares the first place",
        ),
        (lambda _: places(), "nobody is placed where everybody lost"),
        (lambda _: results.Games(first=2, second=0), "several play at this table"),
    ],
)
def test_a_result_that_cannot_be_so_is_refused(
    stage: Stage, said: Callable[..., TablePlaces | results.Games], faults: str
) -> None:
    seat = fours(stage)[0]
    with pytest.raises(ResultRefused, match=faults):
        stage.do(results.REPORT, results.Report(round=1, table=seat.table_number or 0, games=said(seat.players)))


def test_a_table_of_two_has_no_places(one: Database) -> None:
    stage = begin(one).announce(4)
    seat = stage.start()[0]
    with pytest.raises(ResultRefused, match="two play at this table"):
        report(stage, seat)


def test_a_draw_a_loss_of_all_and_the_draw_rule(stage: Stage) -> None:
    one, other = fours(stage)
    drawn = results.Report(round=1, table=one.table_number or 0, games=places(ending=Ending.INTENTIONAL_DRAW))
    assert stage.do(results.REPORT, drawn).games == places(one.players, ending=Ending.INTENTIONAL_DRAW)
    lost = results.Report(round=1, table=other.table_number or 0, games=places(ending=Ending.DOUBLE_LOSS))
    stage.do(results.REPORT, lost)
    for seat in stage.seats(1):
        if seat.ending is None:
            report(stage, seat, *sorted(seat.players))
    stage.do(rounds.CLOSE)
    _, lines = stage.look(standings.after)
    points = {int(line.player): line.match_points for line in lines}
    assert {points[player] for player in one.players} == {1}
    assert {points[player] for player in other.players} == {0}
    assert sorted(points.values(), reverse=True)[:2] == [7, 7]


def test_no_draws_means_no_shared_first_place(one: Database) -> None:
    stage = begin(one).announce(4, **ANNOUNCED, draw_rule=DrawRule.NONE)
    [seat] = stage.start()
    a, b, c, d = seat.players
    with pytest.raises(ResultRefused, match="no table of this event is drawn"):
        report(stage, seat, (a, b), c, d)
    report(stage, seat, a, (b, c, d))


def test_a_closed_round_is_corrected_and_the_next_one_is_still_proven(stage: Stage) -> None:
    for seat in stage.seats(1):
        report(stage, seat, *sorted(seat.players))
    stage.start()
    seat = stage.seats(1)[0]
    turned = tuple(sorted(seat.players, reverse=True))
    with pytest.raises(PodsNotMended):
        stage.look(lambda session, event: repairs.situation(session, event, repairs.Mistake(leaves=1)))
    report(stage, seat, *turned, kind=results.CORRECT)
    event = event_file.parse_event_file(stage.look(exports.export))
    assert event.as_paired[2].placings[1, seat.table_number].placing == tuple((str(one),) for one in sorted(turned))
    assert [proof.faults for proof in proofs_of(event)] == [(), ()]
    report(stage, seat, *sorted(turned), kind=results.CORRECT)
    stage.assert_whole()


def test_a_player_who_was_disqualified_at_the_table_is_last(stage: Stage) -> None:
    seat = fours(stage)[0]
    a, b, c, d = seat.players
    fact = stage.do(disqualifications.DISQUALIFY, disqualifications.Disqualify(entry=a, reason="cheating"))
    assert fact.lost is None  # the others play on
    with pytest.raises(ResultRefused, match="the last place is theirs"):
        report(stage, seat, a, b, c, d)
    with pytest.raises(ResultRefused, match="the last place is theirs"):
        report(stage, seat, b, c, (a, d))
    report(stage, seat, b, c, d, a)
    stage.assert_whole()


@pytest.mark.parametrize("level", [PenaltyLevel.GAME_LOSS, PenaltyLevel.MATCH_LOSS])
def test_a_loss_puts_the_player_last_once_the_table_has_its_result(stage: Stage, level: PenaltyLevel) -> None:
    seat = fours(stage)[0]
    a, b, c, d = seat.players
    given = stage.do(penalties.GIVE, penalties.GivePenalty(entry=a, infraction="slow-play", level=level))
    row = stage.look(lambda session, event: penalties.load(session, event.id, given.penalty))
    effect = stage.look(lambda session, event: penalties.effect_of(session, event, row))
    assert "put last when its result is in" in effect.why_not
    report(stage, seat, a, b, c, d)
    applied = stage.do(penalties.APPLY, penalties.PenaltyNumber(penalty=given.penalty))
    assert applied.table.after == places(b, c, d, a)
    stage.do(penalties.TAKE_BACK, penalties.PenaltyNumber(penalty=given.penalty))
    assert results.games_at(stage.seats(1)[seat.place - 1]) == places(a, b, c, d)
    stage.assert_whole()


# --- players ----------------------------------------------------------------------------------------------------------


def claim(stage: Stage, player: int, seat: SeatRow, *ranks: int | tuple[int, ...]) -> Any:
    said = places(*ranks).places
    asked = claims.MakeClaim(round=seat.round, table=seat.table_number or 0, places=said)
    return stage.do(claims.MAKE, asked, who=f"entry:{player}")


def confirm(stage: Stage, player: int, seat: SeatRow, number: int) -> Any:
    asked = claims.ConfirmClaim(round=seat.round, table=seat.table_number or 0, claim=number)
    return stage.do(claims.CONFIRM, asked, who=f"entry:{player}")


def state(stage: Stage, seat: SeatRow) -> ClaimState:
    [found] = [
        one
        for one in stage.look(lambda session, event: claims.open_in(session, event.id, 1))
        if one.seat.table_number == seat.table_number
    ]
    return ClaimState(found.state)


def test_a_placing_is_the_result_once_everybody_has_said_so(stage: Stage) -> None:
    seat = fours(stage)[0]
    a, b, c, d = seat.players
    claim(stage, a, seat, a, b, (c, d))
    number = stage.version
    assert confirm(stage, b, seat, number).confirms is None
    assert state(stage, seat) is ClaimState.ONE_SIDED
    with pytest.raises(NotYourTable):
        claim(stage, fours(stage)[1].players[0], seat, a, b, (c, d))
    assert claim(stage, c, seat, a, b, (d, c)).confirms is None
    last = confirm(stage, d, seat, number)
    assert last.confirms == number
    assert results.games_at(stage.seats(1)[seat.place - 1]) == places(a, b, (c, d))
    with pytest.raises(TableSettled):
        claim(stage, d, seat, d, a, b, c)
    stage.assert_whole()


def test_one_who_says_otherwise_makes_a_disagreement_for_a_judge(stage: Stage) -> None:
    seat = fours(stage)[0]
    a, b, c, d = seat.players
    for player in (a, b, c):
        claim(stage, player, seat, a, b, c, d)
    settle = claims.SettleClaims(round=1, table=seat.table_number or 0, games=places(d, a, b, c), reason="I saw it")
    with pytest.raises(NoDisagreement):
        stage.do(claims.SETTLE, settle)
    claim(stage, d, seat, d, a, b, c)
    assert state(stage, seat) is ClaimState.DISAGREEMENT
    overview = stage.look(judging.overview)
    assert [one.seat.table_number for one in overview.disagreements] == [seat.table_number]
    assert set(seat.players) <= overview.names.keys()
    stage.do(claims.SETTLE, settle)
    assert results.games_at(stage.seats(1)[seat.place - 1]) == places(d, a, b, c)
    stage.assert_whole()


def test_who_has_left_is_not_waited_for_and_one_word_alone_is_never_enough(stage: Stage) -> None:
    seat = fours(stage)[0]
    a, b, c, d = seat.players
    claim(stage, a, seat, a, b, c, d)
    for player in (b, c):
        stage.do(entries.DROP, entries.Leave(entry=player))
    stage.do(entries.DROP, entries.Leave(entry=d))
    version = stage.version
    claim(stage, a, seat, a, b, c, d)
    assert stage.version == version
    stage.do(entries.RETURN, entries.Return(entry=d))
    assert confirm(stage, d, seat, stage.look(lambda s, e: store.find_claim(s, e.id, 1, a)).claimed).confirms
    assert results.games_at(stage.seats(1)[seat.place - 1]) == places(a, b, c, d)


def test_a_claim_that_changed_is_not_confirmed_and_staff_accept_what_waits(stage: Stage) -> None:
    seat = fours(stage)[0]
    a, b, c, d = seat.players
    claim(stage, a, seat, a, b, c, d)
    seen = stage.version
    claim(stage, a, seat, b, a, c, d)
    with pytest.raises(ClaimChanged):
        confirm(stage, b, seat, seen)
    number = stage.version
    confirm(stage, b, seat, number)
    fact = stage.do(claims.ACCEPT, claims.AcceptClaims(round=1, claims=[number, stage.version]))
    assert [one.games for one in fact.tables] == [places(b, a, c, d)]
    stage.assert_whole()


def test_a_claim_of_those_who_sat_there_before_counts_no_more(stage: Stage) -> None:
    one, other = fours(stage)
    claim(stage, one.players[0], one, *one.players)
    swap = Swap(round=1, swaps=[Two(one=one.players[3], other=other.players[3])], reason="wrong table", even_so=True)
    stage.do(SWAP, swap)
    assert stage.look(lambda session, event: claims.open_in(session, event.id, 1)) == []


# --- judges, the clock, news ------------------------------------------------------------------------------------------


def test_calls_deck_checks_time_and_news_know_everybody_at_the_table(stage: Stage) -> None:
    seat = fours(stage)[0]
    d = seat.players[3]
    stage.do(calls.MAKE, calls.JudgeCall(topic="a rules question"), who=f"entry:{d}")
    called = stage.look(lambda session, event: store.find_call(session, event.id, 1))
    assert (called.table_number, called.players) == (seat.table_number, seat.players)
    chosen = stage.do(deck_checks.CHOOSE, deck_checks.ChooseTable(table=seat.table_number, reason="marked cards"))
    assert (chosen.first, chosen.second, *chosen.others) == seat.players
    assert stage.do(clock.EXTEND, clock.Extend(table=seat.table_number or 0, minutes=5, reason="call")).table
    claim(stage, d, seat, *seat.players)
    lines = stage.look(lambda session, event: news.read_since(session, event.id, stage.version - 1, limit=5))
    told = news.told(stage.event, lines[0])
    assert told.also == {str(player) for player in seat.players}
    assert told.public is None
    about = stage.look(lambda session, event: privacy.about(session, event.id, [seat.players[2]]))
    assert about.deck_checks == (1,)
    report(stage, seat, *seat.players)
    lines = stage.look(lambda session, event: news.read_since(session, event.id, stage.version - 1, limit=5))
    public = news.told(stage.event, lines[0]).public
    assert public is not None
    assert public.games == {"places": [[player] for player in seat.players], "ending": "played"}
    stage.assert_whole()


def test_there_is_no_cut_and_undoing_takes_a_result_back(stage: Stage) -> None:
    for seat in stage.seats(1):
        report(stage, seat)
    stage.undo()
    assert stage.seats(1)[3].ending is None
    report(stage, stage.seats(1)[3])
    stage.do(rounds.CLOSE)
    with pytest.raises(PodsWithoutCut):
        stage.do(cut.START, cut.StartCut())
    stage.assert_whole()


# --- whole events -----------------------------------------------------------------------------------------------------


def test_a_played_event_is_the_same_by_its_log_its_file_and_its_evidence(database: Database) -> None:
    stage = play(Stage(database).announce(13, **ANNOUNCED), 3)
    stage.do(events.FINISH)
    stage.assert_whole()
    _, lines = stage.look(standings.after)
    text = stage.look(lambda session, event: exports.export(session, event, log=True))
    event = event_file.parse_event_file(text)
    assert event_file.write_event_file(event) == text
    assert standings_of(event) == lines == rank(event.players, event.pods, pods_preset(4))
    assert [(proof.way, proof.has_certificate, proof.faults) for proof in proofs_of(event)] == [
        (Way.PODS, True, ())
    ] * 3
    bundle = stage.look(lambda session, row: evidence.write(session, row, Codes.of_nobody(), everything=False))
    audit = evidence.audit(bundle)
    assert audit.holds
    done = {check.name: check.done for check in audit.reckoned.checks}
    assert (done["results"], done["pairings"], done["standings"]) == (3, 3, 13)


def test_a_file_without_a_log_goes_on_as_an_event_here(stage: Stage, one: Database) -> None:
    for seat in stage.seats(1):
        report(stage, seat)
    event = event_file.parse_event_file(stage.look(exports.export))
    elsewhere = Stage(one, event="pods-imported")
    content = imports.content_of(event)
    elsewhere.do(imports.IMPORT, imports.Import(content=content))
    assert elsewhere.row.pod_size == 4
    stage.do(rounds.CLOSE)
    assert elsewhere.look(standings.after) == stage.look(standings.after)
    assert elsewhere.start()
    elsewhere.assert_whole()


def test_what_contradicts_itself_in_a_file_keeps_nobody_from_editing_the_rest(one: Database) -> None:
    of_two = {
        "version": 1,
        "event": {"name": "Kitchen", "game": "cps", "draw": "words", "preset": "pods"},
        "players": [{"id": "ann", "name": "Ann"}, {"id": "bob", "name": "Bob"}],
        "rounds": [],
    }
    content = imports.content_of(event_file.parse_event_file(json.dumps(of_two)))
    stage = Stage(one, event="pods-of-two")
    stage.do(imports.IMPORT, imports.Import(content=content))
    assert (stage.row.preset, stage.row.pod_size) == ("pods", None)
    stage.do(events.EDIT, events.Edit(name="Another Name", venue="Library"))
    assert stage.row.name == "Another Name"
    with pytest.raises(EditRefused, match="only a cut by size"):
        stage.do(events.EDIT, events.Edit(cut_size=8))
    stage.assert_whole()


def test_a_swapped_table_or_a_made_up_value_is_found(stage: Stage) -> None:
    text = stage.look(exports.export)
    assert [proof.faults for proof in proofs_of(event_file.parse_event_file(text))] == [()]
    document = json.loads(text)
    one, other = (table["players"] for table in document["rounds"][0]["tables"][:2])
    one[0], other[0] = other[0], one[0]
    [proof] = proofs_of(event_file.parse_event_file(json.dumps(document)))
    assert any("the draw gives no table to" in fault for fault in proof.faults)
    document = json.loads(text)
    document["rounds"][0]["certificate"]["cost"]["spread"] = 3
    [proof] = proofs_of(event_file.parse_event_file(json.dumps(document)))
    assert any("the round costs" in fault for fault in proof.faults)


def test_what_an_older_program_began_at_tables_of_two_goes_on_so(one: Database) -> None:
    stage = begin(one).announce(4)
    stage.play()
    with one.writing() as session:
        row = store.find_event(session, stage.event)
        assert row is not None
        row.preset, row.pod_size = "pods", 4
    past = stage.look(past_of)
    assert (past.pod_size, len(past.rounds), past.pods) == (None, 1, ())
    assert [len(seat.players) for seat in stage.start()] == [2, 2]


@pytest.mark.parametrize("ask", ["pair", "report", "claims"])
def test_questions_do_not_grow_with_the_players(one: Database, ask: str) -> None:
    counts = []
    for players in (8, 40):
        stage = begin(one).announce(players, **ANNOUNCED)
        seats = stage.start()
        with counted(one) as questions:
            if ask == "report":
                report(stage, seats[0])
            elif ask == "claims":
                claim(stage, seats[0].players[0], seats[0], *seats[0].players)
                stage.look(lambda session, event: claims.my_table(session, event.id, 1))
            else:
                stage.look(exports.exported)
                stage.look(standings.after)
        counts.append(len(questions))
    assert counts[0] == counts[1]


class counted:  # noqa: N801 - read as a word
    """The statements that a database was asked."""

    def __init__(self, database: Database) -> None:
        self.engine, self.asked = database.engine, list[str]()

    def _note(self, *said: Any) -> None:
        self.asked.append(said[2])

    def __enter__(self) -> list[str]:
        hooks.listen(self.engine, "before_cursor_execute", self._note)
        return self.asked

    def __exit__(self, *_: object) -> None:
        hooks.remove(self.engine, "before_cursor_execute", self._note)


# --- random lives -----------------------------------------------------------------------------------------------------

LIFE = 120
PLAYERS = 10


def test_a_random_life_of_pods_gives_the_same_tables_from_its_log(database: Database) -> None:
    """Another life on each database."""
    life = Life(Stage(database).announce(PLAYERS, **ANNOUNCED), random.Random(database.engine.dialect.name))
    for _ in range(LIFE):
        life.something()
    life.stage.assert_whole()
    names = {row.name for row in life.stage.look(lambda session, event: list(store.read_log(session, event.id)))}
    assert names >= {"round.publish", "round.swap", "result.report", "result.correct", "claim.make", "command.undo"}
    event = event_file.parse_event_file(life.stage.look(exports.export))
    assert event_file.parse_event_file(event_file.write_event_file(event)) == event
    assert event.pods
    assert [(proof.round, proof.faults) for proof in proofs_of(event) if proof.faults] == []


class Life:
    """Mostly what comes next, now and then anything at all."""

    def __init__(self, stage: Stage, rng: random.Random) -> None:
        self.stage, self.rng = stage, rng

    def something(self) -> None:
        steps = self.onwards() if self.rng.random() < 0.6 else self.anything()
        with suppress(TournamentError):
            self.rng.choice(steps)()

    def onwards(self) -> list[Callable[[], Any]]:
        do = self.stage.do
        if Phase(self.stage.row.phase) is Phase.ROUND:
            playing = [seat for seat in self.now() if seat.table_number is not None and seat.ending is None]
            if not playing:
                return [self.pair]
            return [lambda: self.say(results.REPORT), lambda: self.say(results.REPORT), self.claim]
        return [self.pair, self.swap, lambda: do(rounds.PUBLISH, rounds.Publish(minutes=50))]

    def anything(self) -> list[Callable[[], Any]]:
        do, one = self.stage.do, self.rng.randint(1, PLAYERS + 2)
        pair = apart.PairApart(one=one, other=one % PLAYERS + self.rng.randint(1, 2) % PLAYERS + 1)
        return [
            self.swap,
            self.undo,
            self.claim,
            self.claim,
            self.penalise,
            lambda: self.say(results.CORRECT),
            lambda: self.say(results.CORRECT),
            lambda: do(entries.ADD, entries.Add(name="late", awarded_byes=self.rng.choice([0, 3]))),
            lambda: do(entries.DROP, entries.Leave(entry=one)),
            lambda: do(entries.RETURN, entries.Return(entry=one)),
            lambda: do(disqualifications.DISQUALIFY, disqualifications.Disqualify(entry=one, reason="because")),
            lambda: do(rounds.CLOSE),
            lambda: do(rounds.REOPEN),
            lambda: do(apart.ADD, pair),
            lambda: do(apart.REMOVE, pair),
            lambda: do(calls.MAKE, calls.JudgeCall(table=1)),
            lambda: do(deck_checks.DRAW, deck_checks.DrawTables(tables=1)),
        ]

    def now(self) -> list[SeatRow]:
        number = self.stage.look(lambda session, event: store.last_published(session, event.id))
        return self.stage.seats(number)

    def pair(self) -> None:
        self.stage.do(rounds.PAIR, rounds.Pair(even_so=True))

    def say(self, kind: Any) -> None:
        number = self.stage.look(lambda session, event: store.last_published(session, event.id))
        seats = [seat for seat in self.stage.seats(self.rng.randint(1, max(1, number))) if seat.table_number]
        if not seats:
            return
        seat = self.rng.choice(seats)
        self.stage.do(kind, results.Report(round=seat.round, table=seat.table_number or 0, games=self.placing(seat)))

    def placing(self, seat: SeatRow) -> TablePlaces:
        if self.rng.random() < 0.2:
            return places(ending=self.rng.choice([Ending.INTENTIONAL_DRAW, Ending.DOUBLE_LOSS]))
        order = self.rng.sample(seat.players, len(seat.players))
        cut_at = self.rng.randint(1, len(order))
        return places(*order[:cut_at], *([tuple(order[cut_at:])] if order[cut_at:] else []))

    def claim(self) -> None:
        seats = [seat for seat in self.now() if seat.table_number]
        if not seats:
            return
        seat = self.rng.choice(seats)
        for player in seat.players:
            if self.rng.random() < 0.8:
                claim(self.stage, player, seat, *seat.players)

    def swap(self) -> None:
        number = self.stage.look(lambda session, event: len(store.round_rows(session, event.id)))
        two = [Two(one=self.rng.randint(1, PLAYERS), other=self.rng.randint(1, PLAYERS))]
        moves = [Move(table=1, to=self.rng.randint(1, 5))] if self.rng.random() < 0.4 else []
        asked = Swap(round=max(1, number), swaps=two, moves=moves, even_so=self.rng.random() < 0.8, reason="because")
        self.stage.do(SWAP, asked)

    def penalise(self) -> None:
        asked = penalties.GivePenalty(
            entry=self.rng.randint(1, PLAYERS), infraction="slow-play", level=PenaltyLevel.GAME_LOSS
        )
        given = self.stage.do(penalties.GIVE, asked)
        self.stage.do(penalties.APPLY, penalties.PenaltyNumber(penalty=given.penalty))
        if self.rng.random() < 0.5:
            self.stage.do(penalties.TAKE_BACK, penalties.PenaltyNumber(penalty=given.penalty))

    def undo(self) -> None:
        self.stage.undo()
