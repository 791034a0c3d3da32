"""Slips typed in one after the other: a table, a space, the result, Enter.

A digit stands for a result, which hangs on the match: in a best of three, `12 1` is 2-0 at table 12, `12 2` is 2-1,
`12 3` is 1-2, `12 4` is 0-2, and `12 0` a draw that was agreed. Games need no dash here (`12 21`), because a line is
one slip; `report` takes several in a line, where a forgotten result must not be taken from the next one. A slip that
says something else than what is known is refused; with `!` at its end it takes the place of that.

At a table of several a slip is the numbers of the players, the best first (`12 17 4 9 3`), or the winner's alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from cli import output
from cli.desk import Desk
from cli.errors import Refused, ServerUnreachable
from cli.reports import REST, Report, named, players_of, read_one, said_of
from cli.screen import plain_text
from tournament.domain.amounts import counted
from tournament.domain.slips import digits

INSTEAD: Final = "!"
HELP: Final = "?"
_DRAW: Final = "draw"


@dataclass
class Slips:
    """The round whose slips come in.

    Args:
        desk: who types.
        number: of the round.
        best_of: games of a match.
        names: what to call everybody.
        say: tells a line.
    """

    desk: Desk
    number: int
    best_of: int
    names: Mapping[int, str]
    say: Callable[[str], None] = output.print_text
    seats: dict[str, Any] = field(default_factory=dict)
    """By their tables."""
    taken: int = 0
    """Slips that were sent."""

    def look(self) -> None:
        """What is known by now; others report too."""
        document = self.desk.read(f"/rounds/{self.number}")
        self.seats = {str(seat["table"]): seat for seat in document["seats"] if seat["table"] is not None}

    @property
    def missing(self) -> list[str]:
        """Tables that have not reported, as far as we know."""
        return sorted((table for table, seat in self.seats.items() if seat["result"] is None), key=int)

    @property
    def left(self) -> str:
        """How many they are."""
        return (
            f"{counted(len(self.missing), 'table')} to go"
            if self.missing
            else "every table has reported: `event start` goes on"
        )

    def take(self, line: str) -> None:
        """A slip, or a blank line for what is missing."""
        slip = line.strip()
        if not slip:
            self.look()
            self._show_missing()
        elif slip == HELP:
            self.say(self.legend)
        elif report := read_one(self._spelled_out(slip.removesuffix(INSTEAD).split())):
            self._send(report, instead=slip.endswith(INSTEAD))
        else:
            self.say(f"{plain_text(slip)!r} is no slip; {HELP} and Enter show how one is written")

    @property
    def has_several(self) -> bool:
        """Several play at a table."""
        return any(seat.get("others") for seat in self.seats.values())

    @property
    def legend(self) -> str:
        """How a slip is written."""
        return legend_of_several() if self.has_several else legend(self.best_of)

    def _spelled_out(self, words: Sequence[str]) -> list[str]:
        if words and self.seats.get(words[0], {}).get("others"):
            return places_spelled_out(words)
        return spelled_out(words, self.best_of)

    def _send(self, report: Report, *, instead: bool) -> None:
        at = f"/cut/matches/{report.place}" if report.is_match else f"/rounds/{self.number}/tables/{report.place}"
        games = report.games(self.best_of, self.seats.get(report.place))
        self.taken += 1
        try:
            how = "PUT" if instead else "POST"
            receipt = self.desk.do(f"{at}/result", {"games": games}, method=how, step=f"/{self.taken}")
        except Refused as no:
            hint = f"; if the slip is right, type it with {INSTEAD} at its end" if no.slug == "table-reported" else ""
            self.say(f"refused: {no}{hint}")
        except ServerUnreachable as gone:
            self.say(f"{gone.problem}; type it again: the same result is no second report")
        else:
            seat = self.seats.get(report.place)
            if seat is not None:
                seat["result"] = games
            two = receipt["fact"] if report.is_match and not instead else seat
            self.say(f"{said_of(report, self.best_of, two, self.names)}; {self.left}")

    def _show_missing(self) -> None:
        for table in self.missing:
            seat = self.seats[table]
            self.say(f"{table:>5}  {named(players_of(seat), self.names)}")
        self.say(self.left)


def entered(desk: Desk, number: int) -> None:
    """Ask for slips at a terminal until Ctrl-D."""
    slips = Slips(desk, number, desk.read()["best_of"], desk.names())
    slips.look()
    output.print_text(f"Round {number}: {slips.left}.\n{slips.legend}")
    for line in _typed(slips):
        slips.take(line)


def _typed(slips: Slips) -> Iterator[str]:
    with suppress(ImportError):
        import readline  # noqa: F401, PLC0415 - whoever types has the arrow keys
    while True:
        try:
            yield input(f"round {slips.number}, {len(slips.missing)} to go> ")
        except (EOFError, KeyboardInterrupt):
            output.print_text()
            return


def shorthand(best_of: int) -> dict[str, str]:
    """What a digit means: the first player's best result first."""
    return {digit: f"{won.first}-{won.second}" for digit, won in digits(best_of).items()} | {"0": _DRAW}


def spelled_out(words: Sequence[str], best_of: int) -> list[str]:
    """A slip as `report` has it: a digit as its result, two or three of them as games."""
    short = shorthand(best_of)
    results = [short.get(word, "-".join(word) if word.isdigit() else word) for word in words[1:]]
    return [*words[:1], *results]


def places_spelled_out(words: Sequence[str]) -> list[str]:
    """A slip of a table of several as `report` has it: numbers in a row, or the winner alone; 0 is a draw."""
    table, *said = words
    if said == ["0"]:
        return [table, _DRAW]
    if len(said) == 1 and said[0].isdigit():
        return [table, f"{said[0]},{REST}"]
    is_places = len(said) > 1 and all(word.replace("=", "").isdigit() for word in said)
    return [table, ",".join(said)] if is_places else list(words)


def legend_of_several() -> str:
    """How a slip of a table of several is written."""
    return (
        "A table and its players by their numbers, the best first: 12 17 4 9 3; 12 17 4=9 3 where two are second.\n"
        "12 17: 17 has won, and the others are second together. 12 0: all agreed on a draw. 12 double-loss.\n"
        f"{INSTEAD} behind it: in place of a wrong one. A blank line: what is missing. {HELP}: this. Ctrl-D ends."
    )


def legend(best_of: int) -> str:
    """How a slip is written."""
    digits = ", ".join(f"{digit} {score}" for digit, score in shorthand(best_of).items())
    return (
        "A table and its result, such as 12 2-1, 12 1-1-1, 12 draw, 12 2-0 no-show.\n"
        f"In short, 12 and a digit: {digits}.\n"
        f"{INSTEAD} behind it: in place of a wrong one. A blank line: what is missing. {HELP}: this. Ctrl-D ends."
    )
