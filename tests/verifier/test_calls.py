"""What any contract answers, and transactions, against the lies of nodes."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.verifier.signing import ANN, BOB, START, challenge
from verifier.chain import CALLER, ChainHoldings, Collection
from verifier.contracts import Call, Reverted
from verifier.control import MAGIC, ControlOutcome, ControlVerdict, Method, verify_signature, verify_transaction
from verifier.errors import (
    AnswerSuspicious,
    BlockReplaced,
    BlockUnavailable,
    ChainError,
    ChainUnreachable,
    EndpointRefused,
    EndpointsDisagree,
    QuorumMissed,
    WrongChain,
)
from verifier.holdings import Address
from verifier.rpc import Endpoint, Patience
from verifier.testkit import LyingNode, Question, ScriptedChain, lies
from verifier.testkit import Reverted as Reverts
from verifier.testkit.lying_node import Lie
from verifier.testkit.scripted_chain import CODE, Balances

WALLET = Address(ANN.address)
HASTY = Patience(deadline=5, timeout=0.5, first_pause=0.001, longest_pause=0.002)
YES = MAGIC.ljust(32, b"\0")
HASH = "0x" + "a" * 64


def signs(data: bytes, _balances: Balances) -> bytes:
    """A contract wallet that signed one digest, with any signature."""
    if data[4:36] == challenge().digest:
        return YES
    raise Reverts


@pytest.fixture
def chain() -> ScriptedChain:
    """A contract wallet stands at Ann's address; 100 blocks have passed."""
    chain = ScriptedChain(collection=WALLET, behaviour=signs, started=START - 1200)
    for _ in range(100):
        chain.mine()
    return chain


@pytest.fixture
def nodes(chain: ScriptedChain) -> Iterator[list[LyingNode]]:
    with ExitStack() as running:
        yield [running.enter_context(LyingNode(chain)) for _ in range(3)]


def over(*nodes: LyingNode, quorum: int | None = None, chain_id: int | None = 31337) -> ChainHoldings:
    endpoints = [Endpoint(node.url, patience=HASTY) for node in nodes]
    return ChainHoldings(endpoints, Collection(chain_id, WALLET), quorum=quorum, now=lambda: START)


def judged(*nodes: LyingNode, quorum: int | None = None) -> ControlVerdict:
    return verify_signature(challenge(), b"any", now=START, contracts=over(*nodes, quorum=quorum))


def trouble(*nodes: LyingNode, quorum: int | None = None) -> type[ChainError]:
    verdict = judged(*nodes, quorum=quorum)
    assert verdict.outcome is ControlOutcome.UNDETERMINED
    return type(verdict.trouble)  # type: ignore[arg-type]


def test_a_contract_wallet_is_asked_at_one_block_by_somebody_who_cannot_be(nodes: list[LyingNode]) -> None:
    assert judged(nodes[0]).method is Method.CONTRACT
    calls = [question.params for question in nodes[0].questions if question.method == "eth_call"]
    assert {call["from"] for call, _ in calls[1:]} == {CALLER}
    assert all(len(where["blockHash"]) == 66 for _, where in calls)


def test_one_lying_endpoint_of_three_cannot_sign_for_anybody(nodes: list[LyingNode]) -> None:
    nodes[2].tell(lies.says("0x" + bytes(32).hex(), "eth_call"))
    assert trouble(*nodes) is EndpointsDisagree
    nodes[2].tell(lies.says("0x" + CODE.hex() + "00", "eth_getCode"))
    assert trouble(*nodes) is EndpointsDisagree


def test_an_endpoint_that_is_absent_spoils_nothing_as_long_as_there_is_a_quorum(nodes: list[LyingNode]) -> None:
    nodes[2].tell(lies.rate_limits())
    assert judged(*nodes).proven
    assert trouble(*nodes, quorum=3) is QuorumMissed


@pytest.mark.parametrize(
    ("lie", "expected"),
    [
        (lies.answers_for_another_chain(1), WrongChain),
        (lies.says("0xgg", "eth_call"), AnswerSuspicious),
        (lies.says(None, "eth_getCode"), AnswerSuspicious),
        (lies.says("0x" + "00" * 70_000, "eth_call"), AnswerSuspicious),
        (lies.rate_limits(), ChainUnreachable),
    ],
)
def test_an_endpoint_in_trouble_leaves_control_undetermined(
    nodes: list[LyingNode], lie: Lie, expected: type[ChainError]
) -> None:
    nodes[0].tell(lie)
    assert trouble(nodes[0]) is expected


def test_429_five_times_and_then_fine_is_fine(nodes: list[LyingNode]) -> None:
    nodes[0].tell(lies.rate_limits(5))
    assert judged(nodes[0]).proven


def test_a_pruned_state_leaves_control_undetermined(chain: ScriptedChain, nodes: list[LyingNode]) -> None:
    nodes[0].tell(lies.prunes(chain, kept=10))
    contracts = over(nodes[0])
    old = contracts.find(50)
    verdict = verify_signature(challenge(), b"any", now=START, contracts=contracts, block=old)
    assert type(verdict.trouble) is BlockUnavailable


def test_a_reorganisation_while_a_wallet_is_asked_is_seen(chain: ScriptedChain, nodes: list[LyingNode]) -> None:
    def is_call(question: Question) -> bool:
        return question.method == "eth_call" and "from" in question.params[0]

    contracts = over(nodes[0])
    block = contracts.find("latest")
    nodes[0].tell(lies.reorganises(chain, at=is_call))
    with pytest.raises(BlockReplaced):
        contracts.call(WALLET, MAGIC + challenge().digest, block)


def test_a_node_that_ignores_block_hashes_is_asked_by_number(chain: ScriptedChain, nodes: list[LyingNode]) -> None:
    nodes[0].tell(lies.ignores_block_hashes())
    contracts = over(nodes[0])
    old = contracts.find(50)
    assert contracts.calls([Call(WALLET, b"?" * 36)], old) == [Reverted()]
    asked = [question.params[-1] for question in nodes[0].questions if question.method == "eth_call"]
    assert asked[1:] == [hex(50)]


@pytest.mark.parametrize(
    ("message", "reverted"),
    [
        ("execution reverted", True),
        ("out of gas", True),
        ("EVM error InvalidFEOpcode", True),
        ("execution timeout", False),
        ("internal error", False),
        ("gas required exceeds allowance", False),
    ],
)
def test_only_a_contracts_own_refusal_is_an_answer(nodes: list[LyingNode], message: str, reverted: bool) -> None:  # noqa: FBT001
    failing = lies.only(lies.fails(10**9, -32000, message), lambda question: "from" in str(question.params[:1]))
    nodes[0].tell(failing)
    contracts = over(nodes[0])
    if reverted:
        assert contracts.calls([Call(WALLET, b"?")], contracts.find("latest")) == [Reverted()]
    else:
        with pytest.raises(EndpointRefused):
            contracts.calls([Call(WALLET, b"?")], contracts.find("latest"))


def test_many_calls_are_one_sandwich(nodes: list[LyingNode]) -> None:
    contracts = over(nodes[0])
    block = contracts.find("latest")
    nodes[0].questions.clear()
    answers = contracts.calls([Call(WALLET, MAGIC + challenge().digest)] * 20 + [Call(BOB.address, b"?")], block)
    assert answers == [YES] * 20 + [b""]
    methods = [question.method for question in nodes[0].questions]
    assert (methods.count("eth_getBlockByNumber"), methods.count("eth_call")) == (2, 22)


# --- transactions


def transaction(chain: ScriptedChain, **others: object) -> dict[str, object]:
    return {
        "hash": HASH,
        "type": "0x2",
        "from": WALLET.lower(),
        "to": WALLET.lower(),
        "value": "0x0",
        "input": "0x" + challenge().digest.hex(),
        "blockHash": chain.head.hash,
        "blockNumber": hex(chain.head.number),
    } | others


def said(node: LyingNode, answer: object) -> LyingNode:
    node.tell(lies.says(answer, "eth_getTransactionByHash"))
    return node


def sent(*nodes: LyingNode) -> ControlVerdict:
    return verify_transaction(challenge(), HASH, contracts=over(*nodes))


def test_a_transaction_that_a_quorum_knows_counts(chain: ScriptedChain, nodes: list[LyingNode]) -> None:
    said(nodes[0], transaction(chain))
    said(nodes[1], transaction(chain))
    said(nodes[2], None)
    assert sent(*nodes).method is Method.TRANSACTION


def test_a_transaction_that_too_few_know_is_undetermined(chain: ScriptedChain, nodes: list[LyingNode]) -> None:
    said(nodes[0], transaction(chain))
    for node in nodes[1:]:
        said(node, None)
    assert type(sent(*nodes).trouble) is QuorumMissed


def test_a_transaction_that_one_endpoint_invents_is_undetermined(chain: ScriptedChain, nodes: list[LyingNode]) -> None:
    said(nodes[0], transaction(chain))
    said(nodes[1], transaction(chain))
    said(nodes[2], transaction(chain, input="0x"))
    assert type(sent(*nodes).trouble) is EndpointsDisagree


def test_a_transaction_that_waits_is_none(chain: ScriptedChain, nodes: list[LyingNode]) -> None:
    said(nodes[0], transaction(chain, blockHash=None, blockNumber=None))
    assert over(nodes[0]).transaction(HASH) is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("hash", "0x" + "b" * 64),
        ("from", "0x00"),
        ("from", None),
        ("to", "0x" + "g" * 40),
        ("value", 0),
        ("value", "0x"),
        ("type", "two"),
        ("input", "0x0"),
        ("input", None),
        ("blockHash", "0x12"),
    ],
)
def test_a_transaction_that_is_none_is_suspicious(
    chain: ScriptedChain, nodes: list[LyingNode], field: str, value: object
) -> None:
    said(nodes[0], transaction(chain, **{field: value}))
    assert type(sent(nodes[0]).trouble) is AnswerSuspicious


def test_an_answer_that_is_no_transaction_is_suspicious(nodes: list[LyingNode]) -> None:
    assert type(sent(said(nodes[0], [])).trouble) is AnswerSuspicious


def test_a_transaction_in_a_block_that_left_the_chain_does_not_count(
    chain: ScriptedChain, nodes: list[LyingNode]
) -> None:
    mined = transaction(chain)
    chain.reorganise(2)
    assert type(sent(said(nodes[0], mined)).trouble) is BlockUnavailable


def test_creation_code_is_not_run_by_the_scripted_chain(nodes: list[LyingNode]) -> None:
    contracts = over(nodes[0])
    with pytest.raises(EndpointRefused):
        contracts.calls([Call(None, b"\0")], contracts.find("latest"))
