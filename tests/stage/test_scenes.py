"""The demo's scenes: each can be opened, and what it promises is so."""

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from stage import cast
from stage.acting import Server, Stage
from stage.cards import Cards, dealt
from stage.scenes import ABSENT, LATE, Day, Scene, play
from stage.showing import demo_of
from tournament import store
from tournament.database import open_file
from tournament.domain.bracket import ready
from tournament.service import audit, evidence
from tournament.service.codes import Codes
from tournament.service.nodes import Nodes
from tournament.settings import Settings
from verifier.chain import Collection

pytestmark = [pytest.mark.chain, pytest.mark.timeout(300)]
AGO = timedelta(days=8)
CODES = Codes(Settings().secret.get_secret_value())
SHORT = {"Penny Short", "Stella Stranger", "Cash Flo"}


@pytest.fixture(scope="module")
def cards() -> Iterator[Cards]:
    named = os.environ.get("DECKPROOF_ANVIL")
    with dealt(Path(named) if named else None, datetime.now(UTC) - AGO) as made:
        yield made


@pytest.fixture
def played(cards: Cards, sqlite: Path, tmp_path: Path) -> Iterator[Callable[[Scene], Day]]:
    """What plays a scene; whatever happens to the chain has not happened afterwards."""
    shutil.copy(sqlite, tmp_path / "deckproof.db")
    database = open_file(tmp_path / "deckproof.db")
    nodes = Nodes([cards.anvil.endpoint], Collection(None, cards.deployment.address), stale_after=None)
    began = datetime.now(UTC) - AGO + timedelta(hours=4)
    server = Server(database, cards.anvil, nodes, CODES, "127.0.0.1:8000", began)
    with cards.anvil.rolled_back():
        yield lambda scene: play(server, cards, scene, lambda _: None)
    database.close()


def look(stage: Stage, question: Callable[[Any, Any], Any]) -> Any:
    """What something says of the event's row."""
    with stage.server.database.reading() as session:
        return question(session, store.find_event(session, stage.event))


def outcomes(stage: Stage) -> dict[str, str]:
    """What the newest look at the chain said of each."""
    newest = stage.look(store.epochs_of)[-1].number
    found = stage.look(store.verdicts_at, newest)
    return {name: found[number].outcome for name, number in stage.entries.items() if number in found}


def assert_whole(stage: Stage) -> None:
    assert look(stage, lambda session, event: [*audit.verify_log(session, event.id)]) == []
    assert look(stage, lambda session, event: [*audit.differences(session, event.id)]) == []


def test_at_check_in_cards_were_looked_at_and_most_have_come(played: Callable[[Scene], Day], cards: Cards) -> None:
    day = played(Scene.CHECK_IN)
    event, said = day.event, outcomes(day.event)
    assert look(event, lambda _, row: row.phase) == "check-in"
    assert {name for name, outcome in said.items() if outcome == "short"} == SHORT
    assert {name for name, outcome in said.items() if outcome == "undetermined"} == {LATE, "Will Wander"}
    here = {row.number for row in event.look(store.here_of) if row.checked_in is not None}
    come = {name for name, number in event.entries.items() if number in here}
    assert len(event.entries) == 32
    assert 16 <= len(come) < 26
    assert not come & {*SHORT, *ABSENT, LATE, "Will Wander"}
    assert look(day.upcoming, lambda _, row: row.phase) == "registration"
    assert_whole(event)
    demo = demo_of(day, cards, Scene.CHECK_IN)
    assert demo.people[0].name == cast.READY
    assert {one.name for one in demo.people if one.shops} == {
        *SHORT,
        "Dewey Twice",
        "Polly Paste",
        "Bern Down",
    }


def test_at_the_cut_its_first_round_is_half_played(played: Callable[[Scene], Day]) -> None:
    day = played(Scene.CUT)
    assert look(day.event, lambda _, row: row.phase) == "cut"
    assert {"M1.3", "M1.4"} <= {match.id for match in ready(day.event.look(store.bracket_of))}
    assert_whole(day.event)


def test_in_round_3_something_is_to_be_mended_settled_and_reported(played: Callable[[Scene], Day]) -> None:
    day = played(Scene.ROUND_3)
    event = day.event
    wrong = event.seat(2, 2)
    assert (wrong.games_first, wrong.games_second) == (0, 2)
    name = next(name for name, number in event.entries.items() if number == wrong.first)
    assert any(f"{name} won" in hint for hint in day.hints)
    assert len(event.look(store.tables_playing, 3)) > 4
    assert {claim.entry for _, claim in event.look(store.claims_of, 3)}
    assert_whole(event)


def test_a_finished_day_has_a_champion_and_evidence_that_holds(played: Callable[[Scene], Day]) -> None:
    day = played(Scene.FINISHED)
    for stage in (day.event, day.past):
        assert look(stage, lambda _, row: row.phase) == "finished"
        bundle = look(stage, lambda session, event: evidence.write(session, event, CODES, everything=True))
        found = evidence.audit(bundle)
        assert [fault for check in found.checks for fault in check.faults] == []
    assert_whole(day.event)
