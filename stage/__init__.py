"""A day at the tournament for somebody who has none: a chain with cards, players with stories, events at any hour."""
