"""Wallets that are contracts, on a real chain: honest, not deployed yet, delegating, hostile."""

import re
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account

from collection.anvil import Anvil
from collection.transactions import Contract, Sender
from collection.wallets import Wallet
from tests.verifier.signing import (
    ANN,
    BOB,
    CARL,
    artefact,
    await_mined,
    challenge,
    deploy,
    encodings,
    key_of,
    sign,
    wrapped,
)
from verifier.addresses import to_checksum
from verifier.chain import ChainHoldings, Collection
from verifier.contracts import Call, Reverted
from verifier.control import (
    MAGIC,
    Challenge,
    ControlOutcome,
    ControlVerdict,
    Method,
    verify_signature,
    verify_transaction,
)
from verifier.errors import AnswerSuspicious, CallReverted, NoEndpoints, TransactionPending
from verifier.holdings import Address, Block

pytestmark = pytest.mark.chain

HOSTILE = Path(__file__).parents[2] / "contracts" / "test" / "wallets" / "HostileWallet.sol"
NOBODY = to_checksum(b"\x99" * 20)
SALT = b"\7" * 32
GARBAGE = b"\xde\xad" * 40
OWNERS = tuple(sorted((ANN, BOB, CARL), key=lambda wallet: int(wallet.address, 16)))
ADDRESSES = [owner.address for owner in OWNERS]


@pytest.fixture
def contracts(anvil: Anvil) -> ChainHoldings:
    """The chain; no collection is deployed on it, and none is needed."""
    return ChainHoldings([anvil.endpoint], Collection(31337, NOBODY))


@pytest.fixture
def payer(funded_wallets: tuple[Wallet, ...]) -> Wallet:
    return funded_wallets[0]


@pytest.fixture
def now(contracts: ChainHoldings) -> int:
    return contracts.find("latest").timestamp


def asked(wallet: Address, now: int) -> Challenge:
    return challenge(wallet, issued_at=now, expires_at=now + 600)


def signed_by(owners: tuple[Wallet, ...], digest: bytes) -> bytes:
    return b"".join(sign(owner, digest) for owner in owners)


def judged(made: Challenge, signature: bytes, contracts: ChainHoldings) -> ControlVerdict:
    return verify_signature(made, signature, now=made.issued_at, contracts=contracts)


# --- ERC-1271


def test_two_of_three_owners_prove_control_of_their_multisig(
    anvil: Anvil, contracts: ChainHoldings, payer: Wallet, now: int
) -> None:
    wallet = deploy(anvil, payer, "Multisig", ADDRESSES, 2)
    made = asked(wallet.address, now)
    verdict = judged(made, signed_by(OWNERS[1:], made.digest), contracts)
    assert (verdict.method, verdict.block) == (Method.CONTRACT, contracts.find("latest"))
    one_short, another = signed_by(OWNERS[:1], made.digest), signed_by(OWNERS[:2], b"\0" * 32)
    for signature in (one_short, another, GARBAGE[:64], GARBAGE[:65], GARBAGE[:130] + bytes(70), b""):
        assert judged(made, signature, contracts).outcome is ControlOutcome.NOT_PROVEN
    assert type(verify_signature(made, one_short, now=now).trouble) is NoEndpoints


def test_a_contract_wallet_can_keep_what_its_owners_signed(
    anvil: Anvil, contracts: ChainHoldings, funded_wallets: tuple[Wallet, ...], now: int
) -> None:
    owner = funded_wallets[0]
    wallet = deploy(anvil, owner, "Multisig", [owner.address], 1)
    made = asked(wallet.address, now)
    assert not judged(made, b"", contracts).proven
    Sender(anvil.endpoint, owner.signer()).transact([wallet.call("keep", "keep", made.digest)])
    assert judged(made, b"", contracts).method is Method.CONTRACT


def test_an_owner_who_was_replaced_signs_no_longer_and_did_before(
    anvil: Anvil, contracts: ChainHoldings, funded_wallets: tuple[Wallet, ...], now: int
) -> None:
    owner, other = funded_wallets[:2]
    wallet = deploy(anvil, owner, "Multisig", [owner.address], 1)
    made = asked(wallet.address, now)
    signature, before = sign(owner, made.digest), contracts.find("latest")
    Sender(anvil.endpoint, owner.signer()).transact([wallet.call("hand", "replace", owner.address, other.address)])
    assert judged(made, signature, contracts).outcome is ControlOutcome.NOT_PROVEN
    assert verify_signature(made, signature, now=now, contracts=contracts, block=before).proven


def hostile_modes() -> list[str]:
    """The contract's enum, in order."""
    body = HOSTILE.read_text().split("enum Mode {")[1].split("}")[0]
    return re.findall(r"^\s*([A-Z]\w+),?$", body, re.MULTILINE)


@pytest.mark.parametrize("mode", hostile_modes())
def test_a_hostile_contract_is_nobodys_wallet(
    anvil: Anvil, contracts: ChainHoldings, payer: Wallet, now: int, mode: str
) -> None:
    wallet = deploy(anvil, payer, "HostileWallet", hostile_modes().index(mode))
    made = asked(wallet.address, now)
    for signature in (b"", sign(BOB, made.digest), GARBAGE):
        verdict = judged(made, signature, contracts)
        assert not verdict.proven
        assert (verdict.outcome is ControlOutcome.UNDETERMINED) == (mode == "Flood")
        assert ("says of anything" in "".join(verdict.reasons)) == (mode == "AlwaysTrue")


def test_there_are_thirteen_ways_to_be_a_hostile_wallet() -> None:
    assert len(hostile_modes()) == 13
    assert {"AlwaysTrue", "Echo", "TrueWhenAsked"} < set(hostile_modes())


def test_the_precompile_that_echoes_says_the_magic_value_and_is_not_believed(
    contracts: ChainHoldings, now: int
) -> None:
    # What makes 0x04 dangerous is still so; and a text for it cannot even be written (test_control.py).
    question = MAGIC + challenge().digest + b"\0" * 28
    assert contracts.call(to_checksum(bytes(19) + b"\4"), question, contracts.find("latest")) == question


# --- ERC-6492


@pytest.fixture
def factory(anvil: Anvil, payer: Wallet) -> Contract:
    return deploy(anvil, payer, "MultisigFactory")


def calldata(factory: Contract, function: str, *arguments: object) -> bytes:
    return bytes.fromhex(factory.call("deploy", function, *arguments).data[2:])


def test_a_wallet_that_is_not_deployed_proves_control_and_stays_undeployed(
    anvil: Anvil, contracts: ChainHoldings, factory: Contract, now: int
) -> None:
    address = to_checksum(bytes.fromhex(factory.ask("addressOf", ADDRESSES, 2, SALT)[2:]))
    made, deployment = asked(address, now), calldata(factory, "deploy", ADDRESSES, 2, SALT)
    inner = signed_by(OWNERS[:2], made.digest)
    verdict = judged(made, wrapped(factory.address, deployment, inner), contracts)
    assert verdict.method is Method.COUNTERFACTUAL
    assert anvil.ask("eth_getCode", address, "latest") == "0x"
    assert judged(made, inner, contracts).outcome is ControlOutcome.NOT_PROVEN


def test_a_garbage_inner_signature_of_erc_6492_proves_nothing(
    contracts: ChainHoldings, factory: Contract, now: int
) -> None:
    address = to_checksum(bytes.fromhex(factory.ask("addressOf", ADDRESSES, 2, SALT)[2:]))
    made, deployment = asked(address, now), calldata(factory, "deploy", ADDRESSES, 2, SALT)
    good = signed_by(OWNERS[:2], made.digest)
    strangers = sorted((key_of("x"), key_of("y")), key=lambda wallet: int(wallet.address, 16))
    for inner in (b"", GARBAGE, good[:65], signed_by(tuple(strangers), made.digest)):
        verdict = judged(made, wrapped(factory.address, deployment, inner), contracts)
        assert verdict.outcome is ControlOutcome.NOT_PROVEN
        assert "does not say that it signed this" in verdict.reasons[0]


def test_a_factory_that_deploys_another_wallet_proves_nothing_of_this_one(
    contracts: ChainHoldings, factory: Contract, now: int
) -> None:
    # Ann's address has no code; the cheat's deployment makes the cheat's own wallet, or nothing.
    made = asked(ANN.address, now)
    deployments = (calldata(factory, "deploy", [BOB.address], 1, SALT), b"", GARBAGE)
    for deployment in deployments:
        verdict = judged(made, wrapped(factory.address, deployment, sign(BOB, made.digest)), contracts)
        assert verdict.outcome is ControlOutcome.NOT_PROVEN
        assert "does not deploy a wallet" in verdict.reasons[0]


@pytest.mark.parametrize("mode", hostile_modes())
def test_a_hostile_wallet_is_nobodys_before_it_is_deployed_either(
    contracts: ChainHoldings, factory: Contract, now: int, mode: str
) -> None:
    kind = hostile_modes().index(mode)
    address = to_checksum(bytes.fromhex(factory.ask("addressOfHostile", kind, SALT)[2:]))
    made = asked(address, now)
    deployment = calldata(factory, "deployHostile", kind, SALT)
    verdict = judged(made, wrapped(factory.address, deployment, GARBAGE), contracts)
    assert verdict.outcome is ControlOutcome.NOT_PROVEN
    assert ("says of anything" in verdict.reasons[0]) == (mode == "AlwaysTrue")


def test_a_wrapped_signature_still_counts_once_the_wallet_is_deployed(
    anvil: Anvil, contracts: ChainHoldings, factory: Contract, payer: Wallet, now: int
) -> None:
    address = to_checksum(bytes.fromhex(factory.ask("addressOf", ADDRESSES, 2, SALT)[2:]))
    made, deployment = asked(address, now), calldata(factory, "deploy", ADDRESSES, 2, SALT)
    signature = wrapped(factory.address, deployment, signed_by(OWNERS[:2], made.digest))
    Sender(anvil.endpoint, payer.signer()).transact([factory.call("deploy", "deploy", ADDRESSES, 2, SALT)])
    assert judged(made, signature, contracts).method is Method.CONTRACT


# --- EIP-7702


def delegate(anvil: Anvil, account: Wallet, payer: Wallet, code: Address) -> None:
    """A transaction of type 4 with which the account delegates to the code."""
    nonce = {
        wallet: int(str(anvil.ask("eth_getTransactionCount", wallet.address, "latest")), 16)
        for wallet in (account, payer)
    }
    signer: Any = account.signer()
    authorization = signer.sign_authorization({"chainId": 31337, "address": code, "nonce": nonce[account]})
    transaction = {
        "type": 4,
        "chainId": 31337,
        "nonce": nonce[payer],
        "to": payer.address,
        "value": 0,
        "gas": 200_000,
        "maxFeePerGas": 10**10,
        "maxPriorityFeePerGas": 1,
        "authorizationList": [authorization],
    }
    raw = Account.sign_transaction(transaction, payer.key).raw_transaction
    await_mined(anvil, anvil.ask("eth_sendRawTransaction", "0x" + raw.hex()))
    assert anvil.ask("eth_getCode", account.address, "latest") == "0xef0100" + code[2:].lower()


def test_a_delegating_account_proves_control_by_its_own_key_and_by_the_one_that_its_code_names(
    anvil: Anvil, contracts: ChainHoldings, payer: Wallet, now: int
) -> None:
    code = deploy(anvil, payer, "KeyDelegate")
    delegate(anvil, ANN, payer, code.address)
    made = asked(ANN.address, now)
    for signature in encodings(sign(ANN, made.digest)).values():
        assert judged(made, signature, contracts).method is Method.SIGNATURE
    assert judged(made, sign(BOB, made.digest), contracts).outcome is ControlOutcome.NOT_PROVEN
    naming = Contract(anvil.endpoint, artefact("KeyDelegate").abi, ANN.address)
    anvil.ask("anvil_impersonateAccount", ANN.address)
    anvil.ask("anvil_setBalance", ANN.address, hex(10**18))
    data = naming.call("name", "setSecondKey", BOB.address).data
    sent = anvil.ask("eth_sendTransaction", {"from": ANN.address, "to": ANN.address, "data": data})
    await_mined(anvil, sent)
    anvil.ask("anvil_stopImpersonatingAccount", ANN.address)
    assert judged(made, sign(BOB, made.digest), contracts).method is Method.CONTRACT


def test_an_eip_7702_account_with_an_always_true_delegate_is_its_keys_and_nobody_elses(
    anvil: Anvil, contracts: ChainHoldings, payer: Wallet, now: int
) -> None:
    delegate(anvil, ANN, payer, deploy(anvil, payer, "HostileWallet", 0).address)
    made = asked(ANN.address, now)
    assert judged(made, sign(ANN, made.digest), contracts).method is Method.SIGNATURE
    for signature in (b"", GARBAGE, GARBAGE[:65], sign(BOB, made.digest)):
        verdict = judged(made, signature, contracts)
        assert verdict.outcome is ControlOutcome.NOT_PROVEN
        assert "says of anything that it signed it" in verdict.reasons[0]


# --- a transaction


def test_a_transaction_to_oneself_proves_control_once_its_block_is_final(
    anvil: Anvil, contracts: ChainHoldings, payer: Wallet, now: int
) -> None:
    made = asked(payer.address, now)
    sent = {"from": payer.address, "to": payer.address, "data": "0x" + made.digest.hex()}
    found = await_mined(anvil, anvil.ask("eth_sendTransaction", sent))
    verdict = verify_transaction(made, found, contracts=contracts)
    assert (verdict.outcome, type(verdict.trouble)) == (ControlOutcome.UNDETERMINED, TransactionPending)
    assert verify_transaction(made, found, contracts=contracts, depth=0).proven
    anvil.mine(100)
    verdict = verify_transaction(made, found, contracts=contracts)
    assert verdict.method is Method.TRANSACTION
    assert isinstance(verdict.block, Block)
    # Somebody else's text, and the same transaction.
    assert not verify_transaction(challenge(payer.address), found, contracts=contracts).proven


def test_a_transaction_that_waits_is_not_known_yet(
    anvil: Anvil, contracts: ChainHoldings, payer: Wallet, now: int
) -> None:
    made = asked(payer.address, now)
    with anvil.one_block():
        found = str(anvil.ask("eth_sendTransaction", {"from": payer.address, "to": payer.address}))
        assert contracts.transaction(found) is None
        assert type(verify_transaction(made, found, contracts=contracts).trouble) is TransactionPending
    known = contracts.transaction(await_mined(anvil, found))
    assert known is not None
    assert (known.sender, known.to, known.wei, known.data) == (payer.address, payer.address, 0, b"")


# --- any contract


def test_a_contract_that_refuses_has_answered(anvil: Anvil, contracts: ChainHoldings, payer: Wallet) -> None:
    wallet, block = deploy(anvil, payer, "Multisig", ADDRESSES, 2), contracts.find("latest")
    keep = bytes.fromhex(wallet.call("keep", "keep", b"\0" * 32).data[2:])
    threshold = bytes.fromhex(wallet.call("ask", "threshold").data[2:])
    here = contracts.find("latest")
    assert contracts.calls([Call(wallet.address, threshold), Call(wallet.address, keep)], here) == [
        (2).to_bytes(32, "big"),
        Reverted(),
    ]
    with pytest.raises(CallReverted):
        contracts.call(wallet.address, keep, here)
    assert contracts.code(wallet.address, here) == artefact("Multisig").runtime
    assert contracts.code(wallet.address, contracts.find(block.number - 1)) == b""


def test_a_contract_that_burns_all_gas_has_answered(anvil: Anvil, contracts: ChainHoldings, payer: Wallet) -> None:
    wallet = deploy(anvil, payer, "HostileWallet", hostile_modes().index("BurnsAllGas"))
    assert contracts.calls([Call(wallet.address, b"")], contracts.find("latest")) == [Reverted()]


def test_a_contract_that_floods_has_not(anvil: Anvil, contracts: ChainHoldings, payer: Wallet) -> None:
    wallet = deploy(anvil, payer, "HostileWallet", hostile_modes().index("Flood"))
    with pytest.raises(AnswerSuspicious):
        contracts.call(wallet.address, b"", contracts.find("latest"))
