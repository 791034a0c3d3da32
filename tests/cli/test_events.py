"""An event from the terminal, with a real server: `deckproof event`, `entry`, `round`, `staff`, `login`."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from cli.reports import Report, reports_from
from cli.round_changes import _meant
from tests.cli.flaky import BUSY, CUT, ELSEWHERE, LATER, LOST, NONSENSE, PAGE, Line, line_to
from tests.cli.world import Deckproof, bare, started, url_of
from tests.tournament.server import Server

PASSWORD = "correct horse battery staple"


@pytest.fixture
def line(event: str, server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    """The event's server at the end of a bad line."""
    monkeypatch.setenv("DECKPROOF_EVENT", event)
    monkeypatch.setenv("DECKPROOF_DEADLINE", "2")
    monkeypatch.setenv("DECKPROOF_TIMEOUT", "1")
    with line_to(url_of(server)) as line:
        monkeypatch.setenv("DECKPROOF_SERVER", line.url)
        yield line


# --- a whole event


def test_an_event_from_the_announcement_to_the_final_standings(ann: Deckproof, event: str, tmp_path: Path) -> None:
    assert ann("event", "use").out == f"commands are about event {event}, Spring Open\n"
    assert ann("event", "edit", "--rounds", "2", "--set", "capacity=64").out.startswith("changed: rounds, capacity")
    assert ann("staff", "grant", "bea", "scorekeeper").code == 0
    assert bare(ann("staff", "list").out)[1:] == ["ann organizer", "bea scorekeeper"]
    assert ann("event", "close").code == 0
    drawn = ann("event", "pair")
    assert "round 1 (draft)" in drawn.out
    assert ann("event", "publish-round").out.startswith("round 1 has begun")
    seats = {seat["table"]: seat for seat in ann("round", "show", "--json").document["seats"]}
    names = dict(enumerate(["Ann", "Bob", "Çağ", "Dan", "Eve"], start=1))
    first, second = (names[seats[1][side]] for side in ("first", "second"))
    assert bare(ann("round", "missing").out)[0] == "Round 1: not reported by 2 of 2 tables"
    assert ann("event", "close-round").code == 6
    assert ann("event", "report", "1", "2-1").out == f"table 1: {first} 2-1 {second} (version 14)\n"
    assert bare(ann("round", "missing").out)[0] == "Round 1: not reported by 1 of 2 tables"
    assert ann("event", "report", "2", "draw").code == 0
    assert ann("event", "correct", "1", "2-0", "--reason", "read wrongly").code == 0
    assert ann("event", "close-round").out == "round 1 is closed (version 17)\n"
    assert ann("entry", "drop", "5").out.startswith("Eve (5) has left")
    assert ann("entry", "return", "5").out.startswith("Eve (5) is back")
    assert ann("event", "start").code == 0
    assert ann("event", "report", stdin="1 2-0\n\n2 1-1-1\n").code == 0
    assert ann("event", "close-round").code == 0
    assert ann("event", "finish").code == 0
    lines = ann("event", "standings", "--json").document["standings"]
    assert bare(ann("event", "standings").out)[2].startswith(f"1 {lines[0]['player']} {names[lines[0]['player']]} ")
    assert ann("event", "export", "-o", "spring.json").out == "Written to spring.json.\n"
    ranked = ann("event-file", "standings", "spring.json", "--json").document["standings"]
    assert [(one["place"], one["player"]) for one in ranked] == [(one["place"], str(one["player"])) for one in lines]
    assert ann("log", "verify").out.startswith(f"the log of {event} holds")


def test_every_command_prints_what_the_server_said(ann: Deckproof, event: str, server: Server) -> None:
    receipt = ann("event", "close", "--json").document
    assert receipt == server.json(f"/events/{event}/log", "dp_ann")["receipts"][-1]
    shown = ann("event", "show").out
    assert "may be changed now: name, description, venue" in shown
    assert max(map(len, shown.splitlines())) <= len("commitment") + 76
    assert ann("event", "show", "--json").document == server.json(f"/events/{event}", "dp_ann")
    assert ann("entry", "list", "--json").document["entries"] == server.json(f"/events/{event}/entries")["entries"]
    started = ann("event", "start", "--json").document
    assert [one["name"] for one in started["receipts"]] == ["round.pair", "round.publish"]
    assert ann("round", "show", "1", "--json").document == server.json(f"/events/{event}/rounds/1")
    assert ann("round", "list", "--json").document == server.json(f"/events/{event}/rounds")
    assert event in [one["id"] for one in ann("event", "list", "--json").document["events"]]


def test_the_event_may_be_named_each_time_or_by_a_setting(
    ann: Deckproof, event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = ann("event", "create", "Other", "--json").document["event"]
    assert ann("event", "show", "--json").document["id"] == event
    assert ann("event", "show", other, "--json").document["id"] == other
    assert ann("event", "show", "-e", other, "--json").document["id"] == other
    monkeypatch.setenv("DECKPROOF_EVENT", other)
    assert ann("event", "show", "--json").document["id"] == other


def test_without_an_event_a_command_says_how_to_name_one(ann: Deckproof) -> None:
    ended = ann("event", "open")
    assert ended.code == 2
    assert "event use" in ended.err


def test_an_event_is_voided_only_if_somebody_means_it(ann: Deckproof, event: str) -> None:
    unexplained = ann("event", "void", "--yes")
    assert (unexplained.code, "--reason: say why" in unexplained.err) == (2, True)
    why = ("--reason", "the hall is flooded")
    for answer in ("n\n", ""):
        unsaid = ann("event", "void", *why, stdin=answer)
        assert (unsaid.code, "Error: nothing was done" in unsaid.err) == (2, True)
    assert ann("event", "show", "--json").document["phase"] == "registration"
    assert ann("event", "void", *why, stdin="y\n").code == 0
    assert ann("event", "void", *why, "--yes").code == 6


# --- refusals are those of the server


@pytest.mark.parametrize(
    ("words", "code", "problem"),
    [
        (("event", "close-round"), 6, "action-not-allowed"),
        (("entry", "promote", "99"), 6, "entry-not-found"),
        (("event", "show", "nowhere"), 6, "event-not-found"),
        (("staff", "grant", "nobody", "judge"), 6, "account-not-found"),
        (("staff", "grant", "bea", "king"), 4, "request-unreadable"),
        (("event", "edit", "--set", "colour=red"), 4, "request-unreadable"),
        (("round", "show"), 6, "round-not-found"),
    ],
)
def test_a_refusal_of_the_server_ends_as_one_of_our_own(
    ann: Deckproof, event: str, words: tuple[str, ...], code: int, problem: str
) -> None:
    ended, as_json = ann(*words), ann(*words, "--json")
    assert (ended.code, as_json.code) == (code, code)
    assert ended.err.startswith("refused: ")
    assert as_json.document["type"] == f"/problems/{problem}"
    assert as_json.document["detail"].split("\n")[0] in ended.err


def test_whoever_is_nobody_is_told_to_log_in(ann: Deckproof, event: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DECKPROOF_TOKEN")
    ended = ann("event", "close")
    assert (ended.code, "deckproof login" in ended.err) == (6, True)


def test_an_event_that_others_changed_is_left_alone_and_they_are_named(ann: Deckproof, event: str) -> None:
    version = ann("event", "show", "--json").document["version"]
    assert ann("entry", "add", "Fay", "Gus", "--if-version", version).code == 0
    stale = ann("event", "close", "--if-version", version)
    assert stale.code == 6
    assert f"{version + 2} entry.add by ann" in stale.err
    assert ann("event", "close", "--if-version", version + 2).code == 0


# --- a bad line


@pytest.mark.parametrize("happens", [[LOST], [CUT], [LOST, CUT, BUSY, LOST]], ids=str)
def test_an_answer_that_is_lost_is_asked_for_again_and_nothing_happens_twice(
    ann: Deckproof, line: Line, happens: list[str]
) -> None:
    line.happens = list(happens)
    receipt = ann("entry", "add", "Fay", "--json").document["receipts"][0]
    assert receipt["fact"]["entry"] == 6
    assert len(line.passed) == len(happens) + 1
    assert len({key for _, _, key, _ in line.passed}) == 1
    assert [entry["name"] for entry in ann("entry", "list", "--json").document["entries"]][5:] == ["Fay"]


def test_a_server_that_is_busy_is_asked_again_when_it_says(ann: Deckproof, line: Line) -> None:
    line.happens = [BUSY] * 7  # more often than a server is tried that says nothing
    assert ann("event", "show").code == 0
    assert len(line.passed) == 8
    line.happens = [LATER]
    ended = ann("event", "show", "--json")
    assert (ended.code, ended.document["type"]) == (5, "/problems/server-unreachable")
    assert ended.document["problem"] == "in a moment"
    assert len(line.passed) == 9


def test_whoever_gives_up_is_told_how_to_send_the_same_again(ann: Deckproof, line: Line) -> None:
    line.happens = [LOST] * 6
    lost = ann("entry", "add", "Fay", "--json")
    assert lost.code == 5
    command = lost.document["command"]
    assert f"--command-id {command}" in lost.document["detail"]
    again = ann("entry", "add", "Fay", "--command-id", command, "--json").document["receipts"][0]
    assert (again["fact"]["entry"], again["command"]) == (6, command)
    assert len(ann("entry", "list", "--json").document["entries"]) == 6


def test_of_what_never_left_nobody_says_that_it_may_have_happened(
    ann: Deckproof, event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECKPROOF_SERVER", "http://127.0.0.1:1")
    monkeypatch.setenv("DECKPROOF_DEADLINE", "0.2")
    ended = ann("entry", "add", "Fay", "-e", event, "--json")
    assert (ended.code, ended.document["command"]) == (5, None)
    assert "is the server running?" in ended.document["detail"]


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        (ELSEWHERE, "sends elsewhere, to https://elsewhere.example/"),
        (PAGE, "status 200 with text/html"),
        (NONSENSE, "is not JSON"),
    ],
)
def test_whatever_else_answers_is_not_believed(ann: Deckproof, line: Line, happens: str, said: str) -> None:
    line.happens = [happens]
    ended = ann("event", "show", "--json")
    assert (ended.code, ended.document["type"]) == (5, "/problems/server-unexpected")
    assert said in ended.document["detail"]


@pytest.mark.parametrize("url", ["ftp://here", "here", "http://a b", "http://here:99999", "http://ann@here"])
def test_what_is_no_url_of_a_server_is_named(deckproof: Deckproof, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("DECKPROOF_SERVER", url)
    assert deckproof("event", "list").code in {2, 4}


# --- results


def test_a_list_that_was_broken_off_is_sent_again(ann: Deckproof, line: Line) -> None:
    started(ann)
    line.happens = ["", "", "", "", *[LOST] * 6]
    assert ann("event", "report", stdin="1 2-0\n2 2-1\n").code == 5
    line.happens.clear()  # a slow machine makes fewer attempts
    done = ann("event", "report", "--json", stdin="1 2-0\n2 2-1\n")
    assert [one["fact"]["table"] for one in done.document["receipts"]] == [1, 2]
    assert done.document["refused"] == []
    shown = ann("log", "show", "--json")
    names = [one["name"] for one in shown.document["receipts"]]
    assert names.count("result.report") == 2


def test_all_that_is_wrong_with_results_is_told_and_the_others_are_reported(ann: Deckproof, event: str) -> None:
    started(ann)
    ended = ann("event", "report", "1", "3-0", "2", "2-1", "9", "2-0", "--json")
    assert ended.code == 6
    assert [one["fact"]["table"] for one in ended.document["receipts"]] == [2]
    assert [(one["at"], one["type"].rpartition("/")[2]) for one in ended.document["refused"]] == [
        ("table 1", "result-refused"),
        ("table 9", "table-not-found"),
    ]
    again = ann("event", "report", "2", "0-2")
    assert again.code == 6
    assert "refused: table 2: round 1, table 2 is reported as 2-1-0" in again.err


def test_a_draw_has_as_many_games_as_the_match(ann: Deckproof, event: str) -> None:
    started(ann)
    games = ann("event", "report", "1", "draw", "--json").document["receipts"][0]["fact"]["games"]
    assert games == {"first": 0, "second": 0, "drawn": 3, "ending": "intentional draw"}


def test_at_a_table_of_several_games_are_refused_and_places_are_taken(ann: Deckproof) -> None:
    for words in (
        ("event", "create", "Audition", "--template", "audition-tables", "--use"),
        ("event", "publish"),
        ("event", "open"),
        ("entry", "add", "Ann", "Bob", "Cat", "Dan"),
    ):
        assert ann(*words).code == 0
    started(ann)
    for said, wrong in (("2-0", "several play at this table"), ("99,rest", "99 is placed and does not sit there")):
        refused = ann("event", "report", "1", said)
        assert refused.code == 6
        assert wrong in refused.err
        assert refused.err.count("table 1:") == 1
    assert ann("event", "report", "1", "3,rest").out.startswith("table 1: Cat, ")


@pytest.mark.parametrize(
    ("words", "reports"),
    [
        ("12 2-1", [Report("12", 2, 1, 0, "played")]),
        ("12 2:1", [Report("12", 2, 1, 0, "played")]),
        ("12 1-1-1", [Report("12", 1, 1, 1, "played")]),
        ("12 draw", [Report("12", 0, 0, 0, "intentional draw")]),
        ("12 double-loss", [Report("12", 0, 0, 0, "double loss")]),
        ("12 2-0 no-show", [Report("12", 2, 0, 0, "no-show")]),
        (
            "12 2-0 no-show 13 2-1 concession 14 draw",
            [
                Report("12", 2, 0, 0, "no-show"),
                Report("13", 2, 1, 0, "concession"),
                Report("14", 0, 0, 0, "intentional draw"),
            ],
        ),
        ("m1.2 2-0 GF2 2-1", [Report("M1.2", 2, 0, 0, "played"), Report("GF2", 2, 1, 0, "played")]),
        ("12 2-1 12 2-1", [Report("12", 2, 1, 0, "played")]),
    ],
)
def test_results_are_typed_as_people_say_them(words: str, reports: list[Report]) -> None:
    assert reports_from(words.split()) == reports
    assert reports_from([words]) == reports


@pytest.mark.parametrize(
    "words",
    ["12", "12 2", "2-1 12", "M1 2-0", "Q1.1 2-0", "x 2-1", "12 2-1-1-1", "12 2-x", "12 2-1 13", "12 draw no-show"],
)
def test_what_is_no_result_is_named(words: str) -> None:
    with pytest.raises(typer.BadParameter, match="is no report"):
        reports_from(words.split())


def test_every_wrong_line_is_told_at_once_and_nothing_is_sent(ann: Deckproof, event: str) -> None:
    started(ann)
    ended = ann("event", "report", stdin="1 2-0\n2 2.1\nthree 2-0\n1 0-2\n")
    assert ended.code == 2
    assert [said in ended.err for said in ("line 2", "line 3", "table 1 has two results", "12 2-1-1")] == [True] * 4
    assert all(seat["result"] is None for seat in ann("round", "show", "--json").document["seats"])


# --- the cut, and undoing


def test_in_a_stack_a_digit_stands_for_a_result_where_a_line_is_a_slip(ann: Deckproof, event: str) -> None:
    started(ann)
    assert ann("event", "report", "1", "4").code == 2
    done = ann("event", "report", "--json", stdin="1 4\n2 21\n")
    games = [one["fact"]["games"] for one in done.document["receipts"]]
    assert [(one["first"], one["second"]) for one in games] == [(0, 2), (2, 1)]


def test_what_comes_next_is_told_where_something_is_left_open(ann: Deckproof, event: str) -> None:
    started(ann)
    seats = ann("round", "show", "--json").document["seats"]
    seated = next(seat["first"] for seat in seats if seat["second"])
    assert "`deckproof round ways --leaves" in ann("entry", "drop", seated).err
    assert ann("event", "report", stdin="1 2-0\n2 2-0\n").code == 0
    assert ann("event", "correct", "1", "2-1").err == ""
    assert ann("event", "start").code == 0
    corrected = ann("event", "correct", "1", "0-2", "--round", "1")
    assert "`deckproof round ways`" in corrected.err
    ways = ann("round", "ways")
    assert "`deckproof round mend " in ways.err
    named = ann("round", "mend", "1")
    assert (named.code, "is a place in a list" in named.err) == (2, True)


def test_a_place_in_a_list_names_no_way_also_where_one_begins_so() -> None:
    ways = {"options": [{"option": "77aa2b3c4d5e6f70"}, {"option": "1f9e2b3c4d5e6f70"}]}
    with pytest.raises(typer.BadParameter, match="'1' is a place in a list"):
        _meant(ways, "1")
    assert _meant(ways, "1f") == "1f9e2b3c4d5e6f70"


def test_who_is_paired_and_was_not_checked_in_is_named(ann: Deckproof, event: str) -> None:
    for words in (("entry", "add", "Ann", "Bob"), ("event", "close"), ("entry", "check-in", "1")):
        ended = ann(*words)
    assert ended.out.startswith("Ann (1) is here")
    assert "paired, and not checked in: Bob (2)" in ann("event", "start").err


def test_a_cut_is_seeded_played_corrected_and_ends(ann: Deckproof, event: str) -> None:
    started(ann)
    assert ann("event", "report", "1", "2-0", "2", "2-0").code == 0
    assert ann("event", "close-round").code == 0
    names = dict(enumerate(["Ann", "Bob", "Çağ", "Dan", "Eve"], start=1))
    announced = ann("event", "cut", "--top", "4", "--preview", "--json").document["seeds"]
    seeds = [one["player"] for one in announced]
    preview = ann("event", "cut", "--top", "4", "--preview")
    assert bare(preview.out)[1:5] == [f"{at} {seed} {names[seed]}" for at, seed in enumerate(seeds, start=1)]
    assert ann("event", "show", "--json").document["phase"] == "between rounds"
    cut = ann("event", "cut", "--top", "4")
    assert cut.out.rstrip().endswith("the cut has 4 players (version 15)")
    first = ann("event", "report", "M1.1", "2-1", "M1.2", "2-0")
    assert first.out.split("\n")[0] == f"match M1.1: {names[seeds[0]]} 2-1 {names[seeds[3]]} (version 16)"
    assert ann("event", "report", "m2.1", "2-0").code == 0
    assert f"1 {names[seeds[0]]}" in " ".join(bare(ann("event", "bracket").out))
    unseen = ann("event", "correct", "M1.1", "0-2")
    assert unseen.code == 6
    (seen,) = re.findall(r"--seen (\w+)", unseen.err)
    assert ann("event", "correct", "M1.1", "0-2", "--seen", seen).code == 0
    assert ann("event", "report", "M2.1", "2-0").code == 0
    assert ann("event", "finish").code == 0
    assert bare(ann("event", "places").out)[0] == f"1 {names[seeds[3]]} ({seeds[3]})"


def test_the_last_command_is_taken_back_and_again(ann: Deckproof, event: str) -> None:
    assert ann("entry", "add", "Fay").code == 0
    assert ann("event", "undo").code == 2
    assert ann("event", "undo", "--reason", "twice").out == "row 9, entry.add, is taken back (version 10)\n"
    assert len(ann("entry", "list", "--json").document["entries"]) == 5
    again = ann("event", "undo", "--reason", "it was right")
    assert again.out == "row 9, entry.add, has its effect again (version 11)\n"
    assert ann("event", "undo", "4", "--reason", "too late").code == 6


# --- watching


def test_standings_are_shown_again_when_they_change(ann: Deckproof, event: str, tmp_path: Path) -> None:
    started(ann)
    program = str(Path(sys.executable).with_name("deckproof"))
    words = [program, "event", "standings", "--watch", "--every", "0.1", "--json"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, text=True, env=dict(os.environ) | {"PYTHONUNBUFFERED": "1"}
    ) as watching:
        try:
            seen = [_document(watching)["after"]]
            assert ann("event", "report", "1", "2-0", "2", "2-0").code == 0
            assert ann("event", "close-round").code == 0
            while seen[-1] == 0:
                seen.append(_document(watching)["after"])
        finally:
            watching.send_signal(signal.SIGINT)
        assert watching.wait(10) == 0
    assert seen[-1] == 1


def _document(process: subprocess.Popen[str]) -> dict[str, int]:
    """The next JSON document that it prints."""
    assert process.stdout
    lines = []
    while not lines or lines[-1] != "}\n":
        lines.append(process.stdout.readline())
        assert lines[-1], "it ended"
    found: dict[str, int] = json.loads("".join(lines))
    return found


# --- signing in


def test_a_login_is_kept_for_its_owner_and_its_server_alone(
    deckproof: Deckproof, server: Server, tmp_path: Path
) -> None:
    with line_to(url_of(server)) as line:
        signed_in = deckproof("login", "--server", line.url, "--token-stdin", stdin="dp_bea\n")
        assert (signed_in.code, signed_in.out) == (0, f"signed in at {line.url}\n")
        assert "dp_bea" not in signed_in.out + signed_in.err
        (file,) = (tmp_path / "config").rglob("*.json")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert deckproof("event", "create", "x", "--json").document["actor"] == "bea"
        assert line.passed[-1][3] == "Bearer dp_bea"
        deckproof("event", "list")
        with line_to(url_of(server)) as other:
            (tmp_path / "deckproof.toml").write_text(f'server = "{other.url}"\n')
            assert deckproof("event", "list").code == 0
            assert other.passed[-1][3] is None
        (tmp_path / "deckproof.toml").unlink()
        file.chmod(0o644)
        assert "others on this machine can read" in deckproof("event", "list").err


def test_whoever_logs_out_has_a_token_that_is_worth_nothing(
    deckproof: Deckproof, server: Server, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECKPROOF_DATA", str(home))
    assert deckproof("admin", "create", "cem", "--password-stdin", stdin=PASSWORD).code == 0
    words = ("login", "--server", url_of(server), "--account", "cem", "--password-stdin")
    wrong = deckproof(*words, stdin="wrong\n")
    assert (wrong.code, wrong.err) == (6, "refused: no account has that name and that password\n")
    assert deckproof(*words, stdin=f"{PASSWORD}\n").out == f"signed in at {url_of(server)} as cem\n"
    assert deckproof("event", "create", "x").code == 0
    (file,) = (tmp_path / "config").rglob("*.json")
    token = json.loads(file.read_text())["servers"][url_of(server)]["token"]
    assert deckproof("logout").code == 0
    assert token not in file.read_text()
    assert server.ask("POST", "/events", {"name": "x"}, token=token)[0] == 401
    assert deckproof("logout").code == 2


def test_a_login_file_that_somebody_broke_is_named(deckproof: Deckproof, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "deckproof"
    folder.mkdir(parents=True)
    for content in ("", "[]", '{"servers": {"http://here": 5}, "current": null}', '{"servers": {}, "current": 5}'):
        (folder / "logins.json").write_text(content)
        ended = deckproof("event", "list")
        assert ended.code == 4
        assert "logins.json" in ended.err


# --- start-up


def test_reporting_a_result_loads_no_database_and_no_server() -> None:
    light = "events entries rounds staff clocks calls claims decklists deck_checks judging notes penalties players"
    modules = ", ".join(f"cli.{name}" for name in (*light.split(), "series", "webhooks"))
    probe = f"import {modules}, sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert not set(json.loads(done.stdout)) & {"sqlalchemy", "sqlmodel", "fastapi", "uvicorn", "rich", "web3", "games"}
