"""The reader of the chain, against every lie that a node or a contract can tell."""

from collections.abc import Iterator, Sequence
from functools import partial

import pytest
from eth_hash.auto import keccak

from verifier.addresses import to_checksum
from verifier.chain import ChainHoldings, Collection, Contract
from verifier.check import Claim, Outcome, Verdict, check_deck
from verifier.coverage import Need
from verifier.errors import (
    AnswerSuspicious,
    BlockReplaced,
    BlockUnavailable,
    ChainUnreachable,
    CodeChanged,
    EndpointRefused,
    EndpointsAlike,
    EndpointsDisagree,
    NoContract,
    NotErc1155,
    QuorumMissed,
    WrongChain,
)
from verifier.holdings import Address, Ask, BlockHash, Tag, TokenId
from verifier.rpc import Endpoint, Patience
from verifier.testkit import LyingNode, Question, Reverted, ScriptedChain, lies
from verifier.testkit.lying_node import Lie
from verifier.testkit.scripted_chain import CODE, COLLECTION, Balances, erc1155_behaviour

ANN, BOB = (to_checksum(keccak(name)[:20]) for name in (b"ann", b"bob"))
IDS = tuple(TokenId(1 << 16 | number) for number in range(1, 52))
DECK = tuple(Need(f"card {token_id}", (token_id,), 1) for token_id in IDS)
HASTY = Patience(deadline=5, timeout=0.5, first_pause=0.001, longest_pause=0.002)


@pytest.fixture
def chain() -> ScriptedChain:
    """Ann owns every card of the deck once since block 1; 200 blocks have passed."""
    chain = ScriptedChain()
    chain.mine({(ANN, token_id): 1 for token_id in IDS})
    for _ in range(200):
        chain.mine()
    return chain


@pytest.fixture
def node(chain: ScriptedChain) -> Iterator[LyingNode]:
    with LyingNode(chain) as node:
        yield node


def read_from(
    *nodes: LyingNode,
    quorum: int | None = None,
    chain_id: int | None = 31337,
    address: Address = COLLECTION,
    code_hash: str | None = None,
    patience: Patience = HASTY,
) -> ChainHoldings:
    endpoints = [Endpoint(node.url, patience=patience) for node in nodes]
    return ChainHoldings(endpoints, Collection(chain_id, address, code_hash), quorum=quorum)


def verdict_of(node: LyingNode, *lie: Lie, wallets: Sequence[Address] = (ANN,)) -> Verdict:
    node.tell(*lie)
    return check_deck(Claim(tuple(wallets), DECK), read_from(node))


def sizes_of_calls(node: LyingNode) -> list[int]:
    return [question.balances_asked for question in node.questions if question.asks_balances]


# --- an honest node


def test_a_wallet_with_every_card_is_covered(node: LyingNode) -> None:
    assert verdict_of(node).outcome is Outcome.COVERED


def test_a_wallet_without_the_cards_is_short_of_each(node: LyingNode) -> None:
    verdict = verdict_of(node, wallets=[BOB])
    assert verdict.coverage is not None
    assert [line.missing for line in verdict.coverage.shortfalls] == [1] * 51


def test_a_deck_of_51_ids_takes_one_call_for_balances_between_two_looks_at_the_block(
    node: LyingNode, chain: ScriptedChain
) -> None:
    holdings = read_from(node)
    block = holdings.pin("latest")
    before = len(node.questions)
    holdings.read([Ask(ANN, IDS)], block)
    asked = [(question.method, question.asks_balances) for question in node.questions[before:]]
    assert asked == [("eth_getBlockByNumber", False), ("eth_call", True), ("eth_getBlockByNumber", False)]
    assert node.questions[before].params[0] == hex(chain.head.number)


def test_balances_are_asked_at_the_block_hash(node: LyingNode, chain: ScriptedChain) -> None:
    verdict_of(node)
    [call] = [question for question in node.questions if question.asks_balances]
    assert call.params[1] == {"blockHash": chain.head.hash, "requireCanonical": True}


def test_no_verdict_mixes_blocks(node: LyingNode, chain: ScriptedChain) -> None:
    # block 1: Ann has all · now: Ann sold card 1
    chain.mine({(ANN, IDS[0]): 0})
    holdings = read_from(node)
    then, now = (check_deck(Claim((ANN,), DECK), holdings, at) for at in (1, "latest"))
    assert (then.outcome, now.outcome) == (Outcome.COVERED, Outcome.SHORT)


# --- lies about balances: suspicious, never a pass


@pytest.mark.parametrize(
    "lie",
    [
        lies.shortens(),
        lies.lengthens(),
        lies.claims_length(),
        lies.pads(),
        lies.pads(b"\0"),
        lies.shifts(),
        lies.empties(),
        lies.inflates(),
        lies.inflates(2**64),
        lies.says("0x1"),
        lies.says("hello"),
        lies.says(None),
        lies.says(["0x"]),
        lies.says(7),
        lies.reverts(),
        lies.reverts("0x08c379a0"),
        lies.reverts(None),
        lies.runs_out_of_gas(0),
    ],
)
def test_a_hostile_erc_1155_is_suspicious_and_never_covered(node: LyingNode, lie: Lie) -> None:
    # only the balances lie, so that the contract still looks like a collection
    verdict = verdict_of(node, lies.only(lie, lambda question: question.asks_balances))
    assert verdict.outcome is Outcome.UNDETERMINED
    assert isinstance(verdict.trouble, AnswerSuspicious)
    assert "SUSPICIOUS" in str(verdict.trouble)


@pytest.mark.parametrize("lie", [lies.floods(100_000), lies.sends(b"[" * 100_000)], ids=["floods", "deep"])
def test_an_answer_larger_than_any_honest_one_is_not_read_to_its_end(node: LyingNode, lie: Lie) -> None:
    verdict = verdict_of(node, lies.only(lie, lambda question: question.asks_balances))
    assert isinstance(verdict.trouble, AnswerSuspicious)
    assert "longer than" in str(verdict.trouble)


# --- lies about the chain


def test_an_endpoint_on_another_chain_is_refused(node: LyingNode) -> None:
    verdict = verdict_of(node, lies.answers_for_another_chain(1))
    assert isinstance(verdict.trouble, WrongChain)
    assert "serves chain 1, and the collection is on chain 31337" in str(verdict.trouble)


def test_a_contract_that_is_not_there_is_refused(node: LyingNode) -> None:
    with pytest.raises(NoContract, match=f"no contract at {BOB}"):
        read_from(node, address=BOB).pin("latest")


@pytest.mark.parametrize("answer", ["0x", "0x" + "00" * 32, "0x" + "00" * 31 + "02", "0x" + "00" * 31 + "01" + "00"])
def test_a_contract_that_is_not_erc_1155_is_refused(node: LyingNode, answer: str) -> None:
    node.tell(lies.says(answer))
    with pytest.raises(NotErc1155):
        read_from(node).pin("latest")


def test_a_contract_that_claims_every_interface_is_refused(node: LyingNode) -> None:
    node.tell(lies.says("0x" + "00" * 31 + "01"))
    with pytest.raises(NotErc1155, match="claims every interface"):
        read_from(node).pin("latest")


def test_a_contract_that_reverts_for_supports_interface_is_not_erc_1155() -> None:
    def reverting(_calldata: bytes, _balances: Balances) -> bytes:
        raise Reverted

    with LyingNode(ScriptedChain(behaviour=reverting)) as node, pytest.raises(NotErc1155, match="does not answer"):
        read_from(node).pin("latest")


def test_a_cloned_card_contract_at_another_address_gives_no_cards(node: LyingNode, chain: ScriptedChain) -> None:
    # The clone has the collection's very code, so only the address tells them apart. Here it does not answer.
    chain.mine(code={BOB: CODE})
    assert verdict_of(node).outcome is Outcome.COVERED
    with pytest.raises(NotErc1155):
        read_from(node, address=BOB).pin("latest")


def test_other_code_than_expected_is_refused(node: LyingNode) -> None:
    with pytest.raises(CodeChanged, match="runs other code than expected"):
        read_from(node, code_hash="0x" + "00" * 32).pin("latest")


def test_a_proxy_implementation_swapped_mid_event_changes_the_code_hash(node: LyingNode, chain: ScriptedChain) -> None:
    # The proxy's own code stays; the slot of ERC-1967 points to v1, later to v2.
    slot = int.from_bytes(keccak(b"eip1967.proxy.implementation"), "big") - 1

    def points_to(version: Address) -> None:
        word = bytes(12) + bytes.fromhex(version[2:])
        chain.mine(code={ANN: b"v1", BOB: b"v2"}, storage={(COLLECTION, slot): word})

    points_to(ANN)
    at_start = read_from(node)
    contract = at_start.inspect(at_start.pin("latest"))
    assert contract == Contract(31337, "0x" + keccak(keccak(CODE) + keccak(b"v1")).hex(), ANN)
    points_to(BOB)
    with pytest.raises(CodeChanged):
        read_from(node, code_hash=contract.code_hash).pin("latest")


def test_a_block_in_the_future_is_refused_with_the_newest_one(node: LyingNode, chain: ScriptedChain) -> None:
    with pytest.raises(BlockUnavailable, match=f"in the future.*newest block there is {chain.head.number}"):
        read_from(node).pin(5000)


def test_an_unknown_block_hash_is_refused(node: LyingNode) -> None:
    with pytest.raises(BlockUnavailable, match="knows no block with this hash"):
        read_from(node).pin(BlockHash("0x" + "12" * 32))


def test_a_pruned_state_is_undetermined_and_says_what_would_help(node: LyingNode, chain: ScriptedChain) -> None:
    node.tell(lies.prunes(chain))
    verdict = check_deck(Claim((ANN,), DECK), read_from(node), 5)
    assert isinstance(verdict.trouble, BlockUnavailable)
    assert "use an archive endpoint or a newer block" in str(verdict.trouble)


def test_a_state_pruned_while_it_is_read_is_undetermined(node: LyingNode, chain: ScriptedChain) -> None:
    holdings = read_from(node)
    block = holdings.pin(5)
    node.tell(lies.prunes(chain))
    with pytest.raises(BlockUnavailable):
        holdings.read([Ask(ANN, IDS)], block)


def test_a_reorganisation_during_the_read_is_seen(node: LyingNode, chain: ScriptedChain) -> None:
    verdict = verdict_of(node, lies.reorganises(chain, at=lambda question: question.asks_balances))
    assert isinstance(verdict.trouble, BlockReplaced)
    assert "verify again at a newer block" in str(verdict.trouble)


def test_a_reorganisation_between_pin_and_read_is_seen(node: LyingNode, chain: ScriptedChain) -> None:
    holdings = read_from(node)
    block = holdings.pin("latest")
    chain.reorganise(2)
    with pytest.raises(BlockReplaced):
        holdings.read([Ask(ANN, IDS)], block)


def test_a_chain_that_became_shorter_is_no_answer(node: LyingNode, chain: ScriptedChain) -> None:
    holdings = read_from(node)
    block = holdings.pin("latest")
    node.tell(lies.lags(chain, 3))
    with pytest.raises(BlockUnavailable, match="the node lags"):
        holdings.read([Ask(ANN, IDS)], block)


def test_no_finalized_tag_says_what_to_use_instead(node: LyingNode) -> None:
    node.tell(lies.has_no("finalized"))
    with pytest.raises(BlockUnavailable, match="name a block by its number, or use `latest`"):
        read_from(node).pin("finalized")


def test_a_finalized_block_ahead_of_the_latest_is_suspicious(node: LyingNode, chain: ScriptedChain) -> None:
    node.tell(lies.finalizes_ahead(chain))
    with pytest.raises(AnswerSuspicious, match="ahead of its latest"):
        read_from(node).pin("finalized")


def test_a_node_that_ignores_block_hashes_is_found_out_and_asked_by_number(
    node: LyingNode, chain: ScriptedChain
) -> None:
    # Ann sold everything after block 100; the node answers about now whatever hash it is asked for.
    chain.mine(dict.fromkeys(((ANN, token_id) for token_id in IDS), 0))
    node.tell(lies.ignores_block_hashes())
    assert check_deck(Claim((ANN,), DECK), read_from(node), 100).outcome is Outcome.COVERED


@pytest.mark.parametrize("method", ["eth_call", "eth_getCode", "eth_getStorageAt"])
def test_a_node_that_ignores_block_hashes_in_one_method_only_is_found_out_too(
    node: LyingNode, chain: ScriptedChain, method: str
) -> None:
    # At block 100 Ann has all; since then Bob has them. A node that answers about now would cover Bob at block 100.
    chain.mine({(BOB, token_id): 1 for token_id in IDS})
    node.tell(lies.ignores_block_hashes((method,)))
    outcomes = [check_deck(Claim((wallet,), DECK), read_from(node), 100).outcome for wallet in (ANN, BOB)]
    assert outcomes == [Outcome.COVERED, Outcome.SHORT]


@pytest.mark.parametrize("method", ["eth_call", "eth_getCode", "eth_getStorageAt"])
def test_an_error_that_says_nothing_is_no_proof_that_a_node_looks_at_hashes(
    node: LyingNode, chain: ScriptedChain, method: str
) -> None:
    chain.mine({(BOB, token_id): 1 for token_id in IDS})
    node.tell(lies.ignores_block_hashes(), lies.fails(1, method=method))
    verdict = check_deck(Claim((BOB,), DECK), read_from(node), 100)
    assert (verdict.outcome, type(verdict.trouble)) == (Outcome.UNDETERMINED, EndpointRefused)


def test_a_storage_word_that_is_no_word_is_suspicious(node: LyingNode) -> None:
    verdict = verdict_of(node, lies.says("0x", "eth_getStorageAt"))
    assert isinstance(verdict.trouble, AnswerSuspicious)


def test_a_node_that_knows_no_block_hashes_is_asked_by_number_between_two_looks(node: LyingNode) -> None:
    assert verdict_of(node, lies.refuses_block_hashes()).outcome is Outcome.COVERED
    places = [place for place, question in enumerate(node.questions) if question.asks_balances]
    assert [node.questions[place].params[1] for place in places] == ["0xc9"]
    assert {node.questions[places[0] + step].method for step in (-1, 1)} == {"eth_getBlockByNumber"}


def test_a_stale_endpoint_is_refused_on_a_chain_that_people_use(chain: ScriptedChain) -> None:
    chain.chain_id = 1
    with LyingNode(chain) as node:
        holdings = ChainHoldings(
            [Endpoint(node.url)], Collection(1, COLLECTION), now=lambda: chain.head.timestamp + 7200.0
        )
        with pytest.raises(BlockUnavailable, match="120 minutes old, so the node lags"):
            holdings.pin("latest")
        assert holdings.pin(7).number == 7


@pytest.mark.parametrize("tag", ["latest", "safe", "finalized"])
def test_a_stale_endpoint_is_refused_whatever_the_tag(chain: ScriptedChain, tag: Tag) -> None:
    chain.chain_id = 1
    with LyingNode(chain) as node:
        for off, said in ((7200.0, "the node lags"), (-7200.0, "from the future")):
            now = chain.head.timestamp + off
            holdings = ChainHoldings([Endpoint(node.url)], Collection(1, COLLECTION), now=partial(float, now))
            with pytest.raises(BlockUnavailable, match=said):
                holdings.pin(tag)


# --- large questions


@pytest.mark.parametrize(
    "message", ["out of gas", "OutOfGas", "EVM error MemoryOOG", "gas required exceeds allowance", "execution timeout"]
)
def test_a_call_that_is_too_much_is_halved_until_the_node_takes_it(node: LyingNode, message: str) -> None:
    assert verdict_of(node, lies.runs_out_of_gas(13, message)).outcome is Outcome.COVERED
    # 51 and 25 are refused; what fits is remembered, so the other half is asked in thirteens at once
    assert sizes_of_calls(node) == [51, 25, 12, 13, 13, 13]


def test_a_body_that_is_too_large_is_halved(node: LyingNode) -> None:
    node.tell(lies.refuses_bodies())
    holdings = read_from(node)
    answers = holdings.read([Ask(ANN, IDS), Ask(BOB, IDS)], holdings.pin("latest"))
    assert answers == [(1,) * 51, (0,) * 51]


@pytest.mark.parametrize("most", [1, 7, 50, 51, 52, 110, 3009])
def test_many_wallets_are_read_in_calls_of_a_bounded_size(node: LyingNode, chain: ScriptedChain, most: int) -> None:
    wallets = [to_checksum(bytes([n]) * 20) for n in range(1, 60)]
    chain.mine({(wallet, IDS[n % 51]): n for n, wallet in enumerate(wallets)})
    holdings = ChainHoldings([Endpoint(node.url)], Collection(31337, COLLECTION), pairs_per_call=most)
    answers = holdings.read([Ask(wallet, IDS) for wallet in wallets], holdings.pin("latest"))
    assert answers == [tuple(n if i == n % 51 else 0 for i in range(51)) for n in range(59)]
    assert max(sizes_of_calls(node)) <= most
    assert sum(sizes_of_calls(node)) == 59 * 51


# --- the network


def test_rate_limited_five_times_then_fine_is_fine(node: LyingNode) -> None:
    assert verdict_of(node, lies.rate_limits(5)).outcome is Outcome.COVERED


def test_always_rate_limited_is_undetermined(node: LyingNode) -> None:
    verdict = verdict_of(node, lies.rate_limits())
    assert isinstance(verdict.trouble, ChainUnreachable)
    assert "HTTP 429" in str(verdict.trouble)


def test_a_node_that_hangs_is_undetermined_within_the_deadline(node: LyingNode) -> None:
    node.tell(lies.hangs(60))
    holdings = read_from(node, patience=Patience(deadline=0.3, timeout=0.1, first_pause=0.001))
    verdict = check_deck(Claim((ANN,), DECK), holdings)
    assert isinstance(verdict.trouble, ChainUnreachable)


def test_lag_is_never_covered_and_never_short(node: LyingNode, chain: ScriptedChain) -> None:
    newest = chain.head.number
    node.tell(lies.lags(chain, 10))
    verdict = check_deck(Claim((ANN,), DECK), read_from(node), newest)
    assert verdict.outcome is Outcome.UNDETERMINED


# --- several endpoints


@pytest.fixture
def three(chain: ScriptedChain) -> Iterator[list[LyingNode]]:
    with LyingNode(chain) as one, LyingNode(chain) as two, LyingNode(chain) as three:
        yield [one, two, three]


def test_one_lying_endpoint_of_three_is_a_disagreement_and_never_outvoted(three: list[LyingNode]) -> None:
    three[2].tell(lies.invents(99))
    verdict = check_deck(Claim((ANN,), DECK), read_from(*three))
    assert isinstance(verdict.trouble, EndpointsDisagree)
    assert three[2].url in str(verdict.trouble)
    assert "no majority is taken" in str(verdict.trouble)


def test_one_suspicious_endpoint_of_three_is_no_answer(three: list[LyingNode]) -> None:
    three[1].tell(lies.shortens())
    verdict = check_deck(Claim((ANN,), DECK), read_from(*three))
    assert isinstance(verdict.trouble, AnswerSuspicious)


def test_one_absent_endpoint_of_three_is_no_harm(three: list[LyingNode]) -> None:
    three[0].tell(lies.rate_limits())
    assert check_deck(Claim((ANN,), DECK), read_from(*three)).outcome is Outcome.COVERED


def test_two_absent_endpoints_of_three_are_no_answer(three: list[LyingNode]) -> None:
    three[0].tell(lies.rate_limits())
    three[1].tell(lies.shows_a_page())
    verdict = check_deck(Claim((ANN,), DECK), read_from(*three))
    assert isinstance(verdict.trouble, QuorumMissed)
    assert "only 1 of the 2 endpoints needed answered" in str(verdict.trouble)


def test_an_endpoint_on_another_chain_among_three_is_refused(three: list[LyingNode]) -> None:
    three[1].tell(lies.answers_for_another_chain(5))
    verdict = check_deck(Claim((ANN,), DECK), read_from(*three))
    assert isinstance(verdict.trouble, WrongChain)


def test_endpoints_on_different_chains_disagree_when_no_chain_was_named(three: list[LyingNode]) -> None:
    three[1].tell(lies.answers_for_another_chain(5))
    with pytest.raises(EndpointsDisagree):
        read_from(*three, chain_id=None).pin("latest")


def test_the_newest_block_that_a_quorum_has_reached_is_pinned(three: list[LyingNode], chain: ScriptedChain) -> None:
    # heads: 201, 199, 150; two of them know 199
    three[1].tell(lies.lags(chain, 2))
    three[2].tell(lies.lags(chain, 51))
    assert read_from(*three).pin("latest").number == 199


def test_an_endpoint_on_a_fork_is_a_disagreement(chain: ScriptedChain) -> None:
    other = ScriptedChain()
    for _ in range(201):
        other.mine({(ANN, IDS[0]): 1})
    other.reorganise(1)
    with LyingNode(chain) as one, LyingNode(other) as two, pytest.raises(EndpointsDisagree):
        read_from(one, two, quorum=1).pin(201)


def test_two_spellings_of_one_endpoint_cannot_confirm_each_other(node: LyingNode) -> None:
    port = node.url.rsplit(":", 1)[1]
    for other in (
        "http://localhost:{}",
        "http://127.1:{}/",
        "HTTP://127.0.0.1:{}#a",
        "http://[::1]:{}/?",
        "http://127.0.0.2:{}",
    ):
        with pytest.raises(EndpointsAlike, match="cannot confirm itself"):
            ChainHoldings([Endpoint(node.url), Endpoint(other.format(port))], Collection(31337, COLLECTION))


def test_only_an_endpoint_that_showed_the_contract_is_asked_for_balances(chain: ScriptedChain) -> None:
    # The honest one shows the contract and then falls silent; the liar, on another chain, was silent before.
    with LyingNode(chain) as honest, LyingNode(chain) as liar:
        liar.tell(lies.invents(), lies.fails(10**6, method="eth_chainId"))
        honest.tell(lies.only(lies.rate_limits(), lambda question: question.asks_balances))
        verdict = check_deck(Claim((BOB,), DECK), read_from(honest, liar, quorum=1))
    assert verdict.outcome is Outcome.UNDETERMINED


def test_a_node_that_hangs_up_after_each_answer_is_fine(node: LyingNode) -> None:
    assert verdict_of(node, lies.hangs_up_after_each()).outcome is Outcome.COVERED


@pytest.mark.parametrize("quorum", [0, 4])
def test_a_quorum_that_cannot_be_reached_is_an_error_of_the_caller(three: list[LyingNode], quorum: int) -> None:
    with pytest.raises(ValueError, match="out of 3 endpoints"):
        read_from(*three, quorum=quorum)


def test_a_method_that_the_node_refuses_is_named(node: LyingNode) -> None:
    def refuse(_question: Question, _honest: object) -> object:
        raise lies.Refusal(-32601, "the method eth_chainId does not exist")

    node.tell(refuse)
    with pytest.raises((EndpointRefused, BlockUnavailable), match="does not exist"):
        read_from(node).pin("latest")


def test_the_scripted_collection_reverts_for_what_it_does_not_know() -> None:
    with pytest.raises(Reverted):
        erc1155_behaviour(b"\1\2\3\4", {})
