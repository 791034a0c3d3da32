"""The demo: who are you today? And a wallet for whoever has none.

These routes are there in a demo only (`site.create_site`).
"""

import re
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from tournament.api import cookies
from tournament.api.deps import Network, TheDoor
from tournament.errors import PathNotFound, RequestFault, RequestUnreadable
from tournament.service import accounts, sign_ins
from tournament.web import answers
from tournament.web.demo import FOLDER, Demo, Person, demo_of
from tournament.web.forms import Typed

router = APIRouter(prefix="/demo")
LONGEST_TEXT: Final = 10_000
_MOST_DIGITS: Final = 6
_SCRIPT: Final = "text/javascript; charset=utf-8"
_BARE: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


async def _demo(request: Request) -> Demo:
    demo = demo_of(request)
    if demo is None:
        raise PathNotFound(request.url.path)
    return demo


TheDemo = Annotated[Demo, Depends(_demo)]


@router.get("")
def show_demo(request: Request, demo: TheDemo) -> Response:
    """Whom a visitor may be, and every address."""
    return answers.page(request, "demo.html", {"demo": demo})


@router.get("/wallet.js")
async def show_wallet() -> Response:
    """The script of the demo wallet."""
    return Response((FOLDER / "wallet.js").read_bytes(), 200, _BARE, _SCRIPT)


@router.get("/wallets")
async def show_wallets(demo: TheDemo) -> Response:
    """Whose wallets there are, for the script."""
    people = [{"name": one.name, "story": one.story, "wallets": one.wallets} for one in demo.people]
    return JSONResponse({"chain": hex(demo.chain_id), "people": people}, headers=_BARE)


@router.get("/lists/{number}")
async def show_list(request: Request, demo: TheDemo, number: int) -> Response:
    """Somebody's decklist, to be copied or saved."""
    person = _person(request, demo, str(number))
    name = re.sub(r"\W+", "-", person.name).strip("-").lower()
    named = {"Content-Disposition": f"inline; filename*=UTF-8''{name}.txt"}
    return PlainTextResponse(person.decklist, headers=_BARE | ({} if not name.isascii() else named))


@router.post("/be")
def be_somebody(request: Request, demo: TheDemo, door: TheDoor, network: Network, typed: Typed) -> Response:
    """Sign the browser in by the password or code that is printed; out, for a player who has entered nothing."""
    now = datetime.now(UTC)
    if "account" in typed:
        worker = next((one for one in demo.workers if one.account == typed["account"]), None)
        if worker is None:
            raise PathNotFound(request.url.path)
        proof = sign_ins.Proof(account=worker.account, password=demo.password, network=network, now=now)
        before = accounts.shown(cookies.kept(request), now)
        value, _ = sign_ins.browser(door, proof, request.headers.get("user-agent", ""), before=before)
        answer = answers.moved(request, worker.place)
        cookies.keep(request, answer, value)
        return answer
    person = _person(request, demo, typed.get("person", ""))
    answer = answers.moved(request, person.place)
    if not person.entry:
        cookies.drop(request, answer)
        return answer
    proven = sign_ins.EntryProof(event=person.event, number=person.entry, code=person.code, network=network, now=now)
    cookies.keep(request, answer, sign_ins.entry_token(door, proven))
    return answer


@router.post("/buy")
def buy_cards(request: Request, demo: TheDemo, typed: Typed) -> Response:
    """Issue what somebody's list lacks."""
    person = _person(request, demo, typed.get("person", ""))
    if not person.shops:
        raise PathNotFound(request.url.path)
    bought = demo.buy(person.name)
    return answers.moved(request, "/demo", "bought" if bought else "nothing-missing", name=person.name, copies=bought)


@router.post("/sign")
def sign(demo: TheDemo, typed: Typed) -> Response:
    """What a wallet of the demo answers to a text."""
    text = typed.get("text", "")
    if not 0 < len(text) <= LONGEST_TEXT:
        raise RequestUnreadable([RequestFault("body/text", f"has 1 to {LONGEST_TEXT} characters")])
    try:
        signature = demo.sign(typed.get("wallet", ""), text)
    except KeyError as error:
        raise RequestUnreadable([RequestFault("body/wallet", "is no wallet of the demo")]) from error
    return JSONResponse({"signature": signature}, HTTPStatus.OK, _BARE)


def _person(request: Request, demo: Demo, number: str) -> Person:
    if not number.isdecimal() or len(number) > _MOST_DIGITS or int(number) >= len(demo.people):
        raise PathNotFound(request.url.path)
    return demo.people[int(number)]
