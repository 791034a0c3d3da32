"""Why a round of pods is seated as it is, so that somebody who trusts nobody can check it.

A certificate holds the draw, the value of every level (`PodCost`), a sentence for each pair that meets again, each pair
that could not be kept apart, each player at an uneven table again and each bye, and how certain it is that no seating
is better (`pods.Proof`). The values are checked by counting alone; that the draw gives this round is checked by seating
it again. What a search beyond 16 players did not find nobody has proven not to exist, and the certificate says so.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations

from tournament.domain.amounts import counted
from tournament.domain.certificate import Reason
from tournament.domain.model import PlayerId, Pod, PodRound
from tournament.domain.pod_search import EXACT_UP_TO
from tournament.domain.pods import (
    Layout,
    Proof,
    Repeat,
    Seating,
    odd_byes,
    pod_faults,
    repeats,
    seat_round,
    together,
    uneven_seats,
)
from tournament.domain.pool import Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class PodCost:
    """What a seating is judged by, the most important first; less is better."""

    byes: int
    repeats: tuple[int, ...]
    """For each pair that meets again how often it met before, the most first; judged by the sum of the squares."""
    apart: int
    """Pairs at one table who are to be kept apart."""
    again_uneven: int
    """Earlier seats at uneven tables of those who sit at one now, squared and added."""
    spread: int
    """Squared differences of points of any two at a table, added."""
    uneven_points: int
    """Points of everybody at an uneven table."""

    @property
    def rank(self) -> tuple[int, ...]:
        """By which two seatings compare."""
        met = sum(times**2 for times in self.repeats)
        return (self.byes, met, self.apart, self.again_uneven, self.spread, self.uneven_points)


@dataclass(frozen=True, slots=True, kw_only=True)
class PodCertificate:
    """A round's reasons, and how certain it is."""

    draw: str
    number: int
    digest: str
    """Of who sits together: `digest_of_pods`."""
    usual: int
    """Seats of a table, if the players come out even."""
    cost: PodCost
    repeats: tuple[Reason, ...]
    apart: tuple[Reason, ...]
    uneven: tuple[Reason, ...]
    """Who is at an uneven table again."""
    byes: tuple[Reason, ...]
    proof: Proof


def seat_pool(pool: Pool, rounds: Sequence[PodRound], draw: str, layout: Layout) -> Seating:
    """Seat the players of a pool by the public draw.

    Args:
        pool: who plays, and their past.
        rounds: the rounds before, in order.
        draw: the event's public draw.
        layout: seats of the tables.

    Raises:
        PlayersUnseatable: no table of an allowed size can be filled.
    """
    return seat_round(
        pool.points.keys(),
        rounds,
        pool.points,
        draw=draw,
        layout=layout,
        apart=pool.apart,
        awarded=pool.awarded,
        tables=pool.tables,
    )


def certify_pods(pool: Pool, rounds: Sequence[PodRound], draw: str, layout: Layout) -> tuple[PodRound, PodCertificate]:
    """The round that `seat_pool` makes, and why it is so. Raises: PlayersUnseatable."""
    seating = seat_pool(pool, rounds, draw, layout)
    return seating.round, _certificate(seating, pool, rounds, draw, layout)


def _certificate(seating: Seating, pool: Pool, rounds: Sequence[PodRound], draw: str, layout: Layout) -> PodCertificate:
    byes = odd_byes(seating.round)
    return PodCertificate(
        draw=draw,
        number=pool.number,
        digest=digest_of_pods(seating.round),
        usual=layout.usual,
        cost=pod_cost(seating.round, pool, rounds, layout),
        repeats=tuple(_met(repeat) for repeat in seating.repeats),
        apart=tuple(
            Reason(pair, f"{pair[0]} and {pair[1]} should be kept apart, and sit together") for pair in seating.together
        ),
        uneven=tuple(
            Reason((player,), f"{player} is at a table of another size than {layout.usual} again")
            for player in seating.again_uneven
        ),
        byes=tuple(
            Reason((player,), f"{player} has a bye: {counted(len(pool.points), 'player')} leave {len(byes)} over")
            for player in byes
        ),
        proof=seating.proof,
    )


def _met(repeat: Repeat) -> Reason:
    before = "once" if repeat.times == 1 else f"{repeat.times} times"
    return Reason((repeat.first, repeat.second), f"{repeat.first} and {repeat.second} have met {before}")


def digest_of_pods(played: PodRound) -> str:
    """SHA-256 of who sits together, whatever the tables: 64 hex digits."""
    tables = sorted(sorted(seat.players) for seat in played.seats if isinstance(seat, Pod))
    return sha256(repr((played.number, tables, sorted(odd_byes(played)))).encode()).hexdigest()


def pod_cost(played: PodRound, pool: Pool, rounds: Sequence[PodRound], layout: Layout) -> PodCost:
    """What a round of pods costs, by counting."""
    pods = [seat for seat in played.seats if isinstance(seat, Pod)]
    uneven = [player for pod in pods if len(pod.players) != layout.usual for player in pod.players]
    before = uneven_seats(rounds, layout.usual)
    points = pool.points
    return PodCost(
        byes=len(odd_byes(played)),
        repeats=tuple(sorted((repeat.times for repeat in repeats(pods, rounds)), reverse=True)),
        apart=len(together(pods, pool.apart)),
        again_uneven=sum(before[player] ** 2 for player in uneven),
        spread=sum(
            (points.get(one, 0) - points.get(other, 0)) ** 2
            for pod in pods
            for one, other in combinations(pod.players, 2)
        ),
        uneven_points=sum(points.get(player, 0) for player in uneven),
    )


def pods_worse(before: PodCost, after: PodCost) -> list[str]:
    """On which levels tables are worse than others, in sentences."""
    levels = (
        ("pairs who meet again", len(before.repeats), len(after.repeats)),
        ("pairs who are to be kept apart at one table", before.apart, after.apart),
        ("seats at uneven tables of those who had one, squared", before.again_uneven, after.again_uneven),
        ("squared differences of points, in sum", before.spread, after.spread),
        ("points at uneven tables", before.uneven_points, after.uneven_points),
    )
    return [f"{what}: {now} instead of {was}" for what, was, now in levels if now > was]


# --- checking ---------------------------------------------------------------------------------------------------------


def audit_pods(
    certificate: PodCertificate, pool: Pool, rounds: Sequence[PodRound], layout: Layout, paired: PodRound
) -> list[str]:
    """Check a certificate by counting, and seat the round again from its draw; name every difference."""
    return [
        *_by_counting(certificate, pool, rounds, layout, paired),
        *pods_otherwise(paired, seat_pool(pool, rounds, certificate.draw, layout).round),
    ]


def _by_counting(
    certificate: PodCertificate, pool: Pool, rounds: Sequence[PodRound], layout: Layout, paired: PodRound
) -> Iterator[str]:
    if certificate.number != paired.number:
        yield f"the certificate is of round {certificate.number}"
    if certificate.digest != digest_of_pods(paired):
        yield "the certificate is of other tables"
    if certificate.usual != layout.usual:
        yield f"the certificate is for tables of {certificate.usual}, and the event has tables of {layout.usual}"
    if certificate.cost != (cost := pod_cost(paired, pool, rounds, layout)):
        yield f"the certificate says {certificate.cost}, and the round costs {cost}"
    pods = [seat for seat in paired.seats if isinstance(seat, Pod)]
    before = uneven_seats(rounds, layout.usual)
    should = (
        ("pairs that meet again", certificate.repeats, [{one.first, one.second} for one in repeats(pods, rounds)]),
        ("pairs to be kept apart", certificate.apart, [set(pair) for pair in together(pods, pool.apart)]),
        ("players at uneven tables again", certificate.uneven, [{player} for player in _again(pods, before, layout)]),
        ("byes", certificate.byes, [{player} for player in odd_byes(paired)]),
    )
    for what, said, so in should:
        if Counter(frozenset(reason.players) for reason in said) != Counter(map(frozenset, so)):
            yield f"the certificate names other {what} than there are"
    if certificate.proof is Proof.EXACT and len(pool.points) - certificate.cost.byes > EXACT_UP_TO:
        yield f"every seating is weighed for up to {EXACT_UP_TO} players, and there are more"
    if certificate.proof is Proof.NO_REPEATS and certificate.cost.repeats:
        yield "somebody meets again, so it is not proven that nobody has to"
    active = [*pool.points, *pool.awarded]
    yield from (fault.sentence for fault in pod_faults(paired, active, rounds, layout, awarded=pool.awarded))


def _again(pods: Sequence[Pod], before: Mapping[PlayerId, int], layout: Layout) -> list[PlayerId]:
    uneven = (pod for pod in pods if len(pod.players) != layout.usual)
    return [player for pod in uneven for player in pod.players if before.get(player)]


def pods_otherwise(paired: PodRound, should: PodRound) -> list[str]:
    """Which tables the draw does not give, and which it gives that are not there; in sentences."""
    here, there = _groups(paired), _groups(should)
    found = [f"the draw gives no table to {' and '.join(players)}" for players in sorted(here - there)]
    return found + [f"the draw gives a table to {' and '.join(players)}" for players in sorted(there - here)]


def _groups(played: PodRound) -> set[tuple[PlayerId, ...]]:
    tables = {tuple(sorted(seat.players)) for seat in played.seats if isinstance(seat, Pod)}
    return tables | {(player,) for player in odd_byes(played)}
