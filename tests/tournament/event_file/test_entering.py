"""Who enters, leaves and comes back, and the ids that newcomers get."""

import json
from dataclasses import replace
from string import ascii_letters

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.event_file.world import PLAIN
from tournament.domain.bracket_moves import start
from tournament.domain.errors import PlayersRefused
from tournament.domain.model import PlayerId
from tournament.event_file import Event, document_of, parse_event_file, write_event_file
from tournament.event_file.answers import paired_round, with_round
from tournament.event_file.entering import Newcomer, dropped, entered, ids_for, name_list, returned
from tournament.event_file.names import names_of, player_called

ANN, BOB, CAT = (PlayerId(one) for one in ("ann", "bob", "cat"))


@pytest.fixture
def event() -> Event:
    """Ann beat Bob in round 1, Cat had the bye."""
    return parse_event_file(json.dumps(PLAIN))


def reasons(refused: pytest.ExceptionInfo[PlayersRefused]) -> list[str]:
    return list(refused.value.reasons)


# --- ids


@pytest.mark.parametrize(
    ("names", "ids"),
    [
        (["Ada", "Ben"], ["ada", "ben"]),
        (["Ann Smith", "Ann Brown", "Bob Smith"], ["ann-s", "ann-b", "bob"]),
        (["Ann Smith", "Ann Sutton", "Ann"], ["ann-smith", "ann-sutton", "ann"]),
        (["Ann", "Ann", "ANN"], ["ann-1", "ann-2", "ann-3"]),
        (["Łukasz", "Zoë", "Jean-Luc", "O'Neill", "Straße"], ["lukasz", "zoe", "jean-luc", "oneill", "strasse"]),
        (["がき", "مریم"], ["がき", "مریم"]),
        (["!!!", "-"], ["player-1", "player-2"]),
    ],
)
def test_an_id_is_short_and_says_whom_it_means(names: list[str], ids: list[str]) -> None:
    assert ids_for(names) == ids


def test_a_newcomer_takes_nobody_s_id() -> None:
    assert ids_for(["Ann Smith", "Bob"], ["ann", "Bob"]) == ["ann-s", "bob-2"]
    assert ids_for(["Ann Stone"], ["ann-s", "ann-b"], ["Ann Smith", "Ann Brown"]) == ["ann-stone"]


@given(st.lists(st.text(ascii_letters + " -'1é", min_size=1, max_size=6), max_size=9), st.sets(st.text("ab-12")))
def test_ids_differ_from_each_other_and_from_all_there_are(names: list[str], taken: set[str]) -> None:
    ids = ids_for(names, taken)
    assert len({*ids, *taken}) == len(ids) + len(taken)
    assert all(one == one.strip() and one for one in ids)


# --- lists


def test_a_list_is_a_name_a_line() -> None:
    found = name_list("Ann\n\n  Bob   B \r\nSmith, Cat\n")
    assert [one.name for one in found.newcomers] == ["Ann", "Bob B", "Smith, Cat"]
    assert not found.is_table
    assert name_list(" \n").newcomers == ()


def test_a_table_has_a_head_and_may_have_more_columns() -> None:
    found = name_list('First Name;Last Name;ID;Table;Byes;E-mail\nAnn;"Smith; jr";as;3;1;x@y\n;;;;;\nBob;;;;;\n')
    assert found.newcomers == (Newcomer("Ann Smith; jr", "as", 3, 1), Newcomer("Bob"))
    assert found.unused == ("e-mail",)
    assert name_list("name\nAnn").newcomers == (Newcomer("Ann"),)


def test_every_row_that_cannot_be_read_is_told() -> None:
    with pytest.raises(PlayersRefused) as refused:
        name_list("name,table,byes\nAnn,0,-1\n,3,\nBob,,\n")
    assert reasons(refused) == [
        "row 2: table is '0'; it must be a number from 1",
        "row 2: awarded_byes is '-1'; it must be a number from 0",
        "row 3 has no name",
    ]


# --- entering


def test_a_late_entry_is_paired_from_its_round_on(event: Event) -> None:
    after = entered(event, [Newcomer("Dan", table=7)], number=2)
    assert document_of(after)["players"][-1] == {"id": "dan", "name": "Dan", "entered_in": 2, "table": 7}
    seats = with_round(after, paired_round(after)).rounds[-1].seats
    assert len(seats) == 2
    assert parse_event_file(write_event_file(after)) == after


def test_everything_that_is_wrong_with_newcomers_is_told(event: Event) -> None:
    with pytest.raises(PlayersRefused) as refused:
        entered(
            event, [Newcomer("ann"), Newcomer("D\x07"), Newcomer("Eve", id=" e"), Newcomer("Fay", id="bob")], number=2
        )
    assert reasons(refused) == [
        "name 2, 'D\\x07': has the character U+0007, which no reader would see",
        "name 3, 'Eve': ' e' has spaces around it; take them away",
        "'ann' is there already, as ann; --namesakes lets two have one name",
        "the id 'bob' is given twice",
    ]
    both = entered(event, [Newcomer("Ann")], number=2, namesakes=True)
    assert names_of(both) == {ANN: "Ann (ann)", BOB: "Bob", CAT: "Cat", "ann-2": "Ann (ann-2)"}


def test_nobody_enters_what_is_over(event: Event) -> None:
    two = with_round(event, paired_round(event))
    with pytest.raises(PlayersRefused, match="round 1 is over"):
        entered(two, [Newcomer("Dan")], number=1)
    with pytest.raises(PlayersRefused, match="the cut has begun"):
        entered(replace(event, cut=start([ANN, BOB])), [Newcomer("Dan")], number=2)


# --- leaving and coming back


def test_who_leaves_has_played_the_last_round_with_a_place(event: Event) -> None:
    after = dropped(event, [ANN, CAT])
    assert [player.dropped_after for player in after.players] == [1, None, 1]
    late = entered(event, [Newcomer("Dan")], number=2)
    assert dropped(late, [PlayerId("dan")]).players[-1].dropped_after == 0


def test_who_is_at_an_open_table_does_not_leave(event: Event) -> None:
    two = with_round(event, paired_round(event))
    seated = next(seat for seat in two.rounds[1].seats if hasattr(seat, "first"))
    with pytest.raises(PlayersRefused, match="which is open: report its result first"):
        dropped(two, [seated.first])
    with pytest.raises(PlayersRefused) as refused:
        dropped(replace(dropped(event, [ANN]), cut=start([BOB, CAT])), [ANN, BOB])
    assert reasons(refused) == [
        "Ann has left already",
        "Bob is in the cut, which `event-file match FILE --drop bob` is for",
    ]


def test_who_has_left_may_still_be_disqualified(event: Event) -> None:
    after = dropped(dropped(event, [ANN]), [ANN], disqualified=True)
    assert (after.players[0].dropped_after, after.players[0].disqualified) == (1, True)
    with pytest.raises(PlayersRefused, match="Ann was disqualified"):
        returned(after, [ANN], number=2)


def test_who_comes_back_was_absent(event: Event) -> None:
    gone = dropped(event, [ANN])
    two = with_round(gone, paired_round(gone))
    back = returned(two, [ANN], number=3)
    assert (back.players[0].dropped_after, back.absent) == (None, {ANN: (2,)})
    assert parse_event_file(write_event_file(back)) == back
    assert returned(gone, [ANN], number=2) == event
    with pytest.raises(PlayersRefused, match="Bob has not left"):
        returned(event, [BOB], number=2)


def test_who_never_played_comes_back_as_a_late_entry(event: Event) -> None:
    dan = PlayerId("dan")
    gone = dropped(entered(event, [Newcomer("Dan")], number=2), [dan])
    back = returned(gone, [dan], number=3)
    assert (back.players[-1].entered_in, back.players[-1].dropped_after, back.absent) == (3, None, {})


# --- whom a word means


def test_a_word_is_an_id_or_else_a_name(event: Event) -> None:
    assert player_called(event, "ann") == player_called(event, " ANN ") == ANN
    assert player_called(event, "anm") == "'anm' is nobody's id or name; did you mean 'ann'?"
    twice = entered(event, [Newcomer("Bob")], number=2, namesakes=True)
    assert player_called(twice, "Bob") == "'Bob' is the name of several; give an id: bob, bob-2"
    assert player_called(twice, "bob") == BOB
