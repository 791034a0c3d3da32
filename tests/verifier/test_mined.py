"""Transactions whose hash and sender are computed, against another package and a real chain."""

from collections.abc import Callable
from typing import Any

import pytest
from eth_account import Account
from eth_account.typed_transactions import TypedTransaction
from eth_hash.auto import keccak

from collection.anvil import Anvil
from collection.wallets import Wallet
from tests.verifier.signing import ANN, BOB
from verifier.headers import parse_header
from verifier.mined import Place, UnsoundTransaction, find_place, is_there, read_signed
from verifier.proofs import UnsoundProof

KEYS = [{"address": BOB.address, "storageKeys": ["0x" + "07" * 32]}]
BASE: dict[str, Any] = {"nonce": 5, "gas": 60_000, "to": ANN.address, "value": 0, "data": "0x" + "ab" * 32}
FEES: dict[str, Any] = {"maxFeePerGas": 9, "maxPriorityFeePerGas": 1, "chainId": 137}
KINDS: dict[str, dict[str, Any]] = {
    "of before chains": {**BASE, "gasPrice": 9},
    "of a chain": {**BASE, "gasPrice": 9, "chainId": 137},
    "with an access list": {**BASE, "type": 1, "gasPrice": 9, "chainId": 137, "accessList": KEYS},
    "with fees": {**BASE, **FEES, "type": 2, "accessList": KEYS},
    "with blobs": {
        **BASE,
        **FEES,
        "type": 3,
        "accessList": [],
        "maxFeePerBlobGas": 3,
        "blobVersionedHashes": ["0x01" + "09" * 31],
    },
    "with authorizations": {**BASE, **FEES, "type": 4, "accessList": [], "authorizationList": "signed"},
}


def told(fields: dict[str, Any]) -> dict[str, Any]:
    """As a node tells of it, signed by another package."""
    asked = dict(fields)
    if asked.get("authorizationList"):
        signed = Account.sign_authorization({"chainId": 137, "address": BOB.address, "nonce": 6}, ANN.key)
        asked["authorizationList"] = [signed]
    made = Account.sign_transaction(asked, ANN.key)
    answer = {
        name: hex(value) if isinstance(value, int) and name != "accessList" else value for name, value in asked.items()
    }
    answer["input"] = answer.pop("data")
    if fields.get("authorizationList"):
        [one] = asked["authorizationList"]
        answer["authorizationList"] = [
            {
                "chainId": hex(one.chain_id),
                "address": "0x" + one.address.hex(),
                "nonce": hex(one.nonce),
                "yParity": hex(one.y_parity),
                "r": hex(one.r),
                "s": hex(one.s),
            }
        ]
    return answer | {"v": hex(made.v), "r": hex(made.r), "s": hex(made.s), "hash": "0x" + made.hash.hex()}


@pytest.mark.parametrize("kind", KINDS)
def test_hash_and_sender_of_a_transaction_are_what_another_package_signed(kind: str) -> None:
    answer = told(KINDS[kind])
    found = read_signed(answer)
    assert (found.hash, found.sender, found.to, found.wei) == (answer["hash"], ANN.address, ANN.address, 0)
    assert found.data == b"\xab" * 32
    assert found.chain_id == KINDS[kind].get("chainId")


@pytest.mark.parametrize("kind", KINDS)
def test_no_field_of_a_transaction_can_be_changed_without_another_hash(kind: str) -> None:
    answer = told(KINDS[kind])
    beside = {"chainId"} if "type" not in KINDS[kind] else set()  # there it is in v, and told again
    lists = {"accessList", "authorizationList", "blobVersionedHashes"}
    for name in KINDS[kind].keys() - {"type", "data", *lists, *beside}:
        other = answer | {name: hex(int(answer[name], 16) + 1) if name != "to" else BOB.address}
        assert read_signed(other).hash != answer["hash"], name


def high(answer: dict[str, Any]) -> dict[str, Any]:
    order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
    return answer | {"s": hex(order - int(answer["s"], 16)), "v": hex(1 - int(answer["v"], 16))}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda answer: answer | {"type": "0x7e"}, "type 0x7e are not known"),
        (lambda answer: answer | {"nonce": "0x05"}, "its nonce is no quantity"),
        (lambda answer: answer | {"nonce": 5}, "its nonce is no quantity"),
        (lambda answer: answer | {"input": "0xabc"}, "its input is not bytes"),
        (lambda answer: answer | {"to": "0x1234"}, "its to has 2 bytes, not 20"),
        (lambda answer: answer | {"accessList": {}}, "its accessList is no list"),
        (lambda answer: answer | {"accessList": [{"address": BOB.address}]}, "its storageKeys is no list"),
        (lambda answer: answer | {"v": "0x2"}, "neither 0 nor 1"),
        (lambda answer: answer | {"r": "0x0"}, "its signature is none"),
        (high, "its signature is none"),
        (lambda _: None, "its nonce is no quantity"),
    ],
)
def test_what_is_no_transaction_is_refused_with_its_reason(
    change: Callable[[dict[str, Any]], object], problem: str
) -> None:
    with pytest.raises(UnsoundTransaction, match=problem):
        read_signed(change(told(KINDS["with fees"])))


def test_the_package_that_is_compared_with_knows_these_types() -> None:
    assert TypedTransaction.from_dict({**KINDS["with fees"]}).transaction_type == 2


@pytest.mark.chain
def test_a_transaction_is_proven_to_be_in_its_block_by_a_few_nodes(
    anvil: Anvil, funded_wallets: tuple[Wallet, ...]
) -> None:
    anvil.ask("evm_setAutomine", False)  # noqa: FBT003 - JSON-RPC knows no names
    for number in range(4):
        for wallet in funded_wallets[:3]:
            fee = {} if number % 2 else {"gasPrice": hex(3_000_000_000)}
            sent = {"from": wallet.address, "to": wallet.address, "data": f"0x{number:04x}", "gas": "0x186a0", **fee}
            anvil.ask("eth_sendTransaction", sent)
    anvil.mine()
    anvil.ask("evm_setAutomine", True)  # noqa: FBT003 - JSON-RPC knows no names
    block: Any = anvil.ask("eth_getBlockByNumber", "latest", False)  # noqa: FBT003 - JSON-RPC knows no names
    header = parse_header(block)
    assert len(block["transactions"]) > 4
    for hash_ in block["transactions"]:
        found = read_signed(anvil.ask("eth_getTransactionByHash", hash_))
        place = find_place([anvil.endpoint], header, hash_)
        assert place is not None
        assert (found.hash, is_there(place, header, found.encoded)) == (hash_, True)
        assert len(place.nodes) <= 4
        assert not is_there(place, header, found.encoded[:-1])
        with pytest.raises(UnsoundProof):
            is_there(Place(place.index, place.nodes[1:]), header, found.encoded)
        with pytest.raises(UnsoundProof, match="not those on the way"):
            is_there(Place(place.index, (*place.nodes, b"\x80")), header, found.encoded)
    assert find_place([anvil.endpoint], header, "0x" + keccak(b"none").hex()) is None
