// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title What an EIP-7702 account delegates to: its own key signs, and a second one that it names
/// @dev All state is in the account that delegates.
contract KeyDelegate is IERC1271 {
    error NotTheAccount();

    address public secondKey;

    /// @notice Names the second key; only the account itself may.
    function setSecondKey(address key) external {
        if (msg.sender != address(this)) revert NotTheAccount();
        secondKey = key;
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        (address key, ECDSA.RecoverError failure,) = ECDSA.tryRecover(digest, signature);
        bool ours = failure == ECDSA.RecoverError.NoError && (key == address(this) || key == secondKey);
        return ours ? this.isValidSignature.selector : bytes4(0);
    }
}
