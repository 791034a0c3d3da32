"""Does this player own this deck, at this block? For any ERC-1155 collection."""
