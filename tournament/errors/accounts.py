"""Refusals of accounts, tokens, invitations and staff."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.errors import TournamentError


@dataclass(eq=False)
class SignInWrong(TournamentError):
    """The name and the password do not belong together."""

    def __str__(self) -> str:
        return "no account has that name and that password"


@dataclass(eq=False)
class AccountTaken(TournamentError):
    """Somebody has that name already."""

    account: str

    def __str__(self) -> str:
        return f"there is an account {self.account!r} already; choose another name"


@dataclass(eq=False)
class AccountNotFound(TournamentError):
    """No account has that name."""

    account: str

    def __str__(self) -> str:
        return f"there is no account {self.account!r}"


@dataclass(eq=False)
class EntryCodeWrong(TournamentError):
    """The number and the code do not belong together."""

    event: str
    number: int

    def __str__(self) -> str:
        return f"number {self.number} of event {self.event} has another code; the desk can print it again"


@dataclass(eq=False)
class AccountDisabled(TournamentError):
    """The account may not act."""

    account: str

    def __str__(self) -> str:
        return f"the account {self.account!r} is disabled; ask whoever runs the server"


@dataclass(eq=False)
class PasswordUnfit(TournamentError):
    """The password would be guessed, or cannot be typed."""

    faults: Sequence[str]
    """Every reason."""

    def __str__(self) -> str:
        return "; ".join(self.faults)


@dataclass(eq=False)
class SecondFactorNeeded(TournamentError):
    """The account has a second factor, and no code was sent."""

    def __str__(self) -> str:
        return "the password is right; send the `code` that the device shows now, or a recovery code, with it"


@dataclass(eq=False)
class SecondFactorWrong(TournamentError):
    """The code is not good, or not good any more."""

    def __str__(self) -> str:
        return "that is not the code of now, or it was used; wait for the next one, and set the device's clock"


@dataclass(eq=False)
class SecondFactorOn(TournamentError):
    """The account has a second factor already."""

    account: str

    def __str__(self) -> str:
        return f"{self.account} has a second factor; switch it off before another device takes its place"


@dataclass(eq=False)
class SecondFactorOff(TournamentError):
    """The account has no second factor."""

    account: str

    def __str__(self) -> str:
        return f"{self.account} has no second factor that this could be done with; begin with `POST /account/totp`"


@dataclass(eq=False)
class SecondFactorLocked(TournamentError):
    """The second factor was encrypted with another secret."""

    account: str

    def __str__(self) -> str:
        return (
            f"the second factor of {self.account} was encrypted with another secret than this server has; sign in "
            "with a recovery code, or let whoever runs the server say `deckproof admin reset-totp`"
        )


@dataclass(eq=False)
class TokenNotFound(TournamentError):
    """The account has no such token or browser."""

    id: str

    def __str__(self) -> str:
        return f"no token or browser {self.id!r} of this account is in force"


@dataclass(eq=False)
class TokensFull(TournamentError):
    """The account has as many tokens as it may have."""

    most: int

    def __str__(self) -> str:
        return f"the account has {self.most} tokens; revoke those that are not used"


@dataclass(eq=False)
class ScopeMissing(TournamentError):
    """The token is not for that."""

    needs: str
    scopes: Sequence[str]
    event: str | None
    """The only event that the token is for."""

    def __str__(self) -> str:
        only = f" in event {self.event} only" if self.event else ""
        return f"this needs a token for {self.needs!r}, and yours is for {', '.join(self.scopes)}{only}"


@dataclass(eq=False)
class InvitationNotFound(TournamentError):
    """There is no such invitation, or its code is another."""

    invitation: int

    def __str__(self) -> str:
        return f"there is no invitation {self.invitation} with that code; look at the link again"


@dataclass(eq=False)
class InvitationOver(TournamentError):
    """The invitation cannot be accepted any more."""

    invitation: int
    why: str

    def __str__(self) -> str:
        return f"invitation {self.invitation} {self.why}; ask an organizer for a new one"


@dataclass(eq=False)
class LastOrganizer(TournamentError):
    """An event keeps one organizer at least."""

    account: str

    def __str__(self) -> str:
        return f"{self.account} is the only organizer; make somebody else one first"


@dataclass(eq=False)
class NotStaff(TournamentError):
    """The account does not have that role."""

    account: str
    role: str

    def __str__(self) -> str:
        return f"{self.account} is no {self.role} of the event"
