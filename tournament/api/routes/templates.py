"""Templates: what events of a game usually announce."""

from tournament.api.schemas import Template, Templates
from tournament.api.shelf import Shelf
from tournament.domain.templates import TEMPLATES

router = Shelf(prefix="/templates", tags=["events"])


@router.get("")
def list_templates() -> Templates:
    """Every template. Name one when you announce an event, and name what should be otherwise."""
    return Templates(
        templates=[
            Template(
                name=one.name,
                title=one.title,
                game=one.game,
                words=one.words,
                announced=dict(one.announced),
            )
            for one in TEMPLATES.values()
        ]
    )
