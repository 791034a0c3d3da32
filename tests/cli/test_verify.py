"""`deckproof verify`, as an organizer's script sees it: every answer with its exit code and its reasons."""

from pathlib import Path

import pytest

from tests.cli.world import ANN, BOB, EXAMPLE, Deckproof, owned, slots_of
from verifier.holdings import TokenId
from verifier.testkit import LyingNode, Question, ScriptedChain, lies
from verifier.testkit.lying_node import Answerer, Lie


def test_a_legal_deck_whose_every_copy_is_held_is_covered(deckproof: Deckproof, node: LyingNode, deck: Path) -> None:
    ended = deckproof("verify", "--deck", deck, "--wallet", ANN)
    assert ended.code == 0
    assert "COVERED: every copy of all 51 cards is held" in ended.out


def test_a_verdict_makes_one_call_for_balances(deckproof: Deckproof, node: LyingNode, deck: Path) -> None:
    deckproof("verify", "--deck", deck, "--wallet", ANN)
    assert sum(question.asks_balances for question in node.questions) == 1


def test_one_copy_short_is_no_and_names_the_card(
    deckproof: Deckproof, node: LyingNode, chain: ScriptedChain, deck: Path
) -> None:
    card = slots_of(EXAMPLE)[5]
    [token_id] = [token_id for _, token_id in owned(f"{card.count} {card.card.name}")]
    chain.mine({(ANN, token_id): card.count - 1})
    ended = deckproof("verify", "--deck", deck, "--wallet", ANN)
    assert ended.code == 3
    assert f"SHORT: 1 of 51 copies missing: 1 of {card.count} {card.card.name}" in ended.out


def test_a_strangers_wallet_is_short_of_everything(deckproof: Deckproof, node: LyingNode, deck: Path) -> None:
    ended = deckproof("verify", "--deck", deck, "--wallet", BOB, "--json")
    assert (ended.code, ended.document["outcome"]) == (3, "short")
    assert sum(line["missing"] for line in ended.document["coverage"]) == 51


def test_one_copy_in_each_of_two_wallets_adds_up(
    deckproof: Deckproof, node: LyingNode, chain: ScriptedChain, deck: Path
) -> None:
    moved = dict.fromkeys(list(owned(EXAMPLE))[::2], 0)
    chain.mine(
        {
            **moved,
            **{(BOB, token_id): units for (_, token_id), units in owned(EXAMPLE).items() if (ANN, token_id) in moved},
        }
    )
    alone = deckproof("verify", "--deck", deck, "--wallet", BOB)
    together = deckproof("verify", "--deck", deck, "--wallet", ANN, "--wallet", BOB)
    twice = deckproof("verify", "--deck", deck, "--wallet", BOB, "--wallet", BOB.lower())
    assert (alone.code, together.code, twice.code) == (3, 0, 3)


def test_a_card_on_two_lines_is_summed(deckproof: Deckproof, node: LyingNode, chain: ScriptedChain, deck: Path) -> None:
    [repeated, *_] = [slot for slot in slots_of(EXAMPLE) if slot.card.type != "Media Tyrant"]
    deck.write_text(f"{EXAMPLE}\n1 {repeated.card.name}\n")
    ended = deckproof("verify", "--deck", deck, "--wallet", ANN, "--json")
    [line] = [line for line in ended.document["coverage"] if line["missing"]]
    assert (line["card"], line["need"], line["missing"]) == (repeated.card.name, repeated.count + 1, 1)


def test_soulbound_copies_count(deckproof: Deckproof, node: LyingNode, chain: ScriptedChain, deck: Path) -> None:
    (wallet, token_id), units = next(iter(owned(EXAMPLE).items()))
    chain.mine({(wallet, token_id): 0, (wallet, TokenId(token_id | 1 << 32)): units})
    assert deckproof("verify", "--deck", deck, "--wallet", ANN).code == 0


def test_a_deck_that_is_owned_and_not_legal_is_no(
    deckproof: Deckproof, node: LyingNode, chain: ScriptedChain, deck: Path
) -> None:
    [spare, *_] = [slot for slot in slots_of(EXAMPLE) if slot.card.type == "Swag"]
    deck.write_text(f"{EXAMPLE}\n1 {spare.card.name}\n")
    chain.mine({key: units + 1 for key, units in owned(EXAMPLE).items()})
    ended = deckproof("verify", "--deck", deck, "--wallet", ANN, "--json")
    assert (ended.code, ended.document["outcome"], ended.document["legal"]) == (3, "covered", False)
    assert [violation["code"] for violation in ended.document["violations"]] == ["section-too-large"]


def test_the_block_is_the_one_asked_for(
    deckproof: Deckproof, node: LyingNode, chain: ScriptedChain, deck: Path
) -> None:
    then = chain.head
    chain.mine(dict.fromkeys(owned(EXAMPLE), 0))
    codes = [
        deckproof("verify", "--deck", deck, "--wallet", ANN, "--block", block).code
        for block in (then.number, hex(then.number), then.hash, "latest", "finalized")
    ]
    assert codes == [0, 0, 0, 3, 3]


def test_a_deck_may_come_from_standard_input(deckproof: Deckproof, node: LyingNode) -> None:
    assert deckproof("verify", "--deck", "-", "--wallet", ANN, stdin=EXAMPLE).code == 0


def test_the_document_says_what_it_rests_on(
    deckproof: Deckproof, node: LyingNode, chain: ScriptedChain, deck: Path
) -> None:
    document = deckproof("verify", "--deck", deck, "--wallet", ANN, "--json").document
    assert document["block"] == {
        "number": chain.head.number,
        "hash": chain.head.hash,
        "timestamp": chain.head.timestamp,
    }
    assert document["collection"]["address"] == chain.collection
    assert document["collection"]["chain_id"] == 31337
    assert document["wallets"] == [ANN]
    assert sum(line["need"] for line in document["coverage"]) == document["cards"] == 51
    assert document["trouble"] is None


# --- bad input: what, where, and what would be right


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--wallet", ANN[:-1] + ("0" if ANN[-1] != "0" else "1")], "checksum is wrong"),
        (["--wallet", "vitalik.eth"], "names are not supported yet"),
        (["--wallet", "0x12"], "2 characters after 0x, not 40"),
        (["--wallet", ANN, "--block", "newest"], "is not a block"),
        (["--wallet", ANN, "--rpc", "ws://127.0.0.1:1"], "is not a JSON-RPC endpoint"),
        (["--wallet", ANN, "--collection", "cards.eth"], "names are not supported yet"),
        (["--wallet", ANN, "--game", "chess"], "there is no game 'chess'; the games are"),
        (["--wallet", ANN, "--format", "vintage"], "has no format 'vintage'"),
    ],
)
def test_what_cannot_be_read_is_4(
    deckproof: Deckproof, node: LyingNode, deck: Path, words: list[str], said: str
) -> None:
    ended = deckproof("verify", "--deck", deck, *words)
    assert (ended.code, ended.out) == (4, "")
    assert said in ended.err


def test_every_unreadable_address_is_named_at_once(deckproof: Deckproof, node: LyingNode, deck: Path) -> None:
    ended = deckproof("verify", "--deck", deck, "--wallet", "ann.eth", "--wallet", ANN, "--wallet", "0x1")
    assert ended.code == 4
    assert "ann.eth" in ended.err
    assert "'0x1'" in ended.err


def test_unreadable_and_unknown_lines_are_4_with_their_numbers_and_the_nearest_names(
    deckproof: Deckproof, node: LyingNode, deck: Path
) -> None:
    deck.write_text("1 Ronald Frmup\n")
    unknown = deckproof("verify", "--deck", deck, "--wallet", ANN)
    deck.write_text("0 RONALD FRUMP\n1 x\nnonsense 7 what\n")
    unreadable = deckproof("verify", "--deck", deck, "--wallet", ANN)
    assert (unknown.code, unreadable.code) == (4, 4)
    assert "line 1" in unknown.err
    assert "RONALD FRUMP" in unknown.err
    assert "line 1" in unreadable.err
    assert "line 3" in unreadable.err


def test_no_endpoint_and_no_collection_are_usage(deckproof: Deckproof, deck: Path) -> None:
    no_endpoint = deckproof("verify", "--deck", deck, "--wallet", ANN)
    no_collection = deckproof("verify", "--deck", deck, "--wallet", ANN, "--rpc", "http://127.0.0.1:1")
    assert (no_endpoint.code, no_collection.code) == (2, 2)
    assert "give --rpc URL, or set DECKPROOF_RPC" in no_endpoint.err
    assert "give --collection ADDRESS, or set DECKPROOF_COLLECTION" in no_collection.err


def test_a_file_that_is_not_there_is_usage(deckproof: Deckproof, node: LyingNode, tmp_path: Path) -> None:
    missing, folder = (deckproof("verify", "--deck", path, "--wallet", ANN) for path in ("no.txt", tmp_path))
    assert (missing.code, folder.code) == (2, 2)


# --- no answer from the chain: 5, never a pass


@pytest.mark.parametrize(
    ("lie", "slug"),
    [
        (lies.answers_for_another_chain(5), "wrong-chain"),
        (lies.rate_limits(), "chain-unreachable"),
        (lies.shows_a_page(), "chain-unreachable"),
        (lies.shortens(), "answer-suspicious"),
        (lies.pads(), "answer-suspicious"),
        (lies.says("0x", "eth_getCode"), "no-contract"),
        (lies.says("0x" + "00" * 32), "not-erc1155"),
        (lies.hangs(30), "chain-unreachable"),
    ],
)
def test_a_chain_that_gives_no_answer_to_believe_is_undetermined_and_5(
    deckproof: Deckproof,
    node: LyingNode,
    deck: Path,
    lie: Lie,
    slug: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DECKPROOF_CHAIN_ID", "31337")
    node.tell(lie)
    ended = deckproof("verify", "--deck", deck, "--wallet", ANN, "--json")
    assert (ended.code, ended.document["outcome"], ended.document["coverage"]) == (5, "undetermined", None)
    assert ended.document["trouble"]["type"] == f"/problems/{slug}"


def test_an_endpoint_that_is_down_is_5_and_asks_whether_the_node_runs(deckproof: Deckproof, deck: Path) -> None:
    with LyingNode(ScriptedChain()) as gone:
        url = gone.url
    ended = deckproof("verify", "--deck", deck, "--wallet", ANN, "--rpc", url, "--collection", BOB)
    assert ended.code == 5
    assert "is the node running" in ended.out


@pytest.mark.parametrize(
    ("block", "said"), [("999999", "in the future"), ("0x" + "11" * 32, "no block with this hash")]
)
def test_a_block_that_is_not_there_is_5(
    deckproof: Deckproof, node: LyingNode, deck: Path, block: str, said: str
) -> None:
    ended = deckproof("verify", "--deck", deck, "--wallet", ANN, "--block", block)
    assert ended.code == 5
    assert said in ended.out


def test_a_pruned_block_is_5_and_says_what_would_help(
    deckproof: Deckproof, node: LyingNode, chain: ScriptedChain, deck: Path
) -> None:
    for _ in range(130):
        chain.mine()
    node.tell(lies.prunes(chain))
    ended = deckproof("verify", "--deck", deck, "--wallet", ANN, "--block", "1")
    assert ended.code == 5
    assert "archive endpoint" in ended.out


def test_one_lying_endpoint_of_three_is_5(
    deckproof: Deckproof, node: LyingNode, chain: ScriptedChain, deck: Path
) -> None:
    with LyingNode(chain) as second, LyingNode(chain) as liar:
        liar.tell(lies.invents())
        urls = [word for found in (node, second, liar) for word in ("--rpc", found.url)]
        ended = deckproof("verify", "--deck", deck, "--wallet", BOB, *urls)
    assert ended.code == 5
    assert "disagree" in ended.out


def test_an_illegal_deck_stays_no_when_the_chain_is_silent(deckproof: Deckproof, node: LyingNode, deck: Path) -> None:
    node.tell(lies.rate_limits())
    deck.write_text("1 RONALD FRUMP\n")
    assert deckproof("verify", "--deck", deck, "--wallet", ANN).code == 3


def test_a_quorum_of_more_endpoints_than_given_is_usage(deckproof: Deckproof, node: LyingNode, deck: Path) -> None:
    assert deckproof("verify", "--deck", deck, "--wallet", ANN, "--quorum", "2").code == 2


def test_nothing_is_coloured_outside_a_terminal(deckproof: Deckproof, node: LyingNode, deck: Path) -> None:
    assert "\x1b" not in deckproof("verify", "--deck", deck, "--wallet", BOB).out


def test_a_title_is_text_and_no_markup(deckproof: Deckproof, node: LyingNode, deck: Path) -> None:
    for title in ("Frump [/]", "[bold red]UNDETERMINED[/]", "[link=http://evil.example]x", ":smile:"):
        deck.write_text(f"About\nName {title}\n\n{EXAMPLE}")
        ended = deckproof("verify", "--deck", deck, "--wallet", ANN)
        assert ended.code == 0
        assert title in ended.out


def test_two_spellings_of_one_endpoint_make_no_quorum(deckproof: Deckproof, node: LyingNode, deck: Path) -> None:
    other = node.url.replace("127.0.0.1", "localhost")
    words = ("verify", "--deck", deck, "--wallet", ANN, "--rpc", node.url, "--rpc", other, "--quorum", "2")
    ended = deckproof(*words)
    assert ended.code == 4
    assert "cannot confirm itself" in ended.err


@pytest.mark.parametrize("timestamp", [10**15, 2**63, 2**64 - 1])
def test_a_block_of_a_time_that_no_calendar_has_is_shown(
    deckproof: Deckproof, node: LyingNode, deck: Path, timestamp: int
) -> None:
    def lie(question: Question, honest: Answerer) -> object:
        answer = honest(question)
        return {**answer, "timestamp": hex(timestamp)} if isinstance(answer, dict) else answer

    node.tell(lie)
    ended = deckproof("verify", "--deck", deck, "--wallet", ANN)
    assert ended.code == 0
    assert str(timestamp) in ended.out


def test_a_rating_ceiling_counts_for_verify_too(deckproof: Deckproof, node: LyingNode, deck: Path) -> None:
    assert deckproof("verify", "--deck", deck, "--wallet", ANN, "--max-rating", "G").code == 4
