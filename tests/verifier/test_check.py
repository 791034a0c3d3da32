"""Verdicts: three outcomes, each with its reason, many decks at one block."""

import pytest
from eth_hash.auto import keccak

from verifier.addresses import to_checksum
from verifier.check import Claim, Outcome, check_deck, check_decks
from verifier.coverage import Need
from verifier.errors import AddressUnreadable, ChainUnreachable, NeedsOverlap
from verifier.holdings import Address, Ask, Block, BlockHash, BlockTag, MemoryHoldings, TokenId

ANN, BOB, CAT = (to_checksum(keccak(name)[:20]) for name in (b"ann", b"bob", b"cat"))
FOO, BAR = TokenId(1), TokenId(2)
DECK = (Need("Foo", (FOO,), 2), Need("Bar", (BAR,), 1))
THEN, NOW = (Block(number, BlockHash(f"0x{number:064x}"), number) for number in (1, 2))

# block | Ann          | Bob          | Cat
# then  | 2 Foo 1 Bar  | 1 Foo        | 1 Foo 1 Bar
# now   | 1 Foo 1 Bar  | 1 Foo        | 1 Foo 1 Bar
HOLDINGS = MemoryHoldings(
    {
        THEN: {(ANN, FOO): 2, (ANN, BAR): 1, (BOB, FOO): 1, (CAT, FOO): 1, (CAT, BAR): 1},
        NOW: {(ANN, FOO): 1, (ANN, BAR): 1, (BOB, FOO): 1, (CAT, FOO): 1, (CAT, BAR): 1},
    }
)


class Silent:
    """Holdings that find the block and then no answer."""

    def pin(self, _tag: BlockTag, /) -> Block:
        return NOW

    def read(self, _asks: object, _block: Block, /) -> list[tuple[int, ...]]:
        raise ChainUnreachable("http://somewhere", "silence", 1)


def outcomes(*wallets: tuple[Address, ...], at: BlockTag = "latest") -> list[Outcome]:
    return [verdict.outcome for verdict in check_decks([Claim(own, DECK) for own in wallets], HOLDINGS, at)]


def test_many_decks_get_their_own_verdicts_at_one_block() -> None:
    assert outcomes((ANN,), (BOB,), (BOB, CAT), at=1) == [Outcome.COVERED, Outcome.SHORT, Outcome.COVERED]


def test_the_block_asked_for_is_the_block_judged() -> None:
    assert outcomes((ANN,), at=1) + outcomes((ANN,), at=2) == [Outcome.COVERED, Outcome.SHORT]


def test_a_verdict_names_its_block_and_every_shortfall() -> None:
    verdict = check_deck(Claim((BOB,), DECK), HOLDINGS, 1)
    assert verdict.block == THEN
    assert verdict.coverage is not None
    assert [(line.need.card, line.held, line.missing) for line in verdict.coverage.shortfalls] == [
        ("Foo", 1, 1),
        ("Bar", 0, 1),
    ]


def test_no_wallet_covers_no_deck() -> None:
    assert outcomes(()) == [Outcome.SHORT]


def test_trouble_is_undetermined_for_everybody_and_passes_nobody() -> None:
    verdicts = check_decks([Claim((ANN,), DECK), Claim((BOB,), ())], Silent())
    assert [(v.outcome, v.coverage, v.block) for v in verdicts] == [(Outcome.UNDETERMINED, None, NOW)] * 2
    assert isinstance(verdicts[0].trouble, ChainUnreachable)


def test_a_block_that_is_not_there_is_undetermined() -> None:
    assert outcomes((ANN,), at=99) == [Outcome.UNDETERMINED]


def test_a_bug_in_the_catalogue_is_no_verdict() -> None:
    with pytest.raises(NeedsOverlap):
        check_deck(Claim((ANN,), (Need("Foo", (FOO,), 1), Need("Bar", (FOO, BAR), 1))), HOLDINGS)


def test_a_block_is_read_once_for_all_decks() -> None:
    class Counting:
        def __init__(self) -> None:
            self.reads: list[int] = []

        def pin(self, tag: BlockTag, /) -> Block:
            return HOLDINGS.pin(tag)

        def read(self, asks: list[Ask], block: Block, /) -> list[tuple[int, ...]]:
            self.reads.append(len(asks))
            return HOLDINGS.read(asks, block)

    counting = Counting()
    check_decks([Claim((ANN,), DECK), Claim((BOB, CAT), DECK)], counting)
    assert counting.reads == [3]


@pytest.mark.parametrize("again", [BOB, BOB.lower(), "0x" + BOB[2:].upper(), f" {BOB} "])
def test_a_wallet_named_twice_in_any_spelling_is_one_wallet(again: Address) -> None:
    assert outcomes((BOB, again), at=1) == [Outcome.SHORT]
    assert outcomes((CAT, again), at=1) == [Outcome.COVERED]


@pytest.mark.parametrize("wallet", ["0x1234", "", "ann.eth", ANN[:-1], ANN.swapcase()])
def test_what_is_no_address_is_refused_and_never_called_short(wallet: Address) -> None:
    with pytest.raises(AddressUnreadable):
        Claim((wallet,), DECK)


@pytest.mark.parametrize(("token_ids", "units"), [((FOO,), 0), ((FOO,), -1), ((), 1), ((-1,), 1), ((2**256,), 1)])
def test_a_need_that_nobody_can_have_is_an_error_of_the_caller(token_ids: tuple[TokenId, ...], units: int) -> None:
    with pytest.raises(ValueError, match="nobody can need"):
        Need("Foo", token_ids, units)
