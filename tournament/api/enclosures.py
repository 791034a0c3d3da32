"""What a webhook's message has beside the news: what a receiver would otherwise have to ask for.

A receiver may be unable to ask: the server of a shop is on a laptop that nobody reaches from outside. Only what
everybody may read is enclosed, in the API's own documents; of a large field nothing is.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from sqlmodel import Session

from tournament import store
from tournament.api.schemas import PlayedRound, StandingLine
from tournament.errors import RoundNotFound
from tournament.service import rounds, standings
from tournament.service.news import News, Topic
from tournament.tables import EntryRow, EventRow

MOST_PLAYERS: Final = 1000
"""In whose event lists are enclosed."""


def enclosed(session: Session, event: EventRow, told: News) -> Mapping[str, Any]:
    """The seats of a published round, the players of a result, the standings; and the names of all these."""
    topics = set(told.topics)
    found: dict[str, Any] = {"event_name": event.name}
    if {Topic.RESULT, Topic.CORRECTION} & topics and told.round and told.table:
        seat = store.find_table(session, event.id, told.round, told.table)
        return found | {"players": _named(session, event, seat.players if seat else ())}
    if told.match:
        return found | {"players": _named(session, event, [told.first, told.second])}
    if store.last_entry(session, event.id) > MOST_PLAYERS:
        return found
    if {Topic.ROUND_PUBLISHED, Topic.ROUND} & topics and told.round:
        with suppress(RoundNotFound):  # it was taken back since
            row = rounds.seen(session, event.id, told.round, staff=False)
            played = PlayedRound.of(row, store.seats_of(session, event.id, told.round), 0)
            found["seats"] = played.model_dump(mode="json")["seats"]
    if {Topic.STANDINGS, Topic.FINISHED} & topics:
        after, lines = standings.after(session, event)
        found["after"] = after
        found["standings"] = [StandingLine.of(line).model_dump(mode="json") for line in lines]
    if len(found) > 1:
        found["players"] = [_player(row) for row in store.entries_of(session, event.id)]
    return found


def _named(session: Session, event: EventRow, numbers: Sequence[int | None]) -> list[dict[str, Any]]:
    rows = [store.find_entry(session, event.id, number) for number in numbers if number is not None]
    return [_player(row) for row in rows if row is not None]


def _player(entry: EntryRow) -> dict[str, Any]:
    return {"number": entry.number, "name": entry.name}
