"""Pokémon tournament files."""

from pathlib import Path

import pytest

from tournament.domain.errors import FileUnreadable
from tournament.domain.model import Bye, Ending, Pairing, Player, PlayerId, Result, Round
from tournament.interchange.event import Event
from tournament.interchange.tdf import parse_tdf, render_tdf

SAMPLE = (Path(__file__).parent / "samples" / "two_divisions.tdf").read_text()
ANN, BOB, CAT, DAN, EVE, FAY, GUS = map(PlayerId, ("11", "12", "13", "14", "15", "21", "22"))

# masters   round 1  ann-bob 1-0, cat-dan both lose, eve not there yet
#           round 2  ann-cat tie, eve beats bob, dan bye, then dan drops
#           cut      ann-eve, not played yet
# juniors   round 1  gus beats fay                 cut  gus beats fay
EVENT = Event(
    name="Lakeside Cup & Fair",
    players=(
        Player(id=ANN, name="Ann Marie O'Hara"),
        Player(id=BOB, name="Bob Baker"),
        Player(id=CAT, name="Cat"),
        Player(id=DAN, name="Dan Dunn", dropped_after=2),
        Player(id=EVE, name="Eve Earl", entered_in=2),
        Player(id=FAY, name="Fay Ford"),
        Player(id=GUS, name="Gus Gray"),
    ),
    rounds=(
        Round(
            1,
            (
                Pairing(1, ANN, BOB, Result(1, 0)),
                Pairing(2, CAT, DAN, Result(0, 0, 0, Ending.DOUBLE_LOSS)),
                Pairing(11, FAY, GUS, Result(0, 1)),
            ),
        ),
        Round(2, (Pairing(1, ANN, CAT, Result(0, 0, 1)), Pairing(2, BOB, EVE, Result(0, 1)), Bye(DAN))),
    ),
    cut=(Round(3, (Pairing(1, ANN, EVE), Pairing(11, GUS, FAY, Result(1, 0)))),),
    divisions=dict.fromkeys((ANN, BOB, CAT, DAN, EVE), "master") | dict.fromkeys((FAY, GUS), "junior"),
)


def faults(text: str) -> list[str]:
    with pytest.raises(FileUnreadable) as refused:
        parse_tdf(text)
    return [str(fault) for fault in refused.value.faults]


def test_a_file_is_read() -> None:
    assert parse_tdf(SAMPLE).event == EVENT


def test_a_cut_that_begins_earlier_in_one_division_is_moved_and_says_so() -> None:
    assert parse_tdf(SAMPLE).lost == ("line 72: round 2 of this division becomes round 3",)


def test_every_fault_is_told_with_its_line() -> None:
    broken = (
        SAMPLE.replace('<match outcome="1"><player1 userid="11"/>', '<match outcome="4"><player1 userid="11"/>', 1)
        .replace('<player2 userid="14"/>', '<player2 userid="99"/>')
        .replace('<match outcome="2"><player1 userid="12"/>', '<match outcome="2"><player1 userid="11"/>')
        .replace("<round>2</round>", "<round>two</round>")
        .replace('<player userid="22"><firstname>', '<player userid="21"><firstname>')
    )
    allowed = "0, 1, 2, 3 and 10 have two players, 5 (bye) and 8 (came late) have one"
    assert faults(broken) == [
        "line 22, the round of a drop: is 'two'; a whole number from 0 belongs there",
        "line 26: the id 21 is taken by 'Fay Ford'",
        f"line 43: outcome 4 with 2 players; {allowed}",
        "line 44: player '99' is not in the event",
        "line 51: player 11 sits in round 2 already",
        "line 64: player '22' is in a division and not in the event",
        "line 69: player '22' is not in the event",
        "line 74: player '22' is not in the event",
    ]


def test_a_bye_has_one_player() -> None:
    assert "outcome 5 with 2 players" in faults(SAMPLE.replace('outcome="3"', 'outcome="5"'))[0]


def test_nobody_comes_late_after_having_played() -> None:
    late = SAMPLE.replace('<match outcome="5"><player userid="14"/>', '<match outcome="8"><player userid="14"/>')
    assert faults(late) == ["line 52: player 14 came late to round 2, but sits in round 1"]


def test_a_document_type_is_refused_before_it_is_read() -> None:
    bomb = SAMPLE.replace("<tournament ", '<!DOCTYPE t [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n<tournament ', 1)
    assert faults(bomb) == ["line 2: has a document type (DOCTYPE), which is not read: it can declare entities"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "line 1: is not XML: no element found"),
        ("<tournament>", "line 1: is not XML: no element found"),
        ("<html></html>", "line 1: the document is a html; a tournament belongs there"),
        ("<a>" * 40 + "</a>" * 40, "line 1: elements are nested deeper than 32, or more than 4000000"),
        ("\ud800", "letter 0: is half a letter"),
    ],
)
def test_what_is_no_tournament_is_refused(text: str, fault: str) -> None:
    assert faults(text) == [fault]


def test_a_round_number_that_nobody_means_is_refused() -> None:
    assert "rounds are numbered from 1 to 200" in faults(SAMPLE.replace('round number="1"', 'round number="999999"'))[0]


def test_an_empty_tournament_is_an_event_without_players() -> None:
    assert parse_tdf("<tournament/>").event == Event("", (), ())


def test_names_are_written_as_first_and_last() -> None:
    written = render_tdf(EVENT).text
    assert "<firstname>Ann Marie</firstname>\n\t\t\t<lastname>O'Hara</lastname>" in written
    assert "<firstname>Cat</firstname>\n\t\t\t<lastname></lastname>" in written
    assert "<name>Lakeside Cup &amp; Fair</name>" in written


def test_what_a_file_cannot_hold_is_told() -> None:
    event = Event(
        "x",
        (Player(id=ANN, name="Ann", disqualified=True, table=3), Player(id=PlayerId("bob"), name="Bob")),
        (Round(1, (Pairing(1, ANN, PlayerId("bob"), Result(2, 1)),)),),
        divisions={ANN: "veteran"},
    )
    assert render_tdf(event).lost == (
        "player 11: the division 'veteran' is not one of TOM's",
        "player 11: disqualified is written as dropped, if at all",
        "player 11: the fixed table and awarded byes are not written",
        "player bob: TOM wants a number as the id",
        "round 1, table 1: only who won is written",
    )
