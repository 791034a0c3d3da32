"""What anybody may have of a finished event: the chain holds, the results follow, and judges' words are not in it."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from tests.tournament.floor import Floor, playing
from tournament import event_file, store
from tournament.database import Database
from tournament.domain.infractions import PenaltyLevel
from tournament.errors import LogSealed, LogUnreadable
from tournament.service import (
    calls,
    deck_checks,
    entries,
    events,
    exports,
    notes,
    penalties,
    publishing,
    transfers,
    undo,
)
from tournament.service.chain import START, hash_of, line_of, verify_chain
from tournament.service.commands import Ask, Nothing

SECRET = "the judge's own words"


@pytest.fixture(scope="module")
def floor(common: Database) -> Floor:
    """A finished event with everything in it that judges do. The tests only read it."""
    floor = playing(common, players=6)
    floor.judge("bea")
    first, second = floor.players(1)
    third, _ = floor.players(2)
    floor.does(entries.EDIT, entries.Edit(entry=4, name="Dora"))
    floor.does(calls.MAKE, calls.JudgeCall(topic=SECRET), first)
    floor.does(calls.TAKE, calls.CallNumber(call=1), "bea")
    floor.does(calls.CLOSE, calls.CloseCall(call=1, ruling=SECRET), "bea")
    floor.does(deck_checks.CHOOSE, deck_checks.ChooseTable(table=3, reason=SECRET), "bea")
    floor.does(deck_checks.START, deck_checks.DeckCheckNumber(deck_check=1), "bea")
    floor.does(deck_checks.FINISH, deck_checks.FinishDeckCheck(deck_check=1, problem=True, text=SECRET), "bea")
    floor.does(notes.WRITE, notes.WriteNote(text=SECRET), "bea")
    floor.report(1, 1, 1)
    apply(floor, second, PenaltyLevel.GAME_LOSS)
    taken = apply(floor, first, PenaltyLevel.MATCH_LOSS)
    floor.does(penalties.TAKE_BACK, penalties.PenaltyNumber(penalty=taken), "bea")
    floor.does(penalties.WITHDRAW, penalties.WithdrawPenalty(penalty=taken, reason=SECRET), "bea")
    apply(floor, third, PenaltyLevel.DISQUALIFICATION)
    undone = floor.receipt(notes.WRITE, notes.WriteNote(text=SECRET), "bea")["sequence"]
    take_back(floor, undone)
    floor.play_on(1)
    floor.does(events.FINISH, Nothing())
    return floor


def apply(floor: Floor, entry: int, level: PenaltyLevel) -> int:
    given = penalties.GivePenalty(entry=entry, infraction="slow-play", level=level, text=SECRET)
    number = int(floor.does(penalties.GIVE, given, "bea")["penalty"])
    floor.does(penalties.APPLY, penalties.PenaltyNumber(penalty=number), "bea")
    return number


def take_back(floor: Floor, sequence: int) -> None:
    ask = Ask(event=floor.event, who=lambda _: "bea", command=f"undo {sequence}", now=floor.now)
    undo.undo(floor.database, ask, undo.Undo(sequence=sequence, reason="the wrong one"))


@cache
def exported(floor: Floor) -> tuple[str, str]:
    with floor.database.reading() as session:
        event = floor.row()
        return exports.export(session, event, log=True, kept=True), publishing.export(session, event)


def whole(floor: Floor) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(exported(floor)[0])
    return said


def public(floor: Floor) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(exported(floor)[1])
    return said


def faults(said: dict[str, Any]) -> list[str]:
    return transfers.faults_of(event_file.parse_event_file(json.dumps(said).encode()))


def forged(said: dict[str, Any]) -> dict[str, Any]:
    """The file with a chain that holds, as whoever runs the server could write it."""
    before = START
    for document in said["log"]:
        document["previous"] = before
        document["hash"] = before = hash_of(line_of(document))
    return said


def test_a_published_log_holds_and_gives_the_results_of_the_whole_one(floor: Floor) -> None:
    said = public(floor)
    assert said["log"][-1]["hash"] == floor.row().head
    assert faults(said) == faults(whole(floor)) == []
    assert floor.holds()
    for part in ("players", "rounds"):
        assert said[part] == whole(floor)[part]


def test_no_word_that_is_for_staff_is_in_a_published_file(floor: Floor) -> None:
    assert SECRET in json.dumps(whole(floor))
    assert SECRET not in json.dumps(public(floor))
    log = {document["sequence"]: document for document in whole(floor)["log"]}
    seals = [document for document in public(floor)["log"] if document not in log.values()]
    assert {log[seal["sequence"]]["name"] for seal in seals} == {
        *("call.make", "call.close", "deck-check.choose", "deck-check.finish", "note.write"),
        *("penalty.give", "penalty.withdraw"),
    }
    assert all(seal.keys() == {"sequence", "name", "digest", "previous", "hash"} for seal in seals)


def test_names_are_bound_to_the_log_and_former_ones_are_not_told(floor: Floor) -> None:
    said = public(floor)
    assert sorted(one["text"] for one in said["kept"]) == ["Dora", "p1", "p2", "p3", "p5", "p6"]
    assert '"p4"' not in json.dumps(said)
    assert '"p4"' in json.dumps(whole(floor))
    for one in said["kept"]:
        one["text"] = one["text"].replace("p1", "Eve")
    assert [fault.split(": ")[1] for fault in faults(said)] == ["it is not what the log is bound to"]


def test_each_sealed_row_has_a_salt_so_that_its_words_are_not_found_by_trying(floor: Floor) -> None:
    salts = {document["name"]: document.get("salt", "") for document in whole(floor)["log"]}
    assert {name for name, salt in salts.items() if len(salt) == 64} == {
        name for name in salts if publishing.is_sealed(name)
    }


def test_a_receipt_that_somebody_kept_opens_the_seal(floor: Floor) -> None:
    kept = next(document for document in whole(floor)["log"] if document["name"] == "penalty.give")
    lines = [line_of(document) for document in public(floor)["log"]]
    hashes = {kept["sequence"]: hash_of(line_of(kept))}
    assert verify_chain(lines, version=len(lines), head=lines[-1].hash, receipts=hashes) == []
    hashes = {kept["sequence"]: hash_of(line_of(kept | {"reason": "another"}))}
    [broken] = verify_chain(lines, version=len(lines), head=lines[-1].hash, receipts=hashes)
    assert broken.kind == "denied"


Change = Callable[[dict[str, Any]], object]


def of(name: str, said: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(document for document in said["log"] if document["name"] == name)
    return found


@pytest.mark.parametrize(
    "change",
    [
        lambda said: of("penalty.give", said).update(digest="0" * 64),
        lambda said: of("penalty.give", said).update(name="note.write"),
        lambda said: of("penalty.give", said).update(sequence=1),
        lambda said: of("penalty.apply", said)["fact"].update(entry=1),
        lambda said: said["log"].remove(of("note.write", said)),
    ],
)
def test_a_changed_seal_or_row_breaks_the_chain(floor: Floor, change: Change) -> None:
    said = public(floor)
    change(said)
    assert faults(said) != []


def test_no_row_that_results_hang_on_can_be_sealed(floor: Floor) -> None:
    # Whoever runs the server hides that a penalty was taken back: the chain holds, since a seal may stand anywhere.
    said = public(floor)
    place = said["log"].index(of("penalty.take-back", said))
    row = line_of(said["log"][place])
    said["log"][place] = {
        **{name: said["log"][place][name] for name in ("sequence", "name", "previous", "hash")},
        "digest": publishing.seal_of(row).digest,  # type: ignore[arg-type]
    }
    lines = [line_of(document) for document in said["log"]]
    assert verify_chain(lines, version=len(lines), head=lines[-1].hash) == []
    with pytest.raises(LogUnreadable, match=r"'penalty\.take-back' is no kind of command that may be"):
        faults(said)


def test_a_seal_of_another_kind_than_its_row_breaks_the_chain(floor: Floor) -> None:
    said = public(floor)
    place = said["log"].index(of("penalty.take-back", said))
    row = line_of(said["log"][place])
    said["log"][place] = {
        **{name: said["log"][place][name] for name in ("sequence", "previous", "hash")},
        "name": "note.write",
        "digest": publishing.seal_of(row).digest,  # type: ignore[arg-type]
    }
    assert f"row {place + 1} altered: its hash is of other words" in faults(said)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda said: said["rounds"][0]["tables"][0].update(games=[0, 2, 0]), "round 1, table 1"),
        (lambda said: said["players"][1].update(dropped_after=1), "player 2, dropped_after"),
        (lambda said: said["players"][0].update(name="Eve"), "player 1"),
        (lambda said: said["players"][0].update(awarded_byes=1), "player 1, awarded_byes"),
        (lambda said: said["event"].update(game="cgccg"), "the game"),
        (lambda said: said["event"].update(apart=[["1", "2"]]), "who is kept apart"),
        (lambda said: said["rounds"][0].update(stood=[1]), "round 1, stood"),
    ],
)
def test_a_file_that_says_something_else_than_its_published_log_is_found(
    floor: Floor, change: Change, where: str
) -> None:
    said = public(floor)
    change(said)
    [fault] = faults(said)
    assert fault.startswith(f"{where}: the file says")


def test_an_event_does_not_go_on_from_a_published_log(floor: Floor) -> None:
    source = json.dumps(public(floor)).encode()
    ask = Ask(event="", who=lambda _: "eve", command="bring", now=floor.now)
    with pytest.raises(LogSealed) as refused:
        transfers.bring(floor.database, ask, source, transfers.Bring())
    assert refused.value.sealed == len(public(floor)["log"]) - sum("fact" in one for one in public(floor)["log"])


def test_a_log_cannot_begin_with_a_seal(floor: Floor) -> None:
    said = public(floor)
    said["log"][0] = {"sequence": 1, "name": "note.write", "digest": "0" * 64, "previous": START, "hash": "0" * 64}
    with pytest.raises(LogUnreadable, match="never sealed"):
        faults(forged(said))


@pytest.mark.parametrize("change", [{"digest": "x"}, {"name": 5}, {"sequence": "1"}, {"hash": "0"}, {"previous": None}])
def test_a_seal_that_is_none_is_refused_with_its_place(floor: Floor, change: dict[str, Any]) -> None:
    said = public(floor)
    of("note.write", said).update(change)
    with pytest.raises(LogUnreadable, match=next(iter(change))):
        faults(said)


def test_rows_that_no_seal_stands_for_are_receipts_as_ever(floor: Floor) -> None:
    with floor.database.reading() as session:
        log = list(store.read_log(session, floor.event))
    lines = publishing.published(log)
    assert [line for line in lines if line in log] == [row for row in log if not publishing.is_sealed(row.name)]
