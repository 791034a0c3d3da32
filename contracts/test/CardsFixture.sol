// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IShowdownCards} from "../IShowdownCards.sol";
import {ShowdownCards} from "../ShowdownCards.sol";
import {Test} from "./Test.sol";

/// @dev A collection with one published set, someone in each role, and three people without any.
///
///     set 7 | card | run                 id of ordinary copies | of soulbound copies
///     ------+------+--------------       ----------------------+--------------------
///           |  1   |            10       0x0007_0001  TEN      | 0x1_0007_0001
///           |  2   |             1       0x0007_0002  UNIQUE   | 0x1_0007_0002
///           |  3   | 4,294,967,295       0x0007_0003  COMMON   | 0x1_0007_0003
abstract contract CardsFixture is Test {
    uint16 internal constant SET = 7;
    uint256 internal constant TEN = 0x00070001;
    uint256 internal constant UNIQUE = 0x00070002;
    uint256 internal constant COMMON = 0x00070003;

    uint256 internal constant TEN_SOULBOUND = 0x100070001;
    uint256 internal constant UNIQUE_SOULBOUND = 0x100070002;
    uint256 internal constant COMMON_SOULBOUND = 0x100070003;

    bytes32 internal constant ROOT = keccak256("what the cards of set 7 say");
    string internal constant URI = "ipfs://seven/{id}.json";
    uint48 internal constant DELAY = 2 days;

    bytes32 internal constant ADMIN_ROLE = 0;
    bytes32 internal constant PUBLISHER_ROLE = keccak256("PUBLISHER_ROLE");
    bytes32 internal constant ISSUER_ROLE = keccak256("ISSUER_ROLE");
    bytes32 internal constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    ShowdownCards internal cards;

    address internal admin = makeAddr("admin");
    address internal publisher = makeAddr("publisher");
    address internal issuer = makeAddr("issuer");
    address internal pauser = makeAddr("pauser");

    address internal ann = makeAddr("ann");
    address internal bob = makeAddr("bob");
    address internal stranger = makeAddr("stranger");

    function setUp() public virtual {
        cards = new ShowdownCards(DELAY, admin);
        vm.startPrank(admin);
        cards.grantRole(PUBLISHER_ROLE, publisher);
        cards.grantRole(ISSUER_ROLE, issuer);
        cards.grantRole(PAUSER_ROLE, pauser);
        vm.stopPrank();

        vm.startPrank(publisher);
        cards.publish(SET, ROOT, URI, _caps(10, 1, type(uint32).max));
        cards.allow(issuer, SET, type(uint64).max);
        vm.stopPrank();
    }

    // --------------------------------------------------------------------------------------------------------
    // Acts, each by whoever may
    // --------------------------------------------------------------------------------------------------------

    function _issue(address to, uint256 id, uint256 amount) internal {
        vm.prank(issuer);
        cards.issue(to, _list(id), _list(amount), "");
    }

    function _allow(uint64 limit) internal {
        vm.prank(publisher);
        cards.allow(issuer, SET, limit);
    }

    function _burn(address holder, uint256 id, uint256 amount) internal {
        vm.prank(holder);
        cards.burn(holder, id, amount);
    }

    function _approve(address holder, address operator) internal {
        vm.prank(holder);
        cards.setApprovalForAll(operator, true);
    }

    function _pause() internal {
        vm.prank(pauser);
        cards.pause();
    }

    // --------------------------------------------------------------------------------------------------------
    // Expectations
    // --------------------------------------------------------------------------------------------------------

    function _assertRun(uint256 id, uint256 cap, uint256 issued, uint256 burned) internal view {
        IShowdownCards.Run memory run = cards.run(id);
        assertEq(run.cap, cap, "cap");
        assertEq(run.issued, issued, "issued");
        assertEq(run.burned, burned, "burned");
    }

    function _expectRefusal(bytes4 because, uint256 id) internal {
        vm.expectRevert(abi.encodeWithSelector(because, id));
    }

    function _expectNoCard(uint256 id) internal {
        _expectRefusal(IShowdownCards.NoSuchCard.selector, id);
    }

    function _expectSoulbound(uint256 id) internal {
        _expectRefusal(IShowdownCards.SoulboundCopy.selector, id);
    }

    function _expectRunExhausted(uint256 id, uint256 asked, uint256 left) internal {
        vm.expectRevert(abi.encodeWithSelector(IShowdownCards.RunExhausted.selector, id, asked, left));
    }

    function _expectAllowanceExceeded(address by, uint256 asked, uint256 left) internal {
        vm.expectRevert(
            abi.encodeWithSelector(IShowdownCards.AllowanceExceeded.selector, by, SET, asked, left)
        );
    }

    // --------------------------------------------------------------------------------------------------------
    // Lists
    // --------------------------------------------------------------------------------------------------------

    function _list() internal pure returns (uint256[] memory) {
        return new uint256[](0);
    }

    function _list(uint256 only) internal pure returns (uint256[] memory list) {
        list = new uint256[](1);
        list[0] = only;
    }

    function _list(uint256 first, uint256 second) internal pure returns (uint256[] memory list) {
        list = new uint256[](2);
        (list[0], list[1]) = (first, second);
    }

    function _list(uint256 first, uint256 second, uint256 third)
        internal
        pure
        returns (uint256[] memory list)
    {
        list = new uint256[](3);
        (list[0], list[1], list[2]) = (first, second, third);
    }

    function _caps(uint32 only) internal pure returns (uint32[] memory caps) {
        caps = new uint32[](1);
        caps[0] = only;
    }

    function _caps(uint32 first, uint32 second, uint32 third) internal pure returns (uint32[] memory caps) {
        caps = new uint32[](3);
        (caps[0], caps[1], caps[2]) = (first, second, third);
    }
}
