"""The demo world: the starter set on a local chain, and sixteen players with a reason to be looked at.

What a verdict says of each is not written here: the verifier finds it out from the chain, and tests hold it to what a
person would say. Everything is the same on every run: names, wallets, the collection's address, the order of blocks.

    build_world(anvil) -> World          an Anvil with at least `ACCOUNTS` accounts and nothing on it
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, TypeAlias

from collection.anvil import Anvil
from collection.deployment import Deployment
from collection.issuing import Parcel, Staff, allow, deploy, issue_calls, publish, standing
from collection.transactions import Sender
from collection.wallets import Wallet, development_wallets
from games import library
from games.cards import SOULBOUND, Card, Catalogue
from verifier.decklist import Decklist, Line, parse_decklist, write_decklist
from verifier.holdings import TokenId

GAME: Final = "cps"
STAFF: Final = 3
"""So many wallets, the first, are admin, publisher and issuer."""
ACCOUNTS: Final = 20
"""Staff, and a wallet for each player and two for one of them."""
RUN: Final = 500
"""Copies of each card that there may ever be."""
URI: Final = "https://cards.example/cps/{id}.json"

_TYRANT, _INFLUENCERS, _PLAYER_CARDS = "Media Tyrant", "Influencers", "Player cards"

Copies: TypeAlias = Counter[TokenId]
"""How many copies of each token id."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who comes with a deck."""

    name: str
    wallets: tuple[Wallet, ...]
    decklist: str
    """In the shape of Arena."""
    story: str
    """What they did, in one line."""


@dataclass(frozen=True, slots=True)
class World:
    """A collection, and the players who hold it."""

    deployment: Deployment
    players: tuple[Player, ...]
    sale_ends: int
    """Number of the block in which everybody bought their cards; what changes hands does so later."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What is written down of a player; the wallets are dealt out in the order of the cast."""

    name: str
    story: str
    decklist: str
    bought: tuple[Copies, ...]
    """For each wallet."""


def build_world(anvil: Anvil) -> World:
    """Deploy, publish and issue everything; let one card be sold and another burned.

    Raises:
        CollectionError: the chain did not do it.
        ChainError: the chain gave no answer.
    """
    admin, publisher, issuer, *others = development_wallets(ACCOUNTS)
    staff = Staff(publisher=publisher.address, issuer=issuer.address)
    deployment = deploy(Sender(anvil.endpoint, admin.signer()), staff=staff, admin_delay=0)
    _open_shop(Sender(anvil.endpoint, publisher.signer()), deployment, issuer)
    cast, free = _cast(), iter(others)
    dealt = [tuple(next(free) for _ in part.bought) for part in cast]
    sale_ends = _sell(anvil, Sender(anvil.endpoint, issuer.signer()), deployment, zip(cast, dealt, strict=True))
    players = tuple(
        Player(part.name, wallets, part.decklist, part.story) for part, wallets in zip(cast, dealt, strict=True)
    )
    _trade(anvil, deployment, {player.name: player.wallets[0] for player in players})
    return World(deployment, players, sale_ends)


def _open_shop(publisher: Sender, deployment: Deployment, issuer: Wallet) -> None:
    for card_set in library.card_sets(GAME):
        runs = {printing.number: RUN for printing in card_set.printings}
        publish(publisher, deployment, card_set, uri=URI, runs=runs)
        allow(publisher, deployment, issuer.address, card_set.number, sum(runs.values()))


def _sell(
    anvil: Anvil, issuer: Sender, deployment: Deployment, buyers: Iterable[tuple[_Part, Sequence[Wallet]]]
) -> int:
    """Issue what everybody bought, and return the number of the block."""
    parcels = [
        Parcel(wallet.address, copies)
        for part, wallets in buyers
        for wallet, copies in zip(wallets, part.bought, strict=True)
        if copies
    ]
    calls = issue_calls(standing(issuer, deployment), parcels)
    with anvil.one_block():
        sent = issuer.send(calls)
    return max(receipt.block for receipt in issuer.settle(sent))


def _trade(anvil: Anvil, deployment: Deployment, wallets: Mapping[str, Wallet]) -> None:
    """One player sells a card to another, and one burns hers."""
    seller, buyer, burner = wallets[_SELLER], wallets[_BUYER], wallets[_BURNER]
    traded, burned = _ordinary(_last(_deck(_TRADED_DECK))), _ordinary(_last(_deck(_BURNED_DECK)))
    as_seller, as_burner = (Sender(anvil.endpoint, wallet.signer()) for wallet in (seller, burner))
    cards = standing(as_seller, deployment)
    sold = cards.call("sell a card", "safeTransferFrom", seller.address, buyer.address, traded, 1, b"")
    gone = cards.call("burn a card", "burn", burner.address, burned, 1)
    with anvil.one_block():
        sent = [(as_seller, as_seller.send([sold])), (as_burner, as_burner.send([gone]))]
    for sender, transactions in sent:
        sender.settle(transactions)


# --- the cast -----------------------------------------------------------------------------------------------------

_SELLER, _BUYER, _BURNER = "Cash Flo", "Nick O'Thyme", "Bern Down"
_TRADED_DECK, _BURNED_DECK = "bigger-letters", "front-row-seats"


def _cast() -> tuple[_Part, ...]:
    """Everybody, in the order in which they stand in the queue."""
    return (
        _part("Paige Turner", "bought the whole deck and kept it", _deck("sequels-hit-harder")),
        _part("Chip Munny", "pays in full, and counts his change", _deck("interest-on-interest")),
        _prize_winner(),
        _two_wallets(),
        _one_short(),
        _two_short(),
        _twice_on_the_list(),
        _owns_nothing(),
        _part(_SELLER, f"bought the whole deck, then sold a card to {_BUYER}", _deck(_TRADED_DECK)),
        _late_buyer(),
        _part(_BURNER, "bought the whole deck, then burned a card in a fit of temper", _deck(_BURNED_DECK)),
        _wrong_domain(),
        _one_too_many(),
        _influencer_at_home(),
        _no_tyrant(),
        _misspelt(),
    )


def _prize_winner() -> _Part:
    deck = _deck("tears-and-tantrums")
    bought: Copies = Counter()
    for token_id, count in _copies(deck).items():
        bought[token_id] = count - count // 2
        bought[TokenId(token_id | SOULBOUND)] = count // 2
    return _Part("Bea Havior", "won half of her doubles as prizes that can never be sold", _text(deck), (+bought,))


def _two_wallets() -> _Part:
    deck = _deck("no-pain-no-grain")
    hot: Copies = Counter({token_id: count // 2 for token_id, count in _copies(deck).items()})
    story = "keeps the deck in two wallets, some copies of a card here and some there"
    return _Part("Twyla Purse", story, _text(deck), (+hot, _copies(deck) - hot))


def _one_short() -> _Part:
    deck = _deck("reunion-tour")
    return _part("Penny Short", "bought all of the deck but its last copy", deck, _copies(deck, but=_last(deck)))


def _two_short() -> _Part:
    deck = _deck("no-pain-no-grain")
    line = _most_copies(deck)
    story = f"holds {line.count - 2} copies of a card and lists {line.count}"
    return _part("Dewey Twice", story, deck, _copies(deck, but=line, copies=2))


def _twice_on_the_list() -> _Part:
    deck = _deck("reunion-tour")
    line = _most_copies(deck)
    halves = [replace(line, count=line.count - line.count // 2), replace(line, count=line.count // 2)]
    lines = [part for each in deck.lines for part in (halves if each is line else [each])]
    story = "lists a card on two lines, and holds the copies of one"
    bought = _copies(deck, but=line, copies=halves[1].count)
    return _part("Polly Paste", story, Decklist(tuple(lines), deck.title), bought)


def _owns_nothing() -> _Part:
    story = "copied a deck from the internet, and has never bought a card"
    return _part("Stella Stranger", story, _deck("one-of-everything"), Counter())


def _late_buyer() -> _Part:
    deck = _deck(_TRADED_DECK)
    story = f"was one card short until {_SELLER} sold it to him in a later block"
    return _part(_BUYER, story, deck, _copies(deck, but=_last(deck)))


def _wrong_domain() -> _Part:
    deck = _deck("sequels-hit-harder")
    last = _last(deck)
    foreign = _outsider(deck)
    story = "plays a card from a Domain that his Media Tyrant does not care for"
    return _part("Will Wander", story, _ending(deck, replace(foreign, count=last.count, section=last.section)))


def _one_too_many() -> _Part:
    deck = _deck("interest-on-interest")
    last = _last(deck)
    story = "could not decide which of his 41 Player cards to leave at home"
    return _part("Max Overkill", story, _ending(deck, replace(last, count=last.count + 1)))


def _influencer_at_home() -> _Part:
    deck = _deck("tears-and-tantrums")
    absent = next(line for line in reversed(deck.lines) if line.section == _INFLUENCERS)
    deck = Decklist(tuple(_less(deck.lines, absent)), deck.title)
    return _part("Noah Shows", "left an Influencer at home", deck)


def _no_tyrant() -> _Part:
    deck = _deck("front-row-seats")
    deck = Decklist(tuple(line for line in deck.lines if line.section != _TYRANT), deck.title)
    part = _part("Ty Rantless", "answers to nobody, and left the place of the Media Tyrant empty", deck)
    return replace(part, decklist=f"{_TYRANT}\n\n{part.decklist}")


def _misspelt() -> _Part:
    deck = _deck("reunion-tour")
    last = _last(deck)
    typed = replace(last, name=last.name[:-2] + last.name[-1] + last.name[-2])
    return _part("Otto Correct", "types faster than he spells", _ending(deck, typed), _copies(deck))


# --- decks and copies ---------------------------------------------------------------------------------------------


def _part(name: str, story: str, deck: Decklist, bought: Copies | None = None) -> _Part:
    """A player with one wallet, who bought exactly the deck unless told otherwise."""
    return _Part(name, story, _text(deck), (_copies(deck) if bought is None else bought,))


@cache
def _deck(name: str) -> Decklist:
    """One of the game's example decks."""
    return parse_decklist(library.decks(GAME)[name])


def _text(deck: Decklist) -> str:
    return write_decklist(deck)


def _last(deck: Decklist) -> Line:
    return deck.lines[-1]


def _ending(deck: Decklist, line: Line) -> Decklist:
    """The deck with another last line."""
    return Decklist((*deck.lines[:-1], line), deck.title)


def _most_copies(deck: Decklist) -> Line:
    return max((line for line in deck.lines if line.section == _PLAYER_CARDS), key=lambda line: line.count)


def _less(lines: Iterable[Line], absent: Line) -> Iterator[Line]:
    """The lines without one copy of one of them."""
    for line in lines:
        if line != absent:
            yield line
        elif line.count > 1:
            yield replace(line, count=line.count - 1)


def _copies(deck: Decklist, *, but: Line | None = None, copies: int = 1) -> Copies:
    """What the deck needs in ordinary copies, but so many copies of one line."""
    needed: Copies = Counter()
    for line in deck.lines:
        needed[_ordinary(line)] += line.count
    if but is not None:
        needed[_ordinary(but)] -= copies
    return +needed


def _ordinary(line: Line) -> TokenId:
    catalogue = _catalogue()
    return TokenId(catalogue.printings(catalogue.find(line.name))[0].token_id)


def _outsider(deck: Decklist) -> Line:
    """A Player card that shares no Domain with the deck's Media Tyrant."""
    catalogue = _catalogue()
    tyrant = catalogue.find(next(line.name for line in deck.lines if line.section == _TYRANT))
    known = catalogue.find(_last(deck).name)
    card = next(card for card in catalogue.cards if card.type == known.type and not _domains(card) & _domains(tyrant))
    printing = catalogue.printings(card)[0]
    return Line(1, card.name, set_code=printing.set_code, number=printing.number)


def _domains(card: Card) -> frozenset[str]:
    return frozenset(card.traits["domain"])


def _catalogue() -> Catalogue:
    return library.catalogue(GAME)
