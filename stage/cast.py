"""Who is in the demo: the players of the demo world, more of them, and a person for each kind of work.

Pure data: what becomes of them, the services and the chain say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from collection.demo import GAME, STAFF, World
from collection.wallets import Wallet, development_wallets
from games import library
from tournament.domain.roles import StaffRole
from tournament.service import decks
from verifier.holdings import TokenId

PASSWORD: Final = "all the world is a stage"  # noqa: S105 - it is printed, and opens nothing but a demo
ORGANIZER: Final = "organizer"
DESK: Final = "desk"
SCOREKEEPER: Final = "scorekeeper"
JUDGE: Final = "judge"
STAFF_ROLES: Final[Mapping[str, StaffRole]] = {
    role.value: role
    for role in StaffRole.__args__  # type: ignore[attr-defined]  # a Literal has them
    if role != ORGANIZER
}
"""Account to role; each is named after its work, and `organizer` has made the events."""

PLAYING: Final = (
    "Paige Turner",
    "Chip Munny",
    "Bea Havior",
    "Twyla Purse",
    "Penny Short",
    "Stella Stranger",
    "Cash Flo",
    "Nick O'Thyme",
    "Will Wander",
)
"""Of the demo world, those who have entered. The others have not, so that a visitor may be one of them."""
OTHERS: Final = (
    "Anna Conda",
    "Barb Dwyer",
    "Carrie Oakey",
    "Dee Jay Vu",
    "Ella Vator",
    "Frank O. Phile",
    "Gustavo Pérez",
    "Hazel Nutt",
    "Iris Kamera",
    "Justin Case",
    "Kay Oss",
    "Lou Pole",
    "Mike Stand",
    "Noor Al-Rashid",
    "Ollie Garch",
    "Pearl Diver",
    "Quinn Tessence",
    "Rhoda Camel",
    "Sol Fège",
    "Tim Burr",
    "Uma Plause",
    "Vic Torious",
    "Łucja Wójcik",
)
READY: Final = "Ready Player"
"""Holds a whole deck and has entered nothing: whoever clicks through a day without trouble is this one."""
ACCOUNTS: Final = 64
"""Development wallets with ether."""
_FIRST: Final = 24
"""Number of the first wallet that the demo world leaves to the others."""


@dataclass(frozen=True, slots=True)
class Actor:
    """A player who comes with cards."""

    name: str
    story: str
    wallets: tuple[Wallet, ...]
    decklist: str


def others() -> tuple[Actor, ...]:
    """Those who are in no story, each with a whole deck; the last one is `READY`."""
    lists = [*library.decks(GAME).values()]
    names = (*OTHERS, READY)
    free = development_wallets(_FIRST + len(names))[_FIRST:]
    stories = {READY: "holds a whole deck, and has entered nothing yet"}
    return tuple(
        Actor(name, stories.get(name, "bought the whole deck"), (wallet,), lists[number % len(lists)])
        for number, (name, wallet) in enumerate(zip(names, free, strict=True))
    )


def of_the_world(world: World) -> tuple[Actor, ...]:
    """Those of the demo world."""
    return tuple(Actor(one.name, one.story, one.wallets, one.decklist) for one in world.players)


@cache
def needs_of(decklist: str) -> Mapping[TokenId, int]:
    """Copies that a list needs, by the first printing of each card."""
    deck = decks.read_deck(decklist, decks.rules_of(GAME))
    return {need.token_ids[0]: need.units for need in deck.needs}


def keys() -> Mapping[str, Wallet]:
    """Every wallet whose key the demo knows, by its address in small letters."""
    return {wallet.address.lower(): wallet for wallet in development_wallets(ACCOUNTS)[STAFF:]}
