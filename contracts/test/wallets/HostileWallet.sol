// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// solhint-disable no-complex-fallback, avoid-tx-origin

/// @title A wallet that says yes, or something that looks like it, in one chosen way
/// @notice For tests of whoever asks wallets what they signed. Whatever is called gets the answer. It has no immutables,
/// so that all modes share one runtime code; and as an EIP-7702 delegate, whose storage is empty, it is `AlwaysTrue`.
contract HostileWallet {
    enum Mode {
        /// The magic value, whoever asks and whatever for.
        AlwaysTrue,
        /// The magic value with something behind it in the same word.
        DirtyWord,
        /// The magic value, and a second word.
        TwoWords,
        /// The four bytes of the magic value, and no more.
        FourBytes,
        /// The magic value at the end of the word, as a number would be.
        RightAligned,
        /// The number 1, as a boolean.
        Boolean,
        /// What it was asked, back: it begins with the magic value.
        Echo,
        /// The first word of what it was asked, back.
        EchoWord,
        /// The magic value if nobody pays for the question, as when a node is asked.
        TrueWhenAsked,
        /// Success, and not a byte of answer.
        Empty,
        /// Fails, with the magic value as its reason.
        RevertsWithMagic,
        /// Fails and takes all gas along.
        BurnsAllGas,
        /// A megabyte.
        Flood
    }

    uint256 private constant _MAGIC = 0x1626ba7e << 224;
    uint256 private constant _FLOOD = 1 << 20;

    Mode public mode;

    constructor(Mode mode_) {
        mode = mode_;
    }

    fallback() external {
        Mode how = mode;
        if (how == Mode.AlwaysTrue) _return(_MAGIC, 32);
        if (how == Mode.DirtyWord) _return(_MAGIC | 1, 32);
        if (how == Mode.TwoWords) _return(_MAGIC, 64);
        if (how == Mode.FourBytes) _return(_MAGIC, 4);
        if (how == Mode.RightAligned) _return(0x1626ba7e, 32);
        if (how == Mode.Boolean) _return(1, 32);
        if (how == Mode.Flood) _return(_MAGIC, _FLOOD);
        if (how == Mode.TrueWhenAsked) _return(_isSimulated() ? _MAGIC : 0, 32);
        if (how == Mode.RevertsWithMagic) _revert(_MAGIC);
        if (how == Mode.Echo) _echo(msg.data.length);
        if (how == Mode.EchoWord) _echo(32);
        if (how == Mode.BurnsAllGas) _burnAllGas();
    }

    /// @dev Some wallets skip their checks for these senders, who cannot send: a node's default, and one that is
    /// customary for estimates.
    function _isSimulated() private view returns (bool) {
        return tx.origin == address(0) || tx.origin == address(1);
    }

    function _return(uint256 word, uint256 size) private pure {
        assembly ("memory-safe") {
            let answer := mload(0x40)
            mstore(answer, word)
            return(answer, size)
        }
    }

    function _revert(uint256 word) private pure {
        assembly ("memory-safe") {
            mstore(0, word)
            revert(0, 32)
        }
    }

    function _echo(uint256 size) private pure {
        assembly ("memory-safe") {
            let answer := mload(0x40)
            calldatacopy(answer, 0, size)
            return(answer, size)
        }
    }

    function _burnAllGas() private pure {
        assembly ("memory-safe") {
            invalid()
        }
    }
}
