// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

import {IShowdownCards} from "../IShowdownCards.sol";
import {CardsFixture} from "./CardsFixture.sol";

contract QuestionsTest is CardsFixture {
    // About sets

    function test_a_set_that_was_not_published_is_not() public view {
        assertFalse(cards.published(0));
        assertFalse(cards.published(SET + 1));
    }

    function test_a_set_that_was_not_published_has_no_root() public {
        vm.expectRevert(abi.encodeWithSelector(IShowdownCards.NotPublished.selector, SET + 1));
        cards.rootOf(SET + 1);
    }

    function test_a_set_that_was_not_published_has_no_totals() public {
        vm.expectRevert(abi.encodeWithSelector(IShowdownCards.NotPublished.selector, SET + 1));
        cards.totals(SET + 1);
    }

    function test_the_totals_of_a_set_are_its_runs_added_up() public {
        vm.prank(issuer);
        cards.issue(ann, _list(TEN, UNIQUE, COMMON_SOULBOUND), _list(3, 1, 50), "");
        _burn(ann, TEN, 2);
        _burn(ann, COMMON_SOULBOUND, 5);

        (uint256 count, uint256 cap, uint256 issued, uint256 burned) = cards.totals(SET);
        assertEq(count, 3);
        assertEq(cap, 10 + 1 + 4_294_967_295);
        assertEq(issued, 3 + 1 + 50);
        assertEq(burned, 2 + 5);
    }

    function test_the_totals_of_a_set_leave_other_sets_out() public {
        vm.prank(publisher);
        cards.publish(8, ROOT, URI, _caps(5));
        (uint256 count, uint256 cap,,) = cards.totals(8);
        assertEq(count, 1);
        assertEq(cap, 5);
    }

    // About ids

    function test_a_card_knows_its_set() public view {
        assertEq(cards.setOf(TEN), SET);
        assertEq(cards.setOf(COMMON_SOULBOUND), SET);
    }

    function test_a_soulbound_id_is_known_by_its_bit() public view {
        assertTrue(cards.isSoulbound(TEN_SOULBOUND));
        assertFalse(cards.isSoulbound(TEN));
    }

    function test_both_ids_of_a_card_are_cards() public view {
        assertTrue(cards.isCard(TEN));
        assertTrue(cards.isCard(TEN_SOULBOUND));
    }

    function test_an_id_that_is_no_card_has_no_answers(uint256 id) public {
        uint256 card = id & ~(uint256(1) << 32);
        vm.assume(card != TEN && card != UNIQUE && card != COMMON);
        assertFalse(cards.isCard(id));
        _expectNoCard(id);
        cards.run(id);
        _expectNoCard(id);
        cards.uri(id);
        _expectNoCard(id);
        cards.setOf(id);
        _expectNoCard(id);
        cards.isSoulbound(id);
    }

    function test_an_id_that_is_no_card_is_held_by_nobody() public view {
        assertEq(cards.balanceOf(ann, TEN | 1 << 33), 0);
    }

    function test_one_set_of_a_card_is_not_mistaken_for_another() public {
        vm.prank(publisher);
        cards.publish(0xfffe, keccak256("other"), "other/{id}", _caps(5));
        assertEq(cards.setOf(0xfffe0001), 0xfffe);
        assertEq(cards.uri(0xfffe0001), "other/{id}");
        assertEq(cards.setOf(0x1fffe0001), 0xfffe);
    }

    // About issuers

    function test_an_issuer_may_issue_nothing_of_a_set_that_was_not_published() public view {
        assertEq(cards.allowance(issuer, SET + 1), 0);
    }

    function test_a_stranger_may_issue_nothing() public view {
        assertEq(cards.allowance(stranger, SET), 0);
    }

    // About holders

    function test_balances_are_asked_for_in_a_batch() public {
        vm.prank(issuer);
        cards.issue(ann, _list(TEN, UNIQUE), _list(3, 1), "");
        address[] memory holders = new address[](3);
        (holders[0], holders[1], holders[2]) = (ann, ann, bob);
        uint256[] memory balances = cards.balanceOfBatch(holders, _list(TEN, UNIQUE, TEN));
        assertEq(balances, _list(3, 1, 0));
    }

    function test_every_holder_is_asked_about_one_id() public {
        vm.expectRevert(abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidArrayLength.selector, 1, 2));
        cards.balanceOfBatch(new address[](2), _list(TEN));
    }

    // Interfaces, by the ids that their standards give

    function test_the_contract_names_the_interfaces_that_it_keeps_to() public view {
        assertTrue(cards.supportsInterface(0x01ffc9a7), "ERC-165");
        assertTrue(cards.supportsInterface(0xd9b67a26), "ERC-1155");
        assertTrue(cards.supportsInterface(0x0e89341c), "ERC-1155 metadata");
        assertTrue(cards.supportsInterface(0x2a55205a), "ERC-2981");
        assertTrue(cards.supportsInterface(0x7965db0b), "AccessControl");
        assertTrue(cards.supportsInterface(0x31498786), "AccessControlDefaultAdminRules");
        assertTrue(cards.supportsInterface(type(IShowdownCards).interfaceId), "ShowdownCards");
    }

    function test_the_contract_names_no_interface_that_it_does_not_keep_to() public view {
        assertFalse(cards.supportsInterface(0xffffffff), "never, says ERC-165");
        assertFalse(cards.supportsInterface(0x00000000));
        assertFalse(cards.supportsInterface(0x80ac58cd), "ERC-721");
        assertFalse(cards.supportsInterface(0x4e2312e0), "ERC-1155 receiver");
    }
}
