"""What wallets held, as it is kept beside the log: token ids and units as texts that run parallel."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from tournament.tables import AllocationRow, HoldingRow
from verifier.holdings import Address, TokenId
from verifier.ledger import Allocation, Balances, Reading


def reading_of(token_ids: str, units: str) -> Reading:
    """What is kept as the ledger takes it."""
    return Reading(_ids(token_ids), tuple(map(int, units.split())))


def written(numbers: Iterable[int]) -> str:
    """Numbers as they are kept."""
    return " ".join(map(str, numbers))


def histories(rows: Iterable[HoldingRow], epochs: int) -> list[dict[Address, Mapping[TokenId, int]]]:
    """What was read at each epoch, from the first."""
    found: list[dict[Address, Mapping[TokenId, int]]] = [{} for _ in range(epochs)]
    for row in rows:
        if row.epoch <= epochs:
            found[row.epoch - 1][Address(row.wallet)] = reading_of(row.token_ids, row.units)
    return found


def merged(one: Mapping[TokenId, int] | None, other: Mapping[TokenId, int] | None) -> Reading:
    """Both, where they are of different token ids; the first counts where they are not."""
    known = dict(other or {}) | dict(one or {})
    return Reading(tuple(known), tuple(known.values()))


def least_of(before: Mapping[TokenId, int] | None, now: Reading) -> Reading:
    """The less of two readings of a wallet; of token ids that the former lacks, nothing."""
    if before is None:
        return Reading((), ())
    if isinstance(before, Reading) and before.token_ids == now.token_ids:
        return Reading(now.token_ids, tuple(map(min, before.units, now.units)))
    units = {token: min(before[token], held) for token, held in now.as_dict().items() if token in before}
    return Reading(tuple(units), tuple(units.values()))


def holding_row(event: str, epoch: int, wallet: Address, now: Reading, least: Reading) -> HoldingRow:
    """What a wallet held, to be kept; -1 is the least of what cannot be counted, since it was not read before."""
    known = least.as_dict()
    counts = least.units if least.token_ids == now.token_ids else [known.get(token, -1) for token in now.token_ids]
    return HoldingRow(
        event_id=event,
        wallet=wallet,
        epoch=epoch,
        token_ids=written(now.token_ids),
        units=written(now.units),
        least=written(counts),
    )


def least_kept(token_ids: str, least: str) -> Reading:
    """The least of a wallet as it is kept, without what cannot be counted."""
    read = reading_of(token_ids, least)
    if -1 not in read.units:
        return read
    known = {token: units for token, units in read.as_dict().items() if units >= 0}
    return Reading(tuple(known), tuple(known.values()))


def allocation_rows(usual: AllocationRow, allocations: Iterable[Allocation]) -> list[AllocationRow]:
    """Allocations, to be kept: one row an entry and wallet, for the rest as usual."""
    units: dict[tuple[int, str], list[str]] = {}
    for one in allocations:
        units.setdefault((int(one.entry), one.wallet), []).append(f"{one.token_id}:{one.units}")
    common = usual.model_dump()
    return [
        AllocationRow(**common | {"entry": entry, "wallet": wallet, "units": " ".join(those)})
        for (entry, wallet), those in units.items()
    ]


def allocations_in(row: AllocationRow) -> list[Allocation]:
    """What is kept as the ledger takes it."""
    return [Allocation(row.entry, Address(row.wallet), token, units) for token, units in units_in(row.units).items()]


def units_in(text: str) -> dict[TokenId, int]:
    """Units by token id, from `65610:2 65611:1`."""
    return {TokenId(int(token)): int(units) for token, _, units in (one.partition(":") for one in text.split())}


def balances_of(kept: Mapping[str, tuple[str, str]]) -> dict[Address, Reading]:
    """The least of each wallet, from what is kept of it."""
    return {Address(wallet): least_kept(*texts) for wallet, texts in kept.items()}


def as_readings(balances: Balances) -> dict[Address, Reading]:
    """What was read, each as a `Reading`."""
    return {
        wallet: read if isinstance(read, Reading) else Reading(tuple(read), tuple(read.values()))
        for wallet, read in balances.items()
    }


@lru_cache(maxsize=4096)
def _ids(text: str) -> tuple[TokenId, ...]:
    return tuple(TokenId(int(one)) for one in text.split())
