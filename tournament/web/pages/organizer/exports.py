"""Files of an event: to keep, to publish, for other programs, and the evidence."""

import csv
import io
from typing import Final

from fastapi import APIRouter, Response

from tournament.api import documents, organizing
from tournament.api.answers import Viewer
from tournament.api.deps import Looking
from tournament.domain.errors import TournamentError
from tournament.errors import PathNotFound
from tournament.interchange.formats import FORMATS
from tournament.interchange.results_csv import guarded
from tournament.web import answers
from tournament.web.pages.organizer.room import organizing as for_organizers
from tournament.web.pages.organizer.room import page

router = APIRouter(prefix="/e/{event}/organize/files")
STANDINGS: Final = "standings"
_BOM: Final = "\ufeff"
"""By which spreadsheets know UTF-8."""


@router.get("")
def show_files(look: Looking) -> Response:
    """What there is to take along, and what each is for."""
    return _page(look)


@router.get("/{kind}")
def download(look: Looking, kind: str) -> Response:
    """A file for another program, or the standings for a spreadsheet; refused, the page says what it cannot hold."""
    if kind == STANDINGS:
        body = for_organizers(look, _standings)
        return _file(body.encode(), f"{look.event}-standings.csv", "text/csv; charset=utf-8")
    if kind not in FORMATS:
        raise PathNotFound(look.request.url.path)
    try:
        written = for_organizers(look, lambda viewer: organizing.for_program(viewer, kind))
    except TournamentError as error:
        return _page(look, error)
    return _file(written, f"{look.event}-{kind}{FORMATS[kind].suffix}", "application/octet-stream")


def _page(look: Looking, error: TournamentError | None = None) -> Response:
    def shown(viewer: Viewer) -> dict[str, object]:
        return {"formats": FORMATS, "has_standings": documents.standings_of(viewer).after > 0}

    return page(look, "organize_files.html", shown, error=error)


def _standings(viewer: Viewer) -> str:
    """The standings as a table: place, number, name, points, and each tiebreak as an exact fraction."""
    table, players = documents.standings_of(viewer), documents.players_of(viewer)
    columns = list(table.standings[0].tiebreaks) if table.standings else []
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(["place", "number", "name", "match_points", *columns])
    for line in table.standings:
        name = guarded(players[line.player].name)
        writer.writerow([line.place, line.player, name, line.match_points, *(line.tiebreaks[one] for one in columns)])
    return _BOM + file.getvalue()


def _file(body: bytes, name: str, media_type: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return answers.headed(Response(body, 200, headers, media_type))
