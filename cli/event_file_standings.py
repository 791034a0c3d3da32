"""`deckproof event-file standings`, `needs`: who stands where, and who can still be in."""

from random import Random
from typing import Annotated

import typer

from cli import asking, output
from cli.event_file_options import File, in_file
from cli.event_file_store import read
from cli.event_file_words import decimals, record_text
from tournament.domain.amounts import counted
from tournament.domain.cut import SMALLEST_CUT
from tournament.domain.errors import CutImpossible
from tournament.domain.model import PlayerId
from tournament.domain.presets import PRESETS, preset_named
from tournament.domain.standings import still_in
from tournament.event_file import Event, documents
from tournament.event_file.answers import preset_in, records_of, standings_of
from tournament.event_file.names import names_of, player_called
from tournament.event_file.outlook import Plan, chances_of, needs_of, plan_of


def standings(
    *,
    file: File,
    preset: Annotated[
        str | None, typer.Option("--preset", help=f"One of {', '.join(PRESETS)}.  [default: the event's]")
    ] = None,
    after: Annotated[
        int | None, typer.Option("--after", min=0, metavar="ROUND", help="As they were then.  [default: now]")
    ] = None,
    as_json: asking.Json = False,
) -> None:
    """Who stands where.

    Tiebreaks are exact; --json gives them as fractions.
    """
    event = read(file).event
    chosen = preset_in(event) if preset is None else preset_named(preset)
    last = len(event.played) if after is None else in_file(event, after)
    lines = standings_of(event, chosen, after=last)
    open_tables = [(number, table) for number, table in event.open_tables if number <= last]
    records = records_of(event, after=last)
    gone = {player.id for player in event.players if player.dropped_after is not None and player.dropped_after <= last}
    if as_json:
        output.print_json(
            {
                "preset": chosen.name,
                "after": last,
                "open_tables": documents.open_document(open_tables),
                "standings": documents.standings_document(lines, records, gone),
            }
        )
        return
    names = names_of(event)
    heads = list(chosen.tiebreaks) + ["head_to_head"] * (chosen.if_two_tied is not None)
    columns = [
        [str(line.place) for line in lines],
        [names[line.player] + " (dropped)" * (line.player in gone) for line in lines],
        [str(line.match_points) for line in lines],
        [record_text(records[line.player]) for line in lines],
        *(decimals([line.tiebreaks[head] for line in lines]) for head in heads),
    ]
    output.print_table(
        ("place", "player", "points", "record", *heads),
        zip(*columns, strict=True),
        title=f"{event.name}: {chosen.title}, {'during' if open_tables else 'after'} round {last}",
        numbers=("place", "points", *heads),
    )
    if open_tables:
        output.print_note(f"{counted(len(open_tables), 'open table')} not counted.")


def needs(
    *,
    file: File,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="An id; a name does where only one has it.")],
    cut: Annotated[
        int | None, typer.Option("--cut", min=2, metavar="N", help="How many play on.  [default: the usual number]")
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", min=1, max=100, metavar="R", help="How many are played.  [default: the usual number]"),
    ] = None,
    events: Annotated[
        int, typer.Option("--events", min=1, max=100_000, help="Before the last round: how many to play to the end.")
    ] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Before the last round: decides what is thrown.")] = 0,
    as_json: asking.Json = False,
) -> None:
    """Can I draw in? What a player needs for the cut.

    In the last round the answer is exact, by match points. Before it, the event is played to its end many times, and
    the share that made the cut is told with its standard error.
    """
    event = read(file).event
    plan = _plan(event, rounds, cut)
    who = PlayerId(player_called(event, player))
    entry = next((one for one in event.players if one.id == who), None)
    if entry is None:
        raise typer.BadParameter(who)
    name = names_of(event)[who]
    if not still_in(entry):
        raise typer.BadParameter(f"{name} has left")
    exact = len(event.rounds) == plan.rounds
    if exact and entry.entered_in > plan.rounds:
        raise typer.BadParameter(f"{name} enters in round {entry.entered_in}, after the last one")
    with output.progress("Playing…"):
        if exact:
            outlooks = needs_of(event, who, plan).outlooks
            said, document = [one.sentence for one in outlooks], documents.outlooks_document(outlooks)
        else:
            chances = chances_of(event, who, plan, events=events, rng=Random(seed))  # noqa: S311 - a game
            said, document = [one.sentence for one in chances], documents.chances_document(chances)
    if as_json:
        about = {"player": who, "cut": plan.cut, "rounds": plan.rounds, "exact": exact}
        output.print_json(about | {"outlooks" if exact else "chances": document})
        return
    output.print_styled(f"{name}, for the cut to {plan.cut} after {counted(plan.rounds, 'round')}:", "bold")
    for sentence in said:
        output.print_text(f"  {sentence}")


def _plan(event: Event, rounds: int | None, cut: int | None) -> Plan:
    """Rounds and cut, if they can be."""
    if event.cut is not None:
        raise typer.BadParameter("the cut has begun; `event-file places` says who is where")
    plan = plan_of(event, rounds, cut)
    if plan.rounds < len(event.rounds):
        raise typer.BadParameter(f"--rounds {rounds}: the file has {counted(len(event.rounds), 'round')}")
    there = sum(map(still_in, event.players))
    if not SMALLEST_CUT <= plan.cut <= there:
        raise CutImpossible(plan.cut, there)
    return plan
