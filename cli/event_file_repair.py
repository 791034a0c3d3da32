"""`deckproof event-file repair`: the last round after a mistake."""

from collections.abc import Sequence
from typing import Annotated

import typer

from cli import asking, output
from cli.event_file_options import File, in_file, result_of
from cli.event_file_store import read_to_change, save
from cli.event_file_words import print_correction, print_options, print_round, say_whether_written
from tournament.domain.model import Ending, PlayerId, Result
from tournament.domain.repair import Option
from tournament.event_file import Event, documents
from tournament.event_file.answers import mended, repairs, with_result, without


def repair(
    *,
    file: File,
    number: Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="Of the wrong result.")] = None,
    table: Annotated[int | None, typer.Option("--table", min=1, metavar="T", help="Of the wrong result.")] = None,
    games: Annotated[
        str | None, typer.Option("--games", metavar="2-0", help="The right one: won by the first, the second, drawn.")
    ] = None,
    ending: Annotated[
        str | None, typer.Option("--ending", help=f"How the match ended: {', '.join(Ending)}.  [default: played]")
    ] = None,
    drop: Annotated[
        str | None, typer.Option("--drop", metavar="ID", help="Somebody who left before the last round began.")
    ] = None,
    playing: Annotated[
        list[int] | None, typer.Option("--playing", metavar="T", help="A table being played, which must stand.")
    ] = None,
    apply: Annotated[int | None, typer.Option("--apply", min=1, metavar="K", help="Take this option.")] = None,
    write: Annotated[bool, typer.Option("--write", help="Change FILE, whole or not at all.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Mend the last round after a mistake.

    Corrects a wrong result (--round, --table, --games) or takes somebody out (--drop), and shows the ways to go on,
    the smallest change first, each with its cost and its tables; tables with a result stand. Without either it mends
    the last round as the file is, for example after a late player was added to it.
    """
    stored = read_to_change(file)
    event = stored.event
    correction = _correction(event, number, table, games, ending)
    corrected = event if correction is None else with_result(event, *correction)
    corrected = without(corrected, PlayerId(drop), playing or ()) if drop else corrected
    with output.progress("Looking for the smallest change…"):
        options = repairs(corrected, playing or ())
    chosen = _chosen(options, apply, write=write)
    after = None if chosen is None else mended(corrected, options[chosen - 1], playing or ())
    if write and after:
        save(stored, after)
    if as_json:
        output.print_json(
            {
                "round": corrected.rounds[-1].number,
                "correction": correction and documents.correction_document(event, *correction),
                "dropped": drop,
                "options": documents.options_document(options),
                "applied": chosen,
                "written": write,
            }
        )
        return
    if correction:
        print_correction(event, *correction)
    print_options(corrected, options)
    if after:
        print_round(after, after.rounds[-1])
    say_whether_written(file, written=write)


def _correction(
    event: Event, number: int | None, table: int | None, games: str | None, ending: str | None
) -> tuple[int, int, Result] | None:
    """Round, table and result of the options; None if none of them is given."""
    if number is None and table is None and games is None and ending is None:
        return None
    if number is None or table is None or games is None:
        raise typer.BadParameter("a correction needs all of --round, --table and --games")
    return in_file(event, number), table, result_of(games, ending, event.best_of)


def _chosen(options: Sequence[Option], apply: int | None, *, write: bool) -> int | None:
    """The number of the option to take: the one asked for, or the only one."""
    if apply is not None and apply > len(options):
        raise typer.BadParameter(f"--apply {apply}: there is no such option; there are 1 to {len(options)}")
    if apply is None and write and len(options) > 1:
        raise typer.BadParameter(
            f"--write needs --apply with the option to take, 1 to {len(options)}; without --write they are shown"
        )
    return 1 if apply is None and write else apply
