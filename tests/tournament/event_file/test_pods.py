"""Files of events at tables of several: read, written, judged by the reader and by the schema alike."""

import json
from typing import Any

import pytest

from tests.tournament.event_file.test_schema import BEYOND, VALIDATOR, VALUES
from tests.tournament.event_file.world import Change, Document, changed, faults_of, inner, paths_of, put, take
from tournament.domain.errors import TablesOfSeveral
from tournament.domain.model import Bye, ByeKind, Ending, Pod, PodRound
from tournament.event_file import FileRule, parse_event_file, write_event_file
from tournament.event_file.answers import judge_rounds, paired_round, repairs, standings_of

POD: Document = {
    "version": 1,
    "event": {"name": "Tables", "game": "cgccg", "draw": "d", "preset": "pods", "pod_size": 4},
    "players": [{"id": one, "name": one} for one in ("ann", "bob", "cat", "dan", "eve")],
    "rounds": [
        {
            "number": 1,
            "tables": [
                {"table": 1, "players": ["ann", "bob", "cat"], "places": [["bob"], ["ann", "cat"]]},
                {"bye": "dan", "kind": "awarded"},
                {"bye": "eve"},
            ],
        },
        {
            "number": 2,
            "tables": [{"table": 2, "players": ["ann", "bob", "cat", "dan", "eve"]}],
            "as_paired": {
                "tables": [{"table": 1, "players": ["ann", "bob", "cat", "dan", "eve"]}],
                "results": [{"round": 1, "table": 1, "places": [], "ending": "double loss"}],
            },
        },
    ],
}


def test_every_field_arrives_and_is_written_again() -> None:
    text = json.dumps(POD)
    event = parse_event_file(text)
    everybody = ("ann", "bob", "cat", "dan", "eve")
    assert event.rounds == ()
    assert event.pods == (
        PodRound(
            1,
            (
                Pod(1, ("ann", "bob", "cat"), (("bob",), ("ann", "cat"))),
                Bye("dan", ByeKind.AWARDED),
                Bye("eve"),
            ),
        ),
        PodRound(2, (Pod(2, everybody),)),
    )
    assert event.as_paired[2].pods == (Pod(1, everybody),)
    assert event.as_paired[2].placings == {(1, 1): Pod(1, (), (), Ending.DOUBLE_LOSS)}
    assert json.loads(write_event_file(event)) == POD
    assert event.open_tables == ((2, 2),)
    assert [(line.player, line.match_points) for line in standings_of(event)][:3] == [
        ("bob", 7),
        ("dan", 7),
        ("eve", 7),
    ]


@pytest.mark.parametrize("what", [paired_round, repairs, judge_rounds])
def test_what_is_for_tables_of_two_is_refused(what: Any) -> None:
    with pytest.raises(TablesOfSeveral):
        what(parse_event_file(json.dumps(POD)))


TABLE = ("rounds", 0, "tables", 0)
PLACES = (*TABLE, "places")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (put(7, "event", "pod_size"), {("/event/pod_size", FileRule.CHOICE)}),
        (put("mtr-2026", "event", "preset"), {("/event/pod_size", FileRule.PODS)}),
        (put("round-robin", "event", "mode"), {("/event/pod_size", FileRule.PODS)}),
        (put({"seeds": ["ann", "bob"]}, "cut"), {("/cut", FileRule.PODS)}),
        (put("swiss", "rounds", 0, "pairing"), {("/rounds/0/pairing", FileRule.PODS)}),
        (
            put({"table": 1, "players": ["ann", "bob"], "games": [2, 0, 0]}, *TABLE),
            {("/rounds/0/tables/0/players", FileRule.PODS)},
        ),
        (put([["bob"], ["ann"]], *PLACES), {("/rounds/0/tables/0/places", FileRule.RESULT)}),
        (put([["bob"], ["ann", "cat"], ["eve"]], *PLACES), {("/rounds/0/tables/0/places", FileRule.RESULT)}),
        (put("no-show", *TABLE, "ending"), {("/rounds/0/tables/0/ending", FileRule.CHOICE)}),
        (put("played", "rounds", 1, "tables", 0, "ending"), {("/rounds/1/tables/0/ending", FileRule.ENDING)}),
        (
            put("eve", *TABLE, "players", 0),
            {("/rounds/0/tables/0/places", FileRule.RESULT), ("/rounds/0/tables/2/bye", FileRule.SEATED_TWICE)},
        ),
    ],
)
def test_a_fault_is_told_with_its_place(change: Change, expected: set[tuple[str, FileRule]]) -> None:
    assert {(fault.place, fault.rule) for fault in faults_of(changed(POD, change))} == expected


def test_a_table_of_several_has_no_place_in_an_event_of_two() -> None:
    faults = {(fault.place, fault.rule) for fault in faults_of(changed(POD, take("event", "pod_size")))}
    assert faults == {
        ("/rounds/0/tables/0/players", FileRule.PODS),
        ("/rounds/1/tables/0/players", FileRule.PODS),
        ("/rounds/1/as_paired/tables/0/players", FileRule.PODS),
    }


def test_the_reader_and_the_schema_agree_on_every_change_of_one_place() -> None:
    assert VALIDATOR.accepts(POD)
    for path in paths_of(POD["rounds"]):
        way = ("rounds", *path)
        spoiled = [changed(POD, take(*way))] if path else []
        spoiled += [changed(POD, put(value, *way)) for value in VALUES]
        if isinstance(inner(POD, list(way)), dict):
            spoiled.append(changed(POD, put("x", *way, "unheard_of")))
        for document in spoiled:
            rules = {fault.rule for fault in faults_of(document)}
            assert VALIDATOR.accepts(document) == (rules <= BEYOND), (rules, document)
