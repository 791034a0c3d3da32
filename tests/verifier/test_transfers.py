"""Transfers: decoded strictly, read without being fooled, reconciled with balances."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from eth_abi.abi import encode
from eth_hash.auto import keccak
from hypothesis import given
from hypothesis import strategies as st
from web3 import Web3

from verifier.addresses import to_checksum
from verifier.chain import ChainHoldings, Collection
from verifier.erc1155 import UnsoundAnswer
from verifier.errors import (
    AnswerSuspicious,
    BlockReplaced,
    BlockUnavailable,
    ChainUnreachable,
    EndpointRefused,
    EndpointsDisagree,
)
from verifier.holdings import Ask, Block, TokenId
from verifier.ledger import Balances
from verifier.rpc import Endpoint, Patience
from verifier.testkit import NOBODY, LyingNode, Move, Question, ScriptedChain, lies
from verifier.testkit.scripted_chain import COLLECTION
from verifier.transfers import BATCH, SINGLE, Discrepancy, Transfer, decode_logs, departures, read_transfers, reconcile

ANN, BOB, CAT = (to_checksum(keccak(name)[:20]) for name in (b"ann", b"bob", b"cat"))
FOO, BAR = TokenId(1), TokenId(2)
HASTY = Patience(deadline=5, timeout=0.5, first_pause=0.001, longest_pause=0.002)
Log: TypeAlias = dict[str, Any]


def word(value: int | str) -> str:
    return f"{int(value, 16) if isinstance(value, str) else value:064x}"


def log(kind: str = SINGLE, data: str = word(1) + word(3), *, block: int = 7, place: int = 0, **other: object) -> Log:
    return {
        "address": COLLECTION.lower(),
        "topics": [kind, *("0x" + word(wallet) for wallet in (CAT, ANN, BOB))],
        "data": "0x" + data,
        "blockNumber": hex(block),
        "blockHash": "0x" + word(block),
        "transactionHash": "0x" + word(block * 1000 + place),
        "transactionIndex": "0x0",
        "logIndex": hex(place),
        "removed": False,
        **other,
    }


def batch(token_ids: list[int], units: list[int]) -> str:
    return encode(["uint256[]", "uint256[]"], [token_ids, units]).hex()


# --- decoding


def test_a_single_transfer_is_decoded() -> None:
    assert decode_logs([log()], COLLECTION) == [Transfer(ANN, BOB, FOO, 3, 7, 0, "0x" + word(7000))]


def test_a_batch_is_one_transfer_a_token_id() -> None:
    found = decode_logs([log(BATCH, batch([1, 2], [3, 4]), place=5)], COLLECTION)
    assert [(one.token_id, one.units, one.log) for one in found] == [(1, 3, 5), (2, 4, 5)]
    assert decode_logs([log(BATCH, batch([], []))], COLLECTION) == []


def test_logs_stay_in_their_order() -> None:
    logs = [log(block=7, place=1), log(BATCH, batch([2], [1]), block=7, place=4), log(block=9, place=0)]
    assert [(one.block, one.log) for one in decode_logs(logs, COLLECTION, range(7, 10))] == [(7, 1), (7, 4), (9, 0)]


large = st.integers(0, 2**256 - 1)
address = st.binary(min_size=20, max_size=20).map(to_checksum)


@given(address, address, st.lists(st.tuples(large, large), min_size=1, max_size=5), st.booleans())
def test_web3_decodes_the_same(sender: str, recipient: str, moved: list[tuple[int, int]], single: bool) -> None:  # noqa: FBT001
    fields = [{"name": name, "type": "address", "indexed": True} for name in ("operator", "from", "to")]
    kinds = ["uint256", "uint256"] if single else ["uint256[]", "uint256[]"]
    fields += [
        {"name": name, "type": kind, "indexed": False} for name, kind in zip(("id", "value"), kinds, strict=True)
    ]
    abi = [{"type": "event", "name": "E", "anonymous": False, "inputs": fields}]
    token_ids, units = ([each[place] for each in moved] for place in (0, 1))
    data = word(token_ids[0]) + word(units[0]) if single else batch(token_ids, units)
    given_log = log(SINGLE if single else BATCH, data)
    given_log["topics"][2:] = ["0x" + word(wallet) for wallet in (sender, recipient)]
    event = Web3().eth.contract(abi=abi).events.E()
    signature = "0x" + keccak(f"E(address,address,address,{','.join(kinds)})".encode()).hex()
    theirs = event.process_log(
        {**given_log, "topics": [bytes.fromhex(topic[2:]) for topic in [signature, *given_log["topics"][1:]]]}
    )
    ours = decode_logs([given_log], COLLECTION)
    assert {one.sender for one in ours} == {theirs["args"]["from"]}
    assert {one.recipient for one in ours} == {theirs["args"]["to"]}
    listed = [[theirs["args"][name]] if single else list(theirs["args"][name]) for name in ("id", "value")]
    assert [[one.token_id for one in ours], [one.units for one in ours]] == listed


WRONG: dict[str, tuple[list[object], str]] = {
    "of another contract": ([log(address=CAT)], "log 0: it is of another contract"),
    "of no address": ([log(address="0x12")], "log 0: it is of another contract"),
    "of another event": ([log(kind="0x" + word(9))], "log 0: it is of another event"),
    "with three topics": ([log(topics=log()["topics"][:3])], "log 0: not enough values"),
    "with five topics": ([log(topics=[*log()["topics"], SINGLE])], "log 0: too many values"),
    "without topics": ([log(topics=None)], "log 0: "),
    "with a dirty address": ([log(topics=[SINGLE, *["0x" + "1" + word(ANN)[1:]] * 3])], "is no address in a topic"),
    "with an address in capitals": ([log(topics=[SINGLE, *["0x" + word(ANN).upper()] * 3])], "no address in a topic"),
    "removed": ([log(removed=True)], "log 0: it was removed by a reorganisation"),
    "twice": ([log(), log()], "log 1: it is not after the one before it"),
    "out of order in a block": ([log(place=2), log(place=1)], "log 1: it is not after"),
    "out of order": ([log(block=8), log(block=7)], "log 1: it is not after"),
    "before what was asked for": ([log(block=4)], "log 0: it is not after"),
    "behind what was asked for": ([log(block=10)], "log 0: it is of a block that was not asked for"),
    "short of a digit": ([log(data=word(1) + word(3)[1:])], "not a token id and units"),
    "a word too long": ([log(data=word(1) * 3)], "not a token id and units"),
    "of digits that Python reads": ([log(data=word(1) + "0_" * 32)], "not a token id and units"),
    "of a word too few": ([log(BATCH, batch([1], [1])[:-64])], "not two arrays of one length"),
    "of a word too many": ([log(BATCH, batch([1], [1]) + word(0))], "not two arrays of one length"),
    "of two lengths": ([log(BATCH, batch([1, 2, 3], [1]))], "not two arrays of one length"),
    "that starts elsewhere": ([log(BATCH, word(96) + batch([1], [1])[64:])], "not two arrays of one length"),
    "with lengths that differ": ([log(BATCH, batch([1], [1]).replace(word(1), word(2), 1))], "not two arrays of one"),
    "of no words": ([log(BATCH, "")], "not two arrays of one length"),
    "of half a word": ([log(BATCH, batch([1], [1])[:-2])], "not whole words"),
    "that waits to be mined": ([log(blockNumber=None)], "log 0: "),
    "with a number as JSON has it": ([log(blockNumber=7)], "log 0: "),
    "with a number with zeros before it": ([log(logIndex="0x00")], "'0x00' is no number"),
    "without a place": ([{key: value for key, value in log().items() if key != "logIndex"}], "it has no 'logIndex'"),
    "with a hash cut off": ([log(transactionHash="0x12")], "'0x12' is no hash of a transaction"),
    "that is null": ([log(), None], "log 1: "),
    "that is a text": (["log"], "log 0: "),
    "with a list for a number": ([log(logIndex=[])], "log 0: "),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_log_that_no_honest_node_gives_is_not_believed(wrong: str) -> None:
    logs, problem = WRONG[wrong]
    with pytest.raises(UnsoundAnswer) as refused:
        decode_logs(logs, COLLECTION, range(5, 10))
    assert problem in str(refused.value)


@given(st.data())
def test_a_changed_character_in_what_a_log_says_is_seen_or_says_something_else(data: st.DataObject) -> None:
    original = log(BATCH, batch([1, 2], [3, 4]))
    digits = original["data"][2:]
    place = data.draw(st.integers(0, len(digits) - 1))
    other = data.draw(st.sampled_from([each for each in "0123456789abcdefxXAF _" if each != digits[place]]))
    try:
        found = decode_logs([log(BATCH, digits[:place] + other + digits[place + 1 :])], COLLECTION)
    except UnsoundAnswer:
        return
    assert found != decode_logs([original], COLLECTION)


# --- reading


@pytest.fixture
def chain() -> ScriptedChain:
    """block 1: Ann is issued 3 Foo and 1 Bar · 2: she gives Bob 2 Foo · 3: Bob burns one, and gives Cat one · to 50."""
    chain = ScriptedChain()
    chain.mine(moves=[Move(NOBODY, ANN, FOO, 3), Move(NOBODY, ANN, BAR, 1)])
    chain.mine(moves=[Move(ANN, BOB, FOO, 2)])
    chain.mine(moves=[Move(BOB, NOBODY, FOO, 1), Move(BOB, CAT, FOO, 1)])
    for _ in range(47):
        chain.mine()
    return chain


@pytest.fixture
def node(chain: ScriptedChain) -> Iterator[LyingNode]:
    with LyingNode(chain) as node:
        yield node


def seen_by(*nodes: LyingNode) -> ChainHoldings:
    return ChainHoldings([Endpoint(node.url, patience=HASTY) for node in nodes], Collection(31337, COLLECTION))


def block(chain: ScriptedChain, number: int) -> Block:
    return next(each for each in chain.history if each.number == number)


def moves(transfers: list[Transfer]) -> list[Move]:
    return [Move(*transfer[:4]) for transfer in transfers]


def test_transfers_between_two_blocks_are_those_after_one_and_up_to_the_other(
    node: LyingNode, chain: ScriptedChain
) -> None:
    found = read_transfers(seen_by(node), block(chain, 1), block(chain, 3))
    assert moves(found) == [Move(ANN, BOB, FOO, 2), Move(BOB, NOBODY, FOO, 1), Move(BOB, CAT, FOO, 1)]
    [issued, _] = read_transfers(seen_by(node), block(chain, 0), block(chain, 1))
    assert (issued.sender, issued.recipient, issued.block) == (NOBODY, ANN, 1)
    assert read_transfers(seen_by(node), block(chain, 3), block(chain, 3)) == []


def test_both_events_of_one_collection_are_asked_for(node: LyingNode, chain: ScriptedChain) -> None:
    read_transfers(seen_by(node), block(chain, 1), block(chain, 3))
    [asked] = [question.params[0] for question in node.questions if question.method == "eth_getLogs"]
    single = "0x" + keccak(b"TransferSingle(address,address,address,uint256,uint256)").hex()
    several = "0x" + keccak(b"TransferBatch(address,address,address,uint256[],uint256[])").hex()
    assert asked == {"address": COLLECTION, "topics": [[single, several]], "fromBlock": "0x2", "toBlock": "0x3"}


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (-32602, "block range is too wide"),
        (-32005, "query returned more than 10000 results"),
        (-32005, "limit exceeded: block range too large"),
        (-32000, "Log response size exceeded"),
    ],
)
def test_a_range_that_is_too_much_is_halved(node: LyingNode, chain: ScriptedChain, code: int, message: str) -> None:
    node.tell(lies.limits_blocks(13, code, message))
    found = read_transfers(seen_by(node), block(chain, 0), chain.head)
    assert [one.block for one in found] == [1, 1, 2, 3, 3]
    assert node.count("eth_getLogs") == 2 + 50 // 12 + 1  # 50 and 25 are too much, 12 at a time are not


def test_a_node_that_gives_logs_block_by_block_is_not_waited_for_for_ever(
    node: LyingNode, chain: ScriptedChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.chain.LOGS_WITHIN", 0.2)
    slow, few = lies.hangs(0.1), lies.limits_blocks(1)
    node.tell(lambda question, honest: slow(question, lambda asked: few(asked, honest)))
    with pytest.raises(ChainUnreachable, match="its logs took"):
        read_transfers(seen_by(node), block(chain, 0), chain.head)
    assert node.count("eth_getLogs") < 12


def test_an_answer_that_is_longer_than_a_block_can_be_is_asked_for_in_halves(
    node: LyingNode, chain: ScriptedChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.chain._LOGS_CAP", 1_600)
    assert len(read_transfers(seen_by(node), block(chain, 0), chain.head)) == 5
    monkeypatch.setattr("verifier.chain._LOGS_CAP", 600)
    with pytest.raises(AnswerSuspicious, match="longer than 600 bytes"):
        read_transfers(seen_by(node), block(chain, 0), chain.head)


def test_a_node_that_gives_no_logs_says_so(node: LyingNode, chain: ScriptedChain) -> None:
    node.tell(lies.fails(10**6, -32601, "the method eth_getLogs does not exist", method="eth_getLogs"))
    with pytest.raises(EndpointRefused, match="does not exist"):
        read_transfers(seen_by(node), block(chain, 0), chain.head)


def changed(**fields: object) -> Callable[[list[Log]], object]:
    return lambda logs: [{**each, **fields} for each in logs]


TAMPERED: dict[str, Callable[[list[Log]], object]] = {
    "fake logs of another contract": changed(address=CAT),
    "fake logs of another event": changed(topics=["0x" + word(1)] * 4),
    "removed logs": changed(removed=True),
    "logs of other blocks": changed(blockNumber="0x4000"),
    "the same log twice": lambda logs: logs + logs[-1:],
    "logs in another order": lambda logs: logs[::-1],
    "no list": lambda _: {"logs": []},
    "no logs at all": lambda _: None,
}


@pytest.mark.parametrize("tale", TAMPERED)
def test_what_no_honest_node_says_of_logs_is_suspicious(node: LyingNode, chain: ScriptedChain, tale: str) -> None:
    node.tell(lies.tampers(TAMPERED[tale]))
    with pytest.raises(AnswerSuspicious):
        read_transfers(seen_by(node), block(chain, 0), chain.head)


def test_a_lagging_node_that_answers_with_no_logs_is_found_out(node: LyingNode, chain: ScriptedChain) -> None:
    last = chain.mine(moves=[Move(ANN, BOB, FOO, 1)])
    node.tell(lies.lags(chain, 1))
    with pytest.raises(BlockUnavailable, match="the node lags"):
        read_transfers(seen_by(node), block(chain, 3), last)


def test_a_lagging_node_among_three_is_absent(chain: ScriptedChain) -> None:
    last = chain.mine(moves=[Move(ANN, BOB, FOO, 1)])
    with LyingNode(chain) as one, LyingNode(chain) as two, LyingNode(chain) as behind:
        behind.tell(lies.lags(chain, 1))
        assert len(read_transfers(seen_by(one, two, behind), block(chain, 3), last)) == 1


def test_one_endpoint_of_two_that_hides_logs_is_a_disagreement(chain: ScriptedChain) -> None:
    with LyingNode(chain) as one, LyingNode(chain) as hiding:
        hiding.tell(lies.hides_logs())
        with pytest.raises(EndpointsDisagree):
            read_transfers(seen_by(one, hiding), block(chain, 0), chain.head)


@pytest.mark.parametrize("depth", [1, 49], ids=["the last block", "the first one too"])
def test_a_reorganisation_while_logs_are_read_is_seen(node: LyingNode, chain: ScriptedChain, depth: int) -> None:
    node.tell(lies.reorganises(chain, depth, at=lambda question: question.method == "eth_getLogs"))
    with pytest.raises(BlockReplaced):
        read_transfers(seen_by(node), block(chain, 2), chain.head)


# --- with balances


def read_balances(holdings: ChainHoldings, at: Block) -> Balances:
    asks = [Ask(wallet, (FOO, BAR)) for wallet in (ANN, BOB, CAT)]
    return {
        ask.wallet: dict(zip((FOO, BAR), units, strict=True))
        for ask, units in zip(asks, holdings.read(asks, at), strict=True)
    }


@pytest.mark.parametrize(("first", "last"), [(0, 50), (0, 1), (1, 2), (2, 3), (1, 50)])
def test_what_was_there_with_what_came_and_without_what_went_is_what_is_there(
    node: LyingNode, chain: ScriptedChain, first: int, last: int
) -> None:
    holdings = seen_by(node)
    one, two = block(chain, first), block(chain, last)
    before, after = read_balances(holdings, one), read_balances(holdings, two)
    assert reconcile(before, read_transfers(holdings, one, two), after) == []


def test_hidden_logs_show_in_the_reconciliation(node: LyingNode, chain: ScriptedChain) -> None:
    holdings = seen_by(node)
    one, two = block(chain, 1), block(chain, 3)
    before, after = read_balances(holdings, one), read_balances(holdings, two)
    node.tell(lies.hides_logs())
    assert reconcile(before, read_transfers(holdings, one, two), after) == [
        Discrepancy(ANN, FOO, 3, 0, 0, 1),
        Discrepancy(CAT, FOO, 0, 0, 0, 1),
    ]


def test_fake_transfer_logs_show_in_the_reconciliation_and_give_nobody_a_card(chain: ScriptedChain) -> None:
    # The collection itself logs a transfer that never was.
    transfers = [Transfer(ANN, BOB, BAR, 1, 2, 0, "0x" + word(1))]
    held = {ANN: {FOO: 1, BAR: 1}, BOB: {FOO: 0, BAR: 0}}
    assert reconcile(held, transfers, held) == [
        Discrepancy(ANN, BAR, 1, 0, 1, 1),
        Discrepancy(BOB, BAR, 0, 1, 0, 0),
    ]


def test_cards_that_went_and_came_back_within_a_block_reconcile() -> None:
    # A flash borrow: Bob has it for a moment, and at no block.
    transfers = [Transfer(ANN, BOB, FOO, 1, 2, 0, "0x" + word(1)), Transfer(BOB, ANN, FOO, 1, 2, 1, "0x" + word(1))]
    held = {ANN: {FOO: 1}, BOB: {FOO: 0}}
    assert reconcile(held, transfers, held) == []


def test_only_what_was_read_at_both_epochs_is_reconciled() -> None:
    transfers = [Transfer(ANN, BOB, FOO, 1, 2, 0, "0x" + word(1))]
    assert reconcile({ANN: {FOO: 1}}, transfers, {BOB: {FOO: 1}}) == []
    assert reconcile({ANN: {FOO: 1}}, transfers, {ANN: {BAR: 0}}) == []


def test_a_departure_takes_watched_units_away(node: LyingNode, chain: ScriptedChain) -> None:
    chain.mine(moves=[Move(ANN, ANN, FOO, 1), Move(ANN, BOB, BAR, 0), Move(ANN, CAT, FOO, 1)])
    transfers = read_transfers(seen_by(node), block(chain, 0), chain.head)
    assert moves(departures(transfers, {(ANN, FOO), (CAT, FOO), (ANN, BAR)})) == [
        Move(ANN, BOB, FOO, 2),
        Move(ANN, CAT, FOO, 1),
    ]


def test_what_a_node_is_asked_about_logs_is_bounded(node: LyingNode, chain: ScriptedChain) -> None:
    for _ in range(1_980):
        chain.mine()
    read_transfers(seen_by(node), block(chain, 0), chain.head)
    asked: list[Question] = [question for question in node.questions if question.method == "eth_getLogs"]
    ranges = [
        (int(each["fromBlock"], 16), int(each["toBlock"], 16))
        for each in (q.params[0] for q in asked)
        if isinstance(each, dict)
    ]
    assert ranges == [(1, 2000), (2001, 2030)]
