"""What an event file answers: its next round, its standings, its cut. Functions of what the file says, nothing else.

They only bring together what the rules of `tournament.domain` ask for.
"""

from collections.abc import Mapping
from dataclasses import replace

from tournament.domain.certificate import Certificate
from tournament.domain.certify import certify
from tournament.domain.columns import read
from tournament.domain.cut import Cut, cut_to
from tournament.domain.errors import NobodyToPair, ResultsMissing
from tournament.domain.model import PlayerId, Round
from tournament.domain.pairing import pair_round
from tournament.domain.pool import Pool, gather
from tournament.domain.presets import Preset, preset_named
from tournament.domain.standings import Standing, match_points_of, rank, still_in
from tournament.domain.tiebreaks import Record
from tournament.event_file.model import Event


def paired_round(event: Event, number: int | None = None) -> Round:
    """The round that comes next, or the one of that number paired again, with all its tables open.

    A round of the past is paired from what the file says now about the rounds before it.

    Raises:
        ResultsMissing, NobodyToPair: as `pool_to_pair` does.
    """
    return pair_round(pool_to_pair(event, number), event.draw)


def certified_round(event: Event, number: int | None = None) -> tuple[Round, Certificate]:
    """The same round, and why it is the best one.

    Raises:
        ResultsMissing, NobodyToPair: as `pool_to_pair` does.
    """
    return certify(pool_to_pair(event, number), event.draw)


def pool_to_pair(event: Event, number: int | None = None) -> Pool:
    """Who is to be paired in the next round, or in the one of that number.

    Raises:
        ResultsMissing: a table of a round before has no result yet.
        NobodyToPair: nobody is in the round.
    """
    number = len(event.rounds) + 1 if number is None else number
    if missing := [(before, table) for before, table in event.open_tables if before < number]:
        raise ResultsMissing(f"pair round {number}", missing)
    pool = pool_before(event, number)
    if not pool.points and not pool.awarded:
        raise NobodyToPair(number)
    return pool


def with_round(event: Event, paired: Round) -> Event:
    """The event with one more round."""
    return replace(event, rounds=(*event.rounds, paired))


def pool_before(event: Event, number: int) -> Pool:
    """Who is to be paired in the round of that number, and their past, as the file tells it now."""
    points = points_before(event, number)
    return gather(event.players, event.rounds, points, number=number, apart=event.apart)


def points_before(event: Event, number: int) -> Mapping[PlayerId, int]:
    """Match points after the rounds before the one of that number."""
    return match_points_of(
        event.players, event.rounds[: number - 1], preset_named(event.preset), penalties=event.penalties
    )


def standings_of(event: Event, preset: Preset | None = None, *, after: int | None = None) -> tuple[Standing, ...]:
    """The standings.

    Args:
        event: as its file tells it.
        preset: how they are computed, if not as the event says.
        after: the last round that counts; all rounds if None.
    """
    rounds = event.rounds[:after]
    return rank(event.players, rounds, preset or preset_named(event.preset), penalties=event.penalties)


def cut_of(event: Event, size: int) -> Cut:
    """The best so many of those who are still in, seeded.

    Raises:
        ResultsMissing: a table has no result yet.
        CutImpossible: fewer than two, or more than are there.
    """
    if event.open_tables:
        raise ResultsMissing(f"cut to {size} players", event.open_tables)
    gone = {player.id for player in event.players if not still_in(player)}
    return cut_to(size, standings_of(event), draw=event.draw, gone=gone)


def records_of(event: Event, *, after: int | None = None) -> dict[PlayerId, Record]:
    """What everybody's finished rounds came to, in counts."""
    ledger = read(event.players, event.rounds[:after], preset_named(event.preset))
    return {player: ledger.kinds[kind] for player, kind in zip(ledger.index, ledger.kind_of, strict=True)}
