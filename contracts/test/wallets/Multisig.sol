// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title A wallet of several owners
/// @notice As many as the threshold says must have signed, and their signatures of 65 bytes stand one behind the other,
/// in the order of the owners' addresses; or the wallet itself keeps what was signed, and the signature is empty.
contract Multisig is IERC1271, IERC1155Receiver {
    error NotAnOwner();

    uint256 private constant _SIGNATURE = 65;

    mapping(address owner => bool) public isOwner;
    mapping(bytes32 digest => bool) public isKept;
    uint256 public threshold;

    modifier onlyOwner() {
        if (!isOwner[msg.sender]) revert NotAnOwner();
        _;
    }

    constructor(address[] memory owners, uint256 threshold_) {
        for (uint256 i = 0; i < owners.length; ++i) {
            isOwner[owners[i]] = true;
        }
        threshold = threshold_;
    }

    /// @notice Keeps a digest as signed; one owner is enough in a test.
    function keep(bytes32 digest) external onlyOwner {
        isKept[digest] = true;
    }

    /// @notice Makes a call as this wallet; one owner is enough in a test.
    function act(address target, bytes calldata call) external onlyOwner {
        (bool succeeded, bytes memory answer) = target.call(call);
        if (succeeded) return;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    /// @notice Replaces an owner, after which the old one's signatures are worth nothing.
    function replace(address old, address fresh) external onlyOwner {
        (isOwner[old], isOwner[fresh]) = (false, true);
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 digest, bytes calldata signatures) external view returns (bytes4) {
        if (signatures.length == 0) return isKept[digest] ? this.isValidSignature.selector : bytes4(0);
        if (signatures.length < threshold * _SIGNATURE) return bytes4(0);
        address last;
        for (uint256 i = 0; i < threshold; ++i) {
            bytes calldata signature = signatures[i * _SIGNATURE:(i + 1) * _SIGNATURE];
            (address owner, ECDSA.RecoverError failure,) = ECDSA.tryRecover(digest, signature);
            if (failure != ECDSA.RecoverError.NoError || !isOwner[owner] || owner <= last) return bytes4(0);
            last = owner;
        }
        return this.isValidSignature.selector;
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155Received(address, address, uint256, uint256, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return IERC1155Receiver.onERC1155Received.selector;
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return IERC1155Receiver.onERC1155BatchReceived.selector;
    }

    /// @notice Whether this supports an interface: receiving tokens, and saying so.
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC1155Receiver).interfaceId || interfaceId == 0x01ffc9a7;
    }
}
