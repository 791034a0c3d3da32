"""Entries in any order of mishaps: the log gives the same tables again, and no place is free while somebody waits."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from games import library
from games.errors import GameError
from tests.tournament.entering import Life
from tournament import store
from tournament.database import Database
from tournament.domain.errors import TournamentError
from tournament.domain.lifecycle import Phase
from tournament.errors import EntriesUnreadable
from tournament.service import (
    apart,
    audit,
    checkin,
    decklists,
    disqualifications,
    entries,
    events,
    merging,
    registrations,
    results,
    rosters,
    rounds,
)
from tournament.service.commands import VISITOR
from tournament.store import last_published, read_log, tables_playing

COMMANDS = 130
SEED = 8
"""Of a life that has almost every kind of command."""
LISTS = list(library.decks("cps").values())
OURS = {
    kind.name
    for noun in (entries, registrations, rosters, checkin, decklists, apart, disqualifications, merging)
    for kind in noun.KINDS
}
USUAL = {"entry.register", "entry.add", "entry.import", "entry.drop", "entry.merge", "entry.check-in", "deck.hand-in"}
"""In every life, whatever else happens."""


def test_any_life_of_entries_is_derived_again_from_its_log(database: Database) -> None:
    rng = random.Random(SEED)
    life = Life(database).announce(opened=False)
    life.do(events.EDIT, events.Edit(capacity=8))
    life.do(events.OPEN)
    life.force(waitlist=True, registration="open", decklist="required")
    seated = False
    for _ in range(COMMANDS):
        name = _something(life, rng)
        seated |= name == "entry.seat-all"
        if not seated:
            _no_place_is_free_while_somebody_waits(life)
    with database.reading() as session:
        done = {row.name for row in read_log(session, life.event)}
        assert audit.verify_log(session, life.event) == []
    assert done >= USUAL
    assert len(done & OURS) > len(OURS) / 2
    assert life.differences() == []
    audit.rebuild(database, life.event)
    with database.reading() as session:
        assert audit.differences(session, life.event) == []


def _no_place_is_free_while_somebody_waits(life: Life) -> None:
    event = life.look()
    if event.capacity is not None and not life.of(last_published):
        assert not life.of(store.waiting_of) or life.of(store.entries_in) >= event.capacity
    assert event.capacity is not None or not life.of(store.waiting_of)


def _something(life: Life, rng: random.Random) -> str | None:
    """Mostly what comes next, now and then anything at all; the name of what was done."""
    before = life.look()
    try:
        rng.choice(_onwards(life, rng) if rng.random() < 1 / 3 else _anything(life, rng))()
    except (TournamentError, EntriesUnreadable, GameError):
        return None
    after = life.look()
    return None if after.version == before.version else str(life.of(store.log_row, after.version).name)


def _onwards(life: Life, rng: random.Random) -> list[Callable[[], Any]]:
    def register() -> None:
        registrations.register(life.database, life.ask(VISITOR), registrations.Register(name=rng.choice("abcdefghij")))

    def come() -> None:
        life.do(checkin.CHECK_IN, entries.Leave(entry=rng.randint(1, life.of(store.last_entry) or 1)))

    def begin() -> None:
        for row, _ in life.of(store.without_list):
            life.do(decklists.WAIVE, decklists.About(entry=row.number, reason="paper"))
        life.start()

    def play() -> None:
        number = life.of(last_published)
        for table in life.of(tables_playing, number):
            games = results.Games(first=2, second=rng.choice([0, 1]))
            life.do(results.REPORT, results.Report(round=number, table=table, games=games))
        life.do(rounds.CLOSE)

    return {
        Phase.REGISTRATION: [*[register] * 9, lambda: life.do(events.CLOSE)],
        Phase.CHECK_IN: [*[come] * 9, lambda: life.do(checkin.SEAT_ALL, checkin.SeatAll()), begin],
        Phase.ROUND: [play],
        Phase.BETWEEN_ROUNDS: [begin],
    }[Phase(life.look().phase)]


def _anything(life: Life, rng: random.Random) -> list[Callable[[], Any]]:
    last = life.of(store.last_entry) or 1
    one, other = rng.randint(1, last), rng.randint(1, last)
    about = decklists.About(entry=one, reason="why")
    source = rng.choice(LISTS[:2]).replace("1 ", rng.choice(["1 ", "2 "]), 1)
    who = rng.choice(["ann", f"entry:{one}"])
    leave = entries.Leave(entry=one)
    out = disqualifications.Disqualify(entry=one, reason="lied")
    pairs = [(row.one, row.other) for row in life.of(store.apart_rows)] or [(1, 2)]
    pair, known = (
        apart.PairApart(one=one, other=one % last + 1 if last > 1 else 2),
        apart.PairApart(**dict(zip(("one", "other"), rng.choice(pairs), strict=True))),
    )
    waiter = entries.Leave(entry=rng.choice([*life.of(store.waiting_of), one]))
    named = rng.choice([{"name": "new"}, {"fixed_table": 3}, {"awarded_byes": 1}, {"fixed_table": None}])
    asked: list[tuple[Any, Any, str]] = [
        (entries.ADD, entries.Add(name="late", awarded_byes=rng.choice([0, 0, 1])), "ann"),
        (entries.EDIT, entries.Edit(entry=one, **named), who),
        (entries.DROP, leave, who),
        (entries.RETURN, entries.Return(entry=one), "ann"),
        (entries.RETURN, entries.Return(entry=one, even_so=True), "ann"),
        (entries.PROMOTE, waiter, "ann"),
        (registrations.RECODE, leave, "ann"),
        (checkin.CHECK_IN, leave, "ann"),
        (checkin.CHECK_IN, leave, "ann"),
        (checkin.CHECK_OUT, leave, "ann"),
        (checkin.SEAT_ALL, checkin.SeatAll(), "ann"),
        (decklists.HAND_IN, decklists.HandIn(entry=one, decklist=source), who),
        (decklists.HAND_IN, decklists.HandIn(entry=one, decklist=source), who),
        *((kind, about, "ann") for kind in (decklists.UNLOCK, decklists.LOCK, decklists.WAIVE, decklists.REQUIRE)),
        (merging.MERGE, merging.Merge(entry=one, void=other), "ann"),
        (apart.ADD, pair, "ann"),
        (apart.REMOVE, known, "ann"),
        (events.EDIT, events.Edit(capacity=rng.choice([6, 8, 9, None])), "ann"),
        (events.REOPEN, None, "ann"),
        (rounds.REOPEN, None, "ann"),
    ]
    if rng.random() < 1 / 2:
        asked += [(kind, out, "ann") for kind in disqualifications.KINDS]
    table = f"name,apart,fixed_table\nimported {last},x,\n{rng.choice('abc')},x,4\n".encode()
    return [
        *(lambda kind=kind, say=say, who=who: life.do(kind, say, who) for kind, say, who in asked),
        lambda: rosters.enter(life.database, life.ask(), table, rng.choice(["refuse", "accept"])),  # type: ignore[arg-type]
    ]


def test_who_register_at_once_get_a_place_each_or_wait_and_no_number_twice(database: Database) -> None:
    life = Life(database).announce()
    life.force(registration="open", capacity=5, waitlist=True)
    asks = [life.ask(VISITOR) for _ in range(20)]

    def register(number: int) -> registrations.Registered:
        return registrations.register(database, asks[number], registrations.Register(name=f"player {number}"))

    with ThreadPoolExecutor(10) as pool:
        told = list(pool.map(register, [*range(20), *range(20)]))
    assert told[:20] == told[20:]
    assert sorted(one.entry for one in told[:20]) == list(range(1, 21))
    assert sorted(one.entry for one in told[:20] if not one.waiting) == [1, 2, 3, 4, 5]
    assert list(life.of(store.waiting_of)) == list(range(6, 21))
