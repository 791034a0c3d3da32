"""What desk, scorekeeper and judge do from the terminal, one thing at a time; a whole day is in `test_a_day.py`."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cli.slips import shorthand, spelled_out
from cli.times import time_left
from tests.cli.terminal import typed_at_a_terminal
from tests.cli.world import Deckproof, bare, started, url_of
from tests.tournament.server import Server

# --- several at once


def test_of_several_what_is_refused_is_told_and_the_others_are_done(ann: Deckproof, event: str) -> None:
    ended = ann("entry", "drop", "2", "99", "3", "2", "--json")
    assert ended.code == 6
    assert [one["fact"]["entry"] for one in ended.document["receipts"]] == [2, 3]
    assert [(one["at"], one["type"].rpartition("/")[2]) for one in ended.document["refused"]] == [
        ("99", "entry-not-found"),
        ("2", "not-playing"),
    ]
    mistyped = ann("entry", "return", "2", "three")
    assert (mistyped.code, mistyped.out.count("is back")) == (2, 1)


def test_each_of_several_looks_at_what_the_one_before_made(ann: Deckproof, event: str) -> None:
    version = ann("event", "show", "--json").document["version"]
    assert ann("entry", "drop", "2", "3", "--if-version", version).code == 0
    stale = ann("entry", "return", "2", "3", "--if-version", version)
    assert (stale.code, stale.err.count("you acted on version")) == (6, 2)


# --- rosters


def test_a_roster_is_looked_at_and_nobody_is_entered(ann: Deckproof, event: str, tmp_path: Path) -> None:
    Path("fine.csv").write_text("name,awarded_byes\nFay,1\nGus,\n")
    Path("wrong.csv").write_text("name,awarded_byes\nANN,\nHal,9\n")
    assert ann("entry", "import", "fine.csv", "--preview").out.endswith("2 players can be entered\n")
    seen = ann("entry", "import", "wrong.csv", "--preview")
    assert seen.code == 4
    assert "line 2, name: 'ANN' is number 1 already" in seen.out
    assert "line 3, awarded_byes" in seen.out
    assert seen.out.endswith("nobody can be entered: 2 faults\n")
    assert len(ann("entry", "list", "--json").document["entries"]) == 5
    assert ann("entry", "import", "wrong.csv").code == 4


def test_a_roster_as_any_spreadsheet_saves_it_is_entered_and_one_that_is_none_is_named(
    ann: Deckproof, event: str, tmp_path: Path
) -> None:
    Path("unicode.txt").write_text("name\tawarded_byes\nFäy\t1\n", encoding="utf-16")
    Path("book.xlsx").write_bytes(b"PK\x03\x04" + bytes(60))
    assert ann("entry", "import", "unicode.txt").out.startswith("1 player entered, from number 6 to 6")
    refused = ann("entry", "import", "book.xlsx")
    assert refused.code == 4
    assert (
        "is a workbook of a spreadsheet, or an archive, not text; save it from the program as CSV UTF-8" in refused.err
    )
    assert ann("entry", "export", "-o", "roster.csv").out == "Written to roster.csv.\n"
    assert Path("roster.csv").read_bytes().startswith(b"\xef\xbb\xbfnumber,name,")
    assert "6,Fäy," in ann("entry", "export").out


def test_a_roster_that_is_sent_twice_under_one_id_is_entered_once(ann: Deckproof, event: str, tmp_path: Path) -> None:
    Path("one.csv").write_text("name\nFay\n")
    for _ in range(2):
        assert ann("entry", "import", "one.csv", "--command-id", f"roster-{event}").code == 0
    assert len(ann("entry", "list", "--json").document["entries"]) == 6


# --- codes, and players who sign in with them


def test_a_player_signs_in_by_the_code_on_paper(
    ann: Deckproof, event: str, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    slips = ann("entry", "codes", "--slips").out
    assert f"number 2: Bob\ncode {ann('entry', 'code', '2', '--json').document['code']}\n" in slips
    old, new = (ann("entry", "code", 2, *more, "--json").document["code"] for more in ((), ("--renew",)))
    assert old != new
    monkeypatch.delenv("DECKPROOF_TOKEN")
    words = ("login", "--server", url_of(server), "--event", event, "--entry", 2, "--code")
    assert ann(*words, old).code == 6
    assert (
        ann(*words, new.lower().replace("-", " ")).out
        == f"signed in at {url_of(server)} as number 2 of event {event}\n"
    )
    assert ann("player", "entry").out.startswith("Bob, number 2\n")
    assert ann("entry", "drop", 3).code == 6
    assert ann("entry", "drop", 2).code == 0
    assert ann("login", "--entry", 2, "--account", "ann").code == 2


# --- slips


@pytest.mark.parametrize(
    ("slip", "best_of", "said"),
    [
        ("12 1", 3, "12 2-0"),
        ("12 2", 3, "12 2-1"),
        ("12 3", 3, "12 1-2"),
        ("12 4", 3, "12 0-2"),
        ("12 0", 3, "12 draw"),
        ("12 5", 3, "12 5"),
        ("12 2", 1, "12 0-1"),
        ("12 3", 5, "12 3-2"),
        ("12 21", 3, "12 2-1"),
        ("12 111", 3, "12 1-1-1"),
        ("12 2-0 no-show", 3, "12 2-0 no-show"),
    ],
)
def test_a_digit_is_a_result_by_the_length_of_the_match(slip: str, best_of: int, said: str) -> None:
    assert " ".join(spelled_out(slip.split(), best_of)) == said
    assert len(shorthand(best_of)) == best_of + 2


def test_slips_are_typed_one_after_the_other_at_a_terminal(ann: Deckproof, event: str) -> None:
    started(ann)
    shown = typed_at_a_terminal([("event", "report")], lines=["1 1", "1 2-1", "1 2-1 !", "two", "9 2-0", "", "2 0"])
    said = [line for line in shown.splitlines() if line and not line.startswith("round 1, ")]
    assert said[0] == "Round 1: 2 tables to go."
    assert re.fullmatch(r"table 1: .* 2-0 .*; 1 table to go", said[4])
    assert said[5].startswith("refused: round 1, table 1 is reported as 2-0-0 (played)")
    assert said[5].endswith("if the slip is right, type it with ! at its end")
    assert re.fullmatch(r"table 1: .* 2-1 .*; 1 table to go", said[6])
    assert said[7:9] == ["'two' is no slip; ? and Enter show how one is written", "refused: round 1 has no table 9"]
    assert re.fullmatch(r" +2 +.* \(\d\) - .* \(\d\)", said[9])
    assert said[-1].endswith("every table has reported: `event start` goes on")
    seats = ann("round", "show", "--json").document["seats"]
    assert [seat["result"]["ending"] for seat in seats if seat["table"]] == ["played", "intentional draw"]


def test_after_a_stack_of_slips_the_missing_tables_are_told(ann: Deckproof, event: str) -> None:
    started(ann)
    assert ann("event", "report", stdin="1 2-1\n").out.endswith("round 1, tables that have not reported: 2\n")
    ended = ann("event", "report", stdin="1 2-0\n2 2-1\n")
    assert (ended.code, ended.out.endswith("round 1: every table has reported\n")) == (6, True)


# --- the clock


RUNNING = {"length_s": 3000, "started_at": "x", "ends_at": "2026-01-31T10:00:00.000000Z", "left_s": None}


@pytest.mark.parametrize(
    ("clock", "extra", "said"),
    [
        (None, 0, "no clock"),
        (RUNNING, 0, "4:59 left, until 10:00:00 UTC"),
        (RUNNING, 5, "9:59 left, until 10:05:00 UTC"),
        (RUNNING | {"ends_at": "2026-01-31T09:54:00.000000Z"}, 0, "time was called 1:01 ago, until 09:54:00 UTC"),
        (RUNNING | {"ends_at": None, "left_s": 61}, 1, "the clock stands still, 2:01 left"),
        (RUNNING | {"started_at": None}, 0, "the clock waits; it will run for 50:00"),
    ],
)
def test_a_clock_is_read(clock: object, extra: int, said: str) -> None:
    assert time_left(clock, datetime(2026, 1, 31, 9, 55, 1, tzinfo=UTC), extra) == said


def test_a_clock_waits_is_started_and_put_right(ann: Deckproof, event: str) -> None:
    ann("event", "close")
    assert ann("event", "start", "--minutes", "40", "--clock-waits").code == 0
    assert ann("clock", "show").out == "round 1: the clock waits; it will run for 40:00\n"
    assert ann("clock", "start").out.startswith("the clock of round 1 runs for 40:00")
    assert ann("clock", "adjust", "--less", "2:30").out.startswith("round 1 lasts 37:30")
    assert ann("clock", "extend", 2, 5).code == 2
    assert ann("clock", "extend", 2, 5, "--reason", "deck check").out.startswith("table 2 has 5 extra minutes")
    assert ann("clock", "extend", 2, 2, "--less", "--reason", "typed").out.startswith("table 2 has 3 extra minutes")
    for wrong in (("--more", "2", "--less", "2"), (), ("--more", "2:75"), ("--less", "x")):
        assert ann("clock", "adjust", *wrong).code == 2


# --- tables by hand, and ways to go on


def test_tables_change_by_hand_and_the_reason_is_public(ann: Deckproof, event: str) -> None:
    ann("event", "close")
    assert ann("event", "pair").code == 0
    one, two = (seat for seat in ann("round", "show", 1, "--json").document["seats"] if seat["table"])
    assert ann("round", "swap", one["first"], two["first"]).code == 2
    assert ann("round", "swap", one["first"], "--reason", "odd").code == 2
    swapped = ann("round", "swap", one["first"], two["first"], "--reason", "a stream")
    assert swapped.out.endswith("2 seats of round 1 changed (version 11)\n")
    assert ann("round", "move", 1, 7, "--reason", "near the door").code == 0
    tables = [seat["table"] for seat in ann("round", "show", 1, "--json").document["seats"] if seat["table"]]
    assert sorted(tables) == [2, 7]
    changes = ann("round", "changes").out
    assert ("by hand: a stream" in changes, "by hand: near the door" in changes) == (True, True)
    bye = next(seat["first"] for seat in ann("round", "show", 1, "--json").document["seats"] if seat["bye"])
    ann("event", "publish-round")
    ann("event", "report", "2", "2-0", "7", "2-0")
    ann("event", "pair")
    again = next(seat for seat in ann("round", "show", 2, "--json").document["seats"] if seat["bye"])
    worse = ann("round", "swap", again["first"], bye, "--reason", "nobody wants it")
    assert (worse.code, "that is --even-so here" in worse.err) == (6, True)


def test_a_mistake_is_mended_in_the_way_that_somebody_chose(ann: Deckproof, event: str) -> None:
    started(ann)
    ann("event", "report", "1", "2-0", "2", "2-0")
    ann("event", "start")
    right = ("--correct", "1 0-2", "--round", 1)
    ways = ann("round", "ways", *right)
    assert "1. leave it (option " in ways.out
    options = [way["option"] for way in ann("round", "ways", *right, "--json").document["options"]]
    assert ann("round", "mend", *right).code == 2  # nobody to ask
    assert ann("round", "mend", "zzzz", *right).code == 6
    assert ann("round", "ways", *right, "--leaves", 3).code == 2
    assert ann("round", "ways", "--correct", "M1.1 2-0").code == 2
    shown = typed_at_a_terminal([("round", "mend", *map(str, right), "--reason", "upside down")], lines=["1"])
    assert "1. leave it" in shown
    assert "Which way, 1 to" in shown
    assert shown.endswith("mended: leave it (version 16)\n")
    again = ("round", "mend", options[0][:8], *right, "--reason", "upside down")
    assert ann(*again).out == "mended: leave it (version 16)\n"  # the same is done once
    assert ann("round", "show", 1, "--json").document["seats"][0]["result"]["second"] == 2


# --- judges


def test_a_penalty_that_is_given_and_cannot_be_applied_is_told_as_given(ann: Deckproof, event: str) -> None:
    started(ann)
    seat = next(seat for seat in ann("round", "show", "--json").document["seats"] if seat["table"] == 1)
    given = ann("penalty", "give", seat["first"], "tardiness", "--apply")
    assert given.code == 6
    assert f" ({seat['first']}), Tardiness, no. 1 (version" in given.out
    assert "still plays" in ann("penalty", "effect", 1).out
    ann("event", "report", "1", "2-0")
    assert ann("penalty", "apply", 1).out.startswith("round 1, table 1: 2-1 instead of 2-0")
    milder = ("penalty", "edit", 1, "--level", "warning", "--reason", "milder")
    assert ann(*milder).code == 6
    assert ann("penalty", "take-back", 1).out.startswith("what penalty 1 did is undone")
    assert ann(*milder).out.startswith("penalty 1: warning, Tardiness")
    assert ann("penalty", "edit", 1, "--level", "death", "--reason", "x").code == 2
    assert ann("penalty", "give", seat["first"], "a loud phone").code == 2  # no penalty is usual
    assert ann("penalty", "give", seat["first"], "a loud phone", "warning").code == 0
    assert [one["infraction"] for one in ann("penalty", "list", "--json").document["penalties"]] == [
        "Tardiness",
        "a loud phone",
    ]
    assert ann("penalty", "list", "--player", seat["second"]).out == "0 penalties\n"
    assert "usually a warning" in ann("penalty", "advice", seat["first"], "slow-play").out
    assert bare(ann("penalty", "infractions").out)[1].startswith("extra-cards")


def test_deck_checks_and_notes_are_kept(ann: Deckproof, event: str) -> None:
    started(ann)
    assert ann("deck-check", "choose", 1).code == 2
    assert ann("deck-check", "choose", 1, "--reason", "a marked sleeve").out.startswith("deck check 1: table 1")
    ann("deck-check", "start", 1)
    assert ann("deck-check", "finish", 1, "--problem", "x", "--text", "y").code == 2
    assert ann("deck-check", "finish", 1, "--problem", "39 cards").out.startswith("deck check 1: problem")
    assert ann("deck-check", "amend", 1, "--text", "they were 40", "--reason", "counted again").code == 0
    assert bare(ann("deck-check", "list").out)[1] == "1 1 1 a marked sleeve fine they were 40"
    ann("deck-check", "draw", 1)
    assert ann("deck-check", "call-off", 2, "--reason", "no time").out.startswith("deck check 2 is called off")
    assert ann("note", "write", "asked twice", "--player", 3).out.startswith("note 1 is written")
    assert ann("note", "amend", 1, "asked three times", "--revision", 1, "--reason", "again").code == 0
    assert ann("note", "amend", 1, "asked four times", "--revision", 1).code == 6
    assert "asked three times" in ann("note", "list", "--player", 3).out
    assert ann("note", "list", "--player", 4, "--json").document == {"notes": []}


def test_claims_that_stand_alone_are_accepted_by_staff(
    ann: Deckproof, event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started(ann)
    assert ann("claim", "accept", "--all").code == 2
    for seat in ann("round", "show", "--json").document["seats"]:
        if seat["table"]:
            token = ann("entry", "code", seat["second"], "--json").document["token"]
            monkeypatch.setenv("DECKPROOF_TOKEN", token)
            assert ann("claim", "make", "2-1").out.startswith("your opponent has to confirm it")
            monkeypatch.setenv("DECKPROOF_TOKEN", "dp_ann")
    first, second = (one["claims"][0]["claim"] for one in ann("claim", "list", "--json").document["tables"])
    assert ann("claim", "accept", first, "--all").code == 2
    assert ann("claim", "accept", first).out.startswith("table 1: 1-2\n1 table accepted")
    both = ann("claim", "accept", first, second).out
    assert both.startswith(f"table 2: 1-2\nclaim {first} is left alone: ")
    assert ann("claim", "list").out == "0 tables with claims and no result\n"
    assert ann("judging", "set", "--no-player-reports").out.startswith("players do not report")


# --- announcing again, series, webhooks, staff


def test_an_event_is_announced_again_and_put_away(ann: Deckproof, event: str) -> None:
    assert ann("event", "templates", "cps-evening").code == 0
    assert ann("event", "templates", "none").code == 2
    again = ann("event", "clone", "--name", "Next week", "--json").document
    assert (again["event"] != event, again["fact"]["name"]) == (True, "Next week")
    assert ann("event", "code").code == 0
    ann("event", "edit", "--set", "capacity=64")
    assert bare(ann("event", "edits").out)[-1] == "9 ann capacity - 64"
    assert ann("event", "unpublish").code == 6
    ann("event", "void", "--yes", "--reason", "the hall is flooded")
    assert ann("event", "archive").code == 0
    assert event not in [one["id"] for one in ann("event", "list", "--json").document["events"]]


def test_a_series_counts_its_events(ann: Deckproof, event: str) -> None:
    made = ann(
        "series", "create", "League", "--set", 'points={"by_place": [10, 7, 5], "per_match_point": "1/2"}', "--json"
    )
    series = made.document["event"]
    assert ann("series", "put", series, event, "--times", "3/2").out.startswith(f"event {event} counts 3/2 times")
    started(ann)
    ann("event", "report", "1", "2-0", "2", "2-0")
    ann("event", "close-round")
    ann("event", "finish")
    lines = ann("series", "standings", series, "--json").document["standings"]
    assert bare(ann("series", "standings", series).out)[2].split()[-4:] == [lines[0]["points"], "1", "of", "1"]
    assert ann("series", "people", series, "one-person", f"{event}:1", f"{event}:2").code == 6
    assert ann("series", "people", series, "one-person", "x").code == 2
    for words in (("publish",), ("archive",), ("unarchive",)):
        assert ann("series", *words, series).code == 0
    assert ann("series", "grant", series, "bea").code == 0
    assert ann("series", "organizers", series).out == "ann\nbea\n"
    assert ann("series", "revoke", series, "bea").code == 0
    assert ann("series", "edit", series).code == 2
    assert ann("series", "edit", series, "--name", "The league").code == 0
    assert "The league" in ann("series", "show", series).out
    assert ann("series", "log", series, "--check").out == "the log holds, as the server says\n"
    assert len(ann("series", "log", series, "--json").document["receipts"]) == 8
    assert series in [one["id"] for one in ann("series", "list", "--json").document["series"]]
    assert ann("series", "take", series, event).code == 0


def test_a_webhook_is_added_tried_and_removed(ann: Deckproof, event: str) -> None:
    added = ann("webhook", "add", "http://127.0.0.1:9/hook", "result", "round.published")
    assert re.search(r"webhook 1 is added; .*\nwhsec_\S+\n$", added.out)
    rotated = ann("webhook", "rotate", 1, "--json").document
    assert rotated["secret"] not in added.out
    assert ann("webhook", "ping", 1).out.endswith(" (ping): waiting\n")
    (delivery,) = ann("webhook", "deliveries", 1, "--json").document["deliveries"]
    assert ann("webhook", "redeliver", 1, delivery["id"]).code == 0
    assert bare(ann("webhook", "list").out)[1].startswith("1 http://127.0.0.1:9/hook round.published, result")
    assert ann("webhook", "deliveries", 1, "--state", "delivered", "--json").document == {"deliveries": []}
    assert ann("webhook", "resume", 1).code == 0
    assert ann("webhook", "remove", 1).code == 0
    assert ann("webhook", "ping", 1).code == 6


def test_staff_are_invited_join_and_leave(ann: Deckproof, event: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = ann("staff", "invite", "judge", "--uses", 2, "--json").document["invitation"]
    monkeypatch.setenv("DECKPROOF_TOKEN", "dp_bea")
    assert ann("staff", "accept", 1, "0000-0000-0000").code == 6
    assert ann("staff", "accept", 1, made["code"]).out.startswith("bea is judge")
    monkeypatch.delenv("DECKPROOF_TOKEN")
    joined = ann(
        "staff", "join", 1, made["code"], "--account", "cem", "--password-stdin", stdin="a long enough password\n"
    )
    assert joined.out.startswith("cem is judge")
    monkeypatch.setenv("DECKPROOF_TOKEN", "dp_bea")
    assert ann("staff", "leave", "judge").out.startswith("you are no judge any more")
    monkeypatch.setenv("DECKPROOF_TOKEN", "dp_ann")
    assert "2 of 2" in ann("staff", "invitations").out
    assert ann("staff", "withdraw", 1).code == 0


# --- narrow terminals


def test_every_table_fits_a_terminal_of_80_columns(ann: Deckproof, event: str) -> None:
    ann("entry", "add", "Somebody With A Name That Is As Long As Names Of People Are Who Have Several", "--table", 12)
    started(ann)
    ann("penalty", "give", 1, "slow-play")
    ann("deck-check", "choose", 1, "--reason", "a sleeve that can be told from all the others by everybody who looks")
    ann(
        "note",
        "write",
        "a long note that goes on and on, as notes of judges do who want to be understood",
        "--player",
        3,
    )
    ann("call", "make", 1, "--topic", "whether this is a rules question or not, they cannot agree")
    shown = typed_at_a_terminal(
        [
            *(("log", "show"), ("event", "show"), ("event", "templates"), ("event", "standings"), ("event", "edits")),
            *(("entry", "list"), ("entry", "codes"), ("decklist", "missing"), ("round", "show"), ("round", "missing")),
            *(("penalty", "infractions"), ("penalty", "list"), ("judging", "show"), ("note", "list"), ("call", "list")),
            *(("deck-check", "list"), ("staff", "list"), ("settings",), ("cards", "list", "--type", "Burner")),
        ]
    )
    assert "Somebody With A Name" in shown
    assert [line for line in shown.splitlines() if len(line) > 80 and not line.startswith(("may be ", "  no: "))] == []
    assert re.search(r"^ {7}\d{4}-\d\d-\d\d ", shown, re.MULTILINE)
    assert re.search(r"^ {3}1 {3}\d\d:\d\d +ann {3}event\.create ", shown, re.MULTILINE)
