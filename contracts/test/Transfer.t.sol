// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";

import {IShowdownCards} from "../IShowdownCards.sol";
import {CardsFixture} from "./CardsFixture.sol";
import {HostileReceiver} from "./hostile/HostileReceiver.sol";

contract TransferTest is CardsFixture {
    //     ann holds | ordinary | soulbound
    //     ----------+----------+----------
    //     TEN       |    5     |    3
    //     UNIQUE    |    1     |
    //     COMMON    |  100     |   20
    function setUp() public override {
        super.setUp();
        vm.prank(issuer);
        cards.issue(ann, _list(TEN, UNIQUE, COMMON), _list(5, 1, 100), "");
        vm.prank(issuer);
        cards.issue(ann, _list(TEN_SOULBOUND, COMMON_SOULBOUND), _list(3, 20), "");
    }

    function _send(address operator, address from, address to, uint256 id, uint256 amount) private {
        vm.prank(operator);
        cards.safeTransferFrom(from, to, id, amount, "");
    }

    function _sendBatch(
        address operator,
        address from,
        address to,
        uint256[] memory ids,
        uint256[] memory amounts
    ) private {
        vm.prank(operator);
        cards.safeBatchTransferFrom(from, to, ids, amounts, "");
    }

    // Ordinary copies

    function test_a_holder_sends_copies() public {
        _send(ann, ann, bob, TEN, 2);
        assertEq(cards.balanceOf(ann, TEN), 3);
        assertEq(cards.balanceOf(bob, TEN), 2);
    }

    function test_a_holder_sends_several_cards_at_once() public {
        _sendBatch(ann, ann, bob, _list(TEN, UNIQUE, COMMON), _list(5, 1, 99));
        assertEq(cards.balanceOf(bob, TEN), 5);
        assertEq(cards.balanceOf(bob, UNIQUE), 1);
        assertEq(cards.balanceOf(bob, COMMON), 99);
        assertEq(cards.balanceOf(ann, COMMON), 1);
    }

    function test_an_operator_that_the_holder_approved_sends_copies() public {
        _approve(ann, stranger);
        _send(stranger, ann, bob, TEN, 2);
        assertEq(cards.balanceOf(bob, TEN), 2);
    }

    function test_a_stranger_sends_nothing_of_others() public {
        bytes memory refusal =
            abi.encodeWithSelector(IERC1155Errors.ERC1155MissingApprovalForAll.selector, stranger, ann);
        vm.expectRevert(refusal);
        _send(stranger, ann, stranger, TEN, 1);
        vm.expectRevert(refusal);
        _sendBatch(stranger, ann, stranger, _list(TEN), _list(1));
    }

    function test_an_operator_that_is_approved_no_more_sends_nothing() public {
        _approve(ann, stranger);
        vm.prank(ann);
        cards.setApprovalForAll(stranger, false);
        vm.expectRevert(
            abi.encodeWithSelector(IERC1155Errors.ERC1155MissingApprovalForAll.selector, stranger, ann)
        );
        _send(stranger, ann, stranger, TEN, 1);
    }

    function test_nobody_sends_more_than_there_is() public {
        vm.expectRevert(
            abi.encodeWithSelector(IERC1155Errors.ERC1155InsufficientBalance.selector, ann, 5, 6, TEN)
        );
        _send(ann, ann, bob, TEN, 6);
    }

    function test_sending_to_oneself_changes_nothing() public {
        _send(ann, ann, ann, TEN, 5);
        assertEq(cards.balanceOf(ann, TEN), 5);
    }

    function test_sending_changes_no_run() public {
        _send(ann, ann, bob, TEN, 5);
        _assertRun(TEN, 10, 8, 0);
    }

    function test_sending_is_told() public {
        vm.expectEmit(address(cards));
        emit IERC1155.TransferSingle(ann, ann, bob, TEN, 2);
        _send(ann, ann, bob, TEN, 2);
    }

    function test_nothing_is_sent_to_nobody() public {
        vm.expectRevert(abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidReceiver.selector, address(0)));
        _send(ann, ann, address(0), TEN, 1);
    }

    function test_nothing_is_sent_in_zeros() public {
        _expectRefusal(IShowdownCards.ZeroAmount.selector, TEN);
        _send(ann, ann, bob, TEN, 0);
        _expectRefusal(IShowdownCards.ZeroAmount.selector, COMMON);
        _sendBatch(ann, ann, bob, _list(TEN, COMMON), _list(1, 0));
    }

    function test_no_transfer_tells_of_an_id_that_is_no_card(uint256 id) public {
        vm.assume(!cards.isCard(id));
        uint256 plain = id & ~(uint256(1) << 32);
        _expectRefusal(IShowdownCards.ZeroAmount.selector, plain);
        _send(ann, ann, ann, plain, 0);
        vm.expectRevert(
            abi.encodeWithSelector(IERC1155Errors.ERC1155InsufficientBalance.selector, ann, 0, 1, plain)
        );
        _send(ann, ann, ann, plain, 1);
    }

    function test_an_empty_batch_is_not_sent() public {
        vm.expectRevert(IShowdownCards.EmptyBatch.selector);
        _sendBatch(ann, ann, bob, _list(), _list());
    }

    function test_every_id_that_is_sent_has_an_amount() public {
        vm.expectRevert(abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidArrayLength.selector, 2, 1));
        _sendBatch(ann, ann, bob, _list(TEN, COMMON), _list(1));
    }

    function test_transfers_go_on_while_paused() public {
        _approve(ann, stranger);
        _pause();
        _send(ann, ann, bob, TEN, 1);
        _send(stranger, ann, bob, TEN, 1);
        _sendBatch(ann, ann, bob, _list(TEN, UNIQUE), _list(1, 1));
        assertEq(cards.balanceOf(bob, TEN), 3);
    }

    function test_a_receiver_that_sends_the_cards_on_when_called_neither_gains_nor_loses() public {
        HostileReceiver receiver = new HostileReceiver();
        receiver.whenCalled(
            address(cards), abi.encodeCall(cards.safeTransferFrom, (address(receiver), bob, TEN, 2, ""))
        );
        _send(ann, ann, address(receiver), TEN, 2);
        assertEq(cards.balanceOf(address(receiver), TEN), 0);
        assertEq(cards.balanceOf(bob, TEN), 2);
        assertEq(cards.balanceOf(ann, TEN), 3);
    }

    function test_any_transfer_keeps_the_sum(uint256 amount, uint256 back) public {
        amount = bound(amount, 1, 100);
        back = bound(back, 1, amount);
        _send(ann, ann, bob, COMMON, amount);
        _send(bob, bob, ann, COMMON, back);
        assertEq(cards.balanceOf(ann, COMMON), 100 - amount + back);
        assertEq(cards.balanceOf(bob, COMMON), amount - back);
    }

    // Soulbound copies

    function test_a_soulbound_copy_is_not_sent() public {
        _expectSoulbound(TEN_SOULBOUND);
        _send(ann, ann, bob, TEN_SOULBOUND, 1);
    }

    function test_a_soulbound_copy_is_not_sent_in_a_batch() public {
        _expectSoulbound(TEN_SOULBOUND);
        _sendBatch(ann, ann, bob, _list(TEN_SOULBOUND), _list(1));
    }

    function test_a_soulbound_copy_is_not_sent_wherever_in_a_batch_it_stands() public {
        _expectSoulbound(COMMON_SOULBOUND);
        _sendBatch(ann, ann, bob, _list(COMMON_SOULBOUND, TEN, UNIQUE), _list(1, 1, 1));
        _expectSoulbound(COMMON_SOULBOUND);
        _sendBatch(ann, ann, bob, _list(TEN, COMMON_SOULBOUND, UNIQUE), _list(1, 1, 1));
        _expectSoulbound(COMMON_SOULBOUND);
        _sendBatch(ann, ann, bob, _list(TEN, UNIQUE, COMMON_SOULBOUND), _list(1, 1, 1));
    }

    function test_a_soulbound_copy_is_not_sent_to_its_own_holder() public {
        _expectSoulbound(TEN_SOULBOUND);
        _send(ann, ann, ann, TEN_SOULBOUND, 1);
        _expectSoulbound(TEN_SOULBOUND);
        _sendBatch(ann, ann, ann, _list(TEN_SOULBOUND), _list(1));
    }

    function test_a_soulbound_copy_is_not_sent_by_an_operator() public {
        _approve(ann, stranger);
        _expectSoulbound(TEN_SOULBOUND);
        _send(stranger, ann, stranger, TEN_SOULBOUND, 1);
        _expectSoulbound(TEN_SOULBOUND);
        _sendBatch(stranger, ann, stranger, _list(TEN_SOULBOUND), _list(1));
    }

    function test_a_soulbound_copy_is_not_sent_by_any_role() public {
        address[4] memory roles = [admin, publisher, issuer, pauser];
        for (uint256 i = 0; i < roles.length; ++i) {
            vm.expectRevert(
                abi.encodeWithSelector(IERC1155Errors.ERC1155MissingApprovalForAll.selector, roles[i], ann)
            );
            _send(roles[i], ann, bob, TEN_SOULBOUND, 1);
        }
    }

    function test_holding_ordinary_copies_does_not_free_soulbound_ones() public {
        _expectSoulbound(TEN_SOULBOUND);
        _sendBatch(ann, ann, bob, _list(TEN, TEN_SOULBOUND), _list(1, 1));
        assertEq(cards.balanceOf(ann, TEN), 5);
    }

    function test_a_contract_keeps_the_soulbound_copies_it_was_issued() public {
        HostileReceiver receiver = new HostileReceiver();
        receiver.whenCalled(
            address(cards),
            abi.encodeCall(cards.safeTransferFrom, (address(receiver), bob, COMMON_SOULBOUND, 1, ""))
        );
        _issue(address(receiver), COMMON_SOULBOUND, 1);
        assertFalse(receiver.lastSucceeded());
        assertEq(bytes4(receiver.lastAnswer()), IShowdownCards.SoulboundCopy.selector);
        assertEq(cards.balanceOf(address(receiver), COMMON_SOULBOUND), 1);
    }
}
