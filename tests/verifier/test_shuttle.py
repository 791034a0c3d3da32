"""A player who shuttles cards between wallets, against our rule and against four that look as good.

    block    0    1    2    3    4    5  …
    Ann      2    2    0    0    2    0        the cards are wherever somebody is about to look, for as long as
    Bob      0    0    2    2    0    2        it takes, if the cheat moves in time

Each event has a few players who conspire, fewer sets of the cards than players, and rounds some blocks apart. Between
two blocks the cheat may move everything; now and then it is too late, or somebody else's sale gets in the way. What is
simulated are the looks; what is concluded from them is the ledger's own.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Final, TypeAlias

from eth_hash.auto import keccak

from verifier.addresses import to_checksum
from verifier.coverage import Need, Outcome
from verifier.holdings import Address, TokenId
from verifier.ledger import Stake, allocate

EVENTS: Final = 4_000
FOO = TokenId(7)
WALLETS = tuple(to_checksum(keccak(b"wallet %d" % number)[:20]) for number in range(5))
MOVES_IN_TIME: Final = 0.6


@dataclass
class Event:
    """The players' needs, when they arrive and when rounds begin, and a chain that is made as time goes on."""

    rng: Random
    needs: list[int]
    arrivals: list[int]
    """A block for each player, before the first round; a late one comes between two rounds."""
    rounds: list[int]
    """The block at which each round begins."""
    history: list[dict[Address, int]] = field(default_factory=list)
    """Of each block."""

    @property
    def players(self) -> range:
        return range(len(self.needs))

    @property
    def supply(self) -> int:
        return sum(self.history[0].values())

    @cached_property
    def stakes(self) -> list[Stake]:
        return [
            Stake(player, (WALLETS[player],), (Need("Foo", (FOO,), self.needs[player]),)) for player in self.players
        ]

    def enters(self, player: int) -> int:
        """The first round that a player is in, from 0."""
        return sum(start < self.arrivals[player] for start in self.rounds)


Rule: TypeAlias = Callable[[Event, int, int], tuple[int, ...]]
"""Player and round to the blocks at which the player's wallet is looked at, up to that round."""


def on_arrival(event: Event, player: int, _number: int) -> tuple[int, ...]:
    return (event.arrivals[player],)


def each_round_wallet_after_wallet(event: Event, player: int, number: int) -> tuple[int, ...]:
    return (event.rounds[number] + player,)


def one_fixed_block(event: Event, _player: int, _number: int) -> tuple[int, ...]:
    return (event.rounds[0],)


def a_fresh_block_each_round(event: Event, _player: int, number: int) -> tuple[int, ...]:
    return (event.rounds[number],)


def one_block_each_round_with_the_least_of_all(event: Event, _player: int, number: int) -> tuple[int, ...]:
    return tuple(event.rounds[: number + 1])


def covered(rule: Rule, event: Event, number: int) -> list[int]:
    """Who plays the round as covered, by what the ledger concludes from the looks of a rule."""
    playing = [player for player in event.players if event.enters(player) <= number]
    looks = zip(*(rule(event, player, number) for player in playing), strict=True)
    epochs = [
        {WALLETS[p]: {FOO: event.history[block][WALLETS[p]]} for p, block in zip(playing, blocks, strict=True)}
        for blocks in looks
    ]
    if not playing:
        return []
    allotment = allocate([event.stakes[player] for player in playing], epochs)
    return [player for player in playing if allotment.outcome(player) is Outcome.COVERED]


def random_event(number: int) -> Event:
    rng = Random(number)
    players = rng.randint(2, 5)
    needs = [rng.randint(1, 2) for _ in range(players)]
    rounds = [6 + 7 * each + rng.randint(0, 1) for each in range(rng.randint(2, 4))]
    arrivals = [rng.randint(0, 5) if rng.random() < 0.8 else rounds[0] + 6 for _ in range(players)]
    event = Event(rng, needs, arrivals, rounds)
    _shuttle(event, rng.randint(1, max(1, sum(needs) - 1)))
    return event


def _shuttle(event: Event, supply: int) -> None:
    """Make the chain: the cheat knows whose wallet is looked at when, by whatever rule, and picks a look to serve."""
    rng, wallets = event.rng, WALLETS[: len(event.needs)]
    looks: dict[int, list[int]] = {}
    for player in event.players:
        for block in (event.arrivals[player], *(start + shift for start in event.rounds for shift in (0, player))):
            looks.setdefault(block, []).append(player)
    now = dict.fromkeys(wallets, 0)
    now[rng.choice(wallets)] = supply
    for block in range(event.rounds[-1] + len(wallets) + 1):
        wanted = looks.get(block, [])
        if wanted and rng.random() < MOVES_IN_TIME:
            to = wallets[rng.choice(wanted)]
            now = dict.fromkeys(wallets, 0)
            now[to] = supply
        elif rng.random() < 0.1:  # a part of it goes elsewhere
            of, to = rng.choice(wallets), rng.choice(wallets)
            units = rng.randint(0, now[of])
            now = {**now, of: now[of] - units}
            now[to] += units
        event.history.append(now)


@dataclass(frozen=True)
class Damage:
    over_counts: int
    """Events in which more units counted for players than there are."""
    without_cards: int
    """Events with a round that somebody played as covered, with a wallet that did not hold the cards as it began."""
    honest: int
    """Events in which somebody played as covered."""


def damage(rule: Rule) -> Damage:
    over_counts = without_cards = honest = 0
    for event in map(random_event, range(EVENTS)):
        counted: set[int] = set()
        empty = False
        for number, start in enumerate(event.rounds):
            playing = covered(rule, event, number)
            counted.update(playing)
            empty = empty or any(event.history[start][WALLETS[p]] < event.needs[p] for p in playing)
        over_counts += sum(event.needs[p] for p in counted) > event.supply
        without_cards += empty
        honest += bool(counted)
    return Damage(over_counts, without_cards, honest)


def test_a_wallet_shuttle_gains_nothing_from_one_block_each_round_with_the_least_of_all() -> None:
    done = damage(one_block_each_round_with_the_least_of_all)
    assert (done.over_counts, done.without_cards) == (0, 0)
    assert done.honest > EVENTS // 10  # a rule that lets nobody play would do no damage either


def test_looking_on_arrival_counts_units_twice_and_lets_people_play_without_cards() -> None:
    done = damage(on_arrival)
    assert min(done.over_counts, done.without_cards) > EVENTS // 10


def test_looking_again_each_round_wallet_after_wallet_counts_units_twice() -> None:
    assert damage(each_round_wallet_after_wallet).over_counts > EVENTS // 10


def test_one_fixed_block_lets_people_play_without_cards() -> None:
    assert damage(one_fixed_block).without_cards > EVENTS // 10


def test_a_fresh_block_each_round_counts_units_twice() -> None:
    assert damage(a_fresh_block_each_round).over_counts > EVENTS // 10
