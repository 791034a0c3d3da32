"""Pair a round with its certificate, and check one by pairing again.

`certificate` says what a certificate is and checks what can be checked by arithmetic alone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tournament.domain.bound import bound_of
from tournament.domain.certificate import Certificate, Reason, check_certificate, digest_of, odd_byes, pairs_of
from tournament.domain.draw import draw_lots
from tournament.domain.ladder import Ladder
from tournament.domain.matching import Matcher, cheapest
from tournament.domain.model import Names, PlayerId, Round
from tournament.domain.objective import Cost, Pair, cost_of, pick_of
from tournament.domain.pairing import Plan, pair_round, plan_round, seat
from tournament.domain.pool import Pool, only


def certify(pool: Pool, draw: str, *, matcher: Matcher = cheapest, name: Names = str) -> tuple[Round, Certificate]:
    """The round that `pair_round` makes, and why it is the best one; the sentences call players by `name`."""
    lots = draw_lots(draw, pool.number, pool.points)
    plan = plan_round(pool, lots, matcher=matcher)
    byes = _byes(plan)
    case = _Case(pool, lots, plan, cost_of(pool, plan.pairs, byes), matcher, name)
    paired = seat(pool, plan.ladder.place, plan.pairs, byes)
    pairs = pairs_of(paired)
    pick = pick_of(pool.points, lots, plan.pairs, plan.bye)
    bound, unproven = bound_of(pool, plan)
    certificate = Certificate(
        draw=draw,
        number=pool.number,
        digest=digest_of(paired),
        cost=case.cost,
        places=pick.places,
        lots=pick.number,
        floats=tuple(_why_it_floats(case, pair) for pair in pairs if pool.points[pair[0]] != pool.points[pair[1]]),
        rematches=tuple(_why_again(case, pair) for pair in pairs if pair[1] in pool.met.get(pair[0], ())),
        apart=tuple(_why_not_apart(case, pair) for pair in pairs if pair[1] in pool.apart.get(pair[0], ())),
        byes=tuple(_why_the_bye(case, player) for player in byes),
        bound=bound,
        unproven=unproven,
    )
    return paired, certificate


def audit(certificate: Certificate, pool: Pool, paired: Round, *, matcher: Matcher = cheapest) -> list[str]:
    """Check a certificate, and pair the round again from its draw; name every difference."""
    found = check_certificate(certificate, pool, paired)
    return [*found, *otherwise(paired, pair_round(pool, certificate.draw, matcher=matcher), "the draw")]


def otherwise(paired: Round, should: Round, rule: str) -> list[str]:
    """What a round has that a rule does not give, and what it gives that the round has not; in sentences."""
    here, there = _tables(paired), _tables(should)
    found = [f"{rule} gives no table to {' and '.join(players)}" for players in sorted(here - there)]
    return found + [f"{rule} gives a table to {' and '.join(players)}" for players in sorted(there - here)]


def _tables(paired: Round) -> set[tuple[PlayerId, ...]]:
    return {tuple(sorted(pair)) for pair in pairs_of(paired)} | {(player,) for player in odd_byes(paired)}


def _byes(plan: Plan) -> list[PlayerId]:
    return [] if plan.bye is None else [plan.bye]


# --- reasons --------------------------------------------------------------------------------------------------------

_NEVER = 10**6
"""More former meetings than any two players have: such a pair is avoided if anything else is possible."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A round that is to be explained."""

    pool: Pool
    lots: Mapping[PlayerId, bytes]
    plan: Plan
    cost: Cost
    matcher: Matcher
    name: Names


def _why_it_floats(case: _Case, pair: Pair) -> Reason:
    points, ladder = case.pool.points, case.plan.ladder
    upper, lower = sorted(pair, key=lambda player: -points[player])
    line = 1 + ladder.scores.index(points[upper])
    settled = case.plan.whole or any(cell.first < line <= cell.last for cell in case.plan.cells)
    alone = next((player for player in (upper, lower) if _may_meet_no_equal(case, player)), None)
    if ladder.odd[line] and ladder.scores[line] == points[lower] and not settled:
        why = f"{_odd_number(ladder, line)}; of those who may meet, the draw puts these two nearest"
    elif alone is not None:
        why = f"{case.name(alone)} may meet nobody else with {_count(points[alone], 'point')}"
    else:
        why = _without(case, pair)
    at = f"{case.name(upper)} ({_count(points[upper], 'point')}) meets {case.name(lower)} ({points[lower]})"
    return Reason(pair, f"{at}: {why}")


def _odd_number(ladder: Ladder, line: int) -> str:
    above = sum(len(group) for group in ladder.groups[:line])
    with_bye = " (and there is the bye)" if ladder.host is not None and ladder.host < line else ""
    have = "1 player has" if above == 1 else f"{above} players have"
    return f"{have} {_count(ladder.scores[line - 1], 'point')} or more{with_bye}, an odd number, so a table must cross"


def _may_meet_no_equal(case: _Case, player: PlayerId) -> bool:
    ladder = case.plan.ladder
    group = ladder.groups[ladder.scores.index(case.pool.points[player])]
    return all(other == player or other in ladder.barred[player] for other in group)


def _why_again(case: _Case, pair: Pair) -> Reason:
    one, other = pair
    times = case.pool.met[one][other]
    before = "once" if times == 1 else f"{times} times"
    return Reason(pair, f"{case.name(one)} and {case.name(other)} have met {before}: {_without(case, pair)}")


def _why_not_apart(case: _Case, pair: Pair) -> Reason:
    one, other = map(case.name, pair)
    return Reason(pair, f"{one} and {other} should be kept apart: {_without(case, pair)}")


def _without(case: _Case, pair: Pair) -> str:
    """What the best round without this table would cost."""
    met = dict(case.pool.met)
    for player, opponent in (pair, pair[::-1]):
        met[player] = {**met.get(player, {}), opponent: _NEVER}
    plan = plan_round(replace(case.pool, met=met), case.lots, matcher=case.matcher)
    if set(pair) in map(set, plan.pairs):
        return "there is no round without this table"
    return f"without this table {_worse(case.cost, cost_of(case.pool, plan.pairs, _byes(plan)))}"


def _why_the_bye(case: _Case, holder: PlayerId) -> Reason:
    pool = case.pool
    rank = (pool.byes.get(holder, 0), pool.points[holder])
    before = [player for player in pool.points if (pool.byes.get(player, 0), pool.points[player]) < rank]
    equal = [player for player in pool.points if (pool.byes.get(player, 0), pool.points[player]) == rank]
    place = (
        f" and {_count(rank[1], 'point')}" if before else f" and, of those with as few, the fewest points ({rank[1]})"
    )
    why = [
        f"{len(pool.points)} players are an odd number",
        f"{case.name(holder)} has had {_count(rank[0], 'bye')}{place}",
    ]
    if len(equal) > 1:
        why.append(f"the draw chose among {len(equal)} such players")
    for player in before:
        rest = only(pool, pool.points.keys() - {player})
        plan = plan_round(rest, case.lots, matcher=case.matcher)
        why.append(f"with the bye for {case.name(player)} {_worse(case.cost, cost_of(pool, plan.pairs, [player]))}")
    return Reason((holder,), f"{case.name(holder)} has the bye: {'; '.join(why)}")


def _worse(best: Cost, other: Cost) -> str:
    """On which level the other round falls behind."""
    if other.rematches != best.rematches:
        return f"the best round has {_meetings(other.rematches)} instead of {_meetings(best.rematches)}"
    if other.apart != best.apart:
        return f"{_count(other.apart, 'pair')} would not be kept apart instead of {best.apart}"
    if other.byes_before != best.byes_before:
        return f"the bye goes to somebody with {_count(other.byes_before, 'bye')} instead of {best.byes_before}"
    if other.bye_points != best.bye_points:
        return f"the bye goes to somebody with {_count(other.bye_points, 'point')} instead of {best.bye_points}"
    if other.gaps != best.gaps:
        return f"the squared differences of points add up to {other.gaps} instead of {best.gaps}"
    return "the best round is as good, and the draw chose between them"


def _meetings(rematches: Sequence[int]) -> str:
    if not rematches:
        return "no rematch"
    times = Counter(rematches)
    return " and ".join(
        f"{_count(number, 'pair')} that met {_count(often, 'time')} before" for often, number in times.items()
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
