"""What an organizer, a player and a script can ask for: one module a noun."""
