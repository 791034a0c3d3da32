"""What is wrong with a round, whoever made it: the independent judge of the pairing and of an organizer's own tables.

It shares no code with the pairing. Whether a rematch, a table of two who are to be kept apart, or another bye for the
same player could have been avoided is found out here by a matching of its own: what could be avoided is a fault, what
could not is a note. Points play no part; `certificate` and `judgement` compare those.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from tournament.domain.model import Bye, ByeKind, Pairing, Player, PlayerId, Round


class Rule(StrEnum):
    """The rules of a round; each has the function that judges it."""

    SEATED_ONCE = "everybody is seated once"
    NOBODY_LEFT_OUT = "nobody is left out"
    ONLY_WHO_PLAYS = "only those who play are seated"
    TWO_AT_A_TABLE = "a table has two players"
    TABLES_DIFFER = "every table has its own number from 1"
    FIXED_TABLES = "a fixed table is kept"
    ONE_BYE_IF_ODD = "one bye, and only in an odd field"
    AWARDED_BYES = "a bye brought along is given"
    NO_REMATCH = "nobody meets twice"
    KEPT_APART = "those to be kept apart do not meet"
    NO_SECOND_BYE = "nobody has a second bye"


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that a round breaks, where, and a sentence for whoever made the round."""

    rule: Rule
    players: tuple[PlayerId, ...]
    sentence: str
    table: int | None = None


def faults(
    proposal: Round,
    players: Sequence[Player],
    rounds: Sequence[Round],
    *,
    apart: Iterable[tuple[PlayerId, PlayerId]] = (),
    standing: Collection[int] = (),
) -> list[Fault]:
    """List every rule that a proposed round breaks; an empty list is a legal round.

    Args:
        proposal: the round; its number says which of the others came before it.
        players: everybody who entered.
        rounds: the event's rounds.
        apart: pairs of players to be kept apart.
        standing: tables of the proposal that are played already, so that they are not to be judged.
    """
    case = _Case(proposal, players, rounds, frozenset(map(frozenset, apart)), standing)
    return [
        *_seated_once(case),
        *_nobody_left_out(case),
        *_only_who_plays(case),
        *_two_at_a_table(case),
        *_tables_differ(case),
        *_fixed_tables(case),
        *_one_bye_if_odd(case),
        *_awarded_byes(case),
        *(found for found, avoidable in _priced(case) if avoidable),
    ]


def notes(
    proposal: Round,
    players: Sequence[Player],
    rounds: Sequence[Round],
    *,
    apart: Iterable[tuple[PlayerId, PlayerId]] = (),
    standing: Collection[int] = (),
) -> list[Fault]:
    """List the rematches, pairs not kept apart and second byes that no round could have avoided."""
    case = _Case(proposal, players, rounds, frozenset(map(frozenset, apart)), standing)
    return [found for found, avoidable in _priced(case) if not avoidable]


@dataclass(frozen=True)
class _Case:
    """A round to be judged, and the event it belongs to."""

    proposal: Round
    players: Sequence[Player]
    rounds: Sequence[Round]
    apart: frozenset[frozenset[PlayerId]]
    standing: Collection[int]

    @cached_property
    def known(self) -> dict[PlayerId, Player]:
        return {player.id: player for player in self.players}

    @cached_property
    def active(self) -> list[PlayerId]:
        """Who is in the round, in the order of the players."""
        return [player.id for player in self.players if _is_in(player, self.proposal.number)]

    @cached_property
    def tables(self) -> list[Pairing]:
        return [seat for seat in self.proposal.seats if isinstance(seat, Pairing)]

    @cached_property
    def open_tables(self) -> list[Pairing]:
        return [seat for seat in self.tables if seat.table not in self.standing]

    @cached_property
    def byes(self) -> list[Bye]:
        return [seat for seat in self.proposal.seats if isinstance(seat, Bye)]

    @cached_property
    def past(self) -> list[Round]:
        return [former for former in self.rounds if former.number < self.proposal.number]

    @cached_property
    def meetings(self) -> Counter[frozenset[PlayerId]]:
        """How often two have met."""
        seats = (seat for former in self.past for seat in former.seats)
        return Counter(frozenset((seat.first, seat.second)) for seat in seats if isinstance(seat, Pairing))

    @cached_property
    def former_byes(self) -> Counter[PlayerId]:
        seats = (seat for former in self.past for seat in former.seats)
        return Counter(seat.player for seat in seats if isinstance(seat, Bye))

    @cached_property
    def free(self) -> list[PlayerId]:
        """Who could be paired otherwise: in the round, without a bye brought along, and not at a standing table."""
        number = self.proposal.number
        at_standing = {p for seat in self.tables if seat.table in self.standing for p in (seat.first, seat.second)}
        return [p for p in self.active if self.known[p].awarded_byes < number and p not in at_standing]


def _is_in(player: Player, number: int) -> bool:
    return player.entered_in <= number and (player.dropped_after is None or number <= player.dropped_after)


# --- who sits where -------------------------------------------------------------------------------------------------


def _seats_of(case: _Case) -> Counter[PlayerId]:
    seats = Counter(bye.player for bye in case.byes)
    for table in case.tables:
        seats.update({table.first, table.second})
    return seats


def _seated_once(case: _Case) -> Iterator[Fault]:
    for player, seats in _seats_of(case).items():
        if seats > 1:
            yield Fault(Rule.SEATED_ONCE, (player,), f"{player} is seated {seats} times")


def _nobody_left_out(case: _Case) -> Iterator[Fault]:
    seats = _seats_of(case)
    for player in case.active:
        if player not in seats:
            yield Fault(Rule.NOBODY_LEFT_OUT, (player,), f"{player} has neither a table nor a bye")


def _only_who_plays(case: _Case) -> Iterator[Fault]:
    places: list[tuple[PlayerId, int | None]] = [(bye.player, None) for bye in case.byes]
    places += [(player, seat.table) for seat in case.open_tables for player in (seat.first, seat.second)]
    for player, table in places:
        entry = case.known.get(player)
        if entry is None:
            yield Fault(Rule.ONLY_WHO_PLAYS, (player,), f"{player} never entered", table)
        elif not _is_in(entry, case.proposal.number):
            late = entry.entered_in > case.proposal.number
            why = f"enters in round {entry.entered_in}" if late else f"dropped after round {entry.dropped_after}"
            yield Fault(Rule.ONLY_WHO_PLAYS, (player,), f"{player} {why}", table)


def _two_at_a_table(case: _Case) -> Iterator[Fault]:
    for seat in case.tables:
        if seat.first == seat.second:
            sentence = f"{seat.first} is put against themself at table {seat.table}"
            yield Fault(Rule.TWO_AT_A_TABLE, (seat.first,), sentence, seat.table)


def _tables_differ(case: _Case) -> Iterator[Fault]:
    at: dict[int, list[PlayerId]] = {}
    for seat in case.tables:
        at.setdefault(seat.table, []).extend((seat.first, seat.second))
    for table, players in at.items():
        if len(players) > 2:  # noqa: PLR2004 (a table has two players)
            yield Fault(Rule.TABLES_DIFFER, tuple(players), f"table {table} is given to {', '.join(players)}", table)
        if table < 1:
            yield Fault(Rule.TABLES_DIFFER, tuple(players), f"there is no table {table}; tables count from 1", table)


def _fixed_tables(case: _Case) -> Iterator[Fault]:
    """Two who both have one play at the smaller number; where two tables want the same, one of them may have it."""
    taken = {seat.table: seat for seat in case.tables}
    for seat in case.open_tables:
        wanted = _wanted(case, seat)
        if wanted is None or wanted == seat.table:
            continue
        holder = taken.get(wanted)
        if holder is not None and (wanted in case.standing or _wanted(case, holder) == wanted):
            continue
        players = tuple(p for p in (seat.first, seat.second) if p in case.known and case.known[p].table is not None)
        sentence = f"{' and '.join(players)} should play at table {wanted}, not {seat.table}"
        yield Fault(Rule.FIXED_TABLES, players, sentence, seat.table)


def _wanted(case: _Case, seat: Pairing) -> int | None:
    entries = [case.known[player] for player in (seat.first, seat.second) if player in case.known]
    return min((entry.table for entry in entries if entry.table is not None), default=None)


# --- byes -----------------------------------------------------------------------------------------------------------


def _one_bye_if_odd(case: _Case) -> Iterator[Fault]:
    odd = [bye.player for bye in case.byes if bye.kind is ByeKind.ODD]
    due = len(case.free) % 2
    if len(odd) > due:
        players = "no bye is due" if not due else "one bye is due"
        what = "a bye" if len(odd) == 1 else "byes"
        yield Fault(Rule.ONE_BYE_IF_ODD, tuple(odd), f"{', '.join(odd)} would have {what}; {players}")


def _awarded_byes(case: _Case) -> Iterator[Fault]:
    number = case.proposal.number
    given = {bye.player for bye in case.byes if bye.kind is ByeKind.AWARDED}
    for player in case.active:
        byes = case.known[player].awarded_byes
        if byes >= number and player not in given:
            yield Fault(Rule.AWARDED_BYES, (player,), f"{player} brought a bye along for round {number}")
        if byes < number and player in given:
            yield Fault(Rule.AWARDED_BYES, (player,), f"{player} brought no bye along for round {number}")


# --- what has a price -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class _Least:
    """What the free players cannot avoid, the worst first."""

    rematches: tuple[int, ...] = ()
    """Former meetings of the two at each table, most first."""
    apart: int = 0
    former_byes: int = 0


def _priced(case: _Case) -> list[tuple[Fault, bool]]:
    """Rematches, pairs not kept apart and second byes, each with whether there are more of them than need be."""
    again, together = list(_no_rematch(case)), list(_kept_apart(case))
    second = list(_no_second_bye(case))
    if not (again or together or second):
        return []
    least = _least(case)
    rematches = tuple(sorted((times for _, times in again), reverse=True))
    byes = sum(times for _, times in second)
    return [
        *((fault, rematches > least.rematches) for fault, _ in again),
        *((fault, len(together) > least.apart) for fault in together),
        *((fault, byes > least.former_byes) for fault, _ in second),
    ]


def _no_rematch(case: _Case) -> Iterator[tuple[Fault, int]]:
    for seat in case.open_tables:
        times = case.meetings[frozenset((seat.first, seat.second))]
        if times and seat.first != seat.second:
            sentence = f"{seat.first} and {seat.second} have met {'before' if times == 1 else f'{times} times'}"
            yield Fault(Rule.NO_REMATCH, (seat.first, seat.second), sentence, seat.table), times


def _kept_apart(case: _Case) -> Iterator[Fault]:
    for seat in case.open_tables:
        if frozenset((seat.first, seat.second)) in case.apart:
            sentence = f"{seat.first} and {seat.second} are to be kept apart"
            yield Fault(Rule.KEPT_APART, (seat.first, seat.second), sentence, seat.table)


def _no_second_bye(case: _Case) -> Iterator[tuple[Fault, int]]:
    for bye in case.byes:
        times = case.former_byes[bye.player]
        if times and bye.kind is ByeKind.ODD:
            sentence = f"{bye.player} has had {'a bye' if times == 1 else f'{times} byes'} before"
            yield Fault(Rule.NO_SECOND_BYE, (bye.player,), sentence), times


def _least(case: _Case) -> _Least:
    """The fewest rematches, then pairs not kept apart, then former byes that some round of the free players has.

    Where nobody is barred from more than m others, any 2m + 2 players can be paired (Dirac 1952), whoever has the bye;
    below that a matching finds out.
    """
    free = case.free
    barred = _barred(case)
    fewest = min((case.former_byes[player] for player in free), default=0) if len(free) % 2 else 0
    if len(free) - len(free) % 2 >= 2 * max(map(len, barred.values()), default=0) + 2:
        return _Least(former_byes=fewest)
    return _least_by_matching(case)


def _barred(case: _Case) -> dict[PlayerId, set[PlayerId]]:
    barred: dict[PlayerId, set[PlayerId]] = {player: set() for player in case.free}
    for pair in [*case.meetings, *case.apart]:
        if len(pair) == 2 and pair <= barred.keys():  # noqa: PLR2004 (who is put against themself meets nobody)
            one, other = pair
            barred[one].add(other)
            barred[other].add(one)
    return barred


def _least_by_matching(case: _Case) -> _Least:
    free = case.free
    edges: list[tuple[int, int, _Least]] = []
    for i, one in enumerate(free):
        for j in range(i + 1, len(free)):
            pair = frozenset((one, free[j]))
            times = case.meetings[pair]
            edges.append((i, j, _Least((times,) if times else (), int(pair in case.apart))))
        if len(free) % 2:
            edges.append((i, len(free), _Least(former_byes=case.former_byes[one])))
    weigh = _scale([cost for _, _, cost in edges], len(free))
    cost_of = {(i, j): cost for i, j, cost in edges}
    matched = _cheapest(len(free) + len(free) % 2, {pair: weigh(cost) for pair, cost in cost_of.items()})
    costs = [cost_of[pair] for pair in matched]
    return _Least(
        tuple(sorted((times for cost in costs for times in cost.rematches), reverse=True)),
        sum(cost.apart for cost in costs),
        sum(cost.former_byes for cost in costs),
    )


def _cheapest(vertices: int, weights: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    """A cheapest perfect matching; everybody may meet everybody, so there is one."""
    if max(weights.values(), default=0) >= _COUNTED_TO:
        from tournament.domain.matching_proof import cheapest_with_proof  # noqa: PLC0415 (needed by no real event)

        proven = cheapest_with_proof(vertices, [(i, j, weight) for (i, j), weight in weights.items()])
        return [] if proven is None else proven.pairs
    import rustworkx  # noqa: PLC0415 (only where a rematch may be needed)

    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from([(i, j, -weight) for (i, j), weight in weights.items()])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(min(pair), max(pair)) for pair in matched]


_COUNTED_TO = 2**100
"""rustworkx counts in 128 bits and wraps without a word. Beyond, the solver in whole numbers of any size has to do: it
is the pairing's, but no event has rematches of a dozen kinds."""


def _scale(costs: Sequence[_Least], players: int) -> Callable[[_Least], int]:
    """Costs as numbers: one of a worse kind outweighs as many of the others as there can be tables."""
    apart = max((cost.former_byes for cost in costs), default=0) + 1
    kinds = sorted({times for cost in costs for times in cost.rematches})
    worth = {times: apart * (players + 1) ** at for at, times in enumerate(kinds, start=1)}
    return lambda cost: cost.former_byes + apart * cost.apart + sum(worth[times] for times in cost.rematches)
