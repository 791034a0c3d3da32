"""Every format: there and back, nothing lost unsaid, and no input that crashes."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from tournament.domain.errors import EventUnwritable, FileUnreadable
from tournament.domain.model import Bye, ByeKind, Ending, Pairing, Player, PlayerId, Result, Round, Seat
from tournament.domain.results import contradictions
from tournament.interchange.building import MOST_BYTES
from tournament.interchange.event import CutPlace, Event
from tournament.interchange.formats import FORMATS

SAMPLES = {
    "tdf": "two_divisions.tdf",
    "nrtm": "store_night.json",
    "trf": "club_evening.trf",
    "csv": "night.csv",
}


def sample(name: str) -> bytes:
    return (Path(__file__).parent / "samples" / SAMPLES[name]).read_bytes()


# --- any event ------------------------------------------------------------------------------------------------------

WORDS = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs"), exclude_characters="\ufffe\uffff"), max_size=12
)
NAMES = st.lists(WORDS.filter(bool), min_size=1, max_size=3).map(" ".join)
IDS = st.one_of(st.integers(1, 9_999_999).map(str), WORDS.filter(bool))
RESULTS = st.one_of(
    st.none(),
    st.builds(Result, st.integers(0, 2), st.integers(0, 2), st.integers(0, 3), st.sampled_from(Ending)).filter(
        lambda result: not contradictions(result)
    ),
    st.sampled_from([Result(1, 0), Result(0, 1), Result(0, 0, 1), Result(0, 0, 0, Ending.DOUBLE_LOSS)]),
)


@st.composite
def seats(draw: st.DrawFn, players: Sequence[PlayerId]) -> tuple[Seat, ...]:
    order = draw(st.permutations(players))
    paired = draw(st.integers(0, len(order) // 2))
    pairs = [(order[2 * at], order[2 * at + 1]) for at in range(paired)]
    tables = draw(
        st.one_of(st.just(range(1, paired + 1)), st.lists(st.integers(1, 99), min_size=paired, max_size=paired))
    )
    made: list[Seat] = [Pairing(table, *pair, draw(RESULTS)) for table, pair in zip(tables, pairs, strict=True)]
    alone = [player for player in order if all(player not in pair for pair in pairs)]
    byes = draw(st.lists(st.sampled_from(alone), unique=True)) if alone else []
    return (*made, *(Bye(player, draw(st.sampled_from(ByeKind))) for player in byes))


@st.composite
def events(draw: st.DrawFn) -> Event:
    ids = draw(
        st.lists(st.one_of(IDS, st.integers(1, 8).map(str)), unique=True, max_size=7).map(
            lambda i: list(map(PlayerId, i))
        )
    )
    swiss, elimination = draw(st.integers(0, 4)), draw(st.integers(0, 2))
    maybe = st.booleans()
    players = tuple(
        Player(
            id=player,
            name=draw(st.one_of(NAMES, st.just(""))),
            entered_in=draw(st.integers(1, 3)) if draw(maybe) else 1,
            dropped_after=draw(st.integers(0, 4)) if draw(maybe) else None,
            awarded_byes=draw(st.sampled_from([0, 0, 0, 1])),
            table=draw(st.sampled_from([None, None, None, 5])),
            disqualified=draw(st.sampled_from([False, False, False, True])),
        )
        for player in ids
    )
    rounds = tuple(
        Round(number, draw(seats([player.id for player in players if player.entered_in <= number])))
        for number in range(1, swiss + elimination + 1)
    )
    return Event(
        draw(st.one_of(st.just(""), NAMES)),
        players,
        rounds[:swiss],
        rounds[swiss:],
        tuple(CutPlace(player, place, None) for place, player in enumerate(ids[: draw(st.integers(0, 2))], start=1)),
        {player: draw(st.sampled_from(["junior", "master"])) for player in ids if draw(maybe)},
    )


def ordered(event: Event) -> Event:
    """The same event with the seats of each round in one order: divisions are written one after the other."""

    def sorted_seats(round_: Round) -> Round:
        return replace(round_, seats=tuple(sorted(round_.seats, key=repr)))

    return replace(event, rounds=tuple(map(sorted_seats, event.rounds)), cut=tuple(map(sorted_seats, event.cut)))


@pytest.mark.parametrize("name", FORMATS)
@given(event=events())
@settings(max_examples=150, deadline=None)
def test_what_is_written_can_be_read_and_nothing_is_lost_unsaid(name: str, event: Event) -> None:
    try:
        written = FORMATS[name].render(event)
    except EventUnwritable:
        reject()
    read = FORMATS[name].parse(written.text)
    assert written.lost or ordered(read.event) == ordered(event)
    assert all("has no name and is called by the id" in loss for loss in read.lost)


@pytest.mark.parametrize("name", FORMATS)
@given(event=events())
@settings(max_examples=60, deadline=None)
def test_what_survives_once_survives_for_ever(name: str, event: Event) -> None:
    try:
        once = FORMATS[name].parse(FORMATS[name].render(event).text).event
        again = FORMATS[name].render(once)
    except EventUnwritable:
        reject()
    assert ordered(FORMATS[name].parse(again.text).event) == ordered(once)
    assert all("TOM wants a number" in loss for loss in again.lost)


@pytest.mark.parametrize("name", FORMATS)
def test_a_player_without_a_name_is_said_to_come_back_with_the_id(name: str) -> None:
    event = Event("x", (Player(id=PlayerId("1"), name=""),), (Round(1, (Bye(PlayerId("1")),)),))
    written = FORMATS[name].render(event)
    assert "player 1: has no name, and is read back as '1'" in written.lost
    assert FORMATS[name].parse(written.text).event.players[0].name == "1"


# entered 1, 2; the table says 2-1
def test_a_table_of_results_says_that_it_orders_the_players() -> None:
    one, two = (Player(id=PlayerId(name), name=name) for name in ("1", "2"))
    played = (Round(1, (Pairing(1, two.id, one.id, Result(2, 0)),)),)
    told = "the order of the players becomes that of their first matches"
    assert told in FORMATS["csv"].render(Event("", (one, two), played)).lost
    assert told not in FORMATS["csv"].render(Event("", (two, one), played)).lost


@pytest.mark.parametrize("name", FORMATS)
def test_a_sample_survives_a_trip(name: str) -> None:
    read = FORMATS[name].parse(sample(name)).event
    assert FORMATS[name].parse(FORMATS[name].render(read).text).event == read


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("other", FORMATS)
def test_every_sample_can_be_written_in_every_format(name: str, other: str) -> None:
    event = FORMATS[name].parse(sample(name)).event
    written = FORMATS[other].render(event)
    assert len(FORMATS[other].parse(written.text).event.rounds) == len(event.rounds)
    assert all(isinstance(loss, str) for loss in written.lost)


# --- any input ------------------------------------------------------------------------------------------------------


def read_or_refuse(name: str, content: bytes | str) -> None:
    """Read it, or refuse with faults; and what was read can be written."""
    try:
        event = FORMATS[name].parse(content).event
    except FileUnreadable as error:
        event = Event(str(error), (), ())
    if event.players:
        FORMATS[name].parse(FORMATS[name].render(event).text)


@pytest.mark.parametrize("name", FORMATS)
@given(content=st.one_of(st.binary(max_size=300), st.text(max_size=300)))
@settings(max_examples=150, deadline=None)
def test_no_bytes_crash_a_reader(name: str, content: bytes | str) -> None:
    read_or_refuse(name, content)


@pytest.mark.parametrize("name", FORMATS)
@given(data=st.data())
@settings(max_examples=250, deadline=None)
def test_no_damaged_sample_crashes_a_reader(name: str, data: st.DataObject) -> None:
    content = sample(name)
    for _ in range(data.draw(st.integers(1, 4))):
        at, length = data.draw(st.integers(0, len(content))), data.draw(st.integers(0, 30))
        put = data.draw(
            st.one_of(st.binary(max_size=6), st.sampled_from([b"99999999999", b"-1", b'"', b"<", b"0", b"11"]))
        )
        content = content[:at] + put + content[at + length :]
    read_or_refuse(name, content)


KEYS = [
    *("id", "name", "players", "rounds", "table", "player1", "player2", "combinedScore", "corpScore", "rank"),
    *("eliminationPlayers", "eliminationGame", "winner", "intentionalDraw", "twoForOne", "seed"),
]
ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["5", "(BYE)", 5, 6]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=25,
)


@given(document=ANY_JSON)
@settings(max_examples=300, deadline=None)
def test_no_json_crashes_the_reader(document: object) -> None:
    read_or_refuse("nrtm", json.dumps(document))


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_no_json_in_the_place_of_another_crashes_the_reader(data: st.DataObject) -> None:
    document = json.loads(sample("nrtm"))
    here = document
    for _ in range(data.draw(st.integers(1, 5))):
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        key = data.draw(st.sampled_from(keys)) if keys else None
        if key is None or not isinstance(here[key], dict | list):
            break
        here = here[key]
    if here:
        here[data.draw(st.sampled_from(list(here) if isinstance(here, dict) else list(range(len(here)))))] = data.draw(
            ANY_JSON
        )
    read_or_refuse("nrtm", json.dumps(document))


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_beyond_all_sizes_is_refused(name: str) -> None:
    with pytest.raises(FileUnreadable, match="at most"):
        FORMATS[name].parse(b" " * (MOST_BYTES + 1))


# --- what cannot be written -----------------------------------------------------------------------------------------

ANN, BOB = PlayerId("1"), PlayerId("2")
TWO = (Player(id=ANN, name="Ann"), Player(id=BOB, name="Bob"))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (Event("x", TWO, (Round(1, (Bye(ANN), Pairing(1, ANN, BOB))),)), "player 1 sits in round 1 already"),
        (Event("x", TWO, (Round(1, (Bye(PlayerId("3")),)),)), "player '3' is not in the event"),
        (Event("x", TWO, (Round(2, (Bye(ANN),)),)), "round 1: is missing"),
        (Event("x", (*TWO, Player(id=ANN, name="Cat")), ()), "the id 1 is taken by 'Ann'"),
        (Event("x", TWO, (Round(1, (Pairing(1, ANN, BOB, Result(-1, 0)),)),)), "counted from 0"),
        (Event("\x00", TWO, ()), "which no reader would see"),
        (Event("left \u202e right", TWO, ()), r"U\+202E, which no reader would see"),
        (Event("a\u200bb", TWO, ()), r"U\+200B, which no reader would see"),
        (Event("x", (Player(id=ANN, name="Ann", entered_in=2),), (Round(1, (Bye(ANN),)),)), "entered in round 2"),
        (Event("x", TWO, (Round(2, ()),), (Round(1, ()),)), "before the last Swiss round"),
    ],
)
def test_an_event_that_nobody_could_read_back_is_refused(name: str, event: Event, reason: str) -> None:
    with pytest.raises(EventUnwritable, match=reason):
        FORMATS[name].render(event)


def test_every_reason_is_given_at_once() -> None:
    event = Event("x", TWO, (Round(1, (Bye(PlayerId("3")), Pairing(1, ANN, ANN))),))
    with pytest.raises(EventUnwritable) as refused:
        FORMATS["csv"].render(event)
    assert refused.value.reasons == [
        "round 1: player '3' is not in the event",
        "round 1: player 1 sits in round 1 already",
    ]
