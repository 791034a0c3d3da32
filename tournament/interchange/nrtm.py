"""NRTM JSON: what Netrunner tournament programs export (first the Netrunner Tournament Manager, now Cobra).

A match is one game (single-sided) or two, one as each side, and is scored 3 for a game won and 1 for a drawn one. The
scores of both players say how many games each won: 6-0 two, 3-3 one each, 4-1 one and one drawn, 3-0 the only one.
Rounds of the cut are among the others and marked `eliminationGame`; there `winner` says who advanced.

Lost in reading: dates, the organizer, identities, who played which side, whether one game counted for two
(`twoForOne`), rank and strength of schedule (they are worked out afresh). Lost in writing: the games of a match of more
than two (only who won is written), how a match ended except an intentional draw, drops, late entries, awarded byes,
divisions.

Source: exports of Cobra and its readers; the schema that their `links` name.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import takewhile
from math import isfinite

from tournament.domain.errors import FaultAt, FileUnreadable
from tournament.domain.model import Bye, ByeKind, Ending, Pairing, Player, PlayerId, Result, Round, Seat
from tournament.domain.presets import netrunner
from tournament.domain.results import Outcome, outcome
from tournament.domain.standings import Standing, rank
from tournament.interchange.building import MOST_DIGITS, EventBuilder, check_writable, decoded, lost_in_text, one_line
from tournament.interchange.event import CutPlace, Event, Reading, Writing
from verifier.nesting import check_nesting

FORMAT = "NRTM JSON"

WIN, DRAW = 3, 1
"""Points of a game."""

NO_OPPONENT = "(BYE)"
"""Written in the place of an opponent by some programs; others write null."""

_SCORES: dict[tuple[int, int], Result] = {
    (2 * WIN, 0): Result(2, 0),
    (WIN, WIN): Result(1, 1),
    (0, 2 * WIN): Result(0, 2),
    (WIN + DRAW, DRAW): Result(1, 0, 1),
    (DRAW, WIN + DRAW): Result(0, 1, 1),
    (2 * DRAW, 2 * DRAW): Result(0, 0, 2),
    (WIN, 0): Result(1, 0),
    (0, WIN): Result(0, 1),
    (DRAW, DRAW): Result(0, 0, 1),
    (0, 0): Result(0, 0, 0, Ending.DOUBLE_LOSS),
}
"""Every score that one or two games can give, and what it says."""

Json = Mapping[str, object]


# --- reading --------------------------------------------------------------------------------------------------------


def parse_nrtm(content: bytes | str) -> Reading:
    """Read an export.

    Raises:
        FileUnreadable: not such an export; every fault with its path.
    """
    event = EventBuilder(FORMAT)
    top = _object(event, _loaded(decoded(content, FORMAT)), "the document")
    event.name = _text(event, top, "name", "name") or ""
    for at, player in enumerate(_list(event, top, "players", "players")):
        _read_player(event, player, f"players[{at}]")
    for number, matches in enumerate(_list(event, top, "rounds", "rounds"), start=1):
        _read_round(event, number, matches, f"rounds[{number - 1}]")
    for at, place in enumerate(_list(event, top, "eliminationPlayers", "eliminationPlayers")):
        _read_place(event, place, f"eliminationPlayers[{at}]")
    return event.finish()


def _loaded(text: str) -> object:
    try:
        check_nesting(text)
        loaded: object = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FileUnreadable(FORMAT, [FaultAt(place, f"is not JSON: {error.msg}")]) from error
    except ValueError as error:
        raise FileUnreadable(FORMAT, [FaultAt("file", "has a number or a depth that no export has")]) from error
    return loaded


def _no_number(name: str) -> float:
    raise ValueError(name)


def _object(event: EventBuilder, value: object, path: str) -> Json:
    if isinstance(value, dict):
        return value
    event.fault(path, f"is {_kind(value)}; an object belongs there")
    return {}


def _list(event: EventBuilder, parent: Json, key: str, path: str) -> list[object]:
    value = parent.get(key)
    if value is None and (key != "players" or not parent):
        return []
    if isinstance(value, list):
        return value
    event.fault(path, f"is {_kind(value)}; a list belongs there")
    return []


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "missing"}
    return kinds.get(type(value), "a number")


def _text(event: EventBuilder, parent: Json, key: str, path: str) -> str | None:
    value = parent.get(key)
    if value is None:
        return None
    if isinstance(value, str):
        return event.text(value, path)
    event.fault(path, f"is {_kind(value)}; a text belongs there")
    return None


def _id(event: EventBuilder, parent: Json, path: str) -> str | None:
    """Who: a number or a text; None where nobody is."""
    value = parent.get("id")
    if value is None or value == NO_OPPONENT:
        return None
    if isinstance(value, str):
        return event.text(value, f"{path}.id")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    event.fault(f"{path}.id", f"is {_kind(value)}; the id of a player belongs there")
    return None


def _number(event: EventBuilder, parent: Json, key: str, path: str) -> int | None:
    """A whole number from 0, as a number or as a text."""
    value = parent.get(key)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**MOST_DIGITS):
        return value
    if isinstance(value, str):
        return event.number(value, f"{path}.{key}")
    if isinstance(value, float) and isfinite(value) and value.is_integer() and 0 <= value < 10**MOST_DIGITS:
        return int(value)
    event.fault(f"{path}.{key}", f"is {_kind(value)} that cannot be; a whole number from 0 belongs there")
    return None


def _read_player(event: EventBuilder, raw: object, path: str) -> None:
    player = _object(event, raw, path)
    if player:
        event.add_player(_id(event, player, path) or "", _text(event, player, "name", f"{path}.name") or "", path)


def _read_round(event: EventBuilder, number: int, raw: object, path: str) -> None:
    if not isinstance(raw, list):
        event.fault(path, f"is {_kind(raw)}; a list of matches belongs there")
        return
    matches = [_object(event, match, f"{path}[{at}]") for at, match in enumerate(raw)]
    cut = {match.get("eliminationGame") is True for match in matches} or {event.is_cut(number - 1)}
    if len(cut) > 1:
        event.fault(path, "has matches of the Swiss rounds and of the cut")
    if event.open_round(number, path, elimination=cut == {True}):
        for at, match in enumerate(matches):
            if match:
                _read_match(event, number, match, f"{path}[{at}]")


def _read_match(event: EventBuilder, round_: int, match: Json, path: str) -> None:
    table = _number(event, match, "table", path)
    seats = [_object(event, match.get(side), f"{path}.{side}") for side in ("player1", "player2")]
    first, second = (
        _id(event, seat, f"{path}.{side}") for seat, side in zip(seats, ("player1", "player2"), strict=True)
    )
    result = _result(event, match, seats, path) if first is not None and second is not None else None
    if first is not None and second is not None:
        event.pairing(round_, table, (first, second), result, path)
    elif (alone := first if second is None else second) is not None:
        event.bye(round_, alone, path)
    elif all(seats):
        event.fault(path, "has no players")
    if match.get("twoForOne") is True:
        event.lose(path, "that one game counted for two")


def _result(event: EventBuilder, match: Json, seats: list[Json], path: str) -> Result | None:
    won = [seat.get("winner") for seat in seats]
    if won in ([True, False], [False, True]):
        return Result(1, 0) if won[0] else Result(0, 1)
    scores = [_score(event, seat, f"{path}.player{at}") for at, seat in enumerate(seats, start=1)]
    if None in scores:
        return None
    result = _SCORES.get((scores[0] or 0, scores[1] or 0))
    if result is None:
        event.fault(path, f"has the score {scores[0]}-{scores[1]}, which one or two games cannot give")
    elif match.get("intentionalDraw") is True and outcome(result) is Outcome.DRAW:
        return Result(result.first, result.second, result.drawn, Ending.INTENTIONAL_DRAW)
    return result


def _score(event: EventBuilder, seat: Json, path: str) -> int | None:
    """The combined score, or the sum of both sides; None where nothing is written yet."""
    combined = _number(event, seat, "combinedScore", path)
    if combined is not None:
        return combined
    sides = [_number(event, seat, key, path) for key in ("corpScore", "runnerScore")]
    return None if sides == [None, None] else sum(score or 0 for score in sides)


def _read_place(event: EventBuilder, raw: object, path: str) -> None:
    entry = _object(event, raw, path)
    player, place = _id(event, entry, path), _number(event, entry, "rank", path)
    if player is None:
        return  # a place that is not decided yet
    if not event.knows(player):
        event.fault(path, f"player {player!r} is not in the event")
    elif place is None:
        event.fault(f"{path}.rank", "is missing")
    else:
        event.cut_place(CutPlace(PlayerId(player), place, _number(event, entry, "seed", path)))


# --- writing --------------------------------------------------------------------------------------------------------


def render_nrtm(event: Event) -> Writing:
    """Write an export, and say what it cannot hold.

    Raises:
        EventUnwritable: not an event that could be read back.
    """
    check_writable(event, FORMAT)
    numbers = _numbers(event)
    return Writing(
        json.dumps(_document(event, numbers), ensure_ascii=False, indent=1) + "\n", tuple(_lost(event, numbers))
    )


def _numbers(event: Event) -> dict[PlayerId, int]:
    """The ids as numbers: themselves if they all are, else counted from 1."""
    if all(_is_number(player.id) for player in event.players):
        return {player.id: int(player.id) for player in event.players}
    return {player.id: number for number, player in enumerate(event.players, start=1)}


def _is_number(player: str) -> bool:
    return player.isascii() and player.isdigit() and len(player) <= MOST_DIGITS and str(int(player)) == player


def _document(event: Event, numbers: Mapping[PlayerId, int]) -> dict[str, object]:
    names = {player.id: player.name for player in event.players}
    games = _games(event)
    lines = {line.player: line for line in rank(event.players, event.rounds, netrunner(games=games))}
    return {
        "name": one_line(event.name),
        "cutToTop": len(event.cut_places) or _seats(event.cut[:1]),
        "preliminaryRounds": len(event.rounds),
        "players": [_player(player, numbers[player.id], lines.get(player.id)) for player in event.players],
        "eliminationPlayers": [
            {"id": numbers[entry.player], "name": names[entry.player], "rank": entry.place, "seed": entry.seed}
            for entry in event.cut_places
        ],
        "rounds": [
            *([_match(seat, numbers, games) for seat in round_.seats] for round_ in event.rounds),
            *([_cut_match(seat, numbers, games) for seat in round_.seats] for round_ in event.cut),
        ],
        "uploadedFrom": "Deckproof",
        "links": [],
    }


def _games(event: Event) -> int:
    """Games of a match: one, if no match of the Swiss rounds has two."""
    results = (seat.result for round_ in event.rounds for seat in round_.seats if isinstance(seat, Pairing))
    return 2 if any(result and result.first + result.second + result.drawn > 1 for result in results) else 1


def _seats(rounds: Iterable[Round]) -> int:
    return sum(1 if isinstance(seat, Bye) else 2 for round_ in rounds for seat in round_.seats)


def _player(player: Player, number: int, line: Standing | None) -> dict[str, object]:
    written: dict[str, object] = {"id": number, "name": one_line(player.name), "rank": line.place if line else None}
    if line:
        sos, extended = (line.tiebreaks[name] for name in ("sos", "esos"))
        written |= {
            "matchPoints": line.match_points,
            "strengthOfSchedule": f"{float(sos):.4f}",
            "extendedStrengthOfSchedule": f"{float(extended):.4f}",
        }
    return written


def _match(seat: Seat, numbers: Mapping[PlayerId, int], games: int) -> dict[str, object]:
    if isinstance(seat, Bye):
        return _entry(None, {"id": numbers[seat.player], "combinedScore": WIN * games}, {"id": None})
    first, second = _scores(seat.result) if seat.result else (None, None)
    players = (
        {"id": numbers[who], "combinedScore": score} for who, score in ((seat.first, first), (seat.second, second))
    )
    agreed = seat.result is not None and seat.result.ending is Ending.INTENTIONAL_DRAW
    return _entry(seat.table, *players) | {"intentionalDraw": agreed}


def _cut_match(seat: Seat, numbers: Mapping[PlayerId, int], games: int) -> dict[str, object]:
    written = _match(seat, numbers, games) | {"eliminationGame": True}
    if isinstance(seat, Bye) or not seat.result or outcome(seat.result) not in {Outcome.FIRST, Outcome.SECOND}:
        return written
    first_won = outcome(seat.result) is Outcome.FIRST
    players = (
        {"id": numbers[who], "winner": won} for who, won in ((seat.first, first_won), (seat.second, not first_won))
    )
    return written | dict(zip(("player1", "player2"), players, strict=True))


def _entry(table: int | None, first: Json, second: Json) -> dict[str, object]:
    flags = {"intentionalDraw": False, "twoForOne": False, "eliminationGame": False}
    return {"table": table, "player1": first, "player2": second, **flags}


def _scores(result: Result) -> tuple[int, int]:
    """The score of both players: of the games where one or two can say it, else of one game for who won."""
    won, lost, drawn = result.first, result.second, result.drawn
    by_games = (WIN * won + DRAW * drawn, WIN * lost + DRAW * drawn)
    ended = outcome(result)
    said = _SCORES.get(by_games)
    if said and (said.first, said.second, said.drawn) == (won, lost, drawn) and outcome(said) is ended:
        return by_games
    return {Outcome.FIRST: (WIN, 0), Outcome.SECOND: (0, WIN), Outcome.DRAW: (DRAW, DRAW)}.get(ended, (0, 0))


def _lost(event: Event, numbers: Mapping[PlayerId, int]) -> Iterator[str]:
    yield from lost_in_text(event)
    for player in event.players:
        if str(numbers[player.id]) != player.id:
            yield f"player {player.id}: is written with the id {numbers[player.id]}"
        if player != Player(id=player.id, name=player.name):
            yield f"player {player.id}: late entry, drop, fixed table and awarded byes are not written"
    for round_ in event.rounds:
        yield from (f"round {round_.number}{what}" for seat in round_.seats for what in _lost_at(seat, _swiss_again))
    for round_ in takewhile(lambda round_: not round_.seats, event.cut):
        yield f"round {round_.number}: a cut that begins without a match is written as a Swiss round"
    for round_ in event.cut:
        yield from (f"round {round_.number}{what}" for seat in round_.seats for what in _lost_at(seat, _cut_again))
    if event.divisions:
        yield "divisions are not written"


def _lost_at(seat: Seat, again: Callable[[Result], Result]) -> Iterator[str]:
    if isinstance(seat, Bye):
        if seat.kind is ByeKind.AWARDED:
            yield f": the awarded bye of {seat.player} is written as a bye"
    elif seat.result and again(seat.result) != seat.result:
        yield f", table {seat.table}: only who won is written"


def _swiss_again(result: Result) -> Result:
    """What a result is when it is read back."""
    ending = Ending.INTENTIONAL_DRAW if result.ending is Ending.INTENTIONAL_DRAW else None
    said = _SCORES[_scores(result)]
    return replace(said, ending=ending) if ending else said


def _cut_again(result: Result) -> Result:
    winner = {Outcome.FIRST: Result(1, 0), Outcome.SECOND: Result(0, 1)}
    return winner.get(outcome(result)) or _swiss_again(result)
