// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ShowdownCards} from "../ShowdownCards.sol";
import {CardsFixture} from "./CardsFixture.sol";

/// @dev What a transaction costs, all of it: each call runs as a transaction of its own, on cold storage, with its
/// intrinsic gas. The figures are kept in `snapshots/`, and a change of one fails the test until it is accepted.
/// forge-config: default.isolate = true
contract GasTest is CardsFixture {
    /// @dev EIP-7825: the most gas that one transaction can have.
    uint256 private constant TRANSACTION_LIMIT = 16_777_216;

    /// @dev A whole deck of Celebrity Parody Showdown: 1 Media Tyrant, 10 Influencers, 40 Player cards.
    uint256 private constant DECK = 51;

    uint16 private constant BIG = 200;

    uint256[] private ids = new uint256[](DECK);
    uint256[] private ones = new uint256[](DECK);
    uint32[] private caps = new uint32[](BIG);

    function setUp() public override {
        super.setUp();
        for (uint256 i = 0; i < BIG; ++i) {
            caps[i] = uint32(1_000 + i);
        }
        for (uint256 i = 0; i < DECK; ++i) {
            ids[i] = uint256(BIG) << 16 | i + 1;
            ones[i] = 1;
        }
        vm.startPrank(publisher);
        cards.publish(BIG, ROOT, URI, caps);
        cards.allow(issuer, BIG, type(uint64).max);
        vm.stopPrank();
    }

    function _issueDeck(address to) private {
        vm.prank(issuer);
        cards.issue(to, ids, ones, "");
    }

    function _assertFits(string memory call) private {
        assertLe(vm.snapshotGasLastCall("ShowdownCards", call), TRANSACTION_LIMIT, call);
    }

    function test_deploying_fits_a_transaction() public {
        vm.startSnapshotGas("ShowdownCards", "deploy");
        new ShowdownCards(DELAY, admin);
        assertLe(vm.stopSnapshotGas("ShowdownCards", "deploy"), TRANSACTION_LIMIT);
    }

    function test_publishing_200_cards_fits_a_transaction() public {
        vm.prank(publisher);
        cards.publish(BIG + 1, ROOT, URI, caps);
        _assertFits("publish 200 cards");
    }

    function test_issuing_a_fresh_deck_of_51_fits_a_transaction() public {
        _issueDeck(ann);
        _assertFits("issue 51 fresh ids");
    }

    function test_sending_a_deck_of_51_fits_a_transaction() public {
        _issueDeck(ann);
        vm.prank(ann);
        cards.safeBatchTransferFrom(ann, bob, ids, ones, "");
        _assertFits("send 51 ids to a new holder");
    }

    function test_burning_a_deck_of_51_fits_a_transaction() public {
        _issueDeck(ann);
        vm.prank(ann);
        cards.burnBatch(ann, ids, ones);
        _assertFits("burn 51 ids");
    }

    function test_issuing_one_card_is_cheap() public {
        vm.prank(issuer);
        cards.issue(ann, _list(TEN), _list(1), "");
        _assertFits("issue 1 fresh id");
    }

    function test_sending_one_card_is_cheap() public {
        _issueDeck(ann);
        vm.prank(ann);
        cards.safeTransferFrom(ann, bob, ids[0], 1, "");
        _assertFits("send 1 id to a new holder");
    }

    function test_asking_for_the_balances_of_a_deck_fits_any_node() public {
        _issueDeck(ann);
        address[] memory holders = new address[](DECK);
        for (uint256 i = 0; i < DECK; ++i) {
            holders[i] = ann;
        }
        uint256[] memory balances = cards.balanceOfBatch(holders, ids);
        _assertFits("balanceOfBatch of 51 ids");
        assertEq(balances, ones);
    }

    function test_adding_up_200_runs_fits_any_node() public {
        cards.totals(BIG);
        _assertFits("totals of 200 cards");
    }
}
