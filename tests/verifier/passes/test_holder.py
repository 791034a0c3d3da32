"""The key in the player's device, held to vectors of others."""

import json
from pathlib import Path

import pytest

from verifier.errors import HolderKeyUnreadable
from verifier.passes.holder import HolderKey, holder_key_of, holder_message, is_holders, verifies

VECTORS = json.loads((Path(__file__).parent / "vectors" / "p256.json").read_text(encoding="utf-8"))

# Source: RFC 6979, A.2.5
X = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
UX = "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
UY = "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
SIGNED = {
    b"sample": "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
    "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
    b"test": "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
    "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083",
}


@pytest.mark.parametrize("message", SIGNED, ids=lambda message: message.decode())
def test_it_signs_as_the_rfc_says(message: bytes) -> None:
    key = HolderKey(bytes.fromhex(X))
    assert key.public.hex() == f"04{UX}{UY}"
    assert key.sign(message).hex() == SIGNED[message]
    assert verifies(key.public, message, bytes.fromhex(SIGNED[message]))


def test_every_case_of_wycheproof_comes_out_as_published() -> None:
    assert len(VECTORS) == 262
    wrong = [case["comment"] for case in VECTORS if believed(case) is not (case["result"] == "valid")]
    assert wrong == []


def believed(case: dict[str, str]) -> bool:
    key, message, signature = (bytes.fromhex(case[part]) for part in ("key", "message", "signature"))
    return verifies(key, message, signature)


def test_only_the_key_with_the_even_y_is_the_holders() -> None:
    key = HolderKey(b"\1" * 32)
    odd = HolderKey((ORDER - int.from_bytes(key.secret, "big")).to_bytes(32, "big"))
    assert odd.public[1:33] == key.public[1:33]
    assert odd.public[-1] % 2
    assert is_holders(key.public[1:33], b"m", key.sign(b"m"))
    assert not is_holders(key.public[1:33], b"m", odd.sign(b"m"))


def test_another_message_time_or_key_is_not_the_holders() -> None:
    key, other = HolderKey.fresh(), HolderKey.fresh()
    message = holder_message(b"pass", 5)
    signature = key.sign(message)
    x = holder_key_of(key.public)
    assert is_holders(x, message, signature)
    assert not is_holders(x, holder_message(b"pass", 6), signature)
    assert not is_holders(x, holder_message(b"past", 5), signature)
    assert not is_holders(holder_key_of(other.public), message, signature)
    assert not is_holders(x, message, signature + b"\0")
    assert not is_holders(x, message, signature[:-1])
    assert not is_holders(b"\xff" * 32, message, signature)


def test_a_public_key_is_read_in_both_forms() -> None:
    key = HolderKey.fresh()
    assert holder_key_of(key.public) == holder_key_of(b"\2" + key.public[1:33]) == key.public[1:33]


@pytest.mark.parametrize(
    ("public", "problem"),
    [
        (b"", "0 bytes that begin with nothing"),
        (bytes.fromhex(UX), "32 bytes that begin with 60"),
        (bytes.fromhex("04" + UX), "33 bytes that begin with 04"),
        (bytes.fromhex("02" + UX + UY), "65 bytes that begin with 02"),
        (bytes.fromhex("04" + UX + UY), "its y is odd"),
        (bytes.fromhex("03" + UX), "its y is odd"),
        (bytes.fromhex("04" + UX + UX), "no point of the curve"),
        (b"\4" + bytes(64), "no point of the curve"),
        (b"\2" + b"\xff" * 32, "no point of the curve"),
        (b"\2" + bytes(32), "no point of the curve"),
    ],
)
def test_what_is_no_public_key_is_refused(public: bytes, problem: str) -> None:
    with pytest.raises(HolderKeyUnreadable, match=problem):
        holder_key_of(public)


@pytest.mark.parametrize("secret", [b"", bytes(32), b"\xff" * 32, b"\1" * 31])
def test_what_is_no_secret_is_refused(secret: bytes) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        HolderKey(secret)


def test_a_secret_is_not_shown() -> None:
    assert repr(b"\7" * 32) not in repr(HolderKey(b"\7" * 32))
