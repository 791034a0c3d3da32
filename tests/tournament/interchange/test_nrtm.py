"""NRTM JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from tournament.domain.errors import FileUnreadable
from tournament.domain.model import Bye, Ending, Pairing, Player, PlayerId, Result, Round
from tournament.interchange.event import CutPlace, Event
from tournament.interchange.nrtm import parse_nrtm, render_nrtm

SAMPLE = (Path(__file__).parent / "samples" / "store_night.json").read_text()
ANN, BOB, CAT = map(PlayerId, ("5", "6", "7"))


def match(first: object, second: object, **flags: bool) -> dict[str, Any]:
    one, two = ({"id": who, "combinedScore": score} for who, score in ((5, first), (6, second)))
    return {"table": 1, "player1": one, "player2": two, **flags}


def export(*matches: object) -> str:
    players = [{"id": number, "name": name} for number, name in ((5, "Ann"), (6, "Bob"), (7, "Cat"))]
    return json.dumps({"name": "x", "players": players, "rounds": [list(matches)]})


def result(first: object, second: object, **flags: bool) -> Result | None:
    (seat,) = parse_nrtm(export(match(first, second, **flags))).event.rounds[0].seats
    assert isinstance(seat, Pairing)
    return seat.result


def faults(text: str) -> list[str]:
    with pytest.raises(FileUnreadable) as refused:
        parse_nrtm(text)
    return [str(fault) for fault in refused.value.faults]


def test_an_export_is_read() -> None:
    # round 1  ann wins a game against bob and draws one, cat bye    round 2  bob 2-0 cat, ann bye    cut  bob beats ann
    assert parse_nrtm(SAMPLE).event == Event(
        name="Store Night",
        players=(Player(id=ANN, name="Ann"), Player(id=BOB, name="Bob"), Player(id=CAT, name="Cat")),
        rounds=(
            Round(1, (Pairing(1, ANN, BOB, Result(1, 0, 1)), Bye(CAT))),
            Round(2, (Pairing(1, BOB, CAT, Result(2, 0)), Bye(ANN))),
        ),
        cut=(Round(3, (Pairing(1, ANN, BOB, Result(0, 1)),)),),
        cut_places=(CutPlace(BOB, 1, 2),),
    )


def test_that_one_game_counted_for_two_is_said_to_be_lost() -> None:
    assert parse_nrtm(SAMPLE).lost == ("rounds[1][0]: that one game counted for two",)


@pytest.mark.parametrize(
    ("first", "second", "read"),
    [
        (6, 0, Result(2, 0)),
        (3, 3, Result(1, 1)),
        (1, 4, Result(0, 1, 1)),
        (2, 2, Result(0, 0, 2)),
        (3, 0, Result(1, 0)),
        (1, 1, Result(0, 0, 1)),
        ("0", "3", Result(0, 1)),
        (3.0, 0, Result(1, 0)),
        (0, 0, Result(0, 0, 0, Ending.DOUBLE_LOSS)),
        (None, None, None),
        (3, None, None),
    ],
)
def test_scores_say_the_games(first: object, second: object, read: Result | None) -> None:
    assert result(first, second) == read


def test_an_intentional_draw_is_known_by_its_flag() -> None:
    assert result(3, 3, intentionalDraw=True) == Result(1, 1, 0, Ending.INTENTIONAL_DRAW)
    assert result(1, 1, intentionalDraw=True) == Result(0, 0, 1, Ending.INTENTIONAL_DRAW)
    assert result(6, 0, intentionalDraw=True) == Result(2, 0)


def test_the_sides_add_up_where_no_score_is_combined() -> None:
    # ann wins as corp, bob as corp
    sides = [{"id": 5, "corpScore": 3, "runnerScore": 0}, {"id": 6, "corpScore": 3, "runnerScore": 0}]
    event = parse_nrtm(export({"player1": sides[0], "player2": sides[1]})).event
    assert event.rounds[0].seats == (Pairing(1, ANN, BOB, Result(1, 1)),)


def test_a_bye_has_nobody_on_either_side() -> None:
    byes = [{"player1": {"id": None}, "player2": {"id": 5}}, {"player1": {"id": 6}, "player2": {"id": "(BYE)"}}]
    assert parse_nrtm(export(*byes)).event.rounds[0].seats == (Bye(ANN), Bye(BOB))


def test_every_fault_is_told_with_its_path() -> None:
    broken = {
        "name": 5,
        "players": [{"id": 5, "name": "Ann"}, {"id": True}, {"id": 5, "name": "Bob"}, 7],
        "rounds": [
            [match(5, 0), {"table": -1, "player1": {"id": 5}, "player2": {"id": 9}}],
            7,
            [match(0, 3, eliminationGame=True), match(0, 3)],
            [{"player1": {"id": None}, "player2": {"id": None}}],
        ],
        "eliminationPlayers": [{"id": 8, "rank": 1}, {"id": 5}],
    }
    assert faults(json.dumps(broken)) == [
        "name: is a number; a text belongs there",
        "players[1].id: is true or false; the id of a player belongs there",
        "players[1]: a player without an id",
        "players[2]: the id 5 is taken by 'Ann'",
        "players[3]: is a number; an object belongs there",
        "rounds[0][0]: has the score 5-0, which one or two games cannot give",
        "rounds[0][0]: player '6' is not in the event",
        "rounds[0][1].table: is a number that cannot be; a whole number from 0 belongs there",
        "rounds[0][1]: player 5 sits in round 1 already",
        "rounds[0][1]: player '9' is not in the event",
        "rounds[1]: is a number; a list of matches belongs there",
        "rounds[2]: has matches of the Swiss rounds and of the cut",
        "rounds[2][0]: player '6' is not in the event",
        "rounds[2][1]: player 5 sits in round 3 already",
        "rounds[2][1]: player '6' is not in the event",
        "rounds[3][0]: has no players",
        "eliminationPlayers[0]: player '8' is not in the event",
        "eliminationPlayers[1].rank: is missing",
        "round 2: is missing, and a later one is there",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "line 1, column 1: is not JSON: Expecting value"),
        ("[]", "the document: is a list; an object belongs there"),
        ('{"players": 5}', "players: is a number; a list belongs there"),
        ('{"name": "x"}', "players: is missing; a list belongs there"),
        (
            '{"players": [{"id": 1, "name": "\\ud800"}]}',
            "players[0].name: has the character U+D800, which no reader would see",
        ),
        ('{"players": NaN}', "file: has a number or a depth that no export has"),
        ("[" * 100_000, "file: has a number or a depth that no export has"),
        ('{"players": ' + "9" * 5000 + "}", "file: has a number or a depth that no export has"),
    ],
)
def test_what_is_no_export_is_refused(text: str, fault: str) -> None:
    assert faults(text)[0] == fault


def test_standings_are_written_with_an_export() -> None:
    # tournament.md's four players: 6-0 6-0 / 6-0 3-3 give a strength of schedule of 2.25 and an extended one of 3.75
    four = tuple(Player(id=PlayerId(str(number)), name=f"p{number}") for number in range(1, 5))
    one, two, three, last = (player.id for player in four)
    rounds = (
        Round(1, (Pairing(1, one, two, Result(2, 0)), Pairing(2, three, last, Result(2, 0)))),
        Round(2, (Pairing(1, one, three, Result(2, 0)), Pairing(2, two, last, Result(1, 1)))),
    )
    best = json.loads(render_nrtm(Event("x", four, rounds)).text)["players"][0]
    assert best == {
        "id": 1,
        "name": "p1",
        "rank": 1,
        "matchPoints": 12,
        "strengthOfSchedule": "2.2500",
        "extendedStrengthOfSchedule": "3.7500",
    }


def test_what_an_export_cannot_hold_is_told() -> None:
    event = Event(
        "x",
        (Player(id=PlayerId("ann"), name="Ann", dropped_after=1), Player(id=PlayerId("bob"), name="Bob")),
        (Round(1, (Pairing(1, PlayerId("ann"), PlayerId("bob"), Result(2, 1)),)),),
        divisions={PlayerId("ann"): "junior"},
    )
    written = render_nrtm(event)
    assert written.lost == (
        "player ann: is written with the id 1",
        "player ann: late entry, drop, fixed table and awarded byes are not written",
        "player bob: is written with the id 2",
        "round 1, table 1: only who won is written",
        "divisions are not written",
    )
    (seat,) = parse_nrtm(written.text).event.rounds[0].seats
    assert seat == Pairing(1, PlayerId("1"), PlayerId("2"), Result(1, 0))
