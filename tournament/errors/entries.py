"""Refusals of entries and their decks."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.errors import TournamentError


@dataclass(eq=False)
class EventFull(TournamentError):
    """The capacity of the event is reached."""

    capacity: int
    remedy: str = ""
    """What somebody may do all the same."""

    def __str__(self) -> str:
        return f"all {self.capacity} places are taken" + (f"; {self.remedy}" if self.remedy else "")


@dataclass(eq=False)
class NotPlaying(TournamentError):
    """The player left already."""

    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} left already"


@dataclass(eq=False)
class StillPlaying(TournamentError):
    """The player cannot come back."""

    entry: int
    why: str

    def __str__(self) -> str:
        return f"number {self.entry} cannot come back: {self.why}"


@dataclass(eq=False)
class NotYourEntry(TournamentError):
    """A player acts for nobody else."""

    entry: int
    yours: int

    def __str__(self) -> str:
        return f"you act as number {self.yours}, and this is number {self.entry}; ask the desk"


@dataclass(eq=False)
class EntryVoid(TournamentError):
    """The entry became part of another one."""

    entry: int
    into: int

    def __str__(self) -> str:
        return f"number {self.entry} was merged into number {self.into}; use that number and its code"


@dataclass(eq=False)
class EntryErased(TournamentError):
    """What the entry said of the player was erased."""

    entry: int

    def __str__(self) -> str:
        return f"what number {self.entry} said of the player was erased; nothing of it changes any more"


@dataclass(eq=False)
class ErasureTooEarly(TournamentError):
    """What an event still needs of its players is not erased."""

    entries: list[int]
    phase: str

    def __str__(self) -> str:
        who = ", ".join(f"number {entry}" for entry in self.entries)
        return (
            f"{who}: the event is in {self.phase}, and what it has of a player is erased once it is finished or void; "
            "before that only of somebody who left without having played, and whose wallet nobody else plays with"
        )


@dataclass(eq=False)
class NothingToErase(TournamentError):
    """Nothing is left that could be erased."""

    what: str

    def __str__(self) -> str:
        return f"{self.what}: nothing is left that could be erased"


@dataclass(eq=False)
class SeriesWouldPart(TournamentError):
    """A series knows a person by the name alone, and would count two without it."""

    series: list[str]
    entries: list[int]

    def __str__(self) -> str:
        who = ", ".join(f"number {entry}" for entry in self.entries)
        return (
            f"{who}: only by the name does the series {', '.join(self.series)} join the entry with those of other "
            "events; let an organizer of the series say first that they are one person, or erase even so"
        )


@dataclass(eq=False)
class RoundsBegun(TournamentError):
    """It changes only before the first round."""

    what: str

    def __str__(self) -> str:
        return f"{self.what} once round 1 has begun; ask the desk"


@dataclass(eq=False)
class NotWaiting(TournamentError):
    """The player does not wait for a place."""

    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} does not wait for a place"


@dataclass(eq=False)
class NotCheckedIn(TournamentError):
    """The player is not checked in."""

    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} is not checked in"


@dataclass(eq=False)
class NobodyCheckedIn(TournamentError):
    """Nobody is checked in."""

    entries: int

    def __str__(self) -> str:
        return f"nobody is checked in, so all {self.entries} would be dropped; check players in, or pair without this"


@dataclass(eq=False)
class AlreadyDisqualified(TournamentError):
    """The player is disqualified already."""

    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} is disqualified already"


@dataclass(eq=False)
class NotDisqualified(TournamentError):
    """The player is not disqualified."""

    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} is not disqualified"


@dataclass(eq=False)
class MergeRefused(TournamentError):
    """The two entries cannot become one."""

    entry: int
    void: int
    why: str

    def __str__(self) -> str:
        return f"number {self.void} cannot become part of number {self.entry}: {self.why}"


@dataclass(eq=False)
class ApartNotFound(TournamentError):
    """The two players are not kept apart."""

    one: int
    other: int

    def __str__(self) -> str:
        return f"numbers {self.one} and {self.other} are not kept apart"


@dataclass(eq=False)
class TooManyApart(TournamentError):
    """Too many pairs are kept apart."""

    most: int

    def __str__(self) -> str:
        return f"an event keeps at most {self.most:,} pairs of players apart; take some back, or split large groups"


@dataclass(frozen=True, slots=True)
class EntriesFault:
    """Something wrong in a table of players, and where."""

    line: int
    """From 1, the header; 0: the whole table."""
    column: str
    """Empty where the fault is the whole line's."""
    problem: str

    def __str__(self) -> str:
        where = f"line {self.line}" if self.line else "the table"
        return f"{where}{', ' if self.column else ''}{self.column}: {self.problem}"


@dataclass(eq=False)
class EntriesUnreadable(TournamentError):
    """The table of players cannot be entered."""

    faults: Sequence[EntriesFault]
    """Every one, in the order of the lines; nobody was entered."""

    def __str__(self) -> str:
        shown = [str(fault) for fault in self.faults[:_MOST_FAULTS_SHOWN]]
        more = [f"and {len(self.faults) - _MOST_FAULTS_SHOWN:,} more"] if len(self.faults) > _MOST_FAULTS_SHOWN else []
        return "nobody was entered; " + "; ".join([*shown, *more])


_MOST_FAULTS_SHOWN = 20


@dataclass(eq=False)
class DecksNotAsked(TournamentError):
    """The event asks for no decklists."""

    event: str

    def __str__(self) -> str:
        return f"{self.event} asks for no decklists; an organizer can change that"


@dataclass(eq=False)
class DeckNotFound(TournamentError):
    """The entry handed in no list, or it was erased."""

    entry: int
    is_erased: bool = False

    def __str__(self) -> str:
        if self.is_erased:
            return f"the list of number {self.entry} was erased; its commitment stays"
        return f"number {self.entry} has no list that can be shown"


@dataclass(eq=False)
class DeckLocked(TournamentError):
    """The list can no longer be changed."""

    entry: int
    why: str

    def __str__(self) -> str:
        return f"the list of number {self.entry} is locked: {self.why}; a judge can unlock it"


@dataclass(eq=False)
class LeaveMissing(TournamentError):
    """No such exception was made for the player."""

    entry: int
    leave: str

    def __str__(self) -> str:
        return f"number {self.entry} has no leave to {self.leave}"


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A player without a legal list."""

    entry: int
    name: str
    has_draft: bool
    """A list is there, and it is not legal."""


@dataclass(eq=False)
class ListsMissing(TournamentError):
    """Players have no legal decklist."""

    round: int
    entries: Sequence[Unlisted]

    def __str__(self) -> str:
        shown = [f"{one.entry} ({one.name})" for one in self.entries[:_MOST_FAULTS_SHOWN]]
        more = [f"{len(self.entries) - _MOST_FAULTS_SHOWN:,} more"] if len(self.entries) > _MOST_FAULTS_SHOWN else []
        return (
            f"round {self.round} cannot be paired: no legal list of {', '.join([*shown, *more])}; "
            "hand it in, let them play without one, or drop them"
        )
