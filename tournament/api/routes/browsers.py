"""Browsers: signing in and out, for pages. What a page sends may not be read by its scripts."""

from datetime import UTC, datetime

from fastapi import Depends, Request, Response

from tournament.api import cookies
from tournament.api.deps import Db, Network, Reading, ServerCodes, TheDoor
from tournament.api.schemas import Proof, SignedIn, TypedCode
from tournament.api.shelf import Shelf
from tournament.service import accounts, sign_ins
from tournament.service.sign_ins import EntryProof

router = Shelf(prefix="/session", tags=["browsers"])


@router.post("", status_code=201, dependencies=[Depends(cookies.check_not_cross_site)])
def sign_in_browser(body: Proof, request: Request, response: Response, door: TheDoor, network: Network) -> SignedIn:
    """Sign this browser in, by a cookie. It is another one after each signing in."""
    now = datetime.now(UTC)
    proof = sign_ins.Proof(account=body.account, password=body.password, code=body.code, network=network, now=now)
    about = request.headers.get("user-agent", "")
    before = accounts.shown(cookies.kept(request), now)
    value, row = sign_ins.browser(door, proof, about, before=before)
    cookies.keep(request, response, value)
    return SignedIn(account=row.account, event=None, entry=None)


@router.post("/entry", status_code=201, dependencies=[Depends(cookies.check_not_cross_site)])
def sign_in_player(body: TypedCode, request: Request, response: Response, door: TheDoor, network: Network) -> SignedIn:
    """Sign this browser in as a player, by the code on paper."""
    typed = EntryProof(event=body.event, number=body.number, code=body.code, network=network, now=datetime.now(UTC))
    token = sign_ins.entry_token(door, typed)
    cookies.keep(request, response, token)
    return SignedIn(account=None, event=body.event, entry=body.number)


@router.get("")
def show_browser(request: Request, session: Reading, codes: ServerCodes) -> SignedIn:
    """Who this browser is signed in as; all null for nobody."""
    token = accounts.shown(cookies.kept(request))
    if token is None:
        return SignedIn(account=None, event=None, entry=None)
    with session:
        event = accounts.event_of(token)
        actor = accounts.find(session, token, codes, event)
    return SignedIn.of(actor, event)


@router.delete("", status_code=204, response_class=Response)
def sign_out_browser(request: Request, response: Response, database: Db) -> None:
    """Sign this browser out."""
    token = accounts.shown(cookies.kept(request))
    if token is not None:
        cookies.check_same_site(request)
        accounts.sign_out(database, token)
    cookies.drop(request, response)
