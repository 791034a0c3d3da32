"""Sending and waiting, on a real chain and behind a node that does not always tell the truth."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
import rlp
from eth_hash.auto import keccak

from collection.anvil import Anvil
from collection.artefact import Artefact, showdown_cards
from collection.errors import (
    ArgumentsUnfit,
    ContractRefused,
    FundsMissing,
    NotMined,
    OutcomeUnknown,
    PartlySent,
    TransactionFailed,
)
from collection.issuing import standing
from collection.practice import PracticeCollection
from collection.transactions import GAS_CAP, Call, Contract, Sender, created_address, creation
from collection.wallets import PrivateKey, Wallet, wallet_of
from verifier.addresses import to_checksum
from verifier.errors import AnswerSuspicious, ChainUnreachable, EndpointRefused
from verifier.rpc import Endpoint, Patience
from verifier.testkit import LyingNode, Question, Refusal, Relay, lies
from verifier.testkit.lying_node import Answerer, Lie

pytestmark = pytest.mark.chain

Wallets = tuple[Wallet, ...]
ONCE = Patience(deadline=5, attempts=2, first_pause=0.01)


@pytest.fixture
def node(anvil: Anvil) -> Iterator[LyingNode]:
    with LyingNode(Relay(anvil.url)) as lying:
        yield lying


@pytest.fixture
def endpoint(node: LyingNode) -> Iterator[Endpoint]:
    found = Endpoint(node.url, patience=ONCE)
    yield found
    found.close()


def gift(to: Wallet) -> Call:
    """A call without effect."""
    return Call("send nothing", (), to.address, "0x")


# --- what is offered


def test_a_receipt_says_where_and_for_how_much_gas(anvil: Anvil, funded_wallets: Wallets) -> None:
    ann, bob, *_ = funded_wallets
    (receipt,) = Sender(anvil.endpoint, ann.signer()).transact([gift(bob)])
    found = anvil.ask("eth_getTransactionReceipt", receipt.transaction)
    assert isinstance(found, dict)
    assert (hex(receipt.block), hex(receipt.gas_used)) == (found["blockNumber"], found["gasUsed"])
    assert receipt.contract is None


def test_transactions_go_in_the_order_of_the_calls(anvil: Anvil, funded_wallets: Wallets) -> None:
    ann, bob, *_ = funded_wallets
    receipts = Sender(anvil.endpoint, ann.signer()).transact([gift(bob)] * 4)
    assert [receipt.block - receipts[0].block for receipt in receipts] == [0, 1, 2, 3]


def test_two_senders_of_one_wallet_do_not_disturb_each_other(anvil: Anvil, funded_wallets: Wallets) -> None:
    ann, bob, *_ = funded_wallets
    one, other = Sender(anvil.endpoint, ann.signer()), Sender(anvil.endpoint, ann.signer())
    for sender in (one, other, one):
        sender.transact([gift(bob)])
    assert anvil.ask("eth_getTransactionCount", ann.address, "latest") == "0x3"


def test_what_waits_to_be_mined_is_counted(anvil: Anvil, funded_wallets: Wallets) -> None:
    ann, bob, *_ = funded_wallets
    sender = Sender(anvil.endpoint, ann.signer())
    with anvil.one_block():
        sent = [*sender.send([gift(bob)]), *sender.send([gift(bob), gift(bob)])]
    assert len({receipt.block for receipt in sender.settle(sent)}) == 1


def test_a_chain_without_eip_1559_is_paid_by_gas_price(
    node: LyingNode, endpoint: Endpoint, funded_wallets: Wallets
) -> None:
    node.tell(lies.says({"number": "0x1"}, "eth_getBlockByNumber"))
    ann, bob, *_ = funded_wallets
    Sender(endpoint, ann.signer()).transact([gift(bob)])
    assert node.count("eth_gasPrice") == 1
    assert node.count("eth_maxPriorityFeePerGas") == 0


def test_one_question_to_a_contract_is_one_request(
    node: LyingNode, endpoint: Endpoint, collection: PracticeCollection
) -> None:
    cards = Contract(endpoint, showdown_cards().abi, collection.deployment.address)
    assert cards.ask("published", 1) is True
    assert [question.method for question in node.questions] == ["eth_call"]


# --- what goes wrong


def test_a_wallet_without_ether_cannot_pay(anvil: Anvil, funded_wallets: Wallets) -> None:
    poor = wallet_of(PrivateKey(b"\7" * 32))
    with pytest.raises(FundsMissing, match=f"{poor.address} cannot pay to send nothing: it has 0 wei"):
        Sender(anvil.endpoint, poor.signer()).transact([gift(funded_wallets[0])])


def test_a_figure_that_the_contract_cannot_count_is_refused(collection: PracticeCollection) -> None:
    cards = standing(collection.sender(collection.publisher), collection.deployment)
    with pytest.raises(ArgumentsUnfit, match="the contract has no way to allow too much"):
        cards.call("allow too much", "allow", collection.issuer.address, 1, 2**64)


def test_what_is_not_mined_in_time_is_named_so_that_it_can_be_looked_up(anvil: Anvil, funded_wallets: Wallets) -> None:
    ann, bob, *_ = funded_wallets
    sender = Sender(anvil.endpoint, ann.signer(), mined_within=0.05)
    with anvil.one_block():
        sent = sender.send([gift(bob)])
        with pytest.raises(NotMined, match=f"{sent[0].transaction} and is in no block after 0.05 s"):
            sender.settle(sent)
    assert sender.settle(sent)[0].transaction == sent[0].transaction


# PUSH1 1, loop: JUMPDEST, PUSH1 2, JUMP: gas is all that ends it
ENDLESS = Artefact("Endless", (), bytes.fromhex("60015b600256"), b"")
# GAS, PUSH3 60000, LT (60000 < gas), PUSH1 12, JUMPI, PUSH0, PUSH0, REVERT, JUMPDEST, STOP
THRIFTY = Artefact("Thrifty", (), bytes.fromhex("5a62 00ea60 10 600c 57 5f 5f fd 5b 00".replace(" ", "")), b"")


def failing(sender: Sender, artefact: Artefact, gas: int) -> TransactionFailed:
    """Send what fails, with gas that no estimate gave."""
    (sent,) = [sender._sent(creation("try it", artefact), {**sender._fees(), "gas": gas, "nonce": 0})]  # noqa: SLF001
    with pytest.raises(TransactionFailed) as failed:
        sender.settle([sent])
    return failed.value


def test_a_transaction_that_ran_out_of_gas_says_so(anvil: Anvil, funded_wallets: Wallets) -> None:
    failed = failing(Sender(anvil.endpoint, funded_wallets[5].signer()), ENDLESS, GAS_CAP)
    assert failed.problem == "it ran out of gas"


def test_a_transaction_that_failed_without_a_reason_says_so(anvil: Anvil, funded_wallets: Wallets) -> None:
    failed = failing(Sender(anvil.endpoint, funded_wallets[5].signer()), THRIFTY, 90_000)
    assert failed.problem == "the node tells no reason"


# --- what nodes do


def test_an_answer_that_was_lost_does_not_send_twice(
    node: LyingNode, endpoint: Endpoint, anvil: Anvil, funded_wallets: Wallets
) -> None:
    # 1st try: mined, and the answer cut off; 2nd try: refused, since the nonce is used
    ann, bob, *_ = funded_wallets
    node.tell(lies.only(lies.cuts(1), lambda question: question.method == "eth_sendRawTransaction"))
    Sender(endpoint, ann.signer()).transact([gift(bob)])
    assert node.count("eth_sendRawTransaction") == 2
    assert anvil.ask("eth_getTransactionCount", ann.address, "latest") == "0x1"


def test_transactions_that_were_sent_before_a_failure_are_counted(
    node: LyingNode, endpoint: Endpoint, funded_wallets: Wallets
) -> None:
    ann, bob, cat, *_ = funded_wallets
    asked = "eth_sendRawTransaction"
    node.tell(lies.only(lies.shows_a_page(403), lambda question: question.method == asked and node.count(asked) > 2))
    calls = [replace(gift(wallet), action=f"greet {wallet.address}") for wallet in (bob, cat, bob, cat)]
    with pytest.raises(PartlySent, match=f"of 4 transactions 2 went out, the last to greet {cat.address}.*HTTP 403"):
        Sender(endpoint, ann.signer()).transact(calls)


def test_a_receipt_is_waited_for(node: LyingNode, endpoint: Endpoint, funded_wallets: Wallets) -> None:
    ann, bob, *_ = funded_wallets
    asked = "eth_getTransactionReceipt"
    node.tell(lies.only(lies.says(None, asked), lambda _question: node.count(asked) <= 3))
    Sender(endpoint, ann.signer()).transact([gift(bob)])
    assert node.count(asked) == 4


def refuses(data: object, message: str = "execution reverted") -> Lie:
    def lie(question: Question, honest: Answerer) -> object:
        if question.method == "eth_estimateGas":
            raise Refusal(3, message, data)
        return honest(question)

    return lie


def test_a_refusal_that_is_not_the_contracts_is_the_endpoints(
    node: LyingNode, endpoint: Endpoint, funded_wallets: Wallets
) -> None:
    ann, bob, *_ = funded_wallets
    node.tell(refuses(None, "out of sorts"))
    with pytest.raises(EndpointRefused, match="refused eth_estimateGas: out of sorts"):
        Sender(endpoint, ann.signer()).transact([gift(bob)])


PAUSED = "0xd93c0665"
"""EnforcedPause()"""


@pytest.mark.parametrize("data", [PAUSED, {"data": PAUSED}, {"result": PAUSED}])
def test_a_reason_is_found_however_the_node_wraps_it(
    node: LyingNode, endpoint: Endpoint, collection: PracticeCollection, data: object
) -> None:
    sender = Sender(endpoint, collection.issuer.signer())
    cards = standing(sender, collection.deployment)
    node.tell(refuses(data))
    with pytest.raises(ContractRefused, match="issuing is paused"):
        sender.transact([cards.call("issue", "issue", collection.issuer.address, [1], [1], b"")])


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("eth_chainId", "one"),
        ("eth_estimateGas", "much"),
        ("eth_estimateGas", None),
        ("eth_getTransactionCount", {}),
        ("eth_getBlockByNumber", []),
        ("eth_maxPriorityFeePerGas", "0xzz"),
    ],
)
def test_an_answer_that_cannot_be_read_is_suspicious(
    node: LyingNode, endpoint: Endpoint, funded_wallets: Wallets, method: str, answer: object
) -> None:
    ann, bob, *_ = funded_wallets
    node.tell(lies.says(answer, method))
    with pytest.raises(AnswerSuspicious):
        Sender(endpoint, ann.signer()).transact([gift(bob)])


def test_a_contracts_answer_that_cannot_be_read_is_suspicious(
    node: LyingNode, endpoint: Endpoint, collection: PracticeCollection
) -> None:
    cards = standing(Sender(endpoint, collection.issuer.signer()), collection.deployment)
    for answer in ("0x", "0x01", "words", None, 7):
        node.be_honest().tell(lies.says(answer))
        with pytest.raises(AnswerSuspicious):
            cards.ask("totals", 1)


def test_a_node_that_is_not_there_is_unreachable(funded_wallets: Wallets) -> None:
    nowhere = Endpoint("http://127.0.0.1:9", patience=replace(ONCE, attempts=1))
    with pytest.raises(ChainUnreachable):
        Sender(nowhere, funded_wallets[0].signer())


# --- when something was sent and nobody answers

SENT, RECEIPT = "eth_sendRawTransaction", "eth_getTransactionReceipt"
LOOK = "sent, outcome unknown; do not repeat before looking them up: "


def about(lie: Lie, method: str) -> Lie:
    return lies.only(lie, lambda question: question.method == method)


def sent_hashes(node: LyingNode) -> list[str]:
    """The outside oracle: a transaction's hash is the hash of the bytes that were sent."""
    raw = [question.params[0] for question in node.questions if question.method == SENT]
    return list(dict.fromkeys("0x" + keccak(bytes.fromhex(one[2:])).hex() for one in raw))


SILENCES = {
    "receipts answered with 503": about(lies.shows_a_page(503), RECEIPT),
    "receipts refused": about(lies.fails(99, method=RECEIPT), RECEIPT),
    "receipt without a block's number": lies.says({"blockNumber": "?", "gasUsed": "0x1", "status": "0x1"}, RECEIPT),
    "receipt with nothing in it": lies.says({"blockNumber": "0x1"}, RECEIPT),
    "sending answered with null": lies.says(None, SENT),
    "sending answered with garbage": lies.says("0xzz", SENT),
    "sending answered with a number": lies.says(7, SENT),
    "sending answered with another hash": lies.says("0x" + "ab" * 32, SENT),
    "sending answered with 503": about(lies.shows_a_page(503), SENT),
    "sending answered with a page": about(lies.shows_a_page(), SENT),
    "sending answered with 403": about(lies.shows_a_page(403), SENT),
}


@pytest.mark.parametrize("silence", SILENCES)
def test_what_was_sent_is_named_when_its_outcome_is_unknown(
    node: LyingNode, endpoint: Endpoint, funded_wallets: Wallets, silence: str
) -> None:
    ann, bob, *_ = funded_wallets
    sender = Sender(endpoint, ann.signer())
    node.tell(SILENCES[silence])
    with pytest.raises(OutcomeUnknown) as unknown:
        sender.transact([gift(bob)])
    assert list(unknown.value.transactions) == sent_hashes(node) == list(sender.traces)
    assert LOOK + sent_hashes(node)[0] in str(unknown.value)


@pytest.mark.parametrize("silence", SILENCES)
def test_of_a_contract_whose_outcome_is_unknown_the_address_is_told(
    node: LyingNode, endpoint: Endpoint, anvil: Anvil, funded_wallets: Wallets, silence: str
) -> None:
    ann, *_ = funded_wallets
    node.tell(SILENCES[silence])
    with pytest.raises(OutcomeUnknown, match="the contract will be at 0x") as unknown:
        Sender(endpoint, ann.signer()).transact([creation("make it", SILENT)])
    found = anvil.ask(RECEIPT, *unknown.value.transactions)
    assert found is None or (
        isinstance(found, dict) and found["contractAddress"] == str(unknown.value.contract).lower()
    )


# STOP: makes a contract without code
SILENT = Artefact("Silent", (), b"\0", b"")


def test_of_several_all_whose_outcome_is_unknown_are_named_and_no_other(
    node: LyingNode, endpoint: Endpoint, funded_wallets: Wallets
) -> None:
    ann, bob, *_ = funded_wallets
    sender = Sender(endpoint, ann.signer())
    sent = sender.send([gift(bob)] * 3)
    first = sent[0].transaction
    node.tell(
        lies.only(
            lies.shows_a_page(503),
            lambda question: question.method == RECEIPT and question.params[0] != first,
        )
    )
    with pytest.raises(OutcomeUnknown) as unknown:
        sender.settle(sent)
    assert list(unknown.value.transactions) == sent_hashes(node)[1:]
    assert sender.traces[first].block is not None


def test_when_sending_stops_halfway_all_that_may_have_been_sent_are_named(
    node: LyingNode, endpoint: Endpoint, funded_wallets: Wallets
) -> None:
    ann, bob, *_ = funded_wallets
    node.tell(lies.only(lies.says(None, SENT), lambda _question: node.count(SENT) > 2))
    with pytest.raises(PartlySent) as partly:
        Sender(endpoint, ann.signer()).transact([gift(bob)] * 4)
    assert list(partly.value.transactions) == sent_hashes(node)
    assert len(sent_hashes(node)) == 3
    assert all(transaction in str(partly.value) for transaction in sent_hashes(node))


def test_what_was_refused_was_not_sent(node: LyingNode, endpoint: Endpoint, funded_wallets: Wallets) -> None:
    ann, bob, *_ = funded_wallets
    sender = Sender(endpoint, ann.signer())
    node.tell(lies.fails(99, -32000, "not today", method=SENT))
    with pytest.raises(EndpointRefused, match="not today"):
        sender.transact([gift(bob)])
    assert sender.traces == {}


def test_a_node_that_knows_the_transaction_already_has_taken_it(
    node: LyingNode, endpoint: Endpoint, funded_wallets: Wallets
) -> None:
    def repeats(question: Question, honest: Answerer) -> object:
        if question.method == "eth_getTransactionByHash":
            return None
        answer = honest(question)
        if question.method == SENT:
            raise Refusal(-32000, "already known")
        return answer

    ann, bob, *_ = funded_wallets
    node.tell(repeats)
    (receipt,) = Sender(endpoint, ann.signer()).transact([gift(bob)])
    assert [receipt.transaction] == sent_hashes(node)


def test_that_a_transaction_failed_is_known_even_if_nobody_says_why(
    node: LyingNode, endpoint: Endpoint, funded_wallets: Wallets
) -> None:
    node.tell(about(lies.shows_a_page(403), "eth_call"))
    failed = failing(Sender(endpoint, funded_wallets[5].signer()), THRIFTY, 90_000)
    assert failed.problem == "the node tells no reason"


def test_a_contracts_address_follows_from_sender_and_nonce(funded_wallets: Wallets) -> None:
    # The first is a well-known example; of the others pyrlp is the oracle.
    example = to_checksum(bytes.fromhex("6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0"))
    assert created_address(example, 1) == to_checksum(bytes.fromhex("343c43a37d37dff08ae8c4a11544c718abb4fcf8"))
    sender = funded_wallets[0].address
    for nonce in (0, 1, 127, 128, 255, 256, 65_535, 65_536, 2**32, 2**64 - 2):
        expected = keccak(rlp.encode([bytes.fromhex(sender[2:]), nonce]))[12:]
        assert created_address(sender, nonce) == to_checksum(expected)


@pytest.mark.parametrize("arguments", [(10**24, 0), (-1, 0), ("soon", 0)])
def test_a_contract_that_cannot_be_made_with_these_arguments_is_refused(arguments: tuple[object, ...]) -> None:
    with pytest.raises(ArgumentsUnfit, match="no way to make it"):
        creation("make it", showdown_cards(), *arguments)


def test_text_that_is_no_text_cannot_be_sent(collection: PracticeCollection) -> None:
    cards = standing(collection.sender(collection.publisher), collection.deployment)
    with pytest.raises(ArgumentsUnfit, match="surrogates not allowed"):
        cards.call("publish set 2", "publish", 2, b"\1" * 32, "\udcff{id}", [1])
