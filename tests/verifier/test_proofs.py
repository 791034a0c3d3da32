"""Proofs: a published one, tries that another package built, and every byte that may be changed."""

import json
from functools import cache
from pathlib import Path

import pytest
import rlp as other_rlp
from eth_abi import encode
from eth_hash.auto import keccak
from hypothesis import given
from hypothesis import strategies as st
from trie import HexaryTrie

from verifier import rlp
from verifier.addresses import parse_address, to_checksum
from verifier.errors import AnswerSuspicious, BlockUnavailable, LayoutUnknown
from verifier.headers import Header, parse_header
from verifier.holdings import Address, Ask, TokenId
from verifier.proofs import (
    EMPTY_TRIE,
    UPGRADEABLE_BALANCES,
    UnsoundProof,
    Witness,
    balance_slot,
    proof_nodes,
    prove_balances,
    prove_told,
)
from verifier.rpc import Endpoint
from verifier.testkit import LyingNode, ScriptedChain
from verifier.testkit.lying_node import Answerer
from verifier.testkit.scripted_chain import Question, Refusal

PUBLISHED = json.loads((Path(__file__).parent / "vectors" / "proof.json").read_text())
ANN, BOB = (to_checksum(bytes([number]) * 20) for number in (0xA1, 0xB2))
COLLECTION = to_checksum(b"\xcc" * 20)
CODE = keccak(b"code")


def root_of(trie: HexaryTrie) -> bytes:
    return bytes(trie.root_hash)


def nodes_of(*tries: HexaryTrie) -> list[bytes]:
    return [bytes(node) for trie in tries for node in trie.db.values()]


def state(balances: dict[tuple[Address, int], int], *, beside: int = 40) -> tuple[Header, list[bytes]]:
    """A block in whose state the collection has these balances, and all trie nodes of it, by the other package."""
    storage, accounts = HexaryTrie({}), HexaryTrie({})
    for (wallet, token_id), units in balances.items():
        slot = keccak(encode(["address", "bytes32"], [wallet, keccak(encode(["uint256", "uint256"], [token_id, 0]))]))
        storage[keccak(slot)] = other_rlp.encode(units)
    for number in range(beside):
        storage[keccak(b"other %d" % number)] = other_rlp.encode(number + 1)
        accounts[keccak(b"account %d" % number)] = other_rlp.encode([number, 5, EMPTY_TRIE, keccak(b"")])
    accounts[keccak(bytes.fromhex(COLLECTION[2:]))] = other_rlp.encode([1, 0, root_of(storage), CODE])
    fields = rlp.decode(published_header().encoded)
    assert isinstance(fields, list)
    fields[3] = root_of(accounts)
    encoded = rlp.encode(fields)
    from verifier.headers import decode_header  # noqa: PLC0415 - beside its use

    return decode_header(encoded), nodes_of(storage, accounts)


@cache
def published_header() -> Header:
    return parse_header(PUBLISHED["header"])


# --- a published proof ------------------------------------------------------------------------------------------------


def test_a_published_proof_leads_from_the_state_root_to_a_word_of_storage() -> None:
    answer = PUBLISHED["answer"]
    witness = Witness(proof_nodes(answer))
    account = witness.account(published_header().state_root, parse_address(answer["address"]))
    assert account
    assert (account.nonce, account.balance, account.code_hash.hex(), account.storage_root.hex()) == (
        int(answer["nonce"], 16),
        int(answer["balance"], 16),
        answer["codeHash"][2:],
        answer["storageHash"][2:],
    )
    [proof] = answer["storageProof"]
    assert witness.word(account.storage_root, int(proof["key"], 16)) == int(proof["value"], 16)
    assert witness.unused == []


@pytest.mark.parametrize("number", range(len(proof_nodes(PUBLISHED["answer"]))))
def test_a_byte_changed_in_a_published_proof_ends_it(number: int) -> None:
    answer = PUBLISHED["answer"]
    nodes = proof_nodes(answer)
    whole = nodes[number]
    for place in range(0, len(whole), 7):
        nodes[number] = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        witness = Witness(nodes)
        with pytest.raises(UnsoundProof, match="is missing"):
            _word(witness, parse_address(answer["address"]), int(answer["storageProof"][0]["key"], 16))


def _word(witness: Witness, address: Address, slot: int) -> int:
    account = witness.account(published_header().state_root, address)
    assert account
    return witness.word(account.storage_root, slot)


# --- tries of another package -----------------------------------------------------------------------------------------

keys = st.binary(min_size=1, max_size=3).map(keccak)
tries = st.dictionaries(keys, st.binary(min_size=1, max_size=70), min_size=1, max_size=60)


@given(tries, keys)
def test_what_a_trie_has_under_a_key_is_what_the_other_package_says(words: dict[bytes, bytes], key: bytes) -> None:
    trie = HexaryTrie({})
    for name, value in words.items():
        trie[name] = value
    witness = Witness(nodes_of(trie))
    for name in (key, *words):
        assert (witness.value(root_of(trie), name) or b"") == trie[name]


@given(tries, keys)
def test_the_nodes_of_one_proof_are_enough(words: dict[bytes, bytes], key: bytes) -> None:
    trie = HexaryTrie({})
    for name, value in words.items():
        trie[name] = value
    proof = [other_rlp.encode(node) for node in trie.get_proof(key)]
    assert (Witness(proof).value(root_of(trie), key) or b"") == trie[key]


@given(st.dictionaries(st.binary(min_size=2, max_size=2), st.binary(min_size=1, max_size=3), min_size=1, max_size=40))
def test_nodes_that_are_too_short_for_a_hash_are_read_in_their_place(words: dict[bytes, bytes]) -> None:
    # Short keys and values: nodes under 32 bytes stand whole in their parents.
    trie = HexaryTrie({})
    for name, value in words.items():
        trie[name] = value
    witness = Witness(nodes_of(trie))
    assert {name: witness.value(root_of(trie), name) for name in words} == words


@given(tries, st.data())
def test_without_a_node_on_the_way_nothing_is_proven_not_even_absence(
    words: dict[bytes, bytes], data: st.DataObject
) -> None:
    trie = HexaryTrie({})
    for name, value in words.items():
        trie[name] = value
    key = data.draw(st.sampled_from(sorted(words)))
    proof = [node for node in (other_rlp.encode(node) for node in trie.get_proof(key)) if len(node) >= 32]
    proof = proof or [other_rlp.encode(node) for node in trie.get_proof(key)][:1]
    del proof[data.draw(st.integers(0, len(proof) - 1))]
    with pytest.raises(UnsoundProof, match="is missing"):
        Witness(proof).value(root_of(trie), key)


def test_an_empty_trie_has_nothing() -> None:
    assert root_of(HexaryTrie({})) == EMPTY_TRIE
    assert Witness([]).value(EMPTY_TRIE, keccak(b"x")) is None


@pytest.mark.parametrize(
    ("node", "problem"),
    [
        (b"\x85", "is not RLP"),
        (rlp.encode(b"no list" * 9), "is no list"),
        (rlp.encode([b""] * 3), "has 3 items"),
        (rlp.encode([b"\x40", b"x" * 40]), "no form"),
        (rlp.encode([b"\x01", b"x" * 40]), "no form"),
        (rlp.encode([b"", b"x" * 40]), "no form"),
        (rlp.encode([[], b"x" * 40]), "no form"),
        (rlp.encode([b"\x00", b"x" * 32]), "an extension has no path"),
        (rlp.encode([b"\x20" + keccak(b"key"), b""]), "a leaf has no value"),
        (rlp.encode([b"\x20" + keccak(b"key"), []]), "a leaf has no value"),
        (rlp.encode([b"\x00" + keccak(b"key"), [b""] * 17]), "the path ends in it"),
    ],
)
def test_a_node_that_is_none_is_refused_with_its_reason(node: bytes, problem: str) -> None:
    with pytest.raises(UnsoundProof, match=problem):
        Witness([node]).value(keccak(node), keccak(b"key"))


@pytest.mark.parametrize(
    "value", [b"\0", b"\x80", b"\xc0", b"\x81\x00", rlp.encode(b"\1" * 33), b"\x82\x00\x01", b"\x05\x05"]
)
def test_a_word_that_no_storage_has_is_refused(value: bytes) -> None:
    leaf = rlp.encode([b"\x20" + keccak(bytes(32)), value])
    with pytest.raises(UnsoundProof, match="slot 0x0 has"):
        Witness([leaf]).word(keccak(leaf), 0)


@pytest.mark.parametrize(
    "value",
    [b"", b"\xc0", rlp.encode([b"", b"", bytes(32)]), rlp.encode([b"", b"", bytes(31), bytes(32)]), b"\xc4\0\0\0\0"],
)
def test_an_account_that_is_none_is_refused(value: bytes) -> None:
    leaf = rlp.encode([b"\x20" + keccak(bytes.fromhex(ANN[2:])), value])
    with pytest.raises(UnsoundProof):
        Witness([leaf]).account(keccak(leaf), ANN)


# --- balances ---------------------------------------------------------------------------------------------------------


def test_balances_are_proven_from_the_state_root_and_absence_too() -> None:
    header, nodes = state({(ANN, 7): 3, (BOB, 7): 2**64 - 1, (ANN, 2**256 - 1): 1})
    asks = [Ask(ANN, (TokenId(7), TokenId(8), TokenId(2**256 - 1))), Ask(BOB, (TokenId(7),))]
    proven = prove_balances(header, COLLECTION, asks, nodes)
    assert (proven.units, proven.code_hash, proven.implementation) == (
        [(3, 0, 1), (2**64 - 1,)],
        "0x" + CODE.hex(),
        None,
    )


def test_what_was_needed_is_returned_and_is_enough() -> None:
    header, nodes = state({(ANN, 7): 3})
    asks = [Ask(ANN, (TokenId(7),))]
    proven = prove_balances(header, COLLECTION, asks, nodes)
    assert len(proven.nodes) < len(nodes)
    assert list(proven.nodes) == sorted(proven.nodes, key=keccak)
    assert prove_balances(header, COLLECTION, asks, proven.nodes) == proven
    for number in range(len(proven.nodes)):
        with pytest.raises(UnsoundProof):
            prove_balances(header, COLLECTION, asks, proven.nodes[:number] + proven.nodes[number + 1 :])


def test_an_address_without_a_contract_has_no_balances() -> None:
    header, nodes = state({(ANN, 7): 3})
    with pytest.raises(UnsoundProof, match="there is no contract"):
        prove_balances(header, ANN, [Ask(ANN, (TokenId(7),))], nodes)


def test_more_units_than_any_card_has_are_another_layout() -> None:
    header, nodes = state({(ANN, 7): 2**64})
    with pytest.raises(UnsoundProof, match="another storage layout"):
        prove_balances(header, COLLECTION, [Ask(ANN, (TokenId(7),))], nodes)


def test_the_slot_of_upgradeable_collections_is_the_one_of_erc_7201() -> None:
    name = int.from_bytes(keccak(b"openzeppelin.storage.ERC1155"), "big") - 1
    assert int.from_bytes(keccak(name.to_bytes(32, "big")), "big") & ~0xFF == UPGRADEABLE_BALANCES


@given(st.binary(min_size=20, max_size=20).map(to_checksum), st.integers(0, 2**256 - 1), st.integers(0, 2**256 - 1))
def test_the_slot_of_a_balance_is_what_solidity_says(wallet: Address, token_id: int, balances: int) -> None:
    inner = keccak(encode(["uint256", "uint256"], [token_id, balances]))
    slot = keccak(encode(["address", "bytes32"], [wallet, inner]))
    assert balance_slot(wallet, TokenId(token_id), balances) == int.from_bytes(slot, "big")


# --- what endpoints told ----------------------------------------------------------------------------------------------

ONE, TWO = TokenId(1), TokenId(2)
HELD = {(ANN, ONE): 3, (BOB, TWO): 1}
TOLD = {ANN: {ONE: 3, TWO: 0}, BOB: {ONE: 0, TWO: 1}}
ASKS = [Ask(wallet, (ONE, TWO)) for wallet in (ANN, BOB)]


@pytest.mark.parametrize("slot", [0, 7, 63, UPGRADEABLE_BALANCES])
def test_the_slot_of_balances_is_found_by_what_the_contract_tells(slot: int) -> None:
    chain = ScriptedChain(proves=True, slot=slot)
    block = chain.mine(HELD)
    with LyingNode(chain) as node, Endpoint(node.url) as endpoint:
        header = parse_header(endpoint.ask("eth_getBlockByHash", [block.hash, False]))
        found = prove_told([endpoint], header, chain.collection, TOLD, ASKS)
    assert found.slot == slot
    assert prove_balances(header, chain.collection, ASKS, found.nodes, balances=slot).units == [(3, 0), (0, 1)]


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({ANN: {ONE: 4, TWO: 0}, BOB: {ONE: 0, TWO: 1}}, f"4 units of token 1 in {ANN}, .* proves 3"),
        ({ANN: {ONE: 3, TWO: 0}, BOB: {ONE: 0, TWO: 0}}, f"0 units of token 2 in {BOB}, .* proves 1"),
        ({ANN: {ONE: 9, TWO: 0}, BOB: {ONE: 0, TWO: 9}}, f"9 units of token 1 in {ANN}, .* proves 3"),
        ({ANN: {ONE: 0, TWO: 0}, BOB: {ONE: 0, TWO: 0}}, f"0 units of token 1 in {ANN}, .* proves 3"),
    ],
)
def test_whoever_told_something_else_than_is_proven_is_named(
    told: dict[Address, dict[TokenId, int]], problem: str
) -> None:
    chain = ScriptedChain(proves=True)
    block = chain.mine(HELD)
    with LyingNode(chain) as node, Endpoint(node.url) as endpoint:
        header = parse_header(endpoint.ask("eth_getBlockByHash", [block.hash, False]))
        with pytest.raises(AnswerSuspicious, match=f"of {node.url} to balanceOfBatch: {problem}"):
            prove_told([endpoint], header, chain.collection, told, ASKS)


def test_of_a_contract_that_keeps_balances_elsewhere_nothing_is_proven_and_nobody_accused() -> None:
    chain = ScriptedChain(proves=True, slot=64)
    block = chain.mine(HELD)
    with LyingNode(chain) as node, Endpoint(node.url) as endpoint:
        header = parse_header(endpoint.ask("eth_getBlockByHash", [block.hash, False]))
        with pytest.raises(LayoutUnknown, match="keeps balances is not found"):
            prove_told([endpoint], header, chain.collection, TOLD, ASKS)


def test_the_first_endpoint_that_has_proofs_is_enough() -> None:
    def none(question: Question, honest: Answerer) -> object:
        if question.method == "eth_getProof":
            raise Refusal(-32601, "the method eth_getProof does not exist")
        return honest(question)

    chain = ScriptedChain(proves=True)
    block = chain.mine(HELD)
    with (
        LyingNode(chain) as node,
        LyingNode(chain) as other,
        Endpoint(node.url) as endpoint,
        Endpoint(other.url) as second,
    ):
        header = parse_header(endpoint.ask("eth_getBlockByHash", [block.hash, False]))
        node.tell(none)
        assert prove_told([endpoint, second], header, chain.collection, TOLD, ASKS).slot == 0
        other.tell(none)
        with pytest.raises(BlockUnavailable, match="proves nothing there"):
            prove_told([endpoint, second], header, chain.collection, TOLD, ASKS)


# --- answers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (None, "no storageProof"),
        ({"accountProof": []}, "no storageProof"),
        ({"accountProof": [], "storageProof": [[]]}, "no storageProof"),
        ({"storageProof": []}, "no list of nodes"),
        ({"accountProof": [], "storageProof": [{"proof": "0x"}]}, "no list of nodes"),
        ({"accountProof": ["80"], "storageProof": []}, "not 0x and hex digits"),
        ({"accountProof": [5], "storageProof": []}, "not 0x and hex digits"),
        ({"accountProof": ["0x" + "00" * 601], "storageProof": []}, "longer than any"),
        ({"accountProof": ["0x8"], "storageProof": []}, "not hex digits"),
    ],
)
def test_an_answer_of_another_form_is_refused(answer: object, problem: str) -> None:
    with pytest.raises(UnsoundProof, match=problem):
        proof_nodes(answer)
