"""What an event's file with a log may say, and what it may not; the rest of it is in `api/test_import.py`."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from games import library
from tests.tournament.service.stage import Stage
from tournament import event_file
from tournament.database import Database, open_file
from tournament.domain.model import Player, PlayerId
from tournament.errors import CommandIdReused, FileBroken, LogUnreadable, NotCarried
from tournament.service import audit, decklists, events, exports, imports, transfers
from tournament.service.apart import MOST_APART
from tournament.service.chain import START, hash_of, row_of

Change = Callable[[list[dict[str, Any]]], object]
DECK = next(iter(library.decks("cps").values()))


@pytest.fixture
def here(sqlite: Path, tmp_path: Path) -> Iterator[Stage]:
    """Four players, a round with a result that was taken back."""
    database = open_file(Path(shutil.copy(sqlite, tmp_path / "here.db")))
    stage = Stage(database).announce(4, decklist="optional")
    stage.do(decklists.HAND_IN, decklists.HandIn(entry=1, decklist=DECK))
    one, two = stage.start()
    stage.report(one, 0, 2)
    stage.undo()
    stage.report(one)
    stage.report(two)
    yield stage
    database.close()


@pytest.fixture
def there(sqlite: Path, tmp_path: Path) -> Iterator[Database]:
    database = open_file(Path(shutil.copy(sqlite, tmp_path / "there.db")))
    yield database
    database.close()


def file(stage: Stage) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(
        stage.look(lambda session, event: exports.export(session, event, log=True, kept=True))
    )
    return said


def brought(stage: Stage, there: Database, said: dict[str, Any]) -> None:
    transfers.bring(there, stage.ask("eve"), json.dumps(said).encode(), transfers.Bring())


def forged(said: dict[str, Any], change: Change) -> dict[str, Any]:
    """The file after the change, with a chain that holds."""
    log = said["log"]
    change(log)
    before = START
    for at, receipt in enumerate(log, start=1):
        receipt["previous"] = before
        try:
            receipt["hash"] = before = hash_of(row_of(receipt))
        except LogUnreadable:
            assert at == len(log)  # nothing follows on what cannot be read
    return said


def test_an_event_with_undone_commands_and_decklists_goes_on_elsewhere_and_holds(here: Stage, there: Database) -> None:
    said = file(here)
    brought(here, there, said)
    with there.reading() as session:
        assert audit.verify_log(session, here.event) == []
        assert audit.differences(session, here.event) == []
    moved = Stage(there, here.event, here.now, here.numbers)
    moved_file = file(moved)
    assert [moved_file[part] for part in ("players", "rounds")] == [said[part] for part in ("players", "rounds")]
    assert transfers.faults_of(event_file.parse_event_file(json.dumps(said).encode())) == []


def test_whoever_watches_hears_of_an_event_that_was_brought(here: Stage, there: Database) -> None:
    there.bell.wait(0)
    brought(here, there, file(here))
    assert there.bell.wait(0) == ({here.event}, set())


def every(name: str, value: object) -> Change:
    return lambda log: [receipt.update({name: value}) for receipt in log]


def last(**said: object) -> Change:
    return lambda log: log[-1].update(said)


def undoes(sequence: object) -> Change:
    return lambda log: next(one for one in log if one["name"] == "command.undo")["fact"].update(sequence=sequence)


def says(name: str, **said: object) -> Change:
    """The first fact of that kind says something else."""
    return lambda log: next(one for one in log if one["name"] == name)["fact"].update(said)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (last(at="9999-12-31T23:59:59.999999Z"), "the year is none from 1970 to 2199"),
        (says("event.create", draw_rule="none at all"), "draw_rule: "),
        (says("event.create", time_zone="Europe/Nowhere"), "time_zone: .*no time zone 'Europe/Nowhere'"),
        (says("event.create", cut="by dice"), "cut: "),
        (says("event.create", closes_at="soon"), "soon"),
        (says("event.create", starts_at="9999-01-01T00:00:00.000000Z"), "9999"),
        (says("event.create", round_minutes=1 << 40), "round_minutes: "),
        (says("event.create", venue="\x1b[2J"), "venue: "),
        (says("round.publish", length_s=1 << 40), "length_s of a row of round"),
    ],
)
def test_a_forged_fact_that_no_command_could_have_made_is_not_taken(
    here: Stage, there: Database, change: Change, why: str
) -> None:
    """Else the event would be here, and every question about it a fault of ours."""
    with pytest.raises(LogUnreadable, match=why):
        brought(here, there, forged(file(here), change))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (last(at="yesterday"), "at: "),
        (last(at="2026-13-31T12:00:00.000000Z"), "at: "),
        (last(command="c" * 5000), "command: "),
        (last(actor="a" * 5000), "actor: "),
        (every("event", "s-k5bnivnk4ag3"), "the id of a series"),
        (undoes(1), "cannot be undone there"),
        (undoes(10**6), "cannot be undone there"),
        (undoes("x"), "cannot be undone there"),
        (undoes(None), "cannot be undone there"),
    ],
    ids=["no time", "no month", "long id", "long actor", "series", "undoes all", "undoes later", "word", "nothing"],
)
def test_a_forged_log_that_could_not_be_lived_with_is_not_taken(
    here: Stage, there: Database, change: Change, why: str
) -> None:
    with pytest.raises(LogUnreadable, match=why):
        brought(here, there, forged(file(here), change))


def test_a_log_with_one_command_id_twice_is_not_taken(here: Stage, there: Database) -> None:
    said = forged(file(here), lambda log: log[-1].update(command=log[-2]["command"]))
    with pytest.raises(FileBroken, match="has the command id of row"):
        brought(here, there, said)


def test_an_event_that_was_brought_along_is_not_made_once_more(here: Stage, there: Database) -> None:
    """Its id is that of a command which somebody here has yet to give."""
    brought(here, there, forged(file(here), every("event", events.id_of("ann", "friday"))))
    moved = Stage(there, events.id_of("ann", "friday"), here.now)
    before = moved.version
    with pytest.raises(CommandIdReused):
        events.create(there, replace(here.ask(), command="friday"), events.Create(name="Friday night"))
    assert moved.version == before


def test_a_file_keeps_no_more_pairs_apart_than_an_event_may() -> None:
    players = tuple(Player(id=PlayerId(str(number)), name=f"p{number}") for number in range(1, 200))
    pairs = tuple(combinations((player.id for player in players), 2))
    file = event_file.Event(name="x", game="cps", draw="dice", players=players, apart=pairs[:MOST_APART])
    assert len(imports.content_of(file).apart) == MOST_APART
    with pytest.raises(NotCarried, match="pairs of players kept apart"):
        imports.content_of(replace(file, apart=pairs[: MOST_APART + 1]))


def test_moments_at_the_edge_of_what_may_be_announced_go_elsewhere(here: Stage, there: Database) -> None:
    """A year is asked for by the clock of the venue and kept by that of Greenwich, where it may be the next one."""
    stage = Stage(here.database, now=here.now, numbers=here.numbers)
    stage.announce(2, starts_at="2199-12-31T23:59", time_zone="Etc/GMT+12")
    brought(stage, there, file(stage))
