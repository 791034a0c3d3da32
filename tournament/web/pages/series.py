"""The table of a series."""

from dataclasses import replace

from fastapi import APIRouter, Response

from tournament.api import known
from tournament.api.routes.series import Looking, fresh_table
from tournament.api.schemas import Series, SeriesTable
from tournament.web import answers, rendering
from tournament.web.reader import Reader

router = APIRouter(prefix="/s/{series}")


@router.get("")
def show_series(look: Looking) -> Response:
    """Who has how many points over the events, and from which."""
    reader = Reader.of(look.request)

    def written(row: Series, table: SeriesTable) -> bytes:
        known_reader = replace(reader, who=known.someone(look.session, look.request))
        return rendering.rendered("series.html", known_reader, {"series": row, "table": table})

    answer = fresh_table(look, written, media_type=rendering.HTML, variant=reader.variant(rendering.build()))
    return answers.headed(answer)
