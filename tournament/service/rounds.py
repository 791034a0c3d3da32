"""Rounds: paired as a draft, looked at, published, closed, and opened again."""

import json
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, FailFast, Field
from sqlmodel import Session

from tournament import store
from tournament.domain.certify import certify
from tournament.domain.errors import ResultsMissing
from tournament.domain.fold import pair_folded
from tournament.domain.lifecycle import Action, Phase
from tournament.domain.model import AnyRound, Bye, Mode, PlayerId, Pod, Round, Seat, Way, players_at
from tournament.domain.pod_certificate import certify_pods
from tournament.domain.pods import Layout
from tournament.domain.pool import Pool
from tournament.domain.roles import SCOREKEEPERS
from tournament.domain.round_robin import scheduled
from tournament.errors import (
    DraftMissing,
    EntryNotFound,
    FoldRefused,
    RoundNotFound,
    RoundUnannounced,
    ScheduleClosed,
    ScheduleOver,
    TooFewPlayers,
)
from tournament.event_file.documents import certificate_document, pod_certificate_document
from tournament.service import decklists, events, ownership, scans
from tournament.service.announcing import MOST_PLAYERS
from tournament.service.chain import canonical
from tournament.service.commands import Arguments, Fact, Kind, Nothing, Scene
from tournament.service.pools import Past, past_of, pod_pool_of, pool_of
from tournament.service.pools import seated as seated_in
from tournament.tables import EventRow, LogRow, RoundRow, SeatRow, chairs

FEWEST: Final = 2
MOST_MINUTES: Final = 24 * 60
"""Of a round's clock."""


Others: Any = Field(
    default=[],
    max_length=len(SeatRow.CHAIRS) - 2,
    exclude_if=lambda said: not said,
    description="at a table of several, everybody after the second; left out for two",
)


class Seated(BaseModel):
    """A table with its players, or a bye; players by their numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    first: int
    second: int | None = None
    others: list[int] = Others
    table: int | None = None
    bye: str | None = None


class Pair(Arguments):
    """Pair the next round; the one that is played is closed, if every table has its result."""

    seeds: Annotated[list[int], FailFast()] = Field(
        default_factory=list,
        max_length=MOST_PLAYERS,
        description="round 1 only: pair it by seeds, the best first, the upper half against the lower one",
        examples=[[]],
    )
    even_so: bool = Field(
        default=False,
        exclude_if=lambda said: said is False,
        description="also if the event announced fewer rounds",
    )


class Paired(Fact):
    """The draft of a round, whole: it stays what it was when the pairing gets better one day."""

    round: int
    seats: list[Seated]
    pairing: Way = Way.SWISS
    certificate: dict[str, Any] | None = None
    """Why it is so, without the draw; None where nothing is minimised."""
    closes: int | None = None
    """The round that was played until now."""
    beyond: int | None = None
    """The rounds that the event announced, if this is one more, on purpose."""


class Publish(Arguments):
    """Publish the draft."""

    minutes: int | None = Field(
        default=None, ge=1, le=MOST_MINUTES, description="length of the round; the event's when null", examples=[50]
    )
    start_clock: bool = Field(default=True, description="the clock runs at once; false: it is started by hand")
    unproven: bool = Field(
        default=False,
        description="begin although cards are not proven, for a reason; the event is never sanctioned then",
    )


class Published(Fact):
    """The round that begins, and its clock."""

    round: int
    length_s: int | None = None
    """Seconds; None: no clock."""
    started: bool = False
    epoch: int | None = Field(default=None, description="that opens it, where players prove their cards")
    unproven: list[int] = Field(default=[], description="players who begin although nobody knows of their cards")


class Numbered(Fact):
    """The round that it happened to."""

    round: int = Field(ge=1)


def _decide_pair(scene: Scene, asked: Pair) -> Paired:
    session, event = scene.session, scene.event
    number = store.last_published(session, event.id) + 1
    closes = _decide_close(scene, Nothing()).round if event.phase == Phase.ROUND else None
    beyond = _beyond(scene, number)
    if beyond is not None and not asked.even_so:
        raise RoundUnannounced(number, beyond)
    decklists.check_listed(session, event, number)
    scans.check_settled(session, event, number)
    past = past_of(session, event)
    pool = pool_of(past, number) if past.pod_size is None else pod_pool_of(past, number)
    here = len(pool.points) + len(pool.awarded)
    if here < FEWEST:
        raise TooFewPlayers(here)
    way, paired, certificate = _paired(scene, past, pool, asked)
    seats = [seated(seat) for seat in paired.seats]
    return Paired(round=number, seats=seats, pairing=way, certificate=certificate, closes=closes, beyond=beyond)


def _paired(scene: Scene, past: Past, pool: Pool, asked: Pair) -> tuple[Way, AnyRound, dict[str, Any] | None]:
    """How the round is paired, the round, and why it is so, without the draw."""
    session, event = scene.session, scene.event
    if past.pod_size is not None:
        if asked.seeds:
            raise FoldRefused(pool.number, "tables of several are seated by the draw")
        pods, how = certify_pods(pool, past.pods, event.draw, Layout(past.pod_size))
        return Way.PODS, pods, _without_draw(pod_certificate_document(how))
    if event.mode == Mode.ROUND_ROBIN:
        return Way.ROUND_ROBIN, _scheduled(past, pool, event.draw), None
    if asked.seeds:
        return Way.FOLD, _folded(session, event, pool, asked.seeds), None
    paired, why = certify(pool, event.draw)
    return Way.SWISS, paired, _without_draw(certificate_document(why))


def _without_draw(document: dict[str, Any]) -> dict[str, Any]:
    return {name: said for name, said in document.items() if name != "draw"}


def _beyond(scene: Scene, number: int) -> int | None:
    """How many rounds are announced, if it is fewer than that; what a round robin has not, its schedule refuses."""
    event = scene.event
    is_robin = event.mode == Mode.ROUND_ROBIN
    announced = event.rounds if is_robin else events.plan_announced(scene.session, event).rounds
    return announced if announced is not None and number > announced else None


def _folded(session: Session, event: EventRow, pool: Pool, seeds: list[int]) -> Round:
    if pool.number > 1:
        raise FoldRefused(pool.number, "seeds are for the first round")
    known = {row.number for row in store.entries_of(session, event.id)}
    if strange := [seed for seed in seeds if seed not in known]:
        raise EntryNotFound(strange[0])
    if len(set(seeds)) < len(seeds):
        raise FoldRefused(pool.number, "a player has two seeds")
    return pair_folded(pool, event.draw, [PlayerId(str(seed)) for seed in seeds])


def _scheduled(past: Past, pool: Pool, draw: str) -> Round:
    """The round of the schedule, which is made for those who are in round 1."""
    here = {*pool.points, *pool.awarded}
    started = seated_in(past.rounds[0]) if past.rounds else here
    if late := sorted(int(player) for player in here - started):
        raise ScheduleClosed(late)
    rounds = len(started) - 1 + len(started) % 2
    if pool.number > rounds:
        raise ScheduleOver(rounds)
    return scheduled(started, started - here, pool.number, draw, tables=pool.tables)


def _apply_pair(session: Session, event: EventRow, row: LogRow, fact: Paired) -> None:
    store.delete_drafts(session, event.id)
    if fact.closes is not None:
        load(session, event.id, fact.closes).closed_at = row.at
    seats = [
        SeatRow(
            event_id=event.id,
            round=fact.round,
            place=place,
            first=seat.first,
            second=seat.second,
            table_number=seat.table,
            bye=seat.bye,
            **chairs(seat.others),
        )
        for place, seat in enumerate(fact.seats, start=1)
    ]
    paired = RoundRow(
        event_id=event.id,
        number=fact.round,
        paired_at=row.at,
        pairing=fact.pairing.value,
        certificate=None if fact.certificate is None else canonical(fact.certificate),
        paired=row.sequence,
        seeds=canonical(json.loads(row.arguments)["seeds"]) if fact.pairing is Way.FOLD else None,
    )
    store.save_round(session, paired, seats)


def _decide_publish(scene: Scene, asked: Publish) -> Published:
    number = store.last_published(scene.session, scene.event.id) + 1
    if store.find_round(scene.session, scene.event.id, number) is None:
        raise DraftMissing(number)
    _refuse_unannounced(scene, number)
    scans.check_settled(scene.session, scene.event, number)
    opened = _opened(scene, number, asked)
    minutes = scene.event.round_minutes if asked.minutes is None else asked.minutes
    if minutes is None:
        return Published(round=number, **opened)
    return Published(round=number, length_s=60 * minutes, started=asked.start_clock, **opened)


def _opened(scene: Scene, number: int, asked: Publish) -> dict[str, Any]:
    """The epoch that opens the round, and who begins unproven."""
    if not ownership.is_required(scene.event):
        return {}
    players = store.seated_in(scene.session, scene.event.id, number)
    return ownership.opened(scene.session, scene.event, number, players, even_so=asked.unproven and bool(asked.reason))


def _refuse_unannounced(scene: Scene, number: int) -> None:
    """Fewer rounds may have been announced since the draft was paired. Raises: RoundUnannounced."""
    beyond = _beyond(scene, number)
    drafted = None if beyond is None else store.latest_of(scene.session, scene.event.id, (PAIR.name,))
    if beyond is not None and drafted is not None and Paired.model_validate_json(drafted.fact).beyond is None:
        raise RoundUnannounced(number, beyond)


def _apply_publish(session: Session, event: EventRow, row: LogRow, fact: Published) -> None:
    published = load(session, event.id, fact.round)
    published.published_at, published.length_s = row.at, fact.length_s
    published.started_at = row.at if fact.started else None
    published.epoch = fact.epoch
    ownership.begin_unproven(session, event.id, fact.epoch, fact.unproven)


def _decide_close(scene: Scene, _: Nothing) -> Numbered:
    number = store.last_published(scene.session, scene.event.id)
    if playing := store.tables_playing(scene.session, scene.event.id, number):
        raise ResultsMissing(Action.CLOSE_ROUND, [(number, table) for table in playing])
    return Numbered(round=number)


def _apply_close(session: Session, event: EventRow, row: LogRow, fact: Numbered) -> None:
    load(session, event.id, fact.round).closed_at = row.at


def _decide_reopen(scene: Scene, _: Nothing) -> Numbered:
    return Numbered(round=store.last_published(scene.session, scene.event.id))


def _apply_reopen(session: Session, event: EventRow, _: LogRow, fact: Numbered) -> None:
    store.delete_drafts(session, event.id)
    load(session, event.id, fact.round).closed_at = None


PAIR: Final = Kind(
    name="round.pair",
    arguments=Pair,
    fact=Paired,
    roles=SCOREKEEPERS,
    actions=(Action.PAIR, Action.CLOSE_ROUND),
    decide=_decide_pair,
    apply=_apply_pair,
)
PUBLISH: Final = Kind(
    name="round.publish",
    arguments=Publish,
    fact=Published,
    roles=SCOREKEEPERS,
    actions=(Action.START_ROUND,),
    decide=_decide_publish,
    apply=_apply_publish,
)
CLOSE: Final = Kind(
    name="round.close",
    arguments=Nothing,
    fact=Numbered,
    roles=SCOREKEEPERS,
    actions=(Action.CLOSE_ROUND,),
    decide=_decide_close,
    apply=_apply_close,
)
REOPEN: Final = Kind(
    name="round.reopen",
    arguments=Nothing,
    fact=Numbered,
    roles=SCOREKEEPERS,
    actions=(Action.REOPEN_ROUND,),
    decide=_decide_reopen,
    apply=_apply_reopen,
)
KINDS: Final = (PAIR, PUBLISH, CLOSE, REOPEN)


def load(session: Session, event: str, number: int) -> RoundRow:
    """A round, draft or not. Raises: RoundNotFound."""
    row = store.find_round(session, event, number)
    if row is None:
        raise RoundNotFound(number)
    return row


def seen(session: Session, event: str, number: int, *, staff: bool) -> RoundRow:
    """A round; a draft for staff only.

    Raises:
        RoundNotFound: no such round, or a draft.
    """
    row = load(session, event, number)
    if row.published_at is None and not staff:
        raise RoundNotFound(number)
    return row


def seated(seat: Seat | Pod) -> Seated:
    """A seat as a fact has it."""
    if isinstance(seat, Bye):
        return Seated(first=int(seat.player), bye=seat.kind.value)
    first, second, *others = map(int, players_at(seat))
    return Seated(first=first, second=second, others=others, table=seat.table)
