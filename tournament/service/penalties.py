"""Penalties: given, applied where they change a result, corrected, withdrawn, never deleted.

Giving one changes no result. What it would change can be looked at (`effect_of`), and is done when a judge says so:
a game loss is added to the games that the table reported, a match loss ends the match, a disqualification does that to
the running match and puts the player out. A table of several plays one game, so both losses put the player last there,
once the table has its result; after a disqualification the others play on. What a penalty did is taken back by a
command of its own; then it may be withdrawn, or get another level. So the words of a penalty are in rows that are
sealed, and what changes results is in rows that are open (docs/decisions/0048).

Source: Infraction Procedure Guide 1.1 (what each level does), 1.2 (between rounds a loss is for the next match).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from pydantic import Field, StringConstraints
from sqlmodel import Session

from tournament import store
from tournament.domain.bracket import Leaving
from tournament.domain.infractions import Infraction, PenaltyLevel, folded, infraction_named, usual_penalty
from tournament.domain.lifecycle import Action, Phase
from tournament.domain.model import Ending, Pairing, PlayerId, Pod
from tournament.domain.pod_results import put_last
from tournament.domain.results import GameLoss, MatchFormat, MatchLoss, Penalty, check_result, penalised
from tournament.domain.roles import JUDGES
from tournament.errors import (
    DeckCheckNotFound,
    EffectInForce,
    EffectRefused,
    EffectStands,
    PenaltyNotFound,
    PenaltyWithdrawn,
    RoundNotFound,
)
from tournament.service import brackets, entries, results, rounds
from tournament.service.beside import Kept, Place, numbered
from tournament.service.commands import Already, Arguments, Fact, Kind, Scene, WithReason, Words
from tournament.service.entries import MOST_NUMBER
from tournament.service.results import TableResult
from tournament.tables import EventRow, LogRow, PenaltyRow, SeatRow

Name = Annotated[
    str, StringConstraints(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$", strip_whitespace=True)
]

_TEXT: Final = Place(path=("text",), of=numbered("penalty"))


class GivePenalty(Arguments):
    """A penalty."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"text"})

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])
    infraction: Name = Field(
        description="a code or a name of `GET /infractions`, or words of your own", examples=["slow-play"]
    )
    level: PenaltyLevel = Field(examples=[PenaltyLevel.WARNING])
    text: Words = Field(default="", description="what happened, as the player may read it", examples=["4 minutes late"])
    round: int | None = Field(
        default=None,
        ge=1,
        le=MOST_NUMBER,
        description="if not given, the latest one; between rounds, a loss is for the next one",
    )
    deck_check: int | None = Field(default=None, ge=1, le=MOST_NUMBER, description="the deck check that it came out of")


class PenaltyGiven(Fact):
    """A penalty, with what was known when it was given."""

    beside: ClassVar[tuple[Place, ...]] = (_TEXT,)

    penalty: int
    entry: int
    round: int
    table: int | None
    code: str
    infraction: str
    level: PenaltyLevel
    text: Kept
    deck_check: int | None
    nth: int = Field(description="so manyth of the player for this infraction; withdrawn ones are not counted")
    usual: PenaltyLevel | None = Field(
        description="what the table of infractions says; null: it leaves it to the judge"
    )


class PenaltyNumber(Arguments):
    """A penalty that was given."""

    penalty: int = Field(ge=1, le=MOST_NUMBER)


class ChangedTable(Fact):
    """The result of a table, before and after."""

    round: int
    table: int
    before: TableResult | None
    reported: int | None
    after: TableResult


class PlayerOut(Fact):
    """The player is out."""

    dropped_after: int
    before: int | None


class PenaltyApplied(Fact):
    """What the penalty changed."""

    penalty: int
    entry: int
    table: ChangedTable | None
    out: PlayerOut | None


class RestoredTable(Fact):
    """The result of a table; without games it is open again."""

    round: int
    table: int
    games: TableResult | None
    reported: int | None


class PlayerBack(Fact):
    """The player is in, unless dropped before."""

    dropped_after: int | None


class PenaltyChange(WithReason):
    """What a penalty should have been; what is not named stays."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"text"})

    infraction: Name | None = None
    level: PenaltyLevel | None = None
    text: Words | None = None


class CorrectPenalty(PenaltyChange):
    """The same, and which penalty it is."""

    penalty: int = Field(ge=1, le=MOST_NUMBER)


class PenaltyCorrected(Fact):
    """The penalty as it is now."""

    beside: ClassVar[tuple[Place, ...]] = (_TEXT,)

    penalty: int
    code: str
    infraction: str
    level: PenaltyLevel
    text: Kept


class WithdrawPenalty(WithReason):
    """A penalty that should not have been."""

    penalty: int = Field(ge=1, le=MOST_NUMBER)


class PenaltyWithdrawal(Fact):
    """The penalty does not count."""

    penalty: int
    why: str


class PenaltyTakenBack(Fact):
    """What the penalty had changed, as it was before. The penalty is as if it had never been applied."""

    penalty: int
    entry: int
    table: RestoredTable | None
    back: PlayerBack | None
    stands: bool = Field(description="a result that somebody changed since stays; correct it if it is wrong")


@dataclass(frozen=True, slots=True)
class Effect:
    """What a penalty would change now."""

    table: ChangedTable | None = None
    out: PlayerOut | None = None
    why_not: str = ""
    """Why it changes nothing; empty if it does."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What a judge wants to know before giving a penalty."""

    infraction: Infraction | None
    """None: it is in no table."""
    before: Sequence[PenaltyRow]
    """What the player got for the same infraction, withdrawn ones left out."""
    history: Sequence[PenaltyRow]
    """Everything that the player got."""
    usual: PenaltyLevel | None

    @property
    def sentence(self) -> str:
        """In words: how often before, and what is usual."""
        earlier = ", ".join(f"{row.level} in round {row.round}" for row in self.before) or "none"
        usual = f"usually a {self.usual}" if self.usual else "the judge decides"
        return f"number {len(self.before) + 1} for this infraction (before: {earlier}); {usual}"


def advise(session: Session, event: EventRow, entry: int, said: str) -> Advice:
    """What a player got for an infraction before, and what is usual now. Raises: EntryNotFound."""
    entries.load(session, event.id, entry)
    infraction = infraction_named(event.game, said)
    key = _key(infraction.code if infraction else "", said)
    given = store.penalties_of(session, event.id, entry=entry)
    before = [row for row in given if row.withdrawn is None and _key(row.code, row.infraction) == key]
    return Advice(infraction, before, given, usual_penalty(infraction, [PenaltyLevel(row.level) for row in before]))


def _key(code: str, said: str) -> str:
    """By what two infractions are the same."""
    return code or folded(said)


def _decide_give(scene: Scene, asked: GivePenalty) -> PenaltyGiven:
    session, event = scene.session, scene.event
    advice = advise(session, event, asked.entry, asked.infraction)
    last = store.last_published(session, event.id)
    number = asked.round or _round_of(asked.level, Phase(event.phase), last)
    if number > last + 1:
        raise RoundNotFound(number)
    seat = store.seat_of(session, event.id, number, asked.entry) if number <= last else None
    if asked.deck_check is not None and store.find_deck_check(session, event.id, asked.deck_check) is None:
        raise DeckCheckNotFound(asked.deck_check)
    return PenaltyGiven(
        penalty=store.last_number(session, PenaltyRow, event.id) + 1,
        entry=asked.entry,
        round=number,
        table=seat.table_number if seat else None,
        code=advice.infraction.code if advice.infraction else "",
        infraction=advice.infraction.name if advice.infraction else asked.infraction,
        level=asked.level,
        text=asked.text,
        deck_check=asked.deck_check,
        nth=len(advice.before) + 1,
        usual=advice.usual,
    )


def _round_of(level: PenaltyLevel, phase: Phase, last: int) -> int:
    """Between rounds a loss is for the next match. Source: Infraction Procedure Guide 1.2."""
    is_loss = level in {PenaltyLevel.GAME_LOSS, PenaltyLevel.MATCH_LOSS}
    return last + 1 if is_loss and phase is Phase.BETWEEN_ROUNDS else max(last, 1)


def _apply_give(session: Session, event: EventRow, row: LogRow, fact: PenaltyGiven) -> None:
    penalty = PenaltyRow(
        event_id=event.id,
        number=fact.penalty,
        entry=fact.entry,
        round=fact.round,
        table_number=fact.table,
        code=fact.code,
        infraction=fact.infraction,
        level=fact.level.value,
        text=fact.text,
        deck_check=fact.deck_check,
        given=row.sequence,
        given_by=row.actor,
        given_at=row.at,
    )
    store.save(session, penalty)


def effect_of(session: Session, event: EventRow, penalty: PenaltyRow) -> Effect:
    """What a penalty would change now; a value, also where it changes nothing."""
    if penalty.withdrawn is not None:
        return Effect(why_not="it was withdrawn")
    if penalty.applied is not None:
        return Effect(why_not="it is applied already")
    if penalty.level == PenaltyLevel.WARNING:
        return Effect(why_not="a warning changes no result")
    if penalty.level == PenaltyLevel.DISQUALIFICATION:
        return _disqualified(session, event, penalty)
    return _lost(session, event, penalty)


def _lost(session: Session, event: EventRow, penalty: PenaltyRow) -> Effect:
    """A game or a match of the penalty's round."""
    seat = store.seat_of(session, event.id, penalty.round, penalty.entry)
    if seat is None or penalty.round > store.last_published(session, event.id) or seat.table_number is None:
        return Effect(why_not=f"number {penalty.entry} has no table in round {penalty.round}")
    at = f"table {seat.table_number} of round {penalty.round}"
    if seat.third is not None:
        if seat.ending is None:
            return Effect(why_not=f"{at} still plays; the player is put last when its result is in")
        return _put_last(seat, penalty)
    if penalty.level == PenaltyLevel.GAME_LOSS and seat.ending is None:
        return Effect(why_not=f"{at} still plays; the lost game is added when its result is in")
    return _changed(event, seat, penalty, store.penalties_of(session, event.id, number=penalty.round))


def _disqualified(session: Session, event: EventRow, penalty: PenaltyRow) -> Effect:
    """The player is out, and loses the match that is being played. Source: Infraction Procedure Guide 1.1."""
    entry = entries.load(session, event.id, penalty.entry)
    if entry.disqualified:
        return Effect(why_not=f"number {entry.number} is disqualified already")
    before = entry.dropped_after
    out = PlayerOut(dropped_after=store.last_published(session, event.id) if before is None else before, before=before)
    if (lost := results.lost_by(session, event, penalty.entry)) is None:
        return Effect(out=out)
    seat, games = lost
    table = ChangedTable(
        round=seat.round, table=seat.table_number or 0, before=None, reported=seat.reported, after=games
    )
    return Effect(table, out=out)


def _changed(event: EventRow, seat: SeatRow, penalty: PenaltyRow, others: Iterable[PenaltyRow]) -> Effect:
    """The result of the table with the penalty in it. Match losses that it has already are lost still."""
    pairing, match_format = store.seat_from(seat), MatchFormat(event.best_of)
    assert isinstance(pairing, Pairing)  # noqa: S101 - a seat with a table number is one
    if pairing.result is not None and pairing.result.ending is Ending.DOUBLE_LOSS:
        return Effect(why_not=f"both at table {pairing.table} have lost already")
    is_penalty = pairing.result is not None and pairing.result.ending is Ending.PENALTY
    in_force = [row for row in others if row.applied is not None and row.withdrawn is None]
    lost = [row for row in in_force if is_penalty and _ends_a_match(row)]
    given = [_as_the_rules(penalty, seat.round), *(_as_the_rules(row, seat.round) for row in lost)]
    after = penalised(pairing, given, number=seat.round, match_format=match_format).result
    assert after is not None  # noqa: S101 - a game loss is only added to a result, a match loss makes one
    if after == pairing.result:
        return Effect(why_not=f"table {pairing.table} has that result already")
    if faults := check_result(after, match_format):
        return Effect(why_not="; ".join(fault.sentence for fault in faults))
    return Effect(
        ChangedTable(
            round=seat.round,
            table=pairing.table,
            before=results.games_at(seat),
            reported=seat.reported,
            after=results.games_of(after),
        )
    )


def _put_last(seat: SeatRow, penalty: PenaltyRow) -> Effect:
    """The placing of a table of several with the penalty in it: it plays one game, which the player has lost."""
    pod = store.pod_from(seat)
    assert isinstance(pod, Pod)  # noqa: S101 - a seat with a third player is one
    before, after = results.games_at(seat), results.places_in(put_last(pod, {PlayerId(str(penalty.entry))}))
    assert after is not None  # noqa: S101 - the table has a result
    if after == before:
        return Effect(why_not=f"number {penalty.entry} has lost at table {pod.table} already")
    table = ChangedTable(round=seat.round, table=pod.table, before=before, reported=seat.reported, after=after)
    return Effect(table)


def _ends_a_match(row: PenaltyRow) -> bool:
    return row.level in {PenaltyLevel.MATCH_LOSS, PenaltyLevel.DISQUALIFICATION}


def _as_the_rules(row: PenaltyRow, number: int) -> Penalty:
    """A penalty as the rules count it in that round: who is disqualified loses the match."""
    kind = MatchLoss if _ends_a_match(row) else GameLoss
    return kind(player=PlayerId(str(row.entry)), round=number, infraction=row.infraction, reason=row.text)


def _decide_apply(scene: Scene, asked: PenaltyNumber) -> PenaltyApplied | Already:
    penalty = load(scene.session, scene.event.id, asked.penalty)
    if penalty.applied is not None and penalty.withdrawn is None:
        return Already(penalty.applied)
    effect = effect_of(scene.session, scene.event, penalty)
    if effect.why_not:
        raise EffectRefused(penalty.number, effect.why_not)
    return PenaltyApplied(penalty=penalty.number, entry=penalty.entry, table=effect.table, out=effect.out)


def _apply_apply(session: Session, event: EventRow, row: LogRow, fact: PenaltyApplied) -> None:
    load(session, event.id, fact.penalty).applied = row.sequence
    _put(session, event, row, fact)


def _put(session: Session, event: EventRow, row: LogRow, fact: PenaltyApplied) -> None:
    store.delete_drafts(session, event.id)
    if fact.table is not None:
        results.put(session, event.id, fact.table.round, {fact.table.table: fact.table.after}, row.sequence)
    if fact.out is not None:
        entry = entries.load(session, event.id, fact.entry)
        entry.disqualified, entry.dropped_after = True, fact.out.dropped_after
        brackets.leave(session, event, row, fact.entry, Leaving.DISQUALIFIED)


def _decide_take_back(scene: Scene, asked: PenaltyNumber) -> PenaltyTakenBack:
    penalty = load(scene.session, scene.event.id, asked.penalty)
    if penalty.applied is None:
        raise EffectRefused(penalty.number, "it was not applied, so there is nothing to take back")
    session, event = scene.session, scene.event
    did = _did(session, event.id, penalty.applied)
    table, stands = None, False
    if did is not None and did.table is not None:
        seat = store.find_table(session, event.id, did.table.round, did.table.table)
        stands = seat is None or seat.reported != penalty.applied
        table = None if stands else _as_before(session, event.id, did.table)
    if table is not None and table.games is None and rounds.load(session, event.id, table.round).closed_at is not None:
        at = f"table {table.table} of round {table.round} would be open, and the round is closed"
        raise EffectStands(penalty.number, f"{at}; correct its result first")
    out = did.out if did is not None else None
    back = PlayerBack(dropped_after=out.before) if out is not None else None
    return PenaltyTakenBack(penalty=penalty.number, entry=penalty.entry, table=table, back=back, stands=stands)


def _as_before(session: Session, event: str, change: ChangedTable) -> RestoredTable:
    """The result before the change, and before changes of penalties that were taken back since."""
    in_force = {row.applied for row in store.penalties_of(session, event, number=change.round)}
    before = change
    while before.reported is not None and before.reported not in in_force:
        earlier = _did(session, event, before.reported)
        if earlier is None or earlier.table is None:
            break
        before = earlier.table
    return RestoredTable(round=before.round, table=before.table, games=before.before, reported=before.reported)


def _did(session: Session, event: str, sequence: int) -> PenaltyApplied | None:
    """What the application of a penalty did; None if that row is something else."""
    row = store.log_row(session, event, sequence)
    return PenaltyApplied.model_validate_json(row.fact) if row.name == APPLY.name else None


def _apply_take_back(session: Session, event: EventRow, row: LogRow, fact: PenaltyTakenBack) -> None:
    load(session, event.id, fact.penalty).applied = None
    _put_back(session, event, row, fact)


def _put_back(session: Session, event: EventRow, row: LogRow, fact: PenaltyTakenBack) -> None:
    store.delete_drafts(session, event.id)
    if fact.table is not None:
        at = fact.table
        results.put(session, event.id, at.round, {at.table: at.games}, at.reported, by=row.sequence)
    if fact.back is not None:
        entry = entries.load(session, event.id, fact.entry)
        entry.disqualified, entry.dropped_after = False, fact.back.dropped_after
        brackets.reinstate(session, event, row, fact.entry)


def _decide_correct(scene: Scene, asked: CorrectPenalty) -> PenaltyCorrected | Already:
    penalty = load(scene.session, scene.event.id, asked.penalty)
    if penalty.withdrawn is not None:
        raise PenaltyWithdrawn(penalty.number)
    code, name = penalty.code, penalty.infraction
    if asked.infraction is not None:
        known = infraction_named(scene.event.game, asked.infraction)
        code, name = (known.code, known.name) if known else ("", asked.infraction)
    level = PenaltyLevel(penalty.level) if asked.level is None else asked.level
    text = penalty.text if asked.text is None else asked.text
    if (code, name, level, text) == (penalty.code, penalty.infraction, penalty.level, penalty.text):
        return Already(penalty.corrected or penalty.given)
    if level != penalty.level and penalty.applied is not None:
        raise EffectInForce(penalty.number, "change its level")
    return PenaltyCorrected(penalty=penalty.number, code=code, infraction=name, level=level, text=text)


def _apply_correct(session: Session, event: EventRow, row: LogRow, fact: PenaltyCorrected) -> None:
    penalty = load(session, event.id, fact.penalty)
    penalty.code, penalty.infraction, penalty.level = fact.code, fact.infraction, fact.level.value
    penalty.text, penalty.corrected = fact.text, row.sequence


def _decide_withdraw(scene: Scene, asked: WithdrawPenalty) -> PenaltyWithdrawal | Already:
    penalty = load(scene.session, scene.event.id, asked.penalty)
    if penalty.withdrawn is not None:
        return Already(penalty.withdrawn)
    if penalty.applied is not None:
        raise EffectInForce(penalty.number, "withdraw it")
    return PenaltyWithdrawal(penalty=penalty.number, why=asked.reason)


def _apply_withdraw(session: Session, event: EventRow, row: LogRow, fact: PenaltyWithdrawal) -> None:
    penalty = load(session, event.id, fact.penalty)
    penalty.withdrawn, penalty.why_withdrawn = row.sequence, fact.why


_LATER_TOO: Final = (Action.PENALISE, Action.CORRECT)
"""A penalty is corrected or withdrawn after the event as well, as a result is."""
GIVE: Final = Kind(
    name="penalty.give",
    arguments=GivePenalty,
    fact=PenaltyGiven,
    roles=JUDGES,
    actions=(Action.PENALISE,),
    sealed=True,
    decide=_decide_give,
    apply=_apply_give,
)
APPLY: Final = Kind(
    name="penalty.apply",
    arguments=PenaltyNumber,
    fact=PenaltyApplied,
    roles=JUDGES,
    actions=(Action.PENALISE,),
    decide=_decide_apply,
    apply=_apply_apply,
    in_public=_put,
)
TAKE_BACK: Final = Kind(
    name="penalty.take-back",
    arguments=PenaltyNumber,
    fact=PenaltyTakenBack,
    roles=JUDGES,
    actions=_LATER_TOO,
    decide=_decide_take_back,
    apply=_apply_take_back,
    in_public=_put_back,
)
CORRECT: Final = Kind(
    name="penalty.correct",
    arguments=CorrectPenalty,
    fact=PenaltyCorrected,
    roles=JUDGES,
    actions=_LATER_TOO,
    sealed=True,
    decide=_decide_correct,
    apply=_apply_correct,
)
WITHDRAW: Final = Kind(
    name="penalty.withdraw",
    arguments=WithdrawPenalty,
    fact=PenaltyWithdrawal,
    roles=JUDGES,
    actions=_LATER_TOO,
    sealed=True,
    decide=_decide_withdraw,
    apply=_apply_withdraw,
)
KINDS: Final = (GIVE, APPLY, TAKE_BACK, CORRECT, WITHDRAW)


def load(session: Session, event: str, number: int) -> PenaltyRow:
    """A penalty. Raises: PenaltyNotFound."""
    row = store.find_penalty(session, event, number)
    if row is None:
        raise PenaltyNotFound(number)
    return row
