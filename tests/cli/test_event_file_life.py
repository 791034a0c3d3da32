"""`deckproof event-file new` to `places`: an event from an empty folder to its final places, by commands alone."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_event_files import EVENT, open_last_round
from tests.cli.world import Deckproof


def written(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def in_play(tmp_path: Path) -> Path:
    """Round 2 of Ann, Bob, Cat, Dan and Eve: Ann and Cat at table 1, Eve and Bob at table 2, a bye for Dan."""
    path = tmp_path / "in-play.json"
    path.write_text(json.dumps(open_last_round()))
    return path


@pytest.fixture
def event(tmp_path: Path) -> Path:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(EVENT))
    return path


@pytest.fixture
def with_cut(deckproof: Deckproof, event: Path) -> Path:
    """A cut of four: Ann, who won both rounds, is seed 1."""
    assert deckproof("event-file", "cut", event, "--top", 4, "--third-place", "--write").code == 0
    return event


# --- new, add


def test_an_event_is_begun_with_names(deckproof: Deckproof, tmp_path: Path) -> None:
    path = tmp_path / "cup.json"
    words = ("--name", "Cup", "--draw", "dice 1", "--game", "cgccg", "--preset", "wer", "--best-of", 3)
    document = deckproof("event-file", "new", path, "Ann Smith", "Ann Brown", "Bob", *words, "--json").document
    assert [one["id"] for one in document["players"]] == ["ann-s", "ann-b", "bob"]
    assert written(path)["event"] | {"apart": []} == {
        "name": "Cup",
        "game": "cgccg",
        "draw": "dice 1",
        "preset": "wer",
        "best_of": 3,
        "apart": [],
    }
    assert deckproof("event-file", "pair", path).code == 0


def test_a_file_that_is_there_is_never_replaced(deckproof: Deckproof, event: Path, tmp_path: Path) -> None:
    before = event.read_bytes()
    ended = deckproof("event-file", "new", event, "Ann", "--name", "Cup")
    assert (ended.code, event.read_bytes()) == (2, before)
    assert "is there already" in ended.err
    (tmp_path / "link.json").symlink_to(tmp_path / "nowhere.json")
    assert deckproof("event-file", "new", "link.json", "Ann", "--name", "Cup").code == 2
    assert not (tmp_path / "nowhere.json").exists()


def test_names_come_from_standard_input_or_a_list(deckproof: Deckproof, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_bytes("﻿Name;Table;City\nZoë;4;Bern\n".encode())
    ended = deckproof("event-file", "new", "a.json", "-", "--list", "list.csv", "--name", "x", stdin="Ann\n\nBob B\n")
    assert ended.code == 0
    assert "not used: city" in ended.err
    assert written(tmp_path / "a.json")["players"] == [
        {"id": "ann", "name": "Ann"},
        {"id": "bob", "name": "Bob B"},
        {"id": "zoe", "name": "Zoë", "table": 4},
    ]
    (tmp_path / "headless.csv").write_text("Ann,Bern\n")
    (tmp_path / "latin.txt").write_bytes(b"Zo\xeb\n")
    for list_file in ("headless.csv", "latin.txt", "nowhere.txt"):
        assert deckproof("event-file", "new", "b.json", "--list", list_file, "--name", "x").code == 2
    assert not (tmp_path / "b.json").exists()


def test_without_a_draw_this_computer_throws_dice_and_says_so(deckproof: Deckproof, tmp_path: Path) -> None:
    draws = set()
    for name in ("a.json", "b.json"):
        ended = deckproof("event-file", "new", name, "Ann", "--name", "x")
        assert "threw the dice" in ended.err
        draws.add(written(tmp_path / name)["event"]["draw"])
    assert len(draws) == 2
    assert all(re.fullmatch(r"computer dice( [1-6]){12}", draw) for draw in draws)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("Ann",), 2),
        (("Ann", "--name", ""), 2),
        (("Ann", "--name", "x\x07"), 2),
        (("Ann", "--name", "x", "--draw", ""), 2),
        (("Ann", "--name", "x", "--best-of", 2), 2),
        (("Ann", "--name", "x", "--preset", "fifa"), 6),
        (("Ann", "ann", "--name", "x"), 6),
        (("A\x1b", "--name", "x"), 6),
    ],
)
def test_an_event_that_cannot_be_leaves_no_file(
    deckproof: Deckproof, tmp_path: Path, words: tuple[object, ...], code: int
) -> None:
    assert deckproof("event-file", "new", "new.json", *words).code == code
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_not_left_half_made(
    deckproof: Deckproof, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert deckproof("event-file", "new", "new.json", "Ann", "--name", "x").code == 6
    assert list(tmp_path.iterdir()) == []


def test_a_late_entry_is_added_for_the_next_round_or_for_this_one(deckproof: Deckproof, in_play: Path) -> None:
    document = deckproof("event-file", "add", in_play, "Ann Late", "--json").document
    assert document == {"players": [{"id": "ann-l", "name": "Ann Late"}], "round": 3, "written": True}
    ended = deckproof("event-file", "add", in_play, "Fay", "--round", 2)
    assert "Round 2 is paired already: `repair` finds a place in it." in ended.err
    assert written(in_play)["players"][-2:] == [
        {"id": "ann-l", "name": "Ann Late", "entered_in": 3},
        {"id": "fay", "name": "Fay", "entered_in": 2},
    ]
    checked = deckproof("event-file", "check", in_play)
    assert "no place: Fay is in round 2 and has no table and no bye" in checked.out
    assert deckproof("event-file", "check", in_play, "--json").document["unseated"] == ["fay"]
    assert deckproof("event-file", "add", in_play).code == 2
    assert deckproof("event-file", "add", in_play, "Gus", "--round", 1).code == 6


# --- drop, return


def test_players_leave_and_come_back(deckproof: Deckproof, event: Path) -> None:
    assert "Bob has left after round 2." in deckproof("event-file", "drop", event, "Bob", "cat").out
    assert [player.get("dropped_after") for player in written(event)["players"]] == [None, 2, 2, None, None]
    assert deckproof("event-file", "pair", event, "--write").code == 0
    ended = deckproof("event-file", "return", event, "bob")
    assert "Bob is back from round 4 on; missed: 3." in ended.out
    assert written(event)["players"][1] == {"id": "bob", "name": "Bob", "absent": [3]}
    ended = deckproof("event-file", "drop", event, "cat", "zed")
    assert (ended.code, "zed" in ended.err) == (6, True)


def test_a_player_at_an_open_table_is_not_dropped(deckproof: Deckproof, in_play: Path) -> None:
    before = in_play.read_bytes()
    ended = deckproof("event-file", "drop", in_play, "ann", "dan")
    assert (ended.code, in_play.read_bytes()) == (6, before)
    assert "Ann has a place at table 1 of round 2, which is open" in ended.err
    assert "event-file repair FILE --drop ann" in ended.err
    assert deckproof("event-file", "drop", in_play, "dan", "--disqualified", "--json").document == {
        "dropped": [{"player": "dan", "dropped_after": 2}],
        "disqualified": True,
        "written": True,
    }


# --- show, report


def test_results_are_reported_one_after_the_other(deckproof: Deckproof, in_play: Path) -> None:
    ended = deckproof("event-file", "report", in_play, 2, "1-2", "concession")
    assert ended.out == "table 2: Eve 1-2 (concession) Bob\nstill open in round 2: table 1\n"
    assert written(in_play)["rounds"][1]["tables"][1] == {
        "table": 2,
        "players": ["eve", "bob"],
        "games": [1, 2, 0],
        "ending": "concession",
    }
    document = deckproof("event-file", "report", in_play, "-", "--json", stdin="\n 1, 2-0\n").document
    assert document == {
        "round": 2,
        "reported": [
            {"table": 1, "players": ["ann", "cat"], "result": {"games": [2, 0, 0], "ending": "played"}},
        ],
        "open_tables": [],
        "written": True,
    }
    assert "Round 2 is complete." in deckproof("event-file", "report", in_play, 1, "2-0").out
    assert deckproof("event-file", "pair", in_play).code == 0


@pytest.mark.parametrize(
    ("words", "stdin", "told"),
    [
        (("1", "2-0", "9", "2-0"), "", "round 2 has no table 9; its tables are 1, 2"),
        (("1", "2-0", "1", "0-2"), "", "table 1 is given twice, with two results"),
        (("1", "2-0", "2"), "", "2 without games"),
        (("x", "2-0"), "", "'x' is no number of a table"),
        (("٣", "2-0"), "", "is no number of a table"),
        (("1", "1-1", "no-show"), "", "a match decided by no-show has a winner"),
        (("-",), "1 2-0\n2 20\n", "line 2: 2 20"),
        (("-",), "\n", "no line has a result"),
    ],
)
def test_nothing_is_written_if_one_result_is_wrong(
    deckproof: Deckproof, in_play: Path, words: tuple[str, ...], stdin: str, told: str
) -> None:
    before = in_play.read_bytes()
    ended = deckproof("event-file", "report", in_play, *words, stdin=stdin)
    assert (ended.code, ended.out, in_play.read_bytes()) == (6, "", before)
    assert told in ended.err


def test_a_result_that_is_there_is_replaced_only_on_purpose(deckproof: Deckproof, event: Path) -> None:
    before = event.read_bytes()
    ended = deckproof("event-file", "report", event, 1, "0-2")
    assert (ended.code, event.read_bytes()) == (6, before)
    assert "table 1 of round 2 has a result, 2-0; --correct puts this one in its place" in ended.err
    assert deckproof("event-file", "report", event, 1, "0-2", "--correct").code == 0
    assert written(event)["rounds"][1]["tables"][0]["games"] == [0, 2, 0]
    for words in ((), ("--correct",)):
        ended = deckproof("event-file", "report", event, 1, "0-2", "--round", 1, *words)
        assert ended.code == 6
        assert "`event-file repair FILE --round 1 --table 1 --games 0-2-0` shows what it changes" in ended.err
    assert deckproof("event-file", "report", event, 1, "0-2", "--round", 3).code == 2


def test_a_result_that_no_match_of_the_format_has_is_refused(deckproof: Deckproof, in_play: Path) -> None:
    event = written(in_play)
    event["event"]["best_of"] = 3
    in_play.write_text(json.dumps(event))
    for games in ("3-0", "2-2", "0-0"):
        assert deckproof("event-file", "report", in_play, 1, games).code == 6
        repaired = deckproof("event-file", "repair", in_play, "--round", 1, "--table", 1, "--games", games)
        assert (repaired.code, "--games" in repaired.err) == (2, True)
    assert deckproof("event-file", "report", in_play, 1, "1-0").code == 0
    assert deckproof("event-file", "report", in_play, 2, "0-0-3", "intentional-draw").code == 0


def test_before_the_first_round_there_is_nothing_to_report_or_to_show(deckproof: Deckproof, tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    path.write_text(json.dumps(EVENT | {"rounds": []}))
    assert deckproof("event-file", "report", path, 1, "2-0").code == 6
    assert deckproof("event-file", "show", path).code == 6


def test_a_round_is_shown_as_it_stands(deckproof: Deckproof, in_play: Path) -> None:
    assert deckproof("event-file", "report", in_play, 2, "1-2").code == 0
    shown = deckproof("event-file", "show", in_play).out
    assert "Friday: round 2, 1 open table" in shown
    assert re.search(r"1 +Ann +3 +open +Cat +3 *\n +2 +Eve +3 +1-2 +Bob +0 *\n +Dan +0 +bye", shown)
    document = deckproof("event-file", "show", in_play, "--json").document
    assert document["tables"][1]["result"] == {"games": [1, 2, 0], "ending": "played"}
    assert (document["round"], document["open_tables"], document["unseated"]) == (2, [1], [])
    assert "Ann +0 +2-0" in re.sub(" +", " +", deckproof("event-file", "show", in_play, "--round", 1).out)
    assert deckproof("event-file", "show", in_play, "--round", 3).code == 2


def test_for_the_wall_there_is_a_line_for_each_player_by_name(deckproof: Deckproof, in_play: Path) -> None:
    event = written(in_play)
    event["players"][4]["name"] = "aaron"
    event["players"].append({"id": "zoe", "name": "Zoe", "entered_in": 2})
    in_play.write_text(json.dumps(event))
    lines = [line.split() for line in deckproof("event-file", "show", in_play, "--by-name").out.splitlines()]
    assert [line for line in lines if len(line) > 1][2:] == [
        ["aaron", "2", "Bob"],
        ["Ann", "1", "Cat"],
        ["Bob", "2", "aaron"],
        ["Cat", "1", "Ann"],
        ["Dan", "bye"],
        ["Zoe", "no", "place"],
    ]


# --- needs, preview


def test_in_the_last_round_a_player_s_needs_are_exact(deckproof: Deckproof, in_play: Path) -> None:
    words = ("event-file", "needs", in_play, "Ann", "--cut", 2, "--rounds", 2)
    document = deckproof(*words, "--json").document
    assert (document["player"], document["exact"]) == ("ann", True)
    # Eve has 3 points, Ann and Cat play for 6: the winner is first or second
    assert [one["own"] for one in document["outlooks"]] == ["a win", "a draw", "a loss"]
    assert (document["outlooks"][0]["best_place"], document["outlooks"][0]["worst_place"]) == (1, 2)
    assert "a win is enough whatever others do" in deckproof(*words).out


def test_before_the_last_round_chances_have_an_error_and_a_seed(deckproof: Deckproof, in_play: Path) -> None:
    words = ("event-file", "needs", in_play, "ann", "--cut", 2, "--rounds", 4, "--events", 30, "--json")
    document = deckproof(*words).document
    assert (document["exact"], [one["events"] for one in document["chances"]]) == (False, [30] * 3)
    assert all(0 < one["standard_error"] < 0.2 for one in document["chances"])
    assert deckproof(*words).document == document
    assert deckproof(*words, "--seed", 1).document != document


@pytest.mark.parametrize(
    ("words", "code"),
    [(("zed",), 2), (("ann", "--cut", 6), 6), (("ann", "--rounds", 1), 2), (("ann", "--cut", 1), 2)],
)
def test_needs_that_nobody_can_have_are_refused(
    deckproof: Deckproof, in_play: Path, words: tuple[object, ...], code: int
) -> None:
    assert deckproof("event-file", "needs", in_play, *words).code == code


def test_who_has_left_needs_nothing(deckproof: Deckproof, event: Path) -> None:
    deckproof("event-file", "drop", event, "bob")
    assert "Bob has left" in deckproof("event-file", "needs", event, "bob", "--cut", 2).err


def test_a_cut_may_be_looked_at_before(deckproof: Deckproof, event: Path, in_play: Path) -> None:
    document = deckproof("event-file", "cut", event, "--top", 2, "--preview", "--json").document
    assert document["inside"][0] == "ann"
    assert [change["preset"] for change in document["changes"]] == ["wer", "mtgo", "pokemon", "netrunner", "buchholz"]
    plain = deckproof("event-file", "cut", event, "--top", 2, "--preview").out
    assert "in: Ann" in plain
    assert "under wer" in plain
    during = deckproof("event-file", "cut", in_play, "--top", 2, "--preview")
    assert (during.code, during.err) == (0, "2 open tables not counted.\n")
    assert deckproof("event-file", "cut", event, "--top", 9, "--preview").code == 6
    assert deckproof("event-file", "cut", event, "--top", 2, "--preview", "--write").code == 2


# --- the cut


def test_a_cut_is_played_to_its_places(deckproof: Deckproof, with_cut: Path) -> None:
    assert written(with_cut)["cut"]["form"] == "single elimination with third-place match"
    ended = deckproof("event-file", "match", with_cut, "M1.1", "2-0", "M1.2", "0-2", "no-show")
    assert re.search(r"M1.1: Ann 2-0 \w+\nM1.2: \w+ 0-2 \(no-show\) \w+\nto play: M2.1, Ann and \w+\n", ended.out)
    document = deckproof("event-file", "match", with_cut, "3RD", "2-0", "M2.1", "2-1", "--json").document
    assert (document["finished"], document["ready"], document["reported"]) == (True, [], ["3RD", "M2.1"])
    final = next(one for one in document["matches"] if one["match"] == "M2.1")
    assert (final["winner"], final["how"], final["games"]) == ("ann", "played", [2, 1, 0])
    assert deckproof("event-file", "places", with_cut).out.splitlines()[-5].startswith("1 Ann")
    assert "Ann has won" in deckproof("event-file", "match", with_cut, "M2.1", "2-1").out


def test_a_cut_that_has_begun_stands(deckproof: Deckproof, with_cut: Path) -> None:
    before = with_cut.read_bytes()
    for words, code in (
        (("cut", with_cut, "--top", 2, "--write"), 2),
        (("pair", with_cut, "--write"), 2),
        (("needs", with_cut, "ann"), 2),
        (("add", with_cut, "Zoe"), 6),
        (("drop", with_cut, "ann"), 6),
        (("match", with_cut), 2),
        (("match", with_cut, "M2.1", "2-0"), 6),
        (("match", with_cut, "M1.1", "1-1"), 6),
        (("match", with_cut, "M9.1", "2-0", "M1.1", "2-0"), 6),
        (("match", with_cut, "--undo"), 2),
        (("match", with_cut, "--drop", "zed"), 6),
    ):
        assert deckproof("event-file", *words).code == code, words
    assert with_cut.read_bytes() == before
    assert "open: M1.1 of the cut, Ann and" in deckproof("event-file", "check", with_cut).out


def test_without_a_cut_there_are_no_matches(deckproof: Deckproof, event: Path) -> None:
    assert deckproof("event-file", "match", event, "M1.1", "2-0").code == 2


def test_a_corrected_match_says_what_it_changes(deckproof: Deckproof, with_cut: Path) -> None:
    seeds = written(with_cut)["cut"]["seeds"]
    for words in (("M1.1", "2-0"), ("M1.2", "2-0", "M2.1", "2-0")):
        assert deckproof("event-file", "match", with_cut, *words).code == 0
    ended = deckproof("event-file", "match", with_cut, "M1.1", "0-2")
    assert "M1.1 has a result, Ann 2-0" in ended.err
    refused = deckproof("event-file", "match", with_cut, "M1.1", "0-2", "--correct")
    assert (refused.code, "M2.1: was Ann - " in refused.err) == (6, True)
    document = deckproof("event-file", "match", with_cut, "M1.1", "0-2", "--correct", "--replay", "--json").document
    assert {one["match"] for one in document["changed"]} == {"M2.1", "3RD"}
    assert document["ready"] == ["M2.1", "3RD"]
    assert {"player": seeds[3]} in document["matches"][2].values()


def test_players_leave_the_cut(deckproof: Deckproof, with_cut: Path) -> None:
    seeds = written(with_cut)["cut"]["seeds"]
    assert "dropped: Ann\n" in deckproof("event-file", "match", with_cut, "--drop", "Ann").out
    assert deckproof("event-file", "match", with_cut, "--redraw").out.startswith("round 1 is drawn anew\n")
    assert "taken back: round 1 is drawn anew" in deckproof("event-file", "match", with_cut, "--undo").out
    assert "taken back: dropped: Ann" in deckproof("event-file", "match", with_cut, "--undo").out
    document = deckproof("event-file", "match", with_cut, "--disqualify", seeds[3], "--json").document
    assert document["matches"][0]["how"] == "walkover"
    assert written(with_cut)["cut"]["log"] == [{"left": [seeds[3]], "why": "disqualified"}]


def test_the_rule_for_matches_without_a_winner_is_chosen_before(deckproof: Deckproof, event: Path) -> None:
    words = ("--draws", "higher-seed-advances", "--double-losses", "the match is played again")
    assert deckproof("event-file", "cut", event, "--top", 2, "--write", *words).code == 0
    cut = written(event)["cut"]
    assert (cut["draws"], cut["double_losses"]) == ("higher seed advances", "the match is played again")
    assert deckproof("event-file", "match", event, "M1.1", "1-1").code == 0
    assert deckproof("event-file", "cut", event, "--top", 2, "--draws", "coin").code == 2


# --- names and differences


def test_reasons_call_players_by_name_and_name_the_ids_in_their_fields(deckproof: Deckproof) -> None:
    players = [{"id": f"p{at}", "name": name} for at, name in enumerate(("Ann", "Bob", "Ann"), start=1)]
    event = json.dumps(EVENT | {"players": players, "rounds": []})
    [reason] = deckproof("event-file", "pair", "-", "--certificate", "--json", stdin=event).document["certificate"][
        "byes"
    ]
    called = {"p1": "Ann (p1)", "p2": "Bob", "p3": "Ann (p3)"}
    assert reason["sentence"].startswith(f"{called[reason['players'][0]]} has the bye: 3 players")


def test_tables_that_the_draw_does_not_give_are_named(deckproof: Deckproof, event: Path) -> None:
    lines = deckproof("event-file", "faults", event).out.splitlines()
    told = "round 2: not as drawn: Ann and Cat, Bob and Eve; the draw gives Ann and Eve, Bob and Cat"
    assert [line for line in lines if "as drawn:" in line] == [told]
