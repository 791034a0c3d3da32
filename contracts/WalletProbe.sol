// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// What is returned instead of code, and how much of an answer is looked at, can only be said in assembly.
// solhint-disable no-inline-assembly

/// @title Asks a wallet that is not deployed yet what it would say
/// @notice Its creation code is run by `eth_call`, and nothing of it stays: it deploys the wallet, asks it two
/// questions, and instead of code returns seven words: the size of the wallet's code after the deployment; then for each
/// question whether it succeeded, how many bytes it answered, and the first 32 of them. Whoever asks judges; nothing is
/// concluded here.
/// @dev A wallet that has code already is not deployed again: no call of the signer's choosing is made then.
contract WalletProbe {
    /// @dev Gas for each question; what is left of the call is for the deployment.
    uint256 private constant _QUESTION_GAS = 3_000_000;

    constructor(
        address wallet,
        address factory,
        bytes memory deployment,
        bytes memory first,
        bytes memory second
    ) {
        if (wallet.code.length == 0) _deploy(factory, deployment);
        uint256[7] memory answers;
        answers[0] = wallet.code.length;
        (answers[1], answers[2], answers[3]) = _ask(wallet, first);
        (answers[4], answers[5], answers[6]) = _ask(wallet, second);
        assembly ("memory-safe") {
            return(answers, 0xe0)
        }
    }

    /// @dev Whether it succeeded does not matter: the wallet has code afterwards, or has none.
    function _deploy(address factory, bytes memory deployment) private {
        uint256 left = gasleft();
        uint256 limit = left > 3 * _QUESTION_GAS ? left - 3 * _QUESTION_GAS : 0;
        assembly ("memory-safe") {
            pop(call(limit, factory, 0, add(deployment, 0x20), mload(deployment), 0, 0))
        }
    }

    function _ask(address wallet, bytes memory question)
        private
        view
        returns (uint256 succeeded, uint256 size, uint256 word)
    {
        assembly ("memory-safe") {
            mstore(0, 0)
            succeeded := staticcall(_QUESTION_GAS, wallet, add(question, 0x20), mload(question), 0, 0x20)
            size := returndatasize()
            word := mload(0)
        }
    }
}
