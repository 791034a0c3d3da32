"""Running the event in which the deck is played."""
