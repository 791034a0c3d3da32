"""Audit: does the log hold, and do the tables say what the log says?"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.errors import LogBroken
from tournament.service import imports, privacy, wallets
from tournament.service.chain import Break, verify_chain
from tournament.service.commands import EVENTS, Kind, Stream, is_erased
from tournament.service.derivation import Rows, derive, history_of, name_of, stored
from tournament.service.kinds import KINDS
from tournament.tables import SealedRow, Table

_MISSING: Final[Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that is not what the log makes it."""

    table: str
    key: tuple[Any, ...]
    stored: Mapping[str, Any]
    """The columns that differ, as they are; empty if the row is not there."""
    derived: Mapping[str, Any]
    """The same columns by the log; empty if there should be no such row."""

    def __str__(self) -> str:
        said, should = (json.dumps(columns) if columns else "not there" for columns in (self.stored, self.derived))
        return f"{self.table} {' '.join(map(str, self.key[1:]))}: {said}, by the log {should}".replace(" :", ":")


def verify_log(
    session: Session, event: str, *, receipts: Mapping[int, str] | None = None, stream: Stream = EVENTS
) -> list[Break]:
    """Every place where the log of an event, or of another stream, does not hold.

    Raises:
        EventNotFound: no such event; of another stream, its own refusal.
    """
    row = stream.find(session, event)
    if row is None:
        raise stream.missing(event)
    return verify_chain(store.read_log(session, event), version=row.version, head=row.head, receipts=receipts)


def differences(session: Session, event: str, *, stream: Stream = EVENTS) -> list[Difference]:
    """Every row of an event that is not what its log makes it; an empty list is as it should be.

    Also every text kept beside the log that is not the one that the log has the digest of. One that a command erased is
    no difference, and neither is one that stayed where the event came from.
    """
    derived = derive(event, history_of(session, event), stream=stream)
    is_so = stored(session, event, stream=stream)
    rows = [difference for table in stream.projection for difference in _compared(table, is_so, derived)]
    return [*rows, *_unsealed(session, event)]


def rebuild(database: Database, event: str, *, stream: Stream = EVENTS) -> list[Difference]:
    """Put the tables of an event right by its log; tells what was wrong.

    What is kept beside the log cannot be derived from it, so it stays as it is.

    Raises:
        EventNotFound: no such event.
        LogBroken: nothing is derived from a log that does not hold.
    """
    with database.writing() as session:
        if stream.lock(session, event) is None:
            raise stream.missing(event)
        if breaks := verify_log(session, event, stream=stream):
            raise LogBroken(event, list(map(str, breaks)))
        wrong = differences(session, event, stream=stream)
        if wrong:
            session.expunge_all()
            derived = derive(event, history_of(session, event), stream=stream)
            store.replace_rows(session, stream.projection, event, derived)
        return wrong


def _unsealed(session: Session, event: str) -> list[Difference]:
    keeping = {name: kind for name, kind in KINDS.items() if kind.keeps}
    named: dict[str, Kind[Any, Any]] = {}
    elsewhere = set[str]()
    brought = _brought(session, event)
    for row in store.log_of(session, event, list(keeping)):
        digests = [one.digest for one in keeping[row.name].named(row.fact)]
        named |= dict.fromkeys(digests, keeping[row.name])
        if row.sequence <= brought:
            elsewhere.update(digests)
    found, erased = [], _erased(session, event)
    for kept in store.read_sealed(session, event):
        kind = named.pop(kept.digest, None)
        if kind is None:
            found.append(_of_sealed(event, kept.digest, stored={"digest": kept.digest}))
        elif is_erased(kept) != (kept.digest in erased):
            is_so = is_erased(kept)
            found.append(_of_sealed(event, kept.digest, stored={"erased": is_so}, derived={"erased": not is_so}))
        elif not is_erased(kept) and not kind.holds(kept):
            found.append(_of_sealed(event, kept.digest, stored={"holds": False}, derived={"holds": True}))
    gone = sorted(named.keys() - elsewhere)
    return found + [_of_sealed(event, digest, derived={"digest": digest}) for digest in gone]


def _erased(session: Session, event: str) -> frozenset[str]:
    """The commitments whose words were erased by a command."""
    erasing = {kind.name: kind for kind in (privacy.ERASE, privacy.ERASE_LISTS, wallets.UNLINK)}
    rows = store.log_of(session, event, list(erasing))
    return frozenset(digest for row in rows for digest in json.loads(row.fact)["digests"])


def _brought(session: Session, event: str) -> int:
    """How many rows of the log were written elsewhere; what is kept beside those stayed there."""
    adopted = store.latest_of(session, event, (imports.ADOPT.name,))
    return 0 if adopted is None else imports.Adopted.model_validate_json(adopted.fact).rows


def _of_sealed(
    event: str, digest: str, *, stored: Mapping[str, Any] = _MISSING, derived: Mapping[str, Any] = _MISSING
) -> Difference:
    return Difference(name_of(SealedRow), (event, digest), stored, derived)


def _compared(table: type[Table], is_so: Rows, derived: Rows) -> list[Difference]:
    name, key = name_of(table), store.key_of(table)
    one, other = ({tuple(row[k] for k in key): row for row in rows[name]} for rows in (is_so, derived))
    found = []
    for at in sorted(one.keys() | other.keys()):
        row, should = one.get(at, _MISSING), other.get(at, _MISSING)
        columns = [column for column in {**row, **should} if row.get(column) != should.get(column)]
        if columns or bool(row) != bool(should):
            found.append(Difference(name, at, *({c: of[c] for c in columns if c in of} for of in (row, should))))
    return found
