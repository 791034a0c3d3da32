"""Documents of ownership: epochs, lights, what a player lacks, and whether an event is sanctioned."""

from collections.abc import Mapping

from pydantic import Field

from tournament.api.schemas.document import Document, clock
from tournament.service import ownership
from tournament.service.departures import Alert, Alerts
from tournament.service.ownership import Met
from tournament.service.shortfalls import Lack, Light, Shown
from tournament.tables import EpochRow, VerdictRow
from verifier.coverage import Outcome


class Condition(Document):
    """Something that has to be so before an event is sanctioned."""

    name: str = Field(examples=["each round opened by an epoch"])
    met: Met = Field(description="`no`: and it never will be")
    words: str = Field(examples=["so far all of 3"])


class Sanction(Document):
    """Whether an event is sanctioned, and why."""

    sanctioned: Met
    conditions: list[Condition]

    @classmethod
    def of(cls, found: ownership.Sanction) -> "Sanction":
        """As it was found."""
        conditions = [Condition(name=one.name, met=one.met, words=one.words) for one in found.conditions]
        return cls(sanctioned=found.met, conditions=conditions)


class EpochLine(Document):
    """A block at which everybody's cards are looked at."""

    number: int
    round: int = Field(description="that it opens; 0: the event; the cut is the one after the last")
    cut_round: int | None = Field(description="of the cut, from 2, if it opens a later one than the first")
    opens_at: str = Field(description="it is about the first block from then on", examples=["2026-03-07T09:00:00Z"])
    is_read: bool
    block_number: int | None
    block_hash: str | None
    block_time: str | None
    trouble: str = Field(description="why the last attempt came to nothing")
    is_overridden: bool = Field(description="a judge lets everybody play who is undetermined in it")
    voided: int = Field(description="how often its block left the chain, so that it was read anew")
    covered: int = Field(description="players who have their cards")
    short: int
    undetermined: int

    @classmethod
    def of(cls, row: EpochRow, tally: Mapping[str, int]) -> "EpochLine":
        """An epoch for everybody."""
        return cls(
            number=row.number,
            round=row.round,
            cut_round=row.cut_round,
            opens_at=clock(row.opens_at),
            is_read=row.read is not None,
            block_number=row.block_number,
            block_hash=row.block_hash,
            block_time=None if row.block_time is None else clock(row.block_time),
            trouble=row.trouble,
            is_overridden=row.overridden is not None,
            voided=row.voided,
            **{outcome.value: tally.get(outcome, 0) for outcome in Outcome},
        )


class Epochs(Document):
    """The epochs of an event, in order."""

    epochs: list[EpochLine]


class LightLine(Document):
    """Whether a player may play, at a glance; which cards and wallets it hangs on is not told."""

    entry: int
    name: str = Field(examples=["Ann Example"])
    light: Light
    words: str = Field(examples=["all cards are there, by epoch 2"])

    @classmethod
    def at(cls, entry: int, name: str, shown: Shown) -> "LightLine":
        """A player's light."""
        return cls(entry=entry, name=name, light=shown.light, words=shown.words)


class Lights(Document):
    """Everybody at the newest epoch."""

    epoch: int | None = Field(description="null before registration opens, and where no ownership is required")
    lights: list[LightLine] = Field(
        description="for staff all; for a player the own; for others who is short, where that was announced"
    )


class LackLine(Document):
    """A card of which units are missing."""

    card: str = Field(examples=["Dolores Encore, Label Boss"])
    needed: int
    missing: int
    since: int = Field(description="the epoch after which there were too few")
    words: str = Field(examples=["1 of 3 Foo: gone between round 2 and 3 (between epoch 3 and 4)"])

    @classmethod
    def of(cls, lack: Lack) -> "LackLine":
        """As it is kept."""
        return cls(card=lack.card, needed=lack.needed, missing=lack.missing, since=lack.since, words=lack.words)


class VerdictLine(Document):
    """What was found of a player at an epoch."""

    epoch: int
    outcome: Outcome
    cause: str = Field(description="why it is undetermined")
    is_overridden: bool = Field(description="a judge lets the player play all the same")
    lacks: list[LackLine]

    @classmethod
    def of(cls, row: VerdictRow, lacks: list[LackLine]) -> "VerdictLine":
        """A verdict for the player and judges."""
        return cls(
            epoch=row.epoch,
            outcome=Outcome(row.outcome),
            cause=row.cause,
            is_overridden=row.overridden is not None,
            lacks=lacks,
        )


class EntryOwnership(Document):
    """A player's cards: for the player, judges and organizers."""

    entry: int
    light: Light
    words: str
    advice: list[str] = Field(
        description="what the player can do before the next round",
        examples=[["link the wallet that has your cards, and ask staff to look again"]],
    )
    departures: list["DepartureLine"] = Field(description="what left the player's wallets, in the order of the chain")
    wallets: list[str] = Field(examples=[["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"]])
    verdicts: list[VerdictLine] = Field(description="at each epoch, in order")


class DepartureLine(Document):
    """Units that left a wallet in which they are set aside for a player."""

    entry: int
    name: str = Field(examples=["Ann Example"])
    card: str = Field(description="empty where the list does not need it any more", examples=["Dolores Encore"])
    wallet: str
    token_id: str
    units: str = Field(description="that left")
    transaction: str
    block: int
    since_epoch: int = Field(description="the newest epoch before it")
    seen_at: str

    @classmethod
    def of(cls, alert: Alert) -> "DepartureLine":
        """An alert for staff."""
        row = alert.row.model_dump(exclude={"event_id", "log"})
        return cls(**row, name=alert.name, card=alert.card, since_epoch=alert.since_epoch)


class DiscrepancyLine(Document):
    """A wallet of which balances and logs do not agree."""

    epoch: int
    wallet: str
    token_id: str
    words: str = Field(examples=["3 before, 0 came, 1 went, and 3 are there"])


class OwnershipAlerts(Document):
    """What the collection's logs tell while an event goes on: hints, which change no verdict."""

    looked_at: str = Field(description="empty where nobody looked yet")
    block: int | None = Field(description="up to which logs were looked through")
    trouble: str = Field(description="why the last look came to nothing")
    departures: list[DepartureLine] = Field(description="in the order of the chain")
    discrepancies: list[DiscrepancyLine]

    @classmethod
    def of(cls, found: Alerts) -> "OwnershipAlerts":
        """For organizers and judges."""
        lookout = found.lookout
        return cls(
            looked_at=lookout.looked_at if lookout else "",
            block=lookout.block_number if lookout else None,
            trouble=lookout.trouble if lookout else "",
            departures=[DepartureLine.of(one) for one in found.alerts],
            discrepancies=[
                DiscrepancyLine(epoch=one.epoch, wallet=one.wallet, token_id=one.token_id, words=one.words)
                for one in found.discrepancies
            ],
        )
