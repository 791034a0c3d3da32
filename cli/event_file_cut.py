"""`deckproof event-file cut`, `match`, `places`: from the standings to the final places."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, TypeVar

import typer

from cli import asking, output
from cli.event_file_options import File, FileToChange, Results, players_called, results_in
from cli.event_file_store import read, read_to_change, save
from cli.event_file_words import players_text, say_whether_written, say_written
from tournament.domain import bracket_moves, bracket_text
from tournament.domain.amounts import counted
from tournament.domain.bracket import (
    Bracket,
    DoubleLosses,
    Draws,
    Entry,
    Left,
    Redrawn,
    Reported,
    finished,
    matches,
    ready,
    reports,
    winner,
)
from tournament.domain.bracket_moves import Change
from tournament.domain.bracket_plan import Form, MatchId
from tournament.domain.errors import ResultsRefused, TournamentError
from tournament.domain.model import Names, Result
from tournament.event_file import Event, documents
from tournament.event_file.answers import cut_of, places_of
from tournament.event_file.names import namer, names_of
from tournament.event_file.outlook import preview_of
from tournament.event_file.playing import games_text

# --- who is in --------------------------------------------------------------------------------------------------------


def cut(
    *,
    file: File,
    top: Annotated[int, typer.Option("--top", min=2, metavar="N", help="How many play on.")],
    double: Annotated[bool, typer.Option("--double", help="Double elimination.")] = False,
    third_place: Annotated[bool, typer.Option("--third-place", help="With a match for the third place.")] = False,
    draws: Annotated[
        str, typer.Option("--draws", metavar="RULE", help=f"What a drawn match means: {', '.join(Draws)}.")
    ] = Draws.SUDDEN_DEATH,
    double_losses: Annotated[
        str, typer.Option("--double-losses", metavar="RULE", help=f"When both lose: {', '.join(DoubleLosses)}.")
    ] = DoubleLosses.BOTH_OUT,
    preview: Annotated[
        bool, typer.Option("--preview", help="Only who is in, and what hangs on the tiebreaks and on the draw.")
    ] = False,
    write: Annotated[bool, typer.Option("--write", help="Add the cut to FILE, whole or not at all.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Seed the best N into a new bracket."""
    if double and third_place:
        raise typer.BadParameter("--third-place belongs to single elimination; --double has a third place anyway")
    if preview and write:
        raise typer.BadParameter("--preview only shows; leave it away to write")
    stored = read_to_change(file)
    event = stored.event
    if preview:
        _preview(event, top, as_json=as_json)
        return
    if write and event.cut is not None:
        raise typer.BadParameter(f"{file} has a cut already; `event-file match` reports its matches")
    made = cut_of(event, top)
    form = Form.DOUBLE if double else Form.SINGLE_WITH_THIRD_PLACE if third_place else Form.SINGLE
    bracket = bracket_moves.start(
        made.seeds,
        form=form,
        draws=_one_of("--draws", draws, Draws),
        double_losses=_one_of("--double-losses", double_losses, DoubleLosses),
    )
    if write:
        save(stored, replace(event, cut=bracket))
    name = namer(event)
    if as_json:
        output.print_json(
            {
                "top": top,
                "form": str(form),
                "seeds": [{"seed": seed, "player": player} for seed, player in enumerate(made.seeds, start=1)],
                "ties": documents.ties_document(made.ties, name),
                "matches": documents.bracket_document(bracket),
                "written": write,
            }
        )
        return
    output.print_text(bracket_text.text(bracket, name))
    for tie in made.ties:
        output.print_text(f"\n{tie.told(name)}")
    output.print_text()
    say_whether_written(file, written=write)


_Rule = TypeVar("_Rule", Draws, DoubleLosses)


def _one_of(option: str, word: str, rules: type[_Rule]) -> _Rule:
    known = {str(rule): rule for rule in rules} | {str(rule).replace(" ", "-"): rule for rule in rules}
    if word not in known:
        raise typer.BadParameter(f"{option} {word!r}: it may be {', '.join(rules)}")
    return known[word]


def _preview(event: Event, top: int, *, as_json: bool) -> None:
    """Who is in by the standings as they are, and what would change that."""
    found, name = preview_of(event, top), namer(event)
    ties = () if event.open_tables else cut_of(event, top).ties
    if as_json:
        output.print_json(
            {"top": top, "open_tables": documents.open_document(event.open_tables)}
            | documents.sensitivity_document(found, name)
            | {"ties": documents.ties_document(ties, name)}
        )
        return
    output.print_styled(f"{event.name}: the cut to {top} by {found.preset}", "bold")
    output.print_text(f"in: {', '.join(map(name, found.inside)) or 'nobody for certain'}")
    if found.at_the_line:
        output.print_text(f"level at the line, so that the draw decides: {', '.join(map(name, found.at_the_line))}")
    for tie in ties:
        output.print_text(tie.told(name))
    for change in found.changes:
        for sentence in change.told(name):
            output.print_text(sentence)
    if found.is_firm:
        output.print_styled(f"The same {counted(top, 'player')} are in under every preset.", "green")
    if event.open_tables:
        output.print_note(f"{counted(len(event.open_tables), 'open table')} not counted.")


# --- matches ----------------------------------------------------------------------------------------------------------

Ids = list[str] | None


def match(
    *,
    file: FileToChange,
    results: Results = None,
    drop: Annotated[Ids, typer.Option("--drop", metavar="ID", help="Somebody who left the cut.")] = None,
    disqualify: Annotated[
        Ids, typer.Option("--disqualify", metavar="ID", help="Somebody who takes no place; everybody below moves up.")
    ] = None,
    redraw: Annotated[
        bool, typer.Option("--redraw", help="Draw the round to come anew among those who remain.")
    ] = False,
    correct: Annotated[bool, typer.Option("--correct", help="In the place of the results that are there.")] = False,
    replay: Annotated[
        bool, typer.Option("--replay", help="With --correct: later matches may have to be played again.")
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take back what was written last.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Write what happened in the cut: results such as M1.2 2-1, and who left.

    Games are those won by the first player of the match, by the second, and drawn. All is written or nothing.
    """
    stored = read_to_change(file)
    event = stored.event
    if event.cut is None:
        raise typer.BadParameter(f"{file} has no cut; `event-file cut FILE --top N --write` begins one")
    told = results_in(results or (), None)
    if not (told or drop or disqualify or redraw or undo):
        raise typer.BadParameter("nothing is reported; write matches and games, such as M1.2 2-1")
    name = namer(event)
    bracket, taken_back = _without_last(event.cut) if undo else (event.cut, None)
    before = len(bracket.log)
    bracket = bracket_moves.drop(bracket, *players_called(event, drop or ()))
    bracket = bracket_moves.disqualify(bracket, *players_called(event, disqualify or ()))
    bracket = bracket_moves.redraw(bracket) if redraw else bracket
    happened = bracket.log[before:]
    bracket, changed = _reported(bracket, told, correct=correct, replay=replay, name=name)
    after = replace(event, cut=bracket)
    save(stored, after)
    reported = [MatchId(where) for where, _ in told]
    if as_json:
        output.print_json(
            {
                "reported": reported,
                "changed": documents.changes_document(changed, name),
                "ready": [one.id for one in ready(bracket)],
                "finished": finished(bracket),
                "matches": documents.bracket_document(bracket),
                "written": True,
            }
        )
        return
    if taken_back is not None:
        output.print_text(f"taken back: {_line_text(taken_back, name)}")
    for line in happened:
        output.print_text(_line_text(line, name))
    _print_reported(after, bracket, reported)
    for change in changed:
        output.print_styled(f"changed: {change.told(name)}", "yellow")
    _print_ready(after, bracket)
    say_written(file)


def _reported(
    bracket: Bracket, told: Sequence[tuple[str, Result]], *, correct: bool, replay: bool, name: Names
) -> tuple[Bracket, list[Change]]:
    """The bracket with the results, and the matches that corrections changed.

    Raises:
        ResultsRefused: with everything that cannot be written.
    """
    faults: list[str] = []
    changed: list[Change] = []
    for where, result in told:
        id_ = MatchId(where)
        try:
            known = reports(bracket).get(id_)
            if correct and known is not None:
                correction = bracket_moves.correct(bracket, id_, result)
                if correction.replay and not replay:
                    again = "; ".join(change.told(name) for change in correction.replay)
                    faults.append(f"{where}: to be played again, which --replay agrees to: {again}")
                    continue
                bracket, changed = correction.bracket, [*changed, *correction.replay, *correction.moved]
            elif known is not None and known.result != result:
                had = _line_text(known, name).partition(": ")[2]
                faults.append(f"{where} has a result, {had}; --correct puts this one in its place")
            else:
                bracket = bracket_moves.report(bracket, id_, result)
        except TournamentError as error:
            faults.append(str(error))
    if faults:
        raise ResultsRefused(faults)
    return bracket, changed


def _without_last(bracket: Bracket) -> tuple[Bracket, Entry]:
    if not bracket.log:
        raise typer.BadParameter("--undo: nothing has happened in the cut yet")
    return bracket_moves.undo_line(bracket, len(bracket.log) - 1).bracket, bracket.log[-1]


def _line_text(line: Entry, name: Names) -> str:
    match line:
        case Reported():
            return f"{line.match}: {name(line.first)} {games_text(line.result)} {name(line.second)}"
        case Left():
            return f"{line.why}: {', '.join(map(name, line.players))}"
        case Redrawn():
            return f"round {line.round} is drawn anew"


def _print_reported(event: Event, bracket: Bracket, reported: Sequence[MatchId]) -> None:
    names = names_of(event)
    for one in matches(bracket):
        if one.id in reported and one.outcome and one.outcome.result:
            output.print_text(f"{one.id}: {players_text(one, names, games_text(one.outcome.result))}")


def _print_ready(event: Event, bracket: Bracket) -> None:
    """What can be played now; at the end, who has won."""
    names = names_of(event)
    for one in ready(bracket):
        output.print_text(f"to play: {one.id}, {players_text(one, names)}")
    if finished(bracket):
        best = winner(bracket)
        won = "nobody has won" if best is None else f"{names[best]} has won"
        output.print_styled(f"The cut is over: {won}. `event-file places` has every place.", "green")


# --- places -----------------------------------------------------------------------------------------------------------


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
    name = namer(event)
    if event.cut is not None:
        bracket = bracket_text.text(event.cut, name)
        output.print_text(bracket.partition("\n\nPlaces\n")[0] + "\n")
    for place in found:
        output.print_text(bracket_text.place_text(place, name))
