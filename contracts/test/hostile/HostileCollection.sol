// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

/// @title A collection that lies about balances, in one chosen way
/// @notice For tests of whoever reads balances. Everybody holds one copy of everything: that is the honest answer,
/// from which each mode departs. It has no immutables, so that all of them share one runtime code.
contract HostileCollection {
    /// @dev How `balanceOfBatch` answers, up to `Loops`; then how `supportsInterface` does, with balances answered
    /// honestly; then both.
    enum Mode {
        /// The right answer: one of everything.
        Honest,
        /// One balance fewer than were asked for, well encoded.
        OneShort,
        /// One balance more than were asked for, well encoded.
        OneLong,
        /// An array of no balances, well encoded.
        NoBalances,
        /// Success, and not a byte of answer.
        Empty,
        /// The right answer, then a word that does not belong to it.
        TrailingGarbage,
        /// The right answer, less its last byte.
        Truncated,
        /// An offset to beyond the end of the answer.
        WrongOffset,
        /// An offset that skips a word of padding: odd, but a lenient decoder follows it.
        OddOffset,
        /// A length of 2^256 - 1, and the right balances behind it.
        EndlessLength,
        /// Every balance is 2^256 - 1.
        Huge,
        /// Three megabytes of zeros, whatever was asked.
        Flood,
        /// Fails and says nothing.
        Reverts,
        /// Fails with a reason.
        RevertsWithReason,
        /// Fails and takes all gas along, at once.
        BurnsAllGas,
        /// Fails and takes all gas along, after as long as that lasts.
        Loops,
        /// Says that it is no ERC-1155.
        DeniesInterface,
        /// Fails when it is asked what it is.
        InterfaceReverts,
        /// Succeeds, and not a byte of answer, when it is asked what it is.
        InterfaceEmpty,
        /// Says 2 when it is asked what it is, which is no bool.
        InterfaceTwo,
        /// Says yes to every interface, even to 0xffffffff, to which ERC-165 says no.
        ClaimsEverything,
        /// Succeeds at everything with no answer: what an address without code does.
        Silent
    }

    uint256 private constant _FLOOD_BYTES = 3 << 20;

    Mode public mode;

    /// @notice What a failing answer says.
    error Hostile();

    modifier unlessSilent() {
        if (mode == Mode.Silent) _return("");
        _;
    }

    constructor(Mode mode_) {
        mode = mode_;
    }

    /// @notice Changes the mode, as an upgraded proxy might between two questions.
    function become(Mode mode_) external {
        mode = mode_;
    }

    /// @notice Tells of a transfer that never was.
    function pretendTransfer(address from, address to, uint256 id, uint256 amount) external {
        emit IERC1155.TransferSingle(msg.sender, from, to, id, amount);
    }

    /// @notice One of everything, unless the mode says otherwise.
    function balanceOf(address, uint256) external view unlessSilent returns (uint256) {
        return mode == Mode.Huge ? type(uint256).max : 1;
    }

    /// @notice As `balanceOf` for each pair, encoded as the mode says.
    function balanceOfBatch(address[] calldata, uint256[] calldata ids)
        external
        view
        unlessSilent
        returns (uint256[] memory)
    {
        Mode how = mode;
        if (how == Mode.Reverts) _revert("");
        if (how == Mode.RevertsWithReason) revert Hostile();
        if (how == Mode.BurnsAllGas) _burnAllGas();
        if (how == Mode.Loops) _loop();
        if (how == Mode.Flood) _return(new bytes(_FLOOD_BYTES));
        _return(_answer(how, ids.length));
    }

    /// @notice Whether this is an ERC-1155 collection, if the mode lets it say.
    function supportsInterface(bytes4 interfaceId) external view unlessSilent returns (bool) {
        if (mode == Mode.InterfaceReverts) _revert("");
        if (mode == Mode.InterfaceEmpty) _return("");
        if (mode == Mode.InterfaceTwo) _return(abi.encode(2));
        if (mode == Mode.DeniesInterface) return interfaceId == type(IERC165).interfaceId;
        if (mode == Mode.ClaimsEverything) return true;
        return interfaceId == type(IERC165).interfaceId || interfaceId == type(IERC1155).interfaceId;
    }

    /// @dev The bytes that answer a question for `count` balances.
    function _answer(Mode how, uint256 count) private pure returns (bytes memory) {
        if (how == Mode.Empty) return "";
        if (how == Mode.NoBalances) return _encode(0x20, 0, _balances(0, 1));
        if (how == Mode.OneShort) return _encode(0x20, count - 1, _balances(count - 1, 1));
        if (how == Mode.OneLong) return _encode(0x20, count + 1, _balances(count + 1, 1));
        if (how == Mode.Huge) return _encode(0x20, count, _balances(count, type(uint256).max));
        if (how == Mode.EndlessLength) return _encode(0x20, type(uint256).max, _balances(count, 1));

        bytes memory right = _encode(0x20, count, _balances(count, 1));
        if (how == Mode.WrongOffset) return _encode(right.length, count, _balances(count, 1));
        if (how == Mode.OddOffset) {
            return bytes.concat(abi.encode(0x40, 0), abi.encode(count), _balances(count, 1));
        }
        if (how == Mode.TrailingGarbage) return bytes.concat(right, keccak256("garbage"));
        if (how == Mode.Truncated) return _shortened(right);
        return right;
    }

    function _encode(uint256 offset, uint256 length, bytes memory balances)
        private
        pure
        returns (bytes memory)
    {
        return bytes.concat(abi.encode(offset, length), balances);
    }

    function _balances(uint256 count, uint256 each) private pure returns (bytes memory words) {
        words = new bytes(count * 32);
        for (uint256 end = 32; end <= words.length; end += 32) {
            assembly ("memory-safe") {
                mstore(add(words, end), each)
            }
        }
    }

    function _shortened(bytes memory whole) private pure returns (bytes memory) {
        assembly ("memory-safe") {
            mstore(whole, sub(mload(whole), 1))
        }
        return whole;
    }

    /// @dev Ends the call with these bytes and nothing around them.
    function _return(bytes memory answer) private pure {
        assembly ("memory-safe") {
            return(add(answer, 0x20), mload(answer))
        }
    }

    function _revert(bytes memory answer) private pure {
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    function _burnAllGas() private pure {
        assembly ("memory-safe") {
            invalid()
        }
    }

    function _loop() private pure {
        assembly ("memory-safe") {
            for {} 1 {} {}
        }
    }
}
