"""A player's wallets: linked in the browser or by a signature that is pasted, unlinked, and vaults."""

from datetime import UTC, datetime
from typing import Any, Final

from fastapi import APIRouter, Depends, Response
from pydantic import ValidationError

from tournament.api import cookies, own
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Asking, Db, Look, Looking, Network, TheDoor, limited
from tournament.api.routes.wallets import TheSite, renew_cookie, tried
from tournament.api.schemas import TextToSign
from tournament.domain.errors import TournamentError
from tournament.errors import ChallengeUnknown
from tournament.service import accounts, wallet_sign_ins, wallets
from tournament.service.commands import run
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed
from tournament.web.pages.me import home, number_of, own_page, shown_with
from tournament.web.texts import mark
from verifier.errors import VerifierError

_NO_ANSWER: Final = mark("This is neither a signature nor the hash of a transaction.")
router = APIRouter(prefix="/e/{event}")
_TRANSACTION: Final = 66
"""Letters of a transaction's hash; a signature has more."""


@router.get("/me/wallet")
def show_wallets(look: Looking) -> Response:
    """The wallets of the entry, and ways to link another one."""
    return _page(look, Form())


@router.post("/me/wallet/text", dependencies=[Depends(limited("challenge"))])
def ask_text(look: Looking, ask: Asking, database: Db, site: TheSite, typed: Typed) -> Response:
    """A text to be signed elsewhere."""
    try:
        text = TextToSign.of(wallets.ask_text(database, ask, typed.get("address", "").strip(), site))
    except (TournamentError, VerifierError) as error:
        return _page(look, Form(typed), error)
    return _page(look, Form(typed), text=text)


@router.post("/me/wallet/link")
def link(look: Looking, ask: Asking, door: TheDoor, network: Network, site: TheSite, typed: Typed) -> Response:
    """Link a wallet by what it answered."""
    number = number_of(look)
    if number is None:
        return home(look)
    try:
        asked = wallets.Link(entry=number, **_answer(typed))
        with tried(door, network):
            given = wallets.link(door.database, forms.under(ask, typed), asked, site)
    except (TournamentError, VerifierError) as error:
        return _page(look, Form(typed), error, text=_text(typed))
    except ValidationError:
        faults = {"answer": _NO_ANSWER}
        return _page(look, Form(typed, faults), text=_text(typed))
    answer = answers.moved(look.request, f"/e/{look.event}/me", "my linked")
    renew_cookie(look.request, answer, door, number, given)
    return answer


@router.post("/me/wallet/unlink")
def unlink(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Let a wallet serve the entry no longer."""
    number = number_of(look)
    if number is None:
        return home(look)
    asked = forms.read(wallets.Unlink, {"entry": str(number), **typed})
    if isinstance(asked, Form):
        return _page(look, asked)
    try:
        run(database, wallets.UNLINK, forms.under(ask, typed), asked)
    except TournamentError as error:
        return _page(look, Form(), error)
    return answers.moved(look.request, f"/e/{look.event}/me/wallet", "my unlinked")


@router.post("/me/wallet/vault")
def name_vault(look: Looking, ask: Asking, database: Db, site: TheSite, typed: Typed) -> Response:
    """Let a vault serve the entry, which vouches for one of its wallets."""
    number = number_of(look)
    if number is None:
        return home(look)
    asked = forms.read(wallets.NameVault, {"entry": str(number), **typed})
    if isinstance(asked, Form):
        return _page(look, asked)
    try:
        wallets.name_vault(database, forms.under(ask, typed), asked, site)
    except (TournamentError, VerifierError) as error:
        return _page(look, Form(typed), error)
    return answers.moved(look.request, f"/e/{look.event}/me/wallet", "my vault")


def _answer(typed: Typed) -> dict[str, Any]:
    said = typed.get("answer", "").strip()
    kind = "transaction" if len(said) <= _TRANSACTION else "signature"
    return {"nonce": typed.get("nonce", ""), kind: said or None}


def _text(typed: Typed) -> TextToSign | None:
    """The text that the form came with, to be shown again."""
    try:
        return TextToSign.model_validate_json(typed.get("text", ""))
    except ValidationError:
        return None


def _page(look: Look, form: Form, error: Exception | None = None, *, text: TextToSign | None = None) -> Response:
    said, status = shown_with(error, form)

    def made(viewer: Viewer, ready: own.Readiness) -> dict[str, Any]:
        return {**said, "text": text, "linked": own.wallets_of(viewer, ready.mine.entry.number)}

    return answers.with_wallets(own_page(look, "my_wallet.html", made, status=status))


# --- signing in by a wallet -------------------------------------------------------------------------------------------


@router.get("/by-wallet")
def show_sign_in(look: Looking) -> Response:
    """Sign in as the entry that a wallet serves."""
    return _sign_in_page(look, Form())


@router.post("/by-wallet/text", dependencies=[Depends(limited("challenge"))])
def ask_sign_in_text(look: Looking, database: Db, site: TheSite, typed: Typed) -> Response:
    """A text to be signed elsewhere."""
    address = typed.get("address", "").strip()
    try:
        given = wallet_sign_ins.ask_text(database, look.event, address, site, datetime.now(UTC))
    except (TournamentError, VerifierError) as error:
        return _sign_in_page(look, Form(typed), error)
    return _sign_in_page(look, Form(typed), text=TextToSign.of(given))


@router.post("/by-wallet")
def sign_in(look: Looking, door: TheDoor, network: Network, site: TheSite, typed: Typed) -> Response:
    """Sign this browser in by what a wallet answered."""
    now = datetime.now(UTC)
    before = accounts.shown(cookies.kept(look.request), now)
    try:
        asked = wallets.Returned(**_answer(typed))
        with tried(door, network):
            value, served = wallet_sign_ins.sign_in(door.database, asked.answer, site, now, before=before)
        if served.event != look.event:
            raise ChallengeUnknown(asked.nonce)
    except (TournamentError, VerifierError) as error:
        return _sign_in_page(look, Form(typed), error, text=_text(typed))
    except ValidationError:
        return _sign_in_page(look, Form(typed, {"answer": _NO_ANSWER}), text=_text(typed))
    answer = answers.moved(look.request, f"/e/{look.event}/me")
    cookies.keep(look.request, answer, value, lasts=wallet_sign_ins.LASTS)
    return answer


def _sign_in_page(
    look: Look, form: Form, error: Exception | None = None, *, text: TextToSign | None = None
) -> Response:
    said, status = shown_with(error, form)
    values = seen(look, answers.frame_of)
    answer = answers.page(look.request, "by_wallet.html", {**values, **said, "text": text}, status=status)
    return answers.with_wallets(answer)
