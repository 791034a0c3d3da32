"""The demo world on a local chain, for as long as a command needs it."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cli import asking, output, verdicts
from collection.anvil import Anvil, AnvilSettings, find_anvil, started_anvil
from collection.demo import ACCOUNTS, GAME, Player, World, build_world
from tournament.service.decks import Deck, read_deck, rules_of
from verifier.chain import ChainHoldings, Collection
from verifier.check import Claim, Verdict, check_decks
from verifier.coverage import sum_needs
from verifier.decklist import DecklistUnreadable

LOOK_EVERY: Final = 2.0
"""Seconds between two looks at whether the chain is still there."""


@dataclass(frozen=True)
class Visit:
    """A player at the desk: the deck with its verdicts, or why the list cannot be read."""

    player: Player
    judged: verdicts.Judged | None
    unreadable: DecklistUnreadable | None


@contextmanager
def demo_world(port: int) -> Iterator[tuple[Anvil, World]]:
    """A local chain with the demo world on it.

    Raises:
        CollectionError: there is no Anvil, it does not start, or the port is taken.
    """
    named = asking.settings().anvil
    program = find_anvil(Path(named) if named else None, environ=os.environ, start=Path.cwd())
    with started_anvil(program, AnvilSettings(accounts=ACCOUNTS, port=port)) as anvil:
        with output.progress("Deploying the collection and dealing out cards…"):
            world = build_world(anvil)
        yield anvil, world


def visits_of(anvil: Anvil, world: World) -> list[Visit]:
    """Every player judged, all at one block."""
    decks = [_deck_of(player) for player in world.players]
    claims = [
        Claim(
            tuple(wallet.address for wallet in player.wallets), deck.needs if isinstance(deck, Deck) else sum_needs(())
        )
        for player, deck in zip(world.players, decks, strict=True)
    ]
    known = world.deployment
    collection = Collection(known.chain_id, known.address, known.code_hash)
    holdings = ChainHoldings([anvil.endpoint], collection)
    found = check_decks(claims, holdings)
    return [
        _visit(player, deck, verdict, holdings)
        for player, deck, verdict in zip(world.players, decks, found, strict=True)
    ]


def _deck_of(player: Player) -> Deck | DecklistUnreadable:
    try:
        return read_deck(player.decklist, rules_of(GAME))
    except DecklistUnreadable as unreadable:
        return unreadable


def _visit(player: Player, deck: Deck | DecklistUnreadable, verdict: Verdict, holdings: ChainHoldings) -> Visit:
    if isinstance(deck, DecklistUnreadable):
        return Visit(player, None, deck)
    contract = holdings.inspect(verdict.block) if verdict.block else None
    return Visit(player, verdicts.Judged(deck, deck.violations(), verdict, holdings.collection, contract), None)


def save_decklists(world: World, folder: Path) -> None:
    """Write each player's decklist to a file of their name."""
    folder.mkdir(parents=True, exist_ok=True)
    for player in world.players:
        asking.write_whole(folder / f"{file_name(player)}.txt", player.decklist, replace=True)


def file_name(player: Player) -> str:
    """A player's name as the name of a file: `Bea Havior` is `bea-havior`."""
    return "".join(c if c.isalnum() else "-" for c in player.name.lower())


def print_surroundings(anvil: Anvil, world: World) -> None:
    """Where the chain is, ready to be pasted into another terminal."""
    output.print_text(f"chain      {anvil.url} (chain id {anvil.chain_id})")
    output.print_text(f"collection {world.deployment.address}")
    output.print_text("To ask it from another terminal:")
    output.print_text(f"  export DECKPROOF_RPC={anvil.url} DECKPROOF_COLLECTION={world.deployment.address}")


def surroundings_document(anvil: Anvil, world: World) -> dict[str, object]:
    """The same for scripts."""
    return {
        "rpc": anvil.url,
        "chain_id": anvil.chain_id,
        "collection": world.deployment.address,
        "code_hash": world.deployment.code_hash,
        "sale_ends": world.sale_ends,
    }


def stay_up(anvil: Anvil) -> None:
    """Wait for Ctrl-C, or a polite kill, and see that the chain is still there meanwhile.

    Raises:
        ChainUnreachable: the chain is gone.
    """
    try:
        output.print_note("The chain stays up. Ctrl-C ends it.")
        while True:
            time.sleep(LOOK_EVERY)
            anvil.ask("eth_chainId")
    except KeyboardInterrupt:
        output.print_note("stopped")


def end_like_ctrl_c() -> None:
    """From now on SIGTERM ends a command as Ctrl-C does, so that it puts everything away."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
