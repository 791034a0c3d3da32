"""One contract for every `Holdings`: a table, a scripted node, a real Anvil."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from eth_hash.auto import keccak

from collection.artefact import showdown_cards
from collection.practice import PracticeCollection
from collection.transactions import Contract
from verifier.addresses import to_checksum
from verifier.chain import ChainHoldings, Collection
from verifier.errors import BlockUnavailable
from verifier.holdings import Address, Ask, Block, BlockHash, Holding, Holdings, MemoryHoldings, TokenId, holdings_of
from verifier.rpc import Endpoint
from verifier.testkit import LyingNode, ScriptedChain

ANN, BOB = (to_checksum(keccak(name)[:20]) for name in (b"ann", b"bob"))
FOO, BAR = TokenId(1 << 16 | 1), TokenId(1 << 16 | 2)


@dataclass
class World:
    """block `then`: Ann has 2 Foo · block `now`: Ann has 1 Foo, Bob 1 Foo and 3 Bar."""

    holdings: Holdings
    then: Block
    now: Block


def scripted() -> tuple[ScriptedChain, Block, Block]:
    chain = ScriptedChain()
    then = chain.mine({(ANN, FOO): 2})
    now = chain.mine({(ANN, FOO): 1, (BOB, FOO): 1, (BOB, BAR): 3})
    return chain, then, now


@pytest.fixture
def in_memory() -> World:
    chain, then, now = scripted()
    return World(MemoryHoldings(chain.history), then, now)


@pytest.fixture
def on_a_scripted_node() -> Iterator[World]:
    chain, then, now = scripted()
    with LyingNode(chain) as node:
        yield World(ChainHoldings([Endpoint(node.url)], Collection(31337, chain.collection)), then, now)


@pytest.fixture
def on_anvil(collection: PracticeCollection) -> World:
    holdings = collection.holdings()
    collection.issue(ANN, {1: 2})
    then = holdings.pin("latest")
    collection.issue(BOB, {1: 1, 2: 3})
    burn(collection, ANN)
    return World(holdings, then, holdings.pin("latest"))


def burn(collection: PracticeCollection, wallet: Address) -> None:
    """One Foo less, without the wallet's key."""
    standing = Contract(collection.anvil.endpoint, showdown_cards().abi, collection.deployment.address)
    call = standing.call("burn a copy", "burn", wallet, FOO, 1)
    collection.anvil.ask("anvil_setBalance", wallet, hex(10**18))
    collection.anvil.ask("anvil_impersonateAccount", wallet)
    collection.anvil.ask("eth_sendTransaction", {"from": wallet, "to": call.to, "data": call.data})
    collection.anvil.mine()


@pytest.fixture(params=["in_memory", "on_a_scripted_node", pytest.param("on_anvil", marks=pytest.mark.chain)])
def world(request: pytest.FixtureRequest) -> World:
    found: World = request.getfixturevalue(request.param)
    return found


def test_a_block_is_found_by_number_by_hash_and_by_tag(world: World) -> None:
    then, now = world.then, world.now
    assert [world.holdings.pin(tag) for tag in (then.number, then.hash, now.hash, "latest")] == [then, then, now, now]


def test_units_are_those_of_the_block(world: World) -> None:
    asks = [Ask(ANN, (FOO, BAR)), Ask(BOB, (FOO, BAR))]
    assert world.holdings.read(asks, world.then) == [(2, 0), (0, 0)]
    assert world.holdings.read(asks, world.now) == [(1, 0), (1, 3)]


def test_answers_are_in_the_order_of_the_asks_and_their_ids(world: World) -> None:
    asks = [Ask(BOB, (BAR, FOO, BAR)), Ask(ANN, ()), Ask(ANN, (FOO,)), Ask(BOB, (BAR,))]
    assert world.holdings.read(asks, world.now) == [(3, 1, 3), (), (1,), (3,)]


def test_nothing_asked_is_nothing_answered(world: World) -> None:
    assert world.holdings.read([], world.now) == []
    assert world.holdings.read([Ask(ANN, ())], world.now) == [()]


def test_a_token_id_that_nobody_issued_is_zero(world: World) -> None:
    assert world.holdings.read([Ask(ANN, (TokenId(2**256 - 1), TokenId(0)))], world.now) == [(0, 0)]


def test_a_block_that_is_not_there_is_unavailable(world: World) -> None:
    nowhere = BlockHash("0x" + "77" * 32)
    for tag in (10**6, nowhere):
        with pytest.raises(BlockUnavailable):
            world.holdings.pin(tag)
    with pytest.raises(BlockUnavailable):
        world.holdings.read([Ask(ANN, (FOO,))], Block(10**6, nowhere, 0))


def test_answers_become_holdings_without_the_zeros() -> None:
    assert holdings_of([Ask(ANN, (FOO, BAR)), Ask(BOB, (BAR,))], [(2, 0), (3,)]) == [
        Holding(ANN, FOO, 2),
        Holding(BOB, BAR, 3),
    ]


def test_a_wallet_that_is_no_one_has_nothing(world: World) -> None:
    assert world.holdings.read([Ask(Address("0x" + "00" * 19 + "01"), (FOO,))], world.now) == [(0,)]
