"""Texts that wallets answer. We write them, and keep each under its nonce until somebody answers it.

A browser returns the nonce and an answer, never a text: what is judged is what was kept, byte for byte. A text is for
one purpose, one entry, one event and one site. It is used up in the transaction that the answer leads to, not before:
an answer that proves nothing leaves it for another try.

They are in no log, because they name wallets.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from secrets import token_bytes
from typing import Final

from eth_hash.auto import keccak
from sqlmodel import Session

from tournament import store
from tournament.errors import ChallengeUnknown, ControlUndetermined, ControlUnproven, EndpointsMissing
from tournament.service import manifests
from tournament.service.chain import canonical
from tournament.service.commands import text_of
from tournament.service.nodes import Nodes, as_kept, cause_of
from tournament.tables import ChallengeRow, EventRow
from verifier.chain import ChainHoldings
from verifier.contracts import Contracts
from verifier.control import (
    MOST_SECONDS,
    Challenge,
    ControlOutcome,
    ControlVerdict,
    Method,
    new_nonce,
    parse_challenge,
    parse_signature,
    parse_transaction_hash,
    resources,
    stated,
    verify_signature,
    verify_transaction,
)
from verifier.errors import NoEndpoints, TransactionPending
from verifier.headers import UnsoundHeader, parse_header
from verifier.holdings import Address, Block
from verifier.manifest import Manifest
from verifier.mined import Place, find_place
from verifier.rpc import Exchange

KEPT: Final = timedelta(hours=2)
"""Longer than a text may be signed: a transaction has to be in a block by then, and the block may be final later."""
_LONGEST_NAME: Final = 60
"""Letters of an event's name in a text."""


class Purpose(StrEnum):
    """What a text is for."""

    SIGN_IN = "sign-in"
    LINK = "link"
    SPLIT = "split"


@dataclass(frozen=True, slots=True)
class Site:
    """This server as wallets see it, and the chain as it sees it."""

    domain: str
    """Host, and port where it is not the usual one; small letters."""
    scheme: str
    nodes: Nodes

    def page_of(self, event: str) -> str:
        """The page of an event."""
        return f"{self.scheme}://{self.domain}/events/{event}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be signed."""

    purpose: Purpose
    wallet: Address
    entry: int | None = None
    """Who asks; None: somebody who signs in."""
    shares: str = ""
    """Of a split, as canonical JSON."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    nonce: str
    signature: str | None = None
    transaction: str | None = None
    """Exactly one of the two."""


@dataclass(frozen=True, slots=True)
class Proven:
    """A text that its wallet answered."""

    challenge: Challenge
    method: Method
    shares: str
    text: str
    """The text and the answer, to be kept: whoever has it can judge again."""

    @property
    def wallet(self) -> Address:
        """Which answered."""
        return self.challenge.wallet


def give(session: Session, event: EventRow, wanted: Wanted, site: Site, now: datetime) -> Challenge:
    """Write a text and keep it.

    Raises:
        ManifestNotFound: the event has promised nothing yet, so there is nothing to sign for.
        ChallengeUnfit: it could not be signed: every fault.
    """
    manifest = manifests.manifest_of(session, event.id)
    issued = int(now.timestamp())
    challenge = Challenge(
        domain=site.domain,
        wallet=wanted.wallet,
        statement=_statement(event, wanted),
        uri=site.page_of(event.id),
        chain_id=manifest.chain_id,
        nonce=new_nonce(token_bytes),
        issued_at=issued,
        expires_at=issued + MOST_SECONDS,
        resources=_resources(session, event, wanted),
    )
    row = ChallengeRow(
        nonce=challenge.nonce,
        event_id=event.id,
        purpose=wanted.purpose.value,
        entry=wanted.entry,
        text=challenge.text,
        shares=wanted.shares,
        forgotten_at=text_of(now + KEPT),
    )
    store.add_challenge(session, row)
    return challenge


def waiting(session: Session, answer: Answer, purpose: Purpose, site: Site) -> ChallengeRow:
    """The text that is answered. Raises: ChallengeUnknown."""
    row = store.find_challenge(session, answer.nonce)
    if row is None or row.purpose != purpose or parse_challenge(row.text).domain != site.domain:
        raise ChallengeUnknown(answer.nonce)
    return row.model_copy()


def use_up(session: Session, nonce: str) -> None:
    """Let the text be answered by nobody else. Raises: ChallengeUnknown: somebody did."""
    if not store.take_challenge(session, nonce):
        raise ChallengeUnknown(nonce)


def judge(row: ChallengeRow, answer: Answer, manifest: Manifest, site: Site, now: datetime) -> Proven:
    """What an answer proves. The chain is asked if it has to be, so no transaction may be open.

    Raises:
        ControlUnproven: it proves nothing.
        ControlUndetermined, NoEndpoints, TransactionPending, EndpointsMissing: only the chain could tell, and did not.
        ChainBusy: too many wait for the chain. A key's signature is judged without it.
        SignatureUnreadable, HashUnreadable: it is no answer.
    """
    challenge, said = parse_challenge(row.text), answer.transaction or answer.signature or ""
    places, asker = site.nodes.for_players, f"{row.event_id} {row.entry}"
    exchanges: list[Exchange] = []
    if answer.transaction is not None:
        said = parse_transaction_hash(answer.transaction)
        contracts = _heard(manifests.reader_of(manifest, site.nodes), exchanges)
        with places.take(asker):
            verdict = verify_transaction(challenge, said, contracts=contracts, depth=manifest.block_rule.depth)
    else:
        signature, seconds = parse_signature(said), now.timestamp()
        verdict = verify_signature(challenge, signature, now=seconds)
        if verdict.outcome is ControlOutcome.UNDETERMINED and (reader := _reader(manifest, site.nodes)) is not None:
            with places.take(asker):
                verdict = verify_signature(challenge, signature, now=seconds, contracts=_heard(reader, exchanges))
    if verdict.outcome is ControlOutcome.NOT_PROVEN:
        raise ControlUnproven(challenge.wallet, verdict.reasons)
    if isinstance(verdict.trouble, NoEndpoints | TransactionPending):
        raise verdict.trouble
    if verdict.trouble is not None or verdict.method is None:
        raise ControlUndetermined(challenge.wallet, cause_of(verdict.trouble) if verdict.trouble else "")
    kept = {
        "text": challenge.text,
        "nonce": challenge.nonce,
        "method": verdict.method.value,
        "transaction" if answer.transaction is not None else "signature": said,
        **_said_at(verdict, exchanges, site, said, asker),
    }
    return Proven(challenge, verdict.method, row.shares, canonical(kept))


def _heard(reader: Contracts, exchanges: list[Exchange]) -> Contracts:
    """A reader of which all that endpoints say is kept."""
    return reader.recorded(exchanges.append, refusals=True) if isinstance(reader, ChainHoldings) else reader


def _said_at(
    verdict: ControlVerdict, exchanges: Sequence[Exchange], site: Site, said: str, asker: str
) -> dict[str, object]:
    """The block of a verdict, and what endpoints said there: whoever has it can judge again, and asks nobody."""
    block = verdict.block
    if block is None:
        return {"block": None}
    found: dict[str, object] = {"block": {"number": block.number, "hash": block.hash, "time": block.timestamp}}
    if not exchanges:
        return found
    places = ({"blockHash": block.hash, "requireCanonical": True}, hex(block.number))
    kept = [
        one
        for one in exchanges
        if (one.method == "eth_chainId" and not one.refused)
        or (isinstance(one.result, dict) and block.hash in (one.result.get("hash"), one.result.get("blockHash")))
        or (one.params and one.params[-1] in places and (not one.refused or one.method == "eth_call"))
    ]
    found["exchanges"] = list({canonical(one): one for one in as_kept(kept)}.values())
    if verdict.method is not Method.TRANSACTION:
        return found
    with site.nodes.for_players.take(asker):
        place = _place(kept, block, site, said)
    if place is not None:
        found["place"] = {"index": place.index, "nodes": ["0x" + node.hex() for node in place.nodes]}
    return found


def _place(exchanges: Iterable[Exchange], block: Block, site: Site, said: str) -> Place | None:
    """Where in its block a transaction is, if that can be shown."""
    told = (one.result for one in exchanges if isinstance(one.result, dict) and one.result.get("hash") == block.hash)
    try:
        return find_place(site.nodes.endpoints, parse_header(next(told)), said)
    except UnsoundHeader:
        return None


def commitment_of(text: str, salt: str) -> str:
    """By what the log knows a text about wallets: Keccak-256 of the salt's 32 bytes and the text.

    Args:
        text: an address in EIP-55 form, or what was answered, or a share, or the record of what endpoints said.
        salt: 64 hex digits.

    Returns:
        64 hex digits.
    """
    return keccak(bytes.fromhex(salt) + text.encode()).hex()


def _reader(manifest: Manifest, nodes: Nodes) -> ChainHoldings | None:
    """None: only a key can prove control."""
    try:
        return manifests.reader_of(manifest, nodes)
    except EndpointsMissing:
        return None


def _statement(event: EventRow, wanted: Wanted) -> str:
    name = stated(event.name, _LONGEST_NAME)
    match wanted.purpose:
        case Purpose.SIGN_IN:
            return f"Sign in to {name}."
        case Purpose.LINK:
            return f"Link this wallet to entry {wanted.entry} of {name}."
        case Purpose.SPLIT:
            return f"Split this wallet among entries of {name}, as entry {wanted.entry} asks."


def _resources(session: Session, event: EventRow, wanted: Wanted) -> tuple[str, ...]:
    """What binds the text to the event, to the list that counts now, to the player, and to a split."""
    deck = None if wanted.entry is None else store.find_deck(session, event.id, wanted.entry)
    return resources(
        event=event.manifest_id,
        deck=None if deck is None else deck.commitment,
        player=None if wanted.entry is None else str(wanted.entry),
        split="0x" + keccak(wanted.shares.encode()).hex() if wanted.shares else None,
    )
