"""The cut, drawn as a picture."""

from fastapi import APIRouter, Response

from tournament.api import documents
from tournament.api.answers import Viewer
from tournament.api.deps import Looking
from tournament.web import answers
from tournament.web.picture import draw

router = APIRouter(prefix="/e/{event}/bracket")


@router.get("")
def show_bracket(look: Looking) -> Response:
    """The bracket as it stands, and the same as a list."""

    def shown(viewer: Viewer) -> dict[str, object]:
        if not documents.has_cut(viewer):
            return {"cut": None, "picture": None, "names": {}}
        cut = documents.cut_of(viewer)
        names = {one.number: one.name for one in documents.players_of(viewer).values()}
        return {"cut": cut, "picture": draw(cut), "names": names}

    return answers.event_page(look, "bracket.html", shown)
