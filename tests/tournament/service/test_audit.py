"""The log: nobody changes it unseen, and the tables follow from it."""

import random
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from tournament.database import Database
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role
from tournament.errors import LogBroken, TournamentError
from tournament.service import audit, entries, events, results, rounds
from tournament.service.chain import hash_of
from tournament.service.commands import Ask, Kind, Nothing, run
from tournament.service.kinds import KINDS
from tournament.store import find_event, last_published, log_row, read_log, rows_of, tables_playing
from tournament.tables import PROJECTION

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def ask(event: str, command: str) -> Ask:
    return Ask(event=event, who=lambda _: "ann", command=command, now=NOON, chance=lambda: "d" * 64)


@pytest.fixture
def event(database: Database) -> str:
    """Four players, one round played."""
    event = events.create(database, ask("", "c0"), events.Create(name="Spring Open")).event
    steps: list[tuple[Kind, object]] = [  # type: ignore[type-arg]
        (events.OPEN, Nothing()),
        *((entries.ADD, entries.Add(name=name)) for name in "abcd"),
        (events.CLOSE, Nothing()),
        (rounds.PAIR, rounds.Pair()),
        (rounds.PUBLISH, rounds.Publish()),
        *((results.REPORT, report(1, table)) for table in (1, 2)),
        (rounds.CLOSE, Nothing()),
    ]
    for number, (kind, arguments) in enumerate(steps, start=1):
        run(database, kind, ask(event, f"c{number}"), arguments)  # type: ignore[arg-type]
    return event


def report(number: int, table: int, first: int = 2, second: int = 0) -> results.Report:
    return results.Report(round=number, table=table, games=results.Games(first=first, second=second))


def breaks(database: Database, event: str, **receipts: dict[int, str]) -> list[str]:
    with database.reading() as session:
        return [f"{found.sequence} {found.kind}" for found in audit.verify_log(session, event, **receipts)]


def tamper(database: Database, *statements: str) -> None:
    with database.writing() as session:
        for statement in statements:
            session.connection().execute(text(statement))


def test_a_log_as_it_was_written_holds(database: Database, event: str) -> None:
    assert breaks(database, event) == []


@pytest.mark.parametrize(
    "column", ["name", "arguments", "fact", "actor", "role", "at", "reason", "phase", "command", "hash", "previous"]
)
def test_a_changed_word_anywhere_is_found(database: Database, event: str, column: str) -> None:
    tamper(database, f"UPDATE log SET {column} = {column} || 'x' WHERE sequence = 5")
    assert "5 altered" in breaks(database, event)


def test_a_changed_word_with_a_hash_to_match_breaks_the_next_row(database: Database, event: str) -> None:
    with database.writing() as session:
        row = log_row(session, event, 5)
        row.actor = "eve"
        row.hash = hash_of(row)
    assert breaks(database, event) == ["6 moved"]


def test_a_removed_row_is_found(database: Database, event: str) -> None:
    tamper(database, "DELETE FROM log WHERE sequence = 5")
    assert breaks(database, event) == ["5 missing"]


def test_removed_rows_that_are_numbered_anew_are_found(database: Database, event: str) -> None:
    tamper(database, "DELETE FROM log WHERE sequence = 11", "UPDATE log SET sequence = 11 WHERE sequence = 12")
    assert "11 moved" in breaks(database, event)


def test_two_rows_that_changed_places_are_found(database: Database, event: str) -> None:
    tamper(
        database,
        "UPDATE log SET sequence = 99 WHERE sequence = 5",
        "UPDATE log SET sequence = 5 WHERE sequence = 6",
        "UPDATE log SET sequence = 6 WHERE sequence = 99",
    )
    assert {"5 moved", "5 altered", "6 moved", "6 altered"} <= set(breaks(database, event))


def test_a_log_that_was_cut_short_is_found(database: Database, event: str) -> None:
    tamper(database, "DELETE FROM log WHERE sequence > 10")
    assert breaks(database, event) == ["11 cut short"]


def test_a_receipt_proves_that_the_end_was_cut_off_even_with_the_event_changed_to_match(
    database: Database, event: str
) -> None:
    with database.reading() as session:
        kept = {row.sequence: row.hash for row in read_log(session, event)}
    tamper(
        database,
        "DELETE FROM log WHERE sequence > 10",
        f"UPDATE event SET version = 10, head = '{kept[10]}'",
    )
    assert breaks(database, event) == []
    assert breaks(database, event, receipts={12: kept[12]}) == ["12 denied"]


# --- rebuild


def test_a_changed_table_is_not_what_the_log_says_and_is_put_right(database: Database, event: str) -> None:
    with database.reading() as session:
        before = [rows_of(session, table, event) for table in PROJECTION]
    tamper(
        database,
        "UPDATE seat SET games_first = 0, games_second = 2 WHERE table_number = 1",
        "DELETE FROM entry WHERE number = 4",
        f"INSERT INTO staff (event_id, account, role, granted) VALUES ('{event}', 'eve', 'organizer', 1)",
    )
    with database.reading() as session:
        found = audit.differences(session, event)
    assert [(one.table, one.key) for one in found] == [
        ("staff", (event, "eve", "organizer")),
        ("entry", (event, 4)),
        ("seat", (event, 1, 1)),
    ]
    assert (found[2].stored, found[2].derived) == (
        {"games_first": 0, "games_second": 2},
        {"games_first": 2, "games_second": 0},
    )
    assert audit.rebuild(database, event) == found
    with database.reading() as session:
        assert [rows_of(session, table, event) for table in PROJECTION] == before


def test_nothing_is_derived_from_a_log_that_does_not_hold(database: Database, event: str) -> None:
    tamper(database, "UPDATE log SET actor = 'eve' WHERE sequence = 5")
    with pytest.raises(LogBroken):
        audit.rebuild(database, event)


LIFE = 200
"""Commands, of which about half are refused; enough for four rounds."""


@pytest.mark.parametrize("seed", range(3))
def test_a_random_life_gives_the_same_tables_from_its_log(database: Database, seed: int) -> None:
    rng = random.Random(seed)
    event = events.create(database, ask("", "c0"), events.Create(name=f"life {seed}")).event
    versions = {_something(database, event, f"c{number}", rng) for number in range(1, LIFE)} - {None}
    with database.reading() as session:
        row = find_event(session, event)
        assert row is not None
        assert row.version == len(versions) + 1
        names = {record.name for record in read_log(session, event)}
        assert {"entry.drop", "round.pair", "result.report", "result.correct", "round.close"} <= names
        assert audit.verify_log(session, event) == []
        assert audit.differences(session, event) == []


def _something(database: Database, event: str, command: str, rng: random.Random) -> int | None:
    """Mostly what comes next, now and then anything at all."""
    with database.reading() as session:
        row = find_event(session, event)
        assert row is not None
        playing = tables_playing(session, event, last_published(session, event))
        phase = Phase(row.phase)
    onwards = {
        Phase.DRAFT: [(events.OPEN, Nothing())],
        Phase.REGISTRATION: [(entries.ADD, entries.Add(name="p"))] * 9 + [(events.CLOSE, Nothing())],
        Phase.CHECK_IN: [(rounds.PAIR, rounds.Pair(even_so=True)), (rounds.PUBLISH, rounds.Publish())],
        Phase.ROUND: [(results.REPORT, report(_round(database, event), table, 2, 1)) for table in playing]
        or [(rounds.CLOSE, Nothing())],
        Phase.BETWEEN_ROUNDS: [(rounds.PAIR, rounds.Pair(even_so=True)), (rounds.PUBLISH, rounds.Publish())],
    }
    number, table, entry = rng.randint(1, 3), rng.randint(1, 4), rng.randint(1, 8)
    said = report(number, table, *rng.choice([(2, 0), (0, 2), (1, 1), (2, 2)]))
    anything = [
        (entries.ADD, entries.Add(name="late", awarded_byes=rng.randint(0, 3), fixed_table=rng.choice([None, 2]))),
        (results.REPORT, said),
        (results.CORRECT, said),
        (results.CORRECT, said),
        (entries.DROP, entries.Leave(entry=entry)),
        (entries.RETURN, entries.Return(entry=entry, reason="came back")),
        (rounds.CLOSE, Nothing()),
        (rounds.REOPEN, Nothing()),
        (events.REOPEN, Nothing()),
        (events.EDIT, events.Edit(capacity=rng.choice([None, 9]))),
    ]
    kind, arguments = rng.choice(onwards[phase] if rng.random() < 2 / 3 else anything)
    try:
        return run(database, kind, ask(event, command), arguments).version  # type: ignore[arg-type]
    except TournamentError:
        return None


def _round(database: Database, event: str) -> int:
    with database.reading() as session:
        return last_published(session, event)


def test_every_kind_of_command_says_who_may_and_none_is_for_nobody() -> None:
    assert all(kind.roles for kind in KINDS.values())
    assert {kind.name for kind in KINDS.values() if Role.DISPLAY in kind.roles} == {"staff.accept", "staff.leave"}
    assert all(name == kind.name for name, kind in KINDS.items())
