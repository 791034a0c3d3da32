"""What a person, or a script, gets to see. The one module that prints.

A person gets tables, in colour only on a terminal (and never with NO_COLOR set). A script adds `--json` and gets one
JSON document on standard output, of the same facts. Progress and errors go to standard error.
"""

import json
import re
import shutil
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from cli.errors import Refused
from tournament.domain.letters import UNSEEN
from tournament.problem import problem_of, sentence_of

if TYPE_CHECKING:
    from rich.console import Console

PROGRESS_AFTER: Final = 1.0
"""Seconds after which a person wants to know that something is going on."""
WIDE: Final = 200
"""Columns where no terminal says how many it has: enough that nothing is cut in a file."""

_UNSEEN: Final = re.compile(f"[{UNSEEN}]")

_LEAST: Final = 8
"""Columns of a terminal for a column of a table that may be broken."""
_BETWEEN: Final = 3
"""Columns of a terminal between two of a table."""

ROOMY: Final = 110
"""Columns in which a table of sentences is still pleasant."""


def print_json(document: object) -> None:
    """One JSON document on standard output, in ASCII: whatever foreign text it repeats cannot steer a terminal."""
    print(json.dumps(document, indent=2, allow_nan=False))


def print_text(text: str = "") -> None:
    """Lines on standard output, as they are."""
    print(text)


def clear_screen() -> None:
    """Begin at the top of a terminal; nothing elsewhere."""
    if sys.stdout.isatty():
        print("\x1b[2J\x1b[H", end="")


def print_bell() -> None:
    """A sound, for whoever looks elsewhere; nothing where there is no terminal."""
    if sys.stdout.isatty():
        print("\a", end="", flush=True)


def print_note(text: str) -> None:
    """A line for the person, on standard error, so that it is not taken for output.

    It may repeat what somebody else chose, such as the name of a file; a terminal gets nothing to obey.
    """
    print(harmless(text), file=sys.stderr)


def harmless(text: str) -> str:
    """The text, with what nobody sees spelled out."""
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    title: str | None = None,
    styles: Mapping[str, str] | None = None,
    numbers: Iterable[str] = (),
    whole: Iterable[str] = (),
) -> None:
    """A table.

    Args:
        columns: headings.
        rows: cells in the order of the columns, as plain text: markup in them is not obeyed.
        title: above the table.
        styles: a style for each cell that says exactly this.
        numbers: headings of columns to set flush right.
        whole: headings of columns to be copied from, which are never broken however narrow the terminal.
    """
    from rich import box  # noqa: PLC0415 - rich is not needed for --json and --help
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(
            column, justify="right" if column in numbers else "left", overflow="fold", no_wrap=column in whole
        )
    rows = [tuple(row) for row in rows]
    for row in rows:
        table.add_row(*(Text(cell, style=(styles or {}).get(cell, "")) for cell in row))
    console = _console()
    if title is not None:  # rich would break it to the width of the table
        console.print(Text(title, style="bold"), soft_wrap=True)
    if whole:
        console.width = max(console.width, _least(columns, rows, whole))
    console.print(table)


def _least(columns: Sequence[str], rows: Sequence[Sequence[str]], whole: Iterable[str]) -> int:
    """How wide a table is whose other columns are as narrow as may be."""
    from rich.cells import cell_len  # noqa: PLC0415 - as above

    kept = set(whole)
    widths = (
        max(map(cell_len, (column, *(row[at] for row in rows)))) if column in kept else _LEAST
        for at, column in enumerate(columns)
    )
    return sum(width + _BETWEEN for width in widths)


def print_styled(text: str, style: str) -> None:
    """Lines on standard output, in a style where there are colours."""
    from rich.text import Text  # noqa: PLC0415

    _console().print(Text(text, style=style), soft_wrap=True)


def is_narrow() -> bool:
    """The terminal has no room for a column that is only pleasant."""
    return sys.stdout.isatty() and shutil.get_terminal_size().columns < ROOMY


@contextmanager
def progress(doing: str) -> Iterator[None]:
    """Tell a person what is going on, once it has taken over a second; nothing where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # noqa: PLC0415

    status = Console(stderr=True).status(doing)
    timer = threading.Timer(PROGRESS_AFTER, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


def print_problem(error: Exception, *, as_json: bool) -> None:
    """Say why a command stopped: a line on standard error, or the problem document on standard output."""
    if as_json:
        print_json(error.document if isinstance(error, Refused) else problem_of(error))
    else:
        lines = sentence_of(error).split("\n")
        print_note("\n".join([f"refused: {lines[0]}", *(f"         {line}" for line in lines[1:])]))


def _console() -> "Console":
    from rich.console import Console  # noqa: PLC0415

    return Console(highlight=False, emoji=False, markup=False, width=None if sys.stdout.isatty() else WIDE)
