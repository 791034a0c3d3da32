"""EIP-712 as others compute it, and nothing hashed that is not exactly of its type."""

import json
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import _hash_eip191_message, encode_typed_data
from eth_hash.auto import keccak
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.passes.making import CHAIN, deck_pass, revocations, signed
from verifier.passes import DeskKey, SigningKey
from verifier.passes.deckpass import DECK_PASS, NAME, SALT, VERSION, domain
from verifier.passes.revocations import REVOCATIONS
from verifier.passes.scans import SCAN
from verifier.passes.typed import Domain, Field, Struct, digest_of, struct, struct_hash

VECTORS = json.loads((Path(__file__).parent / "vectors" / "eip712.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_digest_is_what_ethers_published(vector: Any) -> None:
    said = vector["domain"]
    (members,) = vector["types"].values()
    kind = Struct(vector["primaryType"], tuple(Field(member["name"], member["type"]) for member in members))
    where = Domain(
        said.get("name"),
        said.get("version"),
        None if said.get("chainId") is None else int(said["chainId"]),
        of_hex(said.get("verifyingContract")),
        of_hex(said.get("salt")),
    )
    values = {
        field.name: int(vector["data"][field.name]) if field.kind[0] == "u" else of_hex(vector["data"][field.name])
        for field in kind.fields
    }
    assert digest_of(where, kind, values).hex() == vector["digest"][2:]  # type: ignore[arg-type]


def of_hex(text: str | None) -> Any:
    return None if text is None else bytes.fromhex(text[2:])


# Source: EIP-712, assets/eip-712/Example.js
MAIL = Domain("Ether Mail", "1", 1, b"\xcc" * 20)
MAIL_STRUCT = bytes.fromhex("c52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e")
MAIL_DIGEST = bytes.fromhex("be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2")


def test_the_domain_of_the_eips_example_has_its_separator() -> None:
    assert MAIL.separator.hex() == "f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f"
    assert keccak(b"\x19\x01" + MAIL.separator + MAIL_STRUCT) == MAIL_DIGEST


def test_a_type_is_written_as_it_is_hashed() -> None:
    assert str(DECK_PASS) == (
        "DeckPass(bytes32 eventId,bytes32 epochBlockHash,uint64 epochBlock,bytes16 playerTag,bytes32 deckCommit,"
        "bytes32 holderKey,uint8 policy,uint32 serial,uint64 issuedAt,uint64 notAfter)"
    )


def test_the_salt_is_the_hash_of_the_name() -> None:
    assert keccak(NAME.encode()) == SALT


def by_eth_account(kind: Struct, values: Any) -> bytes:
    types = {kind.name: [{"name": field.name, "type": field.kind} for field in kind.fields]}
    where = {"name": NAME, "version": VERSION, "chainId": CHAIN, "salt": SALT}
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
    plain = {name: "0x" + value.hex() if name == "desk" else value for name, value in plain.items()}
    return bytes(_hash_eip191_message(encode_typed_data(where, types, plain)))


uints = {bits: st.integers(0, 2**bits - 1) for bits in (8, 32, 64)}


def values_of(kind: Struct) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({field.name: value_of(field.kind) for field in kind.fields})


def value_of(kind: str) -> st.SearchStrategy[Any]:
    if kind.endswith("[]"):
        return st.lists(value_of(kind[:-2]), max_size=5).map(tuple)
    if kind.startswith("uint"):
        return uints[int(kind[4:])]
    size = 20 if kind == "address" else int(kind[5:])
    return st.binary(min_size=size, max_size=size)


@pytest.mark.parametrize("kind", [DECK_PASS, REVOCATIONS, SCAN], ids=lambda kind: kind.name)
@given(data=st.data())
def test_each_statement_is_hashed_as_eth_account_hashes_it(kind: Struct, data: st.DataObject) -> None:
    values = data.draw(values_of(kind))
    assert digest_of(domain(CHAIN), kind, values) == by_eth_account(kind, values)


def test_eth_account_recovers_who_signed_a_pass() -> None:
    key = SigningKey(b"\5" * 32)
    pass_of_ann = signed(key)
    types = {"DeckPass": [{"name": field.name, "type": field.kind} for field in DECK_PASS.fields]}
    where = {"name": NAME, "version": VERSION, "chainId": CHAIN, "salt": SALT}
    message = encode_typed_data(where, types, pass_of_ann.deck_pass.values())
    assert Account.recover_message(message, signature=pass_of_ann.signature) == key.address


def test_the_statements_of_one_moment_have_different_digests() -> None:
    scan = DeskKey(SigningKey(b"\5" * 32), CHAIN).scan(signed(), 5, None).scan
    digests = {deck_pass().digest(CHAIN), revocations().revocations.digest(CHAIN), scan.digest(CHAIN)}
    assert len(digests) == 3


TWO = struct("Two(bytes16 tag,uint32 serial)")


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"tag": bytes(16)}, "has the members tag, serial"),
        ({"tag": bytes(16), "serial": 1, "more": 2}, "has the members tag, serial"),
        ({"tag": bytes(15), "serial": 1}, "tag: bytes16 is exactly 16 bytes"),
        ({"tag": bytes(17), "serial": 1}, "tag: bytes16 is exactly 16 bytes"),
        ({"tag": "0x" + "00" * 16, "serial": 1}, "tag: bytes16 is exactly 16 bytes"),
        ({"tag": bytearray(16), "serial": 1}, "tag: bytes16 is exactly 16 bytes"),
        ({"tag": bytes(16), "serial": "1"}, "serial: uint32 is a whole number"),
        ({"tag": bytes(16), "serial": 1.0}, "serial: uint32 is a whole number"),
        ({"tag": bytes(16), "serial": True}, "serial: uint32 is a whole number"),
        ({"tag": bytes(16), "serial": -1}, "serial: uint32 is a whole number"),
        ({"tag": bytes(16), "serial": 2**32}, "serial: uint32 is a whole number"),
    ],
)
def test_what_is_not_exactly_of_its_type_has_no_hash(values: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        struct_hash(TWO, values)


def test_a_list_is_a_list() -> None:
    with pytest.raises(ValueError, match="serials: a list is wanted, not int"):
        struct_hash(struct("Some(uint32[] serials)"), {"serials": 1})


@pytest.mark.parametrize("kind", ["string", "bytes", "bytes33", "bytes0", "uint7", "uint264", "uint", "bool[2]"])
def test_a_type_that_is_no_word_is_refused(kind: str) -> None:
    with pytest.raises(ValueError, match="is no type of one word"):
        Field("x", kind)
