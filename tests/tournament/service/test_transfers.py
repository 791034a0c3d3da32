"""Any life of an event is carried to another installation whole, however many bring it at once."""

import json
import random
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tournament.service.test_audit import _something, ask
from tournament.database import Database, open_file
from tournament.domain.errors import TournamentError
from tournament.event_file import parse_event_file
from tournament.service import audit, events, exports, standings, transfers
from tournament.service.commands import Ask, Receipt
from tournament.store import all_events, find_event, read_log, rows_of
from tournament.tables import PROJECTION, EventRow, StaffRow

LIFE = 40
SAID = transfers.Bring()


@pytest.fixture
def elsewhere(sqlite: Path, tmp_path: Path) -> Iterator[Database]:
    database = open_file(Path(shutil.copy(sqlite, tmp_path / "elsewhere.db")))
    yield database
    database.close()


def lived(database: Database, rng: random.Random, commands: int = LIFE) -> str:
    event = events.create(database, ask("", "c0"), events.Create(name="life")).event
    for number in range(1, commands):
        _something(database, event, f"c{number}", rng)
    return event


def written(database: Database, event: str, *, log: bool) -> bytes:
    with database.reading() as session:
        row = find_event(session, event)
        assert row is not None
        return exports.export(session, row, log=log).encode()


def by_bea(command: str) -> Ask:
    return replace(ask("", command), who=lambda _: "bea")


@pytest.mark.parametrize("seed", range(2))
def test_any_event_is_the_same_elsewhere_and_goes_on(database: Database, elsewhere: Database, seed: int) -> None:
    rng = random.Random(seed)
    event = lived(elsewhere, rng, rng.randint(2, LIFE))
    given = transfers.bring(database, by_bea("move"), written(elsewhere, event, log=True), SAID)
    assert json.loads(given.body)["name"] == "event.adopt"
    with database.reading() as here, elsewhere.reading() as there:
        for table in PROJECTION:
            if table not in {EventRow, StaffRow}:
                assert rows_of(here, table, event) == rows_of(there, table, event)
        before = [row.hash for row in read_log(there, event)]
        assert [row.hash for row in read_log(here, event)][:-1] == before
        assert [(row["account"], row["role"]) for row in rows_of(here, StaffRow, event)] == [("bea", "organizer")]
    for number in range(LIFE, LIFE + 5):
        _something(database, event, f"c{number}", rng)
    with database.reading() as session:
        assert audit.verify_log(session, event) == []
        assert audit.differences(session, event) == []


@pytest.mark.parametrize("seed", range(2))
def test_any_file_without_its_log_makes_an_event_with_the_same_standings(database: Database, seed: int) -> None:
    event = lived(database, random.Random(seed))
    file = written(database, event, log=False)
    copy = transfers.bring(database, by_bea("copy"), file, SAID).event
    with database.reading() as session:
        rows = [find_event(session, each) for each in (event, copy)]
        assert rows[0] is not None
        assert rows[1] is not None
        said, told = (exports.exported(session, row) for row in rows if row)
        assert said == told == parse_event_file(file)
        closed = len(told.rounds) - bool(told.open_tables)
        if closed and not told.open_tables:
            assert standings.after(session, rows[0], closed) == standings.after(session, rows[1], closed)
        assert audit.differences(session, copy) == []


def test_however_many_bring_an_event_at_once_it_comes_once(database: Database, elsewhere: Database) -> None:
    file = written(elsewhere, lived(elsewhere, random.Random(0), 20), log=True)

    def bring(number: int) -> Receipt:
        return transfers.bring(database, by_bea(f"move {number}"), file, SAID)

    with ThreadPoolExecutor(6) as people:
        receipts = set(people.map(bring, range(6)))
    assert len(receipts) == 1
    with database.reading() as session:
        assert [version for _, _, version in all_events(session)] == [receipts.pop().version]


def test_an_import_under_the_id_of_another_command_leaves_nothing_behind(
    database: Database, elsewhere: Database
) -> None:
    file = written(elsewhere, lived(elsewhere, random.Random(0), 20), log=True)
    with pytest.raises(TournamentError, match="'c0' is the id of another command"):
        transfers.bring(database, by_bea("c0"), file, SAID)
    with database.reading() as session:
        assert all_events(session) == []
