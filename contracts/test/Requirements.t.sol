// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ShowdownCards} from "../ShowdownCards.sol";
import {CardsFixture} from "./CardsFixture.sol";
import {CompiledAbi} from "./CompiledAbi.sol";

/// @dev What the collection promises, sentence by sentence, each shown once from end to end. The tests beside this
/// one go into each promise's corners, and `Invariants.t.sol` holds the first ones against random play.
contract RequirementsTest is CardsFixture, CompiledAbi {
    // Supply

    function test_issued_never_exceeds_the_cap() public {
        _issue(ann, TEN, 7);
        _issue(bob, TEN_SOULBOUND, 3);
        _expectRunExhausted(TEN, 1, 0);
        _issue(ann, TEN, 1);
        _assertRun(TEN, 10, 10, 0);
    }

    function test_the_sum_of_balances_is_issued_less_burned() public {
        _issue(ann, TEN, 5);
        _issue(bob, TEN_SOULBOUND, 3);
        vm.prank(ann);
        cards.safeTransferFrom(ann, bob, TEN, 2, "");
        _burn(bob, TEN, 1);
        _burn(bob, TEN_SOULBOUND, 1);

        uint256 held =
            cards.balanceOf(ann, TEN) + cards.balanceOf(bob, TEN) + cards.balanceOf(bob, TEN_SOULBOUND);
        _assertRun(TEN, 10, 8, 2);
        assertEq(held, 8 - 2);
    }

    function test_caps_roots_and_uris_never_change() public {
        bytes32 before = _setAsPublished();
        _issue(ann, TEN, 10);
        _burn(ann, TEN, 10);
        vm.startPrank(publisher);
        cards.allow(issuer, SET, 0);
        cards.publish(SET + 1, keccak256("other"), "other/{id}", _caps(1, 2, 3));
        vm.expectRevert();
        cards.publish(SET, keccak256("other"), "other/{id}", _caps(1, 2, 3));
        vm.stopPrank();
        _pause();
        assertEq(_setAsPublished(), before);
    }

    function test_burning_never_permits_a_reprint() public {
        _issue(ann, UNIQUE, 1);
        _burn(ann, UNIQUE, 1);
        _expectRunExhausted(UNIQUE, 1, 0);
        _issue(ann, UNIQUE, 1);
    }

    // Issuers

    function test_an_issuer_cannot_exceed_its_allowance() public {
        _allow(5);
        _issue(ann, TEN, 5);
        _expectAllowanceExceeded(issuer, 1, 0);
        _issue(ann, COMMON, 1);
    }

    function test_zero_amounts_are_refused() public {
        _issue(ann, TEN, 1);
        bytes4 zero = bytes4(keccak256("ZeroAmount(uint256)"));
        _expectRefusal(zero, TEN);
        _issue(ann, TEN, 0);
        _expectRefusal(zero, TEN);
        _burn(ann, TEN, 0);
        _expectRefusal(zero, TEN);
        vm.prank(ann);
        cards.safeTransferFrom(ann, bob, TEN, 0, "");
    }

    // Soulbound copies

    //              | single | batch
    //     ---------+--------+------
    //     holder   |   no   |  no
    //     operator |   no   |  no       to another, and to the holder itself
    function test_soulbound_copies_never_move_by_any_path() public {
        _issue(ann, TEN_SOULBOUND, 2);
        _approve(ann, stranger);
        address[2] memory senders = [ann, stranger];
        address[3] memory receivers = [bob, ann, stranger];
        for (uint256 i = 0; i < senders.length; ++i) {
            for (uint256 j = 0; j < receivers.length; ++j) {
                _expectSoulbound(TEN_SOULBOUND);
                vm.prank(senders[i]);
                cards.safeTransferFrom(ann, receivers[j], TEN_SOULBOUND, 1, "");
                _expectSoulbound(TEN_SOULBOUND);
                vm.prank(senders[i]);
                cards.safeBatchTransferFrom(ann, receivers[j], _list(TEN_SOULBOUND), _list(1), "");
            }
        }
        assertEq(cards.balanceOf(ann, TEN_SOULBOUND), 2);
    }

    function test_soulbound_copies_are_burned_but_not_by_strangers() public {
        _issue(ann, TEN_SOULBOUND, 2);
        vm.expectRevert();
        vm.prank(stranger);
        cards.burn(ann, TEN_SOULBOUND, 1);
        _burn(ann, TEN_SOULBOUND, 1);
        assertEq(cards.balanceOf(ann, TEN_SOULBOUND), 1);
    }

    // Power

    function test_every_role_is_revocable() public {
        vm.startPrank(admin);
        cards.revokeRole(PUBLISHER_ROLE, publisher);
        cards.revokeRole(ISSUER_ROLE, issuer);
        cards.revokeRole(PAUSER_ROLE, pauser);
        cards.beginDefaultAdminTransfer(bob);
        vm.stopPrank();
        vm.warp(block.timestamp + DELAY + 1);
        vm.prank(bob);
        cards.acceptDefaultAdminTransfer();

        assertFalse(cards.hasRole(PUBLISHER_ROLE, publisher));
        assertFalse(cards.hasRole(ISSUER_ROLE, issuer));
        assertFalse(cards.hasRole(PAUSER_ROLE, pauser));
        assertFalse(cards.hasRole(ADMIN_ROLE, admin));
    }

    function test_pausing_stops_issuing_and_never_transfers_or_burns() public {
        _issue(ann, TEN, 5);
        _pause();
        vm.expectRevert();
        _issue(ann, TEN, 1);
        vm.prank(ann);
        cards.safeTransferFrom(ann, bob, TEN, 2, "");
        _burn(ann, TEN, 3);
        assertEq(cards.balanceOf(bob, TEN), 2);
        assertEq(cards.balanceOf(ann, TEN), 0);
    }

    function test_royalties_are_capped_at_ten_percent(uint96 basisPoints) public {
        basisPoints = uint96(bound(basisPoints, 1_001, type(uint96).max));
        vm.expectRevert();
        vm.prank(admin);
        cards.setRoyalty(ann, basisPoints);
    }

    function test_the_contract_holds_no_ether() public {
        vm.deal(ann, 1 ether);
        vm.prank(ann);
        (bool taken,) = address(cards).call{value: 1}("");
        assertFalse(taken);
        Function[] memory functions = _functions();
        for (uint256 i = 0; i < functions.length; ++i) {
            assertFalse(_is(functions[i].stateMutability, "payable"), functions[i].name);
        }
    }

    /// @dev Walks the deployed code, past the data of each PUSH, so that nothing inherited can bring them in either.
    function test_the_code_has_no_origin_delegatecall_create_or_selfdestruct() public view {
        bytes memory code = address(cards).code;
        for (uint256 i = 0; i < code.length; ++i) {
            uint8 op = uint8(code[i]);
            assertTrue(op != 0x32, "ORIGIN");
            assertTrue(op != 0xf0 && op != 0xf5, "CREATE");
            assertTrue(op != 0xf2 && op != 0xf4, "DELEGATECALL");
            assertTrue(op != 0xff, "SELFDESTRUCT");
            if (op >= 0x60 && op <= 0x7f) i += op - 0x5f;
        }
    }

    /// @dev A forwarder could speak for others (ERC-2771); here the sender is the sender, whatever the call data ends in.
    function test_nobody_speaks_for_another() public {
        _issue(ann, TEN, 1);
        vm.prank(stranger);
        (bool obeyed,) = address(cards).call(abi.encodePacked(abi.encodeCall(cards.burn, (ann, TEN, 1)), ann));
        assertFalse(obeyed);
    }

    // Form

    /// @dev The worked example of ERC-1155's Metadata section, done by hand.
    function test_the_uri_leaves_id_to_be_replaced_by_64_lower_case_hex_digits() public view {
        string memory digits = vm.replace(vm.toString(bytes32(TEN_SOULBOUND)), "0x", "");
        assertEq(
            vm.replace(cards.uri(TEN_SOULBOUND), "{id}", digits),
            "ipfs://seven/0000000000000000000000000000000000000000000000000000000100070001.json"
        );
    }

    function test_every_deployment_has_the_same_code() public {
        ShowdownCards other = new ShowdownCards(9 days, bob);
        assertEq(address(other).codehash, address(cards).codehash);
        assertEq(address(cards).code, vm.getDeployedCode("ShowdownCards.sol:ShowdownCards"));
    }

    /// @dev A storage proof (`eth_getProof`) can show a balance without trusting the node: the slot is
    /// `keccak256(holder . keccak256(id . 0))`.
    function test_a_balance_is_proved_by_one_storage_slot() public {
        _issue(ann, TEN, 6);
        bytes32 slot = keccak256(abi.encode(ann, keccak256(abi.encode(TEN, 0))));
        assertEq(uint256(vm.load(address(cards), slot)), 6);
    }

    function _setAsPublished() private view returns (bytes32) {
        return keccak256(
            abi.encode(
                cards.rootOf(SET),
                cards.uri(TEN),
                cards.uri(UNIQUE),
                cards.uri(COMMON_SOULBOUND),
                cards.run(TEN).cap,
                cards.run(UNIQUE).cap,
                cards.run(COMMON).cap
            )
        );
    }
}
