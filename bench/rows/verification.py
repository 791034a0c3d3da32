"""Reading and judging decks, against one bare question, and against web3.py."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from measuring import interleaved
from references import BareCalls, balance_of, bare_body, card_by_card, web3_batch, web3_card_by_card
from reporting import Measure, Row, Target
from world import DECK_SIZE, Field, World

from rows import Bench, port_of
from verifier import erc1155
from verifier.chain import ChainHoldings
from verifier.check import Outcome, Verdict, check_deck, check_decks
from verifier.coverage import Coverage, cover
from verifier.holdings import Ask, Block, holdings_of
from verifier.rpc import Endpoint

SMALL: Final = 20
"""Players on the chain where one deck is read."""
MANY: Final = 20_000


def one_deck(bench: Bench) -> Iterator[Row]:
    """One deck, with the node on this machine."""
    there = bench.world(SMALL)
    yield from _one_deck(there, port_of(there), "loopback", bench.rounds(200), at_most=1.7, faster=20)


def one_deck_far(bench: Bench) -> Iterator[Row]:
    """One deck, with the node 30 ms away."""
    there = bench.world(SMALL)
    far = bench.far(there)
    yield from _one_deck(there, far.port, _distance(far.round_trip), bench.rounds(40), at_most=1.05)


def _one_deck(  # noqa: PLR0913 - what the two distances differ in
    there: World, port: int, where: str, rounds: int, *, at_most: float, faster: float | None = None
) -> Iterator[Row]:
    ask, claim = there.field.asks[0], there.field.claims[0]
    url = f"http://127.0.0.1:{port}"
    with Endpoint(url) as endpoint:
        holdings = ChainHoldings([endpoint], there.collection)
        block = holdings.pin("latest")
        reader = holdings._readers[0]  # noqa: SLF001 - the read alone, without the two looks around it
        bare = BareCalls(port)

        def one_off() -> Verdict:
            with Endpoint(url) as fresh:
                verdict = check_deck(claim, ChainHoldings([fresh], there.collection))
            assert verdict.outcome is Outcome.COVERED
            return verdict

        assert reader._balances([ask], block) == (1,) * DECK_SIZE  # noqa: SLF001
        times = interleaved(
            {
                "bare": partial(bare.send, bare_body(balance_of(ask.wallet, ask.token_ids[0]), block)),
                "bare batch": partial(bare.send, bare_body(erc1155.balance_of_batch([ask]), block)),
                "balances": lambda: reader._balances([ask], block),  # noqa: SLF001
                "read": lambda: holdings.read([ask], block),
                "one-off": one_off,
                "web3": web3_batch(port, ask, block),
            },
            rounds=rounds,
            warmups=3,
        )
        bare.close()
    size = f"{DECK_SIZE} ids, {where}"
    against_bare = (Target(Measure.TIMES, at_most),)
    against_web3 = () if faster is None else (Target(Measure.FASTER, faster),)
    for what, ours, reference, against, targets in (
        ("balances of a deck", "balances", "one bare eth_call", "bare", against_bare),
        ("balances of a deck", "balances", "the same eth_call, bare", "bare batch", ()),
        ("balances of a deck", "balances", "web3.py balanceOfBatch", "web3", against_web3),
        ("the same between two looks at the block", "read", "one bare eth_call", "bare", ()),
        ("one-off verify: connect, pin, inspect, read", "one-off", "one bare eth_call", "bare", ()),
    ):
        yield Row(what=what, size=size, ours=times[ours], reference=reference, against=times[against], targets=targets)


def many_decks(bench: Bench) -> Iterator[Row]:
    """Everybody's deck at one block, with the node on this machine."""
    there = bench.world(bench.players(MANY))
    yield from _many_decks(bench, there, port_of(there), "loopback")


def many_decks_far(bench: Bench) -> Iterator[Row]:
    """Everybody's deck at one block, with the node 30 ms away."""
    there = bench.world(bench.players(MANY))
    far = bench.far(there)
    yield from _many_decks(bench, there, far.port, _distance(far.round_trip))


def _many_decks(bench: Bench, there: World, port: int, where: str) -> Iterator[Row]:
    field = there.field
    sample = Ask(field.wallets[0], field.asks[0].token_ids[: bench.sample(DECK_SIZE)])
    cards = len(sample.token_ids)
    scale = field.players * DECK_SIZE / cards
    bare = BareCalls(port)
    with Endpoint(f"http://127.0.0.1:{port}") as endpoint:
        holdings = ChainHoldings([endpoint], there.collection)
        block = holdings.pin("latest")
        _assert_right(field, holdings, block)
        times = interleaved(
            {
                "verify": _Checked(field, holdings, block),
                "read": lambda: holdings.read(field.asks, block),
                "web3": web3_card_by_card(port, sample, block),
                "bare": lambda: card_by_card(bare, sample, block),
            },
            rounds=bench.rounds(5),
        )
    bare.close()
    size = f"{field.players:,} decks of {DECK_SIZE}, {where}"
    web3, raw = times["web3"].scaled(scale), times["bare"].scaled(scale)
    in_seconds, faster = Target(Measure.SECONDS, 2.5), Target(Measure.FASTER, 1000)
    for what, ours, reference, against, targets in (
        ("verify all at one block", "verify", "web3.py card by card", web3, (in_seconds, faster)),
        ("verify all at one block", "verify", "a bare eth_call a card", raw, ()),
        ("read the balances of all", "read", "web3.py card by card", web3, ()),
    ):
        scaled = f"{reference} ({cards} cards x {scale:,.0f})"
        yield Row(what=what, size=size, ours=times[ours], reference=scaled, against=against, targets=targets)


@dataclass(frozen=True, slots=True)
class _Checked:
    """Judges everybody's deck, and sees that all are covered."""

    field: Field
    holdings: ChainHoldings
    block: Block

    def __call__(self) -> list[Verdict]:
        verdicts = check_decks(self.field.claims, self.holdings, self.block.hash)
        assert all(verdict.outcome is Outcome.COVERED for verdict in verdicts)
        return verdicts


def _assert_right(field: Field, holdings: ChainHoldings, block: Block) -> None:
    """Those who need a card that they do not have are short of it, and nobody else is of anything."""
    claims, short = field.claims_some_short
    verdicts = check_decks(claims, holdings, block.hash)
    assert [verdict.trouble for verdict in verdicts if verdict.trouble] == []
    assert {player for player, verdict in enumerate(verdicts) if verdict.outcome is Outcome.SHORT} == short
    for player in short:
        coverage = verdicts[player].coverage
        assert coverage
        assert [line.need for line in coverage.shortfalls] == [claims[player].needs[0]]
        assert [line.missing for line in coverage.shortfalls] == [1]


def growth_of_verification(bench: Bench) -> Iterator[Row]:
    """Twice as many decks: about twice the time."""
    there = bench.world(bench.players(MANY))
    whole, half = there.field, Field(there.field.players // 2)
    with Endpoint(there.url) as endpoint:
        holdings = ChainHoldings([endpoint], there.collection)
        block = holdings.pin("latest")
        times = interleaved(
            {"whole": _Checked(whole, holdings, block), "half": _Checked(half, holdings, block)},
            rounds=bench.rounds(5),
        )
    yield Row(
        what="growth of verifying",
        size=f"{half.players:,} to {whole.players:,} decks",
        ours=times["whole"],
        reference="half as many decks",
        against=times["half"],
        targets=(Target(Measure.TIMES, 2.3),),
    )


def coverage_alone(bench: Bench) -> Iterator[Row]:
    """Judging answers that were read already."""
    field = Field(bench.players(MANY))
    units = [tuple([1] * DECK_SIZE) for _ in field.asks]
    times = interleaved(
        {"ours": lambda: _covered(field, units), "counting": lambda: _counted(field, units)}, rounds=bench.rounds(7)
    )
    yield Row(
        what="cover, from answers already read",
        size=f"{field.players:,} decks of {DECK_SIZE}",
        ours=times["ours"],
        reference="comparing plain numbers",
        against=times["counting"],
    )


def _covered(field: Field, units: list[tuple[int, ...]]) -> list[Coverage]:
    judged = [
        cover(claim.needs, holdings_of([ask], [answer]))
        for claim, ask, answer in zip(field.claims, field.asks, units, strict=True)
    ]
    assert all(coverage.covered for coverage in judged)
    return judged


def _counted(field: Field, units: list[tuple[int, ...]]) -> None:
    """Nothing but the comparison; knows that each need has one token id, and that they stand in the answer's order."""
    for claim, answer in zip(field.claims, units, strict=True):
        assert all(held >= need.units for need, held in zip(claim.needs, answer, strict=True))


def _distance(round_trip: float) -> str:
    return f"{round_trip * 1e3:.1f} ms away"


ROWS: tuple[Callable[[Bench], Iterator[Row]], ...] = (
    one_deck,
    one_deck_far,
    many_decks,
    many_decks_far,
    growth_of_verification,
    coverage_alone,
)
