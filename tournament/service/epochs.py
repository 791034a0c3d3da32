"""Epochs: opened at a moment that the log has, read once their block is settled, overridden where nobody could tell.

An epoch is opened before each round, and one opens the event. Its moment is that of the command that opened it (of
epoch 1: the one that the manifest names), so nobody picks a block, and none that was opened may be left out.

The chain is asked before the command that reads an epoch is decided (`looks`): nodes are slow, and nobody holds the
event's row while they think. The command then decides with what was found, for everybody whose list and wallets are
still those that were asked about. What the log gets are verdicts and a digest; what wallets hold is kept beside it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pydantic import BaseModel, ConfigDict, Field
from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.announcement import IfShort
from tournament.domain.bracket import Leaving
from tournament.domain.errors import ActionNotAllowed
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role
from tournament.errors import (
    ClockBehind,
    EntryNotFound,
    EpochNotFound,
    NothingToOverride,
    OwnershipNotAsked,
    StaleEvent,
)
from tournament.service import (
    allotting,
    brackets,
    claimants,
    cut_rounds,
    departures,
    looks,
    manifests,
    ownership,
    passes,
    places,
)
from tournament.service.beside import Subject
from tournament.service.challenges import commitment_of
from tournament.service.commands import (
    Already,
    Arguments,
    Ask,
    Fact,
    Keeping,
    Kind,
    Nothing,
    Receipt,
    Scene,
    Seals,
    WithReason,
    run,
)
from tournament.service.entries import MOST_NUMBER
from tournament.service.looks import Found
from tournament.service.manifests import seconds
from tournament.service.nodes import Nodes
from tournament.tables import EpochRow, EventRow, LogRow, SealedRow, VerdictRow
from verifier.chain import DEVELOPMENT_CHAINS
from verifier.coverage import Outcome

MOST_OVERRIDDEN: Final = 100_000
_READERS: Final = frozenset({Role.ORGANIZER, Role.SCOREKEEPER, Role.JUDGE})
_JUDGES: Final = frozenset({Role.ORGANIZER, Role.JUDGE})
PLAYING: Final = frozenset({Phase.CHECK_IN, Phase.ROUND, Phase.BETWEEN_ROUNDS, Phase.CUT})
"""When epochs are opened, and who is short may be dropped."""
CLOCK_SLACK: Final = 60
"""Seconds by which the clocks of several machines of one server may differ."""
CLOCK_FAR: Final = 900
"""Seconds; a clock that is farther behind than that is not believed by whoever asks the chain."""
_TRIES: Final = 3
_BEFORE_A_ROUND: Final = ("registration.close", "epoch.open", "epoch.read", "round.publish", "round.close")
"""Commands of people, before which no later epoch opens. A lookout's rows are by whichever machine looks."""


class EpochOpened(Fact):
    """A moment at which everybody has to have their cards; its block is the first one from then on."""

    epoch: int
    round: int = Field(description="that it opens; the cut is the one after the last")
    opens_at: int = Field(description="seconds since 1970")
    cut_round: int | None = Field(
        default=None, description="of the cut, from 2, if it opens a later one than the first"
    )


class Read(Arguments):
    """Ask the chain what everybody holds."""

    epoch: int | None = Field(
        default=None,
        ge=1,
        le=MOST_NUMBER,
        description="the oldest that was not read when null, else whoever is undecided in the newest",
    )


class BlockSaid(BaseModel):
    """A block."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int
    hash: str
    time: int = Field(description="seconds since 1970")


class Undecided(BaseModel):
    """A player of whom it could not be found out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entry: int
    cause: str


class EpochRead(Fact):
    """Who has their cards at the epoch's block. Which cards and wallets, the log does not say."""

    epoch: int
    block: BlockSaid | None = None
    trouble: str = Field(default="", description="why nothing was found out; empty if something was")
    void: int | None = Field(default=None, description="from this epoch on all are read anew: its block left the chain")
    covered: list[int] = Field(default=[], description="numbers of players who have their cards")
    short: list[int] = Field(default=[], description="who has not")
    undetermined: list[Undecided] = Field(default=[], description="of whom it could not be found out")
    dropped: list[int] = Field(default=[], description="who is dropped for it")
    dropped_after: int = 0
    promoted: list[int] = Field(default=[], description="who got a place")
    digest: str = Field(default="", description="of what the endpoints said, which is kept beside the log")


class Override(WithReason):
    """Let players play although it was not found out whether they have their cards, or although they are short."""

    entries: list[int] = Field(default_factory=list, max_length=MOST_OVERRIDDEN, examples=[[17]])
    everybody: bool = Field(
        default=False, description="all who are undetermined in the epoch, whether it was read or not"
    )
    epoch: int | None = Field(default=None, ge=1, le=MOST_NUMBER, description="the newest when null")


class Overridden(Fact):
    """A judge's word, for an epoch."""

    epoch: int
    entries: list[int]
    everybody: bool


# --- opening ----------------------------------------------------------------------------------------------------------


def _decide_open(scene: Scene, _: Nothing) -> EpochOpened | Already:
    rows = _epochs(scene.session, scene.event)
    if scene.event.phase not in PLAYING:
        raise ActionNotAllowed(scene.event.phase, "open an epoch")
    number = store.last_published(scene.session, scene.event.id) + 1
    cut_round, after = None, 0
    if scene.event.phase == Phase.CUT:
        cut_round, after = cut_rounds.next_epoch(scene.session, scene.event)
    waiting = [row for row in rows if row.round == number and row.read is None and row.number > after]
    if waiting:
        return Already(waiting[-1].opened)
    return EpochOpened(epoch=rows[-1].number + 1, round=number, opens_at=_moment(scene, rows), cut_round=cut_round)


def _moment(scene: Scene, rows: Sequence[EpochRow]) -> int:
    """Now, and never before a block that was read: epochs in another order than the chain's would overlook a sale.

    A clock that is a little behind the log would do the same. One that is far behind is found out when the chain is
    asked, whose end is about now; there the log may be what is wrong, if the clock was ahead for a while. Chains for
    development have a time of their own.
    """
    now = seconds(scene.at)
    latest = store.latest_of(scene.session, scene.event.id, _BEFORE_A_ROUND)
    logged = 0 if latest is None else seconds(latest.at)
    is_real = manifests.manifest_of(scene.session, scene.event.id).chain_id not in DEVELOPMENT_CHAINS
    blocks = max((row.block_time for row in rows if is_real and row.block_time is not None), default=0)
    known = logged if logged - now <= CLOCK_FAR else 0
    if now < known - CLOCK_SLACK or now < blocks - CLOCK_FAR:
        raise ClockBehind(now, max(known, blocks))
    return max(now, known, rows[0].opens_at)


def _apply_open(session: Session, event: EventRow, row: LogRow, fact: EpochOpened) -> None:
    opened = EpochRow(
        event_id=event.id,
        number=fact.epoch,
        round=fact.round,
        opens_at=fact.opens_at,
        opened=row.sequence,
        cut_round=fact.cut_round,
    )
    store.add_epoch(session, opened)


# --- reading ----------------------------------------------------------------------------------------------------------


def read(database: Database, ask: Ask, asked: Read, nodes: Nodes) -> Receipt:
    """Ask the chain, then decide with what was found.

    Several epochs that were not read are read one after the other, each by a command of its own; the last has the id
    of this one.

    Raises:
        BlockNotYet: the block is not there yet, or may still be replaced.
        EndpointsMissing: this server cannot ask.
    """
    for attempt in range(_TRIES):
        try:
            return _renewed(database, ask, _read(database, ask, asked, nodes))
        except StaleEvent:
            if ask.expected is not None or attempt == _TRIES - 1:
                raise
    raise AssertionError


def _read(database: Database, ask: Ask, asked: Read, nodes: Nodes) -> Receipt:
    while True:
        with database.reading() as session:
            planned = _planned(session, ask, asked)
            others = planned is not None and asked.epoch is None and _more(session, planned)
        if planned is None:
            return run(database, READ, ask, asked)
        found = looks.look(planned, nodes)
        is_last = found.void is None and (bool(found.trouble) or not others)
        once = ask if is_last else replace(ask, command=f"{ask.command}~{planned.version}", expected=None)
        receipt = run(database, _kind(found), once, asked)
        if is_last:
            return receipt


def _renewed(database: Database, ask: Ask, done: Receipt) -> Receipt:
    """Passes whose block left the chain are made anew, once something is known again; the receipt with the version."""
    renewed = passes.renew(database, ask, _READERS)
    return done if renewed is None else replace(done, version=max(done.version, renewed.version))


def _planned(session: Session, ask: Ask, asked: Read) -> looks.Plan | None:
    """What to ask the chain; None: the command needs no chain to be answered, or to be refused."""
    actor, event = ask.who(session), store.find_event(session, ask.event)
    if event is None or not ownership.is_required(event) or not event.manifest_id:
        return None
    if not store.roles_of(session, event.id, actor) & _READERS:
        return None
    if store.find_command(session, event.id, ask.command) is not None:
        return None
    return looks.plan(session, event, asked.epoch)


def _more(session: Session, planned: looks.Plan) -> bool:
    """Whether a later epoch waits to be read."""
    return any(
        row.read is None and row.overridden is None and row.number > planned.state.number
        for row in store.epochs_of(session, planned.event)
    )


def _decide_unasked(scene: Scene, asked: Read) -> Already:
    """Whoever may have the chain asked has asked it (`read`)."""
    rows = _epochs(scene.session, scene.event)
    raise StaleEvent(scene.event.version, scene.event.version, []) if rows else EpochNotFound(asked.epoch or 0)


def _decide_read(scene: Scene, found: Found) -> EpochRead | Already | Keeping[EpochRead]:
    session, event, planned = scene.session, scene.event, found.plan
    row = store.find_epoch(session, event.id, planned.state.number)
    if row is None or row.voided != planned.state.voided:
        raise StaleEvent(planned.version, event.version, [])
    if row.read is not None and planned.state.read is None:
        return Already(row.read)  # somebody else read it meanwhile
    if found.void is not None:
        return _voided(session, event, found.void)
    if found.trouble:
        return _in_trouble(session, event, row, found)
    decided = looks.decided_in(session, event.id, row) if row.read is not None else frozenset()
    elsewhere = store.reserved_elsewhere(session, event.id, allotting.collection_of(found))
    found = replace(found, elsewhere=elsewhere, record=looks.with_reserved(found.record, elsewhere))
    judged = allotting.judge(session, event, found, still=_unchanged(session, event, row, found), decided=decided)
    if row.read is not None and not judged.outcomes:
        return Already(row.read)
    salt = scene.chance()
    fact = _fact(scene, row, found, judged, commitment_of(found.record, salt))
    kept = SealedRow(event_id=event.id, digest=fact.digest, salt=salt, text=found.record)

    def keep(writing: Session) -> None:
        allotting.keep(writing, found, judged, gone=fact.dropped, at=seconds(scene.at))
        store.save_sealed(writing, kept)

    return Keeping(fact, keep)


def _unchanged(session: Session, event: EventRow, row: EpochRow, found: Found) -> frozenset[int]:
    """Those who still play, with the list and the wallets that were asked about."""
    bases = ownership.bases_of(session, event.id)
    players = claimants.players_of(session, event, row)
    return frozenset(entry for entry in players if bases.get(entry) == found.plan.bases.get(entry))


def _voided(session: Session, event: EventRow, void: int) -> EpochRead | Keeping[EpochRead]:
    """From that epoch on, blocks are none any more, and neither is what was read in them."""
    row = store.find_epoch(session, event.id, void)
    if row is None or row.read is None:
        raise StaleEvent(event.version, event.version, [])  # somebody else has seen it meanwhile
    fact = EpochRead(epoch=void, void=void)

    def keep(writing: Session) -> None:
        store.forget_holdings(writing, event.id, since=void)
        departures.forget_since(writing, event.id, void)

    return Keeping(fact, keep)


def _in_trouble(session: Session, event: EventRow, row: EpochRow, found: Found) -> EpochRead | Already:
    """The same trouble twice is one."""
    if row.trouble == found.trouble:
        latest = store.latest_of(session, event.id, (READ.name,))
        if latest is not None:
            return Already(latest.sequence)
    return EpochRead(epoch=row.number, trouble=found.trouble)


def _fact(scene: Scene, row: EpochRow, found: Found, judged: allotting.Judged, digest: str) -> EpochRead:
    block = found.block
    assert block is not None  # noqa: S101 - it is in every reading that came to something
    short = [entry for entry, outcome in judged.outcomes.items() if outcome is Outcome.SHORT]
    dropped: list[int] = []
    if scene.event.if_short == IfShort.DROP and scene.event.phase in PLAYING:
        playing = frozenset(store.numbers_in(scene.session, scene.event.id))
        dropped = [entry for entry in short if entry in playing]
    return EpochRead(
        epoch=row.number,
        block=BlockSaid(number=block.number, hash=block.hash, time=block.timestamp),
        covered=[entry for entry, outcome in judged.outcomes.items() if outcome is Outcome.COVERED],
        short=short,
        undetermined=[
            Undecided(entry=entry, cause=judged.causes[entry])
            for entry, outcome in judged.outcomes.items()
            if outcome is Outcome.UNDETERMINED
        ],
        dropped=dropped,
        dropped_after=store.last_published(scene.session, scene.event.id) if dropped else 0,
        promoted=places.gained(scene, left=len(dropped), capacity=scene.event.capacity) if dropped else [],
        digest=digest,
    )


def _apply_read(session: Session, event: EventRow, row: LogRow, fact: EpochRead) -> None:
    if fact.void is not None:
        _apply_void(session, event, row, fact.void)
        return
    epoch = store.find_epoch(session, event.id, fact.epoch)
    if epoch is None:
        raise EpochNotFound(fact.epoch)
    epoch.trouble = fact.trouble
    if fact.block is None:
        return
    epoch.read = epoch.read or row.sequence
    epoch.block_number, epoch.block_hash, epoch.block_time = fact.block.number, fact.block.hash, fact.block.time
    session.flush()
    judged = dict.fromkeys(fact.covered, (Outcome.COVERED.value, ""))
    judged |= dict.fromkeys(fact.short, (Outcome.SHORT.value, ""))
    judged |= {one.entry: (Outcome.UNDETERMINED.value, one.cause) for one in fact.undetermined}
    before = store.verdicts_at(session, event.id, fact.epoch)
    bases = ownership.bases_of(session, event.id)
    rows = [
        VerdictRow(
            event_id=event.id,
            epoch=fact.epoch,
            entry=entry,
            outcome=outcome,
            cause=cause,
            judged=row.sequence,
            basis=bases.get(entry, ""),
            overridden=_still_overridden(before.get(entry), outcome),
        )
        for entry, (outcome, cause) in sorted(judged.items())
    ]
    store.add_verdicts(session, event.id, fact.epoch, rows)
    if fact.dropped:
        _drop(session, event, row, fact)


def _still_overridden(before: VerdictRow | None, outcome: str) -> int | None:
    """A judge's word holds as long as nobody knows better."""
    return before.overridden if before is not None and outcome == Outcome.UNDETERMINED else None


def _apply_void(session: Session, event: EventRow, row: LogRow, since: int) -> None:
    store.forget_verdicts(session, event.id, since=since)
    passes.revoke_since(session, event, row, since)
    for epoch in store.epochs_of(session, event.id):
        if epoch.number >= since:
            epoch.read = epoch.block_number = epoch.block_hash = epoch.block_time = epoch.overridden = None
            epoch.trouble = ""
            epoch.voided += 1


def _drop(session: Session, event: EventRow, row: LogRow, fact: EpochRead) -> None:
    for entry in store.entries_numbered(session, event.id, fact.dropped):
        entry.dropped_after = fact.dropped_after
    places.give(session, event, fact.promoted)
    store.delete_drafts(session, event.id)
    if event.phase == Phase.CUT:
        for number in fact.dropped:
            brackets.leave(session, event, row, number, Leaving.DROPPED)


# --- overriding -------------------------------------------------------------------------------------------------------


def _decide_override(scene: Scene, asked: Override) -> Overridden:
    session, event = scene.session, scene.event
    rows = _epochs(session, event)
    epoch = rows[-1] if asked.epoch is None else next((row for row in rows if row.number == asked.epoch), None)
    if epoch is None:
        raise EpochNotFound(asked.epoch or 0)
    playing = claimants.players_of(session, event, epoch)
    if strange := [entry for entry in asked.entries if entry not in playing]:
        raise EntryNotFound(strange[0])
    verdicts = ownership.verdicts_now(session, event.id, epoch)
    covered = [entry for entry in asked.entries if entry in verdicts and verdicts[entry].outcome == Outcome.COVERED]
    undetermined = playing - looks.decided_in(session, event.id, epoch)
    if covered or not (asked.entries or (asked.everybody and undetermined)):
        raise NothingToOverride(covered)
    return Overridden(epoch=epoch.number, entries=sorted(set(asked.entries)), everybody=asked.everybody)


def _apply_override(session: Session, event: EventRow, row: LogRow, fact: Overridden) -> None:
    epoch = store.find_epoch(session, event.id, fact.epoch)
    if epoch is not None and fact.everybody:
        epoch.overridden = row.sequence
    bases = ownership.bases_of(session, event.id)
    known = ownership.verdicts_now(session, event.id, epoch) if epoch else {}
    store.override_verdicts(
        session, event.id, fact.epoch, [entry for entry in fact.entries if entry in known], row.sequence
    )
    unseen = [
        VerdictRow(
            event_id=event.id,
            epoch=fact.epoch,
            entry=entry,
            outcome=Outcome.UNDETERMINED.value,
            cause=ownership.NOT_LOOKED_AT,
            judged=row.sequence,
            basis=bases.get(entry, ""),
            overridden=row.sequence,
        )
        for entry in fact.entries
        if entry not in known
    ]
    store.add_verdicts(session, event.id, fact.epoch, unseen)


OPEN: Final = Kind(
    name="epoch.open",
    arguments=Nothing,
    fact=EpochOpened,
    roles=_READERS,
    lasting=True,
    decide=_decide_open,
    apply=_apply_open,
)
READ: Final = Kind(
    name="epoch.read",
    arguments=Read,
    fact=EpochRead,
    roles=_READERS,
    lasting=True,
    decide=_decide_unasked,
    apply=_apply_read,
    seals=Seals(
        digest=lambda fact: fact.digest,
        holds=lambda kept: commitment_of(kept.text, kept.salt) == kept.digest,
        same=lambda _kept, _fact, _asked: True,
        of=lambda fact: Subject("epoch", fact.epoch),
    ),
)
OVERRIDE: Final = Kind(
    name="epoch.override",
    arguments=Override,
    fact=Overridden,
    roles=_JUDGES,
    decide=_decide_override,
    apply=_apply_override,
)
KINDS: Final = (OPEN, READ, OVERRIDE)


def _kind(found: Found) -> Kind[Read, EpochRead]:
    return replace(READ, decide=lambda scene, _: _decide_read(scene, found))


def _epochs(session: Session, event: EventRow) -> list[EpochRow]:
    """Every epoch, of which there is at least the first. Raises: OwnershipNotAsked."""
    rows = list(store.epochs_of(session, event.id))
    if not rows:
        raise OwnershipNotAsked(event.id)
    return rows
