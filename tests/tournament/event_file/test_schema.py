"""The JSON Schema and the reader agree: what the schema rejects, the reader rejects."""

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given

from tests.tournament.event_file.schema import Validator
from tests.tournament.event_file.world import (
    FULL,
    PLAIN,
    Document,
    changed,
    events,
    faults_of,
    inner,
    paths_of,
    put,
    take,
)
from tournament.domain.bracket import DoubleLosses, Draws, Leaving
from tournament.domain.bracket_plan import Form
from tournament.domain.model import ByeKind, Ending, Mode, Way
from tournament.domain.presets import PRESETS
from tournament.event_file import Event, FileRule, document_of
from tournament.event_file.model import LONGEST_ID, LONGEST_NOTE, LONGEST_TEXT, MOST_NUMBER, MOST_SEEDS, USUAL_PRESET
from tournament.event_file.reading import PenaltyKind

SCHEMA: dict[str, Any] = json.loads((files("tournament.event_file") / "event-file.schema.json").read_text())
DEFS = SCHEMA["$defs"]
VALIDATOR = Validator(SCHEMA)

BEYOND = {
    FileRule.ID_TWICE,
    FileRule.PLAYER_UNKNOWN,
    FileRule.APART,
    FileRule.ROUND_ORDER,
    FileRule.TABLE_TWICE,
    FileRule.TABLE_UNKNOWN,
    FileRule.SEATED_TWICE,
    FileRule.SEATED_ABSENT,
    FileRule.RESULT,
    FileRule.PODS,
    FileRule.CUT,
}
"""What hangs on more than one place."""

VALUES = (None, True, False, 0, 1, -1, 2, 1.5, 10**6, 10**6 + 1, "", "x", "ann", " ann", "x" * 101, "x" * 1001, [], {})


@pytest.mark.parametrize("document", [PLAIN, FULL])
def test_a_file_that_can_be_read_is_valid(document: Document) -> None:
    assert not faults_of(document)
    assert VALIDATOR.accepts(document)


@given(events())
def test_any_event_is_written_as_a_valid_file(event: Event) -> None:
    assert VALIDATOR.accepts(document_of(event))


def spoiled() -> Iterator[Document]:
    """The full file with one place changed, taken away, or added to."""
    for path in paths_of(FULL):
        yield changed(FULL, take(*path))
        for value in VALUES:
            yield changed(FULL, put(value, *path))
        if isinstance(inner(FULL, list(path)), dict):
            yield changed(FULL, put("x", *path, "unheard_of"))


def test_the_reader_rejects_what_the_schema_rejects_and_beyond_it_only_what_hangs_together() -> None:
    verdicts = set()
    for document in spoiled():
        valid, rules = VALIDATOR.accepts(document), {fault.rule for fault in faults_of(document)}
        verdicts.add((valid, not rules))
        assert valid == (rules <= BEYOND), (rules, document)
    assert verdicts == {(True, True), (True, False), (False, False)}


def test_the_schema_lists_the_words_that_the_reader_knows() -> None:
    assert DEFS["event"]["properties"]["preset"]["enum"] == list(PRESETS)
    assert DEFS["event"]["properties"]["preset"]["default"] == USUAL_PRESET
    assert DEFS["event"]["properties"]["mode"]["enum"] == list(map(str, Mode))
    assert DEFS["round"]["properties"]["pairing"]["enum"] == list(map(str, Way))
    assert DEFS["stood_before"]["properties"]["ending"]["enum"] == list(map(str, Ending))
    assert DEFS["pairing"]["properties"]["ending"]["enum"] == list(map(str, Ending))
    assert DEFS["bye"]["properties"]["kind"]["enum"] == list(map(str, ByeKind))
    assert DEFS["penalty"]["properties"]["kind"]["enum"] == list(map(str, PenaltyKind))
    assert DEFS["match"]["properties"]["ending"]["enum"] == list(map(str, Ending))
    assert DEFS["left"]["properties"]["why"]["enum"] == list(map(str, Leaving))
    for name, words in {"form": Form, "draws": Draws, "double_losses": DoubleLosses}.items():
        assert DEFS["cut"]["properties"][name]["enum"] == list(map(str, words))
    assert DEFS["cut"]["properties"]["seeds"]["maxItems"] == MOST_SEEDS


def test_the_schema_has_the_limits_of_the_reader() -> None:
    assert (DEFS["text"]["maxLength"], DEFS["note"]["maxLength"], DEFS["id"]["maxLength"]) == (
        LONGEST_TEXT,
        LONGEST_NOTE,
        LONGEST_ID,
    )
    assert DEFS["number"]["maximum"] == DEFS["count"]["maximum"] == MOST_NUMBER
