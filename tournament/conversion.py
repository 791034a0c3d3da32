"""An event file as the event that other programs' files hold, and back, each with what is lost.

    imported(event, …) -> Converted      of `interchange`, as an event file
    exported(event) -> Converted         of an event file, for `interchange`
    format_of(content) -> str            which kind of file it is, by its first letters

What the format of the other program loses is said by its reader and its writer.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final, Generic, TypeGuard, TypeVar

from tournament import event_file
from tournament.domain.errors import EventFileUnreadable, EventUnwritable
from tournament.domain.model import Bye, ByeKind, Pairing, Player, PlayerId, Round, Seat
from tournament.event_file.answers import refuse_pods
from tournament.event_file.model import MOST_NUMBER
from tournament.interchange.event import Event as OtherEvent

EVENT_FILE: Final = "json"
"""The name of the event file among the formats."""

USUAL_PRESETS: Final = {"tdf": "pokemon", "nrtm": "netrunner", "trf": "buchholz", "csv": "mtr-2026"}
"""How the events of each format are usually ranked."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Converted(Generic[T]):
    """An event in another form."""

    event: T
    lost: tuple[str, ...]
    """What that form does not have, a sentence each."""


def format_of(content: bytes) -> str:
    """The format of a file, by how it begins: `json`, `nrtm`, `tdf`, `csv` or `trf`; of what is none of them, `trf`."""
    begin = content[:_ENOUGH].removeprefix(b"\xef\xbb\xbf").lstrip()
    if begin.startswith(b"<"):
        return "tdf"
    if begin.startswith(b"{"):
        return EVENT_FILE if re.search(rb'"version"\s*:', begin) else "nrtm"
    return "csv" if b"first_id" in begin.partition(b"\n")[0].lower() else "trf"


_ENOUGH = 4096
"""Bytes among which an event file has its version, and a table of results its heading."""


# --- to an event file -------------------------------------------------------------------------------------------------


def imported(event: OtherEvent, *, draw: str, game: str, preset: str) -> Converted[event_file.Event]:
    """The event as an event file says it: when players were absent, and which byes they brought along, is read off.

    Args:
        event: as a reader of `interchange` gave it.
        draw: the public draw for the rounds to come; no other program's file has one.
        game: any text.
        preset: how the standings are computed.

    Raises:
        EventUnwritable: the event contradicts itself, as an event file may not; with every reason.
    """
    rounds = tuple(map(_with_tables, event.rounds))
    seated = {played.number: {player for seat in played.seats for player in _who(seat)} for played in rounds}
    awarded = [{seat.player for seat in played.seats if _is_awarded(seat)} for played in rounds]
    made = event_file.Event(
        name=event.name or NAMELESS,
        game=game,
        draw=draw,
        preset=preset,
        players=tuple(_with_awarded_byes(player, awarded) for player in event.players),
        rounds=rounds,
        absent={player.id: away for player in event.players if (away := tuple(_away(player, seated)))},
    )
    try:
        event_file.parse_event_file(event_file.write_event_file(made))
    except EventFileUnreadable as error:
        raise EventUnwritable("an event file", [fault.problem for fault in error.faults]) from error
    return Converted(made, tuple(_lost_in_event_file(event, rounds)))


NAMELESS: Final = "Event without a name"


def _with_tables(played: Round) -> Round:
    """The round, its tables numbered from 1 if they were not, or not each by its own number."""
    tables = [seat.table for seat in played.seats if isinstance(seat, Pairing)]
    if len(set(tables)) == len(tables) and all(1 <= table <= MOST_NUMBER for table in tables):
        return played
    numbers = iter(range(1, len(tables) + 1))
    seats = (replace(seat, table=next(numbers)) if isinstance(seat, Pairing) else seat for seat in played.seats)
    return Round(played.number, tuple(seats))


def _is_awarded(seat: Seat) -> TypeGuard[Bye]:
    return isinstance(seat, Bye) and seat.kind is ByeKind.AWARDED


def _with_awarded_byes(player: Player, awarded: Sequence[Collection[PlayerId]]) -> Player:
    """As many byes as the player had in a row from round 1 on."""
    byes = sum(1 for _ in takewhile(lambda holders: player.id in holders, awarded))
    return replace(player, awarded_byes=max(byes, player.awarded_byes))


def _away(player: Player, seated: Mapping[int, Collection[PlayerId]]) -> Iterator[int]:
    """Rounds that the player sat out between the first and the last own one."""
    for number, players in seated.items():
        gone = player.dropped_after is not None and number > player.dropped_after
        if number >= player.entered_in and not gone and player.id not in players:
            yield number


def _who(seat: Seat) -> tuple[PlayerId, ...]:
    return (seat.player,) if isinstance(seat, Bye) else (seat.first, seat.second)


def _lost_in_event_file(event: OtherEvent, rounds: Collection[Round]) -> Iterator[str]:
    if not event.name:
        yield f"the event has no name and is called {NAMELESS!r}"
    for before, after in zip(event.rounds, rounds, strict=True):
        if before != after:
            yield f"round {after.number}: tables are numbered anew"
    if event.cut or event.cut_places:
        yield "the cut is not written"
    if event.divisions:
        yield "divisions are not written"


# --- from an event file -----------------------------------------------------------------------------------------------


def exported(event: event_file.Event) -> Converted[OtherEvent]:
    """The event as the writers of `interchange` take it. Raises: TablesOfSeveral."""
    refuse_pods(event, "write the file of another program")
    return Converted(OtherEvent(event.name, event.players, event.rounds), tuple(_lost_in_others(event)))


def _lost_in_others(event: event_file.Event) -> Iterator[str]:
    yield "the game, the draw and the preset are not written"
    if event.best_of is not None:
        yield "how many games decide a match is not written"
    if event.apart:
        yield "who is to be kept apart is not written"
    if event.cut is not None:
        yield "the cut is not written"
    if event.penalties:
        yield "penalties are not written; what they did to results is in these"
    if event.absent:
        yield "who sat out a round is told by having no table in it"
    if event.stood:
        yield "which tables stood when others changed is not written"
    if _has_note(event.written):
        yield "notes are not written"


def _has_note(value: object) -> bool:
    if isinstance(value, dict):
        return "note" in value or any(map(_has_note, value.values()))
    return isinstance(value, list) and any(map(_has_note, value))
