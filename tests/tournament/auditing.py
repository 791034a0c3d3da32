"""Players with keys in an event that will be audited, who link wallets by a signature; and bundles that were forged.

Whoever runs the server can write any log that holds, and any text beside it: what they cannot write is evidence.
"""

import base64
import json
import random
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from collection.wallets import Wallet
from tests.tournament.owning import CODES, LIST, World
from tests.verifier.signing import sign
from tournament.service import decklists, entries, evidence, pass_desks, passes, scans, wallets
from tournament.service.chain import START, hash_of, line_of
from tournament.service.challenges import Site, commitment_of
from verifier.evidence import as_written
from verifier.passes import DeskKey, Shown, SignedPass, SignedScan, SigningKey, write_payload, write_scan


def link_signed(world: World, entry: int, key: Wallet) -> None:
    """A text of the server's, and a signature."""
    site, who = Site("play.example.com", "https", world.nodes), f"entry:{entry}"
    challenge = wallets.ask_text(world.database, world.ask(who), key.address, site)
    answer = {"nonce": challenge.nonce, "signature": "0x" + sign(key, challenge.digest).hex()}
    wallets.link(world.database, world.ask(who), wallets.Link(entry=entry, **answer), site)


def enter_signed(world: World, name: str, *keys: Wallet, source: str = LIST) -> int:
    """A player with a list, and wallets that were linked by signatures."""
    number: int = world.do(entries.ADD, entries.Add(name=name)).entry
    decklists.hand_in(world.database, world.ask(), decklists.HandIn(entry=number, decklist=source))
    for key in keys:
        link_signed(world, number, key)
    return number


def bundle_of(world: World, *, everything: bool = True) -> bytes:
    """The evidence of the event."""
    found: bytes = world.look(lambda session, event: evidence.write(session, event, CODES, everything=everything))
    return found


def let_in(world: World, at_server: Sequence[int], at_desk: Sequence[int]) -> None:
    """These passes come in at the server, and those at a desk that tells it later."""
    key = DeskKey(SigningKey(b"\7" * 32), world.chain.chain_id)
    world.do(pass_desks.ENROL, pass_desks.Enrol(address=key.key.address, name="north door"))

    def signed(serial: int) -> SignedPass:
        found: SignedPass = world.look(
            lambda session, event: passes.signed(session, CODES, passes.numbered(session, event.id, serial).row)
        )
        return found

    for serial in at_server:
        world.do(scans.SCAN, scans.Show(text=write_payload(Shown(signed(serial)))))
    told: list[SignedScan] = []
    for serial in at_desk:
        told.append(key.scan(signed(serial), int(world.now.timestamp()), told[-1] if told else None))
    world.do(scans.SYNC, scans.Sync(scans=[write_scan(one) for one in told]))


# --- bundles that were forged by whoever runs the server


def rechained(document: dict[str, Any]) -> bytes:
    """The bundle with a chain that holds again."""
    before = START
    for row in document["log"]:
        row["previous"] = before
        row["hash"] = before = hash_of(line_of(row))
    document["conclusions"]["event"]["head"] = before
    return as_written(document).encode()


def forged(source: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The bundle after a change of its log or conclusions."""
    document = json.loads(source)
    change(document)
    return rechained(document)


def retold(source: bytes, row: int, change: Callable[[Any], Any], *, key: str = "digest") -> bytes:
    """The bundle with another text beside a row of its log, and the digest of that text in the log.

    Args:
        source: the bundle.
        row: the place of the row in the log.
        change: from what the text says, a record or another document, to what it is to say.
        key: which field of the row's fact has the digest.
    """
    digest = json.loads(source)["log"][row]["fact"][key]
    [kept] = [one for one in json.loads(source)["opened"] if one["digest"] == digest]
    if kept["text"].startswith("{"):
        text = json.dumps(change(json.loads(kept["text"])), separators=(",", ":"), sort_keys=True)
    else:
        said = change(json.loads(zlib.decompress(base64.b64decode(kept["text"]))))
        text = base64.b64encode(zlib.compress(json.dumps(said, separators=(",", ":")).encode())).decode()
    other = commitment_of(text, kept["salt"])
    document = json.loads(source.decode().replace(digest, other))
    for one in document["opened"]:
        if one["digest"] == other:
            one["text"] = text
    document["opened"].sort(key=lambda one: str(one["digest"]))
    return rechained(document)


def rows_of(source: bytes, name: str) -> list[int]:
    """The places of the rows of a kind in the log."""
    return [at for at, row in enumerate(json.loads(source)["log"]) if row.get("name") == name]


# --- every change


Place = tuple[str | int, ...]


def leaves(value: Any, path: Place = ()) -> Iterator[Place]:
    """Where a document has values that hold no others."""
    if isinstance(value, dict | list) and value:
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(each, (*path, key))
    else:
        yield path


def at(document: Any, path: Place) -> Any:
    """What a document has at a place."""
    for key in path:
        document = document[key]
    return document


def with_others(document: Any, changes: Mapping[Place, Any]) -> Any:
    """The document with other values at these places."""
    whole = json.loads(json.dumps(document))
    for path, value in changes.items():
        at(whole, path[:-1])[path[-1]] = value
    return whole


@contextmanager
def changed_in_place(document: Any, path: Place, chance: random.Random) -> Iterator[None]:
    """Meanwhile the document has another value there: a large one need not be copied."""
    holder, key = at(document, path[:-1]), path[-1]
    before = holder[key]
    holder[key] = another(before, chance)
    try:
        yield
    finally:
        holder[key] = before


def another(value: Any, chance: random.Random) -> Any:
    """Another value of the same kind, or nearly."""
    match value:
        case bool():
            return not value
        case int():
            return value + chance.choice((-1, 1, 1000))
        case str() if value:
            at = chance.randrange(len(value))
            return value[:at] + chance.choice([c for c in "0123456789abcdefXYZ" if c != value[at]]) + value[at + 1 :]
        case "":
            return "x"
        case None:
            return chance.choice((0, "", False))
        case _:
            return None


def kind_of(path: Place) -> str:
    """The place with numbers starred; keys of objects that are numbers, too."""
    return ".".join("*" if isinstance(key, int) or key.isdigit() else key for key in path)


def dotted(path: Place) -> str:
    """A place as faults name it."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def lists_in(value: Any, path: Place = ()) -> Iterator[Place]:
    """Where a document has lists whose order could be another."""
    if isinstance(value, dict | list):
        if isinstance(value, list) and value != value[::-1]:
            yield path
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from lists_in(each, (*path, key))
