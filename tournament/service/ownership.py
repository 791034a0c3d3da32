"""Ownership in an event: may a round begin, and is the event sanctioned?

Both are worked out from rounds, epochs and verdicts whenever somebody asks; nothing of it is stored.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from sqlmodel import Session

from tournament import store
from tournament.domain.announcement import IfShort, Ownership
from tournament.domain.bracket import Bracket, reports
from tournament.domain.bracket_plan import cut_rounds
from tournament.domain.lifecycle import Phase
from tournament.errors import OwnershipUnproven, Unproven
from tournament.tables import EpochRow, EventRow, VerdictRow
from verifier.coverage import Outcome

NOT_LOOKED_AT: Final = "nobody has looked at the cards yet"
SHORT: Final = "cards are missing"
_DIGITS: Final = 16
"""Of a digest."""


def is_required(event: EventRow) -> bool:
    """Whether players of the event prove that they own their cards."""
    return event.ownership == Ownership.REQUIRED


def bases_of(session: Session, event: str) -> Mapping[int, str]:
    """What a verdict of each player would rest on, as a digest: the list that counts, and the wallets."""
    listed, serving = store.listed_of(session, event), store.serving_of(session, event)
    return {
        entry: sha256(json.dumps([listed.get(entry), serving.get(entry, ())]).encode()).hexdigest()[:_DIGITS]
        for entry in listed.keys() | serving.keys()
    }


def verdicts_now(session: Session, event: str, epoch: EpochRow) -> Mapping[int, VerdictRow]:
    """What was found at an epoch, of everybody whose list and wallets are still those that were looked at.

    Once the round that the epoch opened has begun, of everybody: it is played with what was looked at.
    """
    verdicts = store.verdicts_at(session, event, epoch.number)
    if epoch.round <= store.last_published(session, event) and epoch.round:
        return verdicts
    bases = bases_of(session, event)
    return {entry: verdict for entry, verdict in verdicts.items() if verdict.basis == bases.get(entry, "")}


# --- may a round begin? -----------------------------------------------------------------------------------------------


def opened(  # noqa: PLR0913 - a round is a round of rounds or of the cut
    session: Session,
    event: EventRow,
    number: int,
    players: Collection[int],
    *,
    even_so: bool,
    cut_round: int = 0,
    after: int = 0,
) -> dict[str, Any]:
    """What a fact says of the beginning of a round, or of the cut: `epoch`, and who is `unproven`.

    Args:
        session: to ask.
        event: which requires ownership.
        number: of the round; of the cut, one more than that of the last round.
        players: who would play it.
        even_so: it begins whatever is missing.
        cut_round: of the cut, from 1; 0: it is none.
        after: only a later epoch than that one opens it.

    Raises:
        OwnershipUnproven: no epoch opens it, one is not read, or players are not proven; all of it.
    """
    epoch, problem, unproven = look(session, event, number, players, after=after)
    if (problem or unproven) and not even_so:
        names = store.names_of(session, event.id, unproven)
        told = [Unproven(entry, names.get(entry, ""), cause) for entry, cause in sorted(unproven.items())]
        raise OwnershipUnproven(number, problem, told, cut_round)
    return {"epoch": epoch, "unproven": sorted(players if problem else unproven)}


def check_joining(session: Session, event: EventRow, number: int, entry: int) -> None:
    """Refuse a player who comes into a round that is played, and is not proven for it by the list and wallets of now.

    Raises:
        OwnershipUnproven
    """
    if not is_required(event):
        return
    epoch, problem, unproven = look(session, event, number, [entry])
    found = None if epoch is None else store.verdicts_at(session, event.id, epoch).get(entry)
    if problem:
        return  # the whole round was begun unproven, with a reason
    cause = unproven.get(entry, "")
    if found is not None and found.basis != bases_of(session, event.id).get(entry, ""):
        cause = NOT_LOOKED_AT
    if cause:
        name = store.names_of(session, event.id, [entry]).get(entry, "")
        raise OwnershipUnproven(number, "", [Unproven(entry, name, cause)])


def begin_unproven(session: Session, event: str, epoch: int | None, players: Collection[int]) -> None:
    """Players begin whose cards were looked at for another list or other wallets: what was found then is forgotten."""
    if epoch is not None and players:
        store.forget_outcome(session, event, epoch, players, Outcome.COVERED.value)


def look(
    session: Session, event: EventRow, number: int, players: Collection[int], *, after: int = 0
) -> tuple[int | None, str, Mapping[int, str]]:
    """The epoch that opens a round, what is wrong with the epochs, and who is not proven, each with the cause."""
    epochs = [epoch for epoch in store.epochs_of(session, event.id) if epoch.round <= number]
    opening = [epoch for epoch in epochs if epoch.round == number and epoch.number > after]
    unread = [epoch for epoch in epochs if epoch.read is None and epoch.overridden is None]
    if not opening:
        return None, "no epoch opens it", {}
    newest = opening[-1]
    if unread:
        return newest.number, "; ".join(map(_unread, unread)), {}
    return newest.number, "", _unproven(session, event, newest, players)


def _unread(epoch: EpochRow) -> str:
    return f"epoch {epoch.number} is not read" + (f" ({epoch.trouble})" if epoch.trouble else "")


def _unproven(session: Session, event: EventRow, epoch: EpochRow, players: Collection[int]) -> dict[int, str]:
    verdicts = verdicts_now(session, event.id, epoch)
    found = {}
    for entry in players:
        verdict = verdicts.get(entry)
        if verdict is None:
            cause = "" if epoch.overridden else NOT_LOOKED_AT
        elif verdict.outcome == Outcome.SHORT:
            cause = SHORT if event.if_short == IfShort.DROP and verdict.overridden is None else ""
        elif verdict.outcome == Outcome.UNDETERMINED:
            cause = "" if epoch.overridden or verdict.overridden else verdict.cause
        else:
            cause = ""
        if cause:
            found[entry] = cause
    return found


# --- is the event sanctioned? -----------------------------------------------------------------------------------------


class Met(StrEnum):
    """Whether a condition holds."""

    YES = "yes"
    NO = "no"
    """And it never will."""
    NOT_YET = "not yet"


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that has to be so before an event is sanctioned."""

    name: str
    met: Met
    words: str


@dataclass(frozen=True, slots=True)
class Sanction:
    """Whether an event is sanctioned, and why."""

    met: Met
    conditions: Sequence[Condition]


def sanctions_of(session: Session, events: Sequence[EventRow]) -> Mapping[str, Sanction]:
    """Whether each of the events is sanctioned, by id; the same number of questions for however many."""
    asking = [event.id for event in events if is_required(event)]
    played = {event: [*those] for event, those in store.proofs_of(session, asking).items()}
    cuts = store.brackets_of(session, asking)
    begun = store.cut_round_players(session, list(cuts))
    for event, bracket in cuts.items():
        _add_unopened(played.setdefault(event, []), bracket, begun.get(event, {}))
    return {event.id: _sanction(event, played.get(event.id, [])) for event in events}


def _add_unopened(proofs: list[store.Proof], bracket: Bracket, begun: Mapping[int, Collection[int]]) -> None:
    """Matches of the cut that were played although no epoch had opened their round, or not for both players."""
    rounds = cut_rounds(bracket.form, len(bracket.seeds))
    known = {proof.cut_round: proof for proof in proofs if proof.cut_round}
    for match, said in reports(bracket).items():
        number = rounds[match]
        if number not in known:
            known[number] = store.Proof(None, None, cut_round=number)
            proofs.append(known[number])
        if number > 1:
            known[number].undecided += sum(
                int(player) not in begun.get(number, ()) for player in (said.first, said.second)
            )


def _sanction(event: EventRow, played: Sequence[store.Proof]) -> Sanction:
    if not is_required(event):
        words = "players do not prove that they own their cards, and that cannot be made good later"
        if event.phase == Phase.DRAFT:
            return _all([Condition("ownership required", Met.NOT_YET, "the event asks for no proof of cards so far")])
        return _all([Condition("ownership required", Met.NO, words)])
    return _all(
        [
            Condition("ownership required", Met.YES, "players prove that they own every card of their lists"),
            _promised(event),
            _opened(event, played),
            _proven(event, played),
            _finished(event),
        ]
    )


def _all(conditions: Sequence[Condition]) -> Sanction:
    found = {condition.met for condition in conditions}
    return Sanction(next((met for met in (Met.NO, Met.NOT_YET) if met in found), Met.YES), conditions)


def _promised(event: EventRow) -> Condition:
    name = "promised before registration"
    if event.manifest_id:
        return Condition(name, Met.YES, f"the manifest {event.manifest_id} was fixed when registration opened")
    if event.phase == Phase.DRAFT:
        return Condition(name, Met.NOT_YET, "the manifest is fixed when registration opens")
    return Condition(name, Met.NO, "registration opened without a manifest")


def _opened(event: EventRow, played: Sequence[store.Proof]) -> Condition:
    """Of each round that was begun: an epoch opened it, and was read, be it later."""
    name = "each round opened by an epoch"
    without = [_round(one) for one in played if one.epoch is None]
    unread = [f"epoch {one.epoch} of {_round(one)}" for one in played if one.epoch is not None and not one.is_read]
    if without:
        return Condition(name, Met.NO, f"{', '.join(without)} began without one")
    if unread:
        met = Met.NO if _is_over(event) else Met.NOT_YET
        return Condition(name, met, f"not read: {', '.join(unread)}")
    if not played:
        met = Met.NO if _is_over(event) else Met.NOT_YET
        return Condition(name, met, "no round has begun")
    return Condition(name, Met.YES if _is_over(event) else Met.NOT_YET, f"so far all of {len(played)}")


def _proven(event: EventRow, played: Sequence[store.Proof]) -> Condition:
    """Of everybody who was seated: covered, or let play by a judge where it could not be found out."""
    name = "everybody who played was proven"
    short = [f"{one.short} in {_round(one)}" for one in played if one.short]
    undecided = [f"{one.undecided} in {_round(one)}" for one in played if one.is_read and one.undecided]
    judged = sum(one.judged for one in played)
    if short:
        return Condition(name, Met.NO, f"players who were short played: {', '.join(short)}")
    if undecided:
        met = Met.NO if _is_over(event) else Met.NOT_YET
        return Condition(name, met, f"players played whose cards were not looked at: {', '.join(undecided)}")
    by_judge = f"; {judged} times a judge decided, with a reason in the log" if judged else ""
    if not _is_over(event):
        return Condition(name, Met.NOT_YET, f"so far everybody was{by_judge}" if played else "no round has begun")
    return Condition(name, Met.YES, f"in every round{by_judge}")


def _finished(event: EventRow) -> Condition:
    name = "finished"
    if event.phase == Phase.FINISHED:
        return Condition(name, Met.YES, "the event was played to its end")
    if event.phase == Phase.VOID:
        return Condition(name, Met.NO, "the event was called off")
    return Condition(name, Met.NOT_YET, f"the event is in {event.phase}")


def _is_over(event: EventRow) -> bool:
    return event.phase in {Phase.FINISHED, Phase.VOID}


def _round(proof: store.Proof) -> str:
    if proof.round is not None:
        return f"round {proof.round}"
    return f"round {proof.cut_round} of the cut" if proof.cut_round > 1 else "the cut"
