"""What is told of a command, to whom."""

import json
from typing import Any

import pytest

from tournament.domain.roles import Role
from tournament.service.commands import EVENTS
from tournament.service.kinds import KINDS
from tournament.service.news import (
    DESK,
    DISPLAY,
    STAFF,
    TOLD,
    VISITOR,
    WITH_ROLES,
    Telling,
    Told,
    Topic,
    reader_of,
    told,
)
from tournament.store import LogLine

OF_EVENTS = {name: kind for name, kind in KINDS.items() if kind.stream is EVENTS}
"""A series tells nobody."""
GAMES = {"first": 2, "second": 0, "drawn": 0, "ending": "played"}


def of(command: str, phase: str = "round", /, **fact: Any) -> Told:
    return told("e", LogLine(7, command, "ann", "2026-01-31T12:00:00Z", phase, "ab" * 32, json.dumps(fact)))


def topics(said: Told) -> list[str] | None:
    return None if said.public is None else [str(topic) for topic in said.public.topics]


def test_every_command_says_what_is_told_of_it() -> None:
    """A new kind of command is told to staff only until `TOLD` has it: say there what the public may learn."""
    assert set(OF_EVENTS) - set(TOLD) == set()


def test_what_is_for_staff_by_its_topic_is_told_to_nobody_else() -> None:
    private = {Topic.DRAFT, Topic.STAFF, Topic.OTHER, Topic.CLAIMS, Topic.JUDGES, Topic.ALERTS}
    for name, telling in TOLD.items():
        if isinstance(telling, Telling):
            assert not (telling.public and private & set(telling.topics)), name


def test_only_fields_of_the_fact_are_told() -> None:
    for name, kind in OF_EVENTS.items():
        telling = TOLD[name]
        if isinstance(telling, Telling):
            asked = {*telling.fields, *telling.also, *telling.ends} - {*WITH_ROLES, VISITOR, "table"}
            assert asked <= set(kind.fact.model_fields), name


def test_a_command_that_nobody_thought_of_is_told_to_staff_only_and_nothing_of_its_fact() -> None:
    said = of("secret.plan", entry=3, round=1)
    assert (said.public, said.also) == (None, frozenset())
    assert said.staff.model_dump(exclude_none=True) == {
        "event": "e", "version": 7, "topics": ["other"], "at": "2026-01-31T12:00:00Z", "phase": "round",
        "command": "secret.plan", "actor": "ann",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("said", "public", "also"),
    [
        (of("claim.make", round=1, table=2, entry=3, first=3, second=4, games=GAMES, confirms=None), None, {"3", "4"}),
        (of("claim.make", round=1, table=2, first=3, second=4, games=GAMES, confirms=5), ["result"], set()),
        (of("round.swap", "between rounds", round=2), None, set()),
        (of("round.swap", "round", round=1), ["round", "correction", "standings"], set()),
        (of("penalty.give", entry=3, text="late"), None, {"3"}),
        (of("penalty.apply", entry=3, table=None, out=None), None, {"3"}),
        (of("penalty.apply", entry=3, table={"table": 1}, out=None), ["correction", "standings", "entries"], set()),
        (of("call.take", call=1, entry=3), None, {"3"}),
        (of("call.close", call=1, entry=None), None, set()),
        (of("penalty.withdraw", penalty=1, why="x"), None, set()),
        (of("penalty.take-back", penalty=1, back={"x": 1}), ["correction", "standings", "entries"], set()),
        (of("command.undo", name="round.publish", again=False), ["round", "event"], set()),
        (of("command.undo", name="round.publish", again=True), ["round.published", "event"], set()),
        (of("command.undo", name="round.pair", again=False), None, set()),
        (of("command.undo", name="result.report", again=False), ["correction"], set()),
        (of("command.undo", name="nobody.knows", again=False), None, set()),
        (of("deck.hand-in", entry=3, commitment="0x"), None, {"3", DESK}),
        (of("epoch.read", short=[3, 4], dropped=[]), ["ownership"], {"3", "4"}),
        (of("epoch.read", short=[3], dropped=[3]), ["ownership", "entries"], {"3"}),
        (of("epoch.alert", epoch=2, entries=[3]), None, {"3"}),
        (of("entry.recode", entry=3), None, {DESK}),
        (of("registration.code"), None, {DESK}),
        (of("event.unpublish"), None, {DESK, DISPLAY}),
        (of("command.undo", name="event.unpublish", again=True), None, {DESK, DISPLAY}),
    ],
)
def test_who_is_told(said: Told, public: list[str] | None, also: set[str]) -> None:
    assert (topics(said), said.also) == (public, also)


def test_nobody_but_staff_is_told_that_a_penalty_is_behind_a_correction() -> None:
    said = of("penalty.apply", entry=3, table={"table": 1}, out=None)
    assert said.public
    assert said.public.entry is said.public.actor is None
    assert Topic.JUDGES in said.staff.topics


@pytest.mark.parametrize(
    ("name", "fact", "ends"),
    [
        ("staff.revoke", {}, {STAFF, DESK, DISPLAY}),
        ("staff.leave", {}, {STAFF, DESK, DISPLAY}),
        ("event.unpublish", {}, {VISITOR}),
        ("entry.recode", {"entry": 3}, {"3"}),
        ("command.undo", {"name": "staff.grant"}, {STAFF, DESK, DISPLAY}),
        ("result.report", {}, set()),
    ],
)
def test_whose_rights_change_has_to_come_back(name: str, fact: dict[str, Any], ends: set[str]) -> None:
    assert of(name, **fact).ends == ends


def test_a_display_is_told_what_the_public_is_and_the_desk_besides_what_a_desk_looks_at() -> None:
    """A draft, a call, a penalty, a note or a change of the staff is none of their business."""
    besides = {name: set(telling.readers) for name, telling in TOLD.items() if isinstance(telling, Telling)}
    assert {name for name, readers in besides.items() if DESK in readers} == {
        "deck.hand-in", "deck.unlock", "deck.waive", "deck.require", "deck.erase", "entry.recode", "registration.code",
        "event.unpublish", "pass.issue", "pass.revoke", "pass.enrol", "pass.settle",
    }  # fmt: skip
    assert {name for name, readers in besides.items() if readers - {DESK}} == {"event.unpublish"}


@pytest.mark.parametrize(
    ("roles", "player", "reader"),
    [
        ({Role.ORGANIZER}, None, STAFF),
        ({Role.SCOREKEEPER, Role.DISPLAY}, None, STAFF),
        ({Role.JUDGE, Role.DESK}, None, STAFF),
        ({Role.DESK, Role.DISPLAY}, None, DESK),
        ({Role.DISPLAY}, None, DISPLAY),
        (set(), None, VISITOR),
        (set(), 7, "7"),
    ],
)
def test_a_reader_by_a_role_is_the_one_who_may_read_most(roles: set[Role], player: int | None, reader: str) -> None:
    assert reader_of(roles, player) == reader


def test_who_is_short_is_told_to_look_and_so_are_staff_and_nobody_else() -> None:
    said = of("epoch.read", short=[3], dropped=[])
    assert said.private.topics == said.staff.topics == ["ownership", "alerts"]
    assert of("epoch.read", short=[], dropped=[]).staff.topics == ["ownership"]
