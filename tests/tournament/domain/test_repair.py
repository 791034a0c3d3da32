"""The smallest change after a mistake: against every round there is, and as a scorekeeper meets it."""

from collections.abc import Callable, Collection
from dataclasses import replace
from random import Random

import pytest

from tests.tournament.domain.swiss import (
    History,
    Scale,
    Tables,
    entered,
    event,
    every_round,
    lot_of,
    names,
    played,
    said,
    seeded,
    tables_of,
    tangled_history,
)
from tournament.domain import changes
from tournament.domain.faults import faults
from tournament.domain.model import Bye, Pairing, Player, PlayerId, Round
from tournament.domain.pairing import pair_round
from tournament.domain.pool import Pool, only
from tournament.domain.repair import Mend, Option, repair

ANN, BOB, CAT, DAN, EVE, FAY = (PlayerId(name) for name in ("ann", "bob", "cat", "dan", "eve", "fay"))
SIX = entered("ann", "bob", "cat", "dan", "eve", "fay")


def options(pool: Pool, current: Round, *standing: int) -> dict[Mend, Option]:
    return {option.mend: option for option in repair(pool, "draw", current, standing)}


# --- scenes


# points as they were believed   ann 3  bob 3 | cat 0  dan 0        as they are   ann 0  bob 3 | cat 3  dan 0
# tables                         ann-bob        cat-dan             better        bob-cat        ann-dan
def test_a_wrong_result_exchanges_two_players() -> None:
    pool = Pool(number=2, points={ANN: 0, BOB: 3, CAT: 3, DAN: 0}, met={ANN: {CAT: 1}, CAT: {ANN: 1}})
    ways = options(pool, played(2, "ann-bob", "cat-dan"))
    assert list(ways) == [Mend.LEAVE, Mend.AS_GOOD]
    assert ways[Mend.LEAVE].added == ()
    assert said(ways[Mend.AS_GOOD].after) == {"bob-cat", "ann-dan"}
    assert (ways[Mend.LEAVE].cost.gaps, ways[Mend.AS_GOOD].cost.gaps) == (18, 0)


# table 1 is playing already: nothing can be mended there
def test_a_table_that_is_playing_stands() -> None:
    pool = Pool(number=2, points={ANN: 0, BOB: 3, CAT: 3, DAN: 0})
    ways = options(pool, played(2, "ann-bob", "cat-dan"), 1)
    assert list(ways) == [Mend.LEAVE]
    assert said(ways[Mend.LEAVE].after) == {"ann-bob", "cat-dan"}


# ann drops; bob is left over
def test_a_drop_gives_the_bye_to_who_is_left_over() -> None:
    pool = Pool(number=1, points=dict.fromkeys((BOB, CAT, DAN), 0))
    ways = options(pool, played(1, "ann-bob", "cat-dan"))
    assert next(iter(ways)) is Mend.LEAVE
    assert said(ways[Mend.LEAVE].after) == {"bob", "cat-dan"}
    assert ways[Mend.LEAVE].removed == (played(1, "ann-bob").seats[0],)
    assert ways[Mend.LEAVE].added == (Bye(BOB),)


# ann drops, and there is a bye: the two who are left over meet, at ann's table
def test_a_drop_in_an_odd_field_uses_up_the_bye() -> None:
    pool = Pool(number=1, points=dict.fromkeys((BOB, CAT, DAN, EVE), 0))
    ways = options(pool, played(1, "ann-bob", "cat-dan", "eve"))
    assert next(iter(ways)) is Mend.FEWEST
    assert said(ways[Mend.FEWEST].after) == {"bob-eve", "cat-dan"}
    assert [seat.table for seat in ways[Mend.FEWEST].added if isinstance(seat, Pairing)] == [1]


# fay comes late into an odd field and meets who had the bye
def test_a_late_entry_meets_who_had_the_bye() -> None:
    pool = Pool(number=1, points=dict.fromkeys((ANN, BOB, CAT, DAN, EVE, FAY), 0))
    ways = options(pool, played(1, "ann-bob", "cat-dan", "eve"))
    assert said(ways[Mend.FEWEST].after) == {"ann-bob", "cat-dan", "eve-fay"}
    assert ways[Mend.FEWEST].removed == (Bye(EVE),)


# bob and eve have met: a third table must be broken up, and it is the one with the larger number
def test_the_last_table_is_broken_up_first() -> None:
    met = {BOB: {EVE: 1}, EVE: {BOB: 1}}
    pool = Pool(number=2, points=dict.fromkeys((*names(4), BOB, EVE), 0), met=met)
    current = played(2, "ann-bob", "p000-p001", "p002-p003", "eve")
    ways = options(pool, current)
    assert {"p000-p001"} < said(ways[Mend.FEWEST].after)
    assert len(ways[Mend.FEWEST].added) == 2


# few changes or good tables: bob (9 points) and eve (0) are left over; dan (9) meets cat (0)
def test_as_few_tables_as_possible_and_as_good_as_possible_are_two_options() -> None:
    pool = Pool(number=4, points={BOB: 9, CAT: 0, DAN: 9, EVE: 0})
    ways = options(pool, played(4, "ann-bob", "cat-dan", "eve"))
    assert said(ways[Mend.FEWEST].after) == {"bob-eve", "cat-dan"}
    assert said(ways[Mend.AS_GOOD].after) == {"bob-dan", "cat-eve"}
    assert (ways[Mend.FEWEST].cost.gaps, ways[Mend.AS_GOOD].cost.gaps) == (162, 0)


def test_what_stays_keeps_its_table_and_a_fixed_table_is_kept() -> None:
    pool = Pool(number=1, points=dict.fromkeys((BOB, CAT, DAN, EVE), 0), tables={EVE: 9})
    ways = options(pool, played(1, "ann-bob", "cat-dan", "eve"))
    after = {seat.table: {seat.first, seat.second} for seat in ways[Mend.FEWEST].after.seats}
    assert after == {2: {CAT, DAN}, 9: {BOB, EVE}}


# eve comes late, and needs table 1: ann and bob have not begun, so they make room; once they play, they stay
def test_an_open_table_makes_room_for_who_needs_its_number() -> None:
    six = [*entered("ann", "bob", "cat", "dan", "fay"), replace(entered("eve")[0], table=1)]
    current = played(1, "ann-bob", "cat-dan", "fay")
    pool = Pool(number=1, points={player.id: 0 for player in six}, tables={EVE: 1})
    moved, stayed = options(pool, current)[Mend.FEWEST], options(pool, current, 1)[Mend.FEWEST]
    assert {seat.table: {seat.first, seat.second} for seat in moved.after.seats} == {
        1: {EVE, FAY},
        2: {CAT, DAN},
        3: {ANN, BOB},
    }
    assert {seat.table for seat in moved.added if isinstance(seat, Pairing)} == {1, 3}
    assert {seat.table: {seat.first, seat.second} for seat in stayed.after.seats} == {
        1: {ANN, BOB},
        2: {CAT, DAN},
        3: {EVE, FAY},
    }
    assert faults(moved.after, six, []) == faults(stayed.after, six, [], standing=[1]) == []


# --- against every round there is


def mistake(history: History, rng: Random) -> History:
    """Points that were wrong, a drop, a late entry, or several of these."""
    points = {player.id: history.points.get(player.id, 0) for player in history.players}
    players = list(history.players)
    for _ in range(rng.choice([1, 1, 2])):
        what = rng.choice(["result", "draw", "drop", "late"])
        if what == "result" and players:
            points[rng.choice(players).id] += 3
            points[rng.choice(players).id] -= 3
        if what == "draw" and players:
            points[rng.choice(players).id] += 1
        if what == "drop" and players:
            at = rng.randrange(len(players))
            players[at] = replace(players[at], dropped_after=history.number - 1)
        if what == "late":
            late = PlayerId(f"late{len(players)}")
            players.append(Player(id=late, name="late", entered_in=history.number))
            points[late] = rng.choice([0, 3])
    return History(players, history.rounds, history.apart, history.draw, points)


def standing_tables(current: Round, rng: Random) -> set[int]:
    tables = [seat.table for seat in current.seats if isinstance(seat, Pairing)]
    return set(rng.sample(tables, rng.randint(0, len(tables) // 2)))


def key_of(
    history: History, free: Collection[PlayerId], current: Round, standing: set[int]
) -> tuple[Callable[[Tables], object], Callable[[Tables], object]]:
    """How `repair` orders rounds, said again: as few new tables as possible, and as good as possible."""
    points = {player: history.points[player] for player in free}
    lots = {player: lot_of(history.draw, history.number, player) for player in free}
    scale = Scale(points, lots, history.meetings, history.apart, history.byes)
    held: dict[frozenset[PlayerId | None], int] = {
        frozenset((seat.first, seat.second)): seat.table
        for seat in current.seats
        if isinstance(seat, Pairing) and seat.table not in standing and {seat.first, seat.second} <= points.keys()
    }
    last = max(held.values(), default=0)
    if len(free) % 2:
        held |= {frozenset((s.player, None)): last for s in current.seats if isinstance(s, Bye) and s.player in points}

    def parts(tables: Tables) -> tuple[tuple[object, ...], int, int, int]:
        pairs, bye = tables
        seats = {*pairs, *([frozenset((bye, None))] if bye is not None else [])}
        broken = sum(last - table for seat, table in held.items() if seat not in seats)
        return (
            scale.worth(*tables),
            len(seats - held.keys()),
            broken,
            sum(scale.number(p) for p in pairs if p not in held),
        )

    def fewest(tables: Tables) -> object:
        worth, new, broken, number = parts(tables)
        return worth[:3], new, worth[3:], broken, number

    return fewest, parts


@pytest.mark.parametrize("at_once", [48, 0])
@pytest.mark.parametrize("block", [*range(12), 58])
def test_no_round_changes_less(block: int, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "AT_ONCE", at_once)  # 0: every field is looked at part by part
    for seed in range(60 * block, 60 * block + 60):
        rng = seeded(seed)
        history = tangled_history(seed, most=8)
        current = pair_round(history.pool, history.draw)
        after, standing = mistake(history, rng), standing_tables(current, rng)
        ways = {way.mend: way for way in repair(after.pool, after.draw, current, standing)}
        at_standing = {
            p for s in current.seats if isinstance(s, Pairing) and s.table in standing for p in (s.first, s.second)
        }
        free = [player for player in after.active() if player not in at_standing]
        fewest, as_good = key_of(after, free, current, standing)
        everything = list(every_round(free))
        gentlest = ways[Mend.LEAVE] if Mend.LEAVE in ways else ways.get(Mend.FEWEST)
        assert open_tables(gentlest or next(iter(ways.values())), standing) == min(everything, key=fewest)
        best = ways.get(Mend.AS_GOOD, gentlest) or next(iter(ways.values()))
        assert open_tables(best, standing) == min(everything, key=as_good)


def open_tables(option: Option, standing: set[int]) -> Tables:
    seats = [s for s in option.after.seats if not (isinstance(s, Pairing) and s.table in standing)]
    return tables_of(Round(option.after.number, tuple(seats)))


@pytest.mark.parametrize("seed", range(120))
def test_every_option_is_a_legal_round(seed: int) -> None:
    rng = seeded(seed)
    history = tangled_history(seed, most=24)
    current = pair_round(history.pool, history.draw)
    after, standing = mistake(history, rng), standing_tables(current, rng)
    after.players = [replace(p, table=rng.choice([None, None, 1, 2, 3, 7, 40])) for p in after.players]
    for option in repair(after.pool, after.draw, current, standing):
        found = faults(option.after, after.players, after.rounds, apart=after.apart, standing=standing)
        assert found == []
        kept = set(current.seats) & set(option.after.seats)
        assert kept == set(current.seats) - set(option.removed)
        assert set(option.after.seats) == kept | set(option.added)


# part by part and all at once are two programs for one question
@pytest.mark.parametrize("seed", range(30))
def test_looking_closer_finds_what_one_matching_finds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = seeded(seed)
    history, current = list(
        event(rng.randint(30, 90), rng.randint(2, 7), seed, lambda h: pair_round(h.pool, h.draw), apart=4)
    )[-1]
    history.rounds = history.rounds[: current.number - 1]
    after, standing = mistake(history, rng), standing_tables(current, rng)
    found = []
    for at_once in (0, 999):
        monkeypatch.setattr(changes, "AT_ONCE", at_once)
        found.append([(way.mend, tables_of(way.after)) for way in repair(after.pool, after.draw, current, standing)])
    assert found[0] == found[1]


def test_to_pair_again_is_the_round_of_those_who_are_free() -> None:
    history, current = list(event(20, 4, 1, lambda h: pair_round(h.pool, h.draw)))[-1]
    history.rounds = history.rounds[:3]
    after = mistake(history, seeded(3))
    ways = {way.mend: way for way in repair(after.pool, after.draw, current, {1, 2, 3})}
    stand = {p for seat in current.seats[:3] for p in (seat.first, seat.second)}
    again = pair_round(only(after.pool, after.pool.points.keys() - stand), after.draw)
    last = list(ways.values())[-1]
    assert open_tables(last, {1, 2, 3})[0] == tables_of(again)[0]
