"""`deckproof event-file …`: a whole event in one file, without a server. The commands, in the order of an event."""

from collections.abc import Callable

from cli import asking
from cli.event_file_convert import convert
from cli.event_file_cut import cut, match, places
from cli.event_file_entries import add, drop, new, return_
from cli.event_file_plans import forecast, round_robin, schema, simulate
from cli.event_file_repair import repair
from cli.event_file_rounds import check, faults, pair, prove, report, show
from cli.event_file_standings import needs, standings

app = asking.new_app(no_args_is_help=True)


@app.callback()
def _event_files() -> None:
    """A whole event in one file: enter, pair, report, rank, repair, cut, judge. Needs no server.

    docs/guide/event-file.md describes the file.
    """


_COMMANDS: tuple[Callable[..., None], ...] = (
    *(new, add, drop, return_),
    *(check, pair, show, report, repair),
    *(standings, needs, cut, match, places),
    *(faults, prove, forecast, simulate, round_robin, convert, schema),
)
for _command in _COMMANDS:
    app.command(_command.__name__.strip("_").replace("_", "-"))(_command)
