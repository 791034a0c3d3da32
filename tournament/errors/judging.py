"""Refusals of what judges do: calls, penalties, deck checks, notes."""

from dataclasses import dataclass

from tournament.domain.errors import TournamentError


@dataclass(eq=False)
class NoTable(TournamentError):
    """There is no table to call a judge to."""

    entry: int | None
    """None: staff call, who have to name the table."""

    def __str__(self) -> str:
        if self.entry is None:
            return "name the table, of a round that is published"
        return f"number {self.entry} does not sit at that table in the latest round; go to the judges' station"


@dataclass(eq=False)
class CallNotFound(TournamentError):
    """The event has no such call for a judge."""

    call: int

    def __str__(self) -> str:
        return f"there is no call {self.call}"


@dataclass(eq=False)
class CallRefused(TournamentError):
    """The call does not allow it."""

    call: int
    why: str

    def __str__(self) -> str:
        return f"call {self.call}: {self.why}"


@dataclass(eq=False)
class PenaltyNotFound(TournamentError):
    """The event has no such penalty."""

    penalty: int

    def __str__(self) -> str:
        return f"there is no penalty {self.penalty}"


@dataclass(eq=False)
class PenaltyWithdrawn(TournamentError):
    """The penalty was withdrawn."""

    penalty: int

    def __str__(self) -> str:
        return f"penalty {self.penalty} was withdrawn and stays so; give a new one"


@dataclass(eq=False)
class EffectRefused(TournamentError):
    """The penalty changes nothing now."""

    penalty: int
    why: str

    def __str__(self) -> str:
        return f"penalty {self.penalty} changes nothing now: {self.why}"


@dataclass(eq=False)
class EffectInForce(TournamentError):
    """The penalty is applied, so what it did has to be taken back first."""

    penalty: int
    what: str
    """What is to be done with it."""

    def __str__(self) -> str:
        return f"penalty {self.penalty} is applied: take back what it did, then {self.what}"


@dataclass(eq=False)
class EffectStands(TournamentError):
    """What the penalty did cannot be taken back by itself."""

    penalty: int
    why: str

    def __str__(self) -> str:
        return f"what penalty {self.penalty} did cannot be taken back: {self.why}"


@dataclass(eq=False)
class DeckCheckNotFound(TournamentError):
    """The event has no such deck check."""

    deck_check: int

    def __str__(self) -> str:
        return f"there is no deck check {self.deck_check}"


@dataclass(eq=False)
class DeckCheckRefused(TournamentError):
    """The deck check does not allow it."""

    deck_check: int
    why: str

    def __str__(self) -> str:
        return f"deck check {self.deck_check}: {self.why}"


@dataclass(eq=False)
class NothingToCheck(TournamentError):
    """There is no table whose decks could be checked."""

    why: str

    def __str__(self) -> str:
        return f"no table can be drawn: {self.why}"


@dataclass(eq=False)
class NoteNotFound(TournamentError):
    """The event has no such note."""

    note: int

    def __str__(self) -> str:
        return f"there is no note {self.note}"


@dataclass(eq=False)
class NoteChanged(TournamentError):
    """Somebody amended the note meanwhile."""

    note: int
    revision: int

    def __str__(self) -> str:
        return f"note {self.note} is at revision {self.revision}; read it again, and amend that"
