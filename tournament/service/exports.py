"""An event as an event file: everything that standings and pairings can be computed from again, anywhere."""

from sqlmodel import Session

from tournament import event_file, store
from tournament.service.pools import absent
from tournament.tables import EventRow


def export(session: Session, event: EventRow) -> str:
    """The event file: the players, every published round with its results, and the cut; the draw is in it."""
    players, rounds = store.players_of(session, event.id), store.rounds_of(session, event.id)
    return event_file.write_event_file(
        event_file.Event(
            name=event.name,
            game=event.game,
            draw=event.draw,
            preset=event.preset,
            players=players,
            rounds=rounds,
            absent=absent(players, rounds),
            stood=store.stood_of(session, event.id),
            cut=store.bracket_of(session, event.id),
        )
    )
