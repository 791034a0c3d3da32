"""How rounds were paired, and what was otherwise then: so that a certificate still proves its round after corrections.

A certificate speaks of the points, meetings and tables of the moment in which the round was paired. Results that were
corrected since are kept as they stood (`FormerResultRow`), pairs that are kept apart no longer too, and changed tables
stand in the changes of the round. All of it goes with the event file.
"""

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, TypedDict

from sqlmodel import Session

from tournament import store
from tournament.domain.model import Bye, ByeKind, Ending, Mode, Pairing, PlayerId, Result, Round, Seat, Way, opened
from tournament.event_file import AsPaired, usual_way
from tournament.service.reseating import net
from tournament.tables import ApartRow, EventRow, FormerApartRow, FormerResultRow

_ROUND: Final = attrgetter("round")


class Fields(TypedDict):
    """Fields of an event file's event."""

    ways: dict[int, Way]
    as_paired: dict[int, AsPaired]
    certificates: dict[int, dict[str, object]]


def fields_of(session: Session, event: EventRow, rounds: Sequence[Round]) -> Fields:
    """How each round was paired, why, and what was otherwise then: fields of an event file."""
    rows = {row.number: row for row in store.round_rows(session, event.id) if row.published_at is not None}
    usual = usual_way(Mode(event.mode))
    changes = groupby(sorted(store.all_table_changes(session, event.id), key=_ROUND), key=_ROUND)
    changed = {number: net(some) for number, some in changes}
    former = store.former_results(session, event.id)
    apart, apart_before = store.apart_rows(session, event.id), store.former_apart(session, event.id)
    then = {
        played.number: AsPaired(
            seats=_before(played, *changed[played.number]) if any(changed.get(played.number, ())) else None,
            results=_stood(former, row.number, row.paired),
            apart=tuple(_pair(pair) for pair in apart_before if pair.since < row.paired < pair.until),
            not_apart=tuple(_pair(pair) for pair in apart if pair.since > row.paired),
            seeds=tuple(PlayerId(str(seed)) for seed in json.loads(row.seeds or "[]")),
        )
        for played in rounds
        if (row := rows[played.number]).paired is not None
    }
    return {
        "ways": {number: Way(row.pairing) for number, row in rows.items() if row.pairing != usual},
        "as_paired": {number: one for number, one in then.items() if one != AsPaired()},
        "certificates": {
            number: json.loads(row.certificate) for number, row in rows.items() if row.certificate is not None
        },
    }


def _before(played: Round, gone: Iterable[dict[str, Any]], come: Iterable[dict[str, Any]]) -> tuple[Seat, ...]:
    """The tables of a round before they were changed, those that stayed first."""
    new = set(map(_seat, come))
    return (*(seat for seat in map(opened, played.seats) if seat not in new), *map(_seat, gone))


def _seat(said: dict[str, Any]) -> Seat:
    first = PlayerId(str(said["first"]))
    if said["second"] is None:
        return Bye(first, ByeKind(said["bye"]))
    return Pairing(said["table"], first, PlayerId(str(said["second"])))


def _stood(former: Sequence[FormerResultRow], number: int, paired: int) -> dict[tuple[int, int], Result]:
    """The results of earlier rounds that stood then and were corrected since."""
    found: dict[tuple[int, int], Result] = {}
    for row in former:
        if row.round < number and row.until > paired:
            result = Result(row.games_first, row.games_second, row.drawn, Ending(row.ending))
            found.setdefault((row.round, row.table_number), result)
    return found


def _pair(row: ApartRow | FormerApartRow) -> tuple[PlayerId, PlayerId]:
    return PlayerId(str(row.one)), PlayerId(str(row.other))
