"""The holder key: a P-256 key in the player's own device, so that a photograph of the pass is worth nothing.

    signed = "Deckproof holder 1" + newline  ||  the pass as in its QR code  ||  the time, 8 bytes
    signature = r || s, 64 bytes, ECDSA with SHA-256: what WebCrypto's `sign` gives

The pass has x of the public key, and y is even: a device makes keys until one has it, which takes two on average.
Source: FIPS 186-4 (ECDSA, P-256); SEC 1, 2.3 (points as bytes); W3C Web Cryptography API (`raw` keys, signatures);
BIP-340, which has the even y on another curve.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Self

from verifier.errors import HolderKeyUnreadable

GOOD_FOR_S: Final = 30
"""Seconds by which the device's time and the desk's may differ."""
PREFIX: Final = b"Deckproof holder 1\n"
PROOF: Final = 64
_CURVE: Final = "P-256"
_X: Final = 32
_TIME: Final = 8
_EVEN: Final = b"\2"
_ODD: Final = b"\3"
_UNCOMPRESSED: Final = b"\4"


def holder_message(payload: bytes, signed_at: int) -> bytes:
    """What the device signs.

    Args:
        payload: the bytes of the QR code, version to verifier's signature.
        signed_at: seconds since 1970, UTC, by the device's clock.
    """
    return PREFIX + payload + signed_at.to_bytes(_TIME, "big")


def holder_key_of(public: bytes) -> bytes:
    """The x of a public key, 32 bytes, from 65 or 33 bytes.

    Raises:
        HolderKeyUnreadable: another form, no point of the curve, or y is odd.
    """
    right = {1 + 2 * _X: (_UNCOMPRESSED,), 1 + _X: (_EVEN, _ODD)}
    if public[:1] not in right.get(len(public), ()):
        raise HolderKeyUnreadable(f"{len(public)} bytes that begin with {public[:1].hex() or 'nothing'}")
    if not _is_point(public) or not any(public[1 : 1 + _X]):
        raise HolderKeyUnreadable("it is no point of the curve that a key can have")
    if public[:1] == _ODD or (public[:1] == _UNCOMPRESSED and public[-1] % 2):
        raise HolderKeyUnreadable("its y is odd, as that of every other key is; let the device make another one")
    return public[1 : 1 + _X]


def is_holders(holder_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the owner of the key signed the message."""
    return verifies(_EVEN + holder_key, message, signature)


def verifies(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a key, of 65 or 33 bytes, made a signature of 64. What is no key has made none."""
    from Crypto.Hash import SHA256  # noqa: PLC0415 - only for passes that are bound
    from Crypto.PublicKey import ECC  # noqa: PLC0415
    from Crypto.Signature import DSS  # noqa: PLC0415

    if len(signature) != PROOF:
        return False
    try:
        DSS.new(ECC.import_key(public, curve_name=_CURVE), "fips-186-3").verify(SHA256.new(message), signature)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class HolderKey:
    """Both halves of such a key, where there is no browser to keep it.

    Raises:
        ValueError: no secret of the curve.
    """

    secret: bytes = field(repr=False)
    """32 bytes."""

    def __post_init__(self) -> None:
        _ = self._key

    @classmethod
    def fresh(cls) -> Self:
        """A new one with an even y, from the system's randomness."""
        from Crypto.PublicKey import ECC  # noqa: PLC0415

        while True:
            made = cls(int(ECC.generate(curve=_CURVE).d).to_bytes(_X, "big"))
            if not made.public[-1] % 2:
                return made

    @property
    def public(self) -> bytes:
        """65 bytes."""
        made: bytes = self._key.public_key().export_key(format="raw")
        return made

    def sign(self, message: bytes) -> bytes:
        """64 bytes; the same for the same message (RFC 6979)."""
        from Crypto.Hash import SHA256  # noqa: PLC0415
        from Crypto.Signature import DSS  # noqa: PLC0415

        made: bytes = DSS.new(self._key, "deterministic-rfc6979").sign(SHA256.new(message))
        return made

    @cached_property
    def _key(self):  # type: ignore[no-untyped-def]  # noqa: ANN202 - pycryptodome's, imported where it is needed
        from Crypto.PublicKey import ECC  # noqa: PLC0415

        if type(self.secret) is not bytes or len(self.secret) != _X:
            raise ValueError(f"a P-256 secret has exactly {_X} bytes")
        return ECC.construct(curve=_CURVE, d=int.from_bytes(self.secret, "big"))


def _is_point(public: bytes) -> bool:
    from Crypto.PublicKey import ECC  # noqa: PLC0415

    try:
        key = ECC.import_key(public, curve_name=_CURVE)
    except ValueError:
        return False
    return not key.pointQ.is_point_at_infinity()
