"""The chain as this server sees it: the endpoints of its settings, and the collection that is usual here.

Endpoints are the operator's. No event names them, no log has them, and what is told of their trouble in a log names
none of them (`cause_of`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from tournament.errors import ChainBusy, EndpointsMissing
from tournament.settings import Settings
from verifier.addresses import parse_address
from verifier.chain import ChainHoldings, Collection
from verifier.errors import (
    AnswerSuspicious,
    BlockReplaced,
    BlockUnavailable,
    ChainError,
    ChainUnreachable,
    CodeChanged,
    EndpointRefused,
    EndpointsDisagree,
    LayoutUnknown,
    NoContract,
    NotErc1155,
    QuorumMissed,
    WrongChain,
)
from verifier.rpc import Endpoint, Exchange, Patience


@dataclass
class Places:
    """How many of a server's threads may wait for the chain at the same time.

    A node may take half a minute to say nothing, and a request waits for it in a thread. If all threads waited, nobody
    would be answered, not even who asks no chain.
    """

    most: int
    each: int
    """Of one asker."""
    _taken: Counter[str] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    @contextmanager
    def take(self, asker: str) -> Iterator[None]:
        """Wait for the chain meanwhile. Raises: ChainBusy."""
        with self._lock:
            yours = self._taken[asker] >= self.each
            if yours or self._taken.total() >= self.most:
                raise ChainBusy(yours)
            self._taken[asker] += 1
        try:
            yield
        finally:
            with self._lock:
                self._taken[asker] -= 1
                self._taken += Counter()  # whoever has none is forgotten


@dataclass(frozen=True)
class Nodes:
    """What this server asks.

    Args:
        endpoints: none on a server that asks no chain.
        usual: the collection of events that name none; None: there is none.
        quorum: how many must agree where an event does not say; more than half of them when not given.
        stale_after: seconds; None accepts a `latest` block of any age.
        proofs: whether balances that count are proven from the block's state root too.
    """

    endpoints: Sequence[Endpoint] = ()
    usual: Collection | None = None
    quorum: int | None = None
    stale_after: float | None = 3600.0
    proofs: bool = False
    for_players: Places = field(default_factory=lambda: Places(12, 2), compare=False)
    """Of wallets' answers and vaults; together with those of staff fewer than a server has threads, which are 40."""
    for_staff: Places = field(default_factory=lambda: Places(12, 4), compare=False)
    """Of epochs, and of registration that opens."""

    @classmethod
    def of(cls, settings: Settings) -> "Nodes":
        """As the settings say. Raises: EndpointUnreadable, AddressUnreadable."""
        patience = Patience(deadline=settings.deadline, timeout=settings.timeout)
        usual = None
        if settings.collection is not None:
            usual = Collection(settings.chain_id, parse_address(settings.collection), settings.code_hash)
        return cls(
            [Endpoint(url, patience=patience) for url in settings.rpc],
            usual,
            settings.quorum,
            settings.stale_after,
            settings.proofs,
        )

    @property
    def count(self) -> int:
        """How many endpoints there are."""
        return len(self.endpoints)

    def agree(self, quorum: int | None) -> int:
        """How many must say the same, if an event asks for so many; None: if it does not say."""
        return quorum or self.quorum or self.count // 2 + 1

    def chain(self, collection: Collection, quorum: int | None = None) -> ChainHoldings:
        """A reader of a collection.

        Raises:
            EndpointsMissing: there are none, or fewer than must agree.
            EndpointsAlike: two are one.
        """
        needed = self.agree(quorum)
        if not 1 <= needed <= self.count:
            raise EndpointsMissing(needed, self.count)
        return ChainHoldings(self.endpoints, collection, quorum=needed, stale_after=self.stale_after)

    def close(self) -> None:
        """Drop the idle connections."""
        for endpoint in self.endpoints:
            endpoint.close()


def cause_of(error: Exception) -> str:
    """Why nothing could be concluded, in words for everybody: which endpoint it was is the operator's business."""
    return next(_CAUSES[kind](error) for kind in type(error).__mro__ if kind in _CAUSES)


def as_kept(exchanges: Iterable[Exchange]) -> list[dict[str, object]]:
    """What endpoints were asked and said, to be kept: they are numbered, since they are the operator's."""
    numbers: dict[str, int] = {}
    return [
        {
            "endpoint": numbers.setdefault(one.endpoint, len(numbers) + 1),
            "method": one.method,
            "params": _plain(one.params),
            "result": _plain(one.result),
            **({"refused": one.refused} if one.refused else {}),
        }
        for one in exchanges
    ]


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return "0x" + value.hex()
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return value


_CAUSES: Final[Mapping[type, Callable[[Any], str]]] = {
    EndpointsMissing: str,
    QuorumMissed: lambda error: (
        f"only {error.answered} of the {error.needed} endpoints needed answered about {error.question}"
    ),
    EndpointsDisagree: lambda error: f"the endpoints disagree about {error.question}, and no majority is taken",
    CodeChanged: lambda error: f"the contract at {error.address} runs other code than was promised",
    NoContract: lambda error: f"there is no contract at {error.address} in block {error.block}",
    ChainUnreachable: lambda _: "no endpoint answered in time",
    EndpointRefused: lambda error: f"an endpoint refused {error.method}",
    AnswerSuspicious: lambda _: "an endpoint gave an answer that no honest node and contract give",
    LayoutUnknown: lambda _: "where the collection keeps balances is not found",
    WrongChain: lambda error: f"an endpoint serves chain {error.found}, and the collection is on {error.expected}",
    NotErc1155: lambda error: f"the contract is not an ERC-1155 collection: {error.problem}",
    BlockUnavailable: lambda error: f"the state of block {error.block} is gone, or not there yet",
    BlockReplaced: lambda error: f"block {error.number} left the chain while it was read",
    ChainError: lambda _: "the chain gave no answer that may be believed",
}
