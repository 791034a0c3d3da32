"""Documents of the server's health."""

from pydantic import Field

from tournament.api.schemas.document import Document


class Alive(Document):
    """The process runs."""

    status: str = Field(examples=["ok"])
    version: str = Field(examples=["0.1.0"])


class Backlog(Document):
    """What is to be sent to webhooks, of all events."""

    waiting: int
    dead: int = Field(description="given up; an organizer may have them sent again")
    oldest: str | None = Field(description="since when the oldest of those that wait does")


class Health(Document):
    """Whether the server can work."""

    status: str = Field(examples=["ok"])
    version: str = Field(examples=["0.1.0"])
    database: str = Field(examples=["sqlite"])
    shape: str = Field(examples=["0003"], description="the last step that brought the database up to date")
    streams: int = Field(examples=[600], description="live streams open in the process that answers")
    webhooks: Backlog
