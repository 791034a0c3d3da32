"""`deckproof event-file …`: a whole event in one file, without a server."""

import re
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Annotated, Final

import typer

from cli import asking, output
from cli.event_file_convert import convert
from cli.event_file_store import read, save
from cli.event_file_words import (
    count,
    decimals,
    names_of,
    print_certificate,
    print_comparison,
    print_correction,
    print_judgements,
    print_options,
    print_round,
    print_rounds,
    record_text,
    say_whether_written,
)
from cli.exits import Exit
from tournament.domain import bracket_moves, bracket_text
from tournament.domain.bracket import finished
from tournament.domain.bracket_plan import Form
from tournament.domain.certificate import digest_of
from tournament.domain.cut import recommended
from tournament.domain.forecast import forecast as forecast_of
from tournament.domain.model import Ending, PlayerId, Result
from tournament.domain.presets import PRESETS, preset_named
from tournament.domain.repair import Option
from tournament.domain.results import contradictions
from tournament.event_file import Event, documents, write_event_file
from tournament.event_file.answers import (
    certified_round,
    cut_of,
    folded_round,
    judge_rounds,
    mended,
    paired_round,
    pairing_at,
    places_of,
    records_of,
    repairs,
    round_robin_of,
    standings_of,
    with_result,
    with_round,
    without,
)
from tournament.event_file.simulation import simulate as play

app = asking.new_app(no_args_is_help=True)

SCHEMA: Final = "event-file.schema.json"
MOST_PLAYERS: Final = 20_000
MOST_IN_ROBIN: Final = 200
"""Nobody plays 199 rounds; beyond, the schedule alone would fill the memory."""

File = Annotated[Path, typer.Argument(metavar="FILE", help="The event file; - reads standard input.")]
Players = Annotated[int, typer.Option("--players", min=1, max=MOST_PLAYERS, help="How many enter.")]
Rounds = Annotated[int, typer.Option("--rounds", min=1, max=100, help="How many are played.")]


@app.callback()
def _event_files() -> None:
    """A whole event in one file: pair, rank, repair, cut, judge. Needs no server.

    docs/guide/event-file.md describes the file.
    """


# --- commands ---------------------------------------------------------------------------------------------------------


@app.command()
def check(*, file: File, as_json: asking.Json = False) -> None:
    """Can a file be read? Names every fault, each with its line and place."""
    event = read(file).event
    if as_json:
        output.print_json(
            {
                "readable": True,
                "players": len(event.players),
                "rounds": len(event.rounds),
                "open_tables": documents.open_document(event.open_tables),
            }
        )
        return
    said = f"{count(len(event.players), 'player')}, {count(len(event.rounds), 'round')}"
    output.print_styled(f"readable: {said}", "green")
    names = names_of(event)
    for number, table in event.open_tables:
        match = pairing_at(event, number, table)
        output.print_text(f"open: table {table} of round {number}, {names[match.first]} and {names[match.second]}")


@app.command()
def pair(
    *,
    file: File,
    number: Annotated[
        int | None,
        typer.Option("--round", min=1, metavar="N", help="Pair a round of the past again.  [default: the next round]"),
    ] = None,
    certificate: Annotated[
        bool, typer.Option("--certificate", help="Say why the round is as it is, and prove that none is better.")
    ] = False,
    fold: Annotated[
        bool, typer.Option("--fold", help="Round 1 by seeds, the players in the order of FILE: upper half, lower half.")
    ] = False,
    write: Annotated[bool, typer.Option("--write", help="Add the round to FILE, whole or not at all.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Pair the next round, or one of the past again.

    The same file always gives the same round.
    """
    stored = read(file)
    event = stored.event
    played = None if number is None else event.rounds[_in_file(event, number) - 1]
    if played and write:
        raise typer.BadParameter(f"round {number} is in the file already; --write adds the next round")
    if fold and (number or len(event.rounds) + 1) != 1:
        raise typer.BadParameter("--fold is for round 1; later rounds are paired by points and the draw")
    if fold and certificate:
        raise typer.BadParameter("--certificate proves the round of the draw; a folded one follows a plain rule")
    with output.progress("Pairing…"):
        if fold:
            paired, why = folded_round(event), None
        else:
            paired, why = certified_round(event, number) if certificate else (paired_round(event, number), None)
    if write:
        save(stored, with_round(event, paired))
    if as_json:
        document = {"round": paired.number, "pairings": documents.pairings_document(paired), "written": write}
        document |= {"certificate": documents.certificate_document(why)} if why else {}
        document |= {"as_in_file": digest_of(paired) == digest_of(played)} if played else {}
        output.print_json(document)
        return
    print_round(event, paired)
    if why:
        print_certificate(why)
    if played:
        print_comparison(paired, played)
    else:
        say_whether_written(file, written=write)


@app.command()
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
    chosen = preset_named(preset or event.preset)
    last = len(event.rounds) if after is None else _in_file(event, after)
    lines = standings_of(event, chosen, after=last)
    open_tables = [(number, table) for number, table in event.open_tables if number <= last]
    if as_json:
        output.print_json(
            {
                "preset": chosen.name,
                "after": last,
                "open_tables": documents.open_document(open_tables),
                "standings": documents.standings_document(lines),
            }
        )
        return
    names, records = names_of(event), records_of(event, after=last)
    gone = {player.id for player in event.players if player.dropped_after is not None and player.dropped_after <= last}
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
        output.print_note(f"{count(len(open_tables), 'open table')} not counted.")


@app.command()
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
    stored = read(file)
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


@app.command()
def cut(
    *,
    file: File,
    top: Annotated[int, typer.Option("--top", min=2, metavar="N", help="How many play on.")],
    double: Annotated[bool, typer.Option("--double", help="Double elimination.")] = False,
    third_place: Annotated[bool, typer.Option("--third-place", help="With a match for the third place.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Seed the best N into a new bracket."""
    if double and third_place:
        raise typer.BadParameter("--third-place belongs to single elimination; --double has a third place anyway")
    event = read(file).event
    made = cut_of(event, top)
    form = Form.DOUBLE if double else Form.SINGLE_WITH_THIRD_PLACE if third_place else Form.SINGLE
    bracket = bracket_moves.start(made.seeds, form=form)
    if as_json:
        output.print_json(
            {
                "top": top,
                "form": str(form),
                "seeds": [{"seed": seed, "player": player} for seed, player in enumerate(made.seeds, start=1)],
                "ties": documents.ties_document(made.ties),
                "matches": documents.bracket_document(bracket),
            }
        )
        return
    names = names_of(event)
    output.print_text(bracket_text.text(bracket, names.__getitem__))
    for tie in made.ties:
        seeded, left_out = (tuple(PlayerId(names[player]) for player in who) for who in (tie.seeded, tie.left_out))
        output.print_text(f"\n{replace(tie, seeded=seeded, left_out=left_out)}")


@app.command()
def places(*, file: File, as_json: asking.Json = False) -> None:
    """Where everybody ends: by the cut that is in the file, and by the standings below it."""
    event = read(file).event
    found = places_of(event)
    if as_json:
        output.print_json(
            {
                "finished": event.cut is not None and finished(event.cut),
                "matches": [] if event.cut is None else documents.bracket_document(event.cut),
                "places": documents.places_document(found),
            }
        )
        return
    name = names_of(event).__getitem__
    if event.cut is not None:
        bracket = bracket_text.text(event.cut, name)
        output.print_text(bracket.partition("\n\nPlaces\n")[0] + "\n")
    for place in found:
        output.print_text(bracket_text.place_text(place, name))


@app.command()
def faults(*, file: File, as_json: asking.Json = False) -> None:
    """Judge every round, whoever made it.

    Each is compared with the round that the draw gives. Exits with 0 if no round breaks a rule, and 3 if one does;
    not to be the drawn round breaks none.
    """
    event = read(file).event
    with output.progress("Judging…"):
        judged = judge_rounds(event)
    found = any(judgement.faults for _, judgement in judged)
    if as_json:
        output.print_json(
            {
                "faults": [
                    fault
                    for played, judgement in judged
                    for fault in documents.faults_document(played, judgement.faults)
                ],
                "rounds": [
                    documents.judgement_document(played, judgement)
                    | {"stood": list(event.stood.get(played.number, ()))}
                    for played, judgement in judged
                ],
            }
        )
    else:
        print_judgements(event, judged)
    raise typer.Exit(Exit.NO if found else Exit.DONE)


@app.command()
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
        f"Usual for {players} players: {count(usual.swiss_rounds, 'round')}, then a cut to {usual.cut} "
        "(Magic Tournament Rules, appendix E)."
    )


@app.command()
def simulate(
    *,
    players: Players,
    rounds: Rounds,
    seed: Annotated[int, typer.Option("--seed", help="Decides results, late entries and drops, and is the draw.")],
    game: asking.Game = None,
    output_file: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write there instead of standard output.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
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


@app.command("round-robin")
def round_robin(
    *,
    file: File,
    write: Annotated[bool, typer.Option("--write", help="Add the rounds to FILE, whole or not at all.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Propose a round robin: all rounds, so that everybody meets everybody once.

    The draw numbers the players; who enters later is not in it.
    """
    stored = read(file)
    event = stored.event
    if event.rounds:
        raise typer.BadParameter(
            f"{file} has {count(len(event.rounds), 'round')} already; a round robin is planned whole"
        )
    if len(event.players) > MOST_IN_ROBIN:
        raise typer.BadParameter(f"{len(event.players):,} players; a round robin is planned for up to {MOST_IN_ROBIN}")
    rounds = round_robin_of(event)
    if write:
        save(stored, replace(event, rounds=rounds))
    if as_json:
        planned = [{"round": one.number, "pairings": documents.pairings_document(one)} for one in rounds]
        output.print_json({"rounds": planned, "written": write})
        return
    print_rounds(event, rounds)
    say_whether_written(file, written=write)


app.command()(convert)


@app.command()
def schema(*, as_json: asking.Json = False) -> None:  # noqa: ARG001 - it is JSON in any case
    """Print the JSON Schema of an event file."""
    output.print_text((files("tournament.event_file") / SCHEMA).read_text(encoding="utf-8").rstrip("\n"))


# --- a correction -----------------------------------------------------------------------------------------------------

_GAMES: Final = re.compile(r"(\d{1,6})-(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)


def _correction(
    event: Event, number: int | None, table: int | None, games: str | None, ending: str | None
) -> tuple[int, int, Result] | None:
    """Round, table and result of the options; None if none of them is given."""
    if number is None and table is None and games is None and ending is None:
        return None
    if number is None or table is None or games is None:
        raise typer.BadParameter("a correction needs all of --round, --table and --games")
    return _in_file(event, number), table, _result(games, ending)


def _result(games: str, ending: str | None) -> Result:
    found = _GAMES.fullmatch(games)
    if found is None:
        raise typer.BadParameter(
            f"--games {games!r}: write games won by the first and the second player, as in 2-0 or 1-1-1"
        )
    if ending is not None and ending not in tuple(Ending):
        raise typer.BadParameter(f"--ending {ending!r}: it may be {', '.join(Ending)}")
    first, second, drawn = (int(games or 0) for games in found.groups())
    result = Result(first, second, drawn, Ending(ending or Ending.PLAYED))
    if wrong := contradictions(result):
        raise typer.BadParameter(f"--ending {ending!r}: {wrong[0].sentence}")
    return result


def _chosen(options: Sequence[Option], apply: int | None, *, write: bool) -> int | None:
    """The number of the option to take: the one asked for, or the only one."""
    if apply is not None and apply > len(options):
        raise typer.BadParameter(f"--apply {apply}: there is no such option; there are 1 to {len(options)}")
    if apply is None and write and len(options) > 1:
        raise typer.BadParameter(
            f"--write needs --apply with the option to take, 1 to {len(options)}; without --write they are shown"
        )
    return 1 if apply is None and write else apply


def _in_file(event: Event, number: int) -> int:
    """The number, if the file has that round."""
    if number > len(event.rounds):
        raise typer.BadParameter(f"there is no round {number}; the file has {count(len(event.rounds), 'round')}")
    return number
