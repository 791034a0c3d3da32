"""An event as an event file: everything that standings and pairings can be computed from again, anywhere."""

from sqlmodel import Session

from tournament import event_file, store
from tournament.tables import EventRow


def export(session: Session, event: EventRow) -> str:
    """The event file: the players, and every published round with its results; the draw is in it."""
    return event_file.write_event_file(
        event_file.Event(
            name=event.name,
            game=event.game,
            draw=event.draw,
            preset=event.preset,
            players=store.players_of(session, event.id),
            rounds=store.rounds_of(session, event.id),
        )
    )
