"""Who came in: at the server, at desks without a network, and what staff have to settle before round 1."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.tournament.entering import Life, begun
from tests.tournament.passing import NOW, FarDesk, give, sheet, signed, text, unsettled
from tournament import event_file, store
from tournament.database import Database
from tournament.domain.errors import TournamentError
from tournament.domain.roles import Role
from tournament.errors import (
    DeskNameTaken,
    NothingToSettle,
    NotYours,
    PassesNotOpen,
    PassNotGood,
    ScansUnsettled,
    ScansUnsound,
)
from tournament.service import (
    audit,
    checkin,
    cut,
    entries,
    events,
    merging,
    pass_books,
    pass_desks,
    passes,
    publishing,
    rounds,
    scans,
    transfers,
    undo,
)
from tournament.service.commands import Kind, run
from verifier.passes import (
    HolderKey,
    Shown,
    SignedPass,
    SignedScan,
    SigningKey,
    chain_faults,
    prove,
    write_payload,
    write_scan,
)

DEVICE = HolderKey(b"\1" * 32)


@pytest.fixture
def life(sqlite: Path, tmp_path: Path) -> Iterator[Life]:
    """Six players with passes 1 to 6; check-in is open."""
    with begun(sqlite, tmp_path) as life:
        yield ready(life)


def ready(life: Life) -> Life:
    life.enter(*"abcdef")
    life.do(pass_books.OPEN)
    life.do(passes.ISSUE_ALL, passes.IssueAll())
    life.do(events.CLOSE)
    return life


def scan(life: Life, serial: int, who: str = "ann", *, hours: float = 0) -> object:
    return life.do(scans.SCAN, scans.Show(text=text(life, serial)), who, hours=hours)


def here(life: Life) -> list[int]:
    return [row.number for row in life.of(store.here_of) if row.checked_in is not None]


def pair(life: Life) -> object:
    return life.do(rounds.PAIR, rounds.Pair())


# --- at the server


def test_a_good_pass_checks_its_player_in(life: Life) -> None:
    fact = scan(life, 3)
    assert fact == {
        "entry": 3,
        "serial": 3,
        "deck_pass": signed(life, 3).deck_pass.digest(0).hex(),
        "desk": None,
        "scanned_at": NOW,
        "checked_in": True,
    }
    assert here(life) == [3]


def test_a_copied_qr_is_refused_the_second_time_and_the_first_one_is_named(life: Life) -> None:
    scan(life, 3)
    with pytest.raises(PassNotGood) as refused:
        scan(life, 3, hours=0.1)
    assert str(refused.value) == ("pass 3 came in at a desk of ann already, at 2026-01-31 12:00 UTC")
    assert refused.value.entry == 3


def test_whoever_has_a_newer_pass_does_not_come_in_with_the_old_one(life: Life) -> None:
    old = text(life, 2)
    give(life, 2, anew=True)
    with pytest.raises(PassNotGood, match="pass 2 was revoked"):
        life.do(scans.SCAN, scans.Show(text=old))
    assert here(life) == []


def test_what_no_scanner_should_read_is_refused_with_every_step(life: Life) -> None:
    whole = text(life, 1)
    for wrong in ("hello", whole[3:], whole + "000", whole.lower(), " "):
        with pytest.raises(PassNotGood) as refused:
            life.do(scans.SCAN, scans.Show(text=wrong))
        assert len(refused.value.findings) == 7
        assert refused.value.entry is None


def test_a_pass_that_this_server_has_not_made_is_refused_though_its_key_signed_it(life: Life) -> None:
    made = signed(life, 1).deck_pass
    with life.database.reading() as session:
        key = life.of(pass_books.book_of).signing_key(session, life.ask().codes)
    for other in (replace(made, serial=99), replace(made, not_after=made.not_after + 1)):
        forged = write_payload(Shown(SignedPass.by(key, other, 0)))
        with pytest.raises(PassNotGood, match="this server has made no such pass"):
            life.do(scans.SCAN, scans.Show(text=forged))


def test_a_bound_pass_needs_its_device_at_the_server_too(life: Life) -> None:
    serial = give(life, 1, "entry:1", holder_key=DEVICE.public.hex())["serial"]
    with pytest.raises(PassNotGood, match="bound to a device that has not signed"):
        scan(life, serial)
    with pytest.raises(PassNotGood, match="signed 31 s ago"):
        life.do(scans.SCAN, scans.Show(text=write_payload(prove(signed(life, serial), DEVICE, NOW - 31))))
    life.do(scans.SCAN, scans.Show(text=write_payload(prove(signed(life, serial), DEVICE, NOW))))
    assert here(life) == [1]


def test_before_check_in_a_scan_is_kept_and_nobody_is_checked_in(sqlite: Path, tmp_path: Path) -> None:
    with begun(sqlite, tmp_path) as life:
        life.enter("ann", "bob")
        life.do(pass_books.OPEN)
        give(life, 1)
        assert life.do(scans.SCAN, scans.Show(text=text(life, 1)))["checked_in"] is False
        assert here(life) == []


def test_what_a_scanner_read_is_in_no_log(life: Life) -> None:
    shown = text(life, 3)
    scan(life, 3)
    assert shown not in life.in_log()
    assert signed(life, 3).deck_pass.player_tag.hex() not in life.in_log()


@pytest.mark.parametrize("kind", [scans.SCAN, scans.SYNC, pass_desks.ENROL], ids=lambda kind: kind.name)
def test_players_let_nobody_in(life: Life, kind: Kind) -> None:  # type: ignore[type-arg]
    asked = {
        scans.SCAN: lambda: scans.Show(text="x"),
        scans.SYNC: lambda: scans.Sync(scans=[{}]),
        pass_desks.ENROL: lambda: pass_desks.Enrol(address=SigningKey(b"\1" * 32).address, name="here"),
    }[kind]()
    with pytest.raises(NotYours):
        life.do(kind, asked, "entry:1")


# --- from desks without a network


def test_what_a_desk_tells_later_checks_its_players_in(life: Life) -> None:
    desk = FarDesk(life, "north door", 11).enrol(life.staff("dee", Role.DESK))
    for serial in (2, 5):
        desk.admit(serial, minutes=serial)
    fact = desk.sync(who="dee", hours=2)
    assert ([one["entry"] for one in fact["scans"]], fact["checked_in"]) == ([2, 5], [2, 5])
    assert here(life) == [2, 5]
    assert not any(made.scan.player_tag.hex() in life.in_log() for made in desk.scans)


def test_told_again_whole_or_in_part_it_is_the_same(life: Life) -> None:
    desk = FarDesk(life, "north door", 11).enrol()
    first, second = desk.admit(1), desk.admit(2)
    desk.sync(first)
    version = life.look().version
    desk.sync(first)
    assert life.look().version == version
    desk.sync()
    assert life.look().version == version + 1
    for only in ([first], [second], [second, first], [first, first]):
        desk.sync(*only)
    assert life.look().version == version + 1
    assert [row.counter for row in life.of(store.scans_of)] == [1, 2]


def test_any_order_and_any_parts_come_to_the_same_scans(life: Life) -> None:
    desks = [FarDesk(life, name, number).enrol() for number, name in enumerate(("north", "south"), start=11)]
    told = [
        desk.admit(serial, minutes=serial)
        for serial in range(1, 7)
        for desk in desks
        if (serial + desk.key.key.secret[0]) % 3
    ]
    rng = random.Random(5)
    for _ in range(8):
        desks[0].sync(*rng.sample(told, rng.randint(1, len(told))))
    desks[0].sync(*told)
    with life.database.reading() as session:
        heard = list(pass_desks.scans_as_told(session, life.event, life.ask().codes))
    assert sorted(heard, key=lambda one: one.scan) == sorted(told, key=lambda one: one.scan)
    book = life.of(pass_books.book_of)
    assert chain_faults(heard, event_id=book.terms.event_id, chain_id=0) == []
    assert life.differences() == []


def test_the_same_pass_at_two_desks_without_a_network_is_found_when_they_tell(life: Life) -> None:
    north, south = (FarDesk(life, name, number).enrol() for number, name in ((11, "north door"), (12, "south door")))
    north.admit(4, minutes=1)
    south.admit(4, minutes=9)
    north.admit(5, minutes=10)
    north.sync()
    assert unsettled(life) == []
    south.sync()
    assert unsettled(life) == [4]
    with pytest.raises(ScansUnsettled) as refused:
        pair(life)
    assert str(refused.value) == (
        "1 player came in more than once, or with a pass that did not count; settle each with a reason, then pair:\n"
        "d (4): north door at 2026-01-31 12:01 UTC with pass 4; south door at 2026-01-31 12:09 UTC with pass 4"
    )
    life.do(scans.SETTLE, scans.Settle(entry=4, reason="the second one was a copy; sent away"))
    assert pair(life)


def test_a_draft_of_round_1_is_not_published_when_desks_tell_of_a_duplicate_meanwhile(life: Life) -> None:
    north, south = (FarDesk(life, name, number).enrol() for number, name in ((11, "north door"), (12, "south door")))
    for desk in (north, south):
        desk.admit(4)
    pair(life)
    north.sync(*north.scans, *south.scans)
    with pytest.raises(ScansUnsettled):
        life.do(rounds.PUBLISH)
    life.do(scans.SETTLE, scans.Settle(entry=4, reason="went out for a coffee"))
    life.do(rounds.PUBLISH)


def test_an_event_that_begins_with_its_cut_waits_for_the_desks_too(life: Life) -> None:
    scan(life, 1)
    FarDesk(life, "north door", 11).enrol().admit(1)
    desk = FarDesk(life, "south door", 12).enrol()
    desk.admit(1)
    desk.sync()
    with pytest.raises(ScansUnsettled):
        life.do(cut.START, cut.StartCut(top=4))


def test_one_player_with_two_passes_at_two_desks_is_found_as_well(life: Life) -> None:
    north, south = (FarDesk(life, name, number).enrol() for number, name in ((11, "north door"), (12, "south door")))
    north.admit(4)
    south.admit(give(life, 4, anew=True)["serial"])
    north.sync(*north.scans, *south.scans)
    assert unsettled(life) == [4]


def test_who_came_in_at_the_server_and_at_a_desk_without_a_network_is_found(life: Life) -> None:
    desk = FarDesk(life, "north door", 11).enrol()
    desk.admit(4)
    scan(life, 4)
    desk.sync()
    assert unsettled(life) == [4]


def at_desk(life: Life, desk: FarDesk, serial: int, *, hours: float = 0) -> object:
    """The desk asks the server."""
    asked = scans.Show(text=text(life, serial), desk=desk.key.key.address)
    return life.do(scans.SCAN, asked, hours=hours)


def test_a_desk_whose_answer_was_lost_lets_the_player_in_again_and_that_is_one_coming_in(life: Life) -> None:
    desk = FarDesk(life, "north door", 11).enrol()
    at_desk(life, desk, 4)
    desk.admit(4, minutes=0.5)
    desk.sync()
    assert (unsettled(life), here(life)) == ([], [4])
    assert life.differences() == []
    assert pair(life)


def test_a_copy_of_a_desk_repeats_no_lost_answer_a_second_time(life: Life) -> None:
    desk, copy = FarDesk(life, "north door", 11).enrol(), FarDesk(life, "north door", 11)
    at_desk(life, desk, 4)
    desk.admit(4, minutes=0.5)
    copy.admit(5)
    copy.admit(4, minutes=1)
    desk.sync()
    copy.sync()
    assert unsettled(life) == [4]
    other = FarDesk(life, "west door", 12).enrol()
    at_desk(life, other, 3)
    other.admit(3, minutes=0.5)
    other.admit(3, minutes=0.75)
    other.sync()
    assert unsettled(life) == [3, 4]


def test_the_same_at_another_desk_or_much_later_is_no_lost_answer(life: Life) -> None:
    north, south = (FarDesk(life, name, number).enrol() for number, name in ((11, "north door"), (12, "south door")))
    at_desk(life, north, 4)
    south.admit(4, minutes=0.5)
    at_desk(life, north, 5)
    north.admit(5, minutes=5)
    for desk in (north, south):
        desk.sync()
    assert unsettled(life) == [4, 5]


def test_a_scan_at_a_desk_that_has_not_enrolled_is_refused(life: Life) -> None:
    with pytest.raises(ScansUnsound, match="was enrolled"):
        at_desk(life, FarDesk(life, "nowhere", 99), 1)
    assert here(life) == []


def test_a_duplicate_of_somebody_who_does_not_play_holds_nobody_up(life: Life) -> None:
    scan(life, 4)
    desk = FarDesk(life, "north door", 11).enrol()
    desk.admit(4)
    desk.sync()
    life.do(entries.DROP, entries.Leave(entry=4))
    assert unsettled(life) == [4]
    assert pair(life)


def test_what_is_settled_is_open_again_when_a_third_scan_comes(life: Life) -> None:
    desks = [FarDesk(life, f"door {number}", number).enrol() for number in (11, 12, 13)]
    for desk in desks:
        desk.admit(2)
    desks[0].sync(*desks[0].scans, *desks[1].scans)
    life.do(scans.SETTLE, scans.Settle(entry=2, reason="went out"))
    assert unsettled(life) == []
    desks[2].sync()
    assert unsettled(life) == [2]
    fact = life.do(scans.SETTLE, scans.Settle(entry=2, reason="went out again"))
    assert fact["scans"] == [3]


def test_a_pass_that_was_revoked_before_a_desk_let_it_in_is_looked_at(life: Life) -> None:
    desk = FarDesk(life, "north door", 11).enrol()
    life.do(passes.REVOKE, passes.About(entry=2, reason="stolen"))
    desk.admit(2, minutes=30)
    desk.sync()
    assert unsettled(life) == [2]
    with pytest.raises(ScansUnsettled, match="the pass had been revoked before"):
        pair(life)
    life.do(scans.SETTLE, scans.Settle(entry=2, reason="it was the player, with the old pass"))
    assert pair(life)


def test_a_pass_that_was_revoked_after_a_desk_let_it_in_is_no_matter(life: Life) -> None:
    desk = FarDesk(life, "north door", 11).enrol()
    desk.admit(2)
    life.do(passes.REVOKE, passes.About(entry=2, reason="to make a new one"), hours=1)
    desk.sync()
    assert (unsettled(life), here(life)) == ([], [2])


def test_a_scan_of_a_pass_that_was_not_made_here_is_kept_and_shown_and_is_nobodys(life: Life) -> None:
    desk = FarDesk(life, "north door", 11).enrol()
    made = replace(signed(life, 2).deck_pass, serial=77)
    with life.database.reading() as session:
        key = life.of(pass_books.book_of).signing_key(session, life.ask().codes)
    desk.scans.append(desk.key.scan(SignedPass.by(key, made, 0), NOW, None))
    desk.admit(3)
    fact = desk.sync()
    assert [(one["entry"], one["doubt"]) for one in fact["scans"]] == [
        (None, "this server has made no such pass"),
        (3, ""),
    ]
    assert [row.serial for row in life.of(store.foreign_scans)] == [77]
    assert here(life) == [3]
    assert pair(life)
    with life.database.reading() as session:
        heard = list(pass_desks.scans_as_told(session, life.event, life.ask().codes))
    assert heard == desk.scans


# --- what is no scan of a desk of this event


def _of_nobody(desk: FarDesk) -> SignedScan:
    return FarDesk(desk.life, "nowhere", 99).admit(1)


def _unsigned(desk: FarDesk) -> SignedScan:
    return replace(desk.admit(1), signature=bytes(64) + b"\x1b")


def _of_another_event(desk: FarDesk) -> SignedScan:
    made = signed(desk.life, 1)
    return desk.key.scan(replace(made, deck_pass=replace(made.deck_pass, event_id=b"\x01" * 32)), NOW, None)


def _changed(desk: FarDesk) -> SignedScan:
    one = desk.admit(1)
    return replace(one, scan=replace(one.scan, scanned_at=NOW + 1))


@pytest.mark.parametrize(
    ("made", "problem"),
    [
        (_of_nobody, "no such desk was enrolled"),
        (_unsigned, "its desk has not signed it"),
        (_of_another_event, "it is of another event"),
        (_changed, "its desk has not signed it"),
    ],
)
def test_what_no_desk_of_the_event_made_is_refused_and_nothing_of_the_rest_is_taken(
    life: Life, made: Callable[[FarDesk], SignedScan], problem: str
) -> None:
    desk = FarDesk(life, "north door", 11).enrol()
    wrong, good = made(desk), desk.admit(2)
    with pytest.raises(ScansUnsound, match=problem):
        desk.sync(good, wrong)
    assert life.of(store.scans_of) == []


def test_every_fault_is_told(life: Life) -> None:
    desk = FarDesk(life, "north door", 11).enrol()
    said = [{}, {"eventId": "0x"}, write_scan(_of_nobody(desk))]
    with pytest.raises(ScansUnsound) as refused:
        life.do(scans.SYNC, scans.Sync(scans=said))
    assert len(refused.value.faults) == 3


def test_a_scan_that_names_another_player_than_its_pass_is_refused(life: Life) -> None:
    desk = FarDesk(life, "north door", 11).enrol()
    made = desk.admit(2).scan
    other = replace(made, player_tag=signed(life, 3).deck_pass.player_tag)
    lie = SignedScan(other, desk.key.key.sign(other.digest(0)))
    with pytest.raises(ScansUnsound, match="another player than its pass"):
        desk.sync(lie)


def test_the_same_id_for_other_scans_is_refused(life: Life) -> None:
    desk = FarDesk(life, "north door", 11).enrol()
    first, second = desk.admit(1), desk.admit(2)
    life.do(scans.SYNC, scans.Sync(scans=[write_scan(first)]), key="sync-1")
    with pytest.raises(TournamentError, match="sync-1"):
        life.do(scans.SYNC, scans.Sync(scans=[write_scan(second)]), key="sync-1")


def test_a_desk_whose_ledger_was_copied_or_rewritten_shows(life: Life) -> None:
    one, other = FarDesk(life, "north door", 11).enrol(), FarDesk(life, "north door", 11)
    one.admit(1)
    other.admit(2)
    other.admit(3)
    one.sync(*one.scans, *other.scans)
    with life.database.reading() as session:
        (seen,) = pass_desks.desks_seen(session, life.event, life.ask().codes)
    assert [fault.problem for fault in seen.faults] == [
        "there is another one with its number, so the desk's ledger was copied or rewritten"
    ]
    assert here(life) == [1, 2, 3]


def test_a_desk_is_enrolled_once_and_its_name_is_its_own(life: Life) -> None:
    FarDesk(life, "north door", 11).enrol().enrol()
    with pytest.raises(DeskNameTaken):
        FarDesk(life, "north door", 12).enrol()
    assert len(life.of(store.pass_desks_of)) == 1


def test_an_event_without_passes_has_no_desks(sqlite: Path, tmp_path: Path) -> None:
    with begun(sqlite, tmp_path) as life, pytest.raises(PassesNotOpen):
        FarDesk(life, "north door", 11).enrol()


# --- settling


def test_nothing_is_settled_where_nothing_is_strange(life: Life) -> None:
    scan(life, 1)
    with pytest.raises(NothingToSettle):
        life.do(scans.SETTLE, scans.Settle(entry=1, reason="to be sure"))


def test_the_desk_does_not_settle_and_a_reason_is_given(life: Life) -> None:
    with pytest.raises(NotYours):
        life.do(scans.SETTLE, scans.Settle(entry=1, reason="because"), life.staff("dee", Role.DESK))
    with pytest.raises(ValueError, match="at least 1"):
        scans.Settle(entry=1, reason="")


def test_settling_is_undone(life: Life) -> None:
    desk = FarDesk(life, "north door", 11).enrol()
    desk.admit(1)
    scan(life, 1)
    desk.sync()
    life.do(scans.SETTLE, scans.Settle(entry=1, reason="mistaken"))
    undo.undo(life.database, life.ask(), undo.Undo(sequence=life.look().version, reason="it was another one"))
    assert unsettled(life) == [1]
    assert life.differences() == []


def test_how_two_entries_of_one_person_came_in_is_how_that_person_did(life: Life) -> None:
    scan(life, 1)
    desk = FarDesk(life, "north door", 11).enrol()
    desk.admit(2)
    life.do(merging.MERGE, merging.Merge(entry=1, void=2))
    desk.sync()
    assert unsettled(life) == [1]
    assert life.differences() == []


# --- what a desk gets


def test_a_sheet_has_names_by_tags_and_who_came_in_where(life: Life) -> None:
    desk = FarDesk(life, "north door", 11).enrol()
    desk.admit(2)
    desk.sync()
    scan(life, 3)
    said = sheet(life)
    tag = signed(life, 2).deck_pass.player_tag
    assert (said.guests[tag].number, said.guests[tag].name) == (2, "b")
    assert {said.guests[one].number: use.where for one, use in said.used.items()} == {
        2: "north door",
        3: "a desk of ann",
    }


# --- what is published


def test_a_published_log_gives_the_results_and_leads_from_no_pass_to_a_player(life: Life) -> None:
    north, south = (FarDesk(life, name, number).enrol() for number, name in ((11, "north door"), (12, "south door")))
    for desk in (north, south):
        desk.admit(4)
        desk.sync()
    scan(life, 1)
    life.do(scans.SETTLE, scans.Settle(entry=4, reason="a copy"))
    life.do(passes.REVOKE, passes.About(entry=6, reason="lost"))
    life.do(pass_books.ROTATE, pass_books.Rotate(reason="to see"))
    life.do(checkin.CHECK_OUT, entries.Leave(entry=4))
    life.do(merging.MERGE, merging.Merge(entry=5, void=6))
    life.do(checkin.SEAT_ALL)
    life.enter("late")
    life.play(1)
    life.do(events.FINISH)
    with life.database.reading() as session:
        said = publishing.export(session, life.look())
    assert transfers.faults_of(event_file.parse_event_file(said.encode())) == []
    assert [word for word in ("pass.issue-all", "pass.sync", "pass.open") if word not in said] == []
    hidden = [signed(life, 4).deck_pass.digest(0).hex(), north.scans[0].signature.hex(), '"serial"', "a copy"]
    assert [word for word in hidden if word in said] == []


# --- everything at once


def test_a_desk_that_tells_the_same_twelve_times_at_once_is_heard_once(database: Database) -> None:
    life = ready(Life(database).announce())
    desk = FarDesk(life, "north door", 11).enrol()
    for serial in range(1, 7):
        desk.admit(serial)
    asks = [(life.ask(), scans.Sync(scans=[write_scan(one) for one in desk.scans])) for _ in range(12)]

    def tell(number: int) -> None:
        run(database, scans.SYNC, *asks[number])

    threads = [Thread(target=tell, args=[number]) for number in range(len(asks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(life.of(store.scans_of)) == 6
    assert unsettled(life) == []
    assert here(life) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("seed", range(2))
def test_a_random_life_with_passes_gives_the_same_tables_from_its_log(database: Database, seed: int) -> None:
    rng = random.Random(seed)
    life = Life(database).announce()
    life.enter(*"abcdefgh")
    life.do(pass_books.OPEN)
    life.do(passes.ISSUE_ALL)
    desks = [FarDesk(life, f"door {number}", number).enrol() for number in (11, 12)]
    for step in range(120):
        if step == 60:
            life.do(events.CLOSE)
        with suppress(TournamentError):
            life.do(*_something(life, rng.choice(desks), step / 10, rng), hours=step / 10)
    with database.reading() as session:
        names = {row.name for row in store.read_log(session, life.event)}
        assert audit.verify_log(session, life.event) == []
    assert {"pass.issue", "pass.revoke", "pass.scan", "pass.sync", "pass.settle", "entry.drop"} <= names
    assert life.differences() == []
    assert audit.rebuild(database, life.event) == []


def _something(life: Life, desk: FarDesk, hours: float, rng: random.Random) -> tuple[Any, Any]:
    """A desk lets somebody in; and a command, which may be refused."""
    entry, serials = rng.randint(1, 8), [one.row.serial for one in life.of(store.passes_of)]
    desk.admit(rng.choice(serials), minutes=60 * hours)
    strange = unsettled(life) or [entry]
    told = rng.sample(desk.scans, rng.randint(1, len(desk.scans)))
    return rng.choice(
        [
            (passes.ISSUE, passes.Issue(entry=entry, anew=rng.random() < 0.5)),
            (passes.REVOKE, passes.About(entry=entry, reason="lost")),
            (passes.ISSUE_ALL, passes.IssueAll()),
            (pass_books.ROTATE, pass_books.Rotate(reason="again")),
            (scans.SCAN, scans.Show(text=text(life, rng.choice(serials)))),
            (scans.SYNC, scans.Sync(scans=list(map(write_scan, told)))),
            (scans.SETTLE, scans.Settle(entry=rng.choice(strange), reason="looked at")),
            (entries.DROP, entries.Leave(entry=entry)),
            (entries.RETURN, entries.Return(entry=entry)),
            (checkin.CHECK_OUT, entries.Leave(entry=entry)),
            (merging.MERGE, merging.Merge(entry=entry, void=rng.randint(1, 8))),
        ]
    )
