"""Documents of the log."""

from pydantic import Field

from tournament.api.schemas.document import AnyFact, Document, Receipt


class LogPage(Document):
    """A page of an event's log."""

    receipts: list[Receipt[AnyFact]]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class Checked(Document):
    """What an audit found."""

    holds: bool
    version: int
    breaks: list[str] = Field(description="places where the log does not hold")
    differences: list[str] = Field(description="rows that are not what the log makes them")
