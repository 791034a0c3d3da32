"""Results as CSV."""

from pathlib import Path

import pytest

from tournament.domain.errors import EventUnwritable, FileUnreadable
from tournament.domain.model import Bye, ByeKind, Ending, Pairing, Player, PlayerId, Result, Round
from tournament.interchange.event import Event
from tournament.interchange.results_csv import COLUMNS, parse_csv, render_csv

SAMPLE = (Path(__file__).parent / "samples" / "night.csv").read_text()
HEADER = ",".join(COLUMNS)
ENDINGS = "played, intentional draw, concession, no-show, double loss, penalty, bye, awarded bye"
ANN, BOB, CAT, DAN, EVE = map(PlayerId, ("a1", "b2", "c3", "d4", "e5"))


def faults(text: str) -> list[str]:
    with pytest.raises(FileUnreadable) as refused:
        parse_csv(text)
    return [str(fault) for fault in refused.value.faults]


def test_a_table_is_read() -> None:
    assert parse_csv(SAMPLE).event == Event(
        name="",
        players=(
            Player(id=ANN, name="Ann"),
            Player(id=BOB, name="Baker, Bob"),
            Player(id=CAT, name="Cat"),
            Player(id=DAN, name="=Dan"),
            Player(id=EVE, name="Eve"),
        ),
        rounds=(
            Round(
                1,
                (
                    Pairing(1, ANN, BOB, Result(2, 1)),
                    Pairing(2, CAT, DAN, Result(0, 0, 3, Ending.INTENTIONAL_DRAW)),
                    Bye(EVE),
                ),
            ),
            Round(
                2,
                (
                    Pairing(1, ANN, CAT, Result(2, 0, 0, Ending.CONCESSION)),
                    Pairing(2, BOB, EVE),
                    Bye(DAN, ByeKind.AWARDED),
                ),
            ),
        ),
        cut=(Round(3, (Pairing(1, ANN, BOB, Result(0, 0, 0, Ending.DOUBLE_LOSS)),)),),
    )


def test_semicolons_columns_in_another_order_and_more_of_them_are_read() -> None:
    header = "note;" + ";".join(reversed(COLUMNS))
    text = f"{header}\r\nhello;;0;1;2;Bob;b;Ann;a;3;1;swiss\r\n"
    assert parse_csv(text).event.rounds[0].seats == (Pairing(3, PlayerId("a"), PlayerId("b"), Result(2, 1)),)


def test_every_fault_is_told_with_its_line_and_column() -> None:
    text = f"""{HEADER}
final,1,1,a,Ann,b,Bob,2,0,0,
swiss,one,1,a,Ann,b,Bob,2,0,0,
swiss,1,1,c,Cat,,,2,0,0,
swiss,1,x,d,Dan,e,Eve,-2,0,0,resigned
swiss,1,,f,Fay,g,Gus,,,,bye
swiss,1,2,a,Ann,h,Hal,1000001,0,,
"""
    assert faults(text) == [
        "line 2, stage: is 'final'; swiss or cut belongs there",
        "line 3, round: is 'one'; a whole number from 1 belongs there",
        "line 4: has one player, and its ending is not bye or awarded bye",
        "line 5, table: is 'x'; a whole number from 0 belongs there",
        "line 5, first_wins: is '-2'; a whole number from 0 belongs there",
        f"line 5, ending: is 'resigned'; one of {ENDINGS} belongs there",
        "line 6: is a bye and has a second player or games",
        "line 7, first_wins: is 1000001; at most 1000000 games are counted",
        "line 7: player a sits in round 1 already",
    ]


def test_a_round_is_swiss_or_cut() -> None:
    text = f"{HEADER}\nswiss,1,1,a,Ann,b,Bob,2,0,0,\ncut,1,2,c,Cat,d,Dan,2,0,0,\n"
    assert faults(text)[0] == "line 3: round 1 is of the Swiss rounds and of the cut"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "line 1: has not each of these columns once: stage, round,"),
        (HEADER.replace("drawn", "draws"), "line 1: has not each of these columns once: drawn"),
        (f"{HEADER},stage", "line 1: has not each of these columns once: stage"),
        (f"{HEADER}\nswiss,1", "line 2: has 2 cells under 11 columns"),
        (f'{HEADER}\n"swiss,1', "line 2: is not CSV: unexpected end of data"),
        (f"{HEADER}\n" + "x" * 200_000, "line 2: is not CSV: field larger than field limit"),
    ],
)
def test_what_is_no_table_is_refused(text: str, fault: str) -> None:
    assert faults(text)[0].startswith(fault)


def test_a_table_without_lines_is_an_event_without_players() -> None:
    assert parse_csv(HEADER).event == Event("", (), ())


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "'=1", "''+", "'tis", "plain"])
def test_no_name_becomes_a_formula(name: str) -> None:
    event = Event("", (Player(id=ANN, name=name),), (Round(1, (Bye(ANN),)),))
    written = render_csv(event)
    assert written.text.splitlines()[1].split(",")[4][0] not in "=+-@"
    assert parse_csv(written.text).event == event


def test_what_a_table_cannot_hold_is_told() -> None:
    event = Event(
        "Night",
        (Player(id=ANN, name="Ann", dropped_after=1), Player(id=BOB, name="Bob")),
        (Round(1, (Bye(ANN),)), Round(2, ())),
        divisions={BOB: "junior"},
    )
    assert render_csv(event).lost == (
        "the name of the event is not written",
        "player a1: late entry, drop, fixed table and awarded byes are not written",
        "player b2: is in no round and not written",
        "round 2: has no match yet and is not written",
        "divisions and places of the cut are not written",
    )


def test_a_round_without_a_match_before_another_is_refused() -> None:
    event = Event("", (Player(id=ANN, name="Ann"),), (Round(1, ()), Round(2, (Bye(ANN),))))
    with pytest.raises(EventUnwritable, match="round 1 has no match, and would be missing"):
        render_csv(event)
