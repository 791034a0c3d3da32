"""Documents of what judges do."""

import json
from collections.abc import Mapping, Sequence

from pydantic import Field

from tournament.api.schemas.claims import ClaimedTable
from tournament.api.schemas.document import Document
from tournament.domain.infractions import InfractionClass, PenaltyLevel
from tournament.service import judging, penalties
from tournament.service.deck_checks import CheckResult
from tournament.service.rounds import Others
from tournament.tables import CallRow, DeckCheckRow, DeckDrawRow, NoteRow, NoteTextRow, PenaltyRow


class CallLine(Document):
    """A call for a judge."""

    number: int
    round: int
    table: int | None = Field(description="null for a match of the cut")
    match: str | None = Field(description="of the cut")
    entry: int | None = Field(description="the player who called; null for staff")
    name: str | None = None
    topic: str
    called_at: str
    taken_by: str | None
    taken_at: str | None
    closed_by: str | None
    closed_at: str | None
    ruling: str
    minutes: int | None = Field(description="time extension that the table is due")

    @classmethod
    def of(cls, row: CallRow, names: Mapping[int, str]) -> "CallLine":
        """A call with the name of who called."""
        kept = row.model_dump(exclude={"event_id", "table_number", "match_id", *CallRow.CHAIRS, "called", "taken"})
        return cls(table=row.table_number or None, match=row.match_id, name=names.get(row.entry or 0), **kept)


class Calls(Document):
    """Calls for a judge."""

    calls: list[CallLine]
    next: int | None = Field(default=None, description="for `after`, to get the next page; null on the last")


class InfractionLine(Document):
    """Something that a player can do wrong."""

    code: str = Field(examples=["slow-play"])
    name: str = Field(examples=["Slow play"])
    kind: InfractionClass
    level: PenaltyLevel | None = Field(description="the usual penalty; null: the judge decides")
    repeated: int | None = Field(description="the so-manyth warning is a game loss; null: it stays what it is")
    source: str
    meaning: str


class Infractions(Document):
    """What is named for the event's game; a judge may use words of their own."""

    infractions: list[InfractionLine]


class PenaltyLine(Document):
    """A penalty. What is not for the reader is null."""

    number: int
    entry: int
    name: str | None
    round: int
    table: int | None
    code: str = Field(description="of the infraction; empty if a judge named it in words of their own")
    infraction: str = Field(examples=["Slow play"])
    level: PenaltyLevel
    text: str | None = Field(description="what happened; for the player and staff")
    given_at: str
    given_by: str | None = Field(description="for staff")
    applied: bool = Field(description="whether it changed a result, or put the player out")
    withdrawn: bool
    why_withdrawn: str | None = Field(description="for staff")
    deck_check: int | None = Field(description="for staff")

    @classmethod
    def of(cls, row: PenaltyRow, names: Mapping[int, str], *, own: bool, staff: bool) -> "PenaltyLine":
        """A penalty as staff, the player or anybody may see it."""
        return cls(
            number=row.number,
            entry=row.entry,
            name=names.get(row.entry),
            round=row.round,
            table=row.table_number,
            code=row.code,
            infraction=row.infraction if row.code or own or staff else "",
            level=PenaltyLevel(row.level),
            text=row.text if own or staff else None,
            given_at=row.given_at,
            given_by=row.given_by if staff else None,
            applied=row.applied is not None,
            withdrawn=row.withdrawn is not None,
            why_withdrawn=row.why_withdrawn if staff else None,
            deck_check=row.deck_check if staff else None,
        )


class Penalties(Document):
    """A page of penalties."""

    penalties: list[PenaltyLine]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class PenaltyAdvice(Document):
    """What a judge wants to know before giving a penalty."""

    code: str = Field(description="empty: the infraction is in no table")
    infraction: str
    nth: int = Field(description="so manyth of the player for this infraction it would be", examples=[2])
    usual: PenaltyLevel | None = Field(description="null: the judge decides")
    sentence: str
    before: list[PenaltyLine] = Field(description="what the player got for it, withdrawn ones left out")
    history: list[PenaltyLine] = Field(description="everything that the player got, withdrawn ones too")


class PenaltyEffect(Document):
    """What a penalty would change now."""

    penalty: int
    why_not: str = Field(description="why it changes nothing; empty if it does")
    table: penalties.ChangedTable | None
    out: penalties.PlayerOut | None = Field(description="the player is out of the event")


class DeckCheckLine(Document):
    """A table whose decks are checked."""

    number: int
    round: int
    table: int | None = Field(description="null for a match of the cut")
    match: str | None = Field(description="of the cut")
    first: int
    second: int
    others: list[int] = Others
    drawn: int | None = Field(description="the version of the event at which it was drawn; null: a judge chose it")
    why: str
    started_by: str | None
    started_at: str | None
    finished_by: str | None
    finished_at: str | None
    result: CheckResult | None
    text: str
    minutes: int | None = Field(description="time extension that the table is due")

    @classmethod
    def of(cls, row: DeckCheckRow) -> "DeckCheckLine":
        """A deck check as staff see it."""
        kept = row.model_dump(exclude={"event_id", "table_number", "match_id", "started", *row.CHAIRS[2:]})
        return cls(table=row.table_number or None, match=row.match_id, others=row.others, **kept)


class DeckDrawLine(Document):
    """A draw, with all that is needed to do it again."""

    sequence: int
    round: int
    asked: int
    top: int | None
    among: list[int] | None = Field(description="with `top`, the tables that were in; null: all but `without`")
    without: list[int]
    tables: list[int] = Field(description="in the order of their lots")

    @classmethod
    def of(cls, row: DeckDrawRow) -> "DeckDrawLine":
        """A draw as everybody may see it once the event is over."""
        lists = {name: json.loads(getattr(row, name) or "null") for name in ("among", "without", "tables")}
        return cls(**row.model_dump(exclude={"event_id", *lists}), **lists)


class DeckChecks(Document):
    """Deck checks, and how their tables were drawn."""

    draws: list[DeckDrawLine]
    checks: list[DeckCheckLine] = Field(description="for staff")


class NoteRevision(Document):
    """What a note said from then on."""

    revision: int
    text: str
    by: str
    at: str
    reason: str


class NoteLine(Document):
    """A judge's note."""

    number: int
    entry: int | None
    round: int | None
    table: int | None
    text: str
    history: list[NoteRevision] = Field(description="everything it said, the first first")

    @classmethod
    def of(cls, row: NoteRow, texts: Sequence[NoteTextRow]) -> "NoteLine":
        """A note as it is, and as it was."""
        return cls(
            number=row.number,
            entry=row.entry,
            round=row.round,
            table=row.table_number,
            text=texts[-1].text,
            history=[NoteRevision(**one.model_dump(exclude={"event_id", "note"})) for one in texts],
        )


class Notes(Document):
    """A page of notes."""

    notes: list[NoteLine]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


class Overview(Document):
    """Everything that waits for a judge."""

    round: int = Field(description="the latest published one; 0 before the first")
    disagreements: list[ClaimedTable]
    one_sided: int = Field(description="tables where one player's claim waits for the other's")
    calls: list[CallLine] = Field(description="those that nobody took first")
    deck_checks: list[DeckCheckLine] = Field(description="not finished, of whatever round")
    penalties: list[PenaltyLine] = Field(description="of this round")
    names: dict[int, str] = Field(description="of everybody who is named above, by number")

    @classmethod
    def of(cls, seen: judging.Overview) -> "Overview":
        """The judges' view."""
        return cls(
            round=seen.round,
            disagreements=[ClaimedTable.of(table) for table in seen.disagreements],
            one_sided=seen.one_sided,
            calls=[CallLine.of(row, seen.names) for row in seen.calls],
            deck_checks=[DeckCheckLine.of(row) for row in seen.deck_checks],
            penalties=[PenaltyLine.of(row, seen.names, own=False, staff=True) for row in seen.penalties],
            names=dict(seen.names),
        )
