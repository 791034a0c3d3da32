// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";

/// @title Cards lent for less than a transaction
/// @notice For tests of whoever counts cards: the borrower holds them while the transaction runs, and at no block.
/// Both have to approve this contract first.
contract FlashLoan {
    /// @notice What the borrower held in between.
    event Held(uint256 units);

    function lend(IERC1155 cards, address lender, address borrower, uint256 id, uint256 units) external {
        cards.safeTransferFrom(lender, borrower, id, units, "");
        emit Held(cards.balanceOf(borrower, id));
        cards.safeTransferFrom(borrower, lender, id, units, "");
    }
}
