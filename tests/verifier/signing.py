"""Texts, keys, and the signatures of wallets that tests ask."""

import time
from functools import cache
from pathlib import Path
from typing import Any

from eth_abi.abi import encode as abi_encode
from eth_hash.auto import keccak
from eth_keys.datatypes import PrivateKey as CurveKey

from collection.anvil import Anvil
from collection.artefact import Artefact, parse_artefact
from collection.transactions import Contract, Sender, creation
from collection.wallets import PrivateKey, Wallet, wallet_of
from verifier.control import WRAPPED, Challenge, resources
from verifier.holdings import Address

ARTEFACTS = Path(__file__).parent.parent / "artefacts"
START = 1_800_000_000
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141


def key_of(name: str) -> Wallet:
    return wallet_of(PrivateKey(keccak(name.encode())))


ANN, BOB, CARL = (key_of(name) for name in ("ann", "bob", "carl"))


def challenge(wallet: Address = ANN.address, **others: Any) -> Challenge:
    fields = {
        "domain": "play.example.com",
        "wallet": wallet,
        "statement": "Link this wallet to entry 17 of Friday Night.",
        "uri": "https://play.example.com/events/3",
        "chain_id": 31337,
        "nonce": "0123456789abcdef0123456789abcdef",
        "issued_at": START,
        "expires_at": START + 600,
        "resources": resources(event="0x" + "e" * 64, deck="0x" + "d" * 64, player="p17"),
    }
    return Challenge(**fields | others)


def sign(wallet: Wallet, digest: bytes) -> bytes:
    """As most wallets do: r, s, and 27 or 28."""
    signature = CurveKey(wallet.key).sign_msg_hash(digest)
    return signature.to_bytes()[:-1] + bytes([27 + signature.v])


def encodings(plain: bytes) -> dict[str, bytes]:
    """One signature, as different wallets, libraries and cheats write it."""
    r, s, parity = plain[:32], int.from_bytes(plain[32:64], "big"), plain[64] - 27
    high = (ORDER - s).to_bytes(32, "big")
    return {
        "plain, v from 27": plain,
        "v from 0": plain[:64] + bytes([parity]),
        "v with chain 1 in it": plain[:64] + bytes([37 + parity]),
        "high s": r + high + bytes([28 - parity]),
        "high s, v from 0": r + high + bytes([1 - parity]),
        "compact": r + (parity << 255 | s).to_bytes(32, "big"),
    }


def wrapped(factory: Address, deployment: bytes, signature: bytes) -> bytes:
    """As eth-abi writes it. Source: ERC-6492."""
    return abi_encode(["address", "bytes", "bytes"], [factory, deployment, signature]) + WRAPPED


@cache
def artefact(name: str) -> Artefact:
    return parse_artefact((ARTEFACTS / f"{name}.json").read_text())


def deploy(anvil: Anvil, payer: Wallet, name: str, *arguments: object) -> Contract:
    [receipt] = Sender(anvil.endpoint, payer.signer()).transact([creation("deploy", artefact(name), *arguments)])
    assert receipt.contract
    return Contract(anvil.endpoint, artefact(name).abi, receipt.contract)


def await_mined(anvil: Anvil, transaction_hash: object) -> str:
    """Anvil answers before the receipt is there, and soon after it is."""
    for _ in range(2000):
        if anvil.ask("eth_getTransactionReceipt", transaction_hash):
            return str(transaction_hash)
        time.sleep(0.005)
    raise AssertionError(transaction_hash)
