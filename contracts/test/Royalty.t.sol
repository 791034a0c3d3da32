// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";

import {IShowdownCards} from "../IShowdownCards.sol";
import {CardsFixture} from "./CardsFixture.sol";

contract RoyaltyTest is CardsFixture {
    function _setRoyalty(address receiver, uint96 basisPoints) private {
        vm.prank(admin);
        cards.setRoyalty(receiver, basisPoints);
    }

    function _assertRoyalty(uint256 id, uint256 price, address receiver, uint256 amount) private view {
        (address asked, uint256 due) = cards.royaltyInfo(id, price);
        assertEq(asked, receiver);
        assertEq(due, amount);
    }

    function test_no_royalty_is_asked_at_first() public view {
        _assertRoyalty(TEN, 1 ether, address(0), 0);
    }

    function test_a_royalty_is_in_hundredths_of_a_percent() public {
        _setRoyalty(bob, 250);
        _assertRoyalty(TEN, 1_000_000, bob, 25_000);
    }

    function test_a_royalty_is_the_same_for_every_card() public {
        _setRoyalty(bob, 250);
        _assertRoyalty(UNIQUE, 1_000_000, bob, 25_000);
        _assertRoyalty(COMMON_SOULBOUND, 1_000_000, bob, 25_000);
    }

    function test_a_royalty_of_ten_percent_is_the_highest() public {
        assertEq(cards.MAX_ROYALTY(), 1_000);
        _setRoyalty(bob, 1_000);
        _assertRoyalty(TEN, 1_000_000, bob, 100_000);
        vm.expectRevert(abi.encodeWithSelector(IShowdownCards.RoyaltyTooHigh.selector, 1_001, 1_000));
        _setRoyalty(bob, 1_001);
    }

    function test_a_royalty_can_be_dropped() public {
        _setRoyalty(bob, 250);
        _setRoyalty(bob, 0);
        _assertRoyalty(TEN, 1_000_000, bob, 0);
    }

    function test_a_royalty_is_paid_to_someone() public {
        vm.expectRevert(
            abi.encodeWithSelector(ERC2981.ERC2981InvalidDefaultRoyaltyReceiver.selector, address(0))
        );
        _setRoyalty(address(0), 250);
    }

    function test_a_change_of_royalty_is_told() public {
        vm.expectEmit(address(cards));
        emit IShowdownCards.RoyaltySet(bob, 250);
        _setRoyalty(bob, 250);
    }

    function test_no_royalty_exceeds_a_tenth_of_any_price(uint96 basisPoints, uint256 price) public {
        basisPoints = uint96(bound(basisPoints, 0, 1_000));
        _setRoyalty(bob, basisPoints);
        (, uint256 due) = cards.royaltyInfo(TEN, price);
        assertLe(due, price / 10);
    }
}
