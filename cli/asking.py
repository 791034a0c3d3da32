"""From options and settings to the things that commands ask: files, decks, addresses, the chain."""

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tournament.settings import Found, Settings, read_settings

if TYPE_CHECKING:  # what only some commands need is loaded by them: a result is reported many times an hour
    from tournament.service.decks import Deck
    from verifier.chain import ChainHoldings
    from verifier.holdings import Address, BlockTag

MOST_BYTES: Final = 1 << 20
"""No decklist is longer; a wrong file, or a device without end, is not read to its end."""

OutputFile = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write there instead of standard output.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Game = Annotated[str | None, typer.Option("--game", help="cps, cgccg or audition.  [default: the setting `game`]")]
FormatName = Annotated[str | None, typer.Option("--format", help="A format of the game.  [default: its usual one]")]
MaxRating = Annotated[
    str | None, typer.Option("--max-rating", help="The strongest rating that the event allows (cgccg).")
]
Syntax = Annotated[str | None, typer.Option("--syntax", help="How FILE is written.  [default: found out]")]
Rpc = Annotated[list[str] | None, typer.Option("--rpc", metavar="URL", help="An endpoint; give several to compare.")]
CollectionAddress = Annotated[
    str | None, typer.Option("--collection", metavar="ADDRESS", help="The ERC-1155 card contract.")
]
At = Annotated[
    str | None, typer.Option("--block", metavar="NUMBER|HASH|TAG", help="latest, safe, finalized, or a block.")
]
Quorum = Annotated[
    int | None, typer.Option("--quorum", min=1, help="How many endpoints must answer.  [default: more than half]")
]


def new_app(*, no_args_is_help: bool = False) -> typer.Typer:
    """A command, or a group of them, that looks like the others."""
    return typer.Typer(
        no_args_is_help=no_args_is_help, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False
    )


def gather(app: typer.Typer, *parts: ModuleType) -> None:
    """Give a group the commands of modules, each with an `app` of its own, in that order."""
    for part in parts:
        app.registered_commands += part.app.registered_commands


class NothingGiven(typer.BadParameter):
    """A command needs something that neither an option nor a setting gives."""

    def __init__(self, what: str, option: str, setting: str) -> None:
        super().__init__(f"no {what}: give {option}, or set {setting} (see `deckproof settings`)")


def found_settings() -> Found:
    """The settings in force here. Raises: SettingsUnreadable."""
    return read_settings(os.environ, Path.cwd())


def settings() -> Settings:
    """The values in force here. Raises: SettingsUnreadable."""
    return found_settings().settings


def source_of(path: Path, most: int = MOST_BYTES) -> bytes:
    """What a file holds, up to so many bytes, or standard input for `-`."""
    try:
        if str(path) == "-":
            if sys.stdin is None:
                raise typer.BadParameter("standard input is closed; name a file")
            return sys.stdin.buffer.read(most)
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror or error}") from error


def deck_from(path: Path, game: str | None, format_name: str | None, syntax: str | None) -> "Deck":
    """The deck in a file.

    Raises:
        DecklistUnreadable: with every fault.
        GameError: there is no such game or format.
    """
    from tournament.service.decks import read_deck, rules_of  # noqa: PLC0415

    rules = rules_of(game or settings().game, format_name)
    return read_deck(source_of(path), rules, syntax=syntax, filename=path.name)


def addresses_from(texts: Sequence[str]) -> "tuple[Address, ...]":
    """Each address once, in order.

    Raises:
        AddressesUnreadable: with every one that is not an address.
    """
    from verifier.addresses import parse_address  # noqa: PLC0415
    from verifier.errors import AddressesUnreadable, AddressUnreadable  # noqa: PLC0415

    addresses, faults = [], []
    for text in texts:
        try:
            addresses.append(parse_address(text))
        except AddressUnreadable as fault:
            faults.append(fault)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise AddressesUnreadable(tuple(map(str, faults)))
    return tuple(dict.fromkeys(addresses))


def block_from(text: str | None) -> "BlockTag":
    """The block of an option, or of the setting. Raises: BlockTagUnreadable."""
    from verifier.addresses import parse_block_tag  # noqa: PLC0415

    return parse_block_tag(text or settings().block)


@contextmanager
def chain_holdings(
    rpc: Sequence[str] | None,
    collection: str | None,
    quorum: int | None = None,
) -> "Iterator[ChainHoldings]":
    """The holdings that options and settings name; connections are closed afterwards.

    Raises:
        EndpointUnreadable, AddressUnreadable: the option or setting is not what it should be.
    """
    from verifier.addresses import parse_address  # noqa: PLC0415
    from verifier.chain import ChainHoldings, Collection  # noqa: PLC0415
    from verifier.rpc import Endpoint, Patience  # noqa: PLC0415

    found = found_settings()
    chosen = found.settings
    urls = tuple(rpc or chosen.rpc)
    if not urls:
        raise NothingGiven("endpoint", "--rpc URL", "DECKPROOF_RPC")
    address = collection or chosen.collection
    if not address:
        raise NothingGiven("collection", "--collection ADDRESS", "DECKPROOF_COLLECTION")
    wanted, urls = quorum or chosen.quorum, tuple(dict.fromkeys(urls))
    if wanted and wanted > len(urls):
        source = "--quorum" if quorum else found.sources.get("quorum", "the setting")
        raise typer.BadParameter(
            f"a quorum of {wanted} (from {source}) needs as many endpoints, not {len(urls)}; "
            "name more with --rpc, or give a smaller --quorum"
        )
    patience = Patience(deadline=chosen.deadline, timeout=chosen.timeout)
    endpoints = [Endpoint(url, patience=patience) for url in urls]
    try:
        yield ChainHoldings(
            endpoints,
            Collection(chosen.chain_id, parse_address(address), chosen.code_hash),
            quorum=wanted,
            stale_after=chosen.stale_after,
        )
    finally:
        for endpoint in endpoints:
            endpoint.close()


def write_whole(path: Path, text: str, *, replace: bool) -> None:
    """Write a file so that it is there whole or not at all.

    A link is followed. What is no regular file, such as a device or a pipe, is written to and never replaced.

    Raises:
        OSError: it cannot be written.
    """
    if os.path.lexists(path) and not replace:
        raise typer.BadParameter(f"{path} is there already; --force replaces it")
    target = path.resolve()
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8", newline="")
        return
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".deckproof-")
    part = Path(name)
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:  # noqa: PTH123 - a descriptor, not a path
            file.write(text)
            file.flush()
            os.fsync(file.fileno())  # or a power cut may leave an empty file under the old name
        part.chmod(_mode_of(target))
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _mode_of(target: Path) -> int:
    """Permissions of the file that is replaced, or of any new file."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
