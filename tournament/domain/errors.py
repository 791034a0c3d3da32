"""What the rules of an event refuse or cannot read.

TournamentError
├── CutImpossible           a cut to fewer than two players, or to more than the field has
├── SeededTwice             a player stands in more than one place of a cut
├── NotInBracket            a player who is not in the cut
├── MatchUnknown            the bracket has no match of that name
├── MatchNotReady           a match whose players are not known, or that has nothing to play or to correct
├── AlreadyReported         a match of the bracket that has another result
├── DrawNotSettled          a drawn match where the bracket wants a winner
├── DoubleLossNotSettled    a double loss where the bracket wants the match played again
├── AlreadyLeft             a player of the bracket who is gone already
├── RedrawRefused           a round of the bracket that cannot be drawn anew
├── NothingToUndo           a line that the bracket's log does not have
├── FileUnreadable          a file of another program that cannot be read; every fault with its place
├── EventUnwritable         an event that a format cannot hold at all; every reason
├── EventFileUnreadable     an event file that cannot be read; every fault with its place and line
├── EventFileChanged        an event file that is not what it was when it was read
├── PlayersRefused          players who cannot enter, leave or come back so; every reason
├── ResultsRefused          results that cannot be written so; every reason
├── ResultsMissing          tables without a result, where all results are needed
├── NobodyToPair            a round that no player is in
├── RobinOver               a round robin in which everybody has met everybody
├── RobinClosed             a player without whom the schedule of a round robin was made
├── TableUnknown            the round has no table of that number
├── SeatHeld                a player to be taken out of a round who has played in it, or is not in it
├── PlayersUnseatable       players who fill no table of an allowed size, or a size that no table has
├── PlacingUnreadable       a pod without a placing, or one that does not name everybody once
├── PlayerUnknown           a round seats somebody who never entered
├── PlayerTwice             two players have one id
├── ResultImpossible        games below zero, or more of them than can be counted
├── PresetUnknown           no standings preset has that name
├── RoundMissing            there is no round yet to ask about
├── ActionNotAllowed        the event's phase forbids the action
└── (each module adds its leaves here, so that the tree is drawn in one place)

Findings (a fault of a round, a player who cannot make the cut) are values, not exceptions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from tournament.domain.amounts import counted


class TournamentError(Exception):
    """The event's rules refused, or could not read what they were given."""


@dataclass(eq=False)
class CutImpossible(TournamentError):
    """A cut to that many players cannot be made."""

    asked: int
    field: int

    def __str__(self) -> str:
        asked = f"cannot cut to {_players(self.asked)} with {self.field} in the field"
        return f"{asked}; a cut has 2 to {self.field}" if self.field > 1 else f"{asked}; a cut needs 2"


def _players(number: int) -> str:
    return counted(number, "player")


@dataclass(eq=False)
class SeededTwice(TournamentError):
    """A player stands in more than one place of a cut."""

    players: Sequence[str]

    def __str__(self) -> str:
        return f"seeded more than once: {', '.join(self.players)}; a player has one seed"


@dataclass(eq=False)
class NotInBracket(TournamentError):
    """A player is not in the cut."""

    players: Sequence[str]

    def __str__(self) -> str:
        return f"not in the cut: {', '.join(self.players)}"


@dataclass(eq=False)
class MatchUnknown(TournamentError):
    """The bracket has no such match."""

    match: str
    form: str
    players: int

    def __str__(self) -> str:
        return f"{self.match!r} is no match of a {self.form} with {_players(self.players)}; a match is named like M1.2"


@dataclass(eq=False)
class MatchNotReady(TournamentError):
    """The match cannot be reported or corrected."""

    match: str
    why: str

    def __str__(self) -> str:
        return f"{self.match} cannot take a result: {self.why}"


@dataclass(eq=False)
class AlreadyReported(TournamentError):
    """The match has another result."""

    match: str
    known: str

    def __str__(self) -> str:
        return f"{self.match} is reported already as {self.known}; correct it instead"


@dataclass(eq=False)
class DrawNotSettled(TournamentError):
    """The match needs a winner."""

    match: str
    rule: str

    def __str__(self) -> str:
        return f"{self.match} cannot end in a draw; settle it by {self.rule} and report the winner"


@dataclass(eq=False)
class DoubleLossNotSettled(TournamentError):
    """A double loss is played again."""

    match: str

    def __str__(self) -> str:
        return f"{self.match} cannot end in a double loss under this bracket's rule; it is played again"


@dataclass(eq=False)
class AlreadyLeft(TournamentError):
    """A player of the cut is gone already."""

    players: Sequence[str]

    def __str__(self) -> str:
        return f"gone already: {', '.join(self.players)}"


@dataclass(eq=False)
class RedrawRefused(TournamentError):
    """The round cannot be drawn anew."""

    why: str

    def __str__(self) -> str:
        return f"no round can be drawn anew: {self.why}"


@dataclass(eq=False)
class NothingToUndo(TournamentError):
    """The bracket's log has no such line."""

    entry: str

    def __str__(self) -> str:
        return f"nothing to take back: {self.entry} is not in the log of this bracket"


@dataclass(eq=False)
class PlayerUnknown(TournamentError):
    """A round seats somebody who never entered."""

    player: str

    def __str__(self) -> str:
        return f"{self.player!r} is in a round and not among the players; enter the player, or correct the round"


@dataclass(eq=False)
class PlayerTwice(TournamentError):
    """Two players have one id."""

    player: str

    def __str__(self) -> str:
        return f"{self.player!r} is the id of two players; an id stands for one"


@dataclass(eq=False)
class ResultImpossible(TournamentError):
    """Games below zero, or more of them than can be counted."""

    first: int
    second: int
    drawn: int
    most: int

    def __str__(self) -> str:
        return f"{self.first}-{self.second}-{self.drawn} is no result; games are counted from 0 to {self.most}"


@dataclass(eq=False)
class PresetUnknown(TournamentError):
    """No standings preset has that name."""

    name: str
    known: Sequence[str]

    def __str__(self) -> str:
        return f"there is no preset {self.name!r}; there are {', '.join(self.known)}"


@dataclass(eq=False)
class RoundMissing(TournamentError):
    """There is no round yet to ask about."""

    asked: str

    def __str__(self) -> str:
        return f"cannot tell {self.asked} before a round is paired"


@dataclass(eq=False)
class ActionNotAllowed(TournamentError):
    """The tournament's phase forbids the action."""

    phase: str
    action: str

    def __str__(self) -> str:
        return f"cannot {self.action} {_WHILE.get(self.phase, f'in the phase {self.phase}')}"


_WHILE = {
    "draft": "while the tournament is a draft",
    "registration": "during registration",
    "check-in": "during check-in",
    "round": "while a round is being played",
    "between rounds": "between rounds",
    "cut": "while the cut is being played",
    "finished": "after the tournament has ended",
    "void": "in a tournament that is void",
}
"""When an action is refused, by phase (`lifecycle.Phase`)."""


@dataclass(eq=False)
class PlayersUnseatable(TournamentError):
    """The players fill no table."""

    players: int
    sizes: Sequence[int]

    def __str__(self) -> str:
        sizes = " or ".join(map(str, self.sizes))
        return f"{_players(self.players)} cannot be seated at tables of {sizes}; a table has 3 to 6 players"


@dataclass(eq=False)
class TablesOfSeveral(TournamentError):
    """The event has tables of several, and this is for tables of two."""

    asked: str

    def __str__(self) -> str:
        return f"cannot {self.asked}: that is for tables of two, and this event has tables of several"


@dataclass(eq=False)
class PlacingUnreadable(TournamentError):
    """The placing of a pod is not complete."""

    table: int
    problems: Sequence[str]

    def __str__(self) -> str:
        return f"table {self.table}: {'; '.join(self.problems)}; a placing names everybody at the table once"


@dataclass(frozen=True, slots=True)
class FaultAt:
    """Something wrong in a file, and where: a line, columns, a path."""

    place: str
    problem: str

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


@dataclass(eq=False)
class FileUnreadable(TournamentError):
    """The file is not what it should be."""

    format: str
    faults: Sequence[FaultAt]

    def __str__(self) -> str:
        return f"not readable as {self.format}: {'; '.join(map(str, self.faults))}"


@dataclass(eq=False)
class EventUnwritable(TournamentError):
    """The format cannot hold the event."""

    format: str
    reasons: Sequence[str]

    def __str__(self) -> str:
        return f"cannot be written as {self.format}: {'; '.join(self.reasons)}"


@dataclass(frozen=True, slots=True)
class FileFault:
    """Something wrong in an event file."""

    place: str
    """A JSON Pointer; empty for the whole file."""
    line: int | None
    """From 1; None where it could not be told."""
    rule: str
    """What is broken, as docs/guide/event-file.md lists it."""
    problem: str

    def __str__(self) -> str:
        line = f"line {self.line}" if self.line else ""
        where = ", ".join(part for part in (line, _printable(self.place)) if part)
        return f"{where or 'the file'}: {self.problem}"


@dataclass(eq=False)
class EventFileUnreadable(TournamentError):
    """The event file cannot be read."""

    faults: Sequence[FileFault]

    def __str__(self) -> str:
        shown = [str(fault) for fault in self.faults[:_MOST_SHOWN]]
        more = [f"and {len(self.faults) - _MOST_SHOWN:,} more"] if len(self.faults) > _MOST_SHOWN else []
        return "\n".join([f"not an event file, {counted(len(self.faults), 'fault')}:", *shown, *more])


@dataclass(eq=False)
class EventFileChanged(TournamentError):
    """The event file was changed meanwhile."""

    file: str

    def __str__(self) -> str:
        return f"{self.file} was changed by somebody else meanwhile; nothing is written, so look and do it again"


@dataclass(eq=False)
class PlayersRefused(TournamentError):
    """Players cannot enter, leave or come back so."""

    reasons: Sequence[str]

    def __str__(self) -> str:
        return "\n".join(["nothing is written:", *_first(self.reasons)])


@dataclass(eq=False)
class ResultsRefused(TournamentError):
    """The results cannot be written so."""

    reasons: Sequence[str]

    def __str__(self) -> str:
        return "\n".join(["nothing is written:", *_first(self.reasons)])


_MOST_SHOWN = 50
"""Lines that somebody reads; the fields have all."""


def _first(reasons: Sequence[str]) -> list[str]:
    more = [f"and {len(reasons) - _MOST_SHOWN:,} more"] if len(reasons) > _MOST_SHOWN else []
    return [*reasons[:_MOST_SHOWN], *more]


def _printable(place: str) -> str:
    """A place without what a terminal would obey, and no longer than a line."""
    shown = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in place[:_LONGEST_PLACE])
    return shown if len(place) <= _LONGEST_PLACE else f"{shown}…"


_LONGEST_PLACE = 120


@dataclass(eq=False)
class ResultsMissing(TournamentError):
    """Tables have no result yet."""

    asked: str
    tables: Sequence[tuple[int, int]]
    """Round and table of each."""

    def __str__(self) -> str:
        shown = groupby(self.tables[:_MOST_TABLES], key=lambda at: at[0])
        said = [_of_round(number, [str(table) for _, table in those]) for number, those in shown]
        more = f" and {len(self.tables) - _MOST_TABLES} more" if len(self.tables) > _MOST_TABLES else ""
        return f"cannot {self.asked} without a result of {', '.join(said)}{more}"


_MOST_TABLES = 20


def _of_round(number: int, tables: Sequence[str]) -> str:
    return f"table{'s' if len(tables) > 1 else ''} {', '.join(tables)} of round {number}"


@dataclass(eq=False)
class NobodyToPair(TournamentError):
    """No player is in the round."""

    round: int

    def __str__(self) -> str:
        return f"cannot pair round {self.round}: no player is in it; enter players, or take some back"


@dataclass(eq=False)
class RobinOver(TournamentError):
    """All rounds of the round robin are there."""

    rounds: int

    def __str__(self) -> str:
        return f"everybody meets everybody in {self.rounds} rounds, and they are there; the event is over"


@dataclass(eq=False)
class RobinClosed(TournamentError):
    """The schedule of a round robin was made without the player."""

    players: Sequence[str]

    def __str__(self) -> str:
        late = ", ".join(self.players)
        return f"the schedule was made in round 1, without {late}; whoever came late is not in it"


@dataclass(eq=False)
class TableUnknown(TournamentError):
    """The round has no such table."""

    round: int
    table: int
    known: Sequence[int]

    def __str__(self) -> str:
        tables = ", ".join(map(str, self.known[:_MOST_TABLES])) + (", …" if len(self.known) > _MOST_TABLES else "")
        return f"round {self.round} has no table {self.table}; its tables are {tables or 'none'}"


@dataclass(eq=False)
class SeatHeld(TournamentError):
    """A player who leaves has played in the round already, or is not in it."""

    player: str
    round: int
    why: str

    def __str__(self) -> str:
        return f"{self.player!r} cannot be taken out of round {self.round}: {self.why}"
