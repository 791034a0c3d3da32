// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";

import {IShowdownCards} from "../IShowdownCards.sol";
import {CardsFixture} from "./CardsFixture.sol";

contract BurnTest is CardsFixture {
    //     ann holds | ordinary | soulbound
    //     ----------+----------+----------
    //     TEN       |    6     |    4
    //     COMMON    |  100     |
    function setUp() public override {
        super.setUp();
        vm.prank(issuer);
        cards.issue(ann, _list(TEN, TEN_SOULBOUND, COMMON), _list(6, 4, 100), "");
    }

    function _burnBatch(address operator, uint256[] memory ids, uint256[] memory amounts) private {
        vm.prank(operator);
        cards.burnBatch(ann, ids, amounts);
    }

    function test_burned_copies_are_gone() public {
        _burn(ann, TEN, 2);
        assertEq(cards.balanceOf(ann, TEN), 4);
        assertEq(cards.balanceOf(ann, TEN_SOULBOUND), 4);
    }

    function test_burned_copies_are_counted() public {
        _burn(ann, TEN, 2);
        _burn(ann, TEN, 1);
        _assertRun(TEN, 10, 10, 3);
    }

    function test_burning_one_card_is_not_counted_for_another() public {
        _burn(ann, TEN, 2);
        _assertRun(COMMON, type(uint32).max, 100, 0);
    }

    function test_soulbound_copies_can_be_burned() public {
        _burn(ann, TEN_SOULBOUND, 4);
        assertEq(cards.balanceOf(ann, TEN_SOULBOUND), 0);
        assertEq(cards.balanceOf(ann, TEN), 6);
        _assertRun(TEN, 10, 10, 4);
    }

    function test_several_cards_are_burned_at_once() public {
        _burnBatch(ann, _list(TEN, TEN_SOULBOUND, COMMON), _list(1, 2, 3));
        _assertRun(TEN, 10, 10, 3);
        _assertRun(COMMON, type(uint32).max, 100, 3);
    }

    function test_an_id_that_is_burned_twice_counts_twice() public {
        _burnBatch(ann, _list(TEN, TEN), _list(2, 3));
        assertEq(cards.balanceOf(ann, TEN), 1);
        _assertRun(TEN, 10, 10, 5);
    }

    function test_burning_is_told_as_a_transfer_to_nobody() public {
        vm.expectEmit(address(cards));
        emit IERC1155.TransferSingle(ann, ann, address(0), TEN, 2);
        _burn(ann, TEN, 2);
    }

    function test_burning_never_permits_a_reprint() public {
        _burn(ann, TEN, 6);
        _burn(ann, TEN_SOULBOUND, 4);
        _expectRunExhausted(TEN, 1, 0);
        _issue(ann, TEN, 1);
        _expectRunExhausted(TEN_SOULBOUND, 1, 0);
        _issue(ann, TEN_SOULBOUND, 1);
    }

    function test_copies_are_burned_by_an_operator_that_the_holder_approved() public {
        _approve(ann, stranger);
        vm.prank(stranger);
        cards.burn(ann, TEN_SOULBOUND, 1);
        _burnBatch(stranger, _list(TEN), _list(1));
        _assertRun(TEN, 10, 10, 2);
    }

    function test_copies_are_not_burned_by_strangers() public {
        _expectNotApproved(stranger);
        vm.prank(stranger);
        cards.burn(ann, TEN, 1);
        _expectNotApproved(stranger);
        vm.prank(stranger);
        cards.burn(ann, TEN_SOULBOUND, 1);
        _expectNotApproved(stranger);
        _burnBatch(stranger, _list(TEN), _list(1));
    }

    function test_copies_are_not_burned_by_any_role() public {
        address[4] memory roles = [admin, publisher, issuer, pauser];
        for (uint256 i = 0; i < roles.length; ++i) {
            _expectNotApproved(roles[i]);
            vm.prank(roles[i]);
            cards.burn(ann, TEN, 1);
        }
    }

    function test_nobody_burns_more_than_there_is() public {
        uint256[3] memory tooMany = [uint256(7), (1 << 32) + 1, type(uint256).max];
        for (uint256 i = 0; i < tooMany.length; ++i) {
            vm.expectRevert(
                abi.encodeWithSelector(
                    IERC1155Errors.ERC1155InsufficientBalance.selector, ann, 6, tooMany[i], TEN
                )
            );
            _burn(ann, TEN, tooMany[i]);
        }
    }

    function test_nothing_is_burned_in_zeros() public {
        _expectRefusal(IShowdownCards.ZeroAmount.selector, TEN);
        _burn(ann, TEN, 0);
        _expectRefusal(IShowdownCards.ZeroAmount.selector, TEN_SOULBOUND);
        _burnBatch(ann, _list(TEN, TEN_SOULBOUND), _list(1, 0));
    }

    function test_an_empty_batch_is_not_burned() public {
        vm.expectRevert(IShowdownCards.EmptyBatch.selector);
        _burnBatch(ann, _list(), _list());
    }

    function test_every_id_that_is_burned_has_an_amount() public {
        vm.expectRevert(abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidArrayLength.selector, 1, 2));
        _burnBatch(ann, _list(TEN), _list(1, 1));
    }

    function test_copies_are_burned_while_paused() public {
        _pause();
        _burn(ann, TEN, 1);
        _burnBatch(ann, _list(TEN_SOULBOUND), _list(1));
        _assertRun(TEN, 10, 10, 2);
    }

    function test_a_whole_run_of_the_largest_size_can_be_burned() public {
        _issue(ann, COMMON, type(uint32).max - 100);
        _burn(ann, COMMON, type(uint32).max);
        _assertRun(COMMON, type(uint32).max, type(uint32).max, type(uint32).max);
    }

    function _expectNotApproved(address operator) private {
        vm.expectRevert(
            abi.encodeWithSelector(IERC1155Errors.ERC1155MissingApprovalForAll.selector, operator, ann)
        );
    }
}
