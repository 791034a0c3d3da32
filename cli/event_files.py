"""`deckproof event-file …`: a whole event in one file, without a server."""

import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Annotated, Final

import typer

from cli import asking, output
from cli.exits import Exit
from tournament.domain import bracket_moves, bracket_text
from tournament.domain.bracket import finished
from tournament.domain.bracket_plan import Form
from tournament.domain.certificate import Certificate, digest_of
from tournament.domain.cut import recommended
from tournament.domain.faults import Fault
from tournament.domain.forecast import forecast as forecast_of
from tournament.domain.judgement import Judgement
from tournament.domain.model import Bye, ByeKind, Ending, PlayerId, Result, Round, Seat
from tournament.domain.presets import PRESETS, preset_named
from tournament.domain.repair import Option
from tournament.domain.tiebreaks import Record
from tournament.event_file import MOST_BYTES, Event, documents, parse_event_file, write_event_file
from tournament.event_file.answers import (
    certified_round,
    cut_of,
    judge_rounds,
    mended,
    paired_round,
    pairing_at,
    places_of,
    points_before,
    records_of,
    repairs,
    standings_of,
    with_result,
    with_round,
    without,
)
from tournament.event_file.simulation import simulate as play

app = asking.new_app(no_args_is_help=True)

SCHEMA: Final = "event-file.schema.json"
MOST_PLAYERS: Final = 20_000

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
    event = _read(file)
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
    said = f"{_count(len(event.players), 'player')}, {_count(len(event.rounds), 'round')}"
    output.print_styled(f"readable: {said}", "green")
    for number, table in event.open_tables:
        output.print_text(f"open: table {table} of round {number}")


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
    write: Annotated[bool, typer.Option("--write", help="Add the round to FILE, whole or not at all.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Pair the next round, or one of the past again.

    The same file always gives the same round.
    """
    event = _read(file)
    played = None if number is None else event.rounds[_in_file(event, number) - 1]
    if played and write:
        raise typer.BadParameter(f"round {number} is in the file already; --write adds the next round")
    with output.progress("Pairing…"):
        paired, why = certified_round(event, number) if certificate else (paired_round(event, number), None)
    if write:
        _save(file, with_round(event, paired))
    if as_json:
        document = {"round": paired.number, "pairings": documents.pairings_document(paired), "written": write}
        document |= {"certificate": documents.certificate_document(why)} if why else {}
        document |= {"as_in_file": digest_of(paired) == digest_of(played)} if played else {}
        output.print_json(document)
        return
    _print_round(event, paired)
    if why:
        _print_certificate(why)
    if played:
        _print_comparison(paired, played)
    else:
        _say_whether_written(file, written=write)


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
    event = _read(file)
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
    names, records = _names(event), records_of(event, after=last)
    heads = list(chosen.tiebreaks) + ["head_to_head"] * (chosen.if_two_tied is not None)
    columns = [
        [str(line.place) for line in lines],
        [names[line.player] for line in lines],
        [str(line.match_points) for line in lines],
        [_record(records[line.player]) for line in lines],
        *(_decimals([line.tiebreaks[head] for line in lines]) for head in heads),
    ]
    output.print_table(
        ("place", "player", "points", "record", *heads),
        zip(*columns, strict=True),
        title=f"{event.name}: {chosen.title}, {'during' if open_tables else 'after'} round {last}",
        numbers=("place", "points", *heads),
    )
    if open_tables:
        output.print_note(f"{_count(len(open_tables), 'open table')} not counted.")


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
    event = _read(file)
    correction = _correction(event, number, table, games, ending)
    corrected = event if correction is None else with_result(event, *correction)
    corrected = without(corrected, PlayerId(drop), playing or ()) if drop else corrected
    with output.progress("Looking for the smallest change…"):
        options = repairs(corrected, playing or ())
    chosen = _chosen(options, apply, write=write)
    after = None if chosen is None else mended(corrected, options[chosen - 1], playing or ())
    if write and after:
        _save(file, after)
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
        _print_correction(event, *correction)
    _print_options(corrected, options)
    if after:
        _print_round(after, after.rounds[-1])
    _say_whether_written(file, written=write)


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
    event = _read(file)
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
    output.print_text(bracket_text.text(bracket, _names(event).__getitem__))
    for tie in made.ties:
        output.print_text(f"\n{tie}")


@app.command()
def places(*, file: File, as_json: asking.Json = False) -> None:
    """Where everybody ends: by the cut that is in the file, and by the standings below it."""
    event = _read(file)
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
    name = _names(event).__getitem__
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
    event = _read(file)
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
        _print_judgements(event, judged)
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
        f"Usual for {players} players: {_count(usual.swiss_rounds, 'round')}, then a cut to {usual.cut} "
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
    if output_file is None:
        output.print_text(text.rstrip("\n"))
        return
    asking.write_whole(output_file, text, replace=force)
    if as_json:
        output.print_json({"players": players, "rounds": rounds, "seed": seed, "file": str(output_file)})


@app.command()
def schema(*, as_json: asking.Json = False) -> None:  # noqa: ARG001 - it is JSON in any case
    """Print the JSON Schema of an event file."""
    output.print_text((files("tournament.event_file") / SCHEMA).read_text(encoding="utf-8").rstrip("\n"))


# --- files ------------------------------------------------------------------------------------------------------------


def _read(path: Path) -> Event:
    """The event in a file. Raises: EventFileUnreadable."""
    try:
        if str(path) == "-":
            return parse_event_file(sys.stdin.buffer.read(MOST_BYTES + 1))
        with path.open("rb") as file:
            return parse_event_file(file.read(MOST_BYTES + 1))
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror or error}") from error


def _save(path: Path, event: Event) -> None:
    if str(path) == "-":
        raise typer.BadParameter("--write needs a file; standard input cannot be changed")
    asking.write_whole(path, write_event_file(event), replace=True)


def _say_whether_written(path: Path, *, written: bool) -> None:
    output.print_note(f"Written to {path}." if written else "Nothing is written; --write does that.")


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
    read = _GAMES.fullmatch(games)
    if read is None:
        raise typer.BadParameter(
            f"--games {games!r}: write games won by the first and the second player, as in 2-0 or 1-1-1"
        )
    if ending is not None and ending not in tuple(Ending):
        raise typer.BadParameter(f"--ending {ending!r}: it may be {', '.join(Ending)}")
    first, second, drawn = (int(count or 0) for count in read.groups())
    return Result(first, second, drawn, Ending(ending or Ending.PLAYED))


def _chosen(options: Sequence[Option], apply: int | None, *, write: bool) -> int | None:
    """The number of the option to take: the one asked for, or the only one."""
    if apply is not None and apply > len(options):
        raise typer.BadParameter(f"--apply {apply}: there is no such option; there are 1 to {len(options)}")
    if apply is None and write and len(options) > 1:
        raise typer.BadParameter(f"--write needs --apply with the option to take, 1 to {len(options)}")
    return 1 if apply is None and write else apply


# --- words and tables -------------------------------------------------------------------------------------------------


def _print_round(event: Event, paired: Round) -> None:
    names, points = _names(event), points_before(event, paired.number)
    rows = []
    for seat in paired.seats:
        if isinstance(seat, Bye):
            bye = "awarded bye" if seat.kind is ByeKind.AWARDED else "bye"
            rows.append(("", names[seat.player], str(points[seat.player]), bye, ""))
        else:
            first, second = ((names[player], str(points[player])) for player in (seat.first, seat.second))
            rows.append((str(seat.table), *first, *second))
    output.print_table(
        ("table", "player", "points", "opponent", "points"),
        rows,
        title=f"{event.name}: round {paired.number}",
        numbers=("table", "points"),
    )


def _print_certificate(certificate: Certificate) -> None:
    cost = certificate.cost
    output.print_styled(f"Certificate of round {certificate.number}", "bold")
    rows = [
        ("1", "left without a table or the bye", str(cost.left_out)),
        ("2", "rematches", str(len(cost.rematches))),
        ("2", "tables of two to be kept apart", str(cost.apart)),
        ("3", "byes that the bye's holder had before", str(cost.byes_before)),
        ("4", "points of the bye's holder", str(cost.bye_points)),
        ("5", "squared differences of points, in sum", str(cost.gaps)),
    ]
    output.print_table(("level", "what is kept low", "value"), rows, numbers=("level", "value"))
    for reason in (*certificate.rematches, *certificate.apart, *certificate.byes, *certificate.floats):
        output.print_text(f"  {reason.sentence}")
    output.print_text(
        f"  not proven: {certificate.unproven}"
        if certificate.unproven
        else "  No round is better on these levels; --json has the numbers that prove it."
    )
    output.print_text(f"  Between equally good rounds the draw chose: {certificate.draw!r}")
    output.print_text(f"  digest {certificate.digest}\n")


def _print_comparison(paired: Round, played: Round) -> None:
    if digest_of(paired) == digest_of(played):
        output.print_styled(f"Round {played.number} of the file is this round.", "green")
    else:
        output.print_styled(f"Round {played.number} of the file is another round.", "yellow")


def _print_correction(event: Event, number: int, table: int, result: Result) -> None:
    names, match = _names(event), pairing_at(event, number, table)
    before = _games(match.result) if match.result else "open"
    said = f"{names[match.first]} and {names[match.second]}: {before}, now {_games(result)}"
    output.print_text(f"Round {number}, table {table}, {said}\n")


def _games(result: Result) -> str:
    """A result as people say it: the drawn games only if there are any, the ending only if it is not the usual one."""
    drawn = f"-{result.drawn}" if result.drawn else ""
    ending = "" if result.ending is Ending.PLAYED else f" ({result.ending})"
    return f"{result.first}-{result.second}{drawn}{ending}"


def _print_options(event: Event, options: Sequence[Option]) -> None:
    names = _names(event)
    rows = [
        (
            str(number),
            str(option.mend),
            str(len(option.added)),
            str(len(option.cost.rematches)),
            str(option.cost.apart),
            str(option.cost.gaps),
        )
        for number, option in enumerate(options, start=1)
    ]
    columns = ("option", "way", "new tables", "rematches", "kept apart broken", "squared differences")
    title = f"{event.name}: ways to go on with round {event.rounds[-1].number}"
    output.print_table(columns, rows, title=title, numbers=(columns[0], *columns[2:]))
    for number, option in enumerate(options, start=1):
        if option.removed or option.added:
            output.print_styled(f"Option {number}", "bold")
        for seat in option.removed:
            output.print_styled(f"  - {_seat(seat, names)}", "red")
        for seat in option.added:
            output.print_styled(f"  + {_seat(seat, names)}", "green")


def _seat(seat: Seat, names: Mapping[PlayerId, str]) -> str:
    if isinstance(seat, Bye):
        return f"a bye for {names[seat.player]}"
    return f"table {seat.table}: {names[seat.first]} and {names[seat.second]}"


def _print_judgements(event: Event, judged: Sequence[tuple[Round, Judgement]]) -> None:
    rows = [
        (
            str(played.number),
            "none" if not judgement.faults else str(len(judgement.faults)),
            "yes" if judgement.is_best else "no",
            "yes" if documents.as_drawn(judgement) else "no",
        )
        for played, judgement in judged
    ]
    columns = ("round", "faults", "none better", "as drawn")
    output.print_table(columns, rows, numbers=("round",))
    for played, judgement in judged:
        for fault in judgement.faults:
            output.print_styled(f"round {played.number}{_at(fault)}: {fault.sentence} ({fault.rule})", "bold red")
        for note in judgement.notes:
            output.print_text(f"round {played.number}{_at(note)}: {note.sentence}, which no round could avoid")
        if stood := event.stood.get(played.number):
            tables = ", ".join(map(str, stood))
            output.print_text(
                f"round {played.number}: not judged, since others were changed around them: table {tables}"
            )


def _at(fault: Fault) -> str:
    return "" if fault.table is None else f", table {fault.table}"


def _names(event: Event) -> Mapping[PlayerId, str]:
    """What to call everybody: the name, with the id where two have one name."""
    several = {name for name, times in Counter(player.name for player in event.players).items() if times > 1}
    return {
        player.id: f"{player.name} ({player.id})" if player.name in several else player.name for player in event.players
    }


def _record(record: Record) -> str:
    """Matches won, lost and drawn, byes among the won ones, as players say it."""
    return f"{record.wins + record.byes}-{record.losses}-{record.draws}"


_DECIMALS: Final = 4


def _decimals(values: Sequence[Fraction]) -> list[str]:
    """A column of tiebreaks for the eye; sums of points have halves at most, rates need more."""
    digits = _DECIMALS if any(value.denominator > 2 for value in values) else 1  # noqa: PLR2004 - halves
    return [f"{float(value):.{digits}f}" for value in values]


def _in_file(event: Event, number: int) -> int:
    """The number, if the file has that round."""
    if number > len(event.rounds):
        raise typer.BadParameter(f"there is no round {number}; the file has {_count(len(event.rounds), 'round')}")
    return number


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
