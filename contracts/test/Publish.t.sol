// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IShowdownCards} from "../IShowdownCards.sol";
import {CardsFixture} from "./CardsFixture.sol";

contract PublishTest is CardsFixture {
    uint16 private constant NEXT = 8;
    bytes32 private constant NEXT_ROOT = keccak256("what the cards of set 8 say");

    function _publish(uint16 set, bytes32 root, string memory uri, uint32[] memory caps) private {
        vm.prank(publisher);
        cards.publish(set, root, uri, caps);
    }

    function _expectSetRefusal(bytes4 because, uint16 set) private {
        vm.expectRevert(abi.encodeWithSelector(because, set));
    }

    // What a published set is

    function test_the_first_cap_is_that_of_card_number_one() public view {
        _assertRun(TEN, 10, 0, 0);
        _assertRun(UNIQUE, 1, 0, 0);
        _assertRun(COMMON, type(uint32).max, 0, 0);
    }

    function test_a_published_set_has_its_root() public view {
        assertTrue(cards.published(SET));
        assertEq(cards.rootOf(SET), ROOT);
    }

    function test_a_published_set_has_its_uri() public view {
        assertEq(cards.uri(TEN), URI);
        assertEq(cards.uri(COMMON_SOULBOUND), URI);
    }

    function test_a_set_has_no_card_beyond_its_last() public {
        assertTrue(cards.isCard(COMMON));
        assertFalse(cards.isCard(COMMON + 1));
        _expectNoCard(COMMON + 1);
        cards.run(COMMON + 1);
    }

    function test_a_set_has_no_card_number_zero() public view {
        assertFalse(cards.isCard(uint256(SET) << 16));
    }

    function test_publishing_is_told_with_every_cap() public {
        vm.expectEmit(address(cards));
        emit IShowdownCards.SetPublished(NEXT, NEXT_ROOT, "{id}", _caps(3, 2, 1));
        _publish(NEXT, NEXT_ROOT, "{id}", _caps(3, 2, 1));
    }

    function test_publishing_one_set_leaves_the_others_alone() public {
        _publish(NEXT, NEXT_ROOT, "other/{id}", _caps(99));
        assertEq(cards.rootOf(SET), ROOT);
        assertEq(cards.uri(TEN), URI);
        _assertRun(TEN, 10, 0, 0);
    }

    function test_the_first_and_the_last_set_can_be_published() public {
        _publish(1, ROOT, URI, _caps(1));
        _publish(type(uint16).max, ROOT, URI, _caps(1));
        assertTrue(cards.isCard(0x00010001));
        assertTrue(cards.isCard(0xffff0001));
    }

    // Once

    function test_a_set_is_published_once() public {
        _expectSetRefusal(IShowdownCards.AlreadyPublished.selector, SET);
        _publish(SET, NEXT_ROOT, URI, _caps(10, 1, type(uint32).max));
    }

    function test_a_set_is_published_once_even_after_all_of_it_was_burned() public {
        _issue(ann, UNIQUE, 1);
        _burn(ann, UNIQUE, 1);
        _expectSetRefusal(IShowdownCards.AlreadyPublished.selector, SET);
        _publish(SET, ROOT, URI, _caps(1));
    }

    // What cannot be published

    function test_there_is_no_set_zero() public {
        vm.expectRevert(IShowdownCards.SetZero.selector);
        _publish(0, NEXT_ROOT, URI, _caps(1));
    }

    function test_a_set_has_at_least_one_card() public {
        _expectSetRefusal(IShowdownCards.EmptySet.selector, NEXT);
        _publish(NEXT, NEXT_ROOT, URI, new uint32[](0));
    }

    function test_a_set_has_no_more_cards_than_an_id_has_numbers_for() public {
        vm.expectRevert(abi.encodeWithSelector(IShowdownCards.SetTooLarge.selector, NEXT, 65_536));
        _publish(NEXT, NEXT_ROOT, URI, new uint32[](65_536));
    }

    function test_as_many_cards_as_an_id_has_numbers_for_are_not_too_many() public {
        // An array of zeros gets past the count and fails at its first card.
        vm.expectRevert(abi.encodeWithSelector(IShowdownCards.EmptyRun.selector, NEXT, 1));
        _publish(NEXT, NEXT_ROOT, URI, new uint32[](65_535));
    }

    function test_a_run_has_at_least_one_copy() public {
        vm.expectRevert(abi.encodeWithSelector(IShowdownCards.EmptyRun.selector, NEXT, 2));
        _publish(NEXT, NEXT_ROOT, URI, _caps(5, 0, 5));
    }

    function test_a_set_commits_to_what_its_cards_say() public {
        _expectSetRefusal(IShowdownCards.EmptyRoot.selector, NEXT);
        _publish(NEXT, 0, URI, _caps(1));
    }

    function test_a_refused_set_can_be_published_once_it_is_mended() public {
        vm.expectRevert(abi.encodeWithSelector(IShowdownCards.EmptyRun.selector, NEXT, 3));
        _publish(NEXT, NEXT_ROOT, URI, _caps(5, 5, 0));
        assertFalse(cards.published(NEXT));
        assertFalse(cards.isCard(0x00080001));

        _publish(NEXT, NEXT_ROOT, URI, _caps(5, 5, 5));
        assertTrue(cards.published(NEXT));
    }

    // The URI

    function test_the_uri_tells_cards_apart_by_their_id() public {
        string[7] memory without =
            ["", "{", "{id", "id}", "ipfs://cards/card.json", "ipfs://cards/{ID}.json", "ipfs://{i{d}/{ id}"];
        for (uint256 i = 0; i < without.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IShowdownCards.UriLacksId.selector, without[i]));
            _publish(NEXT, NEXT_ROOT, without[i], _caps(1));
        }
    }

    function test_the_id_may_stand_anywhere_in_the_uri() public {
        string[5] memory with_ = ["{id}", "{id}.json", "ipfs://{id}", "ipfs://cards/{id}.json", "{i{id}d}"];
        for (uint16 i = 0; i < with_.length; ++i) {
            _publish(NEXT + i, NEXT_ROOT, with_[i], _caps(1));
            assertEq(cards.uri(uint256(NEXT + i) << 16 | 1), with_[i]);
        }
    }

    function test_a_long_uri_is_kept_whole(string memory before, string memory behind) public {
        string memory template = string.concat(before, "{id}", behind);
        _publish(NEXT, NEXT_ROOT, template, _caps(1));
        assertEq(cards.uri(0x00080001), template);
    }

    // Caps

    function test_every_card_gets_its_own_cap(uint32[] memory caps) public {
        vm.assume(caps.length > 0);
        for (uint256 i = 0; i < caps.length; ++i) {
            if (caps[i] == 0) caps[i] = 1;
        }
        _publish(NEXT, NEXT_ROOT, URI, caps);
        for (uint256 i = 0; i < caps.length; ++i) {
            _assertRun(uint256(NEXT) << 16 | i + 1, caps[i], 0, 0);
        }
        assertFalse(cards.isCard(uint256(NEXT) << 16 | caps.length + 1));
    }
}
