"""An event as an event file: everything that standings and pairings can be computed from again, anywhere.

Losses that judges put into results are in the games of the tables, and in the list of penalties for the record. Who is
not staff gets the numbers of penalties only.
"""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Final

from sqlmodel import Session

from tournament import event_file, store
from tournament.domain.infractions import PenaltyLevel
from tournament.domain.model import Mode, PlayerId, PodRound, Round
from tournament.domain.results import GameLoss, MatchLoss, Penalty
from tournament.service import as_paired
from tournament.service.chain import receipt_of
from tournament.service.pools import absent
from tournament.tables import EventRow, PenaltyRow, SealedRow

LONGEST_KEPT: Final = 1 << 18
"""Characters of a list, a name, or what a judge wrote. What nodes said of a large event is longer, and stays here."""
_LOSSES: Final[dict[str, type[GameLoss] | type[MatchLoss]]] = {
    PenaltyLevel.GAME_LOSS: GameLoss,
    PenaltyLevel.MATCH_LOSS: MatchLoss,
}


def export(
    session: Session, event: EventRow, *, with_penalties: bool = True, log: bool = False, kept: bool = False
) -> str:
    """The event file: the players, and every published round with its results, and the cut; the draw is in it.

    Args:
        session: to read.
        event: which.
        with_penalties: for staff; without them a note counts the penalties.
        log: with the receipts of all commands, so that the event can be checked, and go on, elsewhere.
        kept: with what is kept beside the log, names and lists, so that nothing is left behind.
    """
    written = exported(session, event, with_penalties=with_penalties, log=log, kept=kept)
    return event_file.write_event_file(written)


def exported(
    session: Session, event: EventRow, *, with_penalties: bool = True, log: bool = False, kept: bool = False
) -> event_file.Event:
    """The same as a value."""
    given = [row for row in store.penalties_of(session, event.id) if row.withdrawn is None]
    about = {"name": "", "game": "", "draw": "", "preset": "", "note": _counted(given)}
    players, rounds = store.players_of(session, event.id), store.rounds_of(session, event.id)
    of_two = tuple(played for played in rounds if isinstance(played, Round))
    return event_file.Event(
        name=event.name,
        game=event.game,
        draw=event.draw,
        preset=event.preset,
        pod_size=event.pod_size if not of_two else None,
        mode=Mode(event.mode),
        apart=store.apart_of(session, event.id),
        players=players,
        rounds=of_two,
        pods=tuple(played for played in rounds if isinstance(played, PodRound)),
        absent=absent(players, rounds),
        stood=store.stood_of(session, event.id),
        **as_paired.fields_of(session, event, rounds),
        cut=store.bracket_of(session, event.id),
        penalties=_applied(given) if with_penalties else (),
        log=tuple(json.loads(receipt_of(row)) for row in store.read_log(session, event.id)) if log else (),
        kept=tuple(opened(row) for row in store.read_sealed(session, event.id) if len(row.text) <= LONGEST_KEPT)
        if kept
        else (),
        written={"version": event_file.VERSION, "event": about} if given and not with_penalties else {},
    )


def opened(row: SealedRow) -> dict[str, object]:
    """What is kept beside the log, as a file has it."""
    return {"digest": row.digest, "salt": row.salt, "text": row.text}


def _applied(given: Sequence[PenaltyRow]) -> tuple[Penalty, ...]:
    """Game losses and match losses that are in the results."""
    return tuple(
        _LOSSES[row.level](
            player=PlayerId(str(row.entry)),
            round=row.round,
            infraction=_line(row.infraction),
            reason=_line(row.text) or _line(row.infraction),
        )
        for row in given
        if row.applied is not None and row.level in _LOSSES
    )


def _counted(given: Sequence[PenaltyRow]) -> str:
    counts = Counter(row.level for row in given)
    return "penalties: " + ", ".join(f"{counts[level]} {level}" for level in PenaltyLevel if counts[level])


def _line(text: str) -> str:
    """A text of any lines as one line of what can be seen."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
