"""Documents of accounts, tokens and browsers."""

from typing import Annotated

from pydantic import Field, StringConstraints

from tournament.api.schemas.document import Document
from tournament.service.accounts import EVERYTHING, AccountName, Scope, Shown, digest_of, id_of, scopes_in
from tournament.service.commands import player_in
from tournament.service.entries import MOST_NUMBER
from tournament.service.passwords import MOST
from tournament.tables import BrowserRow, TokenRow

Password = Annotated[str, Field(min_length=1, max_length=MOST, examples=["correct horse battery staple"])]
Code = Annotated[
    str, Field(max_length=40, examples=["287082"], description="of the device, or a recovery code; if there is one")
]
EventName = Annotated[
    str, StringConstraints(pattern="^[A-Za-z0-9]{1,40}$", to_lower=True), Field(examples=["k3v7qzj2m5xa"])
]
Label = Annotated[str, Field(max_length=100, examples=["the laptop at the desk"])]


class Proof(Document):
    """Who somebody says to be, and with what."""

    account: AccountName = Field(examples=["ann"])
    password: Password
    code: Code = ""


class SignIn(Proof):
    """A name and a password, and which token is wanted for them."""

    label: Label = ""
    scopes: frozenset[Scope] = Field(
        default=EVERYTHING, min_length=1, description="what the token is good for", examples=[["read"]]
    )
    event: EventName | None = Field(default=None, description="the only event that it is good for")
    days: int | None = Field(default=None, ge=1, le=3650, description="how long it is good; null for ever")


class Token(Document):
    """A token, told this once."""

    token: str = Field(examples=["dp_5Pq…"])
    id: str = Field(examples=["9f86d081884c7d65"], description="by what it is listed and revoked")
    scopes: list[Scope]
    event: str | None
    expires_at: str | None


class TokenLine(Document):
    """A token, without itself."""

    id: str = Field(examples=["9f86d081884c7d65"])
    label: Label
    scopes: list[Scope]
    event: str | None
    created_at: str
    expires_at: str | None
    last_used: str | None = Field(examples=["2026-01-31"], description="the day; null if it never was")
    current: bool = Field(description="it is the one that asks")

    @classmethod
    def of(cls, row: TokenRow, token: Shown | None) -> "TokenLine":
        """A token as its account sees it."""
        return cls(
            id=id_of(row.digest),
            scopes=sorted(scopes_in(row.scopes)),
            current=token is not None and digest_of(token.text) == row.digest,
            **row.model_dump(exclude={"digest", "account", "scopes"}),
        )


class Tokens(Document):
    """The tokens of an account."""

    tokens: list[TokenLine]


class TypedCode(Document):
    """What stands on the paper of an entry."""

    event: EventName
    number: int = Field(ge=1, le=MOST_NUMBER, examples=[17], description="the player's number")
    code: str = Field(
        max_length=40, examples=["7kq2 m4xa o9zt"], description="capitals, blanks and dashes do not matter"
    )


class EntryToken(Document):
    """What a player sends as a bearer token."""

    token: str = Field(examples=["dpe_k3v7qzj2m5xa_17_7KQ2-M4XA-09ZT"])


class SignedIn(Document):
    """Who a browser is."""

    account: str | None = Field(examples=["ann"])
    event: str | None = Field(description="of a player: the event")
    entry: int | None = Field(description="of a player: the number")

    @classmethod
    def of(cls, actor: str | None, event: str | None) -> "SignedIn":
        """Somebody as the log calls them."""
        number = player_in(actor) if actor is not None else None
        return cls(account=actor if number is None else None, event=event, entry=number)


class BrowserLine(Document):
    """A browser that is signed in."""

    id: str = Field(examples=["9f86d081884c7d65"])
    about: str = Field(examples=["Mozilla/5.0 …"], description="what it says that it is")
    created_at: str
    seen_at: str = Field(description="to some minutes")
    expires_at: str
    current: bool = Field(description="it is the one that asks")

    @classmethod
    def of(cls, row: BrowserRow, token: Shown | None) -> "BrowserLine":
        """A browser as its account sees it."""
        is_current = token is not None and digest_of(token.text) == row.digest
        return cls(id=id_of(row.digest), current=is_current, **row.model_dump(exclude={"digest", "account"}))


class Browsers(Document):
    """Where an account is signed in."""

    browsers: list[BrowserLine]


class Account(Document):
    """An account, as its owner sees it."""

    account: str = Field(examples=["ann"])
    created_at: str
    second_factor: bool = Field(description="a code is needed to sign in")
    recovery_codes: int = Field(description="how many are left")


class NewPassword(Document):
    """The old password and a new one."""

    old: Password
    new: Password
    sign_out: bool = Field(default=False, description="sign out every other browser")
    revoke_tokens: bool = Field(default=False, description="make every other token worthless")


class PasswordOnly(Document):
    """The password once more."""

    password: Password


class PasswordAndCode(PasswordOnly):
    """The password and a code once more."""

    code: Code


class CodeOnly(Document):
    """A code of the device."""

    code: Code


class FactorBegun(Document):
    """What the device needs; it is told this once."""

    secret: str = Field(examples=["JBSWY3DPEHPK3PXP…"], description="base 32, to be typed")
    uri: str = Field(examples=["otpauth://totp/Deckproof:ann?secret=…&issuer=Deckproof"], description="to be scanned")


class RecoveryCodes(Document):
    """Codes for when the device is lost, each good once; they are told this once."""

    codes: list[str] = Field(examples=[["7KQ2-M4XA-09ZT-5BNE"]])


class SignOut(Document):
    """What else becomes worthless."""

    tokens: bool = Field(default=False, description="every token too")
