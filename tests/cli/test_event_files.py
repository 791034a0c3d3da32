"""`deckproof event-file …`: an event in a file."""

import fcntl
import json
import os
import re
import shlex
import threading
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import typer

from cli import asking
from cli.event_file_store import read, save
from tests.cli.world import Deckproof, Ended
from tournament.domain.errors import EventFileChanged
from tournament.domain.presets import PRESETS
from tournament.event_file import FileRule

# ann beat bob, cat beat dan, eve had the bye; ann and cat, bob and eve play, dan has the bye
EVENT: dict[str, Any] = {
    "version": 1,
    "event": {"name": "Friday", "game": "cps", "draw": "seed", "preset": "mtr-2026", "apart": []},
    "players": [{"id": name.lower(), "name": name} for name in ("Ann", "Bob", "Cat", "Dan", "Eve")],
    "rounds": [
        {
            "number": 1,
            "tables": [
                {"table": 1, "players": ["ann", "bob"], "games": [2, 0, 0]},
                {"table": 2, "players": ["cat", "dan"], "games": [2, 1, 0]},
                {"bye": "eve"},
            ],
        },
        {
            "number": 2,
            "tables": [
                {"table": 1, "players": ["ann", "cat"], "games": [2, 0, 0]},
                {"table": 2, "players": ["eve", "bob"], "games": [1, 2, 0]},
                {"bye": "dan"},
            ],
        },
    ],
}


GUIDE_FILE = Path(__file__).parents[2] / "docs" / "guide" / "event-file.md"
GUIDE = GUIDE_FILE.read_text(encoding="utf-8")
FILES = dict(re.findall(r"<!-- (\S+) -->\n```\w+\n(.*?)```", GUIDE, re.DOTALL))
"""The examples of the guide, by name."""


def open_last_round() -> dict[str, Any]:
    event = json.loads(json.dumps(EVENT))
    for table in event["rounds"][-1]["tables"]:
        table.pop("games", None)
    return event


@pytest.fixture
def event(tmp_path: Path) -> Path:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(EVENT))
    return path


@pytest.fixture
def in_play(tmp_path: Path) -> Path:
    path = tmp_path / "in-play.json"
    path.write_text(json.dumps(open_last_round()))
    return path


@pytest.fixture
def friday(tmp_path: Path) -> Path:
    path = tmp_path / "friday.json"
    path.write_text(FILES["friday.json"], encoding="utf-8")
    return path


# --- check


def test_a_readable_file_is_0(deckproof: Deckproof, event: Path) -> None:
    ended = deckproof("event-file", "check", event)
    assert (ended.code, ended.err) == (0, "")
    assert "readable: 5 players, 2 rounds" in ended.out


def test_open_tables_are_named(deckproof: Deckproof, in_play: Path) -> None:
    assert "open: table 2 of round 2, Eve and Bob" in deckproof("event-file", "check", in_play).out
    assert deckproof("event-file", "check", in_play, "--json").document == {
        "readable": True,
        "players": 5,
        "rounds": 2,
        "open_tables": [{"round": 2, "table": 1}, {"round": 2, "table": 2}],
        "unseated": [],
        "open_matches": [],
    }


COMMANDS = (
    ("check",),
    ("pair",),
    ("standings",),
    ("faults",),
    ("places",),
    ("cut", "--top", "2"),
    ("repair", "--round", "1", "--table", "1", "--games", "2-0"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_an_unreadable_file_is_4_with_every_fault_and_its_place(
    deckproof: Deckproof, tmp_path: Path, words: tuple[str, ...]
) -> None:
    broken = json.loads(json.dumps(EVENT))
    broken["rounds"][0]["tables"][0]["games"] = [2, -1, 0]
    broken["rounds"][1]["tables"][2] = {"bye": "ann", "games": [2, 0, 0]}
    broken["rounds"][1]["number"] = 3
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(broken, indent=1))
    command, *options = words
    plain = deckproof("event-file", command, path, *options)
    as_json = deckproof("event-file", command, path, *options, "--json")
    assert (plain.code, plain.out, as_json.code, as_json.err) == (4, "", 4, "")
    assert plain.err.startswith("refused: not an event file, 4 faults:\n")
    assert as_json.document["type"] == "/problems/event-file-unreadable"
    faults = as_json.document["faults"]
    assert [(fault["place"], fault["rule"]) for fault in faults] == [
        ("/rounds/0/tables/0/games/1", "range"),
        ("/rounds/1/number", "round-order"),
        ("/rounds/1/tables/2/bye", "seated-twice"),
        ("/rounds/1/tables/2/games", "bye-with-result"),
    ]
    lines = path.read_text().splitlines()
    assert [lines[fault["line"] - 1].strip() for fault in faults] == [
        "-1,",
        '"number": 3,',
        '"bye": "ann",',
        '"games": [',
    ]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_file_that_is_not_there_is_usage(deckproof: Deckproof, words: tuple[str, ...]) -> None:
    command, *options = words
    assert deckproof("event-file", command, "nowhere.json", *options).code == 2


def test_a_file_without_end_is_not_read_to_its_end(deckproof: Deckproof) -> None:
    ended = deckproof("event-file", "check", "/dev/zero")
    assert ended.code == 4
    assert "no event file does" in ended.err


def test_standard_input_is_a_file_too(deckproof: Deckproof) -> None:
    assert deckproof("event-file", "check", "-", stdin=json.dumps(EVENT)).code == 0


# --- pair


def test_the_next_round_is_printed_and_nothing_is_written(deckproof: Deckproof, event: Path) -> None:
    before = event.read_bytes()
    document = deckproof("event-file", "pair", event, "--json").document
    assert document.keys() == {"round", "pairings", "written"}
    assert (document["round"], document["written"], event.read_bytes()) == (3, False, before)
    # everybody once; the bye is one of those without one
    seats = document["pairings"]
    players = sorted(player for seat in seats for player in seat.get("players", [seat.get("bye")]))
    assert players == ["ann", "bob", "cat", "dan", "eve"]
    assert [seat.keys() for seat in seats] == [{"table", "players"}, {"table", "players"}, {"bye"}]
    assert seats[-1]["bye"] in {"ann", "bob", "cat"}


def test_a_round_is_paired_the_same_by_anybody(deckproof: Deckproof, event: Path) -> None:
    first = deckproof("event-file", "pair", event, "--json").document
    turned = EVENT | {"players": EVENT["players"][::-1]}
    assert deckproof("event-file", "pair", "-", "--json", stdin=json.dumps(turned)).document == first


def test_write_adds_the_round_that_was_printed(deckproof: Deckproof, event: Path) -> None:
    document = deckproof("event-file", "pair", event, "--write", "--json").document
    after = json.loads(event.read_text())
    assert document["written"]
    assert after["rounds"][:2] == EVENT["rounds"]
    assert after["rounds"][2:] == [{"number": 3, "tables": document["pairings"]}]
    assert {key: after[key] for key in ("version", "event", "players")} == {
        key: EVENT[key] for key in ("version", "event", "players")
    }
    assert list(event.parent.iterdir()) == [event]


def test_a_round_is_not_paired_while_tables_are_open(deckproof: Deckproof, in_play: Path) -> None:
    before = in_play.read_bytes()
    ended = deckproof("event-file", "pair", in_play, "--write")
    assert (ended.code, ended.out, in_play.read_bytes()) == (6, "", before)
    assert ended.err == "refused: cannot pair round 3 without a result of tables 1, 2 of round 2\n"
    problem = deckproof("event-file", "pair", in_play, "--write", "--json").document
    assert (problem["type"], problem["tables"]) == ("/problems/results-missing", [[2, 1], [2, 2]])


def test_an_event_that_everybody_left_has_no_next_round(deckproof: Deckproof, tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    path.write_text(json.dumps(EVENT | {"players": [], "rounds": []}))
    assert deckproof("event-file", "pair", path).code == 6


def test_a_write_that_fails_leaves_the_file_as_it_was(
    deckproof: Deckproof, event: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = event.read_bytes()
    monkeypatch.setattr(Path, "replace", full)
    assert deckproof("event-file", "pair", event, "--write").code == 6
    assert event.read_bytes() == before
    assert list(event.parent.iterdir()) == [event]


def test_standard_input_cannot_be_written(deckproof: Deckproof) -> None:
    ended = deckproof("event-file", "pair", "-", "--write", stdin=json.dumps(EVENT))
    assert (ended.code, ended.out) == (2, "")


def test_a_file_that_was_changed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(EVENT))
    stored = read(path)
    other = json.dumps(EVENT | {"rounds": EVENT["rounds"][:1]})
    path.write_text(other)
    with pytest.raises(EventFileChanged, match="changed by somebody else meanwhile"):
        save(stored, stored.event)
    assert path.read_text() == other


# the other command has the file, and puts another in its place before it lets it go
def test_who_waited_for_a_file_does_not_write_over_the_one_in_its_place(tmp_path: Path) -> None:
    path, new = tmp_path / "event.json", tmp_path / "new.json"
    for one in (path, new):
        one.write_text(json.dumps(EVENT))
    stored, ended = read(path), list[Exception]()

    def write() -> None:
        try:
            save(stored, stored.event)
        except EventFileChanged as error:
            ended.append(error)

    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        other = threading.Thread(target=write)
        other.start()
        other.join(0.2)
        assert other.is_alive()
        new.replace(path)
    other.join(10)
    assert len(ended) == 1


def test_a_write_protected_file_is_refused(deckproof: Deckproof, event: Path) -> None:
    before = event.read_bytes()
    event.chmod(0o444)
    ended = deckproof("event-file", "pair", event, "--write")
    assert (ended.code, ended.out) == (6, "")
    assert ended.err == f"refused: {event}: is write-protected\n"
    assert event.read_bytes() == before


def test_closed_standard_input_is_usage(deckproof: Deckproof, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking.sys, "stdin", None)
    with pytest.raises(typer.BadParameter, match="standard input is closed"):
        read(Path("-"))


def test_the_name_of_a_file_gives_a_terminal_no_orders(deckproof: Deckproof) -> None:
    err = deckproof("event-file", "check", "\x1b[31mno.json").err
    assert "\x1b" not in err
    assert r"\x1b[31mno.json" in err


def test_a_first_round_may_be_folded(deckproof: Deckproof) -> None:
    # seeds: ann bob | cat dan, and eve
    first = json.dumps(EVENT | {"rounds": []})
    folded = deckproof("event-file", "pair", "-", "--fold", "--json", stdin=first)
    assert folded.document["pairings"] == [
        {"table": 1, "players": ["ann", "cat"]},
        {"table": 2, "players": ["bob", "dan"]},
        {"bye": "eve"},
    ]
    assert deckproof("event-file", "pair", "-", "--fold", "--certificate", stdin=first).code == 2
    assert deckproof("event-file", "pair", "-", "--fold", stdin=json.dumps(EVENT)).code == 2


def test_the_certificate_has_the_draw_every_level_and_the_reasons(deckproof: Deckproof, event: Path) -> None:
    certificate = deckproof("event-file", "pair", event, "--certificate", "--json").document["certificate"]
    assert (certificate["round"], certificate["draw"], certificate["unproven"]) == (3, "seed", "")
    assert certificate["cost"]["left_out"] == 0
    assert [reason["players"] for reason in certificate["byes"]] == [["bob"]] or certificate["byes"]
    assert "bound" in certificate
    plain = deckproof("event-file", "pair", event, "--certificate").out
    assert "Certificate of round 3" in plain
    assert "has the bye: 5 players are an odd number" in plain


def test_a_round_of_the_past_is_paired_again_and_compared(deckproof: Deckproof, event: Path) -> None:
    path = event.with_name("drawn.json")
    assert deckproof("event-file", "simulate", "--players", 8, "--rounds", 3, "--seed", 1, "-o", path).code == 0
    assert deckproof("event-file", "pair", path, "--round", 2, "--json").document["as_in_file"]
    assert not deckproof("event-file", "pair", event, "--round", 2, "--json", "--certificate").document.get("written")
    assert deckproof("event-file", "pair", event, "--round", 2, "--write").code == 2
    assert deckproof("event-file", "pair", event, "--round", 4).code == 2


# --- standings


def test_standings_are_exact_fractions_under_stable_names(deckproof: Deckproof, event: Path) -> None:
    document = deckproof("event-file", "standings", event, "--json").document
    assert (document["preset"], document["after"], document["open_tables"]) == ("mtr-2026", 2, [])
    first = document["standings"][0]
    # ann beat bob (3 of 6) and cat (3 of 6), by four games to nothing
    assert first == {
        "place": 1,
        "player": "ann",
        "match_points": 6,
        "record": {"won": 2, "lost": 0, "drawn": 0, "byes": 0},
        "dropped": False,
        "tiebreaks": {"omw": "1/2", "gw": "1/1", "ogw": first["tiebreaks"]["ogw"]},
    }
    assert all(
        re.fullmatch(r"\d+/\d+", value) for line in document["standings"] for value in line["tiebreaks"].values()
    )


def test_standings_follow_a_preset_and_a_round(deckproof: Deckproof, event: Path) -> None:
    document = deckproof("event-file", "standings", event, "--preset", "buchholz", "--after", 1, "--json").document
    assert (document["preset"], document["after"]) == ("buchholz", 1)
    assert document["standings"][0]["tiebreaks"].keys() == {"median", "buchholz", "sb"}
    assert [line["match_points"] for line in document["standings"]] == [3, 3, 3, 0, 0]
    assert deckproof("event-file", "standings", event, "--after", 3).code == 2


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_its_table(deckproof: Deckproof, event: Path, preset: str) -> None:
    document = deckproof("event-file", "standings", event, "--preset", preset, "--json").document
    head = re.search(r"place.*", deckproof("event-file", "standings", event, "--preset", preset).out)
    assert head
    assert head[0].split()[4:] == list(document["standings"][0]["tiebreaks"])


def test_an_unknown_preset_names_the_known_ones(deckproof: Deckproof, event: Path) -> None:
    ended = deckproof("event-file", "standings", event, "--preset", "fifa")
    assert ended.code == 6
    assert "mtr-2026" in ended.err


def test_standings_for_people_show_points_record_and_decimals(deckproof: Deckproof, event: Path) -> None:
    out = deckproof("event-file", "standings", event).out
    assert re.search(r"1 +Ann +6 +2-0-0 +0\.5000 +1\.0000", out)


def test_open_tables_are_left_out_and_that_is_said(deckproof: Deckproof, in_play: Path) -> None:
    ended = deckproof("event-file", "standings", in_play)
    assert "during round 2" in ended.out
    assert ended.err == "2 open tables not counted.\n"


# one é is a letter, the other a letter with an accent after it; and a space more
def test_players_whose_names_look_alike_are_told_apart(deckproof: Deckproof) -> None:
    players = [{"id": "1", "name": "Ren\xe9  B"}, {"id": "2", "name": "Rene\u0301 B"}, {"id": "3", "name": "Ann"}]
    out = deckproof("event-file", "standings", "-", stdin=json.dumps(EVENT | {"players": players, "rounds": []})).out
    assert "(1)" in out
    assert "(2)" in out
    assert "(3)" not in out


def test_players_of_one_name_are_told_apart(deckproof: Deckproof) -> None:
    event = EVENT | {"players": [player | {"name": "Ann"} for player in EVENT["players"]]}
    assert "Ann (bob)" in deckproof("event-file", "standings", "-", stdin=json.dumps(event)).out


def test_who_has_dropped_by_then_is_marked(deckproof: Deckproof) -> None:
    left = [player | ({"dropped_after": 2} if player["id"] == "bob" else {}) for player in EVENT["players"]]
    event = json.dumps(EVENT | {"players": left})
    assert "Bob (dropped)" in deckproof("event-file", "standings", "-", stdin=event).out
    assert "dropped" not in deckproof("event-file", "standings", "-", "--after", 1, stdin=event).out


# --- cut


def test_a_cut_is_seeds_and_a_bracket(deckproof: Deckproof, event: Path) -> None:
    document = deckproof("event-file", "cut", event, "--top", 4, "--json").document
    assert document["form"] == "single elimination"
    assert [seed["seed"] for seed in document["seeds"]] == [1, 2, 3, 4]
    assert document["seeds"][0]["player"] == "ann"
    one, _, _, four = (seed["player"] for seed in document["seeds"])
    assert document["matches"][0] == {
        "match": "M1.1",
        "round": "semifinals",
        "first": {"player": one},
        "second": {"player": four},
    }
    assert document["matches"][-1]["second"] == {"winner_of": "M1.2"}
    assert "Semifinals" in deckproof("event-file", "cut", event, "--top", 4).out


def test_a_cut_may_be_double_or_have_a_third_place(deckproof: Deckproof, event: Path) -> None:
    double = deckproof("event-file", "cut", event, "--top", 4, "--double", "--json").document
    assert double["matches"][-1]["match"] == "GF2"
    third = deckproof("event-file", "cut", event, "--top", 4, "--third-place", "--json").document
    assert third["matches"][-1]["match"] == "3RD"
    assert deckproof("event-file", "cut", event, "--top", 4, "--third-place", "--double").code == 2


def test_a_tie_at_the_line_is_told_with_names(deckproof: Deckproof) -> None:
    event = json.dumps(EVENT | {"players": [{"id": "1", "name": "Ann"}, {"id": "2", "name": "Bob"}], "rounds": []})
    out = deckproof("event-file", "cut", "-", "--top", 2, stdin=event).out
    assert re.search(r"place 1 is shared by (Ann, Bob|Bob, Ann); the draw decides their seeds", out)


@pytest.mark.parametrize(("top", "code"), [(6, 6), (2, 0), (1, 2), (0, 2), ("x", 2)])
def test_a_cut_larger_than_the_field_is_refused(deckproof: Deckproof, event: Path, top: object, code: int) -> None:
    assert deckproof("event-file", "cut", event, "--top", top).code == code


def test_a_cut_waits_for_every_result(deckproof: Deckproof, in_play: Path) -> None:
    assert deckproof("event-file", "cut", in_play, "--top", 2).code == 6


# --- places


def test_places_are_those_of_the_cut_in_the_file_and_the_standings_below(
    deckproof: Deckproof, event: Path, tmp_path: Path
) -> None:
    before = deckproof("event-file", "places", event, "--json").document
    assert (before["finished"], before["matches"], before["places"][0]["first"]) == (False, [], 1)
    document = json.loads(event.read_text())
    seeds = [seed["player"] for seed in deckproof("event-file", "cut", event, "--top", 2, "--json").document["seeds"]]
    document["cut"] = {"seeds": seeds, "log": [{"match": "M1.1", "players": seeds, "games": [0, 2, 0]}]}
    played = tmp_path / "played.json"
    played.write_text(json.dumps(document))
    after = deckproof("event-file", "places", played, "--json").document
    assert after["finished"] is True
    assert [place["players"] for place in after["places"][:2]] == [[seeds[1]], [seeds[0]]]
    plain = deckproof("event-file", "places", played).out
    assert "M1.1" in plain
    assert plain.count("\n1 ") == 1


# --- faults


def test_rounds_without_a_fault_are_0(deckproof: Deckproof, event: Path) -> None:
    ended = deckproof("event-file", "faults", event, "--json")
    assert (ended.code, ended.document["faults"]) == (0, [])
    assert [judged["round"] for judged in ended.document["rounds"]] == [1, 2]


def test_a_round_without_anybody_is_judged_too(deckproof: Deckproof) -> None:
    empty = EVENT | {"players": [], "rounds": [{"number": 1, "tables": []}]}
    assert deckproof("event-file", "faults", "-", stdin=json.dumps(empty)).code == 0


def test_a_round_that_breaks_a_rule_is_3_with_the_place(deckproof: Deckproof) -> None:
    # ann and bob again, and cat and dan again, though both could meet others; eve a second bye
    again = json.loads(json.dumps(EVENT))
    again["rounds"][1]["tables"] = [
        {"table": 1, "players": ["ann", "bob"]},
        {"table": 2, "players": ["dan", "cat"]},
        {"bye": "eve"},
    ]
    ended = deckproof("event-file", "faults", "-", "--json", stdin=json.dumps(again))
    assert ended.code == 3
    assert [(fault["round"], fault["rule"], fault["place"]) for fault in ended.document["faults"]] == [
        (2, "no-rematch", "/rounds/1/tables/0"),
        (2, "no-rematch", "/rounds/1/tables/1"),
        (2, "no-second-bye", "/rounds/1/tables/2"),
    ]
    plain = deckproof("event-file", "faults", "-", stdin=json.dumps(again))
    assert plain.code == 3
    assert "round 2, table 1: Ann and Bob have met before" in plain.out


def test_a_simulated_event_is_drawn_from_start_to_end(deckproof: Deckproof, tmp_path: Path) -> None:
    path = tmp_path / "sim.json"
    deckproof("event-file", "simulate", "--players", 13, "--rounds", 5, "--seed", 8, "-o", path)
    ended = deckproof("event-file", "faults", path, "--json")
    assert ended.code == 0
    assert all(judged["as_drawn"] and judged["is_best"] for judged in ended.document["rounds"])


# --- repair: the event of the guide, where cat and not ann won in round 2 and round 3 is in play

CORRECTION = ("--round", 2, "--table", 1, "--games", "1-2")


def test_a_repair_shows_its_options_and_writes_nothing(deckproof: Deckproof, friday: Path) -> None:
    before = friday.read_bytes()
    document = deckproof("event-file", "repair", friday, *CORRECTION, "--json").document
    assert (document["round"], document["applied"], document["written"]) == (3, None, False)
    assert document["correction"] == {
        "round": 2,
        "table": 1,
        "before": {"games": [2, 0, 0], "ending": "played"},
        "now": {"games": [1, 2, 0], "ending": "played"},
    }
    assert [option["changes"] for option in document["options"]] == [0, 3]
    assert document["options"][0].keys() == {"option", "way", "changes", "cost", "removed", "added", "pairings"}
    assert len(document["options"][1]["removed"]) == len(document["options"][1]["added"]) == 3
    plain = deckproof("event-file", "repair", friday, *CORRECTION)
    assert "Round 2, table 1, Ann and Cat: 2-0, now 1-2" in plain.out
    assert "  - table 1: Ann and Fay" in plain.out
    assert friday.read_bytes() == before


def test_a_repair_is_written_with_its_correction(deckproof: Deckproof, friday: Path) -> None:
    before = json.loads(friday.read_text())
    words = ("event-file", "repair", friday, *CORRECTION, "--ending", "concession", "--apply", 2, "--write")
    document = deckproof(*words, "--json").document
    after = json.loads(friday.read_text())
    assert after["rounds"][1]["tables"][0] == {
        "table": 1,
        "players": ["ann", "cat"],
        "games": [1, 2, 0],
        "ending": "concession",
    }
    assert after["rounds"][2]["tables"] == document["options"][1]["pairings"]
    assert after["rounds"][1]["tables"][1:] == before["rounds"][1]["tables"][1:]
    assert {key: after[key] for key in ("event", "players")} == {key: before[key] for key in ("event", "players")}
    assert deckproof("event-file", "faults", friday).code == 0


def test_a_table_that_is_being_played_stands_and_the_file_says_so(deckproof: Deckproof, friday: Path) -> None:
    words = ("event-file", "repair", friday, "--drop", "eve", "--playing", 1)
    assert deckproof(*words, "--apply", 1, "--write").code == 0
    after = json.loads(friday.read_text())["rounds"][2]
    assert {"table": 1, "players": ["ann", "fay"]} in after["tables"]
    assert after["stood"] == [1]
    assert deckproof("event-file", "faults", friday).code == 0


def test_options_fit_a_narrow_terminal(deckproof: Deckproof, friday: Path) -> None:
    shown = deckproof("event-file", "repair", friday, *CORRECTION).out.splitlines()
    assert "Option 1: leave it" in shown
    assert max(len(line.rstrip()) for line in shown) <= 80


def test_a_result_is_reported_whatever_else_could_be_changed(deckproof: Deckproof, friday: Path) -> None:
    before = json.loads(friday.read_text())
    words = ("--round", 3, "--table", 2, "--games", "2-0", "--apply", 1, "--write")
    assert deckproof("event-file", "repair", friday, *words).code == 0
    after = json.loads(friday.read_text())
    before["rounds"][2]["tables"][1]["games"] = [2, 0, 0]
    assert after == before


def test_a_name_in_the_place_of_an_id_is_told(deckproof: Deckproof, friday: Path) -> None:
    assert "the id is wanted, not the name" in deckproof("event-file", "repair", friday, "--drop", "Eve").err
    err = deckproof("event-file", "repair", friday, "--drop", "eve", "--playing", 9).err
    assert '"dropped_after": 3' in err


def test_a_choice_is_not_made_for_anybody(deckproof: Deckproof, friday: Path) -> None:
    before = friday.read_bytes()
    assert deckproof("event-file", "repair", friday, *CORRECTION, "--write").code == 2
    assert deckproof("event-file", "repair", friday, *CORRECTION, "--apply", 9, "--write").code == 2
    assert friday.read_bytes() == before


def test_a_late_player_is_seated_in_the_round_that_is_paired(deckproof: Deckproof, friday: Path) -> None:
    # gus has the bye, so that the newcomer can sit down with him
    document = json.loads(friday.read_text())
    document["players"].append({"id": "hal", "name": "Hal", "entered_in": 3})
    friday.write_text(json.dumps(document))
    options = deckproof("event-file", "repair", friday, "--json").document["options"]
    assert any(seat.get("players") in (["gus", "hal"], ["hal", "gus"]) for seat in options[0]["added"])
    assert deckproof("event-file", "repair", friday, "--apply", 1, "--write").code == 0
    assert deckproof("event-file", "faults", friday).code == 0


def test_a_correction_of_the_last_round_changes_nothing_else(deckproof: Deckproof, event: Path) -> None:
    ended = deckproof(
        "event-file", "repair", event, "--round", 2, "--table", 1, "--games", "1-1-1", "--write", "--json"
    )
    assert (ended.code, ended.document["applied"], ended.document["written"]) == (0, 1, True)
    after = json.loads(event.read_text())
    assert after["rounds"][1]["tables"][0]["games"] == [1, 1, 1]
    after["rounds"][1]["tables"][0]["games"] = [2, 0, 0]
    assert after == EVENT


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--round", 1, "--table", 1), 2),
        (("--round", 1, "--table", 1, "--games", "2"), 2),
        (("--round", 1, "--table", 1, "--games", "2-0-0-0"), 2),
        (("--round", 1, "--table", 1, "--games", "-1-0"), 2),
        (("--round", 1, "--table", 1, "--games", "2-0", "--ending", "rain"), 2),
        (("--round", 1, "--table", 1, "--games", "1-1", "--ending", "concession"), 2),
        (("--round", 1, "--table", 1, "--games", "2-1", "--ending", "no-show"), 2),
        (("--round", 1, "--table", 1, "--games", "2-0", "--ending", "intentional draw"), 2),
        (("--round", 9, "--table", 1, "--games", "2-0"), 2),
        (("--round", 1, "--table", 9, "--games", "2-0"), 6),
        (("--drop", "zed"), 6),
        (("--drop", "bob", "--playing", 2), 6),
        (("--playing", 9), 6),
    ],
)
def test_a_correction_that_cannot_be_is_refused(
    deckproof: Deckproof, in_play: Path, words: tuple[object, ...], code: int
) -> None:
    before = in_play.read_bytes()
    assert deckproof("event-file", "repair", in_play, *words, "--write").code == code
    assert in_play.read_bytes() == before


def test_somebody_who_left_before_the_round_is_taken_out_of_it(deckproof: Deckproof, in_play: Path) -> None:
    ended = deckproof("event-file", "repair", in_play, "--drop", "bob", "--apply", 1, "--write", "--json")
    assert ended.code == 0
    after = json.loads(in_play.read_text())
    assert after["players"][1] == {"id": "bob", "name": "Bob", "dropped_after": 1}
    assert "bob" not in json.dumps(after["rounds"][1])
    assert deckproof("event-file", "faults", in_play).code == 0


def test_before_the_first_round_there_is_nothing_to_repair(deckproof: Deckproof) -> None:
    assert deckproof("event-file", "repair", "-", stdin=json.dumps(EVENT | {"rounds": []})).code == 6


# --- round robin


def test_a_round_robin_is_proposed_whole(deckproof: Deckproof, tmp_path: Path) -> None:
    path = tmp_path / "robin.json"
    players = [
        *EVENT["players"],
        {"id": "fay", "name": "Fay", "table": 9},
        {"id": "gus", "name": "Gus", "entered_in": 2},
    ]
    path.write_text(json.dumps(EVENT | {"rounds": [], "players": players}))
    plain = deckproof("event-file", "round-robin", path)
    assert (plain.code, plain.err) == (0, "Nothing is written; --write does that.\n")
    document = deckproof("event-file", "round-robin", path, "--write", "--json").document
    assert [planned["round"] for planned in document["rounds"]] == [1, 2, 3, 4, 5]
    tables = [seat for planned in document["rounds"] for seat in planned["pairings"]]
    assert len({frozenset(seat["players"]) for seat in tables}) == len(tables) == 15
    assert all((seat["table"] == 9) is ("fay" in seat["players"]) for seat in tables)
    assert [planned["tables"] for planned in json.loads(path.read_text())["rounds"]] == [
        planned["pairings"] for planned in document["rounds"]
    ]
    assert deckproof("event-file", "round-robin", path).code == 2


def test_a_round_robin_that_nobody_plays_to_the_end_is_refused(deckproof: Deckproof) -> None:
    crowd = [{"id": str(number), "name": str(number)} for number in range(201)]
    assert (
        deckproof("event-file", "round-robin", "-", stdin=json.dumps(EVENT | {"rounds": [], "players": crowd})).code
        == 2
    )


def test_a_round_robin_of_nobody_is_refused(deckproof: Deckproof) -> None:
    assert (
        deckproof("event-file", "round-robin", "-", stdin=json.dumps(EVENT | {"rounds": [], "players": []})).code == 6
    )


# --- convert


@pytest.mark.parametrize("to", ["tdf", "nrtm", "trf", "csv", "json"])
def test_an_event_goes_to_other_programs_and_comes_back(deckproof: Deckproof, event: Path, to: str) -> None:
    there = deckproof("event-file", "convert", event, "--to", to, "--output", f"there.{to}", "--json").document
    assert (there["from"], there["to"], there["file"]) == ("json", to, f"there.{to}")
    assert bool(there["lost"]) is (to != "json")
    back = deckproof("event-file", "convert", f"there.{to}", "--to", "json", "--draw", "seed", "--json").document
    assert back["from"] == to
    again = json.loads(back["text"])
    assert [len(played["tables"]) for played in again["rounds"]] == [3, 3]
    assert len(again["players"]) == 5
    assert deckproof("event-file", "faults", "-", stdin=back["text"]).code == 0


def test_what_is_lost_is_said_beside_the_file(deckproof: Deckproof, event: Path) -> None:
    ended = deckproof("event-file", "convert", event, "--to", "csv")
    assert ended.out.startswith("stage,round,table,")
    assert ended.err.startswith("lost: the game, the draw and the preset are not written\n")


def test_between_two_other_programs_the_cut_is_kept(deckproof: Deckproof) -> None:
    night = (Path(__file__).parents[1] / "tournament" / "interchange" / "samples" / "night.csv").read_bytes()
    ended = deckproof("event-file", "convert", "-", "--to", "tdf", stdin=night)
    assert ended.code == 0
    assert 'type="1"' in ended.out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--to", "pdf"), 2),
        (("--to", "csv", "--from", "pdf"), 2),
        (("--to", "csv", "--output", "event.json"), 2),
        (("--to", "csv", "--from", "tdf"), 4),
        (("--to", "json", "--from", "nrtm", "--draw", "x"), 4),
        (("--to", "json", "--from", "nrtm"), 2),
    ],
)
def test_a_conversion_that_cannot_be_is_refused(
    deckproof: Deckproof, event: Path, words: tuple[object, ...], code: int
) -> None:
    before = event.read_bytes()
    assert deckproof("event-file", "convert", event, *words).code == code
    assert event.read_bytes() == before


# --- forecast and simulate


def test_a_forecast_says_what_is_certain(deckproof: Deckproof) -> None:
    document = deckproof("event-file", "forecast", "--players", 4, "--rounds", 4, "--json").document
    # after three rounds everybody has met everybody
    assert (document["free_of_rematches_to"], document["rematch_certain_from"]) == (3, 4)
    assert document["recommended"] == {"rounds": 0, "cut": 4}
    assert "a rematch is certain in round 4" in deckproof("event-file", "forecast", "--players", 4, "--rounds", 4).out
    assert "No rematch" in deckproof("event-file", "forecast", "--players", 64, "--rounds", 6).out


def test_a_simulation_is_the_same_for_the_same_seed(deckproof: Deckproof) -> None:
    words = ("event-file", "simulate", "--players", 7, "--rounds", 3, "--seed")
    one, again, other = (deckproof(*words, seed) for seed in (5, 5, 6))
    assert one.out == again.out != other.out
    assert deckproof("event-file", "check", "-", stdin=one.out).code == 0
    assert len(json.loads(one.out)["rounds"]) == 3


def test_a_simulation_replaces_a_file_only_by_force(deckproof: Deckproof, event: Path) -> None:
    words = ("event-file", "simulate", "--players", 7, "--rounds", 3, "--seed", 5, "-o", event)
    assert deckproof(*words).code == 2
    assert json.loads(event.read_text()) == EVENT
    assert deckproof(*words, "--force", "--json").document == {
        "players": 7,
        "rounds": 3,
        "seed": 5,
        "file": str(event),
    }


@pytest.mark.parametrize("words", [("forecast",), ("simulate", "--seed", "1")])
@pytest.mark.parametrize(("players", "rounds"), [(0, 3), (3, 0), (-1, 3), (10**9, 3), (3, 10**9)])
def test_sizes_that_no_event_has_are_usage(
    deckproof: Deckproof, words: tuple[str, ...], players: int, rounds: int
) -> None:
    assert deckproof("event-file", *words, "--players", players, "--rounds", rounds).code == 2


def test_the_schema_is_printed(deckproof: Deckproof) -> None:
    shipped = (files("tournament.event_file") / "event-file.schema.json").read_text(encoding="utf-8")
    assert deckproof("event-file", "schema").document == json.loads(shipped)


# --- the guide

CONSOLE = re.compile(r"```console\n(.*?)\n```", re.DOTALL)
REMAKE = "REMAKE_GUIDE"
"""With this set in the environment, the outputs in the guide are written anew; review the difference."""


def shown(ended: Ended) -> str:
    """What a terminal shows, without spaces at the ends of lines and empty lines around it."""
    return "\n".join(line.rstrip() for line in (ended.out + ended.err).split("\n")).strip("\n")


def test_the_guide_shows_what_the_commands_print(deckproof: Deckproof, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    def typed(command: str) -> Ended:
        words, _, source = command.partition(" < ")
        stdin = (tmp_path / source).read_bytes() if source else b""
        return deckproof(*shlex.split(words)[2:], stdin=stdin)

    def run(block: re.Match[str]) -> str:
        commands = [line for line in block[1].split("\n") if line.startswith("$ ")]
        outputs = [shown(typed(command)) for command in commands]
        told = "\n".join(line for pair in zip(commands, outputs, strict=True) for line in pair if line)
        return f"```console\n{told}\n```"

    told = CONSOLE.sub(run, GUIDE)
    if os.environ.get(REMAKE):
        GUIDE_FILE.write_text(told, encoding="utf-8")
    assert told == GUIDE


def test_the_guide_s_python_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "friday.json").write_text(FILES["friday.json"], encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    exec(code, {})  # noqa: S102 - our own guide
    assert capsys.readouterr().out.split() == re.findall(r"print\(.*\)  # (\w+)", code)


def test_the_guide_names_every_field_rule_and_command(deckproof: Deckproof) -> None:
    schema = deckproof("event-file", "schema").document
    objects = [schema, *schema["$defs"].values()]
    fields = {field for described in objects for field in described.get("properties", {})}
    prose = re.sub(r"```.*?```", "", GUIDE, flags=re.DOTALL)
    words = {word for quoted in re.findall(r"`([^`]+)`", prose) for word in re.split(r"[^\w-]+", quoted)}
    assert fields | set(map(str, FileRule)) <= words
    commands = re.findall(r"^  ([a-z-]+) ", deckproof("event-file", "--help").out.split("Commands:")[1], re.MULTILINE)
    assert len(commands) == 21
    assert all(f"| `{command}" in GUIDE for command in commands)
