"""Standings: computed afresh from the closed rounds, never stored."""

from collections.abc import Iterator, Sequence

from sqlmodel import Session

from tournament import store
from tournament.domain.bracket import Bracket
from tournament.domain.cut import places_without_cut, settled_places
from tournament.domain.model import AnyRound, Player, PlayerId
from tournament.domain.standings import Standing, rank
from tournament.errors import RoundNotFound
from tournament.service.events import preset_of
from tournament.tables import EventRow


def after(session: Session, event: EventRow, number: int | None = None) -> tuple[int, tuple[Standing, ...]]:
    """The standings after a closed round, and which round that is; 0 before the first.

    Args:
        session: to read.
        event: whose.
        number: the round; the last closed one if it is not given.

    Raises:
        RoundNotFound: that round is not closed.
    """
    closed = [row.number for row in store.round_rows(session, event.id) if row.closed_at is not None]
    last = max(closed, default=0) if number is None else number
    if last and last not in closed:
        raise RoundNotFound(last)
    rounds = tuple(played for played in store.rounds_of(session, event.id) if played.number <= last)
    return last, rank(store.players_of(session, event.id), rounds, preset_of(event))


def final(
    event: EventRow, players: Sequence[Player], rounds: Sequence[AnyRound], bracket: Bracket | None = None
) -> Iterator[tuple[PlayerId, int, int]]:
    """Where everybody ended in a finished event, from what was read of it already: player, place, match points.

    By the cut where there was one. Who shares places has the best of them; match points are those of the rounds.
    """
    lines = rank(players, rounds, preset_of(event))
    points = {line.player: line.match_points for line in lines}
    for place in places_without_cut(lines) if bracket is None else settled_places(bracket, lines):
        for player in place.players:
            if player in points:  # who is disqualified is in no standings
                yield player, place.first, points[player]
