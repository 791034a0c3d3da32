"""Wallets: texts to sign, signing in by a wallet, linking, splitting, vaults."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Depends, Path, Request, Response
from pydantic import Field

from tournament.api import cookies, own
from tournament.api.answers import obeyed, receipt, seen
from tournament.api.deps import Asking, Db, Looking, Network, TheDoor, TheNodes, limited
from tournament.api.routes.entries import Number
from tournament.api.schemas import EntryWallets, Receipt, SignedIn, SignInAsked, TextAsked, TextToSign
from tournament.api.shelf import Shelf
from tournament.errors import ChainBusy, HostsUnnamed
from tournament.service import accounts, commands, wallet_sign_ins, wallets
from tournament.service.challenges import Site
from tournament.service.commands import Arguments, Nothing
from tournament.service.limits import Try
from tournament.service.sign_ins import Door
from tournament.service.wallet_sign_ins import Served
from tournament.settings import Environment, Settings

router = Shelf(tags=["wallets"])
Commitment = Annotated[str, Path(pattern=wallets.HASH, description="As the entry's document has it.")]


async def _site(request: Request, nodes: TheNodes) -> Site:
    settings: Settings = request.app.state.settings
    if settings.environment is not Environment.DEVELOPMENT and not settings.trusted_hosts:
        raise HostsUnnamed
    return Site(request.headers.get("host", "").lower(), request.url.scheme, nodes)


TheSite = Annotated[Site, Depends(_site)]


@contextmanager
def tried(door: Door, network: str) -> Iterator[None]:
    """Count an answer that proves nothing; one that nobody looked at is none. Raises: TooManyRequests."""
    tries = [Try("wallet-from", network)]
    door.limits.take(tries, datetime.now(UTC))
    busy = None
    try:
        yield
    except ChainBusy as error:
        busy = error
    with door.database.writing() as session:
        door.limits.give_back(session, tries)
    if busy is not None:
        raise busy


# --- signing in -------------------------------------------------------------------------------------------------------


@router.post(
    "/session/wallet/text",
    status_code=201,
    dependencies=[Depends(cookies.check_not_cross_site), Depends(limited("challenge"))],
    tags=["browsers"],
)
def ask_to_sign_in(body: SignInAsked, database: Db, site: TheSite) -> TextToSign:
    """A text that a wallet signs to sign in to an event. Any address gets one: who it is, the answer shows."""
    return TextToSign.of(
        wallet_sign_ins.ask_text(database, body.event, body.address, site, datetime.now(UTC)),
    )


@router.post(
    "/session/wallet", status_code=201, dependencies=[Depends(cookies.check_not_cross_site)], tags=["browsers"]
)
def sign_in_by_wallet(
    body: wallets.Returned, request: Request, response: Response, door: TheDoor, network: Network, site: TheSite
) -> SignedIn:
    """Sign this browser in as the entry that a wallet serves. It is another cookie after each signing in."""
    now = datetime.now(UTC)
    before = accounts.shown(cookies.kept(request), now)
    with tried(door, network):
        value, served = wallet_sign_ins.sign_in(door.database, body.answer, site, now, before=before)
    cookies.keep(request, response, value, lasts=wallet_sign_ins.LASTS)
    return SignedIn(account=None, event=served.event, entry=served.entry)


# --- an entry's wallets -----------------------------------------------------------------------------------------------


@router.get("/events/{event}/entries/{number}/wallets", response_model=EntryWallets)
def list_wallets(look: Looking, number: Number) -> Response:
    """The wallets and vaults of an entry; for the player, judges and organizers."""
    document = seen(look, lambda viewer: own.wallets_of(viewer, number))
    return Response(document.model_dump_json(), 200, {"Cache-Control": "no-store"}, "application/json")


@router.post(
    "/events/{event}/wallets/text",
    status_code=201,
    dependencies=[Depends(limited("challenge"))],
)
def ask_for_text(body: TextAsked, ask: Asking, database: Db, site: TheSite) -> TextToSign:
    """A text that a wallet signs to serve the entry that asks, alone or with others; good for ten minutes."""
    shares = None if body.shares is None else [one.said for one in body.shares]
    return TextToSign.of(wallets.ask_text(database, ask, body.address, site, shares=shares))


@router.post("/events/{event}/entries/{number}/wallets", status_code=201, response_model=Receipt[wallets.Linked])
def link_wallet(
    body: wallets.Returned,
    request: Request,
    ask: Asking,
    door: TheDoor,
    network: Network,
    number: Number,
    site: TheSite,
) -> Response:
    """Let a wallet serve the entry: it answered the text. A browser that is signed in gets a new cookie."""
    with tried(door, network):
        given = wallets.link(door.database, ask, wallets.Link(entry=number, **_said(body)), site)
    return _serving(request, door, number, given, status=201)


@router.post("/events/{event}/entries/{number}/wallets/split", response_model=Receipt[wallets.SplitUp])
def split_wallet(
    body: wallets.Returned,
    request: Request,
    ask: Asking,
    door: TheDoor,
    network: Network,
    number: Number,
    site: TheSite,
) -> Response:
    """Let a wallet serve several entries, as the text says that it signed; the entry that asks signs in by it."""
    with tried(door, network):
        given = wallets.split(door.database, ask, wallets.SplitAmong(entry=number, **_said(body)), site)
    return _serving(request, door, number, given)


@router.post("/events/{event}/entries/{number}/wallets/{commitment}/unlink", response_model=Receipt[wallets.Unlinked])
def unlink_wallet(
    ask: Asking, database: Db, number: Number, commitment: Commitment, body: Nothing | None = None
) -> Response:
    """Let a wallet or vault serve the entry no longer, before the event begins; what was kept of it is erased."""
    reason = "" if body is None else body.reason
    return obeyed(database, wallets.UNLINK, ask, wallets.Unlink(entry=number, commitment=commitment, reason=reason))


class Vault(Arguments):
    """A vault, and which wallet it vouches for."""

    vault: str = Field(max_length=100, examples=["0x90F79bf6EB2c4f870365E785982E1f101E93b906"])
    wallet: str | None = Field(
        default=None, pattern=wallets.HASH, description="commitment of the wallet; the only one when null"
    )


@router.post("/events/{event}/entries/{number}/vaults", status_code=201, response_model=Receipt[wallets.VaultNamed])
def name_vault(body: Vault, ask: Asking, database: Db, number: Number, site: TheSite) -> Response:
    """Let a vault serve the entry, which vouches for one of its wallets in the registry of delegate.xyz.

    It is looked at again at every epoch.
    """
    asked = wallets.NameVault(entry=number, **body.model_dump())
    return receipt(wallets.name_vault(database, ask, asked, site), status=201)


def _commitment_in(given: bytes) -> str:
    found: str = json.loads(given)["fact"]["commitment"]
    return found


def _said(body: wallets.Returned) -> dict[str, Any]:
    return body.model_dump()


def _serving(request: Request, door: Door, number: int, given: commands.Receipt, *, status: int = 200) -> Response:
    """The receipt of a wallet that serves an entry now, and another cookie."""
    answer = receipt(given, status=status)
    renew_cookie(request, answer, door, number, given)
    return answer


def renew_cookie(request: Request, answer: Response, door: Door, number: int, given: commands.Receipt) -> None:
    """Let a browser keep another cookie, since a wallet serves its entry now.

    What somebody else may have seen of the cookie before is worth nothing now.
    """
    before = accounts.shown(cookies.kept(request))
    if before is None or not getattr(request.state, "by_cookie", False):
        return
    served = Served(given.event, number, _commitment_in(given.body))
    value = wallet_sign_ins.renewed(door.database, served, datetime.now(UTC), before=before)
    if value is not None:
        cookies.keep(request, answer, value, lasts=wallet_sign_ins.LASTS)
