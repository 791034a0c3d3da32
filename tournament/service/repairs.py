"""After a mistake: a wrong result, somebody gone, somebody late, while a round is being played.

The rules name up to four ways to go on, from "leave it" to "pair all open tables again" (`tournament.domain.repair`).
They are shown first, each with what it costs and a digest; the command names one by its digest, so that what is done is
what was seen, and changes the result, the entry and the tables in one step. The ways not taken are in the log too.
"""

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator
from sqlmodel import Session

from tournament import store
from tournament.domain.certificate import odd_byes
from tournament.domain.errors import SeatHeld
from tournament.domain.lifecycle import Action, Phase
from tournament.domain.model import Mode, Pairing, Player, PlayerId, Round, players_at
from tournament.domain.objective import cost_of
from tournament.domain.pool import Pool, only
from tournament.domain.repair import Mend, Option, mend_schedule, repair
from tournament.domain.roles import SCOREKEEPERS
from tournament.errors import (
    EventFull,
    NotReported,
    OptionStale,
    PodsNotMended,
    ResultRefused,
    ScheduleClosed,
    StillPlaying,
    TableNotFound,
)
from tournament.event_file.documents import cost_document
from tournament.service import ownership, places
from tournament.service.chain import canonical
from tournament.service.commands import Already, Arguments, Kind, Scene
from tournament.service.entries import MOST_NUMBER
from tournament.service.entries import load as load_entry
from tournament.service.pools import Past, past_of, pool_of, present, seated
from tournament.service.reseating import Reseated, Said, note, refilled, reseat, standing
from tournament.service.results import OF_TWO, Games, TablePlaces, TableResult, checked, games_of, put, result_of, words
from tournament.service.rounds import seated as seated_as
from tournament.tables import EventRow, LogRow

_DIGITS: Final = 16
"""Of a digest: enough to tell a handful of ways apart, and short enough to be read aloud."""


# --- what is asked ----------------------------------------------------------------------------------------------------


class Correction(BaseModel):
    """A result that was wrong."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    round: int = Field(ge=1, le=MOST_NUMBER, examples=[3])
    table: int = Field(ge=1, le=MOST_NUMBER, examples=[12])
    games: TableResult = Field(description="the right one")


class Mistake(Arguments):
    """What was wrong: one thing at most. Nothing: the round is mended by what was corrected before."""

    correct: Correction | None = Field(default=None, description="a wrong result, of this round or an earlier one")
    leaves: int | None = Field(
        default=None, ge=1, le=MOST_NUMBER, description="a player who has a table or a bye, and left before playing"
    )
    sits_down: int | None = Field(
        default=None, ge=1, le=MOST_NUMBER, description="a player who came late or came back, and plays this round"
    )
    playing: list[int] = Field(
        default_factory=list, max_length=MOST_NUMBER, description="tables without a result that must stand"
    )

    @model_validator(mode="after")
    def _one_thing(self) -> "Mistake":
        if sum(one is not None for one in (self.correct, self.leaves, self.sits_down)) > 1:
            raise ValueError("name one of correct, leaves and sits_down; mend one mistake after the other")
        return self


class Repair(Mistake):
    """Mend it in one of the ways that were shown."""

    option: str = Field(min_length=1, max_length=64, description="the digest of the way", examples=["3f2a9c0d51b86e47"])


# --- what comes of it -------------------------------------------------------------------------------------------------


class Offered(BaseModel):
    """A way to go on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    option: str
    """Its digest."""
    way: Mend
    changes: int
    """New tables and byes."""
    cost: dict[str, Any]
    """Levels 1 to 5 of the tables that may change."""


class Corrected(BaseModel):
    """A result, and the one that it takes the place of."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    round: int
    table: int
    games: Games
    before: Games


class Moved(BaseModel):
    """A player who is in the round from now on, or is not."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entry: int
    entered_in: int
    dropped_after: int | None


class Repaired(Reseated):
    """What was wrong, the way that was taken, and those that were not."""

    correct: Corrected | None
    entry: Moved | None
    option: Offered
    others: list[Offered]
    because: str


# --- the situation ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A round that is being played, as it would be without the mistake, and the ways to go on."""

    current: Round | None
    """None: no round is being played, so no table can change."""
    options: tuple[Option, ...]
    offered: tuple[Offered, ...]
    """The same in the same order."""
    stood: frozenset[int]
    correct: Corrected | None
    entry: Moved | None
    because: str


def situation(session: Session, event: EventRow, asked: Mistake) -> Situation:
    """Look at a mistake; nothing is changed.

    Raises:
        RoundNotFound, TableNotFound, NotReported, ResultRefused: there is no such result to correct.
        EntryNotFound, SeatHeld, StillPlaying: the player cannot leave the round, or come into it.
        ScheduleClosed: a round robin takes nobody late.
        PodsNotMended: the tables have several players.
        OwnershipUnproven: the player who comes into the round has not proven the cards for it.
    """
    past = past_of(session, event)
    if past.pod_size is not None:
        raise PodsNotMended
    current = past.rounds[-1] if event.phase == Phase.ROUND else None
    corrected = None if asked.correct is None else _corrected(past, asked.correct, event.best_of)
    if corrected is not None:
        past = replace(past, rounds=tuple(_with(played, corrected) for played in past.rounds))
    if current is None:
        return Situation(
            current=None, options=(), offered=(), stood=frozenset(), correct=corrected, entry=None, because=""
        )
    current, playing = past.rounds[-1], set(asked.playing)
    if strange := playing - {seat.table for seat in current.seats if isinstance(seat, Pairing)}:
        raise TableNotFound(current.number, min(strange))
    moved = _moved(session, event, current, asked, playing)
    players = tuple(_as_moved(player, moved) for player in present(past, current.number))
    options = tuple(_options(event, past, players, current, playing))
    return Situation(
        current=current,
        options=options,
        offered=tuple(_offered(current.number, asked, option) for option in options),
        stood=frozenset(standing(current, playing)),
        correct=corrected,
        entry=moved,
        because=_because(asked, corrected),
    )


def _corrected(past: Past, asked: Correction, best_of: int) -> Corrected:
    seats = next((played.seats for played in past.rounds if played.number == asked.round), ())
    match = next((seat for seat in seats if isinstance(seat, Pairing) and seat.table == asked.table), None)
    if match is None:
        raise TableNotFound(asked.round, asked.table)
    if match.result is None:
        raise NotReported(asked.round, asked.table)
    if isinstance(asked.games, TablePlaces):
        raise ResultRefused([OF_TWO])
    checked(asked.games, best_of)
    return Corrected(round=asked.round, table=asked.table, games=asked.games, before=games_of(match.result))


def _with(played: Round, corrected: Corrected) -> Round:
    if played.number != corrected.round:
        return played
    right = result_of(corrected.games)
    seats = (
        replace(seat, result=right) if isinstance(seat, Pairing) and seat.table == corrected.table else seat
        for seat in played.seats
    )
    return replace(played, seats=tuple(seats))


def _moved(session: Session, event: EventRow, current: Round, asked: Mistake, playing: set[int]) -> Moved | None:
    if asked.leaves is not None:
        entry = load_entry(session, event.id, asked.leaves)
        _refuse_held(current, PlayerId(str(entry.number)), playing)
        return Moved(entry=entry.number, entered_in=entry.entered_in, dropped_after=current.number - 1)
    if asked.sits_down is not None:
        entry = load_entry(session, event.id, asked.sits_down)
        if entry.disqualified:
            raise StillPlaying(entry.number, "who is disqualified stays out")
        if entry.waiting is not None:
            raise StillPlaying(entry.number, "the player waits for a place; promote first")
        if PlayerId(str(entry.number)) in seated(current):
            raise SeatHeld(str(entry.number), current.number, "the player is in it already")
        if event.mode == Mode.ROUND_ROBIN:
            raise ScheduleClosed([entry.number])
        if entry.dropped_after is not None and not places.free(session, event):
            remedy = "an organizer may take the player back `even_so`, and then the player sits down"
            raise EventFull(event.capacity or 0, remedy)
        ownership.check_joining(session, event, current.number, entry.number)
        return Moved(entry=entry.number, entered_in=min(entry.entered_in, current.number), dropped_after=None)
    return None


def _refuse_held(current: Round, player: PlayerId, playing: set[int]) -> None:
    seat = next((seat for seat in current.seats if player in players_at(seat)), None)
    if seat is None:
        raise SeatHeld(player, current.number, "nobody with that number has a place in it")
    if isinstance(seat, Pairing) and seat.table in standing(current, playing):
        raise SeatHeld(player, current.number, f"table {seat.table} is played; the player leaves after the round")


def _as_moved(player: Player, moved: Moved | None) -> Player:
    if moved is None or player.id != str(moved.entry):
        return player
    return replace(player, entered_in=moved.entered_in, dropped_after=moved.dropped_after)


def _options(
    event: EventRow, past: Past, players: tuple[Player, ...], current: Round, playing: set[int]
) -> list[Option]:
    if event.mode == Mode.ROUND_ROBIN:
        return [mend_schedule(current, _here(players, current.number))]
    stood = standing(current, playing)
    pool = pool_of(past, current.number, players)
    options = repair(pool, event.draw, current, stood)
    if options[0].mend is not Mend.LEAVE and _here(players, current.number) == seated(current):
        options.insert(0, _as_it_is(pool, current, stood))
    return options


def _as_it_is(pool: Pool, current: Round, stood: set[int]) -> Option:
    """Leave it, although tables made by hand break what the rules could have kept: nobody is without a seat."""
    kept = [seat for seat in current.seats if isinstance(seat, Pairing) and seat.table in stood]
    free = only(pool, pool.points.keys() - {player for seat in kept for player in players_at(seat)})
    pairs = [(s.first, s.second) for s in current.seats if isinstance(s, Pairing) and s.table not in stood]
    return Option(Mend.LEAVE, current, cost_of(free, pairs, odd_byes(current)), (), ())


def _here(players: tuple[Player, ...], number: int) -> set[PlayerId]:
    """Who did not leave before that round."""
    return {player.id for player in players if player.dropped_after is None or player.dropped_after >= number}


def _offered(number: int, asked: Mistake, option: Option) -> Offered:
    said = {
        "round": number,
        "mistake": asked.model_dump(mode="json", include={"correct", "leaves", "sits_down"}),
        "seats": sorted(canonical(seated_as(seat).model_dump()) for seat in option.after.seats),
    }
    digest = sha256(canonical(said).encode()).hexdigest()[:_DIGITS]
    return Offered(option=digest, way=option.mend, changes=len(option.added), cost=cost_document(option.cost))


def _because(asked: Mistake, corrected: Corrected | None) -> str:
    if corrected is not None:
        before, now = (words(result_of(games)) for games in (corrected.before, corrected.games))
        return f"round {corrected.round}, table {corrected.table} was {before} and is {now}"
    if asked.leaves is not None:
        return f"number {asked.leaves} left before playing"
    if asked.sits_down is not None:
        return f"number {asked.sits_down} came into the round"
    return "what was corrected since the round was paired"


# --- the command ------------------------------------------------------------------------------------------------------


def _decide(scene: Scene, asked: Repair) -> Repaired | Already:
    found = situation(scene.session, scene.event, asked)
    ways = [way.option for way in found.offered]
    if found.current is None or asked.option not in ways:
        raise OptionStale(asked.option, ways)
    at = ways.index(asked.option)
    option = found.options[at]
    if (done := _done_before(scene, found, option)) is not None:
        return Already(done)
    rows = store.seats_of(scene.session, scene.event.id, found.current.number)
    removed, added = refilled(rows, option.removed, option.added)
    return Repaired(
        round=found.current.number,
        correct=found.correct,
        entry=found.entry,
        option=found.offered[at],
        others=[way for way in found.offered if way.option != asked.option],
        removed=removed,
        added=added,
        stood=sorted(found.stood) if removed or added else [],
        because=found.because,
    )


def _done_before(scene: Scene, found: Situation, option: Option) -> int | None:
    """The command that made all of it so, if it is so already."""
    correct = found.correct
    if correct is None or correct.games != correct.before or found.entry or option.removed or option.added:
        return None
    seat = store.find_table(scene.session, scene.event.id, correct.round, correct.table)
    return None if seat is None else seat.reported


def _apply(session: Session, event: EventRow, row: LogRow, fact: Repaired) -> None:
    if fact.correct is not None:
        correct = fact.correct
        put(session, event.id, correct.round, {correct.table: correct.games}, row.sequence)
    if fact.entry is not None:
        entry = load_entry(session, event.id, fact.entry.entry)
        entry.entered_in, entry.dropped_after = fact.entry.entered_in, fact.entry.dropped_after
    if not (fact.removed or fact.added):
        return
    reseat(session, event, fact)
    others = [way.model_dump(mode="json", include={"way", "changes"}) for way in fact.others]
    note(session, event, row, fact, Said(how=fact.option.way.value, because=fact.because, others=others))


REPAIR: Final = Kind(
    name="round.repair",
    arguments=Repair,
    fact=Repaired,
    roles=SCOREKEEPERS,
    actions=(Action.REPAIR,),
    decide=_decide,
    apply=_apply,
)
KINDS: Final = (REPAIR,)
