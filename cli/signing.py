"""Who signs at a terminal: a key of a file, of the settings, or of a development wallet, whose key everybody knows."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import asking
from collection.errors import KeyUnreadable

if TYPE_CHECKING:
    from collection.wallets import Wallet

MOST_ACCOUNTS: Final = 100

KeyFile = Annotated[
    Path | None,
    typer.Option("--key-file", metavar="FILE", help="Holds the signer's private key.  [default: DECKPROOF_KEY]"),
]
Account = Annotated[
    int | None,
    typer.Option(
        "--account", min=0, max=MOST_ACCOUNTS - 1, help="Sign as this development wallet; on a development chain only."
    ),
]


def signer(key_file: Path | None, account: int | None) -> "Wallet":
    """The wallet that the options name, else the one of the setting `key`.

    Raises:
        BadParameter: two are named.
        NothingGiven: none is.
        KeyUnreadable: what is there is no key.
    """
    from collection.wallets import parse_key, wallet_of  # noqa: PLC0415 - the curve takes a fifth of a second

    if key_file and account is not None:
        raise typer.BadParameter("--key-file and --account name two signers; give one")
    if account is not None:
        return development_wallets(account + 1)[account]
    if key_file:
        try:
            return wallet_of(parse_key(asking.source_of(key_file).decode()))
        except UnicodeDecodeError as error:
            raise KeyUnreadable("the file is not text") from error
    key = asking.settings().key
    if key is None:
        raise asking.NothingGiven("signer", "--key-file FILE or --account NUMBER", "DECKPROOF_KEY")
    return wallet_of(parse_key(key.get_secret_value()))


def development_wallets(count: int) -> "tuple[Wallet, ...]":
    """The first wallets of a development chain."""
    from collection.wallets import development_wallets as derived  # noqa: PLC0415 - the curve takes a fifth of a second

    return derived(count)


def signature_of(wallet: "Wallet", text: str) -> str:
    """The wallet's signature of a text, as a wallet gives it: hexadecimal behind 0x.

    Source: EIP-191, version E; ours is compared with a wallet's in tests/cli/test_event_ownership.py.
    """
    from eth_account.messages import encode_defunct  # noqa: PLC0415 - takes half a second

    return "0x" + bytes(wallet.signer().sign_message(encode_defunct(text=text)).signature).hex()
