"""Epochs: which block, when it may be read, and that all of it is read or none."""

from collections.abc import Iterator, Sequence

import pytest
from eth_hash.auto import keccak
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.addresses import to_checksum
from verifier.chain import ChainHoldings, Collection
from verifier.coverage import Need, Outcome
from verifier.epochs import (
    Epoch,
    Finality,
    Found,
    Undetermined,
    find_block,
    look_at_finality,
    read_epoch,
    read_more,
    settle,
    still_canonical,
)
from verifier.errors import (
    AnswerSuspicious,
    BlockNotYet,
    BlockReplaced,
    BlockUnavailable,
    ChainUnreachable,
    CodeChanged,
    EndpointsDisagree,
    FinalityUnusable,
    QuorumMissed,
    WrongChain,
)
from verifier.holdings import Ask, TokenId
from verifier.ledger import Stake, allocate
from verifier.manifest import BlockRule
from verifier.rpc import Endpoint, Patience
from verifier.testkit import LyingNode, Move, ScriptedChain, lies
from verifier.testkit.lying_node import Lie
from verifier.testkit.scripted_chain import COLLECTION

ANN, BOB = (to_checksum(keccak(name)[:20]) for name in (b"ann", b"bob"))
FOO, BAR = TokenId(1), TokenId(2)
ASKS = [Ask(ANN, (FOO, BAR)), Ask(BOB, (FOO,))]
START = 1_700_000_000
HASTY = Patience(deadline=1, timeout=0.5, first_pause=0.001, longest_pause=0.002)
FINALIZED = BlockRule(START, None)


OPEN: list[Endpoint] = []
"""What `seen_by` has opened in a test."""


@pytest.fixture(autouse=True)
def _close_endpoints() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


@pytest.fixture
def chain() -> ScriptedChain:
    """200 blocks, twelve seconds apart, the first at START; the last 64 are not final. Ann has 3 Foo, Bob 1, from 1."""
    chain = ScriptedChain(started=START, finality=64)
    chain.mine({(ANN, FOO): 3, (BOB, FOO): 1})
    for _ in range(199):
        chain.mine()
    return chain


@pytest.fixture
def node(chain: ScriptedChain) -> Iterator[LyingNode]:
    with LyingNode(chain) as node:
        yield node


@pytest.fixture
def three(chain: ScriptedChain) -> Iterator[list[LyingNode]]:
    with LyingNode(chain) as one, LyingNode(chain) as two, LyingNode(chain) as three:
        yield [one, two, three]


def seen_by(
    *nodes: LyingNode, quorum: int | None = None, code_hash: str | None = None, pairs: int = 12_000
) -> ChainHoldings:
    endpoints = [Endpoint(node.url, patience=HASTY) for node in nodes]
    OPEN.extend(endpoints)
    collection = Collection(31337, COLLECTION, code_hash)
    return ChainHoldings(endpoints, collection, quorum=quorum, pairs_per_call=pairs)


def at(number: int) -> int:
    return START + 12 * number


def whole(read: Epoch | Undetermined) -> Epoch:
    assert isinstance(read, Epoch), read
    return read


def trouble(read: Epoch | Undetermined) -> type[Exception]:
    assert isinstance(read, Undetermined), read
    return type(read.trouble)


# --- which block


@pytest.mark.parametrize(
    ("time", "number"),
    [
        (at(0), 0),
        (at(0) - 1_000, 0),
        (at(0) + 1, 1),
        (at(100) - 11, 100),
        (at(100), 100),
        (at(100) + 1, 101),
        (at(200), 200),
    ],
)
def test_the_block_of_a_time_is_the_first_one_then_or_later(node: LyingNode, time: int, number: int) -> None:
    found = find_block(seen_by(node), time)
    assert found.block.number == number
    assert (found.before.number if found.before else -1) == number - 1


@settings(max_examples=30)
@given(gaps=st.lists(st.sampled_from([0, 1, 2, 12, 300]), min_size=1, max_size=40), data=st.data())
def test_whatever_the_pace_of_the_blocks_the_first_is_found(gaps: list[int], data: st.DataObject) -> None:
    # Blocks of one second exist: some chains make several in it.
    chain = ScriptedChain(started=START)
    for gap in gaps:
        chain.mine(seconds=gap)
    blocks = list(chain.history)
    time = data.draw(st.integers(START - 1, chain.head.timestamp))
    expected = next(block for block in blocks if block.timestamp >= time)
    with LyingNode(chain) as node, Endpoint(node.url) as endpoint:
        found = find_block(ChainHoldings([endpoint], Collection(31337, COLLECTION)), time)
    assert found.block == expected
    assert found.before == (blocks[expected.number - 1] if expected.number else None)


def test_two_honest_verifiers_find_the_same_block_whenever_they_ask(node: LyingNode, chain: ScriptedChain) -> None:
    first = find_block(seen_by(node), at(100))
    for _ in range(500):
        chain.mine()
    assert find_block(seen_by(node), at(100)) == first


def test_a_block_is_found_with_few_questions(node: LyingNode) -> None:
    find_block(seen_by(node), at(20))
    assert len(node.questions) < 4 * 8  # twice the logarithm of 180 blocks, and some


def test_a_time_that_has_not_come_is_refused_with_when_it_will(node: LyingNode) -> None:
    with pytest.raises(BlockNotYet) as refused:
        find_block(seen_by(node), at(200) + 60)
    problem = "not yet: the newest block, 200, is 60 s before the time; expected about 2023-11-14 22:54:20 UTC"
    assert str(refused.value) == problem


def test_a_node_whose_time_runs_backwards_is_suspicious(node: LyingNode, chain: ScriptedChain) -> None:
    def backwards(question: object, honest: object) -> object:
        answer = honest(question)  # type: ignore[operator]
        if isinstance(answer, dict) and answer["number"] == hex(137):
            return {**answer, "timestamp": hex(at(500))}
        return answer

    node.tell(backwards)
    with pytest.raises(AnswerSuspicious, match="is not between those of the blocks around it"):
        find_block(seen_by(node), at(137))


# --- when it may be read


def test_a_block_is_settled_once_it_is_finalized(node: LyingNode, chain: ScriptedChain) -> None:
    holdings = seen_by(node)
    found = find_block(holdings, at(137))
    with pytest.raises(BlockNotYet) as refused:
        settle(holdings, found, FINALIZED)
    assert str(refused.value) == (
        "not yet: block 137 is not final; the newest final one is 136; expected about 2023-11-14 22:53:32 UTC"
    )
    chain.mine()
    settle(holdings, found, FINALIZED)


def test_a_block_is_settled_once_it_is_as_deep_as_the_rule_says(node: LyingNode, chain: ScriptedChain) -> None:
    node.tell(lies.has_no("finalized"))
    holdings = seen_by(node)
    found = find_block(holdings, at(195))
    with pytest.raises(BlockNotYet) as refused:
        settle(holdings, found, BlockRule(START, depth=6))
    assert str(refused.value) == (
        "not yet: block 195 has 5 blocks on top of it, and needs 6; expected about 2023-11-14 22:53:32 UTC"
    )
    chain.mine()
    settle(holdings, found, BlockRule(START, depth=6))


def test_a_block_without_any_on_top_of_it_can_be_settled_by_a_depth_of_none(node: LyingNode) -> None:
    holdings = seen_by(node)
    found = find_block(holdings, at(200))
    with pytest.raises(BlockNotYet, match="has 0 blocks on top of it"):
        settle(holdings, found, BlockRule(START, depth=1))
    settle(holdings, found, BlockRule(START, depth=0))


@pytest.mark.parametrize("replaced", [0, 1], ids=["itself", "the one before"])
def test_a_reorganisation_before_a_block_is_settled_is_seen(
    node: LyingNode, chain: ScriptedChain, replaced: int
) -> None:
    holdings = seen_by(node)
    found = find_block(holdings, at(199))
    chain.reorganise(2 + replaced)
    with pytest.raises(BlockReplaced):
        settle(holdings, found, BlockRule(START, depth=0))


def test_no_finalized_tag_is_said_to_whoever_writes_a_manifest_and_to_whoever_waits(node: LyingNode) -> None:
    node.tell(lies.has_no("finalized"))
    holdings = seen_by(node)
    finality = look_at_finality(holdings)
    assert (finality.block, finality.problem[:13]) == (None, "there is none")
    with pytest.raises(FinalityUnusable, match="on such a chain a manifest names a depth instead"):
        settle(holdings, find_block(holdings, at(100)), FINALIZED)


def test_two_of_three_without_a_finalized_tag_are_no_quorum_for_one(three: list[LyingNode]) -> None:
    for node in three[:2]:
        node.tell(lies.has_no("finalized"))
    assert look_at_finality(seen_by(*three)).block is None


def test_an_odd_finalized_tag_that_is_ahead_of_the_newest_block_is_suspicious(
    node: LyingNode, chain: ScriptedChain
) -> None:
    node.tell(lies.finalizes(200), lies.finalizes_ahead(chain))
    with pytest.raises(AnswerSuspicious, match="is ahead of its latest one"):
        look_at_finality(seen_by(node))


def test_an_odd_finalized_tag_that_stays_at_the_first_block_is_not_usable() -> None:
    chain = ScriptedChain()
    for _ in range(1_000):
        chain.mine()
    with LyingNode(chain) as node:
        node.tell(lies.finalizes(0))
        assert look_at_finality(seen_by(node)).problem == "the newest final block is block 0 of 1000"


def test_an_odd_finalized_tag_that_is_hours_old_is_not_usable(node: LyingNode, chain: ScriptedChain) -> None:
    chain.mine(seconds=7 * 3600)
    node.tell(lies.finalizes(150))
    assert look_at_finality(seen_by(node)).problem == "the newest final block, 150, is 7 hours old"


def test_a_chain_whose_blocks_are_final_at_once_is_taken_at_its_word(node: LyingNode, chain: ScriptedChain) -> None:
    chain.finality = 0
    assert look_at_finality(seen_by(node)) == Finality(chain.head, 0, "")
    holdings = seen_by(node)
    settle(holdings, find_block(holdings, at(200)), FINALIZED)


def test_one_endpoint_of_three_that_calls_a_block_final_too_early_is_not_enough(three: list[LyingNode]) -> None:
    three[0].tell(lies.finalizes(200))
    holdings = seen_by(*three)
    with pytest.raises(BlockNotYet, match="the newest final one is 136"):
        settle(holdings, find_block(holdings, at(180)), FINALIZED)


# --- reading


def found_at(number: int, *nodes: LyingNode) -> Found:
    return find_block(seen_by(*nodes), at(number))


def test_an_epoch_is_what_everybody_held_at_its_block(node: LyingNode, chain: ScriptedChain) -> None:
    chain.mine(moves=[Move(ANN, BOB, FOO, 2)])
    holdings = seen_by(node)
    before, after = (whole(read_epoch(holdings, 1, find_block(holdings, at(number)), ASKS)) for number in (200, 201))
    assert before.balances == {ANN: {FOO: 3, BAR: 0}, BOB: {FOO: 1}}
    assert after.balances == {ANN: {FOO: 1, BAR: 0}, BOB: {FOO: 3}}


def test_asks_of_one_wallet_are_put_together(node: LyingNode) -> None:
    epoch = whole(
        read_epoch(seen_by(node), 1, found_at(100, node), [Ask(ANN, (FOO,)), Ask(BOB, (FOO,)), Ask(ANN, (BAR, FOO))])
    )
    assert epoch.asks == (Ask(ANN, (FOO, BAR)), Ask(BOB, (FOO,)))


def test_everybody_is_read_in_one_batch_between_two_looks_at_the_block(node: LyingNode) -> None:
    found = found_at(100, node)
    asks = [Ask(to_checksum(keccak(b"%d" % number)[:20]), (FOO, BAR)) for number in range(500)]
    before = len(node.questions)
    whole(read_epoch(seen_by(node), 1, found, asks))
    asked = node.questions[before:]
    assert [question.balances_asked for question in asked if question.asks_balances] == [1000]
    calls = [place for place, question in enumerate(asked) if question.asks_balances]
    looks = [asked[place].params[0] for call in calls for place in (call - 1, call + 1)]
    assert looks == [hex(100)] * 2


def test_what_every_endpoint_said_is_kept_as_it_said_it(three: list[LyingNode], chain: ScriptedChain) -> None:
    epoch = whole(read_epoch(seen_by(*three), 1, found_at(100, *three), ASKS))
    for node in three:
        said = [each for each in epoch.exchanges if each.endpoint == node.url]
        headers = [each.result for each in said if each.method == "eth_getBlockByHash"]
        assert [header["number"] for header in headers if isinstance(header, dict)] == [hex(99), hex(100)]
        [balances] = [each for each in said if each.method == "eth_call" and len(str(each.result)) > 200]
        call = balances.params[0]
        assert isinstance(call, dict)
        assert call["data"] == bytes.fromhex(str(next(q for q in node.questions if q.asks_balances).calldata.hex()))
        assert isinstance(balances.result, bytes)
        assert balances.result[64:] == b"".join(units.to_bytes(32, "big") for units in (3, 0, 1))
        assert {each.method for each in said} >= {"eth_chainId", "eth_getCode", "eth_getStorageAt"}
    data = {id(each.result) for each in epoch.exchanges if isinstance(each.result, bytes) and len(each.result) > 100}
    assert len(data) == 1  # three said it, and it is kept once


def test_the_key_in_an_endpoints_url_is_kept_nowhere(node: LyingNode, chain: ScriptedChain) -> None:
    with Endpoint(f"{node.url}/v2/secret?key=secret") as endpoint:
        holdings = ChainHoldings([endpoint], Collection(31337, COLLECTION))
        epoch = whole(read_epoch(holdings, 1, found_at(100, node), ASKS))
    assert "secret" not in repr(epoch)


TROUBLE: list[tuple[Sequence[Lie], type[Exception]]] = [
    ([lies.rate_limits()], ChainUnreachable),
    ([lies.answers_for_another_chain(5)], WrongChain),
    ([lies.shortens()], AnswerSuspicious),
    ([lies.inflates()], AnswerSuspicious),
    ([lies.reverts()], AnswerSuspicious),
    ([lies.only(lies.hangs(9), lambda question: question.asks_balances)], ChainUnreachable),
    ([lies.only(lies.drops(10**9), lambda question: question.asks_balances)], ChainUnreachable),
]


@pytest.mark.parametrize(("told", "error"), TROUBLE)
def test_trouble_with_a_node_is_undetermined_and_nobodys_shortfall(
    node: LyingNode, told: Sequence[Lie], error: type[Exception]
) -> None:
    found = found_at(100, node)
    node.tell(*told)
    assert trouble(read_epoch(seen_by(node), 1, found, ASKS)) is error


def test_what_was_said_before_the_trouble_is_kept_with_it(node: LyingNode) -> None:
    found = found_at(100, node)
    node.tell(lies.shortens())
    read = read_epoch(seen_by(node), 1, found, ASKS)
    assert isinstance(read, Undetermined)
    assert (read.number, read.found) == (1, found)
    assert "eth_call" in {each.method for each in read.exchanges}


def test_429_five_times_then_fine_is_an_epoch(node: LyingNode) -> None:
    found = found_at(100, node)
    node.tell(lies.rate_limits(5))
    assert isinstance(read_epoch(seen_by(node), 1, found, ASKS), Epoch)


def test_one_lying_endpoint_of_three_makes_an_epoch_undetermined(three: list[LyingNode]) -> None:
    found = found_at(100, *three)
    three[2].tell(lies.invents(3))
    read = read_epoch(seen_by(*three), 1, found, ASKS)
    assert trouble(read) is EndpointsDisagree
    # Who said what is kept, so that everybody can see which one it was.
    assert isinstance(read, Undetermined)
    answers = {
        each.endpoint: each.result
        for each in read.exchanges
        if isinstance(each.result, bytes) and len(each.result) == 160
    }
    assert [answers[node.url] == answers[three[0].url] for node in three] == [True, True, False]


def test_a_stale_endpoint_of_three_is_absent_and_a_single_one_is_no_answer(
    three: list[LyingNode], chain: ScriptedChain
) -> None:
    found = found_at(200, *three)
    three[1].tell(lies.lags(chain, 10))
    assert isinstance(read_epoch(seen_by(*three), 1, found, ASKS), Epoch)
    assert trouble(read_epoch(seen_by(three[1]), 1, found, ASKS)) is BlockUnavailable


def test_an_endpoint_on_another_chain_makes_an_epoch_undetermined(three: list[LyingNode]) -> None:
    found = found_at(100, *three)
    three[0].tell(lies.answers_for_another_chain(1))
    assert trouble(read_epoch(seen_by(*three), 1, found, ASKS)) is WrongChain


def test_pruned_state_makes_an_epoch_undetermined_and_says_what_would_help(
    node: LyingNode, chain: ScriptedChain
) -> None:
    found = found_at(72, node)
    node.tell(lies.prunes(chain))
    read = read_epoch(seen_by(node), 1, found, ASKS)
    assert isinstance(read, Undetermined)
    assert isinstance(read.trouble, BlockUnavailable)
    assert "use an archive endpoint" in str(read.trouble)


def test_a_block_whose_state_is_gone_before_it_is_final_is_read_at_once_and_settled_later(
    node: LyingNode, chain: ScriptedChain
) -> None:
    chain.finality = 150
    node.tell(lies.prunes(chain, kept=100))
    holdings = seen_by(node)
    found = find_block(holdings, at(200))
    epoch = whole(read_epoch(holdings, 1, found, ASKS))
    with pytest.raises(BlockNotYet):
        settle(holdings, found, FINALIZED)
    for _ in range(150):
        chain.mine()
    settle(holdings, found, FINALIZED)
    assert trouble(read_epoch(holdings, 1, found, ASKS)) is BlockUnavailable
    assert epoch.balances[ANN][FOO] == 3


def test_a_quorum_that_falls_silent_in_between_is_undetermined(three: list[LyingNode]) -> None:
    found = found_at(100, *three)
    for node in three[:2]:
        node.tell(lies.only(lies.rate_limits(), lambda question: question.asks_balances))
    assert trouble(read_epoch(seen_by(*three), 1, found, ASKS)) is QuorumMissed


# --- the event goes on


def test_a_reorganisation_after_check_in_shows_and_the_block_is_found_anew(
    node: LyingNode, chain: ScriptedChain
) -> None:
    holdings = seen_by(node)
    epoch = whole(read_epoch(holdings, 1, find_block(holdings, at(199)), ASKS))
    assert still_canonical(holdings, epoch)
    chain.reorganise(3, {(ANN, FOO): 0})
    assert not still_canonical(holdings, epoch)
    again = whole(read_epoch(holdings, 1, find_block(holdings, at(199)), ASKS))
    assert (again.block.number, again.block.hash == epoch.block.hash) == (199, False)
    assert (epoch.balances[ANN][FOO], again.balances[ANN][FOO]) == (3, 0)


def test_endpoints_that_disagree_whether_there_was_a_reorganisation_are_no_answer(chain: ScriptedChain) -> None:
    # One has seen it, the other not yet.
    other = ScriptedChain(started=START)
    other.mine({(ANN, FOO): 3, (BOB, FOO): 1})
    for _ in range(199):
        other.mine()
    with LyingNode(chain) as one, LyingNode(other) as two:
        holdings = seen_by(one, two, quorum=1)
        epoch = whole(read_epoch(holdings, 1, find_block(holdings, at(199)), ASKS))
        other.reorganise(3)
        with pytest.raises(EndpointsDisagree):
            still_canonical(holdings, epoch)


def test_a_proxy_implementation_swapped_between_two_epochs_is_undetermined(
    node: LyingNode, chain: ScriptedChain
) -> None:
    slot = 0x360894A13BA1A3210667C828492DB98DCA3E2076CC3735A920A3CA505D382BBC

    def points_to(code: bytes) -> None:
        address = keccak(code)[:20]
        chain.mine(code={to_checksum(address): code}, storage={(COLLECTION, slot): address.rjust(32, b"\0")})

    points_to(b"one")
    contract = seen_by(node).inspect(chain.head)
    holdings = seen_by(node, code_hash=contract.code_hash)
    assert isinstance(read_epoch(holdings, 1, find_block(holdings, chain.head.timestamp), ASKS), Epoch)
    points_to(b"two")
    assert trouble(read_epoch(holdings, 2, find_block(holdings, chain.head.timestamp), ASKS)) is CodeChanged


def test_a_late_entry_is_read_at_the_first_epoch_too(node: LyingNode, chain: ScriptedChain) -> None:
    # epoch 1 at 100, epoch 2 at 201. Cat had a Foo at 100; Bob, who is not late, sells his to a friend of hers.
    cat, dan = (to_checksum(keccak(name)[:20]) for name in (b"cat", b"dan"))
    late = ScriptedChain(started=START)
    late.mine({(ANN, FOO): 3, (BOB, FOO): 1, (cat, FOO): 1})
    for _ in range(199):
        late.mine()
    late.mine(moves=[Move(BOB, dan, FOO, 1)])
    with LyingNode(late) as there:
        holdings = seen_by(there)
        first, second = (find_block(holdings, at(number)) for number in (100, 201))
        one = whole(read_epoch(holdings, 1, first, ASKS))
        newcomers = [Ask(cat, (FOO,)), Ask(dan, (FOO,))]
        two = whole(read_epoch(holdings, 2, second, [*ASKS, *newcomers]))
        before = [dict(each) for each in one.balances.values()]
        one = whole(read_more(holdings, one, [*ASKS, *newcomers]))
    assert [dict(each) for each in one.balances.values()][:2] == before
    foo = (Need("Foo", (FOO,), 1),)
    stakes = [Stake(name, (wallet,), foo) for name, wallet in (("bob", BOB), ("cat", cat), ("dan", dan))]
    allotment = allocate(stakes, [one.balances, two.balances])
    assert {name: allotment.outcome(name) for name in allotment.stakes} == {
        "bob": Outcome.SHORT,
        "cat": Outcome.COVERED,
        "dan": Outcome.SHORT,
    }
    assert [allotment.shortfalls[name][0].since for name in ("bob", "dan")] == [2, 1]


def test_a_late_entry_is_read_for_what_is_new_and_nothing_else(node: LyingNode) -> None:
    holdings = seen_by(node)
    epoch = whole(read_epoch(holdings, 1, find_block(holdings, at(100)), [Ask(ANN, (FOO,))]))
    asked = len(node.questions)
    more = whole(read_more(holdings, epoch, [Ask(ANN, (FOO, BAR)), Ask(BOB, (FOO,))]))
    assert sum(question.balances_asked for question in node.questions[asked:]) == 2
    assert more.balances == {ANN: {FOO: 3, BAR: 0}, BOB: {FOO: 1}}
    assert more.exchanges[: len(epoch.exchanges)] == epoch.exchanges


def test_a_late_entry_whose_first_epoch_is_pruned_is_undetermined(node: LyingNode, chain: ScriptedChain) -> None:
    holdings = seen_by(node)
    epoch = whole(read_epoch(holdings, 1, find_block(holdings, at(150)), ASKS))
    for _ in range(200):
        chain.mine()
    node.tell(lies.prunes(chain))
    assert trouble(read_more(holdings, epoch, [Ask(BOB, (BAR,))])) is BlockUnavailable


def test_no_epoch_mixes_blocks(node: LyingNode, chain: ScriptedChain) -> None:
    # In the middle of the read everything is sold and the block replaced.
    holdings = seen_by(node, pairs=1)
    found = find_block(holdings, at(200))
    node.tell(lies.reorganises(chain, 1, at=lambda question: question.asks_balances))
    assert trouble(read_epoch(holdings, 1, found, ASKS)) in {BlockReplaced, BlockUnavailable}
