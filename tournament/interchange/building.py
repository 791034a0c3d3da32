"""Reading with care: bytes to text, text to numbers, and an event built seat by seat, every fault kept with its place.

Nothing here raises before the end: `EventBuilder.finish` gives the event, or raises one exception with all faults.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tournament.domain.errors import EventUnwritable, FaultAt, FileUnreadable
from tournament.domain.letters import UNSEEN
from tournament.domain.model import Bye, Pairing, Player, PlayerId, Result, Round, Seat
from tournament.domain.results import contradictions
from tournament.domain.tiebreaks import MOST_GAMES
from tournament.interchange.event import CutPlace, Event, Reading

MOST_BYTES = 16 * 1024 * 1024
"""Larger than 20,000 players with 15 rounds in the wordiest of the formats."""

MOST_ROUNDS = 200
"""Far beyond any event; a round number above it is a misprint, and would be a list of empty rounds."""

MOST_DIGITS = 9
"""Of any number in a file."""

MOST_LETTERS = 200
"""Of a name or an id."""


_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is the first half of this one
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WORKBOOKS = (
    (b"PK\x03\x04", "a workbook of a spreadsheet, or an archive"),
    (b"\xd0\xcf\x11\xe0", "a workbook of an old spreadsheet"),
)
"""First bytes of what people send in place of a CSV."""

_UNFIT = re.compile(f"[{UNSEEN}]")


def decoded(content: bytes | str, file_format: str, *, or_latin: bool = False) -> str:
    """The text of a file: UTF-8 with or without a byte order mark, UTF-16 or UTF-32 with one.

    Args:
        content: of the file.
        file_format: for the refusal.
        or_latin: read it as Windows-1252 if it is none of these, as old programs write names.

    Raises:
        FileUnreadable: too large, or not text.
    """
    if len(content) > MOST_BYTES:
        raise FileUnreadable(file_format, [FaultAt("file", f"has {len(content)} bytes; at most {MOST_BYTES} are read")])
    if isinstance(content, str):
        return content.removeprefix("\ufeff")
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8-sig")
    if encoding == "utf-8-sig" and (strange := _no_text(content)):
        raise FileUnreadable(file_format, [FaultAt("file", strange)])
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        if or_latin and encoding == "utf-8-sig":
            return content.decode("cp1252", errors="replace")
        said = f"is not {encoding.removesuffix('-sig').upper()} text; save it as UTF-8 (in a spreadsheet: CSV UTF-8)"
        raise FileUnreadable(file_format, [FaultAt(f"byte {error.start}", said)]) from error


def _no_text(content: bytes) -> str:
    """What a file is that is no text, and what to do; empty if it may be text."""
    for mark, what in _WORKBOOKS:
        if content.startswith(mark):
            return f"is {what}, not text; save it from the program as CSV UTF-8"
    if b"\0" in content:
        return "holds zero bytes, as UTF-16 without its byte order mark does; save it as UTF-8"
    return ""


def whole_number(text: str) -> int | None:
    """Read digits and nothing else; None if it is anything else, or too long to be meant."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS else None


def one_line(text: str) -> str:
    """The text with each run of white space as one space, and none at the ends."""
    return " ".join(text.split())


class EventBuilder:
    """Collects an event and every fault of its file."""

    def __init__(self, file_format: str) -> None:
        self.name = ""
        self.faults: list[FaultAt] = []
        self.lost: list[str] = []
        self.divisions: dict[PlayerId, str] = {}
        self._format = file_format
        self._players: dict[PlayerId, Player] = {}
        self._rounds: dict[int, list[Seat]] = {}
        self._cut: set[int] = set()
        self._cut_places: list[CutPlace] = []
        self._seated: dict[PlayerId, set[int]] = {}
        self._last_table: dict[int, int] = {}

    def fault(self, place: str, problem: str) -> None:
        """Note something that is wrong, where it is."""
        self.faults.append(FaultAt(place, problem))

    def lose(self, place: str, what: str) -> None:
        """Note something that an event cannot hold, where it is."""
        self.lost.append(f"{place}: {what}")

    def text(self, raw: str, place: str) -> str:
        """A name or an id on one line; what no file could hold is a fault."""
        text = one_line(raw)
        if wrong := _UNFIT.search(text):
            self.fault(place, f"has the character U+{ord(wrong[0]):04X}, which no reader would see")
            return ""
        if len(text) > MOST_LETTERS:
            self.fault(place, f"has {len(text)} letters; at most {MOST_LETTERS} are read")
            return ""
        return text

    def number(self, raw: str, place: str, *, least: int = 0) -> int | None:
        """A whole number from `least`; anything else is a fault."""
        number = whole_number(raw)
        if number is None or number < least:
            self.fault(place, f"is {raw.strip()[:MOST_DIGITS]!r}; a whole number from {least} belongs there")
            return None
        return number

    def add_player(self, raw_id: str, raw_name: str, place: str) -> PlayerId | None:
        """Enter a player; an id that is empty or taken is a fault, an empty name is replaced by the id."""
        player, name = PlayerId(self.text(raw_id, place)), self.text(raw_name, place)
        if not player:
            self.fault(place, "a player without an id")
            return None
        if player in self._players:
            self.fault(place, f"the id {player} is taken by {self._players[player].name!r}")
            return None
        if not name:
            self.lose(place, f"player {player} has no name and is called by the id")
        self._players[player] = Player(id=player, name=name or player)
        return player

    def dropped(self, player: PlayerId, after: int) -> None:
        """Note the last round a player played."""
        self._players[player] = replace(self._players[player], dropped_after=after)

    def entered(self, player: PlayerId, round_: int) -> None:
        """Note a round that a late entry may be in at the earliest; the latest such round counts."""
        known = self._players[player]
        self._players[player] = replace(known, entered_in=max(round_, known.entered_in))

    def knows(self, player: str) -> bool:
        """Say whether somebody of that id is entered."""
        return player in self._players

    def is_seated(self, round_: int, player: PlayerId) -> bool:
        """Say whether the player has a seat in that round."""
        return round_ in self._seated.get(player, ())

    def first_seat(self, player: PlayerId) -> int | None:
        """The first round that the player sits in."""
        return min(self._seated.get(player, ()), default=None)

    def open_round(self, number: int, place: str, *, elimination: bool = False) -> bool:
        """Begin a round, or go on with it; say whether its number can be."""
        if not 1 <= number <= MOST_ROUNDS:
            self.fault(place, f"round {number}: rounds are numbered from 1 to {MOST_ROUNDS}")
            return False
        if number in self._rounds and elimination != (number in self._cut):
            self.fault(place, f"round {number} is of the Swiss rounds and of the cut")
        self._rounds.setdefault(number, [])
        if elimination:
            self._cut.add(number)
        return True

    def is_cut(self, number: int) -> bool:
        """Say whether that is an elimination round."""
        return number in self._cut

    def bye(self, round_: int, player: str, place: str, bye: Bye | None = None) -> None:
        """Give a bye."""
        if self._may_sit(round_, player, place):
            self._rounds[round_].append(bye or Bye(PlayerId(player)))

    def pairing(
        self, round_: int, table: int | None, players: tuple[str, str], result: Result | None, place: str
    ) -> None:
        """Pair two players; a table without a number gets the next one of its round."""
        for found in contradictions(result) if result else ():
            self.fault(place, found.sentence)
        first, second = (self._may_sit(round_, player, place) for player in players)
        if first and second:
            number = self._last_table.get(round_, 0) + 1 if table is None else table
            self._last_table[round_] = max(number, self._last_table.get(round_, 0))
            self._rounds[round_].append(Pairing(number, PlayerId(players[0]), PlayerId(players[1]), result))

    def cut_place(self, place: CutPlace) -> None:
        """Note a place of the cut."""
        self._cut_places.append(place)

    def _may_sit(self, round_: int, player: str, place: str) -> bool:
        if not self.knows(player):
            self.fault(place, f"player {player[:MOST_LETTERS]!r} is not in the event")
            return False
        if self.is_seated(round_, PlayerId(player)):
            self.fault(place, f"player {player} sits in round {round_} already")
            return False
        self._seated.setdefault(PlayerId(player), set()).add(round_)
        return True

    def finish(self) -> Reading:
        """The event, if nothing was wrong.

        Raises:
            FileUnreadable: with every fault.
        """
        for number in range(1, max(self._rounds, default=0) + 1):
            if number not in self._rounds:
                self.fault(f"round {number}", "is missing, and a later one is there")
        swiss = sorted(self._rounds.keys() - self._cut)
        if swiss and self._cut and min(self._cut) < swiss[-1]:
            self.fault(f"round {min(self._cut)}", "is an elimination round before the last Swiss round")
        if self.faults:
            raise FileUnreadable(self._format, self.faults)
        return Reading(
            Event(
                self.name,
                tuple(self._players.values()),
                self._made(swiss),
                self._made(sorted(self._cut)),
                tuple(self._cut_places),
                self.divisions,
            ),
            tuple(self.lost),
        )

    def _made(self, numbers: Iterable[int]) -> tuple[Round, ...]:
        return tuple(Round(number, tuple(self._rounds[number])) for number in numbers)


def check_writable(event: Event, file_format: str) -> None:
    """Hold an event to what every reader here demands of a file.

    Raises:
        EventUnwritable: ids or names that are no text, a player in two seats of a round, rounds with a hole.
    """
    builder = EventBuilder(file_format)
    builder.text(event.name, "the event's name")
    for player in event.players:
        builder.add_player(player.id, player.name, f"player {player.id!r}")
    for round_ in (*event.rounds, *event.cut):
        _seat_all(builder, round_, elimination=round_ in event.cut)
    for player in event.players:
        first = builder.first_seat(player.id)
        if first is not None and first < player.entered_in:
            builder.fault(f"player {player.id!r}", f"sits in round {first} and entered in round {player.entered_in}")
    try:
        builder.finish()
    except FileUnreadable as error:
        raise EventUnwritable(file_format, [str(fault) for fault in error.faults]) from error


def _seat_all(builder: EventBuilder, round_: Round, *, elimination: bool) -> None:
    place = f"round {round_.number}"
    if not builder.open_round(round_.number, place, elimination=elimination):
        return
    for seat in round_.seats:
        if isinstance(seat, Bye):
            builder.bye(round_.number, seat.player, place)
        else:
            builder.pairing(round_.number, seat.table, (seat.first, seat.second), seat.result, place)
            result = seat.result or Result(0, 0)
            if not all(0 <= n <= MOST_GAMES for n in (seat.table, result.first, result.second, result.drawn)):
                builder.fault(f"{place}, table {seat.table}", f"tables and games are counted from 0 to {MOST_GAMES}")


def lost_in_text(event: Event) -> Iterator[str]:
    """Names and ids that change because every format here keeps them on one line, and calls the nameless by the id."""
    for text in (event.name, *(word for player in event.players for word in (player.id, player.name))):
        if text != one_line(text):
            yield f"{text!r} is written as {one_line(text)!r}"
    for player in event.players:
        if not one_line(player.name):
            yield f"player {player.id}: has no name, and is read back as {one_line(player.id)!r}"
