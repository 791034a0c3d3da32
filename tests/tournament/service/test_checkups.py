"""Check-ups: each light is as things are, endpoints are not named, and nobody waits for one that hangs."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.tournament import owning
from tests.tournament.owning import World
from tournament.database import Database, open_file
from tournament.service import backups, checkups
from tournament.service.checkups import Finding, Line, Subject
from tournament.service.nodes import Nodes
from tournament.service.shortfalls import Light
from tournament.settings import Environment, Settings
from verifier.testkit import lies

SECRET = "a secret of thirty-two characters"


@pytest.fixture(scope="module")
def world(one: Database) -> Iterator[World]:
    with owning.started(one, nodes=3) as world:
        world.chain.mine({}, seconds=60)
        yield world


def by_subject(found: list[Finding]) -> dict[str, Finding]:
    return {f"{finding.subject}{finding.number or ''}": finding for finding in found}


def lights(found: list[Finding]) -> dict[str, str]:
    return {name: finding.light.value for name, finding in by_subject(found).items()}


def at(world: World) -> datetime:
    """The moment of the newest block."""
    return datetime.fromtimestamp(owning.NOON.timestamp(), UTC) + timedelta(seconds=61)


def test_a_server_that_can_ask_is_green(world: World) -> None:
    found = checkups.of_chain(world.nodes, 31337, at(world))
    wanted = dict.fromkeys(("endpoints", "endpoint1", "endpoint2", "endpoint3", "agreement", "clock"), "green")
    assert lights(found).items() >= wanted.items(), found
    assert "3 of 3 endpoints agree on block" in by_subject(found)["agreement"].words
    assert by_subject(found)["collection"].light is Light.AMBER  # no hash of its code is set
    assert not any(world.node.url in finding.words + finding.advice for finding in found)
    assert "127.0.0.1" not in str(found)


def test_an_endpoint_that_is_down_is_red_with_the_reason_and_the_others_are_asked(world: World) -> None:
    world.node.tell(lies.shows_a_page(502))
    try:
        found = by_subject(checkups.of_chain(world.nodes, None, at(world)))
    finally:
        world.node.be_honest()
    assert found["endpoint1"].light is Light.RED
    assert "502" in found["endpoint1"].words
    assert "127.0.0.1" not in found["endpoint1"].words
    assert found["endpoint2"].light is Light.GREEN
    assert found["agreement"].light is Light.AMBER


def test_nobody_waits_for_an_endpoint_that_hangs(world: World) -> None:
    world.node.tell(lies.hangs(2))
    begun = time.monotonic()
    try:
        found = by_subject(checkups.of_chain(world.nodes, None, at(world), patience=0.5))
    finally:
        world.node.be_honest()
    assert time.monotonic() - begun < 2.5  # not the six attempts of a patient endpoint
    assert found["endpoint1"].words == "it does not answer within 0.5 s"


def test_too_few_endpoints_are_red(world: World) -> None:
    nodes = Nodes(world.nodes.endpoints[:1], world.nodes.usual, 2)
    assert lights(checkups.of_chain(nodes, None, at(world)))["endpoints"] == "red"
    assert lights(checkups.of_chain(nodes, None, at(world)))["agreement"] == "red"
    assert lights(checkups.of_chain(Nodes(), None, at(world))) == {"endpoints": "amber"}
    lone = Nodes(world.nodes.endpoints[:1], world.nodes.usual)
    assert lights(checkups.of_chain(lone, None, at(world)))["endpoints"] == "amber"


def test_another_chain_than_the_one_that_is_set_is_red(world: World) -> None:
    chain = by_subject(checkups.of_chain(world.nodes, 1, at(world)))["chain"]
    assert chain.light is Light.RED
    assert "1 is set" in chain.words


def test_a_clock_that_is_behind_the_chain_is_red(world: World) -> None:
    clock = by_subject(checkups.of_chain(world.nodes, None, at(world) - timedelta(minutes=5)))["clock"]
    assert clock.light is Light.RED
    assert "ahead of this machine's clock" in clock.words


def test_what_a_server_knows_of_itself(embedded: Database, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    found = lights(checkups.of_server(settings, embedded, owning.NOON))
    assert found == {"database": "green", "room": "green", "backup": "amber", "secret": "amber", "webhooks": "green"}
    kept = Settings(data=tmp_path, secret=SECRET, environment=Environment.PRODUCTION)
    line = Line(is_secure=False, host="play.example", streams=0)
    found = lights(checkups.of_server(kept, embedded, owning.NOON, line))
    assert (found["secret"], found["line"], found["streams"]) == ("green", "red", "green")
    line = Line(is_secure=True, host="play.example", streams=1950)
    found = lights(checkups.of_server(kept, embedded, owning.NOON, line))
    assert (found["line"], found["streams"]) == ("green", "amber")


def test_how_old_the_last_backup_is(embedded: Database, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    made = backups.backup(embedded, tmp_path / "backup.db")
    backups.note(tmp_path, made, owning.NOON)
    for hours, light, words in (
        (0.2, "green", "12 minutes ago"),
        (30, "amber", "30 hours ago"),
        (72, "amber", "3 days"),
    ):
        found = by_subject(checkups.of_server(settings, embedded, owning.NOON + timedelta(hours=hours)))["backup"]
        assert (found.light.value, words in found.words) == (light, True), found
    (tmp_path / backups.NOTE).write_text('{"at": "yesterday"}')
    assert lights(checkups.of_server(settings, embedded, owning.NOON))["backup"] == "amber"
    (tmp_path / backups.NOTE).write_text('{"at": "2026-01-31T11:00:00+00:00", "holds": false}')
    assert lights(checkups.of_server(settings, embedded, owning.NOON))["backup"] == "red"


def test_a_database_of_another_shape_is_red(tmp_path: Path) -> None:
    empty = open_file(tmp_path / "empty.db")
    found = checkups.of_server(Settings(data=tmp_path), empty, owning.NOON)
    empty.close()
    assert found[0].subject is Subject.DATABASE
    assert found[0].light is Light.RED
    assert "db upgrade" in found[0].advice
