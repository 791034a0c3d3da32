"""secp256k1: signatures of 65 bytes, and the address that made one.

    signature = r || s || v,  32 + 32 + 1 bytes; s in the lower half of the order; v is 27 or 28

That is the one form that is made and believed. The arithmetic is libsecp256k1's (coincurve) where that is installed,
and eth-keys' own in Python where it is not, some twenty times as slow.
Source: SEC 1, 4.1.6 (recovery); EIP-2 (the lower half); the yellow paper, appendix F (v).
"""

import secrets
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Final, NewType, Protocol, Self

from eth_hash.auto import keccak

from verifier.addresses import to_checksum
from verifier.holdings import Address

Digest = NewType("Digest", bytes)
"""32 bytes, to be signed."""

ORDER: Final = 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFE_BAAEDCE6_AF48A03B_BFD25E8C_D0364141
"""Of the group. Source: SEC 2, 2.4.1."""
SIGNATURE: Final = 65
SECRET: Final = 32
_V: Final = 27
_ADDRESS: Final = 20


class SignatureUnsound(ValueError):
    """Bytes that are no signature in the one form; the sentence says in what."""


class Curve(Protocol):
    """Arithmetic on secp256k1. Signatures are r || s || 0 or 1; public keys are x || y."""

    def public(self, secret: bytes, /) -> bytes:
        """64 bytes for a secret of 32. Raises: ValueError if it is 0 or not below `ORDER`."""
        ...

    def sign(self, secret: bytes, digest: bytes, /) -> bytes:
        """65 bytes, with s in the lower half; the same for the same digest (RFC 6979)."""
        ...

    def recover(self, digest: bytes, signature: bytes, /) -> bytes:
        """64 bytes. Raises: ValueError if no key made it."""
        ...


class InC:
    """libsecp256k1."""

    def __init__(self) -> None:
        import coincurve  # noqa: PLC0415 - not there on every Python

        self._library = coincurve

    def public(self, secret: bytes, /) -> bytes:
        """As `Curve.public`."""
        return self._library.PublicKey.from_valid_secret(secret).format(compressed=False)[1:]

    def sign(self, secret: bytes, digest: bytes, /) -> bytes:
        """As `Curve.sign`."""
        return self._library.PrivateKey(secret).sign_recoverable(digest, hasher=None)

    def recover(self, digest: bytes, signature: bytes, /) -> bytes:
        """As `Curve.recover`."""
        try:
            found = self._library.PublicKey.from_signature_and_message(signature, digest, hasher=None)
        except Exception as error:
            raise ValueError("no key made it") from error
        return found.format(compressed=False)[1:]


class InPython:
    """eth-keys."""

    def __init__(self) -> None:
        from eth_keys import datatypes  # noqa: PLC0415 - half a second, for whoever needs it
        from eth_keys.backends.native.main import NativeECCBackend  # noqa: PLC0415

        self._types, self._backend = datatypes, NativeECCBackend()

    def public(self, secret: bytes, /) -> bytes:
        """As `Curve.public`."""
        return self._types.PrivateKey(secret, self._backend).public_key.to_bytes()

    def sign(self, secret: bytes, digest: bytes, /) -> bytes:
        """As `Curve.sign`."""
        return self._backend.ecdsa_sign(digest, self._types.PrivateKey(secret, self._backend)).to_bytes()

    def recover(self, digest: bytes, signature: bytes, /) -> bytes:
        """As `Curve.recover`."""
        from eth_keys.exceptions import BadSignature  # noqa: PLC0415
        from eth_utils.exceptions import ValidationError  # noqa: PLC0415

        try:
            found = self._types.Signature(signature, backend=self._backend)
            return self._backend.ecdsa_recover(digest, found).to_bytes()
        except (BadSignature, ValidationError) as error:
            raise ValueError("no key made it") from error


@cache
def curve() -> Curve:
    """The faster one of those that are installed."""
    try:
        return InC()
    except ModuleNotFoundError:
        return InPython()


@dataclass(frozen=True)
class SigningKey:
    """A private key, which no text and no log shows.

    Raises:
        ValueError: not 32 bytes, or not between 1 and the order.
    """

    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if type(self.secret) is not bytes or len(self.secret) != SECRET:
            raise ValueError(f"a private key has exactly {SECRET} bytes")
        if not 0 < int.from_bytes(self.secret, "big") < ORDER:
            raise ValueError("a private key is a number from 1 to the order of the group")

    @classmethod
    def fresh(cls) -> Self:
        """A new one, from the system's randomness."""
        return cls((1 + secrets.randbelow(ORDER - 1)).to_bytes(SECRET, "big"))

    @cached_property
    def address(self) -> Address:
        """By which others know the key."""
        return address_of(curve().public(self.secret))

    def sign(self, digest: Digest) -> bytes:
        """65 bytes in the one form; the same for the same digest."""
        made = curve().sign(self.secret, digest)
        return made[:-1] + bytes([_V + made[-1]])


def signer_of(digest: Digest, signature: bytes) -> Address:
    """Whose key made the signature. Every sound one has *some* address: it says nothing before that is compared.

    Raises:
        SignatureUnsound: another form, or no key at all.
    """
    if len(signature) != SIGNATURE:
        raise SignatureUnsound(f"{len(signature)} bytes, and a signature has {SIGNATURE}")
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:64], "big")
    if not any(signature):
        raise SignatureUnsound("nothing but zeros")
    if signature[-1] not in (_V, _V + 1):
        raise SignatureUnsound(f"its last byte is {signature[-1]}, which has to be {_V} or {_V + 1}")
    if not (0 < r < ORDER and 0 < s < ORDER):
        raise SignatureUnsound("r or s is not between 1 and the order of the group")
    if s > ORDER // 2:
        raise SignatureUnsound("s is in the upper half, so somebody has changed the signature")
    try:
        return address_of(curve().recover(digest, signature[:-1] + bytes([signature[-1] - _V])))
    except ValueError as error:
        raise SignatureUnsound("no key makes such a signature") from error


def address_of(public: bytes) -> Address:
    """The address of a public key of 64 bytes."""
    return to_checksum(keccak(public)[-_ADDRESS:])
