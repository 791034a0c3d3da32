"""Contract wallets, delegating accounts and vaults of players, in an event on a real chain."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from collection.anvil import Anvil
from collection.practice import PracticeCollection
from collection.transactions import Contract, Sender
from collection.wallets import Wallet
from tests.tournament.linking import give, link, name_vault, text_for, wallets_of
from tests.tournament.owning import World
from tests.verifier.signing import ANN, BOB, CARL, artefact, deploy, key_of, sign, wrapped
from tests.verifier.test_control_on_anvil import await_mined, delegate
from tournament.database import Database
from tournament.errors import ControlUnproven, VaultSilent
from tournament.service import entries
from tournament.service.nodes import Nodes
from verifier.addresses import to_checksum
from verifier.chain import Collection
from verifier.control import Challenge
from verifier.delegation import REGISTRY, Level
from verifier.holdings import Address

pytestmark = pytest.mark.chain

OWNERS = tuple(sorted((ANN, BOB, CARL), key=lambda wallet: int(wallet.address, 16)))
ADDRESSES = [owner.address for owner in OWNERS]
SALT = b"\7" * 32


@pytest.fixture
def world(anvil: Anvil, collection: PracticeCollection, embedded: Database) -> World:
    address = collection.deployment.address
    nodes = Nodes([anvil.endpoint], Collection(None, address), stale_after=None)
    chain = SimpleNamespace(collection=address, chain_id=anvil.chain_id)
    world = World(embedded, chain, None, nodes)  # type: ignore[arg-type]
    head: Any = anvil.ask("eth_getBlockByNumber", "latest", False)  # noqa: FBT003 - JSON-RPC knows no names
    world.now = datetime.fromtimestamp(int(head["timestamp"], 16) + 1, UTC)
    return world.announce(starts_at=(world.now + timedelta(hours=2)).isoformat(), block_depth=1)


def enter(world: World) -> int:
    number: int = world.do(entries.ADD, entries.Add(name="somebody")).entry
    return number


def by(challenge: Challenge, *owners: Wallet) -> bytes:
    return b"".join(sign(owner, challenge.digest) for owner in owners)


def answered(challenge: Challenge, signature: bytes) -> dict[str, str]:
    return {"nonce": challenge.nonce, "signature": "0x" + signature.hex()}


def test_a_2_of_3_multisig_is_linked_by_two_of_its_owners(
    world: World, anvil: Anvil, funded_wallets: tuple[Wallet, ...]
) -> None:
    number, safe = enter(world), deploy(anvil, funded_wallets[0], "Multisig", ADDRESSES, 2)
    challenge = text_for(world, number, safe.address)
    for signature in (by(challenge, OWNERS[0]), by(challenge, OWNERS[0], key_of("x")), b"\xde" * 130):
        with pytest.raises(ControlUnproven):
            give(world, number, answered(challenge, signature))
    assert give(world, number, answered(challenge, by(challenge, *OWNERS[1:]))).method == "contract"
    assert [one.address for one in wallets_of(world)] == [safe.address]


def test_a_wallet_that_is_not_deployed_yet_is_linked_and_with_a_garbage_inner_signature_it_is_not(
    world: World, anvil: Anvil, funded_wallets: tuple[Wallet, ...]
) -> None:
    number, factory = enter(world), deploy(anvil, funded_wallets[0], "MultisigFactory")
    address = to_checksum(bytes.fromhex(factory.ask("addressOf", ADDRESSES, 2, SALT)[2:]))
    deployment = bytes.fromhex(factory.call("deploy", "deploy", ADDRESSES, 2, SALT).data[2:])
    challenge = text_for(world, number, address)
    with pytest.raises(ControlUnproven):
        give(world, number, answered(challenge, wrapped(factory.address, deployment, b"\xde\xad" * 40)))
    good = wrapped(factory.address, deployment, by(challenge, *OWNERS[:2]))
    assert give(world, number, answered(challenge, good)).method == "counterfactual"
    assert anvil.ask("eth_getCode", address, "latest") == "0x"


def test_an_eip_7702_account_with_an_always_true_delegate_is_linked_by_its_key_and_by_nobody_else(
    world: World, anvil: Anvil, funded_wallets: tuple[Wallet, ...]
) -> None:
    number, payer = enter(world), funded_wallets[0]
    delegate(anvil, ANN, payer, deploy(anvil, payer, "HostileWallet", 0).address)
    challenge = text_for(world, number, ANN.address)
    for signature in (b"", b"\xde\xad" * 32, by(challenge, BOB)):
        with pytest.raises(ControlUnproven, match="says of anything that it signed it"):
            give(world, number, answered(challenge, signature))
    assert give(world, number, answered(challenge, by(challenge, ANN))).method == "signature"


def test_a_transaction_to_itself_links_a_wallet(world: World, anvil: Anvil, funded_wallets: tuple[Wallet, ...]) -> None:
    number, payer = enter(world), funded_wallets[0]
    challenge = text_for(world, number, payer.address)
    sent = {"from": payer.address, "to": payer.address, "data": "0x" + challenge.digest.hex()}
    found = await_mined(anvil, anvil.ask("eth_sendTransaction", sent))
    anvil.mine(2)
    assert give(world, number, {"nonce": challenge.nonce, "transaction": found}).method == "transaction"


def test_a_vault_is_named_while_it_delegates_and_not_once_that_is_revoked(
    world: World, anvil: Anvil, funded_wallets: tuple[Wallet, ...]
) -> None:
    vault, second = funded_wallets[:2]
    anvil.ask("anvil_setCode", REGISTRY, "0x" + artefact("PracticeRegistry").runtime.hex())
    registry = Contract(anvil.endpoint, artefact("PracticeRegistry").abi, REGISTRY)

    def say(by_whom: Wallet, to: Address, *, enable: bool) -> None:
        call = registry.call("delegate", "delegateContract", to, world.chain.collection, b"\0" * 32, enable)
        Sender(anvil.endpoint, by_whom.signer()).transact([call])

    number = enter(world)
    own = link(world, number, ANN)
    with pytest.raises(VaultSilent):
        name_vault(world, number, vault.address)
    say(vault, ANN.address, enable=True)
    fact = name_vault(world, number, vault.address)
    assert (fact.level, fact.vouches_for) == (Level.COLLECTION, own.commitment)
    say(second, ANN.address, enable=True)
    say(second, ANN.address, enable=False)
    with pytest.raises(VaultSilent):
        name_vault(world, number, second.address)
