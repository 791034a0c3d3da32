// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

import {IShowdownCards} from "../IShowdownCards.sol";
import {CardsFixture} from "./CardsFixture.sol";
import {HostileReceiver} from "./hostile/HostileReceiver.sol";

contract IssueTest is CardsFixture {
    // What issuing does

    function test_issued_copies_belong_to_whom_they_were_issued() public {
        _issue(ann, TEN, 4);
        assertEq(cards.balanceOf(ann, TEN), 4);
        assertEq(cards.balanceOf(bob, TEN), 0);
        assertEq(cards.balanceOf(ann, TEN_SOULBOUND), 0);
    }

    function test_issuing_counts_against_the_run() public {
        _issue(ann, TEN, 4);
        _issue(bob, TEN, 5);
        _assertRun(TEN, 10, 9, 0);
    }

    function test_issuing_one_card_leaves_the_runs_of_others_alone() public {
        _issue(ann, TEN, 4);
        _assertRun(UNIQUE, 1, 0, 0);
        _assertRun(COMMON, type(uint32).max, 0, 0);
    }

    function test_ordinary_and_soulbound_copies_share_one_run() public {
        _issue(ann, TEN, 6);
        _issue(ann, TEN_SOULBOUND, 4);
        _assertRun(TEN, 10, 10, 0);
        _assertRun(TEN_SOULBOUND, 10, 10, 0);
        _expectRunExhausted(TEN, 1, 0);
        _issue(ann, TEN, 1);
    }

    function test_several_cards_are_issued_at_once() public {
        vm.prank(issuer);
        cards.issue(ann, _list(TEN, UNIQUE, COMMON_SOULBOUND), _list(2, 1, 3), "");
        assertEq(cards.balanceOf(ann, TEN), 2);
        assertEq(cards.balanceOf(ann, UNIQUE), 1);
        assertEq(cards.balanceOf(ann, COMMON_SOULBOUND), 3);
        _assertRun(COMMON, type(uint32).max, 3, 0);
    }

    function test_an_id_that_comes_twice_counts_twice() public {
        vm.prank(issuer);
        cards.issue(ann, _list(TEN, TEN), _list(4, 5), "");
        assertEq(cards.balanceOf(ann, TEN), 9);
        _assertRun(TEN, 10, 9, 0);
    }

    function test_issuing_one_id_is_told_as_a_single_transfer_from_nobody() public {
        vm.expectEmit(address(cards));
        emit IERC1155.TransferSingle(issuer, address(0), ann, TEN, 4);
        _issue(ann, TEN, 4);
    }

    // Within the run

    function test_a_run_can_be_issued_to_its_last_copy() public {
        _issue(ann, UNIQUE, 1);
        _issue(ann, COMMON, type(uint32).max);
        _assertRun(UNIQUE, 1, 1, 0);
        _assertRun(COMMON, type(uint32).max, type(uint32).max, 0);
    }

    function test_no_copy_is_issued_beyond_the_run() public {
        _issue(ann, TEN, 7);
        _expectRunExhausted(TEN, 4, 3);
        _issue(ann, TEN, 4);
    }

    function test_no_copy_is_issued_beyond_the_run_by_naming_an_id_twice() public {
        _expectRunExhausted(TEN, 5, 4);
        vm.prank(issuer);
        cards.issue(ann, _list(TEN, TEN), _list(6, 5), "");
    }

    function test_no_copy_is_issued_beyond_the_run_by_naming_the_soulbound_id_too() public {
        _expectRunExhausted(UNIQUE_SOULBOUND, 1, 0);
        vm.prank(issuer);
        cards.issue(ann, _list(UNIQUE, UNIQUE_SOULBOUND), _list(1, 1), "");
    }

    function test_an_amount_is_not_cut_to_the_width_of_a_run() public {
        uint256[4] memory wide = [uint256(1) << 32, (1 << 32) + 1, 1 << 64, type(uint256).max];
        for (uint256 i = 0; i < wide.length; ++i) {
            _expectRunExhausted(COMMON, wide[i], type(uint32).max);
            _issue(ann, COMMON, wide[i]);
        }
    }

    function test_a_batch_is_issued_whole_or_not_at_all() public {
        _expectRunExhausted(UNIQUE, 2, 1);
        vm.prank(issuer);
        cards.issue(ann, _list(TEN, UNIQUE), _list(1, 2), "");
        assertEq(cards.balanceOf(ann, TEN), 0);
        _assertRun(TEN, 10, 0, 0);
    }

    function test_any_split_of_a_run_fills_it_exactly(uint256 seed) public {
        uint256 left = 10;
        while (left > 0) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 amount = bound(seed, 1, left);
            _issue(ann, seed >> 255 == 0 ? TEN : TEN_SOULBOUND, amount);
            left -= amount;
        }
        _assertRun(TEN, 10, 10, 0);
        _expectRunExhausted(TEN, 1, 0);
        _issue(ann, TEN, 1);
    }

    // Within the allowance

    function test_an_issuer_may_issue_up_to_its_allowance() public {
        _allow(5);
        _issue(ann, TEN, 3);
        assertEq(cards.allowance(issuer, SET), 2);
        _issue(ann, TEN_SOULBOUND, 2);
        assertEq(cards.allowance(issuer, SET), 0);
    }

    function test_an_issuer_may_not_issue_beyond_its_allowance() public {
        _allow(5);
        _issue(ann, TEN, 3);
        _expectAllowanceExceeded(issuer, 3, 2);
        _issue(ann, TEN, 3);
    }

    function test_all_cards_of_a_set_draw_on_one_allowance() public {
        _allow(5);
        _expectAllowanceExceeded(issuer, 3, 2);
        vm.prank(issuer);
        cards.issue(ann, _list(TEN, COMMON), _list(3, 3), "");
    }

    function test_an_issuer_without_an_allowance_issues_nothing() public {
        vm.prank(admin);
        cards.grantRole(ISSUER_ROLE, bob);
        _expectAllowanceExceeded(bob, 1, 0);
        vm.prank(bob);
        cards.issue(bob, _list(TEN), _list(1), "");
    }

    function test_an_allowance_is_for_one_set() public {
        vm.startPrank(publisher);
        cards.publish(8, ROOT, URI, _caps(10));
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(IShowdownCards.AllowanceExceeded.selector, issuer, 8, 1, 0));
        _issue(ann, 0x00080001, 1);
    }

    function test_an_allowance_is_for_one_issuer() public {
        vm.prank(admin);
        cards.grantRole(ISSUER_ROLE, bob);
        vm.prank(publisher);
        cards.allow(bob, SET, 2);
        _issue(ann, TEN, 8);
        assertEq(cards.allowance(bob, SET), 2);
    }

    function test_an_allowance_counts_what_was_issued_before() public {
        _issue(ann, TEN, 8);
        _allow(9);
        assertEq(cards.allowance(issuer, SET), 1);
        _expectAllowanceExceeded(issuer, 2, 1);
        _issue(ann, TEN, 2);
    }

    function test_an_allowance_below_what_was_issued_is_none() public {
        _issue(ann, TEN, 8);
        _allow(3);
        assertEq(cards.allowance(issuer, SET), 0);
        _expectAllowanceExceeded(issuer, 1, 0);
        _issue(ann, TEN, 1);
    }

    function test_burning_gives_no_allowance_back() public {
        _allow(5);
        _issue(ann, TEN, 5);
        _burn(ann, TEN, 5);
        assertEq(cards.allowance(issuer, SET), 0);
    }

    function test_a_refused_issue_uses_up_no_allowance() public {
        _allow(20);
        _expectRunExhausted(TEN, 11, 10);
        _issue(ann, TEN, 11);
        assertEq(cards.allowance(issuer, SET), 20);
    }

    function test_allowing_is_told() public {
        vm.expectEmit(address(cards));
        emit IShowdownCards.AllowanceSet(issuer, SET, 5);
        _allow(5);
    }

    function test_nobody_is_allowed_to_issue_a_set_that_was_not_published() public {
        vm.expectRevert(abi.encodeWithSelector(IShowdownCards.NotPublished.selector, 8));
        vm.prank(publisher);
        cards.allow(issuer, 8, 1);
    }

    // Only cards, only whole copies, only someone

    function test_only_published_cards_are_issued(uint256 id) public {
        uint256 card = id & ~(uint256(1) << 32);
        vm.assume(card != TEN && card != UNIQUE && card != COMMON);
        _expectNoCard(id);
        _issue(ann, id, 1);
    }

    function test_an_id_with_any_stray_bit_is_no_card() public {
        for (uint256 bit = 33; bit < 256; ++bit) {
            uint256 id = TEN | uint256(1) << bit;
            _expectNoCard(id);
            _issue(ann, id, 1);
        }
    }

    function test_nothing_is_issued_in_zeros() public {
        _expectRefusal(IShowdownCards.ZeroAmount.selector, TEN);
        _issue(ann, TEN, 0);
        _expectRefusal(IShowdownCards.ZeroAmount.selector, COMMON);
        vm.prank(issuer);
        cards.issue(ann, _list(TEN, COMMON), _list(1, 0), "");
    }

    function test_an_empty_batch_is_not_issued() public {
        vm.expectRevert(IShowdownCards.EmptyBatch.selector);
        vm.prank(issuer);
        cards.issue(ann, _list(), _list(), "");
    }

    function test_every_id_has_an_amount() public {
        vm.expectRevert(abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidArrayLength.selector, 2, 1));
        vm.prank(issuer);
        cards.issue(ann, _list(TEN, COMMON), _list(1), "");
        vm.expectRevert(abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidArrayLength.selector, 1, 2));
        vm.prank(issuer);
        cards.issue(ann, _list(TEN), _list(1, 1), "");
    }

    function test_nothing_is_issued_to_nobody() public {
        vm.expectRevert(abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidReceiver.selector, address(0)));
        _issue(address(0), TEN, 1);
    }

    // Pausing

    function test_nothing_is_issued_while_paused() public {
        _pause();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        _issue(ann, TEN, 1);
    }

    function test_issuing_goes_on_after_a_pause() public {
        _pause();
        vm.prank(admin);
        cards.unpause();
        _issue(ann, TEN, 1);
        assertEq(cards.balanceOf(ann, TEN), 1);
    }

    function test_sets_are_published_and_allowances_set_while_paused() public {
        _pause();
        vm.startPrank(publisher);
        cards.publish(8, ROOT, URI, _caps(1));
        cards.allow(issuer, 8, 1);
        vm.stopPrank();
        assertEq(cards.allowance(issuer, 8), 1);
    }

    // Receivers that are contracts

    function test_a_contract_that_takes_no_tokens_is_issued_none() public {
        vm.expectRevert(
            abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidReceiver.selector, address(cards))
        );
        _issue(address(cards), TEN, 1);
    }

    function test_a_receiver_that_refuses_leaves_no_trace() public {
        HostileReceiver receiver = new HostileReceiver();
        receiver.refuse();
        _allow(5);
        vm.expectRevert(HostileReceiver.Refused.selector);
        _issue(address(receiver), TEN, 2);
        _assertRun(TEN, 10, 0, 0);
        assertEq(cards.allowance(issuer, SET), 5);
    }

    function test_a_receiver_that_answers_nonsense_leaves_no_trace() public {
        HostileReceiver receiver = new HostileReceiver();
        receiver.answerNonsense();
        vm.expectRevert(
            abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidReceiver.selector, address(receiver))
        );
        _issue(address(receiver), TEN, 2);
        _assertRun(TEN, 10, 0, 0);
    }

    function test_a_receiver_that_refuses_hurts_only_itself() public {
        HostileReceiver receiver = new HostileReceiver();
        receiver.refuse();
        vm.expectRevert(HostileReceiver.Refused.selector);
        _issue(address(receiver), TEN, 2);
        _issue(ann, TEN, 2);
        assertEq(cards.balanceOf(ann, TEN), 2);
    }

    function test_a_receiver_gets_the_data_that_the_issuer_sent() public {
        HostileReceiver receiver = new HostileReceiver();
        vm.prank(issuer);
        cards.issue(address(receiver), _list(TEN, UNIQUE), _list(2, 1), "for the winner");
        assertEq(receiver.lastData(), "for the winner");
    }

    function test_a_receiver_sees_counts_that_have_moved_on() public {
        HostileReceiver receiver = new HostileReceiver();
        receiver.whenCalled(address(cards), abi.encodeCall(cards.run, (TEN)));
        _issue(address(receiver), TEN, 4);
        IShowdownCards.Run memory seen = abi.decode(receiver.lastAnswer(), (IShowdownCards.Run));
        assertEq(seen.issued, 4);

        receiver.whenCalled(address(cards), abi.encodeCall(cards.allowance, (issuer, SET)));
        _allow(6);
        _issue(address(receiver), TEN, 1);
        assertEq(abi.decode(receiver.lastAnswer(), (uint64)), 1);
    }

    function test_an_issuer_that_issues_to_itself_again_when_called_stays_within_the_run() public {
        HostileReceiver receiver = _receiverThatIssues(TEN, 6);
        vm.prank(publisher);
        cards.allow(address(receiver), SET, 100);

        receiver.act(
            address(cards), abi.encodeCall(cards.issue, (address(receiver), _list(TEN), _list(6), ""))
        );

        assertFalse(receiver.lastSucceeded());
        assertEq(bytes4(receiver.lastAnswer()), IShowdownCards.RunExhausted.selector);
        _assertRun(TEN, 10, 6, 0);
        assertEq(cards.balanceOf(address(receiver), TEN), 6);
    }

    function test_an_issuer_that_issues_to_itself_again_when_called_stays_within_its_allowance() public {
        HostileReceiver receiver = _receiverThatIssues(COMMON, 6);
        vm.prank(publisher);
        cards.allow(address(receiver), SET, 10);

        receiver.act(
            address(cards), abi.encodeCall(cards.issue, (address(receiver), _list(COMMON), _list(6), ""))
        );

        assertFalse(receiver.lastSucceeded());
        assertEq(bytes4(receiver.lastAnswer()), IShowdownCards.AllowanceExceeded.selector);
        _assertRun(COMMON, type(uint32).max, 6, 0);
    }

    function test_a_receiver_that_burns_when_called_is_counted() public {
        HostileReceiver receiver = new HostileReceiver();
        receiver.whenCalled(address(cards), abi.encodeCall(cards.burn, (address(receiver), TEN, 3)));
        _issue(address(receiver), TEN, 4);
        assertTrue(receiver.lastSucceeded());
        assertEq(cards.balanceOf(address(receiver), TEN), 1);
        _assertRun(TEN, 10, 4, 3);
    }

    /// @dev An issuer that, once called as a receiver, issues itself the same again, once.
    function _receiverThatIssues(uint256 id, uint256 amount) private returns (HostileReceiver receiver) {
        receiver = new HostileReceiver();
        vm.prank(admin);
        cards.grantRole(ISSUER_ROLE, address(receiver));
        receiver.whenCalled(
            address(cards), abi.encodeCall(cards.issue, (address(receiver), _list(id), _list(amount), ""))
        );
    }
}
