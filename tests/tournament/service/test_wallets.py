"""Wallets of entries: who is served by which, what proves it, and what nobody gets by trying."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest
from eth_hash.auto import keccak
from pydantic import ValidationError

from collection.wallets import Wallet
from tests.tournament.linking import (
    HOST,
    Practice,
    challenge_row,
    give,
    link,
    name_vault,
    player,
    signed,
    site,
    split,
    text_for,
    unlink,
    wallets_of,
)
from tests.tournament.owning import DECK, FOO, LIST, World, cards, started
from tests.verifier.signing import encodings, key_of, sign, wrapped
from tournament import store
from tournament.database import Database
from tournament.domain.errors import TournamentError
from tournament.domain.roles import Role
from tournament.errors import (
    ChallengeUnknown,
    CommandIdReused,
    ControlUndetermined,
    ControlUnproven,
    NotPlaying,
    NotYourEntry,
    NotYours,
    OwnershipNotAsked,
    RegistryMissing,
    SignInNeeded,
    SplitRefused,
    VaultSilent,
    WalletLocked,
    WalletNotFound,
    WalletsFull,
    WalletTaken,
    WalletUnknown,
)
from tournament.service import (
    accounts,
    audit,
    decklists,
    entries,
    events,
    exports,
    merging,
    privacy,
    transfers,
    undo,
    wallet_sign_ins,
    wallets,
)
from tournament.service.accounts import Shown
from tournament.service.challenges import KEPT, Answer
from tournament.service.commands import run, text_of
from tournament.tables import KnownWalletRow, PlayerBrowserRow, WalletRow
from verifier.addresses import to_checksum
from verifier.contracts import Answer as Said
from verifier.contracts import Call, MemoryContracts, Transaction, encode
from verifier.control import MAGIC, TEXT_CAP, parse_challenge
from verifier.delegation import CHECK_ALL, CHECK_CONTRACT, CHECK_ERC1155, REGISTRY, Level
from verifier.errors import AddressUnreadable, ChallengeUnfit, NoEndpoints, SignatureUnreadable, TransactionPending
from verifier.holdings import Address, Block, BlockHash

ANN, BOB, CAT, VAULT = (key_of(name) for name in ("ann", "bob", "cat", "vault"))
TOKEN = FOO.token_ids[0]
YES = MAGIC.ljust(32, b"\0")


@pytest.fixture
def world(one: Database) -> Iterator[World]:
    with started(one) as world:
        yield world.announce()


@pytest.fixture
def either(common: Database) -> Iterator[World]:
    """The same on SQLite and on PostgreSQL."""
    with started(common) as world:
        yield world.announce()


def enter(world: World, name: str = "somebody") -> int:
    number: int = world.do(entries.ADD, entries.Add(name=name)).entry
    return number


def with_list(world: World) -> int:
    """A player with a list, and no wallet yet."""
    number = enter(world)
    decklists.hand_in(world.database, world.ask(), decklists.HandIn(entry=number, decklist=LIST))
    return number


def differences(world: World) -> list[str]:
    """What is not as the log makes it, wallets and what is kept beside the log included."""
    return list(map(str, world.look(lambda session, event: audit.differences(session, event.id))))


def sign_in(world: World, key: Wallet, *, before: Shown | None = None, host: str = HOST) -> tuple[str, int]:
    challenge = wallet_sign_ins.ask_text(world.database, world.event, key.address, site(world, host), world.now)
    answer = Answer(**signed(key, challenge))
    value, served = wallet_sign_ins.sign_in(world.database, answer, site(world, host), world.now, before=before)
    return value, served.entry


def actor(world: World, value: str, event: str | None = None) -> str | None:
    """Who shows that cookie."""
    found: str | None = world.look(
        lambda session, _: accounts.find(
            session, Shown(value, text_of(world.now)), world.ask().codes, event or world.event
        )
    )
    return found


def at_once(tasks: Sequence[Callable[[], Any]]) -> list[Any]:
    """What came of each: its answer or its refusal."""

    def outcome(task: Callable[[], Any]) -> Any:
        try:
            return task()
        except Exception as error:  # noqa: BLE001 - looked at by the test
            return error

    with ThreadPoolExecutor(len(tasks)) as pool:
        return list(pool.map(outcome, tasks))


# --- linking ----------------------------------------------------------------------------------------------------------


def test_a_wallet_that_signed_serves_the_entry_and_the_log_does_not_say_which(either: World) -> None:
    number = enter(either)
    challenge = text_for(either, number, ANN.address.lower())
    fact = give(either, number, signed(ANN, challenge))
    [wallet] = wallets_of(either)
    assert (wallet.entry, wallet.address, wallet.commitment) == (number, ANN.address, fact.commitment)
    assert (wallet.signs_in, wallet.vouches_for, wallet.share) == (True, None, None)
    signature = sign(ANN, challenge.digest).hex()
    for secret in (ANN.address, ANN.address.lower(), challenge.nonce, signature):
        assert secret not in either.in_log
    assert differences(either) == []
    assert challenge_row(either, challenge.nonce) is None


def test_what_was_signed_is_kept_so_that_anybody_it_is_shown_to_can_judge_again(world: World) -> None:
    number = enter(world)
    challenge = text_for(world, number, ANN.address)
    fact = give(world, number, signed(ANN, challenge))
    kept = world.look(lambda session, event: store.find_sealed(session, event.id, fact.proof))
    assert keccak(bytes.fromhex(kept.salt) + kept.text.encode()).hex() == fact.proof
    said = json.loads(kept.text)
    assert parse_challenge(said["text"]) == challenge
    assert said["signature"] == "0x" + sign(ANN, challenge.digest).hex()
    assert (said["method"], said["block"]) == ("signature", None)


def test_the_text_names_event_list_and_player_and_is_for_ten_minutes(world: World) -> None:
    number = with_list(world)
    deck = world.look(lambda session, event: store.find_deck(session, event.id, number))
    challenge = text_for(world, number, ANN.address)
    assert challenge.resources == (
        f"deckproof:event/{world.row.manifest_id}",
        f"deckproof:deck/{deck.commitment}",
        f"deckproof:player/{number}",
    )
    assert challenge.statement == f"Link this wallet to entry {number} of Spring Open."
    assert (challenge.domain, challenge.uri) == (HOST, f"https://{HOST}/events/{world.event}")
    assert challenge.expires_at - challenge.issued_at == 600
    assert challenge.chain_id == world.chain.chain_id


def test_an_entry_has_several_wallets_and_their_cards_count_together(world: World) -> None:
    number = with_list(world)
    half = {key: units // 2 for key, units in cards(ANN.address).items()}
    rest = {(BOB.address, token): units - units // 2 for (_, token), units in cards(ANN.address).items()}
    world.wait(1, {**half, **rest})
    link(world, number, ANN)
    link(world, number, BOB)
    world.begin()
    world.read()
    assert world.outcomes(1) == {number: "covered"}
    assert differences(world) == []


def test_a_player_may_link_so_many_wallets(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wallets, "MOST_WALLETS", 2)
    number = enter(world)
    link(world, number, ANN)
    link(world, number, BOB)
    with pytest.raises(WalletsFull):
        link(world, number, CAT)


def test_the_same_wallet_linked_again_is_the_first_receipt(world: World) -> None:
    number = enter(world)
    first = link(world, number, ANN)
    assert link(world, number, ANN) == first
    assert len(wallets_of(world)) == 1


def test_who_left_and_an_event_without_ownership_or_that_is_over_take_no_wallet(world: World) -> None:
    number = enter(world)
    challenge = text_for(world, number, ANN.address)
    world.do(entries.DROP, entries.Leave(entry=number))
    with pytest.raises(NotPlaying):
        give(world, number, signed(ANN, challenge))
    with pytest.raises(NotPlaying):
        text_for(world, number, ANN.address)
    plain = World(world.database, world.chain, world.node, world.nodes)
    plain.create(ownership="none", collection=None)
    plain.do(events.OPEN)
    with pytest.raises(OwnershipNotAsked):
        text_for(plain, enter(plain), ANN.address)


# --- threats ----------------------------------------------------------------------------------------------------------


def test_one_wallet_two_players_of_fifty_parallel_links_one_wins(either: World) -> None:
    numbers = [enter(either, f"player {number}") for number in range(50)]
    answers = [signed(ANN, text_for(either, number, ANN.address)) for number in numbers]
    found = at_once(
        [lambda n=number, a=answer: give(either, n, a) for number, answer in zip(numbers, answers, strict=True)]  # type: ignore[misc]
    )
    [won] = [one for one in found if isinstance(one, wallets.Linked)]
    refused = [one for one in found if isinstance(one, WalletTaken)]
    assert len(refused) == 49
    assert {one.entry for one in refused} == {won.entry}
    assert [one.entry for one in wallets_of(either)] == [won.entry]
    assert differences(either) == []


def test_the_database_itself_lets_no_wallet_serve_two_entries_whole(world: World) -> None:
    first, second = enter(world), enter(world)
    fact = link(world, first, ANN)
    row = WalletRow(event_id=world.event, entry=second, commitment=fact.commitment, linked=1)
    with pytest.raises(Exception, match=r"(?i)unique"), world.database.writing() as session:
        store.add_wallets(session, [row])
    again = KnownWalletRow(event_id=world.event, address=ANN.address, commitment="another")
    with pytest.raises(Exception, match=r"(?i)unique"), world.database.writing() as session:
        session.add(again)


def test_six_encodings_of_one_signature_link_one_wallet_and_sign_in_once(either: World) -> None:
    number = enter(either)
    challenge = text_for(either, number, ANN.address)
    six = encodings(sign(ANN, challenge.digest)).values()
    said = [{"nonce": challenge.nonce, "signature": "0x" + one.hex()} for one in six]
    found = at_once([lambda a=answer: give(either, number, a) for answer in said])  # type: ignore[misc]
    assert {type(one) for one in found} <= {wallets.Linked, ChallengeUnknown}
    assert len({one.proof for one in found if isinstance(one, wallets.Linked)}) == 1  # who came late got the receipt
    assert (len(wallets_of(either)), either.in_log.count('"proof"')) == (1, 1)
    challenge = wallet_sign_ins.ask_text(either.database, either.event, ANN.address, site(either), either.now)
    answers = [Answer(challenge.nonce, "0x" + one.hex()) for one in encodings(sign(ANN, challenge.digest)).values()]
    tasks = [
        lambda a=answer: wallet_sign_ins.sign_in(either.database, a, site(either), either.now, before=None)  # type: ignore[misc]
        for answer in answers
    ]
    found = at_once(tasks)
    assert len([one for one in found if isinstance(one, ChallengeUnknown)]) == 5
    assert len([one for one in found if isinstance(one, tuple)]) == 1


@pytest.mark.parametrize("way", encodings(bytes(64) + b"\x1b"))
def test_each_encoding_of_a_signature_proves_the_same_control(world: World, way: str) -> None:
    number = enter(world)
    challenge = text_for(world, number, ANN.address)
    signature = encodings(sign(ANN, challenge.digest))[way]
    give(world, number, {"nonce": challenge.nonce, "signature": "0x" + signature.hex()})
    assert [one.address for one in wallets_of(world)] == [ANN.address]


def test_a_command_sent_again_is_its_receipt_in_whichever_encoding_and_no_other_command(world: World) -> None:
    number = enter(world)
    challenge = text_for(world, number, ANN.address)
    fact = give(world, number, signed(ANN, challenge), key="an id of my own, long enough")
    other = encodings(sign(ANN, challenge.digest))["high s"]
    again = {"nonce": challenge.nonce, "signature": "0x" + other.hex()}
    assert give(world, number, again, key="an id of my own, long enough") == fact
    with pytest.raises(CommandIdReused):
        give(world, number, signed(BOB, text_for(world, number, BOB.address)), key="an id of my own, long enough")


def test_a_signature_is_not_replayed_for_another_entry_event_purpose_or_host_or_a_second_time(world: World) -> None:
    first, second = enter(world), enter(world)
    challenge = text_for(world, first, ANN.address)
    answer = signed(ANN, challenge)
    with pytest.raises(NotYourEntry):
        run(world.database, wallets.LINK, world.ask(player(second)), wallets.Link(entry=first, **answer))
    with pytest.raises(ChallengeUnknown):
        give(world, second, answer)
    with pytest.raises(ChallengeUnknown):
        give(world, first, answer, host="evil.example.com")
    with pytest.raises(ChallengeUnknown):
        wallets.split(world.database, world.ask(player(first)), wallets.SplitAmong(entry=first, **answer), site(world))
    with pytest.raises(ChallengeUnknown):
        wallet_sign_ins.sign_in(world.database, Answer(**answer), site(world), world.now, before=None)
    here, other = world.event, World(world.database, world.chain, world.node, world.nodes)
    other.announce()
    assert enter(other) == first
    with pytest.raises(ChallengeUnknown):
        give(other, first, answer)
    assert (other.event != here, wallets_of(world), wallets_of(other)) == (True, [], [])
    fact = give(world, first, answer)
    unlink(world, first, fact.commitment)
    with pytest.raises(ChallengeUnknown):
        give(world, first, answer)


def test_a_client_made_constant_or_substring_nonce_is_worth_nothing(world: World) -> None:
    number = enter(world)
    challenge = text_for(world, number, ANN.address)
    signature = signed(ANN, challenge)["signature"]
    for nonce in ("0" * 32, challenge.nonce[::-1], challenge.nonce[1:] + "0"):
        with pytest.raises(ChallengeUnknown):
            give(world, number, {"nonce": nonce, "signature": signature})
    for nonce in (
        "",
        challenge.nonce[:16],
        challenge.nonce.upper(),
        challenge.nonce + "0",
        "%",
        challenge.nonce + "\0",
    ):
        if nonce != challenge.nonce:
            with pytest.raises(ValidationError):
                wallets.Link(entry=number, nonce=nonce, signature=signature)
    nonces = {text_for(world, number, ANN.address).nonce for _ in range(50)}
    assert len(nonces) == 50
    assert {len(bytes.fromhex(nonce)) * 8 for nonce in nonces} == {128}
    assert wallets_of(world) == []


def test_link_without_signature(world: World) -> None:
    number = enter(world)
    challenge = text_for(world, number, ANN.address)
    for said in ({}, {"signature": "0x00", "transaction": "0x" + "0" * 64}):
        with pytest.raises(ValidationError, match="either a signature or a transaction"):
            wallets.Link(entry=number, nonce=challenge.nonce, **said)
    with pytest.raises(NotYours):
        wallets.ask_text(world.database, world.ask("ann"), ANN.address, site(world))
    for who in ("ann", "(visitor)"):  # an organizer links nobody's wallet
        asked = wallets.Link(entry=number, **signed(ANN, challenge))
        with pytest.raises(NotYours):
            wallets.link(world.database, world.ask(who), asked, site(world))
    for answer in ("0x", "0x" + "00" * 65, signed(BOB, challenge)["signature"]):
        with pytest.raises((ControlUnproven, NoEndpoints)):
            give(world, number, {"nonce": challenge.nonce, "signature": answer})
    with pytest.raises(SignatureUnreadable):
        give(world, number, {"nonce": challenge.nonce, "signature": "signed"})
    assert wallets_of(world) == []
    give(world, number, signed(ANN, challenge))  # a wrong answer did not use the text up


def test_a_text_that_is_older_than_ten_minutes_is_signed_in_vain(world: World) -> None:
    number = enter(world)
    challenge = text_for(world, number, ANN.address)
    world.now += timedelta(seconds=601)
    with pytest.raises(ControlUnproven, match="expired"):
        give(world, number, signed(ANN, challenge))
    assert challenge_row(world, challenge.nonce) is not None
    with world.database.writing() as session:
        store.delete_old_challenges(session, text_of(world.now + KEPT))
    assert challenge_row(world, challenge.nonce) is None


class Says(MemoryContracts):
    """Wallets that are contracts: `Says.yes` to whatever they are asked, or to whatever is the challenge's."""

    answer: Callable[[Call], Said] = staticmethod(lambda _: b"")

    def calls(self, calls: Sequence[Call], block: Block) -> list[Said]:
        self._same(block)
        return [self.answer(call) for call in calls]


def contracts(world: World, answer: Callable[[Call], Said], *codes: Address, transactions: Any = None) -> None:
    """From now on the world's chain is a table."""
    block = Block(7, BlockHash("0x" + "b" * 64), int(world.now.timestamp()))
    said = Says(world.chain.chain_id, block, codes=dict.fromkeys(codes, b"\xfe"), transactions=transactions)
    said.answer = answer  # type: ignore[method-assign]
    world.nodes = Practice.over(said)


@pytest.mark.parametrize("size", [64, 130, 200])
def test_contract_wallet_signatures_of_64_130_200_bytes_with_any_last_byte_are_the_contracts_to_judge(
    world: World, size: int
) -> None:
    number, safe = enter(world), VAULT.address
    challenge = text_for(world, number, safe)
    contracts(world, lambda _: b"\xff" * 32, safe)
    for last in (0, 1, 27, 28, 37, 255):
        signature = "0x" + (bytes([7]) * (size - 1) + bytes([last])).hex()
        with pytest.raises(ControlUnproven, match="does not say that it signed"):
            give(world, number, {"nonce": challenge.nonce, "signature": signature})
    contracts(world, lambda call: YES if challenge.digest in call.data else b"\xff" * 32, safe)
    fact = give(world, number, {"nonce": challenge.nonce, "signature": signature})
    assert fact.method == "contract"
    kept = world.look(lambda session, event: store.find_sealed(session, event.id, fact.proof))
    assert json.loads(kept.text)["block"]["number"] == 7


def test_a_wallet_that_says_yes_to_anything_links_nothing_even_as_an_eip_7702_delegate(world: World) -> None:
    number = enter(world)
    contracts(world, lambda _: YES, VAULT.address)
    challenge = text_for(world, number, VAULT.address)
    with pytest.raises(ControlUnproven, match="says of anything that it signed it"):
        give(world, number, {"nonce": challenge.nonce, "signature": "0x1234"})
    with pytest.raises(ControlUnproven, match="says of anything that it signed it"):
        give(world, number, signed(BOB, challenge))
    give(world, number, signed(VAULT, challenge))  # its own key is tried first, whatever the code says


def test_erc_6492_with_a_garbage_inner_signature_links_nothing(world: World) -> None:
    number = enter(world)
    contracts(world, lambda call: bytes(7 * 32) if call.to is None else b"")  # as the probe says that nothing came
    challenge = text_for(world, number, VAULT.address)
    garbage = "0x" + wrapped(BOB.address, b"\1\2\3", b"\xde\xad" * 40).hex()
    with pytest.raises(ControlUnproven, match="does not deploy a wallet"):
        give(world, number, {"nonce": challenge.nonce, "signature": garbage})


def test_without_endpoints_a_key_links_and_a_contract_wallet_is_told_why_not(world: World) -> None:
    number = enter(world)
    world.nodes = type(world.nodes)()
    link(world, number, ANN)
    with pytest.raises(NoEndpoints):
        give(world, number, signed(BOB, text_for(world, number, VAULT.address)))


def test_a_node_that_does_not_answer_leaves_it_undetermined_and_is_not_named(world: World) -> None:
    number = enter(world)
    challenge = text_for(world, number, VAULT.address)

    def down(_: Call) -> Said:
        from verifier.errors import ChainUnreachable  # noqa: PLC0415

        raise ChainUnreachable("https://secret.example/key", "timed out", 3)

    contracts(world, down, VAULT.address)
    with pytest.raises(ControlUndetermined) as refused:
        give(world, number, {"nonce": challenge.nonce, "signature": "0x1234"})
    assert "secret" not in str(refused.value)
    contracts(world, lambda call: YES if challenge.digest in call.data else b"", VAULT.address)
    give(world, number, {"nonce": challenge.nonce, "signature": "0x1234"})  # the text still waits


def test_a_transaction_to_oneself_links_a_wallet_that_cannot_sign_also_after_ten_minutes(world: World) -> None:
    number, hash_ = enter(world), "0x" + "7" * 64
    challenge = text_for(world, number, VAULT.address)
    answer = {"nonce": challenge.nonce, "transaction": hash_}
    contracts(world, lambda _: b"")
    with pytest.raises(TransactionPending):
        give(world, number, answer)
    block = Block(7, BlockHash("0x" + "b" * 64), challenge.issued_at + 30)
    sent = Transaction(hash_, 2, VAULT.address, VAULT.address, 0, challenge.digest, block)
    world.now += timedelta(minutes=40)
    contracts(world, lambda _: b"", transactions={hash_: sent})
    fact = give(world, number, answer)
    assert (fact.method, hash_ in world.in_log) == ("transaction", False)
    with pytest.raises(ChallengeUnknown):
        give(world, number, answer)


def test_sign_in_as_0x04_and_other_addresses_of_the_chain_itself(world: World) -> None:
    number = enter(world)
    for low in (0, 4, 0xFFFF):
        address = to_checksum(low.to_bytes(20, "big"))
        with pytest.raises(ChallengeUnfit, match="nobody's wallet"):
            text_for(world, number, address)
        with pytest.raises(ChallengeUnfit):
            wallet_sign_ins.ask_text(world.database, world.event, address, site(world), world.now)


def test_address_case_is_one_wallet_and_a_name_or_a_look_alike_is_none(world: World) -> None:
    first, second = enter(world), enter(world)
    link(world, first, ANN)
    for address in (ANN.address, ANN.address.lower(), "0x" + ANN.address[2:].upper()):
        with pytest.raises(WalletTaken):
            give(world, second, signed(ANN, text_for(world, second, address)))
    swapped = "0x" + ANN.address[2:].swapcase()
    for address in (swapped, "ann.eth", "аnn.eth", ANN.address[:-1] + "о", ANN.address[:-1], "0x" + "０" * 40):  # noqa: RUF001
        with pytest.raises(AddressUnreadable):
            text_for(world, second, address)


def test_a_text_over_1_kb_is_refused_at_once_and_an_events_name_makes_none(world: World) -> None:
    number = enter(world)
    with pytest.raises(ChallengeUnfit):
        text_for(world, number, ANN.address, host="a" * 250 + ".example")
    assert world.look(lambda session, _: session.get(KnownWalletRow, (world.event, ANN.address))) is None
    other = World(world.database, world.chain, world.node, world.nodes)
    other.create()
    other.do(events.EDIT, events.Edit(name="Frühlings-Öffnung 春 <svg onload=1> " * 2))
    other.open()
    text = text_for(other, enter(other), ANN.address).text
    assert text.isascii()
    assert len(text) <= TEXT_CAP


# --- unlinking --------------------------------------------------------------------------------------------------------


def test_a_wallet_is_unlinked_before_the_event_begins_and_what_was_kept_of_it_is_gone(either: World) -> None:
    first, second = enter(either), enter(either)
    fact = link(either, first, ANN)
    with pytest.raises(WalletNotFound):
        unlink(either, second, fact.commitment)
    with pytest.raises(NotYourEntry):
        unlink(either, first, fact.commitment, who=player(second))
    gone = unlink(either, first, fact.commitment)
    assert set(gone.digests) == {fact.commitment, fact.proof}
    for digest in gone.digests:
        kept = either.look(lambda session, event, d=digest: store.find_sealed(session, event.id, d))
        assert (kept.text, kept.salt) == ("", "")
    assert either.look(lambda session, event: store.known_wallet(session, event.id, ANN.address)) is None
    assert differences(either) == []
    again = link(either, second, ANN)
    assert again.commitment != fact.commitment
    assert [(one.entry, one.address) for one in wallets_of(either)] == [(second, ANN.address)]
    assert differences(either) == []


def test_nothing_is_unlinked_once_the_wallets_were_looked_at_and_it_is_told_why(world: World) -> None:
    number = with_list(world)
    fact = link(world, number, ANN)
    world.begin()
    world.read()
    for who in (player(number), "ann"):
        with pytest.raises(WalletLocked, match="looked at for epoch 1"):
            unlink(world, number, fact.commitment, who=who)
    link(world, number, BOB)  # more may come, and count for what they held all the time
    assert len(wallets_of(world)) == 2


def test_a_judge_unlinks_a_wallet_that_a_thief_of_a_code_linked_and_the_desk_does_not(world: World) -> None:
    from tournament.service import staff  # noqa: PLC0415

    number = enter(world)
    fact = link(world, number, ANN)
    for name, role in (("desk-1", Role.DESK), ("judge-1", Role.JUDGE)):
        with world.database.writing() as session:
            store.save_account(session, store_account(f"{name}-{world.event[:6].lower()}"))
        world.do(staff.GRANT, staff.Grant(account=f"{name}-{world.event[:6].lower()}", role=role))
    with pytest.raises(NotYours):
        unlink(world, number, fact.commitment, who=f"desk-1-{world.event[:6].lower()}")
    unlink(world, number, fact.commitment, who=f"judge-1-{world.event[:6].lower()}")
    assert wallets_of(world) == []


def store_account(name: str) -> Any:
    from tournament.tables import AccountRow  # noqa: PLC0415

    return AccountRow(name=name, password="-", created_at="")


# --- splits -----------------------------------------------------------------------------------------------------------


def shares_for(*numbers: int) -> dict[int, dict[int, int]]:
    """Each entry gets all that the list needs."""
    return {number: {need.token_ids[0]: need.units for need in DECK.needs} for number in numbers}


def test_a_wallet_serves_a_family_by_a_split_that_it_signed_and_each_copy_counts_once(world: World) -> None:
    mother, child = with_list(world), with_list(world)
    twice = {key: 2 * units for key, units in cards(ANN.address).items()}
    twice[ANN.address, TOKEN] -= 1
    world.wait(1, twice)
    link(world, mother, ANN)
    fact = split(world, mother, ANN, shares_for(mother, child))
    assert [share.entry for share in fact.shares] == [mother, child]
    assert str(TOKEN) not in world.in_log
    mine, theirs = wallets_of(world)[0], wallets_of(world, child)[0]
    assert (mine.signs_in, theirs.signs_in, mine.commitment) == (True, False, theirs.commitment)
    assert differences(world) == []
    world.begin()
    world.read()
    assert world.outcomes(1) == {mother: "covered", child: "short"}


def test_a_split_is_changed_by_another_one_until_the_event_begins(world: World) -> None:
    mother, child = with_list(world), with_list(world)
    split(world, mother, ANN, shares_for(mother, child))
    second = split(world, mother, ANN, {child: {TOKEN: 1}, mother: {TOKEN: 2}})
    texts = {one.entry: json.loads(one.share or "") for one in wallets_of(world) if one.share is not None}
    assert texts == {mother: {str(TOKEN): 2}, child: {str(TOKEN): 1}}
    assert [share.entry for share in second.shares] == [child, mother]
    world.begin()
    world.read()
    for key in (ANN, BOB):
        with pytest.raises(SplitRefused, match="looked at already"):
            split(world, mother, key, shares_for(mother, child))
    late = with_list(world)
    with pytest.raises(WalletLocked):
        split(world, mother, ANN, shares_for(mother, late))
    split(world, mother, BOB, shares_for(mother, late))  # one that served nobody takes nothing from anybody


def test_a_split_without_the_wallets_signature_or_with_other_shares_than_it_signed_is_none(world: World) -> None:
    mother, child = enter(world), enter(world)
    challenge = text_for(world, mother, ANN.address, shares_for(mother, child))
    said = keccak(challenge_row(world, challenge.nonce).shares.encode()).hex()  # type: ignore[union-attr]
    assert f"deckproof:split/0x{said}" in challenge.resources
    with pytest.raises((ControlUnproven, NoEndpoints)):
        wallets.split(
            world.database,
            world.ask(player(mother)),
            wallets.SplitAmong(entry=mother, **signed(BOB, challenge)),
            site(world),
        )
    with pytest.raises(ChallengeUnknown):  # a text for a split links nothing
        give(world, mother, signed(ANN, challenge))
    assert wallets_of(world) == []


def test_a_split_is_no_way_to_take_a_wallet_from_an_entry_or_to_act_for_one(world: World) -> None:
    mother, child, stranger = enter(world), enter(world), enter(world)
    link(world, mother, ANN)
    with pytest.raises(WalletTaken):
        split(world, stranger, ANN, shares_for(stranger, child))
    split(world, mother, ANN, shares_for(mother, child))
    assert sign_in(world, ANN)[1] == mother
    with pytest.raises(WalletTaken):
        link(world, child, ANN)
    [share] = wallets_of(world, child)
    unlink(world, child, share.commitment)  # nobody has to keep a share
    assert [one.entry for one in wallets_of(world)] == [mother]
    assert differences(world) == []
    unlink(world, mother, share.commitment)
    assert wallets_of(world) == []
    assert differences(world) == []


def test_unlinking_a_split_wallet_by_who_split_it_ends_every_share(world: World) -> None:
    mother, child = enter(world), enter(world)
    fact = split(world, mother, ANN, shares_for(mother, child))
    gone = unlink(world, mother, fact.commitment)
    assert wallets_of(world) == []
    assert {fact.commitment, fact.proof, *(share.units for share in fact.shares)} == set(gone.digests)
    assert differences(world) == []


def test_every_fault_of_a_split_is_told_at_once(world: World) -> None:
    mother, gone = enter(world), enter(world)
    world.do(entries.DROP, entries.Leave(entry=gone))
    with pytest.raises(SplitRefused) as refused:
        text_for(world, mother, ANN.address, {gone: {TOKEN: 1}, 99: {TOKEN: 1}})
    assert refused.value.faults == [
        f"number {mother} asks for it and has no share",
        f"number {gone} left already",
        "there is no number 99",
    ]
    with pytest.raises(SplitRefused, match="2 to"):
        text_for(world, mother, ANN.address, {mother: {TOKEN: 1}})


# --- vaults -----------------------------------------------------------------------------------------------------------


def registry(world: World, *grants: tuple[bytes, Address, Address], units: int = 0) -> None:
    """A registry in which vaults delegate to wallets: which question is answered yes, wallet, vault."""

    def answer(call: Call) -> Said:
        for question, wallet, vault in grants:
            if call.to == REGISTRY and call.data.startswith(question + encode(wallet, vault)):
                return encode(units if question == CHECK_ERC1155 else 1)
        return encode(0)

    contracts(world, answer, REGISTRY)


@pytest.mark.parametrize(
    ("question", "level"),
    [(CHECK_ALL, Level.VAULT), (CHECK_CONTRACT, Level.COLLECTION), (CHECK_ERC1155, Level.TOKENS)],
)
def test_a_vault_that_vouches_for_a_wallet_of_the_entry_serves_it(world: World, question: bytes, level: Level) -> None:
    number = with_list(world)
    own = link(world, number, ANN)
    registry(world, (question, ANN.address, VAULT.address), units=3)
    fact = name_vault(world, number, VAULT.address, own.commitment)
    assert (fact.level, fact.vouches_for) == (level, own.commitment)
    vault = wallets_of(world, number)[-1]
    assert (vault.address, vault.vouches_for, vault.signs_in) == (VAULT.address, own.commitment, False)
    assert VAULT.address not in world.in_log
    assert [str(one) for one in differences(world) if "wallet" in one and own.commitment in one] == []
    with pytest.raises(WalletUnknown):
        sign_in(world, VAULT)


def test_two_delegates_of_one_vault_do_not_count_it_twice(either: World) -> None:
    first, second = enter(either), enter(either)
    link(either, first, ANN)
    link(either, second, BOB)
    registry(either, (CHECK_ALL, ANN.address, VAULT.address), (CHECK_ALL, BOB.address, VAULT.address))
    found = at_once([lambda n=n: name_vault(either, n, VAULT.address) for n in (first, second)])  # type: ignore[misc]
    [named] = [one for one in found if isinstance(one, wallets.VaultNamed)]
    [taken] = [one for one in found if isinstance(one, WalletTaken)]
    assert taken.entry == named.entry
    other = second if named.entry == first else first
    with pytest.raises(WalletTaken):  # nor does the vault serve by its own key besides
        link(either, other, VAULT)


def test_nor_do_two_who_share_a_commit(either: World) -> None:
    first, second = enter(either), enter(either)
    link(either, first, ANN)
    link(either, second, BOB)
    registry(either, (CHECK_ALL, ANN.address, VAULT.address), (CHECK_ALL, BOB.address, VAULT.address))
    queue, inside, leave = either.database._queue(either.event), Event(), Event()  # noqa: SLF001 - to see them wait

    def hold(_: object) -> None:
        inside.set()
        assert leave.wait(timeout=20)

    def name_together(number: int) -> Any:
        try:
            return name_vault(either, number, VAULT.address)
        except WalletTaken as refusal:
            return refusal

    with ThreadPoolExecutor(3) as pool:
        holder = pool.submit(queue.do, hold)
        assert inside.wait(timeout=20)
        both = [pool.submit(name_together, number) for number in (first, second)]
        late = monotonic() + 20
        while len(queue._waiting) < len(both) and monotonic() < late:  # noqa: SLF001
            sleep(0.01)
        leave.set()
        holder.result()
        found = [one.result() for one in both]
    assert [type(one) for one in found].count(WalletTaken) == 1
    assert len([one for one in wallets_of(either) if one.vouches_for is not None]) == 1


def test_delegation_by_a_non_owner_of_the_wrong_scope_or_revoked_names_no_vault(world: World) -> None:
    number = enter(world)
    with pytest.raises(WalletNotFound):
        name_vault(world, number, VAULT.address)  # no wallet that it could vouch for
    link(world, number, ANN)
    for grants in (
        [(CHECK_ALL, ANN.address, BOB.address)],  # somebody else's vault
        [(CHECK_ALL, BOB.address, VAULT.address)],  # for another wallet
        [(CHECK_ERC1155, ANN.address, VAULT.address)],  # of no card of the list, since there is none
        [],  # never, or no longer
    ):
        registry(world, *grants, units=9)
        with pytest.raises(VaultSilent):
            name_vault(world, number, VAULT.address)
    assert len(wallets_of(world)) == 1


def test_a_registry_that_is_not_there_or_lies_names_no_vault(world: World) -> None:
    number = enter(world)
    link(world, number, ANN)
    contracts(world, lambda _: encode(1))
    with pytest.raises(RegistryMissing):
        name_vault(world, number, VAULT.address)
    contracts(world, lambda _: encode(2), REGISTRY)
    with pytest.raises(ControlUndetermined):
        name_vault(world, number, VAULT.address)


def test_a_vault_goes_with_the_wallet_that_it_vouches_for(world: World) -> None:
    number = enter(world)
    own = link(world, number, ANN)
    registry(world, (CHECK_ALL, ANN.address, VAULT.address))
    vault = name_vault(world, number, VAULT.address)
    assert unlink(world, number, own.commitment).vaults == [vault.commitment]
    assert wallets_of(world) == []
    assert differences(world) == []
    link(world, number, VAULT)


# --- signing in -------------------------------------------------------------------------------------------------------


def test_a_wallet_finds_its_entry_and_each_signing_in_is_another_cookie(either: World) -> None:
    enter(either)
    number = enter(either)
    link(either, number, ANN)
    first, found = sign_in(either, ANN)
    second, _ = sign_in(either, ANN, before=Shown(first, text_of(either.now)))
    assert (found, actor(either, second)) == (number, player(number))
    assert first != second
    with pytest.raises(SignInNeeded):
        actor(either, first)  # fixation: what was there before is worth nothing
    with pytest.raises(SignInNeeded):
        actor(either, second, event="another")
    kept = either.look(lambda session, _: session.get(PlayerBrowserRow, accounts.digest_of(second)))
    assert second not in str(kept)


def test_a_signature_is_not_replayed_after_logout(world: World) -> None:
    number = enter(world)
    link(world, number, ANN)
    challenge = wallet_sign_ins.ask_text(world.database, world.event, ANN.address, site(world), world.now)
    answer = Answer(**signed(ANN, challenge))
    value, _ = wallet_sign_ins.sign_in(world.database, answer, site(world), world.now, before=None)
    accounts.sign_out(world.database, Shown(value, text_of(world.now)))
    with pytest.raises(SignInNeeded):
        actor(world, value)
    with pytest.raises(ChallengeUnknown):
        wallet_sign_ins.sign_in(world.database, answer, site(world), world.now, before=None)


def test_who_signed_in_by_a_wallet_is_signed_out_when_it_is_unlinked_or_three_days_later(world: World) -> None:
    number = enter(world)
    fact = link(world, number, ANN)
    value, _ = sign_in(world, ANN)
    world.now += timedelta(days=3)
    with pytest.raises(SignInNeeded):
        actor(world, value)
    world.now -= timedelta(days=3)
    digest = accounts.digest_of(value)
    assert world.look(lambda session, _: accounts.reading(session, [digest], world.now)) == {digest: player(number)}
    unlink(world, number, fact.commitment)
    with pytest.raises(SignInNeeded):
        actor(world, value)
    assert world.look(lambda session, _: accounts.reading(session, [digest], world.now)) == {}


def test_a_wallet_that_serves_nobody_gets_a_text_all_the_same_and_no_cookie(world: World) -> None:
    enter(world)
    with pytest.raises(WalletUnknown):
        sign_in(world, CAT)


# --- what else happens to entries -------------------------------------------------------------------------------------


def test_two_entries_of_one_person_become_one_with_the_wallets_of_both(world: World) -> None:
    kept, void = enter(world, "Ann"), enter(world, "Ann E.")
    link(world, kept, ANN)
    link(world, void, BOB)
    world.do(merging.MERGE, merging.Merge(entry=kept, void=void))
    assert {(one.entry, one.address) for one in wallets_of(world)} == {(kept, ANN.address), (kept, BOB.address)}
    assert sign_in(world, BOB)[1] == kept
    assert differences(world) == []


def test_a_link_that_is_undone_lets_the_wallet_serve_somebody_else_and_it_never_serves_two(world: World) -> None:
    first, second = enter(world), enter(world)
    link(world, first, ANN)

    def take_back() -> int:
        undo.undo(world.database, world.ask(), undo.Undo(sequence=world.row.version, reason="a mistake"))
        return world.row.version

    undone = take_back()
    assert wallets_of(world) == []
    link(world, second, ANN)
    take_back()
    undo.undo(world.database, world.ask(), undo.Undo(sequence=undone, reason="the first was right"))
    assert [one.entry for one in wallets_of(world)] == [first]
    with pytest.raises(WalletTaken):
        link(world, second, ANN)
    assert differences(world) == []


def test_erasing_a_players_data_erases_the_wallet_and_the_log_holds(world: World) -> None:
    number = enter(world)
    fact = link(world, number, ANN)
    value, _ = sign_in(world, ANN)
    world.do(entries.DROP, entries.Leave(entry=number))
    world.do(privacy.ERASE, privacy.Erase(entry=number, reason="the player asked"))
    for digest in (fact.commitment, fact.proof):
        assert world.look(lambda session, event, d=digest: store.find_sealed(session, event.id, d)).text == ""
    assert world.look(lambda session, event: store.known_wallet(session, event.id, ANN.address)) is None
    with pytest.raises(SignInNeeded):
        actor(world, value)
    assert world.look(lambda session, event: audit.verify_log(session, event.id)) == []
    assert differences(world) == []


def test_an_event_that_goes_on_elsewhere_knows_its_wallets_there(world: World, embedded: Database) -> None:
    number = enter(world)
    fact = link(world, number, ANN)
    said = world.look(lambda session, event: exports.export(session, event, log=True, kept=True))
    transfers.bring(embedded, world.ask("eve"), said, transfers.Bring())
    there = World(embedded, world.chain, world.node, world.nodes, world.event, world.now)
    known = there.look(lambda session, event: store.known_wallet(session, event.id, ANN.address))
    assert known.commitment == fact.commitment
    assert differences(there) == []
    assert sign_in(there, ANN)[1] == number


def test_wallets_are_derived_from_the_log_again_whatever_happened(world: World) -> None:
    """A random life of wallets; then the tables are spoiled and rebuilt."""
    draw = random.Random(7)
    keys = [key_of(f"key {number}") for number in range(6)]
    numbers = [enter(world, f"player {number}") for number in range(5)]
    done = {"link": 0, "split": 0, "unlink": 0, "undo": 0}
    for _ in range(40):
        number, key = draw.choice(numbers), draw.choice(keys)
        step = draw.choice(["link", "link", "split", "unlink", "undo"])
        try:
            if step == "link":
                link(world, number, key)
            elif step == "split":
                split(world, number, key, {number: {TOKEN: 2}, draw.choice(numbers): {TOKEN: 1}})
            elif step == "unlink":
                unlink(world, number, draw.choice(wallets_of(world, number)).commitment)
            else:
                undo.undo(world.database, world.ask(), undo.Undo(sequence=world.row.version, reason="no"))
        except (TournamentError, IndexError):  # a refusal, or nothing to unlink
            continue
        done[step] += 1
        serving: dict[str, list[bool]] = {}
        for one in wallets_of(world):
            serving.setdefault(one.address, []).append(one.share is None)
        assert all(len(wholes) == 1 or not any(wholes) for wholes in serving.values())
    assert min(done.values()) > 0
    assert differences(world) == []
    before = wallets_of(world)
    with world.database.writing() as session:
        store.delete_wallets(session, world.event, [one.commitment for one in before])
    assert len(audit.rebuild(world.database, world.event)) == len(before)
    assert wallets_of(world) == before
    world.do(decklists.WAIVE, decklists.About(entry=numbers[0], reason="the log goes on"))
