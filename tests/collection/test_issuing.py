"""Deploying, publishing and issuing on a real chain: what the contract refuses, and how that is said."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from eth_hash.auto import keccak

from collection.anvil import Anvil
from collection.artefact import showdown_cards
from collection.errors import (
    AdminDelayTooShort,
    ContractRefused,
    PublishedOtherwise,
    RolesNotGrantable,
    RunMissing,
    SetHasGaps,
    StaffNotAppointed,
    TransactionTooLarge,
)
from collection.issuing import (
    Parcel,
    Staff,
    allow,
    deploy,
    issue,
    publish,
    standing,
)
from collection.practice import RUN, URI, PracticeCollection
from collection.transactions import GAS_CAP, Sender
from collection.wallets import Wallet
from games.cards import Card, CardSet, Printing
from games.metadata import set_root
from verifier.check import Claim, Outcome, check_deck
from verifier.errors import CodeChanged, NoContract, WrongChain
from verifier.holdings import Address, TokenId
from verifier.rpc import Endpoint
from verifier.testkit import LyingNode, Question, Relay, lies

pytestmark = pytest.mark.chain

Wallets = tuple[Wallet, ...]
CARD_1 = TokenId(1 << 16 | 1)
SOULBOUND_1 = TokenId(1 << 32 | CARD_1)


def a_set(cards: int, number: int = 2) -> CardSet:
    printings = (Printing(Card(f"Extra {n}", "Influencer"), number, "BIG", n) for n in range(1, cards + 1))
    return CardSet("practice", number, "BIG", "Crowd", tuple(printings))


def runs(card_set: CardSet, copies: int = 1_000) -> dict[int, int]:
    return {printing.number: copies for printing in card_set.printings}


def balance(collection: PracticeCollection, wallet: Wallet, token_id: int) -> int:
    found: int = standing(collection.sender(wallet), collection.deployment).ask("balanceOf", wallet.address, token_id)
    return found


# --- deploying


def test_a_deployment_says_where_the_collection_stands(anvil: Anvil, funded_wallets: Wallets) -> None:
    sender = Sender(anvil.endpoint, funded_wallets[0].signer())
    deployment = deploy(sender)
    assert deployment.chain_id == anvil.chain_id
    assert hex(deployment.block) == anvil.ask("eth_blockNumber")
    assert deployment.code_hash == showdown_cards().code_hash
    assert standing(sender, deployment).ask("defaultAdmin") == sender.address


def test_the_admin_may_be_somebody_else_than_who_pays(anvil: Anvil, funded_wallets: Wallets) -> None:
    payer, admin, *_ = funded_wallets
    sender = Sender(anvil.endpoint, payer.signer())
    cards = standing(sender, deploy(sender, admin=admin.address))
    assert cards.ask("defaultAdmin") == admin.address
    assert cards.ask("defaultAdminDelay") == 2 * 24 * 60 * 60


def test_staff_gets_the_roles_and_nobody_else_does(collection: PracticeCollection) -> None:
    cards = standing(collection.sender(collection.admin), collection.deployment)
    staff = (collection.admin, collection.publisher, collection.issuer, collection.pauser)
    held = {
        role: [wallet.address for wallet in staff if cards.ask("hasRole", keccak(role.encode()), wallet.address)]
        for role in ("PUBLISHER_ROLE", "ISSUER_ROLE", "PAUSER_ROLE")
    }
    assert held == {
        "PUBLISHER_ROLE": [collection.publisher.address],
        "ISSUER_ROLE": [collection.issuer.address],
        "PAUSER_ROLE": [collection.pauser.address],
    }


def test_who_does_not_become_admin_cannot_appoint_and_nothing_is_deployed(
    anvil: Anvil, funded_wallets: Wallets
) -> None:
    payer, admin, *_ = funded_wallets
    before = anvil.ask("eth_blockNumber")
    with pytest.raises(RolesNotGrantable, match="only the admin appoints"):
        deploy(Sender(anvil.endpoint, payer.signer()), admin=admin.address, staff=Staff(issuer=payer.address))
    assert anvil.ask("eth_blockNumber") == before


def test_a_deployment_whose_staff_could_not_be_appointed_is_not_lost(anvil: Anvil, funded_wallets: Wallets) -> None:
    def appointing(question: Question) -> bool:
        return question.method == "eth_estimateGas" and "to" in question.params[0]

    ann = funded_wallets[0]
    with LyingNode(Relay(anvil.url)) as node:
        node.tell(lies.only(lies.shows_a_page(403), appointing))
        with pytest.raises(StaffNotAppointed, match=r"HTTP 403.*; deploy no other") as refused:
            deploy(Sender(Endpoint(node.url), ann.signer()), staff=Staff(issuer=ann.address))
    assert anvil.ask("eth_getCode", refused.value.address, "latest") != "0x"


def test_on_a_public_chain_the_admins_role_takes_a_day_to_hand_over(anvil: Anvil, funded_wallets: Wallets) -> None:
    sender = Sender(anvil.endpoint, funded_wallets[0].signer())
    sender.chain_id = 1
    with pytest.raises(AdminDelayTooShort, match="at least 86400 seconds"):
        deploy(sender, admin_delay=60)


# --- the right collection


def test_a_deployment_on_another_chain_is_refused(collection: PracticeCollection) -> None:
    with pytest.raises(WrongChain, match="use an endpoint of chain 5"):
        standing(collection.sender(collection.issuer), replace(collection.deployment, chain_id=5))


def test_an_address_without_a_contract_is_refused(collection: PracticeCollection, funded_wallets: Wallets) -> None:
    elsewhere = replace(collection.deployment, address=funded_wallets[0].address)
    with pytest.raises(NoContract):
        standing(collection.sender(collection.issuer), elsewhere)


def test_an_address_with_other_code_is_refused(collection: PracticeCollection) -> None:
    collection.anvil.ask("anvil_setCode", collection.deployment.address, "0x6000")
    with pytest.raises(CodeChanged):
        standing(collection.sender(collection.issuer), collection.deployment)


# --- publishing


def test_a_published_set_has_its_root_its_runs_and_its_uri(collection: PracticeCollection) -> None:
    sender, card_set = collection.sender(collection.publisher), a_set(3)
    publication = publish(sender, collection.deployment, card_set, uri="ipfs://x/{id}", runs={1: 10, 2: 20, 3: 30})
    cards = standing(sender, collection.deployment)
    assert publication.receipt is not None
    assert publication.root == cards.ask("rootOf", 2) == set_root(card_set)
    assert [cards.ask("run", 2 << 16 | number)[0] for number in (1, 2, 3)] == [10, 20, 30]
    assert cards.ask("uri", 2 << 16 | 1) == "ipfs://x/{id}"


def test_publishing_the_same_again_finds_it_done(collection: PracticeCollection) -> None:
    before = collection.anvil.ask("eth_blockNumber")
    sender, card_set = collection.sender(collection.publisher), collection.card_set
    again = publish(sender, collection.deployment, card_set, uri=URI, runs=runs(card_set, RUN))
    assert again.receipt is None
    assert collection.anvil.ask("eth_blockNumber") == before


def test_who_only_looks_whether_a_set_is_published_needs_no_role(
    collection: PracticeCollection, funded_wallets: Wallets
) -> None:
    sender, card_set = collection.sender(funded_wallets[0]), collection.card_set
    assert publish(sender, collection.deployment, card_set, uri=URI, runs=runs(card_set, RUN)).receipt is None


def renamed(card_set: CardSet) -> CardSet:
    return replace(card_set, name="Practice, second edition")


def shorter(card_set: CardSet) -> CardSet:
    return replace(card_set, printings=card_set.printings[:-1])


@pytest.mark.parametrize(
    ("change", "uri", "copies", "difference"),
    [
        (renamed, URI, RUN, "its cards say something else"),
        (shorter, URI, RUN, "its cards are 8, not 7"),
        (lambda same: same, "ipfs://other/{id}", RUN, "its metadata is at https://cards.example"),
        (lambda same: same, URI, RUN + 1, "the run of token id 65537 is 100, not 101"),
    ],
)
def test_another_set_under_a_number_in_use_is_refused_with_what_differs(
    collection: PracticeCollection, change: Callable[[CardSet], CardSet], uri: str, copies: int, difference: str
) -> None:
    other = change(collection.card_set)
    with pytest.raises(PublishedOtherwise, match=difference):
        publish(
            collection.sender(collection.publisher), collection.deployment, other, uri=uri, runs=runs(other, copies)
        )


def test_of_many_differences_the_first_three_are_told_and_how_many_more(collection: PracticeCollection) -> None:
    card_set = collection.card_set
    with pytest.raises(PublishedOtherwise) as refused:
        publish(
            collection.sender(collection.publisher),
            collection.deployment,
            card_set,
            uri=URI,
            runs=runs(card_set, RUN + 1),
        )
    assert len(refused.value.differences) == 8
    assert "the run of token id 65539 is 100, not 101; and 5 more; a set is" in str(refused.value)
    assert "65540" not in str(refused.value)


def test_of_many_cards_without_a_run_the_first_three_are_told_and_how_many_more(collection: PracticeCollection) -> None:
    with pytest.raises(RunMissing, match="for BIG 1, BIG 2, BIG 3, and 195 more; a run"):
        publish(collection.sender(collection.publisher), collection.deployment, a_set(198), uri=URI, runs={})


def test_a_set_with_a_gap_in_its_numbers_is_refused(collection: PracticeCollection) -> None:
    gap = replace(a_set(5), printings=(a_set(5).printings[0], *a_set(5).printings[3:]))
    with pytest.raises(SetHasGaps, match="has no card 2, 3"):
        publish(collection.sender(collection.publisher), collection.deployment, gap, uri=URI, runs=runs(gap))


@pytest.mark.parametrize("copies", [{1: 1}, {1: 1, 2: 0}, {1: 1, 2: 2**32}])
def test_a_card_without_a_print_run_is_refused(collection: PracticeCollection, copies: dict[int, int]) -> None:
    with pytest.raises(RunMissing, match="a print run for BIG 2"):
        publish(collection.sender(collection.publisher), collection.deployment, a_set(2), uri=URI, runs=copies)


def test_a_set_too_large_for_one_transaction_is_refused_before_it_is_sent(collection: PracticeCollection) -> None:
    card_set = a_set(900)
    before = collection.anvil.ask("eth_blockNumber")
    with pytest.raises(TransactionTooLarge, match=r"to publish set 2 takes \d+ gas, .* 16777216"):
        publish(collection.sender(collection.publisher), collection.deployment, card_set, uri=URI, runs=runs(card_set))
    assert collection.anvil.ask("eth_blockNumber") == before


def test_only_the_publisher_publishes(collection: PracticeCollection, funded_wallets: Wallets) -> None:
    stranger = collection.sender(funded_wallets[0])
    with pytest.raises(ContractRefused, match=f"{stranger.address} is not publisher; the admin appoints who is"):
        publish(stranger, collection.deployment, a_set(1), uri=URI, runs={1: 1})


def test_only_the_publisher_allows(collection: PracticeCollection, funded_wallets: Wallets) -> None:
    stranger = collection.sender(funded_wallets[0])
    with pytest.raises(ContractRefused, match=f"{stranger.address} is not publisher; the admin appoints who is"):
        allow(stranger, collection.deployment, stranger.address, 1, 5)


# --- issuing


def test_issued_copies_are_in_the_wallet(collection: PracticeCollection, funded_wallets: Wallets) -> None:
    ann, *_ = funded_wallets
    sender = collection.sender(collection.issuer)
    issue(sender, collection.deployment, [Parcel(ann.address, {CARD_1: 3, SOULBOUND_1: 2})])
    assert (balance(collection, ann, CARD_1), balance(collection, ann, SOULBOUND_1)) == (3, 2)


def test_the_verifier_finds_covered_what_was_issued(collection: PracticeCollection, funded_wallets: Wallets) -> None:
    ann, bob, *_ = funded_wallets
    collection.issue(ann.address, {1: 2, 5: 1})
    needs = (collection.need(1, 2), collection.need(5))
    verdicts = [check_deck(Claim((wallet.address,), needs), collection.holdings()) for wallet in (ann, bob)]
    assert [verdict.outcome for verdict in verdicts] == [Outcome.COVERED, Outcome.SHORT]


def refusal_of(collection: PracticeCollection, wallet: Wallet, copies: dict[TokenId, int]) -> ContractRefused:
    ann = Address("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
    with pytest.raises(ContractRefused) as refused:
        issue(collection.sender(wallet), collection.deployment, [Parcel(ann, copies)])
    return refused.value


def test_issuing_beyond_the_run_is_refused(collection: PracticeCollection, funded_wallets: Wallets) -> None:
    collection.issue(funded_wallets[0].address, {1: 99})
    refused = refusal_of(collection, collection.issuer, {CARD_1: 2})
    assert refused.sentence == (
        "card 1 of set 1 (token id 65537) has 1 copy left in its print run, and 2 were asked for"
    )
    assert refused.fields == {"id": 65537, "asked": 2, "left": 1}


def test_soulbound_copies_count_against_the_same_run(collection: PracticeCollection) -> None:
    assert refusal_of(collection, collection.issuer, {CARD_1: 60, SOULBOUND_1: 41}).name == "RunExhausted"


def test_issuing_beyond_the_allowance_is_refused(collection: PracticeCollection) -> None:
    allow(collection.sender(collection.publisher), collection.deployment, collection.issuer.address, 1, 4)
    assert refusal_of(collection, collection.issuer, {CARD_1: 5}).sentence == (
        f"the issuer {collection.issuer.address} may issue 4 copies more of set 1, and 5 were asked for; "
        "the publisher can allow more"
    )


def test_issuing_by_a_stranger_is_refused(collection: PracticeCollection, funded_wallets: Wallets) -> None:
    stranger = funded_wallets[0]
    refused = refusal_of(collection, stranger, {CARD_1: 1})
    assert str(refused) == (
        "the contract refused to issue 1 copy to 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed: "
        f"{stranger.address} is not issuer; the admin appoints who is (AccessControlUnauthorizedAccount)"
    )


def test_issuing_while_paused_is_refused(collection: PracticeCollection) -> None:
    pauser = collection.sender(collection.pauser)
    pauser.transact([standing(pauser, collection.deployment).call("pause issuing", "pause")])
    assert refusal_of(collection, collection.issuer, {CARD_1: 1}).sentence == (
        "issuing is paused; the admin can let it go on"
    )


def test_issuing_a_card_that_was_not_published_is_refused(collection: PracticeCollection) -> None:
    assert refusal_of(collection, collection.issuer, {TokenId(9 << 16 | 4): 1}).sentence == (
        "card 4 of set 9 (token id 589828) was not published"
    )


def test_issuing_no_copies_is_refused(collection: PracticeCollection) -> None:
    assert "no copies of card 1 of set 1" in refusal_of(collection, collection.issuer, {CARD_1: 0}).sentence


def test_issuing_to_a_contract_that_takes_no_cards_is_refused(collection: PracticeCollection) -> None:
    itself = collection.deployment.address
    with pytest.raises(ContractRefused, match="does not accept ERC-1155 tokens"):
        collection.issue(itself, {1: 1})


def test_a_parcel_that_would_be_refused_stops_all_before_any_is_sent(
    collection: PracticeCollection, funded_wallets: Wallets
) -> None:
    ann, bob, *_ = funded_wallets
    before = collection.anvil.ask("eth_blockNumber")
    parcels = [Parcel(ann.address, {CARD_1: 1}), Parcel(bob.address, {CARD_1: RUN + 1})]
    with pytest.raises(ContractRefused, match="RunExhausted"):
        issue(collection.sender(collection.issuer), collection.deployment, parcels)
    assert collection.anvil.ask("eth_blockNumber") == before


def test_parcels_that_exhaust_a_run_between_them_fail_by_name_and_the_others_arrive(
    collection: PracticeCollection, funded_wallets: Wallets
) -> None:
    ann, bob, cat, *_ = funded_wallets
    parcels = [
        Parcel(ann.address, {CARD_1: 60}),
        Parcel(bob.address, {CARD_1: 60}),
        Parcel(cat.address, {CARD_1: 40}),
    ]
    # The reason is asked for after the fact: 0 are left once the block is whole, 40 were left if Anvil took them apart.
    with pytest.raises(
        ContractRefused, match=f"refused to issue 60 copies to {bob.address}: .* has (0|40) copies left"
    ):
        issue(collection.sender(collection.issuer), collection.deployment, parcels)
    assert [balance(collection, wallet, CARD_1) for wallet in (ann, bob, cat)] == [60, 0, 40]


def large_set(collection: PracticeCollection, cards: int) -> CardSet:
    """A published set that the issuer may issue whole."""
    sender, card_set = collection.sender(collection.publisher), a_set(cards)
    publish(sender, collection.deployment, card_set, uri=URI, runs=runs(card_set))
    allow(sender, collection.deployment, collection.issuer.address, 2, 1_000 * cards)
    return card_set


def test_three_hundred_wallets_are_served_and_no_transaction_is_too_large(collection: PracticeCollection) -> None:
    card_set = large_set(collection, 10)
    copies = {TokenId(printing.token_id): 1 for printing in card_set.printings}
    parcels = [Parcel(Address(f"0x{number:040d}"), copies) for number in range(1, 301)]
    receipts = issue(collection.sender(collection.issuer), collection.deployment, parcels)
    assert len(receipts) == 300
    assert max(receipt.gas_used for receipt in receipts) < GAS_CAP
    totals = standing(collection.sender(collection.issuer), collection.deployment).ask("totals", 2)
    assert totals[2] == 300 * 10


def test_more_cards_than_fit_a_transaction_are_issued_in_several(
    collection: PracticeCollection, funded_wallets: Wallets
) -> None:
    card_set = large_set(collection, 500)
    copies = {TokenId(printing.token_id): 2 for printing in card_set.printings}
    parcel = Parcel(funded_wallets[0].address, copies)
    receipts = issue(collection.sender(collection.issuer), collection.deployment, [parcel])
    assert len(receipts) == 2
    assert max(receipt.gas_used for receipt in receipts) * 6 // 5 < GAS_CAP
    totals = standing(collection.sender(collection.issuer), collection.deployment).ask("totals", 2)
    assert totals[2] == 1_000


def test_no_parcels_are_no_transactions(collection: PracticeCollection, funded_wallets: Wallets) -> None:
    sender = collection.sender(collection.issuer)
    assert issue(sender, collection.deployment, []) == []
    assert issue(sender, collection.deployment, [Parcel(funded_wallets[0].address, {})]) == []
