"""Players with keys in an event that will be audited, who link wallets by a signature; and bundles that were forged.

Whoever runs the server can write any log that holds, and any text beside it: what they cannot write is evidence.
"""

import base64
import json
import zlib
from collections.abc import Callable
from typing import Any

from collection.wallets import Wallet
from tests.tournament.owning import CODES, LIST, World
from tests.verifier.signing import sign
from tournament.service import decklists, entries, evidence, wallets
from tournament.service.chain import START, hash_of, line_of
from tournament.service.challenges import Site, commitment_of
from verifier.evidence import as_written


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
