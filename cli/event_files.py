"""`deckproof event-file …`: a whole event in one file, without a server."""

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
from tournament.domain import bracket_moves, bracket_text
from tournament.domain.bracket_plan import Form
from tournament.domain.certificate import Certificate
from tournament.domain.model import Bye, ByeKind, PlayerId, Round
from tournament.domain.presets import PRESETS, preset_named
from tournament.domain.tiebreaks import Record
from tournament.event_file import MOST_BYTES, Event, documents, parse_event_file, write_event_file
from tournament.event_file.answers import (
    certified_round,
    cut_of,
    paired_round,
    points_before,
    records_of,
    standings_of,
    with_round,
)
from tournament.event_file.simulation import simulate as play

app = asking.new_app(no_args_is_help=True)

File = Annotated[Path, typer.Argument(metavar="FILE", help="The event file; - reads standard input.")]
Players = Annotated[int, typer.Option("--players", min=1, max=20_000, help="How many enter.")]
Rounds = Annotated[int, typer.Option("--rounds", min=1, max=100, help="How many are played.")]

SCHEMA: Final = "event-file.schema.json"


@app.callback()
def _event_files() -> None:
    """A whole event in one file: pair, rank, repair, cut, judge. Needs no server.

    docs/guide/event-file.md describes the file.
    """


# --- commands ---------------------------------------------------------------------------------------------------------


@app.command()
def check(*, file: File, as_json: asking.Json = False) -> None:
    """Can a file be read? Names everything that is wrong with it, each with line and place."""
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
    write: Annotated[bool, typer.Option("--write", help="Add the round to FILE, whole or not at all.")] = False,
    again: Annotated[
        int | None, typer.Option("--again", min=1, metavar="ROUND", help="Pair a round of the past once more.")
    ] = None,
    certificate: Annotated[
        bool, typer.Option("--certificate", help="Say why the round is as it is, and prove that none is better.")
    ] = False,
    as_json: asking.Json = False,
) -> None:
    """Pair the next round. The same file always gives the same round."""
    if again is not None and write:
        raise typer.BadParameter("--again shows a round that is in the file already; --write would add it twice")
    event = _read(file)
    number = None if again is None else _round_of(event, again)
    with output.progress("Pairing…"):
        paired, why = certified_round(event, number) if certificate else (paired_round(event, number), None)
    if write:
        _save(file, with_round(event, paired))
    if as_json:
        document = {"round": paired.number, "pairings": documents.pairings_document(paired), "written": write}
        output.print_json(document | ({"certificate": documents.certificate_document(why)} if why else {}))
        return
    _print_round(event, paired)
    if why:
        _print_certificate(why)
    if again is None:
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
    """Who stands where. Tiebreaks are exact; --json gives them as fractions."""
    event = _read(file)
    chosen = preset_named(preset or event.preset)
    last = _round_of(event, after)
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
        title=f"{event.name}: {chosen.title}, after round {last}",
        numbers=("place", "points", *heads),
    )
    if open_tables:
        output.print_note(f"{_count(len(open_tables), 'open table')} not counted.")


@app.command()
def cut(
    *,
    file: File,
    top: Annotated[int, typer.Option("--top", min=2, metavar="N", help="How many play on.")],
    double: Annotated[bool, typer.Option("--double", help="Double elimination.")] = False,
    third_place: Annotated[bool, typer.Option("--third-place", help="With a match for the third place.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Seed the best N into a bracket."""
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
    """Play an event that nobody plays, and print its file. The same numbers give the same event."""
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


# --- words and tables -------------------------------------------------------------------------------------------------


def _print_round(event: Event, paired: Round) -> None:
    names, points = _names(event), points_before(event, paired.number)
    rows = []
    for seat in paired.seats:
        if isinstance(seat, Bye):
            bye = "awarded bye" if seat.kind is ByeKind.AWARDED else "bye"
            rows.append(("", names[seat.player], str(points[seat.player]), bye, ""))
        else:
            first, second = (f"{names[player]}" for player in (seat.first, seat.second))
            rows.append((str(seat.table), first, str(points[seat.first]), second, str(points[seat.second])))
    output.print_table(
        ("table", "player", "points", "opponent", "points "),
        rows,
        title=f"{event.name}: round {paired.number}",
        numbers=("table", "points", "points "),
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


def _round_of(event: Event, asked: int | None) -> int:
    """The last round, or the one that was asked for."""
    last = len(event.rounds)
    if asked is not None and asked > last:
        raise typer.BadParameter(f"there is no round {asked}; the file has {_count(last, 'round')}")
    return last if asked is None else asked


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
