"""Refusals of rounds, repairs, the cut and undoing."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.amounts import counted
from tournament.domain.errors import TournamentError
from tournament.errors.asking import Change


@dataclass(eq=False)
class DraftMissing(TournamentError):
    """There is no draft of that round."""

    round: int

    def __str__(self) -> str:
        return f"there is no draft of round {self.round}; pair it (an entry, a drop or a correction discards a draft)"


@dataclass(eq=False)
class TooFewPlayers(TournamentError):
    """A round needs two players."""

    players: int

    def __str__(self) -> str:
        return f"a round needs 2 players, and {self.players} would play"


@dataclass(eq=False)
class RoundUnannounced(TournamentError):
    """The event announced fewer rounds."""

    round: int
    announced: int

    def __str__(self) -> str:
        said = {0: "no rounds before the cut", 1: "1 round"}.get(self.announced, f"{self.announced} rounds")
        return (
            f"round {self.round} would be one too many: the event announced {said}; "
            "start the cut, finish the event, announce more rounds, or say `even_so`"
        )


@dataclass(eq=False)
class ScheduleOver(TournamentError):
    """All rounds of the round robin are paired."""

    rounds: int

    def __str__(self) -> str:
        return f"everybody meets everybody in {counted(self.rounds, 'round')}, and all are paired; finish the event"


@dataclass(eq=False)
class ScheduleClosed(TournamentError):
    """A round robin takes nobody late."""

    players: Sequence[int]

    def __str__(self) -> str:
        late = ", ".join(map(str, self.players))
        return f"the schedule was made in round 1, without number {late}; drop who came late"


@dataclass(eq=False)
class FoldRefused(TournamentError):
    """Only the first round is paired by seeds."""

    round: int
    why: str

    def __str__(self) -> str:
        return f"round {self.round} cannot be paired by seeds: {self.why}"


@dataclass(eq=False)
class CertificateNotFound(TournamentError):
    """The round has no certificate."""

    round: int

    def __str__(self) -> str:
        return f"round {self.round} has no certificate; only a round that was paired here as Swiss has one"


@dataclass(eq=False)
class TablesRefused(TournamentError):
    """The tables break a rule of the round."""

    round: int
    faults: Sequence[str]

    def __str__(self) -> str:
        return f"round {self.round} cannot be so: {'; '.join(self.faults)}"


@dataclass(eq=False)
class TablesWorse(TournamentError):
    """The tables are worse than the drawn ones."""

    round: int
    faults: Sequence[str]

    def __str__(self) -> str:
        return f"round {self.round} would be worse: {'; '.join(self.faults)}; say `even_so` if it has to be"


@dataclass(eq=False)
class OptionStale(TournamentError):
    """The way to go on is not as it was shown."""

    option: str
    options: Sequence[str]
    """Those that there are now."""

    def __str__(self) -> str:
        return f"no way to go on is {self.option!r} any more; look again; there are {len(self.options)} now"


@dataclass(eq=False)
class ClockRefused(TournamentError):
    """The clock cannot do that."""

    round: int
    why: str

    def __str__(self) -> str:
        return f"the clock of round {self.round} {self.why}"


@dataclass(eq=False)
class MatchClockRefused(TournamentError):
    """The clock of the match cannot do that."""

    match: str
    """Empty: of all that it could be for."""
    why: str

    def __str__(self) -> str:
        return f"the clock of {self.match} {self.why}" if self.match else self.why


@dataclass(eq=False)
class CutNotFound(TournamentError):
    """The event has no cut."""

    def __str__(self) -> str:
        return "the event has no cut, or it has not begun"


@dataclass(eq=False)
class CutUnfinished(TournamentError):
    """Matches of the cut are still to be played."""

    matches: Sequence[str]

    def __str__(self) -> str:
        return f"the cut is not over: {', '.join(self.matches)} can be played; finish it anyway by giving a reason"


@dataclass(eq=False)
class CorrectionUnseen(TournamentError):
    """The correction changes other matches of the cut."""

    replay: Sequence[str]
    """Matches whose result would no longer count."""
    moved: Sequence[str]
    """Matches that other players would play."""
    seen: str
    """To be sent with the correction by whoever has looked."""

    def __str__(self) -> str:
        changes = "; ".join([*self.replay, *self.moved])
        return f"the correction changes other matches: {changes}; send it again with `seen`"


@dataclass(eq=False)
class CutReopened(TournamentError):
    """The event is over, and matches would have to be played again."""

    matches: Sequence[str]

    def __str__(self) -> str:
        return (
            f"the event is finished, and {', '.join(self.matches)} would have to be played again; undo the finish first"
        )


@dataclass(eq=False)
class UndoRefused(TournamentError):
    """The command cannot be undone."""

    sequence: int
    why: str
    changes: Sequence[Change] = ()
    """What was done since and would have to be undone first, the latest first."""

    def __str__(self) -> str:
        return f"command {self.sequence} cannot be undone: {self.why}"


@dataclass(eq=False)
class PodsNotMended(TournamentError):
    """No way to mend a round at tables of several is computed."""

    def __str__(self) -> str:
        return (
            "no way to go on is computed for tables of several: correct the result and leave the tables as they are, "
            "or change them by hand"
        )


@dataclass(eq=False)
class PodsWithoutCut(TournamentError):
    """An event with tables of several has no cut."""

    def __str__(self) -> str:
        return "a cut is played in matches of two, and this event has tables of several; finish it after its rounds"
