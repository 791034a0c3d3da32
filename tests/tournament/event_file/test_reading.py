"""Reading an event file: what it says, or everything that is wrong with it."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.event_file.world import FULL, PLAIN, Change, changed, faults_of, inner, paths_of, put, take
from tournament.domain.bracket import DoubleLosses, Draws, Leaving, Left, Redrawn, Reported, places
from tournament.domain.bracket_plan import Form
from tournament.domain.errors import EventFileUnreadable
from tournament.domain.model import Bye, ByeKind, Ending, Pairing, Player, Result, Round
from tournament.domain.results import GameLoss, PointsTaken
from tournament.event_file import MOST_BYTES, FileRule, parse_event_file

TABLE = ("rounds", 0, "tables", 0)

# --- what is right


def test_the_plain_form_is_an_event() -> None:
    event = parse_event_file(json.dumps(PLAIN))
    assert (event.name, event.game, event.draw, event.preset) == (
        "Friday",
        "cps",
        "block 71 of the town clock",
        "mtr-2026",
    )
    assert event.players == (Player(id="ann", name="Ann"), Player(id="bob", name="Bob"), Player(id="cat", name="Cat"))
    assert event.rounds == (Round(1, (Pairing(1, "ann", "bob", Result(2, 1, 0)), Bye("cat"))),)


def test_every_field_arrives() -> None:
    event = parse_event_file(json.dumps(FULL))
    assert event.preset == "wer"
    assert event.apart == (("ann", "bob"), ("cat", "dan"))
    assert event.players == (
        Player(id="ann", name="Ann", table=7),
        Player(id="bob", name="Bob", dropped_after=1),
        Player(id="cat", name="Cat", awarded_byes=1),
        Player(id="dan", name="Dan", entered_in=2),
        Player(id="eve", name="Eve", dropped_after=0, disqualified=True),
    )
    assert event.rounds == (
        Round(1, (Pairing(7, "ann", "bob", Result(2, 0, 0, Ending.NO_SHOW)), Bye("cat", ByeKind.AWARDED))),
        Round(2, (Pairing(1, "cat", "dan"), Bye("ann"))),
    )
    assert event.absent == {"ann": (3,)}
    assert event.stood == {1: (7,)}
    assert event.penalties == (
        GameLoss(player="bob", round=1, infraction="Tardiness", reason="came late"),
        PointsTaken(player="cat", round=1, infraction="x", reason="y", points=1),
    )


def test_a_cut_arrives_as_a_bracket_that_plays_on() -> None:
    cut = parse_event_file(json.dumps(FULL)).cut
    assert cut is not None
    assert (cut.form, cut.draws, cut.double_losses) == (
        Form.SINGLE_WITH_THIRD_PLACE,
        Draws.EXTRA_GAME,
        DoubleLosses.HIGHER_SEED,
    )
    assert cut.log == (
        Left(("bob",), Leaving.DISQUALIFIED),
        Redrawn(1),
        Reported("M1.2", "cat", "dan", Result(0, 2, 0, Ending.CONCESSION)),
        Reported("M2.1", "ann", "dan", Result(2, 1)),
    )
    assert [(place.first, place.players) for place in places(cut)] == [(1, ("ann",)), (2, ("dan",)), (3, ("cat",))]


def test_a_preset_and_pairs_kept_apart_may_be_left_out() -> None:
    event = parse_event_file(json.dumps(changed(PLAIN, take("event", "preset"), take("event", "apart"))))
    assert (event.preset, event.apart) == ("mtr-2026", ())


def test_any_number_of_games_can_be_where_nobody_said_how_many_decide_a_match() -> None:
    three = changed(FULL, put([3, 0, 0], *TABLE, "games"))
    assert [fault.rule for fault in faults_of(three)] == [FileRule.RESULT]
    assert not faults_of(changed(three, take("event", "best_of")))
    assert not faults_of(changed(three, put(5, "event", "best_of")))


def test_a_file_without_rounds_is_told_what_would_be_right() -> None:
    (fault,) = faults_of(changed(PLAIN, take("rounds")))
    assert fault.problem == "'rounds' is missing; before the first round it is \"rounds\": []"


def test_open_tables_are_those_without_games() -> None:
    assert parse_event_file(json.dumps(FULL)).open_tables == ((2, 1),)


def test_bytes_and_text_are_the_same_file() -> None:
    text = json.dumps(changed(PLAIN, put("Zoë", "players", 0, "name")), ensure_ascii=False)
    assert parse_event_file(text) == parse_event_file(text.encode())


# --- what is wrong: one change of the full file, and every fault that follows from it

YES = True
DAN_UNKNOWN = {
    (f"/{place}", FileRule.PLAYER_UNKNOWN)
    for place in (
        "event/apart/1/1",
        "rounds/1/tables/0/players/1",
        "cut/seeds/3",
        "cut/log/2/players/1",
        "cut/log/3/players/1",
    )
}
BYE = ("rounds", 0, "tables", 1)
THEN = ("rounds", 1, "as_paired")
WRONG: list[tuple[Change, set[tuple[str, FileRule]]]] = [
    (put(2, "version"), {("/version", FileRule.VERSION)}),
    (put("1", "version"), {("/version", FileRule.TYPE)}),
    (put(float("inf"), "version"), {("/version", FileRule.TYPE)}),
    (put(YES, "version"), {("/version", FileRule.TYPE)}),
    (take("version"), {("", FileRule.FIELD_MISSING)}),
    (take("rounds"), {("", FileRule.FIELD_MISSING)}),
    (take("players"), {("", FileRule.FIELD_MISSING)}),
    (put({}, "players"), {("/players", FileRule.TYPE)}),
    (put([], "event"), {("/event", FileRule.TYPE)}),
    (put("x", "evnet"), {("/evnet", FileRule.FIELD_UNKNOWN)}),
    (put("x", "a/b~c"), {("/a~1b~0c", FileRule.FIELD_UNKNOWN)}),
    (put({}, "log"), {("/log", FileRule.TYPE)}),
    (put("x", "log", 0), {("/log/0", FileRule.TYPE)}),
    (put([{"x": float("nan")}], "log", 0, "fact", "name"), {("/log/0/fact/name/0/x", FileRule.TYPE)}),
    # the event
    (take("event", "draw"), {("/event", FileRule.FIELD_MISSING)}),
    (put("", "event", "draw"), {("/event/draw", FileRule.RANGE)}),
    (put("d" * 1001, "event", "draw"), {("/event/draw", FileRule.RANGE)}),
    (put("mtr", "event", "preset"), {("/event/preset", FileRule.CHOICE)}),
    (put(5, "event", "preset"), {("/event/preset", FileRule.TYPE)}),
    (put(2, "event", "best_of"), {("/event/best_of", FileRule.CHOICE)}),
    (put(10**6, "event", "best_of"), {("/event/best_of", FileRule.CHOICE)}),
    (put("3", "event", "best_of"), {("/event/best_of", FileRule.TYPE)}),
    (put(1, "event", "best_of"), {("/rounds/0/tables/0/games", FileRule.RESULT)}),
    (put("\x1b[31m", "event", "name"), {("/event/name", FileRule.TEXT)}),
    (put("two\nlines", "event", "name"), {("/event/name", FileRule.TEXT)}),
    (put("left \u202e right", "event", "name"), {("/event/name", FileRule.TEXT)}),
    (put("\ud800", "event", "name"), {("/event/name", FileRule.TEXT)}),
    *(
        (put(f"a{letter}b", "event", "draw"), {("/event/draw", FileRule.TEXT)})
        for letter in "\u200b\u200e\ufeff\xad\x9b"
    ),
    (put(["ann", "bob"], "event", "apart"), {("/event/apart/0", FileRule.TYPE), ("/event/apart/1", FileRule.TYPE)}),
    (put(["ann"], "event", "apart", 0), {("/event/apart/0", FileRule.RANGE)}),
    (put("zed", "event", "apart", 0, 1), {("/event/apart/0/1", FileRule.PLAYER_UNKNOWN)}),
    (put(["ann", "ann"], "event", "apart", 0), {("/event/apart/0", FileRule.APART)}),
    (put(["bob", "ann"], "event", "apart", 1), {("/event/apart/1", FileRule.APART)}),
    # players
    (take("players", 0, "name"), {("/players/0", FileRule.FIELD_MISSING)}),
    (put("cat", "players", 3, "id"), {("/players/3/id", FileRule.ID_TWICE), *DAN_UNKNOWN}),
    (put(" eve", "players", 4, "id"), {("/players/4/id", FileRule.TEXT)}),
    (put("e" * 101, "players", 4, "id"), {("/players/4/id", FileRule.RANGE)}),
    (put(None, "players", 1, "dropped_after"), {("/players/1/dropped_after", FileRule.TYPE)}),
    (put(-1, "players", 4, "dropped_after"), {("/players/4/dropped_after", FileRule.RANGE)}),
    (put(0, "players", 0, "table"), {("/players/0/table", FileRule.RANGE)}),
    (put(1.0, "players", 0, "table"), {("/players/0/table", FileRule.TYPE)}),
    (put(10**30, "players", 0, "table"), {("/players/0/table", FileRule.RANGE)}),
    (put("yes", "players", 4, "disqualified"), {("/players/4/disqualified", FileRule.TYPE)}),
    (take("players", 4, "dropped_after"), {("/players/4/disqualified", FileRule.DISQUALIFIED)}),
    (put("ann", "players", 4), {("/players/4", FileRule.TYPE)}),
    # rounds
    (put(3, "rounds", 1, "number"), {("/rounds/1/number", FileRule.ROUND_ORDER)}),
    (put("pods", "rounds", 0, "pairing"), {("/rounds/0/pairing", FileRule.PODS)}),
    (put(1, "rounds", 1, "number"), {("/rounds/1/number", FileRule.ROUND_ORDER)}),
    (put(-1, "rounds", 1, "number"), {("/rounds/1/number", FileRule.RANGE)}),
    (take("rounds", 1, "tables"), {("/rounds/1", FileRule.FIELD_MISSING)}),
    (put(0, "players", 1, "dropped_after"), {("/rounds/0/tables/0/players/1", FileRule.SEATED_ABSENT)}),
    (put(3, "players", 3, "entered_in"), {("/rounds/1/tables/0/players/1", FileRule.SEATED_ABSENT)}),
    (put("cat", "rounds", 1, "tables", 1, "bye"), {("/rounds/1/tables/1/bye", FileRule.SEATED_TWICE)}),
    (put([2], "players", 0, "absent"), {("/rounds/1/tables/1/bye", FileRule.SEATED_ABSENT)}),
    (put(2, "players", 0, "absent"), {("/players/0/absent", FileRule.TYPE)}),
    (put([0], "players", 0, "absent"), {("/players/0/absent/0", FileRule.RANGE)}),
    (put("zed", "rounds", 1, "tables", 1, "bye"), {("/rounds/1/tables/1/bye", FileRule.PLAYER_UNKNOWN)}),
    (put("lucky", *BYE, "kind"), {("/rounds/0/tables/1/kind", FileRule.CHOICE)}),
    (put([2, 0, 0], *BYE, "games"), {("/rounds/0/tables/1/games", FileRule.BYE_WITH_RESULT)}),
    (put(4, *BYE, "table"), {("/rounds/0/tables/1/table", FileRule.BYE_WITH_RESULT)}),
    (put(["cat", "dan"], *BYE, "players"), {("/rounds/0/tables/1/players", FileRule.BYE_WITH_RESULT)}),
    (put("no-show", *BYE, "ending"), {("/rounds/0/tables/1/ending", FileRule.BYE_WITH_RESULT)}),
    (put([8], "rounds", 0, "stood"), {("/rounds/0/stood/0", FileRule.TABLE_UNKNOWN)}),
    (put("7", "rounds", 0, "stood"), {("/rounds/0/stood", FileRule.TYPE)}),
    (put(0, *TABLE, "table"), {("/rounds/0/tables/0/table", FileRule.RANGE)}),
    (put(["ann", "ann"], *TABLE, "players"), {("/rounds/0/tables/0/players/1", FileRule.SEATED_TWICE)}),
    (put(["ann"], *TABLE, "players"), {("/rounds/0/tables/0/players", FileRule.RANGE)}),
    (put(["ann", "bob", "cat"], *TABLE, "players"), {("/rounds/0/tables/0/players", FileRule.RANGE)}),
    (put(-1, *TABLE, "games", 0), {("/rounds/0/tables/0/games/0", FileRule.RANGE)}),
    (put(YES, *TABLE, "games", 0), {("/rounds/0/tables/0/games/0", FileRule.TYPE)}),
    (put([2, 0], *TABLE, "games"), {("/rounds/0/tables/0/games", FileRule.RANGE)}),
    (put(None, *TABLE, "games"), {("/rounds/0/tables/0/games", FileRule.TYPE)}),
    (take(*TABLE, "games"), {("/rounds/0/tables/0/ending", FileRule.ENDING)}),
    (put("resigned", *TABLE, "ending"), {("/rounds/0/tables/0/ending", FileRule.CHOICE)}),
    (put([1, 1, 0], *TABLE, "games"), {("/rounds/0/tables/0/games", FileRule.RESULT)}),
    (put([3, 0, 0], *TABLE, "games"), {("/rounds/0/tables/0/games", FileRule.RESULT)}),
    (put([2, 1, 0], *TABLE, "games"), {("/rounds/0/tables/0/games", FileRule.RESULT)}),
    (put("intentional draw", *TABLE, "ending"), {("/rounds/0/tables/0/games", FileRule.RESULT)}),
    (put({}, "rounds", 1, "tables", 1), {("/rounds/1/tables/1", FileRule.FIELD_MISSING)}),
    # how rounds were paired, and what was otherwise then
    (put("round robin", "event", "mode"), {("/event/mode", FileRule.CHOICE)}),
    (put("drawn", "rounds", 0, "pairing"), {("/rounds/0/pairing", FileRule.CHOICE)}),
    (put([], "rounds", 1, "certificate"), {("/rounds/1/certificate", FileRule.TYPE)}),
    (put({"x": float("nan")}, "rounds", 1, "certificate"), {("/rounds/1/certificate/x", FileRule.TYPE)}),
    (put("x", *THEN, "drops"), {("/rounds/1/as_paired/drops", FileRule.FIELD_UNKNOWN)}),
    (put([2, 0, 0], *THEN, "tables", 0, "games"), {("/rounds/1/as_paired/tables/0/games", FileRule.FIELD_UNKNOWN)}),
    (
        put("zed", *THEN, "tables", 0, "players", 0),
        {("/rounds/1/as_paired/tables/0/players/0", FileRule.PLAYER_UNKNOWN)},
    ),
    (put("cat", *THEN, "tables", 0, "players", 0), {("/rounds/1/as_paired/tables/1/bye", FileRule.SEATED_TWICE)}),
    (
        put({"table": 1, "players": ["dan", "eve"]}, *THEN, "tables", 1),
        {("/rounds/1/as_paired/tables/1/table", FileRule.TABLE_TWICE)},
    ),
    (put("zed", *THEN, "apart", 0, 0), {("/rounds/1/as_paired/apart/0/0", FileRule.PLAYER_UNKNOWN)}),
    (
        put(["ann", "zed"], "rounds", 0, "as_paired", "seeds"),
        {("/rounds/0/as_paired/seeds/1", FileRule.PLAYER_UNKNOWN)},
    ),
    (put(8, *THEN, "results", 0, "table"), {("/rounds/1/as_paired/results/0/table", FileRule.TABLE_UNKNOWN)}),
    (put(2, *THEN, "results", 0, "round"), {("/rounds/1/as_paired/results/0/round", FileRule.TABLE_UNKNOWN)}),
    (put([1, 1, 0], *THEN, "results", 0, "games"), set()),
    (
        put("concession", *THEN, "results", 0, "ending"),
        {("/rounds/1/as_paired/results/0/games", FileRule.RESULT)},
    ),
    (
        lambda document: inner(document, [*THEN, "results"]).append({"round": 1, "table": 7, "games": [2, 0, 0]}),
        {("/rounds/1/as_paired/results/1", FileRule.TABLE_TWICE)},
    ),
    (take(*THEN, "results", 0, "games"), {("/rounds/1/as_paired/results/0", FileRule.FIELD_MISSING)}),
    # penalties
    (put("warning", "penalties", 0, "kind"), {("/penalties/0/kind", FileRule.CHOICE)}),
    (put(1, "penalties", 0, "points"), {("/penalties/0/points", FileRule.FIELD_UNKNOWN)}),
    (take("penalties", 1, "points"), {("/penalties/1", FileRule.FIELD_MISSING)}),
    (put(0, "penalties", 1, "points"), {("/penalties/1/points", FileRule.RANGE)}),
    (put("zed", "penalties", 1, "player"), {("/penalties/1/player", FileRule.PLAYER_UNKNOWN)}),
    (put("", "penalties", 1, "note"), {("/penalties/1/note", FileRule.RANGE)}),
    # the cut
    (take("cut", "seeds"), {("/cut", FileRule.FIELD_MISSING)}),
    (put(["ann"], "cut", "seeds"), {("/cut/seeds", FileRule.RANGE)}),
    (put("ann", "cut", "seeds", 3), {("/cut/seeds/3", FileRule.CUT)}),
    (put("swiss", "cut", "form"), {("/cut/form", FileRule.CHOICE)}),
    (
        put("zed", "cut", "log", 0, "left", 0),
        {("/cut/log/0/left/0", rule) for rule in (FileRule.PLAYER_UNKNOWN, FileRule.CUT)},
    ),
    (put("eve", "cut", "log", 0, "left", 0), {("/cut/log/0/left/0", FileRule.CUT)}),
    (put([], "cut", "log", 0, "left"), {("/cut/log/0/left", FileRule.RANGE)}),
    (put("left early", "cut", "log", 0, "why"), {("/cut/log/0/why", FileRule.CHOICE)}),
    (put(3, "cut", "log", 1, "redrawn"), {("/cut/log/1/redrawn", FileRule.CUT)}),
    (put("M9.9", "cut", "log", 3, "match"), {("/cut/log/3/match", FileRule.CUT)}),
    (put("M1.2", "cut", "log", 3, "match"), {("/cut/log/3/match", FileRule.CUT)}),
    (put("cat", "cut", "log", 3, "players", 1), {("/cut/log/3/players", FileRule.CUT)}),
    (take("cut", "log", 3, "games"), {("/cut/log/3", FileRule.FIELD_MISSING)}),
    (put([2, 0, 0], "cut", "log", 2, "games"), {("/cut/log/3/players", FileRule.CUT)}),
]


@pytest.mark.parametrize(("change", "expected"), WRONG)
def test_a_fault_is_told_with_its_place_and_nothing_else_is(
    change: Change, expected: set[tuple[str, FileRule]]
) -> None:
    assert {(fault.place, fault.rule) for fault in faults_of(changed(FULL, change))} == expected


def test_two_tables_of_one_number_are_told_at_the_second() -> None:
    table = {"table": 7, "players": ["dan", "eve"]}
    players = [put(1, "players", 3, "entered_in"), put(1, "players", 4, "dropped_after")]
    [fault] = faults_of(changed(FULL, lambda document: document["rounds"][0]["tables"].append(table), *players))
    assert (fault.place, fault.rule) == ("/rounds/0/tables/2/table", FileRule.TABLE_TWICE)


def test_every_fault_is_told_at_once() -> None:
    faults = faults_of(
        changed(
            FULL,
            put("", "event", "draw"),
            put(0, "players", 0, "table"),
            put(-1, *TABLE, "games", 0),
            put([2, 0, 0], *BYE, "games"),
            put(3, "rounds", 1, "number"),
            put("zed", "rounds", 1, "tables", 1, "bye"),
        )
    )
    assert {fault.rule for fault in faults} == {
        FileRule.RANGE,
        FileRule.BYE_WITH_RESULT,
        FileRule.ROUND_ORDER,
        FileRule.PLAYER_UNKNOWN,
    }
    assert len(faults) == 6


def test_what_hangs_on_an_unreadable_part_is_not_told_again() -> None:
    # without players, everybody in the rounds would be unknown
    assert len(faults_of(changed(FULL, take("players")))) == 1


def test_of_another_version_nothing_else_is_said() -> None:
    assert [fault.rule for fault in faults_of('{"version": 7, "evnet": {}}')] == [FileRule.VERSION]


# --- lines

HAND_WRITTEN = """{
  "version": 1,
  "event": {"name": "Friday", "game": "cps",
            "draw": "x",
            "draw": "y"},
  "players": [
    {"id": "ann", "name": "Ann"},
    {"id": "bob", "name": "Bob", "droped_after": 3},

    {"id": "bob", "name": "Bob"}],
  "rounds": [
    {"number": 2, "tables": [
      {"table": 1, "players": ["ann",
                               "bobb"], "games": [2, -1, NaN]},
      {"bye": "ann", "games": [2, 0, 0]}]}]
}
"""


def test_every_fault_has_its_line_and_they_stand_in_its_order() -> None:
    assert [(fault.line, fault.place, fault.rule) for fault in faults_of(HAND_WRITTEN)] == [
        (5, "/event/draw", FileRule.KEY_TWICE),
        (8, "/players/1/droped_after", FileRule.FIELD_UNKNOWN),
        (10, "/players/2/id", FileRule.ID_TWICE),
        (12, "/rounds/0/number", FileRule.ROUND_ORDER),
        (14, "/rounds/0/tables/0/players/1", FileRule.PLAYER_UNKNOWN),
        (14, "/rounds/0/tables/0/games/1", FileRule.RANGE),
        (14, "/rounds/0/tables/0/games/2", FileRule.TYPE),
        (15, "/rounds/0/tables/1/bye", FileRule.SEATED_TWICE),
        (15, "/rounds/0/tables/1/games", FileRule.BYE_WITH_RESULT),
    ]


def test_the_nearest_word_is_offered() -> None:
    sentence = str(EventFileUnreadable(faults_of(HAND_WRITTEN)))
    assert "line 8, /players/1/droped_after: 'droped_after' is not a field; did you mean 'dropped_after'?" in sentence
    assert "'bobb' is not among the players; did you mean 'bob'?" in sentence


def test_a_place_cannot_give_orders_to_a_terminal() -> None:
    faults = faults_of(changed(PLAIN, put(1, "\x1b[2J" + "k" * 10_000)))
    assert "\x1b" not in str(EventFileUnreadable(faults))
    assert len(str(EventFileUnreadable(faults))) < 400


def test_a_sentence_ends_and_the_fields_have_everything() -> None:
    error = EventFileUnreadable(faults_of(changed(PLAIN, *(put(0, f"field {n}") for n in range(99)))))
    assert len(error.faults) == 99
    assert str(error).endswith("and 49 more")


# --- what is no JSON, or not quite


@pytest.mark.parametrize(
    ("source", "rule", "line"),
    [
        (b"", FileRule.JSON, 1),
        (b"{", FileRule.JSON, 1),
        (b"{\n  'version': 1}", FileRule.JSON, 2),
        (b'{"version": 1,}', FileRule.JSON, 1),
        (b'{"version": 1} x', FileRule.JSON, 1),
        (b'{\n"a": "\t"}', FileRule.JSON, 2),
        (b"{\n\n\xe9}", FileRule.ENCODING, 3),
        ("{}".encode("utf-16"), FileRule.ENCODING, None),
        ("{}".encode("utf-32"), FileRule.ENCODING, None),
        (b"[" * 1_000_000, FileRule.DEPTH, None),
        (b'{"a":' * 1_000_000, FileRule.DEPTH, None),
        (b'{"version":\n' + b"9" * 5_000 + b"}", FileRule.RANGE, 2),
        (b" " * (MOST_BYTES + 1), FileRule.SIZE, None),
        ("\ud800", FileRule.ENCODING, 1),
        (b"null", FileRule.TYPE, 1),
        (b"[]", FileRule.TYPE, 1),
        (b"NaN", FileRule.TYPE, 1),
    ],
)
def test_what_is_no_event_file_at_all_is_told(source: bytes | str, rule: FileRule, line: int | None) -> None:
    assert [(fault.rule, fault.line) for fault in faults_of(source)] == [(rule, line)]


def test_a_byte_order_mark_is_told_beside_the_other_faults() -> None:
    rules = [fault.rule for fault in faults_of(b"\xef\xbb\xbf" + json.dumps(changed(PLAIN, take("rounds"))).encode())]
    assert rules == [FileRule.ENCODING, FileRule.FIELD_MISSING]


def test_nesting_that_can_be_read_is_a_wrong_type_and_no_crash() -> None:
    assert {fault.rule for fault in faults_of(nested(90))} == {FileRule.TYPE}
    assert {fault.rule for fault in faults_of(nested(400))} == {FileRule.DEPTH}


def nested(depth: int) -> object:
    deep: list[object] = []
    for _ in range(depth):
        deep = [deep]
    return changed(PLAIN, put(deep, "rounds", 0, "tables", 0))


@pytest.mark.parametrize("source", [b"[" * 90_000 + b"]" * 90_000, b'["\\"[[", ' * 90_000, b'{"a":' * 90_000])
def test_nesting_harms_nobody_whatever_the_recursion_limit(source: bytes) -> None:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try:
        assert [fault.rule for fault in faults_of(source)] == [FileRule.DEPTH]
        flat = json.dumps(changed(PLAIN, put('\\"' + "[" * 1000, "event", "note")))
        assert parse_event_file(flat).name == "Friday"
    finally:
        sys.setrecursionlimit(before)


def test_a_receipt_of_the_log_that_two_programs_would_read_in_two_ways_is_a_fault() -> None:
    source = json.dumps(PLAIN)[:-1] + ', "log": [{"fact": {"table": 1, "table": 2}}]}'
    assert [(fault.place, fault.rule) for fault in faults_of(source)] == [("/log/0/fact/table", FileRule.KEY_TWICE)]


def test_every_rule_is_broken_somewhere_here() -> None:
    told = {rule for _, expected in WRONG for _, rule in expected}
    told |= {FileRule.TABLE_TWICE, FileRule.KEY_TWICE, FileRule.JSON, FileRule.ENCODING, FileRule.DEPTH, FileRule.SIZE}
    assert told == set(FileRule)


@given(st.binary(max_size=60))
def test_any_bytes_are_refused_and_nothing_crashes(source: bytes) -> None:
    assert faults_of(source)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(path=st.sampled_from(sorted(paths_of(FULL), key=str)), value=JSON)
def test_any_value_anywhere_is_read_or_told_and_nothing_crashes(path: tuple[str | int, ...], value: object) -> None:
    for fault in faults_of(changed(FULL, put(value, *path))):
        assert fault.line
        assert str(fault)


# --- what is meant to keep a reader busy


@pytest.mark.parametrize("empty", ["{}", "[]"])
def test_a_file_of_brackets_is_refused_before_it_takes_fifty_times_its_length_in_memory(empty: str) -> None:
    log = ",".join([empty] * 400_000)
    with pytest.raises(EventFileUnreadable, match="more brackets"):
        parse_event_file(json.dumps(PLAIN)[:-1] + f', "log": [{log}]}}')


def test_of_very_many_faults_the_first_are_told_and_no_more_are_looked_for() -> None:
    with pytest.raises(EventFileUnreadable) as refused:
        parse_event_file(json.dumps({**PLAIN, "players": [1] * 50_000}))
    *told, last = refused.value.faults
    assert [fault.place for fault in told] == [f"/players/{at}" for at in range(1_000)]
    assert last.problem == "has more than 1,000 faults"
