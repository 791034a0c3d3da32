"""`deckproof wallet …`: the wallets that hold a player's cards in an event."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from cli import asking, output, signing
from cli.desk import Desk, acting, looking
from cli.screen import plain_text
from cli.signing import Account
from tournament.domain.amounts import counted

app = asking.new_app(no_args_is_help=True)

OwnKey = Annotated[
    Path | None,
    typer.Option("--key-file", metavar="FILE", help="Holds the wallet's private key: the text is signed here."),
]
Nonce = Annotated[str, typer.Argument(metavar="NONCE", help="As `wallet text` tells it.")]
Answer = Annotated[str, typer.Argument(metavar="ANSWER", help="The signature, as the wallet gives it.")]
IsTransaction = Annotated[
    bool,
    typer.Option("--transaction", help="The answer is the hash of a transaction that the wallet sent to itself."),
]
Entry = Annotated[
    int | None, typer.Option("--number", metavar="NUMBER", help="Whose; for judges. Your own if left out.")
]


@app.callback()
def _wallets() -> None:
    """For players: link a wallet, split it among a family, name a vault, unlink."""


@acting(app)
def text(
    desk: Desk,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Of the wallet.")],
    *,
    shares: Annotated[
        Path | None, typer.Option("--shares", metavar="FILE", help="A split, as JSON; - reads standard input.")
    ] = None,
) -> None:
    """Ask for the text that a wallet signs, to be linked or split. Good for ten minutes."""
    said = None if shares is None else _shares_in(shares)
    given = desk.do("/wallets/text", {"address": address, "shares": said})
    if desk.as_json:
        output.print_json(given)
        return
    output.print_text(given["text"])
    output.print_note(
        f"nonce {given['nonce']}; if the wallet cannot sign, the data of a transaction: {given['digest']}"
    )
    output.print_note(f"when it is signed: `deckproof wallet {'split' if said else 'link'} {given['nonce']} SIGNATURE`")


@acting(app)
def link(
    desk: Desk,
    nonce: Annotated[str | None, typer.Argument(metavar="NONCE", help="As `wallet text` tells it.")] = None,
    answer: Annotated[
        str | None, typer.Argument(metavar="ANSWER", help="The signature, as the wallet gives it.")
    ] = None,
    *,
    transaction: IsTransaction = False,
    key_file: OwnKey = None,
    account: Account = None,
) -> None:
    """Link the wallet that signed the text: its cards count for you.

    With --key-file or --account the text is asked for, shown, signed and sent back in one go.
    """
    number = _own(desk)
    if key_file or account is not None:
        if nonce or transaction:
            raise typer.BadParameter("with --key-file or --account there is no NONCE and no ANSWER: both are made here")
        nonce, answer = _signed(desk, key_file, account)
    if nonce is None or answer is None:
        raise typer.BadParameter(
            "give NONCE and ANSWER, as `deckproof wallet text ADDRESS` and the wallet tell them; or --key-file FILE"
        )
    fact = _answered(desk, f"/entries/{number}/wallets", nonce, answer, is_transaction=transaction)
    who = f"number {number}" if desk.as_json else desk.who(number)
    desk.tell(fact, f"the wallet serves {who}; it is {fact['fact']['commitment']}")


@acting(app)
def split(desk: Desk, nonce: Nonce, answer: Answer, *, transaction: IsTransaction = False) -> None:
    """Split the wallet that signed the text among the entries that the text is about."""
    number = _own(desk)
    fact = _answered(desk, f"/entries/{number}/wallets/split", nonce, answer, is_transaction=transaction)
    desk.tell(fact, f"the wallet serves {counted(len(fact['fact']['shares']), 'entry', 'entries')}")


@looking(app, "list")
def list_wallets(desk: Desk, *, number: Entry = None) -> None:
    """Your wallets and vaults; a judge sees those of any entry."""
    number = _own(desk) if number is None else number

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        rows = [(one["commitment"][:12], one["address"] or "(erased)", _words(one)) for one in document["wallets"]]
        if rows:
            output.print_table(("id", "address", "what"), rows)
        output.print_text(counted(len(rows), "wallet"))
        if document["locked"]:
            output.print_text(f"nothing is unlinked any more: {document['locked']}")

    desk.listed(f"/entries/{number}/wallets", draw)


@acting(app)
def unlink(
    desk: Desk,
    wallet: Annotated[str, typer.Argument(metavar="WALLET", help="Its id or address, as `wallet list` shows it.")],
    *,
    number: Entry = None,
) -> None:
    """Unlink a wallet or vault, before the event begins. What was kept of it is erased."""
    number = _own(desk) if number is None else number
    found = [
        one["commitment"]
        for one in desk.read(f"/entries/{number}/wallets")["wallets"]
        if one["commitment"].startswith(wallet.lower()) or (one["address"] or "").lower() == wallet.lower()
    ]
    if len(found) != 1:
        raise typer.BadParameter(f"{counted(len(found), 'wallet')} of number {number} called {wallet!a}")
    desk.done(f"/entries/{number}/wallets/{found[0]}/unlink", f"the wallet serves number {number} no longer", {})


@acting(app)
def vault(
    desk: Desk,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Of the vault.")],
) -> None:
    """Name a vault that delegates to your wallet in the registry of delegate.xyz: its cards count for you."""
    number = _own(desk)
    fact = desk.do(f"/entries/{number}/vaults", {"vault": address}, slow=True)
    desk.tell(fact, f"the vault serves number {number}, at the level of the {fact['fact']['level']}")


def _signed(desk: Desk, key_file: Path | None, account: int | None) -> tuple[str, str]:
    """A nonce, and the signature of its text by a key that is here."""
    from verifier.chain import DEVELOPMENT_CHAINS  # noqa: PLC0415 - only here

    wallet = signing.signer(key_file, account)
    given = desk.do("/wallets/text", {"address": wallet.address, "shares": None}, step="/text")
    if account is not None and given["chain_id"] not in DEVELOPMENT_CHAINS:
        raise typer.BadParameter(
            f"the event is on chain {given['chain_id']}: a development wallet's key is public, so --account is for "
            "development chains only; give --key-file"
        )
    if not desk.as_json:
        output.print_text(given["text"])
    return given["nonce"], signing.signature_of(wallet, given["text"])


def _own(desk: Desk) -> int:
    found: int = desk.read("/entries/me")["entry"]["number"]
    return found


def _answered(desk: Desk, rest: str, nonce: str, answer: str, *, is_transaction: bool) -> Any:  # noqa: ANN401 - any JSON
    body = {"nonce": nonce, "transaction" if is_transaction else "signature": answer}
    return desk.do(rest, body, slow=True)


def _shares_in(file: Path) -> Any:  # noqa: ANN401 - any JSON
    try:
        return json.loads(asking.source_of(file))
    except ValueError as error:
        raise typer.BadParameter(f"{file}: not JSON ({error})") from error


def _words(one: Any) -> str:  # noqa: ANN401 - any JSON
    if one["vouches_for"] is not None:
        return f"a vault, at the level of the {one['level']}, for {one['vouches_for'][:12]}"
    if one["share"] is None:
        return "all of it is yours"
    units = counted(sum(one["share"].values()), "unit")
    return plain_text(f"{units} of {counted(len(one['share']), 'token id')}" + ("" if one["signs_in"] else ", shared"))
