"""`deckproof chain …`: a collection on a chain, a local one or any other."""

import re
import signal
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import asking, output, signing, world
from cli.signing import Account, KeyFile, development_wallets
from collection.deployment import Deployment, fault_of_folder, fault_of_place, load_deployment, save_deployment
from collection.errors import DeploymentNotSaved, look_up_first
from games import library
from games.cards import SOULBOUND, CardSet
from games.errors import UnknownSet
from tournament.domain.amounts import counted
from verifier.addresses import parse_address
from verifier.chain import DEVELOPMENT_CHAINS
from verifier.errors import WrongChain
from verifier.holdings import TokenId
from verifier.rpc import Endpoint, Patience

if TYPE_CHECKING:
    from collection.transactions import Receipt, Sender, Trace
    from collection.wallets import Wallet

app = asking.new_app(no_args_is_help=True)

MOST_BLOCK_TIME: Final = 3600
MOST_DELAY: Final = 2**48 - 1
MOST_COPIES: Final = 2**32 - 1
"""What the contract can count; `collection.issuing` has the same, and takes long to import."""
_COPIES = re.compile(r"\s*([1-9][0-9]{0,8})\s+(\S.*)", re.ASCII)

Rpc = Annotated[str | None, typer.Option("--rpc", metavar="URL", help="The endpoint.  [default: the setting `rpc`]")]
DeploymentFile = Annotated[
    Path | None,
    typer.Option("--deployment", metavar="FILE", help="What `chain deploy --out` wrote; instead of --collection."),
]

Recipient = Annotated[str, typer.Option("--to", metavar="ADDRESS", help="The wallet that gets the copies.")]
CopiesOfDeck = Annotated[Path | None, typer.Option("--deck", metavar="FILE", help="Every copy of a decklist.")]
CopiesOfCards = Annotated[
    list[str] | None,
    typer.Option("--card", metavar='"COUNT NAME"', help="So many copies of a card; may be repeated."),
]


@app.callback()
def _chain() -> None:
    """A collection on a chain: a local demo chain, deploy, publish, mint."""


@app.command()
def dev(
    *,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")] = 0,
    decks: Annotated[
        Path | None, typer.Option("--decks", metavar="FOLDER", help="Write the players' decklists there.")
    ] = None,
    block_time: Annotated[
        int | None,
        typer.Option(
            "--block-time",
            min=1,
            max=MOST_BLOCK_TIME,
            metavar="SECONDS",
            help="A block every so many seconds, as on a public chain.  [default: one for each transaction]",
        ),
    ] = None,
    as_json: asking.Json = False,
) -> None:
    """Start a local chain with the demo world on it, print its addresses and keys, and stay up until Ctrl-C."""
    world.end_like_ctrl_c()
    if decks is not None:
        _make_folder(decks)
    with world.demo_world(port) as (anvil, made):
        if decks is not None:
            world.save_decklists(made, decks)
        if block_time is not None:
            anvil.mine_every(block_time)
        staff = development_wallets(len(made.players))[:3]
        if as_json:
            output.print_json(
                world.surroundings_document(anvil, made)
                | {
                    "staff": {
                        role: _wallet_document(wallet)
                        for role, wallet in zip(("admin", "publisher", "issuer"), staff, strict=True)
                    },
                    "players": [
                        {
                            "name": player.name,
                            "story": player.story,
                            "wallets": list(map(_wallet_document, player.wallets)),
                            "decklist": player.decklist,
                            "file": str(decks / f"{world.file_name(player)}.txt") if decks else None,
                        }
                        for player in made.players
                    ],
                }
            )
        else:
            rows = [
                (role, wallet.address, f"0x{wallet.key.hex()}")
                for role, wallet in zip(("admin", "publisher", "issuer"), staff, strict=True)
            ]
            rows += [
                (player.name, wallet.address, f"0x{wallet.key.hex()}")
                for player in made.players
                for wallet in player.wallets
            ]
            columns = ("who", "wallet", "key (public: for this chain only)")
            output.print_table(columns, rows, whole=columns)
            world.print_surroundings(anvil, made)
            first = made.players[0]
            file = decks / f"{world.file_name(first)}.txt" if decks else "FILE"
            output.print_text(f"  deckproof verify --deck {file} --wallet {first.wallets[0].address}")
        world.stay_up(anvil)


@app.command()
def deploy(
    *,
    rpc: Rpc = None,
    key_file: KeyFile = None,
    account: Account = None,
    admin: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Appoints the others.  [default: the signer]")
    ] = None,
    publisher: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Publishes sets, allows issuers.")] = None,
    issuer: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Issues copies.")] = None,
    pauser: Annotated[str | None, typer.Option(metavar="ADDRESS", help="May stop issuing.")] = None,
    admin_delay: Annotated[
        int | None,
        typer.Option(
            min=0, max=MOST_DELAY, metavar="SECONDS", help="Before the admin's role changes hands.  [default: 2 days]"
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the deployment there, as JSON.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Deploy a card collection. Whoever is not named gets no role; the signer can be all of them."""
    from collection import issuing  # noqa: PLC0415 - web3 takes a second

    if out is not None:
        _expect_place(out, force=force)
    given = {"publisher": publisher, "issuer": issuer, "pauser": pauser}
    staff = issuing.Staff(**{role: parse_address(text) for role, text in given.items() if text})
    with _sender(rpc, key_file, account) as sender, output.progress("Deploying…"):
        made = issuing.deploy(
            sender,
            admin=parse_address(admin) if admin else None,
            staff=staff,
            admin_delay=issuing.USUAL_DELAY if admin_delay is None else admin_delay,
        )
    try:
        _print_deployment(made, as_json=as_json)
    finally:
        if out is not None:
            _save(made, out)


@app.command()
def publish(
    *,
    uri: Annotated[str, typer.Option("--uri", metavar="TEMPLATE", help="Of the metadata, with {id} in it.")],
    run: Annotated[
        int,
        typer.Option("--run", min=1, max=MOST_COPIES, metavar="COPIES", help="How many copies of each card, ever."),
    ],
    card_set: Annotated[
        str | None, typer.Option("--set", metavar="CODE", help="Which set.  [default: the only one]")
    ] = None,
    allow: Annotated[
        str | None, typer.Option("--allow", metavar="ADDRESS", help="Let this issuer issue every copy of the set.")
    ] = None,
    game: asking.Game = None,
    collection: asking.CollectionAddress = None,
    deployment: DeploymentFile = None,
    rpc: Rpc = None,
    key_file: KeyFile = None,
    account: Account = None,
    as_json: asking.Json = False,
) -> None:
    """Publish a card set, once and for ever; the signer is the publisher. Doing it again finds it done."""
    from collection import issuing  # noqa: PLC0415 - web3 takes a second

    chosen = _card_set(game, card_set)
    issuer = parse_address(allow) if allow else None
    runs = {printing.number: run for printing in chosen.printings}
    with _sender(rpc, key_file, account) as sender, output.progress("Publishing…"):
        known = _deployment(sender, deployment, collection)
        published = issuing.publish(sender, known, chosen, uri=uri, runs=runs)
        receipts = [published.receipt] if published.receipt else []
        if issuer:
            receipts.append(issuing.allow(sender, known, issuer, chosen.number, sum(runs.values())))
    if as_json:
        output.print_json(
            {
                "set": chosen.code,
                "root": "0x" + published.root.hex(),
                "published_before": published.receipt is None,
                "transactions": _receipt_documents(receipts),
            }
        )
        return
    done = "was published before, the same in everything" if published.receipt is None else "published"
    output.print_text(
        f"set {chosen.code} ({chosen.name}), {counted(len(chosen.printings), 'card')}: {done}; "
        f"root 0x{published.root.hex()}"
    )
    _print_receipts(receipts)


@app.command()
def mint(
    *,
    to: Recipient,
    deck: CopiesOfDeck = None,
    card: CopiesOfCards = None,
    soulbound: Annotated[bool, typer.Option("--soulbound", help="Copies that never change hands.")] = False,
    game: asking.Game = None,
    collection: asking.CollectionAddress = None,
    deployment: DeploymentFile = None,
    rpc: Rpc = None,
    key_file: KeyFile = None,
    account: Account = None,
    as_json: asking.Json = False,
) -> None:
    """Issue copies of cards to a wallet; the signer is an issuer."""
    from collection import issuing  # noqa: PLC0415 - web3 takes a second

    wallet = parse_address(to)
    copies = _copies(deck, card or [], game, soulbound=soulbound)
    with _sender(rpc, key_file, account) as sender, output.progress("Minting…"):
        known = _deployment(sender, deployment, collection)
        receipts = issuing.issue(sender, known, [issuing.Parcel(wallet, copies)])
    _print_copies(wallet, copies, receipts, as_json=as_json)


@app.command()
def send(
    *,
    to: Recipient,
    deck: CopiesOfDeck = None,
    card: CopiesOfCards = None,
    game: asking.Game = None,
    collection: asking.CollectionAddress = None,
    deployment: DeploymentFile = None,
    rpc: Rpc = None,
    key_file: KeyFile = None,
    account: Account = None,
    as_json: asking.Json = False,
) -> None:
    """Send copies of cards to another wallet; the signer is whose they are. Soulbound copies stay where they are."""
    from collection import issuing  # noqa: PLC0415 - web3 takes a second

    wallet = parse_address(to)
    copies = _copies(deck, card or [], game, soulbound=False)
    with _sender(rpc, key_file, account) as sender, output.progress("Sending…"):
        receipts = [issuing.hand_over(sender, _deployment(sender, deployment, collection), wallet, copies)]
    _print_copies(wallet, copies, receipts, as_json=as_json)


# --- what is minted, and what is sent


def _print_copies(to: str, copies: Mapping[TokenId, int], receipts: "Sequence[Receipt]", *, as_json: bool) -> None:
    if as_json:
        output.print_json(
            {
                "to": to,
                "copies": [{"token_id": token_id, "units": units} for token_id, units in sorted(copies.items())],
                "transactions": _receipt_documents(receipts),
            }
        )
        return
    output.print_text(
        f"{counted(sum(copies.values()), 'copy', 'copies')} of {counted(len(copies), 'token id')} to {to}"
    )
    _print_receipts(receipts)


def _copies(deck: Path | None, cards: Sequence[str], game: str | None, *, soulbound: bool) -> dict[TokenId, int]:
    """Copies by token id: of the first printing of each card."""
    if not deck and not cards:
        raise typer.BadParameter("no copies: give --deck FILE, or --card, or both")
    catalogue = library.catalogue(game or asking.settings().game)
    wanted: Counter[TokenId] = Counter()
    if deck:
        for need in asking.deck_from(deck, game, None, None).needs:
            wanted[need.token_ids[0]] += need.units
    for text in cards:
        said = _COPIES.fullmatch(text)
        if said is None:
            raise typer.BadParameter(f"{text!r}: write a count and a name, like --card '2 RONALD FRUMP'")
        wanted[TokenId(catalogue.printings(catalogue.find(said[2]))[0].token_id)] += int(said[1])
    return {TokenId(token_id | SOULBOUND if soulbound else token_id): units for token_id, units in wanted.items()}


def _card_set(game: str | None, code: str | None) -> CardSet:
    sets = library.card_sets(game or asking.settings().game)
    codes = tuple(card_set.code for card_set in sets)
    if code is None and len(sets) == 1:
        return sets[0]
    if code is None:
        raise typer.BadParameter(f"which set? give --set, one of {', '.join(codes)}")
    found = [card_set for card_set in sets if card_set.code.lower() == code.lower()]
    if not found:
        raise UnknownSet(code, codes)
    return found[0]


# --- what is written


def _make_folder(folder: Path) -> None:
    """Make it before anything is started for its sake."""
    if folder.exists() and not folder.is_dir():
        raise typer.BadParameter(f"{folder} is there and is not a folder for decklists")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise typer.BadParameter(f"{folder} cannot be a folder for decklists: {error.strerror or error}") from error
    if problem := fault_of_folder(folder):
        raise typer.BadParameter(f"no decklists can be written in {problem}")


def _expect_place(out: Path, *, force: bool) -> None:
    """Refuse, before anything is sent, where the deployment could not be saved afterwards."""
    if problem := fault_of_place(out):
        raise typer.BadParameter(f"{out} cannot be written: {problem}")
    if out.exists() and not force:
        raise typer.BadParameter(f"{out} is there already; --force replaces it")


def _save(made: Deployment, out: Path) -> None:
    """Standard output has the result already, so what goes wrong is said on standard error, with --json too."""
    from cli.exits import exit_of  # noqa: PLC0415 - only when something is wrong

    try:
        save_deployment(made, out)
    except DeploymentNotSaved as error:
        output.print_problem(error, as_json=False)
        raise typer.Exit(exit_of(error)) from error


# --- who signs, and what for


@contextmanager
def _sender(rpc: str | None, key_file: Path | None, account: int | None) -> "Iterator[Sender]":
    """What sends the transactions of the signer that the options name."""
    from collection.transactions import Sender  # noqa: PLC0415 - web3 takes a second

    chosen = asking.settings()
    url = rpc or next(iter(chosen.rpc), None)
    if url is None:
        raise asking.NothingGiven("endpoint", "--rpc URL", "DECKPROOF_RPC")
    signer = signing.signer(key_file, account)
    with Endpoint(url, patience=Patience(deadline=chosen.deadline, timeout=chosen.timeout)) as endpoint:
        sender = Sender(endpoint, signer.signer())
        if account is not None and sender.chain_id not in DEVELOPMENT_CHAINS:
            raise typer.BadParameter(
                f"{endpoint.name} serves chain {sender.chain_id}: a development wallet's key is public, so --account "
                "is for development chains only; give --key-file"
            )
        if chosen.chain_id not in (None, sender.chain_id):
            raise WrongChain(endpoint.name, chosen.chain_id or 0, sender.chain_id)
        with _sigterm_like_ctrl_c(), _accounted_for(sender):
            yield sender


@contextmanager
def _accounted_for(sender: "Sender") -> Iterator[None]:
    """Whatever ends a command early: what it has sent by then is told, unless the error tells it."""
    from cli.exits import Exit  # noqa: PLC0415 - takes long to import

    try:
        yield
    except BaseException as error:
        told = str(error)
        untold = [trace for trace in sender.traces.values() if trace.sent.transaction not in told]
        _print_traces(untold)
        if isinstance(error, KeyboardInterrupt):
            output.print_note("stopped" if sender.traces else "stopped; nothing was sent")
            raise typer.Exit(Exit.INTERRUPTED) from error
        raise


@contextmanager
def _sigterm_like_ctrl_c() -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    world.end_like_ctrl_c()
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def _deployment(sender: "Sender", file: Path | None, address: str | None) -> Deployment:
    """The collection that options or settings name; that its code is ours is checked before anything is sent."""
    from collection.artefact import showdown_cards  # noqa: PLC0415

    if file and address:
        raise typer.BadParameter("--deployment and --collection name two collections; give one")
    if file:
        return load_deployment(file)
    named = address or asking.settings().collection
    if not named:
        raise asking.NothingGiven("collection", "--collection ADDRESS or --deployment FILE", "DECKPROOF_COLLECTION")
    return Deployment(sender.chain_id, parse_address(named), showdown_cards().code_hash, 0)


# --- what is shown


def _wallet_document(wallet: "Wallet") -> dict[str, str]:
    return {"address": wallet.address, "key": f"0x{wallet.key.hex()}"}


def _print_deployment(made: Deployment, *, as_json: bool) -> None:
    if as_json:
        output.print_json(
            {"chain_id": made.chain_id, "address": made.address, "code_hash": made.code_hash, "block": made.block}
        )
    else:
        output.print_text(
            f"collection {made.address} on chain {made.chain_id}, block {made.block}, code {made.code_hash}"
        )


def _print_traces(traces: "Sequence[Trace]") -> None:
    """What became of transactions, for the person, when the command cannot go on."""
    for trace in traces:
        sent = trace.sent
        if trace.block is None:
            output.print_note(f"to {sent.call.action}: {look_up_first([sent.transaction], sent.contract)}")
        else:
            done = "failed" if trace.failed else f"made {sent.contract}" if sent.contract else "is done"
            output.print_note(f"to {sent.call.action}: transaction {sent.transaction} {done} in block {trace.block}")


def _receipt_documents(receipts: "Sequence[Receipt]") -> list[dict[str, object]]:
    return [
        {"transaction": receipt.transaction, "block": receipt.block, "gas_used": receipt.gas_used}
        for receipt in receipts
    ]


def _print_receipts(receipts: "Sequence[Receipt]") -> None:
    for receipt in receipts:
        output.print_text(f"transaction {receipt.transaction}, block {receipt.block}, {receipt.gas_used:,} gas")
