"""Writing an event file: one layout, the author's order, and nothing lost."""

import json
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.event_file.world import FULL, PLAIN, Document, changed, events, put
from tournament.domain.model import Bye, Pairing, Player, Result, Round
from tournament.event_file import Event, document_of, parse_event_file, write_event_file

CANONICAL = """{
  "version": 1,
  "event": {
    "name": "Friday",
    "game": "cps",
    "draw": "block 71 of the town clock",
    "preset": "mtr-2026",
    "apart": []
  },
  "players": [
    {"id": "ann", "name": "Ann"},
    {"id": "bob", "name": "Bob"},
    {"id": "cat", "name": "Cat"}
  ],
  "rounds": [
    {
      "number": 1,
      "tables": [
        {"table": 1, "players": ["ann", "bob"], "games": [2, 1, 0]},
        {"bye": "cat"}
      ]
    }
  ]
}
"""


def test_a_player_and_a_table_is_a_line() -> None:
    assert write_event_file(parse_event_file(json.dumps(PLAIN))) == CANONICAL


def test_an_event_that_nobody_wrote_is_written_in_the_plain_form() -> None:
    event = parse_event_file(CANONICAL)
    assert write_event_file(replace(event, written={})) == CANONICAL


@given(events())
def test_what_is_written_is_read_as_the_same_event(event: Event) -> None:
    text = write_event_file(event)
    assert parse_event_file(text) == event
    assert write_event_file(parse_event_file(text)) == text


@st.composite
def hand_written(draw: st.DrawFn) -> Document:
    """The document of any event, its keys in any order, with notes and with defaults spelled out."""

    def scrawl(value: Any, place: str = "") -> Any:
        if isinstance(value, list):
            return [scrawl(item, place) for item in value]
        if not isinstance(value, dict):
            return value
        extra = {"note": "x\ny"} if place else {}
        extra |= {"players": {"entered_in": 1, "awarded_byes": 0}}.get(place, {})
        members = {key: item for key, item in extra.items() if draw(st.booleans())} | value
        return {key: scrawl(members[key], key) for key in draw(st.permutations(list(members)))}

    document: Document = scrawl(document_of(draw(events())))
    return document


@given(hand_written())
def test_an_unchanged_file_keeps_every_word_and_its_order(document: Document) -> None:
    text = write_event_file(parse_event_file(json.dumps(document)))
    assert json.dumps(json.loads(text)) == json.dumps(document)


def lines_changed(before: str, after: str) -> tuple[set[str], set[str]]:
    old, new = ({line.strip().rstrip(",") for line in text.splitlines()} for text in (before, after))
    return old - new, new - old


def test_a_result_changes_one_line_and_keeps_its_note() -> None:
    document = changed(FULL, put("feature match", "rounds", 1, "tables", 0, "note"))
    event = parse_event_file(json.dumps(document))
    played = Round(2, (Pairing(1, "cat", "dan", Result(2, 1)), Bye("ann")))
    after = write_event_file(replace(event, rounds=(event.rounds[0], played)))
    assert lines_changed(write_event_file(event), after) == (
        {'{"table": 1, "players": ["cat", "dan"], "note": "feature match"}'},
        {'{"table": 1, "players": ["cat", "dan"], "note": "feature match", "games": [2, 1, 0]}'},
    )


def test_a_drop_and_a_return_leave_the_line_as_it_was() -> None:
    event = parse_event_file(json.dumps(FULL))
    ann, *others = event.players
    gone = replace(event, players=(replace(ann, dropped_after=2), *others))
    after_drop = write_event_file(gone)
    assert (
        '{"id": "ann", "name": "Ann", "absent": [3], "table": 7, "note": "sits by the door", "dropped_after": 2}'
        in after_drop
    )
    back = parse_event_file(after_drop)
    returned = replace(back, players=(replace(back.players[0], dropped_after=None), *others))
    assert write_event_file(returned) == write_event_file(event)


def test_a_new_player_and_a_new_round_are_added_at_the_end() -> None:
    event = parse_event_file(json.dumps(FULL))
    grown = replace(
        event,
        players=(*event.players, Player(id="fay", name="Fay", entered_in=3)),
        rounds=(*event.rounds, Round(3, (Pairing(1, "ann", "fay"),))),
    )
    document = json.loads(write_event_file(grown))
    assert document["players"][:-1] == FULL["players"]
    assert document["players"][-1] == {"id": "fay", "name": "Fay", "entered_in": 3}
    assert document["rounds"][:-1] == FULL["rounds"]
    assert document["rounds"][-1] == {"number": 3, "tables": [{"table": 1, "players": ["ann", "fay"]}]}


def test_names_are_written_in_their_own_letters() -> None:
    text = write_event_file(parse_event_file(json.dumps(changed(PLAIN, put("Zoë 🂡", "players", 0, "name")))))
    assert "Zoë 🂡" in text
