"""Secrets that must be read again, encrypted with a key from the server's secret, so that a stolen database tells none.

    encrypted = "1." + base64url( nonce + tag + AES-256-GCM( key, nonce, about, secret ) )
    key    = HKDF-SHA-256( server's secret, "deckproof " + purpose )

What a secret is about is authenticated with it: moved to another account, it cannot be decrypted.
Source: RFC 5869 (HKDF); NIST SP 800-38D (GCM).
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from typing import Final, cast

from Crypto.Cipher import AES
from Crypto.Hash import SHA256
from Crypto.Protocol.KDF import HKDF
from Crypto.Random import get_random_bytes

_MARK: Final = "1."
_NONCE: Final = 12
_TAG: Final = 16
_KEY: Final = 32


class NotDecrypted(Exception):
    """It was encrypted with another secret, about something else, or not at all; never leaves the services."""


def encrypt(secret: str, purpose: str, about: str, plain: str) -> str:
    """Encrypt a text; the same text is another each time."""
    nonce = get_random_bytes(_NONCE)
    cipher = AES.new(_key(secret, purpose), AES.MODE_GCM, nonce=nonce, mac_len=_TAG)
    cipher.update(about.encode())
    body, tag = cipher.encrypt_and_digest(plain.encode())
    return _MARK + urlsafe_b64encode(nonce + tag + body).decode()


def decrypt(secret: str, purpose: str, about: str, encrypted: str) -> str:
    """The text again. Raises: NotDecrypted."""
    try:
        raw = urlsafe_b64decode(encrypted.removeprefix(_MARK))
        cipher = AES.new(_key(secret, purpose), AES.MODE_GCM, nonce=raw[:_NONCE], mac_len=_TAG)
        cipher.update(about.encode())
        return cipher.decrypt_and_verify(raw[_NONCE + _TAG :], raw[_NONCE : _NONCE + _TAG]).decode()
    except (NotBase64, ValueError) as error:
        raise NotDecrypted from error


def _key(secret: str, purpose: str) -> bytes:
    return cast("bytes", HKDF(secret.encode(), _KEY, b"", SHA256, context=f"deckproof {purpose}".encode()))
