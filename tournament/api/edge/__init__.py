"""The edge: what is asked of a request before any route sees it, and what every answer has.

From the outside in: `Heads` numbers a request, answers HEAD, adds the headers that keep browsers careful, and writes
the line of the log; `Origins` finds out who really asks behind a proxy, and refuses other hosts; `Bodies` takes a body
in, up to a length and within a time, and lets through only JSON that can be read in one way.

They are plain ASGI, outside of everything else, so that a refusal costs little and a bug's answer has the headers too.
"""

from starlette.types import ASGIApp

from tournament.api.edge.bodies import Bodies
from tournament.api.edge.heads import Heads, Uses
from tournament.api.edge.origins import Origins
from tournament.settings import Settings


def guarded(app: ASGIApp, settings: Settings, uses: Uses) -> ASGIApp:
    """The application behind its edge."""
    return Heads(Origins(Bodies(app), settings), uses)
