"""The text that wallets sign, and what proves that they did; contracts answer from a table here."""

import json
import re
import secrets
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

import pytest
from abnf.grammars import rfc3986
from abnf.grammars.misc import load_grammar_rules
from abnf.parser import ParseError, Rule
from eth_account import Account
from eth_account.messages import encode_defunct
from eth_hash.auto import keccak
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verifier.signing import ANN, BOB, ORDER, START, challenge, encodings, sign, wrapped
from verifier.addresses import parse_address, to_checksum
from verifier.contracts import Answer, Call, MemoryContracts, Reverted, Transaction, encode
from verifier.control import (
    MAGIC,
    MOST_SECONDS,
    SIGNATURE_CAP,
    TEXT_CAP,
    WRAPPED,
    Challenge,
    ControlOutcome,
    ControlVerdict,
    Method,
    digest_of,
    new_nonce,
    parse_challenge,
    parse_signature,
    parse_transaction_hash,
    probe,
    recover,
    resources,
    stated,
    verify_signature,
    verify_transaction,
)
from verifier.errors import (
    AddressUnreadable,
    AnswerSuspicious,
    BlockUnavailable,
    ChallengeUnfit,
    HashUnreadable,
    NoEndpoints,
    SignatureUnreadable,
    TransactionPending,
    WrongChain,
)
from verifier.holdings import Address, Block, BlockHash, BlockTag

NOW = START + 60
BLOCK = Block(7, BlockHash("0x" + "b" * 64), NOW)
VAULT = to_checksum(b"\x77" * 20)
CODE = {VAULT: b"\xfe"}
YES = MAGIC.ljust(32, b"\0")
NO = b"\xff" * 32


# --- the text


@load_grammar_rules(
    [(name, rfc3986.Rule(name)) for name in ("URI", "authority", "scheme", "reserved", "unreserved", "pchar")]
)
class Eip4361(Rule):
    """The grammar in the EIP, and that of RFC 3339 to which it refers."""

    grammar: ClassVar[list[str]] = (Path(__file__).parent / "eip4361.abnf").read_text().splitlines()


GOLDEN = json.loads((Path(__file__).parent / "sign_in_texts.json").read_text())
"""Fields, and the texts that the package signinwithethereum 5.0.2 makes of them."""


@pytest.mark.parametrize("case", GOLDEN)
def test_the_text_is_what_signinwithethereum_writes(case: dict[str, Any]) -> None:
    fields = case["fields"] | {"resources": tuple(case["fields"]["resources"])}
    assert Challenge(**fields).text == case["text"]


HOSTS = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?(\.[a-z]{2,5})?(:[0-9]{1,5})?", fullmatch=True)
CHALLENGES = st.builds(
    lambda host, name, chance, chain, start, seconds, names: challenge(
        domain=host,
        uri=f"https://{host}/events/3",
        statement=stated(f"Sign in to {name}"),
        nonce=new_nonce(lambda size: chance[:size]),
        chain_id=chain,
        issued_at=start,
        expires_at=start + seconds,
        resources=resources(**names),
    ),
    HOSTS,
    st.text(max_size=60),
    st.binary(min_size=16, max_size=16),
    st.integers(1, 2**53),
    st.integers(0, 4_000_000_000),
    st.integers(1, MOST_SECONDS),
    st.dictionaries(
        st.sampled_from(["event", "deck", "player", "split"]), st.from_regex(r"[a-zA-Z0-9._~-]{1,80}", fullmatch=True)
    ),
)


@settings(max_examples=40)  # the grammar's parser takes its time
@given(CHALLENGES)
def test_the_text_follows_the_grammar_of_eip_4361_and_is_read_back(made: Challenge) -> None:
    Eip4361("sign-in-with-ethereum").parse_all(made.text)
    assert made.text.isascii()
    assert len(made.text) <= TEXT_CAP
    assert parse_challenge(made.text) == made


def test_the_grammar_refuses_something() -> None:
    with pytest.raises(ParseError):
        Eip4361("sign-in-with-ethereum").parse_all(challenge().text.replace("Nonce: ", "Nonce: -"))


def test_the_digest_is_what_eth_account_signs() -> None:
    made = challenge()
    signed = Account.sign_message(encode_defunct(text=made.text), ANN.key)
    assert signed.message_hash == made.digest
    assert recover(made.digest, signed.signature) == ANN.address


def test_a_siwe_text_over_1_kb_is_refused_at_once() -> None:
    names = {"event": "e" * 80, "deck": "d" * 80, "player": "p" * 80, "split": "s" * 80}
    with pytest.raises(ChallengeUnfit, match=r"the text has 1\d\d\d bytes, and wallets show 1024 in full"):
        challenge(statement="a" * 500, resources=resources(**names))
    with pytest.raises(ChallengeUnfit):
        parse_challenge(challenge().text + "\nResources:\n- deckproof:" + "x" * TEXT_CAP)


SAID = {
    "domain": "is no host",
    "uri": "is no page of",
    "statement": "the statement",
    "chain_id": "there is no chain",
    "nonce": "128 bits",
    "issued_at": "is no time",
    "expires_at": "has to expire within 600 seconds",
    "resources": "is no URI",
}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("domain", "evil.example/play.example.com"),
        ("domain", "PLAY.example.com"),
        ("domain", "user@play.example.com"),
        ("domain", "pl\u0430y.example.com"),
        ("domain", "play.example.com\n0x"),
        ("domain", ""),
        ("uri", "https://play.example.com.evil.example/"),
        ("uri", "https://elsewhere.example/"),
        ("uri", "javascript:alert(1)"),
        ("uri", "https://play.example.com/\nVersion: 1"),
        ("statement", "two\nlines"),
        ("statement", ""),
        ("statement", " blank"),
        ("statement", "caf\u00e9"),
        ("statement", 'a "quote"'),
        ("statement", "\ud800"),
        ("chain_id", 0),
        ("nonce", "0" * 31),
        ("nonce", "0123456789ABCDEF" * 2),
        ("nonce", "0" * 31 + "\n"),
        ("issued_at", -1),
        ("expires_at", START),
        ("expires_at", START + MOST_SECONDS + 1),
        ("resources", ("no URI",)),
        ("resources", ("deckproof:x\n- deckproof:y",)),
    ],
)
def test_a_text_that_says_something_else_than_it_seems_is_not_written(field: str, value: object) -> None:
    with pytest.raises(ChallengeUnfit, match=SAID[field]):
        challenge(**{field: value})


@pytest.mark.parametrize("number", [1, 4, 0xA, 0x100, 0xFFFF])
def test_nobody_signs_in_as_0x04(number: int) -> None:
    with pytest.raises(ChallengeUnfit, match="nobody's wallet"):
        challenge(to_checksum(number.to_bytes(20, "big")))
    assert challenge(to_checksum((0x10000).to_bytes(20, "big")))


def test_the_case_of_an_address_makes_no_second_wallet() -> None:
    # The service parses what a player types; a text has the one spelling with a checksum.
    spellings = (ANN.address, ANN.address.lower(), "0x" + ANN.address[2:].upper())
    assert {parse_address(each) for each in spellings} == {ANN.address}
    with pytest.raises(ChallengeUnfit, match="not written with its checksum"):
        challenge(Address(ANN.address.lower()))


@pytest.mark.parametrize("name", ["vitalik.eth", "vit\u0430lik.eth", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe\u0501"])
def test_a_look_alike_ens_name_is_no_wallet(name: str) -> None:
    with pytest.raises(AddressUnreadable):
        parse_address(name)
    with pytest.raises(ChallengeUnfit):
        challenge(Address(name))


def test_every_fault_of_a_text_is_said_at_once() -> None:
    with pytest.raises(ChallengeUnfit) as refused:
        challenge(statement="", nonce="", chain_id=0)
    assert str(refused.value).count("\n") == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Version: 1", "Version: 2"),
        ("Version: 1", "Version: 1\nRequest ID: x"),
        ("Chain ID: 31337", "Chain ID: 031337"),
        ("Issued At: 2", "Issued At: +"),
        ("2027-01-15T08:00:00Z", "2027-01-15T08:00:0Z "),
        ("2027-01-15T08:00:00Z", "2027-02-30T08:00:00Z"),
        ("\n\nURI", "\nURI"),
        ("Resources:\n", "Resources:\n\n"),
        ("play", "https://play"),
    ],
)
def test_a_text_that_we_did_not_write_is_not_read(old: str, new: str) -> None:
    text = challenge().text
    assert old in text
    with pytest.raises(ChallengeUnfit):
        parse_challenge(text.replace(old, new))


def test_a_nonce_has_128_bits_of_chance() -> None:
    assert len({new_nonce(secrets.token_bytes) for _ in range(100)}) == 100
    assert challenge(nonce=new_nonce(secrets.token_bytes))


def test_any_name_can_be_spoken_of_in_a_statement() -> None:
    assert stated('  Gro\u00dfes\n"Turnier" <svg onload=x> ') == "Gro.es .Turnier. .svg onload=x."
    assert len(stated("x" * 200)) == 100
    with pytest.raises(ValueError, match="does not fit into a URI"):
        resources(event="a b")


def test_the_text_names_its_moments_in_utc() -> None:
    [issued] = re.findall("Issued At: (.*)", challenge().text)
    assert datetime.fromisoformat(issued) == datetime.fromtimestamp(START, UTC)


# --- ECDSA


def judged(signature: bytes, *, asked: Challenge | None = None, now: float = NOW, **others: Any) -> ControlVerdict:
    return verify_signature(asked or challenge(), signature, now=now, **others)


def test_a_wallet_proves_control_by_its_key_without_any_chain() -> None:
    verdict = judged(sign(ANN, challenge().digest))
    assert (verdict.outcome, verdict.method, verdict.block) == (ControlOutcome.PROVEN, Method.SIGNATURE, None)
    assert verdict.proven


@pytest.mark.parametrize("name", encodings(bytes(64) + b"\x1b"))
def test_six_encodings_of_one_signature_prove_the_same_control(name: str) -> None:
    plain = sign(ANN, challenge().digest)
    written = encodings(plain)
    assert len(set(written.values())) == 6
    assert judged(written[name]) == judged(plain)
    assert judged(written[name]).proven


@given(st.binary(min_size=32, max_size=32))
def test_eth_account_finds_the_same_signer(digest: bytes) -> None:
    plain = sign(ANN, digest)
    for name, signature in encodings(plain).items():
        assert recover(digest, signature) == ANN.address
        if name != "compact":
            assert Account._recover_hash(digest, signature=signature) == ANN.address  # noqa: SLF001 - of a digest


@pytest.mark.parametrize("v", [*range(2, 27), *range(29, 35)])
def test_a_v_that_means_nothing_is_no_signature(v: int) -> None:
    digest = challenge().digest
    assert recover(digest, sign(ANN, digest)[:64] + bytes([v])) is None


@pytest.mark.parametrize("number", [0, ORDER, ORDER + 1, 2**256 - 1])
def test_numbers_out_of_range_are_no_signature(number: int) -> None:
    digest, word = challenge().digest, number.to_bytes(32, "big")
    plain = sign(ANN, digest)
    assert recover(digest, word + plain[32:]) is None
    assert recover(digest, plain[:32] + word + plain[64:]) is None


@pytest.mark.parametrize("size", [0, 1, 63, 66, 130, 200, 1000])
def test_other_lengths_are_no_signature_of_a_key(size: int) -> None:
    assert recover(challenge().digest, b"\1" * size) is None


OTHERS: dict[str, dict[str, object]] = {
    "event": {"resources": resources(event="0x" + "f" * 64, deck="0x" + "d" * 64, player="p17")},
    "deck": {"resources": resources(event="0x" + "e" * 64, deck="0x" + "c" * 64, player="p17")},
    "player": {"resources": resources(event="0x" + "e" * 64, deck="0x" + "d" * 64, player="p18")},
    "host": {"domain": "play.example.org", "uri": "https://play.example.org/events/3"},
    "chain": {"chain_id": 1},
    "nonce": {"nonce": "f" * 32},
    "substring of the nonce": {"nonce": "0123456789abcdef" + "0" * 16},
    "moment": {"issued_at": START + 1},
}


@pytest.mark.parametrize("other", OTHERS)
def test_a_signature_for_another_event_host_or_nonce_proves_nothing(other: str) -> None:
    signature = sign(ANN, challenge(**OTHERS[other]).digest)
    verdict = judged(signature, contracts=MemoryContracts(31337, BLOCK))
    assert verdict.outcome is ControlOutcome.NOT_PROVEN


def test_a_signature_by_another_key_proves_nothing_and_says_whose_it_is() -> None:
    verdict = judged(sign(BOB, challenge().digest), contracts=MemoryContracts(31337, BLOCK))
    assert verdict.outcome is ControlOutcome.NOT_PROVEN
    assert f"the signature is by {BOB.address}; choose the account {ANN.address}" in verdict.reasons[0]


@pytest.mark.parametrize(
    ("now", "outcome"),
    [
        (START - 121, ControlOutcome.NOT_PROVEN),
        (START - 119, ControlOutcome.PROVEN),
        (START + 600, ControlOutcome.PROVEN),
        (START + 601, ControlOutcome.NOT_PROVEN),
    ],
)
def test_a_text_counts_for_ten_minutes(now: int, outcome: ControlOutcome) -> None:
    assert judged(sign(ANN, challenge().digest), now=now).outcome is outcome


def test_a_signature_is_read_from_hex() -> None:
    assert parse_signature("0x00fF") == b"\0\xff"
    assert parse_signature("0x") == b""


@pytest.mark.parametrize(
    "text", ["", "00", "0x0", "0xgg", "0x 00", "x0", "0x\u0660\u0660", "0x" + "00" * (SIGNATURE_CAP + 1)]
)
def test_what_is_no_hex_is_no_signature(text: str) -> None:
    with pytest.raises(SignatureUnreadable):
        parse_signature(text)


# --- contracts, from a table


def questions(signature: bytes) -> tuple[bytes, bytes]:
    asked = challenge(VAULT)
    nobodys = keccak(b"Deckproof: nobody signed this" + asked.digest)
    first, second = (MAGIC + encode(int.from_bytes(each, "big"), signature) for each in (asked.digest, nobodys))
    return first, second


def table(signature: bytes, signed: Answer, nobodys: Answer = NO, chain: int = 31337) -> MemoryContracts:
    first, second = questions(signature)
    return MemoryContracts(chain, BLOCK, codes=CODE, answers={Call(VAULT, first): signed, Call(VAULT, second): nobodys})


def of_contract(signature: bytes, contracts: MemoryContracts) -> ControlVerdict:
    return judged(signature, asked=challenge(VAULT), contracts=contracts)


@pytest.mark.parametrize("last", [0, 1, 27, 28, 31, 32, 37, 255])
@pytest.mark.parametrize("size", [0, 1, 64, 65, 130, 200, 2000])
def test_a_contract_wallets_signature_may_have_any_length_and_any_last_byte(size: int, last: int) -> None:
    signature = (b"\1" * size)[: size - 1] + bytes([last]) if size else b""
    verdict = of_contract(signature, table(signature, YES))
    assert (verdict.method, verdict.block) == (Method.CONTRACT, BLOCK)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        MAGIC,
        YES + bytes(32),
        YES[:31],
        MAGIC + bytes(27) + b"\1",
        bytes(28) + MAGIC,
        (1).to_bytes(32, "big"),
        bytes(32),
        b"\xff" * 32,
        Reverted(),
    ],
)
def test_only_the_whole_word_is_a_yes(answer: Answer) -> None:
    verdict = of_contract(b"sig", table(b"sig", answer))
    assert verdict.outcome is ControlOutcome.NOT_PROVEN
    assert "does not say that it signed this" in verdict.reasons[0]


def test_a_contract_that_says_yes_to_everything_proves_nothing() -> None:
    verdict = of_contract(b"sig", table(b"sig", YES, YES))
    assert verdict.outcome is ControlOutcome.NOT_PROVEN
    assert "says of anything that it signed it" in verdict.reasons[0]


def test_without_endpoints_a_contract_wallet_is_undetermined() -> None:
    verdict = judged(b"sig", asked=challenge(VAULT))
    assert (verdict.outcome, type(verdict.trouble)) == (ControlOutcome.UNDETERMINED, NoEndpoints)
    assert "DECKPROOF_RPC" in str(verdict.trouble)


def test_a_contract_on_another_chain_is_not_asked() -> None:
    verdict = of_contract(b"sig", table(b"sig", YES, chain=1))
    assert (verdict.outcome, type(verdict.trouble)) == (ControlOutcome.UNDETERMINED, WrongChain)


def test_a_block_that_is_not_there_is_undetermined() -> None:
    gone = replace(BLOCK, number=6)
    verdict = judged(b"sig", asked=challenge(VAULT), contracts=table(b"sig", YES), block=gone)
    assert (verdict.outcome, type(verdict.trouble)) == (ControlOutcome.UNDETERMINED, BlockUnavailable)


def test_ecdsa_comes_first_also_for_an_account_with_code() -> None:
    # EIP-7702: the account has code, and an ordinary key. The contract is not asked at all.
    contracts = MemoryContracts(1, BLOCK, codes={ANN.address: bytes.fromhex("ef0100") + b"\1" * 20})
    assert judged(sign(ANN, challenge().digest), contracts=contracts).method is Method.SIGNATURE


# --- wallets that are not deployed, from a table

FACTORY = to_checksum(b"\x66" * 20)


def probed(answer: Answer, signature: bytes = b"inner") -> ControlVerdict:
    first, second = questions(signature)
    creation = probe() + encode(VAULT, FACTORY, b"deploy", first, second)
    contracts = MemoryContracts(31337, BLOCK, answers={Call(None, creation): answer})
    return of_contract(wrapped(FACTORY, b"deploy", signature), contracts)


def words(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(32, "big") for number in numbers)


MAGIC_WORD = int.from_bytes(YES, "big")


def test_a_wallet_that_is_not_deployed_proves_control() -> None:
    assert probed(words(900, 1, 32, MAGIC_WORD, 1, 32, 0)).method is Method.COUNTERFACTUAL
    assert probed(words(900, 1, 32, MAGIC_WORD, 0, 0, MAGIC_WORD)).method is Method.COUNTERFACTUAL


@pytest.mark.parametrize(
    "answer",
    [
        words(0, 1, 0, 0, 1, 0, 0),
        words(900, 1, 32, 0, 1, 32, 0),
        words(900, 0, 32, MAGIC_WORD, 1, 32, 0),
        words(900, 1, 64, MAGIC_WORD, 1, 32, 0),
        words(900, 1, 4, MAGIC_WORD, 1, 32, 0),
        words(900, 1, 32, MAGIC_WORD | 1, 1, 32, 0),
        words(900, 1, 32, MAGIC_WORD, 1, 32, MAGIC_WORD),
        Reverted(),
    ],
)
def test_a_deployment_that_does_not_say_yes_in_one_word_proves_nothing(answer: Answer) -> None:
    assert probed(answer).outcome is ControlOutcome.NOT_PROVEN


def test_an_answer_of_another_size_is_suspicious() -> None:
    verdict = probed(words(1, 2, 3))
    assert (verdict.outcome, type(verdict.trouble)) == (ControlOutcome.UNDETERMINED, AnswerSuspicious)


@pytest.mark.parametrize(
    "signature",
    [
        WRAPPED,
        b"garbage" + WRAPPED,
        bytes(96) + WRAPPED,
        bytes(128) + WRAPPED,
        wrapped(to_checksum(bytes(19) + b"\4"), b"", b"")[:-32] + WRAPPED,
        b"\0" * 31 + wrapped(FACTORY, b"", b""),
    ],
)
def test_a_wrapping_that_is_garbage_is_not_even_asked(signature: bytes) -> None:
    verdict = of_contract(signature, MemoryContracts(31337, BLOCK))
    assert verdict.outcome is ControlOutcome.NOT_PROVEN
    assert re.search("ERC-6492 says|no factory of wallets", verdict.reasons[0])


def test_a_wrapped_signature_of_a_wallet_that_was_deployed_meanwhile_counts() -> None:
    # And nothing that the signer chose is called then.
    verdict = of_contract(wrapped(FACTORY, b"deploy", b"inner"), table(b"inner", YES))
    assert verdict.method is Method.CONTRACT


# --- a transaction, from a table

HASH = "0x" + "a" * 64


class Finalized(MemoryContracts):
    final: int

    def find(self, tag: BlockTag, /) -> Block:
        return replace(BLOCK, number=self.final if tag == "finalized" else 20)


def carried(
    *, final: int = 7, depth: int | None = None, asked: Challenge | None = None, **others: Any
) -> ControlVerdict:
    fields: dict[str, Any] = {
        "hash": HASH,
        "kind": 2,
        "sender": ANN.address,
        "to": ANN.address,
        "wei": 0,
        "data": challenge().digest,
        "block": BLOCK,
    }
    contracts = Finalized(31337, BLOCK, transactions={HASH: Transaction(**fields | others)})
    contracts.final = final
    return verify_transaction(asked or challenge(), HASH, contracts=contracts, depth=depth)


def test_a_transaction_to_oneself_with_the_digest_proves_control() -> None:
    verdict = carried()
    assert (verdict.method, verdict.block) == (Method.TRANSACTION, BLOCK)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("sender", BOB.address),
        ("to", BOB.address),
        ("to", None),
        ("wei", 1),
        ("data", b""),
        ("data", challenge().digest + b"\0"),
        ("data", challenge().digest[:-1]),
        ("data", challenge().nonce.encode()),
        ("data", challenge(nonce="f" * 32).digest),
        ("kind", 0x7E),
        ("block", replace(BLOCK, timestamp=START - 121)),
        ("block", replace(BLOCK, timestamp=START + 601)),
    ],
)
def test_any_other_transaction_proves_nothing(field: str, value: object) -> None:
    verdict = carried(**{field: value})
    assert (verdict.outcome, len(verdict.reasons)) == (ControlOutcome.NOT_PROVEN, 1)


def test_a_transaction_that_is_not_final_does_not_count_yet() -> None:
    verdict = carried(final=6)
    assert (verdict.outcome, type(verdict.trouble)) == (ControlOutcome.UNDETERMINED, TransactionPending)
    assert "final up to block 6" in str(verdict.trouble)


def test_where_there_is_no_finalized_a_depth_may_do() -> None:
    assert carried(final=0, depth=13).proven
    assert not carried(final=0, depth=14).proven


def test_a_transaction_that_nobody_knows_does_not_count_yet() -> None:
    verdict = verify_transaction(challenge(), "0x" + "c" * 64, contracts=MemoryContracts(31337, BLOCK))
    assert (verdict.outcome, type(verdict.trouble)) == (ControlOutcome.UNDETERMINED, TransactionPending)


def test_a_transaction_on_another_chain_is_not_looked_for() -> None:
    verdict = verify_transaction(challenge(chain_id=1), HASH, contracts=MemoryContracts(31337, BLOCK))
    assert (verdict.outcome, type(verdict.trouble)) == (ControlOutcome.UNDETERMINED, WrongChain)


def test_a_transactions_hash_is_read_from_hex() -> None:
    assert parse_transaction_hash(f" 0X{'A' * 64}\n") == HASH
    for text in ("", "0x", HASH[:-1], HASH + "0", "https://etherscan.example/tx/" + HASH):
        with pytest.raises(HashUnreadable):
            parse_transaction_hash(text)


def test_a_digest_is_of_the_length_in_decimal() -> None:
    assert digest_of(b"x" * 12) == keccak(b"\x19Ethereum Signed Message:\n12" + b"x" * 12)
