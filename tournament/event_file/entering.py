"""Who enters, leaves and comes back, and the ids that newcomers get.

Every function gives another event, or refuses with every reason at once.
"""

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from unicodedata import category, normalize

from tournament.domain.errors import PlayersRefused
from tournament.domain.model import Pairing, Player, PlayerId, players_at
from tournament.event_file import fields
from tournament.event_file.fields import Found
from tournament.event_file.model import MOST_NUMBER, Event
from tournament.event_file.names import look, names_of

# --- a list of names --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody to be entered, as a list has them."""

    name: str
    id: str | None = None
    table: int | None = None
    awarded_byes: int = 0


@dataclass(frozen=True, slots=True)
class NameList:
    """A list of newcomers, and the columns in it that an event file has no place for."""

    newcomers: tuple[Newcomer, ...]
    unused: tuple[str, ...] = ()
    is_table: bool = False
    """It had a head line with the names of its columns."""


_COLUMNS: Final = {
    "name": {"name", "player", "player name", "full name"},
    "first": {"first name", "firstname", "given name"},
    "last": {"last name", "lastname", "surname", "family name"},
    "id": {"id"},
    "table": {"table"},
    "awarded_byes": {"awarded_byes", "awarded byes", "byes"},
}


def name_list(text: str) -> NameList:
    """Read names: one a line; or a CSV whose first line has a column `name`, or `first name` and `last name`.

    A CSV may also have `id`, `table` and `awarded_byes`, and is separated by commas, semicolons or tabs. Empty lines
    and rows count for nothing.

    Raises:
        PlayersRefused: with everything that cannot be read.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return NameList(())
    separator = max(",;\t", key=lines[0].count)
    heads = [" ".join(head.split()).casefold() for head in next(csv.reader(lines[:1], delimiter=separator))]
    found = {key: heads.index(head) for key, known in _COLUMNS.items() for head in heads if head in known}
    if not ("name" in found or {"first", "last"} <= found.keys()):
        return NameList(tuple(Newcomer(" ".join(line.split())) for line in lines))
    faults: list[str] = []
    rows = csv.reader(lines[1:], delimiter=separator)
    newcomers = [_newcomer(row, found, f"row {at}", faults) for at, row in enumerate(rows, start=2)]
    if faults:
        raise PlayersRefused(faults)
    unused = [head for at, head in enumerate(heads) if at not in found.values() and head]
    return NameList(tuple(one for one in newcomers if one is not None), tuple(unused), is_table=True)


def _newcomer(row: Sequence[str], columns: Mapping[str, int], place: str, faults: list[str]) -> Newcomer | None:
    cells = {key: " ".join(row[at].split()) if at < len(row) else "" for key, at in columns.items()}
    if not any(cells.values()):
        return None
    name = cells.get("name") or " ".join(filter(None, (cells.get("first"), cells.get("last"))))
    if not name:
        faults.append(f"{place} has no name")
    numbers = {}
    for key, least in (("table", 1), ("awarded_byes", 0)):
        if cell := cells.get(key):
            if re.fullmatch(r"\d{1,7}", cell, re.ASCII) and least <= int(cell) <= MOST_NUMBER:
                numbers[key] = int(cell)
            else:
                faults.append(f"{place}: {key} is {cell!r}; it must be a number from {least}")
    return Newcomer(name, cells.get("id") or None, numbers.get("table"), numbers.get("awarded_byes", 0))


# --- ids --------------------------------------------------------------------------------------------------------------

_LONGEST_PART: Final = 24
_PLAIN: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "\u0131": "i"})
"""Letters that are no letter with an accent, and that few keyboards have."""


def ids_for(names: Sequence[str], taken: Collection[str] = (), others: Iterable[str] = ()) -> list[PlayerId]:
    """Short ids that say whom they mean.

    The first name; where two have it, with the initial of the last name; then with the whole last name; then with a
    number. The order of the names decides only numbers.

    Args:
        names: of the newcomers.
        taken: ids that others have.
        others: their names; a first name that one of them has does not tell them apart.
    """
    gone = {one.casefold() for one in taken} | {next(_candidates(other)) for other in others}
    ids: dict[int, str] = {}
    wanted = [list(_candidates(name)) for name in names]
    for level in range(_LEVELS):
        left = {at: ways[min(level, len(ways) - 1)] for at, ways in enumerate(wanted) if at not in ids}
        times = Counter(left.values())
        ids |= {at: word for at, word in left.items() if times[word] == 1 and word not in gone}
        gone.update(ids.values())
    for at, ways in enumerate(wanted):
        if at not in ids:
            ids[at] = _numbered(ways[-1], gone)
            gone.add(ids[at])
    return [PlayerId(ids[at]) for at in range(len(names))]


_LEVELS: Final = 3


def _candidates(name: str) -> Iterator[str]:
    words = [word for word in map(_word, name.split()) if word] or ["player"]
    first, *others = words
    yield first
    if others:
        yield f"{first}-{others[-1][0]}"
        yield f"{first}-{others[-1]}"


def _word(word: str) -> str:
    """Letters, digits and inner hyphens in small letters, without accents where plain letters are left."""
    small = word.casefold().translate(_PLAIN)
    bare = "".join(letter for letter in normalize("NFKD", small) if not category(letter).startswith("M"))
    chosen = bare if bare.isascii() else normalize("NFC", small)
    kept = (letter for letter in chosen if letter.isalnum() or letter == "-" or category(letter).startswith("M"))
    return "".join(kept).strip("-")[:_LONGEST_PART].strip("-")


def _numbered(word: str, gone: Collection[str]) -> str:
    number = 2 if word in gone else 1
    while f"{word}-{number}" in gone:
        number += 1
    return f"{word}-{number}"


# --- entering ---------------------------------------------------------------------------------------------------------


def entered(event: Event, newcomers: Sequence[Newcomer], *, number: int = 1, namesakes: bool = False) -> Event:
    """The event with newcomers, who are paired from that round on.

    Args:
        event: as its file tells it.
        newcomers: in the order to be written.
        number: the last round of the file, or a later one; 1 if there is none.
        namesakes: two may have one name.

    Raises:
        PlayersRefused: a name or an id cannot be one, or is there already; or it is too late. With every reason.
    """
    faults = list(_too_late(event, number))
    faults += (fault for at, one in enumerate(newcomers, start=1) for fault in _unfit(one, at))
    if not namesakes:
        faults += _same_names(event, newcomers)
    given = [one.id for one in newcomers if one.id is not None]
    known = [str(player.id) for player in event.players]
    faults += (f"the id {one!r} is given twice" for one, times in Counter([*known, *given]).items() if times > 1)
    if faults:
        raise PlayersRefused(faults)
    called = [player.name for player in event.players]
    chosen = iter(ids_for([one.name for one in newcomers if one.id is None], [*known, *given], called))
    players = tuple(
        Player(
            id=next(chosen) if one.id is None else PlayerId(one.id),
            name=one.name,
            entered_in=number,
            table=one.table,
            awarded_byes=one.awarded_byes,
        )
        for one in newcomers
    )
    return replace(event, players=(*event.players, *players))


def _too_late(event: Event, number: int) -> Iterator[str]:
    if event.cut is not None:
        yield "the cut has begun; nobody enters it any more"
    elif number < len(event.rounds):
        yield f"round {number} is over; the first round that is still to be had is {len(event.rounds)}"


def _unfit(newcomer: Newcomer, at: int) -> Iterator[str]:
    found = Found()
    fields.text(newcomer.name, (), found)
    if newcomer.id is not None:
        fields.player_id(newcomer.id, (), found)
    yield from (f"name {at}, {newcomer.name!r}: {message}" for _, _, message in found.faults)


def _same_names(event: Event, newcomers: Iterable[Newcomer]) -> Iterator[str]:
    known = {look(player.name).casefold(): f"is there already, as {player.id}" for player in event.players}
    for one in newcomers:
        called = look(one.name).casefold()
        if called in known:
            yield f"{one.name!r} {known[called]}; --namesakes lets two have one name"
        known[called] = "is given twice"


# --- leaving and coming back ------------------------------------------------------------------------------------------


def dropped(event: Event, players: Sequence[PlayerId], *, disqualified: bool = False) -> Event:
    """The event with players gone after the last round that they had a place in.

    Raises:
        PlayersRefused: a player has left already, plays at an open table, or is in the cut. With every reason.
    """
    names = names_of(event)
    gone = {player.id for player in event.players if player.dropped_after is not None and not disqualified}
    faults = [f"{names[player]} has left already" for player in players if player in gone]
    if event.cut is not None:
        seeds = set(event.cut.seeds)
        faults += (
            f"{names[player]} is in the cut, which `event-file match FILE --drop {player}` is for"
            for player in players
            if player in seeds
        )
    faults += (fault for player in players for fault in _still_playing(event, player, names[player]))
    if faults:
        raise PlayersRefused(faults)
    left = {
        player.id: replace(player, dropped_after=_last_round_of(event, player), disqualified=disqualified)
        for player in event.players
        if player.id in players
    }
    return replace(event, players=tuple(left.get(player.id, player) for player in event.players))


def _still_playing(event: Event, player: PlayerId, name: str) -> Iterator[str]:
    for played in event.rounds:
        for seat in played.seats:
            if isinstance(seat, Pairing) and seat.result is None and player in players_at(seat):
                where = f"{name} has a place at table {seat.table} of round {played.number}, which is open"
                out = f"`event-file repair FILE --drop {player}` takes the player out of the round"
                yield f"{where}: report its result first, or {out}"


def _last_round_of(event: Event, player: Player) -> int:
    """The last round with a place for the player; the one already written, if somebody wrote one."""
    if player.dropped_after is not None:
        return player.dropped_after
    seated = (played.number for played in event.rounds if any(player.id in players_at(seat) for seat in played.seats))
    return max(seated, default=0)


def returned(event: Event, players: Sequence[PlayerId], *, number: int) -> Event:
    """The event with players back, who are paired again from that round on; what they missed is `absent`.

    Raises:
        PlayersRefused: a player has not left, or was disqualified; or it is too late. With every reason.
    """
    names, by_id = names_of(event), {player.id: player for player in event.players}
    faults = list(_too_late(event, number))
    for player in players:
        if by_id[player].disqualified:
            faults.append(f"{names[player]} was disqualified")
        elif by_id[player].dropped_after is None:
            faults.append(f"{names[player]} has not left")
    if faults:
        raise PlayersRefused(faults)
    absent = dict(event.absent)
    back = {}
    for entry in (by_id[player] for player in players):
        last = entry.dropped_after or 0
        if last < entry.entered_in:
            back[entry.id] = replace(entry, dropped_after=None, entered_in=max(number, entry.entered_in))
            continue
        back[entry.id] = replace(entry, dropped_after=None)
        if missed := {*absent.get(entry.id, ()), *range(last + 1, number)}:
            absent[entry.id] = tuple(sorted(missed))
    return replace(event, players=tuple(back.get(one.id, one) for one in event.players), absent=absent)
