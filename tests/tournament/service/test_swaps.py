"""Tables made by hand: what breaks a rule is refused, what is only worse has to be wanted, and everybody reads why."""

import json

import pytest

from tests.tournament.service.stage import Stage
from tournament import event_file, store
from tournament.database import Database
from tournament.domain.errors import SeatHeld
from tournament.errors import TableNotFound, TablesRefused, TablesWorse
from tournament.event_file.answers import judge_rounds
from tournament.event_file.documents import as_drawn
from tournament.service import entries, events, exports, reasons, reseating, rounds
from tournament.service.swaps import SWAP, Move, Swap, Two
from tournament.tables import TableChangeRow


@pytest.fixture
def stage(embedded: Database) -> Stage:
    return Stage(embedded)


def swap(
    *pairs: tuple[int, int], number: int = 1, even_so: bool = False, moves: tuple[tuple[int, int], ...] = ()
) -> Swap:
    return Swap(
        round=number,
        swaps=[Two(one=one, other=other) for one, other in pairs],
        moves=[Move(table=table, to=to) for table, to in moves],
        even_so=even_so,
        reason="brothers",
    )


def tables(stage: Stage, number: int = 1) -> dict[int | None, tuple[int, int | None]]:
    return {seat.table_number: (seat.first, seat.second) for seat in stage.seats(number)}


def changes(stage: Stage, number: int = 1) -> list[TableChangeRow]:
    return list(stage.look(lambda session, event: store.table_changes(session, event.id, number)))


def test_two_players_of_a_draft_change_places(stage: Stage) -> None:
    stage.announce(4)
    stage.do(rounds.PAIR)
    before = tables(stage)
    (a, b), (c, d) = before[1], before[2]
    fact = stage.do(SWAP, swap((a, d or 0)))
    assert tables(stage) == {1: (d, b), 2: (c, a)}
    assert (fact.worse, fact.stood) == ([], [])
    stage.do(rounds.PUBLISH)
    stage.assert_whole()


def test_the_change_tells_what_was_drawn_and_why_it_is_otherwise(stage: Stage) -> None:
    stage.announce(4)
    stage.do(rounds.PAIR)
    (a, b), (c, d) = tables(stage)[1], tables(stage)[2]
    stage.do(SWAP, swap((a, d or 0)))
    (change,) = changes(stage)
    assert reasons.sentence_of(change) == (
        f"changed (by hand): table 1 with {d} and {b}, table 2 with {c} and {a} instead of "
        f"table 1 with {a} and {b}, table 2 with {c} and {d}, because brothers"
    )
    stage.do(SWAP, swap((a, d or 0)))
    assert reseating.net(changes(stage)) == ([], [])


def test_a_change_that_makes_the_round_worse_has_to_be_wanted(stage: Stage) -> None:
    # after round 1 winners meet winners; a winner against a loser costs 9 a table
    stage.announce(4).play(1)
    stage.do(rounds.PAIR)
    (a, _), (c, _) = tables(stage, 2)[1], tables(stage, 2)[2]
    with pytest.raises(TablesWorse) as refused:
        stage.do(SWAP, swap((a, c), number=2))
    assert "squared differences of points, in sum: 18 instead of 0" in refused.value.faults
    fact = stage.do(SWAP, swap((a, c), number=2, even_so=True))
    assert list(fact.worse) == list(refused.value.faults)
    stage.do(rounds.PUBLISH)
    event = event_file.parse_event_file(stage.look(exports.export))
    assert [as_drawn(judged) for _, judged in judge_rounds(event)] == [True, False]


def test_an_avoidable_rematch_has_to_be_wanted(stage: Stage) -> None:
    stage.announce(4).play(1)
    met = {frozenset(pair) for pair in tables(stage, 1).values()}
    stage.do(rounds.PAIR)
    (a, b), (c, d) = tables(stage, 2)[1], tables(stage, 2)[2]
    other = next(two for two in ((b, c), (b, d)) if frozenset((a, two[1])) in met)
    with pytest.raises(TablesWorse) as refused:
        stage.do(SWAP, swap((other[0] or 0, other[1] or 0), number=2))
    assert any("have met before" in fault for fault in refused.value.faults)


def test_a_bye_that_was_brought_along_is_nobody_elses(stage: Stage) -> None:
    stage.announce(3)
    stage.do(events.REOPEN)
    brought = stage.do(entries.ADD, entries.Add(name="b", awarded_byes=1)).entry
    stage.do(events.CLOSE)
    stage.do(rounds.PAIR)
    (player, *_) = (seat.first for seat in stage.seats(1) if seat.table_number is not None)
    with pytest.raises(TablesRefused) as refused:
        stage.do(SWAP, swap((brought, player), even_so=True))
    assert f"{brought} brought a bye along for round 1" in refused.value.faults


def test_a_bye_changes_hands(stage: Stage) -> None:
    stage.announce(3)
    stage.do(rounds.PAIR)
    a, holder = tables(stage)[1][0], tables(stage)[None][0]
    stage.do(SWAP, swap((a, holder)))
    assert (tables(stage)[1][0], tables(stage)[None]) == (holder, (a, None))


def test_tables_move_and_exchange_their_numbers(stage: Stage) -> None:
    stage.announce(4)
    stage.do(rounds.PAIR)
    before = tables(stage)
    stage.do(SWAP, swap(moves=((1, 2),)))
    assert tables(stage) == {1: before[2], 2: before[1]}
    stage.do(SWAP, swap(moves=((1, 9),)))
    assert tables(stage) == {9: before[2], 2: before[1]}
    with pytest.raises(TableNotFound):
        stage.do(SWAP, swap(moves=((1, 3),)))
    stage.assert_whole()


def test_a_fixed_table_is_left_only_if_somebody_wants_it(stage: Stage) -> None:
    stage.announce(3)
    stage.do(events.REOPEN)
    stage.do(entries.ADD, entries.Add(name="wheelchair", fixed_table=2))
    stage.do(events.CLOSE)
    stage.do(rounds.PAIR)
    with pytest.raises(TablesWorse, match="should play at table 2"):
        stage.do(SWAP, swap(moves=((2, 7),)))
    stage.do(SWAP, swap(moves=((2, 7),), even_so=True))


def test_in_a_published_round_only_tables_that_have_not_reported_change(stage: Stage) -> None:
    one, two, three = stage.announce(6).start()
    stage.report(one)
    with pytest.raises(SeatHeld, match="table 1 has a result"):
        stage.do(SWAP, swap((one.first, two.first)))
    with pytest.raises(TablesRefused, match="table 1 has a result"):
        stage.do(SWAP, swap(moves=((2, 1),)))
    fact = stage.do(SWAP, swap((two.first, three.first)))
    assert fact.stood == [1]
    assert [(seat.table_number, seat.stood, seat.ending) for seat in stage.seats(1)] == [
        (1, True, "played"),
        (2, False, None),
        (3, False, None),
    ]
    stage.assert_whole()


def test_nothing_changes_by_changing_nothing_or_nobody(stage: Stage) -> None:
    seats = stage.announce(4).start()
    with pytest.raises(TablesRefused, match="nothing changes"):
        stage.do(SWAP, swap((1, 2), (1, 2)))
    with pytest.raises(SeatHeld, match="nobody with that number"):
        stage.do(SWAP, swap((1, 9)))
    for seat in seats:
        stage.report(seat)
    stage.do(rounds.CLOSE)
    with pytest.raises(TablesRefused, match="its tables are played"):
        stage.do(SWAP, swap((1, 2)))


def test_a_draft_that_is_paired_again_has_no_changes(stage: Stage) -> None:
    stage.announce(4)
    stage.do(rounds.PAIR)
    drawn = tables(stage)
    stage.do(SWAP, swap((drawn[1][0], drawn[2][0])))
    stage.do(rounds.PAIR)
    assert (tables(stage), changes(stage)) == (drawn, [])
    assert json.loads(stage.look(exports.export))["rounds"] == []
    stage.assert_whole()
