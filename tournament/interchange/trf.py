"""FIDE Tournament Report Files, 2016 (TRF16), as chess pairing programs exchange them.

Lines of fixed columns, each beginning with a three-digit code. `012` is the name of the event, `062` the number of
players. A `001` line is a player: columns 5-8 the starting rank, 15-47 the name, 81-84 points, 86-89 rank, and from
column 92 ten columns for each round: four for the opponent's starting rank (0000: none), then the colour (w, b or -)
and the result, each after a space. Results: 1 = 0 won, drawn, lost; + - won or lost without play; W D L as 1 = 0, not
rated; F and H a full and a half point without opponent, U the bye of an odd number, Z or nothing an absence.

The first player of a pairing is White. Players who are absent from the beginning came late; players who are absent
until the end dropped. Lost in reading: FIDE numbers, ratings, federations, dates, half points without an opponent (they
become absences). Lost in writing: games (a match is one game here), tables, ids, the cut, how a match ended except a
no-show or a double loss, and everything that a chess federation wants to know of a player.

Source: FIDE Handbook C.04, appendix: "Data-Exchange Format", 2016. Not read: the extensions of pairing programs (XXR,
XXC, BBW) and team lines.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tournament.domain.errors import EventUnwritable
from tournament.domain.model import Bye, ByeKind, Ending, Pairing, Player, PlayerId, Result, Round
from tournament.domain.results import Outcome, outcome
from tournament.interchange.building import (
    MOST_ROUNDS,
    EventBuilder,
    check_writable,
    decoded,
    lost_in_text,
    one_line,
    whole_number,
)
from tournament.interchange.event import Event, Reading, Writing

FORMAT = "a FIDE tournament report (TRF16)"

NAME, PLAYER = "012", "001"
"""Codes of the lines that are read."""

RANK_COLUMNS = slice(4, 8)
NAME_COLUMNS = slice(14, 47)
FIRST_ROUND = 91
"""Where the ten columns of round 1 begin, counted from 0."""

ROUND_WIDTH = 10
MOST_PLAYERS = 9999
"""Four columns."""

NAME_WIDTH = 33

WHITE, BLACK, NO_COLOUR = "w", "b", "-"

_UNRATED = {"W": "1", "D": "=", "L": "0"}
_ABSENT = {"Z", ""}
_ALONE = {"U": Bye(PlayerId(""), ByeKind.ODD), "F": Bye(PlayerId(""), ByeKind.AWARDED), "+": Bye(PlayerId(""))}
"""Without an opponent: the bye of an odd number, a full point asked for, a win by default."""

_RESULTS: dict[tuple[str, str], Result | None] = {
    ("1", "0"): Result(1, 0),
    ("0", "1"): Result(0, 1),
    ("=", "="): Result(0, 0, 1),
    ("0", "0"): Result(0, 0, 0, Ending.DOUBLE_LOSS),
    ("+", "-"): Result(1, 0, 0, Ending.NO_SHOW),
    ("-", "+"): Result(0, 1, 0, Ending.NO_SHOW),
    ("-", "-"): Result(0, 0, 0, Ending.DOUBLE_LOSS),
    ("", ""): None,
}
"""What White's and Black's letters say together."""

_LETTERS = {
    Outcome.FIRST: ("1", "0"),
    Outcome.SECOND: ("0", "1"),
    Outcome.DRAW: ("=", "="),
    Outcome.NOBODY: ("-", "-"),
}


# --- reading --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Entry:
    """What one player's line says about one round."""

    opponent: int
    colour: str
    letter: str
    place: str


_Card: TypeAlias = dict[int, _Entry]
"""A player's entries, by round."""


def parse_trf(content: bytes | str) -> Reading:
    """Read a report; names may be UTF-8 or, as older programs write them, Windows-1252.

    Raises:
        FileUnreadable: not a report; every fault with its line and columns.
    """
    event, cards = EventBuilder(FORMAT), dict[int, _Card]()
    for at, line in enumerate(decoded(content, FORMAT, or_latin=True).splitlines(), start=1):
        if line.startswith(NAME):
            event.name = event.text(line[4:], f"line {at}")
        elif line.startswith(PLAYER):
            _read_line(event, cards, line, f"line {at}")
    if not cards and not event.faults:
        event.fault("file", f"has no player: no line begins with {PLAYER}")
    rounds = max((number for card in cards.values() for number in card), default=0)
    for number in range(1, rounds + 1):
        event.open_round(number, f"round {number}")
        _read_round(event, cards, number)
    _note_absences(event, cards, rounds)
    return event.finish()


def _read_line(event: EventBuilder, cards: dict[int, _Card], line: str, place: str) -> None:
    rank = whole_number(line[RANK_COLUMNS])
    if not rank:
        event.fault(f"{place}, columns 5-8", f"{line[RANK_COLUMNS].strip()!r} is no starting rank")
        return
    if event.add_player(str(rank), line[NAME_COLUMNS], place) is not None:
        cards[rank] = dict(_entries(event, line, place))


def _entries(event: EventBuilder, line: str, place: str) -> Iterator[tuple[int, _Entry]]:
    rest = line[FIRST_ROUND:].rstrip()
    for number, at in enumerate(range(0, min(len(rest), MOST_ROUNDS * ROUND_WIDTH), ROUND_WIDTH), start=1):
        columns = rest[at : at + ROUND_WIDTH].ljust(ROUND_WIDTH)
        start = FIRST_ROUND + at + 1
        where = f"{place}, columns {start}-{start + 7}"
        if (entry := _entry(event, columns, where)) is not None:
            yield number, entry
    if len(rest) > MOST_ROUNDS * ROUND_WIDTH:
        event.fault(place, f"has more than {MOST_ROUNDS} rounds")


def _entry(event: EventBuilder, columns: str, where: str) -> _Entry | None:
    opponent_text, colour, letter = columns[:4].strip(), columns[5].strip().lower(), columns[7].strip().upper()
    opponent = whole_number(opponent_text) if opponent_text else 0
    letter = _UNRATED.get(letter, letter)
    allowed = {"1", "0", "=", "+", "-", "H", *_ALONE, *_ABSENT}
    if opponent is None or colour not in {WHITE, BLACK, NO_COLOUR, ""} or letter not in allowed:
        event.fault(where, f"{columns[:8].rstrip()!r} is no opponent, colour and result")
        return None
    return _Entry(opponent, colour, letter, where)


def _read_round(event: EventBuilder, cards: Mapping[int, _Card], number: int) -> None:
    for rank, card in cards.items():
        entry = card.get(number)
        if entry is None:
            continue
        if not entry.opponent:
            _read_alone(event, rank, number, entry)
        elif (problem := _mismatch(cards, rank, number, entry)) is not None:
            event.fault(entry.place, problem)
        elif _is_first(rank, entry):
            _read_pairing(event, cards, rank, number)


def _read_alone(event: EventBuilder, rank: int, number: int, entry: _Entry) -> None:
    if entry.letter in _ALONE:
        event.bye(number, str(rank), entry.place, Bye(PlayerId(str(rank)), _ALONE[entry.letter].kind))
    elif entry.letter == "H":
        event.lose(entry.place, "a half point without opponent becomes an absence")
    elif entry.letter not in {*_ABSENT, "-"}:
        event.fault(entry.place, f"the result {entry.letter} without an opponent")


def _mismatch(cards: Mapping[int, _Card], rank: int, number: int, entry: _Entry) -> str | None:
    """What keeps the two lines of a pairing from saying the same; None if they do."""
    if entry.opponent not in cards:
        return f"the opponent {entry.opponent} has no line"
    other = cards[entry.opponent].get(number)
    if other is None or other.opponent != rank:
        return f"the opponent {entry.opponent} does not name {rank} in round {number}"
    if {entry.colour, other.colour} != {WHITE, BLACK} and {entry.colour, other.colour} != {NO_COLOUR}:
        return f"{rank} and {entry.opponent} do not have White and Black in round {number}"
    if _is_first(rank, entry) and (entry.letter, other.letter) not in _RESULTS:
        return f"{entry.letter or 'nothing'} here and {other.letter or 'nothing'} for {entry.opponent} is no result"
    return None


def _is_first(rank: int, entry: _Entry) -> bool:
    """White, or the lower rank where nobody had a colour because nothing was played."""
    return entry.colour == WHITE or (entry.colour == NO_COLOUR and rank < entry.opponent)


def _read_pairing(event: EventBuilder, cards: Mapping[int, _Card], white: int, number: int) -> None:
    entry = cards[white][number]
    other = cards[entry.opponent][number]
    if _mismatch(cards, entry.opponent, number, other) is None:
        result = _RESULTS[entry.letter, other.letter]
        event.pairing(number, None, (str(white), str(entry.opponent)), result, entry.place)


def _note_absences(event: EventBuilder, cards: Mapping[int, _Card], rounds: int) -> None:
    for rank in cards:
        player = PlayerId(str(rank))
        seated = [number for number in range(1, rounds + 1) if event.is_seated(number, player)]
        if seated and seated[0] > 1:
            event.entered(player, seated[0])
        if rounds and (not seated or seated[-1] < rounds):
            event.dropped(player, seated[-1] if seated else 0)


# --- writing --------------------------------------------------------------------------------------------------------


def render_trf(event: Event) -> Writing:
    """Write a report, and say what it cannot hold.

    Raises:
        EventUnwritable: not an event that could be read back, no player at all, or more than 9,999.
    """
    check_writable(event, FORMAT)
    if not 1 <= len(event.players) <= MOST_PLAYERS:
        raise EventUnwritable(FORMAT, [f"{len(event.players)} players; a report has 1 to {MOST_PLAYERS}"])
    ranks = {player.id: rank for rank, player in enumerate(event.players, start=1)}
    head = [f"{NAME} {one_line(event.name)}".rstrip(), f"062 {len(event.players)}", "092 Individual: Swiss-System"]
    lines = _player_lines(event, ranks)
    return Writing("\n".join([*head, *lines]) + "\n", tuple(_lost(event, ranks)))


def _player_lines(event: Event, ranks: Mapping[PlayerId, int]) -> Iterator[str]:
    columns = [_columns(round_, ranks) for round_ in event.rounds]
    half_points = {
        player: sum(_HALF_POINTS[entries[player][-1]] for entries in columns if player in entries) for player in ranks
    }
    places = {
        points: place for place, points in reversed(list(enumerate(sorted(half_points.values(), reverse=True), 1)))
    }
    for player in event.players:
        points = half_points[player.id]
        name = one_line(player.name)[:NAME_WIDTH]
        rounds = "".join(f"  {entries.get(player.id, '0000 - Z')}" for entries in columns)
        begin = f"{PLAYER} {ranks[player.id]:4}      {name:<{NAME_WIDTH}}"
        yield f"{begin:<80}{points // 2:2}.{points % 2 * 5} {places[points]:4}{rounds}"


_HALF_POINTS = {"1": 2, "+": 2, "U": 2, "F": 2, "=": 1, "0": 0, "-": 0, " ": 0, "Z": 0}
"""What a result counts in the points of a report."""


def _columns(round_: Round, ranks: Mapping[PlayerId, int]) -> dict[PlayerId, str]:
    """The eight columns of each player who was in the round."""
    entries: dict[PlayerId, str] = {}
    for seat in round_.seats:
        if isinstance(seat, Bye):
            entries[seat.player] = f"0000 - {'F' if seat.kind is ByeKind.AWARDED else 'U'}"
        else:
            white, black = _letters(seat)
            entries[seat.first] = f"{ranks[seat.second]:4} w {white}"
            entries[seat.second] = f"{ranks[seat.first]:4} b {black}"
    return entries


def _letters(seat: Pairing) -> tuple[str, str]:
    if seat.result is None:
        return " ", " "
    ended = outcome(seat.result)
    if seat.result.ending is Ending.NO_SHOW and ended in {Outcome.FIRST, Outcome.SECOND}:
        return ("+", "-") if ended is Outcome.FIRST else ("-", "+")
    return _LETTERS[ended]


def _lost(event: Event, ranks: Mapping[PlayerId, int]) -> Iterator[str]:
    yield from lost_in_text(event)
    attended = _attended(event)
    for player in event.players:
        known = attended.get(player.id, [])
        yield from (f"player {player.id}: {what}" for what in _lost_of(player, ranks[player.id]))
        if (player.entered_in, player.dropped_after) != _as_read(known, len(event.rounds)):
            yield f"player {player.id}: when the player entered and dropped is read off the rounds played"
    for round_ in event.rounds:
        yield from (f"round {round_.number}{what}" for what in _lost_in(round_))
    if event.cut or event.cut_places:
        yield "the cut is not written"
    if event.divisions:
        yield "divisions are not written"


def _lost_of(player: Player, rank: int) -> Iterator[str]:
    if player.id != str(rank):
        yield f"is written as number {rank}"
    if len(one_line(player.name)) > NAME_WIDTH:
        yield f"the name is cut after {NAME_WIDTH} letters"
    if player.table is not None or player.awarded_byes or player.disqualified:
        yield "fixed table, awarded byes and disqualification are not written"


def _as_read(attended: list[int], rounds: int) -> tuple[int, int | None]:
    """When a player entered and dropped, as the columns will say it."""
    last = attended[-1] if attended else 0
    return (attended[0] if attended else 1), (last if last < rounds else None)


def _attended(event: Event) -> dict[PlayerId, list[int]]:
    rounds: dict[PlayerId, list[int]] = {}
    for round_ in event.rounds:
        for player in (player for seat in round_.seats for player in _who(seat)):
            rounds.setdefault(player, []).append(round_.number)
    return rounds


def _who(seat: Pairing | Bye) -> tuple[PlayerId, ...]:
    return (seat.player,) if isinstance(seat, Bye) else (seat.first, seat.second)


def _lost_in(round_: Round) -> Iterator[str]:
    for seat in round_.seats:
        if isinstance(seat, Pairing) and seat.result is not None:
            white, black = _letters(seat)
            if _RESULTS[white, black] != seat.result:
                yield f", table {seat.table}: only who won is written"
    if [seat.table for seat in round_.seats if isinstance(seat, Pairing)] != list(range(1, len(_pairings(round_)) + 1)):
        yield ": tables are numbered anew"


def _pairings(round_: Round) -> list[Pairing]:
    return [seat for seat in round_.seats if isinstance(seat, Pairing)]
