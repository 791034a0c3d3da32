"""`deckproof chain …` and `demo`, on a real Anvil."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from eth_hash.auto import keccak

from collection import issuing
from collection.anvil import Anvil
from collection.transactions import Sender
from collection.wallets import development_wallets
from tests.cli.world import Deckproof, Ended
from verifier.rpc import Endpoint
from verifier.testkit import LyingNode, Question, Relay, lies
from verifier.testkit.lying_node import Answerer, Lie

pytestmark = pytest.mark.chain

PROGRAM = str(Path(sys.executable).with_name("deckproof"))
SIGNER, PLAYER = (wallet.address for wallet in development_wallets(2))


@pytest.fixture
def local(anvil: Anvil, monkeypatch: pytest.MonkeyPatch) -> Anvil:
    """A local chain, named by the settings."""
    monkeypatch.setenv("DECKPROOF_RPC", anvil.url)
    return anvil


@pytest.fixture
def deployment(deckproof: Deckproof, local: Anvil, tmp_path: Path) -> Path:
    """The signer's own collection, with the starter set published."""
    file = tmp_path / "deployment.json"
    roles = ("--publisher", SIGNER, "--issuer", SIGNER, "--pauser", SIGNER)
    assert deckproof("chain", "deploy", "--account", 0, *roles, "--out", file).code == 0
    uri = "https://cards.example/{id}.json"
    published = deckproof(
        *("chain", "publish", "--deployment", file, "--account", 0, "--uri", uri, "--run", 60, "--allow", SIGNER)
    )
    assert published.code == 0
    return file


def address_in(deployment: Path) -> str:
    return str(json.loads(deployment.read_text())["address"])


# --- deploy, publish, mint


def test_a_deck_that_is_minted_is_covered(deckproof: Deckproof, deployment: Path, deck: Path) -> None:
    minted = deckproof("chain", "mint", "--deployment", deployment, "--account", 0, "--to", PLAYER, "--deck", deck)
    verify = ("verify", "--deck", deck, "--collection", address_in(deployment), "--wallet")
    assert (minted.code, deckproof(*verify, PLAYER).code, deckproof(*verify, SIGNER).code) == (0, 0, 3)


def test_cards_are_sent_to_another_wallet_but_no_more_than_there_are(deckproof: Deckproof, deployment: Path) -> None:
    here = ("--deployment", deployment, "--account", 0)
    mint = ("chain", "mint", *here, "--to", SIGNER, "--card", "2 RONALD FRUMP")
    assert (deckproof(*mint).code, deckproof(*mint, "--soulbound").code) == (0, 0)
    send = ("chain", "send", *here, "--to", PLAYER)
    sent = deckproof(*send, "--card", "1 ronald frump", "--json")
    assert (sent.code, [one["units"] for one in sent.document["copies"]]) == (0, [1])
    refused = deckproof(*send, "--card", "2 ronald frump")
    assert (refused.code, "1 copy of card 74" in refused.err) == (6, True), refused.err


def test_single_cards_are_minted_soulbound(deckproof: Deckproof, deployment: Path) -> None:
    mint = ("chain", "mint", "--collection", address_in(deployment), "--account", 0, "--to", PLAYER)
    minted = deckproof(*mint, "--card", "2 ronald frump", "--soulbound", "--json")
    [copies] = minted.document["copies"]
    [held] = deckproof("holdings", PLAYER, "--collection", address_in(deployment), "--json").document["holdings"]
    assert (copies["token_id"] >> 32, copies["units"]) == (1, 2)
    assert (held["card"], held["units"], held["soulbound"]) == ("RONALD FRUMP", 2, 2)


def test_publishing_again_finds_it_done(deckproof: Deckproof, deployment: Path) -> None:
    again = ("chain", "publish", "--deployment", deployment, "--account", 0, "--uri", "https://cards.example/{id}.json")
    assert deckproof(*again, "--run", 60, "--json").document["published_before"] is True
    other = deckproof(*again, "--run", 61)
    assert other.code == 6
    assert "61" in other.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--account", 5, "--card", "1 RONALD FRUMP"), 6, "is not issuer"),
        (("--account", 0, "--card", "61 RONALD FRUMP"), 6, "60"),
        (("--account", 0, "--card", "1 RONALD FRMUP"), 4, "RONALD FRUMP"),
        (("--account", 0, "--card", "RONALD FRUMP"), 2, "write a count and a name"),
        (("--account", 0, "--card", "0 RONALD FRUMP"), 2, "write a count and a name"),
        (("--account", 0), 2, "no copies"),
        (("--card", "1 RONALD FRUMP"), 2, "no signer"),
        (("--account", 0, "--key-file", "k", "--card", "1 RONALD FRUMP"), 2, "two signers"),
        (("--account", 0, "--collection", PLAYER, "--card", "1 RONALD FRUMP"), 2, "two collections"),
    ],
)
def test_what_cannot_be_minted_says_why(
    deckproof: Deckproof, deployment: Path, words: tuple[object, ...], code: int, said: str
) -> None:
    ended = deckproof("chain", "mint", "--deployment", deployment, "--to", PLAYER, *words)
    assert ended.code == code
    assert said in ended.err


def test_a_collection_that_is_not_there_is_5(deckproof: Deckproof, local: Anvil) -> None:
    words = ("--collection", PLAYER, "--account", 0, "--to", PLAYER, "--card", "1 RONALD FRUMP")
    ended = deckproof("chain", "mint", *words)
    assert ended.code == 5
    assert "no contract" in ended.err


def test_a_key_comes_from_a_file_or_the_environment_and_is_never_shown(
    deckproof: Deckproof, local: Anvil, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = development_wallets(1)[0].key.hex()
    file = tmp_path / "key"
    file.write_text(f"0x{key}\n")
    assert deckproof("chain", "deploy", "--key-file", file).code == 0
    monkeypatch.setenv("DECKPROOF_KEY", key)
    assert deckproof("chain", "deploy").code == 0
    assert key not in deckproof("settings").out + deckproof("settings", "--json").out
    monkeypatch.setenv("DECKPROOF_KEY", key + "0")
    wrong = deckproof("chain", "deploy")
    assert wrong.code == 4
    assert key not in wrong.err


def test_a_deployment_is_not_overwritten(deckproof: Deckproof, deployment: Path) -> None:
    before = deployment.read_text()
    refused = deckproof("chain", "deploy", "--account", 0, "--out", deployment)
    assert (refused.code, deployment.read_text()) == (2, before)


# --- a file that cannot be written


@pytest.fixture
def node(anvil: Anvil, monkeypatch: pytest.MonkeyPatch) -> Iterator[LyingNode]:
    """A node before the local chain that can be told to lie, named by the settings."""
    monkeypatch.setenv("DECKPROOF_DEADLINE", "0.5")
    with LyingNode(Relay(anvil.url)) as lying:
        monkeypatch.setenv("DECKPROOF_RPC", lying.url)
        yield lying


@pytest.mark.parametrize("words", [(), ("--force",), ("--json",)])
@pytest.mark.parametrize("place", ["missing/cards.json", ".", "/dev/null", "/dev/null/cards.json", "/proc/cards.json"])
def test_where_no_file_can_be_written_nothing_is_sent(
    deckproof: Deckproof, node: LyingNode, place: str, words: tuple[str, ...]
) -> None:
    refused = deckproof("chain", "deploy", "--account", 0, "--out", place, *words)
    assert refused.code == 2
    assert "cannot be written" in refused.out + refused.err
    assert node.count("eth_sendRawTransaction") == 0


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_a_collection_whose_file_could_not_be_written_after_all_is_not_lost(
    deckproof: Deckproof, node: LyingNode, tmp_path: Path, words: tuple[str, ...]
) -> None:
    folder = tmp_path / "there"
    folder.mkdir()

    def moves_away(question: Question, honest: Answerer) -> object:
        if question.method == "eth_sendRawTransaction":
            shutil.rmtree(folder)
        return honest(question)

    node.tell(moves_away)
    ended = deckproof("chain", "deploy", "--account", 0, "--out", folder / "cards.json", *words)
    assert ended.code == 6
    (address,) = re.findall(r"it is (0x\w{40}) on chain 31337", ended.err)
    assert address in ended.out
    assert len(ended.err.splitlines()) == 1
    if words:
        assert ended.document["address"] == address


# --- something was sent, and then there is trouble

RECEIPT = "eth_getTransactionReceipt"


def named(ended: Ended, node: LyingNode) -> bool:
    """Whether the output names the transaction that was sent last, and says what to do."""
    [*_, raw] = (question.params[0] for question in node.questions if question.method == "eth_sendRawTransaction")
    transaction = "0x" + keccak(bytes.fromhex(raw[2:])).hex()
    said = ended.out + ended.err
    return f"sent, outcome unknown; do not repeat before looking them up: {transaction}" in said


def stands(anvil: Anvil, address: str) -> bool:
    """Whether a contract is there, or will be in a moment: Anvil answers before it mines."""
    give_up = time.monotonic() + 10
    while (code := anvil.ask("eth_getCode", address, "latest")) == "0x" and time.monotonic() < give_up:
        time.sleep(0.01)
    return code != "0x"


def takes_it_and_says(result: object) -> Lie:
    """Sends a transaction on, and answers something else than its hash."""

    def lie(question: Question, honest: Answerer) -> object:
        answer = honest(question)
        return result if question.method == "eth_sendRawTransaction" else answer

    return lie


SILENCES = {
    "receipts answered with 503": lies.only(lies.shows_a_page(503), lambda question: question.method == RECEIPT),
    "sending answered with null": takes_it_and_says(None),
    "sending answered with garbage": takes_it_and_says({"a": []}),
}


@pytest.mark.parametrize("words", [(), ("--json",)])
@pytest.mark.parametrize("silence", SILENCES)
def test_copies_that_may_have_been_minted_are_not_minted_again_unawares(
    deckproof: Deckproof, deployment: Path, node: LyingNode, silence: str, words: tuple[str, ...]
) -> None:
    node.tell(SILENCES[silence])
    mint = ("chain", "mint", "--collection", address_in(deployment), "--account", 0, "--to", PLAYER)
    ended = deckproof(*mint, "--card", "1 RONALD FRUMP", *words)
    assert ended.code == 5
    assert named(ended, node)


@pytest.mark.parametrize("words", [(), ("--json",)])
@pytest.mark.parametrize("silence", SILENCES)
def test_a_collection_that_may_have_been_deployed_is_told_with_its_address(
    deckproof: Deckproof, node: LyingNode, anvil: Anvil, silence: str, words: tuple[str, ...]
) -> None:
    node.tell(SILENCES[silence])
    ended = deckproof("chain", "deploy", "--account", 0, *words)
    assert ended.code == 5
    assert named(ended, node)
    (address,) = set(re.findall(r"the contract will be at (0x\w{40})", ended.out + ended.err))
    assert stands(anvil, address)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_while_waiting_tells_what_was_sent(
    node: LyingNode, anvil: Anvil, tmp_path: Path, how: signal.Signals
) -> None:
    node.tell(lies.says(None, RECEIPT))
    with running("chain", "deploy", "--account", "0", "--rpc", node.url, folder=tmp_path) as process:
        give_up = time.monotonic() + 20
        while not node.count(RECEIPT) and time.monotonic() < give_up:
            time.sleep(0.05)
        process.send_signal(how)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert named(Ended(130, out, err), node)
    (address,) = re.findall(r"the contract will be at (0x\w{40})", err)
    assert stands(anvil, address)
    assert "Traceback" not in err


def test_ctrl_c_before_anything_is_sent_says_so(node: LyingNode, tmp_path: Path) -> None:
    node.tell(lies.only(lies.hangs(30), lambda question: question.method == "eth_estimateGas"))
    with running("chain", "deploy", "--account", "0", "--rpc", node.url, folder=tmp_path) as process:
        give_up = time.monotonic() + 20
        while not node.count("eth_estimateGas") and time.monotonic() < give_up:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, "stopped; nothing was sent\n")


def test_what_was_done_before_a_refusal_is_told(deckproof: Deckproof, node: LyingNode, tmp_path: Path) -> None:
    file = tmp_path / "deployment.json"
    assert deckproof("chain", "deploy", "--account", 0, "--publisher", SIGNER, "--out", file).code == 0
    node.tell(
        lies.only(lies.fails(1, 3, "no", method="eth_estimateGas"), lambda _: node.count("eth_sendRawTransaction") == 3)
    )
    publish = ("chain", "publish", "--deployment", file, "--account", 0, "--uri", "https://c.example/{id}", "--run", 9)
    ended = deckproof(*publish, "--allow", SIGNER)
    assert ended.code == 5
    assert re.search(r"to publish set 1: transaction 0x\w{64} is done in block \d+", ended.err)


# --- figures that the contract cannot count


@pytest.mark.parametrize("figure", [10**24, issuing.MOST_DELAY + 1, -1])
def test_a_delay_that_the_contract_cannot_count_is_called_wrongly(deckproof: Deckproof, figure: int) -> None:
    ended = deckproof("chain", "deploy", "--account", 0, "--admin-delay", figure)
    assert ended.code == 2
    assert "Input should be" in ended.err


@pytest.mark.parametrize("figure", [10**24, issuing.MOST_COPIES + 1, 0])
def test_a_run_that_the_contract_cannot_count_is_called_wrongly(deckproof: Deckproof, figure: int) -> None:
    ended = deckproof("chain", "publish", "--account", 0, "--uri", "{id}", "--run", figure)
    assert ended.code == 2
    assert "Input should be" in ended.err


def test_the_longest_delay_and_the_largest_run_are_taken(deckproof: Deckproof, local: Anvil, tmp_path: Path) -> None:
    file = tmp_path / "deployment.json"
    most = ("--publisher", SIGNER, "--admin-delay", issuing.MOST_DELAY)
    assert deckproof("chain", "deploy", "--account", 0, *most, "--out", file).code == 0
    publish = ("chain", "publish", "--deployment", file, "--account", 0, "--uri", "https://c.example/{id}")
    assert deckproof(*publish, "--run", issuing.MOST_COPIES, "--allow", SIGNER).code == 0


def test_a_uri_that_is_no_text_is_refused(deckproof: Deckproof, deployment: Path, local: Anvil) -> None:
    with Endpoint(local.url) as endpoint:
        fresh = issuing.deploy(Sender(endpoint, development_wallets(1)[0].signer()), staff=issuing.Staff())
    words = ("--collection", fresh.address, "--account", 0, "--run", 1, "--uri", "\udcff{id}")
    assert deckproof("chain", "publish", *words).code == 6


# --- what is read


@pytest.mark.parametrize("text", ["[" * 60_000, '{"chain_id": true}', None])
def test_a_file_that_describes_no_deployment_is_unreadable(
    deckproof: Deckproof, local: Anvil, tmp_path: Path, text: str | None
) -> None:
    file = Path("/dev/zero") if text is None else tmp_path / "deployment.json"
    if text is not None:
        file.write_text(text)
    mint = ("chain", "mint", "--account", 0, "--to", PLAYER, "--card", "1 RONALD FRUMP", "--deployment", file)
    assert deckproof(*mint).code == 4


@pytest.mark.parametrize("folder", ["file", "file/decks", "/proc/decks", "/dev/null"])
def test_a_folder_that_cannot_be_is_refused_before_a_chain_is_started(
    deckproof: Deckproof, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.setenv("DECKPROOF_ANVIL", str(tmp_path / "nowhere"))  # looking for it would end with another code
    (tmp_path / "file").write_text("")
    ended = deckproof("chain", "dev", "--decks", folder)
    assert ended.code == 2
    assert "decklists" in ended.err


# --- chain dev and demo, as processes


@contextmanager
def running(*words: str, folder: Path) -> Iterator["subprocess.Popen[str]"]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DECKPROOF_")}
    root = Path(__file__).parent.parent.parent
    anvil = next(root.glob("node_modules/@foundry-rs/anvil-*/bin/anvil"), None)
    if anvil:
        environment["DECKPROOF_ANVIL"] = str(anvil)
    process = subprocess.Popen(
        [PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, env=environment
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def first_document(process: "subprocess.Popen[str]") -> Any:
    """The document that a command prints before it stays up."""
    lines = []
    assert process.stdout
    for line in process.stdout:
        lines.append(line)
        if line == "}\n":
            return json.loads("".join(lines))
    assert process.stderr
    pytest.fail(f"no document: {process.stderr.read()}")


def is_up(url: str) -> bool:
    done = subprocess.run(
        [PROGRAM, "holdings", PLAYER, "--rpc", url, "--collection", PLAYER], capture_output=True, text=True, check=False
    )
    return "is refused" not in done.stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("words", [("chain", "dev", "--json"), ("demo", "--verdicts", "--json")], ids=["dev", "demo"])
def test_it_stays_up_until_it_is_told_to_stop_and_leaves_no_process(
    words: tuple[str, ...], how: signal.Signals, tmp_path: Path
) -> None:
    with running(*words, folder=tmp_path) as process:
        url = first_document(process)["rpc"]
        assert is_up(url)
        assert process.poll() is None
        process.send_signal(how)
        assert process.wait(timeout=20) == 0
        assert not is_up(url)


def test_it_leaves_no_process_even_when_it_is_killed(tmp_path: Path) -> None:
    with running("chain", "dev", "--json", folder=tmp_path) as process:
        url = first_document(process)["rpc"]
        process.kill()
        process.wait()
        give_up = time.monotonic() + 20
        while is_up(url) and time.monotonic() < give_up:
            time.sleep(0.1)
        assert not is_up(url)


def test_the_dev_chain_writes_decks_that_verify(tmp_path: Path) -> None:
    with running("chain", "dev", "--decks", "decks", "--json", folder=tmp_path) as process:
        document = first_document(process)
        [player] = [player for player in document["players"] if player["name"] == "Twyla Purse"]
        wallets = [word for wallet in player["wallets"] for word in ("--wallet", wallet["address"])]
        where = ("--rpc", document["rpc"], "--collection", document["collection"])
        both, one = (
            subprocess.run(
                [PROGRAM, "verify", "--deck", tmp_path / player["file"], *own, *where], check=False
            ).returncode
            for own in (wallets, wallets[:2])
        )
        assert (both, one) == (0, 3)


def test_the_demo_shows_what_a_person_would_say_of_each_player(tmp_path: Path) -> None:
    # Stated here by hand from each player's story; the product computes it.
    expected = {
        "Paige Turner": (True, "covered", 0),
        "Chip Munny": (True, "covered", 0),
        "Bea Havior": (True, "covered", 0),
        "Twyla Purse": (True, "covered", 0),
        "Penny Short": (True, "short", 1),
        "Dewey Twice": (True, "short", 2),
        "Polly Paste": (True, "short", 2),
        "Stella Stranger": (True, "short", 51),
        "Cash Flo": (True, "short", 1),
        "Nick O'Thyme": (True, "covered", 0),
        "Bern Down": (True, "short", 1),
        "Will Wander": (False, "covered", 0),
        "Max Overkill": (False, "covered", 0),
        "Noah Shows": (False, "covered", 0),
        "Ty Rantless": (False, "covered", 0),
    }
    with running("demo", "--verdicts", "--once", "--json", folder=tmp_path) as process:
        document = first_document(process)
        assert process.wait(timeout=20) == 0
    found = {
        player["name"]: (
            player["verdict"]["legal"],
            player["verdict"]["outcome"],
            sum(line["missing"] for line in player["verdict"]["coverage"]),
        )
        for player in document["players"]
        if player["verdict"]
    }
    assert found == expected
    [unreadable] = [player for player in document["players"] if not player["verdict"]]
    assert unreadable["name"] == "Otto Correct"
    assert "Apology Video" in unreadable["unreadable"]["detail"]


def test_the_demo_is_a_table_for_people(tmp_path: Path) -> None:
    with running("demo", "--verdicts", "--once", folder=tmp_path) as process:
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Penny Short" in out
    assert "1 of 51 copies missing" in out
    assert "\x1b" not in out


def test_a_port_that_is_taken_is_said(tmp_path: Path, anvil: Anvil) -> None:
    with running("demo", "--verdicts", "--chain-port", anvil.url.rsplit(":", 1)[1], folder=tmp_path) as process:
        _, err = process.communicate(timeout=60)
    assert process.returncode == 5
    assert "port" in err


def test_a_missing_anvil_says_how_to_get_it(
    deckproof: Deckproof, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DECKPROOF_ANVIL", str(tmp_path / "nowhere"))
    ended = deckproof("demo", "--verdicts", "--once")
    assert ended.code == 5
    assert "there is no such file" in ended.err
