"""Refusals of an event's announcement, and of registering for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournament.domain.amounts import counted
from tournament.domain.errors import TournamentError

if TYPE_CHECKING:  # every command of the CLI loads the refusals, and none of it what an announcement is
    from tournament.domain.announcement import Fault


@dataclass(eq=False)
class AnnouncementContradicts(TournamentError):
    """The announcement cannot be so."""

    faults: Sequence["Fault"]
    """Every field that cannot be so."""

    def __str__(self) -> str:
        return "; ".join(map(str, self.faults))


@dataclass(eq=False)
class EditRefused(TournamentError):
    """The event cannot be changed so."""

    faults: Sequence["Fault"]
    """Every field that cannot be changed, or not to this."""

    def __str__(self) -> str:
        return "; ".join(map(str, self.faults))


@dataclass(eq=False)
class PlayersEntered(TournamentError):
    """An event with players stays published."""

    entered: int

    def __str__(self) -> str:
        return f"{counted(self.entered, 'player')} entered already; void the event, if it is called off"


@dataclass(eq=False)
class EventInSeries(TournamentError):
    """An event of a series stays published."""

    series: Sequence[str]

    def __str__(self) -> str:
        return f"the event is in the series {', '.join(self.series)}; take it out first"


@dataclass(eq=False)
class RegistrationByStaff(TournamentError):
    """Only staff enter players."""

    def __str__(self) -> str:
        return "only staff enter players into this event; ask at the desk"


@dataclass(eq=False)
class RegistrationClosed(TournamentError):
    """Registration is not open."""

    phase: str

    def __str__(self) -> str:
        return f"registration is not open, the event is in {self.phase}; ask at the desk"


@dataclass(eq=False)
class RegistrationNotYetOpen(TournamentError):
    """Registration is not open yet."""

    opens_at: str

    def __str__(self) -> str:
        return f"registration opens at {self.opens_at}"


@dataclass(eq=False)
class RegistrationOver(TournamentError):
    """Registration has ended."""

    closed_at: str

    def __str__(self) -> str:
        return f"registration closed at {self.closed_at}; ask at the desk"


@dataclass(eq=False)
class RegistrationCodeWrong(TournamentError):
    """The event asks for its registration code."""

    def __str__(self) -> str:
        return (
            "entering needs the event's registration code, and this is not it; ask whoever invited you for the new one"
        )
