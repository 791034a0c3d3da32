"""Refusals of ownership: the manifest, epochs, and rounds that players have not proven their cards for."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from tournament.domain.announcement import Fault
from tournament.domain.errors import TournamentError

_MOST_SHOWN: Final = 10


@dataclass(eq=False)
class EndpointsMissing(TournamentError):
    """The server has too few endpoints to ask the chain."""

    needed: int
    there: int

    def __str__(self) -> str:
        if not self.there:
            return "this server asks no chain, and the event requires ownership; its operator sets DECKPROOF_RPC"
        return (
            f"{self.needed} endpoints have to agree, and this server has {self.there}; its operator sets DECKPROOF_RPC"
        )


@dataclass(eq=False)
class ManifestImpossible(TournamentError):
    """What the event announces of ownership cannot be promised."""

    faults: Sequence[Fault]
    """Every field that is missing or cannot be so."""

    def __str__(self) -> str:
        return "; ".join(map(str, self.faults))


@dataclass(eq=False)
class ManifestNotFound(TournamentError):
    """The event has no manifest."""

    event: str

    def __str__(self) -> str:
        return f"{self.event} has no manifest: it requires no ownership, or registration is not open yet"


@dataclass(eq=False)
class OwnershipNotAsked(TournamentError):
    """The event requires no ownership."""

    event: str

    def __str__(self) -> str:
        return f"{self.event} does not ask players for their cards; that is announced before registration opens"


@dataclass(eq=False)
class ClockBehind(TournamentError):
    """The server's clock is behind what the log has, so an epoch would be at a block that is past."""

    now: int
    """Seconds since 1970."""
    known: int
    """The same: the newest moment that the log has."""

    def __str__(self) -> str:
        now, known = (
            datetime.fromtimestamp(one, UTC).strftime("%Y-%m-%d %H:%M:%S UTC") for one in (self.now, self.known)
        )
        return (
            f"the server's clock says {now}, and the log of the event goes up to {known}; cards that were sold "
            "since then would be overlooked, so set the clock right first"
        )


@dataclass(eq=False)
class ChainBusy(TournamentError):
    """Too many wait for the chain already."""

    yours: bool
    """Whether they are all the asker's."""
    retry_after: int = 10
    """Seconds."""

    def __str__(self) -> str:
        whose = "of yours " if self.yours else ""
        return f"as many questions {whose}wait for the chain as may; try the same again in {self.retry_after} seconds"


@dataclass(eq=False)
class EpochNotFound(TournamentError):
    """No such epoch."""

    number: int

    def __str__(self) -> str:
        return f"there is no epoch {self.number}"


@dataclass(eq=False)
class NothingToOverride(TournamentError):
    """No decision of a judge is called for."""

    entries: Sequence[int]

    def __str__(self) -> str:
        if not self.entries:
            return "nobody is undetermined in the epoch"
        return f"{', '.join(map(str, self.entries[:_MOST_SHOWN]))} have their cards, so there is nothing to override"


@dataclass(frozen=True, slots=True)
class Unproven:
    """A player whose cards are not proven."""

    entry: int
    name: str
    cause: str


@dataclass(eq=False)
class OwnershipUnproven(TournamentError):
    """Players have not proven that they own their cards."""

    round: int
    problem: str
    """What is wrong with the epochs; empty where it is the players alone."""
    entries: Sequence[Unproven]
    cut_round: int = 0
    """Of the cut, from 1; 0: it is none."""

    def __str__(self) -> str:
        shown = [f"{one.entry} ({one.name}): {one.cause}" for one in self.entries[:_MOST_SHOWN]]
        more = [f"{len(self.entries) - _MOST_SHOWN:,} more"] if len(self.entries) > _MOST_SHOWN else []
        players = f"not proven: {'; '.join([*shown, *more])}" if shown else ""
        what = "; ".join(filter(None, [self.problem, players]))
        return (
            f"{self._begun()} cannot begin: {what}. Read the epoch again, let a judge override, drop the players, "
            "or begin unproven, with a reason; the event is not sanctioned then"
        )

    def _begun(self) -> str:
        if not self.cut_round:
            return f"round {self.round}"
        return f"round {self.cut_round} of the cut" if self.cut_round > 1 else "the cut"


@dataclass(eq=False)
class CutRoundRefused(TournamentError):
    """No round of the cut can begin now."""

    round: int | None
    """That would be begun next; None: there is none."""
    matches: Sequence[str]
    """Of the round that is played."""

    def __str__(self) -> str:
        if not self.matches:
            return "the cut is over, so no round of it can begin"
        playing = f"{', '.join(self.matches[:_MOST_SHOWN])}{', …' if len(self.matches) > _MOST_SHOWN else ''}"
        if self.round is None:
            return f"the last round of the cut has begun already; without a result: {playing}"
        return f"round {self.round} of the cut begins when the one before has ended; without a result: {playing}"


@dataclass(eq=False)
class CutRoundNotBegun(TournamentError):
    """A result of a match whose round of the cut was not begun with both of its players."""

    match: str
    round: int

    def __str__(self) -> str:
        return (
            f"{self.match} is not begun: cards are looked at before each round of the cut; begin round {self.round} of "
            "it, and report then"
        )


@dataclass(eq=False)
class PlayersDropped(TournamentError):
    """Players were dropped because cards are missing, so the round has to be paired again."""

    round: int
    entries: Sequence[int]

    def __str__(self) -> str:
        many = f"{', '.join(map(str, self.entries[:_MOST_SHOWN]))}{', …' if len(self.entries) > _MOST_SHOWN else ''}"
        return f"dropped, since cards are missing: {many}; pair round {self.round} again, and publish it"
