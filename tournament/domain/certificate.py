"""Why a round is paired as it is, written so that somebody who trusts nobody can check it.

A certificate holds the draw, the value of every level, a sentence for each float, bye and rematch, and a *bound*:
numbers from which it follows that no round of these players is better on levels 1 to 5 (`objective`). To check it, take
the players, their points and whom they have met, and see that

- nobody is left out, no two at a table have met or are kept apart, and the bye's holder has the fewest byes and, of
  those with as few, the fewest points; no round does better there. (Where a rematch or more could not be avoided,
  levels 2 to 5 are one price instead: see `objective.Price`.)
- every charged set has an odd number of members. In an odd field the bye counts as one more player with its holder's
  points, who may meet those who may have it. A set may hold "everybody from so many points up" besides the players it
  names.
- for any two who may meet, their potentials and the charges of all sets that hold just one of them are together at
  most the price of their table: the squared difference of their points.
- all potentials and charges together are the price of the round.

Each odd set is left by at least one table, so every round costs at least that sum; this one costs just that. All these
numbers are in eighths. Where parity decides, the sets are "everybody from so many points up", charged with the square
of the step below; potentials appear only where former opponents are in the way.

Levels 6 to 8 pick one of the rounds that are equally good; that it is this one is checked by pairing again
(`certify.audit`). Nothing here is shared with the pairing itself but the objective and the draw.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations

from tournament.domain.amounts import counted
from tournament.domain.draw import draw_lots
from tournament.domain.model import Bye, ByeKind, Pairing, PlayerId, Round
from tournament.domain.objective import Cost, Pair, Price, cost_of, pick_of
from tournament.domain.pool import Pool

EIGHTHS = 8


@dataclass(frozen=True, slots=True)
class Reason:
    """Why two meet who do not stand equal, or have met, or why somebody has the bye."""

    players: tuple[PlayerId, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Charge:
    """An odd set of players, and what every round pays for leaving it."""

    eighths: int
    players: frozenset[PlayerId] = frozenset()
    with_bye: bool = False
    down_to: int | None = None
    """Everybody with so many points or more is a member as well, the bye with its holder's points."""


@dataclass(frozen=True, slots=True)
class Bound:
    """Numbers from which it follows that no round is better on levels 1 to 5."""

    charges: tuple[Charge, ...]
    potentials: Mapping[PlayerId, int] = field(default_factory=dict)
    """In eighths; 0 for everybody who is not named."""
    of_bye: int = 0
    """The potential of the bye."""
    whole: bool = False
    """Whether levels 2 to 5 are one price, because a rematch, a pair to be kept apart or a second bye was needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """A round's reasons and proof."""

    draw: str
    number: int
    digest: str
    """Of who meets whom: `digest_of`."""
    cost: Cost
    places: int
    """Level 6."""
    lots: int
    """Level 7."""
    floats: tuple[Reason, ...]
    rematches: tuple[Reason, ...]
    apart: tuple[Reason, ...]
    byes: tuple[Reason, ...]
    bound: Bound
    unproven: str = ""
    """What the bound leaves open, if anything; pairing again with another solver has to do there."""


def pairs_of(paired: Round) -> list[Pair]:
    """Who meets whom, in the order of the round."""
    return [(seat.first, seat.second) for seat in paired.seats if isinstance(seat, Pairing)]


def odd_byes(paired: Round) -> list[PlayerId]:
    """Holders of a bye that they did not bring along."""
    return [seat.player for seat in paired.seats if isinstance(seat, Bye) and seat.kind is ByeKind.ODD]


def digest_of(paired: Round) -> str:
    """SHA-256 of who meets whom, whatever the tables: 64 hex digits."""
    met = sorted(sorted(pair) for pair in pairs_of(paired))
    return sha256(repr((paired.number, met, sorted(odd_byes(paired)))).encode()).hexdigest()


# --- checking -------------------------------------------------------------------------------------------------------


def check_certificate(certificate: Certificate, pool: Pool, paired: Round) -> list[str]:
    """Name everything in which a certificate differs from the players' history; an empty list is a proof.

    It is a proof of levels 1 to 5. The sentences are not judged, only whether none is missing.

    Args:
        certificate: what was claimed.
        pool: the players and their past, from the checker's own history.
        paired: the round.
    """
    return [
        *_another_round(certificate, pool, paired),
        *_values(certificate, pool, paired),
        *_reasons(certificate, pool, paired),
        *_strangers(certificate.bound, pool),
        *(_whole_bound(certificate, pool, paired) if certificate.bound.whole else _bound(certificate, pool, paired)),
    ]


def _another_round(certificate: Certificate, pool: Pool, paired: Round) -> Iterator[str]:
    if not pool.number == paired.number == certificate.number:
        yield f"the certificate is for round {certificate.number}, the round is {paired.number}"
    if certificate.digest != digest_of(paired):
        yield "the certificate is for other tables"


def _values(certificate: Certificate, pool: Pool, paired: Round) -> Iterator[str]:
    pairs, byes = pairs_of(paired), odd_byes(paired)
    strangers = {player for pair in pairs for player in pair}.union(byes) - pool.points.keys()
    if strangers:
        yield f"not to be paired in this round: {', '.join(sorted(strangers))}"
        return
    cost = cost_of(pool, pairs, byes)
    if cost != certificate.cost:
        yield f"the round costs {cost}, the certificate says {certificate.cost}"
    if cost.left_out:
        yield f"players or byes too many or too few: {cost.left_out}"
        return
    lots = draw_lots(certificate.draw, pool.number, pool.points)
    pick = pick_of(pool.points, lots, pairs, byes[0] if byes else None)
    if (pick.places, pick.number) != (certificate.places, certificate.lots):
        yield (
            f"by the draw {certificate.draw!r} levels 6 and 7 are {pick.places} and {pick.number}, "
            f"the certificate says {certificate.places} and {certificate.lots}"
        )


def _reasons(certificate: Certificate, pool: Pool, paired: Round) -> Iterator[str]:
    pairs = [pair for pair in pairs_of(paired) if pool.points.keys() >= set(pair)]
    wanted: dict[str, Sequence[tuple[PlayerId, ...]]] = {
        "float": [pair for pair in pairs if pool.points[pair[0]] != pool.points[pair[1]]],
        "rematch": [(one, other) for one, other in pairs if other in pool.met.get(one, ())],
        "pair kept apart": [(one, other) for one, other in pairs if other in pool.apart.get(one, ())],
        "bye": [(player,) for player in odd_byes(paired)],
    }
    given = {
        "float": certificate.floats,
        "rematch": certificate.rematches,
        "pair kept apart": certificate.apart,
        "bye": certificate.byes,
    }
    for kind, found in wanted.items():
        named = {frozenset(reason.players) for reason in given[kind]}
        for players in found:
            if frozenset(players) not in named:
                yield f"no reason is given for the {kind} of {' and '.join(players)}"
        for players in (reason.players for reason in given[kind]):
            if frozenset(players) not in set(map(frozenset, found)):
                yield f"a reason is given for the {kind} of {' and '.join(players)}, which is none"


def _strangers(bound: Bound, pool: Pool) -> Iterator[str]:
    """Names that the checker would have to pass over: what is counted for nobody proves nothing."""
    named = set(bound.potentials).union(*(charge.players for charge in bound.charges))
    if strangers := named - pool.points.keys():
        yield f"the bound counts on who is not in the round: {', '.join(sorted(strangers))}"
    if len(pool.points) % 2 == 0 and (bound.of_bye or any(charge.with_bye for charge in bound.charges)):
        yield "the bound counts on a bye, and there is none"


# --- the bound ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kind:
    """A player who is named in the bound, the bye, or all others with as many points, who are alike to it."""

    score: int
    potential: int
    sets: int
    """The charged sets that hold it, as bits."""
    player: PlayerId | None = None
    is_bye: bool = False


def _bound(certificate: Certificate, pool: Pool, paired: Round) -> Iterator[str]:
    cost = cost_of(pool, pairs_of(paired), odd_byes(paired))
    fewest = min((pool.byes.get(player, 0) for player in pool.points), default=0)
    mates = {player for player in pool.points if pool.byes.get(player, 0) == fewest}
    host = min((pool.points[player] for player in mates), default=0) if len(pool.points) % 2 else None
    if cost.rematches or cost.apart:
        yield "a rematch or a pair kept apart is not proven to be needed"
    if host is not None and (cost.byes_before, cost.bye_points) != (fewest, host):
        yield f"the bye belongs to somebody with {counted(fewest, 'bye')} and {counted(host, 'point')}"
    mates = {player for player in mates if pool.points[player] == host}
    kinds = list(_kinds(certificate.bound, pool, host))
    yield from _sums(certificate.bound, kinds, EIGHTHS * cost.gaps, pool, host)
    named = {kind.player for kind in kinds if kind.player is not None}
    gained = [charge.eighths for charge in certificate.bound.charges]
    for one, other in combinations(kinds, 2):
        worth = one.potential + other.potential + _between(one.sets ^ other.sets, gained)
        price = 0 if one.is_bye or other.is_bye else EIGHTHS * (one.score - other.score) ** 2
        if worth > price and _may_meet(pool, mates, _players(one, pool, named), _players(other, pool, named)):
            yield f"{_named(one)} and {_named(other)} could meet for less than they are charged"


def _whole_bound(certificate: Certificate, pool: Pool, paired: Round) -> Iterator[str]:
    price = Price.of(pool)
    paid = sum(price.table(pool, *pair) for pair in pairs_of(paired))
    paid += sum(price.bye(pool, player) for player in odd_byes(paired))
    bound = certificate.bound
    everybody = Bound(bound.charges, {player: bound.potentials.get(player, 0) for player in pool.points}, bound.of_bye)
    kinds = list(_kinds(everybody, pool, 0 if len(pool.points) % 2 else None))
    if any(charge.down_to is not None for charge in bound.charges):
        yield "a bound of all levels charges sets by points"
    yield from _sums(everybody, kinds, EIGHTHS * paid, pool, 0 if len(pool.points) % 2 else None)
    gained = [charge.eighths for charge in bound.charges]
    for one, other in combinations(kinds, 2):
        worth = one.potential + other.potential + _between(one.sets ^ other.sets, gained)
        if one.player is None:
            continue
        table = price.bye(pool, one.player) if other.player is None else price.table(pool, one.player, other.player)
        if worth > EIGHTHS * table:
            yield f"{_named(one)} and {_named(other)} could meet for less than they are charged"


def _kinds(bound: Bound, pool: Pool, host: int | None) -> Iterator[_Kind]:
    named = set(bound.potentials).union(*(charge.players for charge in bound.charges))
    for player in sorted(named & pool.points.keys()):
        score = pool.points[player]
        sets = [player in charge.players or _reaches(charge, score) for charge in bound.charges]
        yield _Kind(score, bound.potentials.get(player, 0), _bits(sets), player)
    for score in sorted({score for player, score in pool.points.items() if player not in named}):
        yield _Kind(score, 0, _bits([_reaches(charge, score) for charge in bound.charges]))
    if host is not None:
        sets = [charge.with_bye or _reaches(charge, host) for charge in bound.charges]
        yield _Kind(host, bound.of_bye, _bits(sets), is_bye=True)


def _sums(bound: Bound, kinds: list[_Kind], price: int, pool: Pool, host: int | None) -> Iterator[str]:
    """The sets are odd, nothing is charged below 0, and the numbers add up."""
    for charge in bound.charges:
        members = charge.players & pool.points.keys()
        members |= {player for player, score in pool.points.items() if _reaches(charge, score)}
        bye = host is not None and (charge.with_bye or _reaches(charge, host))
        if (len(members) + bye) % 2 == 0:
            yield f"a charged set has an even number of members: {charge}"
        if charge.eighths < 0:
            yield f"a set is charged below 0: {charge}"
    total = sum(kind.potential for kind in kinds) + sum(charge.eighths for charge in bound.charges)
    if total != price:
        yield f"the bound adds up to {total} eighths, the round costs {price}"


def _may_meet(pool: Pool, mates: Collection[PlayerId], ones: list[PlayerId], others: list[PlayerId]) -> bool:
    """Whether some of these may meet some of those; nobody stands for the bye."""
    if not ones or not others:
        return any(player in mates for player in [*ones, *others])
    met, apart = pool.met, pool.apart
    return any(b not in met.get(a, ()) and b not in apart.get(a, ()) for a in ones for b in others)


def _players(kind: _Kind, pool: Pool, named: Collection[PlayerId]) -> list[PlayerId]:
    if kind.is_bye:
        return []
    if kind.player is not None:
        return [kind.player]
    return [player for player, score in pool.points.items() if score == kind.score and player not in named]


def _reaches(charge: Charge, score: int) -> bool:
    return charge.down_to is not None and score >= charge.down_to


def _bits(flags: list[bool]) -> int:
    return sum(1 << at for at, flag in enumerate(flags) if flag)


def _between(sets: int, gained: list[int]) -> int:
    return sum(gained[at] for at in range(sets.bit_length()) if sets >> at & 1)


def _named(kind: _Kind) -> str:
    if kind.is_bye:
        return "the bye"
    return kind.player if kind.player is not None else f"a player with {counted(kind.score, 'point')}"
