"""What a desk makes of a pass: one finding a step, each with its reason in words.

The desk asks nobody. It knows the event, its keys and the list of revocations (`Briefing`), whom it let in itself, and
the time by its own clock.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from verifier.curve import SignatureUnsound
from verifier.errors import PassUnreadable, PassVersionNotKnown
from verifier.passes.deckpass import DeckPass
from verifier.passes.holder import GOOD_FOR_S
from verifier.passes.payload import Shown, parse_payload
from verifier.passes.revocations import Briefing

SLACK_S: Final = 120
"""Seconds by which a desk's clock may be behind the verifier's."""
_MINUTE: Final = 60
_HOUR: Final = 3600


class Step(StrEnum):
    """What is looked at, in this order."""

    VERSION = "version"
    """It is a DeckPass, in a form that is known here."""
    EVENT = "event"
    SIGNATURE = "signature"
    """By a key of the event whose passes count now."""
    TIME = "time"
    REVOKED = "revoked"
    USED = "used"
    """Neither the pass nor its player has come in, as far as this desk knows."""
    HOLDER = "holder"
    """The device signed just now, if the pass is bound to one."""


class Mark(StrEnum):
    """How a step came out."""

    GOOD = "good"
    BAD = "bad"
    SKIPPED = "skipped"
    """A step before it failed, so that nothing the pass says can be believed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """How one step came out, and why."""

    step: Step
    mark: Mark
    reason: str


@dataclass(frozen=True, slots=True)
class Use:
    """A player came in."""

    serial: int
    at: int
    """Seconds since 1970, UTC."""
    where: str = ""
    """The name of another desk; empty for this one."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Everything that was found of one pass."""

    findings: tuple[Finding, ...]
    """One of each step, in the order of `Step`."""
    shown: Shown | None
    """None where the text is no pass. What it says is to be believed only if `genuine`."""

    @property
    def good(self) -> bool:
        """Whether the player may come in."""
        return all(finding.mark is Mark.GOOD for finding in self.findings)

    @property
    def genuine(self) -> bool:
        """Whether the event's verifier made the pass, in time or not."""
        return any(finding.step is Step.SIGNATURE and finding.mark is Mark.GOOD for finding in self.findings)

    @property
    def problems(self) -> tuple[str, ...]:
        """Why the player may not come in; empty if the pass is good."""
        return tuple(finding.reason for finding in self.findings if finding.mark is Mark.BAD)


def in_utc(at: int) -> str:
    """A time as a desk without a place would say it."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")


def check_pass(
    text: str, briefing: Briefing, *, used: Mapping[bytes, Use], at: int, say: Callable[[int], str] = in_utc
) -> Checked:
    """Judge what a scanner read.

    Args:
        text: as it was read, without the end of the line.
        briefing: what the desk knows.
        used: who came in, here or elsewhere, by player tag.
        at: now, by the desk's clock; seconds since 1970, UTC.
        say: a time in words.
    """
    try:
        shown = parse_payload(text)
    except (PassUnreadable, PassVersionNotKnown) as error:
        return Checked(_skipped_after(Finding(Step.VERSION, Mark.BAD, str(error))), None)
    version = Finding(Step.VERSION, Mark.GOOD, "a DeckPass of version 1")
    deck_pass = shown.signed.deck_pass
    event = _event(deck_pass, briefing)
    if event.mark is Mark.BAD:
        return Checked(_skipped_after(version, event), shown)
    signature = _signature(shown, briefing, at, say)
    if signature.mark is Mark.BAD:
        return Checked(_skipped_after(version, event, signature), shown)
    rest = (
        _time(deck_pass, at, say),
        _revoked(deck_pass, briefing, say),
        _used(deck_pass, used, say),
        _holder(shown, at),
    )
    return Checked((version, event, signature, *rest), shown)


def _skipped_after(*found: Finding) -> tuple[Finding, ...]:
    reason = f"not looked at, since the {found[-1].step} is wrong"
    return (*found, *(Finding(step, Mark.SKIPPED, reason) for step in [*Step][len(found) :]))


def _event(deck_pass: DeckPass, briefing: Briefing) -> Finding:
    if deck_pass.event_id == briefing.event_id:
        return Finding(Step.EVENT, Mark.GOOD, "of this event")
    other, ours = (f"0x{event_id.hex()[:8]}…" for event_id in (deck_pass.event_id, briefing.event_id))
    return Finding(Step.EVENT, Mark.BAD, f"it is a pass for another event: {other}, and this is {ours}")


def _signature(shown: Shown, briefing: Briefing, at: int, say: Callable[[int], str]) -> Finding:
    try:
        signer = shown.signed.signer(briefing.chain_id)
    except SignatureUnsound as error:
        return Finding(Step.SIGNATURE, Mark.BAD, f"it is not signed by the event's verifier: {error}")
    key = next((key for key in briefing.keys if key.address == signer), None)
    if key is None:
        problem = "none of the event's keys signed it, so it is made up, was changed, or is for another chain"
        return Finding(Step.SIGNATURE, Mark.BAD, problem)
    if key.until is not None and max(at, shown.signed.deck_pass.issued_at) > key.until:
        problem = f"an old key of the event signed it, whose passes counted until {say(key.until)}; it needs a new pass"
        return Finding(Step.SIGNATURE, Mark.BAD, problem)
    return Finding(Step.SIGNATURE, Mark.GOOD, f"signed by the event's key {signer}")


def _time(deck_pass: DeckPass, at: int, say: Callable[[int], str]) -> Finding:
    issued, end = deck_pass.issued_at, deck_pass.not_after
    if at < issued - SLACK_S:
        problem = (
            f"it was issued at {say(issued)}, which is {_long(issued - at)} from now by this desk's clock; "
            "the clock is slow, so set it"
        )
        return Finding(Step.TIME, Mark.BAD, problem)
    if at > end:
        problem = f"it was good until {say(end)}, {_long(at - end)} ago by this desk's clock"
        return Finding(Step.TIME, Mark.BAD, problem)
    return Finding(Step.TIME, Mark.GOOD, f"good until {say(end)}")


def _revoked(deck_pass: DeckPass, briefing: Briefing, say: Callable[[int], str]) -> Finding:
    if deck_pass.serial in briefing.revoked:
        problem = f"pass {deck_pass.serial} was revoked; the player has a newer one, or asks the organizer"
        return Finding(Step.REVOKED, Mark.BAD, problem)
    return Finding(Step.REVOKED, Mark.GOOD, f"not revoked as of {say(briefing.as_of)}")


def _used(deck_pass: DeckPass, used: Mapping[bytes, Use], say: Callable[[int], str]) -> Finding:
    use = used.get(deck_pass.player_tag)
    if use is None:
        return Finding(Step.USED, Mark.GOOD, "not used, as far as this desk knows")
    where = f"at {use.where}" if use.where else "here"
    if use.serial == deck_pass.serial:
        return Finding(Step.USED, Mark.BAD, f"pass {use.serial} came in {where} already, at {say(use.at)}")
    problem = f"its player came in {where} already, at {say(use.at)}, with pass {use.serial}"
    return Finding(Step.USED, Mark.BAD, problem)


def _holder(shown: Shown, at: int) -> Finding:
    if not shown.signed.deck_pass.bound:
        return Finding(Step.HOLDER, Mark.GOOD, "bound to no device, so compare the name with a document")
    if shown.proof is None:
        problem = (
            "it is bound to a device that has not signed, so it may be a copy; let the player show it on the device"
        )
        return Finding(Step.HOLDER, Mark.BAD, problem)
    if not shown.is_holders():
        return Finding(Step.HOLDER, Mark.BAD, "another device signed it, so it is a copy")
    return _fresh(at - shown.proof.signed_at)


def _fresh(age: int) -> Finding:
    if abs(age) <= GOOD_FOR_S:
        return Finding(Step.HOLDER, Mark.GOOD, "its device signed just now")
    when = f"{_long(age)} ago" if age > 0 else f"{_long(-age)} from now"
    advice = "let the player show it anew; if that happens with everybody, this desk's clock is wrong"
    return Finding(Step.HOLDER, Mark.BAD, f"its device signed {when}, and that is good for {GOOD_FOR_S} s; {advice}")


def _long(seconds: int) -> str:
    if seconds < 2 * _MINUTE:
        return f"{seconds} s"
    if seconds < 2 * _HOUR:
        return f"{seconds // _MINUTE} minutes"
    return f"{seconds // _HOUR} hours"
