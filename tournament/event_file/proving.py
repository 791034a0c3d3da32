"""Is each round of an event the one that its rule and the public draw gave, from what was known when it was paired?

What was corrected, changed or parted since stands in the file as it was then (`model.AsPaired`), so a certificate can
be checked, and a round paired again, years later and by anybody. A certificate is checked twice: by arithmetic alone
(`certificate.check_certificate`), and by pairing again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tournament.domain.certify import audit, otherwise
from tournament.domain.fold import pair_folded
from tournament.domain.forecast import robin_rounds
from tournament.domain.model import (
    AnyRound,
    Bye,
    ByeKind,
    Pairing,
    Player,
    PlayerId,
    Pod,
    PodRound,
    PodSeat,
    Round,
    Seat,
    Way,
    opened,
    players_at,
    pod_opened,
)
from tournament.domain.pairing import pair_round
from tournament.domain.pod_certificate import audit_pods, pods_otherwise, seat_pool
from tournament.domain.pods import Layout
from tournament.domain.pool import Pool, gather
from tournament.domain.presets import preset_named
from tournament.domain.round_robin import scheduled
from tournament.domain.standings import match_points_of
from tournament.event_file.answers import preset_in
from tournament.event_file.documents import Document, certificate_from, pod_certificate_from
from tournament.event_file.model import AsPaired, Event

_NOTHING = AsPaired()
_UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What a certificate that somebody made up may come to."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What is to be said of a round."""

    round: int
    way: Way
    has_certificate: bool
    faults: tuple[str, ...]
    """In what the round or its certificate is not what it should be; none: it is proven."""


def proofs_of(event: Event) -> list[Proof]:
    """A proof of each round, in order."""
    return [_proof(event, played) for played in event.played]


def proof_document(proof: Proof) -> Document:
    """A proof as JSON."""
    return {
        "round": proof.round,
        "pairing": str(proof.way),
        "certificate": proof.has_certificate,
        "proven": not proof.faults,
        "faults": list(proof.faults),
    }


def as_paired(event: Event, number: int) -> Round:
    """A round of the file as it was paired: its tables before they were changed, all of them open."""
    played = event.rounds[number - 1]
    seats = event.as_paired.get(number, _NOTHING).seats
    return Round(number, tuple(map(opened, played.seats if seats is None else seats)))


def pool_as_paired(event: Event, number: int) -> Pool:
    """Who was to be paired in a round of the file, and their past as it stood then.

    Who has a place in the round was to be paired: that nobody was left out is what the round says of itself.
    """
    then = event.as_paired.get(number, _NOTHING)
    before = rounds_before(event, number)
    points = match_points_of(event.players, before, preset_named(event.preset), penalties=event.penalties)
    here = [player for seat in as_paired(event, number).seats for player in _seated(seat, number)]
    return gather(here, before, points, number=number, apart=_apart(event, then))


def rounds_before(event: Event, number: int) -> tuple[Round, ...]:
    """The rounds before the one of that number, with the results that stood when it was paired."""
    stood = event.as_paired.get(number, _NOTHING).results
    return tuple(
        replace(
            played,
            seats=tuple(
                replace(seat, result=stood.get((played.number, seat.table), seat.result))
                if isinstance(seat, Pairing)
                else seat
                for seat in played.seats
            ),
        )
        for played in event.rounds[: number - 1]
    )


def _proof(event: Event, played: AnyRound) -> Proof:
    number = played.number
    certificate = event.certificates.get(number)
    return Proof(number, event.way_of(number), certificate is not None, tuple(_faults(event, number)))


def _faults(event: Event, number: int) -> Iterator[str]:
    if event.pod_size is not None:
        yield from _against_pods(event, number, Layout(event.pod_size))
        return
    paired, pool = as_paired(event, number), pool_as_paired(event, number)
    match event.way_of(number):
        case Way.ROUND_ROBIN:
            yield from _against_schedule(event, paired)
        case Way.FOLD if seeds := event.as_paired.get(number, _NOTHING).seeds:
            yield from otherwise(paired, pair_folded(pool, event.draw, seeds), "the order of the seeds")
        case Way.FOLD:
            yield "the file does not have the seeds by which the round was paired"
        case _ if number in event.certificates:
            yield from _against_certificate(event, pool, paired)
        case _:
            yield from otherwise(paired, pair_round(pool, event.draw), "the draw")


def _against_pods(event: Event, number: int, layout: Layout) -> list[str]:
    """A round of pods: its certificate by counting, and seated again from the draw."""
    then = event.as_paired.get(number, _NOTHING)
    seats = event.pods[number - 1].seats if then.pods is None else then.pods
    paired = PodRound(number, tuple(map(pod_opened, seats)))
    before = pods_before(event, number)
    points = match_points_of(event.players, before, preset_in(event), penalties=event.penalties)
    here = [player for seat in paired.seats for player in _seated(seat, number)]
    pool = gather(here, before, points, number=number, apart=_apart(event, then))
    if number not in event.certificates:
        return pods_otherwise(paired, seat_pool(pool, before, event.draw, layout).round)
    try:
        certificate = pod_certificate_from(event.certificates[number], event.draw)
        return audit_pods(certificate, pool, before, layout, paired)
    except _UNREADABLE as error:
        return [f"the certificate cannot be read ({type(error).__name__}: {error})"]


def pods_before(event: Event, number: int) -> tuple[PodRound, ...]:
    """The rounds at tables of several before the one of that number, with the results that stood when it was paired."""
    stood = event.as_paired.get(number, _NOTHING).placings
    return tuple(
        replace(
            played, seats=tuple(_as_it_stood(seat, stood.get((played.number, _table(seat)))) for seat in played.seats)
        )
        for played in event.pods[: number - 1]
    )


def _table(seat: PodSeat) -> int:
    return 0 if isinstance(seat, Bye) else seat.table


def _as_it_stood(seat: PodSeat, then: Pod | None) -> PodSeat:
    if isinstance(seat, Bye) or then is None:
        return seat
    return replace(seat, placing=then.placing, ending=then.ending)


def _against_certificate(event: Event, pool: Pool, paired: Round) -> list[str]:
    try:
        return audit(certificate_from(event.certificates[paired.number], event.draw), pool, paired)
    except _UNREADABLE as error:
        return [f"the certificate cannot be read ({type(error).__name__}: {error})"]


def _against_schedule(event: Event, paired: Round) -> Iterator[str]:
    """The schedule was made for those who are in round 1; who has no place in a later one has left."""
    first = as_paired(event, 1)
    started, here = ({player for seat in played.seats for player in players_at(seat)} for played in (first, paired))
    if late := sorted(here - started):
        yield f"the schedule was made without {', '.join(late)}"
    elif paired.number > robin_rounds(len(started)):
        yield f"the schedule ends with round {robin_rounds(len(started))}"
    else:
        should = scheduled(started, started - here, paired.number, event.draw)
        yield from otherwise(paired, should, "the schedule")


def _apart(event: Event, then: AsPaired) -> Sequence[tuple[PlayerId, PlayerId]]:
    later = set(map(frozenset, then.not_apart))
    return [*(pair for pair in event.apart if frozenset(pair) not in later), *then.apart]


def _seated(seat: Seat | Pod, number: int) -> Iterator[Player]:
    """Who has a place, as the pool of that round wants them: there, and with an awarded bye if that is the place."""
    byes = number if isinstance(seat, Bye) and seat.kind is ByeKind.AWARDED else 0
    return (Player(id=player, name=player, awarded_byes=byes) for player in players_at(seat))
