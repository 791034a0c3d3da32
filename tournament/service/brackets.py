"""The cut as rows: read as the value that the rules know, and written a line at a time."""

import json

from sqlmodel import Session

from tournament import store
from tournament.domain.bracket import Bracket, Leaving, left
from tournament.domain.model import PlayerId
from tournament.errors import CutNotFound
from tournament.tables import BracketLineRow, EventRow, LogRow


def load(session: Session, event: str) -> Bracket:
    """The cut of an event. Raises: CutNotFound."""
    bracket = store.bracket_of(session, event)
    if bracket is None:
        raise CutNotFound
    return bracket


def leave(session: Session, event: EventRow, row: LogRow, entry: int, why: Leaving) -> None:
    """What it does to the cut that a player left the event: nothing, if there is none or the player is not in it."""
    bracket = store.bracket_of(session, event.id)
    player = PlayerId(str(entry))
    if bracket is None or player not in bracket.seeds or left(bracket).get(player) in {why, Leaving.DISQUALIFIED}:
        return
    line = next_line(session, event, row)
    line.gone, line.why = json.dumps([entry]), why.value
    store.add_line(session, line)


def reinstate(session: Session, event: EventRow, row: LogRow, entry: int) -> None:
    """What it does to the cut that a disqualification is taken back: it was a drop. Who was in it too stays out."""
    for line in store.bracket_lines(session, event.id):
        gone = json.loads(line.gone or "[]")
        if line.why == Leaving.DISQUALIFIED and entry in gone:
            line.why = Leaving.DROPPED.value
            for other in gone:
                if other != entry:
                    leave(session, event, row, other, Leaving.DISQUALIFIED)


def next_line(session: Session, event: EventRow, row: LogRow) -> BracketLineRow:
    """The line that comes next, still without words."""
    line = store.last_line(session, event.id) + 1
    return BracketLineRow(event_id=event.id, line=line, sequence=row.sequence, at=row.at)
