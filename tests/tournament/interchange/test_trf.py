"""FIDE tournament reports."""

from pathlib import Path

import pytest

from tournament.domain.errors import EventUnwritable, FileUnreadable
from tournament.domain.model import Bye, ByeKind, Ending, Pairing, Player, PlayerId, Result, Round
from tournament.interchange.event import Event
from tournament.interchange.trf import parse_trf, render_trf

SAMPLE = (Path(__file__).parent / "samples" / "club_evening.trf").read_text()
ANN, BOB, CAT, DAN, EVE, FAY = map(PlayerId, "123456")


def player_line(rank: int, name: str, *rounds: str) -> str:
    """Code, starting rank, sex and title, name; points in columns 81-84; rounds from column 90 on."""
    return f"001 {rank:4}      {name:<33}".ljust(80) + " 0.0    1" + "".join(f"  {columns}" for columns in rounds)


def faults(text: str) -> list[str]:
    with pytest.raises(FileUnreadable) as refused:
        parse_trf(text)
    return [str(fault) for fault in refused.value.faults]


def test_a_report_is_read() -> None:
    # ann beats bob, draws with cat (white), wins from the absent dan; bob had the odd bye; cat beat dan unrated and
    # left; eve was not there, then took half a point, then plays bob; fay had two full points and left
    assert parse_trf(SAMPLE).event == Event(
        name="Club Evening",
        players=(
            Player(id=ANN, name="Adams, Ann"),
            Player(id=BOB, name="Baker, Bob"),
            Player(id=CAT, name="Cole, Cat", dropped_after=2),
            Player(id=DAN, name="Dunn, Dan"),
            Player(id=EVE, name="Earl, Eve", entered_in=3),
            Player(id=FAY, name="Ford, Fay", dropped_after=2),
        ),
        rounds=(
            Round(
                1, (Pairing(1, ANN, BOB, Result(1, 0)), Pairing(2, DAN, CAT, Result(0, 1)), Bye(FAY, ByeKind.AWARDED))
            ),
            Round(2, (Bye(BOB), Pairing(1, CAT, ANN, Result(0, 0, 1)), Bye(FAY, ByeKind.AWARDED))),
            Round(3, (Pairing(1, ANN, DAN, Result(1, 0, 0, Ending.NO_SHOW)), Pairing(2, EVE, BOB))),
        ),
    )


def test_a_half_point_without_opponent_is_said_to_be_lost() -> None:
    lost = "line 11, columns 102-109: a half point without opponent becomes an absence"
    assert parse_trf(SAMPLE).lost == (lost,)


def test_names_of_old_programs_are_read() -> None:
    text = player_line(1, "Müller, Ägid", "0000 - U")
    assert parse_trf(text.encode("cp1252")).event.players[0].name == "Müller, Ägid"


def test_both_absent_is_a_double_loss_without_colours() -> None:
    text = "\n".join([player_line(1, "A", "   2 - -"), player_line(2, "B", "   1 - -")])
    assert parse_trf(text).event.rounds[0].seats == (Pairing(1, ANN, BOB, Result(0, 0, 0, Ending.DOUBLE_LOSS)),)


def test_every_fault_is_told_with_its_line_and_columns() -> None:
    text = "\n".join(
        [
            player_line(1, "A", "   2 w 1", "   2 w 1", "  99 w 1"),
            player_line(2, "B", "   1 b 1", "   3 b 0", "0000 - 1"),
            player_line(3, "C", "   x w 1", "   2 w 1", "   2 q 1"),
            player_line(3, "D"),
            "001  abc",
        ]
    )
    assert faults(text) == [
        "line 3, columns 92-99: '   x w 1' is no opponent, colour and result",
        "line 3, columns 112-119: '   2 q 1' is no opponent, colour and result",
        "line 4: the id 3 is taken by 'C'",
        "line 5, columns 5-8: 'abc' is no starting rank",
        "line 1, columns 92-99: 1 here and 1 for 2 is no result",
        "line 1, columns 102-109: the opponent 2 does not name 1 in round 2",
        "line 1, columns 112-119: the opponent 99 has no line",
        "line 2, columns 112-119: the result 1 without an opponent",
    ]


def test_two_whites_are_no_pairing() -> None:
    text = "\n".join([player_line(1, "A", "   2 w 1"), player_line(2, "B", "   1 w 0")])
    assert "1 and 2 do not have White and Black in round 1" in faults(text)[0]


@pytest.mark.parametrize("text", ["", "012 Nobody came", "hello"])
def test_a_report_without_players_is_refused(text: str) -> None:
    assert faults(text) == ["file: has no player: no line begins with 001"]


def test_a_line_of_endless_rounds_is_refused() -> None:
    assert faults(player_line(1, "A", *["0000 - U"] * 201)) == ["line 1: has more than 200 rounds"]


def test_columns_are_where_the_handbook_puts_them() -> None:
    players = (Player(id=ANN, name="Adams, Ann"), Player(id=BOB, name="Baker, Bob"))
    rounds = (Round(1, (Pairing(1, BOB, ANN, Result(1, 0)),)), Round(2, (Bye(ANN),)))
    line = next(
        line for line in render_trf(Event("Club", players, rounds)).text.splitlines() if line.startswith("001    1")
    )
    # columns are counted from 1 there
    assert (line[0:3], line[4:8], line[14:47].rstrip()) == ("001", "   1", "Adams, Ann")
    assert (line[80:84], line[85:89]) == (" 1.0", "   1")
    assert (line[91:95], line[96], line[98]) == ("   2", "b", "0")
    assert (line[101:105], line[106], line[108]) == ("0000", "-", "U")


def test_what_a_report_cannot_hold_is_told() -> None:
    event = Event(
        "x",
        (Player(id=PlayerId("ann"), name="A" * 40), Player(id=BOB, name="Bob", dropped_after=1)),
        (Round(1, (Pairing(4, PlayerId("ann"), BOB, Result(2, 1)),)),),
        (Round(2, (Pairing(1, PlayerId("ann"), BOB),)),),
        divisions={BOB: "junior"},
    )
    assert render_trf(event).lost == (
        "player ann: is written as number 1",
        "player ann: the name is cut after 33 letters",
        "player 2: when the player entered and dropped is read off the rounds played",
        "round 1, table 4: only who won is written",
        "round 1: tables are numbered anew",
        "the cut is not written",
        "divisions are not written",
    )


def test_more_players_than_four_digits_count_are_refused() -> None:
    many = tuple(Player(id=PlayerId(f"{number}"), name="x") for number in range(10_000))
    with pytest.raises(EventUnwritable, match="10000 players; a report has 1 to 9999"):
        render_trf(Event("x", many, ()))
