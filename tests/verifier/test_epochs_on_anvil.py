"""An event's epochs on a real node: a large field, a flash borrow, a sale, a clone, made-up logs, a reorganisation."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from eth_hash.auto import keccak

from collection.anvil import Anvil
from collection.artefact import parse_artefact, showdown_cards
from collection.practice import PracticeCollection
from collection.transactions import Contract, Sender, creation
from collection.wallets import Wallet
from verifier.addresses import to_checksum
from verifier.chain import ChainHoldings, Collection
from verifier.coverage import Need, Outcome
from verifier.epochs import (
    Epoch,
    Found,
    Undetermined,
    find_block,
    look_at_finality,
    read_epoch,
    settle,
    still_canonical,
)
from verifier.errors import BlockNotYet, CodeChanged
from verifier.holdings import Address, Ask, TokenId
from verifier.ledger import Stake, allocate
from verifier.manifest import BlockRule
from verifier.rpc import Endpoint
from verifier.testkit import LyingNode, Relay
from verifier.transfers import departures, read_transfers, reconcile

pytestmark = pytest.mark.chain

ARTEFACTS = Path(__file__).parent.parent / "artefacts"
PLAYERS = 512
DECK = tuple(TokenId(1 << 16 | number) for number in range(1, 52))
FOO = TokenId(1 << 16 | 1)


def contract(anvil: Anvil, name: str, wallet: Wallet, *arguments: object) -> Contract:
    artefact = parse_artefact((ARTEFACTS / f"{name}.json").read_text())
    [receipt] = Sender(anvil.endpoint, wallet.signer()).transact([creation("deploy", artefact, *arguments)])
    assert receipt.contract
    return Contract(anvil.endpoint, artefact.abi, receipt.contract)


def cards(collection: PracticeCollection) -> Contract:
    return Contract(collection.anvil.endpoint, showdown_cards().abi, collection.deployment.address)


def newest(chain: ChainHoldings) -> Found:
    """Anvil makes several blocks in a second, so this is not always the first of its time."""
    block = chain.find("latest")
    return Found(block.timestamp, block, chain.find(block.number - 1))


def epoch_now(chain: ChainHoldings, number: int, asks: Sequence[Ask]) -> Epoch:
    epoch = read_epoch(chain, number, newest(chain), asks)
    assert isinstance(epoch, Epoch), epoch
    return epoch


def sell(collection: PracticeCollection, sender: Wallet, recipient: Address, units: int = 1) -> None:
    call = cards(collection).call("sell", "safeTransferFrom", sender.address, recipient, FOO, units, b"")
    collection.sender(sender).transact([call])


def test_an_epoch_of_512_players_is_one_batch(anvil: Anvil, collection: PracticeCollection) -> None:
    # Each holds one copy of one card of the deck, written into OpenZeppelin's `_balances`, its first variable.
    wallets = [to_checksum(keccak(b"player %d" % player)[-20:]) for player in range(PLAYERS)]
    for player, wallet in enumerate(wallets):
        account = bytes.fromhex(wallet[2:]).rjust(32, b"\0")
        slot = keccak(account + keccak(DECK[player % len(DECK)].to_bytes(32, "big") + bytes(32)))
        anvil.ask(
            "anvil_setStorageAt", collection.deployment.address, "0x" + slot.hex(), "0x" + (1).to_bytes(32, "big").hex()
        )
    anvil.mine()
    asks = [Ask(wallet, DECK) for wallet in wallets]
    known = collection.deployment
    with LyingNode(Relay(anvil.url)) as node, Endpoint(node.url) as endpoint:
        chain = ChainHoldings([endpoint], Collection(known.chain_id, known.address, known.code_hash))
        found = newest(chain)
        before = len(node.questions)
        epoch = read_epoch(chain, 1, found, asks)
        asked = node.questions[before:]
    assert isinstance(epoch, Epoch)
    assert [sum(reading.values()) for reading in epoch.balances.values()] == [1] * PLAYERS
    assert [epoch.balances[wallet][DECK[player % len(DECK)]] for player, wallet in enumerate(wallets)] == [1] * PLAYERS
    # 26,112 balances. Calls of 12,000, which this node finds too much, are halved; the rest is what an epoch of one
    # player asks too.
    balances = [question.balances_asked for question in asked if question.asks_balances]
    assert len(balances) <= 12
    assert len(asked) - len(balances) == 15
    assert {str(q.params[-1]) for q in asked if q.asks_balances} == {
        str({"blockHash": found.block.hash, "requireCanonical": True})
    }


def test_a_flash_borrow_inside_a_transaction_counts_for_nobody(
    anvil: Anvil, collection: PracticeCollection, funded_wallets: tuple[Wallet, ...]
) -> None:
    lender, borrower = funded_wallets[:2]
    collection.issue(lender.address, {1: 1})
    loan = contract(anvil, "FlashLoan", lender)
    for wallet in (lender, borrower):
        approve = cards(collection).call("approve", "setApprovalForAll", loan.address, True)  # noqa: FBT003
        collection.sender(wallet).transact([approve])
    chain = collection.holdings()
    asks = [Ask(lender.address, (FOO,)), Ask(borrower.address, (FOO,))]
    before = epoch_now(chain, 1, asks)
    lend = loan.call("lend", "lend", collection.deployment.address, lender.address, borrower.address, FOO, 1)
    [receipt] = collection.sender(borrower).transact([lend])
    after = epoch_now(chain, 2, asks)
    [held] = [
        log
        for log in anvil.ask("eth_getTransactionReceipt", receipt.transaction)["logs"]  # type: ignore[index]
        if log["topics"][0] == "0x" + keccak(b"Held(uint256)").hex()
    ]
    assert int(held["data"], 16) == 1  # while the transaction ran, the borrower had it
    assert [after.balances[wallet.address][FOO] for wallet in (lender, borrower)] == [1, 0]
    transfers = read_transfers(chain, before.block, after.block)
    assert [(one.sender, one.recipient) for one in transfers] == [
        (lender.address, borrower.address),
        (borrower.address, lender.address),
    ]
    assert reconcile(before.balances, transfers, after.balances) == []


def test_cards_sold_between_rounds_are_missing_since_then_and_the_transaction_is_named(
    collection: PracticeCollection, funded_wallets: tuple[Wallet, ...]
) -> None:
    ann, bob = funded_wallets[:2]
    collection.issue(ann.address, {1: 3})
    chain = collection.holdings()
    asks = [Ask(ann.address, (FOO,))]
    epochs = [epoch_now(chain, number, asks) for number in (1, 2)]
    sell(collection, ann, bob.address)
    epochs.append(epoch_now(chain, 3, asks))
    stake = Stake("ann", (ann.address,), (Need("Ann Thology", (FOO,), 3),))
    [shortfall] = allocate([stake], [epoch.balances for epoch in epochs]).shortfalls["ann"]
    assert (shortfall.missing, shortfall.since, shortfall.trails[0].units) == (1, 3, (3, 3, 2))
    transfers = read_transfers(chain, epochs[1].block, epochs[2].block)
    [sale] = departures(transfers, {(ann.address, FOO)})
    assert (sale.recipient, sale.units, sale.block) == (bob.address, 1, epochs[2].block.number)
    assert reconcile(epochs[1].balances, transfers, epochs[2].balances) == []


def test_a_wallet_shuttle_between_two_check_ins_counts_once(
    collection: PracticeCollection, funded_wallets: tuple[Wallet, ...]
) -> None:
    # Ann has the card at epoch 1, her accomplice at epoch 2. Each alone would be covered; nobody is at both.
    ann, bob = funded_wallets[:2]
    collection.issue(ann.address, {1: 1})
    chain = collection.holdings()
    asks = [Ask(ann.address, (FOO,)), Ask(bob.address, (FOO,))]
    one = epoch_now(chain, 1, asks)
    sell(collection, ann, bob.address)
    two = epoch_now(chain, 2, asks)
    need = (Need("Ann Thology", (FOO,), 1),)
    stakes = [Stake("ann", (ann.address,), need), Stake("bob", (bob.address,), need)]
    first, second = allocate(stakes, [one.balances]), allocate(stakes, [one.balances, two.balances])
    assert [first.outcome(name) for name in ("ann", "bob")] == [Outcome.COVERED, Outcome.SHORT]
    assert [second.outcome(name) for name in ("ann", "bob")] == [Outcome.SHORT, Outcome.SHORT]


def test_fake_transfer_logs_of_another_contract_are_not_read(
    anvil: Anvil, collection: PracticeCollection, funded_wallets: tuple[Wallet, ...]
) -> None:
    ann = funded_wallets[0]
    chain = collection.holdings()
    before = epoch_now(chain, 1, [Ask(ann.address, (FOO,))])
    teller = contract(anvil, "HostileCollection", ann, 0)
    tale = teller.call("tell", "pretendTransfer", "0x" + "00" * 20, ann.address, FOO, 5)
    collection.sender(ann).transact([tale])
    after = epoch_now(chain, 2, [Ask(ann.address, (FOO,))])
    assert read_transfers(chain, before.block, after.block) == []
    assert after.balances == before.balances == {ann.address: {FOO: 0}}


def test_fake_transfer_logs_of_the_collection_itself_show_in_the_reconciliation(
    anvil: Anvil, funded_wallets: tuple[Wallet, ...]
) -> None:
    # The hostile contract is the collection. It says of everybody that they hold one, and logs that five came.
    ann = funded_wallets[0]
    teller = contract(anvil, "HostileCollection", ann, 0)
    chain = ChainHoldings([anvil.endpoint], Collection(31337, teller.address))
    before = epoch_now(chain, 1, [Ask(ann.address, (FOO,))])
    tale = teller.call("tell", "pretendTransfer", "0x" + "00" * 20, ann.address, FOO, 5)
    Sender(anvil.endpoint, ann.signer()).transact([tale])
    after = epoch_now(chain, 2, [Ask(ann.address, (FOO,))])
    [found] = reconcile(before.balances, read_transfers(chain, before.block, after.block), after.balances)
    assert (found.before, found.came, found.went, found.after) == (1, 5, 0, 1)


def test_a_cloned_card_contract_is_no_collection_of_the_event(
    anvil: Anvil, collection: PracticeCollection, funded_wallets: tuple[Wallet, ...]
) -> None:
    # Same code, same hash, all the cards one likes: at another address, which the manifest does not name.
    ann, known = funded_wallets[0], collection.deployment
    clone = Address("0x" + "c1" * 20)
    anvil.ask("anvil_setCode", clone, anvil.ask("eth_getCode", known.address, "latest"))
    slot = keccak(bytes.fromhex(ann.address[2:]).rjust(32, b"\0") + keccak(FOO.to_bytes(32, "big") + bytes(32)))
    anvil.ask("anvil_setStorageAt", clone, "0x" + slot.hex(), "0x" + (9).to_bytes(32, "big").hex())
    anvil.mine()
    asks = [Ask(ann.address, (FOO,))]
    on_clone = ChainHoldings([anvil.endpoint], Collection(known.chain_id, clone, known.code_hash))
    assert epoch_now(on_clone, 1, asks).balances[ann.address][FOO] == 9
    assert epoch_now(collection.holdings(), 1, asks).balances[ann.address][FOO] == 0


def test_code_that_changes_between_two_epochs_makes_the_second_undetermined(
    anvil: Anvil, collection: PracticeCollection, funded_wallets: tuple[Wallet, ...]
) -> None:
    asks = [Ask(funded_wallets[0].address, (FOO,))]
    chain = collection.holdings()
    epoch_now(chain, 1, asks)
    anvil.ask("anvil_setCode", collection.deployment.address, "0x6080604052")
    anvil.mine()
    read = read_epoch(chain, 2, newest(chain), asks)
    assert isinstance(read, Undetermined)
    assert isinstance(read.trouble, CodeChanged)


def test_a_reorganisation_after_check_in_voids_the_epoch(
    anvil: Anvil, collection: PracticeCollection, funded_wallets: tuple[Wallet, ...]
) -> None:
    # The fork on which Ann was issued the card is left; on the other one she never was.
    ann = funded_wallets[0]
    asks = [Ask(ann.address, (FOO,))]
    before = anvil.snapshot()
    collection.issue(ann.address, {1: 1})
    anvil.ask("evm_increaseTime", 100)
    anvil.mine()
    chain = collection.holdings()
    epoch = epoch_now(chain, 1, asks)
    assert still_canonical(chain, epoch)
    anvil.revert(before)
    anvil.ask("evm_increaseTime", 1000)
    anvil.mine(3)
    assert not still_canonical(chain, epoch)
    again = read_epoch(chain, 1, find_block(chain, epoch.found.at), asks)
    assert isinstance(again, Epoch)
    assert (epoch.balances[ann.address][FOO], again.balances[ann.address][FOO]) == (1, 0)
    assert again.block.hash != epoch.block.hash


def test_the_block_of_a_time_is_settled_when_the_node_says_final(anvil: Anvil, collection: PracticeCollection) -> None:
    chain = collection.holdings()
    anvil.ask("evm_increaseTime", 100)
    anvil.mine()
    found = find_block(chain, chain.find("latest").timestamp)
    assert found.block == chain.find("latest")
    rule = BlockRule(found.at, None)
    with pytest.raises(BlockNotYet, match="not yet: block"):
        settle(chain, found, rule)
    anvil.mine(200)
    finality = look_at_finality(chain)
    assert finality.block is not None
    assert finality.block.number > found.block.number
    settle(chain, found, rule)
    settle(chain, found, BlockRule(found.at, depth=200))
    with pytest.raises(BlockNotYet, match="has 200 blocks on top of it, and needs 201"):
        settle(chain, found, BlockRule(found.at, depth=201))
