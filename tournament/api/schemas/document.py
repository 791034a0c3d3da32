"""What every document is made of: receipts, rows of a log, problems."""

from datetime import UTC, datetime
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role

F = TypeVar("F", bound=BaseModel)


class Document(BaseModel):
    """Something the API says."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Problem(BaseModel):
    """Why something was not done. Source: RFC 9457. A type has fields of its own beside these."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(examples=["/problems/stale-event"])
    title: str = Field(examples=["Others changed the event meanwhile"])
    detail: str = Field(examples=["you acted on version 6, and the event is at 7; look again"])
    status: int = Field(examples=[409])


class LogLine(Document, Generic[F]):
    """A row of a log."""

    event: str = Field(examples=["k3v7qzj2m5xa"])
    sequence: int = Field(ge=1, examples=[7], description="also the version of the event after the command")
    command: str = Field(description="your id of it, or ours if you gave none")
    name: str = Field(examples=["entry.add"])
    arguments: dict[str, Any]
    fact: F
    actor: str = Field(examples=["ann"])
    role: Role
    at: str = Field(examples=["2026-01-31T09:30:00.000000Z"])
    reason: str = Field(examples=[""])
    previous: str
    hash: str


class Receipt(LogLine[F]):
    """A command that was accepted: its row of the event's log. Keep the hash, and nobody can deny it."""

    phase: Phase
    salt: str = Field(
        default="",
        exclude_if=lambda salt: not salt,
        description="64 hex digits, of rows that are sealed where the log is published; others have none",
    )


class SeriesReceipt(LogLine[F]):
    """The same of a series, whose id stands in place of the event's; a series has no phase."""

    phase: Literal[""]


class AnyFact(BaseModel):
    """What came of a command; its fields are those of the command's own answer."""

    model_config = ConfigDict(extra="allow")


def without(fields: dict[str, Any], name: str) -> dict[str, Any]:
    """The fields of a document, but one."""
    return {field: value for field, value in fields.items() if field != name}


def clock(moment: int) -> str:
    """Seconds since 1970 as the API says moments."""
    return datetime.fromtimestamp(moment, UTC).isoformat().replace("+00:00", "Z")
