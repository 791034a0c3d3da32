"""Everything on paper: slips, pairings, standings, sheets of registration, the check-in list, numbers of tables."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Response

from tournament.api import documents, printing
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Look, Looking
from tournament.domain.roles import AT_THE_DESK
from tournament.service.entries import MOST_NUMBER
from tournament.web import answers
from tournament.web.pages.rounds import by_name
from tournament.web.paging import PageNumber, page_of
from tournament.web.paper import size_of, stacked

router = APIRouter(prefix="/e/{event}/print")
SHEETS: Final = 20
"""Sheets of registration, or signs of tables, on one page: each is a sheet of paper."""
MOST_SIGNS: Final = 1_000
"""Of tables, printed in one go."""
Paper: TypeAlias = Annotated[Literal["a4", "letter"], Query()]
RoundNumber: TypeAlias = Annotated[int | None, Query(alias="round", ge=1, le=MOST_NUMBER)]
Tables: TypeAlias = Annotated[str, Query(pattern=r"^(\d{1,7}(,\d{1,7})*)?$", max_length=4000)]
Number: TypeAlias = Annotated[int | None, Query(ge=1, le=MOST_NUMBER)]
TableNumber: TypeAlias = Annotated[int, Query(ge=1, le=MOST_NUMBER)]


@router.get("")
def show_prints(look: Looking) -> Response:
    """What can be printed, as far as the reader may."""

    def shown(viewer: Viewer) -> dict[str, object]:
        return {"is_staff": bool(viewer.roles & AT_THE_DESK), "newest": printing.newest_round(viewer)}

    return answers.event_page(look, "prints.html", shown)


@router.get("/slips")
def print_slips(
    look: Looking, number: RoundNumber = None, tables: Tables = "", paper: Paper = "a4", page: PageNumber = 1
) -> Response:
    """Slips of a round, eight on a sheet; a stack of them that is cut stays in the order of the tables."""
    wanted = frozenset(map(int, filter(None, tables.split(","))))

    def shown(viewer: Viewer) -> dict[str, Any]:
        printing.check_prints(viewer)
        of = number or printing.newest_round(viewer)
        slips = [] if of is None else printing.slips_of(viewer, of, wanted)
        listed = page_of(slips, "", page, of=lambda slip: str(slip.table))
        return {"listed": listed, "sheets": stacked(listed.lines), "round": of}

    return _page(look, "print_slips.html", shown, paper, {"round": number, "tables": tables})


@router.get("/pairings")
def print_pairings(look: Looking, number: RoundNumber = None, paper: Paper = "a4", page: PageNumber = 1) -> Response:
    """A round by name, in two columns."""

    def shown(viewer: Viewer) -> dict[str, Any]:
        of = number or printing.newest_round(viewer)
        played = None if of is None else documents.round_of(viewer, of)
        names = {one.number: one.name for one in documents.players_of(viewer).values()}
        lines = [] if played is None else by_name(played, names)
        return {"listed": page_of(lines, "", page, of=lambda line: line.name), "played": played}

    return answers.event_page(look, "print_pairings.html", _with(shown, paper, {"round": number}))


@router.get("/standings")
def print_standings(look: Looking, after: Number = None, paper: Paper = "a4", page: PageNumber = 1) -> Response:
    """Places with points and tiebreaks."""

    def shown(viewer: Viewer) -> dict[str, Any]:
        table = documents.standings_of(viewer, after)
        names = {one.number: one.name for one in documents.players_of(viewer).values()}
        return {
            "listed": page_of(table.standings, "", page, of=lambda line: names[line.player]),
            "table": table,
            "names": names,
            "columns": list(table.standings[0].tiebreaks) if table.standings else [],
        }

    return answers.event_page(look, "print_standings.html", _with(shown, paper, {"after": after}))


@router.get("/sheets")
def print_sheets(look: Looking, entry: Number = None, paper: Paper = "a4", page: PageNumber = 1) -> Response:
    """A sheet for each player, with the deck hash, and the code and the list where the reader may know them."""

    def shown(viewer: Viewer) -> dict[str, Any]:
        players = [one for one in printing.expected(viewer) if entry in {None, one.number}]
        listed = page_of(players, "", page, of=lambda one: one.name, size=SHEETS)
        return {"listed": listed, "sheets": printing.sheets_of(viewer, listed.lines)}

    return _page(look, "print_sheets.html", shown, paper, {"entry": entry})


@router.get("/check-in")
def print_check_in(look: Looking, paper: Paper = "a4", page: PageNumber = 1) -> Response:
    """Everybody by name, with a box to be ticked."""

    def shown(viewer: Viewer) -> dict[str, Any]:
        return {"listed": page_of(printing.expected(viewer), "", page, of=lambda one: one.name)}

    return _page(look, "print_check_in.html", shown, paper, {})


@router.get("/tables")
def print_tables(
    look: Looking, first: TableNumber = 1, last: Number = None, paper: Paper = "a4", page: PageNumber = 1
) -> Response:
    """A sign for each table, to be folded: its number is read from both sides."""

    def shown(viewer: Viewer) -> dict[str, Any]:
        end = last or _tables(viewer)
        if page == 0:
            end = min(end, first + MOST_SIGNS - 1)
        listed = page_of(range(first, max(first, end) + 1), "", page, of=str, size=SHEETS)
        return {"listed": listed, "digits": len(str(end))}

    return _page(look, "print_tables.html", shown, paper, {"first": first, "last": last})


def _tables(viewer: Viewer) -> int:
    """How many tables there are, or will be."""
    printing.check_prints(viewer)
    newest = printing.newest_round(viewer)
    if newest is not None:
        return max((slip.table for slip in printing.slips_of(viewer, newest)), default=1)
    return max(1, documents.event_of(viewer).entered // (viewer.event.pod_size or len(("first", "second"))))


def _page(
    look: Look,
    template: str,
    make: Callable[[Viewer], Mapping[str, Any]],
    paper: str,
    keep: Mapping[str, object],
) -> Response:
    """For staff, made anew. Raises: NotYours."""

    def framed(viewer: Viewer) -> dict[str, Any]:
        printing.check_prints(viewer)
        return {**answers.frame_of(viewer), **_with(make, paper, keep)(viewer)}

    return answers.page(look.request, template, seen(look, framed))


def _with(
    make: Callable[[Viewer], Mapping[str, Any]], paper: str, keep: Mapping[str, object]
) -> Callable[[Viewer], dict[str, Any]]:
    """The same with the paper, and the other words of the address that its links keep."""
    kept = urlencode({name: value for name, value in keep.items() if value not in {None, ""}})
    words = f"{kept}&" if kept else ""
    return lambda viewer: {**make(viewer), "paper": paper, "others": words, "size_of": size_of}
