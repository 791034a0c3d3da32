"""Reckoning: what follows from the evidence of an event, and everything in which it does not hold.

The log is carried out in a database in memory. Before each command that rests on evidence is carried out, what it was
decided by is judged again, with the tables as they were then: an epoch by what every endpoint said, a link by what the
wallet signed, a list by the rules of its format. What nobody opened is counted, and said to be closed.

Whoever writes a bundle and whoever audits it reckon in the same way; the writer puts down what follows (the bundle's
conclusions), and the auditor compares.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, TypeAlias

from eth_hash.auto import keccak
from sqlmodel import Session

from games import library
from games.errors import GameError
from tournament import event_file, store
from tournament.domain.amounts import counted
from tournament.domain.announcement import IfShort
from tournament.domain.standings import still_in
from tournament.errors import LogUnreadable
from tournament.event_file import answers, documents
from tournament.event_file.proving import proofs_of
from tournament.service import (
    allotting,
    claimants,
    decklists,
    decks,
    epochs,
    exports,
    looks,
    manifests,
    ownership,
    pass_books,
    passes,
    scans,
    transfers,
    wallets,
)
from tournament.service.admissions import Door
from tournament.service.chain import Line, Seal, canonical, document_of, line_of
from tournament.service.kinds import KINDS
from tournament.service.looks import Found
from tournament.service.readings import allocations_in, balances_of, units_in
from tournament.store import Elsewhere
from tournament.tables import EventRow, LogRow, PassRow, SealedRow
from verifier.control import (
    Challenge,
    ControlOutcome,
    Method,
    parse_challenge,
    parse_signature,
    resources,
    verify_signature,
)
from verifier.coverage import Outcome
from verifier.decklist import DecklistUnreadable
from verifier.delegation import Authority, Delegation, Level
from verifier.errors import VerifierError
from verifier.evidence import Bundle, PassSaid, Reserved
from verifier.hearings import hear_vaults, judge_wallet
from verifier.holdings import Address, Block, BlockHash, TokenId
from verifier.ledger import Reservation, Stake, allocate
from verifier.manifest import Manifest, parse_manifest
from verifier.passes import SignedPass
from verifier.records import Examined, Part, RecordUnreadable, examine, parts_of

_ANSWERED: Final = {"text", "nonce", "method", "signature", "transaction", "block", "exchanges", "place"}
"""What is kept of an answer to a text."""
_OF_SCANS: Final = frozenset(kind.name for kind in scans.KINDS)
MOST_FAULTS: Final = 100
"""That are told of one check."""


class State(StrEnum):
    """What came of a check."""

    HOLDS = "holds"
    FAILS = "fails"
    PARTLY = "in part"
    """What was opened holds; the rest nobody can check with this bundle alone."""
    NOT_ASKED = "not asked"
    """The event has nothing of the kind."""
    NOT_REACHED = "not reached"
    """Something that it rests on does not hold."""


@dataclass(slots=True)
class Check:
    """One thing that was checked."""

    name: str
    what: str
    """What was compared with what."""
    done: int = 0
    closed: int = 0
    """How many were not opened, or would need a chain."""
    faults: list[str] = field(default_factory=list)
    """Each begins with its path in the bundle."""
    reached: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def state(self) -> State:
        """What came of it."""
        if self.faults:
            return State.FAILS
        if not self.reached:
            return State.NOT_REACHED
        if self.closed:
            return State.PARTLY
        return State.HOLDS if self.done else State.NOT_ASKED

    def fault(self, path: str, problem: str) -> None:
        """Something does not hold."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(f"{path}: {problem}")


SetAside: TypeAlias = Mapping[tuple[int, str], Mapping[TokenId, int]]
"""Units by token id, of each entry and wallet."""


@dataclass(frozen=True, slots=True)
class Looked:
    """An epoch as the log has it, for whoever asks a chain again."""

    epoch: int
    opens_at: int
    block: Block
    readings: Mapping[Address, Mapping[TokenId, int]]
    proven: frozenset[tuple[Address, TokenId]] = frozenset()
    """Of which balances the block's state root says so; of the others, endpoints that agreed."""


@dataclass(slots=True)
class Reckoned:
    """What was checked, and what follows."""

    checks: list[Check]
    conclusions: dict[str, Any] | None = None
    """None: the log does not hold, or cannot be carried out."""
    manifest: Manifest | None = None
    looked: list[Looked] = field(default_factory=list)
    set_aside: list[tuple[str, SetAside]] = field(default_factory=list)
    """What was set aside after each epoch that was read, with the time of its row."""
    asked: list[tuple[str, Block]] = field(default_factory=list)
    """Blocks at which wallets were asked, or in which their transactions were; each with the row of the link."""


_CHECKS: Final = (
    ("log", "every row follows from the one before it"),
    ("opened", "what was kept beside the log is what the log has the digests of"),
    ("results", "the log, carried out, gives players, rounds and results"),
    ("pairings", "each round against its certificate, and paired again from the public draw"),
    ("standings", "standings, cut and places from the results"),
    ("manifest", "what was promised before registration, by its hash"),
    ("decks", "each list against its commitment, its format's rules and the catalogue"),
    ("control", "each wallet answered the text that it was given"),
    ("blocks", "each epoch's block is the first of its rule, by the hash of its header"),
    ("proofs", "each balance that counts, from the state root of its block"),
    ("ownership", "each verdict from what the endpoints said, by the ledger"),
    ("exclusivity", "no unit is set aside for two players"),
    ("passes", "each pass was due, and is signed by a key of the event"),
    ("scans", "who came in, by passes that counted and scans that desks signed; round 1 after all was settled"),
)


def reckon(bundle: Bundle, beside: Mapping[str, Reckoned] | None = None) -> Reckoned:
    """Judge the evidence of a bundle; its conclusions are not looked at.

    Args:
        bundle: of an event.
        beside: other events of which the evidence is at hand and holds, by their ids; what this one says that they
            had set aside is compared with them.
    """
    checks = {name: Check(name, what) for name, what in _CHECKS}
    found = Reckoned(list(checks.values()))
    lines = _lines(bundle, checks["log"])
    if checks["log"].faults:
        return found
    kept = _kept(bundle, lines, checks["opened"])
    if checks["opened"].faults:
        return found
    watcher = _Watcher(bundle, lines, checks, found)
    watcher.beside = beside or {}
    try:
        with transfers.carried_out(lines, kept, watch=watcher) as session:
            watcher.finish(session, bundle, lines)
            found.conclusions = _conclusions(session, lines, bundle, checks, found)
    except LogUnreadable as error:
        checks["results"].fault(f"log[{error.row - 1}]", error.problem)
    return found


# --- the log and what is beside it ------------------------------------------------------------------------------------


def _lines(bundle: Bundle, check: Check) -> list[Line]:
    check.reached = True
    lines: list[Line] = []
    for at, document in enumerate(bundle.log):
        try:
            line = line_of(document, at=at + 1)
        except LogUnreadable as error:
            check.fault(f"log[{at}]", error.problem)
            continue
        if document_of(line) != document:
            check.fault(f"log[{at}]", "it has something that a row of a log has not")
        lines.append(line)
    if not check.faults:
        for fault in transfers.faults_of_chain(lines, None):
            row = fault.split(" ", 2)[1].rstrip(":")
            check.fault(f"log[{int(row) - 1}]", fault)
    check.done = len(lines)
    if sealed := sum(isinstance(line, Seal) for line in lines):
        check.notes.append(f"{counted(sealed, 'row')} sealed")
    return lines


def _kept(bundle: Bundle, lines: Iterable[Line], check: Check) -> list[SealedRow]:
    check.reached = True
    event = transfers.event_of(list(lines))
    binding: dict[str, list[Any]] = {}
    for row in _rows(lines):
        kind = KINDS.get(row.name)
        if kind is not None and kind.keeps:
            try:
                for one in kind.named(row.fact):
                    binding.setdefault(one.digest, []).append(kind)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                check.fault(f"log[{row.sequence - 1}].fact", f"it cannot be read ({type(error).__name__})")
    kept: list[SealedRow] = []
    last = ""
    for at, said in enumerate(bundle.opened):
        text = SealedRow(event_id=event, digest=said.digest, salt=said.salt, text=said.text)
        if said.digest <= last:
            check.fault(f"opened[{at}]", "it is not in the order of the digests, or is there twice")
        elif said.digest not in binding:
            check.fault(f"opened[{at}]", f"no row of the log has the digest {said.digest}")
        elif not said.text or not any(kind.holds(text) for kind in binding[said.digest]):
            check.fault(f"opened[{at}]", "it is not what the log is bound to")
        last = said.digest
        kept.append(text)
    check.done, check.closed = len(kept), len(binding.keys() - {text.digest for text in kept})
    return kept


def _rows(lines: Iterable[Line]) -> Iterator[LogRow]:
    return (line for line in lines if isinstance(line, LogRow))


# --- as the log is carried out ----------------------------------------------------------------------------------------


class _Watcher:
    """Judges again what a command was decided by."""

    def __init__(self, bundle: Bundle, lines: Sequence[Line], checks: Mapping[str, Check], found: Reckoned) -> None:
        self._opened = {one.digest: (f"opened[{at}]", one) for at, one in enumerate(bundle.opened)}
        self._catalogue = {card: frozenset(map(int, ids)) for card, ids in bundle.catalogue.items()}
        self._reserved: dict[tuple[int, int], list[Reserved]] = {}
        for one in bundle.reserved:
            self._reserved.setdefault((one.epoch, one.entry), []).append(one)
        self._used: set[tuple[int, int]] = set()
        self._told = 0
        """Balances above 0 that only endpoints told."""
        self._event = transfers.event_of(lines)
        self._checks, self._found = checks, found
        self._door, self._is_begun = Door(bundle.passes), False
        self.beside: Mapping[str, Reckoned] = {}

    def __call__(self, session: Session, event: EventRow, row: LogRow) -> None:
        """Look at a row before it is carried out."""
        if not self._is_begun:
            self._is_begun = True
            store.add_sealed(
                session,
                [
                    SealedRow(event_id=self._event, digest=one.digest, salt=one.salt, text=one.text)
                    for _, one in self._opened.values()
                ],
            )
            session.flush()
        self._door(session, event, row)
        if row.name == decklists.HAND_IN.name:
            self._list(decklists.HandedIn.model_validate_json(row.fact))
        elif row.name in (wallets.LINK.name, wallets.SPLIT.name):
            self._link(session, row)
        elif row.name == epochs.READ.name:
            self._epoch(session, event, row, epochs.EpochRead.model_validate_json(row.fact))

    # --- lists

    def _list(self, fact: decklists.HandedIn) -> None:
        check = self._checks["decks"]
        if fact.commitment not in self._opened:
            check.closed += fact.is_legal
            return
        path, one = self._opened[fact.commitment]
        check.done += 1
        try:
            rules = library.format_named(fact.game, fact.format, fact.version)
            deck = decks.find_cards(decks.unpacked(one.text), rules)
            is_legal = not deck.violations(on=fact.on, max_rating=fact.max_rating)
        except (GameError, DecklistUnreadable) as error:
            check.fault(path, f"its cards or its format are not known: {error}")
            return
        if one.text != decks.in_one_form(deck):
            check.fault(
                path, "a list is opened in its one form: by the names of the catalogue, each card once, in order"
            )
        if is_legal != fact.is_legal:
            check.fault(path, f"the log says legal: {fact.is_legal}, and by its format it is {is_legal}")
        for need in deck.needs if self._catalogue else ():
            if self._catalogue.get(need.card) != frozenset(need.token_ids):
                check.fault(path, f"{need.card} has other token ids here than in the bundle's catalogue")

    # --- wallets

    def _link(self, session: Session, row: LogRow) -> None:
        fact = json.loads(row.fact)
        check = self._checks["control"]
        if fact["proof"] not in self._opened or fact["commitment"] not in self._opened:
            check.closed += 1
            return
        path, proof = self._opened[fact["proof"]]
        address = self._opened[fact["commitment"]][1].text
        check.done += 1
        split = None
        if shares := fact.get("shares"):
            split = self._split(shares)
        try:
            said = json.loads(proof.text)
            faults = [*self._faults_of_control(session, row, fact, said, address, split)]
        except (VerifierError, ValueError, KeyError, TypeError) as error:
            faults = [f"it is no answer to a text ({error})"]
        for fault in faults:
            check.fault(path, f"log row {row.sequence}: {fault}")

    def _split(self, shares: Sequence[Mapping[str, Any]]) -> str | None:
        """The hash of the shares that the text names; None: they are not opened."""
        if not all(one["units"] in self._opened for one in shares):
            return None
        said = [{"entry": one["entry"], "units": json.loads(self._opened[one["units"]][1].text)} for one in shares]
        return "0x" + keccak(canonical(said).encode()).hex()

    def _faults_of_control(  # noqa: PLR0913, PLR0917 - what an answer hangs on
        self,
        session: Session,
        row: LogRow,
        fact: Mapping[str, Any],
        said: Mapping[str, Any],
        address: str,
        split: str | None,
    ) -> Iterator[str]:
        manifest = manifests.manifest_of(session, self._event)
        challenge = parse_challenge(said["text"])
        if challenge.wallet != address:
            yield f"the text was for {challenge.wallet}, and the wallet is {address}"
        if challenge.nonce != said["nonce"] or said["method"] != fact["method"]:
            yield "the nonce or the method is another than in the text or in the log"
        if challenge.chain_id != manifest.chain_id:
            yield f"the text was for chain {challenge.chain_id}"
        named = resources(event=manifest.event_id, player=str(fact["entry"]), split=split)
        if missing := [one for one in named if one not in challenge.resources]:
            yield f"the text does not name {', '.join(missing)}"
        if split is None and any(one.startswith("deckproof:split/") for one in challenge.resources) != (
            "shares" in fact
        ):
            yield "the text was for another purpose"
        yield from self._faults_of_answer(row, challenge, said, manifest)

    def _faults_of_answer(
        self, row: LogRow, challenge: Challenge, said: Mapping[str, Any], manifest: Manifest
    ) -> Iterator[str]:
        if more := said.keys() - _ANSWERED:
            yield f"an answer has nothing like {', '.join(sorted(more))}"
        if said["method"] == Method.SIGNATURE:
            if said["block"] is not None:
                yield "a signature is of no block"
            verdict = verify_signature(challenge, parse_signature(said["signature"]), now=pass_books.seconds(row.at))
            if verdict.outcome is not ControlOutcome.PROVEN:
                yield "; ".join(verdict.reasons) or "the signature is not by the wallet's key"
        elif "exchanges" not in said:
            self._open_control(row, f"only a chain can say ({said['method']})")
        else:
            heard = judge_wallet(challenge, said, agree=manifest.quorum.agree, at=pass_books.seconds(row.at))
            yield from heard.faults
            if heard.block is not None:
                self._found.asked.append((f"log row {row.sequence}", heard.block))
            if heard.open_ and not heard.faults:
                self._open_control(row, heard.open_)

    def _open_control(self, row: LogRow, why: str) -> None:
        """Nobody can tell all of it."""
        self._checks["control"].done -= 1
        self._checks["control"].closed += 1
        self._checks["control"].notes.append(f"row {row.sequence}: {why}")

    # --- epochs

    def _epoch(self, session: Session, event: EventRow, row: LogRow, fact: epochs.EpochRead) -> None:
        if fact.void is not None:
            store.forget_holdings(session, self._event, since=fact.void)
            self._found.looked = [one for one in self._found.looked if one.epoch < fact.void]
            return
        if fact.block is None:
            return
        judged = frozenset([*fact.covered, *fact.short, *(one.entry for one in fact.undetermined)])
        if fact.digest not in self._opened:
            self._checks["blocks"].closed += 1
            self._checks["ownership"].closed += len(judged)
            self._look_at(session, fact, {})
            return
        path = self._opened[fact.digest][0]
        examined = self._examined(session, fact, path)
        if examined is None:
            return
        plan = looks.plan(session, event, fact.epoch)
        self._dropped(event, row, fact)
        strange = judged - plan.claimants.keys()
        for entry in sorted(strange):
            self._checks["ownership"].fault(f"log[{row.sequence - 1}].fact", f"entry {entry} was not to be judged")
        closed = {entry for entry, one in plan.claimants.items() if one.cause == claimants.ERASED}
        self._checks["ownership"].closed += len(judged & closed)
        now, late = examined
        authorities, heard = self._authorities(fact, now.block, plan, path)
        found = Found(
            plan,
            block=now.block,
            now=now.readings,
            first=late.readings if late else {},
            authorities=authorities,
        )
        still = judged - closed - strange
        self._used |= {(fact.epoch, entry) for entry in fact.short}
        found = self._with_reserved(row, fact, found, path)
        result = allotting.judge(session, event, found, still=still, decided=frozenset())
        for entry in sorted(still):
            self._compare(session, row, fact, found, entry, result.outcomes[entry], heard=heard)
        if found.elsewhere and not self._are_shown(row, found.elsewhere):
            free = allotting.judge(session, event, replace(found, elsewhere=()), still=still, decided=frozenset())
            self._rest_on_reserved(fact, [one for one in still if free.outcomes[one] != result.outcomes[one]])
        allotting.keep(session, found, result, gone=fact.dropped, at=manifests.seconds(row.at))
        session.flush()
        self._conserve(session, row, fact)

    def _with_reserved(self, row: LogRow, fact: epochs.EpochRead, found: Found, path: str) -> Found:
        """With what other events had set aside then, as the record has it."""
        [part, *_] = parts_of(self._opened[fact.digest][1].text)
        if part.reserved is None:
            return found
        try:
            elsewhere = looks.elsewhere_in(part.reserved)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._checks["ownership"].fault(f"{path}, epoch {fact.epoch}", f"what other events had set aside: {error}")
            return found
        for one in elsewhere:
            if (other := self.beside.get(one.event)) is not None and not _shows(other, row.at, one):
                problem = f"event {one.event} had not set these units aside for its entry {one.entry} in {one.wallet}"
                self._checks["ownership"].fault(f"{path}, epoch {fact.epoch}", problem)
        return replace(found, elsewhere=elsewhere)

    def _are_shown(self, row: LogRow, elsewhere: Iterable[Elsewhere]) -> bool:
        """Whether the evidence of the other events is at hand, and says the same."""
        return all(one.event in self.beside and _shows(self.beside[one.event], row.at, one) for one in elsewhere)

    def _rest_on_reserved(self, fact: epochs.EpochRead, entries: Iterable[int]) -> None:
        check = self._checks["ownership"]
        for entry in sorted(entries):
            check.done -= 1
            check.closed += 1
            check.notes.append(
                f"entry {entry} at epoch {fact.epoch}: by what other events had set aside, as the record says"
            )

    def _examined(self, session: Session, fact: epochs.EpochRead, path: str) -> tuple[Examined, Examined | None] | None:
        """What was said for the epoch, and of the first one for late players; None: it does not hold."""
        check = self._checks["blocks"]
        manifest, epoch = (
            manifests.manifest_of(session, self._event),
            store.find_epoch(session, self._event, fact.epoch),
        )
        assert epoch is not None  # noqa: S101 - `EpochRead` would not be carried out either
        assert fact.block is not None  # noqa: S101 - looked at by the caller
        check.done += 1
        block = Block(fact.block.number, BlockHash(fact.block.hash), fact.block.time)
        try:
            parts = parts_of(self._opened[fact.digest][1].text)
        except RecordUnreadable as error:
            check.fault(path, str(error))
            return None
        if [part.epoch for part in parts] not in ([fact.epoch], [fact.epoch, 1]):
            check.fault(path, f"it is about epochs {[part.epoch for part in parts]}, not about {fact.epoch}")
            return None
        now = examine(parts[0], manifest, epoch.opens_at)
        for fault in now.faults:
            check.fault(f"{path}, epoch {fact.epoch}", fault)
        if not now.faults and now.block != block:
            check.fault(f"{path}, epoch {fact.epoch}", f"its block is {now.block}, and the log says {block}")
        if now.faults or now.block != block:
            return None
        self._look_at(session, fact, now.readings, now.proven)
        self._prove(fact.epoch, parts[0], now)
        return now, self._late(session, parts[1], manifest, path) if len(parts) > 1 else None

    def _authorities(
        self, fact: epochs.EpochRead, block: Block | None, plan: looks.Plan, path: str
    ) -> tuple[Mapping[Address, Authority], bool]:
        """What vaults vouched for, and whether that follows from what the registry answered to each endpoint."""
        [part, *_] = parts_of(self._opened[fact.digest][1].text)
        found: dict[Address, Authority] = {}
        if block is None or not part.vaults:
            return found, True
        for one in part.vaults:
            units = {TokenId(int(token)): count for token, count in one["units"].items()}
            delegation = Delegation(Address(one["vault"]), Address(one["wallet"]), tuple(units))
            level = None if one["level"] is None else Level(one["level"])
            found[Address(one["vault"])] = Authority(delegation, block, level, units)
        if not part.registry:
            return found, False
        manifest = plan.manifest
        delegations = [one for player in plan.claimants.values() if not player.cause for one in player.delegations]
        try:
            heard = hear_vaults(part.registry, block, delegations, manifest)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._checks["ownership"].fault(f"{path}, epoch {fact.epoch}", f"vaults: {error}")
            return found, True
        for vault in sorted(found.keys() | heard.keys()):
            said, follows = found.get(vault), heard.get(vault)
            if (said and (said.level, said.units)) != (follows and (follows.level, follows.units)):
                problem = f"the vault {vault} is said to vouch otherwise than the registry answered"
                self._checks["ownership"].fault(f"{path}, epoch {fact.epoch}", problem)
        return heard, True

    def _late(self, session: Session, part: Part, manifest: Manifest, path: str) -> Examined | None:
        """What late players had at the first epoch; None: nothing follows, so nobody is covered by it."""
        late = examine(part, manifest, manifest.block_rule.opening)
        first = store.find_epoch(session, self._event, 1)
        should = None if first is None else looks.block_of(first)
        if late.faults:
            self._checks["blocks"].notes.append(f"{path}, epoch 1 for late players: {'; '.join(late.faults)}")
            return None
        if should not in (None, late.block):
            self._checks["blocks"].fault(f"{path}, epoch 1", f"its block is {late.block}, and the log says {should}")
            return None
        self._prove(1, part, late, " for late players")
        return late

    def _prove(self, epoch: int, part: Part, examined: Examined, of: str = "") -> None:
        """Count which balances are proven, and which are as endpoints said."""
        check = self._checks["proofs"]
        held = [
            (wallet, token, units)
            for wallet, read in examined.readings.items()
            for token, units in read.as_dict().items()
        ]
        told = [one for one in held if one[:2] not in examined.proven]
        check.done += len(examined.proven)
        self._told += sum(units > 0 for *_, units in told)
        said = [f"{counted(len(examined.proven), 'balance')} by the state root"] if examined.proven else []
        if told:
            endpoints = counted(len({one["endpoint"] for one in part.exchanges}), "endpoint")
            said.append(f"{counted(len(told), 'balance')} as {endpoints} said")
        why = f" ({part.unproven})" if part.unproven else ""
        if said:
            check.notes.append(f"epoch {epoch}{of}: {', '.join(said)}{why}")

    def _look_at(
        self,
        session: Session,
        fact: epochs.EpochRead,
        readings: Mapping[Address, Mapping[TokenId, int]],
        proven: frozenset[tuple[Address, TokenId]] = frozenset(),
    ) -> None:
        """Whoever asks a chain again looks at this block."""
        epoch = store.find_epoch(session, self._event, fact.epoch)
        if epoch is not None and fact.block is not None:
            block = Block(fact.block.number, BlockHash(fact.block.hash), fact.block.time)
            self._found.looked.append(Looked(fact.epoch, epoch.opens_at, block, readings, proven))

    def _dropped(self, event: EventRow, row: LogRow, fact: epochs.EpochRead) -> None:
        if set(fact.dropped) - set(fact.short) or (fact.dropped and event.if_short != IfShort.DROP):
            problem = "players were dropped who were not short, or whom the event does not drop for it"
            self._checks["ownership"].fault(f"log[{row.sequence - 1}].fact.dropped", problem)

    def _compare(  # noqa: PLR0913, PLR0917 - one verdict and what it rests on
        self,
        session: Session,
        row: LogRow,
        fact: epochs.EpochRead,
        found: Found,
        entry: int,
        follows: Outcome,
        *,
        heard: bool,
    ) -> None:
        check = self._checks["ownership"]
        said = (
            Outcome.COVERED if entry in fact.covered else Outcome.SHORT if entry in fact.short else Outcome.UNDETERMINED
        )
        if said is follows and found.plan.claimants[entry].vaults and not heard:
            check.closed += 1
            check.notes.append(f"entry {entry} at epoch {fact.epoch}: {said}, if the vaults vouched as the record says")
        elif said is follows:
            check.done += 1
        elif said is Outcome.SHORT and self._reserved_elsewhere(session, fact, found, entry):
            check.closed += 1
            check.notes.append(f"entry {entry} at epoch {fact.epoch}: short by what other events had set aside")
        elif said is Outcome.UNDETERMINED:
            check.closed += 1
            check.notes.append(f"entry {entry} at epoch {fact.epoch}: undetermined then, by the record {follows}")
        else:
            check.fault(f"log[{row.sequence - 1}].fact", f"entry {entry} is {said} there, and {follows} by the record")

    def _reserved_elsewhere(self, session: Session, fact: epochs.EpochRead, found: Found, entry: int) -> bool:
        said = self._reserved.get((fact.epoch, entry), [])
        one = found.plan.claimants[entry]
        reserved = [
            Reservation(Address(each.wallet), TokenId(int(each.token_id)), each.units, "elsewhere", 0) for each in said
        ]
        least = balances_of(store.least_before(session, self._event, fact.epoch))
        balances = [found.now] if fact.epoch == 1 else [{**least, **found.first}, found.now]
        splits = claimants.splits_of(store.wallets_of(session, self._event))
        stake = Stake(entry, one.wallets, one.needs)
        return allocate([stake], balances, splits=splits, reserved=reserved).outcome(entry) is Outcome.SHORT

    def _conserve(self, session: Session, row: LogRow, fact: epochs.EpochRead) -> None:
        """I1: what is set aside of a wallet is no more than can be counted."""
        check = self._checks["exclusivity"]
        least = balances_of(store.least_before(session, self._event, fact.epoch + 1))
        total: Counter[tuple[str, int]] = Counter()
        by_entry: dict[tuple[int, str], Mapping[TokenId, int]] = {}
        for kept in store.allocations_of(session, self._event):
            for token, units in units_in(kept.units).items():
                total[kept.wallet, token] += units
            by_entry[kept.entry, kept.wallet] = units_in(kept.units)
        self._found.set_aside.append((row.at, by_entry))
        for (wallet, token_id), units in total.items():
            check.done += 1
            if units > least[Address(wallet)].as_dict().get(TokenId(token_id), 0):
                problem = f"{units} of token {token_id} in {wallet} are set aside, and fewer can be counted"
                check.fault(f"log[{row.sequence - 1}].fact", problem)

    def finish(self, session: Session, bundle: Bundle, lines: Iterable[Line]) -> None:
        """Tell of passes and scans, and of what was said for nothing."""
        if (event := store.find_event(session, self._event)) is not None:
            self._door.finish(session, event)
        for name, judged in (("passes", self._door.passes), ("scans", self._door.scans)):
            check = self._checks[name]
            for path, problem in judged.faults:
                check.fault(path, problem)
            check.notes += judged.notes
        check = self._checks["scans"]
        check.done = self._door.scans.done
        check.closed = self._door.scans.closed + sum(
            isinstance(line, Seal) and line.name in _OF_SCANS for line in lines
        )
        if self._checks["proofs"].done:
            self._checks["proofs"].closed = self._told
        for at, one in enumerate(bundle.reserved):
            if (one.epoch, one.entry) not in self._used:
                self._checks["ownership"].fault(f"reserved[{at}]", "nobody was short there")


def _shows(other: Reckoned, at: str, one: Elsewhere) -> bool:
    """Whether an event had set these units aside at that time."""
    before = [aside for when, aside in other.set_aside if when <= at]
    return bool(before) and before[-1].get((one.entry, one.wallet)) == units_in(one.units)


# --- what follows -----------------------------------------------------------------------------------------------------


def _conclusions(
    session: Session, lines: Sequence[Line], bundle: Bundle, checks: Mapping[str, Check], found: Reckoned
) -> dict[str, Any]:
    event = store.find_event(session, transfers.event_of(lines))
    if event is None:
        raise LogUnreadable(1, "it makes no event")
    told = exports.exported(session, event, with_penalties=False)
    for check in checks.values():
        check.reached = True
    checks["results"].done = len(told.played)
    for proof in proofs_of(told):
        checks["pairings"].done += 1
        for fault in proof.faults:
            checks["pairings"].fault(f"conclusions.file.rounds[{proof.round - 1}]", fault)
    standings = answers.standings_of(told)
    checks["standings"].done = len(standings)
    gone = {player.id for player in told.players if not still_in(player)}
    found.manifest = _manifest(session, event, lines, bundle, checks)
    _passes(session, event, bundle.passes, checks["passes"])
    said = {
        "event": {
            "id": event.id,
            "name": event.name,
            "game": event.game,
            "phase": event.phase,
            "head": lines[-1].hash,
            "rows": len(lines),
        },
        "file": event_file.document_of(told),
        "standings": documents.standings_document(standings, answers.records_of(told), gone),
        "places": documents.places_document(answers.places_of(told)),
        "ownership": None if found.manifest is None else _owned(session, event, found.manifest),
    }
    plain: dict[str, Any] = json.loads(json.dumps(said))
    return plain


def _manifest(
    session: Session, event: EventRow, lines: Sequence[Line], bundle: Bundle, checks: Mapping[str, Check]
) -> Manifest | None:
    check = checks["manifest"]
    row = store.find_manifest(session, event.id)
    if row is None:
        if bundle.catalogue:
            check.fault("catalogue", "the event asks for no ownership, so there is none")
        return None
    check.done += 1
    path = f"log[{row.fixed - 1}].fact.manifest"
    try:
        manifest = parse_manifest(row.text)
    except VerifierError as error:
        check.fault(path, str(error))
        return None
    if manifest.event_id != event.manifest_id or keccak(row.text.encode()).hex() != event.manifest_id[2:]:
        check.fault(path, f"it hashes to {manifest.event_id}, and the log says {event.manifest_id}")
    fixed = lines[row.fixed - 1]
    if isinstance(fixed, LogRow) and pass_books.seconds(fixed.at) >= manifest.block_rule.opening:
        check.fault(path, "it was fixed when the block of the first epoch was known already")
    said = {card: sorted(map(int, ids)) for card, ids in bundle.catalogue.items()}
    if decks.hash_of_ids(said) != manifest.catalogue:
        check.fault("catalogue", f"it is not the one of hash {manifest.catalogue}, which was promised")
    if any(list(map(int, ids)) != said[card] for card, ids in bundle.catalogue.items()):
        check.fault("catalogue", "token ids are not in order")
    return manifest


@dataclass(frozen=True, slots=True)
class _Tags:
    """Tags of players as a bundle has them."""

    tag: bytes

    def of(self, _: int, /) -> bytes:
        return self.tag


def _passes(session: Session, event: EventRow, said: Sequence[PassSaid], check: Check) -> None:
    rows: dict[int, PassRow] = {row.serial: row for row in store.all_passes(session, event.id)}
    tags: dict[int, str] = {}
    last = 0
    for at, one in enumerate(said):
        row = rows.get(one.serial)
        if row is None or one.serial <= last:
            check.fault(f"passes[{at}].serial", f"the log has no pass {one.serial}, or it is not in order")
            continue
        last = one.serial
        check.done += 1
        if tags.setdefault(row.entry, one.tag) != one.tag:
            check.fault(f"passes[{at}].tag", f"another pass of entry {row.entry} has another")
        book = pass_books.book_of(session, event.id)
        made = passes.deck_pass_of(book, _Tags(bytes.fromhex(one.tag)), row)
        if made.digest(book.terms.chain_id).hex() != row.digest:
            check.fault(f"passes[{at}].tag", "with it the pass is not the one of the log")
            continue
        try:
            signer = SignedPass(made, bytes.fromhex(one.signature)).signer(book.terms.chain_id)
        except (VerifierError, ValueError) as error:
            check.fault(f"passes[{at}].signature", str(error))
            continue
        if signer != book.terms.keys[row.key - 1]:
            check.fault(f"passes[{at}].signature", f"it is by {signer}, not by the event's key {row.key}")
    check.closed = len(rows) - len(said)


def _owned(session: Session, event: EventRow, manifest: Manifest) -> dict[str, Any]:
    """What follows about ownership."""
    sanction = ownership.sanctions_of(session, [event])[event.id]
    return {
        "event_id": manifest.event_id,
        "sanctioned": sanction.met,
        "conditions": [{"name": one.name, "met": one.met, "words": one.words} for one in sanction.conditions],
        "epochs": [
            {
                "epoch": row.number,
                "round": row.round,
                "cut_round": row.cut_round,
                "opens_at": row.opens_at,
                "block": row.block_number,
                "hash": row.block_hash,
                "verdicts": {
                    str(entry): {"outcome": one.outcome, "overridden": one.overridden is not None}
                    for entry, one in sorted(store.verdicts_at(session, event.id, row.number).items())
                },
            }
            for row in store.epochs_of(session, event.id)
        ],
        "allocations": [
            {
                "entry": row.entry,
                "wallet": row.wallet,
                "units": {str(one.token_id): one.units for one in allocations_in(row)},
            }
            for row in store.allocations_of(session, event.id)
        ],
    }
