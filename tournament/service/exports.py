"""An event as an event file: everything that standings and pairings can be computed from again, anywhere."""

import json
from collections.abc import Mapping, Sequence

from sqlmodel import Session

from tournament import event_file, store
from tournament.domain.model import Bye, Player, PlayerId, Round
from tournament.service.chain import receipt_of
from tournament.tables import EventRow


def export(session: Session, event: EventRow, *, log: bool = False) -> str:
    """The event file: the players, and every published round with its results; the draw is in it.

    Args:
        session: to read.
        event: whose.
        log: with the receipts of all commands, so that the event can be checked, and go on, elsewhere.
    """
    return event_file.write_event_file(exported(session, event, log=log))


def exported(session: Session, event: EventRow, *, log: bool = False) -> event_file.Event:
    """The same as a value."""
    players, rounds = store.players_of(session, event.id), store.rounds_of(session, event.id)
    return event_file.Event(
        name=event.name,
        game=event.game,
        draw=event.draw,
        preset=event.preset,
        players=players,
        rounds=rounds,
        absent=_absent(players, rounds),
        log=tuple(json.loads(receipt_of(row)) for row in store.read_log(session, event.id)) if log else (),
    )


def _absent(players: Sequence[Player], rounds: Sequence[Round]) -> Mapping[PlayerId, tuple[int, ...]]:
    """Rounds that somebody who was in had no place in: gone and come back."""
    missed: dict[PlayerId, tuple[int, ...]] = {}
    for played in rounds:
        seated = {
            player
            for seat in played.seats
            for player in ((seat.player,) if isinstance(seat, Bye) else (seat.first, seat.second))
        }
        for player in players:
            if player.id not in seated and _is_in(player, played.number):
                missed[player.id] = (*missed.get(player.id, ()), played.number)
    return missed


def _is_in(player: Player, number: int) -> bool:
    return player.entered_in <= number and (player.dropped_after is None or player.dropped_after >= number)
