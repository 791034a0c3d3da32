"""`deckproof event …`: announce, open, pair, report, cut, finish, export, import. The commands, as an evening goes."""

from cli import asking, event_announcing, event_cuts, event_ends, event_ownership, event_results, event_rounds

app = asking.new_app(no_args_is_help=True)


@app.callback()
def _events() -> None:
    """An event on a server: announce, open, pair, report, cut, finish, export, import."""


asking.gather(app, event_announcing, event_rounds, event_ownership, event_results, event_cuts, event_ends)
