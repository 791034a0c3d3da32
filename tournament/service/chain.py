r"""The chain of an event's log: each row holds the hash of the row before, so nobody changes the past unseen.

    hash = SHA-256( previous hash + "\n" + record )

`previous hash` is 64 hex digits, zeros before the first row. `record` is one JSON object without spaces, its keys
in order: actor, arguments, at, command, event, fact, name, phase, reason, role, sequence. Anybody who has the log can
check it with a hash function; anybody who kept the receipt of a command can prove that the log had it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role
from tournament.errors import LogUnreadable
from tournament.tables import LogRow

START: Final = "0" * 64
"""What stands before the first row."""


def canonical(document: object) -> str:
    """The one way to write a JSON document: keys sorted, no spaces, no escapes that are not needed, no floats."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def record_of(row: LogRow) -> str:
    """What of a row is hashed."""
    word = canonical
    return (
        f'{{"actor":{word(row.actor)},"arguments":{row.arguments},"at":{word(row.at)},"command":{word(row.command)},'
        f'"event":{word(row.event_id)},"fact":{row.fact},"name":{word(row.name)},"phase":{word(row.phase)},'
        f'"reason":{word(row.reason)},"role":{word(row.role)},"sequence":{row.sequence}}}'
    )


def hash_of(row: LogRow) -> str:
    """The hash that the row should have."""
    return sha256(f"{row.previous}\n{record_of(row)}".encode()).hexdigest()


def receipt_of(row: LogRow) -> bytes:
    """What whoever gave the command gets to keep: the record and its hash. The same bytes however often it is asked."""
    return f'{record_of(row)[:-1]},"previous":"{row.previous}","hash":"{row.hash}"}}'.encode()


def seal_of(row: LogRow) -> bytes:
    """What a published log has of a row that is for staff: where it stands, and its hash."""
    return f'{{"sequence":{row.sequence},"previous":"{row.previous}","hash":"{row.hash}"}}'.encode()


SEALED: Final = "(sealed)"
"""What a row is called of which only the seal is there; no command has such a name."""


class _Seal(BaseModel):
    """A row of a published log that is for staff."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sequence: int = Field(ge=1, le=1 << 30, strict=True)
    previous: str = Field(pattern="^[0-9a-f]{64}$")
    hash: str = Field(pattern="^[0-9a-f]{64}$")


class _Receipt(BaseModel):
    """A receipt as somebody brings it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    event: str = Field(pattern="^[a-z0-9-]{1,40}$")
    sequence: int = Field(ge=1, le=1 << 30, strict=True)
    command: str
    name: str
    arguments: dict[str, Any]
    fact: dict[str, Any]
    actor: str
    role: Role
    at: str
    reason: str
    phase: Phase
    previous: str = Field(pattern="^[0-9a-f]{64}$")
    hash: str = Field(pattern="^[0-9a-f]{64}$")


def row_of(receipt: object, *, at: int = 1) -> LogRow:
    """The row of the log that a receipt is of; whether its hash is right is not looked at.

    Args:
        receipt: a JSON document; or a seal, which makes a row that is called `SEALED`.
        at: where it stands among others, from 1, to be named if it cannot be read.

    Raises:
        LogUnreadable: not a receipt.
    """
    try:
        if isinstance(receipt, dict) and set(receipt) == set(_Seal.model_fields):
            return _sealed(_Seal.model_validate(receipt))
        read = _Receipt.model_validate(receipt)
        said = read.model_dump(mode="json", exclude={"event", "arguments", "fact"})
        row = LogRow(event_id=read.event, arguments=canonical(read.arguments), fact=canonical(read.fact), **said)
        hash_of(row)  # whatever cannot be hashed is found here
    except ValidationError as error:
        fault = error.errors()[0]
        place = "/".join(map(str, fault["loc"]))
        raise LogUnreadable(at, f"{place}: {fault['msg']}" if place else str(fault["msg"])) from error
    except (ValueError, TypeError) as error:
        raise LogUnreadable(at, f"not JSON as a log has it ({error})") from error
    return row


def _sealed(seal: _Seal) -> LogRow:
    return LogRow(
        event_id="", command="", name=SEALED, arguments="", fact="", actor="", role="", at="", reason="", phase="",
        sequence=seal.sequence, previous=seal.previous, hash=seal.hash,
    )  # fmt: skip


class BreakKind(StrEnum):
    """How a log can fail to hold."""

    ALTERED = "altered"
    """A row says something else than when it was written."""
    MISSING = "missing"
    """Rows between two others are gone."""
    MOVED = "moved"
    """A row does not follow the one before it."""
    CUT_SHORT = "cut short"
    """Rows at the end are gone."""
    DENIED = "denied"
    """A receipt of a command that the log does not have like that."""


@dataclass(frozen=True, slots=True)
class Break:
    """A place where the log does not hold."""

    sequence: int
    kind: BreakKind
    sentence: str

    def __str__(self) -> str:
        return f"row {self.sequence} {self.kind}: {self.sentence}"


def verify_chain(
    rows: Iterable[LogRow],
    *,
    version: int,
    head: str,
    receipts: Mapping[int, str] | None = None,
    published: bool = False,
) -> list[Break]:
    """Every place where a log does not hold; an empty list is a whole log.

    Args:
        rows: as they stand, in the order of their sequence.
        version: of the event, so how many rows there must be.
        head: the hash that the event's row remembers of the last one.
        receipts: hashes that people kept, by sequence. Only these can show that somebody cut the end and changed the
            event's row to match.
        published: seals may stand for rows; their hashes have to be believed.
    """
    breaks: list[Break] = []
    at, last = 0, START
    kept = dict(receipts or {})
    for row in rows:
        if row.sequence != at + 1:
            breaks.append(Break(at + 1, BreakKind.MISSING, f"the row after {at} is {row.sequence}"))
        elif row.previous != last:
            breaks.append(Break(row.sequence, BreakKind.MOVED, "it was not written after the row before it"))
        if hash_of(row) != row.hash and not (published and row.name == SEALED):
            breaks.append(Break(row.sequence, BreakKind.ALTERED, "its hash is of other words"))
        if kept.pop(row.sequence, row.hash) != row.hash:
            breaks.append(Break(row.sequence, BreakKind.DENIED, "a receipt has another hash for it"))
        at, last = row.sequence, row.hash
    if (at, last) != (version, head):
        breaks.append(Break(at + 1, BreakKind.CUT_SHORT, f"the event is at version {version}, the log ends with {at}"))
    breaks.extend(Break(gone, BreakKind.DENIED, "a receipt is of a row that is not there") for gone in sorted(kept))
    return breaks
