"""`deckproof entry …`: who plays. The commands, as the desk needs them."""

from cli import asking, entry_desk, entry_players, entry_rosters

app = asking.new_app(no_args_is_help=True)


@app.callback()
def _entries() -> None:
    """Who plays: enter, import, check in, correct, drop, return."""


asking.gather(app, entry_players, entry_rosters, entry_desk)
