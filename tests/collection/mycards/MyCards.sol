// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

/// @title Somebody else's collection, as plain as they come
/// @dev MyCards.json beside this file is what a compiler makes of it, in the shape that forge writes.
contract MyCards is ERC1155 {
    constructor() ERC1155("https://example.org/{id}.json") {}

    function mint(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, "");
    }
}
