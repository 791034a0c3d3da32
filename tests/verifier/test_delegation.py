"""A vault that vouches for a wallet: levels and rights, on a real chain, and what a registry may not answer."""

from typing import Any

import pytest
from eth_hash.auto import keccak

from collection.anvil import Anvil
from collection.practice import PracticeCollection
from collection.transactions import Contract, Sender
from collection.wallets import Wallet
from tests.verifier.signing import artefact, deploy
from verifier.addresses import to_checksum
from verifier.chain import ChainHoldings, Collection
from verifier.contracts import Answer, MemoryContracts, Reverted
from verifier.delegation import (
    CHECK_ALL,
    CHECK_CONTRACT,
    CHECK_ERC1155,
    REGISTRY,
    RIGHTS,
    Authority,
    Delegation,
    Level,
    Registry,
    read_authorities,
)
from verifier.errors import AnswerSuspicious, CodeChanged, NoContract
from verifier.holdings import Address, Ask, Block, BlockHash, TokenId

CARDS, OTHERS = (to_checksum(bytes([number]) * 20) for number in (0xCA, 0x0C))
FRUMP, WEST = TokenId(1 << 16 | 1), TokenId(1 << 16 | 2)
GRANTED, REVOKED = True, False
UNLIMITED = b"\0" * 32
ELSEWHERE = b"elsewhere".ljust(32, b"\0")


def test_the_registry_is_asked_by_the_names_of_its_interface() -> None:
    names = (
        "checkDelegateForAll(address,address,bytes32)",
        "checkDelegateForContract(address,address,address,bytes32)",
        "checkDelegateForERC1155(address,address,address,uint256,bytes32)",
    )
    assert [keccak(name.encode())[:4] for name in names] == [CHECK_ALL, CHECK_CONTRACT, CHECK_ERC1155]


# --- on a real chain


class Vaults:
    """A registry on Anvil, and whoever delegates in it."""

    def __init__(self, anvil: Anvil, wallets: tuple[Wallet, ...]) -> None:
        self.vault, self.wallet, self.other = wallets[:3]
        self.anvil = anvil
        self.registry = deploy(anvil, self.vault, "PracticeRegistry")
        self.chain = ChainHoldings([anvil.endpoint], Collection(31337, CARDS))

    def delegate(self, function: str, *arguments: object, by: Wallet | None = None) -> None:
        sender = Sender(self.anvil.endpoint, (by or self.vault).signer())
        sender.transact([self.registry.call("delegate", function, *arguments)])

    def authority(
        self, *, wallet: Wallet | None = None, vault: Wallet | None = None, block: Block | None = None
    ) -> Authority:
        asked = Delegation((vault or self.vault).address, (wallet or self.wallet).address, (FRUMP, WEST))
        [found] = read_authorities(
            [asked],
            self.chain,
            block or self.chain.find("latest"),
            collection=CARDS,
            registry=Registry(self.registry.address),
        )
        return found


@pytest.fixture
def vaults(anvil: Anvil, funded_wallets: tuple[Wallet, ...]) -> Vaults:
    return Vaults(anvil, funded_wallets)


@pytest.mark.chain
@pytest.mark.parametrize("rights", [UNLIMITED, RIGHTS])
def test_a_vault_vouches_for_all_that_it_has(vaults: Vaults, rights: bytes) -> None:
    assert vaults.authority().level is None
    vaults.delegate("delegateAll", vaults.wallet.address, rights, GRANTED)
    found = vaults.authority()
    assert (found.level, found.most(FRUMP)) == (Level.VAULT, None)


@pytest.mark.chain
@pytest.mark.parametrize("rights", [UNLIMITED, RIGHTS])
def test_a_vault_vouches_for_its_cards_of_a_collection(vaults: Vaults, rights: bytes) -> None:
    vaults.delegate("delegateContract", vaults.wallet.address, CARDS, rights, GRANTED)
    found = vaults.authority()
    assert (found.level, found.most(WEST)) == (Level.COLLECTION, None)


@pytest.mark.chain
def test_a_vault_vouches_for_so_many_units_of_a_token_id(vaults: Vaults) -> None:
    vaults.delegate("delegateERC1155", vaults.wallet.address, CARDS, FRUMP, RIGHTS, 2)
    found = vaults.authority()
    assert (found.level, found.units) == (Level.TOKENS, {FRUMP: 2})
    assert (found.most(FRUMP), found.most(WEST)) == (2, 0)


@pytest.mark.chain
def test_a_delegation_of_the_wrong_scope_allows_nothing(vaults: Vaults) -> None:
    vaults.delegate("delegateContract", vaults.wallet.address, OTHERS, UNLIMITED, GRANTED)
    vaults.delegate("delegateERC1155", vaults.wallet.address, OTHERS, FRUMP, UNLIMITED, 3)
    vaults.delegate("delegateERC1155", vaults.wallet.address, CARDS, TokenId(9), UNLIMITED, 3)
    for function, scope in (("delegateAll", ()), ("delegateContract", (CARDS,))):
        vaults.delegate(function, vaults.wallet.address, *scope, ELSEWHERE, GRANTED)
    found = vaults.authority()
    assert (found.level, found.units, found.most(FRUMP)) == (None, {}, 0)


@pytest.mark.chain
def test_a_delegation_by_a_non_owner_allows_nothing_of_the_vault(vaults: Vaults) -> None:
    # Somebody else delegates what is theirs; and the wallet vouches for the vault, the wrong way round.
    vaults.delegate("delegateAll", vaults.wallet.address, UNLIMITED, GRANTED, by=vaults.other)
    vaults.delegate("delegateAll", vaults.vault.address, UNLIMITED, GRANTED, by=vaults.wallet)
    assert vaults.authority().level is None
    assert vaults.authority(vault=vaults.other).level is Level.VAULT


@pytest.mark.chain
def test_a_delegation_that_was_revoked_allows_nothing_from_that_block_on(vaults: Vaults) -> None:
    vaults.delegate("delegateAll", vaults.wallet.address, UNLIMITED, GRANTED)
    then = vaults.chain.find("latest")
    vaults.delegate("delegateAll", vaults.wallet.address, UNLIMITED, REVOKED)
    assert vaults.authority().level is None
    assert vaults.authority(block=then).level is Level.VAULT


@pytest.mark.chain
def test_two_delegates_of_one_vault_are_both_authorised_and_both_charge_the_vault(vaults: Vaults) -> None:
    # The registry never looks at holdings. So it is the vault's row that is charged, and the vault serves one entry.
    for wallet in (vaults.wallet, vaults.other):
        vaults.delegate("delegateContract", wallet.address, CARDS, RIGHTS, GRANTED)
    found = [vaults.authority(wallet=wallet) for wallet in (vaults.wallet, vaults.other)]
    assert [each.level for each in found] == [Level.COLLECTION] * 2
    assert {each.delegation.vault for each in found} == {vaults.vault.address}


@pytest.mark.chain
def test_a_multisig_is_a_vault_too(vaults: Vaults, collection: PracticeCollection) -> None:
    owner, cards = vaults.vault, collection.deployment.address
    safe = deploy(vaults.anvil, owner, "Multisig", [owner.address], 1)
    collection.issue(safe.address, {1: 2})
    delegating = vaults.registry.call("delegate", "delegateContract", vaults.wallet.address, cards, RIGHTS, GRANTED)
    acting = safe.call("act", "act", vaults.registry.address, bytes.fromhex(delegating.data[2:]))
    Sender(vaults.anvil.endpoint, owner.signer()).transact([acting])
    chain = collection.holdings()
    block = chain.pin("latest")
    registry = Registry(vaults.registry.address, "0x" + keccak(artefact("PracticeRegistry").runtime).hex())
    asked = Delegation(safe.address, vaults.wallet.address)
    [found] = read_authorities([asked], chain, block, collection=cards, registry=registry)
    assert found.level is Level.COLLECTION
    assert chain.read([Ask(found.delegation.vault, (FRUMP,))], block) == [(2,)]


@pytest.mark.chain
def test_many_delegations_are_read_at_one_block_in_their_order(vaults: Vaults) -> None:
    vaults.delegate("delegateAll", vaults.wallet.address, UNLIMITED, GRANTED, by=vaults.other)
    vaults.delegate("delegateERC1155", vaults.wallet.address, CARDS, WEST, RIGHTS, 1)
    block = vaults.chain.find("latest")
    asked = [
        Delegation(vault.address, wallet.address, (FRUMP, WEST))
        for vault in (vaults.vault, vaults.other, vaults.wallet)
        for wallet in (vaults.wallet, vaults.other)
    ]
    found = read_authorities(asked, vaults.chain, block, collection=CARDS, registry=Registry(vaults.registry.address))
    assert [each.delegation for each in found] == asked
    assert [each.level for each in found] == [Level.TOKENS, None, Level.VAULT, None, None, None]
    assert {each.block for each in found} == {block}


@pytest.mark.chain
def test_a_registry_with_other_code_is_not_believed(vaults: Vaults) -> None:
    impostor: Contract = deploy(vaults.anvil, vaults.other, "HostileWallet", 5)
    registry = Registry(impostor.address, "0x" + keccak(artefact("PracticeRegistry").runtime).hex())
    asked = Delegation(vaults.vault.address, vaults.wallet.address)
    with pytest.raises(CodeChanged):
        read_authorities([asked], vaults.chain, vaults.chain.find("latest"), collection=CARDS, registry=registry)


# --- what a registry may not answer

BLOCK = Block(7, BlockHash("0x" + "b" * 64), 1)
ASKED = Delegation(Address(OTHERS), Address(CARDS), (FRUMP,))


class Says(MemoryContracts):
    """A registry that says the same to everything."""

    answer: Answer

    def calls(self, calls: Any, block: Block) -> list[Answer]:  # noqa: ARG002 - named so by the protocol
        return [self.answer for _ in calls]


def read(answer: Answer, code: bytes = b"\1") -> list[Authority]:
    registry = Says(1, BLOCK, codes={REGISTRY: code})
    registry.answer = answer
    return read_authorities([ASKED], registry, BLOCK, collection=CARDS)


def test_a_chain_without_a_registry_concludes_nothing() -> None:
    with pytest.raises(NoContract):
        read((1).to_bytes(32, "big"), code=b"")


@pytest.mark.parametrize(
    "answer", [b"", b"\1", bytes(31), bytes(64), (2).to_bytes(32, "big"), b"\xff" * 32, Reverted()]
)
def test_an_answer_that_no_registry_gives_is_suspicious(answer: Answer) -> None:
    with pytest.raises(AnswerSuspicious):
        read(answer)


def test_a_plain_answer_is_believed() -> None:
    assert [each.level for each in read((1).to_bytes(32, "big"))] == [Level.VAULT]
    assert [each.level for each in read(bytes(32))] == [None]


def test_nothing_is_asked_where_nothing_was_delegated() -> None:
    assert read_authorities([], MemoryContracts(1, BLOCK), BLOCK, collection=CARDS) == []
