"""Refusals of wallets: texts that are signed, links, splits, vaults."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.errors import TournamentError


@dataclass(eq=False)
class HostsUnnamed(TournamentError):
    """The server does not know its own name."""

    def __str__(self) -> str:
        return (
            "a wallet signs for which site it is, and this server takes any name for its own; "
            "its operator sets DECKPROOF_TRUSTED_HOSTS"
        )


@dataclass(eq=False)
class ChallengeUnknown(TournamentError):
    """No text waits for that answer."""

    nonce: str

    def __str__(self) -> str:
        return (
            f"no text with the nonce {self.nonce} waits for an answer here: it was answered, has expired, or was given "
            "for another purpose, entry, event or site; ask for a new one"
        )


@dataclass(eq=False)
class ControlUnproven(TournamentError):
    """The answer does not prove that the wallet is yours."""

    wallet: str
    reasons: Sequence[str]

    def __str__(self) -> str:
        return "; ".join(self.reasons)


@dataclass(eq=False)
class ControlUndetermined(TournamentError):
    """Whether the wallet is yours could not be found out."""

    wallet: str
    cause: str

    def __str__(self) -> str:
        return f"{self.wallet} could not be asked: {self.cause}; try the same again"


@dataclass(eq=False)
class WalletTaken(TournamentError):
    """The wallet serves an entry of the event already."""

    wallet: str
    entry: int

    def __str__(self) -> str:
        return (
            f"{self.wallet} serves number {self.entry}, and a wallet serves one entry unless it signs a split; "
            "unlink it there first"
        )


@dataclass(eq=False)
class WalletsFull(TournamentError):
    """The entry has as many wallets as it may."""

    most: int

    def __str__(self) -> str:
        return f"an entry has at most {self.most} wallets and vaults"


@dataclass(eq=False)
class WalletLocked(TournamentError):
    """What serves whom is settled since the event began."""

    why: str

    def __str__(self) -> str:
        return f"{self.why}, and a unit that passed to another entry now would be counted for two"


@dataclass(eq=False)
class WalletNotFound(TournamentError):
    """The entry has no such wallet."""

    entry: int

    def __str__(self) -> str:
        return f"number {self.entry} has no such wallet"


@dataclass(eq=False)
class WalletUnknown(TournamentError):
    """The wallet is nobody's in this event."""

    event: str

    def __str__(self) -> str:
        return f"the wallet is yours, and no entry of {self.event} is signed in to by it; use the code of the entry"


@dataclass(eq=False)
class SplitRefused(TournamentError):
    """What a wallet is to be split into cannot be so."""

    faults: Sequence[str]
    """Every one."""

    def __str__(self) -> str:
        return "; ".join(self.faults)


@dataclass(eq=False)
class VaultSilent(TournamentError):
    """The vault does not vouch for the wallet."""

    vault: str
    wallet: str

    def __str__(self) -> str:
        return (
            f"{self.vault} delegates nothing of this collection to {self.wallet} in the registry of delegate.xyz; "
            "delegate from the vault first, to this very wallet"
        )


@dataclass(eq=False)
class RegistryMissing(TournamentError):
    """The chain has no registry in which a vault could vouch."""

    chain_id: int

    def __str__(self) -> str:
        return f"chain {self.chain_id} has no registry of delegate.xyz, so link the vault itself, or move the cards"
