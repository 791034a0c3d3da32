"""Contract wallets and transactions in the evidence of an event: what a real chain said is judged again without it."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from collection.anvil import Anvil
from collection.practice import PracticeCollection
from collection.wallets import Wallet
from tests.tournament.auditing import bundle_of, retold, rows_of
from tests.tournament.linking import give, text_for
from tests.tournament.owning import World
from tests.tournament.test_wallets_on_anvil import ADDRESSES, OWNERS, SALT, answered, by, enter
from tests.verifier.signing import deploy, wrapped
from tests.verifier.test_control_on_anvil import await_mined
from tournament.database import Database
from tournament.service import evidence
from tournament.service.nodes import Nodes
from tournament.service.reckoning import Check, State
from verifier.addresses import to_checksum
from verifier.chain import Collection
from verifier.control import MAGIC

pytestmark = pytest.mark.chain


@pytest.fixture
def world(
    anvil: Anvil, collection: PracticeCollection, embedded: Database, funded_wallets: tuple[Wallet, ...]
) -> World:
    """Three entries: a multisig, a wallet that is not deployed, and one that sent itself a transaction."""
    address, payer = collection.deployment.address, funded_wallets[0]
    nodes = Nodes([anvil.endpoint], Collection(None, address), stale_after=None)
    chain = SimpleNamespace(collection=address, chain_id=anvil.chain_id)
    world = World(embedded, chain, None, nodes)  # type: ignore[arg-type]
    head: Any = anvil.ask("eth_getBlockByNumber", "latest", False)  # noqa: FBT003 - JSON-RPC knows no names
    world.now = datetime.fromtimestamp(int(head["timestamp"], 16) + 1, UTC)
    world.announce(starts_at=(world.now + timedelta(hours=2)).isoformat(), block_depth=1)
    safe = deploy(anvil, payer, "Multisig", ADDRESSES, 2)
    challenge = text_for(world, number := enter(world), safe.address)
    give(world, number, answered(challenge, by(challenge, *OWNERS[1:])))
    factory = deploy(anvil, payer, "MultisigFactory")
    unborn = to_checksum(bytes.fromhex(factory.ask("addressOf", ADDRESSES, 2, SALT)[2:]))
    deployment = bytes.fromhex(factory.call("deploy", "deploy", ADDRESSES, 2, SALT).data[2:])
    challenge = text_for(world, number := enter(world), unborn)
    give(world, number, answered(challenge, wrapped(factory.address, deployment, by(challenge, *OWNERS[:2]))))
    challenge = text_for(world, number := enter(world), payer.address)
    sent = {"from": payer.address, "to": payer.address, "data": "0x" + challenge.digest.hex()}
    found = await_mined(anvil, anvil.ask("eth_sendTransaction", sent))
    anvil.mine(2)
    give(world, number, {"nonce": challenge.nonce, "transaction": found})
    return world


def control(source: bytes) -> Check:
    return next(check for check in evidence.audit(source).checks if check.name == "control")


def of(said: Any, method: str) -> Iterator[Any]:
    return (one for one in said["exchanges"] if one["method"] == method)


def last(text: str) -> str:
    """Another last hex digit."""
    return text[:-1] + ("0" if text[-1] != "0" else "1")


def says_no(said: Any) -> None:
    for one in of(said, "eth_call"):
        if one["result"] and one["result"].startswith("0x" + MAGIC.hex()):
            one["result"] = "0x" + "00" * 32


def says_always_yes(said: Any) -> None:
    for one in of(said, "eth_call"):
        one.pop("refused", None)
        one["result"] = "0x" + MAGIC.hex() + "00" * 28


def no_code(said: Any) -> None:
    for one in of(said, "eth_getCode"):
        one["result"] = "0x"


def code_there(said: Any) -> None:
    for one in of(said, "eth_getCode"):
        one["result"] = "0x60"


def other_question(said: Any) -> None:
    for one in of(said, "eth_call"):
        one["params"][0]["data"] = last(one["params"][0]["data"])


def by_somebody(said: Any) -> None:
    for one in of(said, "eth_call"):
        one["params"][0]["from"] = OWNERS[0].address


def with_overrides(said: Any) -> None:
    for one in of(said, "eth_call"):
        one["params"].append({})


def other_block(said: Any) -> None:
    said["block"]["time"] -= 1


def elsewhere(said: Any) -> None:
    for one in said["exchanges"]:
        if isinstance(one["params"][-1:], list) and one["params"][-1:] and isinstance(one["params"][-1], dict):
            one["params"][-1]["blockHash"] = last(one["params"][-1]["blockHash"])


def other_chain(said: Any) -> None:
    for one in of(said, "eth_chainId"):
        one["result"] = "0x1"


def other_signature(said: Any) -> None:
    said["signature"] = said["signature"][:10] + last(said["signature"][:11])[-1] + said["signature"][11:]


def not_deployed(said: Any) -> None:
    for one in of(said, "eth_call"):
        if one["result"] and len(one["result"]) > 66:
            one["result"] = "0x" + "00" * 32 + one["result"][66:]


def field(name: str, change: Callable[[str], str] = last) -> Callable[[Any], None]:
    def changed(said: Any) -> None:
        for one in of(said, "eth_getTransactionByHash"):
            one["result"][name] = change(one["result"][name])

    return changed


def other_index(said: Any) -> None:
    said["place"]["index"] += 1


def other_node(said: Any) -> None:
    said["place"]["nodes"][0] = last(said["place"]["nodes"][0])


def other_hash(said: Any) -> None:
    said["transaction"] = last(said["transaction"])


WRONG: list[tuple[int, Callable[[Any], None], str]] = [
    (0, says_no, "did not say that it signed this"),
    (0, says_always_yes, "said of anything that it signed it"),
    (0, no_code, "0 endpoints told of the wallet, and 1 must"),
    (0, other_question, "0 endpoints told of the wallet, and 1 must"),
    (0, by_somebody, "asked in another way"),
    (0, with_overrides, "0 endpoints told of the wallet"),
    (0, other_block, "and the header says"),
    (0, elsewhere, "0 endpoints told of the wallet"),
    (0, other_chain, "0 endpoints told of the wallet"),
    (0, other_signature, "0 endpoints told of the wallet"),
    (1, not_deployed, "did not deploy the wallet"),
    (1, code_there, "0 endpoints told of the wallet"),
    (2, field("input"), "its data is not the text's digest"),
    (2, field("nonce"), "it hashes to"),
    (2, field("s"), "it hashes to"),
    (2, field("blockHash"), "it says that it was in block"),
    (2, field("value"), "it carries"),
    (2, other_index, "its place in the block"),
    (2, other_node, "its place in the block"),
    (2, other_hash, "it hashes to"),
]


def test_how_wallets_answered_is_judged_again_from_what_the_chain_said(world: World) -> None:
    source = bundle_of(world)
    check = control(source)
    assert (check.state, check.done, check.closed, check.faults, check.notes) == (State.HOLDS, 3, 0, [], [])
    found = evidence.audit(source)
    assert len(found.reckoned.asked) == 3
    asked = evidence.ask_chain(found, world.nodes.chain(Collection(None, world.chain.collection), 1))
    assert (asked.state, asked.done) == (State.HOLDS, 3)
    rows = rows_of(source, "wallet.link")
    for which, change, words in WRONG:

        def changed(said: Any, change: Callable[[Any], None] = change) -> Any:
            change(said)
            return said

        check = control(retold(source, rows[which], changed, key="proof"))
        assert any(words in fault for fault in check.faults), (which, words, check.faults)
        assert all(fault.startswith("opened[") for fault in check.faults)


def test_without_its_place_it_is_said_that_endpoints_tell_in_which_block_a_transaction_was(world: World) -> None:
    source = bundle_of(world)

    def without(said: Any) -> Any:
        del said["place"]
        return said

    check = control(retold(source, rows_of(source, "wallet.link")[2], without, key="proof"))
    assert (check.state, check.done, check.closed, check.faults) == (State.PARTLY, 2, 1, [])
    assert check.notes[0].endswith("that the transaction was in that block, endpoints say")
