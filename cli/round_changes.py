"""`deckproof round why`, `swap`, `ways`, `mend`, …: why a round is as it is, and how its tables change."""

import sys
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

import typer

from cli import asking, output
from cli.desk import Desk, acting, given, looking
from cli.reports import named, players_of, read_one
from cli.round_tables import last_published
from cli.screen import plain_text
from tournament.domain.amounts import counted

app = asking.new_app()

Numbers = Annotated[
    list[int], typer.Argument(min=1, metavar="NUMBER", help="Two players who change places; or more pairs.")
]
Tables = Annotated[list[int], typer.Argument(min=1, metavar="TABLE", help="A table and where it goes; or more pairs.")]
Latest = Annotated[int | None, typer.Argument(metavar="ROUND", help="[default: the latest, or its draft]")]
OfRound = Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="[default: the latest, or its draft]")]
EvenSo = Annotated[bool, typer.Option("--even-so", help="Also if the round is worse than without the change.")]
Correct = Annotated[
    str | None, typer.Option("--correct", metavar="'TABLE RESULT'", help="A result that was wrong, right.")
]
WrongIn = Annotated[
    int | None,
    typer.Option("--round", min=1, metavar="N", help="Of the wrong result.  [default: the last published one]"),
]
Leaves = Annotated[int | None, typer.Option("--leaves", min=1, metavar="NUMBER", help="Who left before playing.")]
SitsDown = Annotated[
    int | None, typer.Option("--sits-down", min=1, metavar="NUMBER", help="Who came late, or came back.")
]
Playing = Annotated[
    list[int] | None, typer.Option("--playing", min=1, metavar="TABLE", help="A table that must stand.")
]
_LEVELS: Final = {
    "left_out": "left out",
    "rematches": "rematches",
    "apart": "pairs kept apart",
    "byes_before": "byes that the holder had",
    "bye_points": "points of the bye's holder",
    "gaps": "squared differences of points",
}
_OPTION: Final = 10
"""Characters of an option's digest that a person reads; any beginning that no other has will do."""


@looking(app)
def why(desk: Desk, number: Latest = None) -> None:
    """Why the round is paired as it is; --json has the proof that no better one exists."""
    number = _latest(desk) if number is None else number

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        output.print_text(f"Round {number} ({document['pairing']}), players by their numbers:")
        for sentence in document["words"]:
            output.print_text(f"  {plain_text(sentence)}")
        if not document["as_paired"]:
            output.print_text(f"Tables were changed since: `deckproof round changes {number}`.")

    desk.listed(f"/rounds/{number}/certificate", draw)


@looking(app)
def changes(desk: Desk, number: Latest = None) -> None:
    """What was changed after the round was paired, by hand or to mend a mistake, and why."""
    number = _latest(desk) if number is None else number
    names = {} if desk.as_json else desk.names()

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        for change in document["changes"]:
            output.print_styled(plain_text(f"row {change['sequence']}, {change['how']}: {change['because']}"), "bold")
            _print_seats(change, names)
            for worse in change["worse"]:
                output.print_text(f"  worse: {plain_text(worse)}")
        if not document["changes"]:
            output.print_text(f"round {number} is as it was paired")

    desk.listed(f"/rounds/{number}/changes", draw)


@acting(app)
def swap(desk: Desk, numbers: Numbers, *, number: OfRound = None, even_so: EvenSo = False) -> None:
    """Let players change places, in a draft or where nobody has reported.

    There has to be a --reason, which is public.
    """
    swaps = [{"one": one, "other": other} for one, other in _pairs(numbers)]
    _change(desk, number, {"swaps": swaps, "even_so": even_so})


@acting(app)
def move(desk: Desk, tables: Tables, *, number: OfRound = None, even_so: EvenSo = False) -> None:
    """Let pairings change tables; if somebody sits there, they change.

    There has to be a --reason, which is public.
    """
    moves = [{"table": one, "to": other} for one, other in _pairs(tables)]
    _change(desk, number, {"moves": moves, "even_so": even_so})


@looking(app)
def ways(
    desk: Desk,
    *,
    correct: Correct = None,
    number: WrongIn = None,
    leaves: Leaves = None,
    sits_down: SitsDown = None,
    playing: Playing = None,
) -> None:
    """The ways to go on after a mistake, each with what it costs. Nothing is changed.

    Name one of --correct, --leaves and --sits-down; none: by what was corrected since the round was paired.
    """
    mistake = _mistake(desk, correct, number, leaves=leaves, sits_down=sits_down, playing=playing)
    found = desk.look("/rounds/repair/preview", mistake)
    if desk.as_json:
        output.print_json(found)
    else:
        _print_ways(found, desk.names())
        _print_how_to_take_one(found)


@acting(app)
def mend(
    desk: Desk,
    option: Annotated[
        str | None, typer.Argument(metavar="OPTION", help="As `ways` shows it, or its beginning.  [default: asked for]")
    ] = None,
    *,
    correct: Correct = None,
    number: WrongIn = None,
    leaves: Leaves = None,
    sits_down: SitsDown = None,
    playing: Playing = None,
) -> None:
    """Mend the round that is played, in one of the ways that `ways` shows; result and tables change in one step.

    If somebody changed the tables since you looked, the way is refused, and you look again.
    """
    mistake = _mistake(desk, correct, number, leaves=leaves, sits_down=sits_down, playing=playing)
    found = desk.look("/rounds/repair/preview", mistake)
    names = {} if desk.as_json else desk.names()
    way = _chosen(found, names) if option is None else _meant(found, option)
    receipt = desk.do("/rounds/repair", {**mistake, "option": way})
    if not desk.as_json:
        _print_seats(receipt["fact"], names)
    desk.tell(receipt, f"mended: {receipt['fact']['option']['way']}")


def _change(desk: Desk, number: int | None, asked: dict[str, object]) -> None:
    desk.explained()
    number = _latest(desk) if number is None else number
    receipt = desk.do(f"/rounds/{number}/swap", asked)
    fact = receipt["fact"]
    if not desk.as_json:
        _print_seats(fact, desk.names())
        for worse in fact["worse"]:
            output.print_text(f"  worse: {plain_text(worse)}")
    desk.tell(receipt, f"{counted(len(fact['added']), 'seat')} of round {number} changed")


def _latest(desk: Desk) -> int:
    """The draft, or the round that was published last. Raises: Refused."""
    numbers = [one["number"] for one in desk.read("/rounds")["rounds"]]
    return int(max(numbers)) if numbers else last_published(desk)


def _mistake(
    desk: Desk,
    correct: str | None,
    number: int | None,
    *,
    leaves: int | None,
    sits_down: int | None,
    playing: list[int] | None,
) -> dict[str, object]:
    if sum(one is not None for one in (correct, leaves, sits_down)) > 1:
        raise typer.BadParameter("name one of --correct, --leaves and --sits-down; mend one mistake after the other")
    mistake = given(leaves=leaves, sits_down=sits_down) | {"playing": playing or []}
    if correct is not None:
        report = read_one(correct.split())
        if report is None or report.is_match:
            raise typer.BadParameter(f"--correct {correct!r}: write a table and the right result, such as '12 2-1'")
        games = report.games(desk.read()["best_of"] if report.is_agreed else 0)
        of = last_published(desk) if number is None else number
        mistake["correct"] = {"round": of, "table": int(report.place), "games": games}
    return mistake


def _meant(found: Any, option: str) -> str:  # noqa: ANN401 - any JSON
    """The option that begins so; if none does, what was said, which the service refuses."""
    many = len(found["options"])
    options = [one["option"] for one in found["options"] if one["option"].startswith(option.lower())]
    if option.isdigit() and 1 <= int(option) <= many:  # whether or not some option begins so
        meant = found["options"][int(option) - 1]["option"][:_OPTION]
        raise typer.BadParameter(
            f"{option!r} is a place in a list that others may change; name the option itself: {meant} now"
        )
    if len(options) > 1:
        raise typer.BadParameter(f"{option!r} begins several options: {', '.join(options)}")
    return options[0] if options else option


def _chosen(found: Any, names: Mapping[int, str]) -> str:  # noqa: ANN401 - any JSON
    """What a person says who is shown the ways."""
    if not sys.stdin.isatty():
        raise typer.BadParameter("name an OPTION, as `deckproof round ways` shows them")
    _print_ways(found, names)
    many = len(found["options"])
    chosen = typer.prompt(f"Which way, 1 to {many}", err=True, type=int)
    if not 1 <= chosen <= many:
        raise typer.BadParameter(f"there are ways 1 to {many}")
    return str(found["options"][chosen - 1]["option"])


def _print_how_to_take_one(found: Any) -> None:  # noqa: ANN401 - any JSON
    if found["options"]:
        shown = found["options"][-1]["option"][:_OPTION]
        output.print_note(f"to take one, name its option, and the mistake as here: `deckproof round mend {shown} …`")


def _many(value: Any) -> int:  # noqa: ANN401 - any JSON
    return len(value) if isinstance(value, list) else int(value)


def _pairs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    if len(numbers) % 2:
        raise typer.BadParameter("name them two by two")
    return zip(numbers[::2], numbers[1::2], strict=True)


def _print_ways(found: Any, names: Mapping[int, str]) -> None:  # noqa: ANN401 - any JSON
    output.print_text(plain_text(found["because"]))
    for at, way in enumerate(found["options"], start=1):
        cost = ", ".join(f"{_LEVELS.get(level, level)} {_many(value)}" for level, value in way["cost"].items() if value)
        output.print_styled(f"{at}. {way['way']} (option {way['option'][:_OPTION]})", "bold")
        output.print_text(f"  {counted(way['changes'], 'change')}; cost: {plain_text(cost) or 'none'}")
        _print_seats(way, names)


def _print_seats(change: Any, names: Mapping[int, str]) -> None:  # noqa: ANN401 - any JSON
    for name, sign in (("removed", "-"), ("added", "+")):
        for seat in change[name]:
            output.print_text(f"  {sign} {_seat(seat, names)}")


def _seat(seat: Any, names: Mapping[int, str]) -> str:  # noqa: ANN401 - any JSON
    who = named(players_of(seat), names)
    return f"bye: {who}" if seat["table"] is None else f"table {seat['table']}: {who}"
