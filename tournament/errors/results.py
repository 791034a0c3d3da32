"""Refusals of results, by staff and by players."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.errors import TournamentError


@dataclass(eq=False)
class ResultRefused(TournamentError):
    """The result cannot be so."""

    faults: Sequence[str]
    """Every rule it breaks."""

    def __str__(self) -> str:
        return "; ".join(self.faults)


@dataclass(eq=False)
class TableReported(TournamentError):
    """The table has another result."""

    round: int
    table: int
    known: str

    def __str__(self) -> str:
        return f"round {self.round}, table {self.table} is reported as {self.known}; correct it instead"


@dataclass(eq=False)
class NotReported(TournamentError):
    """The table has no result yet."""

    round: int
    table: int

    def __str__(self) -> str:
        return f"round {self.round}, table {self.table} has no result to correct; report one"


@dataclass(eq=False)
class PlayerReportsOff(TournamentError):
    """Players do not report in this event."""

    def __str__(self) -> str:
        return "players do not report results here; bring the slip to the scorekeeper"


@dataclass(eq=False)
class NotYourTable(TournamentError):
    """Others sit at the table."""

    round: int
    table: int
    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} does not sit at table {self.table} in round {self.round}; look up your table"


@dataclass(eq=False)
class TableSettled(TournamentError):
    """The table has a result, so nothing can be claimed of it."""

    round: int
    table: int
    known: str

    def __str__(self) -> str:
        return f"round {self.round}, table {self.table} is settled as {self.known}; if that is wrong, call a judge"


@dataclass(eq=False)
class ClaimNotFound(TournamentError):
    """The player claims nothing there."""

    round: int
    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} has no open claim in round {self.round}"


@dataclass(eq=False)
class ClaimChanged(TournamentError):
    """The claim is not the one that stands."""

    claim: int
    stands: int | None
    """The opponent's claim now; None for none."""

    def __str__(self) -> str:
        now = "claims nothing now" if self.stands is None else f"claims something else now (claim {self.stands})"
        return f"claim {self.claim} does not stand: your opponent {now}; look again"


@dataclass(eq=False)
class NoDisagreement(TournamentError):
    """The players do not contradict each other."""

    round: int
    table: int

    def __str__(self) -> str:
        return f"the players at round {self.round}, table {self.table} do not contradict each other; report the result"


@dataclass(eq=False)
class NothingToAccept(TournamentError):
    """None of the claims can be made a result."""

    why: Sequence[str]
    """For each claim."""

    def __str__(self) -> str:
        return f"no claim was made a result: {'; '.join(self.why)}"
