"""Refusals of live streams and webhooks."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.amounts import counted
from tournament.domain.errors import TournamentError


@dataclass(eq=False)
class StreamsUnavailable(TournamentError):
    """No further live stream can be opened."""

    limit: int
    of: str
    """Whose limit it is."""
    retry_after: int = 30
    """Seconds."""

    def __str__(self) -> str:
        return f"{self.of} may have {counted(self.limit, 'live stream')} open; ask with If-None-Match instead"


@dataclass(eq=False)
class WebhookNotFound(TournamentError):
    """The event has no such webhook."""

    webhook: int

    def __str__(self) -> str:
        return f"there is no webhook {self.webhook}"


@dataclass(eq=False)
class DeliveryNotFound(TournamentError):
    """The webhook has no such delivery."""

    delivery: str

    def __str__(self) -> str:
        return f"there is no delivery {self.delivery!r}; those long delivered are forgotten"


@dataclass(eq=False)
class WebhookUrlUnreadable(TournamentError):
    """Webhooks do not go to that URL."""

    faults: Sequence[str]
    """Every reason."""

    def __str__(self) -> str:
        return "; ".join(self.faults)


@dataclass(eq=False)
class TooManyWebhooks(TournamentError):
    """The event has as many webhooks as it may have."""

    limit: int

    def __str__(self) -> str:
        return f"an event has {self.limit} webhooks at most; remove one first"
