"""Ownership over HTTP: who may see what, who may do what, and what a desk learns."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from eth_hash.auto import keccak
from fastapi.testclient import TestClient

from tests.tournament.owning import FOO, HASTY, LIST, World, cards, wallet
from tests.tournament.people import Desk, account
from tests.tournament.streams import Reader, running
from tournament.api.app import create_app
from tournament.database import Database
from tournament.service.accounts import entry_token
from tournament.service.codes import Codes
from tournament.service.lookout import Lookout
from tournament.service.nodes import Nodes
from tournament.settings import Settings
from verifier.chain import Collection
from verifier.rpc import Endpoint
from verifier.testkit import LyingNode, Move, ScriptedChain, lies

_MINUTES = count(1)
ANN, BOB, CAT = (wallet(name) for name in ("ann", "bob", "cat"))


@dataclass
class Server:
    """A server with a chain, and people who ask it."""

    client: TestClient
    database: Database
    chain: ScriptedChain
    node: LyingNode
    endpoints: list[Endpoint]

    def person(self, name: str) -> Desk:
        return Desk(self.client, account(name, self.database))

    def visitor(self, path: str) -> Any:
        return self.client.get(path).json()


@pytest.fixture
def server(embedded: Database) -> Iterator[Server]:
    chain = ScriptedChain(started=round(time.time()) - 600)
    with LyingNode(chain) as node, Endpoint(node.url, patience=HASTY) as endpoint:
        nodes = Nodes([endpoint], Collection(None, chain.collection), stale_after=None)
        app = create_app(Settings(), database=embedded, nodes=nodes)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield Server(client, embedded, chain, node, [endpoint])


@dataclass
class Evening:
    """An event in which Bob is short of a card."""

    server: Server
    ann: Desk
    path: str

    @property
    def event(self) -> str:
        return self.path.removeprefix("/events/")

    def player(self, number: int) -> Desk:
        codes = Codes(Settings().secret.get_secret_value())
        return Desk(self.server.client, entry_token(codes, self.event, number, 1))


def begun(server: Server, **announced: Any) -> Evening:
    """Past the first look at cards, which was not read yet."""
    ann = server.person("ann")
    start = datetime.now(UTC) + timedelta(hours=1)
    said = {"decklist": "required", "ownership": "required", "starts_at": start.isoformat(), "check_in_minutes": 30}
    path = ann.event(**{**said, **announced})
    server.chain.mine({**cards(ANN), **cards(BOB, but={FOO.card: 1})})
    for name in ("ann", "bob"):
        ann.enter(path, name)
    world = World(server.database, server.chain, server.node, Nodes(), event=path.removeprefix("/events/"))
    for number, address in ((1, ANN), (2, BOB)):
        assert ann.ask("PUT", f"{path}/entries/{number}/deck", {"decklist": LIST}).status_code == 200
        world.link(number, address)
    server.chain.mine(seconds=3600)
    ann.post(f"{path}/registration/close")
    return Evening(server, ann, path)


def test_everybody_may_read_the_manifest_byte_for_byte_and_its_hash_is_on_the_event(server: Server) -> None:
    evening = begun(server)
    answer = server.client.get(f"{evening.path}/manifest")
    assert "0x" + keccak(answer.content).hex() == server.visitor(evening.path)["manifest_id"]
    assert answer.json()["collections"][0]["address"] == server.chain.collection
    plain = evening.ann.event("Friday")
    assert server.client.get(f"{plain}/manifest").status_code == 404


def test_an_event_says_whether_it_is_sanctioned_and_why(server: Server) -> None:
    evening = begun(server)
    sanction = server.visitor(evening.path)["sanction"]
    assert sanction["sanctioned"] == "not yet"
    assert {one["name"]: one["met"] for one in sanction["conditions"]} == {
        "ownership required": "yes",
        "promised before registration": "yes",
        "each round opened by an epoch": "not yet",
        "everybody who played was proven": "not yet",
        "finished": "not yet",
    }
    plain = evening.ann.event("Friday")
    assert server.visitor(plain)["sanction"]["sanctioned"] == "no"
    listed = {one["id"]: one["sanction"]["sanctioned"] for one in server.visitor("/events")["events"]}
    assert listed == {evening.event: "not yet", plain.removeprefix("/events/"): "no"}


def test_publishing_a_round_reads_its_epoch_and_the_epochs_are_for_everybody(server: Server) -> None:
    evening = begun(server)
    evening.ann.post(f"{evening.path}/rounds")
    published = evening.ann.post(f"{evening.path}/rounds/publish")
    assert published["fact"]["epoch"] == 2
    first, second = server.visitor(f"{evening.path}/epochs")["epochs"]
    assert (first["round"], second["round"]) == (0, 1)
    assert (second["covered"], second["short"], second["undetermined"]) == (1, 1, 0)
    assert second["block_hash"] == server.chain.head.hash


def test_a_desk_sees_lights_with_reasons_and_neither_wallets_nor_cards(server: Server) -> None:
    evening = begun(server)
    desk = server.person("desk")
    evening.ann.post(f"{evening.path}/staff", {"account": "desk", "role": "desk"})
    evening.ann.enter(evening.path, "cat")
    before = desk.get(f"{evening.path}/ownership")
    assert [(one["light"], one["words"]) for one in before["lights"]] == [
        ("amber", "nobody has looked at the cards yet"),
        ("amber", "nobody has looked at the cards yet"),
        ("amber", "there is no legal list, and no wallet is linked"),
    ]
    evening.ann.post(f"{evening.path}/entries/3/drop")
    evening.ann.post(f"{evening.path}/epochs/read")
    after = desk.ask("GET", f"{evening.path}/ownership")
    assert [(one["name"], one["light"], one["words"]) for one in after.json()["lights"]] == [
        ("ann", "green", "all cards are there, by epoch 1"),
        ("bob", "red", "cards are missing"),
    ]
    assert BOB not in after.text
    assert FOO.card not in after.text
    assert desk.ask("GET", f"{evening.path}/entries/2/ownership").status_code == 403
    assert desk.ask("POST", f"{evening.path}/epochs/read").status_code == 403
    screen = server.person("screen")
    evening.ann.post(f"{evening.path}/staff", {"account": "screen", "role": "display"})
    assert screen.get(f"{evening.path}/ownership")["lights"] == []  # a projector shows what visitors see


def test_a_player_sees_the_own_cards_and_nobody_elses(server: Server) -> None:
    evening = begun(server)
    evening.ann.post(f"{evening.path}/epochs/read")
    bob = evening.player(2)
    mine = bob.get(f"{evening.path}/entries/2/ownership")
    assert (mine["light"], mine["wallets"]) == ("red", [BOB])
    [verdict] = mine["verdicts"]
    assert [(lack["card"], lack["missing"], lack["needed"]) for lack in verdict["lacks"]] == [(FOO.card, 1, FOO.units)]
    assert bob.ask("GET", f"{evening.path}/entries/1/ownership").status_code == 403
    assert [one["entry"] for one in bob.get(f"{evening.path}/ownership")["lights"]] == [2]
    assert server.visitor(f"{evening.path}/ownership")["lights"] == []
    assert server.client.get(f"{evening.path}/entries/2/ownership").status_code == 403


def test_whoever_is_dropped_for_missing_cards_reads_why_also_after_later_epochs(server: Server) -> None:
    evening = begun(server, if_short="drop")
    evening.ann.post(f"{evening.path}/epochs/read")
    evening.ann.post(f"{evening.path}/epochs")
    mine = evening.player(2).get(f"{evening.path}/entries/2/ownership")
    assert (mine["light"], mine["words"]) == ("red", "cards are missing")


def test_only_judges_and_organizers_see_what_left_wallets(server: Server) -> None:
    evening = begun(server)
    assert evening.ann.post(f"{evening.path}/epochs/read")["fact"]["covered"] == [1]
    server.chain.mine(moves=[Move(ANN, CAT, FOO.token_ids[0], 1)])
    Lookout(server.database, Nodes(server.endpoints, stale_after=None)).round()
    path = f"{evening.path}/ownership/alerts"
    answer = evening.ann.ask("GET", path)
    assert answer.headers["cache-control"] == "no-store"
    [left] = answer.json()["departures"]
    assert (left["entry"], left["name"], left["card"], left["units"]) == (1, "ann", FOO.card, "1")
    assert answer.json()["block"] == server.chain.head.number
    desk = server.person("desk")
    evening.ann.post(f"{evening.path}/staff", {"account": "desk", "role": "desk"})
    assert [one.ask("GET", path).status_code for one in (desk, evening.player(1))] == [403, 403]
    assert server.client.get(path).status_code == 403


def test_alerts_and_shortfalls_are_told_live_to_staff_and_to_the_player_and_to_nobody_else(server: Server) -> None:
    evening, nodes = begun(server), Nodes(server.endpoints, stale_after=None)
    server.person("desk")
    evening.ann.post(f"{evening.path}/staff", {"account": "desk", "role": "desk"})
    tokens = {
        "staff": "dp_ann",
        "desk": "dp_desk",
        "visitor": "",
        **{str(number): evening.player(number).token for number in (1, 2)},
    }
    with running(create_app(Settings(), database=server.database, nodes=nodes)) as port, ExitStack() as left_open:
        readers = {who: Reader(port, f"{evening.path}/stream", token) for who, token in tokens.items()}
        for reader in readers.values():
            left_open.callback(reader.close)
        evening.ann.post(f"{evening.path}/epochs/read")
        for _ in range(2):
            server.chain.mine(moves=[Move(ANN, CAT, FOO.token_ids[0], 1)])
            Lookout(server.database, nodes, now=lambda: datetime.now(UTC) + timedelta(minutes=next(_MINUTES))).round()
        evening.ann.enter(evening.path, "cat")  # which everybody is told
        version = evening.ann.get(evening.path)["version"]
        told = {who: (reader.until_version(version), reader.topics)[1] for who, reader in readers.items()}
    of_alerts = {who: [topics for topics in those if "alerts" in topics] for who, those in told.items()}
    assert of_alerts == {
        "staff": [["ownership", "alerts"], ["alerts"]],
        "desk": [],
        "visitor": [],
        "1": [["alerts"]],
        "2": [["ownership", "alerts"]],
    }
    mine = evening.player(1).get(f"{evening.path}/entries/1/ownership")
    assert [one["units"] for one in mine["departures"]] == ["1", "1"]
    assert server.client.get(f"{evening.path}/log").status_code == 403


def test_a_player_is_told_what_happened_and_what_to_do_before_the_next_round(server: Server) -> None:
    evening = begun(server)
    path = f"{evening.path}/entries/1/ownership"
    player = evening.player(1)
    assert player.get(path)["advice"] == ["nothing: cards are looked at before the next round begins"]
    evening.ann.post(f"{evening.path}/epochs/read")
    assert player.get(path)["advice"] == []
    noted = "play on: it is noted. To have the cards back now changes nothing, since every epoch counts"
    assert evening.player(2).get(f"{evening.path}/entries/2/ownership")["advice"] == [noted]
    server.chain.mine(moves=[Move(ANN, CAT, FOO.token_ids[0], 1)])
    Lookout(server.database, Nodes(server.endpoints, stale_after=None)).round()
    mine = player.get(path)
    [left] = mine["departures"]
    [advice] = mine["advice"]
    assert advice == (
        f"have 1 of {FOO.card} back in {ANN} before the next round is paired: it left after epoch 1, transaction "
        f"{left['transaction']}, and what is not there at the next epoch's block counts no more"
    )
    assert mine["light"] == "green"


def test_where_players_are_warned_everybody_sees_who_is_short(server: Server) -> None:
    evening = begun(server, if_short="warn")
    evening.ann.post(f"{evening.path}/epochs/read")
    assert [one["entry"] for one in server.visitor(f"{evening.path}/ownership")["lights"]] == [2]


def test_a_block_that_is_not_there_yet_says_when_to_come_back(server: Server) -> None:
    ann = server.person("ann")
    start = datetime.now(UTC) + timedelta(hours=2)
    path = ann.event(decklist="required", ownership="required", starts_at=start.isoformat())
    answer = ann.ask("POST", f"{path}/epochs/read")
    assert (answer.status_code, answer.json()["type"]) == (503, "/problems/block-not-yet")
    assert 3000 < int(answer.headers["Retry-After"]) < 4000


def test_node_trouble_is_in_the_documents_and_a_judge_decides_for_all(server: Server) -> None:
    evening = begun(server)
    server.node.tell(lies.drops(10**9))
    evening.ann.post(f"{evening.path}/rounds")
    refused = evening.ann.ask("POST", f"{evening.path}/rounds/publish")
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/ownership-unproven")
    assert server.visitor(f"{evening.path}/epochs")["epochs"][0]["trouble"] == "no endpoint answered in time"
    lights = evening.ann.get(f"{evening.path}/ownership")["lights"]
    assert {one["light"] for one in lights} == {"amber"}
    for epoch in (1, 2):
        said = {"epoch": epoch, "everybody": True, "reason": "no node answers"}
        evening.ann.post(f"{evening.path}/epochs/override", said)
    evening.ann.post(f"{evening.path}/rounds/publish")
