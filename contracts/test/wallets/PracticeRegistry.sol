// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A registry of delegations that is asked as delegate.xyz is
/// @notice The functions for which the verifier and its tests need the registry, with the names and answers of version
/// 2 of it: a delegation with limited rights is found by those rights, one without limits by any; at wider levels a
/// narrower question is answered too. Nothing else is alike.
contract PracticeRegistry {
    mapping(bytes32 place => uint256 amount) private _amounts;

    /// @notice A vault vouches for everything that it has, or no longer does.
    function delegateAll(address to, bytes32 rights, bool enable) external payable returns (bytes32) {
        return _set(keccak256(abi.encode("all", msg.sender, to, rights)), _whole(enable));
    }

    /// @notice A vault vouches for what it has of one contract, or no longer does.
    function delegateContract(address to, address contract_, bytes32 rights, bool enable)
        external
        payable
        returns (bytes32)
    {
        return _set(keccak256(abi.encode("contract", msg.sender, to, contract_, rights)), _whole(enable));
    }

    /// @notice A vault vouches for so many units of one token id; for none, if it no longer does.
    function delegateERC1155(address to, address contract_, uint256 tokenId, bytes32 rights, uint256 amount)
        external
        payable
        returns (bytes32)
    {
        return _set(keccak256(abi.encode("erc1155", msg.sender, to, contract_, tokenId, rights)), amount);
    }

    /// @notice Whether everything is delegated.
    function checkDelegateForAll(address to, address from, bytes32 rights) external view returns (bool) {
        return _all(to, from, 0) || _all(to, from, rights);
    }

    /// @notice Whether everything of a contract is delegated.
    function checkDelegateForContract(address to, address from, address contract_, bytes32 rights)
        external
        view
        returns (bool)
    {
        return _contract(to, from, contract_, 0) || _contract(to, from, contract_, rights);
    }

    /// @notice How many units of a token id are delegated; the largest number there is at wider levels.
    function checkDelegateForERC1155(
        address to,
        address from,
        address contract_,
        uint256 tokenId,
        bytes32 rights
    ) external view returns (uint256) {
        uint256 unlimited = _units(to, from, contract_, tokenId, 0);
        uint256 limited = _units(to, from, contract_, tokenId, rights);
        return unlimited > limited ? unlimited : limited;
    }

    function _set(bytes32 place, uint256 amount) private returns (bytes32) {
        _amounts[place] = amount;
        return place;
    }

    function _whole(bool enable) private pure returns (uint256) {
        return enable ? type(uint256).max : 0;
    }

    function _all(address to, address from, bytes32 rights) private view returns (bool) {
        return _amounts[keccak256(abi.encode("all", from, to, rights))] != 0;
    }

    function _contract(address to, address from, address contract_, bytes32 rights)
        private
        view
        returns (bool)
    {
        return _all(to, from, rights)
            || _amounts[keccak256(abi.encode("contract", from, to, contract_, rights))] != 0;
    }

    function _units(address to, address from, address contract_, uint256 tokenId, bytes32 rights)
        private
        view
        returns (uint256)
    {
        if (_contract(to, from, contract_, rights)) return type(uint256).max;
        return _amounts[keccak256(abi.encode("erc1155", from, to, contract_, tokenId, rights))];
    }
}
