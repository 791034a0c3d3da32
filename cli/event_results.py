"""`deckproof event report`, `correct` and `standings`: results, one, or a stack of slips; and who stands where."""

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Final

import typer

from cli import asking, output, slips
from cli.desk import USUAL_PAUSE, Desk, Every, Round, Watch, acting, looking
from cli.reports import ENDINGS, Report, reports_from, said_of
from cli.round_tables import last_published
from cli.several import Several

app = asking.new_app()

_DECIMALS: Final = 4
_SLIP: Final = 2
"""Words of a slip: a table and its result."""
_SHOWN: Final = 20
"""Tables that are named at the end; more are a number."""
Reported = Annotated[
    list[str] | None,
    typer.Argument(metavar="REPORT", help="12 2-1, or several: 12 2-1 13 draw. None: lines, typed in or of a file."),
]


@acting(app)
def report(desk: Desk, said: Reported = None, *, number: Round = None) -> None:
    """Report tables: deckproof event report 12 2-1.

    A table, or a match of the cut such as M1.2, and its result: 2-1, 2-1-1 with a drawn game, draw (agreed before the
    first game), double-loss, or games with how the match ended: 2-0 no-show, 2-1 concession. At a table of several the
    numbers of the players by their places: 12 17,4=9,3 where 4 and 9 are second together, or 12 17,rest. The same
    result again is no second report, so a list that was broken off can be sent again.

    Without words it reads a stack of slips from standard input, a table a line, and says at the end which tables are
    still missing; a digit may stand for a result there (`?` at a terminal shows which). At a terminal it asks for one
    slip after the other.
    """
    if not said and sys.stdin is not None and sys.stdin.isatty() and not desk.as_json:
        slips.entered(desk, last_published(desk) if number is None else number)
        return
    _send(desk, said, number, "POST")


@acting(app)
def correct(
    desk: Desk,
    said: Reported = None,
    *,
    number: Round = None,
    seen: Annotated[
        str | None, typer.Option("--seen", help="Of a correction in the cut that changes other matches.")
    ] = None,
) -> None:
    """Put another result in place of a wrong one, written as for `report`.

    A correction in the cut that changes other matches is refused first; the refusal names them, and what to give as
    --seen. What the correction of a table would mean for the round that is played, `round ways` tells.
    """
    _send(desk, said, number, "PUT", seen)


@looking(app)
def standings(
    desk: Desk,
    *,
    after: Annotated[int | None, typer.Option("--after", min=1, metavar="ROUND", help="As they were then.")] = None,
    watch: Watch = False,
    every: Every = USUAL_PAUSE,
) -> None:
    """Who stands where, after the last closed round."""
    names: dict[int, str] = {}

    def draw(document: dict[str, Any]) -> None:
        lines = document["standings"]
        if any(line["player"] not in names for line in lines):
            names.update(desk.names())
        heads = list(lines[0]["tiebreaks"]) if lines else []
        rows = [
            (
                str(line["place"]),
                str(line["player"]),
                names[line["player"]] + (" (dropped)" if line["dropped"] else ""),
                str(line["match_points"]),
                _record(line["record"]),
                *(_decimal(line["tiebreaks"][head]) for head in heads),
            )
            for line in lines
        ]
        title = f"{desk.title}: after round {document['after']} ({document['preset']})"
        columns = ("place", "no.", "player", "points", "record", *heads)
        output.print_table(columns, rows, title=title, numbers=("place", "no.", "points", *heads))

    desk.show("/standings", draw, watch=watch, every=every, after=after)


def _send(desk: Desk, said: list[str] | None, number: int | None, method: str, seen: str | None = None) -> None:
    reports = reports_from(said, partial(_spelled, desk))
    of_tables = any(not report.is_match for report in reports)
    number = last_published(desk) if of_tables and number is None else number
    seats, best_of = _seated(desk, number if of_tables else None, reports)
    names = {} if desk.as_json else desk.names()
    several = Several(desk)
    for report in reports:
        where, more = f"/rounds/{number}/tables/{report.place}", {}
        if report.is_match:
            where, more = f"/cut/matches/{report.place}", {"seen": seen} if seen else {}
        body = {"games": report.games(best_of, seats.get(report.place)), **more}
        with several.trying(str(report)):
            receipt = desk.do(f"{where}/result", body, method=method, step=f"/{number}-{report.place}")
            seat = receipt["fact"] if report.is_match and method == "POST" else seats.get(report.place)
            several.add(receipt, said_of(report, best_of, seat, names))
    if of_tables and not desk.as_json:
        if method == "PUT":
            _print_later_round(desk, int(number or 0))
        elif not said:
            output.print_text(missing_of(desk.read(f"/rounds/{number}/missing")))
    several.end()


def _print_later_round(desk: Desk, number: int) -> None:
    """A round that is played was paired with the result from before: what may be done about it."""
    rounds = desk.read("/rounds")["rounds"]
    if any(one["number"] > number and one["published_at"] and not one["closed_at"] for one in rounds):
        output.print_note(
            "the round that is played was paired with the result from before, and stays so; "
            "`deckproof round ways` shows what changing tables would come to"
        )


def _spelled(desk: Desk, words: Sequence[str]) -> Sequence[str]:
    """A line of a stack: where it is one slip, a digit stands for a result as it does at a terminal."""
    one_slip = len(words) == _SLIP or (len(words) == _SLIP + 1 and words[-1] in ENDINGS)
    if not one_slip or not words[1].isdigit():
        return words
    return slips.spelled_out(words, desk.best_of)


def missing_of(document: Any) -> str:  # noqa: ANN401 - any JSON
    """Which tables of a round have not reported."""
    tables = [str(one["table"]) for one in document["missing"]]
    if not tables:
        return f"round {document['round']}: every table has reported"
    more = f" and {len(tables) - _SHOWN} more" if len(tables) > _SHOWN else ""
    return f"round {document['round']}, tables that have not reported: {', '.join(tables[:_SHOWN])}{more}"


def _seated(desk: Desk, number: int | None, reports: list[Report]) -> tuple[dict[str, Any], int]:
    """Who sits where, and how many games a match has where somebody agreed on a draw."""
    seats: dict[str, Any] = {}
    if number is not None and (not desk.as_json or any(report.needs_seat for report in reports)):
        seats = {str(seat["table"]): seat for seat in desk.read(f"/rounds/{number}")["seats"]}
    agreed = {report.is_match for report in reports if report.is_agreed}
    if not agreed:
        return seats, 0
    return seats, desk.read("/cut" if True in agreed else "")["best_of"]


def _record(record: Mapping[str, int]) -> str:
    """Matches won, lost and drawn, byes among the won ones, as players say it."""
    return f"{record['won'] + record['byes']}-{record['lost']}-{record['drawn']}"


def _decimal(fraction: str) -> str:
    """A tiebreak for the eye; --json has it exact."""
    above, _, below = fraction.partition("/")
    return f"{int(above) / int(below or 1):.{_DECIMALS}f}"
