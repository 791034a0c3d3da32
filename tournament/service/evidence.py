"""The evidence of an event: written as a bundle, and audited by anybody who has one.

A bundle for everybody has the published log, the names that are in the results anyway, and the lists where the event
opens them: it proves rounds, results, standings and the cut, and what the log says of ownership. A bundle in which all
is opened, which an organizer gives to whoever is to check, also has the wallets, their answers, every list that
counted, and what every endpoint said; with it the verdicts are computed again.

An audit says three things: what holds, what does not (with the path in the bundle), and what nobody can tell from this
bundle alone. It knows no server, no account and no network.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlmodel import Session

from games import library
from tournament import store
from tournament.errors import LogBroken, PassesNotOpen, PassKeysMissing
from tournament.service import decklists, decks, epochs, events, exports, ownership, passes, publishing, scans, wallets
from tournament.service.chain import Line, document_of, verify_chain
from tournament.service.codes import Codes
from tournament.service.kinds import KINDS
from tournament.service.pass_keys import Tags
from tournament.service.reckoning import Check, Reckoned, State, reckon
from tournament.tables import EventRow, LogRow
from verifier.chain import ChainHoldings
from verifier.epochs import find_block
from verifier.errors import AnswerSuspicious, BlockUnavailable, EndpointRefused, LayoutUnknown
from verifier.evidence import Bundle, Opened, PassSaid, Reserved, parse_bundle, write_bundle
from verifier.headers import Header, UnsoundHeader, parse_header
from verifier.holdings import Address, Ask, Block, TokenId
from verifier.proofs import prove_told
from verifier.records import parts_of
from verifier.rpc import Asked

_PERSONAL: Final = frozenset(
    {kind.name for kind in (wallets.LINK, wallets.SPLIT, wallets.DELEGATE, epochs.READ, decklists.HAND_IN)}
)
"""Kinds whose texts are opened for whoever is to check, and for nobody else."""
_OPEN: Final = tuple(kind.name for kind in (*passes.KINDS, *scans.KINDS))
"""Sealed kinds whose rows are open to whoever is to check."""
_MOST_SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class Audit:
    """What came of an audit."""

    bundle: Bundle
    reckoned: Reckoned
    checks: list[Check]

    @property
    def holds(self) -> bool:
        """Nothing fails, and everything was reached."""
        return all(check.state not in (State.FAILS, State.NOT_REACHED) for check in self.checks)

    @property
    def event(self) -> Mapping[str, Any]:
        """What the bundle says of the event."""
        said = self.bundle.conclusions.get("event")
        return said if isinstance(said, dict) else {}


# --- writing ----------------------------------------------------------------------------------------------------------


def write(session: Session, event: EventRow, codes: Codes, *, everything: bool) -> bytes:
    """The bundle of an event.

    Args:
        session: to read.
        event: which. Who may have it is the caller's to say.
        codes: to sign passes again.
        everything: with all that is personal opened.

    Raises:
        LogBroken: nothing is concluded from a log that does not hold.
    """
    rows = list(store.read_log(session, event.id))
    if breaks := verify_chain(rows, version=event.version, head=event.head):
        raise LogBroken(event.id, list(map(str, breaks)))
    lines = publishing.published(rows, besides=_OPEN if everything else ())
    bundle = Bundle(
        log=list(map(document_of, lines)),
        opened=_opened(session, event, lines, everything=everything),
        passes=_passes(session, event, codes) if everything else [],
        reserved=_reserved(session, event, lines) if everything else [],
        catalogue=_catalogue(event),
    )
    conclusions = reckon(bundle).conclusions
    if conclusions is None:
        raise LogBroken(event.id, ["nothing follows from it"])
    return write_bundle(
        Bundle(bundle.log, bundle.opened, bundle.passes, bundle.reserved, bundle.catalogue, conclusions)
    )


def _opened(session: Session, event: EventRow, lines: list[Line], *, everything: bool) -> list[Opened]:
    names = publishing.names_of(session, event.id, lines, exports.exported(session, event).players)
    wanted = set(_digests(lines)) if everything else set()
    if events.lists_are_open(event):
        wanted |= set(store.listed_of(session, event.id).values())
    rows = {row.digest: row for row in names} | store.sealed_rows(session, event.id, wanted)
    lists = dict(_lists(lines))
    return [
        Opened(digest, row.salt, _in_one_form(row.text, lists[digest]) if digest in lists else row.text)
        for digest, row in sorted(rows.items())
        if row.text
    ]


def _lists(lines: list[Line]) -> Iterator[tuple[str, decklists.HandedIn]]:
    """What was handed in, by its commitment."""
    for row in lines:
        if isinstance(row, LogRow) and row.name == decklists.HAND_IN.name:
            fact = decklists.HandedIn.model_validate_json(row.fact)
            yield fact.commitment, fact


def _in_one_form(text: str, fact: decklists.HandedIn) -> str:
    rules = library.format_named(fact.game, fact.format, fact.version)
    return decks.in_one_form(decks.find_cards(decks.unpacked(text), rules))


def _digests(lines: list[Line]) -> Iterator[str]:
    """Of what is opened for whoever is to check: lists that were legal, wallets, answers, what endpoints said."""
    for row in lines:
        if isinstance(row, LogRow) and row.name in _PERSONAL:
            is_draft = row.name == decklists.HAND_IN.name and not json.loads(row.fact)["is_legal"]
            if not is_draft:
                yield from (one.digest for one in KINDS[row.name].named(row.fact))


def _passes(session: Session, event: EventRow, codes: Codes) -> list[PassSaid]:
    """Tags and signatures, made again; none where the keys stayed elsewhere."""
    try:
        tags = Tags(session, codes, event.id)
        return [
            PassSaid(row.serial, tags.of(row.entry).hex(), passes.signed(session, codes, row).signature.hex())
            for row in store.all_passes(session, event.id)
        ]
    except (PassesNotOpen, PassKeysMissing):
        return []


def _reserved(session: Session, event: EventRow, lines: list[Line]) -> list[Reserved]:
    """What other events had set aside of what players lacked, at epochs whose records do not say it themselves."""
    facts = [json.loads(row.fact) for row in lines if isinstance(row, LogRow) and row.name == epochs.READ.name]
    records = store.sealed_rows(session, event.id, {fact["digest"] for fact in facts})
    bound = {
        fact["epoch"] for fact in facts if fact["digest"] in records and _says_reserved(records[fact["digest"]].text)
    }
    return [
        Reserved(row.epoch, row.entry, trail["wallet"], str(trail["token_id"]), other["units"])
        for row in store.all_shortfalls(session, event.id)
        if row.epoch not in bound
        for need in json.loads(row.text)
        for trail in need["trails"]
        for other in trail["reserved"]
    ]


def _says_reserved(record: str) -> bool:
    return bool(record) and any(part.reserved is not None for part in parts_of(record))


def _catalogue(event: EventRow) -> dict[str, list[str]]:
    if not ownership.is_required(event) or not event.manifest_id:
        return {}
    known = library.catalogue(event.game)
    return {card.name: list(map(str, sorted(known.token_ids(card)))) for card in known.cards}


# --- auditing ---------------------------------------------------------------------------------------------------------


def audit(source: bytes, beside: Iterable[bytes] = ()) -> Audit:
    """Check a bundle, with nothing else in hand.

    Args:
        source: the bundle.
        beside: bundles of other events that had set units aside; each is checked itself, and one that does not hold
            shows nothing.

    Raises:
        EvidenceUnreadable: one is no bundle; every fault.
    """
    bundle = parse_bundle(source)
    others = [found for one in beside if (found := audit(one)).holds]
    reckoned = reckon(bundle, {str(one.event["id"]): one.reckoned for one in others})
    check = Check("conclusions", "what the bundle says follows, and what follows")
    if reckoned.conclusions is not None:
        check.reached = True
        check.done = 1
        for path, problem in differences("conclusions", bundle.conclusions, reckoned.conclusions):
            check.fault(path, problem)
    form = Check("form", "a bundle of this version, in the one form", done=1, reached=True)
    return Audit(bundle, reckoned, [form, *reckoned.checks, check])


def ask_chain(found: Audit, chain: ChainHoldings, tell: Callable[[int, int], None] = lambda _done, _of: None) -> Check:
    """Compare the epochs with what a chain says today: their blocks, and what everybody held there.

    Args:
        found: an audit of an event with epochs.
        chain: reads the collection that was promised.
        tell: is given the epochs looked at, and how many there are.

    Raises:
        ChainError: nothing may be concluded; its leaf says why.
    """
    check = Check("chain", "each epoch's block, and the balances there, by endpoints asked now", reached=True)
    looked, manifest = found.reckoned.looked, found.reckoned.manifest
    promised = manifest and (manifest.chain_id, manifest.collections[0].code_hash)
    for done, one in enumerate(looked, start=1):
        path = f"epoch {one.epoch}"
        check.done += 1
        now = find_block(chain, one.opens_at)
        if now.block != one.block:
            check.fault(path, f"the first block of its rule is {now.block}, and the log says {one.block}")
            continue
        asks = [Ask(wallet, tuple(held)) for wallet, held in one.readings.items()]
        try:
            contract, answers = chain.inspect(one.block), chain.read(asks, one.block)
        except BlockUnavailable as error:
            check.closed += 1
            check.notes.append(f"{path}: {error}")
            continue
        if (contract.chain_id, contract.code_hash) != promised:
            check.fault(path, f"chain {contract.chain_id} with code {contract.code_hash}, and promised were {promised}")
        for ask, units in zip(asks, answers, strict=True):
            held = one.readings[ask.wallet]
            for token, count in zip(ask.token_ids, units, strict=True):
                if held[token] != count:
                    check.fault(path, f"{ask.wallet} had {count} of token {token}, and the bundle says {held[token]}")
        tell(done, len(looked))
    for path, block in found.reckoned.asked:
        check.done += 1
        if (there := chain.find(block.number)) != block:
            check.fault(path, f"its wallet was looked at in block {block.hash}, and the chain has {there.hash}")
    return check


def prove_now(
    found: Audit, endpoints: Sequence[Asked], tell: Callable[[int, int], None] = lambda _done, _of: None
) -> Check:
    """Have endpoints prove the balances of a bundle from the state roots of its blocks, as far as they can today.

    Nobody is believed: a proof leads from the state root in the header, which hashes to the hash that the log has.

    Args:
        found: an audit of an event with epochs.
        endpoints: the first that has the proofs is enough.
        tell: is given the epochs looked at, and how many there are.

    Raises:
        ChainError: no endpoint can be asked; its leaf says why.
    """
    check = Check("chain proofs", "each balance, proven now from the state root of its block", reached=True)
    looked, manifest = found.reckoned.looked, found.reckoned.manifest
    for done, one in enumerate(looked, start=1):
        path = f"epoch {one.epoch}"
        wanted = [Ask(wallet, tuple(held)) for wallet, held in one.readings.items() if held]
        if manifest is None or not wanted:
            check.notes.append(f"{path}: its balances are not opened")
            continue
        rows = sum(len(ask.token_ids) for ask in wanted)
        try:
            prove_told(endpoints, _header(endpoints, one.block), manifest.collections[0].address, one.readings, wanted)
        except (BlockUnavailable, LayoutUnknown, EndpointRefused) as error:
            check.closed += rows
            check.notes.append(f"{path}: {error}")
        except AnswerSuspicious as error:
            check.fault(path, error.problem)
        except UnsoundHeader as error:
            check.fault(path, f"no endpoint gave the header of {one.block.hash}: {error}")
        else:
            check.done += rows
            found.reckoned.looked[done - 1] = replace(one, proven=frozenset(_pairs(wanted)))
        tell(done, len(looked))
    return check


def _header(endpoints: Sequence[Asked], block: Block) -> Header:
    """The header of that hash, by whichever endpoint has it. Raises: UnsoundHeader."""
    problems: list[str] = []
    for endpoint in endpoints:
        try:
            found = parse_header(endpoint.ask("eth_getBlockByHash", [block.hash, False]))
        except UnsoundHeader as error:
            problems.append(f"{endpoint.name}: {error}")
            continue
        if found.block == block:
            return found
        problems.append(f"{endpoint.name} gave {found.block.hash}")
    raise UnsoundHeader(problems)


def _pairs(asks: Iterable[Ask]) -> Iterator[tuple[Address, TokenId]]:
    return ((ask.wallet, token) for ask in asks for token in ask.token_ids)


def differences(path: str, said: object, follows: object) -> Iterator[tuple[str, str]]:
    """Each place where two JSON values are not the same, and how."""
    if isinstance(said, dict) and isinstance(follows, dict):
        for key in sorted(said.keys() | follows.keys()):
            if key not in said or key not in follows:
                yield f"{path}.{key}", "it is missing" if key not in said else "nothing of the kind follows"
            else:
                yield from differences(f"{path}.{key}", said[key], follows[key])
    elif isinstance(said, list) and isinstance(follows, list):
        if len(said) != len(follows):
            yield path, f"{len(said)} there, and {len(follows)} follow"
        for at, (one, other) in enumerate(zip(said, follows, strict=False)):
            yield from differences(f"{path}[{at}]", one, other)
    elif type(said) is not type(follows) or said != follows:
        yield path, f"{_shown(said)} there, and {_shown(follows)} follows"


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def document(found: Audit) -> dict[str, Any]:
    """An audit as JSON."""
    return {
        "holds": found.holds,
        "event": dict(found.event),
        "checks": [
            {
                "name": check.name,
                "what": check.what,
                "state": check.state.value,
                "checked": check.done,
                "closed": check.closed,
                "faults": check.faults,
                "notes": check.notes,
            }
            for check in found.checks
        ],
        "balances": [
            {
                "epoch": one.epoch,
                "wallet": wallet,
                "by_state_root": [str(token) for token in held if (wallet, token) in one.proven],
                "by_endpoints": [str(token) for token in held if (wallet, token) not in one.proven],
            }
            for one in found.reckoned.looked
            for wallet, held in sorted(one.readings.items())
        ],
    }
