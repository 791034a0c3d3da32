"""Which events there are."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from tournament.api import documents
from tournament.api.deps import Reading, ServerCodes, Token
from tournament.service import accounts
from tournament.web import answers

router = APIRouter()
MOST_PAGES = 10_000


@router.get("/")
def show_events(
    request: Request,
    session: Reading,
    token: Token,
    codes: ServerCodes,
    q: Annotated[str, Query(max_length=100)] = "",
    page: Annotated[int, Query(ge=1, le=MOST_PAGES)] = 1,
) -> Response:
    """Running, upcoming and past events; those whose name or venue has what was typed."""
    with session:
        account = accounts.find(session, token, codes)
        agenda = documents.agenda_of(session, account, q, page)
    return answers.page(request, "events.html", {"agenda": agenda, "q": q, "page": page})
