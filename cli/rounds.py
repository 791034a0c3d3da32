"""`deckproof round …`: tables, what is missing, why a round is so, and how it is mended."""

from cli import asking, round_changes, round_tables

app = asking.new_app(no_args_is_help=True)


@app.callback()
def _rounds() -> None:
    """The rounds of an event: tables, missing results, reasons, changes by hand and after mistakes."""


asking.gather(app, round_tables, round_changes)
