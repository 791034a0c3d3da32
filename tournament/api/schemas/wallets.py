"""Documents of wallets: texts to sign, what came back, and which wallets serve an entry."""

import json
from typing import Annotated, Final

from pydantic import Field, StringConstraints

from tournament.api.schemas.accounts import EventName
from tournament.api.schemas.document import Document
from tournament.service.entries import MOST_NUMBER
from tournament.service.wallets import MOST_SHARES, MOST_TOKENS, MOST_UNITS, ShareSaid
from tournament.store import LinkedWallet
from verifier.control import Challenge
from verifier.delegation import Level

_LONGEST: Final = 100
WalletAddress = Annotated[
    str,
    Field(
        max_length=_LONGEST,
        examples=["0x90F79bf6EB2c4f870365E785982E1f101E93b906"],
        description="0x and 40 hex digits; if capitals and small letters are mixed, as in its checksum (EIP-55)",
    ),
]
TokenId = Annotated[str, StringConstraints(pattern="^(0|[1-9][0-9]{0,77})$")]
Units = Annotated[int, Field(ge=1, le=MOST_UNITS)]


class ShareAsked(Document):
    """What of a wallet is to be an entry's."""

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])
    units: dict[TokenId, Units] = Field(
        min_length=1, max_length=MOST_TOKENS, description="by token id, at most so many", examples=[{"65537": 4}]
    )

    @property
    def said(self) -> ShareSaid:
        """As the service takes it."""
        return ShareSaid(self.entry, {int(token): units for token, units in self.units.items()})


class TextAsked(Document):
    """Which wallet is to sign, and for what."""

    address: WalletAddress
    shares: list[ShareAsked] | None = Field(
        default=None,
        min_length=1,
        max_length=MOST_SHARES,
        description="to split the wallet among entries, in the order in which they are served; null: to link it",
    )


class SignInAsked(Document):
    """Which wallet is to sign in to which event."""

    event: EventName
    address: WalletAddress


class TextToSign(Document):
    """What the wallet is to sign, byte for byte."""

    nonce: str = Field(description="to be sent back with the answer", examples=["6f" * 16])
    text: str = Field(description="by `personal_sign` (EIP-191)", examples=["play.example.com wants you to sign in …"])
    digest: str = Field(
        description="data of a transaction without value to itself, for a wallet that cannot sign", examples=["0x9c…"]
    )
    chain_id: int
    expires_at: int = Field(description="seconds since 1970", examples=[1_800_000_600])

    @classmethod
    def of(cls, challenge: Challenge) -> "TextToSign":
        """A text that was given."""
        return cls(
            nonce=challenge.nonce,
            text=challenge.text,
            digest="0x" + challenge.digest.hex(),
            chain_id=challenge.chain_id,
            expires_at=challenge.expires_at,
        )


class WalletLine(Document):
    """A wallet or vault of an entry."""

    commitment: str = Field(description="by which the log knows it, and by which it is unlinked", examples=["5d" * 32])
    address: str | None = Field(description="null once it is erased")
    linked: int = Field(description="the command that let it serve")
    signs_in: bool = Field(description="who controls it signs in as the entry")
    vouches_for: str | None = Field(description="of a vault: the commitment of the wallet that it vouches for")
    level: Level | None = Field(description="of a vault: for how much it vouched when it was named")
    share: dict[str, int] | None = Field(
        description="units by token id, of a wallet that serves several entries; null: all of it is the entry's"
    )

    @classmethod
    def of(cls, one: LinkedWallet) -> "WalletLine":
        """As it is kept."""
        return cls(
            commitment=one.commitment,
            address=one.address or None,
            linked=one.linked,
            signs_in=one.signs_in,
            vouches_for=one.vouches_for,
            level=None if one.level is None else Level(one.level),
            share=None if one.share is None else json.loads(one.share or "{}"),
        )


class EntryWallets(Document):
    """The wallets and vaults of an entry, in the order in which they were linked."""

    entry: int
    locked: str = Field(description="why nothing is unlinked any more; empty while it may be")
    wallets: list[WalletLine]
