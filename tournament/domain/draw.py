"""The public draw: an order of the players that nobody can choose and anybody can compute again.

Every player gets a *lot* for every round:

    lot = SHA-256( "19:deckproof pairing 1," + net(draw) + net(round number) + net(player id) )
    net(text) = the length of its UTF-8 bytes in decimal digits, ":", those bytes, ","

Inside a score group the smaller lot comes first; lots compare as 32 bytes, the first byte counts most. The length
before each part keeps two different inputs from looking alike ("a1" and round 2, "a" and round 12). On any machine:

    printf '19:deckproof pairing 1,4:seed,1:3,3:ann,' | sha256sum

The tables whose decks are checked in a round are drawn alike, with a lot for every table:

    lot = SHA-256( "22:deckproof deck check 1," + net(draw) + net(round number) + net(table number) )

So the order of a round's tables is fixed before anybody asks for it, and asking twice draws the next ones. A table that
is not to be checked is passed over.

The draw itself is a text: for an event on a chain it is made from a block that was announced before registration
closed; for any other it is chosen at random, its `commitment` is published first and the draw at the end.
"""

from collections.abc import Iterable
from hashlib import sha256

from tournament.domain.model import PlayerId

_PAIRING = "deckproof pairing 1"
_DECK_CHECK = "deckproof deck check 1"


def draw_lots(draw: str, number: int, players: Iterable[PlayerId]) -> dict[PlayerId, bytes]:
    """The lot of each player in the round of that number: 32 bytes, the smaller one first."""
    begun = sha256(_net(_PAIRING) + _net(draw) + _net(str(number)))
    lots = {}
    for player in players:
        lot = begun.copy()
        lot.update(_net(player))
        lots[player] = lot.digest()
    return lots


def draw_tables(draw: str, number: int, tables: Iterable[int], count: int) -> tuple[int, ...]:
    """The tables of a round to check the decks of: of those given, so many with the smallest lots, in that order."""
    begun = _net(_DECK_CHECK) + _net(draw) + _net(str(number))
    return tuple(sorted(tables, key=lambda table: sha256(begun + _net(str(table))).digest())[:count])


def commitment(draw: str) -> str:
    """What an organizer publishes before the event to be held to a draw: 64 hex digits.

    A draw that can be guessed is not hidden by it; use at least 32 random hex digits.
    """
    return sha256(_net("deckproof draw 1") + _net(draw)).hexdigest()


def _net(text: str) -> bytes:
    data = text.encode()
    return b"%d:%b," % (len(data), data)
