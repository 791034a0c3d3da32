// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenId} from "../TokenId.sol";
import {Test} from "./Test.sol";

contract TokenIdTest is Test {
    using TokenId for uint256;

    //     set 7, card 1         0x0000_0007_0001
    //     soulbound             0x0001_0007_0001
    function test_a_token_id_is_the_set_then_the_number() public pure {
        assertEq(TokenId.card(7, 1), 0x00070001);
        assertEq(TokenId.card(1, 7), 0x00010007);
        assertEq(TokenId.card(type(uint16).max, type(uint16).max), 0xffffffff);
    }

    function test_bit_32_marks_a_soulbound_copy() public pure {
        assertEq(TokenId.card(7, 1).soulbound(), 0x100070001);
        assertTrue(uint256(0x100070001).isSoulbound());
        assertFalse(uint256(0x00070001).isSoulbound());
        assertFalse(uint256(0xe00070001).isSoulbound());
    }

    function test_an_id_gives_back_the_set_it_was_made_of(uint16 set, uint16 number) public pure {
        uint256 id = TokenId.card(set, number);
        assertEq(id.setOf(), set);
        assertEq(id.soulbound().setOf(), set);
    }

    function test_different_cards_have_different_ids(uint16 set, uint16 number, uint16 set2, uint16 number2)
        public
        pure
    {
        vm.assume(set != set2 || number != number2);
        uint256 one = TokenId.card(set, number);
        uint256 other = TokenId.card(set2, number2);
        assertNotEq(one, other);
        assertNotEq(one.soulbound(), other.soulbound());
        assertNotEq(one.soulbound(), other);
    }

    function test_a_soulbound_id_leads_back_to_the_ordinary_one(uint16 set, uint16 number) public pure {
        uint256 id = TokenId.card(set, number);
        assertEq(id.soulbound().ordinary(), id);
        assertEq(id.ordinary(), id);
        assertEq(id.soulbound().soulbound(), id.soulbound());
    }

    function test_stray_bits_are_kept(uint256 id) public pure {
        assertEq(id.ordinary() >> 33, id >> 33);
        assertEq(id.ordinary() & 0xffffffff, id & 0xffffffff);
    }
}
