"""Wallets of entries: linked by an answer that proves control, unlinked, split among a family, vouched for by a vault.

A wallet serves one entry of an event. It may serve several by a split that it signed; then the entry that asked for the
split signs in by it, and the others have their shares and no more. A vault that vouches for a wallet serves one entry
as any wallet does, whomever it delegates to besides.

The log has commitments. Addresses, what was signed, and who has which share are kept beside it, and are erased when a
wallet is unlinked. Once the event has begun nothing is unlinked or split again: a unit could pass from one entry to
another and be counted for both.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator
from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.errors import ActionNotAllowed
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import READERS, Role, by_rank
from tournament.errors import (
    ChallengeUnknown,
    ControlUndetermined,
    EventNotFound,
    NotPlaying,
    NotYours,
    OwnershipNotAsked,
    RegistryMissing,
    SplitRefused,
    VaultSilent,
    WalletLocked,
    WalletNotFound,
    WalletsFull,
    WalletTaken,
)
from tournament.service import challenges, claimants, manifests, ownership
from tournament.service.beside import ENTRY, Named, Subject
from tournament.service.chain import canonical
from tournament.service.challenges import Answer, Proven, Purpose, Site, Wanted, commitment_of
from tournament.service.commands import (
    Already,
    Arguments,
    Ask,
    Fact,
    Keeping,
    Kind,
    Receipt,
    Scene,
    Seals,
    player_in,
    run,
)
from tournament.service.entries import MOST_NUMBER, load, load_own
from tournament.service.nodes import cause_of
from tournament.tables import EntryRow, EventRow, KnownWalletRow, LogRow, SealedRow, WalletRow
from verifier.addresses import parse_address
from verifier.control import SIGNATURE_CAP, Challenge, Method
from verifier.delegation import Delegation, Level, read_authorities
from verifier.errors import ChainError, NoContract
from verifier.holdings import Address, TokenId
from verifier.manifest import Manifest

MOST_WALLETS: Final = 20
"""Of an entry, vaults counted."""
MOST_LENT: Final = 6
"""Shares that others let an entry have. They take no room from its own wallets."""
MOST_SHARES: Final = 12
"""Entries that a wallet may serve."""
MOST_TOKENS: Final = 1_000
"""Token ids of a share."""
MOST_UNITS: Final = 1_000_000
LONGEST_SIGNATURE: Final = 2 + 2 * SIGNATURE_CAP
HASH: Final = "^[0-9a-f]{64}$"
NONCE: Final = "^[0-9a-f]{32}$"
_OVER: Final = frozenset({Phase.FINISHED, Phase.VOID})
_LONGEST_ADDRESS: Final = 100
_A = TypeVar("_A", bound="Answered")
_F = TypeVar("_F", bound=Fact)


class Returned(Arguments):
    """What a wallet answered."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"nonce", "signature", "transaction"})

    nonce: str = Field(pattern=NONCE, description="of the text that was signed", examples=["6f" * 16])
    signature: str | None = Field(
        default=None, max_length=LONGEST_SIGNATURE, description="as the wallet gives it", examples=["0x5b…1c"]
    )
    transaction: str | None = Field(
        default=None,
        max_length=_LONGEST_ADDRESS,
        description="or the hash of one that the wallet sent to itself, without value, with the text's digest as data",
    )

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if (self.signature is None) == (self.transaction is None):
            raise ValueError("either a signature or a transaction")
        return self

    @property
    def answer(self) -> Answer:
        """To the text."""
        return Answer(self.nonce, self.signature, self.transaction)


class Answered(Returned):
    """The same, and for which entry."""

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])


class Link(Answered):
    """Let a wallet serve an entry."""


class SplitAmong(Answered):
    """Let a wallet serve several entries, by the shares in the text that it signed."""


class Linked(Fact):
    """A wallet serves an entry. Which one, the log does not say."""

    entry: int
    commitment: str = Field(description="Keccak-256 of a salt and the address")
    proof: str = Field(description="Keccak-256 of a salt and what was signed, and the answer")
    method: Method


class ShareOf(BaseModel):
    """What of a wallet is an entry's."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entry: int
    units: str = Field(description="Keccak-256 of a salt and the units")


class SplitUp(Fact):
    """A wallet serves several entries. The log says which, and not what of it is whose."""

    entry: int = Field(description="which asked for it, and signs in by the wallet")
    commitment: str
    proof: str
    method: Method
    shares: list[ShareOf] = Field(description="in the order in which they are served")


class Unlink(Arguments):
    """Let a wallet serve an entry no longer."""

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])
    commitment: str = Field(pattern=HASH, description="the wallet's, as the entry's document has it")


class Unlinked(Fact):
    """Wallets serve no longer, and what was kept of them is erased."""

    entry: int
    commitment: str
    vaults: list[str] = Field(default=[], description="of the entry, which vouched for the wallet")
    everywhere: bool = Field(description="the entry had split the wallet, so nobody is served by it any more")
    digests: list[str] = Field(description="what of it nobody can open any more")


class NameVault(Arguments):
    """Let a vault that vouches for a wallet of the entry serve the entry too."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"vault"})

    entry: int = Field(ge=1, le=MOST_NUMBER, examples=[17])
    vault: str = Field(max_length=_LONGEST_ADDRESS, examples=["0x90F79bf6EB2c4f870365E785982E1f101E93b906"])
    wallet: str | None = Field(
        default=None, pattern=HASH, description="commitment of the wallet that it vouches for; the only one when null"
    )


class VaultNamed(Fact):
    """A vault serves an entry as long as it vouches for one of its wallets, which is looked at at every epoch."""

    entry: int
    commitment: str = Field(description="Keccak-256 of a salt and the vault's address")
    vouches_for: str = Field(description="the commitment of the wallet")
    level: Level = Field(description="for how much it vouched when it was named")


@dataclass(frozen=True, slots=True)
class ShareSaid:
    """What of a wallet is to be an entry's."""

    entry: int
    units: Mapping[int, int]
    """By token id."""


# --- a text to sign ---------------------------------------------------------------------------------------------------


def ask_text(
    database: Database, ask: Ask, address: str, site: Site, *, shares: Sequence[ShareSaid] | None = None
) -> Challenge:
    """A text for the player who asks: to link a wallet, or to split it.

    Raises:
        AddressUnreadable: it is no address; a name, such as one of ENS, is none.
        SplitRefused: the shares cannot be so.
    """
    wallet = parse_address(address)
    with database.writing() as session:
        entry, event = player_in(ask.who(session)), store.find_event(session, ask.event)
        if event is None:
            raise EventNotFound(ask.event)
        if entry is None:
            raise NotYours("having a wallet sign", by_rank({Role.PLAYER}))
        _check_may(event, load(session, event.id, entry))
        purpose = Purpose.LINK if shares is None else Purpose.SPLIT
        said = "" if shares is None else _written(shares)
        if shares is not None and (faults := _faults(session, event.id, entry, shares)):
            raise SplitRefused(faults)
        wanted = Wanted(purpose=purpose, wallet=wallet, entry=entry, shares=said)
        return challenges.give(session, event, wanted, site, ask.now)


def _written(shares: Sequence[ShareSaid]) -> str:
    said = [
        {"entry": one.entry, "units": {str(token): units for token, units in sorted(one.units.items())}}
        for one in shares
    ]
    return canonical(said)


def _faults(session: Session, event: str, asker: int, shares: Sequence[ShareSaid]) -> list[str]:
    """Every reason against a split."""
    numbers = [one.entry for one in shares]
    there = {row.number: row for row in store.entries_numbered(session, event, numbers)}
    faults = []
    if not 1 < len(shares) <= MOST_SHARES:
        faults.append(f"a split has 2 to {MOST_SHARES} shares")
    if asker not in numbers:
        faults.append(f"number {asker} asks for it and has no share")
    faults += [f"number {number} is named twice" for number in sorted({n for n in numbers if numbers.count(n) > 1})]
    for number in dict.fromkeys(numbers):
        row = there.get(number)
        if row is None or row.merged_into is not None:
            faults.append(f"there is no number {number}")
        elif row.dropped_after is not None:
            faults.append(f"number {number} left already")
    looked_at = store.looked_at(session, event, [number for number in there if number != asker])
    return faults + [f"number {number} was looked at already, and gets no share any more" for number in looked_at]


# --- linking ----------------------------------------------------------------------------------------------------------


def link(database: Database, ask: Ask, asked: Link, site: Site) -> Receipt:
    """Let a wallet that answered serve the entry that asks.

    Raises:
        ChallengeUnknown: no such text waits for the entry at this site.
        ControlUnproven: the answer proves nothing.
        WalletTaken: it serves somebody.
    """
    proven = _proven(database, ask, asked, Purpose.LINK, site)
    return run(database, _with(LINK, proven, _decide_link), ask, asked)


def split(database: Database, ask: Ask, asked: SplitAmong, site: Site) -> Receipt:
    """Let a wallet that answered serve several entries, as the text says that it answered.

    Raises:
        ChallengeUnknown, ControlUnproven: as for a link.
        WalletTaken: it serves an entry that does not ask.
        WalletLocked: it serves somebody, and the event has begun.
    """
    proven = _proven(database, ask, asked, Purpose.SPLIT, site)
    return run(database, _with(SPLIT, proven, _decide_split), ask, asked)


def _with(kind: Kind[_A, _F], proven: Proven | None, decide: Any) -> Kind[_A, _F]:  # noqa: ANN401 - one of two
    if proven is None:
        return kind
    return replace(kind, decide=lambda scene, asked: decide(scene, asked, proven))


def _proven(database: Database, ask: Ask, asked: Answered, purpose: Purpose, site: Site) -> Proven | None:
    """What the answer proves; None: the command is refused, or was answered before, whatever it proves."""
    with database.reading() as session:
        actor, event = ask.who(session), store.find_event(session, ask.event)
        if event is None or player_in(actor) != asked.entry:
            return None
        if store.find_command(session, event.id, ask.command) is not None:
            return None
        row = challenges.waiting(session, asked.answer, purpose, site)
        if (row.event_id, row.entry) != (event.id, asked.entry):
            raise ChallengeUnknown(asked.nonce)
        manifest = manifests.manifest_of(session, event.id)
    return challenges.judge(row, asked.answer, manifest, site, ask.now)


def _decide_unproven(scene: Scene, asked: Answered) -> Any:  # noqa: ANN401 - it refuses
    """Whoever may be answered has been judged (`_proven`)."""
    load_own(scene, asked.entry)
    raise ChallengeUnknown(asked.nonce)


def _decide_link(scene: Scene, asked: Link, proven: Proven) -> Keeping[Linked] | Already:
    entry = load_own(scene, asked.entry)
    _check_may(scene.event, entry)
    address = _known(scene, proven.wallet)
    for row in store.wallet_rows(scene.session, scene.event.id, commitment=address.digest):
        if row.entry == entry.number and row.signs_in and row.share is None:
            return Already(row.linked)
        raise WalletTaken(proven.wallet, row.entry)
    _check_room(scene, [entry.number])
    proof = _sealed(scene, proven.text)
    fact = Linked(entry=entry.number, commitment=address.digest, proof=proof.digest, method=proven.method)
    return _keeping(scene, fact, address, [proof], nonce=asked.nonce)


def _apply_link(session: Session, event: EventRow, row: LogRow, fact: Linked) -> None:
    linked = WalletRow(
        event_id=event.id, entry=fact.entry, commitment=fact.commitment, linked=row.sequence, proof=fact.proof
    )
    store.add_wallets(session, [linked])


def _decide_split(scene: Scene, asked: SplitAmong, proven: Proven) -> Keeping[SplitUp]:
    entry = load_own(scene, asked.entry)
    _check_may(scene.event, entry)
    shares = [
        ShareSaid(one["entry"], {int(token): units for token, units in one["units"].items()})
        for one in json.loads(proven.shares)
    ]
    if faults := _faults(scene.session, scene.event.id, entry.number, shares):
        raise SplitRefused(faults)
    address = _known(scene, proven.wallet)
    serving = store.wallet_rows(scene.session, scene.event.id, commitment=address.digest)
    for row in serving:
        is_asker = row.entry == entry.number
        if row.vouches_for is not None or (row.signs_in and not is_asker):
            raise WalletTaken(proven.wallet, row.entry)
    if serving and (why := why_locked(scene.session, scene.event)):
        raise WalletLocked(why)
    served = {row.entry for row in serving}
    _check_room(scene, [entry.number] if entry.number not in served else [])
    lent = store.lent_to(scene.session, scene.event.id, [one.entry for one in shares if one.entry not in served])
    if full := [number for number, count in lent.items() if count >= MOST_LENT and number != entry.number]:
        raise SplitRefused(
            [f"number {number} has {MOST_LENT} shares of others, and may decline some" for number in full]
        )
    proof = _sealed(scene, proven.text)
    texts = [_sealed(scene, share_text(one.units), also=f"{one.entry} ") for one in shares]
    fact = SplitUp(
        entry=entry.number,
        commitment=address.digest,
        proof=proof.digest,
        method=proven.method,
        shares=[ShareOf(entry=one.entry, units=sealed.digest) for one, sealed in zip(shares, texts, strict=True)],
    )
    return _keeping(scene, fact, address, [proof, *texts], nonce=asked.nonce)


def share_text(units: Mapping[int, int]) -> str:
    """A share as it is kept: JSON from token id to units."""
    return canonical({str(token): count for token, count in sorted(units.items())})


def _apply_split(session: Session, event: EventRow, row: LogRow, fact: SplitUp) -> None:
    store.delete_wallets(session, event.id, [fact.commitment])
    rows = [
        WalletRow(
            event_id=event.id,
            entry=share.entry,
            commitment=fact.commitment,
            linked=row.sequence,
            share=share.units,
            proof=fact.proof,
            signs_in=share.entry == fact.entry,
            place=place,
        )
        for place, share in enumerate(fact.shares)
    ]
    store.add_wallets(session, rows)


# --- unlinking --------------------------------------------------------------------------------------------------------


def why_locked(session: Session, event: EventRow) -> str:
    """Why nothing is unlinked any more; empty while it may be."""
    if event.phase in _OVER:
        return "the event is over"
    if store.last_published(session, event.id):
        return "round 1 has begun"
    read = [epoch.number for epoch in store.epochs_of(session, event.id) if epoch.read is not None]
    return f"the wallets were looked at for epoch {read[0]}" if read else ""


def _decide_unlink(scene: Scene, asked: Unlink) -> Keeping[Unlinked]:
    session, event = scene.session, scene.event
    entry = load_own(scene, asked.entry)
    found = store.find_wallet(session, event.id, entry.number, asked.commitment)
    if found is None:
        raise WalletNotFound(entry.number)
    if why := why_locked(session, event):
        raise WalletLocked(why)
    vaults = [
        row for row in store.rows_of_entry(session, event.id, entry.number) if row.vouches_for == asked.commitment
    ]
    serving = store.wallet_rows(session, event.id, commitment=asked.commitment)
    everywhere = found.signs_in
    going = [*(serving if everywhere else [found]), *vaults]
    digests = [row.share for row in going if row.share is not None]
    if everywhere or len(serving) == 1:
        digests += _named_with(session, event.id, asked.commitment)
    digests += [row.commitment for row in vaults]
    fact = Unlinked(
        entry=entry.number,
        commitment=asked.commitment,
        vaults=[row.commitment for row in vaults],
        everywhere=everywhere,
        digests=list(dict.fromkeys(digests)),
    )

    def keep(writing: Session) -> None:
        store.erase_sealed(writing, event.id, fact.digests)
        store.forget_wallets(writing, event.id, fact.digests)

    return Keeping(fact, keep)


def _named_with(session: Session, event: str, commitment: str) -> list[str]:
    """What was ever kept of a wallet."""
    found = [commitment]
    for row in store.log_of(session, event, [LINK.name, SPLIT.name]):
        said = json.loads(row.fact)
        if said["commitment"] == commitment:
            found += [said["proof"], *(share["units"] for share in said.get("shares", []))]
    return found


def _apply_unlink(session: Session, event: EventRow, _: LogRow, fact: Unlinked) -> None:
    store.delete_wallets(session, event.id, [fact.commitment], entry=None if fact.everywhere else fact.entry)
    store.delete_wallets(session, event.id, fact.vaults, entry=fact.entry)


# --- vaults -----------------------------------------------------------------------------------------------------------


def name_vault(database: Database, ask: Ask, asked: NameVault, site: Site) -> Receipt:
    """Let a vault serve an entry, if it vouches for one of its wallets now.

    Raises:
        AddressUnreadable: the vault is no address.
        VaultSilent: it does not vouch for the wallet, nor for the collection, nor for a card of the list.
        RegistryMissing: the chain has none.
        ControlUndetermined, EndpointsMissing, ChainBusy: the registry could not be asked.
    """
    vault = parse_address(asked.vault)
    with database.reading() as session:
        planned = _planned(session, ask, asked)
    if planned is None:
        return run(database, DELEGATE, ask, asked)
    manifest, wallet, needed = planned
    reader = manifests.reader_of(manifest, site.nodes)
    delegation = Delegation(vault, Address(wallet.address), needed)
    try:
        with site.nodes.for_players.take(f"{ask.event} {asked.entry}"):
            [authority] = read_authorities(
                [delegation], reader, reader.find("latest"), collection=manifest.collections[0].address
            )
    except NoContract as error:
        raise RegistryMissing(manifest.chain_id) from error
    except ChainError as error:
        raise ControlUndetermined(vault, cause_of(error)) from error
    if authority.level is None:
        raise VaultSilent(vault, wallet.address)
    level = authority.level

    def decide(scene: Scene, asked: NameVault) -> Keeping[VaultNamed] | Already:
        return _decide_vault(scene, asked, vault, wallet, level)

    return run(database, replace(DELEGATE, decide=decide), ask, asked)


def _planned(
    session: Session, ask: Ask, asked: NameVault
) -> tuple[Manifest, store.LinkedWallet, tuple[TokenId, ...]] | None:
    """What the registry is asked about; None: the command is refused, or was answered before."""
    actor, event = ask.who(session), store.find_event(session, ask.event)
    if event is None or player_in(actor) != asked.entry:
        return None
    if store.find_command(session, event.id, ask.command) is not None:
        return None
    needs = claimants.needs_of(session, event, asked.entry)
    token_ids = dict.fromkeys(token for need in needs for token in need.token_ids)
    return manifests.manifest_of(session, event.id), _vouched(session, event, asked), tuple(token_ids)


def _vouched(session: Session, event: EventRow, asked: NameVault) -> store.LinkedWallet:
    """The wallet that is vouched for. Raises: WalletNotFound."""
    own = [one for one in store.wallets_of(session, event.id, asked.entry) if one.vouches_for is None and one.signs_in]
    named = [one for one in own if asked.wallet in {None, one.commitment}]
    if len(named) != 1 or not named[0].address:
        raise WalletNotFound(asked.entry)
    return named[0]


def _decide_unasked(scene: Scene, asked: NameVault) -> VaultNamed:
    """Whoever may name a vault has had the registry asked (`name_vault`)."""
    load_own(scene, asked.entry)
    raise WalletNotFound(asked.entry)


def _decide_vault(
    scene: Scene, asked: NameVault, vault: Address, wallet: store.LinkedWallet, level: Level
) -> Keeping[VaultNamed] | Already:
    session, event = scene.session, scene.event
    entry = load_own(scene, asked.entry)
    _check_may(event, entry)
    if store.find_wallet(session, event.id, entry.number, wallet.commitment) is None:
        raise WalletNotFound(entry.number)
    address = _known(scene, vault)
    for row in store.wallet_rows(session, event.id, commitment=address.digest):
        if row.entry == entry.number and row.vouches_for == wallet.commitment:
            return Already(row.linked)
        raise WalletTaken(vault, row.entry)
    _check_room(scene, [entry.number])
    fact = VaultNamed(entry=entry.number, commitment=address.digest, vouches_for=wallet.commitment, level=level)
    return _keeping(scene, fact, address, [])


def _apply_vault(session: Session, event: EventRow, row: LogRow, fact: VaultNamed) -> None:
    named = WalletRow(
        event_id=event.id,
        entry=fact.entry,
        commitment=fact.commitment,
        linked=row.sequence,
        vouches_for=fact.vouches_for,
        signs_in=False,
        level=fact.level.value,
    )
    store.add_wallets(session, [named])


# --- what they have in common -----------------------------------------------------------------------------------------


def _check_may(event: EventRow, entry: EntryRow) -> None:
    if not ownership.is_required(event):
        raise OwnershipNotAsked(event.id)
    if event.phase in _OVER:
        raise ActionNotAllowed(event.phase, "link a wallet")
    if entry.dropped_after is not None:
        raise NotPlaying(entry.number)


def _check_room(scene: Scene, numbers: Collection[int]) -> None:
    counts = [store.wallets_in(scene.session, scene.event.id, number) for number in numbers]
    if any(count >= MOST_WALLETS for count in counts):
        raise WalletsFull(MOST_WALLETS)


def _known(scene: Scene, wallet: Address) -> SealedRow:
    """By what the event knows the wallet, to be kept: as before if it knows it."""
    known = store.known_wallet(scene.session, scene.event.id, wallet)
    kept = None if known is None else store.find_sealed(scene.session, scene.event.id, known.commitment)
    if kept is not None and kept.text == wallet:
        return SealedRow(event_id=kept.event_id, digest=kept.digest, salt=kept.salt, text=kept.text)
    return _sealed(scene, wallet)


def _sealed(scene: Scene, text: str, *, also: str = "") -> SealedRow:
    """Something to be kept, under a commitment of its own."""
    salt = scene.chance()
    if also:
        salt = commitment_of(also, salt)
    return SealedRow(event_id=scene.event.id, digest=commitment_of(text, salt), salt=salt, text=text)


def _keeping(
    scene: Scene, fact: _F, address: SealedRow, others: Sequence[SealedRow], *, nonce: str | None = None
) -> Keeping[_F]:
    event = scene.event.id

    def keep(session: Session) -> None:
        if nonce is not None:
            challenges.use_up(session, nonce)
        for row in (address, *others):
            store.save_sealed(session, row)
        known = KnownWalletRow(event_id=event, address=address.text, commitment=address.digest)
        store.save_known_wallet(session, known)

    return Keeping(fact, keep)


def _holds(kept: SealedRow) -> bool:
    try:
        return commitment_of(kept.text, kept.salt) == kept.digest
    except ValueError:
        return False


def _is_same_text(kept: SealedRow, _: Fact, asked: Answered) -> bool:
    """Signature bytes are no identity: one text, one answer."""
    found: str = json.loads(kept.text)["nonce"]
    return found == asked.nonce


LINK: Final[Kind[Link, Linked]] = Kind(
    name="wallet.link",
    arguments=Link,
    fact=Linked,
    roles=frozenset({Role.PLAYER}),
    decide=_decide_unproven,
    apply=_apply_link,
    seals=Seals(
        digest=lambda fact: fact.proof, others=lambda fact: (fact.commitment,), holds=_holds, same=_is_same_text
    ),
)
SPLIT: Final[Kind[SplitAmong, SplitUp]] = Kind(
    name="wallet.split",
    arguments=SplitAmong,
    fact=SplitUp,
    roles=frozenset({Role.PLAYER}),
    decide=_decide_unproven,
    apply=_apply_split,
    seals=Seals(
        digest=lambda fact: fact.proof,
        others=lambda fact: (
            fact.commitment,
            *(Named(share.units, Subject(ENTRY, share.entry)) for share in fact.shares),
        ),
        holds=_holds,
        same=_is_same_text,
    ),
)
UNLINK: Final = Kind(
    name="wallet.unlink",
    arguments=Unlink,
    fact=Unlinked,
    roles=READERS | {Role.PLAYER},
    lasting=True,
    decide=_decide_unlink,
    apply=_apply_unlink,
)
DELEGATE: Final = Kind(
    name="wallet.delegate",
    arguments=NameVault,
    fact=VaultNamed,
    roles=frozenset({Role.PLAYER}),
    decide=_decide_unasked,
    apply=_apply_vault,
    seals=Seals(
        digest=lambda fact: fact.commitment,
        holds=_holds,
        same=lambda kept, _, asked: kept.text == parse_address(asked.vault),
    ),
)
KINDS: Final = (LINK, SPLIT, UNLINK, DELEGATE)
