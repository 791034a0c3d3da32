"""Who is to be paired in a round, and their past: the one place where rows become what pairing and repairs ask for."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from tournament import store
from tournament.domain.model import AnyRound, Player, PlayerId, PodRound, Round, players_at
from tournament.domain.pods import USUAL
from tournament.domain.pool import Pool, gather
from tournament.domain.presets import pods, preset_named
from tournament.domain.standings import match_points_of
from tournament.tables import EventRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """An event so far, as the rules know it; what is decided about it may change a copy first."""

    players: tuple[Player, ...]
    rounds: tuple[Round, ...]
    """Published ones, in order."""
    pods: tuple[PodRound, ...] = ()
    """The same at tables of several; an event has the one or the other."""
    pod_size: int | None = None
    """Usual seats of a table of several; None: tables have two."""
    preset: str
    apart: tuple[tuple[PlayerId, PlayerId], ...] = ()
    """Pairs of players whom the organizer keeps apart."""

    @property
    def played(self) -> tuple[AnyRound, ...]:
        """Published rounds, whatever their tables, in order."""
        return (*self.rounds, *self.pods)


def past_of(session: Session, event: EventRow) -> Past:
    """The event so far. What an older program began at tables of two goes on so, whatever was announced."""
    played = store.rounds_of(session, event.id)
    rounds = tuple(one for one in played if isinstance(one, Round))
    return Past(
        players=store.players_of(session, event.id),
        rounds=rounds,
        pods=tuple(one for one in played if isinstance(one, PodRound)),
        pod_size=None if rounds else event.pod_size,
        preset=event.preset,
        apart=store.apart_of(session, event.id),
    )


def pool_of(past: Past, number: int, players: Sequence[Player] | None = None) -> Pool:
    """The pool of the round of that number, by the rounds before it; of these players, if not of all who are there."""
    here = present(past, number) if players is None else players
    before = [played for played in past.rounds if played.number < number]
    points = match_points_of(past.players, before, preset_named(past.preset))
    return gather(here, before, points, number=number, apart=past.apart)


def pod_pool_of(past: Past, number: int) -> Pool:
    """The pool of a round at tables of several."""
    before = tuple(played for played in past.pods if played.number < number)
    points = match_points_of(past.players, before, pods(past.pod_size or USUAL))
    return gather(present(past, number), before, points, number=number, apart=past.apart)


def present(past: Past, number: int) -> tuple[Player, ...]:
    """The players as that round sees them: who has no seat in it, once it is published, left before it."""
    current = next((played for played in past.played if played.number == number), None)
    if current is None:
        return past.players
    there = seated(current)
    return tuple(player if player.id in there else replace(player, dropped_after=number - 1) for player in past.players)


def absent(players: Sequence[Player], rounds: Sequence[AnyRound]) -> dict[PlayerId, tuple[int, ...]]:
    """Rounds that somebody sat out: after entering and before leaving, without a seat."""
    missed: defaultdict[PlayerId, list[int]] = defaultdict(list)
    for played in rounds:
        there = seated(played)
        for player in players:
            last = played.number if player.dropped_after is None else player.dropped_after
            if player.entered_in <= played.number <= last and player.id not in there:
                missed[player.id].append(played.number)
    return {player: tuple(numbers) for player, numbers in missed.items()}


def seated(played: AnyRound) -> set[PlayerId]:
    """Everybody with a table or a bye."""
    return {player for seat in played.seats for player in players_at(seat)}
