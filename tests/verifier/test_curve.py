"""secp256k1: one form of signature, whatever does the arithmetic."""

import pytest
from eth_account import Account
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.curve import ORDER, Curve, Digest, InC, InPython, SignatureUnsound, SigningKey, curve, signer_of

CURVES = [InC(), InPython()]
DIGEST = Digest(bytes(range(32)))

# Source: EIP-712, assets/eip-712/Example.js: signed with keccak("cow")
COW = bytes.fromhex("c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4")
MAIL = Digest(bytes.fromhex("be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2"))
R = "4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d"
S = "07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562"


def test_the_eips_example_is_signed_as_it_says() -> None:
    key = SigningKey(COW)
    assert key.address == "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"
    assert key.sign(MAIL) == bytes.fromhex(R + S) + bytes([28])
    assert signer_of(MAIL, bytes.fromhex(R + S) + bytes([28])) == key.address


@pytest.mark.parametrize("by", CURVES, ids=lambda by: type(by).__name__)
@settings(max_examples=15, deadline=None)
@given(secret=st.integers(1, ORDER - 1), digest=st.binary(min_size=32, max_size=32))
def test_each_arithmetic_signs_and_recovers_as_eth_account(by: Curve, secret: int, digest: bytes) -> None:
    account = Account.from_key(secret.to_bytes(32, "big"))
    signed = account.unsafe_sign_hash(digest)
    made = by.sign(bytes(account.key), digest)
    assert made[:64] + bytes([27 + made[64]]) == bytes(signed.signature)
    assert by.recover(digest, made) == by.public(bytes(account.key))


@pytest.mark.parametrize("by", CURVES, ids=lambda by: type(by).__name__)
def test_what_no_key_signed_is_recovered_by_none(by: Curve) -> None:
    off_the_curve = (5).to_bytes(32, "big") + (1).to_bytes(32, "big") + b"\0"  # no point has x = 5
    with pytest.raises(ValueError, match="no key made it"):
        by.recover(DIGEST, off_the_curve)


def test_the_faster_arithmetic_is_taken() -> None:
    assert isinstance(curve(), InC)


def test_a_signature_with_high_s_is_refused_although_it_verifies() -> None:
    key = SigningKey.fresh()
    sound = key.sign(DIGEST)
    high = ORDER - int.from_bytes(sound[32:64], "big")
    turned = sound[:32] + high.to_bytes(32, "big") + bytes([27 + 28 - sound[64]])
    assert Account._recover_hash(DIGEST, signature=turned) == key.address  # noqa: SLF001 - has no public name
    with pytest.raises(SignatureUnsound, match="s is in the upper half"):
        signer_of(DIGEST, turned)


@pytest.mark.parametrize("last", [0, 1, 26, 29, 37, 38, 255])
def test_the_last_byte_is_27_or_28(last: int) -> None:
    with pytest.raises(SignatureUnsound, match="has to be 27 or 28"):
        signer_of(DIGEST, SigningKey.fresh().sign(DIGEST)[:64] + bytes([last]))


@pytest.mark.parametrize(
    ("signature", "problem"),
    [
        (b"", "0 bytes"),
        (bytes(64), "64 bytes"),
        (bytes(66), "66 bytes"),
        (bytes(65), "nothing but zeros"),
        (bytes(64) + b"\x1b", "between 1 and the order"),
        (b"\xff" * 32 + (1).to_bytes(32, "big") + b"\x1b", "between 1 and the order"),
        (ORDER.to_bytes(32, "big") + (1).to_bytes(32, "big") + b"\x1b", "between 1 and the order"),
        ((1).to_bytes(32, "big") + ORDER.to_bytes(32, "big") + b"\x1b", "between 1 and the order"),
        ((5).to_bytes(32, "big") + (1).to_bytes(32, "big") + b"\x1b", "no key makes"),
    ],
)
def test_what_is_no_signature_is_refused(signature: bytes, problem: str) -> None:
    with pytest.raises(SignatureUnsound, match=problem):
        signer_of(DIGEST, signature)


@pytest.mark.parametrize("secret", [b"", bytes(32), bytes(31), ORDER.to_bytes(32, "big"), b"\xff" * 32, "1" * 32])
def test_what_is_no_private_key_is_refused(secret: bytes) -> None:
    with pytest.raises(ValueError, match="a private key"):
        SigningKey(secret)


def test_a_private_key_is_not_shown() -> None:
    key = SigningKey.fresh()
    assert key.secret.hex() not in repr(key)
    assert repr(key.secret) not in repr(key)


def test_fresh_keys_differ() -> None:
    assert SigningKey.fresh() != SigningKey.fresh()
