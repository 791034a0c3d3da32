"""Several things in one command, one after the other: what is refused is told, and the rest is done."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import typer

from cli import output
from cli.desk import Desk, lines_of_input
from cli.errors import Refused

STDIN: Final = "-"
"""In place of words: lines of standard input."""
_USAGE: Final = {"type": "/problems/usage", "title": "Called wrongly"}


@dataclass
class Several:
    """What came of each."""

    desk: Desk
    receipts: list[Any] = field(default_factory=list)
    refused: list[tuple[Mapping[str, object], int]] = field(default_factory=list)
    """The problem, and the exit code of each that was refused."""

    def __post_init__(self) -> None:
        self.desk.path()  # without an event none of them can be done

    @contextmanager
    def trying(self, at: str) -> Iterator[None]:
        """One of them. A refusal ends it, and nothing else."""
        try:
            yield
        except Refused as no:
            from cli.exits import exit_of  # noqa: PLC0415 - only when something is wrong

            self._note(at, str(no), no.document, exit_of(no))
        except typer.BadParameter as wrong:
            self._note(at, wrong.message, {**_USAGE, "detail": wrong.message}, wrong.exit_code)

    def add(self, receipt: Any, sentence: str) -> None:  # noqa: ANN401 - any JSON
        """It is done."""
        self.receipts.append(receipt)
        if not self.desk.as_json:
            self.desk.tell(receipt, sentence)
            sys.stdout.flush()

    def end(self) -> None:
        """All of them were tried. Raises: Exit: if something was refused, with its code, of the first of several."""
        if self.desk.as_json:
            output.print_json({"receipts": self.receipts, "refused": [document for document, _ in self.refused]})
        if self.refused:
            raise typer.Exit(self.refused[0][1])

    def _note(self, at: str, said: str, document: Mapping[str, object], code: int) -> None:
        self.refused.append(({**document, "at": at}, code))
        if not self.desk.as_json:
            output.print_note(f"refused: {at}: {said}")


def texts_of(words: Sequence[str]) -> Iterator[str]:
    """The words, or, of `-` alone, each line of standard input as soon as it is there."""
    return lines_of_input() if list(words) == [STDIN] else iter(words)


def number_of(text: str) -> int:
    """A number as people, and scanners, write it. Raises: BadParameter."""
    digits = text.strip().removeprefix("#")
    if not (digits.isascii() and digits.isdigit() and int(digits)):
        raise typer.BadParameter(f"{text!r} is no number of a player")
    return int(digits)


def one_each(
    desk: Desk,
    words: Sequence[str],
    rest: str,
    sentence: str | Callable[[str, Mapping[str, Any]], str],
    body: Mapping[str, object] | None = None,
) -> None:
    """Give the same command for each number.

    Args:
        desk: who gives it.
        words: numbers, or `-`.
        rest: the path behind the event's, with `{}` for the number.
        sentence: what is told then, with `{}` for who it is; or what makes it of that and the fact.
        body: what is asked.
    """
    several = Several(desk)
    for at, word in enumerate(texts_of(words)):
        with several.trying(word):
            number = number_of(word)
            receipt = desk.do(rest.format(number), body, step=f"/{at}" if at else "")
            who = "" if desk.as_json else desk.who(number)
            said = sentence.format(who) if isinstance(sentence, str) else sentence(who, receipt["fact"])
            several.add(receipt, said)
    several.end()
