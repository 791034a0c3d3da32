"""The rules of the games: cards, card sets, deck formats, and what breaks them. Pure: no network, no clock."""
