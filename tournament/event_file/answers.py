"""What an event file answers: its next round, its standings, its cut. Functions of what the file says, nothing else.

They only bring together what the rules of `tournament.domain` ask for.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from tournament.domain.bracket import Place
from tournament.domain.certificate import Certificate
from tournament.domain.certify import certify
from tournament.domain.columns import read
from tournament.domain.cut import Cut, cut_to, final_places, places_without_cut
from tournament.domain.errors import (
    NobodyToPair,
    ResultsMissing,
    RobinClosed,
    RobinOver,
    RoundMissing,
    SeatHeld,
    TablesOfSeveral,
    TableUnknown,
)
from tournament.domain.faults import Fault, Rule, faults, notes
from tournament.domain.fold import pair_folded
from tournament.domain.forecast import robin_rounds
from tournament.domain.judgement import Judgement, judge
from tournament.domain.model import Bye, Mode, Pairing, PlayerId, Result, Round, Way, opened, players_at
from tournament.domain.pairing import number_tables, pair_round
from tournament.domain.pool import Pool, gather
from tournament.domain.presets import Preset, preset_of
from tournament.domain.repair import Option, mend_schedule, repair
from tournament.domain.round_robin import round_robin, scheduled
from tournament.domain.standings import Standing, match_points_of, rank, still_in
from tournament.domain.tiebreaks import Record
from tournament.event_file.model import AsPaired, Event
from tournament.event_file.names import namer


def paired_round(event: Event, number: int | None = None) -> Round:
    """The round that comes next, or the one of that number paired again, with all its tables open.

    A round of the past is paired from what the file says now about the rounds before it.

    Raises:
        ResultsMissing, NobodyToPair: as `pool_to_pair` does.
        RobinOver, RobinClosed: as `by_schedule` does.
    """
    pool = pool_to_pair(event, number)
    return by_schedule(event, pool) if event.mode is Mode.ROUND_ROBIN else pair_round(pool, event.draw)


def certified_round(event: Event, number: int | None = None) -> tuple[Round, Certificate]:
    """The same round, and why it is the best one.

    Raises:
        ResultsMissing, NobodyToPair: as `pool_to_pair` does.
    """
    return certify(pool_to_pair(event, number), event.draw, name=namer(event))


def by_schedule(event: Event, pool: Pool) -> Round:
    """A round of the round robin that was begun in round 1; whoever would meet a player who is gone has a bye.

    Raises:
        RobinOver: everybody has met everybody before.
        RobinClosed: somebody who is to be paired is not in round 1.
    """
    here = {*pool.points, *pool.awarded}
    begun = {player for seat in event.rounds[0].seats for player in players_at(seat)} if event.rounds else here
    started = here if pool.number == 1 else begun
    if late := sorted(here - started):
        raise RobinClosed(late)
    if pool.number > robin_rounds(len(started)):
        raise RobinOver(robin_rounds(len(started)))
    return scheduled(started, started - here, pool.number, event.draw, tables=pool.tables)


def folded_round(event: Event) -> Round:
    """Round 1 by seeds, the players as the file has them, the best first.

    Raises:
        NobodyToPair: nobody is in the round.
    """
    return pair_folded(pool_to_pair(event, 1), event.draw, [player.id for player in event.players])


def round_robin_of(event: Event) -> tuple[Round, ...]:
    """All rounds of a round robin of those who are there from the start, their tables around the fixed ones.

    Raises:
        NobodyToPair: nobody is there.
    """
    refuse_pods(event, "make a round robin")
    there = [player for player in event.players if player.entered_in == 1 and still_in(player)]
    if not there:
        raise NobodyToPair(1)
    fixed = {player.id: player.table for player in there if player.table is not None}
    return tuple(_at_tables(played, fixed) for played in round_robin([player.id for player in there], event.draw))


def _at_tables(planned: Round, fixed: Mapping[PlayerId, int]) -> Round:
    pairs = [(seat.first, seat.second) for seat in planned.seats if isinstance(seat, Pairing)]
    byes = [seat for seat in planned.seats if isinstance(seat, Bye)]
    tables = [Pairing(table, *pair) for table, pair in zip(number_tables(pairs, fixed), pairs, strict=True)]
    return Round(planned.number, (*tables, *byes))


def pool_to_pair(event: Event, number: int | None = None) -> Pool:
    """Who is to be paired in the next round, or in the one of that number.

    Raises:
        ResultsMissing: a table of a round before has no result yet.
        NobodyToPair: nobody is in the round.
    """
    refuse_pods(event, "pair a round")
    number = len(event.rounds) + 1 if number is None else number
    if missing := [(before, table) for before, table in event.open_tables if before < number]:
        raise ResultsMissing(f"pair round {number}", missing)
    pool = pool_before(event, number)
    if not pool.points and not pool.awarded:
        raise NobodyToPair(number)
    return pool


def judge_rounds(event: Event) -> list[tuple[Round, Judgement]]:
    """Every round of the file, and what is to be said about it, as the file tells the past of each now.

    Raises:
        TablesOfSeveral: the event is not of tables of two.
    """
    refuse_pods(event, "judge its rounds")
    return [(played, _judge(event, played)) for played in event.rounds]


def _judge(event: Event, played: Round) -> Judgement:
    """The judgement, by the tables that were free to change where the round was changed."""
    players, stood = event.players_in(played.number), event.stood.get(played.number, ())
    pool, name = pool_before(event, played.number), namer(event)
    judgement = judge(played, players, event.rounds, pool, draw=event.draw, drawn=_by_rule(event, pool), name=name)
    if event.way_of(played.number) is Way.ROUND_ROBIN:
        return replace(judgement, faults=_of_schedule(judgement.faults), notes=_of_schedule(judgement.notes))
    if not stood:
        return judgement
    found = faults(played, players, event.rounds, apart=event.apart, standing=stood, name=name)
    unavoidable = notes(played, players, event.rounds, apart=event.apart, standing=stood, name=name)
    return replace(judgement, faults=found, notes=unavoidable)


def _by_rule(event: Event, pool: Pool) -> Round | None:
    """The round that its rule gives; None for the best one, and where the file does not have what the rule needs."""
    number = pool.number
    if event.way_of(number) is Way.ROUND_ROBIN:
        try:
            return by_schedule(event, pool)
        except (RobinOver, RobinClosed):
            return Round(number, ())
    then = event.as_paired.get(number)
    if event.way_of(number) is Way.FOLD and then is not None and then.seeds:
        return pair_folded(pool, event.draw, then.seeds)
    return None


def _of_schedule(found: Iterable[Fault]) -> list[Fault]:
    """What holds of a round robin too: byes come of players who are gone, and everybody meets everybody."""
    return [fault for fault in found if fault.rule not in _NOT_OF_A_SCHEDULE]


_NOT_OF_A_SCHEDULE: Final = frozenset({Rule.ONE_BYE_IF_ODD, Rule.AWARDED_BYES, Rule.NO_SECOND_BYE, Rule.KEPT_APART})


def with_round(event: Event, paired: Round) -> Event:
    """The event with one more round."""
    return replace(event, rounds=(*event.rounds, paired))


def pool_before(event: Event, number: int) -> Pool:
    """Who is to be paired in the round of that number, and their past, as the file tells it now.

    Raises:
        TablesOfSeveral: the event is not of tables of two.
    """
    refuse_pods(event, f"pair round {number}")
    points = points_before(event, number)
    return gather(event.players_in(number), event.rounds, points, number=number, apart=event.apart)


def refuse_pods(event: Event, asked: str) -> None:
    """Only an event of tables of two goes on. Raises: TablesOfSeveral."""
    if event.pod_size is not None:
        raise TablesOfSeveral(asked)


def preset_in(event: Event) -> Preset:
    """How the event's standings are computed."""
    return preset_of(event.preset, event.pod_size)


def points_before(event: Event, number: int) -> Mapping[PlayerId, int]:
    """Match points after the rounds before the one of that number."""
    return match_points_of(event.players, event.played[: number - 1], preset_in(event), penalties=event.penalties)


def standings_of(event: Event, preset: Preset | None = None, *, after: int | None = None) -> tuple[Standing, ...]:
    """The standings.

    Args:
        event: as its file tells it.
        preset: how they are computed, if not as the event says.
        after: the last round that counts; all rounds if None.
    """
    rounds = event.played[:after]
    return rank(event.players, rounds, preset or preset_in(event), penalties=event.penalties)


def cut_of(event: Event, size: int) -> Cut:
    """The best so many of those who are still in, seeded.

    Raises:
        ResultsMissing: a table has no result yet.
        CutImpossible: fewer than two, or more than are there.
        TablesOfSeveral: the event is not of tables of two.
    """
    refuse_pods(event, f"cut to {size} players")
    if event.open_tables:
        raise ResultsMissing(f"cut to {size} players", event.open_tables)
    gone = {player.id for player in event.players if not still_in(player)}
    return cut_to(size, standings_of(event), draw=event.draw, gone=gone)


def places_of(event: Event) -> tuple[Place, ...]:
    """Where everybody ends, as far as it is certain: by the cut, and by the standings below it."""
    standings = standings_of(event)
    return places_without_cut(standings) if event.cut is None else final_places(event.cut, standings)


def records_of(event: Event, *, after: int | None = None) -> dict[PlayerId, Record]:
    """What everybody's finished rounds came to, in counts."""
    ledger = read(event.players, event.played[:after], preset_in(event))
    return {player: ledger.kinds[kind] for player, kind in zip(ledger.index, ledger.kind_of, strict=True)}


# --- after a mistake --------------------------------------------------------------------------------------------------


def with_result(event: Event, number: int, table: int, result: Result) -> Event:
    """The event with another result, or the first one, at a table.

    Rounds after it that have a certificate keep in mind what stood when they were paired.

    Raises:
        TableUnknown: the round, if there is one, has no such table.
    """
    match = pairing_at(event, number, table)
    if match.result is not None:
        event = _with_former(event, number, table, match.result)
    played = event.rounds[number - 1]
    seats = tuple(replace(match, result=result) if seat is match else seat for seat in played.seats)
    return _with(event, replace(played, seats=seats))


def _with_former(event: Event, number: int, table: int, result: Result) -> Event:
    then = dict(event.as_paired)
    for later in (at for at in event.certificates if at > number):
        known = then.get(later, AsPaired())
        then[later] = replace(known, results={(number, table): result, **known.results})
    return replace(event, as_paired=then)


def pairing_at(event: Event, number: int, table: int) -> Pairing:
    """Who meets at a table of a round, and what came of it.

    Raises:
        TableUnknown: the round, if there is one, has no such table.
        TablesOfSeveral: the event is not of tables of two.
    """
    refuse_pods(event, f"look for two at table {table}")
    seats = event.rounds[number - 1].seats if 1 <= number <= len(event.rounds) else ()
    tables = {seat.table: seat for seat in seats if isinstance(seat, Pairing)}
    if table not in tables:
        raise TableUnknown(number, table, list(tables))
    return tables[table]


def without(event: Event, player: PlayerId, playing: Collection[int] = ()) -> Event:
    """The event with a player gone before the last round began; to be repaired, since the round still has the place.

    Raises:
        RoundMissing: there is no round yet.
        SeatHeld: the player has no place in the round, or the table has a result or is being played.
    """
    current = _last(event)
    seat = next((seat for seat in current.seats if player in players_at(seat)), None)
    if seat is None:
        raise SeatHeld(player, current.number, "nobody with that id has a place in it (the id is wanted, not the name)")
    if isinstance(seat, Pairing) and seat.table in standing_in(current, playing):
        after = f'leave after the round, with "dropped_after": {current.number} in the file'
        raise SeatHeld(player, current.number, f"table {seat.table} is played; {after}")
    gone = {one.id: replace(one, dropped_after=current.number - 1) for one in event.players if one.id == player}
    return replace(event, players=tuple(gone.get(one.id, one) for one in event.players))


def _last(event: Event) -> Round:
    refuse_pods(event, "change tables")
    if not event.rounds:
        raise RoundMissing("what to change")
    return event.rounds[-1]


def repairs(event: Event, playing: Collection[int] = ()) -> list[Option]:
    """The ways to go on with the last round, as the file tells the past now; the gentlest first.

    Tables with a result stand, and so do those that are being played.

    Raises:
        RoundMissing: there is no round yet.
        TableUnknown: the round has no table of those that are being played.
    """
    current = _last(event)
    for table in playing:
        pairing_at(event, current.number, table)
    if event.way_of(current.number) is Way.ROUND_ROBIN:
        pool = pool_before(event, current.number)
        return [mend_schedule(current, {*pool.points, *pool.awarded})]
    return repair(pool_before(event, current.number), event.draw, current, standing_in(current, playing))


def mended(event: Event, option: Option, playing: Collection[int] = ()) -> Event:
    """The event with the last round as the option has it, and a note of the tables that stood when others changed."""
    current, after = _last(event), option.after
    stood = set(event.stood.get(after.number, ()))
    if option.added or option.removed:
        stood |= standing_in(current, playing)
    there = {seat.table for seat in after.seats if isinstance(seat, Pairing) and seat in current.seats}
    others = {number: tables for number, tables in event.stood.items() if number != after.number}
    kept = {after.number: tuple(sorted(stood & there))} if stood & there else {}
    then = event.as_paired.get(after.number, AsPaired())
    if after.number in event.certificates and then.seats is None and (option.added or option.removed):
        seats = tuple(map(opened, current.seats))
        event = replace(event, as_paired={**event.as_paired, after.number: replace(then, seats=seats)})
    return replace(_with(event, after), stood=others | kept)


def standing_in(current: Round, playing: Collection[int] = ()) -> set[int]:
    """The tables of a round that have a result, or are being played."""
    tables = (seat for seat in current.seats if isinstance(seat, Pairing))
    return {seat.table for seat in tables if seat.result or seat.table in playing}


def _with(event: Event, played: Round) -> Event:
    """The event with that round in the place of the one with its number."""
    before, after = event.rounds[: played.number - 1], event.rounds[played.number :]
    return replace(event, rounds=(*before, played, *after))
