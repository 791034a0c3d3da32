"""What the pages of a demo know besides: who a visitor may be, and keys that everybody knows.

A server has no demo unless the program that starts it gives it one (`site.create_site`); no setting can. In production
it is refused.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fastapi import Request

FOLDER: Final = Path(__file__).parent / "static" / "demo"
"""Files that are served in a demo only."""


@dataclass(frozen=True)
class Worker:
    """Somebody with an account."""

    account: str
    place: str
    """Path of the page where the work is."""


@dataclass(frozen=True)
class Person:
    """A player whom a visitor may be."""

    name: str
    story: str
    wallets: tuple[str, ...]
    """Addresses, whose keys everybody knows."""
    decklist: str
    place: str
    """Path of the page where this player goes on."""
    event: str = ""
    entry: int = 0
    code: str = ""
    """All three are empty for whoever has entered nothing."""
    shops: bool = False
    """Whether missing cards can be bought for the list."""


@dataclass(frozen=True)
class Place:
    """An address worth a look."""

    what: str
    path: str


@dataclass(frozen=True)
class Demo:
    """A demo."""

    scene: str
    password: str
    workers: tuple[Worker, ...]
    people: tuple[Person, ...]
    places: tuple[Place, ...]
    hints: tuple[str, ...]
    """What is to be done, in sentences."""
    sign: Callable[[str, str], str]
    """Of a wallet's address and a text, the signature. Raises: KeyError: the wallet is none of the demo's."""
    buy: Callable[[str], int]
    """Of a person's name, how many cards were missing and have been issued."""
    chain_id: int


def demo_of(request: Request) -> Demo | None:
    """The demo that is being shown, if there is one."""
    found: Demo | None = request.app.state.demo
    return found
