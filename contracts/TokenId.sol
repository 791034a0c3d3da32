// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title How a token id names a card
/// @notice The set and the card's number in it, and whether the copies under that id are soulbound:
///
///     bits 0-15     number of the card in its set, 1 to 65535
///     bits 16-31    set, 1 to 65535
///     bit 32        1 for soulbound copies of that same card, 0 for ordinary ones
///     bits 33-255   zero
///
/// @dev Nothing here asks whether such a card was published; only the collection knows.
library TokenId {
    /// @notice The highest set, and the highest number that a card can have in one.
    uint256 internal constant MAX = type(uint16).max;

    uint256 private constant _SET_SHIFT = 16;
    uint256 private constant _SOULBOUND_BIT = 1 << 32;

    /// @notice The id of a card's ordinary copies.
    /// @param set Number of the set
    /// @param number Number of the card in the set
    /// @return The token id
    function card(uint16 set, uint16 number) internal pure returns (uint256) {
        return uint256(set) << _SET_SHIFT | number;
    }

    /// @notice The set that an id lies in.
    /// @param id Token id of a card, ordinary or soulbound
    /// @return Number of the set
    function setOf(uint256 id) internal pure returns (uint16) {
        // Dropping the bits above the set is the point.
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint16(id >> _SET_SHIFT);
    }

    /// @notice Whether an id names soulbound copies.
    /// @param id Token id of a card
    /// @return Whether it has the soulbound bit
    function isSoulbound(uint256 id) internal pure returns (bool) {
        return id & _SOULBOUND_BIT != 0;
    }

    /// @notice The id of the soulbound copies of a card.
    /// @param id Token id of the card, ordinary or soulbound
    /// @return The token id with the soulbound bit
    function soulbound(uint256 id) internal pure returns (uint256) {
        return id | _SOULBOUND_BIT;
    }

    /// @notice The id of the ordinary copies of a card.
    /// @dev Clears bit 32 and no other, so that an id with a stray higher bit stays the id of nothing.
    /// @param id Token id of the card, ordinary or soulbound
    /// @return The token id without the soulbound bit
    function ordinary(uint256 id) internal pure returns (uint256) {
        return id & ~_SOULBOUND_BIT;
    }
}
