"""`deckproof event-file new`, `add`, `drop`, `return`: who is in an event."""

from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom
from typing import Annotated, Final

import typer

from cli import asking, output
from cli.event_file_options import FROM_STANDARD_INPUT, FileToChange, players_called, text_of
from cli.event_file_store import create, read_to_change, save
from cli.event_file_words import say_written
from tournament.domain.amounts import counted
from tournament.domain.model import Player, PlayerId
from tournament.domain.presets import PRESETS, preset_named
from tournament.domain.results import MatchFormat
from tournament.event_file import Event, fields
from tournament.event_file.entering import NameList, Newcomer, dropped, entered, name_list, returned
from tournament.event_file.model import USUAL_PRESET
from tournament.event_file.names import names_of

Names = Annotated[
    list[str] | None, typer.Argument(metavar="NAMES", help="Names, in quotes if they have spaces; - for lines.")
]
ListFile = Annotated[
    Path | None,
    typer.Option("--list", metavar="LIST", help="Names from a file: one a line, or a CSV with a column name."),
]
Namesakes = Annotated[bool, typer.Option("--namesakes", help="Two players may have one name.")]
Ids = Annotated[list[str], typer.Argument(metavar="IDS", help="Of players; a name does where only one has it.")]


def new(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The event file to be made.")],
    names: Names = None,
    name: Annotated[str, typer.Option("--name", help="What the event is called.")],
    list_file: ListFile = None,
    namesakes: Namesakes = False,
    game: asking.Game = None,
    preset: Annotated[
        str, typer.Option("--preset", help=f"How standings are computed: {', '.join(PRESETS)}.")
    ] = USUAL_PRESET,
    best_of: Annotated[
        int | None, typer.Option("--best-of", metavar="N", help="How many games decide a match: 1, 3 or 5.")
    ] = None,
    draw: Annotated[
        str | None, typer.Option("--draw", metavar="WORDS", help="The public draw.  [default: dice of this computer]")
    ] = None,
    as_json: asking.Json = False,
) -> None:
    """Begin an event: a file with the players, whose ids are made of their names.

    Never replaces a file.
    """
    if best_of not in (None, *MatchFormat):
        raise typer.BadParameter(f"--best-of {best_of}: it may be {', '.join(map(str, map(int, MatchFormat)))}")
    rolled = draw is None
    begun = Event(
        name=_line("--name", name),
        game=_line("--game", game or asking.settings().game),
        draw=_line("--draw", _dice() if draw is None else draw),
        preset=preset_named(preset).name,
        best_of=None if best_of is None else MatchFormat(best_of),
    )
    event = entered(begun, _newcomers(names, list_file), namesakes=namesakes)
    create(file, event)
    if as_json:
        output.print_json(
            {"file": str(file), "draw": event.draw, "players": [_player_document(one) for one in event.players]}
        )
        return
    _print_ids(event.players)
    output.print_text(f"Draw: {event.draw}")
    if rolled:
        output.print_note(
            "This computer threw the dice; who may not trust it throws some in front of everybody: --draw."
        )
    say_written(file)


def add(
    *,
    file: FileToChange,
    names: Names = None,
    list_file: ListFile = None,
    number: Annotated[
        int | None, typer.Option("--round", min=1, metavar="N", help="Paired from then on.  [default: the next round]")
    ] = None,
    namesakes: Namesakes = False,
    as_json: asking.Json = False,
) -> None:
    """Enter players, also late ones."""
    stored = read_to_change(file)
    event = stored.event
    newcomers = _newcomers(names, list_file)
    if not newcomers:
        raise typer.BadParameter("nobody is named; give names, - for lines of standard input, or --list")
    number = number or len(event.rounds) + 1
    after = entered(event, newcomers, number=number, namesakes=namesakes)
    save(stored, after)
    added = after.players[len(event.players) :]
    if as_json:
        output.print_json({"players": [_player_document(one) for one in added], "round": number, "written": True})
        return
    _print_ids(added)
    if event.rounds:
        output.print_text(f"Paired from round {number} on.")
    _say_if_paired(event, number)
    say_written(file)


def drop(
    *,
    file: FileToChange,
    ids: Ids,
    disqualified: Annotated[
        bool, typer.Option("--disqualified", help="Out of the standings too; everybody below moves up.")
    ] = False,
    as_json: asking.Json = False,
) -> None:
    """Let players go after the last round that they had a place in.

    Who has a place at an open table reports first, or is taken out of the round with `repair --drop`.
    """
    stored = read_to_change(file)
    gone = players_called(stored.event, ids)
    after = dropped(stored.event, gone, disqualified=disqualified)
    save(stored, after)
    left = _of(after, gone)
    if as_json:
        document = [{"player": one.id, "dropped_after": one.dropped_after} for one in left]
        output.print_json({"dropped": document, "disqualified": disqualified, "written": True})
        return
    called = names_of(after)
    for one in left:
        how = "is disqualified" if disqualified else "has left"
        when = f"after round {one.dropped_after}" if one.dropped_after else "without a round"
        output.print_text(f"{called[one.id]} {how} {when}.")
    say_written(file)


def return_(
    *,
    file: FileToChange,
    ids: Ids,
    number: Annotated[
        int | None, typer.Option("--round", min=1, metavar="N", help="Paired from then on.  [default: the next round]")
    ] = None,
    as_json: asking.Json = False,
) -> None:
    """Take players back who have left; the rounds that they missed are noted."""
    stored = read_to_change(file)
    event = stored.event
    back = players_called(event, ids)
    number = number or len(event.rounds) + 1
    after = returned(event, back, number=number)
    save(stored, after)
    if as_json:
        document = [{"player": one, "absent": list(after.absent.get(one, ()))} for one in back]
        output.print_json({"returned": document, "round": number, "written": True})
        return
    called = names_of(after)
    for one in back:
        missed = ", ".join(map(str, after.absent.get(one, ())))
        output.print_text(f"{called[one]} is back from round {number} on{f'; missed: {missed}' if missed else ''}.")
    _say_if_paired(event, number)
    say_written(file)


# --- names ------------------------------------------------------------------------------------------------------------


def _newcomers(names: Sequence[str] | None, list_file: Path | None) -> Sequence[Newcomer]:
    """Everybody who is named, by words, by a list, or by standard input."""
    from_input = list(names or ()) == [FROM_STANDARD_INPUT]
    given = [] if from_input else [Newcomer(" ".join(name.split())) for name in names or ()]
    lists = ([Path(FROM_STANDARD_INPUT)] if from_input else []) + ([list_file] if list_file else [])
    return [*given, *(one for path in lists for one in _listed(path).newcomers)]


def _listed(path: Path) -> NameList:
    found = name_list(text_of(path))
    if path.suffix.lower() == ".csv" and found.newcomers and not found.is_table:
        raise typer.BadParameter(f"{path}: the first line of a CSV names its columns, and one of them is name")
    if found.unused:
        output.print_note(f"not used: {', '.join(found.unused)}")
    return found


def _line(option: str, text: str) -> str:
    """The text, if an event file can hold it."""
    found = fields.Found()
    fields.text(text, (), found)
    if found.faults:
        raise typer.BadParameter(f"{option} {found.faults[0][2]}")
    return text


_THROWS: Final = 12


def _dice() -> str:
    dice = SystemRandom()
    return f"computer dice {' '.join(str(dice.randint(1, 6)) for _ in range(_THROWS))}"


def _of(event: Event, players: Sequence[PlayerId]) -> list[Player]:
    by_id = {player.id: player for player in event.players}
    return [by_id[player] for player in players]


def _player_document(player: Player) -> dict[str, str]:
    return {"id": player.id, "name": player.name}


def _print_ids(players: Sequence[Player]) -> None:
    if players:
        output.print_table(("id", "player"), [(player.id, player.name) for player in players])
    output.print_text(f"{counted(len(players), 'player')} entered.")


def _say_if_paired(event: Event, number: int) -> None:
    if number == len(event.rounds):
        output.print_note(f"Round {number} is paired already: `repair` finds a place in it.")
