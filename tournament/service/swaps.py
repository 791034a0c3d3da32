"""Tables made by hand: players change places, a table moves; judged, with a reason that everybody may read."""

from collections.abc import Iterator, Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict, Field
from sqlmodel import Session

from tournament import store
from tournament.domain.certificate import odd_byes, pairs_of
from tournament.domain.errors import SeatHeld
from tournament.domain.faults import Fault, Rule, faults
from tournament.domain.lifecycle import Action, Phase
from tournament.domain.model import AnyRound, PlayerId, Pod, PodRound, Round
from tournament.domain.objective import cost_of
from tournament.domain.pod_certificate import pod_cost, pods_worse
from tournament.domain.pods import USUAL, Layout, PodRule, pod_faults
from tournament.domain.pool import Pool
from tournament.domain.roles import SCOREKEEPERS
from tournament.errors import TableNotFound, TablesRefused, TablesWorse
from tournament.service.commands import Kind, Scene, WithReason
from tournament.service.entries import MOST_NUMBER
from tournament.service.pools import Past, past_of, pod_pool_of, pool_of, present
from tournament.service.reseating import Reseated, Said, note, placed, reseat, standing, worse
from tournament.service.rounds import load
from tournament.tables import EventRow, LogRow, RoundRow, SeatRow

BY_HAND: Final = "by hand"
MOST_SWAPS: Final = 1000
_ONLY_WORSE: Final = frozenset({Rule.NO_REMATCH, Rule.KEPT_APART, Rule.NO_SECOND_BYE, Rule.FIXED_TABLES})
"""What an organizer may want all the same; every other rule holds whatever anybody wants."""


class Two(BaseModel):
    """Two players who change places."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    one: int = Field(ge=1, le=MOST_NUMBER, examples=[3])
    other: int = Field(ge=1, le=MOST_NUMBER, examples=[17])


class Move(BaseModel):
    """A pairing that goes to another table; if somebody sits there, they change."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    table: int = Field(ge=1, le=MOST_NUMBER, examples=[4])
    to: int = Field(ge=1, le=MOST_NUMBER, examples=[1])


class Swap(WithReason):
    """Change tables by hand, of a draft, or of the round that is played where nobody has reported."""

    round: int = Field(ge=1, le=MOST_NUMBER)
    swaps: list[Two] = Field(default_factory=list, max_length=MOST_SWAPS, description="one after the other")
    moves: list[Move] = Field(default_factory=list, max_length=MOST_SWAPS, description="after the swaps")
    even_so: bool = Field(default=False, description="also if the round is worse than without the change")


class Swapped(Reseated):
    """The tables that changed, and what is worse than before."""

    worse: list[str]


def foreseen(session: Session, event: EventRow, asked: Swap) -> Swapped:
    """What a change would come to, also if the round gets worse by it; nothing is changed.

    Raises:
        RoundNotFound, TableNotFound, SeatHeld: there is nothing to change.
        TablesRefused: a rule that holds whatever anybody wants would be broken.
    """
    row = load(session, event.id, asked.round)
    _refuse_closed(session, event, row)
    rows = store.seats_of(session, event.id, row.number)
    seats = _changed(row.number, rows, asked)
    before, after = (store.round_from(row.number, some) for some in (rows, seats))
    old, new = map(placed, rows), map(placed, seats)
    pairs = [(was, now) for was, now in zip(old, new, strict=True) if was != now]
    if not pairs:
        raise TablesRefused(row.number, ["nothing changes"])
    found = _judged(past_of(session, event), before, after)
    stood = standing(before) if row.published_at is not None else set()
    return Swapped(
        round=row.number,
        removed=[was for was, _ in pairs],
        added=[now for _, now in pairs],
        stood=sorted(stood),
        worse=found,
    )


def _decide(scene: Scene, asked: Swap) -> Swapped:
    found = foreseen(scene.session, scene.event, asked)
    if found.worse and not asked.even_so:
        raise TablesWorse(found.round, found.worse)
    return found


def _apply(session: Session, event: EventRow, row: LogRow, fact: Swapped) -> None:
    reseat(session, event, fact)
    note(session, event, row, fact, Said(how=BY_HAND, because=row.reason, worse=fact.worse))


SWAP: Final = Kind(
    name="round.swap",
    arguments=Swap,
    fact=Swapped,
    roles=SCOREKEEPERS,
    actions=(Action.PAIR, Action.REPAIR),
    decide=_decide,
    apply=_apply,
)
KINDS: Final = (SWAP,)


def _refuse_closed(session: Session, event: EventRow, row: RoundRow) -> None:
    is_played = event.phase == Phase.ROUND and row.number == store.last_published(session, event.id)
    if row.published_at is not None and not is_played:
        raise TablesRefused(row.number, ["its tables are played; only results can still be corrected"])


def _changed(number: int, rows: Sequence[SeatRow], asked: Swap) -> list[SeatRow]:
    """The seats after the swaps and moves, in their places."""
    seats = [SeatRow(**row.model_dump()) for row in rows]
    at = {player: place for place, row in enumerate(seats) for player in row.players}
    for two in asked.swaps:
        for player in (two.one, two.other):
            _refuse_held(number, seats[at[player]] if player in at else None, player)
        one, other = seats[at[two.one]], seats[at[two.other]]
        held = [(one, _chair(one, two.one)), (other, _chair(other, two.other))]
        for (seat, chair), newcomer in zip(held, (two.other, two.one), strict=True):
            setattr(seat, chair, newcomer)
        at[two.one], at[two.other] = at[two.other], at[two.one]
    for move in asked.moves:
        _move(number, seats, move)
    return seats


def _chair(seat: SeatRow, player: int) -> str:
    return SeatRow.CHAIRS[seat.players.index(player)]


def _refuse_held(number: int, seat: SeatRow | None, player: int) -> None:
    if seat is None:
        raise SeatHeld(str(player), number, "nobody with that number has a place in it")
    if seat.ending is not None:
        raise SeatHeld(str(player), number, f"table {seat.table_number} has a result")


def _move(number: int, seats: list[SeatRow], move: Move) -> None:
    tables = {seat.table_number: seat for seat in seats if seat.table_number is not None}
    if move.table not in tables:
        raise TableNotFound(number, move.table)
    going, there = tables[move.table], tables.get(move.to)
    if held := [seat.table_number for seat in (going, there) if seat is not None and seat.ending is not None]:
        raise TablesRefused(number, [f"table {table} has a result" for table in held])
    going.table_number = move.to
    if there is not None and there is not going:
        there.table_number = move.table


def _judged(past: Past, before: AnyRound, after: AnyRound) -> list[str]:
    """What is worse than before. Raises: TablesRefused: a rule that holds whatever anybody wants is broken."""
    if isinstance(before, PodRound) and isinstance(after, PodRound):
        return _judged_pods(past, before, after)
    assert isinstance(before, Round)  # noqa: S101 - a change of hands changes no sizes
    assert isinstance(after, Round)  # noqa: S101
    players = present(past, after.number)
    known = {fault.sentence for fault in _faults(past, before)}
    found = [fault for fault in _faults(past, after) if fault.sentence not in known]
    if hard := [fault.sentence for fault in found if fault.rule not in _ONLY_WORSE]:
        raise TablesRefused(after.number, hard)
    pool = pool_of(past, after.number, players)
    was, now = (
        cost_of(pool, [pair for pair in pairs_of(played) if pool.points.keys() >= set(pair)], odd_byes(played))
        for played in (before, after)
    )
    return [*(fault.sentence for fault in found), *worse(was, now)]


def _judged_pods(past: Past, before: PodRound, after: PodRound) -> list[str]:
    """The same at tables of several: who meets again or has a second bye is worse, and so are other levels."""
    number, layout = after.number, Layout(past.pod_size or USUAL)
    pool = pod_pool_of(past, number)
    rounds = [played for played in past.pods if played.number < number]
    active = [*pool.points, *pool.awarded]
    was, found = (pod_faults(one, active, rounds, layout, awarded=pool.awarded) for one in (before, after))
    new = [fault for fault in found if fault not in was]
    if hard := [fault.sentence for fault in new if fault.rule is not PodRule.BYES_GO_ROUND]:
        raise TablesRefused(number, hard)
    costs = (pod_cost(one, pool, rounds, layout) for one in (before, after))
    return [*(fault.sentence for fault in new), *_moved(pool, before, after), *pods_worse(*costs)]


def _moved(pool: Pool, before: PodRound, after: PodRound) -> Iterator[str]:
    """Players who had their fixed table and have it no more."""
    for player in sorted(_at_fixed(pool, before) - _at_fixed(pool, after)):
        yield f"{player} has table {pool.tables[player]} no more"


def _at_fixed(pool: Pool, played: PodRound) -> set[PlayerId]:
    pods = [seat for seat in played.seats if isinstance(seat, Pod)]
    return {player for pod in pods for player in pod.players if pool.tables.get(player) == pod.table}


def _faults(past: Past, played: Round) -> list[Fault]:
    return faults(played, present(past, played.number), past.rounds, apart=past.apart, standing=standing(played))
