"""What a player lacks, read from beside the log and put into words for whoever may know them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

from sqlmodel import Session

from tournament import store
from tournament.domain.announcement import IfShort
from tournament.domain.lifecycle import Phase
from tournament.service import claimants, ownership
from tournament.service.departures import Alert
from tournament.tables import DepartureRow, EpochRow, EventRow, VerdictRow
from verifier.coverage import Outcome
from verifier.passes import in_utc


class Light(StrEnum):
    """What a desk sees of a player's cards."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"


@dataclass(frozen=True, slots=True)
class Shown:
    """A light with its reason."""

    light: Light
    words: str


@dataclass(frozen=True, slots=True)
class Lack:
    """A card of which units are missing, and why."""

    card: str
    needed: int
    missing: int
    since: int
    """The epoch after which there were too few."""
    words: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A round, of the cut or before it; 0: the event."""

    round: int
    is_cut: bool = False

    def __str__(self) -> str:
        if self.is_cut:
            return f"round {self.round} of the cut" if self.round > 1 else "the cut"
        return f"round {self.round}"


_EVENT: Final = Opened(0)


def light_of(epoch: EpochRow, verdict: VerdictRow | None, hindrance: str = "") -> Shown:
    """The light of a player at an epoch: no cards and no wallets are told.

    Args:
        epoch: at which the cards are looked at.
        verdict: what was found; None as long as nobody has looked.
        hindrance: why nothing can be found, told before somebody looks; empty if nothing is in the way.
    """
    if verdict is None:
        if epoch.overridden is not None:
            return Shown(Light.AMBER, "a judge lets everybody play, since nobody could look at the cards")
        why = f" ({epoch.trouble})" if epoch.trouble else ""
        return Shown(Light.AMBER, hindrance or ownership.NOT_LOOKED_AT + why)
    by_judge = verdict.overridden is not None
    match verdict.outcome:
        case Outcome.COVERED:
            return Shown(Light.GREEN, f"all cards are there, by epoch {epoch.number}")
        case Outcome.SHORT:
            words = "cards are missing" + (", and a judge lets the player play" if by_judge else "")
            return Shown(Light.RED, words)
        case _:
            let = by_judge or epoch.overridden is not None
            return Shown(Light.AMBER, verdict.cause + (", and a judge lets the player play" if let else ""))


def lacks_of(session: Session, event: EventRow, entry: int, *, for_staff: bool) -> Mapping[int, Sequence[Lack]]:
    """What an entry lacked, by epoch.

    Args:
        session: to read.
        event: whose entry.
        entry: its number.
        for_staff: whether the names of players of other events may be told.
    """
    kept = {epoch: json.loads(text) for epoch, text in store.shortfalls_of(session, event.id, entry).items()}
    epochs = store.epochs_of(session, event.id)
    rounds = _opened(session, event, epochs)
    gone = _gone(store.departures_of(session, event.id, entry), epochs) if kept else {}
    holders = _holders(session, kept, for_staff=for_staff)
    return {epoch: [_lack(said, rounds, holders, gone) for said in those] for epoch, those in kept.items()}


def _holders(session: Session, kept: Mapping[int, Any], *, for_staff: bool) -> Mapping[str, str]:
    """Who has set units aside elsewhere, in words for the reader."""
    named = {
        reserved["holder"]
        for those in kept.values()
        for said in those
        for trail in said["trails"]
        for reserved in trail["reserved"]
    }
    keys = [(event, int(entry)) for event, _, entry in (one.partition(" ") for one in named)]
    events = {row.id: row for row in store.events_named(session, [event for event, _ in keys])} if keys else {}
    names = {(row.event_id, row.number): row.name for row in store.entries_named(session, keys)} if keys else {}
    return {
        f"{event} {entry}": _holder(events.get(event), names.get((event, entry)) if for_staff else None)
        for event, entry in keys
    }


def _holder(event: EventRow | None, name: str | None) -> str:
    where = event.name if event is not None and event.published else "another event of this server"
    return f"{name} in {where}" if name and event is not None and event.published else where


Gone: TypeAlias = Mapping[tuple[str, str, int], Sequence[str]]
"""Transactions by wallet, token id, and the epoch before which they were."""


def _gone(rows: Sequence[DepartureRow], epochs: Sequence[EpochRow]) -> Gone:
    """In which transactions units left wallets of an entry."""
    found: dict[tuple[str, str, int], list[str]] = {}
    for row in rows:
        after = [one.number for one in epochs if one.block_number is not None and one.block_number >= row.block]
        if after:
            those = found.setdefault((row.wallet, row.token_id, min(after)), [])
            if row.transaction not in those:
                those.append(row.transaction)
    return found


def _lack(said: Mapping[str, Any], rounds: Mapping[int, Opened], holders: Mapping[str, str], gone: Gone) -> Lack:
    words = _words(said, rounds, holders)
    if said["since"] > 1 and not said["unread"]:
        trails = [(trail["wallet"], str(trail["token_id"]), said["since"]) for trail in said["trails"]]
        hashes = dict.fromkeys(one for trail in trails for one in gone.get(trail, ()))
        if hashes:
            words += f", {'transaction' if len(hashes) == 1 else 'transactions'} {', '.join(hashes)}"
    return Lack(said["card"], said["needed"], said["missing"], said["since"], words)


def _words(said: Mapping[str, Any], rounds: Mapping[int, Opened], holders: Mapping[str, str]) -> str:
    what = f"{said['missing']} of {said['needed']} {said['card']}"
    reserved = [one for trail in said["trails"] for one in trail["reserved"]]
    if said["unread"]:
        return f"{what}: a wallet could not be read at every block, so it may be there"
    if reserved:
        those = ", ".join(
            f"{one['units']} by {holders[one['holder']]} since {in_utc(one['since'])}" for one in reserved
        )
        return f"{what}: set aside elsewhere: {those}"
    if any(_withheld(trail) for trail in said["trails"]):
        return f"{what}: a vault of the player has more, and does not vouch for it"
    since = said["since"]
    if since == 1:
        return f"{what}: not there when cards were looked at first"
    when = _between(rounds.get(since - 1, _EVENT), rounds.get(since, _EVENT))
    return f"{what}: gone {when} (between epoch {since - 1} and {since})"


def _withheld(trail: Mapping[str, Any]) -> bool:
    """Whether a vault has units that the player may not count."""
    known = [units for units in trail["units"] if units is not None]
    return bool(trail.get("vault")) and trail["share"] is not None and min(known, default=0) > trail["share"]


def _opened(session: Session, event: EventRow, epochs: Sequence[EpochRow]) -> dict[int, "Opened"]:
    """What each epoch opened."""
    cut = store.last_published(session, event.id) + 1 if store.find_bracket(session, event.id) is not None else 0
    return {
        row.number: Opened(row.cut_round or 1, is_cut=True) if cut and row.round == cut else Opened(row.round)
        for row in epochs
    }


def _between(one: Opened, other: Opened) -> str:
    """When, in rounds: an epoch is read before the round that it opens."""
    if other == one:
        return f"before {other}" if other.round else "during check-in"
    if one == _EVENT:
        return f"after check-in, before {other}"
    if one.is_cut == other.is_cut:
        return f"between round {one.round} and {other.round}{' of the cut' if one.is_cut else ''}"
    return f"between {one} and {other}"


# --- what the player does now -----------------------------------------------------------------------------------------

_TO_DO: Final[Mapping[str, str]] = {
    claimants.NO_LIST: "hand in a legal list, and ask staff to look again",
    claimants.NO_WALLET: "link the wallet that has your cards, and ask staff to look again",
    claimants.ERASED: "hand in a list and link a wallet anew, or ask a judge",
    claimants.UNREADABLE: "ask a judge: the cards of your list are not known any more",
    ownership.NOT_LOOKED_AT: "nothing: cards are looked at before the next round begins",
}
_OVER: Final = frozenset({Phase.FINISHED, Phase.VOID})


def advice_of(
    event: EventRow, epoch: EpochRow, verdict: VerdictRow | None, left: Sequence[Alert], *, is_in: bool
) -> list[str]:
    """What a player can do before the next round; nothing where all is well, or over.

    Args:
        event: that goes on.
        epoch: the newest.
        verdict: of the player at it, if there is one that counts.
        left: what left the player's wallets.
        is_in: whether the player has a place.
    """
    if event.phase in _OVER:
        return []
    block = epoch.block_number
    gone = [_have_back(one) for one in left if block is not None and one.row.block > block]
    now = _now(event, verdict, is_in=is_in)
    return [*gone, now] if now else gone


def _now(event: EventRow, verdict: VerdictRow | None, *, is_in: bool) -> str:
    if verdict is None:
        return _TO_DO[ownership.NOT_LOOKED_AT]
    if verdict.overridden is not None:
        return "play: a judge lets you"
    if verdict.outcome == Outcome.UNDETERMINED:
        return _TO_DO.get(verdict.cause, "wait: staff ask the chain again, and a judge may let you play")
    if verdict.outcome == Outcome.COVERED:
        return ""
    if event.if_short != IfShort.DROP:
        return "play on: it is noted. To have the cards back now changes nothing, since every epoch counts"
    stands = "you play" if is_in else "you are dropped, and play"
    return f"ask a judge: without the cards {stands} only by a judge's word, and the event is not sanctioned then"


def _have_back(one: Alert) -> str:
    row = one.row
    what = one.card or f"token {row.token_id}"
    return (
        f"have {row.units} of {what} back in {row.wallet} before the next round is paired: it left after epoch "
        f"{one.since_epoch}, transaction {row.transaction}, and what is not there at the next epoch's block counts "
        "no more"
    )
