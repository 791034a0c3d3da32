"""The demo world, judged: what a person would say of each player, written by hand, and what the product finds."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from collection.anvil import Anvil, AnvilSettings, find_anvil, started_anvil
from collection.demo import ACCOUNTS, Player, World, build_world
from games.formats import Rule
from tournament.service.decks import Deck, read_deck, rules_of
from verifier.chain import ChainHoldings, Collection
from verifier.check import Claim, Outcome, Verdict, check_deck
from verifier.decklist import DecklistUnreadable
from verifier.holdings import BlockTag

pytestmark = pytest.mark.chain

COVERED, SHORT = Outcome.COVERED, Outcome.SHORT


@dataclass(frozen=True)
class Judged:
    """What holds of a player."""

    sold: Outcome
    """When everybody had bought their cards."""
    now: Outcome
    missing: int = 0
    """Copies, now."""
    breaks: tuple[Rule, ...] = ()


# Written down by reading each story and each deck, not by running anything.
EXPECTED = {
    "Paige Turner": Judged(COVERED, COVERED),
    "Chip Munny": Judged(COVERED, COVERED),
    "Bea Havior": Judged(COVERED, COVERED),
    "Twyla Purse": Judged(COVERED, COVERED),
    "Penny Short": Judged(SHORT, SHORT, 1),
    "Dewey Twice": Judged(SHORT, SHORT, 2),
    "Polly Paste": Judged(SHORT, SHORT, 2),
    "Stella Stranger": Judged(SHORT, SHORT, 51),
    "Cash Flo": Judged(COVERED, SHORT, 1),
    "Nick O'Thyme": Judged(SHORT, COVERED),
    "Bern Down": Judged(COVERED, SHORT, 1),
    "Will Wander": Judged(COVERED, COVERED, breaks=(Rule.TRAIT_NOT_SHARED,)),
    "Max Overkill": Judged(COVERED, COVERED, breaks=(Rule.SECTION_TOO_LARGE,)),
    "Noah Shows": Judged(COVERED, COVERED, breaks=(Rule.SECTION_TOO_SMALL,)),
    "Ty Rantless": Judged(COVERED, COVERED, breaks=(Rule.SECTION_TOO_SMALL,)),
}
UNREADABLE = "Otto Correct"


@pytest.fixture(scope="module")
def own_anvil(anvil_process: Anvil) -> Iterator[Anvil]:
    """A chain on which nothing stands yet."""
    assert anvil_process  # where there is no Anvil, it skips or fails for all alike
    with started_anvil(find_anvil(environ=os.environ, start=Path.cwd())) as anvil:
        yield anvil


@pytest.fixture(scope="module")
def world(own_anvil: Anvil) -> World:
    return build_world(own_anvil)


@pytest.fixture(scope="module")
def holdings(own_anvil: Anvil, world: World) -> ChainHoldings:
    deployment = world.deployment
    collection = Collection(deployment.chain_id, deployment.address, deployment.code_hash)
    return ChainHoldings([own_anvil.endpoint], collection)


def named(world: World, name: str) -> Player:
    (player,) = (player for player in world.players if player.name == name)
    return player


def deck_of(player: Player) -> Deck:
    return read_deck(player.decklist, rules_of("cps"))


def verdict(player: Player, holdings: ChainHoldings, at: BlockTag = "latest", wallets: slice = slice(None)) -> Verdict:
    addresses = tuple(wallet.address for wallet in player.wallets[wallets])
    return check_deck(Claim(addresses, deck_of(player).needs), holdings, at)


def missing(found: Verdict) -> int:
    assert found.coverage
    return sum(line.missing for line in found.coverage.lines)


# --- who stands in the queue


def test_everybody_is_expected(world: World) -> None:
    assert [player.name for player in world.players] == [*EXPECTED, UNREADABLE]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_player_is_judged_as_a_person_would(world: World, holdings: ChainHoldings, name: str) -> None:
    player, expected = named(world, name), EXPECTED[name]
    sold, now = verdict(player, holdings, world.sale_ends), verdict(player, holdings)
    breaks = tuple(violation.code for violation in deck_of(player).violations())
    assert Judged(sold.outcome, now.outcome, missing(now), breaks) == expected


def test_a_misspelt_card_is_named_with_its_line_and_what_may_be_meant(world: World) -> None:
    with pytest.raises(DecklistUnreadable, match=r"line 29 \(Apology Vidoe\): no card is called that.*Apology Video"):
        deck_of(named(world, UNREADABLE))


def test_a_deck_in_two_wallets_is_covered_by_both_and_by_neither_alone(world: World, holdings: ChainHoldings) -> None:
    player = named(world, "Twyla Purse")
    alone = [verdict(player, holdings, wallets=slice(number, number + 1)).outcome for number in (0, 1)]
    assert [*alone, verdict(player, holdings).outcome] == [SHORT, SHORT, COVERED]


def test_soulbound_copies_are_needed_by_whoever_won_them(world: World, holdings: ChainHoldings) -> None:
    player = named(world, "Bea Havior")
    found = verdict(player, holdings)
    assert found.coverage
    bound = sum(unit.units for line in found.coverage.lines for unit in line.holdings if unit.token_id >= 1 << 32)
    assert 0 < bound < 51


def test_a_card_on_two_lines_is_needed_once_for_each(world: World, holdings: ChainHoldings) -> None:
    player = named(world, "Polly Paste")
    found = verdict(player, holdings)
    assert found.coverage
    (line,) = found.coverage.shortfalls
    assert [written.count for written in deck_of(player).decklist.lines if written.name == line.need.card] == [2, 2]
    assert (line.need.units, line.held) == (4, 2)


def test_the_seller_is_short_of_the_very_card_that_the_buyer_lacked(world: World, holdings: ChainHoldings) -> None:
    seller = verdict(named(world, "Cash Flo"), holdings).coverage
    buyer = verdict(named(world, "Nick O'Thyme"), holdings, world.sale_ends).coverage
    assert seller
    assert buyer
    assert [line.need.card for line in seller.shortfalls] == [line.need.card for line in buyer.shortfalls]


# --- the world as a whole


def test_every_deck_is_in_the_shape_of_arena(world: World) -> None:
    for player in world.players:
        rows = [row for row in player.decklist.splitlines() if row.strip()]
        headers = [row for row in rows if not row[0].isdigit()]
        assert headers == ["Media Tyrant", "Influencers", "Player cards"]
        assert all(re.fullmatch(r"\d+ .+ \(OPN\) \d+", row) for row in rows if row not in headers)


def test_nobody_shares_a_wallet(world: World) -> None:
    wallets = [wallet for player in world.players for wallet in player.wallets]
    assert len(set(wallets)) == len(wallets) == 17


def test_every_story_is_one_line_and_tells_no_verdict(world: World) -> None:
    for player in world.players:
        assert "\n" not in player.story
        assert not {"covered", "legal", "illegal", "undetermined"} & set(re.findall(r"\w+", player.story.lower()))


def test_it_is_built_in_few_blocks(own_anvil: Anvil, world: World) -> None:
    height = int(str(own_anvil.ask("eth_blockNumber")), 16)
    assert world.sale_ends < height <= 8


def test_it_is_the_same_on_every_run(world: World) -> None:
    with started_anvil(find_anvil(environ=os.environ, start=Path.cwd())) as anvil:
        again = build_world(anvil)
    assert again == world


def test_one_anvil_as_it_comes_has_accounts_enough() -> None:
    assert AnvilSettings().accounts >= ACCOUNTS
