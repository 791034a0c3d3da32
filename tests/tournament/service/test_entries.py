"""Entries: registered, waiting, promoted, corrected, merged, disqualified, kept apart."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from tests.tournament.entering import CODES, Life, begun
from tournament import store
from tournament.domain.errors import ActionNotAllowed
from tournament.domain.roles import Role
from tournament.errors import (
    AlreadyDisqualified,
    ApartNotFound,
    CommandIdReused,
    EntryVoid,
    EventFull,
    MergeRefused,
    NotDisqualified,
    NotPlaying,
    NotWaiting,
    NotYourEntry,
    NotYours,
    RegistrationByStaff,
    RegistrationClosed,
    RegistrationCodeWrong,
    RegistrationNotYetOpen,
    RegistrationOver,
    RequestUnreadable,
    RoundsBegun,
    StillPlaying,
)
from tournament.event_file import parse_event_file
from tournament.service import (
    accounts,
    apart,
    disqualifications,
    entries,
    events,
    exports,
    merging,
    registrations,
    results,
    rosters,
    rounds,
    standings,
)
from tournament.service.codes import Purpose
from tournament.service.commands import VISITOR
from tournament.service.registrations import Register, register
from tournament.tables import EntryRow

KEY = "a key that nobody guesses"


@pytest.fixture
def life(sqlite: Path, tmp_path: Path) -> Iterator[Life]:
    with begun(sqlite, tmp_path) as life:
        yield life


def entry(life: Life, number: int) -> EntryRow:
    row: EntryRow = life.of(store.find_entry, number)
    return row


def waiting(life: Life) -> list[int]:
    return list(life.of(store.waiting_of))


def leave(life: Life, number: int, who: str = "ann") -> Any:
    return life.do(entries.DROP, entries.Leave(entry=number), who)


def back(life: Life, number: int, who: str = "ann", **asked: Any) -> Any:
    return life.do(entries.RETURN, entries.Return(entry=number, **asked), who)


def registered(life: Life, name: str = "Cat", *, code: str | None = None, key: str | None = None, **asked: Any) -> Any:
    return register(life.database, life.ask(VISITOR, key=key, **asked), Register(name=name, code=code))


# --- registration


def test_whoever_registers_gets_a_code_that_acts_for_the_entry(life: Life) -> None:
    life.force(registration="open")
    cat = registered(life)
    with life.database.reading() as session:
        assert accounts.find(session, accounts.shown(cat.token), CODES, life.event) == f"entry:{cat.entry}"
    assert cat.code in cat.token
    assert (entry(life, cat.entry).name, cat.waiting) == ("Cat", False)


def test_a_registration_sent_again_is_the_same_to_the_last_byte_and_happens_once(life: Life) -> None:
    life.force(registration="open")
    first = registered(life, key=KEY)
    registered(life, "Dan")
    assert registered(life, key=KEY) == first
    assert life.of(store.last_entry) == 2
    with pytest.raises(CommandIdReused):
        registered(life, "Eve", key=KEY)


def test_the_log_has_neither_the_code_nor_the_key_that_would_get_it(life: Life) -> None:
    life.force(registration="code")
    shown = events.registration_code(life.look(), CODES)
    cat = registered(life, code=shown, key=KEY)
    log = life.in_log()
    for secret in ("Cat", cat.code, cat.token, shown, KEY, shown.replace("-", "")):
        assert secret not in log
    row = life.of(store.log_row, life.look().version)
    with pytest.raises(RegistrationCodeWrong):  # the id that the log has is another one
        registered(life, key=row.command)


def test_a_key_that_can_be_guessed_is_refused_where_it_would_tell_the_code(life: Life) -> None:
    life.force(registration="open")
    with pytest.raises(RequestUnreadable, match="16 characters"):
        registered(life, key="1")


def test_a_code_of_the_event_is_asked_for_and_an_older_one_is_worth_nothing(life: Life) -> None:
    life.force(registration="code")
    old = events.registration_code(life.look(), CODES)
    assert registered(life, code=old.lower().replace("-", " ")).entry == 1
    life.force(registration_code=2)
    for wrong in (None, "", old, CODES.code(Purpose.ENTRY, life.event, 1, 1)):
        with pytest.raises(RegistrationCodeWrong):
            registered(life, code=wrong)


def test_nobody_registers_but_while_registration_is_open(life: Life) -> None:
    with pytest.raises(RegistrationByStaff):
        registered(life)
    life.force(registration="open", opens_at="2026-01-31T12:00:00.000000Z", closes_at="2026-01-31T13:00:00.000000Z")
    with pytest.raises(RegistrationNotYetOpen):
        registered(life, hours=-0.001)
    assert registered(life).entry == 1
    with pytest.raises(RegistrationOver):
        registered(life, hours=1)
    life.do(events.CLOSE)
    with pytest.raises(RegistrationClosed):
        registered(life)
    assert life.enter("at the desk") == [2]


def test_a_code_that_was_replaced_is_worth_nothing(life: Life) -> None:
    life.force(registration="open")
    cat = registered(life, key=KEY)
    assert life.do(registrations.RECODE, entries.Leave(entry=cat.entry)) == {"entry": 1, "generation": 2}
    new = accounts.entry_token(CODES, life.event, cat.entry, 2)
    with life.database.reading() as session:
        assert accounts.find(session, accounts.shown(new), CODES, life.event) == "entry:1"
        with pytest.raises(accounts.SignInNeeded):
            accounts.find(session, accounts.shown(registered(life, key=KEY).token), CODES, life.event)


@pytest.mark.parametrize("name", ["entry.add", "entry.register", "entry.import"])
def test_a_number_is_never_given_twice_even_if_its_entry_is_no_more(life: Life, name: str) -> None:
    life.force(registration="open")
    life.enter("ann")
    {
        "entry.add": lambda: life.enter("bob"),
        "entry.register": lambda: registered(life),
        "entry.import": lambda: rosters.enter(life.database, life.ask(), b"name\nbob\n", "refuse"),
    }[name]()
    with life.database.writing() as session:
        session.connection().execute(text("DELETE FROM entry WHERE number = 2"))
    assert life.enter("cat") == [3]
    assert registered(life, "dan").entry == 4
    rosters.enter(life.database, life.ask(), b"name\neve\nfay\n", "refuse")
    assert life.enter("gus") == [7]


# --- places
#
#   capacity 2: ann bob | cat dan eve      bob leaves, cat gets the place


def test_who_comes_after_the_last_place_waits_and_gets_the_place_of_who_leaves(life: Life) -> None:
    life.force(capacity=2, waitlist=True, registration="open")
    life.enter("ann", "bob")
    assert [registered(life, name).waiting for name in ("cat", "dan", "eve")] == [True, True, True]
    assert leave(life, 4)["promoted"] == []
    assert leave(life, 2) == {"entry": 2, "dropped_after": 0, "promoted": [3]}
    assert waiting(life) == [5]
    assert life.do(entries.RETURN, entries.Return(entry=4)) == {"entry": 4, "waiting": True, "beyond": None}
    assert life.do(entries.RETURN, entries.Return(entry=2)) == {"entry": 2, "waiting": True, "beyond": None}
    assert waiting(life) == [5, 4, 2]
    assert leave(life, 1, who="entry:1")["promoted"] == [5]
    assert [row.number for row in life.of(store.here_of)] == [3, 5]


def test_more_places_go_to_who_waits_longest(life: Life) -> None:
    life.do(events.EDIT, events.Edit(capacity=2))
    life.force(waitlist=True)
    life.enter("ann", "bob", "cat", "dan", "eve")
    assert life.do(events.EDIT, events.Edit(name="Summer Open"))["promoted"] == []
    assert life.do(events.EDIT, events.Edit(capacity=4))["promoted"] == [3, 4]
    assert life.do(events.EDIT, events.Edit(capacity=None))["promoted"] == [5]
    assert waiting(life) == []
    assert life.differences() == []


def test_without_a_waiting_list_a_full_event_is_full(life: Life) -> None:
    life.force(capacity=2)
    life.enter("ann", "bob")
    with pytest.raises(EventFull):
        life.enter("cat")
    leave(life, 1)
    life.enter("cat")
    with pytest.raises(EventFull):
        life.do(entries.RETURN, entries.Return(entry=1))


def test_who_waits_is_not_seated_and_not_in_the_standings(life: Life) -> None:
    life.force(capacity=2, waitlist=True)
    life.enter("ann", "bob", "cat")
    life.do(events.CLOSE)
    assert [(seat["first"], seat["second"]) for seat in life.start()] in ([(1, 2)], [(2, 1)])
    with life.database.reading() as session:
        assert len(standings.after(session, life.look())[1]) == 2
        assert len(parse_event_file(exports.export(session, life.look())).players) == 2


def test_after_the_start_a_place_is_given_by_hand_from_the_next_round_on(life: Life) -> None:
    life.force(capacity=2, waitlist=True)
    life.enter("ann", "bob", "cat", "dan")
    life.do(events.CLOSE)
    life.play(1)
    with pytest.raises(EventFull):
        life.do(entries.PROMOTE, entries.Leave(entry=3))
    assert leave(life, 1)["promoted"] == []
    assert life.do(entries.PROMOTE, entries.Leave(entry=4)) == {"entry": 4, "entered_in": 2}
    assert waiting(life) == [3]
    with pytest.raises(NotWaiting):
        life.do(entries.PROMOTE, entries.Leave(entry=4))
    [seat] = life.start()
    assert {seat["first"], seat["second"]} == {2, 4}


# capacity 2, waiting list: ann bob | cat      bob leaves, cat gets the place, bob returns
def test_who_returns_before_the_start_and_finds_no_place_waits_last_in_line(life: Life) -> None:
    life.force(capacity=2, waitlist=True)
    life.enter("ann", "bob", "cat", "dan")
    leave(life, 2)
    assert back(life, 2) == {"entry": 2, "waiting": True, "beyond": None}
    assert waiting(life) == [4, 2]


# capacity 2: ann bob play round 1, bob leaves, cat comes late
def test_who_returns_after_the_start_finds_a_place_or_is_refused_and_nobody_is_put_in_line(life: Life) -> None:
    life.force(capacity=2, waitlist=True)
    life.enter("ann", "bob")
    life.do(events.CLOSE)
    life.play(1)
    leave(life, 2)
    assert back(life, 2)["waiting"] is False
    leave(life, 2)
    life.enter("cat")
    with pytest.raises(EventFull, match="`even_so`"):
        back(life, 2)
    assert (waiting(life), life.of(store.find_entry, 2).dropped_after) == ([], 1)


def test_an_organizer_takes_a_player_back_beyond_the_capacity_and_nobody_else_does(life: Life) -> None:
    life.force(capacity=2, waitlist=True)
    life.enter("ann", "bob", "cat")
    leave(life, 2)
    desk = life.staff("eve", Role.DESK)
    with pytest.raises(NotYours):
        back(life, 2, desk, even_so=True)
    assert back(life, 2, even_so=True) == {"entry": 2, "waiting": False, "beyond": 2}
    assert (life.of(store.entries_in), waiting(life)) == (3, [])
    life.enter("dan")
    assert leave(life, 1)["promoted"] == []
    assert leave(life, 2)["promoted"] == [4]
    assert life.differences() == []


def test_who_is_taken_back_although_there_is_a_place_exceeds_nothing(life: Life) -> None:
    life.force(capacity=2)
    life.enter("ann", "bob")
    leave(life, 2)
    assert back(life, 2, life.staff("eve", Role.DESK), even_so=True)["beyond"] is None
    assert '"even_so":true' in life.in_log()


def test_what_nobody_said_is_not_in_the_log_of_a_return(life: Life) -> None:
    life.enter("ann")
    leave(life, 1)
    back(life, 1)
    assert "even_so" not in life.in_log()


# --- players' own acts, and corrections


def test_a_player_acts_for_nobody_else(life: Life) -> None:
    life.enter("ann", "bob")
    for kind, asked in (
        (entries.DROP, entries.Leave(entry=2)),
        (entries.EDIT, entries.Edit(entry=2, name="Eve")),
    ):
        with pytest.raises(NotYourEntry):
            life.do(kind, asked, "entry:1")
    with pytest.raises(NotYours):
        life.do(entries.ADD, entries.Add(name="Eve"), "entry:1")


def test_a_player_corrects_the_own_name_before_the_start_and_staff_at_any_time(life: Life) -> None:
    life.enter("An", "bob")
    life.do(entries.EDIT, entries.Edit(entry=1, name="Ann"), "entry:1")
    assert life.of(store.find_entry, 1).name == "Ann"
    with pytest.raises(NotYours, match="fixed table"):
        life.do(entries.EDIT, entries.Edit(entry=1, awarded_byes=3), "entry:1")
    life.do(events.CLOSE)
    life.play(1)
    with pytest.raises(RoundsBegun):
        life.do(entries.EDIT, entries.Edit(entry=1, name="Anna"), "entry:1")
    life.do(events.FINISH)
    life.do(entries.EDIT, entries.Edit(entry=1, name="Anna"))
    assert life.of(store.find_entry, 1).name == "Anna"


def test_a_fixed_table_and_awarded_byes_change_what_is_paired(life: Life) -> None:
    life.enter("ann", "bob", "cat", "dan", "eve")
    life.do(events.CLOSE)
    life.do(rounds.PAIR)
    life.do(entries.EDIT, entries.Edit(entry=1, name="Ann"))
    assert life.of(store.find_round, 1) is not None
    life.do(entries.EDIT, entries.Edit(entry=1, fixed_table=7))
    assert life.of(store.find_round, 1) is None
    life.do(entries.EDIT, entries.Edit(entry=2, awarded_byes=1))
    seats = life.start()
    assert next(seat["table"] for seat in seats if 1 in {seat["first"], seat["second"]}) == 7
    assert [seat["first"] for seat in seats if seat["bye"] == "awarded"] == [2]
    with pytest.raises(RoundsBegun):
        life.do(entries.EDIT, entries.Edit(entry=3, awarded_byes=2))
    assert life.do(entries.EDIT, entries.Edit(entry=1, fixed_table=None))["fixed_table"] is None
    assert life.do(entries.EDIT, entries.Edit(entry=2, name="Rob"))["awarded_byes"] == 1


def test_a_player_who_was_dropped_by_mistake_comes_back_before_the_start(life: Life) -> None:
    life.enter("ann", "bob")
    leave(life, 1)
    with pytest.raises(NotPlaying):
        leave(life, 1)
    life.do(entries.RETURN, entries.Return(entry=1))
    with pytest.raises(StillPlaying):
        life.do(entries.RETURN, entries.Return(entry=1))
    life.do(events.CLOSE)
    leave(life, 2, who="entry:2")
    life.do(entries.RETURN, entries.Return(entry=2))
    assert len(life.start()) == 1


# --- disqualification


def disqualify(life: Life, number: int, who: str = "ann") -> Any:
    return life.do(disqualifications.DISQUALIFY, disqualifications.Disqualify(entry=number, reason="lied"), who)


def test_who_is_disqualified_loses_the_running_match_and_is_out_of_the_standings(life: Life) -> None:
    judge = life.staff("jude", Role.JUDGE)
    life.enter("ann", "bob", "cat", "dan")
    life.do(events.CLOSE)
    running, over = life.start()
    games = results.Games(first=1, second=2)
    life.do(results.REPORT, results.Report(round=1, table=over["table"], games=games))
    lost = disqualify(life, running["second"], judge)
    assert lost["lost"] == {
        "round": 1, "table": running["table"], "first": 2, "second": 0, "drawn": 0, "ending": "penalty",
    }  # fmt: skip
    assert disqualify(life, over["first"])["lost"] is None
    with life.database.reading() as session:
        seats = store.rounds_of(session, life.event)[0].seats
    assert {seat.table: seat.result.first for seat in seats} == {running["table"]: 2, over["table"]: 1}  # type: ignore[union-attr]
    life.do(rounds.CLOSE)
    with life.database.reading() as session:
        ranked = [int(line.player) for line in standings.after(session, life.look())[1]]
    assert sorted(ranked) == sorted({running["first"], over["second"]})
    with pytest.raises(AlreadyDisqualified):
        disqualify(life, running["second"])
    with pytest.raises(StillPlaying):
        life.do(entries.RETURN, entries.Return(entry=running["second"]))


def test_a_disqualification_that_was_a_mistake_is_taken_back(life: Life) -> None:
    judge = life.staff("jude", Role.JUDGE)
    life.enter("ann", "bob")
    disqualify(life, 1)
    back = disqualifications.Disqualify(entry=1, reason="the wrong number")
    with pytest.raises(NotYours):
        life.do(disqualifications.REINSTATE, back, judge)
    life.do(disqualifications.REINSTATE, back)
    with pytest.raises(NotDisqualified):
        life.do(disqualifications.REINSTATE, back)
    life.do(entries.RETURN, entries.Return(entry=1))
    assert (entry(life, 1).disqualified, entry(life, 1).dropped_after) == (False, None)
    assert life.differences() == []


def test_who_is_disqualified_before_the_start_leaves_a_place(life: Life) -> None:
    life.force(capacity=2, waitlist=True)
    life.enter("ann", "bob", "cat")
    assert disqualify(life, 2)["promoted"] == [3]


# --- kept apart


def test_who_is_kept_apart_does_not_meet_and_the_export_says_so(life: Life) -> None:
    life.enter("ann", "bob", "cat", "dan")
    life.do(events.CLOSE)
    first = life.receipt(apart.ADD, apart.PairApart(one=2, other=1))
    assert life.receipt(apart.ADD, apart.PairApart(one=1, other=2)) == first
    life.do(apart.ADD, apart.PairApart(one=3, other=1))
    assert {1, 4} in [{seat["first"], seat["second"]} for seat in life.do(rounds.PAIR)["seats"]]
    life.do(apart.ADD, apart.PairApart(one=4, other=1))
    assert life.of(store.find_round, 1) is None  # a pair that is kept apart discards a draft
    life.do(apart.REMOVE, apart.PairApart(one=1, other=2))
    assert {1, 2} in [{seat["first"], seat["second"]} for seat in life.start()]
    with pytest.raises(ApartNotFound):
        life.do(apart.REMOVE, apart.PairApart(one=2, other=1))
    with life.database.reading() as session:
        assert parse_event_file(exports.export(session, life.look())).apart == (("1", "3"), ("1", "4"))


def test_rounds_that_somebody_missed_are_in_the_export(life: Life) -> None:
    life.enter("ann", "bob", "cat", "dan")
    life.do(events.CLOSE)
    life.play(1)
    leave(life, 4)
    life.play(2)
    life.do(entries.RETURN, entries.Return(entry=4))
    life.play(3)
    with life.database.reading() as session:
        assert dict(parse_event_file(exports.export(session, life.look())).absent) == {"4": (2,)}


# --- merging


def merge(life: Life, keep: int, void: int) -> Any:
    return life.do(merging.MERGE, merging.Merge(entry=keep, void=void, reason="one person"))


def test_two_entries_of_one_person_become_one_that_has_the_best_of_both(life: Life) -> None:
    life.force(capacity=3, waitlist=True)
    life.enter("Ann", "Bob", "Ann E.", "Cat")
    life.do(entries.EDIT, entries.Edit(entry=3, fixed_table=5, awarded_byes=2))
    life.do(apart.ADD, apart.PairApart(one=2, other=3))
    life.do(apart.ADD, apart.PairApart(one=1, other=3))
    fact = merge(life, 1, 3)
    assert (fact["fixed_table"], fact["awarded_byes"], fact["promoted"]) == (5, 2, [4])
    assert [row.number for row in life.of(store.here_of)] == [1, 2, 4]
    assert life.of(store.apart_of) == (("1", "2"),)
    for kind in (entries.DROP, entries.RETURN, entries.PROMOTE, registrations.RECODE):
        with pytest.raises((EntryVoid, ActionNotAllowed)):
            life.do(kind, entries.Leave(entry=3))
    with pytest.raises(EntryVoid, match="merged into number 1"):
        leave(life, 3, who="entry:3")
    life.do(events.CLOSE)
    assert all(3 not in {seat["first"], seat["second"]} for seat in life.start())
    assert life.differences() == []


def test_a_merged_entry_takes_the_place_that_the_other_had(life: Life) -> None:
    life.force(capacity=2, waitlist=True)
    life.enter("Ann", "Bob", "Bob again", "Cat")
    assert merge(life, 3, 2)["waiting"] is None
    leave(life, 1)
    assert waiting(life) == []
    fact = merge(life, 1, 4)
    assert (fact["dropped_after"], fact["waiting"]) == (None, None)
    assert [row.number for row in life.of(store.here_of)] == [1, 3]


def test_who_has_played_is_not_merged_into_another(life: Life) -> None:
    life.enter("Ann", "Bob", "Ann", "Bob")
    life.do(events.CLOSE)
    leave(life, 3)
    life.do(rounds.PAIR)
    life.do(rounds.PUBLISH)
    for keep, void, why in ((3, 1, "other way round"), (1, 2, "number 2 has played"), (1, 1, "the same")):
        with pytest.raises(MergeRefused, match=why):
            merge(life, keep, void)
    assert merge(life, 1, 3)["dropped_after"] is None
    disqualify(life, 2)
    life.enter("Bob, once more")
    with pytest.raises(MergeRefused, match="number 2 is disqualified"):
        merge(life, 2, 5)


def test_the_log_says_which_entry_went_into_which(life: Life) -> None:
    life.enter("Ann", "Ann")
    merge(life, 2, 1)
    receipt = life.of(store.log_row, life.look().version)
    assert (receipt.name, json.loads(receipt.arguments), receipt.reason) == (
        "entry.merge",
        {"entry": 2, "void": 1},
        "one person",
    )
