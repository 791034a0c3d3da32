"""An event as an event file: everything that standings and pairings can be computed from again, anywhere."""

from collections.abc import Sequence

from sqlmodel import Session

from tournament import event_file, store
from tournament.domain.model import Bye, Player, PlayerId, Round, Seat
from tournament.tables import EventRow


def export(session: Session, event: EventRow) -> str:
    """The event file: the players, and every published round with its results; the draw is in it."""
    players, rounds = store.players_of(session, event.id), store.rounds_of(session, event.id)
    return event_file.write_event_file(
        event_file.Event(
            name=event.name,
            game=event.game,
            draw=event.draw,
            preset=event.preset,
            apart=store.apart_of(session, event.id),
            players=players,
            rounds=rounds,
            absent=_absent(players, rounds),
        )
    )


def _absent(players: Sequence[Player], rounds: Sequence[Round]) -> dict[PlayerId, tuple[int, ...]]:
    """The rounds between entering and leaving that somebody was in no seat of: who left, and came back."""
    seated = {played.number: {who for seat in played.seats for who in _at(seat)} for played in rounds}
    missed = {
        player.id: tuple(number for number, here in seated.items() if _is_in(player, number) and player.id not in here)
        for player in players
    }
    return {player: numbers for player, numbers in missed.items() if numbers}


def _at(seat: Seat) -> tuple[PlayerId, ...]:
    return (seat.player,) if isinstance(seat, Bye) else (seat.first, seat.second)


def _is_in(player: Player, number: int) -> bool:
    return player.entered_in <= number and (player.dropped_after is None or player.dropped_after >= number)
