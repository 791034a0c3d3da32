"""128 players who prove every card, seven rounds and a cut to eight, over HTTP and on a chain, and whoever checks it.

Wallets are linked by signatures, epochs are read on Anvil before each round and each round of the cut, everybody comes
in by a pass. One sells a card between two rounds, one enters late, one drops. Years later there is one file.
"""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from coincurve import PrivateKey

from collection.anvil import Anvil
from collection.deployment import Deployment
from collection.issuing import Parcel, Staff, allow, deploy, issue_calls, publish, standing
from collection.transactions import Sender
from collection.wallets import Wallet, development_wallets
from games import library
from tests.journeys.day import Day, games, opened
from tests.tournament.auditing import changed_in_place, leaves
from tests.verifier.signing import key_of
from tournament.database import Database, open_file
from tournament.service import decks, evidence
from tournament.service.reckoning import Reckoned, reckon
from verifier.control import digest_of
from verifier.errors import EvidenceUnreadable
from verifier.evidence import Bundle, as_written, parse_bundle
from verifier.holdings import TokenId

pytestmark = [pytest.mark.chain, pytest.mark.timeout(900)]

PLAYERS, ROUNDS, CUT = 128, 7, 8
GAME = "cps"
LISTS = [*library.decks(GAME).values()]
RUN = 4_000
CHANGES = 200
CHANCE = random.Random(5)
SELLER, LEAVER = 17, 40
AT_ONCE = 8
FIRST_LOOK = timedelta(seconds=20)
"""After registration opens; players still come with their lists and wallets meanwhile."""


@cache
def needs_of(text: str) -> Mapping[TokenId, int]:
    """What a list needs, of the first printing of each card."""
    return {need.token_ids[0]: need.units for need in decks.read_deck(text, decks.rules_of(GAME)).needs}


def list_of(number: int) -> str:
    return LISTS[number % len(LISTS)]


def wallet_of(number: int) -> Wallet:
    return key_of(f"player {number}")


# --- the chain --------------------------------------------------------------------------------------------------------


@dataclass
class Cards:
    """The collection on the chain, with everybody's cards."""

    anvil: Anvil
    deployment: Deployment

    def settle(self) -> None:
        """The block of an epoch that was just opened, and one on top of it."""
        number, newest = self.head
        self.anvil.ask("evm_setNextBlockTimestamp", max(newest, int(time.time())) + 1)
        self.anvil.mine(2)
        while self.head[0] < number + 2:  # Anvil answers a little before
            time.sleep(0.01)

    def await_head(self) -> None:
        """Until the next second after the newest block: what was done so far is in blocks before the next epoch."""
        time.sleep(max(0, self.head[1] + 1 - time.time()))

    @property
    def head(self) -> tuple[int, int]:
        """Number and time of the newest block."""
        head = self.anvil.ask("eth_getBlockByNumber", "latest", False)  # noqa: FBT003 - JSON-RPC knows no names
        assert isinstance(head, dict)
        return int(head["number"], 16), int(head["timestamp"], 16)

    def sell(self, seller: Wallet, token: TokenId) -> str:
        self.anvil.ask("anvil_setBalance", seller.address, hex(10**18))
        sender = Sender(self.anvil.endpoint, seller.signer())
        buyer = key_of("a dealer").address
        cards = standing(sender, self.deployment)
        call = cards.call("sell a card", "safeTransferFrom", seller.address, buyer, token, 1, b"")
        [receipt] = sender.transact([call])
        return str(receipt.transaction)


@pytest.fixture(scope="module")
def cards(anvil_process: Anvil) -> Iterator[Cards]:
    admin, publisher, issuer = development_wallets(3)
    with anvil_process.rolled_back():
        staff = Staff(publisher=publisher.address, issuer=issuer.address)
        deployment = deploy(Sender(anvil_process.endpoint, admin.signer()), staff=staff, admin_delay=0)
        desk, seller = (Sender(anvil_process.endpoint, one.signer()) for one in (publisher, issuer))
        for card_set in library.card_sets(GAME):
            runs = {printing.number: RUN for printing in card_set.printings}
            publish(desk, deployment, card_set, uri="https://cards.example/cps/{id}.json", runs=runs)
            allow(desk, deployment, issuer.address, card_set.number, sum(runs.values()))
        parcels = iter(
            [Parcel(wallet_of(number).address, Counter(needs_of(list_of(number)))) for number in range(1, PLAYERS + 2)]
        )
        shop = standing(seller, deployment)
        while some := [*islice(parcels, 20)]:
            with anvil_process.one_block():
                sent = seller.send(issue_calls(shop, some))
            seller.settle(sent)
        yield Cards(anvil_process, deployment)


# --- the day ----------------------------------------------------------------------------------------------------------


@dataclass
class Story:
    """What happened, to be found again in the documents of the event."""

    sold: str = ""
    late: int = 0
    champion: int = 0


@pytest.fixture(scope="module")
def day(cards: Cards, sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Day, Story]]:
    folder = tmp_path_factory.mktemp("day")
    (folder / "deckproof.db").write_bytes(sqlite.read_bytes())
    url = f"sqlite:///{folder}/deckproof.db"
    settings = {"DECKPROOF_RPC": cards.anvil.url, "DECKPROOF_COLLECTION": cards.deployment.address}
    database: Database = open_file(folder / "deckproof.db")
    with opened(url, database, folder, **settings) as day:
        story = Story()
        announce(day)
        register(day)
        check_in(day, cards)
        play(day, cards, story)
        cut(day, cards, story)
        day.ann.do("/finish")
        yield day, story


def announce(day: Day) -> None:
    now = datetime.now(UTC)
    said = {
        "name": "Spring Open",
        "game": GAME,
        "rounds": ROUNDS,
        "registration": "open",
        "capacity": 200,
        "decklist": "required",
        "ownership": "required",
        "if_short": "drop",
        "block_depth": 1,
        "starts_at": (now + timedelta(hours=2)).isoformat(),
        "ownership_at": (now + FIRST_LOOK).isoformat(),
        "lists_open": "at the end",
    }
    day.path = f"/events/{day.ann.do('/events', said)['event']}"
    for person in day.people:
        person.path = day.path
    day.ann.do("/staff", {"account": "bob", "role": "scorekeeper"})
    day.ann.do("/staff", {"account": "cat", "role": "judge"})
    day.ann.do("/publish")
    day.ann.do("/registration/open")


def register(day: Day) -> None:
    for number in range(1, PLAYERS + 1):
        entry = day.ann.do("/entries", {"name": f"Player {number}"})["fact"]["entry"]
        assert entry == number
        day.codes[entry] = day.ann.get(f"/entries/{entry}/code")["token"]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda number: come_with_cards(day, number), range(1, PLAYERS + 1)))


def come_with_cards(day: Day, number: int) -> None:
    """A list, and a wallet that signs what the server wrote."""
    player = day.player(number, place=1 + number % AT_ONCE)
    player.do(f"/entries/{number}/deck", {"decklist": list_of(number)}, method="PUT")
    key = wallet_of(number)
    text = player.do("/wallets/text", {"address": key.address})
    player.do(f"/entries/{number}/wallets", {"nonce": text["nonce"], "signature": signed(key, text["text"])})
    player.connection.close()


def signed(key: Wallet, text: str) -> str:
    made = PrivateKey(bytes(key.key)).sign_recoverable(digest_of(text.encode()), hasher=None)
    return "0x" + (made[:64] + bytes([27 + made[64]])).hex()


def check_in(day: Day, cards: Cards) -> None:
    day.ann.do("/registration/close")
    opens_at = datetime.fromisoformat(day.anybody.get("/epochs")["epochs"][0]["opens_at"])
    time.sleep(max(0, opens_at.timestamp() + 1 - time.time()))
    cards.await_head()
    cards.settle()
    fact = day.ann.do("/epochs/read", {})["fact"]
    assert (len(fact["covered"]), fact["short"], fact["undetermined"]) == (PLAYERS, [], [])
    day.ann.do("/passes/issue-all")
    for number in range(1, PLAYERS + 1):
        come_in(day, number)


def come_in(day: Day, number: int) -> None:
    shown = day.ann.get(f"/entries/{number}/pass")["text"]
    assert day.ann.do("/passes/scans", {"text": shown})["receipt"]["fact"]["entry"] == number


def play(day: Day, cards: Cards, story: Story) -> None:
    for number in range(1, ROUNDS + 1):
        if number == 4:
            story.sold = cards.sell(wallet_of(SELLER), next(iter(needs_of(list_of(SELLER)))))
        begin(day, cards, number)
        tables = [seat for seat in day.bob.get(f"/rounds/{number}")["seats"] if seat["table"] is not None]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(partial(report, day, number), (seat["table"] for seat in tables)))
        if number == 2:
            story.late = enter_late(day)
        if number == 5:
            day.player(LEAVER).do(f"/entries/{LEAVER}/drop")
        day.bob.do("/rounds/close")


def report(day: Day, number: int, table: int) -> None:
    bob = day.person(day.bob.token)
    bob.do(
        f"/rounds/{number}/tables/{table}/result", games(*CHANCE.choice([(2, 0), (2, 1), (1, 2), (0, 2), (1, 1, 1)]))
    )
    bob.connection.close()


def begin(day: Day, cards: Cards, number: int) -> None:
    """Pair, wait for the block, publish; whoever is dropped for missing cards is not paired again."""
    cards.await_head()
    day.bob.do("/rounds")
    cards.settle()
    status, answer = day.bob.ask("POST", "/rounds/publish")
    if number == 4:
        assert (status, answer["type"], answer["entries"]) == (409, "/problems/players-dropped", [SELLER])
        day.bob.do("/rounds")
        status, answer = day.bob.ask("POST", "/rounds/publish")
    assert status == 200, answer
    assert answer["fact"]["unproven"] == []


def enter_late(day: Day) -> int:
    number = int(day.ann.do("/entries", {"name": "Late Larry"})["fact"]["entry"])
    day.codes[number] = day.ann.get(f"/entries/{number}/code")["token"]
    day.cat.do(f"/entries/{number}/deck/unlock", {"reason": "entered late"})
    come_with_cards(day, number)
    return number


def cut(day: Day, cards: Cards, story: Story) -> None:
    cards.await_head()
    status, answer = day.ann.ask("POST", "/cut", {"top": CUT})
    assert (status, answer["type"]) == (503, "/problems/block-not-yet")
    cards.settle()
    assert len(day.ann.do("/cut", {"top": CUT})["fact"]["seeds"]) == CUT
    for number, in_it in ((2, CUT // 2), (3, 2)):
        play_matches(day)
        [waiting, *_] = ready(day)
        assert waiting["waiting"]
        status, answer = day.bob.ask("POST", f"/cut/matches/{waiting['match']}/result", games(2, 0))
        assert (status, answer["type"]) == (409, "/problems/cut-round-not-begun")
        cards.await_head()
        day.bob.ask("POST", "/cut/rounds")
        cards.settle()
        fact = day.bob.do("/cut/rounds")["fact"]
        assert (fact["round"], len(fact["players"])) == (number, in_it)
    play_matches(day)
    story.champion = day.anybody.get("/cut")["winner"]


def play_matches(day: Day) -> None:
    for match in ready(day):
        day.bob.do(f"/cut/matches/{match['match']}/result", games(*CHANCE.choice([(2, 0), (1, 2)])))


def ready(day: Day) -> list[dict[str, Any]]:
    return [match for match in day.anybody.get("/cut")["matches"] if match["ready"]]


# --- and what is told of it -------------------------------------------------------------------------------------------


def test_the_event_is_sanctioned_and_who_sold_a_card_is_told_which_and_when(day: tuple[Day, Story]) -> None:
    here, story = day
    assert here.anybody.get("")["sanction"]["sanctioned"] == "yes"
    epochs = here.anybody.get("/epochs")["epochs"]
    opened_by = [(one["round"], one["cut_round"]) for one in epochs]
    assert opened_by == [(0, None), *((number, None) for number in range(1, ROUNDS + 2)), (8, 2), (8, 3)]
    assert [one["short"] for one in epochs] == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    mine = here.player(SELLER).get(f"/entries/{SELLER}/ownership")
    [lack] = mine["verdicts"][-1]["lacks"]
    assert lack["words"].endswith(f"gone between round 3 and 4 (between epoch 4 and 5), transaction {story.sold}")
    late = here.ann.get(f"/entries/{story.late}/ownership")["verdicts"]
    assert [(one["epoch"], one["outcome"]) for one in late][:1] == [(4, "covered")]
    assert here.ann.get("/log/check")["holds"]


@pytest.fixture(scope="module")
def bundle(day: tuple[Day, Story], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As an organizer downloads it."""
    here, _ = day
    path = tmp_path_factory.mktemp("bundle") / "spring.evidence"
    here.ann.connection.request(
        "GET", f"{here.path}/evidence?opened=true", headers={"Authorization": f"Bearer {here.ann.token}"}
    )
    answer = here.ann.connection.getresponse()
    assert answer.status == 200
    path.write_bytes(answer.read())
    return path


def audited(path: Path, *words: str) -> tuple[int, Any]:
    """By the command, in a process of its own."""
    program = Path(sys.executable).with_name("deckproof")
    done = subprocess.run([program, "audit", path, "--json", *words], capture_output=True, check=False)
    return done.returncode, json.loads(done.stdout)


def test_its_evidence_holds_without_a_network_and_by_asking_the_chain(
    bundle: Path, cards: Cards, day: tuple[Day, Story]
) -> None:
    code, document = audited(bundle, "--rpc", cards.anvil.url)
    faults = [fault for check in document["checks"] for fault in check["faults"]]
    assert (code, document["holds"], faults) == (0, True, [])
    states = {check["name"]: (check["state"], check["checked"]) for check in document["checks"]}
    assert states["control"] == ("holds", PLAYERS + 1)
    assert states["decks"] == ("holds", PLAYERS + 1)
    assert states["blocks"] == ("holds", 11)
    assert states["passes"] == ("holds", PLAYERS)
    assert states["pairings"] == ("holds", ROUNDS)
    assert states["ownership"][0] == states["exclusivity"][0] == states["chain"][0] == "holds"
    places = parse_bundle(bundle.read_bytes()).conclusions["places"]
    assert places[0]["players"] == [str(day[1].champion)]


def test_a_change_of_one_character_is_red_by_the_command(bundle: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.evidence"
    source = bytearray(bundle.read_bytes())
    at = source.index(b'"place":1,') + len(b'"place":')
    source[at : at + 1] = b"2"
    changed.write_bytes(source)
    code, document = audited(changed)
    assert (code, document["holds"]) == (3, False)
    assert any(fault.startswith("conclusions.") for check in document["checks"] for fault in check["faults"])


def test_two_hundred_random_changes_of_it_are_all_found(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Half of single bytes, half of single fields. What follows from a bundle does not hang on its conclusions."""
    source = bundle.read_bytes()
    whole = parse_bundle(source)
    honest = reckon(whole)
    monkeypatch.setattr(evidence, "reckon", lambda said: _known(said, whole, honest))
    assert evidence.audit(source).holds
    chance = random.Random(11)
    document = json.loads(source)
    paths = list(leaves(document))
    missed: list[object] = []
    for _ in range(CHANGES // 2):
        at = chance.randrange(len(source))
        other = bytes([chance.choice([byte for byte in range(256) if byte != source[at]])])
        if holds(source[:at] + other + source[at + 1 :]):
            missed.append(at)
    for _ in range(CHANGES // 2):
        path = chance.choice(paths)
        with changed_in_place(document, path, chance):
            if holds(as_written(document).encode()):
                missed.append(path)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{CHANGES - len(missed)} of {CHANGES} random changes of {len(source):,} bytes of evidence were found\n"
        )
    assert missed == []


def holds(source: bytes) -> bool:
    try:
        return evidence.audit(source).holds
    except EvidenceUnreadable:
        return False


def _known(said: Bundle, whole: Bundle, honest: Reckoned) -> Reckoned:
    """What follows; it was worked out already if nothing but the conclusions is another."""
    is_same = replace(said, conclusions=whole.conclusions) == whole
    return replace(honest, checks=[replace(check) for check in honest.checks]) if is_same else reckon(said)
