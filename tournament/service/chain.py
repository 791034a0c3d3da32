r"""The chain of an event's log: each row holds the hash of the row before, so nobody changes the past unseen.

    digest = SHA-256( record )
    hash = SHA-256( previous hash + "\n" + envelope )

`previous hash` is 64 hex digits, zeros before the first row. `record` is one JSON object without spaces, its keys
in order: actor, arguments, at, command, event, fact, name, phase, reason, role, salt (where there is one), sequence.
`envelope` is another: digest, name, sequence. Anybody who has the log can check it with a hash function; anybody who
kept the receipt of a command can prove that the log had it.

In a published log a *seal* stands for each row that is for staff only: its envelope, previous hash and hash, and
nothing of the record. The chain goes through it as through any other row, so a seal proves of which kind its row is;
and the kinds that may be sealed change no result (docs/decisions/0048). Rows of those kinds have a salt of 256 random
bits, so that nobody finds the record by trying. A receipt that somebody kept opens the seal.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role
from tournament.errors import LogUnreadable
from tournament.tables import LogRow

START: Final = "0" * 64
"""What stands before the first row."""
FIRST_YEAR: Final = 1970
LAST_YEAR: Final = 2199
"""Of a row that is brought along. A clock without a battery begins in the first; far after the last, times overflow."""
LONGEST_WORD: Final = 200
"""Characters of a command's id, of its kind's name and of an actor's, in a log that is brought along."""


_WRITER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical(document: object) -> str:
    """The one way to write a JSON document: keys sorted, no spaces, no escapes that are not needed, no floats."""
    return _WRITER.encode(document)


def record_of(row: LogRow) -> str:
    """What of a row is hashed."""
    word = canonical
    salt = f'"salt":{word(row.salt)},' if row.salt else ""
    return (
        f'{{"actor":{word(row.actor)},"arguments":{row.arguments},"at":{word(row.at)},"command":{word(row.command)},'
        f'"event":{word(row.event_id)},"fact":{row.fact},"name":{word(row.name)},"phase":{word(row.phase)},'
        f'"reason":{word(row.reason)},"role":{word(row.role)},{salt}"sequence":{row.sequence}}}'
    )


def hash_of(line: "Line") -> str:
    """The hash that the row should have, or the row of which it is the seal."""
    return _hashed(line, line.digest if isinstance(line, Seal) else _digest_of(record_of(line)))


def _hashed(line: "Line", digest: str) -> str:
    envelope = f'{{"digest":"{digest}","name":{canonical(line.name)},"sequence":{line.sequence}}}'
    return sha256(f"{line.previous}\n{envelope}".encode()).hexdigest()


def _digest_of(record: str) -> str:
    return sha256(record.encode()).hexdigest()


def receipt_of(row: LogRow) -> bytes:
    """What whoever gave the command gets to keep: the record and its hash. The same bytes however often it is asked."""
    return _receipt(record_of(row), row.previous, row.hash)


def _receipt(record: str, previous: str, hashed: str) -> bytes:
    return f'{record[:-1]},"previous":"{previous}","hash":"{hashed}"}}'.encode()


def closed(row: LogRow) -> tuple[str, bytes]:
    """The hash of a row that is new, and its receipt, with the record written once."""
    record = record_of(row)
    hashed = _hashed(row, _digest_of(record))
    return hashed, _receipt(record, row.previous, hashed)


@dataclass(frozen=True, slots=True)
class Seal:
    """What stands for a row that is not for everybody."""

    sequence: int
    name: str
    """Of its kind."""
    digest: str
    """SHA-256 of its record."""
    previous: str
    hash: str


Line: TypeAlias = LogRow | Seal
"""A row of a log as it may be published."""


def seal_of(row: LogRow) -> Seal:
    """What is published of a row that is not for everybody."""
    return Seal(row.sequence, row.name, _digest_of(record_of(row)), row.previous, row.hash)


def document_of(line: Line) -> dict[str, Any]:
    """A line as JSON: a receipt, or a seal."""
    if isinstance(line, Seal):
        return asdict(line)
    found: dict[str, Any] = json.loads(receipt_of(line))
    return found


class _Seal(BaseModel):
    """A seal as somebody brings it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sequence: int = Field(ge=1, le=1 << 30, strict=True)
    name: str = Field(max_length=LONGEST_WORD)
    digest: str = Field(pattern="^[0-9a-f]{64}$")
    previous: str = Field(pattern="^[0-9a-f]{64}$")
    hash: str = Field(pattern="^[0-9a-f]{64}$")


class _Receipt(BaseModel):
    """A receipt as somebody brings it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    event: str = Field(pattern="^[a-z0-9-]{1,40}$")
    sequence: int = Field(ge=1, le=1 << 30, strict=True)
    command: str = Field(min_length=1, max_length=LONGEST_WORD)
    name: str = Field(max_length=LONGEST_WORD)
    arguments: dict[str, Any]
    fact: dict[str, Any]
    actor: str = Field(max_length=LONGEST_WORD)
    role: Role
    at: str = Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$")
    reason: str
    phase: Phase
    salt: str = Field(default="", pattern="^([0-9a-f]{64})?$")
    previous: str = Field(pattern="^[0-9a-f]{64}$")
    hash: str = Field(pattern="^[0-9a-f]{64}$")

    @field_validator("at")
    @classmethod
    def _is_a_time(cls, value: str) -> str:
        if not FIRST_YEAR <= datetime.fromisoformat(value).year <= LAST_YEAR:
            raise ValueError(f"the year is none from {FIRST_YEAR} to {LAST_YEAR}")
        return value


def row_of(receipt: object, *, at: int = 1) -> LogRow:
    """The row of the log that a receipt is of; whether its hash is right is not looked at.

    Args:
        receipt: a JSON document.
        at: where it stands among others, from 1, to be named if it cannot be read.

    Raises:
        LogUnreadable: not a receipt.
    """
    try:
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


def line_of(document: object, *, at: int = 1) -> Line:
    """The row that a receipt is of, or the seal; the arguments are those of `row_of`.

    Raises:
        LogUnreadable: neither.
    """
    if not isinstance(document, dict) or document.keys() != _Seal.model_fields.keys():
        return row_of(document, at=at)
    try:
        return Seal(**_Seal.model_validate(document).model_dump())
    except ValidationError as error:
        fault = error.errors()[0]
        raise LogUnreadable(at, f"{'/'.join(map(str, fault['loc']))}: {fault['msg']}") from error


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
    rows: Iterable[Line], *, version: int, head: str, receipts: Mapping[int, str] | None = None
) -> list[Break]:
    """Every place where a log does not hold; an empty list is a whole log.

    Whether a row may be sealed at all is not looked at here; `transfers.faults_of` does.

    Args:
        rows: as they stand, in the order of their sequence; with seals, if the log was published.
        version: of the event, so how many rows there must be.
        head: the hash that the event's row remembers of the last one.
        receipts: hashes that people kept, by sequence. Only these can show that somebody cut the end and changed the
            event's row to match.
    """
    breaks: list[Break] = []
    at, last = 0, START
    kept = dict(receipts or {})
    for row in rows:
        if row.sequence != at + 1:
            breaks.append(Break(at + 1, BreakKind.MISSING, f"the row after {at} is {row.sequence}"))
        elif row.previous != last:
            breaks.append(Break(row.sequence, BreakKind.MOVED, "it was not written after the row before it"))
        if hash_of(row) != row.hash:
            breaks.append(Break(row.sequence, BreakKind.ALTERED, "its hash is of other words"))
        if kept.pop(row.sequence, row.hash) != row.hash:
            breaks.append(Break(row.sequence, BreakKind.DENIED, "a receipt has another hash for it"))
        at, last = row.sequence, row.hash
    if (at, last) != (version, head):
        breaks.append(Break(at + 1, BreakKind.CUT_SHORT, f"the event is at version {version}, the log ends with {at}"))
    breaks.extend(Break(gone, BreakKind.DENIED, "a receipt is of a row that is not there") for gone in sorted(kept))
    return breaks
