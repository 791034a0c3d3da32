"""Headers and proofs of a real node, also of one that lies about them."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from eth_hash.auto import keccak

from collection.anvil import Anvil, AnvilSettings, find_anvil, started_anvil
from collection.errors import AnvilNotFound
from collection.practice import PracticeCollection
from collection.wallets import Wallet
from verifier.chain import ChainHoldings, Collection
from verifier.errors import AnswerSuspicious, BlockUnavailable, NoContract
from verifier.headers import Header, parse_header
from verifier.holdings import Address, Ask, TokenId
from verifier.proofs import BALANCES, prove_balances, prove_told, read_proven
from verifier.rpc import Endpoint
from verifier.testkit import LyingNode
from verifier.testkit.lying_node import Answerer, Node, Relay
from verifier.testkit.scripted_chain import Question, Refusal

pytestmark = pytest.mark.chain
CARD = TokenId(1 << 16 | 1)
OTHER = TokenId(1 << 16 | 2)

Lying = Callable[[Node], LyingNode]


def header_of(anvil: Anvil, tag: str = "latest") -> Header:
    return parse_header(anvil.ask("eth_getBlockByNumber", tag, False))  # noqa: FBT003 - JSON-RPC knows no names


@pytest.fixture
def asks(collection: PracticeCollection, funded_wallets: tuple[Wallet, ...]) -> list[Ask]:
    """Ann has 3 of a card and 1 of another, Bob 2 and none."""
    ann, bob = funded_wallets[:2]
    collection.issue(ann.address, {1: 3, 2: 1})
    collection.issue(bob.address, {1: 2})
    return [Ask(wallet.address, (CARD, OTHER)) for wallet in (ann, bob)]


@pytest.fixture
def through(lying_node: Lying, anvil: Anvil) -> Iterator[tuple[LyingNode, Endpoint]]:
    """The chain behind a node that can be told to lie."""
    node = lying_node(Relay(anvil.url))
    with Endpoint(node.url) as endpoint:
        yield node, endpoint


@pytest.mark.parametrize("fork", ["frontier", "london", "paris", "shanghai", "cancun", "prague", "osaka"])
def test_a_blocks_hash_is_computed_from_its_header_on_every_fork(fork: str) -> None:
    try:
        program = find_anvil(environ=os.environ, start=Path(__file__))
    except AnvilNotFound as error:
        pytest.skip(str(error))
    with started_anvil(program, AnvilSettings(more=("--hardfork", fork))) as chain:
        chain.mine(2)
        asked = chain.ask("eth_getBlockByNumber", "latest", False)  # noqa: FBT003 - JSON-RPC knows no names
        assert isinstance(asked, dict)
        assert parse_header(asked).block.hash == asked["hash"]


def test_proven_balances_are_what_the_contract_tells(
    anvil: Anvil, collection: PracticeCollection, asks: list[Ask]
) -> None:
    header = header_of(anvil)
    proven = read_proven(anvil.endpoint, header, collection.deployment.address, asks)
    told = collection.holdings().read(asks, header.block)
    assert proven.units == told == [(3, 1), (2, 0)]
    assert proven.code_hash == collection.deployment.code_hash
    assert prove_balances(header, collection.deployment.address, asks, proven.nodes) == proven


def test_an_older_block_is_proven_from_its_own_root(
    anvil: Anvil, collection: PracticeCollection, asks: list[Ask], funded_wallets: tuple[Wallet, ...]
) -> None:
    before = header_of(anvil)
    collection.issue(funded_wallets[0].address, {1: 4})
    units = [
        read_proven(anvil.endpoint, header, collection.deployment.address, asks).units[0][0]
        for header in (before, header_of(anvil))
    ]
    assert units == [3, 7]


def test_many_slots_are_asked_for_in_parts(
    anvil: Anvil, collection: PracticeCollection, asks: list[Ask], through: tuple[LyingNode, Endpoint]
) -> None:
    node, endpoint = through
    many = [Ask(asks[0].wallet, tuple(TokenId(1 << 16 | number) for number in range(1, 251)))]
    seen: list[tuple[int, int]] = []
    proven = read_proven(
        endpoint, header_of(anvil), collection.deployment.address, many, on_progress=lambda *done: seen.append(done)
    )
    assert (sum(proven.units[0]), node.count("eth_getProof"), max(seen)) == (4, 3, (252, 252))


def test_a_proxys_code_hash_is_proven_with_the_code_behind_it(
    anvil: Anvil, collection: PracticeCollection, asks: list[Ask]
) -> None:
    # An ERC-1967 proxy before the collection; its balances are its own.
    proxy, slot = Address("0x" + "99" * 20), "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"
    anvil.ask("anvil_setCode", proxy, f"0x365f5f375f5f365f7f{slot[2:]}545af43d5f5f3e5f3d91603757fd5bf3")
    anvil.ask("anvil_setStorageAt", proxy, slot, "0x" + collection.deployment.address[2:].rjust(64, "0"))
    anvil.mine()
    header = header_of(anvil)
    proven = read_proven(anvil.endpoint, header, proxy, asks)
    told = ChainHoldings([anvil.endpoint], Collection(31337, proxy)).inspect(header.block)
    assert (proven.code_hash, proven.implementation) == (told.code_hash, collection.deployment.address)
    assert proven.units == [(0, 0), (0, 0)]


def test_an_address_without_a_contract_is_proven_to_have_none(anvil: Anvil, asks: list[Ask]) -> None:
    for address in (asks[0].wallet, Address("0x" + "ee" * 20)):
        with pytest.raises(NoContract):
            read_proven(anvil.endpoint, header_of(anvil), address, asks)


def test_a_node_that_looks_at_no_hashes_is_asked_by_number(
    anvil: Anvil, collection: PracticeCollection, asks: list[Ask], through: tuple[LyingNode, Endpoint]
) -> None:
    node, endpoint = through
    before = header_of(anvil)
    anvil.mine()

    def only_numbers(question: Question, honest: Answerer) -> object:
        if question.method == "eth_getProof" and isinstance(question.params[2], dict):
            raise Refusal(-32602, "invalid argument 2: json: cannot unmarshal object")
        return honest(question)

    node.tell(only_numbers)
    assert read_proven(endpoint, before, collection.deployment.address, asks).units == [(3, 1), (2, 0)]


def test_an_endpoint_without_proofs_says_so(
    anvil: Anvil, collection: PracticeCollection, asks: list[Ask], through: tuple[LyingNode, Endpoint]
) -> None:
    def none(question: Question, honest: Answerer) -> object:
        if question.method == "eth_getProof":
            raise Refusal(-32601, "the method eth_getProof does not exist")
        return honest(question)

    node, endpoint = through
    node.tell(none)
    with pytest.raises(BlockUnavailable, match="proves nothing there"):
        read_proven(endpoint, header_of(anvil), collection.deployment.address, asks)


def test_one_lying_endpoint_alone_cannot_invent_a_balance(
    anvil: Anvil,
    collection: PracticeCollection,
    asks: list[Ask],
    through: tuple[LyingNode, Endpoint],
    funded_wallets: tuple[Wallet, ...],
) -> None:
    # It answers honestly, but with the state of a later block, in which Ann bought the cards that she lacks.
    node, endpoint = through
    before = header_of(anvil)
    collection.issue(funded_wallets[0].address, {1: 40})

    def later(question: Question, honest: Answerer) -> object:
        if question.method == "eth_getProof":
            return honest(Question(question.method, (*question.params[:2], "latest")))
        return honest(question)

    node.tell(later)
    with pytest.raises(AnswerSuspicious, match="is of another block or made up"):
        read_proven(endpoint, before, collection.deployment.address, asks)


def test_an_endpoint_that_leaves_a_balance_out_does_not_prove_that_it_is_zero(
    anvil: Anvil, collection: PracticeCollection, asks: list[Ask], through: tuple[LyingNode, Endpoint]
) -> None:
    node, endpoint = through

    def leaves_out(question: Question, honest: Answerer) -> object:
        answer = honest(question)
        if question.method == "eth_getProof" and isinstance(answer, dict):
            answer["storageProof"] = [{**proof, "proof": proof["proof"][:-1]} for proof in answer["storageProof"]]
        return answer

    node.tell(leaves_out)
    with pytest.raises(AnswerSuspicious, match="is missing"):
        read_proven(endpoint, header_of(anvil), collection.deployment.address, asks)


def test_the_state_root_is_the_one_that_the_header_names(anvil: Anvil) -> None:
    header = header_of(anvil)
    answer = anvil.ask("eth_getProof", "0x" + "11" * 20, [], "latest")
    assert isinstance(answer, dict)
    assert keccak(bytes.fromhex(answer["accountProof"][0][2:])) == header.state_root


def test_where_the_collection_keeps_balances_is_found_by_what_it_told(
    anvil: Anvil, collection: PracticeCollection, asks: list[Ask]
) -> None:
    header, address = header_of(anvil), collection.deployment.address
    told = {asks[0].wallet: {CARD: 3, OTHER: 1}, asks[1].wallet: {CARD: 2, OTHER: 0}}
    found = prove_told([anvil.endpoint], header, address, told, asks)
    assert found.slot == BALANCES
    assert prove_balances(header, address, asks, found.nodes).units == [(3, 1), (2, 0)]
    told[asks[1].wallet][OTHER] = 1
    with pytest.raises(AnswerSuspicious, match=f"1 units of token {OTHER} in {asks[1].wallet}, .* proves 0"):
        prove_told([anvil.endpoint], header, address, told, asks)
