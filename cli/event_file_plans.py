"""`deckproof event-file forecast`, `simulate`, `round-robin`, `schema`: before an event, and beside it."""

from dataclasses import replace
from importlib.resources import files
from random import Random
from typing import Annotated, Final

import typer

from cli import asking, output
from cli.event_file_options import MOST_PLAYERS, File
from cli.event_file_store import read_to_change, save
from cli.event_file_words import print_rounds, say_whether_written
from tournament.domain.amounts import counted
from tournament.domain.cut import recommended
from tournament.domain.forecast import forecast as forecast_of
from tournament.domain.model import Mode
from tournament.event_file import documents, write_event_file
from tournament.event_file.answers import round_robin_of
from tournament.event_file.simulation import simulate as play

SCHEMA: Final = "event-file.schema.json"
MOST_IN_ROBIN: Final = 200
"""Nobody plays 199 rounds; beyond, the schedule alone would fill the memory."""

Players = Annotated[int, typer.Option("--players", min=1, max=MOST_PLAYERS, help="How many enter.")]
Rounds = Annotated[int, typer.Option("--rounds", min=1, max=100, help="How many are played.")]


def forecast(
    *,
    players: Annotated[int, typer.Option("--players", min=2, max=MOST_PLAYERS, help="How many enter.")],
    rounds: Rounds,
    as_json: asking.Json = False,
) -> None:
    """What is certain before the start.

    From which round on a rematch or a second bye may come, or must.
    """
    found, usual = forecast_of(players, rounds), recommended(players)
    if as_json:
        output.print_json(
            documents.forecast_document(found) | {"recommended": {"rounds": usual.swiss_rounds, "cut": usual.cut}}
        )
        return
    for sentence in found.sentences or ("No rematch and no second bye is needed.",):
        output.print_text(sentence)
    output.print_text(
        f"Usual for {counted(players, 'player')}: {counted(usual.swiss_rounds, 'round')}, then a cut to {usual.cut} "
        "(Magic Tournament Rules, appendix E)."
    )


def simulate(
    *,
    players: Players,
    rounds: Rounds,
    seed: Annotated[int, typer.Option("--seed", help="Decides results, late entries and drops, and is the draw.")],
    game: asking.Game = None,
    output_file: asking.OutputFile = None,
    force: asking.Force = False,
    as_json: asking.Json = False,
) -> None:
    """Play an event that nobody plays.

    Prints its file. The same numbers give the same event.
    """
    chosen = game or asking.settings().game
    with output.progress("Playing…"):
        event = replace(play(players, rounds, Random(seed), draw=f"seed {seed}"), game=chosen)  # noqa: S311 - a game
    text = write_event_file(event)
    if output_file is None or str(output_file) == "-":
        output.print_text(text.rstrip("\n"))
        return
    asking.write_whole(output_file, text, replace=force)
    if as_json:
        output.print_json({"players": players, "rounds": rounds, "seed": seed, "file": str(output_file)})


def round_robin(
    *,
    file: File,
    write: Annotated[bool, typer.Option("--write", help="Add the rounds to FILE, whole or not at all.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Propose a round robin: all rounds, so that everybody meets everybody once.

    The draw numbers the players; who enters later is not in it.
    """
    stored = read_to_change(file)
    event = stored.event
    if event.rounds:
        raise typer.BadParameter(
            f"{file} has {counted(len(event.rounds), 'round')} already; a round robin is planned whole"
        )
    if len(event.players) > MOST_IN_ROBIN:
        raise typer.BadParameter(
            f"{counted(len(event.players), 'player')}; a round robin is planned for up to {MOST_IN_ROBIN}"
        )
    rounds = round_robin_of(event)
    if write:
        save(stored, replace(event, rounds=rounds, mode=Mode.ROUND_ROBIN))
    if as_json:
        planned = [{"round": one.number, "pairings": documents.pairings_document(one)} for one in rounds]
        output.print_json({"rounds": planned, "written": write})
        return
    print_rounds(event, rounds)
    say_whether_written(file, written=write)


def schema(*, as_json: asking.Json = False) -> None:  # noqa: ARG001 - it is JSON in any case
    """Print the JSON Schema of an event file."""
    output.print_text((files("tournament.event_file") / SCHEMA).read_text(encoding="utf-8").rstrip("\n"))
