"""Refusals of passes, desks and scans."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.amounts import counted
from tournament.domain.errors import TournamentError


@dataclass(eq=False)
class PassesNotOpen(TournamentError):
    """The event gives no passes."""

    event: str

    def __str__(self) -> str:
        return f"the event {self.event} gives no passes; an organizer opens them"


@dataclass(eq=False)
class PassKeysMissing(TournamentError):
    """The keys of the event's passes are not here, or cannot be read."""

    event: str

    def __str__(self) -> str:
        return (
            f"this server cannot sign passes of the event {self.event}: "
            "its keys stayed where the event came from, or the server's secret is another one now"
        )


@dataclass(eq=False)
class NoKeyLeft(TournamentError):
    """Every key that the event named has been used."""

    keys: int

    def __str__(self) -> str:
        return f"the event named {counted(self.keys, 'key')} before anybody had a pass, and the last one is in use"


@dataclass(eq=False)
class PassNotDue(TournamentError):
    """The entry gets no pass now; every reason."""

    entry: int
    reasons: Sequence[str]

    def __str__(self) -> str:
        return f"number {self.entry} gets no pass: {'; '.join(self.reasons)}"


@dataclass(eq=False)
class PassPresent(TournamentError):
    """The entry has a pass that says the same."""

    entry: int
    serial: int

    def __str__(self) -> str:
        return f"number {self.entry} has pass {self.serial}, which counts; look at that, or ask for another one `anew`"


@dataclass(eq=False)
class PassTimeRefused(TournamentError):
    """A time that a pass, or a key, cannot have."""

    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(eq=False)
class PassNotFound(TournamentError):
    """The entry has no pass that counts."""

    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} has no pass that counts; make one"


@dataclass(eq=False)
class PassNotGood(TournamentError):
    """Nobody comes in with this; every reason."""

    reasons: Sequence[str]
    findings: Sequence[object]
    """Each step of the check: `step`, `mark` and `reason`."""
    entry: int | None = None
    """Whose pass it is, if it is genuine."""

    def __str__(self) -> str:
        return "; ".join(self.reasons)


@dataclass(eq=False)
class DeskNameTaken(TournamentError):
    """Another desk of the event is called that."""

    name: str

    def __str__(self) -> str:
        return f"another desk is called {self.name!r}; each has a name of its own, so that a scan tells where it was"


@dataclass(eq=False)
class ScansUnsound(TournamentError):
    """Scans that no desk of this event made; every one. None was taken."""

    faults: Sequence[str]

    def __str__(self) -> str:
        return "\n".join(self.faults)


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A player of whom staff have to say what happened at the desks."""

    entry: int
    name: str
    scans: Sequence[str]
    """Where, when, by which pass, in words."""

    def __str__(self) -> str:
        return f"{self.name} ({self.entry}): {'; '.join(self.scans)}"


@dataclass(eq=False)
class ScansUnsettled(TournamentError):
    """Players who came in more than once, or strangely; every one with the scans."""

    players: Sequence[Unsettled]

    def __str__(self) -> str:
        many = f"{counted(len(self.players), 'player')} came in more than once, or with a pass that did not count"
        return "\n".join([f"{many}; settle each with a reason, then pair:", *map(str, self.players)])


@dataclass(eq=False)
class NothingToSettle(TournamentError):
    """The player came in once at most, or it was settled."""

    entry: int

    def __str__(self) -> str:
        return f"nothing is to be settled about how number {self.entry} came in"
