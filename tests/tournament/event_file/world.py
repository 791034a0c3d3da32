"""Event files for tests: one that uses every field, and any other by Hypothesis."""

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from tournament.domain.bracket import Bracket, DoubleLosses, Draws, ready
from tournament.domain.bracket_moves import disqualify, drop, redraw, report, start
from tournament.domain.bracket_plan import Form
from tournament.domain.errors import EventFileUnreadable, FileFault, TournamentError
from tournament.domain.letters import UNSEEN
from tournament.domain.model import Bye, ByeKind, Ending, Mode, Pairing, Player, PlayerId, Result, Round, Seat, Way
from tournament.domain.presets import PRESETS
from tournament.domain.results import GameLoss, MatchFormat, MatchLoss, PointsTaken, check_result, contradictions
from tournament.event_file import Event, parse_event_file
from tournament.event_file.model import AsPaired, usual_way

Document = dict[str, Any]
Change = Callable[[Document], object]

# the event of the guide's first example
PLAIN: Document = {
    "version": 1,
    "event": {"name": "Friday", "game": "cps", "draw": "block 71 of the town clock", "preset": "mtr-2026", "apart": []},
    "players": [{"id": "ann", "name": "Ann"}, {"id": "bob", "name": "Bob"}, {"id": "cat", "name": "Cat"}],
    "rounds": [
        {
            "number": 1,
            "tables": [{"table": 1, "players": ["ann", "bob"], "games": [2, 1, 0]}, {"bye": "cat"}],
        }
    ],
}

# every field once
FULL: Document = {
    "version": 1,
    "event": {
        "name": "Friday",
        "game": "cps",
        "draw": "block 71 of the town clock",
        "preset": "wer",
        "mode": "round-robin",
        "best_of": 3,
        "apart": [["ann", "bob"], ["cat", "dan"]],
        "note": "two lines\nof it",
    },
    "players": [
        {"id": "ann", "name": "Ann", "absent": [3], "table": 7, "note": "sits by the door"},
        {"id": "bob", "name": "Bob", "dropped_after": 1},
        {"id": "cat", "name": "Cat", "awarded_byes": 1},
        {"id": "dan", "name": "Dan", "entered_in": 2},
        {"id": "eve", "name": "Eve", "dropped_after": 0, "disqualified": True},
    ],
    "rounds": [
        {
            "number": 1,
            "tables": [
                {"table": 7, "players": ["ann", "bob"], "games": [2, 0, 0], "ending": "no-show", "note": "clock at 10"},
                {"bye": "cat", "kind": "awarded", "note": "won the qualifier"},
            ],
            "pairing": "fold",
            "stood": [7],
            "as_paired": {"seeds": ["ann", "bob"]},
            "note": "began late",
        },
        {
            "number": 2,
            "tables": [{"table": 1, "players": ["cat", "dan"]}, {"bye": "ann"}],
            "as_paired": {
                "tables": [{"table": 1, "players": ["ann", "bob"], "note": "n"}, {"bye": "cat", "kind": "odd"}],
                "results": [{"round": 1, "table": 7, "games": [0, 0, 0], "ending": "double loss", "note": "n"}],
                "apart": [["bob", "cat"]],
                "not_apart": [["ann", "bob"]],
                "note": "n",
            },
            "certificate": {"round": 2, "cost": {"gaps": 9}},
        },
    ],
    "penalties": [
        {"kind": "game loss", "player": "bob", "round": 1, "infraction": "Tardiness", "reason": "came late"},
        {
            "kind": "points taken",
            "player": "cat",
            "round": 1,
            "infraction": "x",
            "reason": "y",
            "points": 1,
            "note": "z",
        },
    ],
    "cut": {
        "form": "single elimination with third-place match",
        "draws": "extra game",
        "double_losses": "higher seed advances",
        "seeds": ["ann", "bob", "cat", "dan"],
        "log": [
            {"left": ["bob"], "why": "disqualified", "note": "n"},
            {"redrawn": 1, "note": "n"},
            {"match": "M1.2", "players": ["cat", "dan"], "games": [0, 2, 0], "ending": "concession", "note": "n"},
            {"match": "M2.1", "players": ["ann", "dan"], "games": [2, 1, 0]},
        ],
        "note": "in the small hall",
    },
    "log": [{"sequence": 1, "fact": {"name": "Friday", "rounds": None}}],
}


def changed(document: Document, *changes: Change) -> Document:
    """A copy of the document with changes made in it."""
    copy = deepcopy(document)
    for change in changes:
        change(copy)
    return copy


def put(value: object, *path: str | int) -> Change:
    """Put a value at a place of a document."""

    def change(document: Document) -> None:
        *way, last = path
        inner(document, way)[last] = value

    return change


def take(*path: str | int) -> Change:
    """Take a member or an item away."""

    def change(document: Document) -> None:
        *way, last = path
        inner(document, way).pop(last)

    return change


def inner(document: Any, way: list[str | int]) -> Any:
    for step in way:
        document = document[step]
    return document


def faults_of(source: bytes | str | Document) -> tuple[FileFault, ...]:
    """Everything that is wrong with a file; nothing if it can be read."""
    try:
        parse_event_file(json.dumps(source) if isinstance(source, dict) else source)
    except EventFileUnreadable as error:
        return tuple(error.faults)
    return ()


def paths_of(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place in a document but the top."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in items:
        yield (*path, step)
        yield from paths_of(item, (*path, step))


# --- any event --------------------------------------------------------------------------------------------------------

_LETTERS = st.characters(codec="utf-8", exclude_categories=["C", "Z"]).filter(
    lambda letter: not re.match(f"[{UNSEEN}]", letter)
)
_TEXTS = st.text(_LETTERS, min_size=1, max_size=8)
_COUNTS = st.integers(0, 9)
_RESULTS = st.builds(Result, _COUNTS, _COUNTS, _COUNTS, st.sampled_from(Ending)).filter(
    lambda result: not contradictions(result)
)


@st.composite
def events(draw: st.DrawFn) -> Event:
    """An event that can be read; its rounds need not be fair."""
    ids = [PlayerId(text) for text in draw(st.lists(_TEXTS, unique=True, max_size=7))]
    rounds: tuple[Round, ...] = tuple(
        Round(number, draw(_seats(ids))) for number in range(1, draw(st.integers(0, 3)) + 1)
    )
    away = {
        one: tuple(n for n in (1, 2, 3, 4, 5) if n not in _there(one, rounds) and draw(st.booleans())) for one in ids
    }
    pairs = [(one, other) for at, one in enumerate(ids) for other in ids[at + 1 :]]
    mode = draw(st.sampled_from(Mode))
    return Event(
        name=draw(_TEXTS),
        game=draw(_TEXTS),
        draw=draw(_TEXTS),
        preset=draw(st.sampled_from(list(PRESETS))),
        mode=mode,
        ways={
            played.number: way
            for played in rounds
            if (way := draw(st.sampled_from([usual_way(mode), *(way for way in Way if way is not Way.PODS)])))
            is not usual_way(mode)
        },
        as_paired={
            played.number: draw(_as_paired(ids, rounds[: played.number - 1]))
            for played in rounds
            if draw(st.booleans())
        },
        certificates={played.number: {"round": played.number} for played in rounds if draw(st.booleans())},
        best_of=draw(st.sampled_from([None, *_formats_of(rounds)])),
        apart=tuple(draw(st.lists(st.sampled_from(pairs), unique=True, max_size=3))) if pairs else (),
        players=tuple(draw(_player(one, rounds)) for one in ids),
        rounds=rounds,
        stood={
            number: tables for number in range(1, len(rounds) + 1) if (tables := draw(_some_tables(rounds[number - 1])))
        },
        absent={one: numbers for one, numbers in away.items() if numbers},
        penalties=tuple(draw(st.lists(_penalties(ids), max_size=2))) if ids else (),
        cut=draw(st.none() | brackets(ids)) if len(ids) > 1 else None,
    )


def _formats_of(rounds: tuple[Round, ...]) -> list[MatchFormat]:
    """The formats in which every result can be."""
    results = [seat.result for played in rounds for seat in played.seats if isinstance(seat, Pairing) and seat.result]
    return [best_of for best_of in MatchFormat if not any(check_result(result, best_of) for result in results)]


@st.composite
def brackets(draw: st.DrawFn, ids: list[PlayerId]) -> Bracket:
    """A cut of some of them, with a few things that happened in it."""
    seeds = draw(st.permutations(ids))[: draw(st.integers(2, len(ids)))]
    bracket = start(
        seeds,
        form=draw(st.sampled_from(Form)),
        draws=draw(st.sampled_from(Draws)),
        double_losses=draw(st.sampled_from(DoubleLosses)),
    )
    for _ in range(draw(st.integers(0, 6))):
        try:
            match draw(st.integers(0, 5)):
                case 0:
                    leave = draw(st.sampled_from([drop, disqualify]))
                    bracket = leave(bracket, *draw(st.lists(st.sampled_from(seeds), min_size=1, max_size=2)))
                case 1:
                    bracket = redraw(bracket)
                case _:
                    playing = [match.id for match in ready(bracket)]
                    bracket = report(bracket, draw(st.sampled_from(playing)), draw(_RESULTS)) if playing else bracket
        except TournamentError:
            pass
    return bracket


@st.composite
def _seats(draw: st.DrawFn, ids: list[PlayerId]) -> tuple[Seat, ...]:
    order = draw(st.permutations(ids))[: draw(st.integers(0, len(ids)))]
    tables = draw(st.lists(st.integers(1, 99), unique=True, min_size=len(order), max_size=len(order)))
    at_tables = order[: 2 * draw(st.integers(0, len(order) // 2))]
    pairings = [
        Pairing(table, one, other, draw(st.none() | _RESULTS))
        for table, one, other in zip(tables, at_tables[::2], at_tables[1::2], strict=False)
    ]
    byes = [Bye(player, draw(st.sampled_from(ByeKind))) for player in order[len(at_tables) :]]
    return tuple(draw(st.permutations([*pairings, *byes])))


@st.composite
def _as_paired(draw: st.DrawFn, ids: list[PlayerId], before: tuple[Round, ...]) -> AsPaired:
    seats = draw(st.none() | _seats(ids))
    pairs = [(one, other) for at, one in enumerate(ids) for other in ids[at + 1 :]]
    some = st.lists(st.sampled_from(pairs), unique=True, max_size=2).map(tuple) if pairs else st.just(())
    tables = [(played.number, seat.table) for played in before for seat in played.seats if isinstance(seat, Pairing)]
    return AsPaired(
        seats=None if seats is None else tuple(map(_open, seats)),
        results={at: Result(2, 0) for at in tables if draw(st.booleans())},
        apart=draw(some),
        not_apart=draw(some),
        seeds=tuple(draw(st.permutations(ids))) if draw(st.booleans()) else (),
    )


def _open(seat: Seat) -> Seat:
    return replace(seat, result=None) if isinstance(seat, Pairing) else seat


@st.composite
def _player(draw: st.DrawFn, one: PlayerId, rounds: tuple[Round, ...]) -> Player:
    there = _there(one, rounds)
    dropped_after = draw(st.none() | st.integers(max(there, default=0), 5))
    return Player(
        id=one,
        name=draw(_TEXTS),
        entered_in=draw(st.integers(1, min(there, default=4))),
        dropped_after=dropped_after,
        table=draw(st.none() | st.integers(1, 9)),
        awarded_byes=draw(st.integers(0, 2)),
        disqualified=dropped_after is not None and draw(st.booleans()),
    )


def _some_tables(played: Round) -> st.SearchStrategy[tuple[int, ...]]:
    tables = [seat.table for seat in played.seats if isinstance(seat, Pairing)]
    return st.lists(st.sampled_from(tables), unique=True).map(tuple) if tables else st.just(())


def _there(one: PlayerId, rounds: tuple[Round, ...]) -> list[int]:
    return [played.number for played in rounds if any(one in _of(seat) for seat in played.seats)]


def _of(seat: Seat) -> tuple[PlayerId, ...]:
    return (seat.player,) if isinstance(seat, Bye) else (seat.first, seat.second)


def _penalties(ids: list[PlayerId]) -> st.SearchStrategy[GameLoss | MatchLoss | PointsTaken]:
    given = {"player": st.sampled_from(ids), "round": st.integers(0, 3), "infraction": _TEXTS, "reason": _TEXTS}
    return st.one_of(
        st.builds(GameLoss, **given),
        st.builds(MatchLoss, **given),
        st.builds(PointsTaken, **given, points=st.integers(1, 9)),
    )
