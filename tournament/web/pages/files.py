"""Files that pages load, and the choice of how pages look."""

from typing import Final

from fastapi import APIRouter, Request, Response

from tournament.api.answers import takes_gzip
from tournament.errors import PathNotFound
from tournament.web import answers, assets
from tournament.web.forms import Typed
from tournament.web.paths import own_path
from tournament.web.reader import LANGUAGE, LOOK, LOOKS, keep
from tournament.web.texts import LANGUAGES

router = APIRouter()
_FOR_EVER: Final = "public, max-age=31536000, immutable"


@router.get("/static/{name:path}")
async def show_file(request: Request, name: str) -> Response:
    """A file, under the name that has its hash."""
    asset = assets.by_address().get(name)
    if asset is None:
        raise PathNotFound(request.url.path)
    headers = {"Cache-Control": _FOR_EVER, "Vary": "Accept-Encoding"}
    if takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(asset.packed, 200, headers | {"Content-Encoding": "gzip"}, asset.media_type)
    return Response(asset.body, 200, headers, asset.media_type)


@router.get("/favicon.ico")
async def show_mark() -> Response:
    """Browsers ask for this by themselves, also on pages that are none of ours."""
    return Response(assets.assets()["mark.svg"].body, 200, {"Cache-Control": "max-age=86400"}, "image/svg+xml")


@router.post("/look")
async def choose_look(request: Request, typed: Typed) -> Response:
    """Keep a choice of language or look, and go back."""
    answer = answers.moved(request, own_path(typed.get("back", "")))
    if typed.get("look") in LOOKS:
        keep(request, answer, LOOK, typed["look"])
    if typed.get("language") in LANGUAGES:
        keep(request, answer, LANGUAGE, typed["language"])
    return answer
