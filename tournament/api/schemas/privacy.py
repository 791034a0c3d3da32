"""Documents of what is held about a player, and of erasing it."""

import json
from collections.abc import Collection
from typing import Any

from pydantic import Field

from tournament.api.schemas.document import AnyFact, Document, Receipt, clock
from tournament.api.schemas.entries import Entry
from tournament.api.schemas.judging import CallLine, DeckCheckLine, PenaltyLine
from tournament.api.schemas.wallets import WalletLine
from tournament.domain.model import Ending
from tournament.service.commands import is_erased
from tournament.service.privacy import STAYS, Erasure, Held, KeptWords
from tournament.service.rounds import Others
from tournament.tables import BracketLineRow, ClaimRow, EventRow, HoldingRow, PassRow, ScanRow, SeatRow
from verifier.passes import Ownership


class HeldEvent(Document):
    """The event that holds it."""

    event: str
    name: str
    game: str
    venue: str
    starts_at: str | None
    phase: str

    @classmethod
    def of(cls, row: EventRow) -> "HeldEvent":
        """The event in short."""
        kept = row.model_dump(include={"name", "game", "venue", "starts_at", "phase"})
        return cls(event=row.id, **kept)


class HeldWords(Document):
    """Something that is kept beside the log: a name, a list, or what somebody wrote."""

    row: int = Field(description="of the log, which has the commitment")
    command: str = Field(examples=["entry.register"])
    at: str
    about: str = Field(description="what it is about: entry, note, call, penalty or deck_check", examples=["entry"])
    number: int = Field(description="of that", examples=[17])
    commitment: str = Field(
        description="of a list Keccak-256 of the salt and the list's canonical form, otherwise SHA-256 of the salt and "
        "the text in UTF-8"
    )
    salt: str = Field(description="32 bytes; empty if it was erased, or never was here")
    text: str = Field(description="of a list its lines as JSON: count, name, section, set, number")
    here: bool = Field(description="false: it was erased, or stayed where the event came from")

    @classmethod
    def of(cls, words: KeptWords) -> "HeldWords":
        """The words with what proves them."""
        row, kept = words.row, words.kept
        return cls(
            row=row.sequence,
            command=row.name,
            at=row.at,
            about=words.subject.noun,
            number=words.subject.number,
            commitment=kept.digest,
            salt=kept.salt,
            text=kept.text,
            here=not is_erased(kept),
        )


class HeldGames(Document):
    """What a match came to, from the side of its first player."""

    first: int
    second: int
    drawn: int
    ending: Ending


class HeldPlaces(Document):
    """What a table of several came to: the players by their places."""

    places: list[list[int]]
    ending: Ending


def _result(row: SeatRow | ClaimRow) -> HeldGames | HeldPlaces | None:
    if row.placing is None or row.ending is None:
        return _games(row)
    return HeldPlaces(places=json.loads(row.placing), ending=Ending(row.ending))


def _games(row: SeatRow | ClaimRow | BracketLineRow) -> HeldGames | None:
    if row.ending is None:
        return None
    return HeldGames(
        first=row.games_first or 0, second=row.games_second or 0, drawn=row.drawn or 0, ending=Ending(row.ending)
    )


class HeldSeat(Document):
    """Where the player was in a round."""

    round: int
    table: int | None = Field(description="null for a bye")
    first: int
    second: int | None
    others: list[int] = Others
    bye: str | None
    games: HeldGames | HeldPlaces | None
    extra_minutes: int

    @classmethod
    def of(cls, row: SeatRow) -> "HeldSeat":
        """A seat."""
        return cls(
            round=row.round,
            table=row.table_number,
            first=row.first,
            second=row.second,
            others=row.others,
            bye=row.bye,
            games=_result(row),
            extra_minutes=row.extra_minutes,
        )


class HeldMatch(Document):
    """A match of the cut that the player played."""

    match: str = Field(examples=["W1.1"])
    first: int
    second: int
    games: HeldGames | None

    @classmethod
    def of(cls, row: BracketLineRow) -> "HeldMatch":
        """A match of the cut."""
        return cls(match=row.match_id or "", first=row.first or 0, second=row.second or 0, games=_games(row))


class HeldClaim(Document):
    """What the player said that a table came to."""

    round: int
    table: int
    at: str
    games: HeldGames | HeldPlaces | None

    @classmethod
    def of(cls, row: ClaimRow) -> "HeldClaim":
        """A claim."""
        return cls(round=row.round, table=row.table_number, at=row.at, games=_result(row))


class HeldVerdict(Document):
    """What was found of the player's cards at an epoch."""

    epoch: int
    outcome: str = Field(examples=["covered"])
    cause: str
    lacked: list[dict[str, Any]] = Field(description="what was missing, where it is still known")


class HeldHolding(Document):
    """What a wallet of the player held at an epoch, of the token ids that somebody needs of it."""

    wallet: str
    epoch: int
    units: dict[str, int] = Field(description="by token id")
    least: dict[str, int] = Field(description="the least of all epochs until this one")

    @classmethod
    def of(cls, row: HoldingRow) -> "HeldHolding":
        """A holding."""
        tokens = row.token_ids.split()
        units, least = (dict(zip(tokens, map(int, said.split()), strict=True)) for said in (row.units, row.least))
        return cls(wallet=row.wallet, epoch=row.epoch, units=units, least=least)


class HeldAside(Document):
    """Units of a wallet that were set aside for the player."""

    wallet: str
    collection: str = Field(description="chain id and address")
    units: str = Field(description="by token id", examples=["65610:2 65611:1"])
    since: int = Field(description="seconds since 1970")


class HeldDeparture(Document):
    """Units that left a wallet of the player while they were set aside, as the collection's logs say."""

    wallet: str
    token_id: str
    units: str
    block: int
    transaction: str
    seen_at: str


class HeldPass(Document):
    """A pass that the player got."""

    serial: int
    ownership: str = Field(examples=["every copy covered"])
    block: int = Field(description="at which copies were counted; 0 where none were")
    deck: str | None = Field(description="the commitment of the list")
    holder_key: str | None = Field(description="of the player's device")
    issued_at: str
    not_after: str
    revoked: str = Field(description="why it was revoked; empty if it was not")

    @classmethod
    def of(cls, row: PassRow) -> "HeldPass":
        """A pass."""
        return cls(
            serial=row.serial,
            ownership=Ownership(row.policy).words,
            block=row.block,
            deck=row.deck,
            holder_key=row.holder_key,
            issued_at=clock(row.issued_at),
            not_after=clock(row.not_after),
            revoked=row.why_revoked,
        )


class HeldScan(Document):
    """The player came in."""

    serial: int = Field(description="of the pass")
    scanned_at: str
    desk: str | None = Field(description="the address of the desk; null: nobody has said")

    @classmethod
    def of(cls, row: ScanRow) -> "HeldScan":
        """A scan."""
        return cls(serial=row.serial, scanned_at=clock(row.scanned_at), desk=row.desk)


class PersonalFile(Document):
    """Everything that an event holds about a player."""

    version: int = Field(default=1, description="of this format")
    event: HeldEvent
    entry: Entry
    entries: list[int] = Field(
        description="the numbers of the player: the entry's, and of those that became part of it"
    )
    words: list[HeldWords] = Field(description="names, lists and what was written, in the order of the log")
    wallets: list[WalletLine]
    verdicts: list[HeldVerdict]
    holdings: list[HeldHolding]
    left: list[HeldDeparture]
    set_aside: list[HeldAside]
    passes: list[HeldPass]
    scans: list[HeldScan] = Field(description="when and where the player came in")
    rounds: list[HeldSeat]
    cut: list[HeldMatch]
    claims: list[HeldClaim]
    calls: list[CallLine]
    penalties: list[PenaltyLine]
    deck_checks: list[DeckCheckLine] = Field(description="for organizers")
    commands: list[Receipt[AnyFact]] = Field(description="what the player did, as the log has it")
    withheld: int = Field(
        description="words that judges wrote for staff; a player is shown them by an organizer, who has the whole file"
    )

    @classmethod
    def of(cls, event: EventRow, held: Held, *, for_staff: Collection[str], whole: bool) -> "PersonalFile":
        """The file for an organizer, or for the player.

        Args:
            event: that holds it.
            held: what it holds.
            for_staff: commands whose words are for staff.
            whole: for an organizer.
        """
        words = [one for one in held.words if whole or one.row.name not in for_staff]
        names: dict[int, str] = {held.entry.number: held.entry.name}
        calls = [CallLine.of(call, names) for call in held.calls if whole or call.entry in held.about.entries]
        return cls(
            event=HeldEvent.of(event),
            entry=Entry.of(held.entry, held.deck),
            entries=list(held.about.entries),
            words=[HeldWords.of(one) for one in words],
            wallets=[WalletLine.of(one) for one in held.wallets],
            verdicts=[
                HeldVerdict(
                    epoch=row.epoch,
                    outcome=row.outcome,
                    cause=row.cause,
                    lacked=json.loads(held.lacked.get(row.epoch, "[]")),
                )
                for row in held.verdicts
            ],
            holdings=[HeldHolding.of(row) for row in held.holdings],
            left=[HeldDeparture(**row.model_dump(exclude={"event_id", "log", "entry"})) for row in held.left],
            set_aside=[HeldAside(**row.model_dump(exclude={"event_id", "entry"})) for row in held.set_aside],
            rounds=[HeldSeat.of(seat) for seat in held.seats],
            cut=[HeldMatch.of(line) for line in held.cut],
            claims=[HeldClaim.of(claim) for claim in held.claims],
            calls=calls if whole else [call.model_copy(update={"ruling": ""}) for call in calls],
            penalties=[PenaltyLine.of(row, names, own=True, staff=whole) for row in held.penalties],
            deck_checks=[DeckCheckLine.of(row) for row in held.deck_checks] if whole else [],
            passes=[HeldPass.of(row) for row in held.passes],
            scans=[HeldScan.of(row) for row in held.scans],
            commands=[Receipt[AnyFact].model_validate(one) for one in held.commands],
            withheld=len(held.words) - len(words),
        )


class StayingLine(Document):
    """Something that erasing leaves, and why."""

    what: str
    why: str


class ErasureLook(Document):
    """What erasing would do now."""

    entries: list[int]
    words: int = Field(description="names, lists and words that would be erased")
    notes: list[int] = Field(description="whose words go; those on a table go with the first who sat there")
    calls: list[int]
    penalties: list[int] = Field(description="whose words go; infraction and level stay")
    deck_checks: list[int]
    too_early: list[int] = Field(description="entries that the event still needs: it is refused")
    series: list[str] = Field(
        description="series that would no longer know who is one person: it is refused unless `even_so`"
    )
    parted: list[int] = Field(description="the entries that those series join with others by their names alone")
    in_log: list[int] = Field(description="rows of an older program's log that have such words themselves; they stay")
    stays: list[StayingLine]

    @classmethod
    def of(cls, looked: Erasure) -> "ErasureLook":
        """The look of an organizer."""
        series, parted = looked.parted or ([], [])
        about: dict[str, Any] = {
            name: list(getattr(looked.about, name))
            for name in ("entries", "notes", "calls", "penalties", "deck_checks")
        }
        return cls(
            words=looked.kept,
            too_early=list(looked.early),
            series=series,
            parted=parted,
            in_log=list(looked.in_log),
            stays=[StayingLine(what=one.what, why=one.why) for one in STAYS],
            **about,
        )
