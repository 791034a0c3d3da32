"""What an event's ownership costs without a node: judging stored epochs again, and reading logs."""

import random
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias, cast

from eth_hash.auto import keccak
from measuring import interleaved
from reporting import Measure, Row, Target
from world import CARDS, DECK_SIZE, Field

from collection.artefact import showdown_cards
from rows import Bench
from verifier.ledger import Allotment, Balances, Reading, Stake, allocate
from verifier.transfers import SINGLE, Transfer, decode_logs

MANY: Final = 20_000
EPOCHS: Final = 3
LOGS: Final = 1_000_000
LOGS_MEASURED: Final = 100_000
LOGS_BY_WEB3: Final = 2_000
Log: TypeAlias = dict[str, Any]


def ledger_alone(bench: Bench) -> Iterator[Row]:
    """Everybody's deck judged again from what was read at three epochs; then with a card sold in between by some."""
    field = Field(bench.players(MANY))
    stakes = [
        Stake(player, claim.wallets, tuple(sorted(claim.needs, key=lambda need: need.token_ids)))
        for player, claim in enumerate(field.claims)
    ]
    epochs = [_epoch(stakes, sold=0) for _ in range(EPOCHS)]
    some_sold = [*epochs[:-1], _epoch(stakes, sold=len(stakes) // 100)]
    times = interleaved(
        {
            "ours": lambda: _judged(stakes, epochs, short=0),
            "some short": lambda: _judged(stakes, some_sold, short=len(stakes) // 100),
            "counting": lambda: _counted(stakes, epochs),
        },
        rounds=bench.rounds(7),
    )
    for what, ours, targets in (
        ("re-verify from stored epochs", "ours", (Target(Measure.SECONDS, 0.1),)),
        ("the same, one deck in a hundred short", "some short", ()),
    ):
        yield Row(
            what=what,
            size=f"{field.players:,} decks of {DECK_SIZE}, {EPOCHS} epochs",
            ours=times[ours],
            reference="comparing plain numbers",
            against=times["counting"],
            targets=targets,
        )


def _epoch(stakes: list[Stake], sold: int) -> Balances:
    """Everybody has one of each card; the first so many have sold one."""
    ones = (1,) * (DECK_SIZE - 1)
    return {
        stake.wallets[0]: Reading(stake.token_ids, (0 if number < sold else 1, *ones))
        for number, stake in enumerate(stakes)
    }


def _judged(stakes: list[Stake], epochs: list[Balances], short: int) -> Allotment:
    allotment = allocate(stakes, epochs)
    assert len(allotment.shortfalls) == short
    return allotment


def _counted(stakes: list[Stake], epochs: list[Balances]) -> None:
    """Nothing but the comparisons, one number at a time."""
    for stake in stakes:
        readings = [cast("Reading", epoch[stake.wallets[0]]) for epoch in epochs]
        for units, need in zip(zip(*(reading.units for reading in readings), strict=True), stake.needs, strict=True):
            assert min(units) >= need.units


def transfer_logs(bench: Bench) -> Iterator[Row]:
    """A log of one transfer, from what JSON became to what it says."""
    logs = _logs(bench.sample(LOGS_MEASURED))
    few = logs[: bench.sample(LOGS_BY_WEB3)]
    by_web3 = _web3_get_logs(few)
    expected = [(each["args"]["from"], each["args"]["to"], each["args"]["id"]) for each in by_web3()]
    assert [tuple(transfer[:3]) for transfer in decode_logs(few, CARDS)] == expected
    times = interleaved({"ours": lambda: _decoded(logs), "web3": by_web3}, rounds=bench.rounds(7))
    yield Row(
        what="decode transfer logs",
        size=f"{LOGS:,} logs, {len(logs):,} measured",
        ours=times["ours"].scaled(LOGS / len(logs)),
        reference=f"web3.py get_logs ({len(few):,} measured)",
        against=times["web3"].scaled(LOGS / len(few)),
        targets=(Target(Measure.FASTER, 100),),
    )


def _decoded(logs: list[Log]) -> list[Transfer]:
    transfers = decode_logs(logs, CARDS)
    assert len(transfers) == len(logs)
    return transfers


def _logs(many: int) -> list[Log]:
    rng = random.Random(0)  # noqa: S311 - no secret
    wallets = ["0x" + keccak(b"player %d" % player)[-20:].hex().rjust(64, "0") for player in range(max(4, many // 50))]
    market = "0x" + keccak(b"market")[-20:].hex().rjust(64, "0")
    parties = [rng.choices(wallets, k=2) for _ in range(many)]
    return [
        {
            "address": CARDS.lower(),
            "topics": [SINGLE, rng.choice((market, sender)), sender, recipient],
            "data": f"0x{rng.randrange(1 << 16, (1 << 16) + 200):064x}{rng.randint(1, 4):064x}",
            "blockNumber": hex(1_000 + number // 100),
            "blockHash": f"0x{number // 100:064x}",
            "transactionHash": "0x" + keccak(b"%d" % number).hex(),
            "transactionIndex": hex(number % 100),
            "logIndex": hex(number % 100),
            "removed": False,
        }
        for number, (sender, recipient) in enumerate(parties)
    ]


def _web3_get_logs(logs: list[Log]) -> Callable[[], Any]:
    """web3.py, with a provider that has the logs at hand."""
    from web3 import Web3  # noqa: PLC0415 - takes half a second
    from web3.providers.base import BaseProvider  # noqa: PLC0415

    class AtHand(BaseProvider):
        def make_request(self, method: Any, params: Any) -> Any:  # noqa: ANN401, ARG002 - the base class's types
            return {"jsonrpc": "2.0", "id": 1, "result": logs if method == "eth_getLogs" else hex(31337)}

    cards = Web3(AtHand()).eth.contract(Web3.to_checksum_address(CARDS), abi=showdown_cards().abi)
    return lambda: cards.events.TransferSingle().get_logs(from_block=0, to_block=10**9)


ROWS: tuple[Callable[[Bench], Iterator[Row]], ...] = (ledger_alone, transfer_logs)
