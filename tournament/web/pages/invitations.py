"""An invitation: what it offers, and accepting it, with an account or a new one."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Final
from uuid import uuid4

from fastapi import APIRouter, Depends, Path, Request, Response

from tournament.api import cookies, known
from tournament.api.deps import Db, Network, ServerCodes, TheDoor, Token, limited
from tournament.api.schemas import Proof
from tournament.database import Database
from tournament.domain.errors import TournamentError
from tournament.domain.roles import Role
from tournament.errors import PathNotFound
from tournament.service import accounts, invitations, sign_ins
from tournament.service.accounts import Who
from tournament.service.codes import Codes
from tournament.service.commands import Ask, run, text_of
from tournament.service.invitations import Accept, Offer
from tournament.web import answers, forms, paths, rooms
from tournament.web.forms import Form, Typed
from tournament.web.paths import Link
from tournament.web.texts import mark

router = APIRouter(prefix="/invitations", dependencies=[Depends(limited("invitation"))])
ABOUT: Final[Mapping[Role, str]] = {
    Role.ORGANIZER: mark("you announce the event, and may do everything in it."),
    Role.SCOREKEEPER: mark("you pair and publish rounds, and enter results."),
    Role.JUDGE: mark("you answer calls, check decks and settle what players disagree on."),
    Role.DESK: mark("you enter players and check them in."),
    Role.DISPLAY: mark("this screen shows pairings, clock and standings to everybody."),
}


def _link(request: Request, name: Annotated[str, Path(max_length=100)]) -> Link:
    found = paths.invitation_in(name)
    if found is None:
        raise PathNotFound(request.url.path)
    return found


Named = Annotated[Link, Depends(_link)]


@router.get("/{name}")
def show_invitation(request: Request, link: Named, database: Db, codes: ServerCodes) -> Response:
    """What it offers; needs its code, and nobody has to be signed in."""
    return _page(request, link, database, codes)


@router.post("/{name}")
def accept_invitation(
    request: Request, link: Named, door: TheDoor, network: Network, token: Token, typed: Typed
) -> Response:
    """Accept it, as whoever is signed in or with a new account, and lead to the room of the role."""
    if token is not None and not accounts.is_player(token):
        try:
            _accept(door, link, accounts.anybody(token, door.codes))
        except TournamentError as error:
            return _page(request, link, door.database, door.codes, error=error)
        return answers.moved(request, f"/e/{link.event}", "staff")
    asked = forms.read(Proof, typed)
    if isinstance(asked, Form):
        return _page(request, link, door.database, door.codes, Form(_shown(typed), asked.faults))
    now = datetime.now(UTC)
    proof = sign_ins.Proof(account=asked.account, password=asked.password, network=network, now=now)
    try:
        _accept(door, link, sign_ins.newcomer(door, proof))
        before = accounts.shown(cookies.kept(request), now)
        value, _ = sign_ins.browser(door, proof, request.headers.get("user-agent", ""), before=before)
    except TournamentError as error:
        return _page(request, link, door.database, door.codes, Form(_shown(typed)), error)
    answer = answers.moved(request, f"/e/{link.event}", "staff")
    cookies.keep(request, answer, value)
    return answer


def _accept(door: TheDoor, link: Link, who: Who) -> None:
    now = datetime.now(UTC)
    ask = Ask(event=link.event, who=who, command=str(uuid4()), now=now, codes=door.codes)
    run(door.database, invitations.ACCEPT, ask, Accept(invitation=link.number, code=link.code))


def _shown(typed: Mapping[str, str]) -> dict[str, str]:
    return {"account": typed.get("account", "").strip()}


def _page(
    request: Request,
    link: Link,
    database: Database,
    codes: Codes,
    form: Form | None = None,
    error: TournamentError | None = None,
) -> Response:
    form = form or Form()
    offer = _offer(request, link, database, codes)
    problem, status = answers.problem_in(error) if error else (None, 422 if form.faults else 200)
    values = {
        "offer": offer,
        "about": ABOUT[offer.role],
        "room": f"/e/{link.event}{rooms.FIRST[offer.role]}",
        "here": request.url.path,
        "form": form,
        "problem": problem,
    }
    return answers.page(request, "invitation.html", values, status=status)


def _offer(request: Request, link: Link, database: Database, codes: Codes) -> Offer:
    with database.reading() as session:
        who = known.someone(session, request)
        account = (who.account if who else None) or ""
        at = text_of(datetime.now(UTC))
        return invitations.offer(session, codes, link.event, link.number, link.code, account=account, at=at)
