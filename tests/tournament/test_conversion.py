"""An event file as the event of other programs and back: what is read off, and what is said to be lost."""

import json
from pathlib import Path

import pytest
from hypothesis import given

from tests.tournament.event_file.world import FULL, PLAIN, events
from tournament import event_file
from tournament.conversion import NAMELESS, USUAL_PRESETS, exported, format_of, imported
from tournament.domain.errors import EventUnwritable
from tournament.domain.model import Bye, ByeKind, Pairing, Player, PlayerId, Result, Round
from tournament.domain.presets import PRESETS
from tournament.interchange.event import CutPlace, Event
from tournament.interchange.formats import FORMATS

ANN, BOB, CAT = (PlayerId(name) for name in ("ann", "bob", "cat"))
SAMPLES = Path(__file__).parent / "interchange" / "samples"


def entered(**dropped: int | None) -> tuple[Player, ...]:
    return tuple(Player(id=PlayerId(name), name=name.title(), dropped_after=last) for name, last in dropped.items())


def file_of(event: Event) -> event_file.Event:
    return imported(event, draw="town clock", game="cps", preset="wer").event


@given(events())
def test_players_and_rounds_come_back_as_they_were(event: event_file.Event) -> None:
    there = exported(event).event
    assert (there.name, there.players, there.rounds) == (event.name, event.players, event.rounds)


# round 1: ann-bob, cat absent; round 2: ann-cat, bob absent; bob and cat stay to the end
def test_who_has_no_seat_between_the_first_and_the_last_own_round_was_absent() -> None:
    rounds = (Round(1, (Pairing(1, ANN, BOB, Result(2, 0)),)), Round(2, (Pairing(1, ANN, CAT, Result(0, 2)),)))
    made = file_of(Event("x", entered(ann=None, bob=None, cat=None), rounds))
    assert made.absent == {BOB: (2,), CAT: (1,)}
    assert file_of(Event("x", entered(ann=None, bob=1, cat=None), rounds)).absent == {CAT: (1,)}


def test_byes_brought_along_are_those_from_round_1_on() -> None:
    byes = [Bye(ANN, ByeKind.AWARDED), Bye(BOB), Bye(CAT, ByeKind.AWARDED)]
    rounds = (Round(1, (byes[0], byes[1])), Round(2, (byes[0], byes[2])), Round(3, (byes[1],)))
    made = file_of(Event("x", entered(ann=None, bob=None, cat=None), rounds))
    assert [player.awarded_byes for player in made.players] == [2, 0, 0]


@pytest.mark.parametrize("tables", [(0, 1), (3, 3), (2_000_000, 1)])
def test_tables_that_an_event_file_cannot_have_are_numbered_anew(tables: tuple[int, int]) -> None:
    players = entered(ann=None, bob=None, cat=None, dan=None)
    seats = (Pairing(tables[0], ANN, BOB), Pairing(tables[1], CAT, PlayerId("dan")))
    made = imported(Event("x", players, (Round(1, seats),)), draw="d", game="cps", preset="wer")
    assert [seat.table for seat in made.event.rounds[0].seats if isinstance(seat, Pairing)] == [1, 2]
    assert made.lost == ("round 1: tables are numbered anew",)


def test_what_an_event_file_does_not_have_is_said() -> None:
    cut = (Round(1, (Pairing(1, ANN, BOB, Result(2, 0)),)),)
    event = Event("", entered(ann=None, bob=None), (), cut, (CutPlace(ANN, 1),), {ANN: "junior"})
    made = imported(event, draw="d", game="cps", preset="wer")
    assert made.event.name == NAMELESS
    assert made.lost == (
        f"the event has no name and is called {NAMELESS!r}",
        "the cut is not written",
        "divisions are not written",
    )


def test_an_event_that_contradicts_itself_is_no_event_file() -> None:
    rounds = (Round(1, (Pairing(1, ANN, BOB, Result(2, 0)),)),)
    with pytest.raises(EventUnwritable, match="'bob' left before the first round and has a place in round 1"):
        file_of(Event("x", entered(ann=None, bob=0), rounds))


def test_what_only_an_event_file_has_is_said() -> None:
    plain, full = map(read, (PLAIN, FULL))
    assert exported(plain).lost == ("the game, the draw and the preset are not written",)
    assert len(exported(full).lost) == 6


def read(document: dict[str, object]) -> event_file.Event:
    return event_file.parse_event_file(json.dumps(document))


@pytest.mark.parametrize(
    ("sample", "name"),
    [("two_divisions.tdf", "tdf"), ("store_night.json", "nrtm"), ("club_evening.trf", "trf"), ("night.csv", "csv")],
)
def test_a_sample_is_known_by_how_it_begins_and_becomes_an_event_file(sample: str, name: str) -> None:
    content = (SAMPLES / sample).read_bytes()
    assert format_of(content) == format_of(b"\xef\xbb\xbf" + content) == name
    made = imported(FORMATS[name].parse(content).event, draw="d", game="cps", preset=USUAL_PRESETS[name]).event
    assert event_file.parse_event_file(event_file.write_event_file(made)) == made
    assert made.players
    assert USUAL_PRESETS.keys() == FORMATS.keys()
    assert USUAL_PRESETS[name] in PRESETS


def test_an_event_file_is_known_by_its_version() -> None:
    assert format_of(event_file.write_event_file(read(PLAIN)).encode()) == "json"
    assert format_of(b"") == "trf"
