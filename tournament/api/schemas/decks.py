"""Documents of decks."""

from dataclasses import asdict

from pydantic import Field

from games.formats import Violation
from tournament import errors
from tournament.api.schemas.document import Document, Receipt, without
from tournament.service.decklists import HandedIn, Kept
from tournament.service.decks import hash_of
from verifier.decklist import write_decklist


class DeckLine(Document):
    """Copies of a card."""

    count: int
    name: str = Field(examples=["Dolores Encore, Label Boss"])
    section: str | None
    set_code: str | None
    number: int | None


class DeckViolation(Document):
    """A rule of the format that a list breaks."""

    code: str = Field(examples=["too-many-copies"])
    message: str
    section: str | None
    card: str | None
    lines: list[int] = Field(description="of the text that was handed in; none when it is read again later")
    have: str | int | None
    want: str | int | None

    @classmethod
    def of(cls, violation: Violation) -> "DeckViolation":
        """A violation as JSON has it."""
        return cls(**asdict(violation))


class HandedBeside(Document):
    """What the answer to a list tells beside the receipt."""

    commitment: str = Field(description="what everybody sees of it")
    hash: str = Field(description="Keccak-256 of the canonical form: the same for the same deck; not for everybody")
    is_legal: bool = Field(description="a list that is not is a draft, and does not count")
    violations: list[DeckViolation]


class Handed(HandedBeside):
    """A list was handed in, and judged."""

    receipt: Receipt[HandedIn]


class KeptDeck(Document):
    """A list that was handed in."""

    at: str
    commitment: str
    salt: str = Field(description="the commitment is Keccak-256 of these 32 bytes and the list's canonical form")
    hash: str = Field(description="Keccak-256 of the canonical form alone: the same for the same deck")
    format: str
    version: int
    title: str | None
    lines: list[DeckLine]
    text: str = Field(description="the list as it may be pasted elsewhere")
    violations: list[DeckViolation]

    @classmethod
    def of(cls, kept: Kept) -> "KeptDeck":
        """A list for whoever may read it."""
        return cls(
            at=kept.at,
            commitment=kept.fact.commitment,
            salt=kept.salt,
            hash=hash_of(kept.decklist),
            format=kept.fact.format,
            version=kept.fact.version,
            title=kept.decklist.title,
            lines=[DeckLine(**without(asdict(line), "line")) for line in kept.decklist.lines],
            text=write_decklist(kept.decklist, "text"),
            violations=[DeckViolation.of(violation) for violation in kept.violations],
        )


class EntryDeck(Document):
    """What an entry handed in."""

    entry: int
    legal: KeptDeck | None = Field(description="the list that counts")
    draft: KeptDeck | None = Field(description="a later one that is not legal; for the player, judges and organizers")


class Unlisted(Document):
    """A player without a legal list."""

    entry: int
    name: str
    has_draft: bool = Field(description="a list is there, and it is not legal")

    @classmethod
    def of(cls, one: errors.Unlisted) -> "Unlisted":
        """The same, of a refusal."""
        return cls(**asdict(one))


class MissingLists(Document):
    """Who has a place, no legal list, and no leave to play without one."""

    missing: list[Unlisted]
