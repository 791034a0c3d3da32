"""The reader of the chain on a real node: hostile contracts, proxies, clones, reorganisations, made-up logs."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from eth_hash.auto import keccak

from collection.anvil import Anvil
from collection.artefact import Artefact, parse_artefact, showdown_cards
from collection.practice import PracticeCollection
from collection.transactions import Contract, Sender, creation
from collection.wallets import Wallet
from verifier.chain import ChainHoldings, Collection
from verifier.check import Claim, Outcome, Verdict, check_deck
from verifier.coverage import Need
from verifier.errors import (
    AnswerSuspicious,
    BlockReplaced,
    CodeChanged,
    NoContract,
    NotErc1155,
    WrongChain,
)
from verifier.holdings import Address, Ask, TokenId

pytestmark = pytest.mark.chain

ROOT = Path(__file__).parent.parent.parent
DECK = tuple(Need(f"card {number}", (TokenId(number),), 1) for number in range(1, 52))
IMPLEMENTATION_SLOT = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"

Hostile = Callable[[str], Contract]


@cache
def artefact() -> Artefact:
    return parse_artefact((ROOT / "tests" / "artefacts" / "HostileCollection.json").read_text())


@cache
def modes() -> list[str]:
    """The contract's enum, in order."""
    source = (ROOT / "contracts" / "test" / "hostile" / "HostileCollection.sol").read_text()
    body = source.split("enum Mode {")[1].split("}")[0]
    return re.findall(r"^\s*([A-Z]\w+),?$", body, re.MULTILINE)


@pytest.fixture
def hostile(anvil: Anvil, funded_wallets: tuple[Wallet, ...]) -> Hostile:
    """Deploys a hostile collection of a kind."""

    def deploy(mode: str) -> Contract:
        sender = Sender(anvil.endpoint, funded_wallets[0].signer())
        [receipt] = sender.transact([creation("deploy", artefact(), modes().index(mode))])
        assert receipt.contract
        return Contract(anvil.endpoint, artefact().abi, receipt.contract)

    return deploy


def reader(anvil: Anvil, address: Address, code_hash: str | None = None, chain_id: int = 31337) -> ChainHoldings:
    return ChainHoldings([anvil.endpoint], Collection(chain_id, address, code_hash))


def verdict_of(anvil: Anvil, address: Address, wallet: Wallet) -> Verdict:
    return check_deck(Claim((wallet.address,), DECK), reader(anvil, address))


def test_the_hostile_contract_can_also_be_honest(
    anvil: Anvil, hostile: Hostile, funded_wallets: tuple[Wallet, ...]
) -> None:
    assert verdict_of(anvil, hostile("Honest").address, funded_wallets[0]).outcome is Outcome.COVERED


@pytest.mark.parametrize(
    "mode",
    [
        "OneShort",
        "OneLong",
        "NoBalances",
        "Empty",
        "TrailingGarbage",
        "Truncated",
        "WrongOffset",
        "OddOffset",
        "EndlessLength",
        "Huge",
        "Flood",
        "Reverts",
        "RevertsWithReason",
        "BurnsAllGas",
        "Loops",
    ],
)
def test_a_hostile_erc_1155_is_suspicious_and_never_covered(
    anvil: Anvil, hostile: Hostile, funded_wallets: tuple[Wallet, ...], mode: str
) -> None:
    verdict = verdict_of(anvil, hostile(mode).address, funded_wallets[0])
    assert (verdict.outcome, type(verdict.trouble)) == (Outcome.UNDETERMINED, AnswerSuspicious)


@pytest.mark.parametrize(
    "mode", ["DeniesInterface", "InterfaceReverts", "InterfaceEmpty", "InterfaceTwo", "ClaimsEverything", "Silent"]
)
def test_a_contract_that_is_not_erc_1155_is_refused(anvil: Anvil, hostile: Hostile, mode: str) -> None:
    with pytest.raises(NotErc1155):
        reader(anvil, hostile(mode).address).pin("latest")


def test_every_way_to_be_hostile_is_tried() -> None:
    tried = [
        mark.args[1]
        for test in (
            test_a_hostile_erc_1155_is_suspicious_and_never_covered,
            test_a_contract_that_is_not_erc_1155_is_refused,
        )
        for mark in test.pytestmark
        if mark.name == "parametrize"
    ]  # type: ignore[attr-defined]
    assert sorted(["Honest", *tried[0], *tried[1]]) == sorted(modes())


def test_an_address_without_a_contract_is_refused(anvil: Anvil, funded_wallets: tuple[Wallet, ...]) -> None:
    with pytest.raises(NoContract):
        reader(anvil, funded_wallets[0].address).pin("latest")


def test_a_collection_is_not_there_before_it_was_deployed(anvil: Anvil, hostile: Hostile) -> None:
    before = int(str(anvil.ask("eth_blockNumber")), 16)
    anvil.mine()
    found = hostile("Honest")
    with pytest.raises(NoContract):
        reader(anvil, found.address).pin(before)


def test_an_endpoint_on_another_chain_is_refused(anvil: Anvil, collection: PracticeCollection) -> None:
    with pytest.raises(WrongChain):
        reader(anvil, collection.deployment.address, chain_id=1).pin("latest")


def test_fake_transfer_logs_give_nobody_a_card(
    anvil: Anvil, collection: PracticeCollection, hostile: Hostile, funded_wallets: tuple[Wallet, ...]
) -> None:
    # Another contract tells of a transfer to the wallet; and the verifier does not listen to tales.
    wallet, teller = funded_wallets[0], hostile("Honest")
    sender = Sender(anvil.endpoint, wallet.signer())
    tale = teller.call("tell", "pretendTransfer", "0x" + "00" * 20, wallet.address, 1 << 16 | 1, 5)
    sender.transact([tale])
    verdict = check_deck(Claim((wallet.address,), (collection.need(1),)), collection.holdings())
    assert verdict.outcome is Outcome.SHORT


def test_a_cloned_card_contract_has_the_code_and_not_the_cards(
    anvil: Anvil, collection: PracticeCollection, funded_wallets: tuple[Wallet, ...]
) -> None:
    # The cheat's own copy of the very contract, in which they hold everything, is another address.
    wallet, known = funded_wallets[0], collection.deployment
    clone = Address("0x" + "c1" * 20)
    anvil.ask("anvil_setCode", clone, anvil.ask("eth_getCode", known.address, "latest"))
    on_clone = reader(anvil, clone, known.code_hash)
    assert on_clone.inspect(on_clone.pin("latest")).code_hash == known.code_hash
    verdict = check_deck(Claim((wallet.address,), (collection.need(1),)), collection.holdings())
    assert verdict.outcome is Outcome.SHORT


def test_a_proxy_implementation_swapped_mid_event_is_seen(
    anvil: Anvil, collection: PracticeCollection, hostile: Hostile
) -> None:
    # An ERC-1967 proxy (its code: delegatecall to what the slot says) before the collection, then before another one.
    proxy = Address("0x" + "99" * 20)
    ask, answer = f"365f5f375f5f365f7f{IMPLEMENTATION_SLOT[2:]}545af4", "3d5f5f3e5f3d91603757fd5bf3"
    code = ask + answer
    anvil.ask("anvil_setCode", proxy, "0x" + code)

    def points_to(address: Address) -> None:
        anvil.ask("anvil_setStorageAt", proxy, IMPLEMENTATION_SLOT, "0x" + address[2:].rjust(64, "0"))
        anvil.mine()

    points_to(collection.deployment.address)
    before = reader(anvil, proxy)
    contract = before.inspect(before.pin("latest"))
    expected = keccak(keccak(bytes.fromhex(code)) + bytes.fromhex(collection.deployment.code_hash[2:]))
    assert (contract.implementation, contract.code_hash) == (collection.deployment.address, "0x" + expected.hex())
    points_to(hostile("Honest").address)
    with pytest.raises(CodeChanged):
        reader(anvil, proxy, contract.code_hash).pin("latest")


def test_a_reorganisation_after_the_pin_is_seen(anvil: Anvil, collection: PracticeCollection) -> None:
    before = anvil.snapshot()
    anvil.mine(3)
    holdings = collection.holdings()
    block = holdings.pin("latest")
    anvil.revert(before)
    anvil.ask("evm_increaseTime", 100)
    anvil.mine(3)
    with pytest.raises(BlockReplaced):
        holdings.read([Ask(collection.admin.address, (TokenId(1),))], block)


def test_cards_sold_between_two_blocks_are_missing_at_the_second(
    anvil: Anvil, collection: PracticeCollection, funded_wallets: tuple[Wallet, ...]
) -> None:
    wallet, other = funded_wallets[:2]
    collection.issue(wallet.address, {1: 1})
    holdings = collection.holdings()
    then = holdings.pin("latest")
    cards = Contract(anvil.endpoint, showdown_cards().abi, collection.deployment.address)
    sale = cards.call("sell", "safeTransferFrom", wallet.address, other.address, 1 << 16 | 1, 1, b"")
    collection.sender(wallet).transact([sale])
    claim = Claim((wallet.address,), (collection.need(1),))
    outcomes = [check_deck(claim, holdings, at).outcome for at in (then.number, then.hash, "latest")]
    assert outcomes == [Outcome.COVERED, Outcome.COVERED, Outcome.SHORT]


def test_thousands_of_balances_are_read_in_halves_where_the_node_takes_less(
    anvil: Anvil, collection: PracticeCollection, funded_wallets: tuple[Wallet, ...]
) -> None:
    # 40,000 balances at once are more gas than Anvil grants a call.
    collection.issue(funded_wallets[0].address, {1: 7})
    holdings = replace_pairs(collection, 40_000)
    ids = (*tuple(TokenId(number) for number in range(40000 - 1)), TokenId(1 << 16 | 1))
    [answer] = holdings.read([Ask(funded_wallets[0].address, ids)], holdings.pin("latest"))
    assert (len(answer), sum(answer), answer[-1]) == (40_000, 7, 7)


def replace_pairs(collection: PracticeCollection, pairs: int) -> ChainHoldings:
    known = collection.deployment
    return ChainHoldings(
        [collection.anvil.endpoint], Collection(known.chain_id, known.address, known.code_hash), pairs_per_call=pairs
    )
