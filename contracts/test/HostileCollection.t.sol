// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";

import {Test} from "./Test.sol";
import {HostileCollection} from "./hostile/HostileCollection.sol";

/// @dev That each mode lies as its name says: a reader that withstands them has withstood something.
contract HostileCollectionTest is Test {
    bytes private constant HONEST = abi.encode(0x20, 2, 1, 1);
    /// @dev Less than any node gives a call.
    uint256 private constant GAS = 25_000_000;

    function _ask(HostileCollection.Mode mode) private returns (bool succeeded, bytes memory answer) {
        HostileCollection collection = new HostileCollection(mode);
        return address(collection).staticcall{gas: GAS}(
            abi.encodeCall(collection.balanceOfBatch, (new address[](2), new uint256[](2)))
        );
    }

    function _askInterface(HostileCollection.Mode mode, bytes4 id)
        private
        returns (bool succeeded, bytes memory answer)
    {
        HostileCollection collection = new HostileCollection(mode);
        return address(collection).staticcall(abi.encodeCall(collection.supportsInterface, (id)));
    }

    function _assertAnswers(HostileCollection.Mode mode, bytes memory expected) private {
        (bool succeeded, bytes memory answer) = _ask(mode);
        assertTrue(succeeded);
        assertEq(answer, expected);
    }

    function _assertFails(HostileCollection.Mode mode, bytes memory expected) private {
        (bool succeeded, bytes memory answer) = _ask(mode);
        assertFalse(succeeded);
        assertEq(answer, expected);
    }

    function test_each_mode_answers_for_balances_in_its_way() public {
        uint256 max = type(uint256).max;
        _assertAnswers(HostileCollection.Mode.Honest, HONEST);
        _assertAnswers(HostileCollection.Mode.OneShort, abi.encode(0x20, 1, 1));
        _assertAnswers(HostileCollection.Mode.OneLong, abi.encode(0x20, 3, 1, 1, 1));
        _assertAnswers(HostileCollection.Mode.NoBalances, abi.encode(0x20, 0));
        _assertAnswers(HostileCollection.Mode.Empty, "");
        _assertAnswers(HostileCollection.Mode.TrailingGarbage, bytes.concat(HONEST, keccak256("garbage")));
        _assertAnswers(HostileCollection.Mode.WrongOffset, abi.encode(0x80, 2, 1, 1));
        _assertAnswers(HostileCollection.Mode.OddOffset, abi.encode(0x40, 0, 2, 1, 1));
        _assertAnswers(HostileCollection.Mode.EndlessLength, abi.encode(0x20, max, 1, 1));
        _assertAnswers(HostileCollection.Mode.Huge, abi.encode(0x20, 2, max, max));
        _assertAnswers(HostileCollection.Mode.Silent, "");
    }

    function test_a_truncated_answer_lacks_its_last_byte() public {
        (bool succeeded, bytes memory answer) = _ask(HostileCollection.Mode.Truncated);
        assertTrue(succeeded);
        assertEq(bytes.concat(answer, hex"01"), HONEST);
    }

    function test_a_flood_is_three_megabytes_and_fits_the_gas_of_a_call() public {
        (bool succeeded, bytes memory answer) = _ask(HostileCollection.Mode.Flood);
        assertTrue(succeeded);
        assertEq(answer.length, 3_145_728);
    }

    function test_each_failing_mode_fails_in_its_way() public {
        _assertFails(HostileCollection.Mode.Reverts, "");
        _assertFails(
            HostileCollection.Mode.RevertsWithReason,
            abi.encodeWithSelector(HostileCollection.Hostile.selector)
        );
    }

    function test_a_greedy_mode_takes_all_gas_along() public {
        HostileCollection.Mode[2] memory greedy =
            [HostileCollection.Mode.BurnsAllGas, HostileCollection.Mode.Loops];
        for (uint256 i = 0; i < greedy.length; ++i) {
            uint256 before = gasleft();
            _assertFails(greedy[i], "");
            assertGe(before - gasleft(), GAS);
        }
    }

    function test_each_mode_says_what_it_is_in_its_way() public {
        _assertSays(HostileCollection.Mode.Honest, abi.encode(true));
        _assertSays(HostileCollection.Mode.Huge, abi.encode(true));
        _assertSays(HostileCollection.Mode.DeniesInterface, abi.encode(false));
        _assertSays(HostileCollection.Mode.InterfaceEmpty, "");
        _assertSays(HostileCollection.Mode.InterfaceTwo, abi.encode(2));
        _assertSays(HostileCollection.Mode.ClaimsEverything, abi.encode(true));
        _assertSays(HostileCollection.Mode.Silent, "");
        (bool succeeded,) = _askInterface(HostileCollection.Mode.InterfaceReverts, type(IERC1155).interfaceId);
        assertFalse(succeeded);
    }

    function test_only_one_mode_claims_the_interface_that_nobody_has() public {
        (, bytes memory honest) = _askInterface(HostileCollection.Mode.Honest, 0xffffffff);
        (, bytes memory boaster) = _askInterface(HostileCollection.Mode.ClaimsEverything, 0xffffffff);
        assertEq(honest, abi.encode(false));
        assertEq(boaster, abi.encode(true));
    }

    function test_a_collection_can_turn_hostile() public {
        HostileCollection collection = new HostileCollection(HostileCollection.Mode.Honest);
        assertEq(collection.balanceOf(address(this), 1), 1);
        collection.become(HostileCollection.Mode.Huge);
        assertEq(collection.balanceOf(address(this), 1), type(uint256).max);
    }

    function test_a_transfer_can_be_pretended() public {
        HostileCollection collection = new HostileCollection(HostileCollection.Mode.Honest);
        vm.expectEmit(address(collection));
        emit IERC1155.TransferSingle(address(this), address(1), address(2), 3, 4);
        collection.pretendTransfer(address(1), address(2), 3, 4);
    }

    function _assertSays(HostileCollection.Mode mode, bytes memory expected) private {
        (bool succeeded, bytes memory answer) = _askInterface(mode, type(IERC1155).interfaceId);
        assertTrue(succeeded);
        assertEq(answer, expected);
    }
}
