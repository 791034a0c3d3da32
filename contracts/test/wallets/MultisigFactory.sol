// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {HostileWallet} from "./HostileWallet.sol";
import {Multisig} from "./Multisig.sol";

/// @title Deploys wallets to addresses that are known before
contract MultisigFactory {
    /// @notice Deploys a wallet, or fails where it stands already.
    function deploy(address[] calldata owners, uint256 threshold, bytes32 salt) external returns (address) {
        return address(new Multisig{salt: salt}(owners, threshold));
    }

    /// @notice Deploys a wallet that lies.
    function deployHostile(HostileWallet.Mode mode, bytes32 salt) external returns (address) {
        return address(new HostileWallet{salt: salt}(mode));
    }

    /// @notice Where `deploy` puts the wallet.
    function addressOf(address[] calldata owners, uint256 threshold, bytes32 salt)
        external
        view
        returns (address)
    {
        return _addressOf(bytes.concat(type(Multisig).creationCode, abi.encode(owners, threshold)), salt);
    }

    /// @notice Where `deployHostile` puts the wallet.
    function addressOfHostile(HostileWallet.Mode mode, bytes32 salt) external view returns (address) {
        return _addressOf(bytes.concat(type(HostileWallet).creationCode, abi.encode(mode)), salt);
    }

    function _addressOf(bytes memory creation, bytes32 salt) private view returns (address) {
        bytes32 hash = keccak256(abi.encodePacked(hex"ff", address(this), salt, keccak256(creation)));
        return address(uint160(uint256(hash)));
    }
}
