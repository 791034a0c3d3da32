"""How rounds were paired, and what was otherwise then: so that a certificate still proves its round after corrections.

A certificate speaks of the points, meetings and tables of the moment in which the round was paired. Results that were
corrected since are kept as they stood (`FormerResultRow`), pairs that are kept apart no longer too, and changed tables
stand in the changes of the round. All of it goes with the event file.
"""

import json
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, TypedDict, TypeVar

from sqlmodel import Session

from tournament import store
from tournament.domain.model import (
    AnyRound,
    Bye,
    ByeKind,
    Ending,
    Mode,
    Pairing,
    PlayerId,
    Pod,
    PodRound,
    PodSeat,
    Result,
    Seat,
    Way,
    opened,
    pod_opened,
)
from tournament.event_file import AsPaired, usual_way
from tournament.service.reseating import net
from tournament.tables import ApartRow, EventRow, FormerApartRow, FormerResultRow

_ROUND: Final = attrgetter("round")


class Fields(TypedDict):
    """Fields of an event file's event."""

    ways: dict[int, Way]
    as_paired: dict[int, AsPaired]
    certificates: dict[int, dict[str, object]]


def fields_of(session: Session, event: EventRow, rounds: Sequence[AnyRound]) -> Fields:
    """How each round was paired, why, and what was otherwise then: fields of an event file."""
    rows = {row.number: row for row in store.round_rows(session, event.id) if row.published_at is not None}
    has_pods = any(isinstance(played, PodRound) for played in rounds)
    usual = usual_way(Mode(event.mode), event.pod_size if has_pods else None)
    changes = groupby(sorted(store.all_table_changes(session, event.id), key=_ROUND), key=_ROUND)
    changed = {number: net(some) for number, some in changes}
    former = store.former_results(session, event.id)
    apart, apart_before = store.apart_rows(session, event.id), store.former_apart(session, event.id)
    then = {
        played.number: AsPaired(
            **_before(played, changed.get(played.number, ([], []))),
            results=_stood(former, row.number, row.paired, _result_of),
            placings=_stood(former, row.number, row.paired, _pod_of),
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


class _Before(TypedDict, total=False):
    seats: tuple[Seat, ...]
    pods: tuple[PodSeat, ...]


def _before(played: AnyRound, changed: tuple[list[dict[str, Any]], list[dict[str, Any]]]) -> _Before:
    """The tables of a round before they were changed, those that stayed first; nothing if none were."""
    gone, come = changed
    if not gone and not come:
        return {}
    if isinstance(played, PodRound):
        new_pods = set(map(_pod_seat, come))
        stayed = (seat for seat in map(pod_opened, played.seats) if seat not in new_pods)
        return {"pods": (*stayed, *map(_pod_seat, gone))}
    new = set(map(_seat, come))
    return {"seats": (*(seat for seat in map(opened, played.seats) if seat not in new), *map(_seat, gone))}


def _seat(said: dict[str, Any]) -> Seat:
    first = PlayerId(str(said["first"]))
    if said["second"] is None:
        return Bye(first, ByeKind(said["bye"]))
    return Pairing(said["table"], first, PlayerId(str(said["second"])))


def _pod_seat(said: dict[str, Any]) -> PodSeat:
    if said["second"] is None:
        return Bye(PlayerId(str(said["first"])), ByeKind(said["bye"]))
    players = (said["first"], said["second"], *said.get("others", ()))
    return Pod(said["table"], tuple(PlayerId(str(player)) for player in players))


_Said = TypeVar("_Said")


def _stood(
    former: Sequence[FormerResultRow], number: int, paired: int, read: Callable[[FormerResultRow], _Said | None]
) -> dict[tuple[int, int], _Said]:
    """The results of earlier rounds that stood then and were corrected since."""
    found: dict[tuple[int, int], _Said] = {}
    for row in former:
        if row.round < number and row.until > paired and (said := read(row)) is not None:
            found.setdefault((row.round, row.table_number), said)
    return found


def _result_of(row: FormerResultRow) -> Result | None:
    if row.placing is not None:
        return None
    return Result(row.games_first or 0, row.games_second or 0, row.drawn or 0, Ending(row.ending))


def _pod_of(row: FormerResultRow) -> Pod | None:
    placing = store.placing_from(row)
    if placing is None:
        return None
    return Pod(row.table_number, tuple(player for place in placing for player in place), placing, Ending(row.ending))


def _pair(row: ApartRow | FormerApartRow) -> tuple[PlayerId, PlayerId]:
    return PlayerId(str(row.one)), PlayerId(str(row.other))
