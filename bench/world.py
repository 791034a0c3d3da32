"""A tournament to verify: players with a deck each, and a chain on which each of them owns it.

The chain is a real Anvil with the real contract. Nobody mints a million cards: the contract's storage is written into a
state file, which Anvil loads in seconds. The file is kept, under a name that changes with everything it is made from.
"""

import gzip
import hashlib
import json
import os
import random
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from eth_hash.auto import keccak

from collection.anvil import AnvilSettings, find_anvil, started_anvil
from collection.artefact import showdown_cards
from verifier.addresses import to_checksum
from verifier.chain import Collection
from verifier.check import Claim
from verifier.coverage import Need
from verifier.holdings import Address, Ask, TokenId

ROOT: Final = Path(__file__).resolve().parent.parent
CACHE: Final = ROOT / ".deckproof" / "bench"

CARDS: Final = to_checksum(bytes.fromhex("cd" * 20))
"""Where the collection stands."""
DECK_SIZE: Final = 51
"""Different cards in a deck of Celebrity Parody Showdown, each once."""
_CARDS_IN_SET: Final = 200
_SET: Final = 1
_SHORT: Final = 100
"""One deck in so many asks for a card that its player does not have."""
_CALL_GAS: Final = 50_000_000
"""What geth grants a call; a block's limit is what Anvil grants."""
_BALANCES_SLOT: Final = 0
"""Of OpenZeppelin's `mapping(uint256 id => mapping(address account => uint256)) _balances`, the first variable."""
_WALLETS_A_PART: Final = 500
_DEADLINE: Final = 120.0
"""Seconds; loading a million balances takes five."""


@dataclass(frozen=True)
class Field:
    """Players, their wallets and their decks: the same for everybody who asks for as many."""

    players: int

    @cached_property
    def wallets(self) -> list[Address]:
        """One a player."""
        return [to_checksum(_wallet(player)) for player in range(self.players)]

    @cached_property
    def asks(self) -> list[Ask]:
        """Each player's wallet and the cards of the deck."""
        return [Ask(wallet, _deck(player)) for player, wallet in enumerate(self.wallets)]

    @cached_property
    def claims(self) -> list[Claim]:
        """What each player has to own; all do."""
        return [
            Claim((ask.wallet,), tuple(Need(f"card {each}", (each,), 1) for each in ask.token_ids)) for ask in self.asks
        ]

    @cached_property
    def claims_some_short(self) -> tuple[list[Claim], set[int]]:
        """The claims with some altered to need a second copy of one card, and whose those are."""
        short = set(range(_SHORT // 2, self.players, _SHORT)) or {0}
        claims = list(self.claims)
        for player in short:
            first, *others = claims[player].needs
            claims[player] = replace(claims[player], needs=(replace(first, units=2), *others))
        return claims, short


@dataclass(frozen=True, slots=True)
class World:
    """A chain on which every player of the field owns the deck."""

    field: Field
    url: str
    collection: Collection


@contextmanager
def world(players: int) -> Iterator[World]:
    """Start a chain for so many players."""
    field = Field(players)
    program = find_anvil(environ=os.environ, start=ROOT)
    settings = AnvilSettings(accounts=1, more=("--load-state", str(_state_file(field, program))))
    with started_anvil(program, settings, deadline=_DEADLINE) as anvil:
        anvil.mine()  # a block with a date of today
        yield World(field, anvil.url, Collection(anvil.chain_id, CARDS, showdown_cards().code_hash))


# --- who owns what ------------------------------------------------------------------------------------------------


def _wallet(player: int) -> bytes:
    return keccak(b"player %d" % player)[-20:]


def _deck(player: int) -> tuple[TokenId, ...]:
    numbers = random.Random(player).sample(range(1, _CARDS_IN_SET + 1), DECK_SIZE)  # noqa: S311 - no secret
    return tuple(TokenId(_SET << 16 | number) for number in sorted(numbers))


# --- the state file -----------------------------------------------------------------------------------------------


def _state_file(field: Field, anvil: Path) -> Path:
    """Anvil's state with everybody's balances, made once."""
    made_from = (showdown_cards().code_hash, Path(__file__).read_text(encoding="utf-8"), str(field.players))
    name = hashlib.sha256("\n".join(made_from).encode()).hexdigest()[:16]
    path = CACHE / f"state-{field.players}-{name}.json"
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        for old in CACHE.glob(f"state-{field.players}-*"):
            old.unlink()
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_text(_state(field, anvil), encoding="utf-8")
        draft.rename(path)
    return path


def _state(field: Field, program: Path) -> str:
    """What Anvil would dump, had the cards been minted."""
    with started_anvil(program, AnvilSettings(accounts=1, block_gas_limit=_CALL_GAS)) as anvil:
        dump = bytes.fromhex(str(anvil.ask("anvil_dumpState"))[2:])
    state = json.loads(gzip.decompress(dump))
    here = "@storage"
    state["accounts"][CARDS.lower()] = {
        "nonce": 1,
        "balance": "0x0",
        "code": "0x" + showdown_cards().runtime.hex(),
        "storage": here,
    }
    parts = [
        range(first, min(first + _WALLETS_A_PART, field.players)) for first in range(0, field.players, _WALLETS_A_PART)
    ]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:  # there are threads here, so no fork
        storage = "{" + ",".join(pool.map(_slots, parts)) + "}"
    return json.dumps(state).replace(f'"{here}"', storage)


def _slots(players: Sequence[int]) -> str:
    """Storage slots, each with a balance of one, as the members of a JSON object.

    Source: Solidity, "Layout of State Variables in Storage", mappings.
    """
    return ",".join(f'"0x{slot.hex()}":"0x1"' for slot in _balance_slots(players))


def _balance_slots(players: Iterable[int]) -> Iterator[bytes]:
    accounts = {}
    for player in players:
        account = _wallet(player).rjust(32, b"\0")
        for token_id in _deck(player):
            if token_id not in accounts:
                accounts[token_id] = keccak(token_id.to_bytes(32, "big") + _BALANCES_SLOT.to_bytes(32, "big"))
            yield keccak(account + accounts[token_id])
